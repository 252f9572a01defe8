/*
 * Exchanges overmaps with the games' own saves. Cataclysm: Dark Days Ahead 0.F (save version
 * 33) keeps each overmap in a file `o.X.Y`. Such a file has a line "# version N" and one JSON
 * object with `layers` (21 lists of runs [terrain id, count], from z = -10 upwards, x changing
 * fastest), `region_id`, `monster_groups`, `cities`, `connections_out`, `radios` and
 * `overmap_special_placements`. What belongs to a running game (monsters, people, vehicles,
 * scents, camps) is not read, and is written empty.
 *
 * Save version 36 is that of Cataclysm: Dark Days Ahead 0.I. Its files lie in the folder
 * `overmaps` inside the save's folder, mostly compressed (`o.X.Y.zzip`, with the dictionary
 * `overmaps.dict` beside that folder), and its cities have their place in `pos`. Portolan
 * reads this version, and writes it into saves that have it already.
 */
#ifndef PORTOLAN_GAME_SAVE_H
#define PORTOLAN_GAME_SAVE_H

#include "portolan/catalogue.h"
#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- does a world fit a save? ---- */

/*
 * Which terrains, specials and regions of some overmaps a game may lack. This can only be
 * estimated, since a save lists its mods but not what they define. So an id is expected in the
 * game if the save lists the pack of the world's content that defines it. The first pack,
 * unless it is Portolan's, is taken for the game's own core content. If it is a folder "core",
 * the folders "json" and "names" beside it are taken for core content, too. A ptl_game_save_fit
 * never changes. Its texts are UTF-8 and valid until it is freed.
 */
typedef struct ptl_game_save_fit ptl_game_save_fit;

PTL_API void ptl_game_save_fit_free(ptl_game_save_fit *fit); /* freeing NULL does nothing */

typedef struct ptl_game_save_fit_info {
    size_t size;
    uint64_t terrains, specials; /* how many different terrains and specials of the content the
                                  * overmaps have */
    size_t pack_count;           /* number of packs of the content */
    size_t lacking_count;        /* number of ids in the overmaps that the save's game and mods
                                  * do not define */
    int64_t mod_count;           /* number of mods that the save lists; -1 if no save was
                                  * looked at */
} ptl_game_save_fit_info;

#define PTL_GAME_SAVE_FIT_INFO_INIT PTL_SIZED(ptl_game_save_fit_info)

/* Gives the counts of a ptl_game_save_fit. PTL_ERR_ARGUMENT if out->size was not set; there is
 * no other error. */
PTL_API ptl_status ptl_game_save_fit_describe(ptl_game_save_fit_info *out,
                                              const ptl_game_save_fit *fit);

/* Returns the id of a mod that the save lists. Mods are numbered from 0 in the save's order;
 * NULL if no mod has that number. */
PTL_API const char *ptl_game_save_fit_mod(const ptl_game_save_fit *fit, size_t number);

/* A pack of the world's content, in the content's order. */
typedef struct ptl_game_save_pack {
    size_t size;
    bool own;         /* true: this is Portolan's own pack */
    bool listed;      /* true: the save lists the pack; false if it does not, or if no save was
                       * looked at */
    const char *id;   /* id of the pack: that of the mod, or the name of the folder if it is no
                       * mod */
    uint64_t lacked;  /* number of ids in the overmaps that this pack defines and that the game
                         may lack */
    bool game;        /* true: the pack is taken for the core content of the game itself */
    bool reserved[7]; /* must be false */
} ptl_game_save_pack;

/* An id that occurs in the overmaps and that the game may lack. */
typedef struct ptl_game_save_id {
    size_t size;
    ptl_content_kind kind; /* a terrain, a special or building, or a region */
    const char *id;
    size_t pack; /* number of the pack that defines the id */
} ptl_game_save_id;

#define PTL_GAME_SAVE_PACK_INIT PTL_SIZED(ptl_game_save_pack)
#define PTL_GAME_SAVE_ID_INIT   PTL_SIZED(ptl_game_save_id)

/* Give a pack, or an id that the game may lack, by its number from 0. Lacking ids are sorted
 * by pack; within a pack regions come first, then specials, then terrains, each sorted by id.
 * PTL_ERR_NOT_FOUND if nothing has that number: then all of *out is 0, and ids are "". */
PTL_API ptl_status ptl_game_save_fit_pack(ptl_game_save_pack *out, const ptl_game_save_fit *fit,
                                          size_t number);
PTL_API ptl_status ptl_game_save_fit_lacking(ptl_game_save_id *out,
                                             const ptl_game_save_fit *fit, size_t number);

