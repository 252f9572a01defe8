/*
 * Distances to the nearest neighbour among random points. The distribution is computed, not
 * simulated. For a cell p, the n - 1 other points all lie farther than d with probability (1 -
 * N(p, d) / cells)^(n - 1), where N(p, d) is the number of the overmap's cells at most d away.
 * That takes the borders into account, which the closed form of Clark and Evans leaves out.
 * The mean over all p is taken at the centres of 12 x 12 blocks, of which symmetry leaves 21.
 */
#include "core/error.h"
#include "model/summary.h"
#include "portolan/sample.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIDE = PTL_CHUNK_SIZE,
    BLOCK = 15,
    BLOCKS = SIDE / BLOCK,
    CENTRES = BLOCKS / 2 * (BLOCKS / 2 + 1) / 2,
    DISTANCES = SUMMARY_FAR + 1
};

typedef struct centre {
    double weight;          /* number of blocks that this one stands for */
    double near[DISTANCES]; /* by distance: the share of cells that are no farther */
} centre;

static void count_cells(centre *c, int x, int y)
{
    uint32_t at[DISTANCES] = {0};
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) {
            const int square = (i - x) * (i - x) + (j - y) * (j - y);
            const size_t d = (size_t)sqrt((double)square);
            at[d < DISTANCES ? d : DISTANCES - 1]++;
        }
    at[0]--; /* except the point itself */
    double sum = 0;
    for (size_t d = 0; d < DISTANCES; d++) {
        sum += at[d];
        c->near[d] = sum / (SIDE * SIDE - 1);
    }
}

static void make_centres(centre *list)
{
    for (int i = 0; i < BLOCKS / 2; i++)
        for (int j = 0; j <= i; j++, list++) {
            list->weight = i == j ? 4 : 8;
            count_cells(list, BLOCK / 2 + BLOCK * i, BLOCK / 2 + BLOCK * j);
        }
}

/* Adds the density of the distance for n points. */
static void add_density(double *density, const centre *list, size_t n, double points)
{
    for (size_t c = 0; c < CENTRES; c++) {
        const double weight = points * list[c].weight / (BLOCKS * BLOCKS);
        double farther = 1;
        for (size_t d = 0; d < DISTANCES; d++) {
            const double next = pow(1 - list[c].near[d], (double)(n - 1));
            density[d] += weight * (farther - next);
            farther = next;
        }
    }
}

ptl_status ptl_random_points(ptl_hist *out, const ptl_hist *per_overmap, ptl_error *err)
{
    static const double WHOLE = 1e9;
    double density[DISTANCES] = {0}, points = 0;
    centre *list = malloc(CENTRES * sizeof *list);
    error_clear(err);
    *out = (ptl_hist){0};
    out->counts = calloc(DISTANCES, sizeof *out->counts);
    const bool good = list && out->counts;
    if (good) {
        out->size = DISTANCES;
        make_centres(list);
        for (size_t n = 2; n < per_overmap->size; n++)
            if (per_overmap->counts[n] > 0) {
                const double here = (double)n * (double)per_overmap->counts[n];
                add_density(density, list, n, here);
                points += here;
            }
        for (size_t d = 0; d < DISTANCES && points > 0; d++)
            out->counts[d] = (uint64_t)(density[d] / points * WHOLE + 0.5);
    }
    free(list);
    if (good)
        return PTL_OK;
    ptl_hist_dispose(out);
    return error_nomem(err);
}
