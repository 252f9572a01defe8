#include "store/sqlite/catalogue/content_past.h"

#include "codec/compress.h"
#include "core/array.h"
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_checksum.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Most bytes of one table's rows, which decompressor_run accepts. */
    TABLE_SIZE_MAX = 64 << 20,
    COLUMNS_MAX = 60,
    LEVEL = 9 /* compression level: a third smaller than level 1; 50 ms for the largest game */
};

/* Is the table kept? Table content itself is not, since its rows stay in the file. */
static bool is_kept(const content_table *t)
{
    return t->loaded && strcmp(t->name, "content") != 0;
}

int content_past_tables(void)
{
    int count = 0;
    for (const content_table *t = content_tables; t->name; t++)
        count += is_kept(t);
    return count;
}

static bool is_wanted(const char *name, const char *const *tables)
{
    bool found = !tables;
    for (size_t i = 0; !found && tables[i]; i++)
        found = strcmp(name, tables[i]) == 0;
    return found;
}

/* ---- keeping ---- */

typedef struct keeper {
    ptl_store *store;
    int64_t content_id;
    compressor *compressor;
    stmt *insert;
    bytes rows, packed, sum;
} keeper;

/* Writes one table of the content as a single row: all its values, one after the other,
 * compressed. */
static ptl_status keep_table(keeper *k, const content_table *t, int64_t id, ptl_error *err)
{
    int64_t count = 0;
    stmt *s = NULL;
    bytes_clear(&k->rows);
    ptl_status status = content_table_prepare(&s, k->store, t, err);
    while (stmt_row(s, &status, err)) {
        rowsum_columns(&k->rows, s, 0, sqlite3_column_count(s->handle));
        count++;
        if (k->rows.failed)
            status = error_nomem(err);
        else if (k->rows.size > TABLE_SIZE_MAX)
            status = error_set(err, PTL_ERR_LIMIT,
                               "worlds of this file were made with its present content, which "
                               "is too large to be kept beside another: table %s has more than "
                               "%d MB. Import into another file",
                               t->name, TABLE_SIZE_MAX >> 20);
    }
    stmt_free(s);

    bytes_clear(&k->packed);
    if (status == PTL_OK)
        status = compressor_run(k->compressor, &k->packed,
                                k->rows.data ? k->rows.data : (uint8_t *)"", k->rows.size,
                                LEVEL, err);
    if (status != PTL_OK)
        return status;
    row_value v[PAST_COLUMN_COUNT] = {[PAST_COLUMN_ID] = row_int(id),
                                      [PAST_COLUMN_CONTENT_ID] = row_int(k->content_id),
                                      [PAST_COLUMN_NAME] = row_text(t->name),
                                      [PAST_COLUMN_ROW_COUNT] = row_int(count),
                                      [PAST_COLUMN_SIZE] = row_int((int64_t)k->rows.size),
                                      [PAST_COLUMN_DATA] =
                                          row_blob(k->packed.data, k->packed.size)};
    TRY(row_seal(v, row_table_of(TABLE_PAST), &k->sum, err));
    row_bind(k->insert, 1, row_table_of(TABLE_PAST), v);
    return stmt_run(k->insert, err);
}

