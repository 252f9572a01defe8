/*
 * Do the fault scenes call every public function? And: what may be NULL, being NULL; and a
 * transaction that could not be taken back.
 */
#include "core/error.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "support/fault/fault_alloc.h"
#include "support/fault/fault_place.h"
#include "support/suite.h"

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- every function ---- */

enum { TEXT_MAX = 1 << 19 };

/* Appends a file's text. */
static void read_text(char *out, const char *folder, const char *name)
{
    char path[1024];
    const size_t used = strlen(out);
    snprintf(path, sizeof path, "%s/%s/%s", getenv("PORTOLAN_SOURCE_DIR"), folder, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    const size_t size = fread(out + used, 1, TEXT_MAX - used - 1, file);
    ck_assert_msg(size > 0 && size < TEXT_MAX - used - 1, "%s", path);
    out[used + size] = '\0';
    fclose(file);
}

static void read_headers(char *out)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/src/include/portolan", getenv("PORTOLAN_SOURCE_DIR"));
    DIR *dir = opendir(path);
    ck_assert_ptr_nonnull(dir);
    for (struct dirent *d; (d = readdir(dir)) != NULL;)
        if (d->d_name[0] != '.' && strstr(d->d_name, ".h"))
            read_text(out, "src/include/portolan", d->d_name);
    closedir(dir);
}

START_TEST(every_function_has_a_scene)
{
    char *headers = calloc(1, TEXT_MAX), *scenes = calloc(1, TEXT_MAX), name[80];
    ck_assert(headers && scenes);
    read_headers(headers);
    read_text(scenes, "tests/support/fault", "fault_scenes.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_care.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_columns.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_content.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_count.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_lists.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_past.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_pictures.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_sea.c");
    read_text(scenes, "tests/support/fault", "fault_scenes_tiles.c");
    int count = 0, missing = 0;
    for (char *at = headers; (at = strstr(at, "\nPTL_API ")) != NULL;) {
        at += strlen("\nPTL_API ");
        char *open = strchr(at, '(');
        ck_assert_ptr_nonnull(open);
        char *start = open;
        while (start > at && (start[-1] == '_' || (start[-1] >= 'a' && start[-1] <= 'z')))
            start--;
        snprintf(name, sizeof name, "%.*s(", (int)(open - start), start);
        count++;
        const char *error = strstr(open, "ptl_error *err"), *end = strchr(open, ';');
        if (strncmp(at, "bool ", 5) == 0 && (!error || error > end))
            continue; /* it tells something and can't fail */
        if (!strstr(scenes, name)) {
            fprintf(stderr, "no fault scene calls %s)\n", name);
            missing++;
        }
    }
    ck_assert_int_gt(count, 40);
    ck_assert_int_eq(missing, 0);
    free(headers);
    free(scenes);
}
END_TEST

/* ---- NULL ---- */

static fault_place place;

static void open_place(void)
{
    fault_place_make(&place);
    fault_place_restore(&place, FAULT_FILE_WORLD);
    ptl_error err;
    ck_assert_msg(fault_place_open(&place, FAULT_OPEN_WORLD_WRITE, &err) == PTL_OK, "%s",
                  err.message);
}

static void close_place(void)
{
    fault_place_close(&place);
    fault_place_remove(&place);
}

START_TEST(nothing_to_close)
{
    ptl_store_close(NULL);
    ptl_world_close(NULL);
    ptl_chunk_free(NULL);
    ptl_cache_free(NULL);
}
END_TEST

