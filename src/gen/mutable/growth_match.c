/*
 * Finds what fits on a demanded OMT (generation.md 9.3). Every piece in every rotation is
 * tried against its surroundings, which are looked at only when a piece needs them. A way of
 * covering the OMT must meet all mandatory demands. Of a rule's ways, those remain that meet
 * most of their own mandatory joins. One of the rules that have any is drawn by weight, then
 * one of its ways.
 *
 * As the games' documents have it, unlike their code, `reject` forbids its join even to a
 * mandatory side.
 */
#include "gen/mutable/growth_impl.h"

/* A cell that a piece may come to. Its surroundings are looked at when they are first
 * needed. */
typedef struct surroundings {
    int32_t x, y, z;
    bool usable;                /* a piece may come here at all */
    unsigned mandatory;         /* bit s: side s has a mandatory demand */
    int32_t terrain;            /* -1: not looked at yet */
    unsigned seen;              /* bit s: beyond[s] is known */
    uint16_t beyond[PTL_SIDES]; /* by side: the ground beyond */
    const growth_facing *sides; /* the OMT's faces, or those below */
    growth_facing none[PTL_SIDES];
} surroundings;

/* Returns the ground at a cell. Cells of other specials are ground for nothing, whatever
 * stands there. */
static uint16_t ground(const generator *g, const growth *w, int32_t x, int32_t y, int32_t z)
{
    const site_bits *owned = w->owned[z - PTL_Z_MIN];
    if (owned && site_has(owned, x, y))
        return CAT_NONE;
    return g->config->cat->oters[cell_oter(g, z, y * SIZE + x)].terrain;
}

/* Describes a cell by its OMT or, if it has none, by what such a cell faces. */
static void look_around(const growth *w, surroundings *out, int32_t x, int32_t y, int32_t z)
{
    out->x = x;
    out->y = y;
    out->z = z;
    out->usable = growth_inside(x, y, z);
    if (!out->usable)
        return;
    out->mandatory = 0;
    out->terrain = -1;
    const int32_t at = growth_omt_at(w, x, y, z);
    if (at != GROWTH_NO_OMT) {
        const growth_omt *t = &w->stock->omts[at];
        out->usable = !t->postponed;
        out->mandatory = t->mandatory;
        out->sides = t->faces;
    } else {
        growth_faces_none(out->none, x, y, z);
        out->sides = out->none;
    }
    out->seen = 0;
}

static bool may_stand(const generator *g, const growth *w, surroundings *s,
                      const cat_piece *piece)
{
    if (s->terrain < 0)
        s->terrain = ground(g, w, s->x, s->y, s->z);
    return cat_terrain_in(piece->allows, (uint16_t)s->terrain);
}

static uint16_t ground_beyond(const generator *g, const growth *w, surroundings *s, int side)
{
    if (!(s->seen >> side & 1)) {
        int32_t x = s->x, y = s->y, z = s->z;
        growth_beyond(side, &x, &y, &z);
        s->beyond[side] = ground(g, w, x, y, z);
        s->seen |= 1u << side;
    }
    return s->beyond[side];
}

bool growth_may_lead(const generator *g, const growth *w, const growth_arm *arm, int32_t x,
                     int32_t y, int32_t z)
{
    const cat_join *join = &w->layout->joins[arm->use->join];
    if (!growth_inside(x, y, z))
        return false;
    const uint16_t terrain = ground(g, w, x, y, z);
    const ptl_oter fill = g->config->defaults[z - PTL_Z_MIN];
    return cat_terrain_in(join->into, terrain) ||
           (site_takes_default(g->config, z, join->own) &&
            terrain == g->config->cat->oters[fill].terrain);
}

/* May a side be there that faces nothing, or a join that it does not meet? */
static bool unmet_fits(const generator *g, const growth *w, surroundings *s, int side,
                       const cat_side *use)
{
    const growth_facing *f = &s->sides[side];
    const bool mandatory = use->type == PTL_JOIN_MANDATORY;
    if (f->join >= 0)
        return !mandatory && f->type != PTL_JOIN_MANDATORY;
    return !mandatory ||
           (f->join == GROWTH_FACES_NOTHING &&
            cat_terrain_in(w->layout->joins[use->join].into, ground_beyond(g, w, s, side)));
}

