/*
 * Rows of radio. What stations say repeats all over a world, so the texts are numbers of table
 * `name`; a text that tells the station's own place is kept as one for all places.
 */
#ifndef STORE_SQLITE_ROWS_RADIO_ROWS_H
#define STORE_SQLITE_ROWS_RADIO_ROWS_H

#include "model/feature.h"
#include "store/sqlite/rows/row_scratch.h"

/* Adds them inside the caller's transaction. The rows' values are added to scratch->levels. */
ptl_status radio_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                             const gen_features *f, ptl_error *err);
/* What table `name` holds of the station's message: borrowed from it or from scratch, which is
 * empty if the text tells no place; NULL when memory is out. */
const char *radio_row_text(const gen_radio *r, bytes *scratch);
/* Adds the statement's current row (RADIO_COLUMNS) as one more of rows->radios. The dictionary
 * has been refreshed. */
ptl_status radio_row_add(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err);

#endif
