/*
 * The static check of a mutable special's growth: which joins can be open, and which rules can
 * meet them. special_check_growth.c finds it out, special_check_report.c says what is wrong.
 */
#ifndef CONTENT_SPECIAL_SPECIAL_CHECK_GROWTH_H
#define CONTENT_SPECIAL_SPECIAL_CHECK_GROWTH_H

#include "content/special/special_check.h"

/* A rule as the check sees it. */
typedef struct rule_state {
    const special_rule *rule;
    size_t phase, index;
    bool active, reached;
    bool closes;   /* it meets a mandatory join */
    bool finishes; /* and may do so without opening another */
    bool *opened;  /* by piece and side: it may be left free */
    bool clears;   /* the side that is tried closes all that it can meet: reach.careful */
} rule_state;

typedef struct reach {
    static_check *c;
    special *sp;
    rule_state *rules; /* in order of phase and rule */
    size_t rule_count;
    /* The levels, by kind, at which such a side may be open, or (by phase and kind) may be
     * met. */
    uint32_t *open, *met;
    uint32_t *cleared; /* by kind: none is open any more when the phase ends */
    size_t kinds;
    bool *present;                    /* joins that some tile's side can have */
    uint32_t optional[SPECIAL_SIDES]; /* levels of any optional join, by direction */
    terrain_bits *grounds, *into;     /* of pieces, of joins */
    bool careful;                     /* find less than can really happen, instead of more */
    const special_rule *alone;        /* it is used once, so that it can't meet what it opens */
    bool changed;
    bool never;  /* it was said that the special can never be placed */
    size_t work; /* left */
} reach;

/*
 * Numbers a kind of open side by its join, whether it must be met, whether the root opened it
 * (then its neighbour's ground was not looked at), and the direction that leads to the
 * neighbour.
 */
static inline size_t reach_kind(size_t join, bool mandatory, bool root, int direction)
{
    return ((join * 2 + mandatory) * 2 + root) * SPECIAL_SIDES + (size_t)direction;
}

static inline size_t reach_join(const special *sp, const char *id)
{
    return (size_t)(special_join_find(sp, id) - sp->joins);
}

static inline size_t reach_piece(const special *sp, const special_piece *piece)
{
    return (size_t)(piece - sp->pieces);
}

static inline int reach_rotations(const special *sp, const special_rule *rule)
{
    return (rule->rotate < 0 ? sp->row.rotate : rule->rotate > 0) ? 4 : 1;
}

/* Does the rule really come to leave the side (index into `opened`) free? */
bool reach_leaves_free(const reach *r, const rule_state *s, size_t side);
/* Its number or its weight is always 0. */
bool reach_never_used(const special *sp, const special_rule *rule);

void reach_report(reach *r);

/* special_check_levels.c: joins that lead where no region has ground for what meets them. */
void check_levels(reach *r);

#endif
