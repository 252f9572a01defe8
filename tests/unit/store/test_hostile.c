/*
 * Files and statements that mean harm: what is no world file, or one that someone prepared, is
 * refused with a message that names it, or read without effect; queries end within their
 * limits.
 */
#include "codec/compress.h"
#include "core/hash.h"
#include "portolan/query.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/content/content_write.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/schema/schema_check.h"
#include "support/suite.h"
#include "support/test_folder.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char dir[64], path[96];
static ptl_error err;
static ptl_store *store;

static ptl_status open_as(ptl_open_mode mode)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = mode, .busy_timeout_ms = 300};
    ptl_store_close(store);
    store = NULL;
    return ptl_store_open(&store, path, &options, &err);
}

static void close_store(void)
{
    ptl_store_close(store);
    store = NULL;
}

static void setup(void)
{
    test_folder(dir, sizeof dir);
    snprintf(path, sizeof path, "%s/w.ptl", dir);
    ck_assert_msg(open_as(PTL_OPEN_CREATE) == PTL_OK, "%s", err.message);
    close_store();
}

static void teardown(void)
{
    char command[128];
    close_store();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    ck_assert_int_eq(system(command), 0);
}

/* What another program does to the file, with nothing that holds it back. */
static void alter(const char *sql)
{
    char *message = NULL;
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    ck_assert_msg(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s", sql,
                  message);
    sqlite3_close(db);
}

/* ---- the schema ---- */

static const struct {
    const char *sql;
    ptl_status status;
    const char *text; /* part of the message */
} schemas[] = {
    {"CREATE TRIGGER evil AFTER INSERT ON chunk BEGIN DELETE FROM chunk; END", PTL_ERR_FORMAT,
     "trigger 'evil'"},
    {"CREATE VIEW mine AS SELECT 1", PTL_ERR_FORMAT, "(DROP view \"mine\")"},
    {"DROP VIEW v_special; CREATE VIEW v_special AS SELECT load_extension('/tmp/x') AS world",
     PTL_ERR_CORRUPT, "view 'v_special'"},
    {"DROP VIEW v_special; CREATE VIEW v_special AS SELECT writefile('/tmp/x', 'y') AS world",
     PTL_ERR_CORRUPT, "view 'v_special'"},
    {"DROP VIEW v_level", PTL_ERR_CORRUPT, "view 'v_level' is missing"},
    {"ALTER TABLE radio RENAME TO radio2; CREATE VIEW radio AS SELECT * FROM radio2",
     PTL_ERR_FORMAT, "table 'radio2' has CHECK constraints"},
    {"DROP TABLE set_aside; CREATE VIEW set_aside AS SELECT * FROM chunk", PTL_ERR_FORMAT,
     "view 'set_aside'"},
    {"ALTER TABLE set_aside ADD COLUMN twice AS (id * 2)", PTL_ERR_CORRUPT,
     "table 'set_aside' is defined otherwise"},
    {"ALTER TABLE oter ADD COLUMN more", PTL_ERR_CORRUPT, "table 'oter'"},
    {"DROP TABLE content_checksum; CREATE TABLE content_checksum (\n"
     "    name TEXT PRIMARY KEY, -- of the table\n"
     "    row_count INTEGER NOT NULL,\n    checksum INTEGER NOT NULL,\n"
     "    CONSTRAINT content_checksum_rows CHECK (row_count >= 0)\n)",
     PTL_ERR_CORRUPT, "table 'content_checksum'"}, /* it was WITHOUT ROWID */
    {"DROP INDEX content_current", PTL_ERR_CORRUPT, "index 'content_current' is missing"},
    {"CREATE VIRTUAL TABLE f USING fts5(a)", PTL_ERR_FORMAT, "table 'f' is a virtual table"},
    {"CREATE VIRTUAL TABLE r USING rtree(id, a, b)", PTL_ERR_FORMAT, "is a virtual table"},
    {"CREATE VIRTUAL TABLE d USING dbstat", PTL_ERR_FORMAT, "is a virtual table"},
    {"CREATE TABLE t (a CHECK (length(hex(zeroblob(1000000))) > 0))", PTL_ERR_FORMAT,
     "table 't' has CHECK constraints"},
    {"CREATE TABLE t (a, b AS (abs(a)))", PTL_ERR_FORMAT, "has computed columns"},
    {"CREATE TABLE t (a REFERENCES chunk (id) ON DELETE CASCADE)", PTL_ERR_FORMAT,
     "has foreign keys"},
    {"CREATE TABLE t (a, FOREIGN KEY (a) REFERENCES \"Chunk\" (id))", PTL_ERR_FORMAT,
     "has foreign keys"},
    {"CREATE INDEX i ON chunk (abs(x))", PTL_ERR_FORMAT, "index 'i' is over expressions"},
    {"CREATE INDEX i ON chunk (x + 1)", PTL_ERR_FORMAT, "is over expressions"},
    {"CREATE INDEX i ON oter (name LIKE '%%')", PTL_ERR_FORMAT, "is over expressions"},
    {"CREATE INDEX i ON chunk (x) WHERE y > 0", PTL_ERR_FORMAT, "is partial"},
    {"CREATE UNIQUE INDEX i ON run (command)", PTL_ERR_FORMAT, "is unique"},
    {"CREATE TABLE \"we\x01ird\"\"\xff\" (a CHECK (1))", PTL_ERR_FORMAT, "table 'we?ird\"?'"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE TABLE chunk (' WHERE "
     "name = 'chunk'",
     PTL_ERR_CORRUPT, "malformed database schema"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'what stands', "
     "'what stand') || ' ' WHERE name = 'event'",
     PTL_ERR_CORRUPT, "table 'event'"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'view' WHERE name = 'run'",
     PTL_ERR_CORRUPT, "malformed"},
    {"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 9999 WHERE name = 'run'",
     PTL_ERR_CORRUPT, "malformed"},
    {"PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('view', 'sqlite_x', "
     "'sqlite_x', 0, 'CREATE VIEW sqlite_x AS SELECT 1')",
     PTL_ERR_FORMAT, "view 'sqlite_x'"}};

enum { SCHEMAS = sizeof schemas / sizeof schemas[0] };

START_TEST(test_schemas)
{
    alter(schemas[_i].sql);
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
        ptl_status status = open_as((ptl_open_mode)mode);
        ck_assert_msg(status == schemas[_i].status, "%s: %d %s", schemas[_i].sql, (int)status,
                      err.message);
        ck_assert_msg(strstr(err.message, schemas[_i].text) != NULL, "%s: %s", schemas[_i].sql,
                      err.message);
    }
}
END_TEST

