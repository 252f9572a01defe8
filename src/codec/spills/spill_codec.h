/* The spills of a local map to a blob and back: schema/format.md, "Spills". */
#pragma once

#include "core/bytes.h"
#include "model/spills.h"
#include "portolan/status.h"

/* Encodes spills and replaces *out, which the caller owns. Equal spills give equal bytes.
 * The ways inside the map are not written: they must follow from the heights, the sea, and
 * the ways at the map's edge, as those of all real grounds do. */
ptl_status spills_encode(bytes *out, const local_spills *spills, ptl_error *err);

/* PTL_ERR_CORRUPT for anything that is no such blob. */
ptl_status spills_decode(local_spills *out, const void *blob, size_t size, ptl_error *err);
