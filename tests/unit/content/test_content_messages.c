/* Every message on a wrong terrain, location, connection, region or small type, with its place.
 */
#include "unit/content/definition_fixture.h"
#include "unit/content/lenient_fixture.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text, *remarks;
} wrong[] = {
    {"{'type':'overmap_terrain','sym':'a'}", "error: 0/a.json:1:1: : has no 'id'\n"},
    {"{'type':'overmap_terrain','id':'a','abstract':'b','sym':'a'}",
     "error: 0/a.json:1:47: a: has both 'id' and 'abstract'\n"},
    {"{'type':'overmap_terrain','id':3,'sym':'a'}",
     "error: 0/a.json:1:32: : 'id' must be a string or a list of strings\n"},
    {"{'type':'overmap_terrain','id':['a',5],'sym':'a'}",
     "error: 0/a.json:1:37: : must be a string\n"},
    {"{'type':'overmap_terrain','abstract':['a'],'sym':'a'}",
     "error: 0/a.json:1:38: : 'abstract' must be a string\n"},
    {"{'type':'overmap_terrain','id':'a\\nb','sym':'a'}",
     "error: 0/a.json:1:32: : the id has a control character\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'\\u202eb'}",
     "error: 0/a.json:1:42: a: 'sym' must be a printable character\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'b','see_cost':'hihg'}",
     "error: 0/a.json:1:57: a: no such see_cost 'hihg', did you mean 'high'?\n"},
    {"{'type':'overmap_terrain','id':'a','sym':''}",
     "error: 0/a.json:1:42: a: 'sym' must be a printable character\n"},
    {"{'type':'overmap_terrain','id':'a','sym':7}",
     "error: 0/a.json:1:42: a: 'sym' is not the code point of a printable character\n"},
    {"{'type':'overmap_terrain','id':'a','sym':55296}",
     "error: 0/a.json:1:42: a: 'sym' is not the code point of a printable character\n"},
    {"{'type':'overmap_terrain','id':'a','sym':1.5}",
     "error: 0/a.json:1:42: a: 'sym' must be a character or its code point\n"},
    {"{'type':'overmap_terrain','id':'a','sym':null}",
     "error: 0/a.json:1:42: a: 'sym' must be a character or its code point\n"},
    {"{'type':'overmap_terrain','id':'a'}",
     "error: 0/a.json:1:1: a: has no 'sym', nor inherits one\n"},
    {"{'type':'overmap_terrain','id':['a','b'],\n"
     "'flags':['NO_ROTATE','LINEAR']}",
     "error: 0/a.json:2:9: a: has both flags NO_ROTATE and LINEAR\n"},
    {"[{'type':'overmap_terrain','abstract':'l','flags':['LINEAR']},\n"
     "{'type':'overmap_terrain','id':'a','copy-from':'l','extend':{'flags':['NO_ROTA"
     "TE']}}]",
     "error: 0/a.json:2:70: a: has both flags NO_ROTATE and LINEAR\n"},
    {"[{'type':'overmap_terrain','id':'house','sym':'h'},\n"
     "{'type':'overmap_terrain','id':'b','copy-from':'huose'}]",
     "error: 0/a.json:2:48: b: copy-from names 'huose', which nothing defines, did y"
     "ou mean 'house'?\n"},
    {"{'type':'overmap_terrain','id':'a','copy-from':'a','sym':'a'}",
     "error: 0/a.json:1:48: a: copy-from goes in a circle: 'a' -> 'a'\n"},
    {"[{'type':'overmap_terrain','id':'a','copy-from':'c','sym':'a'},\n"
     "{'type':'overmap_terrain','id':'b','copy-from':'a'},\n"
     "{'type':'overmap_terrain','id':'c','copy-from':'b'},\n"
     "{'type':'overmap_terrain','id':'tail','copy-from':'c'}]",
     "error: 0/a.json:1:49: a: copy-from goes in a circle: 'a' -> 'c' -> 'b' -> 'a'\n"},
    {"[{'type':'overmap_terrain','id':'a','sym':'a'},\n"
     "{'type':'overmap_terrain','id':'a_north','sym':'a','flags':['NO_ROTATE']}]",
     "error: 0/a.json:2:1: a_north: its concrete terrain 'a_north' is also one of 'a"
     "'\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','name':4,'color':5,'extras':[],'c"
     "onnect_group':{},'looks_like':8}",
     "error: 0/a.json:1:53: a: 'name' must be a string or an object with 'str'\n"
     "error: 0/a.json:1:63: a: 'color': expected a string, found an integer\n"
     "error: 0/a.json:1:74: a: 'extras': expected a string, found an array\n"
     "error: 0/a.json:1:93: a: 'connect_group': expected a string, found an object\n"
     "error: 0/a.json:1:109: a: 'looks_like' must be a string or a list of strings\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','name':{'plural':'as'}}",
     "error: 0/a.json:1:53: a: 'name' has no 'str' (or 'str_sp')\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','see_cost':-1,'travel_cost':'5','"
     "mondensity':1000001}",
     "error: 0/a.json:1:57: a: 'see_cost': -1 is not between 0 and 1000000\n"
     "error: 0/a.json:1:74: a: 'travel_cost': expected an integer, found a string\n"
     "error: 0/a.json:1:91: a: 'mondensity': 1000001 is not between -1000000 and 100"
     "0000\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','see_cost':2.5}",
     "error: 0/a.json:1:57: a: 'see_cost': expected an integer, found a number\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','relative':3,'proportional':{'see"
     "_cost':0,'mondensity':'x'}}",
     "error: 0/a.json:1:57: a: 'relative' must be an object\n"
     "error: 0/a.json:1:86: a: 'see_cost' must be above 0 and 1000000 at most\n"
     "error: 0/a.json:1:101: a: 'mondensity': expected a number, found a string\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','relative':{'see_cost':1e9}}",
     "error: 0/a.json:1:69: a: 'see_cost' must be at least -1000000 and 1000000 at m"
     "ost\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','extend':['X'],'delete':{'flags':"
     "[1]}}",
     "error: 0/a.json:1:55: a: 'extend' must be an object\n"
     "error: 0/a.json:1:80: a: must be a string\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','flags':{'X':1}}",
     "error: 0/a.json:1:54: a: 'flags' must be a string or a list of strings\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','spawns':[]}",
     "error: 0/a.json:1:55: a: 'spawns' must be an object\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','spawns':{'group':1,'population':"
     "[3,1]}}",
     "error: 0/a.json:1:55: a: missing key 'chance'\n"
     "error: 0/a.json:1:64: a: 'group': expected a string, found an integer\n"
     "error: 0/a.json:1:79: a: 'population' must be [least, most], two whole numbers"
     " from 0\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','spawns':{'group':'G','chance':5}"
     "}",
     "error: 0/a.json:1:55: a: 'population' must be [least, most], two whole numbers"
     " from 0\n"},
    {"{'type':'overmap_terrain','id':'a','sym':'a','mapgen':{},'mapgen_tee':[1]}",
     "error: 0/a.json:1:55: a: 'mapgen' must be a list of objects\n"
     "error: 0/a.json:1:71: a: 'mapgen_tee' must be a list of objects\n"},
    {"[{'type':'overmap_land_use_code','id':'forest'},\n"
     "{'type':'overmap_terrain','id':'a','sym':'a','land_use_code':'forrest'}]",
     "error: 0/a.json:2:62: a: no such overmap_land_use_code 'forrest', did you mean"
     " 'forest'?\n"},
    {"{'type':'overmap_location','id':'l'}",
     "error: 0/a.json:1:1: l: has neither 'terrains' nor 'flags'\n"},
    {"{'type':'overmap_location','id':'','terrains':[]}",
     "error: 0/a.json:1:33: : the id is empty\n"},
    {"{'type':'overmap_location','terrains':[]}", "error: 0/a.json:1:1: : has no 'id'\n"},
    {"{'type':'overmap_location','id':'l','terrains':{'a':1},'flags':[2]}",
     "error: 0/a.json:1:48: l: 'terrains' must be a string or a list of strings\n"
     "error: 0/a.json:1:65: l: must be a string\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'overmap_location','id':'l','terrains':['field','feild','field_north']"
     "}]",
     "error: 0/a.json:2:57: l: no such terrain type 'feild', did you mean 'field'?\n"
     "error: 0/a.json:2:65: l: no such terrain type 'field_north', did you mean 'fie"
     "ld'?\n"},
    {"[{'type':'overmap_location','id':'l','copy-from':'m','flags':[]},\n"
     "{'type':'overmap_location','id':'m','copy-from':'l'}]",
     "warning: 0/a.json:1:2: l: no terrain satisfies this location\n"
     "error: 0/a.json:1:50: l: copy-from goes in a circle: 'l' -> 'm' -> 'l'\n"
     "warning: 0/a.json:2:1: m: no terrain satisfies this location\n"},
    {"{'type':'overmap_connection','id':'c'}",
     "error: 0/a.json:1:1: c: 'subtypes' must be a list with at least one entry\n"},
    {"{'type':'overmap_connection','id':'c','subtypes':[]}",
     "error: 0/a.json:1:50: c: 'subtypes' must be a list with at least one entry\n"},
    {"{'type':'overmap_connection','id':'c','layout':'star','subtypes':[3,{},{'terra"
     "in':'r','locations':'x','basic_cost':-1,'weight':'w','flags':'F'}]}",
     "error: 0/a.json:1:48: c: 'layout' must be 'city' or 'p2p', not 'star'\n"
     "error: 0/a.json:1:67: c: must be an object\n"
     "error: 0/a.json:1:69: c: missing key 'terrain'\n"
     "error: 0/a.json:1:69: c: missing key 'locations'\n"
     "error: 0/a.json:1:83: c: no such terrain type 'r'\n"
     "error: 0/a.json:1:99: c: 'locations' must be a list of strings\n"
     "error: 0/a.json:1:116: c: 'basic_cost': -1 is not between 0 and 10000\n"
     "error: 0/a.json:1:128: c: 'weight': expected an integer, found a string\n"
     "error: 0/a.json:1:140: c: 'flags' must be a list of strings\n"},
    {"[{'type':'overmap_terrain','id':'road','sym':'r','flags':['LINEAR']},{'type':'"
     "overmap_location','id':'land','terrains':['road']},\n"
     "{'type':'overmap_connection','id':'c','default_terrain':'raod','subtypes':[\n"
     "{'terrain':'road','locations':['land','lnad']},\n"
     "{'terrain':'track','locations':[]}]}]",
     "error: 0/a.json:2:57: c: no such terrain type 'raod', did you mean 'road'?\n"
     "error: 0/a.json:3:39: c: no such location 'lnad', did you mean 'land'?\n"
     "error: 0/a.json:4:12: c: no such terrain type 'track'\n"},
    {"{'type':'region_settings','id':''}",
     "error: 0/a.json:1:32: : region_settings needs one 'id'\n"},
    {"{'type':'region_settings','default_oter':'x'}", "error: 0/a.json:1:1: : has no 'id'\n"},
    {"{'type':'region_settings','id':'r'}",
     "error: 0/a.json:1:1: r: no such terrain 'field' for default_oter\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'region_settings','id':'r','default_oter':'feild'}]",
     "error: 0/a.json:2:51: r: no such terrain 'feild' for default_oter, did you mea"
     "n 'field'?\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'region_settings','id':'r','default_oter':7,'river_scale':41,'overmap_"
     "lake_settings':{'noise_threshold_lake':'x',\n"
     "'lake_size_min':-1,'lake_depth':1},\n"
     "'overmap_ravine_settings':{'num_ravines':-1,'ravine_range':181,'ravine_width':"
     "21,'ravine_depth':-11}}]",
     "error: 0/a.json:2:51: r: 'default_oter' must be a terrain id, or a list of 21\n"
     "error: 0/a.json:2:67: r: 'river_scale' must be 0..40, not 41\n"
     "error: 0/a.json:2:118: r: 'noise_threshold_lake': expected a number, found a s"
     "tring\n"
     "error: 0/a.json:3:17: r: 'lake_size_min': -1 is not between 0 and 1000\n"
     "error: 0/a.json:3:33: r: 'lake_depth': 1 is not between -10 and 0\n"
     "error: 0/a.json:4:42: r: 'num_ravines': -1 is not between 0 and 1000\n"
     "error: 0/a.json:4:60: r: 'ravine_range': 181 is not between 0 and 180\n"
     "error: 0/a.json:4:79: r: 'ravine_width': 21 is not between 1 and 20\n"
     "error: 0/a.json:4:97: r: 'ravine_depth': -11 is not between -10 and -1\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'region_settings','id':'r','overmap_forest_settings':{'noise_threshold"
     "_forest':-11,'river_floodplain_buffer_distance_min':-1},\n"
     "'forest_trail_settings':{'chance':-1,'random_point_size_scalar':0,'trailhead_r"
     "oad_distance':1.5},\n"
     "'city':{'shop_radius':-1,'city_size':17,'city_spacing':9}}]",
     "error: 0/a.json:2:88: r: 'noise_threshold_forest' must be -10..10, not -11\n"
     "error: 0/a.json:2:131: r: 'river_floodplain_buffer_distance_min': -1 is not be"
     "tween 0 and 2147483647\n"
     "error: 0/a.json:3:35: r: 'chance': -1 is not between 0 and 2147483647\n"
     "error: 0/a.json:3:65: r: 'random_point_size_scalar': 0 is not between 1 and 21"
     "47483647\n"
     "error: 0/a.json:3:93: r: 'trailhead_road_distance': expected an integer, found"
     " a number\n"
     "error: 0/a.json:4:23: r: 'shop_radius': -1 is not between 0 and 2147483647\n"
     "error: 0/a.json:4:38: r: 'city_size': 17 is not between -1 and 16\n"
     "error: 0/a.json:4:56: r: 'city_spacing': 9 is not between -1 and 8\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'region_settings','id':'r','overmap_lake_settings':[],'city':3,'map_ex"
     "tras':'x','feature_flag_settings':1}]",
     "error: 0/a.json:2:60: r: 'overmap_lake_settings' must be an object\n"
     "error: 0/a.json:2:70: r: 'city' must be an object\n"
     "error: 0/a.json:2:85: r: no such region_settings_map_extras 'x'\n"
     "error: 0/a.json:2:113: r: 'feature_flag_settings' must be an object\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},{'type':'map_extra','id':'m"
     "x_tree'},\n"
     "{'type':'region_settings','id':'r','city':{'houses':{'field':1,'feild':2,'fiel"
     "d_north':3,'//':'x'},'shops':7,'parks':{'field':-1}},\n"
     "'forest_trail_settings':{'trailheads':{'nothing':0}},\n"
     "'map_extras':{'g':{'extras':{'mx_treee':1}},'h':{'chance':1},'i':[],'~/':{'cha"
     "nce':-1,'extras':{'a/b':1.5}}}}]",
     "error: 0/a.json:2:72: r: no special, city_building or terrain type 'feild', di"
     "d you mean 'field'?\n"
     "error: 0/a.json:2:88: r: no special, city_building or terrain type 'field_nort"
     "h', did you mean 'field'?\n"
     "error: 0/a.json:2:108: r: must be an object or a list of ids and weights\n"
     "error: 0/a.json:2:127: r: the weight of 'field' must be a whole number, 0..100"
     "0000000\n"
     "error: 0/a.json:3:50: r: no special, city_building or terrain type 'nothing'\n"
     "error: 0/a.json:4:19: r: missing key 'chance'\n"
     "error: 0/a.json:4:41: r: no such map_extra 'mx_treee', did you mean 'mx_tree'?"
     "\n"
     "error: 0/a.json:4:49: r: missing key 'extras'\n"
     "error: 0/a.json:4:66: r: must be an object with 'chance' and 'extras'\n"
     "error: 0/a.json:4:84: r: 'chance': -1 is not between 0 and 2147483647\n"
     "error: 0/a.json:4:103: r: the weight of 'a/b' must be a whole number, 0..10000"
     "00000\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},\n"
     "{'type':'region_settings','id':'r','overmap_feature_flag_settings':{'blacklist"
     "':{},'whitelist':[1],'clear_blacklist':'no'}}]",
     "error: 0/a.json:2:81: r: 'blacklist' must be a string or a list of strings\n"
     "error: 0/a.json:2:97: r: must be a string\n"
     "error: 0/a.json:2:118: r: 'clear_blacklist': expected true or false, found a s"
     "tring\n"},
    {"[{'type':'overmap_terrain','id':'field','sym':'f'},{'type':'region_settings','"
     "id':'river'},\n"
     "{'type':'region_overlay','river_scale':2},\n"
     "{'type':'region_overlay','regions':'all'},\n"
     "{'type':'region_overlay','regions':['rivr','all'],'river_scale':-2}]",
     "error: 0/a.json:2:1: : missing key 'regions'\n"
     "error: 0/a.json:3:36: : 'regions' must be a list of strings\n"
     "error: 0/a.json:4:37: : no region 'rivr' in this or an earlier pack, did you m"
     "ean 'river'?\n"
     "error: 0/a.json:4:44: : 'all' must be alone in the list\n"
     "error: 0/a.json:4:65: : 'river_scale' must be 0..40, not -2\n"},
    {"{'type':'rotatable_symbol','tuple':['a','b','c']}",
     "error: 0/a.json:1:36: : 'tuple' must be a list of 2 or 4 characters\n"},
    {"{'type':'rotatable_symbol'}",
     "error: 0/a.json:1:1: : 'tuple' must be a list of 2 or 4 characters\n"},
    {"{'type':'rotatable_symbol','tuple':['a','a']}",
     "error: 0/a.json:1:41: : the character is in this tuple twice\n"},
    {"{'type':'rotatable_symbol','tuple':['ab',3]}",
     "error: 0/a.json:1:37: : must be one printable character\n"
     "error: 0/a.json:1:42: : must be one printable character\n"},
    {"{'type':'map_extra','id':'m','name':3,'sym':'xx','color':1,'autonote':'yes','g"
     "enerator':{'generator_id':2}}",
     "error: 0/a.json:1:37: m: 'name' must be a string or an object with 'str'\n"
     "warning: 0/a.json:1:45: m: 'sym' has more than one character: the first counts\n"
     "error: 0/a.json:1:58: m: 'color': expected a string, found an integer\n"
     "error: 0/a.json:1:71: m: 'autonote': expected true or false, found a string\n"
     "error: 0/a.json:1:105: m: 'generator_id': expected a string, found an integer\n"},
    {"{'type':'map_extra','id':'m','generator':'x','copy-from':'n'}",
     "error: 0/a.json:1:42: m: 'generator' must be an object\n"
     "error: 0/a.json:1:58: m: copy-from names 'n', which nothing defines\n"},
    {"{'type':'overmap_land_use_code','id':'u','sym':0,'land_use_code':'x','detailed"
     "_definition':[]}",
     "error: 0/a.json:1:48: u: 'sym' must be one printable character\n"
     "error: 0/a.json:1:66: u: 'land_use_code': expected an integer, found a string\n"
     "error: 0/a.json:1:92: u: 'detailed_definition' must be a string or an object w"
     "ith 'str'\n"},
};

