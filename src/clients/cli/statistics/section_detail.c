/*
 * One special in detail: how many an overmap has, where they stand, and what kept others from
 * being placed. Its distances stand beside those of random points: all land for distances to
 * cities and roads, and as many points per overmap for distances to its own kind.
 */
#include "clients/cli/statistics/sections.h"

#include "core/error.h"

#include <math.h>

static const ptl_hist nothing = {0};

report_cell cell_quantile(const ptl_hist *h, double share)
{
    const int64_t v = ptl_hist_quantile(h, share);
    return v < 0 ? cell_none() : cell_int(v);
}

report_cell cell_share(uint64_t part, uint64_t whole)
{
    return whole ? cell_real((double)part / (double)whole) : cell_none();
}

size_t section_extent(const ptl_hist *h)
{
    size_t size = h->size;
    while (size > 1 && h->counts[size - 1] == 0)
        size--;
    return size ? size : 1;
}

/* Adds a row: a value, how often it occurs, and its share as a number and as a bar. */
static void add_part(report_table *t, const ptl_special_facts *f, report_cell what,
                     uint64_t count, uint64_t whole)
{
    report_put(t, CELLS(cell_text(f->id), what, cell_uint(count), cell_share(count, whole),
                        cell_share(count, whole)));
}

static void add_levels(report_table *t, const ptl_special_facts *f)
{
    const ptl_hist *h = &f->own->level;
    for (size_t v = h->size; v-- > 0;)
        if (h->counts[v] > 0)
            add_part(t, f, cell_int((int64_t)v + PTL_Z_MIN), h->counts[v], ptl_hist_total(h));
}

static void add_around(report_table *t, const ptl_special_facts *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->own->around_count; i++)
        sum += f->own->around[i].count;
    for (size_t i = 0; i < f->own->around_count; i++) {
        const ptl_tally_count *c = &f->own->around[i];
        add_part(t, f, cell_text(c->id[0] ? c->id : "(none)"), c->count, sum);
    }
}

/* ---- distances ---- */

static double ratio(double a, double b)
{
    return b > 0 && a >= 0 ? a / b : NAN;
}

static void add_distance(report_table *t, const ptl_special_facts *f, const char *to,
                         const ptl_hist *h, const char *beside, const ptl_hist *baseline)
{
    const bool any = ptl_hist_total(h) > 0, base = ptl_hist_total(baseline) > 0;
    const double mean = any ? ptl_hist_mean(h) : NAN;
    const double base_mean = base ? ptl_hist_mean(baseline) : NAN;
    report_put(t, CELLS(cell_text(f->id), cell_text(to), cell_uint(ptl_hist_total(h)),
                        cell_uint(h->none), cell_quantile(h, 0), cell_quantile(h, 0.25),
                        cell_quantile(h, 0.5), cell_quantile(h, 0.75), cell_quantile(h, 1),
                        cell_real(mean), cell_text(beside), cell_quantile(baseline, 0.25),
                        cell_quantile(baseline, 0.5), cell_quantile(baseline, 0.75),
                        cell_real(base_mean),
                        cell_real(ratio((double)ptl_hist_quantile(h, 0.5),
                                        (double)ptl_hist_quantile(baseline, 0.5))),
                        cell_real(ratio(mean, base_mean))));
}

static ptl_status add_distances(report_table *t, const ptl_special_facts *f,
                                const ptl_tally *of, ptl_error *err)
{
    ptl_hist random = {0};
    TRY(ptl_random_points(&random, &f->own->per_overmap, err));
    add_distance(t, f, "city", &f->own->city, "land", &of->baseline_city);
    add_distance(t, f, "road", &f->own->road, "land", &of->baseline_road);
    add_distance(t, f, "same", &f->own->same, "random points", &random);
    ptl_hist_dispose(&random);
    return PTL_OK;
}

static void add_neighbours(report_table *t, const ptl_special_facts *f, const ptl_tally *of)
{
    for (size_t i = 0; i < of->pair_count; i++) {
        const ptl_tally_pair *p = of->pairs[i];
        if (strcmp(p->id, f->id) == 0)
            add_distance(t, f, p->to, &p->nearest, p->on_land ? "land" : "any cell",
                         &p->random);
    }
}

/* ---- clustering ---- */

