/* Implements the contract's operations for importing (store/content_store.h), copies contents
 * to other files, and writes and checks the checksums of their tables. */
#include "store/sqlite/content/content_write.h"

#include "core/digest.h"
#include "core/error.h"
#include "store/content_store.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing rows ---- */

/* What writing rows of one table of the content needs: the insert statement, and the store,
 * whose connection tells the rowid of the row that was added last. */
typedef struct part {
    ptl_store *store; /* borrowed */
    stmt *insert;
} part;

int content_put_names(char sql[CONTENT_SQL_MAX], size_t *size, const char *names)
{
    int count = 0;
    while (*names) {
        const size_t length = strcspn(names, ",");
        *size += (size_t)snprintf(sql + *size, CONTENT_SQL_MAX - *size, "%s[%.*s]",
                                  count > 0 ? ", " : "", (int)length, names);
        names += length;
        names += strspn(names, ", ");
        count++;
    }
    return count;
}

ptl_status sqlite_part_open(void **out, ptl_store *store, content_part which, ptl_error *err)
{
    part *p = calloc(1, sizeof *p);
    if (!p)
        return error_nomem(err);
    const content_form *form = &content_forms[which];
    p->store = store;
    char sql[CONTENT_SQL_MAX];
    size_t size = (size_t)snprintf(sql, sizeof sql, "INSERT %sINTO %s (",
                                   form->again ? "OR IGNORE " : "", form->table);
    const int count = content_put_names(sql, &size, form->columns);
    size += (size_t)snprintf(sql + size, sizeof sql - size, ") VALUES (?");
    for (int i = 1; i < count; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    ptl_status status = stmt_prepare(&p->insert, store, sql, err);
    if (status == PTL_OK)
        *out = p;
    else
        free(p);
    return status;
}

void sqlite_part_close(void *payload)
{
    part *p = payload;
    stmt_free(p->insert);
    free(p);
}

ptl_status sqlite_part_add(int64_t *number, void *payload, const content_value *values,
                           int count, ptl_error *err)
{
    const part *p = payload;
    for (int i = 0; i < count; i++) {
        const content_value *v = &values[i];
        if (v->type == PTL_VALUE_INTEGER)
            stmt_bind_int(p->insert, i + 1, v->integer);
        else if (v->type == PTL_VALUE_REAL)
            stmt_bind_double(p->insert, i + 1, v->real);
        else if (v->type == PTL_VALUE_TEXT)
            stmt_bind_text(p->insert, i + 1, v->data);
        else if (v->type == PTL_VALUE_BLOB)
            stmt_bind_blob(p->insert, i + 1, v->data, v->size);
    }
    TRY(stmt_run(p->insert, err));
    *number = sqlite_last_rowid(p->store);
    return PTL_OK;
}

/*
 * Deletes the content's rows. Each table is emptied before the tables that it refers to. When a
 * parent row is deleted, SQLite searches all child tables for it, which takes extremely long
 * unless they are empty.
 */
ptl_status sqlite_content_clear(ptl_store *store, int64_t content_id, ptl_error *err)
{
    char sql[CONTENT_SQL_MAX];
    for (int i = CONTENT_PARTS - 1; i > CONTENT_PACKS; i--) {
        snprintf(sql, sizeof sql, "DELETE FROM %s", content_forms[i].table);
        TRY(sqlite_exec(store, sql, err));
    }
    return stmt_do(store, "DELETE FROM content_pack WHERE content_id = ?1",
                   STMT_VALUES(content_id), err);
}

/* ---- rows of table content ---- */

/* Gets the file's schema version. In a file that is open for writing this is the version of
 * this program. */
static const char version_sql[] = "PRAGMA user_version";

ptl_status sqlite_content_find(content_standing *out, ptl_store *store, const char *hex,
                               ptl_error *err)
{
    static const char sql[] =
        "SELECT c.id, is_current, version FROM content c LEFT JOIN content_schema s"
        " ON s.content_id = c.id WHERE digest = ?1";
    stmt *s;
    int64_t version = 0;
    *out = (content_standing){0};
    TRY(sqlite_pragma_int(store, version_sql, &version, err));
    ptl_status status = stmt_prepare(&s, store, sql, err);
    stmt_bind_text(s, 1, hex);
    if (stmt_row(s, &status, err)) {
        out->id = stmt_int(s, 0);
        out->current = stmt_int(s, 1) != 0;
        out->older = stmt_int(s, 2) < version;
    }
    stmt_free(s);
    return status;
}

ptl_status sqlite_content_put(ptl_store *store, content_row *row, ptl_error *err)
{
    static const char insert[] =
        "INSERT INTO content (id, digest, is_current, imported_at, portolan_version, lenient,"
        " file_count, object_count, byte_count)"
        " VALUES (?1, ?2, 1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?3, ?4, ?5, ?6, ?7)"
        " ON CONFLICT (id) DO UPDATE SET is_current = 1, imported_at = excluded.imported_at,"
        " portolan_version = excluded.portolan_version, lenient = excluded.lenient,"
        " file_count = excluded.file_count, object_count = excluded.object_count,"
        " byte_count = excluded.byte_count";
    /* Only one row may be marked as current, so the mark of the former content is removed
     * first. */
    TRY(sqlite_exec(store, "UPDATE content SET is_current = 0 WHERE is_current = 1", err));
    stmt *s = NULL;
    TRY(stmt_prepare(&s, store, insert, err));
    if (row->id != 0)
        stmt_bind_int(s, 1, row->id);
    stmt_bind_text(s, 2, row->digest);
    stmt_bind_text(s, 3, ptl_version());
    stmt_bind_int(s, 4, row->lenient);
    stmt_bind_int(s, 5, (int64_t)row->files);
    stmt_bind_int(s, 6, (int64_t)row->objects);
    stmt_bind_int(s, 7, (int64_t)row->bytes);
    ptl_status status = stmt_run(s, err);
    if (status == PTL_OK && row->id == 0)
        row->id = sqlite_last_rowid(store);
    stmt_free(s);
    int64_t version = 0;
    THEN(status, sqlite_pragma_int(store, version_sql, &version, err));
    THEN(status, stmt_do(store,
                         "INSERT OR REPLACE INTO content_schema (content_id, version) "
                         "VALUES (?1, ?2)",
                         STMT_VALUES(row->id, version), err));
    return status;
}

ptl_status sqlite_content_seal(ptl_store *store, ptl_error *err)
{
    TRY(content_checksum_write(store, err));
    /* Removes contents from table content_past: the present one, if it was an earlier content
     * until now, and those with which no world, chunk or sweep of the file was made. */
    return sqlite_exec(store,
                       "DELETE FROM content_past WHERE content_id IN "
                       "(SELECT id FROM content WHERE is_current = 1) OR content_id NOT IN "
                       "(SELECT content_id FROM world UNION SELECT content_id FROM chunk UNION "
                       "SELECT content_id FROM sweep)",
                       err);
}

ptl_status sqlite_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                      ptl_error *err)
{
    return stmt_count(
        out, store,
        "SELECT count(*) FROM chunk WHERE origin = 'generated' AND content_id <> ?1",
        STMT_VALUES(content_id), err);
}

