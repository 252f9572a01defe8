#include "mapgen/groups/groups_impl.h"
#include "model/item_types.h"

enum { CHAIN_MAX = 32 };

const char *const mapgen_item_types[] = {ITEM_TYPES, "MIGRATION", NULL};

/* Bits of mapgen_item.own. A bit that is set says that the item's own object states the member;
 * if it is not set, the item has the member from the object that it was copied from. */
enum {
    OWN_CONTAINER = 1,
    OWN_CHARGES = 2,
    OWN_PHASE = 4,
    OWN_FLAGS = 8,
    OWN_AMMO = 16, /* the object states its ammunition, capacity and magazine */
    OWN_VOLUME = 32,
    OWN_STACK = 64,
    OWN_SPACE = 128
};

/* Bits that say what was already done for an item's id. ASKED: the source was asked for the
 * item. WHOLE: item_place.whole was computed. */
enum { ASKED = 1, WHOLE = 2 };

/* What is known about the item type that has a given id. */
typedef struct item_place {
    mapgen_item stated; /* what the objects that define this item type say themselves */
    /* The item type with all that it inherits; not computed before somebody asks for it. */
    mapgen_item whole;
    /* If the id is that of a type of ammunition: the default item of this type. */
    uint32_t preset;
    uint8_t states;
} item_place;

static item_place *find_place(const mapgen_groups *g, uint32_t id)
{
    return by_id_find(&g->items, id, sizeof(item_place));
}

/* Returns the place where the facts about the item type with this id are kept; the place is
 * made if there is none. NULL when memory is out. */
static item_place *make_place(mapgen_groups *g, uint32_t id)
{
    return by_id_make(&g->items, id, sizeof(item_place));
}

/* The members of mapgen_item that have four bytes, and how they are read. A row with a name is
 * read from the JSON member of that name, which is a number; a volume may also be a text. If
 * several rows set the same member, the last one that the JSON states counts. An item that does
 * not state a member (bit `own`) has the value of the item that it was copied from. */
static const struct {
    /* NULL: code, not this table, reads the member from several values of the JSON. */
    const char *name;
    uint8_t own;
    size_t at;
} members[] = {{"charges", OWN_CHARGES, offsetof(mapgen_item, charges)},
               {"count", OWN_CHARGES, offsetof(mapgen_item, charges)},
               {"initial_charges", OWN_CHARGES, offsetof(mapgen_item, charges)},
               {"volume", OWN_VOLUME, offsetof(mapgen_item, volume)},
               {"stack_size", OWN_STACK, offsetof(mapgen_item, stack)},
               {NULL, OWN_CONTAINER, offsetof(mapgen_item, container)},
               {NULL, OWN_AMMO, offsetof(mapgen_item, ammo)},
               {NULL, OWN_AMMO, offsetof(mapgen_item, capacity)},
               {NULL, OWN_AMMO, offsetof(mapgen_item, magazine)},
               {NULL, OWN_SPACE, offsetof(mapgen_item, space)}};
enum { MEMBERS = sizeof members / sizeof members[0] };

/* ---- members ---- */

static int32_t small_number(json_view v)
{
    enum { MOST = 1000000000 };
    return mapgen_whole(v, 0, 0, MOST);
}

/* Reads a volume in millilitres: "250 ml" or "1 L"; a bare number counts units of 250 ml. */
static int32_t read_volume(mapgen_groups *g, json_view v)
{
    enum { UNIT = 250, LITRE = 1000, MOST = 1000000 };
    size_t length = 0;
    const char *text = json_view_text(v, &g->text, &length);
    if (!text) {
        const int32_t units = small_number(v);
        return units < MOST ? units * UNIT : 0;
    }
    int32_t number = 0;
    size_t i = 0;
    for (; i < length && text[i] >= '0' && text[i] <= '9' && number < MOST; i++)
        number = 10 * number + (text[i] - '0');
    while (i < length && text[i] == ' ')
        i++;
    return i < length && text[i] == 'L' && number < MOST ? number * LITRE : number;
}

static void read_flags(mapgen_item *item, json_view list)
{
    for (json_walk w = json_walk_of(list); json_walk_next(&w);)
        if (json_view_is(w.value, "VARSIZE"))
            item->flags |= MAPGEN_ITEM_VARIABLE;
}

/* Reads one pocket of a gun, tool, magazine or container. */
static void read_pocket(mapgen_groups *g, mapgen_item *item, json_view pocket)
{
    const json_view type = json_view_get(pocket, "pocket_type");
    const json_view rounds = json_view_get(pocket, "ammo_restriction");
    if (json_view_is(type, "MAGAZINE_WELL")) {
        json_view magazine = json_view_get(pocket, "default_magazine");
        if (!magazine.document)
            magazine = mapgen_first_of(json_view_get(pocket, "item_restriction"));
        item->magazine = groups_id(g, magazine);
        item->own |= OWN_AMMO;
    } else if (json_view_is(type, "MAGAZINE")) {
        json_walk w = json_walk_of(rounds);
        if (json_walk_next(&w)) {
            item->ammo = groups_id(g, w.key);
            item->capacity = small_number(w.value);
            item->own |= OWN_AMMO;
        }
    } else if (!type.document || json_view_is(type, "CONTAINER")) {
        const int32_t space = read_volume(g, json_view_get(pocket, "max_contains_volume"));
        item->space = space > item->space ? space : item->space;
        item->own |= OWN_SPACE;
    }
}

