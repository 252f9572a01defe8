/*
 * The server: its open connections, and how a request is answered. Callbacks of libmicrohttpd
 * check whether a request is let in, read what it asks for (target.h), call the function for
 * its path (answer.h) and send the reply. Each connection has limited time: the server shuts
 * out a client that sends or reads too slowly, so that it cannot keep others from being served.
 */
#include "clients/server/server.h"

#include "clients/os/socket.h"
#include "clients/server/answer.h"
#include "clients/server/page.h"
#include "core/error.h"
#include "os/clock.h"
#include "os/memory.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    CONNECTIONS_MAX = 64, /* connections that are served at the same time */
    /* Room for connections beyond these: they were shut, but their threads have not ended yet.
     */
    CONNECTIONS_CLOSING = 64,
    PLACES = CONNECTIONS_MAX + CONNECTIONS_CLOSING,
    /* Most bytes of the request line and the headers of a request. */
    CONNECTION_MEMORY = 64 * 1024,
    SILENCE_SECONDS = 30,
    WATCH_MS = 50,
    LINK_SIZE = 400
};

/*
 * What a connection is doing. ASKING: the client is sending its first request. ANSWERING: a
 * request is being answered. RESTING: all requests were answered, and the client may send
 * another. SHUT: the server has shut the socket, and libmicrohttpd will close it. FREE: this
 * place has no connection.
 */
typedef enum connection_state { FREE, ASKING, ANSWERING, RESTING, SHUT } connection_state;

typedef struct connection {
    int fd;
    connection_state state;
    /* Clock time at which the connection is shut, unless its state changes before. */
    double until;
} connection;

/* What all requests share. */
typedef struct site {
    const server_options *options; /* borrowed */
    atomic_bool is_over;           /* the server is ending */
    guard guard;
    /* Owned; NULL with --watch, where each file has readers of its own. */
    readers *readers;
    watched *watched; /* owned; state of --watch; NULL without --watch */
    mutex *lock;      /* owned; guards the next two members */
    connection connections[PLACES];
    size_t open;    /* number of connections that are not shut */
    bool may_query; /* SQL is allowed */
} site;

/* Opens the socket at which the server listens. *port becomes the port that is used, *fd the
 * socket. */
static ptl_status begin_listening(const server_options *o, uint16_t *port, int *fd,
                                  ptl_error *err)
{
    const char *address = o->address ? o->address : "127.0.0.1";
    *port = o->port;
    *fd = socket_listen(address, port);
    if (*fd >= 0)
        return PTL_OK;
    if (errno == EINVAL || errno == EADDRNOTAVAIL)
        return error_set(err, PTL_ERR_ARGUMENT, "'%s' is no numeric address of this machine",
                         address);
    return error_system(err, PTL_ERR_IO, errno, "listening at %s, port %u", address,
                        (unsigned)*port);
}

/* Shuts the connection's socket. libmicrohttpd notices and closes the connection itself. */
static void shut(site *s, connection *c)
{
    socket_shut(c->fd);
    c->state = SHUT;
    s->open--;
}

/* Shuts the connections whose time is over. The server calls this every WATCH_MS milliseconds.
 */
static void connections_watch(site *s)
{
    const double now = clock_seconds();
    mutex_lock(s->lock);
    for (connection *c = s->connections; c < s->connections + PLACES; c++)
        if (now > c->until && c->state != SHUT && c->state != FREE)
            shut(s, c);
    mutex_unlock(s->lock);
}

/* A request while it is being answered. */
typedef struct exchange {
    char *uri;     /* owned; the target of the request line, as it came */
    bool is_begun; /* handler_answer was called once already */
    target target;
} exchange;

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

/* Returns the value of the header Origin: NULL if it is missing, "" if it is given twice. */
static const char *origin_of(struct MHD_Connection *c)
{
    header_search s = {"Origin", NULL, 0};
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, on_header, &s);
    return s.count > 1 ? "" : s.value;
}

