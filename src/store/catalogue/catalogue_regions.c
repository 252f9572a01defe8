/* Loads regions: the numbers that drive generation; the bins, from which cities and trails take
 * their buildings; what highways are made of; and which specials a region excludes. Numbers
 * have the same ranges as at import. */
#include "core/error.h"
#include "model/region_fields.h"
#include "store/catalogue/catalogue_load.h"
#include "json/json_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers of regions ---- */

static ptl_status read_region(loader *l, const void *values)
{
    const region_settings_row *s = values;
    cat_region *r = &l->regions[l->cat->region_count++];
    TRY(loader_id(l, &r->id, s->id, l->row > 0 ? r[-1].id : NULL));
    r->default_oter = loader_keep(l, s->default_oter);
    r->default_ter = catalogue_oter_or_first(l->cat, r->default_oter);
    if (r->default_ter == CAT_NONE)
        return loader_corrupt(l, "no such default terrain of a region", r->default_oter);
    /* Reads the region's numbers. The numbers for cities and trails were checked by the import;
     * the ranges of all others are checked here. */
    const content_field *fields = &content_forms[CONTENT_REGIONS].fields[REGION_FIRST_FIELD];
    for (int n = 0; n < REGION_NUMBER_COLUMNS; n++) {
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

/* ---- default terrains of levels ---- */

static cat_region *loader_region(const loader *l, const char *id)
{
    const cat_region *r = catalogue_region(l->cat, id);
    return r ? &l->regions[r - l->cat->regions] : NULL;
}

static ptl_status read_level(loader *l, const void *values)
{
    const region_level_row *s = values;
    cat_region *r = loader_region(l, s->region);
    const int64_t z = s->z;
    if (!r || z < PTL_Z_MIN || z > PTL_Z_MAX)
        return loader_corrupt(l, "level of unknown region, or unknown level:", s->region);
    for (int i = 0; i < PTL_LEVELS && !r->levelled; i++)
        r->levels[i] = CAT_NONE;
    r->levelled = true;
    r->levels[z - PTL_Z_MIN] = catalogue_oter_or_first(l->cat, s->default_oter);
    return PTL_OK;
}

/* ---- bins: weighted lists of buildings ---- */

typedef struct bin_reader {
    /* The region of the bin (weighted list of buildings) that is being read; NULL: none. */
    cat_region *region;
    int bin;
    /* The bin's buildings and weights, in the arena; there is room for all rows. */
    bin_entry *entries;
    size_t count;
    /* Sum of the weights of the buildings read so far. It must stay below 2^31, so that it fits
     * into 32 bits. */
    int64_t sum;
} bin_reader;

static int compare_entries(const void *a, const void *b)
{
    const bin_entry *x = a, *y = b;
    return x->special - y->special;
}

/* Makes a bin, a region's weighted list of buildings, from the given specials and weights. If a
 * special comes twice, its weights are added up; this occurs because a terrain and a special
 * may have the same name, and a bin may name both. */
static ptl_status loader_bin(loader *l, cat_bin *out, bin_entry *entries, size_t count)
{
    uint16_t *specials;
    uint32_t *upto, sum = 0;
    size_t kept = 0;
    TRY(LOADER_ROOM(l, specials, count));
    TRY(LOADER_ROOM(l, upto, count));
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare_entries);
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || specials[kept - 1] != entries[i].special)
            specials[kept++] = entries[i].special;
        upto[kept - 1] = sum += entries[i].weight;
    }
    *out = (cat_bin){specials, upto, kept};
    return PTL_OK;
}

static ptl_status close_bin(loader *l, bin_reader *b)
{
    if (b->count > 0) {
        void *bin = (char *)b->region + region_bins[b->bin].at;
        TRY(loader_bin(l, bin, b->entries, b->count));
    }
    b->count = 0;
    b->sum = 0;
    return PTL_OK;
}

int loader_region_bin(const char *name)
{
    int bin = 0;
    while (bin < REGION_BINS && strcmp(region_bins[bin].key, name) != 0)
        bin++;
    return bin;
}

