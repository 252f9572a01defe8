/*
 * Rule sectors: 12 x 12 sectors in a random order, each of which takes one special. The first
 * pass places specials that are below their minimum number, where a path can be found for each
 * of their connections. The second pass places specials that are still below their minimum,
 * even where none can be found. The last pass places specials that are below their maximum
 * number, again only where such paths can be found.
 *
 * In a sector, each special with a valid origin in it has the same chance: the special with the
 * smallest hash of (chunk, sector, special) wins. So a special that is added to the content
 * wins in some sectors, and nothing changes in the others. The sectors in which a special has
 * an origin are found once. Only for the winner is it checked whether it still has an origin
 * there; if not, the special with the next hash takes its place.
 */
#include "gen/specials/rules_impl.h"

#include <string.h>

/* The origins of a special in a sector whose north-western cell is (x, y): bit i of rows[j] is
 * set if the special may have its origin at (x + i, y + j). */
typedef struct window {
    uint64_t rows[SECTOR_SIZE];
    int32_t count;
} window;

typedef struct sectors {
    generator *g;
    batch_entry *batch;
    size_t count;
    uint64_t key;           /* hash key of the chunk */
    uint8_t order[SECTORS]; /* the order in which sectors are filled */
    bool taken[SECTORS];
    /* Set if a special is placed only where a path is found for each of its connections. */
    bool ask_ways;
} sectors;

static void set_bit(uint64_t *set, size_t i)
{
    set[i / 64] |= UINT64_C(1) << i % 64;
}

static int32_t sector_x(int32_t sector)
{
    return sector % SECTORS_ALONG * SECTOR_SIZE;
}

static int32_t sector_y(int32_t sector)
{
    return sector / SECTORS_ALONG * SECTOR_SIZE;
}

/* Returns SECTOR_SIZE bits of a row of cells: those of the columns from x on. */
static uint64_t row_bits(const uint64_t *row, int32_t x)
{
    uint64_t word = row[x / 64] >> x % 64;
    if (x % 64 > 64 - SECTOR_SIZE && x / 64 + 1 < SITE_WORDS)
        word |= row[x / 64 + 1] << (64 - x % 64);
    return word & ((UINT64_C(1) << SECTOR_SIZE) - 1);
}

/* ---- where the specials have origins ---- */

/* Adds the number of a batch entry (a special that the chunk asks for) to the sets r->here of
 * all sectors in which the special has a valid origin. Returns the number of these sectors. */
static int32_t note_sectors(special_rules *r, size_t entry, const site_bits *valid)
{
    int32_t count = 0;
    for (int32_t sy = 0; sy < SECTORS_ALONG; sy++) {
        const uint64_t *rows = &valid->words[sy * SECTOR_SIZE * SITE_WORDS];
        uint64_t any[SITE_WORDS] = {0};
        for (int32_t y = 0; y < SECTOR_SIZE; y++)
            for (int32_t w = 0; w < SITE_WORDS; w++)
                any[w] |= rows[y * SITE_WORDS + w];
        uint64_t *here = &r->here[(size_t)(sy * SECTORS_ALONG) * r->entry_words];
        for (int32_t sx = 0; sx < SECTORS_ALONG; sx++, here += r->entry_words)
            if (row_bits(any, sx * SECTOR_SIZE)) {
                set_bit(here, entry);
                count++;
            }
    }
    return count;
}

/* Some specials of the batch have the same figure (site_figure), so their OMTs fit at the same
 * origins; only their conditions on cities differ. Prepares the entries of all specials of one
 * figure. `first` is 1 + the index of the first of these entries. */
static void prepare_figure(sectors *s, uint32_t first)
{
    special_rules *r = s->g->rules;
    const uint16_t special = s->batch[first - 1].special;
    const site_counts counts = site_origins(s->g, special, &r->valid);
    const site_bits *grounds = site_grounds(s->g, special, &r->valid);
    for (uint32_t i = first; i != 0; i = r->next[i - 1]) {
        batch_entry *e = &s->batch[i - 1];
        site_watch(s->g, e->special, i - 1);
        rules_verdict(s->g, e->special, PTL_VERDICT_ASKED);
        e->attempt.asked = e->max;
        e->attempt.ground = counts.ground;
        e->attempt.linked = counts.linked;
        rules_origins(s->g, e->special, PTL_WHY_GROUND, grounds);
        rules_origins(s->g, e->special, PTL_WHY_LINKED, &r->valid);
        if (counts.linked > 0)
            e->attempt.city =
                site_meet(&r->other, &r->valid, city_map_allows(s->g, e->special));
        if (e->attempt.city > 0) {
            e->attempt.room = note_sectors(r, i - 1, &r->other);
            rules_origins(s->g, e->special, PTL_WHY_CITY, &r->other);
            rules_origins(s->g, e->special, PTL_WHY_ROOM, &r->other);
        }
    }
}