static const char *const harmless[] = {
    "CREATE INDEX i ON chunk (world_id, x DESC)",
    "CREATE INDEX i ON oter (\"name\" COLLATE NOCASE ASC)",
    "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT DEFAULT 'CHECK', \"as\"); "
    "INSERT INTO t (b) VALUES (1)",
    "CREATE TABLE t (a PRIMARY KEY, b NOT NULL UNIQUE) WITHOUT ROWID; CREATE UNIQUE INDEX u ON "
    "t (b)",
    "CREATE TABLE s (a PRIMARY KEY); CREATE TABLE t (a REFERENCES s (a) /* CHECK */)",
    "CREATE TABLE t AS SELECT 1 AS a",
    "ANALYZE",
    "VACUUM",
    "PRAGMA auto_vacuum = FULL; VACUUM",
    "PRAGMA page_size = 65536; VACUUM",
    "PRAGMA page_size = 512; VACUUM"};

START_TEST(test_harmless)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    alter(harmless[_i]);
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++)
        ck_assert_msg(open_as((ptl_open_mode)mode) == PTL_OK, "%s: %s", harmless[_i],
                      err.message);
    ck_assert_int_eq(ptl_verify(&counts, store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
}
END_TEST

typedef struct noted {
    int problems;
    char where[100];
} noted;

static void note(void *payload, const ptl_problem *p)
{
    noted *n = payload;
    n->problems++;
    snprintf(n->where, sizeof n->where, "%d %.90s", p->invariant, p->where);
}

/* Verify sees what came after opening. */
START_TEST(test_later)
{
    noted n = {0};
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    alter("CREATE TRIGGER evil AFTER INSERT ON chunk BEGIN DELETE FROM chunk; END");
    ck_assert_int_eq(ptl_verify(NULL, store, note, &n, &err), PTL_OK);
    ck_assert_int_eq(n.problems, 1);
    ck_assert_str_eq(n.where, "2 trigger evil");
    ck_assert_int_eq(ptl_query(store, "SELECT 1", NULL, &err), PTL_ERR_FORMAT);
}
END_TEST

/* The statements of the schema are what SQLite keeps of them; and each table of content is
 * in the list of those with checksums, by its key, the others not. */
START_TEST(test_lists)
{
    static const char others[] = " oter name world run chunk level city radio "
                                 "special_placement pack edge crossing event "
                                 "set_aside content_checksum sweep sweep_chunk content_past "
                                 "omt_map overview surge omt_spill chunk_edit placed_special "
                                 "note mark fact ";
    char word[80];
    size_t tables = 0, listed = 0;
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    ck_assert_int_eq(schema_check(store, &err), PTL_OK);
    for (const content_table *t = content_tables; t->name; t++) {
        stmt *s = NULL;
        bool row;
        listed++;
        snprintf(word, sizeof word, " %s ", t->name);
        ck_assert_msg(strstr(others, word) == NULL, "%s", t->name);
        ck_assert_int_eq(stmt_prepare(&s, store,
                                      "SELECT group_concat(name, ', ') FROM (SELECT name FROM "
                                      "pragma_table_info(?1) WHERE pk > 0 ORDER BY pk)",
                                      &err),
                         PTL_OK);
        stmt_bind_text(s, 1, t->name);
        ck_assert_int_eq(stmt_step(s, &row, &err), PTL_OK);
        ck_assert_str_eq(stmt_text(s, 0), t->key);
        stmt_free(s);
    }
    for (const char *at = others + 1; *at; at = strchr(at, ' ') + 1)
        tables++;
    int64_t all = 0;
    ck_assert_int_eq(
        sqlite_pragma_int(store,
                          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' "
                          "AND name NOT LIKE 'sqlite%'",
                          &all, &err),
        PTL_OK);
    ck_assert_int_eq(all, (int64_t)(tables + listed));
}
END_TEST

/* ---- files ---- */

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    ck_assert(file != NULL);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static unsigned char *read_file(size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    unsigned char *data = malloc(*size);
    rewind(file);
    ck_assert(data && fread(data, 1, *size, file) == *size);
    fclose(file);
    return data;
}

/* Opened, it is verified and asked; nothing of it may end otherwise than by a status. */
static bool survives(void)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    if (open_as(PTL_OPEN_READ) != PTL_OK)
        return err.message[0] != '\0';
    ptl_status status = ptl_verify(&counts, store, NULL, NULL, &err);
    ptl_query(store, "SELECT count(*) FROM chunk, v_level", NULL, &err);
    close_store();
    return status == PTL_OK || status == PTL_ERR_CORRUPT || status == PTL_ERR_IO;
}

