/*
 * Monster groups, vehicle groups, snippets and names: frequencies, packs and costs, conditions
 * of time, densities over many keys; what is not known; tags in texts.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 4000 };

static const mapgen_time noon = {0, 12, 0}, night = {0, 23, 3}, later = {200, 12, 1};

static mapgen_fixture f;
static mapgen_groups *groups;
static mapgen_tiles *tiles;

static void setup(void)
{
    fixture_begin(&f, false);
    groups = mapgen_groups_new(f.pool);
    tiles = mapgen_tiles_new(f.pool);
    ck_assert(groups && tiles);
}

static void teardown(void)
{
    mapgen_tiles_free(tiles);
    mapgen_groups_free(groups);
    fixture_end(&f);
}

/* Adds an object; ' stands for ". */
static void add(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_groups_add(groups, json_view_of(&document)));
    ck_assert(mapgen_tiles_add(tiles, json_view_of(&document)));
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static mapgen_pack draw(const char *group, uint64_t key, mapgen_time time)
{
    rng random = rng_from_key(key);
    mapgen_pack pack;
    ck_assert(mapgen_draw_pack(&pack, groups, &random, id_of(group), time));
    ck_assert(pack.count >= 1 && pack.cost >= 1);
    return pack;
}

/* How often of all keys a monster comes. */
static int times(const char *group, const char *monster, mapgen_time time)
{
    int count = 0;
    for (uint64_t key = 0; key < KEYS; key++)
        count += draw(group, key * 7919, time).monster == id_of(monster);
    return count;
}

/* Five standard deviations of a count with that mean, and a little. */
static void ck_near(double found, double expected)
{
    const double off = found - expected;
    ck_assert_msg(off * off < 25 * expected + 1, "%g, expected %g", found, expected);
}

START_TEST(frequencies_are_of_a_thousand)
{
    add("{'type':'monstergroup','name':'g','default':'mon_d','monsters':["
        "{'monster':'mon_a','freq':200,'cost_multiplier':3},{'monster':'mon_b','freq':300,"
        "'cost_multiplier':2,'pack_size':[2,4]}]}");
    ck_near(times("g", "mon_a", noon), KEYS * 0.2);
    ck_near(times("g", "mon_b", noon), KEYS * 0.3);
    ck_near(times("g", "mon_d", noon), KEYS * 0.5);
    int seen[5] = {0};
    for (uint64_t key = 0; key < KEYS; key++) {
        const mapgen_pack p = draw("g", key, noon);
        const bool b = p.monster == id_of("mon_b");
        ck_assert_int_eq(p.cost, b ? 2 * p.count : p.monster == id_of("mon_a") ? 3 : 1);
        ck_assert(b ? p.count >= 2 && p.count <= 4 : p.count == 1);
        seen[p.count]++;
    }
    ck_assert(seen[2] > 300 && seen[3] > 300 && seen[4] > 300);
}
END_TEST

