/* Makes fields and forests as the region's settings say. */
#include "mapgen/ground/draws.h"
#include "mapgen/ground/ground_impl.h"
#include "model/local_map.h"

#include <stdlib.h>

/* Chooses an id from a list at random. If it is a pseudo id, which stands for a list of ids,
 * one of these is chosen at random in its place. False: no id was chosen. */
static bool draw_by(const ground_settings *s, uint64_t (*next)(void *stream), void *stream,
                    const ground_weights *weights, uint32_t *id, bool *furniture)
{
    if (weights->count == 0)
        return false;
    const ground_choice *c = ground_pick(weights, next(stream));
    *furniture = c->furniture;
    *id = ground_resolve_by(s, next, stream, c->id);
    return *id != ID_NONE;
}

static bool draw(ground *g, const ground_weights *weights, uint32_t *id, bool *furniture)
{
    return draw_by(g->site->settings, ground_next, &g->random, weights, id, furniture);
}

static uint64_t next_of_many(void *stream)
{
    return draws_next(stream);
}

/* Chooses an id from the weighted list as draw_by does, but with random numbers that are found
 * many at a time (draws.h). */
static bool draw_many(draws *d, const ground_settings *s, const ground_weights *weights,
                      uint32_t *id, bool *furniture)
{
    return draw_by(s, next_of_many, d, weights, id, furniture);
}

/* Returns a bound: the upper 32 bits of a 64-bit random number are below it with a probability
 * of `wanted` percent (`wanted` may have a fraction). Comparing a random number with the bound
 * has the same result as turning it into a number below a million first, and comparing that
 * with `wanted`. */
static uint64_t percent_end(double wanted)
{
    enum { MILLION = 1000000, OF_PERCENT = 10000, HALF = 32 };
    const double parts = wanted * OF_PERCENT;
    uint64_t count = parts >= MILLION ? MILLION : parts > 0 ? (uint64_t)parts : 0;
    count += count < MILLION && (double)count < parts;
    return ((count << HALF) + MILLION - 1) / MILLION;
}

static bool is_below(uint64_t number, uint64_t end)
{
    return number >> 32 < end;
}

/* ---- cover ---- */

uint32_t ground_cover_tile(ground *g)
{
    const ground_settings *s = g->site->settings;
    uint32_t id = ID_NONE;
    bool furniture = false;
    const bool drawn = s && draw(g, &s->cover, &id, &furniture);
    return drawn && !furniture ? id : ground_id(g, "t_grass");
}

/* A ground cover of which each tile is decided by a single random number. The cover of most
 * contents is so simple: it is a list with one element, a pseudo id. The list that this id
 * stands for has neither pseudo ids nor furniture. */
typedef struct plain_cover {
    bool plain; /* false: the cover is not as simple as the members below describe, and is drawn
                   in the general way, one choice after the other */
    /* How many random numbers are skipped for each tile. Without this short cut a random number
     * would be taken for each list on the way, also for a list with a single element. */
    uint32_t passed;
    /* The weighted list from which the tile's random number chooses an id; NULL: every tile
     * gets `id`. */
    const ground_weights *list;
    uint32_t id;
} plain_cover;

static plain_cover plain_cover_of(const ground_settings *s, const ground_weights *weights)
{
    plain_cover c = {.list = weights};
    bool furniture = false;
    while (c.list && c.list->count == 1 && c.passed < GROUND_DEPTH_MAX) {
        furniture = furniture || (c.passed == 0 && c.list->items[0].furniture);
        c.id = c.list->items[0].id;
        c.list = ground_pseudo_of(s, c.id);
        c.passed++;
    }
    c.plain = !furniture && (!c.list || (c.list->count > 1 && c.passed < GROUND_DEPTH_MAX));
    for (uint32_t i = 0; c.plain && c.list && i < c.list->count; i++)
        c.plain = !ground_pseudo_of(s, c.list->items[i].id) &&
                  (c.passed > 0 || !c.list->items[i].furniture);
    return c;
}

static uint32_t draw_plain_cover(draws *d, const plain_cover *c)
{
    draws_pass(d, c->passed);
    return c->list ? ground_pick(c->list, draws_next(d))->id : c->id;
}

