/* Colour names, the font and cells. */
#include "unit/render/test_render.h"

#include "render/paint.h"

#include <stdlib.h>
#include <string.h>

static void expect_style(const char *name, uint8_t area, uint8_t ink, uint8_t paper)
{
    style s;
    ck_assert_msg(palette_style(&s, name), "%s is a colour", name);
    ck_assert_msg(s.area == area && s.ink == ink && s.paper == paper, "%s: %d %d %d", name,
                  s.area, s.ink, s.paper);
}

START_TEST(test_colour_names)
{
    expect_style("green", 2, 2, PALETTE_NONE);
    expect_style("c_green", 2, 2, PALETTE_NONE);
    expect_style("light_green", 10, 10, PALETTE_NONE);
    expect_style("ltgreen", 10, 10, PALETTE_NONE);
    expect_style("i_light_green", 10, PALETTE_BLACK, 10);
    expect_style("h_dark_gray", 8, 8, PALETTE_BLUE);
    expect_style("light_green_red", 10, 10, 1);
    expect_style("light_cyan_light_gray", 14, 14, 7);
    expect_style("c_yellow_white", 11, 11, PALETTE_WHITE);
    expect_style("i_black", PALETTE_BLACK, PALETTE_WHITE, PALETTE_BLACK);
    expect_style("", 7, 7, PALETTE_NONE);
}
END_TEST

START_TEST(test_colour_names_unknown)
{
    static const char *const names[] = {"greenish", "green_", "_green", "c_", "red_greenish",
                                        "light",    "i_",     "c",      "_",  "red__green"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        style s;
        ck_assert_msg(!palette_style(&s, names[i]), "%s is no colour", names[i]);
        ck_assert_int_eq(s.area, PALETTE_UNKNOWN);
    }
}
END_TEST

START_TEST(test_colours_differ)
{
    for (uint8_t i = 0; i < PALETTE_SIZE; i++) {
        for (uint8_t j = 0; j < i; j++) {
            rgb a = palette_rgb(i), b = palette_rgb(j);
            bool same = a.r == b.r && a.g == b.g && a.b == b.b;
            ck_assert_msg(!same, "%d = %d", i, j);
        }
    }
}
END_TEST

static int brightness(uint8_t index)
{
    const rgb v = palette_rgb(index);
    return (299 * v.r + 587 * v.g + 114 * v.b) / 1000;
}

/* Content's roads are dark grey: they are seen on whatever covers the land. */
START_TEST(test_roads_stand_out)
{
    static const uint8_t ground[] = {2 /* green */, 3 /* brown */, 6 /* cyan */,
                                     10 /* light green */, 7 /* light grey */};
    for (size_t i = 0; i < sizeof ground; i++)
        ck_assert_msg(brightness(ground[i]) >= brightness(8) + 60, "ground %d", ground[i]);
    ck_assert_int_ge(brightness(PALETTE_PAPER), brightness(PALETTE_TEXT) + 150);
    ck_assert_int_ge(brightness(PALETTE_PAPER), brightness(PALETTE_FAINT) + 100);
    ck_assert_int_ge(brightness(PALETTE_NAME_EDGE), brightness(PALETTE_NAME) + 150);
}
END_TEST

START_TEST(test_dimmed_is_darker)
{
    for (uint8_t i = 1; i < PALETTE_BASE; i++) {
        ck_assert_int_ge(brightness((uint8_t)(i + PALETTE_LIGHT)),
                         brightness((uint8_t)(i + PALETTE_DIM)) + 40);
        ck_assert_int_le(brightness((uint8_t)(i + PALETTE_DIM)), brightness(i) + 4);
    }
}
END_TEST

START_TEST(test_font)
{
    for (uint32_t c = 0x20; c < 0x7f; c++) {
        const uint8_t *glyph = font_glyph(c);
        ck_assert_ptr_nonnull(glyph);
        unsigned any = 0;
        for (int row = 0; row < FONT_HEIGHT; row++) {
            ck_assert_uint_lt(glyph[row], 1u << FONT_WIDTH);
            any |= glyph[row];
        }
        ck_assert_msg((any != 0) == (c != ' '), "glyph %c", (char)c);
        for (uint32_t d = 0x20; d < c; d++)
            ck_assert_msg(memcmp(glyph, font_glyph(d), FONT_HEIGHT) != 0, "%c = %c", (char)c,
                          (char)d);
    }
    ck_assert_ptr_nonnull(font_glyph(0x2248));
    ck_assert_ptr_null(font_glyph(0x1f));
    ck_assert_ptr_null(font_glyph(0x7f));
    ck_assert_ptr_null(font_glyph(0x2502));
}
END_TEST

START_TEST(test_line_masks)
{
    ck_assert_uint_eq(font_line_mask(0x2502), 5);
    ck_assert_uint_eq(font_line_mask(0x2500), 10);
    ck_assert_uint_eq(font_line_mask(0x253c), 15);
    ck_assert_uint_eq(font_line_mask(0x2514), 3);
    ck_assert_uint_eq(font_line_mask('+'), 0);
    ck_assert_uint_eq(font_line_mask(0), 0);
}
END_TEST

