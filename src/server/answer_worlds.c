/* Which worlds there are, and which chunks of them. */
#include "core/emit.h"
#include "server/answer.h"

#include <stdlib.h>
#include <string.h>

/* ---- worlds ---- */

typedef struct world_rows {
    emitter *j;
    ptl_store *store;
    const char *only; /* the name of one; NULL: all */
    ptl_error *err;
    ptl_status status;
} world_rows;

static void put_bounds(emitter *j, const ptl_world_counts *c)
{
    const int32_t sides[4] = {c->west, c->north, c->east, c->south};
    emit_key(j, "bounds");
    if (c->chunks == 0) {
        emit_null(j);
        return;
    }
    emit_open(j, '[');
    for (size_t i = 0; i < 4; i++)
        emit_int(j, sides[i]);
    emit_close(j, ']');
}

static bool on_world(void *payload, const ptl_world_info *world)
{
    world_rows *w = payload;
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    char seed[24];
    emitter *j = w->j;
    if (w->only && strcmp(w->only, world->name) != 0)
        return true;
    w->status = ptl_world_count(w->store, world->name, &counts, w->err);
    if (w->status != PTL_OK)
        return false;
    bytes digits;
    bytes_init(&digits);
    bytes_printf(&digits, "%llu", (unsigned long long)world->options->seed);
    memset(seed, 0, sizeof seed);
    if (digits.size < sizeof seed)
        memcpy(seed, digits.data, digits.size);
    bytes_dispose(&digits);
    emit_open(j, '{');
    emit_key_text(j, "name", world->name);
    emit_key_text(j, "seed", seed);
    emit_key_text(j, "region", world->options->region);
    emit_key_text(j, "content", world->content);
    emit_key_bool(j, "current", world->is_current);
    emit_key_uint(j, "chunks", counts.chunks);
    put_bounds(j, &counts);
    emit_close(j, '}');
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

ptl_status answer_worlds(const asked *q, reply *out, ptl_error *err)
{
    emitter j = {&out->body, false};
    ptl_store *store = reader_store(q->from);
    world_rows w = {&j, store, target_text(q->values, "world"), err, PTL_OK};
    emit_open(&j, '{');
    emit_key_text(&j, "file", base_name(ptl_store_path(store)));
    emit_key_text(&j, "version", ptl_version());
    emit_key_bool(&j, "sql", q->may_query);
    emit_key_bool(&j, "write", q->may_write);
    emit_key_bool(&j, "copy", ptl_store_is_copy(store) != NULL);
    emit_key_text(&j, "shown", q->shown);
    emit_key_bool(&j, "save", q->save != NULL);
    emit_key(&j, "worlds");
    emit_open(&j, '[');
    const ptl_status status = ptl_world_list(store, on_world, &w, err);
    emit_close(&j, ']');
    emit_close(&j, '}');
    reply_tag(out);
    return w.status != PTL_OK ? w.status : status;
}

/* ---- chunks ---- */

/* Rows of chunks, each as runs from .. to of those that lie side by side. */
typedef struct chunk_rows {
    emitter j;
    bool begun;
    int32_t y, from, to;
    uint64_t count;
} chunk_rows;

static void put_run(chunk_rows *c)
{
    emit_int(&c->j, c->from);
    emit_int(&c->j, c->to);
}

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    chunk_rows *c = payload;
    c->count++;
    if (c->begun && c->y == pos.y && c->to == pos.x - 1) {
        c->to = pos.x;
        return true;
    }
    if (c->begun)
        put_run(c);
    if (!c->begun || c->y != pos.y) {
        if (c->begun)
            emit_close(&c->j, ']');
        emit_open(&c->j, '[');
        emit_int(&c->j, pos.y);
    }
    c->begun = true;
    c->y = pos.y;
    c->from = c->to = pos.x;
    return true;
}

ptl_status answer_chunks(const asked *q, reply *out, ptl_error *err)
{
    const char *world;
    ptl_status status = asked_text(q, "world", &world, err);
    if (status != PTL_OK)
        return status;
    chunk_rows c = {.j = {&out->body, false}};
    ptl_chunk_list_options which = PTL_CHUNK_LIST_OPTIONS_INIT;
    if (q->within) {
        which.x0 = q->within[0].x;
        which.y0 = q->within[0].y;
        which.x1 = q->within[1].x;
        which.y1 = q->within[1].y;
    }
    emit_open(&c.j, '{');
    emit_key(&c.j, "rows");
    emit_open(&c.j, '[');
    status = ptl_chunk_list(reader_store(q->from), world, &which, on_chunk, &c, err);
    if (c.begun) {
        put_run(&c);
        emit_close(&c.j, ']');
    }
    emit_close(&c.j, ']');
    emit_key_uint(&c.j, "count", c.count);
    emit_close(&c.j, '}');
    reply_tag(out);
    return status;
}
