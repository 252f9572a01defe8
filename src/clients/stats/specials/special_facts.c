/*
 * Facts about specials. If a special is UNIQUE, its definition says in which share of the
 * overmaps it occurs ("min in max"). An exact binomial test says whether the sample differs
 * from that share, and its p-value is corrected by Holm's method for the number of specials
 * that are tested. For each other special the rule of placement asks for a number in each
 * overmap. With `quota` that number was drawn at random, with `sectors` only its bounds are
 * known. If overmaps lie side by side, intervals and the test use blocks of overmaps instead
 * of single ones.
 */
#include "clients/stats/inference/inference.h"
#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct facts {
    ptl_facts list; /* what callers get a pointer to; must be the first member */
    ptl_special_facts *block;
} facts;

/* ---- texts of the verdicts ---- */

const char *ptl_rate_verdict_text(ptl_rate_verdict verdict)
{
    static const char *const texts[] = {
        "as stated",      "fewer than stated", "more than stated", "as asked",
        "short",          "below minimum",     "never placed",     "never asked for",
        "by others only", "one a world",       "within bounds"};
    return texts[verdict];
}

const char *ptl_rate_reason_key(ptl_rate_reason reason)
{
    static const char *const keys[] = {"none", "ground", "linked", "city",
                                       "room", "growth", "other",  "asked"};
    return keys[reason];
}

const char *ptl_rate_reason_text(ptl_rate_reason reason)
{
    static const char *const texts[] = {
        "",
        "no ground: nowhere all OMTs on their locations",
        "no connection: its points nowhere as they must be",
        "no city: none as near and as large as it must be",
        "no room: other specials took it",
        "not closed: growths were undone",
        "crowded out: fewer places than asked for",
        "seldom asked for: overmaps lack what it must have, such as a lake"};
    return texts[reason];
}

uint64_t ptl_rate_reason_overmaps(const ptl_tally_failures *f, ptl_rate_reason reason)
{
    const uint64_t counts[] = {0, f->ground, f->linked, f->city, f->room, f->growth, f->other};
    return counts[reason];
}

/* ---- facts of one special ---- */

/* Returns the definition of the special; a zeroed one if the content lacks the special. */
static const ptl_sample_special *definition(const ptl_special_facts *f)
{
    static const ptl_sample_special none;
    return f->definition ? f->definition : &none;
}

static bool unique(const ptl_special_facts *f)
{
    return definition(f)->is_unique || definition(f)->is_globally_unique;
}

/* Returns false if by its definition the special can never be asked for: its occurrences are
 * none, or the minimum is above the maximum. */
static bool may_occur(const ptl_sample_special *d)
{
    return d->occurrences_max > 0 && d->occurrences_min <= d->occurrences_max;
}

/* Sets how many of the special are to be expected in an overmap. `expected` is NAN if only the
 * least and the greatest number are known, or nothing. */
static void expect(ptl_special_facts *f, const ptl_world_options *settings, uint64_t homes)
{
    const double n = (double)f->overmaps;
    f->expected = f->expected_min = f->expected_max = NAN;
    if (!may_occur(definition(f)))
        return;
    if (definition(f)->is_globally_unique) {
        /* A special that a world has only once is placed in one of the chunks around the
         * world's centre; each of these is equally likely. `homes` is how many of the sample's
         * overmaps lie there. Only these overmaps can have the special. */
        const double side = 2.0 * settings->unique_radius + 1;
        const double share = n > 0 ? (double)homes / n : 0;
        f->expected_min = f->expected_max = share * definition(f)->chance / (side * side);
    } else if (definition(f)->is_unique) {
        f->expected_min = f->expected_max = definition(f)->chance;
    } else if (settings->placement == PTL_PLACEMENT_SECTORS) {
        f->expected_min =
            definition(f)->occurrences_min > 0 ? definition(f)->occurrences_min : 0;
        f->expected_max = definition(f)->occurrences_max;
    } else {
        f->expected_min = f->expected_max = n > 0 ? (double)f->asked_sum / n : 0;
    }
    if (f->expected_min == f->expected_max)
        f->expected = f->expected_min;
}

/* Counts of one special in a part of the sample: in all overmaps, or in those of one class
 * (with or without a lake, or by the size of the largest city). */
typedef struct part {
    const ptl_hist *per_overmap;
    uint64_t overmaps;
    /* How alike neighbouring overmaps are: `all` in the number of the special that they have,
     * `any` in whether they have the special at all. */
    dependence all, any;
} part;

