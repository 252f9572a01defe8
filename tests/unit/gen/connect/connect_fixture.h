/*
 * A board for the connection engine: a generator with a chunk of field in work, and checks that
 * know the rules from the catalogue alone, not from the engine's tables.
 */
#ifndef CONNECT_FIXTURE_H
#define CONNECT_FIXTURE_H

#include "gen/connect/connect_impl.h"

typedef struct board {
    gen_config *config;
    generator *g;
    ptl_chunk *chunk;
    const catalogue *cat;
} board;

/* cat NULL: the town catalogue, region "dry". */
board board_new(uint64_t seed, const catalogue *cat);
void board_dispose(board *b);
/* All of z = 0 becomes this. */
void board_fill(board *b, const char *id);

ptl_oter oter_of(const board *b, const char *id);
size_t connection_of(const board *b, const char *id);
void set(board *b, int32_t x, int32_t y, const char *id);
const char *get(board *b, int32_t z, int32_t x, int32_t y);
ptl_oter *cell(board *b, int32_t z, int32_t x, int32_t y);

/* Blobs of every kind of ground inside a square from (0, 0); around it nothing can be built. */
void board_random_land(board *b, rng *r, int32_t size);
/* A point at which the connection may start. False if none was found. */
bool random_end(board *b, rng *r, size_t connection, int32_t size, connect_end *out);

/* Fails unless each arm on the level is answered. Arms out of the chunk are counted. */
int check_arms(board *b, int32_t z);

/* The least cost and, for it, the least number of counted turns from one cell to another, by
 * trying everything; -1 if there is no way. */
typedef struct best {
    int64_t cost, turns;
} best;
best brute_force(board *b, size_t connection, int32_t from, int32_t to);
/* The least of all ways to an OMT of the connection at which a path may end, over no closed
 * cell and not setting out in the direction `against` (-1: none). */
best brute_force_nearest(board *b, size_t connection, int32_t from, int against,
                         const int32_t *closed, size_t closed_count);
/* The same of the path that connector holds, on these cells. */
best path_cost(board *b, size_t connection, const ptl_oter *cells);

#endif
