/*
 * The figures stand in one table, with the limits of the plan and what the game itself takes
 * (0.F, same content; 0 where nothing comparable exists). A figure over its limit is marked,
 * never an error: other machines have other clocks.
 */
#include "bench_report.h"

#include <portolan/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct figure_spec {
    const char *key, *text, *unit;
    double limit, aim, game;
    bool at_least; /* the limit is a lower bound */
} figure_spec;

static const figure_spec specs[FIGURE_COUNT] = {
    [FIGURE_OVERMAP] = {"overmap_ms",
                        "overmap: all steps and levels, encoded, committed in batches", "ms", 6,
                        3, 221, false},
    [FIGURE_OVERMAP_SECTORS] = {"overmap_sectors_ms", "the same by rule sectors", "ms", 6, 3,
                                221, false},
    [FIGURE_LONE_CHUNK] = {"lone_chunk_ms", "a lone new chunk: made and committed durably",
                           "ms", 8, 5, 221, false},
    [FIGURE_LEVEL] = {"level_us", "a saved level read back (z = 0)", "us", 100, 60, 0, false},
    [FIGURE_CHUNK] = {"chunk_ms", "all levels of a saved chunk", "ms", 2, 0.7, 30, false},
    [FIGURE_BYTES] = {"chunk_kb", "world file per overmap, tables and indexes", "kB", 32, 20,
                      538, false},
    [FIGURE_IMPORT] = {"import_s", "content import into a new file", "s", 1.5, 0.8, 7.2, false},
    [FIGURE_IMPORT_AGAIN] = {"import_again_s", "the same content again: unchanged", "s", 0, 0,
                             0, false},
    [FIGURE_IMPORT_OWN] = {"import_own_s", "import of the embedded pack", "s", 0, 0, 0, false},
    [FIGURE_CATALOGUE] = {"catalogue_ms", "catalogue ready from the file", "ms", 50, 20, 0,
                          false},
    [FIGURE_TWO_JOBS] = {"two_jobs", "2 jobs against 1", "times", 1.9, 0, 0, true},
    [FIGURE_MEMORY] = {"memory_mb", "peak memory, generating 400 chunks", "MB", 64, 32, 313,
                       false},
    [FIGURE_MEMORY_IMPORT] = {"memory_import_mb", "peak memory of the import", "MB", 0, 0, 0,
                              false},
};

void samples_add(samples *s, double value)
{
    if (s->count < SAMPLES_MAX)
        s->values[s->count++] = value;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the samples; the quantile q of them, 0..1. */
static double quantile(samples *s, double q)
{
    qsort(s->values, s->count, sizeof *s->values, compare);
    return s->values[(size_t)(q * (double)(s->count - 1) + 0.5)];
}

/* Three significant digits, or "-" for what does not exist. */
static const char *number(char out[24], double value)
{
    if (value <= 0)
        return "-";
    snprintf(out, 24, "%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
    return out;
}

static bool passes(const figure_spec *spec, double median)
{
    return spec->limit <= 0 || (spec->at_least ? median >= spec->limit : median <= spec->limit);
}

void report_print_table(bench_report *r)
{
    char a[24], b[24], c[24], d[24], e[24], f[24];
    printf("Portolan %s, content: %s\n\n", ptl_version(), r->content);
    printf("%-60s %-5s %8s %8s %8s %7s %6s %6s\n", "", "unit", "median", "least", "most",
           "limit", "aim", "game");
    for (int i = 0; i < FIGURE_COUNT; i++) {
        samples *s = &r->figures[i];
        const figure_spec *spec = &specs[i];
        if (s->count == 0)
            continue;
        double median = quantile(s, 0.5);
        printf("%-60s %-5s %8s %8s %8s %7s %6s %6s%s\n", spec->text, spec->unit,
               number(a, median), number(b, quantile(s, 0)), number(c, quantile(s, 1)),
               number(d, spec->limit), number(e, spec->aim), number(f, spec->game),
               passes(spec, median) ? "" : "  beyond the limit");
    }
    printf("\n%-60s %-5s %8s\n", "of which, a chunk", "unit", "median");
    for (size_t i = 0; i < r->step_count; i++)
        if (r->steps[i].count > 0)
            printf("  %-58s %-5s %8.3f\n", r->step_names[i], "ms", quantile(&r->steps[i], 0.5));
}

static void print_bound(const char *name, double value)
{
    if (value > 0)
        printf(", \"%s\": %g", name, value);
    else
        printf(", \"%s\": null", name);
}

void report_print_json(bench_report *r)
{
    const char *separator = "";
    printf("{\n  \"version\": \"%s\",\n  \"content\": \"%s\",\n  \"figures\": {", ptl_version(),
           r->content);
    for (int i = 0; i < FIGURE_COUNT; i++) {
        samples *s = &r->figures[i];
        if (s->count == 0)
            continue;
        double median = quantile(s, 0.5);
        printf("%s\n    \"%s\": {\"median\": %.6g, \"least\": %.6g, \"most\": %.6g, "
               "\"samples\": %zu",
               separator, specs[i].key, median, quantile(s, 0), quantile(s, 1), s->count);
        print_bound("limit", specs[i].limit);
        print_bound("aim", specs[i].aim);
        print_bound("game", specs[i].game);
        printf(", \"within_limit\": %s}", passes(&specs[i], median) ? "true" : "false");
        separator = ",";
    }
    printf("\n  },\n  \"step_ms\": {");
    separator = "";
    for (size_t i = 0; i < r->step_count; i++) {
        if (r->steps[i].count == 0)
            continue;
        printf("%s\n    \"%s\": %.6g", separator, r->step_names[i],
               quantile(&r->steps[i], 0.5));
        separator = ",";
    }
    printf("\n  }\n}\n");
}
