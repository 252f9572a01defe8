/*
 * Moves chunks back that were set aside because the file held other content than theirs. Once
 * their content is the file's again, they return to their tables as damaged as they are; then
 * they can be made again.
 */
#include "core/error.h"
#include "portolan/generate.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdlib.h>
#include <string.h>

static bool take_value(repair_value *out, byte_reader *r)
{
    memset(out, 0, sizeof *out);
    uint8_t type = byte_reader_u8(r);
    if (r->failed || type > ROW_BLOB)
        return false;
    out->type = (row_type)type;
    if (type == ROW_INTEGER || type == ROW_REAL)
        out->word = byte_reader_u64(r);
    if (type != ROW_TEXT && type != ROW_BLOB)
        return !r->failed;
    uint64_t size = byte_reader_u64(r);
    if (r->failed || size > byte_reader_left(r))
        return false;
    out->data = malloc((size_t)size + 1);
    if (!out->data)
        return false;
    out->size = (size_t)size;
    if (size > 0)
        memcpy(out->data, byte_reader_take(r, (size_t)size), (size_t)size);
    return true;
}

/* Reads a row from table set_aside; false if it is not a valid one. */
static bool take_row(repair_rows *out, const char *table, const void *data, size_t size)
{
    byte_reader r = byte_reader_over(data, size);
    row_table_id id = 0;
    while (id < TABLE_COUNT && strcmp(row_table_of(id)->name, table) != 0)
        id++;
    if (id == TABLE_COUNT)
        return false;
    repair_row *row = repair_rows_add(out, id);
    bool good = row != NULL;
    for (int i = 0; good && i < row_table_of(id)->count; i++)
        good = take_value(&row->values[i], &r);
    return good && byte_reader_left(&r) == 0;
}

/* Reads all rows that were set aside together with this chunk's row: they have the same world,
 * place, reason and time. */
static ptl_status read_asides(repair_rows *out, int64_t **ids, size_t *count, repairer *r,
                              int64_t chunk, ptl_error *err)
{
    stmt *s = NULL;
    TRY(stmt_prepare(
        &s, r->store,
        "SELECT a.id, a.source_table, a.data FROM set_aside a JOIN set_aside c ON c.id = ?1 "
        "WHERE a.world = c.world AND a.x = c.x AND a.y = c.y AND a.reason = c.reason "
        "AND a.found = c.found ORDER BY a.id",
        err));
    stmt_bind_int(s, 1, chunk);
    *count = 0;
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        size_t size;
        const void *data = stmt_blob(s, 2, &size);
        int64_t *grown = realloc(*ids, (*count + 1) * sizeof **ids);
        if (!grown) {
            status = error_nomem(err);
            break;
        }
        *ids = grown;
        grown[(*count)++] = stmt_int(s, 0);
        if (!take_row(out, stmt_text(s, 1), data, size))
            status = error_set(err, PTL_ERR_CORRUPT, "table set_aside: a damaged row");
    }
    stmt_free(s);
    return status;
}

/* Does the row belong to a chunk that can be made now? */
static bool is_wanted(const repair_rows *rows, int64_t content_id)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].table == TABLE_CHUNK)
            return repair_int(&rows->list[i], CHUNK_COLUMN_CONTENT_ID) == content_id &&
                   repair_int(&rows->list[i], CHUNK_COLUMN_GENERATOR_VERSION) ==
                       PTL_GENERATOR_VERSION;
    return false;
}

static ptl_status put_back(repairer *r, int64_t chunk, int64_t content_id, ptl_error *err)
{
    repair_rows rows = {0};
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_error local = {0};
    TRY(repair_try_begin(r, err));
    ptl_status status = read_asides(&rows, &ids, &count, r, chunk, &local);
    bool wanted = status == PTL_OK && is_wanted(&rows, content_id);
    stmt *s = NULL;
    for (size_t i = 0; wanted && i < rows.count && status == PTL_OK; i++)
        status = repair_row_replace(r->store, NULL, &rows.list[i], &local);
    if (wanted)
        THEN(status, stmt_prepare(&s, r->store, "DELETE FROM set_aside WHERE id = ?", &local));
    for (size_t i = 0; wanted && i < count && status == PTL_OK; i++) {
        stmt_bind_int(s, 1, ids[i]);
        status = stmt_run(s, &local);
    }
    stmt_free(s);
    bool kept = wanted && status == PTL_OK;
    repair_rows_dispose(&rows);
    free(ids);
    /* The row stays aside if another chunk has its place or its id by now, or if it is damaged
     * itself. */
    if (status == PTL_ERR_EXISTS || status == PTL_ERR_CORRUPT)
        status = PTL_OK;
    else if (status != PTL_OK && err)
        *err = local;
    return repair_try_end(r, kept, status, err);
}

ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL, content_id = -1;
    size_t count = 0;
    ptl_status status = stmt_ask(&content_id, r->store,
                                 "SELECT id FROM content WHERE is_current = 1", NULL, 0, err);
    if (status == PTL_OK)
        status = stmt_prepare(&s, r->store,
                              "SELECT id FROM set_aside WHERE source_table = 'chunk' "
                              "AND reason = ? ORDER BY id",
                              err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, reason);
        status = repair_ids_list(&ids, &count, s, err);
    }
    stmt_free(s);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = put_back(r, ids[i], content_id, err);
    free(ids);
    return status;
}
