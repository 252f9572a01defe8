/*
 * Portolan's virtual tables and SQL functions (schema/tables.md) on an SQLite connection of
 * one's own. A program that is linked with this library, and with the same SQLite, calls this;
 * any other one loads the extension portolan.so, which does the same.
 */
#ifndef PORTOLAN_SQLITE_H
#define PORTOLAN_SQLITE_H

#include "portolan/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sqlite3;

/*
 * Adds them to a connection, for its main database: a world file of this version, whenever they
 * are used; of anything else they say what is wrong. They only read, and go with the
 * connection, which can be closed as if they were not there; adding them twice is no mistake.
 * The file's rows may change between two uses, by whomever. With them comes the temporary view
 * `placement`, where the connection may make one.
 *
 * The connection must be of the SQLite that this library calls (sqlite3_libversion is not
 * enough: a program may carry a second copy). PTL_ERR_NOMEM; any other error is SQLite's, with
 * its result code in err->backend_code, and some may have been added then.
 */
PTL_API ptl_status ptl_sqlite_register(struct sqlite3 *db, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
