/* Memory that reading and writing rows needs again and again; one per store. */
#ifndef STORE_SQLITE_ROWS_ROW_SCRATCH_H
#define STORE_SQLITE_ROWS_ROW_SCRATCH_H

#include "codec/pack.h"
#include "core/arena.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

/* How full the last leaf of a table is, to which rows with new ids are appended, as far as it
 * is known: what it says is never more than which order of rows takes fewer pages. */
typedef struct leaf_fill {
    size_t usable, left; /* bytes of a page; of the last leaf */
    int64_t last_id;     /* the row that was appended last */
} leaf_fill;

typedef struct row_scratch {
    codec *codec;
    bytes sum;    /* of a row checksum */
    bytes levels; /* of the checksum over a chunk's levels */
    bytes blob;
    arena *kind_arena; /* crossing kinds: lent until the store is closed */
    strmap kinds;      /* text -> index into kind_list */
    const char **kind_list;
    size_t kind_count;
    uint32_t numbers[PTL_LEVEL_CELLS];
    pack_table pack; /* of a summary or a local map */
    leaf_fill maps;  /* of the last leaf of omt_map */
} row_scratch;

row_scratch *row_scratch_new(void); /* NULL when memory is out */
void row_scratch_free(row_scratch *s);

/* Returns the same text, living as long as the store; NULL when memory is out. */
const char *row_scratch_kind(row_scratch *s, const char *kind);

/* Compares the checksum of the statement's row with its values: it gives the table's columns
 * from its first one on. */
ptl_status row_verify(const stmt *s, row_table_id table, ptl_error *err);

#endif
