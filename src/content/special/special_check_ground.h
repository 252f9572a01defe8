/*
 * What the files of the static check of specials share: sets of terrain types, and the state of
 * the check. The check reports only what is certain for every ground and every random draw;
 * where it can't be certain, it reports nothing.
 */
#pragma once

#include "content/special/special.h"
#include "content/types/terrain.h"

/* A set of terrain types: bit t % 64 of word t / 64. */
typedef uint64_t *terrain_bits;

typedef struct static_check {
    import *im;
    size_t words; /* number of 64-bit words in a set */
    /* For each location, by its location_number, the terrains that satisfy it; NULL: not
     * computed yet. */
    terrain_bits *locations;
    /* Default terrains of the levels above ([0]) and below the ground ([1]); NULL: none. */
    terrain_bits levels[2];
    /* Terrain that the levels above ([0]) and below the ground ([1]) have if no region states
     * it; NULL: the content lacks it. */
    const char *level_names[2];
    /* Terrains that may lie below, on and above the ground before specials are placed; NULL:
     * not computed yet. */
    terrain_bits made[3];
    /* Two sets of terrains for intermediate results, which any function may overwrite. */
    terrain_bits scratch[2];
    size_t work; /* steps that check_growth may still take for all further specials */
    bool has_lake, has_river; /* some terrain type has the flag of lakes, or of rivers */
    /* The number of specials that can stand somewhere only because a level's default terrain
     * counts as fitting every location. */
    size_t relying;
    special *first_relying;
    const special_omt *first_omt;
} static_check;

/* ---- special_check_ground.c: sets of terrain types, and the ground of specials ---- */
/* Returns an empty set; NULL when memory is out, which the import remembers. */
terrain_bits check_new_bits(static_check *c);
/* Adds the id's terrain type to a set, if the content defines such a type. */
void check_add_type(const static_check *c, terrain_bits to, const char *id);
void bits_add(const static_check *c, terrain_bits to, const uint64_t *from);
/* Have two sets a terrain type in common? */
bool bits_meet(const static_check *c, const uint64_t *a, const uint64_t *b);
/* Adds the terrains that satisfy any of the locations to a set. */
void check_add_list(static_check *c, const special_list *list, terrain_bits to);
/* Returns the special's JSON member that says which terrain must lie where before growth
 * starts. */
field checks_field(static_check *c, special *sp);

/* special_check_growth.c: checks joins, rules and phases of a mutable special. */
void check_growth(static_check *c, special *sp);

/* ---- special_check_growth.c: which joins of a mutable special can be open, and which rules
 * can meet them ---- */

/* What was found out about one rule of a mutable special. */
typedef struct rule_state {
    const special_rule *rule;
    size_t phase, index;
    bool active, reached;
    bool closes; /* the rule can meet a mandatory join */
    /* The rule can be put at a mandatory join and leave no mandatory join of its own open. */
    bool finishes;
    /* For each side of each of the rule's pieces: may the side be left free? */
    bool *opened;
    /* Used if reach.careful is true. The search puts the rule at open sides of earlier pieces
     * by one of its own sides after the other, and sets this anew for each of them. True: by
     * this side, the rule can be put at every open side that it can meet, so it closes them
     * all. */
    bool clears;
} rule_state;

typedef struct reach {
    static_check *c;
    special *sp;
    rule_state *rules; /* the rules of all phases, in their order */
    size_t rule_count;
    /*
     * `open` has, for each kind of open sides (reach_kind), the levels at which growth may have
     * such sides. `met` has, for each phase and kind, the levels at which some rule can put a
     * piece at such a side.
     */
    uint32_t *open, *met;
    /* For each kind of open sides (reach_kind), the levels at which all sides of the kind are
     * closed when the phase ends. */
    uint32_t *cleared;
    size_t kinds;
    /* Indexed by a join's number: can a side of some placed piece have this join? */
    bool *present;
    /* For each direction, the levels at which optional joins may be open towards it. */
    uint32_t optional[SPECIAL_SIDES];
    /* grounds: for each piece, the terrains on which it may lie. into: for each join, the
     * terrains that may lie on the OMT to which it points. */
    terrain_bits *grounds, *into;
    /* True: the search for joins that can be open must find only what is certainly
     * possible, and may miss some of it. False: it must find all that is possible, and may find
     * more. */
    bool careful;
    /* Set while the search is about a rule that is used only once: it can't meet joins that it
     * opens itself. */
    const special_rule *alone;
    bool changed;
    bool never;  /* "can never be placed" was reported for this special */
    size_t work; /* steps that may still be taken for this special */
} reach;

/*
 * Open sides of placed pieces are sorted into kinds, and this returns the number of a kind. The
 * kind depends on the join, whether it is mandatory, whether the root (the first piece of a
 * growth) opened it, and the direction to the neighbour. The root matters because growth does
 * not check the ground of the root's neighbours.
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
 * any piece that can meet them. */
void check_levels(reach *r);
