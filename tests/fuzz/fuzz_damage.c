#include "fuzz/fuzz_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STEPS_MAX = 48,
    COLUMNS_MAX = 400,
    SQL_SIZE = 700,
    VALUE_MAX = 300,
    STATEMENT_MAX = 2000
};

/* ---- what there is to damage ---- */

typedef struct column {
    uint16_t hash; /* of "table.column" */
    char read[SQL_SIZE], write[SQL_SIZE],
        remove[SQL_SIZE]; /* ?1: row offset; write's ?2: value */
} column;

/* Those of the base file and of each older one; list: of the file at hand. */
typedef struct column_list {
    column *columns;
    size_t count;
} column_list;

enum { LISTS = 2 };
static column_list lists[LISTS], *list;
static bool forgets; /* at exit */

static int by_hash(const void *a, const void *b)
{
    return ((const column *)a)->hash - ((const column *)b)->hash;
}

static uint16_t hash_name(const char *table, const char *name)
{
    uint32_t h = 2166136261u;
    for (const char *p = table; *p; p++)
        h = (h ^ (uint8_t)*p) * 16777619u;
    h = (h ^ '.') * 16777619u;
    for (const char *p = name; *p; p++)
        h = (h ^ (uint8_t)*p) * 16777619u;
    return (uint16_t)(h ^ h >> 16);
}

/* Columns are named by hashes, so that an input means the same after the schema has grown: the
 * first one at or behind the number, in a ring. */
static const column *take_column(fuzz_input *in)
{
    uint16_t number = fuzz_u16(in);
    for (size_t i = 0; i < list->count; i++)
        if (list->columns[i].hash >= number)
            return &list->columns[i];
    return &list->columns[0];
}

static void forget_columns(void)
{
    for (size_t i = 0; i < LISTS; i++)
        free(lists[i].columns);
}

