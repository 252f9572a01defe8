/* Encodes the spills of a local map (model/spills.h) as a blob and decodes them:
 * schema/format.md, "Spills". */
#pragma once

#include "core/bytes.h"
#include "model/spills.h"
#include "portolan/status.h"

/* Encodes spills and replaces *out, which the caller owns. Equal spills give equal bytes. Of
 * the ways by which water reaches tiles, only those to the outermost rows and columns of the
 * map are written. All other ways must follow from these, the heights and the sea, as they do
 * in every map that is made. */
ptl_status spills_encode(bytes *out, const local_spills *spills, ptl_error *err);

/* Decodes a blob of spills. PTL_ERR_CORRUPT if the blob is damaged. */
ptl_status spills_decode(local_spills *out, const void *blob, size_t size, ptl_error *err);
