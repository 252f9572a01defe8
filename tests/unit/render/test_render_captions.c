/*
 * What stands around a picture's map: coordinates at the OMTs and chunks that they name, a
 * scale bar of the length that it says, a title, a legend of all that it counts.
 */
#include "unit/render/test_render.h"

#include "core/hash.h"
#include "render/sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sheet, all of its pixels, and what it was drawn from. */
typedef struct drawn {
    ptl_render_options options;
    sheet sheet;
    uint8_t *pixels; /* owned; page.width * page.height */
} drawn;

static void draw(drawn *out, const ptl_render_options *o)
{
    ptl_error err;
    out->options = *o;
    ptl_status status = sheet_init(&out->sheet, fake_world(false), &out->options, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    const page *p = &out->sheet.page;
    out->pixels = malloc((size_t)(p->width * p->height));
    ck_assert_ptr_nonnull(out->pixels);
    for (int64_t y = 0; y < p->height; y++) {
        const uint8_t *row;
        ck_assert_int_eq(sheet_row(&out->sheet, y, &row, &err), PTL_OK);
        memcpy(out->pixels + y * p->width, row, (size_t)p->width);
    }
}

static void release(drawn *d)
{
    sheet_dispose(&d->sheet);
    free(d->pixels);
}

static uint8_t pixel(const drawn *d, int64_t x, int64_t y)
{
    return d->pixels[y * d->sheet.page.width + x];
}

/* Does a text stand with its first dot's corner at x, y, and nothing else beside it? */
static bool text_stands(const drawn *d, int64_t x, int64_t y, const char *text)
{
    const int32_t zoom = d->sheet.page.zoom, width = lettering_width(text, zoom);
    for (int32_t row = 0; row < FONT_TEXT_HEIGHT * zoom; row++) {
        uint8_t want[400];
        memset(want, PALETTE_PAPER, sizeof want);
        const letter_line line = {.pixels = want, .from = 0, .to = (int64_t)sizeof want};
        lettering_paint(&line, zoom, row, text, zoom, PALETTE_TEXT);
        for (int32_t i = 0; i < width + 2 * zoom; i++)
            if (pixel(d, x - zoom + i, y + row) != want[i])
                return false;
    }
    return true;
}

/* The number stands around a middle, in the row or column that is its own. */
static bool number_stands(const drawn *d, int64_t middle, int64_t y, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    return text_stands(d, middle - lettering_width(text, d->sheet.page.zoom) / 2, y, text);
}

static ptl_render_options random_place(rng *r)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.style = PTL_STYLE_TERMINAL;
    o.scale = 1 + (int32_t)rng_below(r, 7);
    o.x0 = (int64_t)rng_below(r, 2000) - 1000;
    o.y0 = (int64_t)rng_below(r, 2000) - 1000;
    o.x1 = o.x0 + 60 + rng_below(r, 700 / (uint32_t)o.scale);
    o.y1 = o.y0 + 60 + rng_below(r, 700 / (uint32_t)o.scale);
    o.parts = PTL_RENDER_GRID;
    return o;
}

/* ---- coordinates ---- */

/* Below the map a tick for each round OMT, in the middle of its column, and its number, except
 * where the number would leave the map at a side; no tick anywhere else. */
START_TEST(test_omts_below)
{
    rng r = rng_from_key(hash_add(21, (uint64_t)_i));
    const ptl_render_options o = random_place(&r);
    drawn d;
    draw(&d, &o);
    const page *p = &d.sheet.page;
    const int64_t step = d.sheet.frame.omt_step_x, y = p->map_y + p->map_height;
    size_t numbers = 0;
    for (int64_t x = o.x0; x <= o.x1; x++) {
        const int64_t middle = p->map_x + (x - o.x0) * o.scale + o.scale / 2;
        const bool tick = pixel(&d, middle, y + 2 * p->zoom) == PALETTE_FRAME;
        const bool wide = p->zoom > o.scale; /* the next column sees the tick, too */
        if (x % step == 0 || !wide)
            ck_assert_msg(tick == (x % step == 0), "OMT %d", (int)x);
        if (x % step == 0 && middle > p->map_x + 40 && middle < p->map_x + p->map_width - 40)
            ck_assert_msg(number_stands(&d, middle, y + 4 * p->zoom, x), "OMT %d", (int)x);
        numbers += x % step == 0;
    }
    ck_assert_uint_gt(numbers, 0);
    release(&d);
}
END_TEST

