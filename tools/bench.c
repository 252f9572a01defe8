/*
 * The bench: measures the library through its public API, with the game's content where Debian
 * installs it and the embedded pack elsewhere. tools/bench builds and runs it.
 *
 * Peak memory is that of a process which does only the one thing: the program starts itself
 * again with --child, before it has used any memory itself.
 */
#include "bench_report.h"

#include <portolan/portolan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DDA_CONTENT "/usr/share/games/cataclysm-dda/json"

enum { PATH_SIZE = 512, MEMORY_CHUNKS = 400, SIZE_FIRST = 100, LONE_CHUNKS = 40 };

typedef struct bench {
    const char *folder, *content; /* content: a directory; NULL: the embedded pack */
    int32_t runs, chunks, size_chunks;
    bool json;
    bench_report report;
} bench;

static void die(const char *what, const ptl_error *err)
{
    fprintf(stderr, "portolan-bench: %s%s%s\n", what, err ? ": " : "", err ? err->message : "");
    exit(1);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Progress goes to standard error: standard output holds the table or the JSON alone. */
static void tell(const bench *b, const char *what)
{
    if (isatty(STDERR_FILENO) && !b->json)
        fprintf(stderr, "\r\033[K%s", what);
}

static void path_of(char out[PATH_SIZE], const bench *b, const char *name)
{
    int n = snprintf(out, PATH_SIZE, "%s/%s", b->folder, name);
    if (n < 0 || n >= PATH_SIZE)
        die("the folder's path is too long", NULL);
}

static void copy_file(const char *from, const char *to)
{
    static char block[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out)
        die("can't copy the world file", NULL);
    size_t n;
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        if (fwrite(block, 1, n, out) != n)
            die("can't copy the world file", NULL);
    fclose(in);
    if (fclose(out) != 0)
        die("can't copy the world file", NULL);
}

static double file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

static ptl_store *open_store(const char *path)
{
    ptl_error err = {0};
    ptl_open_options create = {.mode = PTL_OPEN_CREATE};
    ptl_store *store = NULL;
    if (ptl_store_open(&store, path, &create, &err) != PTL_OK)
        die("open", &err);
    return store;
}

static ptl_world *open_world(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    if (ptl_world_open(&world, store, NULL, NULL, &err) != PTL_OK)
        die("open world", &err);
    return world;
}

/* Imports into the file; the seconds it took, opening and closing included. */
static double import_content(const char *path, const char *content, bool *unchanged)
{
    ptl_error err = {0};
    ptl_import_report report;
    ptl_import_options options = {0};
    options.directories = &content;
    options.directory_count = content ? 1 : 0;
    options.builtin = !content;
    double start = seconds();
    ptl_store *store = open_store(path);
    if (ptl_import(store, &options, &report, &err) != PTL_OK)
        die("import", &err);
    ptl_store_close(store);
    *unchanged = report.unchanged;
    return seconds() - start;
}

static void create_world(const char *path, ptl_placement rule)
{
    ptl_error err = {0};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 4711;
    options.placement = rule;
    ptl_store *store = open_store(path);
    if (ptl_world_create(store, "bench", &options, &err) != PTL_OK)
        die("create world", &err);
    ptl_store_close(store);
}

/* Chunks number first .. first + count - 1 of a strip 20 wide around the origin. */
static ptl_generate_report generate(ptl_world *world, int32_t first, int32_t count,
                                    int32_t jobs)
{
    ptl_error err = {0};
    ptl_generate_report report;
    ptl_generate_options options = PTL_GENERATE_OPTIONS_INIT;
    ptl_chunk_pos *positions = malloc((size_t)count * sizeof *positions);
    if (!positions)
        die("out of memory", NULL);
    for (int32_t i = 0; i < count; i++)
        positions[i] = (ptl_chunk_pos){(first + i) % 20 - 10, (first + i) / 20 - 10};
    options.positions = positions;
    options.position_count = (size_t)count;
    options.jobs = jobs;
    if (ptl_generate(world, &options, &report, &err) != PTL_OK)
        die("generate", &err);
    free(positions);
    return report;
}

/* Generates chunks in the file as a whole process would; the seconds it took. */
static double generate_file(const char *path, int32_t first, int32_t count, int32_t jobs,
                            ptl_generate_report *report)
{
    ptl_store *store = open_store(path);
    ptl_world *world = open_world(store);
    double start = seconds();
    *report = generate(world, first, count, jobs);
    double taken = seconds() - start;
    ptl_world_close(world);
    ptl_store_close(store);
    return taken;
}

/* ---- peak memory ---- */

static int run_child(int argc, char **argv)
{
    bool unchanged;
    ptl_generate_report report;
    struct rusage usage;
    if (argc == 4 && strcmp(argv[2], "generate") == 0) {
        generate_file(argv[3], 0, MEMORY_CHUNKS, 1, &report);
    } else if (argc >= 4 && strcmp(argv[2], "import") == 0) {
        import_content(argv[3], argc > 4 ? argv[4] : NULL, &unchanged);
    } else {
        die("--child generate FILE | --child import FILE [DIR]", NULL);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    return 0;
}

/* The child's peak resident memory in MB (of 1,000,000 bytes). */
static double child_memory(char *what, char *path, char *content)
{
    char *argv[] = {(char[]){"portolan-bench"}, (char[]){"--child"}, what, path, content, NULL};
    int ends[2], status;
    long peak = 0;
    if (pipe(ends) != 0)
        die("pipe", NULL);
    pid_t child = fork();
    if (child < 0)
        die("fork", NULL);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execv("/proc/self/exe", argv);
        _exit(127);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    char line[64];
    if (in && fgets(line, sizeof line, in))
        peak = strtol(line, NULL, 10);
    if (in)
        fclose(in);
    if (waitpid(child, &status, 0) < 0 || status != 0 || peak <= 0)
        die("the child process failed", NULL);
    return (double)peak * 1024 / 1e6;
}

/* Makes base.db (content and an empty world) and sectors.db, from which the other files are
 * copied. */
static void measure_memory(bench *b)
{
    char base[PATH_SIZE], path[PATH_SIZE], content[PATH_SIZE];
    path_of(base, b, "base.db");
    path_of(path, b, "memory.db");
    if (b->content)
        snprintf(content, sizeof content, "%s", b->content);
    tell(b, "peak memory");
    samples_add(&b->report.figures[FIGURE_MEMORY_IMPORT],
                child_memory((char[]){"import"}, base, b->content ? content : NULL));
    char sectors[PATH_SIZE];
    path_of(sectors, b, "sectors.db");
    copy_file(base, sectors);
    create_world(base, PTL_PLACEMENT_QUOTA);
    create_world(sectors, PTL_PLACEMENT_SECTORS);
    copy_file(base, path);
    samples_add(&b->report.figures[FIGURE_MEMORY],
                child_memory((char[]){"generate"}, path, NULL));
    remove(path);
}

/* ---- times ---- */

static void measure_import(bench *b)
{
    char path[PATH_SIZE];
    bool unchanged;
    path_of(path, b, "import.db");
    for (int32_t run = 0; run < b->runs; run++) {
        tell(b, "imports");
        remove(path);
        samples_add(&b->report.figures[FIGURE_IMPORT],
                    import_content(path, b->content, &unchanged));
        double again = import_content(path, b->content, &unchanged);
        if (!unchanged)
            die("importing the same content again changed the file", NULL);
        samples_add(&b->report.figures[FIGURE_IMPORT_AGAIN], again);
        remove(path);
        if (!b->content)
            continue;
        samples_add(&b->report.figures[FIGURE_IMPORT_OWN],
                    import_content(path, NULL, &unchanged));
        remove(path);
    }
}

static void add_steps(bench *b, const ptl_generate_report *report, double taken)
{
    bench_report *r = &b->report;
    size_t count = ptl_step_count();
    double each = 1000.0 / b->chunks, sum = report->encode_seconds + report->write_seconds;
    if (count > PTL_STEPS_MAX)
        count = PTL_STEPS_MAX;
    for (size_t i = 0; i < count; i++) {
        r->step_names[i] = ptl_step_name(i);
        samples_add(&r->steps[i], report->step_seconds[i] * each);
        sum += report->step_seconds[i];
    }
    r->step_names[count] = "(encode)";
    samples_add(&r->steps[count], report->encode_seconds * each);
    r->step_names[count + 1] = "(write and commit)";
    samples_add(&r->steps[count + 1], report->write_seconds * each);
    r->step_names[count + 2] = "(waiting and the rest)";
    samples_add(&r->steps[count + 2], taken > sum ? (taken - sum) * each : 0);
    r->step_count = count + 3;
}

static void measure_generation(bench *b)
{
    char base[PATH_SIZE], sectors[PATH_SIZE], path[PATH_SIZE];
    ptl_generate_report report;
    path_of(base, b, "base.db");
    path_of(sectors, b, "sectors.db");
    path_of(path, b, "generate.db");
    for (int32_t run = 0; run < b->runs; run++) {
        tell(b, "generation");
        copy_file(base, path);
        double one = generate_file(path, 0, b->chunks, 1, &report);
        samples_add(&b->report.figures[FIGURE_OVERMAP], 1000 * one / b->chunks);
        add_steps(b, &report, one);
        copy_file(base, path);
        double two = generate_file(path, 0, b->chunks, 2, &report);
        samples_add(&b->report.figures[FIGURE_TWO_JOBS], one / two);
        copy_file(sectors, path);
        one = generate_file(path, 0, b->chunks, 1, &report);
        samples_add(&b->report.figures[FIGURE_OVERMAP_SECTORS], 1000 * one / b->chunks);
    }
    remove(sectors);
    remove(path);
}

/* Leaves large.db with many chunks for measure_reading. */
static void measure_size(bench *b)
{
    char base[PATH_SIZE], path[PATH_SIZE];
    ptl_generate_report report;
    path_of(base, b, "base.db");
    path_of(path, b, "large.db");
    tell(b, "file size");
    copy_file(base, path);
    generate_file(path, 0, SIZE_FIRST, 1, &report);
    double before = file_size(path);
    generate_file(path, SIZE_FIRST, b->size_chunks, 1, &report);
    samples_add(&b->report.figures[FIGURE_BYTES],
                (file_size(path) - before) / b->size_chunks / 1000);
}

/* Every 37th chunk and so on: no order that the file or a cache would favour. */
static ptl_chunk_pos scattered(const bench *b, int32_t i)
{
    int32_t n = (int32_t)((int64_t)i * 37 % (SIZE_FIRST + b->size_chunks));
    return (ptl_chunk_pos){n % 20 - 10, n / 20 - 10};
}

static void measure_chunks(bench *b, ptl_world *world)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    ptl_chunk *chunk = NULL;
    double start;
    for (int32_t i = 0; i < 300; i++) {
        start = seconds();
        if (ptl_level_load(world, scattered(b, i), 0, cells, &err) != PTL_OK)
            die("level", &err);
        samples_add(&b->report.figures[FIGURE_LEVEL], 1e6 * (seconds() - start));
    }
    for (int32_t i = 0; i < 300; i++) {
        start = seconds();
        if (ptl_chunk_load(&chunk, world, scattered(b, i), &err) != PTL_OK)
            die("chunk", &err);
        samples_add(&b->report.figures[FIGURE_CHUNK], 1e3 * (seconds() - start));
        ptl_chunk_free(chunk);
    }
    for (int32_t i = 0; i < LONE_CHUNKS; i++) {
        start = seconds();
        if (ptl_chunk_get(&chunk, world, (ptl_chunk_pos){500 + i, -500}, &err) != PTL_OK)
            die("new chunk", &err);
        samples_add(&b->report.figures[FIGURE_LONE_CHUNK], 1e3 * (seconds() - start));
        ptl_chunk_free(chunk);
    }
}

static void measure_reading(bench *b)
{
    char path[PATH_SIZE];
    path_of(path, b, "large.db");
    tell(b, "reading");
    ptl_store *store = open_store(path);
    for (int32_t run = 0; run < b->runs; run++) {
        double start = seconds();
        ptl_world *world = open_world(store);
        samples_add(&b->report.figures[FIGURE_CATALOGUE], 1e3 * (seconds() - start));
        ptl_world_close(world);
    }
    ptl_world *world = open_world(store);
    measure_chunks(b, world);
    ptl_world_close(world);
    ptl_store_close(store);
    remove(path);
}

/* ---- the command line ---- */

static void usage(int code)
{
    fputs("portolan-bench [--json] [--quick] [--runs N] [--content builtin|dda|DIR] "
          "[--folder DIR]\n",
          code ? stderr : stdout);
    exit(code);
}

static const char *value_of(int argc, char **argv, int *i)
{
    if (*i + 1 >= argc)
        usage(2);
    return argv[++*i];
}

static void read_options(bench *b, int argc, char **argv)
{
    const char *content = access(DDA_CONTENT, R_OK) == 0 ? "dda" : "builtin";
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->runs = 1;
            b->chunks = 40;
            b->size_chunks = 100;
        } else if (strcmp(argv[i], "--runs") == 0) {
            b->runs = (int32_t)strtol(value_of(argc, argv, &i), NULL, 10);
        } else if (strcmp(argv[i], "--content") == 0) {
            content = value_of(argc, argv, &i);
        } else if (strcmp(argv[i], "--folder") == 0) {
            b->folder = value_of(argc, argv, &i);
        } else {
            usage(strcmp(argv[i], "--help") != 0 ? 2 : 0);
        }
    }
    if (b->runs < 1 || b->runs > SAMPLES_MAX)
        usage(2);
    b->content = strcmp(content, "dda") == 0       ? DDA_CONTENT
                 : strcmp(content, "builtin") == 0 ? NULL
                                                   : content;
    b->report.content = b->content ? b->content : "Portolan's embedded pack";
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .runs = 5, .chunks = 200, .size_chunks = 1000};
    char base[PATH_SIZE];
    if (argc > 1 && strcmp(argv[1], "--child") == 0)
        return run_child(argc, argv);
    read_options(&b, argc, argv);
    path_of(base, &b, "base.db");
    remove(base);
    measure_memory(&b);
    measure_import(&b);
    measure_generation(&b);
    measure_size(&b);
    measure_reading(&b);
    remove(base);
    tell(&b, "");
    if (b.json)
        report_print_json(&b.report);
    else
        report_print_table(&b.report);
    return 0;
}
