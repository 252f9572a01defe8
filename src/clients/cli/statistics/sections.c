/* Names and columns of the sections, and the table of all specials. */
#include "clients/cli/statistics/sections.h"

#include "clients/cli/statistics/sections_impl.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A share with its interval, and a mean with its interval, are a column for the eye and three
 * for machines. */
static const report_column special_columns[] = {
    {"special", "special", 0, 0},
    {"occurrences", "occurrences", 0, REPORT_RANK(5)},
    {"kind", "kind", 0, REPORT_DATA_ONLY},
    {"occurrences_min", "min", 0, REPORT_DATA_ONLY},
    {"occurrences_max", "max", 0, REPORT_DATA_ONLY},
    {"overmaps", "overmaps", 0, REPORT_DATA_ONLY},
    {"asked_sum", "asked for, in all", 0, REPORT_DATA_ONLY},
    {"placed_sum", "placed, in all", 0, REPORT_DATA_ONLY},
    {"expected_text", "expected", 0, REPORT_EYE_ONLY},
    {"expected", "expected", 3, REPORT_DATA_ONLY},
    {"expected_min", "from", 3, REPORT_DATA_ONLY},
    {"expected_max", "to", 3, REPORT_DATA_ONLY},
    {"asked", "asked for", 3, REPORT_DATA_ONLY},
    {"placed", "placed", 3, 0},
    {"ratio", "ratio", 2, 0},
    {"others", "by others", 3, REPORT_RANK(8)},
    {"present", "present", 3, 0},
    {"present_interval", "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(6)},
    {"present_low", "low", 3, REPORT_DATA_ONLY},
    {"present_high", "high", 3, REPORT_DATA_ONLY},
    {"interval_by", "interval by", 0, REPORT_DATA_ONLY},
    {"design_effect", "design effect", 2, REPORT_DATA_ONLY},
    {"variance", "variance", 3, REPORT_RANK(9)},
    {"dispersion", "dispersion", 2, REPORT_RANK(9)},
    {"without", "none in %", 1, REPORT_PERCENT | REPORT_RANK(4)},
    {"without_interval", "interval, %", 0, REPORT_EYE_ONLY | REPORT_RANK(7)},
    {"without_low", "low", 3, REPORT_DATA_ONLY},
    {"without_high", "high", 3, REPORT_DATA_ONLY},
    {"p", "p", 4, REPORT_DATA_ONLY},
    {"p_adjusted", "p, corrected", 4, REPORT_DATA_ONLY},
    {"verdict", "verdict", 0, 0},
    {"short_overmaps", "short", 0, REPORT_RANK(2)},
    {"reason", "main reason", 0, REPORT_RANK(1)},
    {0}};

static const report_column histogram_columns[] = {
    {"special", "special", 0, 0},   {"present", "in an overmap", 0, 0},
    {"overmaps", "overmaps", 0, 0}, {"share", "%", 1, REPORT_PERCENT},
    {"bar", "", 0, REPORT_BAR},     {0}};

static const report_column level_columns[] = {
    {"special", "special", 0, 0},      {"z", "level", 0, 0},       {"places", "places", 0, 0},
    {"share", "%", 1, REPORT_PERCENT}, {"bar", "", 0, REPORT_BAR}, {0}};

static const report_column rotation_columns[] = {
    {"special", "special", 0, 0}, {"rotation", "north side to the", 0, 0},
    {"places", "places", 0, 0},   {"share", "%", 1, REPORT_PERCENT},
    {"bar", "", 0, REPORT_BAR},   {0}};

static const report_column around_columns[] = {
    {"special", "special", 0, 0}, {"terrain", "terrain around", 0, 0},
    {"places", "places", 0, 0},   {"share", "%", 1, REPORT_PERCENT},
    {"bar", "", 0, REPORT_BAR},   {0}};

static const report_column distance_columns[] = {{"special", "special", 0, 0},
                                                 {"to", "distance to", 0, 0},
                                                 {"places", "places", 0, 0},
                                                 {"none", "without", 0, REPORT_RANK(4)},
                                                 {"least", "least", 0, REPORT_RANK(6)},
                                                 {"q25", "25 %", 0, REPORT_RANK(7)},
                                                 {"median", "median", 0, 0},
                                                 {"q75", "75 %", 0, REPORT_RANK(7)},
                                                 {"most", "most", 0, REPORT_RANK(6)},
                                                 {"mean", "mean", 1, REPORT_RANK(3)},
                                                 {"baseline", "beside", 0, REPORT_RANK(2)},
                                                 {"baseline_q25", "25 %", 0, REPORT_RANK(9)},
                                                 {"baseline_median", "median", 0, 0},
                                                 {"baseline_q75", "75 %", 0, REPORT_RANK(9)},
                                                 {"baseline_mean", "mean", 1, REPORT_RANK(5)},
                                                 {"median_ratio", "ratio of medians", 2, 0},
                                                 {"mean_ratio", "of means", 2, REPORT_RANK(8)},
                                                 {0}};

static const report_column clustering_columns[] = {{"special", "special", 0, 0},
                                                   {"radius", "within", 0, 0},
                                                   {"pairs", "pairs", 0, REPORT_DATA_ONLY},
                                                   {"k", "K", 0, 0},
                                                   {"baseline", "beside", 0, REPORT_RANK(3)},
                                                   {"random", "at random", 0, 0},
                                                   {"interval", "range", 0, REPORT_EYE_ONLY},
                                                   {"random_low", "low", 0, REPORT_DATA_ONLY},
                                                   {"random_high", "high", 0, REPORT_DATA_ONLY},
                                                   {"ratio", "ratio", 2, REPORT_RANK(1)},
                                                   {"pattern", "they lie", 0, REPORT_RANK(2)},
                                                   {0}};

static const report_column rate_columns[] = {
    {"special", "special", 0, 0},
    {"by", "overmaps by", 0, 0},
    {"class", "class", 0, 0},
    {"overmaps", "overmaps", 0, 0},
    {"present", "present", 3, 0},
    {"interval", "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(2)},
    {"present_low", "low", 3, REPORT_DATA_ONLY},
    {"present_high", "high", 3, REPORT_DATA_ONLY},
    {"interval_by", "interval by", 0, REPORT_DATA_ONLY},
    {"without", "none in %", 1, REPORT_PERCENT | REPORT_RANK(1)},
    {0}};

static const report_column failure_columns[] = {
    {"special", "special", 0, 0},        {"reason", "reason", 0, REPORT_DATA_ONLY},
    {"overmaps", "overmaps", 0, 0},      {"share", "%", 1, REPORT_PERCENT},
    {"words", "short because of", 0, 0}, {0}};

static const report_column terrain_columns[] = {
    {"terrain", "terrain", 0, 0},
    {"cells", "cells", 0, 0},
    {"per_overmap", "per overmap", 2, 0},
    {"deviation", "std. deviation", 2, REPORT_RANK(5)},
    {"overmaps", "overmaps", 0, REPORT_RANK(4)},
    {"share", "in % of them", 1, REPORT_PERCENT | REPORT_RANK(1)},
    {"z_min", "lowest", 0, REPORT_RANK(3)},
    {"z_max", "highest", 0, REPORT_RANK(3)},
    {"z_most", "most at", 0, REPORT_RANK(2)},
    {0}};

static const report_column city_columns[] = {
    {"size", "size", 0, 0},
    {"cities", "cities", 0, 0},
    {"per_overmap", "per overmap", 3, 0},
    {"buildings", "buildings", 0, 0},
    {"mean", "per city", 1, 0},
    {"interval", "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)},
    {"low", "low", 1, REPORT_DATA_ONLY},
    {"high", "high", 1, REPORT_DATA_ONLY},
    {"deviation", "std. deviation", 1, REPORT_RANK(4)},
    {"q25", "25 %", 0, REPORT_RANK(2)},
    {"median", "median", 0, REPORT_RANK(1)},
    {"q75", "75 %", 0, REPORT_RANK(2)},
    {0}};

static const report_column city_count_columns[] = {{"cities", "cities in an overmap", 0, 0},
                                                   {"overmaps", "overmaps", 0, 0},
                                                   {"share", "%", 1, REPORT_PERCENT},
                                                   {"bar", "", 0, REPORT_BAR},
                                                   {0}};

static const report_column building_columns[] = {
    {"building", "building", 0, 0},
    {"count", "count", 0, 0},
    {"per_overmap", "per overmap", 2, 0},
    {"per_city", "per city", 3, 0},
    {"overmaps", "overmaps", 0, REPORT_RANK(4)},
    {"share", "in % of them", 1, REPORT_PERCENT | REPORT_RANK(5)},
    {"distance_min", "least distance", 0, REPORT_RANK(2)},
    {"distance_mean", "mean", 1, REPORT_RANK(1)},
    {"distance_max", "most", 0, REPORT_RANK(2)},
    {0}};

static const report_column building_size_columns[] = {
    {"building", "building", 0, 0}, {"size", "city size", 0, 0},    {"cities", "cities", 0, 0},
    {"count", "count", 0, 0},       {"per_city", "per city", 3, 0}, {0}};

static const report_column line_columns[] = {
    {"connection", "connection", 0, 0},
    {"cells", "cells", 0, 0},
    {"per_overmap", "per overmap", 1, 0},
    {"interval", "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)},
    {"low", "low", 1, REPORT_DATA_ONLY},
    {"high", "high", 1, REPORT_DATA_ONLY},
    {"deviation", "std. deviation", 1, REPORT_RANK(4)},
    {"q25", "25 %", 0, REPORT_RANK(2)},
    {"median", "median", 0, REPORT_RANK(1)},
    {"q75", "75 %", 0, REPORT_RANK(2)},
    {"most", "most", 0, REPORT_RANK(5)},
    {"without", "none in %", 1, REPORT_PERCENT | REPORT_RANK(6)},
    {0}};

static const report_column water_columns[] = {
    {"water", "water", 0, 0},
    {"bodies", "bodies", 0, 0},
    {"per_overmap", "per overmap", 2, 0},
    {"mean", "mean cells", 1, 0},
    {"q25", "25 %", 0, REPORT_RANK(4)},
    {"median", "median", 0, 0},
    {"q75", "75 %", 0, REPORT_RANK(4)},
    {"most", "most", 0, REPORT_RANK(1)},
    {"cover", "covers %", 1, REPORT_PERCENT},
    {"cover_median", "of an overmap: median", 1, REPORT_PERCENT | REPORT_RANK(2)},
    {"cover_most", "most", 1, REPORT_PERCENT | REPORT_RANK(3)},
    {0}};

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

static void add_occurrences(report_table *t, const ptl_special_facts *f)
{
    const ptl_sample_special *d = f->definition;
    if (!d) {
        report_none(t);
        report_none(t);
        report_none(t);
        report_none(t);
        return;
    }
    const bool unique = d->is_unique || d->is_globally_unique;
    if (d->is_globally_unique)
        report_textf(t, "%d in %d, one a world", d->occurrences_min, d->occurrences_max);
    else if (unique)
        report_textf(t, "%d in %d", d->occurrences_min, d->occurrences_max);
    else
        report_textf(t, "%d-%d", d->occurrences_min, d->occurrences_max);
    report_text(t, d->is_globally_unique ? "globally unique" : unique ? "unique" : "plain");
    report_signed(t, d->occurrences_min);
    report_signed(t, d->occurrences_max);
}

static void add_expected(report_table *t, const ptl_special_facts *f)
{
    if (f->expected_min < f->expected_max)
        report_textf(t, "%.0f to %.0f", f->expected_min, f->expected_max);
    else if (f->expected_min == f->expected_max) /* not of NANs */
        report_textf(t, "%.3f", f->expected);
    else
        report_none(t);
    report_real(t, f->expected);
    report_real(t, f->expected_min);
    report_real(t, f->expected_max);
    report_real(t, f->asked);
}

void section_add_facts(report_table *t, const ptl_special_facts *f)
{
    report_text(t, f->id);
    add_occurrences(t, f);
    report_whole(t, f->overmaps);
    report_whole(t, f->asked_sum);
    report_whole(t, f->placed_sum);
    add_expected(t, f);
    report_real(t, f->placed);
    report_real(t, f->ratio);
    report_real(t, f->others);
    report_real(t, f->present);
    report_range(t, f->present_range.low, f->present_range.high, 3);
    report_real(t, f->present_range.low);
    report_real(t, f->present_range.high);
    report_text(t, f->blocks > 0 ? "blocks" : "overmaps");
    report_real(t, f->design_effect);
    report_real(t, f->variance);
    report_real(t, f->present > 0 ? f->variance / f->present : NAN);
    report_real(t, f->without);
    report_percents(t, f->without_range.low, f->without_range.high);
    report_real(t, f->without_range.low);
    report_real(t, f->without_range.high);
    report_real(t, f->p);
    report_real(t, f->p_adjusted);
    report_text(t, ptl_rate_verdict_text(f->verdict));
    report_whole(t, f->missing);
    report_text(t, f->reason == PTL_REASON_NONE ? NULL : ptl_rate_reason_key(f->reason));
}

void section_add_specials(report_table *t, const ptl_facts *facts, bool lacking_only)
{
    for (size_t i = 0; i < facts->count; i++)
        if (!lacking_only || ptl_facts_lacking(facts->items[i]))
            section_add_facts(t, facts->items[i]);
}
