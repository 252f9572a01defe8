/* Stores whose content is in memory alone, and imports that make no remarks but errors. */
#include "core/bytes.h"
#include "core/hash.h"
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

/* ---- files that are scanned in threads ---- */

enum { FILES = 12, ELEMENTS = 6 };

/* Elements of files: whole ones, and each kind of mistake that a scan or a quick import tells.
 */
static const char *const elements[] = {
    "{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"object\": {\"fill_ter\": \"t_dirt\"}}",
    "{\"type\": \"mapgen\", \"om_terrain\": \"lake\", \"object\": {\"terrain\": {\"..\": 1}}}",
    "{\"type\": \"palette\", \"id\": \"p\", \"terrain\": {\".\": \"t_dirt\"}}",
    "{\"type\": \"palette\", \"id\": \"q\", \"terrain\": {\"xy\": \"t_dirt\"}}",
    "{\"type\": \"overmap_terrain\", \"id\": \"mine\", \"name\": \"mine\", \"sym\": \"m\"}",
    "{\"type\": \"overmap_terrain\", \"id\": \"deep\", \"name\": 1e999}",
    "{\"type\": \"overmap_terrain\", \"name\": \"none\"}",
    "{\"type\": \"item_group\", \"id\": \"g\", \"id\": \"h\"}",
    "{\"type\": \"recipe\", \"result\": +1}",
    "{\"id\": \"of no type\"}",
    "{\"type\": \"\", \"id\": \"odd\"}",
    "{\"type\": 7}",
    "{\"usage\": \"given\", \"name\": [\"Ann\"]}",
    "// a comment\n{\"type\": \"MONSTER\", \"id\": \"mon\"}",
    "{\"type\": \"mapgen\", \"om_terrain\": }",
    "[]",
};

static void file_name(char out[128], int number)
{
    snprintf(out, 128, "%s/file%d.json", folder, number);
}

static void write_files(uint64_t seed)
{
    rng random = rng_from_key(seed);
    for (int i = 0; i < FILES; i++) {
        char name[128];
        file_name(name, i);
        FILE *f = fopen(name, "w");
        ck_assert_ptr_nonnull(f);
        fputs("[\n", f);
        for (int k = 0; k < ELEMENTS; k++)
            fprintf(f, "%s%s\n",
                    elements[rng_next(&random) % (sizeof elements / sizeof elements[0])],
                    k + 1 < ELEMENTS ? "," : "");
        fputs("]\n", f);
        fclose(f);
    }
}

static void remove_files(void)
{
    char name[128];
    for (int i = 0; i < FILES; i++) {
        file_name(name, i);
        remove(name);
    }
}

/* Appends a remark in full. */
static void on_whole_remark(void *payload, const ptl_diagnostic *d)
{
    bytes_printf(payload, "%d %s %s:%d:%d %s: %s\n", (int)d->severity, d->code, d->file,
                 d->line, d->column, d->id, d->message);
}

/* What a quick import of the folder tells: its remarks and its figures. */
static ptl_status tell(bytes *out, ptl_store *store, ptl_sources *sources)
{
    static const char *directory = folder;
    ptl_import_report r = PTL_IMPORT_REPORT_INIT;
    const ptl_import_options o = {.size = sizeof o,
                                  .lenient = true,
                                  .directories = &directory,
                                  .directory_count = 1,
                                  .on_diagnostic = on_whole_remark,
                                  .payload = out,
                                  .sources = sources,
                                  .quick = true};
    bytes_init(out);
    const ptl_status status = ptl_import(&r, store, &o, &err);
    bytes_printf(out, "%llu files, %llu objects, %llu bytes, %llu left out, unchanged %d\n",
                 (unsigned long long)r.files, (unsigned long long)r.objects,
                 (unsigned long long)r.bytes, (unsigned long long)r.left_out, r.unchanged);
    ck_assert_ptr_nonnull(bytes_text(out));
    return status;
}

/* Imports that keep files for later scan them one by one, and other quick imports scan them in
 * threads. Both tell the same, and give the same content. */
START_TEST(threads_tell_the_same)
{
    bytes one, other;
    ptl_sources *sources;
    ptl_store *of_other;
    write_files((uint64_t)_i);
    OK(ptl_sources_new(&sources, &err));
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    o.mode = PTL_OPEN_TRANSIENT;
    OK(ptl_store_open(&of_other, NULL, &o, &err));
    const ptl_status status = tell(&one, p.store, sources);
    ck_assert_int_eq(tell(&other, of_other, NULL), status);
    ck_assert_str_eq(bytes_text(&one), bytes_text(&other));
    bytes_dispose(&other);
    bytes_dispose(&one);
    /* That the content is the same is known by its digest. */
    if (status == PTL_OK) {
        OK(tell(&other, p.store, NULL));
        ck_assert_ptr_nonnull(strstr(bytes_text(&other), "unchanged 1"));
        bytes_dispose(&other);
    }
    ptl_store_close(of_other);
    ptl_sources_free(sources);
    remove_files();
}
END_TEST

static bool stop_after(void *payload)
{
    return --*(int *)payload < 0;
}

/* Wherever an import is stopped: it says so, and the next one does all. */
START_TEST(threads_stop)
{
    static const char *directory = folder;
    int asked = 0;
    ptl_status status = PTL_ERR_CANCELLED;
    write_files((uint64_t)_i);
    for (int after = 0; status == PTL_ERR_CANCELLED; after += 1 + after / 16) {
        int left = after;
        const ptl_import_options o = {.size = sizeof o,
                                      .builtin = true,
                                      .lenient = true,
                                      .directories = &directory,
                                      .directory_count = 1,
                                      .should_stop = stop_after,
                                      .payload = &left,
                                      .quick = true};
        status = ptl_import(NULL, p.store, &o, &err);
        asked = after;
    }
    OK(status);
    ck_assert_int_gt(asked, FILES);
    remove_files();
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
    TCase *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_add_checked_fixture(threads, setup, teardown);
    tcase_add_loop_test(threads, threads_tell_the_same, 0, 24);
    tcase_add_loop_test(threads, threads_stop, 0, 2);
    suite_add_tcase(s, threads);
    return suite_run(s);
}