/* Does the piece meet all mandatory demands on the cell? It must, since no other piece can. */
static bool meets_demands(const growth *w, const surroundings *s, const growth_form *f)
{
    if (s->mandatory & ~(unsigned)f->open)
        return false;
    for (unsigned left = s->mandatory; left; left &= left - 1) {
        const int side = __builtin_ctz(left);
        if (!growth_meets(w->layout, growth_form_side(f, side), s->sides[side].join))
            return false;
    }
    return true;
}

/* May the piece's open sides be as they are? Adds the number of its mandatory joins that are
 * met to *own. */
static bool sides_fit(const generator *g, const growth *w, surroundings *s,
                      const growth_form *form, int16_t resolves, int *own)
{
    for (unsigned left = form->open; left; left &= left - 1) {
        const int side = __builtin_ctz(left);
        const cat_side *use = growth_form_side(form, side);
        const growth_facing *f = &s->sides[side];
        if (f->join >= 0 && growth_meets(w->layout, use, f->join)) {
            if (use->type == PTL_JOIN_REJECT || f->type == PTL_JOIN_REJECT)
                return false;
            *own += use->type == PTL_JOIN_MANDATORY;
        } else if ((resolves >= 0 && use->join == resolves) ||
                   !unmet_fits(g, w, s, side, use)) {
            return false;
        }
    }
    return true;
}

static bool piece_fits(const generator *g, const growth *w, surroundings *s,
                       const growth_form *form, int16_t resolves, int *own)
{
    return s->usable && meets_demands(w, s, form) && may_stand(g, w, s, form->piece) &&
           sides_fit(g, w, s, form, resolves, own);
}

/* Tests a piece without open sides; most pieces of a large rule have none. Its surroundings do
 * not matter. */
static bool closed_fits(const generator *g, const growth *w, const growth_form *form, int32_t x,
                        int32_t y, int32_t z)
{
    if (!growth_inside(x, y, z))
        return false;
    const int32_t at = growth_omt_at(w, x, y, z);
    if (at != GROWTH_NO_OMT && (w->stock->omts[at].postponed || w->stock->omts[at].mandatory))
        return false;
    return cat_terrain_in(form->piece->allows, ground(g, w, x, y, z));
}

/* A rule that is tested on the cell that `s` describes. */
typedef struct candidate {
    const cat_rule *rule;
    size_t number; /* number of the rule */
    surroundings *s;
    bool known; /* ways->left and ways->met already tell for the piece on the OMT */
} candidate;

static inline growth_option origin_of(const growth_form *f, int32_t x, int32_t y, int32_t z)
{
    return (growth_option){(int16_t)(x - f->x), (int16_t)(y - f->y), (int8_t)(z - f->z),
                           f->turned};
}

/* Does the piece that comes to the cell fit? Sets *own to the number of its joins that are
 * met. */
static bool first_fits(const generator *g, const growth *w, const candidate *c, size_t way,
                       int *own)
{
    *own = 0;
    if (!c->known)
        return piece_fits(g, w, c->s, &w->ways->forms[way], c->rule->join, own);
    for (int b = 0; b < GROWTH_MET_BITS; b++)
        *own |= (int)(w->ways->met[b][way / 64] >> way % 64 & 1) << b;
    return true;
}

/* Does the rule fit by this way? Adds the number of pieces tried to *tried. */
static bool way_fits(const generator *g, const growth *w, const candidate *c, size_t way,
                     int *own, uint64_t *tried)
{
    const growth_form *fixed = &w->ways->forms[way], *forms = fixed - fixed->at;
    /* The piece on the OMT is tried first: it fails most often, and its surroundings are at
     * hand. */
    ++*tried;
    if (!first_fits(g, w, c, way, own))
        return false;
    for (const growth_form *f = forms; f < forms + c->rule->piece_count; f++) {
        if (f == fixed)
            continue;
        ++*tried;
        const int32_t x = c->s->x + f->x - fixed->x, y = c->s->y + f->y - fixed->y;
        const int32_t z = c->s->z + f->z - fixed->z;
        if (!f->open) {
            if (!closed_fits(g, w, f, x, y, z))
                return false;
            continue;
        }
        surroundings other;
        look_around(w, &other, x, y, z);
        if (!piece_fits(g, w, &other, f, c->rule->join, own))
            return false;
    }
    return true;
}

