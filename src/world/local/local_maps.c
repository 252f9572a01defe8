/*
 * Local maps (portolan/local.h): reads, makes and writes them, and gives out their parts. A map
 * that is not stored is made, encoded and written, and then read like any stored map, so that a
 * map looks the same whether it was just made or not. The spills of maps (how high the sea must
 * stand to reach each tile) are written with them (local_spill.c).
 */
#include "world/local/local_maps.h"

#include "codec/spills/spill_codec.h"
#include "core/array.h"
#include "core/sized.h"
#include "mapgen/compile/text_id.h"
#include "world/bulk.h"
#include "world/local/local_reader.h"

#include <stdio.h>

/* ---- storing maps ---- */

/* Makes world->local_codec, if it does not exist. */
static ptl_status world_local_codec(ptl_world *world, ptl_error *err)
{
    if (!world->local_codec)
        world->local_codec = codec_new();
    return world->local_codec ? PTL_OK : error_nomem(err);
}

/* Writes a map and its spills in one transaction. */
static ptl_status write_map(ptl_world *world, const map_write *map, ptl_error *err)
{
    TRY(local_spills_prepare(world, map, 1, err));
    TRY(ops(world->store)->transaction->begin(world->store, err));
    ptl_status status = ops(world->store)->map->put(world->store, world->row.id, map, 1, err);
    THEN(status, local_spills_changed(world, map, 1, err));
    return world_end_writing(world->store, status, err);
}

/* Makes a map and stores it. If another process has stored this map in the meantime, the map of
 * that process stays. */
static ptl_status make_map(ptl_world *world, ptl_omt at, int64_t turn, ptl_error *err)
{
    local_map *map = world_local_new();
    encoded_local encoded = {.texts = {0}};
    map_write w = {.encoded = &encoded};
    if (!map)
        return error_nomem(err);
    ptl_status status = world_local_codec(world, err);
    THEN(status, world_local_make(map, &w.info, world, at, turn, err));
    THEN(status, local_encode(&encoded, world->local_codec, map, world->mapgen->pool, err));
    THEN(status, write_map(world, &w, err));
    if (status == PTL_ERR_EXISTS) {
        error_clear(err);
        status = PTL_OK;
    }
    encoded_local_dispose(&encoded);
    world_local_free(map);
    return status;
}

/* ---- getting maps ---- */

ptl_status world_local_place(ptl_omt at, ptl_error *err)
{
    static const int64_t least = -(int64_t)PTL_CHUNK_COORD_MAX * PTL_CHUNK_SIZE;
    static const int64_t most = ((int64_t)PTL_CHUNK_COORD_MAX + 1) * PTL_CHUNK_SIZE - 1;
    if (at.z < PTL_Z_MIN || at.z > PTL_Z_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "level %d lies outside %d..%d", (int)at.z,
                         PTL_Z_MIN, PTL_Z_MAX);
    if (at.x < least || at.x > most || at.y < least || at.y > most)
        return error_set(err, PTL_ERR_ARGUMENT, "OMT %lld,%lld lies outside of all chunks",
                         (long long)at.x, (long long)at.y);
    return PTL_OK;
}

/* Reads a stored map. *out does not change if there is none. */
static ptl_status read_stored(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    bool found = false;
    ptl_local_map *map = calloc(1, sizeof *map);
    if (!map)
        return error_nomem(err);
    map->world_id = world->row.id;
    ptl_status status =
        ops(world->store)
            ->map->read(&map->stored, &found, world->store, world->row.id, at, err);
    if (status == PTL_OK && found)
        *out = map;
    else
        ptl_local_free(map);
    return status;
}

static ptl_status not_stored(const ptl_world *world, ptl_omt at, ptl_error *err)
{
    return error_set(err, PTL_ERR_NOT_FOUND,
                     "the local map at %lld,%lld,%d of world '%s' is not stored",
                     (long long)at.x, (long long)at.y, (int)at.z, world->row.name);
}

