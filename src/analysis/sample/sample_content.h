/*
 * The content of a sample, with the specials and buildings that stored chunks name beside it:
 * those that were made with other content may name what it lacks. These get entries of their
 * own, with an id and nothing else, so that they can be counted like the others. (Terrains of
 * other contents are in the catalogue: store_catalogue_load_for.)
 */
#ifndef ANALYSIS_SAMPLE_SAMPLE_CONTENT_H
#define ANALYSIS_SAMPLE_SAMPLE_CONTENT_H

#include "core/arena.h"
#include "model/catalogue.h"

typedef struct sample_content {
    const catalogue *base; /* borrowed: the sample's content */
    catalogue cat;         /* what base has, and after that what was added. Only its table of
                            * specials counts: base finds what is in base */
    cat_special *specials; /* owned copy; NULL until something is added */
    size_t special_room;
    strmap more_specials; /* what was added: id -> index */
    arena *ids;
    uint32_t version; /* goes up when something is added: who has numbers of cat counts anew */
} sample_content;

/* False when memory is out. Dispose it in either case. */
bool sample_content_init(sample_content *c, const catalogue *base);
void sample_content_dispose(sample_content *c);

/* Gives an index into c->cat. The id is copied where it is new. */
ptl_status sample_content_special(uint16_t *out, sample_content *c, const char *id,
                                  bool building, ptl_error *err);

#endif
