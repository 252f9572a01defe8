/*
 * overmap_terrain: values after copy-from. A field that is present replaces the inherited one.
 * Flags can also be extended and deleted from, numbers changed by a factor or a sum
 * (schema/generation.md 1.1). mapgen lists are not inherited: they stay with their object.
 */
#include "content/types/terrain.h"

#include <string.h>

/* These limits keep a chain of a hundred thousand copies from growing quadratically. */
enum { LOOKS_LIKE_MAX = 16, FLAGS_MAX = 200 };

/* Makes (inherited + extend) without remove. Shares the inherited list if nothing changes. */
static void change_set(import *im, string_list *set, const string_list *extend,
                       const string_list *remove, const terrain_object *t)
{
    if (extend->count == 0 && remove->count == 0)
        return;
    string_list out = *set;
    string_list_change(&out, im, extend, remove);
    if (out.count > FLAGS_MAX)
        import_error(im, t->source, NULL, "/extend", "more than %d flags", FLAGS_MAX);
    else
        *set = out;
}

/* Changes numbers that the object does not state, by its factors and sums. */
static void apply_changes(overmap_terrain_row *row, const terrain_object *t)
{
    for (size_t i = 0; i < TERRAIN_SCALED; i++) {
        const content_field *f = terrain_scaled(i);
        int64_t *number = (int64_t *)(void *)((char *)row + f->at);
        if ((t->proportional[i] == 0 && t->relative[i] == 0) ||
            t->present >> record_field(CONTENT_TERRAINS, f->at) & 1)
            continue;
        if (number == &row->see_cost)
            row->see_cost_name = NULL;
        double changed = (double)*number;
        if (t->proportional[i] != 0)
            changed *= t->proportional[i];
        changed += t->relative[i];
        /* Bounds the number: far outside of any use, and well inside what a double holds
         * exactly. */
        if (changed > 1e12 || changed < -1e12)
            changed = changed > 0 ? 1e12 : -1e12;
        *number = (int64_t)changed;
    }
}

static void apply(import *im, terrain_values *v, const terrain_object *t)
{
    record_copy(CONTENT_TERRAINS, &v->row, &t->given.row, t->present);
    apply_changes(&v->row, t);
    if (t->has_flags)
        v->flags = t->given.flags;
    else
        change_set(im, &v->flags, &t->extend, &t->remove, t);
    if (!(t->present & TERRAIN_HAS(post_process_generators)))
        change_set(im, &v->row.post_process_generators, &t->extend_post, &t->remove_post, t);
    if (t->copy_from && !(t->present & TERRAIN_HAS(looks_like))) {
        string_list *list = &v->row.looks_like;
        string_list out = {.items = import_alloc(im, list->count + 1, sizeof *out.items)};
        if (out.items) {
            out.items[out.count++] = t->copy_from;
            for (size_t i = 0; i < list->count && i + 1 < LOOKS_LIKE_MAX; i++)
                out.items[out.count++] = list->items[i];
            *list = out;
        }
    }
}

/* Reports one problem for each object, at the first of its ids that has it. */
static void check_values(import *im, const inherit_node *node, terrain_object *t,
                         const terrain_values *v)
{
    bool linear = string_list_has(&v->flags, "LINEAR");
    if (node->abstract)
        return;
    if (linear && string_list_has(&v->flags, "NO_ROTATE") && !t->flags_reported) {
        t->flags_reported = true;
        const char *pointer = t->has_flags          ? "/flags"
                              : t->extend.count > 0 ? "/extend/flags"
                                                    : "";
        import_error(im, t->source, node->id, pointer, "has both flags NO_ROTATE and LINEAR");
    }
    /* Its source is missing, which was reported, so nobody knows what it would have
     * inherited. */
    if (t->copy_from && node->source == INHERIT_NONE)
        return;
    if (!linear && v->row.symbol == 0 && !(t->present & TERRAIN_HAS(symbol)) &&
        !t->symbol_reported && node->id[0] != '\0') {
        t->symbol_reported = true;
        import_error(im, t->source, node->id, "", "has no 'sym', nor inherits one");
    }
}

void terrain_inherit(import *im, struct terrain_model *model)
{
    size_t total = 0;
    for (size_t i = 0; i < model->object_count; i++)
        total += model->objects[i].ids.count;
    model->nodes = import_alloc(im, total + 1, sizeof *model->nodes);
    model->node_objects = import_alloc(im, total + 1, sizeof(terrain_object *));
    model->node_values = import_alloc(im, total + 1, sizeof *model->node_values);
    if (model->nodes && model->node_objects && model->node_values) {
        for (size_t i = 0; i < model->object_count; i++) {
            terrain_object *t = &model->objects[i];
            for (size_t k = 0; k < t->ids.count; k++) {
                model->node_objects[model->node_count] = t;
                model->nodes[model->node_count++] = (inherit_node){.id = t->ids.items[k],
                                                                   .copy_from = t->copy_from,
                                                                   .object = t->source,
                                                                   .abstract = t->ids.abstract};
            }
        }
    }
    size_t count = model->node_count;
    uint32_t *order = import_alloc(im, count + 1, sizeof *order);
    if (!order)
        return;
    if (!inherit_resolve(im, model->nodes, count, order))
        return;
    for (size_t k = 0; k < count && !import_stopped(im); k++) {
        const inherit_node *node = &model->nodes[order[k]];
        if (node->left_out)
            continue;
        terrain_values *v = &model->node_values[order[k]];
        if (node->source != INHERIT_NONE)
            *v = model->node_values[node->source];
        else
            record_defaults(CONTENT_TERRAINS, &v->row);
        apply(im, v, model->node_objects[order[k]]);
    }
    for (size_t i = 0; i < count && !import_stopped(im); i++)
        if (!model->nodes[i].left_out)
            check_values(im, &model->nodes[i], model->node_objects[i], &model->node_values[i]);
}
