/*
 * Internal to gen/: the chunk that is being made, as the steps see it. A window is a grid of
 * cells that also covers a margin around the chunk; its local coordinates go from -margin to
 * 179 + margin.
 */
#pragma once

#include "core/arena.h"
#include "core/hash.h"
#include "gen/work/context.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "model/predecessors.h"

enum {
    SIZE = PTL_CHUNK_SIZE,
    REACH = PLAN_REACH,
    /* The greatest size in cells that content may state as the least size of a lake. */
    LAKE_SIZE_LIMIT = 1000
};

/* Tells which cells in the chunk and around it are lake or, if `sea` is set, which are sea. It
 * is filled when cells are asked for; see water_field.c. */
typedef struct water_field {
    bool sea;
    ocean_share share; /* whether the chunk and the cells around it are all sea, all land or
                        * neither, by the ocean's plan; for lakes always OCEAN_MIXED */
    /* A body of water is put on the map only if it has at least this number of cells. */
    int32_t size_min;
    /* `margin`: how many cells around the chunk the field also has; `width`: the length of its
     * rows, SIZE + 2 * margin, rounded up to a multiple of NOISE_BLOCK. */
    int32_t margin, width;
    uint8_t *cells; /* for each cell of the field, bits WATER_*; width * width */
    /* A list of cells of the lake or sea that is being measured. It has room for size_min
     * cells, since no more need be counted. */
    int32_t *queue;
    /* For each square of the chunk and its margin, row by row: NOISE_ALL_ABOVE, NOISE_ALL_BELOW
     * or NOISE_MIXED. */
    uint8_t *squares;
} water_field;

/* A place in the chunk or beside it. */
typedef struct point {
    int32_t x, y;
} point;

/* One end of a path of a connection. CONNECT_ANY stands for a direction that is not set. */
enum { CONNECT_ANY = -1 };
typedef struct connect_end {
    int16_t x, y;
    int8_t heading; /* direction from the end into the path, 0..3; or CONNECT_ANY */
    bool exit; /* set if the end lies on the border and gets an arm out of the chunk, opposite
                * to `heading` */
} connect_end;

/* A special's connection on a level other than the ground. It is built later, together with
 * the other lines of that level. */
typedef struct deep_link {
    uint16_t connection;
    int8_t z;
    connect_end end;
} deep_link;

/*
 * Memory or tables that several steps of generation use, or that last from chunk to chunk. They
 * are made once per generator, if a step of the generator's pipeline needs them.
 */
typedef struct gen_part {
    /* Allocates by generator_memory; g->failed is set when memory is out. */
    void (*make)(generator *g);
    /* Frees the memory that `make` has allocated by malloc. It is called also if `make` failed;
     * may be NULL. */
    void (*drop)(generator *g);
    void (*reset)(generator *g); /* called before each chunk; may be NULL */
} gen_part;

enum { GEN_NEEDS_MAX = 7, GEN_PARTS_MAX = 16 };

/* A step of a pipeline. */
typedef struct gen_step {
    step_info info;
    void (*run)(generator *g);
    size_t scratch; /* number of bytes at g->scratch that the step may use while it runs; at its
                     * start they hold what another step left there */
    const gen_part *needs[GEN_NEEDS_MAX + 1]; /* memory or tables that the step needs
                                               * (gen_part); the list ends at the first NULL */
} gen_step;

/* How a chunk is made: a list of steps in their order. */
struct pipeline {
    const char *name;
    const gen_step *const *steps;
    size_t count; /* number of steps, 1..GEN_STEPS_MAX */
};

/* Is called for each cell that has changed, with what the cell was before. */
typedef void cell_watch(generator *g, int32_t z, int32_t cell, ptl_oter before);

