/*
 * The ids in a region's block of highways. An id that nothing defines is a warning: the region
 * is usable without it, but no world can be made that asks for highways (gen/config.c); an
 * unknown id in a list just never comes up.
 */
#include "content/types/region.h"
#include "content/types/terrain.h"

#include <string.h>

/* Keeps an id; there is room for it. */
static void keep(region *r, const highway_part *part, const char *id)
{
    if (id)
        r->highway_ids[r->highway_id_count++] = (region_highway_id){part, id};
}

void region_read_highways(import *im, region *r, const char *name, json_t *block)
{
    if (strcmp(name, highway_block) != 0)
        return;
    /* As many ids as the block may have need room. */
    size_t room = HIGHWAY_PARTS;
    for (size_t i = 0; i < HIGHWAY_PARTS; i++) {
        const json_t *bin = json_object_get(block, highway_parts[i].key);
        room += json_object_size(bin) + json_array_size(bin);
    }
    r->highway_ids = import_alloc(im, room, sizeof *r->highway_ids);
    for (size_t i = 0; r->highway_ids && i < HIGHWAY_PARTS; i++) {
        const highway_part *part = &highway_parts[i];
        json_t *value = json_object_get(block, part->key), *weight;
        const char *id;
        if (part->kind != HIGHWAY_SPECIALS) {
            keep(r, part, json_string_value(value));
            continue;
        }
        /* A weighted list is {"id": weight}, [["id", weight]] or ["id"]. */
        json_object_foreach(value, id, weight)
        {
            keep(r, part, id);
        }
        for (size_t k = 0; k < json_array_size(value); k++) {
            const json_t *item = json_array_get(value, k);
            keep(r, part,
                 json_string_value(json_is_array(item) ? json_array_get(item, 0) : item));
        }
    }
}

bool region_highway_key(const char *key)
{
    bool known = strcmp(key, "straightness_chance") == 0;
    for (size_t i = 0; i < HIGHWAY_PARTS && !known; i++)
        known = strcmp(highway_parts[i].key, key) == 0;
    return known;
}
