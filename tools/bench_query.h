/* How fast a file's worlds can be asked: tiles through the library and through SQL, statistics.
 */
#ifndef BENCH_QUERY_H
#define BENCH_QUERY_H

#include "bench_report.h"

#include <stdint.h>

/* path: a file with chunks number 0 .. chunks - 1 and no other; only read. command: portolan.
 */
typedef struct query_job {
    const char *path, *command;
    int32_t chunks, runs;
} query_job;

void query_measure(const query_job *job, bench_report *report);

#endif
