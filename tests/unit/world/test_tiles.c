/*
 * Rectangles of tiles across chunks and the cache of chunks, through the public header; the
 * cache against a plain list that does the same.
 */
#include "core/hash.h"
#include "model/chunk.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = PTL_CHUNK_SIZE };

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

static void ok(ptl_status status)
{
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

static void generate(int32_t x0, int32_t y0, int32_t x1, int32_t y1, const char *stop_after)
{
    ptl_chunk_pos list[64];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            list[o.position_count++] = (ptl_chunk_pos){x, y};
    o.positions = list;
    o.stop_after = stop_after;
    ok(ptl_generate(NULL, world, &o, &err));
}

static bool on_number(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    (void)columns;
    (void)names;
    *(int64_t *)payload = values[0].integer;
    return true;
}

static int64_t ask(const char *sql)
{
    int64_t number = -1;
    const ptl_query_options o = {.size = sizeof o, .on_row = on_number, .payload = &number};
    ok(ptl_query(store, sql, &o, &err));
    return number;
}

/* ---- tiles ---- */

/* The tile as the chunk itself has it; PTL_OTER_NONE where none is saved. */
static ptl_oter tile_of(ptl_chunk *chunks[3][3], int64_t x, int64_t y, int32_t z)
{
    const ptl_chunk_pos pos = ptl_omt_chunk((ptl_omt){x, y, z});
    const ptl_chunk *c = abs(pos.x) > 1 || abs(pos.y) > 1 ? NULL : chunks[pos.y + 1][pos.x + 1];
    return c ? ptl_chunk_oter(c, (int32_t)(x - pos.x * SIZE), (int32_t)(y - pos.y * SIZE), z)
             : (ptl_oter)PTL_OTER_NONE;
}

static void load_all(ptl_chunk *chunks[3][3])
{
    for (int32_t y = -1; y <= 1; y++)
        for (int32_t x = -1; x <= 1; x++) {
            ptl_status status =
                ptl_chunk_load(&chunks[y + 1][x + 1], world, (ptl_chunk_pos){x, y}, &err);
            ck_assert(status == PTL_OK || status == PTL_ERR_NOT_FOUND);
        }
    memset(&err, 0, sizeof err);
}

static void free_all(ptl_chunk *chunks[3][3])
{
    for (int i = 0; i < 9; i++)
        ptl_chunk_free(chunks[i / 3][i % 3]);
}

static void check_area(const ptl_area *a, const ptl_area_options *o, ptl_chunk *chunks[3][3])
{
    const size_t count = (size_t)a->width * (size_t)a->height;
    ptl_oter *cells = malloc((count + 2) * sizeof *cells);
    ptl_area_report r = PTL_AREA_REPORT_INIT;
    cells[0] = cells[count + 1] = 12345; /* it writes nothing else */
    ok(ptl_area_get(cells + 1, &r, world, a, o, &err));
    const ptl_chunk_pos from = ptl_omt_chunk((ptl_omt){a->x, a->y, a->z});
    const ptl_chunk_pos to =
        ptl_omt_chunk((ptl_omt){a->x + a->width - 1, a->y + a->height - 1, a->z});
    uint64_t missing = 0;
    for (int32_t y = from.y; y <= to.y; y++)
        for (int32_t x = from.x; x <= to.x; x++)
            missing += tile_of(chunks, (int64_t)x * SIZE, (int64_t)y * SIZE, 0) ==
                       (ptl_oter)PTL_OTER_NONE;
    ck_assert_uint_eq(r.chunks, (uint64_t)(to.x - from.x + 1) * (uint64_t)(to.y - from.y + 1));
    ck_assert_uint_eq(r.missing, missing);
    ck_assert_uint_eq(r.generated, 0);
    for (int32_t y = 0; y < a->height; y++)
        for (int32_t x = 0; x < a->width; x++)
            ck_assert_uint_eq(cells[1 + y * a->width + x],
                              tile_of(chunks, a->x + x, a->y + y, a->z));
    ck_assert(cells[0] == 12345 && cells[count + 1] == 12345);
    free(cells);
}

START_TEST(areas_across_chunks)
{
    ptl_chunk *chunks[3][3];
    ptl_cache *cache = NULL, *small = NULL;
    rng r = rng_from_key(5);
    generate(-1, -1, 0, 0, NULL); /* the eastern and southern ones of nine are not saved */
    generate(1, 1, 1, 1, "rivers");
    load_all(chunks);
    const ptl_cache_options one = {.size = sizeof one, .bytes = 1};
    ok(ptl_cache_new(&cache, world, NULL, &err));
    ok(ptl_cache_new(&small, world, &one, &err));
    const ptl_area_options ways[] = {{sizeof *ways, .cache = NULL},
                                     {sizeof *ways, .cache = cache},
                                     {sizeof *ways, .cache = small}};
    for (int i = 0; i < 60; i++) {
        ptl_area a = {.z = rng_range(&r, PTL_Z_MIN, PTL_Z_MAX),
                      .width = i % 3 ? rng_range(&r, 1, 90) : rng_range(&r, 1, 500),
                      .height = i % 3 ? rng_range(&r, 1, 90) : rng_range(&r, 1, 500)};
        a.x = rng_range(&r, -200, 400 - a.width);
        a.y = rng_range(&r, -200, 400 - a.height);
        if (i % 4 == 0)
            a.z = i % 8 ? 0 : -1;
        check_area(&a, &ways[i % 3], chunks);
    }
    check_area(&(ptl_area){-1, -1, 0, 1, 1}, NULL, chunks);
    check_area(&(ptl_area){0, 0, 0, 1, 1}, &ways[1], chunks);
    check_area(&(ptl_area){-SIZE, -SIZE, 0, 3 * SIZE, 3 * SIZE}, &ways[2], chunks);
    ptl_cache_free(cache);
    ptl_cache_free(small);
    free_all(chunks);
}
END_TEST

static bool count_calls(void *payload, const ptl_progress *progress)
{
    (void)progress;
    ++*(int *)payload;
    return true;
}

static bool stop(void *payload, const ptl_progress *progress)
{
    (void)payload;
    (void)progress;
    return false;
}

START_TEST(areas_that_are_generated)
{
    static ptl_oter cells[40 * 30], again[40 * 30];
    const ptl_area a = {-20, -15, 0, 40, 30};
    ptl_cache *cache = NULL;
    ptl_area_report r = PTL_AREA_REPORT_INIT;
    int calls = 0;
    generate(0, 0, 0, 0, NULL);
    generate(-1, 0, -1, 0, "lakes"); /* its rest is generated */
    ok(ptl_cache_new(&cache, world, NULL, &err));
    ptl_area_options o = PTL_AREA_OPTIONS_INIT;
    o.cache = cache;
    ok(ptl_area_get(cells, &r, world, &a, &o, &err)); /* holds the unfinished one */
    ck_assert(r.chunks == 4 && r.missing == 2 && r.generated == 0);
    o.generate = true;
    o.jobs = 2;
    o.on_progress = count_calls;
    o.payload = &calls;
    ok(ptl_area_get(cells, &r, world, &a, &o, &err));
    ck_assert(r.chunks == 4 && r.missing == 0 && r.generated == 3);
    ck_assert_int_ge(calls, 1);
    ok(ptl_area_get(again, &r, world, &a, NULL, &err));
    ck_assert(r.chunks == 4 && r.missing == 0);
    ck_assert_mem_eq(cells, again, sizeof cells);
    ptl_cache_clear(cache);
    ok(ptl_area_get(again, &r, world, &a, &o, &err));
    ck_assert_uint_eq(r.generated, 0);
    ck_assert_mem_eq(cells, again, sizeof cells);
    o.on_progress = stop;
    ck_assert_int_eq(ptl_area_get(cells, &r, world, &(ptl_area){900, 900, 0, 1, 1}, &o, &err),
                     PTL_ERR_CANCELLED);
    ptl_cache_free(cache);
}
END_TEST

START_TEST(areas_that_are_none)
{
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * SIZE;
    const ptl_area bad[] = {{0, 0, 0, 0, 1},
                            {0, 0, 0, 1, -1},
                            {0, 0, 0, PTL_AREA_SIDE_MAX + 1, 1},
                            {0, 0, 0, 1, INT32_MAX},
                            {0, 0, PTL_Z_MAX + 1, 1, 1},
                            {0, 0, PTL_Z_MIN - 1, 1, 1},
                            {-most - 1, 0, 0, 1, 1},
                            {0, most + SIZE, 0, 1, 1},
                            {most + SIZE - 1, 0, 0, 2, 1},
                            {INT64_MAX, INT64_MIN, 0, 4, 4}};
    const ptl_area edges[] = {{-most, -most, 0, 4, 4},
                              {most + SIZE - 4, most + SIZE - 4, 0, 4, 4}};
    ptl_oter cells[16];
    ptl_area_report r = PTL_AREA_REPORT_INIT;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(ptl_area_get(cells, &r, world, &bad[i], NULL, &err), PTL_ERR_ARGUMENT);
    for (size_t i = 0; i < 2; i++) {
        ok(ptl_area_get(cells, &r, world, &edges[i], NULL, &err));
        ck_assert(r.chunks == 1 && r.missing == 1 && cells[15] == (ptl_oter)PTL_OTER_NONE);
    }
}
END_TEST

/* ---- the cache ---- */

static void equal_chunks(const ptl_chunk *a, const ptl_chunk *b)
{
    static ptl_oter ca[PTL_LEVEL_CELLS], cb[PTL_LEVEL_CELLS];
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(ca, a, z);
        ptl_chunk_level(cb, b, z);
        ck_assert_mem_eq(ca, cb, sizeof ca);
    }
}

