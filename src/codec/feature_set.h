/*
 * A chunk's features as they are kept, over id strings: rows of cities, radios and specials,
 * and packs parsed into tables. What reads them from a store fills it in; what they mean to a
 * catalogue is found here.
 */
#ifndef CODEC_FEATURE_SET_H
#define CODEC_FEATURE_SET_H

#include "codec/feature_codec.h"

/* Zero it before its first use. */
typedef struct feature_set {
    gen_features rows;     /* cities and radios alone */
    special_rows specials; /* ids borrowed from the store's dictionary */
    pack_table tables[PACK_KINDS];
    const char **names[PACK_KINDS]; /* owned lists; texts borrowed from the dictionary */
    size_t name_room[PACK_KINDS];
    int64_t pieces_of; /* id of the chunk that the table of pieces was read of; 0: none */
} feature_set;

void feature_set_dispose(feature_set *set);

/* The cities of buildings and the specials of pieces and joins must be the chunk's:
 * PTL_ERR_CORRUPT. */
ptl_status feature_set_check(const feature_set *set, ptl_error *err);
/* The canonical digest of what was read. */
ptl_status feature_set_digest(digest *out, feature_set *set, ptl_chunk_pos pos, ptl_error *err);

/*
 * Adds all of it to out, whose texts are its own then. What the catalogue lacks is CAT_NONE
 * with `all` (attempts are left out), else PTL_ERR_MISMATCH names it.
 */
ptl_status feature_set_resolve(gen_features *out, const feature_set *set,
                               const struct ptl_catalogue *cat, bool all, ptl_error *err);

#endif
