#include "gen/plan/plan.h"

#include "core/error.h"
#include "core/whole.h"
#include "gen/plan/plan_strip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Two numbers that depend on where an overmap lies, seen from the world's origin (generation.md
 * 4.8): how urban the overmap is, and by how much its forest widens the spacing of cities. In
 * some regions there is also more forest farther from the origin. That is part of the forest's
 * noise (noise.h), cell by cell, so that no overmap's border shows a sudden change.
 */

/* Returns how far an overmap lies towards a side (north, east, south, west); 0 if it lies
 * towards the opposite side. */
static int32_t towards(ptl_chunk_pos pos, int side)
{
    const int32_t along = side == 0 ? -pos.y : side == 1 ? pos.x : side == 2 ? pos.y : -pos.x;
    return along > 0 ? along : 0;
}

/* Returns how urban an overmap is. For each side towards which the region's urbanity grows, the
 * result gets a tenth of the growth times the overmap's distance towards that side. Then the
 * two neighbouring sides are looked at: for each of them towards which urbanity does not grow,
 * the result so far is divided by half of the distance towards it, if that half is more than 1.
 * The games compute urbanity in this way and order. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos)
{
    static const int order[4] = {0, 1, 3, 2};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const int side = order[i];
        const int32_t distance = towards(pos, side);
        if (region->urbanity_increase[side] == 0 || distance == 0)
            continue;
        sum += (double)distance * region->urbanity_increase[side] / 10.0;
        for (int turn = 1; turn <= 3; turn += 2) {
            const int beside = (side + turn) % 4;
            const double apart = towards(pos, beside) / 2.0;
            if (region->urbanity_increase[beside] == 0 && apart > 1)
                sum /= apart;
        }
    }
    return (int32_t)trunc(sum);
}

/* Multiplies, for each of the four sides, the forest's growth per overmap towards that side by
 * how far the overmap lies towards it. Returns 25 times the sum of the four products. The
 * growth is computed in millionths, because the games' own numbers are whole in this unit. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos)
{
    double sum = 0;
    for (int side = 0; side < 4; side++)
        sum += floor(region->forest_increase[side] * 1e6 + 0.5) * towards(pos, side);
    return (int32_t)trunc(sum * 25 / 1e6);
}

enum { SIZE = PTL_CHUNK_SIZE, R = PLAN_REACH };

/* Tries to tell cheaply whether the eight columns of the edge's strip around the position are
 * dry. It looks at the noise of lake and sea only at the corners of squares of 8 x 8 cells.
 * True if this shows that the noise is below the thresholds in all cells of the columns. False
 * if it does not, or if these columns were tried before. */
static bool look_at_corners(edge_strip *s, int32_t position)
{
    bool *tried = &s->corners[position / NOISE_SQUARE];
    bool dry = !*tried;
    *tried = true;
    const gen_config *config = s->config;
    const bool east = s->edge->side == EDGE_EAST;
    const int32_t first = position / NOISE_SQUARE * NOISE_SQUARE;
    const int64_t border = ((int64_t)(east ? s->edge->x : s->edge->y) + 1) * SIZE;
    const int64_t along = (int64_t)(east ? s->edge->y : s->edge->x) * SIZE + first;
    /* The kernel `squares` classifies NOISE_SQUARES squares that lie side by side from west to
     * east. The strip of an east edge lies along y, so one call covers its whole width. The
     * strip of a south edge lies along x, so each row of squares takes a call. */
    for (int32_t distance = -R; dry && distance < R; distance += east ? 2 * R : NOISE_SQUARE) {
        const int64_t x = east ? border + distance : along;
        const int64_t y = east ? along : border + distance;
        uint8_t squares[NOISE_SQUARES], sea[NOISE_SQUARES];
        config->kernels->squares(&config->noise.lake, config->noise.lake_bounds, x, y, squares);
        ocean_squares(&config->ocean, x, y, sea);
        for (int32_t i = 0; i < (east ? 2 * R / NOISE_SQUARE : 1); i++)
            dry = dry && squares[i] == NOISE_ALL_BELOW && sea[i] == NOISE_ALL_BELOW;
    }
    for (int32_t i = first; dry && i < first + NOISE_SQUARE; i++)
        s->known[i] = 1;
    return dry;
}
_Static_assert((int)R % (int)NOISE_SQUARE == 0 && 2 * (int)R <= NOISE_SQUARES * NOISE_SQUARE,
               "a strip's width is a few squares");

