/* Look-ups in the sorted tables of a catalogue. */
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

const cat_city *catalogue_cities(const catalogue *cat, ptl_chunk_pos pos, size_t *count)
{
    size_t low = 0, high = cat->city_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const ptl_chunk_pos at = cat->cities[middle].chunk;
        if (at.y != pos.y ? at.y < pos.y : at.x < pos.x)
            low = middle + 1;
        else
            high = middle;
    }
    for (high = low; high < cat->city_count && cat->cities[high].chunk.x == pos.x &&
                     cat->cities[high].chunk.y == pos.y;
         high++)
        ;
    *count = high - low;
    return cat->cities + low;
}
