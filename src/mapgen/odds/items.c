/* What item groups give: the same steps as in groups/draw_items.c, with probabilities in place
 * of random numbers. */
#include "mapgen/odds/odds_impl.h"

enum { ALL = 100, DEPTH_MAX = sizeof((odds *)0)->way / sizeof(uint32_t) };

/* How an item is made that an entry of an item group, or a piece of mapgen, puts down. */
typedef struct making {
    spawn_range charges;
    uint32_t ammo;
    mapgen_loading loading;
    bool bare; /* true: the item comes without its usual container */
} making;

static double percent(int32_t chance)
{
    return chance >= ALL ? 1 : chance > 0 ? (double)chance / ALL : 0;
}

/* Adds one item of the type `id` to the sum; `chance` is the probability that it is there. */
static void put_item(odds *o, odds_sum *sum, odds_step step, uint32_t id, double chance)
{
    const uint32_t slot = odds_slot(o, PTL_LOOT_ITEM, id);
    node_leaf(o, step, slot, chance);
    sum_put(o, sum, (odds_part){slot, 0, chance, chance});
}

static uint32_t item_now(odds *o, uint32_t id)
{
    return mapgen_item_now(o->source.groups, id);
}

/* Returns the probability that charges, which are drawn from a range as draw_charges does, are
 * above 0. */
static double charged(odds *o, const mapgen_item *item, spawn_range told)
{
    int32_t low = told.low == -1 ? 0 : told.low, high = told.high;
    if (high == -1) {
        const int32_t rounds = mapgen_item_rounds(o->source.groups, item);
        high = rounds > low ? rounds : low;
    }
    const int32_t least = low < high ? low : high, most = low < high ? high : low;
    if (most <= 0)
        return 0;
    return least > 0 ? 1 : (double)most / ((double)most - least + 1);
}

/* Adds to the sum what an item is loaded with. `loaded` is the chance that it has ammunition,
 * and a magazine if it takes one; `empty` is the chance that it has only an empty magazine. */
static void put_load(odds *o, odds_sum *sum, const mapgen_item *item, uint32_t ammo,
                     double loaded, double empty)
{
    mapgen_item holder = *item;
    if (item->capacity == 0 && item->magazine != ID_NONE) {
        const uint32_t magazine = item_now(o, item->magazine);
        put_item(o, sum, ODDS_STEP_MAGAZINE, magazine, loaded + empty);
        holder = mapgen_item_of(o->source.groups, magazine);
    }
    const uint32_t id = ammo != ID_NONE ? item_now(o, ammo) : holder.ammo;
    if (holder.capacity > 0 && id != ID_NONE)
        put_item(o, sum, ODDS_STEP_AMMO, id, loaded);
}

static void fill(odds *o, odds_sum *sum, const mapgen_item *item, const making *m)
{
    enum { LOADED = MAPGEN_ITEM_GUN | MAPGEN_ITEM_TOOL | MAPGEN_ITEM_MAGAZINE };
    if (!(item->flags & LOADED))
        return;
    if (m->charges.low != -1 || m->charges.high != -1) {
        put_load(o, sum, item, m->ammo, charged(o, item, m->charges), 0);
        return;
    }
    const bool empty = (item->flags & MAPGEN_ITEM_TOOL) && (item->flags & MAPGEN_ITEM_POCKETS);
    const bool takes = mapgen_item_rounds(o->source.groups, item) > 0;
    const double full = takes ? percent(m->loading.ammo) : 0;
    if (item->charges > 0 && item->capacity > 0 && !empty)
        put_load(o, sum, item, m->ammo, 1, 0);
    else
        put_load(o, sum, item, m->ammo, full,
                 item->capacity == 0 ? (1 - full) * percent(m->loading.magazine) : 0);
}

/* Adds one item to the sum, in its usual container unless m->bare is set. False: the id stands
 * for no item. */
