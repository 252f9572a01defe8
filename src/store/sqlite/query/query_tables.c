/* What can be asked, by asking for it. */
#include "store/sqlite/query/query.h"

#include <string.h>

typedef struct table_names {
    void (*on_table)(void *payload, const char *name, bool is_view);
    void (*on_column)(void *payload, const char *name, const char *type);
    void *payload;
} table_names;

static const char *text_of(const ptl_value *v)
{
    return v->type == PTL_VALUE_TEXT ? v->text : "";
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    const table_names *t = payload;
    (void)columns;
    (void)names;
    if (t->on_table)
        t->on_table(t->payload, text_of(&values[0]), values[1].integer != 0);
    else
        t->on_column(t->payload, text_of(&values[0]), text_of(&values[1]));
    return true;
}

ptl_status sqlite_query_tables(ptl_store *store,
                               void (*on_table)(void *payload, const char *name, bool is_view),
                               void *payload, ptl_error *err)
{
    static const char sql[] =
        "SELECT name, type = 'view' FROM pragma_table_list WHERE schema IN ('main', 'temp') "
        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name";
    table_names t = {.on_table = on_table, .payload = payload};
    const ptl_query_options ask = {.size = sizeof ask, .on_row = on_row, .payload = &t};
    return sqlite_query(store, sql, &ask, err);
}

ptl_status sqlite_query_table_columns(ptl_store *store, const char *table,
                                      void (*on_column)(void *payload, const char *name,
                                                        const char *type),
                                      void *payload, ptl_error *err)
{
    table_names t = {.on_column = on_column, .payload = payload};
    const ptl_query_parameter name = {
        "1", {.type = PTL_VALUE_TEXT, .text = table, .size = strlen(table)}};
    const ptl_query_options ask = {.size = sizeof ask,
                                   .on_row = on_row,
                                   .payload = &t,
                                   .parameters = &name,
                                   .parameter_count = 1};
    return sqlite_query(store, "SELECT name, type FROM pragma_table_xinfo(?1)", &ask, err);
}
