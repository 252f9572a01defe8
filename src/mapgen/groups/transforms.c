#include "mapgen/groups/groups_impl.h"

/* A rule: one id, or all with a flag, becomes one of the results, which lie one after the
 * other. */
struct transform_rule {
    local_layer layer;
    uint32_t from; /* an id, or a flag */
    bool by_flag;
    uint32_t first, count; /* its results */
};

typedef struct transform {
    uint32_t first, count; /* its rules */
} transform;

static bool add_rule(mapgen_groups *g, const struct transform_rule *rule)
{
    if (rule->from == ID_NONE || rule->count == 0)
        return true;
    g->failed = g->failed || !ARRAY_ROOM(g->rules, g->rule_room, (size_t)g->rule_count + 1);
    if (!g->failed)
        g->rules[g->rule_count++] = *rule;
    return !g->failed;
}

/* Adds the rules of an entry of a layer, for each of its valid ids and for each of its flags.
 */
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

bool groups_add_transform(mapgen_groups *g, json_view object)
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
            valid = layer == LOCAL_LAYER_TERRAIN
                        ? mapgen_terrain_has(tiles, from, rule->from)
                        : layer == LOCAL_LAYER_FURNITURE &&
                              mapgen_furniture_has(tiles, from, rule->from);
        if (valid)
            return groups_draw(random, &groups->results.items[rule->first], rule->count);
    }
    return ID_NONE;
}
