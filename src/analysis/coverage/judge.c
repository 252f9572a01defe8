/*
 * The verdicts. What came is counted; what can't come (reach.c) gets its reason. For all other
 * definitions the probability is computed that no overmap has them, by what the content states:
 * chances of unique specials, weights in lists of buildings. A definition counts as rare if
 * this probability explains that it was not seen, and if it came in forced overmaps.
 */
#include "analysis/coverage/coverage_impl.h"
#include "core/wilson.h"
#include "gen/specials/rules.h"

#include <math.h>

/* How likely it is that no overmap has a thing, and how many of it all overmaps should have. */
typedef struct odds {
    double absent;   /* natural logarithm of the probability that no overmap has the thing */
    double expected; /* how many of the thing are expected in all overmaps together */
    /* The definition does not say how often the thing comes; the other members have no meaning
     * then. */
    bool unknown;
} odds;

static void add_odds(odds *sum, odds more)
{
    sum->absent += more.absent;
    sum->expected += more.expected;
    sum->unknown = sum->unknown || more.unknown;
}

/* ---- what the definition of a special lets expect in a region ---- */

/* Returns how many of the surveyed overmaps have the water (lake, ocean, river) without which
 * the special can't be placed. All have it if the special needs none. */
static double eligible(const survey *s, uint32_t flags)
{
    double most = (double)s->overmaps;
    if (flags & PTL_SPECIAL_LAKE)
        most = fmin(most, (double)s->lake);
    if (flags & PTL_SPECIAL_OCEAN)
        most = fmin(most, (double)s->ocean);
    if (flags & PTL_SPECIAL_RIVER)
        most = fmin(most, (double)s->river);
    return most;
}

/* Returns the chance that an overmap near the world's origin is the home chunk of a
 * GLOBALLY_UNIQUE special: the only chunk that may have it. */
static double home_chance(const gen_config *config)
{
    const double side = 2.0 * config->options.unique_radius + 1;
    return 1 / (side * side);
}

static odds trials(double count, double chance)
{
    if (chance >= 1)
        return (odds){count > 0 ? -INFINITY : 0, count, false};
    return (odds){count * log1p(-chance), count * chance, false};
}

static odds rule_odds(const covered_region *region, uint16_t special)
{
    const gen_config *config = region->config;
    const cat_special *s = &config->cat->specials[special];
    const survey *plain = &region->plain;
    const double all = (double)plain->overmaps, some = eligible(plain, s->flags);
    const double chance = special_chance(s, config->region, &config->options);
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        return trials(all > 0 ? (double)plain->at_home * some / all : 0,
                      chance * home_chance(config));
    if (s->flags & PTL_SPECIAL_UNIQUE)
        return trials(some, chance);
    /* How many of the special are placed depends on the room that other specials leave. But if
     * occurrences_min is above 0, every overmap that has what the special needs is taken to
     * have at least one. */
    const double mean = (s->occurrences_min + (double)s->occurrences_max) / 2;
    return (odds){s->occurrences_min > 0 && some > 0 ? -INFINITY : 0,
                  some * mean * config->options.specials_density, s->occurrences_min <= 0};
}

/* A special may be chosen from a weighted list of the region. Adds to *sum how likely it is
 * that it comes in this way. That follows from its weight, and from how many specials of the
 * list were placed. */
static void add_bin(odds *sum, const survey *plain, const cat_bin *bin, uint16_t special)
{
    uint64_t taken = 0;
    double weight = 0;
    for (size_t i = 0; i < bin->count; i++) {
        taken += plain->specials[bin->specials[i]].count;
        if (bin->specials[i] == special)
            weight = bin->upto[i] - (i > 0 ? bin->upto[i - 1] : 0);
    }
    if (weight > 0)
        add_odds(sum, trials((double)taken, weight / bin->upto[bin->count - 1]));
}

static odds city_odds(const covered_region *region, uint16_t special)
{
    const gen_config *config = region->config;
    const cat_city_settings *c = &config->region->city;
    const cat_bin *bins[] = {&c->houses,  &c->shops,        &c->parks,
                             &c->finales, &c->urban_houses, &c->urban_shops};
    odds sum = {0};
    if (config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE)
        return trials((double)region->plain.at_home, home_chance(config));
    for (size_t i = 0; i < sizeof bins / sizeof *bins; i++)
        add_bin(&sum, &region->plain, bins[i], special);
    return sum;
}

static odds special_odds(const covered_region *region, uint16_t special, int depth);

/* A special comes, too, whenever a special comes in which it is nested. Adds to *sum how likely
 * that is, for all such specials. */
