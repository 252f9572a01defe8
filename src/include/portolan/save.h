/*
 * Saves: what a game changes in a world, stored together or not at all. A save can change the
 * oters of OMTs (*edits*). Edits lie over the chunks, which stay as they were generated: repair
 * and regeneration work on the chunks below and keep the edits. All calls that show a world
 * show it with its edits, unless the world was opened with `base`.
 * A save can also place *specials*, as generation does.
 * A save also keeps *notes* on OMTs, *marks* (which cells of a level a viewer has seen, for
 * example) and *facts* (any bytes of the game's, such as the state of a player) in the file,
 * and *local maps* that the game has changed.
 *
 *     ptl_save *save;
 *     ptl_save_begin(&save, world, &options, &err);
 *     ptl_save_cells_set(save, cells, 2, &err);
 *     ptl_save_commit(&report, save, &err);
 */
#ifndef PORTOLAN_SAVE_H
#define PORTOLAN_SAVE_H

#include "portolan/local.h"
#include "portolan/why.h"
#include "portolan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ptl_save ptl_save; /* a save that was begun; in memory until it is committed */

enum {
    PTL_SAVE_AUTHOR_SIZE = 100,   /* most bytes of an author's name */
    PTL_SAVE_TEXT_SIZE = 4000,    /* most bytes of the text of an edit */
    PTL_SAVE_CELLS_MAX = 2000000, /* most cells that a save can set */
    PTL_SAVE_SIZE_MAX = 64 << 20  /* most bytes of all that a save holds in memory */
};

typedef struct ptl_save_options {
    size_t size;
    const char *author; /* who made the edits, for example the name of a player; NULL is "" */
    const char *text;   /* a note on the edits; NULL is "" */
    int64_t turn;       /* the game's turn, at least 0 */
    /* The revision (ptl_save_revision_load) at which the game has read the notes, marks and
     * facts that the save replaces. 0: that of the moment of ptl_save_begin. */
    int64_t seen;
} ptl_save_options;

#define PTL_SAVE_OPTIONS_INIT PTL_SIZED(ptl_save_options)

/*
 * Begins a save. Nothing is written before ptl_save_commit, and other programs are not held up.
 * *out is the caller's: pass it to ptl_save_commit or ptl_save_abort, or to ptl_save_attach
 * before the world is closed. options may be NULL; the texts are copied, and are UTF-8 without
 * control characters. PTL_ERR_ARGUMENT: the world was opened with `base`, or options->seen is
 * greater than the world's revision.
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
 * the OMT lies outside of all chunks or levels. PTL_ERR_LIMIT: more than PTL_SAVE_CELLS_MAX
 * cells, or than PTL_SAVE_SIZE_MAX bytes. PTL_ERR_EXISTS: the world derives its local maps
 * (ptl_world_options.derive), which would change without being stored.
 */
PTL_API ptl_status ptl_save_cells_set(ptl_save *save, const ptl_save_cell *cells, size_t count,
                                      ptl_error *err);

enum { PTL_ROTATION_ANY = -1 }; /* the rotation that generation would choose */

/*
 * Places a special with its origin at an OMT of level 0, as generation does: on the world as it
 * is shown, by the tests of the origin that ptl_why_place_get describes, with its connections
 * drawn to the nearest OMT that they can be linked to, with the pieces of a mutable special
 * grown from the world's seed and the place, and with the specials that are nested in it. So a
 * special is placed with all of its OMTs in one chunk, and the same call gives the same. What
 * a rule of placement asks of a whole world (how often a special may be there) does not count.
 * Its monsters are not made. rotation is 0..3 (north, east, south, west) or PTL_ROTATION_ANY.
 *
 * It becomes one edit, and ptl_save_undo takes all of it away again. Local maps know the
 * special; ptl_edit_list tells it. The call looks at the world as it is stored;
 * ptl_save_commit looks again, with what the save has changed before.
 *
 * PTL_ERR_EXISTS: the special can't stand there; the message gives the reason, and so does
 * *why, which is also filled if the call succeeds: `passed` and the members about a wrong cell
 * are those of the rotation, and has_nearest those of the nearest origin at which the special
 * could stand. If `passed` is PTL_WHY_TESTS, a connection has no way, or no growth succeeded.
 * why may be NULL. PTL_ERR_NOT_FOUND: the content has no such special, or the chunk is not
 * saved. PTL_ERR_ARGUMENT: the place or the rotation is not possible, or the special has no
 * OMTs or is a building of cities, which only they place. PTL_ERR_MISMATCH: the chunk was made
 * with another content. Other errors are those of ptl_save_cells_set.
 */
