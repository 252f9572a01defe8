/*
 * Read-only SQL over a world file.
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

/* One value of a result row; text and blob are borrowed until the callback returns. */
typedef struct ptl_value {
    ptl_value_type type;
    int64_t integer;
    double real;
    const char *text; /* UTF-8, also the bytes of a blob */
    size_t size;      /* bytes of text or blob */
} ptl_value;

/*
 * A value for a parameter of the statement. name stands in the SQL behind one of : @ $ (:id is
 * called "id"; with its sign only that one is meant), or it is the number of a ? or ?N, from 1.
 * All is borrowed until the call returns.
 */
typedef struct ptl_query_parameter {
    const char *name;
    ptl_value value;
} ptl_query_parameter;

/*
 * What is read. In rollback mode a read holds up whoever wants to commit, so a query that takes
 * long while another store or process writes the file asks a snapshot: a copy, made as a backup
 * is, without a name and gone when the call returns or the process ends. In WAL mode, and in a
 * store that writes itself, the file is always asked.
 */
typedef enum ptl_query_reading {
    /* Read the file for a quarter of a second; what takes longer goes on with a snapshot, if
     * somebody writes or as soon as somebody begins. */
    PTL_QUERY_AUTO,
    PTL_QUERY_DIRECT,  /* the file, however long it takes: a writer waits */
    PTL_QUERY_SNAPSHOT /* a snapshot, from the beginning */
} ptl_query_reading;

/* What on_snapshot is told; borrowed until it returns. */
typedef struct ptl_query_snapshot {
    size_t size;
    uint64_t done, total; /* bytes; it begins anew where the file was written meanwhile */
    double seconds;       /* since the query began */
    const char *whom;     /* e.g. "process 77 on host (portolan generate)"; NULL: not known */
    bool ready;           /* it is made: the last call */
} ptl_query_snapshot;

typedef struct ptl_query_options {
    size_t size;
    uint64_t row_limit; /* 0: no limit; a longer result ends with PTL_ERR_LIMIT */
    double time_limit;  /* seconds; 0: no limit; passing it ends with PTL_ERR_LIMIT */
    /* names is given with every row. Returning false stops with PTL_ERR_CANCELLED. */
    bool (*on_row)(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values);
    void *payload;
    uint64_t byte_limit; /* of all values, 8 for each and the size of texts and blobs; 0: no
                          * limit; a larger result ends with PTL_ERR_LIMIT */
    ptl_query_reading reading;
    const char *folder; /* for snapshots; NULL: that of TMPDIR, or else /var/tmp */
    /* Called before a snapshot is copied, every few megabytes, and when it is ready. Returning
     * false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_snapshot)(void *payload, const ptl_query_snapshot *snapshot);
    /* One for each parameter of the statement, in any order. One that the statement does not
     * have, one that it has and that is missing here, and one that is given twice end with
     * PTL_ERR_ARGUMENT and a message that names it. */
    const ptl_query_parameter *parameters;
    size_t parameter_count;
} ptl_query_options;

#define PTL_QUERY_OPTIONS_INIT PTL_SIZED(ptl_query_options)

/*
 * Runs one SELECT (or other reading) statement, over the file's tables and views and over what
 * is packed in it: virtual tables such as omt and building, functions such as omt_at
 * (schema/format.md). An authorizer refuses everything that writes,
 * attaches or changes settings: PTL_ERR_ARGUMENT with SQLite's message. An empty result still
 * calls on_row never; ptl_query_column_list tells the names then. A text or blob has 4 MB at
 * most, and so have the widths and precisions of a printf together; the second argument of
 * instr and replace 1,000 bytes, of trim, ltrim and rtrim 32, those of json_patch 50,000, a
 * pattern of LIKE or GLOB 50,000, and its size times the text's 64 MiB; a function has 50
 * arguments. What is larger takes SQLite longer than a time limit, or who stops it, can see.
 *
 * No writer waits much longer than a quarter of a second for a query (PTL_QUERY_AUTO), or than
 * on_row takes with a row that it got before the writer came. While somebody writes, rows are
 * given when the file has been let go. If a writer comes when rows have been given already, the
 * rest is a snapshot's of the same moment: the writer waits for the copy (some 0.1 s for 100 MB
 * on an idle machine), and the query is run again up to that row. One that uses random() or the
 * time of day can't be: then, alone, the writer waits. A folder without room for the copy:
 * PTL_ERR_IO.
 */
PTL_API ptl_status ptl_query(ptl_store *store, const char *sql,
                             const ptl_query_options *options, ptl_error *err);

/* Calls on_name with each column's name of the statement, without running it; its parameters
 * need no values. */
PTL_API ptl_status ptl_query_column_list(ptl_store *store, const char *sql,
                                         void (*on_name)(void *payload, const char *name),
                                         void *payload, ptl_error *err);

/* What the file has that can be asked: tables and views, by name; of the library's own virtual
 * tables and functions those that stand in no schema are told by schema/tables.md alone. What
 * is given is borrowed until the callback returns. */
PTL_API ptl_status ptl_table_list(ptl_store *store,
                                  void (*on_table)(void *payload, const char *name,
                                                   bool is_view),
                                  void *payload, ptl_error *err);
/* The columns of one, in its order, with their declared types ("" for none); none of what is
 * not there. */
PTL_API ptl_status ptl_table_column_list(ptl_store *store, const char *table,
                                         void (*on_column)(void *payload, const char *name,
                                                           const char *type),
                                         void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
