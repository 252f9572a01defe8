#include "codec/digest_world.h"

#include <string.h>

void digest_world_begin(digest_world *d)
{
    d->chunks = d->edges = 0;
    digest_init(&d->state);
    digest_update(&d->state, "portolan world 3\n", 17);
}

void digest_world_chunk(digest_world *d, ptl_chunk_pos pos, const digest *tiles,
                        const digest *features)
{
    d->chunks++;
    digest_update(&d->state, "C", 1);
    digest_update_u64(&d->state, (uint64_t)(int64_t)pos.x);
    digest_update_u64(&d->state, (uint64_t)(int64_t)pos.y);
    digest_update(&d->state, tiles->bytes, sizeof tiles->bytes);
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
