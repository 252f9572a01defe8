/*
 * PNG pictures: structure, size, what they say of themselves as libpng reads it, and what
 * happens when something fails. That the pixels are right is checked by test_render_layout, and
 * end to end by tests/cli, with a PNG reader of its own.
 */
#include "unit/render/test_render.h"

#include "core/bytes.h"
#include "portolan/render.h"
#include "render/paint.h"

#include <png.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool collect(void *payload, const void *data, size_t size)
{
    bytes_put(payload, data, size);
    return true;
}

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Width and height of a PNG that has its signature, its head first and its end last. */
static void expect_png(const bytes *png, uint32_t width, uint32_t height)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    ck_assert_uint_gt(png->size, 60);
    ck_assert_int_eq(memcmp(png->data, signature, sizeof signature), 0);
    ck_assert_int_eq(memcmp(png->data + 12, "IHDR", 4), 0);
    ck_assert_uint_eq(big_endian(png->data + 16), width);
    ck_assert_uint_eq(big_endian(png->data + 20), height);
    ck_assert_int_eq(memcmp(png->data + png->size - 8, "IEND", 4), 0);
}

static void draw(bytes *out, const ptl_render_options *o)
{
    ptl_error err;
    bytes_init(out);
    ptl_status status = ptl_render_png_write(fake_world(false), o, collect, out, &err);
    ck_assert_msg(status == PTL_OK, "%s", status == PTL_OK ? "" : err.message);
}

START_TEST(test_picture_sizes)
{
    static const struct {
        ptl_render_options options;
        uint32_t width, height;
    } cases[] = {
        {{.x0 = 0}, 1, 1},
        {{.scale = 1}, 1, 1},
        {{.x0 = -5, .y0 = -7, .x1 = 4, .y1 = 2, .scale = 3}, 30, 30},
        {{.x0 = -180, .x1 = 179, .y1 = 179, .z_first = -10, .z_last = -10, .scale = 1},
         360,
         180},
        {{.x1 = 9, .y1 = 4, .z_first = -1, .z_last = 1, .scale = 2}, (3 * 10 + 2 * 2) * 2, 10},
        {{.x1 = 9, .y1 = 4, .z_first = 1, .z_last = -1, .scale = 2}, (3 * 10 + 2 * 2) * 2, 10},
        {{.x1 = 9, .y1 = 4, .z_first = -10, .z_last = 10, .scale = 8, .symbols = true},
         (21 * 10 + 20 * 2) * 8,
         40},
        {{.x0 = 175, .y0 = 175, .x1 = 185, .y1 = 185, .scale = 32, .symbols = true}, 352, 352},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes png;
        ptl_render_options o = cases[i].options;
        o.size = sizeof o;
        draw(&png, &o);
        expect_png(&png, cases[i].width, cases[i].height);
        bytes_dispose(&png);
    }
}
END_TEST

START_TEST(test_picture_repeats)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = -100,
                            .y0 = -100,
                            .x1 = 100,
                            .y1 = 100,
                            .z_first = -1,
                            .scale = 8,
                            .symbols = true};
    bytes a, b;
    draw(&a, &o);
    draw(&b, &o);
    ck_assert_uint_eq(a.size, b.size);
    ck_assert_int_eq(memcmp(a.data, b.data, a.size), 0);
    bytes_dispose(&a);
    bytes_dispose(&b);
}
END_TEST

START_TEST(test_picture_arguments)
{
    static const ptl_render_options wrong[] = {
        {.x1 = -1, .scale = 1},
        {.y1 = -1, .scale = 1},
        {.z_first = -11, .scale = 1},
        {.z_last = 11, .scale = 1},
        {.scale = 33},
        {.scale = -1},
        {.scale = 7, .symbols = true},
        {.x0 = INT64_MIN, .x1 = INT64_MAX, .scale = 1},
        {.y1 = INT64_MAX, .scale = 1},
        {.scale = 1, .parts = PTL_RENDER_ALL + 1},
    };
    ptl_error err;
    bytes png;
    bytes_init(&png);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ptl_render_options o = wrong[i];
        o.size = sizeof o;
        ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, &png, &err),
                         PTL_ERR_ARGUMENT);
        ck_assert_int_eq(err.status, PTL_ERR_ARGUMENT);
        ck_assert_uint_gt(strlen(err.message), 10);
        ck_assert_ptr_null(strstr(err.message, "INIT"));
    }
    ck_assert_uint_eq(png.size, 0);
}
END_TEST

START_TEST(test_picture_too_large)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x1 = 99,
                            .y1 = 700 * 1000 * 1000,
                            .scale = 32};
    ptl_error err;
    bytes png;
    bytes_init(&png);
    ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, &png, &err),
                     PTL_ERR_LIMIT);
    /* With a legend, too, and before all of that was read. */
    o.parts = PTL_RENDER_ALL;
    ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, &png, &err),
                     PTL_ERR_LIMIT);
    ck_assert_uint_eq(png.size, 0);
    bytes_dispose(&png);
}
END_TEST

