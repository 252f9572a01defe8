#include "clients/server/handler.h"

#include "clients/server/answer.h"
#include "clients/server/page.h"
#include "core/error.h"

#include <stdlib.h>

/* A request while it is being answered. */
typedef struct exchange {
    char *uri;     /* owned; the target of the request line, as it came */
    bool is_begun; /* handler_answer was called once already */
    target target;
} exchange;

/* ---- headers ---- */

typedef struct header_search {
    const char *name, *value;
    unsigned count;
} header_search;

static enum MHD_Result on_header(void *payload, enum MHD_ValueKind kind, const char *name,
                                 const char *value)
{
    header_search *s = payload;
    (void)kind;
    const size_t size = strlen(s->name);
    size_t same = 0;
    while (same < size && (name[same] | 0x20) == (s->name[same] | 0x20))
        same++;
    if (same == size && name[size] == '\0') {
        s->count++;
        s->value = value ? value : "";
    }
    return MHD_YES;
}

/* Returns the value of a header that is given exactly once; else NULL. */
static const char *header_once(struct MHD_Connection *c, const char *name)
{
    header_search s = {name, NULL, 0};
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, &s);
    return s.count == 1 ? s.value : NULL;
}

/* A POST without a body may say Content-Length: 0; that is no body. */
static bool has_body(struct MHD_Connection *c)
{
    header_search length = {"Content-Length", NULL, 0}, coding = {"Transfer-Encoding", NULL, 0};
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, &length);
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, &coding);
    return coding.count > 0 || length.count > 1 ||
           (length.count == 1 && strcmp(length.value, "0") != 0);
}

/* Does the client accept gzip? "gzip;q=0" says that it does not. */
static bool takes_gzip(struct MHD_Connection *c)
{
    const char *list = header_once(c, "Accept-Encoding");
    const char *found = list ? strstr(list, "gzip") : NULL;
    return found && strncmp(found + 4, ";q=0", 4) != 0;
}

/* ---- answers ---- */

static const char *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".js") == 0)
        return "text/javascript; charset=utf-8";
    if (dot && strcmp(dot, ".css") == 0)
        return "text/css; charset=utf-8";
    return dot && strcmp(dot, ".svg") == 0 ? "image/svg+xml" : "text/html; charset=utf-8";
}