struct generator {
    const gen_config *config;
    const gen_part *parts[GEN_PARTS_MAX]; /* the pieces of memory (gen_part) that the pipeline's
                                           * steps need, in the order in which they were made */
    size_t part_count;
    arena *memory; /* owns what generator_memory returns */
    ptl_chunk *chunk;
    edge *const *edges; /* the chunk's edges in the order north, east, south, west */
    /* For each edge of the chunk: a byte for each cell near the edge, which is 1 where the
     * edge's rivers are painted. The order of the cells is that of plan_river_strip. */
    uint8_t *strips[4];
    water_field lakes, oceans;
    /* Cells of the level z = 0, which belong to `chunk`; index y * SIZE + x. */
    ptl_oter *ground;
    void *scratch;          /* memory for the running step, at least gen_step.scratch bytes */
    noise_grid *noise_grid; /* scratch memory of the running step, for noise */
    noise_column *noise_column; /* scratch memory of the running step, for noise */
    uint8_t *reserved; /* SIZE * SIZE cells: 1 if the cell is kept free for highways or for the
                        * roads from exits; used from the step "highways" to the step "roads" */
    struct connector *connector; /* memory of the code that draws connections; see connect.h */
    gen_features features;
    /* The oters that were replaced on the chunk's cells. */
    predecessor_log before;
    struct site_map *site_map; /* tells where specials may stand; see sites.h */
    cell_watch *watching;      /* is called for every cell that changes; NULL: nobody watches */
    /* How many times `watching` has been set. If two readings of this number are equal,
     * `watching` was told of all changes of cells between them. */
    uint32_t watches;
    struct city_map *city_map;       /* cities in and around the chunk; see city_map.h */
    struct growth *growth;           /* memory of growths; see growth.h */
    struct placer *placer;           /* memory for placing specials; see place.h */
    struct highway_layout *highways; /* the chunk's highways; see highway.h */
    struct special_rules *rules;     /* memory of the rules of placement; see rules.h */
    struct sublevels *sublevels;     /* memory of step sublevels; see sublevels.h */
    /* SIZE * SIZE cells: if bit z + 10 of a cell is set, no monster group may be there on level
     * z. Used from the step "specials" to the step "monster_groups". */
    uint32_t *safe;
    bool has_safe; /* whether the array `safe` has a cell where monster groups are forbidden */
    deep_link *deep_links; /* owned; used from the step "specials" to the step "sublevels" */
    size_t deep_link_count, deep_link_room;
    /* Callbacks that follow one special; NULL: no special is followed. */
    const gen_trace *trace;
    gen_event *events;
    size_t event_count, event_capacity;
    bool failed;      /* the chunk is given up: memory is out, or `stopped` is set */
    bool stopped;     /* the stop hook asked to stop */
    uint32_t unasked; /* units of work done since the stop hook was last asked; see work_on */
    /* For tests that a step reads no noise beyond its declared reach: with `scramble`, noise
     * beyond that reach is that of another world. */
    bool scramble;
    noise_land other_noise;
    ocean_plan other_ocean;
    const step_info *running;
};

/* Sets the generator up around an existing chunk without running a step, for code that calls
 * parts of steps by itself. The chunk is borrowed until the next run or the next call of this
 * function; NULL gives it back. */
void generator_adopt(generator *g, ptl_chunk *chunk);

/* Returns zeroed memory that lasts as long as the generator. When memory is out it sets
 * g->failed and returns NULL. */
void *generator_memory(generator *g, size_t count, size_t size);

/* Does the cell lie in the chunk? */
static inline bool inside(int32_t x, int32_t y)
{
    return x >= 0 && x < SIZE && y >= 0 && y < SIZE;
}

/* Does the cell lie in the chunk, but not in the ring of its outermost cells? */
static inline bool inside_ring(int32_t x, int32_t y)
{
    return x >= 1 && x < SIZE - 1 && y >= 1 && y < SIZE - 1;
}

/* Returns where (dx, dy) of a special comes to lie if its origin is at (x, y) and it is
 * rotated. */
static inline point turned(int32_t dx, int32_t dy, int rotation, int32_t x, int32_t y)
{
    point p;
    feature_rotate(dx, dy, rotation, &p.x, &p.y);
    return (point){p.x + x, p.y + y};
}

/*
 * Counts work, in units of some tens of nanoseconds. Loops whose length depends on content must
 * call work_on, which asks the stop hook every WORK_BETWEEN_QUESTIONS units, through work_ask.
 * False if the chunk is given up.
 */
enum { WORK_BETWEEN_QUESTIONS = 1 << 18 };
bool work_ask(generator *g);
static inline bool work_on(generator *g, uint32_t units)
{
    g->unasked += units;
    return g->unasked < WORK_BETWEEN_QUESTIONS ? !g->failed : work_ask(g);
}

/* Returns a random stream of the running step for this chunk. */
rng step_stream(const generator *g, const char *what);
/* Returns a random stream for a cell, which is the same for each chunk that asks: it is keyed
 * by the absolute OMT. x, y are local. */
rng cell_stream(const generator *g, uint64_t key, int32_t x, int32_t y);
/* Returns the world's hash key for a purpose, the same for all chunks. */
uint64_t step_key(const generator *g, const char *what);

/* Keys for the random streams of many cells in the chunk or up to REACH beyond it. What depends
 * on one coordinate alone is computed only once for each row and column. */
