/*
 * Timers inside the library that cost it nothing: the linker (--wrap, see CMakeLists.txt) leads
 * the calls between its source files through bench_timers.c, in this one program. Each call
 * switches a single clock to its kind of work and back, so the kinds exclude each other and add
 * up to all the time there is. What reading the clock takes is measured and taken off. One
 * thread alone.
 */
#ifndef BENCH_TIMERS_H
#define BENCH_TIMERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum timer_kind {
    TIMER_NOISE,
    TIMER_PATHS,
    TIMER_SITES,
    TIMER_TILES,
    TIMER_SPECIALS,
    TIMER_GENERATION,
    TIMER_ENCODE,
    TIMER_ZSTD,
    TIMER_DIGESTS,
    TIMER_ROWS,
    TIMER_SQLITE,
    TIMER_IO,
    TIMER_SYNC,
    TIMER_REST, /* what none of the above has */
    TIMER_COUNT
} timer_kind;

/* Seconds since timers_start; the timers' own cost is taken off and told apart. */
typedef struct timer_sums {
    double seconds[TIMER_COUNT], own;
} timer_sums;

/* To be called before a world is opened: that one chooses its noise functions once. */
void timers_prepare(void);
void timers_start(void);
void timers_stop(timer_sums *out);

/* What zstd is given. While streams are recorded, each is compressed a second time, with all of
 * it in the cache: that is what zstd alone would take. */
typedef struct bench_streams {
    uint8_t *data; /* owned; one after the other */
    size_t *sizes; /* owned */
    size_t count, total, packed;
    double seconds; /* zstd alone */
    size_t data_room, sizes_room;
} bench_streams;

/* NULL: no longer. Without timers. */
void timers_record(bench_streams *streams);
void bench_streams_dispose(bench_streams *s);

#endif
