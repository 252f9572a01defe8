/*
 * Adds Portolan's virtual tables and SQL functions (schema/tables.md) to an SQLite connection
 * that a program has opened itself. This call is for programs that are linked with this
 * library and with the same SQLite. All others load the extension portolan.so, which does the
 * same.
 */
#ifndef PORTOLAN_SQLITE_H
#define PORTOLAN_SQLITE_H

#include "portolan/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;

/*
 * Adds the virtual tables and functions to a connection. They read its main database, which
 * must be a world file of this version whenever they are used; with anything else they report
 * what is wrong. They never write, and they end with the connection, which is closed as usual.
 * Adding them twice is allowed. The rows of the file may change between two uses. The
 * temporary view `placement` is added, too, if the connection may create one.
 *
 * The connection must come from the same copy of SQLite that this library calls. An equal
 * sqlite3_libversion is not enough, since a program may contain a second copy. Errors:
 * PTL_ERR_NOMEM, or an error of SQLite with its result code in err->backend_code; some tables
 * or functions may have been added then.
 */
PTL_API ptl_status ptl_sqlite_register(struct sqlite3 *db, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
