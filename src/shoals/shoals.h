/*
 * Making a map of heights. Rows begin in the north; the index is y * width + x.
 * schema/shoals.md tells which random numbers are taken, and in which order.
 */
#pragma once

#include "core/offsets.h"
#include "portolan/shoals.h"

/* Gives the same numbers as glibc's random() with its default state of 31 words (TYPE_3), on
 * any platform. */
enum { GLIBC_RANDOM_WORDS = 31 };

typedef struct glibc_random {
    uint32_t words[GLIBC_RANDOM_WORDS];
    uint32_t front, back; /* the two elements of `words` from which the next number is made, by
                             their indices */
    uint64_t drawn;       /* how many numbers were taken since the seed was set */
} glibc_random;

/* Does the same as srandom(seed); a seed of 0 counts as 1. */
void glibc_random_seed(glibc_random *r, uint32_t seed);

/* Returns the next random number, 0 .. 2^31 - 1. */
uint32_t glibc_random_next(glibc_random *r);

/* Returns a random number from 0 .. n - 1, in the way of the published program
 * (schema/shoals.md): the remainder of one random number divided by n. For n <= 1 returns 0 and
 * takes no random number. */
int32_t random_below(glibc_random *r, int32_t n);

/* Returns a random number from low .. high, both included; the ends are swapped if low >
 * high. */
int32_t random_between(glibc_random *r, int32_t low, int32_t high);

/* Returns a random number from low .. high with a peak in the middle, as the game does. For
 * n possible values it takes two random numbers, from 0 .. n - 1 and from 0 .. n, and takes
 * their mean, rounded down. */
int32_t random_middling(glibc_random *r, int32_t low, int32_t high);

typedef struct shoals {
    const ptl_shoals_options *options; /* checked */
    int32_t width, height;
    int32_t *heights; /* owned by the caller */
    glibc_random random;
} shoals;

/* A hill: points around a centre, at random distances up to a radius, each of which is
 * raised. */
typedef struct hill {
    offset center;
    int32_t points, radius;
    int32_t low, high; /* the least and the greatest height by which a point is raised */
} hill;

/* Does the map have this cell? */
static inline bool shoals_holds(const shoals *s, offset at)
{
    return at.x >= 0 && at.x < s->width && at.y >= 0 && at.y < s->height;
}

static inline int32_t *shoals_at(const shoals *s, offset at)
{
    return &s->heights[(int64_t)at.y * s->width + at.x];
}

/* Checks the options' ranges: PTL_ERR_ARGUMENT if an option is out of its range. */
ptl_status shoals_check(const ptl_shoals_options *options, ptl_error *err);

/* Raises the hills of the islands. */
void shoals_raise_islands(shoals *s);

/* Which cells are taken into the mean of the heights around a cell. */
typedef struct window {
    int32_t x0, y0, x1, y1; /* a rectangle of cells, with the cells on its sides */
    int32_t below; /* only cells with a lower height than this count; INT32_MAX: all cells do */
} window;

void shoals_smooth(shoals *s);
/* shoals_smooth smooths all heights. shoals_deepen deepens the sea; PTL_ERR_NOMEM: there is no
 * memory for its queue of cells. */
ptl_status shoals_deepen(shoals *s, ptl_error *err);
