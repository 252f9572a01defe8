/* Runs the content's updates (changes that mapgen makes to existing maps) on local maps
 * (portolan/local.h), and changes maps in memory for the caller. */
#include "core/sized.h"
#include "core/utf8.h"
#include "model/local_map.h"
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

/* ---- updating one map ---- */

/* Copies a map for an update. In the copy the ids are numbers of the pool of the mapgen, as the
 * update requires. */
static ptl_status lend(local_map **out, const ptl_local_map *map, id_pool *pool, ptl_error *err)
{
    local_map *lent = *out = world_local_new();
    if (!lent)
        return error_nomem(err);
    world_local_move_tiles(lent, pool, &map->stored.map, map->stored.pool);
    /* The update gets the entities without their texts, because texts are never removed from
     * the mapgen's pool. The member `own` of an entity is set to its number + 1. By it the
     * texts are found again after the update. */
    for (size_t i = 0; i < map->stored.map.count; i++) {
        local_entity e = map->stored.map.entities[i];
        e.id = e.with = e.text = ID_NONE;
        e.own = (uint32_t)i + 1;
        local_map_add(lent, &e);
    }
    return lent->failed || id_pool_failed(pool) ? error_nomem(err) : PTL_OK;
}

/* Applies an update to the OMT of `map`. `other` is a map `up` levels above that OMT; if up is
 * 0, it is `map` itself. *out becomes the map `other` as it is after the update. */
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
        /* Entities that the map had before keep their texts. The texts of new entities are
         * added to the map's own pool. */
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

/* ---- all maps that an update changes ---- */

/* The map whose update the caller has ordered, and the maps of other levels of its column that
 * the update changes. */
typedef struct updating {
    ptl_local_map *maps[PTL_LEVELS]; /* the first map belongs to the caller; all others are
                                        freed with this struct */
    /* Owned; the maps as they are after the update. After swap_all they are the maps from
     * before the update, because the two are exchanged. */
    local_map *updated[PTL_LEVELS];
    size_t count;
} updating;

static bool is_changed(const local_map *a, const local_map *b)
{
    bool same = memcmp(a->terrain, b->terrain, sizeof a->terrain) == 0 &&
                memcmp(a->furniture, b->furniture, sizeof a->furniture) == 0 &&
                memcmp(a->trap, b->trap, sizeof a->trap) == 0 &&
                memcmp(a->radiation, b->radiation, sizeof a->radiation) == 0 &&
                a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        const local_entity *e = &a->entities[i], *f = &b->entities[i];
        same = e->kind == f->kind && e->x == f->x && e->y == f->y && e->x2 == f->x2 &&
               e->y2 == f->y2 && e->id == f->id && e->with == f->with && e->text == f->text &&
               e->own == f->own && e->count == f->count && e->charges == f->charges &&
               e->status == f->status;
    }
    return !same;
}

/* Runs the update on one more map, and adds the map to the list. A map of another level (`up`
 * is not 0) is freed instead if the update fails or changes nothing on it. */
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
    for (size_t i = 0; i < u->count; i++) {
        const local_map kept = u->maps[i]->stored.map;
        u->maps[i]->stored.map = *u->updated[i];
        *u->updated[i] = kept;
    }
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
        /* Exchanges the contents of the caller's maps and of the updated copies, so that
         * ptl_local_put stores the updated ones. If it fails, they are exchanged back. */
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

/* The functions from here on change a local map in memory (portolan/local.h). */

