/* Worlds through the public header: creating, opening, getting and loading chunks. */
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

static void reopen(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    ck_assert_int_eq(ptl_store_open(&store, path, NULL, &err), PTL_OK);
    world = world_file_world(store, NULL);
}

static ptl_chunk *get(int32_t x, int32_t y)
{
    ptl_chunk *chunk = NULL;
    ck_assert_msg(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){x, y}, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(ptl_chunk_position(chunk).x, x);
    ck_assert_int_eq(ptl_chunk_position(chunk).y, y);
    return chunk;
}

static void assert_equal(const ptl_chunk *a, const ptl_chunk *b)
{
    static ptl_oter ca[PTL_LEVEL_CELLS], cb[PTL_LEVEL_CELLS];
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(ca, a, z);
        ptl_chunk_level(cb, b, z);
        ck_assert_mem_eq(ca, cb, sizeof ca);
    }
}

START_TEST(options_are_checked)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ck_assert_int_eq(ptl_world_create(store, "w", &o, &err), PTL_ERR_EXISTS);
    ck_assert_int_eq(ptl_world_create(store, "", &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_world_create(store, "a\nb", &o, &err), PTL_ERR_ARGUMENT);
    o.city_size = 17;
    ck_assert_int_eq(ptl_world_create(store, "x", &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "city-size"));
    o.city_size = 8;
    o.specials_density = 0.0;
    ck_assert_int_eq(ptl_world_create(store, "x", &o, &err), PTL_ERR_ARGUMENT);
    o.specials_density = 1.0;
    o.region = "nowhere";
    ck_assert_int_eq(ptl_world_create(store, "x", &o, &err), PTL_ERR_NOT_FOUND);
    o.region = NULL;
    ck_assert_int_eq(ptl_world_create(store, "x", &o, &err), PTL_OK);
    ptl_world *other = NULL;
    ck_assert_int_eq(ptl_world_open(&other, store, "y", NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_world_open(&other, store, NULL, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "x")); /* it lists what there is */
    ck_assert_ptr_null(other);
}
END_TEST

START_TEST(options_are_kept)
{
    ptl_world_options o = {sizeof o,
                           UINT64_C(0xfedcba9876543210),
                           "default",
                           3,
                           7,
                           0.25,
                           -1,
                           PTL_PLACEMENT_SECTORS,
                           false,
                           false,
                           true,
                           true,
                           7,
                           PTL_HIGHWAYS_OFF,
                           PTL_ROADS_EXACT,
                           true,
                           PTL_RIOT_DAMAGE_ON};
    ck_assert_int_eq(ptl_world_create(store, "all", &o, &err), PTL_OK);
    ptl_world *other = world_file_world(store, "all");
    ptl_world_options kept = PTL_WORLD_OPTIONS_INIT;
    ck_assert_int_eq(ptl_world_settings(&kept, other, &err), PTL_OK);
    ck_assert_str_eq(ptl_world_name(other), "all");
    ck_assert(kept.seed == o.seed);
    ck_assert_str_eq(kept.region, "default");
    ck_assert_int_eq(kept.roads, PTL_ROADS_EXACT);
    ck_assert(kept.derive);
    ck_assert_int_eq(kept.riot_damage, PTL_RIOT_DAMAGE_ON);
    ck_assert_int_eq(kept.city_size, 3);
    ck_assert_int_eq(kept.city_spacing, 7);
    ck_assert(kept.specials_density == 0.25);
    ck_assert_int_eq(kept.specials_spacing, -1);
    ck_assert_int_eq(kept.placement, PTL_PLACEMENT_SECTORS);
    ck_assert_int_eq(kept.unique_radius, 7);
    ck_assert_int_eq(kept.highways, PTL_HIGHWAYS_OF_REGION); /* it has none */
    ptl_world_close(other);
}
END_TEST

START_TEST(content_is_needed_first)
{
    char empty_path[WORLD_PATH_SIZE];
    world_file_path(empty_path);
    ptl_store *empty = NULL;
    ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    ck_assert_int_eq(ptl_store_open(&empty, empty_path, &create, &err), PTL_OK);
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ck_assert_int_eq(ptl_world_create(empty, "w", &o, &err), PTL_ERR_CONTENT);
    ptl_store_close(empty);
    world_file_remove(empty_path);
}
END_TEST

START_TEST(a_chunk_is_made_once)
{
    ptl_chunk *none = NULL;
    ck_assert_int_eq(ptl_chunk_load(&none, world, (ptl_chunk_pos){-3, 2}, &err),
                     PTL_ERR_NOT_FOUND);
    ptl_chunk *made = get(-3, 2), *again = get(-3, 2);
    assert_equal(made, again);
    ptl_chunk_free(again);
    reopen();
    ck_assert_int_eq(ptl_chunk_load(&again, world, (ptl_chunk_pos){-3, 2}, &err), PTL_OK);
    assert_equal(made, again);
    ptl_chunk_free(again);
    ptl_chunk_free(made);
}
END_TEST

typedef struct far_view {
    ptl_chunk_pos seen[8];
    size_t count, stop_after, lost;
    ptl_oter cells[8][PTL_OVERVIEW_CELLS];
} far_view;

static bool see(void *payload, ptl_chunk_pos pos, const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    far_view *v = payload;
    ck_assert_uint_lt(v->count, 8);
    v->lost += cells == NULL;
    if (cells)
        memcpy(v->cells[v->count], cells, sizeof v->cells[0]);
    v->seen[v->count++] = pos;
    return v->count != v->stop_after;
}

/* Does the cell have an oter of which no other one has more? */
static bool is_commonest(const ptl_oter *level, int cell, ptl_oter oter)
{
    static int counts[UINT16_MAX + 1];
    const int side = PTL_OVERVIEW_SIDE, cx = cell % side, cy = cell / side;
    int most = 0;
    memset(counts, 0, sizeof counts);
    for (int y = cy * PTL_CHUNK_SIZE / side; y < (cy + 1) * PTL_CHUNK_SIZE / side; y++)
        for (int x = cx * PTL_CHUNK_SIZE / side; x < (cx + 1) * PTL_CHUNK_SIZE / side; x++) {
            const int now = ++counts[level[y * PTL_CHUNK_SIZE + x]];
            most = now > most ? now : most;
        }
    return counts[oter] == most;
}

START_TEST(chunks_are_seen_from_far_away)
{
    static ptl_oter level[PTL_LEVEL_CELLS];
    static far_view all, again, one = {.stop_after = 1};
    const ptl_chunk_pos places[3] = {{-3, 2}, {1, -1}, {1, 0}};
    size_t off = 0;
    ck_assert_int_eq(ptl_overview_list(world, see, &all, &err), PTL_OK);
    ck_assert_uint_eq(all.count, 0);
    for (int i = 2; i >= 0; i--)
        ptl_chunk_free(get(places[i].x, places[i].y));
    ck_assert_int_eq(ptl_overview_list(world, see, &all, &err), PTL_OK);
    ck_assert_uint_eq(all.count, 3);
    ck_assert_uint_eq(all.lost, 0);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(all.seen[i].x, places[i].x);
        ck_assert_int_eq(all.seen[i].y, places[i].y);
        ck_assert_int_eq(ptl_level_load(level, world, places[i], 0, &err), PTL_OK);
        for (int cell = 0; cell < PTL_OVERVIEW_CELLS; cell++)
            off += !is_commonest(level, cell, all.cells[i][cell]);
    }
    ck_assert_uint_lt(off, 20); /* of 192: cells of the rarest kinds */
    ck_assert_int_eq(ptl_overview_list(world, see, &one, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_eq(one.count, 1);
    reopen();
    ck_assert_int_eq(ptl_overview_list(world, see, &again, &err), PTL_OK);
    ck_assert_mem_eq(&again, &all, sizeof all);
}
END_TEST

START_TEST(levels_can_be_read_singly)
{
    static ptl_oter one[PTL_LEVEL_CELLS], all[PTL_LEVEL_CELLS];
    ptl_chunk *chunk = get(1, 0);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ck_assert_int_eq(ptl_level_load(one, world, (ptl_chunk_pos){1, 0}, z, &err), PTL_OK);
        ptl_chunk_level(all, chunk, z);
        ck_assert_mem_eq(one, all, sizeof one);
        ck_assert_int_eq(ptl_chunk_oter(chunk, 179, 1, z), all[PTL_CHUNK_SIZE + 179]);
    }
    ck_assert_int_eq(ptl_level_load(one, world, (ptl_chunk_pos){1, 0}, 11, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_level_load(one, world, (ptl_chunk_pos){9, 9}, 0, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_chunk_oter(chunk, 180, 0, 0), 0xffff);
    ck_assert_int_eq(ptl_chunk_oter(chunk, 0, -1, 0), 0xffff);
    ptl_chunk_free(chunk);
}
END_TEST

START_TEST(the_ends_of_the_world)
{
    const int32_t most = PTL_CHUNK_COORD_MAX;
    ptl_chunk *none = NULL;
    ptl_chunk_free(get(most, -most));
    ptl_chunk_free(get(-most, most));
    ck_assert_int_eq(ptl_chunk_get(&none, world, (ptl_chunk_pos){most + 1, 0}, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_chunk_get(&none, world, (ptl_chunk_pos){0, INT32_MIN}, &err),
                     PTL_ERR_ARGUMENT);
}
END_TEST

START_TEST(oters_have_names)
{
    const ptl_catalogue *cat = ptl_world_catalogue(world);
    size_t oter;
    ck_assert_int_eq(ptl_catalogue_find(&oter, cat, PTL_CONTENT_OTER, "forest_thick"), PTL_OK);
    ck_assert_str_eq(ptl_world_oter_name(world, (ptl_oter)oter), "forest_thick");
    ck_assert_str_eq(ptl_world_oter_name(world, 0xffff), "");
}
END_TEST

/* Two connections, as two processes would: the second finds what the first made. */
START_TEST(two_connections)
{
    ptl_store *second_store = NULL;
    const ptl_open_options shared = {
        .size = sizeof shared, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    ck_assert_int_eq(ptl_store_open(&second_store, path, &shared, &err), PTL_OK);
    ptl_world *second = world_file_world(second_store, "w");
    for (int32_t n = 0; n < 6; n++) {
        ptl_chunk *a = NULL, *b = NULL;
        ptl_chunk_pos pos = {n % 3, n / 3};
        ck_assert_int_eq(ptl_chunk_get(&a, n % 2 ? world : second, pos, &err), PTL_OK);
        ck_assert_int_eq(ptl_chunk_get(&b, n % 2 ? second : world, pos, &err), PTL_OK);
        assert_equal(a, b);
        ptl_chunk_free(a);
        ptl_chunk_free(b);
    }
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_verify(&counts, second_store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_uint_eq(counts.chunks, 6);
    ptl_world_close(second);
    ptl_store_close(second_store);
}
END_TEST

START_TEST(absolute_positions)
{
    const struct {
        int64_t omt;
        int32_t chunk;
    } cases[] = {{0, 0}, {179, 0}, {180, 1}, {-1, -1}, {-180, -1}, {-181, -2}, {359, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ptl_chunk_pos pos = ptl_omt_chunk((ptl_omt){cases[i].omt, -cases[i].omt, 0});
        ck_assert_int_eq(pos.x, cases[i].chunk);
        ck_assert_int_eq(ptl_omt_chunk((ptl_omt){0, cases[i].omt, 0}).y, cases[i].chunk);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("world");
    TCase *tcase = tcase_create("world");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, options_are_checked);
    tcase_add_test(tcase, options_are_kept);
    tcase_add_test(tcase, content_is_needed_first);
    tcase_add_test(tcase, a_chunk_is_made_once);
    tcase_add_test(tcase, levels_can_be_read_singly);
    tcase_add_test(tcase, chunks_are_seen_from_far_away);
    tcase_add_test(tcase, the_ends_of_the_world);
    tcase_add_test(tcase, oters_have_names);
    tcase_add_test(tcase, two_connections);
    tcase_add_test(tcase, absolute_positions);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
