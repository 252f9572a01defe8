/*
 * A chunk's features in the tables city, radio, special_placement and pack. Reading gives them
 * as they are stored, over id strings; sqlite_features_read (rows.h) makes of that what
 * a catalogue knows.
 */
#ifndef STORE_SQLITE_ROWS_FEATURE_ROWS_H
#define STORE_SQLITE_ROWS_FEATURE_ROWS_H

#include "codec/feature_codec.h"
#include "codec/feature_set.h"
#include "codec/pack.h"
#include "model/feature.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

enum { FEATURE_CITIES_MAX = INT16_MAX + 1, FEATURE_RADIOS_MAX = 1 << 16 };

/* Adds them inside the caller's transaction. *checksum is the chunk's features_checksum. */
ptl_status feature_rows_insert(int64_t *checksum, ptl_store *store, int64_t chunk_id,
                               const encoded_features *f, ptl_error *err);
ptl_status feature_rows_delete(ptl_store *store, int64_t chunk_id, ptl_error *err);

/*
 * Verifies every checksum and range. PTL_ERR_CORRUPT says which row is damaged, if that can be
 * told: rows have no checksums of their own, the chunk's covers them all.
 * features_checksum is the chunk row's.
 */
ptl_status feature_rows_read(feature_set *out, ptl_store *store, int64_t chunk_id,
                             int64_t features_checksum, ptl_error *err);

/* One pack alone, from its row's blob, whose checksum is verified first. Its numbers become
 * names. With joins the chunk's pieces are read, too, if they are told by them. */
ptl_status feature_pack_read(feature_set *out, ptl_store *store, int64_t id, int64_t checksum,
                             const void *blob, size_t size, ptl_error *err);

/* Rows of special_placement: writing and reading those of one chunk. */

/* Adds them inside the caller's transaction. The rows' values are added to scratch->levels. */
ptl_status special_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                               const special_rows *rows, ptl_error *err);
/*
 * Replaces what is in *out; ids are borrowed from the dictionary, which has been refreshed.
 * Verifies numbers and ranges; the values are added to scratch->levels. city_count is the
 * chunk's.
 */
ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err);

/*
 * Rows of radio. What stations say repeats all over a world, so the texts are numbers of table
 * `name`; a text that tells the station's own place is kept as one for all places.
 */

/* Adds them inside the caller's transaction. The rows' values are added to scratch->levels. */
ptl_status radio_rows_insert(ptl_store *store, row_scratch *scratch, int64_t chunk_id,
                             const gen_features *f, ptl_error *err);
/* What table `name` holds of the station's message: borrowed from it or from scratch, which is
 * empty if the text tells no place; NULL when memory is out. */
const char *radio_row_text(const gen_radio *r, bytes *scratch);
/* Adds the statement's current row (RADIO_COLUMNS) as one more of rows->radios. The dictionary
 * has been refreshed. */
ptl_status radio_row_add(gen_features *rows, ptl_store *store, const stmt *s, ptl_error *err);

/*
 * How packs look in SQL: the columns of the virtual tables (vtab_pack.c) and of the plain
 * tables that `portolan index` fills (unpacked.c), and how each follows from a column of the
 * pack. In SQL x and y are absolute OMTs.
 */

typedef enum cell_kind {
    CELL_NAME,    /* text of the pack's name; NULL for -1 */
    CELL_NUMBER,  /* as it is */
    CELL_OR_NULL, /* NULL for -1 */
    CELL_FLAG,    /* 1 if any bit of `value` is set, else 0 */
    CELL_X,       /* absolute; `value`: how many of the column's units make one OMT */
    CELL_Y,
    CELL_SUBMAP, /* the half of the OMT, 0 or 1 */
    CELL_WATER   /* 'lake' or 'river' */
} cell_kind;

typedef struct pack_cell {
    cell_kind kind;
    const char *name; /* of the column in SQL; NULL ends the list */
    int column;       /* of the pack */
    int32_t value;
} pack_cell;

enum { PACK_CELLS_MAX = 12 };

typedef struct pack_form {
    const char *table; /* of the virtual table; NULL: has none */
    pack_cell cells[PACK_CELLS_MAX];
} pack_form;

const pack_form *pack_form_of(pack_kind kind);
size_t pack_form_cells(const pack_form *form); /* how many it has */
bool pack_cell_is_text(const pack_cell *cell);

/* Of an entry whose chunk is `pos`: false for NULL. Not for texts. */
bool pack_cell_value(int64_t *out, const pack_cell *cell, const pack_table *t, size_t entry,
                     ptl_chunk_pos pos);

#endif