void ground_cover(ground *g)
{
    const ground_settings *s = g->site->settings;
    const plain_cover c = s ? plain_cover_of(s, &s->cover) : (plain_cover){.plain = false};
    draws d;
    draws_begin(&d, &g->random);
    for (int i = 0; i < LOCAL_CELLS && c.plain; i++)
        g->map->terrain[i] = draw_plain_cover(&d, &c);
    g->random = draws_end(&d);
    for (int i = 0; i < LOCAL_CELLS && !c.plain; i++)
        g->map->terrain[i] = ground_cover_tile(g);
}

static void put_drawn(local_map *map, int cell, uint32_t id, bool furniture)
{
    (furniture ? map->furniture : map->terrain)[cell] = id;
}

/* ---- fields ---- */

/* Chooses a plant of a field at random. Weights in the lists are percent, and what is left
 * of 100 is the plain terrain. */
static bool field_plant(draws *d, const ground_settings *s, uint32_t *id, bool *furniture)
{
    const ground_field *f = &s->field;
    if (f->plain != ID_NONE && !is_below(draws_next(d), percent_end(f->other_percent))) {
        *id = ground_resolve_by(s, next_of_many, d, f->plain);
        *furniture = false;
        return *id != ID_NONE;
    }
    return draw_many(d, s, &f->other, id, furniture);
}

/* The plant that is more frequent in a field than all others; id ID_NONE: no plant is. */
typedef struct field_most {
    uint32_t id;
    bool furniture;
} field_most;

/* How likely fields and trails have an item group, in percent. */
enum { FIELD_CHANCE = 60, TRAIL_CHANCE = 75 };

/* Makes a field. In some fields more plants grow than in others. There, a certain percentage
 * of the plants are of one kind, which is chosen at random for the whole field. */
void make_field(ground *g)
{
    static const ground_field none = {0};
    const ground_field *f = g->site->settings ? &g->site->settings->field : &none;
    const bool boosted = is_below(rng_next(&g->random), percent_end(f->boost_chance));
    field_most most = {ID_NONE, false};
    if (boosted)
        draw(g, &f->boosted_other, &most.id, &most.furniture);
    ground_cover(g);
    if (f->stated) {
        const double covered = boosted ? f->boosted_percent : f->percent;
        const ground_settings *s = g->site->settings;
        const uint64_t any = percent_end(covered);
        const uint64_t alike = percent_end(s->field.boosted_other_percent);
        draws d;
        draws_begin(&d, &g->random);
        for (int i = 0; i < LOCAL_CELLS; i++) {
            field_most plant = most;
            if (!is_below(draws_next(&d), any))
                continue;
            const bool usual = most.id == ID_NONE || !is_below(draws_next(&d), alike);
            if (!usual || field_plant(&d, s, &plant.id, &plant.furniture))
                put_drawn(g->map, i, plant.id, plant.furniture);
        }
        g->random = draws_end(&d);
    }
    ground_items(g, ground_id(g, "field"), FIELD_CHANCE);
}

/* ---- forests ---- */

const ground_biome *ground_biome_of(const ground *g, const char *type)
{
    const ground_settings *s = g->site->settings;
    for (uint32_t i = 0; s && i < s->biome_count; i++)
        if (strcmp(id_pool_text(g->site->pool, s->biomes[i].terrain), type) == 0)
            return &s->biomes[i];
    return NULL;
}

/* How far into the map a neighbour influences the plants, in tiles, and on which percentage of
 * tiles it does so at the border (schema/mapgen.md, "Ground"). */
enum { FELT = 10, FELT_PERCENT = 62 };

/* A forest that is being made. */
typedef struct forest {
    const ground_settings *settings;
    /* The biome of this forest, and the biomes of the neighbours at its sides. NULL: an OMT has
     * no biome. */
    const ground_biome *own, *sides[GROUND_SIDES];
    local_map *map;
    draws random;
    /* Of a forest that blends into its neighbours: how deep a neighbour without a biome reaches
     * into the map, in tiles, for each tile along each side. */
    int32_t reach[GROUND_SIDES][LOCAL_SIDE];
} forest;

