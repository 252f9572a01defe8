/*
 * What lies in folders of content, as an import would read it: names, sizes and times of their
 * JSON files. Two looks at the same folders tell which files were saved in between.
 */
#ifndef WATCH_SCAN_H
#define WATCH_SCAN_H

#include "clients/os/notify.h"
#include "core/arena.h"
#include "os/file.h"

/* More files than that are not looked at: the scan is cut, and says so. */
enum { SCAN_FILES_MAX = 200000, SCAN_DEPTH_MAX = 64 };

typedef struct scan_file {
    const char *path; /* in the scan's memory; below the folder as it was given */
    uint64_t size;
    file_time changed;
    file_id id;
} scan_file;

typedef struct scan {
    arena *memory;    /* owned */
    scan_file *files; /* owned; by path */
    size_t count, room;
    bool is_cut;
} scan;

/*
 * Looks at the roots, each a folder or one file. As in an import, links are not followed (those
 * that are roots are), and neither hidden files and folders nor what does not end in .json is
 * looked at. What can't be read, or is not there, has no files. notes may be NULL: else it is
 * told of all folders, each before it is listed, so that nothing falls in between. False when
 * memory is out. Dispose it in any case.
 */
bool scan_make(scan *out, const char *const *roots, size_t count, notify *notes);
void scan_dispose(scan *s);

/* Calls on_file with each path that one of them lacks, or has otherwise, in the order of paths;
 * returns how many. on_file may be NULL. */
size_t scan_differences(const scan *before, const scan *now,
                        void (*on_file)(void *payload, const char *path), void *payload);

#endif
