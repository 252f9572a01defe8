/*
 * The ocean (generation.md 5.12). Reads: which cells of the chunk, and up to one OMT beyond it,
 * are sea or lake by noise (water_field.c); beyond the border, also the rivers that the edges
 * plan. Writes: on z = 0 the sea, also over lakes and rivers; on the levels below it water and,
 * deepest, its bed. Below a shore there is no water, even where a lake was. Guarantees: the sea
 * goes on across every border, and has no shore where it meets a lake. Links to rivers are
 * drawn as in step_lakes.c.
 */
#include "gen/coast/coast.h"
#include "gen/coast/coast_plan.h"
#include "gen/steps/steps.h"
#include "gen/steps/waters.h"

#include <string.h>

/* Returns the oter that fills the sea on this level: water, or the bed on the deepest level. */
static ptl_oter water_at(const generator *g, int32_t z)
{
    const gen_oters *o = g->config->oters;
    if (z == g->config->region->ocean.depth)
        return o->ocean_bed;
    return z == 0 ? o->ocean_surface : o->ocean_water_cube;
}

static void draw(generator *g, int32_t count)
{
    const still_water *w = g->scratch;
    const cat_oter *oters = g->config->cat->oters;
    /* Remove lakes below the cells that the sea covers. */
    for (int32_t z = -1; z >= g->config->region->lake_depth; z--) {
        const level *l = chunk_level(g->chunk, z);
        /* A level without an array of cells has one oter everywhere, and no lake. */
        for (int32_t i = 0; l->cells && i < count; i++)
            if (oters[g->ground[w->cells[i]]].flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE))
                l->cells[w->cells[i]] = g->config->defaults[z - PTL_Z_MIN];
    }
    for (int32_t i = 0; i < count; i++)
        g->ground[w->cells[i]] = g->config->oters->ocean_shore;
    for (int32_t z = 0; z >= g->config->region->ocean.depth; z--) {
        ptl_oter *cells = cells_at(g, z);
        if (cells) {
            /* On this level, write water on all cells of the sea except those of its shore; on
             * the level of the sea's bed, write the bed instead. */
            const ptl_oter water = water_at(g, z);
            for (int32_t i = 0; i < SIZE * SIZE; i++)
                cells[i] = w->kind[i] == WATER_SURFACE ? water : cells[i];
        }
    }
}

/*
 * Islands in the sea, if the sea's terrain names the mapgen `shoals` (schema/shoals.md, "A
 * coast in a world"). Reads: the sea as drawn, what lies around it, the coast's plan. Writes:
 * an OMT of sea that is mostly land becomes an island, a beach or a cliff, and the sea below it
 * is removed. Guarantees: islands are a function of seed and place, so that they go on across
 * borders.
 */

enum {
    WIDE = SIZE + 2, /* side of the chunk with a ring of OMTs around it */
    COLUMNS = SIZE * COAST_SAMPLES,
    ALL_SAMPLES = COAST_SAMPLES * COAST_SAMPLES,
    MOST = ALL_SAMPLES / 2 + 1,
    /* An OMT becomes a cliff if at least ROCKS of its samples (heights measured at places of
     * the OMT) lie on rock. */
    ROCKS = ALL_SAMPLES / 3
};

typedef struct shoals {
    coast coast;
    coast_plan plan;
    coast_omt omts[WIDE * WIDE];
    /* For each OMT of the chunk and of a ring around it: its kind, as coast_actual tells it. */
    uint8_t kinds[WIDE * WIDE];
    uint8_t touched[3][WIDE]; /* for three rows of OMTs, each at the index that ring(y) gives: 1
                                 where a hill of an island raises ground in the OMT */
    /* For three rows of OMTs: whether a hill of an island raises the ground of any OMT in the
     * row. */
    bool raised_any[3];
    int32_t raised[3][COAST_SAMPLES]
                  [COLUMNS]; /* for three rows of OMTs, each at the index that ring(y) gives:
                              * how much the hills of islands raise each of the tiles that stand
                              * for an OMT (COAST_SAMPLES x COAST_SAMPLES of them) */
} shoals;

static int ring(int32_t row)
{
    return (row + 3) % 3;
}

static void clear_row(shoals *s, int32_t row)
{
    const int at = ring(row);
    if (!s->raised_any[at])
        return;
    s->raised_any[at] = false;
    memset(s->raised[at], 0, sizeof s->raised[0]);
    memset(s->touched[at], 0, sizeof s->touched[0]);
}

/* Adds the heights of the hills that belong to the OMTs of row y, in the columns -1 to SIZE.
 * Such hills also raise OMTs in the rows to the north and south. */
static void raise_row(generator *g, shoals *s, int32_t y)
{
    int32_t *rows[COAST_SAMPLE_ROWS];
    for (int32_t k = 0; k < COAST_SAMPLE_ROWS; k++)
        rows[k] = s->raised[ring(y - 1 + k / COAST_SAMPLES)][k % COAST_SAMPLES];
    for (int32_t x = -1; x <= SIZE; x++) {
        const coast_omt omt = s->omts[(y + 1) * WIDE + x + 1];
        if (omt.kind == COAST_LAND || omt.kind == COAST_OPEN)
            continue;
        coast_hills all;
        coast_hills_of(&all, &s->coast, (int64_t)g->chunk->pos.x * SIZE + x,
                       (int64_t)g->chunk->pos.y * SIZE + y, omt);
        for (int32_t i = 0; i < all.count; i++)
            coast_samples_raise(rows, SIZE, &all.hills[i], x);
        for (int row = y - 1; all.count > 0 && row <= y + 1; row++) {
            s->raised_any[ring(row)] = true;
            for (int32_t beside = x > 0 ? x - 1 : 0; beside <= x + 1; beside++)
                s->touched[ring(row)][beside] = 1;
        }
    }
}

