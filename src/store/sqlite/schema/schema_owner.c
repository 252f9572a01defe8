#include "store/sqlite/schema/schema_check.h"

#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdlib.h>
#include <string.h>

/* An index is of the table among whose indexes SQLite has it. */
static const char strays_sql[] =
    "SELECT type, name, said, owner FROM (SELECT type, name, tbl_name AS said, name AS owner "
    "FROM main.sqlite_schema WHERE type IN ('table', 'view') UNION ALL "
    "SELECT s.type, s.name, s.tbl_name, t.name FROM main.sqlite_schema t, "
    "pragma_index_list(t.name) i, main.sqlite_schema s "
    "WHERE t.type = 'table' AND s.type = 'index' AND s.name = i.name) WHERE said IS NOT owner";

static ptl_status put_right(ptl_store *store, const schema_stray *stray, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store, "UPDATE main.sqlite_schema SET tbl_name = ? WHERE type = ? AND name = ?",
        err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, stray->owner);
        stmt_bind_text(s, 2, stray->type);
        stmt_bind_text(s, 3, stray->name);
        status = stmt_run(s, err);
    }
    stmt_free(s);
    return status;
}

typedef struct stray_list {
    schema_stray *items; /* owned, with the texts of each in one piece at its type */
    size_t count;
} stray_list;

static void list_dispose(stray_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].type);
    free(list->items);
}

static ptl_status list_add(stray_list *list, const stmt *s, ptl_error *err)
{
    const char *texts[4];
    size_t sizes[4], total = 0;
    for (int i = 0; i < 4; i++) {
        texts[i] = stmt_text(s, i);
        sizes[i] = strlen(texts[i]) + 1;
        total += sizes[i];
    }
    TRY(stmt_had_memory(s, err));
    schema_stray *more = realloc(list->items, (list->count + 1) * sizeof *more);
    if (!more)
        return error_nomem(err);
    list->items = more;
    char *text = malloc(total), *copies[4];
    if (!text)
        return error_nomem(err);
    for (int i = 0; i < 4; i++) {
        copies[i] = memcpy(text, texts[i], sizes[i]);
        text += sizes[i];
    }
    list->items[list->count++] = (schema_stray){copies[0], copies[1], copies[2], copies[3]};
    return PTL_OK;
}

/* All of them before anything is done with one: the query reads what would be written. */
static ptl_status list_strays(stray_list *list, ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(&s, store, strays_sql, err);
    while (stmt_row(s, &status, err))
        status = list_add(list, s, err);
    stmt_free(s);
    return status;
}

static ptl_status walk(ptl_store *store, bool mend, schema_stray_fn *found, void *payload,
                       ptl_error *err)
{
    stray_list list = {NULL, 0};
    ptl_status status = list_strays(&list, store, err);
    for (size_t i = 0; i < list.count && status == PTL_OK; i++) {
        if (mend)
            status = put_right(store, &list.items[i], err);
        if (status == PTL_OK && found)
            status = found(payload, &list.items[i], err);
    }
    list_dispose(&list);
    return status;
}

ptl_status schema_owner_walk(ptl_store *store, schema_stray_fn *found, void *payload,
                             ptl_error *err)
{
    return walk(store, false, found, payload, err);
}

ptl_status schema_owner_mend(ptl_store *store, schema_stray_fn *found, void *payload,
                             ptl_error *err)
{
    return walk(store, true, found, payload, err);
}

ptl_status schema_writable(ptl_store *store, bool on, ptl_error *err)
{
    int code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, !on, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(store->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, on, NULL);
    return code == SQLITE_OK ? PTL_OK : sqlite_error(store, code, "configuring SQLite", err);
}
