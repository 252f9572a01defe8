/*
 * Loaded before everything else (LD_PRELOAD), it kills the program, or fails its calls, at its
 * Nth change of a file: PORTOLAN_KILL_AT=N ends the process by SIGKILL just before it,
 * PORTOLAN_FAIL_AT=N lets it and all later ones of the program fail for want of space,
 * PORTOLAN_FAIL_ONE=N it alone. Changes are what makes, writes, syncs, renames or removes a
 * file or folder. At its end the program's changes are counted into the file
 * PORTOLAN_KILL_REPORT. PORTOLAN_READ_AT=N fails its Nth read by SQLite, as of a disk that goes
 * bad; then reads are counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long changes, kill_at, fail_at, fail_one, read_at;
static atomic_long reads;

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void)
{
    kill_at = number_of("PORTOLAN_KILL_AT");
    fail_at = number_of("PORTOLAN_FAIL_AT");
    fail_one = number_of("PORTOLAN_FAIL_ONE");
    read_at = getenv("PORTOLAN_READ_AT") ? number_of("PORTOLAN_READ_AT") : -1;
}

/* Does this change fail? */
static int fails(void)
{
    changes++;
    if (kill_at && changes == kill_at)
        (void)raise(SIGKILL);
    if (changes != fail_one && (!fail_at || changes < fail_at))
        return 0;
    errno = ENOSPC;
    return 1;
}

/* dlsym gives a pointer to an object, for which ISO C has no cast. */
#define WRAP(type, name, parameters, arguments)                                                \
    type name parameters                                                                       \
    {                                                                                          \
        static type(*real) parameters;                                                         \
        if (!real)                                                                             \
            *(void **)(void *)&real = dlsym(RTLD_NEXT, #name);                                 \
        return fails() ? (type)-1 : real arguments;                                            \
    }

WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
WRAP(int, fsync, (int fd), (fd))
/* These are SQLite's. */
WRAP(ssize_t, pwrite64, (int fd, const void *data, size_t size, int64_t offset),
     (fd, data, size, offset))
WRAP(int, fdatasync, (int fd), (fd))
WRAP(int, ftruncate64, (int fd, int64_t size), (fd, size))
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
WRAP(int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
WRAP(int, renameat, (int from, const char *old, int to, const char *new), (from, old, to, new))
WRAP(int, renameat2, (int from, const char *old, int to, const char *new, unsigned int flags),
     (from, old, to, new, flags))
WRAP(int, linkat, (int from, const char *old, int to, const char *new, int flags),
     (from, old, to, new, flags))
WRAP(int, futimens, (int fd, const struct timespec times[2]), (fd, times))

int openat(int folder, const char *path, int flags, ...)
{
    static int (*real)(int, const char *, int, ...);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list list;
        va_start(list, flags);
        /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above. */
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    if (!real)
        *(void **)(void *)&real = dlsym(RTLD_NEXT, "openat");
    if (flags & O_CREAT && fails())
        return -1;
    return real(folder, path, flags, mode);
}

ssize_t pread64(int fd, void *out, size_t size, int64_t offset)
{
    static ssize_t (*real)(int, void *, size_t, int64_t);
    if (!real)
        *(void **)(void *)&real = dlsym(RTLD_NEXT, "pread64");
    if (read_at < 0 || ++reads != read_at)
        return real(fd, out, size, offset);
    errno = EIO;
    return -1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("PORTOLAN_KILL_REPORT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", read_at < 0 ? changes : (long)reads);
    fclose(file);
}
