/* Figures of the bench: what a walker waits for at the borders of chunks. */
#ifndef BENCH_WALK_H
#define BENCH_WALK_H

#include "bench_report.h"

typedef struct walk_job {
    const char *from, *path; /* a file with a world; where its copy is walked in */
    int borders;             /* that are crossed, at most SAMPLES_MAX */
} walk_job;

void walk_measure(const walk_job *job, bench_report *report);

#endif
