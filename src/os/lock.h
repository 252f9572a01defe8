/* Locks on files: taking a lock, and asking who holds one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock of an open file or folder, shared or exclusive, without waiting. The lock is
 * released when the descriptor is closed or the process ends. False with errno; EWOULDBLOCK
 * means that another process has the lock. */
bool lock_take(int fd, bool shared);

/* Returns the id of a process that holds a POSIX lock on the file (the kind of lock that SQLite
 * uses) that begins at one of the bytes first .. last. 0: the system knows of no such lock. If
 * this process holds one and another process too, the other one's id is returned. The file is
 * not opened. */
long lock_holder(const char *path, uint64_t first, uint64_t last);
