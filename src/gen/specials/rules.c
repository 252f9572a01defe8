/*
 * What the rules quota and sectors both need: facts about the specials, compiled with the
 * config; counts of the chunk's cells by kind of ground; sets of valid origins; the choice of a
 * rotation; and placing itself.
 */
#include "gen/specials/rules.h"
#include "gen/connect/connect_impl.h"
#include "gen/mutable/growth.h"
#include "gen/specials/rules_impl.h"

#include <math.h>
#include <string.h>

/* DDA up to 0.F hands a special that an overmap could not place, together with the unique
 * specials that it was to get by chance, to a neighbouring overmap, which it makes at once;
 * there the chance of each is tried again. So in the nth overmap of such a row a unique special
 * comes with the nth power of its chance. HANDED_ON is the probability that a further overmap
 * follows in a row, fitted to 49 overmaps of the game. */
#define HANDED_ON 0.52

double special_successes(const cat_special *s, const cat_region *region,
                         const ptl_world_options *options)
{
    double x = s->occurrences_min;
    const double y = s->occurrences_max;
    if (!(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) && options->scale_unique)
        x *= options->specials_density;
    /* Before the games had decks, the chance of a special depended on how often it had been
     * placed so far. In the long run it was then sqrt(x * y) in y instead of x in y; x and y
     * are the special's occurrences_min and occurrences_max. */
    if (region->levelled && options->compat && !region->parts && x > 0 && x < y)
        x = sqrt(x * y);
    if (!region->levelled && options->compat && options->placement == PTL_PLACEMENT_SECTORS &&
        !(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) && x > 0 && x < y)
        x *= (1 - HANDED_ON) / (1 - HANDED_ON * x / y);
    return x;
}

