/*
 * Stopping work that is under way. The function should_stop of ptl_open_options, which the
 * caller gives, is handed down by value to all code that works for long. Such code calls it
 * after a certain amount of work: often enough to stop within a fraction of a second, seldom
 * enough to cost nothing. The amount is counted, not timed, so that asking changes no result.
 */
#pragma once

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stop_hook {
    bool (*asked)(void *payload); /* the caller's function; NULL: nobody stops the work */
    void *payload;
} stop_hook;

/* Asks whether the work is to stop. */
static inline bool stop_asked(const stop_hook *stop)
{
    return stop->asked && stop->asked(stop->payload);
}

/* Returns PTL_ERR_CANCELLED with a message if the work is to stop. */
static inline ptl_status stop_check(const stop_hook *stop, ptl_error *err)
{
    return stop_asked(stop) ? error_set(err, PTL_ERR_CANCELLED, "stopped") : PTL_OK;
}

/* Does what stop_asked does, but calls the caller's function only once in `rounds` calls (a
 * power of two): for loops whose rounds are short. *count must start at 0. */
static inline bool stop_asked_in(const stop_hook *stop, uint32_t *count, uint32_t rounds)
{
    return ++*count % rounds == 0 && stop_asked(stop);
}
