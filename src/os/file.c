#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PERMISSIONS = 0777, OWNER_ONLY = S_IRUSR | S_IWUSR };
/* An offset that means: read or write at the file's own position, and move that position on. */
enum { WHERE_IT_IS = -1 };

/* ---- what a file is ---- */

static bool take(file_facts *out, int result, const struct stat *info)
{
    if (result != 0)
        return false;
    const mode_t mode = info->st_mode;
    *out =
        (file_facts){.id = {(uint64_t)info->st_dev, (uint64_t)info->st_ino},
                     .kind = S_ISREG(mode)    ? FILE_REGULAR
                             : S_ISDIR(mode)  ? FILE_FOLDER
                             : S_ISLNK(mode)  ? FILE_LINK
                             : S_ISFIFO(mode) ? FILE_PIPE
                             : S_ISSOCK(mode) ? FILE_SOCKET
                             : S_ISCHR(mode)  ? FILE_CHARACTERS
                                              : FILE_BLOCKS,
                     .size = (uint64_t)info->st_size,
                     .names = (uint64_t)info->st_nlink,
                     .changed = {(int64_t)info->st_mtim.tv_sec, (int32_t)info->st_mtim.tv_nsec},
                     .permissions = (unsigned)mode & PERMISSIONS};
    return true;
}

bool file_look(file_facts *out, const char *path)
{
    struct stat info;
    return take(out, stat(path, &info), &info);
}

bool file_look_here(file_facts *out, const char *path)
{
    struct stat info;
    return take(out, lstat(path, &info), &info);
}

bool file_look_in(file_facts *out, int folder, const char *name)
{
    struct stat info;
    return take(out, fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW), &info);
}

bool file_look_through(file_facts *out, int folder, const char *name)
{
    struct stat info;
    return take(out, fstatat(folder, name, &info, 0), &info);
}

bool file_look_open(file_facts *out, int fd)
{
    struct stat info;
    return take(out, fstat(fd, &info), &info);
}

bool file_id_of_path(file_id *out, const char *path)
{
    file_facts facts;
    if (!file_look(&facts, path))
        return false;
    *out = facts.id;
    return true;
}

bool file_id_of(file_id *out, int fd)
{
    file_facts facts;
    if (!file_look_open(&facts, fd))
        return false;
    *out = facts.id;
    return true;
}

bool file_id_same(const file_id *a, const file_id *b)
{
    return a->device == b->device && a->inode == b->inode;
}

bool file_facts_same(const file_facts *a, const file_facts *b)
{
    return file_id_same(&a->id, &b->id) && a->size == b->size &&
           a->changed.seconds == b->changed.seconds &&
           a->changed.nanoseconds == b->changed.nanoseconds;
}

bool file_is_writable(const char *path)
{
    return access(path, W_OK) == 0;
}

char *file_real_path(const char *path)
{
    return realpath(path, NULL);
}

/* ---- opening ---- */

int file_open(const char *path, file_access access)
{
    static const int flags[] = {
        [FILE_READ] = O_RDONLY, [FILE_WRITE] = O_WRONLY, [FILE_READ_WRITE] = O_RDWR};
    return open(path, flags[access] | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int file_open_in(int folder, const char *name)
{
    return openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

int file_open_any(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int file_create(const char *path)
{
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, OWNER_ONLY);
}

bool file_close(int fd)
{
    return fd < 0 || close(fd) == 0;
}

/* ---- reading and writing ---- */

int64_t file_read(int fd, void *out, size_t size)
{
    return file_read_at(fd, out, size, WHERE_IT_IS);
}

int64_t file_read_at(int fd, void *out, size_t size, int64_t at)
{
    size_t done = 0;
    while (done < size) {
        void *to = (char *)out + done;
        const ssize_t n = at == WHERE_IT_IS
                              ? read(fd, to, size - done)
                              : pread(fd, to, size - done, (off_t)at + (off_t)done);
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR)
            return -1;
        done += n > 0 ? (size_t)n : 0;
    }
    return (int64_t)done;
}

bool file_write(int fd, const void *data, size_t size)
{
    return file_write_at(fd, data, size, WHERE_IT_IS);
}

bool file_write_at(int fd, const void *data, size_t size, int64_t at)
{
    for (size_t done = 0; done < size;) {
        const void *from = (const char *)data + done;
        const ssize_t n = at == WHERE_IT_IS
                              ? write(fd, from, size - done)
                              : pwrite(fd, from, size - done, (off_t)at + (off_t)done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool file_resize(int fd, int64_t size)
{
    return ftruncate(fd, (off_t)size) == 0;
}

/* EINVAL means that the file system can't sync files, or can't sync folders. That counts as
 * success, because nothing more can be done. */
bool file_sync(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL;
}

bool file_set_changed(int fd, file_time changed)
{
    const struct timespec times[2] = {
        {.tv_nsec = UTIME_OMIT},
        {.tv_sec = (time_t)changed.seconds, .tv_nsec = changed.nanoseconds}};
    return futimens(fd, times) == 0;
}

char *file_read_small(const char *path, size_t most, size_t *size)
{
    file_facts facts;
    char *text = NULL;
    int64_t n = -1;
    const int fd = file_open_any(path);
    int code;
    if (fd < 0 || !file_look_open(&facts, fd)) {
        code = errno;
    } else if (facts.kind != FILE_REGULAR || facts.size > most) {
        code = facts.kind == FILE_REGULAR ? EFBIG : EINVAL;
    } else {
        text = malloc((size_t)facts.size + 1);
        n = text ? file_read(fd, text, (size_t)facts.size) : -1;
        code = text ? errno : ENOMEM;
    }
    file_close(fd);
    if (n < 0) {
        free(text);
        errno = code;
        return NULL;
    }
    text[n] = '\0';
    *size = (size_t)n;
    return text;
}

/* ---- names ---- */

bool file_remove(const char *path)
{
    return unlink(path) == 0;
}

bool file_remove_in(int folder, const char *name)
{
    return unlinkat(folder, name, 0) == 0;
}

int file_move_to_free(int from, int to, const char *name)
{
    struct stat info;
#ifdef RENAME_NOREPLACE
    if (renameat2(from, name, to, name, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#endif
    if (fstatat(to, name, &info, AT_SYMLINK_NOFOLLOW) == 0)
        return EEXIST;
    return renameat(from, name, to, name) == 0 ? 0 : errno;
}
