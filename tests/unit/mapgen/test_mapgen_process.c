/*
 * Post-process generators: what each part does to a map, that a fire is decided once for a
 * special, and that other random numbers stay as they are.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mapgen_fixture f;
static local_map map;
static mapgen_tiles *tiles;
static mapgen_groups *groups;
static mapgen_request request;

static void add(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_tiles_add(tiles, json_view_of(&document)));
    ck_assert(mapgen_groups_add(groups, json_view_of(&document)));
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
    tiles = mapgen_tiles_new(f.pool);
    groups = mapgen_groups_new(f.pool);
    ck_assert(tiles && groups);
    mapgen_tiles_keep_bash(tiles);
    add("{'type':'terrain','id':'t_floor','flags':['INDOORS','FLAMMABLE_HARD','FLAT']}");
    add("{'type':'terrain','id':'t_slab','copy-from':'t_floor','delete':{'flags':"
        "['FLAMMABLE_HARD']}}");
    add("{'type':'terrain','id':'t_wall','flags':['WALL','FLAMMABLE'],'bash':{'str_min':30,"
        "'str_max':200,'ter_set':'t_null'}}");
    add("{'type':'terrain','id':'t_stone','flags':['WALL'],'bash':{'str_min':3,'str_max':6,"
        "'ter_set':'t_gap','items':[{'item':'shard','count':7}],'hit_field':['fd_dust',2],"
        "'destroyed_field':['fd_splinters',1]}}");
    add("{'type':'terrain','id':'t_stairs','flags':['INDOORS','GOES_UP','FLAMMABLE']}");
    add("{'type':'terrain','id':'t_rock','flags':['WALL','NATURAL_UNDERGROUND','FLAMMABLE']}");
    add("{'type':'terrain','id':'t_lawn','flags':['DIGGABLE']}");
    add("{'type':'terrain','id':'t_road','flags':[],'bash':{'str_min':1,'str_max':2,"
        "'bash_below':true,'ter_set':'t_gap'}}");
    add("{'type':'terrain','id':'t_pool','flags':['SWIMMABLE']}");
    add("{'type':'terrain','id':'t_air','flags':['NO_FLOOR']}");
    add("{'type':'furniture','id':'f_desk','flags':['FLAMMABLE'],'bash':{'str_min':8,"
        "'str_max':20,'furn_set':'f_null','hit_field':['fd_dust',2]}}");
    add("{'type':'furniture','id':'f_safe','flags':['NOITEM']}");
    add("{'type':'furniture','id':'f_bed','flags':['SEALED','CONTAINER','PLANT']}");
    mapgen_tiles_finish(tiles);
    request = (mapgen_request){.library = f.library,
                               .pool = f.pool,
                               .tiles = tiles,
                               .groups = groups,
                               .key = 1,
                               .stack_key = 2,
                               .special_key = 2};
}

static void teardown(void)
{
    local_map_dispose(&map);
    mapgen_groups_free(groups);
    mapgen_tiles_free(tiles);
    fixture_end(&f);
}

static void fill(const char *terrain, const char *furniture)
{
    local_map_dispose(&map);
    local_map_init(&map);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        map.terrain[i] = id_of(terrain);
        map.furniture[i] = furniture ? id_of(furniture) : ID_NONE;
    }
}

static void put_item(const char *id, int x, int y, int32_t count, int32_t depth)
{
    const local_entity e = {.kind = LOCAL_ITEM,
                            .id = id_of(id),
                            .x = (uint8_t)x,
                            .y = (uint8_t)y,
                            .x2 = (uint8_t)x,
                            .y2 = (uint8_t)y,
                            .count = count,
                            .status = depth};
    local_map_add(&map, &e);
}

static void process(const char *generator)
{
    const uint32_t id = id_of(generator);
    ck_assert_int_eq(mapgen_process_map(&map, &request, &id, 1), MAPGEN_MADE);
}

static int terrain_count(const char *id)
{
    int count = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        count += map.terrain[i] == id_of(id);
    return count;
}

static int furniture_count(void)
{
    int count = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        count += map.furniture[i] != ID_NONE;
    return count;
}

static int thing_count(local_kind kind, const char *id)
{
    int count = 0;
    for (size_t i = 0; i < map.count; i++)
        count += map.entities[i].kind == kind && map.entities[i].id == id_of(id)
                     ? (kind == LOCAL_ITEM ? map.entities[i].count : 1)
                     : 0;
    return count;
}

/* A blow of the greatest strength breaks, one below the least does nothing, and those between
 * add up. */
