/*
 * Virtual tables and SQL functions over a world file: one list of them (sql_register.c), which
 * ptl_query puts on its own connection and ptl_sqlite_register on somebody else's.
 *
 * To add a table: a vtab_form that is declared below and listed in sql_register.c; vtab.c does
 * what all tables do alike. A function's user data is the sql_source; it begins with
 * sql_function_ready.
 *
 * SQL of ours names tables as main.chunk, not as chunk: on a host's connection a temporary
 * table of that name would come first. Texts that are handed out as SQLITE_STATIC live as long
 * as the source (names of the dictionaries, sql_source_text); others are SQLITE_TRANSIENT.
 */
#ifndef STORE_SQLITE_QUERY_VTAB_H
#define STORE_SQLITE_QUERY_VTAB_H

#include "codec/pack.h"
#include "core/bytes.h"
#include "store/sqlite/connection/store_impl.h"

/* What tables and functions of one connection share. Counted: the last module, table or
 * function that SQLite lets go of frees it. */
typedef struct sql_source {
    ptl_store *store;       /* a reader over the connection */
    ptl_store own;          /* that one, if the connection is a host's */
    bool host;              /* it is: main can be any file */
    bool checked;           /* it is a world file, of this version, with our schema */
    int64_t schema_version; /* then */
    uint32_t data_version;  /* of main when somebody last was ready */
    int64_t changes;        /* by the connection, in any of its databases, then */
    bool writing;           /* main was being written by the connection */
    uint64_t generation;    /* counts changes of main, as far as they were noticed; from 1 */
    int references;
    int connected;             /* virtual tables */
    size_t gathered;           /* values that medians and percentiles keep now */
    struct tile_levels *tiles; /* decoded levels: tile_levels.c; NULL until used */
    struct oter_table *oters;  /* what oters are called: oter_table.c; NULL until used */
    void *picture;             /* what chunk_png keeps; NULL until used */
    void (*free_picture)(void *picture);
} sql_source;

/* What every virtual table's structure begins with. */
typedef struct vtab_table {
    sqlite3_vtab base;
    const struct vtab_form *form;
    sql_source *source;
    int which; /* of the list's entry: one form can serve several tables */
} vtab_table;

/* What every virtual table's cursor begins with. */
typedef struct vtab_cursor {
    sqlite3_vtab_cursor base;
    bool row; /* it is on one */
} vtab_cursor;

/* What a query asks of a table: what best_index left, and the values that belong to it. */
typedef struct vtab_call {
    int number;
    const char *text;
    int count;
    sqlite3_value **values;
} vtab_call;

/*
 * A virtual table, eponymous: it is used without being created. `table` and `cursor` of its
 * functions point to its structures, which begin with a vtab_table and a vtab_cursor, and are
 * zero when they are new.
 */
typedef struct vtab_form {
    size_t table_size, cursor_size;
    const char *declaration; /* "CREATE TABLE x (...)"; NULL: declare makes it */
    void (*declare)(bytes *sql, void *table);
    void (*free_table)(void *table); /* what the table owns; NULL: nothing */
    int (*best_index)(sqlite3_vtab *table, sqlite3_index_info *info);
    void (*dispose)(void *cursor); /* what the cursor owns */
    /* To the first row; row is false before. */
    ptl_status (*filter)(void *cursor, const vtab_call *call, ptl_error *err);
    ptl_status (*next)(void *cursor, ptl_error *err);
    ptl_status (*column)(void *cursor, sqlite3_context *context, int column, ptl_error *err);
    int64_t (*rowid)(const void *cursor);
} vtab_form;

/*
 * Adds every table and function to the connection of a store that was opened for reading, which
 * lives as long. *out lives until it is closed; before that, the caller calls
 * sql_source_release and gives back the store's kept statements.
 */
ptl_status sql_register(sql_source **out, ptl_store *store, ptl_error *err);
/* ptl_sqlite_register, for a store of these operations. */
ptl_status sql_register_alone(sqlite3 *db, const store_operations *operations, ptl_error *err);
/* Takes all of it off a connection that somebody goes on with; *out of above is gone then. */
void sql_unregister(sqlite3 *db);
/* Gives back what the source keeps of the file: statements, decoded levels. Texts stay. */
void sql_source_release(sql_source *source);
void sql_source_unref(void *source); /* for SQLite */
/* Is it the name of a function that sql_register adds? */
bool sql_function_known(const char *name);

