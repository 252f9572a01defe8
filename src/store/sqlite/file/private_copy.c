#include "store/sqlite/file/open.h"

#include "core/error.h"
#include "os/file.h"
#include "os/folder.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/schema/schema_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SPARES: how many connections to a copy are opened beside the store's own. ptl_query uses such
 * a connection, and its callback may run another query. */
enum { SPARES = 3, BUFFER_SIZE = 1 << 16 };

struct private_copy {
    sqlite3 *spares[SPARES]; /* owned; further connections to the copy */
    bool lent[SPARES];
    char *source; /* owned; name of the file that was copied */
    bool wal;     /* the file that was copied is in WAL mode */
    ptl_store_copy about;
};

void private_copy_free(struct private_copy *copy)
{
    if (!copy)
        return;
    for (int i = 0; i < SPARES; i++)
        sqlite3_close(copy->spares[i]);
    free(copy->source);
    free(copy);
}

sqlite3 *private_copy_lend(ptl_store *store)
{
    struct private_copy *copy = store->copy;
    for (int i = 0; copy && i < SPARES; i++)
        if (!copy->lent[i]) {
            copy->lent[i] = true;
            return copy->spares[i];
        }
    return NULL;
}

void private_copy_take_back(ptl_store *store, sqlite3 *db)
{
    for (int i = 0; i < SPARES; i++)
        if (store->copy->spares[i] == db)
            store->copy->lent[i] = false;
}

const char *private_copy_source(const ptl_store *store)
{
    const char *name =
        store->copy ? store->copy->source : sqlite3_db_filename(store->db, "main");
    return name ? name : "";
}

bool private_copy_has_wal(const ptl_store *store)
{
    return store->copy && store->copy->wal;
}

const ptl_store_copy *sqlite_is_copy(const ptl_store *store)
{
    return store->copy ? &store->copy->about : NULL;
}

/* Returns a new struct that describes the store's file but has no copy yet; NULL if memory is
 * out. */
static struct private_copy *copy_new(ptl_store *store)
{
    const char *name = sqlite3_db_filename(store->db, "main");
    struct private_copy *copy = calloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    copy->source = strdup(name ? name : store->path);
    copy->wal = journal_file_has_wal(store);
    copy->about.size = sizeof copy->about;
    copy->about.now = migrate_last_version();
    if (copy->source)
        return copy;
    free(copy);
    return NULL;
}

/* Makes the store read the copy instead of the file. The store then owns db and `copy`. */
static ptl_status use_copy(ptl_store *store, struct private_copy *copy, sqlite3 *db,
                           ptl_error *err)
{
    for (size_t i = 0; i < STMT_COUNT; i++) {
        stmt_free(store->prepared[i]); /* the prepared statements belong to the connection that
                                        * is given up */
        store->prepared[i] = NULL;
    }
    sqlite3_close(store->db);
    store->db = db;
    store->copy = copy;
    return sqlite_harden(store, err);
}

static ptl_status heed_stop(const ptl_store *store, ptl_error *err)
{
    return sqlite_stopped(store) ? error_set(err, PTL_ERR_CANCELLED, "stopped") : PTL_OK;
}

/* A copy needs no journal file: the loss of the copy does not matter, and the copy has no name
 * beside which a journal could lie. */
static const char careless_sql[] = "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF";

static ptl_status bring_up_to_date(ptl_store *store, ptl_error *err)
{
    bool empty = false, current = false;
    ptl_status status = sqlite_exec(store, careless_sql, err);
    THEN(status, migrate_check(store, &empty, &current, err));
    if (status == PTL_OK && empty)
        status = error_set(err, PTL_ERR_FORMAT, "not a world file: it is empty");
    if (status == PTL_OK && !current)
        status = migrate(store, err);
    THEN(status, sqlite_exec(store, "PRAGMA query_only = ON", err));
    return status == PTL_OK ? PTL_OK
                            : error_prefix(err, status, "reading it through a private copy");
}

/* ---- files with a WAL or journal ---- */

typedef struct workshop {
    /* Owned: the name of the temporary folder; the name of the copy in it; and memory in which
     * the names of files beside the copy are made. */
    char *folder, *name, *tail;
    const char *source; /* borrowed: name of the file to be copied */
    char *beside; /* owned: memory in which the names of files beside the source are made */
} workshop;

enum { TAIL_ROOM = 16 }; /* bytes for the longest of TAILS and the NUL */
static const char *const TAILS[] = {"-wal", "-journal"};

/* Writes `name` followed by `tail` to `out`, which has TAIL_ROOM bytes more than the name. */
static const char *name_with(char *out, const char *name, const char *tail)
{
    snprintf(out, strlen(name) + TAIL_ROOM, "%s%s", name, tail);
    return out;
}

