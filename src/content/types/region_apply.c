/*
 * Applies patches to regions: numbers replace, weighted lists get new entries or weights,
 * clear_* empties a list first. Lists only grow until the region is complete; then the last
 * entry of each id is kept.
 */
#include "content/types/region.h"

#include <stdlib.h>
#include <string.h>

static void append_entries(import *im, region_list *into, const region_list *more)
{
    if (into->count + more->count > into->capacity) {
        size_t capacity = 2 * (into->count + more->count);
        region_entry *items = import_alloc(im, capacity, sizeof *items);
        if (!items)
            return;
        if (into->count > 0)
            memcpy(items, into->items, into->count * sizeof *items);
        into->items = items;
        into->capacity = capacity;
    }
    if (more->count > 0)
        memcpy(into->items + into->count, more->items, more->count * sizeof *more->items);
    into->count += more->count;
}

static void append_strings(import *im, string_list *into, const string_list *more)
{
    const char **items = import_alloc(im, into->count + more->count + 1, sizeof *items);
    if (!items)
        return;
    for (size_t i = 0; i < into->count + more->count; i++)
        items[i] = i < into->count ? into->items[i] : more->items[i - into->count];
    into->items = items;
    into->count += more->count;
    string_list_make_set(into);
}

/* Merges groups of map extras: those with a name that the region has are changed, others
 * are added. */
static void apply_extras(import *im, region *r, const region_patch *patch)
{
    const size_t room = r->extras_count + patch->extras_count;
    region_extras *groups = patch->extras_count ? import_alloc(im, room, sizeof *groups) : NULL;
    if (!groups)
        return;
    strmap index;
    strmap_init(&index);
    for (uint32_t i = 0; i < r->extras_count; i++) {
        groups[i] = r->extras[i];
        if (strmap_put(&index, groups[i].name, i) != 0)
            import_no_memory(im);
    }
    r->extras = groups;
    for (size_t i = 0; i < patch->extras_count; i++) {
        const region_extras *more = &patch->extras[i];
        uint32_t at = strmap_get(&index, more->name);
        if (at == STRMAP_NONE) {
            at = (uint32_t)r->extras_count++;
            groups[at].name = more->name;
        }
        region_extras *group = &groups[at];
        if (more->has_chance)
            group->chance = more->chance;
        if (more->clear)
            group->entries.count = 0;
        append_entries(im, &group->entries, &more->entries);
    }
    strmap_dispose(&index);
}

void region_apply(import *im, region *r, const region_patch *patch, const source_object *obj)
{
    for (uint32_t n = 0; n < REGION_NUMBERS; n++)
        if (patch->present[n])
            r->numbers[n] = patch->numbers[n];
    if (patch->default_oter) {
        r->default_oter = patch->default_oter;
        r->default_oter_object = obj;
        r->default_oter_pointer = patch->default_oter_pointer;
        r->levels = patch->levels;
    }
    for (size_t i = 0; i < REGION_BINS; i++) {
        if (patch->clear_bin[i])
            r->bins[i].count = 0;
        append_entries(im, &r->bins[i], &patch->bins[i]);
    }
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++) {
        if (patch->clear_features[i])
            r->features[i].count = 0;
        if (patch->features[i].count > 0)
            append_strings(im, &r->features[i], &patch->features[i]);
    }
    apply_extras(im, r, patch);
}

int region_merge_rest(json_t *into, const json_t *overlay)
{
    json_t *copy = json_deep_copy(overlay);
    if (!copy)
        return -1;
    const char *name;
    json_t *block;
    json_object_foreach(copy, name, block)
    {
        /* Empties members of a region's block: "clear_x": true in an overlay's block
         * empties x. */
        const char *key;
        json_t *value;
        void *next;
        json_object_foreach_safe(block, next, key, value)
        {
            if (strncmp(key, "clear_", 6) != 0 || !json_is_boolean(value))
                continue;
            if (json_is_true(value))
                json_object_del(json_object_get(into, name), key + 6);
            json_object_del(block, key);
        }
    }
    int result = json_object_update_recursive(into, copy);
    json_decref(copy);
    return result;
}

/* Sorts by id, then by place: entries are appended, so of equal ids the last one counts. */
static int compare_entries(const void *a, const void *b)
{
    const region_entry *x = *(region_entry *const *)a, *y = *(region_entry *const *)b;
    int order = strcmp(x->id, y->id);
    return order != 0 ? order : (x > y) - (x < y);
}

static void finish_list(import *im, region_list *list)
{
    region_entry **order = import_alloc(im, list->count + 1, sizeof(region_entry *));
    region_entry *items = import_alloc(im, list->count + 1, sizeof *items);
    if (!order || !items)
        return;
    for (size_t i = 0; i < list->count; i++)
        order[i] = &list->items[i];
    qsort(order, list->count, sizeof *order, compare_entries);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (i + 1 == list->count || strcmp(order[i]->id, order[i + 1]->id) != 0)
            items[kept++] = *order[i];
    *list = (region_list){items, kept, kept};
}

void region_finish(import *im, region *r)
{
    if (r->numbers[REGION_FLOODPLAIN_MIN] > r->numbers[REGION_FLOODPLAIN_MAX]) {
        double least = r->numbers[REGION_FLOODPLAIN_MAX];
        r->numbers[REGION_FLOODPLAIN_MAX] = r->numbers[REGION_FLOODPLAIN_MIN];
        r->numbers[REGION_FLOODPLAIN_MIN] = least;
        import_warning(im, r->object, r->id, "/overmap_forest_settings",
                       "the least floodplain distance is above the most: they are swapped");
    }
    for (size_t i = 0; i < REGION_BINS; i++)
        finish_list(im, &r->bins[i]);
    for (size_t i = 0; i < r->extras_count; i++)
        finish_list(im, &r->extras[i].entries);
    const char *name;
    json_t *block;
    r->blocks = import_alloc(im, json_object_size(r->rest), sizeof *r->blocks);
    if (!r->blocks)
        return;
    json_object_foreach(r->rest, name, block)
    {
        r->blocks[r->block_count++] = (region_block){name, import_json_text(im, block)};
        region_read_highways(im, r, name, block);
    }
}
