/*
 * The region module. Inside a pack all region_settings come before its region_overlays, and
 * packs come in order. So an overlay changes what its own and earlier packs define, and a
 * region that a later pack defines again starts from the defaults.
 */
#include "content/types/region.h"
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include <stdlib.h>
#include <string.h>

/* The state of loading: regions in the order of definition, and a map from ids to them. */
typedef struct region_loader {
    import *im;
    struct region_model *model;
    strmap index;
    region_parts parts;
} region_loader;

/* Returns the region that obj defines, new or to be replaced. NULL if obj has no valid id
 * (reported), or memory is out (*status). */
static region *place_region(region_loader *l, const source_object *obj)
{
    object_ids ids;
    object_ids_read(&ids, l->im, obj, CONTENT_ID_MAX);
    if (ids.count == 0)
        return NULL;
    const char *id = ids.items[0];
    if (ids.abstract) /* only for others to copy from */
        return NULL;
    if (ids.count > 1 || id[0] == '\0') {
        import_error(l->im, obj, NULL, "/id", "region_settings needs one 'id'");
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
        import_warning(l->im, obj, NULL, "",
                       "defined twice in this pack; the later definition counts");
    *r = (region){.id = id, .object = obj, .has_parts = region_has_parts(obj)};
    r->default_oter = "field";
    for (size_t n = 0; n < REGION_NUMBERS; n++)
        r->numbers[n] = region_fields[n].initial;
    return r;
}

static void load_region(region_loader *l, const source_object *obj)
{
    region *r = place_region(l, obj);
    if (!r)
        return;
    if (strcmp(r->id, "default") == 0)
        region_warn_default(l->im, obj);
    region_patch patch;
    region_patch_read(&patch, l->im, &l->parts, obj, false);
    region_apply(l->im, r, &patch, obj);
    r->rest = region_rest(l->im, &l->parts, obj);
}

static void overlay_region(region_loader *l, region *r, const region_patch *patch,
                           const source_object *obj, const json_t *rest)
{
    if (region_merge_rest(r->rest, rest) != 0)
        import_no_memory(l->im);
    region_apply(l->im, r, patch, obj);
}

static void overlay_named(region_loader *l, const string_list *names, const region_patch *patch,
                          const source_object *obj, const json_t *rest)
{
    if (names->count == 1 && strcmp(names->items[0], "all") == 0) {
        for (size_t i = 0; i < l->model->count && !import_stopped(l->im); i++)
            overlay_region(l, &l->model->regions[i], patch, obj, rest);
        return;
    }
    for (size_t i = 0; i < names->count && !import_stopped(l->im); i++) {
        uint32_t at = strmap_get(&l->index, names->items[i]);
        if (at != STRMAP_NONE) {
            overlay_region(l, &l->model->regions[at], patch, obj, rest);
            continue;
        }
        if (strcmp(names->items[i], "all") == 0) {
            import_error(l->im, obj, "", import_pointer_at(l->im, "/regions", i),
                         "'all' must be alone in the list");
            continue;
        }
        import_unresolved(l->im, obj, "", import_pointer_at(l->im, "/regions", i),
                          "no region '%s' in this or an earlier pack%s", names->items[i],
                          region_suggest(l->im, names->items[i]));
    }
}

static void load_overlay(region_loader *l, const source_object *obj)
{
    string_list names;
    region_patch patch;
    if (!json_object_get(obj->json, "regions")) {
        import_error(l->im, obj, "", "", "missing key 'regions'");
        return;
    }
    const bool good =
        string_list_read(&names, field_key(field_of(l->im, obj, ""), "regions"), false);
    region_patch_read(&patch, l->im, NULL, obj, true);
    const json_t *rest = good ? region_rest(l->im, NULL, obj) : NULL;
    if (rest)
        overlay_named(l, &names, &patch, obj, rest);
}

/* Loads the objects of one pack in a list, from *at on. */
static void load_pack(region_loader *l, const source_type *list, size_t *at, uint32_t pack,
                      void (*load)(region_loader *, const source_object *))
{
    for (;
         *at < list->count && list->objects[*at]->file->pack == pack && !import_stopped(l->im);
         (*at)++)
        load(l, list->objects[*at]);
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
        region_apply_options(im, &model->regions[i]);
        region_finish(im, &model->regions[i]);
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
