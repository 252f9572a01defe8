/* Reads the rows that repair set aside. */
#include "core/error.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

ptl_status sqlite_aside_visit(ptl_store *store, aside_visit *visit, void *payload,
                              ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, "SELECT " ASIDE_COLUMNS " FROM main.set_aside ORDER BY id",
                     err));
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        status = row_verify(s, TABLE_ASIDE, err);
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
        THEN(status, visit(payload, &aside, err));
    }
    stmt_free(s);
    return status;
}
