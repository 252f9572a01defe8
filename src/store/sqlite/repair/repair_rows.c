/* Rows of any table, with values of any type: reads them, writes them back and removes them by
 * their keys. A damaged row may hold anything, so the declared types of columns are not relied
 * on here. */
#include "core/array.h"
#include "core/error.h"
#include "core/utf8.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/index/unpacked.h"
#include "store/sqlite/overview/overview_rows.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

void repair_value_dispose(repair_value *value)
{
    free(value->data);
    memset(value, 0, sizeof *value);
}

static bool set_data(repair_value *out, const void *data, size_t size)
{
    out->size = size;
    out->data = malloc(size + 1);
    if (!out->data)
        return false;
    if (size > 0)
        memcpy(out->data, data, size);
    return true;
}

ptl_status repair_value_copy(repair_value *out, const repair_value *value, ptl_error *err)
{
    *out = *value;
    out->data = NULL;
    if (value->data && !set_data(out, value->data, value->size)) {
        out->type = ROW_NULL;
        return error_nomem(err);
    }
    return PTL_OK;
}

repair_value repair_integer(int64_t value)
{
    return (repair_value){.type = ROW_INTEGER, .word = (uint64_t)value};
}

const void *repair_bytes(const repair_value *value)
{
    return value->data ? (const void *)value->data : "";
}

