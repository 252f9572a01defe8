/* Streams over the rows of a query. */
#pragma once

#include "columns/stream.h"

/* Opens a stream over the rows of `sql`. `query` is complete; its parameters are copied. specs
 * has the columns of the result, and lives as long as the program; NULL: their names are the
 * query's, and their types are settled by the first batch. */
ptl_status rows_open(struct ArrowArrayStream *out, ptl_store *store, const char *sql,
                     const ptl_query_options *query, const column_spec *specs, size_t count,
                     const schema_note notes[STREAM_NOTES], const ptl_arrow_options *options,
                     ptl_error *err);