ptl_status sqlite_content_keep(ptl_store *store, ptl_error *err)
{
    keeper k = {.store = store};
    ptl_error damage = {0};
    /* Gets the present content's id if something was made with it; otherwise 0. */
    TRY(stmt_ask(&k.content_id, store,
                 "SELECT c.id FROM content c WHERE c.is_current = 1 AND "
                 "(EXISTS (SELECT 1 FROM world WHERE content_id = c.id) OR "
                 "EXISTS (SELECT 1 FROM chunk WHERE content_id = c.id) OR "
                 "EXISTS (SELECT 1 FROM sweep WHERE content_id = c.id))",
                 NULL, 0, err));
    if (k.content_id == 0)
        return PTL_OK;
    ptl_status status = sqlite_content_check_loaded(store, &damage);
    if (status == PTL_ERR_CORRUPT)
        return PTL_OK;
    if (status != PTL_OK)
        return error_copy(err, &damage);
    k.compressor = compressor_new();
    status = k.compressor ? PTL_OK : error_nomem(err);
    int64_t id = 0;
    THEN(status,
         stmt_ask(&id, store, "SELECT coalesce(max(id), 0) FROM content_past", NULL, 0, err));
    THEN(status, stmt_prepare(&k.insert, store, row_table_of(TABLE_PAST)->insert, err));
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        if (is_kept(t))
            status = keep_table(&k, t, ++id, err);
    stmt_free(k.insert);
    compressor_free(k.compressor);
    bytes_dispose(&k.rows);
    bytes_dispose(&k.packed);
    bytes_dispose(&k.sum);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "keeping the earlier content");
}

ptl_status content_past_list(int64_t **ids, size_t *count, ptl_store *store, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *list = NULL;
    size_t n = 0, room = 0;
    *ids = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(&s, store,
                                     "SELECT DISTINCT p.content_id FROM main.content_past p "
                                     "LEFT JOIN main.content c ON c.id = p.content_id "
                                     "ORDER BY c.imported_at DESC, p.content_id DESC",
                                     err);
    while (stmt_row(s, &status, err))
        if (ARRAY_ROOM(list, room, n + 1))
            list[n++] = stmt_int(s, 0);
        else
            status = error_nomem(err);
    stmt_free(s);
    if (status != PTL_OK) {
        free(list);
        return status;
    }
    *ids = list;
    *count = n;
    return PTL_OK;
}

/* ---- asking ---- */

static ptl_status damaged(const char *table, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "the kept rows of table %.60s are damaged", table);
}

/* Binds the next value of the bytes; false if they hold none. */
static bool bind_value(stmt *s, int index, byte_reader *r)
{
    const uint8_t tag = byte_reader_u8(r);
    const uint64_t word = tag == ROW_NULL ? 0 : byte_reader_u64(r);
    double real;
    if (r->failed || tag > ROW_BLOB)
        return false;
    if (tag == ROW_INTEGER) {
        stmt_bind_int(s, index, (int64_t)word);
    } else if (tag == ROW_REAL) {
        memcpy(&real, &word, sizeof real);
        stmt_bind_double(s, index, real);
    } else if (tag == ROW_NULL) {
        stmt_bind_null(s, index);
    } else {
        if (word > byte_reader_left(r))
            return false;
        const void *data = byte_reader_take(r, (size_t)word);
        /* Text and data need not be copied: they stay where they are until the row is
         * inserted. */
        const int code =
            tag == ROW_TEXT
                ? sqlite3_bind_text64(s->handle, index, data, word, SQLITE_STATIC, SQLITE_UTF8)
                : sqlite3_bind_blob64(s->handle, index, data, word, SQLITE_STATIC);
        if (code != SQLITE_OK && s->bind_code == SQLITE_OK)
            s->bind_code = code;
    }
    return true;
}

/* Counts the values in the bytes; -1 if they are not a sequence of values. */
static int64_t count_values(const bytes *rows)
{
    byte_reader r = byte_reader_over(rows->data, rows->size);
    int64_t count = 0;
    for (; byte_reader_left(&r) > 0; count++) {
        const uint8_t tag = byte_reader_u8(&r);
        const uint64_t word = tag == ROW_NULL ? 0 : byte_reader_u64(&r);
        if (r.failed || tag > ROW_BLOB || (tag >= ROW_TEXT && word > byte_reader_left(&r)))
            return -1;
        if (tag >= ROW_TEXT)
            byte_reader_take(&r, (size_t)word);
    }
    return count;
}

/* Prepares a statement that inserts rows with this number of columns. *fits is false if the
 * table has another number. */
