/* Lists the places of a world's chunks, cities and specials, counts chunks, and finds the next
 * chunk after a place. */
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/rows.h"

#include <stdlib.h>

/*
 * A condition on chunks. Parameters: ?1 is the world, ?2 to ?5 are the filter's rectangle. If
 * ?6 is false, only stale chunks are selected: those with another content than ?7 or an older
 * generator than ?8. If ?9 is false, only generated chunks are selected.
 */
#define WHICH                                                                                  \
    " FROM main.chunk WHERE world_id = ?1 AND x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 "    \
    "AND (?6 OR content_id <> ?7 OR generator_version < ?8) AND (?9 OR origin = 'generated')"

/* Number of rows of table chunk that sqlite_chunk_total sums up at a time. */
enum { COUNT_AT_ONCE = 20000 };

#define WHICH_VALUES(world_id, which)                                                          \
    STMT_VALUES(world_id, (which)->x0, (which)->x1, (which)->y0, (which)->y1, !(which)->stale, \
                (which)->content_id, (which)->generator_version, !(which)->generated)

/* ---- chunks ---- */

ptl_status sqlite_chunk_list(ptl_chunk_pos **out, size_t *count, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    stmt *s = NULL;
    size_t room = 0;
    *out = NULL;
    *count = 0;
    ptl_status status = stmt_query(&s, store, "SELECT x, y" WHICH " ORDER BY x, y",
                                   WHICH_VALUES(world_id, which), err);
    while (stmt_row(s, &status, err))
        if (!ARRAY_ROOM(*out, room, *count + 1))
            status = error_nomem(err);
        else
            (*out)[(*count)++] =
                (ptl_chunk_pos){(int32_t)stmt_int(s, 0), (int32_t)stmt_int(s, 1)};
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
    return stmt_count(out, store, "SELECT count(*)" WHICH, WHICH_VALUES(world_id, which), err);
}

ptl_status sqlite_chunk_next(ptl_chunk_pos *pos, bool *found, ptl_store *store,
                             int64_t world_id, const chunk_filter *which, ptl_error *err)
{
    const ptl_chunk_pos last = *pos;
    stmt *s = NULL;
    *found = false;
    ptl_status status = stmt_find(
        &s, found, store, STMT_PLACE_AFTER,
        STMT_VALUES(world_id, which->x0, which->x1, which->y0, which->y1, last.x, last.y), err);
    if (status == PTL_OK && *found)
        *pos = (ptl_chunk_pos){(int32_t)stmt_int(s, 0), (int32_t)stmt_int(s, 1)};
    stmt_reset(s);
    if (status == PTL_OK && *found && !chunk_pos_after(*pos, last))
        return error_set(err, PTL_ERR_CORRUPT, "table chunk: its rows are out of order");
    return status;
}

/* Counts, by kind, the next ?7 chunks of the world ?1, and finds the rectangle in which they
 * lie. The chunks follow the place ?2, ?3 in the order of x, y. */
static const char total_sql[] =
    "SELECT count(*), sum(last_step = '' AND origin = 'generated'), sum(last_step <> ''), "
    "sum(origin = 'imported'), sum(origin = 'generated' AND content_id <> ?5), "
    "sum(origin = 'generated' AND (content_id <> ?5 OR generator_version < ?6)), "
    "min(x), min(y), max(x), max(y), max(x * 4294967296 + y) FROM "
    "(SELECT x, y, last_step, origin, content_id, generator_version FROM main.chunk "
    "WHERE world_id = ?1 AND (x, y) > (?2, ?3) AND x BETWEEN -?4 AND ?4 "
    "AND y BETWEEN -?4 AND ?4 ORDER BY x, y LIMIT ?7)";

