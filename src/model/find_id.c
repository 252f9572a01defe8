/* Finds entries in the sorted tables of a catalogue. */
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

static int compare_id(const void *id, const void *entry)
{
    return strcmp(id, *(const char *const *)entry);
}

uint16_t catalogue_find_id(const void *table, size_t count, size_t size, const char *id)
{
    const unsigned char *first = table, *found = NULL;
    if (count > 0)
        found = bsearch(id, table, count, size, compare_id);
    return found ? (uint16_t)((size_t)(found - first) / size) : CAT_NONE;
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
