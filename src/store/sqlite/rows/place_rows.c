/* Where a world's chunks and cities lie: lists, counts and the next one. */
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>

/* ?1: the world; ?2 to ?5: the filter's rectangle; ?6: whether any content and generator will
 * do, else not ?7 and ?8; ?9: whether any origin will. */
#define WHICH                                                                                  \
    " FROM main.chunk WHERE world_id = ?1 AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 "    \
    "AND (?6 OR content_id <> ?7 OR generator_version < ?8) AND (?9 OR origin = 'generated')"

enum { COUNT_AT_ONCE = 20000 /* rows of table chunk */ };

static void bind_filter(stmt *s, int64_t world_id, const chunk_filter *which)
{
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, which->x0);
    stmt_bind_int(s, 3, which->x1);
    stmt_bind_int(s, 4, which->y0);
    stmt_bind_int(s, 5, which->y1);
    stmt_bind_int(s, 6, !which->stale);
    stmt_bind_int(s, 7, which->content_id);
    stmt_bind_int(s, 8, which->generator_version);
    stmt_bind_int(s, 9, !which->generated);
}

/* ---- chunks ---- */

static ptl_status add_place(ptl_chunk_pos **list, size_t *count, size_t *room, const stmt *s,
                            ptl_error *err)
{
    if (*count == *room) {
        const size_t more = *room ? 2 * *room : 256;
        ptl_chunk_pos *grown = realloc(*list, more * sizeof *grown);
        if (!grown)
            return error_nomem(err);
        *list = grown;
        *room = more;
    }
    (*list)[(*count)++] = (ptl_chunk_pos){(int32_t)stmt_int(s, 0), (int32_t)stmt_int(s, 1)};
    return PTL_OK;
}

ptl_status sqlite_chunk_list(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    size_t room = 0;
    *out = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(&s, store, "SELECT x, y" WHICH " ORDER BY x, y", err);
    if (status != PTL_OK)
        return status;
    bind_filter(s, world_id, which);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row)
        status = add_place(out, count, &room, s, err);
    stmt_free(s);
    if (status != PTL_OK) {
        free(*out);
        *out = NULL;
        *count = 0;
    }
    return status;
}

ptl_status sqlite_chunk_count(uint64_t *out, ptl_store *store, int64_t world_id,
                              const chunk_filter *which, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    *out = 0;
    ptl_status status = stmt_prepare(&s, store, "SELECT count(*)" WHICH, err);
    if (status != PTL_OK)
        return status;
    bind_filter(s, world_id, which);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        *out = (uint64_t)stmt_int(s, 0);
    stmt_free(s);
    return status;
}

ptl_status sqlite_chunk_next(ptl_chunk_pos *pos, bool *found, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    const ptl_chunk_pos last = *pos;
    stmt *s = NULL;
    *found = false;
    ptl_status status = stmt_prepared(&s, store, STMT_PLACE_AFTER, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, world_id);
    stmt_bind_int(s, 2, which->x0);
    stmt_bind_int(s, 3, which->x1);
    stmt_bind_int(s, 4, which->y0);
    stmt_bind_int(s, 5, which->y1);
    stmt_bind_int(s, 6, last.x);
    stmt_bind_int(s, 7, last.y);
    status = stmt_step(s, found, err);
    if (status == PTL_OK && *found)
        *pos = (ptl_chunk_pos){(int32_t)stmt_int(s, 0), (int32_t)stmt_int(s, 1)};
    stmt_reset(s);
    if (status == PTL_OK && *found &&
        (pos->x < last.x || (pos->x == last.x && pos->y <= last.y)))
        return error_set(err, PTL_ERR_CORRUPT, "table chunk: its rows are out of order");
    return status;
}

ptl_status sqlite_chunk_count_whole(uint64_t *whole, uint64_t *others, ptl_store *store,
                                    int64_t world_id, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = 0;
    bool more = true;
    *whole = *others = 0;
    ptl_status status = stmt_prepare(
        &s, store,
        "SELECT max(id), coalesce(sum(world_id = ?1 AND last_step = '' AND origin = "
        "'generated'),"
        " 0), coalesce(sum(world_id = ?1), 0) FROM (SELECT id, world_id, last_step, origin"
        " FROM chunk WHERE id > ?2 ORDER BY id LIMIT ?3)",
        err);
    while (status == PTL_OK && more) {
        bool row = false;
        stmt_bind_int(s, 1, world_id);
        stmt_bind_int(s, 2, after);
        stmt_bind_int(s, 3, COUNT_AT_ONCE);
        status = stmt_step(s, &row, err);
        more = status == PTL_OK && row && !stmt_is_null(s, 0);
        if (more) {
            *whole += (uint64_t)stmt_int(s, 1);
            *others += (uint64_t)(stmt_int(s, 2) - stmt_int(s, 1));
            status = stmt_next_id(s, &after, "chunk", err);
        }
        stmt_reset(s);
    }
    stmt_free(s);
    return status;
}

/* ---- cities ---- */

enum { COLUMN_NAME, COLUMN_CHUNK_X, COLUMN_CHUNK_Y, COLUMN_X, COLUMN_Y, COLUMN_SIZE };

static bool in_range(const stmt *s, int column, int64_t least, int64_t most)
{
    return stmt_int(s, column) >= least && stmt_int(s, column) <= most;
}

static ptl_status read_city(const stmt *s, city_row *out, ptl_error *err)
{
    const int64_t far = PTL_CHUNK_COORD_MAX;
    if (!in_range(s, COLUMN_CHUNK_X, -far, far) || !in_range(s, COLUMN_CHUNK_Y, -far, far) ||
        !in_range(s, COLUMN_X, 0, PTL_CHUNK_SIZE - 1) ||
        !in_range(s, COLUMN_Y, 0, PTL_CHUNK_SIZE - 1) ||
        !in_range(s, COLUMN_SIZE, 1, INT16_MAX))
        return error_set(err, PTL_ERR_CORRUPT, "a city of chunk %lld,%lld is out of range",
                         (long long)stmt_int(s, COLUMN_CHUNK_X),
                         (long long)stmt_int(s, COLUMN_CHUNK_Y));
    out->name = stmt_text(s, COLUMN_NAME);
    out->chunk = (ptl_chunk_pos){(int32_t)stmt_int(s, COLUMN_CHUNK_X),
                                 (int32_t)stmt_int(s, COLUMN_CHUNK_Y)};
    out->x = (int32_t)stmt_int(s, COLUMN_X);
    out->y = (int32_t)stmt_int(s, COLUMN_Y);
    out->size = (int32_t)stmt_int(s, COLUMN_SIZE);
    return stmt_had_memory(s, err);
}

ptl_status sqlite_city_visit(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                             ptl_chunk_pos last, city_visit *visit, void *payload,
                             ptl_error *err)
{
    static const char sql[] =
        "SELECT t.name, c.x, c.y, t.x, t.y, t.size FROM main.chunk c "
        "JOIN main.city t ON t.chunk_id = c.id "
        "WHERE c.world_id = ?1 AND c.x BETWEEN ?2 AND ?4 AND c.y BETWEEN ?3 AND ?5";
    const int64_t parameters[] = {world_id, first.x, first.y, last.x, last.y};
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, store, sql, err);
    for (int i = 0; s && i < 5; i++)
        stmt_bind_int(s, i + 1, parameters[i]);
    while (status == PTL_OK && (status = stmt_step(s, &row, err)) == PTL_OK && row) {
        city_row city = {.name = ""};
        status = read_city(s, &city, err);
        if (status == PTL_OK)
            status = visit(payload, &city, err);
    }
    stmt_free(s);
    return status;
}
