/*
 * Facts about specials. A UNIQUE special is expected in a share of min / max of the overmaps,
 * and an exact binomial test, corrected by Holm's method for the number of specials that are
 * tested, says whether it departs from that. Of another one a rule asks for a number in each
 * overmap: under quota that number is drawn, under sectors its bounds are all that is known.
 */
#include "stats/specials/special_facts.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

const char *verdict_text(special_verdict verdict)
{
    static const char *const texts[] = {
        "as stated",      "fewer than stated", "more than stated", "as asked",
        "short",          "below minimum",     "never placed",     "never asked for",
        "by others only", "one a world"};
    return texts[verdict];
}

const char *reason_key(special_reason reason)
{
    static const char *const keys[] = {"none", "ground", "linked", "city",
                                       "room", "growth", "other",  "asked"};
    return keys[reason];
}

const char *reason_text(special_reason reason)
{
    static const char *const texts[] = {
        "",
        "no ground: nowhere all tiles on their locations",
        "no connection: its points nowhere as they must be",
        "no city: none as near and as large as it must be",
        "no room: other specials took it",
        "not closed: growths were undone",
        "crowded out: fewer places than asked for",
        "seldom asked for: overmaps lack what it must have, such as a lake"};
    return texts[reason];
}

uint64_t reason_count(const tally_failures *f, special_reason reason)
{
    const uint64_t counts[] = {0, f->ground, f->linked, f->city, f->room, f->growth, f->other};
    return counts[reason];
}

static special_reason main_reason(const tally_failures *f)
{
    special_reason best = REASON_NONE;
    for (int i = REASON_GROUND; i < REASON_COUNT; i++)
        if (reason_count(f, (special_reason)i) > reason_count(f, best))
            best = (special_reason)i;
    return best;
}

/* ---- one special ---- */

static bool unique(const special_facts *f)
{
    return f->definition.is_unique || f->definition.is_globally_unique;
}

/* Whether a rule may ask for it at all. */
static bool may_occur(const sample_special *d)
{
    return d->occurrences_max > 0 && d->occurrences_min <= d->occurrences_max;
}

/* The chance of a UNIQUE special: x in y, as step_specials.c rolls it. */
static double chance(const special_facts *f, const world_row *settings)
{
    double x = f->definition.occurrences_min > 0 ? f->definition.occurrences_min : 0;
    if (settings->scale_unique && !f->definition.is_globally_unique)
        x *= settings->specials_density;
    const double p = x / f->definition.occurrences_max;
    return p < 1 ? p : 1;
}

static void expect(special_facts *f, const sample *s)
{
    const double n = (double)f->overmaps;
    f->expected = f->expected_min = f->expected_max = NAN;
    if (!f->defined || !may_occur(&f->definition))
        return;
    if (f->definition.is_globally_unique) {
        /* One of the chunks around the origin is its home. */
        const double side = 2.0 * s->settings.unique_radius + 1;
        f->expected_min = f->expected_max = chance(f, &s->settings) / (side * side);
    } else if (f->definition.is_unique) {
        f->expected_min = f->expected_max = chance(f, &s->settings);
    } else if (s->settings.placement == PTL_PLACEMENT_SECTORS) {
        f->expected_min = f->definition.occurrences_min > 0 ? f->definition.occurrences_min : 0;
        f->expected_max = f->definition.occurrences_max;
    } else {
        f->expected_min = f->expected_max = n > 0 ? (double)f->asked_sum / n : 0;
    }
    if (f->expected_min == f->expected_max)
        f->expected = f->expected_min;
}

/* Overmaps with fewer than `least`. */
static uint64_t overmaps_below(const special_facts *f, int64_t least)
{
    uint64_t sum = 0;
    if (!f->own)
        return least > 0 ? f->overmaps : 0;
    for (size_t v = 0; v < f->own->per_overmap.size && (int64_t)v < least; v++)
        sum += f->own->per_overmap.counts[v];
    return sum;
}

