/*
 * Map extras and spawns: chances and weights over many keys, updates over a finished map, and
 * what each scene that is made by code does to natural ground, and leaves alone.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

enum { KEYS = 2000 };

static mapgen_fixture f;
static mapgen_groups *groups;
static mapgen_tiles *tiles;
static local_map map;

static void add(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_groups_add(groups, json_view_of(&document)));
    ck_assert(mapgen_tiles_add(tiles, json_view_of(&document)));
}

/* A map whose ground is grass, trees of two sorts, shrubs of two sorts, dirt and a floor. */
static const char ground[] =
    "{'om_terrain':'wood','object':{'fill_ter':['t_grass','t_grass','t_tree_oak','t_tree_elm',"
    "'t_shrub_rose','t_shrub','t_dirt'],'rows':["
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','gggggggggggggggggggggggg',"
    "'gggggggggggggggggggggggg','gggggggggggggggggggggggg','ffffffffffffffffffffffff'],"
    "'terrain':{'g':[['t_grass',20],'t_tree_oak','t_tree_elm','t_shrub_rose','t_shrub',"
    "'t_dirt'],'f':'t_floor'}}}";

static void setup(void)
{
    static const char *const known[] = {"t_grass",     "t_tree_oak",   "t_tree_elm",  "t_dirt",
                                        "t_shrub",     "t_shrub_rose", "t_floor",     "t_clay",
                                        "t_water_sh",  "t_water_dp",   "t_stump",     "t_grave",
                                        "t_tree_dead", "t_grass_dead", "t_grass_tall"};
    static const char *const plants[] = {"f_cattails", "f_lotus", "f_lilypad"};
    char text[200];
    fixture_begin(&f, false);
    groups = mapgen_groups_new(f.pool);
    tiles = mapgen_tiles_new(f.pool);
    ck_assert(groups && tiles);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        snprintf(text, sizeof text, "{'type':'terrain','id':'%s'}", known[i]);
        add(text);
    }
    for (size_t i = 0; i < sizeof plants / sizeof plants[0]; i++) {
        snprintf(text, sizeof text, "{'type':'furniture','id':'%s'}", plants[i]);
        add(text);
    }
    mapgen_tiles_finish(tiles);
    ck_assert_msg(fixture_entry(&f, ground) != NULL, "MG%03d %s", f.last_code, f.last);
    local_map_init(&map);
}

static void teardown(void)
{
    local_map_dispose(&map);
    mapgen_tiles_free(tiles);
    mapgen_groups_free(groups);
    fixture_end(&f);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static void make(uint64_t key, const mapgen_extra_set *set, mapgen_spawns spawns, int turns)
{
    const mapgen_extras extras = {set, set ? 1 : 0};
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of("wood"),
                                    .turns = turns,
                                    .key = key,
                                    .groups = groups,
                                    .extras = &extras,
                                    .extra_set = id_of("set"),
                                    .spawns = spawns,
                                    .tiles = tiles};
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
    ck_assert(!map.cut);
}

static int terrains(const char *begin)
{
    int count = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        count += strncmp(fixture_text(&f, map.terrain[i]), begin, strlen(begin)) == 0;
    return count;
}

/* Five standard deviations of a count with that mean, and a little. */
static void ck_near(double found, double expected)
{
    const double off = found - expected;
    ck_assert_msg(off * off < 25 * expected + 1, "%g, expected %g", found, expected);
}

