/* Chooses items from item groups at random. */
#include "core/array.h"
#include "core/bytes.h"
#include "mapgen/groups/groups_impl.h"

enum { DEPTH_MAX = 64, ALL = 100 };

/* State of choosing items from one group. */
typedef struct drawing {
    mapgen_draft *draft;
    mapgen_groups *groups;
    rng *random;
    mapgen_budget *budget;
    /* The item groups from which items are being chosen at random, the innermost last. No
     * items are chosen from a group that is among them already. */
    uint32_t way[DEPTH_MAX];
    int depth;
} drawing;

/* How an item is made that an entry of an item group, or a piece of mapgen, puts down. */
typedef struct making {
    const spawn *told;    /* what the entry of the item group, or the piece of mapgen, says
                             about the item */
    int32_t damage, dirt; /* the damage and the dirt of the item, which were chosen at random */
    /* The id of the ammunition in the item; ID_NONE: the usual ammunition of its type. */
    uint32_t ammo;
    mapgen_loading loading;
    bool bare; /* the item comes without its usual container, as it goes into another one */
} making;

void mapgen_draft_dispose(mapgen_draft *draft)
{
    free(draft->items);
    *draft = (mapgen_draft){NULL, 0, 0, false, false};
}

static bool spend(drawing *d)
{
    d->draft->cut = !mapgen_budget_spend(d->budget) || d->draft->cut;
    return !d->draft->cut;
}

/* Subtracts the work of going over `count` entries of item groups, or over as many chosen
 * items, from the map's budget. False once the budget is spent. */
static bool touch(drawing *d, size_t count)
{
    d->draft->cut = !mapgen_budget_touch(d->budget, count) || d->draft->cut;
    return !d->draft->cut;
}

/* Appends an item to the draft (the list of chosen items) and returns its index. `depth`: how
 * many containers the item lies in. */
static size_t push(mapgen_draft *draft, uint32_t id, int32_t charges, int32_t depth)
{
    if (!ARRAY_ROOM(draft->items, draft->room, draft->count + 1)) {
        draft->failed = true;
        return draft->count;
    }
    draft->items[draft->count] = (local_entity){
        .kind = LOCAL_ITEM, .id = id, .count = 1, .charges = charges, .status = depth};
    return draft->count++;
}

/* Does the id stand for no item? Content writes it where an item would stand otherwise. */
static bool is_null(const drawing *d, uint32_t id)
{
    return strcmp(id_pool_text(d->groups->pool, id), "null") == 0;
}

/* Puts the items from `first` to before `end` into a new container, which takes the place of
 * the first one. */
static void wrap_range(drawing *d, size_t first, size_t end, uint32_t container, bool open)
{
    mapgen_draft *draft = d->draft;
    if (container == ID_NONE || first >= end || is_null(d, container) ||
        !touch(d, draft->count - first))
        return;
    const int32_t depth = draft->items[first].status;
    const size_t at = push(draft, mapgen_item_now(d->groups, container), 0, depth);
    if (draft->failed)
        return;
    /* An open container is marked in its JSON. */
    static const char text[] = "{\"sealed\":false}";
    draft->items[at].text =
        open ? id_pool_put(d->groups->pool, text, sizeof text - 1) : ID_NONE;
    const local_entity outer = draft->items[at];
    memmove(draft->items + first + 1, draft->items + first, (at - first) * sizeof outer);
    draft->items[first] = outer;
    for (size_t i = first + 1; i <= end; i++)
        draft->items[i].status++;
}

/* Puts all items from `first` on into a new container. */
static void wrap(drawing *d, size_t first, uint32_t container, bool open)
{
    wrap_range(d, first, d->draft->count, container, open);
}

static bool percent(rng *random, int32_t chance)
{
    return chance >= ALL || (chance > 0 && (int32_t)rng_below(random, ALL) < chance);
}

static int32_t from_range(rng *random, spawn_range range)
{
    return range.low == range.high ? range.low : rng_range(random, range.low, range.high);
}

/* ---- one item ---- */

int32_t mapgen_item_rounds(mapgen_groups *groups, const mapgen_item *item)
{
    return item->capacity > 0 ? item->capacity
                              : mapgen_item_of(groups, item->magazine).capacity;
}

