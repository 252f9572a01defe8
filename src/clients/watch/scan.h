/* The JSON files below some folders of content, as an import would read them: names, sizes and
 * times. Two scans of the same folders tell which files were saved in between. */
#ifndef WATCH_SCAN_H
#define WATCH_SCAN_H

#include "clients/os/notify.h"
#include "core/arena.h"
#include "os/file.h"

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

#endif
