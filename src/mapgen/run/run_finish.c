/* Does what concerns a whole map: makes the map of the predecessor that an entry is drawn over,
 * makes maps by code (mapgen/ground), replaces pseudo ids (each stands for a list in the
 * region's settings), and puts roofs. */
#include "mapgen/run/run_impl.h"

enum { PREDECESSORS_MAX = 8 };

/* Puts vehicles on a road whose map was made by code (mapgen/ground), as the content's
 * `vehicle_spawn` objects say: in town, in the country, on highways and where a subway ends.
 * Without such objects a road has no vehicles. The random numbers of vehicles come from a
 * stream of their own. */
static void put_traffic(run *r, const char *type)
{
    enum { QUARTER = 90, ROUND = 360 };
    const mapgen_request *q = r->request;
    mapgen_parked parked[MAPGEN_PARKED_MAX];
    ground_road road;
    if (!q->groups || !q->site || !ground_road_of(&road, q->site, type))
        return;
    rng random = rng_from_key(hash_add(q->key, hash_string("traffic")));
    const size_t count =
        mapgen_traffic_draw(parked, q->groups, &random, road.spawn, road.shape);
    for (size_t i = 0; i < count; i++) {
        const uint32_t drawn =
            mapgen_lists_draw(q->groups, &random, MAPGEN_LIST_VEHICLES, parked[i].vehicle);
        int x = parked[i].x, y = parked[i].y;
        ground_turn(&x, &y, road.turns);
        if (!run_inside(x, y))
            continue; /* a map can't hold a vehicle that begins outside of it */
        const int32_t facing = (parked[i].facing + road.turns * QUARTER) % ROUND;
        run_add(r, x, y,
                (local_entity){.kind = LOCAL_VEHICLE,
                               .id = drawn != ID_NONE ? drawn : parked[i].vehicle,
                               .count = facing < 0 ? facing + ROUND : facing,
                               .charges = parked[i].fuel,
                               .status = parked[i].status});
    }
}

/* Returns the type whose generator (code in mapgen/ground) makes a terrain of this type: the
 * type itself, or the type that mapgen_library_ground names for it. */
static const char *generated_as(const run *r, const char *type)
{
    const mapgen_request *q = r->request;
    const uint32_t id = id_pool_put(q->pool, type, strlen(type));
    return id_pool_text(q->pool, mapgen_library_ground(q->library, id));
}

bool run_ground_of(run *r, const ground_site *site, const char *type)
{
    local_map *map = r->map;
    const size_t first = map->count;
    if (!ground_make(map, site, type))
        return false;
    /* Replaces the item groups and monster groups, which the code of mapgen/ground has put
     * on the map, by items and monsters that are chosen from them at random. */
    const size_t count = map->count - first;
    const mapgen_told nothing = MAPGEN_TOLD_NOTHING;
    if (count == 0 || !r->request->groups)
        return true;
    local_entity *made = malloc(count * sizeof *made);
    map->failed = map->failed || !made;
    if (made) {
        memcpy(made, map->entities + first, count * sizeof *made);
        map->count = first;
    }
    for (size_t i = 0; i < count && made; i++) {
        const local_entity *e = &made[i];
        const run_place place = {{e->x, e->x2}, {e->y, e->y2}};
        /* If a group of monsters has `charges`, monsters are chosen until their costs add up to
         * that number. If not, their number follows from a density: that of the group, or else
         * that of the OMT. */
        if (e->kind == LOCAL_ITEM_GROUP)
            run_group(r, e->x, e->y, e->id, &nothing);
        else if (e->kind == LOCAL_MONSTER_GROUP && e->charges > 0)
            (void)run_population(r, place, e->id, e->charges);
        else if (e->kind == LOCAL_MONSTER_GROUP)
            run_monsters(r, place, e->id,
                         e->count < 0 ? r->request->density : (uint32_t)e->count);
        else
            local_map_add(map, e);
    }
    free(made);
    return true;
}

