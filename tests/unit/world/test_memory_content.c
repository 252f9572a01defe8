/*
 * An import into a store that is not SQLite, what is made of it there, sweeps and scratches, in
 * a program that is not linked with SQLite.
 */
#include "core/error.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "portolan/portolan.h"
#include "store/store.h"
#include "support/memory/memory_store.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDE = 2, COUNT = SIDE * SIDE };

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

static ptl_store *open_store(memory *m)
{
    ptl_store *store = memory_open(m);
    ck_assert_ptr_nonnull(store);
    return store;
}

static void create(ptl_store *store, const char *name, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = seed;
    OK(ptl_world_create(store, name, &o, &err));
}

static void digest_of(ptl_world *world, char hex[65])
{
    ptl_world_digest_result d = PTL_WORLD_DIGEST_RESULT_INIT;
    OK(ptl_world_digest_get(&d, world, &err));
    memcpy(hex, d.hex, 65);
}

static void import_builtin(ptl_store *store, ptl_import_report *report)
{
    const ptl_import_options o = {.size = sizeof o, .builtin = true};
    OK(ptl_import(report, store, &o, &err));
}

START_TEST(content_is_imported_and_generated_from)
{
    char first[65], second[65];
    ptl_chunk_pos list[COUNT];
    ptl_import_report report = PTL_IMPORT_REPORT_INIT, again = PTL_IMPORT_REPORT_INIT;
    int64_t id = 0;
    memory *m = memory_new(NULL);
    ck_assert_ptr_nonnull(m);
    ptl_store *store = open_store(m);
    ptl_catalogue *cat = NULL;
    ck_assert_int_eq(ops(store)->content->load(&cat, store, &err), PTL_ERR_CONTENT);
    error_clear(&err);
    import_builtin(store, &report);
    ck_assert_uint_eq(report.errors, 0);
    import_builtin(store, &again); /* the same: nothing is written */
    ck_assert_str_eq(again.digest, report.digest);
    OK(ops(store)->content->current(&id, store, &err));
    ck_assert_int_gt(id, 0);
    OK(ops(store)->content->digest(first, store, id, &err));
    ck_assert_str_eq(first, report.digest);
    for (int32_t i = 0; i < COUNT; i++)
        list[i] = (ptl_chunk_pos){i % SIDE - 1, i / SIDE - 1};
    for (int i = 0; i < 2; i++) {
        ptl_world *world;
        create(store, i ? "second" : "first", 6);
        OK(ptl_world_open(&world, store, i ? "second" : "first", NULL, &err));
        ptl_generate_options g = PTL_GENERATE_OPTIONS_INIT;
        g.positions = list;
        g.position_count = COUNT;
        g.jobs = 1 + i;
        OK(ptl_generate(NULL, world, &g, &err));
        digest_of(world, i ? second : first);
        ptl_world_close(world);
    }
    ck_assert_str_eq(first, second);
    ptl_store_close(store);
    memory_free(m);
}
END_TEST

/* A content of one terrain, in a new directory. */
static void import_other(ptl_store *store, ptl_import_report *report)
{
    static const char text[] = "[{\"type\": \"overmap_terrain\", \"id\": \"lone\", "
                               "\"name\": \"lone\", \"sym\": \".\", \"color\": \"green\"}]";
    char folder[] = "/tmp/portolan-memory-XXXXXX", path[64];
    const char *const directories[] = {folder};
    const ptl_import_options o = {
        .size = sizeof o, .directories = directories, .directory_count = 1};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lone.json", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    OK(ptl_import(report, store, &o, &err));
    remove(path);
    rmdir(folder);
}

START_TEST(content_of_before_is_kept)
{
    ptl_import_report first = PTL_IMPORT_REPORT_INIT, second = PTL_IMPORT_REPORT_INIT;
    ptl_world_digest_result before = PTL_WORLD_DIGEST_RESULT_INIT,
                            after = PTL_WORLD_DIGEST_RESULT_INIT;
    memory *m = memory_new(NULL);
    ptl_store *store = open_store(m);
    catalogue *now = NULL, *then = NULL;
    int64_t id = 0;
    import_builtin(store, &first);
    OK(ops(store)->content->current(&id, store, &err));
    create(store, "w", 4);
    for (int i = 0; i < 2; i++) {
        ptl_world *world;
        ptl_chunk *chunk;
        OK(ptl_world_open(&world, store, "w", NULL, &err));
        OK(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err));
        ptl_chunk_free(chunk);
        OK(ptl_world_digest_get(i ? &after : &before, world, &err));
        ptl_world_close(world);
        if (i == 0)
            import_other(store, &second);
    }
    ck_assert_uint_eq(second.stale_chunks, 1);
    ck_assert_str_eq(before.hex, after.hex);
    OK(ops(store)->content->load_for(&then, store, id, false, &err));
    ck_assert_str_eq(then->digest, first.digest);
    ck_assert_uint_gt(then->oter_count, 100);
    OK(ops(store)->content->load_for(&now, store, id, true, &err));
    ck_assert_str_eq(now->digest, second.digest);
    ck_assert_uint_eq(now->oter_count, 4);
    ck_assert_uint_gt(now->past_oter_count, 10);
    const cat_oter *field = &now->oters[catalogue_any_oter(now, "field")];
    ck_assert_str_eq(now->terrains[field->terrain].name, "meadow");
    catalogue_free(now);
    catalogue_free(then);
    import_builtin(store, &second); /* and it is the present one again */
    ck_assert_str_eq(first.digest, second.digest);
    ck_assert_uint_eq(second.stale_chunks, 0);
    ptl_store_close(store);
    memory_free(m);
}
END_TEST

