/*
 * Internals of the connection engine. For each connection every oter has a class, which says
 * what would be drawn on it, how a path may pass it, and which arms it has for the connection.
 * So each cell needs only a look-up in a table, unless subtypes are chosen at random by weight:
 * then the choice depends on the path.
 *
 * Besides the OMTs that the subtypes draw, a path may pass two more kinds of OMTs, which stay
 * as they are. (1) The other OMTs of a bridge on two levels ("<id>_under", "<id>_center_under",
 * "<id>head_ground"), which step_bridges makes of the bridge's drawn OMTs: a path passes them
 * along their axis. (2) The rotated OMTs that another connection draws over a line of this
 * connection: a path passes them across their axis.
 */
#pragma once

#include "gen/connect/connect.h"
#include "model/direction.h"

#include <math.h>

enum {
    CELLS = SIZE * SIZE,
    CONNECT_NEW = 5, /* a new OMT costs this plus basic_cost of its subtype */
    /* The cost of a new OMT that is not linear, such as a bridge, has its basic_cost divided by
     * BRIDGE_PART; with the flag ORTHOGONAL it is divided by BRIDGE_PART_ORTHOGONAL. */
    BRIDGE_PART = 13,
    BRIDGE_PART_ORTHOGONAL = 5,
    /* Cost of an OMT that already has the connection, in the search for a short cut
     * (connect_short_cut). In other searches the cost is 1. */
    SHORT_CUT_OMT = 3,
    DRAW_NONE = -1, /* value of oter_class.subtype: nothing may be drawn on the oter */
    DRAW_KEEP = -2, /* value of oter_class.subtype: a path leaves the oter as it is */
    /* A connection may choose at random by weight between some of its subtypes. This is the
     * most of such choices that a connection can have; where it has more, the first subtype
     * that allows the ground is used. */
    CHOICES_MAX = 64
};

/* How a path may enter a cell, in one number of 32 bits, of which these constants are the
 * parts. The number is 0 if the cell can't be entered. */
enum {
    STEP_COST = 0x3fff, /* the bits that hold the cost of entering the cell */
    /* Index of the lowest of four bits of the number. There is one for each direction: set if a
     * path may enter the cell in this direction. */
    STEP_ENTER_SHIFT = 16,
    STEP_RIGID = 1 << 20, /* a path must leave the cell in the direction in which it entered */
    /* The subtype on the cell is ORTHOGONAL: if a path turns on the cell, this turn counts. */
    STEP_TURN_COUNTS = 1 << 21,
    STEP_GOAL = 1 << 22, /* a path to the nearest OMT of the connection may end here */
    /* If a cell has none of these bits, no path can enter it, and none to the nearest OMT can
     * end in it. */
    STEP_OPENS = 15 << STEP_ENTER_SHIFT | STEP_GOAL,
    STEP_BITS = (1 << 23) - 1
};

/* Bits that compiled_connection.looks has for an oter in addition to the bits STEP_*. They are
 * needed for whole levels, or for the neighbours of many cells. */
enum {
    LOOK_HAS = 1 << 23, /* the oter belongs to the connection */
    /* The subtype for this oter is chosen at random by weight, and the bits STEP_* of the
     * possible subtypes differ. */
    LOOK_CHOICE = 1 << 24,
    /* The cost of entering the cell is 1, because an OMT of the connection is there already. */
    LOOK_OMT = 1 << 25,
    LOOK_LINE = 1 << 26,    /* the oter belongs to the connection and is linear */
    LOOK_ANSWERS_SHIFT = 27 /* index of the lowest of four bits, which are a copy of
                             * oter_class.answers */
};

typedef struct oter_class {
    uint32_t step;
    /* Index of the subtype that is drawn if a path goes over this oter; DRAW_NONE: none can be
     * drawn; DRAW_KEEP: the OMT stays as it is. */
    int8_t subtype;
    uint8_t shape;
    /* Arms that an OMT with this oter has for the connection: bit 0 north, 1 east, 2 south, 3
     * west. */
    uint8_t answers;
    /* If several subtypes may be drawn here, one is chosen at random by weight. 1 + the index
     * of that weighted choice in compiled_connection.choices; 0: there is no such choice. */
    uint8_t choice;
    bool has; /* the oter belongs to the connection */
    bool end; /* whether a path may end on an OMT with this oter */
} oter_class;