/* The functions below copy a content row by row, from one connection to another. SQL's ATTACH
 * could not be used, since it needs a file name, and a store may read a copy without a name. */

ptl_status content_copy_careless(ptl_store *to, ptl_error *err)
{
    return sqlite_exec(to,
                       "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;"
                       "PRAGMA foreign_keys = OFF;",
                       err);
}

static ptl_status copy_table(ptl_store *target, ptl_store *source, const char *name,
                             ptl_error *err)
{
    stmt *from, *to = NULL;
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT * FROM main.\"%s\"", name);
    ptl_status status = stmt_prepare(&from, source, sql, err);
    if (status == PTL_OK)
        status =
            stmt_prepare_insert(&to, target, name, sqlite3_column_count(from->handle), err);
    while (stmt_row(from, &status, err))
        status = stmt_copy_row(to, from, err);
    stmt_free(from);
    stmt_free(to);
    return status;
}

ptl_status content_copy(ptl_store *to, ptl_store *from, ptl_error *err)
{
    bool own;
    TRY(sqlite_begin_snapshot(from, &own, err));
    ptl_status status = sqlite_begin(to, err);
    const bool begun = status == PTL_OK;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        status = copy_table(to, from, t->name, err);
    if (status == PTL_OK) /* a new file already has checksums, those of empty tables; delete
                           * them, since those of the copied tables follow */
        status = sqlite_exec(to, "DELETE FROM content_checksum", err);
    THEN(status, copy_table(to, from, "content_checksum", err));
    THEN(status, sqlite_commit(to, err));
    if (begun && status != PTL_OK)
        sqlite_rollback(to);
    sqlite_end_snapshot(from, own);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "copying the content");
}

/* ---- checksums of tables ---- */

/*
 * Table content_checksum has a checksum for each table of a content, to assure that the rows
 * that are read are those that an import wrote. (Rows of worlds have checksums of their own.)
 * The checksum is BLAKE2b over the table's name and all values of all rows, in the order of the
 * primary key. Each value is hashed as in the checksum of a row (row_values.h). Rows pass
 * through a buffer of limited size, so that memory does not grow with the content.
 */
enum { BUFFER_SIZE = 1 << 15 };

#define TABLE_OF(part, name, key, checked, again) {#name, key, checked},
const content_table content_tables[] = {
    {"content", "id", true},
    CONTENT_TABLES(TABLE_OF){"content_schema", "content_id", false},
    {NULL, NULL, false}};

ptl_status content_table_prepare(stmt **out, ptl_store *store, const content_table *table,
                                 ptl_error *err)
{
    char sql[CONTENT_SQL_MAX];
    size_t size = (size_t)snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY ", table->name);
    content_put_names(sql, &size, table->key);
    return stmt_prepare(out, store, sql, err);
}

/* The number of a table's rows, and the checksum over all of them. */
typedef struct table_sum {
    int64_t rows, checksum;
} table_sum;