/* A group gives way to another when its time has come, and that one to the next. */
START_TEST(groups_are_replaced_in_time)
{
    add("{'type':'monstergroup','id':'new','monsters':[{'monster':'mon_new','weight':1}],"
        "'replace_monster_group':true,'new_monster_group_id':'newest','replacement_time':"
        "'1 week 12 hours'}");
    add("{'type':'monstergroup','id':'newest','monsters':[{'monster':'mon_newest','weight':1}]"
        "}");
    add("{'type':'monstergroup','id':'old','monsters':[{'monster':'mon_old','weight':1}],"
        "'replace_monster_group':true,'new_monster_group_id':'new','replacement_time':2}");
    add("{'type':'monstergroup','id':'stays','monsters':[{'monster':'mon_old','weight':1}],"
        "'replace_monster_group':false,'new_monster_group_id':'new','replacement_time':0}");
    static const struct {
        int64_t hours;
        const char *monster;
    } cases[] = {{0, "mon_old"},   {47, "mon_old"},     {48, "mon_new"},
                 {179, "mon_new"}, {180, "mon_newest"}, {9999, "mon_newest"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const mapgen_time time = {cases[i].hours, 12, 0};
        ck_assert_uint_eq(draw("old", 1, time).monster, id_of(cases[i].monster));
        ck_assert_uint_eq(draw("stays", 1, time).monster, id_of("mon_old"));
    }
}
END_TEST

/* Hours as numbers, and as texts with units. */
START_TEST(times_are_read_as_written)
{
    static const struct {
        const char *text;
        int64_t hours;
    } cases[] = {{"30", 30},          {"'28 days'", 672},     {"'1 day 6 h'", 30},
                 {"'90 minutes'", 1}, {"'2 d 1 hour'", 49},   {"'3 seasons'", 6552},
                 {"'7200 s'", 2},     {"'1 hour3 hours'", 4}, {"'soon'", 0},
                 {"'5 parsecs'", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300], name[20];
        snprintf(name, sizeof name, "t%zu", i);
        snprintf(text, sizeof text,
                 "{'type':'monstergroup','id':'%s','default':'mon_d','monsters':[{'monster':"
                 "'mon_a','weight':1,'starts':%s}]}",
                 name, cases[i].text);
        add(text);
        const int64_t h = cases[i].hours;
        ck_assert_uint_eq(draw(name, 1, (mapgen_time){h, 12, 0}).monster, id_of("mon_a"));
        if (h > 0)
            ck_assert_msg(draw(name, 1, (mapgen_time){h - 1, 12, 0}).monster == id_of("mon_d"),
                          "%s", cases[i].text);
    }
}
END_TEST

/* The same members, but that each quantity is drawn. */
START_TEST(spawn_data_is_drawn)
{
    const char *text = "{\"ammo\": [{\"ammo_id\": \"556\", \"qty\": [30, 33]}, {\"ammo_id\":"
                       "\"9mm\", \"qty\":7}], \"patrol\": [{\"x\": 1}]}";
    int seen[4] = {0};
    for (uint64_t key = 0; key < 200; key++) {
        rng random = rng_from_key(key);
        char expected[200];
        const uint32_t id = mapgen_draw_spawn_data(groups, &random, id_of(text));
        int quantity = 0;
        const char *found = strstr(fixture_text(&f, id), "\"qty\":");
        ck_assert_ptr_nonnull(found);
        quantity = atoi(found + strlen("\"qty\":"));
        ck_assert(quantity >= 30 && quantity <= 33);
        seen[quantity - 30]++;
        snprintf(expected, sizeof expected,
                 "{\"ammo\":[{\"ammo_id\":\"556\",\"qty\":%d},{\"ammo_id\":\"9mm\",\"qty\":7}],"
                 "\"patrol\":[{\"x\": 1}]}",
                 quantity);
        ck_assert_str_eq(fixture_text(&f, id), expected);
    }
    ck_assert(seen[0] > 25 && seen[1] > 25 && seen[2] > 25 && seen[3] > 25);
    rng random = rng_from_key(1);
    ck_assert_uint_eq(mapgen_draw_spawn_data(groups, &random, id_of("mon_a")), ID_NONE);
    ck_assert_uint_eq(mapgen_draw_spawn_data(groups, &random, id_of("{\"ammo\"")), ID_NONE);
}
END_TEST

/* It lies with the monster, whether the piece says it or the group's entry. */
START_TEST(spawn_data_lies_with_the_monster)
{
    add("{'type':'monstergroup','id':'turrets','monsters':[{'monster':'mon_t','weight':1,"
        "'spawn_data':{'ammo':[{'ammo_id':'50','qty':4}]}}]}");
    ck_assert_ptr_nonnull(fixture_entry(
        &f, "{'om_terrain':'base','object':{'fill_ter':'t','place_monster':["
            "{'group':'turrets','x':1,'y':1},{'monster':'mon_m','x':2,'y':1,'spawn_data':"
            "{'ammo':[{'ammo_id':'9','qty':[5,5]}]}},{'monster':'mon_m','x':3,'y':1}]}}"));
    const mapgen_request request = {
        .library = f.library, .pool = f.pool, .terrain = id_of("base"), .groups = groups};
    local_map map;
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert_uint_eq(map.count, 3);
    ck_assert_str_eq(fixture_text(&f, map.entities[0].with),
                     "{\"ammo\":[{\"ammo_id\":\"50\",\"qty\":4}]}");
    ck_assert_str_eq(fixture_text(&f, map.entities[1].with),
                     "{\"ammo\":[{\"ammo_id\":\"9\",\"qty\":5}]}");
    ck_assert_str_eq(fixture_text(&f, map.entities[2].with), "");
    local_map_dispose(&map);
}
END_TEST

START_TEST(totals_and_weights)
{
    add("{'type':'monstergroup','id':'told','default':'mon_d','freq_total':400,'monsters':["
        "{'monster':'mon_a','freq':100}]}");
    add("{'type':'monstergroup','id':'sum','monsters':[{'monster':'mon_a','weight':1},"
        "{'monster':'mon_b','weight':3}]}");
    add("{'type':'monstergroup','id':'none','default':'mon_null','monsters':[]}");
    ck_near(times("told", "mon_a", noon), KEYS * 0.25);
    ck_near(times("sum", "mon_a", noon), KEYS * 0.25);
    ck_assert_int_eq(times("sum", "mon_a", noon) + times("sum", "mon_b", noon), KEYS);
    ck_assert_uint_eq(draw("none", 1, noon).monster, ID_NONE);
}
END_TEST

START_TEST(entries_hang_on_the_time)
{
    add("{'type':'monstergroup','id':'g','default':'mon_d','monsters':["
        "{'monster':'mon_dark','freq':250,'conditions':['NIGHT']},"
        "{'monster':'mon_cold','freq':250,'conditions':['WINTER','NIGHT','DUSK']},"
        "{'monster':'mon_late','freq':250,'starts':100},"
        "{'monster':'mon_early','freq':250,'ends':100}]}");
    ck_assert_int_eq(times("g", "mon_dark", noon), 0);
    ck_assert_int_eq(times("g", "mon_cold", noon), 0);
    ck_assert_int_eq(times("g", "mon_late", noon), 0);
    ck_near(times("g", "mon_early", noon), KEYS * 0.25);
    ck_near(times("g", "mon_dark", night), KEYS * 0.25);
    ck_near(times("g", "mon_cold", night), KEYS * 0.25);
    ck_near(times("g", "mon_late", later), KEYS * 0.25);
    ck_assert_int_eq(times("g", "mon_early", later), 0);
    /* A season told alone holds at any hour. */
    add("{'type':'monstergroup','id':'s','default':'mon_d','monsters':["
        "{'monster':'mon_s','freq':1000,'conditions':['SUMMER','SPRING']}]}");
    ck_assert_int_eq(times("s", "mon_s", noon) + times("s", "mon_s", later), 2 * KEYS);
    ck_assert_int_eq(times("s", "mon_s", night), 0);
}
END_TEST

START_TEST(groups_in_groups_end)
{
    add("{'type':'monstergroup','id':'a','default':'mon_d','monsters':[{'group':'b',"
        "'freq':1000}]}");
    add("{'type':'monstergroup','id':'b','default':'mon_e','monsters':[{'monster':'mon_x',"
        "'freq':500}]}");
    add("{'type':'monstergroup','id':'loop','default':'mon_d','monsters':[{'group':'loop',"
        "'freq':1000}]}");
    ck_near(times("a", "mon_x", noon), KEYS * 0.5);
    ck_near(times("a", "mon_e", noon), KEYS * 0.5);
    ck_assert_uint_eq(draw("loop", 1, noon).monster, ID_NONE);
}
END_TEST

START_TEST(a_group_that_comes_again_has_more)
{
    add("{'type':'monstergroup','id':'g','default':'mon_d','monsters':[{'monster':'mon_a',"
        "'freq':500}]}");
    add("{'type':'monstergroup','id':'g','monsters':[{'monster':'mon_b','freq':500}]}");
    ck_near(times("g", "mon_a", noon), KEYS * 0.5);
    ck_near(times("g", "mon_b", noon), KEYS * 0.5);
    add("{'type':'monstergroup','id':'g','override':true,'monsters':[{'monster':'mon_c',"
        "'freq':1000}]}");
    ck_assert_int_eq(times("g", "mon_c", noon), KEYS);
}
END_TEST

/* ---- on a map ---- */

static const char *upton(void *payload)
{
    (void)payload;
    return "Upton";
}

static void make(local_map *map, uint64_t key, uint32_t density)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of("house"),
                                    .key = key,
                                    .groups = groups,
                                    .density = density,
                                    .time = noon,
                                    .city = upton,
                                    .tiles = tiles};
    local_map_init(map);
    ck_assert_int_eq(mapgen_run(map, &request), MAPGEN_MADE);
    ck_assert(!map->cut);
}

