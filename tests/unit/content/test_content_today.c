/*
 * What content has since DDA 0.G: terrains with names for costs and more fields, points that
 * only look, binomial numbers, regions by parts, mod_interactions, and keys that nobody knows.
 */
#include "support/suite.h"
#include "unit/content/definition_fixture.h"

#include <stdio.h>
#include <string.h>

static const char base[] =
    "[{'type':'overmap_terrain','id':['field','sand'],'sym':'.','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':'house','sym':'h'},\n"
    "{'type':'overmap_location','id':'land','terrains':['field']},\n"
    "{'type':'overmap_location','id':'beach','terrains':['sand']},\n"
    "{'type':'map_extra','id':['mx_a','mx_b']}]";

static void import_beside(const char *text)
{
    fixture_put("0/base.json", base);
    fixture_import_text(text, false);
}

/* ---- terrains ---- */

static const char terrain_sql[] =
    "SELECT id, see_cost, see_cost_name, vision_levels, travel_cost_type, uniform_terrain,"
    " map_label, entry_eoc, exit_eoc, default_map_data, post_process_generators"
    " FROM overmap_terrain ORDER BY id";

START_TEST(terrain_fields)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'a','sym':'a','see_cost':'spaced_high',"
        "'vision_levels':'v','travel_cost_type':'crop_field','uniform_terrain':'t',"
        "'map_label':{'str':'Here'},'entry_eoc':'e','exit_eoc':{'id':'x','effect':[]},"
        "'default_map_data':'d','post_process_generators':['q','p']},\n"
        "{'type':'overmap_terrain','id':'b','copy-from':'a','see_cost':7,"
        "'extend':{'post_process_generators':['r']},"
        "'delete':{'post_process_generators':['q']}},\n"
        "{'type':'overmap_terrain','id':'c','copy-from':'a','relative':{'see_cost':1}},\n"
        "{'type':'overmap_terrain','id':'d','copy-from':'a','map_label':'There',"
        "'post_process_generators':[]},\n"
        "{'type':'overmap_terrain','id':'e','sym':'e'}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(
        terrain_sql, 11,
        "a|4|spaced_high|v|crop_field|t|Here|e|{\"id\":\"x\",\"effect\":[]}|d|[\"p\",\"q\"]\n"
        "b|7|-|v|crop_field|t|Here|e|{\"id\":\"x\",\"effect\":[]}|d|[\"p\",\"r\"]\n"
        "c|5|-|v|crop_field|t|Here|e|{\"id\":\"x\",\"effect\":[]}|d|[\"p\",\"q\"]\n"
        "d|4|spaced_high|v|crop_field|t|There|e|{\"id\":\"x\",\"effect\":[]}|d|-\n"
        "e|0|-|-|-|-|-|-|-|-|-");
}
END_TEST

START_TEST(see_costs)
{
    static const struct {
        const char *name;
        int cost;
    } names[] = {{"none", 0},        {"all_clear", 0}, {"low", 1},        {"medium", 2},
                 {"spaced_high", 4}, {"high", 5},      {"full_high", 10}, {"opaque", 999}};
    char text[120];
    snprintf(text, sizeof text, "{'type':'overmap_terrain','id':'a','sym':'a','see_cost':'%s'}",
             names[_i].name);
    fixture_import_text(text, false);
    fixture_expect(PTL_OK, "");
    ck_assert_int_eq(fixture_number("SELECT see_cost FROM overmap_terrain"), names[_i].cost);
}
END_TEST

/* ---- specials ---- */

START_TEST(points_that_only_look)
{
    import_beside("[{'type':'overmap_special','id':'pier','locations':['land'],"
                  "'occurrences':[0,1],'overmaps':[{'point':[0,0,0],'overmap':'house_north'},"
                  "{'point':[0,-1,0],'locations':['beach']},{'point':[1,0,-1]}]}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT special, x, y, z, oter FROM special_omt", 5,
                        "pier|0|0|0|house_north");
    fixture_expect_rows("SELECT * FROM special_check", 8,
                        "pier|0|0|-1|0|0|-1|0\npier|1|1|0|-1|1|0|-1");
    fixture_expect_rows("SELECT * FROM special_check_location", 4, "pier|0|0|beach");
}
END_TEST

START_TEST(larger_than_an_overmap)
{
    import_beside("[{'type':'overmap_special','id':'world','locations':['land'],"
                  "'occurrences':[0,0],'overmaps':[{'point':[0,0,0],'overmap':'field'},"
                  "{'point':[179,0,0],'overmap':'field'}]}]");
    fixture_expect(PTL_OK,
                   "warning: 0/a.json:1:93: world: 180 x 1: an overmap has room for 178 "
                   "x 178: the special can never be placed\n");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM overmap_special"), 1);
}
END_TEST

