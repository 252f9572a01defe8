/* Text that is safe to print: what is unsafe, its escapes, and printf through them. */
#include "core/error.h"
#include "core/hash.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "unit/core/test_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is unsafe ---- */

/* One of each kind that visible.h names, and what must stay as it is. */
START_TEST(kinds_of_code_points)
{
    static const uint32_t unsafe[] = {
        0,       '\a',    '\b',     '\t',     '\n',    '\r',    0x1b,    0x1f,    0x7f,
        0x80,    0x85,    0x9b,     0x9f,     0xad,    0x34f,   0x61c,   0x115f,  0x1160,
        0x17b4,  0x180b,  0x180e,   0x200b,   0x200c,  0x200d,  0x200e,  0x200f,  0x2028,
        0x2029,  0x202a,  0x202e,   0x2060,   0x2064,  0x2066,  0x2069,  0x206f,  0x3164,
        0xd800,  0xdfff,  0xfdd0,   0xfdef,   0xfe00,  0xfe0f,  0xfeff,  0xffa0,  0xfff0,
        0xfff9,  0xfffb,  0xfffe,   0xffff,   0x1bca0, 0x1d173, 0x1fffe, 0xe0000, 0xe0001,
        0xe007f, 0xe01ef, 0x10ffff, 0x110000, UTF8_BAD};
    static const uint32_t safe[] = {' ',    '~',     0xa0,    0xac,    0xae,   0xe9,   0x300,
                                    0x410,  0x5d0,   0x627,   0x200a,  0x2010, 0x2027, 0x202f,
                                    0x205f, 0x2500,  0x3042,  0x4e00,  0xfdcf, 0xfdf0, 0xfffc,
                                    0xfffd, 0x1f30a, 0x20000, 0x10fffd};
    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++)
        ck_assert_msg(visible_unsafe(unsafe[i]), "U+%04X", (unsigned)unsafe[i]);
    for (size_t i = 0; i < sizeof safe / sizeof safe[0]; i++)
        ck_assert_msg(!visible_unsafe(safe[i]), "U+%04X", (unsigned)safe[i]);
}
END_TEST

/* How many are unsafe: a range that is widened or narrowed changes it. Controls 65, default
 * ignorable 4,174 (Unicode 15.0), separators 2, annotation 3, no characters 66, surrogates. */
START_TEST(number_of_unsafe_code_points)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c <= 0x10ffff; c++)
        count += visible_unsafe(c);
    ck_assert_uint_eq(count, 65 + 4174 + 2 + 3 + 66 + 2048);
}
END_TEST

static const char *visible(bytes *out, const char *text, size_t size)
{
    bytes_clear(out);
    visible_put(out, text, size);
    return bytes_text(out);
}

/* True if nothing in the text is unsafe. */
static bool all_safe(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        if (visible_unsafe(c))
            return false;
    }
    return true;
}

/* Each code point alone: as it is, or an escape that says which it was. */
START_TEST(escapes_say_what_was_there)
{
    bytes out;
    bytes_init(&out);
    size_t wrong = 0;
    for (uint32_t c = 1; c <= 0x10ffff; c++) {
        char text[5];
        utf8_text(c, text);
        if (c >= 0xd800 && c <= 0xdfff)
            continue;
        const char *got = visible(&out, text, strlen(text));
        if (!visible_unsafe(c))
            wrong += strcmp(got, text) != 0;
        else if (c != '\n' && c != '\r' && c != '\t')
            wrong += got[0] != '\\' || !strchr("xuU", got[1]) ||
                     strtoul(got + 2, NULL, 16) != c || !all_safe(got, strlen(got));
    }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_str_eq(visible(&out, "\r\n\t\x1b\x7f", 5), "\\r\\n\\t\\x1b\\x7f");
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is what is tested */
    ck_assert_str_eq(visible(&out, "\xc2\x9b\xe2\x80\xae\xf3\xa0\x81\x81", 9),
                     "\\u009b\\u202e\\U000e0041");
    ck_assert_str_eq(visible(&out, "\xff\xc3(\xed\xa0\x80", 6), "\\xff\\xc3(\\xed\\xa0\\x80");
    ck_assert_str_eq(visible(&out, "a\0b", 3), "a\\x00b");
    ck_assert_str_eq(visible(&out, "\xc3", 1), "\\xc3");
    bytes_dispose(&out);
}
END_TEST

static void put(void *payload, const char *text, size_t size)
{
    bytes_put(payload, text, size);
}

START_TEST(newlines_and_tabs_are_kept_on_demand)
{
    bytes out;
    bytes_init(&out);
    visible_write(put, &out, "a\n\t\r\x1b", 5, VISIBLE_NEWLINE);
    visible_write(put, &out, "a\n\t\r\x1b", 5, VISIBLE_TAB | VISIBLE_NEWLINE);
    ck_assert_str_eq(bytes_text(&out), "a\n\\t\\r\\x1b"
                                       "a\n\t\\r\\x1b");
    bytes_dispose(&out);
}
END_TEST

/* ---- printf ---- */

