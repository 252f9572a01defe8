/*
 * The state of a growth. In this folder an OMT is a cell about which the growth keeps data: a
 * cell that has a piece of the special, or one beside such a cell. A piece may replace an
 * earlier piece if it may be placed on that piece's terrain (content lays craters over each
 * other). Then the joins that the earlier piece had met still count as met, and sides on which
 * the new piece has no join are not changed.
 * Sides are numbered 0..5 as in cat_piece, in directions of the
 * world. Each side of an OMT without a piece may have a demand: a piece that is placed there
 * needs this join on that side.
 */
#pragma once

#include "gen/mutable/growth.h"
#include "gen/sites/sites.h"

#include <string.h>

enum {
    GROWTH_MARGIN = 1, /* number of rows and columns of cells, along each border of the chunk,
                        * in which no piece may lie */
    GROWTH_OMTS_MAX = GROWTH_PIECES_MAX * (PTL_SIDES + 1),
    /* How many of the lowest bits of growth_list.demands[i] hold the number of a side. */
    GROWTH_SIDE_BITS = 3,
    /* How many of the lowest bits of growth_stock.cells[i] hold the index of a cell in its
     * level. */
    GROWTH_CELL_BITS = 15,
    GROWTH_NO_OMT = -1,
    GROWTH_NO_JOIN = -1
};

/* Values of growth_facing.join for a side that faces no piece's join: nothing, or the border of
 * the chunk. */
enum { GROWTH_FACES_NOTHING = -1, GROWTH_FACES_BORDER = -2 };

/* What a side of a cell faces: the side of a piece that stands in the next cell in that
 * direction. */
typedef struct growth_facing {
    /* The join of the neighbour's side; or GROWTH_FACES_NOTHING or GROWTH_FACES_BORDER. */
    int16_t join;
    uint8_t type; /* type of `join` (mandatory, ...); 0 where there is none */
    bool choice;  /* whether the neighbour's side has alternative joins */
} growth_facing;

/* What a growth knows of a cell. It has these data for each cell with one of its pieces, and
 * for each next cell to which a side of a piece with a join leads. A cell without such data
 * faces no join. A side of a cell has at most one demand, which comes from the piece in the
 * next cell. */
typedef struct growth_omt {
    _Alignas(16) growth_facing faces[PTL_SIDES];
    /* By side: the join that a piece on this OMT must have on that side. Valid only for sides
     * whose bits are set in `asked`. */
    int16_t demand[PTL_SIDES];
    /* By side: index of the demand, if it is open, in the growth_list of its join. */
    uint16_t slot[PTL_SIDES];
    int16_t x, y;
    int8_t z;
    uint8_t mandatory; /* bit s: the demand on side s is mandatory */
    uint8_t asked;     /* bit s: there is a demand on side s */
    /* True if the OMT is set aside: no rule fits on it, so its demands are not in the lists at
     * present. */
    bool postponed;
    /* Whether this OMT is in growth_stock.used: it has a piece, or has or had a demand. */
    bool used;
} growth_omt;
_Static_assert(sizeof(growth_omt) == 64, "numbers of OMTs become places by a shift");

/* For a piece on an OMT: sides[s] is the content's definition of the piece's side s if that
 * side has alternative joins. It is undefined for other sides. */
typedef struct growth_brought {
    const cat_side *sides[PTL_SIDES];
} growth_brought;

/* All memory that the pieces of a growth need. It is large, but an operating system provides
 * only the pages that are used. */
