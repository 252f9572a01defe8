/*
 * What is taken away again (vehicles, people), places with a name, tiles that an entry spares,
 * and transforms by flags.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <string.h>

static mapgen_fixture f;
static local_map map;
static mapgen_tiles *tiles;
static mapgen_groups *groups;

static void add(const char *text)
{
    const json_document document = fixture_document(&f, text);
    ck_assert(mapgen_tiles_add(tiles, json_view_of(&document)));
    ck_assert(mapgen_groups_add(groups, json_view_of(&document)));
}

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
    tiles = mapgen_tiles_new(f.pool);
    groups = mapgen_groups_new(f.pool);
    ck_assert(tiles && groups);
}

static void teardown(void)
{
    local_map_dispose(&map);
    mapgen_groups_free(groups);
    mapgen_tiles_free(tiles);
    fixture_end(&f);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static void entry(const char *text)
{
    f.undone[0] = '\0';
    ck_assert_msg(fixture_entry(&f, text) != NULL, "MG%03d %s", f.last_code, f.last);
    ck_assert_str_eq(f.undone, "");
}

static void update(const char *id, int turns)
{
    const mapgen_request request = {
        .library = f.library, .pool = f.pool, .turns = turns, .tiles = tiles, .groups = groups};
    ck_assert_int_eq(mapgen_update(&map, &request, id_of(id)), MAPGEN_MADE);
}

static void make(const char *key, int turns)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(key),
                                    .turns = turns,
                                    .tiles = tiles,
                                    .groups = groups};
    local_map_dispose(&map);
    local_map_init(&map);
    ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
}

/* The ids of a kind, in their order. */
static const char *ids_of(local_kind kind)
{
    static char text[200];
    text[0] = '\0';
    for (size_t i = 0; i < map.count; i++) {
        if (map.entities[i].kind != kind)
            continue;
        strcat(text, text[0] ? " " : "");
        strcat(text, fixture_text(&f, map.entities[i].id));
    }
    return text;
}

static const char *terrain_at(int x, int y)
{
    return fixture_text(&f, map.terrain[y * LOCAL_SIDE + x]);
}

START_TEST(those_that_are_named_go)
{
    entry("{'om_terrain':'yard','object':{'fill_ter':'t','place_vehicles':["
          "{'vehicle':'car','x':2,'y':2,'chance':100},{'vehicle':'van','x':3,'y':3,"
          "'chance':100},{'vehicle':'car','x':20,'y':20,'chance':100}],'place_npcs':["
          "{'class':'guard','x':5,'y':5,'unique_id':'JOE'},{'class':'guard','x':6,'y':5},"
          "{'class':'cook','x':7,'y':5,'unique_id':'ANN'}]}}");
    entry("{'update_mapgen_id':'tow','object':{'remove_vehicles':["
          "{'vehicles':['car'],'x':[0,10],'y':[0,10]}]}}");
    entry("{'update_mapgen_id':'clear','object':{'remove_vehicles':["
          "{'vehicles':[],'x':[0,23],'y':[0,19]}]}}");
    entry("{'update_mapgen_id':'joe','object':{'remove_npcs':["
          "{'unique_id':'JOE','x':[0,23],'y':[0,23]}]}}");
    entry("{'update_mapgen_id':'guards','object':{'remove_npcs':["
          "{'class':'guard','x':[6,23],'y':[0,23]}]}}");
    for (int turns = 0; turns < 4; turns++) {
        make("yard", turns);
        update("tow", turns);
        ck_assert_str_eq(ids_of(LOCAL_VEHICLE), "van car");
        ck_assert_str_eq(ids_of(LOCAL_NPC), "guard guard cook");
        make("yard", turns);
        update("clear", turns);
        ck_assert_str_eq(ids_of(LOCAL_VEHICLE), "car");
        update("guards", turns);
        ck_assert_str_eq(ids_of(LOCAL_NPC), "guard cook");
        update("joe", turns);
        ck_assert_str_eq(ids_of(LOCAL_NPC), "cook");
    }
}
END_TEST

START_TEST(named_places_are_zones)
{
    entry("{'om_terrain':'a','object':{'fill_ter':'t','set':[{'point':'variable','id':'bed',"
          "'x':4,'y':19}],'place_variables':[{'name':'door','x':1,'y':2}]}}");
    make("a", 0);
    ck_assert_uint_eq(map.count, 2);
    ck_assert_str_eq(ids_of(LOCAL_ZONE), "variable variable");
    ck_assert_str_eq(fixture_text(&f, map.entities[0].text), "bed");
    ck_assert_int_eq(map.entities[0].x, 4);
    ck_assert_int_eq(map.entities[0].y, 19);
    ck_assert_str_eq(fixture_text(&f, map.entities[1].text), "door");
}
END_TEST

