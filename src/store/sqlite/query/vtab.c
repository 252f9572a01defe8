/* The code that all virtual tables share. The callbacks of a sqlite3_module call the functions
 * of a table's vtab_form. Conditions of a user's query are passed down to the SQL by which a
 * table reads the file. The tables and SQL functions of a connection share one sql_source. */
#include "store/sqlite/query/vtab.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/whole.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/query/omt_levels.h"
#include "store/sqlite/query/oter_table.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What SQLite hands to the functions of a virtual table: the table's form (vtab_form), and the
 * sql_source from which the table reads. */
typedef struct vtab_use {
    sql_source *source;
    const vtab_form *form;
    int which;
} vtab_use;

static const vtab_form *form_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const vtab_table *)(const void *)cursor->pVtab)->form;
}

/* ---- callbacks for virtual tables ---- */

static int declare(sqlite3 *db, vtab_table *table)
{
    bytes sql;
    if (table->form->declaration)
        return sqlite3_declare_vtab(db, table->form->declaration);
    bytes_init(&sql);
    table->form->declare(&sql, table);
    const char *text = bytes_text(&sql);
    const int code = text ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    bytes_dispose(&sql);
    return code;
}

static int on_connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                      sqlite3_vtab **out, char **message)
{
    const vtab_use *use = aux;
    (void)argc;
    (void)argv;
    (void)message;
    const size_t size = use->form->table_size ? use->form->table_size : sizeof(vtab_table);
    vtab_table *table = sqlite3_malloc64(size);
    if (!table)
        return SQLITE_NOMEM;
    memset(table, 0, size);
    table->form = use->form;
    table->source = use->source;
    table->which = use->which;
    int code = declare(db, table);
    /* Most of Portolan's virtual tables read only rows that any SELECT could read, and change
     * nothing. So a view or trigger that came with a file can do no more harm with these tables
     * than without them. */
    if (code == SQLITE_OK)
        code = sqlite3_vtab_config(db, use->form->heavy ? SQLITE_VTAB_DIRECTONLY
                                                        : SQLITE_VTAB_INNOCUOUS);
    if (code != SQLITE_OK) {
        sqlite3_free(table);
        return code;
    }
    use->source->connected++;
    use->source->references++; /* the table keeps the source alive, because SQLite drops the
                                * module before the table */
    *out = &table->base;
    return SQLITE_OK;
}

static int on_disconnect(sqlite3_vtab *base)
{
    vtab_table *table = (vtab_table *)(void *)base;
    sql_source *source = table->source;
    if (--source->connected == 0)
        sql_source_release(source);
    sql_source_unref(source);
    sqlite3_free(table);
    return SQLITE_OK;
}

static int on_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
    return ((vtab_table *)(void *)table)->form->best_index(table, info);
}

/* ---- callbacks for cursors ---- */

static int on_open(sqlite3_vtab *table, sqlite3_vtab_cursor **out)
{
    *out = calloc(1, ((vtab_table *)(void *)table)->form->cursor_size);
    return *out ? SQLITE_OK : SQLITE_NOMEM;
}

static int on_close(sqlite3_vtab_cursor *cursor)
{
    form_of(cursor)->dispose(cursor);
    free(cursor);
    return SQLITE_OK;
}

/* Returns the result code for SQLite. After a failure the cursor is on no row, and its table
 * has the message. */
static int answer(sqlite3_vtab_cursor *cursor, ptl_status status, const ptl_error *err)
{
    if (status == PTL_OK)
        return SQLITE_OK;
    ((vtab_cursor *)(void *)cursor)->row = false;
    sqlite3_free(cursor->pVtab->zErrMsg);
    cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", err->message);
    return sql_result_code(status, err);
}

static int on_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count,
                     sqlite3_value **values)
{
    const vtab_call call = {number, text, count, values};
    ptl_error err = {0};
    stmt *held;
    ((vtab_cursor *)(void *)cursor)->row = false;
    ptl_status status =
        sql_source_begin(vtab_source_of((vtab_cursor *)(void *)cursor), &held, &err);
    THEN(status, form_of(cursor)->filter(cursor, &call, &err));
    sql_source_end(held);
    return answer(cursor, status, &err);
}

