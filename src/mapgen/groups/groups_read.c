/* Reads item groups in the forms in which content writes them. */
#include "mapgen/groups/groups_impl.h"

enum { ALWAYS = 100, NUMBER_MAX = 1000000000 };

/* Returns the id of a group. A group that is defined in place has its JSON text as its id. */
static uint32_t group_id(mapgen_groups *g, json_view v)
{
    if (json_view_kind(v) != VIEW_OBJECT)
        return groups_id(g, v);
    return mapgen_json_id(g->pool, v);
}

static int32_t number_of(json_view v, int32_t otherwise)
{
    return mapgen_whole(v, otherwise, -1, NUMBER_MAX);
}

/* Reads a range. Content writes it as one number, as a list of two, or as a lowest and a
 * highest number in two members, one of which may be missing. */
static spawn_range range_in(json_view v, json_view least, json_view most, spawn_range usual)
{
    spawn_range out = usual;
    json_walk w = mapgen_walk_each(v);
    if (json_walk_next(&w))
        out.low = out.high = number_of(w.value, usual.low);
    if (json_walk_next(&w))
        out.high = number_of(w.value, usual.high);
    if (least.document)
        out.low = number_of(least, usual.low);
    if (most.document)
        out.high = number_of(most, usual.high);
    return out;
}

/* Reads the range of the members `name`, `name`-min and `name`-max; name is a constant. */
#define RANGE_OF(entry, name, low, high)                                                       \
    range_in(json_members_get(entry, name), json_members_get(entry, name "-min"),              \
             json_members_get(entry, name "-max"), (spawn_range){low, high})

static bool add_id(mapgen_groups *g, uint32_t id)
{
    if (!ARRAY_ROOM(g->ids, g->id_room, (size_t)g->id_count + 1)) {
        g->failed = true;
        return false;
    }
    g->ids[g->id_count++] = id;
    return true;
}

/* Returns the id of an item, or of a group; *group becomes true if it is that of a group. Newer
 * contents write the item's id as the member "item" of an object. */
static uint32_t item_or_group(mapgen_groups *g, json_view item, json_view of_group, bool *group)
{
    const bool written_out = json_view_kind(item) == VIEW_OBJECT;
    const json_view v = written_out ? json_view_get(item, "item") : item;
    *group = !v.document && of_group.document;
    return *group ? group_id(g, of_group) : groups_id(g, v);
}

/* Reads the members `name`-item and `name`-group; name is a constant. */
#define ITEM_OR_GROUP(g, entry, name, group)                                                   \
    item_or_group(g, json_members_get(entry, name "-item"),                                    \
                  json_members_get(entry, name "-group"), group)

/* Reads what an entry of an item group says about its items, such as their damage. */
static void read_changes(mapgen_groups *g, spawn *s, const json_members *entry)
{
    s->many = RANGE_OF(entry, "count", 1, 1);
    s->charges = RANGE_OF(entry, "charges", -1, -1);
    s->damage = RANGE_OF(entry, "damage", 0, 0);
    s->container = ITEM_OR_GROUP(g, entry, "container", &s->container_group);
    s->ammo = ITEM_OR_GROUP(g, entry, "ammo", &s->ammo_group);
    s->wrapper = groups_id(g, json_members_get(entry, "entry-wrapper"));
    s->custom = mapgen_json_id(g->pool, json_members_get(entry, "custom-flags"));
    s->variant = mapgen_json_id(g->pool, json_members_get(entry, "variant"));
    s->dirt = RANGE_OF(entry, "dirt", 0, 0);
    s->open = json_view_kind(json_members_get(entry, "sealed")) == VIEW_FALSE;
    /* Members that only the game's own code can carry out when it makes the item. They are kept
     * with the item as JSON. */
    static const char *const kept[] = {"components", "artifact", "variables", "active"};
    bytes text;
    uint32_t id = ID_NONE;
    bytes_init(&text);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const json_view v = json_members_get(entry, kept[i]);
        const char *json =
            v.document ? id_pool_text(g->pool, mapgen_json_id(g->pool, v)) : NULL;
        if (json)
            bytes_printf(&text, "%s\"%s\":%s", text.size > 0 ? "," : "", kept[i], json);
    }
    if (text.size > 0 && !text.failed)
        id = id_pool_put(g->pool, (const char *)text.data, text.size);
    g->failed = g->failed || text.failed;
    bytes_dispose(&text);
    s->rest = id;
    const json_view items = json_members_get(entry, "contents-item");
    const json_view groups = json_members_get(entry, "contents-group");
    const json_view v = items.document ? items : groups;
    if (v.document) {
        s->contents_group = !items.document;
        s->contents = g->id_count;
        s->changed = true;
        for (json_walk w = mapgen_walk_each(v); json_walk_next(&w);)
            s->content_count += add_id(g, group_id(g, w.value));
    }
    s->changed = s->changed || s->charges.low != -1 || s->charges.high != -1 ||
                 s->damage.low != 0 || s->damage.high != 0 || s->container || s->custom ||
                 s->variant || s->dirt.high != 0 || s->rest;
}

static void read_members(mapgen_groups *g, json_view group, spawn_list *out);

/* Moves the children of a compiled item group (its entries), which were gathered in the list
 * `own`, to the end of the list of all compiled entries and groups, so that the children of one
 * group lie together. */
