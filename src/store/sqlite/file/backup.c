/*
 * Copies of a world file: backups (ptl_backup), and snapshots, which a long read uses in place
 * of the file. Copying the file in one go would lock writers out for all of that time (1 to 2 s
 * for 500 MB), and SQLite's own stepwise copy begins anew at each commit of another process.
 * Therefore, in rollback mode, the file is read in rounds, slice by slice. Each slice is read
 * under a lock of its own that lasts some milliseconds, and is written to the copy if it
 * differs from the copy.
 * The change counter in the file's header tells which commit a slice belongs to. The copy is
 * complete when all slices were read at the same value of the counter. The first round copies;
 * later rounds mostly compare, which is quick enough to fit between two commits. If even that
 * fails, a last round keeps its lock from the first slice to the end.
 * In WAL mode a reader locks nobody out, so SQLite's own copy runs in one read transaction.
 */
#include "store/sqlite/file/snapshot.h"

#include "core/error.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/folder.h"
#include "portolan/backup.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/schema/schema_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 4 << 20,
    FREE_ROUNDS = 4,  /* number of rounds that release the lock after each slice; a later round
                         keeps its lock until the copy is complete */
    API_PAGES = 1024, /* number of pages that one step of SQLite's backup functions copies */
    HEADER_SIZE = 28, /* bytes that are read of the file's header; the next three constants are
                       * offsets in the header */
    HEADER_WRITE_VERSION = 18,
    HEADER_READ_VERSION = 19, /* offset of a byte that is 2 in WAL mode, otherwise 1 */
    HEADER_COUNTER = 24
};

typedef struct copier {
    ptl_store *store;
    const ptl_backup_options *options;
    ptl_backup_report *report;
    backup_target target;
    double started, round_started, locked_at;
    /* SQLite's handle of the store's file; NULL if there is no file or it can't be read. */
    sqlite3_file *file;
    uint8_t *slice, *copied; /* owned; SLICE bytes each: a slice of the file, and the same slice
                              * of the copy */
    uint8_t header[HEADER_SIZE];
    int64_t size; /* size of the file when its header was read, in bytes */
    int64_t at;   /* offset of the file's next slice, in bytes */
    /* Bytes that were copied or compared while the change counter in the header had its present
     * value. When these are the whole file, the copy is complete, as all of it is of one
     * commit. */
    int64_t same;
    int64_t read; /* bytes read in this round */
    bool known;   /* the file's header and size have been read at least once */
    bool keep_lock, wal;
    bool held; /* the caller holds a read lock during the whole copy, so no further lock is
                  taken to read a part of the file */
} copier;

static ptl_status tell(copier *c, int64_t done, int64_t total, ptl_error *err)
{
    double at = clock_seconds(), took = at - c->round_started;
    ptl_backup_progress p = {.size = sizeof p,
                             .done = (uint64_t)done,
                             .total = (uint64_t)total,
                             .round = c->report->rounds,
                             .seconds = at - c->started};
    p.rate = took > 0 ? (double)done / took : 0;
    if (sqlite_stopped(c->store) ||
        (c->options->on_progress && !c->options->on_progress(c->options->payload, &p)))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; no backup was made");
    return PTL_OK;
}

/* ---- locks on the store's file ---- */

static ptl_status lock(copier *c, ptl_error *err)
{
    ptl_status status = sqlite_begin_read(c->store, err);
    c->locked_at = clock_seconds();
    return status;
}

static void unlock(copier *c)
{
    double held = clock_seconds() - c->locked_at;
    sqlite_rollback(c->store);
    if (held > c->report->held && !c->wal)
        c->report->held = held;
}

/* ---- rollback mode: reading the file in rounds ---- */

static ptl_status read_file(copier *c, void *out, int64_t size, int64_t at, ptl_error *err)
{
    int code = c->file->pMethods->xRead(c->file, out, (int)size, at);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(c->store, code, "reading the file", err);
}

/* Reads the header, whose counter identifies the commit. If it has changed, the slices of the
 * file that were copied before may be outdated. */
