/*
 * Local tides: stored as events, known by place and beginning, seen again by who opens the file
 * anew; what they raise, at any turn in any order, and what they do not; in the file and in
 * memory. Damaged rows are seen by verify, and set aside by repair.
 */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_LOCAL_SIDE, CELLS = SIDE * SIDE, STEP = 60, HIGH = 28 * STEP };

/* The nth OMT with many islands, far out in the sea of seed 7, near its chunk's border. */
static ptl_omt island_omt(int nth)
{
    uint8_t shares[PTL_CHUNK_SIZE];
    const int32_t x = 5 * PTL_CHUNK_SIZE;
    for (int64_t y = x;; y++) {
        coast_shares(shares, 7, x, y, PTL_CHUNK_SIZE);
        for (int i = 0; i < PTL_CHUNK_SIZE; i++)
            if (shares[i] > COAST_SHARE_ALL / 3 && nth-- == 0)
                return (ptl_omt){x + i, y, 0};
    }
}

static ptl_world *sea_in(ptl_store *store)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world = NULL;
    o.seed = 7;
    o.region = "coast";
    import_builtin(store);
    OK(ptl_world_create(store, "sea", &o, &err));
    OK(ptl_world_open(&world, store, "sea", NULL, &err));
    return world;
}

static ptl_local_surge surge_at(ptl_omt at, int x, int y, int64_t begins, int64_t ends)
{
    ptl_local_surge s = PTL_LOCAL_SURGE_INIT;
    s.x = at.x * SIDE + x;
    s.y = at.y * SIDE + y;
    s.begins = begins;
    s.ends = ends;
    return s;
}

/* Has all chunks generated that the sea at an OMT depends on. */
static void visit(ptl_world *world, ptl_omt at)
{
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    OK(ptl_local_water_get(&w, world, at.x * SIDE, at.y * SIDE, 0, &err));
}

/* How high the water stands at each tile of an OMT. */
static void levels_at(int32_t out[CELLS], ptl_world *world, ptl_omt at, int64_t turn)
{
    local_sea sea;
    int32_t lag;
    local_reader *r = local_reader_new(world);
    OK(local_reader_sea_at(&sea, r, at, turn, &err));
    ck_assert(sea.any);
    for (int i = 0; i < CELLS; i++)
        out[i] = local_sea_level(&lag, &sea, i);
    local_reader_free(r);
}

static int distance(int x, int y, int u, int v)
{
    return abs(x - u) > abs(y - v) ? abs(x - u) : abs(y - v);
}

/* Of a surge at tile 12,12 of the OMT, so long after it began. */
static void compare(const int32_t with[CELLS], const int32_t without[CELLS], int steps,
                    int *raised)
{
    const int peak = 5 * steps < 50 ? 5 * steps : 50;
    for (int i = 0; i < CELLS; i++) {
        const int d = distance(i % SIDE, i / SIDE, 12, 12);
        const int by = with[i] - without[i];
        ck_assert_int_ge(by, 0); /* it lowers nothing */
        /* Water comes over bars, so it may rise by more than its own height; not elsewhere. */
        const int bonus = d <= 8 && peak > 3 * d ? peak - 3 * d : 0;
        if (bonus == 0 && by > 0)
            ck_abort_msg("water rises %d tiles away", d);
        if (bonus > 0 && with[i] > PTL_TIDE_HIGH + bonus)
            ck_abort_msg("%d is higher than tide and surge", (int)with[i]);
        *raised += by > 0;
    }
}

/* Turn by turn in a shuffled order, in two places, against the sea without it. */
START_TEST(water_rises_for_a_time)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store);
    int raised = 0;
    rng r = rng_from_key(5);
    for (int n = 0; n < 4; n++) {
        static int32_t before[8][CELLS], now[CELLS];
        static const int at_step[8] = {-1, 0, 1, 4, 10, 19, 20, 30};
        const ptl_omt at = island_omt(9 + 23 * n);
        const int64_t begin = (int64_t)(10 * n + 3) * STEP;
        visit(world, at);
        for (int k = 0; k < 8; k++)
            levels_at(before[k], world, at, begin + at_step[k] * STEP);
        const ptl_local_surge s =
            surge_at(at, 12, 12, begin + STEP / 2, begin + 19 * STEP + STEP / 3);
        OK(ptl_local_surge_add(world, &s, &err));
        for (int k = 0; k < 24; k++) {
            const int i = (int)rng_below(&r, 8), step = at_step[i];
            levels_at(now, world, at, begin + step * STEP + (int64_t)rng_below(&r, STEP));
            if (step < 1 || step > 19)
                ck_assert(memcmp(now, before[i], sizeof now) == 0);
            else
                compare(now, before[i], step, &raised);
        }
    }
    ck_assert_int_gt(raised, 500);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* Over the border of two OMTs, and what a map, water_at, a ford and SQL say of it. */
