/* A parking lot: pavement with two columns of marked places, and a way in to the road. */
#include "mapgen/ground/ground_impl.h"

#include <string.h>

enum { LAST = LOCAL_SIDE - 1 };

int ground_lot_turns(const ground_site *site)
{
    int turns = 0;
    for (int side = GROUND_EAST; side < GROUND_SIDES; side++)
        if (ground_starts(site->around[ground_beside(side)].id, "road_"))
            turns += side;
    return turns % GROUND_SIDES;
}

/* Is a line between places there, of the drawing that has its way in to the north? */
static bool is_line(int x, int y)
{
    enum { FIRST = 5, LINES = 5, APART = 4 };
    const bool row = y >= FIRST && (y - FIRST) % APART == 0 && y < FIRST + LINES * APART;
    return row && ((x > 1 && x < 8) || (x > 14 && x < LAST - 1));
}

static bool is_paved(int x, int y)
{
    if (y < 2)
        return x > 7 && x < 17;
    return y < LAST - 1 && x > 1 && x < LAST - 1;
}

void make_parking_lot(ground *g)
{
    enum { ITEMS_CHANCE = 8 };
    const uint32_t pavement = ground_id(g, "t_pavement"), line = ground_id(g, "t_pavement_y");
    ground_cover(g);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        if (is_line(x, y))
            ground_clear(g, x, y, line);
        else if (is_paved(x, y))
            ground_clear(g, x, y, pavement);
    }
    ground_items(g, ground_id(g, "road"), ITEMS_CHANCE);
    local_map_rotate(g->map, ground_lot_turns(g->site));
}
