/*
 * Inside gen/: the chunk in work, as the steps see it. Grids that reach beyond the chunk are
 * windows with a margin; local coordinates -margin .. 179 + margin.
 */
#ifndef GEN_WORK_GENERATOR_H
#define GEN_WORK_GENERATOR_H

#include "core/hash.h"
#include "gen/work/context.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "model/predecessors.h"

enum {
    SIZE = PTL_CHUNK_SIZE,
    REACH = PLAN_REACH,
    LAKE_SIZE_LIMIT = 1000 /* content's lake_size_min lies in 1..LAKE_SIZE_LIMIT */
};

/* The field of lakes, or of the ocean, around the chunk: lazily filled, see water_field.c. */
typedef struct water_field {
    bool sea;
    ocean_share share;     /* OCEAN_MIXED for lakes, always */
    int32_t size_min;      /* cells of a component that counts */
    int32_t margin, width; /* width = SIZE + 2 * margin, rounded up to whole blocks */
    uint8_t *cells;        /* width * width, WATER_* bits */
    int32_t *queue;        /* of the flood, size_min entries */
    uint8_t *squares;      /* NOISE_ALL_... of squares of the window, row by row */
} water_field;

/* A place in the chunk or beside it. */
typedef struct point {
    int32_t x, y;
} point;

/* One end of a path of a connection. */
enum { CONNECT_ANY = -1 };
typedef struct connect_end {
    int16_t x, y;
    int8_t heading; /* 0..3: the direction that leads from here into the path; CONNECT_ANY */
    bool exit; /* lies on the border, and gets the arm that points out, opposite to heading */
} connect_end;

/* A connection of a special on a level other than the ground, drawn with that level's others.
 */
typedef struct deep_link {
    uint16_t connection;
    int8_t z;
    connect_end end;
} deep_link;

/*
 * A part of a generator: what several steps work with, or what lasts from chunk to chunk
 * (tables, caches). It is made once for a generator, if a step of its pipeline needs it.
 */
typedef struct gen_part {
    const char *name;
    bool (*make)(generator *g);  /* false when memory is out */
    void (*drop)(generator *g);  /* also after a make that failed */
    void (*reset)(generator *g); /* before each chunk; NULL: nothing to do */
} gen_part;

enum { GEN_NEEDS_MAX = 7, GEN_PARTS_MAX = 16 };

/* A step of a pipeline. */
typedef struct gen_step {
    step_info info;
    void (*run)(generator *g);
    size_t scratch; /* bytes at g->scratch that are its own while it runs; they hold what
                     * another step left there */
    const gen_part *needs[GEN_NEEDS_MAX + 1]; /* up to the first NULL */
} gen_step;

/* What a chunk goes through: a list of steps in their order. */
struct pipeline {
    const char *name;
    const gen_step *const *steps;
    size_t count; /* 1..GEN_STEPS_MAX */
};

/* Who wants to be told of cells that have changed, and what each was before. */
typedef void cell_watch(generator *g, int32_t z, int32_t cell, ptl_oter before);

struct generator {
    const gen_config *config;
    const gen_part
        *parts[GEN_PARTS_MAX]; /* what the pipeline's steps need, as they were made */
    size_t part_count;
    ptl_chunk *chunk;
    edge *const *edges; /* north, east, south, west */
    uint8_t *strips[4]; /* river strips of the edges, layout of plan_river_strip */
    water_field lakes, oceans;
    ptl_oter *ground;           /* cells of z = 0, index y * SIZE + x: chunk's level */
    void *scratch;              /* of the step that runs, which has a struct for it */
    noise_grid *noise_grid;     /* of the step that runs */
    noise_column *noise_column; /* likewise */
    uint8_t *reserved; /* SIZE * SIZE: 1 on corridors of exits; from the cities to the roads */
    struct connector *connector; /* of connect.h */
    gen_features features;
    predecessor_log before;          /* of the chunk's cells */
    struct site_map *site_map;       /* of sites.h */
    cell_watch *watching;            /* hears of every cell that changes; NULL: nobody */
    uint32_t watches;                /* how often that has begun */
    struct city_map *city_map;       /* of city_map.h */
    struct growth *growth;           /* of growth.h */
    struct placer *placer;           /* of place.h */
    struct highway_layout *highways; /* of highway.h */
    struct special_rules *rules;     /* of rules.h */
    struct sublevels *sublevels;     /* of sublevels.h */
    uint32_t *safe; /* SIZE * SIZE, bit z + 10: no monster group may be there; from the specials
                     * to the monster groups */
    bool has_safe;  /* some bit of it is set */
    deep_link *deep_links; /* owned; from the specials to the sublevels */
    size_t deep_link_count, deep_link_room;
    const gen_trace *trace; /* NULL: nobody listens */
    gen_event *events;
    size_t event_count, event_capacity;
    bool failed;      /* the chunk is given up: memory is out, or `stopped` says why */
    bool stopped;     /* that was asked for */
    uint32_t unasked; /* work since somebody was asked; see work_on */
    /* These are for tests of the declared reach. */
    bool scramble;
    noise_land other_noise;
    ocean_plan other_ocean;
    const step_info *running;
};

