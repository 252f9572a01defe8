/* ptl_verify: checks the file as a whole, and tables whose rows can each be checked by itself.
 * After a problem each check goes on; only a failure to read ends the call. */
#include "store/sqlite/verify/verify.h"

#include "core/error.h"
#include "core/utf8.h"
#include "core/visible.h"
#include "model/catalogue.h"
#include "store/sqlite/catalogue/content_past.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/file/snapshot.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/rows/chunk_write.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/schema/schema_check.h"
#include "store/sqlite/sweeps/sweep_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verify_problem(verifier *v, int invariant, const char *where, const char *format, ...)
{
    char message[PTL_ERROR_MESSAGE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    visible_one_line(message); /* texts of a damaged file may hold any bytes */
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

ptl_status verify_none(verifier *v, int invariant, const char *table, const char *sql,
                       ptl_error *err)
{
    stmt *s = NULL;
    char where[192];
    ptl_status status = stmt_prepare(&s, v->store, sql, err);
    while (stmt_row(s, &status, err)) {
        snprintf(where, sizeof where, "table %s%.*s", table, UTF8_CUT(stmt_text(s, 0), 160));
        verify_problem(v, invariant, where, "%s", stmt_text(s, 1));
    }
    stmt_free(s);
    return status;
}

static ptl_status check_foreign_keys(verifier *v, ptl_error *err)
{
    return verify_none(
        v, INVARIANT_FOREIGN_KEYS, "",
        "SELECT \"table\" || ', row ' || coalesce(rowid, 0), 'refers to a row of ' "
        "|| parent || ' that is not there' FROM pragma_foreign_key_check",
        err);
}

/* ---- schema ---- */

/* Reports a problem of a table, index or the like, which is named in the message. The name may
 * be any text, so it is shortened and made printable. */
static void named_found(verifier *v, int invariant, const char *type, const char *name,
                        const char *why)
{
    char where[160];
    snprintf(where, sizeof where, "%.20s %.*s", type, UTF8_CUT(name, 120));
    visible_one_line(where);
    verify_problem(v, invariant, where, "%s", why);
}

static void schema_found(void *payload, const schema_problem *problem)
{
    named_found(payload, INVARIANT_SCHEMA, problem->type, problem->name, problem->why);
}

static ptl_status stray_found(void *payload, const schema_stray *stray, ptl_error *err)
{
    char why[160];
    (void)err;
    snprintf(why, sizeof why, "is said to be of table '%.*s', and is of '%.*s'",
             UTF8_CUT(stray->said, 60), UTF8_CUT(stray->owner, 60));
    named_found(payload, INVARIANT_SCHEMA, stray->type, stray->name, why);
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
    named_found(payload, INVARIANT_CONTENT, "table", table, message);
}

/* All tables are checked in one snapshot, so that an import that is running can't make a sound
 * file look damaged. */
static ptl_status check_content(verifier *v, ptl_error *err)
{
    bool own;
    TRY(sqlite_begin_snapshot(v->store, &own, err));
    ptl_status status = sqlite_content_check(v->store, content_found, v, err);
    sqlite_end_snapshot(v->store, own);
    return status;
}

/* ---- tables each of whose rows can be checked by itself ---- */

static ptl_status check_lone_table(verifier *v, const lone_table *l, ptl_error *err)
{
    const char *name = row_table_of(l->table)->name;
    stmt *s;
    int64_t after = INT64_MIN;
    ptl_status status =
        stmt_prepare(&s, v->store, l->next ? l->next : row_table_of(l->table)->all, err);
    while (l->next ? stmt_row_after(s, &after, name, &status, err)
                   : stmt_row(s, &status, err)) {
        char where[64];
        snprintf(where, sizeof where, "table %s, row %lld", name, (long long)stmt_int(s, 0));
        status = row_verify(s, l->table, err);
        if (status == PTL_OK && l->parse && !(l->names && v->names_bad) &&
            !(l->oters && v->dictionary_bad))
            status = l->parse(v->store, s, err);
        status = verify_soft(v, l->invariant, where, status, err);
    }
    stmt_free(s);
    return verify_soft(v, INVARIANT_SQLITE, l->where, status, err);
}

static ptl_status check_tables(verifier *v, ptl_error *err)
{
    static const lone_table checks[] = {
        {.table = TABLE_OTER, .invariant = INVARIANT_DICTIONARY, .where = "oter"},
        {.table = TABLE_NAME, .invariant = INVARIANT_NAME, .where = "name"},
        {.table = TABLE_WORLD, .invariant = INVARIANT_WORLD, .where = "world"},
        {.table = TABLE_RUN, .invariant = INVARIANT_RUN, .where = "run"},
        {.table = TABLE_EVENT, .invariant = INVARIANT_EVENT, .where = "event"},
        {.table = TABLE_ASIDE, .invariant = INVARIANT_SET_ASIDE, .where = "set_aside"},
        {.table = TABLE_SWEEP, .invariant = INVARIANT_SWEEP, .where = "sweep"}};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        TRY(check_lone_table(v, &checks[i], err));
    return PTL_OK;
}

/* Checks earlier contents: each table's rows must be what an import would have written, and
 * each content must have all tables, since without one of them it can't be read. */
static ptl_status check_past(verifier *v, ptl_error *err)
{
    ptl_store *memory = NULL;
    stmt *s = NULL;
    char where[64], sql[300];
    ptl_status status = stmt_prepare(&s, v->store, row_table_of(TABLE_PAST)->all, err);
    THEN(status, content_memory_open(&memory, v->store, err));
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
             content_past_tables(NULL), content_past_tables(NULL));
    THEN(status, verify_none(v, INVARIANT_CONTENT_PAST, "content_past", sql, err));
    return status;
}

/* SQL that finds gaps in the numbers of a dictionary, which go from 1 up. */
#define GAPS(table)                                                                            \
    "SELECT '', 'number ' || (before + 1) || ' is missing' FROM (SELECT id, lag(id, 1, 0) "    \
    "OVER (ORDER BY id) AS before FROM " table ") WHERE id <> before + 1 ORDER BY id"
/* SQL that finds names that two rows have, in tables where no unique index prevents that. */
#define TWICE(table)                                                                           \
    "SELECT '', 'number ' || max(id) || ' has the name of number ' || min(id) FROM " table     \
    " GROUP BY name HAVING count(*) > 1"

/* Handles the result of refreshing a dictionary's cache: PTL_ERR_CORRUPT sets *bad and becomes
 * PTL_OK, since the damage has been reported before. */
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
    ptl_status status = verify_none(v, INVARIANT_DICTIONARY, "oter", GAPS("oter"), err);
    THEN(status, verify_none(v, INVARIANT_DICTIONARY, "oter", TWICE("oter"), err));
    THEN(status, verify_none(v, INVARIANT_NAME, "name", GAPS("name"), err));
    THEN(status, verify_none(v, INVARIANT_NAME, "name", TWICE("name"), err));
    TRY(verify_soft(v, INVARIANT_SQLITE, "dictionary", status, err));
    dictionary_forget(v->store);
    TRY(reread(&v->dictionary_bad, dictionary_refresh(v->store, err), err));
    return reread(&v->names_bad, names_refresh(v->store, err), err);
}

