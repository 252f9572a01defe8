/*
 * Parts of messages: the ending of a noun behind a number, and "did you mean", which finds the
 * known word nearest to an unknown one, if the two are near enough. A word is near by a small
 * edit distance (insert, delete, replace, swap of neighbours); or one of the two begins with
 * the other (Farm, Farm Mutable); or one contains the other as a word. Case does not matter,
 * and _ counts as a blank. All suggestions of the program are made here.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns the ending of a plural: "" for 1, else "s". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

typedef struct suggestion {
    const char *wanted, *best; /* `best`: the nearest word so far, borrowed; NULL: no word was
                                * near */
    unsigned rank;             /* how near `best` is to `wanted`; a lower number is nearer */
} suggestion;

/* Begins a search for the word nearest to `wanted`, which is borrowed. */
void suggest_begin(suggestion *s, const char *wanted);
/* Offers one known word. Of equally near words the first in strcmp order is kept, so the
 * order of offers does not matter. */
void suggest_offer(suggestion *s, const char *candidate);
/* Does the nearest word differ from `wanted` by a few letters alone, as a misspelt one does? */
bool suggest_is_misspelt(const suggestion *s);
/* Returns the word of a NULL-terminated list that is nearest to `wanted`; NULL if none is
 * near. */
const char *suggest_nearest(const char *wanted, const char *const *words);
