/* Determines which cells a query over table `OMT` asks for: from its constraints in
 * best_index, from their values in filter. */
#ifndef STORE_SQLITE_QUERY_VTAB_OMT_PLAN_H
#define STORE_SQLITE_QUERY_VTAB_OMT_PLAN_H

#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/query/vtab.h"

typedef enum omt_column {
    OMT_WORLD,
    OMT_X,
    OMT_Y,
    OMT_Z,
    OMT_OTER,
    OMT_TERRAIN,
    OMT_SPECIAL,
    OMT_CHUNK_X, /* hidden columns from here on */
    OMT_CHUNK_Y,
    OMT_NUMBER,
    OMT_COLUMNS
} omt_column;

/* A range with both ends included; empty if low > high. */
typedef struct omt_range {
    int64_t low, high;
} omt_range;

typedef struct omt_box {
    omt_range ranges[OMT_COLUMNS]; /* set for integer columns */
    sqlite3_value *world;          /* a text, borrowed for the call; NULL: any world */
    bool none;                     /* no row can fit */
    bool filtered;                 /* only oters of the set are wanted */
} omt_box;

/* Implements xBestIndex: chooses the plan, which omt_box_read reads. */
int omt_best_index(sqlite3_vtab *table, sqlite3_index_info *info);

/* Reads the box from the plan that omt_best_index made and the values. *set is filled if
 * box->filtered. */
ptl_status omt_box_read(omt_box *box, oter_set *set, sql_source *source, const vtab_call *call,
                        ptl_error *err);

#endif
