/*
 * A map of heights in work. Rows from the north, index y * width + x. What is drawn, in which
 * order and with which numbers: schema/shoals.md.
 */
#ifndef SHOALS_SHOALS_H
#define SHOALS_SHOALS_H

#include "core/offsets.h"
#include "portolan/shoals.h"

/* Draws numbers as glibc's random() does with its default state of 31 words (TYPE_3), on any
 * platform. */
enum { GLIBC_RANDOM_WORDS = 31 };

typedef struct glibc_random {
    uint32_t words[GLIBC_RANDOM_WORDS];
    uint32_t front, back; /* indices */
    uint64_t drawn;       /* numbers, since the seed */
} glibc_random;

/* As srandom(seed): 0 counts as 1. */
void glibc_random_seed(glibc_random *r, uint32_t seed);

/* Draws the next number, 0 .. 2^31 - 1. */
uint32_t glibc_random_next(glibc_random *r);

/* Draws from 0 .. n - 1, as the published program does: the remainder of one number; 0, and
 * nothing is drawn, where n <= 1. */
int32_t random_below(glibc_random *r, int32_t n);

/* Draws from low .. high, both included; the ends are swapped if low > high. */
int32_t random_between(glibc_random *r, int32_t low, int32_t high);

/* Draws from low .. high, with a peak in the middle: the game's mean of two rolls, of 0 .. n -
 * 1 and of 0 .. n where n values are wanted, halved and rounded down. */
int32_t random_middling(glibc_random *r, int32_t low, int32_t high);

typedef struct shoals {
    const ptl_shoals_options *options; /* checked */
    int32_t width, height;
    int32_t *heights; /* the caller's */
    glibc_random random;
} shoals;

/* A hill: points around its middle, at random distances up to a radius, each of which is
 * raised. */
typedef struct hill {
    offset center;
    int32_t points, radius;
    int32_t low, high; /* by how much */
} hill;

static inline bool shoals_holds(const shoals *s, offset at)
{
    return at.x >= 0 && at.x < s->width && at.y >= 0 && at.y < s->height;
}

static inline int32_t *shoals_at(const shoals *s, offset at)
{
    return &s->heights[(int64_t)at.y * s->width + at.x];
}

/* Are they in their ranges? PTL_ERR_ARGUMENT. */
ptl_status shoals_check(const ptl_shoals_options *options, ptl_error *err);

/* Draws a point of the circle until one lies in the map. False if none does. */
bool shoals_point_near(shoals *s, offset center, int32_t radius, offset *out);

void shoals_raise_islands(shoals *s);
void shoals_raise_cliffs(shoals *s);

/* Which cells count in a mean. */
typedef struct window {
    int32_t x0, y0, x1, y1; /* both ends included */
    int32_t below;          /* cells that lie lower; INT32_MAX: all */
} window;

/* Returns the weighted mean of the cells that count of a cell and those around it, cut towards
 * zero. The cell itself counts. */
int32_t shoals_mean(const shoals *s, const window *w, int32_t x, int32_t y);
void shoals_smooth(shoals *s);
/* PTL_ERR_NOMEM: there is no memory for a queue of cells. */
ptl_status shoals_deepen(shoals *s, ptl_error *err);
ptl_status shoals_plant(shoals *s, uint8_t *plants, ptl_error *err);

#endif
