/*
 * Decides who may write a world file, by a lock (flock) on the file PATH-lock beside it. The
 * lock is exclusive for a store that writes alone, and shared for stores that write the same
 * file together. Only the lock counts; the text in the file merely names the holders. The lock
 * ends with its process, so a lock file that is left after a crash stops nobody.
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
    long pid; /* pid of the process that took the lock; its child processes must not release
               * it */
    long record_at, record_size; /* offset and size of this writer's record in the file, in
                                  * bytes; size 0: it has none */
} writer_lock;

/*
 * Takes the lock of the world file `file` (an absolute path without links, which is also
 * SQLite's name of the file). The options writers, wait_ms, program and on_wait are used.
 * PTL_ERR_BUSY if another process has the lock; the message names it.
 */
ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err);

/*
 * Decides whether a process holds the lock of the world file `file`, only by reading the
 * records in its lock file. The lock itself is not tried, so that no writer is ever refused
 * because of this question. Therefore the lock file of a crashed writer still counts as held if
 * another process has its pid, or if it comes from another machine. whom, of `room` bytes, gets
 * the holder's name; it may be NULL.
 */
bool writer_lock_seen(const char *file, char *whom, size_t room);

/*
 * Checks the file at the lock's path. *lies tells whether there is a lock file, held or not.
 * PTL_ERR_EXISTS if something else is there; the message names it. The lock is not taken, and
 * nothing is changed.
 */
ptl_status writer_lock_look(bool *lies, const char *file, ptl_error *err);

/* Releases the lock, and removes the lock file unless other writers share it. */
void writer_lock_release(writer_lock *lock);

enum { BUSY_NAME_SIZE = 96 };

/* How long a store's connection waits for locks of other processes, and how long the present
 * wait has lasted so far. */
typedef struct store_busy {
    int limit_ms; /* how long one statement may wait for locks of other processes, in ms */
    bool (*on_wait)(void *payload, const ptl_wait *wait);
    void *payload;
    /* A further callback, which sqlite_retry asks whether to go on waiting. Its argument
     * `seconds` counts from the first attempt of sqlite_retry. */
    bool (*go_on)(void *payload, double seconds);
    void *go_on_payload;
    double before;
    /* Times in seconds, of the present wait or, if there is none, of the latest wait.
     * `started`: when the wait began; `named`: when the holder of the lock was last looked up;
     * `waited`: how long the wait has lasted. */
    double started, named, waited;
    bool stopped; /* a callback or the stop hook has ended the wait */
    char whom[BUSY_NAME_SIZE];
} store_busy;

/* Installs the busy handler, which waits as store->busy says. */
void busy_install(ptl_store *store);

/* Implements transaction_operations.retry (store/store.h). */
ptl_status sqlite_retry(ptl_store *store, const patient_work *work, ptl_error *err);

/* Interrupting statements. A connection of SQLite has only one progress handler, which
 * interrupt_install sets. The handler asks the store's stop hook, and the function that was set
 * by interrupt_follow, whether the running statement must end. */

/* The two functions that can end a running statement: the stop hook, and the follower (a
 * function that is called while a statement runs). */
typedef struct store_interrupt {
    stop_hook stop;
    int deaf; /* if above 0, the stop hook is not asked (sqlite_deafen) */
    /* The follower: a function that is called while a statement runs; if it returns true, the
     * statement is ended. NULL: there is none. */
    bool (*ends)(void *payload);
    void *payload;
} store_interrupt;

/* Installs the progress handler on a connection that was just opened. */
void interrupt_install(ptl_store *store);
/* Sets the function that is called while a statement runs, and can end it (the follower); NULL
 * removes it. It is called every few thousand steps of SQLite's virtual machine, which take
 * some tens of microseconds. */
void interrupt_follow(ptl_store *store, bool (*ends)(void *payload), void *payload);
/* Returns true if the running statement must end. Functions that can take long within one step
 * call this. */
bool interrupt_asked(const ptl_store *store);

/*
 * During some work SQLite never calls its progress handler: its check of a file's structure,
 * and counting the rows of a table. While such work runs, a thread asks the stop hook. If there
 * is no hook, or no memory for the thread, none is started, and a request to stop is obeyed
 * when the work is done.
 */
/* Starts a thread that asks the stop hook, and returns it as a ticker (os/pool.h); NULL if none
 * was started. The connection must live until ticker_end. */
ticker *interrupt_watch(ptl_store *store);
