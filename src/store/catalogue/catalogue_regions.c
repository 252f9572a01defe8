/*
 * Regions: the numbers that drive generation, and the bins that cities and trails are built
 * from. The ranges of the numbers are those of the import.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "model/region_fields.h"

#include <stdlib.h>
#include <string.h>

/* Ten thousand times a city's radius is as good as everywhere: no larger numbers, so that what
 * is computed with them stays small. */
enum { PERCENT_MAX = 1000000 };

enum { FIRST_NUMBER = 2, BUILDING_BINS = 7 };

/* The bins that generation takes buildings from. */
static const char *const bin_names[BUILDING_BINS] = {
    "finales", "houses", "parks", "shops", "trailheads", "urban_houses", "urban_shops"};

static cat_bin *bin_of(cat_region *r, size_t bin)
{
    cat_bin *const bins[BUILDING_BINS] = {
        &r->city.finales,      &r->city.houses,       &r->city.parks,      &r->city.shops,
        &r->trails.trailheads, &r->city.urban_houses, &r->city.urban_shops};
    return bins[bin];
}

/* ---- numbers ---- */

typedef struct region_row {
    loader *l;
    const content_value *s;
    const char *id;
    ptl_status status; /* of the first number that is out of its range */
} region_row;

static int32_t number(region_row *row, region_number which)
{
    int64_t value = value_int(row->s, FIRST_NUMBER + (int)which);
    const region_field *f = &region_fields[which];
    if (value >= (int64_t)f->lo && value <= (int64_t)f->hi)
        return (int32_t)value;
    if (row->status == PTL_OK)
        row->status =
            error_set(row->l->err, PTL_ERR_CORRUPT,
                      "content tables: '%s' of region '%s' is out of range", f->key, row->id);
    return 0;
}

static int32_t percent(region_row *row, region_number which)
{
    int32_t value = number(row, which);
    return value < PERCENT_MAX ? value : PERCENT_MAX;
}

static void read_city(region_row *row, cat_city_settings *c)
{
    c->size = number(row, REGION_CITY_SIZE);
    c->spacing = number(row, REGION_CITY_SPACING);
    c->shop_radius = percent(row, REGION_SHOP_RADIUS);
    c->shop_sigma = percent(row, REGION_SHOP_SIGMA);
    c->park_radius = percent(row, REGION_PARK_RADIUS);
    c->park_sigma = percent(row, REGION_PARK_SIGMA);
}

static void read_trails(region_row *row, cat_trail_settings *t)
{
    t->chance = number(row, REGION_TRAIL_CHANCE);
    t->border_point_chance = number(row, REGION_TRAIL_BORDER_POINT_CHANCE);
    t->minimum_forest_size = number(row, REGION_TRAIL_MINIMUM_FOREST_SIZE);
    t->random_point_min = number(row, REGION_TRAIL_RANDOM_POINT_MIN);
    t->random_point_max = number(row, REGION_TRAIL_RANDOM_POINT_MAX);
    t->random_point_size_scalar = number(row, REGION_TRAIL_RANDOM_POINT_SIZE_SCALAR);
    t->trailhead_chance = number(row, REGION_TRAILHEAD_CHANCE);
    t->trailhead_road_distance = number(row, REGION_TRAILHEAD_ROAD_DISTANCE);
}

/* What the land is made of. Whether its numbers can be generated from is checked there. */
static void read_land(region_row *row, cat_region *r)
{
    const content_value *s = row->s;
    r->river_scale = value_real(s, FIRST_NUMBER + REGION_RIVER_SCALE);
    r->lake_threshold = value_real(s, FIRST_NUMBER + REGION_LAKE_THRESHOLD);
    r->lake_size_min = (int32_t)value_int(s, FIRST_NUMBER + REGION_LAKE_SIZE_MIN);
    r->lake_depth = (int32_t)value_int(s, FIRST_NUMBER + REGION_LAKE_DEPTH);
    r->ravine_count = (int32_t)value_int(s, FIRST_NUMBER + REGION_RAVINES);
    r->ravine_range = (int32_t)value_int(s, FIRST_NUMBER + REGION_RAVINE_RANGE);
    r->ravine_width = (int32_t)value_int(s, FIRST_NUMBER + REGION_RAVINE_WIDTH);
    r->ravine_depth = (int32_t)value_int(s, FIRST_NUMBER + REGION_RAVINE_DEPTH);
    r->forest_threshold = value_real(s, FIRST_NUMBER + REGION_FOREST_THRESHOLD);
    r->forest_thick_threshold = value_real(s, FIRST_NUMBER + REGION_FOREST_THICK_THRESHOLD);
    r->swamp_adjacent_threshold = value_real(s, FIRST_NUMBER + REGION_SWAMP_ADJACENT_THRESHOLD);
    r->swamp_isolated_threshold = value_real(s, FIRST_NUMBER + REGION_SWAMP_ISOLATED_THRESHOLD);
    r->floodplain_min = (int32_t)value_int(s, FIRST_NUMBER + REGION_FLOODPLAIN_MIN);
    r->floodplain_max = (int32_t)value_int(s, FIRST_NUMBER + REGION_FLOODPLAIN_MAX);
}

