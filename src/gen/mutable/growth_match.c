/*
 * What fits on a demanded tile (generation.md 9.3). Every piece in every rotation is tried
 * against what lies around, which is looked at when a piece asks for it. A way of covering the
 * tile must meet all mandatory demands; of a rule's ways those remain that meet most of their
 * own mandatory joins; among the rules that have any, one is drawn by weight, then one of its
 * ways.
 *
 * As the games' documents have it, and not their code, `reject` forbids its join even to a side
 * that is mandatory.
 */
#include "gen/mutable/growth_impl.h"
#include "gen/sites/sites.h"

/* A cell that a piece may come to. What is around it is looked at when it is asked for first.
 */
typedef struct surroundings {
    int32_t x, y, z;
    bool usable;                /* a piece may come here at all */
    unsigned mandatory;         /* bit s: a demand on side s that is */
    int32_t terrain;            /* -1: not looked at yet */
    unsigned looked, seen;      /* bit s: of sides, of beyond: it is known */
    uint16_t beyond[PTL_SIDES]; /* ground */
    growth_facing sides[PTL_SIDES];
} surroundings;

/* No location takes the cells of other specials, whatever stands there. */
static uint16_t ground(const generator *g, int32_t x, int32_t y, int32_t z)
{
    if (site_owned(g, z, y * SIZE + x))
        return CAT_NONE;
    const level *l = &g->chunk->levels[z - PTL_Z_MIN];
    return g->config->cat->oters[l->cells ? l->cells[y * SIZE + x] : l->fill].terrain;
}

bool growth_meets(const cat_mutable *layout, const cat_side *side, int16_t facing)
{
    if (layout->joins[side->join].opposite == facing)
        return true;
    for (int i = 0; i < side->alternative_count; i++)
        if (layout->joins[side->alternatives[i]].opposite == facing)
            return true;
    return false;
}

static growth_facing look_at(const growth *w, int side, const surroundings *s)
{
    int32_t x = s->x, y = s->y, z = s->z;
    growth_beyond(side, &x, &y, &z);
    if (!growth_inside(x, y, z))
        return (growth_facing){GROWTH_FACES_BORDER, 0};
    const int32_t at = growth_tile_at(w, x, y, z);
    const cat_side *use =
        at == GROWTH_NO_TILE ? NULL : w->tiles[at].sides[growth_opposite(side)];
    return use ? (growth_facing){use->join, use->type}
               : (growth_facing){GROWTH_FACES_NOTHING, 0};
}

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
    const int32_t at = growth_tile_at(w, x, y, z);
    if (at != GROWTH_NO_TILE) {
        const growth_tile *t = &w->tiles[at];
        out->usable = !t->postponed;
        out->mandatory = t->mandatory;
    }
    out->looked = out->seen = 0;
}

static const growth_facing *faced(const growth *w, surroundings *s, int side)
{
    if (!(s->looked >> side & 1))
        s->sides[side] = look_at(w, side, s);
    s->looked |= 1u << side;
    return &s->sides[side];
}

static bool may_stand(const generator *g, const growth *w, surroundings *s, uint16_t piece)
{
    if (s->terrain < 0)
        s->terrain = ground(g, s->x, s->y, s->z);
    return cat_terrain_in(w->layout->pieces[piece].allows, (uint16_t)s->terrain);
}

static bool may_lead(const generator *g, const growth *w, surroundings *s, int side,
                     int16_t join)
{
    if (!(s->seen >> side & 1)) {
        int32_t x = s->x, y = s->y, z = s->z;
        growth_beyond(side, &x, &y, &z);
        s->beyond[side] = ground(g, x, y, z);
        s->seen |= 1u << side;
    }
    return cat_terrain_in(w->layout->joins[join].into, s->beyond[side]);
}

/* A side that faces a join which it does not meet, or nothing: can it be there? */
static bool unmet_fits(const generator *g, const growth *w, surroundings *s, int side,
                       const cat_side *use)
{
    const growth_facing *f = &s->sides[side];
    const bool mandatory = use->type == PTL_JOIN_MANDATORY;
    if (f->join >= 0)
        return !mandatory && f->type != PTL_JOIN_MANDATORY;
    return !mandatory ||
           (f->join == GROWTH_FACES_NOTHING && may_lead(g, w, s, side, use->join));
}

/* Does the piece, with these open sides, meet all mandatory demands on the cell? No other piece
 * can. */
static bool meets_demands(const growth *w, surroundings *s, uint16_t piece, int rotation,
                          unsigned open)
{
    if (s->mandatory & ~open)
        return false;
    for (unsigned left = s->mandatory; left; left &= left - 1) {
        const int side = __builtin_ctz(left);
        const cat_side *use = growth_side(w, piece, rotation, side);
        if (!growth_meets(w->layout, use, faced(w, s, side)->join))
            return false;
    }
    return true;
}

/* open has the sides with a join that do not lead to other pieces of the same rule, as they lie
 * in the world. Adds the mandatory joins of the piece that are met to *own. */
