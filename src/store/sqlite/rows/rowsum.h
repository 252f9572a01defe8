/*
 * Row checksums (format.md, "Checksums"): a canonical byte string of a row's values, hashed.
 * Those of whole rows are made in row_values.h.
 */
#ifndef STORE_SQLITE_ROWS_ROWSUM_H
#define STORE_SQLITE_ROWS_ROWSUM_H

#include "core/bytes.h"
#include "store/sqlite/connection/stmt.h"

void rowsum_begin(bytes *b, const char *table);
void rowsum_null(bytes *b);
void rowsum_int(bytes *b, int64_t value);
void rowsum_real(bytes *b, double value);
void rowsum_text(bytes *b, const char *text);
void rowsum_sized_text(bytes *b, const char *text, size_t size);
void rowsum_blob(bytes *b, const void *data, size_t size);
/* count columns of the statement's current row, each as what it is stored as. */
void rowsum_columns(bytes *b, const stmt *s, int first, int count);
ptl_status rowsum_end(bytes *b, int64_t *out, ptl_error *err);

#endif
