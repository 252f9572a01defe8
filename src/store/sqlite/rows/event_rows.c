/* Reads the rows of table `event`. They are written together with their chunk
 * (chunk_write.c). */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

static ptl_status read_event(event_row *out, const stmt *s, int64_t number, ptl_error *err)
{
    TRY(row_verify(s, TABLE_EVENT, err));
    if (stmt_int(s, EVENT_COLUMN_NUMBER) != number)
        return error_set(err, PTL_ERR_CORRUPT, "event %lld is missing", (long long)number);
    *out = (event_row){.step = stmt_text(s, EVENT_COLUMN_STEP),
                       .kind = stmt_text(s, EVENT_COLUMN_KIND),
                       .x = (int32_t)stmt_int(s, EVENT_COLUMN_X),
                       .y = (int32_t)stmt_int(s, EVENT_COLUMN_Y),
                       .z = (int32_t)stmt_int(s, EVENT_COLUMN_Z),
                       .detail = stmt_text(s, EVENT_COLUMN_DETAIL)};
    return PTL_OK;
}

ptl_status sqlite_stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                           void *payload, ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, chunk->store, STMT_EVENTS, err));
    stmt_bind_int(s, 1, chunk->info.id);
    bool row = true;
    ptl_status status = PTL_OK;
    for (int64_t number = 0; row && status == PTL_OK; number++) {
        event_row event;
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            status = read_event(&event, s, number, err);
        if (status == PTL_OK && row)
            status = visit(payload, &event, err);
    }
    stmt_reset(s);
    return status;
}