START_TEST(test_encodings)
{
    static const char *const encodings[] = {"UTF-16le", "UTF-16be"};
    sqlite3 *db = NULL;
    char sql[300];
    unlink(path);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "PRAGMA encoding = '%s'", encodings[_i]);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ptl_store plain = {.db = db, .scratch = row_scratch_new()};
    ck_assert_msg(migrate_create(&plain, &err) == PTL_OK, "%s", err.message);
    dictionary_forget(&plain);
    row_scratch_free(plain.scratch);
    for (size_t i = 0; i < STMT_COUNT; i++)
        stmt_free(plain.prepared[i]);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
        ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_FORMAT);
        ck_assert_msg(strstr(err.message, encodings[_i]) != NULL, "%s", err.message);
    }
}
END_TEST

START_TEST(test_kinds_of_files)
{
    char name[96], target[120];
    snprintf(target, sizeof target, "%s/fifo", dir);
    ck_assert_int_eq(mkfifo(target, 0600), 0);
    const char *const refused[] = {dir, target, "/dev/zero", "/dev/null"};
    memcpy(name, path, sizeof name);
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%.90s", refused[i]);
        for (int mode = PTL_OPEN_READ; mode <= PTL_OPEN_CREATE; mode++) {
            ck_assert_int_eq(open_as((ptl_open_mode)mode), PTL_ERR_FORMAT);
            ck_assert(strstr(err.message, "not a regular file") != NULL);
        }
    }
    snprintf(path, sizeof path, "%.70s/link", dir);
    ck_assert_int_eq(symlink(name, path), 0);
    ck_assert_msg(open_as(PTL_OPEN_WRITE) == PTL_OK, "%s", err.message);
}
END_TEST

