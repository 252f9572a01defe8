/*
 * Worlds that derive their local maps, of any backend: the maps of a world that stores them,
 * and nothing stored of one that nobody has edited; what would make other maps is refused until
 * they are kept.
 */
#include "store/store.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/world.h"

#include <string.h>

static const char CONTENT[] =
    "[{\"type\": \"mapgen\", \"om_terrain\": [\"field\", \"forest\"], \"object\": "
    "{\"fill_ter\": "
    "\"t_grass\", \"place_items\": [{\"item\": \"stash\", \"x\": [0, 23], \"y\": [0, 23], "
    "\"chance\": 100, \"repeat\": [3, 9]}], \"place_signs\": [{\"x\": 1, \"y\": 1, "
    "\"signage\": \"Beware\"}], \"place_monsters\": [{\"monster\": \"GROUP_FOX\", \"x\": [3, "
    "9], \"y\": 4}], \"set\": [{\"point\": \"radiation\", \"amount\": 7, \"x\": 5, \"y\": "
    "5}]}},"
    "{\"type\": \"mapgen\", \"update_mapgen_id\": \"dig\", \"object\": {\"place_furniture\": "
    "[{\"furn\": \"f_heap\", \"x\": [0, 23], \"y\": [0, 23], \"repeat\": 3}]}}]";

static const char OTHER[] = "[{\"type\": \"mapgen\", \"om_terrain\": [\"field\", \"forest\"], "
                            "\"object\": {\"fill_ter\": "
                            "\"t_lava\"}}]";

static const ptl_local_area AREA = {86, 86, 91, 91, 0, 0};
enum { SIDE = 6, MAPS = SIDE * SIDE };

static place p;
static ptl_world *stores, *derives;

static ptl_world *open_world(const char *name)
{
    ptl_world *world = NULL;
    OK(ptl_world_open(&world, p.store, name, NULL, &err));
    return world;
}

static void begin(int backend)
{
    open_place(&p, backend);
    import_text(p.store, CONTENT, false);
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = 31;
    OK(ptl_world_create(p.store, "stores", &o, &err));
    o.derive = true;
    OK(ptl_world_create(p.store, "derives", &o, &err));
    stores = open_world("stores");
    derives = open_world("derives");
}

static void end(void)
{
    ptl_world_close(stores);
    ptl_world_close(derives);
    close_place(&p);
}

static ptl_local_map *get(ptl_world *world, ptl_omt at)
{
    static const ptl_local_options later = {.size = sizeof later, .turn = 700};
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, world == derives ? &later : NULL, &err));
    return map;
}

static void same(const ptl_local_map *a, const ptl_local_map *b)
{
    const size_t count = ptl_local_entity_count(a);
    ck_assert_str_eq(ptl_local_oter(a), ptl_local_oter(b));
    ck_assert_int_eq(ptl_local_is_fallback(a), ptl_local_is_fallback(b));
    ck_assert_int_eq(ptl_local_revision(a), ptl_local_revision(b));
    ck_assert_int_eq(ptl_local_is_edited(a), ptl_local_is_edited(b));
    ck_assert_int_eq(ptl_local_turn(a), ptl_local_turn(b));
    ck_assert_uint_eq(ptl_local_entity_count(b), count);
    for (int32_t i = 0; i < PTL_LOCAL_SIDE * PTL_LOCAL_SIDE; i++) {
        const int32_t x = i % PTL_LOCAL_SIDE, y = i / PTL_LOCAL_SIDE;
        ck_assert_str_eq(ptl_local_terrain(a, x, y), ptl_local_terrain(b, x, y));
        ck_assert_str_eq(ptl_local_furniture(a, x, y), ptl_local_furniture(b, x, y));
        ck_assert_str_eq(ptl_local_trap(a, x, y), ptl_local_trap(b, x, y));
        ck_assert_int_eq(ptl_local_radiation(a, x, y), ptl_local_radiation(b, x, y));
    }
    for (size_t i = 0; i < count; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT, f = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, a, i));
        OK(ptl_local_entity_at(&f, b, i));
        ck_assert(strcmp(e.kind, f.kind) == 0 && strcmp(e.id, f.id) == 0 &&
                  strcmp(e.with, f.with) == 0 && strcmp(e.text, f.text) == 0 &&
                  strcmp(e.own, f.own) == 0 && e.x == f.x && e.y == f.y && e.x2 == f.x2 &&
                  e.y2 == f.y2 && e.count == f.count && e.charges == f.charges &&
                  e.status == f.status);
    }
}

