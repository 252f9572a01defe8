/*
 * `portolan serve`: shows a world file as a page in a browser. schema/serve.md says which
 * requests there are and which are refused. Like the command, the server uses only the
 * library's public headers.
 */
#pragma once

#include "clients/watch/watch.h"
#include "portolan/tileset.h"

#include <stdbool.h>

/* What to serve, to whom, and for how long. */
typedef struct server_options {
    const char *path; /* path of the world file; NULL if watch is given */
    /* Pages may generate overmaps and local maps; false: the file is never written. */
    bool write;
    /* Other processes may write the file at the same time; they must also open it as shared. */
    bool shared;
    /* True: a world may be opened even if it was made with another content than the file's
     * current one. New chunks are then made with the current content. */
    bool accept_content;
    /* The world that a browser shows until the user chooses another; NULL: any. */
    const char *shown;
    /* The folder of the game's save that the shown world was read from; NULL: no save. */
    const char *save;
    /* Borrowed; the tile set with which the page can draw the map; NULL: none. */
    const ptl_tileset *tileset;
    const char *address; /* numeric address to listen at; NULL: 127.0.0.1 */
    /* The name by which browsers know this machine; used only if `address` is set. */
    const char *host;
    uint16_t port;  /* 0: any free one */
    double seconds; /* how long to serve; negative: until should_stop returns true */
    /* Called very often, from many threads. If it returns true, the server ends. */
    bool (*should_stop)(void *payload);
    /* Called once, when the server listens. link is borrowed until the call returns. May be
     * NULL. */
    void (*on_ready)(void *payload, const char *link);
    void *payload; /* is passed to both callbacks: should_stop and on_ready */
    /*
     * For --watch: the content that is shown while its author edits it; NULL without --watch.
     * If given, the server shows the worlds that are generated from that content, and replaces
     * the callbacks on_add, on_drop and should_stop in these options by its own.
     */
    const watch_options *watch;
} server_options;

/*
 * Serves until should_stop returns true (PTL_ERR_CANCELLED) or the time is over (PTL_OK).
 * PTL_ERR_ARGUMENT: address is no numeric address of this machine. PTL_ERR_BUSY: the port is
 * taken. PTL_ERR_UNSUPPORTED: the program was built with PORTOLAN_SERVE=OFF.
 */
ptl_status server_run(const server_options *options, ptl_error *err);
