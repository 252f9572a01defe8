/*
 * When work begins after a change, and when it is left off since another one has come. It has
 * no clock: whoever asks says what time it is, in seconds.
 */
#ifndef WATCH_PACE_H
#define WATCH_PACE_H

#include <stdbool.h>

typedef struct pace {
    double quiet; /* nothing has changed for so long: it begins */
    double most;  /* or so long after the first change, however many come */
    int patience; /* so often in a row work is left off for a change; then it is done first */
    /* Its own. */
    bool is_pending, is_working, is_left_off;
    double first, last; /* changes that are pending */
    int left_off;       /* in a row */
} pace;

typedef enum pace_order { PACE_WAIT, PACE_BEGIN, PACE_LEAVE_OFF } pace_order;

void pace_changed(pace *p, double now);
/* What is to be done now. PACE_BEGIN and PACE_LEAVE_OFF are said once: work has begun then, and
 * ends soon (pace_ended). */
pace_order pace_ask(pace *p, double now);
/* Work has ended; was_whole: it was not left off. */
void pace_ended(pace *p, bool was_whole);

#endif
