/*
 * overmap_terrain: types, and the oters that they stand for. Types are sorted by id, so that
 * equal content gives equal numbers, whatever its files are called.
 */
#include "content/types/terrain.h"

#include <stdlib.h>
#include <string.h>

/* Collects the last definition of each id. The empty id is the games' null terrain: others
 * may copy from it, but it is no type. */
static void collect_types(import *im, struct terrain_model *model)
{
    strmap index;
    strmap_init(&index);
    model->types = import_alloc(im, model->node_count + 1, sizeof *model->types);
    if (!model->types)
        return;
    for (size_t i = 0; i < model->node_count && !import_stopped(im); i++) {
        const inherit_node *node = &model->nodes[i];
        if (node->abstract || node->left_out || node->id[0] == '\0')
            continue;
        uint32_t at = strmap_get(&index, node->id);
        if (at == STRMAP_NONE) {
            at = (uint32_t)model->type_count++;
            if (strmap_put(&index, node->id, at) != 0)
                import_no_memory(im);
        } else if (model->types[at].object->source->file->pack == node->object->file->pack) {
            import_warning(im, node->object, node->id, "",
                           "defined twice in this pack; the later definition counts");
        }
        model->types[at] = (terrain_type){
            .id = node->id,
            .object = model->node_objects[i],
            .values = &model->node_values[i],
            .kind = string_list_has(&model->node_values[i].flags, "LINEAR") ? PTL_TERRAIN_LINE
                    : string_list_has(&model->node_values[i].flags, "NO_ROTATE")
                        ? PTL_TERRAIN_FIXED
                        : PTL_TERRAIN_ROTATABLE};
    }
    strmap_dispose(&index);
    qsort(model->types, model->type_count, sizeof *model->types, compare_ids);
}

/* Counts the oters. False if there are more than there may be, which is reported. */
static bool count_oters(import *im, struct terrain_model *model, size_t *total)
{
    for (size_t i = 0; i < model->type_count; i++) {
        terrain_type *type = &model->types[i];
        type->first = (uint32_t)*total;
        *total += terrain_variant_count(type->kind);
        if (*total > TERRAIN_OTERS_MAX) {
            import_error(im, type->object->source, type->id, "",
                         "the content has more than %d concrete terrains, which is the limit",
                         TERRAIN_OTERS_MAX);
            *total = type->first;
            model->type_count = i;
            return false;
        }
    }
    return true;
}

void terrain_expand(import *im, struct terrain_model *model)
{
    collect_types(im, model);
    size_t total = 0;
    count_oters(im, model, &total);
    model->oters = import_alloc(im, total + 1, sizeof *model->oters);
    if (!model->oters)
        return;
    for (uint32_t i = 0; i < model->type_count; i++) {
        const terrain_type *type = &model->types[i];
        size_t length = strlen(type->id);
        for (uint32_t v = 0; v < terrain_variant_count(type->kind); v++) {
            const char *suffix = terrain_suffix(type->kind, v);
            size_t size = strlen(suffix);
            char *id = arena_alloc(im->arena, length + size + 1);
            if (!id)
                return;
            memcpy(id, type->id, length);
            memcpy(id + length, suffix, size);
            model->oters[model->oter_count++] = (terrain_oter){id, i, v};
        }
    }
    qsort(model->oters, model->oter_count, sizeof *model->oters, compare_ids);
    for (size_t i = 1; i < model->oter_count && !import_stopped(im); i++) {
        const terrain_oter *a = &model->oters[i - 1], *b = &model->oters[i];
        if (strcmp(a->id, b->id) != 0)
            continue;
        const terrain_type *first = &model->types[a->type], *second = &model->types[b->type];
        if (first->object->source->order > second->object->source->order) {
            const terrain_type *swap = first;
            first = second;
            second = swap;
        }
        import_error(im, second->object->source, second->id, "",
                     "its concrete terrain '%s' is also one of '%s'", b->id, first->id);
    }
    im->report->terrain_types += model->type_count;
    im->report->concrete_terrains += model->oter_count;
}

const terrain_type *terrain_find_type(const import *im, const char *id)
{
    const struct terrain_model *model = im->terrains;
    return model ? FIND_ID(model->types, model->type_count, id) : NULL;
}

bool terrain_type_exists(const import *im, const char *type_id)
{
    return terrain_find_type(im, type_id) != NULL;
}

bool terrain_is_linear(const import *im, const char *type_id)
{
    const terrain_type *type = terrain_find_type(im, type_id);
    return type && type->kind == PTL_TERRAIN_LINE;
}

const terrain_type *terrain_type_of(const import *im, const char *oter)
{
    const struct terrain_model *model = im->terrains;
    const terrain_oter *found = model ? FIND_ID(model->oters, model->oter_count, oter) : NULL;
    return found ? &model->types[found->type] : NULL;
}

oter_match terrain_find_oter(const import *im, const char *concrete_id)
{
    return terrain_type_of(im, concrete_id)     ? OTER_FOUND
           : terrain_find_type(im, concrete_id) ? OTER_NEEDS_SUFFIX
                                                : OTER_NONE;
}
