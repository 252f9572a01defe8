#include "store/sqlite/catalogue/content_past.h"

#include "codec/compress.h"
#include "core/error.h"
#include "portolan/store.h"
#include "store/sqlite/catalogue/catalogue_open.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/file/open.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Most bytes that the rows of one table may have before compression. decompressor_run gives
     * at most as many bytes. */
    TABLE_SIZE_MAX = 64 << 20,
    LEVEL = 9 /* compression level of zstd; its output is a third smaller than at level 1, and
               * it takes 50 ms for the content of the largest game */
};

/* Returns true if the table is kept for earlier contents, that is, if a catalogue is made from
 * it. Table `content` is not kept in this way, since its rows stay in the file anyway. */
static bool is_kept(const content_table *t)
{
    return t->loaded && strcmp(t->name, "content") != 0;
}

bool content_past_lists(const char *name, const char *const *list)
{
    bool found = !list;
    for (size_t i = 0; !found && list[i]; i++)
        found = strcmp(name, list[i]) == 0;
    return found;
}

int content_past_tables(const char *const *tables)
{
    int count = 0;
    for (const content_table *t = content_tables; t->name; t++)
        count += is_kept(t) && content_past_lists(t->name, tables);
    return count;
}

/* ---- keeping the present content ---- */

typedef struct keeper {
    ptl_store *store;
    int64_t content_id;
    compressor *compressor;
    bytes rows, packed;
} keeper;

/* Writes one table of the content as a single row, which has all values of the table, one after
 * the other, compressed. */
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
    return row_put(k->store, TABLE_PAST, v, err);
}

ptl_status sqlite_content_keep(ptl_store *store, ptl_error *err)
{
    keeper k = {.store = store};
    ptl_error damage = {0};
    /* Gets the id of the present content if a world, chunk or sweep was made with it; otherwise
     * 0. */
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
    for (const content_table *t = content_tables; t->name && status == PTL_OK; t++)
        if (is_kept(t))
            status = keep_table(&k, t, ++id, err);
    compressor_free(k.compressor);
    bytes_dispose(&k.rows);
    bytes_dispose(&k.packed);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "keeping the earlier content");
}

/* ---- opening an earlier content ---- */

static ptl_status damaged(const char *table, ptl_error *err)
{
    return error_set(err, PTL_ERR_CORRUPT, "the kept rows of table %.60s are damaged", table);
}

static ptl_status insert_rows(ptl_store *memory, const content_table *t, int64_t count,
                              const bytes *rows, ptl_error *err)
{
    stmt *s;
    byte_reader r = byte_reader_over(rows->data, rows->size);
    TRY(content_table_prepare(&s, memory, t, err));
    const int columns = sqlite3_column_count(s->handle);
    stmt_free(s);
    ptl_status status = stmt_prepare_insert(&s, memory, t->name, columns, err);
    for (int64_t i = 0; i < count && status == PTL_OK; i++) {
        ptl_error own = {0}; /* errors of the store in memory; they are not shown, since their
                              * messages are not about the file */
        row_value v;
        bool good = true;
        for (int column = 1; column <= columns && good; column++) {
            good = row_value_read(&v, &r);
            if (good)
                row_value_bind(s, column, &v);
        }
        if (good)
            status = stmt_run(s, &own);
        if (!good || (status != PTL_OK && status != PTL_ERR_NOMEM))
            status = damaged(t->name, err);
    }
    stmt_free(s);
    if (status == PTL_OK && byte_reader_left(&r) > 0)
        status = damaged(t->name, err);
    return status == PTL_ERR_NOMEM ? error_nomem(err) : status;
}

