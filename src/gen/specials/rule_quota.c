/*
 * Rule quota. Specials are counted in four zones (rule_zone): on land, below the ground, on
 * lakes and the sea, on rivers. How many of each special are placed follows from the setting of
 * density, from the fraction of the ground that is in the special's zone, and from how crowded
 * that zone is; it is never below the special's minimum. Specials are placed from the largest
 * footprint down, anywhere they fit. Cells that are nearer to a placed special than the world's
 * spacing are no longer used as origins of specials in the same zone. Specials that need a city
 * are spread over the cities that they accept. Origins are chosen at random in such a way that
 * a change elsewhere in the chunk rarely moves them.
 */
#include "core/array.h"
#include "gen/cities/city_near.h"
#include "gen/specials/rules_impl.h"

#include <math.h>
#include <stdlib.h>

enum { ROW_BITS = 64 * SITE_WORDS };

typedef struct quota {
    generator *g;
    /* For each zone (land, below the ground, lakes and sea, rivers): the factor by which the
     * maximum numbers of its specials are multiplied. */
    double rate[ZONES];
    bool centre; /* whether the overmap is (0, 0), where specials of the endgame are placed
                  * first */
} quota;

/* What is known while one special is placed, as often as the rule `quota` asks for it. */
typedef struct asking {
    generator *g;
    batch_entry *entry;
    /* The cells of the special's zone (rule_zone) that may still become its origin. */
    site_bits *pool;
    int32_t amount;
    /* How many of the special are still to be placed. Once it is 0, special_rules.valid is not
     * needed any more and need not be up to date. */
    int32_t missing;
    int32_t per_city; /* the most of the special for each city; 0: any number */
    /* Number of cities that have got one or more of the special; special_rules.cities_met
     * lists them. */
    int32_t met;
    uint32_t gains; /* what site_gains returned when special_rules.valid was computed: if it
                       returns more now, there may be more origins. Not used if `amount` is 1 */
    int32_t left; /* how many cells special_rules.valid, the set of the special's valid origins,
                     has */
    /* Number of cities that have enough of the special and whose cells are still in
     * special_rules.valid; special_rules.full lists them. */
    int32_t full;
    /* Upper bound of how many cells in special_rules.valid belong to the cities in
     * special_rules.full. */
    int32_t of_full;
    bool failures; /* set if special_rules.failed has the origins at which the special could not
                    * be placed */
} asking;

/* ---- amounts ---- */

static bool is_unique(const cat_special *s)
{
    return s->flags & (PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE);
}

static quota make_quota(generator *g)
{
    const double cells = PTL_LEVEL_CELLS, density = g->config->options.specials_density;
    const rule_census census = rules_census(g, true);
    const double water = (double)census.lake + census.ocean;
    const double share[ZONES] = {census.land / cells, 1 - (water + census.river) / cells,
                                 water / cells, 0};
    double need[ZONES] = {0};
    quota q = {.g = g, .centre = g->chunk->pos.x == 0 && g->chunk->pos.y == 0};
    /* Sum up, for each zone (land, below the ground, ...), the cells that all eligible specials
     * of the zone would take on average. */
    const special_rules *r = g->rules;
    const ptl_world_options *options = &g->config->options;
    const int32_t spacing = options->specials_spacing > 0 ? options->specials_spacing : 0;
    for (size_t i = 0; i < g->config->cat->special_count; i++) {
        if (!(r->eligible[i / 64] >> i % 64 & 1))
            continue;
        const rule_facts *f = &r->facts[i];
        const double side = sqrt((double)f->area) + (f->zone == ZONE_UNDER ? 0 : spacing);
        const cat_special *s = &g->config->cat->specials[i];
        const double min = s->occurrences_min, max = s->occurrences_max;
        const double average = is_unique(s) ? (min < max ? min / max : 1) : (min + max) / 2;
        need[f->zone] += side * side * average * options->specials_density;
    }
    for (int zone = 0; zone < ZONES; zone++) {
        const double crowd = need[zone] > cells ? cells / need[zone] : 1;
        q.rate[zone] = share[zone] * crowd * density;
    }
    /* Rivers are narrow. If specials on rivers depended on the fraction of the ground that is
     * river, few would be placed; so they get the factor of specials that stand below the
     * ground. */
    q.rate[ZONE_RIVER] = q.rate[ZONE_UNDER];
    return q;
}