/* Returns the oter of land that replaces an OMT of sea; CAT_NONE where it remains sea. */
static ptl_oter land_at(const generator *g, const shoals *s, int32_t x, int32_t y)
{
    const gen_oters *o = g->config->oters;
    const bool shore = g->ground[y * SIZE + x] == o->ocean_shore;
    if (!shore && !s->touched[ring(y)][x])
        return CAT_NONE;
    int32_t corners[4], land = 0, rock = 0;
    /* Compute the heights of the OMT's corners: NW, NE, SW, SE. */
    for (int32_t i = 0; i < 4; i++) {
        const uint8_t *at = &s->kinds[(y + i / 2) * WIDE + x + i % 2];
        const coast_kind four[4] = {at[0], at[1], at[WIDE], at[WIDE + 1]};
        corners[i] = coast_corner(four);
    }
    const bool flat =
        corners[0] == corners[1] && corners[0] == corners[2] && corners[0] == corners[3];
    int32_t base = flat ? coast_between(corners, 0, 0) : 0;
    /* Samples are a few tiles of the OMT whose heights are computed. Count the samples that are
     * land. Stop when the rows of samples that are left could not make enough land for an OMT
     * of land, even if all of them were land. */
    for (int32_t v = 0; v < COAST_SAMPLES && land + COAST_SAMPLES * (COAST_SAMPLES - v) >= MOST;
         v++) {
        const int32_t *raised = &s->raised[ring(y)][v][x * COAST_SAMPLES];
        for (int32_t u = 0; u < COAST_SAMPLES; u++) {
            if (!flat)
                base = coast_between(corners, coast_sample_cells[u], coast_sample_cells[v]);
            land += base + raised[u] >= COAST_FLOOR_FROM;
            rock += base + raised[u] >= COAST_ROCK_FROM;
        }
    }
    if (land < MOST)
        return CAT_NONE;
    return rock >= ROCKS ? o->shoals_cliff : shore ? o->shoals_beach : o->shoals_island;
}

/* Writes the OMTs of row y that become land, and removes the sea below them. */
static void draw_row(generator *g, const shoals *s, int32_t y)
{
    for (int32_t x = 0; x < SIZE; x++) {
        const int32_t at = y * SIZE + x;
        if (!(g->config->cat->oters[g->ground[at]].flags & CAT_FLAGS_OCEAN))
            continue;
        const ptl_oter land = land_at(g, s, x, y);
        if (land != CAT_NONE) {
            g->ground[at] = land;
            for (int32_t z = -1; z >= g->config->region->ocean.depth; z--) {
                ptl_oter *cells = cells_at(g, z);
                if (cells)
                    cells[at] = g->config->defaults[z - PTL_Z_MIN];
            }
        }
    }
}

/* Turns sea that is mostly land into islands. Call it after the sea and its rivers are drawn.
 * It uses the scratch memory of a still_water. */
static void shoals_draw(generator *g)
{
    shoals *s = g->scratch;
    const gen_config *config = g->config;
    if (!config->shoals || g->failed)
        return;
    s->plan = (coast_plan){config->seed, &config->ocean};
    s->coast = coast_of_plan(&s->plan, config->shoals);
    const int64_t x0 = (int64_t)g->chunk->pos.x * SIZE - 1;
    const int64_t y0 = (int64_t)g->chunk->pos.y * SIZE - 1;
    const bool all = ocean_here(g) == OCEAN_ALL;
    coast_plan_omts(&s->plan, (coast_rect){x0, y0, WIDE, WIDE}, s->omts);
    for (int32_t i = 0; i < WIDE * WIDE; i++) {
        const int32_t x = i % WIDE - 1, y = i / WIDE - 1;
        bool wet = all;
        if (!all)
            wet = inside(x, y)
                      ? config->cat->oters[g->ground[y * SIZE + x]].flags & CAT_FLAGS_WATER
                      : water_is_planned(g, x, y);
        s->kinds[i] = (uint8_t)coast_actual(s->omts[i].kind, wet);
    }
    for (int32_t y = -2; y <= 0; y++) {
        s->raised_any[ring(y)] = true;
        clear_row(s, y);
    }
    for (int32_t y = -1; y <= SIZE; y++) {
        raise_row(g, s, y);
        if (y > 0)
            draw_row(g, s, y - 1);
        clear_row(s, y + 2);
    }
}

static void run(generator *g)
{
    still_water *w = g->scratch;
    const ocean_share share = ocean_here(g);
    if (share == OCEAN_NONE)
        return;
    if (share == OCEAN_ALL) {
        /* If the whole chunk is sea, all cells of each level get the same oter. */
        const ptl_oter surface = water_at(g, 0);
        for (int32_t i = 0; i < SIZE * SIZE; i++)
            g->ground[i] = surface;
        for (int32_t z = -1; z >= g->config->region->ocean.depth; z--)
            level_fill(chunk_level(g->chunk, z), water_at(g, z));
        shoals_draw(g);
        return;
    }
    w->field = &g->oceans;
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

_Static_assert(sizeof(shoals) <= sizeof(still_water), "they have the same scratch memory");
_Static_assert((int)WIDE <= (int)COAST_PLAN_WIDTH, "a row is planned in one piece");
