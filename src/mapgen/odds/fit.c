/* Computes how many millilitres the items of a group may take at most, which tells whether they
 * may be too many for their container. The rules are those of part_by_space in
 * groups/draw_items.c. */
#include "mapgen/odds/odds_impl.h"

enum { GROUPS_MAX = 16 };

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Returns the volume of one item, with its largest charges, in millilitres. */
static double volume_of(odds *o, uint32_t told, spawn_range charges)
{
    enum { COUNTED = MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID };
    mapgen_groups *groups = o->source.groups;
    const mapgen_item item = mapgen_item_of(groups, mapgen_item_now(groups, told));
    if (!(item.flags & COUNTED) || item.stack <= 0)
        return item.volume;
    int32_t most = item.charges;
    if (charges.low != -1 || charges.high != -1)
        most = charges.high != -1 ? charges.high : mapgen_item_rounds(groups, &item);
    most = charges.low > most ? charges.low : most;
    return ceil((double)item.volume * (most > 0 ? most : 1) / item.stack);
}

/* Returns how many millilitres the item of an entry takes at most, its container included. */
static double room_of_item(odds *o, const spawn *s)
{
    const spawn_range any = {-1, -1};
    const mapgen_item item =
        mapgen_item_of(o->source.groups, mapgen_item_now(o->source.groups, s->id));
    if (s->container_group)
        return INFINITY;
    if (s->container != ID_NONE && s->container != o->null_id)
        return volume_of(o, s->container, any);
    /* The entry says that its item comes without a container. The room of the item's usual
     * container is nevertheless considered, as a game may use it. */
    const double usual = item.container != ID_NONE ? volume_of(o, item.container, any) : 0;
    return greater(usual, volume_of(o, s->id, s->charges));
}

static odds_room room_of_entry(odds *o, uint32_t number, int depth);

/* Returns how many millilitres are taken by the items that the entries of a collection or
 * distribution give. */
static odds_room room_of_children(odds *o, const spawn *s, int depth)
{
    odds_room all = {0, 0};
    for (uint32_t i = 0; i < s->count && odds_go(o, 1); i++) {
        const odds_room one = room_of_entry(o, s->first + i, depth);
        all.each = greater(all.each, one.each);
        all.total = s->kind == SPAWN_DISTRIBUTION ? greater(all.total, one.total)
                                                  : all.total + one.total;
    }
    return all;
}

static odds_room room_of_group(odds *o, uint32_t id, int depth)
{
    const uint32_t root = mapgen_group_root(o->source.groups, id);
    if (!root)
        return (odds_room){0, 0};
    if (depth >= GROUPS_MAX)
        return (odds_room){INFINITY, INFINITY};
    const spawn s = mapgen_group_spawn(o->source.groups, root);
    odds_room all = room_of_children(o, &s, depth + 1);
    if (s.wrapper != ID_NONE && s.wrapper != o->null_id) {
        const double wrapper = volume_of(o, s.wrapper, (spawn_range){-1, -1});
        const bool spills = s.overflow == SPAWN_SPILL;
        all.each = spills ? greater(all.each, wrapper) : wrapper;
        all.total = spills ? all.total + wrapper : wrapper;
    }
    return all;
}

static odds_room room_of_entry(odds *o, uint32_t number, int depth)
{
    const spawn s = mapgen_group_spawn(o->source.groups, number);
    const double times = s.many.high > s.many.low ? s.many.high : s.many.low;
    const bool charged = s.charges.low != -1 || s.charges.high != -1;
    odds_room one = {0, 0};
    if (s.elsewhen || times <= 0)
        return one;
    if (s.kind == SPAWN_ITEM)
        one.each = one.total = room_of_item(o, &s);
    else if (s.changed && (charged || s.container != ID_NONE))
        one.each = one.total = INFINITY;
    else
        one = s.kind == SPAWN_GROUP ? room_of_group(o, s.id, depth)
                                    : room_of_children(o, &s, depth + 1);
    one.total *= times;
    if (s.wrapper != ID_NONE && s.wrapper != o->null_id)
        one.each = one.total = volume_of(o, s.wrapper, (spawn_range){-1, -1});
    return one;
}

odds_room odds_room_of(odds *o, const spawn *s)
{
    return room_of_children(o, s, 0);
}
