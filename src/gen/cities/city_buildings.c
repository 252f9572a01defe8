/*
 * Makes the streets of a city, and the buildings along them. The distance to the city's centre
 * decides whether a house, a shop or a park is to stand at a place. The region has a weighted
 * list (a bin) of buildings for each of these three; the weights decide which building is
 * tried. The building fits if the ground under all of its OMTs suits it (generation.md 5.6). A
 * building never replaces a street or another building, whatever the content allows.
 */
#include "core/distribution.h"
#include "gen/cities/city.h"
#include "gen/plan/plan.h"

#include <string.h>

/*
 * Unique buildings: those that a city may have only once, and those that a world has only once
 * (generation.md 5.6). The games choose another building at random if the city, the overmap or
 * the world already has the chosen one. So in the games the order in which a player visits
 * cities decides which of them gets a building that the world has once. Here such a building
 * has a home chunk, as globally unique specials have.
 */

static bool of_size(const cat_special *s, int32_t size)
{
    return size >= s->city_sizes.min &&
           (s->city_sizes.max == PTL_UNBOUNDED || size <= s->city_sizes.max);
}

/* Returns the index of the city site that gets the building; `count`, the number of sites, if
 * no city accepts it. */
static size_t site_for(const cat_special *s, const city_site *sites, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (of_size(s, sites[i].size) && (best == count || sites[i].size > sites[best].size))
            best = i;
    return best;
}

/* Returns a hash by which unique buildings are ordered. They are placed in this order, so the
 * hash decides which of them are left out where a city has no room for all. */
static uint64_t turn_of(const generator *g, uint16_t special)
{
    return hash_add(hash_add(g->config->seed, hash_string("city due")),
                    g->config->cat->specials[special].key);
}

/* Adds buildings to out[]: those of the bin (one of the region's weighted lists) that have the
 * flag GLOBALLY_UNIQUE, so that a world has only one, and whose home is this chunk. Returns the
 * new number of buildings in out[]. */