typedef struct growth_stock {
    growth_omt omts[GROWTH_OMTS_MAX];
    /* By OMT: the sides of its piece that have alternative joins. */
    growth_brought brought[GROWTH_OMTS_MAX];
    /* For each cell of which the growth has data (OMT): level << GROWTH_CELL_BITS | the cell's
     * index in the level. */
    uint32_t cells[GROWTH_OMTS_MAX];
    /* Joins at which sides met, in pairs: for each two sides that met, the join of the one,
     * then that of the other. */
    gen_join joins[2 * PTL_SIDES * GROWTH_PIECES_MAX];
    gen_piece pieces[GROWTH_PIECES_MAX];
    ptl_oter before[GROWTH_PIECES_MAX]; /* by piece: the oter that the piece replaced */
    uint16_t used[GROWTH_OMTS_MAX];     /* the OMTs that have a piece, or have or had a demand,
                                         * in the order in which they got it */
} growth_stock;
_Static_assert((int)SIZE *SIZE <= 1 << GROWTH_CELL_BITS, "a cell of a level has its bits");

/* The open demands for one join. demands[i] holds two numbers: in its lowest GROWTH_SIDE_BITS
 * bits the number of a side, and above them the number of the demanded OMT. */
typedef struct growth_list {
    int32_t *demands;
    size_t count, room;
} growth_list;

/* One way of using a rule: in which rotation, and where its origin comes to lie (the point from
 * which the positions of the rule's pieces are counted). */
typedef struct growth_option {
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
} growth_option;

/* A cell of a trial's ground that was changed, so that its terrain is one which the
 * special's checks and, beside the root, the root's joins accept. A check requires certain
 * terrains in a box of cells. */
typedef struct growth_patch {
    int32_t z, cell;
    ptl_oter before;
} growth_patch;

/* An arm: a side of a rotated piece that has a join, and what the join means for the next cell
 * in that direction. */
typedef struct growth_arm {
    const cat_side *use; /* the content's definition of the side */
    growth_facing faced; /* what lies beyond this side: the neighbour's join, or none */
    /* Join that a piece in the next cell needs: the opposite of this side's join. */
    int16_t wanted;
    /* This side's join, or one of its alternative joins, by which it meets a piece in the next
     * cell. It is the opposite of `wanted`, the join that this piece has. */
    int16_t met;
    /* When this side meets the side of a piece in the next cell, a join is recorded for each of
     * the two sides: `met` for this side, and `answer`, which is the opposite of `met`, for the
     * other side. */
    uint16_t answer;
    /* Index, in its level, of the next cell in the side's direction, minus the index of this
     * piece's cell. */
    int16_t step;
    int8_t dx, dy, dz;
    /* `side` is the number of this side; `back` is that of the next cell's side facing it. */
    uint8_t side, back;
    uint8_t asked; /* 1 << back if this side demands a piece in the next cell, else 0; `back` is
                      the side of the next cell that faces this one */
    uint8_t mandatory; /* the same as `asked` if a growth fails when it leaves this side open;
                        * else 0 */
} growth_arm;

/* A rotated piece's arms (sides with joins) and its oter. The arms are in the order of sides,
 * so those on the piece's own level come before those that lead up or down. */
typedef struct growth_arms {
    growth_arm list[PTL_SIDES];
    int32_t count;
    ptl_oter oter;
} growth_arms;

/* A form: one piece of a rule, as it lies for one rotation of the rule. */
typedef struct growth_form {
    const cat_piece *piece;
    uint32_t at;      /* index of the piece in the rule's list of pieces */
    int32_t x, y;     /* where the piece lies, in OMTs from the rule's origin */
    int8_t z;         /* level of the piece minus the level of the rule's origin */
    uint8_t rotation; /* rotation of the piece in the world */
    uint8_t turned;   /* rotation of the rule */
    /* Bits of the piece's sides, in directions of the world, that have a join and face no
     * other piece of the rule. */
    uint8_t open;
} growth_form;

/* The ways in which a phase's rules can cover an OMT. Each way is a piece of a rule that is
 * placed on the OMT, with the rule in one of its rotations; the rule's other pieces come to lie
 * around it. */
typedef struct growth_ways {
    /* first[i] is the index in `forms` of the first way of rule i. One element more follows:
     * the number of all ways. */
    size_t *first;
    growth_form *forms; /* for each way: the rule's piece that is placed on the OMT, with its
                         * rotation in the world */
} growth_ways;

