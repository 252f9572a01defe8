/* Waiting for other processes: the busy handler of a store's connection, the name of the
 * process that is waited for, and transactions that are tried until they succeed. */
#pragma once

#include "core/stop.h"
#include "os/pool.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

enum { BUSY_NAME_SIZE = 96 };

/* How a store's connection waits. */
typedef struct store_busy {
    int limit_ms; /* longest wait of one statement */
    bool (*on_wait)(void *payload, const ptl_wait *wait);
    void *payload;
    /* A second callback, asked while sqlite_retry runs. `seconds` includes its earlier
     * attempts. */
    bool (*go_on)(void *payload, double seconds);
    void *go_on_payload;
    double before;
    /* State of the current wait, or of the last one. */
    double started, named, waited;
    bool stopped; /* a callback ended the wait */
    char whom[BUSY_NAME_SIZE];
} store_busy;

/* Installs the busy handler; the store's connection then waits as store->busy says. */
void busy_install(ptl_store *store);

/* Asks a caller's callback whether to wait on; true if it is NULL. It is not asked in the
 * first 0.1 s. */
bool busy_ask(bool (*on_wait)(void *payload, const ptl_wait *wait), void *payload,
              double seconds, const char *whom);

/* Writes the name of a process, or "?" if it is not known. */
void busy_process_name(char *out, size_t size, long pid);

/* Implements transaction_operations.retry (store/store.h). */
ptl_status sqlite_retry(ptl_store *store, const patient_work *work, ptl_error *err);

/*
 * Ending what SQLite is doing. A connection has only one progress handler, so this part owns
 * it. The handler asks whether the work is to stop (store->stop), and also whoever follows the
 * running statement.
 */

/* The two ways in which a store's connection can be interrupted. */
typedef struct store_interrupt {
    stop_hook stop;
    int deaf; /* above 0: stops are not heard (sqlite_deafen) */
    /* The follower: is asked while a statement runs, and ends it by returning true. NULL:
     * there is none. */
    bool (*ends)(void *payload);
    void *payload;
} store_interrupt;

/* Installs the progress handler on a connection that was just opened. */
void interrupt_install(ptl_store *store);
/* Sets the follower. It is asked every few thousand steps of SQLite's virtual machine, which
 * take some tens of microseconds. NULL removes it. */
void interrupt_follow(ptl_store *store, bool (*ends)(void *payload), void *payload);
/* Must the running statement end? Functions ask this that can take long within one step. */
bool interrupt_asked(const ptl_store *store);

/*
 * For work during which SQLite asks no progress handler: its check of a file's structure, and
 * counting a table. While it runs, a thread asks the stop hook. Without a hook, or without
 * memory for the thread, nothing is started, and the stop is heard when the work is done.
 */
/* Starts the thread and returns a new ticker, NULL if none was started. The connection must
 * live until ticker_end. */
ticker *interrupt_watch(ptl_store *store);
