/*
 * ptl_verify: what concerns the file as a whole, and tables whose rows stand alone. Each
 * check goes on after a problem; only what makes reading impossible ends the call.
 */
#include "store/verify.h"

#include "content/catalogue.h"
#include "core/error.h"
#include "core/utf8.h"
#include "store/dictionary.h"
#include "store/kept.h"
#include "store/store_impl.h"

#include <stdio.h>
#include <string.h>

void verify_problem(verifier *v, int invariant, const char *where, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    utf8_one_line(message); /* a damaged file's texts may hold anything */
    v->counts->problems++;
    const ptl_problem problem = {.invariant = invariant, .where = where, .message = message};
    if (v->on_problem)
        v->on_problem(v->payload, &problem);
}

ptl_status verify_soft(verifier *v, int invariant, const char *where, ptl_status status,
                       ptl_error *err)
{
    if (status != PTL_ERR_CORRUPT)
        return status;
    verify_problem(v, err->sqlite_code ? INVARIANT_SQLITE : invariant, where, "%s",
                   err->message);
    error_clear(err);
    return PTL_OK;
}

static ptl_status check_integrity(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, v->store, "PRAGMA integrity_check", err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row && strcmp(stmt_text(s, 0), "ok") != 0)
            verify_problem(v, INVARIANT_SQLITE, "file", "%s", stmt_text(s, 0));
    }
    stmt_free(s);
    return status;
}

static ptl_status check_foreign_keys(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, v->store, "PRAGMA foreign_key_check", err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        char where[128];
        snprintf(where, sizeof where, "table %.60s, row %lld", stmt_text(s, 0),
                 (long long)stmt_int(s, 1));
        verify_problem(v, INVARIANT_FOREIGN_KEYS, where,
                       "refers to a row of %s that is not there", stmt_text(s, 2));
    }
    stmt_free(s);
    return status;
}

/* ---- schema ---- */

static const char schema_sql[] =
    "SELECT type || ' ' || name, type, coalesce(sql, '') FROM sqlite_schema "
    "WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY 1";

static void compare_object(verifier *v, int order, const stmt *have, const stmt *want)
{
    if (order < 0) {
        /* An index that someone added to query faster is theirs to keep. */
        if (strcmp(stmt_text(have, 1), "index") != 0)
            verify_problem(v, INVARIANT_SCHEMA, stmt_text(have, 0), "not part of the schema");
    } else if (order > 0) {
        verify_problem(v, INVARIANT_SCHEMA, stmt_text(want, 0), "missing");
    } else if (strcmp(stmt_text(have, 2), stmt_text(want, 2)) != 0) {
        verify_problem(v, INVARIANT_SCHEMA, stmt_text(have, 0),
                       "defined otherwise than in the schema");
    }
}

/* Both lists are sorted by type and name: walk them side by side. */
static ptl_status compare_schemas(verifier *v, stmt *have, stmt *want, ptl_error *err)
{
    bool have_row = false, want_row = false;
    ptl_status status = stmt_step(have, &have_row, err);
    if (status == PTL_OK)
        status = stmt_step(want, &want_row, err);
    while (status == PTL_OK && (have_row || want_row)) {
        int order = !have_row   ? 1
                    : !want_row ? -1
                                : strcmp(stmt_text(have, 0), stmt_text(want, 0));
        compare_object(v, order, have, want);
        if (order <= 0)
            status = stmt_step(have, &have_row, err);
        if (order >= 0 && status == PTL_OK)
            status = stmt_step(want, &want_row, err);
    }
    return status;
}

static ptl_status check_schema(verifier *v, ptl_error *err)
{
    ptl_store fresh = {0};
    stmt *have = NULL, *want = NULL;
    int code =
        sqlite3_open_v2(":memory:", &fresh.db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    ptl_status status = PTL_OK;
    if (code != SQLITE_OK)
        status = store_sqlite_error(&fresh, code, "opening a database in memory", err);
    if (status == PTL_OK)
        status = migrate_run_up_to(&fresh, migrate_last_version(), err);
    if (status == PTL_OK)
        status = stmt_prepare(&have, v->store, schema_sql, err);
    if (status == PTL_OK)
        status = stmt_prepare(&want, &fresh, schema_sql, err);
    if (status == PTL_OK)
        status = compare_schemas(v, have, want, err);
    stmt_free(have);
    stmt_free(want);
    sqlite3_close(fresh.db);
    return status;
}

/* ---- tables whose rows stand alone ---- */

typedef struct row_check {
    int invariant, columns;
    const char *table, *sql;
} row_check;

static ptl_status check_rows(verifier *v, const row_check *check, ptl_error *err)
{
    stmt *s = NULL;
    char where[64];
    ptl_status status = stmt_prepare(&s, v->store, check->sql, err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        snprintf(where, sizeof where, "table %s, row %lld", check->table,
                 (long long)stmt_int(s, 0));
        status = row_verify(v->scratch, s, check->table, check->columns, err);
        status = verify_soft(v, check->invariant, where, status, err);
    }
    stmt_free(s);
    return verify_soft(v, INVARIANT_SQLITE, check->table, status, err);
}

static ptl_status check_tables(verifier *v, ptl_error *err)
{
    static const row_check checks[] = {
        {INVARIANT_DICTIONARY, 2, "oter", "SELECT id, name, checksum FROM oter ORDER BY id"},
        {INVARIANT_NAME, 2, "name", "SELECT id, name, checksum FROM name ORDER BY id"},
        {INVARIANT_WORLD, WORLD_COLUMN_COUNT, "world",
         "SELECT " WORLD_COLUMNS " FROM world ORDER BY id"},
        {INVARIANT_RUN, RUN_COLUMN_COUNT, "run", "SELECT " RUN_COLUMNS " FROM run ORDER BY id"},
        {INVARIANT_EVENT, 8, "event",
         "SELECT chunk_id, number, step, kind, x, y, z, detail, checksum FROM event "
         "ORDER BY chunk_id, number"}};
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == PTL_OK; i++)
        status = check_rows(v, &checks[i], err);
    return status;
}