static ptl_status read_entry(loader *l, const void *values)
{
    const region_building_row *s = values;
    bin_reader *b = l->payload;
    uint16_t special = CAT_NONE;
    const int bin = loader_region_bin(s->bin);
    cat_region *region = loader_region(l, s->region);
    if (bin == REGION_BINS)
        return PTL_OK;
    if (!region)
        return loader_corrupt(l, "bin of unknown region", s->region);
    int64_t weight = s->weight;
    if (weight < 0 || weight > INT32_MAX)
        return loader_corrupt(l, "wrong weight in a bin:", s->id);
    if (weight == 0)
        return PTL_OK;
    if (strcmp(s->kind, "terrain") == 0) {
        const uint16_t fake = loader_find_fake(l, s->id);
        special = fake == CAT_NONE ? CAT_NONE : l->fakes[fake].special;
        if (special == CAT_NONE)
            return loader_corrupt(l, "no such terrain in a bin", s->id);
    } else if (strcmp(s->kind, "special") == 0) {
        TRY(loader_find_special(l, &special, s->id));
        if (l->specials[special].omt_count == 0)
            return PTL_OK; /* a special without OMTs of its own, such as a mutable one, can't be
                              placed from a bin */
    } else {
        return loader_corrupt(l, "wrong kind of entry in a bin", s->id);
    }
    if (region != b->region || bin != b->bin)
        TRY(close_bin(l, b));
    b->region = region;
    b->bin = bin;
    b->sum += weight;
    if (b->sum > INT32_MAX)
        return loader_corrupt(l, "the weights are too large in bin", s->bin);
    b->entries[b->count++] = (bin_entry){special, (uint32_t)weight};
    return PTL_OK;
}

ptl_status load_regions(loader *l)
{
    bin_reader b = {0};
    TRY(LOADER_ROOM_OF(l, l->regions, CONTENT_REGIONS));
    l->cat->regions = l->regions;
    TRY(loader_rows(l, CONTENT_REGIONS, NULL, read_region, NULL));
    TRY(loader_rows(l, CONTENT_REGION_LEVELS, NULL, read_level, NULL));
    /* If a region gives default terrains by level, it must give one for each level, and that of
     * level 0 must be the region's default terrain. */
    for (size_t i = 0; i < l->cat->region_count; i++) {
        const cat_region *r = &l->regions[i];
        bool good = !r->levelled || r->levels[-PTL_Z_MIN] == r->default_ter;
        for (int k = 0; r->levelled && k < PTL_LEVELS; k++)
            good = good && r->levels[k] != CAT_NONE;
        if (!good)
            return loader_corrupt(l, "wrong default terrains of the levels of region", r->id);
    }
    TRY(LOADER_ROOM_OF(l, b.entries, CONTENT_REGION_BUILDINGS));
    TRY(loader_rows(l, CONTENT_REGION_BUILDINGS, NULL, read_entry, &b));
    return close_bin(l, &b);
}

/*
 * Highways of a region. Their numbers are loaded with the region's other numbers
 * (catalogue_games.c). The specials and terrains that highways are made of are read here from
 * the region's JSON (region_block), which the import stores unchanged, because only generation
 * uses them.
 */

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
    /* In JSON a bin (a weighted list of buildings) has one of three forms: {"id": weight},
     * [["id", weight]] or ["id"]. */
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
    const json_t *chance = json_object_get(block, "straightness_chance");
    const double straightness = json_is_number(chance) ? json_number_value(chance) : 0.6;
    h->straightness = straightness >= 0 && straightness <= 1 ? straightness : 0.6;
    for (size_t i = 0; i < HIGHWAY_PARTS; i++) {
        const highway_part *part = &highway_parts[i];
        if (part->at == SIZE_MAX)
            continue;
        void *at = (char *)h + part->at;
        const char *id = json_string_value(json_object_get(block, part->key));
        if (part->kind == HIGHWAY_SPECIALS)
            TRY(read_bin(l, at, block, part->key));
        else /* the index of the special or terrain; CAT_NONE if the content lacks it */
            *(uint16_t *)at = !id                             ? CAT_NONE
                              : part->kind == HIGHWAY_TERRAIN ? catalogue_terrain(l->cat, id)
                                                              : catalogue_special(l->cat, id);
    }
    return PTL_OK;
}

static ptl_status read_highway_block(loader *l, cat_region *r, const char *json)
{
    cat_highway *h;
    json_t *block;
    TRY(LOADER_ROOM(l, h, 0));
    TRY(loader_json(l, &block, json, "no JSON in a block of region", r->id));
    const ptl_status status =
        json_is_object(block) ? read_highway(l, h, block)
                              : loader_corrupt(l, "no JSON object in a block of region", r->id);
    r->highway = h;
    json_decref(block);
    return status;
}

/* ---- JSON texts for local maps, which mapgen/ground/settings.h parses ---- */

static const char *const wanted[] = {"default_groundcover", "field_coverage",
                                     "forest_mapgen_settings", "forest_trail_settings",
                                     "region_terrain_and_furniture"};

