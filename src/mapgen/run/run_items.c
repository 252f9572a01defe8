/* Puts items on a tile: from groups, or by type. */
#include "mapgen/run/run_impl.h"

/* Is the item equal to the last one on the map, so that one count does for both? */
static bool same_item(const local_entity *a, const local_entity *b)
{
    return a->kind == b->kind && a->x == b->x && a->y == b->y && a->id == b->id &&
           a->charges == b->charges && a->text == b->text && a->status == b->status;
}

/* Adds charges to an equal thing that lies alone on the same tile, if one is among the last
 * on the map. False: there is none. */
static bool pour(run *r, const local_entity *e)
{
    enum { LOOKED_AT = 256, CHARGES_MAX = 1000000000 };
    mapgen_items *items = mapgen_groups_items(r->request->groups);
    local_map *map = r->map;
    if (!(mapgen_item_of(items, e->id).flags & MAPGEN_ITEM_CHARGED))
        return false;
    for (size_t n = 1; n <= map->count && n <= LOOKED_AT && run_touch(r, 1); n++) {
        local_entity *other = &map->entities[map->count - n];
        const bool leaf = n == 1 || other[1].status == 0 || other[1].kind != LOCAL_ITEM;
        if (other->kind == LOCAL_ITEM && other->id == e->id && other->x == e->x &&
            other->y == e->y && other->text == e->text && other->status == 0 && leaf &&
            other->charges <= CHARGES_MAX && e->charges <= CHARGES_MAX) {
            other->charges += e->charges;
            return true;
        }
    }
    return false;
}

/* Puts the drawn items on the tile. Equal ones that hold nothing are counted together, also
 * inside a container: a sack of cement holds one thing with the count 500. */
static void put_draft(run *r, int x, int y)
{
    mapgen_draft *draft = &r->draft;
    local_map *map = r->map;
    bool leaf_before = false; /* the map's last thing is of this draft and holds nothing */
    for (size_t i = 0; i < draft->count; i++) {
        local_entity e = draft->items[i];
        const bool leaf = i + 1 == draft->count || draft->items[i + 1].status <= e.status;
        e.x = e.x2 = (uint8_t)x;
        e.y = e.y2 = (uint8_t)y;
        if (leaf && e.status == 0 && pour(r, &e))
            continue;
        if (leaf_before && leaf && map->count > 0 &&
            same_item(&map->entities[map->count - 1], &e))
            map->entities[map->count - 1].count++;
        else
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
    if (id == ID_NONE || !run_touch(r, 1))
        return;
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

void run_one_seed(run *r, size_t first)
{
    local_map *map = r->map;
    if (map->count <= first || map->entities[first].kind != LOCAL_ITEM)
        return;
    map->entities[first].count = 1;
    map->count = first + 1;
}

int32_t run_usual_charges(const run *r, uint32_t id)
{
    mapgen_groups *groups = r->request->groups;
    if (!groups)
        return 0;
    mapgen_items *items = mapgen_groups_items(groups);
    return mapgen_item_of(items, mapgen_item_now(items, id)).charges;
}