static bool put_made(odds *o, odds_sum *sum, odds_step step, uint32_t told, const making *m)
{
    enum { COUNTED = MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID };
    const uint32_t id = item_now(o, told);
    const mapgen_item item = mapgen_item_of(o->source.groups, id);
    if (id == o->null_id)
        return false;
    put_item(o, sum, step, id, 1);
    sum_put(o, sum, (odds_part){SLOT_ANY, 0, 1, 1});
    if (!(item.flags & COUNTED))
        fill(o, sum, &item, m);
    if (!m->bare && item.container != ID_NONE && item.container != o->null_id)
        put_item(o, sum, ODDS_STEP_CONTAINER, item_now(o, item.container), 1);
    return true;
}

static odds_set entry_set(odds *o, uint32_t number, mapgen_loading loading);
static odds_set group_set(odds *o, uint32_t id, mapgen_loading loading);

/* An item group stands where the id of one item is needed. Which of its items is taken, is not
 * computed: each item of the group is in doubt. */
static void put_one_of(odds *o, odds_sum *sum, uint32_t group)
{
    odds_set set = group_set(o, group, (mapgen_loading){0, 0});
    for (size_t i = 0; i < set.count; i++) {
        odds_part p = set.parts[i];
        const bool item = p.slot != SLOT_ANY && o->things[p.slot].kind == PTL_LOOT_ITEM;
        p.doubts |= item ? ODDS_CONTAINER : 0;
        p.mean = item ? p.some : p.mean;
        if (p.slot != SLOT_ANY)
            sum_put(o, sum, p);
    }
    set_free(&set);
}

/* Adds to a sum what lies in an item. `any` is the chance that the item itself is there; `sum`
 * has the chances of things on the condition that it is there. */
static void put_contents(odds *o, odds_sum *sum, const spawn *s, odds_part any)
{
    odds_sum *all = s->content_count > 0 ? sum_begin(o) : NULL;
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_CONTENT, .id = s->id, .times = any.some});
    for (uint32_t i = 0; all && i < s->content_count && odds_go(o, 1); i++) {
        const uint32_t id = mapgen_group_content(o->source.groups, s->contents + i);
        const making plain = {.charges = {-1, -1}};
        if (!s->contents_group) {
            (void)put_made(o, all, ODDS_STEP_ITEM, id, &plain);
            continue;
        }
        odds_set set = group_set(o, id, (mapgen_loading){0, 0});
        sum_join(o, all, &set, ODDS_ONCE);
        set_free(&set);
    }
    odds_set set = all ? sum_take(o, all) : (odds_set){NULL, 0};
    node_end(o, node, &set);
    for (size_t i = 0; i < set.count; i++) {
        odds_part p = set.parts[i];
        if (p.slot == SLOT_ANY)
            continue;
        const bool known = p.slot < sum->reach && sum->cells[p.slot].there;
        const double before = known ? sum->cells[p.slot].some : 0;
        const double after = before + (any.some - before) * p.some;
        sum_put(o, sum, (odds_part){p.slot, p.doubts | any.doubts, any.some * p.mean, 0});
        if (p.slot < sum->reach)
            sum->cells[p.slot].some = after;
    }
    set_free(&set);
}

/* Adds the container `id` to the items of a set. `mean` is the expected number of containers.
 * There is at least one if there is any item. */
static void put_container(odds *o, odds_set *set, uint32_t id, double mean)
{
    const odds_part any = set_part(set, SLOT_ANY);
    if (id == ID_NONE || id == o->null_id || any.some <= 0)
        return;
    const uint32_t slot = odds_slot(o, PTL_LOOT_ITEM, item_now(o, id));
    node_leaf(o, ODDS_STEP_CONTAINER, slot, mean);
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, set, ODDS_ONCE);
    sum_put(o, sum, (odds_part){slot, any.doubts, mean, 0});
    if (sum && slot < sum->reach)
        sum->cells[slot].some = any.some;
    set_free(set);
    *set = sum_take(o, sum);
}

