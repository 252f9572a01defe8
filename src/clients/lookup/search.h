/*
 * Search through a whole world: cities, specials, the terrains of one level and, on
 * request, the buildings of cities and radio stations. All matches are counted; only the
 * nearest ones are listed.
 */
#ifndef LOOKUP_SEARCH_H
#define LOOKUP_SEARCH_H

#include "clients/lookup/wish.h"
#include "portolan/portolan.h"

enum { SEARCH_HITS = 100, SEARCH_NAME = 104 };

typedef struct search_hit {
    char what[SEARCH_NAME]; /* name or id, cut where it is longer */
    int64_t x, y;           /* absolute OMTs */
    int32_t z;
    double distance; /* in OMTs, from options.from */
} search_hit;

/* The nearest places of one kind, and how many places there are in all. */
typedef struct search_hits {
    search_hit list[SEARCH_HITS]; /* the nearest first */
    size_t held;
    uint64_t count; /* number of all matches; for terrains, of OMTs */
} search_hits;

typedef struct search_result {
    search_hits cities, specials;
    search_hits buildings, radios; /* empty unless options.inside */
    search_hits terrains;          /* at most one hit a chunk: its nearest OMT */
    /* How many chunks are saved, and how many of them had their terrains searched. */
    uint64_t chunks, looked;
    uint64_t entered; /* number of chunks whose buildings and radios were searched */
    uint64_t *tiles;  /* owned; OMTs on the level for each terrain, by the terrain's number */
} search_result;

typedef struct search_options {
    wish wanted;
    ptl_omt from; /* where the search begins; terrains are searched on its level */
    bool inside;  /* also search buildings and radios; a radio matches by its message, or by
                     "radio" or "weather radio" */
    /* Called before the terrains of each chunk are searched, with the number of chunks already
     * searched; then likewise for the buildings and radios of each chunk. False ends that
     * pass. NULL: search all chunks. */
    bool (*go_on)(void *payload, uint64_t looked);
    void *payload;
} search_options;

/* Searches the world, which must belong to the store. *out is new, or NULL when memory is out:
 * free it with search_free, also after an error. */
ptl_status search_world(search_result **out, ptl_store *store, ptl_world *world,
                        const search_options *options, ptl_error *err);
void search_free(search_result *result); /* result may be NULL */

#endif
