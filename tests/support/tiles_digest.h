/* The canonical digest of a chunk's tiles, from the chunk itself (schema/format.md, "Digests").
 */
#ifndef SUPPORT_TILES_DIGEST_H
#define SUPPORT_TILES_DIGEST_H

#include "core/digest.h"
#include "model/catalogue.h"
#include "model/chunk.h"

ptl_status digest_of_tiles(digest *out, const ptl_chunk *chunk, const catalogue *cat,
                           ptl_error *err);

#endif
