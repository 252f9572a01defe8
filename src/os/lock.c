/* Finds the holders of POSIX locks in /proc/locks, where that file exists. The system call
 * F_GETLK can't be used: it needs an open file, and closing that file would drop this process's
 * own locks. */
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

/*
 * Looks for a line of /proc/locks whose lock is on the file at `path` and begins at one of the
 * bytes first .. last. A line looks like this:
 *   1: POSIX  ADVISORY  READ 1234 fe:01:1835024 1073741826 1073742335.
 */
long lock_holder(const char *path, uint64_t first, uint64_t last)
{
    enum { KIND = 1, PROCESS = 4, PLACE = 5, FIRST = 6, FIELDS = 8 };
    struct stat info;
    FILE *file = stat(path, &info) == 0 ? fopen("/proc/locks", "re") : NULL;
    char line[256];
    long other = 0, own = 0;
    while (file && other == 0 && fgets(line, sizeof line, file)) {
        char *fields[FIELDS] = {NULL}, *rest = line, *end;
        size_t count = 0;
        while (count < FIELDS && (fields[count] = strtok_r(rest, " \n", &rest)) != NULL)
            count++;
        if (count < FIELDS || strcmp(fields[KIND], "POSIX") != 0)
            continue;
        bool same = strtoul(fields[PLACE], &end, 16) == major(info.st_dev) && *end == ':';
        same = same && strtoul(end + 1, &end, 16) == minor(info.st_dev) && *end == ':';
        same = same && strtoull(end + 1, NULL, 10) == (unsigned long long)info.st_ino;
        const unsigned long long begin = strtoull(fields[FIRST], NULL, 10);
        const long pid = strtol(fields[PROCESS], NULL, 10);
        if (same && begin >= first && begin <= last)
            *(pid == (long)getpid() ? &own : &other) = pid;
    }
    if (file)
        fclose(file);
    return other ? other : own;
}
