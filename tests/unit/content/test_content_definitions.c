/* Locations, connections, the small types, and which mods a special asks for. */
#include "unit/content/definition_fixture.h"

#include <string.h>

Suite *definition_suite(void);

static const char terrains[] =
    "[{'type':'overmap_terrain','id':['field','wood'],'sym':'.','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':'shop','sym':'s','flags':['FOOD','SAFE']},\n"
    "{'type':'overmap_terrain','id':'barn','copy-from':'shop','delete':{'flags':['FOOD']}},\n"
    "{'type':'overmap_terrain','id':['road','track'],'flags':['LINEAR']}]";

START_TEST(locations)
{
    fixture_put("0/terrain.json", terrains);
    fixture_import_text(
        "[{'type':'overmap_location','id':'land','terrains':['wood','field','wood']},\n"
        "{'type':'overmap_location','id':'loot','flags':['SAFE','NOBODY_HAS_IT']},\n"
        "{'type':'overmap_location','id':'both','terrains':['barn','road'],'flags':['FOOD']},\n"
        "{'type':'overmap_location','id':'none','flags':['NOBODY_HAS_IT']},\n"
        "{'type':'overmap_location','id':'copy','copy-from':'both','terrains':['wood'],'x':1}]",
        false);
    fixture_expect(PTL_OK, "warning: 0/a.json:4:1: none: no terrain satisfies this location\n");
    fixture_expect_rows("SELECT location, group_concat(terrain) FROM overmap_location_terrain"
                        " GROUP BY location",
                        2,
                        "both|barn,road,shop\ncopy|shop,wood\nland|field,wood\nloot|barn,shop");
    fixture_expect_rows(
        "SELECT location, flag FROM overmap_location_flag", 2,
        "both|FOOD\ncopy|FOOD\nloot|NOBODY_HAS_IT\nloot|SAFE\nnone|NOBODY_HAS_IT");
    fixture_expect_rows("SELECT id, line FROM overmap_location", 2,
                        "both|3\ncopy|5\nland|1\nloot|2\nnone|4");
    ck_assert_uint_eq(fixture.run.report.locations, 5);
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 1);
}
END_TEST

START_TEST(location_redefined)
{
    fixture_put("0/a.json", terrains);
    fixture_put("1/a.json", "{'type':'overmap_location','id':'land','terrains':['wood']}");
    fixture_put("2/a.json", "{'type':'overmap_location','id':'land','terrains':'field'}");
    fixture_import(3, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT location, terrain, pack FROM overmap_location_terrain JOIN"
                        " overmap_location ON id = location",
                        3, "land|field|2");
}
END_TEST

START_TEST(connections)
{
    fixture_put("0/terrain.json", terrains);
    fixture_import_text(
        "[{'type':'overmap_location','id':'land','terrains':['field']},\n"
        "{'type':'overmap_location','id':'trees','terrains':['wood']},\n"
        "{'type':'overmap_connection','id':'lane','default_terrain':'road','layout':'p2p',"
        "'subtypes':[{'terrain':'track','locations':['trees','land'],'basic_cost':20,"
        "'weight':3,'flags':['ORTHOGONAL','ODD']},{'terrain':'road','locations':[]}]},\n"
        "{'type':'overmap_connection','id':'path','copy-from':'lane','layout':'city'}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, default_terrain, layout, line FROM overmap_connection", 4,
                        "lane|road|p2p|3\npath|road|city|4");
    fixture_expect_rows("SELECT connection, position, terrain, basic_cost, weight, orthogonal,"
                        " flags FROM overmap_connection_subtype",
                        7,
                        "lane|0|track|20|3|1|[\"ODD\",\"ORTHOGONAL\"]\nlane|1|road|0|0|0|[]\n"
                        "path|0|track|20|3|1|[\"ODD\",\"ORTHOGONAL\"]\npath|1|road|0|0|0|[]");
    fixture_expect_rows("SELECT * FROM overmap_connection_location", 3,
                        "lane|0|land\nlane|0|trees\npath|0|land\npath|0|trees");
}
END_TEST