static const char *print(bytes *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static const char *print(bytes *out, const char *format, ...)
{
    va_list list;
    bytes_clear(out);
    va_start(list, format);
    visible_vprintf(put, out, format, list);
    va_end(list);
    return bytes_text(out);
}

/* The same as the C library's where nothing is unsafe. */
#define SAME(...)                                                                              \
    do {                                                                                       \
        char expected[600];                                                                    \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                      \
        ck_assert_str_eq(print(&out, __VA_ARGS__), expected);                                  \
    } while (0)

START_TEST(prints_as_the_c_library)
{
    bytes out;
    bytes_init(&out);
    SAME("plain\n\r\033[K");
    SAME("%d %i %u %x %X %o %c %%", -1, 2, 3u, 0xabu, 0xabu, 8u, 'c');
    SAME("%ld %lu %lld %llu %zu %jd", -5L, 6UL, -7LL, 8ULL, (size_t)9, (intmax_t)-10);
    SAME("%" PRId64 " %" PRIu64 " %" PRIx64, INT64_MIN, UINT64_MAX, UINT64_C(0xabc));
    SAME("%f %.2f %g %e %.17g %5.1f|%-9.3f|%+g", 1.5, 2.345, 1e100, 3.0, 0.1, 2.0, 3.0, 4.0);
    SAME("%f", 1e300);
    SAME("[%5d][%-5d][%05d][%+d][% d]", 42, 42, 42, 42, 42);
    SAME("[%*d][%-*d][%.*f]", 7, 1, 7, 2, 3, 1.23456);
    SAME("[%s][%10s][%-10s][%.2s][%.*s][%*s][%-*s][%*s]", "abc", "abc", "abc", "abc", 1, "abc",
         5, "abc", 5, "abc", -5, "abc");
    SAME("%s%s%d%s", "", "x", 5, "");
    bytes_dispose(&out);
}
END_TEST

START_TEST(prints_texts_visibly)
{
    bytes out;
    bytes_init(&out);
    ck_assert_str_eq(print(&out, "\033[1m%s\n", "\033[2J\n"), "\033[1m\\x1b[2J\\n\n");
    ck_assert_str_eq(print(&out, "%c%d", '\a', 7), "\\x077");
    /* Widths count columns of what is shown. */
    ck_assert_str_eq(print(&out, "[%6s][%-6s]", "\x1b", "\xc3\xa9"),
                     "[  \\x1b][\xc3\xa9     ]");
    ck_assert_str_eq(print(&out, "[%4s]", "\xe4\xb8\x80"), "[  \xe4\xb8\x80]");
    /* Not NUL-terminated: no byte beyond the precision is looked at. */
    const char bare[] = {'a', '\n'};
    ck_assert_str_eq(print(&out, "%.*s", 2, bare), "a\\n");
    bytes_dispose(&out);
}
END_TEST

/* What follows is a shell's: the word that comes of it is the text. */
START_TEST(quoted_texts_stay_quoted)
{
    bytes out;
    bytes_init(&out);
    ck_assert_str_eq(print(&out, "rm '%s' %s '%s", "it's", "it's", "it's"),
                     "rm 'it'\\''s' it's 'it's");
    ck_assert_str_eq(print(&out, "'%s'", "'; reboot #"), "''\\''; reboot #'");
    ck_assert_str_eq(print(&out, "['%8s']", "'"), "['    '\\''']");
    bytes_dispose(&out);
}
END_TEST

/* ---- messages of a fixed size ---- */

START_TEST(messages_are_one_plain_line)
{
    char text[] = "a\x1b[31mred\n\xff \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a\x7f\xc2\x85 \xc3";
    visible_one_line(text);
    ck_assert_str_eq(text, "a?[31mred?"
                           "? \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\x8a?"
                           "?"
                           "? ?");
    ptl_error err = {0};
    ck_assert_int_eq(error_set(&err, PTL_ERR_CORRUPT, "id '%s'", "\x1b]0;x\a\xcf"),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "id '?]0;x?"
                                  "?'");
    error_prefix(&err, err.status, "file '%s'", "\t\xf0");
    ck_assert_str_eq(err.message, "file '?"
                                  "?': id '?]0;x?"
                                  "?'");
}
END_TEST

START_TEST(any_bytes_become_safe)
{
    /* NOLINTNEXTLINE(misc-misleading-bidirectional): that is what is tested */
    static const char unsafe[] = "\xe2\x80\xae\xc2\x9b\xef\xbb\xbf\xf3\xa0\x81'";
    rng r = rng_from_key((uint64_t)_i);
    bytes out;
    bytes_init(&out);
    for (int n = 0; n < 500; n++) {
        char text[24];
        const size_t size = rng_below(&r, sizeof text);
        for (size_t i = 0; i < size; i++) /* of those that begin what is unsafe many more */
            text[i] =
                rng_below(&r, 2) ? (char)(1 + rng_below(&r, 255)) : unsafe[rng_below(&r, 12)];
        text[size] = '\0';
        const char *shown = visible(&out, text, size);
        ck_assert(all_safe(shown, out.size));
        shown = print(&out, "'%s'", text);
        ck_assert(all_safe(shown, out.size));
        visible_one_line(text);
        ck_assert_uint_eq(strlen(text), size);
        ck_assert(all_safe(text, size));
    }
    bytes_dispose(&out);
}
END_TEST

void add_visible_cases(Suite *suite)
{
    TCase *tcase = tcase_create("visible");
    tcase_add_test(tcase, kinds_of_code_points);
    tcase_add_test(tcase, number_of_unsafe_code_points);
    tcase_add_test(tcase, escapes_say_what_was_there);
    tcase_add_test(tcase, newlines_and_tabs_are_kept_on_demand);
    tcase_add_test(tcase, prints_as_the_c_library);
    tcase_add_test(tcase, prints_texts_visibly);
    tcase_add_test(tcase, quoted_texts_stay_quoted);
    tcase_add_test(tcase, messages_are_one_plain_line);
    tcase_add_loop_test(tcase, any_bytes_become_safe, 0, 8);
    suite_add_tcase(suite, tcase);
}
