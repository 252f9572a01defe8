/* The contract's operations (store/operations.h) of the plain tables; what they mean stands in
 * portolan/index.h. */
#ifndef STORE_SQLITE_INDEX_UNPACKED_H
#define STORE_SQLITE_INDEX_UNPACKED_H

#include "core/bytes.h"
#include "portolan/index.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/chunk_read.h"

/* options and report: whole structs of this library's; parts: 1..PTL_INDEX_ALL when dropping.
 */
ptl_status sqlite_index_update(ptl_store *store, const ptl_index_options *options,
                               ptl_index_report *report, ptl_error *err);
ptl_status sqlite_index_drop(ptl_store *store, uint32_t parts, int *found, ptl_error *err);
ptl_status sqlite_index_look(ptl_store *store, int64_t world_id, ptl_index_state *out,
                             ptl_error *err);

/* The tables of portolan/index.h: their definitions, and one chunk's rows. */

/* The parts that are tables, as bits. */
enum { UNPACKED_TABLES = PTL_INDEX_SPECIAL_PLACEMENT - 1 };

/*
 * Which parts there are, as bits; *chunks: unpacked_chunk. PTL_ERR_FORMAT if a table or index
 * has one of the names, and is not what this version makes.
 */
ptl_status unpacked_present(uint32_t *parts, bool *chunks, ptl_store *store, ptl_error *err);
/* Creates what is missing of these tables, without indexes, and unpacked_chunk, with their
 * views; in a transaction. */
ptl_status unpacked_create(ptl_store *store, uint32_t parts, ptl_error *err);
/* Creates what is missing of a part's index. */
ptl_status unpacked_add_index(ptl_store *store, int part, ptl_error *err);
/* Drops the indexes of these tables, so that many rows can be added faster; in a transaction.
 */
ptl_status unpacked_drop_indexes(ptl_store *store, uint32_t parts, ptl_error *err);
/* Drops tables and indexes of these names, whatever they are, and their views; in a
 * transaction. */
ptl_status unpacked_remove(ptl_store *store, uint32_t parts, bool chunks, ptl_error *err);

/* Writing rows: statements and scratch memory. */
typedef struct unpacked_writer unpacked_writer;

unpacked_writer *unpacked_writer_new(ptl_store *store); /* NULL when memory is out */
void unpacked_writer_free(unpacked_writer *w);          /* NULL is fine */
/* Writes a chunk's rows in these tables, without the earlier ones. *rows is added to. */
ptl_status unpacked_write(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                          const stmt *chunk_row, uint64_t *rows, ptl_error *err);
/* Which of these tables, as bits, have not the rows of the chunk that unpacked_write gives. */
ptl_status unpacked_compare(uint32_t *wrong, unpacked_writer *w, uint32_t parts,
                            const chunk_info *info, const stmt *chunk_row, ptl_error *err);
ptl_status unpacked_erase(unpacked_writer *w, uint32_t parts, int64_t chunk_id, ptl_error *err);

/*
 * Views over the tables that `portolan index` makes: names for numbers, worlds and places for
 * chunk_id. They are made and dropped with their tables, and are no part of the schema; what
 * the file may have under these names is exactly this.
 */

/* Of the parts of portolan/index.h that are tables, in their order; and behind them v_unpacked,
 * which says of each chunk whether it is in. */
enum { UNPACKED_VIEWS = 7, UNPACKED_VIEW_STATE = UNPACKED_VIEWS - 1 };

/* Returns "v_building", ..; it is borrowed. */
const char *unpacked_view_name(int view);
/* The statement that makes it; lies in b, NULL when memory is out. */
const char *unpacked_view_text(bytes *b, int view);

/* Makes it unless it is there: PTL_ERR_EXISTS where something else has its name. */
ptl_status unpacked_view_create(ptl_store *store, int view, ptl_error *err);
/* Drops the view of that name; a table that a user made under it stays. */
ptl_status unpacked_view_drop(ptl_store *store, int view, ptl_error *err);

/* Is this view of a file one of ours, as this version makes it? PTL_ERR_NOMEM alone can happen.
 */
ptl_status unpacked_view_known(bool *known, const char *name, const char *sql, ptl_error *err);

/* Is what `portolan index` made what chunks give? And made anew where it is not. */

/* Is called for each problem; where: "table unpacked_city". */
typedef void unpacked_problem(void *payload, const char *where, const char *message);

/*
 * Looks at each table that is as this version makes it: rows of a chunk that is in must be what
 * the chunk gives, and there may be none of others. A chunk that changed since is not looked
 * at, nor one that can't be read: others name it. PTL_ERR_CORRUPT: a table can't be read.
 */
ptl_status unpacked_check(ptl_store *store, unpacked_problem *found, void *payload,
                          ptl_error *err);

/* Is called after each chunk: it may end the transaction and begin the next. */
typedef ptl_status unpacked_pause(void *payload, ptl_error *err);

/* Makes all of these tables that there are anew, in a transaction; chunks that can't be read
 * are left out. */
ptl_status unpacked_renew(ptl_store *store, unpacked_pause *pause, void *payload,
                          ptl_error *err);

#endif
