/*
 * Makes buildings of four rooms: two corridors cross in the middle, and each quarter is a room
 * with a door and with furniture of one of a few kinds.
 */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1, LOW = 10, HIGH = 13, SORTS_MAX = 5 };

typedef struct building {
    const char *type; /* the row is for terrains whose ids begin with this */
    const char *wall, *floor, *door;
    const char *furniture[SORTS_MAX]; /* each room gets one of these kinds of furniture */
    const char *items;                /* id of an item group, which is put into each room */
    const char *monsters;             /* id of a monster group, which is put into some of these
                                         buildings */
} building;

static const building buildings[] = {
    {"looted_building",
     "t_wall",
     "t_floor",
     "t_door_b",
     {"f_table", "f_chair", "f_bookcase", "f_bed", "f_dresser"},
     "livingroom",
     "GROUP_ZOMBIE"},
    {"office_tower",
     "t_wall",
     "t_floor",
     "t_door_c",
     {"f_desk", "f_chair", "f_filing_cabinet", "f_bookcase", "f_table"},
     "office",
     NULL},
    {"tutorial",
     "t_wall",
     "t_floor",
     "t_door_c",
     {"f_table", "f_chair", "f_bookcase", "f_locker", "f_rack"},
     NULL,
     NULL}};

static void furnish_room(ground *g, const building *b, int x, int y, int x2, int y2)
{
    enum { ONE_IN = 5, ITEMS = 30, MONSTERS = 20, HUNDRED = 100 };
    const char *sort = b->furniture[rng_below(&g->random, SORTS_MAX)];
    const uint32_t floor = ground_id(g, b->floor);
    for (int v = y; v <= y2 && sort; v++)
        for (int u = x; u <= x2; u++) {
            const bool beside = u == x || u == x2 || v == y || v == y2;
            if (beside && ground_at(g, u, v) == floor && rng_one_in(&g->random, ONE_IN))
                ground_furnish(g, u, v, ground_id(g, sort));
        }
    if (b->items && rng_below(&g->random, HUNDRED) < ITEMS)
        ground_place(g, LOCAL_ITEM_GROUP, b->items, x, y);
    if (b->monsters && rng_below(&g->random, HUNDRED) < MONSTERS)
        ground_monsters(g, b->monsters, -1, x, y, x2, y2);
}

/* Puts the outer walls, and the walls along the corridors, which get the doors of the rooms
 * later. */
static void put_walls(ground *g, uint32_t wall)
{
    const bool north = !ground_leads(g->site, GROUND_NORTH),
               west = !ground_leads(g->site, GROUND_WEST);
    for (int i = 0; i < LOCAL_SIDE; i++) {
        ground_put(g, i, LAST, wall);
        ground_put(g, LAST, i, wall);
        if (north)
            ground_put(g, i, 0, wall);
        if (west)
            ground_put(g, 0, i, wall);
        if (i < LOW || i > HIGH) {
            ground_put(g, i, LOW - 1, wall);
            ground_put(g, i, HIGH + 1, wall);
            ground_put(g, LOW - 1, i, wall);
            ground_put(g, HIGH + 1, i, wall);
        }
    }
}

/* Puts doors into the outer walls: two tiles wide where the building goes on, and one to the
 * outside for looted buildings and entrances. */
static void put_outer_doors(ground *g, uint32_t door)
{
    for (int i = LOW + 1; i < HIGH; i++) {
        if (ground_leads(g->site, GROUND_SOUTH))
            ground_put(g, i, LAST, door);
        if (ground_leads(g->site, GROUND_EAST))
            ground_put(g, LAST, i, door);
    }
    if (ground_starts(g->type, "looted_building") || strstr(g->type, "_entrance"))
        ground_put(g, LOW + 1, LAST, door);
}

void make_rooms(ground *g)
{
    enum { FIRST = 1, DOOR = 5, INNER = LOW - 2, OUTER = HIGH + 2, END = LAST - 1 };
    /* The last row is for all types that no other row of `buildings` fits. */
    const building *b = buildings;
    while (b < buildings + sizeof buildings / sizeof *b - 1 && !ground_starts(g->type, b->type))
        b++;
    const uint32_t door = ground_id(g, b->door);
    ground_fill(g, b->floor);
    put_walls(g, ground_id(g, b->wall));
    put_outer_doors(g, door);
    /* Each room gets a door to one of the corridors. */
    for (int quarter = 0; quarter < 4; quarter++) {
        const bool east = quarter & 1, south = quarter & 2;
        const int x = east ? LAST - DOOR : DOOR, y = south ? LAST - DOOR : DOOR;
        if (rng_one_in(&g->random, 2))
            ground_put(g, x, south ? HIGH + 1 : LOW - 1, door);
        else
            ground_put(g, east ? HIGH + 1 : LOW - 1, y, door);
        furnish_room(g, b, east ? OUTER : FIRST, south ? OUTER : FIRST, east ? END : INNER,
                     south ? END : INNER);
    }
    ground_ways(g, b->floor);
}
