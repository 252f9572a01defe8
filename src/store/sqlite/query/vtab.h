/*
 * Virtual tables and SQL functions over a world file, which sql_register.c lists. ptl_query
 * registers them on its own connection, ptl_sqlite_register on the connection of a host
 * program.
 * To add a table, declare a vtab_form below and list it in sql_register.c; vtab.c has the code
 * that all tables share. A function's user data is the sql_source; the function begins with
 * sql_function_ready.
 * The SQL in this code names tables as main.chunk, not as chunk, because on a host's connection
 * a temporary table of that name would be found first. Texts that are handed out as
 * SQLITE_STATIC live as long as the source (names of the dictionaries, sql_source_text); others
 * are SQLITE_TRANSIENT.
 */
#pragma once

#include "codec/pack.h"
#include "core/bytes.h"
#include "store/sqlite/connection/store_impl.h"

/* The object that the tables and functions of one connection share. It counts references, and
 * is freed when SQLite has dropped the last module, table or function. */
typedef struct sql_source {
    ptl_store *store; /* a store that reads the world file through the connection */
    /* The struct that `store` points to, if the connection is a host program's. */
    ptl_store own;
    bool host; /* the connection is a host program's, so the database `main` can be any file */
    bool checked; /* the database `main` was checked: it is a world file of this version, with
                   * Portolan's schema */
    int64_t schema_version; /* schema version of the database `main` when it was checked */
    /* Data version of the database `main` at the last sql_source_begin. */
    uint32_t data_version;
    /* Number of changes by the connection, in all its databases, at the last
     * sql_source_begin. */
    int64_t changes;
    bool writing; /* the connection was writing the database `main` at the last sql_source_begin
                   */
    /* Counts, from 1, how often a change of the database `main` was noticed. */
    uint64_t generation;
    int references;
    int connected;            /* number of connected virtual tables */
    size_t gathered;          /* number of values that all medians and percentiles keep at
                               * present */
    struct omt_levels *omts;  /* cache of decoded levels (omt_levels.c); NULL until used */
    struct oter_table *oters; /* ids and shapes of oters (oter_table.c); NULL until used */
    void *picture; /* what the SQL function chunk_png keeps from call to call; NULL: nothing yet
                    */
    void (*free_picture)(void *picture);
} sql_source;

/* What SQLite passes to a table's `filter`: the number and the text that best_index chose for
 * the query, and the values that the query's conditions compare with. */
typedef struct vtab_call {
    int number;
    const char *text;
    int count;
    sqlite3_value **values;
} vtab_call;

/*
 * A virtual table. It is eponymous, that is, used without CREATE VIRTUAL TABLE. The arguments
 * `table` and `cursor` of the functions below point to structs of the table's own, which begin
 * with a vtab_table or a vtab_cursor, and are zeroed when they are made.
 */
typedef struct vtab_form {
    size_t table_size; /* bytes of the table's struct; 0: the struct is vtab_table */
    size_t cursor_size;
    const char *declaration; /* "CREATE TABLE x (...)", which tells SQLite the table's columns;
                              * NULL: the function `declare` writes this text */
    void (*declare)(bytes *sql, void *table);
    int (*best_index)(sqlite3_vtab *table, sqlite3_index_info *info);
    void (*dispose)(void *cursor); /* frees what the cursor owns */
    /* Moves the cursor to the first row. The cursor's base.row is false when this is called. */
    ptl_status (*filter)(void *cursor, const vtab_call *call, ptl_error *err);
    ptl_status (*next)(void *cursor, ptl_error *err);
    ptl_status (*column)(void *cursor, sqlite3_context *context, int column, ptl_error *err);
    int64_t (*rowid)(const void *cursor);
    bool heavy; /* true: only the user's own SQL may read the table, not a view or trigger of
                   the file (see SQL_HEAVY) */
} vtab_form;

typedef struct sql_table {
    const char *name;
    const vtab_form *form;
    int which; /* number of this table among the tables that have the same form */
} sql_table;

/* The beginning of every virtual table's struct. */
typedef struct vtab_table {
    sqlite3_vtab base;
    const struct vtab_form *form;
    sql_source *source;
    int which; /* several tables may share a vtab_form; this is the table's number among them,
                * from the list of tables in sql_register.c */
} vtab_table;

/* The beginning of every virtual table's cursor. */
typedef struct vtab_cursor {
    sqlite3_vtab_cursor base;
    bool row; /* the cursor is on a row */
} vtab_cursor;

/*
 * Registers every table and function on the connection of a store that was opened for reading.
 * The store must live as long as the connection. *out lives until the connection is closed;
 * before that, the caller calls sql_source_release and frees the store's prepared statements.
 */
