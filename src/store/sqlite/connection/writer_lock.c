/*
 * The writer lock. There are two ways to take it. If PATH-lock does not exist, it is created
 * together with its first record and already locked (os/new_file.h), so that nobody ever sees a
 * lock file that is empty or free. If it exists and is a lock file, it is locked with flock
 * without blocking, and then looked at again, because whoever releases the lock removes the
 * file.
 * The file holds records, which are a few lines of text each. A writer that does not share the
 * file replaces all records but the first; writers that share it each add a record. When a
 * writer is refused, the message names the last record whose process is alive.
 * A file that does not begin with a record belongs to somebody else and is left alone.
 * Therefore the first record, which names no process, is synced before the file gets its name,
 * and is never written again. Whatever a power failure does to the later records, the file can
 * be recognised.
 */
#include "store/sqlite/connection/writer_lock.h"

#include "core/error.h"
#include "core/stop.h"
#include "core/visible.h"
#include "os/clock.h"
#include "os/lock.h"
#include "os/new_file.h"
#include "os/pool.h"
#include "os/process.h"
#include "store/sqlite/connection/own_files.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RECORDS_MAX = 4096, /* only so many bytes at the end of a lock file are read; a writer who
                         * shares the file adds its record only while the file is shorter than
                         * this */
    WORD_MAX = 64,
    RECORD_MAX = 4 * WORD_MAX + 64,
    FILE_MAX = RECORDS_MAX + RECORD_MAX, /* most bytes of a lock file */
    /* How often taking the lock is tried; it must be tried again if another process removes the
     * lock's file at that moment. */
    ATTEMPTS = 100,
    PAUSE_MS = 20
};
/* How long to wait for a record, in seconds. Portolan 0.1.0 creates the lock file empty, and
 * writes its record only when it has the lock. */
static const double NAMELESS_SECONDS = 0.2;
static const char LOCK_TAIL[] = "-lock";

typedef struct holder {
    long pid; /* process id; 0: not known */
    char host[WORD_MAX], program[WORD_MAX], since[WORD_MAX];
    bool shared, alive;
} holder;

static void own_host(char out[WORD_MAX])
{
    process_host(out, WORD_MAX);
    visible_one_line(out);
}

/* ---- records in the lock file ---- */

/* Copies the value of a line "key value" to out; false if the line has another key. */
static bool line_value(char *out, size_t size, const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ' ')
        return false;
    snprintf(out, size, "%s", line + length + 1);
    return true;
}

/* *next is a later record than *best, and replaces it. But if the process of *best is alive and
 * that of *next has ended, *best stays. */
static void choose(holder *best, holder *next, const char *host)
{
    if (next->pid <= 0)
        return;
    /* A process on another machine counts as alive, since nothing tells whether it is. */
    next->alive = strcmp(next->host, host) != 0 || process_is_alive(next->pid);
    if (next->alive || !best->alive)
        *best = *next;
}

/* Reads the records of the lock file and chooses the one that names the holder. Of a long file
 * only the end is read. */
static void read_holder(holder *out, int fd)
{
    char text[RECORDS_MAX + 1];
    file_facts facts;
    memset(out, 0, sizeof *out);
    if (!file_look_open(&facts, fd))
        return;
    const uint64_t start = facts.size > RECORDS_MAX ? facts.size - RECORDS_MAX : 0;
    const int64_t size = file_read_at(fd, text, RECORDS_MAX, (int64_t)start);
    text[size > 0 ? size : 0] = '\0';
    char host[WORD_MAX], word[WORD_MAX];
    holder next = {0};
    own_host(host);
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        if (line_value(word, sizeof word, line, "pid")) {
            choose(out, &next, host);
            next = (holder){.pid = strtol(word, NULL, 10)};
        } else if (line_value(word, sizeof word, line, "writers")) {
            next.shared = strcmp(word, "shared") == 0;
        } else if (!line_value(next.host, sizeof next.host, line, "host") &&
                   !line_value(next.program, sizeof next.program, line, "program")) {
            line_value(next.since, sizeof next.since, line, "since");
        }
    }
    choose(out, &next, host);
}

static void describe(const holder *h, char *out, size_t size)
{
    if (h->pid <= 0)
        snprintf(out, size, "another process");
    else if (h->pid == process_own() && h->alive)
        snprintf(out, size, "this process");
    else
        snprintf(out, size, "process %ld on %s (%s)", h->pid, h->host, h->program);
    visible_one_line(out);
}