static void index_found(void *payload, const char *where, const char *message)
{
    verify_problem(payload, INVARIANT_INDEX, where, "%s", message);
}

/* Checks the tables of `portolan index`, unless dictionaries are damaged: then no chunk can be
 * read, which has been reported before. */
static ptl_status check_index(verifier *v, ptl_error *err)
{
    return v->dictionary_bad || v->names_bad ? PTL_OK
                                             : unpacked_check(v->store, index_found, v, err);
}

/* Checks that the number of chunks in each row of the table `run` is not less than the
 * number of chunks that refer to the row, and that the events of a chunk are numbered
 * without gaps. The row may have a greater number, since a chunk that a later call has made
 * again was counted in both rows. */
static ptl_status check_counts(verifier *v, ptl_error *err)
{
    TRY(verify_none(
        v, INVARIANT_RUN_COUNT, "run",
        "SELECT ', row ' || r.id, 'says ' || r.chunks || ' chunks, but ' || count(*) || "
        "' name it' FROM run r JOIN chunk c ON c.run_id = r.id WHERE r.chunks IS NOT NULL "
        "GROUP BY r.id HAVING count(*) > r.chunks ORDER BY r.id",
        err));
    return verify_none(
        v, INVARIANT_EVENT, "event",
        "SELECT '', 'of chunk ' || chunk_id || ' only ' || count(*) || ' of ' || "
        "(max(number) + 1) || ' rows are there' FROM event GROUP BY chunk_id "
        "HAVING count(*) <> max(number) + 1",
        err);
}