static void add_piece(chunk_totals *out, const stmt *s)
{
    const bool first = out->chunks == 0;
    uint64_t *const counts[] = {&out->chunks,   &out->whole,   &out->unfinished,
                                &out->imported, &out->foreign, &out->stale};
    for (int i = 0; i < 6; i++)
        *counts[i] += (uint64_t)stmt_int(s, i);
    const int32_t ends[] = {(int32_t)stmt_int(s, 6), (int32_t)stmt_int(s, 7),
                            (int32_t)stmt_int(s, 8), (int32_t)stmt_int(s, 9)};
    out->west = first || ends[0] < out->west ? ends[0] : out->west;
    out->north = first || ends[1] < out->north ? ends[1] : out->north;
    out->east = first || ends[2] > out->east ? ends[2] : out->east;
    out->south = first || ends[3] > out->south ? ends[3] : out->south;
}

ptl_status sqlite_chunk_total(chunk_totals *out, ptl_store *store, int64_t world_id,
                              int64_t content_id, int32_t generator_version, ptl_error *err)
{
    ptl_chunk_pos after = {INT32_MIN, INT32_MIN};
    stmt *s = NULL;
    *out = (chunk_totals){.chunks = 0};
    ptl_status status = stmt_prepare(&s, store, total_sql, err);
    for (bool row = true; row;) {
        stmt_bind_ints(s, STMT_VALUES(world_id, after.x, after.y, PTL_CHUNK_COORD_MAX,
                                      content_id, generator_version, COUNT_AT_ONCE));
        row = stmt_row(s, &status, err) && stmt_int(s, 0) > 0;
        if (row) {
            /* Gets the place of the last chunk that was counted: column 8 has its x (the
             * greatest x), and column 10 its x * 2^32 + y. */
            const int32_t x = (int32_t)stmt_int(s, 8);
            const ptl_chunk_pos last = (ptl_chunk_pos){
                x, (int32_t)(stmt_int(s, 10) - (int64_t)x * INT64_C(4294967296))};
            add_piece(out, s);
            if (!chunk_pos_after(last, after))
                status =
                    error_set(err, PTL_ERR_CORRUPT, "table chunk: its rows are out of order");
            after = last;
        }
        stmt_reset(s);
    }
    stmt_free(s);
    return status;
}

ptl_status sqlite_edge_count(uint64_t *out, ptl_store *store, int64_t world_id, ptl_error *err)
{
    return stmt_count(out, store, "SELECT count(*) FROM main.edge WHERE world_id = ?",
                      STMT_VALUES(world_id), err);
}

/* ---- cities ---- */

/* Indices of the columns that the statements below give behind the columns of table city, or of
 * table special_placement: the coordinates of the chunk, and the special's name. */
enum { CITY_CHUNK_X = CITY_COLUMN_COUNT, CITY_CHUNK_Y };
enum { PLACE_CHUNK_X = SPECIAL_COLUMN_COUNT, PLACE_CHUNK_Y, PLACE_NAME };

static bool is_between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static bool in_range(const stmt *s, int column, int64_t least, int64_t most)
{
    return is_between(stmt_int(s, column), least, most);
}

