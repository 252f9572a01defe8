/*
 * Local maps, through the public API: what making, encoding and committing one costs by what
 * stands there, getting one that is stored, all of an overmap's ground, the mapgen compiled,
 * and bytes. Prints a table or JSON; `tools/bench --local` builds and runs it.
 *
 * Times are processor time, the least of the runs: what else the machine does only adds to
 * them. "Town" and "forest" are the blocks of 12 x 12 OMTs with most buildings, and most
 * forest, of chunk 0,0. What a process does alone is measured in one of its own, from its
 * start; but of the catalogue and all mapgen (entries, palettes, tiles, groups, item types)
 * only what it takes from the opening of the world, in an open file, until all is compiled and
 * found that the one map asked for is stored: neither the process's start nor the making of a
 * map is of it.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 12, BLOCKS = 6, GETS = 4000, SIDE = PTL_CHUNK_SIZE, SQL_SIZE = 900 };

typedef enum figure_id {
    TOWN,
    FOREST,
    GROUND,
    GET,
    DERIVED,
    CATALOGUE,
    CATALOGUE_MEMORY,
    FIRST,
    FIRST_MEMORY,
    OPENED,
    OPENED_MEMORY,
    BYTES_ROW,
    BYTES_FIELD,
    BYTES_FOREST,
    BYTES_THICK,
    BYTES_HOUSE,
    FIGURES
} figure_id;

typedef struct figure {
    const char *key, *text, *unit;
    double limit; /* 0: none */
    double value; /* the least; below 0: not measured */
} figure;

static figure figures[FIGURES] = {
    [TOWN] = {"town_us", "a map of a town, made, encoded, committed in a batch", "us", 60, -1},
    [FOREST] = {"forest_us", "a map of a forest, likewise", "us", 30, -1},
    [GROUND] = {"ground_s", "all 32,400 maps of an overmap's ground", "s", 2, -1},
    [GET] = {"get_stored_us", "ptl_local_get of a stored map", "us", 40, -1},
    [DERIVED] = {"get_derived_us", "ptl_local_get of a map that is derived", "us", 0, -1},
    [CATALOGUE] = {"compiled_ms", "catalogue loaded, all mapgen compiled", "ms", 80, -1},
    [CATALOGUE_MEMORY] = {"compiled_mb", "its peak memory", "MB", 64, -1},
    [FIRST] = {"first_ms", "world opened, first map got, of a town", "ms", 0, -1},
    [FIRST_MEMORY] = {"first_mb", "its peak memory", "MB", 0, -1},
    [OPENED] = {"opened_ms", "world opened, an overmap read", "ms", 0, -1},
    [OPENED_MEMORY] = {"opened_mb", "its peak memory", "MB", 0, -1},
    [BYTES_ROW] = {"row_bytes", "bytes of a stored map beside its blobs", "B", 0, -1},
    [BYTES_FIELD] = {"field_bytes", "bytes of a field, all included", "B", 180, -1},
    [BYTES_FOREST] = {"forest_bytes", "bytes of a forest", "B", 350, -1},
    [BYTES_THICK] = {"thick_bytes", "bytes of a thick forest", "B", 350, -1},
    [BYTES_HOUSE] = {"house_bytes", "bytes of a house at z = 0", "B", 800, -1},
};

typedef struct bench {
    const char *folder, *content;
    int32_t runs;
    bool json;
    char program[BENCH_PATH_SIZE], base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE];
    ptl_local_area town[BLOCKS], forest[BLOCKS];
    size_t towns, forests;
} bench;

static void take(figure_id id, double value)
{
    figure *f = &figures[id];
    f->value = f->value < 0 || value < f->value ? value : f->value;
}

/* Chunk 0,0 and those around it. */
enum { AROUND = 3, CHUNKS = AROUND * AROUND };

static ptl_chunk_pos place(int32_t i)
{
    return (ptl_chunk_pos){i % AROUND - 1, i / AROUND - 1};
}

/* ---- asking ---- */

typedef struct rows {
    double values[BLOCKS][3];
    size_t count;
} rows;

static bool keep_row(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    rows *out = payload;
    (void)names;
    for (size_t i = 0; i < columns && i < 3; i++)
        out->values[out->count][i] =
            values[i].type == PTL_VALUE_INTEGER ? (double)values[i].integer : values[i].real;
    return ++out->count < BLOCKS;
}

