/*
 * A chunk's features in the tables city, radio, special_placement and pack. Reading gives
 * definitions by their id texts, as they are stored; sqlite_features_read (rows.h) turns these
 * ids into indices of a catalogue.
 */
#pragma once

#include "codec/feature_codec.h"
#include "codec/pack.h"
#include "model/feature.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

enum { FEATURE_CITIES_MAX = INT16_MAX + 1, FEATURE_RADIOS_MAX = 1 << 16 };

/* Inserts the features of a chunk, inside the caller's transaction. *checksum becomes the
 * chunk's features_checksum. */
ptl_status feature_rows_insert(int64_t *checksum, ptl_store *store, int64_t chunk_id,
                               const encoded_features *f, ptl_error *err);

/*
 * Reads the features of a chunk and verifies every checksum and range; features_checksum is
 * from the chunk's row. PTL_ERR_CORRUPT names the damaged row if it can be found. Often it
 * can't, since most rows have no checksum of their own.
 */
ptl_status feature_rows_read(feature_set *out, ptl_store *store, int64_t chunk_id,
                             int64_t features_checksum, ptl_error *err);

/* Reads a row of table pack (all features of one kind of a chunk): verifies its checksum,
 * parses the blob, and finds the texts of the names that it uses. For joins that are stored as
 * references to pieces, the chunk's pieces are read as well. */
ptl_status feature_pack_read(feature_set *out, ptl_store *store, int64_t id, int64_t checksum,
                             const void *blob, size_t size, ptl_error *err);

/* ---- rows of special_placement ---- */

/*
 * Reads a chunk's rows of table special_placement into *out, which is emptied first, and adds
 * their values to scratch->levels, the input of a checksum. Numbers and ranges are verified;
 * city_count is the number of the chunk's cities. Ids are borrowed from the dictionary, which
 * the caller has refreshed.
 */
ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err);

/*
 * Rows of radio. Messages of radio stations repeat throughout a world, so the rows have numbers
 * of the table `name` in place of texts. A text that names the station's own place is stored
 * with a placeholder, so that it serves for all places.
 */

/*
 * Returns the text that the table `name` has for the station's message. If the message names
 * the station's own place, the text has a placeholder there and is in `scratch`; otherwise it
 * is the message itself, and scratch stays empty. NULL if memory is out.
 */
const char *radio_row_text(const gen_radio *r, bytes *scratch);

/*
 * How SQL shows a pack (a blob with all features of one kind of a chunk). A pack_form lists the
 * columns of the virtual table (vtab_pack.c), which are also those of the plain table of
 * `portolan index` (unpacked_tables.c). A pack_cell says how the value of one column in SQL is
 * computed from a column of the pack. In SQL, x and y are absolute OMTs.
 */

typedef enum cell_kind {
    CELL_NAME,    /* the stored value is the index of a name that the pack uses; SQL shows the
                   * name's text, or NULL for the index -1 */
    CELL_NUMBER,  /* SQL shows the value as it is in the pack */
    CELL_OR_NULL, /* SQL shows the value as it is in the pack, but -1 as NULL */
    CELL_FLAG,    /* SQL shows 1 if the stored value has any of the bits in pack_cell.value,
                     otherwise 0 */
    CELL_X,       /* absolute OMT; pack_cell.value says how many units of the stored value make
                   * one OMT */
    CELL_Y,
    CELL_SUBMAP, /* an OMT has 2 x 2 submaps: 0 for one in the western (or northern) half, 1 for
                  * the other half */
    CELL_WATER   /* a kind of water: SQL shows the text "lake" or "river" */
} cell_kind;

typedef struct pack_cell {
    cell_kind kind;
    const char *name; /* the column's name in SQL; NULL ends the list */
    int column;       /* index of the pack's column from which the value is computed */
    int32_t value;
} pack_cell;

enum { PACK_CELLS_MAX = 12 };

typedef struct pack_form {
    const char *table; /* name of the virtual table; NULL: features of this kind have none */
    pack_cell cells[PACK_CELLS_MAX];
} pack_form;

/* Returns how SQL shows packs (blobs of features) of this kind. */
const pack_form *pack_form_of(pack_kind kind);
size_t pack_form_cells(const pack_form *form); /* number of columns that the form describes */
bool pack_cell_is_text(const pack_cell *cell);

/* Computes an integer value of the SQL row that shows one feature of a pack, that with the
 * index `entry`; `pos` is the place of the pack's chunk. Returns false if the value is NULL.
 * Must not be called for a value that is a text. */
bool pack_cell_value(int64_t *out, const pack_cell *cell, const pack_table *t, size_t entry,
                     ptl_chunk_pos pos);
