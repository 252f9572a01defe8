/*
 * What a disk may hold after a power failure, of a folder that disk_trace.h recorded.
 *
 * What is assumed of the disk, as SQLite does (sqlite.org/atomiccommit.html,
 * sqlite.org/psow.html), and no more:
 * - what was synced stays, and an unsynced write changes no byte outside its own range;
 * - of the unsynced writes any may be lost, in any order, whole or by sectors of 512 bytes, and
 *   a sector that was being written may hold garbage within the written range;
 * - a file may have its old or its new size; the bytes in between are then zeros or garbage;
 * - a file's content and its names have nothing to do with each other: a name may be there
 *   before what was written under it, and the other way round;
 * - names of a folder (making, linking, renaming, deleting) become durable in order, each as a
 *   whole, at the latest when the folder is synced; syncing a file does not sync its name;
 * - a move into another folder is one change of names, of the folder that it leads to; what
 *   gives a name to another file comes after what has taken it away, whatever folder that is
 * of.
 */
#ifndef SUPPORT_DISK_IMAGE_H
#define SUPPORT_DISK_IMAGE_H

#include "core/hash.h"
#include "support/crash/disk_trace.h"

/* What is on the disk for sure, and what is under way to it, while a trace is walked. */
typedef struct disk {
    const disk_trace *trace;
    bytes *content;   /* owned, by file: for sure */
    int *file;        /* owned, by name: for sure; -1: none */
    size_t **pending; /* owned, by file: unsynced operations, in order; of a folder: on names */
    size_t *pending_count, *pending_room;
    size_t next;    /* operations before it have been called */
    uint64_t marks; /* of those */
    unsigned deaf;  /* bits DISK_...: syncs of such files do nothing */
    bool *done;     /* owned, by operation on names: for sure, though it may be pending still */
} disk;

void disk_init(disk *d, const disk_trace *trace);
void disk_dispose(disk *d);
void disk_walk(disk *d, size_t next);

enum { DISK_ALL_LOST = 1, DISK_NAMES_KEPT = 7, DISK_CONTENT_KEPT = 8, DISK_VARIANTS = 9 };
const char *disk_variant_name(int variant);
/* One of the images that may be left at this moment; *out is new. */
void disk_image_left(disk_image *out, const disk *d, int variant, rng *r);

#endif
