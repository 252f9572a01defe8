/*
 * A chunk row's `fill` (format.md, "Fill"): what each level without a row of its own holds,
 * as pairs of a count (1 byte) and a file number (varint), from z = -10 upwards, 21 in all.
 */
#ifndef CODEC_FILL_H
#define CODEC_FILL_H

#include "core/bytes.h"
#include "portolan/types.h"

void fill_build(bytes *out, const uint32_t numbers[PTL_LEVELS]);
/* PTL_ERR_CORRUPT unless it is well-formed with numbers from 1 to limit - 1. */
ptl_status fill_parse(uint32_t numbers[PTL_LEVELS], const void *blob, size_t size, size_t limit,
                      ptl_error *err);

#endif
