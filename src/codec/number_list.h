/*
 * Writes lists of numbers of a file's dictionary as bits (format.md, "Number lists"). Half of
 * the numbers in a level's palette are the previous number + 1; the others can be anything.
 * One bit of each number says which of these it is. If it is not the previous number + 1, the
 * number is written with one of two widths, which are chosen for each list.
 */
#pragma once

#include "core/bytes.h"

enum { NUMBER_MAX = 0xffffff };

/* Appends a list of numbers, each 1..NUMBER_MAX. */
void number_list_put(bytes *out, const uint32_t *numbers, size_t count);
/*
 * Reads `count` numbers, each at least 1 and below limit, and moves *at behind them. No byte
 * at or after `end` is read. Returns what is wrong, or NULL. A number may occur twice.
 */
const char *number_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                             const uint8_t *end);

/* A near list has numbers of the dictionary that lie near each other, such as those of a
 * forest's plants. Each is coded by its distance from the numbers before it (schema/format.md,
 * "Near lists"). A list of fewer than NEAR_LEAST numbers is stored by number_list_put instead.
 */
enum { NEAR_LEAST = 8 };

/* Appends a list of numbers, each 1..NUMBER_MAX and coded by its distance from the previous
 * ones ("Near lists" in schema/format.md). Sets out->failed when memory is out. */
void near_list_put(bytes *out, const uint32_t *numbers, size_t count);
/* Reads `count` numbers below limit that near_list_put has written, and moves *at behind
 * them. Returns what is wrong, or NULL. */
const char *near_list_take(uint32_t *numbers, size_t count, size_t limit, const uint8_t **at,
                           const uint8_t *end);
