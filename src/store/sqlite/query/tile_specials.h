/*
 * Which special a cell is of: from the pieces of mutable specials as they are stored, and from
 * the definitions of fixed ones, rotated, if the chunk was made with the content that the file
 * has now. Worked out for a chunk when it is asked for.
 */
#ifndef STORE_SQLITE_QUERY_TILE_SPECIALS_H
#define STORE_SQLITE_QUERY_TILE_SPECIALS_H

#include "store/sqlite/query/tile_levels.h"

typedef struct tile_specials tile_specials;

tile_specials *tile_specials_new(void); /* new: tile_specials_free; NULL when memory is out */
void tile_specials_free(tile_specials *s);

/* Gives for each cell of a level the number of its special in the chunk, or -1. Lasts until the
 * next call. */
ptl_status tile_specials_level(const int32_t **numbers, tile_specials *s, sql_source *source,
                               const tile_chunk *chunk, int32_t z, ptl_error *err);

/* Where in the chunk the tiles of one of its specials lie; *any false: it has none. */
typedef struct tile_bounds {
    int32_t x0, y0, z0, x1, y1, z1;
} tile_bounds;

ptl_status tile_specials_bounds(tile_bounds *out, bool *any, tile_specials *s,
                                sql_source *source, const tile_chunk *chunk, int32_t number,
                                ptl_error *err);

#endif
