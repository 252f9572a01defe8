/* Holders of POSIX locks are found in /proc/locks, where that exists. F_GETLK is no
 * alternative: it needs an open file, and closing that would drop our own locks. */
#include "os/lock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

bool lock_take(int fd, bool shared)
{
    int result;
    do
        result = flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result == 0;
}

typedef struct lock_range {
    struct stat file;
    uint64_t first, last;
} lock_range;

/*
 * Returns the process in a line of /proc/locks if the lock is on that file and begins in that
 * range, else 0. A line:
 *   1: POSIX  ADVISORY  READ 1234 fe:01:1835024 1073741826 1073742335.
 */
static long holder_of_line(char *line, const lock_range *of)
{
    enum { KIND = 1, PROCESS = 4, PLACE = 5, FIRST = 6, FIELDS = 8 };
    char *fields[FIELDS] = {NULL}, *rest = line, *end;
    size_t count = 0;
    while (count < FIELDS && (fields[count] = strtok_r(rest, " \n", &rest)) != NULL)
        count++;
    if (count < FIELDS || strcmp(fields[KIND], "POSIX") != 0)
        return 0;
    bool same = strtoul(fields[PLACE], &end, 16) == major(of->file.st_dev) && *end == ':';
    same = same && strtoul(end + 1, &end, 16) == minor(of->file.st_dev) && *end == ':';
    same = same && strtoull(end + 1, NULL, 10) == (unsigned long long)of->file.st_ino;
    const unsigned long long first = strtoull(fields[FIRST], NULL, 10);
    return same && first >= of->first && first <= of->last ? strtol(fields[PROCESS], NULL, 10)
                                                           : 0;
}

long lock_holder(const char *path, uint64_t first, uint64_t last)
{
    lock_range of = {.first = first, .last = last};
    FILE *file = stat(path, &of.file) == 0 ? fopen("/proc/locks", "re") : NULL;
    if (!file)
        return 0;
    char line[256];
    long pid = 0, own = 0;
    while (pid == 0 && fgets(line, sizeof line, file)) {
        pid = holder_of_line(line, &of);
        if (pid == (long)getpid()) {
            own = pid; /* one of ours: look on */
            pid = 0;
        }
    }
    fclose(file);
    return pid ? pid : own;
}
