/* Kinds of cells by flag and by the beginning of the id, as the games match them. */
#include "gen/steps/cell_kinds.h"

#include "model/chunk.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *prefix;
    uint8_t kind;
} PREFIXES[] = {{"radio_tower", CELL_RADIO_TOWER},
                {"lmoe", CELL_RADIO_SHELTER},
                {"fema_entrance", CELL_RADIO_CAMP}};

bool cell_kinds_all_sea(const uint8_t *kinds, const ptl_oter *cells)
{
    if (level_is_even(cells))
        return kinds[cells[0]] & CELL_OCEAN; /* as where there is nothing but sea */
    int32_t i = 0;
    while (i < PTL_LEVEL_CELLS && kinds[cells[i]] & CELL_OCEAN)
        i++;
    return i == PTL_LEVEL_CELLS;
}

uint8_t *cell_kinds_compile(const catalogue *cat)
{
    uint8_t *kinds = calloc(cat->oter_count + 1, 1);
    for (size_t i = 0; kinds && i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        if (o->flags & CAT_FLAGS_WATER)
            kinds[i] = CELL_WATER;
        if (o->flags & CAT_FLAGS_OCEAN)
            kinds[i] |= CELL_OCEAN;
        for (size_t p = 0; p < sizeof PREFIXES / sizeof PREFIXES[0]; p++)
            if (strncmp(o->id, PREFIXES[p].prefix, strlen(PREFIXES[p].prefix)) == 0)
                kinds[i] |= PREFIXES[p].kind;
    }
    return kinds;
}
