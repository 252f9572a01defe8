/*
 * On what chunks depend: joins, connections, what was there before, neighbours by their kinds
 * of name; directions turn with the terrain. And what maps are drawn over: the chain of what
 * was there before, else what the entry names.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "unit/mapgen/mapgen_fixture.h"

#include <stdio.h>
#include <string.h>

static mapgen_fixture f;
static local_map map;
static ground_settings settings;
static ground_site site;
static const char *const
    *chain; /* types, oldest first, up to NULL; with a digit behind: turns */

static uint32_t id_of(const char *text)
{
    return id_pool_put(f.pool, text, strlen(text));
}

static void setup(void)
{
    fixture_begin(&f, false);
    local_map_init(&map);
    chain = NULL;
    settings = (ground_settings){0};
    site = (ground_site){.settings = &settings, .pool = f.pool, .key = 9};
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] = (ground_omt){.id = "", .type = ""};
    site.around[GROUND_MIDDLE].type = "house";
    ck_assert_ptr_nonnull(
        fixture_entry(&f, "{'nested_mapgen_id':'yes','object':{'mapgensize':[1,1],"
                          "'place_terrain':[{'ter':'t_yes','x':0,'y':0}]}}"));
    ck_assert_ptr_nonnull(fixture_entry(&f,
                                        "{'nested_mapgen_id':'no','object':{'mapgensize':[1,1],"
                                        "'place_terrain':[{'ter':'t_no','x':0,'y':0}]}}"));
}

static void teardown(void)
{
    local_map_dispose(&map);
    fixture_end(&f);
}

/* In the world: a straight road lies in the north, a house to the east that is turned. */
static void around(mapgen_omt *out, void *payload, int direction)
{
    (void)payload;
    *out = (mapgen_omt){.seen = {.id = "", .type = ""}};
    if (direction == 0)
        *out = (mapgen_omt){id_of("road_straight"), 0, {.id = "road_ns", .type = "road"}};
    if (direction == 2)
        *out =
            (mapgen_omt){id_of("big_house"), 1, {.id = "big_house_east", .type = "big_house"}};
}

/* In the world the piece met others by "up" above and "door" in the east. */
static const char *join(void *payload, int direction)
{
    (void)payload;
    return direction == MAPGEN_ABOVE ? "up" : direction == 2 ? "door" : "";
}

/* In the world tracks lead to the west, roads to the north and west. */
static bool connects(void *payload, int direction, const char *connection)
{
    (void)payload;
    const bool track = strcmp(connection, "track") == 0, road = strcmp(connection, "road") == 0;
    return (direction == 6 && (track || road)) || (direction == 0 && road);
}

static bool before(mapgen_omt *out, void *payload, size_t number)
{
    size_t count = 0;
    (void)payload;
    while (chain && chain[count])
        count++;
    if (number >= count)
        return false;
    *out = (mapgen_omt){id_of(chain[number]), 0, {.id = chain[number], .type = chain[number]}};
    if (strcmp(chain[number], "road_straight") == 0)
        *out = (mapgen_omt){id_of("road_straight"), 1, {.id = "road_ew", .type = "road"}};
    return true;
}

static mapgen_outcome make(const char *key, int turns, bool unturned)
{
    const mapgen_request request = {.library = f.library,
                                    .pool = f.pool,
                                    .terrain = id_of(key),
                                    .turns = turns,
                                    .unturned = unturned,
                                    .key = 5,
                                    .stack_key = 5,
                                    .special_key = 5,
                                    .neighbour = around,
                                    .join = join,
                                    .connects = connects,
                                    .before = before,
                                    .site = &site};
    local_map_dispose(&map);
    local_map_init(&map);
    return mapgen_run(&map, &request);
}

static const char *terrain_at(int x, int y)
{
    return fixture_text(&f, map.terrain[y * LOCAL_SIDE + x]);
}

/* Does the chunk of one condition come, on a terrain so turned? Its else comes if it does not.
 */
