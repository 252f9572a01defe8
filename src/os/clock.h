/* The clocks, and waiting for them. */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include <stdint.h>

/* Gives the current time in UTC, "2024-01-31T12:00:00Z". */
void clock_now(char out[32]);

/* Seconds on a clock that nobody sets: only differences mean something. Safe in threads. */
double clock_seconds(void);

/* The current time in seconds since 1970, UTC, as files have it. */
int64_t clock_epoch(void);

/* Waits; a signal ends it sooner. */
void clock_sleep(int milliseconds);

#endif
