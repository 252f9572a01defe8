/*
 * What regions say of highways. Their numbers are with the others (catalogue_games.c); which
 * specials and terrains make them is in the region's block as the content has it
 * (region_block), since nothing but generation asks.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "json/json_value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A special by the id that the block has there; CAT_NONE where there is none. */
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

typedef struct entry {
    uint16_t special;
    uint32_t weight;
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return (x->special > y->special) - (x->special < y->special);
}

/* The import has seen no weight of these: what is no whole number in 1 .. 1,000,000 is left
 * out, and so is a special without tiles. */
static void add_entry(const loader *l, entry *list, size_t *count, const char *id,
                      const json_t *weight)
{
    enum { WEIGHT_MAX = 1000000 };
    const uint16_t special = id ? catalogue_special(l->cat, id) : (uint16_t)CAT_NONE;
    const json_int_t w = weight ? json_integer_value(weight) : 1;
    if (special != CAT_NONE && l->specials[special].tile_count > 0 && w > 0 && w <= WEIGHT_MAX)
        list[(*count)++] = (entry){special, (uint32_t)w};
}

/* {"id": weight}, [["id", weight]] or ["id"]. */
static size_t read_entries(const loader *l, entry *list, json_t *bin)
{
    size_t count = 0;
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
    return count;
}

static ptl_status read_bin(loader *l, cat_bin *out, const json_t *block, const char *key)
{
    enum { ENTRIES_MAX = 1000 };
    json_t *bin = json_object_get(block, key);
    const size_t room = json_is_object(bin) ? json_object_size(bin) : json_array_size(bin);
    if (room == 0 || room > ENTRIES_MAX)
        return PTL_OK;
    entry *list = arena_calloc(l->arena, room, sizeof *list);
    uint16_t *specials = arena_calloc(l->arena, room, sizeof *specials);
    uint32_t *upto = arena_calloc(l->arena, room, sizeof *upto);
    if (!list || !specials || !upto)
        return error_nomem(l->err);
    const size_t count = read_entries(l, list, bin);
    if (count > 1)
        qsort(list, count, sizeof *list, compare_entries);
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        specials[i] = list[i].special;
        upto[i] = sum += list[i].weight;
    }
    *out = (cat_bin){specials, upto, count};
    return PTL_OK;
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
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof bins / sizeof *bins && status == PTL_OK; i++)
        status = read_bin(l, bins[i].out, block, bins[i].key);
    return status;
}

static ptl_status read_block(loader *l, const void *values, void *payload)
{
    const region_block_row *s = values;
    json_reader *json = payload;
    json_fault fault;
    if (strcmp(s->block, "overmap_highway_settings") != 0)
        return PTL_OK;
    const cat_region *r = catalogue_region(l->cat, s->region);
    if (!r)
        return loader_corrupt(l, "block of unknown region", s->region);
    cat_highway *h = arena_calloc(l->arena, 1, sizeof *h);
    const char *text = s->json;
    json_t *block = json_value_read(json, text, strlen(text), &fault);
    ptl_status status = h ? PTL_OK : error_nomem(l->err);
    if (!block && fault.kind == JSON_NO_MEMORY)
        status = error_nomem(l->err);
    if (status == PTL_OK && !json_is_object(block))
        status = loader_corrupt(l, "no JSON object in a block of region", r->id);
    if (status == PTL_OK)
        status = read_highway(l, h, block);
    if (status == PTL_OK)
        l->regions[r - l->cat->regions].highway = h;
    json_decref(block);
    return status;
}

ptl_status load_highways(loader *l)
{
    json_reader *json = json_reader_new((stop_hook){NULL, NULL});
    if (!json)
        return error_nomem(l->err);
    const ptl_status status = loader_rows(l, CONTENT_REGION_BLOCKS, NULL, read_block, json);
    json_reader_free(json);
    return status;
}