static size_t end_of_first_in(int fd)
{
    char text[FILE_MAX + 1];
    const int64_t size = file_read_at(fd, text, FILE_MAX, 0);
    text[size > 0 ? size : 0] = '\0';
    /*
     * Returns the offset at which the first record ends; 0 if the text does not begin with a
     * complete record. Empty lines may come before the record, since writers of Portolan 0.1.0
     * that shared a file blanked their records that way.
     */
    static const char *const keys[] = {"pid ", "host ", "program ", "since ", "writers "};
    const char *at = text + strspn(text, "\n");
    const size_t digits = strncmp(at, "pid ", 4) == 0 ? strspn(at + 4, "0123456789") : 0;
    if (digits == 0 || at[4 + digits] != '\n')
        return 0;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const size_t length = strlen(keys[i]);
        const char *end = strchr(at, '\n');
        if (strncmp(at, keys[i], length) != 0 || !end)
            return 0;
        at = end + 1;
    }
    return (size_t)(at - text);
}

/* Writes the name of a process, or "?" if it is not known. */
static void busy_process_name(char *out, size_t size, long pid)
{
    if (!process_name(out, size, pid))
        snprintf(out, size, "?");
    visible_one_line(out);
}

static int print_record(char out[RECORD_MAX], const ptl_open_options *options, long pid)
{
    char host[WORD_MAX], program[WORD_MAX], now[32];
    own_host(host);
    if (options->program)
        snprintf(program, sizeof program, "%s", options->program);
    else
        busy_process_name(program, sizeof program, pid);
    visible_one_line(program);
    clock_now(now);
    return snprintf(out, RECORD_MAX, "pid %ld\nhost %s\nprogram %s\nsince %s\nwriters %s\n",
                    pid, host, program, now,
                    options->writers == PTL_WRITERS_SHARED ? "shared" : "one");
}

/* ---- taking and releasing the lock ---- */

static ptl_status refuse_path(const writer_lock *lock, ptl_error *err)
{
    const bool refused = errno == EACCES || errno == EROFS || errno == EPERM;
    return error_system(err, refused ? PTL_ERR_READONLY : PTL_ERR_IO, errno, "%s", lock->path);
}

/*
 * Returns why a file at the lock's path can't be a lock file, judged without opening it; NULL
 * if it can be. A world file must not be opened here, because closing it again would drop the
 * locks that SQLite has on it; that is why the file's size and its number of hard links are
 * checked first.
 */
static const char *strange_kind(const file_facts *facts)
{
    const char *why = own_files_strange(facts);
    return why                      ? why
           : facts->size == 0       ? "it is empty"
           : facts->size > FILE_MAX ? "it is too large"
                                    : NULL;
}

static const char *strange_text(int fd)
{
    return end_of_first_in(fd) > 0 ? NULL : "it holds something else";
}

/* Returns why an open file is no lock file, judged also by its contents; NULL if it is one. */
static const char *strange_file(int fd)
{
    file_facts facts;
    const char *kind =
        file_look_open(&facts, fd) ? strange_kind(&facts) : "it can't be looked at";
    return kind ? kind : strange_text(fd);
}

static bool is_at_path(const writer_lock *lock)
{
    file_facts mine, there;
    return file_look_open(&mine, lock->fd) && file_look_here(&there, lock->path) &&
           file_id_same(&mine.id, &there.id);
}

/* The result of an attempt to take the lock. */
typedef enum outcome {
    LOCK_ABSENT, /* the lock file does not exist */
    LOCK_GONE,   /* another process removed or created the file in the meantime: try again */
    LOCK_TAKEN,  /* this store has the lock */
    LOCK_HELD,   /* another process has the lock; attempt.by says which */
    LOCK_STRANGE /* the file is no lock file; attempt.why says why */
} outcome;

typedef struct attempt {
    outcome outcome;
    holder by;
    const char *why; /* a constant text: why the file is no lock file */
} attempt;

/* Returns the error for a file at the lock's path that is no lock file. Only the owner of that
 * file knows what to do with it, so the file stays. Since Portolan 0.1.0 leaves its own lock
 * file empty for a moment, callers wait before they call this. */