/* Cut at every page, and inside; with other bytes behind the header; with another's journal. */
START_TEST(test_broken_files)
{
    size_t size;
    int bad = 0;
    rng r = rng_from_key(3);
    unsigned char *whole = read_file(&size), *data = malloc(size);
    ck_assert(data != NULL);
    for (size_t end = 0; end < size; end += end < 4096 ? 512 : 8 * 2048) {
        write_file(path, whole, end);
        bad += !survives();
    }
    for (int i = 0; i < 20; i++) {
        memcpy(data, whole, size);
        for (size_t k = i < 10 ? 100 : 16; k < size; k++)
            data[k] = (unsigned char)rng_below(&r, 256);
        write_file(path, data, size);
        bad += !survives();
    }
    for (int i = 0; i < 20; i++) { /* a page in the place of another */
        memcpy(data, whole, size);
        memcpy(data + 2048 * rng_below(&r, size / 2048),
               whole + 2048 * rng_below(&r, size / 2048), 2048);
        write_file(path, data, size);
        bad += !survives();
    }
    memcpy(data, whole, size);
    data[18] = data[19] = 2; /* a WAL file's mark */
    write_file(path, data, size);
    bad += !survives();
    free(data);
    free(whole);
    ck_assert_int_eq(bad, 0);
}
END_TEST

/* A journal that another database left is played back by SQLite, whatever we do; what comes of
 * it is found or refused. */
START_TEST(test_foreign_journal)
{
    char other[100], journal[120], sql[100], copy[120];
    sqlite3 *db = NULL;
    size_t size;
    snprintf(other, sizeof other, "%.60s/other.db", dir);
    snprintf(journal, sizeof journal, "%.100s-journal", other);
    snprintf(copy, sizeof copy, "%.90s-journal", path);
    ck_assert_int_eq(sqlite3_open(other, &db), SQLITE_OK);
    snprintf(sql, sizeof sql,
             "PRAGMA page_size = 2048; PRAGMA cache_size = 2; CREATE TABLE t (a)");
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(db,
                     "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i "
                     "< 300) INSERT INTO t SELECT zeroblob(1000) FROM n; BEGIN; "
                     "UPDATE t SET a = randomblob(1000)",
                     NULL, NULL, NULL),
        SQLITE_OK);
    char saved[96];
    memcpy(saved, path, sizeof saved);
    snprintf(path, sizeof path, "%.90s", journal);
    unsigned char *data = read_file(&size);
    memcpy(path, saved, sizeof saved);
    ck_assert_uint_gt(size, 512);
    write_file(copy, data, size);
    free(data);
    sqlite3_close(db);
    ck_assert(survives());
}
END_TEST

/* ---- queries ---- */

static bool take_row(void *payload, size_t columns, const char *const *names,
                     const ptl_value *values)
{
    (void)columns;
    (void)names;
    (void)values;
    ++*(uint64_t *)payload;
    return true;
}

