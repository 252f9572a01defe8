/* Chooses the charts of the sections, and computes the numbers in them. */
#include "clients/cli/pictures/chart.h"
#include "clients/cli/statistics/stats.h"
#include "core/error.h"
#include "os/folder.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>

enum { TOP = 40 }; /* the most rows of a chart that shows only the largest values */

/* The state of drawing: the report, and where the charts go. */
typedef struct drawing {
    const stats_report *r;
    chart_sheet sheet;
    bool failed; /* memory is out */
} drawing;

/* ---- all specials ---- */

/* Makes a row with the number of instances that the rule of placement placed. Instances that
 * another special or another step of generation placed are subtracted, because the expected
 * number does not include them. */
static chart_row facts_row(const ptl_special_facts *f)
{
    const double others = isnan(f->expected_min) ? 0 : f->others;
    const double low = f->present_range.low - others;
    return (chart_row){
        f->id,       f->present - others, low > 0 ? low : 0, f->present_range.high - others,
        f->expected, f->expected_min,     f->expected_max};
}

/* Returns how far the number of placed specials is from the expected number: the absolute
 * logarithm of their ratio. Returns 0 if the expected number lies in the confidence interval of
 * the placed number. */
static double departure(const ptl_special_facts *f)
{
    const double nothing = f->overmaps ? 0.5 / (double)f->overmaps : 1;
    const chart_row row = facts_row(f);
    if (isnan(f->expected_min) || f->definition->is_globally_unique)
        return 0;
    if (f->expected_min > row.high)
        return log((f->expected_min + nothing) / (row.value + nothing));
    if (f->expected_max < row.low)
        return log((row.value + nothing) / (f->expected_max + nothing));
    return 0;
}

/* Orders specials by how far the number that was placed is from the expected number. The
 * farthest comes first; specials with the same difference are ordered by id. */
static int by_departure(const void *a, const void *b)
{
    const ptl_special_facts *const *p = a, *const *q = b;
    const double x = departure(*p), y = departure(*q);
    return x != y ? (x > y ? -1 : 1) : strcmp((*p)->id, (*q)->id);
}

static int by_missing(const void *a, const void *b)
{
    const ptl_special_facts *const *p = a, *const *q = b;
    if ((*p)->missing != (*q)->missing)
        return (*p)->missing > (*q)->missing ? -1 : 1;
    return strcmp((*p)->id, (*q)->id);
}

/* Draws a chart of these rows and frees them. `shape` has everything about the chart but the
 * rows. If rows is NULL, memory was out when they were made. */
static void draw_rows(drawing *d, chart_row *rows, chart_rows shape)
{
    shape.rows = rows;
    d->failed |= !rows;
    if (rows)
        chart_draw_rows(&d->sheet, &shape);
    free(rows);
}

/* Draws the specials of the list, in the order of the list. */
static void draw_special_rows(drawing *d, const ptl_special_facts *const *list, size_t count,
                              const char *stem, const char *title)
{
    chart_row *rows = calloc(count + 1, sizeof *rows);
    char name[80];
    const bool sectors = d->r->sample->settings->placement == PTL_PLACEMENT_SECTORS;
    /* The value at the left end of the logarithmic axis. It is below all values, so that values
     * of 0 can be drawn there. */
    double least = 1;
    bool nothing = false;
    for (size_t i = 0; i < count && rows; i++) {
        rows[i] = facts_row(list[i]);
        const double ends[] = {rows[i].low, rows[i].mark_low};
        for (size_t k = 0; k < 2; k++)
            least = ends[k] > 0 && ends[k] < least ? ends[k] : least;
        nothing |= rows[i].low <= 0;
    }
    const double rarest = 0.5 / (double)d->r->tally->overmaps;
    snprintf(name, sizeof name, "placed, with %g %% interval", 100 * d->r->q->level);
    const chart_rows shape = {
        .stem = stem,
        .title = title,
        .axis = "instances per overmap (logarithmic; 0 lies at the left end)",
        .value_name = name,
        .mark_name = sectors ? "expected: its chance" : "expected: asked for, or chance",
        .span_name = "expected: from least to most",
        .count = count,
        .log = true,
        .least = nothing && rarest < least ? rarest : 0.8 * least};
    draw_rows(d, rows, shape);
}

