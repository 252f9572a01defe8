/* Step sublevels: what asks for what, who is left alone, the same twice. */
#include "unit/gen/below/test_sublevels.h"
#include "gen/steps/steps.h"
#include "support/suite.h"
#include "unit/gen/below/sub_fixture.h"

#include <string.h>

/* ---- what asks for what ---- */
static const struct {
    int32_t z; /* of what asks */
    const char *asks, *below;
} ASKS[] = {
    {0, "road_nesw_manhole", "sewer"},
    {0, "sewage_treatment", "sewer"},
    {0, "sub_station_east", "sewer_sub_station"},
    {0, "anthill", "ants"},
    {0, "acid_anthill", "ants"},
    {-1, "lab_stairs", "lab"},
    {-3, "ice_lab_stairs", "ice_lab"},
    {0, "central_lab_stairs", "central_lab"},
    {-4, "central_lab_stairs", "central_lab"},
    {0, "mine_entrance", "mine_shaft"},
    {-1, "mine_shaft", "mine"},
    {-3, "mine_down", "mine"},
    {-5, "mine_finale", "spiral_hub"},
    {0, "silo", "silo"},
    {-8, "silo", "silo_finale"},
    {-1, "cave_rat", "cave_rat"},
};
enum { ASK_COUNT = sizeof ASKS / sizeof ASKS[0] };

START_TEST(each_terrain_asks_for_its_own)
{
    board b = sub_board((uint64_t)_i + 1);
    const int32_t z = ASKS[_i].z;
    sub_set(&b, z, 40, 50, ASKS[_i].asks);
    step_sublevels.run(b.g);
    const bool queen =
        sub_is(&b, z - 1, 40, 50, "ants_queen") || sub_is(&b, z - 1, 40, 50, "ants_queen_acid");
    ck_assert_msg(sub_is(&b, z - 1, 40, 50, ASKS[_i].below) || queen, "below %s: %s",
                  ASKS[_i].asks, get(&b, z - 1, 40, 50));
    ck_assert_msg(sub_is(&b, z, 40, 50, ASKS[_i].asks), "%s", get(&b, z, 40, 50));
    board_dispose(&b);
}
END_TEST

START_TEST(a_station_has_two_levels)
{
    board b = sub_board(1);
    sub_set(&b, 0, 40, 50, "sub_station_north");
    step_sublevels.run(b.g);
    ck_assert_str_eq(get(&b, -1, 40, 50), "sewer_sub_station");
    ck_assert_str_eq(get(&b, -2, 40, 50), "underground_sub_station");
    ck_assert_str_eq(get(&b, -2, 40, 49), "subway_end_north");
    ck_assert_str_eq(get(&b, -2, 40, 51), "subway_end_south");
    ck_assert_int_eq(sub_used(&b, -1), 1);
    ck_assert_int_eq(sub_used(&b, -2), 3);
    ck_assert_int_eq(sub_used(&b, -3), 0);
    board_dispose(&b);
}
END_TEST

START_TEST(caves_go_down_once_or_twice)
{
    int rats = 0;
    board b = sub_board(1);
    for (int32_t i = 0; i < 900; i++)
        sub_set(&b, 0, 3 + 5 * (i % 30), 3 + 5 * (i / 30), "cave");
    step_sublevels.run(b.g);
    rats = sub_count(&b, -1, "cave_rat");
    ck_assert_int_eq(sub_count(&b, -1, "cave") + rats, 900);
    ck_assert_int_gt(rats, 230); /* 300, five deviations of 14 */
    ck_assert_int_lt(rats, 370);
    ck_assert_int_eq(sub_count(&b, -2, "cave_rat"), rats);
    ck_assert_int_eq(sub_used(&b, -2), rats);
    ck_assert_int_eq(sub_used(&b, -3), 0);
    board_dispose(&b);
}
END_TEST

START_TEST(silos_end_at_some_depth)
{
    board b = sub_board(1);
    for (int32_t i = 0; i < 900; i++)
        sub_set(&b, 0, 3 + 5 * (i % 30), 3 + 5 * (i / 30), "silo");
    step_sublevels.run(b.g);
    int32_t ends = 0;
    for (int32_t z = -1; z >= PTL_Z_MIN; z--) {
        const int32_t here = sub_count(&b, z, "silo_finale");
        ck_assert_int_eq(sub_count(&b, z, "silo") + here, 900 - ends);
        ck_assert(z < -2 || here == 0);
        ends += here;
    }
    /* At -3 with 1 - (5/6)^2 = 0.306. */
    ck_assert_int_gt(sub_count(&b, -3, "silo_finale"), 206);
    ck_assert_int_lt(sub_count(&b, -3, "silo_finale"), 344);
    ck_assert_int_eq(ends, 900);
    board_dispose(&b);
}
END_TEST

