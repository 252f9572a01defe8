#include "core/array.h"
#include "mapgen/groups/groups_impl.h"

#include <stdlib.h>

/* A rule: one id, or all with a flag, becomes one of the results, which lie one after the
 * other. */
typedef struct transform_rule {
    local_layer layer;
    uint32_t from; /* an id, or a flag */
    bool by_flag;
    uint32_t first, count; /* its results */
} transform_rule;

typedef struct transform_result {
    uint32_t id;
    uint32_t upto; /* running sum of weights */
} transform_result;

typedef struct transform {
    uint32_t id;
    uint32_t first, count; /* its rules */
} transform;

static void append(mapgen_groups *g, group_array *array, const void *item, size_t size)
{
    if (!array_grow(&array->items, &array->room, (size_t)array->count + 1, size)) {
        g->failed = true;
        return;
    }
    memcpy((char *)array->items + array->count++ * size, item, size);
}

/* Adds a result: a text, or [text, weight]. A result without a weight above 0 is never
 * drawn. */
static void add_result(mapgen_groups *g, json_view v, uint32_t *sum)
{
    int64_t weight = 1;
    json_walk w = json_walk_of(v);
    const bool pair = json_view_kind(v) == VIEW_ARRAY && json_walk_next(&w);
    const uint32_t id = groups_id(g, pair ? w.value : v);
    if (pair && json_walk_next(&w) && !json_view_integer(w.value, &weight))
        weight = 0;
    if (id == ID_NONE || weight <= 0 || weight > UINT32_MAX - (int64_t)*sum)
        return;
    *sum += (uint32_t)weight;
    append(g, &g->results, &(transform_result){id, *sum}, sizeof(transform_result));
}

static transform *find(const mapgen_groups *g, uint32_t id)
{
    transform *list = g->transforms.items;
    for (uint32_t i = 0; i < g->transforms.count; i++)
        if (list[i].id == id)
            return &list[i];
    return NULL;
}

bool groups_add_transform(mapgen_groups *g, json_view object)
{
    static const struct {
        const char *member, *valid;
    } layers[] = {[LOCAL_LAYER_TERRAIN] = {"terrain", "valid_terrain"},
                  [LOCAL_LAYER_FURNITURE] = {"furniture", "valid_furniture"},
                  [LOCAL_LAYER_TRAP] = {"trap", "valid_trap"}};
    transform made = {.first = g->rules.count};
    if (!json_view_is(json_view_get(object, "type"), "ter_furn_transform"))
        return true;
    made.id = groups_member_id(g, object, "id");
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        for (json_walk w = json_walk_of(json_view_get(object, layers[i].member));
             json_walk_next(&w);) {
            /* Adds the rules of an entry, for each of its valid ids and for each of its
             * flags. */
            const json_view result = json_view_get(w.value, "result");
            const uint32_t first = g->results.count;
            uint32_t sum = 0;
            for (json_walk k = mapgen_walk_each(result); json_walk_next(&k);)
                add_result(g, k.value, &sum);
            const char *const members[] = {layers[i].valid, "valid_flags"};
            for (size_t j = 0; j < sizeof members / sizeof members[0]; j++)
                for (json_walk k = json_walk_of(json_view_get(w.value, members[j]));
                     json_walk_next(&k);) {
                    const transform_rule rule = {.layer = (local_layer)i,
                                                 .from = groups_id(g, k.value),
                                                 .by_flag = j == 1,
                                                 .first = first,
                                                 .count = g->results.count - first};
                    if (rule.from != ID_NONE && rule.count > 0)
                        append(g, &g->rules, &rule, sizeof rule);
                }
        }
    made.count = g->rules.count - made.first;
    transform *before = find(g, made.id);
    if (before)
        *before = made;
    else
        append(g, &g->transforms, &made, sizeof made);
    return !g->failed;
}

size_t mapgen_transforms_size(mapgen_groups *groups)
{
    groups_ask(groups, MAPGEN_SORT_TRANSFORMS);
    return (size_t)groups->transforms.count + groups->rules.count;
}

uint32_t mapgen_transform(mapgen_groups *groups, const mapgen_tiles *tiles, rng *random,
                          uint32_t id, local_layer layer, uint32_t from)
{
    groups_ask(groups, MAPGEN_SORT_TRANSFORMS);
    const transform *found = find(groups, id);
    const transform_rule *rules = groups->rules.items;
    const transform_result *results = groups->results.items;
    for (uint32_t i = 0; found && i < found->count; i++) {
        const transform_rule *rule = &rules[found->first + i];
        bool valid = rule->layer == layer && (rule->by_flag || rule->from == from);
        if (valid && rule->by_flag)
            valid = layer == LOCAL_LAYER_TERRAIN
                        ? mapgen_terrain_has(tiles, from, rule->from)
                        : layer == LOCAL_LAYER_FURNITURE &&
                              mapgen_furniture_has(tiles, from, rule->from);
        if (!valid)
            continue;
        const transform_result *list = &results[rule->first];
        const uint32_t wanted = rng_below(random, list[rule->count - 1].upto);
        uint32_t at = 0;
        while (list[at].upto <= wanted)
            at++;
        return list[at].id;
    }
    return ID_NONE;
}