bool repair_value_equal(const repair_value *a, const repair_value *b)
{
    return a->type == b->type && a->word == b->word && a->size == b->size &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

bool repair_row_equal(const repair_row *a, const repair_row *b)
{
    bool equal = a->table == b->table;
    for (int i = 0; equal && i < row_table_of(a->table)->count; i++)
        equal = repair_value_equal(&a->values[i], &b->values[i]);
    return equal;
}

int64_t repair_int(const repair_row *row, int column)
{
    const repair_value *v = &row->values[column];
    int64_t value = 0;
    if (v->type == ROW_INTEGER)
        memcpy(&value, &v->word, sizeof value);
    return value;
}

bool repair_value_own(repair_value *out, const row_value *v)
{
    memset(out, 0, sizeof *out);
    out->type = v->type;
    if (v->type == ROW_TEXT || v->type == ROW_BLOB)
        return (v->data || v->size == 0) && set_data(out, v->data, v->size);
    if (v->type != ROW_NULL)
        out->word = (uint64_t)v->integer; /* the bits of the integer or real number */
    return true;
}

void repair_value_take(repair_value *out, const stmt *s, int column, bool *failed)
{
    const row_value v = row_column_value(s, column);
    *failed = !repair_value_own(out, &v) || *failed;
}

row_value repair_as_row(const repair_value *v)
{
    if (v->type == ROW_TEXT || v->type == ROW_BLOB)
        return (row_value){.type = v->type, .size = v->size, .data = v->data};
    return (row_value){.type = v->type, .integer = (int64_t)v->word};
}

void repair_value_bind(stmt *s, int index, const repair_value *value)
{
    const row_value v = repair_as_row(value);
    row_value_bind(s, index, &v);
}

/* ---- rows ---- */

void repair_rows_dispose(repair_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (int k = 0; k < ROW_COLUMNS_MAX; k++)
            free(rows->list[i].values[k].data);
    free(rows->list);
    memset(rows, 0, sizeof *rows);
}

repair_row *repair_rows_add(repair_rows *rows, row_table_id table)
{
    if (!ARRAY_ROOM(rows->list, rows->room, rows->count + 1))
        return NULL;
    repair_row *row = &rows->list[rows->count++];
    memset(row, 0, sizeof *row);
    row->table = table;
    return row;
}

repair_row *repair_row_take(repair_rows *rows, const stmt *s, row_table_id table)
{
    repair_row *row = repair_rows_add(rows, table);
    bool failed = row == NULL;
    for (int i = 0; !failed && i < row_table_of(table)->count; i++)
        repair_value_take(&row->values[i], s, i, &failed);
    return failed ? NULL : row;
}

/* Appends all rows that the statement gives, whose columns are all columns of the table, and
 * frees the statement. `status` is the result of preparing s: if it is an error, it is
 * returned. */
static ptl_status repair_rows_take(repair_rows *out, stmt *s, row_table_id table,
                                   ptl_status status, ptl_error *err)
{
    while (stmt_row(s, &status, err))
        if (!repair_row_take(out, s, table))
            status = error_nomem(err);
    stmt_free(s);
    return status;
}

ptl_status repair_rows_read(repair_rows *out, ptl_store *store, row_table_id table,
                            int64_t owner, ptl_error *err)
{
    stmt *s;
    const ptl_status status =
        stmt_query(&s, store, row_table_of(table)->of_owner, STMT_VALUES(owner), err);
    return repair_rows_take(out, s, table, status, err);
}

/* Prepares a statement and binds the first `count` values of the row to its parameters. */
static ptl_status prepare_with(stmt **out, ptl_store *store, const char *sql,
                               const repair_row *row, int count, ptl_error *err)
{
    TRY(stmt_prepare(out, store, sql, err));
    for (int i = 0; i < count; i++)
        repair_value_bind(*out, i + 1, &row->values[i]);
    return PTL_OK;
}

ptl_status repair_row_reread(repair_rows *out, ptl_store *store, const repair_row *key,
                             ptl_error *err)
{
    const row_table *t = row_table_of(key->table);
    stmt *s;
    const ptl_status status = prepare_with(&s, store, t->one, key, t->keys, err);
    return repair_rows_take(out, s, key->table, status, err);
}

static ptl_status run_with(ptl_store *store, const char *sql, const repair_row *row, int count,
                           ptl_error *err)
{
    stmt *s;
    ptl_status status = prepare_with(&s, store, sql, row, count, err);
    (void)stmt_row(s, &status, err);
    stmt_free(s);
    return status;
}

ptl_status repair_row_replace(ptl_store *store, const repair_row *old, const repair_row *row,
                              ptl_error *err)
{
    ptl_error local = {0};
    if (old)
        TRY(run_with(store, row_table_of(old->table)->remove, old,
                     row_table_of(old->table)->keys, err));
    if (!row)
        return PTL_OK;
    const row_table *t = row_table_of(row->table);
    if (run_with(store, t->insert, row, t->count, &local) == PTL_OK)
        return PTL_OK;
    if ((local.backend_code & 0xff) == SQLITE_CONSTRAINT)
        return error_set(err, PTL_ERR_EXISTS, "table %s: %s", t->name, local.message);
    return error_copy(err, &local);
}

ptl_status repair_row_change(repairer *r, const repair_row *old, const repair_row *row,
                             bool *kept, ptl_error *err)
{
    ptl_error why = {0};
    TRY(repair_try_begin(r, err));
    return repair_try_settle(r, kept, repair_row_replace(r->store, old, row, &why), &why, err);
}

/* ---- rows that are missing, and rows that name missing rows ---- */

/* Writes each row of the table `run` that is missing although a chunk or edge refers to it,
 * if its world is known. */
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
    status = stmt_list_ids(&ids, &count, s, status, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        char where[REPAIR_WHERE_SIZE];
        int64_t world_id = 0;
        snprintf(where, sizeof where, "table run, row %" PRId64, ids[i]);
        status = stmt_ask(
            &world_id, r->store,
            "SELECT id FROM world WHERE id IN (SELECT world_id FROM chunk WHERE run_id = "
            "?1 UNION SELECT world_id FROM edge WHERE run_id = ?1) LIMIT 1",
            STMT_VALUES(ids[i]), err);
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
        /* Sets aside rows whose keys are not integers, since nothing can look them up. */
        const row_table_id table = tables[i].table;
        repair_rows rows = {0};
        stmt *s;
        char where[REPAIR_WHERE_SIZE];
        ptl_status status = stmt_prepare(&s, r->store, tables[i].sql, err);
        status = repair_rows_take(&rows, s, table, status, err);
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
    status = stmt_list_ids(&ids, &count, s, status, err);
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

/* ---- tables of `portolan index` ---- */

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

/* ---- what verify still finds ---- */

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
        snprintf(where, sizeof where, "world '%.*s', chunk %d,%d", UTF8_CUT(name, 100),
                 m->pos.x, m->pos.y);
    } else {
        snprintf(where, sizeof where, "table overview, row %lld", (long long)m->chunk_id);
    }
    TRY(repair_note(r, PTL_REPAIR_RECOMPUTED, where,
                    m->had_chunk ? "its overview was wrong: the OMTs say what it is"
                                 : "it was of no chunk"));
    return repair_breathe(r, false, err);
}

ptl_status repair_overviews(repairer *r, ptl_error *err)
{
    return overview_rows_mend(r->store, note_overview, r, err);
}