START_TEST(nothing_asks_for_nothing)
{
    board b = sub_board(1);
    sub_set(&b, 0, 40, 50, "house_north");
    sub_set(&b, -1, 40, 50, "house_cellar_north");
    step_sublevels.run(b.g);
    for (int32_t z = PTL_Z_MIN; z < -1; z++)
        ck_assert_ptr_null(chunk_level(b.chunk, z)->cells);
    ck_assert_int_eq(sub_used(&b, -1), 1);
    ck_assert_uint_eq(b.g->event_count, 0);
    ck_assert_uint_eq(b.g->features.group_count, 0);
    board_dispose(&b);
}
END_TEST

/* ---- who is left alone ---- */
START_TEST(what_is_there_stays)
{
    board b = sub_board(1);
    for (size_t i = 0; i < ASK_COUNT; i++) {
        const int32_t x = 5 + (int32_t)i * 10;
        sub_set(&b, ASKS[i].z, x, 50, ASKS[i].asks);
        sub_set(&b, ASKS[i].z - 1, x, 50, "house_cellar_north");
    }
    step_sublevels.run(b.g);
    for (size_t i = 0; i < ASK_COUNT; i++)
        ck_assert_str_eq(get(&b, ASKS[i].z - 1, 5 + (int32_t)i * 10, 50), "house_cellar_north");
    /* A platform alone is asked for two levels down, where there is still room. */
    ck_assert_int_eq(sub_count(&b, -2, "underground_sub_station"), 1);
    for (int32_t z = PTL_Z_MIN; z < 0; z++) {
        int32_t own = 0;
        for (size_t i = 0; i < ASK_COUNT; i++)
            own += (ASKS[i].z == z) + (ASKS[i].z - 1 == z);
        ck_assert_int_eq(sub_used(&b, z), own + (z == -2 ? 3 : 0));
    }
    ck_assert_uint_eq(b.g->features.group_count, 0);
    board_dispose(&b);
}
END_TEST

