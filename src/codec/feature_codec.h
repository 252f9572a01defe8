/*
 * Features to bytes and back. What there are many of are tables of small integers, packed
 * column by column (pack.h); cities, radios and specials become rows. Placements are split by
 * that: buildings are packed, specials get numbers of their own, from 0, in the order of the
 * list. Encoding needs no database, so that generating threads do it, and everything it keeps
 * is its own or the catalogue's.
 */
#ifndef CODEC_FEATURE_CODEC_H
#define CODEC_FEATURE_CODEC_H

#include "codec/pack.h"
#include "model/feature.h"

enum { FEATURE_SPECIALS_MAX = 1 << 16 }; /* of a chunk */

/* A row of special_placement. */
typedef struct special_row {
    const char *id;          /* borrowed */
    gen_placement placement; /* .special has no meaning in what was read */
} special_row;

typedef struct special_rows {
    special_row *list; /* owned; index: number */
    size_t count, room;
} special_rows;

/* Adds an entry with undefined values; NULL when memory is out. */
special_row *special_rows_add(special_rows *rows);
void special_rows_dispose(special_rows *rows);

/* Made by features_encode; may be written after the features are gone. */
typedef struct encoded_features {
    gen_features rows;              /* cities and radios alone, with texts of their own */
    special_rows specials;          /* ids borrowed from the catalogue */
    encoded_pack packs[PACK_KINDS]; /* count 0: not stored */
    digest digest;                  /* canonical digest over id strings */
} encoded_features;

/*
 * *out need not be initialised; dispose it afterwards, also after an error. Values out of the
 * ranges of pack.h and schema/chunk.sql give PTL_ERR_INTERNAL: an importer checks before.
 */
ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *features, const struct ptl_catalogue *cat,
                           ptl_error *err);
void encoded_features_dispose(encoded_features *e);

/* Makes one kind's table and out->packs[kind], without the body. In feature_tables.c. */
ptl_status feature_table_make(pack_table *t, encoded_features *out, pack_kind kind,
                              const gen_features *f, const struct ptl_catalogue *cat,
                              ptl_error *err);

/* The canonical digest (format.md, "Digests") of features whose packs are given as tables;
 * names[kind] are the texts of each table's names. scratch is cleared and used. */
ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                           const gen_features *rows, const special_rows *specials,
                           const pack_table tables[PACK_KINDS],
                           const char *const *const names[PACK_KINDS], ptl_error *err);

/* What is wrong with a city, radio or special; NULL if all its values are in range. */
const char *city_problem(const gen_city *city);
const char *radio_problem(const gen_radio *radio);
const char *special_problem(const gen_placement *p, size_t city_count);

#endif
