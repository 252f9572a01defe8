/* Reads a level blob as runs of the numbers that the file gives to oters. This needs no
 * catalogue. */
#pragma once

#include "codec/chunk_codec.h"
#include "codec/level_runs.h"

/*
 * Parses a level's blob. *out belongs to the codec and is valid until the codec is used again.
 * Its palette holds the file's numbers of oters, each at least 1 and below limit.
 * PTL_ERR_CORRUPT if anything in the blob is not valid.
 */
ptl_status level_parse(const level_runs **out, codec *c, const void *blob, size_t size,
                       size_t limit, ptl_error *err);

/* Parses only the palette of a level's blob, as level_parse does; *out has no runs. */
ptl_status level_parse_palette(const level_runs **out, codec *c, const void *blob, size_t size,
                               size_t limit, ptl_error *err);

/*
 * Reads the cells of the level whose palette level_parse_palette has just parsed; the blob must
 * not have been freed. If `map` is NULL, a cell becomes an index into the palette. Otherwise it
 * becomes map[n], where n is the file's number of the cell's oter; `map` has `limit` elements.
 * After an error (PTL_ERR_CORRUPT) the cells are undefined.
 */
ptl_status level_expand(ptl_oter cells[PTL_LEVEL_CELLS], codec *c, const ptl_oter *map,
                        ptl_error *err);