/* A set of subtypes, one of which is chosen at random by weight for each path. */
typedef struct weighted_choice {
    /* Bit i: the subtype i has a weight above 0, and it allows the ground for which this
     * choice is made. */
    uint32_t subtypes;
    /* Whether a path's cost or course depends on which of the subtypes is chosen, so that
     * the search must know it. */
    bool matters;
} weighted_choice;

typedef struct compiled_connection {
    const cat_connection *connection; /* borrowed */
    uint64_t key;        /* hash of the connection's id, for keys of random numbers */
    oter_class *classes; /* by oter */
    uint32_t *looks; /* by oter: how a path may enter it (bits STEP_*), and what the engine asks
                      * about many cells (bits LOOK_*) */
    weighted_choice choices[CHOICES_MAX];
    size_t choice_count;
    int32_t cheapest;     /* the least cost of entering a cell on which the connection is newly
                           * drawn */
    int32_t dearest;      /* the greatest cost of entering a cell on which the connection is
                           * newly drawn */
    bool turns_count;     /* a subtype of the connection is ORTHOGONAL */
    bool all_turns_count; /* all subtypes of the connection are ORTHOGONAL */
    bool wanders;         /* whether connect_wander.h chooses between paths of equal cost */
    /* Index of the first linear subtype; 0, the first subtype, if none is linear. */
    uint8_t default_subtype;
} compiled_connection;

/* A bridge on two levels. It is made of several terrains, each with four oters for the four
 * rotations; a member of this struct has the first of the four. */
typedef struct bridge_kind {
    size_t connection;
    uint16_t terrain; /* the terrain that the connection draws for the bridge */
    /* Terrain that replaces the bridge's OMT below the roadway; CAT_NONE: the OMT that the
     * connection drew there stays. */
    ptl_oter under;
    ptl_oter deck; /* oter of the bridge on its upper level */
    /* Terrains of an end of the bridge: `foot` on its lower level, `ramp` on its upper one. */
    ptl_oter foot, ramp;
    ptl_oter flat; /* the connection's first linear oter, which replaces a bridge of one OMT;
                      CAT_NONE if it has none */
} bridge_kind;

/* Bits of gen_connections.lines for each oter: the arms of the oter (LINE_ARMS), and whether
 * its terrain is linear (LINE_IS). */
enum { LINE_ARMS = 15, LINE_IS = 16 };

struct gen_connections {
    const catalogue *cat; /* borrowed */
    bool exact; /* true: made by connect_compile with its argument `exact`, for worlds with
                   exact roads */
    /* By oter: if its terrain is linear, LINE_IS and the oter's arms as bits 0..3; else 0. */
    uint8_t *lines;
    compiled_connection *list;
    size_t count;
    bridge_kind *bridges;
    size_t bridge_count;
};

/*
 * The A* search keeps what it knows of a state (see struct connector) in one word of 64 bits.
 * So a single read and comparison tells whether a new way to the state is better. The upper
 * bits are compared. They hold the stamp of the search, which counts down so that any older
 * word is greater; then the cost and the number of turns from the start. The lower bits are not
 * compared. They hold whether the state is closed, the direction of the move into it
 * (START_CAME at the start), and the layer of the previous state.
 *
 * The number of turns stays below 32,768, which is more than the number of cells. A path passes
 * a cell at most twice, so its cost is below 2 * CELLS * STEP_COST < 2^30.
 */
enum {
    START_CAME = 4,
    /* A state has a word of 64 bits, which is made of several parts. Each WORD_ constant is the
     * position of the lowest bit of one part. */
    WORD_CAME = 2,
    WORD_CLOSED = 5,
    WORD_PRICE = 6, /* Shifted right by this, a word has the search's stamp, the cost and the
                     * number of turns. Of two such words with the same stamp, the greater one
                     * has the greater cost or, for equal costs, more turns. */
    WORD_TURNS = 6,
    WORD_COST = 21,
    WORD_STAMP = 51,
    TURN_BITS = WORD_COST - WORD_TURNS,
    COST_BITS = WORD_STAMP - WORD_COST,
    STAMP_MAX = 8191
};

