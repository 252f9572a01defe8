/* Local maps of any backend: made once and stored, changed and put back, conflicts, what is
 * refused. */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static place p;
static ptl_world *world;

/* What stands on fields. */
static const char FIELD[] =
    "[{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"object\": {\"fill_ter\": "
    "\"t_grass\", "
    "\"place_items\": [{\"item\": \"stash\", \"x\": [0, 23], \"y\": [0, 23], \"chance\": 100, "
    "\"repeat\": [3, 9]}], \"place_signs\": [{\"x\": 1, \"y\": 1, \"signage\": \"Beware\"}], "
    "\"place_monsters\": [{\"monster\": \"GROUP_FOX\", \"x\": [3, 9], \"y\": 4}], "
    "\"set\": [{\"point\": \"radiation\", \"amount\": 7, \"x\": 5, \"y\": 5}]}},"
    "{\"type\": \"mapgen\", \"update_mapgen_id\": \"dig\", \"object\": {\"set\": [{\"line\": "
    "\"terrain\", \"id\": \"t_pit\", \"x\": 2, \"y\": 3, \"x2\": 9, \"y2\": 3}], "
    "\"place_furniture\": [{\"furn\": \"f_heap\", \"x\": [0, 23], \"y\": [5, 23]}], "
    "\"place_signs\": [{\"x\": 3, \"y\": 4, \"signage\": \"Digging\"}]}},"
    "{\"type\": \"mapgen\", \"update_mapgen_id\": \"raise\", \"object\": {\"set\": "
    "[{\"point\": "
    "\"terrain\", \"id\": \"t_pit\", \"x\": 2, \"y\": 3}], \"place_furniture\": ["
    "{\"furn\": \"f_beam\", \"x\": 4, \"y\": 5, \"z\": 1}, "
    "{\"furn\": \"f_root\", \"x\": 6, \"y\": 7, \"z\": -1}], "
    "\"place_nested\": [{\"chunks\": [\"mast\"], \"x\": 8, \"y\": 8, \"z\": 1}]}},"
    "{\"type\": \"mapgen\", \"nested_mapgen_id\": \"mast\", \"object\": {\"mapgensize\": [1, "
    "1], "
    "\"place_signs\": [{\"x\": 0, \"y\": 0, \"z\": 1, \"signage\": \"High\"}]}},"
    "{\"type\": \"mapgen\", \"update_mapgen_id\": \"flood\", \"object\": {\"place_items\": "
    "[{\"item\": \"mud\", \"x\": [0, 23], \"y\": [0, 23], \"chance\": 100, \"repeat\": "
    "2000000}]}}]";

static void begin(int backend)
{
    open_place(&p, backend);
    import_text(p.store, FIELD, false);
    world = create(p.store, "w", 12);
}

static void end(void)
{
    ptl_world_close(world);
    close_place(&p);
}

static ptl_local_map *get(ptl_omt at)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    return map;
}

/* All that is told of a map, but for its revision and whether it was edited; the caller frees.
 */
static char *told(const ptl_local_map *map)
{
    enum { ROOM = 1 << 20 };
    char *text = malloc(ROOM);
    size_t n = 0;
    ck_assert_ptr_nonnull(text);
    const ptl_omt at = ptl_local_place(map);
    n += (size_t)snprintf(text, ROOM, "%s %d %lld,%lld,%d", ptl_local_oter(map),
                          ptl_local_is_fallback(map), (long long)at.x, (long long)at.y, at.z);
    for (int32_t y = 0; y < PTL_LOCAL_SIDE; y++)
        for (int32_t x = 0; x < PTL_LOCAL_SIDE; x++)
            n += (size_t)snprintf(text + n, ROOM - n, "|%s,%s,%s,%d",
                                  ptl_local_terrain(map, x, y), ptl_local_furniture(map, x, y),
                                  ptl_local_trap(map, x, y), ptl_local_radiation(map, x, y));
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        ck_assert_int_eq(ptl_local_entity_at(&e, map, i), PTL_OK);
        n += (size_t)snprintf(text + n, ROOM - n, "\n%s %s %s %s %s %d %d %d %d %d %d %d",
                              e.kind, e.id, e.with, e.text, e.own, e.x, e.y, e.x2, e.y2,
                              e.count, e.charges, e.status);
        ck_assert_uint_lt(n, ROOM);
    }
    return text;
}

