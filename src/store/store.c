/*
 * Opening and closing a world file: which files are ours, the pragmas that keep it safe
 * (rollback journal, full sync: SQLite before 3.51.3 can damage WAL databases), and the
 * switches that make a hostile file harmless.
 */
#include "core/error.h"
#include "store/dictionary.h"
#include "store/row_scratch.h"
#include "store/store_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEFAULT_BUSY_TIMEOUT_MS = 10000, LENGTH_LIMIT = 64 << 20 };

ptl_status store_pragma_int(ptl_store *store, const char *sql, int64_t *out, ptl_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(store->db, sql, -1, &s, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        code = SQLITE_OK;
    }
    ptl_status status = PTL_OK;
    if (code != SQLITE_OK)
        status = store_sqlite_error(store, code, "reading the file", err);
    sqlite3_finalize(s);
    return status;
}

ptl_status store_harden(ptl_store *store, ptl_error *err)
{
    static const struct {
        int option, value;
    } switches[] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        int code = sqlite3_db_config(store->db, switches[i].option, switches[i].value, NULL);
        if (code != SQLITE_OK)
            return store_sqlite_error(store, code, "configuring SQLite", err);
    }
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LENGTH_LIMIT);
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
    return store_exec(store,
                      "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
                      "PRAGMA foreign_keys = ON; PRAGMA secure_delete = OFF;"
                      "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;",
                      err);
}

static ptl_status check_path(const char *path, ptl_open_mode mode, ptl_error *err)
{
    struct stat info;
    if (strcmp(path, ":memory:") == 0 && mode == PTL_OPEN_CREATE)
        return PTL_OK;
    if (stat(path, &info) == 0) {
        if (S_ISREG(info.st_mode))
            return PTL_OK;
        return error_set(err, PTL_ERR_FORMAT, "%s: not a regular file", path);
    }
    if (errno == ENOENT && mode == PTL_OPEN_CREATE)
        return PTL_OK;
    if (errno == ENOENT || errno == ENOTDIR)
        return error_set(err, PTL_ERR_NOT_FOUND, "%s: no such file", path);
    return error_set(err, PTL_ERR_IO, "%s: %s", path, strerror(errno));
}

