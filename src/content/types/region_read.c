/*
 * region_settings and region_overlay: one object to a patch. Both have the same members; what
 * an object does not mention stays as it is.
 */
#include "content/types/region.h"

#include "core/error.h"

#include <limits.h>
#include <string.h>

/* A threshold that no noise reaches: "lakes": null and "forests": null switch them off. */
static const double never = 2;

enum { FLOODPLAIN_MAX = 15, WEIGHT_MAX = 1000000000, CELLS = 32400, DEFAULT_OTERS = 21 };

static const char lake[] = "overmap_lake_settings", ravine[] = "overmap_ravine_settings",
                  forest[] = "overmap_forest_settings", trail[] = "forest_trail_settings",
                  features[] = "overmap_feature_flag_settings";

const region_bin region_bins[REGION_BINS] = {
    {"city", "houses", "clear_houses"},
    {"city", "shops", "clear_shops"},
    {"city", "parks", "clear_parks"},
    {"city", "finales", "clear_finales"},
    {"city", "urban_houses", "clear_urban_houses"},
    {"city", "urban_shops", "clear_urban_shops"},
    {trail, "trailheads", "clear_trailheads"},
};

const region_bin region_feature_lists[REGION_FEATURE_LISTS] = {
    {features, "blacklist", "clear_blacklist"},
    {features, "whitelist", "clear_whitelist"},
};

/* BN's other names of blocks, which it reads for DDA's sake. */
static const struct {
    const char *block, *alias;
} aliases[] = {{features, "feature_flag_settings"}};

static const char *const known_keys[] = {"type",
                                         "id",
                                         "regions",
                                         "default_oter",
                                         "river_scale",
                                         lake,
                                         ravine,
                                         forest,
                                         trail,
                                         features,
                                         "feature_flag_settings",
                                         "city",
                                         "map_extras",
                                         "rivers",
                                         "lakes",
                                         "forests",
                                         "forest_trails",
                                         "overmap_ocean_settings",
                                         "default_groundcover",
                                         "field_coverage",
                                         "forest_mapgen_settings",
                                         "region_terrain_and_furniture",
                                         "weather",
                                         "place_swamps",
                                         "place_roads",
                                         "place_railroads",
                                         "place_specials",
                                         "neighbor_connections",
                                         NULL};

/* The block's value and the name that it goes by; NULL if the object has none. */
static const json_t *find_block(const source_object *obj, const char *block, const char **name)
{
    *name = block;
    if (block[0] == '\0')
        return obj->json;
    const json_t *found = json_object_get(obj->json, block);
    for (size_t i = 0; !found && i < sizeof aliases / sizeof *aliases; i++) {
        if (strcmp(aliases[i].block, block) == 0) {
            *name = aliases[i].alias;
            found = json_object_get(obj->json, *name);
        }
    }
    return found;
}

static bool is_comment(const char *key)
{
    return key[0] == '/' && key[1] == '/';
}

static void set_number(region_patch *p, region_number n, double value)
{
    p->numbers[n] = value;
    p->present |= UINT64_C(1) << n;
}

static void read_number(region_patch *p, import *im, const source_object *obj, uint32_t n)
{
    const region_field *f = &region_fields[n];
    const char *name;
    const json_t *block = find_block(obj, f->block, &name);
    if (!json_is_object(block))
        return;
    const char *pointer = name[0] ? import_pointer(im, "", name) : "";
    if (!f->real) {
        int64_t value = 0;
        if (import_get_int(im, obj, block, pointer, f->key, false, (int64_t)f->lo,
                           (int64_t)f->hi, &value))
            set_number(p, (region_number)n, (double)value);
        return;
    }
    double value = 0;
    if (!import_get_number(im, obj, block, pointer, f->key, false, &value))
        return;
    if (value >= f->lo && value <= f->hi)
        set_number(p, (region_number)n, value);
    else
        import_error(im, obj, NULL, import_pointer(im, pointer, f->key),
                     "'%s' must be %g..%g, not %g", f->key, f->lo, f->hi, value);
}

