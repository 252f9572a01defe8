/* Chunks made anew: the same content, other content, other generators, stopping and going on.
 */
#include "core/hash.h"
#include "portolan/regenerate.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/row_values.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIDE = 3, COUNT = SIDE * 2 };

static ptl_error err;

static const char pack_text[] =
    "[{\"type\":\"overmap_terrain\",\"id\":\"test_hut\",\"name\":\"hut\",\"sym\":\"h\","
    "\"color\":\"red\"},"
    "{\"type\":\"overmap_special\",\"id\":\"test_huts\",\"locations\":[\"land\"],"
    "\"overmaps\":[{\"point\":[0,0,0],\"overmap\":\"test_hut_north\"}],\"occurrences\":[5,9]},"
    "{\"type\":\"region_overlay\",\"id\":\"wet\",\"regions\":[\"all\"],"
    "\"overmap_lake_settings\":{\"noise_threshold_lake\":0.2},"
    "\"overmap_forest_settings\":{\"noise_threshold_forest\":0.15}}]\n";

typedef struct scene {
    char path[WORLD_PATH_SIZE], pack[WORLD_PATH_SIZE + 16];
    ptl_chunk_pos list[COUNT];
    ptl_store *store;
    ptl_world *world;
} scene;

static void scene_world(scene *s, bool accept)
{
    const ptl_world_open_options options = {.size = sizeof options, .accept_content = accept};
    ptl_world_close(s->world);
    ptl_status status = ptl_world_open(&s->world, s->store, "w", &options, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

static ptl_status generate(scene *s, const ptl_chunk_pos *list, size_t count)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = count;
    return ptl_generate(NULL, s->world, &o, &err);
}

/* A world with its chunks, of the embedded content. */
static void scene_open(scene *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    memset(&err, 0, sizeof err);
    world_file_path(s->path);
    s->store = world_file_open(s->path, "w", seed);
    scene_world(s, false);
    for (int32_t i = 0; i < COUNT; i++)
        s->list[i] = (ptl_chunk_pos){i % SIDE - 2, i / SIDE - 1};
    ck_assert_msg(generate(s, s->list, COUNT) == PTL_OK, "%s", err.message);
}

static void scene_close(scene *s)
{
    ptl_world_close(s->world);
    ptl_store_close(s->store);
    if (s->pack[0])
        unlink(s->pack);
    world_file_remove(s->path);
}

/* The embedded content, with the pack on top or without. */
static void import(scene *s, bool pack)
{
    const char *names[] = {s->pack};
    snprintf(s->pack, sizeof s->pack, "%.*s/pack.json", (int)(strrchr(s->path, '/') - s->path),
             s->path);
    FILE *out = fopen(s->pack, "w");
    ck_assert(out && fputs(pack_text, out) >= 0 && fclose(out) == 0);
    ptl_import_options o = {
        .size = sizeof o, .directories = names, .directory_count = pack, .builtin = true};
    ck_assert_msg(ptl_import(NULL, s->store, &o, &err) == PTL_OK, "%s", err.message);
    scene_world(s, false);
}

static int64_t ask(scene *s, const char *sql)
{
    stmt *q = NULL;
    bool row = false;
    ck_assert_msg(stmt_prepare(&q, s->store, sql, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(stmt_step(q, &row, &err), PTL_OK);
    int64_t value = row ? stmt_int(q, 0) : -1;
    stmt_free(q);
    return value;
}

static void check_whole(scene *s)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_seam_report seams = PTL_SEAM_REPORT_INIT;
    ck_assert_msg(ptl_verify(&counts, s->store, NULL, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_int_eq(ptl_seams_verify(&seams, s->world, NULL, &err), PTL_OK);
    ck_assert_uint_eq(seams.problems, 0);
}

static void regenerate(scene *s, const ptl_regenerate_options *o, ptl_regenerate_report *report)
{
    ptl_status status = ptl_regenerate(report, s->world, o, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

/* ---- the same content ---- */

static const char ids_sql[] = "SELECT total(id * 1000003 + (x * 31 + y) * id) FROM chunk";

START_TEST(same_content_gives_the_same)
{
    scene s;
    char before[65], after[65];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&s, (uint64_t)_i);
    world_file_digest(s.world, before);
    const int64_t ids = ask(&s, ids_sql), edges = ask(&s, "SELECT total(checksum) FROM edge");
    regenerate(&s, NULL, &report); /* nothing is stale */
    ck_assert_uint_eq(report.total, 0);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.stale = false;
    o.jobs = _i + 1;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, COUNT);
    ck_assert_uint_eq(report.changed, 0);
    ck_assert_uint_eq(report.kept, 0);
    ck_assert(!report.moved);
    world_file_digest(s.world, after);
    ck_assert_str_eq(after, before);
    ck_assert_int_eq(ask(&s, ids_sql), ids);
    ck_assert_int_eq(ask(&s, "SELECT total(checksum) FROM edge"), edges);
    ck_assert_int_eq(ask(&s, "SELECT count(*) FROM run WHERE command = 'regenerate'"), 2);
    check_whole(&s);
    scene_close(&s);
}
END_TEST

START_TEST(unfinished_chunks_become_whole)
{
    scene s;
    char before[65], after[65];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&s, 4);
    world_file_digest(s.world, before);
    /* As a shorter run leaves them: the rows go, and come again with two steps. */
    ck_assert_int_eq(ops(s.store)->transaction->begin(s.store, &err), PTL_OK);
    for (size_t i = 0; i < COUNT; i++) {
        bool found = false;
        ck_assert_int_eq(
            ops(s.store)->chunk->delete (&found, s.store, s.world->row.id, s.list[i], &err),
            PTL_OK);
        ck_assert(found);
    }
    ck_assert_int_eq(ops(s.store)->transaction->commit(s.store, &err), PTL_OK);
    ptl_generate_options few = PTL_GENERATE_OPTIONS_INIT;
    few.positions = s.list;
    few.position_count = COUNT;
    few.stop_after = ptl_step_name(1);
    ck_assert_int_eq(ptl_generate(NULL, s.world, &few, &err), PTL_OK);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.stale = false;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.changed, COUNT);
    world_file_digest(s.world, after);
    ck_assert_str_eq(after, before);
    scene_close(&s);
}
END_TEST

/* ---- other content ---- */

/* What the present content makes within the saved edges: all chunks are removed and generated
 * again, in the same file; the caller copied it before. */
static void digest_within_edges(scene *s, char hex[65])
{
    scene_world(s, true);
    ck_assert_int_eq(ops(s->store)->transaction->begin(s->store, &err), PTL_OK);
    for (size_t i = 0; i < COUNT; i++) {
        bool found = false;
        ck_assert_int_eq(
            ops(s->store)->chunk->delete (&found, s->store, s->world->row.id, s->list[i], &err),
            PTL_OK);
    }
    ck_assert_int_eq(ops(s->store)->transaction->commit(s->store, &err), PTL_OK);
    ck_assert_msg(generate(s, s->list, COUNT) == PTL_OK, "%s", err.message);
    world_file_digest(s->world, hex);
    scene_world(s, false);
}

static void check_moved(scene *s, const ptl_regenerate_report *report, uint64_t changed)
{
    const ptl_chunk_pos beside = {s->list[0].x, s->list[0].y - 1};
    ck_assert(report->moved);
    ck_assert_uint_eq(report->stale, 0);
    ck_assert_uint_ge(changed, 1);
    check_whole(s);
    scene_world(s, false);
    ck_assert_msg(generate(s, &beside, 1) == PTL_OK, "%s", err.message);
    check_whole(s);
}

START_TEST(other_content_within_the_edges)
{
    scene s, reference;
    char wanted[65], got[65];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&reference, (uint64_t)_i + 20);
    import(&reference, true);
    digest_within_edges(&reference, wanted);
    scene_open(&s, (uint64_t)_i + 20);
    import(&s, true);
    ck_assert_int_eq(generate(&s, s.list, COUNT), PTL_ERR_MISMATCH);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.jobs = _i % 2 + 1;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, COUNT);
    world_file_digest(s.world, got);
    ck_assert_str_eq(got, wanted);
    check_moved(&s, &report, report.changed);
    ck_assert_int_ge(ask(&s, "SELECT count(*) FROM v_special WHERE special = 'test_huts'"), 5);
    scene_close(&reference);
    scene_close(&s);
}
END_TEST

