/* Byte buffer and reader: what is put is read back, and no truncated input is read past. */
#include "unit/core/test_core.h"

#include "core/bytes.h"
#include "core/emit.h"
#include "core/hash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 200, KINDS = 6 };

typedef struct item {
    int kind;
    uint64_t value;
} item;

/* A value with a random number of significant bits, so that every varint length occurs. */
static uint64_t random_value(rng *r)
{
    uint64_t v = rng_next(r);
    return v >> rng_below(r, 64);
}

static void put_item(bytes *b, const item *it)
{
    static const char text[] = "0123456789";
    switch (it->kind) {
    case 0:
        bytes_put_u8(b, (uint8_t)it->value);
        break;
    case 1:
        bytes_put_u64(b, it->value);
        break;
    case 2:
        bytes_put_varint(b, it->value);
        break;
    default:
        bytes_put(b, text, it->value % sizeof text);
    }
}

/* Reads an item; true if it is the one that was put. */
static bool take_item(byte_reader *r, const item *it)
{
    switch (it->kind) {
    case 0:
        return byte_reader_u8(r) == (uint8_t)it->value && !r->failed;
    case 1:
        return byte_reader_u64(r) == it->value && !r->failed;
    case 2:
        return byte_reader_varint(r) == it->value && !r->failed;
    default: {
        size_t size = it->value % 11;
        const uint8_t *at = byte_reader_take(r, size);
        return at && memcmp(at, "0123456789", size) == 0;
    }
    }
}

static void fill(bytes *b, item items[ITEMS], uint64_t key)
{
    rng r = rng_from_key(key);
    for (int i = 0; i < ITEMS; i++) {
        items[i] = (item){(int)rng_below(&r, KINDS), random_value(&r)};
        put_item(b, &items[i]);
    }
}

START_TEST(what_is_put_is_read_back)
{
    item items[ITEMS];
    bytes b;
    bytes_init(&b);
    fill(&b, items, (uint64_t)_i);
    ck_assert(!b.failed);
    byte_reader r = byte_reader_over(b.data, b.size);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_msg(take_item(&r, &items[i]), "item %d of kind %d", i, items[i].kind);
    ck_assert_uint_eq(byte_reader_left(&r), 0);
    bytes_dispose(&b);
}
END_TEST

/* Every prefix, in memory of exactly its size so that the address sanitizer sees any overrun:
 * the items that are whole come back, the first that is cut fails, and so do all later ones. */
START_TEST(truncation_fails_at_the_cut)
{
    item items[ITEMS];
    bytes b;
    bytes_init(&b);
    fill(&b, items, (uint64_t)_i);
    for (size_t size = 0; size < b.size; size++) {
        uint8_t *copy = malloc(size ? size : 1);
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, b.data, size);
        byte_reader r = byte_reader_over(copy, size);
        int at = 0;
        while (at < ITEMS && take_item(&r, &items[at]))
            at++;
        ck_assert_int_lt(at, ITEMS);
        ck_assert(r.failed);
        ck_assert_uint_eq(byte_reader_u64(&r), 0);
        ck_assert_uint_eq(byte_reader_varint(&r), 0);
        ck_assert_ptr_null(byte_reader_take(&r, 0));
        free(copy);
    }
    bytes_dispose(&b);
}
END_TEST

START_TEST(layout_is_little_endian)
{
    static const uint8_t expected[] = {0x01, 0x07, 0x06, 0x05, 0x04, 0x0f, 0x0e, 0x0d, 0x0c,
                                       0x0b, 0x0a, 0x09, 0x08, 0xac, 0x02, 'h',  'i'};
    bytes b;
    bytes_init(&b);
    bytes_put_u8(&b, 1);
    bytes_put_u32(&b, 0x04050607);
    bytes_put_u64(&b, UINT64_C(0x08090a0b0c0d0e0f));
    bytes_put_varint(&b, 300);
    bytes_put_text(&b, "hi");
    ck_assert_uint_eq(b.size, sizeof expected);
    ck_assert_mem_eq(b.data, expected, sizeof expected);
    bytes_dispose(&b);
}
END_TEST

