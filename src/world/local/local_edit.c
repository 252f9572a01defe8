/* Changes a local map in memory (portolan/local.h). */
#include "world/local/local.h"

#include "core/sized.h"
#include "core/utf8.h"
#include "model/local_map.h"

static bool is_inside(int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

/* ---- texts ---- */

/* Gives the number of a text in the map's pool; ID_NONE for NULL. */
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

/* Returns the kind with this name; LOCAL_KINDS if there is none. */
static local_kind kind_of(const char *name)
{
    int kind = 0;
    while (kind < LOCAL_KINDS && strcmp(local_kind_name((local_kind)kind), name) != 0)
        kind++;
    return (local_kind)kind;
}

static ptl_status take_entity(local_entity *out, ptl_local_map *map,
                              const ptl_local_entity *entity)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    TRY(SIZED_TAKE(ptl_local_entity, &e, entity, NULL));
    const local_kind kind = e.kind ? kind_of(e.kind) : LOCAL_KINDS;
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
    map->stored.map.failed = false; /* the map was left as it was before the call */
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
