/* UTF-8: what is accepted and what is refused. */
#include "core/error.h"
#include "core/utf8.h"
#include "unit/core/test_core.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The shortest form of a code point, after RFC 3629's table. */
static size_t encode(uint32_t c, char out[5])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(lead[length] | c);
    return length;
}

/* A message shows whole characters. */
START_TEST(texts_are_cut_at_characters)
{
    const char *text = "a\xc3\xa9\xf0\x9d\x92\x9c.";
    static const size_t wanted[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8, 8};
    char shown[16];
    for (size_t most = 0; most < sizeof wanted / sizeof wanted[0]; most++) {
        ck_assert_uint_eq(utf8_cut(text, most), wanted[most]);
        snprintf(shown, sizeof shown, "%.*s", UTF8_CUT(text, most));
        ck_assert_uint_eq(strlen(shown), wanted[most]);
        ck_assert(utf8_valid(shown));
    }
    ck_assert_uint_eq(utf8_cut("\x80\x80\x80\x80\x80\x80", 5), 2); /* it is no UTF-8 */
}
END_TEST

START_TEST(every_code_point_decodes)
{
    uint32_t wrong = 0; /* counted: a million assertions take their time */
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        char text[5];
        uint32_t got;
        bool surrogate = c >= 0xd800 && c <= 0xdfff;
        size_t length = encode(c, text);
        size_t used = utf8_decode(text, length, &got);
        char again[5];
        utf8_text(c, again);
        wrong += !surrogate && strncmp(again, text, length) != 0;
        wrong += strlen(again) != (c ? length : 0);
        wrong += got != (surrogate ? UTF8_BAD : c) || used != (surrogate ? 1 : length);
        if (length > 1) /* cut short it is none */
            wrong += utf8_decode(text, length - 1, &got) != 1 || got != UTF8_BAD;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(wrong_forms_are_refused)
{
    static const char *const wrong[] = {
        "\x80", "\xbf", "\xc0\x80",         "\xc1\xbf",         "\xe0\x80\x80", "\xe0\x9f\xbf",
        "\xf5", "\xff", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xc3(",        "\xe2\x82("};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t got;
        ck_assert_uint_eq(utf8_decode(wrong[i], strlen(wrong[i]), &got), 1);
        ck_assert_uint_eq(got, UTF8_BAD);
    }
}
END_TEST

/* A message that is cut at the buffer's end is not cut inside a character. */
START_TEST(long_messages_stay_valid)
{
    char many[2 * PTL_ERROR_MESSAGE_SIZE];
    for (size_t i = 0; i + 3 < sizeof many; i += 3)
        memcpy(many + i, "\xe2\x82\xac", 4);
    ptl_error err = {0};
    error_set(&err, PTL_ERR_CONTENT, "%.*s%s", _i, "xxx", many);
    uint32_t c;
    for (size_t i = 0; err.message[i];) {
        i += utf8_decode(err.message + i, strlen(err.message + i), &c);
        ck_assert(c != UTF8_BAD);
    }
}
END_TEST

void add_utf8_cases(Suite *suite)
{
    TCase *tcase = tcase_create("utf8");
    tcase_add_test(tcase, texts_are_cut_at_characters);
    tcase_add_test(tcase, every_code_point_decodes);
    tcase_add_test(tcase, wrong_forms_are_refused);
    tcase_add_loop_test(tcase, long_messages_stay_valid, 0, 3);
    suite_add_tcase(suite, tcase);
}