START_TEST(varints_have_the_shortest_form)
{
    for (unsigned bits = 0; bits <= 64; bits++) {
        uint64_t v = bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
        bytes b;
        bytes_init(&b);
        bytes_put_varint(&b, v);
        ck_assert_uint_eq(b.size, bits == 0 ? 1 : (bits + 6) / 7);
        byte_reader r = byte_reader_over(b.data, b.size);
        ck_assert_uint_eq(byte_reader_varint(&r), v);
        bytes_dispose(&b);
    }
}
END_TEST

START_TEST(varints_beyond_64_bits_fail)
{
    static const uint8_t eleven[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                     0x80, 0x80, 0x80, 0x80, 0x00};
    static const uint8_t bit_64[] = {0xff, 0xff, 0xff, 0xff, 0xff,
                                     0xff, 0xff, 0xff, 0xff, 0x02};
    byte_reader r = byte_reader_over(eleven, sizeof eleven);
    ck_assert_uint_eq(byte_reader_varint(&r), 0);
    ck_assert(r.failed);
    r = byte_reader_over(bit_64, sizeof bit_64);
    ck_assert_uint_eq(byte_reader_varint(&r), 0);
    ck_assert(r.failed);
    r = byte_reader_over(NULL, 0);
    ck_assert_uint_eq(byte_reader_varint(&r), 0);
    ck_assert(r.failed);
}
END_TEST

START_TEST(printing_appends_text)
{
    bytes b;
    bytes_init(&b);
    for (int i = 0; i < 500; i++)
        bytes_printf(&b, "%d,", i % 10);
    ck_assert_uint_eq(b.size, 1000);
    const char *text = bytes_text(&b);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(strlen(text), 1000);
    ck_assert_uint_eq(b.size, 1000); /* the terminator isn't counted */
    bytes_put_text(&b, "end");
    ck_assert_str_eq(bytes_text(&b) + 998, "9,end");
    bytes_clear(&b);
    ck_assert_str_eq(bytes_text(&b), "");
    bytes_dispose(&b);
}
END_TEST

START_TEST(a_failed_allocation_is_remembered)
{
    bytes b;
    bytes_init(&b);
    bytes_put_u32(&b, 7);
    ck_assert(!bytes_reserve(&b, SIZE_MAX - 8));
    ck_assert(b.failed);
    bytes_put_u32(&b, 8); /* ignored */
    ck_assert_uint_eq(b.size, 4);
    ck_assert_ptr_null(bytes_text(&b));
    bytes_clear(&b);
    bytes_put_u32(&b, 9);
    ck_assert(!b.failed);
    ck_assert_uint_eq(b.size, 4);
    bytes_dispose(&b);
}
END_TEST

/* The vectors of RFC 4648, and what was there before stays. */
START_TEST(base64)
{
    static const char *const all[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};
    static const uint8_t high[] = {0xfb, 0xff, 0xbf, 0xff};
    bytes b;
    bytes_init(&b);
    bytes_put_u8(&b, '>');
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const size_t before = b.size;
        bytes_put_base64(&b, all[i][0], strlen(all[i][0]));
        ck_assert_str_eq(bytes_text(&b) + before, all[i][1]);
    }
    bytes_clear(&b);
    bytes_put_base64(&b, high, sizeof high);
    ck_assert_str_eq(bytes_text(&b), "+/+//w==");
    bytes_dispose(&b);
}
END_TEST

/* Any data comes back, and texts that are no base64 append nothing. */
START_TEST(base64_is_read_back)
{
    static const char *const wrong[] = {"AAA", "AA=A", "A===", "====", "AA A", "AAA-", "AA\n="};
    bytes data, text, back;
    bytes_init(&data);
    bytes_init(&text);
    bytes_init(&back);
    rng random = rng_from_key((uint64_t)_i);
    bytes_put_text(&back, "x");
    for (int k = 0; k < _i; k++)
        bytes_put_u8(&data, (uint8_t)rng_next(&random));
    bytes_put_base64(&text, data.data, data.size);
    ck_assert(bytes_put_decoded(&back, bytes_text(&text), text.size, '/'));
    ck_assert_uint_eq(back.size, data.size + 1);
    ck_assert(data.size == 0 || memcmp(back.data + 1, data.data, data.size) == 0);
    back.size = 1;
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        ck_assert_msg(!bytes_put_decoded(&back, wrong[k], strlen(wrong[k]), '/'), "%s",
                      wrong[k]);
        ck_assert_uint_eq(back.size, 1);
    }
    ck_assert(bytes_put_decoded(&back, "AAA-", 4, '-'));
    ck_assert(!bytes_put_decoded(&back, "AAA/", 4, '-'));
    bytes_dispose(&data);
    bytes_dispose(&text);
    bytes_dispose(&back);
}
END_TEST

