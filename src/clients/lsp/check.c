#include "clients/lsp/server.h"
#include "core/array.h"
#include "core/visible.h"
#include "os/clock.h"
#include "os/file.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 8, /* how many checks in a row may be broken off */
    LATEST = 2 /* seconds after a change of a text; a check that runs later is not broken off */
};

/* Returns a path in the form of document.path: absolute, and with all symbolic links resolved.
 * If there is no such file, returns a copy of `path`. NULL when memory is out. */
static char *real_path(const char *path)
{
    char *real = file_real_path(path);
    return real ? real : strdup(path);
}

bool check_take_game(server *s, const ptl_import_options *import)
{
    checker *c = &s->checker;
    c->game = import->game ? real_path(import->game) : NULL;
    c->save = import->save ? real_path(import->save) : NULL;
    return (c->game || !import->game) && (c->save || !import->save);
}

bool check_add_directory(server *s, const char *path)
{
    checker *c = &s->checker;
    char *real = real_path(path);
    if (!real || !ARRAY_ROOM(c->directories, c->directory_room, c->directory_count + 1)) {
        free(real);
        return false;
    }
    c->directories[c->directory_count++] = real;
    return true;
}

void check_dispose(checker *c)
{
    for (size_t i = 0; i < c->directory_count; i++)
        free(c->directories[i]);
    free(c->directories);
    free(c->game);
    free(c->save);
    json_decref(c->shown);
    json_decref(c->sent);
    json_decref(c->found);
    json_decref(c->waiting);
    ptl_sources_free(c->sources);
}

/* ---- when ---- */

void check_changed(server *s)
{
    checker *c = &s->checker;
    c->changed = clock_seconds();
    if (!c->is_due)
        c->first = c->changed;
    c->is_due = true;
}

int check_wait(const server *s)
{
    const checker *c = &s->checker;
    if (!c->is_due || !s->initialized)
        return -1;
    const double left = c->changed + s->options->pause / 1000.0 - clock_seconds();
    return left > 0 ? (int)(1000 * left) + 1 : 0;
}

/* The import asks this during a check, to know whether it must stop. The check is broken off if
 * a message has come, unless checks were already broken off too often or for too long. */
static bool should_stop(void *payload)
{
    server *s = payload;
    const checker *c = &s->checker;
    if (s->options->should_stop(NULL))
        return true;
    server_hear(s, 0);
    /* If the editor has closed its end, the check is only finished if a request waits for it.
     */
    if (s->failed || s->channel.failed ||
        (s->channel.ended && json_array_size(c->waiting) == 0))
        return true;
    return s->next < json_array_size(s->queue) && c->broken_off < PATIENCE &&
           clock_seconds() - c->first < LATEST;
}

/* ---- what is found ---- */

static void on_remark(void *payload, const ptl_diagnostic *d)
{
    server *s = payload;
    const char *pack = s->options->pack;
    /* What is wrong with no pack, such as a folder that is missing, concerns all. */
    if (pack && d->pack[0] && strcmp(d->pack, pack) != 0)
        return;
    json_t *found = s->checker.found, *list = json_object_get(found, d->file);
    /* A path need not be UTF-8, as Jansson's keys must be where they are checked. */
    if (!list && json_object_set_new_nocheck(found, d->file, json_array()) == 0)
        list = json_object_get(found, d->file);
    if (!list ||
        json_array_append_new(list, json_pack("[iiissss]", (int)d->severity, d->line, d->column,
                                              d->message, d->code, d->id, d->pack)) != 0)
        s->failed = true;
}

static void on_pack(void *payload, const char *id, const char *directory, bool is_base)
{
    server *s = payload;
    const char *pack = s->options->pack;
    (void)directory, (void)is_base;
    s->checker.has_pack = s->checker.has_pack || (pack && strcmp(id, pack) == 0);
}

/* Shows a message of the check to the user, unless it was already shown after the check before.
 * "": this check has no message. */
static void show(server *s, bool is_error, const char *message)
{
    checker *c = &s->checker;
    json_t *now = json_string(message);
    s->failed = s->failed || !now;
    if (now && message[0] && !json_equal(now, c->shown))
        server_show(s, is_error, message);
    json_decref(c->shown);
    c->shown = now;
}