static size_t add_homes(uint16_t out[CITY_DUE_MAX], size_t count, const generator *g,
                        const cat_bin *bin)
{
    const ptl_chunk_pos here = g->chunk->pos;
    for (size_t i = 0; i < bin->count; i++) {
        const uint16_t special = bin->specials[i];
        if (!(g->config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
            continue;
        const ptl_chunk_pos home = special_home(g->config, special);
        if (home.x != here.x || home.y != here.y)
            continue;
        /* Insert the building into out[], which is sorted by turn_of. If out[] is full, the
         * last building in it is dropped. */
        const uint64_t turn = turn_of(g, special);
        size_t at = 0;
        while (at < count && out[at] != special && turn_of(g, out[at]) <= turn)
            at++;
        if (at == CITY_DUE_MAX || (at < count && out[at] == special))
            continue;
        count = count < CITY_DUE_MAX ? count + 1 : CITY_DUE_MAX;
        memmove(out + at + 1, out + at, (count - 1 - at) * sizeof *out);
        out[at] = special;
    }
    return count;
}

/* Collects the unique buildings whose home is this chunk, ordered by the hash turn_of. If they
 * were in the order of the region's lists, the same buildings would be left out in every world.
 */
static size_t find_homes(uint16_t out[CITY_DUE_MAX], const generator *g)
{
    const cat_city_settings *city = &g->config->region->city;
    size_t count = add_homes(out, 0, g, &city->houses);
    count = add_homes(out, count, g, &city->shops);
    return add_homes(out, count, g, &city->parks);
}

void city_find_due(town *t, const city_site *sites, size_t count, size_t site)
{
    const generator *g = t->ground->g;
    uint16_t homes[CITY_DUE_MAX];
    const size_t all = find_homes(homes, g);
    for (size_t i = 0; i < all; i++)
        if (site_for(&g->config->cat->specials[homes[i]], sites, count) == site)
            t->due[t->due_count++] = homes[i];
}

void city_tell_homeless(generator *g, const city_site *sites, size_t count)
{
    uint16_t homes[CITY_DUE_MAX];
    const size_t all = find_homes(homes, g);
    for (size_t i = 0; i < all; i++) {
        const cat_special *s = &g->config->cat->specials[homes[i]];
        if (site_for(s, sites, count) == count)
            add_event(g, "unique_dropped", -1, -1, 0, s->id);
    }
}

/* Does the city (or, with `anywhere`, the chunk) have the building already? Cities grow one
 * after the other, so the buildings of this city are the last ones in the list of
 * placements. */
static bool stands(const town *t, uint16_t special, bool anywhere)
{
    const gen_features *f = &t->ground->g->features;
    for (size_t i = f->placement_count; i > 0; i--) {
        const gen_placement *p = &f->placements[i - 1];
        if (!anywhere && p->city != t->index)
            return false;
        if (p->special == special)
            return true;
    }
    return false;
}

enum {
    TRIES = 10,
    DRAWS = 64, /* the most buildings that are chosen at random until one fits; the games
                 * have no limit */
    /* A city larger than this uses the region's lists of urban buildings, if it has any. */
    URBAN_SIZE = 10,
    /* The greatest radius, in percent of a city's size. Even for a city of size 1, this is more
     * than the diagonal of a chunk. */
    PERCENT_MAX = 30000
};

/* Chooses a special from the list at random by weight. Returns its index in the catalogue;
 * CAT_NONE if the list is empty. */
static uint16_t take(const cat_bin *bin, rng *r)
{
    if (bin->count == 0 || bin->upto[bin->count - 1] == 0)
        return CAT_NONE;
    return bin->specials[rng_by_weight(r, bin->upto, bin->count)];
}

/* Is a place nearer to the city's centre than a random radius? `square` is the square of the
 * distance between the place and the centre. The radius, in percent of the city's size, is
 * drawn from a normal distribution; a radius below the mean is replaced by the mean. Squares
 * are compared, so that no root is needed. */
static bool within(town *t, int64_t square, int32_t mean, int32_t sigma)
{
    int64_t radius = normal_draw(&t->random, mean, sigma);
    if (radius < mean)
        radius = mean;
    if (radius > PERCENT_MAX)
        radius = PERCENT_MAX;
    return radius > 0 && 10000 * square < radius * radius * t->size * t->size;
}

/* May the city, in a levelled region, have the building? It may not have a building that does
 * not accept the city's size; nor one that the world has once, which place_due places; nor one
 * that the city or the chunk may have only once and already has. */
static bool may_have(const town *t, uint16_t special)
{
    const cat_special *s = &t->ground->g->config->cat->specials[special];
    return !t->ground->g->config->region->levelled ||
           (!(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) && of_size(s, t->size) &&
            !(s->flags & PTL_SPECIAL_CITY_UNIQUE && stands(t, special, false)) &&
            !(s->flags & PTL_SPECIAL_UNIQUE && stands(t, special, true)));
}

/* Chooses buildings from the list at random until one is found that the city may have.
 * Returns CAT_NONE, and writes an event, if DRAWS random choices give no such building. */
static uint16_t take_fit(town *t, const cat_bin *bin)
{
    city_ground *ground = t->ground;
    if (!ground->g->config->region->levelled)
        return take(bin, &t->random);
    for (int i = 0; i < DRAWS && bin->count > 0; i++) {
        const uint16_t special = take(bin, &t->random);
        if (may_have(t, special))
            return special;
    }
    if (!ground->unfit_seen)
        add_event(ground->g, "no_building", t->x, t->y, 0,
                  "a list of the region has nothing for a city of this size");
    ground->unfit_seen = true;
    return CAT_NONE;
}

static const cat_bin *urban(const town *t, const cat_bin *of_large, const cat_bin *usual)
{
    return t->ground->urban && t->size > URBAN_SIZE && of_large->count > 0 ? of_large : usual;
}

/* Chooses the list from which a building is taken at a place: shops, parks or houses. */
static const cat_bin *choose_bin(town *t, int32_t x, int32_t y)
{
    const cat_city_settings *city = &t->ground->g->config->region->city;
    const int64_t dx = x - t->x, dy = y - t->y, square = dx * dx + dy * dy;
    if (within(t, square, city->shop_radius, city->shop_sigma))
        return urban(t, &city->urban_shops, &city->shops);
    if (within(t, square, city->park_radius, city->park_sigma))
        return &city->parks;
    return urban(t, &city->urban_houses, &city->houses);
}

/* ---- buildings that are set back from the street ---- */

static bool is_set_back(const generator *g, uint16_t special)
{
    const cat_special *s = &g->config->cat->specials[special];
    for (size_t i = 0; i < s->omt_count; i++)
        if (s->omts[i].x == 0 && s->omts[i].y == 0 && s->omts[i].z == 0)
            return false;
    return s->omt_count > 0;
}

static uint32_t weight_of(const cat_bin *bin, size_t i)
{
    return bin->upto[i] - (i > 0 ? bin->upto[i - 1] : 0);
}

/* Returns the chance, in parts of 2^32, that a building chosen from the list is set back. */
static uint64_t share_set_back(const generator *g, const cat_bin *bin)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bin->count; i++)
        sum += is_set_back(g, bin->specials[i]) ? weight_of(bin, i) : 0;
    return sum > 0 ? (sum << 32) / bin->upto[bin->count - 1] : 0;
}

