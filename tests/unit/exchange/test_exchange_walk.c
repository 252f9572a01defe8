/* What lies below an entry of a save's folder, before anything is moved there. */
#include "unit/exchange/test_exchange.h"

#include "exchange/into_impl.h"
#include "os/file.h"
#include "os/folder.h"
#include "support/world_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[WORLD_PATH_SIZE];
static int folder;
static save_entries found;
static ptl_error err;

static void set_up(void)
{
    world_file_path(path);
    *strrchr(path, '/') = '\0';
    folder = folder_open(path);
    ck_assert_int_ge(folder, 0);
    found = (save_entries){NULL, 0, 0};
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    static const char *const files[] = {"maps/0/b", "maps/a", "o.0.0"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        unlinkat(folder, files[i], 0);
    unlinkat(folder, "maps/0", AT_REMOVEDIR);
    unlinkat(folder, "maps", AT_REMOVEDIR);
    save_entries_dispose(&found);
    file_close(folder);
    rmdir(path);
}

static void make_file(const char *name, const char *text)
{
    const int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static ptl_status walk(int from, const char *name, bool *there)
{
    const stop_hook never = {NULL, NULL};
    const entry_walk w = {path, &never, NULL, &found};
    return entry_walk_from(&w, from, name, there, &err);
}

/* A folder is listed with all that lies below it, a file alone. */
START_TEST(an_entry_is_listed_with_all_below)
{
    static const struct {
        const char *path;
        bool folder;
        uint64_t size;
    } wanted[] = {{"maps", true, 0},
                  {"maps/0", true, 0},
                  {"maps/0/b", false, 3},
                  {"maps/a", false, 2},
                  {"o.0.0", false, 5}};
    enum { WANTED = sizeof wanted / sizeof wanted[0] };
    bool there = false;
    ck_assert(mkdirat(folder, "maps", 0700) == 0 && mkdirat(folder, "maps/0", 0700) == 0);
    make_file("maps/a", "aa");
    make_file("maps/0/b", "bbb");
    make_file("o.0.0", "oters");
    ck_assert_msg(walk(folder, "maps", &there) == PTL_OK, "%s", err.message);
    ck_assert(there && found.count == WANTED - 1);
    ck_assert_msg(walk(folder, "o.0.0", &there) == PTL_OK, "%s", err.message);
    ck_assert(there && found.count == WANTED);
    save_entries_sort(&found);
    for (size_t i = 0; i < WANTED; i++) {
        ck_assert_str_eq(found.list[i].path, wanted[i].path);
        ck_assert(found.list[i].folder == wanted[i].folder);
        ck_assert_uint_eq(found.list[i].size, wanted[i].size);
    }
}
END_TEST

/* An entry that another program has removed meanwhile is not found; that is no error. */
START_TEST(what_is_gone_is_not_found)
{
    bool there = true;
    ck_assert_msg(walk(folder, "o.0.0", &there) == PTL_OK, "%s", err.message);
    ck_assert(!there && found.count == 0);
}
END_TEST

/* An entry that cannot be looked at may well be there, so that this is an error. */
START_TEST(what_cannot_be_looked_at_is_an_error)
{
    char name[1000];
    bool there = true;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(walk(folder, name, &there), PTL_ERR_IO);
    ck_assert(!there && found.count == 0);
    make_file("o.0.0", "");
    const int file = file_open_in(folder, "o.0.0");
    err = (ptl_error){.status = PTL_OK};
    ck_assert_int_eq(walk(file, "below", &there), PTL_ERR_IO); /* below a file, no folder */
    ck_assert(!there && found.count == 0 && strstr(err.message, "/below"));
    file_close(file);
}
END_TEST

TCase *exchange_walk_case(void)
{
    TCase *c = tcase_create("walk");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, an_entry_is_listed_with_all_below);
    tcase_add_test(c, what_is_gone_is_not_found);
    tcase_add_test(c, what_cannot_be_looked_at_is_an_error);
    return c;
}