static ptl_local_digest_result digest_of(ptl_world *world, const ptl_local_area *area)
{
    ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
    OK(ptl_local_digest_get(&d, world, area, &err));
    return d;
}

START_TEST(the_maps_of_a_world_that_stores)
{
    begin(_i);
    size_t things = 0;
    for (int n = 0; n < MAPS; n++) {
        const ptl_omt at = {AREA.x0 + n % SIDE, AREA.y0 + n / SIDE, n % 3 ? 0 : 1 - n % 2 * 2};
        ptl_local_map *a = get(stores, at), *b = get(derives, at), *none = NULL;
        same(a, b);
        things += ptl_local_entity_count(a);
        ck_assert_int_eq(ptl_local_load(&none, derives, at, &err), PTL_ERR_NOT_FOUND);
        ptl_local_free(a);
        ptl_local_free(b);
    }
    ck_assert_uint_gt(things, 0);
    ck_assert_uint_eq(digest_of(derives, NULL).maps, 0);
    ck_assert_uint_eq(digest_of(stores, NULL).maps, MAPS);
    ck_assert_str_eq(digest_of(derives, &AREA).hex, digest_of(stores, &AREA).hex);
    end();
}
END_TEST

/* Revisions are those of a world that stores; what an update draws depends on them. */
START_TEST(edits_are_stored_as_anywhere)
{
    static const ptl_omt places[] = {{88, 88, 0}, {89, 88, 0}};
    begin(_i);
    ptl_local_map *maps[2][2];
    for (int w = 0; w < 2; w++) {
        ptl_world *world = w ? derives : stores;
        for (int i = 0; i < 2; i++)
            maps[w][i] = get(world, places[i]);
        OK(ptl_local_terrain_set(maps[w][0], 1, 1, "t_mine"));
        OK(ptl_local_update_run(world, maps[w][1], "dig", &err));
        OK(ptl_local_put(world, maps[w], 2, &err));
        OK(ptl_local_update_run(world, maps[w][0], "dig", &err));
        ck_assert_int_eq(ptl_local_revision(maps[w][0]), 3);
        ck_assert_int_eq(ptl_local_revision(maps[w][1]), 3);
    }
    for (int i = 0; i < 2; i++) {
        ptl_local_map *again = get(derives, places[i]);
        same(maps[0][i], maps[1][i]);
        same(maps[1][i], again);
        ptl_local_free(again);
        ptl_local_free(maps[0][i]);
        ptl_local_free(maps[1][i]);
    }
    ck_assert_uint_eq(digest_of(derives, NULL).maps, 2);
    ck_assert_str_eq(digest_of(derives, NULL).hex, digest_of(stores, NULL).hex);
    end();
}
END_TEST

static void has_palette(ptl_world *world, ptl_omt at, const char *text)
{
    ptl_local_map *map = get(world, at);
    ck_assert_str_eq(id_pool_text(map->stored.pool, map->stored.map.palette), text);
    ptl_local_free(map);
}

/* A map by a palette keeps it, whoever reads, updates and writes it, and is what it was. */
START_TEST(a_palette_stays_with_its_map)
{
    static const char text[] = "900 t_grass\n5 t_mine\n\n20 f_heap\n\n";
    const ptl_omt at = {88, 88, 0};
    begin(_i);
    for (int w = 0; w < 2; w++) {
        ptl_world *world = w ? derives : stores;
        ptl_local_map *map = get(world, at);
        map->stored.map.palette = id_pool_put(map->stored.pool, text, strlen(text));
        OK(ptl_local_terrain_set(map, 1, 1, "t_mine"));
        OK(ptl_local_put(world, &map, 1, &err));
        ptl_local_free(map);
        has_palette(world, at, text);
        map = get(world, at);
        ck_assert_str_eq(ptl_local_terrain(map, 1, 1), "t_mine");
        OK(ptl_local_update_run(world, map, "dig", &err));
        ptl_local_free(map);
        has_palette(world, at, text);
    }
    ck_assert_str_eq(digest_of(derives, NULL).hex, digest_of(stores, NULL).hex);
    end();
}
END_TEST

