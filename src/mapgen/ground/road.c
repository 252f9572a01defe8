/*
 * Makes roads: 16 tiles of pavement between two strips of 4, which are sidewalks if the
 * neighbourhood has some, and ground otherwise. Yellow lines run in the middle; where roads
 * meet in town there are zebra stripes. In this file "north" and the other sides are those of
 * the finished map, after its rotation. A curve is first computed as if its road led north and
 * east, and then rotated.
 */
#include "mapgen/ground/ground_impl.h"

enum {
    LAST = LOCAL_SIDE - 1,
    HALF = LOCAL_SIDE / 2,
    STRIP = 4,
    END = 8, /* number of tiles that the road of a dead end has beyond the middle of the map */
    CORNERS = 4
};

typedef struct road {
    ground *g;
    bool arms[GROUND_SIDES];
    bool walks[GROUND_SIDES]; /* the neighbour on that side has sidewalks */
    bool corners[CORNERS];    /* the neighbour on that corner has sidewalks: north-east,
                                 south-east, south-west, north-west */
    int curves[GROUND_SIDES]; /* by side: whether the road curves in the neighbour there; 1
                               * clockwise, -1 counterclockwise, 0 no curve */
    int count;                /* number of arms */
    bool town;                /* any of the eight neighbours has sidewalks */
    uint32_t pavement, yellow, zebra, sidewalk;
} road;

/* ---- the shape ---- */

static uint8_t line_of(const ground_omt *o)
{
    enum { ALL = 15 };
    if (strcmp(o->type, "road_nesw_manhole") == 0)
        return ALL;
    return strcmp(o->type, "road") == 0 ? o->line : 0;
}

/* Tells whether the neighbour `o` on this side is a road that curves, and to which side.
 * Returns what road.curves holds for it: 0 for no curve, otherwise -1 or 1. */
static int curve_of(const ground_omt *o, int side)
{
    const uint8_t line = strcmp(o->type, "road") == 0 ? o->line : 0;
    const int back = (side + 2) % GROUND_SIDES;
    if (__builtin_popcount(line) != 2 || !(line >> back & 1))
        return 0;
    return (line >> (side + 1) % GROUND_SIDES & 1) - (line >> (side + 3) % GROUND_SIDES & 1);
}

/* ---- arms ---- */

static void square(road *r, int side, int x, int y, int x2, int y2, uint32_t terrain)
{
    for (int v = y; v <= y2; v++)
        for (int u = x; u <= x2; u++) {
            int a = u, b = v;
            ground_turn(&a, &b, side);
            ground_clear(r->g, a, b, terrain);
        }
}

static void draw_pavement(road *r, int side, int length)
{
    square(r, side, STRIP, 0, LAST - STRIP, length, r->pavement);
    for (int x = 1; x < STRIP && r->curves[side]; x++)
        for (int y = 0; y < x; y++) {
            int a = r->curves[side] < 0 ? x : LAST - x, b = y;
            ground_turn(&a, &b, side);
            ground_clear(r->g, a, b, r->pavement);
        }
}

/* Draws two yellow lines, with a gap on each fourth tile. */
static void draw_lines(road *r, int side, int length)
{
    for (int y = 0; y < length; y++)
        for (int x = HALF - 1; x <= HALF; x++) {
            int a = x, b = y;
            ground_turn(&a, &b, side);
            const bool upright = side == GROUND_NORTH || side == GROUND_SOUTH;
            if (upright ? b % 4 != 0 : a % 4 != 3)
                ground_put(r->g, a, b, r->yellow);
        }
}

/* Draws zebra stripes. In town, where roads meet, 3 of 8 arms get them, and 1 of 10 straight
 * roads (schema/mapgen.md, "Ground"). Returns whether stripes cross a straight road. */
static bool draw_zebras(road *r)
{
    enum { OF = 8, WITH = 3, STRAIGHT_ONE_IN = 10 };
    rng *random = &r->g->random;
    for (int i = 0; i < GROUND_SIDES && r->town && r->count > 2; i++)
        if (r->arms[i] && rng_below(random, OF) < WITH) {
            /* Draws stripes at the end of an arm, with a stop line before them. */
            for (int x = STRIP; x <= LAST - STRIP; x++) {
                square(r, i, x, 0, x, 0, x < HALF - 1 ? r->yellow : r->pavement);
                square(r, i, x, 1, x, 2, x % 2 ? r->zebra : r->pavement);
            }
        }
    if (!r->town || r->count != 2 || !rng_one_in(random, STRAIGHT_ONE_IN))
        return false;
    for (int x = STRIP; x <= LAST - STRIP; x++)
        square(r, r->arms[GROUND_NORTH] ? GROUND_NORTH : GROUND_EAST, x, HALF + 1, x, HALF + 2,
               x % 2 ? r->pavement : r->zebra);
    return true;
}

