/*
 * Ripley's K: counts how many places of a special lie near each other, and how many random
 * points would lie near each other. The random points are chosen on the land of each overmap.
 * If they were chosen on all cells, places on a strip of land between lakes would look as if
 * they attracted each other. The random numbers depend only on the places of the overmap, so
 * the order in which overmaps are added does not matter.
 */
#include "analysis/measure/tally_impl.h"
#include "core/array.h"
#include "core/error.h"
#include "core/hash.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIDE = PTL_CHUNK_SIZE,
    SCALE = 1 << 20, /* this number stands for the weight 1 of a pair, so that all weights can
                        be whole numbers */
    /* The most places of a special in an overmap. More would take too long: counting the
     * pairs of 1000 places, and of as many points in all random patterns, takes half a
     * second. */
    SPOTS_MAX = 1000
};

static bool add_ripley(ptl_tally *t, const char *id)
{
    for (size_t i = 0; i < t->ripley_count; i++)
        if (strcmp(t->ripleys[i]->id, id) == 0)
            return true;
    ptl_tally_ripley *r = calloc(1, sizeof *r);
    ptl_tally_ripley **list = realloc(t->ripleys, (t->ripley_count + 1) * sizeof *list);
    if (list)
        t->ripleys = list;
    if (!r || !list) {
        free(r);
        return false;
    }
    r->size = sizeof *r;
    r->id = tally_keep_id(t->own, id);
    r->on_land = true;
    list[t->ripley_count++] = r;
    return r->id != NULL;
}

ptl_status tally_ripleys(ptl_tally *t, const char *const *ids, size_t count, ptl_error *err)
{
    if (count > 0 && !t->own->ground)
        t->own->ground = malloc(PTL_LEVEL_CELLS * sizeof *t->own->ground);
    if (count > 0 && !t->own->ground)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++)
        if (!add_ripley(t, ids[i]))
            return error_nomem(err);
    return PTL_OK;
}

/* Counts the pairs of places by distance. A circle around one place that passes through the
 * other may lie partly beyond the overmap's border, where no place is counted. So a pair with
 * such a circle counts for more than one pair. */
static void add_pairs(uint64_t near[PTL_RIPLEY_RADII], const tally_spot *spots, size_t count)
{
    enum { FAR = PTL_RIPLEY_STEP * PTL_RIPLEY_RADII };
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            const int32_t x = abs(spots[i].x - spots[k].x), y = abs(spots[i].y - spots[k].y);
            const int32_t square = x * x + y * y;
            size_t step = 0;
            if (square > FAR * FAR)
                continue;
            for (int32_t radius = PTL_RIPLEY_STEP; square > radius * radius; step++)
                radius += PTL_RIPLEY_STEP;
            near[step] += (uint64_t)SCALE * SIDE * SIDE / (uint64_t)((SIDE - x) * (SIDE - y));
        }
}

/* Lists the cells that random points may be on, and returns their number. These are the land
 * cells, or all cells in an overmap without land. */
static size_t find_ground(uint16_t *ground, const uint8_t *land)
{
    size_t count = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        if (!land || land[i])
            ground[count++] = (uint16_t)i;
    return count > 0 ? count : find_ground(ground, NULL);
}

/* If the overmap has at least two places of the special, counts the pairs of places. Also
 * counts the pairs of points in random patterns that have as many points. */
static bool add_overmap(ptl_tally *t, ptl_tally_ripley *r, size_t cells)
{
    tally_targets *g = &t->own->targets;
    const size_t n = g->count;
    uint64_t key = hash_string(r->id);
    if (!ARRAY_ROOM(g->spots, g->room, 2 * n))
        return false;
    for (size_t i = 0; i < n; i++)
        key = hash_add(key, (uint64_t)(int64_t)(g->spots[i].x * 1000 + g->spots[i].y));
    rng draws = rng_from_key(key);
    r->pairs += n * (n - 1) / 2;
    add_pairs(r->near, g->spots, n);
    for (size_t pattern = 0; pattern < PTL_RIPLEY_PATTERNS; pattern++) {
        for (size_t i = n; i < 2 * n; i++) {
            const int32_t cell = t->own->ground[rng_below(&draws, cells)];
            g->spots[i] = (tally_spot){(int16_t)(cell % SIDE), (int16_t)(cell / SIDE)};
        }
        add_pairs(r->random[pattern], g->spots + n, n);
    }
    return true;
}