START_TEST(sets_have_chances_and_weights)
{
    int a = 0, b = 0;
    const mapgen_extra list[] = {{id_of("mx_a"), id_of("up_a"), 30, -10, 10},
                                 {id_of("mx_b"), id_of("up_b"), 40, 0, 0},
                                 {id_of("mx_no_such"), ID_NONE, 50, 0, 0}};
    const mapgen_extra_set set = {id_of("set"), 4, list, 3};
    ck_assert(fixture_entry(&f, "{'update_mapgen_id':'up_a','object':{'place_terrain':[{'ter':"
                                "'t_a','x':1,'y':2}]}}"));
    ck_assert(fixture_entry(&f, "{'update_mapgen_id':'up_b','object':{'place_furniture':["
                                "{'furn':'f_b','x':3,'y':4}]}}"));
    for (uint64_t key = 0; key < KEYS; key++) {
        make(key * 7919, &set, (mapgen_spawns){0}, (int)(key % 4)); /* they are not turned */
        a += map.terrain[2 * LOCAL_SIDE + 1] == id_of("t_a");
        b += map.furniture[4 * LOCAL_SIDE + 3] == id_of("f_b");
    }
    ck_near(a, KEYS / 4.0 * 0.6);
    ck_near(b, KEYS / 4.0 * 0.2);
}
END_TEST

/* What an extra draws changes nothing of the map under it. */
START_TEST(the_map_is_the_same_without)
{
    uint32_t before[LOCAL_CELLS];
    const mapgen_extra list[] = {{id_of("mx_a"), id_of("up_a"), 1, 0, 0}};
    const mapgen_extra_set set = {id_of("set"), 1, list, 1}, none = {id_of("set"), 0, list, 1},
                           other = {id_of("other"), 1, list, 1};
    ck_assert(fixture_entry(&f, "{'update_mapgen_id':'up_a','object':{'place_terrain':[{'ter':"
                                "'t_a','x':[0,23],'y':[0,23]}]}}"));
    for (uint64_t key = 0; key < 50; key++) {
        make(key, NULL, (mapgen_spawns){0}, 0);
        memcpy(before, map.terrain, sizeof before);
        make(key, &none, (mapgen_spawns){0}, 0);
        ck_assert(memcmp(before, map.terrain, sizeof before) == 0);
        make(key, &other, (mapgen_spawns){0}, 0);
        ck_assert(memcmp(before, map.terrain, sizeof before) == 0);
        make(key, &set, (mapgen_spawns){0}, 0);
        const mapgen_extra below[] = {{id_of("mx_a"), id_of("up_a"), 1, -10, -1}};
        const mapgen_extra_set deep = {id_of("set"), 1, below, 1};
        int changed = 0;
        for (int i = 0; i < LOCAL_CELLS; i++)
            changed += before[i] != map.terrain[i];
        ck_assert_int_eq(changed, 1);
        ck_assert_int_eq(terrains("t_a"), 1);
        make(key, &deep, (mapgen_spawns){0}, 0); /* not on this level */
        ck_assert(memcmp(before, map.terrain, sizeof before) == 0);
    }
}
END_TEST

/* Makes a scene, after the map without it, whose counts are kept. */
typedef struct scene_counts {
    int trees, shrubs, grass, floors;
} scene_counts;

static scene_counts counts(void)
{
    return (scene_counts){terrains("t_tree"), terrains("t_shrub"), terrains("t_grass"),
                          terrains("t_floor")};
}

static scene_counts scene(const char *name, uint64_t key)
{
    const mapgen_extra list[] = {{id_of(name), ID_NONE, 1, 0, 0}};
    const mapgen_extra_set set = {id_of("set"), 1, list, 1};
    ck_assert_msg(mapgen_extra_is_made(name), "%s", name);
    make(key, NULL, (mapgen_spawns){0}, 0);
    const scene_counts before = counts();
    ck_assert(before.trees > 0 && before.shrubs > 0 && before.grass > 0);
    make(key, &set, (mapgen_spawns){0}, 0);
    return before;
}

