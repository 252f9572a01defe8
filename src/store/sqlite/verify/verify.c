/* ptl_verify: checks of the file as a whole, and of tables whose rows stand alone. Each check
 * continues after a problem; only what makes reading impossible ends the call. */
#include "store/sqlite/verify/verify.h"

#include "core/error.h"
#include "core/visible.h"
#include "model/catalogue.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/integrity.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/edge_rows.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/schema/schema_check.h"
#include "store/sqlite/sweeps/sweep_rows.h"

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

/* Each row that the query gives is a problem: where in the table it is, and what is wrong. */
static ptl_status check_none(verifier *v, int invariant, const char *table, const char *sql,
                             ptl_error *err)
{
    stmt *s = NULL;
    char where[192];
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    while (stmt_row(s, &status, err)) {
        snprintf(where, sizeof where, "table %s%.160s", table, stmt_text(s, 0));
        verify_problem(v, invariant, where, "%s", stmt_text(s, 1));
    }
    stmt_free(s);
    return status;
}

static ptl_status check_foreign_keys(verifier *v, ptl_error *err)
{
    return check_none(
        v, INVARIANT_FOREIGN_KEYS, "",
        "SELECT \"table\" || ', row ' || coalesce(rowid, 0), 'refers to a row of ' "
        "|| parent || ' that is not there' FROM pragma_foreign_key_check",
        err);
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

/* Checks earlier contents: each table's rows must be what an import writes, and each content
 * must have all tables; if one is missing, nothing can be read by that content. */
static ptl_status check_past(verifier *v, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_store *memory = NULL;
    stmt *s = NULL;
    char where[64], sql[300];
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
    snprintf(sql, sizeof sql,
             "SELECT '', 'of content ' || content_id || ' only ' || count(*) || ' of %d rows "
             "are there' FROM content_past GROUP BY content_id HAVING count(*) <> %d",
             content_past_tables(), content_past_tables());
    THEN(status, check_none(v, INVARIANT_CONTENT_PAST, "content_past", sql, err));
    return status;
}

/* Numbers of a dictionary that are missing between 1 and the last. */
#define GAPS(table)                                                                            \
    "SELECT '', 'number ' || (before + 1) || ' is missing' FROM (SELECT id, lag(id, 1, 0) "    \
    "OVER (ORDER BY id) AS before FROM " table ") WHERE id <> before + 1 ORDER BY id"
/* Names that two rows have, where no unique index excludes that. */
#define TWICE(table)                                                                           \
    "SELECT '', 'number ' || max(id) || ' has the name of number ' || min(id) FROM " table     \
    " GROUP BY name HAVING count(*) > 1"

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
    ptl_status status = check_none(v, INVARIANT_DICTIONARY, "oter", GAPS("oter"), err);
    THEN(status, check_none(v, INVARIANT_DICTIONARY, "oter", TWICE("oter"), err));
    THEN(status, check_none(v, INVARIANT_NAME, "name", GAPS("name"), err));
    THEN(status, check_none(v, INVARIANT_NAME, "name", TWICE("name"), err));
    TRY(verify_soft(v, INVARIANT_SQLITE, "dictionary", status, err));
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

/* Checks the runs' numbers of chunks, and that events are numbered without gaps. A chunk that
 * a later run replaced was counted by both, so a run may claim more chunks than name it. */
static ptl_status check_counts(verifier *v, ptl_error *err)
{
    TRY(check_none(
        v, INVARIANT_RUN_COUNT, "run",
        "SELECT ', row ' || r.id, 'says ' || r.chunks || ' chunks, but ' || count(*) || "
        "' name it' FROM run r JOIN chunk c ON c.run_id = r.id WHERE r.chunks IS NOT NULL "
        "GROUP BY r.id HAVING count(*) > r.chunks ORDER BY r.id",
        err));
    return check_none(v, INVARIANT_EVENT, "event",
                      "SELECT '', 'of chunk ' || chunk_id || ' only ' || count(*) || ' of ' || "
                      "(max(number) + 1) || ' rows are there' FROM event GROUP BY chunk_id "
                      "HAVING count(*) <> max(number) + 1",
                      err);
}

/* Verifies edges with their crossings and border cells, one at a time. */

static void check_crossing(verifier *v, const stmt *s, const char *where)
{
    const char *kind = stmt_text(s, CROSSING_COLUMN_KIND);
    int64_t z = stmt_int(s, CROSSING_COLUMN_Z);
    int64_t position = stmt_int(s, CROSSING_COLUMN_POSITION);
    int64_t width = stmt_int(s, CROSSING_COLUMN_WIDTH);
    int64_t direction = stmt_int(s, CROSSING_COLUMN_DIRECTION);
    if (z < PTL_Z_MIN || z > PTL_Z_MAX || position < 0 || position >= PTL_CHUNK_SIZE ||
        width < 0 || width > UINT8_MAX || direction < -1 || direction > 1 || kind[0] == '\0')
        verify_problem(v, INVARIANT_CROSSING, where,
                       "crossing '%s' z %lld position %lld width %lld direction %lld is out of "
                       "range",
                       kind, (long long)z, (long long)position, (long long)width,
                       (long long)direction);
}

/* Checks that border cells belong to a foreign edge, and that the file knows their oters. */
static ptl_status check_cells(verifier *v, const stmt *row, const char *where, ptl_error *err)
{
    edge_cells cells;
    size_t size;
    const void *blob = stmt_blob(row, EDGE_COLUMN_CELLS, &size);
    if (v->dictionary_bad || stmt_is_null(row, EDGE_COLUMN_CELLS))
        return PTL_OK;
    ptl_status status = dictionary_refresh(v->store, err);
    THEN(status, edge_cells_parse(&cells, blob, size, dictionary_size(v->store), err));
    if (status == PTL_OK &&
        (size == 0 || strcmp(stmt_text(row, EDGE_COLUMN_ORIGIN), "foreign") != 0))
        verify_problem(v, INVARIANT_BORDER_CELLS, where, "cells where there should be none");
    return verify_soft(v, INVARIANT_BORDER_CELLS, where, status, err);
}

static ptl_status check_edge(verifier *v, const stmt *row, ptl_error *err)
{
    stmt *s = NULL;
    char where[192];
    int64_t sum = 0;
    size_t count = 0;
    snprintf(where, sizeof where, "world '%.100s', edge %lld,%lld %.1s",
             stmt_text(row, EDGE_COLUMN_COUNT), (long long)stmt_int(row, EDGE_COLUMN_X),
             (long long)stmt_int(row, EDGE_COLUMN_Y), stmt_text(row, EDGE_COLUMN_SIDE));
    v->counts->edges++;
    TRY(stmt_prepared(&s, v->store, STMT_CROSSING_READ, err));
    rowsum_begin(&v->store->scratch->sum, "edge");
    rowsum_row(&v->store->scratch->sum, row_table_of(TABLE_EDGE), row, 0);
    stmt_bind_int(s, 1, stmt_int(row, EDGE_COLUMN_ID));
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        rowsum_row(&v->store->scratch->sum, row_table_of(TABLE_CROSSING), s, CROSSING_COLUMN_Z);
        check_crossing(v, s, where);
        count++;
    }
    stmt_reset(s);
    THEN(status, rowsum_end(&v->store->scratch->sum, &sum, err));
    if (status == PTL_OK && sum != stmt_int(row, EDGE_COLUMN_CHECKSUM))
        verify_problem(v, INVARIANT_EDGE, where, "checksum differs");
    if (count > EDGE_CROSSINGS_MAX)
        verify_problem(v, INVARIANT_CROSSING, where, "%zu crossings", count);
    THEN(status, check_cells(v, row, where, err));
    return verify_soft(v, INVARIANT_SQLITE, where, status, err);
}