void city_note_set_back(city_ground *ground)
{
    const cat_city_settings *city = &ground->g->config->region->city;
    const cat_bin *bins[] = {&city->shops, &city->parks, &city->houses, &city->urban_shops,
                             &city->urban_houses};
    ground->set_back = 0;
    for (size_t i = 0; i < sizeof bins / sizeof bins[0]; i++) {
        const uint64_t share = share_set_back(ground->g, bins[i]);
        ground->set_back = share > ground->set_back ? share : ground->set_back;
    }
}

/* Chooses one of the list's buildings that are set back, by weight. The list must have one. */
static uint16_t take_set_back(const generator *g, const cat_bin *bin, rng *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < bin->count; i++)
        sum += is_set_back(g, bin->specials[i]) ? weight_of(bin, i) : 0;
    uint32_t rest = rng_below(r, sum);
    size_t at = 0;
    while (!is_set_back(g, bin->specials[at]) || rest >= weight_of(bin, at)) {
        rest -= is_set_back(g, bin->specials[at]) ? weight_of(bin, at) : 0;
        at++;
    }
    return bin->specials[at];
}

/* Returns whether a building may lie on the cell: whether the cell's terrain is in the set
 * `allows`. Content states such sets with the ground in mind, so on other levels a cell with
 * the level's default oter is accepted as well. */
static bool takes(const generator *g, ptl_terrain_set allows, int32_t z, int32_t cell)
{
    const ptl_oter oter = cell_oter(g, z, cell);
    return (z != 0 && oter == g->config->defaults[z - PTL_Z_MIN]) ||
           cat_terrain_in(allows, g->config->cat->oters[oter].terrain);
}

/* A check is a condition of a special: all cells of a box must have terrains of a set. Does
 * this check hold if the special is placed at (x, y)? The cells of the box may belong to
 * streets and other buildings. */
static bool check_fits(const generator *g, const cat_check *c, int32_t x, int32_t y,
                       int rotation)
{
    for (int32_t z = c->z0; z <= c->z1; z++)
        for (int32_t cy = c->y0; cy <= c->y1; cy++)
            for (int32_t cx = c->x0; cx <= c->x1; cx++) {
                const point p = turned(cx, cy, rotation, x, y);
                if (!inside(p.x, p.y) || z < PTL_Z_MIN || z > PTL_Z_MAX ||
                    !takes(g, c->allows, z, p.y * SIZE + p.x))
                    return false;
            }
    return true;
}

static int32_t omt_cell(const cat_omt *omt, int32_t x, int32_t y, int rotation)
{
    const point p = turned(omt->x, omt->y, rotation, x, y);
    return p.y * SIZE + p.x;
}

/* Returns whether the special is a building that the world has only once (GLOBALLY_UNIQUE). The
 * caller then leaves the building out: this function is called in regions where no default
 * terrains are stated for all levels, and there such a building has no home chunk. The first
 * one left out in a chunk is reported by an event. */
