/*
 * The distance transform takes two passes (Saito and Toriwaki 1994, "New algorithms for
 * Euclidean distance transformation"). The first pass finds for each cell the distance (gap) to
 * the nearest target cell in its own column. The second pass finds for each cell the least
 * gap^2 + dx^2, where gap is that of a cell in the same row, dx columns away. It looks at
 * columns farther and farther away, and stops when no cell of the row can get a lower value.
 * Most cells have a road nearby, so it stops early.
 */
#include "analysis/measure/measure_distance.h"

#include "core/array.h"
#include "model/summary.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = DISTANCE_SIDE,
    ROW = DISTANCE_ROW,
    /* The distance in a column that has no target cell at all; larger than any real
     * distance. */
    EMPTY = SIDE,
    /* A squared distance that is computed as this number or more may be wrong. The function
     * look_again then computes it again. */
    NEVER = EMPTY * EMPTY,
    /* Squares of distances are at most NEVER + 179^2 < 65536. BIAS is subtracted from them, so
     * that they fit into signed 16-bit numbers: all x86 processors can take the minimum of 8
     * such numbers at once. */
    BIAS = 32768,
    /* After so many columns to the side the search for a nearer target cell checks whether it
     * can stop. */
    STRIDE = 8
};

/* ---- cells ---- */

static bool find_gaps(distance_scratch *s, const uint8_t *kinds, uint8_t mask)
{
    static const int16_t none[ROW] = {0};
    bool any = false;
    for (int32_t y = 0; y < SIDE; y++) {
        const int16_t *above = y > 0 ? s->gaps[y - 1] : none;
        const uint8_t *row = kinds + y * SIDE;
        for (int32_t x = 0; x < SIDE; x++) {
            const int16_t next = y > 0 && above[x] < EMPTY ? (int16_t)(above[x] + 1) : EMPTY;
            const bool there = (row[x] & mask) != 0;
            s->gaps[y][x] = there ? 0 : next;
            any |= there;
        }
    }
    for (int32_t y = SIDE - 2; y >= 0; y--)
        for (int32_t x = 0; x < SIDE; x++) {
            const int16_t next = (int16_t)(s->gaps[y + 1][x] + 1);
            s->gaps[y][x] = next < s->gaps[y][x] ? next : s->gaps[y][x];
        }
    return any;
}

static void look_aside(int16_t *restrict best, const int16_t *restrict row, int32_t k)
{
    const int16_t square = (int16_t)(k * k);
    const int16_t *left = row + ROW - k, *right = row + ROW + k;
    for (int32_t x = 0; x < ROW; x++) {
        const int16_t a = (int16_t)(left[x] + square), b = (int16_t)(right[x] + square);
        const int16_t less = a < b ? a : b;
        best[x] = less < best[x] ? less : best[x];
    }
}

static int32_t greatest(const int16_t *best)
{
    int16_t most = -BIAS;
    for (int32_t x = 0; x < ROW; x++)
        most = best[x] > most ? best[x] : most;
    return most + BIAS;
}

/* Returns the squared distance from a cell to the nearest target cell. It is called for cells
 * that are 180 or more OMTs away from all target cells. gaps[i] is how far the nearest target
 * cell in column i lies from the cell's row. */
static int32_t look_again(const int16_t *gaps, int32_t x)
{
    int32_t best = 2 * NEVER;
    for (int32_t other = 0; other < SIDE; other++) {
        const int32_t dx = other - x, square = gaps[other] * gaps[other] + dx * dx;
        if (gaps[other] < EMPTY && square < best)
            best = square;
    }
    return best;
}

bool distance_to_cells(uint8_t out[PTL_LEVEL_CELLS], distance_scratch *s,
                       const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t mask)
{
    if (!find_gaps(s, kinds, mask))
        return false;
    for (int32_t i = 0; i < 3 * ROW; i++)
        s->row[i] = NEVER - BIAS;
    for (int32_t y = 0; y < SIDE; y++) {
        const int16_t *gaps = s->gaps[y];
        for (int32_t x = 0; x < SIDE; x++)
            s->row[ROW + x] = (int16_t)(gaps[x] * gaps[x] - BIAS);
        memcpy(s->best, s->row + ROW, sizeof s->best);
        for (int32_t x = SIDE; x < ROW; x++)
            /* The row has more cells than SIDE, so that it can be read in whole vectors. The
             * cells beyond SIDE get a value that is never the greatest one of the row. */
            s->best[x] = -BIAS;
        for (int32_t k = 1; k < SIDE; k++) {
            if ((k - 1) % STRIDE == 0 && k * k >= greatest(s->best))
                break;
            look_aside(s->best, s->row, k);
        }
        for (int32_t x = 0; x < SIDE; x++) {
            const int32_t square = s->best[x] + BIAS;
            out[y * SIDE + x] =
                (uint8_t)whole_root(square < NEVER ? square : look_again(gaps, x));
        }
    }
    return true;
}