/* The flood counters of swamps reach 15 cells, and no further. */
static void limit_floodplain(region_patch *p, import *im, const source_object *obj)
{
    for (uint32_t n = REGION_FLOODPLAIN_MIN; n <= REGION_FLOODPLAIN_MAX; n++) {
        if (!(p->present & UINT64_C(1) << n) || p->numbers[n] <= FLOODPLAIN_MAX)
            continue;
        const char *block = import_pointer(im, "", forest);
        import_warning(im, obj, NULL, import_pointer(im, block, region_fields[n].key),
                       "'%s' is %.0f; %d, the most that is possible, is used",
                       region_fields[n].key, p->numbers[n], FLOODPLAIN_MAX);
        p->numbers[n] = FLOODPLAIN_MAX;
    }
}

/* {"id": weight, ...} */
static ptl_status read_weights(region_list *out, import *im, const source_object *obj,
                               const json_t *list, const char *pointer)
{
    if (!list)
        return PTL_OK;
    if (!json_is_object(list)) {
        import_error(im, obj, NULL, pointer, "must be an object of ids and weights");
        return PTL_OK;
    }
    out->items = arena_calloc(im->arena, json_object_size(list) + 1, sizeof *out->items);
    if (!out->items)
        return error_nomem(im->err);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)list, key, value)
    {
        if (is_comment(key))
            continue;
        if (json_is_integer(value) && json_integer_value(value) >= 0 &&
            json_integer_value(value) <= WEIGHT_MAX)
            out->items[out->count++] =
                (region_entry){key, json_integer_value(value), obj, pointer, NULL};
        else
            import_error(im, obj, NULL, import_pointer(im, pointer, key),
                         "the weight of '%s' must be a whole number, 0..%d", key, WEIGHT_MAX);
    }
    return PTL_OK;
}

static ptl_status read_bins(region_patch *p, import *im, const source_object *obj)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; status == PTL_OK && i < REGION_BINS; i++) {
        const char *name;
        const json_t *block = find_block(obj, region_bins[i].block, &name);
        const char *pointer = import_pointer(im, "", name);
        const json_t *list = json_object_get(block, region_bins[i].key);
        import_get_bool(im, obj, block, pointer, region_bins[i].clear, &p->clear_bin[i]);
        status = read_weights(&p->bins[i], im, obj, list,
                              import_pointer(im, pointer, region_bins[i].key));
    }
    return status;
}

static void read_features(region_patch *p, import *im, const source_object *obj)
{
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++) {
        const region_bin *list = &region_feature_lists[i];
        const char *name;
        const json_t *block = find_block(obj, list->block, &name);
        const char *pointer = import_pointer(im, "", name);
        import_get_bool(im, obj, block, pointer, list->clear, &p->clear_features[i]);
        string_list_read(&p->features[i], im, obj, NULL, block, pointer, list->key, true);
    }
}

static ptl_status read_extra_group(region_extras *out, import *im, const source_object *obj,
                                   const char *name, const json_t *group, bool overlay)
{
    const char *pointer = import_pointer(im, "/map_extras", name);
    out->name = name;
    if (!json_is_object(group)) {
        import_error(im, obj, NULL, pointer, "must be an object with 'chance' and 'extras'");
        return PTL_OK;
    }
    out->has_chance =
        import_get_int(im, obj, group, pointer, "chance", !overlay, 0, INT32_MAX, &out->chance);
    import_get_bool(im, obj, group, pointer, "clear_extras", &out->clear);
    const json_t *extras = json_object_get(group, "extras");
    if (!extras && !overlay)
        import_error(im, obj, NULL, pointer, "missing key 'extras'");
    return read_weights(&out->entries, im, obj, extras, import_pointer(im, pointer, "extras"));
}

static ptl_status read_extras(region_patch *p, import *im, const source_object *obj,
                              bool overlay)
{
    const json_t *groups = json_object_get(obj->json, "map_extras");
    if (!groups)
        return PTL_OK;
    if (!json_is_object(groups)) {
        import_error(im, obj, NULL, "/map_extras", "'map_extras' must be an object");
        return PTL_OK;
    }
    p->extras = arena_calloc(im->arena, json_object_size(groups) + 1, sizeof *p->extras);
    if (!p->extras)
        return error_nomem(im->err);
    ptl_status status = PTL_OK;
    const char *name;
    json_t *group;
    json_object_foreach((json_t *)groups, name, group)
    {
        if (status == PTL_OK && !is_comment(name))
            status =
                read_extra_group(&p->extras[p->extras_count++], im, obj, name, group, overlay);
    }
    return status;
}