static bool comes(const char *condition, int turns, bool unturned)
{
    static int number;
    char text[400], key[24];
    snprintf(key, sizeof key, "case%d", number++);
    snprintf(text, sizeof text,
             "{'om_terrain':'%s','object':{'fill_ter':'t','place_nested':[{'chunks':['yes'],"
             "'else_chunks':['no'],'x':0,'y':0,%s}]}}",
             key, condition);
    f.undone[0] = '\0';
    ck_assert_ptr_nonnull(fixture_entry(&f, text));
    ck_assert_str_eq(f.undone, "");
    ck_assert_int_eq(make(key, turns, unturned), MAPGEN_MADE);
    local_map_rotate(&map, 4 - turns);
    ck_assert(!strcmp(terrain_at(0, 0), "t_yes") || !strcmp(terrain_at(0, 0), "t_no"));
    return strcmp(terrain_at(0, 0), "t_yes") == 0;
}

START_TEST(each_condition_is_asked)
{
    static const char *const was[] = {"forest_thick", "road_straight", NULL};
    static const struct {
        const char *condition;
        bool holds;
    } cases[] = {
        {"'joins':{'above':'up'}", true},
        {"'joins':{'above':['x','up']}", true},
        {"'joins':{'below':'up'}", false},
        {"'joins':{'above':'u'}", false},
        {"'joins':{'above':'up','east':'door'}", true},
        {"'joins':{'above':'up','west':'door'}", false},
        {"'joins':{'north_east':'door'}", false},
        {"'connections':{'west':['track']}", true},
        {"'connections':{'west':['road','x'],'north':['road']}", true},
        {"'connections':{'west':['track'],'north':['track']}", false},
        {"'connections':{'east':['track']}", false},
        {"'predecessors':['forest_thick']", true},
        {"'predecessors':['forest']", true}, /* contained in the id */
        {"'predecessors':[{'om_terrain':'forest','om_terrain_match_type':'EXACT'}]", false},
        {"'predecessors':['field','road']", true},
        {"'predecessors':[{'om_terrain':'road_straight','om_terrain_match_type':'SUBTYPE'}]",
         true},
        {"'predecessors':['field']", false},
        {"'neighbors':{'north':{'om_terrain':'road_straight',"
         "'om_terrain_match_type':'SUBTYPE'}}",
         true},
        {"'neighbors':{'north':{'om_terrain':'road_curved',"
         "'om_terrain_match_type':'SUBTYPE'}}",
         false},
        {"'neighbors':{'north':{'om_terrain':'road','om_terrain_match_type':'TYPE'}}", true},
        {"'neighbors':{'east':{'om_terrain':'big','om_terrain_match_type':'TYPE'}}", false},
        {"'neighbors':{'east':{'om_terrain':'big','om_terrain_match_type':'PREFIX'}}", true},
        {"'neighbors':{'east':{'om_terrain':'bi','om_terrain_match_type':'PREFIX'}}", false},
        {"'neighbors':{'east':'house'},'joins':{'above':'up'},'predecessors':['road']", true},
        {"'neighbors':{'east':'house'},'joins':{'above':'down'}", false}};
    chain = was;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(comes(cases[i].condition, 0, false) == cases[i].holds, "%s",
                      cases[i].condition);
}
END_TEST

/* What is to the east in the world is where the drawing's east comes to lie. */
START_TEST(directions_turn_with_the_terrain)
{
    static const char *const sides[] = {"north", "east", "south", "west"};
    for (int turns = 0; turns < 4; turns++) {
        for (int side = 0; side < 4; side++) {
            char joined[80], road[80], house[80], corner[80];
            const int there = (side + turns) % 4; /* in the world */
            snprintf(joined, sizeof joined, "'joins':{'%s':'door'}", sides[side]);
            snprintf(road, sizeof road, "'connections':{'%s':['track']}", sides[side]);
            snprintf(house, sizeof house, "'neighbors':{'%s':'house'}", sides[side]);
            snprintf(corner, sizeof corner, "'joins':{'%s':'door','above':'up'}", sides[side]);
            ck_assert_int_eq(comes(joined, turns, false), there == 1);
            ck_assert_int_eq(comes(road, turns, false), there == 3);
            ck_assert_int_eq(comes(house, turns, false), there == 1);
            ck_assert_int_eq(comes(corner, turns, false), there == 1);
            ck_assert_int_eq(comes(house, turns, true), side == 1); /* as in the world */
        }
    }
}
END_TEST

