/*
 * Makes temples. On the ground a ruin in the forest stands over the way down. Each level below
 * has nine rooms joined by doors: whoever comes down in one corner finds the way on in the
 * opposite corner, behind rooms with guards, traps and water. The lowest level has a treasury.
 * No map of the games' temples is known, so this plain layout is our own.
 */
#include "mapgen/ground/ground_impl.h"

enum {
    LAST = LOCAL_SIDE - 1,
    SIDE = 3, /* number of rooms along one side of the map */
    ROOMS = SIDE * SIDE,
    WALLS = SIDE + 1
};

/* The columns and rows that walls stand in. Rooms are 7, 6 and 6 tiles wide. */
static const int walls[WALLS] = {0, 8, 15, LAST};

typedef enum room_kind {
    BARE,
    STATUES,
    GUARDS,
    PITS,
    POOL,
    TOMBS,
    ROOM_KINDS,
    TREASURE
} room_kind;

typedef struct temple {
    ground *g;
    uint32_t wall, floor, door;
    bool joined[ROOMS]; /* the room has a way to the room where one comes in */
} temple;

/* ---- rooms ---- */

/* Furnishes a tile of a room. dx, dy: its distances to the nearest walls. */
static void furnish_tile(ground *g, room_kind kind, int x, int y, int dx, int dy)
{
    enum { PIT_ONE_IN = 2, SPIKED_ONE_IN = 3, GIFT_ONE_IN = 8, SORTS = 4 };
    static const char *const treasure[SORTS] = {"rare", "museum_misc", "jewelry_front",
                                                "museum_primitive"};
    const bool inner = dx > 0 && dy > 0;
    if ((kind == STATUES || kind == GUARDS || kind == TREASURE) && dx == 1 && dy == 1)
        ground_furnish(g, x, y, ground_id(g, "f_statue"));
    /* Pits are only on tiles that do not lie beside a wall, so that a way leads around them. */
    if (kind == PITS && inner && rng_one_in(&g->random, PIT_ONE_IN)) {
        const bool spiked = rng_one_in(&g->random, SPIKED_ONE_IN);
        ground_put(g, x, y, ground_id(g, spiked ? "t_pit_spiked" : "t_pit"));
    }
    if (kind == POOL && inner)
        ground_put(g, x, y, ground_id(g, "t_water_sh"));
    if (kind == TOMBS && dx == 1 && dy % 2 == 1) {
        ground_furnish(g, x, y, ground_id(g, "f_coffin_c"));
        if (rng_one_in(&g->random, GIFT_ONE_IN))
            ground_place(g, LOCAL_ITEM_GROUP, "museum_primitive", x, y);
    }
    for (int i = 0; i < SORTS && kind == TREASURE && dx == 2 && dy == 2; i++)
        ground_place(g, LOCAL_ITEM_GROUP, treasure[i], x, y);
}

static void furnish_room(ground *g, room_kind kind, int room)
{
    enum { GUARD = 3, WARDENS = 6, SORTS = 3 };
    static const char *const guards[SORTS] = {"GROUP_CAVE", "GROUP_SPIDER", "GROUP_SPIRAL"};
    const int left = walls[room % SIDE] + 1, top = walls[room / SIDE] + 1;
    const int right = walls[room % SIDE + 1] - 1, bottom = walls[room / SIDE + 1] - 1;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            furnish_tile(g, kind, x, y, x - left < right - x ? x - left : right - x,
                         y - top < bottom - y ? y - top : bottom - y);
    if (kind == GUARDS)
        ground_monsters(g, guards[rng_below(&g->random, SORTS)], GUARD, left, top, right,
                        bottom);
    if (kind == TREASURE)
        ground_monsters(g, "GROUP_NETHER", WARDENS, left, top, right, bottom);
}

/* ---- doors ---- */

/* Puts a door between a room and the one to the east or south of it. */
static void put_door(temple *t, int room, bool south)
{
    const int column = room % SIDE, row = room / SIDE;
    const int x = south ? rng_range(&t->g->random, walls[column] + 2, walls[column + 1] - 2)
                        : walls[column + 1];
    const int y =
        south ? walls[row + 1] : rng_range(&t->g->random, walls[row] + 2, walls[row + 1] - 2);
    ground_clear(t->g, x, y, t->door);
}

