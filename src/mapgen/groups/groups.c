#include "mapgen/groups/groups.h"

#include "mapgen/groups/groups_impl.h"

mapgen_groups *mapgen_groups_new(id_pool *pool)
{
    mapgen_groups *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    const spawn none = {.kind = SPAWN_COLLECTION};
    g->pool = pool;
    bytes_init(&g->text);
    g->memory = arena_new();
    g->reader = json_reader_new((stop_hook){NULL, NULL});
    if (!g->memory || !g->reader || !spawn_list_add(g, &g->spawns, &none)) {
        mapgen_groups_free(g);
        return NULL;
    }
    return g;
}

void mapgen_groups_free(mapgen_groups *groups)
{
    if (!groups)
        return;
    for (int sort = 0; sort < MAPGEN_LIST_SORTS; sort++) {
        by_id *all = &groups->lists[sort];
        for (uint32_t i = 1; i <= all->count; i++)
            free(((weighted_list *)(void *)all->things)[i].items);
        by_id_dispose(all);
    }
    by_id_dispose(&groups->items);
    groups_free_monsters(groups);
    by_id_dispose(&groups->transforms);
    free(groups->rules);
    by_id_dispose(&groups->generators);
    free(groups->processes);
    free(groups->results.items);
    arena_free(groups->memory);
    json_reader_free(groups->reader);
    free(groups->spawns.items);
    by_id_dispose(&groups->roots);
    free(groups->ids);
    bytes_dispose(&groups->text);
    free(groups);
}

bool spawn_list_add(mapgen_groups *g, spawn_list *list, const spawn *s)
{
    if (!ARRAY_ROOM(list->items, list->room, (size_t)list->count + 1)) {
        g->failed = true;
        return false;
    }
    list->items[list->count++] = *s;
    return true;
}

/* ---- by id ---- */

/* Returns the group_root of a group's id, which is made if there is none; NULL when memory is
 * out. */
static group_root *reach_root(mapgen_groups *g, uint32_t id)
{
    group_root *root = by_id_make(&g->roots, id, sizeof *root);
    g->failed = g->failed || !root;
    return root;
}

static bool set_root(mapgen_groups *g, uint32_t id, uint32_t root)
{
    group_root *place = reach_root(g, id);
    if (place)
        place->spawn = root;
    return place != NULL;
}

/* Returns the number of the spawn (the compiled form) of a group that was read already; 0:
 * there is none. */
static uint32_t root_of(const mapgen_groups *g, uint32_t id)
{
    const group_root *root = by_id_find(&g->roots, id, sizeof *root);
    return root ? root->spawn : 0;
}

void groups_ask(mapgen_groups *g, mapgen_sort sort)
{
    if (!g->source.load || g->asked[sort])
        return;
    g->asked[sort] = true;
    g->source.load(g->source.payload, sort, ID_NONE);
}

uint32_t mapgen_group_root(mapgen_groups *g, uint32_t id)
{
    const char *text = id_pool_text(g->pool, id);
    if (text[0] != '{') {
        /* If there is a source (mapgen_source, which reads content only when it is asked for),
         * it is asked for the group. An item group may copy another one as it was when the
         * content had been read up to there. So as soon as the source has met such a copy, all
         * groups are read again, in the order of the content. Groups that were compiled before
         * stay in memory, since something may still be chosen from them. */
        group_root *root = g->source.load && !g->asked[MAPGEN_SORT_ITEM_GROUPS] && id != ID_NONE
                               ? reach_root(g, id)
                               : NULL;
        if (root && !root->asked) {
            root->asked = true;
            g->source.load(g->source.payload, MAPGEN_SORT_ITEM_GROUP, id);
            if (g->copies) {
                for (uint32_t i = 1; i <= g->roots.count; i++)
                    ((group_root *)(void *)g->roots.things)[i].spawn = 0;
                groups_ask(g, MAPGEN_SORT_ITEM_GROUPS);
            }
        }
        return root_of(g, id);
    }
    uint32_t root = root_of(g, id);
    if (root || !json_reader_whole(g->reader, text, strlen(text), NULL))
        return root;
    const json_document document = json_reader_document(g->reader);
    root = groups_read(g, 0, json_view_of(&document));
    return set_root(g, id, root) ? root : 0;
}

