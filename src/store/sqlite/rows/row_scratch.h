/* Memory that reading and writing rows needs again and again; one per store, made when used. */
#ifndef STORE_SQLITE_ROWS_ROW_SCRATCH_H
#define STORE_SQLITE_ROWS_ROW_SCRATCH_H

#include "codec/pack.h"
#include "core/arena.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

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
} row_scratch;

ptl_status row_scratch_get(row_scratch **out, ptl_store *store, ptl_error *err);
void row_scratch_free(row_scratch *s);

/* Returns the same text, living as long as the store; NULL when memory is out. */
const char *row_scratch_kind(row_scratch *s, const char *kind);

/* Compares the checksum of the statement's row with its values: it gives the table's columns
 * from its first one on. */
ptl_status row_verify(row_scratch *scratch, const stmt *s, row_table_id table, ptl_error *err);

#endif