static ptl_status read_region(loader *l, const content_value *s, void *payload)
{
    const size_t *room = payload;
    size_t at = l->cat->region_count;
    if (at == *room)
        return loader_corrupt(l, "more regions than counted:", value_text(s, 0));
    cat_region *r = &l->regions[l->cat->region_count++];
    ptl_status status =
        loader_id(l, &r->id, value_text(s, 0), at > 0 ? l->regions[at - 1].id : NULL);
    if (status != PTL_OK)
        return status;
    r->default_oter = loader_keep(l, value_text(s, 1));
    if (!r->default_oter)
        return error_nomem(l->err);
    r->default_ter = catalogue_oter_or_first(l->cat, r->default_oter);
    if (r->default_ter == CAT_NONE)
        return loader_corrupt(l, "no such default terrain of a region", r->default_oter);
    region_row row = {l, s, r->id, PTL_OK};
    read_land(&row, r);
    read_city(&row, &r->city);
    read_trails(&row, &r->trails);
    return row.status;
}

/* ---- levels ---- */

static cat_region *region_of(const loader *l, const content_value *s)
{
    const cat_region *r = catalogue_region(l->cat, value_text(s, 0));
    return r ? &l->regions[r - l->cat->regions] : NULL;
}

static ptl_status read_level(loader *l, const content_value *s, void *payload)
{
    (void)payload;
    cat_region *r = region_of(l, s);
    const int64_t z = value_int(s, 1);
    if (!r || z < PTL_Z_MIN || z > PTL_Z_MAX)
        return loader_corrupt(l,
                              "level of unknown region, or unknown level:", value_text(s, 0));
    for (int i = 0; i < PTL_LEVELS && !r->levelled; i++)
        r->levels[i] = CAT_NONE;
    r->levelled = true;
    r->levels[z - PTL_Z_MIN] = catalogue_oter_or_first(l->cat, value_text(s, 2));
    return PTL_OK;
}

/* All levels are there, and that of the ground is the region's. */
static ptl_status check_levels(loader *l)
{
    for (size_t i = 0; i < l->cat->region_count; i++) {
        const cat_region *r = &l->regions[i];
        bool good = !r->levelled || r->levels[-PTL_Z_MIN] == r->default_ter;
        for (int k = 0; r->levelled && k < PTL_LEVELS; k++)
            good = good && r->levels[k] != CAT_NONE;
        if (!good)
            return loader_corrupt(l, "wrong default terrains of the levels of region", r->id);
    }
    return PTL_OK;
}

static ptl_status load_levels(loader *l)
{
    ptl_status status = loader_rows(
        l, &(content_query){CONTENT_REGION_LEVELS, "region, z, default_oter", "region, z"},
        read_level, NULL);
    return status == PTL_OK ? check_levels(l) : status;
}

/* ---- bins ---- */

typedef struct bin_entry {
    uint16_t special;
    uint32_t weight;
} bin_entry;

typedef struct bin_reader {
    size_t region, bin; /* whose entries are being gathered, if there are any */
    bin_entry *entries; /* scratch: room for all rows */
    size_t count, room;
    int64_t sum; /* of their weights: below 2^31, so that 32 bits hold it anywhere */
} bin_reader;

static int compare_entries(const void *a, const void *b)
{
    const bin_entry *x = a, *y = b;
    return x->special - y->special;
}

/* Entries of one special are made one: a bare terrain and a special can have the same name. */
static void merge_entries(bin_reader *b)
{
    size_t kept = 0;
    if (b->count > 1)
        qsort(b->entries, b->count, sizeof *b->entries, compare_entries);
    for (size_t i = 0; i < b->count; i++) {
        if (kept > 0 && b->entries[kept - 1].special == b->entries[i].special)
            b->entries[kept - 1].weight += b->entries[i].weight; /* the sum was checked */
        else
            b->entries[kept++] = b->entries[i];
    }
    b->count = kept;
}

static ptl_status close_bin(loader *l, bin_reader *b)
{
    if (b->count == 0)
        return PTL_OK;
    merge_entries(b);
    uint16_t *specials = arena_calloc(l->arena, b->count, sizeof *specials);
    uint32_t *upto = arena_calloc(l->arena, b->count, sizeof *upto);
    if (!specials || !upto)
        return error_nomem(l->err);
    uint32_t sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        specials[i] = b->entries[i].special;
        upto[i] = sum += b->entries[i].weight;
    }
    *bin_of(&l->regions[b->region], b->bin) = (cat_bin){specials, upto, b->count};
    b->count = 0;
    b->sum = 0;
    return PTL_OK;
}

