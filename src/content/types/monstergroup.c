/*
 * Sums of monstergroup: for each group the sum of its monsters' chances, by which the
 * populations of swamps, rivers and the sea are multiplied. The objects themselves are kept as
 * text, and are read here once more. Kept objects are not checked, so what can't be read
 * counts as nothing.
 */
#include "content/import/source.h"
#include "content/types/types.h"

#include <stdlib.h>
#include <string.h>

typedef struct group {
    const char *id; /* in the arena */
    int64_t entries, freq_sum, freq_total;
    bool total_stated;
    const kept_entry *object; /* the last object with its id */
} group;

struct group_model {
    group *items; /* sorted by id */
    size_t count;
    strmap by_id; /* while reading: from ids to indices into items */
};

/* Bounds a number, so that sums stay far from overflow, whatever content says. */
static int64_t bounded(const json_t *number)
{
    const int64_t most = INT32_MAX, value = json_integer_value(number);
    return value < -most ? -most : value > most ? most : value;
}

/* Adds a definition. It extends the previous one of its id, unless it says that it
 * overrides it. */
static void add_definition(import *im, const kept_entry *entry, const json_t *json)
{
    struct group_model *model = im->groups;
    const char *id = json_string_value(json_object_get(json, "id"));
    if (!id) /* as in 0.F and Bright Nights */
        id = json_string_value(json_object_get(json, "name"));
    if (!id)
        return;
    uint32_t at = strmap_get(&model->by_id, id);
    if (at == STRMAP_NONE) {
        at = (uint32_t)model->count;
        group *g = &model->items[at];
        g->id = arena_strdup(im->arena, id);
        if (!g->id || strmap_put(&model->by_id, g->id, at) < 0)
            return;
        model->count++;
    } else if (json_is_true(json_object_get(json, "override"))) {
        model->items[at] = (group){.id = model->items[at].id};
    }
    model->items[at].object = entry;
    group *own = &model->items[at];
    const json_t *total = json_object_get(json, "freq_total");
    const json_t *monsters = json_object_get(json, "monsters");
    for (size_t i = 0; i < json_array_size(monsters); i++) {
        const json_t *member = json_array_get(monsters, i);
        const json_t *freq = json_object_get(member, "freq");
        if (!freq)
            freq = json_object_get(member, "weight");
        own->entries++;
        own->freq_sum += json_is_integer(freq) ? bounded(freq) : 1;
    }
    if (json_is_integer(total)) {
        own->freq_total = bounded(total);
        own->total_stated = true;
    }
}

static void load(import *im)
{
    static const char type_name[] = "monstergroup";
    struct group_model *model = im->groups = import_alloc(im, 1, sizeof *model);
    if (model)
        model->items = import_alloc(im, kept_count(im, type_name), sizeof *model->items);
    if (!model || !model->items)
        return;
    strmap_init(&model->by_id);
    kept_visit_each(im, type_name, add_definition);
    strmap_dispose(&model->by_id);
    if (model->count > 1)
        qsort(model->items, model->count, sizeof *model->items, compare_ids);
}

static void write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->groups->count; i++) {
        const group *g = &im->groups->items[i];
        content_put(w, CONTENT_MONSTERGROUPS,
                    &(monstergroup_row){g->id, g->entries, g->freq_sum,
                                        number_if(g->total_stated, g->freq_total),
                                        g->object->file->file.path, g->object->line});
    }
}

static const char *const types[] = {NULL}; /* no types: kept objects belong to no module */

const content_module monstergroup_module = {"monstergroups", types, NULL, load, NULL, write};