static const struct {
    const char *sql;
    ptl_status status;
} statements[] = {
    {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
     PTL_ERR_LIMIT},
    {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n ORDER BY "
     "random()",
     PTL_ERR_LIMIT},
    {"WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) "
     "FROM n a, n b, n c WHERE a.i * b.i + c.i = -1",
     PTL_ERR_LIMIT},
    {"WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT group_concat(i) FROM n",
     PTL_ERR_LIMIT},
    {"SELECT randomblob(1000000000)", PTL_ERR_LIMIT},
    {"SELECT zeroblob(4194305)", PTL_ERR_LIMIT},
    {"SELECT hex(zeroblob(4000000))", PTL_ERR_LIMIT},
    {"SELECT printf('%1000000000d', 1)", PTL_ERR_LIMIT},
    {"SELECT printf('%.1000000000f', 1.0)", PTL_ERR_LIMIT},
    {"SELECT printf('%.*c', 2000000000, 'x')", PTL_ERR_LIMIT},
    {"SELECT printf('%.*c', -2000000000, 'x')", PTL_ERR_LIMIT},
    {"SELECT printf('%.*c', 2000000000 + (1 << 40), 'x')", PTL_ERR_LIMIT},
    {"SELECT format('%d %s %-5d%%%.2000000000c', 1, 'a', 2, 'x')", PTL_ERR_LIMIT},
    {"SELECT printf('%d%*.*c', 1, 4000000, 400000, 'x')", PTL_ERR_LIMIT},
    {"SELECT printf('%.4194304c', 'x')", PTL_OK},
    {"SELECT printf('%.4194305c', 'x')", PTL_ERR_LIMIT},
    {"SELECT printf(replace(hex(zeroblob(30000)), '0', '%.99999c'), 'x')", PTL_ERR_LIMIT},
    {"SELECT hex(zeroblob(2000000)) LIKE '%' || replace(hex(zeroblob(50)), '0', '00') || '1'",
     PTL_ERR_ARGUMENT},
    {"SELECT trim(hex(zeroblob(2000000)), hex(zeroblob(200)) || '1')", PTL_ERR_ARGUMENT},
    {"SELECT replace(hex(zeroblob(1000000)), '0', hex(zeroblob(400)))", PTL_ERR_LIMIT},
    {"SELECT instr(zeroblob(4000000), zeroblob(2000000) || x'01')", PTL_ERR_ARGUMENT},
    {"SELECT trim(hex(zeroblob(2000000)), hex(randomblob(1000000)))", PTL_ERR_ARGUMENT},
    {"SELECT json_patch(json_array(hex(zeroblob(60000))), '{}')", PTL_ERR_ARGUMENT},
    {"SELECT 'a' LIKE hex(zeroblob(500))", PTL_OK},
    {"SELECT 'a' LIKE hex(zeroblob(50000))", PTL_ERR_ARGUMENT},
    {"SELECT 'a' GLOB hex(zeroblob(50000))", PTL_ERR_ARGUMENT},
    {"SELECT json_valid(replace(hex(zeroblob(3000)), '0', '['))", PTL_OK},
    {"SELECT count(*) FROM json_tree(replace(hex(zeroblob(3000)), '0', '['))",
     PTL_ERR_ARGUMENT},
    {"ATTACH '/tmp/portolan-hostile.db' AS a", PTL_ERR_ARGUMENT},
    {"SELECT fts3_tokenizer('simple')", PTL_ERR_ARGUMENT},
    {"SELECT load_extension('/tmp/x.so')", PTL_ERR_ARGUMENT},
    {"SELECT writefile('/tmp/x', 'y')", PTL_ERR_ARGUMENT},
    {"SELECT readfile('/etc/passwd')", PTL_ERR_ARGUMENT},
    {"SELECT sqlite_compileoption_get(1)", PTL_ERR_ARGUMENT},
    {"SELECT rtreecheck('chunk')", PTL_ERR_ARGUMENT},
    {"SELECT * FROM dbstat", PTL_ERR_ARGUMENT},
    {"SELECT * FROM sqlite_dbpage", PTL_ERR_ARGUMENT},
    {"SELECT * FROM fts3tokenize('simple', 'a')", PTL_ERR_ARGUMENT},
    {"SELECT * FROM pragma_journal_mode('wal')", PTL_ERR_ARGUMENT},
    {"SELECT * FROM pragma_writable_schema(1)", PTL_ERR_ARGUMENT},
    {"SELECT * FROM pragma_quick_check", PTL_ERR_ARGUMENT},
    {"PRAGMA temp_store_directory = '/tmp'", PTL_ERR_ARGUMENT},
    {"PRAGMA key = 'x'", PTL_ERR_ARGUMENT},
    {"PRAGMA soft_heap_limit = 1", PTL_ERR_ARGUMENT},
    {"CREATE VIRTUAL TABLE temp.v USING fts5(a)", PTL_ERR_ARGUMENT},
    {"CREATE TEMP TRIGGER t AFTER INSERT ON chunk BEGIN SELECT 1; END", PTL_ERR_ARGUMENT},
    {"EXPLAIN DELETE FROM chunk", PTL_ERR_ARGUMENT},
    {"WITH x AS (SELECT 1) DELETE FROM chunk", PTL_ERR_ARGUMENT},
    {"INSERT INTO building VALUES (1)", PTL_ERR_ARGUMENT},
    {"UPDATE sqlite_schema SET sql = ''", PTL_ERR_ARGUMENT}};

enum { STATEMENTS = sizeof statements / sizeof statements[0] };

/* Seconds that a query may take: few for those that are to be stopped by that; those that are
 * refused for what they are must not be taken for slow where sanitizers or others slow them. */
static double time_limit = 0.1;

static ptl_status ask(const char *sql, uint64_t size_limit)
{
    uint64_t rows = 0;
    const ptl_query_options options = {.size = sizeof options,
                                       .time_limit = time_limit,
                                       .row_limit = 1000,
                                       .byte_limit = size_limit,
                                       .on_row = take_row,
                                       .payload = &rows};
    return ptl_query(store, sql, &options, &err);
}