/* ---- lamps ---- */

static void put_lamp(road *r, int turns, int x, int y, uint32_t lamp)
{
    ground_turn(&x, &y, turns);
    if (ground_at(r->g, x, y) == r->sidewalk)
        ground_furnish(r->g, x, y, lamp);
}

/* Puts street lights on sidewalks: at both sides of a straight road, around a dead end, and
 * at crossings where there is no arm. */
static void put_lamps(road *r)
{
    const uint32_t lamp = ground_id(r->g, "f_street_light");
    int turns = r->arms[GROUND_NORTH] ? 0 : 1;
    for (int i = 0; i < GROUND_SIDES && r->count != 2; i++) {
        if (r->count == 3 && !r->arms[i])
            turns = (i + 1) % GROUND_SIDES;
        else if (r->count == 1 && r->arms[i])
            turns = (i + 2) % GROUND_SIDES;
    }
    if (r->count < CORNERS)
        put_lamp(r, turns, STRIP - 1, HALF, lamp);
    if (r->count < 3)
        put_lamp(r, turns, LAST - STRIP + 1, HALF, lamp);
}

static void put_traffic_light(road *r, int turns, int x, int y)
{
    ground_turn(&x, &y, turns);
    ground_furnish(r->g, x, y, ground_id(r->g, "f_traffic_light"));
}

/* Draws a dead end as a round place. Returns false, and draws nothing, if this dead end shall
 * not be round; in town a third of them are round. */
static bool draw_round(road *r)
{
    enum { ONE_IN = 3, TWICE_RADIUS = 22 };
    if (r->count != 1 || !r->town || !rng_one_in(&r->g->random, ONE_IN))
        return false;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const int dx = 2 * x - LAST, dy = 2 * y - LAST;
        const bool inside = dx * dx + dy * dy <= TWICE_RADIUS * TWICE_RADIUS;
        ground_clear(r->g, x, y, inside ? r->pavement : r->sidewalk);
    }
    for (int i = 0; i < GROUND_SIDES; i++)
        if (r->arms[i])
            draw_pavement(r, i, HALF);
    /* Puts six lamps around a round dead end. */
    enum { LAMPS = 6 };
    static const int places[LAMPS][2] = {{3, 4}, {20, 4}, {0, 12}, {23, 12}, {3, 19}, {20, 19}};
    const uint32_t lamp = ground_id(r->g, "f_street_light");
    for (int i = 0; i < GROUND_SIDES; i++)
        for (int k = 0; k < LAMPS && r->arms[i]; k++)
            put_lamp(r, (i + 2) % GROUND_SIDES, places[k][0], places[k][1], lamp);
    return true;
}

/* Draws the sidewalks left and right of the arm at `side`, as seen from the middle. */
static void draw_sidewalks(road *r, int side, int length)
{
    const int left = (side + 3) % GROUND_SIDES, right = (side + 1) % GROUND_SIDES;
    if (r->walks[left] || r->walks[side] || r->corners[left])
        square(r, side, 0, 0, STRIP - 1, length, r->sidewalk);
    if (r->walks[right] || r->walks[side] || r->corners[side])
        square(r, side, LAST - STRIP + 1, 0, LAST, length, r->sidewalk);
}

/* In town every second crossing has traffic lights at its corners, three of them where three
 * roads meet. So has every second straight road that stripes cross, at both ends of the
 * stripes. */
static void put_traffic_lights(road *r, bool striped)
{
    if (!r->town || (!striped && r->count < 3) || !rng_one_in(&r->g->random, 2))
        return;
    const int turns = r->arms[GROUND_NORTH] ? 0 : 1;
    for (int i = 0; i < CORNERS && r->count > 2; i++)
        if (r->arms[i])
            put_traffic_light(r, i, STRIP - 1, STRIP - 1);
    if (r->count == 2) {
        put_traffic_light(r, turns, STRIP - 1, HALF);
        put_traffic_light(r, turns, LAST - STRIP + 1, HALF + 3);
    }
}

