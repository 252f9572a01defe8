#include "store/sqlite/file/snapshot.h"

#include "core/error.h"
#include "os/file.h"
#include "os/folder.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MEGABYTE = 1e6;
static const char FOLDER_TAIL[] = "/portolan-XXXXXX", NAME_TAIL[] = "/snapshot";
enum { ROOM_TO_SPARE = 1 << 20 };

bool snapshot_wanted(ptl_store *store, char *whom, size_t room)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    return !store->lock.path && !store->copy && path && *path &&
           writer_lock_seen(path, whom, room) && !journal_file_has_wal(store);
}

/* Returns a new name, or NULL when memory is out. By default it is the folder where SQLite
 * keeps its temporary files. */
static char *choose_folder(ptl_store *source, const char *folder)
{
    char *name = NULL, *slash, *out;
    if (folder)
        return strdup(folder);
    if (sqlite3_file_control(source->db, "main", SQLITE_FCNTL_TEMPFILENAME, &name) != SQLITE_OK)
        name = NULL;
    slash = name ? strrchr(name, '/') : NULL;
    if (slash)
        slash[slash == name] = '\0';
    out = strdup(slash ? name : "/tmp");
    sqlite3_free(name);
    return out;
}

static ptl_status failed(const char *folder, const char *what, ptl_error *err)
{
    return error_system(err, PTL_ERR_IO, errno, "%s: %s", folder, what);
}

/* Checks that the folder has room for a copy, before copying begins. */
static ptl_status check_room(uint64_t *size, ptl_store *source, const char *folder,
                             ptl_error *err)
{
    uint64_t there = 0;
    sqlite3_file *file = NULL;
    sqlite3_int64 whole = 0;
    const int code = sqlite3_file_control(source->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods)
        return error_set(err, PTL_ERR_ARGUMENT, "a store in memory has no snapshot");
    if (file->pMethods->xFileSize(file, &whole) != SQLITE_OK)
        return error_set(err, PTL_ERR_IO, "reading the file's size failed");
    *size = (uint64_t)whole;
    if (!folder_room(&there, folder))
        return failed(folder, "a snapshot can't be made in it", err);
    if (there >= *size + ROOM_TO_SPARE)
        return PTL_OK;
    if (err && err->status == PTL_OK)
        err->system_code = ENOSPC;
    return error_set(
        err, PTL_ERR_IO,
        "a copy of the file is to be read, and %s has no room for it: it takes %.1f "
        "MB, and %.1f MB are free. TMPDIR names another folder",
        folder, (double)*size / MEGABYTE, (double)there / MEGABYTE);
}

ptl_status snapshot_connect(sqlite3 **out, const char *name, int flags, ptl_error *err)
{
    if (sqlite3_open_v2(name, out, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL) ==
        SQLITE_OK)
        return PTL_OK;
    return !*out || sqlite3_errcode(*out) == SQLITE_NOMEM
               ? error_nomem(err)
               : error_set(err, PTL_ERR_IO, "%s: %s", name, sqlite3_errmsg(*out));
}

/*
 * Creates the file and opens the connections to it, then removes both the file's and the
 * folder's name; SQLite opens the file at once, so it needs no name later. The folder is
 * private, so that nobody else can put a journal with a matching name beside the file.
 */
static ptl_status open_in(snapshot_connection *list, size_t count, int *fd, const char *folder,
                          ptl_error *err)
{
    const size_t room = strlen(folder) + sizeof FOLDER_TAIL + sizeof NAME_TAIL;
    char *own = malloc(room), *name = malloc(room);
    ptl_status status = own && name ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        snprintf(own, room, "%s%s", folder, FOLDER_TAIL);
        if (!folder_make_own(own))
            status = failed(own, "a snapshot can't be made in it", err);
    }
    if (status == PTL_OK) {
        snprintf(name, room, "%s%s", own, NAME_TAIL);
        *fd = file_create(name);
        if (*fd < 0)
            status = failed(name, "can't be made", err);
        for (size_t i = 0; i < count && status == PTL_OK; i++)
            status = snapshot_connect(
                &list[i].db, name,
                list[i].writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, err);
        if (*fd >= 0)
            file_remove(name);
        folder_remove(own);
    }
    free(own);
    free(name);
    return status;
}

ptl_status snapshot_folder(char **out, ptl_store *source, ptl_error *err)
{
    char *parent = choose_folder(source, NULL);
    const size_t room = (parent ? strlen(parent) : 0) + sizeof FOLDER_TAIL;
    char *own = parent ? malloc(room) : NULL;
    uint64_t size;
    *out = NULL;
    ptl_status status = own ? check_room(&size, source, parent, err) : error_nomem(err);
    if (status == PTL_OK) {
        snprintf(own, room, "%s%s", parent, FOLDER_TAIL);
        if (!folder_make_own(own))
            status = failed(own, "a copy can't be made in it", err);
    }
    free(parent);
    if (status == PTL_OK)
        *out = own;
    else
        free(own);
    return status;
}

ptl_status snapshot_copy(snapshot_connection *list, size_t count, uint64_t *size, bool *wal,
                         ptl_store *source, const snapshot_settings *settings, ptl_error *err)
{
    int fd = -1;
    *size = 0;
    *wal = journal_file_has_wal(source);
    if (*wal)
        return PTL_OK;
    char *folder = choose_folder(source, settings->folder);
    ptl_status status = folder ? check_room(size, source, folder, err) : error_nomem(err);
    THEN(status, open_in(list, count, &fd, folder, err));
    char name[] = "the snapshot";
    const backup_target target = {.name = name, .file = fd};
    const ptl_backup_options options = {.size = sizeof options,
                                        .on_progress = settings->on_progress,
                                        .payload = settings->payload};
    THEN(status, backup_copy(&target, source, settings->held, &options, wal, err));
    file_close(fd);
    free(folder);
    return status;
}

ptl_status snapshot_open(sqlite3 **out, uint64_t *size, ptl_store *source,
                         const snapshot_settings *settings, ptl_error *err)
{
    snapshot_connection one = {.writes = false};
    bool wal = false;
    ptl_status status = snapshot_copy(&one, 1, size, &wal, source, settings, err);
    *out = one.db;
    if (status != PTL_OK || wal) {
        sqlite3_close(one.db);
        *out = NULL;
    }
    return status;
}

ptl_status snapshot_if_wanted(ptl_store **out, ptl_store *source, ptl_error *err)
{
    const snapshot_settings settings = {0};
    *out = NULL;
    if (!sqlite3_get_autocommit(source->db) || !snapshot_wanted(source, NULL, 0))
        return PTL_OK;
    ptl_store *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->head.operations = source->head.operations;
    s->mode = PTL_OPEN_READ;
    s->busy = source->busy;
    s->interrupt.stop = source->interrupt.stop;
    s->lock.fd = -1;
    s->scratch = row_scratch_new();
    uint64_t size;
    ptl_status status =
        s->scratch ? snapshot_open(&s->db, &size, source, &settings, err) : error_nomem(err);
    if (status == PTL_OK && s->db) {
        s->path = strdup(source->path);
        s->file = source->file ? strdup(source->file) : NULL;
        busy_install(s);
        interrupt_install(s);
        if (!s->path || (source->file && !s->file))
            status = error_nomem(err);
        THEN(status, sqlite_harden(s, err));
        THEN(status, schema_check(s, err));
    }
    if (status == PTL_OK && s->db) {
        *out = s;
        return PTL_OK;
    }
    ptl_store_close(s);
    return status;
}