/* ---- read back ---- */

/* A picture as libpng reads it: its rows as indices, and its texts. */
typedef struct read_back {
    bytes png;
    size_t at;
    uint32_t width, height;
    uint8_t *rows; /* owned */
    char keys[16][80], texts[16][256];
    int compression[16], text_count;
} read_back;

static void give_png(png_structp png, png_bytep out, png_size_t size)
{
    read_back *r = png_get_io_ptr(png);
    if (size > r->png.size - r->at)
        png_error(png, "too short");
    memcpy(out, r->png.data + r->at, size);
    r->at += size;
}

static void copy_texts(read_back *r, png_structp png, png_infop info)
{
    png_textp texts = NULL;
    png_get_text(png, info, &texts, &r->text_count);
    ck_assert_int_le(r->text_count, 16);
    for (int i = 0; i < r->text_count; i++) {
        snprintf(r->keys[i], sizeof r->keys[i], "%s", texts[i].key);
        snprintf(r->texts[i], sizeof r->texts[i], "%s", texts[i].text);
        r->compression[i] = texts[i].compression;
    }
}

/* new: release frees it. */
static read_back *read_again(const ptl_render_options *o)
{
    read_back *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    draw(&r->png, o);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)))
        ck_abort_msg("libpng refuses the picture");
    png_set_read_fn(png, r, give_png);
    png_read_info(png, info);
    r->width = png_get_image_width(png, info);
    r->height = png_get_image_height(png, info);
    r->rows = malloc((size_t)r->width * r->height);
    ck_assert_ptr_nonnull(r->rows);
    for (uint32_t y = 0; y < r->height; y++)
        png_read_row(png, r->rows + (size_t)y * r->width, NULL);
    png_read_end(png, NULL);
    copy_texts(r, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    return r;
}

static void release(read_back *r)
{
    bytes_dispose(&r->png);
    free(r->rows);
    free(r);
}

static const char *text_of(const read_back *r, const char *key)
{
    for (int i = 0; i < r->text_count; i++)
        if (strcmp(r->keys[i], key) == 0)
            return r->texts[i];
    return "(none)";
}

START_TEST(test_picture_texts)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = -7,
                            .y0 = 3,
                            .x1 = 12,
                            .y1 = 12,
                            .z_first = 1,
                            .z_last = -1,
                            .scale = 3};
    read_back *r = read_again(&o);
    ck_assert_int_eq(r->text_count, 8);
    ck_assert_str_eq(text_of(r, "Title"), "fake, seed 18446744073709551615");
    ck_assert_str_eq(text_of(r, "Software") + strlen("portolan "), ptl_version());
    ck_assert_str_eq(text_of(r, "World"), "fake");
    ck_assert_str_eq(text_of(r, "Seed"), "18446744073709551615");
    ck_assert_str_eq(text_of(r, "Rectangle"), "-7,3,12,12");
    ck_assert_str_eq(text_of(r, "Levels"), "1..-1");
    ck_assert_uint_eq(strspn(text_of(r, "Content"), "d"), 64);
    ck_assert_str_eq(text_of(r, "Map"), "0,0,3,66");
    for (int i = 0; i < r->text_count; i++)
        ck_assert_int_eq(r->compression[i], PNG_TEXT_COMPRESSION_NONE);
    release(r);
}
END_TEST

/* Map says where the map is: there lies each cell's colour. */
START_TEST(test_picture_map_found)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = -7,
                            .y0 = 3,
                            .x1 = 12,
                            .y1 = 40,
                            .z_last = -2,
                            .scale = 5};
    o.parts = PTL_RENDER_ALL & ~(uint32_t)(PTL_RENDER_NAMES | PTL_RENDER_GRID);
    static const uint8_t area[] = {3, 2, 8, 8, 11}; /* of the fake world's oters */
    read_back *r = read_again(&o);
    int map_x = 0, map_y = 0, scale = 0, step = 0;
    ck_assert_int_eq(sscanf(text_of(r, "Map"), "%d,%d,%d,%d", &map_x, &map_y, &scale, &step),
                     4);
    ck_assert_int_eq(scale, 5);
    for (int32_t z = 0; z >= -2; z--) {
        for (int64_t y = o.y0; y <= o.y1; y++) {
            for (int64_t x = o.x0; x <= o.x1; x++) {
                const ptl_oter oter = fake_oter(x, y, z);
                const int64_t column = map_x - z * step + (x - o.x0) * scale + 2;
                const int64_t row = map_y + (y - o.y0) * scale + 4;
                const int want = oter == CAT_NONE ? PALETTE_UNSAVED : area[oter];
                if (r->rows[row * r->width + column] != want)
                    ck_abort_msg("%d,%d,%d", (int)x, (int)y, (int)z);
            }
        }
    }
    release(r);
}
END_TEST

