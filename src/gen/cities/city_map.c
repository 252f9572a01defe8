/*
 * The cities in and around a chunk, and the sets of cells that meet the specials' conditions on
 * cities. Conditions that select the same cells share one set. To find out which do, each range
 * of city sizes is reduced to those sizes that some city here has, and each distance is limited
 * to city_map.reach. A set is made when it is first needed and kept until the next chunk. The
 * planned city sites of recent chunks are kept too, since they depend on seed and place alone.
 */
#include "gen/cities/city_map.h"

#include "core/array.h"
#include "core/whole.h"
#include "gen/cities/city_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Columns and rows of the table of kept plans (`plans`). The plan of the chunk (x, y) is
     * kept at column x modulo PLANS_X, row y modulo PLANS_Y. */
    PLANS_X = 16,
    PLANS_Y = 8,
    SETS_MAX = 256, /* sets of cells kept at one time; 4 kB each */
    SLOTS = 1024,   /* size of the hash table that finds sets of cells by their keys */
    /* The most sets of cells that the test of one condition needs at the same time. */
    SETS_AT_ONCE = 4,
    GRIDS_MAX = 16, /* the most near_fields that are kept at one time */
    /* With the option `compat`: how far away, in OMTs, a city is still considered. All cities
     * of the chunk are nearer. */
    FAR_REACH = 999,
    ALL_SIZES = NEAR_SIZE_MAX
};

/* The planned city sites of a chunk. */
typedef struct site_plan {
    bool known;
    uint64_t seed; /* the world's seed, which may change between runs of a generator */
    ptl_chunk_pos pos;
    city_site *sites;
    size_t count, room;
} site_plan;

/* A range of city sizes, both ends included. */
typedef struct size_span {
    int16_t low, high;
} size_span;

typedef enum set_kind { SET_ALL, SET_WITHIN, SET_WRONG_SIZE, SET_ALLOWED, SET_TWICE } set_kind;

typedef struct city_grid {
    size_span sizes;
    near_field *field;
} city_grid;

struct city_map {
    site_plan plans[PLANS_X * PLANS_Y];
    city_site planned[CITY_SITES_MAX]; /* scratch memory of site_plan_at */
    near_city *cities; /* the cities of the chunk and of the eight around it, row by row */
    int32_t count;
    size_t room;
    /* By size of a city: the least size that occurs and is not smaller (`upwards`), and the
     * greatest size that occurs and is not larger (`downwards`); 0: there is none. */
    uint8_t upwards[NEAR_SIZE_MAX + 1], downwards[NEAR_SIZE_MAX + 1];
    bool sectors, compat;
    /* True: a special's distance to a city must be greater than the minimum that the special
     * states; false: it may be equal to the minimum. */
    bool beyond;
    int32_t reach;
    site_bits *sets[SETS_MAX];
    uint64_t keys[SETS_MAX];
    int32_t set_count;
    int16_t slots[SLOTS]; /* hash table of `sets`: 1 + index of a set; 0: the slot is free */
    city_grid grids[GRIDS_MAX];
    int32_t grid_count;
    uint8_t *seen; /* scratch memory of city_map_cities: a mark for each of the cities */
    size_t seen_room;
    site_bits none; /* an empty set, returned when memory is out */
};

/* ---- the cities ---- */

static void add_city(generator *g, int32_t x, int32_t y, int32_t size, int32_t own)
{
    city_map *m = g->city_map;
    if (!ARRAY_ROOM(m->cities, m->room, (size_t)m->count + 1)) {
        g->failed = true;
        return;
    }
    size = size < 1 ? 1 : size > NEAR_SIZE_MAX ? NEAR_SIZE_MAX : size;
    m->cities[m->count++] = (near_city){(int16_t)x, (int16_t)y, (int16_t)size, (int16_t)own};
    m->upwards[size] = m->downwards[size] = (uint8_t)size;
}

/* Returns the planned city sites of a chunk; they are planned now if they are not kept from
 * before. NULL if memory is out. */