static bool first_of_all(const quota *q, const cat_special *s)
{
    return q->centre && s->flags & PTL_SPECIAL_ENDGAME;
}

/* ---- one special ---- */

static void take_away(site_bits *set, const site_bits *other)
{
    for (size_t i = 0; i < sizeof set->words / sizeof set->words[0]; i++)
        set->words[i] &= ~other->words[i];
}

/* A range of rows of the chunk's cells: those from `first` up to `end` - 1. */
typedef struct row_range {
    int32_t first, end;
} row_range;

/* A special has just been placed. t->pool has the cells that may still become origins of
 * specials. Removes from it the cells that the special covers, and those that are too near to
 * it. Returns the rows in which cells were removed. */
static row_range take_room(const asking *t, const place_used *used, int32_t x, int32_t y)
{
    const int32_t spacing = t->g->config->options.specials_spacing;
    near_wipe(&t->pool->words[y * SITE_WORDS], x, x + 1);
    if (used->cells) {
        take_away(t->pool, used->cells);
        *used->cells = (site_bits){{0}};
        return (row_range){0, SIZE};
    }
    if (spacing <= 0 || used->x1 < 0)
        return (row_range){y, y + 1};
    const int32_t y0 = used->y0 > spacing ? used->y0 - spacing : 0;
    const int32_t y1 = used->y1 < SIZE - spacing ? used->y1 + spacing + 1 : SIZE;
    const int32_t x0 = used->x0 > spacing ? used->x0 - spacing : 0;
    const int32_t x1 = used->x1 < SIZE - spacing ? used->x1 + spacing + 1 : SIZE;
    uint64_t span[SITE_WORDS] = {0};
    near_fill(span, x0, x1);
    for (int32_t row = y0; row < y1; row++)
        for (int32_t w = 0; w < SITE_WORDS; w++)
            t->pool->words[row * SITE_WORDS + w] &= ~span[w];
    return (row_range){y < y0 ? y : y0, y < y1 ? y1 : y + 1};
}

/* Sets special_rules.valid to the special's valid origins. If attempt is NULL, nothing is
 * counted or reported. */
static void find_valid(asking *t, gen_attempt *attempt)
{
    special_rules *r = t->g->rules;
    if (t->amount > 1)
        t->gains = site_gains(t->g, t->entry->special);
    rules_valid(t->g, t->entry->special, attempt, &r->valid);
    t->left = site_and(&r->valid, t->pool);
    if (attempt)
        rules_origins(t->g, t->entry->special, PTL_WHY_ROOM, &r->valid);
}

/* Notes that a city has enough of the special, so that no cell of the city is chosen any more.
 * The city's cells are not removed from special_rules.valid at once, but only when the exact
 * number of cells in it matters, which is rare. */
static void note_full(asking *t, int32_t city)
{
    special_rules *r = t->g->rules;
    int32_t most = 0;
    if (t->left >= DENSE_SET)
        most = city_map_most(t->g, t->entry->special, city, &r->valid);
    r->full[t->full++] = (full_city){city, most};
    t->of_full += most;
}

/* Finds the city that a cell belongs to in special_rules.full, the list of cities that have
 * enough of the special. Returns its index there; -1 if the list does not have it. */
static int32_t find_full(const asking *t, int32_t x, int32_t y)
{
    const full_city *full = t->g->rules->full;
    int32_t i = t->full - 1;
    if (i < 0)
        return i;
    const int32_t city = city_map_number(t->g, t->entry->special, x, y);
    while (i >= 0 && full[i].city != city)
        i--;
    return i;
}

/* Gives each cell of special_rules.valid a hash and returns the cell with the smallest one, as
 * 64 * word + bit. Cells of cities that have enough of the special are left out; -1 if no cell
 * is left. If a few cells of the set change, the result mostly stays the same. */
