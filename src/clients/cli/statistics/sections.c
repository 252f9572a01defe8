/* The names and columns of the sections, and the table of all specials. */
#include "clients/cli/statistics/sections.h"

#include "core/error.h"

#include <math.h>

/* clang-format off */
#define COLUMN_SHARE {"share", "%", 1, REPORT_PERCENT}
#define COLUMN_BAR {"bar", "", 0, REPORT_BAR}
/* clang-format on */

/* Returns a special's occurrences, as its definition has them, as a text for people: "3 in 10",
 * "1-4". The cell is empty if the content lacks the special. */
static report_cell occurrences(report_table *t, const ptl_sample_special *d)
{
    if (!d)
        return cell_none();
    return report_format(t,
                         d->is_globally_unique ? "%d in %d, one a world"
                         : d->is_unique        ? "%d in %d"
                                               : "%d-%d",
                         d->occurrences_min, d->occurrences_max);
}

static report_cell expected(report_table *t, const ptl_special_facts *f)
{
    if (f->expected_min < f->expected_max)
        return report_format(t, "%.0f to %.0f", f->expected_min, f->expected_max);
    return f->expected_min == f->expected_max /* false if both are NAN, which means unknown */
               ? report_format(t, "%.3f", f->expected)
               : cell_none();
}

/*
 * The functions from here on describe one special in detail: how many an overmap has, where
 * they stand, and why the rule of placement could not place more. Distances from the special to
 * cities, to roads and to its own kind are compared with those of random points on land.
 */

static double ratio(double a, double b)
{
    return b > 0 && a >= 0 ? a / b : NAN;
}

/* An interval is one column for people, and for machines a column for each end. */
static const report_column special_columns[] = {
    COLUMN(special),
    COLUMN_RANK(occurrences, 5),
    COLUMN_DATA(kind),
    COLUMN_DATA(occurrences_min),
    COLUMN_DATA(occurrences_max),
    COLUMN_DATA(overmaps),
    COLUMN_DATA(asked_sum),
    COLUMN_DATA(placed_sum),
    COLUMN_AS(expected_text, "expected", 0, REPORT_EYE_ONLY),
    COLUMN_DATA(expected),
    COLUMN_DATA(expected_min),
    COLUMN_DATA(expected_max),
    COLUMN_DATA(asked),
    COLUMN_AS(placed, "placed", 3, 0),
    COLUMN_AS(ratio, "ratio", 2, 0),
    COLUMN_AS(others, "by others", 3, REPORT_RANK(8)),
    COLUMN_AS(present, "present", 3, 0),
    COLUMN_AS(present_interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(6)),
    COLUMN_DATA(present_low),
    COLUMN_DATA(present_high),
    COLUMN_DATA(interval_by),
    COLUMN_DATA(design_effect),
    COLUMN_AS(variance, "variance", 3, REPORT_RANK(9)),
    COLUMN_AS(dispersion, "dispersion", 2, REPORT_RANK(9)),
    COLUMN_AS(without, "none in %", 1, REPORT_PERCENT | REPORT_RANK(4)),
    COLUMN_AS(without_interval, "interval, %", 0, REPORT_EYE_ONLY | REPORT_RANK(7)),
    COLUMN_DATA(without_low),
    COLUMN_DATA(without_high),
    COLUMN_DATA(p),
    COLUMN_DATA(p_adjusted),
    COLUMN(verdict),
    COLUMN_AS(short_overmaps, "short", 0, REPORT_RANK(2)),
    COLUMN_AS(reason, "main reason", 0, REPORT_RANK(1)),
    COLUMNS_END};

static const report_column histogram_columns[] = {
    COLUMN(special),  COLUMN_AS(present, "in an overmap", 0, 0),
    COLUMN(overmaps), COLUMN_SHARE,
    COLUMN_BAR,       COLUMNS_END};

static const report_column level_columns[] = {COLUMN(special), COLUMN_AS(z, "level", 0, 0),
                                              COLUMN(places),  COLUMN_SHARE,
                                              COLUMN_BAR,      COLUMNS_END};

static const report_column rotation_columns[] = {
    COLUMN(special), COLUMN_AS(rotation, "north side to the", 0, 0),
    COLUMN(places),  COLUMN_SHARE,
    COLUMN_BAR,      COLUMNS_END};

