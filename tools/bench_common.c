#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

_Noreturn void bench_die(const char *what, const ptl_error *err)
{
    fprintf(stderr, "bench: %s%s%s\n", what, err ? ": " : "", err ? err->message : "");
    exit(1);
}

double bench_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double bench_cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

void bench_tell(const char *what)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", what);
}

const char *bench_value(int argc, char **argv, int *i)
{
    return *i + 1 < argc ? argv[++*i] : NULL;
}

int32_t bench_number(const char *option, const char *text, int32_t least, int32_t most)
{
    char *end = NULL;
    const long value = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || value < least || value > most) {
        fprintf(stderr, "bench: %s takes a number from %d to %d\n", option, (int)least,
                (int)most);
        exit(2);
    }
    return (int32_t)value;
}

const char *bench_content(const char *text)
{
    if (!text)
        return access(BENCH_DDA_CONTENT, R_OK) == 0 ? BENCH_DDA_CONTENT : NULL;
    if (strcmp(text, "dda") == 0)
        return BENCH_DDA_CONTENT;
    return strcmp(text, "builtin") == 0 ? NULL : text;
}

const char *bench_content_name(const char *content)
{
    return content ? content : "Portolan's embedded pack";
}

/* ---- numbers and faults ---- */

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_quantile(double *values, int32_t count, double q)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[(int32_t)(q * (count - 1) + 0.5)];
}

void *bench_must(void *memory)
{
    if (!memory)
        bench_die("out of memory", NULL);
    return memory;
}

void bench_check(ptl_status status, const char *what, const ptl_error *err)
{
    if (status != PTL_OK)
        bench_die(what, err);
}

int64_t bench_draw(uint64_t *state, int64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((*state >> 33) % (uint64_t)below);
}

/* ---- files ---- */

void bench_path(char out[BENCH_PATH_SIZE], const char *folder, const char *name)
{
    int n = snprintf(out, BENCH_PATH_SIZE, "%s/%s", folder, name);
    if (n < 0 || n >= BENCH_PATH_SIZE)
        bench_die("the folder's path is too long", NULL);
}

void bench_copy_file(const char *from, const char *to)
{
    static char block[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out)
        bench_die("can't copy the world file", NULL);
    size_t n;
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        if (fwrite(block, 1, n, out) != n)
            bench_die("can't copy the world file", NULL);
    fclose(in);
    if (fclose(out) != 0)
        bench_die("can't copy the world file", NULL);
}

double bench_file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

void bench_remove_file(const char *path)
{
    static const char *const tails[] = {"", "-journal", "-wal", "-shm", "-lock"};
    char name[BENCH_PATH_SIZE + 16];
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, tails[i]);
        unlink(name);
    }
}

/* ---- the library ---- */

ptl_store *bench_open_store(const char *path)
{
    ptl_error err = {0};
    ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    ptl_store *store = NULL;
    if (ptl_store_open(&store, path, &create, &err) != PTL_OK)
        bench_die("open", &err);
    return store;
}

ptl_world *bench_open_world(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    if (ptl_world_open(&world, store, NULL, NULL, &err) != PTL_OK)
        bench_die("open world", &err);
    return world;
}

bench_opened bench_open(const char *path, ptl_writers writers, ptl_journal journal)
{
    bench_opened o = {NULL, NULL};
    ptl_error err = {0};
    const ptl_open_options open = {
        .size = sizeof open, .mode = PTL_OPEN_WRITE, .writers = writers, .journal = journal};
    bench_check(ptl_store_open(&o.store, path, &open, &err), "open", &err);
    o.world = bench_open_world(o.store);
    return o;
}

void bench_close(bench_opened *o)
{
    ptl_world_close(o->world);
    ptl_store_close(o->store);
}

double bench_import(const char *path, const char *content, bool *unchanged)
{
    ptl_error err = {0};
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    ptl_import_options options = PTL_IMPORT_OPTIONS_INIT;
    options.directories = &content;
    options.directory_count = content ? 1 : 0;
    options.builtin = !content;
    double start = bench_seconds();
    ptl_store *store = bench_open_store(path);
    if (ptl_import(&report, store, &options, &err) != PTL_OK)
        bench_die("import", &err);
    ptl_store_close(store);
    *unchanged = report.unchanged;
    return bench_seconds() - start;
}

