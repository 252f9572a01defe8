/* The parts of portolan show. */
#ifndef CLI_SHOW_H
#define CLI_SHOW_H

#include "cli/session.h"

/* One row of edge records: the edge of chunk (x, y) to its E(ast) or S(outh) neighbour. */
int show_edge(session *s, int32_t x, int32_t y, char side, bool json);
/* All four edges of a chunk. */
int show_chunk_edges(session *s, ptl_chunk_pos pos, bool json);

#endif
