/*
 * The writer lock. Taking it: open or make PATH-lock, flock it without blocking, and see that
 * the path still leads to that very file, because whoever gives the lock back removes it. The
 * holder's record is a few lines of text: a lone writer replaces all of them, shared ones add
 * theirs, and who is refused names the last one that is alive.
 */
#include "store/writer_lock.h"

#include "core/error.h"
#include "core/visible.h"
#include "store/busy.h"
#include "store/row_scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    RECORDS_MAX = 4096, /* bytes of records that are read, or kept by shared writers */
    WORD_MAX = 64,
    ATTEMPTS = 100, /* at a path whose file is removed again and again */
    PAUSE_MS = 20
};
/* A holder that was just let in has not yet written who it is. */
static const double NAMELESS_SECONDS = 0.2;

typedef struct holder {
    long pid; /* 0: not known */
    char host[WORD_MAX], program[WORD_MAX], since[WORD_MAX];
    bool shared, alive;
} holder;

static void own_host(char out[WORD_MAX])
{
    if (gethostname(out, WORD_MAX) != 0)
        snprintf(out, WORD_MAX, "localhost");
    out[WORD_MAX - 1] = '\0';
}

/* ---- records ---- */

/* The value of a line "key value"; false if the line has another key. */
static bool line_value(char *out, size_t size, const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ' ')
        return false;
    snprintf(out, size, "%s", line + length + 1);
    return true;
}

static bool is_alive(const holder *h, const char *host)
{
    if (strcmp(h->host, host) != 0)
        return true; /* another machine's process can't be asked */
    return kill((pid_t)h->pid, 0) == 0 || errno == EPERM;
}

/* A later record wins over an earlier one, unless only that one is of a living process. */
static void choose(holder *best, holder *next, const char *host)
{
    if (next->pid <= 0)
        return;
    next->alive = is_alive(next, host);
    if (next->alive || !best->alive)
        *best = *next;
}

static void parse_records(holder *best, char *text)
{
    char host[WORD_MAX], word[WORD_MAX];
    holder next = {0};
    own_host(host);
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        if (line_value(word, sizeof word, line, "pid")) {
            choose(best, &next, host);
            next = (holder){.pid = strtol(word, NULL, 10)};
        } else if (line_value(word, sizeof word, line, "writers")) {
            next.shared = strcmp(word, "shared") == 0;
        } else if (!line_value(next.host, sizeof next.host, line, "host") &&
                   !line_value(next.program, sizeof next.program, line, "program")) {
            line_value(next.since, sizeof next.since, line, "since");
        }
    }
    choose(best, &next, host);
}

static void read_holder(holder *out, int fd)
{
    char text[RECORDS_MAX + 1];
    struct stat info;
    memset(out, 0, sizeof *out);
    if (fstat(fd, &info) != 0)
        return;
    off_t start = info.st_size > RECORDS_MAX ? info.st_size - RECORDS_MAX : 0;
    ssize_t size = pread(fd, text, RECORDS_MAX, start);
    text[size > 0 ? size : 0] = '\0';
    parse_records(out, text);
}

static void describe(const holder *h, char *out, size_t size)
{
    if (h->pid <= 0)
        snprintf(out, size, "another process");
    else if (h->pid == (long)getpid() && h->alive)
        snprintf(out, size, "this process");
    else
        snprintf(out, size, "process %ld on %s (%s)", h->pid, h->host, h->program);
    visible_one_line(out);
}

/* Nothing depends on these lines: where they can't be written the lock is held all the same. */
static void write_record(writer_lock *lock, const ptl_open_options *options)
{
    bool shared = options->writers == PTL_WRITERS_SHARED;
    char text[4 * WORD_MAX + 64], host[WORD_MAX], program[WORD_MAX], now[32];
    struct stat info;
    own_host(host);
    if (options->program)
        snprintf(program, sizeof program, "%s", options->program);
    else
        busy_process_name(program, sizeof program, (long)getpid());
    visible_one_line(program);
    row_now(now);
    int size =
        snprintf(text, sizeof text, "pid %ld\nhost %s\nprogram %s\nsince %s\nwriters %s\n",
                 lock->pid, host, program, now, shared ? "shared" : "one");
    off_t at = 0;
    if (shared && fstat(lock->fd, &info) == 0 && info.st_size < RECORDS_MAX)
        at = info.st_size;
    if (pwrite(lock->fd, text, (size_t)size, at) != size || ftruncate(lock->fd, at + size) != 0)
        return;
    lock->record_at = (long)at;
    lock->record_size = size;
}

/* Of a shared writer that goes before others: its lines become empty ones, unless the file was
 * begun anew in the meantime. */
static void erase_record(const writer_lock *lock)
{
    char wanted[WORD_MAX], found[WORD_MAX], empty[4 * WORD_MAX + 64];
    int size = snprintf(wanted, sizeof wanted, "pid %ld\n", lock->pid);
    if (lock->record_size <= 0 || lock->record_size > (long)sizeof empty ||
        pread(lock->fd, found, (size_t)size, lock->record_at) != size ||
        memcmp(found, wanted, (size_t)size) != 0)
        return;
    memset(empty, '\n', sizeof empty);
    (void)!pwrite(lock->fd, empty, (size_t)lock->record_size, lock->record_at);
}

/* ---- the lock ---- */

