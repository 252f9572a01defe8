/*
 * Reports what the static check of a mutable special has found: rules that are never reached,
 * pieces that nothing places, joins that nothing closes, a last phase without an end.
 */
#include "content/special/special_check_growth.h"

#include <string.h>

static field side_field(reach *r, const special_piece *piece, int side)
{
    return field_key(field_key(special_field(r->c->im, r->sp, "overmaps"), piece->id),
                     special_side_names[side]);
}

/* Was the rule's problem reported when it was read? */
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

/* Can a side that was opened in this phase be met in it or a later one, on any level? */
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
            field_warning(side_field(r, root, side),
                          "no rule can close join '%s' on the root's %s side: the special can "
                          "never be placed",
                          s->join, special_side_names[side]);
    }
}

/* If the rule leaves the side free, can no rule meet it? */
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

/* Reports sides that stay open: each side of a piece once, for the first rule that may
 * leave it free. */
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
            field_warning(side_field(r, p->piece, side),
                          "where phase %zu (from 0) leaves this side of '%s' free, no rule of "
                          "it or later can close join '%s': the growth fails",
                          s->phase, p->piece->id, own->join);
        }
    }
}

/* Reports a last phase in which every rule that closes a mandatory join opens another one. */
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
    field_warning(field_at(special_field(r->c->im, r->sp, "phases"), last),
                  "every rule of the last phase that closes a mandatory join opens another "
                  "one: the growth can end only where its branches meet");
}

void reach_report(reach *r)
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
            field_warning(field_key(all, sp->pieces[i].id),
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
            field_warning(f, "the rule's number or weight is always 0: it is never used");
        else if (s->active)
            field_warning(f, "no join that can be open in this phase is met by the rule: it is "
                             "never used");
    }
    report_root(r);
    report_open(r);
    if (r->sp->phase_count > 0)
        report_endless(r);
}
