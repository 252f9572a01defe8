/* What a chunk's row says, and what proves that a chunk which was made again is the one that
 * was there. */
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/rows.h"

#include <assert.h>
#include <string.h>

bool repair_is_soft(ptl_status status, const ptl_error *err)
{
    if (status == PTL_ERR_INTERNAL &&
        (err->backend_code & 0xff) == SQLITE_CONSTRAINT) /* another row is in the way */
        return true;
    return status == PTL_ERR_CORRUPT || status == PTL_ERR_MISMATCH ||
           status == PTL_ERR_CONTENT || status == PTL_ERR_NOT_FOUND ||
           status == PTL_ERR_NEWER || status == PTL_ERR_EXISTS || status == PTL_ERR_ARGUMENT;
}

void repair_chunk_read_said(repair_said *out, const repair_chunk *c)
{
    const repair_row *row = &c->row.list[0];
    const repair_value *step = &row->values[CHUNK_COLUMN_LAST_STEP];
    memset(out, 0, sizeof *out);
    out->world_id = repair_int(row, CHUNK_COLUMN_WORLD_ID);
    out->run_id = repair_int(row, CHUNK_COLUMN_RUN_ID);
    out->content_id = repair_int(row, CHUNK_COLUMN_CONTENT_ID);
    out->generator_version = repair_int(row, CHUNK_COLUMN_GENERATOR_VERSION);
    out->pos = (ptl_chunk_pos){(int32_t)repair_int(row, CHUNK_COLUMN_X),
                               (int32_t)repair_int(row, CHUNK_COLUMN_Y)};
    out->generated = repair_is_text(&row->values[CHUNK_COLUMN_ORIGIN], "generated");
    if (step->type == ROW_TEXT && step->size < sizeof out->last_step)
        memcpy(out->last_step, repair_bytes(step), step->size);
}

static bool digest_agrees(const repair_value *stored, const digest *made)
{
    return stored->size == DIGEST_SIZE && memcmp(stored->data, made->bytes, DIGEST_SIZE) == 0;
}

bool repair_chunk_has_digests(const repair_chunk *c, const digest *tiles,
                              const digest *features)
{
    const repair_value *row = c->row.list[0].values;
    return digest_agrees(&row[CHUNK_COLUMN_OMT_DIGEST], tiles) &&
           digest_agrees(&row[CHUNK_COLUMN_FEATURE_DIGEST], features);
}

bool repair_chunk_id_fits(int64_t id)
{
    return id >= 1 && id <= CHUNK_ID_MAX;
}

bool repair_chunk_has_blobs(const repair_chunk *c)
{
    for (size_t i = 0; i < c->features.count; i++)
        if (c->features.list[i].table == TABLE_PACK)
            return true;
    return c->levels.count > 0;
}

ptl_status repair_chunk_put(repairer *r, const repair_ids *ids, const chunk_write *write,
                            const catalogue *cat, ptl_error *err)
{
    return chunk_row_put(r->store, ids->world_id, ids->run_id, ids->id, write, cat, err);
}

/* ---- proofs ---- */

bool repair_same_row(const repair_chunk *before, const repair_chunk *made)
{
    const repair_value *a = before->row.list[0].values, *b = made->row.list[0].values;
    if (repair_value_equal(&a[CHUNK_COLUMN_CHECKSUM], &b[CHUNK_COLUMN_CHECKSUM]))
        return true;
    return repair_value_equal(&a[CHUNK_COLUMN_OMT_DIGEST], &b[CHUNK_COLUMN_OMT_DIGEST]) &&
           repair_value_equal(&a[CHUNK_COLUMN_FEATURE_DIGEST], &b[CHUNK_COLUMN_FEATURE_DIGEST]);
}

/* Does a row of `level` or `pack` have the checksum that it stores? */
static bool is_sound(repair_row *row, bytes *scratch)
{
    repair_rows one = {.list = row, .count = 1};
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    bool good = false;
    return repair_unit_good(&unit, scratch, &good, NULL) == PTL_OK && good;
}

/*
 * Counts the sound rows that came out the same and that no other chunk could have. One is
 * proof enough, since a row's checksum covers its id. Sound rows that came out otherwise were
 * damaged and then given a matching checksum.
 */
static size_t count_equal(const repair_rows *before, const repair_rows *made,
                          row_table_id table, bytes *scratch)
{
    enum { DISTINCT_SIZE = 64 };
    enum { ID = LEVEL_COLUMN_ID, SUM = LEVEL_COLUMN_CHECKSUM, BLOB = LEVEL_COLUMN_OMTS };
    static_assert((int)PACK_COLUMN_ID == (int)ID && (int)PACK_COLUMN_CHECKSUM == (int)SUM &&
                      (int)PACK_COLUMN_DATA == (int)BLOB,
                  "one form of row");
    size_t count = 0;
    for (size_t i = 0; i < before->count; i++) {
        repair_row *row = &before->list[i];
        if (row->table != table || row->values[BLOB].size < DISTINCT_SIZE ||
            !is_sound(row, scratch))
            continue;
        for (size_t k = 0; k < made->count; k++)
            count += made->list[k].table == table &&
                     repair_value_equal(&made->list[k].values[ID], &row->values[ID]) &&
                     repair_value_equal(&made->list[k].values[SUM], &row->values[SUM]);
    }
    return count;
}

bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made)
{
    bytes scratch;
    bytes_init(&scratch);
    size_t equal = count_equal(&before->levels, &made->levels, TABLE_LEVEL, &scratch) +
                   count_equal(&before->features, &made->features, TABLE_PACK, &scratch);
    bytes_dispose(&scratch);
    return equal > 0;
}
