/*
 * Relations: "anthill within 10 of city size >= 8 beside lake and no lab* within 40". Parsed
 * once against a catalogue, then asked of overmaps in memory, without SQL.
 *
 * The first thing named is the subject: matches are places of it. A condition that follows a
 * thing directly is a condition on that thing (a city beside a lake); one after `and`, `or`,
 * `but` or a comma is one on the subject, or inside parentheses on the thing that they begin
 * with. RELATION_GRAMMAR is the whole language.
 *
 * Things. A special or a building is where its origin is; its tiles are what touches. A city is
 * the disc of its size around its centre, at z 0. A lake or a river is a 4-connected set of
 * cells at z 0 (a lake's shore is part of it), a road is one cell at z 0 that counts as
 * road (measure_is_road),
 * `terrain T` is one cell of that terrain on any level. Distances are Euclidean, in OMTs, and
 * levels don't count in them: from origin to origin, to a city's edge, to the nearest cell of a
 * lake or river. "Beside": a tile of the one and a tile of the other, on the same level, share
 * a side or are the same. Nothing is near itself. Only what lies in the overmaps at hand
 * counts.
 */
#ifndef ANALYSIS_SEARCH_RELATION_H
#define ANALYSIS_SEARCH_RELATION_H

#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"

extern const char relation_grammar[]; /* lines for --help */

typedef struct relation relation;

/* What is wrong with a text. */
typedef struct relation_fault {
    size_t column;     /* byte offset in the text */
    char message[300]; /* what was expected, and what is there */
} relation_fault;

/* *out is new and borrows cat. PTL_ERR_ARGUMENT with *fault where the text is no relation. */
ptl_status relation_parse(relation **out, const char *text, const catalogue *cat,
                          relation_fault *fault, ptl_error *err);
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
