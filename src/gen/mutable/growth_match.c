/*
 * Finds which rules fit on a demanded OMT (generation.md 9.3). Each piece of a rule is tried on
 * the OMT in each rotation, and with it the rule's other pieces around. Such a way of covering
 * the OMT must meet all mandatory demands. Of each rule's ways of covering it, those are kept
 * in which the rule's own pieces have the most mandatory joins met. One of the rules that can
 * cover the OMT is chosen at random by weight, then one of its ways.
 *
 * A side of the type `reject` forbids its join even to a mandatory side. The games' documents
 * say so too; their code does not do it.
 */
#include "gen/mutable/growth_impl.h"

/* A cell on which a piece is tried. What lies in and around it is looked up when it is first
 * needed. */
typedef struct surroundings {
    int32_t x, y, z;
    bool usable;        /* a piece may be placed on this cell */
    unsigned mandatory; /* bit s: there is a mandatory demand on side s of the cell */
    int32_t terrain;    /* terrain of the ground in the cell; -1: not looked up yet */
    unsigned seen; /* bit s: the ground beyond side s was looked up, so beyond[s] is valid */
    /* By side: terrain of the ground in the next cell in that direction. */
    uint16_t beyond[PTL_SIDES];
    /* What the cell's sides face. Points to `faces` in the growth's data of the cell
     * (growth_omt) or, if it has none, to the member `none`. */
    const growth_facing *sides;
    growth_facing none[PTL_SIDES]; /* all sides face nothing; `sides` points here if the growth
                                      has no data of the cell */
} surroundings;

/* Returns the terrain of the ground at a cell; CAT_NONE for a cell of another special, on which
 * no piece may stand. */
static uint16_t ground(const generator *g, const growth *w, int32_t x, int32_t y, int32_t z)
{
    const site_bits *owned = w->owned[z - PTL_Z_MIN];
    if (owned && site_has(owned, x, y))
        return CAT_NONE;
    return g->config->cat->oters[cell_oter(g, z, y * SIZE + x)].terrain;
}

/* Begins to describe a cell. What it faces is taken from the growth's data of the cell
 * (growth_omt); without such data the cell faces no joins. */
