/*
 * Content does not say what a terrain is; who uses it does. A terrain that both a building and
 * the generator itself lay (a special of a meadow's tiles) is what the generator takes it for.
 */
#include "render/terrain_group.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const *terrain_group_names(void)
{
    static const char *const names[GROUP_COUNT] = {"Land", "Water", "Ways", "Cities",
                                                   "Specials"};
    return names;
}

static void mark(uint8_t *groups, const catalogue *cat, ptl_oter oter, terrain_group group)
{
    if (oter < catalogue_all_oters(cat))
        groups[cat->oters[oter].terrain] = (uint8_t)group;
}

static void mark_type(uint8_t *groups, const catalogue *cat, const char *id,
                      terrain_group group)
{
    uint16_t terrain = catalogue_terrain(cat, id);
    if (terrain != CAT_NONE)
        groups[terrain] = (uint8_t)group;
}

static void mark_special(uint8_t *groups, const catalogue *cat, const cat_special *s)
{
    const terrain_group group = s->building ? GROUP_CITY : GROUP_SPECIAL;
    for (size_t i = 0; i < s->tile_count; i++)
        mark(groups, cat, s->tiles[i].oters[0], group);
    for (size_t i = 0; s->layout && i < s->layout->piece_count; i++)
        mark(groups, cat, s->layout->pieces[i].oters[0], group);
}

static bool is_water(uint32_t flags)
{
    const uint32_t water = CAT_FLAGS_WATER;
    return (flags & water) && !(flags & CAT_FLAG_BRIDGE);
}

/* A connection whose first tiles are water connects waters; others cross them on bridges. */
static void mark_connection(uint8_t *groups, const catalogue *cat, const cat_connection *c)
{
    const uint16_t first = c->subtype_count > 0 ? c->subtypes[0].terrain : (uint16_t)CAT_NONE;
    if (first < catalogue_all_terrains(cat) && is_water(cat->terrains[first].flags))
        return;
    for (size_t i = 0; i < catalogue_all_terrains(cat); i++)
        if (cat_terrain_in(c->terrains, (uint16_t)i))
            groups[i] = GROUP_WAYS;
}

static void mark_flags(uint8_t *group, uint32_t flags)
{
    if (flags & (CAT_FLAG_BRIDGE | CAT_FLAG_ROAD))
        *group = GROUP_WAYS;
    else if (is_water(flags))
        *group = GROUP_WATER;
    else if (flags & (CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE))
        *group = GROUP_LAND;
}

uint8_t *terrain_groups_new(const catalogue *cat)
{
    uint8_t *groups = calloc(catalogue_all_terrains(cat) + 1, 1);
    if (!groups)
        return NULL;
    /* Later marks count: specials that have a city's building are in the city. */
    for (int building = 0; building < 2; building++)
        for (size_t i = 0; i < cat->special_count; i++)
            if (cat->specials[i].building == (building == 1))
                mark_special(groups, cat, &cat->specials[i]);
    for (size_t i = 0; i < catalogue_all_terrains(cat); i++)
        mark_flags(&groups[i], cat->terrains[i].flags);
    for (size_t i = 0; i < cat->connection_count; i++)
        mark_connection(groups, cat, &cat->connections[i]);
    /* Bridges have parts that no connection names: what steps of bridges lay. */
    static const char *const kinds[] = {"", "railroad_"};
    static const char *const parts[] = {"bridge_road", "bridgehead_ground", "bridgehead_ramp"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            char id[40];
            snprintf(id, sizeof id, "%s%s", kinds[i], parts[k]);
            mark_type(groups, cat, id, GROUP_WAYS);
        }
    }
    /* What the generator covers the land with, whatever specials have of it. */
    static const char *const ids[] = {"open_air", "empty_rock", "forest", "forest_thick",
                                      "forest_water"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        mark_type(groups, cat, ids[i], GROUP_LAND);
    for (size_t i = 0; i < cat->region_count; i++)
        mark(groups, cat, cat->regions[i].default_ter, GROUP_LAND);
    return groups;
}
