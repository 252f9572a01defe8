/*
 * Finds out which rules and joins of a mutable special can be used. A side that is left free
 * opens its join towards the neighbour cell. Starting at the root, which is the first piece of
 * a growth, this finds phase by phase which joins can be open at all (by direction and level),
 * and which rules could be placed on them. It finds more than can really happen: it does not
 * count how often a rule may be used, and ground matters only where sets of terrains leave no
 * choice. So a rule that is not reached here is never used, and a join that no rule meets stays
 * open in every growth.
 */
#include "content/special/special_check_ground.h"

#include <string.h>

enum {
    LEVELS_MASK = (1 << (2 * SPECIAL_LEVEL_MAX + 1)) - 1, /* a bit for each level: bit z + 10 */
    GROUND_LEVEL = 1 << SPECIAL_LEVEL_MAX,
    /* Limits for one special, so that hostile content can't keep the import busy. Larger
     * specials are not checked. */
    TABLE_MAX = 1 << 21,
    WORK_MAX = 100 * 1000 * 1000
};

static void work(reach *r, size_t amount)
{
    const bool stopped = import_stopped(r->c->im);
    r->work = r->work > amount && !stopped ? r->work - amount : 0;
}

/* Returns the index of the join that is the opposite of the join with this id. */
static size_t opposite(const special *sp, const char *id)
{
    return reach_join(sp, special_join_find(sp, id)->opposite);
}

/* Returns a set of levels with all of them moved up by `by` (down if negative); levels outside
 * of the overmap are dropped. */
static uint32_t shift_levels(uint32_t levels, int32_t by)
{
    if (by <= -32 || by >= 32)
        return 0;
    uint64_t wide = by >= 0 ? (uint64_t)levels << by : (uint64_t)levels >> -by;
    return (uint32_t)(wide & LEVELS_MASK);
}

/* ---- setting up ---- */

static bool amount_is_zero(const special_amount *a)
{
    switch (a->kind) {
    case PTL_AMOUNT_FIXED:
    case PTL_AMOUNT_RANGE:
        return a->low <= 0 && a->high <= 0;
    case PTL_AMOUNT_POISSON:
    case PTL_AMOUNT_CHANCE:
        return a->mean <= 0 && a->least <= 0;
    case PTL_AMOUNT_BINOMIAL:
        return (a->mean <= 0 || a->trials <= 0 || a->most == 0) && a->least <= 0;
    case PTL_AMOUNT_UNLIMITED:
        break;
    }
    return false;
}

/* Returns whether the rule can never be used, since its `max` or its weight is always 0. */
static bool reach_never_used(const special *sp, const special_rule *rule)
{
    if (rule->weight == 0 || amount_is_zero(&rule->max))
        return true;
    for (size_t i = 0; rule->scale && i < sp->shared_count; i++)
        if (strcmp(sp->shared[i].id, rule->scale) == 0)
            return rule->max.kind != PTL_AMOUNT_UNLIMITED &&
                   amount_is_zero(&sp->shared[i].amount);
    return false;
}

static void set_up_grounds(reach *r)
{
    const special *sp = r->sp;
    for (size_t i = 0; i < sp->piece_count; i++) {
        const special_list *own = &sp->pieces[i].locations;
        r->grounds[i] = check_new_bits(r->c);
        if (r->grounds[i])
            check_add_list(r->c, own->count ? own : &sp->locations, r->grounds[i]);
    }
    for (size_t i = 0; i < sp->join_count; i++) {
        const special_list *own = &sp->joins[i].into;
        r->into[i] = check_new_bits(r->c);
        if (r->into[i])
            check_add_list(r->c, own->count ? own : &sp->locations, r->into[i]);
    }
}

