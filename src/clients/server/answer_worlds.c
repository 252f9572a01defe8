/*
 * Which worlds the file has, which chunks each world has, and in which state the chunks are.
 */
#include "clients/server/answer.h"
#include "core/error.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- worlds ---- */

typedef struct world_rows {
    emitter *j;
    ptl_store *store;
    const char *only; /* only the world of this name; NULL: all */
    /* Names of the only worlds that are listed; the array ends with NULL. If `names` is NULL,
     * all worlds are listed. */
    const char *const *names;
    ptl_error *err;
    ptl_status status;
} world_rows;

/* How many chunks a world has, and the rectangle around them. */
typedef struct extent {
    uint64_t chunks;
    ptl_chunk_pos first, last; /* north-west and south-east corner */
} extent;

static bool add_to_extent(void *payload, ptl_chunk_pos pos)
{
    extent *e = payload;
    if (e->chunks++ == 0)
        e->first = e->last = pos;
    e->first.x = pos.x < e->first.x ? pos.x : e->first.x;
    e->first.y = pos.y < e->first.y ? pos.y : e->first.y;
    e->last.x = pos.x > e->last.x ? pos.x : e->last.x;
    e->last.y = pos.y > e->last.y ? pos.y : e->last.y;
    return true;
}

/* Writes one world as JSON. The seed is written as a text, because JavaScript cannot hold all
 * 64-bit numbers. */
static bool on_world(void *payload, const ptl_world_info *world)
{
    world_rows *w = payload;
    extent e = {.chunks = 0};
    char seed[24];
    emitter *j = w->j;
    bool is_named = !w->names; /* if there is no list of names, every world is written */
    for (size_t i = 0; !is_named && w->names[i]; i++)
        is_named = strcmp(w->names[i], world->name) == 0;
    if ((w->only && strcmp(w->only, world->name) != 0) || !is_named)
        return true;
    w->status = ptl_chunk_list(w->store, world->name, NULL, add_to_extent, &e, w->err);
    if (w->status != PTL_OK)
        return false;
    (void)snprintf(seed, sizeof seed, "%" PRIu64, world->options->seed);
    emit_put(j, "{name:%s, seed:%s, region:%s, content:%s, current:%i, chunks:%ju", world->name,
             seed, world->options->region, world->content, world->is_current, e.chunks);
    if (e.chunks == 0)
        emit_key_text(j, "bounds", NULL);
    else
        emit_put(j, "bounds:[%d, %d, %d, %d]", e.first.x, e.first.y, e.last.x, e.last.y);
    emit_put(j, "}");

    return true;
}

ptl_status answer_worlds(const asked *q, reply *out, ptl_error *err)
{
    ptl_store *store = reader_store(q->from);
    const char *path = ptl_store_path(store), *slash = strrchr(path, '/');
    ptl_tileset_info set = PTL_TILESET_INFO_INIT;
    world_rows w = {&out->j, store, target_text(q->values, "world"), q->names, err, PTL_OK};
    emit_put(&out->j,
             "{file:%s, version:%s, sql:%i, write:%i, copy:%i, shown:%s, save:%i, "
             "tileset:%s, worlds:[",
             slash ? slash + 1 : path, ptl_version(), q->may_query, q->may_write,
             ptl_store_private_copy(store) != NULL, q->shown, q->save != NULL,
             ptl_tileset_describe(&set, q->tileset) == PTL_OK ? set.name : NULL);
    const ptl_status status = ptl_world_list(store, on_world, &w, err);
    emit_put(&out->j, "]}");
    return w.status != PTL_OK ? w.status : status;
}

/* ---- chunks ---- */

/* Writes chunks as JSON, in rows of runs. A run (from .. to) has chunks that lie side by side
 * in one row. Chunks must arrive row by row, each row from west to east. A run is only written
 * when it has ended. */
typedef struct chunk_rows {
    emitter j;
    bool begun;
    int32_t y, from, to;
    uint64_t count;
} chunk_rows;

static bool on_chunk(void *payload, ptl_chunk_pos pos)
{
    chunk_rows *c = payload;
    c->count++;
    if (c->begun && c->y == pos.y && c->to == pos.x - 1) {
        c->to = pos.x;
        return true;
    }
    if (c->begun)
        emit_put(&c->j, "%d, %d", c->from, c->to);
    if (!c->begun || c->y != pos.y) {
        if (c->begun)
            emit_put(&c->j, "]");
        emit_put(&c->j, "[%d", pos.y);
    }
    c->begun = true;
    c->y = pos.y;
    c->from = c->to = pos.x;
    return true;
}

static void end_rows(chunk_rows *c)
{
    if (c->begun) {
        emit_put(&c->j, "%d, %d", c->from, c->to);
        emit_put(&c->j, "]");
    }
}

