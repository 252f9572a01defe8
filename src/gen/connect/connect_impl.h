/*
 * Internals of the connection engine. For each connection every oter has a class, which says
 * what would be drawn on it, how a path may pass it, and which arms it answers. So each cell
 * needs only a look-up in a table, unless subtypes are drawn by weight: then the choice depends
 * on the path.
 *
 * Besides the OMTs that the subtypes draw, a path may pass two more kinds of OMTs, which stay
 * as they are. Companions of a bridge ("<id>_under", "<id>_center_under", "<id>head_ground"),
 * which step_bridges makes of the bridge's OMTs, are passed along their axis. Crossings, the
 * rotated OMTs that another connection draws over a line of this connection, are passed across
 * their axis.
 */
#pragma once

#include "gen/connect/connect.h"
#include "model/direction.h"

enum {
    CELLS = SIZE * SIZE,
    CONNECT_NEW = 5, /* a new OMT costs this plus basic_cost of its subtype */
    /* Divisors of basic_cost for an OMT that is not linear, the second for ORTHOGONAL
     * subtypes. */
    BRIDGE_PART = 13,
    BRIDGE_PART_ORTHOGONAL = 5,
    SHORT_CUT_OMT = 3, /* cost of an existing OMT for a short cut; otherwise 1 */
    DRAW_NONE = -1,    /* instead of a subtype: nothing may be drawn on the oter */
    DRAW_KEEP = -2,    /* instead of a subtype: a path passes the oter, which stays as it is */
    CHOICES_MAX = 64   /* sets of weighted subtypes of a connection; beyond these, the first
                        * subtype   that allows the ground is drawn */
};

/* A step: what the search must know of a cell, in one number. 0: the cell can't be entered. */
enum {
    STEP_COST = 0x3fff,         /* the bits that hold the cost of entering the cell */
    STEP_ENTER_SHIFT = 16,      /* four bits: the directions in which the cell may be entered */
    STEP_RIGID = 1 << 20,       /* a path must leave in the direction in which it entered */
    STEP_TURN_COUNTS = 1 << 21, /* the subtype is ORTHOGONAL: turns should be few */
    STEP_GOAL = 1 << 22,        /* a path to the nearest OMT of the connection may end here */
    STEP_BITS = (1 << 23) - 1
};

/* Bits that compiled_connection.looks has beside those of a step: facts of an oter that are
 * needed for whole levels, or for the neighbours of many cells. */
enum {
    LOOK_HAS = 1 << 23,     /* the oter belongs to the connection */
    LOOK_CHOICE = 1 << 24,  /* subtypes are drawn by weight, and their steps differ */
    LOOK_OMT = 1 << 25,     /* the step costs 1: an OMT of the connection is there already */
    LOOK_LINE = 1 << 26,    /* the oter belongs to the connection and is linear */
    LOOK_ANSWERS_SHIFT = 27 /* four bits: oter_class.answers */
};

typedef struct oter_class {
    uint32_t step;
    int8_t subtype;  /* index of the subtype that is drawn here, or DRAW_* */
    uint8_t shape;   /* shape of that subtype */
    uint8_t answers; /* arms that the OMT has for this connection: bit 0 north .. 3 west */
    uint8_t choice; /* 1 + index of a weighted choice that decides the members above; 0: none */
    bool has;       /* the oter belongs to the connection */
    bool end;       /* a path may end here */
} oter_class;

/* A set of subtypes, one of which is drawn by weight for each path. */
typedef struct weighted_choice {
    uint32_t subtypes; /* bits of the subtypes with weight > 0 that allow the ground */
    bool matters;      /* the search must know the choice, because the subtypes' steps differ */
} weighted_choice;

typedef struct compiled_connection {
    const cat_connection *connection; /* borrowed */
    uint64_t key;                     /* hash key of its id */
    oter_class *classes;              /* by oter */
    uint32_t *looks;                  /* by oter: step of its class, and bits LOOK_* */
    weighted_choice choices[CHOICES_MAX];
    size_t choice_count;
    int32_t cheapest;        /* the least cost of a new OMT */
    int32_t dearest;         /* the greatest cost of a new OMT */
    bool turns_count;        /* some subtype is ORTHOGONAL */
    bool all_turns_count;    /* all subtypes are ORTHOGONAL */
    bool wanders;            /* connect_wander.h chooses between paths of equal cost */
    uint8_t default_subtype; /* the first linear subtype, else the first one */
} compiled_connection;