START_TEST(places_are_dug)
{
    const uint64_t key = (uint64_t)_i;
    scene("mx_pond", key);
    ck_assert_int_gt(terrains("t_water_sh"), 0);
    ck_assert_int_le(terrains("t_water"), 17 * 17);
    ck_assert_int_ge(terrains("t_water"), 20);
    scene_counts before = scene("mx_crater", key);
    int rubble = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        rubble += map.furniture[i] == id_of("f_rubble_rock");
        ck_assert(map.furniture[i] == ID_NONE || map.terrain[i] == id_of("t_dirt"));
    }
    ck_assert_int_gt(rubble, 0);
    ck_assert_int_lt(counts().grass, before.grass);
    scene("mx_clay_deposit", key);
    ck_assert(terrains("t_clay") >= 4 && terrains("t_clay") <= 11 * 11);
    scene("mx_grave", key);
    ck_assert_int_eq(terrains("t_grave"), 1);
}
END_TEST

/* Reeds grow in shallow water, and tall grass on grass and dirt beside it, one in 1 to 4;
 * elsewhere few do, and on other plants none. */
START_TEST(reeds_grow_by_the_water)
{
    const mapgen_extra list[] = {{id_of("mx_reed"), ID_NONE, 1, 0, 0}};
    const mapgen_extra_set set = {id_of("set"), 1, list, 1};
    int full = 0;
    double in = 0, beside = 0, away = 0;
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'wood','weight':100000000,'object':{'fill_ter':'t_grass','set':["
            "{'square':'terrain','id':'t_water_sh','x':0,'y':0,'x2':9,'y2':23},{'square':"
            "'terrain','id':'t_water_dp','x':0,'y':0,'x2':4,'y2':23},{'square':'terrain',"
            "'id':'t_floor','x':20,'y':0,'x2':23,'y2':23},{'square':'terrain',"
            "'id':'t_dirt','x':10,'y':0,'x2':10,'y2':11},{'square':'terrain',"
            "'id':'t_grass_dead','x':11,'y':0,'x2':11,'y2':23},{'square':'terrain',"
            "'id':'t_moss','x':12,'y':0,'x2':12,'y2':23}]}}"));
    for (uint64_t key = 0; key < KEYS / 10; key++) {
        int counted[3] = {0};
        make(key * 7919, &set, (mapgen_spawns){0}, 0);
        for (int i = 0; i < LOCAL_CELLS; i++) {
            const int x = i % LOCAL_SIDE;
            const bool plant = map.furniture[i] != ID_NONE;
            const bool tall = map.terrain[i] == id_of("t_grass_tall");
            ck_assert(!plant || (x >= 5 && x <= 9));
            ck_assert(!tall || x == 10 || (x >= 13 && x <= 19));
            counted[0] += plant;
            counted[1] += tall && x == 10;
            counted[2] += tall && x > 10;
        }
        full += counted[0] == 5 * LOCAL_SIDE;
        in += counted[0] / (5.0 * LOCAL_SIDE);
        beside += counted[1] / (double)LOCAL_SIDE;
        away += counted[2] / (7.0 * LOCAL_SIDE);
    }
    const double maps = KEYS / 10.0, mean = (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0) / 4;
    ck_assert(full > maps * 0.15 && full < maps * 0.35); /* one map in four is full of it */
    ck_assert(in > maps * (mean - 0.08) && in < maps * (mean + 0.08));
    ck_assert(beside > maps * (mean - 0.08) && beside < maps * (mean + 0.08));
    ck_assert(away > maps * 0.12 && away < maps * 0.17);
    ck_assert(mapgen_extra_is_made("mx_null"));
}
END_TEST

