/* The open world that SQL functions above the store work with. It is opened at the first
 * question about it, which takes tens of milliseconds, and stays with the connection until
 * the content changes or another world is asked for. */
#pragma once

#include "store/sqlite/query/vtab.h"
#include "world/world.h"

/* Gives the world of a name; it belongs to the connection. PTL_ERR_NOT_FOUND if there is
 * none. */
ptl_status sql_world_open(ptl_world **out, sql_source *source, const char *name,
                          ptl_error *err);

/* The functions about tides (tides.c): tide(step), tide(world, turn), water_at and ford. */
void sql_tide(sqlite3_context *context, int count, sqlite3_value **values);
void sql_tide_of(sqlite3_context *context, int count, sqlite3_value **values);
void sql_water_at(sqlite3_context *context, int count, sqlite3_value **values);
void sql_ford(sqlite3_context *context, int count, sqlite3_value **values);
/* The flood of struct sql_above. */
ptl_status sql_local_flood(sql_source *source, const char *name, stored_map *map, int64_t turn,
                           ptl_error *err);