static bool has_join(const cat_mutable *layout, const cat_rule *rule)
{
    for (size_t i = 0; i < rule->piece_count; i++)
        for (int side = 0; side < PTL_SIDES; side++)
            if (layout->pieces[rule->pieces[i].piece].sides[side].join == rule->join)
                return true;
    return false;
}

enum { SPENT_AT_ONCE = 1 << 12 };

/* Counts ways that need no test; each would have taken one try of a piece. */
static bool pass_over(generator *g, growth *w, size_t ways, uint64_t *tried)
{
    while (ways > 0) {
        const size_t room = SPENT_AT_ONCE - (size_t)*tried, count = ways < room ? ways : room;
        ways -= count;
        *tried += count;
        if (*tried < SPENT_AT_ONCE)
            continue;
        if (!growth_spend(g, w, *tried))
            return false;
        *tried = 0;
    }
    return true;
}

/* Adds a way to the rule's options, which begin at `first`, if it is among the best. A better
 * way replaces all of them. *best is the number of own joins that they meet. */
static bool add_option(growth *w, growth_option option, size_t first, int own, int *best)
{
    if (own > *best)
        w->option_count = first;
    *best = own;
    if (w->option_count == w->option_room &&
        !growth_room(&w->options, &w->option_room, w->option_count + 1, sizeof *w->options)) {
        w->nomem = true;
        return false;
    }
    w->options[w->option_count++] = option;
    return true;
}

/* Adds the rule's best ways of covering the OMT to the options. False when memory is out or
 * it was too much work. */
static bool collect(generator *g, growth *w, const candidate *c, size_t *count)
{
    const size_t first = w->option_count;
    const size_t from = w->ways->first[c->number], end = w->ways->first[c->number + 1];
    int best = 0;
    uint64_t tried = 1; /* 1 even for a rule without pieces */
    for (size_t n = from; n < end; n++) {
        const size_t next = c->known ? growth_next_way(w->ways->left, n, end) : n;
        int own;
        if (!pass_over(g, w, next - n, &tried))
            return false;
        n = next;
        if (n == end)
            break;
        const bool fits = way_fits(g, w, c, n, &own, &tried);
        if (tried >= SPENT_AT_ONCE) {
            if (!growth_spend(g, w, tried))
                return false;
            tried = 0;
        }
        const growth_option option = origin_of(&w->ways->forms[n], c->s->x, c->s->y, c->s->z);
        if (fits && own >= best && !add_option(w, option, first, own, &best))
            return false;
    }
    *count = w->option_count - first;
    return growth_spend(g, w, tried);
}

/* Finds the ways whose piece fits on the OMT, by sets. False: there are no sets, or memory is
 * out. */
static bool find_ways(const generator *g, growth *w, surroundings *s)
{
    if (!s->usable)
        return false;
    if (!growth_ways_facing(w, s->sides, s->mandatory))
        return false;
    /* Drop the ways whose piece may not stand on the ground here, or may not lead to the
     * ground beyond one of its sides that face nothing. */
    growth_ways *ways = w->ways;
    const growth_need *need = ways->needs, *const end = need + ways->need_count;
    const uint16_t own = ground(g, w, s->x, s->y, s->z);
    for (; need < end && need->side == GROWTH_OWN_CELL; need++)
        if (!cat_terrain_in(need->allows, own))
            growth_ways_drop(ways, need);
    for (; need < end; need++) {
        const int side = need->side;
        if (s->sides[side].join == GROWTH_FACES_NOTHING &&
            !cat_terrain_in(need->allows, ground_beyond(g, w, s, side)))
            growth_ways_drop(ways, need);
    }
    return true;
}

/* Work that was done but not counted yet. Usually it is counted together. Near a growth's
 * limit it is counted at once, so that the growth ends at the same sum in either case. */
typedef struct growth_debt {
    uint64_t units, most; /* at most this much is owed at a time */
    bool at_once;
} growth_debt;

