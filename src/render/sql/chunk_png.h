/* The SQL function chunk_png, which draws a level of a chunk. */
#ifndef RENDER_SQL_CHUNK_PNG_H
#define RENDER_SQL_CHUNK_PNG_H

#include "store/sqlite/query/vtab.h"

void sql_chunk_png(sqlite3_context *context, int count, sqlite3_value **values);

#endif