static int on_next(sqlite3_vtab_cursor *cursor)
{
    ptl_error err = {0};
    return answer(cursor, form_of(cursor)->next(cursor, &err), &err);
}

static int on_eof(sqlite3_vtab_cursor *cursor)
{
    return !((const vtab_cursor *)(const void *)cursor)->row;
}

static int on_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column)
{
    ptl_error err = {0};
    return answer(cursor, form_of(cursor)->column(cursor, context, column, &err), &err);
}

static int on_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *out)
{
    *out = form_of(cursor)->rowid(cursor);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = on_connect, /* without xCreate no CREATE VIRTUAL TABLE can use this module, so
                             * there is only the one table that has the module's name */
    .xBestIndex = on_best_index,
    .xDisconnect = on_disconnect,
    .xOpen = on_open,
    .xClose = on_close,
    .xFilter = on_filter,
    .xNext = on_next,
    .xEof = on_eof,
    .xColumn = on_column,
    .xRowid = on_rowid,
};

static void unref_use(void *payload)
{
    vtab_use *use = payload;
    sql_source_unref(use->source);
    free(use);
}

int vtab_add(sql_source *source, const char *name, const vtab_form *form, int which)
{
    vtab_use *use = malloc(sizeof *use);
    if (!use)
        return SQLITE_NOMEM;
    *use = (vtab_use){source, form, which};
    source->references++;
    /* If this fails, SQLite has already called unref_use. */
    return sqlite3_create_module_v2(source->store->db, name, &module, use, unref_use);
}

/*
 * Conditions of a query that a virtual table passes down to its own SQL. A text has two letters
 * for each condition: the column and the operator. The table's statement is made from that
 * text, and is used again as long as the text stays the same. Conditions on absolute OMTs
 * become bounds for the chunk's coordinate, which is a column of an index.
 */

/* The letters for operators in the text that describes a query's conditions: each of = < >
 * stands for itself, 'l' for <=, 'g' for >=, and 'i' for a whole list of values. */
enum { OP_EQ = '=', OP_LT = '<', OP_LE = 'l', OP_GT = '>', OP_GE = 'g', OP_IN = 'i' };

static const int64_t PLACE_MAX = INT64_C(1) << 40;
static const place_range NO_PLACE = {1, 0};

/* Returns the letter for one of SQLite's operators; 0 if conditions with it are not repeated in
 * the table's own SQL, but left to SQLite. */
static char condition_letter(unsigned char op)
{
    static const char letters[] = {[SQLITE_INDEX_CONSTRAINT_EQ] = OP_EQ,
                                   [SQLITE_INDEX_CONSTRAINT_LT] = OP_LT,
                                   [SQLITE_INDEX_CONSTRAINT_LE] = OP_LE,
                                   [SQLITE_INDEX_CONSTRAINT_GT] = OP_GT,
                                   [SQLITE_INDEX_CONSTRAINT_GE] = OP_GE};
    return op < sizeof letters ? letters[op] : '\0';
}

/* Returns true if the table itself can check a condition of the query, so that SQLite need not.
 * Texts are compared byte by byte here; a condition with another collation is left to SQLite.
 */
static bool takes(sqlite3_index_info *info, int i, condition_kind kind, char letter)
{
    if (kind == CONDITION_TEXT || kind == CONDITION_OWN || kind == CONDITION_IDS)
        return letter == OP_EQ && strcmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
    return letter != 0 && kind != CONDITION_NONE;
}

/*
 * A virtual table reads its rows by SQL of its own, in which some conditions of the query are
 * repeated. Returns true if this SQL gives exactly the rows that satisfy the condition, so that
 * SQLite need not check it again. For a text column this holds if the value with which it is
 * compared is a text. For an integer column it always holds, because the virtual table's column
 * and the column in the table's own SQL have the same affinity, and so compare in the same way.
 * It also holds for CONDITION_RANGE, since the table gives only rows in the range.
 */
static bool exact(sqlite3_index_info *info, int i, condition_kind kind)
{
    sqlite3_value *value = NULL;
    if (kind != CONDITION_TEXT)
        return kind == CONDITION_NUMBER || kind == CONDITION_RANGE;
    return sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value &&
           sqlite3_value_type(value) == SQLITE_TEXT;
}