/* Finds out whether the strip has water at a position, from the noise of all cells there. Noise
 * is computed for blocks of eight OMTs in a row, from west to east. On an east edge such rows
 * lie across the border, so all blocks that are computed belong to this position. On a south
 * edge they lie along the border, so each block covers eight positions of the edge. */
static inline void look_at_blocks(edge_strip *s, int32_t position)
{
    const gen_config *config = s->config;
    const bool east = s->edge->side == EDGE_EAST;
    const int32_t first = east ? position : position / NOISE_BLOCK * NOISE_BLOCK;
    const int64_t along = (int64_t)(east ? s->edge->y : s->edge->x) * SIZE + first;
    const int64_t border = ((int64_t)(east ? s->edge->x : s->edge->y) + 1) * SIZE;
    for (int32_t distance = -R; distance < R; distance += east ? NOISE_BLOCK : 1) {
        const int64_t x = east ? border + distance : along;
        const int64_t y = east ? along : border + distance;
        uint8_t lake[NOISE_BLOCK], sea[NOISE_BLOCK];
        config->kernels->lake(&config->noise, x, y, lake);
        ocean_block(&config->ocean, x, y, sea);
        for (int32_t i = 0; i < NOISE_BLOCK; i++)
            s->water[first + (east ? 0 : i)] |= lake[i] | sea[i];
    }
    memset(s->known + first, 1, east ? 1 : NOISE_BLOCK);
}

bool edge_strip_is_dry(edge_strip *s, int32_t position)
{
    if (!s->known[position] && !look_at_corners(s, position))
        look_at_blocks(s, position);
    return !s->water[position];
}

void edge_strip_mark_rivers(edge_strip *s)
{
    if (s->edge->count == 0)
        return;
    plan_river_strip(s->rivers, s->config, s->edge);
    for (int32_t row = 0; row < 2 * R; row++)
        for (int32_t p = 0; p < SIZE; p++)
            s->water[p] |= s->rivers[row * SIZE + p];
    /* If a river runs through a column of cells, the column has water, whatever its noise is.
     * So its noise need not be computed. */
    for (int32_t p = 0; p < SIZE; p++)
        s->known[p] = s->water[p];
}

void plan_edge_of_chunk(ptl_chunk_pos pos, int direction, int32_t *x, int32_t *y,
                        edge_side *side)
{
    *x = pos.x - (direction == 3);
    *y = pos.y - (direction == 0);
    *side = direction == 1 || direction == 3 ? EDGE_EAST : EDGE_SOUTH;
}

static bool crossing_before(const crossing *a, const crossing *b)
{
    int kinds = strcmp(a->kind, b->kind);
    if (a->z != b->z)
        return a->z < b->z;
    return kinds != 0 ? kinds < 0 : a->position < b->position;
}

ptl_status plan_edge(edge *out, const gen_config *config, int32_t x, int32_t y, edge_side side,
                     ptl_error *err)
{
    *out = (edge){.x = x, .y = y, .side = side, .origin = EDGE_PLANNED};
    crossing list[RIVER_ARMS_MAX + 1 + EXITS_PER_EDGE];
    edge planned = *out;
    planned.crossings = list;
    planned.count = plan_rivers(list, config, out);
    planned.count += plan_highways(list + planned.count, config, &planned);
    size_t count = planned.count + plan_exits(list + planned.count, config, &planned);
    if (count == 0)
        return PTL_OK;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && crossing_before(&list[k], &list[k - 1]); k--) {
            crossing swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    out->crossings = malloc(count * sizeof *list);
    if (!out->crossings)
        return error_nomem(err);
    memcpy(out->crossings, list, count * sizeof *list);
    out->count = count;
    return PTL_OK;
}