#define GROWS(MAX)                                                                             \
    "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"             \
    "'locations':['land'],'joins':['j'],'root':'r','overmaps':{'r':{'overmap':'field',"        \
    "'north':'j'},'p':{'overmap':'sand','south':'j'}},'shared':{'s':" MAX                      \
    "},'phases':[[{'overmap':'p','max':" MAX "}]]}]"

START_TEST(amounts)
{
    static const struct {
        const char *text, *row;
    } cases[] = {
        {GROWS("{'binomial':[3,0.5]}"), "binomial|-|-|0.5|3|-|-"},
        {GROWS("{'binomial':[3,1],'bounds':[1,2]}"), "binomial|-|-|1.0|3|1|2"},
        {GROWS("{'poisson':1.5,'bounds':[1,2]}"), "poisson|-|-|1.5|-|1|2"},
        {GROWS("{'poisson':2,'bounds':[-1,4]}"), "poisson|-|-|2.0|-|-|4"},
        {GROWS("{'poisson':2,'bounds':[3,-1]}"), "poisson|-|-|2.0|-|3|-"},
        {GROWS("{'chance':0.25}"), "chance|-|-|0.25|-|-|-"},
        {GROWS("[1,4]"), "range|1|4|-|-|-|-"},
    };
    import_beside(cases[_i].text);
    ck_assert_int_eq(fixture.run.status, PTL_OK);
    fixture_expect_rows("SELECT max_kind, max_low, max_high, max_mean, max_trials, max_least,"
                        " max_most FROM special_phase_rule",
                        7, cases[_i].row);
    fixture_expect_rows("SELECT kind, low, high, mean, trials, least, most FROM special_shared",
                        7, cases[_i].row);
}
END_TEST

START_TEST(wrong_amounts)
{
    static const char *const cases[][2] = {
        {GROWS("{'binomial':[3]}"), "expected [trials, probability]"},
        {GROWS("{'binomial':[3,1.5]}"), "1.5 is no probability: 0 to 1"},
        {GROWS("{'binomial':[10001,0.5]}"), "10001 is not between 0 and 10000"},
        {GROWS("{'chance':0.5,'bounds':[0,1]}"), "a chance has no bounds"},
        {GROWS("{'poisson':1,'binomial':[1,1]}"), "expected an integer, [min, max]"},
        {GROWS("{'poisson':1,'bounds':7}"), "expected"},
    };
    import_beside(cases[_i][0]);
    ck_assert_int_eq(fixture.run.status, PTL_ERR_CONTENT);
    const char *remarks = bytes_text(&fixture.remarks);
    ck_assert_msg(strstr(remarks, cases[_i][1]), "%s", remarks);
}
END_TEST

/* ---- regions ---- */

static const char numbers[] =
    "SELECT river_scale, noise_threshold_lake, lake_size_min, num_ravines,"
    " noise_threshold_forest, noise_threshold_swamp_isolated, trail_chance, shop_sigma,"
    " city_size FROM region_settings WHERE id = 'r'";

static const char waters[] =
    "SELECT name, value FROM region_number WHERE name LIKE '%ocean%' OR name LIKE 'river%'";

#define PARTS                                                                                  \
    "{'type':'region_settings_river','id':'p','river_scale':3,'river_frequency':2},\n"         \
    "{'type':'region_settings_lake','id':'p','noise_threshold_lake':0.5,'lake_size_min':7,"    \
    "'shore_ter':'x'},"                                                                        \
    "{'type':'region_settings_ocean','id':'p','ocean_start_east':0,'ocean_start_north':7,"     \
    "'ocean_start_west':null,'ocean_size_min':0,'more':1},\n"                                  \
    "{'type':'region_settings_ravine','id':'p','num_ravines':4},\n"                            \
    "{'type':'region_settings_forest','id':'p','noise_threshold_forest':0.125},\n"             \
    "{'type':'region_settings_forest_trail','id':'p','chance':9,'trailheads':['house']},\n"    \
    "{'type':'region_settings_city','id':'p','shop_sigma':50,'city_size':8,"                   \
    "'houses':[['house',5],['field',2],['house',3]]},\n"                                       \
    "{'type':'map_extra_collection','id':'road','chance':20,"                                  \
    "'extras':[['mx_b',2],['mx_null',7]]},\n"                                                  \
    "{'type':'map_extra_collection','id':'once','extras':['mx_a']},\n"                         \
    "{'type':'region_settings_map_extras','id':'p','extras':['road','once']},\n"

