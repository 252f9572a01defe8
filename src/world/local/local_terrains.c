#include "world/local/local_terrains.h"

#include "core/bytes.h"
#include "mapgen/ground/ground.h"

#include <string.h>

/* ---- keys ---- */

/* The shape of a linear terrain: the suffix that its mapgen keys have, and its rotation. A
 * shape is drawn in one direction: an end to the south, a straight line from north to south,
 * a curve from east to south, a tee to all sides but north. A line that leads nowhere is
 * drawn like one that leads to all sides. */
typedef struct line_shape {
    const char *suffix;
    int turns; /* clockwise quarter turns from the drawn direction */
} line_shape;

static line_shape shape_of(uint8_t line)
{
    static const line_shape shapes[16] = {
        {"_four_way", 0}, {"_end", 2},      {"_end", 3},      {"_curved", 3},
        {"_end", 0},      {"_straight", 0}, {"_curved", 0},   {"_tee", 3},
        {"_end", 1},      {"_curved", 2},   {"_straight", 1}, {"_tee", 2},
        {"_curved", 1},   {"_tee", 1},      {"_tee", 0},      {"_four_way", 0}};
    return shapes[line & 15];
}

int world_turns_of(const cat_oter *oter)
{
    return oter->line ? shape_of(oter->line).turns : oter->rotation;
}

static uint32_t text_id(id_pool *pool, const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

static uint32_t joined(id_pool *pool, const char *type, const char *suffix)
{
    bytes key;
    bytes_init(&key);
    bytes_put_text(&key, type);
    bytes_put_text(&key, suffix);
    uint32_t id = ID_NONE;
    if (key.failed)
        id_pool_fail(pool);
    else
        id = id_pool_put(pool, (const char *)key.data, key.size);
    bytes_dispose(&key);
    return id;
}

uint32_t world_key_of(id_pool *pool, const catalogue *cat, const cat_oter *oter)
{
    const cat_terrain *t = &cat->terrains[oter->terrain];
    return t->flags & CAT_FLAG_LINEAR ? joined(pool, t->id, shape_of(oter->line).suffix)
                                      : text_id(pool, t->id);
}

/* ---- what terrains say ---- */

static bool set_uniform(mapgen_library *library, id_pool *pool, const catalogue *cat,
                        const cat_terrain *t)
{
    const uint32_t uniform = text_id(pool, t->uniform);
    bool good = true;
    for (uint16_t i = 0; i < t->count && good; i++) {
        const uint32_t key = world_key_of(pool, cat, &cat->oters[t->first + i]);
        good = key != ID_NONE && mapgen_library_set_uniform(library, key, uniform);
    }
    return good;
}

bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat)
{
    bool good = true;
    for (size_t i = 0; i < cat->terrain_count && good; i++) {
        const cat_terrain *t = &cat->terrains[i];
        const char *type = ground_type_of(t->id, t->builtin);
        if (t->uniform && t->uniform[0])
            good = set_uniform(library, pool, cat, t);
        if (good && strcmp(type, t->id) != 0)
            good =
                mapgen_library_set_ground(library, text_id(pool, t->id), text_id(pool, type));
    }
    return good && !id_pool_failed(pool);
}

bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter)
{
    const cat_terrain *t = &cat->terrains[oter->terrain];
    const uint32_t key = world_key_of(pool, cat, oter);
    const mapgen_candidate *c = mapgen_library_first(library, MAPGEN_OM_TERRAIN, key);
    for (; c; c = mapgen_library_next(c))
        if (c->entry->json || c->entry->script != ID_NONE)
            return true;
    return mapgen_library_uniform(library, key) != ID_NONE ||
           (t->shoals && catalogue_shoals(cat)) || ground_is_lab(t->id) ||
           ground_is_made(ground_type_of(t->id, t->builtin));
}

/* ---- entries that stand in a terrain ---- */

enum { TERRAIN, LIST, JSON };

const content_query world_embedded_query = {CONTENT_TERRAIN_MAPGEN, "terrain, list, json",
                                            "terrain, list, position"};

const char *world_embedded_text(const content_value *row)
{
    const char *text = value_text(row, JSON);
    return strstr(text, "\"object\"") || strstr(text, "\"script\"") ? text : NULL;
}

/* Returns the key of an embedded entry. A list `mapgen_tee` belongs to the key of the terrain
 * with the suffix `_tee`. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row)
{
    static const char list[] = "mapgen";
    return joined(pool, value_text(row, TERRAIN), value_text(row, LIST) + strlen(list));
}
