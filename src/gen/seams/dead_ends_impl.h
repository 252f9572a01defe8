/* Internals of the check of dead ends: its memory, and what its files share. */
#pragma once

#include "core/arena.h"
#include "gen/seams/dead_ends.h"
#include "model/direction.h"

enum {
    SIDE = PTL_CHUNK_SIZE,
    CELLS = PTL_LEVEL_CELLS,
    WORDS = (CELLS * PTL_LEVELS + 63) / 64,
    HERE = 4 /* index in dead_ends.views of the checked chunk; 0 to 3 are its neighbours to the
              * north, east, south and west */
};

static inline bool is_linear(const catalogue *cat, uint16_t terrain)
{
    return cat->terrains[terrain].count == 16;
}

static inline bool is_rotatable(const catalogue *cat, uint16_t terrain)
{
    return cat->terrains[terrain].count == 4;
}

/* An OMT that a placement's definition gives to a cell. */
typedef struct stated {
    int32_t cell; /* index of the cell in the chunk: its level * CELLS + y * SIDE + x */
    ptl_oter oter;
} stated;

struct dead_ends {
    const catalogue *cat;
    arena *memory; /* owns the lists that this struct points to, except `stated` */
    /* By terrain: the terrain of the bridge whose OMTs become this terrain when the bridge is
     * raised; CAT_NONE if there is no such bridge. */
    uint16_t *companion_of;
    /* Counts of arms, connection_count + 1 elements. Connections that share a terrain form a
     * group, whose arms are counted in the element of its first connection. The last element
     * counts the arms of lines without a connection. */
    dead_end_counts *counts;
    /* By connection: the first connection of the group that the connection is in. One more
     * element stands for lines without a connection. */
    uint16_t *group;
    char **names; /* A group of several connections has a name: their ids with " + " between
                     them. It is at the index of the group's first connection; all other
                     elements are NULL */
    uint16_t stops[3]; /* terrains at which trains stop below the ground; CAT_NONE where the
                        * content lacks one */
    bool has_highways; /* the content has terrain with the highway flag */
    dead_end_river_counts rivers;
    /* For each of the five chunks in `views` (the checked chunk and its four neighbours): a
     * bitmap of WORDS words. The bit of a cell is set if a placement covers the cell. */
    uint64_t *covered[5];
    stated *stated; /* the OMTs that definitions give to cells of the checked chunk, sorted by
                     * compare_stated */
    size_t stated_count, stated_room;
    /* What dead_ends_check was called with, while it runs. */
    dead_end_view views[5];
    const edge *const *edges;
    dead_end_callback on_problem;
    void *payload;
};

/* Returns the counts for a connection. Connections that share terrain have their counts in
 * common. */
static inline dead_end_counts *dead_ends_tally(const dead_ends *d, size_t connection)
{
    return &d->counts[d->group[connection]];
}

/* Returns the oter at a cell of the chunk or of a neighbour, at most one chunk away. Sets
 * *building, unless that is NULL, to whether a placement covers the cell. Returns CAT_NONE
 * where there is no chunk, or where the content lacks the oter. */
ptl_oter dead_ends_oter(const dead_ends *d, int32_t x, int32_t y, int32_t z, bool *building);

void dead_ends_report(const dead_ends *d, const dead_end_problem *problem);

/* Does the edge record a crossing at this position and level, of a connection to which this
 * terrain belongs? */
bool dead_ends_edge_has(const dead_ends *d, const edge *e, int32_t position, int32_t z,
                        uint16_t terrain);
/* Checks that the chunk has an arm or a river at each crossing of its edges, and that its
 * rivers go on in the neighbours. */
void dead_ends_borders(dead_ends *d);
