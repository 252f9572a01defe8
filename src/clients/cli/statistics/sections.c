/* The names and columns of the sections, and the table of all specials. */
#include "clients/cli/statistics/sections.h"

#include <math.h>

/* clang-format off */
#define COLUMN_SHARE {"share", "%", 1, REPORT_PERCENT}
#define COLUMN_BAR {"bar", "", 0, REPORT_BAR}
/* clang-format on */

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

static const struct section_spec {
    const char *name, *title;
    const report_column *columns;
} specs[SECTION_COUNT] = {
    {"specials", "Specials, per overmap", special_columns},
    {"special", NULL, special_columns},
    {"histogram", "How many are in an overmap", histogram_columns},
    {"levels", "Levels", level_columns},
    {"rotations", "Rotations", rotation_columns},
    {"around", "Terrain that most cells beside it have", around_columns},
    {"distances", "Distances, in OMTs, beside those of random points", distance_columns},
    {"neighbours", "The nearest of another kind, in OMTs, beside points at random",
     distance_columns},
    {"clustering", "Ripley's K: others within so many OMTs, times an OMT's share",
     clustering_columns},
    {"rates", "How many an overmap has, by region, lake and largest city", rate_columns},
    {"failures", "Overmaps in which fewer were placed than asked for", failure_columns},
    {"terrains", "Terrains, on all levels", terrain_columns},
    {"cities", "Cities by size (16: larger ones, too)", city_columns},
    {"cities-per-overmap", "Cities per overmap", city_count_columns},
    {"buildings", "Buildings of cities; distances from the city's centre, in OMTs",
     building_columns},
    {"building-sizes", "Buildings by the size of their city (16: larger ones, too)",
     building_size_columns},
    {"lines", "Lengths of roads and other connections, in cells on all levels", line_columns},
    {"water", "Lakes and rivers: connected cells inside an overmap", water_columns},
};

const char *section_name(section which)
{
    return specs[which].name;
}

section section_find(const char *name)
{
    int i = 0;
    while (i < SECTION_COUNT && strcmp(specs[i].name, name) != 0)
        i++;
    return (section)i;
}

bool section_is_detail(section which)
{
    return which >= SECTION_SPECIAL && which <= SECTION_FAILURES;
}

void section_init(report_table *t, section which)
{
    report_init(t, specs[which].name, specs[which].title, specs[which].columns);
}

/* ---- a row for a special ---- */

/* Returns the occurrences for people: "3 in 10", "1-4"; empty if the content
 * lacks the special. */
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
    return f->expected_min == f->expected_max /* false for NANs */
               ? report_format(t, "%.3f", f->expected)
               : cell_none();
}

void section_add_facts(report_table *t, const ptl_special_facts *f)
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
