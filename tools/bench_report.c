/*
 * The figures stand in one table, with the limits of the plan and what the game itself takes
 * (0.F, same content; 0 where nothing comparable exists). A figure over its limit is marked,
 * never an error: other machines have other clocks.
 */
#include "bench_report.h"

#include "bench_common.h"

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
    [FIGURE_OVERMAP_CPU] = {"overmap_cpu_ms", "of it, processor time", "ms", 0, 0, 204, false},
    [FIGURE_OVERMAP_FIRST] = {"overmap_first_ms",
                              "a new world's first 100, with opening it and all names", "ms", 0,
                              0, 0, false},
    [FIGURE_PREPARE] = {"prepare_ms", "a world opened before, made ready to generate", "ms", 0,
                        0, 0, false},
    [FIGURE_OVERMAP_SECTORS] = {"overmap_sectors_ms", "the same by rule sectors", "ms", 6, 3,
                                221, false},
    [FIGURE_LONE_CHUNK] = {"lone_chunk_ms", "a lone new chunk: made and committed durably",
                           "ms", 8, 5, 221, false},
    [FIGURE_LEVEL] = {"level_us", "a saved level read back (z = 0)", "us", 100, 60, 0, false},
    [FIGURE_LEVEL_BESIDE] = {"level_beside_us", "the same while another process generates",
                             "us", 0, 0, 0, false},
    [FIGURE_CHUNK] = {"chunk_ms", "all levels of a saved chunk", "ms", 2, 0.7, 30, false},
    [FIGURE_STEP_NEW] = {"step_new_ms",
                         "a walker's slowest step at a border into new land, nothing held",
                         "ms", 0, 0, 0, false},
    [FIGURE_STEP_SAVED] = {"step_saved_ms", "the same over saved land", "ms", 0, 0, 0, false},
    [FIGURE_STEP_CACHE] = {"step_cache_ms", "over saved land with a cache", "ms", 0, 0, 0,
                           false},
    [FIGURE_STEP_HELD] = {"step_held_us", "into new land, with a cache filled ahead", "us", 0,
                          0, 0, false},
    [FIGURE_AHEAD] = {"ahead_ms", "filling it ahead: a new chunk, made and held", "ms", 0, 0, 0,
                      false},
    [FIGURE_BYTES] = {"chunk_kb", "world file per overmap, tables and indexes", "kB", 32, 20,
                      538, false},
    [FIGURE_IMPORT] = {"import_s", "content import into a new file", "s", 1.5, 0.8, 7.2, false},
    [FIGURE_IMPORT_AGAIN] = {"import_again_s", "the same content again: unchanged", "s", 0, 0,
                             0, false},
    [FIGURE_IMPORT_OWN] = {"import_own_s", "import of the embedded pack", "s", 0, 0, 0, false},
    [FIGURE_CATALOGUE] = {"catalogue_ms", "catalogue ready from the file", "ms", 50, 20, 0,
                          false},
    [FIGURE_TWO_JOBS] = {"two_jobs", "2 jobs against 1", "times", 1.9, 0, 0, true},
    [FIGURE_TWO_THREADS] = {"two_threads",
                            "arithmetic alone, 2 threads against 1: the machine itself",
                            "times", 0, 0, 0, true},
    [FIGURE_MEMORY] = {"memory_mb", "peak memory, generating 400 chunks", "MB", 64, 32, 313,
                       false},
    [FIGURE_MEMORY_IMPORT] = {"memory_import_mb", "peak memory of the import", "MB", 0, 0, 0,
                              false},
    [FIGURE_VERIFY] = {"verify_chunks", "verify: every row, level, edge and count", "1/s", 0, 0,
                       0, true},
    [FIGURE_REPAIR] = {"repair_chunk_ms", "repair: a chunk made again, beside verifying", "ms",
                       0, 0, 0, false},
    [FIGURE_BACKUP] = {"backup_mb", "backup, synced and checked", "MB/s", 0, 0, 0, true},
    [FIGURE_SCAN] = {"scan_mtiles", "the library's scan: whole chunks from the file, each tile",
                     "M/s", 1000, 0, 0, true},
    [FIGURE_SCAN_GROUND] = {"scan_ground_mtiles", "the same, level z = 0 alone", "M/s", 0, 0, 0,
                            true},
    [FIGURE_REGION] = {"region_mtiles", "region_count in SQL: all levels, by terrain", "M/s",
                       1000, 0, 0, true},
    [FIGURE_REGION_GROUND] = {"region_ground_mtiles", "the same, level z = 0 alone", "M/s", 0,
                              0, 0, true},
    [FIGURE_TILE_ROWS] = {"tile_mrows", "table tile: rows that SQL tests by an integer", "M/s",
                          10, 20, 0, true},
    [FIGURE_STATS_SPECIAL] = {"stats_special_s", "portolan stats of one special, all overmaps",
                              "s", 1, 0, 0, false},
    [FIGURE_STATS_ALL] = {"stats_all_s", "portolan stats --all, all overmaps", "s", 0, 0, 0,
                          false},
    [FIGURE_STATS_MEMORY] = {"stats_memory_mb", "peak memory of that", "MB", 256, 0, 0, false},
};