START_TEST(region_by_parts)
{
    import_beside("[" PARTS
                  "{'type':'region_settings','id':'r','default_oter':'field','rivers':'p',"
                  "'lakes':'p','ravines':'p','forests':'p','forest_trails':'p','cities':'p',"
                  "'map_extras':'p','ocean':'p','feature_flag_settings':{'blacklist':['X']}}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(numbers, 9, "3.0|0.5|7|4|0.125|0.6|9|50|8");
    fixture_expect_rows("SELECT bin, id, weight, kind FROM region_building", 4,
                        "houses|field|2|terrain\nhouses|house|8|terrain\n"
                        "trailheads|house|1|terrain");
    fixture_expect_rows("SELECT name, chance FROM region_extra_group", 2, "once|1\nroad|20");
    fixture_expect_rows("SELECT name, map_extra, weight FROM region_extra", 3,
                        "once|mx_a|1\nroad|mx_b|2\nroad|mx_null|7");
    fixture_expect_rows("SELECT list, flag FROM region_feature_flag", 2, "blacklist|X");
    /* What has no column is kept under the names of blocks. */
    fixture_expect_rows("SELECT block, json FROM region_block", 2,
                        "overmap_lake_settings|{\"shore_ter\":\"x\"}\n"
                        "overmap_ocean_settings|{\"more\":1}");
    fixture_expect_rows(waters, 2,
                        "ocean_size_min|1.0\nocean_start_east|0.0\nocean_start_north|7.0\n"
                        "place_oceans|1.0\nriver_frequency|2.0");
}
END_TEST

/* In blocks an ocean that begins at 0 never begins, and an overlay may change what there is. */
START_TEST(waters_of_blocks)
{
    import_beside(
        "[{'type':'region_settings','id':'r','overmap_river_settings':{'river_scale':2,"
        "'river_branch_chance':8},'overmap_ocean_settings':{'ocean_start_east':10,"
        "'ocean_start_south':0,'ocean_start_west':3,'sandy_beach_width':6}},\n"
        "{'type':'region_overlay','regions':['r'],'overmap_ocean_settings':{"
        "'ocean_start_west':0,'noise_threshold_ocean':99},"
        "'overmap_river_settings':{'river_branch_scale_decrease':2}}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(waters, 2,
                        "noise_threshold_ocean|10.0\nocean_start_east|10.0\n"
                        "place_oceans|1.0\nriver_branch_chance|8.0\n"
                        "river_branch_scale_decrease|2.0\nriver_frequency|1.5");
    fixture_expect_rows("SELECT river_scale FROM region_settings WHERE id = 'r'", 1, "2.0");
}
END_TEST

START_TEST(no_ocean)
{
    static const char *const cases[] = {"", ",'overmap_ocean_settings':{}",
                                        ",'overmap_ocean_settings':{'ocean_start_east':0}",
                                        ",'rivers':'p'", ",'rivers':'p','ocean':null"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text, "[" PARTS "{'type':'region_settings','id':'r'%s}]",
                 cases[i]);
        import_beside(text);
        fixture_expect(PTL_OK, "");
        ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_number WHERE name LIKE"
                                        " 'ocean_start%'"),
                         0);
        ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_number WHERE name ="
                                        " 'river_frequency'"),
                         i > 2);
    }
}
END_TEST

#define ABOVE                                                                                  \
    "'house_north','house','house','field','field','field','field','field','field','field'"
#define BELOW                                                                                  \
    "'sand','house','house','field','field','field','field','field','field','house_south'"

/* One terrain for each level, from the top down; a single one has no rows, also where an
 * overlay states it. */
START_TEST(levels_of_regions)
{
    import_beside("[{'type':'region_settings','id':'a','default_oter':'sand'},\n"
                  "{'type':'region_settings','id':'b','default_oter':[" ABOVE ",'sand'," BELOW
                  "]},\n"
                  "{'type':'region_settings','id':'c','copy-from':'b'},\n"
                  "{'type':'region_settings','id':'d','copy-from':'b'},\n"
                  "{'type':'region_overlay','regions':['d'],'default_oter':'field'}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, default_oter FROM region_settings", 2,
                        "a|sand\nb|sand\nc|sand\nd|field");
    fixture_expect_rows("SELECT region, count(*), min(z), max(z) FROM region_level"
                        " GROUP BY region",
                        4, "b|21|-10|10\nc|21|-10|10");
    fixture_expect_rows("SELECT z, default_oter FROM region_level WHERE region = 'c' AND z IN"
                        " (-10, -9, -3, -1, 0, 1, 10)",
                        2,
                        "-10|house_south\n-9|field\n-3|house\n-1|sand\n0|sand\n1|field\n"
                        "10|house_north");
    fixture_expect_rows("SELECT count(*) FROM region_block", 1, "0");
}
END_TEST

