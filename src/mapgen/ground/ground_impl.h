/* What the generators in this folder share. A generator is a function that fills the map of
 * one kind of terrain. */
#pragma once

#include "mapgen/ground/ground.h"

#include <string.h>

/* A map that is being made. */
typedef struct ground {
    local_map *map;
    const ground_site *site;
    const char *type; /* type of the terrain whose map is made */
    rng random;       /* random numbers of this OMT */
    uint32_t deep;    /* terrain of a river's deep water */
} ground;

typedef void ground_generator(ground *g);

/* The next functions are in natural.c. */
void make_field(ground *g);
void make_forest(ground *g); /* makes a forest; the biome is that of the terrain type g->type */
/* Covers all tiles with ground cover, chosen at random from the settings'
 * default_groundcover. */
void ground_cover(ground *g);
/* Chooses the ground cover of one tile at random from the settings' default_groundcover. */
uint32_t ground_cover_tile(ground *g);
/* Returns the biome of a forest; NULL: the type is no forest. */
const ground_biome *ground_biome_of(const ground *g, const char *type);
void make_trail(ground *g);
/* The next functions are in road.c. */
void make_road(ground *g);
void make_highway(ground *g);
void make_parking_lot(ground *g);
/* Returns the quarter turns of a parking lot, so that its way in, which is drawn in the
 * north, leads to the road beside it. */
int ground_lot_turns(const ground_site *site);
/* The next functions are in rail.c. */
void make_subway(ground *g);
void make_railroad(ground *g);
/* The next functions are in water.c. */
void make_river(ground *g);
void make_lake_shore(ground *g);
void make_ocean_shore(ground *g);
void make_river_shore(ground *g);
void make_sewer(ground *g);
/* The next functions are in below.c. */
/* Puts stairs, ladders and the like on the map: the ways down of this terrain, and the ends of
 * the ways down from the terrain above, with floor around them. */
void ground_ways(ground *g, const char *floor);
/* The next functions are in cave.c. */
void make_cave(ground *g);
void make_shaft(ground *g);
/* The next functions are in rooms.c. */
void make_rooms(ground *g);
/* lab.c: makes the rooms of a laboratory. run/run_labs.c adds the walls at the map's border and
 * what all laboratories have. */
void make_lab(ground *g);
/* The next functions are in temple.c. */
void make_temple(ground *g);
/* The next functions are in ground.c. */
/* Puts creatures and items into caves, ant hills and the like. */
void ground_inhabit(ground *g);
/* The next functions are in shoals.c. */
bool ground_is_shoals(const ground *g);
void make_shoals(ground *g);

/* The next functions are in ground.c. */
uint32_t ground_id(const ground *g, const char *text);
/* Puts one terrain on all tiles. */
void ground_fill(ground *g, const char *terrain);
/* Is the tile on the map? The put functions ignore other tiles, and ground_at finds nothing
 * there. */
static inline bool ground_on_map(int x, int y)
{
    return x >= 0 && y >= 0 && x < LOCAL_SIDE && y < LOCAL_SIDE;
}

static inline void ground_put(ground *g, int x, int y, uint32_t terrain)
{
    if (ground_on_map(x, y))
        g->map->terrain[y * LOCAL_SIDE + x] = terrain;
}

static inline void ground_furnish(ground *g, int x, int y, uint32_t furniture)
{
    if (ground_on_map(x, y))
        g->map->furniture[y * LOCAL_SIDE + x] = furniture;
}

static inline uint32_t ground_at(const ground *g, int x, int y)
{
    return ground_on_map(x, y) ? g->map->terrain[y * LOCAL_SIDE + x] : ID_NONE;
}

/* Puts a terrain on a tile and removes what stands on it. */
void ground_clear(ground *g, int x, int y, uint32_t terrain);
/* Puts an item group that may come anywhere on the map, with a chance in percent. */
void ground_items(ground *g, uint32_t group, int32_t chance);
/* Puts one thing on a tile. */
void ground_place(ground *g, local_kind kind, const char *id, int x, int y);
/* Puts a monster group that may come anywhere in a rectangle. Its monsters cost `budget`
 * together; -1: as many as the density says. */
void ground_monsters(ground *g, const char *group, int32_t budget, int x, int y, int x2,
                     int y2);
/* Returns the neighbour on a side. */
const ground_omt *ground_side(const ground *g, int side);
/* Returns the random stream of the border on a side, which is the same for both OMTs. */
rng ground_border_of(const ground_site *site, int side);
/* Does the text begin with the prefix? */
bool ground_starts(const char *text, const char *prefix);
