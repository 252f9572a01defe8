/*
 * Exchanges overmaps with the games' own saves. Cataclysm: Dark Days Ahead 0.F (save version
 * 33) keeps each overmap in a file `o.X.Y`. Such a file has a line "# version N" and one JSON
 * object with `layers` (21 lists of runs [terrain id, count], from z = -10 upwards, x changing
 * fastest), `region_id`, `monster_groups`, `cities`, `connections_out`, `radios` and
 * `overmap_special_placements`. What belongs to play (monsters, people, vehicles, scents,
 * camps) is not read, and is written empty.
 *
 * Version 36 is that of 0.I. Its files lie in the folder `overmaps` inside the save's folder,
 * mostly compressed (`o.X.Y.zzip`, with the dictionary `overmaps.dict` beside that folder),
 * and its cities have their place in `pos`. It is read, and it is written into saves that have
 * it.
 */
#ifndef PORTOLAN_SAVE_H
#define PORTOLAN_SAVE_H

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
 * unless it is Portolan's, is taken for the game's own core; if it is a folder "core", so are
 * "json" and "names" beside it. A ptl_save_fit never changes. Its texts are UTF-8 and valid
 * until it is freed.
 */
typedef struct ptl_save_fit ptl_save_fit;

PTL_API void ptl_save_fit_free(ptl_save_fit *fit); /* NULL is fine */

typedef struct ptl_save_fit_info {
    size_t size;
    uint64_t terrains, specials; /* how many different terrains and specials of the content the
                                  * overmaps have */
    size_t pack_count;           /* packs of the content */
    size_t lacking_count;        /* number of ids that can't be expected in the game */
    int64_t mod_count;           /* number of mods that the save lists; -1 if no save was
                                  * looked at */
} ptl_save_fit_info;

#define PTL_SAVE_FIT_INFO_INIT PTL_SIZED(ptl_save_fit_info)

/* Gives the counts. PTL_ERR_ARGUMENT if out->size was not set; there is no other error. */
PTL_API ptl_status ptl_save_fit_describe(ptl_save_fit_info *out, const ptl_save_fit *fit);

/* Returns the id of a mod that the save lists. Mods are numbered from 0 in the save's order;
 * NULL if there is none of that number. */
PTL_API const char *ptl_save_fit_mod(const ptl_save_fit *fit, size_t number);

/* A pack of the world's content, in the content's order. */
typedef struct ptl_save_pack {
    size_t size;
    bool own;         /* Portolan's */
    bool listed;      /* the save lists it; false if no save was looked at */
    const char *id;   /* id of the mod, or name of the folder */
    uint64_t lacked;  /* how many of its ids the overmaps have and the game may lack */
    bool game;        /* taken for the game's own */
    bool reserved[7]; /* false */
} ptl_save_pack;

/* An id that a pack defines, the overmaps have, and the game may lack. */
typedef struct ptl_save_id {
    size_t size;
    ptl_content_kind kind; /* a terrain, a special or building, or a region */
    const char *id;
    size_t pack; /* number of the pack */
} ptl_save_id;

#define PTL_SAVE_PACK_INIT PTL_SIZED(ptl_save_pack)
#define PTL_SAVE_ID_INIT   PTL_SIZED(ptl_save_id)

/* Give a pack, or an id that the game may lack, by its number from 0. Lacking ids are sorted
 * by pack; within a pack regions come first, then specials, then terrains, each sorted by id.
 * PTL_ERR_NOT_FOUND if there is none of that number: then all of *out is 0, and ids are "". */
PTL_API ptl_status ptl_save_fit_pack(ptl_save_pack *out, const ptl_save_fit *fit,
                                     size_t number);
PTL_API ptl_status ptl_save_fit_lacking(ptl_save_id *out, const ptl_save_fit *fit,
                                        size_t number);

/* ---- overmaps as files ---- */