/* ---- cities ---- */

bool distance_cities_set(distance_cities *c, const gen_features *features)
{
    if (!ARRAY_ROOM(c->list, c->room, features->city_count))
        return false;
    c->count = features->city_count;
    for (size_t i = 0; i < c->count; i++) {
        const gen_city *city = &features->cities[i];
        /* A city whose size is NEAR_SIZE_MAX covers the whole chunk wherever it lies, so a
         * larger size makes no difference. */
        const int16_t size = city->size < NEAR_SIZE_MAX ? city->size : NEAR_SIZE_MAX;
        c->list[i] = (near_city){city->x, city->y, size, (int16_t)i};
    }
    return true;
}

void distance_cities_dispose(distance_cities *c)
{
    near_field_dispose(&c->field);
    free(c->list);
    *c = (distance_cities){0};
}

static inline int32_t to_edge(const near_city *city, int32_t x, int32_t y)
{
    const int32_t dx = x - city->x, dy = y - city->y;
    const int32_t distance = whole_root(dx * dx + dy * dy) - city->size;
    return distance > 0 ? distance : 0;
}

int32_t distance_to_city(const distance_cities *c, int32_t x, int32_t y)
{
    int32_t best = INT32_MAX;
    for (size_t i = 0; i < c->count; i++) {
        const int32_t distance = to_edge(&c->list[i], x, y);
        best = distance < best ? distance : best;
    }
    return best;
}

bool distance_to_cities(uint8_t out[PTL_LEVEL_CELLS], distance_cities *c)
{
    const near_cities of = {c->list, (int32_t)c->count, 0, INT16_MAX};
    if (!near_field_begin(&c->field, &of, SUMMARY_FAR))
        return false;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0, end = 0; x < SIDE; x = end) {
            const int32_t city = near_run(&c->field, x, y, &end);
            for (int32_t i = x; i < end; i++)
                out[y * SIDE + i] = (uint8_t)to_edge(&c->list[city], i, y);
        }
    return true;
}

/* ---- places of one special ---- */

static int by_special_and_x(const void *a, const void *b)
{
    const distance_origin *p = a, *q = b;
    return ORDER_BY(p->special, q->special, p->x, q->x);
}

/* Returns the least squared distance from list[i] to the origins after it (step 1) or before it
 * (step -1), if that is less than `best`; else best. */
static int32_t nearest_on_side(const distance_origin *list, int32_t count, int32_t i,
                               int32_t step, int32_t best)
{
    for (int32_t j = i + step; j >= 0 && j < count; j += step) {
        const int32_t dx = list[j].x - list[i].x, dy = list[j].y - list[i].y;
        if (list[j].special != list[i].special || dx * dx >= best)
            break;
        best = dx * dx + dy * dy < best ? dx * dx + dy * dy : best;
    }
    return best;
}

void distance_same(summary_place *places, distance_origin *list, int32_t count)
{
    qsort(list, (size_t)count, sizeof *list, by_special_and_x);
    for (int32_t i = 0; i < count; i++) {
        int32_t best = nearest_on_side(list, count, i, 1, INT32_MAX);
        best = nearest_on_side(list, count, i, -1, best);
        places[list[i].place].same =
            best < INT32_MAX ? distance_cut(whole_root(best)) : SUMMARY_NONE;
    }
}

/* ---- counts ---- */

void distance_count(int32_t out[SUMMARY_FAR + 2], const uint8_t *distances,
                    const uint8_t kinds[PTL_LEVEL_CELLS], uint8_t without)
{
    /* Counts the cells by their distance. Each distance has two counters, which are used in
     * turn: neighbouring cells mostly have the same distance, and with one counter each
     * addition would wait for the previous one. A cell whose kind is in the set `without` is
     * not counted by its distance, but by the last two counters. */
    int32_t counts[SUMMARY_FAR + 2][2] = {{0}};
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const size_t distance = distances ? distances[i] : 0;
        counts[kinds[i] & without ? SUMMARY_FAR + 1 : distance][i % 2]++;
    }
    for (size_t d = 0; d <= SUMMARY_FAR; d++)
        out[d] = counts[d][0] + counts[d][1];
    out[SUMMARY_FAR + 1] = 0;
    if (!distances) {
        out[SUMMARY_FAR + 1] = out[0];
        out[0] = 0;
    }
}