ptl_status ptl_local_load(ptl_local_map **out, ptl_world *world, ptl_omt at, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    TRY(world_local_place(at, err));
    TRY(read_stored(out, world, at, err));
    return !*out ? not_stored(world, at, err) : PTL_OK;
}

/* The revision of a map that is stored as it was made. */
enum { REVISION_MADE = 1 };

/* Makes the map of an OMT in the form of a stored map, but does not store it. *out is new. This
 * serves files that are only read, and worlds that derive their local maps
 * (ptl_world_options.derive): they store only maps that a game has edited, and make every other
 * map anew, for turn 0, each time it is read. */
static ptl_status world_local_derive(ptl_local_map **out, ptl_world *world, ptl_omt at,
                                     int64_t turn, ptl_error *err)
{
    local_map *made = world_local_new();
    map_info info;
    ptl_status status = made ? PTL_OK : error_nomem(err);
    THEN(status, world_local_make(made, &info, world, at, turn, err));
    THEN(status, world_local_own(out, world, made, &info, err));
    world_local_free(made);
    return status;
}

/* Copies a map, whose ids are numbers of the pool `from`, into one in the form of the public
 * calls, which has a pool of texts of its own. */
static ptl_status copy_map(ptl_local_map **out, const local_map *map, const id_pool *from,
                           const map_info *info, ptl_error *err)
{
    ptl_local_map *copy = calloc(1, sizeof *copy);
    *out = NULL;
    if (!copy)
        return error_nomem(err);
    stored_map *to = &copy->stored;
    local_map_init(&to->map);
    to->pool = id_pool_new();
    if (to->pool) {
        world_local_move_tiles(&to->map, to->pool, map, from);
        to->map.palette = mapgen_word_id(to->pool, id_pool_text(from, map->palette));
    }
    for (size_t k = 0; to->pool && k < map->count; k++) {
        local_entity e = map->entities[k];
        world_local_move_thing(&e, to->pool, from);
        local_map_add(&to->map, &e);
    }
    to->info = *info;
    if (to->pool)
        to->info.oter = id_pool_text(to->pool, mapgen_word_id(to->pool, info->oter));
    if (!to->pool || map->failed || to->map.failed || id_pool_failed(to->pool)) {
        ptl_local_free(copy);
        return error_nomem(err);
    }
    *out = copy;
    return PTL_OK;
}

ptl_status world_local_own(ptl_local_map **out, const ptl_world *world, const local_map *made,
                           const map_info *info, ptl_error *err)
{
    TRY(copy_map(out, made, world->mapgen->pool, info, err));
    (*out)->stored.info.revision = REVISION_MADE;
    (*out)->world_id = world->row.id;
    (*out)->derived = true;
    return PTL_OK;
}

ptl_status world_local_copy(ptl_local_map **out, const ptl_local_map *map, ptl_error *err)
{
    TRY(copy_map(out, &map->stored.map, map->stored.pool, &map->stored.info, err));
    (*out)->world_id = map->world_id;
    (*out)->derived = map->derived;
    return PTL_OK;
}

