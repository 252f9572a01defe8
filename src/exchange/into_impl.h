/*
 * The internal interface of ptl_game_save_put and ptl_game_save_undo (portolan/game_save.h).
 *
 * ptl_game_save_put replaces the folder `maps`, the overmaps o.X.Y (in 0.I the whole folder
 * `overmaps`), the files of what characters have seen of overmaps, and their memories of maps;
 * and the databases that a save of Bright Nights has in place of these files. It moves all
 * these into a new folder SAVE/portolan-replaced-N, whose manifest.json is the journal. The
 * manifest is written before the first file is moved, and lists by name, size and digest which
 * files are moved and which are written. The new overmaps are made in that folder, so that in
 * SAVE itself files are only renamed. An interrupted call can therefore be taken back, by the
 * next call of either function.
 *
 *     state      SAVE                                    taken back by
 *     preparing  as it was                               removing what was made
 *     planned    some files moved, some overmaps placed  moving each back to its old place
 *     complete   has the new overmaps                    the same, if nothing has changed
 *     undoing    like planned                            the same
 *     undone     as it was                               removing what was made
 */
#pragma once

#include "core/digest.h"
#include "exchange/database/save_database.h"
#include "exchange/exchange.h"
#include "os/new_file.h"

#define INTO_PREFIX   "portolan-replaced-"
#define INTO_MANIFEST "manifest.json"
#define INTO_NEW      "new" /* the folder in which new overmaps are made */

enum {
    INTO_NUMBER_MAX = 9999,
    INTO_ENTRIES_MAX = 1 << 20, /* greatest number of files and folders in a list */
    INTO_DEPTH_MAX = 8,         /* most levels of folders below `maps` */
    INTO_PATH_MAX = 1024
};

/* ---- into_files.c: files of the save ---- */

/* The form in which a save has its overmaps: in DDA 0.F as files o.X.Y in the save's folder;
 * in 0.I in the folder `overmaps` below, mostly compressed with the dictionary overmaps.dict,
 * which lies in the save's folder. */
typedef struct save_layout {
    /* The form of the overmaps' files; owns form.packer, which compresses them. */
    save_form form;
    bool below;
    bool databases; /* the overmaps are in SAVE_DATABASE */
} save_layout;

/* The folder SAVE, opened, and locked against other calls of ptl_game_save_put and
 * ptl_game_save_undo. */
typedef struct save_folder {
    const char *path; /* borrowed; used for messages and for making files */
    int fd;
    file_time changed; /* the folder's time of change when it was opened */
    stop_hook stop; /* asked now and then whether the call must stop, while files are read; not
                       while they are moved */
    save_layout layout; /* in which form the save has its overmaps; save_folder_check sets it */
} save_folder;

/* Opens and locks the folder. PTL_ERR_NOT_FOUND: it does not exist; PTL_ERR_BUSY: another call
 * has it locked. save_folder_close must be called in any case. */
ptl_status save_folder_open(save_folder *out, const char *path, stop_hook stop, ptl_error *err);
void save_folder_close(save_folder *f);
/* Checks that the folder is a world of DDA that was saved at least once; otherwise
 * PTL_ERR_ARGUMENT with a message of what is missing. */
ptl_status save_folder_check(save_folder *f, ptl_error *err);

/* What a name in a save's folder means. */
typedef enum entry_kind {
    ENTRY_OVERMAP,
    ENTRY_SEEN,
    ENTRY_MAPS,
    ENTRY_MEMORY, /* a character's memory of maps: a file or a folder */
    /* The folder `overmaps` of 0.I. The game 0.F makes none, so in its saves such a folder
     * belongs to the user. */
    ENTRY_OVERMAPS,
    /* A database of Bright Nights, if into_is_database says so. */
    ENTRY_DATABASE,
    ENTRY_OTHER
} entry_kind;
/* Returns what a name in a save's folder means. */
entry_kind entry_kind_of(const char *name);
/* Does the game write this file with every save? */
bool entry_is_of_play(const char *name);

