#include "store/sqlite/query/vtab_near_chunks.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4096, SPECIALS_MAX = 65536 };

struct near_source {
    ptl_store *store;
    stmt *world, *name, *chunks, *specials;
    near_chunk *slots[SLOTS]; /* owned; indexed by id % SLOTS */
};

near_source *near_source_new(ptl_store *store)
{
    near_source *c = calloc(1, sizeof *c);
    if (c)
        c->store = store;
    return c;
}

static void chunk_free(near_chunk *chunk)
{
    if (chunk)
        free(chunk->specials);
    free(chunk);
}

void near_source_free(near_source *c)
{
    if (!c)
        return;
    stmt_free(c->world);
    stmt_free(c->name);
    stmt_free(c->chunks);
    stmt_free(c->specials);
    for (size_t i = 0; i < SLOTS; i++)
        chunk_free(c->slots[i]);
    free(c);
}

/* Looks up the number of a name by sql; *out stays as it is if there is none. */
static ptl_status look_up(int64_t *out, near_source *c, stmt **s, const char *sql,
                          const char *name, ptl_error *err)
{
    bool row = false;
    TRY(*s ? PTL_OK : stmt_prepare(s, c->store, sql, err));
    stmt_bind_text(*s, 1, name);
    ptl_status status = stmt_step(*s, &row, err);
    if (status == PTL_OK && row)
        *out = stmt_int(*s, 0);
    stmt_reset(*s);
    return status;
}

ptl_status near_world(int64_t *out, near_source *c, const char *name, ptl_error *err)
{
    *out = -1;
    return look_up(out, c, &c->world, "SELECT id FROM main.world WHERE name = ?", name, err);
}

ptl_status near_name(uint32_t *out, near_source *c, const char *special, ptl_error *err)
{
    int64_t number = 0;
    ptl_status status =
        look_up(&number, c, &c->name, "SELECT id FROM main.name WHERE name = ?", special, err);
    *out = (uint32_t)number;
    return status;
}

/* ---- chunks ---- */

static ptl_status add_special(near_chunk *chunk, size_t *room, const stmt *s, ptl_error *err)
{
    if (!ARRAY_ROOM(chunk->specials, *room, chunk->count + 1))
        return error_nomem(err);
    const int64_t x = stmt_int(s, 2), y = stmt_int(s, 3);
    if (x < -PTL_CHUNK_SIZE || x >= 2 * PTL_CHUNK_SIZE || y < -PTL_CHUNK_SIZE ||
        y >= 2 * PTL_CHUNK_SIZE)
        return error_set(err, PTL_ERR_CORRUPT, "special %zu: a bad place", chunk->count);
    chunk->specials[chunk->count++] =
        (near_special){.name = (uint32_t)stmt_int(s, 1),
                       .x = chunk->pos.x * PTL_CHUNK_SIZE + (int32_t)x,
                       .y = chunk->pos.y * PTL_CHUNK_SIZE + (int32_t)y,
                       .number = (uint16_t)(stmt_int(s, 0) % SPECIALS_MAX),
                       .z = (int8_t)stmt_int(s, 4),
                       .rotation = (int8_t)stmt_int(s, 5)};
    return PTL_OK;
}

static ptl_status read_specials(near_chunk *chunk, near_source *c, ptl_error *err)
{
    size_t room = 0;
    ptl_status status = PTL_OK;
    if (!c->specials)
        TRY(stmt_prepare(&c->specials, c->store,
                         "SELECT id, special, x, y, z, rotation FROM "
                         "main.special_placement WHERE id BETWEEN ?1 * 65536 AND "
                         "?1 * 65536 + 65535 ORDER BY id",
                         err));
    stmt_bind_int(c->specials, 1, chunk->id);
    while (stmt_row(c->specials, &status, err))
        status = chunk->count < SPECIALS_MAX
                     ? add_special(chunk, &room, c->specials, err)
                     : error_set(err, PTL_ERR_CORRUPT, "too many specials");
    stmt_reset(c->specials);
    return status;
}

static ptl_status get_chunk(const near_chunk **out, near_source *c, int64_t id,
                            ptl_chunk_pos pos, ptl_error *err)
{
    near_chunk **slot = &c->slots[(uint64_t)id % SLOTS];
    *out = *slot;
    if (*slot && (*slot)->id == id)
        return PTL_OK;
    near_chunk *chunk = calloc(1, sizeof *chunk);
    if (!chunk)
        return error_nomem(err);
    chunk->id = id;
    chunk->pos = pos;
    ptl_status status = read_specials(chunk, c, err);
    if (status != PTL_OK) {
        chunk_free(chunk);
        return error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
    }
    chunk_free(*slot);
    *out = *slot = chunk;
    return PTL_OK;
}

ptl_status near_chunks(near_source *c, int64_t world_id, ptl_chunk_pos low, ptl_chunk_pos high,
                       near_visit *visit, void *payload, ptl_error *err)
{
    const int64_t parameters[] = {world_id, low.x, high.x, low.y, high.y};
    ptl_status status = PTL_OK;
    if (!c->chunks)
        TRY(stmt_prepare(&c->chunks, c->store,
                         "SELECT id, x, y FROM main.chunk WHERE world_id = ?1 AND "
                         "x BETWEEN ?2 AND ?3 AND y BETWEEN ?4 AND ?5 ORDER BY x, y",
                         err));
    stmt_bind_ints(c->chunks, parameters, 5);
    while (stmt_row(c->chunks, &status, err)) {
        const near_chunk *chunk = NULL;
        /* The rectangle is hardly larger than the range of chunks in a file, so nothing
         * overflows. */
        const ptl_chunk_pos pos = {(int32_t)stmt_int(c->chunks, 1),
                                   (int32_t)stmt_int(c->chunks, 2)};
        status = get_chunk(&chunk, c, stmt_int(c->chunks, 0), pos, err);
        THEN(status, visit(payload, chunk, err));
    }
    stmt_reset(c->chunks);
    return status;
}
