/* Which files of folders were saved, and what is told of mistakes in them. */
#include "clients/watch/files.h"
#include "clients/watch/told.h"
#include "support/suite.h"
#include "support/test_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];
static scan before, now;
static char told_paths[1024];

static const char *in(const char *name)
{
    static char paths[4][256];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", dir, name);
    return path;
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(in(name), "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
    test_folder(dir, sizeof dir);
    ck_assert_int_eq(mkdir(in("sub"), 0777), 0);
    put("a.json", "[]");
    put("sub/b.json", "[]");
    before = now = (scan){.memory = NULL};
}

static void teardown(void)
{
    char command[192];
    scan_dispose(&before);
    scan_dispose(&now);
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", dir, dir);
    ck_assert_int_eq(system(command), 0);
}

static void look(scan *out, const char *root)
{
    scan_dispose(out);
    ck_assert(scan_make(out, &root, 1, NULL));
}

static void on_file(void *payload, const char *path)
{
    const size_t size = strlen(told_paths);
    (void)payload;
    snprintf(told_paths + size, sizeof told_paths - size, "%s ", strrchr(path, '/') + 1);
}

/* The base names of what differs. */
static const char *differences(void)
{
    told_paths[0] = '\0';
    size_t named = 0;
    const size_t count = scan_differences(&before, &now, on_file, NULL);
    for (const char *c = told_paths; *c; c++)
        named += *c == ' ';
    ck_assert_uint_eq(count, named);
    return told_paths;
}

/* Of every folder that was looked at, none stays open. */
START_TEST(no_folder_stays_open)
{
    char path[200];
    snprintf(path, sizeof path, "%s", in("sub"));
    for (int i = 0; i < 5; i++) {
        strcat(path, "/d");
        ck_assert_int_eq(mkdir(path, 0777), 0);
    }
    const int free_before = dup(0);
    close(free_before);
    for (int i = 0; i < 3; i++)
        look(&now, dir);
    const int free_now = dup(0);
    close(free_now);
    ck_assert_int_eq(free_now, free_before);
}
END_TEST

START_TEST(what_was_saved)
{
    look(&before, dir);
    look(&now, dir);
    ck_assert_uint_eq(now.count, 2);
    ck_assert_str_eq(differences(), "");
    put("sub/b.json", "[ ]"); /* another size */
    put("sub/c.json", "");
    ck_assert_int_eq(unlink(in("a.json")), 0);
    look(&now, dir);
    ck_assert_str_eq(differences(), "a.json b.json c.json ");
}
END_TEST

/* As many bytes, and the same time, but another file: as editors save. */
START_TEST(another_file_of_the_name)
{
    look(&before, dir);
    put("new", "{}");
    ck_assert_int_eq(rename(in("new"), in("a.json")), 0);
    look(&now, dir);
    ck_assert_str_eq(differences(), "a.json ");
    now.files[0].changed = before.files[0].changed;
    ck_assert_str_eq(differences(), "a.json ");
}
END_TEST

START_TEST(what_is_not_read)
{
    look(&before, dir);
    put(".hidden.json", "[]");
    put("a.json~", "[]");
    put("json", "[]");
    put("sub/.#b.json", "[]");
    ck_assert_int_eq(mkdir(in(".git"), 0777), 0);
    put(".git/x.json", "[]");
    ck_assert_int_eq(symlink(dir, in("loop")), 0);
    ck_assert_int_eq(symlink("a.json", in("link.json")), 0);
    ck_assert_int_eq(symlink("nowhere", in("broken.json")), 0);
    ck_assert_int_eq(mkfifo(in("pipe.json"), 0777), 0);
    ck_assert_int_eq(mkdir(in("folder.json"), 0777), 0);
    look(&now, dir);
    ck_assert_str_eq(differences(), "");
}
END_TEST

/* What is not there has no files; a link that is a root is followed, a file may be one. */
START_TEST(roots)
{
    look(&before, in("nothing"));
    ck_assert_uint_eq(before.count, 0);
    ck_assert_int_eq(symlink(dir, in("link")), 0);
    look(&now, in("link"));
    ck_assert_uint_eq(now.count, 2);
    ck_assert_str_eq(differences(), "a.json b.json ");
    look(&now, in("a.json"));
    ck_assert_uint_eq(now.count, 1);
    const char *two[] = {in("sub"), in("a.json")};
    scan_dispose(&now);
    ck_assert(scan_make(&now, two, 2, NULL));
    ck_assert_uint_eq(now.count, 2);
    ck_assert_int_lt(strcmp(now.files[0].path, now.files[1].path), 0);
}
END_TEST

/* Folders in folders, deeper than any import goes: it ends, and has no file from there. */
START_TEST(folders_without_end)
{
    char command[256];
    snprintf(command, sizeof command,
             "d=%s; for i in $(seq 70); do d=$d/d; done; mkdir -p $d; echo [] > $d/deep.json",
             dir);
    ck_assert_int_eq(system(command), 0);
    look(&now, dir);
    ck_assert_uint_eq(now.count, 2);
}
END_TEST

/* The system tells of what happens in folders that were looked at, also in new ones. */
START_TEST(the_system_tells)
{
    const char *root = dir;
    notify *notes = notify_new();
    if (!notes)
        return; /* it tells nobody here */
    ck_assert(scan_make(&before, &root, 1, notes));
    (void)notify_changed(notes);
    ck_assert(!notify_changed(notes));
    put("sub/b.json", "[1]");
    ck_assert(notify_changed(notes));
    ck_assert(!notify_changed(notes));
    ck_assert_int_eq(mkdir(in("sub/new"), 0777), 0);
    ck_assert(notify_changed(notes));
    ck_assert(scan_make(&now, &root, 1, notes));
    put("sub/new/x.json", "[]");
    ck_assert(notify_changed(notes));
    scan_dispose(&now);
    ck_assert_int_eq(unlink(in("sub/new/x.json")), 0);
    ck_assert_int_eq(rmdir(in("sub/new")), 0);
    ck_assert(notify_changed(notes));
    const char *file = in("a.json"); /* a file that is a root: its folder tells */
    ck_assert(scan_make(&now, &file, 1, notes));
    (void)notify_changed(notes);
    put("other", "x");
    ck_assert_int_eq(rename(in("other"), in("a.json")), 0);
    ck_assert(notify_changed(notes));
    notify_free(notes);
}
END_TEST

/* ---- mistakes ---- */

static const char *told_of(told_mistakes *m, const char *file, int line, int column)
{
    const ptl_diagnostic what = {.size = sizeof what,
                                 .severity = PTL_ERROR,
                                 .file = file,
                                 .line = line,
                                 .column = column,
                                 .id = "x",
                                 .message = "<b>"};
    told_mistakes_dispose(m);
    told_mistakes_add(m, &what);
    return bytes_text(&m->errors.text);
}

START_TEST(a_mistake_has_its_line)
{
    told_mistakes m = {.pack_count = 0};
    put("a.json", "[\n  {\"id\": 7},\r\n]");
    ck_assert_ptr_nonnull(strstr(told_of(&m, in("a.json"), 2, 10),
                                 "\"text\":\"  {\\\"id\\\": 7},\",\"from\":1}"));
    ck_assert_ptr_nonnull(
        strstr(told_of(&m, in("a.json"), 3, 0), "\"text\":\"]\",\"from\":1}"));
    /* What is not there, or no more. */
    ck_assert_ptr_null(strstr(told_of(&m, in("a.json"), 4, 1), "\"text\""));
    ck_assert_ptr_null(strstr(told_of(&m, in("gone.json"), 1, 1), "\"text\""));
    ck_assert_ptr_null(strstr(told_of(&m, dir, 1, 1), "\"text\""));
    ck_assert_ptr_null(strstr(told_of(&m, "", 0, 0), "\"text\""));
    ck_assert_ptr_nonnull(strstr(told_of(&m, in("a.json"), 2, 5000), "\"from\":1}"));
    told_mistakes_dispose(&m);
}
END_TEST

/* Of a long line the part around the column; and no more than so many mistakes are listed. */
START_TEST(long_ones_are_cut)
{
    char line[5001];
    told_mistakes m = {.pack_count = 0};
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    line[3000] = 'X';
    put("a.json", line);
    const char *text = told_of(&m, in("a.json"), 1, 3001);
    ck_assert_uint_lt(strlen(text), TOLD_TEXT_MAX + 200);
    ck_assert_ptr_nonnull(strstr(text, "X"));
    ck_assert_ptr_nonnull(strstr(text, "\"from\":2921}"));
    const ptl_diagnostic what = {
        .size = sizeof what, .severity = PTL_WARNING, .file = "", .id = "", .message = "w"};
    for (int i = 0; i < 3 * TOLD_MISTAKES_MAX; i++)
        told_mistakes_add(&m, &what);
    ck_assert_uint_eq(m.others.count, 3 * TOLD_MISTAKES_MAX);
    size_t listed = 0;
    for (const char *at = bytes_text(&m.others.text); (at = strstr(at, "warning")); at++)
        listed++;
    ck_assert_uint_eq(listed, TOLD_MISTAKES_MAX);
    ck_assert_uint_eq(m.errors.count, 1);
    told_mistakes_dispose(&m);
}
END_TEST

/* Words of several files, of broken ones too; one that has gone has none. */
START_TEST(what_files_name)
{
    char paths[1024];
    concerned c;
    put("a.json", "[{\"om_terrain\": [ \"house\", \"two words\" ], \"x\": \"a\\\"b\", \"\"");
    put("sub/b.json", "{\"barn\": \"never ends\n\"");
    const int size = snprintf(paths, sizeof paths, "%s%c%s%c%s%c", in("a.json"), 0,
                              in("gone.json"), 0, in("sub/b.json"), 0);
    ck_assert(concerned_read(&c, paths, (size_t)size));
    ck_assert(concerned_has(&c, "house") && concerned_has(&c, "two words") &&
              concerned_has(&c, "barn") && concerned_has(&c, "om_terrain"));
    ck_assert(!concerned_has(&c, "hous") && !concerned_has(&c, "never ends") &&
              !concerned_has(&c, ""));
    concerned_dispose(&c);
    ck_assert(concerned_read(&c, NULL, 0));
    ck_assert(!concerned_has(&c, "house"));
    concerned_dispose(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scan");
    TCase *tc = tcase_create("scan");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, no_folder_stays_open);
    tcase_add_test(tc, what_was_saved);
    tcase_add_test(tc, another_file_of_the_name);
    tcase_add_test(tc, what_is_not_read);
    tcase_add_test(tc, roots);
    tcase_add_test(tc, folders_without_end);
    tcase_add_test(tc, the_system_tells);
    tcase_add_test(tc, a_mistake_has_its_line);
    tcase_add_test(tc, long_ones_are_cut);
    tcase_add_test(tc, what_files_name);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
