/*
 * The bench: measures the library through its public API, with the game's content where Debian
 * installs it and the embedded pack elsewhere. tools/bench builds and runs it. What can only be
 * seen inside the library, portolan-bench-inside tells, which lies beside this program.
 *
 * Peak memory is that of a process which does only the one thing: the program starts itself
 * again with --child, before it has used any memory itself.
 */
#include "bench_care.h"
#include "bench_common.h"
#include "bench_jobs.h"
#include "bench_query.h"
#include "bench_report.h"
#include "bench_walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MEMORY_CHUNKS = 400, SIZE_FIRST = 100, LONE_CHUNKS = 40 };

typedef struct bench {
    const char *folder, *content; /* content: a directory; NULL: the embedded pack */
    int32_t runs, chunks, size_chunks;
    bool json;
    char program[BENCH_PATH_SIZE], inside[BENCH_PATH_SIZE], command[BENCH_PATH_SIZE];
    bench_report report;
} bench;

static void tell(const bench *b, const char *what)
{
    if (!b->json)
        bench_tell(what);
}

/* ---- peak memory ---- */

static int run_child(int argc, char **argv)
{
    bool unchanged;
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    struct rusage usage;
    if (argc == 4 && strcmp(argv[2], "generate") == 0) {
        bench_generate_file(argv[3], 0, MEMORY_CHUNKS, 1, &report);
    } else if (argc >= 4 && strcmp(argv[2], "import") == 0) {
        bench_import(argv[3], argc > 4 ? argv[4] : NULL, &unchanged);
    } else if (argc == 4 && strcmp(argv[2], "write") == 0) {
        care_write(argv[3]);
    } else {
        bench_die("--child generate FILE | --child import FILE [DIR] | --child write FILE",
                  NULL);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}

static void read_peak(void *payload, char *line)
{
    *(long *)payload = strtol(line, NULL, 10);
}

/* The child's peak resident memory in MB (of 1,000,000 bytes). */
static double child_memory(const bench *b, char *what, char *path, char *content)
{
    char option[] = "--child";
    char *arguments[] = {NULL, option, what, path, content, NULL};
    long peak = 0;
    bench_run(b->program, arguments, read_peak, &peak);
    if (peak <= 0)
        bench_die("a child process failed", NULL);
    return (double)peak * 1024 / 1e6;
}

static void create_world(const char *path, ptl_placement rule)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 4711;
    options.placement = rule;
    bench_create_world(path, &options);
}

/* Makes base.db (content and an empty world) and sectors.db, from which the other files are
 * copied. */
static void measure_memory(bench *b)
{
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE], content[BENCH_PATH_SIZE];
    bench_path(base, b->folder, "base.db");
    bench_path(path, b->folder, "memory.db");
    if (b->content)
        snprintf(content, sizeof content, "%s", b->content);
    tell(b, "peak memory");
    samples_add(&b->report.figures[FIGURE_MEMORY_IMPORT],
                child_memory(b, (char[]){"import"}, base, b->content ? content : NULL));
    char sectors[BENCH_PATH_SIZE];
    bench_path(sectors, b->folder, "sectors.db");
    bench_copy_file(base, sectors);
    create_world(base, PTL_PLACEMENT_QUOTA);
    create_world(sectors, PTL_PLACEMENT_SECTORS);
    bench_copy_file(base, path);
    samples_add(&b->report.figures[FIGURE_MEMORY],
                child_memory(b, (char[]){"generate"}, path, NULL));
    bench_remove_file(path);
}

/* ---- times ---- */

static void measure_import(bench *b)
{
    char path[BENCH_PATH_SIZE];
    bool unchanged;
    bench_path(path, b->folder, "import.db");
    for (int32_t run = 0; run < b->runs; run++) {
        tell(b, "imports");
        bench_remove_file(path);
        samples_add(&b->report.figures[FIGURE_IMPORT],
                    bench_import(path, b->content, &unchanged));
        double again = bench_import(path, b->content, &unchanged);
        if (!unchanged)
            bench_die("importing the same content again changed the file", NULL);
        samples_add(&b->report.figures[FIGURE_IMPORT_AGAIN], again);
        bench_remove_file(path);
        if (!b->content)
            continue;
        samples_add(&b->report.figures[FIGURE_IMPORT_OWN],
                    bench_import(path, NULL, &unchanged));
        bench_remove_file(path);
    }
}

static void add_steps(bench *b, const ptl_generate_report *report, double taken)
{
    bench_section *steps = &b->report.sections[SECTION_STEP];
    const double each = 1000.0 / b->chunks;
    double sum = report->encode_seconds + report->write_seconds;
    for (size_t i = 0; i < ptl_step_count() && i < PTL_STEPS_MAX; i++) {
        const char *name = ptl_step_name(i);
        section_add(steps, name, name, report->step_seconds[i] * each);
        sum += report->step_seconds[i];
    }
    section_add(steps, "(encode)", "(encode)", report->encode_seconds * each);
    section_add(steps, "(write and commit)", "(write and commit)",
                report->write_seconds * each);
    section_add(steps, "(waiting and the rest)", "(waiting and the rest)",
                taken > sum ? (taken - sum) * each : 0);
}

