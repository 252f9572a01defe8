/* Which cells a query over table `tile` asks for: constraints in best_index, values in filter.
 */
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
    TILE_CHUNK_X, /* hidden from here */
    TILE_CHUNK_Y,
    TILE_NUMBER,
    TILE_COLUMNS
} tile_column;

/* Both ends included; low > high: nothing. */
typedef struct tile_range {
    int64_t low, high;
} tile_range;

typedef struct tile_box {
    tile_range ranges[TILE_COLUMNS]; /* of the columns that are integers */
    sqlite3_value *world;            /* NULL: any; else a text, borrowed for the call */
    bool none;                       /* nothing fits */
    bool filtered;                   /* only oters of the set */
} tile_box;

int tile_best_index(sqlite3_vtab *table, sqlite3_index_info *info);

/* From what tile_best_index left, and the values. *set is filled if box->filtered. */
ptl_status tile_box_read(tile_box *box, oter_set *set, sql_source *source,
                         const vtab_call *call, ptl_error *err);

#endif
