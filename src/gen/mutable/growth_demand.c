/*
 * The cells of a growth (OMTs with a piece of the special or beside one) and the demands on
 * them; and the terrains that a special may find as ground. Each level has a map from cells to
 * indices in growth_stock.omts. To clear the maps, only the cells of the growth are reset.
 * There is a list of open demands for each join. Joins with a lower index come first, so that
 * one of the most urgent demands is chosen at random without a search.
 */
#include "gen/mutable/growth.h"
#include "gen/mutable/growth_impl.h"

#include <stdlib.h>
#include <string.h>

/*
 * Computes the terrains that a special may find as ground on a level, in any region of the
 * content: terrains that the steps before the specials make there, and buildings of cities.
 * Cells of other specials are never ground. A terrain counts as possible unless it is certain
 * that it can't be there.
 */

static void add_oter(const catalogue *cat, uint64_t *set, ptl_oter oter)
{
    if (oter != CAT_NONE)
        growth_add_terrain(set, cat->oters[oter].terrain);
}

/* Adds the terrains that may be ground on level 0: all terrains except those with which
 * other levels are filled. */
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

/* Adds the terrains that may be on other levels than 0: water and the beds below it, ravines,
 * bridges, highways, and tunnels that come from neighbouring chunks. */
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
            growth_add_terrain(set, (uint16_t)t);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        add_oter(cat, set, made[i]);
    for (size_t i = 0; i < cat->region_count; i++)
        if (cat->regions[i].highway) {
            growth_add_terrain(set, cat->regions[i].highway->reserved);
            growth_add_terrain(set, cat->regions[i].highway->supports);
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
    /* Add the terrains with which the world's region and all other regions fill the level. */
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
    for (size_t i = 0; i < cat->special_count; i++)
        for (size_t k = 0; cat->specials[i].building && k < cat->specials[i].omt_count; k++)
            if (cat->specials[i].omts[k].z == z)
                add_oter(cat, set, cat->specials[i].omts[k].oters[0]);
}

void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z)
{
    for (int side = 0; side < PTL_SIDES; side++) {
        int32_t bx = x, by = y, bz = z;
        growth_beyond(side, &bx, &by, &bz);
        const bool in = growth_inside(bx, by, bz);
        faces[side] = (growth_facing){.join = in ? GROWTH_FACES_NOTHING : GROWTH_FACES_BORDER};
    }
}

int32_t growth_omt_new(growth *w, int32_t x, int32_t y, int32_t z)
{
    uint16_t **spots = &w->spots[z - PTL_Z_MIN];
    if (!*spots && !(*spots = calloc(SIZE * SIZE, sizeof **spots))) {
        w->nomem = true;
        return GROWTH_NO_OMT;
    }
    /* growth_stock has room for all OMTs that a growth can have. */
    const size_t number = w->omt_count++;
    const uint32_t cell = (uint32_t)(y * SIZE + x);
    growth_omt *omt = &w->stock->omts[number];
    w->stock->cells[number] = (uint32_t)(z - PTL_Z_MIN) << GROWTH_CELL_BITS | cell;
    (*spots)[cell] = (uint16_t)(number + 1);
    for (int side = 0; side < PTL_SIDES; side++)
        omt->faces[side] = (growth_facing){.join = GROWTH_FACES_NOTHING};
    omt->x = (int16_t)x;
    omt->y = (int16_t)y;
    omt->z = (int8_t)z;
    omt->mandatory = omt->asked = 0;
    omt->postponed = omt->used = false;
    /* At a border of the chunk, or on the highest or lowest level, some neighbour of the cell
     * does not exist. Sides towards such neighbours get GROWTH_FACES_BORDER. */
    if (!growth_inside(x - 1, y - 1, z - 1) || !growth_inside(x + 1, y + 1, z + 1))
        growth_faces_none(omt->faces, x, y, z);
    return (int32_t)number;
}
_Static_assert((int)GROWTH_OMTS_MAX <= (int)UINT16_MAX, "an OMT's number has 16 bits");

void growth_postpone(growth *w, int32_t omt)
{
    growth_omt *t = &w->stock->omts[omt];
    for (int side = 0; side < PTL_SIDES; side++)
        if (t->asked >> side & 1 && !t->postponed)
            growth_unlist_demand(w, t, side);
    t->postponed = true;
}

void growth_take_up(growth *w, int32_t omt)
{
    growth_omt *t = &w->stock->omts[omt];
    t->postponed = false;
    for (int side = 0; side < PTL_SIDES && !w->nomem; side++)
        if (t->asked >> side & 1)
            growth_list_demand(w, omt, t, side);
}

void growth_restore_all(growth *w)
{
    for (size_t i = 0; i < w->used_count; i++)
        growth_restore(w, w->stock->used[i]);
}

int32_t growth_pick(growth *w)
{
    size_t join = 0;
    while (w->open[join].count == 0)
        join++;
    const growth_list *list = &w->open[join];
    return list->demands[rng_below(&w->random, list->count)] >> GROWTH_SIDE_BITS;
}

void growth_clear(growth *w)
{
    for (size_t i = 0; i < w->omt_count; i++) {
        const uint32_t cell = w->stock->cells[i];
        w->spots[cell >> GROWTH_CELL_BITS][cell & ((1u << GROWTH_CELL_BITS) - 1)] = 0;
    }
    for (size_t i = 0; i < w->list_room; i++)
        w->open[i].count = 0;
    w->omt_count = w->used_count = w->piece_count = w->join_count = w->open_count = 0;
}
