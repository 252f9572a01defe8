/*
 * Encodes a chunk's features (cities, placements, monster groups and so on, model/feature.h) as
 * bytes and decodes them. Cities, radios and specials become rows of the database; specials are
 * numbered from 0 in the order of the list. Features of which a chunk has many, buildings among
 * them, become tables of small integers, packed column by column (pack.h). Encoding needs no
 * database, so it runs in the threads that generate chunks; its result refers only to itself
 * and the catalogue.
 */
#pragma once

#include "codec/pack.h"
#include "model/feature.h"

enum { FEATURE_SPECIALS_MAX = 1 << 16 }; /* most specials in a chunk */

/* A special, as it is stored in a row of the table special_placement. */
typedef struct special_row {
    const char *id;          /* borrowed */
    gen_placement placement; /* `special` is undefined in rows that were read from a file */
} special_row;

typedef struct special_rows {
    special_row *list; /* owned; each row's number is its index here */
    size_t count, room;
} special_rows;

/* Adds a row with undefined values; NULL when memory is out. */
special_row *special_rows_add(special_rows *rows);
void special_rows_dispose(special_rows *rows);

/* Features as features_encode gives them. They can still be written after the features that
 * they were made from were freed. */
typedef struct encoded_features {
    gen_features rows; /* only the cities and radios of the chunk, with copies of their texts */
    special_rows specials;          /* placements; their ids are borrowed from the catalogue */
    encoded_pack packs[PACK_KINDS]; /* a pack whose count is 0 is not stored */
    digest digest; /* digest of the features that is the same in any file, because it is
                      computed over the texts of ids */
} encoded_features;

/*
 * Encodes features. *out need not be initialised; dispose it afterwards, also after an error.
 * Values outside the ranges of pack.h and schema/chunk.sql give PTL_ERR_INTERNAL: importers
 * must check them before.
 */
ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *features, const struct ptl_catalogue *cat,
                           ptl_error *err);
void encoded_features_dispose(encoded_features *e);

/* Each of the next three functions returns what is wrong with the row, or NULL if all its
 * values are in range. */
const char *city_problem(const gen_city *city);
const char *radio_problem(const gen_radio *radio);
const char *special_problem(const gen_placement *p, size_t city_count);

/* A chunk's features as they were read from a file. Zero it before its first use. */
typedef struct feature_set {
    gen_features rows;     /* of all kinds of features, only the cities and radios are in it */
    special_rows specials; /* ids borrowed from the store's dictionary */
    pack_table tables[PACK_KINDS];
    /* Owned lists, one for each pack: the names that the pack's table refers to. The texts are
     * borrowed from the store's dictionary. */
    const char **names[PACK_KINDS];
    size_t name_room[PACK_KINDS];
    /* The id of the chunk whose table of pieces was read; 0: none. */
    int64_t pieces_of;
} feature_set;

void feature_set_dispose(feature_set *set);

/* Checks that the chunk has all cities that buildings name and all specials that pieces and
 * joins name, and that no run of predecessors leaves the chunk. PTL_ERR_CORRUPT if not. */
ptl_status feature_set_check(const feature_set *set, ptl_error *err);
/* Computes the canonical digest of the features. */
ptl_status feature_set_digest(digest *out, feature_set *set, ptl_chunk_pos pos, ptl_error *err);

/* Adds the features of one kind from the set to `out`: the buildings among its placements, its
 * attempts, or its predecessors. numbers[i] is the number of the special or oter in the
 * catalogue whose id is the name i of the pack; `numbers` is NULL if the pack is empty.
 * Attempts to place a special that the catalogue lacks (CAT_NONE) are left out. */
ptl_status feature_set_add(gen_features *out, const feature_set *set, pack_kind kind,
                           const uint16_t *numbers, ptl_error *err);

/*
 * Adds all features of the set to out, with copies of their texts. Ids become indices of the
 * catalogue. If the catalogue lacks an id and `all` is true, the index becomes CAT_NONE, but
 * an attempt to place such a special is left out. If `all` is false, the result is
 * PTL_ERR_MISMATCH, and the message names the id.
 */
ptl_status feature_set_resolve(gen_features *out, const feature_set *set,
                               const struct ptl_catalogue *cat, bool all, ptl_error *err);
