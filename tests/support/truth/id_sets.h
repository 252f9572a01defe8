/* Sets of ids, each kept once: equal sets have the same number. Set 0 is empty. */
#ifndef TRUTH_ID_SETS_H
#define TRUTH_ID_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct id_sets id_sets;

id_sets *id_sets_new(void); /* fails the test when memory is out, as all here does */
void id_sets_free(id_sets *s);
uint32_t id_sets_one(id_sets *s, uint32_t id);
uint32_t id_sets_union(id_sets *s, uint32_t a, uint32_t b);
/* The set without an id. */
uint32_t id_sets_without(id_sets *s, uint32_t set, uint32_t id);
bool id_sets_has(const id_sets *s, uint32_t set, uint32_t id);
const uint32_t *id_sets_items(const id_sets *s, uint32_t set, size_t *count); /* ascending */

#endif