static ptl_status refuse_strange(const writer_lock *lock, const char *why, ptl_error *err)
{
    return error_set(err, PTL_ERR_EXISTS,
                     "%s is where the lock file would be, and it is none (%s): it was left as "
                     "it is; move it away",
                     lock->path, why);
}

/* Tries to lock the open file lock->fd. If another process has the lock, finds out which. */
static ptl_status try_open_file(writer_lock *lock, const ptl_open_options *options,
                                attempt *out, ptl_error *err)
{
    out->why = strange_file(lock->fd);
    if (out->why) {
        out->outcome = is_at_path(lock) ? LOCK_STRANGE : LOCK_GONE;
        return PTL_OK;
    }
    if (lock_take(lock->fd, options->writers == PTL_WRITERS_SHARED)) {
        out->why = strange_file(lock->fd);
        out->outcome = !is_at_path(lock) ? LOCK_GONE : out->why ? LOCK_STRANGE : LOCK_TAKEN;
        return PTL_OK;
    }
    if (errno != EWOULDBLOCK)
        return error_system(err, PTL_ERR_IO, errno, "locking %s", lock->path);
    read_holder(&out->by, lock->fd);
    out->outcome = LOCK_HELD;
    return PTL_OK;
}

/* Tries to take a lock whose file exists. Checks before the file is opened, and again
 * afterwards, that it is a lock file. */
static ptl_status try_file_there(writer_lock *lock, const ptl_open_options *options,
                                 attempt *out, ptl_error *err)
{
    file_facts facts;
    out->outcome = LOCK_ABSENT;
    if (!file_look_here(&facts, lock->path))
        return errno == ENOENT ? PTL_OK : refuse_path(lock, err);
    out->why = strange_kind(&facts);
    out->outcome = LOCK_STRANGE;
    if (out->why)
        return PTL_OK;
    out->outcome = LOCK_GONE;
    lock->fd = file_open(lock->path, FILE_READ_WRITE);
    if (lock->fd < 0)
        return errno == ENOENT || errno == ELOOP ? PTL_OK : refuse_path(lock, err);
    const ptl_status status = try_open_file(lock, options, out, err);
    if (status == PTL_OK && out->outcome == LOCK_TAKEN) {
        /* Writes a record about this writer into the lock file, behind the first record. The
         * first record is never overwritten: by it the file is recognised as a lock file, even
         * if this write fails halfway. If the record can't be written, the lock is held all the
         * same. */
        char text[RECORD_MAX];
        const int size = print_record(text, options, lock->pid);
        int64_t at = (int64_t)end_of_first_in(lock->fd);
        if (options->writers == PTL_WRITERS_SHARED && file_look_open(&facts, lock->fd) &&
            facts.size < RECORDS_MAX)
            at = (int64_t)facts.size;
        if (file_write_at(lock->fd, text, (size_t)size, at) &&
            file_resize(lock->fd, at + size)) {
            lock->record_at = (long)at;
            lock->record_size = size;
        }
        return PTL_OK;
    }
    file_close(lock->fd);
    lock->fd = -1;
    return status;
}

static ptl_status try_new_file(writer_lock *lock, const ptl_open_options *options, attempt *out,
                               ptl_error *err)
{
    static const new_file_options own = {.rule = NEW_FILE_OWN_NAME};
    static const char first[] = "pid 0\nhost -\nprogram portolan\nsince -\nwriters shared\n";
    char text[RECORD_MAX];
    new_file f;
    ptl_error why = {0};
    ptl_status status = new_file_open(&f, lock->path, &own, &why);
    /* The file is locked, and is on disk with its records, before it gets its name. Otherwise a
     * power failure could leave an empty file, which would not be recognised. */
    if (status == PTL_OK && !lock_take(f.fd, options->writers == PTL_WRITERS_SHARED))
        status = error_system(&why, PTL_ERR_IO, errno, "locking %s", lock->path);
    if (status == PTL_OK) {
        lock->record_at = (long)strlen(first);
        lock->record_size = print_record(text, options, lock->pid);
    }
    THEN(status, new_file_write(&f, first, strlen(first), &why));
    THEN(status, new_file_write(&f, text, (size_t)lock->record_size, &why));
    THEN(status, new_file_sync(&f, &why));
    THEN(status, new_file_rename(&f, &why));
    if (status == PTL_OK) /* the lock file's name must be on disk before the world file is
                             written (own_files_check) */
        status = new_file_sync_folder(&f, &why);
    if (status == PTL_OK) {
        lock->fd = f.fd;
        f.fd = -1; /* the file now belongs to the lock and must stay open, so new_file_close
                      must not close it */
    }
    new_file_close(&f);
    out->outcome = status == PTL_OK ? LOCK_TAKEN : LOCK_GONE;
    if (status == PTL_OK || status == PTL_ERR_EXISTS || status == PTL_ERR_ARGUMENT)
        return PTL_OK; /* an error here means only that somebody else has created a file of that
                        * name meanwhile; the caller tries again */
    return error_copy(err, &why);
}