static void add_nested(odds *sum, const covered_region *region, uint16_t special, int depth)
{
    enum { DEPTH_MAX = 8 };
    const catalogue *cat = region->config->cat;
    for (size_t i = 0; i < cat->special_count && depth < DEPTH_MAX; i++)
        for (size_t k = 0; k < cat->specials[i].nested_count; k++)
            if (cat->specials[i].nested[k].special == special && region->reach.ways[i])
                add_odds(sum, special_odds(region, (uint16_t)i, depth + 1));
}

static odds special_odds(const covered_region *region, uint16_t special, int depth)
{
    const uint8_t ways = region->reach.ways[special];
    odds sum = {0};
    if (ways & REACH_RULE)
        add_odds(&sum, rule_odds(region, special));
    if (ways & REACH_CITY)
        add_odds(&sum, city_odds(region, special));
    if (ways & REACH_OTHER) {
        add_bin(&sum, &region->plain, &region->config->region->trails.trailheads, special);
        add_nested(&sum, region, special, depth);
    }
    sum.unknown = sum.unknown || (sum.absent == 0 && sum.expected == 0);
    return sum;
}

bool judge_is_hopeful(const covered_region *region, uint16_t special, uint64_t more)
{
    static const double LEAST = 0.05;
    const double made = (double)region->plain.overmaps;
    const odds o = special_odds(region, special, 0);
    return o.unknown || made <= 0 || 1 - exp(o.absent * (double)more / made) > LEAST;
}

/* ---- specials ---- */

/* Sets the interval in which the share of overmaps that have the thing lies with 95 %
 * confidence. If no overmap has it, the interval begins at 0. */
static void set_interval(ptl_coverage_entry *e)
{
    static const double Z = 1.959963984540054;
    const double n = (double)e->overmaps, k = (double)e->with;
    e->low = 0;
    e->high = 1;
    if (e->overmaps > 0 && e->with == 0)
        e->high = 1 - pow(0.05, 1 / n);
    if (e->overmaps == 0 || e->with == 0)
        return;
    e->low = wilson_end(k, n, Z, -1);
    e->high = wilson_end(k, n, Z, 1);
}

static void set_odds(ptl_coverage_entry *e, odds sum)
{
    e->expected = sum.unknown && sum.expected <= 0 ? -1 : sum.expected;
    e->unseen = sum.unknown ? -1 : exp(sum.absent);
}

/* Counts the region among those that may have the terrain or special of the entry. */
static void note_region(ptl_coverage_entry *e, const covered_region *region, size_t *regions)
{
    e->overmaps += region->plain.overmaps;
    e->region = (*regions)++ == 0 ? region->config->region->id : "";
}

/* Returns in how many overmaps a part of highways may stand: those that have all of its
 * terrains. Parts of highways are not recorded as placed specials. */
static uint64_t highway_with(const covered_region *region, uint16_t special)
{
    const catalogue *cat = region->config->cat;
    const cat_special *s = &cat->specials[special];
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < s->omt_count; i++) {
        const uint16_t terrain = cat->oters[s->omts[i].oters[0]].terrain;
        const uint64_t with = region->plain.terrains[terrain].with;
        least = with < least ? with : least;
    }
    for (size_t i = 0; s->layout && i < s->layout->piece_count; i++) {
        const uint16_t terrain = cat->oters[s->layout->pieces[i].oters[0]].terrain;
        const uint64_t with = region->plain.terrains[terrain].with;
        least = with < least ? with : least;
    }
    return least == UINT64_MAX ? 0 : least;
}

/* Adds to the entry how often the special came in one region. */
static void add_counts(ptl_coverage_entry *e, const covered_region *region, uint16_t special)
{
    const special_counts *c = &region->plain.specials[special];
    const special_counts *f = &region->forced.specials[special];
    const bool part = c->count == 0 && region->reach.ways[special] & REACH_HIGHWAY;
    const uint64_t with = part ? highway_with(region, special) : c->with;
    e->with += with;
    e->count += part ? with : c->count;
    e->stood += f->with;
    e->tried += c->tried + f->tried;
    e->ground += c->ground + f->ground;
    e->linked += c->linked + f->linked;
    e->city += c->city + f->city;
    e->room += c->room + f->room;
}

/* Sets the verdict, and the reason for it, of a special or terrain that may come. */
static void judge_possible(ptl_coverage_entry *e)
{
    e->verdict = e->with > 0                                      ? PTL_COVERAGE_COMES
                 : e->stood > 0 && e->unseen > PTL_COVERAGE_DOUBT ? PTL_COVERAGE_RARE
                                                                  : PTL_COVERAGE_NOT_SEEN;
    if (e->verdict != PTL_COVERAGE_COMES)
        e->reason = e->stood > 0                   ? PTL_COVERAGE_NOT_DRAWN
                    : e->tried > 0 && e->city == 0 ? PTL_COVERAGE_FITS_NOWHERE
                                                   : PTL_COVERAGE_NOT_FOUND;
}