/* ---- what a map is drawn over ---- */

static void entry(const char *text)
{
    ck_assert_msg(fixture_entry(&f, text) != NULL, "MG%03d %s", f.last_code, f.last);
}

static void begin_chains(void)
{
    /* A wood whose north-western tile is a mark; a road over what was there, with a line that
     * goes from north to south in its second column. */
    entry("{'om_terrain':'wood','object':{'fill_ter':'t_wood','place_terrain':"
          "[{'ter':'t_mark','x':0,'y':0}]}}");
    entry("{'om_terrain':'meadow','object':{'fill_ter':'t_meadow'}}");
    entry("{'om_terrain':'road_straight','object':{'fallback_predecessor_mapgen':'meadow',"
          "'set':[{'line':'terrain','id':'t_road','x':1,'y':0,'x2':1,'y2':23}]}}");
    entry("{'om_terrain':'bridge','object':{'fallback_predecessor_mapgen':'meadow',"
          "'rotation':1,'place_terrain':[{'ter':'t_bridge','x':5,'y':7}]}}");
    entry(
        "{'om_terrain':'hut','object':{'predecessor_mapgen':'wood',"
        "'fallback_predecessor_mapgen':'meadow','place_terrain':[{'ter':'t_hut','x':5,'y':7}]}"
        "}");
}

/* Whatever turns the terrain has, what it is drawn over lies as it did. */
START_TEST(chains_lie_as_they_did)
{
    static const char *const was[] = {"wood", "road_straight", NULL};
    begin_chains();
    chain = was;
    for (int turns = 0; turns < 4; turns++) {
        ck_assert_int_eq(make("bridge", turns, false), MAPGEN_MADE);
        ck_assert_str_eq(terrain_at(0, 0), "t_mark");
        ck_assert_str_eq(terrain_at(20, 20), "t_wood");
        for (int x = 0; x < LOCAL_SIDE; x++) /* the road lay from east to west */
            ck_assert_str_eq(terrain_at(x, 1), "t_road");
        local_map_rotate(&map, 8 - turns - 1);
        ck_assert_str_eq(terrain_at(5, 7), "t_bridge");
    }
}
END_TEST

START_TEST(without_a_chain_the_named_one_is_made)
{
    static const char *const unknown[] = {"", "nowhere", NULL};
    static const char *const older[] = {"wood", "nowhere", NULL};
    begin_chains();
    ck_assert_int_eq(make("bridge", 0, false), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_meadow");
    chain = unknown; /* there is no map of either */
    ck_assert_int_eq(make("bridge", 0, false), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_meadow");
    chain = older; /* what cannot be made is passed over */
    ck_assert_int_eq(make("bridge", 0, false), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_mark");
}
END_TEST

/* `predecessor_mapgen` is made whatever was there. */
START_TEST(a_named_predecessor_comes_first)
{
    static const char *const was[] = {"meadow", NULL};
    begin_chains();
    chain = was;
    ck_assert_int_eq(make("hut", 0, false), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(0, 0), "t_mark");
    ck_assert_str_eq(terrain_at(5, 7), "t_hut");
}
END_TEST

/* Chains of a thousand, each drawn over the one below, end. */
START_TEST(long_chains_end)
{
    const char *long_chain[1001];
    begin_chains();
    for (size_t i = 0; i < 1000; i++)
        long_chain[i] = i == 0 ? "wood" : "road_straight";
    long_chain[1000] = NULL;
    chain = long_chain;
    ck_assert_int_eq(make("bridge", 2, false), MAPGEN_MADE);
    ck_assert_str_eq(terrain_at(9, 1), "t_road");
    ck_assert(!map.cut);
    chain = NULL;
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen conditions");
    TCase *tc = tcase_create("conditions");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, each_condition_is_asked);
    tcase_add_test(tc, directions_turn_with_the_terrain);
    tcase_add_test(tc, chains_lie_as_they_did);
    tcase_add_test(tc, without_a_chain_the_named_one_is_made);
    tcase_add_test(tc, a_named_predecessor_comes_first);
    tcase_add_test(tc, long_chains_end);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
