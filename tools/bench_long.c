/*
 * The long run: does a chunk cost more in a file of 100,000 than in one of 100, and does memory
 * grow? Small content, since what a chunk costs to make does not depend on the file: the
 * embedded pack in a world of few, small cities and few specials.
 *
 * Chunks differ, machines have other work: so at the end the SAME chunks are made in the large
 * file and in one of 100 chunks, piece by piece in turn, and it is these costs that are
 * compared. Stopped at Ctrl-C, it goes on where it was.
 */
#include "bench_common.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WIDTH = 320, /* of the explored strip */
    FIRST = 100,
    WINDOW = 1000,
    PIECES = 20,
    PIECE_SIDE = 10,
    PIECE_CHUNKS = PIECE_SIDE * PIECE_SIDE,
    KB_A_CHUNK = 16, /* of disk, generously */
    ROWS_SHOWN = 10
};

static const double LIMIT = 1.1, MEMORY_LIMIT = 64;
static const char SMALL[] = "the embedded pack; city size 4, spacing 6, specials density 0.1";

typedef struct cost {
    double wall, cpu; /* ms a chunk */
    uint64_t chunks;
} cost;

typedef struct window {
    int32_t chunks; /* in the file, at its end */
    cost cost;
    double kb;           /* of the file, a chunk, less what it had without chunks */
    double memory, peak; /* resident, MB */
} window;

typedef struct long_run {
    const char *folder;
    int32_t chunks;
    bool json, keep;
    char path[BENCH_PATH_SIZE], small[BENCH_PATH_SIZE], log[BENCH_PATH_SIZE];
    double empty; /* size of the file without chunks */
    window *windows;
    size_t window_count;
    int32_t tries; /* of the comparison: one that was stopped has used its places up */
    double ratios_wall[PIECES], ratio_wall, ratio_cpu;
    cost large_cost, small_cost; /* of the pieces */
} long_run;

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static bool go_on(void *payload, const ptl_progress *progress)
{
    (void)payload;
    (void)progress;
    return !stopped;
}

/* ---- memory and disk ---- */

static double resident_mb(void)
{
    long pages = 0, all = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    char line[128];
    if (in && fgets(line, sizeof line, in)) {
        char *end;
        all = strtol(line, &end, 10);
        pages = strtol(end, NULL, 10);
    }
    if (in)
        fclose(in);
    (void)all;
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static double peak_mb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024 / 1e6;
}

static void check_room(const long_run *r)
{
    struct statvfs disk;
    const double needed = 1e3 * KB_A_CHUNK * r->chunks;
    if (statvfs(r->folder, &disk) != 0)
        bench_die("can't look at the folder's disk", NULL);
    const double room = (double)disk.f_bavail * (double)disk.f_frsize;
    fprintf(stderr, "Needs up to %.1f GB in %s (%.1f GB are free)\n", needed / 1e9, r->folder,
            room / 1e9);
    if (room < 1.1 * needed + 1e9 && bench_file_size(r->path) < needed / 2)
        bench_die("there is too little room on that disk: fewer chunks, or another --folder",
                  NULL);
}

/* ---- the file ---- */

/* In a process of its own, whose memory does not count. */
static void make_file(const char *path)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        bench_die("fork", NULL);
    if (child == 0) {
        bool unchanged;
        ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
        options.seed = 4711;
        options.city_size = 4;
        options.city_spacing = 6;
        options.specials_density = 0.1;
        bench_import(path, NULL, &unchanged);
        bench_create_world(path, &options);
        _exit(0);
    }
    if (waitpid(child, &status, 0) < 0 || status != 0)
        bench_die("can't set up the world file", NULL);
}