static void keep_children(mapgen_groups *g, spawn *s, spawn_list *own)
{
    const uint32_t before = s->first, kept = s->count;
    s->first = g->spawns.count;
    s->count = 0;
    s->total = 0;
    for (uint32_t i = 0; i < kept + own->count; i++) {
        const spawn child = i < kept ? g->spawns.items[before + i] : own->items[i - kept];
        const uint32_t weight = child.prob > 0 ? (uint32_t)child.prob : 0;
        if (weight == 0 || weight > UINT32_MAX - s->total)
            continue; /* its weight is 0, or makes the sum too large: it is never chosen */
        if (!spawn_list_add(g, &g->spawns, &child))
            break;
        s->total += weight;
        s->count++;
    }
    free(own->items);
}

static inline bool is_any(const json_members *entry, const char *member)
{
    return json_members_get(entry, member).document != NULL;
}

/* Reads an entry of an item group that is written as an object; false: the object is no such
 * entry. */
static bool read_entry(mapgen_groups *g, json_view object, spawn *s)
{
    json_members members;
    const json_members *entry = &members;
    json_members_of(&members, object);
    s->prob = number_of(json_members_get(entry, "prob"), ALWAYS);
    if (is_any(entry, "collection") || is_any(entry, "distribution")) {
        const bool collection = is_any(entry, "collection");
        const json_view list =
            json_members_get(entry, collection ? "collection" : "distribution");
        spawn_list own = {NULL, 0, 0};
        s->kind = collection ? SPAWN_COLLECTION : SPAWN_DISTRIBUTION;
        for (json_walk w = json_walk_of(list); json_walk_next(&w);) {
            spawn child = {.kind = SPAWN_ITEM, .prob = ALWAYS, .many = {1, 1}};
            child.charges = (spawn_range){-1, -1};
            if (read_entry(g, w.value, &child))
                spawn_list_add(g, &own, &child);
        }
        keep_children(g, s, &own);
    } else if (is_any(entry, "group")) {
        s->kind = SPAWN_GROUP;
        s->id = group_id(g, json_members_get(entry, "group"));
    } else {
        s->kind = SPAWN_ITEM;
        s->id = groups_id(g, json_members_get(entry, "item"));
    }
    read_changes(g, s, entry);
    const json_view event = json_members_get(entry, "event");
    s->elsewhen = event.document && !json_view_is(event, "none");
    return s->kind > SPAWN_GROUP || s->id != ID_NONE;
}

static void read_members(mapgen_groups *g, json_view group, spawn_list *out)
{
    static const struct {
        const char *name;
        spawn_kind kind;
    } members[] = {{"entries", SPAWN_ITEM}, {"items", SPAWN_ITEM}, {"groups", SPAWN_GROUP}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        for (json_walk w = json_walk_of(json_view_get(group, members[i].name));
             json_walk_next(&w);) {
            /* Reads an entry of an item group in any form: "id", ["id", probability] or an
             * object. */
            spawn s = {
                .kind = members[i].kind, .prob = ALWAYS, .many = {1, 1}, .charges = {-1, -1}};
            json_walk k = json_walk_of(w.value);
            bool good = true;
            if (json_view_kind(w.value) == VIEW_TEXT) {
                s.id = groups_id(g, w.value);
            } else if (json_view_kind(w.value) == VIEW_ARRAY && json_walk_next(&k)) {
                s.id = groups_id(g, k.value);
                if (json_walk_next(&k))
                    s.prob = number_of(k.value, ALWAYS);
            } else {
                good = read_entry(g, w.value, &s);
            }
            if (good && (s.kind > SPAWN_GROUP || s.id != ID_NONE))
                spawn_list_add(g, out, &s);
        }
}

uint32_t groups_read(mapgen_groups *g, uint32_t root, json_view object)
{
    json_members members;
    const json_members *group = &members;
    json_members_of(&members, object);
    const spawn fresh = {.kind = SPAWN_DISTRIBUTION, .prob = ALWAYS, .many = {1, 1}};
    if (root == 0) {
        root = g->spawns.count;
        if (!spawn_list_add(g, &g->spawns, &fresh))
            return 0;
    }
    spawn s = g->spawns.items[root];
    spawn_list own = {NULL, 0, 0};
    if (is_any(group, "collection") || is_any(group, "distribution")) {
        (void)read_entry(g, object, &s);
        s.many = (spawn_range){1, 1};
        g->spawns.items[root] = s;
        return root;
    }
    if (is_any(group, "subtype"))
        s.kind = json_view_is(json_members_get(group, "subtype"), "collection")
                     ? SPAWN_COLLECTION
                     : SPAWN_DISTRIBUTION;
    s.loading.ammo = number_of(json_members_get(group, "ammo"), s.loading.ammo);
    s.loading.magazine = number_of(json_members_get(group, "magazine"), s.loading.magazine);
    if (is_any(group, "container-item"))
        s.wrapper = ITEM_OR_GROUP(g, group, "container", &s.container_group);
    const json_view overflow = json_members_get(group, "on_overflow");
    if (overflow.document)
        s.overflow = json_view_is(overflow, "discard") ? SPAWN_DISCARD
                     : json_view_is(overflow, "spill") ? SPAWN_SPILL
                                                       : SPAWN_ALL_IN;
    if (is_any(group, "sealed"))
        s.open = json_view_kind(json_members_get(group, "sealed")) == VIEW_FALSE;
    read_members(g, object, &own);
    keep_children(g, &s, &own);
    g->spawns.items[root] = s;
    return root;
}
