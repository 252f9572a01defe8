/*
 * Inside growth: its state. A tile is a cell that has a piece of the special, or a demand for
 * one; g's cells are looked up for the ground alone. A piece may come where one is already, if
 * what that is made of is ground for it (content lays craters over each other): joins that were
 * met stay met, and sides stay where the new piece has none. Sides are 0..5 as in cat_piece, as
 * they lie in the world; every side of a tile that has no piece yet may hold a demand: "what
 * comes here needs this join on that side".
 */
#ifndef GEN_MUTABLE_GROWTH_IMPL_H
#define GEN_MUTABLE_GROWTH_IMPL_H

#include "gen/mutable/growth.h"
#include "gen/sites/sites.h"

#include <string.h>

enum {
    GROWTH_MARGIN = 1, /* cells along the border that no piece may take */
    GROWTH_TILES_MAX = GROWTH_PIECES_MAX * (PTL_SIDES + 1),
    GROWTH_SIDE_BITS = 3,  /* of a demand in a list */
    GROWTH_CELL_BITS = 15, /* of a cell of a level */
    GROWTH_NO_TILE = -1,
    GROWTH_NO_JOIN = -1
};

/* What a side of a cell faces: a piece's join, or one of these. */
enum { GROWTH_FACES_NOTHING = -1, GROWTH_FACES_BORDER = -2 };

typedef struct growth_facing {
    int16_t join;
    uint8_t type; /* of the join; 0 where there is none */
    bool choice;  /* its side has alternatives; they are equal if their bytes are */
} growth_facing;

/* Beside a piece there is one on every side on which it has a join, so that what a cell faces
 * stands in its tile, and a cell without a tile faces no join. A side has one demand at most,
 * which a piece beyond it brought. */
typedef struct growth_tile {
    _Alignas(16) growth_facing faces[PTL_SIDES];
    int16_t demand[PTL_SIDES]; /* join; of sides that are asked */
    uint16_t slot[PTL_SIDES];  /* of an open demand: its place in the list of its join */
    int16_t x, y;
    int8_t z;
    uint8_t mandatory; /* bit s: the demand on side s is */
    uint8_t asked;     /* bit s: there is a demand on side s */
    bool postponed;
    bool used; /* is or was demanded, or has a piece: it is in growth.used */
} growth_tile;
_Static_assert(sizeof(growth_tile) == 64, "numbers of tiles become places by a shift");

/* What pieces brought to a tile's sides: of those that have alternatives, else undefined. */
typedef struct growth_brought {
    const cat_side *sides[PTL_SIDES];
} growth_brought;

/* All that pieces need, whatever grows: the system gives memory as far as it is used. */
typedef struct growth_stock {
    growth_tile tiles[GROWTH_TILES_MAX];
    growth_brought brought[GROWTH_TILES_MAX];
    uint32_t cells[GROWTH_TILES_MAX];
    gen_join
        joins[2 * PTL_SIDES * GROWTH_PIECES_MAX]; /* of each side that meets, and its own */
    gen_piece pieces[GROWTH_PIECES_MAX];
    ptl_oter before[GROWTH_PIECES_MAX];
    uint16_t used[GROWTH_TILES_MAX];
} growth_stock;
_Static_assert((int)SIZE *SIZE <= 1 << GROWTH_CELL_BITS, "a cell of a level has its bits");

/* The open demands for one join: tile << GROWTH_SIDE_BITS | side. */
typedef struct growth_list {
    int32_t *demands;
    size_t count, room;
} growth_list;

/* A way of placing a rule. */
typedef struct growth_option {
    int16_t x, y;
    int8_t z;
    uint8_t rotation;
} growth_option;

/* A cell of a trial's ground that was changed for a check. */
typedef struct growth_patch {
    int32_t z, cell;
    ptl_oter before;
} growth_patch;

/* A side of a rotated piece that has a join, and what that means beyond it. */
typedef struct growth_arm {
    const cat_side *use;
    growth_facing faced; /* what the cell beyond faces */
    int16_t wanted;      /* the join that faces it */
    int16_t met;         /* by which it does: wanted's opposite */
    uint16_t answer;     /* and that one's: on the side beyond */
    int16_t step;        /* to the cell beyond, where it is on the same level */
    int8_t dx, dy, dz;
    uint8_t side, back;    /* in the world; back: of the cell beyond */
    uint8_t bit, back_bit; /* theirs */
    uint8_t asked;     /* bits of the cell beyond: back's, if it asks for something there, */
    uint8_t mandatory; /* and if that is mandatory */
} growth_arm;