/* growth_ways.c: tables for the growths of one special, which depend on content alone. They are
 * made when they are first needed. */
typedef struct growth_plan {
    /* The arms of each piece in each rotation, at the index piece * 4 + rotation. */
    growth_arms *arms;
    growth_ways *ways; /* for each phase, the ways in which its rules can cover an OMT; NULL:
                          not made yet */
} growth_plan;

/* A rule that can cover the OMT for which a piece is sought. One of all such rules is chosen
 * at random by weight. */
typedef struct growth_entry {
    /* The rule; its ways are in growth.options from `first` to first + count - 1. */
    size_t rule, first, count;
    int32_t weight;
} growth_entry;

struct growth {
    const cat_mutable *layout;
    rng random;
    uint16_t number; /* index of the special in the catalogue */
    /* By level: cells on which other specials stand; NULL: there are none. */
    const site_bits *owned[PTL_LEVELS];
    /* By level (may be NULL), for each cell y * SIZE + x: 1 + the index of the cell's data
     * in growth_stock.omts; 0: the growth has none. */
    uint16_t *spots[PTL_LEVELS];
    growth_stock *stock; /* NULL: the generator has not grown anything yet */
    growth_list *open;   /* by join: the list of open demands for it */
    int32_t *left;      /* by rule of the present phase: how often the rule may still be used */
    int32_t *shared;    /* random numbers that several rules use as a factor, chosen once per
                         * growth */
    growth_plan *plans; /* indexed by special */
    /* The arms of each piece in each rotation, at the index piece * 4 + rotation. */
    const growth_arms *arms;
    const growth_ways *ways; /* how rules of the present phase can cover an OMT */
    growth_option *options;  /* ways in which the rules in `entries` can cover the OMT */
    growth_entry *entries;
    growth_patch *patches; /* for trials: the changes that were made to the chunk so that the
                            * special finds its ground */
    /* For trials: for each level, the set of terrains that may be the ground under specials in
     * some region (growth_grounds). Behind the sets of all levels lies one more set, as scratch
     * memory. */
    uint64_t *grounds;
    size_t omt_count, used_count, piece_count, join_count, open_count, option_count;
    size_t entry_count, list_room, left_room, shared_room;
    size_t option_room, entry_room, patch_count, patch_room;
    size_t phase, rule; /* indices of the phase and the rule that are being used */
    int8_t z_min, z_max;
    bool broken; /* a placed piece has a mandatory join that can never be met; open_x etc. say
                  * which */
    bool full;   /* the growth needs more than GROWTH_PIECES_MAX pieces */
    bool costly; /* the growth took more work than is allowed */
    bool nomem;  /* memory is out, or the stop hook has stopped the chunk */
    /* `chunk_work` is the work of all growths in the chunk; special_work[i] is that of the
     * growths of special i alone. Both are in units of work (see GROWTH_WORK_CHUNK). */
    uint64_t chunk_work, *special_work;
    uint64_t *undone_work; /* by special: units of work of its failed growths in the chunk */
    size_t special_count;
    /* The cell and level where no piece fits, and the join that a piece there would need. */
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
};

/* The value of growth.undone_work for a special that can't succeed in the chunk, for lack of
 * ground. */
#define GROWTH_WORK_NO_GROUND UINT64_MAX

/* Counts units of work. False if the growth must stop, because it took too much work or the
 * chunk is given up. */
static inline bool growth_spend(generator *g, growth *w, uint64_t units)
{
    uint64_t *own = &w->special_work[w->number];
    *own += units;
    w->chunk_work += units;
    w->costly = *own > GROWTH_WORK_SPECIAL || w->chunk_work > GROWTH_WORK_CHUNK;
    if (w->costly)
        return false;
    /* `nomem` is also set if the stop hook has stopped the chunk. In both cases the chunk is
     * given up. */
    w->nomem = w->nomem || !work_on(g, (uint32_t)units);
    return !w->nomem;
}

