/* Binds the caller's values to the parameters of a statement. */
#pragma once

#include "portolan/query.h"

#include <sqlite3.h>

/* Binds a value to each parameter of the statement; texts are borrowed until the statement is
 * finalized. PTL_ERR_ARGUMENT, with a message that names the parameter, if one has no value or
 * two, or if the statement lacks it. If SQLite refuses a value, the call returns PTL_OK, and
 * *code is SQLite's result code. */
ptl_status query_bind(sqlite3_stmt *s, const ptl_query_parameter *given, size_t count,
                      int *code, ptl_error *err);
