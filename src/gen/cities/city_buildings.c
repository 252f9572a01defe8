/*
 * Buildings along a street: what kind stands there follows from the distance to the centre,
 * which one from the weights of the region's bin, and whether it can from the ground under
 * every tile of it (generation.md 5.6). A tile of a building is never built over, nor is
 * a street, whatever the content allows.
 */
#include "core/distribution.h"
#include "gen/cities/city.h"
#include "gen/plan/plan.h"

/*
 * What a city may not have twice, and what a world has once (generation.md 5.6). The games draw
 * a building again until it is none that the city, the overmap or the world has already; which
 * of a world's cities has one that comes once depends there on who was there first. Here it has
 * a home chunk, like specials that come once.
 */

static bool of_size(const cat_special *s, int32_t size)
{
    return size >= s->city_sizes.min &&
           (s->city_sizes.max == PTL_UNBOUNDED || size <= s->city_sizes.max);
}

/* The site that is to have the building; count if there is none. */
static size_t site_for(const cat_special *s, const city_site *sites, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++)
        if (of_size(s, sites[i].size) && (best == count || sites[i].size > sites[best].size))
            best = i;
    return best;
}

/* Which of several comes first, where a city has not room for all. */
static uint64_t turn_of(const generator *g, uint16_t special)
{
    return hash_add(hash_add(g->config->seed, hash_string("city due")),
                    g->config->cat->specials[special].key);
}

/* Puts one into the list, which is sorted by their turns; of too many the last one is lost. */
static size_t add_home(uint16_t out[CITY_DUE_MAX], size_t count, const generator *g,
                       uint16_t special)
{
    const uint64_t turn = turn_of(g, special);
    size_t at = 0;
    while (at < count && out[at] != special && turn_of(g, out[at]) <= turn)
        at++;
    if (at == CITY_DUE_MAX || (at < count && out[at] == special))
        return count;
    const size_t end = count < CITY_DUE_MAX ? count : CITY_DUE_MAX - 1;
    for (size_t i = end; i > at; i--)
        out[i] = out[i - 1];
    out[at] = special;
    return end + 1;
}

/* Those of one list whose home is this chunk. */
static size_t add_homes(uint16_t out[CITY_DUE_MAX], size_t count, const generator *g,
                        const cat_bin *bin)
{
    const ptl_chunk_pos here = g->chunk->pos;
    for (size_t i = 0; i < bin->count; i++) {
        const uint16_t special = bin->specials[i];
        if (!(g->config->cat->specials[special].flags & PTL_SPECIAL_GLOBALLY_UNIQUE))
            continue;
        const ptl_chunk_pos home = special_home(g->config, special);
        if (home.x == here.x && home.y == here.y)
            count = add_home(out, count, g, special);
    }
    return count;
}

/* By their turns, not in the order of the lists: that would starve the same ones in all worlds.
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

/* Is there one already, in the city or in all of the chunk? Cities grow one after the other, so
 * a city's buildings are the last ones. */
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

/* May the city not have the building: is it of another size, or has it, or the chunk, the one
 * that it may have? */
static bool city_refuses(const town *t, uint16_t special)
{
    const cat_special *s = &t->ground->g->config->cat->specials[special];
    if (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE || !of_size(s, t->size))
        return true;
    return (s->flags & PTL_SPECIAL_CITY_UNIQUE && stands(t, special, false)) ||
           (s->flags & PTL_SPECIAL_UNIQUE && stands(t, special, true));
}

enum {
    TRIES = 10,
    DRAWS = 64,         /* for one that the city may have; the games draw without end */
    URBAN_SIZE = 10,    /* larger ones are built from the urban lists, where there are any */
    PERCENT_MAX = 30000 /* of the smallest city's size: farther than a chunk's diagonal */
};

