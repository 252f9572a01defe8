/*
 * `portolan export --into SAVE`: a world's overmaps put into the folder of a game's save, and
 * taken out again.
 *
 * What they replace (`maps`, the overmaps o.X.Y, and what the characters have seen of them) is
 * moved into a new folder SAVE/portolan-replaced-N, whose manifest.json is the journal: it is
 * written before the first file is moved, and says by name, size and digest what is moved and
 * what is written. The overmaps are made in that folder, and all that happens to SAVE is
 * renames: so whatever is interrupted can be taken back, by the next call of either kind.
 *
 *     state        SAVE                                        taken back by
 *     preparing    as it was                                   removing what was made
 *     planned      some files moved, some overmaps placed      moving each where it came from
 *     complete     ours                                        the same, if nothing has changed
 *     undoing      like planned                                the same
 *     undone       as it was                                   removing what was made
 */
#ifndef EXCHANGE_INTO_H
#define EXCHANGE_INTO_H

#include "core/stop.h"
#include "exchange/fit.h"
#include "portolan/exchange.h"

enum { INTO_NAME_SIZE = 40 };

typedef struct save_into_options {
    const char *save;                 /* SAVE */
    ptl_export_save_options exported; /* which chunks, progress; its directory is not used */
    /* Although a game seems to run, to save just now, or to lack ids of the world. */
    bool force;
} save_into_options;

typedef struct save_into_report {
    ptl_export_save_report exported;
    char folder[INTO_NAME_SIZE]; /* portolan-replaced-N */
    char
        recovered[INTO_NAME_SIZE]; /* of an interrupted call that was taken back first; or "" */
    uint64_t overmaps, seen, maps; /* files moved; maps: those below `maps` */
    uint64_t bytes;                /* of all of these */
    uint64_t met;                  /* overmaps that were there and have a successor */
    uint64_t unseen;               /* processes that could not be looked into */
    save_fit fit;                  /* dispose it, also after an error */
} save_into_report;

/*
 * PTL_ERR_ARGUMENT: SAVE is no save of DDA 0.F, or holds what no game makes (links, pipes).
 * PTL_ERR_BUSY: the game runs, or another Portolan is at work there. PTL_ERR_MISMATCH: ids that
 * the game lacks (report->fit has them). PTL_ERR_EXISTS, PTL_ERR_CORRUPT: an interrupted call
 * can't be taken back, as something has changed since. After any error SAVE is as it was, or
 * the message says how to get there.
 */
ptl_status save_into(ptl_world *world, const save_into_options *options,
                     save_into_report *report, ptl_error *err);

typedef struct save_undo_report {
    char folder[INTO_NAME_SIZE]; /* what was undone */
    bool interrupted;            /* it had not been completed, or its undoing had begun */
    uint64_t removed;            /* overmaps of ours */
    uint64_t restored;           /* files */
    uint64_t left;               /* earlier folders of the kind that are still there */
    uint64_t unseen;
} save_undo_report;

typedef struct save_undo_options {
    const char *save;
    bool force;     /* although a game seems to run, or to save just now */
    stop_hook stop; /* asked until files are moved */
} save_undo_options;

/* Puts everything back as it was before the last save_into, or changes nothing: PTL_ERR_EXISTS
 * and PTL_ERR_CORRUPT name what has changed since. PTL_ERR_NOT_FOUND: there is nothing to undo.
 * The message says if some files are moved already: then the next call goes on. */
ptl_status save_undo(const save_undo_options *options, save_undo_report *report,
                     ptl_error *err);

#endif