typedef struct queue_entry {
    uint64_t rank;
    /* A bucket of the queue is a linked list. This is the index, in connector.entries, of the
     * entry that was added to the bucket before this one. */
    uint32_t older;
} queue_entry;

enum {
    LAYER = 32768, /* number of a level's cells, rounded up to a power of two */
    SEARCH_STATES = 4 * LAYER,
    /* How many of the lowest bits of queue_entry.rank hold the entry's state. */
    STATE_BITS = 17,
    STATE_MASK = (1 << STATE_BITS) - 1,
    TIE_BITS = 20,
    /* Number of the queue's buckets. It is greater than any number by which a step can raise
     * the estimated cost of a path, so that two different costs never share a bucket. */
    BUCKETS = 32768
};

enum {
    TOUCHED_MAX = 4096,
    FRESH_MAX = 1024,
    /* Number of connect_view objects. With three, the roads, trails and other lines of up to
     * three connections can be drawn on a level in turn, without making a view anew each time.
     */
    VIEWS = 3,
    CONNECT_NO_LEVEL = 127,
    FAR_MAX = 255,
    STALE_COLUMNS = 16,
    /* Length of a row of distances in connect_view.far: one for each of the 180 cells, rounded
     * up to whole vectors of any size. */
    FAR_WIDTH = 192
};

/*
 * A connect_view is all that the searches of one connection need of a level. It has a copy of
 * the level's cells as they were at the last search, and what was computed from them. Several
 * views are kept, because specials let the roads and the trails of a level be drawn by turns.
 */
typedef struct connect_view {
    ptl_oter *seen;
    uint32_t *grid; /* by cell: bits STEP_*; 0 on the chunk's outermost cells */
    /* For each row of the grid, a bit for each group of STALE_COLUMNS columns. It is set if a
     * cell of the row in these columns may have been written since the search of
     * connect_field_rows.h last read the row. */
    uint32_t stale[SIZE];
    uint8_t *omts; /* rows of FAR_WIDTH: 0 where the connection has an OMT, else FAR_MAX */
    /* For each cell, in rows of FAR_WIDTH numbers: Manhattan distance to the nearest OMT of the
     * connection, at most FAR_MAX; brought up to date by connect_measure. */
    uint8_t *far;
    /* Cells that have become OMTs of the connection since the distances in `far` were last
     * brought up to date. If `far_anew` is set, all these distances must be measured anew
     * instead. */
    uint16_t fresh[FRESH_MAX];
    size_t fresh_count;
    bool far_anew;
    /* For each column (and each row) of cells: whether it has an OMT of the connection. */
    bool column_has[SIZE], row_has[SIZE];
    /* For each column of cells (and for each row): how many columns (or rows) with lower
     * numbers have no OMT of the connection. */
    int16_t bare_columns[SIZE + 1], bare_rows[SIZE + 1];
    bool lines_measured; /* whether to_column and to_row, distances to columns and rows with
                            OMTs of the connection, are valid */
    /* For a search for the nearest OMT of the connection. By column: the distance to the
     * nearest column that has such an OMT. By row: the distance to the nearest row that has
     * one. */
    int16_t to_column[SIZE], to_row[SIZE];
    /* Cells from which no OMT of the connection can be reached, as a search has found: cell c
     * is bit c % 64 of word c / 64. All bits are cleared when a change of the level lets paths
     * enter a further cell, or makes a further cell a goal. */
    uint64_t hopeless[(CELLS + 63) / 64];
    bool valid;
    size_t connection;
    int8_t choice[CHOICES_MAX];
    /* The level's array of cells; `seen` is a copy of these cells. The pointer is only compared
     * with that of the present level, to find out whether the copy is of this level. */
    const ptl_oter *cells;
    uint32_t record; /* value of `connector.record` (the number of the list of written cells)
                      * when this view was last used */
    /* How many of the cells in connector.touched (cells that were written) have been brought up
     * to date in this connect_view. */
    size_t known;
    uint32_t last_use; /* value of `connector.uses` when this view was last used */
} connect_view;

/* Memory of the code that draws connections. The search for a path visits states. A state's
 * number is its layer times LAYER, plus its cell. Where it matters in which direction the path
 * entered the cell, the layer, 0..3, is this direction; elsewhere it is 0. */
