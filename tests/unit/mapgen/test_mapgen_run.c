/*
 * Maps made of compiled mapgen: the order of the steps, blocks of grids, rotation, chunks; the
 * same map for the same key; and that what is hostile is bounded.
 */
#include "core/bytes.h"
#include "mapgen/run/run.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <stdlib.h>
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

static void north_is_road(mapgen_omt *out, void *payload, int direction)
{
    (void)payload;
    *out = (mapgen_omt){.seen = {.id = "", .type = ""}};
    if (direction == 0)
        out->seen = (ground_omt){.id = "road_ns", .type = "road"};
    if (direction == MAPGEN_ABOVE)
        out->seen = (ground_omt){.id = "house_roof_north", .type = "house_roof"};
}

/* Makes the map of `key` anew. */
static mapgen_outcome make(const char *key, uint64_t seed, int turns)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(key),
                                    .turns = turns,
                                    .z = 0,
                                    .key = seed,
                                    .stack_key = seed,
                                    .special_key = seed + 1,
                                    .neighbour = north_is_road};
    local_map_dispose(&map);
    local_map_init(&map);
    return mapgen_run(&map, &request);
}

static void entry(const char *object)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "{'om_terrain':'house','object':{'fill_ter':'t_fill',%s}}", object);
    ck_assert_msg(fixture_entry(&f, bytes_text(&text)) != NULL, "MG%03d %s", f.last_code,
                  f.last);
    bytes_dispose(&text);
}

/* 24 rows of points with the words in their corner, each on a row of its own. */
static void entry_with_rows(const char *const *words, int count, const char *members)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "'rows':[");
    for (int y = 0; y < 24; y++)
        bytes_printf(&text, "%s'%s%.*s'", y ? "," : "", y < count ? words[y] : "",
                     24 - (y < count ? (int)strlen(words[y]) : 0), "........................");
    bytes_printf(&text, "],%s", members);
    entry(bytes_text(&text));
    bytes_dispose(&text);
}

static const char *terrain_at(int x, int y)
{
    return id_pool_text(f.pool, map.terrain[y * LOCAL_SIDE + x]);
}

static const char *furniture_at(int x, int y)
{
    return id_pool_text(f.pool, map.furniture[y * LOCAL_SIDE + x]);
}