PTL_API ptl_status ptl_save_special_add(ptl_why_place *why, ptl_save *save, const char *special,
                                        ptl_omt at, int32_t rotation, ptl_error *err);

/*
 * Takes an earlier edit back: its OMTs get the oters that they had before it. This is an edit,
 * too, and can be taken back as well. PTL_ERR_NOT_FOUND: there is no such edit.
 * PTL_ERR_EXISTS: it is undone already, or a later edit that is not undone lies over one of its
 * OMTs; the message gives the numbers of these edits. ptl_save_commit looks again.
 */
PTL_API ptl_status ptl_save_undo(ptl_save *save, int64_t number, ptl_error *err);

/* ---- local maps ---- */

/*
 * Adds a local map with its changes (portolan/local.h), which ptl_save_commit stores as
 * ptl_local_put does. The save keeps a copy. The map in memory counts as stored from this call
 * on, as edited and with the next revision, so the caller can go on changing it and give it to
 * the next save, even before this one is committed. If this save is never stored, get the map
 * again: others would be refused, since the file lacks the revision before. Of several states
 * of a map in one save the last one counts. A map whose OMT the save sets, too, stays as it
 * was given (ptl_save_report.maps_kept).
 *
 * After an error the save and the map's changes are as before, but the map shows no tide.
 * PTL_ERR_ARGUMENT: a map of another world. PTL_ERR_EXISTS: the save has the map already, got
 * at another time and with another revision. PTL_ERR_LIMIT: the map has more than 16 MiB of
 * texts, or the save more than PTL_SAVE_SIZE_MAX bytes.
 */
PTL_API ptl_status ptl_save_local_set(ptl_save *save, ptl_local_map *map, ptl_error *err);

/* ---- notes, marks and facts ---- */

/*
 * These three can lie where no chunk is saved. Each has a key and a value; of several values
 * for one key in a save the last one counts. Texts are UTF-8 without control characters, and
 * are copied. After an error the save is as before the call. Errors of all three calls:
 * PTL_ERR_ARGUMENT: a text is too long or not such a text, a number is out of its range, or the
 * place lies outside of all chunks or levels. PTL_ERR_LIMIT: the save holds more than
 * PTL_SAVE_SIZE_MAX bytes.
 */
enum {
    PTL_VIEWER_SIZE = 100,           /* most bytes of a viewer's name */
    PTL_NOTE_TEXT_SIZE = 4000,       /* most bytes of the text of a note */
    PTL_NOTE_LOOK_SIZE = 32,         /* most bytes of a note's symbol, and of its colour */
    PTL_NOTE_RADIUS_MAX = 10000,     /* greatest radius of a note, in OMTs */
    PTL_MARKS_BYTES = 180 * 180 / 8, /* bytes of the marks of a level of a chunk */
    PTL_MARKS_KINDS = 16,            /* number of kinds of marks */
    PTL_FACT_SPACE_SIZE = 100,       /* most bytes of a fact's namespace */
    PTL_FACT_NAME_SIZE = 255,        /* most bytes of a fact's name */
    PTL_FACT_VALUE_SIZE = 16 << 20   /* most bytes of a fact's value */
};

