/* Memory that the reading and writing of rows needs again and again, so each store keeps it. */
#pragma once

#include "codec/compress.h"
#include "codec/pack.h"
#include "core/arena.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/tables/row_tables.h"

/* How full the last leaf page of a table's b-tree is, as far as that is known. Rows with new
 * ids are appended to this page. This estimate only helps to choose an order of rows that takes
 * fewer pages, so it need not be right. */
typedef struct leaf_fill {
    size_t usable, left; /* `usable`: bytes of a page that rows can fill; `left`: bytes that are
                          * free in the table's last leaf page */
    int64_t last_id;     /* id of the row that was appended last */
} leaf_fill;

typedef struct row_scratch {
    codec *codec;
    bytes sum;    /* bytes over which a row's checksum is computed */
    bytes levels; /* bytes over which levels_checksum or features_checksum of a chunk is
                   * computed */
    bytes blob;
    compressor *compressor; /* of marks and facts; NULL until one is read or written */
    /* Memory of texts that last until the store is closed: kinds of crossings, and texts of
     * SQL. */
    arena *kind_arena;
    strmap kinds; /* maps a text to its index in kind_list */
    const char **kind_list;
    size_t kind_count;
    uint32_t numbers[PTL_LEVEL_CELLS];
    /* The values from one blob of the summary or local map that is being read. */
    pack_table pack;
    leaf_fill maps; /* how full the last leaf page of table omt_map is */
} row_scratch;

row_scratch *row_scratch_new(void); /* NULL when memory is out */
void row_scratch_free(row_scratch *s);

/* Returns an equal text that lives as long as the store; NULL if memory is out. */
const char *row_scratch_kind(row_scratch *s, const char *kind);

/* Verifies the checksum of the statement's current row, whose first columns must be the
 * table's. */
ptl_status row_verify(const stmt *s, row_table_id table, ptl_error *err);
