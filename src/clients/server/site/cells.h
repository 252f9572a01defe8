/*
 * Packs the terrain of a web site's map tiles, each of 180 x 180 cells, into fewer bytes than
 * general compression does. A model is made of a whole level. It says for each oter which oter
 * stands most often to its right, and which one below it. The oter of each cell is guessed
 * from the model and from the cells before it. A range coder then writes whether the guesses
 * are right; it learns within each map tile how often they are. schema/exports.md, "Tiles of a
 * site", has the format.
 */
#pragma once

#include "core/bytes.h"
#include "portolan/area.h"
#include "portolan/status.h"

typedef struct cells_model cells_model;

/* Makes an empty model, owned by the caller; NULL when memory is out. */
cells_model *cells_model_new(void);
void cells_model_free(cells_model *m); /* NULL is fine */

/* Counts which oters are neighbours in the level of one chunk. Returns false when memory is
 * out. */
bool cells_model_add(cells_model *m, const ptl_oter level[PTL_LEVEL_CELLS]);
/* Ends counting, and appends the model in the form that readers need. Returns false when memory
 * is out. */
bool cells_model_finish(cells_model *m, bytes *out);

/* Appends one map tile, packed with the help of a finished model. Its cells may only have oters
 * of the levels that the model counted with cells_model_add, or PTL_OTER_NONE. Returns false
 * when memory is out. */
bool cells_put(cells_model *m, bytes *out, const ptl_oter cells[PTL_LEVEL_CELLS]);