START_TEST(test_statements)
{
    struct timespec start, end;
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    clock_gettime(CLOCK_MONOTONIC, &start);
    time_limit = statements[_i].status == PTL_ERR_LIMIT ? 0.1 : 30;
    ptl_status status = ask(statements[_i].sql, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    ck_assert_msg(status == statements[_i].status, "%s: %d %s", statements[_i].sql, (int)status,
                  err.message);
    /* Slack for loaded machines, and more for sanitizers; what is not bounded takes minutes. */
    const int slack = getenv("PORTOLAN_QUICK") ? 40 : 5;
    ck_assert_msg(end.tv_sec - start.tv_sec <= slack, "%s took %d s", statements[_i].sql,
                  (int)(end.tv_sec - start.tv_sec));
}
END_TEST

/* Deep and long statements. */
START_TEST(test_long_statements)
{
    static char sql[200000];
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    size_t n = 0;
    n += (size_t)sprintf(sql, "SELECT ");
    for (int i = 0; i < 20000; i++)
        sql[n++] = '(';
    sql[n] = '\0';
    ck_assert_int_eq(ask(sql, 0), PTL_ERR_ARGUMENT);
    n = (size_t)sprintf(sql, "SELECT 1");
    for (int i = 0; i < 1000; i++)
        n += (size_t)sprintf(sql + n, "+1");
    ck_assert_int_eq(ask(sql, 0), PTL_ERR_ARGUMENT);
    n = (size_t)sprintf(sql, "SELECT 1");
    for (int i = 0; i < 100; i++)
        n += (size_t)sprintf(sql + n, " UNION SELECT %d", i);
    ck_assert_int_eq(ask(sql, 0), PTL_ERR_ARGUMENT);
    memset(sql, ' ', sizeof sql - 1);
    memcpy(sql + 150000, "SELECT 1", 8);
    sql[sizeof sql - 1] = '\0';
    ck_assert_int_ne(ask(sql, 0), PTL_OK);
}
END_TEST

START_TEST(test_size_of_results)
{
    static const char sql[] =
        "WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < "
        "10) SELECT zeroblob(1000) FROM n";
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    ck_assert_int_eq(ask(sql, 10080), PTL_OK);
    ck_assert_int_eq(ask(sql, 10079), PTL_ERR_LIMIT);
    ck_assert_str_eq(err.message, "more than 10079 bytes");
}
END_TEST

/* Bounded functions give what SQLite's own give. */
START_TEST(test_bounded_functions)
{
    static const char *const same[] = {
        "instr('abcabc', 'ca') = 3",
        "instr(x'0102', x'02') = 2",
        "instr(NULL, 'a') IS NULL",
        "replace('aXbX', 'X', 'yy') = 'ayybyy'",
        "replace('a', '', 'b') = 'a'",
        "trim('  a ') = 'a'",
        "trim('xxaxx', 'x') = 'a'",
        "ltrim('xxaxx', 'x') = 'axx'",
        "rtrim('\xc3\xa4\xc3\xb6', '\xc3\xb6') = '\xc3\xa4'",
        "printf('%5d|%-5s|%05.2f|%.3c|', 42, 'ab', 1.5, 'x') = '   42|ab   |01.50|xxx|'",
        "printf('%*d|%%', 4, 7) = '   7|%'",
        "format('%s', 5000000000) = '5000000000'",
        "printf('%d') = '0'",
        "printf(NULL, 1) IS NULL",
        "printf('plain') = 'plain'",
        "json_patch('{\"a\":1}', '{\"b\":2}') = '{\"a\":1,\"b\":2}'",
        "json_array(json('[1]'), json_extract('[[2]]', '$[0]')) = '[[1],[2]]'",
        "json_array_length('[1,[2,3]]') = 2 AND json_array_length('[1,[2,3]]', '$[1]') = 2",
        "json_remove('[1,2,3]', '$[0]', '$[0]') = '[3]'",
        "json_type('[1]', '$[0]') = 'integer'",
        "json_valid('[') = 0 AND json_valid('[]') = 1 AND json_extract(NULL, '$') IS NULL",
        "upper('a\xc3\xa4') = 'A\xc3\xa4' AND lower('AB') = 'ab' AND hex('ab') = '6162'",
        "quote(x'00') = 'X''00''' AND quote(NULL) = 'NULL' AND length(randomblob(9)) = 9"};
    int64_t yes;
    sqlite3 *db = NULL;
    ck_assert_int_eq(open_as(PTL_OPEN_READ), PTL_OK);
    ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
    ptl_store plain = {.db = db};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "SELECT 1 WHERE NOT (%s)", same[i]);
        uint64_t rows = 0;
        const ptl_query_options options = {
            .size = sizeof options, .on_row = take_row, .payload = &rows};
        ck_assert_msg(ptl_query(store, sql, &options, &err) == PTL_OK, "%s: %s", sql,
                      err.message);
        ck_assert_msg(rows == 0, "%s", same[i]);
        snprintf(sql, sizeof sql, "SELECT %s", same[i]);
        ck_assert_int_eq(sqlite_pragma_int(&plain, sql, &yes, &err), PTL_OK);
        ck_assert_msg(yes == 1, "SQLite itself: %s", same[i]);
    }
    sqlite3_close(db);
}
END_TEST

