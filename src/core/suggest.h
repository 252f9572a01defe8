/*
 * "Did you mean": the known word that is nearest to an unknown one by edit distance (insert,
 * delete, replace, swap of neighbours), where one is near enough to be what was meant.
 */
#ifndef CORE_SUGGEST_H
#define CORE_SUGGEST_H

#include <stdbool.h>

typedef struct suggestion {
    const char *wanted, *best; /* best is borrowed; NULL while nothing is near */
    unsigned best_distance;
    bool loose;
    unsigned rest; /* of a best word that only begins alike: by how many letters the longer one
                    * is longer, and 1; else 0 */
} suggestion;

/* wanted is borrowed. */
void suggest_begin(suggestion *s, const char *wanted);
/* For ids that people type: case does not matter, _ is a blank, too, and where nothing else is
 * near, a word will do that is the beginning of the other (laboratory, lab). */
void suggest_begin_loose(suggestion *s, const char *wanted);
/* Offers one known word. Of equally near ones the first in strcmp order is kept, whatever order
 * they are offered in. */
void suggest_offer(suggestion *s, const char *candidate);
/* Returns the nearest of a NULL-terminated list, strictly; NULL if none is near. */
const char *suggest_nearest(const char *wanted, const char *const *words);

#endif
