/* What all virtual tables have in common: one sqlite3_module, which calls the functions of
 * their forms. */
#include "store/sqlite/query/vtab.h"

#include <stdlib.h>
#include <string.h>

/* The client data of a module. */
typedef struct vtab_use {
    sql_source *source;
    const vtab_form *form;
    int which;
} vtab_use;

static const vtab_form *form_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const vtab_table *)(const void *)cursor->pVtab)->form;
}

/* ---- tables ---- */

static int declare(sqlite3 *db, vtab_table *table)
{
    bytes sql;
    if (table->form->declaration)
        return sqlite3_declare_vtab(db, table->form->declaration);
    bytes_init(&sql);
    table->form->declare(&sql, table);
    const char *text = bytes_text(&sql);
    const int code = text ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    bytes_dispose(&sql);
    return code;
}

static int on_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                      sqlite3_vtab **out, char **message)
{
    const vtab_use *use = aux;
    (void)argc;
    (void)argv;
    (void)message;
    vtab_table *table = sqlite3_malloc64(use->form->table_size);
    if (!table)
        return SQLITE_NOMEM;
    memset(table, 0, use->form->table_size);
    table->form = use->form;
    table->source = use->source;
    table->which = use->which;
    int code = declare(db, table);
    /* The tables read only rows that any SELECT could read, and change nothing. So a view or
     * trigger that came with a file can do no more harm with them than without. */
    if (code == SQLITE_OK)
        code = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    if (code != SQLITE_OK) {
        sqlite3_free(table);
        return code;
    }
    use->source->connected++;
    use->source->references++; /* needed because SQLite drops the module before the table */
    *out = &table->base;
    return SQLITE_OK;
}

static int on_disconnect(sqlite3_vtab *base)
{
    vtab_table *table = (vtab_table *)(void *)base;
    sql_source *source = table->source;
    if (table->form->free_table)
        table->form->free_table(table);
    if (--source->connected == 0)
        sql_source_release(source);
    sql_source_unref(source);
    sqlite3_free(table);
    return SQLITE_OK;
}

static int on_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    return ((vtab_table *)(void *)table)->form->best_index(table, info);
}

/* ---- cursors ---- */

static int on_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    *out = calloc(1, ((vtab_table *)(void *)table)->form->cursor_size);
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

static int on_close(sqlite3_vtab_cursor *cursor)
{
    form_of(cursor)->dispose(cursor);
    free(cursor);
    return SQLITE_OK;
}

/* Returns the code for SQLite; after a failure the cursor is on no row. */
static int answer(sqlite3_vtab_cursor *cursor, ptl_status status, const ptl_error *err)
{
    if (status == PTL_OK)
        return SQLITE_OK;
    ((vtab_cursor *)(void *)cursor)->row = false;
    sqlite3_free(cursor->pVtab->zErrMsg);
    cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", err->message);
    return sql_result_code(status, err);
}

static int on_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count,
                     sqlite3_value **values)
{
    const vtab_call call = {number, text, count, values};
    ptl_error err = {0};
    stmt *held;
    ((vtab_cursor *)(void *)cursor)->row = false;
    ptl_status status =
        sql_source_begin(vtab_source_of((vtab_cursor *)(void *)cursor), &held, &err);
    THEN(status, form_of(cursor)->filter(cursor, &call, &err));
    sql_source_end(held);
    return answer(cursor, status, &err);
}

static int on_next(sqlite3_vtab_cursor *cursor)
{
    ptl_error err = {0};
    return answer(cursor, form_of(cursor)->next(cursor, &err), &err);
}

static int on_eof(sqlite3_vtab_cursor *cursor)
{
    return !((const vtab_cursor *)(const void *)cursor)->row;
}

static int on_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    ptl_error err = {0};
    return answer(cursor, form_of(cursor)->column(cursor, context, column, &err), &err);
}

static int on_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = form_of(cursor)->rowid(cursor);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = on_connect, /* without xCreate a table can be used only under its own name */
    .xBestIndex = on_best_index,
    .xDisconnect = on_disconnect,
    .xOpen = on_open,
    .xClose = on_close,
    .xFilter = on_filter,
    .xNext = on_next,
    .xEof = on_eof,
    .xColumn = on_column,
    .xRowid = on_rowid,
};

static void unref_use(void *payload)
{
    vtab_use *use = payload;
    sql_source_unref(use->source);
    free(use);
}

int vtab_add(sql_source *source, const char *name, const vtab_form *form, int which)
{
    vtab_use *use = malloc(sizeof *use);
    if (!use)
        return SQLITE_NOMEM;
    *use = (vtab_use){source, form, which};
    source->references++;
    /* If this fails, SQLite has already called unref_use. */
    return sqlite3_create_module_v2(source->store->db, name, &module, use, unref_use);
}
