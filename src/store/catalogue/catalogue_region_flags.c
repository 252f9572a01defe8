/* The specials that a region's feature flags exclude: those with a flag of its blacklist and,
 * if it has a whitelist, those without any flag of that (schema/generation.md 8.2). */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <string.h>

typedef struct listed_flag {
    const char *flag;
    size_t region;
    bool white;
} listed_flag;

typedef struct flag_tables {
    listed_flag *flags; /* sorted by flag */
    size_t count;
    size_t words;    /* 64-bit words of a set of specials */
    uint64_t *black; /* for each region, the specials with a flag of its blacklist */
    uint64_t *white; /* for each region, the specials with a flag of its whitelist */
    bool *has_white; /* for each region */
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

/* Returns the index of the first rule whose flag is not before `flag`. */
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
    /* Combines both lists; `black` becomes the set of the excluded specials. */
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
