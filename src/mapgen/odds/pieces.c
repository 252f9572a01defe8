/* What pieces put on a map: the same rules as in run/run_pieces.c. */
#include "mapgen/compile/text_id.h"
#include "mapgen/odds/scene.h"

enum { ALL = 100 };

/* A piece whose figures are being computed, and where it may lie. */
typedef struct placing {
    scene_frame *f;
    const mapgen_unit *unit;
    const mapgen_piece *p;
    const scene_spot *spot;
} placing;

static const odds_set nothing = {NULL, 0};

static odds *odds_in(const placing *t)
{
    return t->f->m->o;
}

static mapgen_told told_of(const mapgen_piece *p)
{
    mapgen_told told = MAPGEN_TOLD_NOTHING;
    told.loading = (mapgen_loading){p->ammo, p->magazine};
    if (p->flags & MAPGEN_HAS_CHARGES) {
        told.charges[0] = p->charges.low;
        told.charges[1] = p->charges.high;
    }
    return told;
}

/* ---- sets of ids ---- */

/* Returns the figures of what one id, for example that of an item or a group, puts on a
 * tile. */
typedef odds_set of_id(const placing *t, uint32_t id);

/* Returns the figures of all ids that a value may have, each by its probability. In the tree of
 * steps each id becomes a step of the kind `step`. */
static odds_set blend(const placing *t, uint32_t value, odds_step step, of_id *of)
{
    odds *o = odds_in(t);
    shares ids = {NULL, 0, 0};
    scene_values(&ids, t->f, t->unit, value);
    if (scene_halted(t->f->m) || ids.count == 0) {
        shares_free(&ids);
        return nothing;
    }
    odds_sum *sum = sum_begin(o);
    for (size_t i = 0; i < ids.count && odds_go(o, 1); i++) {
        /* Pieces of monsters are not left out, even if the thing that is asked for can't come
         * from them, because then it would not be noted that the map depends on the density of
         * monsters. */
        const bool skipped = o->only && t->p->kind != MAPGEN_MONSTERS;
        if (ids.items[i].id == ID_NONE || (skipped && !odds_gives(o, ids.items[i].id)))
            continue;
        const size_t node = node_begin(
            o, (odds_node){.step = step, .id = ids.items[i].id, .times = ids.items[i].share});
        odds_set set = of(t, ids.items[i].id);
        node_end(o, node, &set);
        sum_blend(o, sum, &set, ids.items[i].share);
        set_free(&set);
    }
    shares_free(&ids);
    return sum_take(o, sum);
}

static odds_set group_of(const placing *t, uint32_t id)
{
    bool known;
    const mapgen_told told = told_of(t->p);
    return odds_group(odds_in(t), id, told.loading, &known);
}

static odds_set plain_group_of(const placing *t, uint32_t id)
{
    bool known;
    return odds_group(odds_in(t), id, (mapgen_loading){0, 0}, &known);
}

/* Returns the figures of as many items of the type `id` as the piece states (`amount`). */
static odds_set items_of(const placing *t, uint32_t id)
{
    odds *o = odds_in(t);
    const mapgen_told told = told_of(t->p);
    const odds_times amount = {t->p->amount.low, t->p->amount.high};
    if (t->p->kind == MAPGEN_LOOT || (amount.low == 1 && amount.high == 1))
        return odds_item(o, id, &told);
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_COUNT, .times = odds_mean_times(amount)});
    odds_set one = odds_item(o, id, &told);
    node_end(o, node, &one);
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, &one, amount);
    set_free(&one);
    return sum_take(o, sum);
}

static odds_set one_thing(odds *o, odds_step step, ptl_loot_kind kind, uint32_t id,
                          double chance)
{
    const uint32_t slot = odds_slot(o, kind, id);
    odds_sum *sum = sum_begin(o);
    node_leaf(o, step, slot, chance);
    sum_put(o, sum, (odds_part){slot, 0, chance, chance});
    return sum_take(o, sum);
}

static odds_set liquid_of(const placing *t, uint32_t id)
{
    return one_thing(odds_in(t), ODDS_STEP_ITEM, PTL_LOOT_ITEM, id, 1);
}

static odds_set vehicle_of(const placing *t, uint32_t id)
{
    return odds_vehicle(odds_in(t), id);
}