/* What depends on an unresolved reference is left out: also in a copy, and without upsetting
 * the other subtypes. */
START_TEST(connections_lenient)
{
    fixture_put("0/terrain.json", terrains);
    fixture_import_text(
        "[{'type':'overmap_location','id':'land','terrains':['field','gone']},\n"
        "{'type':'overmap_connection','id':'lane','default_terrain':'raod','subtypes':[\n"
        "{'terrain':'gone','locations':[]},{'terrain':'road','locations':['lost']},\n"
        "{'terrain':'road','locations':['lost','land']},{'terrain':'track','locations':[]}]},\n"
        "{'type':'overmap_connection','id':'path','copy-from':'lane','default_terrain':'road'}"
        "]",
        true);
    ck_assert_msg(fixture.run.status == PTL_OK, "%s", fixture.run.err.message);
    fixture_expect_rows("SELECT id, default_terrain FROM overmap_connection", 2,
                        "lane|-\npath|road");
    fixture_expect_rows("SELECT connection, position, terrain FROM overmap_connection_subtype",
                        3, "lane|0|road\nlane|1|track\npath|0|road\npath|1|track");
    fixture_expect_rows("SELECT * FROM overmap_connection_location", 3,
                        "lane|0|land\npath|0|land");
    fixture_expect_rows("SELECT kind, count(*) FROM content_issue WHERE object_id IN ('land')"
                        " GROUP BY kind",
                        2, "unresolved|1");
}
END_TEST

START_TEST(small_types)
{
    fixture_import_text(
        "[{'type':'map_extra','id':'mx_a','name':{'str':'A'},'description':'text',"
        "'generator':{'generator_method':'update_mapgen','generator_id':'g'},'sym':'o',"
        "'color':'red','autonote':true},\n"
        "{'type':'map_extra','id':'mx_b','copy-from':'mx_a','generator':{'generator_method':"
        "'map_extra_function','generator_id':'h'}},\n"
        "{'type':'overmap_land_use_code','id':'','sym':'#','color':'white',"
        "'detailed_definition':''},\n"
        "{'type':'overmap_land_use_code','id':'crop','land_use_code':1,'name':'Crop',"
        "'sym':46,'color':'yellow','detailed_definition':'tilled'},\n"
        "{'type':'rotatable_symbol','tuple':['╔','╗','╝','╚']}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, name, description, generator_method, generator_id,"
                        " char(symbol), color, autonote FROM map_extra",
                        8,
                        "mx_a|A|text|update_mapgen|g|o|red|1\n"
                        "mx_b|A|text|map_extra_function|h|o|red|1");
    fixture_expect_rows("SELECT id, code, name, detailed_definition, symbol, color, line"
                        " FROM overmap_land_use_code",
                        7, "|0|||35|white|3\ncrop|1|Crop|tilled|46|yellow|4");
    fixture_expect_rows("SELECT group_concat(char(symbol), '') FROM"
                        " (SELECT symbol FROM rotatable_symbol ORDER BY tuple, position)",
                        1, "╔╗╝╚");
    ck_assert_uint_eq(fixture.run.report.map_extras, 2);
    ck_assert_uint_eq(fixture.run.report.land_use_codes, 2);
}
END_TEST

/* A mod's tuple replaces the base's that share a character; within a pack that is odd. */
START_TEST(overlapping_tuples)
{
    fixture_put("0/a.json", "[{'type':'rotatable_symbol','tuple':['a','b']},"
                            "{'type':'rotatable_symbol','tuple':['c','d']}]");
    fixture_put("1/a.json", "[{'type':'rotatable_symbol','tuple':['b','e','f','g']},\n"
                            "{'type':'rotatable_symbol','tuple':['g','h']}]");
    fixture_import(2, false);
    fixture_expect(PTL_OK,
                   "warning: 1/a.json:2:36: : shares a character with an earlier tuple of "
                   "this pack, which is dropped\n");
    fixture_expect_rows("SELECT group_concat(char(symbol), '') FROM rotatable_symbol"
                        " GROUP BY tuple",
                        1, "cd\ngh");
}
END_TEST