static bool pay(generator *g, growth *w, growth_debt *debt)
{
    const uint64_t units = debt->units;
    debt->units = 0;
    return units == 0 || growth_spend(g, w, units);
}

/* Enters a rule into the lottery if any of its ways fits. False when memory is out or it was
 * too much work. For a rule of one piece the sets of ways alone decide, if they are known. */
static bool enter_rule(generator *g, growth *w, const candidate *c, int32_t weight,
                       growth_debt *debt)
{
    const size_t from = w->ways->first[c->number], end = w->ways->first[c->number + 1];
    growth_entry *entry = &w->entries[w->entry_count]; /* there is room for all rules */
    entry->rule = c->number;
    entry->weight = weight;
    entry->listed = !c->known || c->rule->piece_count != 1;
    if (entry->listed) {
        if (!pay(g, w, debt) || !collect(g, w, c, &entry->count))
            return false;
        debt->at_once = growth_near_end(w, debt->most);
        entry->first = w->option_count - entry->count;
    } else {
        entry->count = growth_ways_best(w->ways, from, end);
        debt->units += 1 + end - from;
        if (debt->at_once && !pay(g, w, debt))
            return false;
    }
    w->entry_count += entry->count > 0;
    return true;
}

/* Does the same for a rule with a span, when the ways are known. */
static inline bool enter_span(generator *g, growth *w, size_t number, int32_t weight,
                              growth_debt *debt)
{
    const growth_rule *rule = &w->ways->rules[number];
    growth_entry *entry = &w->entries[w->entry_count];
    debt->units += 1 + rule->ways;
    if (w->ways->left[rule->span.word] & rule->span.mask) {
        entry->rule = number;
        entry->weight = weight;
        entry->listed = false;
        entry->best = growth_ways_best_word(w->ways, &rule->span);
        w->entry_count++;
    }
    return !debt->at_once || pay(g, w, debt);
}

/* Returns a number below the sum of weights, which may be too large for rng_below. */
static inline uint64_t draw_weight(growth *w, uint64_t total)
{
    return total <= UINT32_MAX ? rng_below(&w->random, total) : rng_next(&w->random) % total;
}

/* Returns the nth set bit of a word, which has more than n. n is below 4, because a rule of
 * one piece has one way per rotation. Has no branch that depends on the draw. */
static inline size_t nth_bit(uint64_t word, size_t n)
{
    for (size_t i = 0; i < 3; i++)
        word &= word - (i < n);
    return (size_t)__builtin_ctzll(word);
}

/* Draws one of the entry's ways on the OMT. */
static growth_option draw_way(growth *w, const growth_entry *entry, const growth_omt *t)
{
    const growth_ways *ways = w->ways;
    const size_t from = ways->first[entry->rule];
    if (entry->listed)
        return w->options[entry->first + rng_below(&w->random, entry->count)];
    if (ways->rules[entry->rule].span.mask != 0) {
        /* Draw one of the ways in `best`, for a rule with a span. */
        const uint64_t best = entry->best;
        const bool one = (best & (best - 1)) == 0;
        const size_t n = rng_below(&w->random, one ? 1 : (uint64_t)bits_in_word(best));
        const size_t way = 64 * w->ways->rules[entry->rule].span.word + nth_bit(best, n);
        return origin_of(&w->ways->forms[way], t->x, t->y, t->z);
    }
    const size_t n = rng_below(&w->random, entry->count);
    const size_t way = growth_ways_nth(w->ways, from, ways->first[entry->rule + 1], n);
    return origin_of(&ways->forms[way], t->x, t->y, t->z);
}

/* Does a choosy rule come into question on the level? */
static bool chooses(const growth *w, const cat_rule *rule, int32_t z)
{
    return growth_height(w, &rule->z, z) && (rule->join < 0 || has_join(w->layout, rule));
}

/* Finds which needs an oter meets, at any place. */
static __attribute__((noinline)) void find_met(const generator *g, growth_ways *ways,
                                               growth_ground *out, ptl_oter oter)
{
    const uint16_t terrain = g->config->cat->oters[oter].terrain;
    *out = (growth_ground){.oter = oter + 1u};
    for (size_t i = 0; i < ways->need_count; i++)
        out->met |= (uint64_t)cat_terrain_in(ways->needs[i].allows, terrain) << i;
}

