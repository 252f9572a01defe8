/* Reads and writes databases of Bright Nights' saves, by SQLite and zlib. */
#include "exchange/database/save_database.h"

#include "core/bytes.h"
#include "os/file.h"
#include "os/lock.h"
#include "store/sqlite/connection/store_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LENGTH_MAX = 65 << 20, /* bytes of the largest row that SQLite hands out */
    OPERATIONS = 10000     /* the stop hook is asked again after so many operations of SQLite */
};

struct save_database {
    sqlite3 *db;
    char *path;
    file_facts facts; /* if the database was opened for reading: size, time of change and so on
                         of the file at that moment, by which later changes are noticed; not set
                         if it was opened for writing */
    bool reads;
    stop_hook stop;
    /* Owned; the prepared statements; each is NULL until it is first used. */
    sqlite3_stmt *find, *put;
};

/* ---- errors ---- */

static ptl_status strange(const save_database *d, const char *why, ptl_error *err)
{
    return error_set(err, PTL_ERR_FORMAT, "%s: no database as the game makes it: %s", d->path,
                     why);
}

/* Makes an error of a result code of SQLite. */
static ptl_status failed(const save_database *d, int code, ptl_error *err)
{
    const int kind = code & 0xff;
    if (kind == SQLITE_NOMEM)
        return error_nomem(err);
    if (kind == SQLITE_INTERRUPT)
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    if (kind == SQLITE_TOOBIG)
        return error_set(err, PTL_ERR_LIMIT, "%s: a file in it has more than %d bytes", d->path,
                         LENGTH_MAX);
    if (kind == SQLITE_CONSTRAINT)
        return error_set(err, PTL_ERR_FORMAT, "%s: it holds files that no game writes",
                         d->path);
    /* SQLITE_ERROR: the schema is wrong, or the file is of a later version of SQLite. */
    if (kind == SQLITE_ERROR)
        return strange(d, "SQLite does not understand it", err);
    const int said = d->db ? sqlite_system_code(d->db, code) : 0;
    return said ? error_system(err, sqlite_status(code), said, "%s", d->path)
                : error_set(err, sqlite_status(code), "%s: %s", d->path, sqlite3_errstr(code));
}

/* ---- does the game write it? ---- */

/* Refuses a database that has a journal beside it: a transaction still uses the journal, or has
 * left it behind. An empty journal is no reason to refuse. */
static ptl_status check_journals(const char *path, ptl_error *err)
{
    static const char *const tails[] = {"-journal", "-wal"};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof tails / sizeof tails[0] && status == PTL_OK; i++) {
        file_facts facts;
        bytes name = {.size = 0};
        bytes_printf(&name, "%s%s", path, tails[i]);
        const char *text = bytes_text(&name);
        if (!text)
            status = error_nomem(err);
        else if (file_look_here(&facts, text) && facts.size > 0)
            status =
                error_set(err, PTL_ERR_BUSY,
                          "%s is there: the game saves at this moment, or was interrupted; "
                          "load the world in the game, save and quit",
                          text);
        bytes_dispose(&name);
    }
    return status;
}

ptl_status save_database_check_free(const char *path, ptl_error *err)
{
    /* The bytes of a file on which SQLite sets its locks (sqlite.org/lockingv3.html). */
    enum { LOCKS_FIRST = 0x40000000, LOCKS_LAST = LOCKS_FIRST + 511 };
    TRY(check_journals(path, err));
    const long holder = lock_holder(path, LOCKS_FIRST, LOCKS_LAST);
    return holder == 0 ? PTL_OK
                       : error_set(err, PTL_ERR_BUSY, "%s: process %ld reads or writes it",
                                   path, holder);
}

ptl_status save_database_unchanged(const save_database *d, ptl_error *err)
{
    file_facts now;
    TRY(check_journals(d->path, err));
    if (file_look_here(&now, d->path) && file_id_same(&now.id, &d->facts.id) &&
        now.size == d->facts.size && now.changed.seconds == d->facts.changed.seconds &&
        now.changed.nanoseconds == d->facts.changed.nanoseconds)
        return PTL_OK;
    return error_set(err, PTL_ERR_BUSY, "%s was written while it was read", d->path);
}

/* Returns the status of a call that has read the database. If the game has written the file in
 * the meantime, an error does not mean that the file is damaged. */