static void measure_placed(special_facts *f, double confidence)
{
    static const tally_hist nothing = {0};
    const tally_hist *h = f->own ? &f->own->per_overmap : &nothing;
    const uint64_t none = f->own && h->size > 0 ? h->counts[0] : f->overmaps;
    f->placed = hist_mean(h);
    f->variance = hist_variance(h);
    /* Zeros and ones are a proportion. */
    bool proportion = true;
    for (size_t v = 2; v < h->size; v++)
        proportion &= h->counts[v] == 0;
    f->placed_range = proportion ? wilson_interval(f->overmaps - none, f->overmaps, confidence)
                                 : mean_interval(h, confidence);
    if (f->placed_range.low < 0)
        f->placed_range.low = 0;
    f->without = f->overmaps ? (double)none / (double)f->overmaps : 1;
    f->without_range = wilson_interval(none, f->overmaps, confidence);
}

static void judge(special_facts *f, const sample *s)
{
    const bool sectors = s->settings.placement == PTL_PLACEMENT_SECTORS;
    const uint64_t shorts = f->own ? f->own->short_overmaps : 0;
    const bool bounds = sectors && !unique(f);
    f->missing = bounds ? overmaps_below(f, f->definition.occurrences_min) : shorts;
    f->verdict = VERDICT_AS_ASKED;
    if (!f->defined || !may_occur(&f->definition)) {
        f->verdict = VERDICT_BY_OTHERS;
        f->missing = 0;
    } else if (f->definition.is_globally_unique) {
        f->verdict = VERDICT_ONE_A_WORLD;
    } else if (f->definition.is_unique) {
        f->verdict = VERDICT_AS_STATED; /* for the test to change */
    } else if (f->asked_sum == 0) {
        f->verdict = VERDICT_NOT_ASKED;
    } else if (f->placed_sum == 0) {
        f->verdict = VERDICT_NEVER;
    } else if (f->missing > 0) {
        f->verdict = bounds ? VERDICT_BELOW : VERDICT_SHORT;
    }
    if (f->own && (f->missing > 0 || f->verdict == VERDICT_NEVER))
        f->reason = main_reason(&f->own->failures);
}

static void fill(special_facts *f, const sample *s, const tally *t, double confidence)
{
    const double n = (double)t->overmaps;
    f->own = tally_find(t, f->id);
    f->defined = sample_definition(s, f->id, &f->definition);
    f->overmaps = t->overmaps;
    f->p = f->p_adjusted = f->ratio = NAN;
    if (f->own) {
        f->placed_sum = f->own->placed;
        f->asked_sum = f->own->asked;
        f->asked = n > 0 ? (double)f->own->asked / n : 0;
        f->others = n > 0 ? (double)f->own->others / n : 0;
    }
    expect(f, s);
    measure_placed(f, confidence);
    if (f->expected > 0 && !f->definition.is_globally_unique)
        f->ratio = n > 0 ? (double)f->placed_sum / n / f->expected : NAN;
    judge(f, s);
}

/* ---- all of them ---- */

static int by_id(const void *a, const void *b)
{
    const special_facts *p = a, *q = b;
    return strcmp(p->id, q->id);
}

/* -1, 0, 1: the larger first, what is no number last. */
static int larger_first(double p, double q)
{
    if (isnan(p) || isnan(q))
        return isnan(p) - isnan(q);
    return p > q ? -1 : p < q;
}

static int by_placed(const void *a, const void *b)
{
    const special_facts *p = a, *q = b;
    const int order = larger_first(p->placed, q->placed);
    return order ? order : by_id(a, b);
}

static int by_missing(const void *a, const void *b)
{
    const special_facts *p = a, *q = b;
    int order = larger_first((double)p->missing, (double)q->missing);
    if (order == 0)
        order = facts_lacking(q) - facts_lacking(p);
    return order ? order : by_id(a, b);
}

