#include "store/backup_target.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PARTIAL_MODE = 0600, OPEN_TRIES = 10 };

static ptl_status failed(const char *path, const char *what, int code, ptl_error *err)
{
    ptl_status status =
        code == EACCES || code == EPERM || code == EROFS ? PTL_ERR_READONLY : PTL_ERR_IO;
    return error_set(err, status, "%s: %s: %s", path, what, strerror(code));
}

/* path and end, new. */
static char *joined(const char *path, const char *end)
{
    size_t size = strlen(path) + strlen(end) + 1;
    char *out = malloc(size);
    if (out)
        snprintf(out, size, "%s%s", path, end);
    return out;
}

/* A journal under the name would be taken for the copy's own, and rolled back into it. */
static ptl_status check_no_journal(const char *path, ptl_error *err)
{
    static const char *const ends[] = {"-journal", "-wal"};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0] && status == PTL_OK; i++) {
        struct stat info;
        char *name = joined(path, ends[i]);
        if (!name)
            return error_nomem(err);
        if (lstat(name, &info) == 0 && info.st_size > 0)
            status = error_set(err, PTL_ERR_EXISTS,
                               "%s belongs to a database of this name that is in use or was "
                               "interrupted; choose another name",
                               name);
        free(name);
    }
    return status;
}

static ptl_status check_place(backup_target *t, const char *source, ptl_error *err)
{
    struct stat from, to;
    bool has_source = source && stat(source, &from) == 0;
    if (has_source)
        t->mode = from.st_mode & 0777;
    if (lstat(t->path, &to) != 0)
        return errno == ENOENT ? PTL_OK : failed(t->path, "can't be made", errno, err);
    if (stat(t->path, &to) == 0 && has_source && to.st_dev == from.st_dev &&
        to.st_ino == from.st_ino)
        return error_set(err, PTL_ERR_ARGUMENT, "%s is the file itself", t->path);
    if (!t->replace)
        return error_set(err, PTL_ERR_EXISTS, "%s exists already", t->path);
    if (lstat(t->path, &to) != 0 || !S_ISREG(to.st_mode))
        return error_set(err, PTL_ERR_EXISTS, "%s is no regular file; it is not replaced",
                         t->path);
    return PTL_OK;
}

/* *same false: the name has been taken away between opening and locking, by a backup that got
 * ready: the file is that backup now. */
