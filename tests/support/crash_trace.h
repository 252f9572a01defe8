/*
 * Power failures, simulated: everything that SQLite does to a file, its journal and its WAL is
 * recorded (with the shim VFS), and for any moment of the record what a disk may hold after
 * the power failed then is put together.
 *
 * What is assumed of the disk, as SQLite does (sqlite.org/atomiccommit.html,
 * sqlite.org/psow.html), and no more:
 * - what was synced stays, and an unsynced write changes no byte outside its own range;
 * - of the unsynced writes any may be lost, in any order, whole or by sectors of 512 bytes, and
 *   a sector that was being written may hold garbage within the written range;
 * - a file may have its old or its new size; the bytes in between are then zeros or garbage;
 * - making and deleting files becomes durable in order: with the first sync of a new journal or
 *   WAL, after which SQLite syncs the directory; until then a deleted file may be back.
 */
#ifndef SUPPORT_CRASH_TRACE_H
#define SUPPORT_CRASH_TRACE_H

#include "core/bytes.h"
#include "core/hash.h"
#include "shim_vfs.h"

enum { CRASH_MAIN, CRASH_JOURNAL, CRASH_WAL, CRASH_FILES };

/* The three files as bytes. */
typedef struct crash_image {
    bool exists[CRASH_FILES];
    bytes content[CRASH_FILES];
} crash_image;

void crash_image_dispose(crash_image *image);
/* Puts the files there: those that the image lacks are removed, and so is the -shm file, which
 * does not survive a restart. */
void crash_image_put(const crash_image *image, const char *path);
void crash_image_take(crash_image *image, const char *path);

typedef enum crash_kind {
    CRASH_CREATE,
    CRASH_DELETE,
    CRASH_WRITE,
    CRASH_TRUNCATE,
    CRASH_SYNC,
    CRASH_MARK /* the workload's: something has been reported as saved */
} crash_kind;

typedef struct crash_op {
    crash_kind kind;
    int file;          /* CRASH_MAIN ... */
    bool directory;    /* of a delete: the directory is synced at once */
    int64_t offset;    /* of a write; the new size of a truncate */
    size_t data, size; /* a write's bytes: where in the trace's data, and how many */
    uint64_t marks;
} crash_op;

typedef struct crash_trace {
    shim_listener listener;
    crash_op *ops; /* owned */
    size_t count, room;
    bytes data;
    bool exists[CRASH_FILES];
    bool failed; /* out of memory: the trace has gaps */
} crash_trace;

/* Records from now on; the files are those of `start` (NULL: none). The trace must not move. */
void crash_trace_begin(crash_trace *t, const crash_image *start);
void crash_trace_mark(crash_trace *t, uint64_t marks);
void crash_trace_end(crash_trace *t);
void crash_trace_dispose(crash_trace *t);

/* What is on the disk for sure, and what is under way to it, while a trace is walked. */
typedef struct crash_disk {
    const crash_trace *trace;
    crash_image durable;
    size_t *pending[CRASH_FILES]; /* owned; unsynced operations, in order */
    size_t pending_count[CRASH_FILES];
    size_t next;    /* operations before it have been called */
    uint64_t marks; /* of those */
    unsigned deaf;  /* bit CRASH_...: syncs of that file do nothing */
} crash_disk;

/* Copies start (NULL: no files). */
void crash_disk_init(crash_disk *d, const crash_trace *trace, const crash_image *start);
void crash_disk_dispose(crash_disk *d);
void crash_disk_walk(crash_disk *d, size_t next);

enum { CRASH_VARIANTS = 7 };
const char *crash_variant_name(int variant);
/* One of the images that may be left at this moment; *out is new. */
void crash_disk_image(const crash_disk *d, int variant, rng *r, crash_image *out);

#endif
