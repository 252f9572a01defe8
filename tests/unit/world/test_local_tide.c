/*
 * Tides over local maps: what is shown at a turn is what heights and spills say, whatever the
 * order of questions, and nothing of it is stored; what a game changed stays.
 */
#include "core/hash.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

enum { SIDE = PTL_LOCAL_SIDE, STEP = 60 /* turns in one of the tide */ };

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world, *land;

static void begin(void)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = 7;
    o.region = "coast";
    world_file_path(path);
    store = world_file_open(path, "land", 7);
    OK(ptl_world_create(store, "sea", &o, &err));
    world = world_file_world(store, "sea");
    land = world_file_world(store, "land");
}

static void end(void)
{
    ptl_world_close(world);
    ptl_world_close(land);
    ptl_store_close(store);
    world_file_remove(path);
}

/* The nth OMT in an archipelago, far out in the sea. */
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

static ptl_local_map *get(ptl_omt at, bool tide, int64_t turn)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    ptl_local_map *map = NULL;
    o.tide = tide;
    o.view = turn;
    OK(ptl_local_get(&map, world, at, &o, &err));
    return map;
}

static bool is_water(const char *terrain)
{
    return strncmp(terrain, "t_swater_", 9) == 0;
}

START_TEST(the_tide_is_a_function_of_the_turn)
{
    begin();
    int32_t tide, before = 0;
    for (int64_t turn = 0; turn < 2 * STEP * PTL_TIDE_PERIOD; turn += STEP / 2) {
        OK(ptl_local_tide(&tide, world, turn, &err));
        ck_assert_int_eq(tide, ptl_tide_height(turn / STEP));
        ck_assert_int_le(abs(tide - before), 1);
        before = tide;
    }
    ck_assert_int_eq(ptl_local_tide(&tide, world, -1, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_tide(&tide, land, 0, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "default"));
    end();
}
END_TEST

/* Tile by tile against ptl_local_water_get, at turns in a shuffled order, twice. */
START_TEST(maps_show_the_tide)
{
    begin();
    int rose = 0, fell = 0, stayed = 0;
    rng r = rng_from_key(3);
    for (int n = 0; n < 6; n++) {
        const ptl_omt at = island_omt(31 * n);
        ptl_local_map *mean = get(at, false, 0);
        for (int i = 0; i < 4; i++) {
            static const int64_t turns[] = {28 * STEP, 78 * STEP, 0, 10 * STEP};
            const int64_t turn = turns[rng_below(&r, 4)] + STEP * PTL_TIDE_PERIOD * i;
            ptl_local_map *map = get(at, true, turn), *again = get(at, true, turn);
            for (int k = 0; k < SIDE * SIDE; k++) {
                const int x = k % SIDE, y = k / SIDE;
                const char *seen = ptl_local_terrain(map, x, y);
                const char *was = ptl_local_terrain(mean, x, y);
                ck_assert_str_eq(seen, ptl_local_terrain(again, x, y));
                ptl_local_water w = PTL_LOCAL_WATER_INIT;
                OK(ptl_local_water_get(&w, world, at.x * SIDE + x, at.y * SIDE + y, turn,
                                       &err));
                ck_assert((w.depth > 0) == (w.ground <= PTL_SHOALS_SHALLOW));
                if (!is_water(was) && strcmp(was, "t_sand") != 0) {
                    ck_assert_str_eq(seen, was); /* rock, soil, plants */
                    continue;
                }
                ck_assert_int_eq(is_water(seen), w.depth > 0);
                ck_assert_int_eq(strcmp(seen, "t_swater_dp") == 0,
                                 strcmp(was, "t_swater_dp") == 0); /* gentle */
                rose += is_water(seen) && !is_water(was);
                fell += !is_water(seen) && is_water(was);
                stayed += strcmp(seen, was) == 0;
            }
            ptl_local_free(map);
            ptl_local_free(again);
        }
        ptl_local_free(mean);
    }
    ck_assert_int_gt(rose, 30);
    ck_assert_int_gt(fell, 30);
    ck_assert_int_gt(stayed, 1000);
    end();
}
END_TEST

/* A map that is seen at flood and put back has the mean tide, and what was changed. */
START_TEST(no_tide_is_stored)
{
    begin();
    const ptl_omt at = island_omt(0);
    ptl_local_map *mean = get(at, false, 0), *flood = get(at, true, 28 * STEP);
    OK(ptl_local_terrain_set(flood, 3, 4, "t_floor_wood"));
    OK(ptl_local_put(world, &flood, 1, &err));
    ptl_local_map *ebb = get(at, true, 78 * STEP), *now = get(at, false, 0);
    ck_assert_str_eq(ptl_local_terrain(ebb, 3, 4), "t_floor_wood");
    for (int k = 0; k < SIDE * SIDE; k++)
        if (k != 4 * SIDE + 3) {
            ck_assert_str_eq(ptl_local_terrain(now, k % SIDE, k / SIDE),
                             ptl_local_terrain(mean, k % SIDE, k / SIDE));
            ck_assert_str_eq(ptl_local_terrain(flood, k % SIDE, k / SIDE),
                             ptl_local_terrain(mean, k % SIDE, k / SIDE));
        }
    ck_assert_int_eq(ptl_local_revision(now), 2);
    ptl_local_free(mean);
    ptl_local_free(flood);
    ptl_local_free(ebb);
    ptl_local_free(now);
    end();
}
END_TEST

/* A tile that the tide has changed is the game's once it has changed it, whatever it puts
 * there; those that it left alone are not. */
START_TEST(what_a_game_changes_in_the_tide_stays)
{
    begin();
    int changed = 0, left = 0;
    for (int n = 0; n < 6; n++) {
        const ptl_omt at = island_omt(31 * n);
        ptl_local_map *mean = get(at, false, 0), *flood = get(at, true, 28 * STEP);
        bool mine[SIDE * SIDE] = {false};
        for (int k = 0; k < SIDE * SIDE; k++) {
            const int x = k % SIDE, y = k / SIDE;
            const char *was = ptl_local_terrain(mean, x, y);
            if (strcmp(ptl_local_terrain(flood, x, y), was) == 0 || k % 3 == 0)
                continue;
            mine[k] = true;
            OK(ptl_local_terrain_set(flood, x, y, k % 3 == 1 ? "t_floor_wood" : was));
        }
        OK(ptl_local_put(world, &flood, 1, &err));
        ptl_local_map *now = get(at, false, 0);
        for (int k = 0; k < SIDE * SIDE; k++) {
            const int x = k % SIDE, y = k / SIDE;
            const bool wood = mine[k] && k % 3 == 1;
            ck_assert_str_eq(ptl_local_terrain(now, x, y),
                             wood ? "t_floor_wood" : ptl_local_terrain(mean, x, y));
            changed += wood;
            left += !mine[k];
        }
        ptl_local_free(mean);
        ptl_local_free(flood);
        ptl_local_free(now);
    }
    ck_assert_int_gt(changed, 10);
    ck_assert_int_gt(left, 1000);
    end();
}
END_TEST

START_TEST(places_and_turns_that_there_are_not)
{
    begin();
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    ptl_local_map *map = NULL;
    ck_assert_int_eq(ptl_local_water_get(&w, world, -9000, -9000, 0, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_local_water_get(&w, world, 9000, 9000, -5, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_water_get(&w, world, INT64_MAX, 0, 0, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_water_get(&w, land, 9000, 9000, 0, &err), PTL_ERR_NOT_FOUND);
    o.tide = true;
    o.view = -1;
    ck_assert_int_eq(ptl_local_get(&map, world, island_omt(0), &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(map);
    end();
}
END_TEST

/* The content's own word is for all worlds: here it is changed in memory. */
static void set_profile(bool full)
{
    static cat_shoals changed;
    const uint16_t sea = catalogue_terrain(world->cat, "ocean_surface");
    changed = *catalogue_shoals(world->cat);
    changed.full = full;
    ((cat_terrain *)(uintptr_t)world->cat->terrains)[sea].shoals = &changed;
}

/* ---- fords ---- */

enum { FORD_OMTS = 2 + 2 * PTL_LOCAL_FORD_AROUND, FORD_SIDE = FORD_OMTS * SIDE };

/* Is there a way at a turn, by the water of each tile? Tiles are asked one by one. */
static bool way_at(ptl_omt first, int64_t x0, int64_t y0, int64_t x1, int64_t y1, int64_t turn)
{
    static uint8_t passable[FORD_SIDE][FORD_SIDE];
    bool grew = true;
    local_reader *r = local_reader_new(world);
    for (int i = 0; i < FORD_OMTS * FORD_OMTS; i++) {
        local_sea sea;
        OK(local_reader_sea_at(&sea, r,
                               (ptl_omt){first.x + i % FORD_OMTS, first.y + i / FORD_OMTS, 0},
                               turn, &err));
        for (int k = 0; k < SIDE * SIDE; k++) {
            const coast_feature f = sea.any ? local_sea_feature(&sea, k) : COAST_DRY;
            passable[i / FORD_OMTS * SIDE + k / SIDE][i % FORD_OMTS * SIDE + k % SIDE] =
                f == COAST_SHALLOW || (f == COAST_DRY && !sea.other_water);
        }
    }
    local_reader_free(r);
    uint8_t *from = &passable[y0 - first.y * SIDE][x0 - first.x * SIDE];
    *from = *from ? 2 : 0;
    while (grew) {
        grew = false;
        for (int y = 1; y < FORD_SIDE - 1; y++)
            for (int x = 1; x < FORD_SIDE - 1; x++)
                for (int k = 0; k < 9 && passable[y][x] == 1; k++)
                    if (passable[y + k / 3 - 1][x + k % 3 - 1] == 2) {
                        passable[y][x] = 2;
                        grew = true;
                    }
    }
    return passable[y1 - first.y * SIDE][x1 - first.x * SIDE] == 2;
}

static bool in_window(const ptl_local_ford *f, int64_t turn)
{
    bool in = false;
    for (int i = 0; i < f->count; i++)
        in = in || (turn >= f->from[i] && turn <= f->to[i]);
    return in;
}

START_TEST(fords_are_open_in_their_windows)
{
    begin();
    int never = 0, sometimes = 0;
    set_profile(true);
    rng r = rng_from_key(8);
    ptl_local_free(get(island_omt(0), false, 0)); /* its chunk is there */
    for (int n = 0; n < 16; n++) {
        const ptl_omt a = island_omt(11 * n);
        if (a.x % PTL_CHUNK_SIZE < 8 || a.x % PTL_CHUNK_SIZE > 170 || a.y % PTL_CHUNK_SIZE < 8)
            continue;
        const int64_t x0 = a.x * SIDE + (int64_t)rng_below(&r, 24);
        const int64_t y0 = a.y * SIDE + (int64_t)rng_below(&r, 24);
        const int64_t x1 = (a.x + 1) * SIDE + (int64_t)rng_below(&r, 24);
        const int64_t y1 = (a.y + 1) * SIDE + (int64_t)rng_below(&r, 24);
        ptl_local_surge s = PTL_LOCAL_SURGE_INIT;
        s.x = (x0 + x1) / 2;
        s.y = (y0 + y1) / 2;
        s.begins = 15 * STEP;
        s.ends = 55 * STEP;
        if (n % 2)
            OK(ptl_local_surge_add(world, &s, &err));
        ptl_local_ford f = PTL_LOCAL_FORD_INIT;
        const ptl_status status = ptl_local_ford_find(&f, world, x0, y0, x1, y1, 0, &err);
        if (status == PTL_ERR_NOT_FOUND)
            continue;
        OK(status);
        ck_assert_int_eq(f.period, STEP * PTL_TIDE_PERIOD);
        const bool all = f.count == 1 && f.from[0] == 0 && f.to[0] == f.period - 1;
        never += f.count == 0;
        sometimes += f.count > 0 && !all;
        const ptl_omt first = {a.x - PTL_LOCAL_FORD_AROUND, a.y - PTL_LOCAL_FORD_AROUND, 0};
        const int64_t border = f.count > 0 ? f.from[0] : 50 * STEP;
        const int64_t turns[] = {s.begins + 6 * STEP, 78 * STEP, border,
                                 (border + f.period - 1) % f.period,
                                 f.count > 0 ? (f.to[f.count - 1] + 1) % f.period : 0};
        for (int i = 0; i < 5; i++)
            ck_assert_int_eq(in_window(&f, turns[i]), way_at(first, x0, y0, x1, y1, turns[i]));
        for (int i = 0; i < f.count; i++) /* in order, and apart */
            ck_assert(f.from[i] <= f.to[i] && f.to[i] < f.period &&
                      (i == 0 || f.from[i] > f.to[i - 1] + 1));
    }
    ck_assert_int_gt(never, 0);
    ck_assert_int_gt(sometimes, 0);
    ptl_local_ford f = PTL_LOCAL_FORD_INIT;
    ck_assert_int_eq(ptl_local_ford_find(&f, world, 0, 0, 64 * SIDE, 0, 0, &err),
                     PTL_ERR_LIMIT);
    ck_assert_int_eq(ptl_local_ford_find(&f, land, 0, 0, 1, 0, 0, &err), PTL_ERR_NOT_FOUND);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local tide");
    TCase *t = tcase_create("tide");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, the_tide_is_a_function_of_the_turn);
    tcase_add_test(t, maps_show_the_tide);
    tcase_add_test(t, no_tide_is_stored);
    tcase_add_test(t, what_a_game_changes_in_the_tide_stays);
    tcase_add_test(t, places_and_turns_that_there_are_not);
    tcase_add_test(t, fords_are_open_in_their_windows);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