/* Returns an index into the catalogue's specials; CAT_NONE from an empty bin. */
static uint16_t take(const cat_bin *bin, rng *r)
{
    if (bin->count == 0 || bin->upto[bin->count - 1] == 0)
        return CAT_NONE;
    return bin->specials[rng_by_weight(r, bin->upto, bin->count)];
}

/* Is the place nearer to the centre than a radius drawn for it? Radii are percents of the
 * city's size, never smaller than the mean: everything nearer than that is certain. Compared
 * in squares, which needs no root. */
static bool within(town *t, int64_t square, int32_t mean, int32_t sigma)
{
    int64_t radius = normal_draw(&t->random, mean, sigma);
    if (radius < mean)
        radius = mean;
    if (radius > PERCENT_MAX)
        radius = PERCENT_MAX;
    return radius > 0 && 10000 * square < radius * radius * t->size * t->size;
}

/* One that the city may have; CAT_NONE, and an event, where hardly any of the list is. */
static uint16_t take_fit(town *t, const cat_bin *bin)
{
    city_ground *ground = t->ground;
    if (!ground->g->config->region->levelled)
        return take(bin, &t->random);
    for (int i = 0; i < DRAWS && bin->count > 0; i++) {
        const uint16_t special = take(bin, &t->random);
        if (!city_refuses(t, special))
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

static uint16_t choose(town *t, int32_t x, int32_t y)
{
    const cat_city_settings *city = &t->ground->g->config->region->city;
    const int64_t dx = x - t->x, dy = y - t->y, square = dx * dx + dy * dy;
    if (within(t, square, city->shop_radius, city->shop_sigma))
        return take_fit(t, urban(t, &city->urban_shops, &city->shops));
    if (within(t, square, city->park_radius, city->park_sigma))
        return take_fit(t, &city->parks);
    return take_fit(t, urban(t, &city->urban_houses, &city->houses));
}

/* Does the rotated footprint lie inside the chunk and its levels? */
static bool fits(const cat_special *s, int32_t x, int32_t y, int rotation)
{
    int32_t ax, ay, bx, by;
    feature_rotate(s->x0, s->y0, rotation, &ax, &ay);
    feature_rotate(s->x1, s->y1, rotation, &bx, &by);
    return city_clear(x + ax, y + ay) && city_clear(x + bx, y + by) && s->z0 >= PTL_Z_MIN &&
           s->z1 <= PTL_Z_MAX;
}

/* Locations as they mean the ground; off it the level's default will do. */
static bool takes(const generator *g, ptl_terrain_set allows, int32_t z, int32_t cell)
{
    const level *l = chunk_level(g->chunk, z);
    const ptl_oter oter = l->cells ? l->cells[cell] : l->fill;
    return (z != 0 && oter == g->config->defaults[z - PTL_Z_MIN]) ||
           cat_terrain_in(allows, g->config->cat->oters[oter].terrain);
}

static bool tile_fits(const city_ground *ground, const cat_tile *tile, int32_t cell)
{
    const generator *g = ground->g;
    const int level_bit = 1 << (tile->z - PTL_Z_MIN);
    const int32_t taken = level_bit | (tile->z == 0 ? CITY_STREET : 0);
    return !g->reserved[cell] && !(ground->built[cell] & taken) &&
           takes(g, tile->allows, tile->z, cell);
}

/* Points that are only looked at may lie in streets and other buildings. */
static bool check_fits(const generator *g, const cat_check *c, int32_t x, int32_t y,
                       int rotation)
{
    for (int32_t z = c->z0; z <= c->z1; z++)
        for (int32_t cy = c->y0; cy <= c->y1; cy++)
            for (int32_t cx = c->x0; cx <= c->x1; cx++) {
                int32_t dx, dy;
                feature_rotate(cx, cy, rotation, &dx, &dy);
                dx += x;
                dy += y;
                if (dx < 0 || dx >= SIZE || dy < 0 || dy >= SIZE || z < PTL_Z_MIN ||
                    z > PTL_Z_MAX || !takes(g, c->allows, z, dy * SIZE + dx))
                    return false;
            }
    return true;
}

static int32_t tile_cell(const cat_tile *tile, int32_t x, int32_t y, int rotation)
{
    int32_t dx, dy;
    feature_rotate(tile->x, tile->y, rotation, &dx, &dy);
    return (y + dy) * SIZE + x + dx;
}

/* Regions that state no levels have no home for a unique building, as it always was. */
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
    if (s->omt_count == 0 || !fits(s, x, y, rotation))
        return false;
    for (size_t i = 0; i < s->omt_count; i++)
        if (!tile_fits(ground, &s->tiles[i], tile_cell(&s->tiles[i], x, y, rotation)))
            return false;
    for (size_t i = 0; i < s->check_count; i++)
        if (!check_fits(ground->g, &s->checks[i], x, y, rotation))
            return false;
    return true;
}

/* Levels that a tile leaves as they are filled stay in the short form. */
static void set_tile(city_ground *ground, const cat_tile *tile, int32_t cell, ptl_oter oter)
{
    level *l = chunk_level(ground->g->chunk, tile->z);
    ground->built[cell] |= 1 << (tile->z - PTL_Z_MIN);
    if (!l->cells && l->fill == oter)
        return;
    ptl_oter *cells = cells_at(ground->g, tile->z);
    if (!cells)
        return;
    cell_covered(ground->g, tile->z, cell, cells[cell], oter);
    cells[cell] = oter;
}

static bool place(town *t, uint16_t special, int32_t x, int32_t y, int rotation)
{
    generator *g = t->ground->g;
    const cat_special *s = special == CAT_NONE ? NULL : &g->config->cat->specials[special];
    /* A special of a bin has a row, which must have tiles: a mutable one has none here. */
    if (!s || (s->omt_count == 0 && !s->building) ||
        (!t->ground->g->config->region->levelled && is_unique(t->ground, s, x, y)) ||
        !can_place(t->ground, s, x, y, rotation))
        return false;
    for (size_t i = 0; i < s->omt_count; i++)
        set_tile(t->ground, &s->tiles[i], tile_cell(&s->tiles[i], x, y, rotation),
                 s->tiles[i].oters[rotation]);
    gen_placement *p = features_add_placement(&g->features);
    if (!p) {
        g->failed = true;
        return true;
    }
    *p = (gen_placement){.special = special,
                         .x = (int16_t)x,
                         .y = (int16_t)y,
                         .rotation = (uint8_t)rotation,
                         .city = t->index,
                         .tiles = s->building ? 0 : (int32_t)s->omt_count};
    return true;
}

/* From its turn on, a large city's finale is tried at every place until it finds room. */
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

/* Likewise what stands once in the world, and here. */
static bool place_due(town *t, int32_t x, int32_t y, int rotation)
{
    if (t->due_count == 0 || t->due_turn-- > 0)
        return false;
    for (size_t i = 0; i < t->due_count; i++) {
        if (!place(t, t->due[i], x, y, rotation))
            continue;
        t->due_count--;
        for (; i < t->due_count; i++)
            t->due[i] = t->due[i + 1];
        return true;
    }
    return false;
}

void city_building(town *t, int32_t x, int32_t y, int side)
{
    const int rotation = (side + 2) % 4;
    x += step_x(side);
    y += step_y(side);
    /* Nearly every building has a tile here; those few that have none are held to it as well,
     * since most places along a street are taken and ten tries at each would be in vain. */
    const int32_t taken = CITY_STREET | 1 << -PTL_Z_MIN;
    if (!city_clear(x, y) || (t->ground->built[y * SIZE + x] & taken))
        return;
    if (place_finale(t, x, y, rotation) || place_due(t, x, y, rotation))
        return;
    for (int i = 0; i < TRIES; i++)
        if (place(t, choose(t, x, y), x, y, rotation))
            return;
}
