/* Things on the ground that the games make by code: craters, ant hills, hives, ravines,
 * mouths of hell, and ways down. */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1 };

/* Is the tile in a disc with a rough rim around the middle? */
static bool in_disc(ground *g, int cell, int radius)
{
    const int dx = 2 * (cell % LOCAL_SIDE) - LAST, dy = 2 * (cell / LOCAL_SIDE) - LAST;
    const int reach = 2 * radius + rng_range(&g->random, -2, 2);
    return dx * dx + dy * dy <= reach * reach;
}

void make_crater(ground *g)
{
    enum { RADIUS = 12, BARE_ONE_IN = 50 };
    const uint32_t dirt = ground_id(g, "t_dirt"), rubble = ground_id(g, "f_rubble_rock");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (in_disc(g, i, RADIUS)) {
            g->map->terrain[i] = dirt;
            if (!rng_one_in(&g->random, BARE_ONE_IN))
                g->map->furniture[i] = rubble;
        }
}

/* Makes a clearing with a way down in it. */
void make_hill(ground *g)
{
    enum { RADIUS = 6 };
    const uint32_t dirt = ground_id(g, "t_dirt");
    if (strcmp(g->type, "spider_pit") == 0) {
        g->type = "forest_thick";
        make_forest(g);
    } else {
        ground_cover(g);
    }
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (in_disc(g, i, RADIUS))
            ground_clear(g, i % LOCAL_SIDE, i / LOCAL_SIDE, dirt);
    ground_ways(g, "t_dirt");
    ground_inhabit(g);
}

/* Makes a hut over a way down. */
void make_mine_entrance(ground *g)
{
    enum { FROM = 6, TO = 17, DOOR = 11 };
    const uint32_t wall = ground_id(g, "t_wall"), floor = ground_id(g, "t_floor");
    ground_cover(g);
    for (int y = FROM; y <= TO; y++)
        for (int x = FROM; x <= TO; x++) {
            const bool side = x == FROM || x == TO || y == FROM || y == TO;
            ground_put(g, x, y, side ? wall : floor);
        }
    ground_put(g, DOOR, TO, ground_id(g, "t_door_metal_c"));
    ground_ways(g, "t_floor");
    ground_inhabit(g);
}

/* Makes cells of wax, side by side. */
void make_hive(ground *g)
{
    enum { CELL = 6, ONE_IN = 8 };
    const uint32_t wax = ground_id(g, "t_wax"), floor = ground_id(g, "t_floor_wax");
    const uint32_t honey = ground_id(g, "hive");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE, row = y / CELL;
        const int u = (x + row % 2 * (CELL / 2)) % CELL, v = y % CELL;
        const bool corner = (v == 0 || v == CELL - 1) && (u == 0 || u == CELL - 1);
        if (corner)
            continue;
        const bool side = u == 0 || v == 0;
        g->map->terrain[i] = side && u != CELL / 2 && v != CELL / 2 ? wax : floor;
    }
    for (int i = 0; i < LOCAL_SIDE / CELL; i++)
        ground_items(g, honey, 100 / ONE_IN);
    ground_inhabit(g);
}

/* Makes rock and lava around a way down. */
void make_hellmouth(ground *g)
{
    enum { RADIUS = 10, INNER = 4 };
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool rock = in_disc(g, i, RADIUS), lava = in_disc(g, i, RADIUS / 2 + 2);
        if (rock)
            g->map->terrain[i] = ground_id(g, lava ? "t_lava" : "t_rock_floor");
        if (in_disc(g, i, INNER))
            g->map->terrain[i] = ground_id(g, "t_rock_floor");
    }
    ground_ways(g, "t_rock_floor");
    ground_inhabit(g);
}

/* Makes the edge of a ravine: ground, or below it rock, that ends towards the sides where the
 * ravine goes on. */
void make_ravine_edge(ground *g)
{
    const bool floor = ground_starts(g->type, "ravine_floor");
    const char *beyond = floor ? "ravine_floor" : "ravine";
    const uint32_t open = ground_id(g, floor ? "t_dirt" : "t_open_air");
    if (floor)
        ground_fill(g, "t_rock");
    else
        ground_cover(g);
    for (int side = 0; side < GROUND_SIDES; side++)
        if (strcmp(ground_side(g, side)->type, beyond) == 0) {
            /* The terrain forms a rough strip along a side. */
            enum { LOW = 6, HIGH = 9 };
            const bool upright = side == GROUND_NORTH || side == GROUND_SOUTH;
            const bool low = side == GROUND_NORTH || side == GROUND_WEST;
            for (int along = 0; along < LOCAL_SIDE; along++) {
                const int depth = rng_range(&g->random, LOW, HIGH);
                for (int away = 0; away < depth; away++) {
                    const int at = low ? away : LAST - away;
                    ground_put(g, upright ? along : at, upright ? at : along, open);
                }
            }
        }
}

/* Fills the map with one terrain. */

void make_rock(ground *g)
{
    ground_fill(g, "t_rock");
}

void make_air(ground *g)
{
    ground_fill(g, "t_open_air");
}

void make_border(ground *g)
{
    ground_fill(g, "t_pd_border");
}