static const report_column around_columns[] = {
    COLUMN(special), COLUMN_AS(terrain, "terrain around", 0, 0),
    COLUMN(places),  COLUMN_SHARE,
    COLUMN_BAR,      COLUMNS_END};

static const report_column distance_columns[] = {
    COLUMN(special),
    COLUMN_AS(to, "distance to", 0, 0),
    COLUMN(places),
    COLUMN_AS(none, "without", 0, REPORT_RANK(4)),
    COLUMN_RANK(least, 6),
    COLUMN_AS(q25, "25 %", 0, REPORT_RANK(7)),
    COLUMN(median),
    COLUMN_AS(q75, "75 %", 0, REPORT_RANK(7)),
    COLUMN_RANK(most, 6),
    COLUMN_AS(mean, "mean", 1, REPORT_RANK(3)),
    COLUMN_AS(baseline, "beside", 0, REPORT_RANK(2)),
    COLUMN_AS(baseline_q25, "25 %", 0, REPORT_RANK(9)),
    COLUMN_AS(baseline_median, "median", 0, 0),
    COLUMN_AS(baseline_q75, "75 %", 0, REPORT_RANK(9)),
    COLUMN_AS(baseline_mean, "mean", 1, REPORT_RANK(5)),
    COLUMN_AS(median_ratio, "ratio of medians", 2, 0),
    COLUMN_AS(mean_ratio, "of means", 2, REPORT_RANK(8)),
    COLUMNS_END};

static const report_column clustering_columns[] = {
    COLUMN(special),
    COLUMN_AS(radius, "within", 0, 0),
    COLUMN_DATA(pairs),
    COLUMN_AS(k, "K", 0, 0),
    COLUMN_AS(baseline, "beside", 0, REPORT_RANK(3)),
    COLUMN_AS(random, "at random", 0, 0),
    COLUMN_AS(interval, "range", 0, REPORT_EYE_ONLY),
    COLUMN_DATA(random_low),
    COLUMN_DATA(random_high),
    COLUMN_AS(ratio, "ratio", 2, REPORT_RANK(1)),
    COLUMN_AS(pattern, "they lie", 0, REPORT_RANK(2)),
    COLUMNS_END};

static const report_column rate_columns[] = {
    COLUMN(special),
    COLUMN_AS(by, "overmaps by", 0, 0),
    COLUMN(class),
    COLUMN(overmaps),
    COLUMN_AS(present, "present", 3, 0),
    COLUMN_AS(interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(2)),
    COLUMN_DATA(present_low),
    COLUMN_DATA(present_high),
    COLUMN_DATA(interval_by),
    COLUMN_AS(without, "none in %", 1, REPORT_PERCENT | REPORT_RANK(1)),
    COLUMNS_END};

static const report_column failure_columns[] = {COLUMN(special),
                                                COLUMN_DATA(reason),
                                                COLUMN(overmaps),
                                                COLUMN_SHARE,
                                                COLUMN_AS(words, "short because of", 0, 0),
                                                COLUMNS_END};

/* The functions from here on describe the terrains, cities, buildings, lines and waters of a
 * sample as tables. */

/* Returns the standard deviation of n values, from their sum and the sum of their squares. */
static double deviation(double sum, double square_sum, uint64_t n)
{
    if (n < 2)
        return NAN;
    const double mean = sum / (double)n, square = square_sum - sum * mean;
    return square > 0 ? sqrt(square / (double)(n - 1)) : 0;
}

static const report_column terrain_columns[] = {
    COLUMN(terrain),
    COLUMN(cells),
    COLUMN_AS(per_overmap, "per overmap", 2, 0),
    COLUMN_AS(deviation, "std. deviation", 2, REPORT_RANK(5)),
    COLUMN_RANK(overmaps, 4),
    COLUMN_AS(share, "in % of them", 1, REPORT_PERCENT | REPORT_RANK(1)),
    COLUMN_AS(z_min, "lowest", 0, REPORT_RANK(3)),
    COLUMN_AS(z_max, "highest", 0, REPORT_RANK(3)),
    COLUMN_AS(z_most, "most at", 0, REPORT_RANK(2)),
    COLUMNS_END};

