/*
 * The content of a transient store (PTL_OPEN_TRANSIENT): its rows are held as arrays in memory,
 * and not in tables, since nobody asks for them by SQL. Without indexes, checks, checksums and
 * compression an import takes half the time. The row of table `content` is in SQLite as in
 * other stores, since worlds refer to it. These are operations of the contract (store/store.h).
 */
#pragma once

#include "store/content_store.h"
#include "store/store.h"

extern const content_operations held_contents;

ptl_status held_part_open(void **out, ptl_store *store, content_part which, ptl_error *err);
void held_part_close(void *part);
ptl_status held_part_add(int64_t *number, void *part, const content_value *values, int count,
                         ptl_error *err);
ptl_status held_clear(ptl_store *store, int64_t content_id, ptl_error *err);
/* Refuses another content if a world or sweep was made with the present one, which is not
 * kept. */
ptl_status held_keep(ptl_store *store, ptl_error *err);
ptl_status held_seal(ptl_store *store, ptl_error *err);
/* Finds no damage: nothing in memory is damaged. */
ptl_status held_check(ptl_store *store, content_problem_fn *found, void *payload,
                      ptl_error *err);
void held_close(ptl_store *store);
