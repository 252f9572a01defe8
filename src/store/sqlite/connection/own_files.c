/* Recognises SQLite's files by their first bytes. The formats are described in
 * sqlite.org/fileformat2.html (database, rollback journal and WAL) and
 * sqlite.org/walformat.html (-shm file). */
#include "store/sqlite/connection/own_files.h"

#include "core/error.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/folder.h"
#include "store/sqlite/connection/store_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD_SIZE = 100,
    PAGE_SIZE_AT = 16,
    APPLICATION_ID_AT = 68,
    JOURNAL_HEAD = 28,
    JOURNAL_UNSYNCED = 12, /* number of bytes at the beginning of a journal that are 0 until
                            * SQLite has synced the journal's header */
    JOURNAL_PAGES_AT = 16, /* offset in a journal at which it states the size, in pages, that
                            * the database had before the transaction */
    JOURNAL_SECTOR_AT = 20,
    JOURNAL_PAGE_AT = 24,
    /* The smaller of the two usual sizes of a journal's header, in bytes. */
    JOURNAL_SECTOR = 512,
    WAL_HEAD = 32,
    SHM_PART = 4096, /* SQLite makes a -shm file with SHM_BEGUN bytes; later its size is a
                        multiple of SHM_PART bytes */
    SHM_BEGUN = 3,
    PAUSE_MS = 20
};
/* How long a check of the files beside the world file is repeated, in seconds. SQLite and other
 * writers create and remove these files one after the other, so for a moment the files may seem
 * inconsistent. */
static const double PATIENCE_SECONDS = 0.2;

/* ---- the name of the world file ---- */

/* Returns the absolute name, new, for a file that does not exist yet. On failure it returns
 * NULL and sets errno. */
static char *name_of_absent(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *there = folder ? file_real_path(folder) : NULL;
    const size_t room = there ? strlen(there) + strlen(name) + 2 : 0;
    char *out = there ? malloc(room) : NULL;
    if (out)
        snprintf(out, room, "%s/%s", strcmp(there, "/") == 0 ? "" : there, name);
    const int code = errno;
    free(folder);
    free(there);
    errno = code;
    return out;
}

ptl_status own_files_failed(const char *path, ptl_error *err)
{
    return error_system(err, PTL_ERR_IO, errno, "%s", path);
}

/* Finds the name by which SQLite shall open the file. *again is true if somebody created or
 * removed the file in the meantime, so that the caller should try again. The caller owns *out,
 * also after an error. */
static ptl_status look_for_name(char **out, bool *again, const char *path, ptl_open_mode mode,
                                ptl_error *err)
{
    file_facts facts;
    *again = false;
    *out = file_real_path(path);
    if (*out && file_look(&facts, *out))
        return facts.kind == FILE_REGULAR
                   ? PTL_OK
                   : error_set(err, PTL_ERR_FORMAT, "%s: not a regular file", path);
    free(*out);
    *out = NULL;
    if (errno != ENOENT && errno != ENOTDIR)
        return own_files_failed(path, err);
    if (file_look_here(&facts, path)) {
        *again = facts.kind != FILE_LINK;
        return error_set(err, PTL_ERR_NOT_FOUND,
                         *again ? "%s comes and goes"
                                : "%s: no such file: it is a symbolic link that leads nowhere",
                         path);
    }
    if (errno != ENOENT || mode != PTL_OPEN_CREATE)
        return error_set(err, PTL_ERR_NOT_FOUND, "%s: no such file", path);
    *out = name_of_absent(path);
    if (!*out)
        return own_files_failed(path, err);
    /* Refuses a path whose folder is missing or not writable. SQLite would say only that it
     * can't open the file. */
    char *slash = strrchr(*out, '/');
    *slash = '\0';
    const int code = folder_is_writable(slash == *out ? "/" : *out) ? 0 : errno;
    *slash = '/';
    if (code == 0)
        return PTL_OK;
    const bool refused = code == EACCES || code == EROFS;
    return error_system(err, refused ? PTL_ERR_READONLY : PTL_ERR_IO, code,
                        "%s: nothing can be made in its folder", path);
}