static const content_table *find_table(const char *name)
{
    for (const content_table *t = content_tables; t->name; t++)
        if (is_kept(t) && strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* Decodes one row of content_past, which holds a whole table, into a store in memory. */
static ptl_status take_row(const stmt *row, ptl_store *memory, ptl_error *err)
{
    const content_table *t = find_table(stmt_text(row, PAST_COLUMN_NAME));
    const int64_t count = stmt_int(row, PAST_COLUMN_ROW_COUNT);
    const int64_t size = stmt_int(row, PAST_COLUMN_SIZE);
    size_t packed_size;
    const void *packed = stmt_blob(row, PAST_COLUMN_DATA, &packed_size);
    bytes rows = {0};
    if (!t || count < 0 || size < 0 || size > TABLE_SIZE_MAX)
        return damaged(stmt_text(row, PAST_COLUMN_NAME), err);
    compressor *c = compressor_new();
    ptl_status status = c ? decompressor_run(c, &rows, packed, packed_size, (size_t)size, err)
                          : error_nomem(err);
    THEN(status, insert_rows(memory, t, count, &rows, err));
    compressor_free(c);
    bytes_dispose(&rows);
    return status;
}

ptl_status content_memory_open(ptl_store **out, const ptl_store *like, ptl_error *err)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = PTL_OPEN_CREATE;
    TRY(sqlite_open(out, ":memory:", &options, like->head.operations, err));
    return content_copy_careless(*out, err);
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
                            const char *const *tables, int *taken, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status = stmt_query(&s, store,
                                   "SELECT " PAST_COLUMNS
                                   " FROM main.content_past WHERE content_id = ? ORDER BY id",
                                   STMT_VALUES(content_id), err);
    while (stmt_row(s, &status, err)) {
        if (!content_past_lists(stmt_text(s, PAST_COLUMN_NAME), tables))
            continue;
        status = row_verify(s, TABLE_PAST, err);
        THEN(status, take_row(s, memory, err));
        ++*taken;
    }
    stmt_free(s);
    return status;
}

static ptl_status fill_memory(ptl_store *memory, ptl_store *store, int64_t content_id,
                              const char *const *tables, bool *whole, ptl_error *err)
{
    int taken = 0;
    TRY(sqlite_begin(memory, err));
    /* Copies the content's row of table `content` into the store in memory, and marks it there
     * as the current one. */
    static const char insert[] = "INSERT INTO content VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?)";
    stmt *from, *to = NULL;
    ptl_status status =
        stmt_query(&from, store,
                   "SELECT id, digest, imported_at, portolan_version, lenient, file_count, "
                   "object_count, byte_count FROM main.content WHERE id = ?",
                   STMT_VALUES(content_id), err);
    THEN(status, stmt_prepare(&to, memory, insert, err));
    *whole = stmt_row(from, &status, err);
    if (*whole)
        status = stmt_copy_row(to, from, err);
    stmt_free(from);
    stmt_free(to);
    if (status == PTL_OK && *whole)
        status = take_rows(memory, store, content_id, tables, &taken, err);
    *whole = *whole && taken == content_past_tables(tables);
    if (status == PTL_OK)
        return sqlite_commit(memory, err);
    sqlite_rollback(memory);
    return status;
}

/* A content that is damaged counts as missing: PTL_ERR_CORRUPT becomes PTL_OK with *out
 * NULL. */
ptl_status content_past_open(ptl_store **out, ptl_store *store, int64_t content_id,
                             const char *const *tables, ptl_error *err)
{
    ptl_store *memory = NULL;
    bool whole = false;
    ptl_error own = {0};
    *out = NULL;
    uint64_t count;
    ptl_status status = stmt_count(
        &count, store, "SELECT count(*) FROM main.content_past WHERE content_id = ?1",
        STMT_VALUES(content_id), &own);
    whole = count > 0;
    if (status == PTL_OK && whole) {
        status = content_memory_open(&memory, store, &own);
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

/* ---- terrains that only earlier contents have ---- */

typedef struct past_content {
    int64_t content_id;
    bool opened;
    /* Owned: a store in memory into which the earlier content was unpacked; NULL if the content
     * is the file's present one, or can't be read. */
    ptl_store *memory;
    stmt *shape, *flags, *lists[2];
} past_content;

struct past_terrains {
    ptl_store *store; /* borrowed: the store whose contents are searched */
    past_content *sources;
    size_t count;
    past_content *last; /* the content in which the last oter was found */
    int64_t present;
};
static const char *const terrain_tables[] = {
    "overmap_terrain",    "overmap_terrain_flag",       "concrete_terrain",
    "overmap_connection", "overmap_connection_subtype", NULL};
static const char shape_sql[] =
    "SELECT k.id, k.terrain, t.name, t.color, t.kind, k.rotation, k.line, k.symbol, t.symbol "
    "FROM main.concrete_terrain k CROSS JOIN main.overmap_terrain t ON t.id = k.terrain "
    "WHERE k.id = ?";
static const char flags_sql[] =
    "SELECT flag FROM main.overmap_terrain_flag WHERE terrain = ? ORDER BY flag";
static const char *const list_sql[] = {
    [PAST_OTERS] =
        "SELECT id FROM main.concrete_terrain WHERE id >= ?1 AND id < ?1 || char(1114111) "
        "AND terrain = ?1 AND (?2 < 0 OR variant = ?2)",
    [PAST_LINES] = "SELECT terrain FROM main.overmap_connection_subtype WHERE connection = ?1 "
                   "AND ?2 < 0"};

static void add_source(past_terrains *p, int64_t content_id, int64_t skip)
{
    bool known = content_id == skip || content_id == 0;
    for (size_t i = 0; i < p->count && !known; i++)
        known = p->sources[i].content_id == content_id;
    if (!known)
        p->sources[p->count++].content_id = content_id;
}

ptl_status past_terrains_new(past_terrains **out, ptl_store *store, int64_t first, int64_t skip,
                             ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    stmt *s = NULL;
    past_terrains *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return error_nomem(err);
    p->store = store;
    ptl_status status = sqlite_content_current(&p->present, store, err);
    /* Lists the ids of the earlier contents; the one imported last is first. */
    THEN(status, stmt_prepare(&s, store,
                              "SELECT DISTINCT p.content_id FROM main.content_past p "
                              "LEFT JOIN main.content c ON c.id = p.content_id "
                              "ORDER BY c.imported_at DESC, p.content_id DESC",
                              err));
    status = stmt_list_ids(&ids, &count, s, status, err);
    if (status == PTL_OK) {
        p->sources = calloc(count + 1, sizeof *p->sources);
        status = p->sources ? PTL_OK : error_nomem(err);
    }
    if (status == PTL_OK) {
        add_source(p, first, skip);
        for (size_t i = 0; i < count; i++)
            add_source(p, ids[i], skip);
    }
    free(ids);
    if (status == PTL_OK)
        *out = p;
    else
        past_terrains_free(p);
    return status;
}

void past_terrains_free(past_terrains *p)
{
    if (!p)
        return;
    for (past_content *c = p->sources, *end = c + p->count; c < end; c++) {
        stmt_free(c->shape);
        stmt_free(c->flags);
        stmt_free(c->lists[PAST_OTERS]);
        stmt_free(c->lists[PAST_LINES]);
        ptl_store_close(c->memory);
    }
    free(p->sources);
    free(p);
}

/* Opens a content for searching. A content that can't be read is treated as missing; verify
 * reports what is wrong with it. */
static ptl_status open_source(past_content *s, const past_terrains *p, ptl_error *err)
{
    if (s->opened)
        return PTL_OK;
    ptl_store *from = p->store;
    ptl_status status = PTL_OK;
    if (s->content_id != p->present) {
        status = content_past_open(&s->memory, p->store, s->content_id, terrain_tables, err);
        from = s->memory;
    }
    s->opened = status == PTL_OK;
    if (status != PTL_OK || !from)
        return status;
    status = stmt_prepare(&s->shape, from, shape_sql, err);
    THEN(status, stmt_prepare(&s->flags, from, flags_sql, err));
    for (int list = 0; list < 2 && status == PTL_OK; list++)
        status = stmt_prepare(&s->lists[list], from, list_sql[list], err);
    return status;
}

ptl_status past_terrains_find(past_oter *out, bool *found, past_terrains *p, const char *id,
                              ptl_error *err)
{
    *found = false;
    for (size_t i = 0; i < p->count; i++) {
        past_content *s = &p->sources[i];
        TRY(open_source(s, p, err));
        if (!s->shape)
            continue;
        stmt_reset(s->shape);
        stmt_bind_text(s->shape, 1, id);
        TRY(stmt_step(s->shape, found, err));
        if (*found) {
            p->last = s;
            *out = (past_oter){.id = stmt_text(s->shape, 0),
                               .terrain = stmt_text(s->shape, 1),
                               .name = stmt_text(s->shape, 2),
                               .color = stmt_text(s->shape, 3),
                               .kind = stmt_int(s->shape, 4),
                               .rotation = stmt_int(s->shape, 5),
                               .line = stmt_int(s->shape, 6),
                               .symbol = stmt_int(s->shape, 7),
                               .terrain_symbol = stmt_int(s->shape, 8)};
            return stmt_had_memory(s->shape, err);
        }
    }
    return PTL_OK;
}

ptl_status past_terrains_flags(past_terrains *p, const char *terrain, past_flag_fn *found,
                               void *payload, ptl_error *err)
{
    stmt *s = p->last ? p->last->flags : NULL;
    ptl_status status = PTL_OK;
    stmt_bind_text(s, 1, terrain);
    while (stmt_row(s, &status, err))
        found(payload, stmt_text(s, 0));
    stmt_reset(s);
    return status;
}

ptl_status past_terrains_list(past_terrains *p, past_list list, const char *id, int variant,
                              past_id_fn *found, void *payload, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < p->count && status == PTL_OK; i++) {
        status = open_source(&p->sources[i], p, err);
        stmt *s = p->sources[i].lists[list];
        stmt_bind_text(s, 1, id);
        stmt_bind_int(s, 2, variant);
        while (stmt_row(s, &status, err))
            status = found(payload, stmt_text(s, 0), err);
        stmt_reset(s);
    }
    return status;
}
