/* Encodes the spills of a local map (model/spills.h) as a blob and decodes them:
 * schema/format.md, "Spills". */
#pragma once

#include "core/bytes.h"
#include "model/spills.h"
#include "portolan/status.h"

/* Encodes spills and replaces *out, which the caller owns. Equal spills give equal bytes. The
 * water's ways to inner tiles of the map are not written: they must follow from the heights,
 * the sea, and the ways to tiles of the outermost rows and columns, as they do in every map
 * that is made. */
ptl_status spills_encode(bytes *out, const local_spills *spills, ptl_error *err);

/* Decodes a blob of spills. PTL_ERR_CORRUPT for anything that is no such blob. */
ptl_status spills_decode(local_spills *out, const void *blob, size_t size, ptl_error *err);
