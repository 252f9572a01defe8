/*
 * Shows edits: chunks stay as they were made, and what a game has changed lies over them
 * (codec/edit_codec.h). All code that shows a world reads it by the functions here; all code
 * that measures what was generated (samples, searches, seams, repair) reads chunks by the
 * store's operations. A world that was opened with `base` is never changed by edits. Here is
 * also what the notes, marks and facts of a world are read and written by.
 */
#pragma once

#include "codec/edit_codec.h"
#include "codec/saved_codec.h"
#include "portolan/save.h"
#include "world/world.h"

/* Reads one level as chunk_operations.level_read does, with the edits over it. */
ptl_status world_level_read(ptl_oter cells[PTL_LEVEL_CELLS], bool *found,
                            const ptl_world *world, ptl_chunk_pos pos, int32_t z,
                            ptl_error *err);
/* Reads a chunk as chunk_operations.read does, with the edits over it. */
ptl_status world_chunk_read(ptl_chunk **out, const ptl_world *world, ptl_chunk_pos pos,
                            const catalogue *cat, chunk_info *info, ptl_error *err);
/* Puts the edits over a chunk in memory. */
ptl_status world_edits_show(ptl_chunk *chunk, const ptl_world *world, const catalogue *cat,
                            ptl_error *err);

/* Reads the features of a chunk as chunk_operations.features_read_all does, and behind them
 * those of the specials that games have placed there and not taken away. What stood on the
 * cells of these specials before becomes predecessors, where their terrain needs them. */
ptl_status world_features_read(gen_features *out, bool *found, const ptl_world *world,
                               ptl_chunk_pos pos, const catalogue *cat, ptl_error *err);

/* Reads all edits that change a cell of the levels of a mask (bit z + 10) of a chunk, with the
 * oters of cat. Dispose of *out also after an error. */
ptl_status world_edits_read(edit_overlay *out, const ptl_world *world, ptl_chunk_pos pos,
                            uint32_t levels, const catalogue *cat, ptl_error *err);

/* Lists the chunks in which edits change something in an area, each once, in the order of x, y.
 * The caller frees *out, also after an error. */
ptl_status world_edited_chunks(ptl_chunk_pos **out, size_t *count, const ptl_world *world,
                               const edit_area *area, ptl_error *err);

/* Replaces the digest of the world's chunks and edges by that of these and of the edits
 * (format.md, "Digests"). If no edit changes anything, *out stays. */
ptl_status world_edits_digest(ptl_world_digest_result *out, const ptl_world *world,
                              ptl_error *err);

/* Replaces the digest of the world by that of this and of the specials that games have placed.
 * If there are none in force, *out stays. */
ptl_status world_placed_digest(ptl_world_digest_result *out, const ptl_world *world,
                               ptl_error *err);

/* Replaces the digest of the world by that of this and of its notes, marks and facts. If there
 * are none, *out stays. */
ptl_status world_saved_digest(ptl_world_digest_result *out, const ptl_world *world,
                              ptl_error *err);

/* Returns the chunk's coordinate of an OMT's coordinate, of the nearest chunk if there is none.
 */
int32_t world_chunk_of(int64_t omt);

/* Make rows with the keys that callers give; they borrow the texts. */
saved_row saved_marks_row(const ptl_marks_key *key);
saved_row saved_fact_row(const ptl_fact_key *key);

/* PTL_ERR_EXISTS if the world derives its local maps, so that no OMT may change under them. */
ptl_status world_derive_check(const ptl_world *world, ptl_error *err);

/* PTL_ERR_ARGUMENT if the rectangle {x0, y0, x1, y1} is empty. */
ptl_status world_rect_check(const int64_t rect[4], ptl_error *err);

/* Gets the greatest number of the world's edits; 0: there are none, or they are not shown. */
ptl_status world_edits_last(int64_t *out, const ptl_world *world, ptl_error *err);
