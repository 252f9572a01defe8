/*
 * Search over all of a world: cities, specials, terrains of one level, and, where it is asked
 * for, cities' buildings and radio stations. Everything is counted; of the places the nearest
 * are told.
 */
#ifndef LOOKUP_SEARCH_H
#define LOOKUP_SEARCH_H

#include "clients/lookup/wish.h"
#include "portolan/portolan.h"

enum { SEARCH_HITS = 100, SEARCH_NAME = 104 };

typedef struct search_hit {
    char what[SEARCH_NAME]; /* its name or id, cut if it is longer */
    int64_t x, y;           /* absolute OMTs */
    int32_t z;
    double distance; /* OMTs, from where the search began */
} search_hit;

/* The nearest places of one kind. */
typedef struct search_hits {
    search_hit list[SEARCH_HITS]; /* the nearest first */
    size_t held;
    uint64_t count; /* of all; of terrains tiles */
} search_hits;

typedef struct search_result {
    search_hits cities, specials;
    search_hits buildings, radios; /* none unless options.inside */
    search_hits terrains;          /* of a chunk its nearest tile alone */
    uint64_t chunks, looked;       /* that are saved; those whose terrains were looked at */
    uint64_t entered;              /* those whose buildings and radios were */
    uint64_t *tiles;               /* owned; of each terrain on the level, by its number */
} search_result;

typedef struct search_options {
    wish wanted;
    ptl_omt from; /* terrains are searched on its level */
    bool inside;  /* buildings and radios are searched, too; radios by what they say, or by
                   * "radio" and "weather" */
    /* Asked before each chunk's terrains are looked at, with how many were, then before each
     * one's buildings and radios: false leaves out the rest of them. NULL: all are. */
    bool (*go_on)(void *payload, uint64_t looked);
    void *payload;
} search_options;

/* *out is new: free it with search_free. world is of the store. */
ptl_status search_world(search_result **out, ptl_store *store, ptl_world *world,
                        const search_options *options, ptl_error *err);
void search_free(search_result *result); /* NULL is fine */

#endif