int conditions_plan(sqlite3_index_info *info, const condition_column *columns, int count,
                    double rows)
{
    char used[2 * CONDITIONS_MAX + 1];
    int n = 0;
    for (int i = 0; i < info->nConstraint && n < CONDITIONS_MAX; i++) {
        const int column = info->aConstraint[i].iColumn;
        const char letter = condition_letter(info->aConstraint[i].op);
        if (!info->aConstraint[i].usable || column < 0 || column >= count ||
            !takes(info, i, columns[column].kind, letter))
            continue;
        const bool list =
            columns[column].kind == CONDITION_IDS && sqlite3_vtab_in(info, i, -1) != 0;
        if (list)
            sqlite3_vtab_in(info, i, 1);
        used[2 * n] = (char)('a' + column);
        used[2 * n + 1] = list ? OP_IN : letter;
        info->aConstraintUsage[i].argvIndex = ++n;
        info->aConstraintUsage[i].omit = exact(info, i, columns[column].kind);
        /* SQLite's planner needs a guess of how many rows the condition leaves: a range or a
         * list leaves more than an equality does. */
        rows *= letter == OP_EQ && !list ? columns[column].share : sqrt(columns[column].share);
    }
    used[2 * n] = '\0';
    info->idxStr = sqlite3_mprintf("%s", used);
    info->needToFreeIdxStr = 1;
    info->estimatedCost = rows + 10; /* 10 is added for the work of finding the first row */
    info->estimatedRows = rows < 1 ? 1 : (sqlite3_int64)rows;
    return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- ranges of integers ---- */

static void keep_integer(place_range *r, char letter, int64_t v)
{
    if ((letter == OP_LT && v == INT64_MIN) || (letter == OP_GT && v == INT64_MAX)) {
        *r = NO_PLACE;
        return;
    }
    const int64_t low = letter == OP_GT ? v + 1 : v, high = letter == OP_LT ? v - 1 : v;
    if (letter != OP_LT && letter != OP_LE && low > r->low)
        r->low = low;
    if (letter != OP_GT && letter != OP_GE && high < r->high)
        r->high = high;
}

/* Narrows the range by comparing integers with a real number: 2.5 < x means 3 <= x. Reals from
 * 2^63 on are above all integers. */
static void keep_real(place_range *r, char letter, double v)
{
    const double limit = 9223372036854775808.0;
    const bool upward = letter == OP_GT || letter == OP_GE, whole = floor(v) == v;
    const double end = upward ? ceil(v) : floor(v);
    if (letter == OP_EQ ? !whole || v < -limit || v >= limit : upward && end >= limit) {
        *r = NO_PLACE;
    } else if (v < -limit) {
        if (!upward)
            *r = NO_PLACE;
    } else if (v < limit) {
        keep_integer(r, whole ? letter : upward ? OP_GE : OP_LE, (int64_t)end);
    }
}

/* Narrows the range to the integers v for which "v <letter> value" is true, as SQL compares:
 * a text that is a number counts as this number; other texts, and blobs, are above all
 * numbers. */
static void keep(place_range *r, char letter, sqlite3_value *value)
{
    const int type = sqlite3_value_numeric_type(value);
    if (type == SQLITE_INTEGER)
        keep_integer(r, letter, sqlite3_value_int64(value));
    else if (type == SQLITE_FLOAT)
        keep_real(r, letter, sqlite3_value_double(value));
    else if (type == SQLITE_NULL || (letter != OP_LT && letter != OP_LE))
        *r = NO_PLACE;
}

void conditions_ranges(place_range *ranges, const condition_column *columns, int count,
                       const vtab_call *call)
{
    for (int i = 0; i < count; i++)
        ranges[i] = (place_range){INT64_MIN, INT64_MAX};
    for (int i = 0; call->text[2 * i]; i++) {
        const int column = call->text[2 * i] - 'a';
        const condition_kind kind = columns[column].kind;
        if (kind == CONDITION_PLACE || kind == CONDITION_RANGE || kind == CONDITION_BOUND)
            keep(&ranges[column], call->text[2 * i + 1], call->values[i]);
    }
}

/* ---- the statement of a cursor ---- */

static int64_t clamped(int64_t v)
{
    return v > PLACE_MAX ? PLACE_MAX : v < -PLACE_MAX ? -PLACE_MAX : v;
}

static int bind_values(stmt *s, const condition_column *columns, const vtab_call *call,
                       const place_range *ranges)
{
    int code = SQLITE_OK;
    for (int i = 0; call->text[2 * i] && code == SQLITE_OK; i++) {
        const int column = call->text[2 * i] - 'a', first = 2 * i + 1;
        const condition_column *c = &columns[column];
        const place_range *r = &ranges[column];
        const bool none = r->low > r->high;
        if (c->kind == CONDITION_TEXT || c->kind == CONDITION_NUMBER)
            code = sqlite3_bind_value(s->handle, first, call->values[i]);
        if (c->kind != CONDITION_PLACE)
            continue;
        stmt_bind_int(s, first,
                      none ? 1 : floor_div(clamped(r->low) - c->high, PTL_CHUNK_SIZE));
        stmt_bind_int(s, first + 1,
                      none ? 0 : floor_div(clamped(r->high) - c->low, PTL_CHUNK_SIZE));
    }
    return code;
}

/* Appends a condition of the query to the SQL. The condition may use the SQL parameters ?first
 * and ?first + 1. */
static void put_condition(bytes *sql, const condition_column *c, int letter, int first)
{
    if (c->kind == CONDITION_TEXT)
        bytes_printf(sql, " AND (typeof(?%d) NOT IN ('text', 'null') OR %s = ?%d)", first,
                     c->sql, first);
    else if (c->kind == CONDITION_NUMBER)
        bytes_printf(sql, " AND %s %s ?%d", c->sql,
                     letter == OP_LE   ? "<="
                     : letter == OP_GE ? ">="
                     : letter == OP_LT ? "<"
                     : letter == OP_GT ? ">"
                                       : "=",
                     first);
    else if (c->kind == CONDITION_PLACE)
        bytes_printf(sql, " AND %s BETWEEN ?%d AND ?%d", c->sql, first, first + 1);
}

static ptl_status prepare(condition_rows *rows, ptl_store *store,
                          const condition_select *select, const char *used, ptl_error *err)
{
    if (rows->s && strcmp(rows->used, used) == 0) {
        stmt_reset(rows->s);
        return PTL_OK;
    }
    condition_rows_dispose(rows);
    rows->used = strdup(used);
    bytes sql;
    bytes_init(&sql);
    bytes_put_text(&sql, select->sql);
    for (int i = 0; used[2 * i]; i++)
        put_condition(&sql, &select->columns[used[2 * i] - 'a'], used[2 * i + 1], 2 * i + 1);
    bytes_put_text(&sql, select->order);
    const char *text = rows->used ? bytes_text(&sql) : NULL;
    const ptl_status status =
        text ? stmt_prepare(&rows->s, store, text, err) : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}

ptl_status conditions_start(condition_rows *rows, ptl_store *store,
                            const condition_select *select, const vtab_call *call,
                            place_range *ranges, ptl_error *err)
{
    TRY(prepare(rows, store, select, call->text, err));
    conditions_ranges(ranges, select->columns, select->count, call);
    return bind_values(rows->s, select->columns, call, ranges) == SQLITE_OK ? PTL_OK
                                                                            : error_nomem(err);
}

void condition_rows_dispose(condition_rows *rows)
{
    stmt_free(rows->s);
    free(rows->used);
    *rows = (condition_rows){NULL, NULL};
}

sqlite3_value *conditions_own(const vtab_call *call, int column)
{
    for (int i = 0; call->text[2 * i]; i++)
        if (call->text[2 * i] == 'a' + column && call->text[2 * i + 1] == OP_EQ)
            return call->values[i];
    return NULL;
}

/* ---- lists of ids ---- */

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void condition_ids_dispose(condition_ids *ids)
{
    for (size_t i = 0; i < ids->count; i++)
        free(ids->ids[i]);
    free(ids->ids);
    *ids = (condition_ids){0};
}

/* Adds an id that a query wants. NULL equals nothing and is skipped. A value that is no text
 * sets `any`: SQLite may convert it to a text before it compares, so only SQLite can decide. */
static ptl_status add_id(condition_ids *ids, sqlite3_value *value, ptl_error *err)
{
    if (sqlite3_value_type(value) != SQLITE_TEXT) {
        ids->any = ids->any || sqlite3_value_type(value) != SQLITE_NULL;
        return PTL_OK;
    }
    const char *text = (const char *)sqlite3_value_text(value);
    char *copy = text && ARRAY_ROOM(ids->ids, ids->room, ids->count + 1) ? strdup(text) : NULL;
    if (!copy)
        return error_nomem(err);
    ids->ids[ids->count++] = copy;
    return PTL_OK;
}

static ptl_status add_list(condition_ids *ids, ptl_store *store, sqlite3_value *list,
                           ptl_error *err)
{
    sqlite3_value *value = NULL;
    ptl_status status = PTL_OK;
    int code = sqlite3_vtab_in_first(list, &value);
    while (code == SQLITE_OK && value && status == PTL_OK) {
        status = add_id(ids, value, err);
        code = sqlite3_vtab_in_next(list, &value);
    }
    if (status == PTL_OK && code != SQLITE_OK && code != SQLITE_DONE)
        return sqlite_error(store, code, "reading a list", err);
    return status;
}

ptl_status conditions_ids(condition_ids *out, ptl_store *store, const vtab_call *call,
                          int column, ptl_error *err)
{
    const char *used = call->text;
    condition_ids_dispose(out);
    out->any = true;
    for (int i = 0; used[2 * i] && out->any; i++) {
        const char op = used[2 * i + 1];
        if (used[2 * i] != 'a' + column || (op != OP_EQ && op != OP_IN))
            continue;
        condition_ids_dispose(out);
        TRY(op == OP_IN ? add_list(out, store, call->values[i], err)
                        : add_id(out, call->values[i], err));
    }
    if (out->count > 1)
        qsort(out->ids, out->count, sizeof *out->ids, compare_ids);
    return PTL_OK;
}

bool condition_ids_has(const condition_ids *ids, const char *id)
{
    return ids->any || (id && ids->count > 0 &&
                        bsearch(&id, ids->ids, ids->count, sizeof *ids->ids, compare_ids));
}

/* ---- tables with arguments ---- */

int arguments_plan(sqlite3_index_info *info, int first, int count)
{
    int next = 1;
    for (int argument = 0; argument < count; argument++) {
        int at = 0;
        while (at < info->nConstraint &&
               (info->aConstraint[at].iColumn != first + argument ||
                info->aConstraint[at].op != SQLITE_INDEX_CONSTRAINT_EQ))
            at++;
        if (at == info->nConstraint)
            continue;
        if (!info->aConstraint[at].usable)
            return SQLITE_CONSTRAINT;
        info->idxNum |= 1 << argument;
        info->aConstraintUsage[at].argvIndex = next++;
        info->aConstraintUsage[at].omit = 1;
    }
    return SQLITE_OK;
}

/* ---- the source ---- */

/*
 * The source of the virtual tables and functions of one connection. On a host's connection
 * anything can happen between two calls: another file's schema, changed rows, the end of the
 * connection. So the database `main` is checked before each use. The check compares version
 * counters, which is cheap; it is thorough only if the schema has changed since the last check.
 * The store's prepared statements would keep a connection from being closed. They are freed
 * when the last virtual table is disconnected; SQLite disconnects tables before it looks for
 * open statements.
 */

void sql_source_release(sql_source *source)
{
    if (source->free_picture)
        source->free_picture(source->picture);
    source->picture = NULL;
    source->free_picture = NULL;
    omt_levels_free(source->omts);
    source->omts = NULL;
    oter_table_release(source->oters);
    for (size_t i = 0; i < STMT_COUNT && source->host; i++) {
        stmt_free(source->own.prepared[i]);
        source->own.prepared[i] = NULL;
    }
}

void sql_source_unref(void *payload)
{
    sql_source *source = payload;
    if (--source->references > 0)
        return;
    sql_source_release(source);
    oter_table_free(source->oters);
    if (source->host) {
        dictionary_forget(&source->own);
        row_scratch_free(source->own.scratch);
    }
    free(source);
}

const char *sql_source_text(sql_source *source, const char *text)
{
    return row_scratch_kind(source->store->scratch, text);
}

/* ---- checking the database main ---- */

static ptl_status check_file(sql_source *source, ptl_error *err)
{
    int64_t id = 0, version = 0;
    ptl_store *store = source->store;
    TRY(sqlite_pragma_int(store, "PRAGMA main.application_id", &id, err));
    TRY(sqlite_pragma_int(store, "PRAGMA main.user_version", &version, err));
    if (id != STORE_APPLICATION_ID)
        return error_set(err, PTL_ERR_FORMAT,
                         "the database 'main' is not a world file of Portolan: open one, and "
                         "load the extension into that connection");
    if (version > migrate_last_version())
        return error_set(err, PTL_ERR_NEWER,
                         "made by a newer Portolan: schema version %lld, this one knows %d",
                         (long long)version, migrate_last_version());
    if (version < migrate_last_version())
        return migrate_refuse(store, err);
    return schema_check(store, err);
}

static ptl_status look_again(sql_source *source, ptl_error *err)
{
    int64_t version = 0;
    ptl_status status =
        sqlite_pragma_int(source->store, "PRAGMA main.schema_version", &version, err);
    if (status != PTL_OK || (source->checked && version == source->schema_version))
        return status;
    source->checked = false;
    if (source->host)
        status = check_file(source, err);
    source->checked = status == PTL_OK;
    source->schema_version = version;
    return status;
}

static ptl_status ready(sql_source *source, stmt *touch, ptl_error *err)
{
    uint32_t version = 0;
    bool row = false;
    if (touch)
        TRY(stmt_step(touch, &row, err));
    int code =
        sqlite3_file_control(source->store->db, "main", SQLITE_FCNTL_DATA_VERSION, &version);
    if (code != SQLITE_OK)
        return sqlite_error(source->store, code, "reading the file's state", err);
    /*
     * Two numbers tell whether the database has changed. The data version counts commits of
     * other connections; the number of changes counts rows that this connection has changed,
     * committed or not. A third sign is that a write transaction of this connection has ended,
     * since it may have undone changes.
     */
    const int64_t changes = sqlite3_total_changes64(source->store->db);
    const bool writing = sqlite3_txn_state(source->store->db, "main") == SQLITE_TXN_WRITE;
    if (source->checked && version == source->data_version && changes == source->changes &&
        writing >= source->writing)
        return PTL_OK;
    source->data_version = version;
    source->changes = changes;
    source->writing = writing;
    source->generation++;
    return look_again(source, err);
}

ptl_status sql_source_begin(sql_source *source, stmt **held, ptl_error *err)
{
    *held = NULL;
    /* Makes sure that at least one virtual table is connected. SQLite disconnects virtual
     * tables before it closes the connection; that is how we learn that the connection ends. If
     * a program used only SQL functions, no table would be connected. So a statement over a
     * virtual table is prepared here, which connects the table. */
    stmt *s = NULL;
    ptl_status status = PTL_OK;
    if (source->host && source->connected <= 0)
        status = stmt_prepare(&s, source->store, "SELECT 1 FROM omt", err);
    stmt_free(s);
    TRY(status);
    if (sqlite3_txn_state(source->store->db, "main") == SQLITE_TXN_NONE)
        status = stmt_prepared(held, source->store, STMT_TOUCH, err);
    THEN(status, ready(source, *held, err));
    if (status != PTL_OK) {
        sql_source_end(*held);
        *held = NULL;
    }
    return status;
}

void sql_source_end(stmt *held)
{
    stmt_reset(held);
}

/* ---- results of modules and functions ---- */

/* If the error has SQLite's own code, that is returned, because the host decides by it what to
 * do. */
int sql_result_code(ptl_status status, const ptl_error *err)
{
    if (err->backend_code)
        return err->backend_code;
    if (status == PTL_ERR_NOMEM)
        return SQLITE_NOMEM;
    if (status == PTL_ERR_CANCELLED)
        return SQLITE_INTERRUPT;
    return status == PTL_ERR_CORRUPT ? SQLITE_CORRUPT_VTAB : SQLITE_ERROR;
}

bool sql_function_ready(sqlite3_context *context)
{
    ptl_error err = {0};
    stmt *held;
    ptl_status status = sql_source_begin(sqlite3_user_data(context), &held, &err);
    sql_source_end(held);
    if (status != PTL_OK)
        sql_function_failed(context, status, &err);
    return status == PTL_OK;
}

void sql_function_failed(sqlite3_context *context, ptl_status status, const ptl_error *err)
{
    sqlite3_result_error(context, err->message, -1);
    sqlite3_result_error_code(context, sql_result_code(status, err));
}