/* There and back: the first content makes what it made at first. */
START_TEST(the_old_content_brings_all_back)
{
    scene s;
    char before[65], after[65];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&s, 9);
    world_file_digest(s.world, before);
    import(&s, true);
    regenerate(&s, NULL, &report);
    world_file_digest(s.world, after);
    ck_assert_str_ne(after, before);
    import(&s, false);
    regenerate(&s, NULL, &report);
    ck_assert(report.moved);
    world_file_digest(s.world, after);
    ck_assert_str_eq(after, before);
    scene_close(&s);
}
END_TEST

static bool stop_at_once(void *payload, const ptl_progress *progress)
{
    *(uint64_t *)payload = progress->done;
    return false;
}

/* A chunk is looked into with the content that it was made with, older or newer than the
 * world's that is open. */
START_TEST(chunks_of_other_contents)
{
    scene s;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    scene_open(&s, 30);
    import(&s, true);
    o.positions = s.list;
    o.position_count = 2;
    regenerate(&s, &o, &report);
    ck_assert(!report.moved);
    for (int accept = 0; accept < 2; accept++) {
        scene_world(&s, accept);
        for (size_t i = 0; i < COUNT; i++) {
            const bool newer = i<2, open_newer = s.world->cat->content_id> 1;
            ck_assert_int_eq(world_prepare_again(s.world, &s.list[i], &err),
                             newer == open_newer ? PTL_OK : PTL_ERR_MISMATCH);
            memset(&err, 0, sizeof err);
        }
    }
    scene_close(&s);
}
END_TEST

