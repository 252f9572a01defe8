/* Names that a file does not have, and what may have been meant. */
#ifndef CLI_SESSION_NAMES_H
#define CLI_SESSION_NAMES_H

#include "clients/cli/session/session.h"
#include "core/suggest.h"

/* The nearest of many names that are gone again when the next one comes. */
typedef struct near_name {
    suggestion suggestion;
    char best[256]; /* "": none is near */
} near_name;

/* wanted is borrowed. */
void near_begin(near_name *n, const char *wanted);
void near_offer(near_name *n, const char *name);

/* What may have been meant by the first operand, which is no file: the next operand, where the
 * two are swapped, or a file of its folder whose name is near. False: nothing is told. */
bool names_suggest_file(const args *a);
/* "Did you mean 'X'?" on standard error, if a world of the file is called nearly so. */
void names_suggest_world(session *s, const char *wanted);
/* Says that the content has no such special or building. Returns EXIT_FAILED. */
int names_no_special(session *s, const char *id);

#endif