static int by_ratio(const void *a, const void *b)
{
    const special_facts *p = a, *q = b;
    const int order = larger_first(-p->ratio, -q->ratio);
    return order ? order : by_id(a, b);
}

void facts_sort(facts_list *list, facts_order order)
{
    static int (*const orders[])(const void *, const void *) = {by_id, by_placed, by_missing,
                                                                by_ratio};
    if (list->count > 0)
        qsort(list->items, list->count, sizeof *list->items, orders[order]);
}

bool facts_lacking(const special_facts *f)
{
    switch (f->verdict) {
    case VERDICT_FEWER:
    case VERDICT_SHORT:
    case VERDICT_BELOW:
    case VERDICT_NEVER:
    case VERDICT_NOT_ASKED:
        return true;
    case VERDICT_AS_STATED:
    case VERDICT_ONE_A_WORLD:
        return (f->placed_sum == 0 && f->expected > 0) || f->missing > 0;
    default:
        return false;
    }
}

const special_facts *facts_find(const facts_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].id, id) == 0)
            return &list->items[i];
    return NULL;
}

void facts_dispose(facts_list *list)
{
    free(list->items);
    *list = (facts_list){0};
}

/* Ids of the tally, and of the content where it has more. */
static bool list_ids(facts_list *out, const sample *s, const tally *t)
{
    const size_t most = t->special_count + s->cat->special_count;
    out->items = calloc(most + 1, sizeof *out->items);
    if (!out->items)
        return false;
    for (size_t i = 0; i < t->special_count; i++)
        out->items[out->count++].id = t->specials[i].id;
    for (size_t i = 0; i < s->cat->special_count; i++) {
        const cat_special *c = &s->cat->specials[i];
        if (!c->building && c->occurrences_max > 0 && !tally_find(t, c->id))
            out->items[out->count++].id = c->id;
    }
    return true;
}

/* The rate of a UNIQUE special is not what its chance would have it. */
static void convict(special_facts *f)
{
    const double due = f->expected * (double)f->overmaps;
    if (f->asked_sum == 0)
        f->verdict = VERDICT_NOT_ASKED;
    else if (f->placed_sum == 0)
        f->verdict = VERDICT_NEVER;
    else
        f->verdict = (double)f->placed_sum < due ? VERDICT_FEWER : VERDICT_MORE;
    if (f->verdict != VERDICT_MORE && due - (double)f->asked_sum > (double)f->missing)
        f->reason = REASON_ASKED;
}

/* A UNIQUE special's rate against its chance, corrected for how many are tested. */
static bool test_unique(facts_list *list, double confidence)
{
    double *p = calloc(list->count + 1, sizeof *p);
    size_t tested = 0;
    if (!p)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        special_facts *f = &list->items[i];
        if (f->verdict == VERDICT_AS_STATED && f->overmaps > 0)
            p[tested++] = f->p =
                binomial_test(f->placed_sum < f->overmaps ? f->placed_sum : f->overmaps,
                              f->overmaps, f->expected);
    }
    const bool good = adjust_holm(p, p, tested);
    tested = 0;
    for (size_t i = 0; i < list->count && good; i++) {
        special_facts *f = &list->items[i];
        if (isnan(f->p))
            continue;
        f->p_adjusted = p[tested++];
        if (f->p_adjusted < 1 - confidence)
            convict(f);
    }
    free(p);
    return good;
}

ptl_status facts_make(facts_list *out, const sample *s, const tally *t, double confidence,
                      ptl_error *err)
{
    *out = (facts_list){0};
    if (!list_ids(out, s, t))
        return error_nomem(err);
    for (size_t i = 0; i < out->count; i++)
        fill(&out->items[i], s, t, confidence);
    facts_sort(out, FACTS_BY_ID);
    return test_unique(out, confidence) ? PTL_OK : error_nomem(err);
}
