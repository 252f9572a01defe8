/*
 * The region module. Within a pack all region_settings come before its region_overlays; packs
 * come in order, so that an overlay changes what its own and earlier packs define, and a region
 * that a later pack defines again starts anew.
 */
#include "content/types/region.h"
#include "content/types/misc.h"
#include "content/types/terrain.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* While loading: regions in order of definition, and the map from ids to them. */
typedef struct region_loader {
    import *im;
    struct region_model *model;
    strmap index;
    region_parts parts;
} region_loader;

static void warn_missing_blocks(import *im, const source_object *obj)
{
    static const char *const blocks[][3] = {{"overmap_lake_settings", "lakes", NULL},
                                            {"overmap_forest_settings", "forests", NULL},
                                            {"forest_trail_settings", "forest_trails", NULL},
                                            {"city", "cities", NULL},
                                            {"default_oter", NULL, NULL}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        bool found = false;
        for (size_t k = 0; blocks[i][k]; k++)
            found = found || json_object_get(obj->json, blocks[i][k]);
        if (!found)
            import_warning(im, obj, NULL, "",
                           "the default region has no '%s': the games' defaults are used",
                           blocks[i][0]);
    }
}

/* The region that obj defines, new or to be replaced; NULL where obj has no good id (reported)
 * or memory is out (*status). */
static region *place_region(region_loader *l, const source_object *obj, ptl_status *status)
{
    object_ids ids;
    *status = object_ids_read(&ids, l->im, obj, CONTENT_ID_MAX);
    if (*status != PTL_OK || ids.count == 0)
        return NULL;
    const char *id = ids.items[0];
    if (ids.abstract) /* there to be copied from */
        return NULL;
    if (ids.count > 1 || id[0] == '\0') {
        import_error(l->im, obj, NULL, "/id", "region_settings needs one 'id'");
        return NULL;
    }
    uint32_t at = strmap_get(&l->index, id);
    if (at == STRMAP_NONE) {
        at = (uint32_t)l->model->count++;
        if (strmap_put(&l->index, id, at) != 0) {
            *status = error_nomem(l->im->err);
            return NULL;
        }
    }
    region *r = &l->model->regions[at];
    if (r->object && r->object->file->pack == obj->file->pack)
        import_warning(l->im, obj, NULL, "",
                       "defined twice in this pack; the later definition counts");
    json_decref(r->rest);
    *r = (region){.id = id, .object = obj, .has_parts = region_has_parts(obj)};
    r->default_oter = "field";
    for (size_t n = 0; n < REGION_NUMBERS; n++)
        r->numbers[n] = region_fields[n].initial;
    return r;
}

static ptl_status load_region(region_loader *l, const source_object *obj)
{
    ptl_status status;
    region *r = place_region(l, obj, &status);
    if (!r)
        return status;
    if (strcmp(r->id, "default") == 0)
        warn_missing_blocks(l->im, obj);
    region_patch patch;
    status = region_patch_read(&patch, l->im, &l->parts, obj, false);
    if (status == PTL_OK)
        status = region_apply(l->im, r, &patch, obj);
    r->rest = region_rest(&l->parts, obj);
    return status == PTL_OK && !r->rest ? error_nomem(l->im->err) : status;
}

static ptl_status overlay_region(region_loader *l, region *r, const region_patch *patch,
                                 const source_object *obj, const json_t *rest)
{
    if (region_merge_rest(r->rest, rest) != 0)
        return error_nomem(l->im->err);
    return region_apply(l->im, r, patch, obj);
}