static ptl_status workshop_open(workshop *w, ptl_store *store, ptl_error *err)
{
    static const char NAME[] = "/copy";
    w->source = private_copy_source(store);
    TRY(snapshot_folder(&w->folder, store, err));
    const size_t room = strlen(w->folder) + sizeof NAME;
    w->name = malloc(room);
    w->tail = malloc(room + TAIL_ROOM);
    w->beside = malloc(strlen(w->source) + TAIL_ROOM);
    if (!w->name || !w->tail || !w->beside) {
        folder_remove(w->folder);
        free(w->name);
        w->name = NULL;
        return error_nomem(err);
    }
    snprintf(w->name, room, "%s%s", w->folder, NAME);
    return PTL_OK;
}

/* Copies a file. If `handle` is given, reads `whole` bytes through this handle of SQLite's;
 * otherwise reads all bytes from the descriptor `in`. */
static ptl_status copy_file(const ptl_store *store, const char *from, int in,
                            sqlite3_file *handle, int64_t whole, const char *to, ptl_error *err)
{
    uint8_t buffer[BUFFER_SIZE];
    const int out = file_create(to);
    ptl_status status = out < 0 ? own_files_failed(to, err) : PTL_OK;
    for (int64_t at = 0, n = 1; status == PTL_OK && n > 0; at += n) {
        if (!handle)
            n = file_read(in, buffer, sizeof buffer);
        else
            n = whole - at < BUFFER_SIZE ? whole - at : BUFFER_SIZE;
        if (n < 0)
            status = own_files_failed(from, err);
        else if (handle && n > 0 &&
                 handle->pMethods->xRead(handle, buffer, (int)n, at) != SQLITE_OK)
            status = error_set(err, PTL_ERR_IO, "%s: reading failed", from);
        else if (n > 0 && !file_write(out, buffer, (size_t)n))
            status = own_files_failed(to, err);
        else
            status = heed_stop(store, err);
    }
    if (!file_close(out) && status == PTL_OK)
        status = own_files_failed(to, err);
    return status;
}

/* Copies the file `from`, on which SQLite has no locks. *seen describes it, and is zeroed if
 * there is no such file. */
static ptl_status copy_beside(const ptl_store *store, const char *from, const char *to,
                              file_facts *seen, ptl_error *err)
{
    const int in = file_open_any(from);
    memset(seen, 0, sizeof *seen);
    if (in < 0)
        return errno == ENOENT ? PTL_OK : own_files_failed(from, err);
    ptl_status status = file_look_open(seen, in) ? PTL_OK : own_files_failed(from, err);
    if (status == PTL_OK && seen->kind != FILE_REGULAR)
        status = error_set(err, PTL_ERR_FORMAT, "%s: not a regular file", from);
    THEN(status, copy_file(store, from, in, NULL, 0, to, err));
    file_close(in);
    return status;
}

/* Copies the main file through SQLite's handle. To open it again and close it would release all
 * locks that this process has on it. */
static ptl_status copy_main(const workshop *w, ptl_store *store, uint64_t *size, ptl_error *err)
{
    sqlite3_file *file = sqlite_main_file(store->db);
    sqlite3_int64 whole = 0;
    if (!file || file->pMethods->xFileSize(file, &whole) != SQLITE_OK)
        return error_set(err, PTL_ERR_IO, "%s: its size can't be read", w->source);
    *size = (uint64_t)whole;
    return copy_file(store, w->source, -1, file, whole, w->name, err);
}

static bool is_as_it_was(const file_facts *a, const char *path)
{
    file_facts b;
    return file_look(&b, path) && a->id.inode == b.id.inode && a->size == b.size &&
           a->changed.seconds == b.changed.seconds &&
           a->changed.nanoseconds == b.changed.nanoseconds;
}

/* Copies the world file and its WAL or journal, as of one moment. No lock can assure that:
 * where a lock could be taken, the file could be read in place. Instead, sizes and times of the
 * files are compared afterwards; PTL_ERR_BUSY if one of them has changed. */
static ptl_status copy_all(const workshop *w, ptl_store *store, uint64_t *size, ptl_error *err)
{
    file_facts before, beside[2];
    ptl_status status =
        file_look(&before, w->source) ? PTL_OK : own_files_failed(w->source, err);
    for (int i = 0; i < 2 && status == PTL_OK; i++)
        status = copy_beside(store, name_with(w->beside, w->source, TAILS[i]),
                             name_with(w->tail, w->name, TAILS[i]), &beside[i], err);
    THEN(status, copy_main(w, store, size, err));
    bool same = status == PTL_OK && is_as_it_was(&before, w->source);
    for (int i = 0; i < 2 && same; i++)
        same = beside[i].id.inode == 0 ||
               is_as_it_was(&beside[i], name_with(w->beside, w->source, TAILS[i]));
    if (status == PTL_OK && !same)
        status = error_set(err, PTL_ERR_BUSY, "%s is being written", w->source);
    return status;
}