static uint64_t without(const part *p)
{
    return p->per_overmap->size > 0 ? p->per_overmap->counts[0] : p->overmaps;
}

/* Describes a special in a set of overmaps. Each element of `lots` is an array with a number
 * for each lot, which is one or more blocks of neighbouring overmaps. In lots[0] it is how
 * often the special stands there, in lots[1] how many overmaps have it, and in lots[2] how many
 * overmaps there are. lots[0] and lots[1] may be NULL: then no overmap has the special. */
static part part_of(const ptl_tally *t, const ptl_hist *h, uint64_t overmaps,
                    const uint64_t *const lots[3])
{
    part p = {.per_overmap = h, .overmaps = overmaps};
    const double n = (double)overmaps, none = (double)without(&p);
    p.all = tally_dependence(t, lots[0], lots[2], ptl_hist_variance(h));
    p.any = tally_dependence(t, lots[1], lots[2], n > 1 ? none * (n - none) / n / (n - 1) : 0);
    return p;
}

/* Returns the interval of the mean number of the special in an overmap. If no overmap has two
 * or more, that mean is the share of overmaps that have the special. This share is treated as a
 * proportion if the special is UNIQUE, and otherwise as the rate of a rare event (Poisson). */
static ptl_interval present_range(const ptl_special_facts *f, const part *p, double confidence)
{
    const uint64_t with = p->overmaps - without(p);
    bool at_most_one = true;
    for (size_t v = 2; v < p->per_overmap->size; v++)
        at_most_one &= p->per_overmap->counts[v] == 0;
    ptl_interval range;
    if (!at_most_one)
        range = mean_interval(hist_moments(p->per_overmap), p->all, confidence);
    else if (unique(f))
        range = share_interval(with, p->overmaps, p->any, confidence);
    else
        range = poisson_interval(with, p->overmaps, p->any, confidence);
    return (ptl_interval){fmax(range.low, 0), range.high};
}

static part whole(const ptl_special_facts *f, const ptl_tally *t)
{
    static const ptl_hist nothing = {0};
    const uint64_t *const lots[] = {f->own ? f->own->lots : NULL,
                                    f->own ? f->own->lots_with : NULL, t->lots};
    return part_of(t, f->own ? &f->own->per_overmap : &nothing, f->overmaps, lots);
}

ptl_class_rate ptl_facts_rate(const ptl_special_facts *f, const ptl_tally *t,
                              ptl_overmap_class which, double level)
{
    const ptl_tally_class *c = &f->own->classes[which];
    const uint64_t *const lots[] = {c->lots, c->lots_with, t->class_lots[which]};
    const part p = part_of(t, &c->per_overmap, ptl_hist_total(&c->per_overmap), lots);
    return (ptl_class_rate){.overmaps = p.overmaps,
                            .with = p.overmaps - without(&p),
                            .mean = ptl_hist_mean(&c->per_overmap),
                            .range = present_range(f, &p, level),
                            .blocks = p.all.blocks};
}

/* Decides whether as many of a special were placed as its definition and the rule of placement
 * let expect. For UNIQUE specials test_unique decides that, when all p-values are known. */
static void judge(ptl_special_facts *f, const ptl_world_options *settings)
{
    const bool sectors = settings->placement == PTL_PLACEMENT_SECTORS;
    const uint64_t shorts = f->own ? f->own->short_overmaps : 0;
    const bool bounds = sectors && !unique(f);
    f->missing = shorts;
    if (bounds) { /* counts the overmaps that have fewer than occurrences_min */
        const int64_t least = definition(f)->occurrences_min;
        f->missing = !f->own && least > 0 ? f->overmaps : 0;
        for (size_t v = 0; f->own && v < f->own->per_overmap.size && (int64_t)v < least; v++)
            f->missing += f->own->per_overmap.counts[v];
    }
    f->verdict = bounds ? PTL_RATE_WITHIN : PTL_RATE_AS_ASKED;
    if (!may_occur(definition(f))) {
        f->verdict = PTL_RATE_BY_OTHERS;
        f->missing = 0;
    } else if (definition(f)->is_globally_unique) {
        f->verdict = PTL_RATE_ONE_A_WORLD;
    } else if (definition(f)->is_unique) {
        f->verdict = PTL_RATE_AS_STATED; /* unless test_unique finds a difference */
    } else if (f->asked_sum == 0) {
        f->verdict = PTL_RATE_NOT_ASKED;
    } else if (f->placed_sum == 0) {
        f->verdict = PTL_RATE_NEVER;
    } else if (f->missing > 0) {
        f->verdict = bounds ? PTL_RATE_BELOW : PTL_RATE_SHORT;
    }
    if (!f->own || (f->missing == 0 && f->verdict != PTL_RATE_NEVER))
        return;
    f->reason = PTL_REASON_NONE;
    for (int i = PTL_REASON_GROUND; i < PTL_REASON_COUNT; i++)
        if (ptl_rate_reason_overmaps(&f->own->failures, (ptl_rate_reason)i) >
            ptl_rate_reason_overmaps(&f->own->failures, f->reason))
            f->reason = (ptl_rate_reason)i;
}