static void same(const ptl_local_map *a, const ptl_local_map *b)
{
    char *of_a = told(a), *of_b = told(b);
    ck_assert_str_eq(of_a, of_b);
    free(of_a);
    free(of_b);
}

/* A field, whose map has something on it. */
static ptl_omt busy_place(void)
{
    enum { SIDE = 180 };
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {0, 0, 0, SIDE, SIDE};
    ptl_oter *cells = malloc((size_t)SIDE * SIDE * sizeof *cells);
    ck_assert_ptr_nonnull(cells);
    OK(ptl_area_get(cells, NULL, world, &area, &o, &err));
    for (int i = 0; i < SIDE * SIDE; i++) {
        const ptl_omt at = {area.x + i % SIDE, area.y + i / SIDE, 0};
        if (!strstr(ptl_world_oter_name(world, cells[i]), "field"))
            continue;
        ptl_local_map *map = get(at);
        const bool busy = ptl_local_entity_count(map) > 3 && !ptl_local_is_fallback(map);
        ptl_local_free(map);
        if (!busy)
            continue;
        free(cells);
        return at;
    }
    ck_abort_msg("all maps are empty");
}

START_TEST(a_map_is_made_once)
{
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *first = get(at), *second = NULL, *third = NULL;
    ck_assert_int_eq(ptl_local_revision(first), 1);
    ck_assert_int_eq(ptl_local_turn(first), 0);
    ck_assert(!ptl_local_is_edited(first));
    ptl_world_close(world);
    OK(ptl_world_open(&world, p.store, "w", NULL, &err));
    OK(ptl_local_load(&second, world, at, &err));
    same(first, second);
    ptl_local_free(second);
    const ptl_local_options later = {.size = sizeof later, .turn = 700};
    OK(ptl_local_get(&second, world, at, &later, &err));
    same(first, second);
    ck_assert_int_eq(ptl_local_turn(second), 0);
    OK(ptl_local_get(&third, world, (ptl_omt){at.x, at.y, 3}, &later, &err));
    ck_assert_int_eq(ptl_local_turn(third), 700);
    ptl_local_free(first);
    ptl_local_free(second);
    ptl_local_free(third);
    end();
}
END_TEST

static void change(ptl_local_map *map)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = "item";
    e.id = "rock";
    e.own = "{\"damage\": 3, \"who\": \"J\xc3\xb6rg\"}";
    e.x = e.x2 = 3;
    e.y = e.y2 = 4;
    e.count = 2;
    ck_assert_int_eq(ptl_local_terrain_set(map, 0, 0, "t_mine"), PTL_OK);
    ck_assert_int_eq(ptl_local_furniture_set(map, 23, 0, "f_chair"), PTL_OK);
    ck_assert_int_eq(ptl_local_furniture_set(map, 22, 0, ""), PTL_OK);
    ck_assert_int_eq(ptl_local_trap_set(map, 0, 23, "tr_beartrap"), PTL_OK);
    ck_assert_int_eq(ptl_local_radiation_set(map, 23, 23, 255), PTL_OK);
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_OK);
    ck_assert_int_eq(ptl_local_entity_remove(map, 0), PTL_OK);
    e.kind = "sign";
    e.id = NULL;
    e.text = "Keep out";
    e.charges = -1;
    ck_assert_int_eq(ptl_local_entity_replace(map, 0, &e), PTL_OK);
}

START_TEST(what_is_put_stays)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *map = get(at), *again = NULL;
    const size_t count = ptl_local_entity_count(map);
    change(map);
    OK(ptl_local_put(world, &map, 1, &err));
    ck_assert_int_eq(ptl_local_revision(map), 2);
    ck_assert(ptl_local_is_edited(map));
    again = get(at);
    same(map, again);
    ck_assert_int_eq(ptl_local_revision(again), 2);
    ck_assert(ptl_local_is_edited(again));
    ck_assert_str_eq(ptl_local_terrain(again, 0, 0), "t_mine");
    ck_assert_str_eq(ptl_local_furniture(again, 23, 0), "f_chair");
    ck_assert_str_eq(ptl_local_furniture(again, 22, 0), "");
    ck_assert_int_eq(ptl_local_radiation(again, 23, 23), 255);
    ck_assert_uint_eq(ptl_local_entity_count(again), count);
    ck_assert_int_eq(ptl_local_entity_at(&e, again, 0), PTL_OK);
    ck_assert_str_eq(e.text, "Keep out");
    ck_assert_int_eq(ptl_local_entity_at(&e, again, count - 1), PTL_OK);
    ck_assert_str_eq(e.own, "{\"damage\": 3, \"who\": \"J\xc3\xb6rg\"}");
    OK(ptl_local_put(world, &again, 1, &err));
    ck_assert_int_eq(ptl_local_revision(again), 3);
    ptl_local_free(map);
    ptl_local_free(again);
    end();
}
END_TEST

