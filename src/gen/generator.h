/*
 * Inside gen/: the chunk in work, as the steps see it. Grids that reach beyond the chunk are
 * windows with a margin; local coordinates -margin .. 179 + margin.
 */
#ifndef GEN_GENERATOR_H
#define GEN_GENERATOR_H

#include "core/hash.h"
#include "gen/connect.h"
#include "gen/feature.h"
#include "gen/pipeline.h"

enum {
    SIZE = PTL_CHUNK_SIZE,
    REACH = PLAN_REACH,
    LAKE_SIZE_LIMIT = 1000 /* content's lake_size_min lies in 1..LAKE_SIZE_LIMIT */
};

/* The lake field around the chunk: lazily filled, see lake_field.c. */
typedef struct lake_field {
    int32_t margin, width; /* width = SIZE + 2 * margin, rounded up to whole blocks */
    uint8_t *cells;        /* width * width, LAKE_* bits */
    int32_t *queue;        /* of the flood, lake_size_min entries */
    uint8_t *squares;      /* NOISE_ALL_... of squares of the window, row by row */
} lake_field;

/* A connection of a special on a level other than the ground, drawn with that level's others.
 */
typedef struct deep_link {
    uint16_t connection;
    int8_t z;
    connect_end end;
} deep_link;

struct generator {
    const gen_config *config;
    ptl_chunk *chunk;
    edge *const *edges; /* north, east, south, west */
    uint8_t *strips[4]; /* river strips of the edges, layout of plan_river_strip */
    lake_field lakes;
    ptl_oter *ground;           /* cells of z = 0, index y * SIZE + x: chunk's level */
    uint8_t *mask;              /* SIZE * SIZE scratch for one step */
    int32_t *flood;             /* scratch of the swamps: (SIZE + 1) * (SIZE + 1) */
    int32_t *list;              /* SIZE * SIZE scratch */
    noise_grid *noise_grid;     /* of the step that runs */
    noise_column *noise_column; /* likewise */
    uint8_t *reserved;    /* SIZE * SIZE: 1 on corridors of exits, until roads are drawn */
    connector *connector; /* of connect.h */
    gen_features features;
    struct site_map *site_map;   /* of sites.h */
    bool watching;               /* site_map is to hear of every cell that changes */
    uint32_t watches;            /* how often that has begun */
    struct city_map *city_map;   /* of city_map.h */
    struct growth *growth;       /* of growth.h */
    struct placer *placer;       /* of place.h */
    struct special_rules *rules; /* of rules.h */
    struct sublevels *sublevels; /* of sublevels_rules.h */
    uint32_t *safe;              /* SIZE * SIZE: bit z + 10: no monster group may be there */
    deep_link *deep_links;       /* owned; of specials, for step_sublevels */
    size_t deep_link_count, deep_link_room;
    const gen_trace *trace; /* NULL: nobody listens */
    city_site *sites;       /* CITY_SITES_MAX, scratch */
    struct end_list *ends;  /* of ends.h, scratch */
    gen_event *events;
    size_t event_count, event_capacity;
    bool failed;      /* the chunk is given up: memory is out, or `stopped` says why */
    bool stopped;     /* that was asked for */
    uint32_t unasked; /* work since somebody was asked; see work_on */
    /* tests of the declared reach */
    bool scramble;
    noise_land other_noise;
    const step_info *running;
};

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

/* A stream of the running step for this chunk. */
rng step_stream(const generator *g, const char *what);
/* A stream for an absolute OMT, the same for each chunk that asks. x, y are local. */
rng cell_stream(const generator *g, uint64_t key, int32_t x, int32_t y);
uint64_t step_key(const generator *g, const char *what);

/* The streams of many cells, which lie in the chunk or up to REACH beyond it: what hangs on one
 * coordinate alone is hashed once. */
typedef struct cell_keys {
    uint64_t x[SIZE + 2 * REACH], y[SIZE + 2 * REACH]; /* from -REACH on */
} cell_keys;
void cell_keys_init(cell_keys *keys, const generator *g, uint64_t key);
/* The same as cell_stream of the key. */
static inline rng cell_keys_stream(const cell_keys *keys, int32_t x, int32_t y)
{
    return rng_from_key(hash_mix(keys->x[x + REACH] ^ keys->y[y + REACH]));
}