spawn mapgen_group_spawn(const mapgen_groups *groups, uint32_t number)
{
    return groups->spawns.items[number];
}

uint32_t mapgen_group_content(const mapgen_groups *groups, uint32_t number)
{
    return groups->ids[number];
}

void mapgen_groups_watch(mapgen_groups *groups, mapgen_visit *drawn, void *payload)
{
    groups->drawn = drawn;
    groups->drawn_payload = payload;
}

/* Adds an element to a weighted list, in which the running sum of weights begins anew at the
 * index `first`. The element is a text, [text, weight], or, if `member` is not NULL, an
 * object with the text in that member and perhaps a weight. An element that can never be
 * chosen is left out. False when memory is out. */
static bool groups_add_element(mapgen_groups *g, weighted_list *list, uint32_t first,
                               json_view v, const char *member)
{
    int64_t weight = 1;
    uint32_t id = ID_NONE;
    json_walk w = json_walk_of(v);
    if (member && json_view_kind(v) == VIEW_OBJECT) {
        id = groups_id(g, json_view_get(v, member));
        if (!json_view_integer(json_view_get(v, "weight"), &weight))
            weight = 1;
    } else if (json_view_kind(v) == VIEW_ARRAY && json_walk_next(&w)) {
        id = groups_id(g, w.value);
        if (json_walk_next(&w) && !json_view_integer(w.value, &weight))
            weight = 0;
    } else {
        id = groups_id(g, v);
    }
    /* An element whose weight is not above 0 is never chosen, so it is left out. So is one
     * with which the sum of weights would not fit into 32 bits. */
    const uint32_t sum = list->count > first ? list->items[list->count - 1].upto : 0;
    if (id == ID_NONE || weight <= 0 || weight > UINT32_MAX - (int64_t)sum)
        return true;
    if (!ARRAY_ROOM(list->items, list->room, (size_t)list->count + 1))
        return false;
    list->items[list->count++] = (weighted){id, sum + (uint32_t)weight};
    return true;
}