/* ---- one sector ---- */

/* Lists the batch entries of the specials that may be placed in the sector, each with its hash.
 * A special may be placed there if it had an origin in the sector at first, or may have got one
 * through later changes of the chunk. */
static size_t candidates(sectors *s, int32_t sector, uint64_t key)
{
    special_rules *r = s->g->rules;
    uint64_t *here = &r->here[(size_t)sector * r->entry_words];
    size_t count = 0;
    site_watched(s->g, sector, here, s->count / 64 + 1);
    for (size_t w = 0; w * 64 < s->count; w++)
        for (uint64_t left = r->wanted[w] & here[w]; left; left &= left - 1) {
            const uint32_t entry = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            rule_candidate *out = &r->candidates[count++];
            const cat_special *special = &s->g->config->cat->specials[s->batch[entry].special];
            *out = (rule_candidate){.hash = hash_add(key, special->key),
                                    .priority = special->priority,
                                    .entry = entry};
        }
    return count;
}

/* Returns the candidate (a special that may be placed in the sector) that comes first by
 * priority and then by hash, and moves it to the end of the list. */
static rule_candidate take_first(rule_candidate *list, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        if (list[i].priority > list[first].priority ||
            (list[i].priority == list[first].priority && list[i].hash < list[first].hash))
            first = i;
    const rule_candidate found = list[first];
    list[first] = list[count - 1];
    list[count - 1] = found;
    return found;
}

/* Chooses one of a special's origins in a sector, all equally likely, and removes it from `w`.
 * Each origin has a hash, and the least one is chosen; so the choice stays the same if another
 * origin is missing. */
static void draw_cell(window *w, uint64_t key, int32_t *dx, int32_t *dy)
{
    uint64_t least = UINT64_MAX;
    *dx = *dy = 0;
    for (int32_t j = 0; j < SECTOR_SIZE; j++)
        for (uint64_t row = w->rows[j]; row; row &= row - 1) {
            const int32_t i = __builtin_ctzll(row);
            const uint64_t hash = hash_mix(key ^ (uint64_t)(j * SECTOR_SIZE + i));
            if (hash < least) {
                least = hash;
                *dx = i;
                *dy = j;
            }
        }
    w->rows[*dy] &= ~(UINT64_C(1) << *dx);
    w->count--;
}

static bool place_at(sectors *s, batch_entry *e, int32_t x, int32_t y, rng *random,
                     rule_search *search)
{
    bool no_way = false;
    const rule_spot spot = {x, y, rules_rotation(s->g, e, x, y, random)};
    const rule_placing how = {search, NULL, s->ask_ways ? &no_way : NULL};
    return spot.rotation >= 0 && rules_place(s->g, e, spot, &how);
}

/* Places the candidate's special at one of its origins in the sector. False if the sector has
 * no origin of the special, or if the special could be placed at none of them. */
static bool place_candidate(sectors *s, const rule_candidate *c, int32_t sector)
{
    batch_entry *e = &s->batch[c->entry];
    rng random = rng_from_key(c->hash);
    const uint64_t cells = rng_next(&random);
    rule_search search = {0, 0};
    window w = {.count = 0};
    /* Get the special's origins in the sector, as the chunk is at this moment. */
    const uint16_t special = e->special;
    const int32_t x = sector_x(sector), y = sector_y(sector);
    const int rotations = s->g->config->cat->specials[special].rotate ? 4 : 1;
    uint64_t rows[SECTOR_SIZE];
    for (int rotation = 0; rotation < rotations; rotation++) {
        if (site_like(s->g, special, rotation) != rotation)
            continue;
        site_window(s->g, special, rotation, x, y, SECTOR_SIZE, SECTOR_SIZE, rows);
        for (int32_t j = 0; j < SECTOR_SIZE; j++)
            w.rows[j] |= rows[j];
    }
    const site_bits *city = city_map_allows(s->g, special);
    for (int32_t j = 0; j < SECTOR_SIZE; j++) {
        w.rows[j] &= row_bits(&city->words[(y + j) * SITE_WORDS], x);
        w.count += __builtin_popcountll(w.rows[j]);
    }
    while (w.count > 0 && !s->g->failed && rules_go_on(s->g, e->special, &search)) {
        int32_t dx, dy;
        draw_cell(&w, cells, &dx, &dy);
        if (place_at(s, e, x + dx, y + dy, &random, &search))
            return true;
    }
    return false;
}