/* ---- compressed texts ---- */

/* Frames by hand: magic, descriptor, sizes, one raw block of "ab". */
static const struct {
    const char *what;
    size_t size, wanted;
    unsigned char frame[24];
    ptl_status status;
} frames[] = {
    {"sound", 11, 2, {0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 'a', 'b'}, PTL_OK},
    {"wanted larger",
     11,
     3,
     {0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 'a', 'b'},
     PTL_ERR_CORRUPT},
    {"says 3", 11, 3, {0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x11, 0, 0, 'a', 'b'}, PTL_ERR_CORRUPT},
    {"says 1", 11, 1, {0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 0x11, 0, 0, 'a', 'b'}, PTL_ERR_CORRUPT},
    {"no content size",
     11,
     2,
     {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0, 0x11, 0, 0, 'a', 'b'},
     PTL_ERR_CORRUPT},
    {"a byte behind",
     12,
     2,
     {0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 'a', 'b', 0},
     PTL_ERR_CORRUPT},
    {"a dictionary",
     12,
     2,
     {0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 2, 0x11, 0, 0, 'a', 'b'},
     PTL_ERR_CORRUPT},
    {"cut", 10, 2, {0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 'a'}, PTL_ERR_CORRUPT},
    {"skippable", 10, 0, {0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 'a', 'b'}, PTL_ERR_CORRUPT},
    {"skippable before",
     21,
     2,
     {0x50, 0x2a, 0x4d, 0x18, 2, 0,    0, 0, 'a', 'b', 0x28,
      0xb5, 0x2f, 0xfd, 0x20, 2, 0x11, 0, 0, 'a', 'b'},
     PTL_ERR_CORRUPT},
    {"2^60 bytes",
     18,
     (size_t)1 << 60,
     {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x11, 0, 0, 'a', 'b'},
     PTL_ERR_CORRUPT},
    {"repeats a byte for 2 MB",
     13,
     2097151,
     {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xff, 0xff, 0x1f, 0, 0xfb, 0xff, 0xff, 'a'},
     PTL_OK},
    {"nothing", 0, 0, {0}, PTL_ERR_CORRUPT}};

START_TEST(test_frames)
{
    compressor *c = compressor_new();
    ck_assert(c != NULL);
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        bytes out;
        bytes_init(&out);
        memset(&err, 0, sizeof err);
        ptl_status status =
            decompressor_run(c, &out, frames[i].frame, frames[i].size, frames[i].wanted, &err);
        ck_assert_msg(status == frames[i].status, "%s: %d %s", frames[i].what, (int)status,
                      err.message);
        ck_assert_uint_lt(out.capacity, 4 << 20);
        bytes_dispose(&out);
    }
    compressor_free(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tc = tcase_create("hostile");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 30);
    tcase_add_loop_test(tc, test_schemas, 0, SCHEMAS);
    tcase_add_loop_test(tc, test_harmless, 0, sizeof harmless / sizeof harmless[0]);
    tcase_add_test(tc, test_later);
    tcase_add_test(tc, test_lists);
    tcase_add_loop_test(tc, test_encodings, 0, 2);
    tcase_add_test(tc, test_kinds_of_files);
    tcase_add_test(tc, test_broken_files);
    tcase_add_test(tc, test_foreign_journal);
    tcase_add_loop_test(tc, test_statements, 0, STATEMENTS);
    tcase_add_test(tc, test_long_statements);
    tcase_add_test(tc, test_size_of_results);
    tcase_add_test(tc, test_bounded_functions);
    tcase_add_test(tc, test_frames);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