/* Chooses one of `count` items, at least 1, at random by weight. */
static uint32_t groups_draw(rng *random, const weighted *items, uint32_t count)
{
    const uint32_t wanted = rng_below(random, items[count - 1].upto);
    uint32_t low = 0, high = count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (items[middle].upto <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return items[low].id;
}

/* Adds an object of type vehicle_group, snippet or name; objects of other types are ignored. If
 * an earlier object has defined the same list, the new elements are added to that list. False
 * when memory is out. */
static bool add_list(mapgen_groups *g, json_view object)
{
    static const struct {
        const char *type, *key, *list, *member;
        mapgen_list_sort sort;
    } all[] = {{"vehicle_group", "id", "vehicles", "vehicle", MAPGEN_LIST_VEHICLES},
               {"snippet", "category", "text", "text", MAPGEN_LIST_SNIPPETS},
               {"name", "usage", "name", "name", MAPGEN_LIST_NAMES}};
    const json_view type = json_view_get(object, "type");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (json_view_is(type, all[i].type)) {
            const uint32_t id = groups_member_id(g, object, all[i].key);
            if (id == ID_NONE)
                return true;
            weighted_list *list = by_id_make(&g->lists[all[i].sort], id, sizeof *list);
            bool good = list != NULL;
            for (json_walk w = mapgen_walk_each(json_view_get(object, all[i].list));
                 good && json_walk_next(&w);)
                good = groups_add_element(g, list, 0, w.value, all[i].member);
            return good;
        }
    return true;
}

typedef struct transform {
    uint32_t first, count; /* the transform's rules: index of the first, and how many */
} transform;

/* A rule of a transform, which is an object of type ter_furn_transform: a certain terrain or
 * furniture, or each one with a certain flag, becomes one of the rule's results. The results of
 * a rule lie one after the other. */
struct transform_rule {
    local_layer layer;
    /* What the rule replaces: an id, or, with `by_flag`, all that have this flag. */
    uint32_t from;
    bool by_flag;
    /* The results, of which one replaces that id: index of the first, and how many there
     * are. */
    uint32_t first, count;
};

static bool add_rule(mapgen_groups *g, const struct transform_rule *rule)
{
    if (rule->from == ID_NONE || rule->count == 0)
        return true;
    g->failed = g->failed || !ARRAY_ROOM(g->rules, g->rule_room, (size_t)g->rule_count + 1);
    if (!g->failed)
        g->rules[g->rule_count++] = *rule;
    return !g->failed;
}

/* Adds the rules that one JSON entry of a transform has for a layer (terrain or furniture): one
 * rule for each of its valid ids and for each of its flags. */
static bool add_rules(mapgen_groups *g, json_view entry, local_layer layer, const char *valid)
{
    const char *const members[] = {valid, "valid_flags"};
    const uint32_t first = g->results.count;
    bool good = true;
    for (json_walk w = mapgen_walk_each(json_view_get(entry, "result")); json_walk_next(&w);)
        good = groups_add_element(g, &g->results, first, w.value, NULL) && good;
    for (int by_flag = 0; by_flag < 2; by_flag++)
        for (json_walk w = json_walk_of(json_view_get(entry, members[by_flag]));
             good && json_walk_next(&w);) {
            const struct transform_rule rule = {layer, groups_id(g, w.value), by_flag, first,
                                                g->results.count - first};
            good = add_rule(g, &rule);
        }
    return good;
}

/* Adds an object of type ter_furn_transform; objects of other types are ignored. An id that
 * comes again replaces the earlier one. False when memory is out. */
static bool groups_add_transform(mapgen_groups *g, json_view object)
{
    static const struct {
        const char *member, *valid;
    } layers[] = {[LOCAL_LAYER_TERRAIN] = {"terrain", "valid_terrain"},
                  [LOCAL_LAYER_FURNITURE] = {"furniture", "valid_furniture"},
                  [LOCAL_LAYER_TRAP] = {"trap", "valid_trap"}};
    const uint32_t first = g->rule_count;
    bool good = true;
    if (!json_view_is(json_view_get(object, "type"), "ter_furn_transform"))
        return true;
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        for (json_walk w = json_walk_of(json_view_get(object, layers[i].member));
             good && json_walk_next(&w);)
            good = add_rules(g, w.value, (local_layer)i, layers[i].valid);
    transform *made =
        by_id_make(&g->transforms, groups_member_id(g, object, "id"), sizeof *made);
    if (made)
        *made = (transform){first, g->rule_count - first};
    return good && made && !g->failed;
}

bool mapgen_groups_add(mapgen_groups *groups, json_view object)
{
    const json_view type = json_view_get(object, "type");
    if (json_view_is(type, "item_group")) {
        const uint32_t id = groups_member_id(groups, object, "id");
        const uint32_t from = groups_member_id(groups, object, "copy-from");
        uint32_t root = root_of(groups, id);
        if (id == ID_NONE)
            return !groups->failed;
        if (from != ID_NONE && from != id) {
            groups->copies = true;
            if (root_of(groups, from)) {
                const spawn copy = groups->spawns.items[root_of(groups, from)];
                root = groups->spawns.count;
                spawn_list_add(groups, &groups->spawns, &copy);
            }
        }
        root = groups_read(groups, root, object);
        const json_view extend = json_view_get(object, "extend");
        if (extend.document)
            root = groups_read(groups, root, extend);
        return set_root(groups, id, root) && !groups->failed;
    }
    if (json_view_is(type, "monstergroup"))
        return groups_add_monsters(groups, object);
    if (groups_concern_items(type)) /* most objects are items */
        return mapgen_groups_add_item(groups, object, ID_NONE);
    return add_list(groups, object) && groups_add_transform(groups, object) &&
           groups_add_processes(groups, object) && groups_add_traffic(groups, object);
}

void mapgen_groups_set_source(mapgen_groups *groups, const mapgen_source *source)
{
    groups->source = *source;
}

bool mapgen_groups_failed(const mapgen_groups *groups)
{
    return groups->failed || groups->text.failed;
}

/* ---- the groups from which a group may choose items ---- */

/* Recursion is safe, as a group has collections and distributions inside of each other no
 * deeper than the JSON reader allows. */
static void walk_spawn(const mapgen_groups *g, uint32_t number, mapgen_visit *visit,
                       void *payload)
{
    const spawn *s = &g->spawns.items[number];
    if (s->kind == SPAWN_GROUP)
        visit(payload, s->id);
    if (s->container_group)
        visit(payload, s->container);
    for (uint32_t i = 0; s->contents_group && i < s->content_count; i++)
        visit(payload, g->ids[s->contents + i]);
    for (uint32_t i = 0; i < s->count; i++)
        walk_spawn(g, s->first + i, visit, payload);
}

void mapgen_groups_visit(const mapgen_groups *groups, uint32_t id, mapgen_visit *visit,
                         void *payload)
{
    if (root_of(groups, id))
        walk_spawn(groups, root_of(groups, id), visit, payload);
}

/*
 * Weighted lists hold the vehicles of a vehicle group, the texts of a snippet category, or the
 * names of people by usage (given or family name). Ids and texts are numbers of the id_pool
 * that the objects were read with.
 */

static const weighted_list *find_list(mapgen_groups *groups, mapgen_list_sort sort, uint32_t id)
{
    static const mapgen_sort sorts[MAPGEN_LIST_SORTS] = {
        [MAPGEN_LIST_VEHICLES] = MAPGEN_SORT_VEHICLE_GROUPS,
        [MAPGEN_LIST_SNIPPETS] = MAPGEN_SORT_SNIPPETS,
        [MAPGEN_LIST_NAMES] = MAPGEN_SORT_NAMES};
    groups_ask(groups, sorts[sort]);
    const weighted_list *list = by_id_find(&groups->lists[sort], id, sizeof *list);
    return list && list->count > 0 ? list : NULL;
}

uint32_t mapgen_lists_draw(mapgen_groups *groups, rng *random, mapgen_list_sort sort,
                           uint32_t id)
{
    const weighted_list *list = find_list(groups, sort, id);
    if (list && sort == MAPGEN_LIST_VEHICLES)
        groups_tell(groups, id);
    return list ? groups_draw(random, list->items, list->count) : ID_NONE;
}

bool mapgen_lists_visit(mapgen_groups *groups, mapgen_list_sort sort, uint32_t id,
                        mapgen_share_visit *visit, void *payload)
{
    const weighted_list *list = find_list(groups, sort, id);
    uint32_t before = 0;
    for (uint32_t i = 0; list && i < list->count; i++) {
        visit(payload, list->items[i].id,
              (double)(list->items[i].upto - before) / list->items[list->count - 1].upto);
        before = list->items[i].upto;
    }
    return list != NULL;
}

size_t mapgen_transforms_size(mapgen_groups *groups)
{
    groups_ask(groups, MAPGEN_SORT_TRANSFORMS);
    return (size_t)groups->transforms.count + groups->rule_count;
}

uint32_t mapgen_transform(mapgen_groups *groups, const mapgen_tiles *tiles, rng *random,
                          uint32_t id, local_layer layer, uint32_t from)
{
    groups_ask(groups, MAPGEN_SORT_TRANSFORMS);
    const transform *found = by_id_find(&groups->transforms, id, sizeof *found);
    for (uint32_t i = 0; found && i < found->count; i++) {
        const struct transform_rule *rule = &groups->rules[found->first + i];
        bool valid = rule->layer == layer && (rule->by_flag || rule->from == from);
        if (valid && rule->by_flag)
            valid = layer <= LOCAL_LAYER_FURNITURE &&
                    mapgen_tile_has(tiles, layer == LOCAL_LAYER_FURNITURE, from, rule->from);
        if (valid)
            return groups_draw(random, &groups->results.items[rule->first], rule->count);
    }
    return ID_NONE;
}