/* Below this, err is never NULL: ptl_store_open sees to it. */
static ptl_status connect(ptl_store *store, int flags, int timeout_ms, ptl_error *err)
{
    int code = sqlite3_open_v2(store->path, &store->db,
                               flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    if (code != SQLITE_OK)
        return store_sqlite_error(store, code, "opening the file", err);
    sqlite3_busy_timeout(store->db, timeout_ms);
    return store_harden(store, err);
}

/*
 * A writer that was killed leaves a journal that the next connection rolls back. One that
 * opened for reading alone may not; so a writing connection does it, and nothing else.
 */
static ptl_status roll_back_journal(const ptl_store *store, int timeout_ms, ptl_error *err)
{
    ptl_store helper = {.path = store->path};
    int64_t ignored;
    ptl_status status = connect(&helper, SQLITE_OPEN_READWRITE, timeout_ms, err);
    if (status == PTL_OK)
        status = store_pragma_int(&helper, "PRAGMA user_version", &ignored, err);
    sqlite3_close(helper.db);
    if (status != PTL_OK)
        error_prefix(err, status, "rolling back an interrupted write");
    return status;
}

static ptl_status connect_read(ptl_store *store, int timeout_ms, bool *empty, bool *current,
                               ptl_error *err)
{
    ptl_status status = connect(store, SQLITE_OPEN_READONLY, timeout_ms, err);
    if (status == PTL_OK)
        status = migrate_check(store, empty, current, err);
    return status;
}

static ptl_status open_read(ptl_store *store, int timeout_ms, ptl_error *err)
{
    bool empty = false, current = false;
    ptl_status status = connect_read(store, timeout_ms, &empty, &current, err);
    if (status == PTL_ERR_READONLY && err->sqlite_code == SQLITE_READONLY_ROLLBACK) {
        sqlite3_close(store->db);
        store->db = NULL;
        error_clear(err);
        status = roll_back_journal(store, timeout_ms, err);
        if (status == PTL_OK)
            status = connect_read(store, timeout_ms, &empty, &current, err);
    }
    if (status == PTL_OK && empty)
        return error_set(err, PTL_ERR_FORMAT, "not a world file: it is empty");
    if (status == PTL_OK && !current)
        return error_set(err, PTL_ERR_READONLY,
                         "an older schema version: open it for writing once to migrate it");
    return status;
}

static ptl_status open_write(ptl_store *store, int timeout_ms, ptl_error *err)
{
    int flags = SQLITE_OPEN_READWRITE;
    if (store->mode == PTL_OPEN_CREATE)
        flags |= SQLITE_OPEN_CREATE;
    ptl_status status = connect(store, flags, timeout_ms, err);
    if (status != PTL_OK)
        return status;
    bool empty = false, current = false;
    status = migrate_check(store, &empty, &current, err);
    if (status != PTL_OK)
        return status;
    if (empty && store->mode != PTL_OPEN_CREATE)
        return error_set(err, PTL_ERR_FORMAT, "not a world file: it is empty");
    /* page_size counts before the first write only; on a file of ours it changes nothing. Most
     * blobs have 1 to 9 kB, and each leaves half a page empty. */
    status = store_exec(store, "PRAGMA page_size = 2048; PRAGMA journal_mode = TRUNCATE;", err);
    if (status == PTL_OK && sqlite3_db_readonly(store->db, "main") == 1)
        status = error_set(err, PTL_ERR_READONLY, "the file can't be written");
    if (status == PTL_OK && !current)
        status = migrate(store, err);
    return status;
}

static ptl_status open_store(ptl_store *store, int timeout_ms, ptl_error *err)
{
    ptl_status status = store->mode == PTL_OPEN_READ ? open_read(store, timeout_ms, err)
                                                     : open_write(store, timeout_ms, err);
    if (status == PTL_ERR_CORRUPT && (err->sqlite_code & 0xff) == SQLITE_NOTADB)
        err->status = status = PTL_ERR_FORMAT;
    return status;
}

ptl_status ptl_store_open(ptl_store **out, const char *path, const ptl_open_options *options,
                          ptl_error *err)
{
    static const ptl_open_options defaults = PTL_OPEN_OPTIONS_INIT;
    ptl_error local; /* a caller without an error record gets the same statuses */
    ptl_error *e = err ? err : &local;
    error_clear(e);
    *out = NULL;
    if (!options)
        options = &defaults;
    if (!path || !*path)
        return error_set(e, PTL_ERR_ARGUMENT, "no file name");
    ptl_status status = check_path(path, options->mode, e);
    if (status != PTL_OK)
        return status;
    ptl_store *store = calloc(1, sizeof *store);
    if (!store)
        return error_nomem(e);
    store->mode = options->mode;
    store->path = strdup(path);
    int timeout_ms =
        options->busy_timeout_ms > 0 ? options->busy_timeout_ms : DEFAULT_BUSY_TIMEOUT_MS;
    status = store->path ? open_store(store, timeout_ms, e) : error_nomem(e);
    if (status != PTL_OK) {
        error_prefix(e, status, "%s", path);
        ptl_store_close(store);
        return status;
    }
    *out = store;
    return PTL_OK;
}

void ptl_store_close(ptl_store *store)
{
    if (!store)
        return;
    for (size_t i = 0; i < STORE_STMT_MAX; i++)
        stmt_free(store->kept[i]);
    dictionary_forget(store);
    row_scratch_free(store->scratch);
    sqlite3_close_v2(store->db);
    free(store->path);
    free(store);
}

const char *ptl_store_path(const ptl_store *store)
{
    return store->path;
}
