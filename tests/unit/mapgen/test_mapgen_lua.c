/*
 * Scripts as a part of mapgen: method lua and the member `lua`, what is said of them when they
 * are compiled, what is left of a map whose script fails, and that a map is the same each time.
 */
#include "core/bytes.h"
#include "mapgen/lua/script.h"
#include "mapgen/run/run.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

static mapgen_fixture f;
static mapgen_tiles *tiles;
static local_map map;

static void add_tile(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_tiles_add(tiles, json_view_of(&document)));
}

static void setup(void)
{
    static const char *const terrain[] = {"t_grass", "t_rock", "t_open_air", "t_wall",
                                          "t_fill"};
    char text[100];
    fixture_begin(&f, false);
    local_map_init(&map);
    tiles = mapgen_tiles_new(f.pool);
    ck_assert_ptr_nonnull(tiles);
    for (size_t i = 0; i < sizeof terrain / sizeof terrain[0]; i++) {
        snprintf(text, sizeof text, "{'type':'terrain','id':'%s'}", terrain[i]);
        add_tile(text);
    }
    add_tile("{'type':'terrain','id':'t_floor','flags':['FLAT'],'alias':'t_old_floor'}");
    add_tile("{'type':'terrain','id':'t_carpet','copy-from':'t_floor'}");
    add_tile("{'type':'furniture','id':'f_chair'}");
    mapgen_tiles_finish(tiles);
}

static void teardown(void)
{
    local_map_dispose(&map);
    mapgen_tiles_free(tiles);
    fixture_end(&f);
}

/* Makes the map of "house" anew. */
static mapgen_outcome make(uint64_t seed, int turns)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_pool_put(f.pool, "house", strlen("house")),
                                    .turns = turns,
                                    .z = 0,
                                    .key = seed,
                                    .stack_key = seed,
                                    .special_key = seed + 1,
                                    .tiles = tiles,
                                    .oter = "house_west",
                                    .turn = 99};
    local_map_dispose(&map);
    local_map_init(&map);
    return mapgen_run(&map, &request);
}

static void entry(const char *text)
{
    ck_assert_msg(fixture_entry(&f, text) != NULL, "MG%03d %s", f.last_code, f.last);
}

static const char *terrain_at(int x, int y)
{
    return id_pool_text(f.pool, map.terrain[y * LOCAL_SIDE + x]);
}

static const char *furniture_at(int x, int y)
{
    return id_pool_text(f.pool, map.furniture[y * LOCAL_SIDE + x]);
}

/* All remarks, each with its status, "1 text\n". */
static const char *remarks(void)
{
    static char all[2000];
    size_t used = 0;
    all[0] = '\0';
    for (size_t i = 0; i < map.count && used < sizeof all; i++)
        if (map.entities[i].kind == LOCAL_REMARK)
            used += (size_t)snprintf(all + used, sizeof all - used, "%d %s\n",
                                     (int)map.entities[i].status,
                                     id_pool_text(f.pool, map.entities[i].text));
    return all;
}

/* A digest of all of the map, texts for numbers. */
static uint64_t digest(void)
{
    uint64_t key = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        key = hash_add(key, hash_string(id_pool_text(f.pool, map.terrain[i])));
        key = hash_add(key, hash_string(id_pool_text(f.pool, map.furniture[i])));
    }
    for (size_t i = 0; i < map.count; i++) {
        const local_entity *e = &map.entities[i];
        key = hash_add(key, (uint64_t)e->kind << 16 | (uint64_t)e->x << 8 | e->y);
        key = hash_add(key, hash_string(id_pool_text(f.pool, e->id)));
        key = hash_add(key, hash_string(id_pool_text(f.pool, e->text)));
    }
    return key;
}

/* ---- maps ---- */

START_TEST(method_lua_makes_the_map)
{
    entry("{'om_terrain':'house','method':'lua','script':['map:ter_set(1, 0, \\'t_wall\\')',"
          "'map:furn_set(2, 0, \\'f_chair\\')','game.add_msg(tertype, turn)']}");
    /* It lies as the script made it, whatever the OMT's turns are. */
    for (int turns = 0; turns < 4; turns++) {
        ck_assert_int_eq(make(1, turns), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(1, 0), "t_wall");
        ck_assert_str_eq(terrain_at(0, 0), "t_grass");
        ck_assert_str_eq(furniture_at(2, 0), "f_chair");
        ck_assert_str_eq(remarks(), "0 house_west\\t99\n");
    }
}
END_TEST

START_TEST(rotate_turns_it)
{
    entry("{'om_terrain':'house','method':'lua','rotate':true,'script':'map:ter_set(1, 0, "
          "\\'t_wall\\')'}");
    ck_assert_int_eq(make(1, 1), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(23, 1), "t_wall");
}
END_TEST

