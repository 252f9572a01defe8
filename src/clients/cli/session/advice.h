/* What to do about an error. */
#pragma once

#include "portolan/status.h"

/* Returns advice in sentences, without a newline at the end; NULL if there is none. command is
 * the one that failed, e.g. "verify". */
const char *advice_on(const ptl_error *err, const char *command);