/* A world of a generator to come is read, and goes on nowhere. */
START_TEST(a_world_of_the_next_generator)
{
    scene s;
    ptl_chunk *chunk;
    scene_open(&s, 31);
    s.world->row.generator_version = PTL_GENERATOR_VERSION + 1;
    ck_assert_int_eq(ptl_chunk_get(&chunk, s.world, s.list[0], &err), PTL_OK);
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ptl_chunk_get(&chunk, s.world, (ptl_chunk_pos){50, 50}, &err),
                     PTL_ERR_NEWER);
    scene_close(&s);
}
END_TEST

/* Nothing lasting is made from definitions that are damaged; what is saved is read. */
START_TEST(damaged_definitions)
{
    scene s;
    ptl_chunk *chunk;
    scene_open(&s, 32);
    ck_assert_int_eq(
        sqlite_exec(s.store, "UPDATE region_settings SET river_scale = river_scale / 2", &err),
        PTL_OK);
    scene_world(&s, false);
    ck_assert_int_eq(ptl_chunk_get(&chunk, s.world, s.list[0], &err), PTL_OK);
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ptl_chunk_get(&chunk, s.world, (ptl_chunk_pos){50, 50}, &err),
                     PTL_ERR_CORRUPT);
    scene_close(&s);
}
END_TEST

