/*
 * A table that gives the thing that belongs to an id, which is a number of an id_pool. All
 * things are of one type. Few ids have a thing. So the things are kept in an array, one after
 * the other; a second array, indexed by id, has the place of each id's thing, counted from 1,
 * or 0.
 */
#pragma once

#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Finds things by the numbers of their ids. The struct must be zeroed before it is used. */
typedef struct by_id {
    uint32_t *numbers; /* owned; indexed by id: the number of the id's element in `things`; 0:
                          it has none */
    size_t reach; /* number of elements of `numbers`; greater ids have no element in `things` */
    char *things; /* owned; the elements; element 0 is all zeroes and belongs to no id */
    uint32_t count;
    size_t room;
} by_id;

static inline void by_id_dispose(by_id *b)
{
    free(b->numbers);
    free(b->things);
    *b = (by_id){NULL, 0, NULL, 0, 0};
}

/* Returns the element of `things` that belongs to an id; NULL: the id has none. `size` is the
 * size of an element in bytes. The pointer lasts until the next element is made. */
static inline void *by_id_find(const by_id *b, uint32_t id, size_t size)
{
    const uint32_t number = id < b->reach ? b->numbers[id] : 0;
    return number ? b->things + number * size : NULL;
}

/* Returns the element of `things` that belongs to an id. If the id has none, one of `size` zero
 * bytes is made. NULL when memory is out. The pointer lasts until the next element is made. */
static inline void *by_id_make(by_id *b, uint32_t id, size_t size)
{
    enum { FIRST = 1 << 15 };
    if (!ARRAY_ROOM_ZEROED(b->numbers, b->reach, id < FIRST ? FIRST : (size_t)id + 1))
        return NULL;
    if (b->numbers[id])
        return b->things + b->numbers[id] * size;
    const size_t wanted = (size_t)b->count + 2;
    if (wanted > b->room && !array_grow(&b->things, &b->room, wanted, size))
        return NULL;
    b->numbers[id] = ++b->count;
    return memset(b->things + b->count * size, 0, size);
}
