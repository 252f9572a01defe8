#include "codec/digest_local.h"

#include <string.h>

void digest_local_begin(digest_local *d)
{
    d->maps = 0;
    bytes_init(&d->scratch);
    digest_init(&d->state);
    digest_update(&d->state, "portolan local 1\n", 17);
}

/* With the NUL behind it: no id has one inside. */
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
