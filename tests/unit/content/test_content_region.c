/* region_settings and region_overlay. */
#include "unit/content/definition_fixture.h"

#include <stdio.h>
#include <string.h>

Suite *region_suite(void);

static const char base[] =
    "[{'type':'overmap_terrain','id':['field','sand'],'sym':'.','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':['house','park'],'sym':'h'},\n"
    "{'type':'map_extra','id':['mx_a','mx_b']}]";

static const char columns[] =
    "SELECT id, default_oter, river_scale, noise_threshold_lake, lake_size_min, lake_depth,"
    " num_ravines, ravine_range, ravine_width, ravine_depth, noise_threshold_forest,"
    " noise_threshold_forest_thick, noise_threshold_swamp_adjacent_water,"
    " noise_threshold_swamp_isolated, river_floodplain_buffer_distance_min,"
    " river_floodplain_buffer_distance_max, trail_chance, trail_border_point_chance,"
    " trail_minimum_forest_size, trail_random_point_min, trail_random_point_max,"
    " trail_random_point_size_scalar, trailhead_chance, trailhead_road_distance, shop_radius,"
    " shop_sigma, park_radius, park_sigma, city_size, city_spacing FROM region_settings";

/* The games' defaults, schema/generation.md 6. */
START_TEST(defaults)
{
    fixture_put("0/base.json", base);
    fixture_import_text("{'type':'region_settings','id':'bare'}", false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(columns, 30,
                        "bare|field|1.0|0.25|20|-5|0|45|1|-3|0.25|0.3|0.3|0.6|3|15|1|2|50|4|50|"
                        "100|1|6|30|20|30|70|-1|-1");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM region_block"), 0);
}
END_TEST

START_TEST(all_fields)
{
    fixture_put("0/base.json", base);
    fixture_import_text(
        "{'type':'region_settings','id':'r','default_oter':'house_west','river_scale':2.5,"
        "'overmap_lake_settings':{'noise_threshold_lake':0.1,'lake_size_min':21,'lake_depth':-"
        "6,"
        "'shore_extendable_overmap_terrain':['field']},"
        "'overmap_ravine_settings':{'num_ravines':1,'ravine_range':46,'ravine_width':2,"
        "'ravine_depth':-4},"
        "'overmap_forest_settings':{'noise_threshold_forest':0.2,"
        "'noise_threshold_forest_thick':0.21,'noise_threshold_swamp_adjacent_water':0.22,"
        "'noise_threshold_swamp_isolated':0.23,'river_floodplain_buffer_distance_min':4,"
        "'river_floodplain_buffer_distance_max':14},"
        "'forest_trail_settings':{'chance':3,'border_point_chance':4,'minimum_forest_size':51,"
        "'random_point_min':5,'random_point_max':49,'random_point_size_scalar':99,"
        "'trailhead_chance':2,'trailhead_road_distance':7,'trail_terrain':{'t_x':1},"
        "'trailheads':{'park':3}},"
        "'city':{'shop_radius':31,'shop_sigma':21,'park_radius':32,'park_sigma':71,"
        "'city_size':8,'city_spacing':4,'houses':{'house':5,'//':'why'},'shops':{'park':0},"
        "'parks':{},'finales':{'house':1},'urban_houses':{'house':2},'urban_shops':{'park':4}},"
        "'map_extras':{'field':{'chance':6,'extras':{'mx_b':2,'mx_a':1}},'//':'x',"
        "'empty':{'chance':0,'extras':{}}},"
        "'overmap_feature_flag_settings':{'clear_blacklist':false,'blacklist':['B','A'],"
        "'clear_whitelist':true,'whitelist':['W']},"
        "'weather':{'base':1.5},'odd':[1],'//':'comment'}",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(columns, 30,
                        "r|house_west|2.5|0.1|21|-6|1|46|2|-4|0.2|0.21|0.22|0.23|4|14|3|4|51|5|"
                        "49|99|2|7|31|21|32|71|8|4");
    fixture_expect_rows(
        "SELECT bin, id, weight, kind FROM region_building", 4,
        "finales|house|1|terrain\nhouses|house|5|terrain\nshops|park|0|terrain\n"
        "trailheads|park|3|terrain\nurban_houses|house|2|terrain\n"
        "urban_shops|park|4|terrain");
    fixture_expect_rows("SELECT name, chance, map_extra, weight FROM region_extra_group"
                        " LEFT JOIN region_extra USING (region, name)",
                        4, "empty|0|-|-\nfield|6|mx_a|1\nfield|6|mx_b|2");
    fixture_expect_rows("SELECT list, flag FROM region_feature_flag", 2,
                        "blacklist|A\nblacklist|B\nwhitelist|W");
    fixture_expect_rows(
        "SELECT block, json FROM region_block", 2,
        "forest_trail_settings|{\"trail_terrain\":{\"t_x\":1}}\nodd|[1]\n"
        "overmap_lake_settings|{\"shore_extendable_overmap_terrain\":[\"field\"]}\n"
        "weather|{\"base\":1.5}");
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 2); /* odd, and what trails are of */
}
END_TEST

/* A building of a bin can be a special, which then comes before a terrain of the same id. */
START_TEST(bins_of_specials)
{
    fixture_put("0/base.json", base);
    fixture_import_text(
        "[{'type':'overmap_location','id':'land','terrains':['field']},\n"
        "{'type':'city_building','id':'house','locations':['land'],'overmaps':["
        "{'point':[0,0,0],'overmap':'house_north'}]},\n"
        "{'type':'region_settings','id':'r','city':{'houses':{'house':1,'park':2}}}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, kind FROM region_building", 2,
                        "house|special\npark|terrain");
}
END_TEST

START_TEST(aliases)
{
    fixture_put("0/base.json", base);
    fixture_import_text(
        "[{'type':'region_settings','id':'a','rivers':null,'lakes':null,'forests':null,"
        "'forest_trails':null,'feature_flag_settings':{'blacklist':['X']},'place_roads':false},"
        "\n"
        "{'type':'region_settings','id':'b','default_oter':['field','field','field','field',"
        "'field','field','field','field','field','field','sand','field','field','field','field'"
        ","
        "'field','field','field','field','field','field']}]",
        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, river_scale, noise_threshold_lake > 1,"
                        " noise_threshold_forest > 1, noise_threshold_swamp_isolated > 1,"
                        " trail_chance, default_oter FROM region_settings",
                        7, "a|0.0|1|1|1|0|field\nb|1.0|0|0|0|1|sand");
    fixture_expect_rows("SELECT flag FROM region_feature_flag", 1, "X");
    ck_assert_uint_eq(fixture.run.report.unknown_keys, 0);
}
END_TEST

START_TEST(overlays)
{
    fixture_put("0/base.json", base);
    fixture_put(
        "0/a.json",
        "[{'type':'region_overlay','regions':['all'],'river_scale':0.5},\n"
        "{'type':'region_settings','id':['r'],'city':{'shop_radius':9,'houses':{'house':5,"
        "'park':6},'parks':{'park':1}},'map_extras':{'f':{'chance':2,'extras':{'mx_a':3}}},"
        "'overmap_feature_flag_settings':{'blacklist':['A'],'whitelist':['W']},"
        "'weather':{'x':1,'list':{'p':1,'q':2}}},\n"
        "{'type':'region_settings','id':'s'}]");
    fixture_put(
        "1/a.json",
        "{'type':'region_overlay','regions':['r'],'city':{'houses':{'house':0,'sand':7},"
        "'parks':{'house':2},'clear_parks':true},'default_oter':'sand',"
        "'overmap_lake_settings':{'lake_depth':-9},"
        "'map_extras':{'f':{'extras':{'mx_a':0,'mx_b':8}},'g':{'chance':4,'extras':"
        "{'mx_b':1}}},'overmap_feature_flag_settings':{'blacklist':['B'],"
        "'clear_whitelist':true,'whitelist':['V']},"
        "'weather':{'y':2,'clear_list':true,'list':{'z':3}}}");
    fixture_put("2/a.json", "{'type':'region_overlay','regions':['all'],'map_extras':{'f':"
                            "{'chance':99}},'river_scale':3}");
    fixture_import(3, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT id, river_scale, default_oter, lake_depth, shop_radius, pack"
                        " FROM region_settings",
                        6, "r|3.0|sand|-9|9|0\ns|3.0|field|-5|30|0");
    fixture_expect_rows("SELECT bin, id, weight FROM region_building", 3,
                        "houses|house|0\nhouses|park|6\nhouses|sand|7\nparks|house|2");
    fixture_expect_rows("SELECT region, name, chance, map_extra, weight FROM region_extra_group"
                        " LEFT JOIN region_extra USING (region, name)",
                        5, "r|f|99|mx_a|0\nr|f|99|mx_b|8\nr|g|4|mx_b|1\ns|f|99|-|-");
    fixture_expect_rows("SELECT list, flag FROM region_feature_flag", 2,
                        "blacklist|A\nblacklist|B\nwhitelist|V");
    fixture_expect_rows("SELECT json FROM region_block", 1,
                        "{\"x\":1,\"y\":2,\"list\":{\"z\":3}}");
}
END_TEST

/* An overlay empties the extras of one group, and of no other, before it adds its own. */
START_TEST(overlays_clear_extras)
{
    fixture_put("0/base.json", base);
    fixture_put("0/a.json",
                "{'type':'region_settings','id':'r','map_extras':{'f':{'chance':2,'extras':"
                "{'mx_a':3,'mx_b':1}},'g':{'chance':4,'extras':{'mx_a':5}}}}");
    fixture_put("1/a.json", "{'type':'region_overlay','regions':['r'],'map_extras':{'f':"
                            "{'clear_extras':true,'extras':{'mx_b':8}},'g':{'clear_extras':"
                            "false,'extras':{'mx_b':7}}}}");
    fixture_import(2, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT name, map_extra, weight FROM region_extra ORDER BY 1, 2", 3,
                        "f|mx_b|8\ng|mx_a|5\ng|mx_b|7");
}
END_TEST

/* A later pack's region starts anew: overlays of earlier packs are gone with the old one. */
START_TEST(redefinition)
{
    fixture_put("0/base.json", base);
    fixture_put("0/a.json",
                "[{'type':'region_settings','id':'r','river_scale':2},\n"
                "{'type':'region_overlay','regions':['r'],'city':{'shop_sigma':1}}]");
    fixture_put("1/a.json",
                "[{'type':'region_overlay','regions':['r'],'city':{'park_sigma':2}},\n"
                "{'type':'region_settings','id':'r','overmap_lake_settings':"
                "{'lake_depth':-1}}]");
    fixture_import(2, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT river_scale, lake_depth, shop_sigma, park_sigma, pack, line"
                        " FROM region_settings",
                        6, "1.0|-1|20|2|1|2");
}
END_TEST

START_TEST(warnings)
{
    fixture_put("0/base.json", base);
    fixture_import_text(
        "[{'type':'region_settings','id':'default','overmap_lake_settings':{},'forests':null,\n"
        "'forest_trail_settings':{},'city':{}},\n"
        "{'type':'region_settings','id':'r','overmap_forest_settings':{\n"
        "'river_floodplain_buffer_distance_min':5,'river_floodplain_buffer_distance_max':16}},"
        "\n"
        "{'type':'region_settings','id':'s','overmap_forest_settings':{\n"
        "'river_floodplain_buffer_distance_min':5,'river_floodplain_buffer_distance_max':2}},\n"
        "{'type':'region_settings','id':'s','overmap_forest_settings':{\n"
        "'river_floodplain_buffer_distance_min':6,'river_floodplain_buffer_distance_max':3}}]",
        false);
    fixture_expect(
        PTL_OK,
        "warning: 0/a.json:1:2: default: the default region has no 'default_oter': the games' "
        "defaults are used\n"
        "warning: 0/a.json:4:81: r: 'river_floodplain_buffer_distance_max' is 16; 15, the most "
        "that is possible, is used\n"
        "warning: 0/a.json:7:1: s: defined twice in this pack; the later definition counts\n"
        "warning: 0/a.json:7:62: s: the least floodplain distance is above the most: they are "
        "swapped\n");
    fixture_expect_rows("SELECT id, river_floodplain_buffer_distance_min,"
                        " river_floodplain_buffer_distance_max FROM region_settings",
                        3, "default|3|15\nr|5|15\ns|3|6");
}
END_TEST

START_TEST(lenient)
{
    fixture_put("0/base.json", base);
    fixture_import_text(
        "[{'type':'region_settings','id':'lost','default_oter':'nowhere'},\n"
        "{'type':'region_settings','id':'r','city':{'houses':{'house':1,'gone':2}},"
        "'map_extras':{'f':{'chance':1,'extras':{'mx_gone':1,'mx_a':2}}}},\n"
        "{'type':'region_overlay','regions':['gone','r'],'river_scale':4}]",
        true);
    fixture_expect(
        PTL_OK, "warning: 0/a.json:1:55: lost: no such terrain 'nowhere' for default_oter\n"
                "warning: 0/a.json:2:71: r: no special, city_building or terrain type 'gone'\n"
                "warning: 0/a.json:2:125: r: no such map_extra 'mx_gone'\n"
                "warning: 0/a.json:3:37: : no region 'gone' in this or an earlier pack\n");
    fixture_expect_rows("SELECT id, river_scale FROM region_settings", 2, "r|4.0");
    fixture_expect_rows("SELECT id FROM region_building", 1, "house");
    fixture_expect_rows("SELECT map_extra FROM region_extra", 1, "mx_a");
}
END_TEST

Suite *region_suite(void)
{
    Suite *suite = suite_create("regions");
    TCase *c = tcase_create("regions");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_add_test(c, defaults);
    tcase_add_test(c, all_fields);
    tcase_add_test(c, bins_of_specials);
    tcase_add_test(c, aliases);
    tcase_add_test(c, overlays);
    tcase_add_test(c, overlays_clear_extras);
    tcase_add_test(c, redefinition);
    tcase_add_test(c, warnings);
    tcase_add_test(c, lenient);
    suite_add_tcase(suite, c);
    return suite;
}
