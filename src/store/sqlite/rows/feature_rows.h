/*
 * A chunk's features in the tables city, radio, special_placement and pack. Reading gives them
 * as they are stored, over id strings; sqlite_features_read (rows.h) makes of that what
 * a catalogue knows.
 */
#ifndef STORE_SQLITE_ROWS_FEATURE_ROWS_H
#define STORE_SQLITE_ROWS_FEATURE_ROWS_H

#include "codec/feature_set.h"
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

#endif