/* A file or folder, identified by its path below SAVE. */
typedef struct save_entry {
    char *path; /* owned */
    bool folder;
    uint64_t size; /* bytes of a file; a folder has neither size nor digest */
    digest digest;
} save_entry;

/* A list of files and folders. Once complete it is sorted by path (strcmp). */
typedef struct save_entries {
    save_entry *list; /* owned */
    size_t count, room;
} save_entries;

void save_entries_dispose(save_entries *e);
/* Adds a file or folder to the list, with a copy of its path. The other members of its
 * save_entry are those of *values, or 0 if `values` is NULL. */
ptl_status save_entries_add(save_entries *e, const char *path, const save_entry *values,
                            ptl_error *err);
void save_entries_sort(save_entries *e);
/* Returns the file or folder in the list that has this path; NULL if there is none. The list
 * must be sorted. */
const save_entry *save_entries_find(const save_entries *e, const char *path);

/*
 * entry_walk_from adds the file or folder `name` of an open folder to the list `entries`, with
 * size and digest. If it is a folder, everything below it is added, too. *found is false if
 * nothing has that name. PTL_ERR_ARGUMENT: something is neither a file nor a folder, or it is
 * the file `source` (NULL: none), which must not be moved.
 */
typedef struct entry_walk {
    const char *where; /* path of the folder, for messages */
    const stop_hook *stop;
    const file_id *source;
    save_entries *entries;
} entry_walk;
ptl_status entry_walk_from(const entry_walk *w, int folder, const char *name, bool *found,
                           ptl_error *err);

/* Adds the names of all files and folders in an open folder to the list, except "." and "..".
 * The list is sorted; it has no sizes and digests. */
ptl_status folder_names(save_entries *out, int folder, const char *where, ptl_error *err);

/* Moves a file or folder to another folder. PTL_ERR_EXISTS: that folder has the name already.
 */
ptl_status rename_to_free(int from, int to, const char *name, const char *where,
                          ptl_error *err);

/* ---- into_files.c: the form of the overmaps ---- */

#define INTO_BELOW "overmaps" /* the folder with the overmaps of 0.I */

/* Adds all names in the subfolder `name` of an open folder to the list, in the same way as
 * folder_names. *found is false if there is no such subfolder. */
ptl_status folder_names_below(save_entries *out, int folder, const char *name,
                              const char *where, bool *found, ptl_error *err);

/* Reads the whole text of a small regular file in an open folder, without following links.
 * Returns the text, with a NUL behind it; the caller must free it. Returns NULL, with a value
 * of errno: EFBIG if the file has more than `most` bytes, EINVAL if it is no regular file. */
char *into_read(int folder, const char *name, size_t most, size_t *size);

/* Makes an error from errno: PTL_ERR_READONLY if permission is missing, else PTL_ERR_IO. */
ptl_status into_failed(const char *where, const char *name, const char *what, ptl_error *err);

/* ---- into.c ---- */

/* Signs of running games. Each member means the same as the member of this name in
 * ptl_game_save_put_report. */
typedef struct game_signs {
    uint64_t unseen, games;
    char game[PTL_GAME_SAVE_GAME_SIZE];
} game_signs;

/* ---- into_undo.c ---- */

/* How far a call of ptl_game_save_put or ptl_game_save_undo has come. The table at the top of
 * this file explains these states. */
typedef enum into_state {
    INTO_PREPARING,
    INTO_PLANNED,
    INTO_COMPLETE,
    INTO_UNDOING,
    INTO_UNDONE
} into_state;

/* The journal of a call, which is stored in manifest.json. */
typedef struct manifest {
    into_state state;
    char world[128], content[DIGEST_HEX_SIZE]; /* the world's name and the digest of its
                                                  content, for people who read the manifest */
    file_time changed; /* when the folder SAVE had last been changed before the call */
    save_entries moved, written;
    uint64_t overmaps; /* number of new overmaps that are in databases, not in files */
} manifest;

/* Writes the manifest completely or not at all, and syncs it. `folder` is the path of its
 * folder. */
ptl_status manifest_write(const manifest *m, const char *folder, ptl_error *err);

