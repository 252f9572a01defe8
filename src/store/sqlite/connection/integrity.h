/*
 * What SQLite itself has to say about a file's structure. Its checks call a page damaged that
 * can't be read just then, or for which memory ran out; that is told apart here.
 */
#ifndef STORE_SQLITE_FILE_INTEGRITY_H
#define STORE_SQLITE_FILE_INTEGRITY_H

#include "store/sqlite/connection/stmt.h"

/* Runs sql, a PRAGMA integrity_check or quick_check, and gives found every line but "ok"; the
 * message lives as long as the call. Pages that can't be read: PTL_ERR_IO. */
ptl_status integrity_check(ptl_store *store, const char *sql,
                           void (*found)(void *payload, const char *message), void *payload,
                           ptl_error *err);

#endif
