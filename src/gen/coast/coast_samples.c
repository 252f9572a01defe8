#include "gen/coast/coast_samples.h"

const int32_t coast_sample_cells[COAST_SAMPLES] = {2, 7, 12, 16, 21};

/* Points lie at all distances alike, so the farther out a cell is, the fewer come to it: of
 * each distance's points it has 1 / (2 pi distance). Here in parts of 2^16, by the square of
 * the distance, up to the largest radius; the middle as half a cell from it. */
enum { RADIUS_MAX = 10, SHARE_BITS = 16 };
static const uint16_t cell_share[RADIUS_MAX * RADIUS_MAX + 1] = {
    20861, 10430, 7375, 6022, 5215, 4665, 4258, 3942, 3688, 3477, 3298, 3145, 3011, 2893, 2788,
    2693,  2608,  2530, 2458, 2393, 2332, 2276, 2224, 2175, 2129, 2086, 2046, 2007, 1971, 1937,
    1904,  1873,  1844, 1816, 1789, 1763, 1738, 1715, 1692, 1670, 1649, 1629, 1609, 1591, 1572,
    1555,  1538,  1521, 1505, 1490, 1475, 1461, 1446, 1433, 1419, 1406, 1394, 1382, 1370, 1358,
    1347,  1335,  1325, 1314, 1304, 1294, 1284, 1274, 1265, 1256, 1247, 1238, 1229, 1221, 1213,
    1204,  1196,  1189, 1181, 1174, 1166, 1159, 1152, 1145, 1138, 1131, 1125, 1118, 1112, 1106,
    1099,  1093,  1087, 1082, 1076, 1070, 1065, 1059, 1054, 1048, 1043,
};

/* Along a side of three OMTs, counted from the middle one's first cell: where samples lie, and
 * how many of them lie before a cell, from FIRST on. */
enum { SIDE_SAMPLES = 3 * COAST_SAMPLES, FIRST = -2 * COAST_SIDE, SIDE_CELLS = 6 * COAST_SIDE };
static const int8_t sample_cells[SIDE_SAMPLES] = {-22, -17, -12, -8, -3, 2,  7, 12,
                                                  16,  21,  26,  31, 36, 40, 45};
static const uint8_t before[SIDE_CELLS] = {
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
    0,  0,  0,  0,  0,  0,  1,  1,  1,  1,  1,  2,  2,  2,  2,  2,  3,  3,  3,  3,  4,
    4,  4,  4,  4,  5,  5,  5,  5,  5,  6,  6,  6,  6,  6,  7,  7,  7,  7,  7,  8,  8,
    8,  8,  9,  9,  9,  9,  9,  10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 12, 12, 12, 12,
    12, 13, 13, 13, 13, 14, 14, 14, 14, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15};
_Static_assert(COAST_REACH + RADIUS_MAX < COAST_SIDE + COAST_SIDE,
               "all cells in reach are there");

/* The widest a circle is at a distance from its middle: the root of r * r - away * away, down.
 */
static const uint8_t half_widths[RADIUS_MAX + 1][RADIUS_MAX + 1] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {3, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0},
    {4, 3, 3, 2, 0, 0, 0, 0, 0, 0, 0}, {5, 4, 4, 4, 3, 0, 0, 0, 0, 0, 0},
    {6, 5, 5, 5, 4, 3, 0, 0, 0, 0, 0}, {7, 6, 6, 6, 5, 4, 3, 0, 0, 0, 0},
    {8, 7, 7, 7, 6, 6, 5, 3, 0, 0, 0}, {9, 8, 8, 8, 8, 7, 6, 5, 4, 0, 0},
    {10, 9, 9, 9, 9, 8, 8, 7, 6, 4, 0}};

void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column)
{
    const int32_t r = hill->radius, x = hill->x, y = hill->y;
    const int32_t first = (column - 1) * COAST_SAMPLES;
    const int32_t least = first < 0 ? -first : 0, end = columns * COAST_SAMPLES - first;
    const int32_t bottom = before[y + r + 1 - FIRST];
    /* How much a distance gets of all that is added. */
    const int32_t mass = hill->points * (hill->low + hill->high) / 2 / (r + 1);
    for (int32_t j = before[y - r - FIRST]; j < bottom; j++) {
        const int32_t down = sample_cells[j] - y, square = down * down;
        const int32_t half = half_widths[r][down < 0 ? -down : down];
        const int32_t from = before[x - half - FIRST], to = before[x + half + 1 - FIRST];
        const int32_t right = to < end ? to : end;
        for (int32_t i = from > least ? from : least; i < right; i++) {
            const int32_t across = sample_cells[i] - x;
            rows[j][first + i] += mass * cell_share[square + across * across] >> SHARE_BITS;
        }
    }
}