START_TEST(test_omts_beside)
{
    rng r = rng_from_key(hash_add(22, (uint64_t)_i));
    const ptl_render_options o = random_place(&r);
    drawn d;
    draw(&d, &o);
    const page *p = &d.sheet.page;
    const int64_t step = d.sheet.frame.omt_step_y, x = p->map_x + p->map_width;
    for (int64_t y = o.y0; y <= o.y1; y++) {
        const int64_t middle = p->map_y + (y - o.y0) * o.scale + o.scale / 2;
        const bool tick = pixel(&d, x + 2 * p->zoom, middle) == PALETTE_FRAME;
        if (y % step == 0 || p->zoom <= o.scale)
            ck_assert_msg(tick == (y % step == 0), "OMT %d", (int)y);
        char text[24];
        snprintf(text, sizeof text, "%" PRId64, y);
        if (y % step != 0)
            continue;
        const int64_t width = lettering_width(text, p->zoom), end = x + p->right;
        int64_t left = x + 2 * 3 * p->zoom; /* behind the tick */
        left = left + width > end ? end - width : left;
        ck_assert_msg(text_stands(&d, left, middle - FONT_HEIGHT * p->zoom / 2, text), "OMT %d",
                      (int)y);
    }
    release(&d);
}
END_TEST

/* Above the map each chunk's number over the middle of what is seen of it; at the left beside
 * it. */
START_TEST(test_chunks_numbered)
{
    rng r = rng_from_key(hash_add(23, (uint64_t)_i));
    const ptl_render_options o = random_place(&r);
    drawn d;
    draw(&d, &o);
    const page *p = &d.sheet.page;
    const frame *f = &d.sheet.frame;
    const ptl_chunk_pos from = ptl_omt_chunk((ptl_omt){o.x0, o.y0, 0});
    const ptl_chunk_pos to = ptl_omt_chunk((ptl_omt){o.x1, o.y1, 0});
    for (int64_t c = from.x; c <= to.x; c++) {
        const int64_t west = c * 180 > o.x0 ? c * 180 : o.x0;
        const int64_t east = c * 180 + 180 < o.x1 + 1 ? c * 180 + 180 : o.x1 + 1;
        const int64_t middle =
            p->map_x + ((west - o.x0) * o.scale + (east - o.x0) * o.scale) / 2;
        if (c % f->chunk_step_x == 0 && (east - west) * o.scale > 40)
            ck_assert_msg(number_stands(&d, middle, p->map_y - p->top + 2 * p->zoom, c),
                          "chunk %d", (int)c);
    }
    for (int64_t c = from.y; c <= to.y; c++) {
        const int64_t north = c * 180 > o.y0 ? c * 180 : o.y0;
        const int64_t south = c * 180 + 180 < o.y1 + 1 ? c * 180 + 180 : o.y1 + 1;
        const int64_t middle =
            p->map_y + ((north - o.y0) * o.scale + (south - o.y0) * o.scale) / 2;
        char text[24];
        snprintf(text, sizeof text, "%" PRId64, c);
        const int64_t x = p->map_x - 3 * p->zoom - lettering_width(text, p->zoom);
        if (c % f->chunk_step_y == 0 && (south - north) * o.scale > 40)
            ck_assert_msg(text_stands(&d, x, middle - FONT_HEIGHT * p->zoom / 2, text),
                          "chunk %d", (int)c);
    }
    release(&d);
}
END_TEST

/* The grid's dashes lie on the first pixels of the chunks, and on each border there are some.
 */
START_TEST(test_grid)
{
    rng r = rng_from_key(hash_add(24, (uint64_t)_i));
    const ptl_render_options o = random_place(&r);
    drawn d;
    draw(&d, &o);
    const page *p = &d.sheet.page;
    size_t dashes = 0;
    for (int64_t y = 0; y < p->map_height; y++) {
        for (int64_t x = 0; x < p->map_width; x++) {
            if (pixel(&d, p->map_x + x, p->map_y + y) != PALETTE_GRID)
                continue;
            const bool column = (o.x0 + x / o.scale) % 180 == 0 && x > 0;
            const bool row = (o.y0 + y / o.scale) % 180 == 0 && y > 0;
            if (!column && !row)
                ck_abort_msg("%d,%d", (int)x, (int)y);
            dashes++;
        }
    }
    const ptl_chunk_pos from = ptl_omt_chunk((ptl_omt){o.x0, o.y0, 0});
    const ptl_chunk_pos to = ptl_omt_chunk((ptl_omt){o.x1, o.y1, 0});
    const size_t least =
        (size_t)((to.x - from.x) * p->map_height / 3 + (to.y - from.y) * p->map_width / 3);
    ck_assert_uint_ge(dashes, least);
    release(&d);
}
END_TEST

/* ---- captions ---- */

static const drawn_text *find_text(const drawing *d, const char *text)
{
    for (size_t i = 0; i < d->text_count; i++)
        if (strcmp(d->texts[i].text, text) == 0)
            return &d->texts[i];
    return NULL;
}