static odds_set monsters_of(const placing *t, uint32_t id)
{
    const bool own = t->p->flags & MAPGEN_HAS_DENSITY;
    if (!own)
        t->f->m->depends |= ODDS_DENSITY;
    return odds_monsters(odds_in(t), id, own ? t->p->density : t->f->m->request->density);
}

/* Returns the monsters that a piece puts down, as often as its `amount` says: monsters of this
 * id, or, if it is the id of a group, those that the group gives. */
static odds_set monster_of(const placing *t, uint32_t id)
{
    odds *o = odds_in(t);
    const bool group = t->p->what == 0;
    bool known;
    const odds_times amount = {t->p->amount.low, t->p->amount.high};
    if (id == o->null_id || (amount.low <= 0 && amount.high <= 0))
        return nothing;
    odds_sum *sum = sum_begin(o);
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_COUNT, .times = odds_mean_times(amount)});
    odds_set one = group ? odds_pack(o, id, &known)
                         : one_thing(o, ODDS_STEP_MONSTER, PTL_LOOT_MONSTER, id, 1);
    node_end(o, node, &one);
    sum_join(o, sum, &one, amount);
    set_free(&one);
    return sum_take(o, sum);
}

/* ---- kinds ---- */

static odds_set shards_of(const placing *t)
{
    odds *o = odds_in(t);
    const uint32_t id = mapgen_word_id(o->source.pool, "glass_shard");
    if (!(mapgen_item_of(o->source.groups, id).flags & MAPGEN_ITEM_KNOWN))
        return nothing;
    const mapgen_told plain = MAPGEN_TOLD_NOTHING;
    const odds_times count = {1, MAPGEN_SHARDS_MOST};
    const double times = odds_mean_times(count) * MAPGEN_TILES_AROUND / MAPGEN_SHARDS;
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_ITEM, .id = id, .times = times});
    odds_set one = odds_item(o, id, &plain);
    node_end(o, node, &one);
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, &one, count);
    set_free(&one);
    one = sum_take(o, sum);
    set_scale(&one, 1.0 / MAPGEN_SHARDS);
    sum = sum_begin(o);
    sum_join(o, sum, &one, (odds_times){MAPGEN_TILES_AROUND, MAPGEN_TILES_AROUND});
    set_free(&one);
    return sum_take(o, sum);
}

/* Returns what a vending machine puts on its tile: the items of a group, or, if it stands open,
 * only shards of glass around it. */
static odds_set vending_of(const placing *t, tile_set *where)
{
    odds *o = odds_in(t);
    const bool reinforced = t->p->flags & MAPGEN_REINFORCED;
    const double open = reinforced ? 0 : (double)MAPGEN_VENDING_OPEN / ALL;
    odds_sum *sum = sum_begin(o);
    size_t node = node_begin(o, (odds_node){.step = ODDS_STEP_CONTAINER,
                                            .id = mapgen_word_id(o->source.pool, "f_vending_c"),
                                            .times = 1 - open});
    odds_set set;
    if (t->p->what)
        set = blend(t, t->p->what, ODDS_STEP_GROUP, plain_group_of);
    else
        set = plain_group_of(t, mapgen_word_id(o->source.pool, "vending_food"));
    node_end(o, node, &set);
    sum_blend(o, sum, &set, 1 - open);
    set_free(&set);
    if (open > 0) {
        bool cut = false;
        node = node_begin(o, (odds_node){.step = ODDS_STEP_CONTAINER,
                                         .id = mapgen_word_id(o->source.pool, "f_vending_o"),
                                         .times = open});
        set = shards_of(t);
        node_end(o, node, &set);
        sum_blend(o, sum, &set, open);
        set_free(&set);
        *where = tiles_spread(where, (mapgen_range){-1, 1}, (mapgen_range){-1, 1}, &cut);
    }
    return sum_take(o, sum);
}

static odds_set pump_of(const placing *t)
{
    enum { ONE_IS_DIESEL = 4 };
    odds *o = odds_in(t);
    id_pool *pool = o->source.pool;
    if (t->p->text != ID_NONE)
        return liquid_of(t, t->p->text);
    odds_sum *sum = sum_begin(o);
    const double diesel = 1.0 / ONE_IS_DIESEL;
    odds_set set =
        one_thing(o, ODDS_STEP_ITEM, PTL_LOOT_ITEM, mapgen_word_id(pool, "diesel"), diesel);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
    set = one_thing(o, ODDS_STEP_ITEM, PTL_LOOT_ITEM, mapgen_word_id(pool, "gasoline"),
                    1 - diesel);
    sum_join(o, sum, &set, ODDS_ONCE);
    set_free(&set);
    return sum_take(o, sum);
}

