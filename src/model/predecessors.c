#include "model/predecessors.h"

#include "core/array.h"
#include "model/chunk.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE };

bool predecessors_wanted(const catalogue *cat)
{
    bool wanted = false;
    for (size_t i = 0; i < cat->terrain_count && !wanted; i++)
        wanted = (cat->terrains[i].flags & CAT_FLAG_PREDECESSOR) != 0;
    return wanted;
}

void predecessors_reset(predecessor_log *log)
{
    for (size_t i = 0; i < log->count; i++)
        log->last[log->entries[i].z - PTL_Z_MIN][log->entries[i].cell] = 0;
    log->count = 0;
}

void predecessors_dispose(predecessor_log *log)
{
    for (size_t i = 0; i < PTL_LEVELS; i++)
        free(log->last[i]);
    free(log->entries);
    free(log->layer);
    memset(log, 0, sizeof *log);
}

static __attribute__((noinline)) bool make_room(predecessor_log *log, int32_t z)
{
    uint32_t **last = &log->last[z - PTL_Z_MIN];
    if (!*last)
        *last = calloc(PTL_LEVEL_CELLS, sizeof **last);
    if (!ARRAY_ROOM(log->entries, log->room, log->count + 1))
        return false;
    return *last != NULL;
}

/* Appends a terrain to a cell's chain of predecessors, which has `depth` terrains already.
 * False when memory is out. */
static inline bool append(predecessor_log *log, int32_t z, int32_t cell, ptl_oter oter,
                          uint32_t before, unsigned depth)
{
    uint32_t *const *last = &log->last[z - PTL_Z_MIN];
    if ((!*last || log->count == log->room) && !make_room(log, z))
        return false;
    log->entries[log->count++] = (predecessor_entry){.before = before,
                                                     .cell = (uint16_t)cell,
                                                     .oter = oter,
                                                     .depth = (uint16_t)depth,
                                                     .z = (int8_t)z};
    (*last)[cell] = (uint32_t)log->count;
    return true;
}

/* Returns 1 + the number of the youngest entry in a cell's chain of predecessors; 0 if the cell
 * has no chain. */
static inline uint32_t youngest(const predecessor_log *log, int32_t z, int32_t cell)
{
    const uint32_t *last = log->last[z - PTL_Z_MIN];
    return last ? last[cell] : 0;
}

/* If the cell's chain of predecessors has PREDECESSORS_MAX terrains already, the new one is not
 * added. */
bool predecessors_append(predecessor_log *log, int32_t z, int32_t cell, ptl_oter oter)
{
    const uint32_t last = youngest(log, z, cell);
    const unsigned depth = last ? log->entries[last - 1].depth + 1u : 0;
    return depth >= PREDECESSORS_MAX || append(log, z, cell, oter, last, depth);
}

/* The games' rule: a terrain that is drawn over joins the cell's chain of predecessors. But a
 * line that covers an earlier line of the same type replaces it in the chain, and a line that
 * only gets another connected side covers nothing. */
bool predecessors_add(predecessor_log *log, const catalogue *cat, int32_t z, int32_t cell,
                      ptl_oter before, ptl_oter after)
{
    const cat_oter *covered = &cat->oters[before];
    if (covered->terrain == cat->oters[after].terrain)
        return true;
    const uint32_t last = youngest(log, z, cell);
    if (!last)
        return append(log, z, cell, before, 0, 0);
    predecessor_entry *young = &log->entries[last - 1];
    const bool line = (covered->flags & CAT_FLAG_LINEAR) != 0;
    if (young->oter == before ||
        (line && cat->oters[young->oter].terrain == covered->terrain)) {
        /* When the growth of a special was undone, its cells got their earlier oters again.
         * Such an oter is in the chain of predecessors already. */
        young->oter = before;
        return true;
    }
    return young->depth + 1 >= PREDECESSORS_MAX ||
           append(log, z, cell, before, last, young->depth + 1u);
}

/* ---- runs ---- */

enum { WORDS = (PTL_LEVEL_CELLS + 63) / 64 };

/* The terrains at one depth of all chains of predecessors on a level (depth 0: the oldest
 * ones), and the cells of all levels that have chains. */
typedef struct predecessor_layer {
    /* For each cell the terrain at one depth of its chain of predecessors (0: the oldest one),
     * the same depth for all cells; CAT_NONE if the chain is not so long. Between calls of
     * predecessors_finish all are CAT_NONE. */
    ptl_oter oters[PTL_LEVEL_CELLS];
    /* For each level, a bit for each of its cells that has a chain of predecessors; valid only
     * for levels whose number in `depths` is above 0. */
    uint64_t cells[PTL_LEVELS][WORDS];
    unsigned depths[PTL_LEVELS]; /* for each level: the length of the longest chain of
                                  * predecessors */
} layer;

/* Returns the terrain number `depth` (0: the oldest one) of a cell's chain of predecessors;
 * CAT_NONE if the chain is not so long. `last` is the number + 1 of the chain's youngest
 * entry. */
static inline ptl_oter at_depth(const predecessor_entry *entries, uint32_t last, unsigned depth)
{
    const predecessor_entry *e = &entries[last - 1];
    while (e->depth > depth)
        e = &entries[e->before - 1];
    return e->depth == depth ? e->oter : CAT_NONE;
}

