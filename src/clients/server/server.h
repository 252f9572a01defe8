/*
 * `portolan serve`: a world file as a page in a browser. schema/serve.md says what may be asked
 * and what is refused. A client like the command: of the library it knows the public headers.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "clients/watch/watch.h"

typedef struct server_options {
    const char *path;    /* of the world file; NULL with watch */
    bool write;          /* pages may generate; else the file is never written */
    bool shared;         /* together with others that write */
    bool accept_content; /* of worlds of another content */
    const char *shown;   /* the world that a page shows first; NULL: any */
    const char *save;    /* the folder of a game's save that it is of; NULL: of none */
    const char *address; /* numeric, that is listened at; NULL: 127.0.0.1 */
    const char *host;    /* with an address: the name by which browsers know this machine */
    uint16_t port;       /* 0: any free one */
    double seconds;      /* how long; below 0: until should_stop says so */
    /* Asked all the time, from many threads: true ends the server. */
    bool (*should_stop)(void *payload);
    /* Called once, when it listens; link is borrowed until it returns. May be NULL. */
    void (*on_ready)(void *payload, const char *link);
    void *payload; /* of both */
    /* NULL, or content that is worked on: what its worlds are in is served. Its callbacks but
     * on_add and on_drop, and should_stop, are called with its own payload. */
    const watch_options *watch;
} server_options;

/*
 * Serves until should_stop says so, which is PTL_ERR_CANCELLED, or the time is over.
 * PTL_ERR_ARGUMENT: the address is none, or of a name only; PTL_ERR_BUSY: the port is taken.
 * PTL_ERR_UNSUPPORTED: built without (PORTOLAN_SERVE=OFF).
 */
ptl_status server_run(const server_options *options, ptl_error *err);

#endif