static void look_around(const growth *w, surroundings *out, int32_t x, int32_t y, int32_t z)
{
    out->x = x;
    out->y = y;
    out->z = z;
    out->usable = growth_inside(x, y, z);
    out->mandatory = 0;
    if (!out->usable)
        return;
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

/* Returns whether a piece may be placed on the cell although one of its sides would not be met:
 * the side would face nothing, or a join that it does not match. `side` is the direction of
 * that side, `use` its definition in the content. */
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

/* Returns whether the piece has a join on each side of the cell on which there is a mandatory
 * demand. */
static inline bool is_open_enough(const surroundings *s, const growth_form *f)
{
    return !(s->mandatory & ~(unsigned)f->open);
}

/* Does the piece meet all mandatory demands on the cell? It must, since no other piece will be
 * placed there. */
static bool meets_demands(const growth *w, const surroundings *s, const growth_form *f)
{
    if (!is_open_enough(s, f))
        return false;
    for (unsigned left = s->mandatory; left; left &= left - 1) {
        const int side = __builtin_ctz(left);
        if (!growth_meets(w->layout, growth_form_side(f, side), s->sides[side].join))
            return false;
    }
    return true;
}

/* Does the piece fit the sides that it faces? Each of its open sides must meet the join that it
 * faces, or must be allowed to stay unmet; but a side whose join is `resolves` must not stay
 * unmet (-1: this holds for no join). Adds to *own how many of the piece's mandatory joins are
 * met. */
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

/* May a piece without open sides (sides with a join that no piece of the same rule faces) lie
 * in the cell? What lies around the cell does not matter then. Most pieces of a large rule have
 * no open sides. */
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

static inline growth_option origin_of(const growth_form *f, int32_t x, int32_t y, int32_t z)
{
    return (growth_option){(int16_t)(x - f->x), (int16_t)(y - f->y), (int8_t)(z - f->z),
                           f->turned};
}

/* Returns whether the rule's other pieces would fit around its piece `fixed` if that piece were
 * placed on the cell. *tried grows by the number of pieces that were tried. */
static bool others_fit(const generator *g, const growth *w, const surroundings *s,
                       const cat_rule *rule, const growth_form *fixed, int *own,
                       uint64_t *tried)
{
    const growth_form *forms = fixed - fixed->at;
    for (const growth_form *f = forms; f < forms + rule->piece_count; f++) {
        if (f == fixed)
            continue;
        ++*tried;
        const int32_t x = s->x + f->x - fixed->x, y = s->y + f->y - fixed->y;
        const int32_t z = s->z + f->z - fixed->z;
        if (!f->open) {
            if (!closed_fits(g, w, f, x, y, z))
                return false;
            continue;
        }
        surroundings other;
        look_around(w, &other, x, y, z);
        if (!piece_fits(g, w, &other, f, rule->join, own))
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

/* Adds a way of placing a rule to w->options, where the ways of this rule begin at index
 * `first`. `own` is how many mandatory joins of the rule's pieces are met in this way. *best is
 * that number for the ways that were added before, and is not greater than `own`. If it is
 * less, the earlier ways are dropped, so that only the ways with the most such joins are kept.
 */
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

/* Adds to w->options those of the rule's ways of covering the OMT in which the most mandatory
 * joins of its own pieces are met. False when memory is out or the search took too much
 * work. */
static bool collect(generator *g, growth *w, surroundings *s, size_t number)
{
    enum { SPENT_AT_ONCE = 1 << 12 };
    const cat_rule *rule = &w->layout->phases[w->phase].rules[number];
    const size_t first = w->option_count;
    const growth_form *const forms = w->ways->forms, *const end =
                                                         forms + w->ways->first[number + 1];
    int best = 0;
    uint64_t tried = 1; /* starts above 0, so that a rule without pieces counts as work, too */
    for (const growth_form *form = forms + w->ways->first[number]; form < end; form++) {
        int own = 0;
        /* The piece on the OMT is tried before the rule's other pieces: it fails most often,
         * and what lies around the OMT is looked up already. */
        tried++;
        const bool fits = is_open_enough(s, form) &&
                          piece_fits(g, w, s, form, rule->join, &own) &&
                          others_fit(g, w, s, rule, form, &own, &tried);
        if (tried >= SPENT_AT_ONCE) {
            if (!growth_spend(g, w, tried))
                return false;
            tried = 0;
        }
        if (fits && own >= best &&
            !add_option(w, origin_of(form, s->x, s->y, s->z), first, own, &best))
            return false;
    }
    return growth_spend(g, w, tried);
}

/* Fills w->entries with the rules of the phase that have a way of covering the OMT. False if
 * there is none, if the search took too much work, or if memory is out. */
static bool enter_rules(generator *g, growth *w, const growth_omt *t)
{
    surroundings s;
    const cat_phase *phase = &w->layout->phases[w->phase];
    w->option_count = w->entry_count = 0;
    if (!growth_spend(g, w, phase->rule_count))
        return false;
    look_around(w, &s, t->x, t->y, t->z);
    for (size_t i = 0; i < phase->rule_count && !w->nomem; i++) {
        const int32_t weight = growth_weight(w, i);
        const cat_rule *rule = &phase->rules[i];
        /* The rule must allow the level. If it names a join to resolve (rule->join), a piece of
         * it must have that join. */
        if (weight <= 0 || !growth_height_is(w, &rule->z, s.z) ||
            (rule->join >= 0 && !has_join(w->layout, rule)))
            continue;
        const size_t first = w->option_count;
        if (!collect(g, w, &s, i))
            return false;
        const size_t count = w->option_count - first;
        /* Make an entry for the rule. It counts only if the rule has a way of covering the OMT;
         * otherwise the next rule's entry is written over it. */
        w->entries[w->entry_count] = (growth_entry){i, first, count, weight};
        w->entry_count += count > 0;
    }
    return w->entry_count > 0 && !w->nomem;
}

bool growth_satisfy(generator *g, growth *w, int32_t omt, size_t *rule, growth_option *option)
{
    const growth_omt *t = &w->stock->omts[omt];
    if (!enter_rules(g, w, t))
        return false;
    /* Choose one of the rules in w->entries at random by weight. The sum of weights may be
     * too large for rng_below. */
    uint64_t total = 0;
    for (size_t i = 0; i < w->entry_count; i++)
        total += (uint64_t)w->entries[i].weight;
    uint64_t at =
        total <= UINT32_MAX ? rng_below(&w->random, total) : rng_next(&w->random) % total;
    size_t i = 0;
    while (at >= (uint64_t)w->entries[i].weight)
        at -= (uint64_t)w->entries[i++].weight;
    const growth_entry *entry = &w->entries[i];
    *rule = entry->rule;
    *option = w->options[entry->first + rng_below(&w->random, entry->count)];
    return true;
}