START_TEST(messages)
{
    fixture_import_text(wrong[_i].text, false);
    fixture_expect(PTL_ERR_CONTENT, wrong[_i].remarks);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM content"), 0);
}
END_TEST

/* Each over our own pack. */
START_TEST(left_out)
{
    lenient_fixture f;
    lenient_begin(&f, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        lenient_expect_text(&f, wrong[i].text);
    lenient_end(&f);
}
END_TEST

/* Ids up to the limit are fine, one byte more is not. */
static const struct {
    const char *head, *tail;
    int longest;
} ids[] = {
    {"{'type':'overmap_terrain','id':'", "','sym':'a'}", 200},
    {"[{'type':'overmap_terrain','id':'r','sym':'r'},{'type':'overmap_connection','id':'",
     "','subtypes':[{'terrain':'r','locations':[]}]}]", 63},
    {"{'type':'map_extra','id':'", "'}", 200},
};

START_TEST(id_lengths)
{
    char text[512], remark[64];
    for (int extra = 0; extra < 2; extra++) {
        size_t length = (size_t)(ids[_i].longest + extra), head = strlen(ids[_i].head);
        memcpy(text, ids[_i].head, head);
        memset(text + head, 'x', length);
        strcpy(text + head + length, ids[_i].tail);
        fixture_import_text(text, false);
        ck_assert_int_eq(fixture.run.status, extra ? PTL_ERR_CONTENT : PTL_OK);
    }
    snprintf(remark, sizeof remark, "the id has %d bytes, %d at most are allowed",
             ids[_i].longest + 1, ids[_i].longest);
    ck_assert_ptr_nonnull(strstr((const char *)fixture.remarks.data, remark));
}
END_TEST

Suite *message_suite(void);
Suite *message_suite(void)
{
    Suite *suite = suite_create("messages");
    TCase *c = tcase_create("messages");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_add_loop_test(c, messages, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_loop_test(c, id_lengths, 0, (int)(sizeof ids / sizeof *ids));
    suite_add_tcase(suite, c);
    TCase *lenient = tcase_create("lenient");
    tcase_set_timeout(lenient, 60);
    tcase_add_test(lenient, left_out);
    suite_add_tcase(suite, lenient);
    return suite;
}