static void draw_failures(drawing *d, const ptl_special_facts *const *list, size_t count)
{
    static const char *const parts[] = {"ground", "connection", "city",
                                        "room",   "growth",     "crowded"};
    enum { PARTS = PTL_REASON_COUNT - 1 };
    const char **labels = calloc(count + 1, sizeof *labels);
    double *values = calloc((count + 1) * PARTS, sizeof *values);
    chart_stack shape = {.stem = "failures",
                         .title = "Overmaps with fewer than asked for, by what was in the way",
                         .axis = "% of all overmaps",
                         .labels = labels,
                         .values = values,
                         .part_names = parts,
                         .parts = PARTS};
    d->failed |= !labels || !values;
    for (size_t i = 0; i < count && !d->failed; i++) {
        const ptl_special_facts *f = list[i];
        if (f->reason == PTL_REASON_NONE)
            continue;
        for (int k = PTL_REASON_GROUND; k < PTL_REASON_COUNT; k++)
            values[shape.count * PARTS + (size_t)k - 1] =
                100 * (double)ptl_rate_reason_overmaps(&f->own->failures, (ptl_rate_reason)k) /
                (double)f->overmaps;
        labels[shape.count++] = f->id;
    }
    if (!d->failed)
        chart_draw_stack(&d->sheet, &shape);
    free(labels);
    free(values);
}

static void draw_specials(drawing *d)
{
    const ptl_facts *facts = d->r->facts;
    const ptl_special_facts **list = calloc(facts->count + 1, sizeof *list);
    size_t count = 0, departed = 0;
    d->failed |= !list;
    for (size_t i = 0; i < facts->count && list; i++)
        if (!d->r->q->lacking_only || ptl_facts_is_lacking(facts->items[i]))
            list[count++] = facts->items[i];
    if (list) {
        draw_special_rows(d, list, count, "specials", "Specials: placed and expected");
        qsort(list, count, sizeof *list, by_missing);
        draw_failures(d, list, count);
        qsort(list, count, sizeof *list, by_departure);
        while (departed < count && departed < TOP && departure(list[departed]) > 0)
            departed++;
        draw_special_rows(d, list, departed, "departures",
                          "Specials that depart most from what is expected");
    }
    free(list);
}

/* ---- one special ---- */

static void draw_histogram(drawing *d, const char *stem, const char *part, const char *title,
                           const char *x_axis, const ptl_hist *h)
{
    const size_t size = section_extent(h);
    size_t first = 0;
    while (first + 2 < size && h->counts[first] == 0 && h->counts[first + 1] == 0)
        first++;
    chart_bar *bars = calloc(size + 1, sizeof *bars);
    d->failed |= !bars;
    for (size_t v = 0; v < size && bars; v++)
        bars[v] = (chart_bar){(double)v - 0.5, (double)v + 0.5, (double)h->counts[v]};
    const chart_bars shape = {.stem = stem,
                              .part = part,
                              .title = title,
                              .x_axis = x_axis,
                              .y_axis = "overmaps",
                              .bars = bars + first,
                              .count = size - first,
                              .mean = ptl_hist_total(h) ? ptl_hist_mean(h) : NAN};
    if (bars)
        chart_draw_bars(&d->sheet, &shape);
    free(bars);
}

/* Returns a new array: for each value, the share of observations that are at most this value.
 * NULL when memory is out. */
static double *cumulate(const ptl_hist *h)
{
    double *y = calloc(h->size + 1, sizeof *y);
    const double total = (double)ptl_hist_total(h);
    uint64_t sum = 0;
    for (size_t v = 0; v < h->size && y; v++) {
        sum += h->counts[v];
        y[v] = total > 0 ? (double)sum / total : 0;
    }
    return y;
}

static void draw_distance(drawing *d, const char *to, const ptl_special_facts *f,
                          const ptl_hist *h, const char *beside, const ptl_hist *baseline)
{
    char stem[40], title[60];
    double *own = cumulate(h), *other = cumulate(baseline);
    const chart_curve curves[] = {{"instances of the special", own, h->size, false},
                                  {beside, other, baseline->size, true}};
    snprintf(stem, sizeof stem, "distance-%s", to);
    snprintf(title, sizeof title, "distance to the nearest %s",
             strcmp(to, "same") == 0 ? "other one" : to);
    const chart_curves shape = {
        .stem = stem,
        .part = f->id,
        .title = title,
        .x_axis = d->r->q->log_distances ? "distance in OMTs (logarithmic; 0 at the left end)"
                                         : "distance in OMTs",
        .y_axis = "% no farther than that",
        .curves = curves,
        .count = ptl_hist_total(baseline) > 0 ? 2 : 1,
        .log = d->r->q->log_distances};
    d->failed |= !own || !other;
    if (own && other && ptl_hist_total(h) > 0)
        chart_draw_curves(&d->sheet, &shape);
    free(own);
    free(other);
}