static bool piece_fits(const generator *g, const growth *w, surroundings *s, uint16_t piece,
                       int rotation, unsigned open, int16_t resolves, int *own)
{
    if (!s->usable || !meets_demands(w, s, piece, rotation, open) || !may_stand(g, w, s, piece))
        return false;
    for (unsigned left = open; left; left &= left - 1) {
        const int side = __builtin_ctz(left);
        const cat_side *use = growth_side(w, piece, rotation, side);
        const growth_facing *f = faced(w, s, side);
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

/* One way of placing a rule: its piece `at` comes to the cell that `s` describes. */
typedef struct way {
    const cat_rule *rule;
    size_t number;       /* of the rule */
    const uint8_t *open; /* sides of its pieces, while it is not rotated */
    size_t at;
    int rotation;
} way;

static void origin_of(const way *y, const surroundings *s, growth_option *out)
{
    const cat_rule_piece *p = &y->rule->pieces[y->at];
    int32_t dx, dy;
    feature_rotate(p->x, p->y, y->rotation, &dx, &dy);
    *out = (growth_option){(int16_t)(s->x - dx), (int16_t)(s->y - dy), (int8_t)(s->z - p->z),
                           (uint8_t)y->rotation};
}

/* Adds the pieces that were tried to *tried. */
static bool way_fits(const generator *g, const growth *w, const way *y, surroundings *s,
                     int *own, uint64_t *tried)
{
    *own = 0;
    for (size_t n = 0; n < y->rule->piece_count; n++) {
        ++*tried;
        /* The one on the tile comes first: it fails most often, and s is at hand. */
        const size_t i = n == 0 ? y->at : n <= y->at ? n - 1 : n;
        const cat_rule_piece *p = &y->rule->pieces[i];
        const cat_rule_piece *fixed = &y->rule->pieces[y->at];
        surroundings other;
        surroundings *here = s;
        if (i != y->at) {
            int32_t dx, dy;
            feature_rotate(p->x - fixed->x, p->y - fixed->y, y->rotation, &dx, &dy);
            look_around(w, &other, s->x + dx, s->y + dy, s->z + p->z - fixed->z);
            here = &other;
        }
        if (!piece_fits(g, w, here, p->piece, (p->rotation + y->rotation) & 3,
                        growth_rotate_sides(y->open[i], y->rotation), y->rule->join, own))
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

/* Counts ways that need no look: each would have been tried with one piece. */
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

/* Adds a way to the options, the best of which are from `first` on: those with *best own joins
 * met. */
static bool add_option(growth *w, const way *y, const surroundings *s, size_t first, int own,
                       int *best)
{
    if (own > *best)
        w->option_count = first;
    *best = own;
    if (!growth_room(&w->options, &w->option_room, w->option_count + 1, sizeof *w->options)) {
        w->nomem = true;
        return false;
    }
    origin_of(y, s, &w->options[w->option_count++]);
    return true;
}

/* Adds the rule's best ways of covering the tile to the options; false when memory is out, or
 * it was too much work. Those that are not in `few` do not fit; NULL: any may. */
static bool collect(generator *g, growth *w, way *y, surroundings *s, const uint64_t *few,
                    size_t *count)
{
    const size_t first = w->option_count, pieces = y->rule->piece_count;
    const size_t from = w->ways->first[y->number], end = w->ways->first[y->number + 1];
    int best = 0;
    uint64_t tried = 1; /* of a rule without pieces, too */
    for (size_t n = from; n < end; n++) {
        const size_t next = few ? growth_next_way(few, n, end) : n;
        int own;
        if (!pass_over(g, w, next - n, &tried))
            return false;
        n = next;
        if (n == end)
            break;
        y->rotation = (int)((n - from) / pieces);
        y->at = (n - from) % pieces;
        const bool fits = way_fits(g, w, y, s, &own, &tried);
        if (tried >= SPENT_AT_ONCE) {
            if (!growth_spend(g, w, tried))
                return false;
            tried = 0;
        }
        if (fits && own >= best && !add_option(w, y, s, first, own, &best))
            return false;
    }
    *count = w->option_count - first;
    return growth_spend(g, w, tried);
}

/* Returns the ways that the tile's sides allow; NULL: any, or memory is out. */
static const uint64_t *ways_allowed(growth *w, surroundings *s)
{
    if (!s->usable)
        return NULL;
    for (int side = 0; side < PTL_SIDES; side++)
        faced(w, s, side);
    return growth_ways_facing(w, s->sides, s->mandatory);
}

/* Returns an entry by weight. The weights' sum may be above what rng_below takes. */
static const growth_entry *draw_entry(growth *w)
{
    uint64_t total = 0;
    for (size_t i = 0; i < w->entry_count; i++)
        total += (uint64_t)w->entries[i].weight;
    uint64_t at =
        total <= UINT32_MAX ? rng_below(&w->random, total) : rng_next(&w->random) % total;
    size_t i = 0;
    while (at >= (uint64_t)w->entries[i].weight)
        at -= (uint64_t)w->entries[i++].weight;
    return &w->entries[i];
}

bool growth_satisfy(generator *g, growth *w, int32_t tile, size_t *rule, growth_option *option)
{
    const cat_phase *phase = &w->layout->phases[w->phase];
    const growth_tile *t = &w->tiles[tile];
    surroundings s;
    look_around(w, &s, t->x, t->y, t->z);
    w->option_count = w->entry_count = 0;
    if (!growth_spend(g, w, phase->rule_count))
        return false;
    const uint64_t *few = ways_allowed(w, &s);
    for (size_t i = 0; i < phase->rule_count && !w->nomem; i++) {
        const cat_rule *r = &phase->rules[i];
        const int32_t weight = growth_weight(w, i);
        size_t count;
        if (weight <= 0 || !growth_height(w, &r->z, t->z) ||
            (r->join >= 0 && !has_join(w->layout, r)))
            continue;
        way y = {.rule = r, .number = i, .open = &w->ways->open[w->ways->open_first[i]]};
        if (!collect(g, w, &y, &s, few, &count))
            return false;
        if (count > 0)
            w->entries[w->entry_count++] =
                (growth_entry){i, w->option_count - count, count, weight};
    }
    if (w->entry_count == 0 || w->nomem)
        return false;
    const growth_entry *chosen = draw_entry(w);
    *rule = chosen->rule;
    *option = w->options[chosen->first + rng_below(&w->random, chosen->count)];
    return true;
}