START_TEST(blows_break_what_is_weak)
{
    add("{'type':'pp_generator','id':'hit','sub_generators':[{'type':'bash_damage',"
        "'attempts':400,'chance':100,'min_intensity':6,'max_intensity':6}]}");
    fill("t_stone", NULL);
    process("hit");
    const int gaps = terrain_count("t_gap");
    ck_assert_int_gt(gaps, 200);
    ck_assert_int_eq(gaps + terrain_count("t_stone"), LOCAL_CELLS);
    ck_assert_int_eq(thing_count(LOCAL_ITEM, "shard"), 7 * gaps);
    ck_assert_int_eq(thing_count(LOCAL_FIELD, "fd_splinters"), gaps);
    ck_assert_int_eq(thing_count(LOCAL_FIELD, "fd_dust"), 0);
    fill("t_stone", "f_desk"); /* the desk takes the blow */
    process("hit");
    ck_assert_int_eq(terrain_count("t_stone"), LOCAL_CELLS);
    ck_assert_int_eq(furniture_count(), LOCAL_CELLS);
    ck_assert_int_gt(thing_count(LOCAL_FIELD, "fd_dust"), 200);
    static const char *const firm[] = {"t_road", "t_rock", "t_wall", "t_lawn"};
    for (int i = 0; i < 4; i++) {
        fill(firm[i], NULL);
        process("hit");
        ck_assert_int_eq(terrain_count(firm[i]), LOCAL_CELLS);
        ck_assert_uint_eq(map.count, 0);
    }
    add("{'type':'pp_generator','id':'often','sub_generators':[{'type':'bash_damage',"
        "'attempts':20000,'chance':100,'min_intensity':10,'max_intensity':10}]}");
    fill("t_floor", "f_desk"); /* each blow leaves at least 1: 10 of them break it */
    process("often");
    ck_assert_int_eq(furniture_count(), 0);
    add("{'type':'pp_generator','id':'hard','sub_generators':[{'type':'bash_damage',"
        "'attempts':400,'chance':100,'min_intensity':200,'max_intensity':200}]}");
    fill("t_wall", NULL); /* nothing remains of it: ground, or above it air */
    process("hard");
    ck_assert_int_eq(terrain_count("t_dirt") + terrain_count("t_wall"), LOCAL_CELLS);
    ck_assert_int_gt(terrain_count("t_dirt"), 200);
    request.z = 1;
    fill("t_wall", NULL);
    process("hard");
    ck_assert_int_gt(terrain_count("t_open_air"), 200);
}
END_TEST

START_TEST(items_are_thrown_about)
{
    add("{'type':'pp_generator','id':'throw','sub_generators':[{'type':'move_items',"
        "'attempts':3000,'chance':10,'max_intensity':3}]}");
    fill("t_floor", NULL);
    put_item("pen", 12, 12, 40, 0);
    put_item("bag", 12, 12, 1, 0);
    put_item("coin", 12, 12, 9, 1);
    process("throw");
    ck_assert_int_eq(thing_count(LOCAL_ITEM, "pen"), 40);
    ck_assert_int_eq(thing_count(LOCAL_ITEM, "bag"), 1);
    ck_assert_int_eq(thing_count(LOCAL_ITEM, "coin"), 9);
    int places = 0;
    for (size_t i = 0; i < map.count; i++) {
        const local_entity *e = &map.entities[i];
        places += e->status == 0;
        if (e->status == 1) { /* it is still in the bag */
            ck_assert(i > 0 && map.entities[i - 1].id == id_of("bag"));
            ck_assert(map.entities[i - 1].x == e->x && map.entities[i - 1].y == e->y);
        }
    }
    ck_assert_int_gt(places, 5);
    static const char *const kept[][2] = {
        {"t_floor", "f_bed"}, {"t_air", NULL}, {"t_floor", "f_safe"}, {"t_rock", NULL}};
    for (int i = 0; i < 4; i++) {
        fill(kept[i][0], kept[i][1]);
        put_item("pen", 12, 12, 40, 0);
        process("throw");
        ck_assert_uint_eq(map.count, 1);
        ck_assert(map.entities[0].x == 12 && map.entities[0].count == 40);
    }
}
END_TEST