static inline uint64_t met_by(const generator *g, growth_ways *ways, ptl_oter oter)
{
    growth_ground *known = &ways->grounds[oter % GROWTH_GROUNDS];
    if (known->oter != oter + 1u)
        find_met(g, ways, known, oter);
    return known->met;
}

/* Offsets from an OMT's cell to the places on its level. */
static const int8_t EAST[GROWTH_PLACES] = {0, 1, 0, -1}, SOUTH[GROWTH_PLACES] = {-1, 0, 1};

/* Returns the places on an OMT's level that other specials own. Mostly there are none, and one
 * word holds all bits of a row that matter. */
static inline unsigned find_owned(const site_bits *owned, const growth_omt *t)
{
    const uint64_t *row = &owned->words[t->y * SITE_WORDS + t->x / 64];
    const unsigned bit = (unsigned)t->x % 64;
    const uint64_t north = row[-SITE_WORDS] >> bit, south = row[SITE_WORDS] >> bit;
    if (bit >= 1 && bit < 63 && ((north | south) & 1) == 0 && (row[0] >> (bit - 1) & 7) == 0)
        return 0;
    return (unsigned)(north & 1) | (unsigned)site_has(owned, t->x + 1, t->y) << 1 |
           (unsigned)(south & 1) << 2 | (unsigned)site_has(owned, t->x - 1, t->y) << 3 |
           (unsigned)site_has(owned, t->x, t->y) << GROWTH_AT_OWN;
}

/* Is the ground at all of these places the same as at the OMT's cell, and owned by no
 * special? */
static inline bool is_one_ground(const ptl_oter *cells, const site_bits *owned,
                                 const growth_omt *t, unsigned places)
{
    const ptl_oter *at = &cells[t->y * SIZE + t->x], own = *at;
    unsigned other = (unsigned)(at[-SIZE] != own) | (unsigned)(at[1] != own) << 1 |
                     (unsigned)(at[SIZE] != own) << 2 | (unsigned)(at[-1] != own) << 3;
    if (owned)
        other |= find_owned(owned, t);
    return (other & places) == 0;
}

/* Returns the needs, at places of one level, that the ground does not meet. `above` is the
 * level relative to the OMT's. Mostly all places have the same ground. */
static inline uint64_t unmet_on(const generator *g, const growth *w, const growth_omt *t,
                                unsigned places, int above)
{
    growth_ways *ways = w->ways;
    const int number = t->z - PTL_Z_MIN + above;
    const level *l = &g->chunk->levels[number];
    const site_bits *owned = w->owned[number];
    uint64_t unmet = 0;
    if (above == 0 && l->cells && is_one_ground(l->cells, owned, t, places))
        return ~met_by(g, ways, l->cells[t->y * SIZE + t->x]);
    for (; places; places &= places - 1) {
        const int place = __builtin_ctz(places);
        const int32_t x = t->x + EAST[place], y = t->y + SOUTH[place];
        const bool none = owned && site_has(owned, x, y);
        const uint64_t met = met_by(g, ways, l->cells ? l->cells[y * SIZE + x] : l->fill);
        unmet |= ways->needs_at[place] & (none ? UINT64_MAX : ~met); /* it is no ground */
    }
    return unmet;
}

/* Returns those of the case's needs that the ground does not meet. */
static inline uint64_t find_unmet(const generator *g, const growth *w, const growth_omt *t,
                                  const growth_case *c)
{
    const unsigned above = 1u << CAT_ABOVE, below = 1u << CAT_BELOW;
    const unsigned flat = c->places & ~(above | below);
    uint64_t unmet = unmet_on(g, w, t, flat, 0);
    if (flat != c->places) { /* some places lie on other levels or do not exist */
        uint64_t here = 0;
        for (unsigned left = flat; left; left &= left - 1)
            here |= w->ways->needs_at[__builtin_ctz(left)];
        unmet &= here;
        if (c->places & above)
            unmet |= unmet_on(g, w, t, above, 1);
        if (c->places & below)
            unmet |= unmet_on(g, w, t, below, -1);
    }
    return unmet & c->needs;
}