ptl_status ptl_local_get(ptl_local_map **out, ptl_world *world, ptl_omt at,
                         const ptl_local_options *options, ptl_error *err)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    ptl_status status = SIZED_TAKE(ptl_local_options, &o, options, err);
    if (status == PTL_OK && o.turn < 0)
        status = error_set(err, PTL_ERR_ARGUMENT, "turn %lld is below 0", (long long)o.turn);
    THEN(status, world_local_place(at, err));
    THEN(status, read_stored(out, world, at, err));
    const bool keep =
        !world->row.derive && ops(world->store)->transaction->may_write(world->store);
    if (status == PTL_OK && !*out && !keep) {
        status = world_local_derive(out, world, at, world->row.derive ? 0 : o.turn, err);
    } else if (status == PTL_OK && !*out) {
        status = make_map(world, at, o.turn, err);
        THEN(status, read_stored(out, world, at, err));
        if (status == PTL_OK && !*out)
            status = not_stored(world, at, err);
    }
    if (status == PTL_OK && o.tide)
        status = world_local_show(*out, world, o.view, err);
    if (status != PTL_OK) {
        ptl_local_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- writing edited maps ---- */

ptl_status local_other_world(const ptl_world *world, ptl_error *err)
{
    return error_set(err, PTL_ERR_ARGUMENT, "a local map of another world than '%s'",
                     world->row.name);
}

/* Does the map have the same terrain as when the game wrote it last? If so, its spills (how
 * high the sea must stand to reach each tile) stay the same. False if another process has
 * stored another revision since; then the map in memory can't be written anyway. */
static bool has_same_ground(const ptl_world *world, const ptl_local_map *map)
{
    const map_info *info = &map->stored.info;
    stored_map was = {.pool = NULL};
    ptl_error none = {0};
    bool same = false;
    if (!info->edited || map->derived || ptl_local_tide_turns(world) == 0 ||
        ops(world->store)
                ->map->read(&was, &same, world->store, world->row.id, info->at, &none) !=
            PTL_OK ||
        !same)
        return false;
    same = was.info.edited && was.info.revision == info->revision;
    for (int i = 0; i < LOCAL_CELLS && same; i++)
        same = strcmp(id_pool_text(was.pool, was.map.terrain[i]),
                      id_pool_text(map->stored.pool, map->stored.map.terrain[i])) == 0;
    stored_map_dispose(&was);
    return same;
}

void changed_maps_dispose(changed_maps *c)
{
    for (size_t i = 0; c->encoded && i < c->count; i++)
        encoded_local_dispose(&c->encoded[i]);
    free(c->encoded);
    free(c->writes);
}

ptl_status changed_maps_prepare(changed_maps *out, ptl_world *world, ptl_local_map *const *maps,
                                size_t count, ptl_error *err)
{
    *out = (changed_maps){.writes = calloc(count, sizeof *out->writes),
                          .encoded = calloc(count, sizeof *out->encoded),
                          .maps = maps,
                          .count = count};
    if (!out->writes || !out->encoded)
        return error_nomem(err);
    TRY(world_local_codec(world, err));
    for (size_t i = 0; i < count; i++) {
        if (maps[i]->world_id != world->row.id)
            return local_other_world(world, err);
        TRY(local_encode(&out->encoded[i], world->local_codec, &maps[i]->stored.map,
                         maps[i]->stored.pool, err));
        out->writes[i] = (map_write){.info = maps[i]->stored.info,
                                     .encoded = &out->encoded[i],
                                     .same_ground = has_same_ground(world, maps[i])};
        out->writes[i].info.edited = true;
    }
    return local_spills_prepare(world, out->writes, count, err);
}

ptl_status changed_maps_write(const changed_maps *c, ptl_world *world, ptl_error *err)
{
    const map_operations *stored = ops(world->store)->map;
    for (size_t i = 0; i < c->count; i++) {
        int64_t revision = 0;
        map_write first = c->writes[i];
        if (!c->maps[i]->derived)
            continue;
        /* If the world derives its maps, the file may lack the map that was edited. Then the
         * map is first stored as it was made, with the first revision. After that the edited
         * map can be written like any other. */
        first.info.revision = 0;
        first.info.edited = false;
        TRY(stored->revision(&revision, world->store, world->row.id, first.info.at, err));
        if (revision == 0)
            TRY(stored->put(world->store, world->row.id, &first, 1, err));
    }
    TRY(stored->put(world->store, world->row.id, c->writes, c->count, err));
    return local_spills_changed(world, c->writes, c->count, err);
}

void local_changed(ptl_local_map *map, int64_t revision)
{
    map->stored.info.revision = revision;
    map->stored.info.edited = true;
    map->derived = false;
}

ptl_status ptl_local_put(ptl_world *world, ptl_local_map *const *maps, size_t count,
                         ptl_error *err)
{
    changed_maps changed;
    error_clear(err);
    if (count == 0)
        return PTL_OK;
    for (size_t i = 0; i < count; i++)
        world_local_still(maps[i]);
    ptl_status status = changed_maps_prepare(&changed, world, maps, count, err);
    THEN(status, ops(world->store)->transaction->begin(world->store, err));
    if (status == PTL_OK) {
        status = changed_maps_write(&changed, world, err);
        status = world_end_writing(world->store, status, err);
    }
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        local_changed(maps[i], maps[i]->stored.info.revision + 1);
    changed_maps_dispose(&changed);
    return status;
}

void ptl_local_free(ptl_local_map *map)
{
    if (!map)
        return;
    stored_map_dispose(&map->stored);
    free(map->view);
    free(map);
}

ptl_status world_local_keep(ptl_world *world, ptl_error *err)
{
    const world_row now = {.id = world->row.id,
                           .derive = false,
                           .generator_version = world->row.generator_version,
                           .content_id = world->row.content_id};
    TRY(ops(world->store)->transaction->begin(world->store, err));
    ptl_status status = ops(world->store)->world->renew(world->store, &now, err);
    status = world_end_writing(world->store, status, err);
    if (status != PTL_OK) {
        return status;
    }
    world->row.derive = world->options.derive = false;
    return PTL_OK;
}

/* ---- facts about a map ---- */

ptl_omt ptl_local_place(const ptl_local_map *map)
{
    return map->stored.info.at;
}

int64_t ptl_local_revision(const ptl_local_map *map)
{
    return map->stored.info.revision;
}

int64_t ptl_local_turn(const ptl_local_map *map)
{
    return map->stored.info.turn;
}

bool ptl_local_is_edited(const ptl_local_map *map)
{
    return map->stored.info.edited;
}

bool ptl_local_is_stored(const ptl_local_map *map)
{
    return !map->derived;
}

const char *ptl_local_oter(const ptl_local_map *map)
{
    return map->stored.info.oter;
}

bool ptl_local_is_fallback(const ptl_local_map *map)
{
    return map->stored.info.fallback;
}

/* ---- tiles ---- */

static const char *text_at(const ptl_local_map *map, const uint32_t *cells, int32_t x,
                           int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? id_pool_text(map->stored.pool, cells[y * LOCAL_SIDE + x]) : "";
}

const char *ptl_local_terrain(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.terrain, x, y);
}