static void add_clustering(report_table *t, const ptl_special_facts *f,
                           const ptl_tally_ripley *r, double confidence)
{
    for (size_t step = 0; step < PTL_RIPLEY_RADII && r->pairs > 0; step++) {
        const ptl_ripley k = ptl_ripley_at(r, step, confidence);
        report_put(t,
                   CELLS(cell_text(f->id), cell_int(k.radius), cell_uint(r->pairs),
                         cell_real(k.k), cell_text(r->on_land ? "land" : "any cell"),
                         cell_real(k.random), report_range(t, k.low, k.high, 0),
                         cell_real(k.low), cell_real(k.high), cell_real(ratio(k.k, k.random)),
                         cell_text(k.k > k.high  ? "in clusters"
                                   : k.k < k.low ? "apart"
                                                 : "as at random")));
    }
}

/* ---- rates ---- */

static void add_rate(report_table *t, const ptl_special_facts *f, const char *by,
                     const char *class, const ptl_class_rate *r)
{
    if (r->overmaps > 0)
        report_put(t, CELLS(cell_text(f->id), cell_text(by), cell_text(class),
                            cell_uint(r->overmaps), cell_real(r->mean),
                            report_range(t, r->range.low, r->range.high, 3),
                            cell_real(r->range.low), cell_real(r->range.high),
                            cell_text(r->blocks > 0 ? "blocks" : "overmaps"),
                            cell_share(r->overmaps - r->with, r->overmaps)));
}

static void add_rates(report_table *t, const ptl_special_facts *f, const section_sample *of)
{
    static const char *const classes[PTL_OVERMAP_CLASSES][2] = {
        {"lake", "a lake or sea"}, {"lake", "none"},     {"city", "none"},
        {"city", "size 1-4"},      {"city", "size 5-8"}, {"city", "size 9-12"},
        {"city", "size 13-16"},    {"city", "size 17-"}};
    const ptl_class_rate all = {.overmaps = f->overmaps,
                                .with = f->overmaps - f->own->per_overmap.counts[0],
                                .mean = f->present,
                                .range = f->present_range,
                                .blocks = f->blocks};
    add_rate(t, f, "region", of->region, &all);
    for (int i = 0; i < PTL_OVERMAP_CLASSES; i++) {
        const ptl_class_rate r =
            ptl_facts_rate(f, of->tally, (ptl_overmap_class)i, of->confidence);
        add_rate(t, f, classes[i][0], classes[i][1], &r);
    }
}

static void add_failures(report_table *t, const ptl_special_facts *f)
{
    for (int i = PTL_REASON_GROUND; i < PTL_REASON_COUNT; i++) {
        const ptl_rate_reason reason = (ptl_rate_reason)i;
        const uint64_t count = ptl_rate_reason_overmaps(&f->own->failures, reason);
        if (count > 0)
            report_put(t, CELLS(cell_text(f->id), cell_text(ptl_rate_reason_key(reason)),
                                cell_uint(count), cell_share(count, f->overmaps),
                                cell_text(ptl_rate_reason_text(reason))));
    }
}

ptl_status section_add_detail(report_table *t, section which, const ptl_special_facts *f,
                              const section_sample *of, ptl_error *err)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    ptl_status status = PTL_OK;
    if (which == SECTION_SPECIAL)
        section_add_facts(t, f);
    else if (which == SECTION_HISTOGRAM) {
        const ptl_hist *h = f->own ? &f->own->per_overmap : &nothing;
        for (size_t v = 0; v < section_extent(h); v++)
            add_part(t, f, cell_uint(v), h->size ? h->counts[v] : f->overmaps, f->overmaps);
    } else if (!f->own)
        return PTL_OK;
    else if (which == SECTION_LEVELS)
        add_levels(t, f);
    else if (which == SECTION_ROTATIONS) {
        const ptl_hist *h = &f->own->rotation;
        for (size_t v = 0; v < h->size && v < 4; v++)
            add_part(t, f, cell_text(sides[v]), h->counts[v], ptl_hist_total(h));
    } else if (which == SECTION_AROUND)
        add_around(t, f);
    else if (which == SECTION_DISTANCES)
        status = add_distances(t, f, of->tally, err);
    else if (which == SECTION_NEIGHBOURS)
        add_neighbours(t, f, of->tally);
    else if (which == SECTION_CLUSTERING)
        for (size_t i = 0; i < of->tally->ripley_count; i++) {
            if (strcmp(of->tally->ripleys[i]->id, f->id) == 0)
                add_clustering(t, f, of->tally->ripleys[i], of->confidence);
        }
    else if (which == SECTION_RATES)
        add_rates(t, f, of);
    else
        add_failures(t, f);
    return status == PTL_OK ? report_status(t, err) : status;
}