/* Loads the last item of the draft (the list of chosen items). If the item takes a magazine,
 * that is put in first; with 0 rounds the magazine stays empty. */
static void load(drawing *d, const mapgen_item *item, uint32_t ammo, int32_t rounds)
{
    mapgen_item holder = *item;
    int32_t depth = 0;
    if (item->capacity == 0 && item->magazine != ID_NONE) {
        const uint32_t magazine = mapgen_item_now(d->groups, item->magazine);
        push(d->draft, magazine, 0, ++depth);
        holder = mapgen_item_of(d->groups, magazine);
    }
    const int32_t most = rounds < holder.capacity ? rounds : holder.capacity;
    const uint32_t id = ammo != ID_NONE ? mapgen_item_now(d->groups, ammo) : holder.ammo;
    if (most > 0 && id != ID_NONE)
        push(d->draft, id, most, depth + 1);
}

/* Chooses at random the charges that an entry of an item group states for its item; -1 if it
 * states none. If the range states no lower end, this is 0; if it states no upper end, this
 * is all that the item takes. */
static int32_t draw_charges(drawing *d, const mapgen_item *item, spawn_range told)
{
    if (told.low == -1 && told.high == -1)
        return -1;
    spawn_range range = {told.low == -1 ? 0 : told.low, told.high};
    if (told.high == -1) {
        const int32_t rounds = mapgen_item_rounds(d->groups, item);
        range.high = rounds > range.low ? rounds : range.low;
    }
    return from_range(d->random, range);
}

/* Loads an item, if it takes ammunition. If charges are stated, it gets these. If not, it gets
 * the charges that a new item has, or, at random by the percentages of m->loading, all rounds
 * that it takes, or an empty magazine. */
static void fill(drawing *d, const mapgen_item *item, const making *m, int32_t charges)
{
    enum { LOADED = MAPGEN_ITEM_GUN | MAPGEN_ITEM_TOOL | MAPGEN_ITEM_MAGAZINE };
    const int32_t rounds = mapgen_item_rounds(d->groups, item);
    if (!(item->flags & LOADED))
        return;
    if (charges > 0)
        load(d, item, m->ammo, charges);
    if (charges != -1)
        return;
    const bool full = percent(d->random, m->loading.ammo);
    const bool magazine = percent(d->random, m->loading.magazine);
    /* In DDA 0.F's own maps, a new tool with a pocket for ammunition is empty, whatever its
     * initial_charges say: 416 of 416 pens are. */
    const bool empty = (item->flags & MAPGEN_ITEM_TOOL) && (item->flags & MAPGEN_ITEM_POCKETS);
    if (item->charges > 0 && item->capacity > 0 && !empty)
        load(d, item, m->ammo, item->charges);
    else if (full && rounds > 0)
        load(d, item, m->ammo, rounds);
    else if (magazine && item->capacity == 0)
        load(d, item, m->ammo, 0);
}

/* Returns the character that must be written before the next member of the JSON object in
 * `out`: a brace before the first one, else a comma. */
static char before_member(const bytes *out)
{
    return out->size > 0 ? ',' : '{';
}

/* Returns what is particular about an item, such as damage and flags, as a JSON text; ID_NONE:
 * nothing is. */
static uint32_t particulars(drawing *d, const making *m, bool fits)
{
    const id_pool *pool = d->groups->pool;
    const spawn *s = m->told;
    bytes text;
    uint32_t id = ID_NONE;
    bytes_init(&text);
    if (m->damage > 0)
        bytes_printf(&text, "{\"damage\":%d", (int)m->damage);
    if (m->dirt > 0)
        bytes_printf(&text, "%c\"dirt\":%d", before_member(&text), (int)m->dirt);
    if (fits)
        bytes_printf(&text, "%c\"fits\":true", before_member(&text));
    if (s->custom != ID_NONE)
        bytes_printf(&text, "%c\"flags\":%s", before_member(&text),
                     id_pool_text(pool, s->custom));
    if (s->variant != ID_NONE)
        bytes_printf(&text, "%c\"variant\":%s", before_member(&text),
                     id_pool_text(pool, s->variant));
    if (s->rest != ID_NONE)
        bytes_printf(&text, "%c%s", before_member(&text), id_pool_text(pool, s->rest));
    if (text.size > 0)
        bytes_put_text(&text, "}");
    if (text.size > 0 && !text.failed && touch(d, text.size))
        id = id_pool_put(d->groups->pool, (const char *)text.data, text.size);
    d->draft->failed = d->draft->failed || text.failed;
    bytes_dispose(&text);
    return id;
}

