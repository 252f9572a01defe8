/* Verifying local maps: each row's checksum, and that its blobs are well-formed and name what
 * the dictionaries have. */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/verify/verify.h"

#include <stdio.h>

static ptl_status check_map(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    stored_map found = {.pool = NULL};
    snprintf(where, sizeof where, "table omt_map, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(v->scratch, s, TABLE_MAP, err);
    if (status == PTL_OK && !v->names_bad && !v->dictionary_bad)
        status = map_row_parse(&found, v->store, s, err);
    stored_map_dispose(&found);
    return verify_soft(v, INVARIANT_MAP, where, status, err);
}

ptl_status verify_maps(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(
        &s, v->store, "SELECT " MAP_COLUMNS " FROM omt_map WHERE id > ? ORDER BY id LIMIT 1",
        err);
    for (bool row = true; row && status == PTL_OK;) {
        stmt_bind_int(s, 1, after);
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = stmt_next_id(s, &after, "omt_map", err);
        if (status == PTL_OK && row)
            status = check_map(v, s, err);
        stmt_reset(s);
    }
    stmt_free(s);
    return status;
}
