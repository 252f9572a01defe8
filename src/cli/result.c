/*
 * Results. In CSV (cli/output.h) NULL is an empty field; JSON is an array of objects, one line
 * each. Blobs are written as hexadecimal digits in both.
 */
#include "cli/result.h"

#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct printer {
    result_format format;
    size_t columns;
    table *table;
    uint64_t rows;
    bool nomem;
    const session *session;
    bool copying; /* a snapshot, and it is not ready */
} printer;

static void hex(const ptl_value *v)
{
    for (size_t i = 0; i < v->size; i++)
        out_printf("%02x", (unsigned)(unsigned char)v->text[i]);
}

static void number_text(const ptl_value *v, char out[32])
{
    if (v->type == PTL_VALUE_INTEGER)
        snprintf(out, 32, "%" PRId64, v->integer);
    else
        format_double(v->real, out);
}

static void csv_value(const ptl_value *v)
{
    char number[32];
    switch (v->type) {
    case PTL_VALUE_NULL:
        break;
    case PTL_VALUE_TEXT:
        out_csv_string(v->text, v->size);
        break;
    case PTL_VALUE_BLOB:
        hex(v);
        break;
    default:
        number_text(v, number);
        out_text(number);
    }
}

static void json_value(const ptl_value *v)
{
    char number[32];
    switch (v->type) {
    case PTL_VALUE_TEXT:
        out_json_string(v->text, v->size);
        return;
    case PTL_VALUE_BLOB:
        out_text("\"");
        hex(v);
        out_text("\"");
        return;
    case PTL_VALUE_INTEGER:
        out_json_int(v->integer);
        return;
    default:
        if (v->type == PTL_VALUE_NULL || !isfinite(v->real)) {
            out_text("null"); /* JSON has no infinity */
            return;
        }
        format_double(v->real, number);
        out_text(number);
    }
}

static bool table_value(table *t, const ptl_value *v)
{
    char text[64];
    switch (v->type) {
    case PTL_VALUE_NULL:
        return table_cell(t, "", 0, true);
    case PTL_VALUE_TEXT:
        return table_cell(t, v->text, v->size, false);
    case PTL_VALUE_BLOB:
        snprintf(text, sizeof text, "(blob, %zu bytes)", v->size);
        return table_text(t, text);
    default:
        number_text(v, text);
        return table_cell(t, text, strlen(text), true);
    }
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    printer *p = payload;
    bool good = true;
    if (p->format == RESULT_JSON)
        out_text(p->rows ? ",\n{" : "[\n{");
    for (size_t i = 0; i < columns && good; i++) {
        if (p->format == RESULT_TABLE) {
            good = table_value(p->table, &values[i]);
        } else if (p->format == RESULT_CSV) {
            out_csv_comma(i == 0);
            csv_value(&values[i]);
        } else {
            out_text(i ? ", " : "");
            out_json_text(names[i]);
            out_text(": ");
            json_value(&values[i]);
        }
    }
    if (p->format == RESULT_JSON)
        out_text("}");
    else if (p->format == RESULT_CSV)
        out_csv_end();
    p->rows++;
    p->nomem = !good;
    return good && out_ok() && !stop_wanted();
}

/* Which moment the answer is of. */
static bool on_snapshot(void *payload, const ptl_query_snapshot *now)
{
    printer *p = payload;
    char size[32], at[32] = "";
    const time_t seconds = time(NULL);
    struct tm parts;
    p->copying = !now->ready;
    if (now->ready) {
        format_size(now->total, size);
        if (gmtime_r(&seconds, &parts))
            strftime(at, sizeof at, " of %H:%M:%S UTC", &parts);
        tell("portolan %s: asking a copy%s (%s)%s%s%s\n", p->session->args->command->name, at,
             size, now->whom ? ": " : "", now->whom ? now->whom : "",
             now->whom ? " is writing the file" : "");
    }
    return !stop_wanted();
}

enum { COLUMNS_MAX = 2000 };

typedef struct heads {
    const char *names[COLUMNS_MAX]; /* into text */
    char text[COLUMNS_MAX * 8];
    size_t count, used;
} heads;

/* Names are borrowed from the callback, so they are copied. What has no room is cut. */
static void on_name(void *payload, const char *name)
{
    heads *h = payload;
    if (h->count >= COLUMNS_MAX)
        return;
    size_t room = sizeof h->text - h->used, size = strlen(name);
    if (size >= room)
        size = room - 1;
    h->names[h->count++] = h->text + h->used;
    memcpy(h->text + h->used, name, size);
    h->text[h->used + size] = '\0';
    h->used += h->used + size + 1 < sizeof h->text ? size + 1 : size;
}

static ptl_status begin(printer *p, session *s, const char *sql)
{
    heads h = {.count = 0};
    ptl_status status = ptl_query_columns(s->store, sql, on_name, &h, &s->err);
    if (status != PTL_OK || p->format == RESULT_JSON)
        return status;
    if (p->format == RESULT_TABLE) {
        p->table = table_new(h.count, h.names);
        p->nomem = !p->table;
        return p->table ? PTL_OK : PTL_ERR_NOMEM;
    }
    for (size_t i = 0; i < h.count; i++) {
        out_csv_comma(i == 0);
        out_csv_text(h.names[i]);
    }
    out_csv_end();
    return PTL_OK;
}

int result_print(session *s, const char *sql, result_format format, const result_limits *limits)
{
    printer p = {.format = format, .session = s};
    ptl_query_options options = {.on_row = on_row, .payload = &p, .on_snapshot = on_snapshot};
    if (limits) {
        options.row_limit = limits->rows;
        options.time_limit = limits->seconds;
        options.byte_limit = limits->bytes;
        options.reading = limits->reading;
    }
    ptl_status status = begin(&p, s, sql);
    bool begun = status == PTL_OK;
    if (begun)
        status = ptl_query(s->store, sql, &options, &s->err);
    table_finish(p.table);
    if (begun && format == RESULT_JSON)
        out_text(p.rows ? "\n]\n" : "[]\n");
    if (status == PTL_ERR_CANCELLED && !out_ok())
        return EXIT_FAILED; /* out_finish tells */
    if (p.nomem)
        s->err = (ptl_error){PTL_ERR_NOMEM, 0, "memory is out"};
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_IO && p.copying)
        tell("With --direct the file itself is asked; a process that writes it "
             "waits meanwhile.\n");
    return EXIT_FAILED;
}
