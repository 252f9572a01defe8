/*
 * Step sublevels on a chunk of field: the town catalogue with the terrains that the rules name,
 * and specials of our own.
 */
#ifndef SUB_FIXTURE_H
#define SUB_FIXTURE_H

#include "gen/below/sublevels.h"
#include "unit/gen/connect/connect_fixture.h"

/* With a mutable special that grows this terrain; NULL: none. Static memory, good until the
 * next call. */
const catalogue *sub_catalogue(const char *grown);
/* A board of it; chunks differ by seed. */
board sub_board(uint64_t seed);

/* Writes to any level. */
void sub_set(board *b, int32_t z, int32_t x, int32_t y, const char *id);
/* Is it this oter, or one of this type? */
bool sub_is(board *b, int32_t z, int32_t x, int32_t y, const char *id);
int32_t sub_count(board *b, int32_t z, const char *type);
/* Cells of the level that are not its default. */
int32_t sub_used(board *b, int32_t z);
/* Events of the kind. */
int sub_events(const board *b, const char *kind);
/* A special's connection on a level. */
void sub_ask(board *b, const char *connection, int32_t x, int32_t y, int32_t z, int heading);
/* The parts of a line on a level, stops of trains being OMTs of it. */
int32_t sub_parts(board *b, const char *connection, int32_t z);
/* Arms in the chunk that nothing answers; the first ones are printed. */
uint64_t sub_dead_ends(board *b);

#endif