bool run_ground(run *r, const char *type)
{
    const ground_site *site = r->request->site;
    if (site && run_lab(r, type))
        return true;
    const char *as = generated_as(r, type);
    const bool made = site && run_ground_of(r, site, as);
    if (made && strcmp(type, site->around[GROUND_MIDDLE].type) == 0)
        put_traffic(r, as);
    return made;
}

size_t run_before_count(const mapgen_request *request)
{
    mapgen_omt unused;
    size_t count = 0;
    while (request->before && request->before(&unused, request->payload, count))
        count++;
    return count;
}

/* Makes the whole map of a terrain with this id, not rotated. False: it can't be made. */
static bool run_named(run *r, uint32_t terrain)
{
    const mapgen_request *q = r->request;
    return terrain != ID_NONE &&
           (run_terrain(r, terrain, 0) || run_ground(r, id_pool_text(q->pool, terrain)));
}

/* Makes the map of a predecessor by code (mapgen/ground), in the predecessor's rotation. */
static bool run_ground_before(run *r, const ground_omt *seen)
{
    if (!r->request->site)
        return false;
    ground_site site = *r->request->site;
    site.around[GROUND_MIDDLE] = *seen;
    return run_ground_of(r, &site, generated_as(r, seen->type));
}

/* Makes the map of the youngest predecessor, which may in turn be drawn over older
 * predecessors. Predecessors that can't be made are skipped. False: none could be made. */
static bool run_chain(run *r)
{
    const mapgen_request *q = r->request;
    const size_t left = r->before;
    bool made = false;
    while (!made && r->before > 0) {
        mapgen_omt young;
        r->before--;
        made = q->before(&young, q->payload, r->before) && young.seen.id[0] &&
               (run_terrain(r, young.key, young.turns) || run_ground_before(r, &young.seen));
    }
    r->before = left;
    return made;
}

void run_predecessor(run *r, const mapgen_entry *entry, int turns)
{
    const bool named = entry->predecessor != ID_NONE;
    if (r->depth >= PREDECESSORS_MAX || (!named && entry->fallback_predecessor == ID_NONE))
        return;
    r->depth++;
    run_trace_turn(r, 4 - turns % 4);
    if (!named || !run_named(r, entry->predecessor)) {
        const bool chain = !named && run_chain(r);
        if (!chain)
            (void)run_named(r, entry->fallback_predecessor);
    }
    r->depth--;
    local_map_rotate(r->map, (4 - turns % 4) % 4);
    run_trace_turn(r, turns % 4 - 4);
}

static void resolve_layer(run *r, uint32_t *cells, rng *random)
{
    const ground_settings *s = r->request->site->settings;
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        if (cells[i] != ID_NONE && ground_pseudo_of(s, cells[i]))
            cells[i] = ground_resolve(s, random, cells[i]);
}

void run_resolve(run *r)
{
    const mapgen_request *q = r->request;
    if (!q->site || !q->site->settings)
        return;
    rng random = rng_from_key(hash_add(q->key, hash_string("region")));
    resolve_layer(r, r->own->terrain, &random);
    resolve_layer(r, r->own->furniture, &random);
    if (!r->other)
        return;
    random = rng_from_key(hash_add(q->key, hash_string("region of another level")));
    resolve_layer(r, r->other->terrain, &random);
    resolve_layer(r, r->other->furniture, &random);
}

void mapgen_fill_fallback(local_map *map, id_pool *pool, int z)
{
    const char *ground = z == 0 ? "t_grass" : z < 0 ? "t_rock" : "t_open_air";
    const uint32_t id = id_pool_put(pool, ground, strlen(ground));
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        map->terrain[i] = id;
}

/* ---- roofs ---- */

static uint32_t air_of(id_pool *pool)
{
    return id_pool_put(pool, "t_open_air", strlen("t_open_air"));
}