/* A line with an arm to a side reaches that side at its middle, and no other side. */
START_TEST(test_lines_reach_sides)
{
    int32_t scale = _i;
    uint8_t cell[32][32] = {{0}}, ink = 2 + PALETTE_LIGHT;
    for (uint8_t mask = 1; mask < 16; mask++) {
        look l = {.colours = {2, 2, PALETTE_NONE}, .line = mask, .symbol = '?'};
        for (int32_t row = 0; row < scale; row++)
            paint_cell_row(cell[row], &l, scale, row, true);
        int32_t middle = scale / 2 - (scale % 2 == 0 && scale < 12 ? 1 : 0), last = scale - 1;
        ck_assert_int_eq(cell[0][middle] == ink, (mask & 1) != 0);
        ck_assert_int_eq(cell[middle][last] == ink, (mask & 2) != 0);
        ck_assert_int_eq(cell[last][middle] == ink, (mask & 4) != 0);
        ck_assert_int_eq(cell[middle][0] == ink, (mask & 8) != 0);
        ck_assert_int_eq(cell[0][0], 2 + PALETTE_DIM);
    }
}
END_TEST

/* Every glyph pixel is drawn zoom x zoom times, whatever the scale. */
START_TEST(test_glyph_pixels)
{
    int32_t scale = _i, zoom = scale / 8;
    uint8_t line[32];
    for (uint32_t c = 0x21; c < 0x7f; c++) {
        look l = {.colours = {3, 3, PALETTE_NONE}, .symbol = c};
        int32_t drawn = 0, wanted = 0;
        for (int32_t row = 0; row < scale; row++) {
            paint_cell_row(line, &l, scale, row, true);
            for (int32_t x = 0; x < scale; x++)
                drawn += line[x] == 3 + PALETTE_LIGHT;
        }
        for (int row = 0; row < FONT_HEIGHT; row++)
            for (int bit = 0; bit < FONT_WIDTH; bit++)
                wanted += (font_glyph(c)[row] >> bit & 1) * zoom * zoom;
        ck_assert_int_eq(drawn, wanted);
    }
}
END_TEST

START_TEST(test_looks)
{
    look *looks = looks_new(&fake_catalogue);
    ck_assert_ptr_nonnull(looks);
    const look *l = look_of(looks, &fake_catalogue, FAKE_ROAD_END);
    ck_assert_uint_eq(l->line, 1);
    ck_assert_uint_eq(l->symbol, 0x2502);
    l = look_of(looks, &fake_catalogue, FAKE_INVERSE);
    ck_assert_uint_eq(l->symbol, '?'); /* a control character never reaches a terminal */
    ck_assert_uint_eq(l->colours.paper, 11);
    ck_assert_uint_eq(look_of(looks, &fake_catalogue, CAT_NONE)->colours.area, PALETTE_UNSAVED);
    ck_assert_uint_eq(look_of(looks, &fake_catalogue, 4000)->symbol, ' ');
    free(looks);
}
END_TEST

/* A symbol that takes two columns, or none, or steers the terminal, becomes one that takes one.
 */
START_TEST(test_symbols_of_one_column)
{
    static const uint32_t symbols[] = {0x4e2d, 0x1f600, 0x301,    0x200b, 0x9b,
                                       0x202e, 0x1b,    0x110000, 0xd800, 0};
    static const cat_terrain terrain = {.id = "t", .name = "t", .color = "red", .count = 1};
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        const cat_oter oter = {.id = "t", .terrain = 0, .symbol = symbols[i]};
        const catalogue cat = {
            .terrains = &terrain, .terrain_count = 1, .oters = &oter, .oter_count = 1};
        look *looks = looks_new(&cat);
        ck_assert_ptr_nonnull(looks);
        ck_assert_uint_eq(looks[0].symbol, '?');
        free(looks);
    }
}
END_TEST

static Suite *looks_suite(void)
{
    Suite *s = suite_create("render");
    TCase *t = tcase_create("looks");
    tcase_add_test(t, test_colour_names);
    tcase_add_test(t, test_colour_names_unknown);
    tcase_add_test(t, test_colours_differ);
    tcase_add_test(t, test_roads_stand_out);
    tcase_add_test(t, test_dimmed_is_darker);
    tcase_add_test(t, test_font);
    tcase_add_test(t, test_line_masks);
    tcase_add_loop_test(t, test_lines_reach_sides, 8, 33);
    tcase_add_loop_test(t, test_glyph_pixels, 8, 33);
    tcase_add_test(t, test_looks);
    tcase_add_test(t, test_symbols_of_one_column);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *runner = srunner_create(looks_suite());
    srunner_add_suite(runner, text_suite());
    srunner_add_suite(runner, letter_suite());
    srunner_add_suite(runner, layout_suite());
    srunner_add_suite(runner, caption_suite());
    srunner_add_suite(runner, picture_suite());
    srunner_add_suite(runner, local_suite());
    srunner_add_suite(runner, paper_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