static ptl_status check_gaps(verifier *v, int invariant, const char *table, const char *sql,
                             ptl_error *err)
{
    stmt *s = NULL;
    int64_t expected = 1;
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    for (bool row = true; row && status == PTL_OK; expected++) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row || stmt_int(s, 0) == expected)
            continue;
        verify_problem(v, invariant, table, "number %lld is missing", (long long)expected);
        expected = stmt_int(s, 0);
    }
    stmt_free(s);
    return verify_soft(v, INVARIANT_SQLITE, table, status, err);
}

/* Reads a dictionary afresh; *bad if it can't be used. What is wrong was reported before. */
static ptl_status reread(bool *bad, ptl_status status, ptl_error *err)
{
    *bad = status == PTL_ERR_CORRUPT;
    if (!*bad)
        return status;
    error_clear(err);
    return PTL_OK;
}

static ptl_status check_dictionary(verifier *v, ptl_error *err)
{
    ptl_status status = check_gaps(v, INVARIANT_DICTIONARY, "table oter",
                                   "SELECT id FROM oter ORDER BY id", err);
    if (status == PTL_OK)
        status =
            check_gaps(v, INVARIANT_NAME, "table name", "SELECT id FROM name ORDER BY id", err);
    if (status != PTL_OK)
        return status;
    dictionary_forget(v->store);
    status = reread(&v->dictionary_bad, dictionary_refresh(v->store, err), err);
    if (status == PTL_OK)
        status = reread(&v->names_bad, names_refresh(v->store, err), err);
    return status;
}

/* A chunk that a later run replaced is counted by both, so a run may name more than it left. */
static ptl_status check_run_counts(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    char where[64];
    ptl_status status = stmt_prepare(
        &s, v->store,
        "SELECT r.id, r.chunks, count(c.id) AS n FROM run r JOIN chunk c ON c.run_id = r.id "
        "WHERE r.chunks IS NOT NULL GROUP BY r.id HAVING n > r.chunks ORDER BY r.id",
        err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        snprintf(where, sizeof where, "table run, row %lld", (long long)stmt_int(s, 0));
        verify_problem(v, INVARIANT_RUN_COUNT, where, "says %lld chunks, but %lld name it",
                       (long long)stmt_int(s, 1), (long long)stmt_int(s, 2));
    }
    stmt_free(s);
    return status;
}

ptl_status ptl_verify(ptl_store *store,
                      void (*on_problem)(void *payload, const ptl_problem *problem),
                      void *payload, ptl_verify_counts *counts, ptl_error *err)
{
    static const struct {
        const char *where;
        ptl_status (*check)(verifier *v, ptl_error *err);
    } checks[] = {{"file", check_integrity},
                  {"schema", check_schema},
                  {"foreign keys", check_foreign_keys},
                  {"tables", check_tables},
                  {"dictionary", check_dictionary},
                  {"chunks", verify_chunks},
                  {"edges", verify_edges},
                  {"runs", check_run_counts}};
    ptl_verify_counts ignored;
    ptl_error local;
    ptl_error *e = err ? err : &local;
    verifier v = {.store = store,
                  .on_problem = on_problem,
                  .payload = payload,
                  .counts = counts ? counts : &ignored};
    error_clear(e);
    memset(v.counts, 0, sizeof *v.counts);
    ptl_status status = row_scratch_get(&v.scratch, store, e);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == PTL_OK; i++) {
        status = checks[i].check(&v, e);
        status = verify_soft(&v, INVARIANT_SQLITE, checks[i].where, status, e);
    }
    catalogue_free(v.cat);
    return status;
}