void bench_create_world(const char *path, const ptl_world_options *options)
{
    ptl_error err = {0};
    ptl_store *store = bench_open_store(path);
    if (ptl_world_create(store, "bench", options, &err) != PTL_OK)
        bench_die("create world", &err);
    ptl_store_close(store);
}

ptl_chunk_pos bench_position(int32_t i)
{
    return (ptl_chunk_pos){i % 20 - 10, i / 20 - 10};
}

ptl_generate_report bench_generate(ptl_world *world, int32_t first, int32_t count, int32_t jobs)
{
    return bench_generate_at(world, bench_position, first, count, jobs);
}

ptl_generate_report bench_generate_at(ptl_world *world, ptl_chunk_pos (*place)(int32_t i),
                                      int32_t first, int32_t count, int32_t jobs)
{
    ptl_error err = {0};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    ptl_chunk_pos *positions = malloc((size_t)count * sizeof *positions);
    if (!positions)
        bench_die("out of memory", NULL);
    for (int32_t i = 0; i < count; i++)
        positions[i] = place(first + i);
    options.positions = positions;
    options.position_count = (size_t)count;
    options.jobs = jobs;
    if (ptl_generate(&report, world, &options, &err) != PTL_OK)
        bench_die("generate", &err);
    free(positions);
    return report;
}

double bench_generate_file(const char *path, int32_t first, int32_t count, int32_t jobs,
                           ptl_generate_report *report)
{
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    double start = bench_seconds();
    *report = bench_generate(world, first, count, jobs);
    double taken = bench_seconds() - start;
    ptl_world_close(world);
    ptl_store_close(store);
    return taken;
}

bench_continued bench_continue(const char *from, const char *path, int32_t first, int32_t count,
                               int32_t jobs)
{
    bench_continued out;
    bench_copy_file(from, path);
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    const double opened = bench_seconds();
    bench_generate(world, 0, 1, 1); /* makes the world ready, nothing else */
    const double start = bench_seconds(), before = bench_cpu_seconds();
    out.prepare_seconds = start - opened;
    out.report = bench_generate(world, first, count, jobs);
    out.seconds = bench_seconds() - start;
    out.cpu_seconds = bench_cpu_seconds() - before;
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(path);
    return out;
}

/* ---- other processes ---- */

static void become(const char *program, char **arguments, const int ends[2])
{
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execv(program, arguments);
    _exit(127);
}

/* What bench_within has found beyond its limit, a line for each; owned by the process. */
static char *beyond;
static size_t beyond_size;
static FILE *beyond_lines;

static void tell_beyond(void)
{
    fflush(stdout);
    fclose(beyond_lines);
    fprintf(stderr, "\nBEYOND THE LIMIT:\n%s", beyond);
    free(beyond);
}

bool bench_within(const char *what, const char *unit, double value, double limit, bool at_least)
{
    if (limit <= 0 || (at_least ? value >= limit : value <= limit))
        return true;
    if (!beyond_lines) {
        beyond_lines = open_memstream(&beyond, &beyond_size);
        if (!beyond_lines || atexit(tell_beyond) != 0)
            bench_die("out of memory", NULL);
    }
    fprintf(beyond_lines, "  %s: %.4g %s; limit: at %s %.4g\n", what, value, unit,
            at_least ? "least" : "most", limit);
    return false;
}

long bench_run(const char *program, char **arguments,
               void (*on_line)(void *payload, char *line), void *payload)
{
    int ends[2], status;
    char line[256], name[] = "portolan-bench";
    arguments[0] = name;
    fflush(NULL);
    if (pipe(ends) != 0)
        bench_die("pipe", NULL);
    pid_t child = fork();
    if (child < 0)
        bench_die("fork", NULL);
    if (child == 0)
        become(program, arguments, ends);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (on_line)
            on_line(payload, line);
    }
    if (in)
        fclose(in);
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0 || status != 0)
        bench_die("a child process failed", NULL);
    return usage.ru_maxrss;
}