static const drawn_text *find_beginning(const drawing *d, const char *text)
{
    for (size_t i = 0; i < d->text_count; i++)
        if (strncmp(d->texts[i].text, text, strlen(text)) == 0)
            return &d->texts[i];
    return NULL;
}

/* The bar is as long as so many OMTs of the map, and a round number of them. */
START_TEST(test_scale_bar)
{
    rng r = rng_from_key(hash_add(25, (uint64_t)_i));
    ptl_render_options o = random_place(&r);
    o.parts = PTL_RENDER_SCALE_BAR;
    drawn d;
    draw(&d, &o);
    const page *p = &d.sheet.page;
    const drawing *around = &d.sheet.around;
    ck_assert_uint_gt(around->box_count, 0);
    const int64_t omts = around->boxes[0].width / o.scale;
    ck_assert_int_eq(around->boxes[0].width, omts * o.scale);
    ck_assert_int_eq(frame_round_up(omts), omts);
    ck_assert(omts * o.scale <= p->panel_width / 4 || omts * o.scale <= 50 * p->zoom ||
              omts == 1);
    char number[32], text[80];
    captions_number(number, (uint64_t)omts * 24);
    snprintf(text, sizeof text, "%" PRId64 " OMT%s = %s tiles", omts, omts == 1 ? "" : "s",
             number);
    ck_assert_ptr_nonnull(find_text(around, text));
    ck_assert_ptr_nonnull(find_text(around, "1 OMT is 24 x 24 tiles"));
    release(&d);
}
END_TEST

START_TEST(test_title)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = -10,
                            .y0 = 5,
                            .x1 = 399,
                            .y1 = 170,
                            .z_first = 2,
                            .z_last = -1};
    o.parts = PTL_RENDER_TITLE;
    drawn d;
    fake_name = "St. J\u00fcrgen\x1b[1m";
    draw(&d, &o);
    fake_name = "fake";
    const drawing *around = &d.sheet.around;
    ck_assert_ptr_nonnull(find_text(around, "St. Jurgen\x7f[1m"));
    char text[200];
    snprintf(text, sizeof text,
             "seed 18446744073709551615  \x01  levels 2 to -1  \x01  OMTs -10,5 to 399,170  "
             "\x01  chunks -1,0 to 2,0  \x01  Portolan %s",
             ptl_version());
    ck_assert_ptr_nonnull(find_text(around, text));
    release(&d);
    o = (ptl_render_options){.size = sizeof(ptl_render_options),
                             .style = PTL_STYLE_TERMINAL,
                             .x0 = 7,
                             .y0 = 8,
                             .x1 = 7,
                             .y1 = 8,
                             .z_first = 3,
                             .z_last = 3};
    o.parts = PTL_RENDER_TITLE; /* narrow: on as many lines as it needs */
    draw(&d, &o);
    ck_assert_ptr_nonnull(find_beginning(&d.sheet.around, "seed 18446744073709551615"));
    bool has_level = false, has_omt = false, has_chunk = false;
    for (size_t i = 0; i < d.sheet.around.text_count; i++) {
        const drawn_text *t = &d.sheet.around.texts[i];
        has_level |= strstr(t->text, "level 3: 3 levels above the ground") != NULL;
        has_omt |= strstr(t->text, "OMT 7,8") != NULL;
        has_chunk |= strstr(t->text, "chunk 0,0") != NULL;
        ck_assert_int_le(t->x + lettering_width(t->text, t->zoom), d.sheet.page.width);
    }
    ck_assert(has_level && has_omt && has_chunk);
    release(&d);
}
END_TEST

/* Each entry has its name, its number at the end of the line, and its colour before it. */
/* A picture at a turn of the tide says which, and how high the sea stands. */
START_TEST(test_tide_in_title)
{
    static const struct {
        int64_t turn;
        const char *said;
    } tides[] = {{0, "tide step 0: mean sea"},
                 {28 * 60 + 59, "tide step 28: sea 25 above mean"},
                 {78 * 60, "tide step 78: sea 18 below mean"}};
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x1 = 60,
                            .y1 = 1,
                            .local = true,
                            .scale = 24};
    o.parts = PTL_RENDER_TITLE;
    for (size_t i = 0; i <= sizeof tides / sizeof tides[0]; i++) {
        drawn d;
        bool told = false;
        o.tide = i < sizeof tides / sizeof tides[0];
        o.first_turn = o.last_turn = o.tide ? tides[i].turn : 0;
        draw(&d, &o);
        for (size_t n = 0; n < d.sheet.around.text_count; n++)
            told |=
                strstr(d.sheet.around.texts[n].text, o.tide ? tides[i].said : "tide") != NULL;
        ck_assert(told == o.tide);
        release(&d);
    }
}
END_TEST