ptl_status sql_register(sql_source **out, ptl_store *store, ptl_error *err);
/* Implements ptl_sqlite_register. The store that it makes over the connection gets the given
 * operations. */
ptl_status sql_register_alone(sqlite3 *db, const store_operations *operations, ptl_error *err);

typedef struct sql_function {
    const char *name;
    int arguments, flags;
    void (*call)(sqlite3_context *context, int count, sqlite3_value **values);
} sql_function;

/* SQL functions and tables that code outside of src/store adds to the store's SQL: the member
 * `sql` of store_operations, which library/store.c sets. */
struct sql_above {
    const sql_function *functions;
    size_t count;
    const sql_table *tables;
    size_t table_count;
    /* For the virtual table local_tile: changes the tiles of a local map to how they are at the
     * tide of a turn. In a world without tides the map stays as it is. PTL_ERR_NOT_FOUND if a
     * chunk that is needed for this is not saved. */
    ptl_status (*flood)(sql_source *source, const char *world, stored_map *map, int64_t turn,
                        ptl_error *err);
};
/* Removes all tables and functions from a connection that stays open. This frees the
 * sql_source. */
void sql_unregister(sqlite3 *db, const struct sql_above *above);
/* Frees the statements and decoded levels that the source keeps. The texts that it has handed
 * out stay valid. */
void sql_source_release(sql_source *source);
void sql_source_unref(void *source); /* takes a void *, as SQLite's callbacks do */
/* Returns true if sql_register adds a function of this name. */
bool sql_function_known(const struct sql_above *above, const char *name);

/* Returns an equal text that lives as long as the source; NULL if memory is out. */
const char *sql_source_text(sql_source *source, const char *text);

/*
 * Call this before a virtual table or a function reads the file. It checks that the database
 * `main` still is a world file, and raises source->generation if it has changed. `main` can't
 * change until *held is given to sql_source_end. A caller that still reads after that must have
 * a running statement of its own by then, which protects what it reads.
 */
ptl_status sql_source_begin(sql_source *source, stmt **held, ptl_error *err);
void sql_source_end(stmt *held); /* held may be NULL */

/* Adds a table of the form to the source's connection; returns one of SQLite's result
 * codes. */
int vtab_add(sql_source *source, const char *name, const vtab_form *form, int which);
static inline sql_source *vtab_source_of(const vtab_cursor *cursor)
{
    return ((const vtab_table *)(const void *)cursor->base.pVtab)->source;
}

/* Calls sql_source_begin and sql_source_end for a function. Returns false after an error, which
 * is then the function's result. */
bool sql_function_ready(sqlite3_context *context);
/* Makes an error the result of the SQL function that is being called. */
void sql_function_failed(sqlite3_context *context, ptl_status status, const ptl_error *err);
/* Returns the result code for an error: SQLite's own code if the error has one. */
int sql_result_code(ptl_status status, const ptl_error *err);

/* Runs the SQL of users (query_exec.c), as portolan/query.h describes. */
extern const query_operations sqlite_queries;

/* ---- the forms of the tables ---- */
extern const vtab_form vtab_pack;   /* vtab_table.which of these tables is a pack_kind */
extern const char vtab_pack_view[]; /* statement that creates the temporary view `placement` */
extern const vtab_form vtab_terrain_count;
extern const vtab_form vtab_near;
extern const vtab_form vtab_omt;
extern const vtab_form vtab_region;

void sql_path_length(sqlite3_context *context, int count, sqlite3_value **values);

/*
 * Flags of SQL functions. SQL_PLAIN: always computes the same result from the same arguments.
 * The other two kinds of functions read the file, so their results can change with it.
 * SQL_READS: reads a few rows that any SELECT could read, so it is harmless wherever a file's
 * own schema calls it. SQL_HEAVY: takes megabytes and milliseconds, so only the user's own SQL
 * may call it, not a view or trigger that came with a file.
 */
enum {
    SQL_PLAIN = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
    SQL_READS = SQLITE_UTF8 | SQLITE_INNOCUOUS,
    SQL_HEAVY = SQLITE_UTF8 | SQLITE_DIRECTONLY
};

/* The tables that vtab_local.c implements, as values of `which`. */

enum {
    VTAB_LOCAL_MAP,
    VTAB_LOCAL_TILE,
    VTAB_LOCAL_ITEM,
    VTAB_LOCAL_MONSTER,
    VTAB_LOCAL_VEHICLE,
    VTAB_LOCAL_NPC,
    VTAB_LOCAL_FIELD,
    VTAB_LOCAL_TEXT,
    VTAB_LOCAL_COMPUTER,
    VTAB_LOCAL_ZONE,
    VTAB_LOCAL_FORMS
};

extern const vtab_form vtab_local;

