/*
 * Saved chunks as SQL meets them: single tiles and levels in any order. Keeps the chunks' rows
 * and decoded levels that were used last, some megabytes for a connection, and forgets them
 * when the file changes (sql_source_ready tells).
 */
#ifndef STORE_SQLITE_QUERY_TILE_LEVELS_H
#define STORE_SQLITE_QUERY_TILE_LEVELS_H

#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/rows/rows.h"

typedef struct tile_levels tile_levels;

/* A chunk's row, checked. */
typedef struct tile_chunk {
    chunk_info info;
    uint32_t fill[PTL_LEVELS]; /* of the levels without a row: the file's oter numbers */
} tile_chunk;

/* A level over its own palette. */
typedef struct tile_level {
    size_t palette_count;
    uint32_t *palette; /* owned; the file's oter numbers */
    size_t palette_room;
    uint16_t cells[PTL_LEVEL_CELLS]; /* indices into it */
    /* The cache's. */
    int64_t chunk_id;
    int32_t z;
    int pins;
    uint64_t used;
} tile_level;

void tile_levels_free(tile_levels *t); /* NULL is fine */
tile_level *tile_level_new(void);      /* new: tile_level_free; NULL when memory is out */
void tile_level_free(tile_level *l);

/* From the current row of a statement that gives CHUNK_COLUMNS from its first column on. The
 * dictionary must have been refreshed. */
ptl_status tile_chunk_read(tile_chunk *out, sql_source *source, const stmt *s, ptl_error *err);
/* The chunk at a place, which lasts until the next call; *out is NULL if it is not saved. */
ptl_status tile_chunk_find(const tile_chunk **out, sql_source *source, const char *world,
                           ptl_chunk_pos pos, ptl_error *err);

/*
 * Decodes level z of a chunk into *out. With a set, *skipped is true, and nothing is decoded,
 * where the level has none of its oters.
 */
ptl_status tile_level_decode(tile_level *out, bool *skipped, sql_source *source,
                             const tile_chunk *chunk, int32_t z, const oter_set *set,
                             ptl_error *err);
/* Gives the same by way of the cache: pinned, until tile_level_unpin. */
ptl_status tile_level_get(tile_level **out, sql_source *source, const tile_chunk *chunk,
                          int32_t z, ptl_error *err);
void tile_level_unpin(tile_level *l);

/* The blob of a level that has a row, its checksum verified; *size 0: it has none. It lasts
 * until the next call. */
ptl_status tile_level_blob(const void **blob, size_t *size, sql_source *source,
                           const tile_chunk *chunk, int32_t z, ptl_error *err);
void tile_level_blob_done(sql_source *source);

/*
 * Which special a cell is of: from the pieces of mutable specials as they are stored, and from
 * the definitions of fixed ones, rotated, if the chunk was made with the content that the file
 * has now. Worked out for a chunk when it is asked for.
 */

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
