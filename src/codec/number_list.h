/*
 * Writes lists of numbers of a file's dictionary as bits (format.md, "Number lists"). Half of
 * the numbers in a level's palette are the previous number + 1; the others can be anything. One
 * bit tells the two cases apart; a number of the second case is written with one of two widths,
 * which are chosen for each list.
 */
#pragma once

#include "core/bytes.h"

enum { NUMBER_MAX = 0xffffff };

/* Appends a list of numbers, each 1..NUMBER_MAX. */
void number_list_put(bytes *out, const uint32_t *numbers, size_t count);
/*
 * Reads `count` numbers, each at least 1 and below limit, and moves *at behind them. Reads
 * nothing from `end` on. Returns what is wrong, or NULL. A number may come twice.
 */
const char *number_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                             const uint8_t *end);

/* Near lists hold numbers of a dictionary that lie near each other, as those of a forest's
 * plants: each is coded by its distance from the previous ones (schema/format.md, "Near
 * lists"). A list of fewer numbers than NEAR_LEAST is stored by number_list_put instead. */
enum { NEAR_LEAST = 8 };

/* Appends a list of numbers, each 1..NUMBER_MAX and coded by its distance from the previous
 * ones ("Near lists" in schema/format.md). Sets out->failed when memory is out. */
void near_list_put(bytes *out, const uint32_t *numbers, size_t count);
/* Reads `count` numbers below limit that near_list_put has written, and moves *at behind
 * them. Returns what is wrong, or NULL. */
const char *near_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                           const uint8_t *end);
