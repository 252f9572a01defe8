#include "mapgen/groups/lists.h"

#include "mapgen/compile/by_id.h"
#include "mapgen/compile/text_id.h"

typedef struct list_choice {
    uint32_t id;
    uint32_t upto; /* running sum of weights */
} list_choice;

typedef struct weighted_list {
    list_choice *choices; /* owned */
    uint32_t count;
    size_t room;
} weighted_list;

struct mapgen_lists {
    id_pool *pool;
    by_id lists[MAPGEN_LIST_SORTS]; /* owned; of type weighted_list */
    bytes text;                     /* scratch: a string after its escapes were decoded */
};

mapgen_lists *mapgen_lists_new(id_pool *pool)
{
    mapgen_lists *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->pool = pool;
    bytes_init(&l->text);
    return l;
}

void mapgen_lists_free(mapgen_lists *lists)
{
    if (!lists)
        return;
    for (int sort = 0; sort < MAPGEN_LIST_SORTS; sort++) {
        by_id *all = &lists->lists[sort];
        for (uint32_t i = 1; i <= all->count; i++)
            free(((weighted_list *)(void *)all->things)[i].choices);
        by_id_dispose(all);
    }
    bytes_dispose(&lists->text);
    free(lists);
}

/* Adds an element: a text, [text, weight], or an object with its text and perhaps a weight. */
static bool add_element(mapgen_lists *l, weighted_list *list, json_view v, const char *member)
{
    int64_t weight = 1;
    uint32_t id = ID_NONE;
    json_walk w = json_walk_of(v);
    if (json_view_kind(v) == VIEW_OBJECT) {
        id = mapgen_text_id(l->pool, json_view_get(v, member), &l->text);
        if (!json_view_integer(json_view_get(v, "weight"), &weight))
            weight = 1;
    } else if (json_view_kind(v) == VIEW_ARRAY && json_walk_next(&w)) {
        id = mapgen_text_id(l->pool, w.value, &l->text);
        if (json_walk_next(&w) && !json_view_integer(w.value, &weight))
            weight = 0;
    } else {
        id = mapgen_text_id(l->pool, v, &l->text);
    }
    /* An element without weight is never drawn, nor one with which the sum would be too
     * large. */
    const uint32_t sum = list->count ? list->choices[list->count - 1].upto : 0;
    if (id == ID_NONE || weight <= 0 || weight > UINT32_MAX - (int64_t)sum)
        return true;
    if (!ARRAY_ROOM(list->choices, list->room, (size_t)list->count + 1))
        return false;
    list->choices[list->count++] = (list_choice){id, sum + (uint32_t)weight};
    return true;
}

bool mapgen_lists_add(mapgen_lists *lists, json_view object)
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
            const uint32_t id =
                mapgen_text_id(lists->pool, json_view_get(object, all[i].key), &lists->text);
            if (id == ID_NONE)
                return true;
            weighted_list *list = by_id_make(&lists->lists[all[i].sort], id, sizeof *list);
            bool good = true;
            if (!list)
                return false;
            for (json_walk w = mapgen_walk_each(json_view_get(object, all[i].list));
                 json_walk_next(&w) && good;)
                good = add_element(lists, list, w.value, all[i].member);
            return good;
        }
    return true;
}

uint32_t mapgen_lists_draw(const mapgen_lists *lists, rng *random, mapgen_list_sort sort,
                           uint32_t id)
{
    const weighted_list *list = by_id_find(&lists->lists[sort], id, sizeof *list);
    if (!list || list->count == 0)
        return ID_NONE;
    const uint32_t wanted = rng_below(random, list->choices[list->count - 1].upto);
    uint32_t low = 0, high = list->count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (list->choices[middle].upto <= wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return list->choices[low].id;
}