/* Allocates the arrays of `r`. False if the special is too large, or memory is out. */
static bool set_up(reach *r)
{
    import *im = r->c->im;
    const special *sp = r->sp;
    for (size_t i = 0; i < sp->phase_count; i++)
        r->rule_count += sp->phases[i].count;
    r->kinds = (sp->join_count + 1) * 4 * SPECIAL_SIDES;
    const size_t room = TABLE_MAX / (sp->phase_count + 1);
    if (r->kinds > room || r->rule_count > room ||
        (sp->piece_count + sp->join_count) * r->c->words > TABLE_MAX)
        return false;
    r->rules = import_alloc(im, r->rule_count + 1, sizeof *r->rules);
    r->open = import_alloc(im, r->kinds, sizeof *r->open);
    r->met = import_alloc(im, r->kinds * (sp->phase_count + 1), sizeof *r->met);
    r->cleared = import_alloc(im, r->kinds, sizeof *r->cleared);
    r->present = import_alloc(im, sp->join_count + 1, sizeof *r->present);
    r->grounds = import_alloc(im, sp->piece_count, sizeof(terrain_bits));
    r->into = import_alloc(im, sp->join_count + 1, sizeof(terrain_bits));
    if (import_ended(im))
        return false;
    set_up_grounds(r);
    if (!import_ended(im)) {
        rule_state *s = r->rules;
        for (size_t i = 0; i < sp->phase_count; i++)
            for (size_t k = 0; k < sp->phases[i].count; k++, s++) {
                const special_rule *rule = &sp->phases[i].rules[k];
                *s = (rule_state){.rule = rule, .phase = i, .index = k};
                s->opened = import_alloc(r->c->im, rule->piece_count * SPECIAL_SIDES,
                                         sizeof *s->opened);
                /* May the rule be used at all, and is there ground for each of its pieces? */
                s->active =
                    s->opened && rule->piece_count > 0 && !reach_never_used(r->sp, rule);
                for (size_t j = 0; s->active && j < rule->piece_count; j++) {
                    const special_piece *piece = rule->pieces[j].piece;
                    const uint64_t *ground =
                        piece ? r->grounds[reach_piece(r->sp, piece)] : NULL;
                    s->active = ground && bits_meet(r->c, ground, ground);
                }
            }
    }
    return !import_ended(im);
}

/* ---- opening joins ---- */

static void set_present(reach *r, const special_side *side)
{
    size_t join = reach_join(r->sp, side->join);
    r->changed = r->changed || !r->present[join];
    r->present[join] = true;
}

typedef enum open_mode { OPENED_BY_ROOT, OPENED_BY_RULE, OPENED_ALONE } open_mode;

/* Notes that a side of a piece may be open towards `direction` when the piece is on one of
 * `levels`. False if the side can't be left free there. */
static bool open_side(reach *r, const special_side *side, int direction, uint32_t levels,
                      open_mode mode)
{
    const bool root = mode == OPENED_BY_ROOT, hidden = mode == OPENED_ALONE;
    if (side->type != PTL_JOIN_MANDATORY && side->type != PTL_JOIN_OPTIONAL)
        return false;
    const bool mandatory = side->type == PTL_JOIN_MANDATORY;
    const size_t join = reach_join(r->sp, side->join);
    if (mandatory && !root && !bits_meet(r->c, r->into[join], r->into[join]))
        return false;
    levels = shift_levels(levels, special_side_steps[direction][2]);
    if (levels == 0 || hidden)
        return levels != 0;
    uint32_t *open = &r->open[reach_kind(join, mandatory, root, direction)];
    r->changed = r->changed || (levels & ~*open) != 0;
    *open |= levels;
    if (!mandatory)
        r->optional[direction] |= levels;
    return true;
}

/* Returns whether a side of a rule's piece leads out of the rule, that is, not to another piece
 * of the rule. `rotated` is the side after the piece's rotation in the rule. */