/* Returns the tile's distance from each side of the map, in tiles. */
static void distances(int away[GROUND_SIDES], int x, int y)
{
    away[GROUND_NORTH] = y;
    away[GROUND_EAST] = LOCAL_SIDE - 1 - x;
    away[GROUND_SOUTH] = LOCAL_SIDE - 1 - y;
    away[GROUND_WEST] = x;
}

/* Returns the biome that a tile's plants are drawn from: that of this OMT, or, near a side,
 * sometimes that of the neighbour. NULL: the neighbour has no biome. */
static const ground_biome *tile_biome(forest *f, int x, int y)
{
    int away[GROUND_SIDES];
    distances(away, x, y);
    for (int side = 0; side < GROUND_SIDES; side++) {
        enum { WHOLE = 100 * FELT };
        const int felt = FELT_PERCENT * (FELT - away[side]);
        if (f->sides[side] != f->own && felt > 0 && (int)draws_below(&f->random, WHOLE) < felt)
            return f->sides[side];
    }
    return f->own;
}

/* How much the OMT itself counts where forests blend, and by how many tiles less a neighbour
 * without a biome reaches into the ground cover than into the plants. Both numbers are fitted
 * to the maps of DDA 0.I (schema/mapgen.md, "Ground"). */
enum { OWN_COUNTS = 4, COVER_LESS = 3 };

/* Finds how deep neighbours without a biome reach into the map. The depth at a corner of the
 * map follows from the corner alone, so that the edge of a forest goes on in the next map. */
static void find_reach(forest *f, const ground_site *site)
{
    enum { LOW = 4, HIGH = 10, CORNERS = 4 };
    static const int first[GROUND_SIDES] = {0, 1, 2, 0}, last[GROUND_SIDES] = {1, 3, 3, 2};
    int32_t depth[CORNERS];
    for (int i = 0; i < CORNERS; i++) {
        const uint64_t x = (uint64_t)(site->x + i % 2), y = (uint64_t)(site->y + i / 2);
        const uint64_t key = hash_add(site->seed_key, hash_string("forest corner"));
        rng random = rng_from_key(hash_add(hash_add(key, x), y));
        depth[i] = rng_range(&random, LOW, HIGH);
    }
    for (int side = 0; side < GROUND_SIDES; side++)
        for (int i = 0; i < LOCAL_SIDE; i++)
            f->reach[side][i] = (depth[first[side]] * (LOCAL_SIDE - 1 - i) +
                                 depth[last[side]] * i + LOCAL_SIDE / 2) /
                                (LOCAL_SIDE - 1);
}

/* Draws the biome of a tile of a forest that blends into its neighbours; NULL: nothing grows
 * there, as on ground without a biome. The nearer a neighbour is to the tile, the likelier its
 * biome is drawn. A neighbour without a biome counts more: its weight is multiplied by
 * forest.reach - `less`. The sparser the biomes of this OMT and its neighbours are, compared
 * with the densest biome of the region, the likelier nothing grows. */
static const ground_biome *blended_biome(forest *f, int x, int y, int32_t less)
{
    /* A unit of weights. It is so small that the sum of all weights fits into 32 bits, as
     * draws_below needs. */
    enum { UNIT = 1 << 12 };
    const uint64_t densest = (uint64_t)f->settings->densest, own = OWN_COUNTS * UNIT;
    uint64_t counts[GROUND_SIDES], all = own, dense = own * (uint64_t)f->own->sparseness;
    int away[GROUND_SIDES];
    distances(away, x, y);
    for (int side = 0; side < GROUND_SIDES; side++) {
        const ground_biome *b = f->sides[side];
        const int32_t reach = f->reach[side][side % 2 == 0 ? x : y] - less;
        const int32_t times = b ? 1 : reach > 1 ? reach : 1;
        counts[side] = (uint64_t)(f->own->sparseness * times * UNIT / (away[side] + 1));
        all += counts[side];
        dense += b ? counts[side] * (uint64_t)b->sparseness : 0;
    }
    uint64_t wanted = draws_below(&f->random, all + all * densest - dense);
    for (int side = 0; side < GROUND_SIDES; side++) {
        if (wanted < counts[side])
            return f->sides[side];
        wanted -= counts[side];
    }
    return wanted < own ? f->own : NULL;
}