/* ---- overmaps as files ---- */

typedef struct ptl_game_save_write_options {
    size_t size;
    const char *directory; /* directory for the files; it is made if it is missing, but its
                            * parent must exist */
    bool has_rect;         /* true: write only the chunks x0..x1, y0..y1 (both ends included);
                            * false: all saved chunks */
    int32_t x0, y0, x1, y1;
    bool force; /* true: write even if the directory holds overmaps; its overmaps that are not
                 * written again stay */
    /* Called after each file. Returning false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* NULL, or the address of a pointer that must be NULL before the call. The call sets the
     * pointer to a new ptl_game_save_fit, which says what the overmaps have that a game may
     * lack. It is the caller's: free it with ptl_game_save_fit_free, also after an error. After
     * an error the pointer may still be NULL; otherwise the ptl_game_save_fit holds what was
     * found until then. */
    ptl_game_save_fit **fit;
    /* The save version whose form the files have: 29 (Bright Nights), 33 (DDA 0.F) or 36 (DDA
     * 0.I); 0: 33. */
    int32_t version;
    int32_t reserved; /* must be 0 */
} ptl_game_save_write_options;

#define PTL_GAME_SAVE_WRITE_OPTIONS_INIT PTL_SIZED(ptl_game_save_write_options)

typedef struct ptl_game_save_write_report {
    size_t size;
    uint64_t chunks, cities, radios, placements;
    uint64_t placements_left_out; /* number of placed specials that were left out, because the
                                   * file no longer has the content that they were made with */
    uint64_t groups;              /* number of monster groups that were written; one that is
                                   * spread over its radius becomes several */
    uint64_t bytes;
    double seconds;
} ptl_game_save_write_report;

#define PTL_GAME_SAVE_WRITE_REPORT_INIT PTL_SIZED(ptl_game_save_write_report)

/*
 * Writes the saved chunks of a world as files of a game's save. Each file is written under
 * another name and then renamed, so that no file is ever incomplete. Monster groups are spread
 * over their radius, in the same way each time. report may be NULL. PTL_ERR_EXISTS: the
 * directory holds overmaps already, and force is false. PTL_ERR_NOT_FOUND: none of the chunks
 * to write is saved. PTL_ERR_ARGUMENT: Portolan does not write that version.
 */
PTL_API ptl_status ptl_game_save_write(ptl_game_save_write_report *report, ptl_world *world,
                                       const ptl_game_save_write_options *options,
                                       ptl_error *err);

/* ---- overmaps in a game's save ---- */

/*
 * ptl_game_save_put puts a world's overmaps into SAVE, the folder of a saved world of
 * Cataclysm: DDA 0.F or 0.I or of Bright Nights, in the version and form of that save.
 * ptl_game_save_undo removes them from SAVE and puts back what they replaced. What the new
 * overmaps replace is moved into a new folder SAVE/portolan-replaced-N: the folder `maps`, the
 * overmaps (`o.X.Y`, for 0.I the folder `overmaps`), and what the characters have seen of them.
 * A save of Bright Nights may have databases in place of these files; then the databases are
 * moved. A journal in the new folder lists what is moved and written. If a call of
 * ptl_game_save_put or ptl_game_save_undo is interrupted, the next call of either of them
 * undoes what it has changed.
 */

/* Sizes in bytes, with the terminating 0: of the name "portolan-replaced-N" of a folder, and of
 * the text that names a running game (ptl_game_save_put_report.game). */
enum { PTL_GAME_SAVE_FOLDER_SIZE = 40 };
enum { PTL_GAME_SAVE_GAME_SIZE = 128 };

typedef struct ptl_game_save_put_options {
    size_t size;
    const char *save; /* path of the folder SAVE */
    bool has_rect;    /* true: put only the chunks x0..x1, y0..y1 (both ends included); false:
                       * all saved chunks */
    /* True: go on even if a game seems to be running, seems to be saving at this moment, or
     * seems to lack ids of the world. */
    bool force;
    int32_t x0, y0, x1, y1;
    /* Called after each overmap is made. Returning false stops with PTL_ERR_CANCELLED and
     * leaves SAVE unchanged. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_game_save_fit **fit; /* what the game may lack, as in ptl_game_save_write_options */
    /* What this viewer has seen of the chunks, and the viewer's notes there, are put into SAVE
     * for a character; NULL: no character has seen anything. */
    const char *viewer;
    const char *character; /* the character: its name, or what names its files; NULL: the one
                            * called like the viewer, or else the only one */
} ptl_game_save_put_options;

