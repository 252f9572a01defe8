/* Prints rows of SQL, whose columns are known only when the statement runs. */

#include "clients/cli/questions/query_tables.h"
#include "core/bytes.h"
#include "os/clock.h"

typedef struct printer {
    row_printer *rows; /* owned */
    bool nomem;
    const session *session;
    bool copying; /* a snapshot is still being copied */
} printer;

/* ---- columns ---- */

typedef struct head_list {
    report_column *columns; /* owned; the last key is NULL */
    bytes names;            /* the columns' names, each ended with a NUL */
    size_t count;
} head_list;

static void on_name(void *payload, const char *name)
{
    head_list *h = payload;
    bytes_put(&h->names, name, strlen(name) + 1);
    h->count++;
}

static ptl_status read_heads(head_list *h, session *s, const char *sql)
{
    *h = (head_list){.count = 0};
    bytes_init(&h->names);
    ptl_status status = ptl_query_column_list(s->store, sql, on_name, h, &s->err);
    if (status != PTL_OK)
        return status;
    h->columns = calloc(h->count + 1, sizeof *h->columns);
    if (!h->columns || h->names.failed)
        return s->err.status = PTL_ERR_NOMEM;
    const char *name = (const char *)h->names.data;
    for (size_t i = 0; i < h->count; i++) {
        h->columns[i] = (report_column){name, name, -1, 0};
        name += strlen(name) + 1;
    }
    return PTL_OK;
}

/* ---- rows ---- */

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    static const report_kind kinds[] = {[PTL_VALUE_NULL] = REPORT_NONE,
                                        [PTL_VALUE_INTEGER] = REPORT_WHOLE,
                                        [PTL_VALUE_REAL] = REPORT_REAL,
                                        [PTL_VALUE_TEXT] = REPORT_TEXT,
                                        [PTL_VALUE_BLOB] = REPORT_BLOB};
    printer *p = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++) {
        const ptl_value *v = &values[i];
        const report_cell cell = {kinds[v->type], v->text, v->size, v->integer, v->real};
        if (!rows_put(p->rows, &cell, 1)) {
            p->nomem = out_ok();
            return false;
        }
        if (stop_wanted()) /* a single value may have megabytes */
            return false;
    }
    return true;
}

/* Tells which moment a snapshot shows. */
static bool on_snapshot(void *payload, const ptl_query_snapshot *now)
{
    printer *p = payload;
    char size[32], at[32];
    p->copying = !now->ready;
    if (now->ready) {
        format_size(now->total, size);
        clock_now(at);
        tell("portolan %s: asking a copy of %.8s UTC (%s)%s%s%s\n",
             p->session->args->command->name, at + strlen("YYYY-MM-DDT"), size,
             now->whom ? ": " : "", now->whom ? now->whom : "",
             now->whom ? " is writing the file" : "");
    }
    return !stop_wanted();
}

int result_print(session *s, const char *sql, const result_limits *limits)
{
    printer p = {.session = s};
    head_list heads;
    rows_style look = s->style;
    look.blocks = true; /* few wide rows: all columns were asked for */
    const ptl_query_options options = {.size = sizeof options,
                                       .on_row = on_row,
                                       .payload = &p,
                                       .on_snapshot = on_snapshot,
                                       .row_limit = limits->rows,
                                       .time_limit = limits->seconds,
                                       .byte_limit = limits->bytes,
                                       .reading = limits->reading,
                                       .parameters = limits->parameters,
                                       .parameter_count = limits->parameter_count};
    ptl_status status = read_heads(&heads, s, sql);
    if (status == PTL_OK) {
        p.rows = rows_new(&look, heads.columns, false);
        p.nomem = !p.rows;
        status = p.rows ? ptl_query(s->store, sql, &options, &s->err) : PTL_ERR_NOMEM;
    }
    (void)rows_finish(p.rows);
    bytes_dispose(&heads.names);
    free(heads.columns);
    if (status == PTL_ERR_CANCELLED && !out_ok())
        return EXIT_FAILED; /* out_finish prints the message */
    if (p.nomem)
        s->err = (ptl_error){.status = PTL_ERR_NOMEM, .message = "memory is out"};
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_IO && p.copying)
        tell("With --direct the file itself is asked; a process that writes it "
             "waits meanwhile.\n");
    return EXIT_FAILED;
}
