/* What a second job gains, beside what the machine gives a second thread. */
#ifndef BENCH_JOBS_H
#define BENCH_JOBS_H

#include "bench_report.h"

#include <stdint.h>

/* path: a file with chunks number 0 .. first - 1, which is copied. */
typedef struct jobs_job {
    const char *folder, *path;
    int32_t first, chunks, runs;
} jobs_job;

void jobs_measure(const jobs_job *job, bench_report *report);

#endif
