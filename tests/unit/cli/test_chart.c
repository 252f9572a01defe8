/*
 * What texts become on their way to gnuplot: string constants that hold nothing but what is
 * plain and octal escapes, and names of files that stay inside their directory.
 */
#include "clients/cli/pictures/chart.h"
#include "core/hash.h"
#include "core/visible.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS = 20000, LONGEST = 90 };

static const char *const texts[] = {"two\nlines",       "`touch x`",    "\"; system('x'); \"",
                                    "@macro",           "\\",           "%s %d",
                                    "\x01\x7f\xff\xfe", "a\xc2\x9b, m", "комета"};

/* Random bytes, with those that gnuplot and shells look for more often than others. */
static void random_text(rng *r, char out[LONGEST])
{
    static const char odd[] = "\"'\\`@$%\n\r{}^_&<>|;\xd0\xba";
    const size_t size = rng_below(r, LONGEST - 1);
    for (size_t i = 0; i < size; i++)
        out[i] =
            rng_below(r, 3) ? odd[rng_below(r, sizeof odd - 1)] : (char)(1 + rng_below(r, 255));
    out[size] = '\0';
}

/* Reads a string constant back; false if anything in it is neither plain nor an octal escape.
 */
static bool read_constant(const bytes *script, bool tick, bytes *out)
{
    const uint8_t *at = script->data, *end = at + script->size;
    if (script->size < 2 || *at++ != '"' || *--end != '"')
        return false;
    while (at < end) {
        const uint8_t c = *at++;
        if (c == '\\') {
            unsigned value = 0;
            for (int i = 0; i < 3; i++, at++) {
                if (at == end || *at < '0' || *at > '7')
                    return false;
                value = 8 * value + *at - '0';
            }
            bytes_put_u8(out, (uint8_t)value);
            continue;
        }
        if (c < 0x20 || c > 0x7e || strchr("\"'`@$\\{}^&<>|", c))
            return false;
        if (tick && c == '%' && (at == end || *at++ != '%'))
            return false;
        bytes_put_u8(out, c);
    }
    return true;
}

static bool survives(const char *text, bool tick)
{
    chart c = {0};
    bytes found, expected;
    bytes_init(&c.script);
    bytes_init(&found);
    bytes_init(&expected);
    if (tick)
        chart_quote_tick(&c, text, 0);
    else
        chart_quote(&c, text, 0);
    visible_put(&expected, text, strlen(text)); /* see test_core_visible.c */
    const bool good = read_constant(&c.script, tick, &found) && found.size == expected.size &&
                      (found.size == 0 || memcmp(found.data, expected.data, found.size) == 0);
    bytes_dispose(&c.script);
    bytes_dispose(&found);
    bytes_dispose(&expected);
    return good;
}

START_TEST(texts_survive)
{
    rng r = rng_from_key(5);
    size_t bad = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ck_assert_msg(survives(texts[i], false) && survives(texts[i], true), "%zu", i);
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST];
        random_text(&r, text);
        bad += !survives(text, i % 2);
    }
    ck_assert_uint_eq(bad, 0);
}
END_TEST

START_TEST(long_texts_are_cut)
{
    chart c = {0};
    bytes found;
    bytes_init(&c.script);
    bytes_init(&found);
    chart_quote(&c, "0123456789", 5);
    ck_assert(read_constant(&c.script, false, &found));
    ck_assert_str_eq(bytes_text(&found), "0123\xe2\x80\xa6");
    bytes_clear(&c.script);
    bytes_clear(&found);
    chart_quote(&c, "01234", 5);
    ck_assert(read_constant(&c.script, false, &found));
    ck_assert_str_eq(bytes_text(&found), "01234");
    bytes_dispose(&c.script);
    bytes_dispose(&found);
}
END_TEST

START_TEST(file_parts_are_tame)
{
    rng r = rng_from_key(6);
    size_t bad = 0;
    bytes name, other;
    bytes_init(&name);
    bytes_init(&other);
    for (int i = 0; i < TEXTS; i++) {
        char text[LONGEST];
        random_text(&r, text);
        bytes_clear(&name);
        chart_file_part(&name, text);
        bad += name.size == 0 || name.size > 80 || name.data[0] == '.';
        for (size_t k = 0; k < name.size; k++)
            bad += !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.",
                           name.data[k]);
    }
    ck_assert_uint_eq(bad, 0);
    bytes_clear(&name);
    chart_file_part(&name, "a b");
    chart_file_part(&other, "a/b");
    ck_assert_str_ne(bytes_text(&name), bytes_text(&other));
    bytes_clear(&name);
    chart_file_part(&name, "plain_id-1.x");
    ck_assert_str_eq(bytes_text(&name), "plain_id-1.x");
    bytes_dispose(&name);
    bytes_dispose(&other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chart");
    TCase *tc = tcase_create("texts");
    tcase_add_test(tc, texts_survive);
    tcase_add_test(tc, long_texts_are_cut);
    tcase_add_test(tc, file_parts_are_tame);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
