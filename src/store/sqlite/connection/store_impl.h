/* The struct of a store in this backend: its connection, its prepared statements, its
 * dictionary cache. Only files of store/ include this, since it includes sqlite3.h. */
#pragma once

#include "portolan/store.h"
#include "store/sqlite/connection/own_files.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/sqlite.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/writer_lock.h"
#include "store/store.h"

enum { STORE_APPLICATION_ID = 0x50544c4e /* "PTLN" */ };

struct ptl_store {
    store_head head; /* the operations; every backend's store begins with it */
    sqlite3 *db;
    char *path;          /* owned; as the caller gave it */
    char *file;          /* owned; absolute, without links, as SQLite has it; NULL: in memory */
    own_recovery beside; /* what lay beside the file when it was opened */
    ptl_open_mode mode;
    store_busy busy;
    store_interrupt interrupt;
    writer_lock lock;              /* held if the store was opened for writing */
    bool rollback_due;             /* rolling back has failed; sqlite_settle tries it again */
    stmt *prepared[STMT_COUNT];    /* prepared at their first use */
    struct dictionary *dictionary; /* cache of dictionary.c; NULL until used */
    /* Drops that cache after a rollback; NULL while there is none. */
    void (*forget)(ptl_store *);
    struct row_scratch *scratch;
    /* Set while the file is opened and somebody looks on; otherwise NULL. */
    struct migrate_watch *watch;
    /* Owned; a copy that db reads in place of the file; NULL: it reads the file itself. */
    struct private_copy *copy;
};

struct stmt {
    sqlite3_stmt *handle;
    ptl_store *store; /* borrowed */
    int bind_code;    /* code of the first bind that failed, reported by the next step */
};

/* Remembers the code of a bind that failed, if it is the first one. */
void stmt_note_bind(stmt *s, int code);

/* Returns the status that an SQLite result code means to callers of the store. */
ptl_status sqlite_status(int code);

/* Fills err from the connection's last error; context says what was tried. */
ptl_status sqlite_error(ptl_store *store, int code, const char *context, ptl_error *err);
/*
 * Is what SQLite takes for damage in fact a failed read? A statement passes on SQLITE_CORRUPT
 * where the system said EIO (SQLITE_IOERR_CORRUPTFS), and only the errno tells the two apart.
 * If so, *code becomes SQLITE_IOERR_READ and *said the errno.
 */
bool sqlite_unread(sqlite3 *db, int *code, int *said);
/* Returns SQLite's handle of a connection's file; NULL if there is none that can be read. */
sqlite3_file *sqlite_main_file(sqlite3 *db);
/* Returns the errno of the system call that made SQLite fail with this code; 0 if it is not
 * known. */
int sqlite_system_code(sqlite3 *db, int code);

/* Runs `sql`, a PRAGMA that gives one integer. */
ptl_status sqlite_pragma_int(ptl_store *store, const char *sql, int64_t *out, ptl_error *err);

/* Begins a write transaction unless the caller has one open (then *own is false). The second
 * function commits it, or rolls it back if status is an error. */
ptl_status sqlite_begin_own(ptl_store *store, bool *own, ptl_error *err);
ptl_status sqlite_end_own(ptl_store *store, bool own, ptl_status status, ptl_error *err);
