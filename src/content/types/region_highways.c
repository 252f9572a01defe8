/*
 * The ids in a region's block of highways. An id that nothing defines is a warning: the region
 * is usable without it, but no world can be made that asks for highways (gen/config.c); an
 * unknown id in a list just never comes up.
 */
#include "content/types/region.h"
#include "content/types/terrain.h"

#include <string.h>

static const char BLOCK[] = "overmap_highway_settings";

static const char *const TERRAINS[] = {"reserved_terrain_id", "reserved_terrain_water_id",
                                       "fallback_supports"};
static const char *const SPECIALS[] = {"segment_flat_special",
                                       "segment_ramp_special",
                                       "segment_bridge_special",
                                       "segment_road_bridge_special",
                                       "segment_overpass_special",
                                       "segment_bridge_supports_special",
                                       "fallback_onramp_special",
                                       "clockwise_slant_special",
                                       "counterclockwise_slant_special",
                                       "fallback_bend_special",
                                       "fallback_four_way_intersection_special",
                                       "fallback_three_way_intersection_special"};
static const char *const BINS[] = {"bends", "four_way_intersections", "three_way_intersections",
                                   "interchanges", "road_connections"};

/* Keeps an id; there is room for it. */
static void keep(region *r, const char *key, const char *id, bool terrain)
{
    if (id)
        r->highway_ids[r->highway_id_count++] = (region_highway_id){key, id, terrain};
}

/* Keeps the ids of {"id": weight}, [["id", weight]] or ["id"]. */
static void keep_list(region *r, const char *key, json_t *bin)
{
    const char *id;
    json_t *value;
    json_object_foreach(bin, id, value)
    {
        keep(r, key, id, false);
    }
    for (size_t i = 0; i < json_array_size(bin); i++) {
        const json_t *item = json_array_get(bin, i);
        keep(r, key, json_string_value(json_is_array(item) ? json_array_get(item, 0) : item),
             false);
    }
}

static const char *text_of(const json_t *block, const char *key)
{
    return json_string_value(json_object_get(block, key));
}

void region_read_highways(import *im, region *r, const char *name, json_t *block)
{
    if (strcmp(name, BLOCK) != 0)
        return;
    /* As many ids as the block may have need room. */
    size_t room = sizeof TERRAINS / sizeof *TERRAINS + sizeof SPECIALS / sizeof *SPECIALS;
    for (size_t i = 0; i < sizeof BINS / sizeof *BINS; i++) {
        const json_t *bin = json_object_get(block, BINS[i]);
        room += json_is_object(bin) ? json_object_size(bin) : json_array_size(bin);
    }
    r->highway_ids = import_alloc(im, room, sizeof *r->highway_ids);
    if (!r->highway_ids)
        return;
    for (size_t i = 0; i < sizeof TERRAINS / sizeof *TERRAINS; i++)
        keep(r, TERRAINS[i], text_of(block, TERRAINS[i]), true);
    for (size_t i = 0; i < sizeof SPECIALS / sizeof *SPECIALS; i++)
        keep(r, SPECIALS[i], text_of(block, SPECIALS[i]), false);
    for (size_t i = 0; i < sizeof BINS / sizeof *BINS; i++)
        keep_list(r, BINS[i], json_object_get(block, BINS[i]));
}

static bool is_among(const char *key, const char *const *list, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(list[i], key) != 0)
        i++;
    return i < count;
}

bool region_highway_key(const char *key)
{
    return is_among(key, TERRAINS, sizeof TERRAINS / sizeof *TERRAINS) ||
           is_among(key, SPECIALS, sizeof SPECIALS / sizeof *SPECIALS) ||
           is_among(key, BINS, sizeof BINS / sizeof *BINS) ||
           strcmp(key, "straightness_chance") == 0;
}