static bool is_unique(city_ground *ground, const cat_special *s, int32_t x, int32_t y)
{
    if (!(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
        return false;
    if (!ground->unique_seen)
        add_event(ground->g, "unique_skipped", x, y, 0, s->id);
    ground->unique_seen = true;
    return true;
}

static bool can_place(city_ground *ground, const cat_special *s, int32_t x, int32_t y,
                      int rotation)
{
    const generator *g = ground->g;
    const point a = turned(s->x0, s->y0, rotation, x, y);
    const point b = turned(s->x1, s->y1, rotation, x, y);
    /* All OMTs of the rotated special must lie inside the chunk and on its levels. */
    if (s->omt_count == 0 || !inside_ring(a.x, a.y) || !inside_ring(b.x, b.y) ||
        s->z0 < PTL_Z_MIN || s->z1 > PTL_Z_MAX)
        return false;
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *omt = &s->omts[i];
        const int32_t cell = omt_cell(omt, x, y, rotation);
        const int32_t taken = 1 << (omt->z - PTL_Z_MIN) | (omt->z == 0 ? CITY_STREET : 0);
        if (g->reserved[cell] || ground->built[cell] & taken ||
            !takes(g, omt->allows, omt->z, cell))
            return false;
    }
    for (size_t i = 0; i < s->check_count; i++)
        if (!check_fits(g, &s->checks[i], x, y, rotation))
            return false;
    return true;
}

/* Places a special at (x, y) if it may stand there, and records the placement. */
static bool place(town *t, uint16_t special, int32_t x, int32_t y, int rotation)
{
    generator *g = t->ground->g;
    const cat_special *s = special == CAT_NONE ? NULL : &g->config->cat->specials[special];
    /* Only specials that consist of fixed OMTs are placed here, not mutable ones. A building of
     * a city may have no OMT at all. */
    if (!s || (s->omt_count == 0 && !s->building) ||
        (!t->ground->g->config->region->levelled && is_unique(t->ground, s, x, y)) ||
        !can_place(t->ground, s, x, y, rotation))
        return false;
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *omt = &s->omts[i];
        const int32_t cell = omt_cell(omt, x, y, rotation);
        const ptl_oter oter = omt->oters[rotation];
        const level *l = chunk_level(g->chunk, omt->z);
        t->ground->built[cell] |= 1 << (omt->z - PTL_Z_MIN);
        /* A level that has the same oter everywhere is stored as this one oter (l->fill). If
         * the OMT has that oter, too, the level stays so. Otherwise cells_at gives it cells. */
        ptl_oter *cells = !l->cells && l->fill == oter ? NULL : cells_at(g, omt->z);
        if (!cells)
            continue;
        cell_covered(g, omt->z, cell, cells[cell], oter);
        cells[cell] = oter;
    }
    add_placement(g, (gen_placement){.special = special,
                                     .x = (int16_t)x,
                                     .y = (int16_t)y,
                                     .rotation = (uint8_t)rotation,
                                     .city = t->index,
                                     .omts = s->building ? 0 : (int32_t)s->omt_count});
    return true;
}

/* Tries to place the finale, a building that a large city gets once. The first t->finale places
 * for buildings are left to others; after that, the finale is tried at every place until it
 * fits. */
static bool place_finale(town *t, int32_t x, int32_t y, int rotation)
{
    if (t->finale < 0)
        return false;
    if (t->finale > 0) {
        t->finale--;
        return false;
    }
    const cat_bin *finales = &t->ground->g->config->region->city.finales;
    if (!place(t, take(finales, &t->random), x, y, rotation))
        return false;
    t->finale = -1;
    return true;
}

/* Tries to place one of the buildings that the world has only once and that this city must get.
 * The first t->due_turn places for buildings are passed over; after that each place is tried.
 */
static bool place_due(town *t, int32_t x, int32_t y, int rotation)
{
    if (t->due_count == 0 || t->due_turn-- > 0)
        return false;
    for (size_t i = 0; i < t->due_count; i++) {
        if (!place(t, t->due[i], x, y, rotation))
            continue;
        t->due_count--;
        memmove(t->due + i, t->due + i + 1, (t->due_count - i) * sizeof *t->due);
        return true;
    }
    return false;
}

/* Tries to place a building at a place whose cell beside the street is taken. Only a building
 * that is set back fits there. As at other places, TRIES buildings are chosen at random from
 * their lists, whether or not they are set back. Since few are, this would be slow. So one
 * random number tells whether the next choice gives a building that is set back; if not, the
 * building itself is never chosen. */
static void place_set_back(town *t, int32_t x, int32_t y, int rotation)
{
    const generator *g = t->ground->g;
    for (int i = 0; i < TRIES; i++) {
        const uint64_t draw = rng_next(&t->random) >> 32;
        if (draw >= t->ground->set_back)
            continue;
        const cat_bin *bin = choose_bin(t, x, y);
        if (draw >= share_set_back(g, bin))
            continue;
        const uint16_t special = take_set_back(g, bin, &t->random);
        if (may_have(t, special) && place(t, special, x, y, rotation))
            return;
    }
}

