/*
 * Takes an overmap's time apart: how much of it goes into which kind of work (bench_timers.h),
 * and what could not be beaten: moving the tiles through memory once, zstd alone, a bare synced
 * append of the same bytes. tools/bench runs it and prints what it says: lines of
 * "KIND<tab>key<tab>text<tab>milliseconds a chunk" for each run. With --sizes: what a chunk's
 * bytes are, and what zstd would make of them at other levels. With --damage: breaks a file.
 */
#include "bench_common.h"
#include "bench_sizes.h"
#include "bench_timers.h"
#include "store/sqlite/connection/stmt.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 64 /* chunks in a transaction, at most */, COPY_SIZE = 64 << 20 };

typedef struct shares {
    const char *folder, *content;
    int32_t chunks, runs;
    bool sizes;
    const char *damaged; /* --damage: a file */
    int32_t damage_count;
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE];
} shares;

static const struct {
    const char *key, *text;
} kinds[TIMER_COUNT] = {
    [TIMER_NOISE] = {"noise", "noise: lakes, forests, floodplains, in plans too"},
    [TIMER_PATHS] = {"paths", "paths: searched and drawn, of all connections"},
    [TIMER_SITES] = {"placement_sites", "placement: where specials fit (bitmaps)"},
    [TIMER_TILES] = {"placement_tiles", "placement: their tiles and growth, without paths"},
    [TIMER_SPECIALS] = {"placement_rules", "placement: rules, draws, the map of cities"},
    [TIMER_GENERATION] = {"generation", "the rest of generation"},
    [TIMER_ENCODE] = {"encode", "encoding, without zstd and digests"},
    [TIMER_ZSTD] = {"zstd", "zstd"},
    [TIMER_DIGESTS] = {"digests", "BLAKE2b: digests, checksums of rows"},
    [TIMER_ROWS] = {"rows", "rows: values and bindings, edges and chunks looked up"},
    [TIMER_SQLITE] = {"sqlite", "SQLite, without the system's calls"},
    [TIMER_IO] = {"io", "system calls that read and write the file"},
    [TIMER_SYNC] = {"sync", "waiting for the disk (sync)"},
    [TIMER_REST] = {"rest", "batches, chunks allocated and freed, the start"},
};

static void tell(const char *kind, const char *key, const char *text, double ms)
{
    printf("%s\t%s\t%s\t%.9g\n", kind, key, text, ms);
}

/* ---- what an overmap's time goes into ---- */

static void print_shares(const shares *s)
{
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    timer_sums sums;
    bench_copy_file(s->base, s->path);
    double taken = 1000 * bench_generate_file(s->path, 0, s->chunks, 1, &report) / s->chunks;
    tell("share", "untimed", "all, without timers", taken);
    bench_copy_file(s->base, s->path);
    ptl_store *store = bench_open_store(s->path);
    ptl_world *world = bench_open_world(store);
    timers_start();
    bench_generate(world, 0, s->chunks, 1);
    timers_stop(&sums);
    ptl_world_close(world);
    ptl_store_close(store);
    taken = sums.own;
    for (int i = 0; i < TIMER_COUNT; i++) {
        taken += sums.seconds[i];
        tell("share", kinds[i].key, kinds[i].text, 1000 * sums.seconds[i] / s->chunks);
    }
    tell("share", "timers", "the timers' own", 1000 * sums.own / s->chunks);
    tell("share", "timed", "all, with timers", 1000 * taken / s->chunks);
}

/* ---- what could not be beaten ---- */

/* Seconds to move a byte from one place in memory to another: read once, written once. */
static double copy_seconds(void)
{
    uint8_t *from = malloc(COPY_SIZE), *to = malloc(COPY_SIZE);
    double least = 1;
    if (!from || !to)
        bench_die("out of memory", NULL);
    memset(from, 1, COPY_SIZE);
    for (uint8_t i = 0; i < 5; i++) {
        const double start = bench_seconds();
        memcpy(to, from, COPY_SIZE);
        const double each = (bench_seconds() - start) / COPY_SIZE;
        least = each < least ? each : least;
        from[to[i] + i] = i; /* or the copies would be the same, and could be left out */
    }
    free(from);
    free(to);
    return least;
}

static double append_seconds(const shares *s, size_t size)
{
    char path[BENCH_PATH_SIZE];
    uint8_t *data = calloc(BATCH, size);
    bench_path(path, s->folder, "append.bin");
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    if (file < 0 || !data)
        bench_die("can't write beside the world file", NULL);
    const double start = bench_seconds();
    for (int32_t left = s->chunks; left > 0; left -= BATCH) {
        const size_t bytes = size * (size_t)(left < BATCH ? left : BATCH);
        if (write(file, data, bytes) != (ssize_t)bytes || fdatasync(file) != 0)
            bench_die("can't write beside the world file", NULL);
    }
    const double taken = bench_seconds() - start;
    close(file);
    remove(path);
    free(data);
    return taken;
}