/* Fits the charges of a liquid to its container, if the item with the index `at` is a liquid
 * and the last of the chosen items. The liquid fills the container; but if its charges are
 * stated (`told`), they are only limited to those that fit. */
static void fit_liquid(drawing *d, size_t at, uint32_t container, bool told)
{
    if (container == ID_NONE || at + 1 != d->draft->count)
        return;
    local_entity *e = &d->draft->items[at];
    const mapgen_item item = mapgen_item_of(d->groups, e->id);
    const mapgen_item outer = mapgen_item_of(d->groups, mapgen_item_now(d->groups, container));
    /* The most charges of the liquid that fit into the container; 0: not known. */
    enum { MOST = 1000000 };
    int32_t most = 0;
    if (item.volume > 0) {
        const int64_t charges = (int64_t)outer.space * item.stack / item.volume;
        most = charges > MOST ? MOST : (int32_t)charges;
    }
    if (item.flags & MAPGEN_ITEM_LIQUID && most > 0 && (!told || e->charges > most))
        e->charges = most;
}

/* Makes an item, in its usual container unless m->bare. */
static void make(drawing *d, uint32_t told, const making *m)
{
    enum { FITS = 3 }; /* clothing of variable size fits its wearer in one of three cases */
    const uint32_t id = mapgen_item_now(d->groups, told);
    const mapgen_item item = mapgen_item_of(d->groups, id);
    if (is_null(d, id))
        return;
    const size_t at = push(d->draft, id, 0, 0);
    if (d->draft->failed)
        return;
    const bool fits = item.flags & MAPGEN_ITEM_VARIABLE && rng_one_in(d->random, FITS);
    const int32_t charges = draw_charges(d, &item, m->told->charges);
    const bool counted = item.flags & (MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID);
    if (counted)
        d->draft->items[at].charges = charges == -1 ? item.charges : charges > 0 ? charges : 1;
    d->draft->items[at].text = particulars(d, m, fits);
    if (!counted)
        fill(d, &item, m, charges);
    if (m->bare || item.container == ID_NONE)
        return;
    fit_liquid(d, at, item.container, charges != -1);
    wrap(d, at, item.container, m->told->open);
}

/* ---- entries ---- */

static void draw_spawn(drawing *d, uint32_t number, mapgen_loading loading);
static bool run_group(drawing *d, uint32_t id, mapgen_loading loading);

/* Returns the id of a container or ammunition. If `group`, the given id names a group, and the
 * first item that this group gives is taken. */
static uint32_t draw_id(drawing *d, uint32_t id, bool group)
{
    mapgen_draft *draft = d->draft;
    if (!group)
        return id;
    const size_t before = draft->count;
    run_group(d, id, (mapgen_loading){0, 0});
    const uint32_t drawn = draft->count > before ? draft->items[before].id : ID_NONE;
    draft->count = before;
    return drawn;
}

static void put_contents(drawing *d, const spawn *s)
{
    mapgen_draft *draft = d->draft;
    for (uint32_t i = 0; i < s->content_count && spend(d); i++) {
        const uint32_t id = d->groups->ids[s->contents + i];
        const size_t before = draft->count;
        if (s->contents_group)
            run_group(d, id, (mapgen_loading){0, 0});
        else
            make(d, id, &(making){.told = &(spawn){.charges = {-1, -1}}});
        if (!touch(d, draft->count - before))
            return;
        for (size_t k = before; k < draft->count; k++)
            draft->items[k].status++;
    }
}

/* Applies what an entry says, such as damage, to each item that its group has given and that
 * lies on the tile by itself, not inside of another item. */