START_TEST(what_grows_is_changed)
{
    const uint64_t key = (uint64_t)_i;
    scene_counts before = scene("mx_clearcut", key);
    ck_assert(counts().trees == 0 && terrains("t_stump") == before.trees);
    ck_assert(counts().shrubs == before.shrubs && counts().floors == before.floors);
    before = scene("mx_grove", key);
    ck_assert(counts().trees == before.trees && counts().shrubs == before.shrubs);
    ck_assert(terrains("t_tree_oak") == 0 || terrains("t_tree_elm") == 0);
    before = scene("mx_shrubbery", key);
    ck_assert(counts().trees == 0 && counts().shrubs == before.trees + before.shrubs);
    before = scene("mx_dead_vegetation", key);
    ck_assert(terrains("t_tree_dead") == before.trees && counts().shrubs == 0);
    ck_assert(terrains("t_grass_dead") == before.grass && counts().floors == before.floors);
    before = scene("mx_point_dead_vegetation", key);
    ck_assert(terrains("t_grass_dead") > 0 && counts().grass == before.grass);
    before = scene("mx_burned_ground", key);
    ck_assert(counts().grass == 0 && counts().shrubs == 0 && counts().floors == before.floors);
    before = scene("mx_point_burned_ground", key);
    ck_assert(counts().grass < before.grass && counts().floors == before.floors);
    scene("mx_minefield", key);
    int mines = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        mines += map.trap[i] == id_of("tr_landmine_buried");
    ck_assert(mines > 0 && mines <= 30);
    for (int x = 0; x < LOCAL_SIDE; x++)
        ck_assert_uint_eq(map.trap[23 * LOCAL_SIDE + x], ID_NONE); /* the floor */
}
END_TEST

START_TEST(terrains_have_spawns)
{
    int maps = 0, monsters = 0;
    add("{'type':'monstergroup','id':'g','default':'mon_a','monsters':[]}");
    for (uint64_t key = 0; key < KEYS; key++) {
        make(key, NULL, (mapgen_spawns){id_of("g"), 2, 4, 30}, 0);
        maps += map.count > 0;
        monsters += (int)map.count;
        ck_assert(map.count == 0 || (map.count >= 2 && map.count <= 4));
    }
    ck_near(maps, KEYS * 0.3);
    ck_near(monsters, KEYS * 0.9);
    make(1, NULL, (mapgen_spawns){id_of("unknown"), 2, 4, 100}, 0);
    ck_assert_uint_eq(map.count, 0);
}
END_TEST

/* Makes the entry of that id. */
static void make_entry(const char *id, uint64_t key)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(id),
                                    .key = key,
                                    .groups = groups,
                                    .tiles = tiles};
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
}

START_TEST(transforms_are_made)
{
    int clay = 0;
    add("{'type':'ter_furn_transform','id':'tr','terrain':[{'result':[['t_clay',3],'t_dirt'],"
        "'valid_terrain':['t_grass','t_floor']}],'furniture':[{'result':'f_null',"
        "'valid_furniture':['f_a']},{'result':'f_new','valid_furniture':['f_null']}],"
        "'trap':[{'result':'tr_null','valid_trap':['tr_a']}]}");
    ck_assert(fixture_entry(
        &f,
        "{'om_terrain':'tr','object':{'fill_ter':'t_grass','set':[{'point':'furniture','id':"
        "'f_a','x':1,'y':1},{'point':'trap','id':'tr_a','x':1,'y':1},{'point':'terrain',"
        "'id':'t_stump','x':2,'y':1}],'place_ter_furn_transforms':["
        "{'transform':'tr','x':1,'y':1},{'transform':'tr','x':2,'y':1},"
        "{'transform':'no_such','x':3,'y':1}]}}"));
    for (uint64_t key = 0; key < KEYS; key++) {
        make_entry("tr", key * 31);
        const size_t at = LOCAL_SIDE + 1;
        clay += map.terrain[at] == id_of("t_clay");
        ck_assert(map.terrain[at] == id_of("t_clay") || map.terrain[at] == id_of("t_dirt"));
        ck_assert(map.furniture[at] == ID_NONE && map.trap[at] == ID_NONE);
        ck_assert_uint_eq(map.terrain[at + 1], id_of("t_stump"));
        ck_assert_uint_eq(map.furniture[at + 1], id_of("f_new"));
        ck_assert_uint_eq(map.terrain[at + 2], id_of("t_grass"));
    }
    ck_near(clay, KEYS * 0.75);
}
END_TEST

static int things_at(int x, int y, local_kind kind)
{
    int count = 0;
    for (size_t i = 0; i < map.count; i++)
        count +=
            map.entities[i].x == x && map.entities[i].y == y && map.entities[i].kind == kind;
    return count;
}

