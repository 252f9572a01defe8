/* The settings that a world and a sweep are made with: columns that lie together in both
 * tables, the first rows of portolan/settings.h in a sweep's, all in a world's. */
#ifndef STORE_SQLITE_ROWS_SETTINGS_ROWS_H
#define STORE_SQLITE_ROWS_SETTINGS_ROWS_H

#include "core/settings.h"
#include "store/sqlite/rows/row_values.h"
#include "store/store.h"

/* Reads `count` settings from the statement's column `first` on, and what lies behind them.
 * Fails with PTL_ERR_NOMEM alone; call world_row_dispose in any case. */
ptl_status settings_read(world_row *out, const stmt *s, int first, int count, ptl_error *err);

/* Gives the values of `count` settings' columns, and of generator_version and content_id behind
 * them. Texts are borrowed from the row. */
void settings_values(row_value *out, const world_row *from, int count);

/* A seed as its column has it: the signed number of the same bits. */
int64_t seed_to_sql(uint64_t seed);

#endif
