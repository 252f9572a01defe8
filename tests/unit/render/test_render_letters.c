/* Text in pictures: what names become, how wide they are, and that every dot is painted where
 * it belongs. */
#include "unit/render/test_render.h"

#include "render/paint.h"
#include "render/sheet.h"

#include <stdio.h>
#include <string.h>

enum { WIDE = 2000, INK = 7, EDGE = 9, EMPTY = 0 };

static void expect_fold(const char *utf8, const char *want)
{
    char got[64];
    lettering_fold(got, sizeof got, utf8);
    ck_assert_str_eq(got, want);
}

START_TEST(test_fold)
{
    expect_fold("", "");
    expect_fold("Aldermere", "Aldermere");
    expect_fold("Sa\u00e3o Jos\u00e9, \u00d8stfold, \u0141\u00f3d\u017a",
                "Saao Jose, Ostfold, Lodz");
    expect_fold("stra\u00dfe \u00c6r\u00f8 \u0153uvre", "strasse AEro oeuvre");
    expect_fold("\u2018a\u2019 \u201cb\u201d \u2013 \u2026 \u00bfc?", "'a' \"b\" - ... ?c?");
    expect_fold("e\u0301", "e");
    expect_fold("~", "~");
}
END_TEST

/* A terminal's or an editor's controls, characters that the font lacks, bytes that are no text:
 * each is seen as a box, none as what it would do. */
START_TEST(test_fold_hostile)
{
    expect_fold("a\x1b[31mb\n", "a\x7f[31mb\x7f");
    char turned[32]; /* U+009B, and U+202E, which no source should hold */
    snprintf(turned, sizeof turned, "\xc2\x9b%s%c%c%cevil", "1m", 0xe2, 0x80, 0xae);
    expect_fold(turned, "\x7f"
                        "1m\x7f"
                        "evil");
    expect_fold("\u6771\u4eac \u041c\u0438\u0440", "\x7f\x7f \x7f\x7f\x7f");
    expect_fold("\xff\xc3", "\x7f\x7f");
    expect_fold("\x01\x7f", "\x7f\x7f");
}
END_TEST

START_TEST(test_fold_room)
{
    char got[12];
    memset(got, 'x', sizeof got);
    lettering_fold(got, 8, "0123456789");
    ck_assert_str_eq(got, "01234..");
    ck_assert_int_eq(got[8], 'x');
    lettering_fold(got, 8, "0123456");
    ck_assert_str_eq(got, "0123456");
    lettering_fold(got, 2, "ab");
    ck_assert_str_eq(got, ".");
    lettering_fold(got, 1, "ab");
    ck_assert_str_eq(got, "");
}
END_TEST

START_TEST(test_width)
{
    ck_assert_int_eq(lettering_width("", 3), 0);
    ck_assert_int_eq(lettering_width("i", 1), 3);
    ck_assert_int_eq(lettering_width("M", 1), 5);
    ck_assert_int_eq(lettering_width("MM", 2), 22);
    ck_assert_int_eq(lettering_width(" ", 1), 3);
    /* Numbers of equal length are equally wide: they stand in columns. */
    for (char c = '0'; c <= '9'; c++)
        ck_assert_int_eq(lettering_width((const char[]){c, '\0'}, 1), 5);
}
END_TEST

START_TEST(test_fit)
{
    for (int32_t width = 0; width < 80; width++) {
        char text[20] = "Willowmere";
        lettering_fit(text, 1, width);
        ck_assert_int_le(lettering_width(text, 1), width);
        if (width >= lettering_width("Willowmere", 1))
            ck_assert_str_eq(text, "Willowmere");
        else if (text[0])
            ck_assert_str_eq(text + strlen(text) - 2, "..");
        else
            ck_assert_int_lt(width, lettering_width("..", 1));
    }
}
END_TEST

/* Running letters keep their shapes; those below the line have a row more than there was. */
START_TEST(test_letters)
{
    for (int c = 0x20; c < 0x7f; c++) {
        uint8_t rows[FONT_TEXT_HEIGHT];
        font_letter((char)c, rows);
        const bool low = strchr(",;gjpqy", c) != NULL;
        ck_assert_msg(low || memcmp(rows, font_glyph((uint32_t)c), FONT_HEIGHT) == 0, "%c", c);
        ck_assert_msg(low == (rows[FONT_HEIGHT] != 0), "%c", c);
        ck_assert_msg(c == ';' || c == ',' || low == (rows[FONT_HEIGHT + 1] != 0), "%c", c);
    }
    uint8_t box[FONT_TEXT_HEIGHT], other[FONT_TEXT_HEIGHT];
    font_letter(FONT_BOX, box);
    font_letter((char)0xe4, other);
    ck_assert_mem_eq(box, other, sizeof box);
    font_letter(FONT_DOT, other);
    ck_assert_mem_ne(box, other, sizeof box);
}
END_TEST

