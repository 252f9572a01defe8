/* The terrains, cities, buildings, lines and waters of a tally, as tables. */
#include "clients/cli/statistics/sections.h"

#include <math.h>

/* ---- terrains ---- */

/* Returns the standard deviation of a sample from its sum and its sum of squares. */
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
    report_put(t, CELLS(cell_text(r->id), cell_uint(r->cells), cell_share(r->cells, overmaps),
                        cell_real(deviation((double)r->cells, r->square_sum, overmaps)),
                        cell_uint(r->overmaps), cell_share(r->overmaps, overmaps),
                        cell_int(low + PTL_Z_MIN), cell_int(high + PTL_Z_MIN),
                        cell_int(most + PTL_Z_MIN)));
}

/* ---- cities ---- */

enum { CITY_SIZES = sizeof((ptl_tally *)0)->cities / sizeof((ptl_tally *)0)->cities[0] };

static void add_city_size(report_table *t, size_t size, const ptl_tally *of, double confidence)
{
    const ptl_tally_city_size *c = &of->cities[size];
    const ptl_hist *h = &c->buildings_per_city;
    const ptl_interval range = ptl_mean_interval(h, confidence);
    report_put(t,
               CELLS(cell_uint(size), cell_uint(c->cities), cell_share(c->cities, of->overmaps),
                     cell_uint(c->buildings), cell_share(c->buildings, c->cities),
                     report_range(t, range.low, range.high, 1), cell_real(range.low),
                     cell_real(range.high), cell_real(sqrt(ptl_hist_variance(h))),
                     cell_quantile(h, 0.25), cell_quantile(h, 0.5), cell_quantile(h, 0.75)));
}

static void add_building(report_table *t, const ptl_tally_building *b, const ptl_tally *of)
{
    uint64_t all = 0; /* cities of all sizes */
    for (size_t i = 0; i < CITY_SIZES; i++)
        all += of->cities[i].cities;

    report_put(t,
               CELLS(cell_text(b->id), cell_uint(b->count), cell_share(b->count, of->overmaps),
                     cell_share(b->count, all), cell_uint(b->overmaps),
                     cell_share(b->overmaps, of->overmaps), cell_int(b->distance_min),
                     cell_share(b->distance_sum, b->count), cell_int(b->distance_max)));
}

/* ---- lines and waters ---- */

/* Returns the sum of all observed values. */
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
    const ptl_hist *h = &l->cells;
    const ptl_interval range = ptl_mean_interval(h, confidence);
    report_put(t, CELLS(cell_text(l->id), cell_uint(hist_sum(h)), cell_real(ptl_hist_mean(h)),
                        report_range(t, range.low, range.high, 1), cell_real(range.low),
                        cell_real(range.high), cell_real(sqrt(ptl_hist_variance(h))),
                        cell_quantile(h, 0.25), cell_quantile(h, 0.5), cell_quantile(h, 0.75),
                        cell_quantile(h, 1),
                        cell_share(h->size ? h->counts[0] : 0, of->overmaps)));
}

/* Adds the row of a kind of water. cover is in thousandths of an overmap. */
static void add_water(report_table *t, const char *name, const ptl_hist *cells,
                      const ptl_hist *cover, const ptl_tally *of)
{
    static const double WHOLE = 1000;
    const double all = (double)of->overmaps * PTL_LEVEL_CELLS;
    const uint64_t bodies = ptl_hist_total(cells);
    const bool covers = ptl_hist_total(cover) > 0;
    report_put(t, CELLS(cell_text(name), cell_uint(bodies), cell_share(bodies, of->overmaps),
                        cell_real(bodies ? ptl_hist_mean(cells) : NAN),
                        cell_quantile(cells, 0.25), cell_quantile(cells, 0.5),
                        cell_quantile(cells, 0.75), cell_quantile(cells, 1),
                        cell_real(of->overmaps ? (double)hist_sum(cells) / all : NAN),
                        cell_real(covers ? (double)ptl_hist_quantile(cover, 0.5) / WHOLE : NAN),
                        cell_real(covers ? (double)ptl_hist_quantile(cover, 1) / WHOLE : NAN)));
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
    else if (which == SECTION_CITIES_PER_OVERMAP) {
        const ptl_hist *h = &of->cities_per_overmap;
        for (size_t v = 0; v < section_extent(h) && v < h->size; v++) {
            const report_cell share = cell_share(h->counts[v], of->overmaps);
            report_put(t, CELLS(cell_uint(v), cell_uint(h->counts[v]), share, share));
        }
    } else if (which == SECTION_BUILDINGS)
        for (size_t i = 0; i < of->building_count; i++)
            add_building(t, of->buildings[i], of);
    else if (which == SECTION_BUILDING_SIZES)
        for (size_t i = 0; i < of->building_count * CITY_SIZES; i++) {
            const ptl_tally_building *b = of->buildings[i / CITY_SIZES];
            const size_t size = i % CITY_SIZES;
            const uint64_t cities = of->cities[size].cities, count = b->by_size[size];
            if (cities > 0 && count > 0)
                report_put(t, CELLS(cell_text(b->id), cell_uint(size), cell_uint(cities),
                                    cell_uint(count), cell_share(count, cities)));
        }
    else if (which == SECTION_LINES)
        for (size_t i = 0; i < of->line_count; i++)
            add_line(t, of->lines[i], of, confidence);
    else if (which == SECTION_WATER) {
        add_water(t, "lake", &of->lake_cells, &of->lake_share, of);
        add_water(t, "river", &of->river_cells, &of->river_share, of);
    }
}
