/*
 * Colour names, the font, cells, and text; and the world in memory that they are drawn from.
 * Linking our own ptl_level_load and world_catalogue keeps files and SQL out of these tests.
 */
#include "test_render.h"

#include "core/bytes.h"
#include "core/error.h"
#include "portolan/render.h"
#include "render/font.h"
#include "render/paint.h"
#include "render/palette.h"

#include <stdlib.h>
#include <string.h>

static const cat_terrain terrains[] = {
    {.id = "field", .name = "field", .color = "brown", .symbol = '.', .count = 1},
    {.id = "forest", .name = "forest", .color = "green", .symbol = 'F', .first = 1, .count = 1},
    {.id = "road", .name = "road", .color = "dark_gray", .flags = CAT_FLAG_LINEAR, .first = 2},
    {.id = "inverse", .name = "x", .color = "i_yellow", .symbol = 7, .first = 4, .count = 1},
};

static const cat_oter oters[FAKE_COUNT] = {
    {.id = "field", .terrain = 0, .symbol = '.'},
    {.id = "forest", .terrain = 1, .symbol = 'F'},
    {.id = "road_ns", .terrain = 2, .line = 5, .symbol = 0x2502, .flags = CAT_FLAG_LINEAR},
    {.id = "road_end_south",
     .terrain = 2,
     .line = 1,
     .symbol = 0x2502,
     .flags = CAT_FLAG_LINEAR},
    {.id = "inverse", .terrain = 3, .symbol = 7},
};

const catalogue fake_catalogue = {
    .terrains = terrains, .terrain_count = 4, .oters = oters, .oter_count = FAKE_COUNT};

static struct ptl_world good_world, failing_world;

ptl_world *fake_world(bool fail)
{
    return fail ? &failing_world : &good_world;
}

const catalogue *world_catalogue(const ptl_world *world)
{
    (void)world;
    return &fake_catalogue;
}

ptl_oter fake_oter(int64_t x, int64_t y, int32_t z)
{
    ptl_chunk_pos pos = ptl_omt_chunk((ptl_omt){x, y, z});
    if ((pos.x + pos.y) & 1)
        return CAT_NONE;
    uint64_t mixed = (uint64_t)x * 31 + (uint64_t)y * 17 + (uint64_t)(z + 10) * 7;
    return (ptl_oter)(mixed % FAKE_COUNT);
}

ptl_status ptl_level_load(ptl_world *world, ptl_chunk_pos pos, int32_t z,
                          ptl_oter cells[PTL_LEVEL_CELLS], ptl_error *err)
{
    if (world == &failing_world)
        return error_set(err, PTL_ERR_CORRUPT, "checksum differs");
    if ((pos.x + pos.y) & 1)
        return error_set(err, PTL_ERR_NOT_FOUND, "no such chunk");
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
            cells[y * PTL_CHUNK_SIZE + x] = fake_oter((int64_t)pos.x * PTL_CHUNK_SIZE + x,
                                                      (int64_t)pos.y * PTL_CHUNK_SIZE + y, z);
    return PTL_OK;
}

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
            /* black is its own dimmed form; white has no lighter one */
            ck_assert_msg(!same || (i == PALETTE_DIM && j == PALETTE_BLACK), "%d = %d", i, j);
        }
    }
}
END_TEST