static bool leads_out(const special_rule *rule, const special_rule_piece *p, int rotated)
{
    const int32_t *step = special_side_steps[rotated];
    for (size_t i = 0; i < rule->piece_count; i++) {
        const int32_t *other = rule->pieces[i].pos;
        if (other[0] == p->pos[0] + step[0] && other[1] == p->pos[1] + step[1] &&
            other[2] == p->pos[2] + step[2])
            return false;
    }
    return true;
}

/* How a rule's pieces are attached to an open side: which side of which of the pieces meets it,
 * and in which rotation. */
typedef struct attachment {
    size_t piece;
    int side, rotation;
    uint32_t levels; /* the levels on which the piece with this side may be */
    bool closes;     /* the open side has a mandatory join, which the attached piece meets */
} attachment;

/* Returns whether the side has `rule->join`, the join that the rule must close when it is
 * placed. Such a side is never left free. */
static bool is_bound(const special_rule *rule, const special_side *side)
{
    return rule->join && side->join && strcmp(rule->join, side->join) == 0;
}

/* Opens the free sides of a rule that is placed. The attached side meets a piece that was there
 * before. Each other side of the rule's pieces that may stay free becomes an open side. */
static void place_rule(reach *r, rule_state *s, const attachment *a)
{
    const special_rule *rule = s->rule;
    const open_mode mode = rule == r->alone ? OPENED_ALONE : OPENED_BY_RULE;
    size_t needed = 0;
    s->reached = true;
    for (size_t i = 0; i < rule->piece_count; i++) {
        const special_rule_piece *p = &rule->pieces[i];
        uint32_t here = shift_levels(a->levels, p->pos[2] - rule->pieces[a->piece].pos[2]);
        for (int k = 0; k < SPECIAL_SIDES; k++) {
            const special_side *own = &p->piece->sides[k];
            const int rotated = special_rotate_side(k, p->rotation);
            if (!own->join)
                continue;
            work(r, r->sp->join_count + rule->piece_count);
            set_present(r, own);
            if ((i == a->piece && k == a->side) || !leads_out(rule, p, rotated))
                continue;
            needed += own->type == PTL_JOIN_MANDATORY;
            if (!is_bound(rule, own) &&
                open_side(r, own, special_rotate_side(rotated, a->rotation), here, mode))
                s->opened[i * SPECIAL_SIDES + (size_t)k] = true;
        }
    }
    s->finishes = s->finishes || (a->closes && needed == 0);
}

/* ---- meeting open joins ---- */

/* Returns whether a rule may be used on level z. Some heights count from the special's top or
 * bottom, which are not known here; it is only certain that one of its OMTs is on level 0. */
static bool level_fits(const special_height *h, int z)
{
    switch (h->kind) {
    case PTL_HEIGHT_ANY:
        break;
    case PTL_HEIGHT_RANGE:
        return z >= h->low && z <= h->high;
    case PTL_HEIGHT_TOP:
        return z >= 0;
    case PTL_HEIGHT_BOTTOM:
        return z <= 0;
    case PTL_HEIGHT_OFFSET:
        return (h->has_top && z - h->top >= 0 && z - h->top <= SPECIAL_LEVEL_MAX) ||
               (h->has_bottom && z - h->bottom <= 0 && z - h->bottom >= -SPECIAL_LEVEL_MAX);
    }
    return true;
}

/* Returns the levels at which the piece may be placed beside a piece with an open side that has
 * this join and leads towards `direction`. If that side is mandatory, it is marked as met by
 * the rule. */
static uint32_t meet_join(reach *r, rule_state *s, const special_piece *piece, size_t join,
                          int direction, uint32_t levels, bool reject)
{
    const uint64_t *ground = r->grounds[reach_piece(r->sp, piece)];
    uint32_t found = 0;
    for (int root = 0; root < 2; root++) {
        const size_t kind = reach_kind(join, true, root == 1, direction);
        uint32_t here = r->open[kind] & levels;
        if (!reject)
            found |= r->open[reach_kind(join, false, root == 1, direction)] & levels;
        if (here == 0)
            continue;
        work(r, r->c->words);
        if (root == 0 && !bits_meet(r->c, ground, r->into[join]))
            continue;
        found |= here;
        s->closes = true;
        r->met[s->phase * r->kinds + kind] |= here;
        if (s->clears)
            r->cleared[kind] |= here;
    }
    return found;
}