START_TEST(wrong_levels)
{
    static const struct {
        const char *levels, *message;
    } cases[] = {
        {ABOVE ",'sand'," BELOW ",'sand'",
         "error: 0/a.json:1:52: a: 'default_oter' must be a terrain id, or a list of 21\n"},
        {ABOVE ",7," BELOW, "error: 0/a.json:1:139: a: must be the id of a terrain\n"},
        {ABOVE ",'sand','sind','field',"
               "'field','field','field','field','field','field',"
               "'field','field'",
         "error: 0/a.json:1:146: a: no such terrain 'sind' for default_oter, did you mean "
         "'sand'?\n"},
    };
    char text[800];
    snprintf(text, sizeof text, "[{'type':'region_settings','id':'a','default_oter':[%s]}]",
             cases[_i].levels);
    import_beside(text);
    fixture_expect(PTL_ERR_CONTENT, cases[_i].message);
}
END_TEST

/* What is the games' own default is left to the world's settings; other values are the
 * region's.
 */
START_TEST(city_sizes)
{
    static const struct {
        const char *part, *row;
    } cases[] = {{"'city_size':8,'city_spacing':4", "-1|-1"},
                 {"'city_size':16,'city_spacing':4", "16|4"},
                 {"'city_size':8,'city_spacing':0", "8|0"},
                 {"'city_size':0", "0|-1"}};
    char text[300];
    snprintf(text, sizeof text,
             "[{'type':'region_settings_city','id':'c',%s},\n"
             "{'type':'region_settings','id':'r','cities':'c'}]",
             cases[_i].part);
    import_beside(text);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT city_size, city_spacing FROM region_settings", 2,
                        cases[_i].row);
}
END_TEST

#define WRONG_NUMBERS                                                                          \
    "error: 0/a.json:1:50: r: 'place_roads': expected true or false, found an integer\n"       \
    "error: 0/a.json:1:72: r: 'urbanity_increase' must be a list of 4 numbers: north, east, "  \
    "south, west\n"                                                                            \
    "error: 0/a.json:1:136: r: must be a number, -10..10\n"                                    \
    "error: 0/a.json:1:140: r: must be a number, -10..10\n"                                    \
    "error: 0/a.json:1:164: r: 'max_urbanity': expected an integer, found a number\n"
#define WRONG_OPTIONS                                                                          \
    "error: 0/a.json:3:64: OVERMAP_PLACE_LAKES: must be true or false\n"                       \
    "error: 0/a.json:4:65: OVERMAP_FOREST_LIMIT: must be a number, -10..10\n"                  \
    "error: 0/a.json:5:1: A: missing key 'value'\n"                                            \
    "error: 0/a.json:6:1: : missing key 'name'\n"                                              \
    "error: 0/a.json:7:46: B: must be a text, a number, true or false\n"
#define WRONG_DIMENSIONS                                                                       \
    "error: 0/a.json:3:1: d: no such region 'rx', did you mean 'rr'?\n"                        \
    "error: 0/a.json:4:46: e: no such dimension_region_layout 'k'\n"                           \
    "error: 0/a.json:5:1: f: missing key 'region_layout'\n"                                    \
    "error: 0/a.json:6:1: w: a dimension of one region names none\n"

static const char newer[] = "SELECT region, name, value FROM region_number";

/* Numbers that have no columns: a row each, where they are not the games' defaults. */
START_TEST(numbers_without_columns)
{
    import_beside(
        "[{'type':'region_settings_forest','id':'p','forest_threshold_increase':[0.5,0,-1,2],"
        "'forest_threshold_limit':0.395},\n{'type':'region_settings_ocean','id':'p'},\n"
        "{'type':'region_settings','id':'r','forests':'p','ocean':'p','highways':null,"
        "'urbanity_increase':[0,10,-5,0],'max_urbanity':9,'place_swamps':true,"
        "'place_roads':false,'place_railroads':true,'place_railroads_before_roads':false,"
        "'place_specials':false,'neighbor_connections':false},\n"
        "{'type':'region_settings','id':'s','copy-from':'r','ocean':null,'max_urbanity':8,"
        "'urbanity_increase':[0,0,0,0],'forests':null,'place_railroads':false}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(newer, 3,
                        "r|forest_threshold_increase_north|0.5\n"
                        "r|forest_threshold_increase_south|-1.0\n"
                        "r|forest_threshold_increase_west|2.0\n"
                        "r|max_urbanity|9.0\nr|names_parts|1.0\nr|neighbor_connections|0.0\n"
                        "r|place_oceans|1.0\nr|place_railroads|1.0\nr|place_roads|0.0\n"
                        "r|place_specials|0.0\nr|urbanity_increase_east|10.0\n"
                        "r|urbanity_increase_south|-5.0\n"
                        "s|neighbor_connections|0.0\ns|place_roads|0.0\n"
                        "s|place_specials|0.0");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_block WHERE"
                                    " json <> 'null'"),
                     0);
    import_beside("{'type':'region_settings','id':'r','place_roads':1,"
                  "'urbanity_increase':[0,1,2],'overmap_forest_settings':{"
                  "'forest_threshold_increase':['x',11,0,0]},'max_urbanity':0.5}");
    fixture_expect(PTL_ERR_CONTENT, WRONG_NUMBERS);
}
END_TEST

