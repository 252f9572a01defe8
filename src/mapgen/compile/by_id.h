/* Arrays by id of a pool, of which mostly few places are used. */
#ifndef MAPGEN_COMPILE_BY_ID_H
#define MAPGEN_COMPILE_BY_ID_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many places are made when one for the id is missing. Most contents have no more ids than
 * are made at first: to copy what there is takes more than places that nobody uses. */
static inline size_t by_id_room(uint32_t id)
{
    enum { FIRST = 1 << 16 };
    return id < FIRST ? FIRST : 2 * (size_t)id;
}

/* Returns the array with `wanted` places, which frees it as it was; NULL when memory is out:
 * then it stays. New places are zeroes, and take no memory before they are used where the
 * system does so, as realloc and memset would. */
static inline void *by_id_longer(void *items, size_t count, size_t wanted, size_t size)
{
    void *longer = calloc(wanted, size);
    if (!longer)
        return NULL;
    if (items)
        memcpy(longer, items, count * size);
    free(items);
    return longer;
}

#endif
