/*
 * Inside ptl_save_put and ptl_save_undo (portolan/save.h): what their files share.
 *
 * What they replace (`maps`, the overmaps o.X.Y, in 0.I the whole folder `overmaps`, what the
 * characters have seen of them and what they remember of maps) is moved into a new folder
 * SAVE/portolan-replaced-N, whose manifest.json is the journal: it is written before the first
 * file is moved, and says by name, size and digest what is moved and what is written. The
 * overmaps are made in that folder, and all that happens to SAVE is renames: so whatever is
 * interrupted can be taken back, by the next call of either kind.
 *
 *     state        SAVE                                        taken back by
 *     preparing    as it was                                   removing what was made
 *     planned      some files moved, some overmaps placed      moving each where it came from
 *     complete     ours                                        the same, if nothing has changed
 *     undoing      like planned                                the same
 *     undone       as it was                                   removing what was made
 */
#ifndef EXCHANGE_INTO_IMPL_H
#define EXCHANGE_INTO_IMPL_H

#include "core/bytes.h"
#include "core/digest.h"
#include "core/stop.h"
#include "exchange/exchange.h"
#include "exchange/fit.h"
#include "os/new_file.h"

#define INTO_PREFIX   "portolan-replaced-"
#define INTO_MANIFEST "manifest.json"
#define INTO_NEW      "new" /* where overmaps wait for their place */

enum {
    INTO_NUMBER_MAX = 9999,
    INTO_ENTRIES_MAX = 1 << 20, /* files and folders that are moved */
    INTO_DEPTH_MAX = 8,         /* folders below `maps` */
    INTO_PATH_MAX = 1024
};

/* ---- into_files.c: files of the save ---- */

/* How a save has its overmaps: DDA 0.F as o.X.Y in its folder, 0.I in `overmaps` below it,
 * mostly compressed with the dictionary overmaps.dict of the folder. */
typedef struct save_layout {
    save_form form; /* the packer is owned */
    bool below;
} save_layout;

/* SAVE, opened and locked against other calls. */
typedef struct save_folder {
    const char *path; /* borrowed; for messages, and for new files */
    int fd;
    file_time changed;  /* when it was opened */
    stop_hook stop;     /* asked while files are read; what has begun to move moves */
    save_layout layout; /* once save_folder_check has found it */
} save_folder;

ptl_status save_folder_open(save_folder *out, const char *path, stop_hook stop, ptl_error *err);
void save_folder_close(save_folder *f);
/* Is it what DDA makes of a world that has been saved? PTL_ERR_ARGUMENT says what lacks. */
ptl_status save_folder_check(save_folder *f, ptl_error *err);

typedef enum entry_kind {
    ENTRY_OVERMAP,
    ENTRY_SEEN,
    ENTRY_MAPS,
    ENTRY_MEMORY,   /* what a character remembers of maps: a file or a folder */
    ENTRY_OVERMAPS, /* the folder, which 0.F does not have: there it is anybody's */
    ENTRY_OTHER
} entry_kind;
/* What the name means in a save's folder. */
entry_kind entry_kind_of(const char *name);
/* Does the game write it with every save? */
bool entry_is_of_play(const char *name);

/* A file or folder, by its path below SAVE. */
typedef struct save_entry {
    char *path; /* owned */
    bool folder;
    uint64_t size; /* of a file, as the next */
    digest digest;
} save_entry;

/* Sorted by path (strcmp) when it is complete. */
typedef struct save_entries {
    save_entry *list; /* owned */
    size_t count, room;
} save_entries;

void save_entries_dispose(save_entries *e);
ptl_status save_entries_add(save_entries *e, const char *path, const save_entry *values,
                            ptl_error *err);
void save_entries_sort(save_entries *e);
/* NULL if there is none. The list is sorted. */
const save_entry *save_entries_find(const save_entries *e, const char *path);

/* Adds an entry of the folder, and all that is below it, with sizes and digests. Anything that
 * is neither a file nor a folder: PTL_ERR_ARGUMENT. source: a file that must not be among them,
 * or NULL. *found false: there is no such entry. */
typedef struct entry_walk {
    const char *where; /* of the folder, for messages */
    const stop_hook *stop;
    const file_id *source;
    save_entries *entries;
} entry_walk;
ptl_status entry_walk_from(const entry_walk *w, int folder, const char *name, bool *found,
                           ptl_error *err);

/* Lists the names in a folder, but "." and "..", sorted, as paths of entries without values. */
ptl_status folder_names(save_entries *out, int folder, const char *where, ptl_error *err);

/* Renames unless the new name is taken: PTL_ERR_EXISTS. */
ptl_status rename_to_free(int from, int to, const char *name, const char *where,
                          ptl_error *err);

/* How a save has its overmaps. */

#define INTO_BELOW "overmaps" /* the folder of 0.I's overmaps */

/* How the save has its overmaps, by the version in its master.gsav. */
ptl_status save_layout_find(save_layout *out, const save_folder *f, ptl_error *err);
void save_layout_dispose(save_layout *layout);
/* As in folder_names; empty if there is no such folder in `folder`. */
ptl_status folder_names_below(save_entries *out, int folder, const char *name,
                              const char *where, bool *found, ptl_error *err);

ptl_status into_failed(const char *where, const char *name, const char *what, ptl_error *err);

/* ---- into_game.c ---- */

/* What is known of processes, as in the public reports. */
typedef struct game_signs {
    uint64_t unseen, games;
    char game[PTL_SAVE_GAME_SIZE];
} game_signs;

/* PTL_ERR_BUSY if some process has a file of the save open, or the game has saved within the
 * last seconds. */
ptl_status game_check(const save_folder *f, game_signs *signs, ptl_error *err);

/* ---- into_manifest.c ---- */

typedef enum into_state {
    INTO_PREPARING,
    INTO_PLANNED,
    INTO_COMPLETE,
    INTO_UNDOING,
    INTO_UNDONE
} into_state;

typedef struct manifest {
    into_state state;
    char world[128], content[DIGEST_HEX_SIZE]; /* for people */
    file_time changed;                         /* of SAVE, before */
    save_entries moved, written;
} manifest;

void manifest_dispose(manifest *m);
/* Writes the whole manifest or nothing, synced; folder is the path. */
ptl_status manifest_write(const manifest *m, const char *folder, ptl_error *err);
/* *found false: there is none. PTL_ERR_CORRUPT: it is none of ours, or damaged. */
ptl_status manifest_read(manifest *out, int folder, const char *where, bool *found,
                         ptl_error *err);

/* ---- into_undo.c ---- */

/* A folder SAVE/portolan-replaced-N. */
typedef struct replaced {
    const save_folder *save;
    char name[PTL_SAVE_FOLDER_SIZE];
    char *path;    /* owned */
    int fd, fresh; /* the folder, and `new` in it; -1 */
    manifest m;
} replaced;

ptl_status replaced_open(replaced *out, const save_folder *save, int number, ptl_error *err);
void replaced_close(replaced *r);
/* Numbers of the folders that there are, ascending; owned by the caller. */
ptl_status replaced_list(int **out, size_t *count, const save_folder *save, ptl_error *err);
/* What was renamed between `new`, the folder and SAVE is on the disk. */
ptl_status replaced_sync(const replaced *r, ptl_error *err);
/* Puts everything back and removes the folder. Closes r in any case. */
ptl_status replaced_take_back(replaced *r, ptl_error *err);

#endif
