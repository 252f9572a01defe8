/* Arrays that grow: what was put stays, in room that doubles, and where there is none nothing
 * changes. */
#include "unit/core/test_core.h"

#include "core/array.h"
#include "core/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct element {
    uint64_t number;
    char text[9];
} element;

/* Some at a time, as a list of unknown length is read; the room is never more than twice what
 * was wanted once it is more than a few, and the array moves seldom. */
START_TEST(what_is_put_stays)
{
    enum { COUNT = 5000 };
    element *list = NULL;
    size_t count = 0, room = 0, moves = 0;
    rng r = rng_from_key((uint64_t)_i);
    while (count < COUNT) {
        const size_t more = 1 + (_i ? rng_below(&r, 40) : 0), before = room;
        ck_assert(ARRAY_ROOM(list, room, count + more));
        ck_assert_uint_ge(room, count + more);
        ck_assert(room == before || room <= 2 * (count + more) || before == 0);
        moves += room != before;
        for (size_t i = 0; i < more; i++, count++)
            list[count] = (element){.number = count * 3};
    }
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(list[i].number, i * 3);
    ck_assert_uint_le(moves, 10);
    free(list);
}
END_TEST

START_TEST(what_is_new_is_zeroed)
{
    uint32_t *list = NULL;
    size_t room = 0;
    rng r = rng_from_key((uint64_t)_i);
    for (size_t wanted = 1; wanted < 3000; wanted += 1 + rng_below(&r, 300)) {
        const size_t before = room;
        ck_assert(ARRAY_ROOM_ZEROED(list, room, wanted));
        ck_assert_uint_ge(room, wanted);
        for (size_t i = before; i < room; i++) {
            ck_assert_uint_eq(list[i], 0);
            list[i] = UINT32_MAX;
        }
        for (size_t i = 0; i < before; i++)
            ck_assert_uint_eq(list[i], UINT32_MAX);
    }
    free(list);
}
END_TEST

/* Numbers whose bytes no size_t holds, or no memory. */
START_TEST(too_many_are_refused)
{
    element *list = NULL, *old;
    size_t room = 0;
    ck_assert(ARRAY_ROOM(list, room, 3));
    memset(list, 7, 3 * sizeof *list);
    const size_t before = room;
    old = list;
    ck_assert(!array_grow(&list, &room, SIZE_MAX, sizeof *list));
    ck_assert(!array_grow(&list, &room, SIZE_MAX / sizeof *list, sizeof *list));
    ck_assert(!array_grow_zeroed(&list, &room, SIZE_MAX / 2, sizeof *list));
    ck_assert(list == old && room == before);
    ck_assert_int_eq(list[2].text[0], 7);
    ck_assert(array_grow(&list, &room, 0, sizeof *list));
    ck_assert(list == old && room == before);
    free(list);
}
END_TEST

void add_array_cases(Suite *suite)
{
    TCase *tc = tcase_create("arrays");
    tcase_add_loop_test(tc, what_is_put_stays, 0, 4);
    tcase_add_loop_test(tc, what_is_new_is_zeroed, 0, 4);
    tcase_add_test(tc, too_many_are_refused);
    suite_add_tcase(suite, tc);
}
