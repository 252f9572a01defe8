/*
 * The static check of a mutable special's growth: which joins can be open, and which rules can
 * meet them. special_check_growth.c computes that, special_check_growth.c reports problems.
 */
#pragma once

#include "content/special/special_check_ground.h"

/* What the check knows of a rule. */
typedef struct rule_state {
    const special_rule *rule;
    size_t phase, index;
    bool active, reached;
    bool closes;   /* it can meet a mandatory join */
    bool finishes; /* and may then open no other one */
    /* By piece and side: whether the side may be left free. */
    bool *opened;
    /* With reach.careful: the side that is tried closes everything that it can meet. */
    bool clears;
} rule_state;

typedef struct reach {
    static_check *c;
    special *sp;
    rule_state *rules; /* sorted by phase and rule */
    size_t rule_count;
    /* open: by kind, the levels at which such a side may be open. met: by phase and kind,
     * the levels at which it may be met. */
    uint32_t *open, *met;
    /* By kind, the levels at which none is open any more when the phase ends. */
    uint32_t *cleared;
    size_t kinds;
    bool *present;                    /* joins that a side of some placed piece can have */
    uint32_t optional[SPECIAL_SIDES]; /* by direction, the levels of optional joins that may be
                                         open */
    terrain_bits *grounds, *into;     /* terrains of each piece, and of each join */
    /* The search then finds less than can really happen; otherwise it finds more. */
    bool careful;
    /* A rule that is used only once, so it can't meet what it opens itself. */
    const special_rule *alone;
    bool changed;
    bool never;  /* "can never be placed" was reported */
    size_t work; /* work left for this special */
} reach;

/*
 * Numbers the kinds of open sides: by the join, whether it is mandatory, whether the root
 * opened it (then the neighbour's ground was not checked), and the direction to the neighbour.
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

/* Returns in how many rotations the rule may be used: 4, or 1. */
static inline int reach_rotations(const special *sp, const special_rule *rule)
{
    return (rule->rotate < 0 ? sp->row.rotate : rule->rotate > 0) ? 4 : 1;
}

/* special_check_levels.c: reports joins that lead to a level where no region has ground for
 * what meets them. */
void check_levels(reach *r);