ptl_status sqlite_city_visit(ptl_store *store, int64_t world_id, ptl_chunk_pos first,
                             ptl_chunk_pos last, city_visit *visit, void *payload,
                             ptl_error *err)
{
    static const char sql[] = "SELECT " ROW_LIST_OF(
        CITY_ROW,
        "t.") ", c.x, c.y FROM main.chunk c "
              "JOIN main.city t ON t.chunk_id = c.id "
              "WHERE c.world_id = ?1 AND c.x BETWEEN ?2 AND ?4 AND c.y BETWEEN ?3 AND ?5";
    stmt *s = NULL;
    TRY(stmt_query(&s, store, sql, STMT_VALUES(world_id, first.x, first.y, last.x, last.y),
                   err));
    const int64_t far = PTL_CHUNK_COORD_MAX, side = PTL_CHUNK_SIZE;
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        city_row city;
        const int64_t chunk_x = stmt_int(s, CITY_CHUNK_X), chunk_y = stmt_int(s, CITY_CHUNK_Y),
                      x = stmt_int(s, CITY_COLUMN_X), y = stmt_int(s, CITY_COLUMN_Y),
                      size = stmt_int(s, CITY_COLUMN_SIZE);
        if (!is_between(chunk_x, -far, far) || !is_between(chunk_y, -far, far) ||
            !is_between(x, 0, side - 1) || !is_between(y, 0, side - 1) ||
            !is_between(size, 1, INT16_MAX)) {
            status =
                error_set(err, PTL_ERR_CORRUPT, "a city of chunk %lld,%lld is out of range",
                          (long long)chunk_x, (long long)chunk_y);
            break;
        }
        city.name = stmt_text(s, CITY_COLUMN_NAME);
        city.chunk = (ptl_chunk_pos){(int32_t)chunk_x, (int32_t)chunk_y};
        city.number = (int32_t)stmt_int(s, CITY_COLUMN_NUMBER);
        city.x = (int32_t)x;
        city.y = (int32_t)y;
        city.size = (int32_t)size;
        status = stmt_had_memory(s, err);
        THEN(status, visit(payload, &city, err));
    }
    stmt_free(s);
    return status;
}

/* ---- specials ---- */

static ptl_status read_place(const stmt *s, place_row *out, ptl_error *err)
{
    const int64_t far = PTL_CHUNK_COORD_MAX;
    out->chunk = (ptl_chunk_pos){(int32_t)stmt_int(s, PLACE_CHUNK_X),
                                 (int32_t)stmt_int(s, PLACE_CHUNK_Y)};
    if (stmt_is_null(s, PLACE_NAME) || !in_range(s, PLACE_CHUNK_X, -far, far) ||
        !in_range(s, PLACE_CHUNK_Y, -far, far) ||
        !in_range(s, SPECIAL_COLUMN_X, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !in_range(s, SPECIAL_COLUMN_Y, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !in_range(s, SPECIAL_COLUMN_Z, PTL_Z_MIN, PTL_Z_MAX))
        return error_set(err, PTL_ERR_CORRUPT,
                         "a special of chunk %d,%d has no name, or is out of range",
                         (int)out->chunk.x, (int)out->chunk.y);
    out->special = stmt_text(s, PLACE_NAME);
    out->number = (int32_t)stmt_int(s, SPECIAL_COLUMN_ID) % 65536;
    out->x = (int32_t)stmt_int(s, SPECIAL_COLUMN_X);
    out->y = (int32_t)stmt_int(s, SPECIAL_COLUMN_Y);
    out->z = (int32_t)stmt_int(s, SPECIAL_COLUMN_Z);
    return stmt_had_memory(s, err);
}

ptl_status sqlite_place_visit(ptl_store *store, int64_t world_id, const char *special,
                              place_visit *visit, void *payload, ptl_error *err)
{
#define PLACES                                                                                 \
    "SELECT " ROW_LIST_OF(SPECIAL_ROW,                                                         \
                          "s.") ", c.x, c.y, "                                                 \
                                "(SELECT name FROM main.name WHERE id = s.special) FROM "
    static const char of_world[] =
        PLACES "main.chunk c CROSS JOIN main.special_placement s ON s.id BETWEEN c.id * 65536 "
               "AND c.id * 65536 + 65535 WHERE c.world_id = ?1";
    static const char of_special[] =
        PLACES "main.special_placement s CROSS JOIN main.chunk c ON c.id = s.id / 65536 "
               "WHERE c.world_id = ?1 AND s.special = (SELECT id FROM main.name WHERE name = "
               "?2)";
#undef PLACES
    stmt *s = NULL;
    TRY(stmt_query(&s, store, special ? of_special : of_world, STMT_VALUES(world_id), err));
    if (special)
        stmt_bind_text(s, 2, special);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        place_row place = {.special = ""};
        status = read_place(s, &place, err);
        THEN(status, visit(payload, &place, err));
    }
    stmt_free(s);
    return status;
}