typedef struct ptl_save_write_options {
    size_t size;
    const char *directory; /* where to write; it is made if it is missing, but its parent must
                            * exist */
    bool has_rect;         /* write only the chunks x0..x1, y0..y1 (both ends included) */
    int32_t x0, y0, x1, y1;
    bool force; /* write even if the directory holds overmaps; those that are not written again
                 * stay */
    /* Called after each file; returning false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Not NULL: *fit, which is NULL before, becomes what a game may lack of the overmaps. It is
     * new: ptl_save_fit_free, also after an error, when it says what was found until then, or
     * is NULL still. */
    ptl_save_fit **fit;
} ptl_save_write_options;

#define PTL_SAVE_WRITE_OPTIONS_INIT PTL_SIZED(ptl_save_write_options)

typedef struct ptl_save_write_report {
    size_t size;
    uint64_t chunks, cities, radios, placements;
    uint64_t placements_left_out; /* of a content that the file does not have any more */
    uint64_t groups;              /* monster groups, after spreading */
    uint64_t bytes;
    double seconds;
} ptl_save_write_report;

#define PTL_SAVE_WRITE_REPORT_INIT PTL_SIZED(ptl_save_write_report)

/*
 * Writes the saved chunks of a world as files of a game's save. Each file is written under
 * another name first and then renamed: none is ever half there. Monster groups are spread over
 * their radius, the same way each time. report may be NULL. PTL_ERR_EXISTS: the directory
 * holds overmaps already. PTL_ERR_NOT_FOUND: the world has no such chunks.
 */
PTL_API ptl_status ptl_save_write(ptl_save_write_report *report, ptl_world *world,
                                  const ptl_save_write_options *options, ptl_error *err);

/* ---- overmaps in a game's save ---- */

/*
 * A world's overmaps are put into the folder SAVE of a world of Cataclysm: DDA 0.F or 0.I, in
 * the version and form in which it has its own, and taken out again. What they replace (`maps`,
 * overmaps `o.X.Y`, of 0.I the folder `overmaps`, and what the characters have seen of them) is
 * moved into a new folder SAVE/portolan-replaced-N, with a journal of what is moved
 * and written. Whatever is interrupted can be taken back, by the next call of either kind.
 */
enum { PTL_SAVE_FOLDER_SIZE = 40 }; /* bytes of the name of such a folder, with its end */
enum { PTL_SAVE_GAME_SIZE = 128 };

typedef struct ptl_save_put_options {
    size_t size;
    const char *save; /* SAVE */
    bool has_rect;    /* only the chunks of x0..x1, y0..y1 */
    /* Although a game seems to run, to save just now, or to lack ids of the world. */
    bool force;
    int32_t x0, y0, x1, y1;
    /* Called after each overmap is made; returning false stops (PTL_ERR_CANCELLED) and leaves
     * SAVE as it was. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    ptl_save_fit **fit; /* as in ptl_save_write_options */
} ptl_save_put_options;

#define PTL_SAVE_PUT_OPTIONS_INIT PTL_SIZED(ptl_save_put_options)

typedef struct ptl_save_put_report {
    size_t size;
    uint64_t chunks, bytes;            /* put there */
    double seconds;                    /* for making them */
    char folder[PTL_SAVE_FOLDER_SIZE]; /* portolan-replaced-N; "" if it was not made */
    /* Of an interrupted call that was taken back first; or "". */
    char recovered[PTL_SAVE_FOLDER_SIZE];
    uint64_t moved_overmaps, moved_seen, moved_maps; /* files; the last: those below `maps` */
    uint64_t moved_bytes;                            /* of all of these */
    uint64_t met;    /* overmaps that were there and have a successor */
    uint64_t unseen; /* processes that could not be looked into; UINT64_MAX: nor any at all */
    uint64_t games;  /* that run, and have no file of SAVE open: whether it is loaded in one of
                      * them can't be told */
    char game[PTL_SAVE_GAME_SIZE]; /* the first of them, by number and name */
    uint64_t moved_memory;         /* files of what characters remember of maps */
} ptl_save_put_report;

