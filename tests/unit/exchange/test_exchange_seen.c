/* What a save's characters have seen: of files of our own making, in the form of 0.F and in
 * that of today. */
#include "unit/exchange/test_exchange.h"

#include "core/bytes.h"
#include "core/hash.h"
#include "exchange/exchange.h"
#include "support/world_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[PATH_MAX];
static ptl_error err;

static const char HERO[] = "#QWxpY2U=";

static void set_up(void)
{
    const char *among = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/portolan-seen-XXXXXX", among ? among : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    memset(&err, 0, sizeof err);
}

static const char *file_at(const char *name)
{
    static char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(file_at(name), "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}

static void tear_down(void)
{
    static const char *const names[] = {"#QWxpY2U=.seen.0.-1", "bob.seen.0.-1", "o.0.-1",
                                        "bob.seen.01.1", "a b.seen.0.0"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unlink(file_at(names[i]));
    ck_assert_int_eq(rmdir(folder), 0);
}

/* A file whose level 0 is given; on all others nothing is seen, or what `other` says. */
static void put_seen(bytes *out, const char *visible, const char *explored, const char *notes,
                     const char *other)
{
    const char *const layers[] = {visible, explored}, *const keys[] = {"visible", "explored"};
    bytes_printf(out, "# version 33\n{");
    for (int i = 0; i < 2; i++) {
        bytes_printf(out, "\"%s\":[", keys[i]);
        for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
            bytes_printf(out, "%s%s\n", z > PTL_Z_MIN ? "," : "",
                         z == 0 ? layers[i]
                         : i    ? "[[false,32400]]"
                                : other);
        bytes_printf(out, "],");
    }
    bytes_printf(out, "\"notes\":[");
    for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        bytes_printf(out, "%s%s\n", z > PTL_Z_MIN ? "," : "", z == 0 ? notes : "[]");
    bytes_printf(out, "],\"extras\":[]}\n");
    ck_assert(!out->failed);
}

static void save_seen(const char *name, const char *visible, const char *explored,
                      const char *notes)
{
    bytes text;
    bytes_init(&text);
    put_seen(&text, visible, explored, notes, "[[false,32400]]");
    write_file(name, text.data, text.size);
    bytes_dispose(&text);
}

typedef struct told {
    int count, x, y;
    char text[40];
} told;

static void on_note(void *payload, int32_t x, int32_t y, const char *text)
{
    told *t = payload;
    t->count++;
    t->x = x;
    t->y = y;
    snprintf(t->text, sizeof t->text, "%s", text);
}

static ptl_status load(const char *character, int32_t z, uint8_t *cells, told *notes)
{
    memset(cells, 0xff, PTL_LEVEL_CELLS);
    *notes = (told){.count = 0};
    return ptl_seen_load(cells, folder, character, (ptl_chunk_pos){0, -1}, z, on_note, notes,
                         &err);
}

START_TEST(both_forms_are_read)
{
    static uint8_t cells[PTL_LEVEL_CELLS];
    told notes;
    save_seen("#QWxpY2U=.seen.0.-1", "[[false,200],[true,30],[false,32170]]",
              "[[false,210],[true,10],[false,32180]]", "[[3,4,\"gold\",false,0],[179,0,\"\"]]");
    save_seen(
        "bob.seen.0.-1",
        "[[\"unseen\",1],[\"vague\",2],[\"outlines\",3],[\"details\",4],[\"full\",32390]]",
        "[[true,32400]]", "[]");
    ck_assert_int_eq(load(HERO, 0, cells, &notes), PTL_OK);
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        ck_assert_int_eq(cells[i], i < 200 || i >= 230 ? PTL_SEEN_NOT
                                   : i < 210 || i >= 220
                                       ? PTL_SEEN_FULL
                                       : (int)PTL_SEEN_FULL + (int)PTL_SEEN_MARKED);
    ck_assert(notes.count == 2 && notes.x == 179 && notes.y == 0);
    ck_assert_str_eq(notes.text, "");
    ck_assert_int_eq(load("bob", 0, cells, &notes), PTL_OK);
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        ck_assert_int_eq(cells[i], PTL_SEEN_MARKED + (i < 1    ? PTL_SEEN_NOT
                                                      : i < 3  ? PTL_SEEN_VAGUE
                                                      : i < 6  ? PTL_SEEN_OUTLINES
                                                      : i < 10 ? PTL_SEEN_DETAILS
                                                               : PTL_SEEN_FULL));
    ck_assert_int_eq(notes.count, 0);
    ck_assert_int_eq(load("bob", -10, cells, &notes), PTL_OK); /* each level has its own */
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        ck_assert_int_eq(cells[i], PTL_SEEN_NOT);
}
END_TEST

typedef struct names {
    int count;
    bool stops;
    char text[200];
} names;

static bool on_file(void *payload, const char *character, ptl_chunk_pos chunk)
{
    names *n = payload;
    const size_t size = strlen(n->text);
    n->count++;
    snprintf(n->text + size, sizeof n->text - size, "%s %d %d,", character, chunk.x, chunk.y);
    return !n->stops;
}

START_TEST(files_are_listed)
{
    names n = {.count = 0};
    static uint8_t cells[PTL_LEVEL_CELLS];
    told notes;
    write_file("o.0.-1", "", 0);
    write_file("bob.seen.01.1", "", 0); /* as no game writes it, like the next */
    write_file("a b.seen.0.0", "", 0);
    write_file("#QWxpY2U=.seen.0.-1", "", 0);
    ck_assert_int_eq(ptl_seen_list(folder, on_file, &n, &err), PTL_OK);
    ck_assert_str_eq(n.text, "#QWxpY2U= 0 -1,");
    write_file("bob.seen.0.-1", "", 0);
    n = (names){.stops = true};
    ck_assert_int_eq(ptl_seen_list(folder, on_file, &n, &err), PTL_OK);
    ck_assert_int_eq(n.count, 1);
    ck_assert_int_eq(ptl_seen_list(file_at("none"), on_file, &n, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(load("carl", 0, cells, &notes), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(cells[5], PTL_SEEN_NOT);
    static const char *const bad[] = {"", "../bob", "a b", "x.seen.1.1"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(load(bad[i], 0, cells, &notes), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(load("bob", 11, cells, &notes), PTL_ERR_ARGUMENT);
}
END_TEST

/* What is wrong is told with its place, and leaves nothing seen. */
START_TEST(mistakes_are_told)
{
    static const struct {
        const char *visible, *explored, *notes, *wanted;
    } bad[] = {
        {"[[true,32399]]", "[[false,32400]]", "[]", "32399 cells, not 32400"},
        {"[[true,32401]]", "[[false,32400]]", "[]", "count must be 1 or more"},
        {"[[true,0],[true,32400]]", "[[false,32400]]", "[]", "count must be 1 or more"},
        {"[[\"well\",32400]]", "[[false,32400]]", "[]", "a level's name"},
        {"[[true]]", "[[false,32400]]", "[]", "a level's name"},
        {"[[true,1.5]]", "[[false,32400]]", "[]", "a level's name"},
        {"7", "[[false,32400]]", "[]", "a layer is an array"},
        {"[[true,32400]]", "[[\"full\",32400]]", "[]", "a level's name"},
        {"[[true,32400]]", "[[false,32400]]", "[[180,0,\"x\"]]", "a note is"},
        {"[[true,32400]]", "[[false,32400]]", "[[0,-1,\"x\"]]", "a note is"},
        {"[[true,32400]]", "[[false,32400]]", "[[0,0,7]]", "a note is"},
    };
    static uint8_t cells[PTL_LEVEL_CELLS];
    told notes;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        save_seen("bob.seen.0.-1", bad[i].visible, bad[i].explored, bad[i].notes);
        ck_assert_int_eq(load("bob", 0, cells, &notes), PTL_ERR_CONTENT);
        ck_assert_msg(strstr(err.message, bad[i].wanted) != NULL, "%s", err.message);
        ck_assert_msg(strstr(err.message, "bob.seen.0.-1:") != NULL, "%s", err.message);
        ck_assert_int_eq(cells[0], PTL_SEEN_NOT);
    }
    static const char few[] = "{\"visible\":[[[true,32400]]]}";
    write_file("bob.seen.0.-1", few, sizeof few - 1);
    ck_assert_int_eq(load("bob", 0, cells, &notes), PTL_ERR_CONTENT);
    ck_assert_msg(strstr(err.message, "1 layers, not 21") != NULL, "%s", err.message);
    write_file("bob.seen.0.-1", "{}", 2); /* a file may lack all of it */
    ck_assert_int_eq(load("bob", 0, cells, &notes), PTL_OK);
    ck_assert_int_eq(cells[0], PTL_SEEN_NOT);
}
END_TEST

/* A file with any byte changed is read, or refused as the file's fault. */
START_TEST(changed_bytes)
{
    static uint8_t cells[PTL_LEVEL_CELLS];
    const int loops = getenv("PORTOLAN_QUICK") ? 100 : 1000;
    told notes;
    bytes text;
    bytes_init(&text);
    put_seen(&text, "[[\"full\",32400]]", "[[true,1],[false,32399]]", "[[1,2,\"n\",false,0]]",
             "[[\"unseen\",32400]]");
    int good = 0;
    for (int i = 0; i < loops; i++) {
        const uint64_t draw = hash_mix((uint64_t)i);
        const size_t at = (size_t)(draw % text.size);
        const uint8_t was = text.data[at];
        text.data[at] = (uint8_t)(draw >> 40);
        write_file("bob.seen.0.-1", text.data, text.size);
        const ptl_status status = load("bob", 0, cells, &notes);
        ck_assert_msg(status == PTL_OK || status == PTL_ERR_CONTENT, "%s", err.message);
        bool in_range = true;
        for (size_t cell = 0; cell < PTL_LEVEL_CELLS; cell++)
            in_range = in_range && (cells[cell] & 7) <= PTL_SEEN_FULL && cells[cell] < 16;
        ck_assert(in_range);
        good += status == PTL_OK;
        text.data[at] = was;
    }
    ck_assert(good > 0 && good < loops);
    bytes_dispose(&text);
}
END_TEST

TCase *exchange_seen_case(void)
{
    TCase *c = tcase_create("seen");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, both_forms_are_read);
    tcase_add_test(c, files_are_listed);
    tcase_add_test(c, mistakes_are_told);
    tcase_add_test(c, changed_bytes);
    tcase_set_timeout(c, 120);
    return c;
}
