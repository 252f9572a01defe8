/* Locks on files: taking one, and asking who holds one. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock of an open file or folder without waiting: a shared or an exclusive one.
 * The lock goes when the descriptor is closed or the process ends. False with errno;
 * EWOULDBLOCK means that somebody else has it. */
bool lock_take(int fd, bool shared);

/* Returns a process that holds a POSIX lock (SQLite's kind) that begins at one of the bytes
 * first .. last of the file; 0 if the system tells of none. Other processes come before
 * this one. The file is not opened. */
long lock_holder(const char *path, uint64_t first, uint64_t last);