static void read_pockets(mapgen_groups *g, mapgen_item *item, const json_members *object)
{
    const json_view pockets = json_members_get(object, "pocket_data");
    for (json_walk w = json_walk_of(pockets); json_walk_next(&w);)
        read_pocket(g, item, w.value);
    if (pockets.document) {
        item->flags |= MAPGEN_ITEM_POCKETS;
        return;
    }
    /* Older contents have these members in place of pockets. */
    static const char *const sizes[] = {"clip_size", "capacity", "max_charges"};
    json_view ammo = json_members_get(object, "ammo");
    if (!ammo.document)
        ammo = json_members_get(object, "ammo_type");
    if (!(item->flags & MAPGEN_ITEM_CHARGED) && ammo.document && item->ammo == ID_NONE) {
        item->ammo =
            groups_id(g, json_view_kind(ammo) == VIEW_ARRAY ? mapgen_first_of(ammo) : ammo);
        item->own |= OWN_AMMO;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && item->capacity == 0; i++) {
        item->capacity = small_number(json_members_get(object, sizes[i]));
        if (item->capacity > 0)
            item->own |= OWN_AMMO;
    }
    /* The first element of a pair is a kind of ammunition, the second lists its magazines. */
    json_walk pair = json_walk_of(mapgen_first_of(json_members_get(object, "magazines")));
    (void)json_walk_next(&pair);
    if (json_walk_next(&pair)) {
        item->magazine = groups_id(g, mapgen_first_of(pair.value));
        item->own |= OWN_AMMO;
    }
    const json_view space =
        json_view_get(json_members_get(object, "container_data"), "contains");
    if (space.document) {
        item->space = read_volume(g, space);
        item->own |= OWN_SPACE;
    }
}

static void read_numbers(mapgen_groups *g, mapgen_item *item, const json_members *object)
{
    for (int i = 0; i < MEMBERS && members[i].name; i++) {
        const json_view v = json_members_get(object, members[i].name);
        if (!v.document)
            continue;
        *(int32_t *)(void *)((char *)item + members[i].at) =
            members[i].own == OWN_VOLUME ? read_volume(g, v) : small_number(v);
        item->own |= members[i].own;
    }
    const json_view phase = json_members_get(object, "phase");
    if (phase.document) {
        item->own |= OWN_PHASE;
        if (json_view_is(phase, "liquid"))
            item->flags |= MAPGEN_ITEM_LIQUID;
    }
}