static rows ask(ptl_store *store, const char *sql)
{
    rows out = {.count = 0};
    ptl_error err = {0};
    const ptl_query_options o = {.size = sizeof o, .on_row = keep_row, .payload = &out};
    const ptl_status status = ptl_query(store, sql, &o, &err);
    if (status != PTL_OK && status != PTL_ERR_CANCELLED)
        bench_die(sql, &err);
    return out;
}

/* The blocks that a query gives by their numbers. */
static size_t find_blocks(ptl_store *store, const char *sql, ptl_local_area out[BLOCKS])
{
    const rows r = ask(store, sql);
    for (size_t i = 0; i < r.count; i++) {
        const int64_t x = (int64_t)r.values[i][0] * BLOCK, y = (int64_t)r.values[i][1] * BLOCK;
        out[i] = (ptl_local_area){x, y, x + BLOCK - 1, y + BLOCK - 1, 0, 0};
    }
    return r.count;
}

/* ---- making ---- */

static ptl_local_generate_report make(ptl_world *world, const ptl_local_area *areas,
                                      size_t count)
{
    ptl_error err = {0};
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    const ptl_local_generate_options o = {
        .size = sizeof o, .areas = areas, .area_count = count, .jobs = 1};
    if (ptl_local_generate(&report, world, &o, &err) != PTL_OK)
        bench_die("local maps", &err);
    return report;
}

/* Microseconds a map of these blocks, in a copy of the base file, all mapgen being compiled. */
static double make_blocks(const bench *b, const ptl_local_area *areas, size_t count)
{
    static const ptl_local_area one = {90, 90, 90, 90, -5, -5};
    bench_copy_file(b->base, b->path);
    ptl_store *store = bench_open_store(b->path);
    ptl_world *world = bench_open_world(store);
    (void)make(world, &one, 1);
    const double before = bench_cpu_seconds();
    const ptl_local_generate_report r = make(world, areas, count);
    const double taken = bench_cpu_seconds() - before;
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(b->path);
    return r.done ? 1e6 * taken / (double)r.done : -1;
}

/* ---- getting ---- */

static double get_maps(ptl_world *world, int32_t count)
{
    ptl_error err = {0};
    const double before = bench_cpu_seconds();
    for (int32_t i = 0; i < count; i++) {
        ptl_local_map *map = NULL;
        const int32_t n = (int32_t)((int64_t)i * 7919 % (SIDE * SIDE)); /* a prime */
        if (ptl_local_get(&map, world, (ptl_omt){n % SIDE, n / SIDE, 0}, NULL, &err) != PTL_OK)
            bench_die("a local map", &err);
        ptl_local_free(map);
    }
    return 1e6 * (bench_cpu_seconds() - before) / count;
}

static const char bytes_sql[] = "SELECT avg(length(m.tiles) + length(m.things) + "
                                "length(m.texts)) FROM omt_map m JOIN oter o "
                                "ON o.id = m.oter WHERE m.z = 0 AND o.name %s";

static void take_bytes(ptl_store *store, figure_id id, const char *which, double beside)
{
    char sql[SQL_SIZE];
    snprintf(sql, sizeof sql, bytes_sql, which);
    const rows r = ask(store, sql);
    if (r.count > 0 && r.values[0][0] > 0)
        figures[id].value = r.values[0][0] + beside;
}

/* All maps of the ground: how long, how large, how fast they are got. */
static void measure_ground(const bench *b)
{
    static const ptl_local_area all = {0, 0, SIDE - 1, SIDE - 1, 0, 0};
    bench_copy_file(b->base, b->path);
    const double size = bench_file_size(b->path);
    ptl_store *store = bench_open_store(b->path);
    ptl_world *world = bench_open_world(store);
    const double before = bench_cpu_seconds();
    const ptl_local_generate_report r = make(world, &all, 1);
    take(GROUND, bench_cpu_seconds() - before);
    ptl_world_close(world);
    ptl_store_close(store);
    const double grown = bench_file_size(b->path) - size;
    store = bench_open_store(b->path);
    world = bench_open_world(store);
    (void)get_maps(world, 10);
    take(GET, get_maps(world, GETS));
    const rows blobs =
        ask(store, "SELECT sum(length(tiles) + length(things) + length(texts)) FROM omt_map");
    const double beside = r.done ? (grown - blobs.values[0][0]) / (double)r.done : 0;
    figures[BYTES_ROW].value = beside;
    take_bytes(store, BYTES_FIELD, "= 'field'", beside);
    take_bytes(store, BYTES_FOREST, "= 'forest'", beside);
    take_bytes(store, BYTES_THICK, "= 'forest_thick'", beside);
    take_bytes(store, BYTES_HOUSE, "GLOB 'house*'", beside);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(b->path);
}

