/*
 * What the files of store/ share: the connection, its prepared statements, the dictionary
 * cache. Only store/ includes this (it brings sqlite3.h).
 */
#ifndef STORE_SQLITE_CONNECTION_STORE_IMPL_H
#define STORE_SQLITE_CONNECTION_STORE_IMPL_H

#include "portolan/store.h"
#include "store/operations.h"
#include "store/sqlite/connection/busy.h"
#include "store/sqlite/connection/own_files.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/sqlite.h"
#include "store/sqlite/connection/stmt.h"
#include "store/sqlite/connection/writer_lock.h"

enum { STORE_APPLICATION_ID = 0x50544c4e /* "PTLN" */ };

struct ptl_store {
    store_head head; /* of every backend's stores: the operations */
    sqlite3 *db;
    char *path;          /* owned; as it was given */
    char *file;          /* owned; absolute, without links, as SQLite has it; NULL: in memory */
    own_recovery beside; /* when it was opened */
    ptl_open_mode mode;
    store_busy busy;
    store_interrupt interrupt;
    writer_lock lock;           /* of a store that was opened for writing */
    bool rollback_due;          /* a transaction could not be taken back; sqlite_settle does */
    stmt *prepared[STMT_COUNT]; /* prepared at their first use */
    struct dictionary *dictionary; /* dictionary.c's cache; NULL until used */
    void (*forget)(ptl_store *);   /* that cache, after a rollback; NULL while there is none */
    struct row_scratch *scratch;
    struct migrate_watch *watch; /* while the file is opened; mostly NULL */
    struct private_copy *copy;   /* owned: what db reads in place of the file; mostly NULL */
};

struct stmt {
    sqlite3_stmt *handle;
    ptl_store *store; /* borrowed */
    int bind_code;    /* the first bind that failed, reported by the next step */
};

/* The status that an SQLite result code means to our caller. */
ptl_status sqlite_status(int code);

/* Fills err from the connection's last error; context names what was tried. */
ptl_status sqlite_error(ptl_store *store, int code, const char *context, ptl_error *err);
/*
 * Is what SQLite takes for damage a read that failed? A statement hands on SQLITE_CORRUPT where
 * the system said EIO (SQLITE_IOERR_CORRUPTFS): only the errno tells it from damage.
 * Then *code becomes SQLITE_IOERR_READ, and *said is the errno.
 */
bool sqlite_unread(sqlite3 *db, int *code, int *said);
/* The errno of the system's call that made SQLite fail with this code; 0 where it is not
 * known. */
int sqlite_system_code(sqlite3 *db, int code);

/* Runs `sql`, which gives one integer (a PRAGMA). */
ptl_status sqlite_pragma_int(ptl_store *store, const char *sql, int64_t *out, ptl_error *err);

/* Takes back what could not be taken back when memory was out: else later changes would belong
 * to a transaction that nobody commits. Every statement's preparation does this first. */
ptl_status sqlite_settle(ptl_store *store, ptl_error *err);

/* A write transaction unless the caller has one open (*own false); then commits it, or rolls
 * it back if status is an error. */
ptl_status sqlite_begin_own(ptl_store *store, bool *own, ptl_error *err);
ptl_status sqlite_end_own(ptl_store *store, bool own, ptl_status status, ptl_error *err);

#endif
