/*
 * Makes laboratories for which content has no drawing. As in 44 of the game's 220 maps of
 * laboratories (schema/mapgen.md, "Ground") there are nine rooms in a square, or four between
 * two corridors that cross, each with furniture of one of a few kinds. Walls at the border of
 * the OMT, doors to neighbouring laboratories, stairs and lamps are put by run/run_labs.c.
 */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1 };

typedef enum lab_room { WORKBENCHES, BENCH, DORMITORY, TABLES, STORE, TANK } lab_room;

typedef struct room {
    int x, y, x2, y2; /* the first and the last column and row inside of the room's walls */
} room;

static void furnish(ground *g, int x, int y, const char *furniture)
{
    ground_furnish(g, x, y, ground_id(g, furniture));
}

static void put_items(ground *g, const room *r, const char *group, int chance)
{
    enum { HUNDRED = 100 };
    const int x = rng_range(&g->random, r->x, r->x2);
    const int y = rng_range(&g->random, r->y, r->y2);
    if ((int)rng_below(&g->random, HUNDRED) < chance)
        ground_place(g, LOCAL_ITEM_GROUP, group, x, y);
}

/* Puts counters into columns of a room: into each third column, or into a single one. There is
 * room to walk around them. */
static void put_benches(ground *g, const room *r, int step)
{
    for (int x = r->x + 1; x < r->x2; x += step)
        for (int y = r->y + 1; y < r->y2; y++)
            furnish(g, x, y, "f_counter");
}

static void put_racks(ground *g, const room *r)
{
    enum { SORTS = 4 };
    for (int x = r->x; x <= r->x2; x += 2)
        for (int y = r->y + 1; y < r->y2; y++) {
            const uint64_t sort = rng_below(&g->random, SORTS);
            if (sort < 2)
                furnish(g, x, y, sort == 0 ? "f_rack" : "f_crate_c");
        }
}

/* Puts a tank of deep water behind glass, with a console beside it. */
static void put_tank(ground *g, const room *r)
{
    const uint32_t glass = ground_id(g, "t_reinforced_glass"),
                   water = ground_id(g, "t_water_dp");
    for (int y = r->y + 1; y < r->y2; y++)
        for (int x = r->x + 1; x < r->x2; x++) {
            const bool side =
                x == r->x + 1 || x == r->x2 - 1 || y == r->y + 1 || y == r->y2 - 1;
            ground_put(g, x, y, side ? glass : water);
        }
    furnish(g, r->x, r->y, "f_console_broken");
}

static void furnish_room(ground *g, const room *r)
{
    enum { THIRD = 3, ALONE = LOCAL_SIDE, OFTEN = 80, SELDOM = 30 };
    static const lab_room sorts[] = {WORKBENCHES, WORKBENCHES, BENCH,     BENCH,
                                     BENCH,       DORMITORY,   DORMITORY, DORMITORY,
                                     STORE,       WORKBENCHES, TABLES,    TANK};
    const lab_room sort = sorts[rng_below(&g->random, sizeof sorts / sizeof sorts[0])];
    if (sort == WORKBENCHES)
        put_benches(g, r, THIRD);
    else if (sort == BENCH)
        put_benches(g, r, ALONE);
    else if (sort == DORMITORY) {
        enum { HEAD = 2, PAIR = 4 };
        for (int x = r->x + 1; x + HEAD <= r->x2; x += PAIR) {
            furnish(g, x, r->y, "f_bed");
            furnish(g, x, r->y + 1, "f_bed");
            furnish(g, x + 1, r->y, "f_dresser");
        }
    } else if (sort == TABLES) {
        enum { STEP = 3 };
        for (int y = r->y + 1; y < r->y2; y += STEP)
            for (int x = r->x + 1; x < r->x2; x++)
                furnish(g, x, y, x == r->x + 1 ? "f_chair" : "f_table");
    } else if (sort == STORE)
        put_racks(g, r);
    else
        put_tank(g, r);
    put_items(g, r, sort == DORMITORY ? "lab_dorm" : "science", OFTEN);
    put_items(g, r, "science", SELDOM);
}

/* ---- plans ---- */

static void put_wall(ground *g, bool upright, int at, int from, int to)
{
    const uint32_t wall = ground_id(g, "t_concrete_wall");
    for (int i = from; i <= to; i++)
        ground_put(g, upright ? at : i, upright ? i : at, wall);
}

/* Makes four rooms in the corners between two corridors that cross. Each room has a door to
 * both corridors. */
static void make_four(ground *g)
{
    enum { LOW = 9, HIGH = 14, MARGIN = 2 };
    const uint32_t door = ground_id(g, "t_door_glass_frosted_c");
    for (int at = LOW; at <= HIGH; at += HIGH - LOW) {
        put_wall(g, true, at, 0, LOW);
        put_wall(g, true, at, HIGH, LAST);
        put_wall(g, false, at, 0, LOW);
        put_wall(g, false, at, HIGH, LAST);
    }
    for (int quarter = 0; quarter < 4; quarter++) {
        const bool east = quarter & 1, south = quarter & 2;
        const room r = {east ? HIGH + 1 : 1, south ? HIGH + 1 : 1, east ? LAST - 1 : LOW - 1,
                        south ? LAST - 1 : LOW - 1};
        furnish_room(g, &r);
        const int x = rng_range(&g->random, r.x + MARGIN, r.x2 - MARGIN);
        const int y = rng_range(&g->random, r.y + MARGIN, r.y2 - MARGIN);
        ground_clear(g, x, south ? HIGH : LOW, door);
        ground_clear(g, east ? HIGH : LOW, y, door);
    }
}

void make_lab(ground *g)
{
    enum { OF = 5, NINE = 2 };
    ground_fill(g, "t_thconc_floor");
    if (rng_below(&g->random, OF) < NINE) {
        /* Makes nine rooms, with a door in each wall between two of them. */
        enum { ROOMS = 3, LOW = 8, HIGH = 15 };
        static const int from[ROOMS] = {1, LOW + 1, HIGH + 1},
                         to[ROOMS] = {LOW - 1, HIGH - 1, LAST - 1};
        static const int doors[ROOMS][2] = {{6, 6}, {10, 13}, {18, 18}};
        const uint32_t door = ground_id(g, "t_door_glass_frosted_c");
        for (int at = LOW; at <= HIGH; at += HIGH - LOW) {
            put_wall(g, true, at, 0, LAST);
            put_wall(g, false, at, 0, LAST);
        }
        for (int row = 0; row < ROOMS; row++)
            for (int column = 0; column < ROOMS; column++) {
                const room r = {from[column], from[row], to[column], to[row]};
                furnish_room(g, &r);
            }
        for (int i = 0; i < ROOMS; i++)
            for (int at = LOW; at <= HIGH; at += HIGH - LOW) {
                const int along = rng_range(&g->random, doors[i][0], doors[i][1]);
                ground_clear(g, at, along, door);
                const int across = rng_range(&g->random, doors[i][0], doors[i][1]);
                ground_clear(g, across, at, door);
            }
    } else
        make_four(g);
}
