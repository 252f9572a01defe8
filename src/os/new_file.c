/* Writes a file under a temporary name and renames it. Files are handled by POSIX calls
 * relative to the folder's descriptor (openat, write, fsync, renameat, linkat, unlinkat) and by
 * Linux's renameat2, the only call that renames without replacing. */
#include "os/new_file.h"

#include "core/error.h"
#include "os/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    /* NAME_KEPT: the temporary name begins with the file's name, of which it keeps at most
     * so many bytes. So SQLite has room to append its suffixes to the temporary name. */
    NAME_KEPT = 215,
    TAIL_ROOM = 40,
    ATTEMPTS = 100,
    ANYBODY_WRITES = S_IWUSR | S_IWGRP | S_IWOTH,
    OWNER_ONLY = S_IRUSR | S_IWUSR /* permissions until the file is complete */
};

/* ---- names ---- */

/* Returns the part of a path after the last slash. */
static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static ptl_status failed(const char *path, const char *what, int code, ptl_error *err)
{
    const bool refused = code == EACCES || code == EPERM || code == EROFS;
    return error_system(err, refused ? PTL_ERR_READONLY : PTL_ERR_IO, code, "%s%s%s", path,
                        what[0] ? ": " : "", what);
}

/* ---- what may be replaced ---- */

static bool is_input(const new_file *f, const file_facts *facts)
{
    for (size_t i = 0; i < f->options.input_count; i++)
        if (file_id_same(&facts->id, &f->options.inputs[i]))
            return true;
    return false;
}

/* Is the regular file a database? A file that can't be read is treated as one, so that it is
 * not replaced. */
static bool may_be_database(const new_file *f, const char *name)
{
    static const char MAGIC[] = "SQLite format 3";
    char head[sizeof MAGIC];
    const int fd = file_open_in(f->folder, name);
    if (fd < 0)
        return errno != ENOENT;
    const int64_t size = file_read_at(fd, head, sizeof head, 0);
    file_close(fd);
    return size < 0 || (size == (int64_t)sizeof head && memcmp(head, MAGIC, sizeof head) == 0);
}

/* Refuses names that end like the files which SQLite or Portolan keep beside a database: SQLite
 * would use such a file as its own. */
static ptl_status check_beside(const new_file *f, ptl_error *err)
{
    static const char *const tails[] = {"-journal", "-wal", "-shm", "-lock"};
    const char *name = last_name(f->path);
    const size_t length = strlen(name);
    if (f->options.rule == NEW_FILE_OWN_NAME)
        return PTL_OK;
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        const size_t tail = strlen(tails[i]);
        file_facts facts;
        char base[NAME_MAX + 1];
        if (length <= tail || length > NAME_MAX || strcmp(name + length - tail, tails[i]) != 0)
            continue;
        memcpy(base, name, length - tail);
        base[length - tail] = '\0';
        if (!file_look_in(&facts, f->folder, base) || facts.kind != FILE_REGULAR)
            continue;
        if (is_input(f, &facts) || may_be_database(f, base))
            return error_set(err, PTL_ERR_ARGUMENT,
                             "%s: a name that belongs to the database %s; choose another one",
                             f->path, base);
    }
    return PTL_OK;
}

static bool wants_nothing_there(const new_file *f)
{
    return f->options.rule == NEW_FILE_ABSENT || f->options.rule == NEW_FILE_OWN_NAME;
}

/* Checks what is at the path, if anything. *device is set if it is a device that may be written
 * to. */
static ptl_status check_target(new_file *f, bool *device, ptl_error *err)
{
    static const char *const names[] = {
        [FILE_FOLDER] = "a folder",     [FILE_LINK] = "a symbolic link",
        [FILE_PIPE] = "a named pipe",   [FILE_SOCKET] = "a socket",
        [FILE_CHARACTERS] = "a device", [FILE_BLOCKS] = "a device"};
    file_facts facts;
    const char *name = last_name(f->path);
    *device = false;
    if (!file_look_in(&facts, f->folder, name))
        return errno == ENOENT ? check_beside(f, err) : failed(f->path, "", errno, err);
    *device = facts.kind == FILE_CHARACTERS && f->options.device;
    if (*device)
        return PTL_OK;
    if (facts.kind == FILE_LINK)
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s is a symbolic link, and none is followed: name the file itself",
                         f->path);
    if (facts.kind != FILE_REGULAR)
        return error_set(err, PTL_ERR_ARGUMENT, "%s is %s, and only a regular file is replaced",
                         f->path, names[facts.kind]);
    f->replaced = facts.permissions;
    TRY(check_beside(f, err));
    if (is_input(f, &facts))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s is the file itself that is read; choose another name", f->path);
    if (wants_nothing_there(f))
        return error_set(err, PTL_ERR_EXISTS, "%s exists already", f->path);
    if (f->options.rule == NEW_FILE_FORCE)
        return PTL_OK;
    if ((facts.permissions & ANYBODY_WRITES) == 0)
        return error_set(err, PTL_ERR_READONLY, "%s is write-protected: it is not replaced",
                         f->path);
    if (faccessat(f->folder, name, W_OK, AT_EACCESS) != 0)
        return failed(f->path, "it is not replaced", errno, err);
    if (may_be_database(f, name))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "%s is a database: it is not replaced; choose another name", f->path);
    return PTL_OK;
}

