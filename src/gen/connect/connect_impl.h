/*
 * Inside the connection engine. For each connection every oter has a class: what would be drawn
 * there, how a path may pass, which arms it answers. A path's weighted choices apart, nothing
 * but a table lookup is left for a cell.
 *
 * Beside the tiles that the subtypes name, two more kinds take part and stay as they are when a
 * path runs over them: companions of a bridge ("<id>_under", "<id>_center_under",
 * "<id>head_ground": what step_bridges makes of it), passed along their axis; and crossings,
 * the rotated tiles that another connection lays over a line of this one, passed across theirs.
 */
#ifndef GEN_CONNECT_CONNECT_IMPL_H
#define GEN_CONNECT_CONNECT_IMPL_H

#include "gen/connect/connect.h"
#include "model/direction.h"

enum {
    CELLS = SIZE * SIZE,
    CONNECT_NEW = 5,            /* a new tile costs this and the subtype's basic_cost, ... */
    BRIDGE_PART = 13,           /* ... of which a tile that is no line pays this part, ... */
    BRIDGE_PART_ORTHOGONAL = 5, /* ... or this one where the subtype is ORTHOGONAL */
    SHORT_CUT_TILE = 3,         /* to a short cut a tile that is there costs this; else 1 */
    DRAW_NONE = -1,             /* not allowed */
    DRAW_KEEP = -2,             /* stays as it is */
    CHOICES_MAX = 64 /* weighted choices of one connection; more fall back to the first match */
};

/* How the search sees a cell; 0: no way. */
enum {
    STEP_COST = 0x3fff,
    STEP_ENTER_SHIFT = 16,      /* four bits: the directions in which it may be entered */
    STEP_RIGID = 1 << 20,       /* left as it was entered */
    STEP_TURN_COUNTS = 1 << 21, /* ORTHOGONAL */
    STEP_GOAL = 1 << 22,        /* a tile of the connection, which the nearest one may be */
    STEP_BITS = (1 << 23) - 1
};

/* Beside a step: what is asked of whole levels, or of the neighbours of many cells. */
enum {
    LOOK_HAS = 1 << 23,
    LOOK_CHOICE = 1 << 24, /* a choice decides the step, and matters */
    LOOK_TILE = 1 << 25,   /* the step costs 1: a tile of the connection is there already */
    LOOK_LINE = 1 << 26,   /* has, and of a linear type: its arms are what it answers */
    LOOK_ANSWERS_SHIFT = 27
};

typedef struct oter_class {
    uint32_t step;
    int8_t subtype;  /* index, or DRAW_* */
    uint8_t shape;   /* of what is drawn */
    uint8_t answers; /* arms of the tile for this connection: bit 0 north .. 3 west */
    uint8_t choice;  /* 1 + index of a weighted choice, which decides the above; 0: none */
    bool has;        /* belongs to the connection */
    bool end;        /* a path may end here */
} oter_class;

typedef struct weighted_choice {
    uint32_t subtypes; /* bits: those with weight > 0 that allow the ground */
    bool matters;      /* to the search: by which is drawn steps differ somewhere */
} weighted_choice;

typedef struct compiled_connection {
    const cat_connection *connection; /* borrowed */
    uint64_t key;                     /* of its id */
    oter_class *classes;              /* owned; by oter */
    uint32_t *looks;                  /* owned; by oter: class.step, LOOK_*, class.answers */
    weighted_choice choices[CHOICES_MAX];
    size_t choice_count;
    int32_t cheapest;        /* a new tile costs at least this */
    int32_t dearest;         /* and at most this */
    bool turns_count;        /* ORTHOGONAL somewhere */
    bool all_turns_count;    /* ORTHOGONAL everywhere */
    bool wanders;            /* ties go by connect_wander.h */
    uint8_t default_subtype; /* the first linear one, else the first */
} compiled_connection;

/* A bridge that has levels: the first of the four oters of each of its pieces. */
typedef struct bridge_kind {
    size_t connection;
    uint16_t terrain;    /* what the connection draws */
    ptl_oter under;      /* below the deck; CAT_NONE: the drawn tile stays */
    ptl_oter deck;       /* a level up */
    ptl_oter foot, ramp; /* both levels of an end */
    ptl_oter flat;       /* the connection's first linear oter; CAT_NONE if it has none */
} bridge_kind;

/* Of each oter in gen_connections.lines. */
enum { LINE_ARMS = 15, LINE_IS = 16 /* a tile of a linear type */ };

