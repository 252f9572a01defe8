/*
 * What cells were before terrain came that local maps draw over it (flag REQUIRES_PREDECESSOR):
 * for each such cell a chain, oldest first. Steps tell of every cell that they give to such
 * terrain; when all have run, the chains of cells that still have it become features.
 */
#ifndef MODEL_PREDECESSORS_H
#define MODEL_PREDECESSORS_H

#include "model/feature.h"

#include <stdbool.h>

enum { PREDECESSORS_MAX = 1000 }; /* of a cell, which steps cover a few times at most */

struct ptl_chunk;

/* A terrain of a cell's chain. */
typedef struct predecessor_entry {
    uint32_t before; /* number + 1 of the one that was there earlier; 0: none */
    uint16_t cell;
    ptl_oter oter;
    uint16_t depth; /* how many were there earlier, below PREDECESSORS_MAX */
    int8_t z;
} predecessor_entry;

/* Zero it before its first use; it keeps its memory from chunk to chunk. */
typedef struct predecessor_log {
    bool kept;                  /* the content has such terrain */
    uint32_t *last[PTL_LEVELS]; /* owned: by cell, number + 1 of its youngest entry; NULL where
                                 * the level never had one */
    predecessor_entry *entries; /* owned */
    size_t count, room;
    struct predecessor_layer *layer; /* owned: scratch of predecessors_finish */
} predecessor_log;

/* Does the content have terrain that wants to know? */
bool predecessors_wanted(const struct ptl_catalogue *cat);
/* Forgets all of a chunk. */
void predecessors_reset(predecessor_log *log);
void predecessors_dispose(predecessor_log *log);

/* A cell that held `before` has `after` now, which has the flag. False when memory is out. */
bool predecessors_add(predecessor_log *log, const struct ptl_catalogue *cat, int32_t z,
                      int32_t cell, ptl_oter before, ptl_oter after);

/* Makes a terrain the youngest of a cell's chain, as a save has it. */
bool predecessors_append(predecessor_log *log, int32_t z, int32_t cell, ptl_oter oter);

/*
 * Adds the chains to f as runs of equal terrain, to the east or to the south, whichever is
 * longer: all that was there first comes before all that came next; each by (z, y, x). Cells
 * whose terrain has lost the flag since are left out. False when memory is out.
 */
bool predecessors_finish(gen_features *f, predecessor_log *log, const struct ptl_catalogue *cat,
                         const struct ptl_chunk *chunk);

/* A terrain of a cell's chain, from runs: in order of (z, cell), the oldest of a cell first. */
typedef struct predecessor_cell {
    int32_t cell; /* (z + 10) * PTL_LEVEL_CELLS + y * 180 + x */
    uint32_t run; /* index into the features' */
} predecessor_cell;

/* Spreads the runs of f over their cells. *out is new, NULL where there are none or memory is
 * out, which is false. */
bool predecessors_spread(predecessor_cell **out, size_t *count, const gen_features *f);

#endif