START_TEST(a_conflict_writes_nothing)
{
    const ptl_omt at = {88, 88, 0}, beside = {89, 88, 0};
    begin(_i);
    ptl_local_map *mine = get(derives, at), *theirs = get(derives, at),
                  *other = get(derives, beside), *now = NULL;
    OK(ptl_local_terrain_set(theirs, 1, 1, "t_theirs"));
    OK(ptl_local_put(derives, &theirs, 1, &err));
    OK(ptl_local_terrain_set(mine, 1, 1, "t_mine"));
    ptl_local_map *const both[] = {other, mine};
    ck_assert_int_eq(ptl_local_put(derives, both, 2, &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "88,88,0 has revision 2") != NULL &&
                      strstr(err.message, "revision 1 was changed") != NULL,
                  "%s", err.message);
    ck_assert_int_eq(ptl_local_load(&now, derives, beside, &err), PTL_ERR_NOT_FOUND);
    ptl_local_map *const twice[] = {other, other};
    ck_assert_int_eq(ptl_local_put(derives, twice, 2, &err), PTL_ERR_EXISTS);
    ck_assert_int_eq(ptl_local_load(&now, derives, beside, &err), PTL_ERR_NOT_FOUND);
    OK(ptl_local_put(derives, &other, 1, &err));
    OK(ptl_local_put(derives, &other, 1, &err));
    ck_assert_int_eq(ptl_local_revision(other), 3);
    OK(ptl_local_load(&now, derives, at, &err));
    ck_assert_str_eq(ptl_local_terrain(now, 1, 1), "t_theirs");
    ptl_local_free(now);
    ptl_local_free(mine);
    ptl_local_free(theirs);
    ptl_local_free(other);
    end();
}
END_TEST

static void refused(ptl_status is, ptl_status wanted, const char *text)
{
    ck_assert_int_eq(is, wanted);
    ck_assert_msg(strstr(err.message, text) != NULL, "%s", err.message);
}

static bool derives_now(ptl_world *world)
{
    ptl_world_options a = PTL_WORLD_OPTIONS_INIT, b = PTL_WORLD_OPTIONS_INIT;
    OK(ptl_world_settings(&a, world, &err));
    OK(ptl_world_settings(&b, stores, &err));
    ck_assert_str_eq(a.region, b.region);
    return a.derive;
}

/* What would make other maps, until these are kept; then they stay. */
START_TEST(other_maps_are_refused_until_they_are_kept)
{
    const ptl_omt at = {88, 88, 0};
    ptl_local_generate_options o = {.size = sizeof o, .areas = &AREA, .area_count = 1};
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    begin(_i);
    ptl_local_map *map = get(derives, at);
    OK(ptl_local_terrain_set(map, 1, 1, "t_mine"));
    OK(ptl_local_put(derives, &map, 1, &err));
    const ptl_local_digest_result before = digest_of(derives, &AREA);
    refused(try_import(p.store, OTHER, false), PTL_ERR_EXISTS, "world 'derives' derives");
    import_text(p.store, CONTENT, false); /* it is the present one */
    refused(ptl_regenerate(NULL, derives, NULL, &err), PTL_ERR_EXISTS, "--keep");
    refused(ptl_local_generate(&report, derives, &o, &err), PTL_ERR_ARGUMENT, "--keep");
    ck_assert_uint_eq(digest_of(derives, NULL).maps, 1);
    ck_assert(derives_now(derives));
    o.keep = true;
    o.turn = 90;
    OK(ptl_local_generate(&report, derives, &o, &err));
    ck_assert_uint_eq(report.done, MAPS - 1);
    ck_assert_uint_eq(report.skipped, 1);
    ck_assert(!derives_now(derives));
    ptl_world_close(derives);
    derives = open_world("derives");
    ck_assert(!derives_now(derives));
    ck_assert_uint_eq(digest_of(derives, NULL).maps, MAPS);
    ck_assert_str_eq(digest_of(derives, NULL).hex, before.hex);
    OK(try_import(p.store, OTHER, false));
    ck_assert_str_eq(digest_of(derives, NULL).hex, before.hex);
    ptl_local_free(map);
    end();
}
END_TEST

