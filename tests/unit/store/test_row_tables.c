/*
 * The tables' descriptions (store/sqlite/tables/row_tables.h) against the schema of a new file,
 * and the checksums that come from them against format.md, "Checksums", written down here once
 * more: the table's name, then each column but the checksum in the order that SQLite tells.
 */
#include "core/digest.h"
#include "store/content_fields.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static ptl_store *store;
static ptl_error err;

static void setup(void)
{
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = PTL_OPEN_CREATE;
    memset(&err, 0, sizeof err);
    ck_assert_msg(ptl_store_open(&store, ":memory:", &options, &err) == PTL_OK, "%s",
                  err.message);
}

static void teardown(void)
{
    ptl_store_close(store);
    store = NULL;
}

static stmt *prepare(ptl_store *of, const char *sql)
{
    stmt *s = NULL;
    ck_assert_msg(stmt_prepare(&s, of, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
    return s;
}

static bool step(stmt *s)
{
    bool row = false;
    ck_assert_msg(stmt_step(s, &row, &err) == PTL_OK, "%s", err.message);
    return row;
}

/* ---- the schema ---- */

/* A table as SQLite tells it. */
typedef struct schema_table {
    int count, keys, checksum;
    char names[ROW_COLUMNS_MAX][32];
} schema_table;

static unsigned type_called(const char *name)
{
    static const char *const names[] = {[ROW_INTEGER] = "INTEGER",
                                        [ROW_REAL] = "REAL",
                                        [ROW_TEXT] = "TEXT",
                                        [ROW_BLOB] = "BLOB"};
    for (unsigned type = ROW_INTEGER; type <= ROW_BLOB; type++)
        if (strcmp(names[type], name) == 0)
            return type;
    ck_abort_msg("type %s", name);
}

static void read_schema(schema_table *out, ptl_store *of, const char *table)
{
    char sql[100];
    snprintf(sql, sizeof sql, "PRAGMA table_info('%s')", table);
    stmt *s = prepare(of, sql);
    *out = (schema_table){.checksum = -1};
    for (; step(s); out->count++) {
        ck_assert_int_lt(out->count, ROW_COLUMNS_MAX);
        snprintf(out->names[out->count], sizeof out->names[0], "%s", stmt_text(s, 1));
        out->keys += stmt_int(s, 5) > 0;
        if (strcmp(stmt_text(s, 1), "checksum") == 0)
            out->checksum = out->count;
    }
    stmt_free(s);
}

START_TEST(a_description_is_the_schema)
{
    const row_table *t = row_table_of((row_table_id)_i);
    char sql[100];
    schema_table schema;
    int i = 0;
    read_schema(&schema, store, t->name);
    ck_assert_msg(schema.count == t->count, "%s has %d columns", t->name, schema.count);
    ck_assert_int_eq(schema.keys, t->keys);
    ck_assert_int_eq(schema.checksum, t->checksum);
    snprintf(sql, sizeof sql, "PRAGMA table_info('%s')", t->name);
    stmt *s = prepare(store, sql);
    for (; step(s); i++) {
        const int key = (int)stmt_int(s, 5);
        const bool null = stmt_int(s, 3) == 0 && key == 0;
        ck_assert_str_eq(stmt_text(s, 1), t->columns[i].name);
        ck_assert_msg(type_called(stmt_text(s, 2)) ==
                          (t->columns[i].type & ~(unsigned)ROW_OR_NULL),
                      "%s.%s", t->name, t->columns[i].name);
        ck_assert_msg(null == ((t->columns[i].type & ROW_OR_NULL) != 0), "%s.%s", t->name,
                      t->columns[i].name);
        ck_assert_int_eq(key, i < t->keys ? i + 1 : 0);
    }
    stmt_free(s);
    ck_assert_ptr_eq(row_table_named(t->name), t);
}
END_TEST

/* Those of definitions have one for the whole table, in content_checksum. */
START_TEST(each_table_with_checksums_is_described)
{
    size_t found = 0, described = 0;
    stmt *s = prepare(store, "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c "
                             "WHERE t.type = 'table' AND c.name = 'checksum' "
                             "AND t.name <> 'content_checksum'");
    for (; step(s); found++) {
        const row_table *t = row_table_named(stmt_text(s, 0));
        ck_assert_msg(t && t->checksum >= 0, "table %s", stmt_text(s, 0));
    }
    stmt_free(s);
    for (int i = 0; i < TABLE_COUNT; i++)
        described += row_table_of((row_table_id)i)->checksum >= 0;
    ck_assert_uint_eq(found, described);
    ck_assert_uint_eq(found, 22); /* format.md names so many */
    ck_assert_ptr_null(row_table_named("content"));
}
END_TEST

/* What repair tries: a statement that gives one column. */
START_TEST(values_can_be_asked_for)
{
    const row_table *t = row_table_of((row_table_id)_i);
    for (int i = 0; i < t->count; i++) {
        if (!t->columns[i].values)
            continue;
        stmt *s = prepare(store, t->columns[i].values);
        ck_assert_int_eq(sqlite3_column_count(s->handle), 1);
        ck_assert_int_eq(sqlite3_bind_parameter_count(s->handle), 0);
        while (step(s))
            ck_assert_msg(!stmt_is_null(s, 0) || (t->columns[i].type & ROW_OR_NULL) != 0 ||
                              strstr(t->columns[i].values, "min(") /* of no rows */,
                          "%s.%s", t->name, t->columns[i].name);
        stmt_free(s);
    }
}
END_TEST

/* ---- checksums, as format.md says ---- */

static void put_tagged(bytes *b, uint8_t tag, uint64_t word)
{
    bytes_put_u8(b, tag);
    for (int i = 0; i < 8; i++)
        bytes_put_u8(b, (uint8_t)(word >> 8 * i));
}

static void put_text(bytes *b, const char *text)
{
    put_tagged(b, 3, strlen(text));
    bytes_put(b, text, strlen(text));
}

/* A column of a statement's row. */
static void put_column(bytes *b, const stmt *s, int column)
{
    const uint64_t size = (uint64_t)sqlite3_column_bytes(s->handle, column);
    uint64_t bits;
    double real;
    switch (sqlite3_column_type(s->handle, column)) {
    case SQLITE_INTEGER:
        put_tagged(b, 1, (uint64_t)sqlite3_column_int64(s->handle, column));
        break;
    case SQLITE_FLOAT:
        real = sqlite3_column_double(s->handle, column);
        memcpy(&bits, &real, sizeof bits);
        put_tagged(b, 2, bits);
        break;
    case SQLITE_TEXT:
        put_tagged(b, 3, size);
        bytes_put(b, sqlite3_column_text(s->handle, column), size);
        break;
    case SQLITE_BLOB:
        put_tagged(b, 4, size);
        if (size > 0)
            bytes_put(b, sqlite3_column_blob(s->handle, column), size);
        break;
    default:
        bytes_put_u8(b, 0);
    }
}

/* All columns of the row but the checksum, from `first` on. */
static void put_columns(bytes *b, const stmt *s, const schema_table *schema, int first)
{
    for (int i = first; i < schema->count; i++)
        if (i != schema->checksum)
            put_column(b, s, i);
}

static int64_t sum_of(bytes *b)
{
    ck_assert(!b->failed);
    return checksum64(b->data, b->size);
}

/* Made-up values, each another one; key columns first. */
static void make_row(row_value *out, const row_table *t, unsigned salt, char texts[][32])
{
    for (int i = 0; i < t->count; i++) {
        const unsigned number = salt * 100 + (unsigned)i;
        snprintf(texts[i], 32, "value %u", number);
        switch (t->columns[i].type & ~(unsigned)ROW_OR_NULL) {
        case ROW_INTEGER:
            out[i] = row_int((int64_t)number - 150);
            break;
        case ROW_REAL:
            out[i] = row_real(number + 0.25);
            break;
        case ROW_TEXT:
            out[i] = row_text(texts[i]);
            break;
        default:
            out[i] = row_blob(texts[i], salt == 1 ? 0 : strlen(texts[i]));
        }
        if (salt == 2 && t->columns[i].type & ROW_OR_NULL)
            out[i] = (row_value){.type = ROW_NULL};
    }
}

static void insert(const row_table *t, const row_value *values)
{
    stmt *s = prepare(store, t->insert);
    row_bind(s, t, values, 0);
    ck_assert_msg(stmt_run(s, &err) == PTL_OK, "table %s: %s", t->name, err.message);
    stmt_free(s);
}

static void bind_key(stmt *s, const row_table *t, const row_value *values)
{
    for (int i = 0; i < t->keys; i++)
        if (values[i].type == ROW_TEXT)
            stmt_bind_text(s, i + 1, values[i].data);
        else
            stmt_bind_int(s, i + 1, values[i].integer);
}

static void loosen(void)
{
    ck_assert_int_eq(sqlite_exec(store,
                                 "PRAGMA ignore_check_constraints = ON; "
                                 "PRAGMA foreign_keys = OFF",
                                 &err),
                     PTL_OK);
}

/* The bytes of the table's only row, as the schema has it. */
static void stored_bytes(bytes *out, const row_table *t, int64_t *checksum)
{
    char sql[100];
    schema_table schema;
    read_schema(&schema, store, t->name);
    snprintf(sql, sizeof sql, "SELECT * FROM %s", t->name);
    stmt *s = prepare(store, sql);
    ck_assert(step(s));
    bytes_clear(out);
    put_text(out, t->name);
    put_columns(out, s, &schema, 0);
    *checksum = schema.checksum >= 0 ? stmt_int(s, schema.checksum) : sum_of(out);
    ck_assert(!step(s));
    stmt_free(s);
}

/* The same of values, by the description. */
static void check_bytes(const bytes *want, const row_table *t, const row_value *values)
{
    bytes b = {0};
    rowsum_begin(&b, t->name);
    rowsum_values(&b, t, values, 0);
    ck_assert_uint_eq(b.size, want->size);
    ck_assert_mem_eq(b.data, want->data, want->size);
    bytes_dispose(&b);
}

static void check_found_and_remove(const bytes *want, const row_table *t, row_table_id id,
                                   const row_value *key)
{
    row_value taken[ROW_COLUMNS_MAX];
    stmt *one = prepare(store, t->one);
    bind_key(one, t, key);
    ck_assert(step(one));
    ck_assert_int_eq(sqlite3_column_count(one->handle), t->count);
    row_take(taken, t, one);
    check_bytes(want, t, taken);
    ck_assert(t->checksum < 0 || row_verify(one, id, &err) == PTL_OK);
    stmt_free(one);
    stmt *s = prepare(store, t->remove);
    bind_key(s, t, key);
    ck_assert_int_eq(stmt_run(s, &err), PTL_OK);
    stmt_free(s);
    s = prepare(store, t->all);
    ck_assert(!step(s));
    stmt_free(s);
}

/* What is written is found where the schema has it, under the checksum that format.md says. */
START_TEST(rows_are_sealed_as_the_format_says)
{
    const row_table *t = row_table_of((row_table_id)_i);
    row_value values[ROW_COLUMNS_MAX];
    char texts[ROW_COLUMNS_MAX][32];
    bytes b = {0}, scratch = {0};
    loosen();
    for (unsigned salt = 1; salt <= 3; salt++) {
        int64_t checksum;
        make_row(values, t, salt, texts);
        if (t->checksum >= 0)
            ck_assert_int_eq(row_seal(values, t, &scratch, &err), PTL_OK);
        insert(t, values);
        stored_bytes(&b, t, &checksum);
        ck_assert_int_eq(checksum, sum_of(&b));
        check_bytes(&b, t, values);
        check_found_and_remove(&b, t, (row_table_id)_i, values);
    }
    bytes_dispose(&scratch);
    bytes_dispose(&b);
}
END_TEST

/* A damaged value of any column is seen. */
START_TEST(each_column_counts)
{
    const row_table *t = row_table_of((row_table_id)_i);
    row_value values[ROW_COLUMNS_MAX];
    char texts[ROW_COLUMNS_MAX][32], sql[200];
    bytes scratch = {0};
    if (t->checksum < 0)
        return;
    loosen();
    make_row(values, t, 3, texts);
    ck_assert_int_eq(row_seal(values, t, &scratch, &err), PTL_OK);
    insert(t, values);
    for (int i = 0; i < t->count; i++) {
        snprintf(sql, sizeof sql, "SAVEPOINT p; UPDATE %s SET %s = 77", t->name,
                 t->columns[i].name);
        ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
        stmt *s = prepare(store, t->all);
        ck_assert(step(s));
        ck_assert_msg(row_verify(s, (row_table_id)_i, &err) == PTL_ERR_CORRUPT, "%s.%s",
                      t->name, t->columns[i].name);
        memset(&err, 0, sizeof err);
        stmt_free(s);
        ck_assert_int_eq(sqlite_exec(store, "ROLLBACK TO p; RELEASE p", &err), PTL_OK);
    }
    bytes_dispose(&scratch);
}
END_TEST

/* A value that is left out, or of another type, is written nowhere. */
START_TEST(a_forgotten_value_is_refused)
{
    const row_table *t = row_table_of((row_table_id)_i);
    row_value values[ROW_COLUMNS_MAX];
    char texts[ROW_COLUMNS_MAX][32];
    loosen();
    for (int i = 0; i < t->count; i++) {
        const bool null = (t->columns[i].type & ROW_OR_NULL) != 0;
        make_row(values, t, 3, texts);
        values[i] = !null ? (row_value){.type = ROW_NULL}
                    : t->columns[i].type == (ROW_INTEGER | ROW_OR_NULL) ? row_blob("x", 1)
                                                                        : row_int(1);
        stmt *s = prepare(store, t->insert);
        row_bind(s, t, values, 0);
        ck_assert_msg(stmt_run(s, &err) != PTL_OK, "%s.%s", t->name, t->columns[i].name);
        memset(&err, 0, sizeof err);
        stmt_free(s);
    }
}
END_TEST

/* ---- what a file of ours holds ---- */

static int64_t check_stored(ptl_store *of, const row_table *t, bytes *b)
{
    char sql[100];
    schema_table schema, of_crossing;
    int64_t rows = 0;
    read_schema(&schema, of, t->name);
    read_schema(&of_crossing, of, "crossing");
    snprintf(sql, sizeof sql, "SELECT * FROM %s", t->name);
    stmt *s = prepare(of, sql);
    stmt *crossings =
        prepare(of, "SELECT * FROM crossing WHERE edge_id = ? ORDER BY z, kind, position");
    for (; step(s); rows++) {
        bytes_clear(b);
        put_text(b, t->name);
        put_columns(b, s, &schema, 0);
        if (strcmp(t->name, "edge") == 0)
            for (stmt_bind_int(crossings, 1, stmt_int(s, 0)); step(crossings);)
                put_columns(b, crossings, &of_crossing, 1);
        ck_assert_msg(stmt_int(s, schema.checksum) == sum_of(b), "table %s, row %lld", t->name,
                      (long long)stmt_int(s, 0));
    }
    stmt_free(crossings);
    stmt_free(s);
    return rows;
}

START_TEST(stored_rows_are_as_the_format_says)
{
    fixture f;
    bytes b = {0};
    bool written;
    gen_features features = {0};
    fixture_open(&f);
    fixture_features(&features, f.cat, 5, (feature_counts){3, 20, 10, 4});
    fixture_specials(&features, 6, (special_counts){40, 10, 5, 5});
    for (int i = 0; i < 3; i++) {
        ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){i, 0}, (uint64_t)i);
        ck_assert_msg(fixture_write_features(&f, f.store, chunk, NULL, &features, &written,
                                             &err) == PTL_OK,
                      "%s", err.message);
        ptl_chunk_free(chunk);
    }
    ck_assert_int_eq(check_stored(f.store, row_table_of(TABLE_RUN), &b), 1);
    ck_assert_int_eq(ops(f.store)->run->end(f.store, f.run_id, 3, 0.5, "done", NULL), PTL_OK);
    const world_row now = {
        .id = f.world_id, .derive = true, .generator_version = 7, .content_id = 1};
    ck_assert_int_eq(ops(f.store)->world->renew(f.store, &now, &err), PTL_OK);
    static const row_table_id written_tables[] = {TABLE_OTER, TABLE_NAME,  TABLE_WORLD,
                                                  TABLE_RUN,  TABLE_CHUNK, TABLE_LEVEL,
                                                  TABLE_PACK, TABLE_EDGE,  TABLE_EVENT};
    for (size_t i = 0; i < sizeof written_tables / sizeof *written_tables; i++)
        ck_assert_int_gt(check_stored(f.store, row_table_of(written_tables[i]), &b), 0);
    features_dispose(&features);
    bytes_dispose(&b);
    fixture_close(&f);
}
END_TEST

