/* Figures of the bench: what each one means, its samples, and printing them. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

enum { SAMPLES_MAX = 1024, ROWS_MAX = 40, ROW_TEXT_SIZE = 96 };

typedef enum figure_id {
    FIGURE_OVERMAP,
    FIGURE_OVERMAP_CPU,
    FIGURE_OVERMAP_SECTORS,
    FIGURE_OVERMAP_FIRST,
    FIGURE_PREPARE,
    FIGURE_LONE_CHUNK,
    FIGURE_LEVEL,
    FIGURE_LEVEL_BESIDE,
    FIGURE_CHUNK,
    FIGURE_STEP_NEW,
    FIGURE_STEP_SAVED,
    FIGURE_STEP_CACHE,
    FIGURE_STEP_HELD,
    FIGURE_AHEAD,
    FIGURE_BYTES,
    FIGURE_IMPORT,
    FIGURE_IMPORT_AGAIN,
    FIGURE_IMPORT_OWN,
    FIGURE_CATALOGUE,
    FIGURE_TWO_JOBS,
    FIGURE_TWO_THREADS,
    FIGURE_MEMORY,
    FIGURE_MEMORY_IMPORT,
    FIGURE_VERIFY,
    FIGURE_REPAIR,
    FIGURE_BACKUP,
    FIGURE_SCAN,
    FIGURE_SCAN_GROUND,
    FIGURE_REGION,
    FIGURE_REGION_GROUND,
    FIGURE_TILE_ROWS,
    FIGURE_STATS_SPECIAL,
    FIGURE_STATS_ALL,
    FIGURE_STATS_MEMORY,
    FIGURE_COUNT
} figure_id;

typedef struct samples {
    double values[SAMPLES_MAX];
    size_t count;
} samples;

/* Tables of milliseconds a chunk. */
typedef enum section_id {
    SECTION_STEP,
    SECTION_SHARE,
    SECTION_BOUND,
    SECTION_COUNT
} section_id;

typedef struct bench_row {
    char key[ROW_TEXT_SIZE], text[ROW_TEXT_SIZE];
    samples samples;
} bench_row;

typedef struct bench_section {
    bench_row rows[ROWS_MAX];
    size_t count;
} bench_section;

typedef struct bench_report {
    const char *content; /* borrowed: what the worlds were made from */
    samples figures[FIGURE_COUNT];
    bench_section sections[SECTION_COUNT];
} bench_report;

/* Samples beyond SAMPLES_MAX are dropped. */
void samples_add(samples *s, double value);

/* Another sample of the row with that key, which is new if there is none. Texts are cut. */
void section_add(bench_section *s, const char *key, const char *text, double value);

/* Both print to standard output. */
void report_print_table(bench_report *r);
void report_print_json(bench_report *r);

#endif