/* What an update removes is gone, and nothing else. */
START_TEST(updates_remove)
{
    const mapgen_extra list[] = {{id_of("mx"), id_of("up"), 1, 0, 0}};
    const mapgen_extra_set set = {id_of("set"), 1, list, 1};
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'wood','weight':100000000,'object':{'fill_ter':'t_grass',"
            "'place_item':[{'item':'i','x':[1,3],'y':1,'repeat':30}],"
            "'place_fields':[{'field':'fd','x':1,'y':1},{'field':'fd','x':2,'y':1}],"
            "'place_monster':[{'monster':'m','x':1,'y':1},{'monster':'m','x':2,'y':1},"
            "{'monster':'m','x':3,'y':1}],"
            "'place_furniture':[{'furn':'f','x':1,'y':1},{'furn':'f','x':2,'y':1}]}}"));
    ck_assert(fixture_entry(
        &f, "{'update_mapgen_id':'up','object':{'place_item':[{'item':'new','x':1,'y':1}],"
            "'remove_all':[{'x':1,'y':1}],'set':[{'point':'item_remove','x':2,'y':1},"
            "{'point':'field_remove','x':2,'y':1},{'point':'creature_remove','x':3,'y':1}]}}"));
    make(3, NULL, (mapgen_spawns){0}, 0);
    for (int x = 1; x <= 3; x++)
        ck_assert(things_at(x, 1, LOCAL_ITEM) > 0 && things_at(x, 1, LOCAL_MONSTER) == 1);
    make(3, &set, (mapgen_spawns){0}, 0);
    ck_assert(things_at(1, 1, LOCAL_ITEM) == 1 && things_at(1, 1, LOCAL_FIELD) == 0);
    ck_assert(things_at(1, 1, LOCAL_MONSTER) == 1 && map.furniture[LOCAL_SIDE + 1] == ID_NONE);
    ck_assert(things_at(2, 1, LOCAL_ITEM) == 0 && things_at(2, 1, LOCAL_FIELD) == 0);
    ck_assert(things_at(2, 1, LOCAL_MONSTER) == 1 && map.furniture[LOCAL_SIDE + 2] != ID_NONE);
    ck_assert(things_at(3, 1, LOCAL_ITEM) > 0 && things_at(3, 1, LOCAL_MONSTER) == 0);
}
END_TEST

/* A million removals from a map of a hundred thousand things come to an end. */
START_TEST(removing_is_bounded)
{
    ck_assert(fixture_entry(
        &f, "{'om_terrain':'much','object':{'fill_ter':'t_grass','place_nested':[{'chunks':["
            "'fill'],'x':0,'y':0},{'chunks':['clear'],'x':0,'y':0,'repeat':1000000}]}}"));
    ck_assert(fixture_entry(
        &f, "{'nested_mapgen_id':'fill','object':{'mapgensize':[24,24],'place_fields':["
            "{'field':'fd','x':[0,22],'y':0,'repeat':90000}]}}"));
    ck_assert(fixture_entry(
        &f, "{'nested_mapgen_id':'clear','object':{'mapgensize':[24,24],'set':[{'square':"
            "'item_remove','x':0,'y':0,'x2':23,'y2':23,'repeat':1000000}]}}"));
    make_entry("much", 1);
    ck_assert(map.cut);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen extras");
    TCase *tc = tcase_create("extras");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, sets_have_chances_and_weights);
    tcase_add_test(tc, the_map_is_the_same_without);
    tcase_add_loop_test(tc, places_are_dug, 0, 40);
    tcase_add_test(tc, reeds_grow_by_the_water);
    tcase_add_loop_test(tc, what_grows_is_changed, 0, 40);
    tcase_add_test(tc, terrains_have_spawns);
    tcase_add_test(tc, transforms_are_made);
    tcase_add_test(tc, updates_remove);
    tcase_add_test(tc, removing_is_bounded);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
