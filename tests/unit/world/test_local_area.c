/*
 * Local maps of whole areas: whatever the order, the threads and whether they are stored, one
 * digest; it sees every part of a map; work that was stopped goes on.
 */
#include "core/hash.h"
#include "support/golden.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

typedef struct made_world {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    ptl_world *world;
} made_world;

/* Over the corner of four chunks, and on five levels. */
static const ptl_local_area CORNER = {-7, -9, 8, 6, -2, 2};
enum { CORNER_MAPS = 16 * 16 * 5 };

static void begin(made_world *m, uint64_t seed)
{
    world_file_path(m->path);
    m->store = world_file_open(m->path, "w", seed);
    m->world = world_file_world(m->store, "w");
    memset(&err, 0, sizeof err);
}

static void end(made_world *m)
{
    ptl_world_close(m->world);
    ptl_store_close(m->store);
    world_file_remove(m->path);
}

static ptl_local_generate_report make(const made_world *m, const ptl_local_area *areas,
                                      size_t count, int32_t jobs)
{
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    const ptl_local_generate_options o = {
        .size = sizeof o, .areas = areas, .area_count = count, .jobs = jobs};
    OK(ptl_local_generate(&report, m->world, &o, &err));
    ck_assert_uint_eq(report.done + report.skipped, report.total);
    return report;
}

static ptl_local_digest_result digest_of(const made_world *m, const ptl_local_area *area)
{
    ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
    OK(ptl_local_digest_get(&d, m->world, area, &err));
    ck_assert_uint_eq(strlen(d.hex), 64);
    return d;
}

/* The chunks that CORNER depends on, in an order of their own for each number. */
static void make_chunks(const made_world *m, int order)
{
    ptl_chunk_pos list[4];
    for (int i = 0; i < 4; i++)
        list[i] = (ptl_chunk_pos){-((i ^ order) & 1), -(((i ^ order) >> 1) & 1)};
    const ptl_generate_options o = {
        .size = sizeof o, .positions = list, .position_count = 4, .jobs = 1};
    OK(ptl_generate(NULL, m->world, &o, &err));
}

/* Gets all maps of CORNER one by one, in a shuffled order. */
static void visit_all(const made_world *m, uint64_t seed)
{
    static ptl_omt places[CORNER_MAPS];
    size_t count = 0;
    rng r = rng_from_key(seed);
    for (int32_t z = CORNER.z0; z <= CORNER.z1; z++)
        for (int64_t y = CORNER.y0; y <= CORNER.y1; y++)
            for (int64_t x = CORNER.x0; x <= CORNER.x1; x++)
                places[count++] = (ptl_omt){x, y, z};
    ck_assert_uint_eq(count, CORNER_MAPS);
    for (uint32_t i = CORNER_MAPS - 1; i > 0; i--) {
        const uint32_t k = rng_below(&r, i + 1);
        const ptl_omt swap = places[i];
        places[i] = places[k];
        places[k] = swap;
    }
    for (size_t i = 0; i < count; i++) {
        ptl_local_map *map;
        OK(ptl_local_get(&map, m->world, places[i], NULL, &err));
        ptl_local_free(map);
    }
}

START_TEST(one_digest_whatever_the_order)
{
    made_world made, one, three, shuffled;
    begin(&made, 21);
    make_chunks(&made, 0);
    const ptl_local_digest_result wanted = digest_of(&made, &CORNER);
    ck_assert_uint_eq(wanted.maps, CORNER_MAPS);
    ck_assert_uint_eq(wanted.made, CORNER_MAPS);
    ck_assert_uint_eq(digest_of(&made, NULL).maps, 0); /* nothing was stored */
    begin(&one, 21);
    ck_assert_uint_eq(make(&one, &CORNER, 1, 1).done, CORNER_MAPS);
    const ptl_local_digest_result stored = digest_of(&one, &CORNER);
    ck_assert_str_eq(stored.hex, wanted.hex);
    ck_assert_uint_eq(stored.made, 0);
    ck_assert_str_eq(digest_of(&one, NULL).hex, wanted.hex);
    begin(&three, 21);
    make_chunks(&three, 3);
    (void)make(&three, &CORNER, 1, 3);
    ck_assert_str_eq(digest_of(&three, NULL).hex, wanted.hex);
    begin(&shuffled, 21);
    make_chunks(&shuffled, 2);
    visit_all(&shuffled, 5);
    ck_assert_str_eq(digest_of(&shuffled, NULL).hex, wanted.hex);
    end(&made);
    end(&one);
    end(&three);
    end(&shuffled);
}
END_TEST