/* Returns the case that says what fits on the OMT; NULL if no case does. */
static inline const growth_case *find_case(const generator *g, growth *w, const growth_omt *t)
{
    const growth_case *c = growth_case_of(w, t, 0);
    const uint64_t unmet = c ? find_unmet(g, w, t, c) : 0;
    if (unmet)
        c = growth_case_of(w, t, unmet);
    return c && c->count <= GROWTH_CASE_RULES ? c : NULL;
}

/* Chooses a rule of a case and one of its ways, as draw_entry and draw_way would. False if
 * none is left. */
static inline bool draw_of_case(growth *w, const growth_case *c, const growth_omt *t,
                                size_t *rule, growth_option *option)
{
    int32_t weights[GROWTH_CASE_RULES];
    uint64_t total = 0;
    for (size_t i = 0; i < c->count; i++) {
        const int32_t weight = growth_weight(w, c->rules[i]);
        weights[i] = weight > 0 ? weight : 0;
        total += (uint64_t)weights[i];
    }
    if (total == 0)
        return false;
    uint64_t at = draw_weight(w, total);
    size_t i = 0;
    while (i + 1u < c->count && at >= (uint64_t)weights[i])
        at -= (uint64_t)weights[i++];
    *rule = c->rules[i];
    *option = origin_of(&w->ways->forms[c->best[i][rng_below(&w->random, c->bests[i])]], t->x,
                        t->y, t->z); /* the ways of a plain phase fit into one word */
    return true;
}

/* Enters the rules into the lottery by looking at the OMT's surroundings. */
static bool enter_looking(generator *g, growth *w, const growth_omt *t, growth_debt *debt)
{
    surroundings s;
    look_around(w, &s, t->x, t->y, t->z);
    /* Enter all rules that come into question. */
    const bool known = find_ways(g, w, &s);
    const cat_phase *phase = &w->layout->phases[w->phase];
    for (size_t i = 0; i < phase->rule_count && !w->nomem; i++) {
        const growth_rule *rule = &w->ways->rules[i];
        const int32_t weight = growth_weight(w, i);
        if (weight <= 0 || (rule->choosy && !chooses(w, &phase->rules[i], s.z)))
            continue;
        if (known && rule->span.mask != 0) {
            if (!enter_span(g, w, i, weight, debt))
                return false;
            continue;
        }
        const candidate c = {&phase->rules[i], i, &s, known};
        if (!enter_rule(g, w, &c, weight, debt))
            return false;
    }
    return true;
}

/* Chooses a rule by looking around, where no case decides. Not inlined, because saving the
 * registers it needs would slow the usual path. */
static __attribute__((noinline)) bool satisfy_looking(generator *g, growth *w,
                                                      const growth_omt *t, growth_debt *debt,
                                                      size_t *rule, growth_option *option)
{
    w->option_count = w->entry_count = 0;
    if (!enter_looking(g, w, t, debt))
        return false;
    if (!pay(g, w, debt) || w->entry_count == 0 || w->nomem)
        return false;
    /* Draw an entry by weight. */
    uint64_t total = 0;
    for (size_t i = 0; i < w->entry_count; i++)
        total += (uint64_t)w->entries[i].weight;
    uint64_t at = draw_weight(w, total);
    size_t i = 0;
    while (at >= (uint64_t)w->entries[i].weight)
        at -= (uint64_t)w->entries[i++].weight;
    const growth_entry *chosen = &w->entries[i];
    *rule = chosen->rule;
    *option = draw_way(w, chosen, t);
    return true;
}

bool growth_satisfy(generator *g, growth *w, int32_t omt, size_t *rule, growth_option *option)
{
    const size_t rules = w->layout->phases[w->phase].rule_count;
    const growth_omt *t = &w->stock->omts[omt];
    growth_debt debt = {.units = rules, .most = 2 * rules + w->ways->first[rules]};
    debt.at_once = growth_near_end(w, debt.most);
    if (debt.at_once && !pay(g, w, &debt))
        return false;
    const growth_case *c = !debt.at_once && w->ways->plain ? find_case(g, w, t) : NULL;
    if (!c)
        return satisfy_looking(g, w, t, &debt, rule, option);
    debt.units += w->looks;
    return pay(g, w, &debt) && draw_of_case(w, c, t, rule, option);
}
