/*
 * "Did you mean": the known word that is nearest to an unknown one, where one is near enough to
 * be what was meant: by edit distance (insert, delete, replace, swap of neighbours), or since
 * one begins as the other (Farm, Farm Mutable), or has it as a word. Case does not matter, and
 * _ is a blank, too. All suggestions are made here.
 */
#ifndef CORE_SUGGEST_H
#define CORE_SUGGEST_H

#include <stdbool.h>

typedef struct suggestion {
    const char *wanted, *best; /* best is borrowed; NULL while nothing is near */
    unsigned rank;             /* of best: less is better */
} suggestion;

/* wanted is borrowed. */
void suggest_begin(suggestion *s, const char *wanted);
/* Offers one known word. Of equally near ones the first in strcmp order is kept, whatever order
 * they are offered in. */
void suggest_offer(suggestion *s, const char *candidate);
/* Returns the nearest of a NULL-terminated list; NULL if none is near. */
const char *suggest_nearest(const char *wanted, const char *const *words);

#endif
