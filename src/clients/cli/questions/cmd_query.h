/* Suggestions for names in SQL that do not exist. */
#pragma once

#include "clients/cli/session/session.h"

/* After a query that failed with s->err: if it named a table, column or function that does not
 * exist, suggests a name on standard error. */
void query_hint(session *s, const char *sql);