static ptl_status settle(const save_database *d, ptl_status status, ptl_error *err)
{
    ptl_error written;
    error_clear(&written);
    if (status == PTL_ERR_CANCELLED || status == PTL_ERR_NOMEM ||
        save_database_unchanged(d, &written) == PTL_OK)
        return status;
    error_clear(err);
    return error_copy(err, &written);
}

/* ---- opening ---- */

static int on_progress(void *payload)
{
    const save_database *d = payload;
    return stop_asked(&d->stop);
}

/* Opens d->db, the SQLite connection to the file d->path. The name that SQLite gets is a URI:
 * the path, followed by `more`. */
static ptl_status save_connect(save_database *d, int flags, const char *more, ptl_error *err)
{
    bytes name = {.size = 0};
    bytes_put_text(&name, d->path[0] == '/' ? "file://" : "file:");
    for (const char *at = d->path; *at; at++)
        /* All other characters are escaped, since some of them have a meaning in a URI. */
        if (strchr("/._-", *at) || (*at >= '0' && *at <= '9') || (*at >= 'A' && *at <= 'Z') ||
            (*at >= 'a' && *at <= 'z'))
            bytes_put_u8(&name, (uint8_t)*at);
        else
            bytes_printf(&name, "%%%02x", (unsigned)(unsigned char)*at);
    bytes_put_text(&name, more);
    const char *text = bytes_text(&name);
    int code = SQLITE_NOMEM;
    if (text)
        code = sqlite3_open_v2(
            text, &d->db, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
            NULL);
    bytes_dispose(&name);
    if (code == SQLITE_OK)
        code = sqlite_distrust(d->db);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    if (code != SQLITE_OK)
        return failed(d, code, err);
    sqlite3_limit(d->db, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
    sqlite3_progress_handler(d->db, OPERATIONS, on_progress, d);
    code = sqlite3_exec(d->db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL,
                        NULL);
    return code == SQLITE_OK ? PTL_OK : failed(d, code, err);
}

static save_database *database_new(const char *path, stop_hook stop)
{
    save_database *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->path = strdup(path);
    d->stop = stop;
    if (d->path)
        return d;
    free(d);
    return NULL;
}

static ptl_status prepare(sqlite3_stmt **out, save_database *d, const char *sql, ptl_error *err)
{
    const int code = sqlite3_prepare_v2(d->db, sql, -1, out, NULL);
    return code == SQLITE_OK ? PTL_OK : failed(d, code, err);
}

/* Checks that `files` is an ordinary table with the game's columns, of which none is computed,
 * and in which each path is there once. */
static ptl_status check_table(save_database *d, ptl_error *err)
{
    static const char sql[] =
        "SELECT (SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND "
        "name = 'files' AND type = 'table'), (SELECT count(*) FROM pragma_table_xinfo('files') "
        "WHERE hidden = 0 AND name IN ('path', 'parent', 'compression', 'data')), "
        "(SELECT count(*) FROM pragma_table_xinfo('files') WHERE hidden <> 0), "
        "(SELECT group_concat(name) FROM pragma_table_xinfo('files') WHERE pk > 0)";
    sqlite3_stmt *s = NULL;
    ptl_status status = prepare(&s, d, sql, err);
    const int code = status == PTL_OK ? sqlite3_step(s) : SQLITE_OK;
    if (status == PTL_OK && code != SQLITE_ROW)
        status = failed(d, code, err);
    else if (status == PTL_OK) {
        const char *key = (const char *)sqlite3_column_text(s, 3);
        if (sqlite3_column_int(s, 0) != 1)
            status = strange(d, "it has no table 'files'", err);
        else if (sqlite3_column_int(s, 1) != 4 || sqlite3_column_int(s, 2) != 0 || !key ||
                 strcmp(key, "path") != 0)
            status = strange(d, "the table 'files' has other columns", err);
    }
    sqlite3_finalize(s);
    return status;
}

ptl_status save_database_open(save_database **out, const char *path, stop_hook stop,
                              ptl_error *err)
{
    save_database *d = *out = database_new(path, stop);
    if (!d)
        return error_nomem(err);
    d->reads = true;
    if (!file_look_here(&d->facts, path))
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            path);
    if (d->facts.kind != FILE_REGULAR)
        return error_set(err, PTL_ERR_FORMAT, "%s: not a regular file", path);
    TRY(check_journals(path, err));
    /* With "immutable" SQLite sets no locks, and does not look for a journal. */
    ptl_status status = save_connect(d, SQLITE_OPEN_READONLY, "?immutable=1", err);
    THEN(status, check_table(d, err));
    return settle(d, status, err);
}

