/*
 * Stopping work that is under way. The question of who opened the store (should_stop of
 * ptl_open_options) is handed down by value to whatever works for it, which asks again after
 * so much work: often enough for an answer within a fraction of a second, seldom enough to cost
 * nothing. Work is counted, never timed, so that asking changes no result.
 */
#pragma once

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stop_hook {
    bool (*asked)(void *payload); /* NULL: nobody stops the work */
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

/* The same for a loop whose rounds are short: asks once in `rounds` calls, a power of two.
 * *count starts at 0. */
static inline bool stop_asked_in(const stop_hook *stop, uint32_t *count, uint32_t rounds)
{
    return ++*count % rounds == 0 && stop_asked(stop);
}