typedef enum condition_kind {
    CONDITION_NONE,   /* conditions on this column are left to SQLite */
    CONDITION_TEXT,   /* the condition that the column is equal to a text is added to the SQL by
                       * which the table reads the file */
    CONDITION_NUMBER, /* conditions of equality and range on integers are added to the SQL by
                       * which the table reads the file; this SQL then gives exactly the rows
                       * that satisfy them */
    /* The column holds an absolute OMT. `sql` is the coordinate of the row's chunk; low..high
     * are the positions that the OMT may have within that chunk. */
    CONDITION_PLACE,
    /* The column holds an integer, and the SQL by which the table reads the file does not
     * restrict it. The table itself gives only rows whose integer is in the range that the
     * query allows (conditions_ranges). */
    CONDITION_RANGE,
    CONDITION_BOUND, /* as CONDITION_RANGE, the table looks only for integers in a range, but it
                        may also give other rows, so SQLite checks the condition again */
    CONDITION_OWN,   /* the table itself checks whether the column equals a value; SQLite checks
                      * it again */
    CONDITION_IDS /* the table itself checks whether the column equals a text, or one of a list
                     of texts (conditions_ids); SQLite checks it again */
} condition_kind;

typedef struct condition_column {
    condition_kind kind;
    const char *sql;
    int32_t low, high;
    double share; /* for SQLite's planner: if the query demands one value of this column, about
                     this share of all rows (0..1) has it */
} condition_column;

enum { CONDITIONS_MAX = 16 };

/*
 * Implements xBestIndex for conditions on `columns`, which must be the first columns of the
 * table. `rows` is the number of rows that the table gives without any condition. The text in
 * info->idxStr gets two letters for each value that the filter gets. The first letter is 'a'
 * plus the column's index. The second stands for SQL's operator: = < > for themselves, l for
 * <=, g for >=, i for a list of values.
 */
int conditions_plan(sqlite3_index_info *info, const condition_column *columns, int count,
                    double rows);

/* A range of integers, both ends included; empty if low > high. */
typedef struct place_range {
    int64_t low, high;
} place_range;

/* Computes the ranges that the query's conditions allow for columns of kind CONDITION_PLACE,
 * CONDITION_RANGE and CONDITION_BOUND; `ranges` has an element for each column. */
void conditions_ranges(place_range *ranges, const condition_column *columns, int count,
                       const vtab_call *call);

/* A SELECT over the file's tables. */
typedef struct condition_select {
    const char *sql;   /* the beginning of the SELECT, up to a WHERE clause to which conditions
                          are appended */
    const char *order; /* its ORDER BY clause, which comes behind the conditions */
    const condition_column *columns;
    int count;
} condition_select;

/* The rows of a SELECT that satisfy a cursor's conditions. The statement is used again for
 * calls with the same conditions. Zero this struct before its first use. */
typedef struct condition_rows {
    stmt *s;
    char *used; /* owned; the text that describes the conditions with which `s` was prepared */
} condition_rows;

/* Prepares the statement with the call's conditions, and computes, as conditions_ranges does,
 * the ranges of integers that the conditions allow. */
ptl_status conditions_start(condition_rows *rows, ptl_store *store,
                            const condition_select *select, const vtab_call *call,
                            place_range *ranges, ptl_error *err);
void condition_rows_dispose(condition_rows *rows);
/* Returns the value that the column must equal, for a column of kind CONDITION_OWN; NULL if the
 * query has no such condition. */
sqlite3_value *conditions_own(const vtab_call *call, int column);

/* The ids that a query's condition allows for a column of kind CONDITION_IDS. A single pass
 * over the table checks all of them, however many they are. */
typedef struct condition_ids {
    char **ids; /* owned: the allowed ids, sorted */
    size_t count, room;
    bool any; /* true: every id is allowed, since there is no condition, or only SQLite can
               * compare its value */
} condition_ids;

/* Reads the ids that the call's conditions allow for a column; *out is emptied first. */
ptl_status conditions_ids(condition_ids *out, ptl_store *store, const vtab_call *call,
                          int column, ptl_error *err);
/* Returns whether the id is among those allowed; false if it is NULL. */
bool condition_ids_has(const condition_ids *ids, const char *id);
void condition_ids_dispose(condition_ids *ids);

/* ---- tables with arguments ---- */

/*
 * Implements xBestIndex for a table whose `count` columns from `first` on are arguments, each
 * given by an equality. Bit i of the index number says that argument i is given; the values
 * come in that order. SQLite may propose a plan in which an argument's value comes from a table
 * that is read only later; such a plan is refused. The caller sets the estimates of the plan's
 * cost and rows.
 */
int arguments_plan(sqlite3_index_info *info, int first, int count);