/* Shows the errors that are about no text, such as a mod that the game lacks: an editor has no
 * place for them. */
static void show_placeless(server *s)
{
    bytes text = {.size = 0};
    const char *path, *message, *code, *id, *pack;
    json_t *remarks, *remark;
    size_t i, size;
    if (s->options->pack && !s->checker.has_pack)
        bytes_printf(&text, "--pack: the content has no pack '%s'", s->options->pack);
    json_object_foreach(s->checker.found, path, remarks)
    {
        if (lsp_text_of(s, path, &size))
            continue;
        json_array_foreach(remarks, i, remark)
        {
            int severity, line, column;
            if (!server_unpack(s, remark, "[iiissss]", &severity, &line, &column, &message,
                               &code, &id, &pack) ||
                severity != PTL_ERROR)
                continue;
            bytes_put_text(&text, text.size > 0 ? "\n" : "");
            visible_put(&text, path, strlen(path));
            bytes_printf(&text, "%s%s%s%s", path[0] ? ": " : "", id, id[0] ? ": " : "",
                         message);
        }
    }
    const char *all = bytes_text(&text);
    s->failed = s->failed || !all;
    show(s, true, all ? all : "");
    bytes_dispose(&text);
}

size_t lsp_word_end(const char *text, size_t size, size_t start)
{
    size_t at = start;
    if (at < size && text[at] == '"') {
        for (at++; at < size && text[at] != '"' && text[at] != '\n'; at++)
            at += text[at] == '\\' && at + 1 < size && text[at + 1] != '\n';
        return at < size && text[at] == '"' ? at + 1 : at;
    }
    while (at < size && !strchr(" \t\r\n,:[]{}\"", text[at]))
        at++;
    /* A single bracket, comma or colon is marked, too. Nothing is marked at the end of a line
     * or of the text. */
    return at > start || at >= size || strchr("\r\n", text[at]) ? at : at + 1;
}

json_t *lsp_range_of(text_place a, text_place b)
{
    return json_pack("{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line", (json_int_t)a.line,
                     "character", (json_int_t)a.unit, "end", "line", (json_int_t)b.line,
                     "character", (json_int_t)b.unit);
}

json_t *lsp_range(const server *s, const char *text, size_t size, size_t start, size_t end)
{
    return lsp_range_of(text_place_of(text, size, start, s->utf8),
                        text_place_of(text, size, end, s->utf8));
}

const char *lsp_text_of(const server *s, const char *path, size_t *size)
{
    const document *d = documents_of_path(&s->documents, path);
    if (d) {
        *size = d->size;
        return d->text;
    }
    return ptl_sources_text(size, s->checker.sources, path);
}

/* Returns a remark in the form that LSP prescribes. Moves both cursors to the place of the
 * remark. */
static json_t *diagnostic(json_t *remark, remark_cursor *at, text_cursor *begin)
{
    static const int severities[] = {[PTL_WARNING] = 2, [PTL_ERROR] = 1, [PTL_NOTE] = 3};
    int severity, line, column;
    const char *message, *code, *id, *pack;
    if (json_unpack(remark, "[iiissss]", &severity, &line, &column, &message, &code, &id,
                    &pack) != 0)
        return NULL;
    const size_t start = remark_cursor_to(at, line, column);
    const text_place first = text_cursor_to(begin, start);
    text_cursor end = *begin;
    const text_place last =
        text_cursor_to(&end, line > 0 ? lsp_word_end(at->text, at->size, start) : start);
    return json_pack("{s:o,s:i,s:s,s:s,s:s,s:{s:s,s:s}}", "range", lsp_range_of(first, last),
                     "severity", severities[severity], "code", code, "source", "portolan",
                     "message", message, "data", "id", id, "pack", pack);
}

/* Sends the remarks on one file, unless they are the same as those sent before. An empty list
 * makes the editor remove those that were sent before. */
