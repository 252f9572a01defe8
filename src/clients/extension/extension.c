/*
 * portolan.so, an extension that any program with SQLite can load (`.load`, load_extension()).
 * It adds the virtual tables and functions of Portolan's own queries, which read the
 * connection's main database (portolan/sqlite.h). The files of src/store and src/render/sql
 * are compiled again for it, because SQLite must be called through the host's table of
 * functions (store/sqlite/connection/sqlite.h).
 */
/*
 * The build defines PORTOLAN_EXTENSION, too; it is repeated here for tools that read this file
 * without the build's settings.
 */
#ifndef PORTOLAN_EXTENSION
#define PORTOLAN_EXTENSION
#endif

#include "portolan/sqlite.h"

#include <sqlite3ext.h>

/* Older versions of SQLite lack sqlite3_vtab_in, or SQL that the schema uses. */
enum { SQLITE_OLDEST = 3038000 };

SQLITE_EXTENSION_INIT1

/* The only symbol that the library exports. */
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
