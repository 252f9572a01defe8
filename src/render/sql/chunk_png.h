/* The SQL function chunk_png, which draws a level of a chunk. */
#pragma once

#include "store/sqlite/query/vtab.h"

void sql_chunk_png(sqlite3_context *context, int count, sqlite3_value **values);
