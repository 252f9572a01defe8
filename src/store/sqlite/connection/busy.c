/*
 * Waiting for other processes. While a lock is taken SQLite asks its busy handler again and
 * again. The handler sleeps a little longer each time, and tells the caller who holds the
 * lock. It can find out because SQLite's locks are POSIX locks on the world file (os/lock.h).
 */
#include "store/sqlite/connection/busy.h"

#include "core/error.h"
#include "core/visible.h"
#include "os/clock.h"
#include "os/lock.h"
#include "os/process.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdio.h>

enum {
    FIRST_PATIENCE_MS = 1000,
    LAST_PATIENCE_MS = 5000, /* half of the time that readers wait at least */
    READERS_TURN_MS = 150    /* longer than SQLite sleeps between two attempts */
};
/* The bytes of the file that SQLite locks. */
static const uint64_t LOCK_FIRST = 0x40000000, LOCK_LAST = 0x40000000 + 511;
static const double QUIET_SECONDS = 0.1;

bool busy_ask(bool (*on_wait)(void *payload, const ptl_wait *wait), void *payload,
              double seconds, const char *whom)
{
    const ptl_wait wait = {sizeof wait, seconds, whom};
    return !on_wait || seconds < QUIET_SECONDS || on_wait(payload, &wait);
}

/* ---- who holds the lock ---- */

void busy_process_name(char *out, size_t size, long pid)
{
    if (!process_name(out, size, pid))
        snprintf(out, size, "?");
    visible_one_line(out);
}

/* ---- the handler ---- */

static bool wait_on(ptl_store *store)
{
    store_busy *b = &store->busy;
    double waited = b->before + b->waited;
    if (waited < QUIET_SECONDS)
        return true;
    if (b->whom[0] == '\0' || clock_seconds() - b->named >= 1) {
        const char *path = sqlite3_db_filename(store->db, "main");
        long pid = path && *path ? lock_holder(path, LOCK_FIRST, LOCK_LAST) : 0;
        b->named = clock_seconds();
        if (pid > 0 && pid != process_own()) {
            char name[48];
            busy_process_name(name, sizeof name, pid);
            snprintf(b->whom, sizeof b->whom, "process %ld (%s)", pid, name);
        } else if (b->whom[0] == '\0') {
            snprintf(b->whom, sizeof b->whom, "another process");
        }
    }
    bool stop = b->go_on && !b->go_on(b->go_on_payload, waited);
    return !stop && busy_ask(b->on_wait, b->payload, waited, b->whom);
}

/*
 * SQLite's busy handler: sleeps and returns 1 to try again, or 0 to give up. It gives up after
 * the limit, when a stop was asked for, or when a callback says so. `count` is 0 when a new
 * wait begins.
 */
static int on_busy(void *payload, int count)
{
    static const int pauses[] = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
    enum { PAUSES = sizeof pauses / sizeof pauses[0] };
    ptl_store *store = payload;
    store_busy *b = &store->busy;
    if (count == 0) {
        b->started = clock_seconds();
        b->whom[0] = '\0';
        b->stopped = false;
    }
    b->waited = clock_seconds() - b->started;
    double left_ms = b->limit_ms - 1000 * b->waited;
    b->stopped = b->stopped || stop_asked(&store->interrupt.stop) || !wait_on(store);
    if (left_ms <= 0 || b->stopped)
        return 0;
    int pause = pauses[count < PAUSES ? count : PAUSES - 1];
    clock_sleep(pause < left_ms ? pause : (int)left_ms + 1);
    return 1;
}

void busy_install(ptl_store *store)
{
    sqlite3_busy_handler(store->db, on_busy, store);
}

/* ---- patience ---- */

/* The run's errors are collected in a record of its own, because err may hold an earlier error
 * that must stay. */
ptl_status sqlite_retry(ptl_store *store, const patient_work *work, ptl_error *err)
{
    ptl_error failure;
    store_busy *b = &store->busy;
    const int timeout_ms = b->limit_ms;
    const double start = clock_seconds();
    int patience_ms = FIRST_PATIENCE_MS;
    ptl_status status;
    b->go_on = work->go_on;
    b->go_on_payload = work->payload;
    b->before = 0;
    for (;;) {
        b->limit_ms = patience_ms < timeout_ms ? patience_ms : timeout_ms;
        error_clear(&failure);
        status = work->run(work->payload, &failure);
        b->before = clock_seconds() - start;
        b->waited = 0;
        /* SQLite returns BUSY without asking the handler where waiting could be in vain, so
         * the callbacks are asked here as well. */
        const bool waits = b->on_wait || b->go_on || 1000 * b->before < timeout_ms;
        if (status != PTL_ERR_BUSY || !waits || !wait_on(store))
            break;
        patience_ms = 2 * patience_ms < LAST_PATIENCE_MS ? 2 * patience_ms : LAST_PATIENCE_MS;
        clock_sleep(READERS_TURN_MS);
    }
    b->limit_ms = timeout_ms;
    b->go_on = NULL;
    b->before = 0;
    if (status != PTL_OK && err && err->status == PTL_OK)
        *err = failure;
    return status;
}

enum { OPS_BETWEEN_QUESTIONS = 2000, WATCH_MILLISECONDS = 50 };

bool interrupt_asked(const ptl_store *store)
{
    const store_interrupt *i = &store->interrupt;
    return (i->deaf == 0 && stop_asked(&i->stop)) || (i->ends && i->ends(i->payload));
}

static int ends(void *payload)
{
    return interrupt_asked(payload);
}

/* Sets the progress handler. Without anybody to ask, SQLite need not count its steps. */
void interrupt_install(ptl_store *store)
{
    const bool wanted = store->interrupt.stop.asked || store->interrupt.ends;
    sqlite3_progress_handler(store->db, wanted ? OPS_BETWEEN_QUESTIONS : 0,
                             wanted ? ends : NULL, store);
}

void interrupt_follow(ptl_store *store, bool (*function)(void *payload), void *payload)
{
    store->interrupt.ends = function;
    store->interrupt.payload = payload;
    interrupt_install(store);
}

stop_hook sqlite_stop_hook(const ptl_store *store)
{
    return store->interrupt.stop;
}

bool sqlite_stopped(const ptl_store *store)
{
    return store->interrupt.deaf == 0 && stop_asked(&store->interrupt.stop);
}

void sqlite_deafen(ptl_store *store, bool on)
{
    store->interrupt.deaf += on ? 1 : -1;
}

/* ---- the thread ---- */

static void ask(void *payload)
{
    const ptl_store *store = payload;
    if (stop_asked(&store->interrupt.stop))
        sqlite3_interrupt(store->db);
}

ticker *interrupt_watch(ptl_store *store)
{
    const bool asked = store->interrupt.stop.asked && store->interrupt.deaf == 0;
    return asked ? ticker_begin(WATCH_MILLISECONDS, ask, store) : NULL;
}