static ptl_status look(copier *c, ptl_error *err)
{
    uint8_t header[HEADER_SIZE];
    sqlite3_int64 size = 0;
    TRY(read_file(c, header, sizeof header, 0, err));
    if (c->file->pMethods->xFileSize(c->file, &size) != SQLITE_OK)
        return error_set(err, PTL_ERR_IO, "reading the file's size failed");
    c->wal = header[HEADER_READ_VERSION] == 2;
    if (!c->known || memcmp(header, c->header, sizeof header) != 0 || size != c->size)
        c->same = 0;
    memcpy(c->header, header, sizeof header);
    c->size = size;
    c->known = true;
    if (c->at >= size)
        c->at = 0;
    return PTL_OK;
}

/* Reads the next slice of the file (at most SLICE bytes) and the file's header under one lock.
 * The lock is released afterwards, except in the last round. */
static ptl_status take_slice(copier *c, int64_t *size, ptl_error *err)
{
    bool locks = !c->held && (!c->keep_lock || sqlite3_get_autocommit(c->store->db));
    TRY(locks ? lock(c, err) : PTL_OK);
    ptl_status status = look(c, err);
    *size = c->size - c->at < SLICE ? c->size - c->at : SLICE;
    if (status == PTL_OK && !c->wal)
        status = read_file(c, c->slice, *size, c->at, err);
    if (!c->held && (!c->keep_lock || status != PTL_OK))
        unlock(c);
    return status;
}

static void next_round(copier *c)
{
    c->report->rounds++;
    c->round_started = clock_seconds();
    c->read = 0;
    c->keep_lock = c->report->rounds > FREE_ROUNDS;
}

static ptl_status copy_by_circles(copier *c, ptl_error *err)
{
    c->slice = malloc(SLICE);
    c->copied = malloc(SLICE);
    ptl_status status = c->slice && c->copied ? PTL_OK : error_nomem(err);
    if (status == PTL_OK)
        next_round(c);
    while (status == PTL_OK) {
        int64_t size = 0;
        if (c->known && c->read >= c->size)
            next_round(c);
        status = take_slice(c, &size, err);
        if (status != PTL_OK || c->wal)
            break;
        size_t had = (size_t)size;
        status = backup_target_read(&c->target, c->copied, &had, c->at, err);
        if (status == PTL_OK && (had != (size_t)size || memcmp(c->slice, c->copied, had) != 0))
            status = backup_target_write(&c->target, c->slice, (size_t)size, c->at, err);
        c->same += size;
        c->read += size;
        c->at += size;
        if (status == PTL_OK)
            status = tell(c, c->read < c->size ? c->read : c->size, c->size, err);
        if (c->same >= c->size)
            break;
    }
    if (!c->held && !sqlite3_get_autocommit(c->store->db))
        unlock(c);
    THEN(status, backup_target_resize(&c->target, c->wal ? 0 : c->size, err));
    free(c->slice);
    free(c->copied);
    return status;
}

/* ---- copying by SQLite: files in WAL mode, and databases in memory ---- */

ptl_status snapshot_connect(sqlite3 **out, const char *name, int flags, ptl_error *err)
{
    if (sqlite3_open_v2(name, out, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL) ==
        SQLITE_OK)
        return PTL_OK;
    return !*out || sqlite3_errcode(*out) == SQLITE_NOMEM
               ? error_nomem(err)
               : error_set(err, PTL_ERR_IO, "%s: %s", name, sqlite3_errmsg(*out));
}

static ptl_status copy_into(copier *c, sqlite3 *to, ptl_error *err)
{
    /* Nothing else uses the copy before it is synced, so it needs neither a journal nor
     * syncs. */
    int code = sqlite3_exec(to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL,
                            NULL, NULL);
    sqlite3_backup *backup =
        code == SQLITE_OK ? sqlite3_backup_init(to, "main", c->store->db, "main") : NULL;
    if (!backup)
        return error_set(err, sqlite_status(sqlite3_errcode(to)), "%s: %s", c->target.name,
                         sqlite3_errmsg(to));
    ptl_status status = PTL_OK;
    while (status == PTL_OK && (code = sqlite3_backup_step(backup, API_PAGES)) == SQLITE_OK) {
        const int64_t total = sqlite3_backup_pagecount(backup);
        const int64_t done = total - sqlite3_backup_remaining(backup);
        status = tell(c, done * c->size, total * c->size, err);
    }
    if (status == PTL_OK && code != SQLITE_DONE)
        status = sqlite_error(c->store, code, "copying", err);
    code = sqlite3_backup_finish(backup);
    if (status == PTL_OK && code != SQLITE_OK)
        status =
            error_set(err, sqlite_status(code), "%s: %s", c->target.name, sqlite3_errstr(code));
    return status;
}

