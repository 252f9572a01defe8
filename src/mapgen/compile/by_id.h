/*
 * Which of some things belongs to an id of a pool. Few ids have one: the things lie together,
 * by numbers from 1, and an index leads from ids to them.
 */
#ifndef MAPGEN_COMPILE_BY_ID_H
#define MAPGEN_COMPILE_BY_ID_H

#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Zeroes to begin with. */
typedef struct by_id {
    uint32_t *numbers; /* owned; by id: of a thing, 0 for none */
    size_t reach;      /* ids below this have a number, or 0 */
    char *things;      /* owned; the first is a zeroed one, of ids without their own */
    uint32_t count;
    size_t room;
} by_id;

static inline void by_id_dispose(by_id *b)
{
    free(b->numbers);
    free(b->things);
    *b = (by_id){NULL, 0, NULL, 0, 0};
}

/* Returns the id's thing, of `size` bytes, until the next is made; NULL: it has none. */
static inline void *by_id_find(const by_id *b, uint32_t id, size_t size)
{
    const uint32_t number = id < b->reach ? b->numbers[id] : 0;
    return number ? b->things + number * size : NULL;
}

/* The same; one that is not there is made, of zeroes. NULL when memory is out. */
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

#endif
