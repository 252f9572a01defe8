/*
 * Streets. A straight piece is drawn first. Then side streets leave it at the ends of its
 * blocks, and buildings are placed along it, in the order of generation.md 5.6. Growth ends
 * because each side street is shorter than its parent and needs free ground; a count bounds it
 * as well.
 */
#include "gen/cities/city.h"

enum {
    BLOCK_WIDTH = 2,
    CLOSED_TO_STREETS = CAT_FLAGS_WATER | CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE,
    /* One crossing in this many gets a manhole. The games' own worlds have one in 10.8. */
    MANHOLE_CHANCE = 8
};

typedef struct street {
    int32_t x, y; /* where the street begins: a cell of the street that it leaves */
    int direction;
    int32_t reach; /* its length; a longer street gets more side streets */
    int32_t width; /* length of its blocks */
} street;

static bool has_road(const town *t, int32_t x, int32_t y)
{
    const generator *g = t->ground->g;
    return t->ground->road[g->ground[y * SIZE + x]].has;
}

/* May a street lie here? If half of the six cells around are streets, one runs right next to
 * this cell already. */
static bool open_to_street(const town *t, int32_t x, int32_t y, int direction)
{
    const generator *g = t->ground->g;
    if (!city_clear(x, y))
        return false;
    const int32_t cell = y * SIZE + x;
    const ptl_oter ground = g->ground[cell];
    const int32_t built = t->ground->built[cell] & ~CITY_STREET;
    if (g->reserved[cell] || (built >> -PTL_Z_MIN & 1))
        return false;
    if (ground != t->ground->manhole &&
        (g->config->cat->oters[ground].flags & CLOSED_TO_STREETS ||
         !t->ground->road[ground].step || !connect_turns(g, g->config->road, ground)))
        return false;
    /* Count the other streets beside the cell and at its corners, without the cells straight
     * ahead and behind. */
    int32_t count = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (direction % 2 == 0 ? dx != 0 : dy != 0)
                count += has_road(t, x + dx, y + dy);
    return count < 3;
}

/* Draws the street. Returns the number of cells drawn, 0 if none could be. */
static int32_t draw(town *t, const street *s)
{
    generator *g = t->ground->g;
    path_node nodes[SIZE];
    /* Count the street's cells, its first one included. It ends on the first road that it
     * meets, and goes on by one cell if another road lies behind that. */
    const int32_t dx = step_x(s->direction), dy = step_y(s->direction);
    int32_t length = s->reach + 1, count = 0;
    const int32_t x = s->x + dx * (length + 1), y = s->y + dy * (length + 1);
    if (city_clear(x, y) && has_road(t, x, y))
        length++;
    while (count < length) {
        const int32_t at_x = s->x + dx * count, at_y = s->y + dy * count;
        /* The centre of a fixed city may lie on any ground. */
        const bool centre = t->fixed && at_x == t->x && at_y == t->y;
        if (!centre && !open_to_street(t, at_x, at_y, s->direction))
            break;
        count++;
        if (count > 1 && has_road(t, at_x, at_y))
            break;
    }

    if (count <= 1)
        return 0;
    for (int32_t i = 0; i < count; i++) {
        nodes[i].x = (int16_t)(s->x + step_x(s->direction) * i);
        nodes[i].y = (int16_t)(s->y + step_y(s->direction) * i);
        nodes[i].direction = (int8_t)(i + 1 < count ? s->direction : CONNECT_ANY);
    }
    if (!connect_draw(g, g->config->road, 0, nodes, (size_t)count))
        return 0;
    for (int32_t i = 0; i < count; i++)
        t->ground->built[nodes[i].y * SIZE + nodes[i].x] |= CITY_STREET;
    return count;
}

static void grow(town *t, street s);

/* Starts a side street, up to three cells shorter than its parent. A side street of a single
 * cell is not built: it would be a mere stub. */
static void branch(town *t, const street *from, int32_t x, int32_t y, int turn, int32_t width)
{
    int32_t reach = from->reach - rng_range(&t->random, 1, 3);
    reach = reach == 1 ? 2 : reach;
    grow(t, (street){x, y, (from->direction + turn) % 4, reach, width});
}

/* Ends a street at the edge of town: it turns, and sometimes forks. */
static void turn_off(town *t, const street *s, int32_t x, int32_t y, int32_t width)
{
    const int32_t reach = s->reach - rng_range(&t->random, 1, 3);
    if (reach < 2)
        return;
    const int direction = (s->direction + (rng_below(&t->random, 2) ? 1 : 3)) % 4;
    grow(t, (street){x, y, direction, reach, BLOCK_WIDTH});
    if (rng_one_in(&t->random, 5))
        grow(t, (street){x, y, opposite(direction), reach, width});
}

/* Draws a street and lets side streets and buildings grow along it. `rest` counts down to the
 * street's end. The next pair of side streets comes when more than a block lies behind the
 * last. */
static void grow(town *t, street s)
{
    if (s.reach < 1 || t->streets < 0)
        return;
    if (t->streets-- == 0) { /* the city has used up its number of street pieces */
        add_event(t->ground->g, "city_cut", t->x, t->y, 0,
                  "more streets than a city may have; it stays as it is");
        return;
    }
    const int32_t count = draw(t, &s);
    if (count == 0)
        return;
    const int32_t width = s.width == BLOCK_WIDTH ? rng_range(&t->random, 3, 5) : BLOCK_WIDTH;
    const int left = 3, right = 1;
    int32_t rest = s.reach, last_side = s.reach, x = s.x, y = s.y;
    for (int32_t i = 1; i < count; i++) {
        x += step_x(s.direction);
        y += step_y(s.direction);
        rest--;
        if (rest >= 2 && rest < last_side - s.width) {
            last_side = rest;
            branch(t, &s, x, y, left, width);
            branch(t, &s, x, y, right, width);
            /* A crossing with all four arms may become a manhole. */
            ptl_oter *ground = &t->ground->g->ground[y * SIZE + x];
            if (t->ground->manhole != CAT_NONE && rng_one_in(&t->random, MANHOLE_CHANCE) &&
                t->ground->g->config->cat->oters[*ground].line == 15 && has_road(t, x, y))
                *ground = t->ground->manhole;
        }
        if (!rng_one_in(&t->random, 4))
            city_building(t, x, y, (s.direction + left) % 4);
        if (!rng_one_in(&t->random, 4))
            city_building(t, x, y, (s.direction + right) % 4);
    }
    if (rest == 0)
        turn_off(t, &s, x, y, width);
}

void city_street(town *t, int32_t x, int32_t y, int direction)
{
    grow(t, (street){x, y, direction, t->size, BLOCK_WIDTH});
}