/* Returns the levels at which a side of the piece may meet open sides that lead towards
 * `direction`. */
static uint32_t meet_side(reach *r, rule_state *s, const special_piece *piece,
                          const special_side *side, int direction, uint32_t levels)
{
    const special *sp = r->sp;
    /* If neither side is mandatory, a side may stand beside an open side of another piece,
     * whether their joins match or not. */
    bool loose =
        !r->careful &&
        (!side->join || (side->type != PTL_JOIN_MANDATORY && !is_bound(s->rule, side)));
    uint32_t found = loose ? r->optional[direction] & levels : 0;
    if (!side->join)
        return found;
    const bool reject = side->type == PTL_JOIN_REJECT;
    work(r, (side->alternatives.count + 1) * sp->join_count);
    found |= meet_join(r, s, piece, opposite(sp, side->join), direction, levels, reject);
    for (size_t i = 0; i < side->alternatives.count; i++)
        found |= meet_join(r, s, piece, opposite(sp, side->alternatives.items[i]), direction,
                           levels, reject);
    return found;
}

/* Returns whether some piece that the growth can place has a side that fits this one: a side
 * with the opposite of its join, or with the opposite of one of its alternative joins. */
static bool side_can_be_resolved(const reach *r, const special_side *side)
{
    bool found = r->present[opposite(r->sp, side->join)];
    for (size_t i = 0; !found && i < side->alternatives.count; i++)
        found = r->present[opposite(r->sp, side->alternatives.items[i])];
    return found;
}

static bool join_can_be_resolved(const reach *r, const special_rule *rule)
{
    for (size_t i = 0; rule->join && i < rule->piece_count; i++)
        for (int k = 0; k < SPECIAL_SIDES; k++) {
            const special_rule_piece *p = &rule->pieces[i];
            const special_side *own = &p->piece->sides[k];
            if (is_bound(rule, own) &&
                leads_out(rule, p, special_rotate_side(k, p->rotation)) &&
                !side_can_be_resolved(r, own))
                return false;
        }
    return true;
}

/* Counts the sides of the rule's pieces that have a mandatory join and lead out of the rule;
 * the side `side` of the piece with the number `piece` is left out. */
static size_t other_needs(const special_rule *rule, size_t piece, int side)
{
    size_t count = 0;
    for (size_t i = 0; i < rule->piece_count; i++)
        for (int k = 0; k < SPECIAL_SIDES; k++) {
            const special_rule_piece *p = &rule->pieces[i];
            const special_side *own = &p->piece->sides[k];
            count += own->join && own->type == PTL_JOIN_MANDATORY &&
                     (i != piece || k != side) &&
                     leads_out(rule, p, special_rotate_side(k, p->rotation));
        }
    return count;
}

/* When growth puts a rule onto a cell, it chooses, of all ways to attach the rule there, one in
 * which as many mandatory joins of the rule as possible are met. So it never chooses the
 * attachment `a`, which leaves mandatory sides free, if the rule can be attached to the same
 * cell by another side with the same join without a free mandatory side. Returns whether it
 * can. */