/* A note of a viewer on an OMT. The viewer and the place are its key. */
typedef struct ptl_note {
    size_t size;
    const char *viewer; /* whose note it is, such as the name of a player; NULL is "" */
    ptl_omt at;
    const char *text;            /* NULL or "": there is no note */
    const char *symbol, *colour; /* how the game shows the note; NULL is "" */
    int32_t radius;              /* how far it reaches, in OMTs: 0 is the OMT alone; at most
                                  * PTL_NOTE_RADIUS_MAX */
    bool dangerous;              /* the game's ways avoid the OMTs within the radius */
    int64_t revision; /* the revision that has written the note; ptl_save_note_set ignores it */
} ptl_note;

#define PTL_NOTE_INIT PTL_SIZED(ptl_note)

/* Writes a note, in place of the one that the viewer has there. Without a text it removes that
 * one. */
PTL_API ptl_status ptl_save_note_set(ptl_save *save, const ptl_note *note, ptl_error *err);

/* Kinds of marks that programs share; the other kinds, up to PTL_MARKS_KINDS - 1, are the
 * game's own. A cell that is known less well than PTL_MARKS_SEEN may have the mark of a lower
 * degree (ptl_seen in portolan/game_save.h); of several such marks the best one counts. */
enum {
    PTL_MARKS_SEEN = 0,
    PTL_MARKS_EXPLORED = 1,
    PTL_MARKS_VAGUE = 2,
    PTL_MARKS_OUTLINES = 3,
    PTL_MARKS_DETAILS = 4,
    PTL_MARKS_PATH = 5 /* the viewer has walked there */
};

/* What marks are of: a viewer, a kind, and a level of a chunk. This struct never gets more
 * members. */
typedef struct ptl_marks_key {
    const char *viewer; /* NULL is "" */
    int32_t kind;       /* 0 to PTL_MARKS_KINDS - 1 */
    ptl_chunk_pos chunk;
    int32_t z;
} ptl_marks_key;

/* How marks are written. */
typedef enum ptl_marks_mode {
    PTL_MARKS_ADD,    /* marks are added to those that there are */
    PTL_MARKS_REPLACE /* marks take the place of those that there are */
} ptl_marks_mode;

/* Writes marks: bit i % 8 of byte i / 8 is the mark of the cell i = y * 180 + x of the level.
 * Cells without any mark take no room. Added marks never conflict with other saves. */
PTL_API ptl_status ptl_save_marks_set(ptl_save *save, const ptl_marks_key *key,
                                      const uint8_t bits[PTL_MARKS_BYTES], ptl_marks_mode mode,
                                      ptl_error *err);

/* What a fact is about. */
typedef enum ptl_fact_scope {
    PTL_FACT_WORLD,
    PTL_FACT_CHUNK, /* ptl_fact_key.chunk */
    PTL_FACT_OMT,   /* ptl_fact_key.omt */
    PTL_FACT_VIEWER /* ptl_fact_key.viewer */
} ptl_fact_scope;

/* What names a fact. The last three members count only for the scope that is named like them.
 * This struct never gets more members. */
typedef struct ptl_fact_key {
    const char *space; /* a namespace, such as the name of a game or mod; not empty */
    const char *name;  /* not empty */
    ptl_fact_scope scope;
    ptl_chunk_pos chunk;
    ptl_omt omt;
    const char *viewer; /* NULL is "" */
} ptl_fact_key;

/* Writes a fact: `size` bytes, which are copied; size may be 0. If value is NULL the fact is
 * removed. */
PTL_API ptl_status ptl_save_fact_set(ptl_save *save, const ptl_fact_key *key, const void *value,
                                     size_t size, ptl_error *err);

/* Gets the world's revision: the number of the last save that changed notes, marks or facts.
 * A world without any has revision 1. */
PTL_API ptl_status ptl_save_revision_load(int64_t *out, ptl_world *world, ptl_error *err);

