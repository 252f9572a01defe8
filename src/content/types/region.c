/*
 * The region module. Inside a pack, all region_settings are read before its region_overlays;
 * packs are read in their order. So an overlay changes regions that its own pack and earlier
 * packs define, and a region that a later pack defines again starts from the defaults.
 */
#include "content/types/region.h"

#include "content/import/record.h"

#include <stdlib.h>
#include <string.h>

/* The state of loading: the regions, in the order of definition, and a map from ids to their
 * indices. */
typedef struct region_loader {
    import *im;
    struct region_model *model;
    strmap index;
    region_parts parts;
} region_loader;

/* Returns the region that obj defines, reset to the defaults. NULL if obj is abstract, has no
 * valid id (which is reported), or memory is out (which the import notes). */
static region *place_region(region_loader *l, const source_object *obj)
{
    object_ids ids;
    object_ids_read(&ids, l->im, obj, CONTENT_ID_MAX);
    if (ids.count == 0)
        return NULL;
    const char *id = ids.items[0];
    if (ids.abstract) /* an abstract region is only there to be copied */
        return NULL;
    if (ids.count > 1 || id[0] == '\0') {
        import_error(l->im, obj, NULL, "/id", CT109, "region_settings needs one 'id'");
        return NULL;
    }
    uint32_t at = strmap_get(&l->index, id);
    if (at == STRMAP_NONE) {
        at = (uint32_t)l->model->count++;
        if (strmap_put(&l->index, id, at) != 0) {
            import_no_memory(l->im);
            return NULL;
        }
    }
    region *r = &l->model->regions[at];
    if (r->object && r->object->file->pack == obj->file->pack)
        import_warning(l->im, obj, NULL, "", CT106,
                       "defined twice in this pack; the later definition counts");
    *r = (region){.id = id, .object = obj, .has_parts = region_has_parts(obj)};
    r->default_oter = "field";
    for (size_t n = 0; n < REGION_NUMBERS; n++)
        r->numbers[n] = region_fields[n].initial;
    return r;
}

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

/* Merges groups of map extras into a region: groups whose name the region has are changed,
 * others are added. */
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

/* Applies the settings of one object (a patch) to a region: its numbers replace those of the
 * region, and its weighted lists are appended to those of the region. When the region is
 * complete, only the last element of each id is kept. */
static void region_apply(import *im, region *r, const region_patch *patch,
                         const source_object *obj)
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
        string_list_change(&r->features[i], im, &patch->features[i],
                           &(string_list){.count = 0});
    }
    apply_extras(im, r, patch);
}

static void load_region(region_loader *l, const source_object *obj)
{
    region *r = place_region(l, obj);
    if (!r)
        return;
    if (strcmp(r->id, "default") == 0)
        region_warn_default(l->im, obj);
    region_patch patch;
    region_patch_read(&patch, l->im, &l->parts, obj);
    region_apply(l->im, r, &patch, obj);
    r->rest = region_rest(l->im, &l->parts, obj);
}

/* Merges an overlay's blocks of settings, which are JSON objects, into the region's blocks of
 * the same names (`into`); -1 when memory is out. */