/*
 * City sites: how many, how large, and where. Places are chosen at random and kept where noise
 * and the planned ocean leave plain land. So every chunk that asks for the sites of a chunk
 * gets the same list, without making that chunk. Sizes are those of the games (generation.md
 * 4.4): a third tiny, a third small, a sixth large, a sixth huge. Tiny cities have a third of
 * the size that was chosen at random, as in worlds that the games made. Cities that the content
 * fixes, or those of a megacity region, replace all others.
 */

enum {
    /* A greater usual size of cities is not used; content and options allow at most 16. */
    SIZE_LIMIT = 40,
    SPACING_LIMIT = 16, /* greatest spacing of cities with which this file computes; content and
                           options allow at most 8 */
    SPACING_DRAWN = 2,  /* however urban an overmap is, the spacing of its cities is not lowered
                           below this */
    SPACING_FOREST = 10, /* however much an overmap's forest widens the spacing of its cities,
                            it is at most this */
    /* Two city centres are too near if they are at most this many OMTs apart, in regions of
     * DDA since 2026 (for which cat_region.parts is set). */
    APART = 2,
    APART_LEVELLED = 1, /* the same as APART, but for regions of DDA 0.I (for which
                           cat_region.levelled is set) */
    LEAST = 2,
    MOST = 55, /* city sizes in regions of DDA since 0.I are from LEAST to MOST */
    /* The search for a city's place ends after this many random places in a row that did not
     * fit, since then hardly any ground suits a city. */
    MISSES_MAX = 500
};

/* A megacity has centres in the middles of a chunk's quarters and in its own middle. */
enum { NEAR = 45, MIDDLE = 90, FAR = 135, MEGACITY_SIZE = 40, MEGACITY = 5 };
static const int16_t megacity[MEGACITY][2] = {
    {NEAR, NEAR}, {NEAR, FAR}, {MIDDLE, MIDDLE}, {FAR, NEAR}, {FAR, FAR}};

/* Returns the spacing of an overmap's cities, given how urban the overmap is and how much its
 * forest widens the spacing. */
static int32_t spacing_at(const gen_config *config, ptl_chunk_pos pos)
{
    const int32_t spacing = config->city_spacing;
    const int32_t urban = plan_urbanity(config->region, pos) / 2;
    const int32_t forest = plan_forestosity(config->region, pos);
    if (spacing <= 0 || (urban == 0 && forest == 0))
        return spacing;
    const int32_t most = spacing > SPACING_DRAWN ? spacing - SPACING_DRAWN : 0;
    const int64_t at = (int64_t)spacing - (urban < most ? urban : most) + forest;
    return at < 0 ? 0 : at > SPACING_FOREST ? SPACING_FOREST : (int32_t)at;
}

/* The number of a chunk's cities as a fraction: 32,400 * 2^-P / ((2S + 1)^2 * 3/4), where P is
 * the spacing, S the usual city size, and 32,400 the number of cells of a level. */
typedef struct site_share {
    uint32_t dividend, divisor; /* the fraction is dividend / divisor; with a dividend of 0
                                 * there is no city */
} site_share;

static site_share site_share_at(const gen_config *config, int32_t spacing)
{
    const int32_t size = config->city_size < SIZE_LIMIT ? config->city_size : SIZE_LIMIT;
    const uint32_t width = size > 0 ? 2 * (uint32_t)size + 1 : 0;
    spacing = spacing < 0 ? 0 : spacing > SPACING_LIMIT ? SPACING_LIMIT : spacing;
    return (site_share){PTL_LEVEL_CELLS / 3 * 4, (width * width) << spacing};
}