/* Decides a chance of one in `chance`, with the same result as rng_one_in, but faster: `end` is
 * the known bound below which random numbers are within the chance. A chance of one in 1 draws
 * no number. */
static bool holds(forest *f, int32_t chance, uint64_t end)
{
    return chance == 1 || draws_next(&f->random) < end;
}

/* Goes through the biome's components in the order of their sequence, and puts on the tile the
 * first one whose chance holds. */
static void put_component(forest *f, const ground_biome *b, int cell)
{
    for (uint32_t i = 0; i < b->component_count; i++) {
        const ground_component *c = &b->components[i];
        uint32_t id = ID_NONE;
        bool furniture = false;
        if (!holds(f, c->chance, c->end))
            continue;
        if (draw_many(&f->random, f->settings, &c->types, &id, &furniture))
            put_drawn(f->map, cell, id, furniture);
        return;
    }
}

/* Puts furniture on the tile, as the region's settings (terrain_furniture) state it for the
 * tile's terrain. */
static void put_dressing(forest *f, int cell)
{
    const uint32_t here = f->map->terrain[cell];
    for (uint32_t k = 0; k < f->own->dressing_count; k++) {
        const ground_dressing *d = &f->own->dressings[k];
        uint32_t id = ID_NONE;
        bool furniture = false;
        if (d->terrain == here && holds(f, d->chance, d->end) &&
            draw_many(&f->random, f->settings, &d->furniture, &id, &furniture))
            f->map->furniture[cell] = id;
    }
}

/* Draws the ground cover of a biome for a tile. If furniture or nothing is drawn, or the biome
 * is NULL, the default cover of the settings is drawn instead. */
static uint32_t forest_cover(const ground *g, forest *f, const ground_biome *b)
{
    const ground_settings *s = f->settings;
    uint32_t id = ID_NONE;
    bool furniture = false;
    if (b && draw_many(&f->random, s, &b->cover, &id, &furniture) && !furniture)
        return id;
    const bool drawn = draw_many(&f->random, s, &s->cover, &id, &furniture);
    return drawn && !furniture ? id : ground_id(g, "t_grass");
}

void make_forest(ground *g)
{
    forest f;
    /* True: this OMT and its four neighbours have the same biome, so every tile's plants are
     * drawn from that biome. Of a biome that lists several terrains there is a copy for each of
     * them; so the lists of components are compared. */
    bool alike = true;
    f.settings = g->site->settings;
    f.own = ground_biome_of(g, g->type);
    f.map = g->map;
    /* A neighbour that is a trail has no biome, so the forest gets sparse beside it as beside a
     * road (schema/mapgen.md, "Ground"). */
    for (int side = 0; side < GROUND_SIDES && f.own; side++) {
        f.sides[side] = ground_biome_of(g, ground_side(g, side)->type);
        alike = alike && f.sides[side] && f.sides[side]->components == f.own->components;
    }
    draws_begin(&f.random, &g->random);
    if (!f.own) { /* the OMT is no forest */
        ground_cover(g);
        return;
    }
    const plain_cover cover = plain_cover_of(f.settings, &f.own->cover);
    const bool blended =
        f.settings->blended && (!alike || f.own->sparseness < f.settings->densest);
    if (blended)
        find_reach(&f, g->site);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const ground_biome *under = blended ? blended_biome(&f, x, y, COVER_LESS) : f.own;
        f.map->terrain[i] = cover.plain && under == f.own ? draw_plain_cover(&f.random, &cover)
                                                          : forest_cover(g, &f, under);
        const ground_biome *b = blended ? blended_biome(&f, x, y, 0)
                                : alike ? f.own
                                        : tile_biome(&f, x, y);
        if (b)
            put_component(&f, b, i);
        put_dressing(&f, i);
    }
    g->random = draws_end(&f.random);
    for (int32_t i = 0; i < f.own->item_times; i++)
        ground_items(g, f.own->item_group, f.own->item_chance);
}