struct gen_connections {
    const catalogue *cat; /* borrowed */
    bool exact;           /* as connect_compile was asked */
    uint8_t *lines;       /* owned; by oter: LINE_IS and its arms, or 0 */
    compiled_connection *list;
    size_t count;
    bridge_kind *bridges; /* owned */
    size_t bridge_count;
};

/*
 * A state of the search in one word, so that a look and one comparison tell whether a way to it
 * is better: the stamp of the search, which counts down, then cost and turns from the start.
 * Any older word is greater. Below them, and not compared: whether the state is closed, the
 * direction of the move into it (START_CAME at the start), and the layer of the state before.
 *
 * Turns stay below 32,768, which is more than there are cells. The cost of a path, which passes
 * a cell at most twice, is below 2 * CELLS * STEP_COST < 2^30.
 */
enum {
    START_CAME = 4,
    WORD_CAME = 2, /* shifts */
    WORD_CLOSED = 5,
    WORD_PRICE = 6, /* from here on it counts */
    WORD_TURNS = 6,
    WORD_COST = 21,
    WORD_STAMP = 51,
    TURN_BITS = WORD_COST - WORD_TURNS,
    COST_BITS = WORD_STAMP - WORD_COST,
    STAMP_MAX = 8191
};

typedef struct queue_entry {
    uint64_t rank;
    uint32_t older; /* the next one of its bucket */
} queue_entry;

enum {
    LAYER = 32768, /* cells, rounded up */
    SEARCH_STATES = 4 * LAYER,
    STATE_BITS = 17, /* of a rank */
    STATE_MASK = (1 << STATE_BITS) - 1,
    TIE_BITS = 20,
    BUCKETS = 32768 /* more than the cost of a step and the change of the estimate */
};

enum {
    TOUCHED_MAX = 4096,
    FRESH_MAX = 1024,
    VIEWS = 3, /* as many connections as draw on one level in turn, railroads among them */
    CONNECT_NO_LEVEL = 127,
    FAR_MAX = 255,
    STALE_COLUMNS = 16,
    FAR_WIDTH = 192 /* of a row of distances: whole vectors, so that compilers use them */
};

/*
 * A level as a connection's searches see it: its cells as of the last one, and what was made of
 * them. The specials' roads and trails are drawn in turn, so that some are kept.
 */
typedef struct connect_view {
    ptl_oter *seen;
    uint32_t *grid;       /* steps; 0 on the border ring */
    uint32_t stale[SIZE]; /* of each row of the grid, bit x / STALE_COLUMNS: that may have been
                           * written since connect_field read it */
    uint8_t *tiles; /* of rows of FAR_WIDTH: 0 where the connection has a tile, else FAR_MAX */
    uint8_t *far;   /* Manhattan distance to them, at most FAR_MAX: after connect_measure */
    /* Tiles that it does not know yet; far_anew: all are to be measured. */
    uint16_t fresh[FRESH_MAX];
    size_t fresh_count;
    bool far_anew;
    bool column_has[SIZE], row_has[SIZE];                /* a tile of the connection */
    int16_t bare_columns[SIZE + 1], bare_rows[SIZE + 1]; /* without: how many before this one */
    bool lines_measured;                                 /* these: */
    int16_t to_column[SIZE], to_row[SIZE]; /* of a search for the nearest tile: how far it is to
                                            * a column or row that holds one */
    bool valid;
    size_t connection; /* whose it is */
    int8_t choice[CHOICES_MAX];
    const ptl_oter *cells; /* of the level; only compared */
    uint32_t record;       /* connector.record as of the last search */
    size_t known;          /* so many of that record's entries are in it */
    uint32_t last_use;
} connect_view;

/* States: layer * LAYER + cell. Layer 0 holds the cells on which the direction does not matter,
 * layers 0..3 those where it does, by the direction in which they were entered. */
struct connector {
    struct field_search *field; /* of connect_field.c */
    uint64_t *states;
    uint32_t stamp;
    queue_entry *entries; /* all that were pushed, and as many heap ranks */
    uint64_t *heap;
    size_t pushed, room, queued, heap_count;
    bool by_rank;
    uint32_t bucket; /* the present one */
    uint32_t newest[BUCKETS];
    uint64_t filled[BUCKETS / 64]; /* bits */
    path_node *path;               /* CELLS */
    size_t path_count;
    connect_view views[VIEWS];
    connect_view *view; /* of the last search */
    uint32_t uses;      /* of views so far */
    uint16_t *queue;    /* scratch of connect_parts */
    int8_t linked; /* the level, where connect_link had the last search; CONNECT_NO_LEVEL */
    /* What was written since the record began: all of it, on the level of the searches since
     * then. Where that can't be told another record begins. */
    uint32_t record;
    size_t touched_count;
    uint16_t touched[TOUCHED_MAX]; /* cells */
    int8_t choice[CHOICES_MAX];
    uint64_t wander; /* key of connect_wander.h, since connect_choose */
    int32_t *labels; /* scratch of connect_to_any and connect_link */
    bool *goals;
};

