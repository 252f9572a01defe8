/*
 * Features to bytes and back. Placements and monster groups are tables of small integers,
 * packed column by column (pack.h); cities and radios become rows. Encoding needs no database,
 * so that generating threads do it, and everything it keeps is its own or the catalogue's.
 */
#ifndef STORE_FEATURE_CODEC_H
#define STORE_FEATURE_CODEC_H

#include "gen/feature.h"
#include "store/pack.h"

/* Made by features_encode; may be written after the features are gone. */
typedef struct encoded_features {
    gen_features rows;              /* cities and radios alone, with texts of their own */
    encoded_pack packs[PACK_KINDS]; /* count 0: not stored */
    digest digest;                  /* canonical digest over id strings */
} encoded_features;

/*
 * *out need not be initialised; dispose it afterwards, also after an error. Values out of the
 * ranges of pack.h and schema/0001 give PTL_ERR_INTERNAL: an importer checks before.
 */
ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *features, const struct catalogue *cat,
                           ptl_error *err);
void encoded_features_dispose(encoded_features *e);

/* The canonical digest (format.md, "Digests") of features whose packs are given as tables;
 * names[kind] are the texts of each table's names. scratch is cleared and used. */
ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                           const gen_features *rows, const pack_table tables[PACK_KINDS],
                           const char *const *const names[PACK_KINDS], ptl_error *err);

/* What is wrong with a city or radio; NULL if all its values are in range. */
const char *city_problem(const gen_city *city);
const char *radio_problem(const gen_radio *radio);

#endif
