#include "clients/server/server.h"

#include "clients/os/mutex.h"
#include "clients/os/socket.h"
#include "clients/server/handler.h"
#include "core/error.h"
#include "os/clock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* Room beyond those that are served: connections that were shut, whose threads are about
     * to end. */
    CONNECTIONS_CLOSING = 64,
    CONNECTION_MEMORY = 64 * 1024, /* for the request line and the headers of a request */
    SILENCE_SECONDS = 30,
    WATCH_MS = 50,
    LINK_SIZE = 400
};

/* Opens the socket. *port is the port that is used, *fd the socket. */
static ptl_status begin_listening(const server_options *o, uint16_t *port, int *fd,
                                  ptl_error *err)
{
    const char *address = o->address ? o->address : "127.0.0.1";
    *port = o->port;
    *fd = socket_listen(address, port);
    if (*fd >= 0)
        return PTL_OK;
    if (errno == EADDRINUSE)
        return error_set(err, PTL_ERR_BUSY, "port %u of %s is taken", (unsigned)*port, address);
    if (errno == EINVAL || errno == EADDRNOTAVAIL)
        return error_set(err, PTL_ERR_ARGUMENT, "'%s' is no numeric address of this machine",
                         address);
    return error_system(err, PTL_ERR_IO, errno, "listening at %s, port %u", address,
                        (unsigned)*port);
}

/*
 * What a connection is doing: ASKING sends its first request, ANSWERING waits for an answer,
 * RESTING has been answered and may ask again. SHUT was shut here and will be closed by the
 * daemon.
 */
typedef enum connection_state { ASKING, ANSWERING, RESTING, SHUT } connection_state;

/* One connection, in a doubly linked list: `before` points to the pointer that points here. */
struct connection {
    int fd;
    connection_state state;
    double until;
    connection *next, **before;
};

struct connections {
    mutex *lock;       /* owned */
    connection *first; /* the newest */
    size_t open;       /* number of connections that are not shut */
};

/* Shuts the socket. The daemon sees this and closes the connection itself. */
static void shut(connections *all, connection *c)
{
    socket_shut(c->fd);
    c->state = SHUT;
    all->open--;
}

/* Shuts connections whose time is over. To be called a few times a second. */
static void connections_watch(connections *all)
{
    const double now = clock_seconds();
    mutex_lock(all->lock);
    for (connection *c = all->first; c; c = c->next)
        if (now > c->until && c->state != SHUT)
            shut(all, c);
    mutex_unlock(all->lock);
}

/* Serves until it is told to stop or its time is over. It owns the socket from here on. */
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
        0, NULL, NULL, handler_answer, s, /* options: */
        MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)(CONNECTIONS_MAX + CONNECTIONS_CLOSING), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENCE_SECONDS,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, handler_begin, s,
        MHD_OPTION_NOTIFY_COMPLETED, handler_end, s, MHD_OPTION_NOTIFY_CONNECTION,
        handler_connection, s, MHD_OPTION_END);
    if (!daemon) /* libmicrohttpd has closed the socket */
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
        connections_watch(s->connections);
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
 * Serves as should_stop for all that reads the file. It is true at the end of the time, too.
 */
static bool is_to_stop(void *payload)
{
    const site *s = payload;
    return atomic_load(&s->is_over) || s->options->should_stop(s->options->payload);
}

/* ---- files of a watch: each has readers of its own ---- */

static ptl_status open_file(void *payload, void **out, const char *path,
                            bool (*should_stop)(void *of_file), void *of_file, ptl_error *err)
{
    const site *s = payload;
    readers *made = NULL;
    const readers_options o = {.path = path,
                               .write = s->options->write,
                               .shared = true, /* the watch writes, too: it makes local maps */
                               .should_stop = should_stop,
                               .payload = of_file};
    const ptl_status status = readers_new(&made, &o, err);
    *out = made;
    return status;
}