/* ---- storing a save ---- */

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
    int64_t revision;   /* the world's revision after the save */
    uint64_t notes, marks, facts; /* how many of them were written or removed */
    uint64_t specials; /* how many were placed, with those that are nested in others */
    uint64_t maps;     /* local maps of the save that were stored */
} ptl_save_report;

#define PTL_SAVE_REPORT_INIT PTL_SIZED(ptl_save_report)

/*
 * Stores all of the save durably, in one transaction, and frees the save. After an error
 * nothing is stored, and the save is as before, so that the caller can commit it again or abort
 * it. report may be NULL. Nothing is written if nothing would change. A ptl_cache of this world
 * shows the edits from its next call on. Errors: those of ptl_save_cells_set and ptl_save_undo,
 * if another program has changed the file meanwhile; PTL_ERR_BUSY. PTL_ERR_READONLY: the store
 * was opened for reading. PTL_ERR_EXISTS: a note, a fact, or marks that the save replaces were
 * changed by another save, whose revision is greater than ptl_save_options.seen, or a local map
 * was stored by somebody else; the message names the first of them. PTL_ERR_MISMATCH and
 * PTL_ERR_CONTENT: as for ptl_local_get, for a chunk or map that local maps of the save need.
 * PTL_ERR_MISMATCH also: the world has moved to another content (ptl_regenerate) since a save
 * was begun that has edits; only ptl_save_abort is left.
 */
PTL_API ptl_status ptl_save_commit(ptl_save_report *report, ptl_save *save, ptl_error *err);
/* Frees the save, of which nothing is stored. It accepts NULL. */
PTL_API void ptl_save_abort(ptl_save *save);

/*
 * Gives a save to another thread, so that a game never waits for a disk. `world` is the world
 * of the save, opened by that thread through a store of its own on the same file. From the call
 * on the save belongs to this world, and the thread can commit it. This call does not touch the
 * world with which the save was begun; that may be in use, or closed. Nobody may use the save
 * while it is handed over. Saves that one struct gets in this way count as one writer's: a
 * later one has seen what the earlier ones have stored (ptl_save_options.seen), as long as
 * nobody else writes notes, marks or facts of the world in between. Attach and commit them in
 * the order in which they were begun.
 *
 * In rollback mode both stores can be opened with PTL_WRITERS_SHARED. In WAL mode one store
 * writes: open the other one with PTL_OPEN_READ. Saves can be begun and filled there, but
 * chunks that are missing, and new local maps, are stored by the thread that writes alone.
 * PTL_ERR_ARGUMENT: another world, the same world with other content, or one that was opened
 * with `base`. The save stays as it was then.
 */
PTL_API ptl_status ptl_save_attach(ptl_save *save, ptl_world *world, ptl_error *err);

/* ---- taking back all of an area ---- */

typedef struct ptl_edit_reset_options {
    size_t size;
    int64_t rect[4]; /* {x0, y0, x1, y1}: absolute OMTs, both ends included, all levels */
    const char *author, *text; /* kept with the edit, as in ptl_save_options; NULL is "" */
    int64_t turn;
    bool dry_run;     /* true: nothing is written, and the store may be open for reading only */
    bool reserved[7]; /* must be false */
} ptl_edit_reset_options;

#define PTL_EDIT_RESET_OPTIONS_INIT PTL_SIZED(ptl_edit_reset_options)

typedef struct ptl_edit_reset_report {
    size_t size;
    int64_t number; /* of the edit that was stored; 0: there was nothing to store, or dry_run */
    uint64_t edits; /* number of edits in force that change an OMT of the rectangle */
    uint64_t chunks, cells;     /* number of chunks and OMTs that were shown otherwise than they
                                 * were generated */
    uint64_t maps, maps_edited; /* stored local maps of the rectangle: those that no game has
                                 * edited, and those that one has */
} ptl_edit_reset_report;

#define PTL_EDIT_RESET_REPORT_INIT PTL_SIZED(ptl_edit_reset_report)