static ptl_status copy_by_sqlite(copier *c, ptl_error *err)
{
    sqlite3 *to = NULL;
    next_round(c);
    TRY(lock(c, err));
    ptl_status status = sqlite_pragma_int(c->store, "PRAGMA page_size", &c->size, err);
    THEN(status, snapshot_connect(&to, c->target.name, SQLITE_OPEN_READWRITE, err));
    THEN(status, copy_into(c, to, err));
    sqlite3_close(to);
    unlock(c);
    TRY(status);
    /* The copied header says that the file has a WAL, but the copy has none, so the header is
     * changed. */
    uint8_t versions[2];
    size_t size = sizeof versions;
    TRY(backup_target_read(&c->target, versions, &size, HEADER_WRITE_VERSION, err));
    if (size < sizeof versions)
        return PTL_OK;
    versions[0] = versions[1] = 1;
    return backup_target_write(&c->target, versions, sizeof versions, HEADER_WRITE_VERSION,
                               err);
}

/* ---- backups ---- */

enum { DAMAGE_SIZE = 200 };

/* Keeps the first message of a check that found damage in the copy. */
static void note_damage(void *payload, const char *message)
{
    char *first = payload;
    if (!first[0])
        snprintf(first, DAMAGE_SIZE, "%s", message);
}

static ptl_status check(const copier *c, ptl_error *err)
{
    const stop_hook stop = sqlite_stop_hook(c->store);
    const ptl_open_options options = {.size = sizeof options,
                                      .mode = PTL_OPEN_READ,
                                      .should_stop = stop.asked,
                                      .payload = stop.payload};
    char damage[DAMAGE_SIZE] = "";
    ptl_store *store = NULL;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_status status =
        sqlite_open(&store, c->target.name, &options, c->store->head.operations, err);
    THEN(status, integrity_check(store, "PRAGMA quick_check(1)", note_damage, damage, err));
    if (status == PTL_OK && damage[0])
        status = error_set(err, PTL_ERR_CORRUPT, "%s is damaged (%s); no backup was made",
                           c->store->path, damage);
    if (status == PTL_OK && c->options->verify)
        status = ptl_verify(&counts, store, NULL, NULL, err);
    if (status == PTL_OK && counts.problems > 0)
        status =
            error_set(err, PTL_ERR_CORRUPT, "%s is damaged (%llu problems); no backup was made",
                      c->store->path, (unsigned long long)counts.problems);
    ptl_store_close(store);
    return status;
}

ptl_status sqlite_backup(ptl_store *store, const char *path, const ptl_backup_options *options,
                         ptl_backup_report *report, ptl_error *err)
{
    ptl_error ignored;
    copier c = {.store = store,
                .options = options,
                .report = report,
                .target = {.file = -1},
                .file = sqlite_main_file(store->db),
                .started = clock_seconds()};
    err = err ? err : &ignored;
    error_clear(err);
    file_facts facts;
    const char *source = private_copy_source(c.store);
    ptl_status status = backup_target_open(&c.target, source, path, options->replace, err);
    if (status == PTL_OK && c.file)
        status = copy_by_circles(&c, err);
    if (status == PTL_OK && (!c.file || c.wal)) {
        report->rounds = 0;
        status = copy_by_sqlite(&c, err);
    }
    THEN(status, check(&c, err));
    if (status == PTL_OK && file_look_open(&facts, c.target.file))
        c.report->bytes = facts.size;
    THEN(status, backup_target_publish(&c.target, err));
    backup_target_close(&c.target);
    report->seconds = clock_seconds() - c.started;
    return status;
}

/* ---- snapshots ---- */

static const double MEGABYTE = 1e6;
static const char FOLDER_TAIL[] = "/portolan-XXXXXX", NAME_TAIL[] = "/snapshot";
enum { ROOM_TO_SPARE = 1 << 20 };

