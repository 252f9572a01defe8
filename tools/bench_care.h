/* What keeping a file well takes: verify, repair, backup, and reading it beside a writer. */
#ifndef BENCH_CARE_H
#define BENCH_CARE_H

#include "bench_report.h"

#include <stdint.h>

/* path: a file with chunks number 0 .. chunks - 1; copied, damaged and written to. folder: for
 * the copies. program: portolan-bench, to be started as the writer; inside:
 * portolan-bench-inside. */
typedef struct care_job {
    const char *folder, *path, *program, *inside;
    int32_t chunks, runs;
} care_job;

void care_measure(const care_job *job, bench_report *report);

/* What portolan-bench does as the writer beside: makes chunks until it is killed. */
void care_write(const char *path);

#endif
