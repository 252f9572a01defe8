/* What a save holds in memory until it is committed, for the files that fill and store it. */
#pragma once

#include "model/catalogue.h"
#include "portolan/save.h"
#include "world/local/local_maps.h"
#include "world/save/save_rows.h"
#include "world/world.h"

/* A note, marks or a fact that a save writes. */
typedef struct save_item {
    saved_row *row; /* owned */
    bool add;       /* marks that are added to those that there are */
} save_item;

/* The notes, marks and facts of a save, each key once. Zero the struct before use. */
typedef struct save_rows {
    save_item *items; /* owned; in the order in which their keys were given first */
    size_t count, room;
    uint32_t *index; /* owned; a hash table of slots: 1 + the item's number, or 0 */
    size_t slots;    /* a power of two, or 0 */
    size_t bytes;    /* that the items take in memory */
} save_rows;

void save_rows_dispose(save_rows *rows);

/* A cell that the save sets. */
typedef struct save_cell {
    ptl_chunk_pos chunk;
    int32_t place; /* as in edit_cell */
    ptl_oter oter;
} save_cell;

/* A special that the save places. */
typedef struct save_special {
    uint16_t special; /* index into catalogue.specials; CAT_NONE: none is placed */
    ptl_chunk_pos chunk;
    int32_t x, y; /* its origin in the chunk */
    int32_t rotation;
} save_special;

/* What becomes one edit: cells, the edit `undoes` taken back, or a special. */
typedef struct save_part {
    int64_t undoes;      /* 0: none */
    size_t first, count; /* its cells in ptl_save.cells */
    save_special special;
} save_part;

/* By what a save knows its world again when another thread has opened it. */
typedef struct save_origin {
    int64_t world_id;
    uint64_t seed;
    int64_t content_id; /* of the catalogue: the save has oters and specials by their numbers */
} save_origin;

struct ptl_save {
    ptl_world *world; /* borrowed */
    save_origin origin;
    bool attached;       /* handed over by ptl_save_attach */
    char *author, *text; /* owned */
    int64_t turn;
    save_part *parts; /* owned */
    size_t part_count, part_room;
    save_cell *cells; /* owned */
    size_t count, room;
    save_rows rows;
    ptl_local_map **maps; /* owned, and so are the maps; each with the revision of the stored
                           * map that it replaces */
    size_t map_count, map_room;
    size_t map_bytes; /* that the maps take in memory */
    int64_t seen;     /* the revision at which the caller has read what the rows replace */
};

/* The edit that is being written. */
typedef struct save_writing {
    ptl_save *save;
    ptl_save_report *report;
    int64_t number, undoes;
    bool any; /* a row was written */
    /* Owned: cells of one chunk, and the oters of one of its levels. */
    edit_cell *cells;
    size_t room;
    ptl_oter *level;
} save_writing;

/* Writes what the edit changes in a chunk: the first `count` of w->cells, sorted by place.
 * Local maps that depend on them are removed. */
ptl_status save_write_row(save_writing *w, ptl_chunk_pos pos, size_t count, ptl_error *err);
/* Removes the local maps that depend on the cells of a row (its chunk and cells), except those
 * that a game has edited, which are counted. */
ptl_status save_drop_maps(save_writing *w, const edit_row *row, ptl_error *err);
/* Places the special of the part (save_special.c). */
ptl_status save_write_special(save_writing *w, const save_special *special, ptl_error *err);

/* Adds a part without cells. False when memory is out. */
bool save_add_part(ptl_save *save, int64_t undoes, const save_special *special);
/* PTL_ERR_ARGUMENT if the OMT lies outside of all chunks or levels. */
ptl_status save_check_omt(ptl_omt at, ptl_error *err);
/* Returns the error that a chunk is not saved. */
ptl_status save_not_saved(const ptl_world *world, ptl_chunk_pos pos, ptl_error *err);

/* Returns the error that the file can only be read. */
ptl_status save_read_only(ptl_error *err);
/* PTL_ERR_ARGUMENT if the world can't be edited, whatever the file allows. */
ptl_status save_check_world(const ptl_world *world, ptl_error *err);
/* PTL_ERR_MISMATCH if the world has got another content since the save was begun, in which the
 * numbers of oters and specials that the save has mean others. */
ptl_status save_check_content(const ptl_save *save, ptl_error *err);

/* Writes the edits of the save, inside the caller's transaction, and counts them in the report.
 */
ptl_status save_edits_write(ptl_save *save, ptl_save_report *report, ptl_error *err);

/* PTL_ERR_LIMIT if the save holds `more` bytes beside what it has, and that is too much. */
ptl_status save_check_size(const ptl_save *save, size_t more, ptl_error *err);