ptl_status own_files_name(char **out, const char *path, ptl_open_mode mode, ptl_error *err)
{
    enum { LOOKS = 10 };
    bool again = true;
    ptl_status status = PTL_OK;
    for (int look = 0; again && look < LOOKS; look++) {
        error_clear(err);
        status = look_for_name(out, &again, path, mode, err);
        if (status != PTL_OK) {
            free(*out);
            *out = NULL;
        }
    }
    return status;
}

/* ---- files beside the world file ---- */

char *own_files_beside(const char *file, const char *tail)
{
    const size_t room = strlen(file) + strlen(tail) + 1;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s", file, tail);
    return path;
}

uint32_t own_files_u32(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_zero(const unsigned char *at, size_t size)
{
    while (size > 0 && at[size - 1] == 0)
        size--;
    return size == 0;
}

static bool is_power(uint32_t value, uint32_t lo, uint32_t hi)
{
    return value >= lo && value <= hi && (value & (value - 1)) == 0;
}

/* Compares the first bytes of a file with a given beginning. A file that is shorter than the
 * beginning must agree as far as it goes. */
static bool begins_with(const unsigned char *head, size_t size, const unsigned char *beginning,
                        size_t length)
{
    return memcmp(head, beginning, size < length ? size : length) == 0;
}

/*
 * Recognises a journal whose header PRAGMA journal_mode = PERSIST has overwritten with zeros.
 * Behind such a header stands a page number, unless the journal had no pages or
 * journal_size_limit has cut them off.
 */
static bool is_out_of_use(int fd, const unsigned char *head)
{
    static const int64_t sectors[] = {JOURNAL_SECTOR, 4096};
    unsigned char page[4], sector[JOURNAL_SECTOR + 1] = {0};
    if (!is_zero(head, JOURNAL_HEAD))
        return false;
    for (size_t i = 0; i < sizeof sectors / sizeof *sectors; i++)
        if (file_read_at(fd, page, sizeof page, sectors[i]) == (int64_t)sizeof page &&
            own_files_u32(page) > 0)
            return true;
    const int64_t size = file_read_at(fd, sector, sizeof sector, 0);
    return size <= JOURNAL_SECTOR && is_zero(sector, sizeof sector);
}

/* Recognises a journal by its header: a complete header, one that is not synced yet, the
 * beginning of one, or one that is overwritten with zeros. */
static bool is_journal(int fd, const unsigned char *head, size_t size)
{
    static const unsigned char magic[] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    if (begins_with(head, size, magic, sizeof magic))
        return true;
    if (!is_zero(head, JOURNAL_UNSYNCED))
        return false;
    return size < JOURNAL_HEAD ||
           (is_power(own_files_u32(head + JOURNAL_SECTOR_AT), 32, 65536) &&
            is_power(own_files_u32(head + JOURNAL_PAGE_AT), 512, 65536)) ||
           is_out_of_use(fd, head);
}

const char *own_files_strange(const file_facts *facts)
{
    return facts->kind == FILE_LINK      ? "it is a symbolic link"
           : facts->kind != FILE_REGULAR ? "it is not a regular file"
           : facts->names > 1            ? "it has more than one name"
                                         : NULL;
}

/* State while the files beside a world file are checked. */
typedef struct look {
    const char *file;
    own_recovery found;
    bool absent, crashed, has_wal;
    bool patient, again; /* patient: the check may be repeated, so a file that looks wrong only
                            sets `again`, since it may look right in a moment */
} look;

typedef enum part { PART_JOURNAL, PART_WAL, PART_SHM, PARTS } part;
static const char *const tails[PARTS] = {"-journal", "-wal", "-shm"};

/* Returns whether a file begins as SQLite writes a file of this kind. The file must not be
 * empty. Returns true also for a file that can't be read, since SQLite will report that. */
static bool begins_right(look *l, const char *path, part which)
{
    /* A WAL begins with one of these two sequences of bytes, according to the byte order of its
     * checksums. */
    static const unsigned char wal[2][8] = {{0x37, 0x7f, 0x06, 0x82, 0x00, 0x2d, 0xe2, 0x18},
                                            {0x37, 0x7f, 0x06, 0x83, 0x00, 0x2d, 0xe2, 0x18}};
    unsigned char head[WAL_HEAD] = {0};
    const int fd = file_open(path, FILE_READ);
    if (fd < 0)
        return true;
    const int64_t size = file_read_at(fd, head, sizeof head, 0);
    const size_t there = size > 0 ? (size_t)size : 0;
    const bool right = which == PART_WAL ? begins_with(head, there, wal[0], sizeof wal[0]) ||
                                               begins_with(head, there, wal[1], sizeof wal[1])
                                         : is_journal(fd, head, there);
    if (which == PART_JOURNAL && right)
        l->found.from_nothing = own_files_u32(head + JOURNAL_PAGES_AT) <= 1;
    file_close(fd);
    return size <= 0 || right;
}

/*
 * Returns what is wrong with a file, as a constant text; NULL if nothing is. The -shm file is
 * not opened, because closing it would drop the locks that another store of this process has on
 * it. It may be non-empty only beside a WAL.
 */
static const char *wrong(look *l, part which, const char *path, const file_facts *facts)
{
    const char *kind = own_files_strange(facts);
    l->has_wal |= which == PART_WAL;
    if (kind || facts->size == 0)
        return kind;
    l->found.journal |= which == PART_JOURNAL;
    l->found.wal |= which == PART_WAL;
    if (l->absent)
        return "it is of a database of that name, and there is none";
    const bool right = which == PART_SHM ? l->has_wal && (facts->size == SHM_BEGUN ||
                                                          facts->size % SHM_PART == 0)
                                         : begins_right(l, path, which);
    l->found.torn_journal |= !right && which == PART_JOURNAL;
    l->found.torn_wal |= !right && which == PART_WAL;
    return right || l->crashed ? NULL : "it holds something else";
}

/* Checks one of the files beside the world file. While l->patient is true, a wrong file only
 * sets l->again; afterwards it is an error. */
static ptl_status look_at(look *l, part which, ptl_error *err)
{
    file_facts facts;
    ptl_status status = PTL_OK;
    char *path = own_files_beside(l->file, tails[which]);
    if (!path)
        return error_nomem(err);
    if (!file_look_here(&facts, path)) {
        if (errno != ENOENT)
            status = own_files_failed(path, err);
    } else {
        const char *why = wrong(l, which, path, &facts);
        l->again |= why && l->patient;
        if (why && !l->patient)
            status =
                error_set(err, PTL_ERR_EXISTS,
                          "%s is where SQLite would have a file of its own, and it is none "
                          "(%s): it was left as it is; move it away",
                          path, why);
    }
    free(path);
    return status;
}

ptl_status own_files_check(own_recovery *out, const char *file, ptl_open_mode mode,
                           ptl_error *err)
{
    look l = {.file = file};
    file_facts facts;
    const double start = clock_seconds();
    ptl_status status = PTL_OK;
    do {
        /* Becomes an error if the file at the lock file's path is no lock file. */
        ptl_error strange = {0};
        if (l.again)
            clock_sleep(PAUSE_MS);
        l.patient = clock_seconds() - start < PATIENCE_SECONDS;
        l.absent = !file_look_here(&facts, file);
        (void)writer_lock_look(&l.crashed, file, &strange);
        l.has_wal = l.again = false;
        l.found = (own_recovery){.journal = false};
        for (part i = PART_JOURNAL; i < PARTS && status == PTL_OK; i++)
            status = look_at(&l, i, err);
        if (mode == PTL_OPEN_READ || strange.status == PTL_OK)
            continue;
        l.again |= l.patient;
        if (!l.patient && status == PTL_OK)
            status = error_copy(err, &strange);
    } while (status == PTL_OK && l.again);
    *out = l.found;
    if (status != PTL_OK || mode == PTL_OPEN_READ)
        return status;
    /* A file with several names (hard links) would have another journal and lock under each
     * name. */
    if (!file_look_here(&facts, file) || facts.names <= 1)
        return PTL_OK;
    return error_set(
        err, PTL_ERR_READONLY,
        "%s has %lu names (hard links): what is written under one of them changes, "
        "or breaks, what the others lead to. A copy has a file of its own: "
        "'portolan backup'",
        file, (unsigned long)facts.names);
}

/* ---- after a power failure ---- */

ptl_status own_files_settle(ptl_store *store, ptl_error *err)
{
    own_recovery now;
    int64_t version = 0;
    char sql[64];
    if (!store->beside.torn_journal && !store->beside.torn_wal)
        return PTL_OK;
    TRY(sqlite_begin(store, err));
    ptl_status status = own_files_check(&now, store->file, PTL_OPEN_READ, err);
    if (status == PTL_OK && now.torn_journal) {
        /* SQLite ignores a journal whose first byte is 0 and does not remove it, so the journal
         * is emptied here. While this store has the writer lock, nobody else writes the
         * journal. */
        char *path = own_files_beside(store->file, tails[PART_JOURNAL]);
        const int fd = path ? file_open(path, FILE_WRITE) : -1;
        if (!path)
            status = error_nomem(err);
        else if (fd < 0 ? errno != ENOENT : !file_resize(fd, 0))
            status = own_files_failed(path, err);
        file_close(fd);
        free(path);
    }
    if (status == PTL_OK && now.torn_wal) /* SQLite replaces an incomplete WAL by a new one when
                                           * something is written; so user_version is written
                                           * here, with the value that it has already */
        status = sqlite_pragma_int(store, "PRAGMA user_version", &version, err);
    if (status == PTL_OK && now.torn_wal) {
        snprintf(sql, sizeof sql, "PRAGMA user_version = %lld", (long long)version);
        status = sqlite_exec(store, sql, err);
    }
    THEN(status, sqlite_commit(store, err));
    if (status != PTL_OK)
        sqlite_rollback(store);
    return status;
}

/* ---- the first bytes of the world file ---- */

/*
 * The application_id is in the first page. A newer version of that page may lie in a WAL; or
 * the page may be half written, while its earlier state is in a journal. In these two cases a
 * page without the id may be let through, and migrate_check looks for the id after SQLite has
 * recovered the page. A database of one page without an id counts as empty.
 */
ptl_status own_files_check_head(ptl_store *store, const own_recovery *beside, ptl_error *err)
{
    unsigned char head[HEAD_SIZE] = {0};
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    int code = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code == SQLITE_OK && file && file->pMethods) {
        code = file->pMethods->xFileSize(file, &size);
        if (code == SQLITE_OK && size > 0)
            code =
                file->pMethods->xRead(file, head, size < HEAD_SIZE ? (int)size : HEAD_SIZE, 0);
    }
    if (code != SQLITE_OK)
        return sqlite_error(store, code, "reading the file", err);
    if (size == 0)
        return PTL_OK;
    static const char magic[] = "SQLite format 3";
    const uint32_t id = own_files_u32(head + APPLICATION_ID_AT);
    if (memcmp(head, magic, sizeof magic) != 0)
        return beside->journal || beside->wal
                   ? PTL_OK
                   : error_set(err, PTL_ERR_FORMAT, "not a world file: it is no database");
    if (id == STORE_APPLICATION_ID)
        return PTL_OK;
    const uint32_t stated = (uint32_t)head[PAGE_SIZE_AT] << 8 | head[PAGE_SIZE_AT + 1];
    const int64_t page = stated == 1 ? 65536 : stated;
    if (id == 0 && (size <= page || beside->wal || (beside->journal && beside->from_nothing)))
        return PTL_OK;
    return error_set(err, PTL_ERR_FORMAT,
                     "not a world file: an SQLite database with application_id %ld",
                     (long)(int32_t)id);
}
