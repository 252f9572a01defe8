/* Local maps as text and pictures: what stands uppermost, walls that meet across OMTs, what has
 * no map, the legend's numbers. */
#include "unit/render/test_render.h"

#include "core/bytes.h"
#include "core/error.h"
#include "core/utf8.h"
#include "model/symbol.h"
#include "render/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool collect(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return true;
}

static int64_t floor_side(int64_t tile)
{
    return tile / TILE_SIDE - (tile % TILE_SIDE < 0);
}

/* Does a wall have an arm to a tile? Not to one of no map, nor out of the rectangle. */
static bool arm_to(const ptl_render_options *o, int64_t x, int64_t y)
{
    const int64_t omt_x = floor_side(x), omt_y = floor_side(y);
    if (omt_x < o->x0 || omt_x > o->x1 || omt_y < o->y0 || omt_y > o->y1 ||
        !fake_has_map(omt_x, omt_y, o->z_first))
        return false;
    const fake_tile t = fake_tile_at(x, y, o->z_first);
    return (t.wall || t.door) && !t.chair && !t.trap && !t.person && !t.item && !t.blood;
}

static uint32_t wall_symbol(const ptl_render_options *o, int64_t x, int64_t y)
{
    const unsigned arms = (unsigned)arm_to(o, x, y - 1) | (unsigned)arm_to(o, x + 1, y) << 1 |
                          (unsigned)arm_to(o, x, y + 1) << 2 |
                          (unsigned)arm_to(o, x - 1, y) << 3;
    return symbol_line(arms ? arms : 10);
}

static uint32_t expected_symbol(const ptl_render_options *o, int64_t x, int64_t y)
{
    if (!fake_has_map(floor_side(x), floor_side(y), o->z_first))
        return ' ';
    const fake_tile t = fake_tile_at(x, y, o->z_first);
    if (t.person)
        return '@';
    if (t.trap)
        return '?'; /* the content has no such trap */
    if (t.chair)
        return 'h';
    if (t.item)
        return '*'; /* it was put there before the blood */
    if (t.blood)
        return '~';
    return t.wall ? wall_symbol(o, x, y) : t.door ? '+' : '.';
}