/* Returns the same text, living as long as the source; NULL when memory is out. */
const char *sql_source_text(sql_source *source, const char *text);

/*
 * Before a table or function reads: is main (still) a world file of ours, and did it change?
 * (source->generation.) It stays as it is until sql_source_end, for which *held is kept; who
 * reads on after that has a statement open by then.
 */
ptl_status sql_source_begin(sql_source *source, stmt **held, ptl_error *err);
void sql_source_end(stmt *held); /* NULL is fine */
/* Both, for who needs but a moment's answer. */
ptl_status sql_source_ready(sql_source *source, ptl_error *err);

/* Adds a table of the form to the source's connection; returns a result code of SQLite's. */
int vtab_add(sql_source *source, const char *name, const vtab_form *form, int which);
static inline sql_source *vtab_source_of(const vtab_cursor *cursor)
{
    return ((const vtab_table *)(const void *)cursor->base.pVtab)->source;
}

/* Makes the source ready. False: the function has failed, and its result says so. */
bool sql_function_ready(sqlite3_context *context);
void sql_function_failed(sqlite3_context *context, ptl_status status, const ptl_error *err);
/* The result code of an error: SQLite's own where it had one. */
int sql_result_code(ptl_status status, const ptl_error *err);

/* ---- the tables ---- */
extern const vtab_form vtab_pack;   /* which: a pack_kind */
extern const char vtab_pack_view[]; /* CREATE TEMP VIEW placement */
extern const vtab_form vtab_terrain_count;
extern const vtab_form vtab_near;
extern const vtab_form vtab_tile;
extern const vtab_form vtab_region;

/* ---- the functions ---- */
void sql_tile_at(sqlite3_context *context, int count, sqlite3_value **values);
void sql_path_length(sqlite3_context *context, int count, sqlite3_value **values);
void sql_oter_base(sqlite3_context *context, int count, sqlite3_value **values);
void sql_oter_rotate(sqlite3_context *context, int count, sqlite3_value **values);
void sql_oter_rotation(sqlite3_context *context, int count, sqlite3_value **values);
void sql_oter_line(sqlite3_context *context, int count, sqlite3_value **values);
void sql_wilson_low(sqlite3_context *context, int count, sqlite3_value **values);
void sql_wilson_high(sqlite3_context *context, int count, sqlite3_value **values);
void sql_percentile_step(sqlite3_context *context, int count, sqlite3_value **values);
void sql_percentile_inverse(sqlite3_context *context, int count, sqlite3_value **values);
void sql_percentile_value(sqlite3_context *context);
void sql_percentile_final(sqlite3_context *context);
void sql_stddev_step(sqlite3_context *context, int count, sqlite3_value **values);
void sql_stddev_final(sqlite3_context *context);
/* This one is in src/render/sql: it draws, and drawing stands above the store. It is weak: a
 * program that is linked without it, as most tests are, has no chunk_png. */
void sql_chunk_png(sqlite3_context *context, int count, sqlite3_value **values)
    __attribute__((weak));
/* Likewise of src/world/sql. */
void sql_tide(sqlite3_context *context, int count, sqlite3_value **values)
    __attribute__((weak));
void sql_tide_of(sqlite3_context *context, int count, sqlite3_value **values)
    __attribute__((weak));
void sql_water_at(sqlite3_context *context, int count, sqlite3_value **values)
    __attribute__((weak));
void sql_ford(sqlite3_context *context, int count, sqlite3_value **values)
    __attribute__((weak));
/* And what local_tile does: the terrain of a map that was read becomes what it is at a turn of
 * the tide; it stays in a world without tides. PTL_ERR_NOT_FOUND: a chunk that this depends on
 * is not saved. */
ptl_status sql_local_flood(sql_source *source, const char *world, stored_map *map, int64_t turn,
                           ptl_error *err) __attribute__((weak));

/* The tables that vtab_local.c serves, by their `which`. */

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

#endif