/* Plain terrain comes before `set`, alternatives behind it, coordinates last. */
START_TEST(steps_follow_each_other)
{
    static const char *const words[] = {"abcn"};
    entry_with_rows(words, 1,
                    "'terrain':{'a':'t_a','b':['t_b'],'c':['t_c'],'n':'t_null'},"
                    "'furniture':{'a':'f_a'},"
                    "'set':[{'line':'terrain','id':'t_set','x':0,'y':0,'x2':3,'y2':0}],"
                    "'place_terrain':[{'ter':'t_placed','x':2,'y':0}]");
    ck_assert_int_eq(make("house", 1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_set");
    ck_assert_str_eq(terrain_at(1, 0), "t_b");
    ck_assert_str_eq(terrain_at(2, 0), "t_placed");
    ck_assert_str_eq(terrain_at(3, 0), "t_set");
    ck_assert_str_eq(terrain_at(4, 0), "t_fill");
    ck_assert_str_eq(furniture_at(0, 0), "f_a");
}
END_TEST

START_TEST(null_terrain_keeps_the_fill)
{
    static const char *const words[] = {"n"};
    entry_with_rows(words, 1, "'terrain':{'n':'t_null'}");
    ck_assert_int_eq(make("house", 1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_fill");
}
END_TEST

START_TEST(later_palettes_count_and_pieces_add_up)
{
    static const char *const words[] = {"ab"};
    ck_assert(fixture_palette(&f, "{'id':'p','terrain':{'a':'t_1','b':['t_2']},"
                                  "'items':{'a':{'item':'g1','chance':100}}}"));
    ck_assert(fixture_palette(&f, "{'id':'q','terrain':{'a':['t_3'],'b':'t_4'},"
                                  "'items':{'a':{'item':'g2','chance':100}}}"));
    entry_with_rows(words, 1, "'palettes':['p','q'],'items':{'a':{'item':'g3','chance':100}}");
    ck_assert_int_eq(make("house", 1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_3");
    ck_assert_str_eq(terrain_at(1, 0), "t_4");
    ck_assert_uint_eq(map.count, 3);
    for (size_t i = 0; i < 3; i++) {
        char group[3] = {'g', (char)('1' + i), '\0'};
        ck_assert_str_eq(id_pool_text(f.pool, map.entities[i].id), group);
        ck_assert_int_eq(map.entities[i].kind, LOCAL_ITEM_GROUP);
    }
}
END_TEST

/* A tile in a corner, a rectangle and a vehicle go round clockwise. */
START_TEST(turns_are_clockwise)
{
    static const int corners[4][2] = {{3, 1}, {22, 3}, {20, 22}, {1, 20}};
    entry("'place_terrain':[{'ter':'t_x','x':3,'y':1}],"
          "'place_zones':[{'type':'z','faction':'f','x':[2,5],'y':[1,3]}],"
          "'place_vehicles':[{'vehicle':'v','x':3,'y':1,'rotation':270,'chance':100}]");
    for (int turns = 0; turns < 4; turns++) {
        ck_assert_int_eq(make("house", 9, turns), MAPGEN_MADE);
        const int x = corners[turns][0], y = corners[turns][1];
        ck_assert_str_eq(terrain_at(x, y), "t_x");
        ck_assert_uint_eq(map.count, 2);
        const local_entity *v = &map.entities[0], *z = &map.entities[1];
        ck_assert_int_eq(v->kind, LOCAL_VEHICLE);
        ck_assert(v->x == x && v->y == y && v->count == (270 + 90 * turns) % 360);
        ck_assert_int_eq(z->kind, LOCAL_ZONE);
        ck_assert_int_eq((z->x2 - z->x) * (z->y2 - z->y), 6);
        ck_assert_int_eq(z->x2 - z->x, turns % 2 ? 2 : 3);
    }
}
END_TEST

/* The rectangle of a chunk that hangs over the border ends there, on whichever side that comes
 * to lie. */
START_TEST(rectangles_end_at_the_border)
{
    static const int corners[4][4] = {
        {20, 22, 23, 23}, {0, 20, 1, 23}, {0, 0, 3, 1}, {22, 0, 23, 3}};
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'c','object':{'mapgensize':[6,6],"
                                "'place_zones':[{'type':'z','faction':'f','x':[0,5],"
                                "'y':[1,4]}]}}"));
    entry("'place_nested':[{'chunks':['c'],'x':20,'y':21}]");
    for (int turns = 0; turns < 4; turns++) {
        ck_assert_int_eq(make("house", 9, turns), MAPGEN_MADE);
        ck_assert_uint_eq(map.count, 1);
        const local_entity *z = &map.entities[0];
        const int *c = corners[turns];
        ck_assert_msg(z->x == c[0] && z->y == c[1] && z->x2 == c[2] && z->y2 == c[3],
                      "%d: %d,%d to %d,%d", turns, z->x, z->y, z->x2, z->y2);
    }
}
END_TEST

/* Of alternatives that all weigh 0 none is taken, nor ever one of them beside others. */
START_TEST(what_weighs_nothing_is_never_taken)
{
    static const char *const words[] = {"ab"};
    entry_with_rows(
        words, 1,
        "'terrain':{'a':[['t_0',0],['t_00',0]],'b':[['t_0',0],['t_1',2],['t_00',0]]}");
    for (uint64_t seed = 0; seed < 60; seed++) {
        ck_assert_int_eq(make("house", seed, 0), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(0, 0), "t_fill");
        ck_assert_str_eq(terrain_at(1, 0), "t_1");
    }
}
END_TEST

START_TEST(an_entrys_own_rotation_is_drawn)
{
    int seen[4] = {0};
    entry("'rotation':[0,3],'place_terrain':[{'ter':'t_x','x':0,'y':0}]");
    for (uint64_t seed = 0; seed < 400; seed++) {
        ck_assert_int_eq(make("house", seed, 0), MAPGEN_MADE);
        const int corner = strcmp(terrain_at(0, 0), "t_x") == 0     ? 0
                           : strcmp(terrain_at(23, 0), "t_x") == 0  ? 1
                           : strcmp(terrain_at(23, 23), "t_x") == 0 ? 2
                                                                    : 3;
        seen[corner]++;
    }
    for (int i = 0; i < 4; i++) /* 100 each, 5.8 standard deviations */
        ck_assert(seen[i] > 50 && seen[i] < 150);
}
END_TEST

/* Weights of alternatives, chances and entries are met over many keys. */
START_TEST(weights_are_met)
{
    enum { KEYS = 4000 };
    int ones = 0, items = 0, second = 0, monsters = 0;
    ck_assert(fixture_entry(&f,
                            "{'om_terrain':'house','weight':300,'object':{'fill_ter':"
                            "[['t_1',3],'t_2'],'place_items':[{'item':'g','x':1,'y':1,"
                            "'chance':30}],'place_monsters':[{'monster':'m','x':[0,23],'y':1,"
                            "'chance':5}]}}"));
    ck_assert(
        fixture_entry(&f, "{'om_terrain':'house','weight':100,'object':{'fill_ter':'t_3'}}"));
    for (uint64_t seed = 0; seed < KEYS; seed++) {
        ck_assert_int_eq(make("house", seed * 7919, 0), MAPGEN_MADE);
        second += strcmp(terrain_at(0, 0), "t_3") == 0;
        ones += strcmp(terrain_at(0, 0), "t_1") == 0;
        for (size_t i = 0; i < map.count; i++) {
            items += map.entities[i].kind == LOCAL_ITEM_GROUP;
            monsters += map.entities[i].kind == LOCAL_MONSTER_GROUP;
        }
    }
    /* 4,000 / 4; 3,000 x 3/4; x 0.3; x 1/5: each within five standard deviations */
    ck_assert(abs(second - 1000) < 140);
    ck_assert(abs(ones - 2250) < 160);
    ck_assert(abs(items - 900) < 140);
    ck_assert(abs(monsters - 600) < 120);
}
END_TEST

START_TEST(blocks_of_a_grid_are_made_alone)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text,
                 "{'om_terrain':[['a','b'],['c','d']],'object':{'terrain':{'0':'t_0','1':"
                 "'t_1','2':'t_2','3':'t_3'},'place_item':[{'item':'i','x':30,'y':25}],"
                 "'rows':[");
    for (int y = 0; y < 48; y++) {
        bytes_printf(&text, "%s'", y ? "," : "");
        for (int x = 0; x < 48; x++)
            bytes_put_u8(&text, (uint8_t)('0' + y / 24 * 2 + x / 24));
        bytes_printf(&text, "'");
    }
    bytes_printf(&text, "]}}");
    ck_assert(fixture_entry(&f, bytes_text(&text)));
    bytes_dispose(&text);
    for (int i = 0; i < 4; i++) {
        const char key[2] = {(char)('a' + i), '\0'};
        char wanted[4] = {'t', '_', (char)('0' + i), '\0'};
        ck_assert_int_eq(make(key, 3, 0), MAPGEN_MADE);
        for (int k = 0; k < LOCAL_CELLS; k++)
            ck_assert_str_eq(terrain_at(k % 24, k / 24), wanted);
        ck_assert_uint_eq(map.count, i == 3);
        if (i == 3)
            ck_assert(map.entities[0].x == 6 && map.entities[0].y == 1);
    }
}
END_TEST

START_TEST(chunks_look_at_their_neighbours)
{
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'c','object':{'mapgensize':[2,2],'rows':["
                                "'x ',' x'],'terrain':{'x':'t_chunk'}}}"));
    ck_assert(fixture_entry(&f, "{'nested_mapgen_id':'e','object':{'mapgensize':[1,1],'rows':["
                                "'x'],'terrain':{'x':'t_else'}}}"));
    entry("'place_nested':["
          "{'chunks':['c'],'x':4,'y':4,'neighbors':{'north':['rail','road']}},"
          "{'chunks':['c'],'else_chunks':['e'],'x':8,'y':4,'neighbors':{'south':'road'}},"
          "{'chunks':['c'],'x':12,'y':4,'neighbors':{'north':'road','above':{'om_terrain':"
          "'house_roof','om_terrain_match_type':'TYPE'}}},"
          "{'chunks':['c'],'else_chunks':['e'],'x':16,'y':4,'check_z':[1,2]},"
          "{'chunks':['null'],'x':20,'y':4},{'chunks':['c'],'x':23,'y':23}]");
    ck_assert_int_eq(make("house", 1, 0), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(4, 4), "t_chunk");
    ck_assert_str_eq(terrain_at(5, 4), "t_fill");
    ck_assert_str_eq(terrain_at(5, 5), "t_chunk");
    ck_assert_str_eq(terrain_at(8, 4), "t_else");
    ck_assert_str_eq(terrain_at(12, 4), "t_chunk");
    ck_assert_str_eq(terrain_at(16, 4), "t_else");
    ck_assert_str_eq(terrain_at(20, 4), "t_fill");
    ck_assert_str_eq(terrain_at(23, 23), "t_chunk"); /* the rest of it lies outside */
}
END_TEST

START_TEST(compound_pieces)
{
    static const char *const words[] = {"tsvgcS"};
    entry_with_rows(
        words, 1,
        "'furniture':{'c':'f_desk'},'toilets':{'t':{}},'signs':{'s':{'signage':'Hi'}},"
        "'vendingmachines':{'v':{'item_group':'g','reinforced':true}},"
        "'gaspumps':{'g':{'fuel':'diesel','amount':500}},'computers':{'c':{'name':'x'}},"
        "'sealed_item':{'S':{'furniture':'f_plant','item':{'item':'seed'}}}");
    ck_assert_int_eq(make("house", 1, 0), MAPGEN_MADE);
    ck_assert_str_eq(furniture_at(0, 0), "f_toilet");
    ck_assert_str_eq(furniture_at(1, 0), "f_sign");
    ck_assert_str_eq(furniture_at(2, 0), "f_vending_reinforced");
    ck_assert_str_eq(terrain_at(3, 0), "t_diesel_pump");
    ck_assert_str_eq(terrain_at(4, 0), "t_console");
    ck_assert_str_eq(furniture_at(4, 0), "");
    ck_assert_str_eq(furniture_at(5, 0), "f_plant");
    ck_assert_uint_eq(map.count, 6);
    ck_assert_int_eq(map.entities[0].charges, 24);
    ck_assert_int_eq(map.entities[3].charges, 500);
}
END_TEST

/* A parameter is the same for all that asks for it in one map, and others for other maps. */
START_TEST(parameters_hold_in_their_scope)
{
    static const char *const words[] = {"ab"};
    int seen[2] = {0};
    entry_with_rows(words, 1,
                    "'parameters':{'p':{'type':'ter_str_id','scope':'omt','default':"
                    "{'distribution':['t_1','t_2']}}},'terrain':{'a':{'param':'p'},"
                    "'b':{'switch':{'param':'p'},'cases':{'t_1':'t_one','t_2':'t_two'}}}");
    for (uint64_t seed = 0; seed < 60; seed++) {
        ck_assert_int_eq(make("house", seed, 0), MAPGEN_MADE);
        const int two = strcmp(terrain_at(0, 0), "t_2") == 0;
        ck_assert_str_eq(terrain_at(1, 0), two ? "t_two" : "t_one");
        seen[two]++;
    }
    ck_assert(seen[0] > 5 && seen[1] > 5);
}
END_TEST

/* Chunks that contain themselves, and pieces without end. */
START_TEST(what_has_no_end_is_bounded)
{
    ck_assert(fixture_entry(&f,
                            "{'nested_mapgen_id':'loop','object':{'mapgensize':[1,1],"
                            "'place_nested':[{'chunks':['loop'],'x':0,'y':0,'repeat':9}]}}"));
    ck_assert(fixture_entry(&f, "{'om_terrain':'a','object':{'fill_ter':'t','place_nested':"
                                "[{'chunks':['loop'],'x':0,'y':0}]}}"));
    ck_assert(fixture_entry(&f, "{'om_terrain':'b','object':{'fill_ter':'t','place_loot':"
                                "[{'item':'i','x':0,'y':0,'repeat':2147483647}]}}"));
    ck_assert(
        fixture_entry(&f, "{'om_terrain':'c','object':{'fill_ter':'t','set':"
                          "[{'point':'terrain','id':'u','x':0,'y':0,'repeat':2147483647}]}}"));
    for (char key[2] = "a"; key[0] <= 'c'; key[0]++) {
        ck_assert_int_eq(make(key, 1, 0), MAPGEN_MADE);
        ck_assert(map.cut);
        ck_assert_uint_le(map.count, LOCAL_ENTITIES_MAX);
    }
    ck_assert_int_eq(make("e", 1, 0), MAPGEN_NO_ENTRY);
}
END_TEST

/* A million placements, each told in content, are read, and end at the bound of a map's things.
 */
START_TEST(a_million_placements_are_bounded)
{
    enum { PLACEMENTS = 1000000 };
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text,
                   "{\"om_terrain\":\"a\",\"object\":{\"fill_ter\":\"t\",\"place_graffiti\":[");
    for (int i = 0; i < PLACEMENTS; i++)
        bytes_put_text(&text, i % 2 ? "{\"text\":\"q\",\"x\":0,\"y\":0},"
                                    : "{\"text\":\"q\",\"x\":5,\"y\":[1,9]},");
    bytes_put_text(&text, "{\"text\":\"q\",\"x\":23,\"y\":23}]}}");
    ck_assert_ptr_nonnull(bytes_text(&text));
    const mapgen_entry *e = fixture_compile(&f, (const char *)text.data, text.size);
    ck_assert_ptr_nonnull(e);
    ck_assert_uint_eq(e->placed.count, PLACEMENTS + 1);
    ck_assert(mapgen_library_add_entry(f.library, e));
    ck_assert_int_eq(make("a", 1, 0), MAPGEN_MADE);
    ck_assert(map.cut);
    ck_assert_uint_eq(map.count, LOCAL_ENTITIES_MAX);
    bytes_dispose(&text);
}
END_TEST

/* The same key makes the same map, whatever was made before; ids are compared as texts, since a
 * pool numbers them as they come. */
START_TEST(maps_are_functions_of_their_keys)
{
    static const char *const words[] = {"abc", "cba", "aaa"};
    entry_with_rows(
        words, 3,
        "'terrain':{'a':['t_1','t_2','t_3'],'b':[['t_1',9],'t_4'],'c':'t_c'},"
        "'items':{'a':{'item':'g','chance':50,'repeat':[1,3]}},'set':[{'square':"
        "'radiation','amount':[1,9],'x':[1,9],'y':3,'x2':[2,20],'y2':9,'repeat':3}]");
    ck_assert_int_eq(make("house", (uint64_t)_i, 1), MAPGEN_MADE);
    const local_map first = map;
    local_entity *entities = malloc((map.count + 1) * sizeof *entities);
    ck_assert_ptr_nonnull(entities);
    memcpy(entities, map.entities, map.count * sizeof *entities);
    ck_assert_int_eq(make("house", (uint64_t)_i + 1000, 2), MAPGEN_MADE);
    ck_assert(memcmp(first.radiation, map.radiation, sizeof map.radiation) != 0);
    ck_assert_int_eq(make("house", (uint64_t)_i, 1), MAPGEN_MADE);
    ck_assert_mem_eq(first.terrain, map.terrain, sizeof map.terrain);
    ck_assert_mem_eq(first.radiation, map.radiation, sizeof map.radiation);
    ck_assert_uint_eq(first.count, map.count);
    ck_assert(map.count == 0 ||
              memcmp(entities, map.entities, map.count * sizeof *entities) == 0);
    for (size_t i = 0; i < map.count; i++)
        ck_assert(map.entities[i].x < LOCAL_SIDE && map.entities[i].y < LOCAL_SIDE);
    free(entities);
}
END_TEST

static bool geometric;

/* The mean of what a chance makes of `items`, over many keys. */
static double mean_of_items(int chance)
{
    enum { KEYS = 3000 };
    char text[200];
    size_t made = 0;
    snprintf(text, sizeof text,
             "{'om_terrain':'loop%d','object':{'fill_ter':'t','place_items':[{'item':'g','x':"
             "[0,23],'y':1,'chance':%d}]}}",
             chance, chance);
    ck_assert_ptr_nonnull(fixture_entry(&f, text));
    snprintf(text, sizeof text, "loop%d", chance);
    for (uint64_t key = 0; key < KEYS; key++) {
        const mapgen_request request = {.library = f.library,
                                        .pool = f.pool,
                                        .terrain = id_of(text),
                                        .key = key * 7919,
                                        .items_geometric = geometric};
        local_map_dispose(&map);
        local_map_init(&map);
        ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
        made += map.count;
    }
    return (double)made / KEYS;
}

/* By the oldest rule passes go on while the chance holds, c / (100 - c) of them in the mean; of
 * 100 it is one, and a hundred are the most. By the later one there is one at most. */
START_TEST(items_loop_by_the_contents_rule)
{
    geometric = true;
    const double half = mean_of_items(50), most = mean_of_items(80), all = mean_of_items(100);
    ck_assert_msg(half > 0.87 && half < 1.13, "%g", half);
    ck_assert_msg(most > 3.6 && most < 4.4, "%g", most);
    ck_assert_msg(all == 1, "%g", all);
    geometric = false;
    const double later = mean_of_items(80);
    ck_assert_msg(later > 0.76 && later < 0.84, "%g", later);
}
END_TEST

/* North has A, east has B. */
static bool some_flags(void *payload, int direction, const char *flag)
{
    (void)payload;
    return (direction == 0 && strcmp(flag, "A") == 0) ||
           (direction == 2 && strcmp(flag, "B") == 0);
}

/* `flags` must hold in each direction, `flags_any` in one of them. */
START_TEST(chunks_look_at_flags)
{
    static const struct {
        const char *condition;
        bool holds;
    } cases[] = {{"'flags':{'north':['A']}", true},
                 {"'flags':{'north':['X','A']}", true},
                 {"'flags':{'north':['A'],'east':['B']}", true},
                 {"'flags':{'north':['A'],'east':['A']}", false},
                 {"'flags_any':{'north':['B'],'east':['B']}", true},
                 {"'flags_any':{'north':['B'],'south':['A','B']}", false},
                 {"'flags':{'north':['A']},'flags_any':{'west':['A']}", false}};
    ck_assert_ptr_nonnull(
        fixture_entry(&f, "{'nested_mapgen_id':'yes','object':{'mapgensize':[1,1],"
                          "'place_terrain':[{'ter':'t_yes','x':0,'y':0}]}}"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300], key[16];
        snprintf(key, sizeof key, "flags%zu", i);
        snprintf(
            text, sizeof text,
            "{'om_terrain':'%s','object':{'fill_ter':'t','place_nested':[{'chunks':['yes'],"
            "'x':5,'y':5,%s}]}}",
            key, cases[i].condition);
        ck_assert_ptr_nonnull(fixture_entry(&f, text));
        const mapgen_request request = {.library = f.library,
                                        .pool = f.pool,
                                        .terrain = id_of(key),
                                        .has_flag = some_flags};
        local_map_dispose(&map);
        local_map_init(&map);
        ck_assert_int_eq(mapgen_run(&map, &request), MAPGEN_MADE);
        ck_assert_msg((strcmp(terrain_at(5, 5), "t_yes") == 0) == cases[i].holds, "%s",
                      cases[i].condition);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen run");
    TCase *tc = tcase_create("maps");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, steps_follow_each_other);
    tcase_add_test(tc, null_terrain_keeps_the_fill);
    tcase_add_test(tc, later_palettes_count_and_pieces_add_up);
    tcase_add_test(tc, turns_are_clockwise);
    tcase_add_test(tc, rectangles_end_at_the_border);
    tcase_add_test(tc, what_weighs_nothing_is_never_taken);
    tcase_add_test(tc, an_entrys_own_rotation_is_drawn);
    tcase_add_test(tc, weights_are_met);
    tcase_add_test(tc, blocks_of_a_grid_are_made_alone);
    tcase_add_test(tc, chunks_look_at_their_neighbours);
    tcase_add_test(tc, items_loop_by_the_contents_rule);
    tcase_add_test(tc, chunks_look_at_flags);
    tcase_add_test(tc, compound_pieces);
    tcase_add_test(tc, parameters_hold_in_their_scope);
    tcase_add_test(tc, what_has_no_end_is_bounded);
    tcase_add_test(tc, a_million_placements_are_bounded);
    tcase_add_loop_test(tc, maps_are_functions_of_their_keys, 0, test_seeds(10));
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
