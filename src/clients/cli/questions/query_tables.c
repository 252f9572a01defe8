#include "clients/cli/questions/query_tables.h"

#include "clients/cli/line/output.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/questions/tables_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    const ptl_status status = ptl_query_tables(s->store, on_table, &r, &s->err);
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
    {"name", "name", 0, 0},
    {"kind", "kind", 0, 0},
    {"call", "call", 0, REPORT_DATA_ONLY},
    {"what", "what", 0, REPORT_DATA_ONLY},
    {"words", "what", 0, REPORT_EYE_ONLY | REPORT_WRAP},
    {NULL, NULL, 0, 0},
};

/* What the page names and the file has none of is a virtual table or a function, as the index
 * is not made yet. */
static const char *kind_of(const page_table *t, const file_table *in_file)
{
    if (in_file)
        return in_file->view ? "view" : "table";
    if (t->of_index)
        return NULL;
    return t->columns ? "virtual" : "function";
}

static bool print_table(row_printer *r, const page_table *t, const char *kind)
{
    char words[sizeof t->usage + sizeof t->what + 2];
    const bool called = strcmp(t->name, t->usage) != 0;
    snprintf(words, sizeof words, "%s%s%s", called ? t->usage : "", called ? ": " : "",
             t->what);
    return rows_text(r, t->name) && rows_text(r, kind) &&
           rows_text(r, called ? t->usage : NULL) && rows_text(r, t->what) &&
           rows_text(r, words);
}

static bool print_own(row_printer *r, const file_table *t)
{
    static const char what[] = "a table of your own";
    return rows_text(r, t->name) && rows_text(r, t->view ? "view" : "table") && rows_none(r) &&
           rows_text(r, what) && rows_text(r, what);
}

static int print_end(session *s, bool good)
{
    if (good || !out_ok())
        return EXIT_DONE; /* out_finish tells of a closed output */
    return session_no_memory(s);
}

int query_tables_print(session *s, const rows_style *style)
{
    file_tables tables;
    page_table t;
    page_place place = {NULL, false};
    int code = file_tables_read(&tables, s);
    row_printer *r = code == EXIT_DONE ? rows_new(style, table_columns, false) : NULL;
    bool good = r != NULL;
    while (good && page_next_table(&place, &t)) {
        const char *kind = kind_of(&t, find(&tables, t.name));
        good = !kind || print_table(r, &t, kind);
    }
    for (size_t i = 0; good && i < tables.count; i++)
        if (!page_find_table(tables.items[i].name, &t))
            good = print_own(r, &tables.items[i]);
    rows_finish(r);
    file_tables_dispose(&tables);
    if (code == EXIT_DONE && good && style->format == ROWS_TABLE && style->header)
        out_printf("\nThe columns of one: portolan query '%s' --columns v_special\n",
                   s->args->operands[0]);
    return code == EXIT_DONE ? print_end(s, good) : code;
}

/* ---- the columns of one ---- */

static const report_column column_columns[] = {
    {"column", "column", 0, 0},
    {"type", "type", 0, 0},
    {"meaning", "meaning", 0, REPORT_WRAP},
    {NULL, NULL, 0, 0},
};

static bool print_columns(const page_table *t, const rows_style *style)
{
    row_printer *r = rows_new(style, column_columns, false);
    const char *at = NULL;
    bool good = r != NULL;
    for (page_column c; good && page_next_column(t, &at, &c);)
        good = rows_text(r, c.name) && rows_text(r, c.type) && rows_text(r, c.meaning);
    rows_finish(r);
    return good;
}

typedef struct own_columns {
    row_printer *rows;
    bool good;
} own_columns;

static void on_column(void *payload, const char *name, const char *type)
{
    own_columns *c = payload;
    c->good = c->good && rows_text(c->rows, name) && rows_text(c->rows, type) &&
              rows_text(c->rows, "");
}

/* What the file knows of a table that the page does not have. */
static int print_own_columns(session *s, const char *name, const rows_style *style)
{
    rows_style look = *style;
    look.blocks = true;
    own_columns c = {.rows = rows_new(&look, column_columns, false)};
    c.good = c.rows != NULL;
    ptl_status status = PTL_OK;
    if (c.good)
        status = ptl_query_table_columns(s->store, name, on_column, &c, &s->err);
    rows_finish(c.rows);
    return status == PTL_OK ? print_end(s, c.good) : session_failed(s);
}

static int no_table(session *s, const char *name, const char *sql)
{
    snprintf(s->err.message, sizeof s->err.message, "no such table: %s", name);
    s->err.status = PTL_ERR_NOT_FOUND;
    session_failed(s);
    query_hint(s, sql);
    return EXIT_FAILED;
}

static void print_heading(const page_table *t)
{
    out_prose_begin(0);
    out_printf("%s\n%s\n", t->usage, t->what);
    if (t->more[0])
        out_printf("%s\n", t->more);
    out_text("\n");
    out_prose_end();
}

int query_columns_print(session *s, const char *name, const rows_style *style)
{
    page_table t;
    file_tables tables;
    int code = file_tables_read(&tables, s);
    const bool in_file = code == EXIT_DONE && find(&tables, name);
    file_tables_dispose(&tables);
    if (code != EXIT_DONE)
        return code;
    if (page_find_table(name, &t) && (in_file || kind_of(&t, NULL))) {
        if (style->format == ROWS_TABLE && style->header)
            print_heading(&t);
        return t.columns || style->format != ROWS_TABLE ? print_end(s, print_columns(&t, style))
                                                        : EXIT_DONE;
    }
    return in_file ? print_own_columns(s, name, style) : no_table(s, name, "");
}