START_TEST(areas_may_meet_and_overlap)
{
    static const ptl_local_area parts[] = {
        {-7, -9, 1, 6, -2, 2}, {0, -9, 8, 6, -2, 0}, {0, -9, 8, 6, 1, 2}, {3, 3, 3, 3, 0, 0}};
    made_world m;
    begin(&m, 21);
    const ptl_local_digest_result before = digest_of(&m, NULL);
    const ptl_local_generate_report r = make(&m, parts, 4, 2);
    ck_assert_uint_eq(r.done, CORNER_MAPS);
    ck_assert_uint_eq(r.total, 16 * 5 * (9 + 9) + 1);
    ck_assert_uint_eq(r.chunks, 4);
    const ptl_local_digest_result d = digest_of(&m, &CORNER);
    ck_assert_str_eq(d.hex, digest_of(&m, NULL).hex);
    ck_assert_str_ne(d.hex, before.hex);
    const ptl_local_generate_report again = make(&m, parts, 4, 1);
    ck_assert_uint_eq(again.done, 0);
    ck_assert_uint_eq(again.chunks, 0);
    /* The top and the bottom have nothing above and below. */
    static const ptl_local_area column = {5, 5, 5, 5, PTL_Z_MIN, PTL_Z_MAX};
    ck_assert_uint_eq(make(&m, &column, 1, 1).done, PTL_LEVELS - 5);
    ck_assert_uint_eq(digest_of(&m, &column).made, 0);
    end(&m);
}
END_TEST

/* ---- stopping ---- */

typedef struct stopper {
    uint64_t most, seen;
} stopper;

static bool stop_after(void *payload, const ptl_progress *now)
{
    stopper *s = payload;
    ck_assert_uint_le(s->seen, now->done + now->skipped);
    ck_assert_uint_le(now->done + now->skipped, now->total);
    s->seen = now->done + now->skipped;
    return s->seen < s->most;
}