static void close_file(void *opened)
{
    readers_free(opened);
}

static void look_at_file(void *opened)
{
    readers_watch(opened);
}

/* Returns a new list, or NULL when memory is out. */
static connections *connections_new(void)
{
    connections *all = calloc(1, sizeof *all);
    if (all)
        all->lock = mutex_new();
    if (all && !all->lock) {
        free(all);
        return NULL;
    }
    return all;
}

ptl_status server_run(const server_options *options, ptl_error *err)
{
    site s = {.options = options, .may_query = !options->address};
    const readers_options stores = {.path = options->path,
                                    .write = options->write,
                                    .shared = options->shared,
                                    .accept_content = options->accept_content,
                                    .should_stop = is_to_stop,
                                    .payload = &s};
    uint16_t port = 0;
    int fd = -1;
    error_clear(err);
    const watched_reading reading = {.open = open_file,
                                     .close = close_file,
                                     .look = look_at_file,
                                     .should_stop = is_to_stop,
                                     .payload = &s};
    ptl_status status = options->watch ? watched_new(&s.watched, options->watch, &reading, err)
                                       : readers_new(&s.readers, &stores, err);
    s.connections = connections_new();
    if (status == PTL_OK && !s.connections)
        status = error_nomem(err);
    THEN(status, begin_listening(options, &port, &fd, err));
    THEN(status, serve(options, &s, fd, port, err));
    atomic_store(&s.is_over, true);
    watched_free(s.watched);
    readers_free(s.readers);
    connections *all = s.connections;
    if (all) {
        for (connection *c = all->first; c;) {
            connection *next = c->next;
            free(c);
            c = next;
        }
        mutex_free(all->lock);
        free(all);
    }
    return status;
}

/*
 * The server's open connections, and how long each may take. A client that sends or reads too
 * slowly is shut out, so that nobody can keep others from being served. All functions may be
 * called from any thread.
 */

/* How long a connection may stay in each state. ANSWERING_SECONDS is longer than a query may
 * take, so that the client can still fetch the answer to a long query. */
static const double ASKING_SECONDS = 10, ANSWERING_SECONDS = 120, RESTING_SECONDS = 60;

/* Returns the connection whose time is over next among those in a state, or NULL if none is in
 * that state. */
static connection *next_over(const connections *all, connection_state state)
{
    connection *found = NULL;
    for (connection *c = all->first; c; c = c->next)
        if (c->state == state && (!found || c->until < found->until))
            found = c;
    return found;
}

connection *connection_begin(connections *all, int fd)
{
    connection *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->fd = fd;
    c->until = clock_seconds() + ASKING_SECONDS;
    mutex_lock(all->lock);
    if (all->open >= CONNECTIONS_MAX) {
        /* All places are taken: shuts an idle connection. Those without any request go first,
         * then those that were answered already; of each the one whose time is over next. */
        connection *gone = next_over(all, ASKING);
        if (!gone)
            gone = next_over(all, RESTING);
        if (gone)
            shut(all, gone);
    }
    all->open++;
    c->next = all->first;
    c->before = &all->first;
    if (c->next)
        c->next->before = &c->next;
    all->first = c;
    mutex_unlock(all->lock);
    return c;
}

void connection_now(connections *all, connection *c, bool answers)
{
    mutex_lock(all->lock);
    if (c->state != SHUT)
        c->state = answers ? ANSWERING : RESTING;
    c->until = clock_seconds() + (answers ? ANSWERING_SECONDS : RESTING_SECONDS);
    mutex_unlock(all->lock);
}

void connection_end(connections *all, connection *c)
{
    if (!c)
        return;
    mutex_lock(all->lock);
    all->open -= c->state != SHUT;
    *c->before = c->next;
    if (c->next)
        c->next->before = c->before;
    mutex_unlock(all->lock);
    free(c);
}

int connection_socket(const connection *c)
{
    return c->fd;
}
