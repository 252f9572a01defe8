/* ptl_verify: checks of the file as a whole, and of tables whose rows stand alone. Each check
 * continues after a problem; only what makes reading impossible ends the call. */
#include "store/sqlite/verify/verify.h"

#include "core/error.h"
#include "core/visible.h"
#include "model/catalogue.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/integrity.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/schema/schema_check.h"

#include <stdio.h>
#include <string.h>

void verify_problem(verifier *v, int invariant, const char *where, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    visible_one_line(message); /* texts of a damaged file may hold anything */
    v->counts->problems++;
    const ptl_problem problem = {
        .size = sizeof problem, .invariant = invariant, .where = where, .message = message};
    if (v->on_problem)
        v->on_problem(v->payload, &problem);
}

ptl_status verify_soft(verifier *v, int invariant, const char *where, ptl_status status,
                       ptl_error *err)
{
    if (status != PTL_ERR_CORRUPT)
        return status;
    verify_problem(v, err->backend_code ? INVARIANT_SQLITE : invariant, where, "%s",
                   err->message);
    error_clear(err);
    return PTL_OK;
}

static void structure_found(void *payload, const char *message)
{
    verify_problem(payload, INVARIANT_SQLITE, "file", "%s", message);
}

static ptl_status check_integrity(verifier *v, ptl_error *err)
{
    return integrity_check(v->store, "PRAGMA integrity_check", structure_found, v, err);
}

static ptl_status check_foreign_keys(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, v->store, "PRAGMA foreign_key_check", err);
    while (stmt_row(s, &status, err)) {
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

static void schema_found(void *payload, const schema_problem *problem)
{
    char where[160];
    snprintf(where, sizeof where, "%.20s %.120s", problem->type, problem->name);
    visible_one_line(where);
    verify_problem(payload, INVARIANT_SCHEMA, where, "%s", problem->why);
}

static ptl_status stray_found(void *payload, const schema_stray *stray, ptl_error *err)
{
    char where[160];
    (void)err;
    snprintf(where, sizeof where, "%.20s %.120s", stray->type, stray->name);
    visible_one_line(where);
    verify_problem(payload, INVARIANT_SCHEMA, where,
                   "is said to be of table '%.60s', and is of '%.60s'", stray->said,
                   stray->owner);
    return PTL_OK;
}

static ptl_status check_schema(verifier *v, ptl_error *err)
{
    TRY(schema_walk(v->store, schema_found, v, err));
    return schema_owner_walk(v->store, false, stray_found, v, err);
}

/* ---- content ---- */

static void content_found(void *payload, const char *table, const char *message)
{
    char where[160];
    snprintf(where, sizeof where, "table %.140s", table);
    visible_one_line(where);
    verify_problem(payload, INVARIANT_CONTENT, where, "%s", message);
}

/* Checks the content in one snapshot, so that an import that is running can't make a sound
 * file look damaged. */
static ptl_status check_content(verifier *v, ptl_error *err)
{
    bool own;
    TRY(sqlite_begin_snapshot(v->store, &own, err));
    ptl_status status = sqlite_content_check(v->store, content_found, v, err);
    sqlite_end_snapshot(v->store, own);
    return status;
}

/* ---- tables whose rows stand alone ---- */

static ptl_status check_tables(verifier *v, ptl_error *err)
{
    static const struct {
        int invariant;
        row_table_id table;
    } checks[] = {{INVARIANT_DICTIONARY, TABLE_OTER}, {INVARIANT_NAME, TABLE_NAME},
                  {INVARIANT_WORLD, TABLE_WORLD},     {INVARIANT_RUN, TABLE_RUN},
                  {INVARIANT_EVENT, TABLE_EVENT},     {INVARIANT_SET_ASIDE, TABLE_ASIDE},
                  {INVARIANT_SWEEP, TABLE_SWEEP}};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        const row_table *t = row_table_of(checks[i].table);
        stmt *s = NULL;
        char where[64];
        ptl_status status = stmt_prepare(&s, v->store, t->all, err);
        while (stmt_row(s, &status, err)) {
            snprintf(where, sizeof where, "table %s, row %lld", t->name,
                     (long long)stmt_int(s, 0));
            status = row_verify(s, checks[i].table, err);
            status = verify_soft(v, checks[i].invariant, where, status, err);
        }
        stmt_free(s);
        TRY(verify_soft(v, INVARIANT_SQLITE, t->name, status, err));
    }
    return PTL_OK;
}