static const report_column city_columns[] = {
    COLUMN(size),
    COLUMN(cities),
    COLUMN_AS(per_overmap, "per overmap", 3, 0),
    COLUMN(buildings),
    COLUMN_AS(mean, "per city", 1, 0),
    COLUMN_AS(interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)),
    COLUMN_DATA(low),
    COLUMN_DATA(high),
    COLUMN_AS(deviation, "std. deviation", 1, REPORT_RANK(4)),
    COLUMN_AS(q25, "25 %", 0, REPORT_RANK(2)),
    COLUMN_RANK(median, 1),
    COLUMN_AS(q75, "75 %", 0, REPORT_RANK(2)),
    COLUMNS_END};

static const report_column city_count_columns[] = {
    COLUMN_AS(cities, "cities in an overmap", 0, 0), COLUMN(overmaps), COLUMN_SHARE, COLUMN_BAR,
    COLUMNS_END};

static const report_column building_columns[] = {
    COLUMN(building),
    COLUMN(count),
    COLUMN_AS(per_overmap, "per overmap", 2, 0),
    COLUMN_AS(per_city, "per city", 3, 0),
    COLUMN_RANK(overmaps, 4),
    COLUMN_AS(share, "in % of them", 1, REPORT_PERCENT | REPORT_RANK(5)),
    COLUMN_AS(distance_min, "least distance", 0, REPORT_RANK(2)),
    COLUMN_AS(distance_mean, "mean", 1, REPORT_RANK(1)),
    COLUMN_AS(distance_max, "most", 0, REPORT_RANK(2)),
    COLUMNS_END};

static const report_column building_size_columns[] = {
    COLUMN(building), COLUMN_AS(size, "city size", 0, 0),    COLUMN(cities),
    COLUMN(count),    COLUMN_AS(per_city, "per city", 3, 0), COLUMNS_END};

static const report_column line_columns[] = {
    COLUMN(connection),
    COLUMN(cells),
    COLUMN_AS(per_overmap, "per overmap", 1, 0),
    COLUMN_AS(interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)),
    COLUMN_DATA(low),
    COLUMN_DATA(high),
    COLUMN_AS(deviation, "std. deviation", 1, REPORT_RANK(4)),
    COLUMN_AS(q25, "25 %", 0, REPORT_RANK(2)),
    COLUMN_RANK(median, 1),
    COLUMN_AS(q75, "75 %", 0, REPORT_RANK(2)),
    COLUMN_RANK(most, 5),
    COLUMN_AS(without, "none in %", 1, REPORT_PERCENT | REPORT_RANK(6)),
    COLUMNS_END};

static const report_column water_columns[] = {
    COLUMN(water),
    COLUMN(bodies),
    COLUMN_AS(per_overmap, "per overmap", 2, 0),
    COLUMN_AS(mean, "mean cells", 1, 0),
    COLUMN_AS(q25, "25 %", 0, REPORT_RANK(4)),
    COLUMN(median),
    COLUMN_AS(q75, "75 %", 0, REPORT_RANK(4)),
    COLUMN_RANK(most, 1),
    COLUMN_AS(cover, "covers %", 1, REPORT_PERCENT),
    COLUMN_AS(cover_median, "of an overmap: median", 1, REPORT_PERCENT | REPORT_RANK(2)),
    COLUMN_AS(cover_most, "most", 1, REPORT_PERCENT | REPORT_RANK(3)),
    COLUMNS_END};

