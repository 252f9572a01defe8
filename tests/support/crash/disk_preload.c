/*
 * Loaded before everything else (LD_PRELOAD), it writes down what a whole program, and what it
 * starts, does to files: a line for each call, into the file PORTOLAN_DISK_LOG, in their order.
 *
 *   write INODE        content was written, or cut off
 *   sync INODE         content of a file, or the names in a folder, was synced
 *   name INODE PATH    a file got a name: renamed or linked to it
 *
 * tests/cli/test_synced.py reads it. (Power failures themselves: disk_trace.h.)
 */
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Looked up at the first call. */
#define NEXT(name)                                                                             \
    static __typeof__(name) *next;                                                             \
    if (!next)                                                                                 \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

static ssize_t write_on(int fd, const void *data, size_t size)
{
    NEXT(write);
    return next(fd, data, size);
}

/* One call of write for each line: what two processes say is not mixed. */
static void tell(const char *what, const struct stat *info, const char *path)
{
    char line[4200];
    const char *log = getenv("PORTOLAN_DISK_LOG");
    const int fd = log ? open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    const int size = snprintf(line, sizeof line, "%s %llu%s%s\n", what,
                              (unsigned long long)info->st_ino, *path ? " " : "", path);
    if (size > 0 && (size_t)size < sizeof line)
        (void)!write_on(fd, line, (size_t)size);
    close(fd);
}

static void tell_of(int fd, const char *what)
{
    struct stat info;
    const int keep = errno;
    if (fstat(fd, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)))
        tell(what, &info, "");
    errno = keep;
}

/* The path as seen from the root: folders are given as handles, too. */
static void tell_name(int result, int folder, const char *path)
{
    char whole[4096] = "", link[64];
    struct stat info;
    const int keep = errno;
    if (result == 0 && fstatat(folder, path, &info, AT_SYMLINK_NOFOLLOW) == 0) {
        if (path[0] != '/' && folder == AT_FDCWD) {
            if (!getcwd(whole, sizeof whole))
                whole[0] = '\0';
        } else if (path[0] != '/') {
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            const ssize_t n = readlink(link, whole, sizeof whole - 1);
            whole[n > 0 ? n : 0] = '\0';
        }
        const size_t size = strlen(whole);
        snprintf(whole + size, sizeof whole - size, "%s%s", size ? "/" : "", path);
        tell("name", &info, whole);
    }
    errno = keep;
}

#define CONTENT(type, name, what, parameters, arguments)                                       \
    type name parameters                                                                       \
    {                                                                                          \
        NEXT(name);                                                                            \
        const type result = next arguments;                                                    \
        if (result >= 0)                                                                       \
            tell_of(fd, what);                                                                 \
        return result;                                                                         \
    }

CONTENT(ssize_t, write, "write", (int fd, const void *data, size_t size), (fd, data, size))
CONTENT(ssize_t, pwrite, "write", (int fd, const void *data, size_t size, off_t at),
        (fd, data, size, at))
CONTENT(ssize_t, pwrite64, "write", (int fd, const void *data, size_t size, off64_t at),
        (fd, data, size, at))
CONTENT(int, ftruncate, "write", (int fd, off_t size), (fd, size))
CONTENT(int, ftruncate64, "write", (int fd, off64_t size), (fd, size))
CONTENT(int, fsync, "sync", (int fd), (fd))
CONTENT(int, fdatasync, "sync", (int fd), (fd))

#define NAMES(name, folder, path, parameters, arguments)                                       \
    int name parameters                                                                        \
    {                                                                                          \
        NEXT(name);                                                                            \
        const int result = next arguments;                                                     \
        tell_name(result, folder, path);                                                       \
        return result;                                                                         \
    }

NAMES(rename, AT_FDCWD, to, (const char *from, const char *to), (from, to))
NAMES(renameat, b, to, (int a, const char *from, int b, const char *to), (a, from, b, to))
NAMES(renameat2, b, to, (int a, const char *from, int b, const char *to, unsigned flags),
      (a, from, b, to, flags))
NAMES(link, AT_FDCWD, to, (const char *from, const char *to), (from, to))
NAMES(linkat, b, to, (int a, const char *from, int b, const char *to, int flags),
      (a, from, b, to, flags))
