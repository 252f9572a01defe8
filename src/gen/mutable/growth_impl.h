/*
 * The state of a growth. An OMT is a cell that has a piece of the special, or a demand for
 * one; the chunk's own cells are only looked up for the ground. A piece may replace an earlier
 * one if that one's terrain is ground for it (content lays craters over each other). Joins
 * that were met then stay met, and sides on which the new piece has no join stay as they are.
 * Sides are 0..5 as in cat_piece, in world directions. Each side of an OMT without a piece may
 * hold a demand: what comes here needs this join on that side.
 */
#pragma once

#include "gen/mutable/growth.h"
#include "gen/sites/sites.h"

#include <string.h>

enum {
    GROWTH_MARGIN = 1, /* cells along the border in which no piece may lie */
    GROWTH_OMTS_MAX = GROWTH_PIECES_MAX * (PTL_SIDES + 1),
    GROWTH_SIDE_BITS = 3,  /* bits of the side, for a demand in a list */
    GROWTH_CELL_BITS = 15, /* bits of a cell of a level */
    GROWTH_NO_OMT = -1,
    GROWTH_NO_JOIN = -1
};

/* What a side of a cell faces: the join of a piece, or one of these. */
enum { GROWTH_FACES_NOTHING = -1, GROWTH_FACES_BORDER = -2 };

typedef struct growth_facing {
    int16_t join;
    uint8_t type; /* type of the join; 0 where there is none */
    bool choice;  /* the side has alternatives (facings with equal bytes are equal) */
} growth_facing;

/* An OMT of a growth. A piece has an OMT beside it on every side on which it has a join. So an
 * OMT records all that its cell faces, and a cell without an OMT faces no join. A side has at
 * most one demand, which the piece beyond it brought. */
typedef struct growth_omt {
    _Alignas(16) growth_facing faces[PTL_SIDES];
    int16_t demand[PTL_SIDES]; /* by side: the join demanded, if asked */
    uint16_t slot[PTL_SIDES];  /* by side: an open demand's place in the list of its join */
    int16_t x, y;
    int8_t z;
    uint8_t mandatory; /* bit s: the demand on side s is mandatory */
    uint8_t asked;     /* bit s: there is a demand on side s */
    bool postponed;
    bool used; /* is or was demanded, or has a piece: it is in growth.used */
} growth_omt;
_Static_assert(sizeof(growth_omt) == 64, "numbers of OMTs become places by a shift");

/* The sides of pieces that have alternatives, by the OMT's side; undefined for other
 * sides. */
typedef struct growth_brought {
    const cat_side *sides[PTL_SIDES];
} growth_brought;

/* All memory that pieces need. It is large, but the system provides only what is touched. */
typedef struct growth_stock {
    growth_omt omts[GROWTH_OMTS_MAX];
    growth_brought brought[GROWTH_OMTS_MAX]; /* by OMT */
    uint32_t cells[GROWTH_OMTS_MAX];         /* by OMT: level << GROWTH_CELL_BITS | cell */
    gen_join joins[2 * PTL_SIDES * GROWTH_PIECES_MAX]; /* both sides of each meeting */
    gen_piece pieces[GROWTH_PIECES_MAX];
    ptl_oter before[GROWTH_PIECES_MAX]; /* by piece: the oter that it replaced */
    uint16_t used[GROWTH_OMTS_MAX];     /* OMTs in the order in which they came into use */
} growth_stock;
_Static_assert((int)SIZE *SIZE <= 1 << GROWTH_CELL_BITS, "a cell of a level has its bits");

/* The open demands for one join. An entry is OMT << GROWTH_SIDE_BITS | side. */
typedef struct growth_list {
    int32_t *demands;
    size_t count, room;
} growth_list;

/* One way of placing a rule: its origin and rotation. */
typedef struct growth_option {
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
} growth_option;

/* A cell of a trial's ground that was changed to satisfy a check. */
typedef struct growth_patch {
    int32_t z, cell;
    ptl_oter before;
} growth_patch;