/* Counts the kinds of items in a set. */
static size_t count_items(const odds *o, const odds_set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        count += set->parts[i].slot != SLOT_ANY &&
                 o->things[set->parts[i].slot].kind == PTL_LOOT_ITEM;
    return count;
}

/* Adds to `sum`, a sum of o->whole, all that a piece in a sealed item may give. */
static void add_whole(odds_sum *sum, const placing *t, const mapgen_piece *p)
{
    odds *whole = odds_in(t)->whole;
    const mapgen_told told = told_of(p);
    shares ids = {NULL, 0, 0};
    scene_values(&ids, t->f, t->unit, p->what);
    for (size_t i = 0; i < ids.count; i++) {
        bool known;
        const uint32_t id = ids.items[i].id;
        if (id == ID_NONE)
            continue;
        odds_set set = p->kind == MAPGEN_ITEMS ? odds_group(whole, id, told.loading, &known)
                                               : odds_item(whole, id, &told);
        sum_join(whole, sum, &set, ODDS_ONCE);
        set_free(&set);
    }
    shares_free(&ids);
}

/* Counts the kinds of items that a sealed item gives. `set` has them; but if the figures of one
 * thing are asked for, it has only that one, and the others are computed apart. */
static size_t count_sealed(const placing *t, const odds_set *set)
{
    odds *o = odds_in(t);
    const uint32_t inner[] = {t->p->item, t->p->items};
    if (!o->only || set->count == 0)
        return count_items(o, set);
    if (!o->whole)
        o->whole = odds_new(&o->source);
    odds *whole = o->whole;
    if (!whole) {
        o->failed = true;
        return 0;
    }
    whole->steps = whole->doubts = 0;
    odds_sum *sum = sum_begin(whole);
    for (int i = 0; i < 2; i++)
        if (inner[i])
            add_whole(sum, t, &t->unit->pieces[inner[i]]);
    odds_set all = sum_take(whole, sum);
    const size_t count = count_items(whole, &all);
    set_free(&all);
    o->failed = o->failed || whole->failed;
    o->stopped = o->stopped || whole->stopped;
    o->doubts |= whole->doubts & ODDS_LARGE;
    return count;
}

/* A plant keeps only one of the items that are put into it: the first. If all these items are
 * of one type, it is known which one that is; otherwise their figures become doubtful. */
static odds_set planted(const placing *t, odds_set set)
{
    odds *o = odds_in(t);
    shares furniture = {NULL, 0, 0};
    bool plants = false, others = false;
    scene_values(&furniture, t->f, t->unit, t->p->with);
    for (size_t i = 0; i < furniture.count; i++) {
        const bool plant = mapgen_furniture_tile(o->source.tiles, furniture.items[i].id).flags &
                           MAPGEN_TILE_PLANT;
        plants = plants || plant;
        others = others || !plant;
    }
    shares_free(&furniture);
    const size_t items = plants ? count_sealed(t, &set) : 0;
    for (size_t i = 0; i < set.count && plants; i++) {
        odds_part *p = &set.parts[i];
        if (p->slot == SLOT_ANY || o->things[p->slot].kind != PTL_LOOT_ITEM)
            continue;
        p->doubts |= items > 1 || (others && p->mean > p->some) ? ODDS_PLANT : 0;
        p->mean = items == 1 && !others ? p->some : p->mean;
    }
    return set;
}

static odds_set piece_set(const placing *t);

static odds_set sealed_of(const placing *t)
{
    odds *o = odds_in(t);
    odds_sum *sum = sum_begin(o);
    const uint32_t inner[] = {t->p->item, t->p->items};
    for (int i = 0; i < 2; i++) {
        const placing in = {
            t->f, t->unit, &t->unit->pieces[inner[i]],
            &(scene_spot){.x = ODDS_NOWHERE, .count = 1, .inside = 1, .symbol = true}};
        if (!inner[i])
            continue;
        odds_set set = piece_set(&in);
        sum_join(o, sum, &set, ODDS_ONCE);
        set_free(&set);
    }
    return planted(t, sum_take(o, sum));
}

/* Returns what a piece puts on one tile each time that it is put down there, that is, each time
 * that its chance holds. */
