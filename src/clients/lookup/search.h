/* What the command and the server look up in a world: places by name, and which special,
 * building and city an OMT belongs to. */
#pragma once

#include "clients/lookup/wish.h"
#include "portolan/portolan.h"

/* ---- places by name ---- */

/*
 * A search through a whole world for cities, specials, the terrains of one level and, on
 * request, the buildings of cities and radio stations. All matches are counted; only the
 * nearest ones are listed.
 */

enum { SEARCH_HITS = 100, SEARCH_NAME = 104 };

typedef struct search_hit {
    char what[SEARCH_NAME]; /* name or id of the place; a longer one is cut */
    int64_t x, y;           /* the place in absolute OMTs */
    int32_t z;
    double distance; /* distance in OMTs from options.from */
} search_hit;

/* The nearest places of one kind, and how many places there are in all. */
typedef struct search_hits {
    search_hit list[SEARCH_HITS]; /* sorted by distance, the nearest first */
    size_t held;
    uint64_t count; /* number of all places that match; if terrains are searched, number of all
                       OMTs that match */
} search_hits;

typedef struct search_result {
    search_hits cities, specials;
    search_hits buildings, radios; /* empty unless options.inside is set */
    search_hits terrains;          /* holds at most one hit for each chunk: its nearest OMT */
    /* `chunks`: how many chunks are saved; `looked`: in how many of them terrains were
     * searched. */
    uint64_t chunks, looked;
    uint64_t entered; /* number of chunks in which buildings and radio stations were searched */
    /* Owned; number of OMTs on the level for each terrain, indexed by the terrain's number. */
    uint64_t *tiles;
} search_result;

typedef struct search_options {
    wish wanted;
    /* The place from which distances are measured; terrains are searched on its level. */
    ptl_omt from;
    /* Also search buildings and radio stations. A radio station matches by its message, or by
     * "radio" or "weather radio". */
    bool inside;
    /* Called before each chunk is searched, with the number of chunks searched so far. All
     * chunks are first searched for terrains, and then once more for buildings and radio
     * stations. If the function returns false, the search for the present kind ends. NULL: all
     * chunks are searched. */
    bool (*go_on)(void *payload, uint64_t looked);
    void *payload;
} search_options;

/* Searches the world, which must have been opened from `store`. *out is new, or NULL when
 * memory is out: free *out with search_free, also after an error. */
ptl_status search_world(search_result **out, ptl_store *store, ptl_world *world,
                        const search_options *options, ptl_error *err);
void search_free(search_result *result); /* result may be NULL */

/* ---- which special or building is on an OMT ---- */

/* The functions from here on find the special or the building that covers an OMT, and the
 * nearest city. */

/* An OMT, by its coordinates within its chunk, with the chunk's features. */
typedef struct spot {
    /* Both are borrowed: the catalogue and the features of the chunk. */
    const ptl_catalogue *catalogue;
    const ptl_features *features;
    int32_t x, y, z;
} spot;

/* Finds the special that covers the OMT. *number is its index among the chunk's specials.
 * *piece is the piece on that OMT if the special is mutable; the piece's id is "" for a fixed
 * special. Returns false if there is no special. */
bool spot_special(const spot *p, size_t *number, ptl_placed_special *out,
                  ptl_placed_piece *piece);
/* Finds the city building that covers the OMT. Returns false if there is none. */
bool spot_building(const spot *p, ptl_building *out);
/* Finds the nearest of the cities whose centre is in this chunk, and the distance to that
 * centre in OMTs. Returns false if the chunk has no city. */
bool spot_city(const spot *p, ptl_city *out, double *distance);