#define PLACES        PTL_COUNT_PLACES
#define BESIDE_RANDOM (PTL_COUNT_PLACES | PTL_COUNT_BASELINE)
const section_spec section_specs[SECTION_COUNT] = {
    {"specials", special_columns, 0, NULL, "Specials, per overmap"},
    {"special", special_columns, 0, NULL, NULL},
    {"histogram", histogram_columns, 0, NULL, "How many are in an overmap"},
    {"levels", level_columns, PLACES, NULL, "Levels"},
    {"rotations", rotation_columns, PLACES, NULL, "Rotations"},
    {"around", around_columns, PLACES, NULL, "Terrain that most cells beside it have"},
    {"distances", distance_columns, BESIDE_RANDOM, NULL,
     "Distances, in OMTs, beside those of random points"},
    {"neighbours", distance_columns, BESIDE_RANDOM, NULL,
     "The nearest of another kind, in OMTs, beside points at random"},
    {"clustering", clustering_columns, BESIDE_RANDOM, NULL,
     "Ripley's K: others within so many OMTs, times an OMT's share"},
    {"rates", rate_columns, PTL_COUNT_CITIES | PTL_COUNT_WATERS, NULL,
     "How many an overmap has, by region, lake and largest city"},
    {"failures", failure_columns, 0, NULL,
     "Overmaps in which fewer were placed than asked for"},
    {"terrains", terrain_columns, PTL_COUNT_TERRAINS, "terrains", "Terrains, on all levels"},
    {"cities", city_columns, PTL_COUNT_CITIES, "cities",
     "Cities by size (16: larger ones, too)"},
    {"cities-per-overmap", city_count_columns, PTL_COUNT_CITIES, "cities",
     "Cities per overmap"},
    {"buildings", building_columns, PTL_COUNT_CITIES, "buildings",
     "Buildings of cities; distances from the city's centre, in OMTs"},
    {"building-sizes", building_size_columns, PTL_COUNT_CITIES, "buildings",
     "Buildings by the size of their city (16: larger ones, too)"},
    {"lines", line_columns, PTL_COUNT_LINES, "lines",
     "Lengths of roads and other connections, in cells on all levels"},
    {"water", water_columns, PTL_COUNT_WATERS, "water",
     "Lakes and rivers: connected cells inside an overmap"},
};

section section_find(const char *name)
{
    int i = 0;
    while (i < SECTION_COUNT && strcmp(section_specs[i].name, name) != 0)
        i++;
    return (section)i;
}

bool section_is_detail(section which)
{
    return which >= SECTION_SPECIAL && which <= SECTION_FAILURES;
}

void section_init(report_table *t, section which)
{
    const section_spec *spec = &section_specs[which];
    report_init(t, spec->name, spec->title, spec->columns);
}

/* ---- a row for a special ---- */

/* Adds the row of a special, for SECTION_SPECIALS and SECTION_SPECIAL. */
static void section_add_facts(report_table *t, const ptl_special_facts *f)
{
    const ptl_sample_special *d = f->definition;
    const ptl_interval *present = &f->present_range, *without = &f->without_range;
    const char *kind = !d                      ? NULL
                       : d->is_globally_unique ? "globally unique"
                       : d->is_unique          ? "unique"
                                               : "plain";
    report_put(
        t,
        CELLS(cell_text(f->id), occurrences(t, d), cell_text(kind),
              d ? cell_int(d->occurrences_min) : cell_none(),
              d ? cell_int(d->occurrences_max) : cell_none(), cell_uint(f->overmaps),
              cell_uint(f->asked_sum), cell_uint(f->placed_sum), expected(t, f),
              cell_real(f->expected), cell_real(f->expected_min), cell_real(f->expected_max),
              cell_real(f->asked), cell_real(f->placed), cell_real(f->ratio),
              cell_real(f->others), cell_real(f->present),
              report_range(t, present->low, present->high, 3), cell_real(present->low),
              cell_real(present->high), cell_text(f->blocks > 0 ? "blocks" : "overmaps"),
              cell_real(f->design_effect), cell_real(f->variance),
              cell_real(f->present > 0 ? f->variance / f->present : NAN), cell_real(f->without),
              report_range(t, 100 * without->low, 100 * without->high, 1),
              cell_real(without->low), cell_real(without->high), cell_real(f->p),
              cell_real(f->p_adjusted), cell_text(ptl_rate_verdict_text(f->verdict)),
              cell_uint(f->missing),
              cell_text(f->reason == PTL_REASON_NONE ? NULL : ptl_rate_reason_key(f->reason))));
}

void section_add_specials(report_table *t, const ptl_facts *facts, bool lacking_only)
{
    for (size_t i = 0; i < facts->count; i++)
        if (!lacking_only || ptl_facts_is_lacking(facts->items[i]))
            section_add_facts(t, facts->items[i]);
}

static const ptl_hist nothing = {0};

/* Returns a cell with a quantile: the value below which this share of the observations lies.
 * The cell is empty if there are no observations. */
static report_cell cell_quantile(const ptl_hist *h, double share)
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

/* Adds a row of a section: the value `what`, how often it occurs, and its share, once as a
 * number and once as a bar. */
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

/* ---- terrains ---- */

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
    uint64_t all = 0; /* number of cities, of all sizes together */
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

/* Adds the row of a kind of water. `cover` is a histogram of the overmaps by the part of their
 * area that this water covers, in thousandths. */
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
