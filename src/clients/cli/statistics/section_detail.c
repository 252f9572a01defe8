/*
 * One special in detail: how many an overmap has, where they stand, and what hindered them.
 * Distances stand beside those of points at random: of all land for cities and roads, of as
 * many points per overmap for those of its own kind.
 */
#include "clients/cli/statistics/sections_impl.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ptl_hist nothing = {0};

void add_quantile(report_table *t, const ptl_hist *h, double share)
{
    const int64_t v = ptl_hist_quantile(h, share);
    if (v < 0)
        report_none(t);
    else
        report_signed(t, v);
}

void add_percent(report_table *t, uint64_t part, uint64_t whole)
{
    report_real(t, whole ? (double)part / (double)whole : NAN);
}

void add_share(report_table *t, uint64_t part, uint64_t whole)
{
    add_percent(t, part, whole);
    add_percent(t, part, whole);
}

size_t section_extent(const ptl_hist *h)
{
    size_t size = h->size;
    while (size > 1 && h->counts[size - 1] == 0)
        size--;
    return size ? size : 1;
}

static void add_histogram(report_table *t, const ptl_special_facts *f)
{
    const ptl_hist *h = f->own ? &f->own->per_overmap : &nothing;
    const size_t size = section_extent(h);
    for (size_t v = 0; v < size; v++) {
        const uint64_t count = h->size ? h->counts[v] : f->overmaps;
        report_text(t, f->id);
        report_whole(t, v);
        report_whole(t, count);
        add_share(t, count, f->overmaps);
    }
}

static void add_levels(report_table *t, const ptl_special_facts *f)
{
    const ptl_hist *h = &f->own->level;
    for (size_t v = h->size; v-- > 0;) {
        if (h->counts[v] == 0)
            continue;
        report_text(t, f->id);
        report_signed(t, (int64_t)v + PTL_Z_MIN);
        report_whole(t, h->counts[v]);
        add_share(t, h->counts[v], ptl_hist_total(h));
    }
}

static void add_rotations(report_table *t, const ptl_special_facts *f)
{
    static const char *const names[] = {"north", "east", "south", "west"};
    const ptl_hist *h = &f->own->rotation;
    for (size_t v = 0; v < h->size && v < 4; v++) {
        report_text(t, f->id);
        report_text(t, names[v]);
        report_whole(t, h->counts[v]);
        add_share(t, h->counts[v], ptl_hist_total(h));
    }
}

static void add_around(report_table *t, const ptl_special_facts *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->own->around_count; i++)
        sum += f->own->around[i].count;
    for (size_t i = 0; i < f->own->around_count; i++) {
        const ptl_tally_count *c = &f->own->around[i];
        report_text(t, f->id);
        report_text(t, c->id[0] ? c->id : "(none)");
        report_whole(t, c->count);
        add_share(t, c->count, sum);
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
    report_text(t, f->id);
    report_text(t, to);
    report_whole(t, ptl_hist_total(h));
    report_whole(t, h->none);
    add_quantile(t, h, 0);
    add_quantile(t, h, 0.25);
    add_quantile(t, h, 0.5);
    add_quantile(t, h, 0.75);
    add_quantile(t, h, 1);
    report_real(t, any ? ptl_hist_mean(h) : NAN);
    report_text(t, beside);
    add_quantile(t, baseline, 0.25);
    add_quantile(t, baseline, 0.5);
    add_quantile(t, baseline, 0.75);
    report_real(t, base ? ptl_hist_mean(baseline) : NAN);
    report_real(
        t, ratio((double)ptl_hist_quantile(h, 0.5), (double)ptl_hist_quantile(baseline, 0.5)));
    report_real(t, any && base ? ratio(ptl_hist_mean(h), ptl_hist_mean(baseline)) : NAN);
}

static ptl_status add_distances(report_table *t, const ptl_special_facts *f,
                                const ptl_tally *of, ptl_error *err)
{
    ptl_hist random = {0};
    ptl_status status = ptl_random_points(&random, &f->own->per_overmap, err);
    if (status != PTL_OK)
        return status;
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

static void add_radius(report_table *t, const ptl_special_facts *f, const ptl_tally_ripley *r,
                       const ptl_ripley *k)
{
    report_text(t, f->id);
    report_signed(t, k->radius);
    report_whole(t, r->pairs);
    report_real(t, k->k);
    report_text(t, r->on_land ? "land" : "any cell");
    report_real(t, k->random);
    report_range(t, k->low, k->high, 0);
    report_real(t, k->low);
    report_real(t, k->high);
    report_real(t, ratio(k->k, k->random));
    report_text(t, k->k > k->high ? "in clusters" : k->k < k->low ? "apart" : "as at random");
}

static void add_clustering(report_table *t, const ptl_special_facts *f,
                           const section_sample *of)
{
    for (size_t i = 0; i < of->tally->ripley_count; i++) {
        const ptl_tally_ripley *r = of->tally->ripleys[i];
        for (size_t step = 0;
             step < PTL_RIPLEY_RADII && r->pairs > 0 && strcmp(r->id, f->id) == 0; step++) {
            const ptl_ripley k = ptl_ripley_at(r, step, of->confidence);
            add_radius(t, f, r, &k);
        }
    }
}

/* ---- rates ---- */

static void add_rate(report_table *t, const ptl_special_facts *f, const char *by,
                     const char *class, const ptl_class_rate *r)
{
    if (r->overmaps == 0)
        return;
    report_text(t, f->id);
    report_text(t, by);
    report_text(t, class);
    report_whole(t, r->overmaps);
    report_real(t, r->mean);
    report_range(t, r->range.low, r->range.high, 3);
    report_real(t, r->range.low);
    report_real(t, r->range.high);
    report_text(t, r->blocks > 0 ? "blocks" : "overmaps");
    add_percent(t, r->overmaps - r->with, r->overmaps);
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
        if (count == 0)
            continue;
        report_text(t, f->id);
        report_text(t, ptl_rate_reason_key(reason));
        report_whole(t, count);
        add_percent(t, count, f->overmaps);
        report_text(t, ptl_rate_reason_text(reason));
    }
}

ptl_status section_add_detail(report_table *t, section which, const ptl_special_facts *f,
                              const section_sample *of, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (which == SECTION_SPECIAL)
        section_add_facts(t, f);
    else if (which == SECTION_HISTOGRAM)
        add_histogram(t, f);
    else if (!f->own)
        return PTL_OK;
    else if (which == SECTION_LEVELS)
        add_levels(t, f);
    else if (which == SECTION_ROTATIONS)
        add_rotations(t, f);
    else if (which == SECTION_AROUND)
        add_around(t, f);
    else if (which == SECTION_DISTANCES)
        status = add_distances(t, f, of->tally, err);
    else if (which == SECTION_NEIGHBOURS)
        add_neighbours(t, f, of->tally);
    else if (which == SECTION_CLUSTERING)
        add_clustering(t, f, of);
    else if (which == SECTION_RATES)
        add_rates(t, f, of);
    else
        add_failures(t, f);
    return status == PTL_OK ? report_status(t, err) : status;
}
