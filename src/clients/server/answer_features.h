/* Samples of n x n chunks: 180 x 180 cells, each of which shows the oter of one OMT. */
#ifndef CLIENTS_SERVER_ANSWER_FEATURES_H
#define CLIENTS_SERVER_ANSWER_FEATURES_H

#include "core/bytes.h"
#include "portolan/area.h"

/*
 * Takes those samples that lie in one chunk, whose level is given. The chunk is the x-th to
 * the east and the y-th to the south in its square of n x n. The cell (i, j) shows the OMT (i
 * n + n / 2, j n + n / 2), counted from the corner of the square's first chunk.
 */
void gather_samples(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_oter level[PTL_LEVEL_CELLS],
                    int32_t n, int32_t x, int32_t y);

#endif