/* Nor are maps made by another generator. */
START_TEST(another_generator_makes_none)
{
    ptl_local_map *map = NULL;
    begin(_i);
    const world_row old = {.id = derives->row.id,
                           .derive = true,
                           .generator_version = PTL_GENERATOR_VERSION - 1,
                           .content_id = derives->row.content_id};
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->world->renew(p.store, &old, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    ptl_world_close(derives);
    derives = open_world("derives");
    ck_assert(derives_now(derives));
    refused(ptl_local_get(&map, derives, (ptl_omt){88, 88, 0}, NULL, &err), PTL_ERR_MISMATCH,
            "generator version");
    ck_assert_ptr_null(map);
    end();
}
END_TEST

/* Opens the file again, for reading only. */
static void only_read(void)
{
    const ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_READ};
    ptl_world_close(stores);
    ptl_world_close(derives);
    ptl_store_close(p.store);
    OK(ptl_store_open(&p.store, p.path, &o, &err));
    stores = open_world("stores");
    derives = open_world("derives");
}

static bool listed(void *payload, const ptl_omt *at)
{
    (void)at;
    ++*(int *)payload;
    return true;
}

START_TEST(a_file_that_is_only_read_makes_and_does_not_store)
{
    enum { AT = 88, TURN = 700 };
    begin(FILE_BACKEND);
    const ptl_omt kept = {AT, AT, 0}, at = {AT + 2, AT, 0}, high = {AT + 2, AT, 1};
    const ptl_omt far = {AT + 10 * PTL_CHUNK_SIZE, AT, 0}, border = {0, 0, 0};
    int count = 0;
    ptl_local_map *stored = get(stores, kept), *made = NULL, *again = NULL;
    ck_assert(ptl_local_is_stored(stored));
    ptl_local_free(get(derives, kept)); /* generates the chunk, too */
    only_read();
    again = get(stores, kept);
    ck_assert(ptl_local_is_stored(again));
    same(stored, again);
    ptl_local_free(again);

    made = get(stores, at);
    ck_assert(!ptl_local_is_stored(made));
    ck_assert_int_eq(ptl_local_load(&again, stores, at, &err), PTL_ERR_NOT_FOUND);
    again = get(derives, at);
    same(made, again);
    ck_assert_int_eq(ptl_local_put(stores, &made, 1, &err), PTL_ERR_READONLY);
    ptl_local_free(again);
    const ptl_local_options later = {.size = sizeof later, .turn = TURN};
    OK(ptl_local_get(&again, stores, high, &later, &err));
    ck_assert_int_eq(ptl_local_turn(again), TURN);
    ptl_local_free(again);
    /* The chunk of `far`, and the one beside `border`, is not generated. */
    ck_assert_int_eq(ptl_local_get(&again, stores, far, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(again);
    ck_assert_int_eq(ptl_local_get(&again, stores, border, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "an overmap beside it that is not generated"));
    OK(ptl_local_list(stores, NULL, listed, &count, &err));
    ck_assert_int_eq(count, 1);

    /* A program that may write stores the same map. */
    ptl_world_close(stores);
    ptl_world_close(derives);
    ptl_store_close(p.store);
    const ptl_open_options write = {.size = sizeof write, .mode = PTL_OPEN_WRITE};
    OK(ptl_store_open(&p.store, p.path, &write, &err));
    stores = open_world("stores");
    derives = open_world("derives");
    again = get(stores, at);
    ck_assert(ptl_local_is_stored(again));
    same(made, again);
    ptl_local_free(again);
    ptl_local_free(made);
    ptl_local_free(stored);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_derive");
    TCase *tc = tcase_create("local_derive");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, the_maps_of_a_world_that_stores, 0, BACKENDS);
    tcase_add_loop_test(tc, edits_are_stored_as_anywhere, 0, BACKENDS);
    tcase_add_loop_test(tc, a_palette_stays_with_its_map, 0, BACKENDS);
    tcase_add_loop_test(tc, a_conflict_writes_nothing, 0, BACKENDS);
    tcase_add_loop_test(tc, other_maps_are_refused_until_they_are_kept, 0, BACKENDS);
    tcase_add_loop_test(tc, another_generator_makes_none, 0, BACKENDS);
    tcase_add_test(tc, a_file_that_is_only_read_makes_and_does_not_store);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