static ptl_cache *cache_of(size_t bytes)
{
    ptl_cache *cache = NULL;
    const ptl_cache_options o = {.size = sizeof o, .bytes = bytes};
    ok(ptl_cache_new(&cache, world, &o, &err));
    return cache;
}

static ptl_cache_counts counts_of(const ptl_cache *cache)
{
    ptl_cache_counts c = PTL_CACHE_COUNTS_INIT;
    ok(ptl_cache_describe(&c, cache, &err));
    return c;
}

START_TEST(chunks_are_made_and_held)
{
    const ptl_chunk *chunk, *again;
    ptl_chunk *saved;
    ptl_cache *cache = cache_of(0);
    const ptl_chunk_pos pos = {-2, 3};
    ck_assert_int_eq(ptl_cache_load(&chunk, cache, pos, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(chunk);
    ck_assert_ptr_nonnull(strstr(err.message, "-2,3"));
    ok(ptl_cache_get(&chunk, cache, pos, &err));
    ok(ptl_cache_get(&again, cache, pos, &err));
    ck_assert_ptr_eq(chunk, again);
    ok(ptl_cache_load(&again, cache, pos, &err));
    ck_assert_ptr_eq(chunk, again);
    ok(ptl_chunk_load(&saved, world, pos, &err));
    equal_chunks(chunk, saved);
    ptl_cache_counts c = counts_of(cache);
    ck_assert(c.chunks == 1 && c.hits == 2 && c.misses == 2 && c.dropped == 0);
    ck_assert_uint_gt(c.bytes, PTL_LEVEL_CELLS * sizeof(ptl_oter));
    for (int32_t z = -1; z <= 0; z++) {
        ptl_oter oter;
        ok(ptl_cache_oter_get(&oter, cache, (ptl_omt){-2 * SIZE + 7, 3 * SIZE + 9, z}, &err));
        ck_assert_uint_eq(oter, ptl_chunk_oter(saved, 7, 9, z));
    }
    ptl_cache_clear(cache);
    c = counts_of(cache);
    ck_assert(c.chunks == 0 && c.bytes == 0 && c.dropped == 0);
    ok(ptl_cache_load(&chunk, cache, pos, &err));
    equal_chunks(chunk, saved);
    ptl_chunk_free(saved);
    ptl_cache_free(cache);
    ptl_cache_free(NULL);
}
END_TEST

START_TEST(unfinished_chunks_are_finished)
{
    const ptl_chunk *chunk;
    ptl_chunk *part, *whole;
    ptl_cache *cache = cache_of(0);
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    generate(0, 0, 1, 0, "rivers");
    for (int32_t x = 0; x <= 1; x++) {
        const ptl_chunk_pos pos = {x, 0};
        ok(ptl_chunk_load(&part, world, pos, &err));
        ok(ptl_cache_load(&chunk, cache, pos, &err));
        equal_chunks(chunk, part);
        if (x == 0) {
            ok(ptl_cache_get(&chunk, cache, pos, &err));
        } else {
            const ptl_prefetch_options o = {.size = sizeof o, .radius = 0};
            ok(ptl_cache_prefetch(&r, cache, pos, &o, &err));
            ck_assert(r.chunks == 1 && r.generated == 1 && r.loaded == 1 && r.held == 1);
            ok(ptl_cache_load(&chunk, cache, pos, &err));
        }
        ok(ptl_chunk_load(&whole, world, pos, &err));
        equal_chunks(chunk, whole);
        ck_assert_int_ne(ptl_chunk_oter(whole, 90, 90, 10), PTL_OTER_NONE);
        ptl_chunk_free(part);
        ptl_chunk_free(whole);
    }
    ck_assert_uint_eq(counts_of(cache).chunks, 2);
    ptl_cache_free(cache);
}
END_TEST

START_TEST(places_outside_of_all_chunks)
{
    const ptl_chunk *chunk;
    ptl_cache *cache = cache_of(0);
    ptl_oter oter = 3;
    const int64_t most = (int64_t)PTL_CHUNK_COORD_MAX * SIZE;
    const ptl_omt bad[] = {{0, 0, 11},          {0, 0, -11},       {-most - 1, 0, 0},
                           {most + SIZE, 0, 0}, {0, INT64_MAX, 0}, {0, -most - 1, 0},
                           {0, most + SIZE, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(ptl_cache_oter_get(&oter, cache, bad[i], &err), PTL_ERR_ARGUMENT);
        ck_assert_uint_eq(oter, (ptl_oter)PTL_OTER_NONE);
    }
    const ptl_chunk_pos far = {PTL_CHUNK_COORD_MAX + 1, 0};
    ck_assert_int_eq(ptl_cache_get(&chunk, cache, far, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(chunk);
    ck_assert_int_eq(ptl_cache_prefetch(NULL, cache, far, NULL, &err), PTL_ERR_ARGUMENT);
    ptl_prefetch_options o = {.size = sizeof o, .radius = 33};
    ck_assert_int_eq(ptl_cache_prefetch(NULL, cache, (ptl_chunk_pos){0, 0}, &o, &err),
                     PTL_ERR_ARGUMENT);
    o.radius = -1;
    ck_assert_int_eq(ptl_cache_prefetch(NULL, cache, (ptl_chunk_pos){0, 0}, &o, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(counts_of(cache).chunks, 0);
    ptl_cache_free(cache);
}
END_TEST

/* ---- against a list ---- */

enum { PLACES = 30 };

/* What must be held: places by last use, the newest first, and their sizes. */
typedef struct model {
    int held[PLACES];
    size_t count, bytes[PLACES];
} model;

static void model_use(model *m, int place, size_t most)
{
    size_t at = 0;
    while (at < m->count && m->held[at] != place)
        at++;
    if (at == m->count)
        m->count++;
    memmove(m->held + 1, m->held, at * sizeof *m->held);
    m->held[0] = place;
    size_t sum = 0, kept = 0;
    while (kept < m->count && (sum += m->bytes[m->held[kept]]) <= most)
        kept++;
    m->count = kept > 0 ? kept : 1;
}

static ptl_chunk_pos place_at(int place)
{
    return (ptl_chunk_pos){place % 6 - 3, place / 6 - 2};
}

START_TEST(the_ones_used_last_are_held)
{
    static const size_t bounds[] = {1, 700000, 1500000, 4000000};
    model m = {.count = 0};
    rng r = rng_from_key((uint64_t)_i + 1);
    generate(-3, -2, 2, 2, NULL);
    for (int i = 0; i < PLACES; i++) {
        const ptl_chunk *chunk;
        ptl_cache *alone = cache_of(1);
        ok(ptl_cache_get(&chunk, alone, place_at(i), &err));
        m.bytes[i] = counts_of(alone).bytes;
        ptl_cache_free(alone);
    }
    ptl_cache *cache = cache_of(bounds[_i]);
    uint64_t hits = 0, dropped = 0;
    for (int n = 0; n < 400; n++) {
        const ptl_chunk *chunk;
        const int place = n % 3 ? rng_range(&r, 0, 4) : rng_range(&r, 0, PLACES - 1);
        bool held = false;
        for (size_t k = 0; k < m.count; k++)
            held = held || m.held[k] == place;
        hits += held;
        const size_t before = m.count + !held;
        model_use(&m, place, bounds[_i]);
        dropped += before - m.count;
        ok(n % 2 ? ptl_cache_get(&chunk, cache, place_at(place), &err)
                 : ptl_cache_load(&chunk, cache, place_at(place), &err));
        const ptl_chunk_pos pos = ptl_chunk_position(chunk);
        ck_assert(pos.x == place_at(place).x && pos.y == place_at(place).y);
        const ptl_cache_counts c = counts_of(cache);
        size_t sum = 0;
        for (size_t k = 0; k < m.count; k++)
            sum += m.bytes[m.held[k]];
        ck_assert_uint_eq(c.chunks, m.count);
        ck_assert_uint_eq(c.bytes, sum);
        ck_assert_uint_eq(c.hits, hits);
        ck_assert_uint_eq(c.misses, (uint64_t)n + 1 - hits);
        ck_assert_uint_eq(c.dropped, dropped);
    }
    ptl_cache_free(cache);
}
END_TEST

/* More chunks than the table begins with. */
START_TEST(many_chunks)
{
    ptl_cache *cache = cache_of((size_t)1 << 30);
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    const ptl_prefetch_options o = {.size = sizeof o, .radius = 5, .jobs = 2};
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, &o, &err));
    ck_assert(r.chunks == 121 && r.generated == 121 && r.loaded == 121 && r.held == 121);
    for (int32_t i = 0; i < 121; i++) {
        const ptl_chunk *chunk;
        const ptl_chunk_pos pos = {i % 11 - 5, i / 11 - 5};
        ok(ptl_cache_get(&chunk, cache, pos, &err));
        ck_assert(ptl_chunk_position(chunk).x == pos.x && ptl_chunk_position(chunk).y == pos.y);
    }
    const ptl_cache_counts c = counts_of(cache);
    ck_assert(c.chunks == 121 && c.hits == 121 && c.misses == 0 && c.dropped == 0);
    ptl_cache_free(cache);
}
END_TEST

/* ---- prefetch ---- */

START_TEST(prefetch_makes_what_is_missing_at_once)
{
    const ptl_chunk *chunk;
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    ptl_cache *cache = cache_of(0);
    generate(0, 0, 0, 1, NULL);
    const int64_t runs = ask("SELECT count(*) FROM run");
    ok(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){0, 0}, &err));
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, NULL, &err));
    ck_assert(r.chunks == 9 && r.generated == 7 && r.loaded == 8 && r.held == 9);
    ck_assert_int_eq(ask("SELECT count(*) FROM run"), runs + 1);
    ck_assert_int_eq(ask("SELECT chunks FROM run ORDER BY id DESC LIMIT 1"), 7);
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, NULL, &err));
    ck_assert(r.generated == 0 && r.loaded == 0 && r.held == 9);
    ck_assert_int_eq(ask("SELECT count(*) FROM run"), runs + 1); /* nothing was written */
    const uint64_t misses = counts_of(cache).misses;
    for (int64_t x = -180; x < 360; x++) {
        ptl_oter oter;
        ok(ptl_cache_oter_get(&oter, cache, (ptl_omt){x, 2 * x - 100 > 359 ? 359 : x, 0},
                              &err));
        ck_assert_uint_ne(oter, (ptl_oter)PTL_OTER_NONE);
    }
    ck_assert_uint_eq(counts_of(cache).misses, misses);
    ptl_cache_free(cache);
}
END_TEST

