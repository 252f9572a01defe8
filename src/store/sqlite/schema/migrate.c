/*
 * The schema's version, which is stored as user_version. A new file gets the present schema.
 * An older one gets all migrations with larger numbers, which must lead to the same schema,
 * text for text. Everything happens in one transaction together with setting the version, so
 * if the process dies the file is as it was before.
 */
#include "store/sqlite/schema/migrate.h"

#include "core/error.h"
#include "store/sqlite/connection/backup_target.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdio.h>
#include <string.h>

int migrate_last_version(void)
{
    int last = SCHEMA_FIRST;
    for (const migration *m = migrations; m->number > 0; m++)
        last = m->number;
    return last;
}

typedef struct marks {
    int64_t id, version, objects;
} marks;

static ptl_status read_marks(marks *out, ptl_store *store, ptl_error *err)
{
    TRY(sqlite_pragma_int(store, "PRAGMA application_id", &out->id, err));
    TRY(sqlite_pragma_int(store, "PRAGMA user_version", &out->version, err));
    return sqlite_pragma_int(store, "SELECT count(*) FROM sqlite_schema", &out->objects, err);
}

ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err)
{
    marks seen = {0};
    /* All marks are read as of one moment, since another process may be setting the file up
     * right now. */
    const bool alone = sqlite3_get_autocommit(store->db) != 0;
    if (alone)
        TRY(sqlite_begin_read(store, err));
    const ptl_status status = read_marks(&seen, store, err);
    if (alone)
        sqlite_rollback(store);
    TRY(status);
    const int64_t id = seen.id, version = seen.version;
    *empty = id == 0 && version == 0 && seen.objects == 0;
    *current = false;
    if (*empty)
        return PTL_OK;
    if (id != STORE_APPLICATION_ID)
        return error_set(err, PTL_ERR_FORMAT,
                         "not a world file: an SQLite database with application_id %lld",
                         (long long)id);
    if (version > migrate_last_version())
        return error_set(err, PTL_ERR_NEWER,
                         "made by a newer Portolan: schema version %lld, this one knows %d",
                         (long long)version, migrate_last_version());
    if (version < 1)
        return error_set(err, PTL_ERR_CORRUPT, "schema version %lld", (long long)version);
    if (version < SCHEMA_FIRST)
        return error_set(
            err, PTL_ERR_FORMAT,
            "a draft of Portolan wrote it (schema version %lld): commit e4bf7e6b is "
            "the last that reads it, and the same content, seed and settings make "
            "the same world again",
            (long long)version);
    *current = version == migrate_last_version();
    return PTL_OK;
}

ptl_status migrate_refuse(ptl_store *store, ptl_error *err)
{
    int64_t version = 0;
    TRY(sqlite_pragma_int(store, "PRAGMA user_version", &version, err));
    return error_set(err, PTL_ERR_READONLY,
                     "made by an older Portolan: schema version %d, this one has %d; 'portolan "
                     "migrate FILE' (or opening it for writing) brings it up to date",
                     (int)version, migrate_last_version());
}

/* Runs one script and sets the version. user_version and application_id are part of the
 * transaction like any other write. */
static ptl_status run_sql(ptl_store *store, const char *sql, int version, const char *what,
                          ptl_error *err)
{
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (int)STORE_APPLICATION_ID, version);
    ptl_status status = sqlite_exec(store, sql, err);
    THEN(status, sqlite_exec(store, mark, err));
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "%s", what);
}

ptl_status migrate_create(ptl_store *store, ptl_error *err)
{
    TRY(run_sql(store, schema_sql, migrate_last_version(), "making the schema", err));
    return content_checksum_write(store, err);
}

/* Reports progress; PTL_ERR_CANCELLED if the callback ends the migration. */
static ptl_status migrate_tell(migrate_watch *watch, const char *what, uint64_t done,
                               uint64_t total, ptl_error *err)
{
    const ptl_migrate_progress now = {
        .size = sizeof now, .what = what, .done = done, .total = total};
    if (!watch || !watch->on_progress || watch->on_progress(watch->payload, &now))
        return PTL_OK;
    return error_set(err, PTL_ERR_CANCELLED, "stopped: the file is as it was");
}

/* ---- a copy first ---- */

/* Explains a failure to read the copy. Nobody else has written the copy; so if the source is
 * sound, the copy can't be read back as it was written. */
static ptl_status tell_damage(ptl_store *store, const char *path, const ptl_error *why,
                              ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, store, "PRAGMA quick_check(1)", err);
    THEN(status, stmt_step(s, &row, err));
    const bool sound = status == PTL_OK && row && strcmp(stmt_text(s, 0), "ok") == 0;
    stmt_free(s);
    if (sound)
        return error_set(err, PTL_ERR_IO, "%s: it can't be read: %s", path, why->message);
    return status == PTL_OK ? error_copy(err, why) : status;
}