/* False when stopped. Chunks that were saved already cost nothing and are not counted. */
static bool generate(ptl_world *world, const ptl_chunk_pos *positions, size_t count, cost *out)
{
    ptl_error err = {0};
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    options.positions = positions;
    options.position_count = count;
    options.on_progress = go_on;
    const double wall = bench_seconds(), cpu = bench_cpu_seconds();
    const ptl_status status = ptl_generate(&report, world, &options, &err);
    if (status != PTL_OK && status != PTL_ERR_CANCELLED)
        bench_die("generate", &err);
    out->chunks = report.done;
    const double each = out->chunks > 0 ? 1000.0 / (double)out->chunks : 0;
    out->wall = (bench_seconds() - wall) * each;
    out->cpu = (bench_cpu_seconds() - cpu) * each;
    return status == PTL_OK && !stopped;
}

static bool generate_strip(ptl_world *world, int32_t first, int32_t count, cost *out)
{
    static ptl_chunk_pos positions[WINDOW];
    for (int32_t i = 0; i < count; i++) {
        const int32_t n = first + i;
        positions[i] = (ptl_chunk_pos){n % WIDTH - WIDTH / 2, n / WIDTH};
    }
    return generate(world, positions, (size_t)count, out);
}

/* Beside the strip, at an x within it, so that every part of the indexes is used. */
static bool generate_piece(ptl_world *world, int32_t try, int32_t piece, cost *out)
{
    ptl_chunk_pos positions[PIECE_CHUNKS];
    const int32_t x = piece * WIDTH / PIECES - WIDTH / 2, y = -2 * PIECE_SIDE * try;
    for (int32_t i = 0; i < PIECE_CHUNKS; i++)
        positions[i] = (ptl_chunk_pos){x + i % PIECE_SIDE, y + i / PIECE_SIDE};
    return generate(world, positions, PIECE_CHUNKS, out);
}

/* ---- windows, kept in a log for a run that goes on ---- */

static void read_log(long_run *r)
{
    char line[256];
    FILE *in = fopen(r->log, "r");
    if (!in)
        return;
    if (fgets(line, sizeof line, in))
        r->empty = strtod(line, NULL);
    while (fgets(line, sizeof line, in)) {
        if (line[0] == 't') {
            r->tries++;
            continue;
        }
        window *w = &r->windows[r->window_count];
        char *at = line;
        w->chunks = (int32_t)strtol(at, &at, 10);
        w->cost.wall = strtod(at, &at);
        w->cost.cpu = strtod(at, &at);
        w->kb = strtod(at, &at);
        w->memory = strtod(at, &at);
        w->peak = strtod(at, &at);
        if (w->chunks <= 0 || w->chunks > r->chunks)
            break;
        r->window_count++;
    }
    fclose(in);
}

static void add_line(const long_run *r, const char *line)
{
    FILE *out = fopen(r->log, "a");
    if (!out || fputs(line, out) < 0 || fclose(out) != 0)
        bench_die("can't write the log", NULL);
}

static void add_window(long_run *r, const cost *c, int32_t chunks)
{
    window *w = &r->windows[r->window_count++];
    *w = (window){.chunks = chunks, .cost = *c, .memory = resident_mb()};
    w->peak = peak_mb();
    w->kb = (bench_file_size(r->path) - r->empty) / chunks / 1000;
    char line[256];
    snprintf(line, sizeof line, "%d %.6f %.6f %.4f %.3f %.3f\n", (int)w->chunks, w->cost.wall,
             w->cost.cpu, w->kb, w->memory, w->peak);
    add_line(r, line);
}

static void begin_files(long_run *r)
{
    read_log(r);
    if (r->window_count > 0) {
        fprintf(stderr, "Goes on at %d chunks\n", (int)r->windows[r->window_count - 1].chunks);
        return;
    }
    bench_remove_file(r->path);
    make_file(r->path);
    r->empty = bench_file_size(r->path);
    char line[64];
    snprintf(line, sizeof line, "%.0f\n", r->empty);
    remove(r->log);
    add_line(r, line);
}