static ptl_status refuse_path(const writer_lock *lock, ptl_error *err)
{
    if (errno == EACCES || errno == EROFS || errno == EPERM)
        return error_set(err, PTL_ERR_READONLY,
                         "%s: %s; to be written, the file needs a directory that can be, too",
                         lock->path, strerror(errno));
    if (errno == ELOOP)
        return error_set(err, PTL_ERR_IO, "%s: a symbolic link where a lock file should be",
                         lock->path);
    return error_set(err, PTL_ERR_IO, "%s: %s", lock->path, strerror(errno));
}

static bool is_at_path(const writer_lock *lock)
{
    struct stat mine, there;
    return fstat(lock->fd, &mine) == 0 && lstat(lock->path, &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

static int flock_now(int fd, int how)
{
    int result;
    do
        result = flock(fd, how | LOCK_NB);
    while (result != 0 && errno == EINTR);
    return result;
}

/* One attempt. *held: another has it, and *by says who. */
static ptl_status try_lock(writer_lock *lock, const ptl_open_options *options, bool *held,
                           holder *by, ptl_error *err)
{
    const int how = options->writers == PTL_WRITERS_SHARED ? LOCK_SH : LOCK_EX;
    for (int i = 0; i < ATTEMPTS; i++) {
        struct stat info;
        /* O_NONBLOCK: a FIFO of that name must not hold us up. */
        lock->fd = open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                        S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
        if (lock->fd < 0)
            return refuse_path(lock, err);
        if (fstat(lock->fd, &info) != 0 || !S_ISREG(info.st_mode))
            return error_set(err, PTL_ERR_IO, "%s: not a regular file", lock->path);
        *held = flock_now(lock->fd, how) != 0;
        if (*held && errno != EWOULDBLOCK)
            return error_set(err, PTL_ERR_IO, "locking %s: %s", lock->path, strerror(errno));
        if (*held)
            read_holder(by, lock->fd);
        else if (is_at_path(lock))
            return PTL_OK;
        close(lock->fd);
        lock->fd = -1;
        if (*held)
            return PTL_OK;
    }
    return error_set(err, PTL_ERR_IO, "%s: removed again and again", lock->path);
}

static ptl_status refuse(const holder *by, double waited, ptl_error *err)
{
    char whom[4 * WORD_MAX], after[48] = "";
    describe(by, whom, sizeof whom);
    if (waited >= 1)
        snprintf(after, sizeof after, " (waited for %.0f s)", waited);
    return error_set(err, PTL_ERR_BUSY, "%s has been writing it%s%s%s%s", whom,
                     by->since[0] ? " since " : "", by->since, by->shared ? ", sharing it" : "",
                     after);
}

static ptl_status wait_for_lock(writer_lock *lock, const ptl_open_options *options,
                                ptl_error *err)
{
    const double start = busy_clock();
    for (;;) {
        holder by = {0};
        bool held = false;
        ptl_status status = try_lock(lock, options, &held, &by, err);
        if (status != PTL_OK || !held)
            return status;
        double waited = busy_clock() - start, limit = options->wait_ms / 1000.0;
        if (!by.alive && limit < NAMELESS_SECONDS)
            limit = NAMELESS_SECONDS;
        if (options->wait_ms >= 0 && waited >= limit)
            return refuse(&by, waited, err);
        char whom[4 * WORD_MAX];
        describe(&by, whom, sizeof whom);
        if (!busy_ask(options->on_wait, options->payload, waited, whom))
            return error_set(err, PTL_ERR_CANCELLED, "stopped while waiting for %s", whom);
        busy_sleep(PAUSE_MS);
    }
}

/* PATH-lock, new. */
static char *lock_path(const char *file)
{
    static const char tail[] = "-lock";
    size_t size = strlen(file) + sizeof tail;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s", file, tail);
    return path;
}

ptl_status writer_lock_take(writer_lock *out, const char *file, const ptl_open_options *options,
                            ptl_error *err)
{
    *out = (writer_lock){.fd = -1, .pid = (long)getpid()};
    out->path = lock_path(file);
    if (!out->path)
        return error_nomem(err);
    ptl_status status = wait_for_lock(out, options, err);
    if (status == PTL_OK) {
        write_record(out, options);
        return PTL_OK;
    }
    if (out->fd >= 0)
        close(out->fd);
    free(out->path);
    *out = (writer_lock){.fd = -1};
    return status;
}

/* Who was let in this moment may not have written his record yet: an empty file counts, and so
 * does one that can't be read. */
bool writer_lock_seen(const char *file, char *whom, size_t room)
{
    holder by = {0};
    struct stat info;
    char *path = lock_path(file);
    int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    bool seen = path && fd < 0 && errno == EACCES;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        read_holder(&by, fd);
        seen = by.alive || info.st_size == 0;
    }
    if (fd >= 0)
        close(fd);
    free(path);
    if (seen && whom)
        describe(&by, whom, room);
    return seen;
}

/*
 * Only who holds the file exclusively may remove it: so shared writers try for that first, and
 * the last of them gets it. On the way another may have come and gone: the path is looked at
 * again.
 */
void writer_lock_release(writer_lock *lock)
{
    if (!lock->path)
        return;
    if (lock->pid == (long)getpid()) {
        erase_record(lock);
        if (flock_now(lock->fd, LOCK_EX) == 0 && is_at_path(lock))
            unlink(lock->path);
    }
    close(lock->fd);
    free(lock->path);
    *lock = (writer_lock){.fd = -1};
}
