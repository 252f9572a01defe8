/*
 * Features to bytes and back. Kinds with many entries become tables of small integers, packed
 * column by column (pack.h); cities, radios and specials become rows. Of placements, buildings
 * are packed, and specials become rows that are numbered from 0 in the order of the list.
 * Encoding needs no database, so generating threads do it; what it gives refers to nothing but
 * itself and the catalogue.
 */
#ifndef CODEC_FEATURE_CODEC_H
#define CODEC_FEATURE_CODEC_H

#include "codec/pack.h"
#include "model/feature.h"

enum { FEATURE_SPECIALS_MAX = 1 << 16 }; /* in a chunk */

/* A special as a row of special_placement. */
typedef struct special_row {
    const char *id;          /* borrowed */
    gen_placement placement; /* .special is undefined in rows that were read */
} special_row;

typedef struct special_rows {
    special_row *list; /* owned; the index is the row's number */
    size_t count, room;
} special_rows;

/* Adds an entry with undefined values; NULL when memory is out. */
special_row *special_rows_add(special_rows *rows);
void special_rows_dispose(special_rows *rows);

/* Features in their encoded form, from features_encode. They may be written after the
 * features themselves are gone. */
typedef struct encoded_features {
    gen_features rows;              /* only cities and radios, with copies of their texts */
    special_rows specials;          /* ids borrowed from the catalogue */
    encoded_pack packs[PACK_KINDS]; /* count 0: not stored */
    digest digest;                  /* canonical digest over id strings */
} encoded_features;

/* Adds copies of the cities and radios, with their texts, to `out`. */
ptl_status features_copy_rows(gen_features *out, const gen_features *rows, ptl_error *err);

/*
 * Encodes features. *out need not be initialised; dispose it afterwards, also after an error.
 * Values outside the ranges of pack.h and schema/chunk.sql give PTL_ERR_INTERNAL: importers
 * must check them before.
 */
ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *features, const struct ptl_catalogue *cat,
                           ptl_error *err);
void encoded_features_dispose(encoded_features *e);

/* Makes the table of one kind, and out->packs[kind] without its body. Defined in
 * feature_tables.c. */
ptl_status feature_table_make(pack_table *t, encoded_features *out, pack_kind kind,
                              const gen_features *f, const struct ptl_catalogue *cat,
                              ptl_error *err);

/* Computes the canonical digest (format.md, "Digests") of features whose packs are given as
 * tables. names[kind] are the names that the table's indices mean. scratch is overwritten. */
ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                           const gen_features *rows, const special_rows *specials,
                           const pack_table tables[PACK_KINDS],
                           const char *const *const names[PACK_KINDS], ptl_error *err);

/* Each returns what is wrong with the row, or NULL if all its values are in range. */
const char *city_problem(const gen_city *city);
const char *radio_problem(const gen_radio *radio);
const char *special_problem(const gen_placement *p, size_t city_count);

#endif