struct connector {
    struct field_search *field; /* memory of the search of connect_field_kernel.h */
    uint64_t *states;
    uint32_t stamp;
    /* `entries` has all entries that were added to the queue in this search. `heap` is a heap
     * of ranks, with room for as many numbers as `entries` has. */
    queue_entry *entries;
    uint64_t *heap;
    size_t pushed, room, queued, heap_count;
    /* True if turns count. Then states of equal cost leave the queue in the order of
     * queue_rank. */
    bool by_rank;
    uint32_t bucket; /* index of the queue's present bucket, from which states are taken */
    uint32_t newest[BUCKETS];
    /* A bit for each bucket of the queue: set if the bucket has states. */
    uint64_t filled[BUCKETS / 64];
    path_node *path; /* CELLS nodes */
    size_t path_count;
    connect_view views[VIEWS];
    connect_view *view; /* the connect_view that the last search used */
    uint32_t uses;      /* number of the calls of connect_sync so far */
    uint16_t *queue;    /* scratch memory of connect_parts: a queue of cells */
    /* If connect_seek made the last search: the level of that search; else CONNECT_NO_LEVEL. */
    int8_t linked;
    /* The list `touched` records all cells of one level that were written since the list was
     * last emptied; all searches since then were on this level. `record` is the number of that
     * list: it grows when the list is emptied, because other code may have written cells. */
    uint32_t record;
    size_t touched_count;
    uint16_t touched[TOUCHED_MAX]; /* cells */
    int8_t choice[CHOICES_MAX];
    /* Key of the hash by which paths wander (connect_wander.h), set by connect_choose. */
    uint64_t wander;
    int32_t *labels; /* scratch memory of the functions of connect.c */
    bool *goals;
};

static const int32_t STEP_DELTA[4] = {-SIZE, 1, SIZE, -1};

/* Sets, in connect_view.grid, how a path may enter a cell (bits STEP_*). Once a grid is made,
 * all writes to it use this function, which marks the cell as stale for connect_field_rows.h.
 */
static inline void connect_set_step(connect_view *v, int32_t cell, uint32_t step)
{
    v->grid[cell] = step;
    v->stale[cell / SIZE] |= UINT32_C(1) << cell % SIZE / STALE_COLUMNS;
}

static inline compiled_connection *compiled(const generator *g, size_t connection)
{
    return &g->config->connections->list[connection];
}

/* Returns, as bits of directions, the axis that a direction lies on: 5 for north and south, 10
 * for east and west. */
static inline int axis_of(int direction)
{
    return direction & 1 ? 10 : 5;
}

/* Makes the random decisions for a path, from the seed and the path's ends: which subtype each
 * weighted choice of the connection gives, and the key of the random numbers that choose
 * between equally cheap steps if the path wanders. */
void connect_choose(generator *g, size_t connection, int32_t z, int32_t from, int32_t to);

/* Returns the class of an oter, which says what the connection would build on it and how a
 * path may pass it. Call this only for an oter whose subtype is chosen at random by weight,
 * after connect_choose has chosen it for the present path. */
oter_class connect_class_chosen(const generator *g, size_t connection, ptl_oter oter);

/* Returns the class of an oter, with the weighted choices that connect_choose drew for the
 * path. */
static inline oter_class connect_class(const generator *g, size_t connection, ptl_oter oter)
{
    const oter_class *class = &compiled(g, connection)->classes[oter];
    return class->choice ? connect_class_chosen(g, connection, oter) : *class;
}

/* Returns the direction into the chunk from an exit (an end at which a path leaves the chunk).
 */
int connect_inward(connect_end end);
/* Returns whether the end lies on the chunk's border and its path leaves the chunk there:
 * the next cell in the direction opposite to connect_inward is outside of the chunk. */
bool connect_is_exit(connect_end end);

/* Returns whether the neighbour of a linear OMT, in a direction in which the OMT has an arm,
 * has an arm back to it. It is enough if it has one for any of the connections to which the OMT
 * belongs. */
bool connect_answered(const gen_connections *all, ptl_oter line, int direction,
                      ptl_oter neighbour);

