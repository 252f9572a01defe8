/*
 * Relations: conditions such as "a lab near a road". They are parsed once against a catalogue,
 * then evaluated over overmaps in memory, without SQL. portolan/search.h tells what they mean;
 * ptl_search_grammar gives the whole language. Roads are what measure_is_road accepts.
 */
#pragma once

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"
#include "portolan/search.h"

typedef struct relation relation;

/* Parses a relation; *out is new and borrows cat. PTL_ERR_ARGUMENT, with the place and message
 * in *fault, if the text is no relation. */
ptl_status relation_parse(relation **out, const char *text, const catalogue *cat,
                          ptl_search_fault *fault, ptl_error *err);
void relation_free(relation *r);

/* A place that fulfils the relation, in absolute OMTs. */
typedef struct relation_match {
    int32_t x, y, z;
    /* The id of the special or building; for a thing of another kind the name of the kind, such
     * as "lake". Borrowed from the catalogue, or a constant. */
    const char *what;
} relation_match;

/* A finder collects overmaps and evaluates a relation over them. Each thread needs its own. */
typedef struct finder finder;
finder *finder_new(const relation *r); /* returns NULL when memory is out; r is borrowed */
void finder_free(finder *f);

/* Adds an overmap; the finder keeps no pointer to chunk or features. Overmaps must be added in
 * the order of (y, x). The first call after finder_find begins a new collection. */
ptl_status finder_add(finder *f, const ptl_chunk *chunk, const gen_features *features,
                      ptl_error *err);
/* Gives the matches in the added overmaps, in the order of (y, x, z, what). They are borrowed
 * until the next call. */
ptl_status finder_find(finder *f, const relation_match **out, size_t *count, ptl_error *err);