static bool has_better(const reach *r, const special_rule *rule, const attachment *a)
{
    const special_rule_piece *p = &rule->pieces[a->piece];
    const char *join = p->piece->sides[a->side].join;
    const int rotated = special_rotate_side(a->side, p->rotation);
    const bool level = rotated < 4 && reach_rotations(r->sp, rule) == 4;
    for (size_t i = 0; join && i < rule->piece_count; i++)
        for (int k = 0; k < SPECIAL_SIDES; k++) {
            const special_rule_piece *q = &rule->pieces[i];
            const special_side *own = &q->piece->sides[k];
            const int other = special_rotate_side(k, q->rotation);
            if (own->join && own->type == PTL_JOIN_MANDATORY && strcmp(own->join, join) == 0 &&
                (level ? other < 4 : other == rotated) && leads_out(rule, q, other) &&
                other_needs(rule, i, k) == 0)
                return true;
        }
    return false;
}

static void try_piece(reach *r, rule_state *s, int rotation, size_t at, uint32_t levels)
{
    const special_rule_piece *p = &s->rule->pieces[at];
    for (int side = 0; side < SPECIAL_SIDES; side++) {
        const int rotated = special_rotate_side(side, p->rotation);
        if (!leads_out(s->rule, p, rotated))
            continue;
        attachment a = {.piece = at, .side = side, .rotation = rotation};
        const bool closed = s->closes;
        s->closes = false;
        s->clears = r->careful && s->rule->max.kind == PTL_AMOUNT_UNLIMITED &&
                    other_needs(s->rule, at, side) == 0;
        a.levels =
            meet_side(r, s, p->piece, &p->piece->sides[side],
                      special_facing_side(special_rotate_side(rotated, rotation)), levels);
        a.closes = s->closes;
        s->closes = closed || a.closes;
        if (a.levels &&
            !(r->careful && has_better(r, s->rule, &a) && other_needs(s->rule, at, side) > 0))
            place_rule(r, s, &a);
    }
}

static void try_rule(reach *r, rule_state *s)
{
    const special_rule *rule = s->rule;
    if (!s->active || !join_can_be_resolved(r, rule))
        return;
    for (size_t at = 0; at < rule->piece_count && r->work > 0; at++) {
        /* The rule is put down with its piece number `at` on a cell: finds the levels for that
         * cell at which the rule may be used, and at which all its other pieces are inside of
         * the overmap. */
        const special_rule_piece *p = &rule->pieces[at];
        uint32_t levels = 0;
        for (int z = -SPECIAL_LEVEL_MAX; z <= SPECIAL_LEVEL_MAX; z++)
            if (level_fits(&rule->height, z))
                levels |= UINT32_C(1) << (z + SPECIAL_LEVEL_MAX);
        for (size_t i = 0; i < rule->piece_count; i++)
            levels &= shift_levels(LEVELS_MASK, p->pos[2] - rule->pieces[i].pos[2]);
        const int rotations = levels ? reach_rotations(r->sp, rule) : 0;
        work(r, rule->piece_count * (1 + (size_t)rotations * SPECIAL_SIDES));
        for (int rotation = 0; rotation < rotations; rotation++)
            try_piece(r, s, rotation, at, levels);
    }
}

static bool run(reach *r)
{
    const size_t most = r->c->work < WORK_MAX ? r->c->work : WORK_MAX;
    r->work = most;
    if (!set_up(r))
        return false;
    const int rotations = r->sp->row.rotate ? 4 : 1;
    for (int side = 0; side < SPECIAL_SIDES; side++) {
        const special_side *s = &r->sp->root->sides[side];
        if (!s->join)
            continue;
        set_present(r, s);
        for (int rotation = 0; rotation < rotations; rotation++)
            open_side(r, s, special_rotate_side(side, rotation), GROUND_LEVEL, OPENED_BY_ROOT);
    }
    /* For each phase, tries all of its rules again and again, until no rule changes anything.
     */
    size_t first = 0;
    for (size_t phase = 0; phase < r->sp->phase_count; phase++) {
        size_t end = first + r->sp->phases[phase].count;
        do {
            r->changed = false;
            for (size_t i = first; i < end; i++)
                try_rule(r, &r->rules[i]);
        } while (r->changed && r->work > 0);
        for (size_t i = 0; i < r->kinds; i++)
            r->open[i] &= ~r->cleared[i];
        memset(r->cleared, 0, r->kinds * sizeof *r->cleared);
        first = end;
    }
    const bool sure = r->work > 0;
    r->c->work -= most - r->work;
    return sure;
}