/* A world's first chunks, which also bring the names that later ones share. */
static void begin_world(bench *b, const char *path, figure_id figure)
{
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    const double taken = bench_generate_file(path, 0, SIZE_FIRST, 1, &report);
    if (figure < FIGURE_COUNT)
        samples_add(&b->report.figures[figure], 1000 * taken / SIZE_FIRST);
}

/* Chunks in a world that has SIZE_FIRST. */
static bench_continued go_on_world(bench *b, const char *from)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "generate.db");
    return bench_continue(from, path, SIZE_FIRST, b->chunks, 1);
}

/* One run: the steps, then the other rule. */
static void measure_worlds(bench *b, const char *begun, const char *sectors)
{
    const double each = 1000.0 / b->chunks;
    samples *figures = b->report.figures;
    bench_continued made = go_on_world(b, begun);
    samples_add(&figures[FIGURE_PREPARE], 1000 * made.prepare_seconds);
    samples_add(&figures[FIGURE_OVERMAP], each * made.seconds);
    samples_add(&figures[FIGURE_OVERMAP_CPU], each * made.cpu_seconds);
    add_steps(b, &made.report, made.seconds);
    made = go_on_world(b, sectors);
    samples_add(&figures[FIGURE_OVERMAP_SECTORS], each * made.seconds);
}

static void measure_generation(bench *b)
{
    char base[BENCH_PATH_SIZE], begun[BENCH_PATH_SIZE], sectors[BENCH_PATH_SIZE];
    bench_path(base, b->folder, "base.db");
    bench_path(begun, b->folder, "begun.db");
    bench_path(sectors, b->folder, "sectors.db");
    begin_world(b, sectors, FIGURE_COUNT);
    for (int32_t run = 0; run < b->runs; run++) {
        tell(b, "generation");
        bench_copy_file(base, begun);
        begin_world(b, begun, FIGURE_OVERMAP_FIRST);
        measure_worlds(b, begun, sectors);
    }
    bench_remove_file(sectors);
    tell(b, "two jobs");
    const jobs_job job = {.folder = b->folder,
                          .path = begun,
                          .first = SIZE_FIRST,
                          .chunks = 2 * b->chunks,
                          .runs = b->runs};
    jobs_measure(&job, &b->report);
    bench_remove_file(begun);
}

/* Leaves large.db with many chunks for measure_reading. */
static void measure_size(bench *b)
{
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE];
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    bench_path(base, b->folder, "base.db");
    bench_path(path, b->folder, "large.db");
    tell(b, "file size");
    bench_copy_file(base, path);
    bench_generate_file(path, 0, SIZE_FIRST, 1, &report);
    double before = bench_file_size(path);
    bench_generate_file(path, SIZE_FIRST, b->size_chunks, 1, &report);
    samples_add(&b->report.figures[FIGURE_BYTES],
                (bench_file_size(path) - before) / b->size_chunks / 1000);
}

/* Every 37th chunk and so on: no order that the file or a cache would favour. */
static ptl_chunk_pos scattered(const bench *b, int32_t i)
{
    return bench_position((int32_t)((int64_t)i * 37 % (SIZE_FIRST + b->size_chunks)));
}

static void measure_chunks(bench *b, ptl_world *world)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    ptl_chunk *chunk = NULL;
    double start;
    for (int32_t i = 0; i < 300; i++) {
        start = bench_seconds();
        if (ptl_level_load(cells, world, scattered(b, i), 0, &err) != PTL_OK)
            bench_die("level", &err);
        samples_add(&b->report.figures[FIGURE_LEVEL], 1e6 * (bench_seconds() - start));
    }
    for (int32_t i = 0; i < 300; i++) {
        start = bench_seconds();
        if (ptl_chunk_load(&chunk, world, scattered(b, i), &err) != PTL_OK)
            bench_die("chunk", &err);
        samples_add(&b->report.figures[FIGURE_CHUNK], 1e3 * (bench_seconds() - start));
        ptl_chunk_free(chunk);
    }
    for (int32_t i = 0; i < LONE_CHUNKS; i++) {
        start = bench_seconds();
        if (ptl_chunk_get(&chunk, world, (ptl_chunk_pos){500 + i, -500}, &err) != PTL_OK)
            bench_die("new chunk", &err);
        samples_add(&b->report.figures[FIGURE_LONE_CHUNK], 1e3 * (bench_seconds() - start));
        ptl_chunk_free(chunk);
    }
}

static void measure_reading(bench *b)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "large.db");
    tell(b, "reading");
    ptl_store *store = bench_open_store(path);
    for (int32_t run = 0; run < b->runs; run++) {
        double start = bench_seconds();
        ptl_world *world = bench_open_world(store);
        samples_add(&b->report.figures[FIGURE_CATALOGUE], 1e3 * (bench_seconds() - start));
        ptl_world_close(world);
    }
    ptl_world *world = bench_open_world(store);
    measure_chunks(b, world);
    ptl_world_close(world);
    ptl_store_close(store);
}

