/*
 * Regions: the numbers that drive generation, and the bins that cities and trails are built
 * from. The ranges of the numbers are those of the import.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"
#include "model/region_fields.h"

#include <stdlib.h>
#include <string.h>

enum { BUILDING_BINS = 7 };

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

/* Those of cities and trails are as the import has them. Whether the others can be generated
 * from is checked there. */
static ptl_status read_numbers(loader *l, const region_settings_row *s, cat_region *r)
{
    const content_field *fields = &content_forms[CONTENT_REGIONS].fields[REGION_FIRST_FIELD];
    for (int n = 0; n < REGION_COLUMNS; n++) {
        const region_field *f = &region_fields[n];
        const void *at = (const char *)s + fields[n].at;
        const double value =
            fields[n].kind == FIELD_REAL ? *(const double *)at : (double)*(const int64_t *)at;
        if (n >= REGION_TRAIL_CHANCE && (value < f->lo || value > f->hi))
            return error_set(l->err, PTL_ERR_CORRUPT,
                             "content tables: '%s' of region '%s' is out of range", f->key,
                             r->id);
        region_set(r, (region_number)n, value);
    }
    return PTL_OK;
}

static ptl_status read_region(loader *l, const void *values, void *payload)
{
    const region_settings_row *s = values;
    const size_t *room = payload;
    size_t at = l->cat->region_count;
    if (at == *room)
        return loader_corrupt(l, "more regions than counted:", s->id);
    cat_region *r = &l->regions[l->cat->region_count++];
    ptl_status status = loader_id(l, &r->id, s->id, at > 0 ? l->regions[at - 1].id : NULL);
    if (status != PTL_OK)
        return status;
    r->default_oter = loader_keep(l, s->default_oter);
    if (!r->default_oter)
        return error_nomem(l->err);
    r->default_ter = catalogue_oter_or_first(l->cat, r->default_oter);
    if (r->default_ter == CAT_NONE)
        return loader_corrupt(l, "no such default terrain of a region", r->default_oter);
    return read_numbers(l, s, r);
}

/* ---- levels ---- */

static cat_region *region_of(const loader *l, const char *id)
{
    const cat_region *r = catalogue_region(l->cat, id);
    return r ? &l->regions[r - l->cat->regions] : NULL;
}

static ptl_status read_level(loader *l, const void *values, void *payload)
{
    const region_level_row *s = values;
    (void)payload;
    cat_region *r = region_of(l, s->region);
    const int64_t z = s->z;
    if (!r || z < PTL_Z_MIN || z > PTL_Z_MAX)
        return loader_corrupt(l, "level of unknown region, or unknown level:", s->region);
    for (int i = 0; i < PTL_LEVELS && !r->levelled; i++)
        r->levels[i] = CAT_NONE;
    r->levelled = true;
    r->levels[z - PTL_Z_MIN] = catalogue_oter_or_first(l->cat, s->default_oter);
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
    ptl_status status = loader_rows(l, CONTENT_REGION_LEVELS, NULL, read_level, NULL);
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
static ptl_status resolve(loader *l, const region_building_row *s, uint16_t *out)
{
    const char *id = s->id, *kind = s->kind;
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
static bool find_bin(const loader *l, const region_building_row *s, size_t *which, size_t *bin)
{
    const cat_region *r = catalogue_region(l->cat, s->region);
    if (!r)
        return false;
    *which = (size_t)(r - l->cat->regions);
    for (*bin = 0; *bin < BUILDING_BINS; ++*bin)
        if (strcmp(bin_names[*bin], s->bin) == 0)
            return true;
    return false;
}

static ptl_status read_entry(loader *l, const void *values, void *payload)
{
    const region_building_row *s = values;
    bin_reader *b = payload;
    size_t which, bin;
    uint16_t special = CAT_NONE;
    if (!loader_uses_bin(s->bin))
        return PTL_OK;
    if (!find_bin(l, s, &which, &bin))
        return loader_corrupt(l, "bin of unknown region", s->region);
    int64_t weight = s->weight;
    if (weight < 0 || weight > INT32_MAX)
        return loader_corrupt(l, "wrong weight in a bin:", s->id);
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
        return loader_corrupt(l, "the weights are too large in bin", s->bin);
    if (b->count == b->room)
        return loader_corrupt(l, "more entries than counted in bin", s->bin);
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
    status = loader_rows(l, CONTENT_REGION_BUILDINGS, NULL, read_entry, &b);
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
    status = loader_rows(l, CONTENT_REGIONS, NULL, read_region, &room);
    if (status == PTL_OK)
        status = load_levels(l);
    return status == PTL_OK ? load_bins(l) : status;
}
