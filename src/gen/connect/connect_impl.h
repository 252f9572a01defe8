/*
 * Internals of the connection engine. For each connection every oter has a class: what would
 * be drawn there, how a path may pass, and which arms it answers. So each cell takes just a
 * table lookup, apart from a path's weighted choices.
 *
 * Besides the OMTs that the subtypes name, two more kinds take part, and stay as they are
 * when a path runs over them. Companions of a bridge ("<id>_under", "<id>_center_under",
 * "<id>head_ground": what step_bridges makes of it) are passed along their axis. Crossings,
 * the rotated OMTs that another connection lays over a line of this one, are passed across
 * theirs.
 */
#pragma once

#include "gen/connect/connect.h"
#include "model/direction.h"

enum {
    CELLS = SIZE * SIZE,
    CONNECT_NEW = 5,            /* a new OMT costs this plus the subtype's basic_cost, ... */
    BRIDGE_PART = 13,           /* ... divided by this for an OMT that is not linear, ... */
    BRIDGE_PART_ORTHOGONAL = 5, /* ... or by this if the subtype is ORTHOGONAL */
    SHORT_CUT_OMT = 3,          /* cost of an existing OMT for a short cut; otherwise 1 */
    DRAW_NONE = -1,             /* not allowed */
    DRAW_KEEP = -2,             /* the OMT stays as it is */
    CHOICES_MAX = 64 /* weighted choices of a connection; more fall back to the first match */
};

/* How the search sees a cell; 0: it can't be entered. */
enum {
    STEP_COST = 0x3fff,
    STEP_ENTER_SHIFT = 16,      /* four bits: the directions in which it may be entered */
    STEP_RIGID = 1 << 20,       /* must be left in the direction in which it was entered */
    STEP_TURN_COUNTS = 1 << 21, /* ORTHOGONAL */
    STEP_GOAL = 1 << 22, /* an OMT of the connection at which a path to the nearest may end */
    STEP_BITS = (1 << 23) - 1
};

/* Bits beside a step: facts that are needed for whole levels, or for the neighbours of many
 * cells. */
enum {
    LOOK_HAS = 1 << 23,
    LOOK_CHOICE = 1 << 24, /* a weighted choice decides the step, and matters to the search */
    LOOK_OMT = 1 << 25,    /* the step costs 1: the connection's OMT is there already */
    LOOK_LINE = 1 << 26,   /* has, and linear: its arms are what it answers */
    LOOK_ANSWERS_SHIFT = 27
};

typedef struct oter_class {
    uint32_t step;
    int8_t subtype;  /* index, or DRAW_* */
    uint8_t shape;   /* shape of what is drawn */
    uint8_t answers; /* arms by which the OMT answers this connection: bit 0 north .. 3 west */
    uint8_t choice; /* 1 + index of a weighted choice that decides the members above; 0: none */
    bool has;       /* the oter belongs to the connection */
    bool end;       /* a path may end here */
} oter_class;

typedef struct weighted_choice {
    uint32_t subtypes; /* bits of the subtypes with weight > 0 that allow the ground */
    bool matters;      /* the search must know it: steps differ by what is drawn */
} weighted_choice;

typedef struct compiled_connection {
    const cat_connection *connection; /* borrowed */
    uint64_t key;                     /* hash key of its id */
    oter_class *classes;              /* by oter */
    uint32_t *looks;                  /* by oter: class.step with LOOK_* and class.answers */
    weighted_choice choices[CHOICES_MAX];
    size_t choice_count;
    int32_t cheapest;        /* the least cost of a new OMT */
    int32_t dearest;         /* the greatest cost of a new OMT */
    bool turns_count;        /* some subtype is ORTHOGONAL */
    bool all_turns_count;    /* all subtypes are ORTHOGONAL */
    bool wanders;            /* ties between paths are broken by connect_wander.h */
    uint8_t default_subtype; /* the first linear subtype, else the first one */
} compiled_connection;

/* A bridge with levels; each piece is given by the first of its four oters. */
typedef struct bridge_kind {
    size_t connection;
    uint16_t terrain;    /* the terrain that the connection draws */
    ptl_oter under;      /* below the deck; CAT_NONE: the drawn OMT stays */
    ptl_oter deck;       /* one level up */
    ptl_oter foot, ramp; /* the two levels of an end */
    ptl_oter flat;       /* first linear oter of the connection; CAT_NONE if it has none */
} bridge_kind;

/* Bits of gen_connections.lines for each oter. */
enum { LINE_ARMS = 15, LINE_IS = 16 /* an OMT of a linear type */ };

struct gen_connections {
    const catalogue *cat; /* borrowed */
    bool exact;           /* as connect_compile was called */
    uint8_t *lines;       /* by oter: LINE_IS and the arms of a line, or 0 */
    compiled_connection *list;
    size_t count;
    bridge_kind *bridges;
    size_t bridge_count;
};