static bool generate_windows(long_run *r)
{
    int32_t done = r->window_count ? r->windows[r->window_count - 1].chunks : 0;
    ptl_store *store = bench_open_store(r->path);
    ptl_world *world = bench_open_world(store);
    const double start = bench_seconds();
    const int32_t from = done;
    bool going = true;
    while (going && done < r->chunks) {
        cost c;
        int32_t count = done == 0 ? FIRST : WINDOW;
        if (count > r->chunks - done)
            count = r->chunks - done;
        going = generate_strip(world, done, count, &c);
        if (!going)
            break;
        done += count;
        add_window(r, &c, done);
        char text[128];
        const double each = (bench_seconds() - start) / (done - from);
        snprintf(text, sizeof text, "%d of %d chunks, %.0f a second, %.0f min left", (int)done,
                 (int)r->chunks, 1 / each, each * (r->chunks - done) / 60);
        bench_tell(text);
    }
    ptl_world_close(world);
    ptl_store_close(store);
    bench_tell("");
    return going;
}

/* ---- the same chunks in both files ---- */

static void add_cost(cost *sum, const cost *c)
{
    sum->chunks += c->chunks;
    sum->wall += c->wall * (double)c->chunks;
    sum->cpu += c->cpu * (double)c->chunks;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool compare_pieces(long_run *r, ptl_world *large, ptl_world *small)
{
    for (int32_t i = 0; i < PIECES; i++) {
        cost c[2];
        const int first = i % 2; /* who begins gains or loses nothing over all */
        for (int k = 0; k < 2; k++)
            if (!generate_piece((first + k) % 2 ? small : large, r->tries, i,
                                &c[(first + k) % 2]))
                return false;
        r->ratios_wall[i] = c[0].wall / c[1].wall;
        add_cost(&r->large_cost, &c[0]);
        add_cost(&r->small_cost, &c[1]);
    }
    qsort(r->ratios_wall, PIECES, sizeof *r->ratios_wall, by_size);
    r->ratio_wall = (r->ratios_wall[PIECES / 2 - 1] + r->ratios_wall[PIECES / 2]) / 2;
    r->ratio_cpu = r->large_cost.cpu / r->small_cost.cpu;
    return true;
}

static bool compare(long_run *r)
{
    cost warm;
    r->tries++;
    add_line(r, "try\n");
    bench_remove_file(r->small);
    make_file(r->small);
    ptl_store *stores[2] = {bench_open_store(r->path), bench_open_store(r->small)};
    ptl_world *worlds[2] = {bench_open_world(stores[0]), bench_open_world(stores[1])};
    bool going = generate_strip(worlds[1], 0, FIRST, &warm);
    going = going && compare_pieces(r, worlds[0], worlds[1]);
    for (int i = 0; i < 2; i++) {
        ptl_world_close(worlds[i]);
        ptl_store_close(stores[i]);
    }
    bench_remove_file(r->small);
    return going;
}

/* ---- what came out ---- */

static bool shown(const long_run *r, size_t i)
{
    const size_t step = r->window_count / ROWS_SHOWN + 1;
    return i < 2 || i % step == 0 || i + 1 == r->window_count;
}

static double highest_peak(const long_run *r)
{
    double most = 0;
    for (size_t i = 0; i < r->window_count; i++)
        most = r->windows[i].peak > most ? r->windows[i].peak : most;
    return most;
}

static const char *mark(const char *what, double value, double limit)
{
    return bench_within(what, "", value, limit, false) ? "" : "  beyond the limit";
}

static void print_table(const long_run *r)
{
    const double large = (double)r->large_cost.chunks, small = (double)r->small_cost.chunks;
    printf("Portolan %s, content: %s\n\n%10s %12s %12s %12s %10s %10s\n", ptl_version(), SMALL,
           "chunks", "CPU, ms each", "wall, ms", "file, kB", "memory, MB", "peak, MB");
    for (size_t i = 0; i < r->window_count; i++) {
        const window *w = &r->windows[i];
        if (shown(r, i))
            printf("%10d %12.3f %12.3f %12.2f %10.1f %10.1f\n", (int)w->chunks, w->cost.cpu,
                   w->cost.wall, w->kb, w->memory, w->peak);
    }
    printf("\nThe same %.0f chunks in this file and in one of %d, in turn:\n", large, FIRST);
    printf("%-36s %12s %12s %8s %8s\n", "", "this file", "small file", "ratio", "limit");
    printf("%-36s %12.3f %12.3f %8.3f %8.2f%s\n", "CPU, ms a chunk", r->large_cost.cpu / large,
           r->small_cost.cpu / small, r->ratio_cpu, LIMIT,
           mark("CPU a chunk, large file against small", r->ratio_cpu, LIMIT));
    printf("%-36s %12.3f %12.3f %8.3f %8.2f%s\n", "wall, ms a chunk (ratio: median)",
           r->large_cost.wall / large, r->small_cost.wall / small, r->ratio_wall, LIMIT,
           mark("wall a chunk, large file against small", r->ratio_wall, LIMIT));
    printf("%-36s %12.1f %12s %8s %8.0f%s\n", "peak memory, MB", highest_peak(r), "", "",
           MEMORY_LIMIT, mark("peak memory, MB", highest_peak(r), MEMORY_LIMIT));
}

static void print_json(const long_run *r)
{
    printf("{\n  \"version\": \"%s\",\n  \"content\": \"%s\",\n  \"windows\": [", ptl_version(),
           SMALL);
    for (size_t i = 0; i < r->window_count; i++) {
        const window *w = &r->windows[i];
        printf("%s\n    {\"chunks\": %d, \"cpu_ms\": %.6g, \"wall_ms\": %.6g, \"kb\": %.6g, "
               "\"memory_mb\": %.6g, \"peak_mb\": %.6g}",
               i ? "," : "", (int)w->chunks, w->cost.cpu, w->cost.wall, w->kb, w->memory,
               w->peak);
    }
    printf("\n  ],\n  \"cpu_ratio\": %.6g,\n  \"wall_ratio\": %.6g,\n  \"limit\": %g,\n"
           "  \"within_limit\": %s,\n  \"peak_mb\": %.6g,\n  \"peak_limit\": %g\n}\n",
           r->ratio_cpu, r->ratio_wall, LIMIT,
           *mark("CPU a chunk, large file against small", r->ratio_cpu, LIMIT) ? "false"
                                                                               : "true",
           highest_peak(r), MEMORY_LIMIT);
}

/* ---- the command line ---- */

static void read_options(long_run *r, int argc, char **argv)
{
    bool anew = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            r->json = true;
        else if (strcmp(argv[i], "--keep") == 0)
            r->keep = true;
        else if (strcmp(argv[i], "--anew") == 0)
            anew = true;
        else if (strcmp(argv[i], "--quick") == 0)
            r->chunks = 2 * WINDOW;
        else if (strcmp(argv[i], "--chunks") == 0)
            r->chunks = bench_number(argv[i], bench_value(argc, argv, &i), FIRST, 1000000);
        else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
            r->folder = argv[++i];
        else
            bench_die("options: --chunks N, --folder DIR, --json, --keep, --anew", NULL);
    }
    bench_path(r->path, r->folder, "long.db");
    bench_path(r->small, r->folder, "small.db");
    bench_path(r->log, r->folder, "long.log");
    if (anew)
        remove(r->log);
}

int main(int argc, char **argv)
{
    static long_run r = {.folder = ".", .chunks = 100000};
    struct sigaction action = {.sa_handler = on_signal};
    read_options(&r, argc, argv);
    r.windows = calloc((size_t)r.chunks / WINDOW + 3, sizeof *r.windows);
    if (!r.windows)
        bench_die("out of memory", NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    check_room(&r);
    begin_files(&r);
    if (!generate_windows(&r) || !compare(&r)) {
        fprintf(stderr, "Stopped; the same command goes on (the file: %s)\n", r.path);
        free(r.windows);
        return 1;
    }
    if (r.json)
        print_json(&r);
    else
        print_table(&r);
    if (!r.keep) {
        bench_remove_file(r.path);
        remove(r.log);
    }
    free(r.windows);
    return 0;
}
