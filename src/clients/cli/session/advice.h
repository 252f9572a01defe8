/* What to do about an error. */
#ifndef CLI_SESSION_ADVICE_H
#define CLI_SESSION_ADVICE_H

#include "portolan/status.h"

/* Sentences, without a newline at the end; NULL where the message says it all. command: that
 * met the error, e.g. "verify". */
const char *advice_on(const ptl_error *err, const char *command);

#endif
