/*
 * Edits: what a game has changed on an overmap. The chunk stays as it was made; its edits lie
 * over it as an *overlay*. Here are the bytes of an edit's cells (schema/format.md, "Edits"),
 * and the rule that says which cells of many edits are shown.
 */
#pragma once

#include "core/bytes.h"
#include "core/error.h"
#include "portolan/types.h"

/* The number of cells of a chunk. */
enum { EDIT_PLACES = PTL_LEVELS * PTL_LEVEL_CELLS };

/* A cell of an edit: its place in the chunk, (z + 10) * PTL_LEVEL_CELLS + y * 180 + x; and the
 * oters that were shown there before and after the edit. They are the file's numbers of oters
 * where a backend reads its rows, and a catalogue's elsewhere. */
typedef struct edit_cell {
    int32_t place;
    uint32_t before, after;
} edit_cell;

/* Returns the OMT at a place of a chunk. */
ptl_omt edit_omt(ptl_chunk_pos chunk, int32_t place);
/* Returns the bit (z + 10) of each level that has one of the cells. */
uint32_t edit_levels(const edit_cell *cells, size_t count);

/* Appends the cells of an edit, which are sorted by place and have each place once. Sets
 * out->failed when memory is out. */
void edit_encode(bytes *out, const edit_cell *cells, size_t count);
/* Reads the cells that edit_encode has written. *out is new, and the caller frees it;
 * PTL_ERR_CORRUPT if no edit has such bytes, or an oter's number is 0 or not below `limit`. */
ptl_status edit_decode(edit_cell **out, size_t *count, const void *blob, size_t size,
                       size_t limit, ptl_error *err);

/* An edit of a chunk in an overlay. */
typedef struct edit_entry {
    int64_t number, undoes; /* undoes 0: it takes back no other edit */
    size_t first, count;    /* its cells in edit_overlay.cells */
    bool undone;            /* another edit has taken it back */
} edit_entry;

/* The edits of a chunk. Zero the struct before use. */
typedef struct edit_overlay {
    edit_entry *edits; /* owned; in the order of their numbers */
    size_t edit_count, edit_room;
    edit_cell *cells; /* owned */
    size_t count, room;
} edit_overlay;

void edit_overlay_dispose(edit_overlay *o);
/* Adds what an edit changes; its number must be greater than those before. False when memory is
 * out. */
bool edit_overlay_add(edit_overlay *o, int64_t number, int64_t undoes, const edit_cell *cells,
                      size_t count);
/* Finds out which edits are undone: an edit is undone if a later one takes it back that is not
 * undone itself. */
void edit_overlay_judge(edit_overlay *o);
/* Leaves in `cells` the cells of the edits that are neither undone nor take others back, in the
 * order of the edits: of several cells of a place the last one is shown. */
void edit_overlay_reduce(edit_overlay *o);
/* Leaves in `cells` what the edits show: of each place the cell of the last edit that is
 * neither undone nor takes another back, sorted by place. Other places are as the chunk has
 * them. The members `before` have no meaning then. */
void edit_overlay_settle(edit_overlay *o);
