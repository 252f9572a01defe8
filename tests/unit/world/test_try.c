/* Trying specials through the library: reports, stopping, what is refused. */
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;

static void setup(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 11);
}

static void teardown(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

START_TEST(mutable_special)
{
    ptl_trial_options options = PTL_TRIAL_OPTIONS_INIT;
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT, again = PTL_TRIAL_REPORT_INIT;
    ptl_error err;
    options.times = 150;
    ck_assert_msg(ptl_trial_run(&report, store, "anthill", &options, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert(report.is_mutable);
    ck_assert_uint_eq(report.tried, 150);
    ck_assert_uint_eq(report.placed, 150);
    ck_assert_uint_eq(report.growths, report.tried + report.undone);
    ck_assert_int_gt(report.pieces_min, 5);
    ck_assert_double_ge(report.pieces_mean, report.pieces_min);
    ck_assert_double_le(report.pieces_mean, report.pieces_max);
    /* The placements are those of the seeds: two halves are the whole. */
    options.times = 75;
    ck_assert_int_eq(ptl_trial_run(&again, store, "anthill", &options, &err), PTL_OK);
    double pieces = again.pieces_mean * 75;
    options.seed += 75;
    ck_assert_int_eq(ptl_trial_run(&again, store, "anthill", &options, &err), PTL_OK);
    pieces += again.pieces_mean * 75;
    ck_assert_double_eq_tol(pieces, report.pieces_mean * 150, 1e-6);
}
END_TEST

START_TEST(fixed_special)
{
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
    ptl_error err;
    ck_assert_msg(ptl_trial_run(&report, store, "dairy_farm", NULL, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert(!report.is_mutable);
    ck_assert_uint_ge(report.tried, 1);
    ck_assert_uint_eq(report.tried, report.placed);
    ck_assert(!report.has_conflict);
    ck_assert_int_eq(ptl_trial_run(&report, store, "no such", NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "no such"));
    const ptl_world_options nowhere = {.size = sizeof nowhere, .region = "nowhere"};
    ptl_trial_options options = PTL_TRIAL_OPTIONS_INIT;
    options.world = &nowhere;
    ck_assert_int_eq(ptl_trial_run(&report, store, "anthill", &options, &err),
                     PTL_ERR_NOT_FOUND);
}
END_TEST

static bool stop_at_once(void *payload, const ptl_progress *now)
{
    *(uint64_t *)payload = now->total;
    return false;
}

START_TEST(stopping)
{
    uint64_t total = 0;
    ptl_trial_options options = PTL_TRIAL_OPTIONS_INIT;
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
    ptl_error err;
    options.times = 12345;
    options.on_progress = stop_at_once;
    options.payload = &total;
    ck_assert_int_eq(ptl_trial_run(&report, store, "anthill", &options, &err),
                     PTL_ERR_CANCELLED);
    ck_assert_uint_eq(total, 12345);
    ck_assert_uint_lt(report.tried, 12345);
    ptl_world *world = world_file_world(store, "w");
    const ptl_chunk_pos there[2] = {{0, 0}, {1, 0}};
    ck_assert_int_eq(ptl_trial_world_run(&report, world, "anthill", there, 2, &options, &err),
                     PTL_ERR_CANCELLED);
    ptl_world_close(world);
}
END_TEST

/* What the world's chunks say of themselves is what is reported, and nothing is written. */
START_TEST(real_ground)
{
    enum { CHUNKS = 3 };
    static const ptl_chunk_pos there[CHUNKS] = {{0, 0}, {1, 0}, {-4, 2}};
    ptl_trial_report report = PTL_TRIAL_REPORT_INIT;
    ptl_error err;
    ptl_world *world = world_file_world(store, "w");
    ck_assert_msg(ptl_trial_world_run(&report, world, "anthill", there, CHUNKS, NULL, &err) ==
                      PTL_OK,
                  "%s", err.message);
    ptl_why sum = {.size = sizeof sum, .asked = 0};
    for (int i = 0; i < CHUNKS; i++) {
        ptl_why one = PTL_WHY_INIT;
        ck_assert_int_eq(ptl_why_get(&one, NULL, world, "anthill", there[i], &err), PTL_OK);
        sum.asked += one.asked;
        sum.placed += one.placed;
        sum.failed += one.failed;
    }
    ck_assert_uint_eq(report.chunks, CHUNKS);
    ck_assert_uint_eq(report.tried, (uint64_t)sum.asked);
    ck_assert_uint_eq(report.placed, (uint64_t)sum.placed);
    ck_assert_uint_eq(report.undone, (uint64_t)sum.failed);
    ck_assert_int_eq(ptl_trial_world_run(&report, world, "no such", there, 1, NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ptl_chunk *chunk;
    ck_assert_int_eq(ptl_chunk_load(&chunk, world, there[0], &err), PTL_ERR_NOT_FOUND);
    ptl_world_close(world);
}
END_TEST

/* ---- where it might have stood ---- */

typedef struct ids {
    char list[400][64];
    size_t count;
} ids;

static bool on_special(void *payload, const ptl_special_name *special)
{
    ids *all = payload;
    ck_assert_uint_lt(all->count, sizeof all->list / sizeof all->list[0]);
    ck_assert_uint_lt(strlen(special->id), sizeof all->list[0]);
    if (special->kind != PTL_SPECIAL_BUILDING)
        memcpy(all->list[all->count++], special->id, strlen(special->id) + 1);
    return true;
}

/* How many origins pass at least so many tests. */
static int32_t passing(const uint8_t *passed, int tests)
{
    int32_t count = 0;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        ck_assert_uint_le(passed[i], PTL_WHY_TESTS);
        count += passed[i] >= tests;
    }
    return count;
}

/* Those of the special that the chunk has and whose origin lies in it. */
static void check_placed(const ptl_features *f, const char *id, const ptl_why *why,
                         const uint8_t *passed)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ck_assert_int_eq(ptl_features_describe(&info, f), PTL_OK);
    for (size_t i = 0; i < info.specials; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        ck_assert_int_eq(ptl_features_special(&s, f, i), PTL_OK);
        if (strcmp(s.id, id) == 0 && why->asked == 1 && why->others == 0)
            ck_assert_msg(passed[s.y * PTL_CHUNK_SIZE + s.x] == PTL_WHY_TESTS,
                          "%s at %d,%d: %d", id, (int)s.x, (int)s.y,
                          (int)passed[s.y * PTL_CHUNK_SIZE + s.x]);
    }
}

/* By each rule: cells are as many as ptl_why_get counts, also where what was placed made
 * more origins fit (in this world rule quota looks again), and what stands alone stands where
 * all tests are passed. Each special by one of the rules, by turns: each asks its whole chunk
 * anew. */
START_TEST(origins_are_those_that_are_counted)
{
    static uint8_t passed[PTL_LEVEL_CELLS];
    static ids all;
    const bool sectors = _i == 1;
    const bool quick = getenv("PORTOLAN_QUICK");
    int asked = 0, shown = 0, looked_at = 0;
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world;
    ptl_features *f;
    ptl_error err = {0};
    options.seed = 81;
    options.placement = sectors ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    ck_assert_int_eq(ptl_world_create(store, "why", &options, &err), PTL_OK);
    world = world_file_world(store, "why");
    ptl_chunk *chunk;
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){1, -2}, &err), PTL_OK);
    ptl_chunk_free(chunk);
    ck_assert_int_eq(ptl_features_load(&f, world, (ptl_chunk_pos){1, -2}, &err), PTL_OK);
    ck_assert_int_eq(ptl_special_name_list(store, on_special, &all, &err), PTL_OK);
    for (size_t i = sectors; i < all.count; i += quick ? 6 : 2) {
        ptl_why why = PTL_WHY_INIT, plain = PTL_WHY_INIT;
        const ptl_chunk_pos pos = {1, -2};
        memset(passed, 9, sizeof passed);
        ck_assert_int_eq(ptl_why_get(&why, passed, world, all.list[i], pos, &err), PTL_OK);
        ck_assert_int_eq(passing(passed, 1), why.ground);
        ck_assert_int_eq(passing(passed, 2), why.linked);
        ck_assert_int_eq(passing(passed, 3), why.city);
        if (!sectors)
            ck_assert_int_eq(passing(passed, 4), why.room);
        asked += why.verdict == PTL_VERDICT_ASKED;
        shown += why.ground > 0;
        check_placed(f, all.list[i], &why, passed);
        if (looked_at++ % 8 != 0)
            continue;
        ck_assert_int_eq(ptl_why_get(&plain, NULL, world, all.list[i], pos, &err), PTL_OK);
        ck_assert_mem_eq(&plain, &why, sizeof why);
    }
    ck_assert_int_gt(asked, quick ? 0 : 5);
    ck_assert_int_gt(shown, quick ? 0 : 3);
    ptl_features_free(f);
    ptl_world_close(world);
}
END_TEST

/* Does the special, turned so, ask for one of its OMTs at this offset a ground that has the
 * first of the wanted terrains and not the terrain that lies there? */
static bool asks_there(const ptl_catalogue *cat, size_t number, const ptl_special *s,
                       const ptl_why_place *place)
{
    char first[PTL_WHY_NAME_SIZE];
    size_t wanted, ground;
    bool found = false;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(place->wants, ","), place->wants);
    ck_assert_int_eq(ptl_catalogue_find(&wanted, cat, PTL_CONTENT_TERRAIN, first), PTL_OK);
    const bool known =
        ptl_catalogue_find(&ground, cat, PTL_CONTENT_TERRAIN, place->ground) == PTL_OK;
    for (size_t i = 0; i < s->omt_count; i++) {
        ptl_special_omt o = PTL_SPECIAL_OMT_INIT;
        ck_assert_int_eq(ptl_catalogue_special_omt(&o, cat, number, i), PTL_OK);
        int32_t x = o.x, y = o.y;
        for (int turn = 0; turn < place->rotation; turn++) {
            const int32_t was = x;
            x = -y;
            y = was;
        }
        if (x == place->x && y == place->y && o.z == place->z)
            found = ptl_catalogue_set_has(cat, o.allows, wanted) &&
                    (place->taken || !known || !ptl_catalogue_set_has(cat, o.allows, ground));
    }
    return found;
}

/* What is told of a place agrees with the tests of all places, and names a cell that the
 * special can't use: of fixed specials alone, whose OMTs the catalogue has. */
START_TEST(a_place_is_told_as_it_was_tested)
{
    enum { PLACES = 3 };
    static uint8_t passed[PTL_LEVEL_CELLS];
    static const ptl_omt places[PLACES] = {
        {180 + 7, -360 + 11, 0}, {180 + 90, -360 + 60, -2}, {180 + 179, -360 + 100, 0}};
    static ids all;
    int told = 0, tested[PTL_WHY_TESTS + 1] = {0};
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    ptl_error err = {0};
    options.seed = 81;
    options.placement = _i == 1 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    ck_assert_int_eq(ptl_world_create(store, "place", &options, &err), PTL_OK);
    ptl_world *world = world_file_world(store, "place");
    const ptl_catalogue *cat = ptl_world_catalogue(world);
    all.count = 0;
    ck_assert_int_eq(ptl_special_name_list(store, on_special, &all, &err), PTL_OK);
    for (size_t i = 0; i < all.count * PLACES; i += getenv("PORTOLAN_QUICK") ? 11 : 4) {
        const ptl_omt at = places[i % PLACES];
        const char *id = all.list[i / PLACES];
        const int32_t x = (int32_t)at.x - 180, y = (int32_t)at.y + 360;
        ptl_why why = PTL_WHY_INIT, plain = PTL_WHY_INIT;
        ptl_why_place place = PTL_WHY_PLACE_INIT;
        ptl_special s = PTL_SPECIAL_INIT;
        size_t number;
        ck_assert_int_eq(ptl_why_place_get(&place, &why, passed, world, id, at, &err), PTL_OK);
        ck_assert_int_eq(ptl_why_get(&plain, NULL, world, id, (ptl_chunk_pos){1, -2}, &err),
                         PTL_OK);
        ck_assert_mem_eq(&plain, &why, sizeof why);
        ck_assert_int_eq(place.passed, passed[y * PTL_CHUNK_SIZE + x]);
        tested[place.passed] += why.verdict == PTL_VERDICT_ASKED;
        int32_t least = INT32_MAX;
        for (int32_t k = 0; k < PTL_LEVEL_CELLS; k++) {
            const int32_t dx = k % PTL_CHUNK_SIZE - x, dy = k / PTL_CHUNK_SIZE - y;
            if (passed[k] == PTL_WHY_TESTS && dx * dx + dy * dy < least)
                least = dx * dx + dy * dy;
        }
        ck_assert(place.has_nearest == (least < INT32_MAX));
        const int64_t dx = place.nearest_x - at.x, dy = place.nearest_y - at.y;
        ck_assert(!place.has_nearest || dx * dx + dy * dy == least);
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, PTL_CONTENT_SPECIAL, id), PTL_OK);
        ck_assert_int_eq(ptl_catalogue_special(&s, cat, number), PTL_OK);
        if (why.verdict != PTL_VERDICT_ASKED || place.passed > PTL_WHY_LINKED)
            continue;
        ck_assert_int_gt(place.wrong, 0);
        ck_assert_int_le(place.wrong, place.cells);
        if (place.passed == PTL_WHY_GROUND && s.kind == PTL_SPECIAL_FIXED &&
            s.nested_count == 0 && s.check_count == 0) {
            ck_assert_int_eq(place.cells, (int)s.omt_count);
            ck_assert_msg(asks_there(cat, number, &s, &place), "%s at %d,%d", id, (int)at.x,
                          (int)at.y);
            told++;
        }
    }
    ck_assert_int_gt(told, 3);
    ck_assert_int_gt(tested[PTL_WHY_GROUND], 3);
    ptl_world_close(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("try");
    TCase *tc = tcase_create("try");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, mutable_special);
    tcase_add_test(tc, fixed_special);
    tcase_add_test(tc, stopping);
    tcase_add_test(tc, real_ground);
    tcase_add_loop_test(tc, origins_are_those_that_are_counted, 0, 2);
    tcase_add_loop_test(tc, a_place_is_told_as_it_was_tested, 0, 2);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