bool answer_is_within(const ptl_chunk_pos *within, ptl_chunk_pos at)
{
    return !within || (at.x >= within[0].x && at.y >= within[0].y && at.x <= within[1].x &&
                       at.y <= within[1].y);
}

ptl_chunk_list_options answer_chunks_within(const ptl_chunk_pos *within)
{
    ptl_chunk_list_options which = PTL_CHUNK_LIST_OPTIONS_INIT;
    if (within) {
        which.x0 = within[0].x;
        which.y0 = within[0].y;
        which.x1 = within[1].x;
        which.y1 = within[1].y;
    }
    return which;
}

ptl_status answer_chunks(const asked *q, reply *out, ptl_error *err)
{
    chunk_rows c = {.j = {&out->body, false}};
    const ptl_chunk_list_options which = answer_chunks_within(q->within);
    emit_put(&c.j, "{rows:[");
    ptl_status status =
        ptl_chunk_list(reader_store(q->from), q->text, &which, on_chunk, &c, err);
    end_rows(&c);
    emit_put(&c.j, "], count:%ju}", c.count);
    return status;
}

/* ---- states: chunks that the program would make differently today ---- */

typedef enum state {
    OTHER_CONTENT, /* stale: generated with a content that is not the file's current one */
    OLDER,         /* stale: made by an older version of the generator */
    IMPORTED,      /* from a game's save */
    UNFINISHED,    /* the chunk's generation ended before its last step */
    STATES
} state;

static const char *const state_names[] = {[OTHER_CONTENT] = "other_content",
                                          [OLDER] = "older",
                                          [IMPORTED] = "imported",
                                          [UNFINISHED] = "unfinished"};

typedef struct states {
    const asked *q;
    const char *world;
    bool of_stale;      /* true while stale chunks are listed */
    bytes text[STATES]; /* Owned; for each state: the chunks that are in that state, as rows in
                           JSON. */
    chunk_rows rows[STATES];
    /* Digest of the file's current content; "" if it has none. */
    char present[PTL_CONTENT_DIGEST_SIZE];
    ptl_error *err;
    ptl_status status;
} states;

static bool on_content(void *payload, const ptl_content_info *content)
{
    states *s = payload;
    const size_t size = strlen(content->digest);
    if (content->is_current && size < sizeof s->present)
        memcpy(s->present, content->digest, size + 1);
    return true;
}

/* Adds a chunk to the rows of each state that it has. A stale chunk was made with other content
 * or, if its content is the current one, by an older generator. */
static bool on_each(void *payload, ptl_chunk_pos pos)
{
    states *s = payload;
    ptl_chunk_info info = PTL_CHUNK_INFO_INIT;
    s->status = ptl_chunk_info_load(&info, reader_store(s->q->from), s->world, pos, s->err);
    if (s->status != PTL_OK)
        return false;
    if (s->of_stale)
        return on_chunk(&s->rows[strcmp(info.content, s->present) != 0 ? OTHER_CONTENT : OLDER],
                        pos);
    if (info.imported)
        (void)on_chunk(&s->rows[IMPORTED], pos);
    if (info.last_step[0] != '\0')
        (void)on_chunk(&s->rows[UNFINISHED], pos);
    return true;
}

ptl_status answer_states(const asked *q, reply *out, ptl_error *err)
{
    states s = {.q = q, .world = q->text, .err = err};
    for (size_t i = 0; i < STATES; i++)
        s.rows[i].j = (emitter){&s.text[i], false};
    ptl_store *store = reader_store(q->from);
    ptl_world_counts counts = PTL_WORLD_COUNTS_INIT;
    ptl_chunk_list_options which = answer_chunks_within(q->within);
    ptl_status status = ptl_content_list(store, on_content, &s, err);
    /* The numbers of stale, imported and unfinished chunks are loaded first. Listing such
     * chunks takes long, so it is done only if there are some. */
    THEN(status, ptl_world_counts_load(&counts, store, s.world, err));
    for (int turn = 0; turn < 2; turn++) {
        s.of_stale = turn == 0;
        which.stale = s.of_stale;
        if (s.of_stale ? counts.stale > 0 : counts.imported + counts.unfinished > 0)
            THEN(status, ptl_chunk_list(store, s.world, &which, on_each, &s, err));
    }
    status = s.status != PTL_OK ? s.status : status;
    emit_put(&out->j, "{");
    for (size_t i = 0; i < STATES; i++) {
        end_rows(&s.rows[i]);
        emit_key(&out->j, state_names[i]);
        emit_put(&out->j, "{rows:[");
        emit_values(&out->j, &s.text[i]);
        emit_put(&out->j, "], count:%ju}", s.rows[i].count);
    }
    emit_put(&out->j, "}");
    for (size_t i = 0; i < STATES; i++)
        bytes_dispose(&s.text[i]);
    return status;
}