static void draw_distances(drawing *d, const ptl_special_facts *f)
{
    const ptl_tally *t = d->r->tally;
    ptl_hist random = {0};
    draw_distance(d, "city", f, &f->own->city, "points of land at random", &t->baseline_city);
    draw_distance(d, "road", f, &f->own->road, "points of land at random", &t->baseline_road);
    if (ptl_random_points(&random, &f->own->per_overmap, NULL) == PTL_OK)
        draw_distance(d, "same", f, &f->own->same, "as many points at random", &random);
    else
        d->failed = true;
    ptl_hist_dispose(&random);
}

/* ---- the overmaps ---- */

static int more_buildings(const void *a, const void *b)
{
    const ptl_tally_building *const *p = a, *const *q = b;
    if ((*p)->count != (*q)->count)
        return (*p)->count > (*q)->count ? -1 : 1;
    return strcmp((*p)->id, (*q)->id);
}

static int lower_value(const void *a, const void *b)
{
    const chart_row *p = a, *q = b;
    return p->value < q->value ? -1 : p->value > q->value;
}

static int higher_value(const void *a, const void *b)
{
    return lower_value(b, a);
}

/* Makes a row with a value and its interval, and no expected value. */
static chart_row row_of(const char *label, double value, double low, double high)
{
    return (chart_row){label, value, low, high, NAN, NAN, NAN};
}

/* Draws, for the most frequent buildings, their mean distance from the city's centre. */
static void draw_buildings(drawing *d)
{
    const ptl_tally *t = d->r->tally;
    const size_t count = t->building_count < TOP ? t->building_count : TOP;
    const ptl_tally_building **list = calloc(t->building_count + 1, sizeof *list);
    chart_row *rows = list ? calloc(TOP, sizeof *rows) : NULL;
    for (size_t i = 0; i < t->building_count && rows; i++)
        list[i] = t->buildings[i];
    if (rows)
        qsort(list, t->building_count, sizeof *list, more_buildings);
    for (size_t i = 0; i < count && rows; i++)
        rows[i] = row_of(list[i]->id, (double)list[i]->distance_sum / (double)list[i]->count,
                         list[i]->distance_min, list[i]->distance_max);
    if (rows)
        qsort(rows, count, sizeof *rows, lower_value);
    free(list);
    draw_rows(
        d, rows,
        (chart_rows){.stem = "buildings",
                     .title = "The most frequent buildings, by distance from the city's centre",
                     .axis = "distance from the centre, OMTs",
                     .value_name = "mean, with least and most",
                     .count = count});
}

static void draw_terrains(drawing *d)
{
    const ptl_tally *t = d->r->tally;
    chart_row *rows = calloc(t->terrain_count + 1, sizeof *rows);
    for (size_t i = 0; i < t->terrain_count && rows; i++) {
        const double mean = (double)t->terrains[i]->cells / (double)t->overmaps;
        rows[i] = row_of(t->terrains[i]->id, mean, mean, mean);
    }
    if (rows)
        qsort(rows, t->terrain_count, sizeof *rows, higher_value);
    draw_rows(d, rows,
              (chart_rows){.stem = "terrains",
                           .title = "Terrains that cover most, on all levels",
                           .axis = "cells per overmap (logarithmic)",
                           .value_name = "mean",
                           .count = t->terrain_count < TOP ? t->terrain_count : TOP,
                           .log = true,
                           .least = 1});
}