/* The special that an entry means; CAT_NONE for one that no bin can place. */
static ptl_status resolve(loader *l, const content_value *s, uint16_t *out)
{
    const char *id = value_text(s, 2), *kind = value_text(s, 4);
    if (strcmp(kind, "terrain") == 0) {
        *out = loader_find_fake(l, id);
        return *out == CAT_NONE ? loader_corrupt(l, "no such terrain in a bin", id) : PTL_OK;
    }
    if (strcmp(kind, "special") != 0)
        return loader_corrupt(l, "wrong kind of entry in a bin", id);
    ptl_status status = loader_find_special(l, out, id);
    if (status == PTL_OK && *out != CAT_NONE && l->specials[*out].tile_count == 0)
        *out = CAT_NONE;
    return status;
}

bool loader_uses_bin(const char *bin)
{
    bool uses = false;
    for (size_t i = 0; i < BUILDING_BINS && !uses; i++)
        uses = strcmp(bin_names[i], bin) == 0;
    return uses;
}

/* The bin of a row; false if the region or the bin does not exist. */
static bool find_bin(const loader *l, const content_value *s, size_t *which, size_t *bin)
{
    const cat_region *r = catalogue_region(l->cat, value_text(s, 0));
    if (!r)
        return false;
    *which = (size_t)(r - l->cat->regions);
    for (*bin = 0; *bin < BUILDING_BINS; ++*bin)
        if (strcmp(bin_names[*bin], value_text(s, 1)) == 0)
            return true;
    return false;
}

static ptl_status read_entry(loader *l, const content_value *s, void *payload)
{
    bin_reader *b = payload;
    size_t which, bin;
    uint16_t special = CAT_NONE;
    if (!loader_uses_bin(value_text(s, 1)))
        return PTL_OK;
    if (!find_bin(l, s, &which, &bin))
        return loader_corrupt(l, "bin of unknown region", value_text(s, 0));
    int64_t weight = value_int(s, 3);
    if (weight < 0 || weight > INT32_MAX)
        return loader_corrupt(l, "wrong weight in a bin:", value_text(s, 2));
    if (weight == 0)
        return PTL_OK;
    ptl_status status = resolve(l, s, &special);
    if (status != PTL_OK || special == CAT_NONE)
        return status;
    if (which != b->region || bin != b->bin)
        status = close_bin(l, b);
    if (status != PTL_OK)
        return status;
    b->region = which;
    b->bin = bin;
    b->sum += weight;
    if (b->sum > INT32_MAX)
        return loader_corrupt(l, "the weights are too large in bin", value_text(s, 1));
    if (b->count == b->room)
        return loader_corrupt(l, "more entries than counted in bin", value_text(s, 1));
    b->entries[b->count++] = (bin_entry){special, (uint32_t)weight};
    return PTL_OK;
}

static ptl_status load_bins(loader *l)
{
    bin_reader b = {0};
    ptl_status status = loader_count(l, CONTENT_REGION_BUILDINGS, &b.room);
    if (status != PTL_OK)
        return status;
    b.entries = arena_calloc(l->arena, b.room + 1, sizeof *b.entries);
    if (!b.entries)
        return error_nomem(l->err);
    status = loader_rows(l,
                         &(content_query){CONTENT_REGION_BUILDINGS,
                                          "region, bin, id, weight, kind", "region, bin, id"},
                         read_entry, &b);
    return status == PTL_OK ? close_bin(l, &b) : status;
}

ptl_status load_regions(loader *l)
{
    size_t room = 0;
    ptl_status status = loader_count(l, CONTENT_REGIONS, &room);
    if (status != PTL_OK)
        return status;
    l->regions = arena_calloc(l->arena, room + 1, sizeof *l->regions);
    if (!l->regions)
        return error_nomem(l->err);
    l->cat->regions = l->regions;
    /* The numbers come in the order of region_number. */
    status = loader_rows(
        l,
        &(content_query){
            CONTENT_REGIONS,
            "id, default_oter, river_scale, noise_threshold_lake, lake_size_min, lake_depth, "
            "num_ravines, ravine_range, ravine_width, ravine_depth, noise_threshold_forest, "
            "noise_threshold_forest_thick, noise_threshold_swamp_adjacent_water, "
            "noise_threshold_swamp_isolated, river_floodplain_buffer_distance_min, "
            "river_floodplain_buffer_distance_max, trail_chance, trail_border_point_chance, "
            "trail_minimum_forest_size, trail_random_point_min, trail_random_point_max, "
            "trail_random_point_size_scalar, trailhead_chance, trailhead_road_distance, "
            "shop_radius, shop_sigma, park_radius, park_sigma, city_size, city_spacing",
            "id"},
        read_region, &room);
    if (status == PTL_OK)
        status = load_levels(l);
    return status == PTL_OK ? load_bins(l) : status;
}