/* A bridge on two levels. Each of its pieces is given by the first of the piece's four
 * oters. */
typedef struct bridge_kind {
    size_t connection;
    uint16_t terrain;    /* the terrain that the connection draws for the bridge */
    ptl_oter under;      /* piece below the deck; CAT_NONE: the OMT that was drawn stays */
    ptl_oter deck;       /* piece one level up */
    ptl_oter foot, ramp; /* pieces of an end: on the lower and on the upper level */
    ptl_oter flat;       /* first linear oter of the connection; CAT_NONE if it has none */
} bridge_kind;

/* Bits of gen_connections.lines for each oter: its arms, and whether its terrain is linear. */
enum { LINE_ARMS = 15, LINE_IS = 16 };

struct gen_connections {
    const catalogue *cat; /* borrowed */
    bool exact;           /* the argument of connect_compile */
    uint8_t *lines;       /* by oter: LINE_IS and the arms of a line, or 0 */
    compiled_connection *list;
    size_t count;
    bridge_kind *bridges;
    size_t bridge_count;
};

/*
 * What the search knows of a state (struct connector says what a state is) in one word, so that
 * a single read and comparison tells whether a new way to the state is better. The upper bits
 * are compared: the stamp of the search, which counts down so that any older word is greater;
 * then cost and turns from the start. The lower bits are not compared: whether the state is
 * closed, the direction of the move into it (START_CAME at the start), and the layer of the
 * previous state.
 *
 * Turns stay below 32,768, which is more than the number of cells. A path passes a cell at
 * most twice, so its cost is below 2 * CELLS * STEP_COST < 2^30.
 */
enum {
    START_CAME = 4,
    /* The WORD_ constants are the positions of the lowest bits of the word's parts. */
    WORD_CAME = 2,
    WORD_CLOSED = 5,
    WORD_PRICE = 6, /* the bits from this one on are compared */
    WORD_TURNS = 6,
    WORD_COST = 21,
    WORD_STAMP = 51,
    TURN_BITS = WORD_COST - WORD_TURNS,
    COST_BITS = WORD_STAMP - WORD_COST,
    STAMP_MAX = 8191
};

typedef struct queue_entry {
    uint64_t rank;
    uint32_t older; /* index of the next older entry of the same bucket */
} queue_entry;

enum {
    LAYER = 32768, /* number of a level's cells, rounded up to a power of two */
    SEARCH_STATES = 4 * LAYER,
    STATE_BITS = 17, /* low bits of a queue_entry's rank, which hold its state */
    STATE_MASK = (1 << STATE_BITS) - 1,
    TIE_BITS = 20,
    BUCKETS = 32768 /* more than the cost of a step plus the change of the estimate */
};

enum {
    TOUCHED_MAX = 4096,
    FRESH_MAX = 1024,
    VIEWS = 3, /* kept views: as many connections may be drawn on one level in turn */
    CONNECT_NO_LEVEL = 127,
    FAR_MAX = 255,
    STALE_COLUMNS = 16,
    FAR_WIDTH = 192 /* cells in a row of distances, rounded up to whole vectors of any size */
};

/*
 * A view: all that the searches of one connection need of a level. It has a copy of the level's
 * cells as they were at the last search, and what was computed from them. The roads and trails
 * of specials are drawn in turn, so several views are kept.
 */
