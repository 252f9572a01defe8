/*
 * Verifying sweeps: every overmap's checksum, that its packs are well-formed and name what the
 * dictionary has, and that the lists are in order and their sums possible.
 */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/sweeps/sweep_rows.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>

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
