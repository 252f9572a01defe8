/*
 * Predecessors: what a cell was before terrain with the flag REQUIRES_PREDECESSOR was drawn
 * over it. Local maps of such terrain depend on that. Each such cell has a chain of earlier
 * terrains, oldest first. The steps of generation report every cell that gets such terrain; at
 * the end, the chains of cells that still have such terrain become features.
 */
#pragma once

#include "model/feature.h"

#include <stdbool.h>

enum { PREDECESSORS_MAX = 1000 }; /* the most entries in one cell's chain */

struct ptl_chunk;

/* One terrain in a cell's chain of predecessors. */
typedef struct predecessor_entry {
    /* Index + 1, in predecessor_log.entries, of the next older terrain in the chain; 0: none is
     * older. */
    uint32_t before;
    uint16_t cell;
    ptl_oter oter;
    /* Number of terrains in the cell's chain that are older than this one: less than
     * PREDECESSORS_MAX. */
    uint16_t depth;
    int8_t z;
} predecessor_entry;

/* The chains of predecessors of all cells of a chunk. Zero the struct before its first use; it
 * keeps its memory from chunk to chunk. */
typedef struct predecessor_log {
    bool kept; /* the content has terrain with the flag REQUIRES_PREDECESSOR */
    /* Owned. For each cell, 1 + the number of the youngest entry of its chain of predecessors,
     * or 0 if it has no chain; NULL for a level that never had an entry. */
    uint32_t *last[PTL_LEVELS];
    predecessor_entry *entries; /* owned */
    size_t count, room;
    struct predecessor_layer *layer; /* owned; scratch memory of predecessors_finish */
} predecessor_log;

/* Does the content have terrain with the flag REQUIRES_PREDECESSOR? */
bool predecessors_wanted(const struct ptl_catalogue *cat);
/* Empties the log for the next chunk; keeps its memory. */
void predecessors_reset(predecessor_log *log);
void predecessors_dispose(predecessor_log *log);

/* Reports that a cell which held `before` now has `after`, an oter with the flag
 * REQUIRES_PREDECESSOR. False when memory is out. */
bool predecessors_add(predecessor_log *log, const struct ptl_catalogue *cat, int32_t z,
                      int32_t cell, ptl_oter before, ptl_oter after);

/* Appends a terrain to a cell's chain of predecessors as its youngest entry; for chains that a
 * game's save lists. False when memory is out. */
bool predecessors_append(predecessor_log *log, int32_t z, int32_t cell, ptl_oter oter);

/*
 * Adds the chains of predecessors to f as runs of equal terrain, to the east or to the south,
 * whichever is longer. The runs of the cells' oldest terrains come first, then those of the
 * second oldest, and so on; runs of the same age are sorted by (z, y, x). Cells whose terrain
 * does not have the flag REQUIRES_PREDECESSOR are left out. False when memory is out.
 */
bool predecessors_finish(gen_features *f, predecessor_log *log, const struct ptl_catalogue *cat,
                         const struct ptl_chunk *chunk);

/* One terrain in a cell's chain of predecessors, taken from a run (gen_predecessor).
 * predecessors_spread sorts these terrains by z and cell; of the terrains of one cell, the
 * oldest comes first. */
typedef struct predecessor_cell {
    /* Number of the cell in the chunk: (z + 10) * PTL_LEVEL_CELLS + y * 180 + x. */
    int32_t cell;
    uint32_t run; /* index in gen_features of the run of predecessors that covers the cell */
} predecessor_cell;

/* Expands the runs of predecessors in f into single cells. *out is a new array with an element
 * for each cell of each run, or NULL if there are no runs. Returns false, with *out NULL, when
 * memory is out. */
bool predecessors_spread(predecessor_cell **out, size_t *count, const gen_features *f);