#define OPTION(name, value) "{'type':'EXTERNAL_OPTION','name':'" name "','value':" value "}"
#define OLD_REGION                                                                             \
    "{'type':'region_settings','id':'r','default_oter':'field','overmap_ocean_settings':{},"   \
    "'overmap_ravine_settings':{'num_ravines':4},'overmap_highway_settings':{},"               \
    "'forest_trail_settings':{'trailheads':{'house':1}}}"

/* The last option of a name counts; each is a number of regions without parts. */
/* What its highways name and nothing defines: a warning each. */
START_TEST(highways_of_regions)
{
    import_beside(
        "[{'type':'region_settings_highway','id':'h','segment_flat_special':'gone',"
        "'reserved_terrain_id':'nowhere','bends':[['bend',3]],'interchanges':{'by':1}},\n"
        "{'type':'region_settings','id':'r','highways':'h'},\n"
        "{'type':'region_settings','id':'s','highways':null}]");
    fixture_expect(
        PTL_OK,
        "warning: 0/a.json:2:47: r: reserved_terrain_id: no such terrain type 'nowhere'\n"
        "warning: 0/a.json:2:47: r: segment_flat_special: no such overmap_special 'gone'\n"
        "warning: 0/a.json:2:47: r: bends: no such overmap_special 'bend'\n"
        "warning: 0/a.json:2:47: r: interchanges: no such overmap_special 'by'\n");
}
END_TEST

