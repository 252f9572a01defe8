/*
 * Checksums over the tables of a content: table content_checksum has one for each of them.
 * They assure that what is read is what an import wrote. Rows of worlds have checksums of
 * their own.
 */
#ifndef STORE_SQLITE_CONTENT_CHECKSUM_H
#define STORE_SQLITE_CONTENT_CHECKSUM_H

#include "store/content_store.h"
#include "store/sqlite/connection/stmt.h"

/* A table of the content. */
typedef struct content_table {
    const char *name, *key; /* key: the columns that its rows are sorted by */
    bool loaded;            /* a catalogue is made from it */
} content_table;

/* All tables of a content; the list ends with a name of NULL. */
extern const content_table content_tables[];
/* Prepares a statement that gives all columns of all rows, in the order of the key. */
ptl_status content_table_prepare(stmt **out, ptl_store *store, const content_table *table,
                                 ptl_error *err);

/* Writes the checksums of all tables, replacing earlier ones. Call it inside the transaction
 * that changed the content. */
ptl_status content_checksum_write(ptl_store *store, ptl_error *err);

/* Compares all tables with their checksums. Each difference is given to `found` and is no
 * failure. */
ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err);

/* Compares only the tables that the catalogue is made from. PTL_ERR_CORRUPT names the first
 * one that differs. */
ptl_status sqlite_content_check_loaded(ptl_store *store, ptl_error *err);

#endif