static ptl_status try_lock(writer_lock *lock, const ptl_open_options *options, attempt *out,
                           ptl_error *err)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        ptl_status status = try_file_there(lock, options, out, err);
        if (status == PTL_OK && out->outcome == LOCK_ABSENT)
            status = try_new_file(lock, options, out, err);
        if (status != PTL_OK || out->outcome != LOCK_GONE)
            return status;
    }
    return error_set(err, PTL_ERR_IO, "%s: removed again and again", lock->path);
}
static const double QUIET_SECONDS = 0.1;

/* Asks the caller's callback whether to go on waiting for the lock; true if there is no
 * callback. During the first 0.1 s of the wait it is not asked. */
static bool busy_ask(bool (*on_wait)(void *payload, const ptl_wait *wait), void *payload,
                     double seconds, const char *whom)
{
    const ptl_wait wait = {sizeof wait, seconds, whom};
    return !on_wait || seconds < QUIET_SECONDS || on_wait(payload, &wait);
}

/* Reports that another writer holds the lock, after `waited` seconds. */
static ptl_status refuse_busy(const holder *by, const char *whom, double waited, ptl_error *err)
{
    char after[48] = "";
    if (waited >= 1)
        snprintf(after, sizeof after, " (waited for %.0f s)", waited);
    return error_set(err, PTL_ERR_BUSY, "%s has been writing it%s%s%s%s", whom,
                     by->since[0] ? " since " : "", by->since, by->shared ? ", sharing it" : "",
                     after);
}

static ptl_status wait_for_lock(writer_lock *lock, const ptl_open_options *options,
                                ptl_error *err)
{
    const double start = clock_seconds();
    double known = start; /* time of the last attempt at which the file at the path was a lock
                             file or did not exist */
    for (;;) {
        attempt now = {.why = NULL};
        ptl_status status = try_lock(lock, options, &now, err);
        if (status != PTL_OK || now.outcome == LOCK_TAKEN)
            return status;
        const double time = clock_seconds(), waited = time - start;
        double limit = options->wait_ms / 1000.0;
        known = now.outcome == LOCK_STRANGE ? known : time;
        if (time - known >= NAMELESS_SECONDS)
            return refuse_strange(lock, now.why, err);
        if (!now.by.alive && limit < NAMELESS_SECONDS)
            limit = NAMELESS_SECONDS;
        char whom[4 * WORD_MAX];
        describe(&now.by, whom, sizeof whom);
        if (options->wait_ms >= 0 && waited >= limit)
            return refuse_busy(&now.by, whom, waited, err);
        if ((options->should_stop && options->should_stop(options->payload)) ||
            !busy_ask(options->on_wait, options->payload, waited, whom))
            return error_set(err, PTL_ERR_CANCELLED, "stopped while waiting for %s", whom);
        clock_sleep(PAUSE_MS);
    }
}

ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err)
{
    *out = (writer_lock){.fd = -1, .pid = process_own()};
    out->path = own_files_beside(file, LOCK_TAIL);
    if (!out->path)
        return error_nomem(err);
    ptl_status status = wait_for_lock(out, options, err);
    if (status == PTL_OK)
        return PTL_OK;
    free(out->path);
    *out = (writer_lock){.fd = -1};
    return status;
}

/* A file that is empty, or that can't be read, counts as held: a writer of Portolan 0.1.0 that
 * has just taken the lock may not have written its record yet. */
bool writer_lock_seen(const char *file, char *whom, size_t room)
{
    holder by = {0};
    file_facts facts;
    char *path = own_files_beside(file, LOCK_TAIL);
    bool seen = false;
    int fd = -1;
    if (path && file_look_here(&facts, path) && facts.kind == FILE_REGULAR &&
        facts.names == 1 && facts.size <= FILE_MAX) {
        fd = file_open(path, FILE_READ);
        seen = fd < 0 && errno == EACCES;
    }
    if (fd >= 0 && file_look_open(&facts, fd)) {
        read_holder(&by, fd);
        seen = by.alive || facts.size == 0;
    }
    file_close(fd);
    free(path);
    if (seen && whom)
        describe(&by, whom, room);
    return seen;
}