bool special_is_certain(const cat_special *s, const cat_region *region,
                        const ptl_world_options *options)
{
    return region->levelled && options->placement == PTL_PLACEMENT_SECTORS &&
           (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0;
}

double special_chance(const cat_special *s, const cat_region *region,
                      const ptl_world_options *options)
{
    const double x = special_successes(s, region, options);
    if (!(x > 0) || s->occurrences_max <= 0)
        return 0;
    return special_is_certain(s, region, options) ? 1 : fmin(1, x / s->occurrences_max);
}

/* ---- facts ---- */

/* Returns the terrains of location `water`, by which a special is recognised as one that stands
 * on rivers. NULL if the location is empty or absent. */
static ptl_terrain_set water_location(const catalogue *cat, size_t words)
{
    for (size_t i = 0; i < cat->location_count; i++)
        for (size_t w = 0; w < words && strcmp(cat->locations[i].id, "water") == 0; w++)
            if (cat->locations[i].terrains[w])
                return cat->locations[i].terrains;
    return NULL;
}

typedef struct compiler {
    const catalogue *cat;
    size_t words;
    ptl_terrain_set water;
    /* Scratch memory: the union of the terrains on which the cells of the present special may
     * lie. */
    uint64_t *set;
    /* Numbers of cells that the present special takes: on the ground, and on all other levels
     * together. */
    int64_t ground, elsewhere;
    int32_t visits; /* OMTs, checks and nested specials visited so far */
    bool on_water;
} compiler;

static void add_cells(compiler *c, ptl_terrain_set allows, int32_t z, int64_t cells)
{
    if (z != 0) {
        c->elsewhere += cells;
        return;
    }
    c->ground += cells;
    bool all_water = c->water != NULL;
    for (size_t i = 0; i < c->words; i++) {
        c->set[i] |= allows[i];
        if (c->water && (c->water[i] & ~allows[i]))
            all_water = false;
    }
    c->on_water = c->on_water || all_water;
}

/* Adds a special and the specials nested in it. Where nesting is too deep, counting stops: such
 * a special can't be placed anyway, so its area does not matter. */
static void add_special(compiler *c, const cat_special *s, int32_t z, int depth)
{
    /* A special may have nested specials, and this function calls itself for each. DEPTH_MAX
     * limits how deep it does so, VISITS_MAX how many OMTs and specials it visits in all. The
     * content's nesting of specials has no cycles. */
    enum { DEPTH_MAX = 16, VISITS_MAX = 20000 };
    c->visits += 1 + (int32_t)(s->omt_count < VISITS_MAX ? s->omt_count : VISITS_MAX);
    for (size_t i = 0; i < s->omt_count; i++)
        add_cells(c, s->omts[i].allows, z + s->omts[i].z, 1);
    for (size_t i = 0; s->layout && i < s->check_count; i++) {
        const cat_check *check = &s->checks[i];
        const int64_t cells =
            (int64_t)(check->x1 - check->x0 + 1) * (check->y1 - check->y0 + 1);
        for (int32_t dz = check->z0; dz <= check->z1; dz++)
            add_cells(c, check->allows, z + dz, cells);
    }
    for (size_t i = 0; depth < DEPTH_MAX && c->visits < VISITS_MAX && i < s->nested_count; i++)
        add_special(c, &c->cat->specials[s->nested[i].special], z + s->nested[i].z, depth + 1);
}

static void compile(special_rules *r, const catalogue *cat)
{
    compiler c = {.cat = cat, .words = r->set_words};
    c.water = water_location(cat, r->set_words);
    for (size_t i = 0; i < cat->special_count; i++) {
        c.set = r->sets + i * r->set_words;
        const cat_special *s = &cat->specials[i];
        const uint32_t lake = PTL_SPECIAL_LAKE | PTL_SPECIAL_OCEAN;
        c.ground = c.elsewhere = 0;
        c.visits = 0;
        c.on_water = false;
        add_special(&c, s, 0, 0);
        const rule_zone zone = s->flags & lake                              ? ZONE_LAKE
                               : c.on_water || s->flags & PTL_SPECIAL_RIVER ? ZONE_RIVER
                               : c.ground > 0                               ? ZONE_LAND
                                                                            : ZONE_UNDER;
        const int64_t area = c.ground > 0 ? c.ground : c.elsewhere;
        r->facts[i] =
            (rule_facts){(uint8_t)zone, area > INT32_MAX ? INT32_MAX : (int32_t)area, c.set};
        if (r->facts[i].zone == ZONE_LAND)
            r->on_land[i / 64] |= UINT64_C(1) << i % 64;
    }
}

/* Marks in `ends`, which has an element for each oter and must be zeroed, the oters that are
 * ends of trails. */
static void find_trail_ends(const gen_config *config, uint8_t *ends)
{
    const catalogue *cat = config->cat;
    /* connect_has reads only the config of the generator that it is given, so a generator
     * without a chunk is enough here. */
    const generator asker = {.config = config};
    for (size_t i = 0; i < cat->oter_count && config->trail != CAT_NONE; i++) {
        const cat_oter *o = &cat->oters[i];
        if (cat->terrains[o->terrain].count != 16 ||
            !connect_has(&asker, config->trail, (ptl_oter)i))
            continue;
        for (int d = 0; d < 4; d++)
            if (o->line == 1 << d)
                ends[i] = (uint8_t)(1 + opposite(d));
    }
}

static void make_special_rules(generator *g)
{
    const catalogue *cat = g->config->cat;
    const size_t n = cat->special_count + 1;
    special_rules *r = g->rules = generator_memory(g, 1, sizeof *r);
    if (!r)
        return;
    r->set_words = cat->terrain_count / 64 + 1;
    r->entry_words = n / 64 + 1;
    r->facts = generator_memory(g, n, sizeof *r->facts);
    r->sets = generator_memory(g, n * r->set_words, sizeof *r->sets);
    r->eligible = generator_memory(g, r->entry_words, sizeof *r->eligible);
    r->on_land = generator_memory(g, r->entry_words, sizeof *r->on_land);
    r->known = generator_memory(g, r->entry_words, sizeof *r->known);
    r->batch = generator_memory(g, n, sizeof *r->batch);
    r->orders = generator_memory(g, n, sizeof *r->orders);
    r->here = generator_memory(g, SECTORS * r->entry_words, sizeof *r->here);
    r->wanted = generator_memory(g, r->entry_words, sizeof *r->wanted);
    r->heads = generator_memory(g, n, sizeof *r->heads);
    r->next = generator_memory(g, n, sizeof *r->next);
    r->candidates = generator_memory(g, n, sizeof *r->candidates);
    r->counts = generator_memory(g, cat->oter_count + 1, sizeof *r->counts);
    r->land = generator_memory(g, 2 * r->set_words, sizeof *r->land);
    r->trail_ends = generator_memory(g, cat->oter_count + 1, sizeof *r->trail_ends);
    if (g->failed)
        return;
    compile(r, cat);
    find_trail_ends(g->config, r->trail_ends);
}

/* ---- what lies in the chunk ---- */

/* A word has four counters of eight bits, of lake, river, land and ocean cells in a row; each
 * constant is the bit at which a counter begins. A counter can hold SIZE, the number of cells
 * in a row. */
enum { COUNT_LAKE = 0, COUNT_RIVER = 8, COUNT_LAND = 16, COUNT_OCEAN = 24 };

/* Finds for each oter which of the four counters (lake, river, land, ocean) counts the cells
 * with this oter. Which cells count as land depends on which specials are eligible, so these
 * must be known before. */
static void find_counts(special_rules *r, const catalogue *cat)
{
    bool same = r->counted; /* true as long as nothing is found to have changed on which
                             * r->counts depend; they may then stay as they are */
    for (size_t w = 0; w < r->entry_words; w++) {
        const uint64_t now = r->eligible[w] & r->on_land[w];
        same = same && now == r->known[w];
        r->known[w] = now;
    }
    if (same)
        return;
    uint64_t *land = r->land + r->set_words;
    const size_t size = r->set_words * sizeof *land;
    memset(land, 0, size);
    for (size_t i = 0; i < cat->special_count; i++)
        for (size_t w = 0; r->known[i / 64] >> i % 64 & 1 && w < r->set_words; w++)
            land[w] |= r->facts[i].allows[w];
    if (r->counted && memcmp(land, r->land, size) == 0)
        return;
    memcpy(r->land, land, size);
    for (size_t i = 0; i < cat->oter_count; i++) {
        const uint32_t flags = cat->oters[i].flags;
        uint32_t count = flags & CAT_FLAG_LAKE ? 1u << COUNT_LAKE : 0;
        count += flags & CAT_FLAG_OCEAN ? 1u << COUNT_OCEAN : 0;
        if (!count && flags & CAT_FLAG_RIVER)
            count = 1u << COUNT_RIVER;
        if (!count && cat_terrain_in(r->land, cat->oters[i].terrain))
            count = 1u << COUNT_LAND;
        r->counts[i] = count;
    }
    r->counted = true;
}

/* Returns how many of a row's cells are lake, river, land and ocean: the sum of the cells'
 * entries in `counts`, which has four counters in one number. Cells are taken four at once,
 * since four cells are mostly equal to the four before them, whose sum is then used again. */
static uint32_t count_row(const uint32_t *counts, const ptl_oter *row)
{
    enum { AT_ONCE = 4 };
    uint64_t last = 0;
    uint32_t sum = 0, of_last = AT_ONCE * counts[0];
    for (int32_t x = 0; x < SIZE; x += AT_ONCE) {
        uint64_t cells;
        memcpy(&cells, row + x, sizeof cells);
        if (cells != last)
            of_last =
                counts[row[x]] + counts[row[x + 1]] + counts[row[x + 2]] + counts[row[x + 3]];
        last = cells;
        sum += of_last;
    }
    return sum;
}

rule_census rules_census(generator *g, bool again)
{
    special_rules *r = g->rules;
    if (again || !r->counted)
        find_counts(r, g->config->cat);
    rule_census c = {0};
    /* If all cells of the ground have the same oter, as at sea, it is enough to count one row
     * and to multiply its numbers. */
    const int32_t alike = level_is_even(g->ground) ? SIZE : 1;
    for (int32_t y = 0; y < SIZE; y += alike) {
        const uint32_t sum = count_row(r->counts, &g->ground[y * SIZE]);
        c.lake += alike * (int32_t)(sum >> COUNT_LAKE & 0xff);
        c.river += alike * (int32_t)(sum >> COUNT_RIVER & 0xff);
        c.land += alike * (int32_t)(sum >> COUNT_LAND & 0xff);
        c.ocean += alike * (int32_t)(sum >> COUNT_OCEAN & 0xff);
    }
    return c;
}

/* ---- draws ---- */

double rules_unit(rng *r)
{
    return (double)(rng_next(r) >> 11) * (1.0 / 9007199254740992.0);
}

int32_t rules_round(double value, rng *r)
{
    const double unit = rules_unit(r);
    if (!(value > 0))
        return 0;
    if (value >= AMOUNT_MAX)
        return AMOUNT_MAX;
    const int32_t whole = (int32_t)value;
    return whole + (unit < value - whole);
}

uint64_t rules_key(const generator *g, uint16_t special)
{
    const ptl_chunk_pos pos = g->chunk->pos;
    return hash_add(plan_key(g->config, "special", pos.x, pos.y),
                    g->config->cat->specials[special].key);
}

int choose_rotation(generator *g, uint16_t special, int32_t x, int32_t y, rng *r)
{
    const cat_special *s = &g->config->cat->specials[special];
    const int rotations = s->rotate ? 4 : 1;
    const bool links_first = g->config->options.compat && g->config->region->levelled;
    int best = -1, count = 0, found[4];
    rng own = rng_from_key(rng_next(r));
    bool fits[4] = {false};
    /* A rotation's score is the number of connection points that lie on OMTs of their
     * connection. Find the greatest score of all rotations, also of those in which the
     * special's OMTs do not fit: the games choose a rotation by its score first, and try no
     * rotation with a lower one. */
    for (int rotation = 0; links_first && s->link_count > 0 && rotation < rotations; rotation++)
        if (site_links_fit(g, special, rotation, x, y)) {
            const int score = site_score(g, special, rotation, x, y);
            best = score > best ? score : best;
        }
    for (int rotation = 0; rotation < rotations; rotation++) {
        const int like = site_like(g, special, rotation);
        fits[rotation] = like < rotation ? fits[like] : site_fits(g, special, rotation, x, y);
        if (!fits[rotation])
            continue;
        const int score = site_score(g, special, rotation, x, y);
        if (score > best) {
            best = score;
            count = 0;
        }
        if (score == best)
            found[count++] = rotation;
    }
    return count > 0 ? found[rng_below(&own, (uint64_t)count)] : -1;
}

/* ---- placing ---- */

void rules_verdict(const generator *g, uint16_t special, ptl_verdict verdict)
{
    if (g->trace && g->trace->on_verdict && g->trace->special == special)
        g->trace->on_verdict(g->trace->payload, verdict);
}

void rules_origins(const generator *g, uint16_t special, ptl_why_test test,
                   const site_bits *left)
{
    if (g->trace && g->trace->on_origins && g->trace->special == special)
        g->trace->on_origins(g->trace->payload, test, left->words);
}

void rules_valid(generator *g, uint16_t special, gen_attempt *attempt, site_bits *out)
{
    const site_counts counts = site_origins(g, special, out);
    if (attempt) {
        rules_origins(g, special, PTL_WHY_GROUND, site_grounds(g, special, out));
        rules_origins(g, special, PTL_WHY_LINKED, out);
    }
    const int32_t city = counts.linked > 0 ? site_and(out, city_map_allows(g, special)) : 0;
    if (!attempt)
        return;
    rules_origins(g, special, PTL_WHY_CITY, out);
    attempt->ground = counts.ground;
    attempt->linked = counts.linked;
    attempt->city = city;
}

bool rules_go_on(const generator *g, uint16_t special, const rule_search *search)
{
    if (growth_is_hopeless(g->growth, special) || search->wayless >= ORIGINS_TRIED)
        return false;
    return search->tries < ORIGINS_TRIED || g->config->cat->specials[special].layout;
}

int rules_rotation(generator *g, batch_entry *e, int32_t x, int32_t y, rng *r)
{
    const int rotation = choose_rotation(g, e->special, x, y, r);
    return place_keeps_peace(g, e->special, x, y) ? rotation : -1;
}

bool rules_place(generator *g, batch_entry *e, rule_spot spot, const rule_placing *how)
{
    const bool all = !how->search || how->search->tries < ORIGINS_TRIED;
    const place_order order = {.special = e->special,
                               .x = (int16_t)spot.x,
                               .y = (int16_t)spot.y,
                               .rotation = (uint8_t)spot.rotation,
                               .draws = all ? GROWTH_DRAWS : 1,
                               .city = city_map_of(g, e->special, spot.x, spot.y),
                               .used = how->used,
                               .no_way = how->no_way,
                               .attempt = &e->attempt};
    if (place_special(g, &order)) {
        e->attempt.placed++;
        return true;
    }
    if (how->search) {
        how->search->tries++;
        how->search->wayless += how->no_way && *how->no_way;
    }
    return false;
}

/* ---- as a part of a generator ---- */

const gen_part special_rules_part = {.make = make_special_rules};