/*
 * Makes a rectangle as it was generated: one new edit gives its OMTs their generated oters, and
 * all stored local maps of the rectangle are removed, those too that a game has edited; they
 * are made anew when they are asked for. Local maps around are treated as by ptl_save_commit.
 * Edits that reach out of the rectangle stay in force there. As after any later edit over their
 * OMTs, they can be taken back only when the new edit was (ptl_save_undo), which brings back
 * what the rectangle showed, but no local maps. All of it is stored in one transaction, or
 * nothing. report may be NULL; with `dry_run` it says what would be done. Notes, marks and
 * facts stay. PTL_ERR_EXISTS, also with `dry_run`: an OMT of the rectangle belongs to a special
 * that a game has placed and not taken away; the message gives its edit. PTL_ERR_ARGUMENT: the
 * rectangle is empty, or the world was opened with `base`. Other errors are those of
 * ptl_save_cells_set and ptl_save_commit.
 */
PTL_API ptl_status ptl_edit_reset(ptl_edit_reset_report *report, ptl_world *world,
                                  const ptl_edit_reset_options *options, ptl_error *err);

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
    const char *special;    /* id of the special that it has placed; "": it has placed none. The
                             * edit that takes it back has none, either */
    ptl_omt origin;         /* of that special */
    int32_t rotation;       /* of that special: 0..3 = north, east, south, west */
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

/* ---- reading notes, marks and facts ---- */

/*
 * Lists notes in the order of viewer, x, y and z, as they are at one moment: those of a viewer
 * (NULL: of all), and, if rect is not NULL, those in the rectangle {x0, y0, x1, y1} (absolute
 * OMTs, both ends included) on any level. The texts are borrowed until on_note returns.
 * Returning false stops with PTL_ERR_CANCELLED. PTL_ERR_ARGUMENT: the rectangle is empty.
 */
PTL_API ptl_status ptl_note_list(ptl_world *world, const char *viewer, const int64_t rect[4],
                                 bool (*on_note)(void *payload, const ptl_note *note),
                                 void *payload, ptl_error *err);

/* Reads marks, with bits as in ptl_save_marks_set; all are 0 if nothing is marked there. */
PTL_API ptl_status ptl_marks_load(uint8_t out[PTL_MARKS_BYTES], ptl_world *world,
                                  const ptl_marks_key *key, ptl_error *err);

/*
 * Gives all marks of a viewer (NULL: of all), in the order of viewer, kind, chunk (x, then y)
 * and level. Key and bits are borrowed until on_marks returns, which must not use the store.
 * Returning false stops with PTL_ERR_CANCELLED.
 */
PTL_API ptl_status ptl_marks_each(ptl_world *world, const char *viewer,
                                  bool (*on_marks)(void *payload, const ptl_marks_key *key,
                                                   const uint8_t bits[PTL_MARKS_BYTES]),
                                  void *payload, ptl_error *err);

/* The value of a fact. This struct never gets more members. */
typedef struct ptl_fact_value {
    void *data; /* owned; behind the value stands a byte 0 */
    size_t size;
} ptl_fact_value;

/* Reads the value of a fact. The caller frees it with ptl_fact_value_dispose, also after an
 * error. PTL_ERR_NOT_FOUND: there is no such fact. */
PTL_API ptl_status ptl_fact_value_load(ptl_fact_value *out, ptl_world *world,
                                       const ptl_fact_key *key, ptl_error *err);
PTL_API void ptl_fact_value_dispose(ptl_fact_value *value);

/*
 * Gives all facts of a namespace (NULL: of all), in the order of namespace, scope, viewer,
 * place and name. Key and value are borrowed until on_fact returns, which must not use the
 * store. Returning false stops with PTL_ERR_CANCELLED.
 */
PTL_API ptl_status ptl_fact_each(ptl_world *world, const char *space,
                                 bool (*on_fact)(void *payload, const ptl_fact_key *key,
                                                 const void *value, size_t size),
                                 void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
