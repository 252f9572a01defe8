/*
 * Pieces and chunks at another `z`: they lie on another level's map, turned as their own, and
 * nothing on their own level depends on them.
 */
#include "mapgen/compile/library.h"
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

static mapgen_fixture f;
static local_map map;

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
}

static void teardown(void)
{
    local_map_dispose(&map);
    fixture_end(&f);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static void entry(const char *text)
{
    ck_assert_msg(fixture_entry(&f, text) != NULL, "MG%03d %s", f.last_code, f.last);
}

static mapgen_request request_of(const char *key, uint64_t seed, int turns)
{
    return (mapgen_request){.library = f.library,
                            .pool = f.pool,
                            .terrain = id_of(key),
                            .turns = turns,
                            .key = seed,
                            .stack_key = seed,
                            .special_key = seed};
}

static void make(const char *key, uint64_t seed, int turns)
{
    const mapgen_request request = request_of(key, seed, turns);
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert(!map.cut && !map.failed);
}

/* An empty map, and what another so far below has for it. */
static void make_above(const char *key, uint64_t seed, int turns, int up)
{
    const mapgen_request request = request_of(key, seed, turns);
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run_above(&map, &request, up), MAPGEN_MADE);
    ck_assert(!map.cut && !map.failed);
}

static const char *terrain_at(int x, int y)
{
    return fixture_text(&f, map.terrain[y * LOCAL_SIDE + x]);
}

/* How much there is on the map at all. */
static size_t content_of(void)
{
    size_t count = map.count;
    for (int i = 0; i < LOCAL_CELLS; i++)
        count += (size_t)(map.terrain[i] != ID_NONE) + (size_t)(map.furniture[i] != ID_NONE);
    return count;
}

/* ---- tests ---- */

START_TEST(pieces_lie_on_their_level)
{
    entry("{'nested_mapgen_id':'roof','object':{'mapgensize':[2,2],'rows':['rr','r '],"
          "'terrain':{'r':'t_roof'},'place_item':[{'item':'tile','x':1,'y':1}]}}");
    entry("{'om_terrain':'house','object':{'fill_ter':'t_floor','set':["
          "{'point':'furniture','id':'f_chimney','x':5,'y':0,'z':1},"
          "{'line':'terrain','id':'t_pipe','x':0,'y':9,'x2':4,'y2':9,'z':-3}],"
          "'place_nested':[{'chunks':['roof'],'x':20,'y':2,'z':1}],"
          "'place_terrain':[{'ter':'t_deep','x':7,'y':8,'z':-1}]}}");
    for (int turns = 0; turns < 4; turns++) {
        make("house", 3, turns);
        for (int i = 0; i < LOCAL_CELLS; i++)
            ck_assert_str_eq(fixture_text(&f, map.terrain[i]), "t_floor");
        ck_assert_uint_eq(content_of(), LOCAL_CELLS);
        make_above("house", 3, turns, 1);
        ck_assert_uint_eq(content_of(), 5);
        local_map_rotate(&map, 4 - turns);
        ck_assert_str_eq(terrain_at(20, 2), "t_roof");
        ck_assert_str_eq(terrain_at(21, 2), "t_roof");
        ck_assert_str_eq(terrain_at(20, 3), "t_roof");
        ck_assert_str_eq(fixture_text(&f, map.furniture[5]), "f_chimney");
        ck_assert_int_eq(map.entities[0].x, 21);
        ck_assert_int_eq(map.entities[0].y, 3);
        make_above("house", 3, turns, -1);
        ck_assert_uint_eq(content_of(), 1);
        local_map_rotate(&map, 4 - turns);
        ck_assert_str_eq(terrain_at(7, 8), "t_deep");
        make_above("house", 3, turns, -3);
        ck_assert_uint_eq(content_of(), 5);
        make_above("house", 3, turns, 2);
        ck_assert_uint_eq(content_of(), 0);
    }
    ck_assert(mapgen_heights_reach(f.library, id_of("house"), 1));
    ck_assert(mapgen_heights_reach(f.library, id_of("house"), -1));
    ck_assert(mapgen_heights_reach(f.library, id_of("house"), -3));
    ck_assert(!mapgen_heights_reach(f.library, id_of("house"), 2));
    ck_assert(!mapgen_heights_reach(f.library, id_of("house"), -2));
    ck_assert(!mapgen_heights_reach(f.library, id_of("roof"), 1)); /* no map of a terrain */
    ck_assert(!mapgen_heights_reach(f.library, id_of("nothing"), 1));
    ck_assert(mapgen_heights_reach_any(f.library, id_of("house")));
    ck_assert(!mapgen_heights_reach_any(f.library, id_of("roof")));
    ck_assert(!mapgen_heights_reach_any(f.library, id_of("nothing")));
}
END_TEST