START_TEST(prefetch_with_too_few_bytes_holds_the_nearest)
{
    const ptl_chunk *chunk;
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    ptl_cache *cache = cache_of(0);
    ptl_prefetch_options o = {.size = sizeof o, .radius = 2};
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){4, 4}, &o, &err));
    ck_assert(r.chunks == 25 && r.generated == 25);
    ptl_cache_free(cache);
    cache = cache_of(2500000);
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){4, 4}, &o, &err));
    ck_assert(r.chunks == 25 && r.generated == 0 && r.held < 25 && r.held > 1);
    ck_assert_uint_eq(counts_of(cache).chunks, r.held);
    ck_assert_uint_le(counts_of(cache).bytes, 2500000);
    ok(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){4, 4}, &err));
    ck_assert_uint_eq(counts_of(cache).hits, 1);
    ptl_cache_free(cache);
}
END_TEST

START_TEST(prefetch_at_the_end_of_the_world)
{
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    ptl_cache *cache = cache_of(0);
    const ptl_chunk_pos corner = {-PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX};
    ok(ptl_cache_prefetch(&r, cache, corner, NULL, &err));
    ck_assert(r.chunks == 4 && r.generated == 4 && r.held == 4);
    ptl_prefetch_options o = PTL_PREFETCH_OPTIONS_INIT;
    o.on_progress = stop;
    ck_assert_int_eq(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, &o, &err),
                     PTL_ERR_CANCELLED);
    ptl_cache_free(cache);
}
END_TEST

