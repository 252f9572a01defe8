/*
 * Arrays that grow, for elements whose number is not known beforehand. When an array is full,
 * its memory is doubled, so that adding n elements one by one moves at most 2 n of them.
 *     if (!ARRAY_ROOM(list->items, list->room, list->count + 1))
 *         return error_nomem(err);
 *     list->items[list->count++] = item;
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for `wanted` elements or more, each of `size` bytes (at least 1). `array` is the
 * address of the caller's pointer to the first element, which the call may change; the pointer
 * is NULL, and *room is 0, as long as nothing is allocated. New elements are not set. Returns
 * false when memory is out or the size overflows; nothing has changed then. */
bool array_grow(void *array, size_t *room, size_t wanted, size_t size);

/* Does what array_grow does, given the pointer and the size_t as variables, not their
 * addresses. Calls array_grow only if `room` is less than `wanted`. */
#define ARRAY_ROOM(array, room, wanted)                                                        \
    ((wanted) <= (room) || array_grow(&(array), &(room), wanted, sizeof *(array)))

/* Do what array_grow and ARRAY_ROOM do, and set all bytes of the new elements to 0. */
bool array_grow_zeroed(void *array, size_t *room, size_t wanted, size_t size);

#define ARRAY_ROOM_ZEROED(array, room, wanted)                                                 \
    ((wanted) <= (room) || array_grow_zeroed(&(array), &(room), wanted, sizeof *(array)))

/* For comparators of qsort: ORDER_BY(a, b, c, d, ...) compares the whole numbers a and b; if
 * they are equal, c and d, and so on. The result is -1, 0 or 1. */
#define ORDER_BY(...)                                                                          \
    order_by((const int64_t[]){__VA_ARGS__},                                                   \
             sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static inline int order_by(const int64_t *pairs, size_t count)
{
    size_t i = 0;
    while (i < count && pairs[i] == pairs[i + 1])
        i += 2;
    return i == count ? 0 : pairs[i] < pairs[i + 1] ? -1 : 1;
}