START_TEST(options_of_regions)
{
    static const char rows[] =
        "SELECT river_scale, noise_threshold_lake, noise_threshold_forest,"
        " noise_threshold_swamp_isolated, num_ravines, city_size, trail_chance,"
        " (SELECT count(*) FROM region_building) FROM region_settings WHERE id = 'r'";
    import_beside("[" OLD_REGION "," OPTION("OVERMAP_PLACE_LAKES", "false") "," OPTION(
        "OVERMAP_PLACE_LAKES", "true") "," OPTION("OTHER", "'x'") "]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(rows, 8, "1.0|0.25|0.25|0.6|4|-1|1|1");
    fixture_expect_rows(newer, 3, "r|place_oceans|1.0");
    fixture_expect_rows("SELECT name, stype, value, line FROM external_option", 4,
                        "OTHER||x|1\nOVERMAP_PLACE_LAKES||true|1");
    import_beside("[" OLD_REGION "," OPTION("OVERMAP_PLACE_SWAMPS", "false") "," OPTION(
        "OVERMAP_PLACE_OCEANS",
        "false") "," OPTION("OVERMAP_PLACE_CITIES",
                            "false") "," OPTION("OVERMAP_PLACE_FOREST_TRAILHEADS",
                                                "false") "," OPTION("OVERMAP_PLACE_RAVINES",
                                                                    "false") "]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(rows, 8, "1.0|0.25|0.25|2.0|0|0|1|0");
    fixture_expect_rows(newer, 3, "r|place_swamps|0.0");
    import_beside("[" OLD_REGION "," OPTION("OVERMAP_PLACE_RIVERS", "false") "," OPTION(
        "OVERMAP_PLACE_LAKES",
        "false") "," OPTION("OVERMAP_PLACE_FORESTS",
                            "false") "," OPTION("OVERMAP_PLACE_FOREST_TRAILS", "false") "]");
    fixture_expect_rows(rows, 8, "0.0|2.0|2.0|2.0|4|-1|0|1");
}
END_TEST

START_TEST(numbers_by_options)
{
    static const char
        options[] =
            OPTION(
                "OVERMAP_FOREST_INCREASE_NORTH",
                "0.5") "," OPTION("OVERMAP_FOREST_INCREASE_EAST",
                                  "1") "," OPTION("OVERMAP_FOREST_INCREASE_SOUTH", "2") "," OPTION("OVERMAP_FOREST_INCREASE_WEST",
                                                                                                   "3") "," OPTION("OVERMAP_FOREST_LIMIT", "0.75") "," OPTION("OVERMAP_URBAN_INCREASE_NORTH", "4") "," OPTION("OVERMAP_URBAN_INCREASE_EAST", "5") "," OPTION("OVERMAP_URBAN_INCREASE_SOUTH", "6") "," OPTION("OVERMAP_URBAN_INCREASE_WEST", "-7") "," OPTION("OVERMAP_MAXIMUM_URBANITY", "9") "," OPTION("OVERMAP_PLACE_ROADS", "false") "," OPTION("OVERMAP_PLACE_RAILROADS",
                                                                                                                                                                                                                                                                                                                                                                                                                                                    "true") "," OPTION("OVERMAP_PLACE_RAILROADS_BEFORE_ROADS",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                       "true") "," OPTION("OVERMAP_PLACE_SPECIALS", "false") "," OPTION("OVERMAP_POPULATE_OUTSIDE_CONNECTIONS_FROM_NEIGHBORS", "false") "," OPTION("HIGHWAY_GRID_COLUMN_SEPARATION", "7") "," OPTION("HIGHWAY_GRID_ROW_SEPARATION", "5") "," OPTION("HIGHWAY_GRID_VARIANCE",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    "1");
    char text[3000];
    snprintf(text, sizeof text,
             "[{'type':'region_settings','id':'r'},\n{'type':'region_settings_river','id':'p'},"
             "\n{'type':'region_settings','id':'s','rivers':'p'},%s]",
             options);
    import_beside(text);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(newer, 3,
                        "r|forest_threshold_increase_east|1.0\n"
                        "r|forest_threshold_increase_north|0.5\n"
                        "r|forest_threshold_increase_south|2.0\n"
                        "r|forest_threshold_increase_west|3.0\n"
                        "r|forest_threshold_limit|0.75\nr|max_urbanity|9.0\n"
                        "r|neighbor_connections|0.0\nr|place_railroads|1.0\n"
                        "r|place_railroads_before_roads|1.0\nr|place_roads|0.0\n"
                        "r|place_specials|0.0\nr|urbanity_increase_east|5.0\n"
                        "r|urbanity_increase_north|4.0\nr|urbanity_increase_south|6.0\n"
                        "r|urbanity_increase_west|-7.0\n"
                        "s|highway_columns|7.0\ns|highway_rows|5.0\ns|highway_variance|1.0\n"
                        "s|names_parts|1.0\ns|river_frequency|1.5");
    import_beside("[{'type':'region_settings','id':'r'},\n{'type':'region_settings','id':'s'},"
                  "\n" OPTION("OVERMAP_PLACE_LAKES", "3") ",\n" OPTION(
                      "OVERMAP_FOREST_LIMIT",
                      "99") ",\n{'type':"
                            "'EXTERNAL_OPTION','name':'A'},\n{'type':'EXTERNAL_OPTION','"
                            "value':1},\n" OPTION("B", "[]") "]");
    fixture_expect(PTL_ERR_CONTENT, WRONG_OPTIONS);
}
END_TEST

/* Names of regions, by whichever game. */
START_TEST(dimensions)
{
    import_beside(
        "[{'type':'region_settings','id':'r'},{'type':'dimension_region_layout','id':'l',"
        "'generation_mode':'UNIFORM','uniform_region':'r'},{'type':'dimension','id':'d',"
        "'region_layout':'l'},{'type':'dimension_region_layout','id':'m','generation_mode':"
        "'ANGLES','angles_regions':[]},{'type':'dimension','id':'e','region_layout':'m'},"
        "{'type':'world_type','id':'d','region_settings':'r'},{'type':'world_type','id':'w',"
        "'region_settings':'r','save_prefix':'x'}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, kind, mode, region FROM dimension", 4,
                        "d|dimension|UNIFORM|r\ne|dimension|ANGLES|-\nw|world_type|UNIFORM|r");
    fixture_expect_rows("SELECT game, version, placement FROM content_game", 3, "bn||quota");
    import_beside("[{'type':'region_settings','id':'rr'},\n{'type':'dimension_region_layout',"
                  "'id':'l','generation_mode':'UNIFORM','uniform_region':'rx'},\n"
                  "{'type':'dimension','id':'d','region_layout':'l'},\n"
                  "{'type':'dimension','id':'e','region_layout':'k'},\n"
                  "{'type':'dimension','id':'f'},\n{'type':'world_type','id':'w'}]");
    fixture_expect(PTL_ERR_CONTENT, WRONG_DIMENSIONS);
}
END_TEST

/* What only one of the games has tells which one it is. */
START_TEST(games)
{
    import_beside("{'type':'oter_vision','id':'v'}");
    fixture_expect_rows("SELECT game, version, placement FROM content_game", 3, "dda||sectors");
    import_beside("{'type':'region_settings','id':'r'}");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM content_game"), 0);
}
END_TEST

/* A part that is null or not named: the step does not exist. */
START_TEST(parts_that_are_not_there)
{
    import_beside("[" PARTS "{'type':'region_settings','id':'r','cities':'p','forests':null}]");
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(numbers, 9, "0.0|2.0|20|0|2.0|2.0|0|50|8");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_extra_group"), 0);
}
END_TEST

/* A mod copies parts and the region from themselves, adds and takes away. */
START_TEST(copies_of_parts)
{
    import_beside(
        "[" PARTS "{'type':'region_settings','id':'r','rivers':'p','lakes':'p','cities':'p',"
        "'map_extras':'p','feature_flag_settings':{'blacklist':['X','Y']}},\n"
        "{'type':'region_settings_city','id':'p','copy-from':'p','shop_sigma':7,"
        "'extend':{'houses':[['sand',1],['field',40]]},'delete':{'houses':['house']}},\n"
        "{'type':'map_extra_collection','id':'road','copy-from':'road',"
        "'extend':{'extras':[['mx_a',5]]},'delete':{'extras':['mx_null']}},\n"
        "{'type':'region_settings','id':'r','copy-from':'r','lakes':null,"
        "'feature_flag_settings':{'extend':{'blacklist':['Z']},'delete':{'blacklist':['X']}}}"
        "]");
    fixture_expect(PTL_OK, "warning: 0/a.json:13:1: r: defined twice in this pack; the later "
                           "definition counts\n");
    fixture_expect_rows(numbers, 9, "3.0|2.0|20|0|2.0|2.0|0|7|8");
    fixture_expect_rows("SELECT bin, id, weight FROM region_building", 3,
                        "houses|field|42\nhouses|sand|1");
    fixture_expect_rows("SELECT name, chance, map_extra, weight FROM region_extra JOIN"
                        " region_extra_group USING (region, name)",
                        4, "once|1|mx_a|1\nroad|20|mx_a|5\nroad|20|mx_b|2");
    fixture_expect_rows("SELECT flag FROM region_feature_flag", 1, "Y\nZ");
}
END_TEST

START_TEST(wrong_parts)
{
    import_beside(
        "[" PARTS "{'type':'region_settings_map_extras','id':'q','extras':['raod']},\n"
        "{'type':'region_settings_city','id':'s','houses':[7,['house','x'],['field']]},"
        "\n{'type':'region_settings','id':'r','rivers':'pp','cities':'s',"
        "'map_extras':'q','lakes':3},\n"
        "{'type':'region_settings_lake','lake_depth':-4},\n"
        "{'type':'region_settings_city','id':'t','copy-from':'u'},\n"
        "{'type':'region_settings_city','id':'v','shop_sigma':1,"
        "'extend':{'shop_sigma':[1]}}]");
    fixture_expect(
        PTL_ERR_CONTENT,
        "error: 0/a.json:10:56: q: no such map_extra_collection 'raod', did you mean 'road'?\n"
        "error: 0/a.json:11:51: s: must be an id, or [id, weight]\n"
        "error: 0/a.json:11:53: s: the weight of 'house' must be a whole number, "
        "0..1000000000\n"
        "error: 0/a.json:11:67: s: must be an id, or [id, weight]\n"
        "error: 0/a.json:12:45: r: no such region_settings_river 'pp', did you mean 'p'?\n"
        "error: 0/a.json:12:88: r: 'lakes' must be an object\n"
        "error: 0/a.json:13:1: : has no 'id'\n"
        "error: 0/a.json:14:53: t: copy-from names 'u', which nothing defines\n"
        "error: 0/a.json:15:79: v: 'shop_sigma' is no list that could be changed\n");
}
END_TEST

/* Copies of copies of a large list: a limit, and not all the memory that there is. */
START_TEST(copies_without_end)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "[{'type':'region_settings_city','id':'c0','houses':['field'");
    for (int i = 0; i < 20000; i++)
        bytes_printf(&text, ",'field'");
    bytes_printf(&text, "]}");
    for (int i = 1; i < 2000; i++)
        bytes_printf(
            &text, ",{'type':'region_settings_city','id':'c%d','copy-from':'c0','x':%d}", i, i);
    bytes_printf(&text, "]");
    import_beside(bytes_text(&text));
    ck_assert_int_eq(fixture.run.status, PTL_ERR_CONTENT);
    const char *remarks = bytes_text(&fixture.remarks);
    ck_assert_msg(strstr(remarks, "hold more than 2000000 values"), "%.300s", remarks);
    bytes_dispose(&text);
}
END_TEST

