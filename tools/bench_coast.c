/*
 * Shoals and their sea, through the public API: islands as the published program makes them,
 * overmaps of sea beside ones of land, local maps of a coast at a turn of the tide, what is put
 * there, and fords. Prints a table or JSON; `tools/bench --coast` builds and runs it.
 *
 * The content is the embedded one, whose region `coast` has such a sea; the places are of a
 * world of seed 7. Times are processor time, the least of the runs, which take all in turn.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 7, SIDE = PTL_LOCAL_SIDE };

typedef enum figure_id {
    SHOALS,
    LAND,
    SEA,
    COAST,
    SEA_MORE,
    FORD_BARE,
    FORD_STORED,
    GET,
    GET_TURN,
    PUT_THING,
    PUT_TILE,
    FIGURES
} figure_id;

typedef struct figure {
    const char *key, *text, *unit;
    double limit; /* 0: none */
    double value; /* the least */
    bool measured;
} figure;

static figure figures[FIGURES] = {
    [SHOALS] = {"shoals_us", "ptl_shoals_generate, 70 x 60, 15 islands", "us", 300, 0, false},
    [LAND] = {"land_ms", "an overmap of land", "ms", 0, 0, false},
    [SEA] = {"sea_ms", "an overmap of sea, with islands", "ms", 0, 0, false},
    [COAST] = {"coast_ms", "an overmap of sea and land", "ms", 0, 0, false},
    [SEA_MORE] = {"sea_more_ms", "what one of sea takes more than one of land", "ms", 2, 0,
                  false},
    [FORD_BARE] = {"ford_ms", "ptl_local_ford_find, 10 x 1 OMTs, no map stored", "ms", 100, 0,
                   false},
    [FORD_STORED] = {"ford_stored_ms", "the same, maps stored", "ms", 100, 0, false},
    [GET] = {"get_us", "ptl_local_get of a stored map", "us", 40, 0, false},
    [GET_TURN] = {"get_turn_us", "the same at a turn of the tide", "us", 0, 0, false},
    [PUT_THING] = {"put_thing_us", "ptl_local_put of a thing more", "us", 0, 0, false},
    [PUT_TILE] = {"put_tile_us", "ptl_local_put of a tile, 24 maps around it stored", "us", 0,
                  0, false},
};

static void take(figure_id id, double value)
{
    figure *f = &figures[id];
    f->value = !f->measured || value < f->value ? value : f->value;
    f->measured = true;
}

typedef struct bench {
    const char *folder;
    int32_t runs, each; /* each: calls that a figure is the mean of */
    bool json;
    char base[BENCH_PATH_SIZE], path[BENCH_PATH_SIZE];
} bench;

/* ---- islands without a world ---- */

static void measure_shoals(const bench *b)
{
    static int32_t heights[70 * 60];
    ptl_error err = {0};
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    const double before = bench_cpu_seconds();
    for (int32_t i = 0; i < b->each; i++) {
        o.seed = (uint32_t)i;
        if (ptl_shoals_generate(heights, NULL, &o, &err) != PTL_OK)
            bench_die("shoals", &err);
    }
    take(SHOALS, 1e6 * (bench_cpu_seconds() - before) / b->each);
}

/* ---- overmaps ---- */

/* Chunks of the world, 16 of a sort: of the land none has a tile of sea, of the sea each is
 * sea and islands alone. */
enum { ACROSS = 4, CHUNKS = ACROSS * ACROSS };

static ptl_chunk_pos land_at(int32_t i)
{
    return (ptl_chunk_pos){i % ACROSS - 6, i / ACROSS - 6};
}

static ptl_chunk_pos sea_at(int32_t i)
{
    return (ptl_chunk_pos){i % ACROSS + 5, i / ACROSS - 8};
}

static ptl_chunk_pos coast_at(int32_t i)
{
    return (ptl_chunk_pos){i % ACROSS, i / ACROSS - 2};
}

static bool keep_number(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    (void)columns;
    (void)names;
    *(int64_t *)payload = values[0].integer;
    return true;
}

