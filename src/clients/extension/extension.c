/*
 * portolan.so, to be loaded into any program's SQLite (`.load`, load_extension()): the same
 * virtual tables and functions as in Portolan's own queries, over the connection's main
 * database (portolan/sqlite.h). The files of src/store and src/render/sql are compiled again
 * for it, so that all of SQLite is called through the host's table of functions
 * (store/sqlite/connection/sqlite.h).
 */
/* As its build says; here for tools that read this file alone. */
#ifndef PORTOLAN_EXTENSION
#define PORTOLAN_EXTENSION
#endif

#include "portolan/sqlite.h"

#include <sqlite3ext.h>

enum { SQLITE_OLDEST = 3038000 }; /* sqlite3_vtab_in, and what the schema is written in */

SQLITE_EXTENSION_INIT1

/* The only name that the file shows. */
__attribute__((visibility("default"))) int
sqlite3_portolan_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

int sqlite3_portolan_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
    ptl_error err = {0};
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < SQLITE_OLDEST) {
        *message = sqlite3_mprintf("Portolan wants SQLite 3.38.0 or newer; this is %s",
                                   sqlite3_libversion());
        return SQLITE_ERROR;
    }
    if (ptl_sqlite_register(db, &err) == PTL_OK)
        return SQLITE_OK;
    *message = sqlite3_mprintf("Portolan: %s", err.message);
    return err.backend_code ? err.backend_code : SQLITE_ERROR;
}