/* Puts a door between a random room that has a way to the entrance and a neighbouring room that
 * has none yet. Does nothing if no such pair of rooms is found in TRIES tries. */
static void join_one(temple *t)
{
    enum { SIDES = 4, TRIES = 200 };
    static const int step[SIDES][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    for (int i = 0; i < TRIES; i++) {
        const int room = (int)rng_below(&t->g->random, ROOMS);
        const uint64_t side = rng_below(&t->g->random, SIDES);
        const int x = room % SIDE + step[side][0], y = room / SIDE + step[side][1];
        const int next = y * SIDE + x;
        if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || !t->joined[room] || t->joined[next])
            continue;
        t->joined[next] = true;
        put_door(t, room < next ? room : next, side % 2 == 0);
        return;
    }
}

/* Joins all rooms. Rooms that the random draws have left out are joined to the room in the
 * west, or, in the first column, to the room in the north. */
static void join_all(temple *t)
{
    t->joined[0] = true;
    for (int i = 1; i < ROOMS; i++)
        join_one(t);
    for (int room = 1; room < ROOMS; room++)
        if (!t->joined[room]) {
            const bool south = room % SIDE == 0;
            t->joined[room] = true;
            put_door(t, south ? room - SIDE : room - 1, south);
        }
}

/* ---- levels ---- */

static void make_level(temple *t)
{
    ground *g = t->g;
    const bool last = strcmp(g->type, "temple_finale") == 0;
    ground_fill(g, "t_rock_floor");
    for (int i = 0; i < LOCAL_SIDE; i++)
        for (int k = 0; k < WALLS; k++) {
            ground_put(g, walls[k], i, t->wall);
            ground_put(g, i, walls[k], t->wall);
        }
    const int in = g->site->z % 2 ? 0 : ROOMS - 1; /* the room where the way from above ends */
    for (int room = 0; room < ROOMS; room++) {
        const room_kind drawn = (room_kind)rng_below(&g->random, ROOM_KINDS);
        const bool corner = room == 0 || room == ROOMS - 1;
        const room_kind kind = !corner ? drawn : last && room != in ? TREASURE : BARE;
        furnish_room(g, kind, room);
    }
    join_all(t);
    /* Puts doors, two tiles wide, to temples beside this one. */
    enum { FROM = 11, TO = 12 };
    for (int side = 0; side < GROUND_SIDES; side++)
        for (int i = FROM; i <= TO && ground_leads(t->g->site, side); i++) {
            int x = i, y = 0;
            ground_turn(&x, &y, side);
            ground_clear(t->g, x, y,
                         side == GROUND_SOUTH || side == GROUND_EAST ? t->door : t->floor);
        }
}

void make_temple(ground *g)
{
    temple t = {.g = g,
                .wall = ground_id(g, "t_brick_wall"),
                .floor = ground_id(g, "t_rock_floor"),
                .door = ground_id(g, "t_door_metal_c")};
    if (g->site->z >= 0) {
        /* Makes a ruin in the forest: walls around a square, with a door in the south. */
        enum { LEFT = 1, RIGHT = 22, GATE = 11, GONE_ONE_IN = 12, PILLAR = 4 };
        const char *type = g->type;
        g->type = "forest";
        make_forest(g);
        g->type = type;
        for (int y = LEFT; y <= RIGHT; y++)
            for (int x = LEFT; x <= RIGHT; x++) {
                const bool side = x == LEFT || x == RIGHT || y == LEFT || y == RIGHT;
                const bool gone = side && rng_one_in(&g->random, GONE_ONE_IN);
                ground_clear(g, x, y, side && !gone ? t.wall : t.floor);
                if (!side && x % PILLAR == 0 && y % PILLAR == 0)
                    ground_furnish(g, x, y, ground_id(g, "f_statue"));
            }
        ground_clear(g, GATE, RIGHT, t.door);
        ground_clear(g, GATE + 1, RIGHT, t.door);
    } else
        make_level(&t);
    ground_ways(g, "t_rock_floor");
}
