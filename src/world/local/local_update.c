/* Runs the content's updates on existing local maps (portolan/local.h). */
#include "world/local/local.h"

local_map *world_local_new(void)
{
    local_map *map = malloc(sizeof *map);
    if (map)
        local_map_init(map);
    return map;
}

void world_local_free(local_map *map)
{
    if (map)
        local_map_dispose(map);
    free(map);
}

static uint32_t move_id(const id_pool *from, id_pool *to, uint32_t id)
{
    const char *text = id_pool_text(from, id);
    return id_pool_put(to, text, strlen(text));
}

void world_local_move_thing(local_entity *e, id_pool *to, const id_pool *from)
{
    uint32_t *const ids[] = {&e->id, &e->with, &e->text, &e->own};
    for (int i = 0; i < 4; i++)
        *ids[i] = move_id(from, to, *ids[i]);
}

void world_local_move_cells(uint32_t *out, id_pool *to, const uint32_t *cells,
                            const id_pool *from)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        out[i] = i > 0 && cells[i] == cells[i - 1] ? out[i - 1] : move_id(from, to, cells[i]);
}

void world_local_move_tiles(local_map *out, id_pool *to, const local_map *map,
                            const id_pool *from)
{
    world_local_move_cells(out->terrain, to, map->terrain, from);
    world_local_move_cells(out->furniture, to, map->furniture, from);
    world_local_move_cells(out->trap, to, map->trap, from);
    memcpy(out->radiation, map->radiation, sizeof out->radiation);
}

/* ---- one map ---- */