/* In thick forest the map has a trail from its middle to each side at which the OMT's trail
 * leads on. The tile where a trail crosses a border depends on the border alone, so that the
 * trail goes on in the next OMT. */

enum { MIDDLE = LOCAL_SIDE / 2, LAST = LOCAL_SIDE - 1 };

static int32_t limited(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Chooses the terrain of one tile of a trail at random, as the settings say. If they give none,
 * it is dirt. */
static inline uint32_t draw_trail_tile(ground *g, const ground_trail *t)
{
    const ground_choice *c =
        t->terrain.count > 0 ? ground_pick(&t->terrain, rng_next(&g->random)) : NULL;
    const uint32_t id = c && !c->furniture && g->site->settings
                            ? ground_resolve(g->site->settings, &g->random, c->id)
                            : ID_NONE;
    return id != ID_NONE ? id : ground_id(g, "t_dirt");
}

/* Draws a trail, step by step, from (x, y) to the border on this side. The place at the border
 * (`across`) is chosen at random; the neighbouring OMT chooses the same one. */
static void draw_arm(ground *g, const ground_trail *t, int side, int x, int y)
{
    const int32_t variance = limited(t->variance, 0, MIDDLE - 4);
    const int32_t low = limited(t->width_min, 1, MIDDLE),
                  high = limited(t->width_max, low, MIDDLE);
    rng border = ground_border_of(g->site, side);
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
            ground_clear(g, vertical ? k : along, vertical ? along : k, draw_trail_tile(g, t));
    }
}

void make_trail(ground *g)
{
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
    ground_items(g, ground_id(g, "forest_trail"), TRAIL_CHANCE);
}

/* Finds out what forests are made of: makes a few forests and counts their tiles. */

enum {
    SAMPLES = 32,
    /* The weights of all terrains in a palette add up to about this number. */
    WEIGH_TERRAIN = 2000,
    WEIGH_FURNITURE = 400
};

/* How many times an id was counted. */
typedef struct tally {
    uint32_t id, count;
} tally;

/* Counts how often each id stands in `cells`, and lists the ids with these counts in any order.
 * `counts` is a table by id that must be zero, and is zero again afterwards. */
static size_t list_tallies(tally *out, uint32_t *counts, const uint32_t *cells, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        counts[cells[i]]++;
    for (size_t i = 0; i < count; i++)
        if (counts[cells[i]] > 0) {
            if (cells[i] != ID_NONE)
                out[found++] = (tally){cells[i], counts[cells[i]]};
            counts[cells[i]] = 0;
        }
    return found;
}

/* The ids on all tiles of the sample maps, which are made to count what a forest consists of:
 * first the ids of terrain, then those of furniture. */
typedef struct samples {
    uint32_t cells[LOCAL_PALETTE_PLANES][SAMPLES * LOCAL_CELLS];
    tally tallies[SAMPLES * LOCAL_CELLS];
} samples;

static uint32_t put_palette(const samples *from, tally *list, uint32_t *counts, id_pool *pool)
{
    static const uint64_t wholes[] = {WEIGH_TERRAIN, WEIGH_FURNITURE};
    local_palette palette;
    bytes text = {0};
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++) {
        const size_t count =
            list_tallies(list, counts, from->cells[k], (size_t)SAMPLES * LOCAL_CELLS);
        /* Keeps only the ids that are the most frequent in the sample maps, the most frequent
         * one first. */
        local_palette_plane *out = &palette.planes[k];
        uint64_t all = 0;
        for (size_t i = 0; i < count; i++)
            all += list[i].count;
        out->count = 0;
        for (size_t i = 0; i < count && out->count < LOCAL_PALETTE_MAX; i++) {
            for (size_t j = i + 1; j < count; j++)
                /* The more frequent id comes first; of equally frequent ids the one with the
                 * lesser text, as the numbers of ids in the id_pool mean nothing. */
                if (list[j].count != list[i].count
                        ? list[j].count > list[i].count
                        : strcmp(id_pool_text(pool, list[j].id),
                                 id_pool_text(pool, list[i].id)) < 0) {
                    const tally less = list[i];
                    list[i] = list[j];
                    list[j] = less;
                }
            if (strchr(id_pool_text(pool, list[i].id), '\n'))
                continue;
            out->ids[out->count] = list[i].id;
            const uint64_t share = list[i].count * wholes[k] / all;
            out->weights[out->count++] = share < LOCAL_PALETTE_WEIGHT_LEAST
                                             ? LOCAL_PALETTE_WEIGHT_LEAST
                                             : (uint16_t)share;
        }
    }
    local_palette_put(&text, &palette, pool);
    const uint32_t id =
        text.failed ? ID_NONE : id_pool_put(pool, (const char *)text.data, text.size);
    bytes_dispose(&text);
    return id;
}

