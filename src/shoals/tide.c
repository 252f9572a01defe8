/* Tides: the motion of the game's tide, and how it floods a map from the open sea. */
#include "portolan/tide.h"
#include "core/sized.h"
#include "shoals/shoals.h"

#include <stdlib.h>

/* ---- the motion ---- */

enum {
    SHIFT = 72, /* turns from high water to the turn in which the game begins */
    /* The table `pieces` gives the tide's height times this number. The product is called the
     * raw height. */
    RAW = 2
};

/* How the tide's raw height (RAW times its height) changes after high water, in stretches of
 * turns. A stretch begins `from` turns after high water with the raw height `raw`, which
 * changes by `slope` per turn until the next stretch begins. */
static const struct piece {
    int32_t from, raw, slope;
} pieces[] = {{0, 50, -1}, {8, 42, -2}, {44, -30, -1}, {50, -36, 1}, {58, -28, 2}, {94, 44, 1}};

int32_t ptl_tide_height(int64_t turn)
{
    const int32_t k =
        (int32_t)((turn % PTL_TIDE_PERIOD + PTL_TIDE_PERIOD + SHIFT) % PTL_TIDE_PERIOD);
    size_t i = sizeof pieces / sizeof pieces[0] - 1;
    while (k < pieces[i].from)
        i--;
    return (pieces[i].raw + pieces[i].slope * (k - pieces[i].from)) / RAW;
}

ptl_shoals_ground ptl_tide_ground(const ptl_shoals_options *options, ptl_tide_profile profile,
                                  int32_t height, int32_t spill, int32_t tide)
{
    const int32_t mean = options->floor;
    const ptl_shoals_ground still = ptl_shoals_ground_of(options, height);
    if (still >= PTL_SHOALS_HIGH || (still == PTL_SHOALS_DEEP && profile == PTL_TIDE_GENTLE))
        return still;
    const int64_t sea = (int64_t)mean + tide;
    const int64_t level = spill < sea ? sea : spill < mean ? spill : mean;
    const int64_t above = height - level; /* height above the water; below 0, the water is that
                                           * deep */
    if (above >= 0)
        return PTL_SHOALS_FLOOR;
    return above < options->shallow - mean && profile == PTL_TIDE_FULL ? PTL_SHOALS_DEEP
                                                                       : PTL_SHOALS_SHALLOW;
}

/* ---- the flood ---- */

/* A priority flood from the open sea: cells wait in a heap. The cell with the lowest spill (the
 * lowest level of the sea at which water reaches it) leaves first, and of equal cells the cell
 * with the smallest lag (steps from the open sea). */
typedef struct waiting {
    int32_t spill, lag;
    int64_t cell;
} waiting;

typedef struct flood {
    const ptl_shoals_options *options;
    const int32_t *heights;
    int32_t *spill, *lag; /* by cell: its spill, and how many steps it is from the open sea;
                           * `lag` may be the caller's array or one that ptl_tide_spill makes */
    waiting *heap;        /* the cells from which the flood has yet to spread, as a heap; no
                           * cell is in it twice */
    int64_t count;
} flood;

static bool comes_first(const waiting *a, const waiting *b)
{
    if (a->spill != b->spill)
        return a->spill < b->spill;
    return a->lag != b->lag ? a->lag < b->lag : a->cell < b->cell;
}

static void put(flood *f, int64_t cell)
{
    const waiting it = {f->spill[cell], f->lag[cell], cell};
    int64_t at = f->count++;
    for (; at > 0 && comes_first(&it, &f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = it;
}

static bool is_open_sea(const flood *f, const uint8_t *sources, int32_t x, int32_t y)
{
    const ptl_shoals_options *o = f->options;
    const int64_t cell = (int64_t)y * o->width + x;
    const bool edge = x == 0 || y == 0 || x == o->width - 1 || y == o->height - 1;
    return (sources && sources[cell]) ||
           (edge && ptl_shoals_ground_of(o, f->heights[cell]) == PTL_SHOALS_DEEP);
}

/* Floods all cells that the sea can reach. Cells leave the heap in the order of their spill, so
 * the water that reaches a cell first comes by the way with the lowest spill. */
static void spread(flood *f)
{
    const ptl_shoals_options *o = f->options;
    while (f->count > 0) {
        const waiting from = f->heap[0], it = f->heap[--f->count];
        int64_t at = 0, next;
        while ((next = 2 * at + 1) < f->count) {
            next += next + 1 < f->count && comes_first(&f->heap[next + 1], &f->heap[next]);
            if (!comes_first(&f->heap[next], &it))
                break;
            f->heap[at] = f->heap[next];
            at = next;
        }
        f->heap[at] = it;

        const int32_t x0 = (int32_t)(from.cell % o->width),
                      y0 = (int32_t)(from.cell / o->width);
        for (int32_t n = 0; n < 9; n++) {
            const int32_t x = x0 + n % 3 - 1, y = y0 + n / 3 - 1;
            if (x < 0 || y < 0 || x >= o->width || y >= o->height)
                continue;
            const int64_t cell = (int64_t)y * o->width + x;
            const int32_t height = f->heights[cell];
            if (f->lag[cell] >= 0 || ptl_shoals_ground_of(o, height) >= PTL_SHOALS_HIGH)
                continue;
            f->spill[cell] = height > from.spill ? height : from.spill;
            f->lag[cell] = from.lag + 1;
            put(f, cell);
        }
    }
}

ptl_status ptl_tide_spill(int32_t *spill, int32_t *lag, const ptl_shoals_options *options,
                          const int32_t *heights, const uint8_t *sources, ptl_error *err)
{
    ptl_shoals_options o = PTL_SHOALS_OPTIONS_INIT;
    error_clear(err);
    if (!heights || !spill)
        return error_set(err, PTL_ERR_ARGUMENT, "heights and spill must be given");
    TRY(SIZED_TAKE(ptl_shoals_options, &o, options, err));
    TRY(shoals_check(&o, err));
    const size_t cells = (size_t)o.width * (size_t)o.height;
    int32_t *own = lag ? NULL : malloc(cells * sizeof *own);
    flood f = {&o, heights, spill, lag ? lag : own, malloc(cells * sizeof(waiting)), 0};
    const ptl_status status = f.lag && f.heap ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        for (int32_t y = 0; y < f.options->height; y++)
            for (int32_t x = 0; x < f.options->width; x++) {
                const int64_t cell = (int64_t)y * f.options->width + x;
                const bool open = is_open_sea(&f, sources, x, y);
                f.spill[cell] = open ? INT32_MIN : INT32_MAX;
                f.lag[cell] = open ? 0 : -1;
                if (open)
                    put(&f, cell);
            }
        spread(&f);
    }
    free(own);
    free(f.heap);
    return status;
}