static void print_bounds(const shares *s)
{
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    bench_streams streams = {0};
    char text[128];
    bench_copy_file(s->base, s->path);
    timers_record(&streams);
    bench_generate_file(s->path, 0, s->chunks, 1, &report);
    timers_record(NULL);
    /* What the file grows by later, when it has the names that all chunks share. */
    const double before = bench_file_size(s->path);
    bench_generate_file(s->path, s->chunks, s->chunks, 1, &report);
    const double bytes = (bench_file_size(s->path) - before) / s->chunks;
    const double copy = copy_seconds(), tiles = (double)PTL_LEVELS * PTL_LEVEL_CELLS * 2;
    snprintf(text, sizeof text, "21 levels of tiles, written and read once, at %.1f GB/s",
             2e-9 / copy);
    tell("bound", "memory", text, 1000 * tiles * copy);
    snprintf(text, sizeof text, "zstd alone: %.1f kB to %.1f",
             1e-3 * (double)streams.total / s->chunks,
             1e-3 * (double)streams.packed / s->chunks);
    tell("bound", "zstd", text, 1000 * streams.seconds / s->chunks);
    snprintf(text, sizeof text, "the file's %.1f kB appended, synced every %d chunks",
             1e-3 * bytes, BATCH);
    tell("bound", "append", text, 1000 * append_seconds(s, (size_t)bytes) / s->chunks);
    bench_streams_dispose(&streams);
}

/* ---- sizes ---- */

static void print_sizes(const shares *s)
{
    char half[BENCH_PATH_SIZE];
    ptl_generate_report report = PTL_GENERATE_REPORT_INIT;
    bench_streams streams = {0};
    bench_copy_file(s->base, s->path);
    timers_record(&streams);
    bench_generate_file(s->path, 0, s->chunks, 1, &report);
    timers_record(NULL);
    /* What later chunks add, to a file that has the names that all share. */
    bench_path(half, s->folder, "inside-half.db");
    bench_copy_file(s->path, half);
    bench_generate_file(s->path, s->chunks, s->chunks, 1, &report);
    printf("Portolan %s, content: %s, %d chunks\n\n", ptl_version(),
           bench_content_name(s->content), (int)s->chunks);
    sizes_of_tables(half, s->path, s->chunks);
    bench_remove_file(half);
    sizes_by_level(&streams, s->chunks);
    bench_streams_dispose(&streams);
}

/* ---- damage, for repair to be measured ---- */

/* So many chunks lose their ground. */
static void damage(const shares *s)
{
    static const char sql[] =
        "DELETE FROM level WHERE id IN (SELECT id * 32 + 10 FROM chunk ORDER BY id LIMIT ?1)";
    ptl_error err = {0};
    stmt *statement = NULL;
    ptl_store *store = bench_open_store(s->damaged);
    ptl_status status = stmt_prepare(&statement, store, sql, &err);
    if (status == PTL_OK) {
        stmt_bind_int(statement, 1, s->damage_count);
        status = stmt_run(statement, &err);
    }
    stmt_free(statement);
    ptl_store_close(store);
    if (status != PTL_OK)
        bench_die("damaging the file", &err);
}

/* ---- the command line ---- */

static void read_options(shares *s, int argc, char **argv)
{
    const char *content = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--sizes") == 0)
            s->sizes = true;
        else if (strcmp(argv[i], "--damage") == 0 && i + 2 < argc) {
            s->damaged = argv[i + 1];
            s->damage_count = bench_number("--damage FILE", argv[i + 2], 1, 10000);
            i += 2;
        } else if (strcmp(argv[i], "--quick") == 0)
            s->chunks = 40;
        else if (strcmp(argv[i], "--chunks") == 0)
            s->chunks = bench_number(argv[i], bench_value(argc, argv, &i), 10, 10000);
        else if (strcmp(argv[i], "--runs") == 0)
            s->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, 1000);
        else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc)
            s->folder = argv[++i];
        else if (strcmp(argv[i], "--content") == 0 && i + 1 < argc)
            content = argv[++i];
        else
            bench_die("options: --sizes, --chunks N, --runs N, --content NAME, --folder DIR",
                      NULL);
    }
    s->content = bench_content(content);
    bench_path(s->base, s->folder, "inside-base.db");
    bench_path(s->path, s->folder, "inside.db");
}

int main(int argc, char **argv)
{
    static shares s = {.folder = ".", .chunks = 200, .runs = 1};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    bool unchanged;
    options.seed = 4711;
    read_options(&s, argc, argv);
    if (s.damaged) {
        damage(&s);
        return 0;
    }
    bench_remove_file(s.base);
    bench_import(s.base, s.content, &unchanged);
    bench_create_world(s.base, &options);
    timers_prepare();
    if (s.sizes)
        print_sizes(&s);
    for (int32_t i = 0; i < s.runs && !s.sizes; i++) {
        print_shares(&s);
        print_bounds(&s);
    }
    bench_remove_file(s.base);
    bench_remove_file(s.path);
    return 0;
}
