#include "unit/content/definition_fixture.h"

#include "store/sqlite/connection/stmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

definition_fixture fixture;

void fixture_setup(void)
{
    char path[96];
    ptl_error err = {0};
    ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_CREATE};
    memset(&fixture, 0, sizeof fixture);
    bytes_init(&fixture.remarks);
    make_scratch(fixture.folder);
    snprintf(path, sizeof path, "%s/world.db", fixture.folder);
    ck_assert_msg(ptl_store_open(&fixture.store, path, &options, &err) == PTL_OK, "%s",
                  err.message);
}

void fixture_teardown(void)
{
    ptl_store_close(fixture.store);
    remove_scratch(fixture.folder);
    import_run_dispose(&fixture.run);
    bytes_dispose(&fixture.remarks);
}

void fixture_put(const char *name, const char *text)
{
    size_t size = strlen(text);
    char *copy = malloc(size + 1);
    ck_assert_ptr_nonnull(copy);
    for (size_t i = 0; i <= size; i++)
        copy[i] = text[i];
    for (char *at = copy; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    put_file(fixture.folder, name, copy);
    free(copy);
}

static void strip_folder(void)
{
    size_t length = strlen(fixture.folder) + 1;
    const char *at = bytes_text(&fixture.run.lines), *next;
    bytes_clear(&fixture.remarks);
    for (; (next = strstr(at, fixture.folder)) != NULL; at = next + length)
        bytes_put(&fixture.remarks, at, (size_t)(next - at));
    bytes_put_text(&fixture.remarks, at);
    ck_assert_ptr_nonnull(bytes_text(&fixture.remarks));
}

void fixture_import(int count, bool lenient)
{
    char paths[8][96];
    const char *directories[8];
    ck_assert_int_le(count, 8);
    for (int i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%d", fixture.folder, i);
        directories[i] = paths[i];
    }
    import_run_dispose(&fixture.run);
    memset(&fixture.run, 0, sizeof fixture.run);
    fixture.run.options.directories = directories;
    fixture.run.options.directory_count = (size_t)count;
    fixture.run.options.lenient = lenient;
    run_import(&fixture.run, fixture.store);
    strip_folder();
}

void fixture_import_text(const char *text, bool lenient)
{
    fixture_put("0/a.json", text);
    fixture_import(1, lenient);
}

void fixture_expect(ptl_status status, const char *remarks)
{
    ck_assert_msg(fixture.run.status == status, "%s: %s\n%s",
                  ptl_status_name(fixture.run.status), fixture.run.err.message,
                  (const char *)fixture.remarks.data);
    ck_assert_str_eq((const char *)fixture.remarks.data, remarks);
}

void fixture_expect_rows(const char *sql, int columns, const char *expected)
{
    stmt *s = NULL;
    ptl_error err = {0};
    bytes out;
    bool row = false;
    bytes_init(&out);
    ck_assert_msg(stmt_prepare(&s, fixture.store, sql, &err) == PTL_OK, "%s", err.message);
    while (stmt_step(s, &row, &err) == PTL_OK && row) {
        if (out.size > 0)
            bytes_put_text(&out, "\n");
        for (int i = 0; i < columns; i++)
            bytes_printf(&out, "%s%s", i ? "|" : "",
                         stmt_is_null(s, i) ? "-" : stmt_text(s, i));
    }
    stmt_free(s);
    ck_assert_msg(err.status == PTL_OK, "%s", err.message);
    const char *text = bytes_text(&out);
    ck_assert_str_eq(text ? text : "no memory", expected);
    bytes_dispose(&out);
}

int64_t fixture_number(const char *sql)
{
    stmt *s = NULL;
    ptl_error err = {0};
    bool row = false;
    ck_assert_msg(stmt_prepare(&s, fixture.store, sql, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(stmt_step(s, &row, &err), PTL_OK);
    int64_t number = row ? stmt_int(s, 0) : -1;
    stmt_free(s);
    return number;
}

static char *joined(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *path = malloc(size);
    ck_assert_ptr_nonnull(path);
    snprintf(path, size, "%s%s%s", a, b, c);
    return path;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static char *shared_folder(void)
{
    const char *shared = getenv("PORTOLAN_SHARED"), *root = getenv("PORTOLAN_SOURCE_DIR");
    return shared ? joined(shared, "", "") : joined(root ? root : ".", "/../shared", "");
}

/* path if it is there. */
static char *or_skip(char *path)
{
    if (exists(path))
        return path;
    char *shared = shared_folder();
    const char *ci = getenv("CI");
    ck_assert_msg(!(ci && strcmp(ci, "true") == 0 && exists(shared)), "missing: %s", path);
    printf("SKIPPED: no %s\n", path);
    free(shared);
    free(path);
    return NULL;
}

char *game_data(const char *below)
{
    return or_skip(joined("/usr/share/games/cataclysm-dda/", below, ""));
}

char *shared_data(const char *below)
{
    char *shared = shared_folder();
    char *path = joined(shared, "/", below);
    free(shared);
    return or_skip(path);
}