/* ---- packs and keys ---- */

/* Two mods have something for the same third one: each is a pack of its own. */
START_TEST(mod_interactions_of_two)
{
    static const char info[] = "[{'type':'MOD_INFO','id':'%s','name':'%s'}]";
    const char *const mods[] = {"one", "two", "three"};
    char text[100], name[60];
    fixture_put("0/base.json", base);
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, info, mods[i], mods[i]);
        snprintf(name, sizeof name, "%d/modinfo.json", i + 1);
        fixture_put(name, text);
        if (i == 2)
            continue;
        snprintf(name, sizeof name, "%d/mod_interactions/three/a.json", i + 1);
        snprintf(text, sizeof text, "{'type':'overmap_terrain','id':'of_%s','sym':'%d'}",
                 mods[i], i);
        fixture_put(name, text);
    }
    fixture_import(4, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT t.id, p.id FROM overmap_terrain t JOIN content_pack p ON "
                        "p.position = t.pack WHERE t.id LIKE 'of_%' ORDER BY t.id",
                        2,
                        "of_one|one/mod_interactions/three\nof_two|two/mod_interactions/three");
    fixture_expect_rows("SELECT id, file_count FROM content_pack WHERE id LIKE '%interactions%'"
                        " ORDER BY id",
                        2, "one/mod_interactions/three|1\ntwo/mod_interactions/three|1");
}
END_TEST