static void measure_walk(bench *b)
{
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE];
    bench_path(base, b->folder, "base.db");
    bench_path(path, b->folder, "walk.db");
    const walk_job job = {.from = base, .path = path, .borders = b->chunks < 40 ? 8 : 40};
    tell(b, "a walker");
    walk_measure(&job, &b->report);
}

/* Before reading: that adds lone chunks. */
static void measure_care(bench *b)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "large.db");
    const care_job job = {.folder = b->folder,
                          .path = path,
                          .program = b->program,
                          .inside = b->inside,
                          .chunks = SIZE_FIRST + b->size_chunks,
                          .runs = b->runs};
    tell(b, "verify, repair, backup");
    care_measure(&job, &b->report);
}

static void measure_queries(bench *b)
{
    char path[BENCH_PATH_SIZE];
    bench_path(path, b->folder, "large.db");
    const query_job job = {.path = path,
                           .command = b->command,
                           .chunks = SIZE_FIRST + b->size_chunks,
                           .runs = b->runs};
    tell(b, "queries, statistics");
    query_measure(&job, &b->report);
}

/* ---- what is seen from inside ---- */

/* "share" or "bound", key, text and milliseconds, with tabs between them. */
static void read_inside(void *payload, char *line)
{
    bench *b = payload;
    char *parts[4] = {line, NULL, NULL, NULL};
    for (int i = 1; i < 4; i++) {
        char *tab = strchr(parts[i - 1], '\t');
        if (!tab)
            return;
        *tab = '\0';
        parts[i] = tab + 1;
    }
    const section_id id = strcmp(parts[0], "bound") == 0 ? SECTION_BOUND : SECTION_SHARE;
    section_add(&b->report.sections[id], parts[1], parts[2], strtod(parts[3], NULL));
}

static void measure_inside(bench *b)
{
    char runs[16], chunks[16], folder[BENCH_PATH_SIZE], content[BENCH_PATH_SIZE];
    char *arguments[] = {NULL,    (char[]){"--runs"},
                         runs,    (char[]){"--chunks"},
                         chunks,  (char[]){"--folder"},
                         folder,  (char[]){"--content"},
                         content, NULL};
    tell(b, "where the time goes");
    snprintf(runs, sizeof runs, "%d", (int)b->runs);
    snprintf(chunks, sizeof chunks, "%d", (int)b->chunks);
    snprintf(folder, sizeof folder, "%s", b->folder);
    snprintf(content, sizeof content, "%s", b->content ? b->content : "builtin");
    bench_run(b->inside, arguments, read_inside, b);
}

/* ---- the command line ---- */

static void usage(int code)
{
    fputs("portolan-bench [--json] [--quick] [--runs N] [--content builtin|dda|DIR] "
          "[--folder DIR]\n",
          code ? stderr : stdout);
    exit(code);
}

static void read_options(bench *b, int argc, char **argv)
{
    const char *content = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->runs = 1;
            b->chunks = 40;
            b->size_chunks = 100;
        } else if (strcmp(argv[i], "--runs") == 0) {
            b->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, SAMPLES_MAX);
        } else if (strcmp(argv[i], "--content") == 0 && i + 1 < argc) {
            content = argv[++i];
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            b->folder = argv[++i];
        } else {
            usage(strcmp(argv[i], "--help") != 0 ? 2 : 0);
        }
    }
    b->content = bench_content(content);
    b->report.content = bench_content_name(b->content);
}

/* This program's path, and that of the one beside it. */
static void find_programs(bench *b)
{
    const ssize_t size = readlink("/proc/self/exe", b->program, sizeof b->program - 1);
    if (size <= 0)
        bench_die("can't find this program's file", NULL);
    b->program[size] = '\0';
    const int n = snprintf(b->inside, sizeof b->inside, "%s-inside", b->program);
    const char *slash = strrchr(b->program, '/');
    const int m = snprintf(b->command, sizeof b->command, "%.*s/../src/clients/cli/portolan",
                           (int)(slash ? slash - b->program : 0), b->program);
    if (n < 0 || n >= BENCH_PATH_SIZE || m < 0 || m >= BENCH_PATH_SIZE)
        bench_die("this program's path is too long", NULL);
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .runs = 5, .chunks = 200, .size_chunks = 1000};
    char path[BENCH_PATH_SIZE];
    if (argc > 1 && strcmp(argv[1], "--child") == 0)
        return run_child(argc, argv);
    read_options(&b, argc, argv);
    find_programs(&b);
    bench_path(path, b.folder, "base.db");
    bench_remove_file(path);
    measure_memory(&b);
    measure_import(&b);
    measure_generation(&b);
    measure_inside(&b);
    measure_size(&b);
    measure_care(&b);
    measure_queries(&b);
    measure_reading(&b);
    measure_walk(&b);
    bench_remove_file(path);
    bench_path(path, b.folder, "large.db");
    bench_remove_file(path);
    tell(&b, "");
    if (b.json)
        report_print_json(&b.report);
    else
        report_print_table(&b.report);
    return 0;
}
