/*
 * Coordinates and sizes.
 *
 * x grows to the east, y to the SOUTH, z upwards. An OMT (overmap tile) is one cell of an
 * overmap, with 24 x 24 tiles. A chunk is one overmap: 180 x 180 OMTs on 21 levels, z =
 * -10..10. Coordinates always come in the order x, y, z, also in columns of SQL tables.
 */
#ifndef PORTOLAN_TYPES_H
#define PORTOLAN_TYPES_H

#include "portolan/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PTL_CHUNK_SIZE = 180, /* OMTs of a chunk along x and along y */
    PTL_LEVEL_CELLS = PTL_CHUNK_SIZE * PTL_CHUNK_SIZE,
    PTL_OVERVIEW_SIDE = 8, /* cells along each side of a chunk's coarse picture
                            * (ptl_overview_list) */
    PTL_OVERVIEW_CELLS = PTL_OVERVIEW_SIDE * PTL_OVERVIEW_SIDE,
    PTL_Z_MIN = -10,
    PTL_Z_MAX = 10,
    PTL_LEVELS = PTL_Z_MAX - PTL_Z_MIN + 1,
    /* Chunk coordinates are -PTL_CHUNK_COORD_MAX..PTL_CHUNK_COORD_MAX, so that an absolute OMT
     * multiplied by the highest frequency of a noise function fits into a 64-bit fixed-point
     * number. */
    PTL_CHUNK_COORD_MAX = 1 << 22
};

/* A chunk's place in the world, in chunks. */
typedef struct ptl_chunk_pos {
    int32_t x, y;
} ptl_chunk_pos;

/* An absolute OMT: x = chunk.x * 180 + the x inside the chunk, and y likewise. Floor division
 * by 180 gives the chunk again. */
typedef struct ptl_omt {
    int64_t x, y;
    int32_t z; /* level, PTL_Z_MIN..PTL_Z_MAX */
} ptl_omt;

/*
 * An oter: an overmap terrain with its rotation or line shape. It is an index into the
 * catalogue of the world's content, counted from 0 without gaps. The numbers are only valid
 * for one catalogue: store the id (ptl_world_oter_name) for anything that lasts longer.
 */
typedef uint16_t ptl_oter;

/* Returns the chunk that contains an absolute OMT. */
PTL_API ptl_chunk_pos ptl_omt_chunk(ptl_omt omt);

#ifdef __cplusplus
}
#endif
#endif