/* All items of the set were put into one container. So at most one item, the container, lies in
 * no other item (slot SLOT_ANY). */
static void set_packed(odds_set *set, uint32_t container, uint32_t null_id)
{
    for (size_t i = 0; i < set->count && container != ID_NONE && container != null_id; i++)
        if (set->parts[i].slot == SLOT_ANY)
            set->parts[i].mean = set->parts[i].some;
}

/* Returns what one use of an entry of an item group gives, if the entry is an item (not a
 * group). */
static odds_set item_once(odds *o, const spawn *s, mapgen_loading loading)
{
    odds_sum *sum = sum_begin(o);
    const making m = {s->charges, s->ammo_group ? ID_NONE : s->ammo, loading,
                      s->container != ID_NONE};
    if (s->ammo_group)
        put_one_of(o, sum, s->ammo);
    if (s->container_group)
        put_one_of(o, sum, s->container);
    const bool made = put_made(o, sum, ODDS_STEP_ITEM, s->id, &m);
    if (!made && s->content_count > 0)
        sum_put(o, sum, (odds_part){SLOT_ANY, ODDS_CONTAINER, 1, 1});
    /* The content may replace the item's usual ammunition by some from a group. Then all that
     * the item may have, but has not certainly, is marked as doubtful. */
    if (made && s->ammo_group)
        for (size_t i = 0; i < sum->count; i++) {
            odds_cell *cell = &sum->cells[sum->touched[i]];
            cell->doubts |= sum->touched[i] != SLOT_ANY && cell->some < 1 ? ODDS_CONTAINER : 0;
        }
    put_contents(o, sum, s, (odds_part){.mean = 1, .some = 1});
    odds_set set = sum_take(o, sum);
    if (made && !s->container_group)
        put_container(o, &set, s->container, 1);
    return set;
}

/* Returns the figures of what a collection or distribution gives: those of its entries, each by
 * its probability. */
static odds_set children_set(odds *o, const spawn *s, mapgen_loading loading)
{
    odds_sum *sum = sum_begin(o);
    /* If an entry counts only on another day of the year, its weight is added to that of the
     * next entry: the sum of such weights. */
    uint32_t passed = 0;
    for (uint32_t i = 0; i < s->count && odds_go(o, 1); i++) {
        const spawn child = mapgen_group_spawn(o->source.groups, s->first + i);
        const bool one = s->kind == SPAWN_DISTRIBUTION;
        if (child.elsewhen) {
            passed += one ? (uint32_t)child.prob : 0;
            continue;
        }
        const double share =
            one ? ((double)passed + child.prob) / (double)s->total : percent(child.prob);
        passed = 0;
        const odds_step steps[] = {[SPAWN_ITEM] = ODDS_STEP_ITEM,
                                   [SPAWN_GROUP] = ODDS_STEP_GROUP,
                                   [SPAWN_COLLECTION] = ODDS_STEP_COLLECTION,
                                   [SPAWN_DISTRIBUTION] = ODDS_STEP_COLLECTION};
        const size_t node = node_begin(
            o, (odds_node){.step = steps[child.kind], .id = child.id, .times = share});
        odds_set set = entry_set(o, s->first + i, loading);
        node_end(o, node, &set);
        if (one) {
            sum_blend(o, sum, &set, share);
        } else {
            set_scale(&set, share);
            sum_join(o, sum, &set, ODDS_ONCE);
        }
        set_free(&set);
    }
    return sum_take(o, sum);
}

/* Returns what one use of the entry gives. The entry is a group: named by its id, or written in
 * place. */