/* Sets the verdict, and the reason for it, of a special or terrain that never comes. */
static void judge_never(ptl_coverage_entry *e, const ptl_coverage *c,
                        ptl_coverage_reason reason)
{
    e->verdict = PTL_COVERAGE_NEVER;
    e->reason = reason;
    e->overmaps = 0;
    for (size_t i = 0; i < c->region_count; i++)
        e->overmaps += c->regions[i].plain.overmaps;
}

/* Returns why no region can have the special. If regions give different reasons, it is the
 * reason of the region in which the special passes the most tests. Sets *lacks to the terrain
 * that the special asks for and that never comes; CAT_NONE: there is none. */
static ptl_coverage_reason special_reason(const ptl_coverage *c, uint16_t special,
                                          uint16_t *lacks)
{
    ptl_coverage_reason reason = PTL_COVERAGE_NO_REASON;
    *lacks = CAT_NONE;
    for (size_t i = 0; i < c->region_count; i++) {
        const covered_region *region = &c->regions[i];
        if (region->config && region->reach.specials[special] > reason) {
            reason = region->reach.specials[special];
            *lacks = region->reach.lacks[special];
        }
    }
    return reason == PTL_COVERAGE_NO_BIN && c->weightless_special[special] ? PTL_COVERAGE_ZERO
                                                                           : reason;
}

/* Returns whether the region may have the special. If it was seen there, the answer is yes,
 * even if the proof that it can't come should be wrong. */
static bool has_special(const covered_region *region, uint16_t special)
{
    return region->config &&
           (region->reach.ways[special] || region->plain.specials[special].with > 0);
}

static bool has_terrain(const covered_region *region, uint16_t terrain)
{
    return region->config &&
           (reach_has(region->reach.any, terrain) || region->plain.terrains[terrain].with > 0);
}

static bool may_have(const ptl_coverage *c, uint16_t special)
{
    bool found = false;
    for (size_t i = 0; i < c->region_count && !found; i++)
        found = has_special(&c->regions[i], special);
    return found;
}

static ptl_status judge_special(ptl_coverage *c, uint16_t special, ptl_error *err)
{
    const cat_special *s = &c->cat->specials[special];
    ptl_coverage_entry *e =
        coverage_add(c, coverage_kind_of(s), s->id, &c->special_places[special]);
    odds sum = {0};
    size_t regions = 0;
    uint16_t lacks;
    if (!e)
        return error_nomem(err);
    if (!may_have(c, special)) {
        judge_never(e, c, special_reason(c, special, &lacks));
        if (lacks != CAT_NONE)
            e->by = c->cat->terrains[lacks].id;
    }
    for (size_t i = 0; i < c->region_count; i++) {
        const covered_region *region = &c->regions[i];
        if (!has_special(region, special))
            continue;
        note_region(e, region, &regions);
        add_counts(e, region, special);
        add_odds(&sum, special_odds(region, special, 0));
    }
    e->forced = c->forced[special];
    if (regions > 0) {
        set_odds(e, sum);
        judge_possible(e);
    }
    set_interval(e);
    return PTL_OK;
}

/* ---- terrains ---- */

/* Computes how likely it is that no overmap of the region has a terrain that was not seen. It
 * is computed from the specials that have the terrain. In forced overmaps such specials may
 * have come; `share` is the part of them that had the terrain. */
static odds terrain_odds(const covered_region *region, uint16_t terrain, double share,
                         uint16_t *by)
{
    const catalogue *cat = region->config->cat;
    odds sum = {0};
    bool any = false;
    for (size_t i = 0; i < cat->special_count; i++) {
        if (!region->reach.ways[i] || !reach_special_has(&region->reach, i, terrain))
            continue;
        const uint64_t seen = region->plain.specials[i].count;
        odds o = special_odds(region, (uint16_t)i, 0);
        if (seen > 0)
            o = share < 1 ? trials((double)seen, share) : (odds){.unknown = true};
        else
            o = (odds){o.absent * share, o.expected * share, o.unknown || share <= 0};
        add_odds(&sum, o);
        *by = *by == CAT_NONE ? (uint16_t)i : *by;
        any = true;
    }
    sum.unknown = sum.unknown || !any;
    return sum;
}

/* Returns how often the terrain was there when forced overmaps had a special that may place it:
 * a share from 0 to 1. */
