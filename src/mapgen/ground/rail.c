/*
 * Makes subways and railroads: two tracks, each seven tiles wide, as in the game's subways.
 * Railroads have the same tracks on the ground. Curves run across a corner and meet the
 * straight tracks at the border.
 */
#include "mapgen/ground/ground_impl.h"

enum { LAST = LOCAL_SIDE - 1, TRACKS = 2, WIDE = 7, TIES = 3 };

typedef struct rails {
    ground *g;
    uint32_t rubble, track, tie, tied, slanted;
    uint32_t floor, rock; /* terrains of subways; ID_NONE: what is on the tile stays */
} rails;

static void find(rails *r, ground *g)
{
    *r = (rails){.g = g};
    r->rubble = ground_id(g, "t_railroad_rubble");
    r->track = ground_id(g, "t_railroad_track");
    r->tie = ground_id(g, "t_railroad_tie");
    r->tied = ground_id(g, "t_railroad_track_on_tie");
    r->slanted = ground_id(g, "t_railroad_track_d");
}

/* Returns the terrain of the tile that lies `over` tiles from the left or upper border of a map
 * with straight tracks; ID_NONE: the tile lies beside the tracks. */
static uint32_t straight_tile(const rails *r, int over, bool tie)
{
    static const int first[TRACKS] = {3, 14};
    for (int i = 0; i < TRACKS; i++) {
        const int at = over - first[i];
        if (at < 0 || at >= WIDE)
            continue;
        const bool rail = at == 1 || at == WIDE - 2;
        if (tie)
            return rail ? r->tied : r->tie;
        return rail ? r->track : r->rubble;
    }
    return ID_NONE;
}

/* Draws straight tracks from one tile to another, both included. `from` and `to` are columns if
 * the tracks lie `across` the map, from west to east; otherwise they are rows. */
static void draw_straight(rails *r, bool across, int from, int to)
{
    for (int along = from; along <= to; along++)
        for (int over = 0; over < LOCAL_SIDE; over++) {
            uint32_t id = straight_tile(r, over, along % TIES == 1);
            if (id == ID_NONE)
                id = r->floor;
            if (id != ID_NONE)
                ground_clear(r->g, across ? along : over, across ? over : along, id);
        }
}

/* Draws a curve that leads from the east to the south, rotated clockwise by `turns` quarter
 * turns. Before the rotation, all tiles with the same sum of x and y have the same terrain. */
static void draw_curve(rails *r, int turns, bool over)
{
    enum { FIRST_FLOOR = 19, FIRST_TRACK = 26, SECOND_TRACK = 37, SPAN = 8 };
    for (int i = 0; i < LOCAL_CELLS; i++) {
        int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const int sum = x + y;
        const int at = sum < SECOND_TRACK ? sum - FIRST_TRACK : sum - SECOND_TRACK;
        const bool on = at >= 0 && at < SPAN, rail = on && (at % 4 == 1 || at % 4 == 2);
        ground_turn(&x, &y, turns);
        uint32_t id = rail                ? r->slanted
                      : on                ? r->rubble
                      : sum < FIRST_FLOOR ? r->rock
                                          : r->floor;
        const uint32_t here = ground_at(r->g, x, y);
        if (over && (!on || here == r->track || here == r->tied || here == r->slanted))
            continue; /* the tile lies beside the tracks */
        if (id != ID_NONE)
            ground_clear(r->g, x, y, id);
    }
}

static void draw_line(rails *r, uint8_t line)
{
    enum { NS = 5, EW = 10, END = 20 };
    const bool upright = (line & NS) == NS, across = (line & EW) == EW;
    const int count = __builtin_popcount(line);
    if (upright)
        draw_straight(r, false, 0, LAST);
    else if (across)
        draw_straight(r, true, 0, LAST);
    if (count <= 1) { /* the tracks end here */
        const bool lies = line & EW, low = line & 9;
        draw_straight(r, lies, low ? 0 : LAST - END, low ? END : LAST);
    }
    for (int i = 0; i < GROUND_SIDES; i++)
        if (count > 1 && (line >> i & 1) && (line >> (i + 1) % GROUND_SIDES & 1) &&
            (count > 2 || !(upright || across)))
            draw_curve(r, (i + 3) % GROUND_SIDES, upright || across);
}

void make_subway(ground *g)
{
    rails r;
    find(&r, g);
    r.floor = ground_id(g, "t_rock_floor");
    r.rock = ground_id(g, "t_rock");
    ground_fill(g, "t_rock");
    draw_line(&r, g->site->around[GROUND_MIDDLE].line);
}

void make_railroad(ground *g)
{
    enum { NS = 5, EW = 10 };
    rails r;
    const ground_omt *own = &g->site->around[GROUND_MIDDLE];
    find(&r, g);
    ground_cover(g);
    if (ground_starts(g->type, "railroad_bridge")) {
        ground_fill(g, "t_water_moving_dp");
        r.floor = ground_id(g, "t_bridge");
        draw_line(&r, own->turns % 2 ? EW : NS);
        return;
    }
    draw_line(&r, own->line ? own->line : NS);
}
