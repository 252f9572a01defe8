/*
 * Ending what SQLite is doing. A connection has one progress handler: here it is owned, asks
 * whether the work is to stop (store->stop), and asks whoever follows a statement beside that.
 */
#ifndef STORE_SQLITE_FILE_INTERRUPT_H
#define STORE_SQLITE_FILE_INTERRUPT_H

#include "core/stop.h"
#include "os/ticker.h"
#include "store/sqlite/connection/stmt.h"

/* What a store's connection is ended by. */
typedef struct store_interrupt {
    stop_hook stop;
    int deaf; /* above 0: stops are not heard (sqlite_deafen) */
    /* Whoever follows; true ends the statement. NULL: nobody. */
    bool (*ends)(void *payload);
    void *payload;
} store_interrupt;

/* For a connection that was just opened. */
void interrupt_install(ptl_store *store);
/* From here on `ends` is asked, too, every few thousand steps of SQLite's machine: some tens of
 * microseconds. NULL: no more. */
void interrupt_follow(ptl_store *store, bool (*ends)(void *payload), void *payload);

/*
 * Work in which SQLite asks no progress handler: its check of a file's structure, counting a
 * table. While it runs, a thread asks for it. Without a hook, or without memory for a thread,
 * nothing happens: the stop is heard when the work is done.
 */
/* Returns a new ticker; may be NULL. The connection must live until ticker_end. */
ticker *interrupt_watch(ptl_store *store);

#endif
