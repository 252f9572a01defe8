/* Locks on files. */
#ifndef OS_LOCK_H
#define OS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the lock of an open file or folder without waiting: a shared one, or one for us alone.
 * It goes when the descriptor is closed, or the process ends. False with errno; EWOULDBLOCK:
 * somebody has it. */
bool lock_take(int fd, bool shared);

/* A process that has a POSIX lock, as SQLite takes them, that begins at one of these bytes of
 * the file; another one than us, if there is; 0: none that the system tells of. The file is not
 * opened. */
long lock_holder(const char *path, uint64_t first, uint64_t last);

#endif