#define PTL_GAME_SAVE_PUT_OPTIONS_INIT PTL_SIZED(ptl_game_save_put_options)

typedef struct ptl_game_save_put_report {
    size_t size;
    uint64_t chunks, bytes; /* number of chunks that were put into SAVE, and size of
                             * their files in bytes */
    double seconds;         /* seconds that making the overmaps took */
    char folder[PTL_GAME_SAVE_FOLDER_SIZE]; /* name of the new folder, "portolan-replaced-N"; ""
                                             * if it was not made */
    /* Name of the folder of an earlier, interrupted call whose changes this call has undone
     * first; "" if there was none. */
    char recovered[PTL_GAME_SAVE_FOLDER_SIZE];
    /* Files that were moved, alone or in databases: overmaps, what characters have seen of
     * them, and files below `maps`. */
    uint64_t moved_overmaps, moved_seen, moved_maps;
    uint64_t moved_bytes; /* size of all moved files together, in bytes */
    uint64_t met;         /* overmaps that SAVE had at the place of a new overmap, and that were
                             replaced by it */
    uint64_t unseen; /* processes whose open files could not be read; UINT64_MAX: no process
                      * could be examined */
    uint64_t games;  /* number of games that are running and have no file of SAVE open. It is
                      * not known whether one of these games has loaded SAVE */
    char game[PTL_GAME_SAVE_GAME_SIZE]; /* process number and name of one of the games that
                                      `games` counts */
    uint64_t moved_memory; /* number of moved files that hold what characters remember
                            * of local maps */
    uint64_t seen, notes;  /* number of overmaps of which the viewer has seen something, and
                            * number of notes, that were put into SAVE */
} ptl_game_save_put_report;

#define PTL_GAME_SAVE_PUT_REPORT_INIT PTL_SIZED(ptl_game_save_put_report)

/*
 * Puts the saved chunks of a world into SAVE. report may be NULL; it is filled after an error,
 * too. After any error SAVE is unchanged, or the message says how to restore its earlier
 * state.
 *
 * PTL_ERR_ARGUMENT: SAVE is not a save of a version that Portolan writes, or holds things that
 * no game makes (links, pipes). PTL_ERR_BUSY: a process has a file of SAVE open, SAVE was saved
 * a moment ago, or another Portolan is working there; also if `force` is true: a database of
 * SAVE is in use or has a journal. PTL_ERR_FORMAT, PTL_ERR_CORRUPT: a database is not one of
 * the game's, or is damaged. PTL_ERR_MISMATCH: the game may lack ids of the
 * world (options->fit tells which ids). PTL_ERR_NOT_FOUND: none of the chunks to put is saved;
 * the viewer has no marks and notes there, or SAVE no such character. PTL_ERR_EXISTS,
 * PTL_ERR_CORRUPT: the changes of an interrupted call can't be undone, since something else in
 * SAVE has changed after that call.
 */
PTL_API ptl_status ptl_game_save_put(ptl_game_save_put_report *report, ptl_world *world,
                                     const ptl_game_save_put_options *options, ptl_error *err);

typedef struct ptl_game_save_undo_options {
    size_t size;
    const char *save; /* path of the folder SAVE */
    /* Returning true stops the call, as should_stop of ptl_open_options does, but it is only
     * called until the first file is moved. May be NULL. */
    bool (*should_stop)(void *payload);
    void *payload;
    bool force;       /* true: go on even if a game seems to be running or saving */
    bool reserved[7]; /* must be false */
} ptl_game_save_undo_options;

#define PTL_GAME_SAVE_UNDO_OPTIONS_INIT PTL_SIZED(ptl_game_save_undo_options)

typedef struct ptl_game_save_undo_report {
    size_t size;
    bool interrupted; /* true: the ptl_game_save_put that was undone had not finished, or an
                       * earlier call had begun to undo it */
    char folder[PTL_GAME_SAVE_FOLDER_SIZE]; /* name of the folder whose contents were moved back
                                             */
    /* Number of overmaps that Portolan had put into SAVE, and that were removed. */
    uint64_t removed;
    uint64_t restored; /* files that were moved back */
    uint64_t left;     /* earlier folders portolan-replaced-N that are still there */
    /* The members unseen, games and game mean the same as in ptl_game_save_put_report. */
    uint64_t unseen, games;
    char game[PTL_GAME_SAVE_GAME_SIZE];
} ptl_game_save_undo_report;

#define PTL_GAME_SAVE_UNDO_REPORT_INIT PTL_SIZED(ptl_game_save_undo_report)