/* All of them, in order of sides, so that those on the piece's level come first; and what it is
 * made of. */
typedef struct growth_arms {
    growth_arm list[PTL_SIDES];
    int32_t count;
    ptl_oter oter;
} growth_arms;

/* A piece of a rule as it lies when the rule is rotated. */
typedef struct growth_form {
    const cat_piece *piece;
    uint32_t at;      /* among the rule's pieces */
    int32_t x, y;     /* from the rule's origin */
    int8_t z;         /* likewise */
    uint8_t rotation; /* the piece's, in the world */
    uint8_t turned;   /* the rule's */
    uint8_t open; /* sides with a join that do not lead to others of its rule; in the world */
} growth_form;

/* Ways that need ground of a kind: for their piece, or where a side that faces nothing leads.
 */
typedef struct growth_need {
    int8_t side; /* GROWTH_OWN_CELL: the piece's cell */
    ptl_terrain_set allows;
    uint64_t *ways;
} growth_need;

enum { GROWTH_OWN_CELL = -1, GROWTH_MET_BITS = 3 /* a piece has up to six own joins */ };

/* Where a need is: beyond a side, or the piece's cell. */
enum { GROWTH_AT_OWN = PTL_SIDES, GROWTH_PLACES };

/* Which needs an oter meets: bit i of `met` for needs[i]. The ground of a growth has few oters;
 * each is asked of every need once, as long as no other one takes its place. */
enum { GROWTH_GROUNDS = 16 };
typedef struct growth_ground {
    uint64_t met;
    uint32_t oter; /* + 1; 0: none yet */
} growth_ground;

static inline int growth_place_of(const growth_need *need)
{
    return need->side == GROWTH_OWN_CELL ? (int)GROWTH_AT_OWN : need->side;
}

/* The ways of a rule of one piece that are in one word, as they nearly always are. */
typedef struct growth_span {
    uint64_t mask; /* 0: the rule is another one */
    size_t word;
} growth_span;

/* What is asked of a rule for every tile, side by side. */
typedef struct growth_rule {
    growth_span span;
    uint32_t ways;
    int32_t weight; /* INT32_MAX: unlimited */
    bool choosy;    /* it wants a height, or a join */
} growth_rule;

/* growth_demand.c: what a tile allows, of a phase whose rules all have a span in one word and
 * are not choosy: a case for each of the sides and needs that were met of late. */
enum { GROWTH_CASES = 256, GROWTH_CASE_RULES = 8 };

typedef struct growth_case {
    growth_facing faces[PTL_SIDES]; /* what it is the case of: these, demands that are, */
    uint64_t unmet;                 /* and needs that the ground does not meet */
    uint8_t mandatory;
    bool known;     /* else it is none yet */
    uint8_t places; /* bit p: some of `needs` are at place p */
    uint8_t count;  /* of rules that fit; GROWTH_CASE_RULES + 1: more than are told here */
    uint64_t needs; /* bit i: some of the ways that fit need growth_ways.needs[i] */
    uint8_t rules[GROWTH_CASE_RULES];
    uint8_t bests[GROWTH_CASE_RULES];   /* of these rules: how many ways meet the most, */
    uint8_t best[GROWTH_CASE_RULES][4]; /* and which: a rule of one piece has four at most */
} growth_case;

/* growth_ways.c: the ways of a phase's rules, as content alone tells them. */
typedef struct growth_ways {
    size_t *first;      /* by rule: its first way; behind the last one: how many there are */
    growth_rule *rules; /* by rule */
    growth_form *forms; /* by way: the piece that comes to the tile */
    size_t states, words;
    /* By what is faced and side, once made: the ways whose piece can face it there, and then
     * those whose own mandatory join is met by it. NULL: no sets. */
    uint64_t **fits;
    growth_need *needs; /* those of the piece's cell first */
    size_t need_count;
    /* Of the tile that was looked at last: the ways that fit there, and of each how many own
     * joins it meets: bit b in met[b]. */
    uint64_t *left, *met[GROWTH_MET_BITS];
    uint64_t *best;     /* words are those of a rule alone */
    growth_case *cases; /* GROWTH_CASES; NULL: the phase has none, or needed none yet */
    bool plain;         /* it may have cases */
    /* Where it is plain: the needs at each place, and grounds that were met of late. */
    uint64_t needs_at[GROWTH_PLACES];
    growth_ground grounds[GROWTH_GROUNDS];
} growth_ways;
typedef struct growth_plan growth_plan; /* of a special: the ways of its phases */