static void draw_arms(road *r)
{
    const int length = HALF - 1 + (r->count == 1 ? END : 0);
    if (draw_round(r))
        return;
    for (int i = 0; i < GROUND_SIDES; i++)
        if (r->arms[i])
            draw_sidewalks(r, i, length);
    for (int i = 0; i < GROUND_SIDES; i++)
        if (r->arms[i] && r->count == 1 && r->town)
            square(r, i, 0, length + 1, LAST, LAST, r->sidewalk);
    for (int i = 0; i < GROUND_SIDES; i++)
        if (r->arms[i])
            draw_pavement(r, i, length);
    for (int i = 0; i < GROUND_SIDES; i++)
        if (r->arms[i]) { /* the yellow lines end early if there is a crossing in the middle */
            const bool crossed = r->count == 4 || (r->count == 3 && !r->arms[(i + 2) % 4]);
            draw_lines(r, i, crossed ? STRIP : r->count == 1 ? HALF - 1 : HALF);
        }
    const bool striped = draw_zebras(r);
    put_lamps(r);
    put_traffic_lights(r, striped);
}

/* ---- curves ---- */

/* Draws a curve. It is drawn like a road that leads north and east, with pavement above the
 * diagonal of the map, and then turned by `turns` quarters. */
static void draw_curve(road *r, int turns)
{
    const int north = turns, east = (turns + 1) % GROUND_SIDES;
    const int south = (turns + 2) % GROUND_SIDES, west = (turns + 3) % GROUND_SIDES;
    /* Is there a sidewalk along the outer side of the curve, which is its south, south-west and
     * west? */
    const bool walk = r->walks[south] || r->walks[west] || r->corners[south];
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        int a = x, b = y;
        ground_turn(&a, &b, turns);
        const bool middle = x >= STRIP && y <= LAST - STRIP;
        const bool paved = x > y && (middle || (x < STRIP && r->curves[north] < 0) ||
                                     (y > LAST - STRIP && r->curves[east] > 0));
        const bool beside = x > y - STRIP && (x < STRIP || y > LAST - STRIP || y >= x);
        const int off = x - y - (HALF - turns / 2), phase = (x + turns / 2) % 4;
        if (paved)
            ground_clear(r->g, a, b,
                         phase != 0 && (off == 0 || off == 1) ? r->yellow : r->pavement);
        else if (walk && beside)
            ground_clear(r->g, a, b, r->sidewalk);
    }
    if (walk)
        ground_furnish(r->g, turns == 1 || turns == 2 ? HALF - 1 : HALF,
                       turns < 2 ? HALF : HALF - 1, ground_id(r->g, "f_street_light"));
}

void make_road(ground *g)
{
    enum { ITEMS = 5, MARGIN = 6 };
    road r;
    static const int corners[CORNERS] = {2, 8, 6, 0};
    uint8_t line = line_of(&g->site->around[GROUND_MIDDLE]);
    r = (road){.g = g};
    r.pavement = ground_id(g, "t_pavement");
    r.yellow = ground_id(g, "t_pavement_y");
    r.zebra = ground_id(g, "t_zebra");
    r.sidewalk = ground_id(g, "t_sidewalk");
    if (line == 0)
        line = 1 << GROUND_SOUTH; /* A road that leads to no side is drawn as a dead end. */
    for (int i = 0; i < GROUND_SIDES; i++) {
        r.arms[i] = line >> i & 1;
        r.count += r.arms[i];
        r.walks[i] = ground_side(g, i)->sidewalk;
        r.corners[i] = g->site->around[corners[i]].sidewalk;
        r.town = r.town || r.walks[i] || r.corners[i];
        if (r.arms[i])
            r.curves[i] = curve_of(ground_side(g, i), i);
    }
    ground_cover(g);
    int turns = 0; /* clockwise quarter turns of the road, if it is a curve */
    while (turns < GROUND_SIDES &&
           !(r.count == 2 && r.arms[turns] && r.arms[(turns + 1) % GROUND_SIDES]))
        turns++;
    if (turns < GROUND_SIDES)
        draw_curve(&r, turns);
    else
        draw_arms(&r);
    if (strcmp(g->type, "road_nesw_manhole") == 0) {
        const int32_t x = rng_range(&g->random, MARGIN, LAST - MARGIN);
        const int32_t y = rng_range(&g->random, MARGIN, LAST - MARGIN);
        ground_clear(g, x, y, ground_id(g, "t_manhole_cover"));
    }
    ground_items(g, ground_id(g, "road"), ITEMS);
    /* In the game's maps 276 of 543 roads in town have monsters. */
    if (r.town && rng_one_in(&g->random, 2))
        ground_monsters(g, "GROUP_ZOMBIE", -1, 0, 0, LAST, LAST);
}

/* ---- what vehicles ask ---- */

