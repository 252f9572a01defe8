#include "unit/store/query/vtab_world.h"

#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

void vtab_world_make(vtab_world *w, uint64_t seed)
{
    static const ptl_chunk_pos places[] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0}};
    ptl_error err = {0};
    world_file_path(w->path);
    w->store = world_file_open(w->path, "w", seed);
    ptl_world *world = world_file_world(w->store, "w");
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = places;
    options.position_count = sizeof places / sizeof places[0];
    ck_assert_msg(ptl_generate(NULL, world, &options, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
    vtab_world_close(w);
}

void vtab_world_remove(vtab_world *w)
{
    world_file_remove(w->path);
}

void vtab_world_open(vtab_world *w)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    memset(&w->err, 0, sizeof w->err);
    ck_assert_msg(ptl_store_open(&w->store, w->path, &options, &w->err) == PTL_OK, "%s",
                  w->err.message);
}

void vtab_world_close(vtab_world *w)
{
    ptl_store_close(w->store);
    w->store = NULL;
}

static bool take_row(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    vtab_answer *a = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        const ptl_value *v = &values[i];
        const char *end = i + 1 < columns ? "|" : ";";
        char *at = a->text + a->used;
        const size_t left = sizeof a->text - a->used;
        int size;
        if (v->type == PTL_VALUE_INTEGER)
            size = snprintf(at, left, "%lld%s", (long long)v->integer, end);
        else if (v->type == PTL_VALUE_REAL)
            size = snprintf(at, left, "%.9g%s", v->real, end);
        else if (v->type == PTL_VALUE_NULL)
            size = snprintf(at, left, "NULL%s", end);
        else
            size = snprintf(at, left, "%.*s%s", (int)v->size, v->text, end);
        if (size < 0 || (size_t)size >= left)
            return false;
        a->used += (size_t)size;
    }
    return true;
}

ptl_status vtab_ask(vtab_world *w, vtab_answer *out, const char *sql)
{
    const ptl_query_options options = {
        .size = sizeof options, .on_row = take_row, .payload = out, .time_limit = 60};
    memset(out, 0, sizeof *out);
    memset(&w->err, 0, sizeof w->err);
    return ptl_query(w->store, sql, &options, &w->err);
}

void vtab_expect(vtab_world *w, const char *sql, const char *text)
{
    vtab_answer a;
    ck_assert_msg(vtab_ask(w, &a, sql) == PTL_OK, "%s: %s", sql, w->err.message);
    ck_assert_msg(strcmp(a.text, text) == 0, "%s: %s, not %s", sql, a.text, text);
}

void vtab_expect_error(vtab_world *w, const char *sql, ptl_status status, const char *part)
{
    vtab_answer a;
    const ptl_status got = vtab_ask(w, &a, sql);
    ck_assert_msg(got == status && strstr(w->err.message, part), "%s: %d, %s", sql, (int)got,
                  w->err.message);
}