/* Copies a map to the mapgen's pool, as the update needs it. */
static ptl_status lend(local_map **out, const ptl_local_map *map, id_pool *pool, ptl_error *err)
{
    local_map *lent = *out = world_local_new();
    if (!lent)
        return error_nomem(err);
    world_local_move_tiles(lent, pool, &map->stored.map, map->stored.pool);
    /* Entities go through the update without their texts, which would stay in the mapgen's
     * pool for ever. Instead `own` holds the entity's number + 1, by which it is found
     * again. */
    for (size_t i = 0; i < map->stored.map.count; i++) {
        local_entity e = map->stored.map.entities[i];
        e.id = e.with = e.text = ID_NONE;
        e.own = (uint32_t)i + 1;
        local_map_add(lent, &e);
    }
    return lent->failed || id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

/* Runs an update that begins on `map`. *out becomes `other` after it: the same map (up 0), or
 * one that lies `up` levels above. */
static ptl_status run_update(local_map *out, ptl_world *world, const ptl_local_map *map,
                             const ptl_local_map *other, int up, const char *id, ptl_error *err)
{
    local_maker maker;
    local_map *work = NULL, *own = NULL;
    TRY(world_local_maker(&maker, world, map->stored.info.turn, err));
    id_pool *pool = maker.mapgen->pool;
    const map_info *info = &map->stored.info;
    ptl_status status = lend(&work, other, pool, err);
    if (status == PTL_OK && up != 0)
        status = lend(&own, map, pool, err);
    THEN(status, world_local_update(work, own, up, info, &maker, id, err));
    if (status == PTL_OK) {
        world_local_move_tiles(out, other->stored.pool, work, pool);
        out->palette = other->stored.map.palette;
        /* Entities from before get back their texts; new ones get theirs in the map's own
         * pool. */
        for (size_t i = 0; i < work->count; i++) {
            local_entity e = work->entities[i];
            if (e.own != ID_NONE) {
                const local_entity *old = &other->stored.map.entities[e.own - 1];
                e.id = old->id;
                e.with = old->with;
                e.text = old->text;
                e.own = old->own;
            } else {
                world_local_move_thing(&e, other->stored.pool, pool);
            }
            local_map_add(out, &e);
        }
    }
    if (status == PTL_OK && (out->failed || id_pool_failed(other->stored.pool)))
        status = error_nomem(err);
    world_local_free(work);
    world_local_free(own);
    return status;
}

static void swap(local_map *a, local_map *b)
{
    const local_map kept = *a;
    *a = *b;
    *b = kept;
}

/* ---- all that an update changes ---- */

/* The map that the update was asked for, and the maps of other levels of its column that the
 * update changes. */
typedef struct updating {
    ptl_local_map *maps[PTL_LEVELS]; /* the first is the caller's, the others are owned */
    local_map *updated[PTL_LEVELS];  /* owned; the maps after the update, or before it once they
                                        were swapped */
    size_t count;
} updating;

static bool same_thing(const local_entity *a, const local_entity *b)
{
    return a->kind == b->kind && a->x == b->x && a->y == b->y && a->x2 == b->x2 &&
           a->y2 == b->y2 && a->id == b->id && a->with == b->with && a->text == b->text &&
           a->own == b->own && a->count == b->count && a->charges == b->charges &&
           a->status == b->status;
}

static bool is_changed(const local_map *a, const local_map *b)
{
    bool same = memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0 &&
                memcmp(a->furniture, b->furniture, sizeof a->furniture) == 0 &&
                memcmp(a->trap, b->trap, sizeof a->trap) == 0 &&
                memcmp(a->radiation, b->radiation, sizeof a->radiation) == 0 &&
                a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = same_thing(&a->entities[i], &b->entities[i]);
    return !same;
}

/* Runs the update on one more map and adds it to the list. A map of another level is freed
 * instead after an error, or if the update leaves it as it is. */
static ptl_status update_one(updating *u, ptl_world *world, ptl_local_map *map, int up,
                             const char *id, ptl_error *err)
{
    local_map *updated = world_local_new();
    ptl_local_map *first = u->count > 0 ? u->maps[0] : map;
    const ptl_status status =
        updated ? run_update(updated, world, first, map, up, id, err) : error_nomem(err);
    if (status == PTL_OK && (up == 0 || is_changed(updated, &map->stored.map))) {
        u->maps[u->count] = map;
        u->updated[u->count++] = updated;
        return PTL_OK;
    }
    world_local_free(updated);
    if (up != 0)
        ptl_local_free(map);
    return status;
}

static void swap_all(updating *u)
{
    for (size_t i = 0; i < u->count; i++)
        swap(&u->maps[i]->stored.map, u->updated[i]);
}

ptl_status ptl_local_update_run(ptl_world *world, ptl_local_map *map, const char *id,
                                ptl_error *err)
{
    updating u = {.count = 0};
    error_clear(err);
    if (!world || !map || !id || !id[0])
        return error_set(err, PTL_ERR_ARGUMENT,
                         "world, map and the id of an update must be given");
    if (map->world_id != world->row.id)
        return error_set(err, PTL_ERR_ARGUMENT, "a local map of another world than '%s'",
                         world->row.name);
    world_local_still(map);
    ptl_status status = update_one(&u, world, map, 0, id, err);
    if (status == PTL_OK) {
        const ptl_omt at = u.maps[0]->stored.info.at;
        const ptl_local_options options = {.size = sizeof options,
                                           .turn = u.maps[0]->stored.info.turn};
        world_mapgen *m = world->mapgen;
        const uint64_t levels =
            mapgen_heights_of_update(m->library, id_pool_put(m->pool, id, strlen(id)));
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && status == PTL_OK; z++) {
            ptl_local_map *other = NULL;
            if (z == at.z || !(levels >> (MAPGEN_HEIGHT_MAX + z - at.z) & 1))
                continue;
            status = ptl_local_get(&other, world, (ptl_omt){at.x, at.y, z}, &options, err);
            THEN(status, update_one(&u, world, other, z - at.z, id, err));
        }
    }
    if (status == PTL_OK) {
        /* The maps hold the update only for the put, and are swapped back if that fails. */
        swap_all(&u);
        status = ptl_local_put(world, u.maps, u.count, err);
        if (status != PTL_OK)
            swap_all(&u);
    }
    for (size_t i = 0; i < u.count; i++) {
        world_local_free(u.updated[i]);
        if (i > 0)
            ptl_local_free(u.maps[i]);
    }
    return status;
}