size_t plan_city_most(const gen_config *config)
{
    int32_t spacing = config->city_spacing;
    for (int side = 0; side < 4; side++)
        if (config->region->urbanity_increase[side] > 0 && spacing > SPACING_DRAWN)
            spacing = SPACING_DRAWN;
    const site_share s = site_share_at(config, spacing);
    if (config->region->megacity)
        return MEGACITY;
    return s.divisor == 0 ? 0 : (s.dividend + s.divisor - 1) / s.divisor;
}

/* Chooses the size of a city at random, around the usual city size. */
static int32_t site_size(const gen_config *config, rng *r)
{
    int32_t size = config->city_size < SIZE_LIMIT ? config->city_size : SIZE_LIMIT;
    const bool today = config->region->levelled;
    size = rng_range(r, size - 1, today ? size : size + 1);
    if (rng_one_in(r, 3))
        size /= 3;
    else if (rng_one_in(r, 2))
        size = size * 2 / 3;
    else if (rng_one_in(r, 2))
        size = size * 3 / 2;
    else
        size *= 2;
    if (today)
        return size < LEAST ? LEAST : size > MOST ? MOST : size;
    return size < 1 ? 1 : size;
}

/* Is the place plain land by the noise and the planned ocean, that is, no forest, no lake and
 * no sea? The block of noise begins at a multiple of NOISE_BLOCK, as in the steps that draw
 * forests and lakes. */
static bool plain_land(const gen_config *config, ptl_chunk_pos pos, int32_t x, int32_t y)
{
    const int64_t ax = (int64_t)pos.x * PTL_CHUNK_SIZE + x - x % NOISE_BLOCK;
    const int64_t ay = (int64_t)pos.y * PTL_CHUNK_SIZE + y;
    uint8_t lanes[NOISE_BLOCK];
    config->kernels->forest(&config->noise, ax, ay, lanes);
    if (lanes[x % NOISE_BLOCK])
        return false;
    config->kernels->lake(&config->noise, ax, ay, lanes);
    return !lanes[x % NOISE_BLOCK] &&
           !ocean_at(&config->ocean, (int64_t)pos.x * PTL_CHUNK_SIZE + x, ay);
}

/* Does one of the sites lie at most `apart` OMTs from the place, along x and along y? */
static bool too_near(const city_site *sites, size_t count, int32_t x, int32_t y, int apart)
{
    for (size_t i = 0; i < count; i++)
        if (abs(sites[i].x - x) <= apart && abs(sites[i].y - y) <= apart)
            return true;
    return false;
}

/* Does the place lie where an earlier city of the list will have built? The games accept a
 * centre on default ground only, and (but for DDA since 2026) build the city's streets at once.
 * Over half of the cells within a city's size are built on. */
static bool built_over(const city_site *sites, size_t count, int32_t x, int32_t y)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t dx = sites[i].x - x, dy = sites[i].y - y, size = sites[i].size;
        if (16 * (dx * dx + dy * dy) < 9 * size * size)
            return true;
    }
    return false;
}

/* Chooses a site at random and puts it into out[count]. False if no place was found. In
 * regions of DDA since 2026 (for which cat_region.parts is set) the place is chosen at
 * random first, with room for the largest usual city, and then the size. */
static bool find_site(city_site *out, size_t count, const gen_config *config, ptl_chunk_pos pos,
                      rng *r)
{
    const bool levelled = config->region->levelled;
    const bool parts = levelled && config->region->parts;
    const int32_t usual = config->city_size < SIZE_LIMIT ? config->city_size : SIZE_LIMIT;
    for (int miss = 0; miss < MISSES_MAX; miss++) {
        const int32_t size = parts ? usual + 1 : site_size(config, r);
        const int32_t x = rng_range(r, size - 1, PTL_CHUNK_SIZE - size);
        const int32_t y = rng_range(r, size - 1, PTL_CHUNK_SIZE - size);
        if ((levelled && too_near(out, count, x, y, parts ? APART : APART_LEVELLED)) ||
            (!parts && built_over(out, count, x, y)) || !plain_land(config, pos, x, y))
            continue;
        out[count] =
            (city_site){(int16_t)x, (int16_t)y, (int16_t)(parts ? site_size(config, r) : size)};
        return true;
    }
    return false;
}

