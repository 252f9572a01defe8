/* Figures of the bench: what each one means, its samples, and printing them. */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>

enum { SAMPLES_MAX = 1024, STEPS_SHOWN_MAX = 40 };

typedef enum figure_id {
    FIGURE_OVERMAP,
    FIGURE_OVERMAP_SECTORS,
    FIGURE_LONE_CHUNK,
    FIGURE_LEVEL,
    FIGURE_CHUNK,
    FIGURE_BYTES,
    FIGURE_IMPORT,
    FIGURE_IMPORT_AGAIN,
    FIGURE_IMPORT_OWN,
    FIGURE_CATALOGUE,
    FIGURE_TWO_JOBS,
    FIGURE_MEMORY,
    FIGURE_MEMORY_IMPORT,
    FIGURE_COUNT
} figure_id;

typedef struct samples {
    double values[SAMPLES_MAX];
    size_t count;
} samples;

typedef struct bench_report {
    const char *content; /* borrowed: what the worlds were made from */
    samples figures[FIGURE_COUNT];
    const char *step_names[STEPS_SHOWN_MAX]; /* borrowed */
    samples steps[STEPS_SHOWN_MAX];          /* ms a chunk */
    size_t step_count;
} bench_report;

/* Samples beyond SAMPLES_MAX are dropped. */
void samples_add(samples *s, double value);

/* Both print to standard output. */
void report_print_table(bench_report *r);
void report_print_json(bench_report *r);

#endif