static char seen[LOCAL_CELLS]; /* by the number of an item: how often a step put it down */

static void on_step(void *payload, const mapgen_step *step)
{
    (void)payload;
    const char *id = id_pool_text(f.pool, step->id);
    ck_assert_int_eq(step->what, MAPGEN_TRACED_THING);
    ck_assert_int_eq(step->thing, LOCAL_ITEM);
    seen[atoi(id + strlen("item"))]++;
}

/* What a step removes elsewhere does not hide what it puts on the traced tile: whatever lies
 * there afterwards, and did not before, is told once. */
START_TEST(things_that_are_thrown_are_traced)
{
    enum { ITEMS = 60 };
    int thrown = 0;
    add("{'type':'pp_generator','id':'throw','sub_generators':[{'type':'move_items',"
        "'attempts':3000,'chance':30,'max_intensity':3}]}");
    for (int cell = 0; cell < LOCAL_CELLS; cell++) {
        mapgen_trace trace = {.x = cell % LOCAL_SIDE,
                              .y = cell / LOCAL_SIDE,
                              .on_step = on_step,
                              .chance = 1,
                              .now = {id_of("t_floor"), ID_NONE, ID_NONE},
                              .things = ITEMS};
        char wanted[LOCAL_CELLS] = {0};
        fill("t_floor", NULL);
        for (int i = 0; i < ITEMS; i++) {
            char id[16];
            snprintf(id, sizeof id, "item%d", i);
            put_item(id, i % LOCAL_SIDE, i * 7 % LOCAL_SIDE, 1, 0);
        }
        memset(seen, 0, sizeof seen);
        request.trace = &trace;
        process("throw");
        request.trace = NULL;
        mapgen_trace_dispose(&trace);
        for (size_t i = 0; i < map.count; i++) {
            const int number = atoi(id_pool_text(f.pool, map.entities[i].id) + strlen("item"));
            const bool was = number % LOCAL_SIDE == map.entities[i].x &&
                             number * 7 % LOCAL_SIDE == map.entities[i].y;
            if (map.entities[i].y * LOCAL_SIDE + map.entities[i].x == cell && !was)
                wanted[number] = 1;
        }
        for (int i = 0; i < ITEMS; i++) {
            ck_assert_int_eq(seen[i], wanted[i]);
            thrown += wanted[i];
        }
    }
    ck_assert_int_gt(thrown, ITEMS / 2);
}
END_TEST

/* A row of each terrain, with furniture and an item on each tile of the rows. */
static void rows_of_all(void)
{
    static const char *const all[] = {"t_floor", "t_slab", "t_wall", "t_stone", "t_stairs",
                                      "t_rock",  "t_lawn", "t_road", "t_pool"};
    fill("t_road", NULL);
    for (int row = 0; row < 9; row++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const int cell = row * LOCAL_SIDE + x;
            map.terrain[cell] = id_of(all[row]);
            map.furniture[cell] = x % 3 == 0   ? id_of("f_desk")
                                  : x % 3 == 1 ? id_of("f_safe")
                                               : ID_NONE;
            put_item("pen", x, row, 1, 0);
        }
}

static void check_rows(const char *const expected[9], const char *desk, const char *safe)
{
    for (int row = 0; row < 9; row++)
        for (int x = 0; x < LOCAL_SIDE; x++) {
            const int cell = row * LOCAL_SIDE + x;
            const bool spared = row == 4 || row == 5;
            const char *left = x % 3 == 0   ? (spared ? "f_desk" : desk)
                               : x % 3 == 1 ? (spared ? "f_safe" : safe)
                                            : "";
            ck_assert_str_eq(id_pool_text(f.pool, map.terrain[cell]), expected[row]);
            ck_assert_msg(strcmp(id_pool_text(f.pool, map.furniture[cell]), left) == 0,
                          "%s on %s", id_pool_text(f.pool, map.furniture[cell]), expected[row]);
        }
}

