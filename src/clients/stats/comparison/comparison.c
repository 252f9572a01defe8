/*
 * The rows of a comparison of two samples. For each id that is in one of the samples there is a
 * row, with a test. The p-values are then corrected for the number of tests that could have
 * shown a difference. A special that neither sample placed is not tested.
 */
#include "clients/stats/inference/inference.h"
#include "core/array.h"
#include "core/error.h"
#include "core/settings.h"
#include "core/sized.h"
#include "portolan/stats.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    ptl_comparison list; /* what callers get a pointer to; must be the first member */
    ptl_comparison_row *block;
} comparison;

static const double LEVEL = 0.95, NOTABLE = 1.5;

const char *ptl_comparison_kind_name(ptl_comparison_kind kind)
{
    static const char *const names[] = {"special", "terrain", "city", "road"};
    return (size_t)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

const char *ptl_comparison_change_name(ptl_comparison_change change)
{
    static const char *const names[] = {"none", "more", "fewer", "spread", "new", "gone"};
    return (size_t)change < sizeof names / sizeof names[0] ? names[change] : "?";
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* ---- making rows ---- */

typedef struct maker {
    /* The result. Its list of rows is set last, when no further row can be added. */
    ptl_comparison *out;
    ptl_comparison_row *rows; /* owned */
    size_t count;
    const ptl_comparison_input *a, *b;
    ptl_comparison_options o;
    size_t capacity;
    ptl_error *err;
} maker;

/* Appends a zeroed row and returns it; NULL when memory is out. */
static ptl_comparison_row *row_new(maker *m, ptl_comparison_kind kind, const char *id)
{
    if (!ARRAY_ROOM(m->rows, m->capacity, m->count + 1)) {
        (void)error_nomem(m->err);
        return NULL;
    }
    ptl_comparison_row *row = &m->rows[m->count++];
    *row = (ptl_comparison_row){.size = sizeof *row, .kind = kind, .id = id};
    return row;
}

static uint64_t hist_sum(const ptl_hist *h)
{
    uint64_t sum = 0;
    for (size_t v = 0; v < h->size; v++)
        sum += v * h->counts[v];
    return sum;
}

/* For each of the two samples: the sum and the number of observations in each lot. A lot is one
 * or more blocks of neighbouring overmaps. */
typedef struct row_lots {
    const uint64_t *sums[2], *counts[2];
} row_lots;

/* Fills in the ratio and the test from the mean and variance of each sample. Returns false if
 * in both samples the observations are independent of each other; the caller may then replace
 * the test by an exact one. */
static bool row_of_blocks(maker *m, ptl_comparison_row *row, const row_lots *lots)
{
    const ptl_comparison_input *inputs[2] = {m->a, m->b};
    ptl_comparison_side *sides[2] = {&row->a, &row->b};
    known_mean known[2];
    for (int i = 0; i < 2; i++) {
        const ptl_moments each = sides[i]->each;
        const dependence d =
            tally_dependence(inputs[i]->tally, lots->sums[i], lots->counts[i], each.variance);
        known[i] = (known_mean){each, d};
        sides[i]->blocks = d.blocks;
        sides[i]->design_effect = d.blocks > 0 ? d.effect : NAN;
    }
    row->ratio = blocks_ratio(known[0], known[1], m->o.level);
    row->test = blocks_test(known[0], known[1]);
    return known[0].d.blocks > 0 || known[1].d.blocks > 0;
}

/* Fills a row from two histograms with one observation per overmap. */
static ptl_status row_of_counts(maker *m, ptl_comparison_row *row, const ptl_hist *a,
                                const ptl_hist *b, const uint64_t *sums_a,
                                const uint64_t *sums_b)
{
    const row_lots lots = {{sums_a, sums_b}, {m->a->tally->lots, m->b->tally->lots}};
    const ptl_hist *hists[2] = {a, b};
    ptl_comparison_side *sides[2] = {&row->a, &row->b};
    for (int i = 0; i < 2; i++) {
        const uint64_t total = ptl_hist_total(hists[i]);
        sides[i]->sum = hist_sum(hists[i]);
        sides[i]->each = hist_moments(hists[i]);
        sides[i]->none =
            total > 0 && hists[i]->size > 0 ? (double)hists[i]->counts[0] / (double)total : 1;
    }
    return row_of_blocks(m, row, &lots) ? PTL_OK : ptl_counts_test(&row->test, a, b, m->err);
}

/* Fills the row of a terrain or a connection, of which cells are counted. Such counts have too
 * many different values for an exact test, so the test uses the mean and the variance of each
 * sample. */
static void row_of_moments(maker *m, ptl_comparison_row *row, const uint64_t *sums_a,
                           const uint64_t *sums_b)
{
    const row_lots lots = {{sums_a, sums_b}, {m->a->tally->lots, m->b->tally->lots}};
    (void)row_of_blocks(m, row, &lots);
}

static int by_special_id(const void *key, const void *item)
{
    return strcmp(key, (*(const ptl_sample_special *const *)item)->id);
}

static const ptl_sample_special *definition(const ptl_comparison_input *in, const char *id)
{
    const ptl_sample_special *const *found =
        in->special_count == 0
            ? NULL
            : bsearch(id, in->specials, in->special_count, sizeof *in->specials, by_special_id);
    return found && !(*found)->is_building ? *found : NULL;
}

static int by_tally_id(const void *key, const void *item)
{
    return strcmp(key, (*(const ptl_tally_special *const *)item)->id);
}

/* Returns the counts of a special in a sample, or `empty` if no overmap of the sample has the
 * special. */
static const ptl_tally_special *tally_of(const ptl_tally *t, const char *id,
                                         const ptl_tally_special *empty)
{
    ptl_tally_special *const *found =
        t->special_count == 0
            ? NULL
            : bsearch(id, t->specials, t->special_count, sizeof *t->specials, by_tally_id);
    return found ? *found : empty;
}

static ptl_status add_special(maker *m, const char *id)
{
    uint64_t none_a = m->a->tally->overmaps, none_b = m->b->tally->overmaps;
    const ptl_tally_special empty_a = {.per_overmap = {&none_a, 1, 0}},
                            empty_b = {.per_overmap = {&none_b, 1, 0}};
    const ptl_tally_special *a = tally_of(m->a->tally, id, &empty_a),
                            *b = tally_of(m->b->tally, id, &empty_b);
    ptl_comparison_row *row = row_new(m, PTL_COMPARE_SPECIAL, id);
    if (!row)
        return PTL_ERR_NOMEM;
    row->a.definition = definition(m->a, id);
    row->b.definition = definition(m->b, id);
    return row_of_counts(m, row, &a->per_overmap, &b->per_overmap, a->lots, b->lots);
}

/* Adds a row for each special that was placed in a sample or that a content defines. It is an
 * error if `only` has an id that is none of these. */
static ptl_status add_specials(maker *m)
{
    const ptl_comparison_input *inputs[2] = {m->a, m->b};
    size_t count = 0, most = 1;
    ptl_status status = PTL_OK;
    for (int i = 0; i < 2; i++)
        most += inputs[i]->tally->special_count + inputs[i]->special_count;
    const char **ids = calloc(most, sizeof *ids);
    if (!ids)
        return error_nomem(m->err);
    for (int i = 0; i < 2; i++) {
        for (size_t j = 0; j < inputs[i]->tally->special_count; j++)
            ids[count++] = inputs[i]->tally->specials[j]->id;
        for (size_t j = 0; j < inputs[i]->special_count; j++)
            if (!inputs[i]->specials[j]->is_building)
                ids[count++] = inputs[i]->specials[j]->id;
    }
    qsort(ids, count, sizeof *ids, by_text);
    for (size_t i = 0; i < m->o.only_count && status == PTL_OK; i++)
        if (!bsearch(&m->o.only[i], ids, count, sizeof *ids, by_text))
            status = error_set(m->err, PTL_ERR_NOT_FOUND,
                               "neither of the two contents has a special '%s'", m->o.only[i]);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        bool is_wanted = m->o.only_count == 0;
        for (size_t j = 0; j < m->o.only_count; j++)
            is_wanted |= strcmp(m->o.only[j], ids[i]) == 0;
        /* `ids` is sorted and was put together from several lists, so the same id may come
         * several times in a row. */
        if (is_wanted && (i == 0 || strcmp(ids[i - 1], ids[i]) != 0))
            status = add_special(m, ids[i]);
    }
    free(ids);
    return status;
}

/* ---- terrains, cities and roads ---- */

static void terrain_side(ptl_comparison_side *out, const ptl_tally_terrain *t,
                         uint64_t overmaps)
{
    const double n = (double)overmaps, sum = t ? (double)t->cells : 0;
    out->sum = t ? t->cells : 0;
    out->each = (ptl_moments){overmaps, overmaps ? sum / n : 0, 0};
    if (t && overmaps > 1)
        out->each.variance = fmax(0, (t->square_sum - sum * out->each.mean) / (n - 1));
    out->none = overmaps && t ? 1 - (double)t->overmaps / n : 1;
}

/* Compares the next ids of two sorted lists. An id of NULL means that its list has ended. */
static int merge_order(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : a ? -1 : 1;
}

/* Adds a row for each terrain. The terrains of both samples are sorted by id, so one pass over
 * both lists finds those that both have. */
static ptl_status add_terrains(maker *m)
{
    const ptl_tally *a = m->a->tally, *b = m->b->tally;
    size_t i = 0, j = 0;
    while (i < a->terrain_count || j < b->terrain_count) {
        const char *id_a = i < a->terrain_count ? a->terrains[i]->id : NULL;
        const char *id_b = j < b->terrain_count ? b->terrains[j]->id : NULL;
        const int order = merge_order(id_a, id_b);
        const ptl_tally_terrain *in_a = order <= 0 ? a->terrains[i++] : NULL;
        const ptl_tally_terrain *in_b = order >= 0 ? b->terrains[j++] : NULL;
        ptl_comparison_row *row = row_new(m, PTL_COMPARE_TERRAIN, order <= 0 ? id_a : id_b);
        if (!row)
            return PTL_ERR_NOMEM;
        terrain_side(&row->a, in_a, a->overmaps);
        terrain_side(&row->b, in_b, b->overmaps);
        row_of_moments(m, row, in_a ? in_a->lots : NULL, in_b ? in_b->lots : NULL);
    }
    return PTL_OK;
}

static void line_side(ptl_comparison_side *out, const ptl_tally_line *line, uint64_t overmaps)
{
    out->each = line ? hist_moments(&line->cells) : (ptl_moments){overmaps, 0, 0};
    out->sum = line ? hist_sum(&line->cells) : 0;
    out->none = 1;
    if (line && line->cells.size > 0 && out->each.count > 0)
        out->none = (double)line->cells.counts[0] / (double)out->each.count;
}

/* Adds a row for each connection that one of the samples has. `line` stands for a connection
 * here. The lists of both samples are sorted by id, so one pass over both finds the connections
 * that they share. */
static ptl_status add_lines(maker *m)
{
    const ptl_tally *a = m->a->tally, *b = m->b->tally;
    size_t i = 0, j = 0;
    while (i < a->line_count || j < b->line_count) {
        const char *id_a = i < a->line_count ? a->lines[i]->id : NULL;
        const char *id_b = j < b->line_count ? b->lines[j]->id : NULL;
        const int order = merge_order(id_a, id_b);
        const ptl_tally_line *in_a = order <= 0 ? a->lines[i++] : NULL;
        const ptl_tally_line *in_b = order >= 0 ? b->lines[j++] : NULL;
        ptl_comparison_row *row = row_new(m, PTL_COMPARE_LINE, order <= 0 ? id_a : id_b);
        if (!row)
            return PTL_ERR_NOMEM;
        line_side(&row->a, in_a, a->overmaps);
        line_side(&row->b, in_b, b->overmaps);
        row_of_moments(m, row, in_a ? in_a->lots : NULL, in_b ? in_b->lots : NULL);
    }
    return PTL_OK;
}

/* Computes the mean number of buildings in a city, over the cities of all sizes. */
static void city_side(ptl_comparison_side *out, const ptl_tally *t)
{
    double squares = 0;
    uint64_t without = 0;
    for (size_t size = 0; size < sizeof t->cities / sizeof t->cities[0]; size++) {
        const ptl_hist *h = &t->cities[size].buildings_per_city;
        out->sum += hist_sum(h);
        out->each.count += ptl_hist_total(h);
        without += h->size > 0 ? h->counts[0] : 0;
        for (size_t v = 0; v < h->size; v++)
            squares += (double)v * (double)v * (double)h->counts[v];
    }
    const double n = (double)out->each.count, sum = (double)out->sum;
    out->none = n > 0 ? (double)without / n : 1;
    out->each.mean = n > 0 ? sum / n : 0;
    out->each.variance = n > 1 ? fmax(0, (squares - sum * out->each.mean) / (n - 1)) : 0;
}

static ptl_status add_cities(maker *m)
{
    const ptl_tally *a = m->a->tally, *b = m->b->tally;
    const row_lots buildings = {{a->building_lots, b->building_lots},
                                {a->city_lots, b->city_lots}};
    ptl_comparison_row *row = row_new(m, PTL_COMPARE_CITY, "buildings");
    if (!row)
        return PTL_ERR_NOMEM;
    city_side(&row->a, a);
    city_side(&row->b, b);
    (void)row_of_blocks(m, row, &buildings);
    row = row_new(m, PTL_COMPARE_CITY, "cities");
    if (!row)
        return PTL_ERR_NOMEM;
    return row_of_counts(m, row, &a->cities_per_overmap, &b->cities_per_overmap, a->city_lots,
                         b->city_lots);
}

/* ---- judging the rows ---- */

/* Returns whether all observations are 0 or 1. They are if the sum of their squares is equal to
 * their sum. */
static bool is_share(ptl_moments m)
{
    const double n = (double)m.count, sum = m.mean * n;
    return m.count > 1 && m.variance * (n - 1) <= sum - m.mean * sum + 1e-9 * sum;
}

/* Returns the level at which the row with the least p among `tests` rows is significant after
 * Holm's correction, the strictest one. */
static double strictest(const maker *m, size_t tests)
{
    return 1 - (1 - m->o.level) / (double)(tests ? tests : 1);
}

/* Returns how many overmaps each sample would need to detect a change of the special to `ratio`
 * times as many; with ratio 0 by the factor `m->o.notable`, up and down. */
static uint64_t needed(const maker *m, const ptl_comparison_row *row, size_t tests,
                       double ratio)
{
    const ptl_comparison_side *known = row->a.each.mean > 0 ? &row->a : &row->b;
    const double strict = strictest(m, tests);
    if (row->kind != PTL_COMPARE_SPECIAL)
        return UINT64_MAX;
    const ptl_sample_special *d = known->definition;
    const bool is_unique =
        d && (d->is_unique || d->is_globally_unique) && is_share(known->each);
    const uint64_t strangers =
        ratio > 0 ? overmaps_for_ratio(known->each, is_unique, ratio, strict)
                  : overmaps_for_change(known->each, is_unique, m->o.notable, strict);
    if (strangers == UINT64_MAX || !(known->design_effect > 1))
        return strangers;
    return (uint64_t)ceil((double)strangers * known->design_effect);
}

/* Returns the least factor by which the special must become more frequent, or less, so that
 * `have` overmaps are enough to find it, as far as STEPS halvings of the range on a scale of
 * logarithms tell; INFINITY if no factor up to MOST is enough. */
static double visible(const maker *m, const ptl_comparison_row *row, size_t tests, bool more,
                      uint64_t have)
{
    enum { STEPS = 12, MOST = 1000 };
    const ptl_comparison_side *known = row->a.each.mean > 0 ? &row->a : &row->b;
    const double mean = known->each.mean;
    double low = 1, high = MOST;
    if (more && is_share(known->each) && mean * MOST > 1 &&
        needed(m, row, tests, high) == UINT64_MAX)
        high = (1 - 1e-9) / mean; /* no share is above 1 */
    if (!(high > 1) || needed(m, row, tests, more ? high : 1 / high) > have)
        return INFINITY;
    for (int i = 0; i < STEPS; i++) {
        const double middle = sqrt(low * high);
        if (needed(m, row, tests, more ? middle : 1 / middle) > have)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Decides what has changed. If a chi-square test is significant but the ratio of the means may
 * be 1, the distribution has changed, not the mean. */
static void row_judge(const maker *m, ptl_comparison_row *row)
{
    const ptl_interval *range = &row->ratio.range;
    const double most = m->o.max_change;
    row->significant = row->test.kind != PTL_TEST_NONE && row->adjusted <= 1 - m->o.level;
    row->beyond = row->significant && row->kind == PTL_COMPARE_SPECIAL && most > 1 &&
                  (row->ratio.ratio > most || row->ratio.ratio < 1 / most);
    /* Returns whether only one of the two contents has the special. A content counts as having
     * a special if it defines the special, or if the special was placed. */
    const bool in_a = row->a.definition || row->a.sum > 0,
               in_b = row->b.definition || row->b.sum > 0;
    row->change = PTL_CHANGE_NONE;
    if (row->kind == PTL_COMPARE_SPECIAL && in_a != in_b)
        row->change = in_b ? PTL_CHANGE_NEW : PTL_CHANGE_GONE;
    if (row->change != PTL_CHANGE_NONE || !row->significant)
        return;
    if (row->test.kind == PTL_TEST_CHI_SQUARE && range->low <= 1 && range->high >= 1)
        row->change = PTL_CHANGE_SPREAD;
    else
        row->change = row->ratio.ratio > 1 ? PTL_CHANGE_MORE : PTL_CHANGE_FEWER;
}

static int by_p(const void *a, const void *b)
{
    const ptl_comparison_row *x = a, *y = b;
    if (x->test.p < y->test.p || x->test.p > y->test.p)
        return x->test.p < y->test.p ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return strcmp(x->id, y->id);
}

/* Corrects the p-values of `count` rows, from the row `first` on, for the number of tests, and
 * decides which of these rows have changed. Puts the numbers of rows, of tests and of changes
 * into *out. */
static ptl_status family(maker *m, ptl_comparison_family *out, size_t first, size_t count)
{
    ptl_comparison_row *rows = m->rows + first;
    const uint64_t na = m->a->tally->overmaps, nb = m->b->tally->overmaps;
    double *p = calloc(count ? count : 1, sizeof *p);
    size_t tested = 0;
    if (!p)
        return error_nomem(m->err);
    if (count > 0)
        qsort(rows, count, sizeof *rows, by_p);
    /* Rows without a test have p = 1. They stand at the end of the sorted rows, mixed with rows
     * whose test gave p = 1. */
    for (size_t i = 0; i < count; i++)
        if (rows[i].test.kind != PTL_TEST_NONE)
            p[tested++] = rows[i].test.p;
    const bool done = m->o.fdr ? adjust_fdr(p, p, tested) : adjust_holm(p, p, tested);
    *out = (ptl_comparison_family){.rows = count, .tested = tested};
    for (size_t i = 0, at = 0; i < count && done; i++) {
        rows[i].adjusted = rows[i].test.kind != PTL_TEST_NONE ? p[at++] : 1;
        rows[i].needed = needed(m, &rows[i], tested, 0);
        if (m->o.visible && rows[i].kind == PTL_COMPARE_SPECIAL) {
            const uint64_t have = na < nb ? na : nb;
            rows[i].visible_more = visible(m, &rows[i], tested, true, have);
            rows[i].visible_fewer = visible(m, &rows[i], tested, false, have);
        }
        row_judge(m, &rows[i]);
        out->significant += rows[i].significant;
        out->beyond += rows[i].beyond;
        out->unseen += rows[i].needed != UINT64_MAX && rows[i].needed > (na < nb ? na : nb);
    }
    free(p);
    return done ? PTL_OK : error_nomem(m->err);
}

/* ---- the public calls ---- */

static ptl_status check(const ptl_comparison_input *in, const ptl_comparison_options *o,
                        ptl_error *err)
{
    uint32_t parts = PTL_COUNT_SPECIALS;
    if (o->terrains)
        parts |= PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    if (!(o->level > 0 && o->level < 1))
        return error_set(err, PTL_ERR_ARGUMENT, "a level lies between 0 and 1, not at %g",
                         o->level);
    if (in->tally->overmaps > 0 && parts & ~in->tally->parts)
        return error_set(err, PTL_ERR_ARGUMENT, "not all was counted that is to be compared");
    return PTL_OK;
}

ptl_status ptl_comparison_new(ptl_comparison **out, const ptl_comparison_input *a,
                              const ptl_comparison_input *b,
                              const ptl_comparison_options *options, ptl_error *err)
{
    maker m = {.a = a, .b = b, .o = PTL_COMPARISON_OPTIONS_INIT, .err = err};
    error_clear(err);
    *out = NULL;
    TRY(SIZED_TAKE(ptl_comparison_options, &m.o, options, err));
    if (!(m.o.level > 0))
        m.o.level = LEVEL;
    if (!(m.o.notable > 1))
        m.o.notable = m.o.max_change > 1 ? m.o.max_change : NOTABLE;
    TRY(check(a, &m.o, err));
    TRY(check(b, &m.o, err));
    comparison *own = calloc(1, sizeof *own);
    if (!own)
        return error_nomem(err);
    own->list.size = sizeof own->list;
    m.out = &own->list;
    ptl_status status = add_specials(&m);
    const size_t specials = m.count;
    if (m.o.terrains) {
        THEN(status, add_terrains(&m));
        THEN(status, add_cities(&m));
        THEN(status, add_lines(&m));
    }
    THEN(status, family(&m, &m.out->specials, 0, specials));
    THEN(status, family(&m, &m.out->others, specials, m.count - specials));
    /* Callers get an array of pointers to the rows. */
    own->block = m.rows;
    own->list.rows = calloc(m.count + 1, sizeof(ptl_comparison_row *));
    if (status == PTL_OK && !own->list.rows)
        status = error_nomem(err);
    for (; status == PTL_OK && own->list.count < m.count; own->list.count++)
        own->list.rows[own->list.count] = &own->block[own->list.count];
    if (status == PTL_OK)
        *out = &own->list;
    else
        ptl_comparison_free(&own->list);
    return status;
}

void ptl_comparison_free(ptl_comparison *list)
{
    comparison *own = (comparison *)list;
    if (!own)
        return;
    free(own->block);
    free(own->list.rows);
    free(own);
}

/* The settings and versions in which the two samples differ. */

typedef struct difference_list {
    ptl_comparison_difference *items;
    size_t count;
} difference_list;

static void note(difference_list *list, const char *what, const char *a, const char *b)
{
    if (strcmp(a, b) == 0 || list->count == PTL_COMPARISON_DIFFERENCES)
        return;
    ptl_comparison_difference *d = &list->items[list->count++];
    d->what = what;
    snprintf(d->a, sizeof d->a, "%s", a);
    snprintf(d->b, sizeof d->b, "%s", b);
}

static_assert(PTL_COMPARISON_DIFFERENCES >= SETTINGS_OF_SWEEPS + 2, "each may differ");

size_t ptl_comparison_differences(ptl_comparison_difference out[PTL_COMPARISON_DIFFERENCES],
                                  const ptl_sample *sample_a, const ptl_sample *sample_b)
{
    difference_list list = {out, 0};
    const ptl_sample_info *in_a = ptl_sample_about(sample_a),
                          *in_b = ptl_sample_about(sample_b);
    const ptl_world_options *a = in_a->settings, *b = in_b->settings;
    note(&list, "content", in_a->content, in_b->content);
    char versions[2][40];
    snprintf(versions[0], sizeof versions[0], "%.9g", (double)in_a->generator_version);
    snprintf(versions[1], sizeof versions[1], "%.9g", (double)in_b->generator_version);
    note(&list, "generator version", versions[0], versions[1]);
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS; i++) {
        char text[2][SETTING_TEXT_SIZE];
        if (!setting_is_same(a, b, &setting_rows[i]))
            note(&list, setting_rows[i].option, setting_text(text[0], a, &setting_rows[i]),
                 setting_text(text[1], b, &setting_rows[i]));
    }
    return list.count;
}
