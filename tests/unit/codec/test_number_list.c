/* Lists of numbers as bits: round trips, sizes, and what is refused. */
#include "codec/number_list.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 4000, LIMIT = NUMBER_MAX + 1 };

static uint32_t in[COUNT], out[COUNT];
static bytes blob;

static void teardown(void)
{
    bytes_dispose(&blob);
}

/* Runs of 1 to 9 numbers, as widths go up to `width`. */
static size_t make_list(rng *r, uint32_t width)
{
    size_t count = 1 + rng_below(r, COUNT);
    for (size_t i = 0; i < count;) {
        uint32_t first = 1 + rng_below(r, (1u << (1 + rng_below(r, width))) - 1);
        for (uint32_t run = 1 + rng_below(r, 9); run > 0 && i < count; run--)
            in[i++] = first < NUMBER_MAX ? first++ : NUMBER_MAX;
    }
    return count;
}

/* From memory of exactly that size, for the address sanitizer. */
static const char *take(const uint8_t *data, size_t size, size_t count, size_t limit,
                        size_t *used)
{
    uint8_t *copy = malloc(size + 1);
    ck_assert(copy != NULL);
    memcpy(copy + 1, data, size);
    const uint8_t *at = copy + 1;
    const char *problem = number_list_take(out, count, limit, &at, copy + 1 + size);
    *used = (size_t)(at - (copy + 1));
    free(copy);
    return problem;
}

START_TEST(test_round_trip)
{
    size_t wrong = 0, used;
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 20; n++) {
        const size_t count = make_list(&r, 1 + (uint32_t)_i);
        bytes_clear(&blob);
        number_list_put(&blob, in, count);
        const size_t size = blob.size;
        bytes_put_u8(&blob, 0xff); /* belongs to something else */
        wrong += take(blob.data, blob.size, count, LIMIT, &used) != NULL || used != size;
        wrong += memcmp(in, out, count * sizeof *in) != 0;
        wrong += take(blob.data, rng_below(&r, (uint32_t)size), count, LIMIT, &used) == NULL;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

static size_t size_of(size_t count)
{
    bytes_clear(&blob);
    number_list_put(&blob, in, count);
    return blob.size;
}

START_TEST(test_sizes)
{
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i + 1;
    ck_assert_uint_eq(size_of(0), 1);
    ck_assert_uint_eq(size_of(COUNT), 1 + COUNT / 8);
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = 65535 - 2 * i;
    ck_assert_uint_eq(size_of(COUNT), 1 + COUNT * 18 / 8);
    for (uint32_t i = 0; i < COUNT; i++) /* one in four is wide */
        in[i] = i % 4 == 0 ? 0xf000 - i : 0x1ff - 2 * (i % 100);
    ck_assert_uint_eq(size_of(COUNT), 1 + COUNT / 4 * (18 + 3 * 11) / 8);
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = NUMBER_MAX - 2 * i;
    ck_assert_uint_eq(size_of(COUNT), 1 + COUNT * 26 / 8);
}
END_TEST

/* A number must be below the limit, wherever it stands. */
START_TEST(test_limit)
{
    size_t used;
    for (uint32_t i = 0; i < 100; i++)
        in[i] = i % 3 == 1 ? 900 + i : 50 + 2 * i;
    number_list_put(&blob, in, 100);
    ck_assert(take(blob.data, blob.size, 100, 998, &used) == NULL);
    const char *problem = take(blob.data, blob.size, 100, 997, &used);
    ck_assert_str_eq(problem, "a number that the file does not have");
}
END_TEST

static const struct {
    uint8_t data[4];
    size_t size, count;
    const char *problem;
} cases[] = {{{0}, 0, 1, "a list of numbers is cut off"},
             {{2}, 1, 1, "a list of numbers is cut off"},
             {{2, 0x14}, 2, 1, NULL}, /* 5 */
             {{2, 0x16}, 2, 1, NULL}, /* the same, as a wide one */
             {{2, 0x34}, 2, 1, "bits after a list of numbers"},
             {{2, 0x34}, 2, 2, NULL}, /* 5, 6 */
             {{2, 0x74}, 2, 3, NULL}, /* 5, 6, 7 */
             {{2, 0xf4}, 2, 5, "a list of numbers is cut off"},
             {{0, 1}, 2, 1, NULL}, /* 1, as what follows 0 */
             {{2, 0}, 2, 1, "a number that the file does not have"},
             {{24, 0x14}, 2, 1, "a list of numbers has bad widths"},
             {{0x22, 4}, 2, 1, NULL}, /* 1, of two bits */
             {{0x62, 4}, 2, 1, "a list of numbers has bad widths"},
             {{23, 0xfe, 0xff, 0xff}, 4, 1, "a list of numbers is cut off"}};

START_TEST(test_hand_made)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t used;
        const char *problem = take(cases[i].data, cases[i].size, cases[i].count, LIMIT, &used);
        ck_assert_msg((problem == NULL) == (cases[i].problem == NULL), "case %zu: %s", i,
                      problem ? problem : "accepted");
        if (problem)
            ck_assert_str_eq(problem, cases[i].problem);
    }
    /* The largest number may not be followed by its successor. */
    size_t used;
    in[0] = NUMBER_MAX;
    number_list_put(&blob, in, 1);
    ck_assert(take(blob.data, blob.size, 1, LIMIT, &used) == NULL);
    blob.data[blob.size - 1] |= 1 << 2;
    ck_assert(take(blob.data, blob.size, 2, SIZE_MAX, &used) != NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("number_list");
    TCase *tc = tcase_create("number_list");
    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, 24);
    tcase_add_test(tc, test_sizes);
    tcase_add_test(tc, test_limit);
    tcase_add_test(tc, test_hand_made);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