START_TEST(flags_spare_tiles)
{
    entry("{'om_terrain':'a','object':{'fill_ter':'t','set':[{'point':'terrain','id':"
          "'t_open_air','x':1,'y':1}],'place_monster':[{'monster':'m','x':2,'y':1}]}}");
    entry("{'update_mapgen_id':'air','object':{'flags':['SKIP_ON_OPEN_AIR'],'set':[{'square':"
          "'terrain','id':'t_ash','x':0,'y':0,'x2':3,'y2':3}],'place_furniture':["
          "{'furn':'f','x':[1,2],'y':1,'repeat':40}]}}");
    entry("{'update_mapgen_id':'creatures','object':{'flags':['AVOID_CREATURES'],'rows':["
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa',"
          "'aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa','aaaaaaaaaaaaaaaaaaaaaaaa'],"
          "'terrain':{'a':'t_slab'}}}");
    make("a", 0);
    update("air", 0);
    ck_assert_str_eq(terrain_at(1, 1), "t_open_air");
    ck_assert_str_eq(terrain_at(2, 1), "t_ash");
    ck_assert_uint_eq(map.furniture[LOCAL_SIDE + 1], ID_NONE);
    ck_assert_uint_eq(map.furniture[LOCAL_SIDE + 2], id_of("f"));
    update("creatures", 0);
    ck_assert_str_eq(terrain_at(2, 1), "t_ash");
    ck_assert_str_eq(terrain_at(1, 1), "t_slab");
    ck_assert_str_eq(terrain_at(23, 23), "t_slab");
}
END_TEST

/* By an id, by a flag of its own, by one of what it was copied from. */
START_TEST(transforms_ask_for_flags)
{
    add("{'type':'terrain','id':'t_bush','flags':['SHRUB','FLAMMABLE']}");
    add("{'type':'terrain','id':'t_rose','copy-from':'t_bush'}");
    add("{'type':'terrain','id':'t_lilac','copy-from':'t_bush','extend':{'flags':['SWEET']}}");
    add("{'type':'terrain','id':'t_stone','copy-from':'t_bush','flags':[]}");
    add("{'type':'furniture','id':'f_fern','flags':['PLANT']}");
    add("{'type':'ter_furn_transform','id':'dies','terrain':["
        "{'result':'t_sweet','valid_flags':['SWEET']},"
        "{'result':'t_dirt','valid_terrain':['t_grass'],'valid_flags':['SHRUB']}],"
        "'furniture':[{'result':'f_null','valid_flags':['PLANT','FLOWER']}]}");
    mapgen_tiles_finish(tiles);
    entry("{'om_terrain':'a','object':{'fill_ter':'t_keep','place_terrain':["
          "{'ter':'t_bush','x':0,'y':0},{'ter':'t_rose','x':1,'y':0},{'ter':'t_lilac','x':2,"
          "'y':0},{'ter':'t_stone','x':3,'y':0},{'ter':'t_grass','x':4,'y':0}],"
          "'place_furniture':[{'furn':'f_fern','x':0,'y':0},{'furn':'f_desk','x':1,'y':0}],"
          "'place_ter_furn_transforms':[{'transform':'dies','x':[0,5],'y':0,'repeat':200}]}}");
    make("a", 0);
    static const char *const expected[] = {"t_dirt",  "t_dirt", "t_sweet",
                                           "t_stone", "t_dirt", "t_keep"};
    for (int x = 0; x < 6; x++)
        ck_assert_str_eq(terrain_at(x, 0), expected[x]);
    ck_assert_uint_eq(map.furniture[0], ID_NONE);
    ck_assert_uint_eq(map.furniture[1], id_of("f_desk"));
    ck_assert(mapgen_tile_has(tiles, false, id_of("t_lilac"), id_of("FLAMMABLE")));
    ck_assert(!mapgen_tile_has(tiles, false, id_of("t_stone"), id_of("SHRUB")));
    ck_assert(!mapgen_tile_has(tiles, true, id_of("t_bush"), id_of("SHRUB")));
    ck_assert(!mapgen_tile_has(NULL, false, id_of("t_bush"), id_of("SHRUB")));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen removals");
    TCase *tc = tcase_create("removals");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, those_that_are_named_go);
    tcase_add_test(tc, named_places_are_zones);
    tcase_add_test(tc, flags_spare_tiles);
    tcase_add_test(tc, transforms_ask_for_flags);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
