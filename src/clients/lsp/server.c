/* The life of the server: it hears messages, handles them in their order, and checks the texts
 * in between. */
#include "clients/lsp/server.h"
#include "core/error.h"
#include "core/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WAIT = 500 }; /* milliseconds between two calls of should_stop */

/* ---- messages ---- */

static void put(server *s, json_t *message)
{
    channel_put(&s->channel, message);
    s->failed = s->failed || s->channel.failed;
}

bool server_unpack(server *s, json_t *from, const char *format, ...)
{
    json_error_t error;
    va_list values;
    va_start(values, format);
    const bool good = json_vunpack_ex(from, &error, 0, format, values) == 0;
    va_end(values);
    if (!good && json_error_code(&error) == json_error_out_of_memory)
        s->failed = true;
    return good;
}

void server_answer(server *s, json_t *id, json_t *result)
{
    put(s, json_pack("{s:s,s:o,s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

void server_refuse(server *s, json_t *id, int code, const char *format, ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    json_t *text = json_string(message); /* NULL if the message was cut within a character */
    put(s, json_pack("{s:s,s:o,s:{s:i,s:o}}", "jsonrpc", "2.0", "id", id, "error", "code", code,
                     "message", text ? text : json_string("not allowed")));
}

void server_notify(server *s, const char *method, json_t *params)
{
    put(s, json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

void server_show(server *s, bool is_error, const char *message)
{
    server_notify(s, "window/showMessage",
                  json_pack("{s:i,s:s}", "type", is_error ? 1 : 2, "message", message));
}

/* Answers a request that was cancelled before it was handled. */
static void cancel(server *s, json_t *id)
{
    for (size_t i = s->next; id && i < json_array_size(s->queue); i++) {
        json_t *message = json_array_get(s->queue, i);
        json_t *its = json_object_get(message, "id");
        if (its && json_object_get(message, "method") && json_equal(its, id)) {
            server_refuse(s, json_incref(its), RPC_CANCELLED, "cancelled");
            (void)json_array_remove(s->queue, i);
            return;
        }
    }
    json_t *waiting = s->checker.waiting;
    for (size_t i = 0; id && i < json_array_size(waiting); i++)
        if (json_equal(json_array_get(waiting, i), id)) {
            server_refuse(s, json_incref(json_array_get(waiting, i)), RPC_CANCELLED,
                          "cancelled");
            (void)json_array_remove(waiting, i);
            return;
        }
}

/* Adds a message to the queue. If it says that an earlier request is cancelled, it is handled
 * at once instead. */
static void queue(server *s, json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    if (method && strcmp(method, "$/cancelRequest") == 0) {
        cancel(s, json_object_get(json_object_get(message, "params"), "id"));
        json_decref(message);
    } else if (json_array_append_new(s->queue, message) != 0)
        s->failed = true;
}

void server_hear(server *s, int milliseconds)
{
    if (s->queued >= CHANNEL_MESSAGE_MAX)
        return;
    channel_fill(&s->channel, milliseconds);
    for (json_t *message; !s->bad && !s->failed && !s->options->should_stop(NULL);) {
        const size_t before = s->channel.taken;
        const channel_got got = channel_take(&s->channel, &message);
        s->queued += s->channel.taken - before;
        switch (got) {
        case CHANNEL_NOTHING:
            return;
        case CHANNEL_MESSAGE:
            queue(s, message);
            break;
        case CHANNEL_TOO_LONG:
            server_refuse(s, json_null(), RPC_INVALID_REQUEST,
                          "a message of more than %d bytes is passed over",
                          (int)CHANNEL_MESSAGE_MAX);
            break;
        case CHANNEL_NOT_JSON:
            server_refuse(s, json_null(), RPC_PARSE_ERROR, "a message that is not JSON");
            break;
        case CHANNEL_NO_MEMORY:
            s->failed = true;
            return;
        case CHANNEL_BAD_HEADER:
            s->bad = "a header that is not \"Content-Length: N\" and an empty line";
            server_refuse(s, json_null(), RPC_PARSE_ERROR, "%s", s->bad);
            break;
        }
    }
}

/* ---- the beginning ---- */

static void add_folder(server *s, const char *uri)
{
    char *path = uri ? path_of_uri(uri) : NULL;
    if (path && !check_add_directory(s, path))
        s->failed = true;
    free(path);
}

/* Reads the folders that the editor has open, if the command line names none. */
static void take_folders(server *s, json_t *params)
{
    json_t *folders = json_object_get(params, "workspaceFolders"), *folder;
    const char *root = json_string_value(json_object_get(params, "rootUri"));
    size_t i;
    if (s->options->import.directory_count > 0)
        return;
    json_array_foreach(folders, i, folder)
    {
        add_folder(s, json_string_value(json_object_get(folder, "uri")));
    }
    if (s->checker.directory_count == 0)
        add_folder(s, root);
}

static json_t *initialize(server *s, json_t *params)
{
    json_t *capabilities = json_object_get(params, "capabilities"), *encoding;
    json_t *encodings =
        json_object_get(json_object_get(capabilities, "general"), "positionEncodings");
    size_t i;
    json_array_foreach(encodings, i, encoding)
    {
        const char *name = json_string_value(encoding);
        s->utf8 = s->utf8 || (name && strcmp(name, "utf-8") == 0);
    }
    s->may_watch = json_is_true(json_object_get(
        json_object_get(json_object_get(capabilities, "workspace"), "didChangeWatchedFiles"),
        "dynamicRegistration"));
    take_folders(s, params);
    s->initialized = true;
    check_changed(s);
    return json_pack("{s:{s:s,s:{s:b,s:i,s:b},s:b,s:b,s:b,s:{s:[s]},s:b,s:b},s:{s:s,s:s}}",
                     "capabilities", "positionEncoding", s->utf8 ? "utf-8" : "utf-16",
                     "textDocumentSync", "openClose", 1, "change", 2, "save", 1,
                     "definitionProvider", 1, "referencesProvider", 1, "hoverProvider", 1,
                     "completionProvider", "triggerCharacters", "\"", "documentSymbolProvider",
                     1, "workspaceSymbolProvider", 1, "serverInfo", "name", "portolan",
                     "version", ptl_version());
}

/* Asks the editor to tell which files other programs have changed. */
static void watch_files(server *s)
{
    if (s->may_watch)
        put(s,
            json_pack("{s:s,s:i,s:s,s:{s:[{s:s,s:s,s:{s:[{s:s}]}}]}}", "jsonrpc", "2.0", "id",
                      1, "method", "client/registerCapability", "params", "registrations", "id",
                      "watch", "method", "workspace/didChangeWatchedFiles", "registerOptions",
                      "watchers", "globPattern", "**/*.json"));
}

/* ---- texts ---- */

static document *document_named(server *s, json_t *params)
{
    const char *uri =
        json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
    return uri ? documents_find(&s->documents, uri) : NULL;
}

static void take_version(document *d, json_t *params)
{
    json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
    d->has_version = json_is_integer(version);
    d->version = json_integer_value(version);
}

static void opened(server *s, json_t *params)
{
    const char *uri, *text;
    if (!server_unpack(s, params, "{s:{s:s,s:s}}", "textDocument", "uri", &uri, "text", &text))
        return;
    document *d = documents_put(&s->documents, uri, text);
    if (d) {
        take_version(d, params);
    } else {
        char *path = path_of_uri(uri);
        s->failed = s->failed || path != NULL; /* the address is that of a file, so memory was
                                                  out when it was to be opened */
        free(path);
    }
    check_changed(s);
}

static void edited(server *s, json_t *params)
{
    document *d = document_named(s, params);
    json_t *changes = json_object_get(params, "contentChanges"), *change;
    size_t i;
    if (!d)
        return;
    take_version(d, params);
    json_array_foreach(changes, i, change)
    {
        json_int_t at[4];
        const char *text = json_string_value(json_object_get(change, "text"));
        json_t *range = json_object_get(change, "range");
        if (text && (!range || json_is_null(range)))
            s->failed = s->failed || !documents_put(&s->documents, d->uri, text);
        else if (!text || !server_unpack(s, range, "{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line",
                                         &at[0], "character", &at[1], "end", "line", &at[2],
                                         "character", &at[3]))
            server_show(s, true, "a change can't be read: close the text and open it again");
        else
            s->failed =
                s->failed ||
                !document_edit(d, (text_place){(size_t)at[0], (size_t)at[1]},
                               (text_place){(size_t)at[2], (size_t)at[3]}, s->utf8, text);
    }
    check_changed(s);
}

static void closed(server *s, json_t *params)
{
    document *d = document_named(s, params);
    if (d)
        documents_close(&s->documents, d);
    check_changed(s);
}

/* A file was saved, or changed by another program. */
static void saved(server *s, json_t *params)
{
    (void)params;
    check_changed(s);
}

static void ask_to_watch(server *s, json_t *params)
{
    (void)params;
    watch_files(s);
}

static const struct {
    const char *method;
    void (*take)(server *s, json_t *params);
} notices[] = {{"initialized", ask_to_watch},      {"textDocument/didOpen", opened},
               {"textDocument/didChange", edited}, {"textDocument/didClose", closed},
               {"textDocument/didSave", saved},    {"workspace/didChangeWatchedFiles", saved}};

/* ---- handling ---- */

/* Answers the requests that wait for a check, because the editor is about to end the server. */
static void finish(server *s)
{
    while (s->checker.is_due && json_array_size(s->checker.waiting) > 0 && !s->failed &&
           !s->options->should_stop(NULL))
        check_run(s);
}

static void handle_request(server *s, json_t *id, const char *method, json_t *params)
{
    answer_function *answer = answer_for(method);
    json_incref(id);
    if (s->shut) {
        server_refuse(s, id, RPC_INVALID_REQUEST, "after shutdown only exit may follow");
    } else if (strcmp(method, "initialize") == 0) {
        if (s->initialized)
            server_refuse(s, id, RPC_INVALID_REQUEST, "initialized already");
        else
            server_answer(s, id, initialize(s, params));
    } else if (!s->initialized) {
        server_refuse(s, id, RPC_NOT_INITIALIZED, "initialize comes first");
    } else if (strcmp(method, "shutdown") == 0) {
        finish(s);
        s->shut = true;
        server_answer(s, id, json_null());
    } else if (strcmp(method, "portolan/checked") == 0) {
        if (s->checker.is_due)
            s->failed = json_array_append_new(s->checker.waiting, id) != 0 || s->failed;
        else
            server_answer(s, id, json_null());
    } else if (answer) {
        /* Editors ask about a text as soon as it is open, and do not ask again. So the first
         * check must end before the answer. */
        if (!s->checker.had_whole)
            check_whole(s);
        error_clear(&s->wrong);
        s->misasked = false;
        json_t *result = answer(s, params);
        if (s->wrong.status != PTL_OK) {
            json_decref(result);
            server_refuse(s, id, RPC_INTERNAL_ERROR, "%s", s->wrong.message);
        } else if (result)
            server_answer(s, id, result);
        else if (s->misasked)
            server_refuse(s, id, RPC_INVALID_PARAMS, "wrong parameters for %.*s",
                          UTF8_CUT(method, 80));
        else
            s->failed = true;
    } else
        server_refuse(s, id, RPC_UNKNOWN_METHOD, "unknown method %.*s", UTF8_CUT(method, 80));
}

static void handle(server *s, json_t *message)
{
    json_t *id = json_object_get(message, "id");
    const char *method = json_string_value(json_object_get(message, "method"));
    json_t *params = json_object_get(message, "params");
    if (!json_is_object(message) || (!method && !id)) {
        server_refuse(s, json_null(), RPC_INVALID_REQUEST, "not a request or a notification");
    } else if (!method) {
        return; /* a message without a method answers a request that this server has sent */
    } else if (id) {
        handle_request(s, id, method, params);
    } else if (strcmp(method, "exit") == 0) {
        s->done = true;
    } else {
        for (size_t i = 0; i < sizeof notices / sizeof notices[0] && s->initialized; i++)
            if (strcmp(notices[i].method, method) == 0)
                notices[i].take(s, params);
    }
}

/* Handles the messages in the queue. Before each of them the server reads what the editor has
 * sent meanwhile, since that may cancel a request in the queue. */
static void handle_all(server *s)
{
    while (s->next < json_array_size(s->queue) && !s->done && !s->failed &&
           !s->options->should_stop(NULL)) {
        json_t *message = json_incref(json_array_get(s->queue, s->next));
        s->next++;
        handle(s, message);
        json_decref(message);
        if (!s->bad && !s->channel.ended)
            server_hear(s, 0);
    }
    (void)json_array_clear(s->queue);
    s->next = s->queued = 0;
}

static lsp_end serve(server *s, ptl_error *error)
{
    while (!s->done && !s->failed && !s->bad && !s->channel.broken) {
        const int wait = check_wait(s);
        if (s->options->should_stop(NULL))
            return LSP_STOPPED;
        server_hear(s, wait >= 0 && wait < LONGEST_WAIT ? wait : LONGEST_WAIT);
        const bool heard = json_array_size(s->queue) > 0;
        handle_all(s);
        if (!heard && s->channel.ended)
            break;
        if (!heard && check_wait(s) == 0)
            check_run(s);
    }
    if (s->failed || s->channel.failed)
        return LSP_NO_MEMORY;
    if (!s->done && !s->bad && s->channel.ended && channel_is_cut(&s->channel))
        s->bad = "the input ends within a message";
    if (s->bad)
        (void)error_set(error, PTL_ERR_ARGUMENT, "%s", s->bad);
    return s->bad ? LSP_BAD_INPUT : s->done && s->shut ? LSP_ENDED : LSP_LEFT;
}

lsp_end lsp_run(const lsp_options *options, ptl_error *error)
{
    server s = {.options = options,
                .channel = {.in = 0, .out = 1, .should_stop = options->should_stop},
                .queue = json_array()};
    s.checker.found = json_object();
    s.checker.sent = json_object();
    s.checker.waiting = json_array();
    s.reader = s.channel.reader = json_reader_new((stop_hook){NULL, NULL});
    s.failed = !s.reader || !s.queue || !s.checker.found || !s.checker.sent ||
               !s.checker.waiting || ptl_sources_new(&s.checker.sources, error) != PTL_OK;
    for (size_t i = 0; i < options->import.directory_count && !s.failed; i++)
        s.failed = !check_add_directory(&s, options->import.directories[i]);
    s.failed = s.failed || !check_take_game(&s, &options->import);
    const lsp_end end = serve(&s, error);
    channel_dispose(&s.channel);
    documents_dispose(&s.documents);
    check_dispose(&s.checker);
    json_decref(s.queue);
    json_reader_free(s.reader);
    return end;
}