static ptl_status vacuum_into(ptl_store *store, const char *path, ptl_error *err)
{
    stmt *s = NULL;
    ptl_error own = {0};
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 1);
    ptl_status status = stmt_prepare(&s, store, "VACUUM INTO ?", &own);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, path);
        status = stmt_run(s, &own);
    }
    stmt_free(s);
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 0);
    /* The target was created empty a moment ago. SQLite reports the same error if it is not
     * empty and if its size can't be read. */
    if (status == PTL_ERR_INTERNAL)
        return error_set(err, PTL_ERR_IO, "%s: its size can't be read, or is not 0", path);
    if (status == PTL_ERR_CORRUPT)
        return tell_damage(store, path, &own, err);
    return status == PTL_OK ? PTL_OK : error_copy(err, &own);
}

/* Keeps a compact copy of the file with the same, older schema. (ptl_backup can't be used,
 * since it requires the present schema.) */
static ptl_status keep_copy(ptl_store *store, migrate_watch *watch, ptl_error *err)
{
    backup_target target = {.file = -1};
    TRY(migrate_tell(watch, "copying", 0, 0, err));
    ptl_status status = backup_target_open(&target, sqlite3_db_filename(store->db, "main"),
                                           watch->backup, false, err);
    THEN(status, vacuum_into(store, target.name, err));
    THEN(status, backup_target_publish(&target, err));
    backup_target_close(&target);
    return status;
}

/* ---- running what is pending ---- */

typedef struct pending {
    int64_t version;
    bool empty, current;
} pending;

static ptl_status find_pending(pending *out, ptl_store *store, ptl_error *err)
{
    out->version = 0;
    TRY(migrate_check(store, &out->empty, &out->current, err));
    return sqlite_pragma_int(store, "PRAGMA user_version", &out->version, err);
}

/* Turns a migration's failure into an error of the file: if SQLite refuses the migration, the
 * file has other tables than its version says. */
static ptl_status blame_file(const pending *p, ptl_status status, ptl_error *err)
{
    if (status != PTL_ERR_INTERNAL)
        return status;
    error_clear(err);
    return error_set(err, PTL_ERR_FORMAT, "its tables are not those of schema version %lld",
                     (long long)p->version);
}

/* Corrects wrong owners in the schema (tbl_name), because DROP finds what belongs to a table
 * by this column. */
static ptl_status mend_owners(ptl_store *store, ptl_error *err)
{
    ptl_status status = schema_writable(store, true, err);
    THEN(status, schema_owner_walk(store, true, NULL, NULL, err));
    const ptl_status after = schema_writable(store, false, status == PTL_OK ? err : NULL);
    return status == PTL_OK ? after : status;
}

/*
 * Runs the pending migrations inside the transaction. The schema is checked before the commit.
 * So a file that turns out not to be ours stays as it was, and so does one that would differ
 * from a new file afterwards.
 */
static ptl_status run_pending(ptl_store *store, const pending *p, migrate_watch *watch,
                              ptl_error *err)
{
    const uint64_t total = (uint64_t)(migrate_last_version() - p->version);
    uint64_t done = 0;
    if (p->empty)
        return migrate_create(store, err);
    ptl_status status = mend_owners(store, err);
    for (const migration *m = migrations; m->number > 0 && status == PTL_OK; m++) {
        if (m->number <= p->version)
            continue;
        status = migrate_tell(watch, "migrating", done++, total, err);
        THEN(status, run_sql(store, m->sql, m->number, m->name, err));
    }
    return status == PTL_OK ? schema_check(store, err) : blame_file(p, status, err);
}

ptl_status migrate(ptl_store *store, ptl_error *err)
{
    migrate_watch *watch = store->watch;
    pending p;
    TRY(find_pending(&p, store, err));
    if (watch)
        watch->version = (int)p.version;
    ptl_status status = PTL_OK;
    if (watch && watch->backup && !p.empty && !p.current) {
        status = keep_copy(store, watch, err);
        watch->copied = status == PTL_OK;
    }
    if (status != PTL_OK || p.current)
        return status;
    /* The version is read again inside the transaction, since another process may have migrated
     * the file meanwhile. */
    TRY(sqlite_begin(store, err));
    status = find_pending(&p, store, err);
    if (status == PTL_OK && !p.current)
        status = run_pending(store, &p, watch, err);
    THEN(status, sqlite_commit(store, err));
    if (status != PTL_OK)
        sqlite_rollback(store);
    return status;
}
