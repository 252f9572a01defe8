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

/* A place along one side: which sample it is, and how far from the hill's middle. */
typedef struct reach {
    int32_t at, away;
} reach;

enum { IN_REACH = 2 * COAST_SAMPLES }; /* samples of two OMTs: no hill is wider than one */

/* The samples along a side of so many OMTs that lie no farther from a cell than the radius. */
static int32_t find_reach(reach out[IN_REACH], int32_t omts, int32_t cell, int32_t radius)
{
    int32_t count = 0;
    const int32_t low = cell - radius;
    for (int32_t omt = low < 0 ? 0 : low / COAST_SIDE;
         omt < omts && omt * COAST_SIDE <= cell + radius; omt++)
        for (int32_t i = 0; i < COAST_SAMPLES; i++) {
            const int32_t away = omt * COAST_SIDE + coast_sample_cells[i] - cell;
            if (away >= -radius && away <= radius)
                out[count++] = (reach){omt * COAST_SAMPLES + i, away};
        }
    return count;
}

void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column)
{
    reach across[IN_REACH], down[IN_REACH];
    const int32_t r = hill->radius;
    const int32_t wide = find_reach(across, columns, column * COAST_SIDE + hill->x, r);
    const int32_t high =
        find_reach(down, COAST_SAMPLE_ROWS / COAST_SAMPLES, COAST_SIDE + hill->y, r);
    /* How much a distance gets of all that is added. */
    const int32_t mass = hill->points * (hill->low + hill->high) / 2 / (r + 1);
    for (int32_t j = 0; j < high; j++)
        for (int32_t i = 0; i < wide; i++) {
            const int32_t square =
                across[i].away * across[i].away + down[j].away * down[j].away;
            if (square <= r * r)
                rows[down[j].at][across[i].at] += mass * cell_share[square] >> SHARE_BITS;
        }
}
