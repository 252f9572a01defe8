#include "clients/watch/looks.h"

#include "portolan/catalogue.h"

#include <string.h>

static void put_look(emitter *j, const char *key, const ptl_terrain_type *t)
{
    emit_key(j, key);
    emit_put(j, "{name:%s, color:%s, symbol:%u}", t->name, t->color, t->symbol);
}

static bool looks_alike(const ptl_terrain_type *a, const ptl_terrain_type *b)
{
    return a->symbol == b->symbol && strcmp(a->name, b->name) == 0 &&
           strcmp(a->color, b->color) == 0;
}

static void put_terrain(emitter *j, uint64_t *count, const ptl_catalogue *before,
                        const ptl_terrain_type *now)
{
    ptl_terrain_type was = PTL_TERRAIN_TYPE_INIT;
    size_t number;
    if (ptl_catalogue_find(before, PTL_CONTENT_TERRAIN, now->id, &number) != PTL_OK ||
        ptl_catalogue_terrain(before, number, &was) != PTL_OK)
        return; /* a new one */
    if (looks_alike(&was, now) || ++*count > LOOKS_LISTED_MAX)
        return;
    emit_put(j, "{id:%s", now->id);
    put_look(j, "before", &was);
    put_look(j, "now", now);
    emit_put(j, "}");
}

void looks_put(emitter *j, uint64_t *count, const ptl_world *before, const ptl_world *now)
{
    const ptl_catalogue *old = ptl_world_catalogue(before), *all = ptl_world_catalogue(now);
    const size_t terrains = ptl_catalogue_count(all, PTL_CONTENT_TERRAIN);
    *count = 0;
    emit_put(j, "looks:[");
    for (size_t i = 0; i < terrains; i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
        if (ptl_catalogue_terrain(all, i, &t) == PTL_OK)
            put_terrain(j, count, old, &t);
    }
    emit_put(j, "], looks_count:%ju", *count);
}