/* ---- content ---- */

static const content_field *field_called(const content_form *form, const char *column)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->fields[i].kind != FIELD_KEY && strcmp(form->fields[i].column, column) == 0)
            return &form->fields[i];
    return NULL;
}

static void check_column(const content_field *f, const char *type, bool required)
{
    static const struct {
        const char *type;
        bool null;
    } kinds[] = {[FIELD_TEXT] = {"TEXT", false},        [FIELD_TEXT_OR_NULL] = {"TEXT", true},
                 [FIELD_INT] = {"INTEGER", false},      [FIELD_INT_OR_NULL] = {"INTEGER", true},
                 [FIELD_REAL] = {"REAL", false},        [FIELD_REAL_OR_NULL] = {"REAL", true},
                 [FIELD_SWITCH] = {"INTEGER", false},   [FIELD_LIST] = {"TEXT", false},
                 [FIELD_LIST_OR_NULL] = {"TEXT", true}, [FIELD_BLOB] = {"BLOB", false}};
    ck_assert_ptr_nonnull(kinds[f->kind].type);
    ck_assert_msg(strcmp(kinds[f->kind].type, type) == 0, "%s is %s", f->column, type);
    ck_assert_msg(kinds[f->kind].null == !required, "%s: NULL", f->column);
}

/* Each column is a field of the same type, but for the numbers that SQLite gives to rows. */
START_TEST(content_fields_are_the_schema)
{
    const content_form *form = &content_forms[_i];
    char sql[100];
    size_t columns = 0, fields = 0;
    snprintf(sql, sizeof sql, "PRAGMA table_info('%s')", form->table);
    stmt *s = prepare(store, sql);
    while (step(s)) {
        const char *name = stmt_text(s, 1);
        const content_field *f = field_called(form, name);
        if (!f && strcmp(name, "id") == 0 && strcmp(stmt_text(s, 2), "INTEGER") == 0)
            continue;
        ck_assert_msg(f != NULL, "%s.%s", form->table, name);
        check_column(f, stmt_text(s, 2), stmt_int(s, 3) != 0);
        columns++;
    }
    stmt_free(s);
    for (size_t i = 0; i < form->count; i++)
        fields += form->fields[i].kind != FIELD_KEY;
    ck_assert_uint_eq(columns, fields);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("row_tables");
    TCase *tc = tcase_create("row_tables");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, a_description_is_the_schema, 0, TABLE_COUNT);
    tcase_add_test(tc, each_table_with_checksums_is_described);
    tcase_add_loop_test(tc, values_can_be_asked_for, 0, TABLE_COUNT);
    tcase_add_loop_test(tc, rows_are_sealed_as_the_format_says, 0, TABLE_COUNT);
    tcase_add_loop_test(tc, each_column_counts, 0, TABLE_COUNT);
    tcase_add_loop_test(tc, a_forgotten_value_is_refused, 0, TABLE_COUNT);
    tcase_add_test(tc, stored_rows_are_as_the_format_says);
    tcase_add_loop_test(tc, content_fields_are_the_schema, 0, CONTENT_PARTS);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
