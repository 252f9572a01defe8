/*
 * What the map shows: a window of tiles, and what is known of the tile under the cursor. The
 * file is read as it is at the moment, also while another process writes it; memory is bounded
 * by a cache of chunks. What generates opens the file for itself, for as long as it takes.
 */
#ifndef CLI_VIEW_ATLAS_H
#define CLI_VIEW_ATLAS_H

#include "clients/cli/view/screen.h"
#include "clients/cli/view/viewer.h"
#include "clients/lookup/search.h"
#include "core/bytes.h"

typedef struct atlas atlas;

/* *out is new: free it with atlas_close. options are borrowed. */
ptl_status atlas_open(atlas **out, const viewer_options *options, ptl_error *err);
void atlas_close(atlas *a); /* NULL is fine */

const ptl_world *atlas_world(const atlas *a);
/* Is a copy of the file read, which does not follow it? */
bool atlas_is_copy(const atlas *a);

/* The places that there can be: the nearest of them. */
ptl_omt atlas_clamp(ptl_omt at);

/*
 * Reads the window of width x height tiles with its north-western cell at `from`. False where
 * something could not be read, with the reason in *err: its cells are as if they were not
 * saved.
 */
bool atlas_look(atlas *a, ptl_omt from, int32_t width, int32_t height, ptl_error *err);
/* A tile of the window: PTL_OTER_NONE where nothing is saved. */
ptl_oter atlas_oter(const atlas *a, int32_t column, int32_t line);

typedef struct glyph {
    uint32_t symbol; /* of one column */
    uint8_t ink[3], paper[3];
} glyph;

/* How the content shows an oter. */
const glyph *atlas_glyph(atlas *a, ptl_oter oter);

/* What is in a chunk beside its tiles; NULL where it is not saved, or not to be read. Borrowed
 * until the next call. */
const ptl_features *atlas_features(atlas *a, ptl_chunk_pos pos);

/* Forgets what was read, so that what others have changed is seen. */
void atlas_refresh(atlas *a);
/* Is called again and again while nothing happens: what was opened to write is closed. */
void atlas_idle(atlas *a);

/* ---- what takes longer ---- */

ptl_status atlas_search(search_result **out, atlas *a, const search_options *options,
                        ptl_error *err);
ptl_status atlas_why(ptl_why *out, atlas *a, const char *special, ptl_chunk_pos pos,
                     ptl_error *err);
/* Generates the chunk. PTL_ERR_READONLY if nothing may be written. */
ptl_status atlas_generate(atlas *a, ptl_chunk_pos pos, ptl_error *err);
/* Gives the stored local map; where it may write a new one is made. PTL_ERR_NOT_FOUND if there
 * is none. *out is new. */
ptl_status atlas_local(ptl_local_map **out, atlas *a, ptl_omt at, ptl_error *err);
/* Writes that map as `portolan local` prints it: its tiles, and what they are. */
ptl_status atlas_local_text(bytes *out, atlas *a, ptl_omt at, ptl_error *err);

#endif
