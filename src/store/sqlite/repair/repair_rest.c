/* Rows that others name but that are gone, and rows that name something that is gone. */
#include "core/error.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/overview/overview_rows.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives every run that a row names a row of its own, if its world is known. */
ptl_status repair_runs(repairer *r, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status =
        stmt_prepare(&s, r->store,
                     "SELECT run_id FROM chunk WHERE run_id > 0 UNION SELECT run_id FROM edge "
                     "WHERE run_id > 0 EXCEPT SELECT id FROM run ORDER BY 1",
                     err);
    THEN(status, repair_ids_list(&ids, &count, s, err));
    stmt_free(s);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        char where[REPAIR_WHERE_SIZE];
        int64_t world_id = 0;
        snprintf(where, sizeof where, "table run, row %" PRId64, ids[i]);
        status = stmt_ask(
            &world_id, r->store,
            "SELECT id FROM world WHERE id IN (SELECT world_id FROM chunk WHERE run_id = "
            "?1 UNION SELECT world_id FROM edge WHERE run_id = ?1) LIMIT 1",
            &ids[i], 1, err);
        if (status != PTL_OK || world_id == 0)
            continue;
        status = run_row_put(r->store, ids[i], world_id, "lost", "", err);
        THEN(status, repair_note(r, PTL_REPAIR_RECOMPUTED, where,
                                 "missing: a row that says no more than that takes its place"));
    }
    free(ids);
    return status;
}

ptl_status repair_dictionaries_read(repairer *r, ptl_error *err)
{
    dictionary_forget(r->store);
    TRY(dictionary_refresh(r->store, err));
    return names_refresh(r->store, err);
}

ptl_status repair_odd_rows(repairer *r, ptl_error *err)
{
    static const struct {
        row_table_id table;
        const char *sql;
    } tables[] = {
        {TABLE_CITY, "SELECT * FROM city WHERE typeof(chunk_id) <> 'integer'"},
        {TABLE_RADIO, "SELECT * FROM radio WHERE typeof(chunk_id) <> 'integer'"},
        {TABLE_EVENT, "SELECT * FROM event WHERE typeof(chunk_id) <> 'integer'"},
        {TABLE_CROSSING, "SELECT * FROM crossing WHERE typeof(edge_id) <> 'integer'"}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        /* Sets rows aside whose keys are not numbers, since nothing can look them up. */
        const row_table_id table = tables[i].table;
        const char *sql = tables[i].sql;
        repair_rows rows = {0};
        stmt *s = NULL;
        char where[REPAIR_WHERE_SIZE];
        ptl_status status = stmt_prepare(&s, r->store, sql, err);
        THEN(status, repair_rows_take(&rows, s, table, err));
        stmt_free(s);
        if (status == PTL_OK && rows.count > 0) {
            status = repair_set_aside(r, &rows, NULL, "its key is not a number", err);
            snprintf(where, sizeof where, "table %s", row_table_of(table)->name);
            THEN(status, repair_note(r, PTL_REPAIR_SET_ASIDE, where,
                                     "%zu rows whose keys are not numbers", rows.count));
        }
        repair_rows_dispose(&rows);
        TRY(status);
    }
    return PTL_OK;
}

ptl_status repair_stray_crossings(repairer *r, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL;
    size_t count = 0, rows_found = 0;
    ptl_status status = stmt_prepare(&s, r->store,
                                     "SELECT DISTINCT edge_id FROM crossing WHERE edge_id NOT "
                                     "IN (SELECT id FROM edge) ORDER BY 1",
                                     err);
    THEN(status, repair_ids_list(&ids, &count, s, err));
    stmt_free(s);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        repair_rows rows = {0};
        status = repair_rows_read(&rows, r->store, TABLE_CROSSING, ids[i], err);
        rows_found += rows.count;
        THEN(status, repair_set_aside(r, &rows, NULL, "its edge has no row", err));
        repair_rows_dispose(&rows);
    }
    free(ids);
    if (status != PTL_OK || rows_found == 0)
        return status;
    return repair_note(r, PTL_REPAIR_SET_ASIDE, "table crossing",
                       "%zu crossings of edges that are not there", rows_found);
}

static void note_content(void *payload, const char *table, const char *message)
{
    char where[REPAIR_WHERE_SIZE];
    snprintf(where, sizeof where, "table %s", table);
    (void)repair_note(payload, PTL_REPAIR_UNREPAIRED, where,
                      "%s: import the content again, which writes all of it anew", message);
}

ptl_status repair_name_rest(repairer *r, ptl_error *err)
{
    TRY(sqlite_content_check(r->store, note_content, r, err));
    if (r->items.failed)
        return error_nomem(err);
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2", err);
    while (stmt_row(s, &status, err)) {
        char where[REPAIR_WHERE_SIZE];
        snprintf(where, sizeof where, "table %s", stmt_text(s, 0));
        status = repair_note(r, PTL_REPAIR_UNREPAIRED, where,
                             "%lld rows refer to rows of %s that are not there",
                             (long long)stmt_int(s, 2), stmt_text(s, 1));
    }
    stmt_free(s);
    return status;
}

/* ---- what `portolan index` made ---- */

static void note_wrong(void *payload, const char *where, const char *message)
{
    (void)where;
    (void)message;
    *(bool *)payload = true;
}

static ptl_status breathe(void *payload, ptl_error *err)
{
    return repair_breathe(payload, false, err);
}

ptl_status repair_index(repairer *r, ptl_error *err)
{
    bool wrong = false;
    TRY(unpacked_check(r->store, note_wrong, &wrong, err));
    if (!wrong)
        return PTL_OK;
    TRY(unpacked_renew(r->store, breathe, r, err));
    return repair_note(r, PTL_REPAIR_RECOMPUTED, "index",
                       "its tables were not what the chunks give: made anew");
}

/* ---- what is left ---- */

static void note_found(void *payload, const ptl_problem *problem)
{
    (void)repair_note(payload, PTL_REPAIR_UNREPAIRED, problem->where, "%s", problem->message);
}

ptl_status repair_name_found(repairer *r, ptl_error *err)
{
    if (r->report.unrepaired > 0)
        return PTL_OK;
    ptl_status status = verify_parts(r->store, VERIFY_ALL, note_found, r, NULL, err);
    return status == PTL_OK && r->items.failed ? error_nomem(err) : status;
}

/* ---- overviews ---- */

static ptl_status note_overview(void *payload, const overview_mended *m, ptl_error *err)
{
    repairer *r = payload;
    char name[110], where[REPAIR_WHERE_SIZE];
    if (m->had_chunk) {
        repair_world_name(name, sizeof name, r, m->world_id);
        snprintf(where, sizeof where, "world '%.100s', chunk %d,%d", name, m->pos.x, m->pos.y);
    } else {
        snprintf(where, sizeof where, "table overview, row %lld", (long long)m->chunk_id);
    }
    TRY(repair_note(r, PTL_REPAIR_RECOMPUTED, where,
                    m->had_chunk ? "its overview was wrong: the tiles say what it is"
                                 : "it was of no chunk"));
    return repair_breathe(r, false, err);
}

ptl_status repair_overviews(repairer *r, ptl_error *err)
{
    return overview_rows_mend(r->store, note_overview, r, err);
}