/* What a search has to find. */
typedef struct path_task {
    size_t connection;
    /* Start and goal; if `to` is -1, all cells in connector.goals are goals. */
    int32_t from, to;
    /* The directions that the path's first and last step must have, or CONNECT_ANY. */
    int8_t first, last;
    /* True in a search for the nearest OMT of the connection: `to` is -1, and the path may end
     * at any such OMT where a path can end. `first` then only forbids a direction: the path's
     * first move may not be opposite to it. */
    bool nearest;
} path_task;

/* Begins a new search: the states that earlier searches have stored count as not yet reached.
 */
void connect_new_stamp(connector *k);

/* Makes connector.view point to the connect_view of this connection and level, and brings that
 * view up to date. If the connector has recorded all cells that were written since the view was
 * last used, only these cells are looked at; otherwise all cells are compared with the view's
 * copy of them. */
void connect_sync(generator *g, size_t connection, const ptl_oter *cells);

/* Begins a new record of written cells, because other code may have written cells that the
 * present record lacks. */
static inline void connect_forget(connector *k)
{
    k->record++;
    k->touched_count = 0;
}

/* Marks every connect_view as invalid, so that the next searches make them anew. */
void connect_drop_views(connector *k);

/* Brings the distances in `v->far` up to date; call this after connect_sync. */
void connect_measure(connect_view *v);
/* Updates the distances in `v->far` for connect_measure (connect_far_kernel.h). Reads
 * `v->fresh` and `v->far_anew`, and does not change them. */
typedef void connect_measurer(connect_view *v);
connect_measurer connect_measure_base;
/* The same as connect_measure_base if this build has no AVX2. */
connect_measurer connect_measure_avx2;

/* Adds a cell that has been written to the connector's record. */
static inline void connect_touch(connector *k, int32_t cell)
{
    if (k->touched_count == TOUCHED_MAX)
        connect_forget(k);
    else
        k->touched[k->touched_count++] = (uint16_t)cell;
}

/* Returns the distance as the crow flies, cut to a whole number; dx and dy are below SIZE. */
static inline int32_t connect_distance(int32_t dx, int32_t dy)
{
    return (int32_t)sqrtf((float)(dx * dx + dy * dy));
}

/* Finds a path between two points as the games do (connect_greedy.c), and writes it to
 * connector.path. False if this search finds none: there may be a path all the same. */
bool connect_greedy(generator *g, const path_task *task, const ptl_oter *cells);

/* Finds a path and writes it to connector.path: a cheapest one, or that of connect_greedy
 * between two points if the world's settings ask for it. False if there is no path. */
bool connect_search(generator *g, const path_task *task, const ptl_oter *cells);
/* Ring r has all cells at the Manhattan distance r from the goal. cost[i] is a bound for paths
 * that cross the i innermost rings: in these rings a path costs at least so much more than over
 * the cheapest new OMTs. connect_path.c uses this for its estimates. */
enum { RINGS_MAX = 6 };
typedef struct ring_costs {
    int32_t count, cost[RINGS_MAX + 1];
} ring_costs;

/* Results of the search of connect_field_kernel.h. That search takes the place of
 * connect_search, between two points or to the nearest OMT of the connection, if turns do not
 * count or count on some cells only. Before the search, connect_view.grid must have 0 for the
 * start, and for the goal the bits STEP_* that let a path enter it. */
typedef enum field_result {
    FIELD_FOUND,
    FIELD_NO_PATH,
    FIELD_TOO_DEAR /* a path, if there is one, costs more than the search can count */
} field_result;
typedef struct field_search field_search;

/* connect_direct.c: finds a path to the nearest OMT of the connection over open ground, without
 * a search. If it returns false, there may be a path all the same. */
bool connect_direct(generator *g, const path_task *task, const ptl_oter *cells);

/* Draws one OMT of the connection, on any ground, with one arm or (CONNECT_ANY) without
 * arms. */
void connect_draw_end(generator *g, size_t connection, int32_t z, int32_t cell, int arm);

/* Draws the nodes of a path. Ends that are exits, at which the path leaves the chunk, get an
 * arm that points out of the chunk. */
void connect_draw_path(generator *g, size_t connection, int32_t z, const path_node *nodes,
                       size_t count, const connect_end *from, const connect_end *to);
