#include "model/predecessors.h"

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
    memset(log, 0, sizeof *log);
}

static bool make_room(predecessor_log *log, int32_t z)
{
    uint32_t **last = &log->last[z - PTL_Z_MIN];
    if (!*last)
        *last = calloc(PTL_LEVEL_CELLS, sizeof **last);
    if (log->count == log->room) {
        const size_t room = log->room ? 2 * log->room : 4096;
        predecessor_entry *grown = realloc(log->entries, room * sizeof *grown);
        if (!grown)
            return false;
        log->entries = grown;
        log->room = room;
    }
    return *last != NULL;
}

/* A chain that is longer than can be told loses its youngest. */
bool predecessors_append(predecessor_log *log, int32_t z, int32_t cell, ptl_oter oter)
{
    if (!make_room(log, z))
        return false;
    uint32_t *last = &log->last[z - PTL_Z_MIN][cell];
    const unsigned depth = *last ? log->entries[*last - 1].depth + 1u : 0;
    if (depth >= PREDECESSORS_MAX)
        return true;
    log->entries[log->count++] = (predecessor_entry){.before = *last,
                                                     .cell = (uint16_t)cell,
                                                     .oter = oter,
                                                     .depth = (uint16_t)depth,
                                                     .z = (int8_t)z};
    *last = (uint32_t)log->count;
    return true;
}

/* The games' rule: what is covered joins the chain, but lines of one kind take each other's
 * place, and a line that grows an arm covers nothing. */
bool predecessors_add(predecessor_log *log, const catalogue *cat, int32_t z, int32_t cell,
                      ptl_oter before, ptl_oter after)
{
    const cat_oter *covered = &cat->oters[before];
    if (covered->terrain == cat->oters[after].terrain)
        return true;
    const uint32_t *last = log->last[z - PTL_Z_MIN];
    predecessor_entry *young = last && last[cell] ? &log->entries[last[cell] - 1] : NULL;
    const bool line = (covered->flags & CAT_FLAG_LINEAR) != 0;
    if (young && (young->oter == before ||
                  (line && cat->oters[young->oter].terrain == covered->terrain))) {
        young->oter = before; /* A growth that was undone has left what was there before. */
        return true;
    }
    return predecessors_append(log, z, cell, before);
}

/* ---- runs ---- */

/* A level's cells of one depth; CAT_NONE where a chain has none so young. */
typedef struct layer {
    ptl_oter oters[PTL_LEVEL_CELLS];
    int32_t count;
} layer;

static ptl_oter at_depth(const predecessor_log *log, uint32_t last, unsigned depth)
{
    while (last && log->entries[last - 1].depth > depth)
        last = log->entries[last - 1].before;
    return last && log->entries[last - 1].depth == depth ? log->entries[last - 1].oter
                                                         : CAT_NONE;
}

static void fill_layer(layer *l, const predecessor_log *log, const catalogue *cat,
                       const ptl_chunk *chunk, int32_t z, unsigned depth)
{
    const level *there = &chunk->levels[z - PTL_Z_MIN];
    const uint32_t *last = log->last[z - PTL_Z_MIN];
    l->count = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const ptl_oter now = there->cells ? there->cells[i] : there->fill;
        const bool wants = last[i] && cat->oters[now].flags & CAT_FLAG_PREDECESSOR;
        l->oters[i] = wants ? at_depth(log, last[i], depth) : CAT_NONE;
        l->count += l->oters[i] != CAT_NONE;
    }
}

static int32_t run_length(const layer *l, int32_t cell, int32_t step, int32_t most)
{
    int32_t length = 1;
    while (length < most && l->oters[cell + length * step] == l->oters[cell])
        length++;
    return length;
}

static bool add_runs(gen_features *f, layer *l, int32_t z)
{
    for (int32_t i = 0; l->count > 0 && i < PTL_LEVEL_CELLS; i++) {
        if (l->oters[i] == CAT_NONE)
            continue;
        const int32_t east = run_length(l, i, 1, SIDE - i % SIDE);
        const int32_t south = run_length(l, i, SIDE, SIDE - i / SIDE);
        gen_predecessor *p = features_add_predecessor(f);
        if (!p)
            return false;
        *p = (gen_predecessor){.oter = l->oters[i],
                               .x = (int16_t)(i % SIDE),
                               .y = (int16_t)(i / SIDE),
                               .z = (int8_t)z,
                               .south = south > east,
                               .length = (int16_t)(south > east ? south : east)};
        const int32_t step = p->south ? SIDE : 1;
        l->count -= p->length;
        for (int32_t k = 0; k < p->length; k++)
            l->oters[i + k * step] = CAT_NONE;
    }
    return true;
}

bool predecessors_finish(gen_features *f, const predecessor_log *log, const catalogue *cat,
                         const ptl_chunk *chunk)
{
    unsigned depths[PTL_LEVELS] = {0}, most = 0;
    if (log->count == 0)
        return true;
    layer *l = malloc(sizeof *l);
    if (!l)
        return false;
    for (size_t i = 0; i < log->count; i++) {
        const predecessor_entry *e = &log->entries[i];
        unsigned *depth = &depths[e->z - PTL_Z_MIN];
        *depth = e->depth + 1u > *depth ? e->depth + 1u : *depth;
        most = *depth > most ? *depth : most;
    }
    bool ok = true;
    for (unsigned depth = 0; depth < most; depth++)
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && ok; z++)
            if (depth < depths[z - PTL_Z_MIN]) {
                fill_layer(l, log, cat, chunk, z, depth);
                ok = add_runs(f, l, z);
            }
    free(l);
    return ok;
}

/* ---- and back ---- */

static int by_cell(const void *pa, const void *pb)
{
    const predecessor_cell *a = pa, *b = pb;
    if (a->cell != b->cell)
        return a->cell < b->cell ? -1 : 1;
    return a->run < b->run ? -1 : a->run > b->run;
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
