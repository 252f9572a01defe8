/*
 * Saves: what a game changes in a world, stored together or not at all. A save can change the
 * oters of OMTs (*edits*). Edits lie over the chunks, which stay as they were generated: repair
 * and regeneration work on the chunks below and keep the edits. All calls that show a world
 * show it with its edits, unless the world was opened with `base`.
 *
 *     ptl_save *save;
 *     ptl_save_begin(&save, world, &options, &err);
 *     ptl_save_cells_set(save, cells, 2, &err);
 *     ptl_save_commit(&report, save, &err);
 */
#ifndef PORTOLAN_SAVE_H
#define PORTOLAN_SAVE_H

#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_save ptl_save; /* a save that was begun; in memory until it is committed */

enum {
    PTL_SAVE_AUTHOR_SIZE = 100,  /* most bytes of an author's name */
    PTL_SAVE_TEXT_SIZE = 4000,   /* most bytes of the text of an edit */
    PTL_SAVE_CELLS_MAX = 2000000 /* most cells that a save can set */
};

typedef struct ptl_save_options {
    size_t size;
    const char *author; /* who made the edits, for example the name of a player; NULL is "" */
    const char *text;   /* a note on the edits; NULL is "" */
    int64_t turn;       /* the game's turn, at least 0 */
} ptl_save_options;

#define PTL_SAVE_OPTIONS_INIT PTL_SIZED(ptl_save_options)

/*
 * Begins a save. Nothing is written before ptl_save_commit, and other programs are not held up.
 * *out is the caller's: pass it to ptl_save_commit or ptl_save_abort before the world is
 * closed. options may be NULL; the texts are copied, and are UTF-8 without control characters.
 * PTL_ERR_READONLY: the store was opened for reading. PTL_ERR_ARGUMENT: the world was opened
 * with `base`. PTL_ERR_EXISTS: the world derives its local maps (ptl_world_options.derive).
 */
PTL_API ptl_status ptl_save_begin(ptl_save **out, ptl_world *world,
                                  const ptl_save_options *options, ptl_error *err);

/* An OMT and the id of the oter that it shall have, such as "house_north". This struct never
 * gets more members. */
typedef struct ptl_save_cell {
    ptl_omt at;
    const char *oter;
} ptl_save_cell;

/*
 * Sets the oters of `count` OMTs. Of several cells for one OMT the last one counts. The cells
 * of neighbouring calls become one edit. After an error the save is as before the call.
 * PTL_ERR_NOT_FOUND: the world's content has no such oter (the message names one that is
 * spelt nearly so), or the OMT's chunk is not saved (ptl_chunk_get makes it). PTL_ERR_ARGUMENT:
 * the OMT lies outside of all chunks or levels. PTL_ERR_LIMIT: more than PTL_SAVE_CELLS_MAX.
 */
PTL_API ptl_status ptl_save_cells_set(ptl_save *save, const ptl_save_cell *cells, size_t count,
                                      ptl_error *err);

/*
 * Takes an earlier edit back: its OMTs get the oters that they had before it. This is an edit,
 * too, and can be taken back as well. PTL_ERR_NOT_FOUND: there is no such edit.
 * PTL_ERR_EXISTS: it is undone already, or a later edit that is not undone lies over one of its
 * OMTs; the message gives the numbers of these edits. ptl_save_commit looks again.
 */
PTL_API ptl_status ptl_save_undo(ptl_save *save, int64_t number, ptl_error *err);

typedef struct ptl_save_report {
    size_t size;
    int64_t first, last; /* numbers of the edits that were stored; 0 if there was nothing to
                          * store. Edits are numbered in each world, from 1 */
    uint64_t chunks;     /* number of chunks that the edits change, counted for each edit */
    uint64_t cells;      /* number of OMTs that were changed */
    uint64_t unchanged;  /* OMTs that have the wanted oter already, and were left out */
    /* Stored local maps that depend on an edited OMT and that no game has edited; they were
     * removed, and are made anew when they are asked for. */
    uint64_t maps_dropped;
    uint64_t maps_kept; /* local maps of edited OMTs that a game has edited; they stayed */
} ptl_save_report;

#define PTL_SAVE_REPORT_INIT PTL_SIZED(ptl_save_report)

/*
 * Stores all of the save durably, in one transaction, and frees the save. After an error
 * nothing is stored, and the save is as before, so that the caller can commit it again or abort
 * it. report may be NULL. Nothing is written if nothing would change. A ptl_cache of this world
 * shows the edits from its next call on. Errors: those of ptl_save_cells_set and ptl_save_undo,
 * if another program has changed the file meanwhile; PTL_ERR_BUSY.
 */
PTL_API ptl_status ptl_save_commit(ptl_save_report *report, ptl_save *save, ptl_error *err);
/* Frees the save, of which nothing is stored. It accepts NULL. */
PTL_API void ptl_save_abort(ptl_save *save);

/* ---- what is edited ---- */

/* An edit. Its texts are borrowed until the callback returns. */
typedef struct ptl_edit {
    size_t size;
    int64_t number;
    const char *author, *text;
    int64_t turn;
    int64_t undoes;    /* number of the edit that this one took back; 0: none */
    int64_t undone_by; /* number of the edit that took this one back and is in force; 0: this
                        * edit is in force */
    uint64_t chunks, cells; /* how many chunks and OMTs of the rectangle it changes */
} ptl_edit;

#define PTL_EDIT_INIT PTL_SIZED(ptl_edit)

/*
 * Lists edits in the order of their numbers, as they are at one moment: all, or, if rect is not
 * NULL, those that change an OMT of the rectangle {x0, y0, x1, y1} (absolute OMTs, both ends
 * included) on any level. Returning false stops with PTL_ERR_CANCELLED. It works for worlds
 * opened with `base`, too. PTL_ERR_ARGUMENT: the rectangle is empty.
 */
PTL_API ptl_status ptl_edit_list(ptl_world *world, const int64_t rect[4],
                                 bool (*on_edit)(void *payload, const ptl_edit *edit),
                                 void *payload, ptl_error *err);

/*
 * Lists the OMTs of an edit, with the ids of the oters that were shown before and after it,
 * borrowed until on_cell returns. Returning false stops with PTL_ERR_CANCELLED.
 * PTL_ERR_NOT_FOUND: there is no edit of this number.
 */
PTL_API ptl_status ptl_edit_cell_list(ptl_world *world, int64_t number,
                                      bool (*on_cell)(void *payload, ptl_omt at,
                                                      const char *before, const char *after),
                                      void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