const char *ptl_local_furniture(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.furniture, x, y);
}

const char *ptl_local_trap(const ptl_local_map *map, int32_t x, int32_t y)
{
    return text_at(map, map->stored.map.trap, x, y);
}

int32_t ptl_local_radiation(const ptl_local_map *map, int32_t x, int32_t y)
{
    const bool inside = x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
    return inside ? map->stored.map.radiation[y * LOCAL_SIDE + x] : 0;
}

/* ---- entities ---- */

size_t ptl_local_entity_count(const ptl_local_map *map)
{
    return map->stored.map.count;
}

ptl_status ptl_local_entity_at(ptl_local_entity *out, const ptl_local_map *map, size_t number)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    const id_pool *pool = map->stored.pool;
    const bool found = number < map->stored.map.count;
    ptl_status status = SIZED_CHECK(ptl_local_entity, out, NULL);
    e.kind = e.id = e.with = e.text = e.own = "";
    if (found) {
        const local_entity *in = &map->stored.map.entities[number];
        e.kind = local_kind_name(in->kind);
        e.id = id_pool_text(pool, in->id);
        e.with = id_pool_text(pool, in->with);
        e.text = id_pool_text(pool, in->text);
        e.own = id_pool_text(pool, in->own);
        e.x = in->x;
        e.y = in->y;
        e.x2 = in->x2;
        e.y2 = in->y2;
        e.count = in->count;
        e.charges = in->charges;
        e.status = in->status;
    }
    if (status != PTL_OK)
        return status;
    SIZED_FILL(ptl_local_entity, out, &e);
    return found ? PTL_OK : PTL_ERR_NOT_FOUND;
}
