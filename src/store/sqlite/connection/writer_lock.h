/*
 * Who may write a world file: a lock (flock) on the file PATH-lock beside it, exclusive for a
 * store that writes alone, shared for those that write together. The lock is what counts; the
 * text in the file only says who holds it. It ends with the process, so that a lock file that a
 * crash left behind stops nobody.
 */
#ifndef STORE_SQLITE_FILE_WRITER_LOCK_H
#define STORE_SQLITE_FILE_WRITER_LOCK_H

#include "portolan/store.h"

typedef struct writer_lock {
    char *path; /* owned; NULL: nothing is held */
    int fd;
    long pid; /* of the process that took it: its children must not give it back */
    long record_at, record_size; /* of its lines in the file; size 0: none */
} writer_lock;

/*
 * Takes the lock of world file `file` (an absolute path without links, as SQLite knows it), as
 * options say: writers, wait_ms, program, on_wait. PTL_ERR_BUSY names the holder.
 */
ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err);

/*
 * Whether a process holds the lock of that file, without asking for it: no writer can be
 * refused because of it. By the record: so a lock file that a crash left counts while its
 * number is another process's, or where it is of another machine. whom, of `room` bytes, gets
 * who it is; NULL: not asked.
 */
bool writer_lock_seen(const char *file, char *whom, size_t room);

/*
 * Whether what has the lock's name, if there is anything, is a lock of ours, held or left
 * behind; else PTL_ERR_EXISTS with a message that names it. Nothing is taken or changed.
 */
ptl_status writer_lock_check(const char *file, ptl_error *err);
/* Whether there is such a lock. */
bool writer_lock_lies_at(const char *file);

/* Gives it back and removes the lock file, unless others share it. */
void writer_lock_release(writer_lock *lock);

#endif