static bool count_overmaps(void *payload, uint64_t seed, const summary *s)
{
    uint64_t *seen = payload;
    ck_assert_uint_eq(seed, 2 + *seen / 2);
    ck_assert_int_eq(s->pos.x, (int32_t)(*seen % 2));
    ck_assert(s->terrain_count > 0);
    return ++*seen < 3;
}

START_TEST(sweeps_are_kept)
{
    const ptl_chunk_pos places[2] = {{0, 0}, {1, 0}};
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    ptl_sweep_report report = PTL_SWEEP_REPORT_INIT;
    sweep_row row = {0};
    uint64_t count = 0;
    sweep_totals totals;
    o.seed_first = 2;
    o.seed_last = 3;
    o.positions = places;
    o.position_count = 2;
    o.jobs = 2;
    memory *m = memory_new(NULL);
    ck_assert_ptr_nonnull(m);
    ptl_store *store = open_store(m);
    import_builtin(store, NULL);
    OK(ptl_sweep_run(&report, store, "s", &o, &err));
    ck_assert_uint_eq(report.done, 4);
    OK(ptl_sweep_run(&report, store, "s", &o, &err));
    ck_assert_uint_eq(report.skipped, 4);
    OK(ops(store)->sweep->find(&row, store, NULL, &err));
    OK(ops(store)->sweep->chunk_total(&totals, store, row.id, &err));
    ck_assert_uint_eq(totals.overmaps, 4);
    ck_assert_int_eq(ops(store)->sweep->chunk_visit(store, row.id, PTL_COUNT_TERRAINS,
                                                    count_overmaps, &count, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_uint_eq(count, 3);
    error_clear(&err);
    sweep_row_dispose(&row);
    OK(ptl_sweep_remove(store, "s", &err));
    OK(ops(store)->sweep->count(&count, store, &err));
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, "s", &err), PTL_ERR_NOT_FOUND);
    ptl_store_close(store);
    memory_free(m);
}
END_TEST

/* ---- scratches ---- */

START_TEST(a_scratch_has_the_content_and_no_more)
{
    char of_source[65], of_scratch[65];
    uint64_t worlds = 9;
    int64_t ids[2] = {0, 0};
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    memory *m = memory_new(NULL);
    ck_assert_ptr_nonnull(m);
    ptl_store *store = open_store(m), *scratch = NULL;
    import_builtin(store, &report);
    create(store, "w", 1);
    OK(ops(store)->scratch->open(&scratch, store, "nowhere", &err));
    OK(ops(scratch)->world->count(&worlds, scratch, &err));
    ck_assert_uint_eq(worlds, 0);
    OK(ops(store)->content->current(&ids[0], store, &err));
    OK(ops(scratch)->content->current(&ids[1], scratch, &err));
    ck_assert_int_eq(ids[0], ids[1]);
    for (int i = 0; i < 2; i++) {
        ptl_world *world;
        ptl_world_digest_result d = PTL_WORLD_DIGEST_RESULT_INIT;
        ptl_chunk *chunk;
        if (i == 1)
            create(scratch, "w", 1);
        OK(ptl_world_open(&world, i ? scratch : store, "w", NULL, &err));
        OK(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err));
        ptl_chunk_free(chunk);
        OK(ptl_world_digest_get(&d, world, &err));
        memcpy(i ? of_scratch : of_source, d.hex, 65);
        ptl_world_close(world);
    }
    ck_assert_str_eq(of_source, of_scratch);
    OK(ops(scratch)->transaction->begin(scratch, &err));
    OK(ops(scratch)->scratch->clear(scratch, &err));
    OK(ops(scratch)->transaction->commit(scratch, &err));
    OK(ops(scratch)->world->count(&worlds, scratch, &err));
    ck_assert_uint_eq(worlds, 0);
    OK(ops(store)->world->count(&worlds, store, &err));
    ck_assert_uint_eq(worlds, 1);
    ptl_store_close(scratch);
    ptl_store_close(store);
    memory_free(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory_content");
    TCase *tcase = tcase_create("content");
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, content_is_imported_and_generated_from);
    tcase_add_test(tcase, content_of_before_is_kept);
    tcase_add_test(tcase, sweeps_are_kept);
    tcase_add_test(tcase, a_scratch_has_the_content_and_no_more);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
