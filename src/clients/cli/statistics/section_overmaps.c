/* Terrains, cities with their buildings, lines and waters of a tally, as tables. */
#include "clients/cli/statistics/sections_impl.h"

#include <math.h>

static double per(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

/* ---- terrains ---- */

/* Returns the sample's standard deviation, out of the sum and the sum of squares. */
static double deviation(double sum, double square_sum, uint64_t n)
{
    if (n < 2)
        return NAN;
    const double mean = sum / (double)n, square = square_sum - sum * mean;
    return square > 0 ? sqrt(square / (double)(n - 1)) : 0;
}

static void add_terrain(report_table *t, const ptl_tally_terrain *r, uint64_t overmaps)
{
    int64_t low = -1, high = -1, most = 0;
    for (int64_t z = 0; z < PTL_LEVELS; z++) {
        if (r->cells_at[z] == 0)
            continue;
        low = low < 0 ? z : low;
        high = z;
        most = r->cells_at[z] > r->cells_at[most] ? z : most;
    }
    report_text(t, r->id);
    report_whole(t, r->cells);
    report_real(t, per(r->cells, overmaps));
    report_real(t, deviation((double)r->cells, r->square_sum, overmaps));
    report_whole(t, r->overmaps);
    add_percent(t, r->overmaps, overmaps);
    report_signed(t, low + PTL_Z_MIN);
    report_signed(t, high + PTL_Z_MIN);
    report_signed(t, most + PTL_Z_MIN);
}

/* ---- cities ---- */

enum { CITY_SIZES = sizeof((ptl_tally *)0)->cities / sizeof((ptl_tally *)0)->cities[0] };

static void add_city_size(report_table *t, size_t size, const ptl_tally *of, double confidence)
{
    const ptl_tally_city_size *c = &of->cities[size];
    const ptl_hist *h = &c->buildings_per_city;
    const ptl_interval range = ptl_mean_interval(h, confidence);
    report_whole(t, size);
    report_whole(t, c->cities);
    report_real(t, per(c->cities, of->overmaps));
    report_whole(t, c->buildings);
    report_real(t, per(c->buildings, c->cities));
    report_range(t, range.low, range.high, 1);
    report_real(t, range.low);
    report_real(t, range.high);
    report_real(t, sqrt(ptl_hist_variance(h)));
    add_quantile(t, h, 0.25);
    add_quantile(t, h, 0.5);
    add_quantile(t, h, 0.75);
}

static void add_cities_per_overmap(report_table *t, const ptl_tally *of)
{
    const ptl_hist *h = &of->cities_per_overmap;
    for (size_t v = 0; v < section_extent(h) && v < h->size; v++) {
        report_whole(t, v);
        report_whole(t, h->counts[v]);
        add_share(t, h->counts[v], of->overmaps);
    }
}

static uint64_t all_cities(const ptl_tally *of)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < CITY_SIZES; i++)
        sum += of->cities[i].cities;
    return sum;
}

static void add_building(report_table *t, const ptl_tally_building *b, const ptl_tally *of)
{
    report_text(t, b->id);
    report_whole(t, b->count);
    report_real(t, per(b->count, of->overmaps));
    report_real(t, per(b->count, all_cities(of)));
    report_whole(t, b->overmaps);
    add_percent(t, b->overmaps, of->overmaps);
    report_signed(t, b->distance_min);
    report_real(t, per(b->distance_sum, b->count));
    report_signed(t, b->distance_max);
}

static void add_building_sizes(report_table *t, const ptl_tally_building *b,
                               const ptl_tally *of)
{
    for (size_t size = 0; size < CITY_SIZES; size++) {
        if (of->cities[size].cities == 0 || b->by_size[size] == 0)
            continue;
        report_text(t, b->id);
        report_whole(t, size);
        report_whole(t, of->cities[size].cities);
        report_whole(t, b->by_size[size]);
        report_real(t, per(b->by_size[size], of->cities[size].cities));
    }
}

/* ---- lines and waters ---- */

/* Returns the sum of the values. */
static uint64_t hist_sum(const ptl_hist *h)
{
    uint64_t sum = 0;
    for (size_t v = 1; v < h->size; v++)
        sum += v * h->counts[v];
    return sum;
}

static void add_line(report_table *t, const ptl_tally_line *l, const ptl_tally *of,
                     double confidence)
{
    const ptl_interval range = ptl_mean_interval(&l->cells, confidence);
    report_text(t, l->id);
    report_whole(t, hist_sum(&l->cells));
    report_real(t, ptl_hist_mean(&l->cells));
    report_range(t, range.low, range.high, 1);
    report_real(t, range.low);
    report_real(t, range.high);
    report_real(t, sqrt(ptl_hist_variance(&l->cells)));
    add_quantile(t, &l->cells, 0.25);
    add_quantile(t, &l->cells, 0.5);
    add_quantile(t, &l->cells, 0.75);
    add_quantile(t, &l->cells, 1);
    add_percent(t, l->cells.size ? l->cells.counts[0] : 0, of->overmaps);
}

/* cover: in tenths of a per cent of an overmap. */
static void add_water(report_table *t, const char *name, const ptl_hist *cells,
                      const ptl_hist *cover, const ptl_tally *of)
{
    static const double WHOLE = 1000;
    const double all = (double)of->overmaps * PTL_LEVEL_CELLS;
    report_text(t, name);
    report_whole(t, ptl_hist_total(cells));
    report_real(t, per(ptl_hist_total(cells), of->overmaps));
    report_real(t, ptl_hist_total(cells) ? ptl_hist_mean(cells) : NAN);
    add_quantile(t, cells, 0.25);
    add_quantile(t, cells, 0.5);
    add_quantile(t, cells, 0.75);
    add_quantile(t, cells, 1);
    report_real(t, of->overmaps ? (double)hist_sum(cells) / all : NAN);
    report_real(t, ptl_hist_total(cover) ? (double)ptl_hist_quantile(cover, 0.5) / WHOLE : NAN);
    report_real(t, ptl_hist_total(cover) ? (double)ptl_hist_quantile(cover, 1) / WHOLE : NAN);
}

void section_add_overmaps(report_table *t, section which, const ptl_tally *of,
                          double confidence)
{
    if (which == SECTION_TERRAINS)
        for (size_t i = 0; i < of->terrain_count; i++)
            add_terrain(t, of->terrains[i], of->overmaps);
    else if (which == SECTION_CITIES)
        for (size_t i = 0; i < CITY_SIZES; i++) {
            if (of->cities[i].cities > 0)
                add_city_size(t, i, of, confidence);
        }
    else if (which == SECTION_CITIES_PER_OVERMAP)
        add_cities_per_overmap(t, of);
    else if (which == SECTION_BUILDINGS)
        for (size_t i = 0; i < of->building_count; i++)
            add_building(t, of->buildings[i], of);
    else if (which == SECTION_BUILDING_SIZES)
        for (size_t i = 0; i < of->building_count; i++)
            add_building_sizes(t, of->buildings[i], of);
    else if (which == SECTION_LINES)
        for (size_t i = 0; i < of->line_count; i++)
            add_line(t, of->lines[i], of, confidence);
    else if (which == SECTION_WATER) {
        add_water(t, "lake", &of->lake_cells, &of->lake_share, of);
        add_water(t, "river", &of->river_cells, &of->river_share, of);
    }
}
