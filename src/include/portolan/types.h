/*
 * Coordinates and sizes.
 *
 * x grows to the east, y to the SOUTH, z upwards. An OMT ("overmap terrain") is one cell of
 * an overmap; a chunk is one overmap: 180 x 180 OMTs on 21 levels, z = -10..10. The order of
 * coordinates is x, y, z everywhere, in SQL columns too.
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
    PTL_CHUNK_SIZE = 180, /* OMTs along x and along y */
    PTL_LEVEL_CELLS = PTL_CHUNK_SIZE * PTL_CHUNK_SIZE,
    PTL_OVERVIEW_SIDE = 8, /* cells of a chunk as seen from far away (ptl_overview_list) */
    PTL_OVERVIEW_CELLS = PTL_OVERVIEW_SIDE * PTL_OVERVIEW_SIDE,
    PTL_Z_MIN = -10,
    PTL_Z_MAX = 10,
    PTL_LEVELS = PTL_Z_MAX - PTL_Z_MIN + 1,
    /* Chunk coordinates lie in -PTL_CHUNK_COORD_MAX..PTL_CHUNK_COORD_MAX: absolute OMTs times
     * the finest noise frequency must stay inside 64-bit fixed point. */
    PTL_CHUNK_COORD_MAX = 1 << 22
};

/* A chunk's place in the world, in chunks. */
typedef struct ptl_chunk_pos {
    int32_t x, y;
} ptl_chunk_pos;

/* An absolute OMT: x = chunk.x * 180 + local x (floor division leads back). */
typedef struct ptl_omt {
    int64_t x, y;
    int32_t z; /* PTL_Z_MIN..PTL_Z_MAX */
} ptl_omt;

/*
 * An overmap terrain as placed, with its rotation or line shape: a dense index into the
 * catalogue of the world's content. Numbers are stable for one catalogue only; keep the id
 * string (ptl_world_oter_name) where it must outlive it.
 */
typedef uint16_t ptl_oter;

/* The chunk that an absolute OMT lies in (floor division). */
PTL_API ptl_chunk_pos ptl_omt_chunk(ptl_omt omt);

#ifdef __cplusplus
}
#endif
#endif
