/*
 * A chunk's features in the tables city, radio, special_placement and pack. Reading gives them
 * as they are stored, with id texts; sqlite_features_read (rows.h) turns the ids into a
 * catalogue's indices.
 */
#pragma once

#include "codec/feature_codec.h"
#include "codec/pack.h"
#include "model/feature.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/rows.h"

enum { FEATURE_CITIES_MAX = INT16_MAX + 1, FEATURE_RADIOS_MAX = 1 << 16 };

/* Inserts the features, inside the caller's transaction. *checksum becomes the chunk's
 * features_checksum. */
ptl_status feature_rows_insert(int64_t *checksum, ptl_store *store, int64_t chunk_id,
                               const encoded_features *f, ptl_error *err);

/*
 * Reads the features and verifies every checksum and range; features_checksum comes from the
 * chunk's row. PTL_ERR_CORRUPT names the damaged row if it can be found. Often it can't, since
 * most rows have no checksum of their own and are covered by the chunk's.
 */
ptl_status feature_rows_read(feature_set *out, ptl_store *store, int64_t chunk_id,
                             int64_t features_checksum, ptl_error *err);

/*
 * Reads one pack from its row's blob, after verifying its checksum. The pack's numbers become
 * names. For joins the chunk's pieces are read as well, if the joins are stored by reference
 * to them.
 */
ptl_status feature_pack_read(feature_set *out, ptl_store *store, int64_t id, int64_t checksum,
                             const void *blob, size_t size, ptl_error *err);

/* Rows of special_placement: writing and reading those of one chunk. */

/*
 * Reads the rows into *out, replacing what it held, and adds their values to scratch->levels.
 * Numbers and ranges are verified; city_count is the chunk's. Ids are borrowed from the
 * dictionary, which the caller has refreshed.
 */
ptl_status special_rows_read(special_rows *out, ptl_store *store, row_scratch *scratch,
                             int64_t chunk_id, size_t city_count, ptl_error *err);

/*
 * Rows of radio. What stations say repeats throughout a world, so the rows hold numbers of
 * table `name`. A text that names the station's own place is stored with a placeholder, so
 * that it serves for all places.
 */

/*
 * Returns the text under which table `name` has the station's message, borrowed from the
 * message or from scratch. scratch is left empty if the message does not name the station's
 * place. NULL when memory is out.
 */
const char *radio_row_text(const gen_radio *r, bytes *scratch);

/*
 * How packs look in SQL: the columns of the virtual tables (vtab_pack.c) and of the plain
 * tables that `portolan index` fills (unpacked.c), and how each value follows from a column of
 * the pack. In SQL x and y are absolute OMTs.
 */

typedef enum cell_kind {
    CELL_NAME,    /* text of the pack's name; NULL for -1 */
    CELL_NUMBER,  /* the pack's value itself */
    CELL_OR_NULL, /* the pack's value; NULL for -1 */
    CELL_FLAG,    /* 1 if any bit of `value` is set, otherwise 0 */
    CELL_X,       /* absolute OMT; `value` is the number of the column's units in one OMT */
    CELL_Y,
    CELL_SUBMAP, /* which half of the OMT, 0 or 1 */
    CELL_WATER   /* the text "lake" or "river" */
} cell_kind;

typedef struct pack_cell {
    cell_kind kind;
    const char *name; /* the column's name in SQL; NULL ends the list */
    int column;       /* the pack's column that it follows from */
    int32_t value;
} pack_cell;

enum { PACK_CELLS_MAX = 12 };

typedef struct pack_form {
    const char *table; /* name of the virtual table; NULL: it has none */
    pack_cell cells[PACK_CELLS_MAX];
} pack_form;

/* Returns the form of a kind of pack. */
const pack_form *pack_form_of(pack_kind kind);
size_t pack_form_cells(const pack_form *form); /* number of the form's cells */
bool pack_cell_is_text(const pack_cell *cell);

/* Computes the value of an integer cell for an entry whose chunk is `pos`; false if it is
 * NULL. It must not be called for texts. */
bool pack_cell_value(int64_t *out, const pack_cell *cell, const pack_table *t, size_t entry,
                     ptl_chunk_pos pos);