static ptl_status prepare_insert(stmt **out, ptl_store *memory, const content_table *t,
                                 int columns, bool *fits, ptl_error *err)
{
    char sql[1000];
    stmt *s = NULL;
    TRY(content_table_prepare(&s, memory, t, err));
    const int all = sqlite3_column_count(s->handle);
    stmt_free(s);
    *fits = columns == all;
    if (!*fits)
        return PTL_OK;
    size_t size =
        (size_t)snprintf(sql, sizeof sql, "INSERT INTO main.\"%s\" VALUES (?", t->name);
    for (int i = 1; i < columns; i++)
        size += (size_t)snprintf(sql + size, sizeof sql - size, ", ?");
    snprintf(sql + size, sizeof sql - size, ")");
    return stmt_prepare(out, memory, sql, err);
}

static ptl_status insert_rows(ptl_store *memory, const content_table *t, int64_t count,
                              const bytes *rows, ptl_error *err)
{
    stmt *s = NULL;
    byte_reader r = byte_reader_over(rows->data, rows->size);
    const int64_t values = count_values(rows);
    bool fits = false;
    if (count == 0 && values == 0)
        return PTL_OK;
    if (count == 0 || values <= 0 || values % count != 0 || values / count > COLUMNS_MAX)
        return damaged(t->name, err);
    const int columns = (int)(values / count);
    ptl_status status = prepare_insert(&s, memory, t, columns, &fits, err);
    if (status == PTL_OK && !fits)
        return damaged(t->name, err);
    for (int64_t i = 0; i < count && status == PTL_OK; i++) {
        bool good = true;
        for (int column = 1; column <= columns && good; column++)
            good = bind_value(s, column, &r);
        if (good) {
            /* A constraint's message concerns the temporary store, not the caller. */
            ptl_error own = {0};
            status = stmt_run(s, &own);
            good = status == PTL_OK;
            if (status == PTL_ERR_NOMEM)
                break;
        }
        if (!good)
            status = damaged(t->name, err);
    }
    stmt_free(s);
    return status == PTL_ERR_NOMEM ? error_nomem(err) : status;
}

