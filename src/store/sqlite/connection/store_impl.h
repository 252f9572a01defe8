/* The struct of a store in this backend: its connection, its prepared statements and its
 * dictionary cache. Only files of store/sqlite include this header, since it includes
 * sqlite3.h. */
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
    store_head head; /* first member of every backend's store: its operations */
    sqlite3 *db;
    char *path;          /* owned; the path that the caller gave */
    char *file;          /* owned; absolute path without links, which SQLite opens; NULL if the
                          * store is in memory */
    own_recovery beside; /* which journal or WAL lay beside the world file when it was opened */
    ptl_open_mode mode;
    store_busy busy;
    store_interrupt interrupt;
    writer_lock lock;  /* held if the store was opened for writing a file */
    bool rollback_due; /* true if rolling back has failed; sqlite_settle then tries it again */
    stmt *prepared[STMT_COUNT]; /* the store's own statements, each prepared at its first use */
    struct dictionary *dictionary; /* owned; cache of names and their numbers (dictionary.c);
                                    * NULL until its first use */
    /* Drops the dictionary cache after a rollback; NULL while there is no cache. */
    void (*forget)(ptl_store *);
    struct row_scratch *scratch;
    /* Set while the file is opened by a caller who wants reports of a migration; otherwise
     * NULL. */
    struct migrate_watch *watch;
    /* Of a transient store: its present content, and the one that an import is writing. Owned
     * by store/sqlite/held. */
    struct {
        struct held_content *present, *next;
    } held;
    /* Owned; the copy of the file that db reads; NULL: db reads the file itself. */
    struct private_copy *copy;
};

struct stmt {
    sqlite3_stmt *handle;
    ptl_store *store; /* borrowed */
    int bind_code;    /* code of the first bind that failed, reported by the next step */
};

/* Remembers the code of a failed bind, unless an earlier bind has failed. */
void stmt_note_bind(stmt *s, int code);

/* Sets the switches of a connection that make a hostile database harmless: nothing in its
 * schema is trusted, and no trigger runs. Returns SQLite's result code. */
int sqlite_distrust(sqlite3 *db);

/* Returns the store's status for a result code of SQLite. */
ptl_status sqlite_status(int code);

/* Returns the status for a result code and fills err, with the message of the connection's last
 * error. `context` says what was tried. */
ptl_status sqlite_error(ptl_store *store, int code, const char *context, ptl_error *err);
/* Finds out whether SQLite reports damage only because the system could not read the file. For
 * a failed read SQLite may give the same code as for damage (SQLITE_CORRUPT); then only the
 * errno of the system call shows it. If a read failed, *code becomes SQLITE_IOERR_READ and
 * *said the errno, and the result is true. */
bool sqlite_unread(sqlite3 *db, int *code, int *said);
/* Returns SQLite's handle of the file that the connection has open; NULL if there is no file,
 * or if it can't be read. */
sqlite3_file *sqlite_main_file(sqlite3 *db);
/* Returns the errno of the failed system call that made SQLite return this code; 0 if it is not
 * known. */
int sqlite_system_code(sqlite3 *db, int code);

/* Runs `sql`, a PRAGMA or query that gives one integer. */
ptl_status sqlite_pragma_int(ptl_store *store, const char *sql, int64_t *out, ptl_error *err);

/* Begins a write transaction unless the caller has one open; *own becomes true if this call
 * began one. If `own` is true, sqlite_end_own commits the transaction, or rolls it back if
 * `status` is an error. */
ptl_status sqlite_begin_own(ptl_store *store, bool *own, ptl_error *err);
ptl_status sqlite_end_own(ptl_store *store, bool own, ptl_status status, ptl_error *err);