/* By the content's generator only what is flammable burns; by the flag alone, all. */
START_TEST(fires_burn_what_burns)
{
    static const char *const some[9] = {"t_floor_burnt", "t_slab",   "t_wall_burnt",
                                        "t_stone",       "t_stairs", "t_rock",
                                        "t_dirt",        "t_road",   "t_pool"};
    static const char *const all[9] = {"t_floor_burnt", "t_floor_burnt", "t_wall_burnt",
                                       "t_wall_burnt",  "t_stairs",      "t_rock",
                                       "t_dirt",        "t_dirt",        "t_dirt"};
    add("{'type':'pp_generator','id':'burns','sub_generators':[{'type':'pre_burn','attempts':1,"
        "'min_intensity':100,'max_intensity':100,'scaling_days_start':1,"
        "'scaling_days_end':2}]}");
    rows_of_all();
    process("burns");
    check_rows(some, "", "f_safe");
    ck_assert_int_eq(thing_count(LOCAL_ITEM, "pen"), 3 * LOCAL_SIDE); /* stairs, rock, water */
    for (request.z = -1; request.z <= 1; request.z += 2) { /* dirt is on the ground alone */
        rows_of_all();
        process("burns");
        ck_assert_int_eq(terrain_count("t_dirt"), 0);
    }
    request.z = 0;
    int burnt = 0;
    for (request.key = 1; request.key <= 400; request.key++) {
        rows_of_all();
        process(MAPGEN_RIOT_DAMAGE);
        if (terrain_count("t_floor_burnt") == 0)
            continue;
        burnt++;
        for (size_t i = 0; i < map.count; i++) /* blood comes after the fire */
            if (map.entities[i].kind == LOCAL_ITEM)
                ck_assert(map.entities[i].y == 4 || map.entities[i].y == 5);
        for (int row = 0; row < 9; row++) /* what was not bashed before */
            ck_assert_int_gt(terrain_count(all[row]), 0);
    }
    ck_assert_int_ge(burnt, 20); /* 10 % are burnt on the fifth day */
    ck_assert_int_le(burnt, 60);
    for (request.key = 1; request.key <= 200; request.key++) {
        rows_of_all();
        process(MAPGEN_RIOT_DAMAGE_ROAD); /* streets do not burn */
        ck_assert_int_eq(terrain_count("t_floor_burnt"), 0);
    }
}
END_TEST

START_TEST(a_special_burns_as_a_whole)
{
    add("{'type':'pp_generator','id':'half','sub_generators':[{'type':'pre_burn','attempts':1,"
        "'scope':'overmap_special','min_intensity':50,'max_intensity':50,"
        "'scaling_days_start':1,'scaling_days_end':2}]}");
    add("{'type':'pp_generator','id':'mod','copy-from':'half'}");
    add("{'type':'pp_generator','id':'half','copy-from':'half'}");
    int burnt = 0, alone = 0;
    for (uint64_t special = 10; special < 110; special++) {
        int of = 0;
        request.special_key = special;
        for (request.key = 1; request.key <= 5; request.key++) {
            request.turn = (int64_t)request.key * 86400 * 3; /* whenever it is visited */
            fill("t_floor", NULL);
            process(special % 2 ? "half" : "mod");
            of += terrain_count("t_floor_burnt") > 0;
        }
        ck_assert(of == 0 || of == 5);
        burnt += of == 5;
    }
    ck_assert_int_gt(burnt, 30);
    ck_assert_int_lt(burnt, 70);
    request.special_key = request.stack_key; /* no special: each map has its own */
    for (request.key = 1; request.key <= 100; request.key++) {
        fill("t_floor", NULL);
        process("half");
        alone += terrain_count("t_floor_burnt") > 0;
    }
    ck_assert_int_gt(alone, 30);
    ck_assert_int_lt(alone, 70);
}
END_TEST

