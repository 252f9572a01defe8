/*
 * The checksum of a table: BLAKE2b over its name and all values of all rows, in the order of
 * the primary key. Each value is written as in the checksum of a row (row_values.h). Rows pass
 * through a buffer of limited size, so that memory does not grow with the content.
 */
#include "store/sqlite/content/content_checksum.h"

#include "core/digest.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/rows/row_values.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 15 };

#define TABLE_OF(part, name, key, checked, again) {#name, key, checked},
const content_table content_tables[] = {
    {"content", "id", true},
    CONTENT_TABLES(TABLE_OF){"content_schema", "content_id", false},
    {NULL, NULL, false}};

static_assert(sizeof content_tables / sizeof *content_tables <= 64, "a bit for each");

ptl_status content_table_prepare(stmt **out, ptl_store *store, const content_table *table,
                                 ptl_error *err)
{
    char sql[CONTENT_SQL_MAX];
    size_t size = (size_t)snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY ", table->name);
    content_put_names(sql, &size, table->key);
    return stmt_prepare(out, store, sql, err);
}

/* Number of a table's rows, and the checksum over them. */
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

/* ---- writing ---- */

ptl_status content_checksum_write(ptl_store *store, ptl_error *err)
{
    static const char sql[] =
        "INSERT INTO content_checksum (name, row_count, checksum) VALUES (?, ?, ?)";
    stmt *insert = NULL;
    bytes b;
    bytes_init(&b);
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

/* ---- checking ---- */

typedef struct checking {
    ptl_store *store;
    stmt *stored; /* reads a table's row in content_checksum */
    bytes b;
    content_problem_fn *found;
    void *payload;
} checking;

static ptl_status checking_begin(checking *c, ptl_store *store, ptl_error *err)
{
    static const char sql[] = "SELECT row_count, checksum FROM content_checksum WHERE name = ?";
    c->store = store;
    bytes_init(&c->b);
    return stmt_prepare(&c->stored, store, sql, err);
}

static void checking_end(checking *c)
{
    stmt_free(c->stored);
    bytes_dispose(&c->b);
}

/* Compares a table with its stored checksum; a difference is given to c->found. */
static ptl_status check_table(checking *c, const content_table *t, ptl_error *err)
{
    char message[96] = "";
    table_sum sum;
    bool row = false;
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

/* ---- checking all ---- */

ptl_status sqlite_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                                ptl_error *err)
{
    checking c = {.found = found, .payload = payload};
    ptl_status status = checking_begin(&c, store, err);
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        status = check_table(&c, t, err);
        if (status != PTL_ERR_CORRUPT)
            continue;
        /* Only this table can't be read; the others may be sound, so the check goes on. */
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
    checking c = {.found = first_problem, .payload = e};
    ptl_status status = checking_begin(&c, store, e);
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++) {
        if (t->loaded)
            status = check_table(&c, t, e);
        THEN(status, e->status);
    }
    checking_end(&c);
    return status;
}