static void measure_derived(const bench *b)
{
    ptl_error err = {0};
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world = NULL;
    o.seed = 4711;
    o.derive = true;
    bench_copy_file(b->base, b->path);
    ptl_store *store = bench_open_store(b->path);
    if (ptl_world_create(store, "derived", &o, &err) != PTL_OK ||
        ptl_world_open(&world, store, "derived", NULL, &err) != PTL_OK)
        bench_die("a world", &err);
    (void)bench_generate_at(world, place, 0, CHUNKS, 1);
    (void)get_maps(world, GETS / 10);
    take(DERIVED, get_maps(world, GETS / 10));
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(b->path);
}

/* ---- in a process of its own ---- */

/* In kB. What getrusage tells is at least what the process had that started this one. */
static long peak_memory(void)
{
    static const char key[] = "VmHWM:";
    char line[256];
    long peak = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0)
            peak = strtol(line + sizeof key - 1, NULL, 10);
    if (file)
        fclose(file);
    return peak;
}

static int run_child(char **argv)
{
    ptl_error err = {0};
    const ptl_omt at = {strtol(argv[4], NULL, 10), strtol(argv[5], NULL, 10), 0};
    const ptl_local_area one = {at.x, at.y, at.x, at.y, 0, 0};
    const bool whole = strcmp(argv[2], "whole") == 0;
    ptl_store *store = bench_open_store(argv[3]);
    const double before = whole ? bench_cpu_seconds() : 0;
    ptl_world *world = bench_open_world(store);
    ptl_local_map *map = NULL;
    ptl_chunk *chunk = NULL;
    if (whole)
        (void)make(world, &one, 1); /* it is there */
    else if (strcmp(argv[2], "first") == 0 &&
             ptl_local_get(&map, world, at, NULL, &err) != PTL_OK)
        bench_die("a local map", &err);
    else if (ptl_chunk_load(&chunk, world, (ptl_chunk_pos){0, 0}, &err) != PTL_OK)
        bench_die("a chunk", &err);
    const double taken = bench_cpu_seconds() - before;
    ptl_local_free(map);
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    ptl_store_close(store);
    printf("%.6f %ld\n", 1e3 * taken, peak_memory());
    return 0;
}

static void read_child(void *payload, char *line)
{
    double *out = payload;
    char *end = NULL;
    out[0] = strtod(line, &end);
    out[1] = strtod(end, NULL) * 1024 / 1e6;
}

static void store_map(const char *path, int64_t x, int64_t y)
{
    const ptl_local_area one = {x, y, x, y, 0, 0};
    ptl_store *store = bench_open_store(path);
    ptl_world *world = bench_open_world(store);
    (void)make(world, &one, 1);
    ptl_world_close(world);
    ptl_store_close(store);
}

static void measure_child(bench *b, const char *what, figure_id time, figure_id memory)
{
    char kind[16], x[24], y[24], option[] = "--child";
    double out[2] = {-1, -1};
    const int64_t at_x = b->towns > 0 ? b->town[0].x0 + BLOCK / 2 : SIDE / 2;
    const int64_t at_y = b->towns > 0 ? b->town[0].y0 + BLOCK / 2 : SIDE / 2;
    snprintf(kind, sizeof kind, "%s", what);
    snprintf(x, sizeof x, "%lld", (long long)at_x);
    snprintf(y, sizeof y, "%lld", (long long)at_y);
    bench_copy_file(b->base, b->path);
    if (time == CATALOGUE)
        store_map(b->path, at_x, at_y);
    char *arguments[] = {NULL, option, kind, b->path, x, y, NULL};
    bench_run(b->program, arguments, read_child, out);
    bench_remove_file(b->path);
    take(time, out[0]);
    take(memory, out[1]);
}