START_TEST(test_dimmed_is_darker)
{
    for (uint8_t i = 1; i < PALETTE_BASE; i++) {
        rgb full = palette_rgb(i), dim = palette_rgb((uint8_t)(i + PALETTE_DIM));
        ck_assert_int_lt(dim.r + dim.g + dim.b, full.r + full.g + full.b);
        rgb light = palette_rgb((uint8_t)(i + PALETTE_LIGHT));
        ck_assert_int_ge(light.r + light.g + light.b, full.r + full.g + full.b);
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

static bool collect(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return true;
}

/* Draws a rectangle as text and compares it with the world, cell by cell. */
static void expect_text(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    static const char *const symbols[] = {".", "F", "\u2502", "\u2502", "?"};
    ptl_render_options o = {x0, y0, x1, y1, 0, 0, 1, false};
    bytes got, want;
    bytes_init(&got);
    bytes_init(&want);
    ck_assert_int_eq(ptl_render_text(fake_world(false), &o, false, collect, &got, NULL),
                     PTL_OK);
    for (int64_t y = y0; y <= y1; y++) {
        for (int64_t x = x0; x <= x1; x++) {
            ptl_oter oter = fake_oter(x, y, 0);
            bytes_put_text(&want, oter == CAT_NONE ? " " : symbols[oter]);
        }
        bytes_put_text(&want, "\n");
    }
    ck_assert_uint_eq(got.size, want.size);
    ck_assert_int_eq(memcmp(got.data, want.data, got.size), 0);
    bytes_dispose(&got);
    bytes_dispose(&want);
}

START_TEST(test_text_cells)
{
    expect_text(0, 0, 0, 0);
    expect_text(-3, -2, 5, 4);
    expect_text(170, -190, 190, 5);
    expect_text(-400, 100, 400, 300);
}
END_TEST

START_TEST(test_text_colours)
{
    ptl_render_options o = {0, 0, 1, 0, 0, 0, 1, false};
    bytes got;
    bytes_init(&got);
    ck_assert_int_eq(ptl_render_text(fake_world(false), &o, true, collect, &got, NULL), PTL_OK);
    /* x 0: 70 % 5 = field, brown; x 1: 101 % 5 = forest, green. */
    ck_assert_str_eq(bytes_text(&got), "\x1b[33m.\x1b[32mF\x1b[0m\n");
    bytes_dispose(&got);
}
END_TEST

START_TEST(test_text_strip)
{
    ptl_render_options o = {0, 0, 0, 0, 1, -1, 1, false};
    bytes got;
    bytes_init(&got);
    ck_assert_int_eq(ptl_render_text(fake_world(false), &o, false, collect, &got, NULL),
                     PTL_OK);
    /* z 1: 77 % 5, z 0: 70 % 5, z -1: 63 % 5 */
    ck_assert_str_eq(bytes_text(&got), "\u2502  .  \u2502\n");
    bytes_dispose(&got);
}
END_TEST

START_TEST(test_text_errors)
{
    ptl_error err;
    bytes got;
    bytes_init(&got);
    ptl_render_options o = {0, 0, 5, 5, 0, 0, 1, false};
    ck_assert_int_eq(ptl_render_text(fake_world(true), &o, false, collect, &got, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 0,0: checksum differs");
    o.z_last = 11;
    ck_assert_int_eq(ptl_render_text(fake_world(false), &o, false, collect, &got, &err),
                     PTL_ERR_ARGUMENT);
    o = (ptl_render_options){0, 3, 5, 2, 0, 0, 1, false};
    ck_assert_int_eq(ptl_render_text(fake_world(false), &o, false, collect, &got, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(got.size, 0);
    bytes_dispose(&got);
}
END_TEST

static Suite *looks_suite(void)
{
    Suite *s = suite_create("render");
    TCase *t = tcase_create("looks");
    tcase_add_test(t, test_colour_names);
    tcase_add_test(t, test_colour_names_unknown);
    tcase_add_test(t, test_colours_differ);
    tcase_add_test(t, test_dimmed_is_darker);
    tcase_add_test(t, test_font);
    tcase_add_test(t, test_line_masks);
    tcase_add_loop_test(t, test_lines_reach_sides, 8, 33);
    tcase_add_loop_test(t, test_glyph_pixels, 8, 33);
    tcase_add_test(t, test_looks);
    suite_add_tcase(s, t);
    t = tcase_create("text");
    tcase_add_test(t, test_text_cells);
    tcase_add_test(t, test_text_colours);
    tcase_add_test(t, test_text_strip);
    tcase_add_test(t, test_text_errors);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *runner = srunner_create(looks_suite());
    srunner_add_suite(runner, picture_suite());
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
