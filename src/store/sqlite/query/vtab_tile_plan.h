/* Determines which cells a query over table `tile` asks for: from its constraints in
 * best_index, from their values in filter. */
#ifndef STORE_SQLITE_QUERY_VTAB_TILE_PLAN_H
#define STORE_SQLITE_QUERY_VTAB_TILE_PLAN_H

#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"

typedef enum tile_column {
    TILE_WORLD,
    TILE_X,
    TILE_Y,
    TILE_Z,
    TILE_OTER,
    TILE_TERRAIN,
    TILE_SPECIAL,
    TILE_CHUNK_X, /* hidden columns from here on */
    TILE_CHUNK_Y,
    TILE_NUMBER,
    TILE_COLUMNS
} tile_column;

/* A range with both ends included; empty if low > high. */
typedef struct tile_range {
    int64_t low, high;
} tile_range;

typedef struct tile_box {
    tile_range ranges[TILE_COLUMNS]; /* set for integer columns */
    sqlite3_value *world;            /* a text, borrowed for the call; NULL: any world */
    bool none;                       /* no row can fit */
    bool filtered;                   /* only oters of the set are wanted */
} tile_box;

/* Implements xBestIndex: chooses the plan, which tile_box_read reads. */
int tile_best_index(sqlite3_vtab *table, sqlite3_index_info *info);

/* Reads the box from the plan that tile_best_index made and the values. *set is filled if
 * box->filtered. */
ptl_status tile_box_read(tile_box *box, oter_set *set, sql_source *source,
                         const vtab_call *call, ptl_error *err);

#endif