static int32_t least_hash(const asking *t, uint64_t key)
{
    const uint64_t *words = t->g->rules->valid.words;
    uint64_t least = UINT64_MAX;
    int32_t found = -1;
    for (int32_t i = 0; i < SIZE * SITE_WORDS; i++)
        for (uint64_t left = words[i]; left; left &= left - 1) {
            const int32_t cell = 64 * i + __builtin_ctzll(left);
            const uint64_t hash = hash_mix(key ^ (uint64_t)cell);
            if (hash < least &&
                (t->full == 0 || find_full(t, cell % ROW_BITS, cell / ROW_BITS) < 0)) {
                least = hash;
                found = cell;
            }
        }
    return found;
}

/* Chooses at random one of the cells of special_rules.valid, each equally likely, except
 * cells of cities that have enough of the special. False if there is no such cell. The
 * random choice depends on little else than the cells near the chosen cell, so that a change
 * elsewhere rarely moves it. */
static bool draw_origin(asking *t, int32_t *x, int32_t *y)
{
    enum { DARTS = 2000 };
    const site_bits *valid = &t->g->rules->valid;
    while (t->full > 0 && t->left >= DENSE_SET && t->left - t->of_full < DENSE_SET) {
        special_rules *r = t->g->rules;
        const full_city *last = &r->full[--t->full];
        t->left -= city_map_clear(t->g, t->entry->special, last->city, &r->valid);
        t->of_full -= last->most;
    }
    if (t->left <= 0)
        return false;
    rng own = rng_from_key(rng_next(&t->entry->random));
    for (int dart = 0; t->left >= DENSE_SET && dart < DARTS; dart++) {
        *x = (int32_t)rng_below(&own, SIZE);
        *y = (int32_t)rng_below(&own, SIZE);
        if (site_has(valid, *x, *y) && find_full(t, *x, *y) < 0)
            return true;
    }
    const int32_t cell = least_hash(t, rng_next(&own));
    *x = cell % ROW_BITS;
    *y = cell / ROW_BITS;
    return cell >= 0;
}

/* Places the special at the origin and in the rotation that `spot` says. Then removes cells of
 * the special's zone from the possible origins if the special now stands on them or too near to
 * them (take_room). */
static bool place_at(asking *t, rule_spot spot, rule_search *search, bool *no_way)
{
    special_rules *r = t->g->rules;
    const bool exact = t->g->config->options.specials_spacing == 0;
    place_used used = place_used_none(exact ? &r->used : NULL);
    const rule_placing how = {search, &used, no_way};
    if (!rules_place(t->g, t->entry, spot, &how))
        return false;
    const row_range rows = take_room(t, &used, spot.x, spot.y);
    if (--t->missing > 0) {
        /* t->pool has the cells that may still become an origin; take_room has removed cells
         * from it, only in the rows `rows`. Remove these cells from the valid origins, too. */
        uint64_t *valid = r->valid.words;
        for (int32_t i = rows.first * SITE_WORDS; i < rows.end * SITE_WORDS; i++) {
            const uint64_t gone = valid[i] & ~t->pool->words[i];
            if (gone == 0)
                continue;
            valid[i] ^= gone;
            t->left -= bits_in_word(gone);
        }
        const int32_t city =
            t->per_city > 0 ? city_map_number(t->g, t->entry->special, spot.x, spot.y) : -1;
        if (city >= 0 && r->city_counts[city]++ == 0)
            r->cities_met[t->met++] = city;
        if (city >= 0 && r->city_counts[city] >= t->per_city)
            note_full(t, city);
    }
    return true;
}

/* Places the special once more, if possible at an origin where a path is found for each of its
 * connections. False if no origin is left, or the search has reached its end. */
static bool place_one(asking *t)
{
    const bool compat = t->g->config->options.compat;
    /* The first origin and rotation in which the special fitted but found no path for a
     * connection. */
    rule_spot wayless = {.rotation = -1};
    rule_search search = {0, 0};
    rule_spot spot;
    while (rules_go_on(t->g, t->entry->special, &search) && draw_origin(t, &spot.x, &spot.y)) {
        bool no_way = false;
        near_wipe(&t->g->rules->valid.words[spot.y * SITE_WORDS], spot.x, spot.x + 1);
        t->left--;
        spot.rotation = rules_rotation(t->g, t->entry, spot.x, spot.y, &t->entry->random);
        if (spot.rotation < 0)
            continue;
        if (place_at(t, spot, &search, compat ? NULL : &no_way))
            return true;
        special_rules *r = t->g->rules;
        if (!t->failures)
            r->failed = (site_bits){{0}};
        t->failures = true;
        near_fill(&r->failed.words[spot.y * SITE_WORDS], spot.x, spot.x + 1);
        if (no_way && wayless.rotation < 0)
            wayless = spot;
    }
    return wayless.rotation >= 0 && place_at(t, wayless, NULL, NULL);
}