static void draw_lines(drawing *d)
{
    const ptl_tally *t = d->r->tally;
    chart_row *rows = calloc(t->line_count + 1, sizeof *rows);
    for (size_t i = 0; i < t->line_count && rows; i++) {
        const ptl_hist *h = &t->lines[i]->cells;
        rows[i] =
            row_of(t->lines[i]->id, (double)ptl_hist_quantile(h, 0.5),
                   (double)ptl_hist_quantile(h, 0.05), (double)ptl_hist_quantile(h, 0.95));
    }
    draw_rows(d, rows,
              (chart_rows){.stem = "lines",
                           .title = "Lengths of roads and other connections",
                           .axis = "cells in an overmap, all levels",
                           .value_name = "median, with 5 % and 95 %",
                           .count = t->line_count});
}

/* Draws how many waters there are of each size. A few waters are very large, so each bar is for
 * a range of sizes whose end is twice its beginning. */
static void draw_water(drawing *d, const char *stem, const char *title, const ptl_hist *h)
{
    enum { BINS = 16 };
    chart_bar bars[BINS];
    size_t first = BINS, end = 0;
    for (size_t i = 0; i < BINS; i++)
        bars[i] = (chart_bar){exp2((double)i), exp2((double)(i + 1)), 0};
    for (size_t v = 1; v < h->size; v++) {
        if (h->counts[v] == 0)
            continue;
        size_t bin = 0;
        while (bin + 1 < BINS && (double)v >= bars[bin].to)
            bin++;
        bars[bin].height += (double)h->counts[v];
        first = bin < first ? bin : first;
        end = bin + 1;
    }
    const chart_bars shape = {.stem = stem,
                              .title = title,
                              .x_axis = "cells (each bar reaches to twice its beginning)",
                              .y_axis = "bodies of water",
                              .bars = bars + (first < end ? first : 0),
                              .count = first < end ? end - first : 0,
                              .mean = NAN,
                              .log = true};
    chart_draw_bars(&d->sheet, &shape);
}

int stats_draw(const stats_report *r)
{
    const bool *wanted = r->q->sections;
    const ptl_tally *t = r->tally;
    char subtitle[200];
    drawing d = {.r = r};
    snprintf(subtitle, sizeof subtitle, "%s %s, %" PRIu64 " overmap%s, placement %s",
             r->sample->is_sweep ? "sweep" : "world", r->sample->name, r->tally->overmaps,
             plural(r->tally->overmaps), placement_name(r->sample->settings->placement));
    d.sheet = (chart_sheet){
        .command = "stats", .directory = r->q->charts, .subtitle = subtitle, .png = r->q->png};
    d.sheet.has_world = file_id_of_path(&d.sheet.world, r->s->args->operands[0]);
    if (!folder_make(r->q->charts) && errno != EEXIST) {
        ptl_error err = {0};
        error_system(&err, PTL_ERR_IO, errno, "%s", r->q->charts);
        return report_error("stats", NULL, &err);
    }
    if (wanted[SECTION_SPECIALS])
        draw_specials(&d);
    for (size_t i = 0; i < r->q->special_count; i++) {
        const ptl_special_facts *f = ptl_facts_find(r->facts, r->q->specials[i]);
        if (wanted[SECTION_HISTOGRAM] && f->own)
            draw_histogram(&d, "histogram", f->id, "instances in an overmap",
                           "instances in an overmap", &f->own->per_overmap);
        if (wanted[SECTION_DISTANCES] && f->own)
            draw_distances(&d, f);
    }
    if (wanted[SECTION_TERRAINS])
        draw_terrains(&d);
    if (wanted[SECTION_CITIES_PER_OVERMAP] && ptl_hist_total(&t->cities_per_overmap) > 0)
        draw_histogram(&d, "cities", NULL, "Cities in an overmap", "cities in an overmap",
                       &t->cities_per_overmap);
    if (wanted[SECTION_BUILDINGS])
        draw_buildings(&d);
    if (wanted[SECTION_LINES])
        draw_lines(&d);
    if (wanted[SECTION_WATER]) {
        draw_water(&d, "lakes", "Sizes of lakes inside an overmap", &t->lake_cells);
        draw_water(&d, "rivers", "Sizes of rivers inside an overmap", &t->river_cells);
    }
    if (d.failed)
        tell("portolan stats: memory is out\n");
    if (d.sheet.drawn > 0 && !r->s->shown.quiet)
        tell("%zu chart%s in %s\n", d.sheet.drawn, plural(d.sheet.drawn), r->q->charts);
    return d.failed || d.sheet.failed ? EXIT_FAILED : EXIT_DONE;
}