/* How many tiles of the file are sea or islands. */
static int64_t count_sea(ptl_store *store)
{
    ptl_error err = {0};
    int64_t out = 0;
    const ptl_query_options o = {.size = sizeof o, .on_row = keep_number, .payload = &out};
    if (ptl_query(
            store,
            "SELECT coalesce(sum(omts), 0) FROM terrain_count WHERE z = 0 AND (terrain GLOB "
            "'ocean_*' OR terrain GLOB 'shoals_*')",
            &o, &err) != PTL_OK)
        bench_die("counting the sea", &err);
    return out;
}

static double make_chunks(const bench *b, ptl_chunk_pos (*place)(int32_t i), int64_t *sea)
{
    bench_copy_file(b->base, b->path);
    ptl_store *store = bench_open_store(b->path);
    ptl_world *world = bench_open_world(store);
    (void)bench_generate_at(world, place, 0, 1, 1); /* makes the world ready */
    const double before = bench_cpu_seconds();
    (void)bench_generate_at(world, place, 1, CHUNKS - 1, 1);
    const double taken = bench_cpu_seconds() - before;
    *sea = count_sea(store);
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(b->path);
    return 1e3 * taken / (CHUNKS - 1);
}

static void measure_overmaps(const bench *b)
{
    int64_t sea;
    take(LAND, make_chunks(b, land_at, &sea));
    if (sea != 0)
        bench_die("there is sea in the overmaps of land", NULL);
    take(SEA, make_chunks(b, sea_at, &sea));
    if (sea < (int64_t)CHUNKS * PTL_LEVEL_CELLS * 99 / 100)
        bench_die("there is land in the overmaps of sea", NULL);
    take(COAST, make_chunks(b, coast_at, &sea));
    if (sea == 0 || sea == (int64_t)CHUNKS * PTL_LEVEL_CELLS)
        bench_die("there is no coast in the overmaps of a coast", NULL);
    figures[SEA_MORE].value = figures[SEA].value - figures[LAND].value;
    figures[SEA_MORE].measured = true;
}

/* ---- local maps ---- */

static const ptl_local_area around = {672, 408, 696, 422, 0, 0}; /* 375 maps */
static const ptl_omt middle = {681, 414, 0};

static ptl_chunk_pos chunk_at(int32_t i)
{
    return (ptl_chunk_pos){2 + i % 3, 1 + i / 3};
}

static double ford(ptl_world *world)
{
    ptl_error err = {0};
    ptl_local_ford found = PTL_LOCAL_FORD_INIT;
    const int64_t x = 676 * SIDE + 12, y = 412 * SIDE + 12;
    const double before = bench_cpu_seconds();
    if (ptl_local_ford_find(&found, world, x, y, x + 9 * SIDE, y, 0, &err) != PTL_OK)
        bench_die("a ford", &err);
    return 1e3 * (bench_cpu_seconds() - before);
}

static double get(ptl_world *world, int32_t count, bool tide)
{
    ptl_error err = {0};
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    o.tide = tide;
    const double before = bench_cpu_seconds();
    for (int32_t i = 0; i < count; i++) {
        ptl_local_map *map = NULL;
        const int32_t n = i * 7 % 225; /* 15 x 15 of them */
        o.view = i * 60;
        if (ptl_local_get(&map, world, (ptl_omt){672 + n % 15, 408 + n / 15, 0}, &o, &err) !=
            PTL_OK)
            bench_die("a local map", &err);
        ptl_local_free(map);
    }
    return 1e6 * (bench_cpu_seconds() - before) / count;
}

static void add_thing(ptl_local_map *map, int32_t i, ptl_error *err)
{
    ptl_local_entity thing = PTL_LOCAL_ENTITY_INIT;
    thing.kind = "item";
    thing.id = "rock";
    thing.x = thing.x2 = i % SIDE;
    thing.y = thing.y2 = i / SIDE % SIDE;
    if (ptl_local_entity_add(map, &thing) != PTL_OK)
        bench_die("a thing", err);
}