bool plan_cities_fixed(const gen_config *config)
{
    return config->cat->city_count > 0 || config->region->megacity;
}

/* Gives the chunk's i-th fixed city; false if the chunk has fewer. */
static bool fixed_site(city_site *out, const gen_config *config, ptl_chunk_pos pos, size_t i)
{
    const bool own = config->cat->city_count > 0;
    size_t count = MEGACITY;
    const cat_city *cities = own ? catalogue_cities(config->cat, pos, &count) : NULL;
    if (config->city_size <= 0 || i >= count ||
        (!own && ocean_in_chunk(&config->ocean, pos) == OCEAN_ALL))
        return false;
    *out = own ? (city_site){cities[i].x, cities[i].y, cities[i].size}
               : (city_site){megacity[i][0], megacity[i][1], MEGACITY_SIZE};
    return true;
}

bool plan_city_within(const gen_config *config, ptl_chunk_pos pos, int32_t x0, int32_t y0,
                      int32_t x1, int32_t y1)
{
    city_site site;
    for (size_t i = 0; plan_cities_fixed(config) && fixed_site(&site, config, pos, i); i++)
        if (site.x >= x0 && site.x <= x1 && site.y >= y0 && site.y <= y1)
            return true;
    return false;
}

size_t plan_cities(city_site *out, const gen_config *config, ptl_chunk_pos pos, size_t *missing)
{
    size_t count = 0;
    *missing = 0;
    if (plan_cities_fixed(config)) {
        while (fixed_site(&out[count], config, pos, count))
            count++;
        return count;
    }
    rng r = rng_from_key(plan_key(config, "city sites", pos.x, pos.y));
    const bool sea = ocean_in_chunk(&config->ocean, pos) == OCEAN_ALL;
    /* The number of cities has a fraction. It is rounded up with a probability equal to this
     * fraction, else down. */
    const site_share s = site_share_at(config, sea ? 0 : spacing_at(config, pos));
    size_t wanted = 0;
    if (!sea && s.divisor > 0)
        wanted = s.dividend / s.divisor + (rng_below(&r, s.divisor) < s.dividend % s.divisor);
    while (count < wanted && find_site(out, count, config, pos, &r))
        count++;
    *missing = wanted - count;
    return count;
}

/*
 * Names of cities, a function of the plan alone. Where the content fixes the cities, it names
 * them as well. Otherwise the names are shuffled by the seed and dealt in hands, each of as
 * many names as a chunk can have sites. A chunk's hand is repeated as late as possible: in any
 * square with at most as many chunks as there are hands, all hands differ, so that a name
 * returns only when nearly all names are in use.
 */

/* Shuffles the numbers 0 .. count - 1 by the key, and returns the place that `number` gets.
 * This is done by a Feistel network (a reversible mix of bits) over as few bits as possible. A
 * result of `count` or more is mixed again until it is below `count`. */
static size_t shuffled(uint64_t key, size_t number, size_t count)
{
    enum { ROUNDS = 4 };
    unsigned half = 1;
    while ((size_t)1 << 2 * half < count)
        half++;
    const size_t mask = ((size_t)1 << half) - 1;
    do {
        size_t left = number >> half, right = number & mask;
        for (uint64_t round = 0; round < ROUNDS; round++) {
            const size_t mixed = left ^ (hash_add(hash_add(key, round), right) >> 32 & mask);
            left = right;
            right = mixed;
        }
        number = left << half | right;
    } while (number >= count);
    return number;
}