/* Returns whether the request has a body. The header Content-Length: 0 means that there is
 * none. */
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

static const char *type_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".js") == 0)
        return "text/javascript; charset=utf-8";
    if (dot && strcmp(dot, ".css") == 0)
        return "text/css; charset=utf-8";
    return dot && strcmp(dot, ".svg") == 0 ? "image/svg+xml" : "text/html; charset=utf-8";
}

/* Writes the header by which a browser fetches all modules of the page at once, instead of each
 * when it has read which others it imports. */
static void put_preloads(bytes *out)
{
    /* This one asks for data as soon as it is there, so it comes first with what it imports. */
    bytes_put_text(out, "</early.js>; rel=modulepreload, </looks.js>; rel=modulepreload, "
                        "</state.js>; rel=modulepreload");
    for (const page_file *f = page_files; f->name; f++) {
        const char *dot = strrchr(f->name, '.');
        if (dot && strcmp(dot, ".js") == 0 && strcmp(f->name, "single.js") != 0)
            bytes_printf(out, ", </%s>; rel=modulepreload", f->name);
    }
}

static const page_file *find_file(const char *path)
{
    const char *name = strcmp(path, "/") == 0 ? "index.html" : path[0] ? path + 1 : "";
    for (const page_file *f = page_files; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

/* Answers a request that needs the world file. With --watch each world is in a file of its own,
 * so the reader is one of that file; otherwise there is only one file. */
static ptl_status read_data(asked *q, reply *out, const site *s, const answer_path *path,
                            int fd, ptl_error *err)
{
    readers *from =
        s->watched ? watched_take(s->watched, target_text(q->values, "world")) : s->readers;
    if (!from)
        return error_set(err, PTL_ERR_NOT_FOUND, "no content was imported yet");
    ptl_status status = reader_take(&q->from, from, path->use, fd, err);
    if (status == PTL_OK) {
        status = asked_read(q, path, err);
        THEN(status, path->answer(q, out, err));
        reader_give(q->from, status);
    }
    if (s->watched)
        watched_give(s->watched, from);
    return status;
}

/*
 * Lets guard_answer_to decide whether the request is let in. If it is, replies with what the
 * path in the request stands for: a file of the web page, or data.
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
                                   .writes = path && path->use == READ_TO_WRITE,
                                   .origin = origin_of(c)};
    const guard_answer answer = guard_answer_to(&s->guard, &request);
    if (answer.code != 200) {
        reply_fail(out, answer.code, "%s", answer.reason);
        out->allow = answer.allow;
    } else if (!is_read) {
        reply_fail(out, reason ? 400 : 500, "%s", reason ? reason : "out of memory");
    } else if (file) {
        bytes_put_text(&out->body, file->text);
        out->type = type_of(file->name);
        out->is_page = strcmp(file->name, "index.html") == 0;
        reply_tag(out);
    } else if (path) {
        /* Answers a path under /data/, or makes a reply of the error. */
        ptl_error err = {.status = PTL_OK};
        asked q = {.values = &x->target,
                   .may_query = s->may_query,
                   .may_write = s->options->write,
                   .shown = s->options->shown,
                   .save = s->options->save,
                   .tileset = s->options->tileset,
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

static enum MHD_Result send_reply(struct MHD_Connection *c, reply *out)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(
        out->body.size, out->body.size > 0 ? out->body.data : NULL, MHD_RESPMEM_MUST_FREE);
    if (!r)
        return MHD_NO;
    bytes_init(&out->body); /* the response owns the body now */
    bytes modules = {.size = 0};
    if (out->is_page)
        put_preloads(&modules);
    /* Adds the headers. They say that the page may load nothing from other servers, that no
     * other page may embed it, and that its address is not passed on to other servers. */
    const struct {
        const char *name, *value;
    } headers[] = {
        {"Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; "
                                    "frame-ancestors 'none'"},
        {"X-Content-Type-Options", "nosniff"},
        {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Vary", "Accept-Encoding"},
        {"Cache-Control", out->etag[0] ? "private, no-cache" : "no-store"},
        {"Content-Type", out->type},
        {"ETag", out->etag[0] ? out->etag : NULL},
        {"Content-Encoding", out->packed ? "gzip" : NULL},
        {"Allow", out->allow},
        {"Link", out->is_page ? bytes_text(&modules) : NULL},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (headers[i].value)
            (void)MHD_add_response_header(r, headers[i].name, headers[i].value);
    bytes_dispose(&modules);
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

/* How long a connection may stay in each state. ANSWERING_SECONDS is longer than a query may
 * take, so that the client can still fetch the answer to a long query. */
static const double ASKING_SECONDS = 10, ANSWERING_SECONDS = 120, RESTING_SECONDS = 60;

/* Sets the state of a connection and the end of its time. answers is true when a request was
 * read and its answer is being made and sent; false when the answer was sent, and the client
 * may send another request. */
static void connection_now(site *s, connection *c, bool answers)
{
    mutex_lock(s->lock);
    if (c->state != SHUT)
        c->state = answers ? ANSWERING : RESTING;
    c->until = clock_seconds() + (answers ? ANSWERING_SECONDS : RESTING_SECONDS);
    mutex_unlock(s->lock);
}

static enum MHD_Result handler_answer(void *payload, struct MHD_Connection *c, const char *url,
                                      const char *method, const char *version, const char *data,
                                      size_t *size, void **request)
{
    site *s = payload;
    connection *from = connection_of(c);
    exchange *x = *request;
    reply out;
    (void)url;
    (void)version;
    (void)data;
    (void)size;
    if (!x || !from)
        return MHD_NO;
    /* The library libmicrohttpd calls this function several times for a request. A reply in the
     * first call would end the connection. */
    if (!x->is_begun && !has_body(c)) {
        x->is_begun = true;
        return MHD_YES;
    }
    connection_now(s, from, true);
    reply_init(&out);
    decide(&out, s, x, c, method, from->fd);
    /* An answer that the browser already has, by its ETag, is not sent again (304). Any other
     * answer is packed if the browser accepts that. */
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

/* Callbacks of libmicrohttpd, whose payload is a struct site, the state of the server: a
 * request begins, a request ends, a connection begins or ends. */
static void *handler_begin(void *payload, const char *uri, struct MHD_Connection *c)
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

static void handler_end(void *payload, struct MHD_Connection *c, void **request,
                        enum MHD_RequestTerminationCode code)
{
    exchange *x = *request;
    connection *from = connection_of(c);
    (void)code;
    if (from)
        connection_now(payload, from, false);
    if (x) {
        target_dispose(&x->target);
        free(x->uri);
        free(x);
    }
    *request = NULL;
}

/* Returns, among the connections in this state, the one whose time ends first; NULL if there is
 * none. */
static connection *next_over(site *s, connection_state state)
{
    connection *found = NULL;
    for (connection *c = s->connections; c < s->connections + PLACES; c++)
        if (c->state == state && (!found || c->until < found->until))
            found = c;
    return found;
}

/*
 * Adds the connection of a new client, with socket fd; the client has a few seconds to send its
 * first request. If there are CONNECTIONS_MAX connections already, an idle one is shut. Returns
 * NULL if too many shut connections have not ended yet.
 */
static connection *connection_begin(site *s, int fd)
{
    mutex_lock(s->lock);
    if (s->open >= CONNECTIONS_MAX) {
        /* Shuts an idle connection: if possible one that has sent no request yet, otherwise one
         * whose requests were all answered. If there are several, it shuts the one whose time
         * ends first. */
        connection *gone = next_over(s, ASKING);
        if (!gone)
            gone = next_over(s, RESTING);
        if (gone)
            shut(s, gone);
    }
    connection *c = next_over(s, FREE);
    if (c) {
        *c = (connection){fd, ASKING, clock_seconds() + ASKING_SECONDS};
        s->open++;
    }
    mutex_unlock(s->lock);
    return c;
}

static void handler_connection(void *payload, struct MHD_Connection *c, void **of_connection,
                               enum MHD_ConnectionNotificationCode code)
{
    site *s = payload;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    connection *gone = *of_connection;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *of_connection = info ? connection_begin(s, info->connect_fd) : NULL;
    } else if (gone) { /* libmicrohttpd is closing the connection */
        mutex_lock(s->lock);
        s->open -= gone->state != SHUT;
        *gone = (connection){.state = FREE};
        mutex_unlock(s->lock);
        *of_connection = NULL;
    }
}

/* Serves until should_stop returns true or the server's time is over. Takes over the socket fd.
 */
static ptl_status serve(const server_options *o, site *s, int fd, uint16_t port, ptl_error *err)
{
    if (!guard_init(&s->guard, o->host, port)) {
        const int code = errno;
        (void)socket_close(fd);
        return error_system(err, PTL_ERR_IO, code, "drawing a token");
    }
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
            MHD_USE_ITC,
        0, NULL, NULL, handler_answer, s, /* the options of libmicrohttpd follow: */
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT, (unsigned)PLACES,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_SECONDS, MHD_OPTION_STRICT_FOR_CLIENT,
        1, MHD_OPTION_URI_LOG_CALLBACK, handler_begin, s, MHD_OPTION_NOTIFY_COMPLETED,
        handler_end, s, MHD_OPTION_NOTIFY_CONNECTION, handler_connection, s, MHD_OPTION_END);
    if (!daemon) /* in this case libmicrohttpd has already closed the socket */
        return error_set(err, PTL_ERR_IO, "libmicrohttpd does not start");
    char link[LINK_SIZE];
    (void)snprintf(link, sizeof link, "http://%s:%u/#token=%s", o->host ? o->host : "127.0.0.1",
                   (unsigned)port, s->guard.token);
    if (o->on_ready)
        o->on_ready(o->payload, link);
    const double end = clock_seconds() + o->seconds;
    bool over = false;
    while (!o->should_stop(o->payload) && !over) {
        clock_sleep(WATCH_MS);
        connections_watch(s);
        if (s->watched)
            watched_look(s->watched);
        else
            readers_watch(s->readers);
        over = o->seconds >= 0 && clock_seconds() >= end;
    }
    atomic_store(&s->is_over, true);
    MHD_stop_daemon(daemon);
    return over ? PTL_OK : error_set(err, PTL_ERR_CANCELLED, "stopped");
}

/*
 * Serves as should_stop of all work with the file. It also returns true when the server ends
 * because its time is over.
 */
static bool is_to_stop(void *payload)
{
    const site *s = payload;
    return atomic_load(&s->is_over) || s->options->should_stop(s->options->payload);
}

ptl_status server_run(const server_options *options, ptl_error *err)
{
    site s = {.options = options, .lock = mutex_new(), .may_query = !options->address};
    const readers_options stores = {
        .path = options->path,
        .write = options->write,
        /* With --watch the server writes, too: it makes local maps. */
        .shared = options->shared || options->watch,
        .accept_content = options->accept_content,
        .should_stop = is_to_stop,
        .payload = &s};
    uint16_t port = 0;
    int fd = -1;
    error_clear(err);
    memory_give_back(); /* each connection has a thread of its own */
    ptl_status status = s.lock ? PTL_OK : error_nomem(err);
    THEN(status, options->watch ? watched_new(&s.watched, options->watch, &stores, err)
                                : readers_new(&s.readers, &stores, err));
    THEN(status, begin_listening(options, &port, &fd, err));
    THEN(status, serve(options, &s, fd, port, err));
    atomic_store(&s.is_over, true);
    watched_free(s.watched);
    readers_free(s.readers);
    mutex_free(s.lock);
    return status;
}