static void expect_local(int64_t x0, int64_t y0, int64_t x1, int64_t y1, int32_t z)
{
    const ptl_render_options o = {.size = sizeof o,
                                  .style = PTL_STYLE_TERMINAL,
                                  .x0 = x0,
                                  .y0 = y0,
                                  .x1 = x1,
                                  .y1 = y1,
                                  .z_first = z,
                                  .z_last = z,
                                  .local = true};
    bytes got, want;
    ptl_error err = {0};
    bytes_init(&got);
    bytes_init(&want);
    const ptl_status status =
        ptl_render_text_write(fake_world(false), &o, false, collect, &got, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    for (int64_t y = y0 * TILE_SIDE; y < (y1 + 1) * TILE_SIDE; y++) {
        for (int64_t x = x0 * TILE_SIDE; x < (x1 + 1) * TILE_SIDE; x++) {
            char symbol[5];
            utf8_text(expected_symbol(&o, x, y), symbol);
            bytes_put_text(&want, symbol);
        }
        bytes_put_text(&want, "\n");
    }
    ck_assert_str_eq(bytes_text(&got), bytes_text(&want));
    bytes_dispose(&got);
    bytes_dispose(&want);
}

START_TEST(test_local_symbols)
{
    expect_local(5, 5, 5, 5, 0);
    expect_local(-40, -50, -36, -41, -3);
    expect_local(3, 9, 3, 21, 10);
    expect_local(7, 100, 30, 100, 2);
}
END_TEST

/* Chunk 0,0 is saved, those beside it are not. */
START_TEST(test_local_without_map)
{
    ck_assert(!fake_has_map(0, 50, 0) && !fake_has_map(179, 50, 0) && fake_has_map(1, 50, 0));
    expect_local(-2, 50, 2, 52, 0);
    expect_local(177, 177, 182, 182, 0);
    expect_local(200, 10, 203, 12, 0);
}
END_TEST

static void draw(sheet *s, const ptl_render_options *o)
{
    ptl_error err = {0};
    const ptl_status status = sheet_init(s, fake_world(false), o, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

/* Without symbols each tile is a square of one colour, whatever is around the map. */
START_TEST(test_local_pixels)
{
    enum { PIXELS = 3 };
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .x0 = 20, .y0 = 30, .x1 = 22, .y1 = 33};
    o.scale = PIXELS * TILE_SIDE;
    o.local = true;
    o.parts = _i ? PTL_RENDER_ALL : 0;
    sheet s;
    draw(&s, &o);
    ck_assert_int_eq(s.page.map_width, 3 * TILE_SIDE * PIXELS);
    ck_assert_int_eq(s.page.map_height, 4 * TILE_SIDE * PIXELS);
    for (int64_t y = 0; y < s.page.height; y++) {
        const uint8_t *row = NULL;
        ck_assert_int_eq(sheet_row(&s, y, &row, NULL), PTL_OK);
        const int64_t map_row = y - s.page.map_y;
        for (int64_t x = 0; x < s.page.map_width; x++) {
            const int64_t tile_x = o.x0 * TILE_SIDE + x / PIXELS;
            const int64_t tile_y = o.y0 * TILE_SIDE + map_row / PIXELS;
            if (map_row < 0 || map_row >= s.page.map_height)
                break;
            const uint32_t symbol = expected_symbol(&o, tile_x, tile_y);
            const char *color = symbol == '@'   ? "pink"
                                : symbol == '*' ? "white"
                                : symbol == '.' ? "cyan"
                                : symbol == '+' ? "brown"
                                : symbol == 'h' ? "red"
                                : symbol == '~' ? "light_red"
                                : symbol == '?' ? "?"
                                                : "white";
            style want;
            (void)palette_style(&want, color);
            ck_assert_uint_eq(row[s.page.map_x + x], want.area);
        }
    }
    sheet_dispose(&s);
}
END_TEST

static uint64_t tiles_of(const legend *l, const char *name)
{
    uint64_t tiles = 0;
    for (size_t i = 0; i < l->entry_count; i++)
        if (strcmp(l->entries[i].name, name) == 0)
            tiles += l->entries[i].tiles;
    return tiles;
}

START_TEST(test_local_legend)
{
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .x0 = 176, .y0 = 5, .x1 = 181, .y1 = 8};
    o.local = true;
    uint64_t walls = 0, chairs = 0, people = 0, items = 0, traps = 0, all = 0, maps = 0;
    for (int64_t y = o.y0 * TILE_SIDE; y < (o.y1 + 1) * TILE_SIDE; y++)
        for (int64_t x = o.x0 * TILE_SIDE; x < (o.x1 + 1) * TILE_SIDE; x++) {
            const fake_tile t = fake_tile_at(x, y, 0);
            if (!fake_has_map(floor_side(x), floor_side(y), 0))
                continue;
            maps += x % TILE_SIDE == 0 && y % TILE_SIDE == 0;
            walls += t.wall;
            chairs += t.chair;
            people += t.person;
            items += t.item;
            traps += t.trap;
        }
    sheet s;
    legend l;
    draw(&s, &o);
    ck_assert_int_eq(sheet_read_legend(&s, &l, NULL), PTL_OK);
    ck_assert_uint_eq(tiles_of(&l, "wall"), walls);
    ck_assert_uint_eq(tiles_of(&l, "f_chair"), chairs); /* it has no name */
    ck_assert_uint_eq(tiles_of(&l, "npc"), people);
    ck_assert_uint_eq(tiles_of(&l, "item"), items);
    ck_assert_uint_eq(tiles_of(&l, "tr_unknown"), traps);
    ck_assert_uint_eq(tiles_of(&l, "zone"), maps);
    for (size_t i = 0; i < l.entry_count; i++)
        all += l.entries[i].group == 0 || l.entries[i].group == GROUP_COUNT - 1
                   ? l.entries[i].tiles
                   : 0;
    ck_assert_uint_eq(all + l.unsaved, 6 * 4 * TILE_SIDE * TILE_SIDE);
    ck_assert_uint_eq(l.unsaved, 2 * 4 * TILE_SIDE * TILE_SIDE);
    ck_assert_uint_gt(people, 0);
    legend_dispose(&l);
    sheet_dispose(&s);
}
END_TEST

START_TEST(test_local_text_legend)
{
    const ptl_render_options o = {.size = sizeof o,
                                  .style = PTL_STYLE_TERMINAL,
                                  .parts = PTL_RENDER_LEGEND,
                                  .local = true};
    bytes got;
    char line[80];
    uint64_t chairs = 0;
    bytes_init(&got);
    for (int64_t i = 0; i < (int64_t)TILE_SIDE * TILE_SIDE; i++)
        chairs += fake_tile_at(24 + i % TILE_SIDE, 24 + i / TILE_SIDE, 0).chair;
    ptl_render_options at = o;
    at.x0 = at.y0 = at.x1 = at.y1 = 1;
    ck_assert_int_eq(ptl_render_text_write(fake_world(false), &at, false, collect, &got, NULL),
                     PTL_OK);
    snprintf(line, sizeof line, "\nFurniture\n  h %6d  f_chair\n", (int)chairs);
    ck_assert_msg(strstr(bytes_text(&got), line) != NULL, "%s", bytes_text(&got));
    bytes_dispose(&got);
}
END_TEST

START_TEST(test_local_arguments)
{
    static const int32_t wrong[] = {1, 23, 25, 32 * 24 + 24, -24};
    ptl_render_options o = {.size = sizeof o, .style = PTL_STYLE_TERMINAL, .local = true};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ptl_error err = {0};
        bytes png = {0};
        o.scale = wrong[i];
        ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, &png, &err),
                         PTL_ERR_ARGUMENT);
        ck_assert_msg(strstr(err.message, "multiple of 24 up to 768") != NULL, "%s",
                      err.message);
    }
    o.symbols = true;
    o.scale = 7 * TILE_SIDE;
    ptl_error err = {0};
    ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, NULL, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_msg(strstr(err.message, "scale of 192 or more") != NULL, "%s", err.message);
}
END_TEST

