/* The table of classes, and how OMTs are drawn on paper. */
#include "core/light.h"
#include "render/stamp.h"
#include "unit/render/test_render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- colours ---- */

static double linear(uint32_t byte)
{
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double part(uint32_t colour, int i)
{
    return linear(colour >> 8 * (2 - i) & 0xff);
}

/* The ratio of contrast by WCAG 2. */
static double contrast(uint32_t a, uint32_t b)
{
    const double x = .2126 * part(a, 0) + .7152 * part(a, 1) + .0722 * part(a, 2);
    const double y = .2126 * part(b, 0) + .7152 * part(b, 1) + .0722 * part(b, 2);
    return ((x > y ? x : y) + .05) / ((x > y ? y : x) + .05);
}

static double root(double t)
{
    return t > .008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* The distance of two colours, CIE76. */
static double distance(uint32_t a, uint32_t b)
{
    static const double rows[3][3] = {{.4124 / .95047, .3576 / .95047, .1805 / .95047},
                                      {.2126, .7152, .0722},
                                      {.0193 / 1.08883, .1192 / 1.08883, .9505 / 1.08883}};
    double f[2][3];
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            const uint32_t c = k ? b : a;
            f[k][i] = root(rows[i][0] * part(c, 0) + rows[i][1] * part(c, 1) +
                           rows[i][2] * part(c, 2));
        }
    const double l = 116 * (f[0][1] - f[1][1]);
    const double m = 500 * (f[0][0] - f[0][1] - f[1][0] + f[1][1]);
    const double n = 200 * (f[0][1] - f[0][2] - f[1][1] + f[1][2]);
    return sqrt(l * l + m * m + n * n);
}

static ptl_map_look look_in(ptl_map_class class, ptl_map_style kind)
{
    ptl_map_look l = PTL_MAP_LOOK_INIT;
    ck_assert_int_eq(ptl_map_look_describe(&l, class, kind), PTL_OK);
    return l;
}

START_TEST(test_contrast)
{
    for (int k = PTL_STYLE_PAPER; k < PTL_STYLE_TERMINAL; k++)
        for (int c = 0; c < PTL_MAP_CLASSES; c++) {
            const ptl_map_look l = look_in((ptl_map_class)c, (ptl_map_style)k);
            ck_assert_msg(contrast(l.area, l.ink) >= 4.5, "%s in style %d: ink %.2f", l.id, k,
                          contrast(l.area, l.ink));
            ck_assert_msg(contrast(l.area, l.ink) < 7, "%s in style %d: ink %.2f", l.id, k,
                          contrast(l.area, l.ink));
            ck_assert_msg(contrast(l.area, l.edge) >= 1.15, "%s in style %d: edge %.2f", l.id,
                          k, contrast(l.area, l.edge));
        }
}
END_TEST

/* The same of tiles. Walls stand out from what they surround. */
START_TEST(test_tile_contrast)
{
    static const ptl_tile_class inside[] = {PTL_TILE_FLOOR, PTL_TILE_WINDOW, PTL_TILE_DOOR,
                                            PTL_TILE_FURNITURE, PTL_TILE_GRASS};
    for (int k = PTL_STYLE_PAPER; k < PTL_STYLE_TERMINAL; k++) {
        ptl_tile_look wall = PTL_TILE_LOOK_INIT;
        ck_assert_int_eq(ptl_tile_look_describe(&wall, PTL_TILE_WALL, (ptl_map_style)k),
                         PTL_OK);
        for (int c = 0; c < PTL_TILE_CLASSES; c++) {
            ptl_tile_look l = PTL_TILE_LOOK_INIT;
            ck_assert_int_eq(ptl_tile_look_describe(&l, (ptl_tile_class)c, (ptl_map_style)k),
                             PTL_OK);
            ck_assert_msg(contrast(l.area, l.ink) >= 4.5 && l.name[0], "%s in style %d: %.2f",
                          l.id, k, contrast(l.area, l.ink));
        }
        for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
            ptl_tile_look l = PTL_TILE_LOOK_INIT;
            (void)ptl_tile_look_describe(&l, inside[i], (ptl_map_style)k);
            ck_assert_msg(distance(l.area, wall.area) > 25, "%s in style %d: %.1f", l.id, k,
                          distance(l.area, wall.area));
        }
    }
    ptl_tile_look l = PTL_TILE_LOOK_INIT;
    ck_assert_int_eq(ptl_tile_look_describe(&l, PTL_TILE_CLASSES, PTL_STYLE_PAPER),
                     PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(l.id, "");
    ck_assert_int_eq(ptl_tile_look_describe(&l, PTL_TILE_WALL, PTL_STYLE_COUNT),
                     PTL_ERR_NOT_FOUND);
}
END_TEST

/* What often lies side by side is told apart at a glance. */
START_TEST(test_neighbours)
{
    static const ptl_map_class ground[] = {PTL_MAP_FIELD, PTL_MAP_FOREST, PTL_MAP_THICK_FOREST,
                                           PTL_MAP_SWAMP, PTL_MAP_RIVER,  PTL_MAP_BUILDING,
                                           PTL_MAP_SITE},
                               ways[] = {PTL_MAP_ROAD, PTL_MAP_BRIDGE, PTL_MAP_HIGHWAY,
                                         PTL_MAP_TRAIL, PTL_MAP_RAIL};
    for (int k = PTL_STYLE_PAPER; k < PTL_STYLE_TERMINAL; k++)
        for (size_t i = 0; i < sizeof ground / sizeof *ground; i++) {
            const ptl_map_look a = look_in(ground[i], (ptl_map_style)k);
            for (size_t j = 0; j < i; j++) {
                const ptl_map_look b = look_in(ground[j], (ptl_map_style)k);
                ck_assert_msg(distance(a.area, b.area) > (j && i == j + 1 ? 6 : 9),
                              "%s and %s in style %d: %.1f", a.id, b.id, k,
                              distance(a.area, b.area));
            }
            for (size_t j = 0; j < sizeof ways / sizeof *ways; j++) {
                const ptl_map_look b = look_in(ways[j], (ptl_map_style)k);
                ck_assert_msg(distance(a.area, b.area) > 15, "%s and %s in style %d: %.1f",
                              a.id, b.id, k, distance(a.area, b.area));
            }
        }
}
END_TEST

START_TEST(test_describe)
{
    ptl_map_look l = PTL_MAP_LOOK_INIT;
    ck_assert_int_eq(ptl_map_look_describe(&l, PTL_MAP_CLASSES, PTL_STYLE_PAPER),
                     PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(l.id, "");
    ck_assert_int_eq(ptl_map_look_describe(&l, PTL_MAP_ROAD, PTL_STYLE_COUNT),
                     PTL_ERR_NOT_FOUND);
    l = look_in(PTL_MAP_BRIDGE, PTL_STYLE_PAPER);
    ck_assert_str_eq(l.id, "bridge");
    ck_assert_int_eq(l.shape, PTL_MAP_WAY);
    ck_assert_int_eq(l.under, PTL_MAP_RIVER);
    ck_assert_str_eq(ptl_map_group_name(l.group), "Ways");
    ck_assert_str_eq(ptl_map_group_name(PTL_MAP_GROUPS), "");
    ck_assert_uint_eq(look_in(PTL_MAP_ROAD, PTL_STYLE_TERMINAL).area,
                      look_in(PTL_MAP_ROAD, PTL_STYLE_PAPER).area);
    for (int i = 0; i < PTL_MAP_CLASSES; i++)
        for (int j = 0; j < i; j++)
            ck_assert_str_ne(look_in((ptl_map_class)i, 0).id, look_in((ptl_map_class)j, 0).id);
}
END_TEST

/* ---- stamps ---- */

enum { COLUMNS = 3, TALL = 16 };

/* Draws the middle OMT of three rows of three OMTs. */
static void draw_of(uint8_t *out, const catalogue *cat, int32_t scale, ptl_map_style kind,
                    const ptl_oter cells[9], const ptl_oter *ground)
{
    ptl_oter rows[3][COLUMNS + 2];
    memset(rows, 0xff, sizeof rows);
    for (int i = 0; i < 9; i++)
        rows[i / 3][i % 3] = cells[i];
    const stamp_row row = {
        .rows = {rows[0] + 1, rows[1] + 1, rows[2] + 1}, .ground = ground, .width = 1};
    stamper *s = stamper_new(cat, kind, scale, false);
    ck_assert_ptr_nonnull(s);
    ck_assert(stamper_draw(s, out, (size_t)scale * STAMP_BYTES, &row));
    stamper_free(s);
}

static void draw(uint8_t *out, int32_t scale, ptl_map_style kind, const ptl_oter cells[9])
{
    draw_of(out, &fake_catalogue, scale, kind, cells, NULL);
}

static uint32_t pixel(const uint8_t *out, int32_t scale, int32_t x, int32_t y)
{
    const uint8_t *at = out + (size_t)(y * scale + x) * STAMP_BYTES;
    return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
}

START_TEST(test_way)
{
    /* A road from north to south, in a field: its line in the middle, an edge at both sides,
     * and the field beside it. */
    static const ptl_oter cells[9] = {FAKE_FIELD, FAKE_ROAD_NS, FAKE_FIELD,
                                      FAKE_FIELD, FAKE_ROAD_NS, FAKE_FIELD,
                                      FAKE_FIELD, FAKE_ROAD_NS, FAKE_FIELD};
    uint8_t out[TALL * TALL * STAMP_BYTES];
    for (int k = PTL_STYLE_PAPER; k < PTL_STYLE_TERMINAL; k++) {
        const ptl_map_look road = look_in(PTL_MAP_ROAD, (ptl_map_style)k);
        const ptl_map_look field = look_in(PTL_MAP_FIELD, (ptl_map_style)k);
        draw(out, TALL, (ptl_map_style)k, cells);
        for (int32_t y = 0; y < TALL; y++) {
            ck_assert_uint_eq(pixel(out, TALL, 0, y), field.area);
            ck_assert_uint_eq(pixel(out, TALL, TALL - 1, y), field.area);
            ck_assert_uint_eq(pixel(out, TALL, TALL / 2, y), road.area);
            ck_assert_uint_ne(pixel(out, TALL, 4, y), field.area);
        }
    }
}
END_TEST

START_TEST(test_corner)
{
    /* Wood in the north and east of a field: the field's corner there is wood. */
    static const ptl_oter cells[9] = {FAKE_FIELD, FAKE_FOREST, FAKE_FOREST,
                                      FAKE_FIELD, FAKE_FIELD,  FAKE_FOREST,
                                      FAKE_FIELD, FAKE_FIELD,  FAKE_FIELD};
    uint8_t out[TALL * TALL * STAMP_BYTES];
    const ptl_map_look field = look_in(PTL_MAP_FIELD, PTL_STYLE_PAPER);
    draw(out, TALL, PTL_STYLE_PAPER, cells);
    ck_assert_uint_eq(pixel(out, TALL, TALL - 1, 0),
                      look_in(PTL_MAP_FOREST, PTL_STYLE_PAPER).area);
    ck_assert_uint_eq(pixel(out, TALL, 0, 0), field.area);
    ck_assert_uint_eq(pixel(out, TALL, TALL - 1, TALL - 1), field.area);
    ck_assert_uint_eq(pixel(out, TALL, TALL / 2, TALL / 2), field.area);
}
END_TEST

/* An OMT of one, two or three pixels along a side has the colour of its class. */
START_TEST(test_small)
{
    static const ptl_oter cells[9] = {FAKE_FOREST,  FAKE_ROAD_NS, FAKE_FIELD,
                                      FAKE_FOREST,  FAKE_ROAD_NS, FAKE_FIELD,
                                      FAKE_INVERSE, FAKE_ROAD_NS, FAKE_FIELD};
    uint8_t out[4 * 4 * STAMP_BYTES];
    for (int k = PTL_STYLE_PAPER; k < PTL_STYLE_TERMINAL; k++) {
        const uint32_t road = look_in(PTL_MAP_ROAD, (ptl_map_style)k).area;
        for (int32_t scale = 1; scale < 4; scale++) {
            draw(out, scale, (ptl_map_style)k, cells);
            for (int32_t i = 0; i < scale * scale; i++)
                ck_assert_uint_eq(pixel(out, scale, i % scale, i / scale), road);
        }
        draw(out, 4, (ptl_map_style)k, cells);
        ck_assert_uint_ne(pixel(out, 4, 0, 0), road);
    }
}
END_TEST

/* A fifth of a wood on the ground is seen through air, and none of it through a field. */
START_TEST(test_ghost)
{
    static const cat_terrain terrains[] = {
        {.id = "air", .name = "", .color = "", .count = 1, .map_class = PTL_MAP_AIR},
        {.id = "field", .name = "", .color = "", .first = 1, .map_class = PTL_MAP_FIELD},
        {.id = "wood", .name = "", .color = "", .first = 2, .map_class = PTL_MAP_FOREST}};
    static const cat_oter oters[] = {
        {.id = "air"}, {.id = "field", .terrain = 1}, {.id = "wood", .terrain = 2}};
    static const catalogue cat = {
        .terrains = terrains, .terrain_count = 3, .oters = oters, .oter_count = 3};
    static const ptl_oter air[9] = {0}, field[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const ptl_oter wood[1] = {2};
    const uint32_t over = look_in(PTL_MAP_AIR, PTL_STYLE_PAPER).area;
    const uint32_t below = look_in(PTL_MAP_FOREST, PTL_STYLE_PAPER).area;
    uint8_t out[8 * 8 * STAMP_BYTES];
    draw_of(out, &cat, 8, PTL_STYLE_PAPER, field, wood);
    ck_assert_uint_eq(pixel(out, 8, 3, 3), look_in(PTL_MAP_FIELD, PTL_STYLE_PAPER).area);
    draw_of(out, &cat, 8, PTL_STYLE_PAPER, air, NULL);
    ck_assert_uint_eq(pixel(out, 8, 3, 3), over);
    draw_of(out, &cat, 8, PTL_STYLE_PAPER, air, wood);
    for (int i = 0; i < STAMP_BYTES; i++) {
        const int shift = 8 * (2 - i);
        const int want = (int)((4 * (over >> shift & 0xff) + (below >> shift & 0xff)) / 5);
        ck_assert_int_eq((int)(pixel(out, 8, 3, 3) >> shift & 0xff), want);
    }
}
END_TEST

Suite *paper_suite(void)
{
    Suite *s = suite_create("paper");
    TCase *t = tcase_create("paper");
    tcase_add_test(t, test_contrast);
    tcase_add_test(t, test_tile_contrast);
    tcase_add_test(t, test_neighbours);
    tcase_add_test(t, test_describe);
    tcase_add_test(t, test_way);
    tcase_add_test(t, test_corner);
    tcase_add_test(t, test_small);
    tcase_add_test(t, test_ghost);
    suite_add_tcase(s, t);
    return s;
}