START_TEST(test_legend_drawn)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = 170,
                            .y0 = 0,
                            .x1 = 189,
                            .y1 = 9,
                            .scale = 8,
                            .symbols = _i == 1};
    static const char *const names[] = {"field", "forest", "road", "inverse"};
    static const uint8_t area[] = {3, 2, 8, 11};
    uint64_t tiles[4] = {0}, unsaved = 0;
    for (int64_t y = o.y0; y <= o.y1; y++) {
        for (int64_t x = o.x0; x <= o.x1; x++) {
            const ptl_oter oter = fake_oter(x, y, 0);
            if (oter == CAT_NONE)
                unsaved++;
            else
                tiles[fake_catalogue.oters[oter].terrain]++;
        }
    }
    o.parts = PTL_RENDER_LEGEND;
    drawn d;
    draw(&d, &o);
    const drawing *around = &d.sheet.around;
    const page *p = &d.sheet.page;
    for (size_t i = 0; i < 5; i++) {
        char number[32];
        captions_number(number, i < 4 ? tiles[i] : unsaved);
        const drawn_text *name = find_text(around, i < 4 ? names[i] : "not saved");
        ck_assert_ptr_nonnull(name);
        ck_assert_str_eq(name[1].text, number); /* the next text is its number */
        ck_assert_int_eq(name[1].y, name->y);
        ck_assert_int_eq(name[1].x + lettering_width(number, p->zoom),
                         p->legend_x + p->legend_width);
        ck_assert_int_gt(name[1].x, name->x + lettering_width(name->text, p->zoom));
        const uint8_t swatch = pixel(&d, p->legend_x + 2 * p->zoom, name->y + 2 * p->zoom);
        if (i == 4 || _i == 0)
            ck_assert_int_eq(swatch, i < 4 ? area[i] : PALETTE_UNSAVED);
    }
    ck_assert_ptr_nonnull(find_text(around, "Land"));
    ck_assert_ptr_nonnull(find_text(around, "Ways"));
    ck_assert_ptr_nonnull(find_text(around, "Cities"));
    ck_assert_ptr_null(find_text(around, "Water"));
    release(&d);
}
END_TEST

/* A legend with more than it has room for says how many more, and how many tiles they have. */
START_TEST(test_legend_rest)
{
    look *looks = looks_new(&fake_catalogue);
    legend_entry entries[300];
    legend l = {.entries = entries, .entry_count = 300, .headings = terrain_group_names()};
    for (size_t i = 0; i < 300; i++)
        entries[i] = (legend_entry){
            .name = "house", .group = GROUP_CITY, .look = looks, .tiles = 300 - i};
    for (int g = GROUP_CITY + 1; g <= GROUP_COUNT; g++)
        l.first[g] = 300;
    const viewport v = {
        .x1 = 99, .y1 = 99, .z_step = 1, .width = 100, .height = 100, .level_count = 1};
    page p;
    legend_layout layout;
    drawing d = {.failed = false};
    page_measure(&p, &v, 4, PTL_RENDER_LEGEND);
    captions_fit_legend(&layout, &l, &p);
    page_place(&p, layout.height);
    captions_draw_legend(&layout, false, &p, &d);
    const size_t shown = layout.shown[GROUP_CITY];
    ck_assert_uint_ge(shown, 10);
    ck_assert_uint_lt(shown, 70);
    char text[40], number[32];
    snprintf(text, sizeof text, "and %zu more", 300 - shown);
    captions_number(number, (uint64_t)(300 - shown) * (301 - shown) / 2);
    const drawn_text *rest = find_text(&d, text);
    ck_assert_ptr_nonnull(rest);
    ck_assert_str_eq(rest[1].text, number);
    for (size_t i = 0; i < d.text_count; i++)
        ck_assert_int_le(d.texts[i].y + (int64_t)FONT_HEIGHT * d.texts[i].zoom, p.height);
    drawing_dispose(&d);
    free(looks);
}
END_TEST

Suite *caption_suite(void)
{
    Suite *s = suite_create("captions");
    TCase *t = tcase_create("coordinates");
    tcase_add_loop_test(t, test_omts_below, 0, 8);
    tcase_add_loop_test(t, test_omts_beside, 0, 8);
    tcase_add_loop_test(t, test_chunks_numbered, 0, 8);
    tcase_add_loop_test(t, test_grid, 0, 8);
    suite_add_tcase(s, t);
    t = tcase_create("captions");
    tcase_add_loop_test(t, test_scale_bar, 0, 8);
    tcase_add_test(t, test_title);
    tcase_add_test(t, test_tide_in_title);
    tcase_add_loop_test(t, test_legend_drawn, 0, 2);
    tcase_add_test(t, test_legend_rest);
    suite_add_tcase(s, t);
    return s;
}