static void change_results(drawing *d, const spawn *s, size_t first)
{
    mapgen_draft *draft = d->draft;
    for (size_t i = first; i < draft->count && touch(d, 1); i++) {
        local_entity *e = &draft->items[i];
        if (e->status != 0)
            continue;
        const mapgen_item item = mapgen_item_of(d->groups, e->id);
        const int32_t charges = draw_charges(d, &item, s->charges);
        if (charges != -1 && item.flags & (MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID))
            e->charges = charges > 0 ? charges : 1;
        making m = {.told = s};
        m.damage = from_range(d->random, s->damage);
        m.dirt = from_range(d->random, s->dirt);
        if (e->text == ID_NONE)
            e->text = particulars(d, &m, false);
    }
}

/* Chooses the items of an entry of an item group at random, as often as the entry repeats. Then
 * gives them what the entry states about its items, such as damage. */
static void draw_entry(drawing *d, uint32_t number, mapgen_loading loading)
{
    const spawn s = d->groups->spawns.items[number];
    const size_t first = d->draft->count;
    for (int32_t n = from_range(d->random, s.many); n > 0 && spend(d); n--) {
        const size_t before = d->draft->count;
        if (s.kind == SPAWN_ITEM) {
            /* Makes the item of this entry, with everything that the entry says about the
             * item. */
            const int32_t damage = from_range(d->random, s.damage);
            const int32_t dirt = from_range(d->random, s.dirt);
            const uint32_t ammo = draw_id(d, s.ammo, s.ammo_group);
            const making m = {&s, damage, dirt, ammo, loading, s.container != ID_NONE};
            const uint32_t container = draw_id(d, s.container, s.container_group);
            make(d, s.id, &m);
            fit_liquid(d, before, container, s.charges.low != -1 || s.charges.high != -1);
            wrap(d, before, container, s.open);
            put_contents(d, &s);
            continue;
        }
        if (s.kind == SPAWN_GROUP)
            run_group(d, s.id, loading);
        else
            draw_spawn(d, number, loading);
        if (s.changed) {
            change_results(d, &s, before);
            /* Each item that the entry gave, and that does not lie in another one, is put into
             * a container of its own. The loop begins with the last item, so that the items
             * before it keep their indexes. */
            size_t end = d->draft->count;
            for (size_t i = end; s.container && i-- > before && touch(d, 1);) {
                if (d->draft->items[i].status != 0)
                    continue;
                wrap_range(d, i, end, draw_id(d, s.container, s.container_group), s.open);
                end = i;
            }
            if (d->draft->count > before)
                put_contents(d, &s);
        }
    }
    wrap(d, first, s.wrapper, s.open);
}

/* Chooses items from the entries of an item group, or of a collection or distribution inside
 * one. */
static void draw_spawn(drawing *d, uint32_t number, mapgen_loading loading)
{
    const spawn s = d->groups->spawns.items[number];
    if (s.kind == SPAWN_DISTRIBUTION && s.total > 0) {
        /* Draws one of the group's entries by weight. Some entries count only on one day of the
         * year (`elsewhen`). If such an entry is drawn, the next entry without a day takes its
         * place, as in the games. `chosen` stays 0 if there is none, or if the budget is spent
         * before. */
        uint32_t wanted = rng_below(d->random, s.total), chosen = 0;
        bool drawn = false;
        for (uint32_t i = 0; i < s.count && !chosen && touch(d, 1); i++) {
            const spawn *e = &d->groups->spawns.items[s.first + i];
            drawn = drawn || wanted < (uint32_t)e->prob;
            chosen = drawn && !e->elsewhen ? s.first + i : 0;
            wanted -= (uint32_t)e->prob;
        }
        if (chosen && spend(d))
            draw_entry(d, chosen, loading);
    }
    for (uint32_t i = 0; s.kind == SPAWN_COLLECTION && i < s.count && spend(d); i++)
        if (!d->groups->spawns.items[s.first + i].elsewhen &&
            percent(d->random, d->groups->spawns.items[s.first + i].prob))
            draw_entry(d, s.first + i, loading);
}

/* ---- what a container holds ---- */

/* Sorts the chosen items from `first` on, each with its contents: first those for which there
 * is room in `space` millilitres, then the others. Room is given to the items in their order.
 * Returns the index of the first item without room. */
