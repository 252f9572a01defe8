/*
 * Rule quota: how many of each special there shall be follows from density, the share of the
 * ground that is of its zone, and how crowded that is; never fewer than its minimum. They are
 * placed from the largest footprint down, and wherever one fits it is placed. Each placement
 * takes the ground around it from the origins of its zone (spacing), and specials that need a
 * city are spread over those that they take.
 */
#include "gen/city_near.h"
#include "gen/rules_impl.h"

#include <math.h>
#include <stdlib.h>

typedef struct quota {
    generator *g;
    double rate[ZONES]; /* on the maximum of a special of the zone */
    bool centre;        /* overmap (0, 0), where the endgame comes first */
} quota;

/* One special in its turn. */
typedef struct turn {
    generator *g;
    batch_entry *entry;
    site_bits *pool; /* of its zone */
    int32_t amount;
    int32_t per_city; /* at most; 0: cities don't count */
    int32_t met;      /* cities that have one: the first of rules.cities_met */
    uint32_t gains;   /* site_gains for which rules.valid holds */
    int32_t left;     /* cells of rules.valid, if they were counted; else -1 */
} turn;

/* ---- amounts ---- */

static bool is_unique(const cat_special *s)
{
    return s->flags & (CAT_SPECIAL_UNIQUE | CAT_SPECIAL_GLOBALLY_UNIQUE);
}

static double average(const cat_special *s)
{
    const double min = s->occurrences_min, max = s->occurrences_max;
    return is_unique(s) ? (min < max ? min / max : 1) : (min + max) / 2;
}

/* Cells that all eligible specials of each zone would take on average. */
static void add_need(const generator *g, double need[ZONES])
{
    const special_rules *r = g->rules;
    const ptl_world_options *options = &g->config->options;
    const int32_t spacing = options->specials_spacing > 0 ? options->specials_spacing : 0;
    for (size_t i = 0; i < g->config->cat->special_count; i++) {
        if (!(r->eligible[i / 64] >> i % 64 & 1))
            continue;
        const rule_facts *f = &r->facts[i];
        const double side = sqrt((double)f->area) + (f->zone == ZONE_UNDER ? 0 : spacing);
        need[f->zone] +=
            side * side * average(&g->config->cat->specials[i]) * options->specials_density;
    }
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
    add_need(g, need);
    for (int zone = 0; zone < ZONES; zone++) {
        const double crowd = need[zone] > cells ? cells / need[zone] : 1;
        q.rate[zone] = share[zone] * crowd * density;
    }
    q.rate[ZONE_RIVER] = q.rate[ZONE_UNDER]; /* rivers are so narrow that none would remain */
    return q;
}

static bool first_of_all(const quota *q, const cat_special *s)
{
    return q->centre && s->flags & CAT_SPECIAL_ENDGAME;
}

static int32_t draw_amount(const quota *q, batch_entry *e)
{
    const cat_special *s = &q->g->config->cat->specials[e->special];
    if (is_unique(s))
        return 1; /* its chance came up */
    const double rate = first_of_all(q, s) ? 1 : q->rate[q->g->rules->facts[e->special].zone];
    const double min = e->min, most = e->max * rate;
    const double value = min + ((most > min ? most : min) - min) * rules_unit(&e->random);
    return rules_round(value, &e->random);
}

/* ---- one special ---- */

static bool row_any(const site_bits *set, int32_t row)
{
    const uint64_t *words = &set->words[row * SITE_WORDS];
    return (words[0] | words[1] | words[2]) != 0;
}

/* Takes from the zone what the special in `used` keeps others off. */
static void take_room(const turn *t, int32_t x, int32_t y, const site_bits *used)
{
    const int32_t spacing = t->g->config->options.specials_spacing;
    int32_t x0 = SIZE, y0 = SIZE, x1 = -1, y1 = -1;
    near_wipe(&t->pool->words[y * SITE_WORDS], x, x + 1);
    if (spacing < 0)
        return;
    for (int32_t row = 0; row < SIZE; row++)
        for (int32_t w = 0; w < SITE_WORDS && row_any(used, row); w++) {
            const uint64_t word = used->words[row * SITE_WORDS + w];
            if (spacing == 0)
                t->pool->words[row * SITE_WORDS + w] &= ~word;
            if (!word)
                continue;
            const int32_t left = 64 * w + __builtin_ctzll(word);
            const int32_t right = 64 * w + 63 - __builtin_clzll(word);
            x0 = left < x0 ? left : x0;
            x1 = right > x1 ? right : x1;
            y0 = row < y0 ? row : y0;
            y1 = row;
        }
    y0 = y0 > spacing ? y0 - spacing : 0;
    y1 = y1 < SIZE - spacing ? y1 + spacing + 1 : SIZE;
    for (int32_t row = y0; spacing > 0 && x1 >= 0 && row < y1; row++)
        near_wipe(&t->pool->words[row * SITE_WORDS], x0 > spacing ? x0 - spacing : 0,
                  x1 < SIZE - spacing ? x1 + spacing + 1 : SIZE);
}

static void take_away(site_bits *set, const site_bits *other)
{
    for (size_t i = 0; i < sizeof set->words / sizeof set->words[0]; i++)
        set->words[i] &= ~other->words[i];
}

