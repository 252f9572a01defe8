/*
 * The ocean (generation.md 5.12). Reads: the fields of the ocean and of lakes up to one OMT
 * beyond the chunk, and the edges' strips there. Writes: z = 0, over lakes and rivers; below
 * the surface, water and bed; below a shore nothing, even where a lake was. Guarantees: the
 * sea goes on across every border, and has no shore where it meets a lake. Links to rivers are
 * as for lakes.
 */
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

static still_water *scratch(const generator *g)
{
    return g->scratch;
}

/* Returns the oter of the sea on a level. */
static ptl_oter water_at(const generator *g, int32_t z)
{
    const gen_oters *o = g->config->oters;
    if (z == g->config->region->ocean.depth)
        return o->ocean_bed;
    return z == 0 ? o->ocean_surface : o->ocean_water_cube;
}

static void draw(generator *g, int32_t count)
{
    const still_water *w = scratch(g);
    const cat_oter *oters = g->config->cat->oters;
    /* Remove lakes below the cells that the sea covers. */
    for (int32_t z = -1; z >= g->config->region->lake_depth; z--) {
        const level *l = chunk_level(g->chunk, z);
        for (int32_t i = 0; l->cells && i < count;
             i++) /* else no lake was drawn on the level */
            if (oters[g->ground[w->cells[i]]].flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE))
                l->cells[w->cells[i]] = g->config->defaults[z - PTL_Z_MIN];
    }
    for (int32_t i = 0; i < count; i++)
        g->ground[w->cells[i]] = g->config->oters->ocean_shore;
    for (int32_t z = 0; z >= g->config->region->ocean.depth; z--) {
        ptl_oter *cells = cells_at(g, z);
        if (cells) {
            /* Fill the cells that are not shore. */
            const ptl_oter water = water_at(g, z);
            for (int32_t i = 0; i < SIZE * SIZE; i++)
                cells[i] = w->kind[i] == WATER_SURFACE ? water : cells[i];
        }
    }
}

static void run(generator *g)
{
    still_water *w = scratch(g);
    const ocean_share share = ocean_here(g);
    if (share == OCEAN_NONE)
        return;
    if (share == OCEAN_ALL) {
        /* If everything is sea, each level below is a single terrain. */
        const ptl_oter surface = water_at(g, 0);
        for (int32_t i = 0; i < SIZE * SIZE; i++)
            g->ground[i] = surface;
        for (int32_t z = -1; z >= g->config->region->ocean.depth; z--)
            level_fill(chunk_level(g->chunk, z), water_at(g, z));
        shoals_draw(g);
        return;
    }
    w->square = ocean_square_of;
    w->share = ocean_share_of;
    int32_t count = still_water_find(g, w);
    if (count == 0)
        return;
    rng r = step_stream(g, "oceans");
    if (g->config->river_form == RIVERS_CURVED) {
        count = still_water_mouths(g, w, &r, false, count);
        draw(g, count);
    } else {
        draw(g, count);
        if (g->config->river_width > 0 && !g->failed)
            still_water_link(g, w, &r, false);
    }
    shoals_draw(g);
}

const gen_step step_oceans = {
    .info = {"oceans", 1, true},
    .run = run,
    .scratch = sizeof(still_water),
    .needs = {&water_fields_part},
};
