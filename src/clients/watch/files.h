/* The content's files: when work on what was saved begins, which files were saved, and which
 * words are in them. */
#pragma once

#include "clients/os/notify.h"
#include "core/arena.h"
#include "os/file.h"

#include <stdbool.h>

/* ---- when to work ---- */

/* Decides when work begins after a change, and when it is broken off because of another
 * change. It has no clock of its own: the caller gives the time, in seconds. */

/* Settings, which the caller fills in, and state, which begins as all zero. */
typedef struct pace {
    double quiet; /* work begins once nothing has changed for so long */
    double most;  /* or at the latest so long after the first pending change */
    int patience; /* so many times in a row work is broken off; then it may end first */
    /* State. */
    bool is_pending, is_working, is_left_off;
    double first, last; /* times of the first and the last pending change */
    int left_off;       /* how often in a row work was broken off */
} pace;

typedef enum pace_order { PACE_WAIT, PACE_BEGIN, PACE_LEAVE_OFF } pace_order;

/* Something has changed. */
void pace_changed(pace *p, double now);
/*
 * Says what to do now. PACE_BEGIN and PACE_LEAVE_OFF are each said once: after the first the
 * caller begins the work, after the second it breaks it off, and reports the end by
 * pace_ended.
 */
pace_order pace_ask(pace *p, double now);
/* The work has ended. was_whole: it was not broken off. */
void pace_ended(pace *p, bool was_whole);

/* ---- which files were saved ---- */

/* The JSON files below some folders of content, as an import would read them: names, sizes and
 * times. Two scans of the same folders tell which files were saved in between. */

/* Limits of a scan. One that would have more files is cut, and is_cut says so. */
enum { SCAN_FILES_MAX = 200000, SCAN_DEPTH_MAX = 64 };

/* One file. If its size, time or identity differs, it was saved. */
typedef struct scan_file {
    const char *path; /* in the scan's memory; begins with the root as it was given */
    uint64_t size;
    file_time changed;
    file_id id;
} scan_file;

/* The files of one scan. */
typedef struct scan {
    arena *memory;    /* owned */
    scan_file *files; /* owned; ordered by path */
    size_t count, room;
    bool is_cut;
} scan;

/*
 * Scans the roots, each of which is a folder or a file. As in an import, hidden files and
 * folders and files that do not end in .json are skipped, and links are followed only if they
 * are roots. What is missing or cannot be read counts as empty. notes, unless NULL, is told to
 * watch each folder before that is listed, so that no change is missed in between. False when
 * memory is out. Dispose *out in any case.
 */
bool scan_make(scan *out, const char *const *roots, size_t count, notify *notes);
void scan_dispose(scan *s);

/* Calls on_file for each path that is in only one of the scans or differs between them,
 * ordered by path. Returns how many there are. on_file may be NULL. */
size_t scan_differences(const scan *before, const scan *now,
                        void (*on_file)(void *payload, const char *path), void *payload);

/* ---- which terrains a change concerns ---- */

/* Which terrains a change of content concerns directly: those that a saved file names. (Other
 * changes of content, such as of palettes and item groups, may change any local map.) */

/* All words in quotation marks in some JSON files, whatever their meaning there. */
typedef struct concerned {
    arena *memory; /* owned */
    strmap words;
} concerned;

/*
 * Reads the words of files. paths has size bytes: paths, each ended by a NUL. Files that no
 * longer exist, or are larger than 16 MB, are skipped. False when memory is out. Dispose *out
 * in any case.
 */
bool concerned_read(concerned *out, const char *paths, size_t size);
/* Is it among the words? */
bool concerned_has(const concerned *c, const char *word);
void concerned_dispose(concerned *c);
