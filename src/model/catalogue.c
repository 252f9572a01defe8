/* Finds the entries of a catalogue by their ids. */
#include "model/catalogue.h"

#include "core/arena.h"

#include <stdlib.h>
#include <string.h>

void catalogue_free(catalogue *cat)
{
    if (!cat)
        return;
    arena_free(cat->memory);
    free(cat);
}

uint16_t catalogue_terrain(const catalogue *cat, const char *id)
{
    return catalogue_find_id(cat->terrains, cat->terrain_count, sizeof *cat->terrains, id);
}

ptl_oter catalogue_oter(const catalogue *cat, const char *id)
{
    const uint16_t *by_id = cat->oters_by_id;
    size_t low = 0, high = cat->oter_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(cat->oters[by_id[middle]].id, id);
        if (order == 0)
            return by_id[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return CAT_NONE;
}

ptl_oter catalogue_any_oter(const catalogue *cat, const char *id)
{
    const ptl_oter own = catalogue_oter(cat, id);
    if (own != CAT_NONE)
        return own;
    const uint16_t past = catalogue_find_id(cat->oters + cat->oter_count, cat->past_oter_count,
                                            sizeof *cat->oters, id);
    return past == CAT_NONE ? CAT_NONE : (ptl_oter)(cat->oter_count + past);
}

ptl_oter catalogue_oter_or_first(const catalogue *cat, const char *id)
{
    ptl_oter oter = catalogue_oter(cat, id);
    if (oter != CAT_NONE)
        return oter;
    uint16_t terrain = catalogue_terrain(cat, id);
    return terrain == CAT_NONE ? CAT_NONE : cat->terrains[terrain].first;
}

uint16_t catalogue_connection(const catalogue *cat, const char *id)
{
    return catalogue_find_id(cat->connections, cat->connection_count, sizeof *cat->connections,
                             id);
}

uint16_t catalogue_special(const catalogue *cat, const char *id)
{
    return catalogue_find_id(cat->specials, cat->special_count, sizeof *cat->specials, id);
}

static const char *id_now(const cat_migration *list, size_t count, const char *id)
{
    const uint16_t at = catalogue_find_id(list, count, sizeof *list, id);
    return at == CAT_NONE ? id : list[at].final_id;
}

const char *catalogue_oter_now(const catalogue *cat, const char *id)
{
    return id_now(cat->oter_migrations, cat->oter_migration_count, id);
}

const char *catalogue_special_now(const catalogue *cat, const char *id)
{
    return id_now(cat->special_migrations, cat->special_migration_count, id);
}

const cat_region *catalogue_region(const catalogue *cat, const char *id)
{
    for (size_t i = 0; i < cat->region_count; i++)
        if (strcmp(cat->regions[i].id, id) == 0)
            return &cat->regions[i];
    return NULL;
}
