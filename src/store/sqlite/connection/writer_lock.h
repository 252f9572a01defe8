/*
 * Decides who may write a world file, by a lock (flock) on the file PATH-lock beside it. The
 * lock is exclusive for a store that writes alone, and shared for stores that write together.
 * Only the lock counts; the text in the file merely names the holder. The lock ends with its
 * process, so a lock file that a crash left behind stops nobody.
 */
#pragma once

#include "core/stop.h"
#include "os/pool.h"
#include "portolan/store.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

typedef struct writer_lock {
    char *path; /* owned; NULL: no lock is held */
    int fd;
    long pid; /* of the process that took the lock; its children must not release it */
    long record_at, record_size; /* this writer's lines in the file; size 0: there are none */
} writer_lock;

/*
 * Takes the lock of the world file `file` (an absolute path without links, as SQLite knows
 * it). The options writers, wait_ms, program and on_wait are used. PTL_ERR_BUSY names the
 * holder.
 */
ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err);

/*
 * Does a process hold the lock of that file? It is found out by the record, without touching
 * the lock, so that no writer is ever refused because of this question. Therefore a file that
 * a crash left behind still counts while its pid is in use by another process, or if it comes
 * from another machine. whom, of `room` bytes, gets the holder's name; it may be NULL.
 */
bool writer_lock_seen(const char *file, char *whom, size_t room);

/*
 * Looks at a file with the lock's name. *lies tells whether there is a lock file, held or left
 * behind. PTL_ERR_EXISTS if something else has the name; the message names it. Nothing is
 * taken or changed.
 */
ptl_status writer_lock_look(bool *lies, const char *file, ptl_error *err);

/* Releases the lock, and removes the lock file unless others share it. */
void writer_lock_release(writer_lock *lock);

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
