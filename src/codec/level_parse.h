/* Reads a level blob as runs over the file's own oter numbers; no catalogue is needed. */
#pragma once

#include "codec/chunk_codec.h"
#include "codec/level_runs.h"

/*
 * Parses a blob. *out belongs to the codec and lasts until the codec's next call. Its palette
 * holds file numbers, each at least 1 and below limit. Everything is checked: PTL_ERR_CORRUPT.
 */
ptl_status level_parse(const level_runs **out, codec *c, const void *blob, size_t size,
                       size_t limit, ptl_error *err);

/* The same, but reads no runs: *out has the palette alone. */
ptl_status level_parse_palette(const level_runs **out, codec *c, const void *blob, size_t size,
                               size_t limit, ptl_error *err);

/*
 * Gives the cells of the level whose palette level_parse_palette has just parsed; the blob
 * must still be there. Each cell is the map's entry for its file number (the map has `limit`
 * entries), or, without a map, its index into the palette. After an error (PTL_ERR_CORRUPT)
 * the cells are undefined.
 */
ptl_status level_expand(ptl_oter cells[PTL_LEVEL_CELLS], codec *c, const ptl_oter *map,
                        ptl_error *err);
