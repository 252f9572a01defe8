/*
 * Where a connection's lines run: for each cell of a chunk's level, whether the connection
 * passes there, and to which sides it continues. Chunks are read when they are asked for and
 * then kept.
 */
#ifndef STORE_SQLITE_QUERY_PATH_LENGTH_TILES_H
#define STORE_SQLITE_QUERY_PATH_LENGTH_TILES_H

#include "portolan/types.h"
#include "store/sqlite/query/vtab.h"

enum {
    PATH_ARMS = 15, /* bit 0 north, 1 east, 2 south, 3 west */
    PATH_TILE = 16,
    PATH_CHUNKS_MAX = 2048 /* chunks that one search may look at: 75 MB */
};

typedef struct path_chunk {
    ptl_chunk_pos pos;
    struct path_chunk *next; /* next in the same slot of the hash table */
    bool saved;              /* false: the chunk is not saved, and no cell is a tile */
    uint64_t search;         /* number of the last search that looked at the chunk */
    /* PATH_TILE + arms; 0: the connection does not pass here. */
    uint8_t cells[PTL_LEVEL_CELLS];
    uint8_t seen[PTL_LEVEL_CELLS / 8 + 1]; /* bits: cells that this search has visited */
} path_chunk;

/* Selects the world and level whose lines are followed. */
typedef struct path_line {
    int64_t world_id;
    int32_t z;
} path_line;

typedef struct path_tiles path_tiles;

/* Makes the tiles of the connection with this id; PTL_ERR_ARGUMENT if no content has it. */
ptl_status path_tiles_new(path_tiles **out, sql_source *source, const char *connection,
                          ptl_error *err);
void path_tiles_free(void *tiles); /* a path_tiles; NULL is fine */

/* Begins a new search. Chunks are forgotten if they belong to another line, or if the file has
 * changed. */
ptl_status path_tiles_begin(path_tiles *t, const char *connection, path_line line,
                            ptl_error *err);
/* Gets a chunk, which lives until the next path_tiles_begin. PTL_ERR_LIMIT after
 * PATH_CHUNKS_MAX of them. */
ptl_status path_tiles_get(path_chunk **out, path_tiles *t, ptl_chunk_pos pos, ptl_error *err);

#endif