static const char *const section_titles[SECTION_COUNT] = {
    "the steps of a chunk (with all that they call)",
    "where the time goes: each moment once; with timers inside", "what could not be beaten"};
static const char *const section_keys[SECTION_COUNT] = {"step_ms", "share_ms", "bound_ms"};

/* What an experiment found within reach for a kind of work, ms a chunk. */
static const struct {
    const char *key;
    double budget;
} budgets[] = {{"noise", 3.5}, {"paths", 2.6},  {"placement_sites", 0.9},
               {"zstd", 0.5},  {"sqlite", 0.4}, {"untimed", 6}};

static double budget_of(section_id section, const char *key)
{
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++)
        if (section == SECTION_SHARE && strcmp(budgets[i].key, key) == 0)
            return budgets[i].budget;
    return 0;
}

void samples_add(samples *s, double value)
{
    if (s->count < SAMPLES_MAX)
        s->values[s->count++] = value;
}

static void copy_text(char out[ROW_TEXT_SIZE], const char *text)
{
    snprintf(out, ROW_TEXT_SIZE, "%s", text);
}

void section_add(bench_section *s, const char *key, const char *text, double value)
{
    size_t i = 0;
    while (i < s->count && strcmp(s->rows[i].key, key) != 0)
        i++;
    if (i == ROWS_MAX)
        return;
    if (i == s->count) {
        copy_text(s->rows[i].key, key);
        copy_text(s->rows[i].text, text);
        s->count++;
    }
    samples_add(&s->rows[i].samples, value);
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
    return bench_within(spec->text, spec->unit, median, spec->limit, spec->at_least);
}

static bool within_budget(const bench_row *row, double median, double budget)
{
    return bench_within(row->text, "ms (budget)", median, budget, false);
}

/* ---- the table ---- */

static void print_section(bench_section *s, section_id id)
{
    char b[24];
    if (s->count == 0)
        return;
    printf("\n%-60s %-5s %8s %8s%s\n", section_titles[id], "unit", "median", "least",
           id == SECTION_SHARE ? "   budget" : "");
    for (size_t i = 0; i < s->count; i++) {
        bench_row *row = &s->rows[i];
        const double median = quantile(&row->samples, 0.5);
        const double budget = budget_of(id, row->key);
        printf("  %-58s %-5s %8.3f %8.3f", row->text, "ms", median, quantile(&row->samples, 0));
        if (budget > 0)
            printf(" %8s%s", number(b, budget),
                   within_budget(row, median, budget) ? "" : "  beyond the budget");
        putchar('\n');
    }
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
    for (int i = 0; i < SECTION_COUNT; i++)
        print_section(&r->sections[i], (section_id)i);
    puts("\nElsewhere: cost at 100,000 chunks against at 100 (limit 1.1): tools/bench --long; "
         "bytes by table\nand zstd level: tools/bench --sizes; commits by journal mode: "
         "tools/bench --commits; border seams\n(limit 0): tests test_seams, "
         "test_seams_content; open mandatory joins (limit 0): test_growth_content.");
}

/* ---- JSON ---- */

/* Texts of ours need no escapes; a directory's name may. */
static void print_text(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    }
    putchar('"');
}

static void print_bound(const char *name, double value)
{
    if (value > 0)
        printf(", \"%s\": %g", name, value);
    else
        printf(", \"%s\": null", name);
}

static void print_section_json(bench_section *s, section_id id)
{
    printf(",\n  \"%s\": {", section_keys[id]);
    for (size_t i = 0; i < s->count; i++) {
        bench_row *row = &s->rows[i];
        const double median = quantile(&row->samples, 0.5);
        const double budget = budget_of(id, row->key);
        printf("%s\n    \"%s\": {\"median\": %.6g, \"least\": %.6g, \"text\": ", i ? "," : "",
               row->key, median, quantile(&row->samples, 0));
        print_text(row->text);
        print_bound("budget", budget);
        printf(", \"within_budget\": %s}",
               within_budget(row, median, budget) ? "true" : "false");
    }
    printf("\n  }");
}

void report_print_json(bench_report *r)
{
    const char *separator = "";
    printf("{\n  \"version\": \"%s\",\n  \"content\": ", ptl_version());
    print_text(r->content);
    printf(",\n  \"figures\": {");
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
    printf("\n  }");
    for (int i = 0; i < SECTION_COUNT; i++)
        print_section_json(&r->sections[i], (section_id)i);
    printf("\n}\n");
}
