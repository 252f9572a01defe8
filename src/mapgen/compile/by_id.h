/*
 * Which of some things belongs to an id of a pool. Few ids have one: the things lie together,
 * by numbers from 1, and an index leads from ids to them.
 */
#ifndef MAPGEN_COMPILE_BY_ID_H
#define MAPGEN_COMPILE_BY_ID_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Zeroes to begin with. */
typedef struct by_id {
    uint32_t *numbers; /* owned; by id: of a thing, 0 for none */
    size_t reach;      /* ids below this have a number, or 0 */
    char *things;      /* owned; the first is a zeroed one, of ids without their own */
    uint32_t count, room;
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

static inline int by_id_reach(by_id *b, uint32_t id)
{
    enum { FIRST = 1 << 15 };
    const size_t reach = id < FIRST ? FIRST : 2 * (size_t)id;
    uint32_t *numbers = calloc(reach, sizeof *numbers);
    if (!numbers)
        return 0;
    if (b->reach > 0)
        memcpy(numbers, b->numbers, b->reach * sizeof *numbers);
    free(b->numbers);
    b->numbers = numbers;
    b->reach = reach;
    return 1;
}

/* The same; one that is not there is made, of zeroes. NULL when memory is out. */
static inline void *by_id_make(by_id *b, uint32_t id, size_t size)
{
    if (id >= b->reach && !by_id_reach(b, id))
        return NULL;
    if (b->numbers[id])
        return b->things + b->numbers[id] * size;
    if (b->count + 1 >= b->room) {
        const uint32_t room = b->room ? 2 * b->room : 64;
        char *things = realloc(b->things, room * size);
        if (!things)
            return NULL;
        b->things = things;
        b->room = room;
    }
    b->numbers[id] = ++b->count;
    return memset(b->things + b->count * size, 0, size);
}

#endif
