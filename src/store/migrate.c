/*
 * The schema's version. user_version is the number of the last migration that ran; each
 * migration runs in a transaction of its own together with that mark, so a process that dies
 * in the middle leaves the file at one version or the next.
 */
#include "core/error.h"
#include "store/migrations.h"
#include "store/store_impl.h"

#include <stdio.h>

int migrate_last_version(void)
{
    int last = 0;
    for (const migration *m = migrations; m->number > 0; m++)
        last = m->number;
    return last;
}

typedef struct marks {
    int64_t id, version, objects;
} marks;

static ptl_status read_marks(marks *out, ptl_store *store, ptl_error *err)
{
    ptl_status status = store_pragma_int(store, "PRAGMA application_id", &out->id, err);
    if (status == PTL_OK)
        status = store_pragma_int(store, "PRAGMA user_version", &out->version, err);
    if (status == PTL_OK)
        status =
            store_pragma_int(store, "SELECT count(*) FROM sqlite_schema", &out->objects, err);
    return status;
}

/* All marks of one moment: another process may be setting the file up right now. */
static ptl_status read_marks_at_once(marks *out, ptl_store *store, ptl_error *err)
{
    if (!sqlite3_get_autocommit(store->db))
        return read_marks(out, store, err);
    ptl_status status = store_begin_read(store, err);
    if (status != PTL_OK)
        return status;
    status = read_marks(out, store, err);
    store_rollback(store);
    return status;
}

ptl_status migrate_check(ptl_store *store, bool *empty, bool *current, ptl_error *err)
{
    marks seen = {0};
    ptl_status status = read_marks_at_once(&seen, store, err);
    if (status != PTL_OK)
        return status;
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
    *current = version == migrate_last_version();
    return PTL_OK;
}

/* user_version and application_id belong to the transaction like any other write. */
static ptl_status run_one(ptl_store *store, const migration *m, ptl_error *err)
{
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             (int)STORE_APPLICATION_ID, m->number);
    ptl_status status = store_exec(store, m->sql, err);
    if (status == PTL_OK)
        status = store_exec(store, mark, err);
    if (status != PTL_OK)
        error_prefix(err, status, "migration %s", m->name);
    return status;
}

ptl_status migrate_run_up_to(ptl_store *store, int last, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (const migration *m = migrations; m->number > 0 && status == PTL_OK; m++)
        if (m->number <= last)
            status = run_one(store, m, err);
    return status;
}

/* The version is read again inside the transaction: another process may have been faster. */
static ptl_status run_next(ptl_store *store, bool *done, ptl_error *err)
{
    ptl_status status = store_begin(store, err);
    if (status != PTL_OK)
        return status;
    int64_t version = 0;
    bool empty, current = false;
    status = migrate_check(store, &empty, &current, err);
    if (status == PTL_OK)
        status = store_pragma_int(store, "PRAGMA user_version", &version, err);
    const migration *m = migrations;
    while (m->number > 0 && m->number <= version)
        m++;
    *done = current || m->number == 0;
    if (status == PTL_OK && !*done)
        status = run_one(store, m, err);
    if (status == PTL_OK)
        status = store_commit(store, err);
    if (status != PTL_OK)
        store_rollback(store);
    return status;
}

ptl_status migrate(ptl_store *store, ptl_error *err)
{
    bool done = false;
    while (!done) {
        ptl_status status = run_next(store, &done, err);
        if (status != PTL_OK)
            return status;
    }
    return PTL_OK;
}