ptl_status tally_add_ripleys(ptl_tally *t, const summary *s, ptl_error *err)
{
    size_t cells = 0;
    for (size_t i = 0; i < t->ripley_count; i++) {
        ptl_tally_ripley *r = t->ripleys[i];
        if (!tally_find_spots(&t->own->targets, s, r->id))
            return error_nomem(err);
        if (t->own->targets.count > SPOTS_MAX)
            return error_set(err, PTL_ERR_LIMIT,
                             "clustering: overmap %d,%d has %zu of '%s', more than %d",
                             s->pos.x, s->pos.y, t->own->targets.count, r->id, SPOTS_MAX);
        if (t->own->targets.count < 2)
            continue;
        r->on_land = r->on_land && s->land;
        cells = cells > 0 ? cells : find_ground(t->own->ground, s->land);
        if (!add_overmap(t, r, cells))
            return error_nomem(err);
    }
    return PTL_OK;
}

void tally_dispose_ripleys(ptl_tally *t)
{
    for (size_t i = 0; i < t->ripley_count; i++)
        free(t->ripleys[i]);
    free(t->ripleys);
}

/* ---- computing K ---- */

static double k_of(const uint64_t near[PTL_RIPLEY_RADII], size_t step, uint64_t pairs)
{
    double sum = 0;
    for (size_t i = 0; i <= step; i++)
        sum += (double)near[i];
    return sum / SCALE * PTL_LEVEL_CELLS / (double)pairs;
}

static int by_size(const void *a, const void *b)
{
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

ptl_ripley ptl_ripley_at(const ptl_tally_ripley *of, size_t step, double level)
{
    ptl_ripley out = {.radius = (int32_t)(step + 1) * PTL_RIPLEY_STEP,
                      .k = k_of(of->near, step, of->pairs)};
    double random[PTL_RIPLEY_PATTERNS];
    for (size_t i = 0; i < PTL_RIPLEY_PATTERNS; i++) {
        random[i] = k_of(of->random[i], step, of->pairs);
        out.random += random[i] / PTL_RIPLEY_PATTERNS;
    }
    qsort(random, PTL_RIPLEY_PATTERNS, sizeof *random, by_size);
    /* The interval leaves out `beyond` of the random patterns at its lower end, and as many at
     * its upper end. Places that are just one more random pattern lie within it with the
     * probability `level`. */
    const double beyond = floor((1 - level) / 2 * (PTL_RIPLEY_PATTERNS + 1) + 1e-9);
    const size_t rank = beyond >= 1 ? (size_t)beyond - 1 : 0;
    out.low = random[rank];
    out.high = random[PTL_RIPLEY_PATTERNS - 1 - rank];
    return out;
}

/*
 * Distances to the nearest neighbour among random points. The distribution is computed, not
 * simulated. Let N(p, d) be the number of the overmap's cells at most d away from the cell p.
 * If one of n points lies on p, then the probability that all other points are farther away
 * than d is (1 - N(p, d) / cells)^(n - 1). This formula takes the borders of the overmap into
 * account, which the closed form of Clark and Evans leaves out. The mean over all cells p is
 * approximated by the mean over the centres of 144 blocks of BLOCK x BLOCK cells. Because of
 * symmetry only 21 of them must be computed.
 */

enum {
    BLOCK = 15,
    BLOCKS = SIDE / BLOCK,
    CENTRES = BLOCKS / 2 * (BLOCKS / 2 + 1) / 2,
    DISTANCES = SUMMARY_FAR + 1
};

typedef struct centre {
    double weight; /* how many of the 144 blocks of an overmap's cells have the same distances
                      to the border as the block around this centre */
    /* For each distance: the fraction of the overmap's other cells that are at most that far
     * away from the centre. */
    double near[DISTANCES];
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
    at[0]--; /* the distance of the centre cell to itself does not count */
    double sum = 0;
    for (size_t d = 0; d < DISTANCES; d++) {
        sum += at[d];
        c->near[d] = sum / (SIDE * SIDE - 1);
    }
}

/* Each of n random points in an overmap has a nearest neighbour among them. Adds to density[d],
 * for each distance d, how many of `points` such points are expected to have their nearest
 * neighbour at that distance. */
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
        for (int i = 0, k = 0; i < BLOCKS / 2; i++)
            for (int j = 0; j <= i; j++, k++) {
                list[k].weight = i == j ? 4 : 8;
                count_cells(&list[k], BLOCK / 2 + BLOCK * i, BLOCK / 2 + BLOCK * j);
            }
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
