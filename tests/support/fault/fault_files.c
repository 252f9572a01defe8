#include "support/fault/fault_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    bool armed, all_later;
    uint64_t seen, failed, nth;
    int code;
    const char *name; /* of the call that failed last */
} faults;             /* only one thread of a test calls for files */

void fault_files_arm(uint64_t nth, bool all_later, int code)
{
    faults.nth = nth;
    faults.all_later = all_later;
    faults.code = code;
    faults.seen = faults.failed = 0;
    faults.name = "";
    faults.armed = true;
}

uint64_t fault_files_disarm(uint64_t *failed)
{
    faults.armed = false;
    *failed = faults.failed;
    return faults.seen;
}

const char *fault_files_failed(void)
{
    return faults.name ? faults.name : "";
}

static bool fails(const char *name)
{
    if (!faults.armed)
        return false;
    const uint64_t number = ++faults.seen;
    if (faults.nth == 0 || number < faults.nth || (number > faults.nth && !faults.all_later))
        return false;
    faults.failed++;
    faults.name = name;
    errno = faults.code;
    return true;
}

/* Declares the real function and ours, which fails or passes the call on. */
#define WRAP(type, name, bad, parameters, arguments)                                           \
    type __real_##name parameters;                                                             \
    type __wrap_##name parameters;                                                             \
    type __wrap_##name parameters                                                              \
    {                                                                                          \
        return fails(#name) ? (bad) : __real_##name arguments;                                 \
    }

WRAP(FILE *, fopen, NULL, (const char *path, const char *mode), (path, mode))
WRAP(size_t, fread, 0, (void *out, size_t size, size_t count, FILE *file),
     (out, size, count, file))
WRAP(int, rename, -1, (const char *from, const char *to), (from, to))
WRAP(int, remove, -1, (const char *path), (path))
WRAP(int, unlink, -1, (const char *path), (path))
WRAP(int, mkdir, -1, (const char *path, mode_t mode), (path, mode))
WRAP(int, stat, -1, (const char *path, struct stat *out), (path, out))
WRAP(int, fstat, -1, (int fd, struct stat *out), (fd, out))
WRAP(int, fstatat, -1, (int fd, const char *path, struct stat *out, int flags),
     (fd, path, out, flags))
WRAP(DIR *, opendir, NULL, (const char *path), (path))
WRAP(DIR *, fdopendir, NULL, (int fd), (fd))
WRAP(struct dirent *, readdir, NULL, (DIR * dir), (dir))
WRAP(ssize_t, read, -1, (int fd, void *out, size_t size), (fd, out, size))
WRAP(ssize_t, pread, -1, (int fd, void *out, size_t size, off_t at), (fd, out, size, at))
WRAP(ssize_t, pwrite, -1, (int fd, const void *data, size_t size, off_t at),
     (fd, data, size, at))
WRAP(int, lstat, -1, (const char *path, struct stat *out), (path, out))
WRAP(int, faccessat, -1, (int fd, const char *path, int mode, int flags),
     (fd, path, mode, flags))
WRAP(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
WRAP(int, renameat, -1, (int fd, const char *from, int to_fd, const char *to),
     (fd, from, to_fd, to))
WRAP(int, renameat2, -1, (int fd, const char *from, int to_fd, const char *to, unsigned flags),
     (fd, from, to_fd, to, flags))
WRAP(int, linkat, -1, (int fd, const char *from, int to_fd, const char *to, int flags),
     (fd, from, to_fd, to, flags))
WRAP(int, unlinkat, -1, (int fd, const char *path, int flags), (fd, path, flags))
WRAP(int, ftruncate, -1, (int fd, off_t size), (fd, size))
WRAP(int, flock, -1, (int fd, int what), (fd, what))
WRAP(int, fsync, -1, (int fd), (fd))
WRAP(int, dup, -1, (int fd), (fd))

/* Half of it may have been written. */
size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    const bool bad = fails("fwrite");
    const int code = errno;
    const size_t done = __real_fwrite(data, size, bad ? count / 2 : count, file);
    if (bad)
        errno = code;
    return done;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size)
{
    return fails("write") ? -1 : __real_write(fd, data, size);
}

/* What can't be written out is closed all the same. */
int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    const bool bad = fails("fclose");
    const int code = errno, closed = __real_fclose(file);
    if (!bad)
        return closed;
    errno = code;
    return EOF;
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    return fails("open") ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(list, unsigned) : 0;
    va_end(list);
    return fails("openat") ? -1 : __real_openat(folder, path, flags, mode);
}
