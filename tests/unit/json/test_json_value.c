/*
 * Our JSON reader against Jansson's: random texts, sound and spoilt, give equal values or are
 * refused by both; and what each mistake is called.
 */
#include "core/bytes.h"
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "json/json_value.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static const char *const SCALARS[] = {"0",
                                      "-1",
                                      "12345",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "9223372036854775808",
                                      "1.5",
                                      "-0.25e-3",
                                      "1E+5",
                                      "1e999",
                                      "123456789012345678901234567890.125",
                                      "true",
                                      "false",
                                      "null",
                                      "\"\"",
                                      "\"plain\"",
                                      "\"a key that is longer than sixteen bytes\"",
                                      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                      "\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"",
                                      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
                                      "\"\\u0000\"",
                                      "\"\\ud83d\"",
                                      "\"\\x\"",
                                      "\"\xff\"",
                                      "nul",
                                      "01",
                                      "1.",
                                      "-"};
enum { SCALAR_COUNT = sizeof SCALARS / sizeof SCALARS[0] };

static json_reader *reader;

static void setup(void)
{
    reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert_ptr_nonnull(reader);
}

static void teardown(void)
{
    json_reader_free(reader);
}

static void put_space(bytes *out, rng *r)
{
    static const char *const spaces[] = {"", "", "", " ", "\n", "\t \r\n"};
    bytes_put_text(out, spaces[rng_below(r, 6)]);
}

/* One in forty scalars may be a wrong one. */
static void put_scalar(bytes *out, rng *r)
{
    const bool any = rng_below(r, 40) == 0;
    static const int good[] = {0, 1, 2, 3, 4, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    bytes_put_text(
        out, SCALARS[any ? rng_below(r, SCALAR_COUNT) : (uint32_t)good[rng_below(r, 18)]]);
}

static void put_value(bytes *out, rng *r, int depth)
{
    static const char *const keys[] = {"\"a\"", "\"b\"", "\"\\u0061\"", "\"\"",
                                       "\"a long key of twenty and more\""};
    const uint32_t kind = rng_below(r, 4);
    put_space(out, r);
    if (depth == 0 || kind < 2) {
        put_scalar(out, r);
    } else {
        const uint32_t count = rng_below(r, 5);
        bytes_put_u8(out, kind == 2 ? '[' : '{');
        for (uint32_t i = 0; i < count; i++) {
            bytes_put_text(out, i > 0 ? "," : "");
            put_space(out, r);
            if (kind == 3) {
                bytes_put_text(out, keys[rng_below(r, 5)]);
                put_space(out, r);
                bytes_put_u8(out, ':');
            }
            put_value(out, r, depth - 1);
        }
        put_space(out, r);
        bytes_put_u8(out, kind == 2 ? ']' : '}');
    }
    put_space(out, r);
}

/* One byte is changed, added or taken away in each third text. */
static void spoil(bytes *text, rng *r)
{
    static const char some[] = "{}[],:\"\\ 0a-.eu\xc3";
    const uint32_t how = rng_below(r, 9);
    if (how > 2 || text->size < 2)
        return;
    const size_t at = rng_below(r, text->size);
    if (how == 0)
        text->data[at] = (uint8_t)some[rng_below(r, sizeof some - 1)];
    else if (how == 1)
        text->size = at;
    else
        memmove(text->data + at, text->data + at + 1, --text->size - at);
}

START_TEST(as_jansson)
{
    int differ = 0, sound = 0, refused = 0;
    bytes text;
    bytes_init(&text);
    for (int seed = 0; seed < test_seeds(20000) && differ < 5; seed++) {
        rng r = rng_from_key((uint64_t)seed);
        bytes_clear(&text);
        put_value(&text, &r, 4);
        spoil(&text, &r);
        if (!bytes_text(&text))
            break;
        json_error_t error;
        json_fault fault;
        const char *start = (const char *)text.data;
        json_t *want = json_loadb(start, text.size, JSON_DECODE_ANY, &error);
        json_t *have = json_value_read(reader, start, text.size, &fault);
        if (!want != !have || (want && !json_equal(want, have)) ||
            (!have && (!fault.reason || fault.at < start || fault.at > start + text.size))) {
            fprintf(stderr, "seed %d: %s\n", seed, start);
            differ++;
        }
        sound += have != NULL;
        refused += have == NULL;
        json_decref(want);
        json_decref(have);
    }
    bytes_dispose(&text);
    ck_assert_int_eq(differ, 0);
    ck_assert_int_gt(sound, refused / 4);
    ck_assert_int_gt(refused, sound / 20);
}
END_TEST

static void refused(const char *text, size_t at, const char *reason)
{
    json_fault fault;
    ck_assert_msg(json_value_read(reader, text, strlen(text), &fault) == NULL, "%s", text);
    ck_assert_str_eq(fault.reason, reason);
    ck_assert_uint_eq((size_t)(fault.at - text), at);
}

START_TEST(mistakes)
{
    refused("", 0, "expected a value");
    refused("[1, ]", 4, "expected a value");
    refused("[1 2]", 3, "expected ',' or ']'");
    refused("{\"a\": 1 \"b\": 2}", 8, "expected ',' or '}'");
    refused("{a: 1}", 1, "expected a key");
    refused("{\"a\" 1}", 5, "expected ':'");
    refused("[1] 2", 4, "expected the end of the text");
    refused("[99999999999999999999]", 1, "too big integer");
    refused("[-99999999999999999999]", 1, "too big negative integer");
    refused(" 1e400", 1, "real number overflow");
    refused("\"abc", 0, "a string without its closing quote");
}
END_TEST

/* A part of a longer text, as the import has it. */
START_TEST(part_of_a_text)
{
    json_fault fault;
    const char *text = "[{\"a\": [1, 2]}, 3]";
    json_t *value = json_value_read(reader, text + 1, 13, &fault);
    ck_assert_ptr_nonnull(value);
    ck_assert_uint_eq(json_array_size(json_object_get(value, "a")), 2);
    json_decref(value);
    ck_assert_ptr_null(json_value_read(reader, text + 1, 12, &fault));
    ck_assert_str_eq(fault.reason, "not complete");
}
END_TEST

START_TEST(depth)
{
    enum { MOST = JSON_DEPTH_MAX };
    static char text[2 * MOST + 3];
    json_fault fault;
    memset(text, '[', MOST);
    memset(text + MOST, ']', MOST);
    json_t *value = json_value_read(reader, text, 2 * MOST, &fault);
    ck_assert_ptr_nonnull(value);
    json_decref(value);
    memset(text, '[', MOST + 1);
    memset(text + MOST + 1, ']', MOST + 1);
    refused(text, MOST, "nested too deep");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_value");
    TCase *tc = tcase_create("values");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, as_jansson);
    tcase_add_test(tc, mistakes);
    tcase_add_test(tc, part_of_a_text);
    tcase_add_test(tc, depth);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