START_TEST(a_conflict_names_both_and_writes_nothing)
{
    begin(_i);
    const ptl_omt at = {90, 90, 0}, beside = {91, 90, 0};
    ptl_local_map *mine = get(at), *theirs = get(at), *other = get(beside);
    OK(ptl_local_terrain_set(theirs, 1, 1, "t_theirs"));
    OK(ptl_local_put(world, &theirs, 1, &err));
    OK(ptl_local_put(world, &theirs, 1, &err));
    OK(ptl_local_terrain_set(mine, 1, 1, "t_mine"));
    OK(ptl_local_terrain_set(other, 1, 1, "t_other"));
    ptl_local_map *const both[] = {other, mine};
    ck_assert_int_eq(ptl_local_put(world, both, 2, &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "90,90,0 has revision 3") != NULL &&
                      strstr(err.message, "revision 1 was changed") != NULL,
                  "%s", err.message);
    ck_assert_int_eq(ptl_local_revision(other), 1);
    ck_assert(!ptl_local_is_edited(other));
    ptl_local_map *now = get(beside);
    ck_assert_int_eq(ptl_local_revision(now), 1);
    ck_assert_str_ne(ptl_local_terrain(now, 1, 1), "t_other");
    ptl_local_free(now);
    now = get(at);
    ck_assert_str_eq(ptl_local_terrain(now, 1, 1), "t_theirs");
    ptl_local_free(now);
    /* One map twice in one call is such a conflict. */
    ptl_local_map *const twice[] = {other, other};
    ck_assert_int_eq(ptl_local_put(world, twice, 2, &err), PTL_ERR_EXISTS);
    OK(ptl_local_put(world, &other, 1, &err));
    ck_assert_int_eq(ptl_local_revision(other), 2);
    ptl_local_free(mine);
    ptl_local_free(theirs);
    ptl_local_free(other);
    end();
}
END_TEST

START_TEST(what_can_not_be_is_refused)
{
    begin(_i);
    ptl_local_map *map = NULL;
    const ptl_local_options before = {.size = sizeof before, .turn = -1};
    ck_assert_int_eq(ptl_local_load(&map, world, (ptl_omt){5, 5, 0}, &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_local_get(&map, world, (ptl_omt){5, 5, 11}, NULL, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_get(&map, world, (ptl_omt){INT64_MAX, 5, 0}, NULL, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_load(&map, world, (ptl_omt){5, INT64_MIN, 0}, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_get(&map, world, (ptl_omt){5, 5, 0}, &before, &err),
                     PTL_ERR_ARGUMENT);
    ck_assert_ptr_null(map);
    OK(ptl_local_put(world, NULL, 0, &err));
    end();
}
END_TEST

START_TEST(a_bad_change_leaves_the_map)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    begin(_i);
    ptl_local_map *map = get((ptl_omt){90, 90, 0}), *as_it_was = get((ptl_omt){90, 90, 0});
    ck_assert_int_eq(ptl_local_terrain_set(map, 24, 0, "t"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_terrain_set(map, 0, -1, "t"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_terrain_set(map, 0, 0, ""), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_terrain_set(map, 0, 0, NULL), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_trap_set(map, 0, 0, "\xff"), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_radiation_set(map, 0, 0, 256), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_radiation_set(map, 0, 24, 0), PTL_ERR_ARGUMENT);
    e.kind = "ghost";
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_ARGUMENT);
    e.kind = "item";
    e.x = 3;
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_ARGUMENT); /* x2 before x */
    e.x2 = 3;
    e.count = -2;
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_ARGUMENT);
    e.count = 1;
    e.own = "\xc0\x80";
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_ARGUMENT);
    e.size = 0;
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_ARGUMENT);
    const size_t count = ptl_local_entity_count(map);
    ck_assert_int_eq(ptl_local_entity_replace(map, count, &e), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_local_entity_remove(map, count), PTL_ERR_NOT_FOUND);
    same(map, as_it_was);
    ptl_local_free(map);
    ptl_local_free(as_it_was);
    end();
}
END_TEST