/* Fills in the facts of one special. If a city building has the id of the special, the
 * definition of that building is not used. */
static void fill(ptl_special_facts *f, const ptl_sample *s, const ptl_tally *t,
                 double confidence)
{
    const ptl_world_options *settings = ptl_sample_about(s)->settings;
    const double n = (double)t->overmaps;
    f->own = ptl_tally_find(t, f->id);
    f->size = sizeof *f;
    f->definition = ptl_sample_find(s, f->id);
    if (f->definition && f->definition->is_building)
        f->definition = NULL;
    f->overmaps = t->overmaps;
    f->p = f->p_adjusted = f->ratio = NAN;
    if (f->own) {
        f->placed_sum = f->own->placed;
        f->asked_sum = f->own->asked;
        f->asked = n > 0 ? (double)f->own->asked / n : 0;
        f->placed = n > 0 ? (double)f->own->placed / n : 0;
        f->others = n > 0 ? (double)f->own->others / n : 0;
    }
    expect(f, settings, t->homes);
    const part p = whole(f, t);
    f->present = ptl_hist_mean(p.per_overmap);
    f->variance = ptl_hist_variance(p.per_overmap);
    f->present_range = present_range(f, &p, confidence);
    f->without = f->overmaps ? (double)without(&p) / (double)f->overmaps : 1;
    f->without_range = share_interval(without(&p), f->overmaps, p.any, confidence);
    f->blocks = p.all.blocks;
    f->design_effect = p.all.blocks > 0 ? p.all.effect : NAN;
    if (f->expected > 0 && !definition(f)->is_globally_unique)
        f->ratio = n > 0 ? f->placed / f->expected : NAN;
    judge(f, settings);
}

/* ---- facts of all specials ---- */

static int by_id(const void *a, const void *b)
{
    const ptl_special_facts *p = *(ptl_special_facts *const *)a,
                            *q = *(ptl_special_facts *const *)b;
    return strcmp(p->id, q->id);
}

/* Compares for sorting: larger numbers first, NAN last. */
static int larger_first(double p, double q)
{
    if (isnan(p) || isnan(q))
        return isnan(p) - isnan(q);
    return p > q ? -1 : p < q;
}

static int by_placed(const void *a, const void *b)
{
    const ptl_special_facts *p = *(ptl_special_facts *const *)a,
                            *q = *(ptl_special_facts *const *)b;
    const int order = larger_first(p->placed, q->placed);
    return order ? order : by_id(a, b);
}

static int by_missing(const void *a, const void *b)
{
    const ptl_special_facts *p = *(ptl_special_facts *const *)a,
                            *q = *(ptl_special_facts *const *)b;
    int order = larger_first((double)p->missing, (double)q->missing);
    if (order == 0)
        order = ptl_facts_is_lacking(q) - ptl_facts_is_lacking(p);
    return order ? order : by_id(a, b);
}

static int by_ratio(const void *a, const void *b)
{
    const ptl_special_facts *p = *(ptl_special_facts *const *)a,
                            *q = *(ptl_special_facts *const *)b;
    const int order = larger_first(-p->ratio, -q->ratio);
    return order ? order : by_id(a, b);
}

void ptl_facts_sort(ptl_facts *list, ptl_facts_order order)
{
    static int (*const orders[])(const void *, const void *) = {by_id, by_placed, by_missing,
                                                                by_ratio};
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, orders[order]);
}