/* Checks earlier contents: each table's rows must be what an import writes. */
static ptl_status check_past(verifier *v, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_store *memory = NULL;
    stmt *s = NULL;
    char where[64];
    options.mode = PTL_OPEN_CREATE;
    ptl_status status = stmt_prepare(&s, v->store, row_table_of(TABLE_PAST)->all, err);
    THEN(status, sqlite_open(&memory, ":memory:", &options, v->store->head.operations, err));
    THEN(status, content_copy_careless(memory, err));
    while (stmt_row(s, &status, err)) {
        snprintf(where, sizeof where, "table content_past, row %lld",
                 (long long)stmt_int(s, 0));
        status = row_verify(s, TABLE_PAST, err);
        THEN(status, content_past_row_check(s, memory, err));
        status = verify_soft(v, INVARIANT_CONTENT_PAST, where, status, err);
    }
    stmt_free(s);
    ptl_store_close(memory);
    return status;
}

/* Checks that the numbers of a dictionary run from 1 without gaps. */
static ptl_status check_gaps(verifier *v, int invariant, const char *table, const char *sql,
                             ptl_error *err)
{
    stmt *s = NULL;
    int64_t last = 0;
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    for (bool row = true; row && status == PTL_OK && last < INT64_MAX;) {
        status = stmt_step(s, &row, err);
        if (status != PTL_OK || !row)
            break;
        if (stmt_int(s, 0) != last + 1)
            verify_problem(v, invariant, table, "number %lld is missing", (long long)last + 1);
        last = stmt_int(s, 0);
    }
    stmt_free(s);
    return verify_soft(v, INVARIANT_SQLITE, table, status, err);
}

/* Finds names that two rows have, where no unique index excludes that. */
static ptl_status check_twice(verifier *v, int invariant, const char *table, const char *sql,
                              ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    while (stmt_row(s, &status, err))
        verify_problem(v, invariant, table, "number %lld has the name of number %lld",
                       (long long)stmt_int(s, 0), (long long)stmt_int(s, 1));
    stmt_free(s);
    return verify_soft(v, INVARIANT_SQLITE, table, status, err);
}

#define TWICE(table) "SELECT max(id), min(id) FROM " table " GROUP BY name HAVING count(*) > 1"

/* Reads a dictionary again. *bad is set if it can't be used; what is wrong with it was
 * reported before. */
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
    TRY(check_gaps(v, INVARIANT_DICTIONARY, "table oter", "SELECT id FROM oter ORDER BY id",
                   err));
    TRY(check_twice(v, INVARIANT_DICTIONARY, "table oter", TWICE("oter"), err));
    TRY(check_gaps(v, INVARIANT_NAME, "table name", "SELECT id FROM name ORDER BY id", err));
    TRY(check_twice(v, INVARIANT_NAME, "table name", TWICE("name"), err));
    dictionary_forget(v->store);
    TRY(reread(&v->dictionary_bad, dictionary_refresh(v->store, err), err));
    return reread(&v->names_bad, names_refresh(v->store, err), err);
}

static void index_found(void *payload, const char *where, const char *message)
{
    verify_problem(payload, INVARIANT_INDEX, where, "%s", message);
}

/* Checks the index. It is skipped where dictionaries are damaged: no chunk can be read then,
 * and that is reported elsewhere. */