ptl_status save_database_make(save_database **out, const char *path, stop_hook stop,
                              ptl_error *err)
{
    /* The table has the columns that the game itself would give it. The journal is in memory,
     * so no file is left beside the database. */
    static const char sql[] =
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL; BEGIN;"
        "CREATE TABLE files (path TEXT PRIMARY KEY NOT NULL, parent TEXT NOT NULL, "
        "compression TEXT DEFAULT NULL, data BLOB NOT NULL)";
    save_database *d = *out = database_new(path, stop);
    if (!d)
        return error_nomem(err);
    TRY(save_connect(d, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "", err));
    const int code = sqlite3_exec(d->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? PTL_OK : failed(d, code, err);
}

void save_database_close(save_database *d)
{
    if (!d)
        return;
    sqlite3_finalize(d->find);
    sqlite3_finalize(d->put);
    sqlite3_close(d->db);
    free(d->path);
    free(d);
}

const char *save_database_path(const save_database *d)
{
    return d->path;
}

/* ---- reading ---- */

ptl_status save_database_names(save_database *d,
                               ptl_status (*visit)(void *payload, const char *name,
                                                   ptl_error *err),
                               void *payload, ptl_error *err)
{
    sqlite3_stmt *s = NULL;
    ptl_status status = prepare(&s, d, "SELECT path FROM files NOT INDEXED", err);
    int code = SQLITE_DONE;
    while (status == PTL_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const bool is_text = sqlite3_column_type(s, 0) == SQLITE_TEXT;
        const char *name = is_text ? (const char *)sqlite3_column_text(s, 0) : "";
        if (!name)
            status = error_nomem(err);
        else if (is_text && strlen(name) == (size_t)sqlite3_column_bytes(s, 0))
            status = visit(payload, name, err);
    }
    if (status == PTL_OK && code != SQLITE_DONE)
        status = failed(d, code, err);
    sqlite3_finalize(s);
    return settle(d, status, err);
}

/* Unpacks a stream of zlib, which must fill the data. PTL_ERR_LIMIT: more than `most` bytes. */
static ptl_status unpack(bytes *out, const void *data, size_t size, size_t most, ptl_error *err)
{
    enum { PIECE = 1 << 16 };
    z_stream z = {.avail_in = (uInt)size};
    uint8_t piece[PIECE];
    z.next_in = (Bytef *)(uintptr_t)data;
    int code = inflateInit(&z);
    while (code == Z_OK) {
        z.next_out = piece;
        z.avail_out = PIECE;
        code = inflate(&z, Z_NO_FLUSH);
        bytes_put(out, piece, PIECE - z.avail_out);
        if (out->size > most || out->failed)
            break;
    }
    const bool whole = code == Z_STREAM_END && z.avail_in == 0;
    inflateEnd(&z);
    if (code == Z_MEM_ERROR || out->failed)
        return error_nomem(err);
    if (out->size > most)
        return error_set(err, PTL_ERR_LIMIT, "more than %zu bytes", most);
    return whole ? PTL_OK : error_set(err, PTL_ERR_CORRUPT, "the zlib data is damaged");
}

/* Reads the text in a row that has the columns data and compression. */
static ptl_status take_text(bytes *out, sqlite3_stmt *row, size_t most, ptl_error *err)
{
    const void *data = sqlite3_column_blob(row, 0);
    const size_t size = (size_t)sqlite3_column_bytes(row, 0);
    const char *how = (const char *)sqlite3_column_text(row, 1);
    if (size > 0 && !data)
        return error_nomem(err);
    if (how && strcmp(how, "zlib") == 0)
        return unpack(out, data, size, most, err);
    if (how && how[0] != '\0')
        return error_set(err, PTL_ERR_FORMAT, "compressed in a form that is not known");
    if (size > most)
        return error_set(err, PTL_ERR_LIMIT, "more than %zu bytes", most);
    bytes_put(out, data, size);
    return PTL_OK;
}

ptl_status save_database_read(char **text, size_t *size, save_database *d, const char *name,
                              size_t most, ptl_error *err)
{
    bytes out = {.size = 0};
    *text = NULL;
    if (!d->find)
        TRY(prepare(&d->find, d, "SELECT data, compression FROM files WHERE path = ?", err));
    int code = sqlite3_bind_text(d->find, 1, name, -1, SQLITE_STATIC);
    code = code == SQLITE_OK ? sqlite3_step(d->find) : code;
    ptl_status status = PTL_OK;
    if (code == SQLITE_DONE)
        status = error_set(err, PTL_ERR_NOT_FOUND, "%s: there is no %s in it", d->path, name);
    else if (code != SQLITE_ROW)
        status = failed(d, code, err);
    else if ((status = take_text(&out, d->find, most, err)) != PTL_OK)
        error_prefix(err, status, "%s/%s", d->path, name);
    else if (!bytes_text(&out))
        status = error_nomem(err);
    sqlite3_reset(d->find);
    status = settle(d, status, err);
    if (status != PTL_OK) {
        bytes_dispose(&out);
        return status;
    }
    *text = (char *)out.data;
    *size = out.size;
    return PTL_OK;
}

/* ---- writing ---- */

#define PUT "INSERT INTO files (path, parent, compression, data) VALUES (?, ?, ?, ?)"

static ptl_status put_row(save_database *d, ptl_error *err)
{
    const int code = sqlite3_step(d->put);
    sqlite3_reset(d->put);
    return code == SQLITE_DONE ? PTL_OK : failed(d, code, err);
}

ptl_status save_database_put(save_database *d, const char *name, const void *text, size_t size,
                             ptl_error *err)
{
    uLongf packed = compressBound((uLong)size);
    const char *slash = strrchr(name, '/');
    if (!d->put)
        TRY(prepare(&d->put, d, PUT, err));
    uint8_t *data = packed < INT_MAX ? malloc(packed) : NULL;
    if (!data || compress(data, &packed, text, (uLong)size) != Z_OK) {
        free(data);
        return error_nomem(err);
    }
    int bad = sqlite3_bind_text(d->put, 1, name, -1, SQLITE_STATIC);
    bad |= sqlite3_bind_text(d->put, 2, name, slash ? (int)(slash - name) : 0, SQLITE_STATIC);
    bad |= sqlite3_bind_text(d->put, 3, "zlib", -1, SQLITE_STATIC);
    bad |= sqlite3_bind_blob(d->put, 4, data, (int)packed, SQLITE_STATIC);
    const ptl_status status = bad == SQLITE_OK ? put_row(d, err) : error_nomem(err);
    sqlite3_clear_bindings(d->put);
    free(data);
    return status;
}

ptl_status save_database_copy(save_database *to, save_database *from,
                              bool (*keep)(void *payload, const char *name, size_t size),
                              void *payload, ptl_error *err)
{
    sqlite3_stmt *s = NULL;
    ptl_status status = to->put ? PTL_OK : prepare(&to->put, to, PUT, err);
    THEN(status, prepare(&s, from,
                         "SELECT path, parent, compression, data FROM files NOT INDEXED", err));
    int code = SQLITE_DONE;
    while (status == PTL_OK && (code = sqlite3_step(s)) == SQLITE_ROW) {
        const bool is_text = sqlite3_column_type(s, 0) == SQLITE_TEXT;
        const char *name = is_text ? (const char *)sqlite3_column_text(s, 0) : NULL;
        if (is_text && !name)
            status = error_nomem(err);
        else if (is_text && !keep(payload, name, (size_t)sqlite3_column_bytes(s, 0)))
            continue;
        for (int i = 0; i < 4 && status == PTL_OK; i++)
            if (sqlite3_bind_value(to->put, i + 1, sqlite3_column_value(s, i)) != SQLITE_OK)
                status = error_nomem(err);
        THEN(status, put_row(to, err));
        sqlite3_clear_bindings(to->put);
    }
    if (status == PTL_OK && code != SQLITE_DONE)
        status = failed(from, code, err);
    sqlite3_finalize(s);
    return settle(from, status, err);
}

ptl_status save_database_finish(save_database *d, ptl_error *err)
{
    const int code = sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL);
    return code == SQLITE_OK ? PTL_OK : failed(d, code, err);
}
