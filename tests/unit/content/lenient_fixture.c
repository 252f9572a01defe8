#include "unit/content/lenient_fixture.h"

#include "portolan/portolan.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void path_of(char out[128], const lenient_fixture *f, const char *name)
{
    snprintf(out, 128, "%s/%s", f->folder, name);
}

static void import_into(import_run *run, const lenient_fixture *f, const char *name,
                        const char *content, bool lenient)
{
    char path[128];
    const char *directories[2];
    ptl_store *store = NULL;
    ptl_error err;
    const ptl_open_options open = {.size = sizeof open, .mode = PTL_OPEN_CREATE};
    path_of(path, f, name);
    memset(run, 0, sizeof *run);
    if (f->base)
        directories[run->options.directory_count++] = f->base;
    if (content)
        directories[run->options.directory_count++] = content;
    run->options.directories = directories;
    run->options.builtin = true;
    run->options.lenient = lenient;
    ck_assert_msg(ptl_store_open(&store, path, &open, &err) == PTL_OK, "%s", err.message);
    run_import(run, store);
    ptl_store_close(store);
}

void lenient_begin(lenient_fixture *f, const char *base)
{
    import_run run;
    *f = (lenient_fixture){.base = base};
    make_scratch(f->folder);
    import_into(&run, f, "whole.db", NULL, false);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    import_run_dispose(&run);
}

void lenient_end(lenient_fixture *f)
{
    ck_assert_uint_gt(f->warned, 20);
    remove_scratch(f->folder);
}

/* ---- rows ---- */

/* One number that a statement gives. */
static int ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(db));
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    const int value = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return value;
}

/* What the sound objects beside a mistake define: it may take the place of the pack's own. */
static void find_defined(sqlite3 *db, const char *content)
{
    static const char *const tables[] = {"overmap_terrain",    "overmap_location",
                                         "overmap_connection", "overmap_special",
                                         "region_settings",    "map_extra"};
    char sql[5000];
    ck_assert_int_eq(sqlite3_exec(db, "CREATE TEMP TABLE own (id TEXT)", NULL, NULL, NULL),
                     SQLITE_OK);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        snprintf(sql, sizeof sql,
                 "INSERT INTO own SELECT id FROM main.%s WHERE substr(file, 1, %d) = '%s'",
                 tables[i], (int)strlen(content), content);
        ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    }
    ck_assert_int_eq(sqlite3_exec(db,
                                  "INSERT INTO own SELECT id FROM main.concrete_terrain "
                                  "WHERE terrain IN (SELECT id FROM own)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
}

/* Its name is in out. */
static void first_column(char out[64], sqlite3 *db, const char *table)
{
    char sql[128];
    sqlite3_stmt *s = NULL;
    snprintf(sql, sizeof sql, "SELECT * FROM whole.%s", table);
    ck_assert_int_eq(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
    snprintf(out, 64, "%s", sqlite3_column_name(s, 0));
    sqlite3_finalize(s);
}

/* The pack's rows of all tables of definitions. */
static void expect_rest(const lenient_fixture *f, const char *content, const char *lines)
{
    char path[128], sql[512], key[64];
    sqlite3 *db = NULL;
    sqlite3_stmt *names = NULL;
    int tables = 0;
    path_of(path, f, "wrong.db");
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "ATTACH '%s/whole.db' AS whole", f->folder);
    ck_assert_int_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    find_defined(db, content);
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT name FROM whole.sqlite_master "
                                        "WHERE type = 'table' AND (name GLOB 'overmap_*' OR "
                                        "name GLOB 'special_*' OR name GLOB 'region_*' OR name "
                                        "IN ('concrete_terrain', 'map_extra'))",
                                        -1, &names, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(names) == SQLITE_ROW; tables++) {
        const char *name = (const char *)sqlite3_column_text(names, 0);
        first_column(key, db, name);
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM (SELECT * FROM whole.%s EXCEPT SELECT * FROM main.%s) "
                 "WHERE %s NOT IN (SELECT id FROM own)",
                 name, name, key);
        ck_assert_msg(ask(db, sql) == 0, "%s\nrows of %s are gone or differ: %d", lines, name,
                      ask(db, sql));
    }
    ck_assert_int_gt(tables, 25);
    ck_assert_int_gt(ask(db, "SELECT count(*) FROM overmap_terrain"), 100);
    sqlite3_finalize(names);
    ck_assert_int_eq(sqlite3_close(db), SQLITE_OK);
    unlink(path);
}

/* A warning that names a file, a line and a column. */
static bool has_warning(const char *lines)
{
    for (const char *at = lines; (at = strstr(at, "warning: ")) != NULL; at++) {
        int line = 0, column = 0;
        const char *colon = strchr(at + 9, ':');
        if (colon > at + 9 && sscanf(colon, ":%d:%d:", &line, &column) == 2 && line > 0 &&
            column > 0)
            return true;
    }
    return false;
}

/* What is wrong elsewhere may be right over our own pack, which has what was missing. */
static void expect_sound(const lenient_fixture *f, const char *content)
{
    import_run run;
    import_into(&run, f, "sound.db", content, false);
    ck_assert_msg(run.status == PTL_OK, "without a warning if lenient: %s", run.err.message);
    import_run_dispose(&run);
    char path[128];
    path_of(path, f, "sound.db");
    unlink(path);
}

void lenient_expect(lenient_fixture *f, const char *content)
{
    import_run run;
    import_into(&run, f, "wrong.db", content, true);
    const char *lines = bytes_text(&run.lines);
    ck_assert_msg(run.status == PTL_OK, "%s\n%s\n%s", content, run.err.message, lines);
    ck_assert_uint_eq(run.report.errors, 0);
    if (has_warning(lines))
        f->warned++;
    else
        expect_sound(f, content);
    expect_rest(f, content, lines);
    import_run_dispose(&run);
}

void lenient_expect_text(lenient_fixture *f, const char *text)
{
    char path[128], *quoted = malloc(strlen(text) + 1);
    ck_assert_ptr_nonnull(quoted);
    strcpy(quoted, text);
    for (char *at = quoted; *at; at++)
        *at = *at == '\'' ? '"' : *at;
    put_file(f->folder, "wrong.json", quoted);
    free(quoted);
    path_of(path, f, "wrong.json");
    lenient_expect(f, path);
}