static ptl_status check_index(verifier *v, ptl_error *err)
{
    return v->dictionary_bad || v->names_bad ? PTL_OK
                                             : unpacked_check(v->store, index_found, v, err);
}

/* Checks the runs' numbers of chunks. A chunk that a later run replaced was counted by both,
 * so a run may claim more chunks than name it. */
static ptl_status check_run_counts(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    char where[64];
    ptl_status status = stmt_prepare(
        &s, v->store,
        "SELECT r.id, r.chunks, count(c.id) AS n FROM run r JOIN chunk c ON c.run_id = r.id "
        "WHERE r.chunks IS NOT NULL GROUP BY r.id HAVING n > r.chunks ORDER BY r.id",
        err);
    while (stmt_row(s, &status, err)) {
        snprintf(where, sizeof where, "table run, row %lld", (long long)stmt_int(s, 0));
        verify_problem(v, INVARIANT_RUN_COUNT, where, "says %lld chunks, but %lld name it",
                       (long long)stmt_int(s, 1), (long long)stmt_int(s, 2));
    }
    stmt_free(s);
    return status;
}

ptl_status verify_parts(ptl_store *store, unsigned parts,
                        void (*on_problem)(void *payload, const ptl_problem *problem),
                        void *payload, ptl_verify_counts *counts, ptl_error *err)
{
    static const struct {
        unsigned part;
        const char *where;
        ptl_status (*check)(verifier *v, ptl_error *err);
    } checks[] = {
        {VERIFY_FILE, "file", check_integrity},
        {VERIFY_FILE, "schema", check_schema},
        {VERIFY_FILE, "foreign keys", check_foreign_keys},
        {VERIFY_TABLES, "tables", check_tables},
        {VERIFY_CONTENT, "content", check_content},
        {VERIFY_CONTENT, "content_past", check_past},
        {VERIFY_TABLES | VERIFY_CHUNKS | VERIFY_EDGES, "dictionary", check_dictionary},
        {VERIFY_CHUNKS, "chunks", verify_chunks},
        {VERIFY_EDGES, "edges", verify_edges},
        {VERIFY_TABLES, "sweeps", verify_sweeps},
        {VERIFY_TABLES, "local maps", verify_maps},
        {VERIFY_TABLES, "spills", verify_spills},
        {VERIFY_TABLES, "local tides", verify_surges},
        {VERIFY_TABLES, "index", check_index},
        {VERIFY_TABLES, "runs", check_run_counts}};
    ptl_verify_counts ignored = PTL_VERIFY_COUNTS_INIT;
    ptl_error local;
    ptl_error *e = err ? err : &local;
    verifier v = {.store = store,
                  .on_problem = on_problem,
                  .payload = payload,
                  .counts = counts ? counts : &ignored};
    error_clear(e);
    *v.counts = (ptl_verify_counts)PTL_VERIFY_COUNTS_INIT;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && status == PTL_OK; i++) {
        if ((checks[i].part & parts) == 0)
            continue;
        status = checks[i].check(&v, e);
        status = verify_soft(&v, INVARIANT_SQLITE, checks[i].where, status, e);
    }
    catalogue_free(v.cat);
    return status;
}

/* Verifies a snapshot if another process writes the file. SQLite's check of the structure is
 * one long read, and so are some of our own checks; they would hold the writer up. */
ptl_status sqlite_verify(ptl_store *store,
                         void (*on_problem)(void *payload, const ptl_problem *problem),
                         void *payload, ptl_verify_counts *counts, ptl_error *err)
{
    ptl_store *snapshot = NULL;
    error_clear(err);
    ptl_status status = snapshot_if_wanted(&snapshot, store, err);
    if (status == PTL_OK)
        status = verify_parts(snapshot ? snapshot : store, VERIFY_ALL, on_problem, payload,
                              counts, err);
    ptl_store_close(snapshot);
    return status;
}