static const site_plan *site_plan_at(generator *g, ptl_chunk_pos pos)
{
    const uint32_t slot = ((uint32_t)pos.x % PLANS_X) + ((uint32_t)pos.y % PLANS_Y) * PLANS_X;
    site_plan *p = &g->city_map->plans[slot];
    if (p->known && p->seed == g->config->seed && p->pos.x == pos.x && p->pos.y == pos.y)
        return p;
    size_t missing;
    const size_t count = plan_cities(g->city_map->planned, g->config, pos, &missing);
    if (count > p->room) {
        free(p->sites);
        *p = (site_plan){.sites = malloc(count * sizeof *p->sites), .room = count};
        if (!p->sites) {
            p->room = 0;
            g->failed = true;
            return NULL;
        }
    }
    if (count > 0)
        memcpy(p->sites, g->city_map->planned, count * sizeof *p->sites);
    p->known = true;
    p->seed = g->config->seed;
    p->pos = pos;
    p->count = count;
    return p;
}

static void forget_sets(city_map *m)
{
    m->set_count = 0;
    memset(m->slots, 0, sizeof m->slots);
}

void city_map_begin(generator *g)
{
    city_map *m = g->city_map;
    m->count = 0;
    forget_sets(m);
    m->grid_count = 0;
    memset(m->upwards, 0, sizeof m->upwards);
    memset(m->downwards, 0, sizeof m->downwards);
    m->compat = g->config->options.compat;
    m->sectors = g->config->options.placement == PTL_PLACEMENT_SECTORS;
    m->beyond = m->compat && g->config->region->levelled;
    m->reach = m->compat ? FAR_REACH : CITY_MAP_REACH;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) {
                const gen_features *f = &g->features;
                for (size_t i = 0; i < f->city_count; i++)
                    add_city(g, f->cities[i].x, f->cities[i].y, f->cities[i].size, (int32_t)i);
            } else if (!m->compat) {
                const ptl_chunk_pos here = g->chunk->pos;
                const site_plan *p = site_plan_at(g, (ptl_chunk_pos){here.x + dx, here.y + dy});
                for (size_t i = 0; p && i < p->count; i++)
                    add_city(g, p->sites[i].x + dx * SIZE, p->sites[i].y + dy * SIZE,
                             p->sites[i].size, FEATURE_NO_CITY);
            }
        }
    /* For sizes that no city has, fill in the nearest smaller and the nearest larger size that
     * occurs. */
    for (int i = 1; i <= NEAR_SIZE_MAX; i++)
        m->downwards[i] = m->downwards[i] ? m->downwards[i] : m->downwards[i - 1];
    for (int i = NEAR_SIZE_MAX - 1; i >= 0; i--)
        m->upwards[i] = m->upwards[i] ? m->upwards[i] : m->upwards[i + 1];
}

/* ---- conditions ---- */

static const size_span EVERY_SIZE = {1, ALL_SIZES};

/* Narrows the range of sizes to the least and the greatest size of a city that lies in it;
 * low > high if there is no such city. So all ranges in which the same cities lie become the
 * same range. */
static size_span span_of(const city_map *m, ptl_range sizes)
{
    const size_span none = {1, 0};
    if (sizes.min > NEAR_SIZE_MAX || sizes.max < 1)
        return none;
    const int16_t low = m->upwards[sizes.min < 1 ? 1 : sizes.min];
    const int16_t high = m->downwards[sizes.max > ALL_SIZES ? ALL_SIZES : sizes.max];
    return low != 0 && low <= high ? (size_span){low, high} : none;
}

/* A special's condition on cities is about the nearest city of certain sizes. Returns the range
 * of these sizes. */
static size_span nearest_span(const city_map *m, const cat_special *special)
{
    if (m->sectors || m->compat)
        return span_of(m, (ptl_range){EVERY_SIZE.low, EVERY_SIZE.high});
    return span_of(m, special->city_sizes);
}

static near_cities among(const city_map *m, size_span sizes)
{
    return (near_cities){m->cities, m->count, sizes.low, sizes.high};
}

static uint64_t set_key(set_kind kind, size_span nearest, size_span sizes, int32_t from,
                        int32_t to)
{
    uint64_t key = (uint64_t)kind;
    key = key << 8 | (uint64_t)nearest.low;
    key = key << 8 | (uint64_t)nearest.high;
    key = key << 8 | (uint64_t)sizes.low;
    key = key << 8 | (uint64_t)sizes.high;
    key = key << 12 | (uint64_t)(from + 1500);
    return key << 12 | (uint64_t)(to + 1500);
}

/* Returns the set of cells that is kept under this key. *made becomes true if there was none:
 * then the set is new, and the caller must fill it. NULL if memory is out. */
