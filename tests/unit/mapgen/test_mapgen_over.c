/*
 * What maps are made over and end as: predecessors, present ids for those of before, pseudo ids
 * of the region, walls, bashing, roofs; and what is read of terrain and furniture for that.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

static mapgen_fixture f;
static local_map map;
static mapgen_tiles *tiles;
static ground_settings settings;
static ground_site site;

/* What content says; ' stands for ". */
static const char *const objects[] = {
    "{'type':'terrain','id':'t_wall_x','flags':['WALL'],'move_cost':0,'roof':'t_roof',"
    "'alias':['t_old_wall'],'bash':{'ter_set':'t_rubble'}}",
    "{'type':'terrain','id':'t_wall_y','copy-from':'t_wall_x',"
    "'extend':{'flags':['PLACE_ITEM']}}",
    "{'type':'terrain','id':'t_wall_z','copy-from':'t_wall_y','flags':[],'move_cost':2}",
    "{'type':'terrain','id':'t_roof','bash':{'ter_set':'t_null'}}",
    "{'type':'furniture','id':'f_new','alias':'f_old','bash':{}}",
    "{'type':'ter_furn_migration','from_ter':'t_ancient','to_ter':'t_old_wall'}",
    "{'type':'terrain','id':'t_loop','copy-from':'t_loop'}",
    "{'type':'trap','id':'tr_none'}"};

static json_view view_of(char *text, json_document *document)
{
    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    ck_assert(json_reader_whole(f.reader, text, strlen(text), NULL));
    *document = json_reader_document(f.reader);
    return json_view_of(document);
}

static void read_block(const char *name, const char *json)
{
    char text[400];
    json_document document;
    strcpy(text, json);
    ck_assert(
        ground_settings_read(&settings, f.pool, f.memory, name, view_of(text, &document)));
}

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
    tiles = mapgen_tiles_new(f.pool);
    ck_assert_ptr_nonnull(tiles);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
        char text[400];
        json_document document;
        strcpy(text, objects[i]);
        ck_assert(mapgen_tiles_add(tiles, view_of(text, &document)));
    }
    mapgen_tiles_finish(tiles);
    settings = (ground_settings){0};
    read_block("default_groundcover", "[['t_region_cover',1]]");
    read_block("region_terrain_and_furniture",
               "{'terrain':{'t_region_cover':{'t_grass':1,'t_dead':1}},"
               "'furniture':{'f_region_plant':{'f_fern':1}}}");
    site = (ground_site){.settings = &settings, .pool = f.pool, .key = 9};
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = (ground_omt){.id = "", .type = ""};
    site.around[GROUND_MIDDLE].type = "house";
}

static void teardown(void)
{
    local_map_dispose(&map);
    mapgen_tiles_free(tiles);
    fixture_end(&f);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static mapgen_outcome make(const char *key, int turns)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(key),
                                    .turns = turns,
                                    .key = 5,
                                    .stack_key = 5,
                                    .special_key = 5,
                                    .tiles = tiles,
                                    .site = &site};
    local_map_dispose(&map);
    local_map_init(&map);
    return mapgen_run(&map, &request);
}

static const char *terrain_at(int x, int y)
{
    return fixture_text(&f, map.terrain[y * LOCAL_SIDE + x]);
}

static const char *furniture_at(int x, int y)
{
    return fixture_text(&f, map.furniture[y * LOCAL_SIDE + x]);
}

static void entry(const char *text)
{
    ck_assert_msg(fixture_entry(&f, text) != NULL, "MG%03d %s", f.last_code, f.last);
}

/* ---- terrain and furniture of the content ---- */

START_TEST(tiles_are_read)
{
    const mapgen_tile x = mapgen_terrain_tile(tiles, id_of("t_wall_x"));
    const mapgen_tile y = mapgen_terrain_tile(tiles, id_of("t_wall_y"));
    const mapgen_tile z = mapgen_terrain_tile(tiles, id_of("t_wall_z"));
    ck_assert_int_eq(x.flags, MAPGEN_TILE_KNOWN | MAPGEN_TILE_WALL | MAPGEN_TILE_IMPASSABLE |
                                  MAPGEN_TILE_BASHED);
    ck_assert_int_eq(y.flags, x.flags | MAPGEN_TILE_PLACE_ITEM);
    ck_assert_int_eq(z.flags, MAPGEN_TILE_KNOWN | MAPGEN_TILE_BASHED);
    ck_assert_uint_eq(z.roof, id_of("t_roof"));
    ck_assert_uint_eq(z.bashed, id_of("t_rubble"));
    ck_assert_int_eq(mapgen_terrain_tile(tiles, id_of("t_loop")).flags, MAPGEN_TILE_KNOWN);
    ck_assert_int_eq(mapgen_terrain_tile(tiles, id_of("t_unheard_of")).flags, 0);
    ck_assert_int_eq(mapgen_terrain_tile(NULL, id_of("t_wall_x")).flags, 0);
    ck_assert_int_eq(mapgen_furniture_tile(tiles, id_of("t_wall_x")).flags, 0);
}
END_TEST

