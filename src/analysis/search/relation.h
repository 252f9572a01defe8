/*
 * Relations: parsed once against a catalogue, then asked of overmaps in memory, without SQL.
 * What they mean stands in portolan/search.h; relation_grammar is the whole language. What
 * counts as road is measure_is_road.
 */
#ifndef ANALYSIS_SEARCH_RELATION_H
#define ANALYSIS_SEARCH_RELATION_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/search.h"

extern const char relation_grammar[]; /* lines for --help */

typedef struct relation relation;

/* *out is new and borrows cat. PTL_ERR_ARGUMENT with *fault where the text is no relation. */
ptl_status relation_parse(relation **out, const char *text, const catalogue *cat,
                          ptl_search_fault *fault, ptl_error *err);
void relation_free(relation *r);

/* A place of the subject. Absolute OMTs. */
typedef struct relation_match {
    int32_t x, y, z;
    const char *what; /* id of the special or building, else the kind of thing; the catalogue's
                       * or a constant */
} relation_match;

/* Overmaps to be asked; one per thread. */
typedef struct finder finder;
finder *finder_new(const relation *r); /* new; NULL when memory is out. r is borrowed */
void finder_free(finder *f);

/* Takes in an overmap; nothing of it is kept. In order of (y, x); the first after finder_find
 * begins anew. */
ptl_status finder_add(finder *f, const ptl_chunk *chunk, const gen_features *features,
                      ptl_error *err);
/* The matches in the overmaps that were added, in order of (y, x, z, what); borrowed until the
 * next call. */
ptl_status finder_find(finder *f, const relation_match **out, size_t *count, ptl_error *err);
#endif