bool snapshot_wanted(ptl_store *store, char *whom, size_t room)
{
    const char *path = sqlite3_db_filename(store->db, "main");
    return !store->lock.path && !store->copy && path && *path &&
           writer_lock_seen(path, whom, room) && !journal_file_has_wal(store);
}

/* Returns the name of a folder as a new text: the given folder or, if it is NULL, the folder
 * where SQLite keeps its temporary files. NULL if memory is out. */
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

/* Checks, before copying begins, that the folder has room for a copy. */
static ptl_status check_room(uint64_t *size, ptl_store *source, const char *folder,
                             ptl_error *err)
{
    uint64_t there = 0;
    sqlite3_file *file = sqlite_main_file(source->db);
    sqlite3_int64 whole = 0;
    if (!file)
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

/* Makes a folder inside `parent` that only this user can read; *out is its name, new. */
static ptl_status make_own(char **out, const char *parent, const char *what, ptl_error *err)
{
    const size_t room = strlen(parent) + sizeof FOLDER_TAIL;
    *out = malloc(room);
    if (!*out)
        return error_nomem(err);
    snprintf(*out, room, "%s%s", parent, FOLDER_TAIL);
    if (folder_make_own(*out))
        return PTL_OK;
    const ptl_status status = failed(*out, what, err);
    free(*out);
    *out = NULL;
    return status;
}

/*
 * Creates the file of a snapshot and opens the connections to it, then removes the names of the
 * file and of its folder. SQLite opens the file at once, so it needs no name later. Since only
 * this user can read the folder, nobody else can put a journal beside the file.
 */
static ptl_status open_in(snapshot_connection *list, size_t count, int *fd, const char *folder,
                          ptl_error *err)
{
    char *own;
    TRY(make_own(&own, folder, "a snapshot can't be made in it", err));
    char *name = own_files_beside(own, NAME_TAIL);
    *fd = name ? file_create(name) : -1;
    ptl_status status = !name     ? error_nomem(err)
                        : *fd < 0 ? failed(name, "can't be made", err)
                                  : PTL_OK;
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = snapshot_connect(&list[i].db, name,
                                  list[i].writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY,
                                  err);
    if (*fd >= 0)
        file_remove(name);
    folder_remove(own);
    free(own);
    free(name);
    return status;
}

ptl_status snapshot_folder(char **out, ptl_store *source, ptl_error *err)
{
    char *parent = choose_folder(source, NULL);
    uint64_t size;
    *out = NULL;
    ptl_status status = parent ? check_room(&size, source, parent, err) : error_nomem(err);
    THEN(status, make_own(out, parent, "a copy can't be made in it", err));
    free(parent);
    return status;
}

/*
 * Copies the store's file, as it is at one moment, into the target. If `held` is true, the
 * caller has a read transaction open on the store during the whole copy. Otherwise the caller
 * has no transaction open, and the file is read in several short transactions. If the file is
 * in WAL mode, nothing is copied and *wal is set.
 */
static ptl_status backup_copy(const backup_target *target, ptl_store *store, bool held,
                              const ptl_backup_options *options, bool *wal, ptl_error *err)
{
    ptl_backup_report report = PTL_BACKUP_REPORT_INIT;
    copier c = {.store = store,
                .options = options,
                .report = &report,
                .target = *target,
                .file = sqlite_main_file(store->db),
                .held = held,
                .started = clock_seconds()};
    const ptl_status status =
        c.file ? copy_by_circles(&c, err)
               : error_set(err, PTL_ERR_ARGUMENT, "no file that could be copied");
    *wal = c.wal;
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
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    char *file = source->file ? strdup(source->file) : NULL;
    ptl_store *s = source->file && !file ? NULL
                                         : sqlite_store_new(source->path, file, &options,
                                                            source->head.operations);
    if (!s)
        return error_nomem(err);
    s->busy = source->busy;
    s->interrupt.stop = source->interrupt.stop;
    s->lock.fd = -1;
    uint64_t size;
    ptl_status status = snapshot_open(&s->db, &size, source, &settings, err);
    const bool made = status == PTL_OK && s->db;
    if (made) {
        status = sqlite_harden(s, err);
        THEN(status, schema_check(s, err));
    }
    if (made && status == PTL_OK)
        *out = s;
    else
        ptl_store_close(s);
    return status;
}
