/*
 * Exits: where roads, rails and tunnels cross an edge by plan. A function of seed, edge and
 * network, read off noise and the edge's own rivers only, so that both neighbours know it.
 *
 * A few positions are drawn at random; if none of them fits, all of the edge is looked at and
 * one of those that fit is drawn. So each position that fits is as likely as any other, and
 * an exit is never missed by bad luck. What is known of a column is kept, since lake noise is
 * the costly part.
 */
#include "gen/plan/plan.h"

#include "core/hash.h"

#include <string.h>

enum {
    SIZE = PTL_CHUNK_SIZE,
    R = PLAN_REACH,
    COLUMNS = (SIZE + NOISE_BLOCK - 1) / NOISE_BLOCK * NOISE_BLOCK,
    FIRST = R + 1, /* the first and last position of an exit */
    LAST = SIZE - 2 - R,
    TRIES = 6
};

/* The strip on both sides of the edge: column p is the 2 R cells at position p. */
typedef struct strip {
    const gen_config *config;
    const edge *edge;
    uint8_t rivers[STRIP_CELLS]; /* of plan_river_strip */
    uint8_t known[COLUMNS], water[COLUMNS];
    bool corners[COLUMNS / NOISE_SQUARE]; /* look_at_corners has been tried */
} strip;

/* The eight columns of a south edge that hold this one: a block of noise runs along the edge.
 */
static void look_at_block(strip *s, int32_t position)
{
    const gen_config *config = s->config;
    int32_t first = position / NOISE_BLOCK * NOISE_BLOCK;
    int64_t x = (int64_t)s->edge->x * SIZE + first, border = ((int64_t)s->edge->y + 1) * SIZE;
    for (int32_t distance = -R; distance < R; distance++) {
        uint8_t lake[NOISE_BLOCK];
        config->kernels->lake(&config->noise, x, border + distance, lake);
        for (int32_t i = 0; i < NOISE_BLOCK; i++)
            s->water[first + i] |= lake[i];
    }
    memset(s->known + first, 1, NOISE_BLOCK);
}

/* A column of an east edge: blocks of noise run along the column. */
static void look_at_column(strip *s, int32_t position)
{
    const gen_config *config = s->config;
    int64_t y = (int64_t)s->edge->y * SIZE + position;
    int64_t border = ((int64_t)s->edge->x + 1) * SIZE;
    for (int32_t distance = -R; distance < R; distance += NOISE_BLOCK) {
        uint8_t lake[NOISE_BLOCK];
        config->kernels->lake(&config->noise, border + distance, y, lake);
        for (int32_t i = 0; i < NOISE_BLOCK; i++)
            s->water[position] |= lake[i];
    }
    s->known[position] = 1;
}

/* Eight columns are dry where the noise at the corners of their squares is far below that of
 * lakes; false where it isn't, or where that has been asked already. */
static bool look_at_corners(strip *s, int32_t position)
{
    bool *tried = &s->corners[position / NOISE_SQUARE];
    bool dry = !*tried;
    *tried = true;
    const gen_config *config = s->config;
    const bool east = s->edge->side == EDGE_EAST;
    const int32_t first = position / NOISE_SQUARE * NOISE_SQUARE;
    const int64_t border = ((int64_t)(east ? s->edge->x : s->edge->y) + 1) * SIZE;
    const int64_t along = (int64_t)(east ? s->edge->y : s->edge->x) * SIZE + first;
    /* Squares lie side by side along x: on an east edge they are the whole strip. */
    for (int32_t distance = -R; dry && distance < R; distance += east ? 2 * R : NOISE_SQUARE) {
        uint8_t squares[NOISE_SQUARES];
        config->kernels->lake_squares(&config->noise, east ? border + distance : along,
                                      east ? along : border + distance, squares);
        for (int32_t i = 0; i < (east ? 2 * R / NOISE_SQUARE : 1); i++)
            dry = dry && squares[i] == NOISE_ALL_BELOW;
    }
    for (int32_t i = first; dry && i < first + NOISE_SQUARE; i++)
        s->known[i] = 1;
    return dry;
}
_Static_assert((int)R % (int)NOISE_SQUARE == 0 && 2 * (int)R <= NOISE_SQUARES * NOISE_SQUARE,
               "a strip's width is a few squares");

static bool column_is_dry(strip *s, int32_t position)
{
    if (!s->known[position] && !look_at_corners(s, position)) {
        if (s->edge->side == EDGE_EAST)
            look_at_column(s, position);
        else
            look_at_block(s, position);
    }
    return !s->water[position];
}

static void mark_rivers(strip *s, const edge *rivers)
{
    if (rivers->count == 0)
        return;
    plan_river_strip(s->rivers, s->config, rivers);
    for (int32_t row = 0; row < 2 * R; row++)
        for (int32_t p = 0; p < SIZE; p++)
            s->water[p] |= s->rivers[row * SIZE + p];
    /* A column with a river needs no noise. */
    for (int32_t p = 0; p < SIZE; p++)
        s->known[p] = s->water[p];
}

static bool fits(strip *s, int32_t position, const crossing *taken, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int32_t gap = position - taken[i].position;
        if (gap < EXIT_GAP && gap > -EXIT_GAP)
            return false;
    }
    return column_is_dry(s, position) && column_is_dry(s, position - 1) &&
           column_is_dry(s, position + 1);
}

/* A random position among those that fit; -1 if none does. */
static int32_t find_position(strip *s, rng *r, const crossing *taken, size_t count)
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

static rng exit_stream(const gen_config *config, const edge *e, const char *kind)
{
    uint64_t key = hash_add(config->seed, hash_string("exits"));
    key = hash_add(hash_add(key, (uint32_t)e->x), (uint32_t)e->y);
    return rng_from_key(hash_add(hash_add(key, (uint64_t)e->side), hash_string(kind)));
}

static size_t wanted_exits(const gen_network *network, rng *r)
{
    uint32_t roll = rng_below(r, 100);
    size_t wanted = 0;
    while (wanted < 2 && roll >= network->chances[wanted])
        roll -= network->chances[wanted++];
    return wanted;
}

size_t plan_exits(crossing *out, const gen_config *config, const edge *rivers)
{
    strip s = {.config = config, .edge = rivers};
    bool marked = false;
    size_t count = 0;
    for (size_t i = 0; i < config->network_count; i++) {
        const gen_network *network = &config->networks[i];
        rng r = exit_stream(config, rivers, network->kind);
        size_t wanted = wanted_exits(network, &r);
        if (wanted > 0 && !marked)
            mark_rivers(&s, rivers);
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
