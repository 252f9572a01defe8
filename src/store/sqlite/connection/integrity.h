/*
 * Checks a file's structure by SQLite's own checks. These call a page damaged also when it
 * could not be read at that moment, or when memory ran out; integrity_check tells such failures
 * from damage.
 */
#pragma once

#include "store/sqlite/connection/stmt.h"

/* Runs sql, a PRAGMA integrity_check or quick_check, and calls `found` for each line except
 * "ok"; the message lasts until `found` returns. PTL_ERR_IO if pages can't be read. */
ptl_status integrity_check(ptl_store *store, const char *sql,
                           void (*found)(void *payload, const char *message), void *payload,
                           ptl_error *err);
