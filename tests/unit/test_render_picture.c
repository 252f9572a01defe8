/*
 * PNG pictures: structure, size, and what happens when something fails. That the pixels are
 * right is checked end to end by tests/cli, with a PNG reader of its own.
 */
#include "test_render.h"

#include "core/bytes.h"
#include "portolan/render.h"

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
    ptl_status status = ptl_render_png(fake_world(false), o, collect, out, &err);
    ck_assert_msg(status == PTL_OK, "%s", status == PTL_OK ? "" : err.message);
}

START_TEST(test_picture_sizes)
{
    static const struct {
        ptl_render_options options;
        uint32_t width, height;
    } cases[] = {
        {{0, 0, 0, 0, 0, 0, 0, false}, 1, 1},
        {{0, 0, 0, 0, 0, 0, 1, false}, 1, 1},
        {{-5, -7, 4, 2, 0, 0, 3, false}, 30, 30},
        {{-180, 0, 179, 179, -10, -10, 1, false}, 360, 180},
        {{0, 0, 9, 4, -1, 1, 2, false}, (3 * 10 + 2 * 2) * 2, 10},
        {{0, 0, 9, 4, 1, -1, 2, false}, (3 * 10 + 2 * 2) * 2, 10},
        {{0, 0, 9, 4, -10, 10, 8, true}, (21 * 10 + 20 * 2) * 8, 40},
        {{175, 175, 185, 185, 0, 0, 32, true}, 352, 352},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes png;
        draw(&png, &cases[i].options);
        expect_png(&png, cases[i].width, cases[i].height);
        bytes_dispose(&png);
    }
}
END_TEST

START_TEST(test_picture_repeats)
{
    ptl_render_options o = {-100, -100, 100, 100, -1, 0, 8, true};
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
        {0, 0, -1, 0, 0, 0, 1, false},        {0, 0, 0, -1, 0, 0, 1, false},
        {0, 0, 0, 0, -11, 0, 1, false},       {0, 0, 0, 0, 0, 11, 1, false},
        {0, 0, 0, 0, 0, 0, 33, false},        {0, 0, 0, 0, 0, 0, -1, false},
        {0, 0, 0, 0, 0, 0, 7, true},          {INT64_MIN, 0, INT64_MAX, 0, 0, 0, 1, false},
        {0, 0, 0, INT64_MAX, 0, 0, 1, false},
    };
    ptl_error err;
    bytes png;
    bytes_init(&png);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert_int_eq(ptl_render_png(fake_world(false), &wrong[i], collect, &png, &err),
                         PTL_ERR_ARGUMENT);
        ck_assert_int_eq(err.status, PTL_ERR_ARGUMENT);
        ck_assert_uint_gt(strlen(err.message), 10);
    }
    ck_assert_uint_eq(png.size, 0);
}
END_TEST

START_TEST(test_picture_too_large)
{
    ptl_render_options o = {0, 0, 99, 700 * 1000 * 1000, 0, 0, 32, false};
    ptl_error err;
    bytes png;
    bytes_init(&png);
    ck_assert_int_eq(ptl_render_png(fake_world(false), &o, collect, &png, &err), PTL_ERR_LIMIT);
    ck_assert_uint_eq(png.size, 0);
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
    ptl_render_options o = {-100, -100, 100, 100, 0, 0, 8, true};
    bytes png;
    draw(&png, &o);
    for (size_t budget = 0; budget < png.size; budget += 1 + png.size / 20) {
        ptl_error err;
        size_t left = budget;
        ck_assert_int_eq(ptl_render_png(fake_world(false), &o, take_some, &left, &err),
                         PTL_ERR_IO);
        ck_assert_int_eq(err.status, PTL_ERR_IO);
    }
    bytes_dispose(&png);
}
END_TEST

START_TEST(test_picture_of_damage)
{
    ptl_render_options o = {0, 0, 10, 10, 0, 0, 1, false};
    ptl_error err;
    bytes png;
    bytes_init(&png);
    ck_assert_int_eq(ptl_render_png(fake_world(true), &o, collect, &png, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 0,0: checksum differs");
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
    suite_add_tcase(s, t);
    return s;
}
