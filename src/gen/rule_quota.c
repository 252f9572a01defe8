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
    int32_t missing;  /* of the amount; where none will be, rules.valid is of no use any more */
    int32_t per_city; /* at most; 0: cities don't count */
    int32_t met;      /* cities that have one: the first of rules.cities_met */
    uint32_t gains;   /* site_gains for which rules.valid holds; not if the amount is 1 */
    int32_t left;     /* cells of rules.valid, if they were counted; else -1 */
    bool failures;    /* rules.failed has the origins at which nothing grew */
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

/* Both ends included. */
typedef struct frame {
    int32_t x0, y0, x1, y1;
} frame;

/* The rectangle around the cells of a set, which is empty afterwards. x1 < x0: there were none.
 */
static frame take_frame(site_bits *used)
{
    frame box = {SIZE, SIZE, -1, -1};
    for (int32_t row = 0; row < SIZE; row++) {
        uint64_t *words = &used->words[row * SITE_WORDS];
        if (!(words[0] | words[1] | words[2]))
            continue;
        box.y0 = row < box.y0 ? row : box.y0;
        box.y1 = row;
        for (int32_t w = 0; w < SITE_WORDS; w++) {
            if (!words[w])
                continue;
            const int32_t left = 64 * w + __builtin_ctzll(words[w]);
            const int32_t right = 64 * w + 63 - __builtin_clzll(words[w]);
            box.x0 = left < box.x0 ? left : box.x0;
            box.x1 = right > box.x1 ? right : box.x1;
            words[w] = 0;
        }
    }
    return box;
}

static void take_away(site_bits *set, const site_bits *other)
{
    for (size_t i = 0; i < sizeof set->words / sizeof set->words[0]; i++)
        set->words[i] &= ~other->words[i];
}

/* Takes from the zone what the special that was placed, in rules.used, keeps others off. */
static void take_room(const turn *t, int32_t x, int32_t y)
{
    site_bits *used = &t->g->rules->used;
    const int32_t spacing = t->g->config->options.specials_spacing;
    near_wipe(&t->pool->words[y * SITE_WORDS], x, x + 1);
    if (spacing == 0)
        take_away(t->pool, used);
    const frame box = take_frame(used);
    if (spacing <= 0 || box.x1 < 0)
        return;
    const int32_t y0 = box.y0 > spacing ? box.y0 - spacing : 0;
    const int32_t y1 = box.y1 < SIZE - spacing ? box.y1 + spacing + 1 : SIZE;
    const int32_t x0 = box.x0 > spacing ? box.x0 - spacing : 0;
    const int32_t x1 = box.x1 < SIZE - spacing ? box.x1 + spacing + 1 : SIZE;
    for (int32_t row = y0; row < y1; row++)
        near_wipe(&t->pool->words[row * SITE_WORDS], x0, x1);
}

static void find_valid(turn *t, gen_attempt *attempt)
{
    special_rules *r = t->g->rules;
    if (t->amount > 1)
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
    if (t->failures)
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
    t->left -= city_map_clear(t->g, t->entry->special, city, &r->valid);
}

static int32_t count_left(turn *t)
{
    if (t->left < 0)
        t->left = site_count(&t->g->rules->valid);
    return t->left;
}

static void note_failure(turn *t, int32_t x, int32_t y)
{
    special_rules *r = t->g->rules;
    if (!t->failures)
        r->failed = (site_bits){{0}};
    t->failures = true;
    near_fill(&r->failed.words[y * SITE_WORDS], x, x + 1);
}

/* What the one that was placed leaves for the next one. */
static void keep_valid(turn *t, int32_t x, int32_t y)
{
    t->left = site_and(&t->g->rules->valid, t->pool);
    if (t->per_city > 0)
        count_city(t, x, y);
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
        if (rules_place(t->g, t->entry, x, y, rotation, &r->used)) {
            take_room(t, x, y);
            if (--t->missing > 0)
                keep_valid(t, x, y);
            return true;
        }
        note_failure(t, x, y);
        tries++;
    }
    return false;
}

static void spread_over_cities(turn *t)
{
    const cat_special *s = &t->g->config->cat->specials[t->entry->special];
    if (t->amount < 2 || !city_map_needed(s))
        return;
    t->per_city = city_map_share(t->g, t->entry->special, t->amount);
}

static void take_turn(generator *g, batch_entry *e, int32_t amount)
{
    special_rules *r = g->rules;
    turn t = {.g = g, .entry = e, .amount = amount, .missing = amount};
    t.pool = &r->pools[r->facts[e->special].zone];
    find_valid(&t, &e->attempt);
    e->attempt.room = t.left;
    if (e->attempt.room == 0)
        return;
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
    r->used = (site_bits){{0}};
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