static bool fill_sector(sectors *s, int32_t sector)
{
    const uint64_t key = hash_add(s->key, UINT64_C(1000) + (uint64_t)sector);
    rule_candidate *list = s->g->rules->candidates;
    for (size_t n = candidates(s, sector, key); n > 0; n--) {
        const rule_candidate c = take_first(list, n);
        if (place_candidate(s, &c, sector))
            return true;
    }
    return false;
}

/* Fills a sector as the games do, for worlds with `compat`: at ten points of the sector, one
 * after the other, all specials are tried in random order, and the first special that fits is
 * placed. */
static bool fill_sector_by_points(sectors *s, int32_t sector)
{
    enum { POINTS = 10 };
    rule_candidate *list = s->g->rules->candidates;
    const uint64_t key = hash_add(s->key, UINT64_C(2000) + (uint64_t)sector);
    rng points = rng_from_key(key);
    for (int i = 0; i < POINTS && !s->g->failed; i++) {
        const int32_t x = sector_x(sector) + (int32_t)rng_below(&points, SECTOR_SIZE);
        const int32_t y = sector_y(sector) + (int32_t)rng_below(&points, SECTOR_SIZE);
        const uint64_t at = hash_add(key, (uint64_t)i);
        for (size_t n = candidates(s, sector, at); n > 0; n--) {
            const rule_candidate c = take_first(list, n);
            batch_entry *e = &s->batch[c.entry];
            rng random = rng_from_key(c.hash);
            if (site_has(city_map_allows(s->g, e->special), x, y) &&
                place_at(s, e, x, y, &random, NULL))
                return true;
        }
    }
    return false;
}

/* Puts into special_rules.wanted the batch entries of specials that may be placed once more:
 * with `below_minimum` specials that are below their minimum number, else those below their
 * maximum. False if there are none. */
static bool find_wanted(const sectors *s, bool below_minimum)
{
    special_rules *r = s->g->rules;
    bool any = false;
    memset(r->wanted, 0, r->entry_words * sizeof *r->wanted);
    for (size_t i = 0; i < s->count; i++)
        if (s->batch[i].attempt.placed < (below_minimum ? s->batch[i].min : s->batch[i].max)) {
            set_bit(r->wanted, i);
            any = true;
        }
    return any;
}

/* Runs a pass over all sectors that are still free, in a new random order. */
static void run_pass(sectors *s, int pass, bool below_minimum)
{
    const bool compat = s->g->config->options.compat;
    bool any = find_wanted(s, below_minimum);
    if (any) {
        rng r = rng_from_key(hash_add(s->key, (uint64_t)pass));
        for (int32_t i = 0; i < SECTORS; i++) {
            const uint32_t at = rng_below(&r, (uint64_t)i + 1);
            s->order[i] = s->order[at];
            s->order[at] = (uint8_t)i;
        }
    }
    for (int i = 0; i < SECTORS && any && !s->g->failed; i++) {
        const int32_t sector = s->order[i];
        if (s->taken[sector])
            continue;
        s->taken[sector] = compat ? fill_sector_by_points(s, sector) : fill_sector(s, sector);
        if (s->taken[sector])
            any = find_wanted(s, below_minimum);
    }
}

void rule_sectors(generator *g, batch_entry *batch, size_t count)
{
    sectors s = {.g = g, .batch = batch, .count = count};
    special_rules *r = s.g->rules;
    memset(r->here, 0, SECTORS * r->entry_words * sizeof *r->here);
    for (size_t i = s.count; i > 0; i--) {
        uint32_t *head = &r->heads[site_figure(s.g, s.batch[i - 1].special)];
        r->next[i - 1] = *head;
        *head = (uint32_t)i;
    }
    for (size_t i = 0; i < s.count; i++) {
        uint32_t *head = &r->heads[site_figure(s.g, s.batch[i].special)];
        if (*head == i + 1)
            prepare_figure(&s, *head);
    }
    for (size_t i = 0; i < s.count; i++)
        r->heads[site_figure(s.g, s.batch[i].special)] = 0;
    s.key = plan_key(g->config, "sectors", g->chunk->pos.x, g->chunk->pos.y);
    s.ask_ways = !g->config->options.compat;
    run_pass(&s, 1, true);
    if (s.ask_ways) {
        s.ask_ways = false;
        run_pass(&s, 3, true);
        s.ask_ways = true;
    }
    run_pass(&s, 2, false);
}
