#include "codec/digest_world.h"

#include <string.h>

void digest_world_begin(digest_world *d)
{
    d->chunks = d->edges = 0;
    digest_init(&d->state);
    digest_update(&d->state, "portolan world 3\n", 17);
}

void digest_world_chunk(digest_world *d, ptl_chunk_pos pos, const digest *omts,
                        const digest *features)
{
    d->chunks++;
    digest_update(&d->state, "C", 1);
    digest_update_u64(&d->state, (uint64_t)(int64_t)pos.x);
    digest_update_u64(&d->state, (uint64_t)(int64_t)pos.y);
    digest_update(&d->state, omts->bytes, sizeof omts->bytes);
    digest_update(&d->state, features->bytes, sizeof features->bytes);
}

void digest_world_edge(digest_world *d, const edge *e)
{
    digest_state *state = &d->state;
    d->edges++;
    digest_update(state, e->side == EDGE_EAST ? "E" : "S", 1);
    digest_update_u64(state, (uint64_t)(int64_t)e->x);
    digest_update_u64(state, (uint64_t)(int64_t)e->y);
    digest_update(state, e->origin == EDGE_FOREIGN ? "f" : "p", 1);
    digest_update_u64(state, e->count);
    for (size_t i = 0; i < e->count; i++) {
        const crossing *c = &e->crossings[i];
        digest_update_u64(state, (uint64_t)(int64_t)c->z);
        digest_update_counted(state, c->kind, strlen(c->kind));
        digest_update_u64(state, (uint64_t)(int64_t)c->position);
        digest_update_u64(state, c->width);
        digest_update_u64(state, (uint64_t)(int64_t)c->direction);
    }
}

void digest_world_side(digest_world *d, const char *const *cells)
{
    digest_update(&d->state, cells ? "\1" : "\0", 1);
    for (int i = 0; cells && i < PTL_CHUNK_SIZE; i++)
        digest_update_counted(&d->state, cells[i], strlen(cells[i]));
}

void digest_world_end(digest_world *d, ptl_world_digest_result *out)
{
    digest result;
    digest_update_u64(&d->state, d->chunks);
    digest_update_u64(&d->state, d->edges);
    digest_final(&d->state, &result);
    memset(out, 0, sizeof *out);
    out->chunks = d->chunks;
    out->edges = d->edges;
    digest_to_hex(&result, out->hex);
}

void digest_local_begin(digest_local *d)
{
    d->maps = 0;
    bytes_init(&d->scratch);
    digest_init(&d->state);
    digest_update(&d->state, "portolan local 1\n", 17);
}

/* Appends a text and a NUL. The NUL separates it from the next text, because no text contains
 * one. */
static void put_text(bytes *out, const id_pool *pool, uint32_t id)
{
    const char *text = id_pool_text(pool, id);
    bytes_put(out, text, strlen(text) + 1);
}

void digest_local_map(digest_local *d, const local_map *map, const id_pool *pool,
                      const int64_t place[3], const char *oter, bool fallback)
{
    bytes *out = &d->scratch;
    bytes_clear(out);
    for (int i = 0; i < 3; i++)
        bytes_put_u64(out, (uint64_t)place[i]);
    bytes_put(out, oter, strlen(oter) + 1);
    bytes_put_u8(out, fallback);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        put_text(out, pool, map->terrain[i]);
        put_text(out, pool, map->furniture[i]);
        put_text(out, pool, map->trap[i]);
        bytes_put_u8(out, map->radiation[i]);
    }
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        const char *kind = local_kind_name(e->kind);
        bytes_put(out, kind, strlen(kind) + 1);
        put_text(out, pool, e->id);
        put_text(out, pool, e->with);
        put_text(out, pool, e->text);
        put_text(out, pool, e->own);
        bytes_put(out, (const uint8_t[]){e->x, e->y, e->x2, e->y2}, 4);
        bytes_put_u32(out, (uint32_t)e->count);
        bytes_put_u32(out, (uint32_t)e->charges);
        bytes_put_u32(out, (uint32_t)e->status);
    }
    digest_update_counted(&d->state, out->data, out->size);
    d->maps++;
}

bool digest_local_end(digest_local *d, char hex[DIGEST_HEX_SIZE])
{
    digest result;
    const bool good = !d->scratch.failed;
    digest_update_u64(&d->state, d->maps);
    digest_final(&d->state, &result);
    digest_to_hex(&result, hex);
    bytes_dispose(&d->scratch);
    return good;
}