static size_t part_by_space(drawing *d, size_t first, int64_t space)
{
    mapgen_draft *draft = d->draft;
    const size_t count = draft->count - first;
    const int32_t depth = draft->items[first].status;
    local_entity *beside = malloc((count + 1) * sizeof *beside);
    size_t kept = first, left = 0;
    bool fits = true;
    (void)touch(d, 2 * count);
    if (!beside) {
        draft->failed = true;
        return draft->count;
    }
    for (size_t i = first; i < draft->count; i++) {
        const local_entity e = draft->items[i];
        if (e.status == depth) {
            /* The loop adds up the volumes of the items in the container, in millilitres. An
             * item's volume depends on its count or charges; it is 0 if content does not state
             * it. */
            const mapgen_item item = mapgen_item_of(d->groups, e.id);
            const int64_t each = item.volume;
            const bool charged =
                item.flags & (MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_LIQUID) && item.stack > 0;
            const int64_t volume =
                charged ? (each * e.charges + item.stack - 1) / item.stack : each * e.count;
            fits = volume <= space;
            space -= fits ? volume : 0;
        }
        if (fits)
            draft->items[kept++] = e;
        else
            beside[left++] = e;
    }
    memcpy(draft->items + kept, beside, left * sizeof *beside);
    free(beside);
    return kept;
}

static bool run_group(drawing *d, uint32_t id, mapgen_loading loading)
{
    const uint32_t root = mapgen_group_root(d->groups, id);
    if (!root)
        return false;
    for (int i = 0; i < d->depth; i++)
        if (d->way[i] == id)
            return true; /* the group contains itself, which MG307 has reported */
    if (d->depth == DEPTH_MAX) {
        d->draft->cut = true;
        return true;
    }
    d->way[d->depth++] = id;
    groups_tell(d->groups, id);
    const spawn s = d->groups->spawns.items[root];
    /* `loading` has the percentages of loaded items that the caller states. They are used for
     * items that lie on the tile itself. If the group packs its items into a container (its
     * wrapper), the group's own percentages are used. */
    const bool packed = s.wrapper != ID_NONE;
    const mapgen_loading own = {loading.ammo > 0 && !packed ? loading.ammo : s.loading.ammo,
                                loading.magazine > 0 && !packed ? loading.magazine
                                                                : s.loading.magazine};
    const size_t first = d->draft->count;
    draw_spawn(d, root, own);
    /* Puts the items that the group has given into the group's container. */
    mapgen_draft *draft = d->draft;
    const int32_t space =
        mapgen_item_of(d->groups, mapgen_item_now(d->groups, s.wrapper)).space;
    if (s.overflow == SPAWN_ALL_IN || space == 0 || s.wrapper == ID_NONE ||
        draft->count == first) {
        wrap(d, first, s.wrapper, s.open);
    } else {
        const size_t end = part_by_space(d, first, space);
        if (s.overflow == SPAWN_DISCARD)
            draft->count = end;
        wrap_range(d, first, end, s.wrapper, s.open);
    }
    d->depth--;
    return true;
}

/* Returns what a piece of mapgen states about its items, in the form that an entry of an item
 * group has. */
static spawn changes_of(const mapgen_told *told)
{
    return (spawn){.charges = {told->charges[0], told->charges[1]},
                   .damage = {told->damage[0], told->damage[1]},
                   .custom = told->custom,
                   .variant = told->variant};
}

bool mapgen_draw_group(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                       const mapgen_told *told, mapgen_budget *budget)
{
    drawing d = {.draft = draft, .groups = groups, .random = random, .budget = budget};
    const size_t first = draft->count;
    const spawn changes = changes_of(told);
    const bool known = run_group(&d, id, told->loading);
    change_results(&d, &changes, first);
    draft->failed = draft->failed || groups->failed;
    return known;
}

void mapgen_draw_item(mapgen_draft *draft, mapgen_groups *groups, rng *random, uint32_t id,
                      const mapgen_told *told, mapgen_budget *budget)
{
    drawing d = {.draft = draft, .groups = groups, .random = random, .budget = budget};
    const spawn said = changes_of(told);
    const making m = {
        .told = &said, .damage = from_range(random, said.damage), .loading = told->loading};
    make(&d, id, &m);
}