/* Fills the layer with terrain number `depth` (0: the oldest one) of each cell's chain of
 * predecessors, but only for cells whose present terrain has the flag REQUIRES_PREDECESSOR. */
static void fill_layer(layer *l, const predecessor_log *log, const catalogue *cat,
                       const ptl_chunk *chunk, size_t number, unsigned depth)
{
    const level *there = &chunk->levels[number];
    const uint64_t *cells = l->cells[number];
    const uint32_t *last = log->last[number];
    for (int32_t w = 0; w < WORDS; w++)
        for (uint64_t left = cells[w]; left; left &= left - 1) {
            const int32_t i = 64 * w + __builtin_ctzll(left);
            const ptl_oter now = there->cells ? there->cells[i] : there->fill;
            if (cat->oters[now].flags & CAT_FLAG_PREDECESSOR)
                l->oters[i] = at_depth(log->entries, last[i], depth);
        }
}

static int32_t run_length(const layer *l, int32_t cell, int32_t step, int32_t most)
{
    int32_t length = 1;
    while (length < most && l->oters[cell + length * step] == l->oters[cell])
        length++;
    return length;
}

/* Adds each run of equal terrains in the layer to the list of predecessors in `f`, and empties
 * the layer, also when memory is out. */
static bool add_runs(gen_features *f, layer *l, size_t number)
{
    const uint64_t *cells = l->cells[number];
    bool ok = true;
    for (int32_t w = 0; w < WORDS; w++)
        for (uint64_t left = cells[w]; left; left &= left - 1) {
            const int32_t i = 64 * w + __builtin_ctzll(left);
            if (l->oters[i] == CAT_NONE)
                continue;
            gen_predecessor *p = ok ? features_add_predecessor(f) : NULL;
            ok = p != NULL;
            /* Removes the run of equal terrains that begins at this cell from the layer, also
             * when memory is out (p is NULL); the run is then not added to f. */
            const int32_t east = run_length(l, i, 1, SIDE - i % SIDE);
            const int32_t south = run_length(l, i, SIDE, SIDE - i / SIDE);
            const gen_predecessor run = {.oter = l->oters[i],
                                         .x = (int16_t)(i % SIDE),
                                         .y = (int16_t)(i / SIDE),
                                         .z = (int8_t)((int)number + PTL_Z_MIN),
                                         .south = south > east,
                                         .length = (int16_t)(south > east ? south : east)};
            const int32_t step = run.south ? SIDE : 1;
            for (int32_t k = 0; k < run.length; k++)
                l->oters[i + k * step] = CAT_NONE;
            if (p)
                *p = run;
        }
    return ok;
}

bool predecessors_finish(gen_features *f, predecessor_log *log, const catalogue *cat,
                         const ptl_chunk *chunk)
{
    if (log->count == 0)
        return true;
    if (!log->layer) {
        log->layer = malloc(sizeof *log->layer);
        if (!log->layer)
            return false;
        /* Fills the array with CAT_NONE. */
        memset(log->layer->oters, 0xff, sizeof log->layer->oters);
    }
    layer *l = log->layer;
    memset(l->depths, 0, sizeof l->depths);
    for (const predecessor_entry *e = log->entries, *end = e + log->count; e < end; e++) {
        const size_t number = (size_t)(e->z - PTL_Z_MIN);
        const unsigned depth = l->depths[number], own = e->depth + 1u;
        if (depth == 0)
            memset(l->cells[number], 0, sizeof l->cells[number]);
        l->cells[number][e->cell / 64] |= UINT64_C(1) << e->cell % 64;
        l->depths[number] = own > depth ? own : depth;
    }
    bool ok = true, more = true;
    for (unsigned depth = 0; more && ok; depth++) {
        more = false;
        for (size_t i = 0; i < PTL_LEVELS && ok; i++)
            if (depth < l->depths[i]) {
                fill_layer(l, log, cat, chunk, i, depth);
                ok = add_runs(f, l, i);
                more = true;
            }
    }
    return ok;
}

/* ---- from runs of cells back to the predecessors of each cell ---- */

static int by_cell(const void *pa, const void *pb)
{
    const predecessor_cell *a = pa, *b = pb;
    return ORDER_BY(a->cell, b->cell, a->run, b->run);
}

bool predecessors_spread(predecessor_cell **out, size_t *count, const gen_features *f)
{
    size_t total = 0;
    *out = NULL;
    *count = 0;
    for (size_t i = 0; i < f->predecessor_count; i++)
        total += (size_t)f->predecessors[i].length;
    if (total == 0)
        return true;
    predecessor_cell *list = malloc(total * sizeof *list);
    if (!list)
        return false;
    for (size_t i = 0; i < f->predecessor_count; i++) {
        const gen_predecessor *p = &f->predecessors[i];
        const int32_t first = (p->z - PTL_Z_MIN) * PTL_LEVEL_CELLS + p->y * SIDE + p->x;
        const int32_t step = p->south ? SIDE : 1;
        for (int32_t k = 0; k < p->length; k++)
            list[(*count)++] = (predecessor_cell){first + k * step, (uint32_t)i};
    }
    qsort(list, *count, sizeof *list, by_cell);
    *out = list;
    return true;
}