bool ptl_facts_is_lacking(const ptl_special_facts *f)
{
    switch (f->verdict) {
    case PTL_RATE_FEWER:
    case PTL_RATE_SHORT:
    case PTL_RATE_BELOW:
    case PTL_RATE_NEVER:
    case PTL_RATE_NOT_ASKED:
        return true;
    case PTL_RATE_AS_STATED:
    case PTL_RATE_ONE_A_WORLD:
        return (f->placed_sum == 0 && f->expected > 0) || f->missing > 0;
    default:
        return false;
    }
}

const ptl_special_facts *ptl_facts_find(const ptl_facts *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i]->id, id) == 0)
            return list->items[i];
    return NULL;
}

void ptl_facts_free(ptl_facts *list)
{
    facts *own = (facts *)list;
    if (!own)
        return;
    free(own->block);
    free(own->list.items);
    free(own);
}

/* Tests whether the rate of each UNIQUE special differs from the probability that its
 * definition states. The p-values are corrected for the number of tests. Returns false when
 * memory is out. */
static bool test_unique(ptl_facts *list, const ptl_tally *t, double confidence)
{
    double *p = calloc(list->count + 1, sizeof *p);
    size_t tested = 0;
    if (!p)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        ptl_special_facts *f = list->items[i];
        if (f->verdict == PTL_RATE_AS_STATED && f->overmaps > 0)
            p[tested++] = f->p =
                share_test(f->placed_sum < f->overmaps ? f->placed_sum : f->overmaps,
                           f->overmaps, f->expected, whole(f, t).any);
    }
    const bool good = adjust_holm(p, p, tested);
    tested = 0;
    for (size_t i = 0; i < list->count && good; i++) {
        ptl_special_facts *f = list->items[i];
        if (isnan(f->p))
            continue;
        f->p_adjusted = p[tested++];
        if (f->p_adjusted >= 1 - confidence)
            continue;
        /* The rate differs significantly from the probability that the definition states. The
         * verdict says how: the special was never asked for, it was never placed, or there were
         * fewer or more than stated. */
        const double due = f->expected * (double)f->overmaps;
        if (f->asked_sum == 0)
            f->verdict = PTL_RATE_NOT_ASKED;
        else if (f->placed_sum == 0)
            f->verdict = PTL_RATE_NEVER;
        else
            f->verdict = (double)f->placed_sum < due ? PTL_RATE_FEWER : PTL_RATE_MORE;
        if (f->verdict != PTL_RATE_MORE && due - (double)f->asked_sum > (double)f->missing)
            f->reason = PTL_REASON_ASKED;
    }
    free(p);
    return good;
}

ptl_status ptl_facts_new(ptl_facts **out, const ptl_sample *sample, const ptl_tally *tally,
                         double level, ptl_error *err)
{
    error_clear(err);
    *out = NULL;
    if (!(level > 0 && level < 1))
        return error_set(err, PTL_ERR_ARGUMENT, "a level lies between 0 and 1, not at %g",
                         level);
    if (tally->overmaps > 0 && !(tally->parts & PTL_COUNT_SPECIALS))
        return error_set(err, PTL_ERR_ARGUMENT, "specials were not counted");
    facts *own = calloc(1, sizeof *own);
    if (!own)
        return error_nomem(err);
    own->list.size = sizeof own->list;
    /* Lists the specials that some overmap of the sample has, and then the specials that no
     * overmap has but that the rule of placement can ask for. */
    size_t defined, *count = &own->list.count;
    const ptl_sample_special *const *list = ptl_sample_specials(&defined, sample);
    const size_t most = tally->special_count + defined;
    own->block = calloc(most + 1, sizeof *own->block);
    own->list.items = calloc(most + 1, sizeof(ptl_special_facts *));
    bool good = own->block && own->list.items;
    for (size_t i = 0; good && i < tally->special_count; i++)
        own->block[(*count)++].id = tally->specials[i]->id;
    for (size_t i = 0; good && i < defined; i++)
        if (!list[i]->is_building && list[i]->occurrences_max > 0 &&
            !ptl_tally_find(tally, list[i]->id))
            own->block[(*count)++].id = list[i]->id;
    for (size_t i = 0; i < *count; i++)
        own->list.items[i] = &own->block[i];
    for (size_t i = 0; good && i < own->list.count; i++)
        fill(&own->block[i], sample, tally, level);
    ptl_facts_sort(&own->list, PTL_FACTS_BY_ID);
    good = good && test_unique(&own->list, tally, level);
    if (!good) {
        ptl_facts_free(&own->list);
        return error_nomem(err);
    }
    *out = &own->list;
    return PTL_OK;
}