static site_bits *find_set(generator *g, uint64_t key, bool *made)
{
    city_map *m = g->city_map;
    *made = false;
    uint32_t slot = (uint32_t)hash_mix(key) % SLOTS;
    for (; m->slots[slot]; slot = (slot + 1) % SLOTS)
        if (m->keys[m->slots[slot] - 1] == key)
            return m->sets[m->slots[slot] - 1];
    site_bits **set = &m->sets[m->set_count];
    if (!*set)
        *set = generator_memory(g, 1, sizeof **set);
    if (!*set)
        return NULL;
    m->keys[m->set_count++] = key;
    m->slots[slot] = (int16_t)m->set_count;
    *made = true;
    return *set;
}

/* Returns the field that tells which city is nearest to each cell, among the cities of these
 * sizes. NULL if memory is out. */
static near_field *grid_of(generator *g, size_span sizes)
{
    city_map *m = g->city_map;
    for (int32_t i = 0; i < m->grid_count; i++)
        if (m->grids[i].sizes.low == sizes.low && m->grids[i].sizes.high == sizes.high)
            return m->grids[i].field;
    if (m->grid_count == GRIDS_MAX)
        m->grid_count = 0;
    city_grid *grid = &m->grids[m->grid_count];
    const near_cities of = among(m, sizes);
    if (!grid->field)
        grid->field = generator_memory(g, 1, sizeof *grid->field);
    if (!grid->field || !near_field_begin(grid->field, &of, m->reach)) {
        g->failed = true;
        return NULL;
    }
    grid->sizes = sizes;
    m->grid_count++;
    return grid->field;
}

/* Returns the cells that are at most `distance` from the edge of a city of these sizes. */
static const site_bits *within(generator *g, size_span sizes, int32_t distance)
{
    bool made;
    site_bits *set = find_set(g, set_key(SET_WITHIN, sizes, sizes, 0, distance), &made);
    if (!set || !made)
        return set ? set : &g->city_map->none;
    const near_field *field = grid_of(g, sizes);
    if (field)
        near_within(set, field, distance);
    else
        *set = (site_bits){{0}};
    return set;
}

/* For each cell, finds the nearest of those cities whose size is in the range `nearest`.
 * Returns the cells at which the size of the city found is not in the range `sizes`. */
static const site_bits *wrong_size(generator *g, size_span nearest, size_span sizes)
{
    const city_map *m = g->city_map;
    bool made;
    site_bits *set = find_set(g, set_key(SET_WRONG_SIZE, nearest, sizes, 0, 0), &made);
    if (!set || !made)
        return set ? set : &m->none;
    near_field *field = grid_of(g, nearest);
    const near_cities taken = among(m, sizes);
    if (field)
        near_others(set, field, &taken);
    else
        *set = (site_bits){{0}};
    return set;
}

/* Sets `out` to the cells of `from` that are not in `other`. `out` may be `from`. */
static void subtract(site_bits *out, const site_bits *from, const site_bits *other)
{
    for (size_t i = 0; i < sizeof out->words / sizeof out->words[0]; i++)
        out->words[i] = from->words[i] & ~other->words[i];
}

static const site_bits *everywhere(generator *g)
{
    bool made;
    site_bits *set = find_set(g, set_key(SET_ALL, EVERY_SIZE, EVERY_SIZE, 0, 0), &made);
    if (set && made) {
        *set = (site_bits){{0}};
        for (int32_t y = 0; y < SIZE; y++)
            near_fill(&set->words[y * SITE_WORDS], 0, SIZE);
    }
    return set ? set : &g->city_map->none;
}

/* Returns the cells with a city at most as far away as the special's maximum distance, and with
 * no city nearer than its minimum distance. */