static const page_file *find_file(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path[0] ? path + 1 : "";
    for (const page_file *f = page_files; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* Answers a request that reads the file. With a watch each world may be in a file of its own,
 * and readers of that file are used; else there is one file. */
static ptl_status read_data(asked *q, reply *out, const site *s, const answer_path *path,
                            int fd, ptl_error *err)
{
    watched_file *f =
        s->watched ? watched_take(s->watched, target_text(q->values, "world")) : NULL;
    readers *from = f ? watched_opened(f) : s->readers;
    if (!from)
        return error_set(err, PTL_ERR_NOT_FOUND, "no content was imported yet");
    ptl_status status = reader_take(&q->from, from, path->use, fd, err);
    if (status == PTL_OK) {
        status = asked_read(q, path, err);
        THEN(status, path->answer(q, out, err));
        reader_give(q->from, status);
    }
    if (f)
        watched_give(s->watched, f);
    return status;
}

/*
 * Asks the guard whether the request is let in, and if so hands it on to what its path names.
 */
static void decide(reply *out, const site *s, exchange *x, struct MHD_Connection *c,
                   const char *method, int fd)
{
    const char *reason = NULL;
    const bool is_read = target_parse(&x->target, x->uri ? x->uri : "", &reason);
    const answer_path *path = answer_find(x->target.path);
    const page_file *file = find_file(x->target.path);
    const guard_request request = {.method = method,
                                   .host = header_once(c, "Host"),
                                   .token = header_once(c, "Portolan-Token"),
                                   .has_body = has_body(c),
                                   .is_data = strncmp(x->target.path, "/data/", 6) == 0,
                                   .writes = path && path->use == READ_TO_WRITE};
    const guard_answer answer = guard_answer_to(&s->guard, &request);
    if (answer.code != 200) {
        reply_fail(out, answer.code, "%s", answer.reason);
        out->allow = answer.allow;
    } else if (!is_read) {
        reply_fail(out, reason ? 400 : 500, "%s", reason ? reason : "out of memory");
    } else if (file) {
        bytes_put_text(&out->body, file->text);
        out->type = type_of(file->name);
        reply_tag(out);
    } else if (path) {
        /* Answers a path under /data/, or makes a reply of the error. */
        ptl_error err = {.status = PTL_OK};
        asked q = {.values = &x->target,
                   .may_query = s->may_query,
                   .may_write = s->options->write,
                   .shown = s->options->shown,
                   .save = s->options->save,
                   .watched = s->watched};
        const ptl_status status = path->use == READ_NOTHING
                                      ? path->answer(&q, out, &err)
                                      : read_data(&q, out, s, path, fd, &err);
        if (status != PTL_OK)
            reply_error(out, &err);
        else if (out->body.failed)
            reply_fail(out, 500, "out of memory");
        else if (path->is_kept)
            reply_tag(out);
    } else {
        reply_fail(out, 404, "there is nothing of that name");
    }
}

/* ---- the way out ---- */

static enum MHD_Result send_reply(struct MHD_Connection *c, reply *out)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(
        out->body.size, out->body.size > 0 ? out->body.data : NULL, MHD_RESPMEM_MUST_FREE);
    if (!r)
        return MHD_NO;
    bytes_init(&out->body); /* the response owns the body now */
    /* Adds the headers. The page may load nothing from other servers, no other page may embed
     * it, and its address is not passed on to others. */
    const struct {
        const char *name, *value;
    } headers[] = {
        {"Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; "
                                    "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Vary", "Accept-Encoding"},
        {"Cache-Control", out->keeping == REPLY_NOT_KEPT ? "no-store" : "private, no-cache"},
        {"Content-Type", out->type},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        (void)MHD_add_response_header(r, headers[i].name, headers[i].value);
    if (out->etag[0])
        (void)MHD_add_response_header(r, "ETag", out->etag);
    if (out->packed)
        (void)MHD_add_response_header(r, "Content-Encoding", "gzip");
    if (out->allow)
        (void)MHD_add_response_header(r, "Allow", out->allow);
    const enum MHD_Result sent = MHD_queue_response(c, out->code, r);
    MHD_destroy_response(r);
    return sent;
}

static connection *connection_of(struct MHD_Connection *c)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

enum MHD_Result handler_answer(void *payload, struct MHD_Connection *c, const char *url,
                               const char *method, const char *version, const char *data,
                               size_t *size, void **request)
{
    const site *s = payload;
    connection *from = connection_of(c);
    exchange *x = *request;
    reply out;
    (void)url;
    (void)version;
    (void)data;
    (void)size;
    if (!x || !from)
        return MHD_NO;
    /* An answer in the first call would end the connection. */
    if (!x->is_begun && !has_body(c)) {
        x->is_begun = true;
        return MHD_YES;
    }
    connection_now(s->connections, from, true);
    reply_init(&out);
    decide(&out, s, x, c, method, connection_socket(from));
    /* What the browser already has is not sent again (304); what is sent is packed. */
    const char *known = header_once(c, "If-None-Match");
    if (out.code == 200 && out.etag[0] && known && strstr(known, out.etag)) {
        bytes_dispose(&out.body);
        bytes_init(&out.body);
        out.code = 304;
    } else if (takes_gzip(c) && !reply_pack(&out)) {
        reply_fail(&out, 500, "out of memory");
    }
    const enum MHD_Result sent = out.body.failed ? MHD_NO : send_reply(c, &out);
    bytes_dispose(&out.body);
    return sent;
}

/* ---- callbacks for the begin and the end of requests and connections ---- */

void *handler_begin(void *payload, const char *uri, struct MHD_Connection *c)
{
    exchange *x = calloc(1, sizeof *x);
    (void)payload;
    (void)c;
    if (x) {
        x->target.path = "";
        x->uri = strdup(uri);
    }
    return x;
}

void handler_end(void *payload, struct MHD_Connection *c, void **request,
                 enum MHD_RequestTerminationCode code)
{
    const site *s = payload;
    exchange *x = *request;
    connection *from = connection_of(c);
    (void)code;
    if (from)
        connection_now(s->connections, from, false);
    if (x) {
        target_dispose(&x->target);
        free(x->uri);
        free(x);
    }
    *request = NULL;
}

void handler_connection(void *payload, struct MHD_Connection *c, void **of_connection,
                        enum MHD_ConnectionNotificationCode code)
{
    const site *s = payload;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *of_connection = info ? connection_begin(s->connections, info->connect_fd) : NULL;
    } else {
        connection_end(s->connections, *of_connection);
        *of_connection = NULL;
    }
}