START_TEST(in_parts_and_stopped)
{
    scene s, whole;
    char wanted[65], got[65];
    uint64_t done = 0, changed;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&whole, 30);
    import(&whole, true);
    regenerate(&whole, NULL, &report);
    world_file_digest(whole.world, wanted);
    scene_close(&whole);
    scene_open(&s, 30);
    import(&s, true);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.positions = s.list;
    o.position_count = 2;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, 2);
    ck_assert_uint_eq(report.stale, COUNT - 2);
    ck_assert(!report.moved);
    changed = report.changed;
    check_whole(&s); /* old and new ones beside each other */
    ck_assert_int_eq(generate(&s, s.list, COUNT), PTL_ERR_MISMATCH);
    o.on_progress = stop_at_once;
    o.payload = &done;
    o.position_count = 4;
    ck_assert_int_eq(ptl_regenerate(&report, s.world, &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_eq(done, 2);
    ck_assert_uint_eq(report.skipped, 2);
    ck_assert_uint_eq(report.stale, COUNT - 4);
    scene_world(&s, false);
    regenerate(&s, NULL, &report);
    ck_assert_uint_eq(report.total, COUNT - 4);
    world_file_digest(s.world, got);
    ck_assert_str_eq(got, wanted);
    check_moved(&s, &report, changed);
    scene_close(&s);
}
END_TEST

/* ---- what is kept ---- */

typedef struct kept_chunks {
    size_t count;
    ptl_chunk_pos last;
    char reason[128];
    ptl_store *store; /* NULL, or where nothing may be under way when it is told */
} kept_chunks;

static void on_kept(void *payload, ptl_chunk_pos pos, const char *reason)
{
    kept_chunks *k = payload;
    k->count++;
    k->last = pos;
    snprintf(k->reason, sizeof k->reason, "%s", reason);
    if (!k->store)
        return;
    ck_assert_int_eq(ops(k->store)->transaction->begin(k->store, &err), PTL_OK);
    ck_assert_int_eq(ops(k->store)->transaction->commit(k->store, &err), PTL_OK);
}

/* Changes one column of a chunk's row, with a right checksum. */
static void change_chunk(scene *s, ptl_chunk_pos pos, int column, const char *sql,
                         int64_t number, const char *text)
{
    stmt *q = NULL;
    bool row = false;
    bytes b = {0};
    int64_t sum = 0;
    ck_assert_int_eq(
        stmt_prepare(&q, s->store,
                     "SELECT " CHUNK_COLUMNS " FROM chunk c WHERE c.x = ?1 AND c.y = ?2", &err),
        PTL_OK);
    stmt_bind_int(q, 1, pos.x);
    stmt_bind_int(q, 2, pos.y);
    ck_assert(stmt_step(q, &row, &err) == PTL_OK && row);
    rowsum_begin(&b, "chunk");
    rowsum_columns(&b, q, 0, column);
    if (text)
        rowsum_text(&b, text);
    else
        rowsum_int(&b, number);
    rowsum_columns(&b, q, column + 1, CHUNK_COLUMN_CHECKSUM - column - 1);
    ck_assert_int_eq(rowsum_end(&b, &sum, &err), PTL_OK);
    stmt_free(q);
    bytes_dispose(&b);
    ck_assert_int_eq(stmt_prepare(&q, s->store, sql, &err), PTL_OK);
    stmt_bind_int(q, 1, pos.x);
    stmt_bind_int(q, 2, pos.y);
    stmt_bind_int(q, 3, sum);
    if (text)
        stmt_bind_text(q, 4, text);
    else
        stmt_bind_int(q, 4, number);
    ck_assert_msg(stmt_run(q, &err) == PTL_OK, "%s", err.message);
    stmt_free(q);
}

static void set_generator(scene *s, ptl_chunk_pos pos, int64_t version)
{
    enum { COLUMN = 6 };
    change_chunk(s, pos, COLUMN,
                 "UPDATE chunk SET generator_version = ?4, checksum = ?3 "
                 "WHERE x = ?1 AND y = ?2",
                 version, NULL);
}

START_TEST(generators_make_chunks_stale)
{
    scene s;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    kept_chunks kept = {0};
    scene_open(&s, 40);
    set_generator(&s, s.list[1], PTL_GENERATOR_VERSION - 1);
    set_generator(&s, s.list[3], 1);
    set_generator(&s, s.list[4], PTL_GENERATOR_VERSION + 1);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.on_kept = on_kept;
    o.payload = &kept;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, 2);
    ck_assert_uint_eq(report.changed, 0);
    ck_assert_uint_eq(report.stale, 0);
    ck_assert_uint_eq(kept.count, 0);
    o.positions = s.list;
    o.position_count = COUNT;
    o.stale = false;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, COUNT - 1);
    ck_assert_uint_eq(kept.count, 1);
    ck_assert_int_eq(kept.last.x, s.list[4].x);
    ck_assert_ptr_nonnull(strstr(kept.reason, "newer"));
    check_whole(&s);
    scene_close(&s);
}
END_TEST

START_TEST(imported_and_missing_chunks_are_named)
{
    enum { COLUMN = CHUNK_COLUMN_ORIGIN };
    scene s;
    char before[65], after[65];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    kept_chunks kept = {0};
    scene_open(&s, 41);
    change_chunk(&s, s.list[4], COLUMN,
                 "UPDATE chunk SET origin = ?4, checksum = ?3 WHERE x = ?1 AND y = ?2", 0,
                 "imported");
    const char one[] = "SELECT total(checksum) FROM chunk WHERE origin = 'imported'";
    const int64_t row = ask(&s, one);
    import(&s, true);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.on_kept = on_kept;
    o.payload = &kept;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, COUNT - 1);
    ck_assert_uint_eq(report.skipped, 1);
    ck_assert_uint_eq(report.kept, 1);
    ck_assert_uint_eq(kept.count, 1);
    ck_assert(kept.last.x == s.list[4].x && kept.last.y == s.list[4].y);
    ck_assert_ptr_nonnull(strstr(kept.reason, "imported"));
    ck_assert_int_eq(ask(&s, one), row);
    ck_assert(report.moved);
    world_file_digest(s.world, before);
    const ptl_chunk_pos far = {500, -500};
    o.positions = &far;
    o.position_count = 1;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(kept.count, 2);
    ck_assert_ptr_nonnull(strstr(kept.reason, "not saved"));
    world_file_digest(s.world, after);
    ck_assert_str_eq(after, before);
    scene_close(&s);
}
END_TEST