static ptl_status overlay_named(region_loader *l, const string_list *names,
                                const region_patch *patch, const source_object *obj,
                                const json_t *rest)
{
    if (names->count == 1 && strcmp(names->items[0], "all") == 0) {
        for (size_t i = 0; i < l->model->count && !import_stopped(l->im); i++)
            TRY(overlay_region(l, &l->model->regions[i], patch, obj, rest));
        return PTL_OK;
    }
    for (size_t i = 0; i < names->count && !import_stopped(l->im); i++) {
        uint32_t at = strmap_get(&l->index, names->items[i]);
        if (at != STRMAP_NONE) {
            TRY(overlay_region(l, &l->model->regions[at], patch, obj, rest));
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
    return PTL_OK;
}

static ptl_status load_overlay(region_loader *l, const source_object *obj)
{
    string_list names;
    region_patch patch;
    if (!json_object_get(obj->json, "regions")) {
        import_error(l->im, obj, "", "", "missing key 'regions'");
        return PTL_OK;
    }
    bool good = string_list_read(&names, l->im, obj, "", obj->json, "", "regions", false);
    ptl_status status = region_patch_read(&patch, l->im, NULL, obj, true);
    if (status != PTL_OK || !good)
        return status;
    json_t *rest = region_rest(NULL, obj);
    if (!rest)
        return error_nomem(l->im->err);
    status = overlay_named(l, &names, &patch, obj, rest);
    json_decref(rest);
    return status;
}

static int compare_regions(const void *a, const void *b)
{
    return strcmp(((const region *)a)->id, ((const region *)b)->id);
}

/* Loads all of a pack's objects of one list, from *at on. */
static ptl_status load_pack(region_loader *l, const source_type *list, size_t *at,
                            uint32_t pack,
                            ptl_status (*load)(region_loader *, const source_object *))
{
    for (;
         *at < list->count && list->objects[*at]->file->pack == pack && !import_stopped(l->im);
         (*at)++)
        TRY(load(l, list->objects[*at]));
    return PTL_OK;
}

ptl_status region_load(import *im)
{
    source_type settings;
    const source_type *overlays = import_objects(im, "region_overlay");
    struct region_model *model = arena_alloc(im->arena, sizeof *model);
    if (model)
        model->regions =
            arena_calloc(im->arena, import_objects(im, "region_settings")->count + 1,
                         sizeof *model->regions);
    if (!model || !model->regions)
        return error_nomem(im->err);
    im->regions = model;
    region_loader l = {.im = im, .model = model};
    strmap_init(&l.index);
    ptl_status status = import_merged(&settings, im, "region_settings");
    if (status == PTL_OK)
        status = region_parts_load(&l.parts, im);
    size_t next_settings = 0, next_overlay = 0;
    for (uint32_t pack = 0; pack < im->pack_count && status == PTL_OK && !import_stopped(im);
         pack++) {
        status = load_pack(&l, &settings, &next_settings, pack, load_region);
        if (status == PTL_OK)
            status = load_pack(&l, overlays, &next_overlay, pack, load_overlay);
    }
    strmap_dispose(&l.index);
    qsort(model->regions, model->count, sizeof *model->regions, compare_regions);
    for (size_t i = 0; i < model->count; i++) {
        if (status == PTL_OK) {
            region_apply_options(im, &model->regions[i]);
            status = region_finish(im, &model->regions[i]);
        } else
            json_decref(model->regions[i].rest);
    }
    im->report->regions += model->count;
    return status;
}

static const region *find_region(const import *im, const char *id)
{
    const region key = {.id = id};
    const struct region_model *model = im->regions;
    return bsearch(&key, model->regions, model->count, sizeof key, compare_regions);
}

bool region_exists(const import *im, const char *id)
{
    const region *r = find_region(im, id);
    return r && !r->left_out;
}

const char *region_suggest(import *im, const char *id)
{
    suggestion near;
    const bool compare = suggest_among(im, &near, id, im->regions->count);
    for (size_t k = 0; compare && k < im->regions->count; k++)
        suggest_offer(&near, im->regions->regions[k].id);
    return suggest_text(im, &near);
}

void region_levels(const import *im, bool below, void (*add)(void *payload, const char *id),
                   void *payload)
{
    for (size_t i = 0; i < im->regions->count; i++) {
        const region *r = &im->regions->regions[i];
        for (int z = PTL_Z_MIN; r->levels && z <= PTL_Z_MAX; z++)
            if (below ? z < 0 : z > 0)
                add(payload, r->levels[z - PTL_Z_MIN]);
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