/*
 * A state of the search in one word, so that a single read and comparison tells whether a way
 * to it is better. The upper bits are compared: the stamp of the search, which counts down so
 * that any older word is greater; then cost and turns from the start. The lower bits are not
 * compared: whether the state is closed, the direction of the move into it (START_CAME at the
 * start), and the layer of the previous state.
 *
 * Turns stay below 32,768, which is more than the number of cells. A path passes a cell at
 * most twice, so its cost is below 2 * CELLS * STEP_COST < 2^30.
 */
enum {
    START_CAME = 4,
    WORD_CAME = 2, /* shift counts, as the next ones */
    WORD_CLOSED = 5,
    WORD_PRICE = 6, /* the bits from here on are compared */
    WORD_TURNS = 6,
    WORD_COST = 21,
    WORD_STAMP = 51,
    TURN_BITS = WORD_COST - WORD_TURNS,
    COST_BITS = WORD_STAMP - WORD_COST,
    STAMP_MAX = 8191
};

typedef struct queue_entry {
    uint64_t rank;
    uint32_t older; /* the next entry of its bucket */
} queue_entry;

enum {
    LAYER = 32768, /* number of cells, rounded up */
    SEARCH_STATES = 4 * LAYER,
    STATE_BITS = 17, /* bits of the state in a rank */
    STATE_MASK = (1 << STATE_BITS) - 1,
    TIE_BITS = 20,
    BUCKETS = 32768 /* more than the cost of a step plus the change of the estimate */
};

enum {
    TOUCHED_MAX = 4096,
    FRESH_MAX = 1024,
    VIEWS = 3, /* as many connections as draw on one level in turn, including railroads */
    CONNECT_NO_LEVEL = 127,
    FAR_MAX = 255,
    STALE_COLUMNS = 16,
    FAR_WIDTH = 192 /* width of a row of distances: whole vectors, so that compilers use them */
};

/*
 * A level as the searches of a connection see it: a copy of its cells as of the last search,
 * and what was computed from them. The roads and trails of specials are drawn in turn, so that
 * several views are kept.
 */
typedef struct connect_view {
    ptl_oter *seen;
    uint32_t *grid;       /* steps by cell; 0 on the border ring */
    uint32_t stale[SIZE]; /* for each row of the grid, bit x / STALE_COLUMNS: may have been
                           * written since connect_field read it */
    uint8_t *omts; /* rows of FAR_WIDTH: 0 where the connection has an OMT, else FAR_MAX */
    uint8_t *far;  /* Manhattan distance to them, at most FAR_MAX; see connect_measure */
    /* New OMTs that `far` does not know yet; far_anew: all distances must be measured
     * anew. */
    uint16_t fresh[FRESH_MAX];
    size_t fresh_count;
    bool far_anew;
    bool column_has[SIZE], row_has[SIZE]; /* whether it holds an OMT of the connection */
    int16_t bare_columns[SIZE + 1], bare_rows[SIZE + 1]; /* without: how many precede */
    bool lines_measured;                                 /* the next two are measured */
    int16_t to_column[SIZE], to_row[SIZE]; /* for a search for the nearest OMT: distance to
                                            * the next column or row that holds one */
    bool valid;
    size_t connection; /* the connection that the view belongs to */
    int8_t choice[CHOICES_MAX];
    const ptl_oter *cells; /* the level's cells; only the pointer is compared */
    uint32_t record;       /* connector.record as of the last search */
    size_t known;          /* how many entries of that record are in the view */
    uint32_t last_use;
} connect_view;

/* The search's memory. A state is layer * LAYER + cell. Layer 0 holds cells on which the
 * direction does not matter. On the others the layer, 0..3, is the direction in which the cell
 * was entered. */
struct connector {
    struct field_search *field; /* see connect_field.c */
    uint64_t *states;
    uint32_t stamp;
    queue_entry *entries; /* all pushed entries, and as many heap ranks */
    uint64_t *heap;
    size_t pushed, room, queued, heap_count;
    bool by_rank;
    uint32_t bucket; /* the bucket in use */
    uint32_t newest[BUCKETS];
    uint64_t filled[BUCKETS / 64]; /* bit set: the bucket holds something */
    path_node *path;               /* CELLS nodes */
    size_t path_count;
    connect_view views[VIEWS];
    connect_view *view; /* the view of the last search */
    uint32_t uses;      /* number of view uses so far */
    uint16_t *queue;    /* scratch memory of connect_parts */
    int8_t linked; /* level of the last search if connect_link made it; else CONNECT_NO_LEVEL */
    /* All that was written since the record began, on the level of the searches since then. If
     * this is no longer certain, a new record begins. */
    uint32_t record;
    size_t touched_count;
    uint16_t touched[TOUCHED_MAX]; /* cells */
    int8_t choice[CHOICES_MAX];
    uint64_t wander; /* key of connect_wander.h, set by connect_choose */
    int32_t *labels; /* scratch memory of connect_to_any and connect_link */
    bool *goals;
};