#define PTL_SAVE_PUT_REPORT_INIT PTL_SIZED(ptl_save_put_report)

/*
 * Puts the saved chunks of a world into SAVE. report may be NULL; it is filled after an error,
 * too. PTL_ERR_ARGUMENT: SAVE is no save of DDA 0.F or 0.I, or holds what no game makes (links,
 * pipes). PTL_ERR_BUSY: a process has a file of SAVE open, it was
 * saved just now, or another Portolan is at work there. PTL_ERR_MISMATCH:
 * ids that the game lacks (options->fit tells them). PTL_ERR_NOT_FOUND: the world has no such
 * chunks. PTL_ERR_EXISTS, PTL_ERR_CORRUPT: an interrupted call can't be taken back, as
 * something has changed since. After any error SAVE is as it was, or the message says how to
 * get there.
 */
PTL_API ptl_status ptl_save_put(ptl_save_put_report *report, ptl_world *world,
                                const ptl_save_put_options *options, ptl_error *err);

typedef struct ptl_save_undo_options {
    size_t size;
    const char *save; /* SAVE */
    /* As in ptl_open_options, but only until files are moved. May be NULL. */
    bool (*should_stop)(void *payload);
    void *payload;
    bool force;       /* although a game seems to run, or to save just now */
    bool reserved[7]; /* false */
} ptl_save_undo_options;

#define PTL_SAVE_UNDO_OPTIONS_INIT PTL_SIZED(ptl_save_undo_options)

typedef struct ptl_save_undo_report {
    size_t size;
    bool interrupted; /* what was undone had not been completed, or its undoing had begun */
    char folder[PTL_SAVE_FOLDER_SIZE]; /* what was undone: portolan-replaced-N */
    uint64_t removed;                  /* overmaps of ours */
    uint64_t restored;                 /* files */
    uint64_t left;                     /* earlier folders of the kind that are still there */
    uint64_t unseen, games;            /* as in ptl_save_put_report, like the next one */
    char game[PTL_SAVE_GAME_SIZE];
} ptl_save_undo_report;

#define PTL_SAVE_UNDO_REPORT_INIT PTL_SIZED(ptl_save_undo_report)

/*
 * Puts everything back as it was before the last ptl_save_put, or changes nothing:
 * PTL_ERR_EXISTS and PTL_ERR_CORRUPT name what has changed since. PTL_ERR_NOT_FOUND: there is
 * nothing to undo. PTL_ERR_BUSY as above. The message says if some files are moved already:
 * then the next call goes on. report may be NULL; it is filled after an error, too.
 */
PTL_API ptl_status ptl_save_undo(ptl_save_undo_report *report,
                                 const ptl_save_undo_options *options, ptl_error *err);

/* ---- overmaps from a save ---- */

/* What a save has of other content than ours. */
typedef enum ptl_save_unknown {
    PTL_UNKNOWN_TERRAIN,
    PTL_UNKNOWN_SPECIAL,
    PTL_UNKNOWN_REGION /* an overmap's region_id: the world's own stands for it */
} ptl_save_unknown;

typedef struct ptl_save_lack {
    size_t size;
    const char *id;    /* borrowed for the call, as the next one */
    const char *place; /* FILE:LINE:COLUMN of its first place in the file */
    uint64_t count;    /* OMTs; of a region 1; of what an OMT was before each time */
    ptl_save_unknown kind;
    int32_t reserved; /* 0 */
} ptl_save_lack;

#define PTL_SAVE_LACK_INIT PTL_SIZED(ptl_save_lack)

typedef struct ptl_save_import_options {
    size_t size;
    const char *directory;
    /* Terrains that the content does not know become their level's default. */
    bool lenient;
    /* Remove generated chunks beside the imported ones: they would have other borders now, and
     * are made anew when they are asked for. */
    bool force;
    /* Called after each file; returning false stops (PTL_ERR_CANCELLED). May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    /* Called with the id of each terrain (if lenient), special and region that is left out
     * since the content lacks it, and how many tiles it has; once in each file. May be NULL. */
    void (*on_unknown)(void *payload, ptl_save_unknown kind, const char *id, uint64_t omts);
    /* The same, with the id's first place in the file. May be NULL. */
    void (*on_lack)(void *payload, const ptl_save_lack *lack);
} ptl_save_import_options;