/*
 * Verifies local maps: each row's checksum, and that its blobs are well-formed and use only
 * names of the dictionaries. It also verifies their spills, local tides, and the overmaps of
 * sweeps.
 */

/* Checks each row of a table; sql gives the first row after a number. */
static ptl_status verify_each(verifier *v, const char *table, const char *sql,
                              verify_row *check, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    while (stmt_row_after(s, &after, table, &status, err))
        status = check(v, s, err);
    stmt_free(s);
    return status;
}

/* Checks every edge with its crossings. */
static ptl_status verify_edges(verifier *v, ptl_error *err)
{
    return verify_each(v, "edge",
                       "SELECT " EDGE_COLUMNS
                       ", (SELECT name FROM world w WHERE w.id = edge.world_id) FROM edge "
                       "WHERE id > ? ORDER BY id LIMIT 1",
                       check_edge, err);
}

static ptl_status check_map(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    stored_map found = {.pool = NULL};
    snprintf(where, sizeof where, "table omt_map, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_MAP, err);
    if (status == PTL_OK && !v->names_bad && !v->dictionary_bad)
        status = map_row_parse(&found, v->store, s, err);
    stored_map_dispose(&found);
    return verify_soft(v, INVARIANT_MAP, where, status, err);
}

/* Checks every local map. */
static ptl_status verify_maps(verifier *v, ptl_error *err)
{
    return verify_each(v, "omt_map",
                       "SELECT " MAP_COLUMNS " FROM omt_map WHERE id > ? ORDER BY id LIMIT 1",
                       check_map, err);
}

/* Checks spills. The row has an additional column, which says whether the map exists and is of
 * level 0. */
static ptl_status check_spill(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    snprintf(where, sizeof where, "table omt_spill, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SPILL, err);
    THEN(status, spill_row_check(s, err));
    if (status == PTL_OK && stmt_int(s, SPILL_COLUMN_COUNT) == 0)
        verify_problem(v, INVARIANT_SPILL, where, "belongs to no local map of level 0");
    return verify_soft(v, INVARIANT_SPILL, where, status, err);
}

/* Checks the spills of every local map. */
static ptl_status verify_spills(verifier *v, ptl_error *err)
{
    return verify_each(
        v, "omt_spill",
        "SELECT " SPILL_COLUMNS ", EXISTS (SELECT 1 FROM omt_map m WHERE m.id = "
        "omt_spill.id AND m.z = 0) FROM omt_spill WHERE id > ? ORDER BY id LIMIT 1",
        check_spill, err);
}

static ptl_status check_surge(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    surge_row found;
    snprintf(where, sizeof where, "table surge, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SURGE, err);
    THEN(status, surge_row_parse(&found, s, err));
    return verify_soft(v, INVARIANT_SURGE, where, status, err);
}

/* Checks every local tide. */
static ptl_status verify_surges(verifier *v, ptl_error *err)
{
    return verify_each(v, "surge",
                       "SELECT " SURGE_COLUMNS " FROM surge WHERE id > ? ORDER BY id LIMIT 1",
                       check_surge, err);
}

static ptl_status check_overmap(verifier *v, const stmt *s, ptl_error *err)
{
    char where[64];
    summary found = {0};
    snprintf(where, sizeof where, "table sweep_chunk, row %lld", (long long)stmt_int(s, 0));
    ptl_status status = row_verify(s, TABLE_SWEEP_CHUNK, err);
    if (status == PTL_OK && !v->names_bad)
        status = sweep_chunk_parse(&found, v->store, s, PTL_COUNT_ALL, err);
    summary_dispose(&found);
    return verify_soft(v, INVARIANT_SWEEP_CHUNK, where, status, err);
}

/* Checks every overmap of every sweep: its checksum, that its packs are well-formed and use
 * only names of the dictionary, that lists are in order and sums possible. */
static ptl_status verify_sweeps(verifier *v, ptl_error *err)
{
    return verify_each(v, "sweep_chunk",
                       "SELECT " SWEEP_CHUNK_COLUMNS
                       " FROM sweep_chunk WHERE id > ? ORDER BY id LIMIT 1",
                       check_overmap, err);
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
        {VERIFY_TABLES, "runs and events", check_counts}};
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
