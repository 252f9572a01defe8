/* The open world that SQL functions about tides and the table loot use. It is opened by the
 * first call that needs it, which takes tens of milliseconds, and stays with the database
 * connection until the content changes or another world is needed. */
#pragma once

#include "store/sqlite/query/vtab.h"
#include "world/world.h"

/* Gives the open world with this name; it belongs to the connection. PTL_ERR_NOT_FOUND if there
 * is no such world. */
ptl_status sql_world_open(ptl_world **out, sql_source *source, const char *name,
                          ptl_error *err);

/* The virtual table loot (loot.c). */
extern const vtab_form sql_loot;

/* The SQL functions about tides: tide(step), tide(world, turn), water_at and ford. */
void sql_tide(sqlite3_context *context, int count, sqlite3_value **values);
void sql_tide_of(sqlite3_context *context, int count, sqlite3_value **values);
void sql_water_at(sqlite3_context *context, int count, sqlite3_value **values);
void sql_ford(sqlite3_context *context, int count, sqlite3_value **values);
/* The function that the member `flood` of struct sql_above points to: shows the tide of a turn
 * on a map that the store has read. */
ptl_status sql_local_flood(sql_source *source, const char *name, stored_map *map, int64_t turn,
                           ptl_error *err);