uint32_t ground_palette(const ground_settings *settings, id_pool *pool, const char *type)
{
    const ground_site site = {.settings = settings, .pool = pool};
    const ground g = {.site = &site, .type = type};
    if (!ground_biome_of(&g, type))
        return ID_NONE;
    samples *s = malloc(sizeof *s);
    if (s) {
        ground_site sampled = {.settings = settings, .pool = pool};
        for (int i = 0; i < GROUND_AROUND; i++)
            sampled.around[i] = (ground_omt){.id = type, .type = type};
        /* The OMTs above and below have no terrain, so that the sampled maps get no stairs or
         * the like. */
        sampled.above = sampled.below = (ground_omt){.id = "", .type = ""};
        for (uint64_t i = 0; i < SAMPLES; i++) {
            local_map map;
            local_map_init(&map);
            sampled.key = hash_add(hash_string("palette"), i);
            (void)ground_make(&map, &sampled, type);
            memcpy(&s->cells[LOCAL_PALETTE_TERRAIN][i * LOCAL_CELLS], map.terrain,
                   sizeof map.terrain);
            memcpy(&s->cells[LOCAL_PALETTE_FURNITURE][i * LOCAL_CELLS], map.furniture,
                   sizeof map.furniture);
            local_map_dispose(&map);
        }
    }
    uint32_t *counts = calloc(id_pool_count(pool) + 1, sizeof *counts);
    const uint32_t id = s && counts ? put_palette(s, s->tallies, counts, pool) : ID_NONE;
    if (!s || !counts)
        id_pool_fail(pool);
    free(counts);
    free(s);
    return id;
}

/* ---- what lies there ---- */

int ground_things_of(ground_thing out[GROUND_THINGS_MAX], const ground_settings *settings,
                     id_pool *pool, const char *type)
{
    /* Types whose generators put down ground alone, or begin with one of these. The shores of
     * lakes and rivers are not among them: their land is a field or forest. */
    static const char *const bare[] = {"river",     "ocean_shore", "empty_rock", "solid_earth",
                                       "deep_rock", "open_air",    "pd_border"};
    const ground_site site = {.settings = settings, .pool = pool};
    const ground g = {.site = &site};
    const bool trail = strcmp(type, "forest_trail") == 0;
    const ground_biome *b = ground_biome_of(&g, trail ? "forest_thick" : type);
    int count = 0;
    for (size_t i = 0; i < sizeof bare / sizeof bare[0]; i++)
        if (ground_starts(type, bare[i]) && strcmp(type, "river_shore") != 0)
            return 0;
    if (strcmp(type, "field") == 0) {
        out[0] = (ground_thing){ground_id(&g, "field"), FIELD_CHANCE, 1};
        return 1;
    }
    if (!trail && strcmp(type, "forest") != 0 && strcmp(type, "forest_thick") != 0 &&
        strcmp(type, "forest_water") != 0)
        return -1;
    if (b && b->item_group != ID_NONE && b->item_times > 0)
        out[count++] = (ground_thing){b->item_group, b->item_chance, b->item_times};
    if (trail)
        out[count++] = (ground_thing){ground_id(&g, "forest_trail"), TRAIL_CHANCE, 1};
    return count;
}
