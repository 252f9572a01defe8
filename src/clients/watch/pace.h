/* Decides when work begins after a change, and when it is broken off because of another
 * change. It has no clock of its own: the caller gives the time, in seconds. */
#ifndef WATCH_PACE_H
#define WATCH_PACE_H

#include <stdbool.h>

/* Settings, which the caller fills in, and state, which begins as all zero. */
typedef struct pace {
    double quiet; /* work begins once nothing has changed for so long */
    double most;  /* or at the latest so long after the first pending change */
    int patience; /* so many times in a row work is broken off; then it may end first */
    /* State. */
    bool is_pending, is_working, is_left_off;
    double first, last; /* times of the first and the last pending change */
    int left_off;       /* how often in a row work was broken off */
} pace;

typedef enum pace_order { PACE_WAIT, PACE_BEGIN, PACE_LEAVE_OFF } pace_order;

/* Something has changed. */
void pace_changed(pace *p, double now);
/*
 * Says what to do now. PACE_BEGIN and PACE_LEAVE_OFF are each said once: after the first the
 * caller begins the work, after the second it breaks it off, and reports the end by
 * pace_ended.
 */
pace_order pace_ask(pace *p, double now);
/* The work has ended. was_whole: it was not broken off. */
void pace_ended(pace *p, bool was_whole);

#endif
