/*
 * Numbers of a dictionary that lie near each other, as those of a forest's plants do: each by
 * where it lies among those before. schema/format.md, "Near lists".
 */
#ifndef CODEC_NEAR_LIST_H
#define CODEC_NEAR_LIST_H

#include "core/bytes.h"

enum { NEAR_LEAST = 8 }; /* shorter lists are number lists (number_list.h) */

/* Numbers are 1..NUMBER_MAX. Of memory that is out `out` knows. */
void near_list_put(bytes *out, const uint32_t *numbers, size_t count);
/* Reads count numbers below limit; *at goes behind them. Returns what is wrong, or NULL. */
const char *near_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                           const uint8_t *end);

#endif
