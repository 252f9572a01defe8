/*
 * What ground a special can find on a level, in any region of the content: what the steps
 * before specials make there, and buildings of cities. Cells of other specials are never
 * ground. Where it can't be told it says that a terrain may be there.
 */
#include "gen/mutable/growth.h"

#include <string.h>

static void add_terrain(uint64_t *set, uint16_t terrain)
{
    if (terrain != CAT_NONE)
        set[terrain / 64] |= UINT64_C(1) << terrain % 64;
}

static void add_oter(const catalogue *cat, uint64_t *set, ptl_oter oter)
{
    if (oter != CAT_NONE)
        add_terrain(set, cat->oters[oter].terrain);
}

static void add_buildings(const catalogue *cat, int32_t z, uint64_t *set)
{
    for (size_t i = 0; i < cat->special_count; i++)
        for (size_t k = 0; cat->specials[i].building && k < cat->specials[i].tile_count; k++)
            if (cat->specials[i].tiles[k].z == z)
                add_oter(cat, set, cat->specials[i].tiles[k].oters[0]);
}

/* On the ground: all but what fills other levels. */
static void add_surface(const gen_config *config, uint64_t *set)
{
    const catalogue *cat = config->cat;
    for (size_t t = 0; t < cat->terrain_count; t++) {
        bool fills = false;
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX && !fills; z++)
            fills = z != 0 && cat->oters[config->defaults[z - PTL_Z_MIN]].terrain == t;
        set[t / 64] |= (uint64_t)!fills << t % 64;
    }
}

/* Off it: water with what lies below, ravines, bridges, highways, and the tunnels that edges
 * bring. */
static void add_deep(const gen_config *config, uint64_t *set)
{
    static const char *const tunnels[] = {"subway_tunnel", "sewer_tunnel"};
    enum {
        MADE = CAT_FLAGS_WATER | CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE | CAT_FLAG_BRIDGE |
               CAT_FLAG_HIGHWAY
    };
    const catalogue *cat = config->cat;
    const gen_oters *o = config->oters;
    const ptl_oter made[] = {o->lake_water_cube,  o->lake_bed,  o->lake_underwater_shore,
                             o->ocean_water_cube, o->ocean_bed, o->ravine_floor,
                             o->ravine_floor_edge};
    for (size_t t = 0; t < cat->terrain_count; t++)
        if (cat->terrains[t].flags & MADE)
            add_terrain(set, (uint16_t)t);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        add_oter(cat, set, made[i]);
    for (size_t i = 0; i < cat->region_count; i++)
        if (cat->regions[i].highway) {
            add_terrain(set, cat->regions[i].highway->reserved);
            add_terrain(set, cat->regions[i].highway->supports);
        }
    for (size_t i = 0; i < sizeof tunnels / sizeof tunnels[0]; i++) {
        const uint16_t line = catalogue_connection(cat, tunnels[i]);
        for (size_t w = 0; line != CAT_NONE && w < (cat->terrain_count + 63) / 64; w++)
            set[w] |= cat->connections[line].terrains[w];
    }
}

void growth_grounds(const gen_config *config, int32_t z, uint64_t *set)
{
    memset(set, 0, (config->cat->terrain_count + 63) / 64 * sizeof *set);
    if (z == 0)
        add_surface(config, set);
    else
        add_deep(config, set);
    /* What fills the level where nothing is made. */
    const catalogue *cat = config->cat;
    add_oter(cat, set, config->defaults[z - PTL_Z_MIN]);
    for (size_t i = 0; i < cat->region_count; i++) {
        const cat_region *r = &cat->regions[i];
        if (r->levelled)
            add_oter(cat, set, r->levels[z - PTL_Z_MIN]);
        else if (z == 0)
            add_oter(cat, set, r->default_ter);
        else
            add_oter(cat, set, z > 0 ? config->oters->open_air : config->oters->empty_rock);
    }
    add_buildings(config->cat, z, set);
}
