/* Scripts on a map: what each call draws, and the example of the games' own document. */
#include "support/suite.h"
#include "unit/mapgen/script_fixture.h"

#include <check.h>
#include <string.h>

static script_fixture f;

static void setup(void)
{
    script_begin(&f, 1);
}

static void teardown(void)
{
    script_end(&f);
}

static script_outcome run(const char *text)
{
    return script_text(&f, text, strlen(text));
}

static const char *said(void)
{
    return bytes_text(&f.said);
}

START_TEST(calls_draw)
{
    ck_assert_msg(
        run("map:fill_background('t_grass') map:square_ter('t_floor', 5, 5, 2, 3) "
            "map:line_ter('t_wall', 0, 0, 4, 2) map:ter_set(23, 23, 't_last') "
            "map:furn_set(1.9, 0, 'f_chair') map:square_furn('f_bed', 6, 6, 7, 7) "
            "map:line_furn('f_rack', 10, 23, 10, 20) map:rough_circle('t_pit', 15, 15, "
            "3)") == SCRIPT_DONE,
        "%s", f.message);
    ck_assert_str_eq(f.terrain[12][0], "t_grass");
    ck_assert_str_eq(f.terrain[3][2], "t_floor");
    ck_assert_str_eq(f.terrain[5][5], "t_floor");
    ck_assert_str_eq(f.terrain[2][2], "t_grass");
    ck_assert_str_eq(f.terrain[1][2], "t_wall");
    ck_assert_str_eq(f.terrain[2][4], "t_wall");
    ck_assert_str_eq(f.terrain[23][23], "t_last");
    ck_assert_str_eq(f.furniture[0][1], "f_chair");
    ck_assert_str_eq(f.furniture[7][7], "f_bed");
    ck_assert_str_eq(f.furniture[20][10], "f_rack");
    ck_assert_str_eq(f.furniture[19][10], "");
    ck_assert_uint_eq(f.said.size, 0);
}
END_TEST

/* The middle is always in it, what is as far as the radius but sometimes, and nothing else. */
START_TEST(circles_are_rough)
{
    int counts[24][24] = {{0}};
    for (uint64_t seed = 0; seed < 400; seed++) {
        static const char text[] = "map:rough_circle('t_pit', 12, 12, 5)";
        script_end(&f);
        script_begin(&f, seed);
        ck_assert_int_eq(script_text(&f, text, strlen(text)), SCRIPT_DONE);
        for (int y = 0; y < 24; y++)
            for (int x = 0; x < 24; x++)
                counts[y][x] += f.terrain[y][x][0] != '\0';
    }
    ck_assert_int_eq(counts[12][12], 400);
    ck_assert_int_eq(counts[12][14], 400);
    ck_assert_int_eq(counts[12][18], 0);
    ck_assert(counts[12][17] > 60 && counts[12][17] < 140); /* one in 4 */
    ck_assert(counts[12][16] > 160 && counts[12][16] < 240);
    ck_assert(counts[15][16] > 60 && counts[15][16] < 140); /* at 5 exactly */
}
END_TEST

START_TEST(what_is_outside_is_passed_over)
{
    ck_assert_int_eq(run("map:ter_set(-1, 0, 't_x') map:ter_set(24, 0, 't_x') "
                         "map:square_ter('t_in', -5, 22, 1, 99) map:line_ter('t_line', 20, 20, "
                         "30, 20) map:place_items('g', 50, -3, 4, 40, 5, 0, turn)"),
                     SCRIPT_DONE);
    ck_assert_str_eq(said(), "something lies outside of the map, and was passed over\n");
    ck_assert_str_eq(f.terrain[23][1], "t_in");
    ck_assert_str_eq(f.terrain[20][23], "t_line");
    ck_assert_str_eq(bytes_text(&f.items), "g 50 0,4 23,5 0\n");
}
END_TEST

START_TEST(items_are_placed)
{
    ck_assert_int_eq(run("map:place_items('field', 60, 0, 0, 23, 23, 1, turn) "
                         "map:place_items('g', 100, 5, 6, 3, 2, true) "
                         "map:place_items('h', 1, 5, 6, 5, 6, false, 0)"),
                     SCRIPT_DONE);
    ck_assert_str_eq(bytes_text(&f.items),
                     "field 60 0,0 23,23 1\ng 100 3,2 5,6 1\nh 1 5,6 5,6 0\n");
}
END_TEST

/* The document's own example, as it stands there. */
START_TEST(the_document_s_example_runs)
{
    ck_assert_msg(
        run("-- tertype, turn = ...\nfunction g_or_d_or_p()\n  if game.one_in(6) then\n      "
            "return \"t_water_sh\"\n  end\n  if game.rng(1,4) == 1 then\n    return "
            "\"t_grass\"\n "
            " end\n  return \"t_dirt\"\nend\nx = 0\nwhile x < 24 do\n  y = 0\n  while y < 24 "
            "do\n "
            "   map:ter_set(x, y, g_or_d_or_p())\n    y = y + 1\n  end\n  x = x + "
            "1\nend\nmap:place_items(\"field\", 60, 0, 0, 23, 23, 1, "
            "turn)\n--map:square_furn(\"f_mutpoppy\", 10,10,13,13)\ngame.add_msg(\"generated "
            "oter=\"..tertype..\" turn=\"..turn)\n") == SCRIPT_DONE,
        "%s", f.message);
    ck_assert_str_eq(said(), "generated oter=house_north turn=77\n");
    int water = 0, grass = 0, dirt = 0;
    for (int i = 0; i < 576; i++) {
        water += strcmp(f.terrain[i / 24][i % 24], "t_water_sh") == 0;
        grass += strcmp(f.terrain[i / 24][i % 24], "t_grass") == 0;
        dirt += strcmp(f.terrain[i / 24][i % 24], "t_dirt") == 0;
    }
    ck_assert_int_eq(water + grass + dirt, 576);
    ck_assert(water > 60 && water < 135);
    ck_assert(grass > 80 && grass < 165);
}
END_TEST

/* What comes of it, for builds by other compilers and for other machines to meet. */
START_TEST(the_figure_is_known)
{
    ck_assert_msg(run(script_busy()) == SCRIPT_DONE, "%s", f.message);
    ck_assert_uint_eq(script_digest(&f), UINT64_C(8964491118966874752));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("script_map");
    TCase *tc = tcase_create("script_map");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, calls_draw);
    tcase_add_test(tc, circles_are_rough);
    tcase_add_test(tc, what_is_outside_is_passed_over);
    tcase_add_test(tc, items_are_placed);
    tcase_add_test(tc, the_document_s_example_runs);
    tcase_add_test(tc, the_figure_is_known);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
