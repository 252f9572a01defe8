/* Small random overmaps around a corner where four chunks meet, and lists of all that they
 * have. */
#ifndef UNIT_RELATION_SCENE_H
#define UNIT_RELATION_SCENE_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"

enum {
    WINDOW = 26, /* cells; its middle is where four chunks meet */
    HALF = WINDOW / 2,
    INSTANCES_MAX = 4000,
    CELLS_MAX = 20000
};

typedef struct instance {
    int kind; /* index into kinds */
    int32_t x, y, z, radius;
    size_t first, count; /* its tiles */
    bool area;           /* its tiles are where it is */
} instance;

typedef struct cell {
    int32_t x, y, z;
} cell;

typedef struct scene {
    const catalogue *cat; /* borrowed */
    ptl_chunk *chunks[4];
    gen_features features[4];
    instance list[INSTANCES_MAX];
    cell cells[CELLS_MAX];
    size_t count, cell_count;
    int32_t x, y; /* of the corner, absolute */
} scene;

enum { HEATHER, STAND, ANTHILL, COTTAGE, CITY, LAKE, RIVER, ROAD, WATER, KINDS };
extern const char *const scene_kinds[KINDS]; /* as relations name them */

/* Of the embedded content. new */
scene *scene_new(const catalogue *cat, uint64_t seed);
void scene_free(scene *s);

#endif