/* It runs behind `set` and in front of what characters mean beside plain terrain. */
START_TEST(the_member_lua_is_a_step)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "{'om_terrain':'house','object':{'fill_ter':'t_fill','rows':['ab");
    bytes_printf(&text, "......................'");
    for (int i = 0; i < 23; i++)
        bytes_printf(&text, ",'........................'");
    bytes_printf(&text,
                 "],'terrain':{'a':['t_floor'],'b':'t_floor'},"
                 "'set':[{'square':'terrain','id':'t_rock','x':0,'y':0,'x2':4,'y2':0}],"
                 "'lua':['map:ter_set(0, 0, \\'t_wall\\')','map:ter_set(1, 0, \\'t_wall\\')',"
                 "'map:ter_set(2, 0, \\'t_wall\\')'],"
                 "'place_terrain':[{'ter':'t_grass','x':2,'y':0}]}}");
    entry(bytes_text(&text));
    bytes_dispose(&text);
    ck_assert_int_eq(make(1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_floor"); /* alternatives come behind */
    ck_assert_str_eq(terrain_at(1, 0), "t_wall");
    ck_assert_str_eq(terrain_at(2, 0), "t_grass");
    ck_assert_str_eq(terrain_at(3, 0), "t_rock");
    ck_assert_str_eq(terrain_at(5, 0), "t_fill");
}
END_TEST

/* Of a chunk it draws on the chunk's own tiles, and on no other. */
START_TEST(chunks_have_scripts)
{
    entry("{'nested_mapgen_id':'part','object':{'mapgensize':[3,3],'lua':'map:fill_background("
          "\\'t_wall\\') map:ter_set(1, 1, \\'t_rock\\') map:ter_set(3, 0, \\'t_floor\\')'}}");
    entry("{'om_terrain':'house','object':{'fill_ter':'t_fill','place_nested':[{'chunks':['"
          "part'],"
          "'x':10,'y':5},{'chunks':['part'],'x':22,'y':22}]}}");
    ck_assert_int_eq(make(1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(10, 5), "t_wall");
    ck_assert_str_eq(terrain_at(12, 7), "t_wall");
    ck_assert_str_eq(terrain_at(11, 6), "t_rock");
    ck_assert_str_eq(terrain_at(13, 5), "t_fill");
    ck_assert_str_eq(terrain_at(23, 23), "t_rock");
    ck_assert_str_eq(remarks(), "0 something lies outside of the map, and was passed over\n"
                                "0 something lies outside of the map, and was passed over\n");
}
END_TEST

START_TEST(ids_of_before_are_the_present_ones)
{
    entry("{'om_terrain':'house','method':'lua','script':'map:ter_set(0, 0, \\'t_old_floor\\') "
          "map:ter_set(1, 0, \\'t_null\\') map:furn_set(1, 0, \\'f_null\\')'}");
    ck_assert_int_eq(make(1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_floor");
    ck_assert_str_eq(terrain_at(1, 0), "t_grass");
}
END_TEST

/* One entry of two is drawn by weight, whether it is a script or not. */
START_TEST(weights_count)
{
    int scripts = 0;
    entry("{'om_terrain':'house','method':'lua','weight':500,'script':'map:ter_set(0, 0, "
          "\\'t_wall\\')'}");
    entry("{'om_terrain':'house','object':{'fill_ter':'t_fill'}}");
    for (uint64_t seed = 0; seed < 3000; seed++) {
        ck_assert_int_eq(make(seed, 0), MAPGEN_MADE);
        scripts += strcmp(terrain_at(0, 0), "t_wall") == 0;
    }
    ck_assert(scripts > 880 && scripts < 1120); /* a third */
}
END_TEST

/* ---- items ---- */

static size_t items(void)
{
    size_t count = 0;
    for (size_t i = 0; i < map.count; i++)
        count += map.entities[i].kind == LOCAL_ITEM_GROUP;
    return count;
}

/* The loop: c / (100 - c) rounds in the mean; with 100 one. */
START_TEST(items_go_on_while_the_chance_holds)
{
    size_t count = 0;
    enum { MAPS = 2000 };
    entry("{'om_terrain':'house','method':'lua','script':'map:place_items(\\'g\\', 80, 2, 3, "
          "4, 5, "
          "true, turn)'}");
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        ck_assert_int_eq(make(seed, 0), MAPGEN_MADE);
        count += items();
        for (size_t i = 0; i < map.count; i++) {
            const local_entity *e = &map.entities[i];
            ck_assert(e->x >= 2 && e->x <= 4 && e->y >= 3 && e->y <= 5);
            ck_assert_str_eq(id_pool_text(f.pool, e->id), "g");
        }
    }
    ck_assert(count > 3 * MAPS + MAPS / 2 && count < 4 * MAPS + MAPS / 2);
}
END_TEST

START_TEST(items_avoid_flat_ground_if_they_are_to)
{
    entry(
        "{'om_terrain':'house','method':'lua','script':'map:fill_background(\\'t_carpet\\') "
        "map:square_ter(\\'t_wall\\', 0, 0, 23, 11) for i = 1, 50 do map:place_items(\\'g\\', "
        "100, 0, 0, 23, 23, 0, turn) end map:place_items(\\'h\\', 100, 0, 20, 23, 23, 0) "
        "map:place_items(\\'h\\', 100, 0, 20, 23, 23, 1)'}");
    ck_assert_int_eq(make(1, 0), MAPGEN_MADE);
    ck_assert_uint_eq(items(), 51);
    for (size_t i = 0; i < 50; i++)
        ck_assert_int_lt(map.entities[i].y, 12);
}
END_TEST

/* ---- failures ---- */

START_TEST(a_failure_leaves_what_was_said)
{
    entry("{'om_terrain':'house','method':'lua','script':['map:fill_background(\\'t_wall\\')',"
          "'map:furn_set(0, 0, \\'f_chair\\') map:place_items(\\'g\\', 100, 1, 1, 1, 1, 1)',"
          "'print(\\'so far\\')','map:ter_set(0, 0, \\'t_missing\\')']}");
    ck_assert_int_eq(make(1, 0), MAPGEN_FAILED);
    ck_assert_uint_eq(map.count, 2);
    ck_assert_str_eq(remarks(), "0 so far\n1 script:4: unknown terrain 't_missing'\n");
    for (int i = 0; i < LOCAL_CELLS; i++)
        ck_assert(map.terrain[i] == ID_NONE && map.furniture[i] == ID_NONE);
}
END_TEST

/* A predecessor's failure is the map's. Many endless chunks end as one does. */
START_TEST(failures_of_parts_are_the_map_s)
{
    entry("{'om_terrain':'before','method':'lua','script':'error(\\'no ground\\')'}");
    entry("{'om_terrain':'house','object':{'predecessor_mapgen':'before'}}");
    ck_assert_int_eq(make(1, 0), MAPGEN_FAILED);
    ck_assert_str_eq(remarks(), "1 script:1: no ground\n");
}
END_TEST

START_TEST(endless_chunks_end)
{
    entry("{'nested_mapgen_id':'part','object':{'mapgensize':[3,3],'lua':'for i = 1, 1e6 do "
          "end'}}");
    entry("{'om_terrain':'house','object':{'fill_ter':'t_fill','place_nested':[{'chunks':['"
          "part'],"
          "'x':[0,20],'y':5,'repeat':100000}]}}");
    ck_assert_int_eq(make(1, 0), MAPGEN_FAILED);
    ck_assert_msg(strstr(remarks(), "stopped after") != NULL, "%s", remarks());
}
END_TEST

START_TEST(messages_are_safe)
{
    entry("{'om_terrain':'house','method':'lua','script':'print(\\'\\\\27[31m\\\\xff\\\\n\\') "
          "error(\\'\\\\27]0;\\\\xfe\\')'}");
    ck_assert_int_eq(make(1, 0), MAPGEN_FAILED);
    ck_assert_str_eq(remarks(), "0 \\x1b[31m\\xff\\n\n1 script:1: ?]0;?\n");
}
END_TEST

/* ---- the same each time ---- */

START_TEST(maps_are_equal)
{
    const int seeds = test_seeds(40);
    uint64_t first[400];
    entry("{'om_terrain':'house','method':'lua','script':['local t = {} for i = 1, 40 do "
          "t[\\'k\\' "
          ".. game.rng(1, 99)] = i end','for k, v in pairs(t) do map:ter_set(game.rng(0, 23), "
          "v % "
          "24, game.one_in(2) and \\'t_wall\\' or \\'t_floor\\') print(k, t) end',"
          "'map:rough_circle(\\'t_rock\\', 9, 9, 7) map:place_items(\\'g\\', 70, 0, 0, 23, 23, "
          "0)']}");
    for (int i = 0; i < seeds && i < 400; i++) {
        ck_assert_int_eq(make((uint64_t)i, 0), MAPGEN_MADE);
        first[i] = digest();
        ck_assert(i == 0 || first[i] != first[i - 1]);
    }
    /* In another order, twice each. */
    for (int i = 2 * (seeds < 400 ? seeds : 400); i-- > 0;) {
        ck_assert_int_eq(make((uint64_t)i / 2, 0), MAPGEN_MADE);
        ck_assert_uint_eq(digest(), first[i / 2]);
    }
}
END_TEST

/* ---- compiling ---- */

typedef struct wrong_script {
    const char *entry;
    int code;
    const char *message;
} wrong_script;

static const wrong_script wrong[] = {
    {"{'om_terrain':'house','method':'lua'}", 3, "a script must be a string"},
    {"{'om_terrain':'house','method':'lua','script':5}", 3, "found a number"},
    {"{'om_terrain':'house','method':'lua','script':['x = 1', 7]}", 3, "found a number"},
    {"{'om_terrain':'house','method':'lua','script':['x = 1','y = = 2']}", 13,
     "line 2 of the script: unexpected symbol near '='"},
    {"{'om_terrain':'house','object':{'fill_ter':'t_fill','lua':'end'}}", 13,
     "line 1 of the script: <eof> expected near 'end'"},
    {"{'nested_mapgen_id':'part','method':'lua','script':'x = 1'}", 2, "'om_terrain' alone"},
    {"{'update_mapgen_id':'part','method':'lua','script':'x = 1'}", 2, "'om_terrain' alone"}};

START_TEST(mistakes_are_told)
{
    ck_assert_ptr_null(fixture_entry(&f, wrong[_i].entry));
    ck_assert_int_eq(f.last_code, wrong[_i].code);
    ck_assert_msg(strstr(f.last, wrong[_i].message) != NULL, "%s", f.last);
}
END_TEST

/* What Bright Nights of today has: a function of the game's own scripts. It is told that it is
 * not carried out, and never drawn. */
START_TEST(a_method_of_the_game_s_own)
{
    const mapgen_entry *e =
        fixture_entry(&f, "{'om_terrain':'house','method':'lua','luamethod':'house_function'}");
    ck_assert_ptr_nonnull(e);
    ck_assert_int_eq(f.remarks, 0);
    ck_assert_str_eq(f.undone, "luamethod");
    ck_assert_str_eq(id_pool_text(f.pool, e->program), "house_function");
    ck_assert_uint_eq(e->script, ID_NONE);
    ck_assert_int_eq(make(1, 0), MAPGEN_NO_ENTRY);
}
END_TEST

/* Where in the file the line of a script begins that is wrong. */
static size_t place_of_mistake(const char *text)
{
    f.last_offset = 0;
    ck_assert_ptr_null(fixture_compile(&f, text, strlen(text)));
    ck_assert_int_eq(f.last_code, 13);
    return f.last_offset;
}

START_TEST(mistakes_have_their_place)
{
    static const char list[] =
        "{\"om_terrain\":\"house\",\"method\":\"lua\",\"script\":[\"x = 1\","
        "\n \"y = 2\\nz = \\\"a\\\"\",\n \"for = 1\"]}";
    static const char inside[] = "{\"om_terrain\":\"house\",\"method\":\"lua\",\"script\":"
                                 "[\"x = 1\\n\\ty = = 2\\n\", \"z = 1\"]}";
    static const char one[] = "{\"om_terrain\":\"house\",\"method\":\"lua\",\"script\":"
                              "\"x = 1\\ny = \\\\n\\n\"}";
    static const char coded[] = "{\"om_terrain\":\"house\",\"method\":\"lua\",\"script\":"
                                "\"x = 1\\u000ay = =\"}";
    ck_assert_uint_eq(place_of_mistake(list), (size_t)(strstr(list, "for") - list));
    ck_assert_uint_eq(place_of_mistake(inside), (size_t)(strstr(inside, "\\ty") - inside));
    ck_assert_uint_eq(place_of_mistake(one), (size_t)(strstr(one, "y = ") - one));
    ck_assert_uint_lt(place_of_mistake(coded), sizeof coded);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen_lua");
    TCase *tc = tcase_create("mapgen_lua");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, method_lua_makes_the_map);
    tcase_add_test(tc, rotate_turns_it);
    tcase_add_test(tc, the_member_lua_is_a_step);
    tcase_add_test(tc, chunks_have_scripts);
    tcase_add_test(tc, ids_of_before_are_the_present_ones);
    tcase_add_test(tc, weights_count);
    tcase_add_test(tc, items_go_on_while_the_chance_holds);
    tcase_add_test(tc, items_avoid_flat_ground_if_they_are_to);
    tcase_add_test(tc, a_failure_leaves_what_was_said);
    tcase_add_test(tc, failures_of_parts_are_the_map_s);
    tcase_add_test(tc, endless_chunks_end);
    tcase_add_test(tc, messages_are_safe);
    tcase_add_test(tc, maps_are_equal);
    tcase_add_loop_test(tc, mistakes_are_told, 0, (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tc, a_method_of_the_game_s_own);
    tcase_add_test(tc, mistakes_have_their_place);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
