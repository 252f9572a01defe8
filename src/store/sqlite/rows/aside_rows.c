/* Rows that repair set aside. */
#include "core/error.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

ptl_status sqlite_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = true;
    ptl_status status = row_scratch_get(&scratch, store, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, store,
                              "SELECT " ASIDE_COLUMNS " FROM main.set_aside ORDER BY id", err);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row) {
        const ptl_set_aside aside = {.size = sizeof aside,
                                     .number = stmt_int(s, ASIDE_COLUMN_ID),
                                     .found = stmt_text(s, ASIDE_COLUMN_FOUND),
                                     .table = stmt_text(s, ASIDE_COLUMN_SOURCE_TABLE),
                                     .key = stmt_text(s, ASIDE_COLUMN_SOURCE_KEY),
                                     .world = stmt_text(s, ASIDE_COLUMN_WORLD),
                                     .has_place = !stmt_is_null(s, ASIDE_COLUMN_X),
                                     .x = (int32_t)stmt_int(s, ASIDE_COLUMN_X),
                                     .y = (int32_t)stmt_int(s, ASIDE_COLUMN_Y),
                                     .reason = stmt_text(s, ASIDE_COLUMN_REASON)};
        status = row_verify(scratch, s, TABLE_ASIDE, err);
        if (status == PTL_OK)
            status = visit(payload, &aside, err);
    }
    stmt_free(s);
    return status;
}