static double forced_share(const ptl_coverage *c, uint16_t terrain)
{
    uint64_t with = 0, specials = 0;
    for (size_t i = 0; i < c->region_count; i++) {
        const covered_region *region = &c->regions[i];
        if (!region->config)
            continue;
        with += region->forced.terrains[terrain].with;
        for (size_t s = 0; s < c->cat->special_count; s++)
            if (c->forced[s] > 0 && reach_special_has(&region->reach, s, terrain))
                specials += region->forced.specials[s].with;
    }
    return specials > 0 ? fmin(1, (double)with / (double)specials) : 0;
}

/* Names the special that would place a terrain that was not seen, and the reason why this
 * special did not come. */
static void name_placer(ptl_coverage_entry *e, const ptl_coverage *c, uint16_t by)
{
    if (by == CAT_NONE || e->verdict == PTL_COVERAGE_COMES)
        return;
    e->by = c->cat->specials[by].id;
    for (size_t i = 0; i < c->entry_count; i++) {
        const ptl_coverage_entry *s = &c->entries[i];
        if ((s->kind == PTL_COVERAGE_SPECIAL || s->kind == PTL_COVERAGE_BUILDING) &&
            strcmp(s->id, e->by) == 0)
            e->because = s->reason;
    }
}

/* Do the settings of a region name the terrain? Then the games place it by code. */
static bool in_settings(const ptl_coverage *c, const char *id)
{
    const size_t length = strlen(id);
    for (size_t i = 0; i < c->settings_count; i++) {
        const char *text = c->settings_texts[i];
        for (const char *at = text; (at = strstr(at, id)); at += length)
            if (at > text && at[-1] == '"' && at[length] == '"')
                return true;
    }
    return false;
}

static void judge_never_terrain(ptl_coverage_entry *e, const ptl_coverage *c, uint16_t terrain)
{
    ptl_coverage_reason reason = PTL_COVERAGE_NO_REASON;
    uint16_t by = CAT_NONE, lacks;
    for (size_t i = 0; i < c->region_count; i++) {
        uint16_t own_by;
        if (!c->regions[i].config)
            continue;
        const ptl_coverage_reason own =
            reach_terrain_reason(&c->regions[i].reach, terrain, &own_by);
        if (own <= reason)
            continue;
        reason = own;
        by = own_by;
    }
    if (reason == PTL_COVERAGE_UNNAMED && c->weightless_terrain[terrain])
        reason = PTL_COVERAGE_ZERO;
    else if (reason == PTL_COVERAGE_UNNAMED && in_settings(c, e->id))
        reason = PTL_COVERAGE_CODE;
    judge_never(e, c, reason);
    if (by == CAT_NONE)
        return;
    e->by = c->cat->specials[by].id;
    if (reason == PTL_COVERAGE_PLACER)
        e->because = special_reason(c, by, &lacks);
}

static ptl_status judge_terrain(ptl_coverage *c, uint16_t terrain, ptl_error *err)
{
    ptl_coverage_entry *e = coverage_add(c, PTL_COVERAGE_TERRAIN, c->cat->terrains[terrain].id,
                                         &c->terrain_places[terrain]);
    const bool seen = coverage_saw_terrain(c, terrain);
    const double share = seen ? 0 : forced_share(c, terrain);
    odds sum = {0};
    size_t regions = 0;
    uint16_t by = CAT_NONE;
    if (!e)
        return error_nomem(err);
    for (size_t i = 0; i < c->cat->terrains[terrain].flag_count; i++)
        e->unwanted = e->unwanted ||
                      strcmp(c->cat->terrains[terrain].flag_names[i], "SHOULD_NOT_SPAWN") == 0;
    for (size_t i = 0; i < c->region_count; i++) {
        const covered_region *region = &c->regions[i];
        if (!has_terrain(region, terrain))
            continue;
        note_region(e, region, &regions);
        e->with += region->plain.terrains[terrain].with;
        e->count += region->plain.terrains[terrain].cells;
        e->forced += region->forced.overmaps;
        e->stood += region->forced.terrains[terrain].with;
        if (!seen)
            add_odds(&sum, terrain_odds(region, terrain, share, &by));
    }
    if (regions == 0)
        judge_never_terrain(e, c, terrain);
    else {
        sum.unknown = sum.unknown || seen;
        set_odds(e, sum);
        judge_possible(e);
        name_placer(e, c, by);
    }
    set_interval(e);
    return PTL_OK;
}

ptl_status judge_all(ptl_coverage *c, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < c->cat->special_count && status == PTL_OK; i++)
        if (!coverage_is_terrain(&c->cat->specials[i]))
            status = judge_special(c, (uint16_t)i, err);
    c->first_terrain = c->entry_count;
    for (size_t i = 0; i < c->cat->terrain_count && status == PTL_OK; i++)
        status = judge_terrain(c, (uint16_t)i, err);
    return status;
}
