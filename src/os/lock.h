/* Locks on files: taking a lock, and asking who holds one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock of an open file or folder, shared or exclusive, without waiting. The lock is
 * released when the descriptor is closed or the process ends. False with errno; EWOULDBLOCK
 * means that another process has the lock. */
bool lock_take(int fd, bool shared);

/* Returns the id of a process that holds a POSIX lock (the kind that SQLite uses) beginning at
 * one of the bytes first .. last of the file; 0 if the system knows of none. If both this
 * process and another one hold such a lock, the other one's id is returned. The file is not
 * opened. */
long lock_holder(const char *path, uint64_t first, uint64_t last);