/* Fills the copy by SQLite's backup functions, in one read transaction. This is for a file
 * whose WAL SQLite can read in the file's own folder. */
static ptl_status fill_by_sqlite(const workshop *w, ptl_store *store, uint64_t *size,
                                 ptl_error *err)
{
    enum { PAGES_AT_ONCE = 1000 };
    sqlite3 *db = NULL;
    file_facts facts;
    int code = SQLITE_OK;
    bool own = false;
    ptl_status status =
        snapshot_connect(&db, w->name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (status == PTL_OK) /* one transaction around all calls of sqlite3_backup_step, so that
                             all pages are of the same moment */
        status = sqlite_begin_snapshot(store, &own, err);
    if (status == PTL_OK) {
        sqlite3_backup *backup = sqlite3_backup_init(db, "main", store->db, "main");
        while (backup && status == PTL_OK &&
               sqlite3_backup_step(backup, PAGES_AT_ONCE) == SQLITE_OK)
            status = heed_stop(store, err);
        code = backup ? sqlite3_backup_finish(backup) : sqlite3_extended_errcode(db);
        sqlite_end_snapshot(store, own);
    }
    if (status == PTL_OK && code != SQLITE_OK)
        status = error_set(err, sqlite_status(code), "copying %s: %s", w->source,
                           sqlite3_errstr(code));
    sqlite3_close(db);
    if (status == PTL_OK && file_look(&facts, w->name))
        *size = facts.size;
    return status;
}

typedef ptl_status fill_fn(const workshop *w, ptl_store *store, uint64_t *size, ptl_error *err);

/* Makes a copy of a file with a WAL or journal in a new temporary folder, and connects the
 * store to the copy. At the end, also after an error, the names of the folder and of all files
 * in it are removed. */
static ptl_status copy_log(ptl_store *store, fill_fn *fill, ptl_error *err)
{
    workshop w = {NULL, NULL, NULL, NULL, NULL};
    sqlite3 *db = NULL;
    int64_t version = 0;
    struct private_copy *copy = copy_new(store);
    ptl_status status = copy ? workshop_open(&w, store, err) : error_nomem(err);
    THEN(status, fill(&w, store, &copy->about.bytes, err));
    THEN(status, snapshot_connect(&db, w.name, SQLITE_OPEN_READWRITE, err));
    if (status == PTL_OK) {
        /* SQLite processes the WAL or journal now. Afterwards there is none, so the copy no
         * longer needs a name. */
        status = use_copy(store, copy, db, err);
        THEN(status, sqlite_exec(store, "PRAGMA journal_mode = DELETE", err));
        THEN(status, sqlite_pragma_int(store, "PRAGMA user_version", &version, err));
        for (int i = 0; i < SPARES && status == PTL_OK; i++)
            status = snapshot_connect(&copy->spares[i], w.name, SQLITE_OPEN_READONLY, err);
        copy->about.version = (int)version;
    } else {
        sqlite3_close(db);
        private_copy_free(copy);
    }
    if (w.name) {
        static const char *const all[] = {"", "-wal", "-journal", "-shm"};
        for (size_t i = 0; w.tail && i < sizeof all / sizeof *all; i++)
            file_remove(name_with(w.tail, w.name, all[i]));
        folder_remove(w.folder);
    }
    free(w.folder);
    free(w.name);
    free(w.tail);
    free(w.beside);
    return status == PTL_OK ? bring_up_to_date(store, err) : status;
}

ptl_status private_copy_settled(ptl_store *store, ptl_error *err)
{
    return copy_log(store, copy_all, err);
}

/* ---- files with an older schema ---- */

ptl_status private_copy_migrated(ptl_store *store, ptl_error *err)
{
    const snapshot_settings settings = {.folder = NULL};
    snapshot_connection list[1 + SPARES] = {{.writes = true}};
    int64_t version = 0;
    bool wal = false;
    struct private_copy *copy = copy_new(store);
    if (!copy)
        return error_nomem(err);
    ptl_status status = sqlite_pragma_int(store, "PRAGMA user_version", &version, err);
    if (status == PTL_OK)
        status =
            snapshot_copy(list, 1 + SPARES, &copy->about.bytes, &wal, store, &settings, err);
    for (int i = 0; i < SPARES; i++)
        copy->spares[i] = list[1 + i].db;
    if (status != PTL_OK || wal) {
        sqlite3_close(list[0].db);
        private_copy_free(copy);
    }
    if (status == PTL_OK && wal)
        return copy_log(store, fill_by_sqlite, err);
    if (status != PTL_OK)
        return error_prefix(
            err, status,
            "it is of an older schema (version %d), and is read through a copy; "
            "'portolan migrate' spares that",
            (int)version);
    copy->about.version = (int)version;
    TRY(use_copy(store, copy, list[0].db, err));
    return bring_up_to_date(store, err);
}