/* The chance of fires falls day by day, that of a burnt map grows. */
START_TEST(days_count)
{
    add("{'type':'pp_generator','id':'fire','sub_generators':[{'type':'add_fire',"
        "'attempts':1000,'min_intensity':1,'max_intensity':3,'scaling_days_end':14}]}");
    add("{'type':'pp_generator','id':'burn','sub_generators':[{'type':'pre_burn','attempts':1,"
        "'min_intensity':6,'max_intensity':28,'scaling_days_start':3,"
        "'scaling_days_end':14}]}");
    fill("t_floor", NULL);
    process("fire"); /* 9 of 100 */
    const int fires = thing_count(LOCAL_FIELD, "fd_fire");
    ck_assert_int_gt(fires, 40);
    ck_assert_int_lt(fires, 140);
    for (size_t i = 0; i < map.count; i++)
        ck_assert(map.entities[i].count >= 1 && map.entities[i].count <= 3);
    fill("t_stone", NULL); /* nothing flammable */
    process("fire");
    ck_assert_uint_eq(map.count, 0);
    request.turn = 9 * 86400;
    fill("t_floor", NULL);
    process("fire");
    ck_assert_uint_eq(map.count, 0);
    int burnt = 0;
    for (request.key = 1; request.key <= 1000; request.key++) {
        fill("t_floor", NULL);
        process("burn");
        burnt += terrain_count("t_floor_burnt") > 0;
    }
    ck_assert_int_gt(burnt, 230); /* 28 of 100 */
    ck_assert_int_lt(burnt, 330);
}
END_TEST

START_TEST(blood_keeps_to_its_ground)
{
    add("{'type':'pp_generator','id':'blood','sub_generators':[{'type':'place_blood',"
        "'attempts':576,'chance':15}]}");
    int tiles_of_blood = 0;
    for (request.key = 1; request.key <= 50; request.key++) {
        fill("t_floor", NULL);
        for (int i = 0; i < LOCAL_CELLS; i += 2) {
            map.terrain[i] = id_of(i % 3 ? "t_rock" : "t_wall");
            map.furniture[i + 1] = i % 5 ? ID_NONE : id_of("f_desk");
        }
        process("blood");
        for (size_t i = 0; i < map.count; i++) {
            const local_entity *e = &map.entities[i];
            const int cell = e->y * LOCAL_SIDE + e->x;
            ck_assert(e->kind == LOCAL_FIELD && e->id == id_of("fd_blood") && e->count == 3);
            ck_assert(map.terrain[cell] != id_of("t_rock"));
            for (size_t k = 0; k < i; k++)
                ck_assert(map.entities[k].x != e->x || map.entities[k].y != e->y);
            ck_assert(map.furniture[cell] == ID_NONE);
        }
        tiles_of_blood += (int)map.count;
    }
    ck_assert_int_gt(tiles_of_blood, 200);
    request.turn = 25 * 86400; /* rain has washed all of it away in the open */
    fill("t_road", NULL);
    process("blood");
    ck_assert_uint_eq(map.count, 0);
}
END_TEST

START_TEST(transforms_and_unknown_parts)
{
    add("{'type':'ter_furn_transform','id':'dies','terrain':[{'result':'t_dirt',"
        "'valid_terrain':['t_lawn']}],'furniture':[{'result':'f_safe',"
        "'valid_furniture':['f_desk']}]}");
    add("{'type':'pp_generator','id':'change','sub_generators':[{'type':'ter_furn_transform',"
        "'chance':50,'ter_furn_transform_used':'dies'},{'type':'aftershock_ruin'}]}");
    fill("t_lawn", "f_desk");
    process("change");
    int both = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool changed = map.terrain[i] == id_of("t_dirt");
        ck_assert(changed == (map.furniture[i] == id_of("f_safe")));
        both += changed;
    }
    ck_assert_int_gt(both, 200);
    ck_assert_int_lt(both, 376);
    fill("t_lawn", "f_desk");
    process("nothing_has_this_id");
    ck_assert_int_eq(terrain_count("t_lawn"), LOCAL_CELLS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen process");
    TCase *tc = tcase_create("processes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, blows_break_what_is_weak);
    tcase_add_test(tc, items_are_thrown_about);
    tcase_add_test(tc, things_that_are_thrown_are_traced);
    tcase_add_test(tc, fires_burn_what_burns);
    tcase_add_test(tc, a_special_burns_as_a_whole);
    tcase_add_test(tc, days_count);
    tcase_add_test(tc, blood_keeps_to_its_ground);
    tcase_add_test(tc, transforms_and_unknown_parts);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
