/*
 * GSL's default error handler ends the process, even for a result that is merely too small for
 * a double. The inference files switch the handler off before each call that may do that; they
 * expect what GSL then returns (0 or NaN).
 */
#ifndef STATS_INFERENCE_INFERENCE_GSL_H
#define STATS_INFERENCE_INFERENCE_GSL_H

#include <gsl/gsl_errno.h>

static inline void inference_gsl_begin(void)
{
    (void)gsl_set_error_handler_off();
}

#endif