/* Returns true if it is certain that the rule leaves the side free in some growth. `side` is an
 * index into rule_state.opened. */
static bool reach_leaves_free(const reach *r, const rule_state *s, size_t side)
{
    const special_amount *max = &s->rule->max;
    const bool numbered = max->kind == PTL_AMOUNT_FIXED || max->kind == PTL_AMOUNT_RANGE;
    const int64_t most = max->low > max->high ? max->low : max->high;
    const bool once =
        !s->rule->scale && (max->kind == PTL_AMOUNT_CHANCE || (numbered && most <= 1) ||
                            (max->kind == PTL_AMOUNT_BINOMIAL && max->trials <= 1));
    reach again = {.c = r->c, .sp = r->sp, .careful = true, .alone = once ? s->rule : NULL};
    return run(&again) && again.rules[s - r->rules].opened[side];
}

/* Was the rule already reported as unusable when it was read? */
static bool warned_of(const special_rule *rule)
{
    if (rule->height.kind == PTL_HEIGHT_RANGE && rule->height.low > rule->height.high)
        return true;
    for (size_t i = 0; rule->join && i < rule->piece_count; i++)
        for (int k = 0; rule->pieces[i].piece && k < SPECIAL_SIDES; k++) {
            const char *join = rule->pieces[i].piece->sides[k].join;
            if (join && strcmp(join, rule->join) == 0)
                return false;
        }
    return rule->join != NULL;
}

static field side_field(reach *r, const special_piece *piece, int side)
{
    return field_key(field_key(special_field(r->c->im, r->sp, "overmaps"), piece->id),
                     special_side_names[side]);
}

/* Returns whether an open side of this kind, which exists in the given phase, can be met in
 * that phase or a later one, on any level. */
static bool can_be_met(const reach *r, size_t kind, size_t phase)
{
    for (size_t p = phase; p < r->sp->phase_count; p++)
        if (r->met[p * r->kinds + kind])
            return true;
    return false;
}

static void report_root(reach *r)
{
    const special_piece *root = r->sp->root;
    for (int side = 0; side < SPECIAL_SIDES; side++) {
        const special_side *s = &root->sides[side];
        bool met = false;
        if (!s->join || s->type != PTL_JOIN_MANDATORY)
            continue;
        const size_t join = reach_join(r->sp, s->join);
        for (int rotation = 0; rotation < (r->sp->row.rotate ? 4 : 1) && !met; rotation++)
            met = can_be_met(
                r, reach_kind(join, true, true, special_rotate_side(side, rotation)), 0);
        r->never = r->never || !met;
        if (!met)
            field_warning(side_field(r, root, side), MU105,
                          "no rule can close join '%s' on the root's %s side: the special can "
                          "never be placed",
                          s->join, special_side_names[side]);
    }
}

/* Returns true if no rule can ever put a piece at this free side of the rule's piece, so that
 * the side's join stays open. */
static bool stays_open(const reach *r, const rule_state *s, const special_rule_piece *p,
                       int side)
{
    const size_t join = reach_join(r->sp, p->piece->sides[side].join);
    for (int rotation = 0; rotation < reach_rotations(r->sp, s->rule); rotation++) {
        int direction = special_rotate_side(special_rotate_side(side, p->rotation), rotation);
        if (can_be_met(r, reach_kind(join, true, false, direction), s->phase))
            return false;
    }
    return true;
}

/* Reports mandatory sides that a rule leaves free and that no rule can close afterwards: each
 * side of a piece once, for the first such rule. */