START_TEST(ids_of_before_are_present_ones)
{
    ck_assert_uint_eq(mapgen_terrain_now(tiles, id_of("t_ancient")), id_of("t_wall_x"));
    ck_assert_uint_eq(mapgen_terrain_now(tiles, id_of("t_wall_x")), id_of("t_wall_x"));
    entry("{'om_terrain':'house','object':{'fill_ter':'t_old_wall',"
          "'place_furniture':[{'furn':'f_old','x':3,'y':4}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_wall_x");
    ck_assert_str_eq(furniture_at(3, 4), "f_new");
}
END_TEST

/* Rows put present ids; null leaves what is there; the chunk's drawing is cut at the map's
 * borders, and its policy says what becomes of furniture where the terrain becomes another. */
START_TEST(rows_put_what_their_symbols_say)
{
    static const char *const policies[] = {
        "", "'flags':['ERASE_FURNITURE_BEFORE_PLACING_TERRAIN'],"};
    for (int erases = 0; erases < 2; erases++) {
        char chunk[500], house[500];
        snprintf(chunk, sizeof chunk,
                 "{'nested_mapgen_id':'rows%d','object':{%s'mapgensize':[4,4],"
                 "'rows':['abcd','aaaa','eeee','aaaa'],'terrain':{'a':'t_ancient','b':'t_null',"
                 "'c':'t_loop','d':'t_loop','e':'t_loop'},'furniture':{'a':'f_null',"
                 "'b':'f_old'}}}",
                 erases, policies[erases]);
        snprintf(house, sizeof house,
                 "{'om_terrain':'house%d','object':{'fill_ter':'t_grass','place_furniture':["
                 "{'furn':'f_desk','x':[0,23],'y':[0,23],'repeat':9000}],'place_nested':["
                 "{'chunks':['rows%d'],'x':2,'y':3},{'chunks':['rows%d'],'x':22,'y':22}]}}",
                 erases, erases, erases);
        char key[10];
        snprintf(key, sizeof key, "house%d", erases);
        entry(chunk);
        entry(house);
        ck_assert_int_eq(make(key, 0), MAPGEN_MADE);
        const char *left = erases ? "" : "f_desk";
        ck_assert_str_eq(terrain_at(2, 3), "t_wall_x");
        ck_assert_str_eq(furniture_at(2, 3), left);
        ck_assert_str_eq(terrain_at(3, 3), "t_grass");
        ck_assert_str_eq(furniture_at(3, 3), "f_new");
        ck_assert_str_eq(terrain_at(4, 3), "t_loop");
        ck_assert_str_eq(furniture_at(4, 3), left);
        ck_assert_str_eq(terrain_at(6, 3), "t_grass");
        ck_assert_str_eq(terrain_at(5, 6), "t_wall_x");
        ck_assert_str_eq(terrain_at(5, 7), "t_grass");
        ck_assert_str_eq(terrain_at(22, 22), "t_wall_x");
        ck_assert_str_eq(furniture_at(23, 22), "f_new");
        ck_assert_str_eq(terrain_at(23, 23), "t_wall_x");
        ck_assert_str_eq(terrain_at(0, 23), "t_grass");
        ck_assert_str_eq(furniture_at(0, 23), "f_desk");
        ck_assert_str_eq(furniture_at(22, 0), "f_desk");
    }
}
END_TEST

/* ---- over and under ---- */

/* The predecessor lies as it did, however the entry is turned; the fill is under it. */
START_TEST(predecessors_lie_as_they_did)
{
    entry("{'om_terrain':'before','object':{'fill_ter':'t_a',"
          "'place_terrain':[{'ter':'t_mark','x':1,'y':2}]}}");
    entry("{'om_terrain':'house','object':{'fill_ter':'t_b','rotation':1,"
          "'predecessor_mapgen':'before','place_terrain':[{'ter':'t_own','x':5,'y':0}]}}");
    for (int turns = 0; turns < 4; turns++) {
        ck_assert_int_eq(make("house", turns), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(0, 0), "t_a");
        ck_assert_str_eq(terrain_at(1, 2), "t_mark");
        int x = 5, y = 0;
        for (int i = 0; i < turns + 1; i++) {
            const int before = x;
            x = LOCAL_SIDE - 1 - y;
            y = before;
        }
        ck_assert_str_eq(terrain_at(x, y), "t_own");
    }
}
END_TEST

