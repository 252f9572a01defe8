/*
 * Runs SQL that only reads a world file.
 */
#ifndef PORTOLAN_QUERY_H
#define PORTOLAN_QUERY_H

#include "portolan/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ptl_value_type {
    PTL_VALUE_NULL,
    PTL_VALUE_INTEGER,
    PTL_VALUE_REAL,
    PTL_VALUE_TEXT,
    PTL_VALUE_BLOB
} ptl_value_type;

/* One value of a result row. text is borrowed until the callback returns. */
typedef struct ptl_value {
    ptl_value_type type;
    int64_t integer;
    double real;
    const char *text; /* UTF-8 text, or the bytes of a blob */
    size_t size;      /* number of bytes of the text or blob */
} ptl_value;

/*
 * A value for a parameter of the statement. A parameter's name in the statement begins with
 * `:`, `@` or `$`. `name` is this name, without that character ("id" stands for :id, @id and
 * $id) or with it (":id" stands only for :id). For a parameter ? or ?N, `name` is its number,
 * counted from 1. name and value are borrowed until the call returns.
 */
typedef struct ptl_query_parameter {
    const char *name;
    ptl_value value;
} ptl_query_parameter;

/*
 * What a query reads. In rollback mode, somebody who wants to commit must wait for readers to
 * finish. So a long query reads a snapshot while another store or process writes the file. A
 * snapshot is a copy that is made like a backup; it has no name, and is gone when the call
 * returns or the process ends. In WAL mode, and in a store that is open for writing, a query
 * always reads the file itself.
 */
typedef enum ptl_query_reading {
    /* Read the file itself for up to a quarter of a second. If the query takes longer, it goes
     * on with a snapshot, as soon as somebody writes the file or wants to. */
    PTL_QUERY_AUTO,
    PTL_QUERY_DIRECT,  /* always read the file itself, however long the query takes; whoever
                        * wants to write the file must wait */
    PTL_QUERY_SNAPSHOT /* make a snapshot before the query begins, and read only the snapshot */
} ptl_query_reading;

/* The state of a snapshot, for the callback on_snapshot; borrowed until the callback
 * returns. */
typedef struct ptl_query_snapshot {
    size_t size;
    uint64_t done, total; /* bytes that are copied already, and bytes to copy in all; copying
                           * begins anew if somebody writes the file meanwhile */
    double seconds;       /* seconds since the query began */
    const char *whom;     /* who writes the file, e.g. "process 77 on host (portolan
                           * generate)"; NULL: not known */
    bool ready;           /* true: the snapshot is ready, and this call of on_snapshot is the
                           * last one */
} ptl_query_snapshot;

typedef struct ptl_query_options {
    size_t size;
    uint64_t row_limit; /* largest number of rows; 0: no limit. A longer result ends with
                         * PTL_ERR_LIMIT */
    double time_limit;  /* longest time in seconds; 0: no limit. A query that takes longer ends
                         * with PTL_ERR_LIMIT */
    /* Called with each row of the result; names are the names of its columns. Returning false
     * stops with PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values);
    void *payload;
    uint64_t byte_limit; /* largest size of all values together, in bytes: 8 for each value,
                          * and the size of each text or blob; 0: no limit. A larger result
                          * ends with PTL_ERR_LIMIT */
    ptl_query_reading reading;
    const char *folder; /* folder for snapshots; NULL: the folder that TMPDIR names, else
                         * /var/tmp */
    /* Called before a snapshot is copied, then every few megabytes, and when the snapshot is
     * ready. Returning false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_snapshot)(void *payload, const ptl_query_snapshot *snapshot);
    /* One value for each parameter of the statement, in any order. PTL_ERR_ARGUMENT, with a
     * message that names the parameter, if the statement does not have it, if it is missing
     * here, or if it is given twice. */
    const ptl_query_parameter *parameters;
    size_t parameter_count;
} ptl_query_options;

#define PTL_QUERY_OPTIONS_INIT PTL_SIZED(ptl_query_options)

/*
 * Runs one SELECT or other reading statement. It can use the file's tables and views, and the
 * library's virtual tables (such as omt and building) and functions (such as omt_at) for what
 * the file holds in packed form (schema/tables.md). An authorizer refuses everything that would
 * write, attach a database or change settings: PTL_ERR_ARGUMENT with SQLite's message. For an
 * empty result on_row is never called; ptl_query_column_list gives the names of its columns.
 *
 * Some sizes are limited, since SQLite would work on larger values for longer than a time limit
 * or a stop can be noticed. A text or blob has at most 4 MB, and so have the widths and
 * precisions of one printf together. The second argument has at most 1,000 bytes for instr and
 * replace, 32 for trim, ltrim and rtrim. Arguments of json_patch and patterns of LIKE and GLOB
 * have at most 50,000 bytes, and the size of such a pattern times that of its text is at most
 * 64 MiB. A function has at most 50 arguments.
 *
 * With PTL_QUERY_AUTO, a writer that comes during a query waits about a quarter of a second, or
 * until on_row returns if that takes longer. While somebody writes, on_row is only called after
 * the file has been released. If a writer comes when on_row has got some rows already, the
 * remaining rows come from a snapshot of the same moment. The writer waits until the copy is
 * made (some 0.1 s for 100 MB on an idle machine). Then the query is run again on the snapshot,
 * and on_row gets the rows that it has not got yet. A query that uses random() or the time of
 * day can't be run again; only in this case the writer waits until the query ends. PTL_ERR_IO:
 * the folder has no room for the copy.
 */
PTL_API ptl_status ptl_query(ptl_store *store, const char *sql,
                             const ptl_query_options *options, ptl_error *err);

/* Calls on_name with the name of each column of the statement's result. The statement isn't
 * run, and its parameters need no values. */
PTL_API ptl_status ptl_query_column_list(ptl_store *store, const char *sql,
                                         void (*on_name)(void *payload, const char *name),
                                         void *payload, ptl_error *err);

/* Lists the tables and views that a query can use, by name. Virtual tables and functions of the
 * library that no SQL schema contains are not listed; schema/tables.md describes them. name is
 * borrowed until the callback returns. */
PTL_API ptl_status ptl_table_list(ptl_store *store,
                                  void (*on_table)(void *payload, const char *name,
                                                   bool is_view),
                                  void *payload, ptl_error *err);
/* Lists the columns of a table or view, in their order, with their declared types ("" for
 * none). Nothing is listed if there is no such table. name and type are borrowed until the
 * callback returns. */
PTL_API ptl_status ptl_table_column_list(ptl_store *store, const char *table,
                                         void (*on_column)(void *payload, const char *name,
                                                           const char *type),
                                         void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