static void report_open(reach *r)
{
    const special *sp = r->sp;
    bool *named = import_alloc(r->c->im, sp->piece_count * SPECIAL_SIDES, sizeof *named);
    for (size_t i = 0; named && i < r->rule_count; i++) {
        const rule_state *s = &r->rules[i];
        for (size_t k = 0; s->reached && k < s->rule->piece_count * SPECIAL_SIDES; k++) {
            const special_rule_piece *p = &s->rule->pieces[k / SPECIAL_SIDES];
            const int side = (int)(k % SPECIAL_SIDES);
            const special_side *own = &p->piece->sides[side];
            bool *done = &named[reach_piece(sp, p->piece) * SPECIAL_SIDES + (size_t)side];
            if (*done || !s->opened[k] || own->type != PTL_JOIN_MANDATORY ||
                !stays_open(r, s, p, side))
                continue;
            *done = true;
            if (!reach_leaves_free(r, s, k))
                continue;
            field_warning(side_field(r, p->piece, side), MU106,
                          "where phase %zu (from 0) leaves this side of '%s' free, no rule of "
                          "it or later can close join '%s': the growth fails",
                          s->phase, p->piece->id, own->join);
        }
    }
}

/* Warns if in the last phase every rule that closes a mandatory join opens another one. */
static void report_endless(reach *r)
{
    const size_t last = r->sp->phase_count - 1;
    bool closes = false, finishes = false;
    for (size_t i = 0; i < r->rule_count; i++) {
        const rule_state *s = &r->rules[i];
        closes = closes || (s->phase == last && s->reached && s->closes);
        finishes = finishes || (s->phase == last && s->reached && s->finishes);
    }
    if (!closes || finishes)
        return;
    field_warning(field_at(special_field(r->c->im, r->sp, "phases"), last), MU106,
                  "every rule of the last phase that closes a mandatory join opens another "
                  "one: the growth can end only where its branches meet");
}

/* Reports what was found: rules that are never reached, pieces that no rule places, joins that
 * no rule closes, a last phase without an end. */
static void reach_report(reach *r)
{
    const special *sp = r->sp;
    bool *used = import_alloc(r->c->im, sp->piece_count, sizeof *used);
    if (used) {
        used[reach_piece(sp, sp->root)] = true;
        for (size_t i = 0; i < r->rule_count; i++)
            for (size_t k = 0; k < r->rules[i].rule->piece_count; k++)
                if (r->rules[i].rule->pieces[k].piece)
                    used[reach_piece(sp, r->rules[i].rule->pieces[k].piece)] = true;
        field all = special_field(r->c->im, r->sp, "overmaps");
        for (size_t i = 0; i < sp->piece_count; i++) {
            if (used[i])
                continue;
            field_warning(field_key(all, sp->pieces[i].id), MU104,
                          "no rule places '%s', nor is it the root", sp->pieces[i].id);
        }
    }
    field phases = special_field(r->c->im, r->sp, "phases");
    for (size_t i = 0; i < r->rule_count; i++) {
        const rule_state *s = &r->rules[i];
        if (s->reached || s->rule->piece_count == 0 || warned_of(s->rule))
            continue;
        field phase = field_at(phases, s->phase);
        field f = field_at(phase, s->index);
        if (reach_never_used(r->sp, s->rule))
            field_warning(f, MU103,
                          "the rule's number or weight is always 0: it is never used");
        else if (s->active)
            field_warning(f, MU103,
                          "no join that can be open in this phase is met by the rule: it is "
                          "never used");
    }
    report_root(r);
    report_open(r);
    if (r->sp->phase_count > 0)
        report_endless(r);
}

void check_growth(static_check *c, special *sp)
{
    reach r = {.c = c, .sp = sp};
    if (!sp->root || !run(&r))
        return;
    reach_report(&r);
    const size_t most = c->work < WORK_MAX ? c->work : WORK_MAX;
    r.work = most;
    if (!r.never)
        check_levels(&r);
    c->work -= most - r.work;
}