/*
 * Puts everything back as it was before the last ptl_game_save_put, or changes nothing. report
 * may be NULL; it is filled after an error, too. PTL_ERR_EXISTS, PTL_ERR_CORRUPT: something in
 * SAVE has changed after that ptl_game_save_put; the message names it. PTL_ERR_NOT_FOUND: there
 * is nothing to undo. PTL_ERR_BUSY as for ptl_game_save_put. If an error comes when some files
 * have been moved already, the message says so, and the next call continues from there.
 */
PTL_API ptl_status ptl_game_save_undo(ptl_game_save_undo_report *report,
                                      const ptl_game_save_undo_options *options,
                                      ptl_error *err);

/* ---- overmaps from a save ---- */

/* Kinds of things in a save that the world's content does not have, or Portolan does not know.
 */
typedef enum ptl_game_save_unknown {
    PTL_UNKNOWN_TERRAIN,
    PTL_UNKNOWN_SPECIAL,
    PTL_UNKNOWN_REGION, /* a region (region_id of an overmap in the save) that the content
                           lacks; the overmap gets the world's region instead */
    PTL_UNKNOWN_MEMBER  /* a member of an overmap's JSON that Portolan does not know; count is
                         * how many entries it has */
} ptl_game_save_unknown;

typedef struct ptl_game_save_lack {
    size_t size;
    const char *id;    /* id that the content lacks; id and place are borrowed until the
                        * callback returns */
    const char *place; /* "FILE:LINE:COLUMN" of the id's first occurrence in the file */
    uint64_t count;    /* how many OMTs have the id; 1 for the id of a region. For a terrain
                        * that stood on OMTs earlier: how often the file names it */
    ptl_game_save_unknown kind;
    int32_t reserved; /* must be 0 */
} ptl_game_save_lack;

#define PTL_GAME_SAVE_LACK_INIT PTL_SIZED(ptl_game_save_lack)

typedef struct ptl_game_save_import_options {
    size_t size;
    const char *directory;
    /* True: replace terrains that the content does not know by the default terrain of their
     * level. If false, such a terrain is an error. */
    bool lenient;
    /* True: remove generated chunks beside the imported ones, since their borders would not
     * fit; they are made anew when they are requested. If false, such a chunk is an error. */
    bool force;
    /* Called after each file. Returning false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Called once in each file for each id of a terrain (if `lenient`), special or region that
     * is left out because the content lacks it. omts is how many OMTs have the id. May be
     * NULL. */
    void (*on_unknown)(void *payload, ptl_game_save_unknown kind, const char *id,
                       uint64_t omts);
    /* Called for the same ids as on_unknown, right before or after it. It also says at which
     * place of the file the id occurs first. May be NULL. */
    void (*on_lack)(void *payload, const ptl_game_save_lack *lack);
    const char *viewer;    /* the viewer that gets the marks and notes of the only character, or
                            * of `character`; NULL: each character's own name */
    const char *character; /* only what this character has seen is read: its name, or what names
                            * its files; NULL: what all have seen */
    bool only_seen;        /* true: no overmaps are read, only what characters have seen */
    bool reserved[7];      /* must be false */
} ptl_game_save_import_options;

#define PTL_GAME_SAVE_IMPORT_OPTIONS_INIT PTL_SIZED(ptl_game_save_import_options)

typedef struct ptl_game_save_import_report {
    size_t size;
    uint64_t chunks, edges, cities, radios, placements, groups;
    uint64_t removed;          /* generated chunks that were removed (only if options->force is
                                * true) */
    uint64_t unknown_terrains; /* OMTs with a terrain that the content lacks (only if
                                * options->lenient is true) */
    uint64_t points_left_out;  /* OMTs that the save gives to a special, but that could not be
                                * assigned to a single placement of it */
    uint64_t groups_left_out;  /* number of monster groups that were left out, because they lie
                                * outside of all overmaps of the save */
    uint64_t members_left_out; /* how many monsters, people, vehicles, camps and scents of the
                                * save were not imported */
    double seconds;
    /* How many entries of the save were not imported, because Portolan does not keep what newer
     * save versions add: OMTs of cities, courses of rivers, arguments of local maps, joins of
     * mutable specials, earlier terrains. */
    uint64_t details_left_out;
    /* What the content's migrations changed: OMTs whose terrain got another id, OMTs of
     * specials that got another id, and OMTs of specials that were dropped (the OMTs
     * themselves stay). */
    uint64_t migrated_terrains, migrated_points, specials_gone;
    uint64_t groups_moved; /* number of monster groups that the save lists at one overmap
                            * although they lie in another one; they were moved to that one */
    uint64_t viewers;      /* number of viewers who got marks and notes */
    uint64_t seen;         /* number of files of what characters have seen of an overmap */
    uint64_t notes;        /* number of the characters' notes */
    /* Notes that were left out: without a text, with one longer than PTL_NOTE_TEXT_SIZE or with
     * control characters, or on an OMT that has another note. */
    uint64_t notes_left_out;
    uint64_t extras_left_out; /* how many map extras the characters know, which is not kept */
} ptl_game_save_import_report;