START_TEST(predecessors_may_be_ground)
{
    entry("{'om_terrain':'house','object':{'predecessor_mapgen':'field',"
          "'place_terrain':[{'ter':'t_own','x':5,'y':0}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(5, 0), "t_own");
    ck_assert(strcmp(terrain_at(9, 9), "t_grass") == 0 ||
              strcmp(terrain_at(9, 9), "t_dead") == 0);
}
END_TEST

START_TEST(a_predecessor_of_itself_ends)
{
    entry("{'om_terrain':'house','object':{'fill_ter':'t_b','predecessor_mapgen':'house'}}");
    ck_assert_int_eq(make("house", 1), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_b");
}
END_TEST

START_TEST(without_an_entry_ground_is_made)
{
    site.around[GROUND_MIDDLE].type = "field";
    ck_assert_int_eq(make("field", 0), MAPGEN_GROUND);
    site.around[GROUND_MIDDLE].type = "house";
    ck_assert_int_eq(make("house", 0), MAPGEN_NO_ENTRY);
}
END_TEST

/* ---- what becomes of it ---- */

START_TEST(pseudo_ids_are_the_regions)
{
    int grass = 0;
    entry("{'om_terrain':'house','object':{'fill_ter':'t_region_cover',"
          "'place_furniture':[{'furn':'f_region_plant','x':3,'y':4}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const char *id = fixture_text(&f, map.terrain[i]);
        ck_assert(strcmp(id, "t_grass") == 0 || strcmp(id, "t_dead") == 0);
        grass += strcmp(id, "t_grass") == 0;
    }
    ck_assert_int_gt(grass, LOCAL_CELLS / 3);
    ck_assert_int_lt(grass, 2 * LOCAL_CELLS / 3);
    ck_assert_str_eq(furniture_at(3, 4), "f_fern");
}
END_TEST

/* A wall by coordinates clears furniture, and items but where it has PLACE_ITEM. */
START_TEST(walls_clear_what_stands_there)
{
    entry("{'om_terrain':'house','object':{'fill_ter':'t_a',"
          "'set':[{'square':'furniture','id':'f_new','x':0,'y':0,'x2':9,'y2':0}],"
          "'place_item':[{'item':'rock','x':1,'y':0},{'item':'rock','x':2,'y':0}],"
          "'place_terrain':[{'ter':'t_wall_x','x':1,'y':0},{'ter':'t_wall_y','x':2,'y':0},"
          "{'ter':'t_wall_z','x':3,'y':0}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    ck_assert_str_eq(furniture_at(0, 0), "f_new");
    ck_assert_str_eq(furniture_at(1, 0), "");
    ck_assert_str_eq(furniture_at(2, 0), "");
    ck_assert_str_eq(furniture_at(3, 0), "f_new");
    ck_assert_uint_eq(map.count, 1);
    ck_assert_uint_eq(map.entities[0].x, 2);
}
END_TEST

/* Furniture breaks first; the terrain becomes what it leaves, or dirt. */
START_TEST(bashing_leaves_what_content_says)
{
    entry("{'om_terrain':'house','object':{'fill_ter':'t_wall_x','set':["
          "{'point':'terrain','id':'t_roof','x':1,'y':0},"
          "{'point':'furniture','id':'f_new','x':2,'y':0},"
          "{'point':'terrain','id':'t_tough','x':3,'y':0},"
          "{'line':'bash','x':0,'y':0,'x2':3,'y2':0}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_rubble");
    ck_assert_str_eq(terrain_at(1, 0), "t_dirt");
    ck_assert_str_eq(terrain_at(2, 0), "t_wall_x");
    ck_assert_str_eq(furniture_at(2, 0), "");
    ck_assert_str_eq(terrain_at(3, 0), "t_tough");
}
END_TEST

START_TEST(air_over_a_roofed_terrain_is_its_roof)
{
    local_map below;
    local_map_init(&below);
    entry("{'om_terrain':'house','object':{'fill_ter':'t_open_air',"
          "'place_terrain':[{'ter':'t_floor','x':1,'y':0}]}}");
    ck_assert_int_eq(make("house", 0), MAPGEN_MADE);
    ck_assert(mapgen_wants_roof(&map, f.pool));
    below.terrain[0] = below.terrain[1] = id_of("t_wall_x");
    below.terrain[2] = id_of("t_grass");
    mapgen_put_roofs(&map, &below, tiles, f.pool);
    ck_assert_str_eq(terrain_at(0, 0), "t_roof");
    ck_assert_str_eq(terrain_at(1, 0), "t_floor");
    ck_assert_str_eq(terrain_at(2, 0), "t_open_air");
    ck_assert(!mapgen_wants_roof(&below, f.pool));
    local_map_dispose(&below);
}
END_TEST

/* ---- updates ---- */

static mapgen_outcome update(const char *id, int turns, uint64_t key)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .turns = turns,
                                    .key = key,
                                    .tiles = tiles,
                                    .site = &site};
    return mapgen_update(&map, &request, id_of(id));
}

/* Whatever way a map lies, an update's north is the map's. */
START_TEST(an_update_lies_as_its_map_does)
{
    entry("{'om_terrain':'house','object':{'fill_ter':'t_grass','place_items':"
          "[{'item':'stash','x':[0,23],'y':[0,23],'chance':100,'repeat':[3,9]}]}}");
    entry("{'update_mapgen_id':'shed','object':{'fill_ter':'t_never','set':[{'line':'terrain',"
          "'id':'t_wall_x','x':2,'y':1,'x2':9,'y2':1}],'place_furniture':[{'furn':'f_old',"
          "'x':[0,23],'y':[12,23],'repeat':[1,4]}],'place_vehicles':[{'vehicle':'car','x':5,"
          "'y':5,'chance':100,'rotation':90}]}}");
    ck_assert_int_eq(make("house", _i), MAPGEN_MADE);
    const size_t things = map.count;
    local_entity before[9];
    ck_assert(things >= 3 && things <= 9);
    memcpy(before, map.entities, things * sizeof *before);
    ck_assert_int_eq(update("shed", _i, 77), MAPGEN_MADE);
    for (size_t i = 0; i < things; i++) /* what was there lies where it lay */
        ck_assert(map.entities[i].x == before[i].x && map.entities[i].y == before[i].y);
    local_map_rotate(&map, 4 - _i);
    ck_assert_uint_eq(map.count, things + 1);
    ck_assert_int_eq(map.entities[things].kind, LOCAL_VEHICLE);
    ck_assert_int_eq(map.entities[things].count, 90);
    int walls = 0, new_ones = 0, grass = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        walls += y == 1 && x >= 2 && x <= 9 && strcmp(terrain_at(x, y), "t_wall_x") == 0;
        grass += strcmp(terrain_at(x, y), "t_grass") == 0;
        new_ones += strcmp(furniture_at(x, y), "f_new") == 0;
        ck_assert(furniture_at(x, y)[0] == '\0' || y >= 12);
    }
    ck_assert_int_eq(walls, 8);
    ck_assert_int_eq(grass, LOCAL_CELLS - 8);
    ck_assert(new_ones >= 1 && new_ones <= 4);
}
END_TEST