/* A density of 0.1 makes 3 in the mean, and the OMT's own counts where none is told. */
START_TEST(densities_are_met)
{
    int told = 0, own = 0, dear = 0;
    add("{'type':'monstergroup','id':'g','default':'mon_a','monsters':[]}");
    add("{'type':'monstergroup','id':'h','default':'mon_b','monsters':[]}");
    add("{'type':'monstergroup','id':'i','default':'mon_d','monsters':[{'monster':'mon_c',"
        "'freq':1000,'cost_multiplier':100}]}");
    ck_assert(fixture_entry(&f,
                            "{'om_terrain':'house','object':{'fill_ter':'t','place_monsters':["
                            "{'monster':'g','x':[0,23],'y':[0,23],'density':0.1},"
                            "{'monster':'h','x':[3,5],'y':[20,30],'chance':2},"
                            "{'monster':'i','x':1,'y':1,'density':0.5}]}}"));
    for (uint64_t key = 0; key < KEYS; key++) {
        local_map map;
        make(&map, key * 31, 20000);
        for (size_t i = 0; i < map.count; i++) {
            const local_entity *e = &map.entities[i];
            ck_assert(e->kind == LOCAL_MONSTER && e->count == 1);
            told += e->id == id_of("mon_a");
            own += e->id == id_of("mon_b");
            dear += e->id == id_of("mon_c");
            ck_assert(e->id != id_of("mon_b") || (e->x >= 3 && e->x <= 5 && e->y >= 20));
        }
        local_map_dispose(&map);
    }
    ck_near(told, KEYS * 3.0);
    ck_assert_msg(own > KEYS * 2.8 && own < KEYS * 3.2, "%d", own); /* of half the maps 6 */
    ck_assert_int_eq(dear, KEYS); /* a budget of 5 to 25 is spent by the first */
}
END_TEST

