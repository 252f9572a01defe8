/*
 * Opens and closes a world file: checks that it is one (own_files.c), and takes the lock if it
 * is to be written (writer_lock.c). It sets the pragmas that keep the file safe (full sync; for
 * the journal see journal_set) and the switches that make a hostile file harmless.
 * Also reads and sets the journal mode, decides which connection checkpoints a WAL file, and
 * makes scratch files: throw-away files with the content of another file, for worlds that need
 * not last.
 */
#include "core/error.h"
#include "core/sized.h"
#include "os/clock.h"
#include "os/file.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char IN_MEMORY[] = ":memory:";
enum { DEFAULT_BUSY_TIMEOUT_MS = 10000, LENGTH_LIMIT = 64 << 20 };

/* cache_spill: how many changed pages (of 2 kB) may stay in memory. It is so large that a batch
 * of chunks stays there until its commit. To write part of a batch earlier, SQLite would have
 * to wait for readers in the middle of the transaction. */
static const char settings_sql[] = "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                                   "PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
                                   "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;"
                                   "PRAGMA cache_spill = 4000;";

/* Lets a connection checkpoint the WAL when the WAL has `pages` pages, and when the connection
 * is closed. With 0 the connection never checkpoints; that must be set before its first
 * statement. */
static ptl_status set_checkpoints(ptl_store *store, int pages, ptl_error *err)
{
    int code = sqlite3_wal_autocheckpoint(store->db, pages);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, pages == 0, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err);
}

ptl_status sqlite_harden(ptl_store *store, ptl_error *err)
{
    busy_install(store);
    interrupt_install(store);
    const int code = sqlite_distrust(store->db);
    if (code != SQLITE_OK)
        return sqlite_error(store, code, "configuring SQLite", err);
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LENGTH_LIMIT);
    TRY(set_checkpoints(store, 0, err));
    return sqlite_exec(store, settings_sql, err);
}

/* In all functions from here on err is not NULL: sqlite_open replaces NULL by a record of its
 * own. */