/* Places up to `amount` of a special, as long as origins are left. */
static void place_all(generator *g, batch_entry *e, int32_t amount)
{
    special_rules *r = g->rules;
    asking t = {.g = g, .entry = e, .amount = amount, .missing = amount};
    t.pool = &r->pools[r->facts[e->special].zone];
    find_valid(&t, &e->attempt);
    e->attempt.room = t.left;
    if (e->attempt.room == 0)
        return;
    if (amount >= 2 && city_map_needed(&g->config->cat->specials[e->special]))
        t.per_city = city_map_share(g, e->special, amount);
    for (int32_t i = 0; i < amount && !g->failed; i++) {
        if (i > 0 && site_gains(g, e->special) != t.gains) {
            /* Find the valid origins anew: the special that was just placed may have changed
             * cells so that this one now fits at further origins. */
            find_valid(&t, NULL);
            if (t.failures) {
                take_away(&r->valid, &r->failed);
                t.left = site_count(&r->valid);
            }
            t.full = t.of_full = 0;
            for (int32_t k = 0; k < t.met; k++)
                if (r->city_counts[r->cities_met[k]] >= t.per_city)
                    note_full(&t, r->cities_met[k]);
        }
        if (!place_one(&t))
            break;
    }
    for (int32_t i = 0; i < t.met; i++)
        r->city_counts[r->cities_met[i]] = 0;
}

/* ---- all of them ---- */

static int by_order(const void *a, const void *b)
{
    const rule_order *p = a, *q = b;
    const int order = ORDER_BY(q->first, p->first, q->priority, p->priority, q->area, p->area);
    if (order == 0 && p->hash != q->hash)
        return p->hash < q->hash ? -1 : 1;
    return order != 0 ? order : ORDER_BY(p->entry, q->entry);
}

/* Returns the values by which the order of placing is decided. The last of them is a hash of
 * the chunk and the special: if two specials are equal in all other values, it decides, so that
 * scarce room does not always go to the same special. Adding a special to the content does not
 * change the order of the others. */
static rule_order order_of(const quota *q, const batch_entry *e, uint32_t number)
{
    const generator *g = q->g;
    const cat_special *s = &g->config->cat->specials[e->special];
    return (rule_order){.first = first_of_all(q, s),
                        .priority = s->priority,
                        .area = g->rules->facts[e->special].area,
                        .hash = hash_add(rules_key(g, e->special), hash_string("order")),
                        .entry = number};
}

void rule_quota(generator *g, batch_entry *batch, size_t count)
{
    special_rules *r = g->rules;
    const quota q = make_quota(g);
    r->used = (site_bits){{0}};
    for (int32_t y = 0; y < SIZE; y++)
        near_fill(&r->pools[0].words[y * SITE_WORDS], 0, SIZE);
    for (int zone = 1; zone < ZONES; zone++)
        r->pools[zone] = r->pools[0];
    for (size_t i = 0; i < count; i++)
        r->orders[i] = order_of(&q, &batch[i], (uint32_t)i);
    if (count > 0)
        qsort(r->orders, count, sizeof r->orders[0], by_order);
    for (size_t i = 0; i < count && !g->failed; i++) {
        batch_entry *e = &batch[r->orders[i].entry];
        const cat_special *s = &g->config->cat->specials[e->special];
        e->attempt.asked = 1;
        if (!is_unique(s)) {
            const double rate = first_of_all(&q, s) ? 1 : q.rate[r->facts[e->special].zone];
            const double min = e->min, most = e->max * rate;
            const double value =
                min + ((most > min ? most : min) - min) * rules_unit(&e->random);
            e->attempt.asked = rules_round(value, &e->random);
        }
        rules_verdict(g, e->special,
                      e->attempt.asked > 0 ? PTL_VERDICT_ASKED : PTL_VERDICT_AMOUNT);
        if (e->attempt.asked > 0)
            place_all(g, e, e->attempt.asked);
    }
}