/* Every call that fails, without an error record. */
START_TEST(errors_without_a_record)
{
    ptl_store *store;
    ptl_world *world;
    ptl_chunk *chunk;
    size_t number;
    ptl_oter oter;
    ptl_trial_report tried = PTL_TRIAL_REPORT_INIT;
    ptl_why why = PTL_WHY_INIT;
    static ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_chunk *held;
    ptl_cache *cache;
    const ptl_area no_area = {.width = 0};
    const ptl_chunk_pos far = {PTL_CHUNK_COORD_MAX + 1, 0}, none = {7, 7};
    const ptl_render_options bad_picture = {.size = sizeof bad_picture, .scale = 99};
    const ptl_game_save_write_options nowhere = {.size = sizeof nowhere,
                                                 .directory = "/no/such/folder"};
    const ptl_atlas_options no_map = {.size = sizeof no_map, .path = "/no/such/folder/map"};
    const ptl_game_save_import_options no_save = {.size = sizeof no_save,
                                                  .directory = "/no/such/folder"};
    const char *no_content[] = {"/no/such/folder"};
    const ptl_import_options no_import = {
        .size = sizeof no_import, .directories = no_content, .directory_count = 1};
    const ptl_generate_options bad_step = {.size = sizeof bad_step,
                                           .stop_after = "no such step"};
    ck_assert_int_eq(ptl_store_open(&store, "/no/such/file", NULL, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_store_open(&store, NULL, NULL, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_world_open(&world, place.store, NULL, NULL, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(world);
    ck_assert_int_eq(ptl_world_create(place.store, "w", NULL, NULL), PTL_ERR_EXISTS);
    ck_assert_int_eq(ptl_world_create(place.store, NULL, NULL, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_chunk_get(&chunk, place.world, far, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_chunk_load(&chunk, place.world, none, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(chunk);
    ck_assert_int_eq(ptl_level_load(cells, place.world, none, 0, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_catalogue_find(&number, ptl_world_catalogue(place.world),
                                        PTL_CONTENT_OTER, "no such"),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_area_get(cells, NULL, place.world, &no_area, NULL, NULL),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_cache_new(&cache, place.world, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_cache_load(&held, cache, none, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_cache_get(&held, cache, far, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_cache_oter_get(&oter, cache, (ptl_omt){0, 0, 11}, NULL),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_cache_prefetch(NULL, cache, far, NULL, NULL), PTL_ERR_ARGUMENT);
    ptl_cache_free(cache);
    ck_assert_int_eq(ptl_query(place.store, "DELETE FROM chunk", NULL, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_query_column_list(place.store, "no SQL", NULL, NULL, NULL),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_render_png_write(place.world, &bad_picture, NULL, NULL, NULL),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_game_save_write(NULL, place.world, &nowhere, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_atlas_write(NULL, place.world, &no_map, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_game_save_import(NULL, place.world, &no_save, NULL),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_import(NULL, place.store, &no_import, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_generate(NULL, place.world, &bad_step, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_why_get(&why, NULL, place.world, "no such", none, NULL),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_growth_each(place.world, none, 0, NULL, NULL, NULL),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_trial_run(&tried, place.store, "no such", NULL, NULL),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_trial_world_run(&tried, place.world, "no such", NULL, 0, NULL, NULL),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_backup(NULL, place.store, NULL, NULL, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_migrate(NULL, "/no/such/file", NULL, NULL), PTL_ERR_NOT_FOUND);
}
END_TEST

/* Options, reports and callbacks that may be left out. */
START_TEST(options_left_out)
{
    const ptl_chunk_pos saved[] = {{0, 0}};
    const ptl_generate_options nothing = PTL_GENERATE_OPTIONS_INIT;
    const ptl_import_options builtin = {.size = sizeof builtin, .builtin = true};
    const ptl_area tile = {0, 0, 0, 1, 1};
    ptl_oter oter;
    ptl_cache *cache;
    ptl_regenerate_options anew = PTL_REGENERATE_OPTIONS_INIT;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_trial_report tried = PTL_TRIAL_REPORT_INIT;
    anew.positions = saved;
    anew.position_count = 1;
    anew.stale = false;
    ck_assert_int_eq(ptl_import(NULL, place.store, &builtin, NULL), PTL_OK);
    ck_assert_int_eq(ptl_query(place.store, "SELECT * FROM world", NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_generate(NULL, place.world, &nothing, NULL), PTL_OK);
    ck_assert_int_eq(ptl_seams_verify(NULL, place.world, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_area_get(&oter, NULL, place.world, &tile, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_cache_new(&cache, place.world, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_cache_prefetch(NULL, cache, saved[0], NULL, NULL), PTL_OK);
    ptl_cache_free(cache);
    ck_assert_int_eq(ptl_trial_world_run(&tried, place.world, "anthill", saved, 1, NULL, NULL),
                     PTL_OK);
    ck_assert_int_eq(ptl_backup(NULL, place.store, place.export, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_regenerate(NULL, place.world, &anew, NULL), PTL_OK);
    ck_assert_int_eq(ptl_verify(&counts, place.store, NULL, NULL, NULL), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_int_eq(ptl_verify(NULL, place.store, NULL, NULL, NULL), PTL_OK);
    ptl_world_close(place.world);
    place.world = NULL;
    ck_assert_int_eq(ptl_repair(NULL, place.store, NULL, NULL), PTL_OK);
    ck_assert_int_eq(ptl_world_create(place.store, "x", NULL, NULL), PTL_OK);
}
END_TEST

/* ---- no memory for a ROLLBACK ---- */

static void one(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_int(context, 1);
}

static int64_t tables(const char *name)
{
    int64_t count = -1;
    char sql[100];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'", name);
    ck_assert_int_eq(sqlite_pragma_int(place.store, sql, &count, NULL), PTL_OK);
    return count;
}

/* SQLite prepares the statement again, since another function may change what it means. What
 * follows must not belong to the transaction that is still open. */
START_TEST(a_rollback_is_made_up_for)
{
    ptl_store *store = place.store;
    bool own = false;
    uint64_t failed;
    ptl_error err;
    if (!fault_alloc_sees_libraries())
        return;
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(sqlite_exec(store, "CREATE TABLE lost (x)", &err), PTL_OK);
    for (int i = 0; i < 2; i++) /* made, and replaced */
        ck_assert_int_eq(
            sqlite3_create_function(store->db, "one", 0, SQLITE_UTF8, NULL, one, NULL, NULL),
            SQLITE_OK);
    fault_alloc_arm(1, true);
    ops(store)->transaction->rollback(store);
    error_clear(&err);
    const ptl_status exec = sqlite_exec(store, "CREATE TABLE kept (x)", &err);
    const ptl_status begun = sqlite_begin_own(store, &own, NULL);
    (void)fault_alloc_disarm(&failed);
    ck_assert_int_eq(sqlite3_get_autocommit(store->db), 0);
    ck_assert_int_eq(exec, PTL_ERR_NOMEM);
    ck_assert_msg(strstr(err.message, "taking back") != NULL, "%s", err.message);
    ck_assert(begun == PTL_ERR_NOMEM && !own);
    if (_i == 0) {
        ck_assert_int_eq(sqlite_exec(store, "CREATE TABLE kept (x)", &err), PTL_OK);
    } else {
        ck_assert_int_eq(sqlite_begin_own(store, &own, &err), PTL_OK);
        ck_assert_int_eq(sqlite_exec(store, "CREATE TABLE kept (x)", &err), PTL_OK);
        ck_assert_int_eq(sqlite_end_own(store, own, PTL_OK, &err), PTL_OK);
    }
    ck_assert_int_ne(sqlite3_get_autocommit(store->db), 0);
    ck_assert_int_eq(tables("lost"), 0);
    ck_assert_int_eq(tables("kept"), 1);
}
END_TEST

/* ---- no memory for what repair tells ---- */

/* A name that could not be read must not stand as "" in a report or in table set_aside. */
START_TEST(what_repair_tells_has_its_world)
{
    const ptl_repair_options options = PTL_REPAIR_OPTIONS_INIT;
    repairer r = {.store = place.store, .options = &options, .found = "now"};
    const repair_rows none = {0};
    const repair_row chunk = {
        .table = TABLE_CHUNK,
        .values = {
            [0] = {.type = ROW_INTEGER, .word = 1}, [1] = {.type = ROW_INTEGER, .word = 1}}};
    char name[110];
    uint64_t failed;
    ptl_error err = {0};
    repair_world_name(name, sizeof name, &r, 1);
    ck_assert_str_eq(name, "w");
    ck_assert_int_eq(repair_note(&r, PTL_REPAIR_CORRECTED, name, "x"), PTL_OK);
    fault_alloc_arm(1, true);
    repair_world_name(name, sizeof name, &r, 1);
    (void)fault_alloc_disarm(&failed);
    ck_assert_str_eq(name, "");
    ck_assert_int_eq(repair_note(&r, PTL_REPAIR_CORRECTED, name, "x"), PTL_ERR_NOMEM);
    ck_assert_int_eq(repair_set_aside(&r, &none, &chunk, "why", &err), PTL_ERR_NOMEM);
    ck_assert_str_ne(err.message, "");
    bytes_dispose(&r.items);
    bytes_dispose(&r.scratch);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calls");
    TCase *tc = tcase_create("cover");
    tcase_add_test(tc, every_function_has_a_scene);
    suite_add_tcase(suite, tc);
    tc = tcase_create("null");
    tcase_add_checked_fixture(tc, open_place, close_place);
    tcase_add_test(tc, nothing_to_close);
    tcase_add_test(tc, errors_without_a_record);
    tcase_add_test(tc, options_left_out);
    tcase_add_loop_test(tc, a_rollback_is_made_up_for, 0, 2);
    tcase_add_test(tc, what_repair_tells_has_its_world);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