/* Adds the columns of one table. keys: its primary key, "a, b". */
static void add_table(sqlite3 *db, const char *table)
{
    sqlite3_stmt *s = NULL;
    char sql[SQL_SIZE], keys[200] = "";
    snprintf(sql, sizeof sql,
             "SELECT coalesce(group_concat(name, ', '), 'rowid') FROM (SELECT name FROM "
             "pragma_table_info('%s') WHERE pk > 0 ORDER BY pk)",
             table);
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        snprintf(keys, sizeof keys, "%s", (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", table);
    fuzz_check(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK, "columns are listed",
               table);
    while (sqlite3_step(s) == SQLITE_ROW && list->count < COLUMNS_MAX) {
        column *c = &list->columns[list->count++];
        const char *name = (const char *)sqlite3_column_text(s, 0);
        c->hash = hash_name(table, name);
        snprintf(c->read, SQL_SIZE, "SELECT %s FROM %s ORDER BY %s LIMIT 1 OFFSET ?1", name,
                 table, keys);
        snprintf(c->write, SQL_SIZE,
                 "UPDATE OR REPLACE %s SET %s = ?2 WHERE (%s) IN (SELECT %s FROM %s ORDER BY "
                 "%s LIMIT 1 OFFSET ?1)",
                 table, name, keys, keys, table, keys);
        snprintf(c->remove, SQL_SIZE,
                 "DELETE FROM %s WHERE (%s) IN (SELECT %s FROM %s ORDER BY %s LIMIT 1 OFFSET "
                 "?1)",
                 table, keys, keys, table, keys);
    }
    sqlite3_finalize(s);
}

static void list_columns(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    if (list->columns)
        return;
    list->columns = calloc(COLUMNS_MAX, sizeof *list->columns);
    fuzz_check(list->columns != NULL, "memory", NULL);
    if (!forgets)
        atexit(forget_columns);
    forgets = true;
    int code = sqlite3_prepare_v2(db,
                                  "SELECT name FROM sqlite_schema WHERE type = 'table' AND "
                                  "name NOT LIKE 'sqlite%' ORDER BY name",
                                  -1, &s, NULL);
    fuzz_check(code == SQLITE_OK, "tables are listed", sqlite3_errmsg(db));
    while (sqlite3_step(s) == SQLITE_ROW)
        add_table(db, (const char *)sqlite3_column_text(s, 0));
    sqlite3_finalize(s);
    qsort(list->columns, list->count, sizeof *list->columns, by_hash);
}

/* ---- values ---- */

/* A base file as a database in memory. */
static sqlite3 *open_image(const fuzz_base *base)
{
    sqlite3 *db = NULL;
    unsigned char *copy = sqlite3_malloc64(base->size);
    fuzz_check(copy != NULL && sqlite3_open(":memory:", &db) == SQLITE_OK, "memory", NULL);
    memcpy(copy, base->image, base->size);
    int code = sqlite3_deserialize(
        db, "main", copy, (sqlite3_int64)base->size, (sqlite3_int64)base->size,
        SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    fuzz_check(code == SQLITE_OK, "the base is opened", NULL);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 22);
    sqlite3_exec(db,
                 "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;"
                 "PRAGMA writable_schema = ON;",
                 NULL, NULL, NULL);
    list_columns(db);
    return db;
}

static void run_on_row(sqlite3 *db, const char *sql, unsigned row, sqlite3_value *value)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int(s, 1, (int)row);
    if (value)
        sqlite3_bind_value(s, 2, value);
    sqlite3_step(s);
    sqlite3_finalize(s);
}

/* A bit of a value of any type, the type kept. */
static void flip_bit(sqlite3 *db, const column *c, unsigned row, unsigned bit)
{
    sqlite3_stmt *s = NULL, *w = NULL;
    if (sqlite3_prepare_v2(db, c->read, -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int(s, 1, (int)row);
    if (sqlite3_step(s) == SQLITE_ROW &&
        sqlite3_prepare_v2(db, c->write, -1, &w, NULL) == SQLITE_OK) {
        sqlite3_bind_int(w, 1, (int)row);
        int type = sqlite3_column_type(s, 0);
        int size = sqlite3_column_bytes(s, 0);
        const void *data = sqlite3_column_blob(s, 0);
        uint8_t *copy = malloc((size_t)size + 1);
        fuzz_check(copy != NULL, "memory", NULL);
        if (size > 0) {
            memcpy(copy, data, (size_t)size);
            copy[bit / 8 % (unsigned)size] ^= (uint8_t)(1u << bit % 8);
        }
        if (type == SQLITE_INTEGER)
            sqlite3_bind_int64(w, 2,
                               (sqlite3_int64)((uint64_t)sqlite3_column_int64(s, 0) ^
                                               UINT64_C(1) << bit % 64));
        else if (type == SQLITE_TEXT)
            sqlite3_bind_text(w, 2, (const char *)copy, size, SQLITE_TRANSIENT);
        else
            sqlite3_bind_blob(w, 2, copy, size, SQLITE_TRANSIENT);
        sqlite3_step(w);
        free(copy);
    }
    sqlite3_finalize(w);
    sqlite3_finalize(s);
}

/* Parts of a value replaced: at an offset, by bytes of the input. */
static void splice(sqlite3 *db, const column *c, unsigned row, fuzz_input *in)
{
    sqlite3_stmt *s = NULL, *w = NULL;
    unsigned offset = fuzz_u16(in), cut = fuzz_u8(in);
    size_t size = fuzz_u8(in);
    const uint8_t *bytes = fuzz_take(in, &size);
    if (sqlite3_prepare_v2(db, c->read, -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int(s, 1, (int)row);
    if (sqlite3_step(s) == SQLITE_ROW &&
        sqlite3_prepare_v2(db, c->write, -1, &w, NULL) == SQLITE_OK) {
        size_t old = (size_t)sqlite3_column_bytes(s, 0);
        const uint8_t *data = sqlite3_column_blob(s, 0);
        size_t at = old > 0 ? offset % (old + 1) : 0;
        size_t behind = cut > old - at ? old : at + cut;
        uint8_t *value = malloc(old + size + 1);
        fuzz_check(value != NULL, "memory", NULL);
        if (at > 0)
            memcpy(value, data, at);
        memcpy(value + at, bytes, size);
        if (old > behind)
            memcpy(value + at + size, data + behind, old - behind);
        sqlite3_bind_int(w, 1, (int)row);
        if (sqlite3_column_type(s, 0) == SQLITE_TEXT)
            sqlite3_bind_text(w, 2, (const char *)value, (int)(at + size + old - behind),
                              SQLITE_TRANSIENT);
        else
            sqlite3_bind_blob(w, 2, value, (int)(at + size + old - behind), SQLITE_TRANSIENT);
        sqlite3_step(w);
        free(value);
    }
    sqlite3_finalize(w);
    sqlite3_finalize(s);
}

static void set_value(sqlite3 *db, const column *c, unsigned row, fuzz_input *in)
{
    sqlite3_stmt *w = NULL;
    if (sqlite3_prepare_v2(db, c->write, -1, &w, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int(w, 1, (int)row);
    unsigned type = fuzz_u8(in);
    uint64_t bits = type % 8 == 1 || type % 8 == 2 ? fuzz_u64(in) : 0;
    size_t size = type % 8 > 4 ? fuzz_u8(in) : 0;
    const uint8_t *bytes = fuzz_take(in, &size);
    double real;
    memcpy(&real, &bits, sizeof real);
    if (type % 8 == 0)
        sqlite3_bind_null(w, 2);
    else if (type % 8 == 1)
        sqlite3_bind_int64(w, 2, (sqlite3_int64)bits);
    else if (type % 8 == 2)
        sqlite3_bind_double(w, 2, real);
    else if (type % 8 <= 4) /* small numbers, on both sides of 0 */
        sqlite3_bind_int(w, 2, (int)(int8_t)fuzz_u8(in));
    else if (type % 8 == 5)
        sqlite3_bind_text(w, 2, (const char *)bytes, (int)size, SQLITE_TRANSIENT);
    else
        sqlite3_bind_blob(w, 2, bytes, (int)size, SQLITE_TRANSIENT);
    sqlite3_step(w);
    sqlite3_finalize(w);
}

/* The value of one place written to another. */
static void copy_value(sqlite3 *db, const column *c, unsigned row, fuzz_input *in)
{
    sqlite3_stmt *s = NULL;
    const column *from = take_column(in);
    if (sqlite3_prepare_v2(db, from->read, -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int(s, 1, fuzz_u8(in));
    if (sqlite3_step(s) == SQLITE_ROW)
        run_on_row(db, c->write, row, sqlite3_column_value(s, 0));
    sqlite3_finalize(s);
}

/* ---- schema ---- */

static int allow(void *payload, int action, const char *first, const char *second,
                 const char *database, const char *source)
{
    (void)payload;
    (void)second;
    (void)database;
    (void)source;
    /* Files of the machine are no part of the file that is made. */
    if (action == SQLITE_ATTACH || action == SQLITE_DETACH)
        return SQLITE_DENY;
    return action == SQLITE_PRAGMA && first &&
                   (sqlite3_stricmp(first, "temp_store_directory") == 0 ||
                    sqlite3_stricmp(first, "soft_heap_limit") == 0 ||
                    sqlite3_stricmp(first, "hard_heap_limit") == 0)
               ? SQLITE_DENY
               : SQLITE_OK;
}

static int stop(void *payload)
{
    (void)payload;
    return 1;
}

/* Whatever SQL the input holds: triggers, views, virtual tables, other schema texts. */
static void run_statement(sqlite3 *db, fuzz_input *in)
{
    char sql[STATEMENT_MAX + 1];
    size_t size = fuzz_u16(in) % STATEMENT_MAX;
    const uint8_t *text = fuzz_take(in, &size);
    memcpy(sql, text, size);
    sql[size] = '\0';
    sqlite3_set_authorizer(db, allow, NULL);
    sqlite3_progress_handler(db, 20000, stop, NULL);
    sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    sqlite3_set_authorizer(db, NULL, NULL);
}

/* One damage; false at the mark behind the last one. */
static bool damage_value(sqlite3 *db, fuzz_input *in)
{
    unsigned kind = fuzz_u8(in);
    if (kind == 0)
        return false;
    if (kind % 8 == 7) {
        run_statement(db, in);
        return true;
    }
    const column *c = take_column(in);
    unsigned row = fuzz_u8(in);
    switch (kind % 8) {
    case 1:
    case 2:
        set_value(db, c, row, in);
        break;
    case 3:
        flip_bit(db, c, row, fuzz_u16(in));
        break;
    case 4:
    case 5:
        splice(db, c, row, in);
        break;
    case 6:
        copy_value(db, c, row, in);
        break;
    default:
        run_on_row(db, c->remove, row, NULL);
    }
    return true;
}

static uint8_t *damage_values(fuzz_input *in, unsigned switches, size_t *size)
{
    const bool older = switches & DAMAGE_OLD;
    list = &lists[older];
    sqlite3 *db = open_image(older ? fuzz_base_old() : fuzz_base_get());
    sqlite3_int64 length = 0;
    for (int i = 0; i < STEPS_MAX && fuzz_left(in) > 0 && damage_value(db, in);)
        i++;
    if (!(switches & DAMAGE_UNSEALED))
        fuzz_reseal(db);
    uint8_t *out = sqlite3_serialize(db, "main", &length, 0);
    sqlite3_close_v2(db);
    *size = out ? (size_t)length : 0;
    return out;
}

/* ---- bytes ---- */

static void damage_bytes(uint8_t *image, size_t *size, fuzz_input *in)
{
    enum { PAGE = 2048 };
    for (int i = 0; i < STEPS_MAX && fuzz_left(in) > 0 && *size >= PAGE; i++) {
        unsigned kind = fuzz_u8(in);
        uint8_t *page = image + PAGE * (fuzz_u16(in) % (*size / PAGE));
        size_t at = fuzz_u16(in) % PAGE, count = fuzz_u8(in) % 16 + 1;
        const uint8_t *bytes;
        switch (kind % 6) {
        case 0: /* what a page says of itself, or the file's header */
            at %= 12;
            at += page == image && kind & 64 ? 100 : 0;
            /* fallthrough */
        case 1:
            if (count > PAGE - at)
                count = PAGE - at;
            bytes = fuzz_take(in, &count);
            memcpy(page + at, bytes, count);
            break;
        case 2:
            page[at] ^= (uint8_t)(1u << count % 8);
            break;
        case 3: /* one page in the place of another */
            memmove(page, image + PAGE * (at % (*size / PAGE)), PAGE);
            break;
        case 4:
            memset(page + at, (int)count, PAGE - at);
            break;
        default:
            *size = (size_t)(page - image) + (kind & 64 ? at : 0);
        }
    }
}

static void write_journal(const char *path, fuzz_input *in)
{
    char name[FUZZ_PATH_SIZE + 16];
    snprintf(name, sizeof name, "%s-journal", path);
    fuzz_write_file(name, in->at, fuzz_left(in));
}

void fuzz_damage_file(const char *path, fuzz_input *in, unsigned switches)
{
    if (switches & DAMAGE_WHOLE_FILE) {
        fuzz_write_file(path, in->at, fuzz_left(in));
        return;
    }
    size_t size = 0;
    uint8_t *image = damage_values(in, switches, &size);
    if (switches & DAMAGE_JOURNAL)
        write_journal(path, in);
    else if (image)
        damage_bytes(image, &size, in);
    fuzz_write_file(path, image, size);
    sqlite3_free(image);
}