typedef struct cell_keys {
    uint64_t x[SIZE + 2 * REACH], y[SIZE + 2 * REACH]; /* the keys of columns and of rows; those
                                                          of coordinate -REACH come first */
} cell_keys;
/* Computes the keys for the chunk that the generator makes. */
void cell_keys_init(cell_keys *keys, const generator *g, uint64_t key);
/* Returns the same stream as cell_stream with the same key. */
static inline rng cell_keys_stream(const cell_keys *keys, int32_t x, int32_t y)
{
    return rng_from_key(hash_mix(keys->x[x + REACH] ^ keys->y[y + REACH]));
}

/* Adds an event of the running step. `detail` is copied, and cut if it is longer than
 * gen_event.detail. Sets g->failed when memory is out. */
void add_event(generator *g, const char *kind, int32_t x, int32_t y, int32_t z,
               const char *detail);

/* These functions add a record to the chunk's features. Sets g->failed when memory is out. */
void add_group(generator *g, gen_group group);
void add_placement(generator *g, gen_placement placement);

/* remember_cell notes the oter `before`, which a cell had until now, if the content needs to
 * know it. cell_covered must be called when a cell gets a terrain with CAT_FLAG_PREDECESSOR:
 * the content may need to know what was there before. */
void remember_cell(generator *g, int32_t z, int32_t cell, ptl_oter before, ptl_oter oter);
static inline void cell_covered(generator *g, int32_t z, int32_t cell, ptl_oter before,
                                ptl_oter oter)
{
    if (g->before.kept && g->config->cat->oters[oter].flags & CAT_FLAG_PREDECESSOR)
        remember_cell(g, z, cell, before, oter);
}

/* Writes a cell of a level. `cells` are the level's cells, from cells_at. From step specials
 * on, every step must write cells by this function. */
static inline void cell_set(generator *g, ptl_oter *cells, int32_t z, int32_t cell,
                            ptl_oter oter)
{
    const ptl_oter before = cells[cell];
    cells[cell] = oter;
    cell_covered(g, z, cell, before, oter);
    if (g->watching && before != oter)
        g->watching(g, z, cell, before);
}

/* Returns a level's cells. When memory is out it sets g->failed and returns NULL. Nearly
 * always the level has its cells already, so cells_at tests that inline. */
ptl_oter *cells_made(generator *g, int32_t z);
static inline ptl_oter *cells_at(generator *g, int32_t z)
{
    ptl_oter *cells = chunk_level(g->chunk, z)->cells;
    return cells ? cells : cells_made(g, z);
}

/* Returns the oter of a cell, without making cells for a level that has none. */
static inline ptl_oter cell_oter(const generator *g, int32_t z, int32_t cell)
{
    const level *l = chunk_level(g->chunk, z);
    return l->cells ? l->cells[cell] : l->fill;
}

/* Does a river of one of the four edges paint the cell? The cell (x, y) may lie up to REACH
 * OMTs outside, beside a side of the chunk. False for cells beyond a corner, where no edge has
 * rivers. */
bool strip_river(const generator *g, int32_t x, int32_t y);

/* These functions compute the classes of one kind of noise (see noise_kernels) for eight OMTs,
 * from the local position (x, y) to the east. */
void noise_forest(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
void noise_lake(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
/* Tells which OMTs of the square that begins at the local position (x, y) are lake by noise or,
 * with `sea`, are sea by the ocean's plan. */
void noise_water_square(generator *g, bool sea, int32_t x, int32_t y,
                        uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
/* Tells for each of NOISE_SQUARES adjacent squares whether it is all water, has no water, or
 * may be mixed, as noise_kernels.squares does. Returns false, without setting `out`, in tests
 * that give distant cells another world's noise (g->scramble); then only noise_water_square can
 * be used. */
bool noise_water_squares(generator *g, bool sea, int32_t x, int32_t y,
                         uint8_t out[NOISE_SQUARES]);
/* Makes g->noise_grid and g->noise_column, which the next functions fill. */
extern const gen_part noise_columns_part;
/* These functions compute the noise of forests and floodplains for the chunk, column by column
 * of patches. First call the function whose name ends in _rows, once for the chunk. Then the
 * one whose name ends in _column computes noise for the column that begins at x: in those OMTs
 * that g->noise_column asks for. */
void noise_forest_rows(generator *g);
void noise_forest_column(generator *g, int32_t x);
void noise_floodplain_rows(generator *g);
void noise_floodplain_column(generator *g, int32_t x);
