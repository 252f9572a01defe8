/*
 * What regions say of highways. The numbers are loaded with the regions' other numbers
 * (catalogue_games.c). The specials and terrains that make up highways are read here from the
 * region's block of JSON (region_block), which is stored as it came, because only generation
 * uses them.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "json/json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the special whose id is the block's member `key`; CAT_NONE if there is none. */
static uint16_t special_of(const loader *l, const json_t *block, const char *key)
{
    const char *id = json_string_value(json_object_get(block, key));
    return id ? catalogue_special(l->cat, id) : (uint16_t)CAT_NONE;
}

static uint16_t terrain_of(const loader *l, const json_t *block, const char *key)
{
    const char *id = json_string_value(json_object_get(block, key));
    return id ? catalogue_terrain(l->cat, id) : (uint16_t)CAT_NONE;
}

static void add_entry(const loader *l, bin_entry *list, size_t *count, const char *id,
                      const json_t *weight)
{
    enum { WEIGHT_MAX = 1000000 };
    const uint16_t special = id ? catalogue_special(l->cat, id) : (uint16_t)CAT_NONE;
    const json_int_t w = weight ? json_integer_value(weight) : 1;
    if (special != CAT_NONE && l->specials[special].omt_count > 0 && w > 0 && w <= WEIGHT_MAX)
        list[(*count)++] = (bin_entry){special, (uint32_t)w};
}

static ptl_status read_bin(loader *l, cat_bin *out, const json_t *block, const char *name)
{
    enum { ENTRIES_MAX = 1000 };
    json_t *bin = json_object_get(block, name);
    const size_t room = json_is_object(bin) ? json_object_size(bin) : json_array_size(bin);
    if (room == 0 || room > ENTRIES_MAX)
        return PTL_OK;
    bin_entry *list;
    TRY(LOADER_ROOM(l, list, room));
    size_t count = 0;
    /* A weighted list is {"id": weight}, [["id", weight]] or ["id"]. */
    const char *key;
    json_t *value;
    json_object_foreach(bin, key, value)
    {
        add_entry(l, list, &count, key, value);
    }
    for (size_t i = 0; i < json_array_size(bin); i++) {
        const json_t *item = json_array_get(bin, i);
        const bool pair = json_is_array(item);
        add_entry(l, list, &count, json_string_value(pair ? json_array_get(item, 0) : item),
                  pair ? json_array_get(item, 1) : NULL);
    }

    return loader_bin(l, out, list, count);
}

static ptl_status read_highway(loader *l, cat_highway *h, const json_t *block)
{
    const struct {
        cat_bin *out;
        const char *key;
    } bins[] = {{&h->bends, "bends"},
                {&h->four_ways, "four_way_intersections"},
                {&h->three_ways, "three_way_intersections"},
                {&h->interchanges, "interchanges"}};
    const json_t *chance = json_object_get(block, "straightness_chance");
    const double straightness = json_is_number(chance) ? json_number_value(chance) : 0.6;
    h->straightness = straightness >= 0 && straightness <= 1 ? straightness : 0.6;
    h->reserved = terrain_of(l, block, "reserved_terrain_id");
    h->supports = terrain_of(l, block, "fallback_supports");
    h->flat = special_of(l, block, "segment_flat_special");
    h->ramp = special_of(l, block, "segment_ramp_special");
    h->bridge = special_of(l, block, "segment_bridge_special");
    h->road_bridge = special_of(l, block, "segment_road_bridge_special");
    h->column = special_of(l, block, "segment_bridge_supports_special");
    h->onramp = special_of(l, block, "fallback_onramp_special");
    h->clockwise = special_of(l, block, "clockwise_slant_special");
    h->counterclockwise = special_of(l, block, "counterclockwise_slant_special");
    h->bend = special_of(l, block, "fallback_bend_special");
    h->four_way = special_of(l, block, "fallback_four_way_intersection_special");
    h->three_way = special_of(l, block, "fallback_three_way_intersection_special");
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        TRY(read_bin(l, bins[i].out, block, bins[i].key));
    return PTL_OK;
}

static ptl_status read_highway_block(loader *l, const void *values)
{
    const region_block_row *s = values;
    cat_region *r = loader_region(l, s->region);
    cat_highway *h;
    json_t *block;
    if (strcmp(s->block, "overmap_highway_settings") != 0)
        return PTL_OK;
    if (!r)
        return loader_corrupt(l, "block of unknown region", s->region);
    TRY(LOADER_ROOM(l, h, 0));
    TRY(loader_json(l, &block, s->json, "no JSON in a block of region", r->id));
    const ptl_status status =
        json_is_object(block) ? read_highway(l, h, block)
                              : loader_corrupt(l, "no JSON object in a block of region", r->id);
    r->highway = h;
    json_decref(block);
    return status;
}

ptl_status load_highways(loader *l)
{
    return loader_rows(l, CONTENT_REGION_BLOCKS, NULL, read_highway_block, NULL);
}

/* ---- blocks for local maps: kept as text, which mapgen/ground/settings.h parses ---- */

static const char *const wanted[] = {"default_groundcover", "field_coverage",
                                     "forest_mapgen_settings", "forest_trail_settings",
                                     "region_terrain_and_furniture"};

enum { WANTED = sizeof wanted / sizeof wanted[0] };

/* Reads a block. Rows are sorted by region, so that a region's blocks come together. */
static ptl_status read_block(loader *l, const void *values)
{
    const region_block_row *s = values;
    cat_block **blocks = l->payload; /* the block list of the previous row's region */
    bool found = false;
    for (size_t i = 0; i < WANTED; i++)
        found = found || strcmp(s->block, wanted[i]) == 0;
    if (!found)
        return PTL_OK;
    cat_region *r = loader_region(l, s->region);
    if (!r)
        return loader_corrupt(l, "block of unknown region", s->region);
    if (r->block_count == 0)
        TRY(LOADER_ROOM(l, *blocks, WANTED));
    if (r->block_count > 0 && strcmp(r->blocks[r->block_count - 1].name, s->block) >= 0)
        return loader_corrupt(l, "blocks of a region out of order:", s->block);
    r->blocks = *blocks;
    (*blocks)[r->block_count++] =
        (cat_block){loader_keep(l, s->block), loader_keep(l, s->json)};
    return PTL_OK;
}

ptl_status load_blocks(loader *l)
{
    cat_block *blocks = NULL;
    return loader_rows(l, CONTENT_REGION_BLOCKS, NULL, read_block, &blocks);
}
