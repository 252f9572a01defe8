/*
 * Waiting for other processes: the busy handler of a store's connection, who it is that is
 * waited for, and transactions that are tried until they succeed.
 */
#ifndef STORE_SQLITE_FILE_BUSY_H
#define STORE_SQLITE_FILE_BUSY_H

#include "core/stop.h"
#include "os/ticker.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

enum { BUSY_NAME_SIZE = 96 };

/* What a store's connection waits by. */
typedef struct store_busy {
    int limit_ms; /* of one statement's wait */
    bool (*on_wait)(void *payload, const ptl_wait *wait);
    void *payload;
    /* Is asked, too, while sqlite_retry runs, and is told the seconds of its earlier
     * attempts. */
    bool (*go_on)(void *payload, double seconds);
    void *go_on_payload;
    double before;
    /* Of the wait that is on, or was the last. */
    double started, named, waited;
    bool stopped; /* a callback ended it */
    char whom[BUSY_NAME_SIZE];
} store_busy;

/* Makes the store's connection wait as store->busy says. */
void busy_install(ptl_store *store);

/* Asks a caller's callback, which may be NULL, whether to wait on; not in the first 0.1 s. */
bool busy_ask(bool (*on_wait)(void *payload, const ptl_wait *wait), void *payload,
              double seconds, const char *whom);

/* The name of a process, or "?". */
void busy_process_name(char *out, size_t size, long pid);

/* Does what the contract says (store/store.h). */
ptl_status sqlite_retry(ptl_store *store, const patient_work *work, ptl_error *err);

/*
 * Ending what SQLite is doing. A connection has one progress handler: here it is owned, asks
 * whether the work is to stop (store->stop), and asks whoever follows a statement beside that.
 */

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