/* Places are looked up some at a time: each is told all the same, in the order asked for. */
static void on_kept_in_order(void *payload, ptl_chunk_pos pos, const char *reason)
{
    kept_chunks *k = payload;
    ck_assert(k->count == 0 || pos.x > k->last.x);
    on_kept(payload, pos, reason);
}

START_TEST(many_places_are_told_in_order)
{
    enum { PLACES = 61 };
    scene s;
    ptl_chunk_pos list[PLACES];
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    scene_open(&s, 42);
    kept_chunks kept = {.store = s.store};
    for (int32_t i = 0; i < PLACES; i++)
        list[i] = (ptl_chunk_pos){500 + i, -500};
    list[17] = s.list[2];
    list[18] = s.list[0];
    list[40] = s.list[1];
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    o.positions = list;
    o.position_count = PLACES;
    o.stale = false;
    o.on_kept = on_kept_in_order;
    o.payload = &kept;
    regenerate(&s, &o, &report);
    ck_assert_uint_eq(report.done, 3);
    ck_assert_uint_eq(report.skipped, PLACES - 3);
    ck_assert_uint_eq(kept.count, PLACES - 3);
    ck_assert_int_eq(kept.last.x, 500 + PLACES - 1);
    check_whole(&s);
    scene_close(&s);
}
END_TEST

START_TEST(bad_requests)
{
    scene s;
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    scene_open(&s, 42);
    o.jobs = 65;
    ck_assert_int_eq(ptl_regenerate(NULL, s.world, &o, NULL), PTL_ERR_ARGUMENT);
    const ptl_chunk_pos far = {PTL_CHUNK_COORD_MAX + 1, 0};
    o.jobs = 0;
    o.positions = &far;
    o.position_count = 1;
    ck_assert_int_eq(ptl_regenerate(NULL, s.world, &o, &err), PTL_ERR_ARGUMENT);
    o.position_count = 0;
    ck_assert_int_eq(ptl_regenerate(NULL, s.world, &o, NULL), PTL_OK);
    /* a damaged row is no stale chunk: that is for repair to look at */
    ck_assert_msg(sqlite_exec(s.store,
                              "UPDATE chunk SET omt_digest = zeroblob(32) "
                              "WHERE x = 0 AND y = 0",
                              &err) == PTL_OK,
                  "%s", err.message);
    o.positions = NULL;
    o.stale = false;
    ck_assert_int_eq(ptl_regenerate(NULL, s.world, &o, &err), PTL_ERR_CORRUPT);
    scene_close(&s);
}
END_TEST

int main(void)
{
    const int seeds = test_seeds(2);
    Suite *suite = suite_create("regenerate");
    TCase *tcase = tcase_create("regenerate");
    TCase *threads = tcase_create("threads");
    tcase_set_tags(threads, "threads"); /* what the thread sanitizer's stage runs */
    tcase_set_timeout(threads, 240);
    tcase_add_loop_test(threads, same_content_gives_the_same, 0, 2);
    tcase_add_loop_test(threads, other_content_within_the_edges, 0, seeds);
    suite_add_tcase(suite, threads);
    tcase_set_timeout(tcase, 240);
    tcase_add_test(tcase, unfinished_chunks_become_whole);
    tcase_add_test(tcase, the_old_content_brings_all_back);
    tcase_add_test(tcase, in_parts_and_stopped);
    tcase_add_test(tcase, chunks_of_other_contents);
    tcase_add_test(tcase, a_world_of_the_next_generator);
    tcase_add_test(tcase, damaged_definitions);
    tcase_add_test(tcase, generators_make_chunks_stale);
    tcase_add_test(tcase, imported_and_missing_chunks_are_named);
    tcase_add_test(tcase, many_places_are_told_in_order);
    tcase_add_test(tcase, bad_requests);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