/* A rule in the lottery for a tile. */
typedef struct growth_entry {
    size_t rule, first, count; /* options first .. first + count - 1 */
    int32_t weight;
    bool listed;   /* else the options are the rule's best ways */
    uint64_t best; /* these, where the rule has a span; it has no count then */
} growth_entry;

struct growth {
    const cat_mutable *layout;
    rng random;
    uint16_t number;                    /* of the special */
    const site_bits *owned[PTL_LEVELS]; /* cells of other specials; NULL: none */
    uint16_t *spots[PTL_LEVELS]; /* tile + 1 at y * SIZE + x; made when needed, else NULL */
    growth_stock *stock;         /* NULL: nothing has grown yet. In it: */
    growth_tile *tiles;
    growth_brought *brought; /* by tile */
    uint32_t *cells;         /* by tile: level << GROWTH_CELL_BITS | cell */
    uint16_t *used;          /* tiles in the order in which that began */
    gen_piece *pieces;
    ptl_oter *before; /* what stood where the piece is */
    gen_join *joins;
    growth_list *open; /* by join */
    int32_t *left;     /* of the phase's rules: how often each may still be used */
    uint64_t looks; /* the work of looking at those rules that may be, each at all its ways */
    int32_t *shared;
    growth_plan **plans;     /* by special; NULL: none was needed yet */
    const growth_arms *arms; /* by piece * 4 + rotation */
    growth_ways *ways;       /* of the phase */
    growth_option *options;
    growth_entry *entries;
    growth_patch *patches;
    uint64_t *grounds; /* of trials: growth_grounds by level, then a set of scratch; or NULL */
    size_t omt_count, used_count, piece_count, join_count, open_count, option_count;
    size_t entry_count, list_room, left_room, shared_room;
    size_t option_room, entry_room, patch_count, patch_room;
    size_t phase, rule; /* at work */
    int8_t z_min, z_max;
    bool broken; /* a mandatory join of a placed piece can never be met: see open_* */
    bool full;   /* more than GROWTH_PIECES_MAX pieces */
    bool costly; /* too much work */
    bool nomem;
    uint64_t chunk_work, *special_work; /* of all growths in the chunk; of each special's */
    uint64_t *undone_work;              /* by special: of its growths that were undone */
    size_t special_count;
    int16_t open_x, open_y;
    int8_t open_z;
    uint16_t open_join;
};

/* The undone work of a special that can't come out in the chunk. */
#define GROWTH_WORK_NO_GROUND UINT64_MAX

/* Could so much work be the end of the growth? */
static inline bool growth_near_end(const growth *w, uint64_t units)
{
    return w->special_work[w->number] + units > GROWTH_WORK_SPECIAL ||
           w->chunk_work + units > GROWTH_WORK_CHUNK;
}

/* Counts work. False if the growth is over: it was too much, or the chunk is given up. */
static inline bool growth_spend(generator *g, growth *w, uint64_t units)
{
    uint64_t *own = &w->special_work[w->number];
    *own += units;
    w->chunk_work += units;
    w->costly = *own > GROWTH_WORK_SPECIAL || w->chunk_work > GROWTH_WORK_CHUNK;
    if (w->costly)
        return false;
    w->nomem = w->nomem || !work_on(g, (uint32_t)units); /* or stopped: the chunk is lost */
    return !w->nomem;
}

/* Room for `count` entries of `size`; what was in it stays. False when memory is out. */
bool growth_room_made(void *list, size_t *room, size_t count, size_t size);
static inline bool growth_room(void *list, size_t *room, size_t count, size_t size)
{
    return count <= *room || growth_room_made(list, room, count, size);
}

