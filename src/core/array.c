#include "core/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 16 };

/* Reads the pointer at an address, whatever type of object it points to. memcpy can do that,
 * because pointers to all types of objects are stored in the same way on the supported
 * machines. */
static void *read_pointer(const void *array)
{
    void *items;
    memcpy(&items, array, sizeof items);
    return items;
}

static void write_pointer(void *array, void *items)
{
    memcpy(array, &items, sizeof items);
}

bool array_grow(void *array, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room)
        return true;
    if (wanted > SIZE_MAX / 2 / size)
        return false;
    const size_t twice = *room ? 2 * *room : FIRST, more = twice < wanted ? wanted : twice;
    void *moved = realloc(read_pointer(array), more * size);
    if (!moved)
        return false;
    write_pointer(array, moved);
    *room = more;
    return true;
}

bool array_grow_zeroed(void *array, size_t *room, size_t wanted, size_t size)
{
    const size_t before = *room;
    if (!array_grow(array, room, wanted, size))
        return false;
    unsigned char *items = read_pointer(array);
    if (*room > before)
        memset(items + before * size, 0, (*room - before) * size);
    return true;
}