static const site_bits *by_distance(generator *g, const cat_special *special)
{
    const city_map *m = g->city_map;
    const size_span nearest = nearest_span(m, special);
    const size_span sizes = m->sectors || m->compat ? span_of(m, special->city_sizes) : nearest;
    const bool without =
        special->city_distance.max == PTL_UNBOUNDED && special->city_sizes.min <= 0;
    const int32_t least = special->city_distance.min + m->beyond;
    /* A city at most this far from a cell is too near. */
    const int32_t inner = clamp(least, 0, m->reach + 1) - 1;
    const int32_t outer =
        without ? m->reach + 1 : clamp(special->city_distance.max, -1, m->reach);
    const bool some_sizes = sizes.low != nearest.low || sizes.high != nearest.high;
    const site_bits *all = without ? everywhere(g) : within(g, nearest, outer);
    if (inner < 0 && !some_sizes)
        return all;
    bool made;
    site_bits *set = find_set(g, set_key(SET_ALLOWED, nearest, sizes, inner, outer), &made);
    if (!set || !made)
        return set ? set : &m->none;
    if (inner >= 0)
        subtract(set, all, within(g, nearest, inner));
    if (some_sizes)
        subtract(set, inner >= 0 ? set : all, wrong_size(g, nearest, sizes));
    return set;
}

/* Adds cells of row y to `row`: those in the columns run[0] <= x < run[1] whose distance from
 * the city's centre, minus twice the city's size, lies in the range. */
static void fill_twice(uint64_t *row, const near_city *city, ptl_range range, int32_t y,
                       const int32_t run[2])
{
    int32_t x0, x1;
    if (!near_in_row(city, y, range.max + city->size, &x0, &x1))
        return;
    near_fill(row, x0 > run[0] ? x0 : run[0], x1 < run[1] ? x1 : run[1]);
    if (near_in_row(city, y, range.min + city->size - 1, &x0, &x1) && x0 < run[1] &&
        x1 > run[0])
        near_wipe(row, x0 > run[0] ? x0 : run[0], x1 < run[1] ? x1 : run[1]);
}

/* Returns the cells that meet the special's conditions under the rule `quota` with the option
 * compat, as the games do: a city's size is subtracted twice from the distance. */
static const site_bits *by_distance_twice(generator *g, const cat_special *special)
{
    const city_map *m = g->city_map;
    const size_span nearest = nearest_span(m, special), sizes = span_of(m, special->city_sizes);
    const near_cities taken = among(m, sizes);
    const ptl_range range = {clamp(special->city_distance.min, -FAR_REACH, FAR_REACH),
                             clamp(special->city_distance.max, -FAR_REACH, FAR_REACH)};
    bool made;
    site_bits *set =
        find_set(g, set_key(SET_TWICE, nearest, sizes, range.min, range.max), &made);
    if (!set || !made)
        return set ? set : &m->none;
    *set = (site_bits){{0}};
    near_field *field = grid_of(g, nearest);
    for (int32_t y = 0; field && y < SIZE; y++)
        for (int32_t run[2] = {0, 0}; run[0] < SIZE; run[0] = run[1]) {
            const int32_t city = near_run(field, run[0], y, &run[1]);
            if (city != NEAR_NONE && near_among(&taken, city))
                fill_twice(&set->words[y * SITE_WORDS], &m->cities[city], range, y, run);
        }
    return set;
}

bool city_map_needed(const cat_special *special)
{
    return special->city_sizes.min > 0 || special->city_distance.max < SIZE;
}

const site_bits *city_map_allows(generator *g, uint16_t special)
{
    city_map *m = g->city_map;
    const cat_special *s = &g->config->cat->specials[special];
    if (m->set_count + SETS_AT_ONCE > SETS_MAX)
        forget_sets(m);
    if (m->compat && !city_map_needed(s))
        return everywhere(g);
    if (m->compat && !m->sectors)
        return by_distance_twice(g, s);
    return by_distance(g, s);
}

/* ---- which city ---- */

int32_t city_map_number(generator *g, uint16_t special, int32_t x, int32_t y)
{
    const city_map *m = g->city_map;
    const size_span sizes = nearest_span(m, &g->config->cat->specials[special]);
    near_field *field = grid_of(g, sizes);
    int32_t number;
    if (!field)
        return NEAR_NONE;
    return near_known(field, x, y, &number) ? number : near_one(field, x, y);
}

bool city_map_tell(int32_t *distance, int32_t *size, generator *g, uint16_t special, int32_t x,
                   int32_t y)
{
    const int32_t number = city_map_number(g, special, x, y);
    if (number == NEAR_NONE)
        return false;
    const near_city *city = &g->city_map->cities[number];
    const int64_t dx = city->x - x, dy = city->y - y;
    const int32_t far = (int32_t)sqrtf((float)(dx * dx + dy * dy));
    *distance = far > city->size ? far - city->size : 0;
    *size = city->size;
    return true;
}

