/* The content's files: when work on saved changes begins, which files were saved, and which
 * words are in them. */
#pragma once

#include "clients/os/notify.h"
#include "core/arena.h"
#include "os/file.h"

#include <stdbool.h>

/* ---- when to work ---- */

/* A pace says when to begin the work after files of the watched content were saved, and when to
 * break it off because of a later change. It has no clock of its own: the caller gives the
 * time, in seconds. */

/* The first members are settings, which the caller fills in; the others are state and must be
 * zero at first. */
typedef struct pace {
    double quiet; /* seconds without a change after which work begins */
    double most;  /* work begins at the latest so many seconds after the first of the changes
                   * that wait for it */
    /* How many times in a row work may be broken off. After that, the next work is finished
     * even if there are further changes. */
    int patience;
    /* The caller does not use the members from here on, but must set them to zero at first. */
    bool is_pending, is_working, is_left_off;
    /* Times of the first and the last change of a watched file that no work has taken into
     * account. */
    double first, last;
    int left_off; /* how many times in a row work was broken off */
} pace;

typedef enum pace_order { PACE_WAIT, PACE_BEGIN, PACE_LEAVE_OFF } pace_order;

/* Records that a watched file has changed. */
void pace_changed(pace *p, double now);
/*
 * Tells the caller what to do at this moment. PACE_BEGIN is returned once: the caller begins
 * the work. PACE_LEAVE_OFF is returned once: the caller breaks the work off. In both cases it
 * calls pace_ended when the work has ended.
 */
pace_order pace_ask(pace *p, double now);
/* Records that the work after a save of the content has ended. `was_whole` is false if the work
 * was broken off. */
void pace_ended(pace *p, bool was_whole);

/* ---- which files were saved ---- */

/* The JSON files below some folders of content that an import would read: names, sizes and
 * times. Two scans of the same folders tell which files were saved between them. */

/* The most files of a scan, and how deep folders may lie in each other. If there are more, the
 * scan ends early and sets is_cut. */
enum { SCAN_FILES_MAX = 200000, SCAN_DEPTH_MAX = 64 };

/* A file of a scan. If its size, time or identity differs from the previous scan, the file was
 * saved. */
typedef struct scan_file {
    /* Is in the scan's memory. Begins with the path of the root folder, as the caller has given
     * it. */
    const char *path;
    uint64_t size;
    file_time changed;
    file_id id;
} scan_file;

/* The folders and files that are scanned for changes of a content: those that the user named
 * and, if the content is that of a game, the folder `data` in the game's own folder. If that
 * folder has no `data`, it is scanned itself. */
typedef struct scan_roots {
    const char **paths; /* owned array; a path is borrowed, or it is the member `data` */
    size_t count;
    char *data; /* owned; path of the folder `data` of the game */
} scan_roots;

/* Returns false when memory is out. game may be NULL. *out must be disposed of in any case. */
bool scan_roots_take(scan_roots *out, const char *const *directories, size_t count,
                     const char *game);
void scan_roots_dispose(scan_roots *r);

/* The files of one scan. */
typedef struct scan {
    arena *memory;    /* owned */
    scan_file *files; /* owned; ordered by path */
    size_t count, room;
    bool is_cut;
} scan;

/*
 * Scans the roots, each of which is a folder or a file. As in an import, hidden files and
 * folders and files that do not end in .json are skipped, and symbolic links are followed only
 * if they are roots. A path that is missing or can't be read counts as empty. Unless notes is
 * NULL, it starts to watch each folder before the folder is listed, so that no change is missed
 * in between. Returns false when memory is out. *out must be disposed of in any case.
 */
bool scan_make(scan *out, const char *const *roots, size_t count, notify *notes);
void scan_dispose(scan *s);

/* Calls on_file, ordered by path, for each file that is in only one of the scans or differs
 * between them. Returns the number of these files. on_file may be NULL. */
size_t scan_differences(const scan *before, const scan *now,
                        void (*on_file)(void *payload, const char *path), void *payload);

/* ---- which terrains a change concerns ---- */

/* The functions from here on tell which terrains are named in a saved file, so that their local
 * maps have probably changed. (A change of palettes or item groups may change the map of any
 * terrain.) */

/* The set of all strings that stand in quotation marks in the changed JSON files, keys and
 * values alike. */
typedef struct concerned {
    arena *memory; /* owned */
    strmap words;
} concerned;

/*
 * Reads the words of files. `paths` has size bytes: the files' paths, each ended by a NUL.
 * Files that no longer exist, or are larger than 16 MB, are skipped. Returns false when memory
 * is out. *out must be disposed of in any case.
 */
bool concerned_read(concerned *out, const char *paths, size_t size);
/* Returns whether `word` is one of the words. */
bool concerned_has(const concerned *c, const char *word);
void concerned_dispose(concerned *c);