/* A name of letters is kept, what steers terminals is not; a long one is cut. */
START_TEST(test_picture_hostile_name)
{
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .scale = 1, .parts = PTL_RENDER_ALL};
    fake_name = "M\u00fchle\x1b[2J\xc2\x9b"
                "1m\n\xff";
    read_back *r = read_again(&o);
    const char *world = text_of(r, "World");
    ck_assert_int_eq(strncmp(world, "M\u00fchle", strlen("M\u00fchle")), 0);
    for (const char *c = world; *c; c++)
        ck_assert_int_ge((unsigned char)*c, 0x20);
    ck_assert_ptr_null(strstr(world, "\xc2\x9b"));
    release(r);
    static char longest[5000];
    memset(longest, 'x', sizeof longest - 1);
    fake_name = longest;
    r = read_again(&o);
    ck_assert_uint_eq(strspn(text_of(r, "World"), "x"), 200);
    release(r);
    fake_name = "fake";
}
END_TEST

/* ---- following ---- */

typedef struct follower {
    uint64_t calls, done, total, stop_at;
} follower;

static bool follow(void *payload, uint64_t done, uint64_t total)
{
    follower *f = payload;
    ck_assert_uint_gt(done, f->done);
    ck_assert_uint_le(done, total);
    f->calls++;
    f->done = done;
    f->total = total;
    return done < f->stop_at;
}

START_TEST(test_picture_progress)
{
    follower f = {.stop_at = UINT64_MAX};
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .y0 = -300,
                            .x1 = 10,
                            .y1 = 399,
                            .scale = 2};
    o.on_progress = follow;
    o.payload = &f;
    bytes png;
    draw(&png, &o);
    ck_assert_uint_eq(f.done, 700);
    ck_assert_uint_eq(f.total, 700);
    ck_assert_uint_ge(f.calls, 4);
    bytes_dispose(&png);
    f = (follower){.stop_at = UINT64_MAX};
    o.parts = PTL_RENDER_LEGEND;
    draw(&png, &o);
    ck_assert_uint_eq(f.done, 1400);
    ck_assert_uint_eq(f.total, 1400);
    bytes_dispose(&png);
    for (uint64_t stop = 1; stop <= 1400; stop += 350) {
        ptl_error err;
        f = (follower){.stop_at = stop};
        bytes_init(&png);
        ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, collect, &png, &err),
                         PTL_ERR_CANCELLED);
        ck_assert_int_eq(err.status, PTL_ERR_CANCELLED);
        bytes_dispose(&png);
    }
}
END_TEST

/* Takes bytes until its budget is spent. */
static bool take_some(void *payload, const void *data, size_t size)
{
    size_t *left = payload;
    (void)data;
    if (size > *left)
        return false;
    *left -= size;
    return true;
}

START_TEST(test_picture_refused)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = -100,
                            .y0 = -100,
                            .x1 = 100,
                            .y1 = 100,
                            .scale = 8,
                            .symbols = true};
    bytes png;
    draw(&png, &o);
    for (size_t budget = 0; budget < png.size; budget += 1 + png.size / 20) {
        ptl_error err;
        size_t left = budget;
        ck_assert_int_eq(ptl_render_png_write(fake_world(false), &o, take_some, &left, &err),
                         PTL_ERR_IO);
        ck_assert_int_eq(err.status, PTL_ERR_IO);
    }
    bytes_dispose(&png);
}
END_TEST

START_TEST(test_picture_of_damage)
{
    ptl_render_options o = {
        .size = sizeof o, .style = PTL_STYLE_TERMINAL, .x1 = 10, .y1 = 10, .scale = 1};
    ptl_error err;
    bytes png;
    bytes_init(&png);
    ck_assert_int_eq(ptl_render_png_write(fake_world(true), &o, collect, &png, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 0,0: checksum differs");
    bytes_clear(&png);
    o.parts = PTL_RENDER_LEGEND;
    ck_assert_int_eq(ptl_render_png_write(fake_world(true), &o, collect, &png, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 0,0: checksum differs");
    o.parts = PTL_RENDER_NAMES;
    ck_assert_int_eq(ptl_render_png_write(fake_world(true), &o, collect, &png, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "a city of chunk 0,0 is out of range");
    ck_assert_uint_eq(png.size, 0);
    bytes_dispose(&png);
}
END_TEST

Suite *picture_suite(void)
{
    Suite *s = suite_create("pictures");
    TCase *t = tcase_create("png");
    tcase_add_test(t, test_picture_sizes);
    tcase_add_test(t, test_picture_repeats);
    tcase_add_test(t, test_picture_arguments);
    tcase_add_test(t, test_picture_too_large);
    tcase_add_test(t, test_picture_refused);
    tcase_add_test(t, test_picture_of_damage);
    tcase_add_test(t, test_picture_texts);
    tcase_add_test(t, test_picture_map_found);
    tcase_add_test(t, test_picture_hostile_name);
    tcase_add_test(t, test_picture_progress);
    suite_add_tcase(s, t);
    return s;
}