int16_t city_map_of(generator *g, uint16_t special, int32_t x, int32_t y)
{
    const int32_t number = city_map_number(g, special, x, y);
    return number == NEAR_NONE ? FEATURE_NO_CITY : g->city_map->cities[number].own;
}

int32_t city_map_cities(generator *g, uint16_t special)
{
    city_map *m = g->city_map;
    const cat_special *s = &g->config->cat->specials[special];
    if (m->compat) {
        /* The games count all cities whose size the special accepts, wherever these lie. */
        const size_span sizes = span_of(m, s->city_sizes);
        const near_cities of = among(m, sizes);
        int32_t count = 0;
        for (int32_t i = 0; i < m->count; i++)
            count += near_among(&of, i);
        return count;
    }
    const site_bits *set = city_map_allows(g, special);
    near_field *field = grid_of(g, nearest_span(m, s));
    /* m->seen has a mark for each city. Make room for the marks, and clear them. */
    if ((size_t)m->count > m->seen_room) {
        free(m->seen);
        m->seen = malloc(m->room);
        m->seen_room = m->seen ? m->room : 0;
        g->failed = g->failed || !m->seen;
    }
    uint8_t *seen = m->seen;
    if (seen)
        memset(seen, 0, m->seen_room);
    int32_t count = 0;
    for (int32_t y = 0; field && seen && y < SIZE; y++)
        for (int32_t x = 0, end; x < SIZE; x = end) {
            const int32_t city = near_run(field, x, y, &end);
            if (city != NEAR_NONE && !seen[city] &&
                near_any(&set->words[y * SITE_WORDS], x, end)) {
                seen[city] = 1;
                count++;
            }
        }
    return count;
}

/* If there are at least `amount` cities, the result is 1. This is the usual case, so it is
 * tested first, with near_seems_met, which looks at only a few cells of each city. */
int32_t city_map_share(generator *g, uint16_t special, int32_t amount)
{
    const city_map *m = g->city_map;
    const cat_special *s = &g->config->cat->specials[special];
    if (!m->compat) {
        const near_cities of = among(m, nearest_span(m, s));
        const int32_t inner = clamp(s->city_distance.min, 0, m->reach);
        const site_bits *set = city_map_allows(g, special);
        near_field *field = grid_of(g, nearest_span(m, s));
        int32_t met = 0;
        for (int32_t i = 0; field && i < m->count && met < amount; i++)
            met += near_among(&of, i) &&
                   near_seems_met(field, &m->cities[i], i, set, inner + m->cities[i].size);
        if (met == amount)
            return 1;
    }
    const int32_t cities = city_map_cities(g, special);
    return cities > 0 ? (amount + cities - 1) / cities : 0;
}

/* Returns a bound for how many columns or rows a cell can lie away from the city's centre, if
 * the special may stand on the cell (city_map_allows) and this is the city nearest to it. */
static int32_t span_around(const city_map *m, const cat_special *s, const near_city *city)
{
    return m->compat ? 2 * SIZE : city->size + clamp(s->city_distance.max, -1, m->reach);
}

int32_t city_map_clear(generator *g, uint16_t special, int32_t number, site_bits *bits)
{
    const city_map *m = g->city_map;
    const cat_special *s = &g->config->cat->specials[special];
    near_field *field = grid_of(g, nearest_span(m, s));
    const near_city *city = &m->cities[number];
    return field ? near_take(bits, field, city, number, span_around(m, s, city)) : 0;
}

int32_t city_map_most(const generator *g, uint16_t special, int32_t number,
                      const site_bits *bits)
{
    const city_map *m = g->city_map;
    const near_city *city = &m->cities[number];
    const int32_t far = span_around(m, &g->config->cat->specials[special], city);
    return near_count(bits, city, far);
}

/* ---- as a part of a generator ---- */

static void make_city_map(generator *g)
{
    g->city_map = generator_memory(g, 1, sizeof(city_map));
}

static void drop_city_map(generator *g)
{
    city_map *m = g->city_map;
    if (!m)
        return;
    for (int i = 0; i < PLANS_X * PLANS_Y; i++)
        free(m->plans[i].sites);
    for (int i = 0; i < GRIDS_MAX; i++)
        if (m->grids[i].field)
            near_field_dispose(m->grids[i].field);
    free(m->cities);
    free(m->seen);
}

const gen_part city_map_part = {.make = make_city_map, .drop = drop_city_map};
