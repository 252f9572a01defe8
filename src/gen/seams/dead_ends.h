/*
 * Dead ends: is every arm of a linear tile answered by what it points at? And do rivers go on
 * across borders? A check of finished chunks in memory, for tests and for `verify --seams`; it
 * shares no code with what draws.
 *
 * An arm is answered by a linear tile of the same connection that points back, by a tile of it
 * that does not merge and lies along the arm (a bridge, what a bridge became, a manhole), by a
 * tile of a building or special, by a stop of trains below the ground, or by a level crossing
 * of another line behind which this one goes on. Tiles that do not merge have two ends, which
 * must be answered likewise, outside of buildings. At a border the neighbour chunk answers
 * where there is one, and the edge's crossings must say the same; where there is none they
 * alone do. Arms that the definition of a building states are their own affair, and so is what
 * two foreign chunks have between them.
 *
 * The sea ends where noise says, so no shore follows a border in a straight line for long; one
 * that does was cut. Chunks of other versions of the generator may have such shores: they are
 * counted, and no problem.
 */
#ifndef GEN_SEAMS_DEAD_ENDS_H
#define GEN_SEAMS_DEAD_ENDS_H

#include "model/chunk.h"
#include "model/edge.h"
#include "model/feature.h"

/* One chunk as the check sees it. chunk NULL: it is not there. All borrowed. */
typedef struct dead_end_view {
    const ptl_chunk *chunk;
    const gen_features *features; /* its placements; NULL: none */
    bool foreign;                 /* Portolan did not make it */
    bool older;                   /* another version of the generator did */
} dead_end_view;

typedef struct dead_end_counts {
    uint64_t arms;                              /* the sum of those up to dead */
    uint64_t line, parallel, crossed, building; /* answered by such a tile */
    uint64_t border;    /* answered by the edge alone: there is no neighbour yet */
    uint64_t own;       /* stated by the definition of the placement that the tile is of */
    uint64_t foreign;   /* inside a foreign chunk, or between two */
    uint64_t unbound;   /* of a line of no connection, towards another terrain */
    uint64_t dead;      /* not answered */
    uint64_t ends;      /* of pieces that don't merge: bridges, level crossings */
    uint64_t loose;     /* of them, those that nothing answers */
    uint64_t crossings; /* of edges */
    uint64_t missing;   /* crossings at which no tile leads out */
} dead_end_counts;

typedef struct dead_end_river_counts {
    uint64_t runs;      /* of water with river on borders to a chunk that is there */
    uint64_t ends;      /* of pieces that don't merge: bridges, level crossings */
    uint64_t loose;     /* of them, those that nothing answers */
    uint64_t crossings; /* of edges */
    uint64_t highways;  /* crossings of highways */
    uint64_t straight;  /* shores of the sea that follow a border in a straight line */
    uint64_t problems;  /* of all of these */
} dead_end_river_counts;

typedef struct dead_end_problem {
    const char *kind; /* ids of connections, the terrain's for lines of none, "river"
                       * or "highway" */
    const char *what; /* a constant: what is wrong */
    const char *oter; /* id of the tile; borrowed from the catalogue */
    int32_t x, y, z;  /* chunk-local */
    int direction;    /* 0..3 = N, E, S, W: of the arm, or of the border */
} dead_end_problem;

typedef void (*dead_end_callback)(void *payload, const dead_end_problem *problem);

/* Scratch and counts for any number of chunks of one catalogue. */
typedef struct dead_ends dead_ends;

dead_ends *dead_ends_new(const catalogue *cat); /* new, borrows cat; NULL without memory */
void dead_ends_free(dead_ends *d);

/*
 * Checks one chunk and adds to the counts. neighbours and edges are N, E, S, W; an edge may be
 * NULL where it is not known. Border arms of the neighbours are not looked at: check each chunk
 * in turn. on_problem may be NULL. False when memory is out.
 */
bool dead_ends_check(dead_ends *d, const dead_end_view *view, const dead_end_view neighbours[4],
                     const edge *const edges[4], dead_end_callback on_problem, void *payload);

/*
 * Counts of a connection by its index; of lines of no connection at connection_count. A tile
 * does not say which connection drew it, so those that share terrain have their counts
 * together: dead_ends_group is the first of them, itself for most, and dead_ends_kind their
 * ids, with " + " between them; "" for lines of no connection. Borrowed from the check.
 */
const dead_end_counts *dead_ends_counts(const dead_ends *d, size_t connection);
size_t dead_ends_group(const dead_ends *d, size_t connection);
const char *dead_ends_kind(const dead_ends *d, size_t connection);
const dead_end_river_counts *dead_ends_rivers(const dead_ends *d);
/* All problems so far, of lines, rivers and highways. */
uint64_t dead_ends_problems(const dead_ends *d);

#endif
