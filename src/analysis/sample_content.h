/*
 * The present content, with what stored chunks name beside it: those that were made with other
 * content may name specials, buildings and terrains that it lacks. These get entries of their
 * own, with an id and nothing else (a terrain's count of oters is 0: no terrain set has it), so
 * that they can be counted like the others.
 */
#ifndef ANALYSIS_SAMPLE_CONTENT_H
#define ANALYSIS_SAMPLE_CONTENT_H

#include "content/catalogue.h"
#include "core/arena.h"

typedef struct sample_content {
    const ptl_store *store; /* borrowed */
    const catalogue *base;  /* borrowed: the present content */
    catalogue cat;          /* what base has, and after that what was added. Only its tables of
                             * specials, terrains and oters count: base finds what is in base */
    cat_special *specials;  /* owned copies; NULL until something is added */
    cat_terrain *terrains;
    cat_oter *oters;
    size_t special_room, terrain_room, oter_room;
    strmap more_specials, more_terrains, more_oters; /* what was added: id -> index */
    arena *ids;
    uint32_t version; /* goes up when something is added: who has numbers of cat counts anew */
} sample_content;

/* False when memory is out. Dispose it in either case. */
bool sample_content_init(sample_content *c, const ptl_store *store, const catalogue *base);
void sample_content_dispose(sample_content *c);

/* Indices into c->cat. The id is copied where it is new. */
ptl_status sample_content_special(uint16_t *out, sample_content *c, const char *id,
                                  bool building, ptl_error *err);
ptl_status sample_content_oter(ptl_oter *out, sample_content *c, const char *id,
                               ptl_error *err);

#endif