START_TEST(stopped_work_goes_on)
{
    static const ptl_local_area area = {20, 20, 151, 151, 0, 0};
    enum { MAPS = 132 * 132 };
    made_world m;
    stopper s = {.most = 1};
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    ptl_local_generate_options o = {.size = sizeof o,
                                    .areas = &area,
                                    .area_count = 1,
                                    .turn = 77,
                                    .on_progress = stop_after,
                                    .payload = &s};
    begin(&m, 4);
    ck_assert_int_eq(ptl_local_generate(&report, m.world, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_gt(report.done, 0);
    ck_assert_uint_lt(report.done, MAPS);
    ck_assert_uint_eq(report.total, MAPS);
    const uint64_t first = report.done;
    ck_assert_uint_eq(digest_of(&m, NULL).maps, first);
    s = (stopper){.most = UINT64_MAX};
    OK(ptl_local_generate(&report, m.world, &o, &err));
    ck_assert_uint_eq(report.skipped, first);
    ck_assert_uint_eq(report.done, MAPS - first);
    ck_assert_uint_eq(s.seen, MAPS);
    ptl_local_map *map;
    OK(ptl_local_load(&map, m.world, (ptl_omt){151, 20, 0}, &err));
    ck_assert_int_eq(ptl_local_turn(map), 77);
    ck_assert_int_eq(ptl_local_revision(map), 1);
    ptl_local_free(map);
    /* Chunks have a callback of their own, which stops them, too. */
    static const ptl_local_area far = {5 * 180 + 9, 0, 5 * 180 + 9, 0, 0, 0};
    s = (stopper){.most = 1};
    o.areas = &far;
    o.on_chunks = stop_after;
    ck_assert_int_eq(ptl_local_generate(&report, m.world, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_eq(report.done, 0);
    end(&m);
}
END_TEST

/* ---- what a digest sees ---- */

static void change(ptl_local_map *map, int what)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = what == 5 ? "sign" : "item";
    e.id = what == 6 ? "stick" : "rock";
    e.text = what == 7 ? "hello" : NULL;
    e.own = what == 8 ? "{}" : NULL;
    e.with = what == 9 ? "them" : NULL;
    e.x = e.x2 = what == 10;
    e.y = e.y2 = what == 11;
    e.x2 += what == 12;
    e.y2 += what == 13;
    e.count = what == 14;
    e.charges = what == 15;
    e.status = what == 16;
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_OK);
    if (what == 1)
        ck_assert_int_eq(ptl_local_terrain_set(map, 23, 23, "t_mine"), PTL_OK);
    if (what == 2)
        ck_assert_int_eq(ptl_local_furniture_set(map, 23, 23, "f_mine"), PTL_OK);
    if (what == 3)
        ck_assert_int_eq(ptl_local_trap_set(map, 23, 23, "tr_mine"), PTL_OK);
    if (what == 4)
        ck_assert_int_eq(ptl_local_radiation_set(map, 23, 23, 9), PTL_OK);
}

START_TEST(a_digest_sees_every_part)
{
    enum { CHANGES = 17 };
    static const ptl_local_area here = {50, 50, 50, 50, 0, 0}, beside = {51, 50, 51, 50, 0, 0};
    char seen[CHANGES + 1][65];
    made_world m;
    begin(&m, 9);
    (void)make(&m, &beside, 1, 1);
    ptl_local_map *map;
    OK(ptl_local_get(&map, m.world, (ptl_omt){50, 50, 0}, NULL, &err));
    const size_t things = ptl_local_entity_count(map);
    snprintf(seen[CHANGES], sizeof *seen, "%s", digest_of(&m, &here).hex);
    for (int i = 0; i < CHANGES; i++) {
        change(map, i);
        OK(ptl_local_put(m.world, &map, 1, &err));
        snprintf(seen[i], sizeof *seen, "%s", digest_of(&m, &here).hex);
        ck_assert_int_eq(ptl_local_entity_remove(map, things), PTL_OK);
        if (i == 1)
            ck_assert_int_eq(ptl_local_terrain_set(map, 23, 23, "t_dirt"), PTL_OK);
    }
    for (int i = 0; i <= CHANGES; i++)
        for (int k = 0; k < i; k++)
            ck_assert_msg(strcmp(seen[i], seen[k]) != 0, "changes %d and %d look alike", i, k);
    ptl_local_free(map);
    end(&m);
}
END_TEST

/* ---- a digest that is stopped ---- */

/* Says yes from the question `yes` on. */
typedef struct stopping {
    int asked, yes;
} stopping;

static bool stops(void *payload)
{
    stopping *s = payload;
    return ++s->asked >= s->yes;
}

/* The question comes at least once for each map, also for one that is stored and has next to
 * nothing. */
START_TEST(a_digest_of_stored_maps_is_stopped)
{
    enum { MAPS = 30 };
    static const ptl_local_area area = {50, 60, 55, 64, PTL_Z_MAX, PTL_Z_MAX}; /* the sky */
    made_world m;
    begin(&m, 9);
    (void)make(&m, &area, 1, 1);
    const ptl_local_digest_result wanted = digest_of(&m, &area);
    ck_assert_uint_eq(wanted.maps, MAPS);
    ptl_world_close(m.world);
    ptl_store_close(m.store);
    stopping s = {0, INT_MAX};
    const ptl_open_options o = {.size = sizeof o, .should_stop = stops, .payload = &s};
    OK(ptl_store_open(&m.store, m.path, &o, &err));
    m.world = world_file_world(m.store, "w");
    ck_assert_str_eq(digest_of(&m, &area).hex, wanted.hex); /* all that is read once is */
    for (int n = 1; n <= MAPS; n++) {
        ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
        s = (stopping){0, n};
        ck_assert_int_eq(ptl_local_digest_get(&d, m.world, _i ? &area : NULL, &err),
                         PTL_ERR_CANCELLED);
        ck_assert_uint_eq(d.maps, 0);
    }
    s = (stopping){0, INT_MAX};
    ck_assert_str_eq(digest_of(&m, &area).hex, wanted.hex);
    end(&m);
}
END_TEST

/* ---- what can not be ---- */

START_TEST(what_can_not_be_is_refused)
{
    static const ptl_local_area bad[] = {
        {1, 0, 0, 0, 0, 0},         {0, 1, 0, 0, 0, 0},          {0, 0, 0, 0, 1, 0},
        {0, 0, 0, 0, 0, 11},        {0, 0, 0, 0, -11, 0},        {0, 0, INT64_MAX, 0, 0, 0},
        {INT64_MIN, 0, 0, 0, 0, 0}, {0, 0, 400000, 400000, 0, 0}};
    made_world m;
    ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    begin(&m, 9);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        o.areas = &bad[i];
        o.area_count = 1;
        ck_assert_int_eq(ptl_local_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
        if (i < 7)
            ck_assert_int_eq(ptl_local_digest_get(&d, m.world, &bad[i], &err),
                             PTL_ERR_ARGUMENT);
    }
    static const ptl_local_area one = {0, 0, 0, 0, 0, 0};
    o.areas = &one;
    o.turn = -1;
    ck_assert_int_eq(ptl_local_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
    o.turn = 0;
    o.jobs = 65;
    ck_assert_int_eq(ptl_local_generate(NULL, m.world, &o, &err), PTL_ERR_ARGUMENT);
    o.jobs = 1;
    o.area_count = 0;
    OK(ptl_local_generate(NULL, m.world, &o, &err));
    /* A chunk at the corner is missing: no digest of something else. */
    make_chunks(&m, 0);
    OK(ptl_local_digest_get(&d, m.world, &CORNER, &err));
    static const ptl_local_area border = {179, 5, 179, 5, 0, 0};
    ck_assert_int_eq(ptl_local_digest_get(&d, m.world, &border, &err), PTL_ERR_NOT_FOUND);
    ck_assert_msg(strstr(err.message, "chunk 1,0") != NULL, "%s", err.message);
    end(&m);
}
END_TEST

/* ---- golden ---- */

enum { GOLDEN = 6 };

/* A place on the ground, one above and one below, of two seeds, over a border of chunks. */
static void describe(char *line, size_t size, int n)
{
    const int32_t z = n % 3 - 1;
    const ptl_local_area area = {170, 60, 190, 80, z, z};
    made_world m;
    begin(&m, n < 3 ? 1 : 77);
    (void)make(&m, &area, 1, 1);
    const ptl_local_digest_result d = digest_of(&m, &area);
    snprintf(line, size, "seed %d level %d: %d maps %s\n", n < 3 ? 1 : 77, z, (int)d.maps,
             d.hex);
    end(&m);
}

START_TEST(golden_maps)
{
    golden_lines("local.txt", GOLDEN, describe);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_area");
    TCase *tc = tcase_create("local_area"), *threads = tcase_create("threads");
    tcase_set_timeout(tc, 120);
    tcase_set_timeout(threads, 120);
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_add_test(threads, one_digest_whatever_the_order);
    tcase_add_test(threads, areas_may_meet_and_overlap);
    tcase_add_test(threads, stopped_work_goes_on);
    tcase_add_test(tc, a_digest_sees_every_part);
    tcase_add_loop_test(tc, a_digest_of_stored_maps_is_stopped, 0, 2);
    tcase_add_test(tc, what_can_not_be_is_refused);
    tcase_add_test(tc, golden_maps);
    suite_add_tcase(suite, tc);
    suite_add_tcase(suite, threads);
    return suite_run(suite);
}
