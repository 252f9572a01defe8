/* What a save holds in memory until it is committed, for the files that fill and store it. */
#pragma once

#include "model/catalogue.h"
#include "portolan/save.h"
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

/* What becomes one edit: cells (undoes is 0), or the edit `undoes` taken back. */
typedef struct save_part {
    int64_t undoes;
    size_t first, count; /* its cells in ptl_save.cells */
} save_part;

struct ptl_save {
    ptl_world *world;    /* borrowed */
    char *author, *text; /* owned */
    int64_t turn;
    save_part *parts; /* owned */
    size_t part_count, part_room;
    save_cell *cells; /* owned */
    size_t count, room;
    save_rows rows;
    int64_t seen; /* the revision at which the caller has read what the rows replace */
};

/* Make rows with the keys that callers give; they borrow the texts. */
saved_row saved_marks_row(const ptl_marks_key *key);
saved_row saved_fact_row(const ptl_fact_key *key);

/* PTL_ERR_LIMIT if the save holds `more` bytes beside what it has, and that is too much. */
ptl_status save_check_size(const ptl_save *save, size_t more, ptl_error *err);

/* Writes the rows of the save, inside the transaction that commits it, and counts them in the
 * report. */
ptl_status save_rows_write(ptl_save *save, ptl_save_report *report, ptl_error *err);
