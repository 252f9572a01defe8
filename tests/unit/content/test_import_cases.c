/* Runs every folder of tests/content (its README.md says how they are made). */
#include "unit/content/lenient_fixture.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the folders in a folder, sorted. */
static size_t list_cases(const char *path, char *names[512])
{
    DIR *dir = opendir(path);
    ck_assert_msg(dir != NULL, "no folder %s", path);
    size_t count = 0;
    for (struct dirent *d; (d = readdir(dir)) != NULL;)
        if (d->d_name[0] != '.') {
            ck_assert_uint_lt(count, 512);
            names[count] = malloc(strlen(d->d_name) + 1);
            ck_assert_ptr_nonnull(names[count]);
            strcpy(names[count++], d->d_name);
        }
    closedir(dir);
    qsort(names, count, sizeof names[0], compare_names);
    return count;
}

/* Diagnostics without the folder's own path, wherever it is named. */
static char *relative_lines(const import_run *run, const char *folder)
{
    char *out = malloc(run->lines.size + 1), *to = out;
    ck_assert_ptr_nonnull(out);
    size_t length = strlen(folder);
    for (const char *at = (const char *)run->lines.data; *at;) {
        if (strncmp(at, folder, length) == 0 && at[length] == '/')
            at += length + 1;
        else
            *to++ = *at++;
    }
    *to = '\0';
    return out;
}

/* The expected lines without comments; "" if there is no such file. */
static char *expected_lines(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = get_file(path);
    char *out = calloc(1, text ? strlen(text) + 1 : 1);
    ck_assert_ptr_nonnull(out);
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        ck_assert_msg(end != NULL, "%s: the last line has no end", path);
        if (*line != '#')
            strncat(out, line, (size_t)(end - line) + 1);
        line = end + 1;
    }
    free(text);
    return out;
}

/* Whether the import's diagnostics are the expected ones; prints both if not. */
static bool case_holds(const char *folder, const char *expected_name, bool lenient, bool valid)
{
    import_run run;
    memset(&run, 0, sizeof run);
    run.codes = true;
    run.options = (ptl_import_options){.size = sizeof(ptl_import_options),
                                       .directories = &folder,
                                       .directory_count = 1,
                                       .check = true,
                                       .lenient = lenient};
    run_import(&run, NULL);
    char *expected = expected_lines(folder, expected_name);
    char *found = relative_lines(&run, folder);
    bool same = strcmp(expected, found) == 0;
    if (!same)
        printf("%s: %s\n--- expected\n%s--- found\n%s---\n", folder, expected_name, expected,
               found);
    ptl_status status = valid ? PTL_OK : PTL_ERR_CONTENT;
    if (run.status != status)
        printf("%s: status %s, not %s\n", folder, ptl_status_name(run.status),
               ptl_status_name(status));
    same = same && run.status == status && (run.report.errors == 0) == valid;
    free(expected);
    free(found);
    import_run_dispose(&run);
    return same;
}

static size_t run_cases(const char *below, bool valid)
{
    char *root = source_path(below);
    char *names[512];
    size_t count = list_cases(root, names), failed = 0;
    for (size_t i = 0; i < count; i++) {
        char folder[4096], lenient[4200];
        snprintf(folder, sizeof folder, "%s/%s", root, names[i]);
        snprintf(lenient, sizeof lenient, "%s/expected-lenient.txt", folder);
        failed += !case_holds(folder, "expected.txt", false, valid);
        char *text = get_file(lenient);
        if (text)
            failed += !case_holds(folder, "expected-lenient.txt", true,
                                  strncmp(text, "error", 5) != 0 && !strstr(text, "\nerror"));
        free(text);
        free(names[i]);
    }
    ck_assert_uint_gt(count, 5);
    free(root);
    return failed;
}

START_TEST(invalid_content_is_reported)
{
    ck_assert_uint_eq(run_cases("tests/content/invalid", false), 0);
}
END_TEST

START_TEST(valid_content_is_accepted)
{
    ck_assert_uint_eq(run_cases("tests/content/valid", true), 0);
}
END_TEST

/* A mod that says wrong things of itself is refused: which pack is whose can't be told. */
START_TEST(mistakes_are_left_out)
{
    char *root = source_path("tests/content/invalid"), *names[512], folder[4096];
    const size_t count = list_cases(root, names);
    lenient_fixture f;
    lenient_begin(&f, NULL);
    for (size_t i = 0; i < count; i++) {
        snprintf(folder, sizeof folder, "%s/%s", root, names[i]);
        if (strncmp(names[i], "mods_", 5) != 0)
            lenient_expect(&f, folder);
        free(names[i]);
    }
    lenient_end(&f);
    free(root);
}
END_TEST

/* Behind what is no JSON the next object goes on that begins its line alike. */
START_TEST(text_goes_on)
{
    static const struct {
        const char *text, *found;
    } texts[] = {
        {"[\n  {\"type\":\"snippet\",\"id\":\"a\",\"x\":[{\n    \"y\":1 },\n    {\"y\":2}\n  "
         "},\n"
         "  {\"type\":\"snippet\",\"id\":\"b\"}\n]",
         "1"}, /* a bracket is missing */
        {"[\n  {\"type\":\"snippet\",\"id\":\"a\"}\n  {\"type\":\"snippet\",\"id\":\"b\"}\n]",
         "2"},
        {"[{\"type\":\"snippet\",\"id\":\"a\"} {\"type\":\"snippet\"},{\"type\":\"snippet\"}]",
         "3"},
        {"[\n{\"type\":\"snippet\",\"id\":\"a},\n{\"type\":\"snippet\"},\n{\"type\":"
         "\"snippet\",}\n]",
         "1"},
        {"[\n{\"type\":\"snippet\"},\n{\"type\":\"snippet\"", "1"},
        {"[\n{\"type\":\"snippet\"}\n]\n{\"type\":\"snippet\"}", "1"},
    };
    char folder[64];
    make_scratch(folder);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        import_run run;
        const char *directory = folder;
        char kept[24];
        put_file(folder, "a.json", texts[i].text);
        memset(&run, 0, sizeof run);
        run.options = (ptl_import_options){.size = sizeof run.options,
                                           .directories = &directory,
                                           .directory_count = 1,
                                           .check = true,
                                           .lenient = true};
        run_import(&run, NULL);
        snprintf(kept, sizeof kept, "%d", (int)run.report.kept);
        ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
        ck_assert_msg(strcmp(kept, texts[i].found) == 0, "%s\n%s objects\n%s", texts[i].text,
                      kept, bytes_text(&run.lines));
        ck_assert_uint_ge(run.report.warnings, 1);
        import_run_dispose(&run);
    }
    remove_scratch(folder);
}
END_TEST

Suite *cases_suite(void)
{
    Suite *suite = suite_create("import cases");
    TCase *tc = tcase_create("folders");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, invalid_content_is_reported);
    tcase_add_test(tc, valid_content_is_accepted);
    tcase_add_test(tc, mistakes_are_left_out);
    tcase_add_test(tc, text_goes_on);
    suite_add_tcase(suite, tc);
    return suite;
}