static const int32_t STEP_DELTA[4] = {-SIZE, 1, SIZE, -1};

/* Whoever writes a grid says so by this. */
static inline void connect_set_step(connect_view *v, int32_t cell, uint32_t step)
{
    v->grid[cell] = step;
    v->stale[cell / SIZE] |= UINT32_C(1) << cell % SIZE / STALE_COLUMNS;
}

static inline compiled_connection *compiled(const generator *g, size_t connection)
{
    return &g->config->connections->list[connection];
}

static inline int axis_of(int direction)
{
    return direction & 1 ? 10 : 5;
}

/* The number of the lowest bit that is set: one is. */
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

/* Draws the path's weighted choices, keyed by its ends; and makes the key by which it wanders.
 */
void connect_choose(generator *g, size_t connection, int32_t z, int32_t from, int32_t to);

/* The same where a weighted choice of the path decides. */
oter_class connect_class_chosen(const generator *g, size_t connection, ptl_oter oter);

/* Returns the class of an oter under the choices of the path. */
static inline oter_class connect_class(const generator *g, size_t connection, ptl_oter oter)
{
    const oter_class *class = &compiled(g, connection)->classes[oter];
    return class->choice ? connect_class_chosen(g, connection, oter) : *class;
}

/* The direction that leads from an exit into the chunk. */
int connect_inward(connect_end end);
/* Does its outward arm point out of the chunk? */
bool connect_is_exit(connect_end end);

/* Does the neighbour in that direction of a linear tile answer its arm, for any connection that
 * the tile is of? */
bool connect_answered(const gen_connections *all, ptl_oter line, int direction,
                      ptl_oter neighbour);

typedef struct path_task {
    size_t connection;
    int32_t from, to;   /* cells; to -1: any cell of connector.goals */
    int8_t first, last; /* directions of the first and the last move; CONNECT_ANY */
    bool nearest;       /* to is -1, and goals are all tiles of the connection that a path may
                         * end at; `first` only forbids the opposite */
} path_task;

/* Makes all states of the search unknown. */
void connect_new_stamp(connector *k);

/* Makes connector.view the connection's view of the level, up to date: by what is on record, if
 * it holds all that was written since it was so, else by a comparison of all cells. */
void connect_sync(generator *g, size_t connection, const ptl_oter *cells);

/* Others may have written: what is on record is not all. */
static inline void connect_forget(connector *k)
{
    k->record++;
    k->touched_count = 0;
}

/* No view is of any use any more. */
void connect_drop_views(connector *k);

/* Brings a view's far up to date; after connect_sync. */
void connect_measure(connect_view *v);
/* connect_far_kernel.h: the same, by fresh and far_anew, which stay as they are. */
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

/* Finds the cheapest path, into connector.path. False where there is none. */
bool connect_search(generator *g, const path_task *task, const ptl_oter *cells);
/* What the innermost rings round the goal cost above new tiles of the cheapest kind: cost[i],
 * all of the first i together. */
enum { RINGS_MAX = 6 };
typedef struct ring_costs {
    int32_t count, cost[RINGS_MAX + 1];
} ring_costs;

/* connect_field.c: the same for two points or the nearest tile, where turns don't count, or on
 * some cells alone. The goal is on the grid, the start is not. */
typedef enum field_result {
    FIELD_FOUND,
    FIELD_NO_PATH,
    FIELD_TOO_DEAR /* if there is one, it costs more than this can count */
} field_result;
typedef struct field_search field_search;
field_search *field_search_new(void); /* new; NULL when memory is out */
void field_search_free(field_search *s);
field_result connect_field(generator *g, const path_task *task);

/* connect_direct.c finds the same for the nearest tile, where the ground in between is open.
 * False says nothing. */
bool connect_direct(generator *g, const path_task *task, const ptl_oter *cells);

/* Draws one tile of the connection with one arm, or with none; whatever the ground is. */
void connect_draw_end(generator *g, size_t connection, int32_t z, int32_t cell, int arm);

/* Draws connector's path; the ends' outward arms where they are exits. */
void connect_draw_path(generator *g, size_t connection, int32_t z, const path_node *nodes,
                       size_t count, const connect_end *from, const connect_end *to);

#endif