/* {condition, what the import says of it}: 1 met, 0 not, - only play can tell. */
static const char *const conditions[][2] = {
    {"{'mod_is_loaded':'one'}", "1"},
    {"{'mod_is_loaded':'two'}", "0"},
    {"{'mod_is_loaded':'dda'}", "1"},
    {"{'not':{'mod_is_loaded':'one'}}", "0"},
    {"{'not':{'mod_is_loaded':'two'}}", "1"},
    {"{'and':[{'mod_is_loaded':'one'},{'mod_is_loaded':'two'}]}", "0"},
    {"{'and':[{'mod_is_loaded':'one'},{'not':{'mod_is_loaded':'two'}}]}", "1"},
    {"{'or':[{'mod_is_loaded':'two'},{'mod_is_loaded':'one'}]}", "1"},
    {"{'or':[{'mod_is_loaded':'two'}]}", "0"},
    {"'u_male'", "-"},
    {"{'not':'u_male'}", "-"},
    {"{'and':'u_male'}", "-"},
    {"{'and':['u_male',{'mod_is_loaded':'one'}]}", "-"},
    {"{'and':['u_male',{'mod_is_loaded':'two'}]}", "0"},
    {"{'or':['u_male',{'mod_is_loaded':'one'}]}", "1"},
    {"{'or':['u_male',{'mod_is_loaded':'two'}]}", "-"},
};

/* A special's effect_on_condition may ask for mods. */
START_TEST(conditions_of_mods)
{
    const size_t count = sizeof conditions / sizeof *conditions;
    bytes text, expected;
    bytes_init(&text);
    bytes_init(&expected);
    for (size_t i = 0; i < count; i++) {
        bytes_printf(&text,
                     "%s{'type':'overmap_special','id':'s%02zu','occurrences':[0,1],"
                     "'locations':['land'],'overmaps':[{'point':[0,0,0],'overmap':'field'}],"
                     "'eoc':{'id':'e','condition':%s,'effect':[]}}",
                     i > 0 ? ",\n" : "[", i, conditions[i][0]);
        bytes_printf(&expected, "%ss%02zu|%s|e", i > 0 ? "\n" : "", i, conditions[i][1]);
    }
    bytes_printf(&text, "]");
    fixture_put("0/terrain.json", terrains);
    fixture_put("0/land.json", "{'type':'overmap_location','id':'land','terrains':['field']}");
    fixture_put("1/modinfo.json", "[{'type':'MOD_INFO','id':'one','name':'One'}]");
    fixture_put("1/a.json", bytes_text(&text));
    fixture_import(2, false);
    ck_assert_int_eq(fixture.run.status, PTL_OK);
    fixture_expect_rows("SELECT id, json_extract(eoc, '$.holds'), json_extract(eoc, '$.id') "
                        "FROM overmap_special WHERE json_type(eoc, '$.holds') IN ('true', "
                        "'false', 'null') ORDER BY id",
                        3, bytes_text(&expected));
    /* One warning for each of which only play can tell. */
    int remarks = 0;
    const char *at = bytes_text(&fixture.remarks);
    while ((at = strstr(at, "only play can tell"))) {
        remarks++;
        at++;
    }
    ck_assert_int_eq(remarks, 5);
    bytes_dispose(&expected);
    bytes_dispose(&text);
}
END_TEST

Suite *definition_suite(void)
{
    Suite *suite = suite_create("definitions");
    TCase *c = tcase_create("definitions");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_add_test(c, locations);
    tcase_add_test(c, location_redefined);
    tcase_add_test(c, connections);
    tcase_add_test(c, connections_lenient);
    tcase_add_test(c, small_types);
    tcase_add_test(c, overlapping_tuples);
    tcase_add_test(c, conditions_of_mods);
    suite_add_tcase(suite, c);
    return suite;
}