void plan_city_names(city_names *out, const gen_config *config, ptl_chunk_pos pos, size_t count)
{
    const cat_texts *texts = &config->cat->town_names;
    if (config->cat->city_count > 0) {
        size_t own;
        const cat_city *cities = catalogue_cities(config->cat, pos, &own);
        for (size_t i = 0; i < count && i < own; i++)
            out->list[i] = cities[i].name;
        return;
    }
    const size_t sites = plan_city_most(config), names = texts->count;
    const size_t hands = sites > 0 && names / sites > 1 ? names / sites : 1;
    const uint64_t key = hash_add(config->seed, hash_string("city names"));
    /* A hand is a group of city names for one chunk. Chunk (x, y) gets the hand with the number
     * x + side * y, modulo `hands`. Inside a square of `side` x `side` chunks this sum differs
     * by less than `hands` from chunk to chunk, so no two of these chunks have the same
     * hand. */
    int64_t side = 1;
    while ((side + 1) * (side + 1) <= (int64_t)hands)
        side++;
    const int64_t hand = (pos.x + side * pos.y) % (int64_t)hands;
    const size_t first = (size_t)(hand < 0 ? hand + (int64_t)hands : hand) * sites;
    for (size_t i = 0; i < count; i++)
        out->list[i] =
            i < names ? texts->texts[shuffled(key, (first + i) % names, names)] : NULL;
}

ptl_chunk_pos special_home(const gen_config *config, uint16_t special)
{
    const uint64_t key = hash_add(config->seed, hash_string("special home"));
    rng r = rng_from_key(hash_add(key, config->cat->specials[special].key));
    const int32_t radius = config->options.unique_radius;
    ptl_chunk_pos home;
    home.x = rng_range(&r, -radius, radius);
    home.y = rng_range(&r, -radius, radius);
    return home;
}

/* ---- decks ---- */

enum {
    /* A deck of specials is dealt in a square of chunks; this is the square's longest side. A
     * larger deck is treated as several of this size. */
    DECK_SIDE_MAX = 64
};

/* No two cards of a deck have the same hash, because hash_add maps different cards to different
 * hashes (each of its two steps is a bijection). */
static uint64_t card_hash(uint64_t key, int32_t card)
{
    return hash_add(key, (uint64_t)card + 1);
}

bool plan_deck_has(const gen_config *config, uint16_t special, double successes, int32_t cards,
                   ptl_chunk_pos pos)
{
    int32_t side = 1;
    while (side < DECK_SIDE_MAX && side * side < cards)
        side++;

    const int32_t bx = (int32_t)floor_div(pos.x, side), by = (int32_t)floor_div(pos.y, side);
    uint64_t key = hash_add(config->seed, hash_string("deck"));
    key = hash_add(key, config->cat->specials[special].key);
    key = hash_add(hash_add(key, (uint32_t)bx), (uint32_t)by);
    const double share = successes * (double)(side * side) / (double)cards;
    const int32_t own = (pos.y - by * side) * side + pos.x - bx * side;
    /* How many cards of the deck give the special to a chunk. `share` is that number with a
     * fraction, which is rounded up or down by chance. */
    rng r = rng_from_key(key);
    const double unit = (double)(rng_next(&r) >> 11) * 0x1p-53;
    int32_t count = 0;
    while (count < side * side && (double)count + unit < share)
        count++;
    /* Each chunk of the square of side x side chunks has one card of the deck, and each card
     * has a hash. The special comes in the `count` chunks whose cards have the smallest hashes.
     * So it comes in this chunk if fewer than `count` cards have smaller hashes than this
     * chunk's; the loop stops when this is decided. */
    int32_t before = 0;
    for (int32_t i = 0; i < side * side && before < count; i++)
        before += card_hash(key, i) < card_hash(key, own);
    return before < count;
}