/* Returns the name of a road's shape. *turns becomes the number of quarter turns by which the
 * game's drawing of that shape must be rotated to get this road. In the game's drawings, which
 * the directions of vehicles refer to, straight roads run from north to south, curves from
 * north to east, and tees have arms to all sides but south. */
static const char *shape_of(uint8_t line, int *turns)
{
    const int count = __builtin_popcount(line), first = line ? __builtin_ctz(line) : 0;
    *turns = count == 1 ? first : 0;
    if (count == 2) {
        const bool corner = line != 5 && line != 10;
        *turns = corner && first == 0 && line >> 3 & 1 ? 3 : first;
        return corner ? "road_curved" : "road_straight";
    }
    for (int i = 0; i < GROUND_SIDES && count == 3; i++)
        if (!(line >> i & 1))
            *turns = (i + 2) % GROUND_SIDES;
    return count == 3 ? "road_tee" : count == 4 ? "road_four_way" : "road_end";
}

bool ground_has_traffic(const char *type)
{
    return strcmp(type, "s_lot") == 0 || strcmp(type, "subway") == 0 ||
           ground_starts(type, "hiway_") || ground_starts(type, "road");
}

bool ground_road_of(ground_road *out, const ground_site *site, const char *type)
{
    const ground_omt *own = &site->around[GROUND_MIDDLE];
    *out = (ground_road){.shape = ""};
    if (strcmp(type, "s_lot") == 0) {
        out->spawn = "default_parkinglot";
        out->shape = "parkinglot";
        out->turns = ground_lot_turns(site);
        return true;
    }
    if (ground_starts(type, "hiway_")) {
        out->spawn = "default_highway";
        out->turns = strstr(own->id, "_ew") != NULL;
        return true;
    }
    if (strcmp(type, "subway") == 0) {
        const bool end = own->line && !(own->line & (own->line - 1));
        out->shape = shape_of(own->line, &out->turns);
        out->spawn = "default_subway_deadend";
        return end;
    }
    const uint8_t line = line_of(own);
    bool town = false;
    for (int i = 0; i < GROUND_AROUND; i++)
        town = town || (i != GROUND_MIDDLE && site->around[i].sidewalk);
    out->spawn = town ? "default_city" : "default_country";
    out->shape = shape_of(line, &out->turns);
    return line != 0;
}

/* ---- highways ---- */

/* Makes a highway, from north to south or from west to east as its name says, with rails at
 * both sides. */
void make_highway(ground *g)
{
    enum { RAIL = 3 };
    const uint32_t pavement = ground_id(g, "t_pavement"), yellow = ground_id(g, "t_pavement_y");
    const uint32_t rail = ground_id(g, "t_guardrail_bg_dp");
    const bool across = strstr(g->site->around[GROUND_MIDDLE].id, "_ew") != NULL;
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const int over = across ? y : x, along = across ? x : y;
        if (over == RAIL || over == LAST - RAIL)
            ground_clear(g, x, y, rail);
        else if (over > RAIL && over < LAST - RAIL)
            ground_clear(g, x, y,
                         (over == HALF - 1 || over == HALF) && along % 4 != (across ? 3 : 0)
                             ? yellow
                             : pavement);
    }
}

/* A parking lot is pavement with two columns of marked places, and a way in from the road. */
int ground_lot_turns(const ground_site *site)
{
    int turns = 0;
    for (int side = GROUND_EAST; side < GROUND_SIDES; side++)
        if (ground_starts(site->around[ground_beside(side)].id, "road_"))
            turns += side;
    return turns % GROUND_SIDES;
}

void make_parking_lot(ground *g)
{
    enum { ITEMS_CHANCE = 8 };
    const uint32_t pavement = ground_id(g, "t_pavement"), line = ground_id(g, "t_pavement_y");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        /* Lines separate the parking places. The way in lies in the north of the drawing, which
         * is rotated afterwards. */
        enum { FIRST = 5, LINES = 5, APART = 4 };
        const bool row = y >= FIRST && (y - FIRST) % APART == 0 && y < FIRST + LINES * APART;
        if (row && ((x > 1 && x < 8) || (x > 14 && x < LAST - 1)))
            ground_clear(g, x, y, line);
        else if (y < 2 ? x > 7 && x < 17 : y < LAST - 1 && x > 1 && x < LAST - 1)
            ground_clear(g, x, y, pavement);
    }
    ground_items(g, ground_id(g, "road"), ITEMS_CHANCE);
    local_map_rotate(g->map, ground_lot_turns(g->site));
}
