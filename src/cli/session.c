/* Opening files and worlds for the commands, and turning statuses into advice. */
#include "cli/session.h"

#include "core/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What to do about an error, or NULL where the message says it all. */
static const char *advice(ptl_status status)
{
    switch (status) {
    case PTL_ERR_BUSY:
        return "Another process is writing to the file: wait for it to end and try again.";
    case PTL_ERR_CORRUPT:
        return "'portolan verify FILE' lists all that is damaged.";
    case PTL_ERR_NEWER:
        return "Use the newer Portolan that wrote it; this one changes nothing in the file.";
    case PTL_ERR_MISMATCH:
        return "Import the content that the world was made with, or say with "
               "'generate --accept-content' that new chunks may follow the present one.";
    case PTL_ERR_FORMAT:
        return "The first operand is the world file; 'portolan import' makes one.";
    case PTL_ERR_INTERNAL:
        return "This is a bug in Portolan: please report the command and the message.";
    default:
        return NULL;
    }
}

int report_error(const char *name, const char *path, const ptl_error *err)
{
    const char *message = err->message[0] ? err->message : ptl_status_name(err->status);
    bool has_path = path && strstr(message, path) == NULL;
    fprintf(stderr, "portolan %s: %s%s%s\n", name, has_path ? path : "", has_path ? ": " : "",
            message);
    if (advice(err->status))
        fprintf(stderr, "%s\n", advice(err->status));
    return EXIT_FAILED;
}

int session_failed(const session *s)
{
    return report_error(s->args->command->name, s->args->operands[0], &s->err);
}

int session_open(session *s, const args *a, ptl_open_mode mode)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    memset(s, 0, sizeof *s);
    s->args = a;
    options.mode = mode;
    const char *path = a->operands[0];
    ptl_status status = ptl_store_open(&s->store, path, &options, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_NOT_FOUND)
        fprintf(stderr, "Make it first: portolan import '%s' --builtin\n", path);
    return EXIT_FAILED;
}

int session_world(session *s, const ptl_world_open_options *options)
{
    const char *name = args_value(s->args, "world");
    ptl_status status = ptl_world_open(&s->world, s->store, name, options, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_NOT_FOUND)
        fprintf(stderr,
                "Worlds: portolan status '%s'; a new one: portolan new '%s' NAME --seed N\n",
                s->args->operands[0], s->args->operands[0]);
    return EXIT_FAILED;
}

void session_close(session *s)
{
    ptl_world_close(s->world);
    ptl_store_close(s->store);
    s->world = NULL;
    s->store = NULL;
}

char *sql_quote(const char *text)
{
    char *out = malloc(2 * strlen(text) + 3), *at = out;
    if (!out)
        return NULL;
    *at++ = '\'';
    for (; *text; text++) {
        if (*text == '\'')
            *at++ = '\'';
        *at++ = *text;
    }
    *at++ = '\'';
    *at = '\0';
    return out;
}

static bool keep_int(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    (void)names;
    if (columns > 0)
        *(int64_t *)payload = values[0].integer;
    return true;
}

ptl_status ask_int(session *s, int64_t *out, const char *format, ...)
{
    va_list list;
    bytes sql;
    bytes_init(&sql);
    va_start(list, format);
    bytes_vprintf(&sql, format, list);
    va_end(list);
    const char *text = bytes_text(&sql);
    ptl_query_options options = {.on_row = keep_int, .payload = out};
    ptl_status status = PTL_ERR_NOMEM;
    if (text)
        status = ptl_query(s->store, text, &options, &s->err);
    else
        s->err.status = status;
    bytes_dispose(&sql);
    return status;
}

int session_world_id(session *s, int64_t *out)
{
    char *name = sql_quote(ptl_world_name(s->world));
    if (!name) {
        s->err.status = PTL_ERR_NOMEM;
        return session_failed(s);
    }
    ptl_status status = ask_int(s, out, "SELECT id FROM world WHERE name = %s", name);
    free(name);
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

static bool keep_chunk(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    chunk_list *list = payload;
    (void)names;
    return columns == 2 && chunk_list_add(list, (ptl_chunk_pos){(int32_t)values[0].integer,
                                                                (int32_t)values[1].integer});
}

int session_saved_chunks(session *s, chunk_list *out)
{
    int64_t world_id = 0;
    char sql[120];
    if (session_world_id(s, &world_id) != EXIT_DONE)
        return EXIT_FAILED;
    snprintf(sql, sizeof sql,
             "SELECT x, y FROM chunk WHERE world_id = %" PRId64 " ORDER BY y, x", world_id);
    ptl_query_options query = {.on_row = keep_chunk, .payload = out};
    return ptl_query(s->store, sql, &query, &s->err) == PTL_OK ? EXIT_DONE : session_failed(s);
}

static bool keep_extent(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    int64_t *out = payload;
    (void)names;
    for (size_t i = 0; i < columns && i < 5; i++)
        out[i] = values[i].integer;
    return true;
}

int session_extent(session *s, bool *any, int64_t out[4])
{
    int64_t world_id = 0, row[5] = {0};
    char sql[200];
    if (session_world_id(s, &world_id) != EXIT_DONE)
        return EXIT_FAILED;
    snprintf(sql, sizeof sql,
             "SELECT min(x), min(y), max(x), max(y), count(*) FROM chunk WHERE world_id = "
             "%" PRId64,
             world_id);
    ptl_query_options options = {.on_row = keep_extent, .payload = row};
    if (ptl_query(s->store, sql, &options, &s->err) != PTL_OK)
        return session_failed(s);
    memcpy(out, row, 4 * sizeof *out);
    *any = row[4] > 0;
    return EXIT_DONE;
}
