#include "bench_care.h"

#include "bench_common.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DAMAGED_PART = 5 /* one in so many chunks */, READS = 400, BESIDE_FIRST = 100000 };

/* ---- verify and repair ---- */

static void measure_verify(const care_job *job, bench_report *r)
{
    ptl_error err = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_store *store = bench_open_store(job->path);
    const double start = bench_seconds();
    if (ptl_verify(&counts, store, NULL, NULL, &err) != PTL_OK)
        bench_die("verify", &err);
    if (counts.problems > 0)
        bench_die("verify finds problems in a file that nobody has damaged", NULL);
    samples_add(&r->figures[FIGURE_VERIFY], (double)counts.chunks / (bench_seconds() - start));
    ptl_store_close(store);
}

static void damage(const care_job *job, const char *path)
{
    char file[BENCH_PATH_SIZE], option[] = "--damage", count[16];
    char *arguments[] = {NULL, option, file, count, NULL};
    snprintf(file, sizeof file, "%s", path);
    snprintf(count, sizeof count, "%d", (int)(job->chunks / DAMAGED_PART));
    bench_run(job->inside, arguments, NULL, NULL);
}

static double repair(const char *path, ptl_repair_report *report)
{
    ptl_error err = {0};
    ptl_store *store = bench_open_store(path);
    const double start = bench_seconds();
    if (ptl_repair(report, store, NULL, &err) != PTL_OK)
        bench_die("repair", &err);
    const double taken = bench_seconds() - start;
    ptl_store_close(store);
    if (report->set_aside > 0 || report->unrepaired > 0)
        bench_die("repair could not bring everything back", NULL);
    return taken;
}

static void measure_repair(const care_job *job, bench_report *r)
{
    char path[BENCH_PATH_SIZE];
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    bench_path(path, job->folder, "repair.db");
    bench_copy_file(job->path, path);
    const double whole = repair(path, &report);
    damage(job, path);
    const double taken = repair(path, &report);
    const int32_t damaged = job->chunks / DAMAGED_PART;
    if (report.made_again != (uint64_t)damaged)
        bench_die("repair did not make again what was damaged", NULL);
    samples_add(&r->figures[FIGURE_REPAIR], 1000 * (taken - whole) / damaged);
    bench_remove_file(path);
}

/* ---- backup ---- */

static void measure_backup(const care_job *job, bench_report *r)
{
    ptl_error err = {0};
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    const ptl_backup_options options = {.size = sizeof options, .replace = true};
    char path[BENCH_PATH_SIZE];
    bench_path(path, job->folder, "backup.db");
    ptl_store *store = bench_open_store(job->path);
    const double start = bench_seconds();
    if (ptl_backup(&report, store, path, &options, &err) != PTL_OK)
        bench_die("backup", &err);
    samples_add(&r->figures[FIGURE_BACKUP],
                (double)report.bytes / 1e6 / (bench_seconds() - start));
    ptl_store_close(store);
    bench_remove_file(path);
}

/* ---- reading beside a writer ---- */

void care_write(const char *path)
{
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    for (int32_t i = BESIDE_FIRST;; i += 20)
        bench_generate(world, i, 20, 1);
}

static pid_t start_writer(const care_job *job, const char *path)
{
    char name[] = "portolan-bench", option[] = "--child", what[] = "write";
    char program[BENCH_PATH_SIZE], file[BENCH_PATH_SIZE];
    char *arguments[] = {name, option, what, file, NULL};
    snprintf(program, sizeof program, "%s", job->program);
    snprintf(file, sizeof file, "%s", path);
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        bench_die("fork", NULL);
    if (child == 0) {
        execv(program, arguments);
        _exit(127);
    }
    return child;
}

static ptl_store *open_reader(const char *path)
{
    ptl_error err = {0};
    const ptl_open_options read = {.size = sizeof read, .mode = PTL_OPEN_READ};
    ptl_store *store = NULL;
    if (ptl_store_open(&store, path, &read, &err) != PTL_OK)
        bench_die("open for reading", &err);
    return store;
}

/* A read now and then, as a player walks: so that the writer gets its turns. */
static void read_levels(const care_job *job, ptl_world *world, samples *out)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    const struct timespec pause = {.tv_nsec = 2000000};
    ptl_error err = {0};
    for (int32_t i = 0; i < READS; i++) {
        const ptl_chunk_pos pos = bench_position((int32_t)((int64_t)i * 37 % job->chunks));
        const double start = bench_seconds();
        if (ptl_level_load(cells, world, pos, 0, &err) != PTL_OK)
            bench_die("level", &err);
        samples_add(out, 1e6 * (bench_seconds() - start));
        nanosleep(&pause, NULL);
    }
}

static void measure_beside(const care_job *job, bench_report *r)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, job->folder, "beside.db");
    bench_copy_file(job->path, path);
    const double before = bench_file_size(path);
    ptl_store *store = open_reader(path);
    ptl_world *world = bench_open_world(store);
    const pid_t child = start_writer(job, path);
    const struct timespec pause = {.tv_nsec = 20000000};
    int status, waits = 0;
    while (bench_file_size(path) <= before && waits++ < 1500) {
        nanosleep(&pause, NULL);
        if (waitpid(child, &status, WNOHANG) != 0)
            bench_die("the writing process failed", NULL);
    }
    read_levels(job, world, &r->figures[FIGURE_LEVEL_BESIDE]);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(path);
}

void care_measure(const care_job *job, bench_report *report)
{
    for (int32_t run = 0; run < job->runs; run++) {
        measure_verify(job, report);
        measure_repair(job, report);
        measure_backup(job, report);
    }
    measure_beside(job, report);
}
