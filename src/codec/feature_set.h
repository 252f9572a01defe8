/*
 * A chunk's features as they are stored: ids are strings, cities, radios and specials are
 * rows, the packs are parsed into tables. Who reads a store fills it in; the functions here
 * check it, and resolve it for a catalogue.
 */
#ifndef CODEC_FEATURE_SET_H
#define CODEC_FEATURE_SET_H

#include "codec/feature_codec.h"

/* Zero it before its first use. */
typedef struct feature_set {
    gen_features rows;     /* only cities and radios */
    special_rows specials; /* ids borrowed from the store's dictionary */
    pack_table tables[PACK_KINDS];
    const char **names[PACK_KINDS]; /* owned lists of texts borrowed from the dictionary */
    size_t name_room[PACK_KINDS];
    /* The id of the chunk whose table of pieces was read; 0: none. */
    int64_t pieces_of;
} feature_set;

void feature_set_dispose(feature_set *set);

/* Checks that all cities that buildings name, and all specials that pieces and joins name,
 * are the chunk's; PTL_ERR_CORRUPT if not. */
ptl_status feature_set_check(const feature_set *set, ptl_error *err);
/* Computes the canonical digest of the features. */
ptl_status feature_set_digest(digest *out, feature_set *set, ptl_chunk_pos pos, ptl_error *err);

/* Adds the placements of buildings to out. specials[i] stands for name i of their pack; NULL if
 * the pack is empty. */
ptl_status feature_set_add_buildings(gen_features *out, const feature_set *set,
                                     const uint16_t *specials, ptl_error *err);

/*
 * Adds all features to out, with copies of their texts. An id that the catalogue lacks becomes
 * CAT_NONE if `all` is set (such attempts are left out); otherwise the result is
 * PTL_ERR_MISMATCH, whose message names the id.
 */
ptl_status feature_set_resolve(gen_features *out, const feature_set *set,
                               const struct ptl_catalogue *cat, bool all, ptl_error *err);

#endif