/* A side of a rotated piece that has a join, and what it means for the cell beyond it. */
typedef struct growth_arm {
    const cat_side *use;
    growth_facing faced; /* what the cell beyond faces there */
    int16_t wanted;      /* the join wanted beyond: the opposite of use's */
    int16_t met;         /* the join by which this side meets it: wanted's opposite */
    uint16_t answer;     /* the opposite of `met`: the join on the side beyond */
    int16_t step;        /* offset of the cell beyond, if it is on the same level */
    int8_t dx, dy, dz;
    uint8_t side, back;    /* the side, and the facing side of the cell beyond */
    uint8_t bit, back_bit; /* 1 << side and 1 << back */
    uint8_t asked;         /* back_bit if something is asked of the cell beyond, else 0 */
    uint8_t mandatory;     /* back_bit if that is mandatory, else 0 */
} growth_arm;

/* The arms of a rotated piece in order of sides, so that those on its own level come first;
 * and the piece's oter. */
typedef struct growth_arms {
    growth_arm list[PTL_SIDES];
    int32_t count;
    ptl_oter oter;
} growth_arms;

/* A piece of a rule, as it lies when the rule is rotated. */
typedef struct growth_form {
    const cat_piece *piece;
    uint32_t at;      /* index among the rule's pieces */
    int32_t x, y;     /* offset from the rule's origin */
    int8_t z;         /* offset as well */
    uint8_t rotation; /* rotation of the piece in the world */
    uint8_t turned;   /* rotation of the rule */
    uint8_t open;     /* open sides: their joins lead out of the rule; world's sides */
} growth_form;

/* The ways of a phase's rules, as far as content alone decides. */
typedef struct growth_ways {
    size_t *first;      /* by rule: its first way; then the number of all ways */
    growth_form *forms; /* by way: the piece that comes to the OMT */
} growth_ways;

/* growth_ways.c: what growths of a special need of its content, made when first needed. */
typedef struct growth_plan {
    growth_arms *arms; /* by piece * 4 + rotation */
    growth_ways *ways; /* by phase; NULL: not made yet */
} growth_plan;

/* A rule in the lottery for an OMT. */
typedef struct growth_entry {
    size_t rule, first, count; /* its options are first .. first + count - 1 */
    int32_t weight;
} growth_entry;

struct growth {
    const cat_mutable *layout;
    rng random;
    uint16_t number;                    /* number of the special */
    const site_bits *owned[PTL_LEVELS]; /* cells of other specials; NULL: none */
    uint16_t *spots[PTL_LEVELS];        /* OMT + 1 at y * SIZE + x; NULL until it is needed */
    growth_stock *stock;                /* NULL: nothing has grown yet */
    growth_list *open;                  /* by join: its open demands */
    int32_t *left; /* by rule of the phase: how often it may still be used */
    int32_t *shared;
    growth_plan *plans;      /* by special */
    const growth_arms *arms; /* by piece * 4 + rotation */
    const growth_ways *ways; /* the ways of the phase */
    growth_option *options;
    growth_entry *entries;
    growth_patch *patches;
    uint64_t *grounds; /* for trials: growth_grounds by level, then a scratch set; or NULL */
    size_t omt_count, used_count, piece_count, join_count, open_count, option_count;
    size_t entry_count, list_room, left_room, shared_room;
    size_t option_room, entry_room, patch_count, patch_room;
    size_t phase, rule; /* the phase and rule in work */
    int8_t z_min, z_max;
    bool broken; /* a mandatory join of a placed piece can never be met; see open_* */
    bool full;   /* more than GROWTH_PIECES_MAX pieces */
    bool costly; /* too much work was done */
    bool nomem;
    uint64_t chunk_work, *special_work; /* work of all growths in the chunk; by special */
    uint64_t *undone_work;              /* by special: work of its undone growths */
    size_t special_count;
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
};

/* The undone work of a special that can't succeed in the chunk. */
#define GROWTH_WORK_NO_GROUND UINT64_MAX

/* Counts work. False if the growth is over, because it took too much or the chunk is given
 * up. */
static inline bool growth_spend(generator *g, growth *w, uint64_t units)
{
    uint64_t *own = &w->special_work[w->number];
    *own += units;
    w->chunk_work += units;
    w->costly = *own > GROWTH_WORK_SPECIAL || w->chunk_work > GROWTH_WORK_CHUNK;
    if (w->costly)
        return false;
    w->nomem = w->nomem || !work_on(g, (uint32_t)units); /* nomem is also set when the chunk
                                                          * was stopped; it is lost either
                                                          * way */
    return !w->nomem;
}