/* A terrain id, or, as newer games have it, one for each of the 21 levels from -10. */
static void read_default_oter(region_patch *p, import *im, const source_object *obj)
{
    const json_t *value = json_object_get(obj->json, "default_oter");
    if (!value)
        return;
    p->default_oter_pointer = "/default_oter";
    if (json_is_array(value) && json_array_size(value) == DEFAULT_OTERS) {
        p->default_oter_pointer = "/default_oter/10";
        value = json_array_get(value, DEFAULT_OTERS / 2);
    }
    p->default_oter = json_string_value(value);
    if (!p->default_oter)
        import_error(im, obj, NULL, p->default_oter_pointer,
                     "'default_oter' must be a terrain id, or a list of %d", DEFAULT_OTERS);
}

/* BN's aliases: null switches something off. */
static void read_switches(region_patch *p, const source_object *obj)
{
    if (json_is_null(json_object_get(obj->json, "rivers")))
        set_number(p, REGION_RIVER_SCALE, 0);
    if (json_is_null(json_object_get(obj->json, "lakes")))
        set_number(p, REGION_LAKE_THRESHOLD, never);
    if (json_is_null(json_object_get(obj->json, "forests")))
        for (uint32_t n = REGION_FOREST_THRESHOLD; n <= REGION_SWAMP_ISOLATED_THRESHOLD; n++)
            set_number(p, (region_number)n, never);
    if (json_is_null(json_object_get(obj->json, "forest_trails")))
        set_number(p, REGION_TRAIL_CHANCE, 0);
}

static void check_blocks(import *im, const source_object *obj)
{
    static const char *const blocks[] = {lake, ravine, forest, trail, features, "city"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const char *name;
        const json_t *block = find_block(obj, blocks[i], &name);
        if (block && !json_is_object(block))
            import_error(im, obj, NULL, import_pointer(im, "", name), "'%s' must be an object",
                         name);
    }
}

ptl_status region_patch_read(region_patch *out, import *im, const source_object *obj,
                             bool overlay)
{
    memset(out, 0, sizeof *out);
    check_blocks(im, obj);
    read_default_oter(out, im, obj);
    for (uint32_t n = 0; n < REGION_NUMBERS; n++)
        read_number(out, im, obj, n);
    read_switches(out, obj);
    limit_floodplain(out, im, obj);
    read_features(out, im, obj);
    import_count_unknown_keys(im, obj, known_keys);
    ptl_status status = read_bins(out, im, obj);
    if (status == PTL_OK)
        status = read_extras(out, im, obj, overlay);
    return status;
}

/* Members of a block that have a column or a table. */
static bool has_column(const char *block, const char *key)
{
    for (size_t i = 0; i < REGION_NUMBERS; i++)
        if (strcmp(region_fields[i].block, block) == 0 &&
            strcmp(region_fields[i].key, key) == 0)
            return true;
    for (size_t i = 0; i < REGION_BINS + REGION_FEATURE_LISTS; i++) {
        const region_bin *bin =
            i < REGION_BINS ? &region_bins[i] : &region_feature_lists[i - REGION_BINS];
        if (strcmp(bin->block, block) == 0 &&
            (strcmp(bin->key, key) == 0 || strcmp(bin->clear, key) == 0))
            return true;
    }
    return is_comment(key);
}

json_t *region_rest(const source_object *obj)
{
    static const char *const skipped[] = {"type",        "id",         "regions",
                                          "river_scale", "map_extras", "feature_flag_settings"};
    json_t *out = json_deep_copy(obj->json);
    for (size_t i = 0; out && i < sizeof skipped / sizeof *skipped; i++)
        json_object_del(out, skipped[i]);
    const char *name, *key;
    json_t *block, *value;
    void *next, *next_key;
    json_object_foreach_safe(out, next, name, block)
    {
        json_object_foreach_safe(block, next_key, key, value)
        {
            if (has_column(name, key))
                json_object_del(block, key);
        }
        bool plain_oter = strcmp(name, "default_oter") == 0 && json_is_string(block);
        if (is_comment(name) || plain_oter ||
            (json_is_object(block) && json_object_size(block) == 0))
            json_object_del(out, name);
    }
    return out;
}