static bool is_inside(int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

/* ---- texts in a map's pool ---- */

/* Finds the number that the map's pool has for a text; the text is added if it is new. ID_NONE
 * for NULL or "". */
static ptl_status put_text(uint32_t *out, ptl_local_map *map, const char *text)
{
    *out = ID_NONE;
    if (!text || !text[0])
        return PTL_OK;
    if (!utf8_valid(text))
        return PTL_ERR_ARGUMENT;
    *out = id_pool_put(map->stored.pool, text, strlen(text));
    return *out == ID_NONE ? PTL_ERR_NOMEM : PTL_OK;
}

/* ---- tiles ---- */

static ptl_status set_cell(ptl_local_map *map, uint32_t *cells, int32_t x, int32_t y,
                           const char *id)
{
    uint32_t number;
    if (!is_inside(x, y))
        return PTL_ERR_ARGUMENT;
    TRY(put_text(&number, map, id));
    cells[y * LOCAL_SIDE + x] = number;
    return PTL_OK;
}

ptl_status ptl_local_terrain_set(ptl_local_map *map, int32_t x, int32_t y, const char *id)
{
    if (!id || !id[0])
        return PTL_ERR_ARGUMENT;
    return set_cell(map, map->stored.map.terrain, x, y, id);
}

ptl_status ptl_local_furniture_set(ptl_local_map *map, int32_t x, int32_t y, const char *id)
{
    return set_cell(map, map->stored.map.furniture, x, y, id);
}

ptl_status ptl_local_trap_set(ptl_local_map *map, int32_t x, int32_t y, const char *id)
{
    return set_cell(map, map->stored.map.trap, x, y, id);
}

ptl_status ptl_local_radiation_set(ptl_local_map *map, int32_t x, int32_t y, int32_t amount)
{
    if (!is_inside(x, y) || !local_range_has(LOCAL_NUMBER_RADIATION, amount))
        return PTL_ERR_ARGUMENT;
    map->stored.map.radiation[y * LOCAL_SIDE + x] = (uint8_t)amount;
    return PTL_OK;
}

/* ---- entities ---- */

static ptl_status take_entity(local_entity *out, ptl_local_map *map,
                              const ptl_local_entity *entity)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    TRY(SIZED_TAKE(ptl_local_entity, &e, entity, NULL));
    local_kind kind = 0;
    while (kind < LOCAL_KINDS && !(e.kind && strcmp(local_kind_name(kind), e.kind) == 0))
        kind++;
    const int32_t numbers[LOCAL_THING_NUMBERS] = {e.x,     e.y,       e.x2,    e.y2,
                                                  e.count, e.charges, e.status};
    if (kind == LOCAL_KINDS || local_range_fault(numbers) != LOCAL_NUMBERS)
        return PTL_ERR_ARGUMENT;
    *out = (local_entity){.kind = kind,
                          .x = (uint8_t)e.x,
                          .y = (uint8_t)e.y,
                          .x2 = (uint8_t)e.x2,
                          .y2 = (uint8_t)e.y2,
                          .count = e.count,
                          .charges = e.charges,
                          .status = e.status};
    TRY(put_text(&out->id, map, e.id));
    TRY(put_text(&out->with, map, e.with));
    TRY(put_text(&out->text, map, e.text));
    return put_text(&out->own, map, e.own);
}

ptl_status ptl_local_entity_add(ptl_local_map *map, const ptl_local_entity *entity)
{
    local_entity e;
    if (map->stored.map.count >= LOCAL_ENTITIES_MAX)
        return PTL_ERR_LIMIT;
    TRY(take_entity(&e, map, entity));
    local_map_add(&map->stored.map, &e);
    const bool failed = map->stored.map.failed;
    /* The map is usable even if memory was out, because it was not changed then. */
    map->stored.map.failed = false;
    return failed ? PTL_ERR_NOMEM : PTL_OK;
}

ptl_status ptl_local_entity_replace(ptl_local_map *map, size_t number,
                                    const ptl_local_entity *entity)
{
    local_entity e;
    if (number >= map->stored.map.count)
        return PTL_ERR_NOT_FOUND;
    TRY(take_entity(&e, map, entity));
    map->stored.map.entities[number] = e;
    return PTL_OK;
}

ptl_status ptl_local_entity_remove(ptl_local_map *map, size_t number)
{
    if (number >= map->stored.map.count)
        return PTL_ERR_NOT_FOUND;
    local_map_remove(&map->stored.map, number);
    return PTL_OK;
}
