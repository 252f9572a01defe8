/*
 * Tries a fixed special. Its ground is made cell by cell from what its own OMTs, those of
 * nested specials and its connections ask for at each place. If the special does not fit on
 * that ground, it fits nowhere.
 */
#include "core/array.h"
#include "core/error.h"
#include "gen/pipeline.h"
#include "gen/sites/sites.h"
#include "model/chunk.h"
#include "world/trial/try.h"

#include <stdlib.h>

enum {
    NEEDS_MAX = 1 << 17, /* most needs of a special with all that is nested in it */
    DEPTH_MAX = 200
};

/* What the special asks of one cell of the chunk. A cell may have several needs. */
typedef struct need {
    int32_t x, y, z;        /* from the special's origin, before rotation */
    ptl_terrain_set allows; /* the terrains that fulfil the need */
    bool fill;              /* the level's default oter fulfils it, too */
    const cat_link *link; /* NULL: the need of an OMT; otherwise of a connection, which can also
                             start on ground of its own subtypes */
} need;

typedef struct needs {
    const gen_config *config;
    need *items; /* owned */
    size_t count, room;
    bool full, no_memory;
} needs;

static void add(needs *list, need n)
{
    if (list->count == NEEDS_MAX || n.z < PTL_Z_MIN || n.z > PTL_Z_MAX) {
        list->full = true;
        return;
    }
    if (!ARRAY_ROOM(list->items, list->room, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    list->items[list->count++] = n;
}

static void gather(needs *list, uint16_t special, const need *at, int depth)
{
    const cat_special *s = &list->config->cat->specials[special];
    const bool compat = list->config->options.compat;
    list->full = list->full || depth == DEPTH_MAX;
    for (size_t i = 0; i < s->omt_count && !list->full && !list->no_memory; i++) {
        const cat_omt *t = &s->omts[i];
        const int32_t z = at->z + t->z;
        add(list, (need){at->x + t->x, at->y + t->y, z, t->allows,
                         z != 0 && (compat || !t->own), NULL});
    }
    for (size_t i = 0; i < s->check_count && !list->full && !list->no_memory; i++) {
        const cat_check *c = &s->checks[i]; /* a fixed special's check covers one cell */
        const int32_t z = at->z + c->z0;
        add(list, (need){at->x + c->x0, at->y + c->y0, z, c->allows,
                         z != 0 && (compat || !c->own), NULL});
    }
    for (size_t i = 0; i < s->nested_count && !list->full && !list->no_memory; i++) {
        const cat_nested *n = &s->nested[i];
        const need inner = {.x = at->x + n->x, .y = at->y + n->y, .z = at->z + n->z};
        gather(list, n->special, &inner, depth + 1);
    }
}

static bool accepts(const needs *list, const need *n, uint16_t terrain)
{
    const catalogue *cat = list->config->cat;
    const ptl_oter fill = list->config->defaults[n->z - PTL_Z_MIN];
    if (cat_terrain_in(n->allows, terrain) || (n->fill && cat->oters[fill].terrain == terrain))
        return true;
    const cat_connection *c = n->link ? &cat->connections[n->link->connection] : NULL;
    for (size_t i = 0; c && !n->link->existing && i < c->subtype_count; i++)
        if (cat_terrain_in(c->subtypes[i].allows, terrain))
            return true;
    return false;
}

static int compare_needs(const void *left, const void *right)
{
    const need *a = left, *b = right;
    if (a->z != b->z)
        return a->z < b->z ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

/* Returns a terrain that all needs of a cell accept, preferably the level's default; CAT_NONE
 * if there is none. */
static uint16_t choose(const needs *list, const need *items, size_t count)
{
    const catalogue *cat = list->config->cat;
    const uint16_t standard =
        cat->oters[list->config->defaults[items[0].z - PTL_Z_MIN]].terrain;
    for (size_t i = 0; i <= cat->terrain_count; i++) {
        const uint16_t terrain = i == 0 ? standard : (uint16_t)(i - 1);
        size_t met = 0;
        while (met < count && accepts(list, &items[met], terrain))
            met++;
        if (met == count && cat->terrains[terrain].count > 0)
            return terrain;
    }
    return CAT_NONE;
}

/* Paints each needed cell with a terrain that all its needs accept. The needs are sorted by
 * place. False if a cell can't be made, which the report then names. */
static bool paint(trial *t, const needs *list, ptl_chunk *ground, int rotation,
                  const int32_t origin[2])
{
    const catalogue *cat = t->config->cat;
    for (size_t i = 0, end; i < list->count; i = end) {
        const need *n = &list->items[i];
        for (end = i + 1; end < list->count && compare_needs(n, &list->items[end]) == 0;)
            end++;
        const uint16_t terrain = choose(list, n, end - i);
        int32_t x, y;
        feature_rotate(n->x, n->y, rotation, &x, &y);
        x += origin[0];
        y += origin[1];
        if (terrain == CAT_NONE || !inside(x, y)) {
            t->out->has_conflict = true;
            t->out->conflict_x = n->x;
            t->out->conflict_y = n->y;
            t->out->conflict_z = n->z;
            return false;
        }
        level *l = chunk_level(ground, n->z);
        const ptl_oter oter =
            cat->oters[t->config->defaults[n->z - PTL_Z_MIN]].terrain == terrain
                ? t->config->defaults[n->z - PTL_Z_MIN]
                : cat->terrains[terrain].first;
        ptl_oter *cells = level_cells(l);
        if (!cells) {
            t->gen->failed = true;
            return false;
        }
        cells[y * SIZE + x] = oter;
    }
    return true;
}

static ptl_status try_rotation(trial *t, const needs *list, int rotation, bool *fits,
                               ptl_error *err)
{
    int32_t origin[2];
    ptl_chunk *ground = chunk_new((ptl_chunk_pos){0, 0});
    *fits = false;
    if (!ground)
        return error_nomem(err);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        level_fill(chunk_level(ground, z), t->config->defaults[z - PTL_Z_MIN]);
    /* The origin is chosen so that the rotated needs lie in the middle of the chunk. */
    int32_t low[2] = {0, 0}, high[2] = {0, 0};
    for (size_t i = 0; i < list->count; i++) {
        int32_t at[2];
        feature_rotate(list->items[i].x, list->items[i].y, rotation, &at[0], &at[1]);
        for (int k = 0; k < 2; k++) {
            low[k] = i == 0 || at[k] < low[k] ? at[k] : low[k];
            high[k] = i == 0 || at[k] > high[k] ? at[k] : high[k];
        }
    }
    for (int k = 0; k < 2; k++)
        origin[k] = (SIZE - 1 - low[k] - high[k]) / 2;
    if (paint(t, list, ground, rotation, origin)) {
        generator_adopt(t->gen, ground);
        site_map_begin(t->gen);
        *fits = site_fits(t->gen, t->special, rotation, origin[0], origin[1]);
        site_map_end(t->gen);
        generator_adopt(t->gen, NULL);
    }
    ptl_chunk_free(ground);
    return t->gen->failed ? generator_why(t->gen, err) : PTL_OK;
}

ptl_status try_fixed(trial *t, ptl_error *err)
{
    const cat_special *s = &t->config->cat->specials[t->special];
    ptl_trial_report *r = t->out;
    needs list = {.config = t->config};
    const need origin = {.x = 0};
    ptl_status status = PTL_OK;
    gather(&list, t->special, &origin, 0);
    for (size_t i = 0; i < s->link_count && !list.no_memory; i++) {
        const cat_link *l = &s->links[i];
        add(&list, (need){l->x, l->y, l->z, l->carries, false, l});
    }
    if (list.no_memory)
        status = error_nomem(err);
    if (list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, compare_needs);
    for (int rotation = 0; status == PTL_OK && rotation < (s->rotate ? 4 : 1); rotation++) {
        bool fits = false;
        r->tried++;
        if (!list.full && list.count > 0)
            status = try_rotation(t, &list, rotation, &fits, err);
        r->placed += fits;
    }
    r->pieces_min = r->pieces_max = (int32_t)s->omt_count;
    r->pieces_mean = (double)s->omt_count;
    free(list.items);
    return status;
}