/* Makes room for `count` entries of `size` bytes and keeps the contents. False when memory is
 * out. */
bool growth_room(void *list, size_t *room, size_t count, size_t size);

/* May a piece of the growth lie in the cell? Not in the margin along the border. */
static inline bool growth_inside(int32_t x, int32_t y, int32_t z)
{
    return x >= GROWTH_MARGIN && x < SIZE - GROWTH_MARGIN && y >= GROWTH_MARGIN &&
           y < SIZE - GROWTH_MARGIN && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

/* Returns the side that faces this one from the cell beyond it. */
static inline int growth_opposite(int side)
{
    return side < 4 ? (side + 2) % 4 : side == CAT_ABOVE ? CAT_BELOW : CAT_ABOVE;
}

/* Returns the side of a piece, rotated by `rotation`, that lies on this side of the world. */
static inline const cat_side *growth_piece_side(const cat_piece *piece, int rotation, int side)
{
    return &piece->sides[side < 4 ? (side - rotation) & 3 : side];
}

static inline const cat_side *growth_form_side(const growth_form *f, int side)
{
    return growth_piece_side(f->piece, f->rotation, side);
}

/* Moves the coordinates to the cell beyond a side. */
static inline void growth_beyond(int side, int32_t *x, int32_t *y, int32_t *z)
{
    static const int8_t STEPS[PTL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                               {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    *x += STEPS[side][0];
    *y += STEPS[side][1];
    *z += STEPS[side][2];
}

/* May a side that is placed now meet a join that is there, by its own join or by one of its
 * alternatives? */
static inline bool growth_meets(const cat_mutable *layout, const cat_side *side, int16_t facing)
{
    bool meets = layout->joins[side->join].opposite == facing;
    for (int i = 0; i < side->alternative_count && !meets; i++)
        meets = layout->joins[side->alternatives[i]].opposite == facing;
    return meets;
}

/* ---- growth_demand.c: OMTs and demands ---- */

/* Returns the OMT at a cell; GROWTH_NO_OMT if there is none. */
static inline int32_t growth_omt_at(const growth *w, int32_t x, int32_t y, int32_t z)
{
    const uint16_t *spots = w->spots[z - PTL_Z_MIN];
    return spots ? (int32_t)spots[y * SIZE + x] - 1 : GROWTH_NO_OMT;
}
/* Sets what a cell faces if no piece beside it has a join towards it: nothing, or the
 * border. */
void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z);
/* Makes an OMT at a cell that has none; GROWTH_NO_OMT when memory is out. */
int32_t growth_omt_new(growth *w, int32_t x, int32_t y, int32_t z);
/* Adds an OMT to the list of used ones, if it is not there yet. */
static inline void growth_use_omt(growth *w, int32_t omt, growth_omt *t)
{
    if (t->used)
        return;
    t->used = true;
    w->stock->used[w->used_count++] = (uint16_t)omt;
}
/* The next two keep the list of open demands of each join. Removing a demand moves the list's
 * last one into its place. */
static inline void growth_list_demand(growth *w, int32_t omt, growth_omt *t, int side)
{
    growth_list *list = &w->open[t->demand[side]];
    const size_t count = list->count;
    if (!growth_room(&list->demands, &list->room, count + 1, sizeof *list->demands)) {
        w->nomem = true;
        return;
    }
    t->slot[side] = (uint16_t)count;
    list->demands[count] = omt << GROWTH_SIDE_BITS | side;
    list->count = count + 1;
    w->open_count++;
}
_Static_assert((int)GROWTH_PIECES_MAX *PTL_SIDES <= (int)UINT16_MAX,
               "a list's places have 16 bits: no more sides than these bring demands");
static inline void growth_unlist_demand(growth *w, const growth_omt *t, int side)
{
    growth_list *list = &w->open[t->demand[side]];
    const uint16_t slot = t->slot[side];
    const size_t count = list->count - 1;
    const int32_t last = list->demands[count];
    list->count = count;
    list->demands[slot] = last;
    w->stock->omts[last >> GROWTH_SIDE_BITS].slot[last & ((1 << GROWTH_SIDE_BITS) - 1)] = slot;
    w->open_count--;
}
/* Removes the demand on a side, if there is one. */
static inline void growth_demand_remove(growth *w, growth_omt *t, int side)
{
    const unsigned bit = 1u << side;
    if (!(t->asked & bit))
        return;
    if (!t->postponed)
        growth_unlist_demand(w, t, side);
    t->asked = (uint8_t)(t->asked & ~bit);
    t->mandatory = (uint8_t)(t->mandatory & ~bit);
}
/* Puts the demand of an arm on the OMT beyond it. The arm must ask for something. */
static inline void growth_demand_add(growth *w, int32_t omt, growth_omt *t,
                                     const growth_arm *arm)
{
    growth_use_omt(w, omt, t);
    growth_demand_remove(w, t, arm->back); /* from a piece that another one now covers */
    t->demand[arm->back] = arm->wanted;
    t->asked |= arm->asked;
    t->mandatory |= arm->mandatory;
    growth_list_demand(w, omt, t, arm->back);
}
/* Set all demands of an OMT aside (postpone), and open them again (take up). */
void growth_postpone(growth *w, int32_t omt);
void growth_take_up(growth *w, int32_t omt);
/* Opens the demands of an OMT again, if they were set aside; growth_restore_all does so for
 * all OMTs. */
static inline void growth_restore(growth *w, int32_t omt)
{
    if (w->stock->omts[omt].postponed)
        growth_take_up(w, omt);
}
void growth_restore_all(growth *w);
/* Returns an OMT with an open demand; open_count must be above 0. */
int32_t growth_pick(growth *w);
/* Forgets all OMTs and demands. */
void growth_clear(growth *w);

/* Draws the numbers of uses that the special's rules share. False when memory is out. */
bool growth_share(growth *w);
/* Enters phase w->phase. False when memory is out or the phase is too costly. */
bool growth_enter(generator *g, growth *w);
/* Returns the weight with which the rule is drawn now; 0: never. */
static inline int32_t growth_weight(const growth *w, size_t rule)
{
    const int32_t weight = w->layout->phases[w->phase].rules[rule].weight; /* < 0: unlimited */
    return weight >= 0 && weight < w->left[rule] ? weight : w->left[rule];
}
/* Is there no rule left in the phase that may be used? */
static inline bool growth_exhausted(const growth *w)
{
    /* No work is counted here: growth_satisfy examines the same rules and counts them. */
    for (size_t i = 0; i < w->layout->phases[w->phase].rule_count; i++)
        if (growth_weight(w, i) > 0)
            return false;
    return true;
}
/* Does the rule's `z` accept an OMT at this level? */
bool growth_height_is(const growth *w, const ptl_height *height, int32_t z);
static inline bool growth_height(const growth *w, const ptl_height *height, int32_t z)
{
    return height->kind == PTL_HEIGHT_ANY || growth_height_is(w, height, z);
}

/* ---- growth_ways.c ---- */

/* Returns the plan of the special in work; NULL when memory is out (g->failed). */
const growth_plan *growth_plan_of(generator *g, growth *w);

/* Rotates a mask of sides. */
static inline unsigned growth_rotate_sides(unsigned sides, int rotation)
{
    const unsigned flat = sides & 15u, up = sides & ~15u;
    return ((flat << rotation | flat >> (4 - rotation)) & 15u) | up;
}

/* ---- growth_match.c: what fits on an OMT ---- */

/* Chooses a rule of the phase and a way of placing it on the OMT. False if none fits, if it
 * is too costly, or if memory is out (w->nomem). */
bool growth_satisfy(generator *g, growth *w, int32_t omt, size_t *rule, growth_option *option);
/* Does the ground beyond one of the root's arms allow its join to lead there? */
bool growth_may_lead(const generator *g, const growth *w, const growth_arm *arm, int32_t x,
                     int32_t y, int32_t z);

/* ---- growth_phase.c ---- */

/* Could any growth of the special succeed in the chunk? False: no growth whose root is at z =
 * 0 could, for lack of ground; or memory is out (g->failed). */
bool growth_has_hope(generator *g, uint16_t special);

/* ---- growth.c ---- */

/* Grows with a stream of its own, keyed by `key`. What stands on the chunk afterwards can be
 * taken back by growth_undo. */
growth_result growth_run(generator *g, const growth_site *site, uint64_t key, grown *out);
/* Restores the chunk as it was before the last growth_run. */
void growth_undo(generator *g);