/* An index by weight: upto holds running sums, whose last one is above 0. */
static inline size_t draw_by_weight(const uint32_t *upto, size_t count, rng *r)
{
    const uint32_t at = rng_below(r, upto[count - 1]);
    size_t first = 0;
    /* No branch hangs on what was drawn: nobody could foretell it. */
    for (size_t left = count; left > 1; left -= left / 2)
        first += (upto[first + left / 2 - 1] <= at) * (left / 2);
    return first;
}

void add_event(generator *g, const char *kind, int32_t x, int32_t y, int32_t z,
               const char *detail);

/* In sites.h: to be told of a cell that has changed, while g->watching. */
void site_map_cell(generator *g, int32_t z, int32_t cell, ptl_oter before);

/* Writes a cell of a level (cells are cells_at of it). From the specials on, every step writes
 * through this. */
static inline void cell_set(generator *g, ptl_oter *cells, int32_t z, int32_t cell,
                            ptl_oter oter)
{
    const ptl_oter before = cells[cell];
    cells[cell] = oter;
    if (g->watching && before != oter)
        site_map_cell(g, z, cell, before);
}

/* A level's cells; on lack of memory g->failed is set and NULL comes back. Nearly always the
 * level has them already. */
ptl_oter *cells_made(generator *g, int32_t z);
static inline ptl_oter *cells_at(generator *g, int32_t z)
{
    ptl_oter *cells = chunk_level(g->chunk, z)->cells;
    return cells ? cells : cells_made(g, z);
}

/* Is the cell painted by a river of the four edges? x, y may lie up to REACH outside, beside
 * the chunk, not at its corners (there is none). */
bool strip_river(const generator *g, int32_t x, int32_t y);

/* Is the cell lake, by noise and size? Up to REACH + 1 outside. */
bool lake_is(generator *g, int32_t x, int32_t y);
/* False if none of the NOISE_SQUARE^2 cells from (x, y) on is lake; x and y are multiples of
 * NOISE_SQUARE in the chunk. */
bool lake_possible(generator *g, int32_t x, int32_t y);
bool lake_field_init(lake_field *f, int32_t lake_size_min);
void lake_field_dispose(lake_field *f);
void lake_field_reset(lake_field *f);

/* Noise of the running step's world at local (x, y), eight OMTs. */
void noise_forest(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
void noise_lake(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_BLOCK]);
/* A square of OMTs. */
void noise_lake_square(generator *g, int32_t x, int32_t y,
                       uint8_t out[NOISE_SQUARE][NOISE_SQUARE]);
/* NOISE_SQUARES squares; false where only noise_lake can tell (in a test of the reach). */
bool noise_lake_squares(generator *g, int32_t x, int32_t y, uint8_t out[NOISE_SQUARES]);
/* Of the chunk: first its rows, once; then of each column of tiles those that
 * g->noise_column asks for. */
void noise_forest_rows(generator *g);
void noise_forest_column(generator *g, int32_t x);
void noise_floodplain_rows(generator *g);
void noise_floodplain_column(generator *g, int32_t x);

/* river_walk.c: a river from a to b, in the chunk's inner part; lake cells stay as they are. */
typedef struct point {
    int32_t x, y;
} point;
void river_walk(generator *g, rng *r, point a, point b);
/* The nearest point at which an inner river may have its centre. */
point river_inner(const generator *g, point p);

/* The steps. */
void step_rivers(generator *g);
void step_lakes(generator *g);
void step_forests(generator *g);
void step_swamps(generator *g);
void step_ravines(generator *g);
/* corridors.c: marks g->reserved for the exits of the chunk's edges. */
void reserve_corridors(generator *g);
void step_cities(generator *g);
void step_forest_trails(generator *g);
void step_roads(generator *g);
void step_specials(generator *g);
void step_trailheads(generator *g);
void step_sublevels(generator *g);
void step_bridges(generator *g);
void step_monster_groups(generator *g);
void step_radios(generator *g);
void step_river_banks(generator *g);

#endif