static const content_table *find_table(const char *name)
{
    for (const content_table *t = content_tables; t->name; t++)
        if (is_kept(t) && strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* Loads one row of content_past (a whole table) into a store in memory. */
static ptl_status take_row(const stmt *row, ptl_store *memory, ptl_error *err)
{
    const content_table *t = find_table(stmt_text(row, PAST_COLUMN_NAME));
    const int64_t count = stmt_int(row, PAST_COLUMN_ROW_COUNT);
    const int64_t size = stmt_int(row, PAST_COLUMN_SIZE);
    size_t packed_size;
    const void *packed = stmt_blob(row, PAST_COLUMN_DATA, &packed_size);
    bytes rows;
    if (!t || count < 0 || size < 0 || size > TABLE_SIZE_MAX)
        return damaged(stmt_text(row, PAST_COLUMN_NAME), err);
    bytes_init(&rows);
    compressor *c = compressor_new();
    ptl_status status = c ? decompressor_run(c, &rows, packed, packed_size, (size_t)size, err)
                          : error_nomem(err);
    THEN(status, insert_rows(memory, t, count, &rows, err));
    compressor_free(c);
    bytes_dispose(&rows);
    return status;
}

ptl_status content_past_row_check(const stmt *row, ptl_store *memory, ptl_error *err)
{
    const content_table *t = find_table(stmt_text(row, PAST_COLUMN_NAME));
    char sql[100];
    TRY(sqlite_begin(memory, err));
    snprintf(sql, sizeof sql, "DELETE FROM \"%s\"", t ? t->name : "content_past");
    ptl_status status = sqlite_exec(memory, sql, err);
    THEN(status, take_row(row, memory, err));
    sqlite_rollback(memory);
    return status;
}

static ptl_status take_rows(ptl_store *memory, ptl_store *store, int64_t content_id,
                            const char *const *tables, uint64_t *taken, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_prepare(
        &s, store,
        "SELECT " PAST_COLUMNS " FROM main.content_past WHERE content_id = ? ORDER BY id", err);
    if (status == PTL_OK)
        stmt_bind_int(s, 1, content_id);
    while (stmt_row(s, &status, err)) {
        if (!is_wanted(stmt_text(s, PAST_COLUMN_NAME), tables))
            continue;
        status = row_verify(s, TABLE_PAST, err);
        THEN(status, take_row(s, memory, err));
        if (status == PTL_OK)
            *taken |= UINT64_C(1)
                      << (find_table(stmt_text(s, PAST_COLUMN_NAME)) - content_tables);
    }
    stmt_free(s);
    return status;
}

/* Were all wanted tables loaded? Bit n of `taken` stands for content_tables[n]. */
static bool are_all(uint64_t taken, const char *const *tables)
{
    for (size_t i = 0; content_tables[i].name; i++) {
        const content_table *t = &content_tables[i];
        if (is_kept(t) && is_wanted(t->name, tables) && !(taken >> i & 1))
            return false;
    }
    return true;
}

static ptl_status fill_memory(ptl_store *memory, ptl_store *store, int64_t content_id,
                              const char *const *tables, bool *whole, ptl_error *err)
{
    uint64_t taken = 0;
    TRY(content_copy_careless(memory, err));
    TRY(sqlite_begin(memory, err));
    /* Copies the content's own row, and marks it there as the current one. */
    static const char insert[] = "INSERT INTO content VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)";
    stmt *from = NULL, *to = NULL;
    *whole = false;
    ptl_status status =
        stmt_prepare(&from, store,
                     "SELECT id, digest, imported_at, portolan_version, lenient, file_count, "
                     "object_count, byte_count FROM main.content WHERE id = ?",
                     err);
    THEN(status, stmt_prepare(&to, memory, insert, err));
    if (status == PTL_OK) {
        stmt_bind_int(from, 1, content_id);
        status = stmt_step(from, whole, err);
    }
    if (status == PTL_OK && *whole) {
        for (int i = 0; i < 8; i++)
            if (i >= 1 && i <= 3)
                stmt_bind_text(to, i + 1, stmt_text(from, i));
            else
                stmt_bind_int(to, i + 1, stmt_int(from, i));
        status = stmt_run(to, err);
    }
    stmt_free(from);
    stmt_free(to);
    if (status == PTL_OK && *whole)
        status = take_rows(memory, store, content_id, tables, &taken, err);
    *whole = *whole && are_all(taken, tables);
    if (status == PTL_OK)
        return sqlite_commit(memory, err);
    sqlite_rollback(memory);
    return status;
}

/* A damaged content counts as missing, so PTL_ERR_CORRUPT becomes PTL_OK with *out NULL. */
ptl_status content_past_open(ptl_store **out, ptl_store *store, int64_t content_id,
                             const char *const *tables, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_store *memory = NULL;
    bool whole = false;
    ptl_error own = {0};
    *out = NULL;
    int64_t count = 0;
    ptl_status status =
        stmt_ask(&count, store, "SELECT count(*) FROM main.content_past WHERE content_id = ?1",
                 &content_id, 1, &own);
    whole = count > 0;
    if (status == PTL_OK && whole) {
        options.mode = PTL_OPEN_CREATE;
        status = sqlite_open(&memory, ":memory:", &options, store->head.operations, &own);
        THEN(status, fill_memory(memory, store, content_id, tables, &whole, &own));
    }
    if (status == PTL_OK && whole) {
        *out = memory;
        return PTL_OK;
    }
    ptl_store_close(memory);
    if (status == PTL_OK || status == PTL_ERR_CORRUPT)
        return PTL_OK;
    return error_copy(err, &own);
}