/* As many as there may be, and one more. */
START_TEST(there_is_an_end_to_things)
{
    enum { MOST = 100000 };
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    begin(_i);
    ptl_local_map *map = get((ptl_omt){90, 90, 0}), *again = NULL;
    e.kind = "item";
    e.id = "rock";
    while (ptl_local_entity_count(map) < MOST)
        ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_OK);
    ck_assert_int_eq(ptl_local_entity_add(map, &e), PTL_ERR_LIMIT);
    OK(ptl_local_put(world, &map, 1, &err));
    again = get((ptl_omt){90, 90, 0});
    ck_assert_uint_eq(ptl_local_entity_count(again), MOST);
    ptl_local_free(map);
    ptl_local_free(again);
    end();
}
END_TEST

/* Of another world of the same file. */
START_TEST(a_map_of_another_world_is_refused)
{
    begin(_i);
    ptl_local_map *map = get((ptl_omt){90, 90, 0});
    ptl_world *other = create(p.store, "other", 12);
    ck_assert_int_eq(ptl_local_put(other, &map, 1, &err), PTL_ERR_ARGUMENT);
    ptl_world_close(other);
    ptl_local_free(map);
    end();
}
END_TEST

/* ---- updates ---- */

static int tiles_with(const ptl_local_map *map, const char *furniture)
{
    int count = 0;
    for (int i = 0; i < PTL_LOCAL_SIDE * PTL_LOCAL_SIDE; i++)
        count += strcmp(ptl_local_furniture(map, i % PTL_LOCAL_SIDE, i / PTL_LOCAL_SIDE),
                        furniture) == 0;
    return count;
}

/* The update's tiles and things are there, and all that was there is, with its texts. */
START_TEST(an_update_is_stored)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT, last = PTL_LOCAL_ENTITY_INIT;
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *map = get(at), *again = NULL;
    const size_t count = ptl_local_entity_count(map);
    change(map); /* not put: the update goes on from here */
    OK(ptl_local_update_run(world, map, "dig", &err));
    ck_assert_int_eq(ptl_local_revision(map), 2);
    ck_assert(ptl_local_is_edited(map));
    for (int32_t x = 2; x <= 9; x++)
        ck_assert_str_eq(ptl_local_terrain(map, x, 3), "t_pit");
    ck_assert_str_eq(ptl_local_terrain(map, 0, 0), "t_mine");
    ck_assert_int_eq(ptl_local_radiation(map, 23, 23), 255);
    ck_assert_int_eq(tiles_with(map, "f_heap"), 1);
    ck_assert_uint_eq(ptl_local_entity_count(map), count + 1);
    ck_assert_int_eq(ptl_local_entity_at(&e, map, 0), PTL_OK);
    ck_assert_str_eq(e.text, "Keep out");
    ck_assert_int_eq(ptl_local_entity_at(&e, map, count - 1), PTL_OK);
    ck_assert_str_eq(e.own, "{\"damage\": 3, \"who\": \"J\xc3\xb6rg\"}");
    ck_assert(e.x == 3 && e.y == 4 && e.count == 2);
    ck_assert_int_eq(ptl_local_entity_at(&last, map, count), PTL_OK);
    ck_assert_str_eq(last.kind, "sign");
    ck_assert_str_eq(last.text, "Digging");
    ck_assert_str_eq(last.own, "");
    again = get(at);
    same(map, again);
    OK(ptl_local_update_run(world, again, "dig", &err));
    ck_assert_int_eq(ptl_local_revision(again), 3);
    ptl_local_free(map);
    ptl_local_free(again);
    end();
}
END_TEST