enum { WANTED = sizeof wanted / sizeof wanted[0] };

/* Keeps a JSON object of a region's settings if local maps or highways need it. Rows are sorted
 * by region, so that the objects of one region are neighbours. */
static ptl_status read_block(loader *l, const void *values)
{
    const region_block_row *s = values;
    /* The JSON objects that were kept for the previous row's region. */
    cat_block **blocks = l->payload;
    const bool highways = strcmp(s->block, highway_block) == 0;
    if (!highways && loader_name(wanted, WANTED, s->block) == WANTED)
        return PTL_OK;
    cat_region *r = loader_region(l, s->region);
    if (!r)
        return loader_corrupt(l, "block of unknown region", s->region);
    if (highways)
        return read_highway_block(l, r, s->json);
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

/* The specials that a region excludes by its feature flags: those that have a flag of the
 * region's blacklist and, if the region has a whitelist, those that have no flag of the
 * whitelist (schema/generation.md 8.2). */

typedef struct listed_flag {
    const char *flag;
    size_t region;
    bool white;
} listed_flag;

typedef struct flag_tables {
    listed_flag *flags; /* sorted by flag */
    size_t count;
    size_t words;    /* number of 64-bit words in a set of specials, which has one bit for each
                        special */
    uint64_t *black; /* for each region, the set of specials with a flag of its blacklist */
    uint64_t *white; /* for each region, the set of specials with a flag of its whitelist */
    bool *has_white; /* for each region: whether it has a whitelist */
    bool *has_any;
} flag_tables;

static ptl_status read_rule(loader *l, const void *values)
{
    const region_feature_flag_row *s = values;
    flag_tables *t = l->payload;
    const cat_region *region = catalogue_region(l->cat, s->region);
    if (!region)
        return loader_corrupt(l, "feature flag of unknown region", s->region);
    listed_flag *f = &t->flags[t->count++];
    f->white = strcmp(s->list, "whitelist") == 0;
    if (!f->white && strcmp(s->list, "blacklist") != 0)
        return loader_corrupt(l, "unknown list of feature flags", s->list);
    f->region = (size_t)(region - l->cat->regions);
    t->has_any[f->region] = true;
    t->has_white[f->region] = t->has_white[f->region] || f->white;
    f->flag = loader_keep(l, s->flag);
    return PTL_OK;
}

/* Returns the index in t->flags of the first flag that does not sort before `flag`. */
static size_t first_rule(const flag_tables *t, const char *flag)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(t->flags[middle].flag, flag) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static ptl_status read_flag(loader *l, const void *values)
{
    const special_flag_row *s = values;
    flag_tables *t = l->payload;
    const char *flag = s->flag;
    TRY(loader_owner(l, s->special));
    for (size_t i = first_rule(t, flag); i < t->count; i++) {
        if (strcmp(t->flags[i].flag, flag) != 0)
            break;
        uint64_t *sets = t->flags[i].white ? t->white : t->black;
        sets[t->flags[i].region * t->words + l->owner / 64] |= UINT64_C(1) << (l->owner % 64);
    }
    return PTL_OK;
}

ptl_status load_region_flags(loader *l)
{
    flag_tables t = {.words = l->cat->special_count / 64 + 1};
    size_t count, regions = l->cat->region_count;
    TRY(LOADER_ROOM_OF(l, t.flags, CONTENT_REGION_FLAGS));
    TRY(loader_count(l, CONTENT_REGION_FLAGS, &count));
    if (count == 0)
        return PTL_OK;
    TRY(LOADER_ROOM(l, t.black, regions * t.words));
    TRY(LOADER_ROOM(l, t.white, regions * t.words));
    TRY(LOADER_ROOM(l, t.has_white, regions));
    TRY(LOADER_ROOM(l, t.has_any, regions));
    TRY(loader_rows(l, CONTENT_REGION_FLAGS, "flag, region, list", read_rule, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_FLAG, NULL, read_flag, &t));
    /* Combines the blacklist and the whitelist of each region: `black` becomes the set of the
     * specials that the region excludes. */
    size_t specials = l->cat->special_count;
    for (size_t r = 0; r < l->cat->region_count; r++) {
        uint64_t *black = t.black + r * t.words;
        const uint64_t *white = t.white + r * t.words;
        for (size_t i = 0; i < specials && t.has_white[r]; i++)
            if (!(white[i / 64] >> (i % 64) & 1))
                black[i / 64] |= UINT64_C(1) << (i % 64);
        if (t.has_any[r])
            l->regions[r].excluded = black;
    }
    return PTL_OK;
}
