/*
 * Loads the types that have few definitions: ids, inheritance, redefinition, and a list sorted
 * by id. The type gives a struct, and a function that applies an object's members to it.
 */
#include "content/import/record.h"

#include <stdlib.h>
#include <string.h>

bool string_list_read(string_list *out, import *im, const source_object *obj, const char *id,
                      const json_t *in, const char *pointer, const char *key, bool lone)
{
    memset(out, 0, sizeof *out);
    const json_t *value = json_object_get(in, key);
    if (!value)
        return false;
    bool single = lone && json_is_string(value);
    if (!single && !json_is_array(value)) {
        import_error(im, obj, id, import_pointer(im, pointer, key),
                     "'%s' must be a %slist of strings", key, lone ? "string or a " : "");
        return false;
    }
    size_t count = single ? 1 : json_array_size(value);
    out->items = import_alloc(im, count ? count : 1, sizeof *out->items);
    if (!out->items)
        return false;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = single ? value : json_array_get(value, i);
        if (json_is_string(item)) {
            out->items[out->count++] = json_string_value(item);
            continue;
        }
        const char *list = import_pointer(im, pointer, key);
        import_error(im, obj, id, import_pointer_at(im, list, i), "must be a string");
        good = false;
    }
    return good;
}

void string_list_make_set(string_list *list)
{
    if (list->count < 2)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
    size_t left = 1;
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(list->items[i], list->items[left - 1]) != 0)
            list->items[left++] = list->items[i];
    list->count = left;
}

bool string_list_has(const string_list *set, const char *text)
{
    return set->count > 0 && FIND_ID(set->items, set->count, text) != NULL;
}

void string_list_change(string_list *set, import *im, const string_list *extend,
                        const string_list *remove)
{
    const string_list *const parts[] = {set, extend};
    string_list out = {.items =
                           import_alloc(im, set->count + extend->count + 1, sizeof *out.items)};
    if (!out.items)
        return;
    for (size_t p = 0; p < 2; p++)
        for (size_t i = 0; i < parts[p]->count; i++)
            if (!string_list_has(remove, parts[p]->items[i]))
                out.items[out.count++] = parts[p]->items[i];
    string_list_make_set(&out);
    *set = out;
}

void *definition_find(const definition_list *list, const char *id)
{
    const definition *found = FIND_ID(list->items, list->count, id);
    return found ? found->value : NULL;
}

/* Makes one node for each id of each object. */
static void make_nodes(inherit_node **nodes, size_t *count, import *im,
                       const definition_type *type)
{
    const source_type *objects = import_objects(im, type->name);
    object_ids *ids = import_alloc(im, objects->count + 1, sizeof *ids);
    if (!ids)
        return;
    size_t total = 0;
    for (size_t i = 0; i < objects->count && !import_stopped(im); i++) {
        object_ids_read(&ids[i], im, objects->objects[i], type->longest_id);
        total += ids[i].count;
    }
    *nodes = import_alloc(im, total + 1, sizeof **nodes);
    if (!*nodes)
        return;
    for (size_t i = 0; i < objects->count && !import_stopped(im); i++) {
        const source_object *obj = objects->objects[i];
        const char *from = NULL;
        import_get_string(im, obj, obj->json, "", "copy-from", false, &from);
        for (size_t k = 0; k < ids[i].count; k++) {
            if (ids[i].items[k][0] == '\0' && !type->empty_id)
                import_error(im, obj, NULL, "/id", "the id is empty");
            else
                (*nodes)[(*count)++] = (inherit_node){.id = ids[i].items[k],
                                                      .copy_from = from,
                                                      .object = obj,
                                                      .abstract = ids[i].abstract};
        }
    }
}

/* Makes the values in the order of inheritance; NULL for a definition that is left out. */
static void make_values(void **values, import *im, const definition_type *type,
                        const inherit_node *nodes, const uint32_t *order, size_t count)
{
    for (size_t k = 0; k < count && !import_stopped(im); k++) {
        const inherit_node *node = &nodes[order[k]];
        if (node->left_out)
            continue;
        void *value = arena_alloc(im->arena, type->size);
        if (!value)
            return;
        values[order[k]] = value;
        if (node->source != INHERIT_NONE && values[node->source])
            memcpy(value, values[node->source], type->size);
        else if (type->part < CONTENT_PARTS)
            record_defaults(type->part, value);
        if (type->part < CONTENT_PARTS)
            record_read(im, node->object, node->id, type->part, value, NULL);
        if (type->read)
            type->read(im, node->object, node->id, value);
    }
}

void definition_list_load(definition_list *out, import *im, const definition_type *type)
{
    memset(out, 0, sizeof *out);
    inherit_node *nodes = NULL;
    size_t count = 0;
    make_nodes(&nodes, &count, im, type);
    uint32_t *order = import_alloc(im, count + 1, sizeof *order);
    void **values = import_alloc(im, count + 1, sizeof *values);
    if (!order || !values)
        return;
    if (!inherit_resolve(im, nodes, count, order))
        return;
    make_values(values, im, type, nodes, order, count);
    /* Sorts the definitions by id, and keeps the last one of each id. */
    out->items = import_alloc(im, count + 1, sizeof *out->items);
    if (!out->items)
        return;
    strmap index;
    strmap_init(&index);
    for (size_t i = 0; i < count && !import_stopped(im); i++) {
        if (nodes[i].abstract || !values[i])
            continue;
        uint32_t at = strmap_get(&index, nodes[i].id);
        if (at == STRMAP_NONE) {
            at = (uint32_t)out->count++;
            if (strmap_put(&index, nodes[i].id, at) != 0)
                import_no_memory(im);
        } else if (out->items[at].object->file->pack == nodes[i].object->file->pack) {
            import_warning(im, nodes[i].object, nodes[i].id, "",
                           "defined twice in this pack; the later definition counts");
        }
        out->items[at] = (definition){nodes[i].id, nodes[i].object, values[i]};
    }
    strmap_dispose(&index);
    qsort(out->items, out->count, sizeof *out->items, compare_ids);
}

void definition_list_write(content_writer *w, content_part part, const definition_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const definition *d = &list->items[i];
        record_place(part, d->value, d->id, d->object);
        content_put(w, part, d->value);
    }
}