static int region_merge_rest(json_t *into, const json_t *overlay)
{
    json_t *copy = json_deep_copy(overlay);
    if (!copy)
        return -1;
    const char *name;
    json_t *block;
    json_object_foreach(copy, name, block)
    {
        /* In an overlay, the member "clear_x" of a block says that the region's block loses its
         * member x. */
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

/* Applies an overlay to the regions that it names, or to all regions. */
static void load_overlay(region_loader *l, const source_object *obj)
{
    string_list names;
    region_patch patch;
    if (!json_object_get(obj->json, "regions")) {
        import_error(l->im, obj, "", "", CT102, "missing key 'regions'");
        return;
    }
    const bool good =
        string_list_read(&names, field_key(field_of(l->im, obj, ""), "regions"), false);
    region_patch_read(&patch, l->im, NULL, obj);
    const json_t *rest = good ? region_rest(l->im, NULL, obj) : NULL;
    const bool all = rest && names.count == 1 && strcmp(names.items[0], "all") == 0;
    const size_t count = !rest ? 0 : all ? l->model->count : names.count;
    for (size_t i = 0; i < count && !import_stopped(l->im); i++) {
        const uint32_t at = all ? (uint32_t)i : strmap_get(&l->index, names.items[i]);
        if (at != STRMAP_NONE) {
            region *r = &l->model->regions[at];
            if (region_merge_rest(r->rest, rest) != 0)
                import_no_memory(l->im);
            region_apply(l->im, r, &patch, obj);
            continue;
        }
        const char *pointer = import_pointer_at(l->im, "/regions", i);
        if (strcmp(names.items[i], "all") == 0)
            import_error(l->im, obj, "", pointer, CT101, "'all' must be alone in the list");
        else
            import_unresolved(l->im, obj, "", pointer, CT104,
                              "no region '%s' in this or an earlier pack%s", names.items[i],
                              region_suggest(l->im, names.items[i]));
    }
}

/* Calls `load` for those objects of the list that belong to one pack. They lie together and
 * begin at the index *at, which then becomes the index behind them. */
static void load_pack(region_loader *l, const source_type *list, size_t *at, uint32_t pack,
                      void (*load)(region_loader *, const source_object *))
{
    for (; *at < list->count && list->objects[*at]->file->pack == pack &&
           !import_stopped(l->im) && !import_ended(l->im);
         (*at)++)
        load(l, list->objects[*at]);
}

/* Orders the elements of a weighted list by id; elements of one id by their place in memory.
 * Later elements were appended, so the last one of an id is the one that counts. */
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

const region_switch region_switches[REGION_SWITCHES] = {
    {"OVERMAP_PLACE_RIVERS", "rivers", REGION_RIVER_SCALE, REGION_RIVER_SCALE, 0},
    {"OVERMAP_PLACE_LAKES", "lakes", REGION_LAKE_THRESHOLD, REGION_LAKE_THRESHOLD,
     REGION_NEVER},
    {"OVERMAP_PLACE_OCEANS", NULL, REGION_OCEANS, REGION_OCEANS, 0},
    {"OVERMAP_PLACE_FORESTS", "forests", REGION_FOREST_THRESHOLD,
     REGION_SWAMP_ISOLATED_THRESHOLD, REGION_NEVER},
    {"OVERMAP_PLACE_RAVINES", "ravines", REGION_RAVINES, REGION_RAVINES, 0},
    {"OVERMAP_PLACE_CITIES", NULL, REGION_CITY_SIZE, REGION_CITY_SIZE, 0},
    {"OVERMAP_PLACE_FOREST_TRAILS", "forest_trails", REGION_TRAIL_CHANCE, REGION_TRAIL_CHANCE,
     0},
    {"OVERMAP_PLACE_HIGHWAYS", NULL, REGION_HIGHWAYS, REGION_HIGHWAYS, 0},
};

/* Sets those numbers of a region for which the content has an option. Some options are only for
 * older contents, others only for newer ones: an option counts if the `games` of its
 * region_field is equal to `games`. */
static void set_numbers(import *im, region *r, region_games games)
{
    for (size_t n = 0; n < REGION_NUMBERS; n++) {
        const region_field *f = &region_fields[n];
        bool on;
        if (!f->option || f->games != games)
            continue;
        if (!region_is_switch(f))
            option_number_of(im, f->option, f->lo, f->hi, &r->numbers[n]);
        else if (option_switch(im, f->option, &on))
            r->numbers[n] = on;
    }
}

/* Applies the content's options to a region (schema/generation.md 1.3), once all region objects
 * have been read. In newer games most of these settings stand in objects of their own, to which
 * regions refer by id. */
static void region_apply_options(import *im, region *r)
{
    set_numbers(im, r, REGION_ALL_GAMES);
    set_numbers(im, r, r->has_parts ? REGION_NEWER_GAMES : REGION_OLDER_GAMES);
    bool on = true;
    for (size_t i = 0; !r->has_parts && i < REGION_SWITCHES; i++) {
        const region_switch *s = &region_switches[i];
        for (region_number n = s->first;
             n <= s->last && option_switch(im, s->option, &on) && !on; n++)
            r->numbers[n] = s->off;
    }
    if (!r->has_parts && option_switch(im, "OVERMAP_PLACE_FOREST_TRAILHEADS", &on) && !on)
        r->bins[REGION_TRAILHEADS].count = 0;
    if (r->numbers[REGION_SWAMPS] != 0)
        return;
    r->numbers[REGION_SWAMP_ADJACENT_THRESHOLD] = REGION_NEVER;
    r->numbers[REGION_SWAMP_ISOLATED_THRESHOLD] = REGION_NEVER;
}

void region_load(import *im)
{
    source_type settings;
    const source_type *overlays = import_objects(im, "region_overlay");
    struct region_model *model = im->regions = import_alloc(im, 1, sizeof *model);
    if (model)
        model->regions = import_alloc(im, import_objects(im, "region_settings")->count,
                                      sizeof *model->regions);
    if (!model || !model->regions)
        return;
    region_loader l = {.im = im, .model = model};
    strmap_init(&l.index);
    import_merged(&settings, im, "region_settings");
    region_parts_load(&l.parts, im);
    size_t next_settings = 0, next_overlay = 0;
    for (uint32_t pack = 0; pack < im->pack_count && !import_stopped(im); pack++) {
        load_pack(&l, &settings, &next_settings, pack, load_region);
        load_pack(&l, overlays, &next_overlay, pack, load_overlay);
    }
    strmap_dispose(&l.index);
    qsort(model->regions, model->count, sizeof *model->regions, compare_ids);
    for (size_t i = 0; i < model->count && !import_ended(im); i++) {
        region *r = &model->regions[i];
        region_apply_options(im, r);
        if (r->numbers[REGION_FLOODPLAIN_MIN] > r->numbers[REGION_FLOODPLAIN_MAX]) {
            double least = r->numbers[REGION_FLOODPLAIN_MAX];
            r->numbers[REGION_FLOODPLAIN_MAX] = r->numbers[REGION_FLOODPLAIN_MIN];
            r->numbers[REGION_FLOODPLAIN_MIN] = least;
            import_warning(im, r->object, r->id, "/overmap_forest_settings", CT113,
                           "the least floodplain distance is above the most: they are swapped");
        }
        for (size_t k = 0; k < REGION_BINS; k++)
            finish_list(im, &r->bins[k]);
        for (size_t k = 0; k < r->extras_count; k++)
            finish_list(im, &r->extras[k].entries);
    }
    im->report->regions += model->count;
}

bool region_exists(const import *im, const char *id)
{
    const region *r = FIND_ID(im->regions->regions, im->regions->count, id);
    return r && !r->left_out;
}

const char *region_suggest(import *im, const char *id)
{
    return SUGGEST_ID(im, id, im->regions->regions, im->regions->count);
}

void region_highway_ids(import *im, const region *r, region_highway_id *visit)
{
    const json_t *block = json_object_get(r->rest, highway_block);
    for (size_t i = 0; i < HIGHWAY_PARTS && !import_stopped(im); i++) {
        const highway_part *part = &highway_parts[i];
        json_t *value = json_object_get(block, part->key), *weight;
        const char *id;
        if (part->kind != HIGHWAY_SPECIALS) {
            visit(im, r, part, json_string_value(value));
            continue;
        }
        /* A weighted list is {"id": weight}, [["id", weight]] or ["id"]. */
        json_object_foreach(value, id, weight)
        {
            visit(im, r, part, id);
        }
        for (size_t k = 0; k < json_array_size(value); k++) {
            const json_t *item = json_array_get(value, k);
            visit(im, r, part,
                  json_string_value(json_is_array(item) ? json_array_get(item, 0) : item));
        }
    }
}

const char *region_level(const import *im, int32_t z)
{
    for (size_t i = 0; i < im->regions->count; i++)
        if (im->regions->regions[i].levels)
            return im->regions->regions[i].levels[z - PTL_Z_MIN];
    return NULL;
}

const char *const region_types[] = {"region_settings",
                                    "region_overlay",
                                    "region_settings_river",
                                    "region_settings_lake",
                                    "region_settings_ocean",
                                    "region_settings_ravine",
                                    "region_settings_forest",
                                    "region_settings_forest_trail",
                                    "region_settings_highway",
                                    "region_settings_city",
                                    "region_settings_forest_mapgen",
                                    "region_settings_terrain_furniture",
                                    "region_settings_map_extras",
                                    "map_extra_collection",
                                    "weather_generator",
                                    NULL};

/* ---- writing regions into their tables ---- */

static void write_group(content_writer *w, const region *r, const region_extras *group)
{
    content_put(w, CONTENT_REGION_EXTRA_GROUPS,
                &(region_extra_group_row){r->id, group->name, group->chance});
    for (size_t i = 0; i < group->entries.count; i++) {
        const region_entry *e = &group->entries.items[i];
        if (e->kind)
            content_put(w, CONTENT_REGION_EXTRAS,
                        &(region_extra_row){r->id, group->name, e->id, e->weight});
    }
}

static void write_region(import *im, content_writer *w, const region *r)
{
    const content_field *fields = &content_forms[CONTENT_REGIONS].fields[REGION_FIRST_FIELD];
    region_settings_row row = {.id = r->id, .default_oter = r->default_oter, FROM(r->object)};
    for (int n = 0; n < REGION_NUMBER_COLUMNS; n++) {
        void *at = (char *)&row + fields[n].at;
        if (fields[n].kind == FIELD_REAL)
            *(double *)at = r->numbers[n];
        else
            *(int64_t *)at = (int64_t)r->numbers[n];
    }
    content_put(w, CONTENT_REGIONS, &row);
    for (int n = REGION_NUMBER_COLUMNS; n < REGION_NUMBERS; n++)
        if (r->numbers[n] != region_fields[n].initial)
            content_put(w, CONTENT_REGION_NUMBERS,
                        &(region_number_row){r->id, region_fields[n].name, r->numbers[n]});
    for (int i = 0; r->levels && i < PTL_LEVELS; i++)
        content_put(w, CONTENT_REGION_LEVELS,
                    &(region_level_row){r->id, PTL_Z_MIN + i, r->levels[i]});
    const char *name;
    json_t *block;
    json_object_foreach(r->rest, name, block)
    {
        const char *text = import_json_text(im, block);
        if (text)
            content_put(w, CONTENT_REGION_BLOCKS, &(region_block_row){r->id, name, text});
    }
    /* An element of a list of buildings whose id is unknown (possible with the option lenient)
     * has no `kind`, and is left out. */
    for (size_t i = 0; i < REGION_BINS; i++)
        for (size_t j = 0; j < r->bins[i].count; j++) {
            const region_entry *e = &r->bins[i].items[j];
            if (e->kind)
                content_put(w, CONTENT_REGION_BUILDINGS,
                            &(region_building_row){r->id, region_bins[i].key, e->id, e->weight,
                                                   e->kind});
        }
    for (size_t i = 0; i < r->extras_count; i++)
        write_group(w, r, &r->extras[i]);
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++)
        for (size_t k = 0; k < r->features[i].count; k++)
            content_put(w, CONTENT_REGION_FLAGS,
                        &(region_feature_flag_row){r->id, region_feature_lists[i].key,
                                                   r->features[i].items[k]});
}

void region_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->regions->count; i++)
        if (!im->regions->regions[i].left_out)
            write_region(im, w, &im->regions->regions[i]);
}
