/*
 * Lists of numbers of a dictionary as bits (format.md, "Number lists"). Half of a level's new
 * oters follow the one before, and the other half lie anywhere: a bit says which, and what lies
 * anywhere has one of two widths, which are chosen for the list.
 */
#ifndef CODEC_NUMBER_LIST_H
#define CODEC_NUMBER_LIST_H

#include "core/bytes.h"

enum { NUMBER_MAX = 0xffffff };

/* Puts a list of numbers in 1..NUMBER_MAX. */
void number_list_put(bytes *out, const uint32_t *numbers, size_t count);
/*
 * Reads count numbers, each at least 1 and below limit, and moves *at behind them; at most
 * `end` is read. Returns what is wrong, or NULL. The same number may come twice.
 */
const char *number_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                             const uint8_t *end);

/*
 * Numbers of a dictionary that lie near each other, as those of a forest's plants do: each by
 * where it lies among those before. schema/format.md, "Near lists".
 */

enum { NEAR_LEAST = 8 }; /* shorter lists are number lists (number_list.h) */

/* Numbers are 1..NUMBER_MAX. Of memory that is out `out` knows. */
void near_list_put(bytes *out, const uint32_t *numbers, size_t count);
/* Reads count numbers below limit; *at goes behind them. Returns what is wrong, or NULL. */
const char *near_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                           const uint8_t *end);

#endif
