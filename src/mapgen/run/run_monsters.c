/* Puts monsters of groups on the map. */
#include "mapgen/run/run_impl.h"

enum { UNIT = 100000 /* densities are counted in parts of it */ };

uint32_t run_spawn_data(run *r, uint32_t json)
{
    mapgen_groups *groups = r->request->groups;
    if (json != ID_NONE && !run_touch(r, strlen(id_pool_text(r->request->pool, json))))
        return ID_NONE;
    return json == ID_NONE || !groups ? json : mapgen_draw_spawn_data(groups, &r->random, json);
}

static void add_monster(run *r, int x, int y, const mapgen_pack *pack, bool friendly,
                        uint32_t name)
{
    if (pack->monster == ID_NONE)
        return;
    run_add(r, x, y,
            (local_entity){.kind = LOCAL_MONSTER,
                           .id = pack->monster,
                           .with = run_spawn_data(r, pack->data),
                           .text = name,
                           .count = pack->count,
                           .status = friendly});
}

static bool is_passable(const run *r, int x, int y)
{
    const mapgen_tiles *tiles = r->request->tiles;
    const size_t cell = (size_t)(y * LOCAL_SIDE + x);
    const int flags = mapgen_terrain_tile(tiles, r->map->terrain[cell]).flags |
                      mapgen_furniture_tile(tiles, r->map->furniture[cell]).flags;
    return !(flags & MAPGEN_TILE_IMPASSABLE);
}

static bool cut(mapgen_range *range)
{
    enum { LAST = LOCAL_SIDE - 1 };
    range->low = range->low < 0 ? 0 : range->low;
    range->high = range->high > LAST ? LAST : range->high;
    return range->low <= range->high;
}

bool run_population(run *r, run_place place, uint32_t group, int64_t budget)
{
    enum { TRIES = 10 };
    const mapgen_monsters *monsters = mapgen_groups_monsters(r->request->groups);
    mapgen_pack pack;
    while (budget > 0 && run_spend(r)) {
        int x = 0, y = 0;
        for (int i = 0; i < TRIES && (i == 0 || !is_passable(r, x, y)); i++) {
            x = run_range(r, place.x);
            y = run_range(r, place.y);
        }
        (void)run_touch(r, mapgen_monsters_size(monsters, group));
        if (!mapgen_draw_pack(&pack, monsters, &r->random, group, r->request->time))
            return false;
        add_monster(r, x, y, &pack, false, ID_NONE);
        budget -= pack.cost;
    }
    return true;
}

void run_monsters(run *r, run_place place, uint32_t group, uint32_t density)
{
    if (group == ID_NONE || !cut(&place.x) || !cut(&place.y))
        return;
    /* Draws a cost of 10 to 50 times the density. Its fraction is the probability with
     * which it is rounded up. */
    enum { STEPS = 1024, LOW = 10, HIGH = 50 };
    const int64_t scale = (int64_t)UNIT * STEPS;
    const int64_t times = LOW * STEPS + rng_below(&r->random, (HIGH - LOW) * STEPS + 1);
    const int64_t wanted = times * density;
    const int64_t rest = wanted % scale;
    if (!run_population(r, place, group,
                        wanted / scale +
                            ((int64_t)rng_below(&r->random, (uint64_t)scale) < rest))) {
        /* A group that is not known is put on the map itself. */
        local_entity e = {.kind = LOCAL_MONSTER_GROUP, .id = group, .count = (int32_t)density};
        e.x = (uint8_t)place.x.low;
        e.y = (uint8_t)place.y.low;
        e.x2 = (uint8_t)place.x.high;
        e.y2 = (uint8_t)place.y.high;
        local_map_add(r->map, &e);
    }
}

void run_packs(run *r, int x, int y, uint32_t group, int32_t packs, bool friendly,
               uint32_t name)
{
    mapgen_groups *groups = r->request->groups;
    mapgen_pack pack = {ID_NONE, 1, 1, ID_NONE};
    bool known = groups != NULL;
    for (int32_t i = 0; i < packs && known && run_spend(r); i++) {
        (void)run_touch(r, mapgen_monsters_size(mapgen_groups_monsters(groups), group));
        known = mapgen_draw_pack(&pack, mapgen_groups_monsters(groups), &r->random, group,
                                 r->request->time);
        add_monster(r, x, y, &pack, friendly, name);
    }
    if (!known)
        run_add(r, x, y,
                (local_entity){.kind = LOCAL_MONSTER_GROUP,
                               .id = group,
                               .text = name,
                               .charges = packs,
                               .status = friendly});
}
