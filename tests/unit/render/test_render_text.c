/* Worlds as text: cells, colours, coordinates. */
#include "unit/render/test_render.h"

#include "core/bytes.h"
#include "portolan/render.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool collect(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return true;
}

/* Draws a rectangle as text and compares it with the world, cell by cell. */
static void expect_text(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    static const char *const symbols[] = {".", "F", "\u2502", "\u2502", "?"};
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .x0 = x0, .y0 = y0, .x1 = x1, .y1 = y1};
    bytes got, want;
    bytes_init(&got);
    bytes_init(&want);
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, false, collect, &got, NULL),
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
    ptl_render_options o = {.size = sizeof o, .style = PTL_STYLE_TERMINAL, .x1 = 1};
    bytes got;
    bytes_init(&got);
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, true, collect, &got, NULL),
                     PTL_OK);
    /* x 0: 70 % 5 = field, brown; x 1: 101 % 5 = forest, green. */
    ck_assert_str_eq(bytes_text(&got), "\x1b[33m.\x1b[32mF\x1b[0m\n");
    bytes_dispose(&got);
    /* x 4: 194 % 5 = inverse: black on light yellow; x 5 is field again. */
    o.x0 = 4;
    o.x1 = 5;
    bytes_init(&got);
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, true, collect, &got, NULL),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&got), "\x1b[30;103m?\x1b[0;33m.\x1b[0m\n");
    bytes_dispose(&got);
}
END_TEST

START_TEST(test_text_strip)
{
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .z_first = 1, .z_last = -1};
    bytes got;
    bytes_init(&got);
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, false, collect, &got, NULL),
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
    ptl_render_options o = {.size = sizeof o, .style = PTL_STYLE_TERMINAL, .x1 = 5, .y1 = 5};
    ck_assert_int_eq(ptl_render_text_write(fake_world(true), &o, false, collect, &got, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 0,0: checksum differs");
    o.z_last = 11;
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, false, collect, &got, &err),
                     PTL_ERR_ARGUMENT);
    o = (ptl_render_options){.size = sizeof(ptl_render_options),
                             .style = PTL_STYLE_TERMINAL,
                             .y0 = 3,
                             .x1 = 5,
                             .y1 = 2};
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, false, collect, &got, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_uint_eq(got.size, 0);
    bytes_dispose(&got);
}
END_TEST

/* Text with coordinates, without colours. */
static void expect_grid(const ptl_render_options *o, const char *want)
{
    ptl_render_options with = *o;
    bytes got;
    bytes_init(&got);
    with.parts = PTL_RENDER_GRID;
    ck_assert_int_eq(
        ptl_render_text_write(fake_world(false), &with, false, collect, &got, NULL), PTL_OK);
    ck_assert_str_eq(bytes_text(&got), want);
    bytes_dispose(&got);
}

START_TEST(test_text_coordinates)
{
    /* Chunk 1,0 is not saved: blanks. */
    expect_grid(&(ptl_render_options){.size = sizeof(ptl_render_options),
                                      .style = PTL_STYLE_TERMINAL,
                                      .x0 = 195,
                                      .y0 = 3,
                                      .x1 = 215,
                                      .y1 = 7},
                "       |200      |210\n"
                "                       \n"
                "                       \n"
                "5                      \n"
                "                       \n"
                "                       \n");
    expect_grid(&(ptl_render_options){.size = sizeof(ptl_render_options),
                                      .style = PTL_STYLE_TERMINAL,
                                      .x0 = -2,
                                      .y0 = 190,
                                      .x1 = 0,
                                      .y1 = 191},
                "    |-2\n190 \u2502? \n191 .F \n");
}
END_TEST

/* The lines below the ruler are those without coordinates, behind a margin of one width; each
 * bar of the ruler stands over the column that its number says. */
START_TEST(test_text_margin)
{
    const ptl_render_options o = {.size = sizeof o,
                                  .style = PTL_STYLE_TERMINAL,
                                  .x0 = -37 - _i,
                                  .y0 = -12 + 3 * _i,
                                  .x1 = 44,
                                  .y1 = 25,
                                  .z_first = 0,
                                  .z_last = -_i % 3};
    ptl_render_options with = o;
    bytes plain, grid;
    bytes_init(&plain);
    bytes_init(&grid);
    with.parts = PTL_RENDER_GRID;
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &o, true, collect, &plain, NULL),
                     PTL_OK);
    ck_assert_int_eq(
        ptl_render_text_write(fake_world(false), &with, true, collect, &grid, NULL), PTL_OK);
    const char *line = strchr(bytes_text(&grid), '\n'), *want = bytes_text(&plain);
    char ruler[400];
    const size_t ruler_size = (size_t)(line - bytes_text(&grid));
    memcpy(ruler, grid.data, ruler_size);
    ruler[ruler_size] = '\0';
    const size_t margin = _i == 0 ? 4 : 3;
    for (const char *bar = strchr(ruler, '|'); bar; bar = strchr(bar + 1, '|')) {
        const long column = (long)(bar - ruler) - (long)margin, width = 44 + 37 + _i + 1;
        ck_assert_int_eq(strtol(bar + 1, NULL, 10), o.x0 + column % (width + 2));
    }
    for (int64_t y = o.y0; y <= o.y1; y++) {
        char number[32];
        snprintf(number, sizeof number, "%*lld ", (int)margin - 1, (long long)y);
        if (y % 5 != 0)
            snprintf(number, sizeof number, "%*s", (int)margin, "");
        ck_assert_int_eq(strncmp(line + 1, number, margin), 0);
        const size_t size = strcspn(want, "\n");
        ck_assert_int_eq(strncmp(line + 1 + margin, want, size + 1), 0);
        line = strchr(line + 1, '\n');
        want += size + 1;
    }
    ck_assert_str_eq(line, "\n");
    bytes_dispose(&plain);
    bytes_dispose(&grid);
}
END_TEST

Suite *text_suite(void)
{
    Suite *s = suite_create("text");
    TCase *t = tcase_create("text");
    tcase_add_test(t, test_text_cells);
    tcase_add_test(t, test_text_colours);
    tcase_add_test(t, test_text_strip);
    tcase_add_test(t, test_text_errors);
    tcase_add_test(t, test_text_coordinates);
    tcase_add_loop_test(t, test_text_margin, 0, 8);
    suite_add_tcase(s, t);
    return s;
}
