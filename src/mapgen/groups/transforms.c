#include "mapgen/groups/transforms.h"

#include "core/array.h"
#include "mapgen/compile/text_id.h"

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

/* A growing array. */
typedef struct transform_array {
    void *items; /* owned */
    uint32_t count;
    size_t room;
} transform_array;

struct mapgen_transforms {
    id_pool *pool;
    transform_array transforms, rules, results;
    bytes text; /* scratch: a string after its escapes were decoded */
    bool failed;
};

mapgen_transforms *mapgen_transforms_new(id_pool *pool)
{
    mapgen_transforms *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->pool = pool;
    bytes_init(&t->text);
    return t;
}

void mapgen_transforms_free(mapgen_transforms *transforms)
{
    if (!transforms)
        return;
    free(transforms->transforms.items);
    free(transforms->rules.items);
    free(transforms->results.items);
    bytes_dispose(&transforms->text);
    free(transforms);
}

static void append(mapgen_transforms *t, transform_array *array, const void *item, size_t size)
{
    if (!array_grow(&array->items, &array->room, (size_t)array->count + 1, size)) {
        t->failed = true;
        return;
    }
    memcpy((char *)array->items + array->count++ * size, item, size);
}

/* Adds a result: a text, or [text, weight]. A result without a weight above 0 is never
 * drawn. */
static void add_result(mapgen_transforms *t, json_view v, uint32_t *sum)
{
    int64_t weight = 1;
    json_walk w = json_walk_of(v);
    const bool pair = json_view_kind(v) == VIEW_ARRAY && json_walk_next(&w);
    const uint32_t id = mapgen_text_id(t->pool, pair ? w.value : v, &t->text);
    if (pair && json_walk_next(&w) && !json_view_integer(w.value, &weight))
        weight = 0;
    if (id == ID_NONE || weight <= 0 || weight > UINT32_MAX - (int64_t)*sum)
        return;
    *sum += (uint32_t)weight;
    append(t, &t->results, &(transform_result){id, *sum}, sizeof(transform_result));
}

static transform *find(const mapgen_transforms *t, uint32_t id)
{
    transform *list = t->transforms.items;
    for (uint32_t i = 0; i < t->transforms.count; i++)
        if (list[i].id == id)
            return &list[i];
    return NULL;
}

bool mapgen_transforms_add(mapgen_transforms *transforms, json_view object)
{
    static const struct {
        const char *member, *valid;
    } layers[] = {[LOCAL_LAYER_TERRAIN] = {"terrain", "valid_terrain"},
                  [LOCAL_LAYER_FURNITURE] = {"furniture", "valid_furniture"},
                  [LOCAL_LAYER_TRAP] = {"trap", "valid_trap"}};
    mapgen_transforms *t = transforms;
    transform made = {.first = t->rules.count};
    if (!json_view_is(json_view_get(object, "type"), "ter_furn_transform"))
        return true;
    made.id = mapgen_member_id(t->pool, object, "id", &t->text);
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        for (json_walk w = json_walk_of(json_view_get(object, layers[i].member));
             json_walk_next(&w);) {
            /* Adds the rules of an entry, for each of its valid ids and for each of its
             * flags. */
            const json_view result = json_view_get(w.value, "result");
            const uint32_t first = t->results.count;
            uint32_t sum = 0;
            for (json_walk k = mapgen_walk_each(result); json_walk_next(&k);)
                add_result(t, k.value, &sum);
            const char *const members[] = {layers[i].valid, "valid_flags"};
            for (size_t j = 0; j < sizeof members / sizeof members[0]; j++)
                for (json_walk k = json_walk_of(json_view_get(w.value, members[j]));
                     json_walk_next(&k);) {
                    const transform_rule rule = {.layer = (local_layer)i,
                                                 .from =
                                                     mapgen_text_id(t->pool, k.value, &t->text),
                                                 .by_flag = j == 1,
                                                 .first = first,
                                                 .count = t->results.count - first};
                    if (rule.from != ID_NONE && rule.count > 0)
                        append(t, &t->rules, &rule, sizeof rule);
                }
        }
    made.count = t->rules.count - made.first;
    transform *before = find(t, made.id);
    if (before)
        *before = made;
    else
        append(t, &t->transforms, &made, sizeof made);
    return !t->failed;
}

size_t mapgen_transforms_size(const mapgen_transforms *transforms)
{
    return (size_t)transforms->transforms.count + transforms->rules.count;
}

uint32_t mapgen_transform(const mapgen_transforms *transforms, const mapgen_tiles *tiles,
                          rng *random, uint32_t id, local_layer layer, uint32_t from)
{
    const transform *found = find(transforms, id);
    const transform_rule *rules = transforms->rules.items;
    const transform_result *results = transforms->results.items;
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