static odds_set put_of(const placing *t, tile_set *where)
{
    const mapgen_piece *p = t->p;
    odds *o = odds_in(t);
    switch (p->kind) {
    case MAPGEN_ITEMS:
        return blend(t, p->what, ODDS_STEP_GROUP, group_of);
    case MAPGEN_LOOT:
        return p->what ? blend(t, p->what, ODDS_STEP_GROUP, group_of)
                       : blend(t, p->with, ODDS_STEP_ITEM, items_of);
    case MAPGEN_ITEM:
        return blend(t, p->what, ODDS_STEP_ITEM, items_of);
    case MAPGEN_SEALED_ITEM:
        return sealed_of(t);
    case MAPGEN_VENDING:
        return vending_of(t, where);
    case MAPGEN_TOILET:
        return one_thing(o, ODDS_STEP_ITEM, PTL_LOOT_ITEM,
                         mapgen_word_id(o->source.pool, "water"), 1);
    case MAPGEN_GASPUMP:
        return pump_of(t);
    case MAPGEN_LIQUID:
        return blend(t, p->what, ODDS_STEP_ITEM, liquid_of);
    case MAPGEN_MONSTERS:
        return blend(t, p->what, ODDS_STEP_GROUP, monsters_of);
    case MAPGEN_MONSTER:
        return p->what ? blend(t, p->what, ODDS_STEP_MONSTER, monster_of)
                       : blend(t, p->with, ODDS_STEP_GROUP, monster_of);
    case MAPGEN_VEHICLE:
        return blend(t, p->what, ODDS_STEP_VEHICLE, vehicle_of);
    default:
        return nothing;
    }
}

enum { PASSES_MAX = 100 };

/* A chance is a number from a range. Returns the probability that it is `chance` percent.
 * Numbers below 0 count as 0, and numbers above 100 as 100. */
static double chance_share(mapgen_range range, int chance)
{
    const int64_t low = chance <= 0 ? INT32_MIN : chance,
                  high = chance >= ALL ? INT32_MAX : chance;
    const int64_t from = range.low > low ? range.low : low;
    const int64_t to = range.high < high ? range.high : high;
    return to < from
               ? 0
               : ((double)(to - from) + 1) / ((double)((int64_t)range.high - range.low) + 1);
}

/* Returns the figures of a piece that is put down again and again until its chance fails, but
 * at most PASSES_MAX times. With a chance of 100 percent it is put down once. */
static odds_set passes(odds *o, const odds_set *set, mapgen_range chance, double inside)
{
    odds_sum *sum = sum_begin(o);
    for (int c = 0; c <= ALL; c++) {
        const double part = chance_share(chance, c);
        if (part <= 0)
            continue;
        odds_set each = set_copy(o, set);
        set_scale(&each, inside);
        for (size_t i = 0; i < each.count; i++) {
            odds_part *e = &each.parts[i];
            double go = 1, mean = 0, some = 0, missed = 1;
            for (int n = 0; n < (c >= ALL ? 1 : PASSES_MAX) && go > 0; n++) {
                go *= (double)c / ALL;
                mean += go * e->mean;
                some += go * missed * e->some;
                missed *= 1 - e->some;
            }
            e->mean = mean;
            e->some = some;
        }
        sum_blend(o, sum, &each, part);
        set_free(&each);
    }
    return sum_take(o, sum);
}

static double mean_passes(mapgen_range chance)
{
    double sum = 0;
    for (int c = 0; c <= ALL; c++) {
        const double part = chance_share(chance, c);
        const double p = (double)c / ALL;
        sum += part * (c >= ALL ? 1 : p / (1 - p) * (1 - pow(p, PASSES_MAX)));
    }
    return sum;
}

/* Is it decided each time, before a piece of this kind is put down, whether its chance
 * holds? */
static bool has_chance(mapgen_kind kind)
{
    return kind == MAPGEN_ITEMS || kind == MAPGEN_VEHICLE || kind == MAPGEN_ITEM ||
           kind == MAPGEN_SEALED_ITEM || kind == MAPGEN_LIQUID || kind == MAPGEN_LOOT ||
           kind == MAPGEN_MONSTER || kind == MAPGEN_MONSTERS;
}

/* Returns what a piece puts on one of its tiles. Its chance and how often it repeats are
 * included. */