static ptl_status connect(ptl_store *store, int flags, ptl_error *err)
{
    int code = sqlite3_open_v2(store->file ? store->file : IN_MEMORY, &store->db,
                               flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return sqlite_error(store, code, "opening the file", err);
    TRY(own_files_check_head(store, &store->beside, err));
    return sqlite_harden(store, err);
}

static ptl_status connect_read(ptl_store *store, bool *empty, bool *current, ptl_error *err)
{
    TRY(connect(store, SQLITE_OPEN_READONLY, err));
    return migrate_check(store, empty, current, err);
}

/* Opens a file beside which lies the journal of a writer that was killed. If the journal can't
 * be rolled back there, the store reads a copy in which it was rolled back. */
static ptl_status open_after_rollback(ptl_store *store, bool *empty, bool *current,
                                      ptl_error *err)
{
    ptl_error why = {0};
    /*
     * Rolls the journal back. A connection that only reads may not do that, so a second
     * connection is opened for writing and does nothing else. A WAL needs no such help, since
     * readers can read it as it is.
     */
    ptl_store helper = {.path = store->path,
                        .file = store->file,
                        .beside = store->beside,
                        .busy = store->busy,
                        .interrupt = store->interrupt};
    int64_t ignored;
    ptl_status status = connect(&helper, SQLITE_OPEN_READWRITE, &why);
    THEN(status, sqlite_pragma_int(&helper, "PRAGMA user_version", &ignored, &why));
    sqlite3_close(helper.db);
    if (status != PTL_OK)
        error_prefix(&why, status, "rolling back an interrupted write");
    const bool fixed = status == PTL_ERR_READONLY || why.backend_code == SQLITE_CANTOPEN;
    if (status != PTL_OK && !fixed)
        return error_copy(err, &why);
    if (status != PTL_OK)
        return private_copy_settled(store, err);
    sqlite3_close(store->db);
    store->db = NULL;
    return connect_read(store, empty, current, err);
}

/*
 * Opens a store for reading. If the file can't be read in its own place, these ways are tried
 * in order: roll back the journal of a killed writer; copy a file with a WAL; copy and migrate
 * an older file.
 */
static ptl_status open_read(ptl_store *store, ptl_error *err)
{
    bool empty = false, current = false;
    ptl_status status = connect_read(store, &empty, &current, err);
    if (status == PTL_ERR_READONLY && err->backend_code == SQLITE_READONLY_ROLLBACK) {
        error_clear(err);
        status = open_after_rollback(store, &empty, &current, err);
    }
    /* If SQLite can't open a file in WAL mode where it lies, or can't open its WAL, a copy of
     * the file is read. */
    const int code = err->backend_code & 0xff;
    if (status != PTL_OK && !store->copy && store->db &&
        (code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && journal_file_has_wal(store)) {
        error_clear(err);
        status = private_copy_settled(store, err);
    }
    if (status != PTL_OK || store->copy)
        return status;
    if (empty)
        return error_set(err, PTL_ERR_FORMAT, "not a world file: it is empty");
    return current ? PTL_OK : private_copy_migrated(store, err);
}

/* CHECKPOINT_PAGES: number of pages (of 2 kB) in the WAL at which a checkpoint runs; a few
 * batches of generated chunks fill that many. */
enum { CHECKPOINT_PAGES = 4000, MODE_SIZE = 16, RETRY_MS = 50 };

/* Runs a PRAGMA journal_mode and returns SQLite's result code; out gets the mode that the
 * PRAGMA answers. */
static int ask_mode(ptl_store *store, const char *sql, char out[MODE_SIZE])
{
    sqlite3_stmt *s = NULL;
    out[0] = '\0';
    int code = sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        const unsigned char *text = sqlite3_column_text(s, 0);
        size_t size = text ? strlen((const char *)text) : 0;
        code = text && size < MODE_SIZE ? SQLITE_OK : SQLITE_NOMEM;
        if (code == SQLITE_OK)
            memcpy(out, text, size + 1);
    }
    int end = sqlite3_finalize(s);
    return code == SQLITE_OK ? end : code;
}

static ptl_status read_mode(bool *wal, ptl_store *store, ptl_error *err)
{
    char mode[MODE_SIZE];
    int code = ask_mode(store, "PRAGMA journal_mode", mode);
    *wal = strcmp(mode, "wal") == 0;
    return code == SQLITE_OK ? PTL_OK
                             : sqlite_error(store, code, "reading the journal mode", err);
}

/* Changes the journal mode between rollback and WAL. SQLite refuses this while another
 * connection to the file is open, without waiting until it is closed; so the change is tried
 * again. */
static ptl_status change_mode(ptl_store *store, bool wal, ptl_error *err)
{
    const char *sql = wal ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = TRUNCATE";
    const double start = clock_seconds();
    char mode[MODE_SIZE];
    int code;
    while (((code = ask_mode(store, sql, mode)) & 0xff) == SQLITE_BUSY &&
           1000 * (clock_seconds() - start) < store->busy.limit_ms && !sqlite_stopped(store))
        clock_sleep(RETRY_MS);
    if ((code & 0xff) == SQLITE_BUSY && sqlite_stopped(store))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    if ((code & 0xff) == SQLITE_BUSY)
        return error_set(err, PTL_ERR_BUSY,
                         "others have the file open, and its journal mode can be changed "
                         "without them only");
    if (code != SQLITE_OK)
        return sqlite_error(store, code, "setting the journal mode", err);
    if (strcmp(mode, wal ? "wal" : "truncate") != 0 && strcmp(mode, "memory") != 0)
        return error_set(err, PTL_ERR_IO, "SQLite keeps the journal mode at '%s'", mode);
    return PTL_OK;
}

/* Sets the journal mode that the options ask for. The store must hold the writer lock and have
 * no transaction open. In WAL mode it may checkpoint from then on. */
static ptl_status journal_set(ptl_store *store, const ptl_open_options *options, ptl_error *err)
{
    bool wal = false;
    TRY(read_mode(&wal, store, err));
    bool wanted =
        options->journal == PTL_JOURNAL_KEEP ? wal : options->journal == PTL_JOURNAL_WAL;
    if (options->writers == PTL_WRITERS_SHARED && (wal || wanted))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a file in WAL mode has one writer at a time: it can't be shared");
    /* Without WAL the journal mode is TRUNCATE. It must be set each time that the file is
     * opened, because WAL is the only mode that SQLite stores in the file. */
    if (!wanted || !wal)
        TRY(change_mode(store, wanted, err));
    return wanted ? set_checkpoints(store, CHECKPOINT_PAGES, err) : PTL_OK;
}

static ptl_status open_write(ptl_store *store, const ptl_open_options *options, ptl_error *err)
{
    int flags = SQLITE_OPEN_READWRITE;
    if (store->mode == PTL_OPEN_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    bool empty = false, current = false;
    TRY(connect(store, flags, err));
    if (sqlite3_db_readonly(store->db, "main") == 1)
        return error_system(err, PTL_ERR_READONLY,
                            store->file && !file_is_writable(store->file) ? errno : EACCES,
                            "the file can't be written");
    TRY(store->file ? writer_lock_take(&store->lock, store->file, options, err) : PTL_OK);
    TRY(migrate_check(store, &empty, &current, err));
    if (empty && store->mode != PTL_OPEN_CREATE)
        return error_set(err, PTL_ERR_FORMAT, "not a world file: it is empty");
    /*
     * page_size has an effect only before the first write, so it changes nothing in an existing
     * world file. Pages are small because most blobs have 1 to 9 kB, and each blob leaves half
     * a page empty on average.
     */
    TRY(sqlite_exec(store, "PRAGMA page_size = 2048", err));
    TRY(journal_set(store, options, err));
    if (!current)
        TRY(migrate(store, err));
    return own_files_settle(store, err);
}

ptl_store *sqlite_store_new(const char *path, char *file, const ptl_open_options *options,
                            const store_operations *operations)
{
    ptl_store *store = calloc(1, sizeof *store);
    row_scratch *scratch = row_scratch_new();
    char *copy = strdup(path);
    if (!store || !scratch || !copy) {
        free(store);
        row_scratch_free(scratch);
        free(copy);
        free(file);
        return NULL;
    }
    store->head.operations = operations;
    store->path = copy;
    store->scratch = scratch;
    store->file = file;
    store->mode = options->mode;
    store->busy.limit_ms =
        options->busy_timeout_ms > 0 ? options->busy_timeout_ms : DEFAULT_BUSY_TIMEOUT_MS;
    store->busy.on_wait = options->on_wait;
    store->busy.payload = options->payload;
    store->interrupt.stop = (stop_hook){options->should_stop, options->payload};
    return store;
}

/* Opens a store as sqlite_open does; `watch`, which may be NULL, gets reports when an older
 * file is migrated. err is not NULL. */
static ptl_status open_watched(ptl_store **out, const char *path,
                               const ptl_open_options *options,
                               const store_operations *operations, struct migrate_watch *watch,
                               ptl_error *err)
{
    *out = NULL;
    error_clear(err);
    if (!path || !*path)
        return error_set(err, PTL_ERR_ARGUMENT, "no file name");
    char *file = NULL;
    const bool in_memory = strcmp(path, IN_MEMORY) == 0 && options->mode == PTL_OPEN_CREATE;
    TRY(in_memory ? PTL_OK : own_files_name(&file, path, options->mode, err));
    ptl_store *store = sqlite_store_new(path, file, options, operations);
    if (!store)
        return error_nomem(err);
    store->watch = watch;
    /* Setting up a new file takes only a moment. It is not interrupted, so that no half made
     * file is left. */
    file_facts facts;
    const bool deaf = store->mode == PTL_OPEN_CREATE &&
                      (!store->file || !file_look(&facts, store->file) || facts.size == 0);
    if (deaf)
        sqlite_deafen(store, true);
    ptl_status status = PTL_OK;
    if (store->file)
        status = own_files_check(&store->beside, store->file, store->mode, err);
    if (status == PTL_OK)
        status = store->mode == PTL_OPEN_READ ? open_read(store, err)
                                              : open_write(store, options, err);
    THEN(status, schema_check(store, err));
    if (deaf)
        sqlite_deafen(store, false);
    if (status == PTL_ERR_CORRUPT && (err->backend_code & 0xff) == SQLITE_NOTADB)
        err->status = status = PTL_ERR_FORMAT;
    store->watch = NULL;
    if (status != PTL_OK) {
        error_prefix(err, status, "%s", path);
        ptl_store_close(store);
        return status;
    }
    *out = store;
    return PTL_OK;
}

ptl_status sqlite_open(ptl_store **out, const char *path, const ptl_open_options *options,
                       const store_operations *operations, ptl_error *err)
{
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    /* The status must not depend on whether the caller gives an error record. */
    ptl_error local;
    *out = NULL;
    error_clear(err);
    TRY(SIZED_TAKE_IN("ptl_store_open", ptl_open_options, &o, options, err));
    if (o.mode == PTL_OPEN_TRANSIENT) {
        o.mode = PTL_OPEN_CREATE;
        path = IN_MEMORY;
    }
    return open_watched(out, path, &o, operations, NULL, err ? err : &local);
}

void sqlite_close(ptl_store *store)
{
    for (size_t i = 0; i < STMT_COUNT; i++)
        stmt_free(store->prepared[i]);
    dictionary_forget(store);
    row_scratch_free(store->scratch);
    sqlite3_close_v2(store->db);
    private_copy_free(store->copy);
    writer_lock_release(&store->lock); /* the lock must be kept until the last checkpoint, which
                                        * closing db makes */
    free(store->file);
    free(store->path);
    free(store);
}

const char *sqlite_path(const ptl_store *store)
{
    return store->path;
}

ptl_status sqlite_migrate(const char *path, const ptl_migrate_options *options,
                          ptl_migrate_report *report, const store_operations *operations,
                          ptl_error *err)
{
    static const sized_place within = {"ptl_migrate", "options.open"};
    ptl_migrate_options o = PTL_MIGRATE_OPTIONS_INIT;
    ptl_open_options open = PTL_OPEN_OPTIONS_INIT;
    ptl_migrate_report r = PTL_MIGRATE_REPORT_INIT;
    ptl_error local;
    err = err ? err : &local;
    error_clear(err);
    ptl_status status = SIZED_TAKE_IN(within.call, ptl_migrate_options, &o, options, err);
    THEN(status, sized_take(&open, o.open, &sized_ptl_open_options, &within, err));
    THEN(status, SIZED_CHECK_IN(within.call, ptl_migrate_report, report, err));
    if (status == PTL_OK) {
        const double started = clock_seconds();
        const int last = migrate_last_version();
        migrate_watch watch = {.on_progress = o.on_progress,
                               .payload = o.payload,
                               .backup = o.backup,
                               .version = last};
        ptl_store *store = NULL;
        open.mode = PTL_OPEN_WRITE;
        status = open_watched(&store, path, &open, operations, &watch, err);
        ptl_store_close(store);
        r.version = watch.version;
        r.now = status == PTL_OK ? last : watch.version;
        r.copied = watch.copied;
        r.seconds = clock_seconds() - started;
        SIZED_FILL(ptl_migrate_report, report, &r);
    }
    return status;
}

/* Reads the first bytes of the file without SQLite, so that no lock is taken. If there is a
 * journal, these bytes may be half written. */
bool ptl_store_is_ready(const char *path)
{
    enum { HEAD_SIZE = 100, VERSION_AT = 60, ID_AT = 68 };
    unsigned char head[HEAD_SIZE];
    char journal[4096];
    file_facts facts;
    const int fd = file_open_any(path);
    if (fd < 0)
        return false;
    const bool whole = file_look_open(&facts, fd) && facts.kind == FILE_REGULAR &&
                       file_read(fd, head, sizeof head) == (int64_t)sizeof head;
    file_close(fd);
    const int size = snprintf(journal, sizeof journal, "%s-journal", path);
    if (!whole || size < 0 || (size_t)size >= sizeof journal ||
        (file_look(&facts, journal) && facts.size > 0))
        return false;
    return own_files_u32(head + ID_AT) == (uint32_t)STORE_APPLICATION_ID &&
           own_files_u32(head + VERSION_AT) == (uint32_t)migrate_last_version();
}

bool journal_wal_reset_bug(int v)
{
    bool fixed_344 = v >= 3044006 && v < 3045000, fixed_350 = v >= 3050007 && v < 3051000;
    return v >= 3007000 && v < 3051003 && !fixed_344 && !fixed_350;
}

bool journal_file_has_wal(const ptl_store *store)
{
    enum { READ_VERSION_AT = 19, WAL_VERSION = 2, HEAD_SIZE = 20 };
    unsigned char head[HEAD_SIZE] = {0};
    sqlite3_file *file = sqlite_main_file(store->db);
    return file && file->pMethods->xRead(file, head, HEAD_SIZE, 0) == SQLITE_OK &&
           head[READ_VERSION_AT] == WAL_VERSION;
}

ptl_status sqlite_journal(ptl_store *store, ptl_journal_info *out, ptl_error *err)
{
    bool wal = false;
    error_clear(err);
    ptl_status status = read_mode(&wal, store, err);
    wal = wal || private_copy_has_wal(store);
    out->mode = wal ? PTL_JOURNAL_WAL : PTL_JOURNAL_TRUNCATE;
    out->wal_reset_bug = journal_wal_reset_bug(sqlite3_libversion_number());
    out->sqlite_version = sqlite3_libversion();
    return status;
}

/* Empties the tables of worlds; the dictionaries and the content stay. Each table is emptied
 * before the tables that it refers to. */
static const char empty_sql[] =
    "DELETE FROM note; DELETE FROM mark; DELETE FROM fact; DELETE FROM placed_special; "
    "DELETE FROM chunk_edit; "
    "DELETE FROM omt_spill; DELETE FROM surge; DELETE FROM omt_map; "
    "DELETE FROM event; DELETE "
    "FROM pack; DELETE FROM "
    "special_placement; "
    "DELETE FROM radio;"
    "DELETE FROM city; DELETE FROM overview; DELETE FROM level; DELETE FROM chunk; DELETE FROM "
    "crossing;"
    "DELETE FROM edge; DELETE FROM run; DELETE FROM world;";

static ptl_status sqlite_scratch_open(ptl_store **out, ptl_store *source, const char *path,
                                      ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    const stop_hook stop = sqlite_stop_hook(source);
    options.mode = PTL_OPEN_CREATE;
    options.should_stop = stop.asked;
    options.payload = stop.payload;
    *out = NULL;
    ptl_store *store = NULL;
    ptl_status status = sqlite_open(&store, path, &options, source->head.operations, err);
    THEN(status, content_copy_careless(store, err));
    THEN(status, content_copy(store, source, err));
    if (status == PTL_OK)
        *out = store;
    else
        ptl_store_close(store);
    return status;
}

static ptl_status sqlite_scratch_clear(ptl_store *store, ptl_error *err)
{
    return sqlite_exec(store, empty_sql, err);
}

const scratch_operations sqlite_scratches = {.open = sqlite_scratch_open,
                                             .clear = sqlite_scratch_clear};
