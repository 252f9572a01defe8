/* Look-up in a sorted table of a catalogue. */
#include "model/catalogue.h"

#include <string.h>

uint16_t catalogue_find_id(const void *table, size_t count, size_t size, const char *id)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *const *entry = (const void *)((const unsigned char *)table + middle * size);
        int order = strcmp(*entry, id);
        if (order == 0)
            return (uint16_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}