static uint8_t flags_of_type(json_view type)
{
    static const struct {
        const char *name;
        uint8_t flags;
    } all[] = {{"AMMO", MAPGEN_ITEM_CHARGED},    {"COMESTIBLE", MAPGEN_ITEM_CHARGED},
               {"GUN", MAPGEN_ITEM_GUN},         {"TOOL", MAPGEN_ITEM_TOOL},
               {"TOOL_ARMOR", MAPGEN_ITEM_TOOL}, {"MAGAZINE", MAPGEN_ITEM_MAGAZINE}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (json_view_is(type, all[i].name))
            return all[i].flags;
    return 0;
}

/* Reads what an object says about an item. */
static void add_item(mapgen_groups *g, mapgen_item *item, uint32_t id,
                     const json_members *object)
{
    const uint32_t parent = groups_id(g, json_members_get(object, "copy-from"));
    const mapgen_item before = *item;
    /* The object's type says which kinds of thing the item is; in newer contents a list of
     * subtypes does. Solid food of the newer contents is not counted by charges. */
    uint8_t kinds = flags_of_type(json_members_get(object, "type"));
    for (json_walk w = json_walk_of(json_members_get(object, "subtypes")); json_walk_next(&w);)
        if (!json_view_is(w.value, "COMESTIBLE"))
            kinds |= flags_of_type(w.value);
    *item = (mapgen_item){.flags = (uint8_t)(MAPGEN_ITEM_KNOWN | kinds)};
    item->parent = parent;
    /* If an object has its own id in "copy-from", it changes the item that an earlier pack
     * defines under this id. */
    if (parent == id)
        *item = before;
    const json_view container = json_members_get(object, "container");
    if (container.document) {
        item->container = groups_id(g, container);
        item->own |= OWN_CONTAINER;
    }
    const json_view flags = json_members_get(object, "flags");
    if (flags.document)
        item->own |= OWN_FLAGS;
    read_flags(item, flags);
    read_flags(item, json_view_get(json_members_get(object, "extend"), "flags"));
    if (json_view_kind(json_members_get(object, "stackable")) == VIEW_TRUE)
        item->flags |= MAPGEN_ITEM_CHARGED;
    read_numbers(g, item, object);
    read_pockets(g, item, object);
    if (parent == id)
        item->parent = before.parent;
}

bool groups_concern_items(json_view type)
{
    bool found = json_view_is(type, "ammunition_type");
    for (size_t i = 0; mapgen_item_types[i] && !found; i++)
        found = json_view_is(type, mapgen_item_types[i]);
    return found;
}

bool mapgen_groups_add_item(mapgen_groups *groups, json_view object, uint32_t only)
{
    json_members stated;
    json_members_of(&stated, object);
    const json_view type = json_members_get(&stated, "type");
    const bool migration = json_view_is(type, "MIGRATION");
    const bool ammunition = json_view_is(type, "ammunition_type");
    const json_view replaced =
        migration ? json_members_get(&stated, "replace") : JSON_VIEW_NONE;
    const uint32_t now = groups_id(groups, replaced);
    json_view name = json_members_get(&stated, "id");
    if (!name.document && !migration && !ammunition)
        name = json_members_get(&stated, "abstract");
    if (!groups_concern_items(type) ||
        (migration ? now == ID_NONE : json_view_kind(name) == VIEW_ARRAY))
        return true;
    for (json_walk w = mapgen_walk_each(name); json_walk_next(&w);) {
        const uint32_t id = groups_id(groups, w.value);
        if (id == ID_NONE || (only != ID_NONE && id != only))
            continue;
        item_place *place = make_place(groups, id);
        if (!place)
            return false;
        if (ammunition)
            place->preset = groups_id(groups, json_members_get(&stated, "default"));
        else if (!migration)
            add_item(groups, &place->stated, id, &stated);
        else if (!(place->stated.flags & MAPGEN_ITEM_KNOWN))
            place->stated.present = now;
    }
    return true;
}

/* ---- asking ---- */

/* Returns what the JSON objects that define the item with this id state; zeroes if there are
 * none. */
static mapgen_item stated(mapgen_groups *g, uint32_t id)
{
    if (id == ID_NONE)
        return (mapgen_item){0};
    if (g->source.load) {
        item_place *place = make_place(g, id);
        g->failed = g->failed || !place;
        if (place && !(place->states & ASKED)) {
            place->states |= ASKED;
            g->source.load(g->source.payload, MAPGEN_SORT_ITEM, id);
        }
    }
    const item_place *place = find_place(g, id);
    return place ? place->stated : (mapgen_item){0};
}

/* Returns the item with all that it inherits. The result depends on the item's id alone: a
 * chain that is too long, or a circle, is followed for a fixed number of links. */
static mapgen_item inherited(mapgen_groups *g, uint32_t id)
{
    mapgen_item chain[CHAIN_MAX + 1];
    int count = 0;
    chain[count++] = stated(g, id);
    while (chain[count - 1].parent != ID_NONE && count <= CHAIN_MAX) {
        chain[count] = stated(g, chain[count - 1].parent);
        count++;
    }
    mapgen_item item = chain[count - 1];
    /* Each item of the chain takes what it does not state itself from the item that it was
     * copied from. */
    for (int i = count - 1; i-- > 0;) {
        const mapgen_item of = item;
        item = chain[i];
        for (int k = 0; k < MEMBERS; k++)
            if (!(item.own & members[k].own))
                memcpy((char *)&item + members[k].at, (const char *)&of + members[k].at,
                       sizeof(int32_t));
        if (!(item.own & OWN_PHASE))
            item.flags |= of.flags & MAPGEN_ITEM_LIQUID;
        if (!(item.own & OWN_FLAGS))
            item.flags |= of.flags & MAPGEN_ITEM_VARIABLE;
        item.flags |= of.flags & (MAPGEN_ITEM_CHARGED | MAPGEN_ITEM_POCKETS);
    }
    return item;
}

mapgen_item mapgen_item_of(mapgen_groups *groups, uint32_t id)
{
    item_place *place = find_place(groups, id);
    if (place && place->states & WHOLE)
        return place->whole;
    mapgen_item item = inherited(groups, id);
    /* A type of ammunition stands for its default item, or, if it has none, for the item of the
     * same id. */
    const uint8_t flags = inherited(groups, item.ammo).flags;
    const item_place *type = find_place(groups, item.ammo);
    if (item.ammo != ID_NONE && type && type->preset != ID_NONE)
        item.ammo = mapgen_item_now(groups, type->preset);
    else if (!(flags & MAPGEN_ITEM_CHARGED))
        item.ammo = ID_NONE;
    if (item.flags & MAPGEN_ITEM_CHARGED && item.charges == 0)
        item.charges = 1;
    if (item.stack == 0)
        item.stack = item.charges > 0 ? item.charges : 1;
    /* The item_place is looked for again, since making other ones may have moved it in
     * memory. */
    place = find_place(groups, id);
    if (place) {
        place->whole = item;
        place->states |= WHOLE;
    }
    return item;
}

uint32_t mapgen_item_now(mapgen_groups *groups, uint32_t id)
{
    for (int i = 0; i < CHAIN_MAX; i++) {
        const uint32_t present = stated(groups, id).present;
        if (present == ID_NONE)
            break;
        id = present;
    }
    return id;
}
