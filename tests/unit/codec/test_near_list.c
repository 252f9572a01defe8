/* Lists of numbers that lie near each other: what is put is taken, how many bytes that takes,
 * and whatever else is there instead. */
#include "codec/number_list.h"
#include "core/hash.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { COUNT = 400, LIMIT = NUMBER_MAX + 1 };

static uint32_t numbers[COUNT], taken[COUNT];
static bytes list;

static void teardown(void)
{
    bytes_dispose(&list);
}

static void put(size_t count)
{
    bytes_clear(&list);
    near_list_put(&list, numbers, count);
    ck_assert(!list.failed);
}

static const char *take(size_t count, size_t limit, const uint8_t **at)
{
    *at = list.data;
    return near_list_take(taken, count, limit, at, list.data + list.size);
}

static void round_trip(size_t count)
{
    const uint8_t *at;
    put(count);
    const char *problem = take(count, LIMIT, &at);
    ck_assert_msg(problem == NULL, "%s", problem);
    ck_assert(at == list.data + list.size);
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(taken[i], numbers[i]);
}

/* Anywhere, near a place, or one after the other. */
START_TEST(what_is_put_is_taken)
{
    static const uint32_t spans[] = {2, 60, 5000, 70000, NUMBER_MAX};
    rng r = rng_from_key((uint64_t)_i);
    const uint32_t span = spans[(size_t)_i % 5];
    const uint32_t first = rng_below(&r, NUMBER_MAX - span + 1);
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = i > 0 && numbers[i - 1] < NUMBER_MAX && rng_below(&r, 3) == 0
                         ? numbers[i - 1] + 1
                         : first + 1 + rng_below(&r, span);
    round_trip(1 + rng_below(&r, COUNT));
}
END_TEST

START_TEST(the_ends_of_the_range)
{
    static const uint32_t ends[] = {NUMBER_MAX, 1, NUMBER_MAX, 1, 2, NUMBER_MAX - 1};
    for (size_t i = 0; i < 6; i++)
        numbers[i] = ends[i];
    for (size_t count = 1; count <= 6; count++)
        round_trip(count);
}
END_TEST

/* 40 of 120 numbers, as the plants of a forest have: a number list takes half as much more. */
START_TEST(near_ones_are_small)
{
    enum { NAMES = 40, SPAN = 120 };
    bytes plain = {0};
    rng r = rng_from_key(11);
    for (size_t i = 0; i < NAMES; i++)
        numbers[i] = 3000 + rng_below(&r, SPAN);
    round_trip(NAMES);
    number_list_put(&plain, numbers, NAMES);
    ck_assert_uint_le(3 * list.size, 2 * plain.size);
    bytes_dispose(&plain);
}
END_TEST

START_TEST(numbers_beyond_the_limit_are_refused)
{
    const uint8_t *at;
    for (size_t i = 0; i < 9; i++)
        numbers[i] = 100 + (uint32_t)i;
    put(9);
    ck_assert_ptr_null(take(9, 109, &at));
    ck_assert_ptr_nonnull(take(9, 108, &at));
    ck_assert_ptr_nonnull(take(9, 0, &at));
}
END_TEST

START_TEST(damage_is_refused_or_a_list)
{
    rng r = rng_from_key(12);
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = 1 + rng_below(&r, 3000);
    put(COUNT);
    for (size_t size = 0; size < list.size; size++) {
        uint8_t *copy = malloc(list.size);
        ck_assert(copy != NULL);
        memcpy(copy, list.data, list.size);
        const uint8_t *at = copy;
        /* The first bytes are the size. */
        ck_assert_ptr_nonnull(near_list_take(taken, COUNT, 3001, &at, copy + size));
        copy[size] ^= (uint8_t)(1 << rng_below(&r, 8));
        at = copy;
        const char *problem = near_list_take(taken, COUNT, 3001, &at, copy + list.size);
        for (size_t i = 0; !problem && i < COUNT; i++)
            ck_assert(taken[i] >= 1 && taken[i] <= 3000);
        free(copy);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("near_list");
    TCase *tc = tcase_create("near_list");
    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_add_loop_test(tc, what_is_put_is_taken, 0, 100);
    tcase_add_test(tc, the_ends_of_the_range);
    tcase_add_test(tc, near_ones_are_small);
    tcase_add_test(tc, numbers_beyond_the_limit_are_refused);
    tcase_add_test(tc, damage_is_refused_or_a_list);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
