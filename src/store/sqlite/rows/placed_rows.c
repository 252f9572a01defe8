/* Rows of table placed_special: specials that games have placed (codec/placed_codec.h). */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"

/* Gets a number of a column as 32 bits; one of a larger amount than `most` gets one that is out
 * of every range. */
static int32_t small_int(const stmt *s, int column, int32_t most)
{
    const int64_t value = stmt_int(s, column);
    return value < -most || value > most ? -most - 1 : (int32_t)value;
}

ptl_status placed_row_parse(placed_row *out, const stmt *s, ptl_error *err)
{
    enum { MOST = 1 << 24 };
    size_t size;
    const void *blob = stmt_blob(s, PLACED_COLUMN_PARTS, &size);
    *out = (placed_row){
        .chunk = {small_int(s, PLACED_COLUMN_X, MOST), small_int(s, PLACED_COLUMN_Y, MOST)},
        .number = stmt_int(s, PLACED_COLUMN_NUMBER),
        .part = small_int(s, PLACED_COLUMN_PART, MOST),
        .special = stmt_text(s, PLACED_COLUMN_SPECIAL),
        .x = small_int(s, PLACED_COLUMN_ORIGIN_X, MOST),
        .y = small_int(s, PLACED_COLUMN_ORIGIN_Y, MOST),
        .z = small_int(s, PLACED_COLUMN_ORIGIN_Z, MOST),
        .rotation = small_int(s, PLACED_COLUMN_ROTATION, MOST),
        .omts = small_int(s, PLACED_COLUMN_OMTS, MOST)};
    TRY(placed_row_check(out, PTL_ERR_CORRUPT, err));
    return placed_decode(&out->parts, blob, size, err);
}

static ptl_status give_row(const stmt *s, placed_visit *visit, void *payload, ptl_error *err)
{
    placed_row row = {.number = 0};
    ptl_status status = row_verify(s, TABLE_PLACED, err);
    THEN(status, placed_row_parse(&row, s, err));
    if (status != PTL_OK)
        (void)error_prefix(err, status, "table placed_special, row %lld",
                           (long long)stmt_int(s, PLACED_COLUMN_ID));
    THEN(status, visit(payload, &row, err));
    placed_parts_dispose(&row.parts);
    return status;
}

ptl_status placed_row_visit(ptl_store *store, int64_t world_id, const edit_area *which,
                            placed_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    bool own = false;
    TRY(sqlite_begin_lookups(store, &own, err));
    ptl_status status =
        which->number
            ? stmt_begin(&s, store, STMT_PLACED_NUMBERED, STMT_VALUES(world_id, which->number),
                         err)
            : stmt_begin(&s, store, STMT_PLACED,
                         STMT_VALUES(world_id, which->x0, which->x1, which->y0, which->y1),
                         err);
    while (stmt_row(s, &status, err))
        status = give_row(s, visit, payload, err);
    stmt_reset(s);
    sqlite_end_snapshot(store, own);
    return status;
}

ptl_status placed_row_write(ptl_store *store, int64_t world_id, const placed_row *row,
                            ptl_error *err)
{
    int64_t id = 0;
    bytes blob = {.size = 0};
    placed_encode(&blob, &row->parts);
    ptl_status status = blob.failed ? error_nomem(err) : PTL_OK;
    THEN(status, row_new_id(&id, store, TABLE_PLACED, err));
    row_value v[PLACED_COLUMN_COUNT] = {[PLACED_COLUMN_ID] = row_int(id),
                                        [PLACED_COLUMN_WORLD_ID] = row_int(world_id),
                                        [PLACED_COLUMN_X] = row_int(row->chunk.x),
                                        [PLACED_COLUMN_Y] = row_int(row->chunk.y),
                                        [PLACED_COLUMN_NUMBER] = row_int(row->number),
                                        [PLACED_COLUMN_PART] = row_int(row->part),
                                        [PLACED_COLUMN_SPECIAL] = row_text(row->special),
                                        [PLACED_COLUMN_ORIGIN_X] = row_int(row->x),
                                        [PLACED_COLUMN_ORIGIN_Y] = row_int(row->y),
                                        [PLACED_COLUMN_ORIGIN_Z] = row_int(row->z),
                                        [PLACED_COLUMN_ROTATION] = row_int(row->rotation),
                                        [PLACED_COLUMN_OMTS] = row_int(row->omts),
                                        [PLACED_COLUMN_PARTS] = row_blob(blob.data, blob.size)};
    THEN(status, row_put(store, TABLE_PLACED, v, err));
    bytes_dispose(&blob);
    return status;
}