START_TEST(an_update_there_is_not_leaves_the_map)
{
    entry("{'om_terrain':'house','object':{'fill_ter':'t_grass'}}");
    ck_assert_int_eq(make("house", 1), MAPGEN_MADE);
    ck_assert_int_eq(update("house", 1, 3), MAPGEN_NO_ENTRY); /* no update's id */
    ck_assert_int_eq(update("", 0, 3), MAPGEN_NO_ENTRY);
    for (int i = 0; i < LOCAL_CELLS; i++)
        ck_assert_uint_eq(map.terrain[i], id_of("t_grass"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen over");
    TCase *c = tcase_create("over");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, tiles_are_read);
    tcase_add_test(c, ids_of_before_are_present_ones);
    tcase_add_test(c, rows_put_what_their_symbols_say);
    tcase_add_test(c, predecessors_lie_as_they_did);
    tcase_add_test(c, predecessors_may_be_ground);
    tcase_add_test(c, a_predecessor_of_itself_ends);
    tcase_add_test(c, without_an_entry_ground_is_made);
    tcase_add_test(c, pseudo_ids_are_the_regions);
    tcase_add_test(c, walls_clear_what_stands_there);
    tcase_add_test(c, bashing_leaves_what_content_says);
    tcase_add_test(c, air_over_a_roofed_terrain_is_its_roof);
    tcase_add_loop_test(c, an_update_lies_as_its_map_does, 0, 4);
    tcase_add_test(c, an_update_there_is_not_leaves_the_map);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