/* A chunk's own heights count from where it stands. */
START_TEST(chunks_count_from_themselves)
{
    entry("{'nested_mapgen_id':'in','object':{'mapgensize':[1,1],'place_terrain':["
          "{'ter':'t_here','x':0,'y':0},{'ter':'t_down','x':0,'y':0,'z':-2}]}}");
    entry("{'nested_mapgen_id':'out','object':{'mapgensize':[1,1],'place_nested':["
          "{'chunks':['in'],'x':0,'y':0,'z':3}]}}");
    entry("{'om_terrain':'tower','object':{'fill_ter':'t_floor','place_nested':["
          "{'chunks':['out'],'x':4,'y':5,'z':-1}]}}");
    make("tower", 1, 0); /* -1, 3 higher, 2 lower: its own level again */
    ck_assert_str_eq(terrain_at(4, 5), "t_down");
    ck_assert_str_eq(terrain_at(5, 5), "t_floor");
    make_above("tower", 1, 0, 2);
    ck_assert_str_eq(terrain_at(4, 5), "t_here");
    ck_assert_uint_eq(content_of(), 1);
    make_above("tower", 1, 0, -1);
    ck_assert_uint_eq(content_of(), 0);
    ck_assert(mapgen_heights_reach(f.library, id_of("tower"), 2));
    ck_assert(!mapgen_heights_reach(f.library, id_of("tower"), 3));
}
END_TEST

/* What is drawn on a map is the same without its pieces at other levels. */
START_TEST(own_levels_do_not_hang_on_them)
{
    static const char *const extra =
        "'place_items':[{'item':'g','x':[0,23],'y':[0,23],'chance':50,'repeat':[2,9],'z':1}],"
        "'place_monster':[{'monster':'m','x':[0,23],'y':3,'z':[-2,2],'repeat':5}],";
    static const char *const common =
        "'fill_ter':'t','place_furniture':[{'furn':'f','x':[0,23],'y':[0,23],'repeat':30}],"
        "'place_item':[{'item':'i','x':[0,23],'y':[0,23],'repeat':9}]";
    char text[900];
    size_t own = 0, moved = 0;
    snprintf(text, sizeof text, "{'om_terrain':'plain','object':{%s}}", common);
    entry(text);
    snprintf(text, sizeof text, "{'om_terrain':'tall','object':{%s%s}}", extra, common);
    entry(text);
    for (uint64_t seed = 0; seed < 30; seed++) {
        local_map plain;
        make("plain", seed, 1);
        plain = map;
        local_map_init(&map);
        make("tall", seed, 1);
        size_t monsters = 0, items = 0;
        for (size_t i = 0; i < map.count; i++) {
            monsters += map.entities[i].kind == LOCAL_MONSTER;
            items += map.entities[i].kind == LOCAL_ITEM;
        }
        ck_assert_uint_eq(items, plain.count);
        ck_assert_mem_eq(plain.furniture, map.furniture, sizeof map.furniture);
        own += monsters;
        for (int up = -2; up <= 2; up++) {
            if (up != 0) {
                make_above("tall", seed, 1, up);
                ck_assert(map.count == 0 || mapgen_heights_reach(f.library, id_of("tall"), up));
                for (size_t i = 0; i < map.count; i++)
                    moved += map.entities[i].kind == LOCAL_MONSTER;
            }
        }
        local_map_dispose(&plain);
    }
    ck_assert_uint_eq(own + moved, 150); /* five of each seed, on one of five levels */
    ck_assert_uint_gt(own, 9);
    ck_assert_uint_gt(moved, 90);
}
END_TEST

