/* Files, folders, limits and packs: what the import reads, in which order, and what it refuses.
 */
#include "unit/content/content_fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static void setup(void)
{
    make_scratch(scratch);
}

static void teardown(void)
{
    remove_scratch(scratch);
}

/* Imports the scratch folder and compares status and diagnostics (without the folder's path).
 */
static void expect(ptl_status status, const char *lines)
{
    import_run run;
    import_one(&run, NULL, scratch);
    bytes wanted;
    bytes_init(&wanted);
    for (const char *at = lines; *at;) {
        if (*at == '@') {
            bytes_put_text(&wanted, scratch);
            at++;
        } else {
            bytes_put(&wanted, at++, 1);
        }
    }
    ck_assert_str_eq((const char *)run.lines.data, bytes_text(&wanted));
    ck_assert_int_eq(run.status, status);
    bytes_dispose(&wanted);
    import_run_dispose(&run);
}

/* A digest of the scratch folder's content. */
static void digest_of(const char *path, char out[PTL_CONTENT_DIGEST_SIZE])
{
    import_run run;
    import_one(&run, NULL, path);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    memcpy(out, run.report.digest, PTL_CONTENT_DIGEST_SIZE);
    import_run_dispose(&run);
}

START_TEST(huge_file_is_refused_unread)
{
    put_file(scratch, "good.json", "[ { \"id\": \"no type\" } ]");
    put_file(scratch, "huge.json", "");
    char path[128];
    snprintf(path, sizeof path, "%s/huge.json", scratch);
    ck_assert_int_eq(truncate(path, (off_t)1 << 30), 0);
    expect(PTL_ERR_CONTENT,
           "error: @/huge.json:0:0: : the file is too large: 1073741824 bytes, at most "
           "67108864 are read\n"
           "error: @/good.json:1:3: no type: an object without a \"type\"\n");
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    enum { DEPTH = 100000 };
    char *text = malloc(DEPTH + 2);
    ck_assert_ptr_nonnull(text);
    text[0] = '\n';
    memset(text + 1, '[', DEPTH);
    put_bytes(scratch, "arrays.json", text, DEPTH + 1);
    for (int i = 0; i < DEPTH / 5; i++)
        memcpy(text + (ptrdiff_t)5 * i, "{\"a\":", 5);
    put_bytes(scratch, "objects.json", text, DEPTH);
    free(text);
    expect(PTL_ERR_CONTENT, "error: @/arrays.json:2:2: : expected an object\n"
                            "error: @/arrays.json:2:1001: : nested more than 1000 deep\n"
                            "error: @/objects.json:1:5001: : nested more than 1000 deep\n");
}
END_TEST

START_TEST(long_string_is_refused)
{
    enum { LENGTH = (1 << 20) + 1 };
    char *text = malloc(LENGTH + 64);
    ck_assert_ptr_nonnull(text);
    int start = sprintf(text, "{ \"type\": \"snippet\", \"text\": \"");
    memset(text + start, 'x', LENGTH);
    strcpy(text + start + LENGTH, "\" }");
    put_file(scratch, "a.json", text);
    free(text);
    expect(PTL_ERR_CONTENT, "error: @/a.json:1:30: : a value of more than 1048576 bytes\n");
}
END_TEST

START_TEST(long_array_is_refused)
{
    enum { COUNT = 1000001 };
    char *text = malloc(2 * COUNT + 64);
    ck_assert_ptr_nonnull(text);
    char *at = text + sprintf(text, "{ \"type\": \"snippet\", \"text\": [1");
    for (int i = 1; i < COUNT; i++, at += 2)
        memcpy(at, ",1", 2);
    strcpy(at, "] }");
    put_file(scratch, "a.json", text);
    free(text);
    expect(PTL_ERR_CONTENT, "error: @/a.json:1:30: : more than 1000000 elements\n");
}
END_TEST

START_TEST(only_regular_files_are_read)
{
    char path[128], target[128];
    put_file(scratch, "a.json", "[ ]");
    put_file(scratch, "readme.md", "not JSON");
    put_file(scratch, ".hidden.json", "not JSON");
    put_file(scratch, ".git/config.json", "not JSON");
    snprintf(path, sizeof path, "%s/pipe.json", scratch);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/passwd.json", scratch);
    ck_assert_int_eq(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof path, "%s/etc", scratch);
    ck_assert_int_eq(symlink("/etc", path), 0);
    snprintf(path, sizeof path, "%s/loop", scratch);
    snprintf(target, sizeof target, "../%s", strrchr(scratch, '/') + 1);
    ck_assert_int_eq(symlink(target, path), 0);
    expect(PTL_ERR_CONTENT, "warning: @/etc:0:0: : a symbolic link: not read\n"
                            "warning: @/loop:0:0: : a symbolic link: not read\n"
                            "warning: @/passwd.json:0:0: : a symbolic link: not read\n"
                            "error: @/pipe.json:0:0: : not a regular file\n");
}
END_TEST