START_TEST(a_store_for_reading)
{
    const ptl_open_options reading = {.size = sizeof reading, .mode = PTL_OPEN_READ};
    const ptl_chunk *chunk;
    ptl_prefetch_report r = PTL_PREFETCH_REPORT_INIT;
    ptl_store *other = NULL;
    ptl_world *same = NULL;
    ptl_cache *cache = NULL;
    generate(0, 0, 0, 0, NULL);
    ok(ptl_store_open(&other, path, &reading, &err));
    ok(ptl_world_open(&same, other, NULL, NULL, &err));
    ok(ptl_cache_new(&cache, same, NULL, &err));
    const ptl_prefetch_options none = {.size = sizeof none, .radius = 0};
    ok(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, &none, &err));
    ck_assert_uint_eq(r.held, 1);
    ok(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){0, 0}, &err));
    ck_assert_int_eq(ptl_cache_get(&chunk, cache, (ptl_chunk_pos){1, 0}, &err),
                     PTL_ERR_READONLY);
    ck_assert_int_eq(ptl_cache_prefetch(&r, cache, (ptl_chunk_pos){0, 0}, NULL, &err),
                     PTL_ERR_READONLY);
    ck_assert_uint_eq(counts_of(cache).chunks, 1);
    ptl_cache_free(cache);
    ptl_world_close(same);
    ptl_store_close(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tiles");
    TCase *tcase = tcase_create("tiles");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, areas_across_chunks);
    tcase_add_test(tcase, areas_that_are_generated);
    tcase_add_test(tcase, areas_that_are_none);
    tcase_add_test(tcase, chunks_are_made_and_held);
    tcase_add_test(tcase, unfinished_chunks_are_finished);
    tcase_add_test(tcase, places_outside_of_all_chunks);
    tcase_add_loop_test(tcase, the_ones_used_last_are_held, 0, 4);
    tcase_add_test(tcase, many_chunks);
    tcase_add_test(tcase, prefetch_makes_what_is_missing_at_once);
    tcase_add_test(tcase, prefetch_with_too_few_bytes_holds_the_nearest);
    tcase_add_test(tcase, prefetch_at_the_end_of_the_world);
    tcase_add_test(tcase, a_store_for_reading);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
