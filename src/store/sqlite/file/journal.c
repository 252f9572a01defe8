/* Reads and sets the journal mode, and decides who checkpoints a WAL file. */
#include "store/sqlite/file/open.h"

#include "core/error.h"
#include "os/clock.h"
#include "store/sqlite/connection/store_impl.h"

#include <string.h>

/* CHECKPOINT_PAGES: pages of 2 kB after which a checkpoint runs; a few batches of generated
 * chunks fill that many. */
enum { CHECKPOINT_PAGES = 4000, MODE_SIZE = 16, RETRY_MS = 50 };

bool journal_wal_reset_bug(int v)
{
    bool fixed_344 = v >= 3044006 && v < 3045000, fixed_350 = v >= 3050007 && v < 3051000;
    return v >= 3007000 && v < 3051003 && !fixed_344 && !fixed_350;
}

bool journal_file_has_wal(const ptl_store *store)
{
    enum { READ_VERSION_AT = 19, WAL_VERSION = 2, HEAD_SIZE = 20 };
    unsigned char head[HEAD_SIZE] = {0};
    sqlite3_file *file = NULL;
    return sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
               SQLITE_OK &&
           file && file->pMethods &&
           file->pMethods->xRead(file, head, HEAD_SIZE, 0) == SQLITE_OK &&
           head[READ_VERSION_AT] == WAL_VERSION;
}

ptl_status journal_forbid_checkpoints(ptl_store *store, ptl_error *err)
{
    int code = sqlite3_wal_autocheckpoint(store->db, 0);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err);
}

/* Runs a PRAGMA journal_mode and returns its result code; out gets the mode that it
 * answers. */
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

/* Changes between rollback and WAL. No other connection may exist then, and SQLite does not
 * wait for that by itself. */
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

ptl_status journal_set(ptl_store *store, const ptl_open_options *options, ptl_error *err)
{
    bool wal = false;
    TRY(read_mode(&wal, store, err));
    bool wanted =
        options->journal == PTL_JOURNAL_KEEP ? wal : options->journal == PTL_JOURNAL_WAL;
    if (options->writers == PTL_WRITERS_SHARED && (wal || wanted))
        return error_set(err, PTL_ERR_ARGUMENT,
                         "a file in WAL mode has one writer at a time: it can't be shared");
    /* TRUNCATE is set again at each opening, because of all modes SQLite stores only WAL in
     * the file. */
    if (!wanted || !wal)
        TRY(change_mode(store, wanted, err));
    if (wanted) {
        int code = sqlite3_wal_autocheckpoint(store->db, CHECKPOINT_PAGES);
        if (code == SQLITE_OK)
            code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
        TRY(code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err));
    }
    return PTL_OK;
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