static odds_set group_once(odds *o, const spawn *s, mapgen_loading loading)
{
    odds_set set =
        s->kind == SPAWN_GROUP ? group_set(o, s->id, loading) : children_set(o, s, loading);
    if (!s->changed)
        return set;
    const odds_part any = set_part(&set, SLOT_ANY);
    if (s->container && !s->container_group)
        put_container(o, &set, s->container, any.mean);
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
    if (s->container_group && any.some > 0)
        put_one_of(o, sum, s->container);
    put_contents(o, sum, s, any);
    set = sum_take(o, sum);
    /* Each item gets a container from a group. So it is in doubt, too, how often something is
     * drawn from that group. */
    if (s->container_group)
        set_doubt(&set, ODDS_CONTAINER);
    return set;
}

static odds_set entry_set(odds *o, uint32_t number, mapgen_loading loading)
{
    const spawn s = mapgen_group_spawn(o->source.groups, number);
    const odds_times many = {s.many.low, s.many.high};
    const odds_times times = many.low <= many.high ? many : (odds_times){many.high, many.low};
    const bool one = times.low == 1 && times.high == 1;
    const size_t node = one ? 0
                            : node_begin(o, (odds_node){.step = ODDS_STEP_COUNT,
                                                        .times = odds_mean_times(times)});
    odds_set set =
        s.kind == SPAWN_ITEM ? item_once(o, &s, loading) : group_once(o, &s, loading);
    if (!one) {
        node_end(o, node, &set);
        odds_sum *sum = sum_begin(o);
        sum_join(o, sum, &set, times);
        set_free(&set);
        set = sum_take(o, sum);
        if (times.high > MAPGEN_PIECES)
            o->doubts |= ODDS_LARGE;
    }
    put_container(o, &set, s.wrapper, set_part(&set, SLOT_ANY).some);
    set_packed(&set, s.wrapper, o->null_id);
    return set;
}

/* All items that an item group gives go into the group's own container (its wrapper): adds the
 * container to the set, and notes if items may not fit. */
static void pack_group(odds *o, odds_set *set, const spawn *s)
{
    if (s->wrapper == ID_NONE)
        return;
    const int32_t space = mapgen_item_of(o->source.groups, item_now(o, s->wrapper)).space;
    put_container(o, set, s->wrapper, set_part(set, SLOT_ANY).some);
    bool whole = s->overflow == SPAWN_ALL_IN || space == 0;
    const odds_room room = whole ? (odds_room){0, 0} : odds_room_of(o, s);
    whole = whole || room.total <= space;
    if (whole)
        set_packed(set, s->wrapper, o->null_id);
    /* Whether items fit depends on their volumes. If one item may be larger than the room in
     * the container, the container itself is in doubt. If items that do not fit are thrown
     * away, all items are in doubt. */
    const bool empty = room.each > space;
    const uint32_t container =
        empty ? odds_slot(o, PTL_LOOT_ITEM, item_now(o, s->wrapper)) : SLOT_ANY;
    for (size_t i = 0; i < set->count && !whole; i++) {
        odds_part *p = &set->parts[i];
        const bool item = p->slot == SLOT_ANY || o->things[p->slot].kind == PTL_LOOT_ITEM;
        if (item && (s->overflow == SPAWN_DISCARD || p->slot == container || !p->slot))
            p->doubts |= ODDS_OVERFLOW;
    }
}

/* Computes what is drawn from an item group, if that was not computed before. */
static odds_set compute(odds *o, uint32_t id, uint32_t root, mapgen_loading loading)
{
    const spawn s = mapgen_group_spawn(o->source.groups, root);
    const bool packed = s.wrapper != ID_NONE;
    const mapgen_loading own = {loading.ammo > 0 && !packed ? loading.ammo : s.loading.ammo,
                                loading.magazine > 0 && !packed ? loading.magazine
                                                                : s.loading.magazine};
    o->way[o->depth++] = id;
    odds_set set = children_set(o, &s, own);
    pack_group(o, &set, &s);
    o->depth--;
    const uint32_t slot = odds_slot(o, PTL_LOOT_GROUP, id);
    node_leaf(o, ODDS_STEP_GROUP, slot, 1);
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, &set, ODDS_ONCE);
    sum_put(o, sum, (odds_part){slot, 0, 1, 1});
    set_free(&set);
    return sum_take(o, sum);
}

