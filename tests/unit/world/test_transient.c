/* Stores whose content is in memory alone, and imports that make no remarks but errors. */
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static place p;
static char folder[64], file[96];
static notes said;

static void setup(void)
{
    open_place(&p, TRANSIENT_BACKEND);
    strcpy(folder, "/tmp/portolan-transient-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/objects.json", folder);
}

static void teardown(void)
{
    close_place(&p);
    remove(file);
    rmdir(folder);
}

static void save(const char *text)
{
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void on_remark(void *payload, const ptl_diagnostic *d)
{
    (void)payload;
    NOTE(&said, "%s:%d ", d->code, d->line);
}

static ptl_status import(ptl_store *store, ptl_import_report *report, ptl_sources *sources,
                         bool quick)
{
    static const char *directory = folder;
    const ptl_import_options o = {.size = sizeof o,
                                  .builtin = true,
                                  .lenient = true,
                                  .directories = &directory,
                                  .directory_count = 1,
                                  .on_diagnostic = on_remark,
                                  .sources = sources,
                                  .quick = quick};
    said = (notes){.size = 0};
    return ptl_import(report, store, &o, &err);
}

/* A drawing of a field; line 2 is wrong if the key of the palette is, line 3 if its id is. */
static void save_entry(const char *key, const char *id)
{
    char text[500];
    snprintf(text, sizeof text,
             "[{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"object\": {\"fill_ter\": "
             "\"t_dirt\",\n \"terrain\": {\"%s\":\n \"%s\"}}}]\n",
             key, id);
    save(text);
}

START_TEST(errors_are_found_quickly)
{
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    save_entry("..", "t_nonsense");
    OK(import(p.store, &report, NULL, false));
    ck_assert_ptr_nonnull(strstr(said.text, "MG103:"));
    ck_assert_uint_eq(report.left_out, 1);
    ck_assert_uint_eq(strlen(report.digest), 64);
    OK(import(p.store, &report, NULL, true));
    ck_assert_ptr_nonnull(strstr(said.text, "MG103:2"));
    ck_assert_uint_eq(report.left_out, 1);
    ck_assert_str_eq(report.digest, "");
    /* What is no error is not told. */
    save_entry(".", "t_nonsense");
    OK(import(p.store, &report, NULL, false));
    ck_assert_ptr_nonnull(strstr(said.text, "MG"));
    OK(import(p.store, &report, NULL, true));
    ck_assert_ptr_null(strstr(said.text, "MG"));
    ck_assert_uint_eq(report.left_out, 0);
}
END_TEST

/* What was sound is not compiled again, until it has changed. */
START_TEST(changes_are_noticed)
{
    static const char *const keys[] = {".", "..", "...", "."};
    ptl_sources *sources;
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    OK(ptl_sources_new(&sources, &err));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        save_entry(keys[i], "t_dirt");
        for (int again = 0; again < 2; again++) {
            OK(import(p.store, &report, sources, true));
            ck_assert_uint_eq(report.left_out, strlen(keys[i]) > 1);
            ck_assert_int_eq(report.unchanged, again > 0);
        }
    }
    ptl_sources_free(sources);
}
END_TEST

START_TEST(quick_imports_are_never_kept)
{
    place of_file;
    save("[]");
    open_place(&of_file, FILE_BACKEND);
    ck_assert_int_eq(import(of_file.store, NULL, NULL, true), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "transient"));
    close_place(&of_file);
}
END_TEST

START_TEST(worlds_keep_their_content)
{
    save("[]");
    OK(import(p.store, NULL, NULL, true));
    ptl_world *world = create(p.store, "w", 1);
    generate(world, &(ptl_chunk_pos){0, 0}, 1, NULL);
    OK(import(p.store, NULL, NULL, true)); /* the same */
    save_entry(".", "t_dirt");
    ck_assert_int_eq(import(p.store, NULL, NULL, true), PTL_ERR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.message, "another store"));
    ptl_chunk *chunk;
    OK(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err));
    ptl_chunk_free(chunk);
    ptl_world_close(world);
    OK(ptl_world_open(&world, p.store, "w", NULL, &err));
    ptl_world_close(world);
}
END_TEST

START_TEST(there_is_no_sql)
{
    const ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
    ck_assert_int_eq(ptl_query(p.store, "SELECT 1", &o, &err), PTL_ERR_UNSUPPORTED);
    ck_assert_int_eq(ptl_backup(NULL, p.store, "/tmp/never", NULL, &err), PTL_ERR_UNSUPPORTED);
    ptl_world *world;
    ck_assert_int_eq(ptl_world_open(&world, p.store, "w", NULL, &err), PTL_ERR_NOT_FOUND);
    const ptl_world_options none = PTL_WORLD_OPTIONS_INIT;
    ck_assert_int_eq(ptl_world_create(p.store, "w", &none, &err), PTL_ERR_CONTENT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("transient");
    TCase *tc = tcase_create("transient");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, errors_are_found_quickly);
    tcase_add_test(tc, changes_are_noticed);
    tcase_add_test(tc, quick_imports_are_never_kept);
    tcase_add_test(tc, worlds_keep_their_content);
    tcase_add_test(tc, there_is_no_sql);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
