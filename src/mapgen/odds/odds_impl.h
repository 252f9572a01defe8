/* What the files of the folder odds share: sums of figures, and trees of the steps that lead to
 * a thing. */
#pragma once

#include "core/array.h"
#include "mapgen/compile/by_id.h"
#include "mapgen/odds/odds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each thing (an item, a monster, a group, ...) has a small number, its *slot*. Slot 0 stands
 * for all items of a set together: its mean counts those that do not lie in another item, and
 * its chance is that of having any item at all. */
enum { SLOT_ANY = 0 };

/* The figure of the thing that has this slot. */
typedef struct odds_part {
    uint32_t slot, doubts;
    double mean, some;
} odds_part;

/* Figures of things that are drawn together, at most one for each thing. Whoever holds a set
 * frees it by set_free. */
typedef struct odds_set {
    odds_part *parts;
    size_t count;
} odds_set;

/* The figure of a slot in a sum. */
typedef struct odds_cell {
    double mean, some;
    uint32_t doubts;
    bool there; /* false: the slot has no figure yet */
} odds_cell;

/* A sum of sets of figures, to which more sets may be added. */
typedef struct odds_sum {
    odds_cell *cells;  /* owned; index: slot of a thing */
    uint32_t *touched; /* owned; the slots of the things that the sum has */
    size_t count, reach, room;
    struct odds_sum *outer; /* the next sum in the list odds.free_sums */
} odds_sum;

/* A whole number that is drawn from low to high, all equally likely. Below 0 it counts as 0. */
typedef struct odds_times {
    int64_t low, high;
} odds_times;

#define ODDS_ONCE ((odds_times){1, 1})

/* A set that was computed for an item group. It depends on two percentages (`loading`): how
 * many of the drawn items are loaded with ammunition, and how many have a magazine. */
typedef struct odds_group_set {
    uint32_t id;
    mapgen_loading loading;
    odds_set set;
    /* Index in odds.memo of another set that was computed for the same group; 0: there is
     * none. */
    uint32_t next;
    /* The group contains itself. If such a group is computed as a part of another group that
     * lies in it, too, its set differs. So this set is used only for the group alone. */
    bool loops;
    bool sure; /* no figure is in doubt */
} odds_group_set;

/* What is counted of one thing; found by the thing's slot. */
typedef struct odds_tally {
    /* The counts of all maps that have the thing, except the last of these maps. */
    odds_count sum;
    /* On the last map that has the thing: how many there are, and the chance that there is
     * none. */
    double now, missed;
    int64_t last; /* number of the last map that has the thing; 0: no map had it yet */
} odds_tally;

/* An item group of which the present map has items: how many times it was put there, and how
 * many of these times nothing has removed its items again. Found by the index of the group's
 * set in odds.memo. */
typedef struct odds_standing {
    uint32_t put, left;
} odds_standing;

typedef struct odds_counting {
    odds_tally *tallies; /* owned; indexed by the slot of a thing */
    size_t reach;
    uint32_t *met; /* owned; slots of the things that have counts in `tallies` */
    size_t met_count, met_room;
    odds_standing *standing; /* owned; indexed like odds.memo, by the set of a group */
    size_t standing_reach;
    /* Owned; indices in `memo` of the sets of groups that the present map has. */
    uint32_t *stand;
    size_t stand_count, stand_room;
    /* Owned; indexed by slot: is the thing of this slot counted? If `all` is true, all
     * things are counted, and the array is not used. */
    bool *asked;
    size_t asked_reach;
    bool all;
    int64_t map;       /* the number of the map that is being made, from 1 */
    odds_count *given; /* owned; the list that odds_count_end returns */
    size_t given_room;
} odds_counting;

/* The tree of steps on the way to a thing, while it is built (odds_tree). Steps that do not
 * lead to the thing are dropped. */
typedef struct odds_tree_state {
    odds_node *nodes; /* owned */
    size_t count, room;
    uint32_t slot; /* the slot of the thing to which the steps lead */
    double factor; /* how often, on average, a map takes the step that is being computed */
    int depth;
    bool active;
} odds_tree_state;

/* The kinds of nodes in the graph of reach.c: what may lead to the thing that is asked for. */
typedef enum odds_reach_kind {
    ODDS_REACH_TERRAIN,
    ODDS_REACH_CHUNK,
    ODDS_REACH_PALETTE,
    ODDS_REACH_KINDS
} odds_reach_kind;

typedef struct odds_reach_node {
    odds_reach_kind kind;
    /* `id`: id of the terrain, chunk or palette. `type`: for a terrain, the id under which code
     * may make its ground; else the same as `id`. */
    uint32_t id, type;
    /* The node's part of odds_reach.edges: index of the first, and how many. */
    size_t first, count;
    bool may; /* the thing that is asked for may come from this node */
} odds_reach_node;

typedef struct odds_reach {
    /* For each id (a uint32_t), the number of its node in `nodes` plus 1. */
    by_id numbers[ODDS_REACH_KINDS];
    /* For each id (a uint32_t): GIVES if the thing may come from it. */
    by_id gives;
    odds_reach_node *nodes; /* owned */
    size_t count, room;
    uint32_t *edges; /* owned; numbers of the nodes that nodes lead to */
    size_t edge_count, edge_room;
} odds_reach;