START_TEST(all_that_asks_for_a_turn_obeys)
{
    place p;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = island_omt(4 + 14 * _i);
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    ptl_local_map *map = NULL, *calm = NULL;
    int wet = 0, beyond = 0, soil = 0;
    o.tide = true;
    o.view = HIGH + 12 * STEP;
    OK(ptl_local_get(&calm, world, at, &o, &err));
    const ptl_local_surge s = surge_at(at, 23, 12, HIGH, HIGH + 20 * STEP);
    OK(ptl_local_surge_add(world, &s, &err));
    OK(ptl_local_get(&map, world, at, &o, &err));
    for (int i = 0; i < CELLS; i++) {
        ptl_local_water w = PTL_LOCAL_WATER_INIT;
        const char *seen = ptl_local_terrain(map, i % SIDE, i / SIDE);
        OK(ptl_local_water_get(&w, world, at.x * SIDE + i % SIDE, at.y * SIDE + i / SIDE,
                               o.view, &err));
        if (strcmp(seen, "t_rock") != 0 && strcmp(seen, "t_mangrove") != 0 &&
            strcmp(seen, "t_shrub") != 0)
            ck_assert_int_eq(strncmp(seen, "t_swater", 8) == 0, w.depth > 0);
        soil += w.depth > 0 && w.height > PTL_TIDE_HIGH;
        wet += strcmp(seen, ptl_local_terrain(calm, i % SIDE, i / SIDE)) != 0;
    }
    ptl_local_free(map);
    ptl_local_free(calm);
    static int32_t with[CELLS], without[CELLS];
    const ptl_omt east = {at.x + 1, at.y, 0};
    visit(world, east);
    levels_at(with, world, east, o.view);
    levels_at(without, world, east, HIGH + 12 * STEP + 100 * STEP);
    for (int i = 0; i < CELLS; i++)
        beyond += with[i] > without[i];
    ck_assert_int_gt(soil, 10);
    ck_assert_int_gt(wet, soil);
    ck_assert_int_gt(beyond, 100);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static int64_t number(ptl_store *store, const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

START_TEST(known_by_place_and_beginning)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = {1000, 1000, 0};
    static int32_t calm[CELLS], now[CELLS];
    visit(world, at);
    levels_at(calm, world, at, 15 * STEP);
    ptl_local_surge s = surge_at(at, 3, 4, 0, 20 * STEP);
    OK(ptl_local_surge_add(world, &s, &err));
    ck_assert_int_eq(ptl_local_surge_add(world, &s, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "24003,24004"));
    levels_at(now, world, at, 15 * STEP);
    ck_assert_int_eq(now[4 * SIDE + 3], calm[4 * SIDE + 3] + 50);
    s.ends = 10 * STEP; /* earlier than it would have */
    OK(ptl_local_surge_end(world, &s, &err));
    levels_at(now, world, at, 15 * STEP);
    ck_assert(memcmp(now, calm, sizeof now) == 0);
    levels_at(now, world, at, 9 * STEP);
    ck_assert(memcmp(now, calm, sizeof now) != 0);
    s.ends = 0; /* it never was */
    OK(ptl_local_surge_end(world, &s, &err));
    ck_assert_int_eq(ptl_local_surge_end(world, &s, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_local_surge_add(world, &s, &err), PTL_ERR_ARGUMENT);
    s.begins = -1;
    s.ends = 5;
    ck_assert_int_eq(ptl_local_surge_add(world, &s, &err), PTL_ERR_ARGUMENT);
    s = surge_at((ptl_omt){INT32_MAX, 0, 0}, 0, 0, 0, 5);
    ck_assert_int_eq(ptl_local_surge_add(world, &s, &err), PTL_ERR_ARGUMENT);
    ptl_world *land = create(p.store, "land", 3);
    s = surge_at(at, 0, 0, 0, 5);
    ck_assert_int_eq(ptl_local_surge_add(land, &s, &err), PTL_ERR_NOT_FOUND);
    ptl_world_close(land);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* Two overlap: of a tile that both reach the higher counts, and where they were added in
 * another order the water is the same. */
START_TEST(the_higher_of_two_counts)
{
    static int32_t found[2][CELLS], one[CELLS];
    const ptl_omt at = {1000, 1000, 0};
    for (int order = 0; order < 2; order++) {
        place p;
        open_place(&p, MEMORY_BACKEND);
        ptl_world *world = sea_in(p.store);
        visit(world, at);
        for (int k = 0; k < 2; k++) {
            const bool first = (k == 0) == (order == 0);
            const ptl_local_surge s =
                first ? surge_at(at, 8, 8, 0, 90 * STEP) : surge_at(at, 12, 8, 0, 90 * STEP);
            OK(ptl_local_surge_add(world, &s, &err));
            if (k == 0 && order == 0)
                levels_at(one, world, at, 50 * STEP);
        }
        levels_at(found[order], world, at, 50 * STEP);
        ptl_world_close(world);
        close_place(&p);
    }
    ck_assert(memcmp(found[0], found[1], sizeof found[0]) == 0);
    ck_assert_int_eq(found[0][8 * SIDE + 8], one[8 * SIDE + 8]);
    ck_assert_int_gt(found[0][8 * SIDE + 12], one[8 * SIDE + 12]);
}
END_TEST

/* ---- in the file ---- */

static void keep_problem(void *payload, const ptl_problem *problem)
{
    *(int *)payload = problem->invariant;
}

static int verified(ptl_store *store)
{
    int invariant = 0;
    OK(verify_parts(store, VERIFY_TABLES, keep_problem, &invariant, NULL, &err));
    return invariant;
}

static void exec(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

START_TEST(damage_is_seen_and_mended)
{
    place p;
    char copy[WORLD_PATH_SIZE];
    ptl_store *other;
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = {1000, 1000, 0};
    for (int i = 0; i < 3; i++) {
        const ptl_local_surge s = surge_at(at, i, 0, 7, 5000 + i);
        OK(ptl_local_surge_add(world, &s, &err));
    }
    ck_assert_int_eq(number(p.store, "SELECT count(*) FROM v_surge WHERE world = 'sea' AND "
                                     "x = 24001 AND ends = 5001"),
                     1);
    world_file_path(copy);
    OK(ptl_backup(NULL, p.store, copy, NULL, &err));
    OK(ptl_store_open(&other, copy, &o, &err));
    ck_assert_int_eq(number(other, "SELECT count(*) FROM v_surge"), 3);
    ck_assert_int_eq(verified(other), 0);
    ptl_store_close(other);
    world_file_remove(copy);
    ck_assert_int_eq(verified(p.store), 0);
    exec(p.store, "UPDATE surge SET ends = ends + 64 WHERE id = 2"); /* one bit */
    ck_assert_int_eq(verified(p.store), INVARIANT_SURGE);
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    ck_assert_int_eq(ptl_local_water_get(&w, world, 24001, 24001, 60, &err), PTL_ERR_CORRUPT);
    OK(ptl_repair(&report, p.store, NULL, &err));
    ck_assert_uint_eq(report.corrected, 1);
    ck_assert_int_eq(verified(p.store), 0);
    ck_assert_int_eq(number(p.store, "SELECT ends FROM surge WHERE id = 2"), 5001);
    exec(p.store, "UPDATE surge SET ends = 123456, begins = 9 WHERE id = 2");
    report = (ptl_repair_report)PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, p.store, NULL, &err));
    ck_assert_uint_eq(report.set_aside, 1);
    ck_assert_int_eq(verified(p.store), 0);
    ck_assert_int_eq(number(p.store, "SELECT count(*) FROM surge"), 2);
    OK(ptl_local_water_get(&w, world, 24001, 24001, 60, &err));
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("surges");
    TCase *t = tcase_create("surges");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, water_rises_for_a_time, 0, BACKENDS);
    tcase_add_loop_test(t, all_that_asks_for_a_turn_obeys, 0, 2);
    tcase_add_loop_test(t, known_by_place_and_beginning, 0, BACKENDS);
    tcase_add_test(t, the_higher_of_two_counts);
    tcase_add_test(t, damage_is_seen_and_mended);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
