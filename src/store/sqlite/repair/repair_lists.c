/* Questions about the file as a whole: which chunks, edges and places there are, and which are
 * missing. */
#include "core/array.h"
#include "core/error.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"

#include <stdlib.h>
#include <string.h>

static ptl_status list_ids(int64_t **ids, size_t *count, repairer *r, const char *sql,
                           ptl_error *err)
{
    stmt *s = NULL;
    *ids = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(&s, r->store, sql, err);
    THEN(status, repair_ids_list(ids, count, s, err));
    stmt_free(s);
    return status;
}

ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(ids, count, r, "SELECT id FROM chunk ORDER BY id", err);
}

ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(
        ids, count, r,
        "SELECT n FROM (SELECT id >> 5 AS n FROM level UNION SELECT id >> 3 FROM pack "
        "UNION SELECT id >> 16 FROM special_placement UNION SELECT chunk_id FROM city "
        "UNION SELECT chunk_id FROM radio UNION SELECT chunk_id FROM event) "
        "WHERE typeof(n) = 'integer' AND n NOT IN (SELECT id FROM chunk) ORDER BY n",
        err);
}

ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err)
{
    int64_t count = 0;
    TRY(stmt_ask(&count, r->store, "SELECT count(*) FROM chunk", NULL, 0, err));
    *out = (uint64_t)count;
    return PTL_OK;
}

ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM chunk WHERE id > ?1 ORDER BY id LIMIT 1", err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        stmt_reset(s);
        status = visit(payload, after, err);
    }
    stmt_free(s);
    return status;
}

ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM chunk WHERE world_id = ? AND x = ? AND y = ?", err);
    memset(out, 0, sizeof *out);
    *found = false;
    TRY(status);
    stmt_bind_ints(s, (const int64_t[]){world_id, pos.x, pos.y}, 3);
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        status = repair_chunk_read(out, r->store, stmt_int(s, 0), err);
    stmt_free(s);
    return status;
}

ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *name = NULL;
    TRY(stmt_prepare(&s, r->store, "SELECT name FROM world WHERE id = ?", err));
    stmt_bind_int(s, 1, world_id);
    ptl_status status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status = error_set(err, PTL_ERR_NOT_FOUND, "its world has no row");
    if (status == PTL_OK) {
        *name = strdup(stmt_text(s, 0));
        status = *name ? PTL_OK : error_nomem(err);
    }
    stmt_free(s);
    return status;
}

/* ---- places ---- */

/* A chunk's edges are stored at its own place (east and south) and at its western and northern
 * neighbours'. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err)
{
    stmt *s = NULL;
    repair_free_place *list = NULL;
    size_t room = 0;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT e.world_id, e.x, e.y FROM edge e "
        "WHERE e.side = 'E' AND typeof(e.x) = 'integer' AND typeof(e.y) = 'integer' "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y AND o.side = 'S') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x - 1 "
        "AND o.y = e.y AND o.side = 'E') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y - 1 AND o.side = 'S') "
        "AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.world_id = e.world_id AND c.x = e.x "
        "AND c.y = e.y AND c.id <> ?1) ORDER BY 1, 2, 3",
        err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, id);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(list, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        list[(*count)++] = (repair_free_place){
            stmt_int(s, 0), {(int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2)}};
    }
    stmt_free(s);
    *out = list;
    return status;
}

ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err)
{
    const int64_t parameters[] = {said, at->world_id, id, at->pos.x, at->pos.y};
    *out = said;
    return stmt_ask(
        out, r->store,
        "SELECT coalesce((SELECT id FROM run WHERE id = ?1 AND world_id = ?2), "
        "(SELECT max(n) FROM (SELECT run_id AS n FROM chunk WHERE id = (SELECT max(id) FROM "
        "chunk WHERE world_id = ?2 AND id < ?3) UNION ALL SELECT run_id FROM edge "
        "WHERE world_id = ?2 AND (x = ?4 AND y = ?5 OR x = ?4 - 1 AND y = ?5 AND side = 'E' "
        "OR x = ?4 AND y = ?5 - 1 AND side = 'S')) WHERE n IN (SELECT id FROM run)), ?1)",
        parameters, sizeof parameters / sizeof *parameters, err);
}

/* ---- edges that chunks lack ---- */

#define IN_RANGE "BETWEEN -4194304 AND 4194304"
#define LACKING(dx, dy, side)                                                                  \
    "SELECT c.world_id, c.x - " #dx ", c.y - " #dy ", '" side "', c.id FROM chunk c "          \
    "WHERE typeof(c.x) = 'integer' AND typeof(c.y) = 'integer' "                               \
    "AND c.x " IN_RANGE " AND c.y " IN_RANGE " "                                               \
    "AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.world_id = c.world_id "                      \
    "AND e.x = c.x - " #dx " AND e.y = c.y - " #dy " AND e.side = '" side "')"

ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err)
{
    stmt *s = NULL;
    repair_lost_edge *list = NULL;
    size_t room = 0;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT DISTINCT world_id, x, y, side FROM ("
        "SELECT NULL AS world_id, 0 AS x, 0 AS y, '' AS side, "
        "0 AS id WHERE 0 UNION ALL " LACKING(0, 0, "E") " UNION ALL " LACKING(
            0, 0,
            "S") " UNION ALL " LACKING(1, 0,
                                       "E") " UNION ALL " LACKING(0, 1,
                                                                  "S") ") ORDER BY 1, 2, 3, 4",
        err);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(list, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        list[(*count)++] = (repair_lost_edge){
            stmt_int(s, 0),
            {.x = (int32_t)stmt_int(s, 1),
             .y = (int32_t)stmt_int(s, 2),
             .side = strcmp(stmt_text(s, 3), "E") == 0 ? EDGE_EAST : EDGE_SOUTH}};
    }
    stmt_free(s);
    *out = list;
    return status;
}

/*
 * Moves chunks back that were set aside because the file held other content than theirs. Once
 * their content is the file's again, they return to their tables as damaged as they are; then
 * they can be made again.
 */

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
