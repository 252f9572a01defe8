/* The settings that a world and a sweep are made with: the same columns in both tables
 * (SETTINGS_COLUMNS), the same fields of a world_row. */
#ifndef STORE_SQLITE_ROWS_SETTINGS_ROWS_H
#define STORE_SQLITE_ROWS_SETTINGS_ROWS_H

#include "store/sqlite/rows/row_values.h"
#include "store/store.h"

enum {
    SETTINGS_COUNT = WORLD_COLUMN_CONTENT_ID - WORLD_COLUMN_REGION + 1 /* they lie together */
};

/* Reads from the statement's column `first` on. Fails with PTL_ERR_NOMEM alone; call
 * world_row_dispose in any case. */
ptl_status settings_read(world_row *out, const stmt *s, int first, ptl_error *err);
/* Gives the values of the settings' columns, the first one's in out[0]. */
void settings_values(row_value out[SETTINGS_COUNT], const world_row *settings);

/* A seed as its column has it: the signed number of the same bits. */
int64_t seed_to_sql(uint64_t seed);

#endif