/* ---- opening ---- */

/* Returns the permissions that the finished file shall have; 0: the default that the umask
 * allows. */
static unsigned wanted_permissions(const new_file *f)
{
    return f->options.permissions != 0 ? f->options.permissions : f->replaced;
}

/* Makes the temporary file PATH.portolan-XXXXXXXXXXXX.tmp. A name that is too long is cut
 * between two UTF-8 characters. A path without a folder gets "./" before it, so that SQLite
 * never takes it for a URI. */
static ptl_status open_temporary(new_file *f, ptl_error *err)
{
    const size_t room = strlen(f->path) + TAIL_ROOM;
    const mode_t mode = wanted_permissions(f) != 0 ? (mode_t)OWNER_ONLY : 0666;
    const char *name = last_name(f->path);
    const bool bare = name == f->path;
    size_t kept = strlen(name);
    if (kept > NAME_KEPT)
        for (kept = NAME_KEPT; kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80; kept--)
            continue;
    f->temporary = malloc(room);
    if (!f->temporary)
        return error_nomem(err);
    for (int i = 0; i < ATTEMPTS; i++) {
        /* A number that other programs can't guess makes a clash of names unlikely; O_EXCL
         * makes sure that the name is new. */
        uint64_t number = 0;
        if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
            struct timespec now = {0, 0};
            clock_gettime(CLOCK_REALTIME, &now);
            number = (uint64_t)now.tv_nsec * UINT64_C(0x9e3779b97f4a7c15) +
                     (uint64_t)now.tv_sec + (uint64_t)getpid() * UINT64_C(0xbf58476d1ce4e5b9) +
                     (uint64_t)i;
        }
        snprintf(f->temporary, room, "%.*s%.*s.portolan-%012llx.tmp",
                 bare ? 2 : (int)(name - f->path), bare ? "./" : f->path, (int)kept, name,
                 (unsigned long long)(number & UINT64_C(0xffffffffffff)));
        f->fd = openat(f->folder, last_name(f->temporary),
                       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (f->fd >= 0 || errno != EEXIST)
            break;
    }
    return f->fd >= 0 ? PTL_OK : failed(f->path, "can't be made", errno, err);
}

static ptl_status open_there(new_file *f, ptl_error *err)
{
    bool device = false;
    const size_t size = (size_t)(last_name(f->path) - f->path);
    char *folder = strdup(size > 0 ? f->path : ".");
    if (!folder)
        return error_nomem(err);
    if (size > 0) /* the folder "/" keeps its slash */
        folder[size > 1 ? size - 1 : size] = '\0';
    f->folder = folder_open(folder);
    const int code = errno;
    free(folder);
    errno = code;
    if (f->folder < 0 && (errno == ENOENT || errno == ENOTDIR))
        return error_system(err, PTL_ERR_NOT_FOUND, errno, "%s: its folder", f->path);
    if (f->folder < 0)
        return failed(f->path, "its folder", errno, err);
    TRY(check_target(f, &device, err));
    if (!device)
        return open_temporary(f, err);
    file_facts facts;
    f->fd = openat(f->folder, last_name(f->path), O_WRONLY | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC);
    if (f->fd < 0 || !file_look_open(&facts, f->fd))
        return failed(f->path, "", errno, err);
    if (facts.kind != FILE_CHARACTERS)
        return error_set(err, PTL_ERR_ARGUMENT, "%s was replaced just now", f->path);
    close(f->folder);
    f->folder = -1;
    return PTL_OK;
}