static void find_valid(turn *t, gen_attempt *attempt)
{
    special_rules *r = t->g->rules;
    t->gains = site_gains(t->g, t->entry->special);
    rules_valid(t->g, t->entry->special, attempt, &r->valid);
    t->left = site_and(&r->valid, t->pool);
}

/* What was placed may have made origins fit that did not. */
static void follow_gains(turn *t)
{
    special_rules *r = t->g->rules;
    if (site_gains(t->g, t->entry->special) == t->gains)
        return;
    gen_attempt unused;
    find_valid(t, &unused);
    take_away(&r->valid, &r->failed);
    t->left = -1;
    for (int32_t i = 0; i < t->met; i++)
        if (r->city_counts[r->cities_met[i]] >= t->per_city)
            city_map_clear(t->g, t->entry->special, r->cities_met[i], &r->valid);
}

static void count_city(turn *t, int32_t x, int32_t y)
{
    special_rules *r = t->g->rules;
    const int32_t city = city_map_number(t->g, t->entry->special, x, y);
    if (city < 0)
        return;
    if (r->city_counts[city]++ == 0)
        r->cities_met[t->met++] = city;
    if (r->city_counts[city] < t->per_city)
        return;
    city_map_clear(t->g, t->entry->special, city, &r->valid);
    t->left = -1;
}

static int32_t count_left(turn *t)
{
    if (t->left < 0)
        t->left = site_count(&t->g->rules->valid);
    return t->left;
}

/* One more of the special. False if there is no origin left, or growths failed too often. */
static bool place_one(turn *t)
{
    special_rules *r = t->g->rules;
    int32_t x, y, tries = 0;
    while (tries < ORIGINS_TRIED && count_left(t) > 0) {
        rules_draw_origin(&r->valid, t->left--, &t->entry->random, &x, &y);
        near_wipe(&r->valid.words[y * SITE_WORDS], x, x + 1);
        const int rotation = choose_rotation(t->g, t->entry->special, x, y, &t->entry->random);
        if (rotation < 0) /* it fitted before the last one was placed */
            continue;
        r->used = (site_bits){{0}};
        if (rules_place(t->g, t->entry, x, y, rotation, &r->used)) {
            take_room(t, x, y, &r->used);
            t->left = site_and(&r->valid, t->pool);
            if (t->per_city > 0)
                count_city(t, x, y);
            return true;
        }
        near_fill(&r->failed.words[y * SITE_WORDS], x, x + 1);
        tries++;
    }
    return false;
}

static void spread_over_cities(turn *t)
{
    const cat_special *s = &t->g->config->cat->specials[t->entry->special];
    if (t->amount < 2 || !city_map_needed(s))
        return;
    const int32_t cities = city_map_cities(t->g, t->entry->special);
    if (cities > 0)
        t->per_city = (t->amount + cities - 1) / cities;
}

static void take_turn(generator *g, batch_entry *e, int32_t amount)
{
    special_rules *r = g->rules;
    turn t = {.g = g, .entry = e, .amount = amount};
    t.pool = &r->pools[r->facts[e->special].zone];
    find_valid(&t, &e->attempt);
    e->attempt.room = t.left;
    if (e->attempt.room == 0)
        return;
    r->failed = (site_bits){{0}};
    spread_over_cities(&t);
    for (int32_t i = 0; i < amount && !g->failed; i++) {
        if (i > 0)
            follow_gains(&t);
        if (!place_one(&t))
            break;
    }
    for (int32_t i = 0; i < t.met; i++)
        r->city_counts[r->cities_met[i]] = 0;
}

/* ---- all of them ---- */

static int by_turn(const void *a, const void *b)
{
    const rule_turn *p = a, *q = b;
    if (p->first != q->first)
        return p->first ? -1 : 1;
    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    if (p->area != q->area)
        return p->area > q->area ? -1 : 1;
    return p->entry < q->entry ? -1 : p->entry > q->entry;
}

void rule_quota(generator *g, batch_entry *batch, size_t count)
{
    special_rules *r = g->rules;
    const quota q = make_quota(g);
    for (int zone = 0; zone < ZONES; zone++)
        for (int32_t y = 0; y < SIZE; y++)
            near_fill(&r->pools[zone].words[y * SITE_WORDS], 0, SIZE);
    for (size_t i = 0; i < count; i++) {
        const cat_special *s = &g->config->cat->specials[batch[i].special];
        r->turns[i] = (rule_turn){.first = first_of_all(&q, s),
                                  .priority = s->priority,
                                  .area = r->facts[batch[i].special].area,
                                  .entry = (uint32_t)i};
    }
    if (count > 0)
        qsort(r->turns, count, sizeof r->turns[0], by_turn);
    for (size_t i = 0; i < count && !g->failed; i++) {
        batch_entry *e = &batch[r->turns[i].entry];
        e->attempt.asked = draw_amount(&q, e);
        rules_verdict(g, e->special, e->attempt.asked > 0 ? GEN_ASKED : GEN_AMOUNT);
        if (e->attempt.asked > 0)
            take_turn(g, e, e->attempt.asked);
    }
}