static ptl_status lock_partial(const backup_target *t, bool *same, ptl_error *err)
{
    struct stat opened, named;
    if (flock(t->file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK
                   ? error_set(err, PTL_ERR_BUSY, "%s: another process is writing this backup",
                               t->partial)
                   : failed(t->partial, "can't be locked", errno, err);
    *same = fstat(t->file, &opened) == 0 && lstat(t->partial, &named) == 0 &&
            opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
    if (*same && !S_ISREG(opened.st_mode))
        return error_set(err, PTL_ERR_EXISTS, "%s is no regular file", t->partial);
    return PTL_OK;
}

static ptl_status open_partial(backup_target *t, ptl_error *err)
{
    ptl_status status = PTL_OK;
    bool same = false;
    for (int i = 0; i < OPEN_TRIES && status == PTL_OK && !same; i++) {
        if (t->file >= 0)
            close(t->file);
        t->file = open(t->partial, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                       PARTIAL_MODE);
        status = t->file < 0 ? failed(t->partial, "can't be made", errno, err)
                             : lock_partial(t, &same, err);
    }
    if (status == PTL_OK && !same)
        status = error_set(err, PTL_ERR_BUSY, "%s: other processes are writing this backup",
                           t->partial);
    if (status != PTL_OK && t->file >= 0) {
        close(t->file);
        t->file = -1; /* not ours to remove */
    }
    return status;
}

/* What SQLite left beside the unfinished copy, now or in a process that was killed. The copy is
 * locked: it is nobody else's. */
static void remove_leftovers(const backup_target *t)
{
    static const char *const ends[] = {"-journal", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char *name = joined(t->partial, ends[i]);
        if (name)
            unlink(name);
        free(name);
    }
}

ptl_status backup_target_open(backup_target *t, const char *source, const char *path,
                              bool replace, ptl_error *err)
{
    *t = (backup_target){.path = path, .replace = replace, .mode = PARTIAL_MODE, .file = -1};
    if (!path || !*path)
        return error_set(err, PTL_ERR_ARGUMENT, "no name for the backup");
    ptl_status status = check_place(t, source, err);
    if (status == PTL_OK)
        status = check_no_journal(path, err);
    t->partial = joined(path, "-partial");
    if (status == PTL_OK && !t->partial)
        status = error_nomem(err);
    if (status == PTL_OK)
        status = open_partial(t, err);
    if (status != PTL_OK)
        return status;
    remove_leftovers(t);
    return backup_target_resize(t, 0, err);
}

void backup_target_close(backup_target *t)
{
    if (t->file >= 0) {
        remove_leftovers(t);
        unlink(t->partial);
        close(t->file);
    }
    free(t->partial);
    t->partial = NULL;
    t->file = -1;
}

ptl_status backup_target_read(const backup_target *t, void *out, size_t *size, int64_t at,
                              ptl_error *err)
{
    size_t done = 0;
    while (done < *size) {
        ssize_t n = pread(t->file, (char *)out + done, *size - done, at + (off_t)done);
        if (n == 0)
            break;
        if (n < 0 && errno != EINTR)
            return failed(t->partial, "reading", errno, err);
        done += n > 0 ? (size_t)n : 0;
    }
    *size = done;
    return PTL_OK;
}

ptl_status backup_target_write(const backup_target *t, const void *data, size_t size,
                               int64_t at, ptl_error *err)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(t->file, (const char *)data + done, size - done, at + (off_t)done);
        if (n < 0 && errno != EINTR)
            return failed(t->partial, "writing", errno, err);
        done += n > 0 ? (size_t)n : 0;
    }
    return PTL_OK;
}

ptl_status backup_target_resize(const backup_target *t, int64_t size, ptl_error *err)
{
    return ftruncate(t->file, (off_t)size) == 0 ? PTL_OK
                                                : failed(t->partial, "resizing", errno, err);
}

static ptl_status sync_folder(const char *path, ptl_error *err)
{
    char *folder = joined(path, "");
    if (!folder)
        return error_nomem(err);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int file = open(slash ? folder : ".", O_RDONLY | O_CLOEXEC);
    ptl_status status = PTL_OK;
    if (file < 0 || fsync(file) != 0)
        status = failed(path, "syncing its directory", errno, err);
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}

/* Where a name must not be replaced, link() refuses it in one step; file systems without hard
 * links have only a check before. */
static ptl_status rename_new(const backup_target *t, ptl_error *err)
{
    struct stat info;
    if (link(t->partial, t->path) == 0) {
        unlink(t->partial);
        return PTL_OK;
    }
    if (errno == EEXIST || lstat(t->path, &info) == 0)
        return error_set(err, PTL_ERR_EXISTS, "%s exists already", t->path);
    return rename(t->partial, t->path) == 0 ? PTL_OK
                                            : failed(t->path, "can't be made", errno, err);
}

ptl_status backup_target_publish(backup_target *t, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (fchmod(t->file, t->mode) != 0 || fsync(t->file) != 0)
        status = failed(t->partial, "syncing", errno, err);
    if (status == PTL_OK)
        status = check_no_journal(t->path, err);
    if (status == PTL_OK && !t->replace)
        status = rename_new(t, err);
    else if (status == PTL_OK && rename(t->partial, t->path) != 0)
        status = failed(t->path, "can't be replaced", errno, err);
    if (status != PTL_OK)
        return status;
    close(t->file);
    t->file = -1; /* it has its name: nothing to remove */
    return sync_folder(t->path, err);
}