/* What an update has for other levels is on their maps, with the same transaction. */
START_TEST(an_update_reaches_other_levels)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *map = get(at), *late = get(at), *levels[5];
    OK(ptl_local_update_run(world, map, "raise", &err));
    ck_assert_int_eq(ptl_local_revision(map), 2);
    ck_assert_str_eq(ptl_local_terrain(map, 2, 3), "t_pit");
    for (int i = 0; i < 5; i++)
        levels[i] = get((ptl_omt){at.x, at.y, at.z + i - 2});
    ck_assert_str_eq(ptl_local_furniture(levels[1], 6, 7), "f_root");
    ck_assert_str_eq(ptl_local_furniture(levels[3], 4, 5), "f_beam");
    ck_assert_str_eq(ptl_local_furniture(levels[2], 4, 5), "");
    ck_assert_uint_eq(ptl_local_entity_count(levels[4]),
                      1); /* a chunk one above, a piece more */
    OK(ptl_local_entity_at(&e, levels[4], 0));
    ck_assert(strcmp(e.text, "High") == 0 && e.x == 8 && e.y == 8);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(ptl_local_revision(levels[i]), i == 0 ? 1 : 2);
        ck_assert(ptl_local_is_edited(levels[i]) == (i != 0));
        ptl_local_free(levels[i]);
    }
    /* Somebody else was faster: nothing is written on any level. */
    ck_assert_int_eq(ptl_local_update_run(world, late, "raise", &err), PTL_ERR_EXISTS);
    levels[0] = get((ptl_omt){at.x, at.y, at.z + 1});
    ck_assert_int_eq(ptl_local_revision(levels[0]), 2);
    ck_assert_str_eq(ptl_local_terrain(late, 2, 3), "t_grass");
    ptl_local_free(levels[0]);
    ptl_local_free(late);
    ptl_local_free(map);
    end();
}
END_TEST

/* The same update of the same revision is the same in another world of the seed; what comes at
 * a later revision is drawn anew. */
START_TEST(an_update_repeats)
{
    enum { TIMES = 12 };
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *mine = get(at), *theirs = NULL;
    ptl_world *other = create(p.store, "other", 12);
    OK(ptl_local_get(&theirs, other, at, NULL, &err));
    for (int i = 0; i < TIMES; i++) {
        OK(ptl_local_update_run(world, mine, "dig", &err));
        OK(ptl_local_update_run(other, theirs, "dig", &err));
        same(mine, theirs);
    }
    ck_assert_int_ge(tiles_with(mine, "f_heap"), TIMES / 2);
    ck_assert_int_eq(ptl_local_update_run(other, mine, "dig", &err), PTL_ERR_ARGUMENT);
    ptl_local_free(mine);
    ptl_local_free(theirs);
    ptl_world_close(other);
    end();
}
END_TEST

/* Nothing changes, in memory and in the file. */
START_TEST(an_update_that_fails_leaves_the_map)
{
    begin(_i);
    const ptl_omt at = busy_place();
    ptl_local_map *map = get(at), *before = get(at), *now = NULL;
    ck_assert_int_eq(ptl_local_update_run(world, map, "dug", &err), PTL_ERR_NOT_FOUND);
    ck_assert_msg(strstr(err.message, "no update 'dug'") != NULL, "%s", err.message);
    ck_assert_int_eq(ptl_local_update_run(world, map, "field", &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_local_update_run(world, map, "", &err), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_update_run(world, map, "flood", &err), PTL_ERR_CONTENT);
    same(map, before);
    now = get(at);
    same(now, before);
    ck_assert_int_eq(ptl_local_revision(now), 1);
    /* Somebody else was faster. */
    OK(ptl_local_put(world, &now, 1, &err));
    ck_assert_int_eq(ptl_local_update_run(world, map, "dig", &err), PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "has revision 2") != NULL, "%s", err.message);
    same(map, before);
    ck_assert_int_eq(ptl_local_revision(map), 1);
    OK(ptl_local_update_run(world, now, "dig", &err));
    ptl_local_free(map);
    ptl_local_free(before);
    ptl_local_free(now);
    end();
}
END_TEST