void city_building(town *t, int32_t x, int32_t y, int side)
{
    const int rotation = (side + 2) % 4;
    const int32_t taken = CITY_STREET | 1 << -PTL_Z_MIN;
    x += step_x(side);
    y += step_y(side);
    if (!inside_ring(x, y))
        return;
    if (t->ground->built[y * SIZE + x] & taken) {
        if (t->ground->set_back > 0)
            place_set_back(t, x, y, rotation);
        return;
    }
    if (place_finale(t, x, y, rotation) || place_due(t, x, y, rotation))
        return;
    for (int i = 0; i < TRIES; i++)
        if (place(t, take_fit(t, choose_bin(t, x, y)), x, y, rotation))
            return;
}

/*
 * Streets. First a straight street is drawn. Then side streets leave it at the ends of its
 * blocks, and buildings are placed along it, in the order of generation.md 5.6. The growth of
 * streets ends, because each side street is shorter than the street that it leaves and needs
 * free ground. The number of a city's streets is bounded as well.
 */

enum {
    BLOCK_WIDTH = 2,
    CLOSED_TO_STREETS = CAT_FLAGS_WATER | CAT_FLAG_RAVINE | CAT_FLAG_RAVINE_EDGE,
    /* One in this many street crossings gets a manhole. An overmap of the games has 10.8
     * manholes. */
    MANHOLE_CHANCE = 8
};

typedef struct street {
    /* Where the street begins: on a cell of the street that it branches off from. */
    int32_t x, y;
    int direction;
    int32_t reach; /* length of the street, in cells */
    int32_t width; /* length of a block, in cells: side streets are farther apart than this */
} street;

static bool has_road(const town *t, int32_t x, int32_t y)
{
    const generator *g = t->ground->g;
    return t->ground->road[g->ground[y * SIZE + x]].has;
}

/* May a street in this direction pass the cell? It may not if streets run through three or more
 * of the six cells to the left and right of it: the two beside the cell, and the four at its
 * corners. Then a street runs right beside this one already. */
static bool open_to_street(const town *t, int32_t x, int32_t y, int direction)
{
    const generator *g = t->ground->g;
    if (!inside_ring(x, y))
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
    /* Count the streets among the six cells to the left and right of this cell: the two beside
     * it, and the four at its corners. The cells ahead and behind do not count. */
    int32_t count = 0;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++)
            if (direction % 2 == 0 ? dx != 0 : dy != 0)
                count += has_road(t, x + dx, y + dy);
    return count < 3;
}

/* Draws the street. Returns the number of cells drawn; 0 if nothing can be drawn. */
static int32_t draw(town *t, const street *s)
{
    generator *g = t->ground->g;
    path_node nodes[SIZE];
    /* Count the cells that the street will have, the first one included. The street ends on the
     * first road that it meets. If a road lies two cells beyond its planned end, it gets one
     * cell more, and so touches that road. */
    const int32_t dx = step_x(s->direction), dy = step_y(s->direction);
    int32_t length = s->reach + 1, count = 0;
    const int32_t x = s->x + dx * (length + 1), y = s->y + dy * (length + 1);
    if (inside_ring(x, y) && has_road(t, x, y))
        length++;
    while (count < length) {
        const int32_t at_x = s->x + dx * count, at_y = s->y + dy * count;
        /* A city whose place the content gives (fixed) may have its centre on any ground. */
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

/* Grows a side street, one to three cells shorter than the street `from`. A side street of a
 * single cell, which would be a mere stub, gets a second one. */
static void branch(town *t, const street *from, int32_t x, int32_t y, int turn, int32_t width)
{
    int32_t reach = from->reach - rng_range(&t->random, 1, 3);
    reach = reach == 1 ? 2 : reach;
    grow(t, (street){x, y, (from->direction + turn) % 4, reach, width});
}

/* Lets a street that has been drawn at its full length turn off to one side, and sometimes to
 * both. */
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

/* Draws a street and lets side streets and buildings grow along it. `rest` is how many cells
 * are left to the street's end. Two side streets leave at the same cell, one to each side; the
 * next two leave farther on, at the end of the next block. */
static void grow(town *t, street s)
{
    if (s.reach < 1 || t->streets < 0)
        return;
    if (t->streets-- == 0) { /* the city has as many streets as a city may have,
                              * CITY_STREETS_MAX */
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
