/* Squares of n x n chunks as 180 x 180 samples, each of one OMT. */
#ifndef SERVER_GATHER_H
#define SERVER_GATHER_H

#include "core/bytes.h"
#include "portolan/area.h"

/* Takes the samples that lie in one chunk, which is x, y chunks from the first of n x n: the
 * cell (i, j) is the OMT (i n + n / 2, j n + n / 2) from that one's corner. */
void gather_samples(ptl_oter cells[PTL_LEVEL_CELLS], const ptl_oter level[PTL_LEVEL_CELLS],
                    int32_t n, int32_t x, int32_t y);
/* Appends cells as the page takes them: 16 bits each, little-endian. */
void gather_put(bytes *out, const ptl_oter cells[PTL_LEVEL_CELLS]);

#endif
