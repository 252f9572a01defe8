/*
 * Lakes. Reads: which cells of the chunk, and up to one OMT beyond it, are lake or sea by noise
 * (water_field.c); beyond the border, also the rivers that the edges plan. Writes: on z = 0
 * lakes, also over rivers; on the levels below their water and, deepest, their bed. Guarantees:
 * a lake goes on across every border, and into the sea without a shore. From each lake's
 * northmost and southmost cell, if it is far enough from the borders, a link leads to the
 * nearest river of the chunk; the link also stays away from the borders.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

static void draw(generator *g, int32_t count, int32_t z, ptl_oter surface, ptl_oter shore)
{
    const still_water *w = g->scratch;
    ptl_oter *cells = cells_at(g, z);
    for (int32_t i = 0; cells && i < count; i++) {
        const int32_t at = w->cells[i];
        if (w->kind[at] == WATER_SURFACE)
            cells[at] = surface;
        else if (shore != CAT_NONE)
            cells[at] = shore;
    }
}

static void draw_levels(generator *g, int32_t count)
{
    const gen_oters *o = g->config->oters;
    int32_t depth = g->config->region->lake_depth;
    draw(g, count, 0, depth == 0 ? o->lake_bed : o->lake_surface, o->lake_shore);
    for (int32_t z = -1; z >= depth; z--)
        draw(g, count, z, z == depth ? o->lake_bed : o->lake_water_cube,
             o->lake_underwater_shore);
}

static void run(generator *g)
{
    still_water *w = g->scratch;
    if (ocean_here(g) == OCEAN_ALL)
        return; /* all is sea, so no lake is drawn */
    w->field = &g->lakes;
    int32_t count = still_water_find(g, w);
    if (count == 0)
        return;
    rng r = step_stream(g, "lakes");
    if (g->config->river_form == RIVERS_CURVED) {
        count = still_water_mouths(g, w, &r, true, count);
        draw_levels(g, count);
        return;
    }
    draw_levels(g, count);
    if (g->config->river_width > 0 && !g->failed)
        still_water_link(g, w, &r, false);
}

const gen_step step_lakes = {
    .info = {"lakes", 1, true},
    .run = run,
    .scratch = sizeof(still_water),
    .needs = {&water_fields_part},
};