typedef struct connect_view {
    ptl_oter *seen;
    uint32_t *grid;       /* the step of each cell; 0 on the border ring */
    uint32_t stale[SIZE]; /* for each row of the grid, bit x / STALE_COLUMNS: these columns may
                           * have been written since connect_field_rows.h read them */
    uint8_t *omts; /* rows of FAR_WIDTH: 0 where the connection has an OMT, else FAR_MAX */
    uint8_t *far; /* rows of FAR_WIDTH: Manhattan distance to the nearest OMT of the connection,
                   * at most FAR_MAX; brought up to date by connect_measure */
    /* New OMTs of the connection that `far` does not take into account yet. far_anew: all
     * distances must be measured anew. */
    uint16_t fresh[FRESH_MAX];
    size_t fresh_count;
    bool far_anew;
    bool column_has[SIZE],
        row_has[SIZE]; /* does the column or row have an OMT of the connection */
    /* By column or row: how many of those before it have no OMT of the connection. */
    int16_t bare_columns[SIZE + 1], bare_rows[SIZE + 1];
    bool lines_measured;                   /* to_column and to_row are up to date */
    int16_t to_column[SIZE], to_row[SIZE]; /* for a search for the nearest OMT: the distance to
                                            * the next column or row that has an OMT */
    bool valid;
    size_t connection; /* the connection that the view belongs to */
    int8_t choice[CHOICES_MAX];
    const ptl_oter *cells; /* the level's cells; only the pointer is compared */
    uint32_t record;       /* connector.record as of the last search */
    size_t known;          /* how many entries of that record the view takes into account */
    uint32_t last_use;     /* connector.uses as of the last search */
} connect_view;

/* The engine's memory. The search visits states. A state is layer * LAYER + cell. Where it
 * matters in which direction the path entered the cell, the layer, 0..3, is this direction;
 * elsewhere it is 0. */
struct connector {
    struct field_search *field; /* see connect_field.h */
    uint64_t *states;
    uint32_t stamp;
    queue_entry *entries; /* all entries that were pushed; `heap` has as much room */
    uint64_t *heap;
    size_t pushed, room, queued, heap_count;
    bool by_rank;    /* turns count, so that a bucket is emptied by rank */
    uint32_t bucket; /* the bucket from which states are taken */
    uint32_t newest[BUCKETS];
    uint64_t filled[BUCKETS / 64]; /* by bucket, a bit: the bucket is not empty */
    path_node *path;               /* CELLS nodes */
    size_t path_count;
    connect_view views[VIEWS];
    connect_view *view; /* the view of the last search */
    uint32_t uses;      /* how many searches have used a view so far */
    uint16_t *queue;    /* scratch memory of connect_parts */
    int8_t linked; /* level of the last search if connect_seek made it; else CONNECT_NO_LEVEL */
    /* The record: all cells that were written since the record began, on the level of the
     * searches since then. When other code may have written, a new record begins, with a new
     * number. */
    uint32_t record;
    size_t touched_count;
    uint16_t touched[TOUCHED_MAX]; /* cells */
    int8_t choice[CHOICES_MAX];
    uint64_t wander; /* key of connect_wander.h, set by connect_choose */
    int32_t *labels; /* scratch memory of connect_to_any and connect_link */
    bool *goals;
};

static const int32_t STEP_DELTA[4] = {-SIZE, 1, SIZE, -1};

/* Sets the step of a cell. All later writes to a grid use this function, which marks the cell
 * as stale for connect_field_rows.h. */
static inline void connect_set_step(connect_view *v, int32_t cell, uint32_t step)
{
    v->grid[cell] = step;
    v->stale[cell / SIZE] |= UINT32_C(1) << cell % SIZE / STALE_COLUMNS;
}

static inline compiled_connection *compiled(const generator *g, size_t connection)
{
    return &g->config->connections->list[connection];
}

/* Returns the two directions of an axis as bits: 5 for north and south, 10 for east and
 * west. */
static inline int axis_of(int direction)
{
    return direction & 1 ? 10 : 5;
}

/* Draws, from the seed and the path's ends, which subtype each weighted choice gives for the
 * path, and makes the key by which the path wanders. */
void connect_choose(generator *g, size_t connection, int32_t z, int32_t from, int32_t to);

/* Returns the class of an oter whose subtype is a weighted choice, as connect_choose drew
 * it. */
oter_class connect_class_chosen(const generator *g, size_t connection, ptl_oter oter);

