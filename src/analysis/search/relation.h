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

/* Parses the text of a relation. *out is new and keeps a pointer to cat. PTL_ERR_ARGUMENT if
 * the text is no relation; *fault then has the place of the mistake and a message. */
ptl_status relation_parse(relation **out, const char *text, const catalogue *cat,
                          ptl_search_fault *fault, ptl_error *err);
void relation_free(relation *r);

/* A place that fulfils the relation, in absolute OMTs. */
typedef struct relation_match {
    int32_t x, y, z;
    /* What was found: the id of a special or building, or for other things the name of their
     * kind, such as "lake". The text is borrowed from the catalogue or is a constant. */
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