static odds_set piece_set(const placing *t)
{
    odds *o = odds_in(t);
    const mapgen_piece *p = t->p;
    const bool geometric = p->kind == MAPGEN_ITEMS && o->source.items_geometric;
    const odds_times repeat = {p->repeat.low, p->repeat.high};
    const double inside = p->kind == MAPGEN_MONSTERS ? t->spot->inside > 0 : t->spot->inside;
    const double chance = geometric             ? mean_passes(p->chance)
                          : has_chance(p->kind) ? scene_chance(p)
                                                : 1;
    tile_set where = t->spot->tiles;
    const size_t node =
        node_begin(o, (odds_node){.step = ODDS_STEP_PIECE,
                                  .kind = p->kind,
                                  .x = t->spot->x,
                                  .y = t->spot->y,
                                  .times = chance * inside * odds_mean_times(repeat)});
    odds_set set = without_any(put_of(t, &where));
    if (p->kind != MAPGEN_MONSTERS && (t->f->entry->skips_air || t->f->entry->avoids_creatures))
        set_doubt(&set, ODDS_SPARED);
    node_end(o, node, &set);
    if (set.count == 0 || scene_halted(t->f->m)) {
        set_free(&set);
        return nothing;
    }
    log_put(t->f->m, &where, set_copy(o, &set));
    odds_sum *sum = sum_begin(o);
    if (geometric) {
        odds_set all = passes(o, &set, p->chance, inside);
        sum_join(o, sum, &all, repeat);
        set_free(&all);
    } else {
        set_scale(&set, chance * inside);
        sum_join(o, sum, &set, repeat);
    }
    set_free(&set);
    if (repeat.high > MAPGEN_PIECES)
        o->doubts |= ODDS_LARGE;
    return sum_take(o, sum);
}

uint32_t scene_removes(const scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p)
{
    static const uint32_t of_kind[MAPGEN_KINDS] = {
        [MAPGEN_REMOVE_ALL] = 1 << PTL_LOOT_ITEM | 1 << PTL_LOOT_VEHICLE,
        [MAPGEN_REMOVE_VEHICLES] = 1 << PTL_LOOT_VEHICLE};
    enum { POLICY = 3 };
    const bool erases =
        f->m->level >= 0 && (f->entry->old >> MAPGEN_OLD_ITEMS & POLICY) != MAPGEN_KEEP;
    if (p->kind == MAPGEN_TERRAIN)
        return erases || scene_is_wall(f, unit, p->what) ? 1 << PTL_LOOT_ITEM : 0;
    return of_kind[p->kind];
}

static odds_set piece_here(const placing *t)
{
    scene *m = t->f->m;
    odds *o = m->o;
    if (m->level != 0)
        return nothing;
    if (!t->spot->symbol) { /* what characters remove is noted in the log by add_rows */
        const uint32_t removed = scene_removes(t->f, t->unit, t->p);
        if (removed)
            log_remove(m, &t->spot->tiles, removed);
    }
    odds_set set = piece_set(t);
    if (t->spot->count == 1 || set.count == 0)
        return set;
    odds_sum *sum = sum_begin(o);
    sum_join(o, sum, &set, (odds_times){t->spot->count, t->spot->count});
    set_free(&set);
    return sum_take(o, sum);
}

odds_set scene_piece(scene_frame *f, const mapgen_unit *unit, const mapgen_piece *p,
                     const scene_spot *spot)
{
    const placing t = {f, unit, p, spot};
    scene *m = f->m;
    odds *o = m->o;
    if (!(p->flags & MAPGEN_AT_HEIGHT))
        return piece_here(&t);
    /* The piece goes to another level. It counts only if that is the level of the map: this is
     * so if a chunk that lies on another level places the piece back onto the map's level. */
    const int64_t low = p->z.low < p->z.high ? p->z.low : p->z.high;
    const int64_t high = p->z.low < p->z.high ? p->z.high : p->z.low;
    odds_sum *sum = sum_begin(o);
    for (int64_t z = low < -MAPGEN_SIDE ? -MAPGEN_SIDE : low; z <= high && z <= MAPGEN_SIDE;
         z++) {
        const double part = 1 / ((double)(high - low) + 1);
        const size_t node = node_begin(
            o, (odds_node){
                   .step = ODDS_STEP_PIECE, .kind = p->kind, .x = ODDS_NOWHERE, .times = part});
        m->level += (int)z;
        odds_set set = piece_here(&t);
        m->level -= (int)z;
        node_end(o, node, &set);
        sum_blend(o, sum, &set, part);
        set_free(&set);
    }
    return sum_take(o, sum);
}
