/*
 * GSL's error handler ends the process, also for a number that is merely too small for a
 * double. inference*.c switch it off before each call that might do so; what GSL returns then
 * (0, NaN) is what they expect.
 */
#ifndef STATS_INFERENCE_INFERENCE_GSL_H
#define STATS_INFERENCE_INFERENCE_GSL_H

#include <gsl/gsl_errno.h>

static inline void inference_gsl_begin(void)
{
    (void)gsl_set_error_handler_off();
}

#endif