struct odds {
    odds_source source;
    /* For each kind of things: a table from a thing's id to its slot (a uint32_t). */
    by_id slots[PTL_LOOT_KINDS];
    struct slot_thing {
        ptl_loot_kind kind;
        uint32_t id;
    } * things; /* owned; things[slot] is the thing that has the slot */
    size_t slot_count, slot_room;
    /* For each group's id (a uint32_t), the index in `memo` of the first set that was computed
     * for the group. */
    by_id memo_of;
    odds_group_set *memo; /* owned; the numbers of its elements begin at 1 */
    size_t memo_count, memo_room;
    odds_sum *free_sums;  /* owned; list of sums that are not in use, for sum_begin */
    odds_figure *figures; /* owned; the figures that the last call of odds_of_map returned */
    size_t figure_room;
    odds_tree_state tree;
    odds_counting counting;
    odds_reach reach;
    /* The item groups that are being computed, each inside of the one before. If one of them
     * names a group that is already in this list, `reached` becomes the index of that group, or
     * stays if it is lower. The set of the naming group then depends on the groups above it in
     * the list. */
    uint32_t way[64];
    int depth, reached;
    uint64_t steps;  /* work that was done for the present map */
    uint32_t doubts; /* why all figures of the present map may be inexact (ODDS_REMOVED, ...) */
    uint32_t null_id;
    /* Slot of the only thing whose figures are asked for; SLOT_ANY: those of all things are. */
    uint32_t only;
    /* Owned; computes figures of all things where the one that is asked for depends on the
     * others. NULL: none has depended on others so far. */
    struct odds *whole;
    bool failed, stopped;
};

/* sums.c: */
/* Returns the slot of a thing; SLOT_ANY when memory is out. */
uint32_t odds_slot(odds *o, ptl_loot_kind kind, uint32_t id);
/* Are figures of things of this kind asked for? If the figures of a group are asked for, all
 * kinds count, as a group may be drawn from on the way to things of any kind. */
static inline bool odds_wants(const odds *o, ptl_loot_kind kind)
{
    const ptl_loot_kind only = o->only ? o->things[o->only].kind : kind;
    return only == kind || only == PTL_LOOT_GROUP;
}

/* Returns an empty sum of figures. sum_take turns it into a set. NULL when memory is out. */
odds_sum *sum_begin(odds *o);
/* Ends a sum and returns it as a set. */
odds_set sum_take(odds *o, odds_sum *sum);
/* Adds a figure to the sum; whether its thing comes must not depend on other things in the
 * sum. */
void sum_put(odds *o, odds_sum *sum, odds_part part);
/* Adds a set that is drawn several times: `times` says how often. Each draw is independent of
 * all other ones. */
void sum_join(odds *o, odds_sum *sum, const odds_set *set, odds_times times);
/* Adds a set that is one of several alternatives in the sum: it is drawn with the probability
 * `share`, and if it is drawn, no other alternative is. */
void sum_blend(odds *o, odds_sum *sum, const odds_set *set, double share);
void set_free(odds_set *set);
/* Returns the set without the figure that stands for all items together (SLOT_ANY). */
odds_set without_any(odds_set set);
odds_set set_copy(odds *o, const odds_set *set);
/* Multiplies all figures of a set by a probability. */
void set_scale(odds_set *set, double share);
void set_doubt(odds_set *set, uint32_t doubts);
/* Returns a thing's figure in a set; it is all zeroes if the set has none for this slot. */
odds_part set_part(const odds_set *set, uint32_t slot);
double odds_mean_times(odds_times times);
/* Counts `steps` steps of work. Returns whether the computation may go on: not if memory is out
 * or the caller asked to stop. */
bool odds_go(odds *o, size_t steps);

/* Begins a step (node) of the tree of steps, if a tree is being built. Returns the node's
 * number. With it node_end states what each use of the step gives, or drops the step if it
 * gives nothing. */
size_t node_begin(odds *o, odds_node node);
void node_end(odds *o, size_t number, const odds_set *set);
/* Removes all steps that were added to the tree of steps since `before`, a copy of its state,
 * was made. */
void node_back(odds *o, const odds_tree_state *before);
/* Adds a step to the tree that has no further steps inside of it: the thing itself, which comes
 * `mean` times. */
void node_leaf(odds *o, odds_step step, uint32_t slot, double mean);

/* items.c: */
/* Returns what is drawn from an item group; *known is false if there is no such group. */
odds_set odds_group(odds *o, uint32_t id, mapgen_loading loading, bool *known);
/* Returns the index, in odds.memo, of the figures of what is drawn from an item group. They are
 * computed if they are not there yet. 0: there is no such group, or the figures hold only
 * inside of the groups around it and are not kept. */
uint32_t odds_group_number(odds *o, uint32_t id, mapgen_loading loading);
/* Returns the figures of one item with all that comes with it, such as its container and
 * magazine (as mapgen_draw_item makes it). */
odds_set odds_item(odds *o, uint32_t id, const mapgen_told *told);

/* fit.c: */
/* The most room that items may take, in millilitres: the largest item alone, and all items
 * together. */
typedef struct odds_room {
    double each, total;
} odds_room;
/* Returns how much room the items of a collection or distribution take at most. */
odds_room odds_room_of(odds *o, const spawn *s);

/* reach.c: */
/* May the one thing that odds_only has named come from what this id names: an item, a monster,
 * a vehicle or any kind of group? */
bool odds_gives(odds *o, uint32_t id);
void reach_dispose(odds_reach *r);

/* counts.c: */
void counting_dispose(odds_counting *c);

/* monsters.c: */
/* Returns what one random choice from a monster group gives; *known is false if there is no
 * such group. */
odds_set odds_pack(odds *o, uint32_t group, bool *known);
/* Returns what one random choice from a monster group gives, as figures; *known is false if
 * there is no such group. */
odds_set odds_population(odds *o, uint32_t group, int64_t least, int64_t most);
odds_set odds_monsters(odds *o, uint32_t group, uint32_t density);
odds_set odds_vehicle(odds *o, uint32_t id);
