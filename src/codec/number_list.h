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

#endif
