/*
 * Measures how far each cell of a level is from the nearest OMT of a connection. If OMTs were
 * added to the connection, only distances that become less are changed. If an OMT was removed,
 * all distances are measured anew. The code is compiled once for any processor and once for
 * those with AVX2 (connect_far_base.c, connect_far_avx2.c, which define CONNECT_MEASURE). It
 * uses whole numbers only, so that both versions give the same results.
 */
#include "gen/connect/connect_impl.h"

#include <string.h>

enum { PAD = (FAR_MAX + 1) / 2, PADDED = PAD + FAR_WIDTH + PAD };

/* Compares each number of a row with two sums: the numbers that stand `distance` cells to its
 * left and to its right, each plus `distance`. The least of the three becomes the cell's
 * number. The row is padded to whole vectors. */
static void leap(uint8_t *restrict to, const uint8_t *restrict from, int distance)
{
    const uint8_t most = (uint8_t)(FAR_MAX - distance);
    for (int x = 0; x < FAR_WIDTH; x++) {
        const uint8_t left = from[PAD + x - distance], right = from[PAD + x + distance];
        uint8_t least = left < right ? left : right;
        least = least < most ? least : most;
        const uint8_t moved = (uint8_t)(least + distance);
        to[PAD + x] = moved < from[PAD + x] ? moved : from[PAD + x];
    }
}

/* Turns a row in which OMTs of the connection are 0, and all other cells FAR_MAX, into
 * distances: those of the cells to the nearest 0 in the row. Leaps of 1, 2, 4, ... cells are
 * enough, since every distance is a sum of such leaps. */
static void measure_row(uint8_t *row)
{
    uint8_t a[PADDED], b[PADDED];
    memset(a, FAR_MAX, sizeof a);
    memset(b, FAR_MAX, sizeof b);
    memcpy(a + PAD, row, FAR_WIDTH);
    for (int distance = 1; distance <= PAD; distance *= 4) {
        leap(b, a, distance);
        leap(a, b, 2 * distance);
    }
    memcpy(row, a + PAD, FAR_WIDTH);
}

/* How many columns a block has. Distances within a row are known first; then they spread from
 * row to row, within columns. So a block of columns can be measured by itself, and most new
 * OMTs change only a few of the blocks. */
enum { BLOCK = FAR_WIDTH / 3 };

/* `row` has the distances of BLOCK cells of a row of the level. Would a new OMT of the
 * connection in the same row, at `column` (counted from the first of these cells), lower any of
 * them? It is enough to test the cell nearest to the OMT, because distances of neighbours
 * differ by at most 1. */
static bool is_nearer(const uint8_t *row, int32_t column)
{
    const int32_t next = column < 0 ? 0 : column < BLOCK ? column : BLOCK - 1;
    const int32_t aside = column < next ? next - column : column - next;
    return aside < row[next];
}

/* Lowers the distances in a row for a new OMT in it. `steps` has the distance of each cell from
 * that OMT; a cell keeps the lesser of this and its present distance. */
static void lower_row(uint8_t *restrict row, const uint8_t *restrict steps)
{
    for (int x = 0; x < BLOCK; x++)
        row[x] = steps[x] < row[x] ? steps[x] : row[x];
}

/* Lowers the distances of a block of columns row by row, from row y on southwards (way 1) or
 * northwards (way -1): where a distance is more than the one in the same column of the previous
 * row plus 1, it becomes that sum. Stops at the first row beyond row `sure` in which nothing
 * changes, and returns that row. Later rows can't change either, as distances in neighbouring
 * rows differ by at most 1. */
static int32_t sweep(uint8_t *far, int32_t y, int32_t way, int32_t sure)
{
    for (; y >= 0 && y < SIZE; y += way) {
        const uint8_t *restrict from = &far[(y - way) * FAR_WIDTH];
        uint8_t *restrict to = &far[y * FAR_WIDTH];
        uint8_t changed = 0;
        /* far[] has the distance of each cell to the nearest OMT of the connection. Distances
         * above FAR_MAX are kept as FAR_MAX. */
        for (int x = 0; x < BLOCK; x++) {
            const uint8_t stepped = (uint8_t)((from[x] < FAR_MAX ? from[x] : FAR_MAX - 1) + 1);
            const uint8_t least = stepped < to[x] ? stepped : to[x];
            changed |= (uint8_t)(least ^ to[x]);
            to[x] = least;
        }
        if (changed == 0 && (way > 0 ? y > sure : y < sure))
            break;
    }
    return y;
}

/* Called after the distances in a block's rows from `first` to `last` have become less. Lowers
 * the distances in the other rows of the block accordingly. */
static void measure_across(uint8_t *far, int32_t first, int32_t last)
{
    const int32_t end = sweep(far, first + 1, 1, last);
    sweep(far, end - 2, -1, first);
}

/* Measures all distances to the connection's OMTs: first within each row that has such an OMT,
 * then from row to row. */
static void measure_anew(connect_view *v)
{
    memcpy(v->far, v->omts, SIZE * FAR_WIDTH);
    for (int32_t y = 0; y < SIZE; y++)
        if (v->row_has[y])
            measure_row(&v->far[y * FAR_WIDTH]);
    for (int32_t x = 0; x < FAR_WIDTH; x += BLOCK)
        measure_across(&v->far[x], 0, SIZE - 1);
}

/* Lowers the distance of each OMT to the connection where a new OMT of the connection is
 * nearer. A block of columns is skipped if no new OMT lowers a distance in it. */
static void measure_fresh(connect_view *v)
{
    enum { BLOCKS = FAR_WIDTH / BLOCK };
    int32_t first[BLOCKS], last[BLOCKS];
    uint8_t steps[2 * FAR_WIDTH]; /* steps[FAR_WIDTH + i], with i from -FAR_WIDTH to FAR_WIDTH -
                                   * 1, is the distance from an OMT to the cell that lies i
                                   * columns east of it in the same row */
    for (int i = 0; i < FAR_WIDTH; i++) {
        steps[i] = (uint8_t)(FAR_WIDTH - i);
        steps[FAR_WIDTH + i] = (uint8_t)i;
    }
    for (int i = 0; i < BLOCKS; i++) {
        first[i] = SIZE;
        last[i] = -1;
    }
    for (size_t f = 0; f < v->fresh_count; f++) {
        const int32_t column = v->fresh[f] % SIZE, y = v->fresh[f] / SIZE;
        for (int i = 0; i < BLOCKS; i++) {
            uint8_t *row = &v->far[y * FAR_WIDTH + i * BLOCK];
            if (!is_nearer(row, column - i * BLOCK))
                continue;
            lower_row(row, &steps[FAR_WIDTH + i * BLOCK - column]);
            first[i] = y < first[i] ? y : first[i];
            last[i] = y > last[i] ? y : last[i];
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        if (last[i] >= 0)
            measure_across(&v->far[i * BLOCK], first[i], last[i]);
}

void CONNECT_MEASURE(connect_view *v)
{
    if (v->far_anew)
        measure_anew(v);
    else
        measure_fresh(v);
}
