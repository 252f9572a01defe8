/* The option --loot of compare: what local maps hold, by two contents. */
#pragma once

#include "clients/cli/session/session.h"

/* A file, and the name of a world in it; NULL: its only world. */
typedef struct loot_operand {
    const char *path, *name;
} loot_operand;

/* Refuses options that have no meaning for this command line: with --loot those that are only
 * for a comparison without it, and the other way round. Returns EXIT_DONE or EXIT_USAGE. */
int compare_loot_check(const session *s);
/* Prints the figures that differ. `most` is --max-change; 0: none is given. Returns the
 * command's exit code. */
int compare_loot(session *s, const loot_operand sides[2], double most);
