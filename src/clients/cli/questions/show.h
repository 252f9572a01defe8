/* The parts of portolan show. */
#ifndef CLI_QUESTIONS_SHOW_H
#define CLI_QUESTIONS_SHOW_H

#include "clients/cli/session/session.h"

/* What edge records say of a chunk's edge to its 'E'(ast) or 'S'(outh) neighbour; 0: of all
 * four edges. */
int show_edges_of(session *s, ptl_chunk_pos pos, char side);

#endif
