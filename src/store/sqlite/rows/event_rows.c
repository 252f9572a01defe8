/* Reads the rows of table `event`. They are written together with their chunk
 * (chunk_write.c). */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

ptl_status sqlite_stored_chunk_event_visit(const stored_chunk *chunk, event_visit *visit,
                                           void *payload, ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepared(&s, chunk->store, STMT_EVENTS, err));
    stmt_bind_int(s, 1, chunk->info.id);
    ptl_status status = PTL_OK;
    for (int64_t number = 0; stmt_row(s, &status, err); number++) {
        /* The texts are fetched after this, since fetching a BLOB as a text changes its type,
         * which is in the checksum. */
        status = row_verify(s, TABLE_EVENT, err);
        const event_row event = {.step = stmt_text(s, EVENT_COLUMN_STEP),
                                 .kind = stmt_text(s, EVENT_COLUMN_KIND),
                                 .x = (int32_t)stmt_int(s, EVENT_COLUMN_X),
                                 .y = (int32_t)stmt_int(s, EVENT_COLUMN_Y),
                                 .z = (int32_t)stmt_int(s, EVENT_COLUMN_Z),
                                 .detail = stmt_text(s, EVENT_COLUMN_DETAIL)};
        if (status == PTL_OK && stmt_int(s, EVENT_COLUMN_NUMBER) != number)
            status =
                error_set(err, PTL_ERR_CORRUPT, "event %lld is missing", (long long)number);
        THEN(status, visit(payload, &event, err));
    }
    stmt_reset(s);
    return status;
}
