/* Names that a file does not have, and what may have been meant. */
#ifndef CLI_SESSION_NAMES_H
#define CLI_SESSION_NAMES_H

#include "cli/session/session.h"

/* "Did you mean 'X'?" on standard error, if one of the texts that the statement selects is near
 * to what was wanted. */
void names_suggest(session *s, const char *wanted, const char *sql);
/* Says that the content has no such special or building. Returns EXIT_FAILED. */
int names_no_special(session *s, const char *id);

#endif
