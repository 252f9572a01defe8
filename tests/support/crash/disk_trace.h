/*
 * Power failures, simulated: what this process does to the files of one folder, and to the
 * names in it, is recorded call by call: SQLite's calls as well as our own, since a test
 * program that links disk_calls.c owns open, pwrite, fsync, rename and the like. For any moment
 * of the record disk_image.h puts together what a disk may hold if the power fails then.
 *
 * Not recorded: shared memory of a WAL (-shm), which no restart survives, and what is written
 * past these calls, by stdio or by another process; disk_trace_end compares the folder with the
 * record, so that nothing goes unseen.
 */
#ifndef SUPPORT_DISK_TRACE_H
#define SUPPORT_DISK_TRACE_H

#include "core/bytes.h"

/* A folder as it lies there: files with what they hold, folders, by name below it. */
typedef struct disk_file {
    char *name; /* owned; "w.db", "out", "out/o.0.0" */
    bool is_folder;
    bytes content;
} disk_file;

typedef struct disk_image {
    disk_file *files; /* owned */
    size_t count, room;
} disk_image;

/* *out is new: all of the folder but -shm. */
void disk_image_take(disk_image *out, const char *root);
/* Makes the folder hold that and nothing else. */
void disk_image_put(const disk_image *image, const char *root);
void disk_image_dispose(disk_image *image);
/* A new file or folder in the image; its content is empty. */
disk_file *disk_image_add(disk_image *image, const char *name, bool is_folder);
/* NULL if there is none. */
const disk_file *disk_image_find(const disk_image *image, const char *name);
/* Over names and contents but those of lock files, and of names that `but` (may be NULL) holds
 * true for. */
uint64_t disk_image_hash(const disk_image *image, bool (*but)(const char *name));

typedef enum disk_kind {
    DISK_ENTER, /* a name gets a file that is new, or had other names */
    DISK_LEAVE, /* a name goes */
    DISK_RENAME,
    DISK_WRITE,
    DISK_TRUNCATE,
    DISK_SYNC,        /* of a file's content */
    DISK_SYNC_FOLDER, /* of the names in a folder */
    DISK_MARK         /* the workload's: something has been reported as saved */
} disk_kind;

/* Bits of what syncs there are, by the name that a file had first. */
enum { DISK_MAIN = 1, DISK_JOURNAL = 2, DISK_WAL = 4, DISK_FOLDER = 8 };

typedef struct disk_op {
    disk_kind kind;
    int name, other;   /* numbers of names; other: before a rename. Of a folder to be synced */
    int file;          /* number of the file */
    int64_t offset;    /* of a write; the new size of a truncate */
    size_t data, size; /* a write's bytes: where in the trace's data, and how many */
    uint64_t marks;
} disk_op;

typedef struct disk_name {
    char *text; /* owned; below the root, which is name 0, "" */
    int folder; /* the name of the folder that it lies in */
    int first;  /* the file at the beginning; -1: none */
    int file;   /* while recording: the file that it has now; -1: none */
} disk_name;

typedef struct disk_trace {
    char root[512];
    disk_image start; /* owned: the folder at the beginning, file by file 1, 2, ... */
    disk_op *ops;     /* owned, as what follows */
    size_t count, room;
    bytes data;
    disk_name *names;
    int name_count, name_room;
    uint8_t *kinds; /* by file: DISK_MAIN, DISK_JOURNAL, DISK_WAL; DISK_FOLDER: it is one */
    int file_count, file_room;
    const char *unseen; /* something that could not be recorded; NULL: nothing */
} disk_trace;

/* Records from now on; one at a time in a process. The trace must not move. */
void disk_trace_begin(disk_trace *t, const char *root);
void disk_trace_mark(disk_trace *t, uint64_t marks);
/* Fails the test if the folder is not as the record says. */
void disk_trace_end(disk_trace *t);
void disk_trace_dispose(disk_trace *t);

/* For disk_calls.c, each after the call itself; under the lock. */
typedef struct disk_place {
    int name; /* -1: outside of the folder, or not recorded */
    char text[1024];
} disk_place;
bool disk_trace_place(disk_place *out, const disk_trace *t, const char *path);
/* The file behind the handle, for what is done with it; -1: not recorded. */
int disk_trace_opened(disk_trace *t, disk_place *place, bool is_folder, bool may_make,
                      bool truncates);
void disk_trace_write(disk_trace *t, int file, const void *data, size_t size, int64_t offset);
void disk_trace_truncate(disk_trace *t, int file, int64_t size);
void disk_trace_sync(disk_trace *t, int file);
void disk_trace_enter(disk_trace *t, disk_place *place, bool is_folder);
void disk_trace_leave(disk_trace *t, const disk_place *place);
void disk_trace_link(disk_trace *t, const disk_place *from, disk_place *to);
void disk_trace_rename(disk_trace *t, const disk_place *from, disk_place *to);

/* disk_calls.c: the trace that calls go to; NULL: none. */
void disk_calls_watch(disk_trace *t);

#endif
