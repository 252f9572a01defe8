/*
 * Views over the tables that `portolan index` makes: names for numbers, worlds and places for
 * chunk_id. They are made and dropped with their tables, and are no part of the schema; what
 * the file may have under these names is exactly this.
 */
#ifndef STORE_SQLITE_INDEX_UNPACKED_VIEWS_H
#define STORE_SQLITE_INDEX_UNPACKED_VIEWS_H

#include "core/bytes.h"
#include "store/sqlite/connection/stmt.h"

/* Of the parts of portolan/index.h that are tables, in their order; and behind them v_unpacked,
 * which says of each chunk whether it is in. */
enum { UNPACKED_VIEWS = 7, UNPACKED_VIEW_STATE = UNPACKED_VIEWS - 1 };

/* Returns "v_building", ..; it is borrowed. */
const char *unpacked_view_name(int view);
/* The statement that makes it; lies in b, NULL when memory is out. */
const char *unpacked_view_text(bytes *b, int view);

/* Makes it unless it is there: PTL_ERR_EXISTS where something else has its name. */
ptl_status unpacked_view_create(ptl_store *store, int view, ptl_error *err);
/* Drops the view of that name; a table that a user made under it stays. */
ptl_status unpacked_view_drop(ptl_store *store, int view, ptl_error *err);

/* Is this view of a file one of ours, as this version makes it? PTL_ERR_NOMEM alone can happen.
 */
ptl_status unpacked_view_known(bool *known, const char *name, const char *sql, ptl_error *err);

#endif
