/* Prints the tables, views and functions that a query can use, and their columns. The page
 * (tables_page.h) describes them; the file tells which of them it has. */
#include "clients/cli/questions/query_tables.h"

#include "clients/cli/questions/tables_page.h"

#include <strings.h>

/* ---- the file's own ---- */

typedef struct table_reading {
    file_tables *out;
    bool no_memory;
} table_reading;

static void on_table(void *payload, const char *name, bool is_view)
{
    table_reading *r = payload;
    file_tables *t = r->out;
    file_table *more = realloc(t->items, (t->count + 1) * sizeof *more);
    char *copy = more ? strdup(name) : NULL;
    if (more)
        t->items = more;
    if (copy)
        t->items[t->count++] = (file_table){copy, is_view};
    else
        r->no_memory = true;
}

int file_tables_read(file_tables *out, session *s)
{
    table_reading r = {out, false};
    *out = (file_tables){NULL, 0};
    const ptl_status status = ptl_table_list(s->store, on_table, &r, &s->err);
    if (r.no_memory)
        return session_no_memory(s);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

void file_tables_dispose(file_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++)
        free(tables->items[i].name);
    free(tables->items);
    *tables = (file_tables){NULL, 0};
}

static const file_table *find(const file_tables *tables, const char *name)
{
    for (size_t i = 0; i < tables->count; i++)
        if (strcasecmp(tables->items[i].name, name) == 0)
            return &tables->items[i];
    return NULL;
}

/* ---- the list ---- */

static const report_column table_columns[] = {
    COLUMN(name),
    COLUMN(kind),
    COLUMN_DATA(call),
    COLUMN_DATA(what),
    COLUMN_AS(words, "what", 0, REPORT_EYE_ONLY | REPORT_WRAP),
    COLUMNS_END};

/* What the page describes but the file lacks is a virtual table or a function. Tables of the
 * index are not there until it is made: they have no kind. */
static const char *kind_of(const page_table *t, const file_table *in_file)
{
    if (in_file)
        return in_file->view ? "view" : "table";
    if (t->of_index)
        return NULL;
    return t->columns ? "virtual" : "function";
}

int query_tables_print(session *s)
{
    file_tables tables;
    page_table t;
    page_place place = {NULL, false};
    const int code = file_tables_read(&tables, s);
    row_printer *r = code == EXIT_DONE ? rows_new(&s->style, table_columns, false) : NULL;
    bool good = r != NULL;
    while (good && page_next_table(&place, &t)) {
        const char *kind = kind_of(&t, find(&tables, t.name));
        char words[sizeof t.usage + sizeof t.what + 2];
        const bool called = strcmp(t.name, t.usage) != 0;
        snprintf(words, sizeof words, "%s%s%s", called ? t.usage : "", called ? ": " : "",
                 t.what);
        good = !kind || rows_put(r, CELLS(cell_text(t.name), cell_text(kind),
                                          cell_text(called ? t.usage : NULL), cell_text(t.what),
                                          cell_text(words)));
    }
    for (size_t i = 0; good && i < tables.count; i++) {
        const file_table *own = &tables.items[i];
        const report_cell what = cell_text("a table of your own");
        if (!page_find_table(own->name, &t))
            good =
                rows_put(r, CELLS(cell_text(own->name), cell_text(own->view ? "view" : "table"),
                                  cell_none(), what, what));
    }
    const bool printed = rows_finish(r);
    file_tables_dispose(&tables);
    NEED(code);
    if (good && s->style.format == ROWS_TABLE && s->style.header)
        out_printf("\nThe columns of one: portolan query '%s' --columns v_special\n",
                   s->args->operands[0]);
    return session_printed(s, printed);
}

/* ---- the columns of one ---- */

static const report_column column_columns[] = {COLUMN(column), COLUMN(type),
                                               COLUMN_WRAP(meaning), COLUMNS_END};

static void on_column(void *payload, const char *name, const char *type)
{
    (void)rows_put(payload, CELLS(cell_text(name), cell_text(type), cell_text("")));
}

int query_columns_print(session *s, const char *name)
{
    const bool eye = s->style.format == ROWS_TABLE;
    page_table t;
    file_tables tables;
    const int code = file_tables_read(&tables, s);
    const bool in_file = code == EXIT_DONE && find(&tables, name);
    file_tables_dispose(&tables);
    NEED(code);
    if (page_find_table(name, &t) && (in_file || kind_of(&t, NULL))) {
        if (eye && s->style.header) {
            out_prose_begin(0);
            out_printf(t.more[0] ? "%s\n%s\n%s\n\n" : "%s\n%s\n%s\n", t.usage, t.what, t.more);
            out_prose_end();
        }
        if (!t.columns && eye)
            return EXIT_DONE;
        row_printer *r = rows_new(&s->style, column_columns, false);
        const char *at = NULL;
        for (page_column c; page_next_column(&t, &at, &c);)
            (void)rows_put(r,
                           CELLS(cell_text(c.name), cell_text(c.type), cell_text(c.meaning)));
        return session_printed(s, rows_finish(r));
    }
    if (in_file) {
        /* For a table that the page does not describe, print what the file
         * knows of its columns. */
        rows_style look = s->style;
        look.blocks = true;
        row_printer *r = rows_new(&look, column_columns, false);
        if (!r)
            return session_no_memory(s);
        const ptl_status status = ptl_table_column_list(s->store, name, on_column, r, &s->err);
        const bool good = rows_finish(r);
        return status == PTL_OK ? session_printed(s, good) : session_failed(s);
    }
    snprintf(s->err.message, sizeof s->err.message, "no such table: %s", name);
    s->err.status = PTL_ERR_NOT_FOUND;
    session_failed(s);
    query_hint(s, "");
    return EXIT_FAILED;
}
