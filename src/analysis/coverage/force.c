/*
 * Makes forced overmaps, from a changed copy of the content: specials that were not seen are
 * asked for in each overmap, and lists of buildings hold only buildings that were not seen. A
 * special must still pass all tests of ground, connections and cities. So it turns out whether
 * it fits nowhere, or only was not chosen by chance.
 */
#include "analysis/coverage/coverage_impl.h"

enum {
    ROUNDS = 2,    /* rounds of forced overmaps; each round asks for what was not seen so far */
    OVERMAPS = 16, /* forced overmaps for each group of specials */
    GROUP = 16,    /* specials that are forced in the same overmaps */
    FIRST_PRIORITY = 1000
};
/* The number of the first forced overmap, for survey_place_of. All other overmaps have lower
 * numbers. */
#define FORCED_FIRST (UINT64_C(1) << 40)

/* The changed content of one region, and the specials that are forced in it. */
typedef struct forcing {
    ptl_coverage *c;
    covered_region *region;
    catalogue cat; /* a copy of the content, which uses `specials` and `regions` in place of the
                      content's own */
    cat_special *specials; /* copies of the content's specials and regions, in `memory`, which
                              are changed so that the specials are forced */
    cat_region *regions;
    arena *memory;
    uint16_t *list; /* the specials that overmaps are forced to ask for; those that are forced
                       together in the same overmaps (a group) follow each other */
    size_t count;
    uint64_t number; /* number of the next forced overmap in this region */
} forcing;

/* ---- which specials ---- */

typedef struct unseen_terrain {
    const ptl_coverage *c;
    bool found;
} unseen_terrain;

static void on_terrain(void *payload, uint16_t terrain)
{
    unseen_terrain *u = payload;
    u->found =
        u->found || (!coverage_saw_terrain(u->c, terrain) && u->c->terrain_matters[terrain]);
}

static bool stood(const ptl_coverage *c, size_t special)
{
    for (size_t i = 0; i < c->region_count; i++)
        if (c->regions[i].config && c->regions[i].forced.specials[special].with > 0)
            return true;
    return false;
}

/* Returns whether forced overmaps of the region must ask for the special. They must if it may
 * come in the region, and if it or one of its terrains was not seen. */
static bool is_due(const ptl_coverage *c, const covered_region *region, size_t special)
{
    unseen_terrain u = {c, false};
    if (!region->reach.ways[special] || stood(c, special))
        return false;
    if (c->special_matters[special] && !coverage_saw_special(c, special))
        return true;
    coverage_terrain_visit(&region->reach, special, on_terrain, &u);
    return u.found;
}

/* ---- changing the content ---- */

static bool in_group(const uint16_t *group, size_t count, uint16_t special)
{
    for (size_t i = 0; i < count; i++)
        if (group[i] == special)
            return true;
    return false;
}

/* Leaves only the forced specials in a list of the region, and gives each of them the weight 1.
 * A list without forced specials isn't changed. Returns false when memory is out. */
static bool choose_bin(forcing *f, cat_bin *bin, const uint16_t *group, size_t count)
{
    uint16_t *specials = arena_calloc(f->memory, bin->count + 1, sizeof *specials);
    uint32_t *upto = arena_calloc(f->memory, bin->count + 1, sizeof *upto);
    size_t kept = 0;
    if (!specials || !upto)
        return false;
    for (size_t i = 0; i < bin->count; i++)
        if (in_group(group, count, bin->specials[i])) {
            specials[kept] = bin->specials[i];
            upto[kept] = (uint32_t)kept + 1;
            kept++;
        }
    if (kept > 0)
        *bin = (cat_bin){specials, upto, kept};
    return true;
}

static bool choose_bins(forcing *f, cat_region *r, const uint16_t *group, size_t count)
{
    cat_city_settings *city = &r->city;
    cat_bin *bins[] = {&city->houses,        &city->shops,        &city->parks,
                       &city->finales,       &city->urban_houses, &city->urban_shops,
                       &r->trails.trailheads};
    const uint16_t *trailheads = r->trails.trailheads.specials;
    bool good = true;
    for (size_t i = 0; i < sizeof bins / sizeof *bins && good; i++)
        good = choose_bin(f, bins[i], group, count);
    if (r->trails.trailheads.specials != trailheads)
        r->trails.trailhead_chance = 1; /* each end of a trail gets a trailhead */
    return good;
}

/* Copies the content's tables, and changes them so that the rule of placement asks for the
 * specials of the group. False when memory is out. */
static bool change(forcing *f, const uint16_t *group, size_t count)
{
    const catalogue *cat = f->c->cat;
    f->cat = *cat;
    f->specials =
        arena_copy(f->memory, cat->specials, cat->special_count * sizeof *f->specials);
    f->regions = arena_copy(f->memory, cat->regions, cat->region_count * sizeof *f->regions);
    if (!f->specials || !f->regions)
        return false;
    f->cat.specials = f->specials;
    f->cat.regions = f->regions;
    for (size_t i = 0; i < count; i++) {
        cat_special *s = &f->specials[group[i]];
        s->flags &= ~(uint32_t)(PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE |
                                PTL_SPECIAL_CITY_UNIQUE);
        if (!(f->region->reach.ways[group[i]] & REACH_RULE))
            continue;
        s->occurrences_min = 1;
        s->occurrences_max = 1;
        s->priority = FIRST_PRIORITY;
    }
    const size_t at = (size_t)(f->region->config->region - cat->regions);
    return choose_bins(f, &f->regions[at], group, count);
}

/* ---- making overmaps ---- */

static survey_place place_at(const void *payload, uint64_t number)
{
    return survey_place_of(payload, FORCED_FIRST + number);
}

static ptl_status force_group(forcing *f, const uint16_t *group, size_t count, ptl_error *err)
{
    ptl_coverage *c = f->c;
    ptl_world_options options = f->region->config->options;
    gen_config *config = NULL;
    f->memory = arena_new();
    ptl_status status = f->memory && change(f, group, count) ? PTL_OK : error_nomem(err);
    THEN(status, gen_config_new(&config, &f->cat, &options, err));
    if (status == PTL_OK) {
        config->stop = f->region->config->stop;
        c->run.total += OVERMAPS;
        status = survey_add(&f->region->forced, &c->run, config, f->number, OVERMAPS, place_at,
                            &f->region->plan, err);
        f->number += OVERMAPS;
    }
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        c->forced[group[i]] += OVERMAPS;
    gen_config_free(config);
    arena_free(f->memory);
    return status;
}

ptl_status force_unseen(ptl_coverage *c, ptl_error *err)
{
    forcing f = {.c = c,
                 .list = arena_calloc(c->memory, c->cat->special_count + 1, sizeof *f.list)};
    ptl_status status = f.list ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < c->region_count && status == PTL_OK; i++) {
        f.region = &c->regions[i];
        f.number = 0;
        for (int round = 0; round < ROUNDS && f.region->asked && status == PTL_OK; round++) {
            f.count = 0;
            for (size_t s = 0; s < c->cat->special_count; s++)
                if (is_due(c, f.region, s))
                    f.list[f.count++] = (uint16_t)s;
            for (size_t at = 0; at < f.count && status == PTL_OK; at += GROUP)
                status = force_group(&f, f.list + at,
                                     f.count - at < GROUP ? f.count - at : GROUP, err);
        }
    }
    return status;
}