/* Returns the class of an oter, with the weighted choices that connect_choose drew for the
 * path. */
static inline oter_class connect_class(const generator *g, size_t connection, ptl_oter oter)
{
    const oter_class *class = &compiled(g, connection)->classes[oter];
    return class->choice ? connect_class_chosen(g, connection, oter) : *class;
}

/* Returns the direction that leads from an exit into the chunk. */
int connect_inward(connect_end end);
/* Is the neighbour of the end, in the direction opposite to connect_inward, outside of the
 * chunk? */
bool connect_is_exit(connect_end end);

/* Does the neighbour in this direction of a linear OMT have an arm back, for any connection
 * that the OMT belongs to? */
bool connect_answered(const gen_connections *all, ptl_oter line, int direction,
                      ptl_oter neighbour);

/* What a search has to find. */
typedef struct path_task {
    size_t connection;
    int32_t from,
        to; /* cells; if `to` is -1, the path may end at any cell of connector.goals */
    int8_t first, last; /* directions of the first and the last move, or CONNECT_ANY */
    bool nearest; /* `to` is -1, and the path may end at any OMT of the connection that may
                   * be an end; the first move then may be any but the opposite of `first` */
} path_task;

/* Marks all states of the search as unknown. */
void connect_new_stamp(connector *k);

/* Makes connector.view the connection's view of the level and brings it up to date. If the
 * record has all cells that were written since the view's last use, only these are looked at;
 * otherwise all cells are compared. */
void connect_sync(generator *g, size_t connection, const ptl_oter *cells);

/* Begins a new record, because other code may have written cells that the old record lacks. */
static inline void connect_forget(connector *k)
{
    k->record++;
    k->touched_count = 0;
}

/* Marks all views as invalid, so that the next searches make them anew. */
void connect_drop_views(connector *k);

/* Brings the view's `far` up to date; call it after connect_sync. */
void connect_measure(connect_view *v);
/* connect_far_kernel.h: measures distances for connect_measure. Reads the view's `fresh` and
 * `far_anew`, and does not change them. */
typedef void connect_measurer(connect_view *v);
connect_measurer connect_measure_base;
/* Equal to connect_measure_base where the build has no AVX2. */
connect_measurer connect_measure_avx2;

/* Adds a cell, which was written, to the record. */
static inline void connect_touch(connector *k, int32_t cell)
{
    if (k->touched_count == TOUCHED_MAX)
        connect_forget(k);
    else
        k->touched[k->touched_count++] = (uint16_t)cell;
}

/* Finds a cheapest path and writes it to connector.path. False if there is no path. */
bool connect_search(generator *g, const path_task *task, const ptl_oter *cells);
/* Costs of the rings of cells around the goal, see connect_path.c. cost[i] is how much more
 * than cheapest new OMTs a path must pay in the innermost i rings together. */
enum { RINGS_MAX = 6 };
typedef struct ring_costs {
    int32_t count, cost[RINGS_MAX + 1];
} ring_costs;

/* Results of the search of connect_field_kernel.h, which does the work of connect_search for
 * two points or the nearest OMT, if turns do not count, or count on some cells only. The grid
 * has a step for the goal and 0 for the start. */
typedef enum field_result {
    FIELD_FOUND,
    FIELD_NO_PATH,
    FIELD_TOO_DEAR /* not decided: a path would cost more than the search can count */
} field_result;
typedef struct field_search field_search;

/* connect_direct.c: finds a path to the nearest OMT of the connection over open ground, without
 * a search. If it returns false, there may be a path all the same. */
bool connect_direct(generator *g, const path_task *task, const ptl_oter *cells);

/* Draws one OMT of the connection, on any ground, with one arm or (CONNECT_ANY) without
 * arms. */
void connect_draw_end(generator *g, size_t connection, int32_t z, int32_t cell, int arm);

/* Draws the nodes of a path. Ends that are exits get an arm that points out of the chunk. */
void connect_draw_path(generator *g, size_t connection, int32_t z, const path_node *nodes,
                       size_t count, const connect_end *from, const connect_end *to);
