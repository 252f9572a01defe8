/* Databases of Bright Nights' saves: what is put is read, and what is damaged is refused. */
#include "unit/exchange/test_exchange.h"

#include "core/bytes.h"
#include "core/hash.h"
#include "exchange/database/save_database.h"
#include "exchange/exchange.h"
#include "os/file.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX];
static ptl_error err;
static const stop_hook never;

static const char *at(const char *name)
{
    static char paths[2][PATH_MAX + 64];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static void set_up(void)
{
    const char *among = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/portolan%%20base?#-XXXXXX", among ? among : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    static const char *const names[] = {"a",         "b",           "c",
                                        "a-journal", "a-wal",       "bob.sqlite3",
                                        "bob.sav",   "map.sqlite3", "eve.sqlite3"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unlink(at(names[i]));
    ck_assert_int_eq(rmdir(folder), 0);
}

static save_database *make(const char *name)
{
    save_database *d;
    ck_assert_msg(save_database_make(&d, at(name), never, &err) == PTL_OK, "%s", err.message);
    return d;
}

static save_database *open_good(const char *name)
{
    save_database *d;
    ck_assert_msg(save_database_open(&d, at(name), never, &err) == PTL_OK, "%s", err.message);
    return d;
}

static void finish(save_database *d)
{
    ck_assert_msg(save_database_finish(d, &err) == PTL_OK, "%s", err.message);
    save_database_close(d);
}

static void put(save_database *d, const char *name, const char *text)
{
    ck_assert_int_eq(save_database_put(d, name, text, strlen(text), &err), PTL_OK);
}

/* Runs SQL on a database, as another program. */
static void run_sql(const char *name, const char *sql)
{
    sqlite3 *db;
    char *said = NULL;
    ck_assert_int_eq(sqlite3_open(at(name), &db), SQLITE_OK);
    const int code = sqlite3_exec(db, sql, NULL, NULL, &said);
    ck_assert_msg(code == SQLITE_OK, "%s: %s", sql, said ? said : "");
    sqlite3_close(db);
}

typedef struct seen_names {
    size_t count, limit;
    char text[300];
} seen_names;

static ptl_status on_name(void *payload, const char *name, ptl_error *e)
{
    seen_names *n = payload;
    const size_t size = strlen(n->text);
    snprintf(n->text + size, sizeof n->text - size, "%s,", name);
    return ++n->count == n->limit ? error_set(e, PTL_ERR_ARGUMENT, "enough") : PTL_OK;
}

/* ---- round trips ---- */

enum { FILES = 20 };

/* Files of any size and bytes come back as they were, in any order. */
START_TEST(what_is_put_is_read)
{
    static const size_t sizes[] = {0, 1, 100, 4096, 70000, 2000000};
    rng r = rng_from_key(hash_add(hash_string("database"), (uint64_t)_i));
    bytes files[FILES] = {{.size = 0}};
    save_database *d = make("a");
    for (int i = 0; i < FILES; i++) {
        char name[40];
        const size_t size = sizes[rng_below(&r, sizeof sizes / sizeof sizes[0])];
        const uint64_t sorts = 1 + rng_below(&r, 256);
        for (size_t k = 0; k < size; k++)
            bytes_put_u8(&files[i], (uint8_t)rng_below(&r, sorts));
        snprintf(name, sizeof name, "maps/%d/%d", i % 3, i);
        ck_assert_int_eq(save_database_put(d, name, files[i].data, files[i].size, &err),
                         PTL_OK);
    }
    finish(d);
    d = open_good("a");
    seen_names n = {.count = 0};
    ck_assert_int_eq(save_database_names(d, on_name, &n, &err), PTL_OK);
    ck_assert_uint_eq(n.count, FILES);
    for (int i = FILES - 1; i >= 0; i--) {
        char name[40], *text;
        size_t size;
        snprintf(name, sizeof name, "maps/%d/%d", i % 3, i);
        ck_assert_int_eq(save_database_read(&text, &size, d, name, 1 << 21, &err), PTL_OK);
        ck_assert_uint_eq(size, files[i].size);
        ck_assert(size == 0 || memcmp(text, files[i].data, size) == 0);
        ck_assert_int_eq(text[size], '\0');
        free(text);
        bytes_dispose(&files[i]);
    }
    ck_assert_int_eq(save_database_unchanged(d, &err), PTL_OK);
    save_database_close(d);
}
END_TEST

static bool keep_long(void *payload, const char *name, size_t size)
{
    (void)payload;
    ck_assert_uint_eq(strlen(name), size);
    return size > 3;
}

/* What is copied has the same bytes and columns, also what is not compressed or no text. */
START_TEST(copies)
{
    save_database *from = make("a"), *to = make("b");
    put(from, "one", "1");
    put(from, "three/a", "3");
    finish(from);
    run_sql("a",
            "INSERT INTO files VALUES ('plain', '', NULL, x'0001'), ('empty', '', '', ''), "
            "(x'00ff', 'of what', 'zst', x'aa')");
    put(to, "four", "4");
    from = open_good("a");
    ck_assert_int_eq(save_database_copy(to, from, keep_long, NULL, &err), PTL_OK);
    ck_assert_int_eq(save_database_copy(to, from, keep_long, NULL, &err), PTL_ERR_FORMAT);
    memset(&err, 0, sizeof err);
    save_database_close(from);
    finish(to);
    save_database *d = open_good("b");
    seen_names n = {.count = 0};
    ck_assert_int_eq(save_database_names(d, on_name, &n, &err), PTL_OK);
    ck_assert_str_eq(n.text, "four,three/a,plain,empty,");
    n = (seen_names){.limit = 2};
    ck_assert_int_eq(save_database_names(d, on_name, &n, &err), PTL_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    char *text;
    size_t size;
    ck_assert_int_eq(save_database_read(&text, &size, d, "plain", 2, &err), PTL_OK);
    ck_assert(size == 2 && text[0] == 0 && text[1] == 1);
    free(text);
    ck_assert_int_eq(save_database_read(&text, &size, d, "plain", 1, &err), PTL_ERR_LIMIT);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(save_database_read(&text, &size, d, "one", 9, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(text);
    save_database_close(d);
    memset(&err, 0, sizeof err);
}
END_TEST

/* ---- other programs ---- */

/* A database that is written while it is read is told from one that is damaged. */
START_TEST(written_meanwhile)
{
    char *text;
    size_t size;
    save_database *d = make("a");
    put(d, "o.0.0", "old");
    finish(d);
    d = open_good("a");
    run_sql("a", "INSERT INTO files VALUES ('o.1.1', '', NULL, zeroblob(100000))");
    ck_assert_int_eq(save_database_unchanged(d, &err), PTL_ERR_BUSY);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(save_database_read(&text, &size, d, "o.0.0", 100, &err), PTL_ERR_BUSY);
    ck_assert_ptr_nonnull(strstr(err.message, "was written while it was read"));
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(save_database_read(&text, &size, d, "none", 100, &err), PTL_ERR_BUSY);
    save_database_close(d);
}
END_TEST

/* Reading sets no lock that could keep the game from saving; a journal is heeded. */
START_TEST(the_game_goes_on)
{
    save_database *d = make("a"), *other;
    put(d, "o.0.0", "old");
    finish(d);
    ck_assert_int_eq(save_database_check_free(at("a"), &err), PTL_OK);
    ck_assert_int_eq(save_database_check_free(at("none"), &err), PTL_OK);
    d = open_good("a");
    run_sql("a", "BEGIN EXCLUSIVE; UPDATE files SET path = 'o.2.2'; COMMIT");
    save_database_close(d);
    static const char *const tails[] = {"a-journal", "a-wal"};
    for (size_t i = 0; i < 2; i++) {
        FILE *f = fopen(at(tails[i]), "w");
        ck_assert(f && fclose(f) == 0); /* empty: of no transaction */
        ck_assert_int_eq(save_database_check_free(at("a"), &err), PTL_OK);
        f = fopen(at(tails[i]), "w");
        ck_assert(f && fputs("x", f) >= 0 && fclose(f) == 0);
        ck_assert_int_eq(save_database_check_free(at("a"), &err), PTL_ERR_BUSY);
        memset(&err, 0, sizeof err);
        ck_assert_int_eq(save_database_open(&other, at("a"), never, &err), PTL_ERR_BUSY);
        ck_assert_ptr_nonnull(strstr(err.message, tails[i]));
        save_database_close(other);
        memset(&err, 0, sizeof err);
        unlink(at(tails[i]));
    }
}
END_TEST

static bool stop_now(void *payload)
{
    return ++*(int *)payload > 0;
}

START_TEST(stopping)
{
    int asked = 0;
    save_database *d = make("a"), *to = make("b");
    for (int i = 0; i < 3000; i++) {
        char name[20];
        snprintf(name, sizeof name, "maps/%d", i);
        put(d, name, "text");
    }
    finish(d);
    ck_assert_int_eq(save_database_open(&d, at("a"), (stop_hook){stop_now, &asked}, &err),
                     PTL_OK);
    ck_assert_int_eq(save_database_copy(to, d, keep_long, NULL, &err), PTL_ERR_CANCELLED);
    save_database_close(d);
    save_database_close(to);
}
END_TEST

/* ---- damage ---- */

static ptl_status read_all(const char *name)
{
    save_database *d;
    seen_names n = {.count = 0};
    char *text = NULL;
    size_t size;
    memset(&err, 0, sizeof err);
    ptl_status status = save_database_open(&d, at(name), never, &err);
    if (status == PTL_OK)
        status = save_database_names(d, on_name, &n, &err);
    if (status == PTL_OK)
        status = save_database_read(&text, &size, d, "o.0.0", 1 << 20, &err);
    free(text);
    save_database_close(d);
    return status;
}

/* A file with any bytes changed, or cut, is read or refused, and never written. */
START_TEST(changed_bytes)
{
    const int loops = getenv("PORTOLAN_QUICK") ? 200 : 2000;
    size_t size = 0, good = 0;
    bytes text = {.size = 0};
    for (int i = 0; i < 3000; i++)
        bytes_printf(&text, "%d,", i * i);
    save_database *d = make("a");
    ck_assert_int_eq(save_database_put(d, "o.0.0", text.data, text.size, &err), PTL_OK);
    for (int i = 0; i < 60; i++) {
        char name[60];
        snprintf(name, sizeof name, "maps/1.2.%d/%d.map", i, i);
        put(d, name, "a local map");
    }
    finish(d);
    char *was = file_read_small(at("a"), 1 << 20, &size);
    ck_assert(was && size > 8192);
    for (int i = 0; i < loops; i++) {
        rng r = rng_from_key(hash_add(hash_string("changed"), (uint64_t)i));
        char *bad = malloc(size);
        memcpy(bad, was, size);
        const size_t near = rng_one_in(&r, 3) ? 200 : size; /* the header, often */
        for (uint64_t k = 1 + rng_below(&r, 4); k > 0; k--)
            bad[rng_below(&r, near)] = (char)rng_below(&r, 256);
        const size_t kept = rng_one_in(&r, 10) ? (size_t)rng_below(&r, size) : size;
        FILE *f = fopen(at("c"), "wb");
        ck_assert(f && fwrite(bad, 1, kept, f) == kept && fclose(f) == 0);
        const ptl_status status = read_all("c");
        ck_assert_msg(status == PTL_OK || status == PTL_ERR_CORRUPT ||
                          status == PTL_ERR_FORMAT || status == PTL_ERR_LIMIT ||
                          status == PTL_ERR_NOT_FOUND || status == PTL_ERR_IO,
                      "%d: %d: %s", i, (int)status, err.message);
        good += status == PTL_OK;
        size_t now;
        char *after = file_read_small(at("c"), 1 << 20, &now);
        ck_assert(after && now == kept && memcmp(after, bad, kept) == 0);
        free(after);
        free(bad);
    }
    ck_assert(good > 0 && good < (size_t)loops);
    free(was);
    bytes_dispose(&text);
}
END_TEST

/* ---- what characters have seen ---- */

static bool on_file(void *payload, const char *character, ptl_chunk_pos chunk)
{
    seen_names *n = payload;
    const size_t size = strlen(n->text);
    snprintf(n->text + size, sizeof n->text - size, "%s %d %d,", character, chunk.x, chunk.y);
    return ++n->count != n->limit;
}

static void on_note(void *payload, int32_t x, int32_t y, const char *text)
{
    seen_names *n = payload;
    snprintf(n->text, sizeof n->text, "%d %d %s", x, y, text);
}

/* A file as the game writes it, of one level. */
static void put_seen(save_database *d, const char *name)
{
    static const char *const keys[] = {"visible", "explored", "path", "notes", "extras"};
    static const char *const here[] = {"[[true,2],[false,32398]]", "[[false,1],[true,32399]]",
                                       "[[false,32400]]", "[[3,4,\"a note\",true,2]]",
                                       "[[7,8,\"mx_pond\"]]"};
    bytes text = {.size = 0};
    bytes_put_text(&text, "# version 29\n{");
    for (int i = 0; i < 5; i++) {
        bytes_printf(&text, "%s\"%s\":[", i ? "," : "", keys[i]);
        for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
            bytes_printf(&text, "%s%s\n", z > PTL_Z_MIN ? "," : "",
                         z == 3  ? here[i]
                         : i < 3 ? "[[false,32400]]"
                                 : "[]");
        bytes_put_text(&text, "]");
    }
    bytes_put_text(&text, "}");
    ck_assert_int_eq(save_database_put(d, name, text.data, text.size, &err), PTL_OK);
    bytes_dispose(&text);
}

START_TEST(what_characters_have_seen)
{
    static uint8_t cells[PTL_LEVEL_CELLS];
    seen_names n = {.count = 0};
    finish(make("map.sqlite3"));
    save_database *d = make("bob.sqlite3");
    put_seen(d, ".seen.0.-1");
    put_seen(d, ".seen.3.4");
    put(d, ".seen.01.1", "as no game writes it");
    put(d, "dimensions/a/.seen.5.5", "of another world");
    put(d, "1.2.3.mmr", "[]");
    finish(d);
    finish(make("eve.sqlite3")); /* of no character */
    ck_assert_int_eq(ptl_seen_list(folder, on_file, &n, &err), PTL_OK);
    ck_assert_uint_eq(n.count, 0);
    FILE *f = fopen(at("bob.sav"), "w");
    ck_assert(f && fclose(f) == 0);
    ck_assert_int_eq(ptl_seen_list(folder, on_file, &n, &err), PTL_OK);
    ck_assert_str_eq(n.text, "bob 0 -1,bob 3 4,");
    n = (seen_names){.limit = 1};
    ck_assert_int_eq(ptl_seen_list(folder, on_file, &n, &err), PTL_OK);
    ck_assert_uint_eq(n.count, 1);
    const ptl_chunk_pos pos = {0, -1}, none = {0, 0};
    ck_assert_int_eq(ptl_seen_load(cells, folder, "bob", pos, 3, on_note, &n, &err), PTL_OK);
    ck_assert_str_eq(n.text, "3 4 a note");
    ck_assert(cells[0] == PTL_SEEN_FULL && cells[1] == PTL_SEEN_FULL + PTL_SEEN_MARKED);
    ck_assert(cells[2] == PTL_SEEN_MARKED);
    ck_assert_int_eq(ptl_seen_load(cells, folder, "bob", pos, 0, NULL, NULL, &err), PTL_OK);
    ck_assert(cells[0] == PTL_SEEN_NOT && cells[2] == PTL_SEEN_NOT);
    ck_assert_int_eq(ptl_seen_load(cells, folder, "bob", none, 0, NULL, NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_seen_load(cells, folder, "carl", pos, 0, NULL, NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_seen_load(cells, folder, "../bob", pos, 0, NULL, NULL, &err),
                     PTL_ERR_ARGUMENT);
    run_sql("bob.sqlite3", "UPDATE files SET compression = NULL, data = '# version 29\n[' "
                           "WHERE path = '.seen.0.-1'");
    ck_assert_int_eq(ptl_seen_load(cells, folder, "bob", pos, 0, NULL, NULL, &err),
                     PTL_ERR_CONTENT);
    ck_assert_msg(strstr(err.message, "bob.sqlite3/.seen.0.-1:2:") != NULL, "%s", err.message);
}
END_TEST

START_TEST(names_of_databases)
{
    static const char *const good[] = {"#Sm8=.sqlite3", "bob.sqlite3"};
    static const char *const bad[] = {"map.sqlite3",      ".sqlite3",    "a b.sqlite3",
                                      "a.sqlite",         "a.b.sqlite3", "a.sqlite3.bak",
                                      "a.sqlite3-journal"};
    static const char *const seen[] = {".seen.1", ".seen.01.2", "seen.1.2", "x.seen.1.2",
                                       ".seen.1.2.3"};
    size_t size;
    ptl_chunk_pos pos;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ck_assert(save_name_parse_database(good[i], &size) && size == strlen(good[i]) - 8);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!save_name_parse_database(bad[i], &size), "%s", bad[i]);
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++)
        ck_assert_msg(!save_name_parse_inner_seen(seen[i], &pos), "%s", seen[i]);
    ck_assert(save_name_parse_inner_seen(".seen.-1.12", &pos) && pos.x == -1 && pos.y == 12);
}
END_TEST

TCase *exchange_database_case(void)
{
    TCase *c = tcase_create("databases");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, what_is_put_is_read, 0, 8);
    tcase_add_test(c, copies);
    tcase_add_test(c, written_meanwhile);
    tcase_add_test(c, the_game_goes_on);
    tcase_add_test(c, stopping);
    tcase_add_test(c, changed_bytes);
    tcase_add_test(c, what_characters_have_seen);
    tcase_add_test(c, names_of_databases);
    return c;
}
