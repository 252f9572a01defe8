/*
 * A cache of saved chunks for SQL, which asks for single cells and levels in any order. The
 * cache keeps the rows of chunks and the decoded levels that were used last: some megabytes for
 * a connection. It is emptied when the file changes (sql_source_begin notices that).
 */
#pragma once

#include "codec/level_runs.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/rows/rows.h"

typedef struct omt_levels omt_levels;

/* The row of a chunk; its checksum has been verified. */
typedef struct omt_chunk {
    chunk_info info;
    uint32_t fill[PTL_LEVELS]; /* for each level that has no row in table level, the number of
                                * the oter that all its cells have */
} omt_chunk;

/* A decoded level: each cell is an index into `palette`, the list of the level's oters. */
typedef struct omt_level {
    size_t palette_count;
    uint32_t *palette; /* owned; the file's numbers of the oters that the level has */
    size_t palette_room;
    uint16_t cells[PTL_LEVEL_CELLS]; /* for each cell, the index of its oter in `palette` */
    /* The following members belong to the cache: they say which level this is, how many users
     * have pinned it, and when it was last used. */
    int64_t chunk_id;
    int32_t z;
    int pins;
    uint64_t used;
} omt_level;

void omt_levels_free(omt_levels *t); /* t may be NULL */
void omt_level_free(omt_level *l);

/* Reads a chunk's row from a statement whose first columns are CHUNK_COLUMNS. The caller has
 * refreshed the dictionary. */
ptl_status omt_chunk_read(omt_chunk *out, sql_source *source, const stmt *s, ptl_error *err);
/* Finds the chunk at a place; *out lasts until the next call. It is NULL if no chunk is saved
 * there. */
ptl_status omt_chunk_find(const omt_chunk **out, sql_source *source, const char *world,
                          ptl_chunk_pos pos, ptl_error *err);

/* Gets level z of a chunk as runs; *out lasts until the next call. */
ptl_status omt_level_runs(const level_runs **out, sql_source *source, const omt_chunk *chunk,
                          int32_t z, ptl_error *err);
/* Decodes level z of a chunk into *out. If `set` is not NULL, a level that has no oter of the
 * set is not decoded, and *skipped is true. */
ptl_status omt_level_decode(omt_level *out, bool *skipped, sql_source *source,
                            const omt_chunk *chunk, int32_t z, const oter_set *set,
                            ptl_error *err);
/* Gets a level from the cache; if the level is not there, it is decoded first. The level stays
 * in the cache at least until omt_level_unpin. */
ptl_status omt_level_get(omt_level **out, sql_source *source, const omt_chunk *chunk, int32_t z,
                         ptl_error *err);
/* Tells the cache that the caller no longer uses the level, so that the cache may drop it. */
void omt_level_unpin(omt_level *l);

/*
 * Finds the special to which a cell belongs. The cells of a mutable special are those of its
 * stored pieces. The cells of a fixed special follow from its definition and rotation, provided
 * that the file still has the content that the chunk was made with. All cells of a chunk are
 * found at once, when the chunk is first asked for.
 */

typedef struct omt_specials omt_specials;

/* The functions below make the omt_specials in *specials if that is NULL. Free it with
 * omt_specials_free. */
void omt_specials_free(omt_specials *s); /* s may be NULL */

/* Gets, for each cell of a level, the number that its special has in the chunk; -1 if the cell
 * belongs to no special. The array lasts until the next call. */
ptl_status omt_specials_level(const int32_t **numbers, omt_specials **specials,
                              sql_source *source, const omt_chunk *chunk, int32_t z,
                              ptl_error *err);

/* The bounds of the cells that a single special has in a chunk. */
typedef struct omt_bounds {
    int32_t x0, y0, z0, x1, y1, z1;
} omt_bounds;

ptl_status omt_specials_bounds(omt_bounds *out, bool *any, omt_specials **specials,
                               sql_source *source, const omt_chunk *chunk, int32_t number,
                               ptl_error *err);
