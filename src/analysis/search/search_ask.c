/* One asking of a search, and what is told of it. */
#include "analysis/search/search_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "portolan/query.h"

#include <stdlib.h>
#include <strings.h>

enum { SQL_SECONDS = 60 };

static bool add(search_found *found, ptl_search_match match, ptl_error *err)
{
    if (!ARRAY_ROOM(found->list, found->room, found->count + 1)) {
        error_nomem(err);
        return false;
    }
    found->list[found->count++] = match;
    return true;
}

static bool is_full(search_found *found)
{
    found->cut = found->most > 0 && found->count >= found->most;
    return found->cut;
}

ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed, ptl_error *err)
{
    const relation_match *list;
    size_t count;
    ptl_status status = finder_find(f, &list, &count, err);
    found->count = 0;
    found->cut = false;
    for (size_t i = 0; i < count && status == PTL_OK && !is_full(found); i++)
        if (!add(found,
                 (ptl_search_match){.size = sizeof(ptl_search_match),
                                    .seed = seed,
                                    .x = list[i].x,
                                    .y = list[i].y,
                                    .z = list[i].z,
                                    .what = list[i].what,
                                    .has_place = true,
                                    .has_level = true},
                 err))
            status = PTL_ERR_NOMEM;
    return status;
}

typedef struct sql_rows {
    search_found *found;
    uint64_t seed;
    ptl_error *err;
    bool full, failed;
} sql_rows;

static bool whole(const ptl_value *v, int64_t *out)
{
    if (v->type == PTL_VALUE_INTEGER)
        *out = v->integer;
    else if (v->type == PTL_VALUE_REAL && v->real > -9e15 && v->real < 9e15)
        *out = (int64_t)v->real;
    else
        return false;
    return true;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    sql_rows *rows = payload;
    ptl_search_match match = {.size = sizeof match, .seed = rows->seed, .what = ""};
    bool has_x = false, has_y = false;
    rows->full = is_full(rows->found);
    if (rows->full)
        return false;
    for (size_t i = 0; i < columns; i++) {
        if (strcasecmp(names[i], "x") == 0)
            has_x = whole(&values[i], &match.x);
        else if (strcasecmp(names[i], "y") == 0)
            has_y = whole(&values[i], &match.y);
        else if (strcasecmp(names[i], "z") == 0)
            match.has_level = whole(&values[i], &match.z);
    }
    match.has_place = has_x && has_y;
    rows->failed = !add(rows->found, match, rows->err);
    return !rows->failed;
}

ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql, uint64_t seed,
                          ptl_error *err)
{
    ptl_error local = {0};
    sql_rows rows = {.found = found, .seed = seed, .err = err};
    const ptl_query_options options = {
        .size = sizeof options, .on_row = on_row, .payload = &rows, .time_limit = SQL_SECONDS};
    found->count = 0;
    found->cut = false;
    ptl_status status = ptl_query(store, sql, &options, &local);
    if (rows.failed)
        return PTL_ERR_NOMEM;
    if (rows.full)
        return PTL_OK;
    return status == PTL_OK ? PTL_OK : error_set(err, status, "%s", local.message);
}

uint64_t search_most(const ptl_search *s)
{
    const uint64_t left = s->o.limit;
    return s->o.per_seed == 0 || (left > 0 && left < s->o.per_seed) ? left : s->o.per_seed;
}

ptl_status search_tell(ptl_search *s, const search_found *found, bool *stop, ptl_error *err)
{
    *stop = false;
    s->report.cut = false;
    for (size_t i = 0; i < found->count && !*stop; i++) {
        s->report.matches++;
        *stop = s->o.limit > 0 && s->report.matches >= s->o.limit;
        s->report.cut = *stop && (found->cut || i + 1 < found->count) &&
                        (s->o.per_seed == 0 || i + 1 < s->o.per_seed);
        if (!s->o.on_match(s->o.payload, &found->list[i]))
            return error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    return PTL_OK;
}

static int compare_chunks(const void *left, const void *right)
{
    const ptl_chunk_pos *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

void search_order_chunks(ptl_search *s)
{
    size_t count = 0;
    if (s->chunk_count > 1)
        qsort(s->chunks, s->chunk_count, sizeof *s->chunks, compare_chunks);
    for (size_t i = 0; i < s->chunk_count; i++)
        if (count == 0 || compare_chunks(&s->chunks[count - 1], &s->chunks[i]) != 0)
            s->chunks[count++] = s->chunks[i];
    s->chunk_count = count;
}