bool mapgen_wants_roof(const local_map *map, id_pool *pool)
{
    const uint32_t air = air_of(pool);
    uint32_t found = 0;
    /* Whole rows are compared without a branch, so that the compiler can do many tiles at a
     * time. */
    for (size_t i = 0; i < LOCAL_CELLS && !found; i += LOCAL_SIDE)
        for (size_t k = 0; k < LOCAL_SIDE; k++)
            found |= map->terrain[i + k] == air;
    return found;
}

void mapgen_put_roofs(local_map *map, const local_map *below, const mapgen_tiles *tiles,
                      id_pool *pool)
{
    const uint32_t air = air_of(pool);
    for (size_t i = 0; i < LOCAL_CELLS; i++) {
        const uint32_t roof = mapgen_terrain_tile(tiles, below->terrain[i]).roof;
        if (map->terrain[i] == air && roof != ID_NONE)
            map->terrain[i] = mapgen_terrain_now(tiles, roof);
    }
}

/* Puts monsters of groups on the map. */

enum { UNIT = 100000 /* a density of 1; densities are counted in hundred thousandths */ };

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
    mapgen_groups *groups = r->request->groups;
    mapgen_pack pack;
    while (budget > 0 && run_spend(r)) {
        int x = 0, y = 0;
        for (int i = 0; i < TRIES && (i == 0 || !is_passable(r, x, y)); i++) {
            x = run_range(r, place.x);
            y = run_range(r, place.y);
        }
        (void)run_touch(r, mapgen_monsters_size(groups, group));
        if (!mapgen_draw_pack(&pack, groups, &r->random, group, r->request->time))
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
    /* Chooses at random what the monsters cost together: 10 to 50 times the density, rounded up
     * or down at random so that the mean is right. */
    const int64_t scale = (int64_t)UNIT * MAPGEN_COST_STEPS;
    const int64_t times =
        MAPGEN_COST_LOW * MAPGEN_COST_STEPS +
        rng_below(&r->random, (MAPGEN_COST_HIGH - MAPGEN_COST_LOW) * MAPGEN_COST_STEPS + 1);
    const int64_t wanted = times * density;
    const int64_t rest = wanted % scale;
    if (!run_population(r, place, group,
                        wanted / scale +
                            ((int64_t)rng_below(&r->random, (uint64_t)scale) < rest))) {
        /* A monster group that the content lacks is put on the map as a group, in place of
         * monsters. */
        const local_entity e = {
            .kind = LOCAL_MONSTER_GROUP, .id = group, .count = (int32_t)density};
        ground_add(r->map, place.x.low, place.y.low, place.x.high, place.y.high, e);
    }
}

