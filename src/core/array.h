/*
 * Arrays that grow: of elements whose number nobody knows beforehand. Room doubles, so that
 * adding n elements one by one moves no more than 2 n of them.
 *
 *     if (!ARRAY_ROOM(list->items, list->room, list->count + 1))
 *         return error_nomem(err);
 *     list->items[list->count++] = item;
 */
#ifndef CORE_ARRAY_H
#define CORE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `wanted` elements of `size` bytes (1 and up) or more. `array` is the address
 * of the pointer to the first one (NULL, with a room of 0: none yet), which realloc may move;
 * what is new is not set. False when memory is out or has no such numbers: nothing changed. */
bool array_grow(void *array, size_t *room, size_t wanted, size_t size);

/* The same, of a pointer and a size_t that can be set; without a call where there is room. */
#define ARRAY_ROOM(array, room, wanted)                                                        \
    ((wanted) <= (room) || array_grow(&(array), &(room), wanted, sizeof *(array)))

/* Both of them once more, with what is new all zero bytes. */
bool array_grow_zeroed(void *array, size_t *room, size_t wanted, size_t size);

#define ARRAY_ROOM_ZEROED(array, room, wanted)                                                 \
    ((wanted) <= (room) || array_grow_zeroed(&(array), &(room), wanted, sizeof *(array)))

#endif