/* ---- printing ---- */

static bool is_within(const figure *f)
{
    return bench_within(f->text, f->unit, f->value, f->limit, false);
}

static void print_table(const bench *b)
{
    printf("Local maps of %s: processor time, the least of %d runs\n\n",
           bench_content_name(b->content), (int)b->runs);
    for (size_t i = 0; i < FIGURES; i++) {
        const figure *f = &figures[i];
        if (f->value < 0)
            continue;
        printf("%-52s %9.2f %-2s", f->text, f->value, f->unit);
        if (f->limit > 0)
            printf("  %s %.0f", is_within(f) ? "within" : "BEYOND", f->limit);
        printf("\n");
    }
}

static void print_json(const bench *b)
{
    printf("{\"content\": \"%s\", \"runs\": %d", bench_content_name(b->content), (int)b->runs);
    for (size_t i = 0; i < FIGURES; i++)
        if (figures[i].value >= 0)
            printf(", \"%s\": {\"value\": %.3f, \"limit\": %g, \"within_limit\": %s}",
                   figures[i].key, figures[i].value, figures[i].limit,
                   is_within(&figures[i]) ? "true" : "false");
    printf("}\n");
}

/* ---- the command line ---- */

static void read_options(bench *b, int argc, char **argv)
{
    const char *content = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->runs = 1;
        } else if (strcmp(argv[i], "--runs") == 0) {
            b->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, 1000);
        } else if (strcmp(argv[i], "--content") == 0 && i + 1 < argc) {
            content = argv[++i];
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            b->folder = argv[++i];
        } else {
            const bool help = strcmp(argv[i], "--help") == 0;
            fputs("portolan-bench-local [--json] [--quick] [--runs N] [--content "
                  "builtin|dda|DIR] [--folder DIR]\n",
                  help ? stdout : stderr);
            exit(help ? 0 : 2);
        }
    }
    b->content = bench_content(content);
}

static void make_base(bench *b)
{
    bool unchanged;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    bench_path(b->base, b->folder, "local-base.db");
    bench_path(b->path, b->folder, "local.db");
    bench_remove_file(b->base);
    (void)bench_import(b->base, b->content, &unchanged);
    o.seed = 4711;
    bench_create_world(b->base, &o);
    ptl_store *store = bench_open_store(b->base);
    ptl_world *world = bench_open_world(store);
    (void)bench_generate_at(world, place, 0, CHUNKS, 1);
    b->towns =
        find_blocks(store,
                    "SELECT x / 12, y / 12, count(*) FROM placement WHERE chunk_x = 0 AND "
                    "chunk_y = 0 AND z = 0 AND kind = 'building' GROUP BY x / 12, y / 12 "
                    "ORDER BY 3 DESC, 1, 2",
                    b->town);
    b->forests = find_blocks(store,
                             "SELECT x / 12, y / 12, count(*) FROM omt WHERE chunk_x = 0 AND "
                             "chunk_y = 0 AND z = 0 AND terrain = 'forest' GROUP BY x / 12, "
                             "y / 12 ORDER BY 3 DESC, 1, 2",
                             b->forest);
    ptl_world_close(world);
    ptl_store_close(store);
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .runs = 5};
    if (argc == 6 && strcmp(argv[1], "--child") == 0)
        return run_child(argv);
    read_options(&b, argc, argv);
    const ssize_t size = readlink("/proc/self/exe", b.program, sizeof b.program - 1);
    if (size <= 0)
        bench_die("can't find this program's file", NULL);
    b.program[size] = '\0';
    make_base(&b);
    for (int32_t run = 0; run < b.runs; run++) {
        bench_tell(b.json ? "" : "local maps");
        take(TOWN, make_blocks(&b, b.town, b.towns));
        take(FOREST, make_blocks(&b, b.forest, b.forests));
        measure_ground(&b);
        measure_derived(&b);
        measure_child(&b, "whole", CATALOGUE, CATALOGUE_MEMORY);
        measure_child(&b, "first", FIRST, FIRST_MEMORY);
        measure_child(&b, "opened", OPENED, OPENED_MEMORY);
    }
    bench_tell("");
    bench_remove_file(b.base);
    if (b.json)
        print_json(&b);
    else
        print_table(&b);
    return 0;
}