ptl_status new_file_open(new_file *f, const char *path, const new_file_options *options,
                         ptl_error *err)
{
    *f = (new_file){.fd = -1, .folder = -1, .options = *options};
    if (!path || !*path)
        return error_set(err, PTL_ERR_ARGUMENT, "no name for the file");
    f->path = strdup(path);
    if (!f->path)
        return error_nomem(err);
    const ptl_status status = open_there(f, err);
    if (status != PTL_OK)
        new_file_close(f);
    return status;
}

ptl_status new_file_write(new_file *f, const void *data, size_t size, ptl_error *err)
{
    return file_write(f->fd, data, size) ? PTL_OK : failed(f->path, "", errno, err);
}

/* ---- publishing the file under its name ---- */

ptl_status new_file_sync(new_file *f, ptl_error *err)
{
    const mode_t mode = (mode_t)wanted_permissions(f);
    if (!f->temporary)
        return PTL_OK;
    if (mode != 0 && fchmod(f->fd, mode) != 0)
        return failed(f->path, "its permissions", errno, err);
    return file_sync(f->fd) ? PTL_OK : failed(f->path, "syncing", errno, err);
}

/* Does the name still belong to this file? Another process may have replaced the file. */
static bool is_named(const new_file *f, const char *path)
{
    file_facts there;
    file_id own;
    return file_look_in(&there, f->folder, last_name(path)) && file_id_of(&own, f->fd) &&
           file_id_same(&there.id, &own);
}

/* Renames the temporary file without replacing another file. Returns 0 or an errno; EEXIST if
 * the name is taken. On file systems that support neither renameat2 nor hard links, only the
 * caller's earlier check protects the name. */
static int rename_to_absent(const new_file *f)
{
    const char *from = last_name(f->temporary), *to = last_name(f->path);
#ifdef RENAME_NOREPLACE
    if (renameat2(f->folder, from, f->folder, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#endif
    if (linkat(f->folder, from, f->folder, to, 0) == 0) {
        /* If this call fails, the file keeps its temporary name beside the new one. */
        unlinkat(f->folder, from, 0);
        return 0;
    }
    if (errno == EEXIST)
        return EEXIST;
    return renameat(f->folder, from, f->folder, to) == 0 ? 0 : errno;
}

ptl_status new_file_rename(new_file *f, ptl_error *err)
{
    bool device = false;
    if (!f->temporary)
        return PTL_OK;
    f->options.device = false;
    ptl_status status = check_target(f, &device, err);
    if (status == PTL_OK && !is_named(f, f->temporary))
        status = error_set(err, PTL_ERR_IO, "%s: %s was taken away", f->path, f->temporary);
    if (status != PTL_OK)
        return status;
    const char *from = last_name(f->temporary), *to = last_name(f->path);
    int code = 0;
    if (wants_nothing_there(f))
        code = rename_to_absent(f);
    else if (renameat(f->folder, from, f->folder, to) != 0)
        code = errno;
    if (code == EEXIST)
        return error_set(err, PTL_ERR_EXISTS, "%s exists already", f->path);
    if (code != 0)
        return failed(f->path, "", code, err);
    f->has_name = true;
    return PTL_OK;
}

ptl_status new_file_sync_folder(new_file *f, ptl_error *err)
{
    if (!f->temporary || file_sync(f->folder))
        return PTL_OK;
    const ptl_status status = failed(f->path, "syncing its folder", errno, err);
    if (f->options.rule == NEW_FILE_ABSENT && f->has_name && is_named(f, f->path))
        f->has_name = !file_remove_in(f->folder, last_name(f->path));
    return status;
}

ptl_status folder_sync(const char *folder, ptl_error *err)
{
    const int fd = folder_open(folder);
    ptl_status status = PTL_OK;
    if (fd < 0 || !file_sync(fd))
        status = failed(folder, "syncing it", errno, err);
    file_close(fd);
    return status;
}

ptl_status new_file_publish(new_file *f, ptl_error *err)
{
    TRY(new_file_sync(f, err));
    TRY(new_file_rename(f, err));
    return new_file_sync_folder(f, err);
}

void new_file_close(new_file *f)
{
    if (!f->path)
        return;
    if (f->temporary && f->fd >= 0 && !f->has_name && is_named(f, f->temporary))
        unlinkat(f->folder, last_name(f->temporary), 0);
    file_close(f->fd);
    file_close(f->folder);
    free(f->temporary);
    free(f->path);
    *f = (new_file){.fd = -1, .folder = -1};
}
