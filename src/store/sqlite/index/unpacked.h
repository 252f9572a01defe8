/* The plain tables of `portolan index`, into which chunks are unpacked so that SQL can read
 * them. These functions implement operations of the contract (store/store.h); portolan/index.h
 * says what they mean. */
#pragma once

#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/store.h"

extern const index_operations sqlite_indexes;

/* ---- the tables: their definitions, and writing one chunk's rows ---- */

/* Those flags PTL_INDEX_* that stand for tables of `portolan index`: all but
 * PTL_INDEX_SPECIAL_PLACEMENT, which stands for an index of SQLite's. */
enum { UNPACKED_TABLES = PTL_INDEX_SPECIAL_PLACEMENT - 1 };

/* Finds which tables and indexes of PTL_INDEX_* the file has, as bits; *chunks says whether it
 * has table unpacked_chunk. PTL_ERR_FORMAT if something in the file has the name of such a
 * table or index but is not what this version makes. */
ptl_status unpacked_present(uint32_t *parts, bool *chunks, ptl_store *store, ptl_error *err);
/* Creates the tables in `parts` that are missing, but not their indexes, and the table
 * unpacked_chunk if it is missing; each table gets its view. Must be called inside a
 * transaction. */
ptl_status unpacked_create(ptl_store *store, uint32_t parts, ptl_error *err);
/* Creates the index on the table `part` (the number of a bit of PTL_INDEX_*) unless the index
 * exists. */
ptl_status unpacked_add_index(ptl_store *store, int part, ptl_error *err);
/* Drops the indexes on the tables in `parts`, so that many rows can be added faster. Inside a
 * transaction of the caller's. */
ptl_status unpacked_drop_indexes(ptl_store *store, uint32_t parts, ptl_error *err);
/* Drops the tables in `parts` with their indexes and views, and unpacked_chunk with its view if
 * `chunks` is true. They are dropped even if they differ from what this version of Portolan
 * makes. Inside a transaction of the caller's. */
ptl_status unpacked_remove(ptl_store *store, uint32_t parts, bool chunks, ptl_error *err);

/* Writes the rows of chunks into the tables; holds the statements and memory for that. */
typedef struct unpacked_writer unpacked_writer;

/* Returns a new writer, or NULL if memory is out. *rows, borrowed, counts the rows that are
 * written. */
unpacked_writer *unpacked_writer_new(ptl_store *store, uint64_t *rows);
void unpacked_writer_free(unpacked_writer *w); /* w may be NULL */
/* Writes a chunk's rows into the tables in `parts`, in place of its earlier rows. chunk_row is
 * a statement that gives CHUNK_COLUMNS and stands on the chunk's row. */
ptl_status unpacked_write(unpacked_writer *w, uint32_t parts, const chunk_info *info,
                          const stmt *chunk_row, ptl_error *err);
/* Sets *wrong to the bits of those tables in which the rows of the chunk differ from what
 * unpacked_write would write. */
ptl_status unpacked_compare(uint32_t *wrong, unpacked_writer *w, uint32_t parts,
                            const chunk_info *info, const stmt *chunk_row, ptl_error *err);
/* Deletes a chunk's rows from the tables in `parts`. */
ptl_status unpacked_erase(unpacked_writer *w, uint32_t parts, int64_t chunk_id, ptl_error *err);

/*
 * Returns true if a view of the file is exactly one of those that `portolan index` makes over
 * its tables. These views show names instead of numbers, and worlds and places instead of
 * chunk_id; v_unpacked shows for each chunk whether it is in the tables. They are made and
 * dropped with their tables and are not part of the schema.
 */
bool unpacked_view_known(const char *name, const char *sql);

/* ---- checking the tables, and making them anew ---- */

/* Is called for each problem; `where` is, for example, "table unpacked_city". */
typedef void unpacked_problem(void *payload, const char *where, const char *message);

/*
 * Checks the tables of `portolan index`. If one of them is not what this version of Portolan
 * makes, none is checked. A chunk that was indexed must have exactly the rows that
 * unpacked_write would write; other chunks must have none. A chunk that has changed since it
 * was indexed is skipped, and so is a chunk that can't be read, which other checks report.
 * PTL_ERR_CORRUPT if a table can't be read.
 */
ptl_status unpacked_check(ptl_store *store, unpacked_problem *found, void *payload,
                          ptl_error *err);

/* Is called after each chunk; it may commit the transaction and begin the next one. */
typedef ptl_status unpacked_pause(void *payload, ptl_error *err);

/* Makes anew all tables of `portolan index` that the file has, in a transaction of the
 * caller's. Chunks that can't be read are left out. */
ptl_status unpacked_renew(ptl_store *store, unpacked_pause *pause, void *payload,
                          ptl_error *err);