/* As deep as is allowed, and one deeper. */
START_TEST(folders_have_a_depth_limit)
{
    for (int depth = 64; depth < 66; depth++) {
        char name[512] = "", *at = name;
        for (int i = 0; i < depth; i++)
            at += sprintf(at, "%c/", 'a' + depth - 64);
        strcpy(at, "a.json");
        put_file(scratch, name, "[ ]");
        import_run run;
        import_one(&run, NULL, scratch);
        const char *said = bytes_text(&run.lines);
        ck_assert_int_eq(run.status, depth == 64 ? PTL_OK : PTL_ERR_CONTENT);
        ck_assert_msg((strstr(said, "folders nested more than 64 deep") != NULL) ==
                          (depth == 65),
                      "%s", said);
        import_run_dispose(&run);
    }
}
END_TEST

/* A file of exactly as many bytes as one may have is read, and found to be no JSON. */
START_TEST(the_largest_file_is_read)
{
    char path[128];
    put_file(scratch, "largest.json", "[");
    snprintf(path, sizeof path, "%s/largest.json", scratch);
    ck_assert_int_eq(truncate(path, 64 << 20), 0);
    import_run run;
    import_one(&run, NULL, scratch);
    ck_assert_int_eq(run.status, PTL_ERR_CONTENT);
    ck_assert_ptr_null(strstr(bytes_text(&run.lines), "too large"));
    import_run_dispose(&run);
    ck_assert_int_eq(truncate(path, (64 << 20) + 1), 0);
    expect(PTL_ERR_CONTENT,
           "error: @/largest.json:0:0: : the file is too large: 67108865 bytes, at "
           "most 67108864 are read\n");
}
END_TEST

START_TEST(empty_and_missing_directories)
{
    expect(PTL_ERR_CONTENT, "error: @:0:0: : no JSON files in it\n");
    import_run run;
    import_one(&run, NULL, "/nonexistent/content");
    ck_assert_int_eq(run.status, PTL_ERR_NOT_FOUND);
    ck_assert_str_eq(run.err.message, "/nonexistent/content: No such file or directory");
    import_run_dispose(&run);
    import_list(&run, NULL, 0, NULL);
    ck_assert_int_eq(run.status, PTL_ERR_ARGUMENT);
    import_run_dispose(&run);
}
END_TEST

START_TEST(a_single_file_is_a_directory)
{
    char path[128];
    put_file(scratch, "one.json", "[ { \"type\": \"snippet\", \"id\": \"a\" } ]");
    put_file(scratch, "two.json", "not JSON");
    snprintf(path, sizeof path, "%s/one.json", scratch);
    import_run run;
    import_one(&run, NULL, path);
    ck_assert_int_eq(run.status, PTL_OK);
    ck_assert_uint_eq(run.report.files, 1);
    ck_assert_uint_eq(run.report.kept, 1);
    import_run_dispose(&run);
}
END_TEST

/* Problems come in the bytewise order of whole paths: '-' < '.' < '/' < 'a'. */
START_TEST(files_come_in_bytewise_order)
{
    static const char *const names[] = {"a/b.json", "a.json", "a-b/c.json",
                                        "ab.json",  "B.json", "a/b/c.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        put_file(scratch, names[i], "1");
    import_run run;
    import_one(&run, NULL, scratch);
    char order[256] = "";
    for (char *line = (char *)run.lines.data; *line; line = strchr(line, '\n') + 1) {
        const char *name = line + strlen("error: ") + strlen(scratch) + 1;
        strncat(order, name, strcspn(name, ":"));
        strcat(order, " ");
    }
    ck_assert_str_eq(order, "B.json a-b/c.json a.json a/b.json a/b/c.json ab.json ");
    import_run_dispose(&run);
}
END_TEST

START_TEST(digest_ignores_layout)
{
    static const char tight[] =
        "[{\"type\":\"snippet\",\"id\":\"a\",\"text\":[\"x y\",1.5]},{\"type\":\"gate\"}]";
    static const char loose[] =
        "[\n\"//\":\"c\", { \"//\": [ 1, { } ],\t\"type\" : \"snippet\", \"id\": \"a\",\r\n"
        "\"text\": [ \"//\": \"c\", \"x y\" , 1.5, \"//1\": \"d\" ], \"//x\": 3 } ,\n"
        " {\"type\":\"gate\"} ]\n";
    static const char skipped[] =
        "[{\"type\":\"recipe\"},{\"type\":\"snippet\",\"id\":\"a\",\"text\":[\"x y\",1.5]}]";
    char first[PTL_CONTENT_DIGEST_SIZE], other[PTL_CONTENT_DIGEST_SIZE];
    put_file(scratch, "one/a.json", tight);
    put_file(scratch, "two/b/x.json", loose);
    put_file(scratch, "three/a.json", skipped);
    put_file(scratch, "three/b.json", "{\"type\":\"gate\"}");
    put_file(
        scratch, "four/a.json",
        "[{\"type\":\"snippet\",\"id\":\"a\",\"text\":[\"x  y\",1.5]},{\"type\":\"gate\"}]");
    char path[128];
    snprintf(path, sizeof path, "%s/one", scratch);
    digest_of(path, first);
    static const char *const same[] = {"two", "three"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", scratch, same[i]);
        digest_of(path, other);
        ck_assert_str_ne(first, "");
        /* The directory's name is part of no digest either. */
        ck_assert_str_eq(first, other);
    }
    snprintf(path, sizeof path, "%s/four", scratch);
    digest_of(path, other);
    ck_assert_str_ne(first, other);
}
END_TEST

/* ---- packs ---- */

static void put_mod(const char *id, const char *dependencies, const char *object)
{
    char name[64], text[512];
    snprintf(name, sizeof name, "%s/modinfo.json", id);
    snprintf(text, sizeof text,
             "[{\"type\":\"MOD_INFO\",\"id\":\"%s\",\"dependencies\":[%s]},%s]", id,
             dependencies, object);
    put_file(scratch, name, text);
}

/* The order in which packs are read shows in the order of their problems: those of packs that
 * others need come last. */
static void expect_order(size_t count, const char *const *folders, const char *wanted)
{
    char paths[8][128];
    const char *directories[8];
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", scratch, folders[i]);
        directories[i] = paths[i];
    }
    import_run run;
    import_list(&run, NULL, count, directories);
    char order[512] = "";
    for (char *line = (char *)run.lines.data; *line; line = strchr(line, '\n') + 1) {
        const char *name = line + strlen("error: ") + strlen(scratch) + 1;
        strncat(order, name, strcspn(name, "/"));
        strcat(order, " ");
    }
    ck_assert_str_eq(order, wanted);
    import_run_dispose(&run);
}

