/*
 * What a commit costs in each journal mode, through the public API: chunks made and saved one
 * by one (ptl_chunk_get), the transaction of a single chunk, and generating in bulk. Prints a
 * table; `tools/bench --commits` builds and runs it on the disk that worlds are kept on.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRIP = 20 };

typedef struct bench {
    const char *folder, *content; /* content: a directory; NULL: the embedded pack */
    int32_t chunks;               /* of each kind of work */
} bench;

typedef struct figures {
    double get_p50, get_p99; /* ms of ptl_chunk_get */
    double write_p50, write_p99, write_rate;
    double bulk_ms; /* a chunk */
    double kb;      /* of the file, a chunk */
    double log_mb;  /* the largest that the file beside it was seen */
} figures;

static double size_beside(const char *path, const char *tail)
{
    char name[BENCH_PATH_SIZE + 16];
    snprintf(name, sizeof name, "%s%s", path, tail);
    return bench_file_size(name);
}

static void note_log(figures *f, const char *path)
{
    double size = (size_beside(path, "-wal") + size_beside(path, "-journal")) / 1e6;
    if (size > f->log_mb)
        f->log_mb = size;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *sorted, int32_t count, double q)
{
    return sorted[(int32_t)(q * (count - 1) + 0.5)];
}

static ptl_chunk_pos place(int32_t n)
{
    return (ptl_chunk_pos){n % STRIP - STRIP / 2, n / STRIP};
}

static ptl_store *open_file(const char *path, ptl_journal journal)
{
    ptl_error err = {0};
    ptl_store *store = NULL;
    const ptl_open_options open = {
        .size = sizeof open, .mode = PTL_OPEN_CREATE, .journal = journal};
    if (ptl_store_open(&store, path, &open, &err) != PTL_OK)
        bench_die("open", &err);
    return store;
}

static void make_file(const bench *b, const char *path, ptl_journal journal)
{
    ptl_error err = {0};
    ptl_import_options import = {.size = sizeof import, .builtin = !b->content};
    const char *directory = b->content;
    import.directories = &directory;
    import.directory_count = b->content ? 1 : 0;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    settings.seed = 4711;
    ptl_store *store = open_file(path, journal);
    if (ptl_import(NULL, store, &import, &err) != PTL_OK)
        bench_die("import", &err);
    if (ptl_world_create(store, "bench", &settings, &err) != PTL_OK)
        bench_die("new world", &err);
    ptl_store_close(store);
}

/* Times of `count` chunks got one by one, in ms, into times. */
static void get_chunks(ptl_world *world, int32_t first, int32_t count, double *times)
{
    ptl_error err = {0};
    for (int32_t i = 0; i < count; i++) {
        ptl_chunk *chunk = NULL;
        double start = bench_seconds();
        if (ptl_chunk_get(&chunk, world, place(first + i), &err) != PTL_OK)
            bench_die("chunk", &err);
        times[i] = 1000 * (bench_seconds() - start);
        ptl_chunk_free(chunk);
    }
}

static figures measure(const bench *b, const char *path, ptl_journal journal)
{
    ptl_error err = {0};
    figures f = {0};
    const int32_t n = b->chunks;
    double *times = malloc((size_t)n * sizeof *times);
    ptl_world *world = NULL;
    if (!times)
        bench_die("out of memory", NULL);
    make_file(b, path, journal);
    const double empty = bench_file_size(path);
    ptl_store *store = open_file(path, PTL_JOURNAL_KEEP);
    if (ptl_world_open(&world, store, NULL, NULL, &err) != PTL_OK)
        bench_die("open world", &err);
    get_chunks(world, 0, n, times);
    note_log(&f, path);
    qsort(times, (size_t)n, sizeof *times, by_size);
    f.get_p50 = quantile(times, n, 0.5);
    f.get_p99 = quantile(times, n, 0.99);
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        times[i] = 1000 * bench_generate_at(world, place, n + i, 1, 1).write_seconds;
        sum += times[i];
    }
    note_log(&f, path);
    qsort(times, (size_t)n, sizeof *times, by_size);
    f.write_p50 = quantile(times, n, 0.5);
    f.write_p99 = quantile(times, n, 0.99);
    f.write_rate = 1000 * n / sum;
    double start = bench_seconds();
    bench_generate_at(world, place, 2 * n, 2 * n, 1);
    f.bulk_ms = 1000 * (bench_seconds() - start) / (2 * n);
    note_log(&f, path);
    ptl_world_close(world);
    ptl_store_close(store);
    f.kb = (bench_file_size(path) - empty) / (4 * n) / 1000;
    free(times);
    return f;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        ptl_journal journal;
    } modes[] = {{"truncate", PTL_JOURNAL_TRUNCATE}, {"wal", PTL_JOURNAL_WAL}};
    bench b = {.folder = ".", .chunks = 300};
    const char *content = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            b.chunks = 20;
        else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
            b.folder = argv[++i];
        else if (strcmp(argv[i], "--content") == 0 && i + 1 < argc)
            content = argv[++i];
        else if (strcmp(argv[i], "--chunks") == 0)
            b.chunks = bench_number(argv[i], bench_value(argc, argv, &i), 1, 100000);
        else
            bench_die("options: --folder DIR, --content NAME, --chunks N, --quick", NULL);
    }
    b.content = bench_content(content);
    printf("| journal, sync FULL | lone chunk_get p50 | p99 | its transaction p50 | p99 | per "
           "second | bulk, a chunk | file, a chunk | log at most |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        char path[BENCH_PATH_SIZE];
        bench_path(path, b.folder, "commits.db");
        figures f = measure(&b, path, modes[i].journal);
        printf(
            "| %s | %.2f ms | %.2f | %.2f ms | %.2f | %.0f | %.2f ms | %.1f kB | %.1f MB |\n",
            modes[i].name, f.get_p50, f.get_p99, f.write_p50, f.write_p99, f.write_rate,
            f.bulk_ms, f.kb, f.log_mb);
        bench_remove_file(path);
    }
    return 0;
}