ptl_status writer_lock_look(bool *lies, const char *file, ptl_error *err)
{
    const writer_lock lock = {.path = own_files_beside(file, LOCK_TAIL), .fd = -1};
    file_facts facts;
    const char *why = NULL;
    *lies = false;
    if (!lock.path)
        return error_nomem(err);
    if (file_look_here(&facts, lock.path)) {
        why = strange_kind(&facts);
        const int fd = why ? -1 : file_open(lock.path, FILE_READ);
        if (fd >= 0)
            why = strange_file(fd);
        file_close(fd);
        /* A file that can't be opened counts as a lock file too, since it may be one. */
        *lies = !why;
    }
    const ptl_status status = why ? refuse_strange(&lock, why, err) : PTL_OK;
    free(lock.path);
    return status;
}

/*
 * Only a process that holds the lock exclusively may remove the file. So a writer that shares
 * it first tries to lock it exclusively; the last such writer succeeds. In between another
 * writer may have come and gone, or somebody may have replaced or changed the file. Therefore
 * path and text are checked again before the file is removed.
 */
void writer_lock_release(writer_lock *lock)
{
    if (!lock->path)
        return;
    if (lock->pid == process_own()) {
        /* Overwrites the pid in this writer's record by zeros, so that it names no process;
         * other writers may go on sharing the file. If another writer has begun the file anew
         * in the meantime, the record is gone, and nothing is changed. */
        char wanted[WORD_MAX], found[WORD_MAX];
        const int size = snprintf(wanted, sizeof wanted, "pid %ld\n", lock->pid);
        if (lock->record_size > 0 &&
            file_read_at(lock->fd, found, (size_t)size, lock->record_at) == size &&
            memcmp(found, wanted, (size_t)size) == 0) {
            memset(wanted + 4, '0', (size_t)size - 5);
            (void)file_write_at(lock->fd, wanted, (size_t)size, lock->record_at);
        }
        if (lock_take(lock->fd, false) && !strange_text(lock->fd) && is_at_path(lock))
            file_remove(lock->path);
    }
    file_close(lock->fd);
    free(lock->path);
    *lock = (writer_lock){.fd = -1};
}

/*
 * Waiting for other processes. While another process has a lock, SQLite calls its busy handler
 * again and again. The handler sleeps a little longer each time, and tells the caller which
 * process has the lock. It can find that out because SQLite's locks are POSIX locks on the
 * world file (os/lock.h).
 */

enum {
    FIRST_PATIENCE_MS = 1000,
    LAST_PATIENCE_MS = 5000, /* the longest time, in ms, that one attempt of sqlite_retry waits;
                              * readers wait at least twice as long */
    READERS_TURN_MS =
        150 /* how long sqlite_retry pauses between two attempts to write, in ms. Readers that
               wait pause for a shorter time between their attempts, so they get a turn */
};
/* The first and last byte of the range in which SQLite sets its locks. */
static const uint64_t LOCK_FIRST = 0x40000000, LOCK_LAST = 0x40000000 + 511;

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

/* SQLite's busy handler. It sleeps and returns 1, so that SQLite tries again. It returns 0 to
 * give up if the time limit is over, if somebody asked to stop, or if a callback says so.
 * `count` is 0 when a new wait begins. */
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

/* Each attempt writes its error to `failure`. In the end *err gets the last one, unless it has
 * an earlier error already, which must stay. */
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
        /* SQLite does not always call its busy handler before it returns BUSY: not if two
         * connections would wait for each other. So the store's callbacks, which the handler
         * asks, are asked here as well. */
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

/* Lets SQLite call the progress handler from time to time if there is somebody whom it can ask
 * whether to stop: a stop hook or a follower (see interrupt_follow). Otherwise there is no
 * handler, and SQLite need not count its steps. */
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

bool sqlite_may_write(const ptl_store *store)
{
    return store->mode != PTL_OPEN_READ;
}

void sqlite_deafen(ptl_store *store, bool on)
{
    store->interrupt.deaf += on ? 1 : -1;
}

/* ---- the thread that asks the stop hook ---- */

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