/* Stores an edited map that was made for a road. */
static void put_for_a_road(ptl_omt at)
{
    encoded_local encoded = {.texts = {0}};
    codec *c = codec_new();
    id_pool *ids = id_pool_new();
    local_map *map = malloc(sizeof *map);
    ck_assert(c && ids && map);
    local_map_init(map);
    map->terrain[5] = id_pool_put(ids, "t_pavement", 10);
    const map_write w = {.info = {.at = at,
                                  .oter = "road_ns",
                                  .content_id = world->row.content_id,
                                  .generator_version = 1,
                                  .edited = true},
                         .encoded = &encoded};
    OK(local_encode(&encoded, c, map, ids, &err));
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->map->put(p.store, world->row.id, &w, 1, &err));
    OK(ops(p.store)->map->put(p.store, world->row.id,
                              &(map_write){.info = {.at = at,
                                                    .revision = 1,
                                                    .oter = "road_ns",
                                                    .content_id = world->row.content_id,
                                                    .generator_version = 1,
                                                    .edited = true},
                                           .encoded = &encoded},
                              1, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    encoded_local_dispose(&encoded);
    local_map_dispose(map);
    free(map);
    id_pool_free(ids);
    codec_free(c);
}

static void on_local(void *payload, ptl_omt at, const char *was, const char *now)
{
    notes *n = payload;
    NOTE(n, "%lld,%lld,%d %s %s;", (long long)at.x, (long long)at.y, at.z, was, now);
}

/* Of a chunk that is made anew edited maps stay, and those of another terrain are named; those
 * of its neighbour do, too. */
START_TEST(regenerating_keeps_what_is_edited)
{
    notes n = {.count = 0};
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    const ptl_chunk_pos pos = {0, 0};
    ptl_local_map *map = NULL, *again = NULL;
    begin(_i);
    const ptl_omt at = busy_place(), beside = {179, 40, 0}, far = {180, 40, 0};
    map = get(at);
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(get(beside));
    ptl_local_free(get(far));
    const ptl_omt road = {at.x > 0 ? 0 : 1, 0, 10};
    put_for_a_road(road);
    o.positions = &pos;
    o.position_count = 1;
    o.stale = false;
    o.on_local = on_local;
    o.payload = &n;
    OK(ptl_regenerate(&report, world, &o, &err));
    ck_assert_uint_ge(report.dropped_maps, 1);
    ck_assert_uint_eq(report.changed_maps, 1);
    ck_assert_int_eq(n.count, 1);
    ck_assert_msg(strstr(n.text, ",0,10 road_ns open_air;") != NULL, "%s", n.text);
    ck_assert_int_eq(ptl_local_load(&again, world, beside, &err), PTL_ERR_NOT_FOUND);
    OK(ptl_local_load(&again, world, far, &err));
    ptl_local_free(again);
    OK(ptl_local_load(&again, world, road, &err));
    ck_assert_int_eq(ptl_local_revision(again), 2);
    ptl_local_free(again);
    ptl_local_free(map);
    end();
}
END_TEST

/* ---- many at once ---- */

enum { MANY = 144 };

/* Maps that nobody has made yet: each with a number of tiles of many terrains, so that they are
 * of all sizes, and its own number of grass before them. */
typedef struct many {
    codec *codec;
    id_pool *pool;
    local_map map;
    char oter[64];
    encoded_local encoded[MANY];
    map_write writes[MANY];
} many;

static many *make_many(ptl_omt from, int32_t width, size_t count, rng *r)
{
    many *m = calloc(1, sizeof *m);
    ptl_local_map *first = get((ptl_omt){0, 0, 0}); /* now there is the chunk */
    ck_assert(m && (m->codec = codec_new()) && (m->pool = id_pool_new()));
    snprintf(m->oter, sizeof m->oter, "%s", ptl_local_oter(first));
    ptl_local_free(first);
    for (size_t i = 0; i < count; i++) {
        const int32_t x = (int32_t)i % width, y = (int32_t)i / width;
        const int32_t mixed = 20 + (int32_t)rng_below(r, 400);
        local_map_init(&m->map);
        for (int32_t k = 0; k < LOCAL_CELLS; k++) {
            char id[16] = "t_grass";
            if (k > (int32_t)i && k <= (int32_t)i + mixed)
                snprintf(id, sizeof id, "t_%u", (unsigned)rng_below(r, 30));
            m->map.terrain[k] = id_pool_put(m->pool, id, strlen(id));
        }
        m->writes[i] = (map_write){.info = {.at = {from.x + x, from.y + y, from.z},
                                            .oter = m->oter,
                                            .content_id = world->row.content_id,
                                            .generator_version = 1},
                                   .encoded = &m->encoded[i]};
        OK(local_encode(&m->encoded[i], m->codec, &m->map, m->pool, &err));
        local_map_dispose(&m->map);
    }
    return m;
}

static void free_many(many *m)
{
    for (size_t i = 0; i < MANY; i++)
        encoded_local_dispose(&m->encoded[i]);
    id_pool_free(m->pool);
    codec_free(m->codec);
    free(m);
}

static int64_t revision_of(ptl_omt at)
{
    int64_t revision = -1;
    OK(ops(p.store)->map->revision(&revision, p.store, world->row.id, at, &err));
    return revision;
}

START_TEST(new_maps_are_put_together_or_none)
{
    enum { THERE = 77, WIDTH = 12 };
    rng r = rng_from_key(5);
    begin(_i);
    many *m = make_many((ptl_omt){20, 20, 0}, WIDTH, MANY, &r);
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->map->put(p.store, world->row.id, &m->writes[THERE], 1, &err));
    ck_assert_int_eq(ops(p.store)->map->put(p.store, world->row.id, m->writes, MANY, &err),
                     PTL_ERR_EXISTS);
    ck_assert_msg(strstr(err.message, "25,26,0 has revision 1") != NULL, "%s", err.message);
    memset(&err, 0, sizeof err);
    for (size_t i = 0; i < MANY; i++)
        ck_assert_int_eq(revision_of(m->writes[i].info.at), i == THERE);
    OK(ops(p.store)->map->put(p.store, world->row.id, m->writes, THERE, &err));
    OK(ops(p.store)->map->put(p.store, world->row.id, &m->writes[THERE + 1], MANY - THERE - 1,
                              &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    for (int32_t i = 0; i < MANY; i++) { /* whichever order they were written in */
        ptl_local_map *map = NULL;
        int32_t grass = 0;
        OK(ptl_local_load(&map, world, m->writes[i].info.at, &err));
        ck_assert_int_eq(ptl_local_revision(map), 1);
        while (strcmp(ptl_local_terrain(map, grass % LOCAL_SIDE, grass / LOCAL_SIDE),
                      "t_grass") == 0)
            grass++;
        ck_assert_int_eq(grass, i + 1);
        ptl_local_free(map);
    }
    free_many(m);
    end();
}
END_TEST

static int64_t pages(void)
{
    int64_t n = 0;
    OK(sqlite_pragma_int(p.store, "PRAGMA page_count", &n, &err));
    return n;
}

/* How many pages maps take that are put so many at a time. */
static int64_t grown_by(ptl_omt from, size_t at_once)
{
    enum { ROUNDS = 6 };
    rng r = rng_from_key(7); /* the same maps each time */
    int64_t grown = 0;
    for (int32_t k = 0; k < ROUNDS; k++) {
        many *m = make_many((ptl_omt){from.x, from.y + k * 12, from.z}, 12, MANY, &r);
        const int64_t before = pages();
        OK(ops(p.store)->transaction->begin(p.store, &err));
        for (size_t i = 0; i < MANY; i += at_once)
            OK(ops(p.store)->map->put(p.store, world->row.id, &m->writes[i], at_once, &err));
        OK(ops(p.store)->transaction->commit(p.store, &err));
        grown += k > 0 ? pages() - before : 0; /* the first ones bring names */
        free_many(m);
    }
    return grown;
}

/* Which map comes first is the store's affair, so that pages are full: a map of 300 bytes
 * leaves half of that over in each page of 2,048 if they come as they may. */
START_TEST(maps_that_are_put_together_take_fewer_pages)
{
    begin(FILE_BACKEND);
    const int64_t alone = grown_by((ptl_omt){20, 20, 0}, 1);
    const int64_t together = grown_by((ptl_omt){60, 20, 0}, MANY);
    ck_assert_msg(together * 100 <= alone * 96, "%lld pages together, %lld alone",
                  (long long)together, (long long)alone);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_maps");
    TCase *tc = tcase_create("local_maps");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, a_map_is_made_once, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, what_is_put_stays, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, a_conflict_names_both_and_writes_nothing, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, what_can_not_be_is_refused, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, a_bad_change_leaves_the_map, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, there_is_an_end_to_things, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, a_map_of_another_world_is_refused, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, an_update_is_stored, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, an_update_reaches_other_levels, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, an_update_repeats, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, an_update_that_fails_leaves_the_map, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, regenerating_keeps_what_is_edited, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, new_maps_are_put_together_or_none, 0, ALL_BACKENDS);
    tcase_add_test(tc, maps_that_are_put_together_take_fewer_pages);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
