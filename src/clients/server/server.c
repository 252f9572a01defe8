
#include "clients/os/socket.h"
#include "clients/server/handler.h"
#include "core/error.h"
#include "os/clock.h"

#include <errno.h>
#include <stdio.h>

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
    connections_free(s.connections);
    return status;
}