/* One call a put: a map is got before. */
static double put(ptl_world *world, int32_t count, bool tiles)
{
    static const char *const ids[] = {"t_wall_timber", "t_swater_dp"};
    ptl_error err = {0};
    double taken = 0;
    for (int32_t i = 0; i < count; i++) {
        ptl_local_map *map = NULL;
        if (ptl_local_get(&map, world, middle, NULL, &err) != PTL_OK)
            bench_die("a local map", &err);
        if (!tiles)
            add_thing(map, i, &err);
        else if (ptl_local_terrain_set(map, 12, 12, ids[i % 2]) != PTL_OK)
            bench_die("a tile", NULL);
        const double before = bench_cpu_seconds();
        if (ptl_local_put(world, &map, 1, &err) != PTL_OK)
            bench_die("a put", &err);
        taken += bench_cpu_seconds() - before;
        ptl_local_free(map);
    }
    return 1e6 * taken / count;
}

static void measure_maps(const bench *b)
{
    ptl_error err = {0};
    const ptl_local_generate_options o = {
        .size = sizeof o, .areas = &around, .area_count = 1, .jobs = 1};
    bench_copy_file(b->base, b->path);
    ptl_store *store = bench_open_store(b->path);
    ptl_world *world = bench_open_world(store);
    (void)bench_generate_at(world, chunk_at, 0, 9, 1);
    (void)ford(world); /* compiles the mapgen */
    take(FORD_BARE, ford(world));
    if (ptl_local_generate(NULL, world, &o, &err) != PTL_OK)
        bench_die("local maps", &err);
    take(FORD_STORED, ford(world));
    (void)get(world, 10, true);
    take(GET, get(world, 4 * b->each, false));
    take(GET_TURN, get(world, b->each, true));
    (void)put(world, 2, true);
    take(PUT_THING, put(world, b->each, false));
    take(PUT_TILE, put(world, b->each / 5 + 2, true));
    ptl_world_close(world);
    ptl_store_close(store);
    bench_remove_file(b->path);
}

/* ---- printing ---- */

static bool is_within(const figure *f)
{
    return bench_within(f->text, f->unit, f->value, f->limit, false);
}

static void print_table(const bench *b)
{
    printf("Shoals and their sea, embedded content, region coast: processor time, the least of "
           "%d runs\n\n",
           (int)b->runs);
    for (size_t i = 0; i < FIGURES; i++) {
        const figure *f = &figures[i];
        printf("%-52s %9.2f %-2s", f->text, f->value, f->unit);
        if (f->limit > 0)
            printf("  %s %.0f", is_within(f) ? "within" : "BEYOND", f->limit);
        printf("\n");
    }
}

static void print_json(const bench *b)
{
    printf("{\"runs\": %d", (int)b->runs);
    for (size_t i = 0; i < FIGURES; i++)
        printf(", \"%s\": {\"value\": %.3f, \"limit\": %g, \"within_limit\": %s}",
               figures[i].key, figures[i].value, figures[i].limit,
               is_within(&figures[i]) ? "true" : "false");
    printf("}\n");
}

/* ---- the command line ---- */

static void read_options(bench *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->runs = 1;
            b->each = 20;
        } else if (strcmp(argv[i], "--runs") == 0) {
            b->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, 1000);
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            b->folder = argv[++i];
        } else {
            const bool help = strcmp(argv[i], "--help") == 0;
            fputs("portolan-bench-coast [--json] [--quick] [--runs N] [--folder DIR]\n",
                  help ? stdout : stderr);
            exit(help ? 0 : 2);
        }
    }
}

static void make_base(bench *b)
{
    bool unchanged;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    bench_path(b->base, b->folder, "coast-base.db");
    bench_path(b->path, b->folder, "coast.db");
    bench_remove_file(b->base);
    (void)bench_import(b->base, NULL, &unchanged);
    o.seed = SEED;
    o.region = "coast";
    bench_create_world(b->base, &o);
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .runs = 5, .each = 200};
    read_options(&b, argc, argv);
    make_base(&b);
    for (int32_t run = 0; run < b.runs; run++) {
        bench_tell(b.json ? "" : "a coast");
        measure_shoals(&b);
        measure_overmaps(&b);
        measure_maps(&b);
    }
    bench_tell("");
    bench_remove_file(b.base);
    if (b.json)
        print_json(&b);
    else
        print_table(&b);
    return 0;
}
