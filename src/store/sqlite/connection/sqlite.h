/*
 * Includes SQLite's header for all of src/store. The same files are compiled a second time,
 * with PORTOLAN_EXTENSION, for the loadable extension. There the host program's own copy of
 * SQLite is used, through a table of functions that the host hands over.
 */
#pragma once

#ifdef PORTOLAN_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif
