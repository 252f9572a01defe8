/*
 * Includes SQLite for all of src/store. The loadable extension compiles the same files a
 * second time with PORTOLAN_EXTENSION. There SQLite belongs to the host program, which may
 * carry its own copy; it is called through the table of functions that the host hands over.
 */
#pragma once

#ifdef PORTOLAN_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif
