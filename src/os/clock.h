/* The clock. */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

/* The current time in UTC, "2024-01-31T12:00:00Z". */
void clock_now(char out[32]);

#endif