/* A text painted whole: rows of WIDE pixels from row -16 on. */
static uint8_t canvas[60][WIDE];

static void paint_sheet(const char *text, int32_t zoom, bool edged)
{
    memset(canvas, EMPTY, sizeof canvas);
    for (int32_t row = -16; row < 44; row++) {
        const letter_line line = {.pixels = canvas[row + 16], .from = 0, .to = WIDE};
        if (edged)
            lettering_paint_edged(&line, 20, row, text, zoom, (const uint8_t[]){INK, EDGE});
        else
            lettering_paint(&line, 20, row, text, zoom, INK);
    }
}

static size_t count(uint8_t ink, int32_t from, int32_t to)
{
    size_t pixels = 0;
    for (size_t y = 0; y < 60; y++)
        for (int32_t x = from; x < to; x++)
            pixels += canvas[y][x] == ink;
    return pixels;
}

/* As many pixels as the letters have dots, inside of the width, in the first column and the
 * last. */
START_TEST(test_paint)
{
    static const char text[] = "Quay; by jigs_(1)~";
    const int32_t zoom = _i, width = lettering_width(text, zoom);
    size_t dots = 0;
    for (const char *c = text; *c; c++) {
        uint8_t rows[FONT_TEXT_HEIGHT];
        font_letter(*c, rows);
        for (int i = 0; i < FONT_TEXT_HEIGHT; i++)
            dots += (size_t)__builtin_popcount(rows[i]);
    }
    paint_sheet(text, zoom, false);
    ck_assert_uint_eq(count(INK, 0, WIDE), dots * (size_t)(zoom * zoom));
    ck_assert_uint_eq(count(INK, 20, 20 + width), dots * (size_t)(zoom * zoom));
    ck_assert_uint_gt(count(INK, 20, 21), 0);
    ck_assert_uint_gt(count(INK, 20 + width - 1, 20 + width), 0);
}
END_TEST

/* Every pixel of a letter is kept, and each within `zoom` of one is edge. */
START_TEST(test_paint_edged)
{
    static const char text[] = "Egg!";
    static uint8_t plain[60][WIDE];
    const int32_t zoom = _i;
    paint_sheet(text, zoom, false);
    memcpy(plain, canvas, sizeof canvas);
    paint_sheet(text, zoom, true);
    for (int32_t y = 0; y < 60; y++) {
        for (int32_t x = 0; x < 200; x++) {
            bool near = false;
            for (int32_t v = -zoom; v <= zoom; v++)
                for (int32_t u = -zoom; u <= zoom; u++)
                    near |=
                        y + v >= 0 && y + v < 60 && x + u >= 0 && plain[y + v][x + u] == INK;
            const uint8_t want = plain[y][x] == INK ? INK : near ? EDGE : EMPTY;
            if (canvas[y][x] != want)
                ck_abort_msg("%d,%d: %d, wanted %d", x, y, canvas[y][x], want);
        }
    }
}
END_TEST

/* What does not lie on the line is not painted. */
START_TEST(test_paint_clipped)
{
    for (int64_t x = -80; x < 90; x++) {
        uint8_t pixels[52];
        memset(pixels, EMPTY, sizeof pixels);
        const letter_line line = {.pixels = pixels + 1, .from = 100, .to = 150};
        lettering_paint(&line, 100 + x, 3, "MMMMMMMM", 1, INK);
        lettering_paint_edged(&line, 100 + x, 4, "MMMMMMMM", 1, (const uint8_t[]){INK, EDGE});
        ck_assert_int_eq(pixels[0], EMPTY);
        ck_assert_int_eq(pixels[51], EMPTY);
    }
}
END_TEST

Suite *letter_suite(void)
{
    Suite *s = suite_create("letters");
    TCase *t = tcase_create("letters");
    tcase_add_test(t, test_fold);
    tcase_add_test(t, test_fold_hostile);
    tcase_add_test(t, test_fold_room);
    tcase_add_test(t, test_width);
    tcase_add_test(t, test_fit);
    tcase_add_test(t, test_letters);
    tcase_add_loop_test(t, test_paint, 1, 5);
    tcase_add_loop_test(t, test_paint_edged, 1, 4);
    tcase_add_test(t, test_paint_clipped);
    suite_add_tcase(s, t);
    return s;
}
