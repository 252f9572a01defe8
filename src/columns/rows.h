/* Streams over the rows of a query. */
#pragma once

#include "columns/stream.h"

/* PTL_ERR_UNSUPPORTED: the store has no SQL. */
ptl_status rows_expect_sql(const ptl_store *store, ptl_error *err);
/* Opens a stream over the rows of `sql`, for which the store has SQL. `query` is complete; its
 * parameters are copied. specs has the columns of the result, and lives as long as the program;
 * NULL: their names are the query's, and their types are settled by the first batch. */
ptl_status rows_open(struct ArrowArrayStream *out, ptl_store *store, const char *sql,
                     const ptl_query_options *query, const column_spec *specs, size_t count,
                     const schema_note notes[STREAM_NOTES], const ptl_arrow_options *options,
                     ptl_error *err);