/* ---- edges with their crossings and border cells, read one at a time ---- */

static void check_crossing(verifier *v, const stmt *s, const char *where)
{
    crossing c;
    const char *kind = stmt_text(s, CROSSING_COLUMN_KIND);
    if (!crossing_row_take(&c, s) || kind[0] == '\0')
        verify_problem(v, INVARIANT_CROSSING, where,
                       "crossing '%s' z %lld position %lld width %lld direction %lld is out of "
                       "range",
                       kind, (long long)stmt_int(s, CROSSING_COLUMN_Z),
                       (long long)stmt_int(s, CROSSING_COLUMN_POSITION),
                       (long long)stmt_int(s, CROSSING_COLUMN_WIDTH),
                       (long long)stmt_int(s, CROSSING_COLUMN_DIRECTION));
}

/* Checks that only a foreign edge has border cells, and that the dictionary has their oters. */
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
    stmt *s;
    char where[192];
    int64_t sum = 0;
    size_t count = 0;
    snprintf(where, sizeof where, "world '%.*s', edge %lld,%lld %.1s",
             UTF8_CUT(stmt_text(row, EDGE_COLUMN_COUNT), 100),
             (long long)stmt_int(row, EDGE_COLUMN_X), (long long)stmt_int(row, EDGE_COLUMN_Y),
             stmt_text(row, EDGE_COLUMN_SIDE));
    v->counts->edges++;
    rowsum_begin(&v->store->scratch->sum, "edge");
    rowsum_row(&v->store->scratch->sum, row_table_of(TABLE_EDGE), row, 0);
    ptl_status status = stmt_begin(&s, v->store, stmt_of(TABLE_CROSSING, ROWS_OWNED),
                                   STMT_VALUES(stmt_int(row, EDGE_COLUMN_ID)), err);
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

/* Checks all edges with their crossings. */
static ptl_status verify_edges(verifier *v, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status =
        stmt_prepare(&s, v->store,
                     "SELECT " EDGE_COLUMNS
                     ", (SELECT name FROM world w WHERE w.id = edge.world_id) FROM edge "
                     "WHERE id > ? ORDER BY id LIMIT 1",
                     err);
    while (stmt_row_after(s, &after, "edge", &status, err))
        status = check_edge(v, s, err);
    stmt_free(s);
    return status;
}

/* ---- overmaps of sweeps, local maps, spills, local tides, and what games save ---- */

static ptl_status parse_overmap(ptl_store *store, const stmt *s, ptl_error *err)
{
    summary found = {0};
    const ptl_status status = sweep_chunk_parse(&found, store, s, PTL_COUNT_ALL, err);
    summary_dispose(&found);
    return status;
}

static ptl_status parse_map(ptl_store *store, const stmt *s, ptl_error *err)
{
    stored_map found = {.pool = NULL};
    const ptl_status status = map_row_parse(&found, store, s, err);
    stored_map_dispose(&found);
    return status;
}

static ptl_status parse_surge(ptl_store *store, const stmt *s, ptl_error *err)
{
    surge_row found;
    (void)store;
    return surge_row_parse(&found, s, err);
}

static ptl_status parse_edit(ptl_store *store, const stmt *s, ptl_error *err)
{
    edit_row found;
    edit_cell *cells = NULL;
    const ptl_status status = edit_row_parse(&found, &cells, store, s, err);
    free(cells);
    return status;
}

static ptl_status parse_placed(ptl_store *store, const stmt *s, ptl_error *err)
{
    placed_row found;
    (void)store;
    const ptl_status status = placed_row_parse(&found, s, err);
    placed_parts_dispose(&found.parts);
    return status;
}

static ptl_status parse_saved(saved_type type, ptl_store *store, const stmt *s, ptl_error *err)
{
    saved_row found;
    bytes data = {.size = 0};
    const ptl_status status = saved_row_parse(&found, &data, type, store, s, err);
    bytes_dispose(&data);
    return status;
}

static ptl_status parse_note(ptl_store *store, const stmt *s, ptl_error *err)
{
    return parse_saved(SAVED_NOTE, store, s, err);
}

static ptl_status parse_mark(ptl_store *store, const stmt *s, ptl_error *err)
{
    return parse_saved(SAVED_MARK, store, s, err);
}

