/* The settings that a world or a sweep is made with. They are neighbouring columns in both
 * tables. A world has all rows of portolan/settings.h, a sweep only the first ones. */
#ifndef STORE_SQLITE_ROWS_SETTINGS_ROWS_H
#define STORE_SQLITE_ROWS_SETTINGS_ROWS_H

#include "core/settings.h"
#include "store/sqlite/rows/row_values.h"
#include "store/store.h"

/* Reads `count` settings from the statement's column `first` on, and the columns behind them.
 * It can fail only with PTL_ERR_NOMEM; call world_row_dispose in any case. */
ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err);

/* Gives the values for the columns of `count` settings, and of generator_version and
 * content_id behind them. Texts are borrowed from the row. */
void settings_values(row_value *out, const world_row *from, int count);

/* Returns a seed as its column stores it: the signed number with the same bits. */
int64_t seed_to_sql(uint64_t seed);

#endif
