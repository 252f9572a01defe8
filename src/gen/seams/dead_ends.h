/*
 * Checks for dead ends: is every arm of a linear OMT answered by the OMT that it points at, and
 * do rivers go on across borders? It checks finished chunks in memory, for tests and for
 * `verify --seams`, and shares no code with the steps that draw lines and rivers.
 *
 * An arm is answered by one of these:
 * - a linear OMT of the same connection that points back;
 * - an OMT of the connection that does not merge with its neighbours and lies along the arm (a
 *   bridge, what a bridge became, a manhole);
 * - an OMT of a building or special;
 * - a stop of trains below the ground;
 * - a level crossing of another line, if this line goes on behind it.
 *
 * OMTs that do not merge with their neighbours have two ends, which must be answered in the
 * same way as arms, except in buildings. At a border the neighbour chunk must answer, if there
 * is one, and the edge must record a crossing; without a neighbour the crossing alone answers.
 * Not checked are arms that a building's definition states, and lines between two foreign
 * chunks, which Portolan did not make.
 *
 * The sea's shores follow noise, so no shore runs along a border in a straight line for long. A
 * shore that does was cut off by mistake. Chunks of other versions of the generator may have
 * such shores: they are counted, but are no problem.
 */
#pragma once

#include "model/chunk.h"
#include "model/edge.h"
#include "model/feature.h"

/* One chunk as the check sees it. chunk is NULL if the chunk does not exist. All pointers are
 * borrowed. */
typedef struct dead_end_view {
    const ptl_chunk *chunk;
    const gen_features *features; /* the chunk's placements; NULL: none */
    bool foreign;                 /* Portolan did not make the chunk */
    bool older;                   /* another version of the generator made the chunk */
} dead_end_view;

typedef struct dead_end_counts {
    uint64_t arms; /* all arms of linear OMTs: the sum of the members below, up to `dead` */
    /* Numbers of arms that find what they need in the OMT at which they point: an arm back
     * (`line`), a bridge or the like that lies along the arm (`parallel`), a level crossing
     * with a fitting OMT behind it (`crossed`), or a building (`building`). */
    uint64_t line, parallel, crossed, building;
    /* Number of arms at a border without a neighbour chunk. They are answered by a crossing
     * that the edge records. */
    uint64_t border;
    uint64_t own; /* arms that the definition of a building or special gives to its own OMT */
    uint64_t foreign; /* arms inside a foreign chunk, or between two foreign chunks */
    /* Number of arms of linear OMTs that belong to no connection, where the OMT beyond the arm
     * has another terrain. */
    uint64_t unbound;
    uint64_t dead; /* arms that nothing answers and that are in none of the counts above */
    /* Number of ends of OMTs of connections that are rotated as a whole (bridges, level
     * crossings); each such OMT has two ends. */
    uint64_t ends;
    uint64_t loose;     /* those of the ends counted in `ends` that nothing answers */
    uint64_t crossings; /* crossings of the connection that the chunks' edges record */
    uint64_t missing;   /* crossings at which no OMT leads out of the chunk */
} dead_end_counts;

typedef struct dead_end_river_counts {
    /* Number of stretches of water along borders to existing chunks. A stretch is a row of
     * adjacent water cells, of which at least one is river. */
    uint64_t runs;
    uint64_t crossings; /* river crossings that the chunks' edges record */
    uint64_t highways;  /* highway crossings that the chunks' edges record */
    uint64_t straight;  /* shores of the sea that follow a border in a straight line */
    uint64_t problems;  /* problems found with rivers, highways and shores */
} dead_end_river_counts;

typedef struct dead_end_problem {
    /* What the problem is about: the ids of the arm's connections; for a line without a
     * connection the id of its terrain; "river"; or "highway". */
    const char *kind;
    const char *what; /* a constant: what is wrong */
    const char *oter; /* id of the OMT's oter; borrowed from the catalogue */
    int32_t x, y, z;  /* chunk-local */
    int direction;    /* direction of the arm, or of the border: 0..3 = N, E, S, W */
} dead_end_problem;

typedef void (*dead_end_callback)(void *payload, const dead_end_problem *problem);

/* Scratch memory and counts for checking any number of chunks of one catalogue. */
typedef struct dead_ends dead_ends;

dead_ends *dead_ends_new(const catalogue *cat); /* borrows cat; NULL when memory is out */
void dead_ends_free(dead_ends *d);

/*
 * Checks one chunk and adds to the counts. `neighbours` and `edges` are in the order north,
 * east, south, west; an edge that is not known may be NULL. The neighbours' own arms at the
 * border are not checked, so each chunk must be checked in turn. `on_problem` may be NULL.
 * False when memory is out.
 */
bool dead_ends_check(dead_ends *d, const dead_end_view *view, const dead_end_view neighbours[4],
                     const edge *const edges[4], dead_end_callback on_problem, void *payload);

/*
 * dead_ends_counts returns the counts of a connection, by its index; the index connection_count
 * stands for lines without a connection. An OMT does not say which connection drew it, so
 * connections that share terrain form a group and are counted together. dead_ends_group gives
 * the first connection of the group, for most connections the connection itself. dead_ends_kind
 * gives the ids of the group with " + " between them, "" for lines without a connection. All
 * results are borrowed from the check.
 */
const dead_end_counts *dead_ends_counts(const dead_ends *d, size_t connection);
size_t dead_ends_group(const dead_ends *d, size_t connection);
const char *dead_ends_kind(const dead_ends *d, size_t connection);
const dead_end_river_counts *dead_ends_rivers(const dead_ends *d);
/* Returns the number of all problems found so far, with arms, rivers, highways and shores. */
uint64_t dead_ends_problems(const dead_ends *d);
