/* The world that SQL functions above the store work with: opened when one asks for it first,
 * which takes tens of milliseconds, and kept with the connection until the content changes or
 * another world is asked for. */
#ifndef WORLD_SQL_SQL_WORLD_H
#define WORLD_SQL_SQL_WORLD_H

#include "store/sqlite/query/vtab.h"
#include "world/world.h"

/* *out is the connection's. PTL_ERR_NOT_FOUND if there is no such world. */
ptl_status sql_world_open(ptl_world **out, sql_source *source, const char *name,
                          ptl_error *err);

#endif
