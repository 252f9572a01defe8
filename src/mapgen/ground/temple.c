/*
 * Temples. On the ground a ruin in the forest stands over the way down. Each level below has
 * nine rooms joined by doors: who comes down in one corner finds the way on in the opposite
 * one, behind rooms with guards, traps and water. The lowest level has a treasury. No map of
 * the games' temples is known, so this plain layout is our own.
 */
#include "mapgen/ground/ground_impl.h"

enum {
    LAST = LOCAL_SIDE - 1,
    SIDE = 3, /* rooms along a side */
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
    bool joined[ROOMS]; /* it has a way to the room where one comes in */
} temple;

static void each_tile(temple *t, int room,
                      void (*visit)(temple *t, int x, int y, int dx, int dy))
{
    const int left = walls[room % SIDE] + 1, top = walls[room / SIDE] + 1;
    const int right = walls[room % SIDE + 1] - 1, bottom = walls[room / SIDE + 1] - 1;
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            const int dx = x - left < right - x ? x - left : right - x;
            const int dy = y - top < bottom - y ? y - top : bottom - y;
            visit(t, x, y, dx, dy); /* dx, dy: distance to the nearest walls */
        }
}

/* ---- rooms ---- */

static void statue_tile(temple *t, int x, int y, int dx, int dy)
{
    if (dx == 1 && dy == 1)
        ground_furnish(t->g, x, y, ground_id(t->g, "f_statue"));
}

/* Pits are only on inner tiles, so that a way leads around them. */
static void pit_tile(temple *t, int x, int y, int dx, int dy)
{
    enum { ONE_IN = 2, SPIKED_ONE_IN = 3 };
    if (dx == 0 || dy == 0 || !rng_one_in(&t->g->random, ONE_IN))
        return;
    const bool spiked = rng_one_in(&t->g->random, SPIKED_ONE_IN);
    ground_put(t->g, x, y, ground_id(t->g, spiked ? "t_pit_spiked" : "t_pit"));
}

static void pool_tile(temple *t, int x, int y, int dx, int dy)
{
    if (dx > 0 && dy > 0)
        ground_put(t->g, x, y, ground_id(t->g, "t_water_sh"));
}

static void put_items(temple *t, int x, int y, const char *group)
{
    ground_add(
        t->g->map, x, y, x, y,
        (local_entity){.kind = LOCAL_ITEM_GROUP, .id = ground_id(t->g, group), .count = 1});
}

static void tomb_tile(temple *t, int x, int y, int dx, int dy)
{
    enum { ONE_IN = 8, TO = 2 };
    if (dx != 1 || dy % TO != 1)
        return;
    ground_furnish(t->g, x, y, ground_id(t->g, "f_coffin_c"));
    if (rng_one_in(&t->g->random, ONE_IN))
        put_items(t, x, y, "museum_primitive");
}

/* Puts the treasure: things of value around statues. */
static void treasure_tile(temple *t, int x, int y, int dx, int dy)
{
    enum { SORTS = 4 };
    static const char *const groups[SORTS] = {"rare", "museum_misc", "jewelry_front",
                                              "museum_primitive"};
    statue_tile(t, x, y, dx, dy);
    if (dx != 2 || dy != 2)
        return;
    for (int i = 0; i < SORTS; i++)
        put_items(t, x, y, groups[i]);
}

static void put_guards(temple *t, int room, const char *group, int cost)
{
    const local_entity e = {.kind = LOCAL_MONSTER_GROUP,
                            .id = ground_id(t->g, group),
                            .count = -1,
                            .charges = cost};
    ground_add(t->g->map, walls[room % SIDE] + 1, walls[room / SIDE] + 1,
               walls[room % SIDE + 1] - 1, walls[room / SIDE + 1] - 1, e);
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

/* Joins a random room to one that is joined already. Does nothing if no try finds one. */
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

/* Joins all rooms. Those that the random draws have left out are joined from the west, or
 * from the north in the first column. */
static void join_rooms(temple *t)
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

/* Puts doors, two tiles wide, to temples beside this one. */
static void put_gates(temple *t)
{
    enum { FROM = 11, TO = 12 };
    for (int i = FROM; i <= TO; i++) {
        if (ground_leads(t->g->site, GROUND_SOUTH))
            ground_clear(t->g, i, LAST, t->door);
        if (ground_leads(t->g->site, GROUND_EAST))
            ground_clear(t->g, LAST, i, t->door);
        if (ground_leads(t->g->site, GROUND_NORTH))
            ground_clear(t->g, i, 0, t->floor);
        if (ground_leads(t->g->site, GROUND_WEST))
            ground_clear(t->g, 0, i, t->floor);
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
        enum { GUARD = 3, WARDENS = 6, TRAPS_MAX = 2 };
        static const char *const guards[] = {"GROUP_CAVE", "GROUP_SPIDER", "GROUP_SPIRAL"};
        rng *random = &t->g->random;
        if (kind == STATUES || kind == GUARDS)
            each_tile(t, room, statue_tile);
        if (kind == GUARDS)
            put_guards(t, room, guards[rng_below(random, sizeof guards / sizeof guards[0])],
                       GUARD);
        if (kind == PITS)
            each_tile(t, room, pit_tile);
        if (kind == POOL)
            each_tile(t, room, pool_tile);
        if (kind == TOMBS)
            each_tile(t, room, tomb_tile);
        if (kind == TREASURE) {
            each_tile(t, room, treasure_tile);
            put_guards(t, room, "GROUP_NETHER", WARDENS);
        }
    }
    join_rooms(t);
    put_gates(t);
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
