/* Trails through thick forest: from the middle to each side that they lead to. Where a trail
 * crosses a border depends on the border, so that it goes on beyond it. */
#include "mapgen/ground/ground_impl.h"

enum { MIDDLE = LOCAL_SIDE / 2, LAST = LOCAL_SIDE - 1 };

static int32_t limited(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

static void put_path(ground *g, const ground_trail *t, int x, int y)
{
    const ground_choice *c = ground_draw(&t->terrain, &g->random);
    const uint32_t id = c && !c->furniture && g->site->settings
                            ? ground_resolve(g->site->settings, &g->random, c->id)
                            : ID_NONE;
    ground_clear(g, x, y, id != ID_NONE ? id : ground_id(g, "t_dirt"));
}

/* A stretch from (x, y) to the border at `across`, step by step outwards. */
static void draw_arm(ground *g, const ground_trail *t, int side, int x, int y)
{
    const int32_t variance = limited(t->variance, 0, MIDDLE - 4);
    const int32_t low = limited(t->width_min, 1, MIDDLE),
                  high = limited(t->width_max, low, MIDDLE);
    rng border = ground_border(g, side);
    const int across = MIDDLE + rng_range(&border, -variance, variance);
    const bool vertical = side == GROUND_NORTH || side == GROUND_SOUTH;
    const int from = vertical ? y : x, start = vertical ? x : y;
    const int end = side == GROUND_NORTH || side == GROUND_WEST ? 0 : LAST;
    const int step = end < from ? -1 : 1, length = (end - from) * step;
    for (int i = 0; i <= length; i++) {
        const int along = from + i * step;
        const int centre = length > 0 ? start + (across - start) * i / length : across;
        const int before = rng_range(&g->random, low, high);
        const int after = rng_range(&g->random, low, high);
        for (int k = centre - before + 1; k < centre + after; k++)
            put_path(g, t, vertical ? k : along, vertical ? along : k);
    }
}

void make_trail(ground *g)
{
    enum { CHANCE = 75 };
    static const ground_trail usual = {3, 1, 3, {NULL, 0, NULL}};
    const ground_settings *s = g->site->settings;
    const ground_trail *t = s && s->trail.width_max > 0 ? &s->trail : &usual;
    const uint8_t line = g->site->around[GROUND_MIDDLE].line;
    const int32_t variance = limited(t->variance, 0, MIDDLE - 4);
    g->type = "forest_thick";
    make_forest(g);
    const int x = MIDDLE + rng_range(&g->random, -variance, variance);
    const int y = MIDDLE + rng_range(&g->random, -variance, variance);
    for (int side = 0; side < GROUND_SIDES; side++)
        if (line >> side & 1)
            draw_arm(g, t, side, x, y);
    ground_items(g, ground_id(g, "forest_trail"), CHANCE);
}