/* Adds a terrain to a set of terrains. CAT_NONE stands for no terrain, and adds nothing. */
static inline void growth_add_terrain(uint64_t *set, uint16_t terrain)
{
    if (terrain != CAT_NONE)
        set[terrain / 64] |= UINT64_C(1) << terrain % 64;
}

/* Makes room for `count` elements of `size` bytes in an array. `list` points to the pointer
 * to the array, whose contents are kept. False when memory is out. */
bool growth_room(void *list, size_t *room, size_t count, size_t size);

/* May a piece lie in the cell? It may not in the margin along the chunk's border. */
static inline bool growth_inside(int32_t x, int32_t y, int32_t z)
{
    return x >= GROWTH_MARGIN && x < SIZE - GROWTH_MARGIN && y >= GROWTH_MARGIN &&
           y < SIZE - GROWTH_MARGIN && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

/* Returns the number of the opposite side. A side of a cell is faced by the opposite side of
 * the next cell in its direction. */
static inline int growth_opposite(int side)
{
    return side < 4 ? (side + 2) % 4 : side == CAT_ABOVE ? CAT_BELOW : CAT_ABOVE;
}

/* Returns the side, as the content defines it, that a rotated piece has in the direction `side`
 * of the world. */
static inline const cat_side *growth_piece_side(const cat_piece *piece, int rotation, int side)
{
    return &piece->sides[side < 4 ? (side - rotation) & 3 : side];
}

static inline const cat_side *growth_form_side(const growth_form *f, int side)
{
    return growth_piece_side(f->piece, f->rotation, side);
}

/* Changes the coordinates of a cell into those of the next cell in the direction of one of its
 * sides. */
static inline void growth_beyond(int side, int32_t *x, int32_t *y, int32_t *z)
{
    static const int8_t STEPS[PTL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                               {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    *x += STEPS[side][0];
    *y += STEPS[side][1];
    *z += STEPS[side][2];
}

/* Returns whether the side can meet the join `facing`, by its own join or by one of its
 * alternative joins. */
static inline bool growth_meets(const cat_mutable *layout, const cat_side *side, int16_t facing)
{
    bool meets = layout->joins[side->join].opposite == facing;
    for (int i = 0; i < side->alternative_count && !meets; i++)
        meets = layout->joins[side->alternatives[i]].opposite == facing;
    return meets;
}

/* ---- growth_demand.c: OMTs and demands ---- */

/* Returns the index in growth_stock.omts of the growth's data of a cell; GROWTH_NO_OMT if
 * there are none. */
static inline int32_t growth_omt_at(const growth *w, int32_t x, int32_t y, int32_t z)
{
    const uint16_t *spots = w->spots[z - PTL_Z_MIN];
    return spots ? (int32_t)spots[y * SIZE + x] - 1 : GROWTH_NO_OMT;
}
/* Sets what the sides of a cell face as long as no piece beside the cell has a join towards it:
 * nothing, or the chunk's border. */
void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z);
/* Adds the data of a cell (growth_omt) to a growth that has none of this cell, and returns
 * their index; GROWTH_NO_OMT when memory is out. */
int32_t growth_omt_new(growth *w, int32_t x, int32_t y, int32_t z);
/* Adds an OMT to growth_stock.used, the list of the OMTs that have a piece or have or had a
 * demand, unless it is listed already. */
static inline void growth_use_omt(growth *w, int32_t omt, growth_omt *t)
{
    if (t->used)
        return;
    t->used = true;
    w->stock->used[w->used_count++] = (uint16_t)omt;
}
/* growth_list_demand adds the demand on a side of an OMT to the list of open demands for its
 * join; growth_unlist_demand removes it from there. Removing moves the last demand of the list
 * into the free place. */
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
/* Removes the demand on a side of an OMT, if there is one. */
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
/* Records the demand of an arm (a side with a join) on `omt`, the next OMT in its direction.
 * The arm must make a demand: arm->asked is not 0. */
static inline void growth_demand_add(growth *w, int32_t omt, growth_omt *t,
                                     const growth_arm *arm)
{
    growth_use_omt(w, omt, t);
    /* On this side the OMT may still have a demand of an older piece, in whose place the new
     * piece has been put. That demand is removed. */
    growth_demand_remove(w, t, arm->back);
    t->demand[arm->back] = arm->wanted;
    t->asked |= arm->asked;
    t->mandatory |= arm->mandatory;
    growth_list_demand(w, omt, t, arm->back);
}
/* growth_postpone sets all demands on an OMT aside, so that growth_pick does not return it;
 * growth_take_up opens them again. */
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
/* Chooses at random one of the most urgent open demands and returns its OMT. w->open_count must
 * be above 0. */
int32_t growth_pick(growth *w);
/* Empties the lists of OMTs, demands, pieces and joins. */
void growth_clear(growth *w);

/* Chooses the random numbers in `w->shared`. A rule may name one of them as a factor for how
 * often the rule may be used. False when memory is out. */
bool growth_share(growth *w);
/* Prepares the phase number w->phase: chooses at random how often each of its rules may be
 * used. False when memory is out or the phase takes too much work. */
bool growth_enter(generator *g, growth *w);
/* Returns the weight with which a rule of the present phase is chosen at random; 0: the rule
 * may not be used. */
static inline int32_t growth_weight(const growth *w, size_t rule)
{
    const int32_t weight = w->layout->phases[w->phase].rules[rule].weight; /* below 0: the
                                                                            * content states no
                                                                            * weight */
    return weight >= 0 && weight < w->left[rule] ? weight : w->left[rule];
}
/* Have all rules of the present phase been used as often as they may be? */
static inline bool growth_exhausted(const growth *w)
{
    /* This loop adds nothing to the count of the growth's work: growth_satisfy examines the
     * same rules and counts them. */
    for (size_t i = 0; i < w->layout->phases[w->phase].rule_count; i++)
        if (growth_weight(w, i) > 0)
            return false;
    return true;
}
/* Does `height`, the member `z` of a rule, allow the rule to be used on level z? */
bool growth_height_is(const growth *w, const ptl_height *height, int32_t z);

/* ---- growth_ways.c ---- */

/* Returns the tables of the special that is being grown; NULL when memory is out
 * (g->failed). */
const growth_plan *growth_plan_of(generator *g, growth *w);

/* Rotates a set of sides, given as bits. The bits for the sides above and below stay as they
 * are. */
static inline unsigned growth_rotate_sides(unsigned sides, int rotation)
{
    const unsigned flat = sides & 15u, up = sides & ~15u;
    return ((flat << rotation | flat >> (4 - rotation)) & 15u) | up;
}

/* ---- growth_match.c: finds what fits on an OMT ---- */

/* Chooses a rule of the present phase and a way of placing it so that one of its pieces covers
 * the OMT. False if no rule fits, if the search took too much work, or if memory is out
 * (w->nomem). */
bool growth_satisfy(generator *g, growth *w, int32_t omt, size_t *rule, growth_option *option);
/* Does the join of the arm (a side of a piece) accept the ground at (x, y, z), the next cell in
 * the arm's direction? */
bool growth_may_lead(const generator *g, const growth *w, const growth_arm *arm, int32_t x,
                     int32_t y, int32_t z);

/* ---- growth_phase.c ---- */

/* Returns false if every growth of the special with its root at z = 0 must fail in this chunk,
 * because ground for its pieces is missing. Also false if memory is out (g->failed). */
bool growth_has_hope(generator *g, uint16_t special);

/* ---- growth.c ---- */

/* Grows a special, with a random stream that depends on `key`. growth_undo can remove the
 * special afterwards. */
growth_result growth_run(generator *g, const growth_site *site, uint64_t key, grown *out);
/* Restores the chunk as it was before the last growth_run. */
void growth_undo(generator *g);