/* What stands on a tile stays below, whatever the entry's policy; above it goes. */
START_TEST(policies_do_not_reach_below)
{
    entry(
        "{'nested_mapgen_id':'slab','object':{'mapgensize':[1,1],'flags':["
        "'ERASE_ALL_BEFORE_PLACING_TERRAIN'],'place_terrain':[{'ter':'t_slab','x':0,'y':0}]}}");
    entry("{'om_terrain':'yard','object':{'fill_ter':'t','place_nested':["
          "{'chunks':['slab'],'x':2,'y':2,'z':-1},{'chunks':['slab'],'x':2,'y':2,'z':1}]}}");
    for (int up = -1; up <= 1; up += 2) {
        const mapgen_request request = request_of("yard", 1, 0);
        local_map_dispose(&map);
        local_map_init(&map);
        map.furniture[2 * LOCAL_SIDE + 2] = id_of("f_bed");
        ck_assert_int_eq(mapgen_run_above(&map, &request, up), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(2, 2), "t_slab");
        ck_assert_str_eq(fixture_text(&f, map.furniture[2 * LOCAL_SIDE + 2]),
                         up < 0 ? "f_bed" : "");
    }
}
END_TEST

/* Chunks that contain themselves, a level higher each time, end. */
START_TEST(towers_without_end_end)
{
    entry(
        "{'nested_mapgen_id':'step','object':{'mapgensize':[1,1],'place_nested':["
        "{'chunks':['step'],'x':0,'y':0,'z':1}],'place_terrain':[{'ter':'t_s','x':0,'y':0}]}}");
    entry("{'om_terrain':'stairs','object':{'fill_ter':'t','place_nested':["
          "{'chunks':['step'],'x':0,'y':0},{'chunks':['null'],'x':0,'y':0,'z':99}]}}");
    const mapgen_request request = request_of("stairs", 1, 0);
    ck_assert_int_eq(mapgen_run_above(&map, &request, 5), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_s");
    ck_assert(map.cut); /* deeper than chunks are run */
    ck_assert(mapgen_heights_reach(f.library, id_of("stairs"), 5));
    ck_assert(mapgen_heights_reach(f.library, id_of("stairs"), 20));
    ck_assert(!mapgen_heights_reach(f.library, id_of("stairs"), -1));
}
END_TEST

/* What an update has for a level comes on that level's map alone, turned as its own. */
START_TEST(updates_reach_other_levels)
{
    enum { MIDDLE = MAPGEN_HEIGHT_MAX };
    local_map above;
    f.undone[0] = '\0';
    entry("{'update_mapgen_id':'u','object':{'place_terrain':[{'ter':'t_up','x':1,'y':2,'z':1},"
          "{'ter':'t_same','x':2,'y':1,'z':0},{'ter':'t_high','x':3,'y':1,'z':[4,5]}]}}");
    ck_assert_str_eq(f.undone, "");
    ck_assert_uint_eq(mapgen_heights_of_update(f.library, id_of("u")),
                      UINT64_C(1) << (MIDDLE + 1) | UINT64_C(3) << (MIDDLE + 4));
    ck_assert_uint_eq(mapgen_heights_of_update(f.library, id_of("none")), 0);
    for (int turns = 0; turns < 2; turns++) {
        const mapgen_request request = request_of("a", 1, turns);
        local_map_dispose(&map);
        local_map_init(&map);
        local_map_init(&above);
        ck_assert_int_eq(mapgen_update_above(&above, &map, &request, id_of("u"), 1),
                         MAPGEN_MADE);
        const int cell = turns == 0 ? 2 * LOCAL_SIDE + 1 : LOCAL_SIDE + LOCAL_SIDE - 3;
        for (int i = 0; i < LOCAL_CELLS; i++)
            ck_assert_uint_eq(above.terrain[i], i == cell ? id_of("t_up") : ID_NONE);
        ck_assert_int_eq(mapgen_update_above(&above, &map, &request, id_of("none"), 1),
                         MAPGEN_NO_ENTRY);
        local_map_dispose(&above);
    }
    const mapgen_request request = request_of("a", 1, 0);
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_update(&map, &request, id_of("u")), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(1, 2), "");
    ck_assert_str_eq(terrain_at(2, 1), "t_same");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen heights");
    TCase *tc = tcase_create("heights");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, pieces_lie_on_their_level);
    tcase_add_test(tc, chunks_count_from_themselves);
    tcase_add_test(tc, own_levels_do_not_hang_on_them);
    tcase_add_test(tc, policies_do_not_reach_below);
    tcase_add_test(tc, towers_without_end_end);
    tcase_add_test(tc, updates_reach_other_levels);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