/* All that grows, in a chunk full of cellars: none of them is lost, and the ring stays free. */
START_TEST(nothing_is_written_over)
{
    static const char *const asks[] = {
        "anthill",        "acid_anthill",     "lab_stairs",
        "ice_lab_stairs", "central_lab_core", "slimepit_down",
        "mine_entrance",  "sub_station_west", "road_nesw_manhole"};
    static bool stands[PTL_LEVELS][CELLS];
    board b = sub_board((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i);
    memset(stands, 0, sizeof stands);
    for (int32_t z = -6; z < 0; z++)
        for (int32_t n = 0; n < 2500; n++) {
            const int32_t cell = (int32_t)rng_below(&r, CELLS);
            stands[z - PTL_Z_MIN][cell] = true;
            sub_set(&b, z, cell % SIZE, cell / SIZE, "house_cellar_north");
        }
    for (int32_t n = 0; n < 60; n++)
        sub_set(&b, 0, rng_range(&r, 1, SIZE - 2), rng_range(&r, 1, SIZE - 2),
                asks[rng_below(&r, sizeof asks / sizeof asks[0])]);
    step_sublevels.run(b.g);
    int32_t lost = 0, ring = 0;
    const ptl_oter cellar = oter_of(&b, "house_cellar_north");
    for (int32_t z = -6; z < 0; z++)
        for (int32_t i = 0; i < CELLS; i++) {
            const ptl_oter o = ptl_chunk_oter(b.chunk, i % SIZE, i / SIZE, z);
            const bool inner =
                i % SIZE >= 1 && i % SIZE <= SIZE - 2 && i / SIZE >= 1 && i / SIZE <= SIZE - 2;
            lost += stands[z - PTL_Z_MIN][i] && o != cellar;
            ring +=
                !inner && !stands[z - PTL_Z_MIN][i] && o != b.config->defaults[z - PTL_Z_MIN];
        }
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(ring, 0);
    ck_assert_uint_eq(sub_dead_ends(&b), 0);
    ck_assert(!b.g->failed);
    board_dispose(&b);
}
END_TEST

START_TEST(what_specials_grow_has_no_rule)
{
    static const struct {
        const char *grown, *asks;
    } cases[] = {{"ants", "anthill"},       {"ants", "acid_anthill"},
                 {"lab", "lab_stairs"},     {"ice_lab", "ice_lab_stairs"},
                 {"mine", "mine_entrance"}, {"slimepit", "slimepit_down"},
                 {"silo", "silo"},          {"cave", "cave"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        board b = board_new(1, sub_catalogue(cases[i].grown));
        sub_set(&b, 0, 40, 50, cases[i].asks);
        step_sublevels.run(b.g);
        ck_assert_ptr_null(chunk_level(b.chunk, -1)->cells);
        board_dispose(&b);
        b = board_new(1, sub_catalogue("house"));
        sub_set(&b, 0, 40, 50, cases[i].asks);
        step_sublevels.run(b.g);
        ck_assert_int_gt(sub_used(&b, -1), 0);
        board_dispose(&b);
    }
}
END_TEST

/* Content without the terrains: the town's. */
START_TEST(content_decides)
{
    board b = board_new(1, NULL);
    set(&b, 40, 50, "house_north");
    set(&b, 50, 50, "road_nesw_manhole");
    step_sublevels.run(b.g);
    ck_assert_int_eq(sub_used(&b, -1), 1);
    board_dispose(&b);
}
END_TEST

/* ---- the same twice ---- */
static void fill_all(board *b)
{
    sub_set(b, 0, 30, 30, "anthill");
    sub_set(b, 0, 90, 30, "lab_stairs");
    sub_set(b, 0, 140, 30, "slimepit_down");
    sub_set(b, 0, 30, 90, "mine_entrance");
    sub_set(b, 0, 90, 90, "sub_station_north");
    sub_set(b, 0, 140, 90, "sub_station_east");
    sub_set(b, 0, 30, 140, "road_nesw_manhole");
    sub_set(b, 0, 90, 140, "road_nesw_manhole");
    sub_set(b, -2, 140, 140, "central_lab_core");
}

START_TEST(the_same_twice)
{
    board a = sub_board((uint64_t)_i), c = board_new((uint64_t)_i, a.cat);
    fill_all(&a);
    fill_all(&c);
    step_sublevels.run(c.g); /* what an earlier chunk left in the scratch must not matter */
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&c.chunk->levels[i], c.config->defaults[i]);
    c.g->ground = cells_at(c.g, 0);
    features_reset(&c.g->features);
    fill_all(&c);
    step_sublevels.run(a.g);
    step_sublevels.run(c.g);
    int32_t differ = 0;
    for (int32_t z = PTL_Z_MIN; z <= 0; z++)
        for (int32_t i = 0; i < CELLS; i++)
            differ += ptl_chunk_oter(a.chunk, i % SIZE, i / SIZE, z) !=
                      ptl_chunk_oter(c.chunk, i % SIZE, i / SIZE, z);
    ck_assert_int_eq(differ, 0);
    ck_assert_uint_eq(a.g->features.group_count, c.g->features.group_count);
    ck_assert_uint_ge(a.g->features.group_count, 1);
    board_dispose(&a);
    board_dispose(&c);
}
END_TEST

/* What grows from one cell does not depend on what grows far away. */
START_TEST(streams_are_of_cells)
{
    board a = sub_board(7), c = board_new(7, a.cat);
    sub_set(&a, 0, 30, 30, "anthill");
    sub_set(&c, 0, 30, 30, "anthill");
    sub_set(&c, 0, 140, 140, "anthill");
    sub_set(&c, 0, 140, 20, "lab_stairs");
    step_sublevels.run(a.g);
    step_sublevels.run(c.g);
    int32_t differ = 0;
    for (int32_t y = 0; y < 80; y++)
        for (int32_t x = 0; x < 80; x++)
            differ += strcmp(get(&a, -1, x, y), get(&c, -1, x, y)) != 0;
    ck_assert_int_eq(differ, 0);
    board_dispose(&a);
    board_dispose(&c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sublevels");
    TCase *t = tcase_create("triggers");
    tcase_add_loop_test(t, each_terrain_asks_for_its_own, 0, ASK_COUNT);
    tcase_add_test(t, a_station_has_two_levels);
    tcase_add_test(t, caves_go_down_once_or_twice);
    tcase_add_test(t, silos_end_at_some_depth);
    tcase_add_test(t, nothing_asks_for_nothing);
    tcase_add_test(t, what_is_there_stays);
    tcase_add_loop_test(t, nothing_is_written_over, 0, 6);
    tcase_add_test(t, what_specials_grow_has_no_rule);
    tcase_add_test(t, content_decides);
    tcase_add_loop_test(t, the_same_twice, 0, 3);
    tcase_add_test(t, streams_are_of_cells);
    suite_add_tcase(s, t);
    suite_add_tcase(s, sub_growth_tests());
    suite_add_tcase(s, sub_network_tests());
    return suite_run(s);
}
