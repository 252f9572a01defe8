/*
 * Where a connection's lines run: for each cell of a chunk's level whether it is a tile of the
 * connection, and which sides it is joined on. Chunks are read as they are asked for and kept.
 */
#ifndef STORE_SQLITE_QUERY_PATH_LENGTH_TILES_H
#define STORE_SQLITE_QUERY_PATH_LENGTH_TILES_H

#include "portolan/types.h"
#include "store/sqlite/query/vtab.h"

enum {
    PATH_ARMS = 15, /* bit 0 north, 1 east, 2 south, 3 west */
    PATH_TILE = 16,
    PATH_CHUNKS_MAX = 2048 /* that one search may touch: 75 MB */
};

typedef struct path_chunk {
    ptl_chunk_pos pos;
    struct path_chunk *next;               /* in its slot */
    bool saved;                            /* else no cell is a tile */
    uint64_t search;                       /* the last one that looked at it */
    uint8_t cells[PTL_LEVEL_CELLS];        /* PATH_TILE + arms; 0: no tile */
    uint8_t seen[PTL_LEVEL_CELLS / 8 + 1]; /* bits of that search */
} path_chunk;

/* What the tiles are of. */
typedef struct path_line {
    int64_t world_id;
    int32_t z;
} path_line;

typedef struct path_tiles path_tiles;

/* Makes the tiles of the connection of that id; PTL_ERR_ARGUMENT if the content has none. */
ptl_status path_tiles_new(path_tiles **out, sql_source *source, const char *connection,
                          ptl_error *err);
void path_tiles_free(void *tiles); /* a path_tiles; NULL is fine */

/* Begins a new search: chunks are forgotten if they are of another line, or the file has
 * changed. */
ptl_status path_tiles_begin(path_tiles *t, const char *connection, path_line line,
                            ptl_error *err);
/* *out lives until the next path_tiles_begin. PTL_ERR_LIMIT after PATH_CHUNKS_MAX of them. */
ptl_status path_tiles_get(path_chunk **out, path_tiles *t, ptl_chunk_pos pos, ptl_error *err);

#endif