static void publish(server *s, const char *path, json_t *remarks)
{
    size_t size = 0, i;
    json_t *remark, *list = json_array();
    const char *text = lsp_text_of(s, path, &size);
    remark_cursor at = {.text = text ? text : "", .size = size};
    text_cursor begin = {.text = at.text, .size = size, .utf8 = s->utf8};
    json_array_foreach(remarks, i, remark)
    {
        if (s->options->should_stop(NULL)) {
            json_decref(list);
            return;
        }
        if (json_array_append_new(list, diagnostic(remark, &at, &begin)) != 0)
            s->failed = true;
    }
    const document *d = documents_of_path(&s->documents, path);
    char *uri = d ? strdup(d->uri) : uri_of_path(path);
    if (!list || !uri || s->failed) {
        s->failed = true;
    } else if (!json_equal(json_object_get(s->checker.sent, path), list)) {
        json_t *params = json_pack("{s:s,s:O}", "uri", uri, "diagnostics", list);
        if (d && d->has_version &&
            json_object_set_new(params, "version", json_integer(d->version)) != 0)
            s->failed = true;
        server_notify(s, "textDocument/publishDiagnostics", params);
        s->failed = json_object_set_nocheck(s->checker.sent, path, list) != 0 || s->failed;
    }
    free(uri);
    json_decref(list);
}

static void publish_all(server *s)
{
    checker *c = &s->checker;
    const char *path;
    json_t *remarks;
    void *next;
    json_object_foreach(c->found, path, remarks)
    {
        publish(s, path, remarks);
    }
    json_object_foreach_safe(c->sent, next, path, remarks)
    {
        if (!json_object_get(c->found, path)) {
            publish(s, path, NULL);
            (void)json_object_del(c->sent, path);
        }
    }
}

/* ---- the check ---- */

/* Imports the content. Of files that the editor has open, it takes the editor's text. */
static ptl_status import(server *s, ptl_error *err)
{
    const documents *open = &s->documents;
    ptl_import_options o = s->options->import;
    ptl_file_text *texts = calloc(open->count + 1, sizeof *texts);
    if (!texts)
        return PTL_ERR_NOMEM;
    for (size_t i = 0; i < open->count; i++)
        texts[i] =
            (ptl_file_text){open->items[i].path, open->items[i].text, open->items[i].size};
    o.directories = (const char *const *)s->checker.directories;
    o.directory_count = s->checker.directory_count;
    o.game = s->checker.game;
    o.save = s->checker.save;
    o.texts = texts;
    o.text_count = open->count;
    o.sources = s->checker.sources;
    o.check = true;
    o.on_diagnostic = on_remark;
    o.on_pack = on_pack;
    o.should_stop = should_stop;
    o.payload = s;
    const ptl_status status = ptl_import(NULL, NULL, &o, err);
    free(texts);
    return status;
}

/* Answers the requests that wait for the check. */
static void answer_waiting(server *s)
{
    size_t i;
    json_t *id;
    json_array_foreach(s->checker.waiting, i, id)
    {
        server_answer(s, json_incref(id), json_null());
    }
    (void)json_array_clear(s->checker.waiting);
}

void check_run(server *s)
{
    checker *c = &s->checker;
    ptl_error err = {.status = PTL_OK};
    (void)json_object_clear(c->found);
    c->has_pack = false;
    const bool any = c->directory_count > 0 || s->options->import.builtin || c->game;
    const ptl_status status = any ? import(s, &err) : PTL_OK;
    if (status == PTL_ERR_CANCELLED) {
        c->broken_off++;
        return;
    }
    c->is_due = false;
    c->had_whole = true;
    c->broken_off = 0;
    s->failed = s->failed || status == PTL_ERR_NOMEM;
    if (!any && !s->failed) {
        show(
            s, false,
            "nothing is checked, since no folder is open: open the folder of your mod, or name "
            "folders behind 'portolan lsp' in the settings of your editor");
    } else if (status != PTL_OK && status != PTL_ERR_CONTENT && !s->failed) {
        bytes text = {.size = 0};
        bytes_printf(
            &text,
            "nothing is checked: %s. It is tried again when a text changes or is "
            "saved; folders and options stand behind 'portolan lsp' in the settings of "
            "your editor",
            err.message);
        show(s, true, bytes_text(&text) ? (const char *)text.data : err.message);
        bytes_dispose(&text);
    } else if (!s->failed) {
        show_placeless(s);
        publish_all(s);
    }
    answer_waiting(s);
}

void check_whole(server *s)
{
    s->checker.broken_off = PATIENCE;
    check_run(s);
}