#define PTL_GAME_SAVE_IMPORT_REPORT_INIT PTL_SIZED(ptl_game_save_import_report)

/*
 * Reads all files o.X.Y and o.X.Y.zzip of a directory, of `overmaps` below it, or of the
 * database map.sqlite3 in it, into the world as chunks that Portolan did not make. It reads
 * OMTs, cities, radios and monster groups; and those buildings and specials whose OMTs can be
 * told apart from the OMTs of others. The chunks get edges of origin 'foreign', which say what
 * crosses their borders, so that generation goes on from there; a river is found even where a
 * bridge along the border hides it.
 *
 * It also reads what the characters have seen of overmaps (ptl_seen_list), as marks and notes
 * of viewers: PTL_MARKS_SEEN and the marks of lower degrees, PTL_MARKS_EXPLORED, of Bright
 * Nights PTL_MARKS_PATH, and notes. In an overmap of which a character has a file, they replace
 * the viewer's marks of these kinds and all notes. The symbol and the colour in front of a
 * note's text ("N:red;nest") become those of the note.
 *
 * After any error nothing of the directory has been imported. report may be NULL.
 *
 * PTL_ERR_CONTENT: a file is wrong; the message is "FILE:LINE:COLUMN: what is wrong".
 * PTL_ERR_EXISTS: a chunk is saved at one of the places already, or a generated chunk lies
 * beside one of these places and force is false. PTL_ERR_MISMATCH: the world was made with
 * another content. PTL_ERR_ARGUMENT: several characters for one viewer. PTL_ERR_NOT_FOUND: the
 * directory has no overmaps, or, with `only_seen`, nothing that a character has seen; or there
 * is no `character`.
 */
PTL_API ptl_status ptl_game_save_import(ptl_game_save_import_report *report, ptl_world *world,
                                        const ptl_game_save_import_options *options,
                                        ptl_error *err);

/* ---- what a save's characters have seen ---- */

/* How well a character knows an OMT. 0.F only has PTL_SEEN_NOT and PTL_SEEN_FULL; games since
 * version 34 have all five. */
typedef enum ptl_seen {
    PTL_SEEN_NOT,
    PTL_SEEN_VAGUE,
    PTL_SEEN_OUTLINES,
    PTL_SEEN_DETAILS,
    PTL_SEEN_FULL
} ptl_seen;

/* Added to an OMT's ptl_seen if the player has marked it as explored. */
enum { PTL_SEEN_MARKED = 8 };

/*
 * Lists the files CHARACTER.seen.X.Y of a save's folder, or the files .seen.X.Y in the
 * characters' databases, in no order. Each holds what a
 * character has seen of an overmap; a character who has never been near an overmap has no file
 * for it. character is borrowed until on_file returns; returning false ends the list.
 * PTL_ERR_NOT_FOUND: there is no such folder. PTL_ERR_BUSY: the game is writing a database.
 */
PTL_API ptl_status ptl_seen_list(const char *save,
                                 bool (*on_file)(void *payload, const char *character,
                                                 ptl_chunk_pos chunk),
                                 void *payload, ptl_error *err);

/*
 * Reads what a character has seen of one level of an overmap. cells[y * 180 + x] is the
 * ptl_seen of the OMT (x, y) on the level z, plus PTL_SEEN_MARKED if it is marked. on_note
 * (may be NULL) is called for each of the player's notes on this level, with the OMT's x and
 * y, 0..179, and the text, borrowed for the call. PTL_ERR_NOT_FOUND: there is no such file;
 * all cells are PTL_SEEN_NOT then. PTL_ERR_CONTENT: the file is wrong; the message is
 * "FILE:LINE:COLUMN: what is wrong". PTL_ERR_ARGUMENT: character is not a name that
 * ptl_seen_list gives, or z is not a level.
 */
PTL_API ptl_status ptl_seen_load(uint8_t cells[PTL_LEVEL_CELLS], const char *save,
                                 const char *character, ptl_chunk_pos chunk, int32_t z,
                                 void (*on_note)(void *payload, int32_t x, int32_t y,
                                                 const char *text),
                                 void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