/* Sets the generator up around a chunk as it is, without a step: for trials of what the steps
 * do. chunk is borrowed until the next run or adoption; NULL gives it back. */
void generator_adopt(generator *g, ptl_chunk *chunk);

static inline bool inside(int32_t x, int32_t y)
{
    return x >= 0 && x < SIZE && y >= 0 && y < SIZE;
}

/*
 * What lasts as long as the content says tells here how much it has done, in units of some tens
 * of nanoseconds; now and then that asks whether to stop. False if the chunk is given up.
 */
enum { WORK_BETWEEN_QUESTIONS = 1 << 18 };
bool work_ask(generator *g);
static inline bool work_on(generator *g, uint32_t units)
{
    g->unasked += units;
    return g->unasked < WORK_BETWEEN_QUESTIONS ? !g->failed : work_ask(g);
}

/* Returns a stream of the running step for this chunk. */
rng step_stream(const generator *g, const char *what);
/* A stream for an absolute OMT, the same for each chunk that asks. x, y are local. */
rng cell_stream(const generator *g, uint64_t key, int32_t x, int32_t y);
uint64_t step_key(const generator *g, const char *what);

/* The streams of many cells, which lie in the chunk or up to REACH beyond it: what depends on
 * one coordinate alone is hashed once. */
typedef struct cell_keys {
    uint64_t x[SIZE + 2 * REACH], y[SIZE + 2 * REACH]; /* from -REACH on */
} cell_keys;
void cell_keys_init(cell_keys *keys, const generator *g, uint64_t key);
/* Returns the same as cell_stream of the key. */
static inline rng cell_keys_stream(const cell_keys *keys, int32_t x, int32_t y)
{
    return rng_from_key(hash_mix(keys->x[x + REACH] ^ keys->y[y + REACH]));
}

void add_event(generator *g, const char *kind, int32_t x, int32_t y, int32_t z,
               const char *detail);

/* A cell has changed, and what it was may have to be remembered. Whoever writes terrain that
 * content may want to draw over what was there tells of it. */
void remember_cell(generator *g, int32_t z, int32_t cell, ptl_oter before, ptl_oter oter);
static inline void cell_covered(generator *g, int32_t z, int32_t cell, ptl_oter before,
                                ptl_oter oter)
{
    if (g->before.kept && g->config->cat->oters[oter].flags & CAT_FLAG_PREDECESSOR)
        remember_cell(g, z, cell, before, oter);
}

/* Writes a cell of a level (cells are cells_at of it). From the specials on, every step writes
 * through this. */
static inline void cell_set(generator *g, ptl_oter *cells, int32_t z, int32_t cell,
                            ptl_oter oter)
{
    const ptl_oter before = cells[cell];
    cells[cell] = oter;
    cell_covered(g, z, cell, before, oter);
    if (g->watching && before != oter)
        g->watching(g, z, cell, before);
}

/* Returns a level's cells; on lack of memory g->failed is set and NULL comes back. Nearly
 * always the level has them already. */
ptl_oter *cells_made(generator *g, int32_t z);
static inline ptl_oter *cells_at(generator *g, int32_t z)
{
    ptl_oter *cells = chunk_level(g->chunk, z)->cells;
    return cells ? cells : cells_made(g, z);
}

/* Is the cell painted by a river of the four edges? x, y may lie up to REACH outside, beside
 * the chunk, not at its corners (there is none). */
bool strip_river(const generator *g, int32_t x, int32_t y);

/* Makes the noise of the running step's world at local (x, y), eight OMTs. */
void noise_forest(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
void noise_lake(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
/* Makes it for a square of OMTs. */
void noise_lake_square(generator *g, int32_t x, int32_t y,
                       uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
/* Makes it for NOISE_SQUARES squares; false where only noise_lake can tell (in a test of the
 * reach). */
bool noise_lake_squares(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_SQUARES]);
/* Likewise, of the planned ocean. */
void noise_ocean_square(generator *g, int32_t x, int32_t y,
                        uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
bool noise_ocean_squares(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_SQUARES]);
/* What the next four fill: g->noise_grid and g->noise_column. */
extern const gen_part noise_columns_part;
/* Make it for the chunk: first its rows, once; then of each column of tiles those that
 * g->noise_column asks for. */
void noise_forest_rows(generator *g);
void noise_forest_column(generator *g, int32_t x);
void noise_floodplain_rows(generator *g);
void noise_floodplain_column(generator *g, int32_t x);

#endif
