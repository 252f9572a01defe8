/*
 * Verifies local maps: each row's checksum, and that its blobs are well-formed and use only
 * names of the dictionaries. It also verifies their spills, local tides, and the overmaps of
 * sweeps.
 */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/sweeps/sweep_rows.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>

static ptl_status check_map(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    stored_map found = {.pool = NULL};
    snprintf(where, sizeof where, "table omt_map, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_MAP, err);
    if (status == PTL_OK && !v->names_bad && !v->dictionary_bad)
        status = map_row_parse(&found, v->store, s, err);
    stored_map_dispose(&found);
    return verify_soft(v, INVARIANT_MAP, where, status, err);
}

/* Checks spills. The row has an additional column, which says whether the map exists and is of
 * level 0. */
static ptl_status check_spill(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    snprintf(where, sizeof where, "table omt_spill, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SPILL, err);
    THEN(status, spill_row_check(s, err));
    if (status == PTL_OK && stmt_int(s, SPILL_COLUMN_COUNT) == 0)
        verify_problem(v, INVARIANT_SPILL, where, "belongs to no local map of level 0");
    return verify_soft(v, INVARIANT_SPILL, where, status, err);
}

static ptl_status check_surge(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    surge_row found;
    snprintf(where, sizeof where, "table surge, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SURGE, err);
    THEN(status, surge_row_parse(&found, s, err));
    return verify_soft(v, INVARIANT_SURGE, where, status, err);
}

/* Checks each row of a table; sql gives the first row after a number. */
ptl_status verify_each(verifier *v, const char *table, const char *sql, verify_row *check,
                       ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    while (stmt_row_after(s, &after, table, &status, err))
        status = check(v, s, err);
    stmt_free(s);
    return status;
}

ptl_status verify_maps(verifier *v, ptl_error *err)
{
    return verify_each(v, "omt_map",
                       "SELECT " MAP_COLUMNS " FROM omt_map WHERE id > ? ORDER BY id LIMIT 1",
                       check_map, err);
}

ptl_status verify_spills(verifier *v, ptl_error *err)
{
    return verify_each(
        v, "omt_spill",
        "SELECT " SPILL_COLUMNS ", EXISTS (SELECT 1 FROM omt_map m WHERE m.id = "
        "omt_spill.id AND m.z = 0) FROM omt_spill WHERE id > ? ORDER BY id LIMIT 1",
        check_spill, err);
}

ptl_status verify_surges(verifier *v, ptl_error *err)
{
    return verify_each(v, "surge",
                       "SELECT " SURGE_COLUMNS " FROM surge WHERE id > ? ORDER BY id LIMIT 1",
                       check_surge, err);
}

/* Verifying sweeps: every overmap's checksum, that its packs are well-formed and use only
 * names of the dictionary, that lists are in order and sums possible. */

static ptl_status check_overmap(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    summary found = {0};
    snprintf(where, sizeof where, "table sweep_chunk, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SWEEP_CHUNK, err);
    if (status == PTL_OK && !v->names_bad)
        status = sweep_chunk_parse(&found, v->store, s, PTL_COUNT_ALL, err);
    summary_dispose(&found);
    return verify_soft(v, INVARIANT_SWEEP_CHUNK, where, status, err);
}

ptl_status verify_sweeps(verifier *v, ptl_error *err)
{
    return verify_each(v, "sweep_chunk",
                       "SELECT " SWEEP_CHUNK_COLUMNS
                       " FROM sweep_chunk WHERE id > ? ORDER BY id LIMIT 1",
                       check_overmap, err);
}
