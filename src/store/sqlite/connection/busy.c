/*
 * Waiting for other processes. SQLite asks the handler again and again while a lock is taken;
 * it sleeps a little longer each time, and tells the caller whom it waits for. That is found
 * in /proc/locks where there is one: SQLite's locks are POSIX locks on the world file. (Asking
 * with F_GETLK is no way: closing the file that was opened for it would drop SQLite's own.)
 */
#include "store/sqlite/connection/busy.h"

#include "core/error.h"
#include "core/visible.h"
#include "os/clock.h"
#include "store/sqlite/connection/store_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
    FIRST_PATIENCE_MS = 1000,
    LAST_PATIENCE_MS = 5000, /* half of what readers wait at least */
    READERS_TURN_MS = 150    /* longer than SQLite sleeps between two tries */
};
/* SQLite's lock bytes. */
static const uint64_t LOCK_FIRST = 0x40000000, LOCK_LAST = 0x40000000 + 511;
static const double QUIET_SECONDS = 0.1;

bool busy_ask(bool (*on_wait)(void *payload, const ptl_wait *wait), void *payload,
              double seconds, const char *whom)
{
    const ptl_wait wait = {seconds, whom};
    return !on_wait || seconds < QUIET_SECONDS || on_wait(payload, &wait);
}

/* ---- who holds the lock ---- */

void busy_process_name(char *out, size_t size, long pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", pid);
    snprintf(out, size, "?");
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    char line[64];
    if (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", line);
        visible_one_line(out);
    }
    fclose(file);
}

/*
 * The process that a line of /proc/locks names, if it is a lock of SQLite's on that file; 0.
 *   1: POSIX  ADVISORY  READ 1234 fe:01:1835024 1073741826 1073742335
 */
static long holder_of_line(char *line, const struct stat *file)
{
    enum { KIND = 1, PROCESS = 4, PLACE = 5, FIRST = 6, FIELDS = 8 };
    char *fields[FIELDS] = {NULL}, *rest = line, *end;
    size_t count = 0;
    while (count < FIELDS && (fields[count] = strtok_r(rest, " \n", &rest)) != NULL)
        count++;
    if (count < FIELDS || strcmp(fields[KIND], "POSIX") != 0)
        return 0;
    bool same = strtoul(fields[PLACE], &end, 16) == major(file->st_dev) && *end == ':';
    same = same && strtoul(end + 1, &end, 16) == minor(file->st_dev) && *end == ':';
    same = same && strtoull(end + 1, NULL, 10) == (unsigned long long)file->st_ino;
    const unsigned long long first = strtoull(fields[FIRST], NULL, 10);
    return same && first >= LOCK_FIRST && first <= LOCK_LAST ? strtol(fields[PROCESS], NULL, 10)
                                                             : 0;
}

static long find_holder(const char *path)
{
    struct stat info;
    FILE *file = stat(path, &info) == 0 ? fopen("/proc/locks", "re") : NULL;
    if (!file)
        return 0;
    char line[256];
    long pid = 0, own = 0;
    while (pid == 0 && fgets(line, sizeof line, file)) {
        pid = holder_of_line(line, &info);
        if (pid == (long)getpid()) {
            own = pid; /* the waiting connection has locks, too: others come first */
            pid = 0;
        }
    }
    fclose(file);
    return pid ? pid : own;
}

static void name_holder(ptl_store *store)
{
    store_busy *b = &store->busy;
    const char *path = sqlite3_db_filename(store->db, "main");
    long pid = path && *path ? find_holder(path) : 0;
    b->named = clock_seconds();
    if (pid > 0 && pid != (long)getpid()) {
        char name[48];
        busy_process_name(name, sizeof name, pid);
        snprintf(b->whom, sizeof b->whom, "process %ld (%s)", pid, name);
    } else if (b->whom[0] == '\0') {
        snprintf(b->whom, sizeof b->whom, "another process");
    }
}

/* ---- the handler ---- */

static bool wait_on(ptl_store *store)
{
    store_busy *b = &store->busy;
    double waited = b->before + b->waited;
    if (waited < QUIET_SECONDS)
        return true;
    if (b->whom[0] == '\0' || clock_seconds() - b->named >= 1)
        name_holder(store);
    bool stop = b->go_on && !b->go_on(b->go_on_payload, waited);
    return !stop && busy_ask(b->on_wait, b->payload, waited, b->whom);
}

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

static bool may_wait(const store_busy *b, int timeout_ms, double waited)
{
    return b->on_wait || b->go_on || 1000 * waited < timeout_ms;
}

/* Errors are kept apart until the end: err may hold an earlier one, which stays. */
ptl_status sqlite_patiently(ptl_store *store, const patient_work *work, ptl_error *err)
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
        if (status != PTL_ERR_BUSY || !may_wait(b, timeout_ms, b->before))
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