void run_packs(run *r, int x, int y, uint32_t group, int32_t packs, bool friendly,
               uint32_t name)
{
    mapgen_groups *groups = r->request->groups;
    mapgen_pack pack = {ID_NONE, 1, 1, ID_NONE};
    bool known = groups != NULL;
    for (int32_t i = 0; i < packs && known && run_spend(r); i++) {
        (void)run_touch(r, mapgen_monsters_size(groups, group));
        known = mapgen_draw_pack(&pack, groups, &r->random, group, r->request->time);
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

/* Puts items on a tile: from groups, or by type. */

/* Are the two items equal but for their charges? */
static bool same_item(const local_entity *a, const local_entity *b)
{
    return a->kind == b->kind && a->x == b->x && a->y == b->y && a->id == b->id &&
           a->text == b->text && a->status == b->status;
}

/* Adds the charges of `e` to an item that is equal but for its charges; false: they are too
 * many. */
static bool add_charges(local_entity *other, const local_entity *e)
{
    enum { CHARGES_MAX = 1000000000 };
    const bool good = other->charges <= CHARGES_MAX && e->charges <= CHARGES_MAX;
    other->charges += good ? e->charges : 0;
    return good;
}

/* Looks among the last things on the map for an equal item on the same tile that holds nothing,
 * and adds the charges of `e` to its charges. False: there is no such item. */
static bool pour(run *r, const local_entity *e)
{
    enum { LOOKED_AT = 256 };
    local_map *map = r->map;
    if (r->request->apart ||
        !(mapgen_item_of(r->request->groups, e->id).flags & MAPGEN_ITEM_CHARGED))
        return false;
    for (size_t n = 1; n <= map->count && n <= LOOKED_AT && run_touch(r, 1); n++) {
        local_entity *other = &map->entities[map->count - n];
        const bool leaf = n == 1 || other[1].status == 0 || other[1].kind != LOCAL_ITEM;
        if (leaf && same_item(other, e) && add_charges(other, e)) {
            run_trace_grown(r, map->count - n);
            return true;
        }
    }
    return false;
}

/* Merges the item `e` with the last thing on the map, an item in which nothing lies, if the two
 * items are equal. If they are counted by charges, they become one item with the sum of the
 * charges; otherwise one thing whose count is higher by one. False: they are not equal. */
static bool stack(run *r, const local_entity *e)
{
    enum { COUNTED = MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID };
    local_entity *last = &r->map->entities[r->map->count - 1];
    if (!same_item(last, e))
        return false;
    if (mapgen_item_of(r->request->groups, e->id).flags & COUNTED)
        return !r->request->apart && add_charges(last, e);
    last->count += last->charges == e->charges;
    return last->charges == e->charges;
}

/* Puts the chosen items on the tile. Equal items in which nothing lies are put as one item,
 * which has a count or the sum of their charges; so are equal items that lie in one container.
 */
static void put_draft(run *r, int x, int y)
{
    mapgen_draft *draft = &r->draft;
    local_map *map = r->map;
    /* Whether the thing that was put last on the map is one of the items chosen for this tile,
     * and holds no other item. */
    bool leaf_before = false;
    for (size_t i = 0; i < draft->count; i++) {
        local_entity e = draft->items[i];
        const bool leaf = i + 1 == draft->count || draft->items[i + 1].status <= e.status;
        e.x = e.x2 = (uint8_t)x;
        e.y = e.y2 = (uint8_t)y;
        if (leaf && e.status == 0 && pour(r, &e))
            continue;
        if (!leaf_before || !leaf || map->count == 0 || !stack(r, &e))
            local_map_add(map, &e);
        leaf_before = leaf;
    }
    map->failed = map->failed || draft->failed;
    map->cut = map->cut || draft->cut;
    draft->count = 0;
}

void run_group(run *r, int x, int y, uint32_t id, const mapgen_told *told)
{
    mapgen_groups *groups = r->request->groups;
    int32_t number = 0;
    if (id == ID_NONE || !run_touch(r, 1))
        return;
    if (r->request->stands && !r->planting &&
        r->request->stands(r->request->stands_payload, &number, id, told->loading)) {
        run_add(
            r, x, y,
            (local_entity){.kind = LOCAL_ITEM_GROUP, .id = id, .count = 1, .charges = number});
        return;
    }
    if (groups && mapgen_draw_group(&r->draft, groups, &r->random, id, told, &r->budget))
        put_draft(r, x, y);
    else
        run_add(r, x, y, (local_entity){.kind = LOCAL_ITEM_GROUP, .id = id, .count = 1});
}

void run_items(run *r, int x, int y, uint32_t id, int32_t count, const mapgen_told *told)
{
    mapgen_groups *groups = r->request->groups;
    if (id == ID_NONE || count <= 0)
        return;
    if (!groups) {
        run_add(r, x, y, (local_entity){.kind = LOCAL_ITEM, .id = id, .count = count});
        return;
    }
    for (int32_t i = 0; i < count && run_spend(r); i++)
        mapgen_draw_item(&r->draft, groups, &r->random, id, told, &r->budget);
    put_draft(r, x, y);
}
