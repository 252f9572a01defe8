/*
 * Counts the members of a region's blocks and parts that nothing reads, as other unknown keys
 * are. Among them are members that the games have and we have no use for.
 */
#include "content/types/region.h"

#include <string.h>

bool region_has_column(const char *block, const char *key)
{
    for (size_t i = 0; i < REGION_NUMBERS; i++)
        if (strcmp(region_fields[i].block, block) == 0 &&
            strcmp(region_fields[i].key, key) == 0)
            return true;
    if (strcmp(block, "overmap_river_settings") == 0 && strcmp(key, "river_scale") == 0)
        return true;
    for (size_t i = 0; i < REGION_BINS + REGION_FEATURE_LISTS; i++) {
        const region_bin *bin =
            i < REGION_BINS ? &region_bins[i] : &region_feature_lists[i - REGION_BINS];
        if (strcmp(bin->block, block) == 0 &&
            (strcmp(bin->key, key) == 0 || strcmp(bin->clear, key) == 0))
            return true;
    }
    return json_is_comment(key);
}

/* Members without columns that local maps are made from. */
static const char *const map_keys[][2] = {
    {"forest_trail_settings", "trail_center_variance"},
    {"forest_trail_settings", "trail_width_offset_min"},
    {"forest_trail_settings", "trail_width_offset_max"},
    {"forest_trail_settings", "trail_terrain"},
    {"forest_mapgen_settings", "biomes"},
    {"region_terrain_and_furniture", "ter_furn"},
    {"map_extras", "extras"},
};

/* Does nothing read the member of a block? Comments and keys of inheritance don't count. */
static bool is_unread(const char *block, const char *key)
{
    static const char *const own[] = {"id",       "type",   "copy-from",
                                      "abstract", "extend", "delete"};
    bool read = region_has_column(block, key) ||
                (strcmp(block, highway_block) == 0 && region_highway_key(key));
    for (size_t i = 0; i < sizeof own / sizeof *own && !read; i++)
        read = strcmp(own[i], key) == 0;
    for (size_t i = 0; i < sizeof map_keys / sizeof *map_keys && !read; i++)
        read = strcmp(map_keys[i][0], block) == 0 && strcmp(map_keys[i][1], key) == 0;
    return !read;
}

/* Weather is skipped: it is kept as it is, and nothing reads it. */
void region_count_unread(import *im, const source_object *obj, const char *block, field in)
{
    const char *key;
    json_t *value;
    if (strcmp(block, "weather") == 0)
        return;
    json_object_foreach(in.value, key, value)
    {
        if (is_unread(block, key))
            import_count_unknown_key(im, obj,
                                     in.key ? import_printf(im, "%s.%s", in.key, key) : key);
    }
}
