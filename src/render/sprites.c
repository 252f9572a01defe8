#include "render/sprites.h"

#include "core/array.h"
#include "core/error.h"
#include "core/hash.h"
#include "store/store.h"
#include "json/reader.h"
#include "json/view.h"

#include <stdlib.h>
#include <string.h>

/* How often in a row the games pass from an id to one that it looks like. */
enum { JUMPS_MAX = 10 };

/* ---- oters ---- */

/* The ids that a terrain looks like: a part of terrain_sprites.likes. */
typedef struct like_list {
    uint32_t first, count;
} like_list;

typedef struct terrain_sprites {
    const catalogue *cat;
    const ptl_tileset *set;
    uint32_t *tiles;  /* owned; see sprites_of_terrains */
    like_list *lists; /* owned; by number of the terrain */
    id_pool *ids;     /* owned; the texts of the ids in `likes` */
    uint32_t *likes;  /* owned; numbers in `ids` */
    size_t like_count, like_room;
    json_reader *json; /* owned */
    bytes text;        /* scratch */
} terrain_sprites;

/* Reads the ids that a terrain looks like from their JSON list. */
static ptl_status read_likes(terrain_sprites *s, like_list *list, const char *json,
                             ptl_error *err)
{
    list->first = (uint32_t)s->like_count;
    if (!json_reader_whole(s->json, json, strlen(json), NULL))
        return error_set(err, PTL_ERR_CORRUPT, "content tables: looks_like is no JSON");
    const json_document document = json_reader_document(s->json);
    for (json_walk w = json_walk_of(json_view_of(&document)); json_walk_next(&w);) {
        size_t length = 0;
        const char *id = json_view_text(w.value, &s->text, &length);
        if (s->text.failed || !ARRAY_ROOM(s->likes, s->like_room, s->like_count + 1))
            return error_nomem(err);
        s->likes[s->like_count++] = id ? id_pool_put(s->ids, id, length) : ID_NONE;
        list->count++;
    }
    return id_pool_failed(s->ids) ? error_nomem(err) : PTL_OK;
}

static ptl_status on_terrain(void *payload, const content_value *row, ptl_error *err)
{
    terrain_sprites *s = payload;
    const char *id = value_text(row, 0);
    const uint16_t terrain = catalogue_terrain(s->cat, id);
    if (terrain >= catalogue_all_terrains(s->cat) || s->tiles[terrain])
        return PTL_OK;
    s->tiles[terrain] = tileset_find(s->set, id);
    return s->tiles[terrain] ? PTL_OK
                             : read_likes(s, &s->lists[terrain], value_text(row, 1), err);
}

/* Returns the tile of the first id in a terrain's list that has one, by itself or by the ids
 * that it looks like. */
static uint32_t search(const terrain_sprites *s, uint16_t terrain, int jumps)
{
    const like_list list = s->lists[terrain];
    uint32_t found = s->tiles[terrain];
    for (uint32_t i = 0; i < list.count && !found && jumps > 0; i++) {
        const char *id = id_pool_text(s->ids, s->likes[list.first + i]);
        const uint16_t like = catalogue_terrain(s->cat, id);
        found = tileset_find(s->set, id);
        if (!found && like < catalogue_all_terrains(s->cat))
            found = search(s, like, jumps - 1);
    }
    return found;
}

ptl_status sprites_of_terrains(uint32_t **out, ptl_world *world, const ptl_tileset *set,
                               ptl_error *err)
{
    static const content_query query = {CONTENT_TERRAINS, "id, looks_like", "id"};
    const size_t count = catalogue_all_terrains(world->cat);
    terrain_sprites s = {.cat = world->cat,
                         .set = set,
                         .tiles = calloc(count + 1, sizeof *s.tiles),
                         .lists = calloc(count + 1, sizeof *s.lists),
                         .ids = id_pool_new(),
                         .json = json_reader_new((stop_hook){NULL, NULL})};
    ptl_status status = s.tiles && s.lists && s.ids && s.json ? PTL_OK : error_nomem(err);
    THEN(status, ops(world->store)
                     ->content->row_visit(world->store, world->cat->content_id, &query,
                                          on_terrain, &s, err));
    for (uint16_t i = 0; i < count && status == PTL_OK; i++)
        s.tiles[i] = search(&s, i, JUMPS_MAX);
    json_reader_free(s.json);
    bytes_dispose(&s.text);
    id_pool_free(s.ids);
    free(s.likes);
    free(s.lists);
    if (status != PTL_OK)
        free(s.tiles);
    *out = status == PTL_OK ? s.tiles : NULL;
    return status;
}

placed_tile sprite_of_oter(const uint32_t *types, const catalogue *cat, ptl_oter oter)
{
    placed_tile tile = {.shape = SHAPE_NONE};
    if (oter >= catalogue_all_oters(cat))
        return tile;
    const cat_oter *o = &cat->oters[oter];
    tile.number = types[o->terrain];
    tile.turn = o->rotation;
    if (cat->terrains[o->terrain].count == 16)
        tile_set_arms(&tile, o->line);
    return tile;
}

/* ---- things of local maps ---- */

uint32_t sprite_of_thing(tile_looks *looks, const ptl_tileset *set, local_layer layer,
                         const char *id)
{
    uint32_t found = tileset_find(set, id);
    tile_look look;
    for (int i = 0;
         i < JUMPS_MAX && !found && tile_looks_find(&look, looks, layer, id) && look.like[0];
         i++) {
        id = look.like;
        found = tileset_find(set, id);
    }
    return found;
}

uint32_t sprite_chance(int64_t x, int64_t y, int32_t z)
{
    return (uint32_t)(hash_add(hash_add((uint64_t)x, (uint64_t)y), (uint64_t)z) >> 32);
}