static uint32_t find_memo(const odds *o, uint32_t id, mapgen_loading loading)
{
    const uint32_t *first = by_id_find(&o->memo_of, id, sizeof *first);
    uint32_t at = first ? *first : 0;
    while (at && (o->memo[at].loading.ammo != loading.ammo ||
                  o->memo[at].loading.magazine != loading.magazine))
        at = o->memo[at].next;
    return at;
}

static void remember(odds *o, uint32_t id, mapgen_loading loading, const odds_set *set,
                     bool loops)
{
    bool sure = true;
    uint32_t *first = by_id_make(&o->memo_of, id, sizeof *first);
    if (!first || !ARRAY_ROOM(o->memo, o->memo_room, o->memo_count + 2)) {
        o->failed = true;
        return;
    }
    const uint32_t number = (uint32_t)++o->memo_count;
    for (size_t i = 0; i < set->count; i++)
        sure = sure && (set->parts[i].slot == SLOT_ANY || set->parts[i].doubts == 0);
    o->memo[number] = (odds_group_set){id, loading, set_copy(o, set), *first, loops, sure};
    *first = number;
}

static odds_set group_set(odds *o, uint32_t id, mapgen_loading loading)
{
    const odds_set nothing = {NULL, 0};
    const uint32_t kept = find_memo(o, id, loading);
    const odds_group_set *memo =
        kept && (o->depth == 0 || !o->memo[kept].loops) ? &o->memo[kept] : NULL;
    const bool told = o->tree.active && memo && set_part(&memo->set, o->tree.slot).mean > 0;
    if (memo && !told)
        return set_copy(o, &memo->set);
    const uint32_t root = mapgen_group_root(o->source.groups, id);
    if (!root || !odds_go(o, 1))
        return nothing;
    for (int i = 0; i < o->depth; i++)
        if (o->way[i] == id) { /* a group inside of itself gives no items */
            o->reached = i < o->reached ? i : o->reached;
            return nothing;
        }
    if (o->depth == DEPTH_MAX) {
        o->doubts |= ODDS_LARGE;
        return nothing;
    }
    const int outer = o->reached;
    const uint32_t doubts = o->doubts;
    o->doubts = 0;
    o->reached = DEPTH_MAX;
    odds_set set = compute(o, id, root, loading);
    /* The set is not kept if the computation was broken off. Nor is it kept if a group inside
     * contains one of the groups that are just being computed: then the set depends on the
     * groups around it. */
    if (o->reached >= o->depth && o->doubts == 0 && !kept && !o->failed && !o->stopped)
        remember(o, id, loading, &set, o->reached == o->depth);
    o->doubts |= doubts;
    o->reached = outer < o->reached ? outer : o->reached;
    return set;
}

odds_set odds_group(odds *o, uint32_t id, mapgen_loading loading, bool *known)
{
    o->depth = 0;
    o->reached = DEPTH_MAX;
    *known = mapgen_group_root(o->source.groups, id) != 0;
    odds_set set = group_set(o, id, loading);
    return set;
}

uint32_t odds_group_number(odds *o, uint32_t id, mapgen_loading loading)
{
    uint32_t number = find_memo(o, id, loading);
    if (number)
        return number;
    bool known;
    odds_set set = odds_group(o, id, loading, &known);
    set_free(&set);
    return find_memo(o, id, loading);
}

odds_set odds_item(odds *o, uint32_t id, const mapgen_told *told)
{
    odds_sum *sum = sum_begin(o);
    const making m = {.charges = {told->charges[0], told->charges[1]},
                      .loading = told->loading};
    (void)put_made(o, sum, ODDS_STEP_ITEM, id, &m);
    return sum_take(o, sum);
}