START_TEST(mod_interactions)
{
    static const char info[] = "[{'type':'MOD_INFO','id':'%s','name':'%s'}]";
    char text[100];
    fixture_put("0/base.json", base);
    const char *const mods[] = {"one", "two"};
    for (int i = 0; i < 2; i++) {
        char name[40];
        snprintf(text, sizeof text, info, mods[i], mods[i]);
        snprintf(name, sizeof name, "%d/modinfo.json", i + 1);
        fixture_put(name, text);
    }
    fixture_put("1/mod_interactions/two/a.json",
                "{'type':'overmap_terrain','id':'meeting','sym':'1'}");
    fixture_put("1/mod_interactions/three/a.json",
                "{'type':'overmap_terrain','id':'stranger','sym':'3'}");
    fixture_put("2/a.json", "{'type':'overmap_terrain','id':'meeting','sym':'2'}");
    fixture_import(3, false);
    fixture_expect(PTL_OK, "");
    /* Behind both mods, so that its definition counts. */
    fixture_expect_rows("SELECT id, symbol, pack FROM overmap_terrain WHERE id IN ('meeting',"
                        " 'stranger')",
                        3, "meeting|49|3");
    fixture_expect_rows("SELECT position, id, file_count FROM content_pack", 3,
                        "0|0|1\n1|one|1\n2|two|2\n3|one/mod_interactions/two|1");
}
END_TEST

START_TEST(unknown_keys)
{
    import_beside("[{'type':'overmap_terrain','id':'a','sym':'a','//':'x','smell':1},\n"
                  "{'type':'overmap_terrain','id':'b','sym':'b','smell':2,'taste':3},\n"
                  "{'type':'map_extra','id':'m','smell':4}]");
    fixture_expect(PTL_OK, "");
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 4);
    fixture_expect_rows("SELECT type, key, objects, line FROM content_unknown", 4,
                        "map_extra|smell|1|3\novermap_terrain|smell|2|1\n"
                        "overmap_terrain|taste|1|2");
    fixture_import_text("[]", false);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM content_unknown"), 0);
}
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *test, int count)
{
    TCase *c = tcase_create(name);
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_add_loop_test(c, test, 0, count);
    suite_add_tcase(suite, c);
}

int main(void)
{
    Suite *suite = suite_create("today");
    add_case(suite, "terrain fields", terrain_fields, 1);
    add_case(suite, "see_cost", see_costs, 8);
    add_case(suite, "points that only look", points_that_only_look, 1);
    add_case(suite, "too large", larger_than_an_overmap, 1);
    add_case(suite, "amounts", amounts, 7);
    add_case(suite, "wrong amounts", wrong_amounts, 6);
    add_case(suite, "region by parts", region_by_parts, 1);
    add_case(suite, "waters of blocks", waters_of_blocks, 1);
    add_case(suite, "no ocean", no_ocean, 1);
    add_case(suite, "levels", levels_of_regions, 1);
    add_case(suite, "wrong levels", wrong_levels, 3);
    add_case(suite, "city sizes", city_sizes, 4);
    add_case(suite, "numbers without columns", numbers_without_columns, 1);
    add_case(suite, "highways of regions", highways_of_regions, 1);
    add_case(suite, "options of regions", options_of_regions, 1);
    add_case(suite, "numbers by options", numbers_by_options, 1);
    add_case(suite, "dimensions", dimensions, 1);
    add_case(suite, "games", games, 1);
    add_case(suite, "no parts", parts_that_are_not_there, 1);
    add_case(suite, "copies of parts", copies_of_parts, 1);
    add_case(suite, "wrong parts", wrong_parts, 1);
    add_case(suite, "copies without end", copies_without_end, 1);
    add_case(suite, "mod_interactions", mod_interactions, 1);
    add_case(suite, "mod_interactions_of_two", mod_interactions_of_two, 1);
    add_case(suite, "unknown keys", unknown_keys, 1);
    return suite_run(suite);
}