/* What a pattern puts is what the single calls put. */
START_TEST(patterns_of_json)
{
    bytes b, inside;
    bytes_init(&b);
    bytes_init(&inside);
    const char *volatile nothing = NULL; /* else compilers warn of it */
    emitter j = {&b, false}, k = {&inside, false};
    emit_put(&j, "{id:%s, none:%s, at:[%d, %jd, %u, %ju, %zu]", "a\"b", nothing, -7,
             (intmax_t)INT64_MIN, 7U, (uintmax_t)UINT64_MAX, (size_t)0);
    emit_put(&j, "yes:%i, no:%i, half:%g, nan:%g, rows:[", true, false, 0.5, NAN);
    emit_values(&j, &inside); /* nothing: no comma */
    emit_put(&k, "[%d], %s", 1, "x");
    emit_values(&j, &inside);
    emit_put(&j, "%d], end_2:{}}", 3);
    ck_assert_str_eq(bytes_text(&b),
                     "{\"id\":\"a\\\"b\",\"none\":null,\"at\":[-7,\"-9223372036854775808\",7,"
                     "\"18446744073709551615\",0],\"yes\":true,\"no\":false,\"half\":0.5,"
                     "\"nan\":null,\"rows\":[[1],\"x\",3],\"end_2\":{}}");
    inside.failed = true;
    emit_values(&j, &inside);
    ck_assert(b.failed);
    bytes_dispose(&b);
    bytes_dispose(&inside);
}
END_TEST

/* Checks one number of JSON against printf; beyond 2^53 - 1 it stands in quotes. */
static void check_whole(bool minus, uint64_t size)
{
    char text[40];
    const char *quote = size > (UINT64_C(1) << 53) - 1 ? "\"" : "";
    snprintf(text, sizeof text, "%s%s%" PRIu64 "%s", quote, minus ? "-" : "", size, quote);
    bytes b;
    bytes_init(&b);
    emitter j = {&b, false};
    if (minus)
        emit_int(&j, size == 0 ? 0 : -(int64_t)(size - 1) - 1);
    else
        emit_uint(&j, size);
    ck_assert_str_eq(bytes_text(&b), text);
    bytes_dispose(&b);
}

/* Numbers around all powers of 2 and 10. */
START_TEST(whole_numbers_of_json)
{
    for (int i = 0; i < 64; i++)
        for (uint64_t k = 0; k < 3; k++) {
            const uint64_t size = (UINT64_C(1) << i) + k - 1;
            check_whole(false, size);
            if (size > 0 && size <= UINT64_C(1) << 63)
                check_whole(true, size);
        }
    uint64_t power = 1;
    for (int i = 0; i < 19; i++, power *= 10) {
        check_whole(false, power - 1);
        check_whole(false, power);
        check_whole(true, power);
    }
    check_whole(false, UINT64_MAX);
}
END_TEST

void add_bytes_cases(Suite *suite)
{
    TCase *tc = tcase_create("bytes");
    tcase_add_loop_test(tc, what_is_put_is_read_back, 0, 100);
    tcase_add_loop_test(tc, truncation_fails_at_the_cut, 0, 10);
    tcase_add_test(tc, layout_is_little_endian);
    tcase_add_test(tc, varints_have_the_shortest_form);
    tcase_add_test(tc, varints_beyond_64_bits_fail);
    tcase_add_test(tc, printing_appends_text);
    tcase_add_test(tc, base64);
    tcase_add_loop_test(tc, base64_is_read_back, 0, 40);
    tcase_add_test(tc, patterns_of_json);
    tcase_add_test(tc, whole_numbers_of_json);
    tcase_add_test(tc, a_failed_allocation_is_remembered);
    suite_add_tcase(suite, tc);
}
