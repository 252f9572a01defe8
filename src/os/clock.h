/* The system's clocks, and sleeping. */
#pragma once

#include <stdint.h>

/* Gives the current time in UTC, "2024-01-31T12:00:00Z". */
void clock_now(char out[32]);

/* Returns seconds on a monotonic clock, of which only differences mean something. Safe from
 * any thread. */
double clock_seconds(void);

/* Returns the current time in seconds since 1970, UTC, the form of files' times. */
int64_t clock_epoch(void);

/* Sleeps; a signal ends the sleep early. */
void clock_sleep(int milliseconds);
