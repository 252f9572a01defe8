/*
 * How often what is drawn from lists of alternatives was found, against the shares that the
 * lists give it: by list and alternative, over maps.
 */
#ifndef TRUTH_ALTERNATIVES_H
#define TRUTH_ALTERNATIVES_H

#include "model/id_pool.h"
#include "support/truth/shares.h"

typedef struct alternatives alternatives;

/* One that was expected often enough. */
typedef struct alternative {
    uint32_t list, id;
    double found, expected;
    double low, high; /* the ratio's 95 % interval */
} alternative;

alternatives *alternatives_new(const share_lists *lists); /* borrowed */
void alternatives_free(alternatives *a);
/* A tile of the list has the id. What is none of the list's is passed over. */
void alternatives_note(alternatives *a, uint32_t list, uint32_t id);
/* The map's tiles are all noted: the interval is by maps, which differ as wholes. */
void alternatives_end_map(alternatives *a);
/* Calls back for each that is expected so often or more. */
void alternatives_each(const alternatives *a, double expected,
                       void (*visit)(void *payload, const alternative *one), void *payload);

#endif