/* Monsters stand where one can stand, if that is found in ten tries. */
START_TEST(monsters_stand_on_passable_tiles)
{
    int all = 0, stuck = 0;
    add("{'type':'terrain','id':'t_wall','move_cost':0}");
    add("{'type':'terrain','id':'t','move_cost':2}");
    add("{'type':'monstergroup','id':'g','default':'mon_a','monsters':[]}");
    mapgen_tiles_finish(tiles);
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'house','object':{'fill_ter':'t','set':[{'square':'terrain','id':"
            "'t_wall','x':0,'y':0,'x2':23,'y2':11}],'place_monsters':[{'monster':'g',"
            "'x':[0,23],'y':[0,23],'density':0.3}]}}"));
    for (uint64_t key = 0; key < 500; key++) {
        local_map map;
        make(&map, key, 0);
        for (size_t i = 0; i < map.count; i++, all++)
            stuck += map.entities[i].y < 12;
        local_map_dispose(&map);
    }
    ck_assert(all > 3000 && stuck < all / 200); /* 1 in 1,024 */
}
END_TEST

START_TEST(packs_vehicles_and_unknown_groups)
{
    int car = 0, van = 0;
    add("{'type':'monstergroup','id':'g','default':'mon_a','monsters':[{'monster':'mon_p',"
        "'freq':1000,'pack_size':[2,2]}]}");
    add("{'type':'vehicle_group','id':'cars','vehicles':[['car',30],['van',10]]}");
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'house','object':{'fill_ter':'t','place_monster':["
            "{'group':'g','x':1,'y':1,'pack_size':3},{'group':'unknown','x':2,'y':2},"
            "{'monster':'mon_one','x':3,'y':3,'name':'Bo','friendly':true}],"
            "'place_monsters':[{'monster':'nothing','x':4,'y':4,'density':0.5}],"
            "'place_vehicles':[{'vehicle':'cars','x':5,'y':5,'chance':100},"
            "{'vehicle':'tank','x':6,'y':6,'chance':100}]}}"));
    for (uint64_t key = 0; key < KEYS; key++) {
        local_map map;
        make(&map, key, 0);
        int packs = 0;
        for (size_t i = 0; i < map.count; i++) {
            const local_entity *e = &map.entities[i];
            packs += e->id == id_of("mon_p") && e->count == 2;
            car += e->id == id_of("car");
            van += e->id == id_of("van");
            if (e->id == id_of("unknown"))
                ck_assert(e->kind == LOCAL_MONSTER_GROUP && e->charges == 1);
            if (e->id == id_of("nothing"))
                ck_assert(e->kind == LOCAL_MONSTER_GROUP && e->count == 50000);
            if (e->id == id_of("mon_one"))
                ck_assert(e->status == 1 && strcmp(fixture_text(&f, e->text), "Bo") == 0);
        }
        ck_assert_int_eq(packs, 3);
        ck_assert_uint_eq(map.count, 8);
        local_map_dispose(&map);
    }
    ck_near(car, KEYS * 0.75);
    ck_near(van, KEYS * 0.25);
}
END_TEST

START_TEST(signs_have_their_texts)
{
    bool seen[2] = {false, false};
    add("{'type':'snippet','category':'s','text':['One',{'id':'x','text':'Two <city>'}]}");
    add("{'type':'name','usage':'given','name':['Ann']}");
    add("{'type':'name','usage':'family','name':'Lee'}");
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'house','object':{'fill_ter':'t','place_signs':["
            "{'snippet':'s','x':1,'y':1},{'signage':'<full_name>, <city> <b> <','x':2,'y':1},"
            "{'snippet':'unknown','x':3,'y':1}],"
            "'place_graffiti':[{'text':'<given_name><family_name>','x':4,'y':1}]}}"));
    for (uint64_t key = 0; key < 50; key++) {
        local_map map;
        make(&map, key, 0);
        ck_assert_uint_eq(map.count, 4);
        const char *first = fixture_text(&f, map.entities[0].text);
        seen[0] = seen[0] || strcmp(first, "One") == 0;
        seen[1] = seen[1] || strcmp(first, "Two Upton") == 0;
        ck_assert(strcmp(first, "One") == 0 || strcmp(first, "Two Upton") == 0);
        ck_assert_str_eq(fixture_text(&f, map.entities[1].text), "Ann Lee, Upton <b> <");
        ck_assert_str_eq(fixture_text(&f, map.entities[2].text), "");
        ck_assert_str_eq(fixture_text(&f, map.entities[2].id), "unknown");
        ck_assert_str_eq(fixture_text(&f, map.entities[3].text), "AnnLee");
        local_map_dispose(&map);
    }
    ck_assert(seen[0] && seen[1]);
}
END_TEST

/* A density as large as is ever read makes no more than a map may have. */
START_TEST(dense_maps_are_bounded)
{
    local_map map;
    add("{'type':'monstergroup','id':'g','default':'mon_a','monsters':[]}");
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'house','object':{'fill_ter':'t','place_monsters':[{'monster':'g',"
            "'x':[0,23],'y':[0,23],'density':1e30,'repeat':1000000}]}}"));
    const mapgen_request request = {
        .library = f.library, .pool = f.pool, .terrain = id_of("house"), .groups = groups};
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert(map.cut && map.count <= LOCAL_ENTITIES_MAX);
    local_map_dispose(&map);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen monsters");
    TCase *tc = tcase_create("monsters");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, frequencies_are_of_a_thousand);
    tcase_add_test(tc, totals_and_weights);
    tcase_add_test(tc, groups_are_replaced_in_time);
    tcase_add_test(tc, times_are_read_as_written);
    tcase_add_test(tc, spawn_data_is_drawn);
    tcase_add_test(tc, spawn_data_lies_with_the_monster);
    tcase_add_test(tc, entries_hang_on_the_time);
    tcase_add_test(tc, groups_in_groups_end);
    tcase_add_test(tc, a_group_that_comes_again_has_more);
    tcase_add_test(tc, densities_are_met);
    tcase_add_test(tc, monsters_stand_on_passable_tiles);
    tcase_add_test(tc, packs_vehicles_and_unknown_groups);
    tcase_add_test(tc, signs_have_their_texts);
    tcase_add_test(tc, dense_maps_are_bounded);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
