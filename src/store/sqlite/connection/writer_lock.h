/*
 * Decides who may write a world file, by a lock (flock) on the file PATH-lock beside it. The
 * lock is exclusive for a store that writes alone, and shared for stores that write together.
 * Only the lock counts; the text in the file merely names the holder. The lock ends with its
 * process, so a lock file that a crash left behind stops nobody.
 */
#pragma once

#include "portolan/store.h"

typedef struct writer_lock {
    char *path; /* owned; NULL: no lock is held */
    int fd;
    long pid; /* of the process that took the lock; its children must not release it */
    long record_at, record_size; /* this writer's lines in the file; size 0: there are none */
} writer_lock;

/*
 * Takes the lock of the world file `file` (an absolute path without links, as SQLite knows
 * it). The options writers, wait_ms, program and on_wait are used. PTL_ERR_BUSY names the
 * holder.
 */
ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err);

/*
 * Does a process hold the lock of that file? It is found out by the record, without touching
 * the lock, so that no writer is ever refused because of this question. Therefore a file that
 * a crash left behind still counts while its pid is in use by another process, or if it comes
 * from another machine. whom, of `room` bytes, gets the holder's name; it may be NULL.
 */
bool writer_lock_seen(const char *file, char *whom, size_t room);

/*
 * Looks at a file with the lock's name. *lies tells whether there is a lock file, held or left
 * behind. PTL_ERR_EXISTS if something else has the name; the message names it. Nothing is
 * taken or changed.
 */
ptl_status writer_lock_look(bool *lies, const char *file, ptl_error *err);

/* Releases the lock, and removes the lock file unless others share it. */
void writer_lock_release(writer_lock *lock);
