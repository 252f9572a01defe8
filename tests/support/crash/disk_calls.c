/*
 * The calls for files of the whole test program: ours and those of the libraries that it is
 * linked with, since a program's own functions come before those of libc. Each does what it
 * should and, for what lies in the folder that is watched, tells the trace.
 */
#undef _FORTIFY_SOURCE /* it would define open itself */
#define _GNU_SOURCE
#include "support/crash/disk_trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANDLES = 1024 };

static struct {
    pthread_mutex_t lock;
    disk_trace *trace;
    int files[HANDLES]; /* by handle: 1 + the file's number; 0: not recorded */
} calls = {.lock = PTHREAD_MUTEX_INITIALIZER};

void disk_calls_watch(disk_trace *t)
{
    pthread_mutex_lock(&calls.lock);
    calls.trace = t;
    memset(calls.files, 0, sizeof calls.files);
    pthread_mutex_unlock(&calls.lock);
}

/* Looked up at the first call, which may come before main. */
#define NEXT(name)                                                                             \
    static __typeof__(name) *next;                                                             \
    if (!next)                                                                                 \
    *(void **)&next = dlsym(RTLD_NEXT, #name)

static void begin(void)
{
    pthread_mutex_lock(&calls.lock);
}

/* errno stays as the call left it. */
static void end(void)
{
    pthread_mutex_unlock(&calls.lock);
}

static int *file_of(int fd)
{
    static int none;
    none = 0;
    return fd >= 0 && fd < HANDLES ? &calls.files[fd] : &none;
}

/* ---- paths ---- */

/* Without double slashes, "." and ".."; links are not looked at: the folder has none inside. */
static void tidy(char *path)
{
    char *out = path;
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/");
        const char *next = at + length + (at[length] == '/');
        if (length == 2 && memcmp(at, "..", 2) == 0) {
            while (out > path && *--out != '/')
                ;
        } else if (length > 0 && !(length == 1 && *at == '.')) {
            *out++ = '/';
            memmove(out, at, length);
            out += length;
        }
        at = next;
    }
    *out = '\0';
}

static bool place_of(disk_place *out, int folder, const char *path)
{
    char whole[2048] = "", link[64];
    const int keep = errno;
    if (!calls.trace || !path)
        return false;
    if (path[0] != '/' && folder == AT_FDCWD) {
        if (!getcwd(whole, sizeof whole))
            return false;
    } else if (path[0] != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        const ssize_t n = readlink(link, whole, sizeof whole - 1);
        whole[n > 0 ? n : 0] = '\0';
    }
    const size_t size = strlen(whole);
    const int n = snprintf(whole + size, sizeof whole - size, "/%s", path);
    errno = keep;
    if (n < 0 || size + (size_t)n >= sizeof whole)
        return false;
    tidy(whole);
    return disk_trace_place(out, calls.trace, whole);
}

/* ---- opening and closing ---- */

static int note_open(int fd, int folder, const char *path, int flags)
{
    disk_place place;
    struct stat info;
    const int keep = errno;
    if (fd >= 0 && place_of(&place, folder, path) && fstat(fd, &info) == 0)
        *file_of(fd) = 1 + disk_trace_opened(calls.trace, &place, S_ISDIR(info.st_mode),
                                             flags & O_CREAT, flags & O_TRUNC);
    errno = keep;
    return fd;
}

#define OPEN(name, first_parameter, first_argument, folder)                                    \
    int name(first_parameter const char *path, int flags, ...)                                 \
    {                                                                                          \
        NEXT(name);                                                                            \
        va_list list;                                                                          \
        va_start(list, flags);                                                                 \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;          \
        va_end(list);                                                                          \
        begin();                                                                               \
        const int fd = note_open(next(first_argument path, flags, mode), folder, path, flags); \
        end();                                                                                 \
        return fd;                                                                             \
    }

#define NOTHING
#define FOLDER_PARAMETER int folder,
#define FOLDER_ARGUMENT  folder,
OPEN(open, NOTHING, NOTHING, AT_FDCWD)
OPEN(open64, NOTHING, NOTHING, AT_FDCWD)
OPEN(openat, FOLDER_PARAMETER, FOLDER_ARGUMENT, folder)
OPEN(openat64, FOLDER_PARAMETER, FOLDER_ARGUMENT, folder)

