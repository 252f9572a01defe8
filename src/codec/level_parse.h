/* Reading a level blob as runs over the file's own oter numbers, without any catalogue. */
#ifndef CODEC_LEVEL_PARSE_H
#define CODEC_LEVEL_PARSE_H

#include "codec/chunk_codec.h"
#include "codec/level_runs.h"

/*
 * *out belongs to the codec and lasts until its next call. Its palette holds file numbers,
 * each at least 1 and below limit. Everything is checked: PTL_ERR_CORRUPT.
 */
ptl_status level_parse(const level_runs **out, codec *c, const void *blob, size_t size,
                       size_t limit, ptl_error *err);

/* As level_parse, but of the runs nothing is read: *out has the palette alone. */
ptl_status level_parse_palette(const level_runs **out, codec *c, const void *blob, size_t size,
                               size_t limit, ptl_error *err);

/*
 * The cells of the level whose palette was just parsed by level_parse_palette, from the same
 * bytes: its numbers passed through map (all of limit entries), or without a map indices into
 * the palette. After an error, which is PTL_ERR_CORRUPT, the cells are anything.
 */
ptl_status level_expand(ptl_oter cells[PTL_LEVEL_CELLS], codec *c, const ptl_oter *map,
                        ptl_error *err);

#endif