START_TEST(test_local_of_damage)
{
    const ptl_render_options o = {.size = sizeof o, .style = PTL_STYLE_TERMINAL, .local = true};
    bytes got = {0};
    ck_assert_int_eq(ptl_render_png_write(fake_world(true), &o, collect, &got, NULL),
                     PTL_ERR_CORRUPT);
    ck_assert_int_eq(ptl_render_text_write(fake_world(true), &o, false, collect, &got, NULL),
                     PTL_ERR_CORRUPT);
    ck_assert_uint_eq(got.size, 0);
}
END_TEST

/* ---- tides ---- */

static size_t count_parts(const bytes *png, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i + 4 <= png->size; i++)
        count += memcmp(png->data + i, name, 4) == 0;
    return count;
}

/* A turn is one picture, several are frames, each read at its own turn. */
START_TEST(test_local_tides)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .local = true,
                            .tide = true,
                            .first_turn = 60,
                            .last_turn = 60};
    ptl_error err = {0};
    for (int frames = 1; frames <= 5; frames += 2) {
        bytes png = {0};
        fake_turn_count = 0;
        o.turn_step = 30;
        o.last_turn = o.first_turn + 30 * (frames - 1) + (frames > 1 ? 29 : 0);
        ck_assert_msg(ptl_render_png_write(fake_world(false), &o, collect, &png, &err) ==
                          PTL_OK,
                      "%s", err.message);
        ck_assert_uint_eq(fake_turn_count, (size_t)frames);
        for (int i = 0; i < frames; i++)
            ck_assert_int_eq(fake_turns[i], 60 + 30 * i);
        ck_assert_uint_eq(count_parts(&png, "acTL"), frames > 1);
        ck_assert_uint_eq(count_parts(&png, "fcTL"), frames > 1 ? (size_t)frames : 0);
        bytes_dispose(&png);
    }
}
END_TEST

START_TEST(test_local_tides_that_there_are_not)
{
    const ptl_render_options wrong[] = {
        {.size = sizeof wrong[0], .tide = true},
        {.size = sizeof wrong[0], .local = true, .tide = true, .first_turn = -1},
        {.size = sizeof wrong[0], .local = true, .tide = true, .first_turn = 2, .last_turn = 1},
        {.size = sizeof wrong[0], .local = true, .tide = true, .last_turn = 1000},
        {.size = sizeof wrong[0], .local = true, .tide = true, .turn_step = -1},
        {.size = sizeof wrong[0], .local = true, .tide = true, .last_turn = 1, .parts = 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bytes png = {0};
        ck_assert_int_eq(
            ptl_render_png_write(fake_world(false), &wrong[i], collect, &png, NULL),
            PTL_ERR_ARGUMENT);
        ck_assert_uint_eq(png.size, 0);
    }
}
END_TEST

Suite *local_suite(void)
{
    Suite *s = suite_create("render_local");
    TCase *t = tcase_create("local");
    tcase_add_test(t, test_local_symbols);
    tcase_add_test(t, test_local_without_map);
    tcase_add_loop_test(t, test_local_pixels, 0, 2);
    tcase_add_test(t, test_local_legend);
    tcase_add_test(t, test_local_text_legend);
    tcase_add_test(t, test_local_arguments);
    tcase_add_test(t, test_local_of_damage);
    tcase_add_test(t, test_local_tides);
    tcase_add_test(t, test_local_tides_that_there_are_not);
    suite_add_tcase(s, t);
    return s;
}