static const int32_t STEP_DELTA[4] = {-SIZE, 1, SIZE, -1};

/* Sets a step of a grid. All writes go through this, so that connect_field knows of them. */
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

/* Returns the index of the lowest set bit; at least one must be set. */
static inline uint32_t lowest_bit(uint64_t bits)
{
    uint32_t bit = 0;
    for (uint32_t half = 32; half > 0; half /= 2) {
        const bool none = (bits & ((UINT64_C(1) << half) - 1)) == 0;
        bit += none ? half : 0;
        bits >>= none ? half : 0;
    }
    return bit;
}

/* Draws the path's weighted choices, keyed by its ends, and makes the key by which the path
 * wanders. */
void connect_choose(generator *g, size_t connection, int32_t z, int32_t from, int32_t to);

/* Returns the class of an oter for which a weighted choice of the path decides. */
oter_class connect_class_chosen(const generator *g, size_t connection, ptl_oter oter);

/* Returns the class of an oter under the path's weighted choices. */
static inline oter_class connect_class(const generator *g, size_t connection, ptl_oter oter)
{
    const oter_class *class = &compiled(g, connection)->classes[oter];
    return class->choice ? connect_class_chosen(g, connection, oter) : *class;
}

/* Returns the direction that leads from an exit into the chunk. */
int connect_inward(connect_end end);
/* Does the end's outward arm point out of the chunk? */
bool connect_is_exit(connect_end end);

/* Does the neighbour in that direction answer the arm of a linear OMT, for any connection
 * that the OMT belongs to? */
bool connect_answered(const gen_connections *all, ptl_oter line, int direction,
                      ptl_oter neighbour);

typedef struct path_task {
    size_t connection;
    int32_t from, to;   /* cells; `to` may be -1: any cell of connector.goals */
    int8_t first, last; /* directions of the first and the last move, or CONNECT_ANY */
    bool nearest;       /* `to` is -1 and the goals are all OMTs of the connection at which a
                         * path may end; `first` then only forbids its opposite */
} path_task;

/* Marks all states of the search as unknown. */
void connect_new_stamp(connector *k);

/* Makes connector.view the connection's view of the level and brings it up to date. It uses
 * the record if that holds everything written since the view's last use, else it compares all
 * cells. */
void connect_sync(generator *g, size_t connection, const ptl_oter *cells);

/* Starts a new record, because others may have written: the old record is incomplete. */
static inline void connect_forget(connector *k)
{
    k->record++;
    k->touched_count = 0;
}

/* Marks all views as useless. */
void connect_drop_views(connector *k);

/* Brings the view's `far` up to date; call it after connect_sync. */
void connect_measure(connect_view *v);
/* connect_far_kernel.h: does the work of connect_measure; reads fresh and far_anew and leaves
 * them as they are. */
typedef void connect_measurer(connect_view *v);
connect_measurer connect_measure_base;
connect_measurer connect_measure_avx2; /* equal to base where the build has no AVX2 */

/* Notes that the engine drew on a cell. */
static inline void connect_touch(connector *k, int32_t cell)
{
    if (k->touched_count == TOUCHED_MAX)
        connect_forget(k);
    else
        k->touched[k->touched_count++] = (uint16_t)cell;
}

/* Finds the cheapest path and writes it to connector.path. False if there is none. */
bool connect_search(generator *g, const path_task *task, const ptl_oter *cells);
/* By how much the innermost rings around the goal exceed the cheapest new OMT. cost[i] is for
 * the first i rings together. */
enum { RINGS_MAX = 6 };
typedef struct ring_costs {
    int32_t count, cost[RINGS_MAX + 1];
} ring_costs;

/* connect_field.c: the same for two points or the nearest OMT, if turns do not count, or
 * count on some cells only. The goal is on the grid, the start is not. */
typedef enum field_result {
    FIELD_FOUND,
    FIELD_NO_PATH,
    FIELD_TOO_DEAR /* if there is a path, it costs more than the search can count */
} field_result;
typedef struct field_search field_search;
/* Returns the memory of the search; it lasts as long as the generator. NULL when memory is
 * out. */
field_search *field_search_new(generator *g);
field_result connect_field(generator *g, const path_task *task);

/* connect_direct.c: finds the path to the nearest OMT if the ground in between is open. False
 * means nothing: a path may exist. */
bool connect_direct(generator *g, const path_task *task, const ptl_oter *cells);

/* Draws one OMT of the connection with one arm, or with none, on any ground. */
void connect_draw_end(generator *g, size_t connection, int32_t z, int32_t cell, int arm);

/* Draws the nodes of a path, with outward arms at ends that are exits. */
void connect_draw_path(generator *g, size_t connection, int32_t z, const path_node *nodes,
                       size_t count, const connect_end *from, const connect_end *to);
