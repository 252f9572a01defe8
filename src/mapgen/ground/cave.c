/*
 * Makes caves: a hall in the middle, and winding ways to those sides where the cave goes on.
 * Ant hills, mines, slime pits, triffid roots, spirals and the like differ in their terrain and
 * in the size of the hall.
 */
#include "mapgen/ground/ground_impl.h"

enum { MIDDLE = LOCAL_SIDE / 2, LAST = LOCAL_SIDE - 1, ALL = 30 };

typedef struct cave {
    /* The maps of terrains whose type begins with this are made by this row. A type is a
     * terrain's id without its direction. */
    const char *type;
    const char *wall, *floor;
    const char *other; /* a second terrain, which replaces the floor on `others` of 1000 floor
                          tiles; NULL: there is none */
    int others;
    int radius; /* radius of the hall, in tiles */
    int width;  /* how many tiles a tunnel of the cave reaches to each side of its middle */
} cave;

/* A terrain's map is made by the first row whose `type` is the beginning of the terrain's type.
 * The numbers follow the game's maps. */
static const cave caves[] = {{"ants_food", "t_rock", "t_rock_floor", NULL, 0, 10, 2},
                             {"ants_larvae", "t_rock", "t_rock_floor", NULL, 0, 10, 2},
                             {"ants_queen", "t_rock", "t_rock_floor", NULL, 0, 10, 2},
                             {"ants", "t_rock", "t_rock_floor", NULL, 0, 5, 2},
                             {"mine_down", "t_rock", "t_rock_floor", NULL, 0, 9, 2},
                             {"mine", "t_rock", "t_rock_floor", "t_lava", 5, 11, 3},
                             {"slimepit", "t_rock", "t_rock_floor", "t_slime", 215, ALL, 2},
                             {"spiral_hub", "t_rock", "t_rock_floor", NULL, 0, 11, 3},
                             {"spiral", "t_rock", "t_rock_floor", "t_rock", 99, ALL, 3},
                             {"cavern", "t_rock", "t_rock_floor", NULL, 0, 10, 3},
                             {"spider_pit_under", "t_rock", "t_rock_floor", NULL, 0, 10, 2},
                             {"triffid_roots", "t_root_wall", "t_dirt", NULL, 0, 7, 1},
                             {"triffid_finale", "t_root_wall", "t_dirt", NULL, 0, 5, 1},
                             {"rift", "t_rock", "t_rock_floor", "t_lava", 100, ALL, 3},
                             {"rock", "t_rock", "t_rock_floor", NULL, 0, 6, 1}};

/* Puts floor on all tiles whose distance from the tile (x, y) is at most `radius`. */
static void carve(ground *g, uint32_t floor, int x, int y, int radius)
{
    for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++)
            if (u * u + v * v <= radius * radius)
                ground_put(g, x + u, y + v, floor);
}

/* Carves a tunnel from the border to the middle. The neighbouring OMT's tunnel meets it at
 * the border. */
static void carve_way(ground *g, uint32_t floor, int side, int width)
{
    const int across = ground_crosses(g->site, side);
    const bool upright = side == GROUND_NORTH || side == GROUND_SOUTH;
    const bool low = side == GROUND_NORTH || side == GROUND_WEST;
    for (int i = 0; i < MIDDLE; i++) {
        const int along = low ? i : LAST - i;
        const int bend = i > 2 && i < MIDDLE - 2 ? rng_range(&g->random, -1, 1) : 0;
        const int at = across + (MIDDLE - across) * i / MIDDLE + bend;
        carve(g, floor, upright ? at : along, upright ? along : at, width);
    }
}

static void put_others(ground *g, const cave *c, uint32_t floor)
{
    enum { THOUSAND = 1000 };
    for (int i = 0; i < LOCAL_CELLS && c->other; i++)
        if (g->map->terrain[i] == floor && (int)rng_below(&g->random, THOUSAND) < c->others)
            g->map->terrain[i] = ground_id(g, c->other);
}

void make_cave(ground *g)
{
    enum { CENTRE = 4 };
    const cave *c = caves; /* the last row is for all types that no other row of `caves` fits */
    while (c + 1 < caves + sizeof caves / sizeof caves[0] && !ground_starts(g->type, c->type))
        c++;
    const uint32_t floor = ground_id(g, c->floor);
    const bool blocks = c->other && strcmp(c->other, c->wall) == 0;
    ground_fill(g, c->wall);
    const int radius = c->radius;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const int dx = 2 * x - LAST, dy = 2 * y - LAST;
        const int reach = 2 * radius + rng_range(&g->random, -3, 2);
        if (dx * dx + dy * dy <= reach * reach)
            ground_put(g, x, y, floor);
    }
    if (blocks) { /* a second terrain that is the same as the walls is put down before the
                     tunnels, so that they cut through it */
        put_others(g, c, floor);
        carve(g, floor, MIDDLE, MIDDLE, CENTRE);
    }
    for (int side = 0; side < GROUND_SIDES; side++)
        if (ground_leads(g->site, side))
            carve_way(g, floor, side, c->width);
    if (!blocks)
        put_others(g, c, floor);
    ground_ways(g, c->floor);
    ground_inhabit(g);
}

/* Makes a shaft: holes, and grates with ladders beside them. */
void make_shaft(ground *g)
{
    enum { FROM = 8, SIDE = 8, HOLE_X = 9, HOLE_Y = 16, HOLE = 6 };
    ground_fill(g, "t_rock");
    for (int i = 0; i < SIDE * SIDE; i++)
        ground_put(g, FROM + i % SIDE, FROM + i / SIDE, ground_id(g, "t_grate"));
    for (int i = 0; i < HOLE * HOLE; i++)
        ground_put(g, HOLE_X + i % HOLE, HOLE_Y + i / HOLE, ground_id(g, "t_hole"));
    ground_ways(g, "t_grate");
    for (int side = 0; side < GROUND_SIDES; side++)
        if (ground_leads(g->site, side))
            carve_way(g, ground_id(g, "t_rock_floor"), side, 2);
    ground_inhabit(g);
}
