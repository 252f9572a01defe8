/*
 * Which draft a file is, and its tables. The drafts differ from version 4 in 0001_store.sql
 * alone; tables that are the same stay where they are, the others make room under the name
 * draft_..., until their rows are taken over.
 */
#include "core/error.h"
#include "store/sqlite/rows/rowsum.h"
#include "store/sqlite/schema/draft.h"

#include <string.h>

enum { FIXED_VERSION = 4 };

/* Checksums over the texts of the tables of 0001_store.sql, in the order of their names. */
static const struct {
    draft_kind kind;
    int64_t checksum;
} known[] = {{DRAFT_1, INT64_C(8321306157690733375)},
             {DRAFT_2, INT64_C(-7661147426543720121)},
             {DRAFT_NONE, INT64_C(8686052787032294009)}};

static const char tables_sql[] =
    "SELECT type, name, sql FROM sqlite_schema WHERE name IN ('oter', 'name', 'world', 'run', "
    "'chunk', 'level', 'city', 'radio', 'special_placement', 'pack', 'edge', 'crossing', "
    "'event') ORDER BY name";

static ptl_status tables_checksum(int64_t *out, ptl_store *store, ptl_error *err)
{
    bytes b = {0};
    stmt *s = NULL;
    rowsum_begin(&b, "schema");
    ptl_status status = stmt_prepare(&s, store, tables_sql, err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(s, &row, err);
        if (status == PTL_OK && row)
            rowsum_columns(&b, s, 0, 3);
    }
    if (status == PTL_OK)
        status = rowsum_end(&b, out, err);
    stmt_free(s);
    bytes_dispose(&b);
    return status;
}

ptl_status draft_find(draft_kind *out, ptl_store *store, ptl_error *err)
{
    int64_t checksum = 0;
    *out = DRAFT_NONE;
    ptl_status status = tables_checksum(&checksum, store, err);
    if (status != PTL_OK)
        return status;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].checksum == checksum) {
            *out = known[i].kind;
            return PTL_OK;
        }
    }
    return error_set(err, PTL_ERR_FORMAT,
                     "it says schema version %d, but has tables that no Portolan made",
                     (int)FIXED_VERSION);
}

/* ---- making room ---- */

/* legacy_alter_table: other tables go on referring to the old names, which the new ones get.
 * (migrate.c takes it back, whatever happens.) */
static const char begin_both[] = "PRAGMA legacy_alter_table = ON;"
                                 "DROP VIEW IF EXISTS v_radio;"
                                 "ALTER TABLE world RENAME TO draft_world;"
                                 "ALTER TABLE chunk RENAME TO draft_chunk;";
static const char begin_1[] = "ALTER TABLE edge RENAME TO draft_edge;";
static const char begin_2[] = "ALTER TABLE city RENAME TO draft_city;"
                              "ALTER TABLE radio RENAME TO draft_radio;"
                              "ALTER TABLE pack RENAME TO draft_pack;";

static const char end_both[] = "DROP TABLE draft_world; DROP TABLE draft_chunk;";
static const char end_1[] = "DROP TABLE draft_edge;";
static const char end_2[] = "DROP TABLE draft_city; DROP TABLE draft_radio;"
                            "DROP TABLE draft_pack;";

/* One object of the fixed schema, unless the file has it. */
static ptl_status make_missing(ptl_store *store, stmt *exists, const stmt *want, ptl_error *err)
{
    bool row = false;
    stmt_bind_text(exists, 1, stmt_text(want, 0));
    ptl_status status = stmt_step(exists, &row, err);
    stmt_reset(exists);
    if (status == PTL_OK && !row)
        status = store_exec(store, stmt_text(want, 1), err);
    return status;
}

static ptl_status make_all_missing(ptl_store *store, ptl_store *fixed, ptl_error *err)
{
    stmt *exists = NULL, *want = NULL;
    ptl_status status =
        stmt_prepare(&exists, store, "SELECT 1 FROM sqlite_schema WHERE name = ?", err);
    if (status == PTL_OK)
        status = stmt_prepare(&want, fixed,
                              "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL "
                              "ORDER BY rowid",
                              err);
    for (bool row = true; row && status == PTL_OK;) {
        status = stmt_step(want, &row, err);
        if (status == PTL_OK && row)
            status = make_missing(store, exists, want, err);
    }
    stmt_free(want);
    stmt_free(exists);
    return status;
}

/* The fixed schema comes from the migrations themselves, so its text is theirs. */
static ptl_status make_fixed(ptl_store *store, ptl_error *err)
{
    ptl_store fixed = {0};
    int code =
        sqlite3_open_v2(":memory:", &fixed.db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
    ptl_status status = PTL_OK;
    if (code != SQLITE_OK)
        status = store_sqlite_error(&fixed, code, "opening a database in memory", err);
    if (status == PTL_OK)
        status = migrate_run_up_to(&fixed, FIXED_VERSION, err);
    if (status == PTL_OK)
        status = make_all_missing(store, &fixed, err);
    sqlite3_close(fixed.db);
    return status;
}

ptl_status draft_schema_begin(ptl_store *store, draft_kind kind, ptl_error *err)
{
    ptl_status status = store_exec(store, begin_both, err);
    if (status == PTL_OK)
        status = store_exec(store, kind == DRAFT_1 ? begin_1 : begin_2, err);
    if (status == PTL_OK)
        status = make_fixed(store, err);
    return status;
}

static ptl_status check_keys(ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    bool row = false;
    ptl_status status = stmt_prepare(&s, store, "PRAGMA foreign_key_check", err);
    if (status == PTL_OK)
        status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status =
            error_set(err, PTL_ERR_CORRUPT, "table %s refers to a row of %s that is missing",
                      stmt_text(s, 0), stmt_text(s, 2));
    stmt_free(s);
    return status;
}

ptl_status draft_schema_end(ptl_store *store, draft_kind kind, ptl_error *err)
{
    ptl_status status = store_exec(store, end_both, err);
    if (status == PTL_OK)
        status = store_exec(store, kind == DRAFT_1 ? end_1 : end_2, err);
    return status == PTL_OK ? check_keys(store, err) : status;
}