/* What a hardened build makes of open without a mode. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

int __open64_2(const char *path, int flags)
{
    return open64(path, flags);
}

int __openat_2(int folder, const char *path, int flags)
{
    return openat(folder, path, flags);
}

int __openat64_2(int folder, const char *path, int flags)
{
    return openat64(folder, path, flags);
}

int close(int fd)
{
    NEXT(close);
    begin();
    *file_of(fd) = 0;
    const int result = next(fd);
    end();
    return result;
}

/* ---- content ---- */

static void note_write(int fd, const void *data, ssize_t size, int64_t offset)
{
    const int file = *file_of(fd) - 1, keep = errno;
    if (calls.trace && file >= 0 && size > 0)
        disk_trace_write(calls.trace, file, data, (size_t)size, offset);
    errno = keep;
}

ssize_t write(int fd, const void *data, size_t size)
{
    NEXT(write);
    begin();
    const bool watched = calls.trace && *file_of(fd) > 0;
    const ssize_t done = next(fd, data, size);
    if (watched && done > 0)
        note_write(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
    end();
    return done;
}

#define PWRITE(name, offset_type)                                                              \
    ssize_t name(int fd, const void *data, size_t size, offset_type at)                        \
    {                                                                                          \
        NEXT(name);                                                                            \
        begin();                                                                               \
        const ssize_t done = next(fd, data, size, at);                                         \
        note_write(fd, data, done, at);                                                        \
        end();                                                                                 \
        return done;                                                                           \
    }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset_type)                                                           \
    int name(int fd, offset_type size)                                                         \
    {                                                                                          \
        NEXT(name);                                                                            \
        begin();                                                                               \
        const int result = next(fd, size);                                                     \
        if (result == 0 && calls.trace && *file_of(fd) > 0)                                    \
            disk_trace_truncate(calls.trace, *file_of(fd) - 1, size);                          \
        end();                                                                                 \
        return result;                                                                         \
    }

FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                                             \
    int name(int fd)                                                                           \
    {                                                                                          \
        NEXT(name);                                                                            \
        begin();                                                                               \
        const int result = next(fd);                                                           \
        if (result == 0 && calls.trace && *file_of(fd) > 0)                                    \
            disk_trace_sync(calls.trace, *file_of(fd) - 1);                                    \
        end();                                                                                 \
        return result;                                                                         \
    }

SYNC(fsync)
SYNC(fdatasync)

/* ---- names ---- */

static void note_name(int result, int folder, const char *path, bool enters, bool is_folder)
{
    disk_place place;
    const int keep = errno;
    if (result == 0 && place_of(&place, folder, path)) {
        if (enters)
            disk_trace_enter(calls.trace, &place, is_folder);
        else
            disk_trace_leave(calls.trace, &place);
    }
    errno = keep;
}

static void note_move(int result, int from_folder, const char *from, int to_folder,
                      const char *to, bool links)
{
    disk_place a, b;
    const int keep = errno;
    if (result == 0 && place_of(&a, from_folder, from) && place_of(&b, to_folder, to)) {
        if (links)
            disk_trace_link(calls.trace, &a, &b);
        else
            disk_trace_rename(calls.trace, &a, &b);
    }
    errno = keep;
}

/* A function of names: its parameters, arguments, and what is noted of its result. */
#define NAMES(name, parameters, arguments, note)                                               \
    int name parameters                                                                        \
    {                                                                                          \
        NEXT(name);                                                                            \
        begin();                                                                               \
        const int result = next arguments;                                                     \
        note;                                                                                  \
        end();                                                                                 \
        return result;                                                                         \
    }

NAMES(unlink, (const char *path), (path), note_name(result, AT_FDCWD, path, false, false))
NAMES(unlinkat, (int folder, const char *path, int flags), (folder, path, flags),
      note_name(result, folder, path, false, false))
NAMES(rmdir, (const char *path), (path), note_name(result, AT_FDCWD, path, false, true))
NAMES(mkdir, (const char *path, mode_t mode), (path, mode),
      note_name(result, AT_FDCWD, path, true, true))
NAMES(mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode),
      note_name(result, folder, path, true, true))
NAMES(rename, (const char *from, const char *to), (from, to),
      note_move(result, AT_FDCWD, from, AT_FDCWD, to, false))
NAMES(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to),
      note_move(result, a, from, b, to, false))
NAMES(renameat2, (int a, const char *from, int b, const char *to, unsigned flags),
      (a, from, b, to, flags), note_move(result, a, from, b, to, false))
NAMES(link, (const char *from, const char *to), (from, to),
      note_move(result, AT_FDCWD, from, AT_FDCWD, to, true))
NAMES(linkat, (int a, const char *from, int b, const char *to, int flags),
      (a, from, b, to, flags), note_move(result, a, from, b, to, true))