static inline bool growth_inside(int32_t x, int32_t y, int32_t z)
{
    return x >= GROWTH_MARGIN && x < SIZE - GROWTH_MARGIN && y >= GROWTH_MARGIN &&
           y < SIZE - GROWTH_MARGIN && z >= PTL_Z_MIN && z <= PTL_Z_MAX;
}

static inline int growth_opposite(int side)
{
    return side < 4 ? (side + 2) % 4 : side == CAT_ABOVE ? CAT_BELOW : CAT_ABOVE;
}

/* What a piece rotated by `rotation` has on the world's side. */
static inline const cat_side *growth_piece_side(const cat_piece *piece, int rotation, int side)
{
    return &piece->sides[side < 4 ? (side - rotation) & 3 : side];
}

static inline const cat_side *growth_form_side(const growth_form *f, int side)
{
    return growth_piece_side(f->piece, f->rotation, side);
}

/* Moves to the cell beyond a side. */
static inline void growth_beyond(int side, int32_t *x, int32_t *y, int32_t *z)
{
    static const int8_t STEPS[PTL_SIDES][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                               {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    *x += STEPS[side][0];
    *y += STEPS[side][1];
    *z += STEPS[side][2];
}

/* May a side that is placed now meet a join that is there: by its own join, or one of its
 * alternatives? */
static inline bool growth_meets(const cat_mutable *layout, const cat_side *side, int16_t facing)
{
    bool meets = layout->joins[side->join].opposite == facing;
    for (int i = 0; i < side->alternative_count && !meets; i++)
        meets = layout->joins[side->alternatives[i]].opposite == facing;
    return meets;
}

/* ---- growth_demand.c: tiles and demands ---- */

/* Returns the tile at a cell inside; GROWTH_NO_TILE if there is none. */
static inline int32_t growth_tile_at(const growth *w, int32_t x, int32_t y, int32_t z)
{
    const uint16_t *spots = w->spots[z - PTL_Z_MIN];
    return spots ? (int32_t)spots[y * SIZE + x] - 1 : GROWTH_NO_TILE;
}
/* Says what a cell faces beside which no piece has a join. */
void growth_faces_none(growth_facing faces[PTL_SIDES], int32_t x, int32_t y, int32_t z);
/* Makes a tile where there is none; GROWTH_NO_TILE when memory is out. */
int32_t growth_tile_new(growth *w, int32_t x, int32_t y, int32_t z);
/* Puts a tile into the list of those that are used. */
static inline void growth_use_tile(growth *w, int32_t tile, growth_tile *t)
{
    if (t->used)
        return;
    t->used = true;
    w->used[w->used_count++] = (uint16_t)tile;
}
/* All of them are of open demands: put into the list of its join, and taken out, where the
 * list's last one takes the place. */
static inline void growth_list_demand(growth *w, int32_t tile, growth_tile *t, int side)
{
    growth_list *list = &w->open[t->demand[side]];
    const size_t count = list->count;
    if (!growth_room(&list->demands, &list->room, count + 1, sizeof *list->demands)) {
        w->nomem = true;
        return;
    }
    t->slot[side] = (uint16_t)count;
    list->demands[count] = tile << GROWTH_SIDE_BITS | side;
    list->count = count + 1;
    w->open_count++;
}
_Static_assert((int)GROWTH_PIECES_MAX *PTL_SIDES <= (int)UINT16_MAX,
               "a list's places have 16 bits: no more sides than these bring demands");
static inline void growth_unlist_demand(growth *w, const growth_tile *t, int side)
{
    growth_list *list = &w->open[t->demand[side]];
    const uint16_t slot = t->slot[side];
    const size_t count = list->count - 1;
    const int32_t last = list->demands[count];
    list->count = count;
    list->demands[slot] = last;
    w->tiles[last >> GROWTH_SIDE_BITS].slot[last & ((1 << GROWTH_SIDE_BITS) - 1)] = slot;
    w->open_count--;
}
static inline void growth_demand_remove(growth *w, growth_tile *t, int side)
{
    const unsigned bit = 1u << side;
    if (!(t->asked & bit))
        return;
    if (!t->postponed)
        growth_unlist_demand(w, t, side);
    t->asked = (uint8_t)(t->asked & ~bit);
    t->mandatory = (uint8_t)(t->mandatory & ~bit);
}
/* What an arm that asks wants of the tile beyond it. */
static inline void growth_demand_add(growth *w, int32_t tile, growth_tile *t,
                                     const growth_arm *arm)
{
    growth_use_tile(w, tile, t);
    growth_demand_remove(w, t, arm->back); /* of a piece that another has come to lie on */
    t->demand[arm->back] = arm->wanted;
    t->asked |= arm->asked;
    t->mandatory |= arm->mandatory;
    growth_list_demand(w, tile, t, arm->back);
}
/* All demands of a tile are set aside, and taken back. */
void growth_postpone(growth *w, int32_t tile);
void growth_take_up(growth *w, int32_t tile);
static inline void growth_restore(growth *w, int32_t tile)
{
    if (w->tiles[tile].postponed)
        growth_take_up(w, tile);
}
void growth_restore_all(growth *w);
/* Returns a tile with an open demand; open_count is above 0. */
int32_t growth_pick(growth *w);
/* Forgets all tiles and demands. */
void growth_clear(growth *w);

/* Draws the numbers that the special's rules share. False when memory is out. */
bool growth_share(growth *w);
/* Enters phase w->phase. False when memory is out, or it is too costly. */
bool growth_enter(generator *g, growth *w);
/* How likely the rule is to be chosen now; 0: never. */
static inline int32_t growth_weight(const growth *w, size_t rule)
{
    const int32_t weight = w->ways->rules[rule].weight, left = w->left[rule];
    return weight < left ? weight : left;
}
/* Returns the work of looking at a rule once more. */
static inline uint32_t growth_look(const growth *w, size_t rule)
{
    return growth_weight(w, rule) > 0 ? 1 + w->ways->rules[rule].ways : 0;
}
static inline bool growth_exhausted(const growth *w)
{
    /* What it looks at, growth_satisfy looks at, too, and counts. */
    for (size_t i = 0; i < w->layout->phases[w->phase].rule_count; i++)
        if (growth_weight(w, i) > 0)
            return false;
    return true;
}
/* Does the rule's `z` accept a tile at this level? */
bool growth_height_is(const growth *w, const ptl_height *height, int32_t z);
static inline bool growth_height(const growth *w, const ptl_height *height, int32_t z)
{
    return height->kind == PTL_HEIGHT_ANY || growth_height_is(w, height, z);
}

/* ---- growth_ways.c: which ways a tile's sides allow ---- */

/* Returns the arms of the special's pieces, by piece * 4 + rotation, which its plan keeps; NULL
 * when memory is out. */
const growth_arms *growth_arms_of(growth *w);
/* Returns the ways of the phase, which the plan keeps; NULL when memory is out. words: of a set
 * of terrains. */
growth_ways *growth_ways_of(growth *w, size_t words);
void growth_plan_free(growth_plan *plan);
/* Puts into ways->left those whose piece on a tile with these sides may be there, and what they
 * meet into ways->met; demanded has the sides with a mandatory demand. False: the phase has no
 * sets, or memory is out (w->nomem). */
bool growth_ways_facing(growth *w, const growth_facing faced[PTL_SIDES], unsigned demanded);
/* Leaves those without the need. */
static inline void growth_ways_drop(growth_ways *ways, const growth_need *need)
{
    for (size_t i = 0; i < ways->words; i++)
        ways->left[i] &= ~need->ways[i];
}
/* Returns the span of the ways from .. end - 1; its mask is 0 if they are none, or not in one
 * word. */
static inline growth_span growth_span_of(size_t from, size_t end)
{
    const bool one = from < end && from / 64 == (end - 1) / 64;
    return (growth_span){one ? (~UINT64_C(0) >> (64 - (end - from))) << from % 64 : 0,
                         from / 64};
}
/* Returns those of its ways that are left and meet the most. */
static inline uint64_t growth_ways_best_word(const growth_ways *ways, const growth_span *span)
{
    uint64_t best = ways->left[span->word] & span->mask;
    for (int b = GROWTH_MET_BITS - 1; best && b >= 0; b--) {
        const uint64_t more = best & ways->met[b][span->word];
        best = more ? more : best;
    }
    return best;
}
/* Returns how many of the ways that are left in from .. end - 1 meet the most; ways->best has
 * them until the next call. For those that are not in one word. */
size_t growth_ways_best(growth_ways *ways, size_t from, size_t end);
/* Returns the nth of those; n is below their number. */
size_t growth_ways_nth(growth_ways *ways, size_t from, size_t end, size_t n);
/* Returns the first way of the set in from .. end - 1; end if there is none. */
size_t growth_next_way(const uint64_t *ways, size_t from, size_t end);

/* Counts, bit by bit, in how many of the sets each is: bit b of the number goes to out[b]. */
static inline void growth_count_bits(const uint64_t sets[PTL_SIDES],
                                     uint64_t out[GROWTH_MET_BITS])
{
    uint64_t ones = 0, twos = 0, fours = 0;
    for (int i = 0; i < PTL_SIDES; i++) {
        const uint64_t carry = ones & sets[i];
        ones ^= sets[i];
        fours |= twos & carry;
        twos ^= carry;
    }
    out[0] = ones;
    out[1] = twos;
    out[2] = fours;
}

/* Turns a mask of sides. */
static inline unsigned growth_rotate_sides(unsigned sides, int rotation)
{
    const unsigned flat = sides & 15u, up = sides & ~15u;
    return ((flat << rotation | flat >> (4 - rotation)) & 15u) | up;
}

/* ---- growth_demand.c: the same, remembered ---- */

/* Is the phase one that may have cases? */
bool growth_cases_may(const growth_ways *ways, size_t rule_count);
/* Sides as numbers. */
typedef struct growth_key {
    uint64_t words[3];
} growth_key;
_Static_assert(sizeof(growth_facing[PTL_SIDES]) == sizeof(growth_key), "they are the key");

static inline growth_key growth_key_of(const growth_facing faces[PTL_SIDES])
{
    growth_key key;
    memcpy(&key, faces, sizeof key);
    return key;
}
/* Returns the place of a case. */
static inline size_t growth_case_place(growth_key k, unsigned mandatory, uint64_t unmet)
{
    const uint64_t sum =
        (k.words[0] ^ k.words[1] << 5 ^ k.words[2] << 11) + mandatory + (unmet << 17);
    return (size_t)((sum * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
}
_Static_assert(GROWTH_CASES == 1 << 8, "a place has eight bits");
const growth_case *growth_case_find(growth *w, const growth_tile *tile, uint64_t unmet);
/* Returns the case of a tile in a plain phase, where the ground does not meet some of the needs
 * that the case with none unmet names; NULL when memory is out (w->nomem). It is gone with the
 * next call. */
static inline const growth_case *growth_case_of(growth *w, const growth_tile *tile,
                                                uint64_t unmet)
{
    if (!w->ways->cases)
        return growth_case_find(w, tile, unmet);
    const growth_key k = growth_key_of(tile->faces);
    const growth_case *c = &w->ways->cases[growth_case_place(k, tile->mandatory, unmet)];
    const growth_key own = growth_key_of(c->faces);
    const uint64_t other = (own.words[0] ^ k.words[0]) | (own.words[1] ^ k.words[1]) |
                           (own.words[2] ^ k.words[2]) | (c->unmet ^ unmet) |
                           (c->mandatory ^ (uint64_t)tile->mandatory);
    return c->known && other == 0 ? c : growth_case_find(w, tile, unmet);
}

/* ---- growth_match.c: what fits on a tile ---- */

/* Chooses a rule of the phase and a way of placing it on the tile. False if none fits, it is
 * too costly, or memory is out (w->nomem). */
bool growth_satisfy(generator *g, growth *w, int32_t tile, size_t *rule, growth_option *option);
/* Does the ground beyond one of the root's arms let its join lead there? */
bool growth_may_lead(const generator *g, const growth *w, const growth_arm *arm, int32_t x,
                     int32_t y, int32_t z);

/* ---- growth_phase.c ---- */

/* False: the chunk has no ground on which any growth of the special could come out whose root
 * is at z = 0; or memory is out (g->failed). */
bool growth_has_hope(generator *g, uint16_t special);

/* ---- growth.c ---- */

/* Grows with a stream of its own. What stands on the chunk afterwards can be taken
 * back. */
growth_result growth_run(generator *g, const growth_site *site, uint64_t key, grown *out);
void growth_undo(generator *g);

#endif