START_TEST(mods_follow_what_they_need)
{
    put_file(scratch, "base/a.json", "{}");
    put_mod("a", "\"c\", \"dda\"", "{}");
    put_mod("b", "\"dda\"", "{}");
    put_mod("c", "\"dda\"", "{}");
    static const char *const given[] = {"base", "a", "b", "c"};
    expect_order(4, given, "b a base c ");
    static const char *const other[] = {"base", "c", "a", "b"};
    expect_order(4, other, "a b base c ");
}
END_TEST

START_TEST(a_base_may_come_by_its_name)
{
    put_mod("dda", "", "{}");
    put_mod("m", "\"dda\"", "{}");
    static const char *const given[] = {"m", "dda"};
    expect_order(2, given, "m dda ");
}
END_TEST

START_TEST(a_folder_of_mods)
{
    put_file(scratch, "loose.json", "not JSON");
    put_mod("m", "", "{\"type\":\"snippet\"}");
    put_mod("n", "\"m\"", "{\"type\":\"snippet\"}");
    expect(PTL_OK,
           "warning: @:0:0: : a folder of mods: 1 JSON files that belong to none are not "
           "read\n");
}
END_TEST

START_TEST(a_missing_mod_is_a_warning_if_lenient)
{
    put_mod("street", "", "{\"type\":\"snippet\"}");
    put_mod("m", "\"streets\"", "{\"type\":\"snippet\"}");
    const char *directory = scratch;
    import_run run;
    memset(&run, 0, sizeof run);
    run.options = (ptl_import_options){.size = sizeof(ptl_import_options),
                                       .directories = &directory,
                                       .directory_count = 1,
                                       .check = true,
                                       .lenient = true};
    run_import(&run, NULL);
    ck_assert_int_eq(run.status, PTL_OK);
    ck_assert_ptr_nonnull(
        strstr((char *)run.lines.data,
               "m: depends on mod 'streets', which is not given, did you mean 'street'?\n"));
    import_run_dispose(&run);
}
END_TEST

Suite *files_suite(void)
{
    Suite *suite = suite_create("import files");
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, setup, teardown);
    tcase_add_test(files, huge_file_is_refused_unread);
    tcase_add_test(files, the_largest_file_is_read);
    tcase_add_test(files, deep_nesting_is_refused);
    tcase_add_test(files, long_string_is_refused);
    tcase_add_test(files, long_array_is_refused);
    tcase_add_test(files, only_regular_files_are_read);
    tcase_add_test(files, folders_have_a_depth_limit);
    tcase_add_test(files, empty_and_missing_directories);
    tcase_add_test(files, a_single_file_is_a_directory);
    tcase_add_test(files, files_come_in_bytewise_order);
    tcase_add_test(files, digest_ignores_layout);
    suite_add_tcase(suite, files);
    TCase *packs = tcase_create("packs");
    tcase_add_checked_fixture(packs, setup, teardown);
    tcase_add_test(packs, mods_follow_what_they_need);
    tcase_add_test(packs, a_base_may_come_by_its_name);
    tcase_add_test(packs, a_folder_of_mods);
    tcase_add_test(packs, a_missing_mod_is_a_warning_if_lenient);
    suite_add_tcase(suite, packs);
    return suite;
}