static ptl_status flush(digest_state *state, bytes *b, ptl_error *err)
{
    if (b->failed)
        return error_nomem(err);
    digest_update(state, b->data, b->size);
    bytes_clear(b);
    return PTL_OK;
}

static ptl_status sum_table(table_sum *out, ptl_store *store, const content_table *table,
                            bytes *b, ptl_error *err)
{
    stmt *s = NULL;
    digest_state state;
    digest d;
    *out = (table_sum){0, 0};
    TRY(content_table_prepare(&s, store, table, err));
    digest_init(&state);
    rowsum_begin(b, table->name);
    const int columns = sqlite3_column_count(s->handle);
    ptl_status status = PTL_OK;
    while (stmt_row(s, &status, err)) {
        rowsum_columns(b, s, 0, columns);
        out->rows++;
        if (b->size >= BUFFER_SIZE)
            status = flush(&state, b, err);
    }
    THEN(status, flush(&state, b, err));
    digest_final(&state, &d);
    const uint64_t first = bytes_load_u64(d.bytes);
    memcpy(&out->checksum, &first, sizeof first);
    stmt_free(s);
    return status;
}

ptl_status content_checksum_write(ptl_store *store, ptl_error *err)
{
    static const char sql[] =
        "INSERT INTO content_checksum (name, row_count, checksum) VALUES (?, ?, ?)";
    stmt *insert = NULL;
    bytes b = {0};
    ptl_status status = sqlite_exec(store, "DELETE FROM content_checksum", err);
    THEN(status, stmt_prepare(&insert, store, sql, err));
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        table_sum sum;
        status = sum_table(&sum, store, t, &b, err);
        if (status != PTL_OK)
            break;
        stmt_bind_text(insert, 1, t->name);
        stmt_bind_int(insert, 2, sum.rows);
        stmt_bind_int(insert, 3, sum.checksum);
        status = stmt_run(insert, err);
    }
    stmt_free(insert);
    bytes_dispose(&b);
    return status;
}

typedef struct checking {
    ptl_store *store;
    stmt *stored; /* reads the row of a table in content_checksum */
    bytes b;
    content_problem_fn *found;
    void *payload;
} checking;

static void checking_end(checking *c)
{
    stmt_free(c->stored);
    bytes_dispose(&c->b);
}

/* Compares a table with its stored checksum; calls c->found if they differ. */
static ptl_status check_table(checking *c, const content_table *t, ptl_error *err)
{
    char message[96] = "";
    table_sum sum;
    bool row = false;
    if (!c->stored)
        TRY(stmt_prepare(&c->stored, c->store,
                         "SELECT row_count, checksum FROM content_checksum WHERE name = ?",
                         err));
    TRY(sum_table(&sum, c->store, t, &c->b, err));
    stmt_bind_text(c->stored, 1, t->name);
    TRY(stmt_step(c->stored, &row, err));
    if (!row)
        snprintf(message, sizeof message, "it has no row in content_checksum");
    else if (stmt_int(c->stored, 0) != sum.rows)
        snprintf(message, sizeof message, "%lld rows, not %lld as its checksum says",
                 (long long)sum.rows, (long long)stmt_int(c->stored, 0));
    else if (stmt_int(c->stored, 1) != sum.checksum)
        snprintf(message, sizeof message, "checksum differs");
    stmt_reset(c->stored);
    if (message[0])
        c->found(c->payload, t->name, message);
    return PTL_OK;
}

ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err)
{
    checking c = {.store = store, .found = found, .payload = payload};
    ptl_status status = PTL_OK;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        status = check_table(&c, t, err);
        if (status != PTL_ERR_CORRUPT)
            continue;
        /* The table can't be read. Other tables may be sound, so the check goes on with
         * them. */
        found(payload, t->name, err ? err->message : "can't be read");
        error_clear(err);
        status = PTL_OK;
    }
    stmt *s = NULL;
    THEN(status,
         stmt_prepare(&s, store, "SELECT name FROM content_checksum ORDER BY name", err));
    while (s && stmt_row(s, &status, err)) {
        const content_table *t = content_tables;
        while (t->name && strcmp(t->name, stmt_text(s, 0)) != 0)
            t++;
        if (!t->name)
            found(payload, stmt_text(s, 0), "a checksum of no table of the content");
    }
    stmt_free(s);
    checking_end(&c);
    return status;
}

static void first_problem(void *payload, const char *table, const char *message)
{
    error_set(payload, PTL_ERR_CORRUPT,
              "table %s: %s: the file is damaged; importing the content again replaces it",
              table, message);
}

ptl_status sqlite_content_check_loaded(ptl_store *store, ptl_error *err)
{
    ptl_error local;
    ptl_error *e = err ? err : &local;
    if (!err)
        error_clear(e);
    checking c = {.store = store, .found = first_problem, .payload = e};
    ptl_status status = PTL_OK;
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        if (t->loaded)
            status = check_table(&c, t, e);
        THEN(status, e->status);
    }
    checking_end(&c);
    return status;
}