/* An open folder SAVE/portolan-replaced-N. */
typedef struct replaced {
    const save_folder *save;
    char name[PTL_GAME_SAVE_FOLDER_SIZE];
    char *path;    /* owned */
    int fd, fresh; /* file descriptors of the folder portolan-replaced-N and of the folder `new`
                      in it; -1: not open */
    manifest m;
} replaced;

/* Opens the folder portolan-replaced-N, where N is `number`, and reads its manifest. After an
 * error the folder is closed. */
ptl_status replaced_open(replaced *out, const save_folder *save, int number, ptl_error *err);
void replaced_close(replaced *r);
/* Lists the numbers of all folders portolan-replaced-N in SAVE, ascending. The caller must
 * free the list. */
ptl_status replaced_list(int **out, size_t *count, const save_folder *save, ptl_error *err);
/* Sets how far the call of ptl_game_save_put or ptl_game_save_undo has come, in memory and in
 * the manifest on the disk. After an error the state is the old one. */
ptl_status replaced_set_state(replaced *r, into_state state, ptl_error *err);
/* Opens the folder `new`; makes it first if it is missing. */
ptl_status replaced_open_fresh(replaced *r, ptl_error *err);
/* Syncs the folder `new`, the folder portolan-replaced-N and SAVE, so that renames between
 * them are on the disk. */
ptl_status replaced_sync(const replaced *r, ptl_error *err);
/* Moves all old files back, removes the new ones and the folder portolan-replaced-N. Closes r
 * in any case. */
ptl_status replaced_take_back(replaced *r, ptl_error *err);

/* ---- into_seen.c ---- */

/* What a viewer has seen, which a character of the save gets. */
typedef struct into_seen {
    ptl_world *world;   /* borrowed */
    const char *viewer; /* borrowed; NULL: no character gets anything */
    char *character;    /* owned; what names the character's files */
    bool has_rect;
    int32_t rect[4]; /* chunks {x0, y0, x1, y1}, both ends included */
} into_seen;

/* Finds the character in the save: the one that is named, or the one called like the viewer, or
 * else the only one. *out is new. PTL_ERR_NOT_FOUND: there is none. */
ptl_status into_seen_choose(char **out, const save_folder *save, const char *viewer,
                            const char *character, ptl_error *err);
/* Puts what the viewer has seen into the character's new database, or, if that is NULL, into
 * files in the folder `new`, which it adds to the manifest. Counts in the report. */
ptl_status into_seen_put(const into_seen *seen, save_database *database, replaced *r,
                         ptl_game_save_put_report *report, ptl_error *err);

/* ---- into_databases.c ---- */

/* The databases of a save while new ones are made. All members are owned. */
typedef struct into_databases {
    save_database *map;    /* the new SAVE_DATABASE, until it is complete */
    save_entries overmaps; /* file names of the overmaps in the new databases */
    save_database **old;   /* the save's present databases, open for reading */
    size_t count, room;
} into_databases;

/* Is this name in the save's folder that of one of the game's databases? These are
 * SAVE_DATABASE, and the database of each character whose own file is in the folder. */
bool into_is_database(int folder, const char *name);
/* PTL_ERR_BUSY if another process uses a database of the save, or if an interrupted transaction
 * has left a journal beside a database. */
ptl_status into_databases_check(save_folder *f, ptl_error *err);
/* Makes a new, empty SAVE_DATABASE in the folder `new`. */
ptl_status into_databases_begin(into_databases *out, const replaced *r, ptl_error *err);
/* Copies those files that ptl_game_save_put does not replace from the save's own databases into
 * the new ones, and puts into that of a character what a viewer has seen. Completes the new
 * databases, and adds them to the manifest's list of written files. Counts the other files of
 * the save's own databases in the report. */
ptl_status into_databases_fill(into_databases *all, replaced *r, const into_seen *seen,
                               ptl_game_save_put_report *report, ptl_error *err);
/* PTL_ERR_BUSY if somebody has written a database of the save since it was opened. */
ptl_status into_databases_unchanged(const into_databases *all, ptl_error *err);
void into_databases_dispose(into_databases *all);