static ptl_status parse_fact(ptl_store *store, const stmt *s, ptl_error *err)
{
    return parse_saved(SAVED_FACT, store, s, err);
}

#define LONE_SQL(columns, table, owner)                                                        \
    "SELECT " columns ", (" owner ") FROM " table " WHERE id > ? ORDER BY id LIMIT 1"

const lone_table lone_tables[LONE_TABLES] = {
    {TABLE_SWEEP_CHUNK, INVARIANT_SWEEP_CHUNK, "sweeps", .names = true, .parse = parse_overmap,
     .next = LONE_SQL(SWEEP_CHUNK_COLUMNS, "sweep_chunk",
                      "SELECT s.id FROM sweep s WHERE s.id = sweep_id")},
    {TABLE_MAP, INVARIANT_MAP, "local maps", .names = true, .oters = true, .parse = parse_map,
     .next =
         LONE_SQL(MAP_COLUMNS, "omt_map", "SELECT w.id FROM world w WHERE w.id = world_id")},
    {TABLE_SPILL, INVARIANT_SPILL, "spills", .parse = spill_row_check,
     .next = LONE_SQL(SPILL_COLUMNS, "omt_spill",
                      "SELECT m.id FROM omt_map m WHERE m.id = omt_spill.id")},
    {TABLE_SURGE, INVARIANT_SURGE, "local tides", .parse = parse_surge,
     .next =
         LONE_SQL(SURGE_COLUMNS, "surge", "SELECT w.id FROM world w WHERE w.id = world_id")},
    {TABLE_EDIT, INVARIANT_EDIT, "edits", .oters = true, .parse = parse_edit,
     .next = LONE_SQL(EDIT_COLUMNS, "chunk_edit",
                      "SELECT w.id FROM world w WHERE w.id = world_id")},
    {TABLE_PLACED, INVARIANT_EDIT, "placed specials", .parse = parse_placed,
     .next =
         LONE_SQL(PLACED_COLUMNS, "placed_special",
                  "SELECT e.id FROM chunk_edit e WHERE e.world_id = placed_special.world_id "
                  "AND e.x = placed_special.x AND e.y = placed_special.y "
                  "AND e.number = placed_special.number")},
    {TABLE_NOTE, INVARIANT_SAVED, "notes", .parse = parse_note,
     .next = LONE_SQL(NOTE_COLUMNS, "note", "SELECT w.id FROM world w WHERE w.id = world_id")},
    {TABLE_MARK, INVARIANT_SAVED, "marks", .parse = parse_mark,
     .next = LONE_SQL(MARK_COLUMNS, "mark", "SELECT w.id FROM world w WHERE w.id = world_id")},
    {TABLE_FACT, INVARIANT_SAVED, "facts", .parse = parse_fact,
     .next = LONE_SQL(FACT_COLUMNS, "fact", "SELECT w.id FROM world w WHERE w.id = world_id")}};

/* Checks overmaps of sweeps, local maps, spills, local tides, and what games save. */
static ptl_status check_lone_rows(verifier *v, ptl_error *err)
{
    for (size_t i = 0; i < LONE_TABLES; i++)
        TRY(check_lone_table(v, &lone_tables[i], err));
    TRY(verify_none(v, INVARIANT_EDIT, "placed_special",
                    "SELECT ', row ' || id, 'belongs to no edit of its chunk' "
                    "FROM placed_special p WHERE NOT EXISTS (SELECT 1 FROM chunk_edit e "
                    "WHERE e.world_id = p.world_id AND e.x = p.x AND e.y = p.y "
                    "AND e.number = p.number)",
                    err));
    return verify_none(v, INVARIANT_SPILL, "omt_spill",
                       "SELECT ', row ' || id, 'belongs to no local map of level 0' "
                       "FROM omt_spill WHERE id NOT IN (SELECT id FROM omt_map WHERE z = 0)",
                       err);
}

ptl_status verify_parts(ptl_store *store, unsigned parts, problem_visit *on_problem,
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
        {VERIFY_TABLES, "lone rows", check_lone_rows},
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

/* Verifies a snapshot in place of the file if another process writes the file. SQLite's check
 * of the structure and some of Portolan's own checks read for a long time, which would hold
 * that writer up. */
ptl_status sqlite_verify(ptl_store *store, problem_visit *on_problem, void *payload,
                         ptl_verify_counts *counts, ptl_error *err)
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
