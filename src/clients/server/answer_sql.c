/* Runs SQL that the user typed: read-only, and within limits of rows, bytes and time. */
#include "clients/server/answer.h"

#include "core/error.h"

enum { ROWS_MAX = 10000, BYTES_MAX = 16 << 20 };

static const double SECONDS_MAX = 60;

static void put_value(emitter *j, const ptl_value *v)
{
    if (v->type == PTL_VALUE_INTEGER)
        emit_int(j, v->integer);
    else if (v->type == PTL_VALUE_REAL)
        emit_real(j, v->real);
    else if (v->type == PTL_VALUE_TEXT)
        emit_string(j, v->text, v->size);
    else if (v->type == PTL_VALUE_BLOB && v->size > 0) {
        /* Puts a blob as a text of hexadecimal digits. */
        static const char digits[] = "0123456789abcdef";
        bytes hex = {.size = 0};
        if (bytes_reserve(&hex, 2 * v->size + 1))
            for (size_t i = 0; i < v->size; i++) {
                bytes_put_u8(&hex, (uint8_t)digits[(uint8_t)v->text[i] >> 4]);
                bytes_put_u8(&hex, (uint8_t)digits[(uint8_t)v->text[i] & 15]);
            }
        j->out->failed |= hex.failed;
        emit_string(j, hex.failed ? "" : (const char *)hex.data, hex.failed ? 0 : hex.size);
        bytes_dispose(&hex);
    } else if (v->type == PTL_VALUE_BLOB)
        emit_text(j, "");
    else
        emit_null(j);
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    emitter *j = payload;
    (void)names;
    emit_put(j, "[");
    for (size_t i = 0; i < columns; i++)
        put_value(j, &values[i]);
    emit_put(j, "]");
    return !j->out->failed;
}

static void on_name(void *payload, const char *name)
{
    emit_text(payload, name);
}

ptl_status answer_sql(const asked *q, reply *out, ptl_error *err)
{
    ptl_query_options options = PTL_QUERY_OPTIONS_INIT;
    options.row_limit = ROWS_MAX;
    options.byte_limit = BYTES_MAX;
    options.time_limit = SECONDS_MAX;
    options.on_row = on_row;
    options.payload = &out->j;
    if (!q->may_query)
        return error_set(err, PTL_ERR_ARGUMENT, "SQL is asked on this machine alone");
    emit_put(&out->j, "{columns:[");
    ptl_status status =
        ptl_query_column_list(reader_store(q->from), q->text, on_name, &out->j, err);
    emit_put(&out->j, "], rows:[");
    THEN(status, ptl_query(reader_store(q->from), q->text, &options, err));
    emit_put(&out->j, "], cut:"); /* the limit that ended the rows early, or null */
    emit_text(&out->j, status == PTL_ERR_LIMIT ? err->message : NULL);
    emit_put(&out->j, "}");
    return status == PTL_ERR_LIMIT ? PTL_OK : status;
}
