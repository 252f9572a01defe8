/*
 * Terrains of a site's tiles, smaller than any general packing makes them: a level's model,
 * made of all its chunks, says which oter most often stands beside and below which, and a range
 * coder learns in each tile how often that is right. schema/exports.md, "Tiles of a site".
 */
#ifndef SERVER_SITE_CELLS_H
#define SERVER_SITE_CELLS_H

#include "core/bytes.h"
#include "portolan/area.h"
#include "portolan/status.h"

typedef struct cells_model cells_model;

/* Makes an empty one, new; NULL when memory is out. */
cells_model *cells_model_new(void);
void cells_model_free(cells_model *m); /* NULL is fine */

/* Adds what stands beside what in a chunk's level. False when memory is out. */
bool cells_model_add(cells_model *m, const ptl_oter level[PTL_LEVEL_CELLS]);
/* Ends adding, and appends the model as readers need it. False when memory is out. */
bool cells_model_finish(cells_model *m, bytes *out);

/* Appends cells, of oters that were added and PTL_OTER_NONE, by a model that is finished. False
 * when memory is out. */
bool cells_put(cells_model *m, bytes *out, const ptl_oter cells[PTL_LEVEL_CELLS]);

#endif