#define PTL_SAVE_IMPORT_OPTIONS_INIT PTL_SIZED(ptl_save_import_options)

typedef struct ptl_save_import_report {
    size_t size;
    uint64_t chunks, edges, cities, radios, placements, groups;
    uint64_t removed;          /* generated chunks, with force */
    uint64_t unknown_terrains; /* cells, with lenient */
    uint64_t points_left_out;  /* OMTs of specials that could not be told apart */
    uint64_t groups_left_out;  /* monster groups that lie outside all overmaps of the save */
    uint64_t members_left_out; /* monsters, people, vehicles, camps, scents */
    double seconds;
    /* Entries of what version 36 has and Portolan does not keep: OMTs of cities, courses of
     * rivers, arguments of local maps, joins of mutable specials, earlier terrains. */
    uint64_t details_left_out;
    /* What the content's migrations changed: OMTs of terrains and of specials that have
     * another id now, and of specials that are gone, whose OMTs stay. */
    uint64_t migrated_terrains, migrated_points, specials_gone;
    uint64_t groups_moved; /* beyond the border of their overmap: to the one that is there */
} ptl_save_import_report;

#define PTL_SAVE_IMPORT_REPORT_INIT PTL_SIZED(ptl_save_import_report)

/*
 * Reads all files o.X.Y and o.X.Y.zzip of a directory, or of `overmaps` below it, into the
 * world as chunks that Portolan did not make: with cities, radios, monster groups, the
 * buildings and specials that can be told apart, and edges of origin 'foreign', which say what
 * crosses their borders, so that generation goes on from there: also the river that a bridge
 * along a border hides. All of the directory or, after any error, none of it. report may be
 * NULL.
 *
 * PTL_ERR_CONTENT: "FILE:LINE:COLUMN: what is wrong". PTL_ERR_EXISTS: a chunk is saved there
 * already, or, without force, a generated one lies beside. PTL_ERR_MISMATCH: the world was
 * made with other content.
 */
PTL_API ptl_status ptl_save_import(ptl_save_import_report *report, ptl_world *world,
                                   const ptl_save_import_options *options, ptl_error *err);

/* ---- what a save's characters have seen ---- */

/* How well a cell is known. 0.F tells "not" and "full" apart, games since version 34 all. */
typedef enum ptl_seen {
    PTL_SEEN_NOT,
    PTL_SEEN_VAGUE,
    PTL_SEEN_OUTLINES,
    PTL_SEEN_DETAILS,
    PTL_SEEN_FULL
} ptl_seen;

/* Added to a cell's ptl_seen where its player has marked it as explored. */
enum { PTL_SEEN_MARKED = 8 };

/*
 * Tells of each file CHARACTER.seen.X.Y of a save's folder, in no order: what a character has
 * seen of an overmap. character is borrowed for the call; returning false ends the list. One
 * who has not been near an overmap has no file of it. PTL_ERR_NOT_FOUND: there is no such
 * folder.
 */
PTL_API ptl_status ptl_seen_list(const char *save,
                                 bool (*on_file)(void *payload, const char *character,
                                                 ptl_chunk_pos chunk),
                                 void *payload, ptl_error *err);

/*
 * Reads one of them: a ptl_seen for each cell of the level z, row by row, with PTL_SEEN_MARKED.
 * on_note (may be NULL) is called for each of the player's notes there: x and y of the cell,
 * 0..179, and its text, borrowed for the call. PTL_ERR_NOT_FOUND: there is no such file, and
 * cells are all PTL_SEEN_NOT. PTL_ERR_CONTENT: "FILE:LINE:COLUMN: what is wrong".
 * PTL_ERR_ARGUMENT: character is no name as ptl_seen_list tells it, or z no level.
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
