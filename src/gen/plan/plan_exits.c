/*
 * Exits: where roads, rails and tunnels cross an edge by plan. They are a function of seed,
 * edge and network, and read only noise and the edge's own rivers and highway, so that both
 * neighbours compute the same.
 *
 * A few positions are tried at random. If none of them fits, the whole edge is searched, and
 * one of the positions that fit is drawn. So each position that fits is equally likely, and no
 * exit is missed by bad luck.
 */
#include "gen/plan/plan_strip.h"

#include "core/hash.h"

enum {
    SIZE = PTL_CHUNK_SIZE,
    R = PLAN_REACH,
    FIRST = R + 1, /* the first and last position of an exit */
    LAST = SIZE - 2 - R,
    TRIES = 6
};

/* Does a fixed city lie in the exit's corridor, or right beside it, on either side of the
 * edge? */
static bool meets_city(const gen_config *config, const edge *e, int32_t position)
{
    enum { ASIDE = 2 };
    const bool east = e->side == EDGE_EAST;
    for (int side = 0; side < 2; side++) {
        const ptl_chunk_pos pos = {e->x + (east && side), e->y + (!east && side)};
        const int32_t first = side ? 0 : SIZE - EXIT_CORRIDOR, last = first + EXIT_CORRIDOR - 1;
        const int32_t low = position - ASIDE, high = position + ASIDE;
        if (east ? plan_city_within(config, pos, first, low, last, high)
                 : plan_city_within(config, pos, low, first, high, last))
            return true;
    }
    return false;
}

static bool fits(edge_strip *s, int32_t position, const crossing *taken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t gap = position - taken[i].position;
        if (gap < EXIT_GAP && gap > -EXIT_GAP)
            return false;
    }
    for (size_t i = 0; i < s->edge->count; i++) { /* the edge's highways must be far enough */
        const crossing *c = &s->edge->crossings[i];
        if (crossing_is_highway(c) && position > c->position - HIGHWAY_EXIT_GAP &&
            position < c->position + c->width - 1 + HIGHWAY_EXIT_GAP)
            return false;
    }
    return !meets_city(s->config, s->edge, position) && edge_strip_is_dry(s, position) &&
           edge_strip_is_dry(s, position - 1) && edge_strip_is_dry(s, position + 1);
}

/* Draws a position from those that fit; -1 if none does. */
static int32_t find_position(edge_strip *s, rng *r, const crossing *taken, size_t count)
{
    for (int32_t i = 0; i < TRIES; i++) {
        int32_t position = rng_range(r, FIRST, LAST);
        if (fits(s, position, taken, count))
            return position;
    }
    int16_t list[SIZE];
    size_t found = 0;
    for (int32_t position = FIRST; position <= LAST; position++)
        if (fits(s, position, taken, count))
            list[found++] = (int16_t)position;
    return found > 0 ? list[rng_below(r, found)] : -1;
}

size_t plan_exits(crossing *out, const gen_config *config, const edge *planned)
{
    edge_strip s = {.config = config, .edge = planned};
    bool marked = false;
    const bool east = planned->side == EDGE_EAST;
    const int64_t x = ((int64_t)planned->x + east) * SIZE;
    const int64_t y = ((int64_t)planned->y + !east) * SIZE;
    /* Is all of the strip sea, whatever the noise? */
    const bool sea =
        ocean_in(&config->ocean, east ? x - R : x, east ? y : y - R, x + (east ? R : SIZE) - 1,
                 y + (east ? SIZE : R) - 1) == OCEAN_ALL;
    const size_t networks = sea ? 0 : config->network_count;
    size_t count = 0;
    for (size_t i = 0; i < networks; i++) {
        const gen_network *network = &config->networks[i];
        uint64_t key = hash_add(config->seed, hash_string("exits"));
        key = hash_add(hash_add(key, (uint32_t)planned->x), (uint32_t)planned->y);
        rng r = rng_from_key(
            hash_add(hash_add(key, (uint64_t)planned->side), hash_string(network->kind)));
        uint32_t roll = rng_below(&r, 100);
        size_t wanted = 0;
        while (wanted < 2 && roll >= network->chances[wanted])
            roll -= network->chances[wanted++];

        if (wanted > 0 && !marked)
            edge_strip_mark_rivers(&s);
        marked = marked || wanted > 0;
        for (size_t k = 0; k < wanted; k++) {
            int32_t position = find_position(&s, &r, out, count);
            if (position < 0)
                break;
            out[count++] = (crossing){
                .kind = network->kind, .position = (int16_t)position, .z = network->z};
        }
    }
    return count;
}
