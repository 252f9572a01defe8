/*
 * Tables that another program has changed. Each known kind of damage is named; and whatever
 * single values are changed, loading fails cleanly or gives a catalogue in which everything
 * holds that generation relies on.
 */
#include "unit/store/catalogue/test_catalogue.h"

#include "core/hash.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

#include <stdio.h>
#include <string.h>

static const char content[] =
    "[{'type':'overmap_terrain','id':['field','forest'],'sym':'.','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':['house','bridge'],'sym':'^'},\n"
    "{'type':'overmap_terrain','id':'road','flags':['LINEAR']},\n"
    "{'type':'overmap_location','id':'land','terrains':['field']},\n"
    "{'type':'overmap_location','id':'swamp','terrains':['forest','field']},\n"
    "{'type':'overmap_connection','id':'rail','default_terrain':'road','subtypes':["
    "{'terrain':'road','locations':['land','swamp']}]},\n"
    "{'type':'overmap_connection','id':'way','subtypes':[{'terrain':'road','locations':["
    "'land']},{'terrain':'field','locations':[]},{'terrain':'bridge','locations':['swamp'],"
    "'weight':2}]},\n"
    "{'type':'overmap_special','id':'camp','occurrences':[0,1],'locations':['land','swamp'],"
    "'flags':['UNIQUE'],'overmaps':[{'point':[0,0,0],'overmap':'house_north'},"
    "{'point':[1,0,0],'overmap':'road_ns','locations':['swamp']},"
    "{'point':[2,0,-1],'overmap':'field','locations':['swamp','land']}]},\n"
    "{'type':'overmap_special','id':'hill','subtype':'mutable','occurrences':[0,1],"
    "'locations':['land'],'check_for_locations':[[[0,0,0],['land']],[[0,0,-1],['swamp']]],"
    "'joins':['own',{'id':'up','opposite':'down','into_locations':['swamp']},"
    "{'id':'down','opposite':'up'}],'overmaps':{'base':{'overmap':'house_north','above':'up',"
    "'locations':['swamp']},'top':{'overmap':'field','below':'down','north':{'id':'own',"
    "'type':'optional','alternatives':['up','down']},'connections':{'east':{'connection':"
    "'way'}}}},'root':'top','shared':{'a':[1,2],'b':{'poisson':2.5}},'phases':[[{'overmap':"
    "'base','max':3,'scale':'b','join':'up','z':{'top':-1}},{'chunk':[{'overmap':'base'},"
    "{'overmap':'top','pos':[1,0,0],'rot':'east'}],'weight':2,'z':[-3,-1],'om_pos':[1,2]}],"
    "[],[{'overmap':'top','max':[1,4]}]],'connections':[{'point':[0,2,0],'connection':"
    "'way'}],'place_nested':[{'point':[0,1,0],'special':'shed'}]},\n"
    "{'type':'overmap_special','id':'inn','occurrences':[1,3],'locations':['land'],"
    "'flags':['LAKE','FARM'],'city_distance':[3,20],'priority':2,'spawns':{'group':'g',"
    "'population':[1,2],'radius':[3,4]},'overmaps':[{'point':[0,0,0],'overmap':'field'}],"
    "'connections':[{'point':[0,-1,0],'connection':'way','terrain':'bridge','from':[0,0,0]},"
    "{'point':[0,1,0],'connection':'rail','existing':true}],'place_nested':[{'point':[1,0,0],"
    "'special':'hill'},{'point':[2,0,0],'special':'camp'}]},\n"
    "{'type':'city_building','id':'shed','locations':['land'],'overmaps':["
    "{'point':[0,0,0],'overmap':'house_west'}]},\n"
    "{'type':'region_settings','id':'r','default_oter':'field','city':{'houses':{'shed':3,"
    "'house':2},'parks':{'forest':1,'camp':9}},'forest_trail_settings':{'trailheads':{"
    "'hill':1,'camp':1}},'overmap_feature_flag_settings':{'blacklist':['FARM'],"
    "'whitelist':['UNIQUE','LAKE']}},\n"
    "{'usage':'city','name':['Elm','Ash']},\n"
    "{'type':'snippet','category':'radio_archive','text':['a','b']}]";

void damage_sql(const char *sql)
{
    ptl_error err = {0};
    ck_assert_msg(sqlite_exec(fixture.store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

void import_damage_content(void)
{
    fixture_import_text(content, false);
    ck_assert_msg(fixture.run.status == PTL_OK, "%s", fixture.run.err.message);
    damage_sql("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
}

static const damage_case damage[] = {
    {"INSERT INTO overmap_location_terrain VALUES ('land', 'x')",
     "unknown terrain of a location 'x'", PTL_ERR_CORRUPT},
    {"INSERT INTO overmap_location_terrain VALUES ('x', 'field')", "unknown location 'x'",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection SET layout = 'star' WHERE id = 'way'", "layout of connection",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection SET default_terrain = 'x'", "default terrain of connection",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET terrain = 'x'", "terrain of a connection 'x'",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET basic_cost = 10001", "cost or weight",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET basic_cost = -1", "cost or weight",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET weight = -1", "cost or weight", PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET weight = 1 << 40", "cost or weight",
     PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_subtype SET connection = 'x' WHERE connection = 'way'",
     "subtype of unknown connection 'x'", PTL_ERR_CORRUPT},
    {"WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO"
     " overmap_connection_subtype SELECT 'way', i, 'road', 0, 0, 0, '[]' FROM n",
     "too many subtypes", PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_location SET location = 'x' WHERE location = 'land'",
     "no such location 'x'", PTL_ERR_CORRUPT},
    {"UPDATE overmap_connection_location SET position = 7 WHERE connection = 'way'",
     "location of no subtype", PTL_ERR_CORRUPT},
    {"UPDATE special_location SET location = 'x'", "no such location 'x'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_location VALUES ('x', 0, 'land')", "no such special 'x'",
     PTL_ERR_CORRUPT},
    {"INSERT INTO special_flag VALUES ('x', 'UNIQUE')", "no such special 'x'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt VALUES ('x', 0, 0, 0, 0, 'field', NULL, NULL)",
     "no such special 'x'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt VALUES ('hill', 0, 0, 0, 0, 'field', NULL, NULL)",
     "mutable special 'hill'", PTL_ERR_CORRUPT},
    {"UPDATE special_omt SET oter = 'house'", "terrain of a special 'house'", PTL_ERR_CORRUPT},
    {"UPDATE special_omt SET x = 180", "out of range of 'camp'", PTL_ERR_CORRUPT},
    {"UPDATE special_omt SET y = -180", "out of range of 'camp'", PTL_ERR_CORRUPT},
    {"UPDATE special_omt SET z = 11", "out of range of 'camp'", PTL_ERR_CORRUPT},
    {"UPDATE special_omt SET z = -9223372036854775807 - 1", "out of range", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt_location VALUES ('camp', 9, 0, 'land')",
     "no OMT of special 'camp'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt_location VALUES ('hill', 0, 0, 'land')",
     "no OMT of special 'hill'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt VALUES ('FakeSpecial_house', 0, 0, 0, 0, 'field', NULL, NULL)",
     "a special that is none: 'FakeSpecial_house'", PTL_ERR_CORRUPT},
    {"INSERT INTO special_omt_location VALUES ('FakeSpecial_house', 0, 0, 'land')",
     "a special that is none", PTL_ERR_CORRUPT},
    {"UPDATE special_omt_location SET location = 'x'", "no such location 'x'", PTL_ERR_CORRUPT},
    {"UPDATE region_building SET weight = -1", "wrong weight", PTL_ERR_CORRUPT},
    {"UPDATE region_building SET weight = 2147483648", "wrong weight", PTL_ERR_CORRUPT},
    {"UPDATE region_building SET weight = 2000000000", "weights are too large",
     PTL_ERR_CORRUPT},
    {"UPDATE region_building SET id = 'x' WHERE id = 'shed'", "no such special 'x'",
     PTL_ERR_CORRUPT},
    {"UPDATE region_building SET id = 'x' WHERE id = 'house'", "terrain in a bin 'x'",
     PTL_ERR_CORRUPT},
    {"UPDATE region_building SET kind = 'x' WHERE id = 'shed'", "wrong kind", PTL_ERR_CORRUPT},
    {"UPDATE region_building SET region = 'x'", "unknown region 'x'", PTL_ERR_CORRUPT},
    {"UPDATE region_settings SET city_size = 17", "'city_size' of region 'r' is out of range",
     PTL_ERR_CORRUPT},
    {"UPDATE region_settings SET shop_radius = -1", "'shop_radius'", PTL_ERR_CORRUPT},
    {"UPDATE region_settings SET trail_random_point_size_scalar = 0", "size_scalar'",
     PTL_ERR_CORRUPT},
    {"UPDATE region_settings SET trail_chance = 1 << 31", "'chance'", PTL_ERR_CORRUPT},
    {"UPDATE concrete_terrain SET line = 3, rotation = 0 WHERE id = 'house_west'",
     "wrong shape", PTL_ERR_CORRUPT},
    {"UPDATE concrete_terrain SET line = 4 WHERE id = 'road_ns'", "wrong shape",
     PTL_ERR_CORRUPT},
    {"UPDATE kept_file SET texts = x'00'", "", PTL_ERR_CORRUPT},
    {"UPDATE kept_file SET size = size + 1", "", PTL_ERR_CORRUPT},
    {"UPDATE kept_file SET size = -1", "wrong size", PTL_ERR_CORRUPT},
    {"UPDATE kept_file SET size = 1 << 40", "wrong size", PTL_ERR_CORRUPT},
    {"UPDATE kept_object SET start = -1", "out of bounds", PTL_ERR_CORRUPT},
    {"UPDATE kept_object SET start = 1 << 40", "out of bounds", PTL_ERR_CORRUPT},
    {"UPDATE kept_object SET size = 0", "out of bounds", PTL_ERR_CORRUPT},
    {"UPDATE kept_object SET size = 9223372036854775807", "out of bounds", PTL_ERR_CORRUPT},
    {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 65600) INSERT"
     " INTO overmap_special SELECT 'x' || i, 'special', 'fixed', 0, 0, 0, 0, 0, 0, 1, 0, NULL,"
     " NULL, NULL, NULL, NULL, NULL, NULL, 0, '', 0 FROM n",
     "more than 65534 specials", PTL_ERR_LIMIT},
};

void try_damage(const damage_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        damage_sql("BEGIN");
        damage_sql(cases[i].sql);
        ptl_error err = {0};
        catalogue *cat = NULL;
        ck_assert_msg(ops(fixture.store)->content->load(&cat, fixture.store, &err) ==
                              cases[i].status &&
                          !cat && strstr(err.message, cases[i].message),
                      "%s: %s", cases[i].sql, err.message);
        damage_sql("ROLLBACK");
    }
    catalogue_free(load_catalogue());
}

START_TEST(known_damage)
{
    import_damage_content();
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    compare_with_tables(cat);
    ck_assert_uint_gt(compare_sets(cat), 0);
    ck_assert_uint_eq(cat->special_count, 6);
    catalogue_free(cat);
    try_damage(damage, sizeof damage / sizeof *damage);
}
END_TEST

/* More rows than there are locations: each counts once. */
START_TEST(repeated_locations)
{
    import_damage_content();
    damage_sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
        " INSERT INTO special_location SELECT 'shed', i, CASE i % 100 WHEN 99 THEN 'swamp'"
        " ELSE 'land' END FROM n");
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    ptl_terrain_set allows = cat->specials[catalogue_special(cat, "shed")].omts[0].allows;
    ck_assert(cat_terrain_in(allows, catalogue_terrain(cat, "field")));
    ck_assert(cat_terrain_in(allows, catalogue_terrain(cat, "forest")));
    ck_assert(!cat_terrain_in(allows, catalogue_terrain(cat, "house")));
    catalogue_free(cat);
}
END_TEST

/* ---- any value ---- */

enum { COLUMNS_MAX = 14 };

static const struct {
    const char *table, *key, *columns[COLUMNS_MAX];
} tables[] = {
    {"overmap_terrain", "id", {"id", "kind", "name", "symbol", "color"}},
    {"concrete_terrain", "id", {"id", "terrain", "variant", "line", "rotation", "symbol"}},
    {"overmap_location", "id", {"id"}},
    {"overmap_location_terrain", "location, terrain", {"location", "terrain"}},
    {"overmap_connection", "id", {"id", "default_terrain", "layout"}},
    {"overmap_connection_subtype",
     "connection, position",
     {"connection", "position", "terrain", "basic_cost", "weight", "orthogonal", "flags"}},
    {"overmap_connection_location",
     "connection, position, location",
     {"connection", "position", "location"}},
    {"overmap_special",
     "id",
     {"id", "kind", "subtype", "rotate", "occurrences_min", "city_distance_min",
      "city_distance_max", "priority", "eoc", "spawn_group", "spawn_radius_max", "root"}},
    {"special_connection",
     "special, position",
     {"special", "position", "x", "z", "connection", "terrain", "existing", "direction"}},
    {"special_nested", "special, position", {"special", "position", "x", "z", "nested"}},
    {"special_join", "special, position", {"special", "position", "\"join\"", "opposite"}},
    {"special_join_location",
     "special, \"join\", position",
     {"special", "\"join\"", "position", "location"}},
    {"special_piece", "special, piece", {"special", "piece", "oter"}},
    {"special_piece_location",
     "special, piece, position",
     {"special", "piece", "position", "location"}},
    {"special_piece_side",
     "special, piece, side",
     {"special", "piece", "side", "\"join\"", "type"}},
    {"special_piece_alternative",
     "special, piece, side, position",
     {"special", "piece", "side", "position", "\"join\""}},
    {"special_piece_connection",
     "special, piece, side",
     {"special", "piece", "side", "connection"}},
    {"special_check",
     "special, position",
     {"special", "position", "x0", "y0", "z0", "x1", "y1", "z1"}},
    {"special_check_location",
     "special, \"check\", position",
     {"special", "\"check\"", "position", "location"}},
    {"special_shared", "special, name", {"special", "name", "kind", "low", "high", "mean"}},
    {"special_phase_rule",
     "special, phase, position",
     {"special", "phase", "position", "name", "weight", "max_kind", "max_low", "max_mean",
      "scale", "\"join\"", "z_kind", "z_low", "z_top", "om_x"}},
    {"special_phase_rule_piece",
     "special, phase, rule, position",
     {"special", "phase", "rule", "position", "piece", "x", "z", "rotation"}},
    {"region_feature_flag", "region, list, flag", {"region", "list", "flag"}},
    {"special_flag", "special, flag", {"special", "flag"}},
    {"special_location", "special, position", {"special", "position", "location"}},
    {"special_omt", "special, position", {"special", "position", "x", "y", "z", "oter"}},
    {"special_omt_location",
     "special, omt, position",
     {"special", "omt", "position", "location"}},
    {"region_building", "region, bin, id", {"region", "bin", "id", "weight", "kind"}},
    {"region_settings",
     "id",
     {"id", "default_oter", "city_size", "trail_chance", "park_sigma", "shop_radius"}},
    {"kept_file", "id", {"size", "texts", "path"}},
    {"kept_object", "id", {"file_id", "type", "start", "size"}},
    {"kept_name", "name, object_id, key", {"name", "object_id", "key"}},
};

static const char *const values[] = {
    "NULL",
    "''",
    "0",
    "1",
    "-1",
    "2",
    "4",
    "15",
    "16",
    "65535",
    "179",
    "-180",
    "1e300",
    "2147483647",
    "-2147483648",
    "9223372036854775807",
    "'x'",
    "'field'",
    "'house'",
    "'road_ns'",
    "'camp'",
    "'hill'",
    "'shed'",
    "'land'",
    "'swamp'",
    "'way'",
    "'fixed'",
    "'mutable'",
    "'terrain'",
    "'special'",
    "'houses'",
    "x'28b52ffd'",
    "x'6669656c64'",
    "CAST(x'66690065' AS TEXT)",
    "'FakeSpecial_house'",
    "'city'",
    "'radio_archive'",
    "'inn'",
    "'up'",
    "'own'",
    "'top'",
    "'base'",
    "'b'",
    "'below'",
    "'range'",
    "'poisson'",
    "'offset'",
    "'reject'",
    "2.5",
    "-20",
    "'whitelist'",
};

enum {
    VALUE_COUNT = sizeof values / sizeof *values,
    TABLE_COUNT = sizeof tables / sizeof *tables
};

/* Some change of one value; it may be refused (a key that is there twice, a NULL). */
static void damage_something(rng *r)
{
    char sql[400];
    size_t t = rng_below(r, TABLE_COUNT), columns = 0;
    while (columns < COLUMNS_MAX && tables[t].columns[columns])
        columns++;
    const char *column = tables[t].columns[rng_below(r, columns)];
    snprintf(sql, sizeof sql,
             "UPDATE OR IGNORE %s SET %s = %s WHERE (%s) = (SELECT %s FROM %s"
             " LIMIT 1 OFFSET (SELECT %u %% max(1, count(*)) FROM %s))",
             tables[t].table, column, values[rng_below(r, VALUE_COUNT)], tables[t].key,
             tables[t].key, tables[t].table, (unsigned)rng_below(r, 1000), tables[t].table);
    damage_sql(sql);
}

START_TEST(any_damage)
{
    enum { ROUNDS = 400 };
    size_t refused = 0;
    ptl_error err = {0};
    import_damage_content();
    for (unsigned round = 0; round < ROUNDS; round++) {
        rng r = rng_from_key((uint64_t)_i * ROUNDS + round);
        catalogue *cat = NULL;
        damage_sql("BEGIN");
        for (unsigned i = 0; i <= round % 3; i++)
            damage_something(&r);
        ptl_status status = ops(fixture.store)->content->load(&cat, fixture.store, &err);
        ck_assert_msg(status == PTL_OK || status == PTL_ERR_CORRUPT || status == PTL_ERR_LIMIT,
                      "round %u: %s: %s", round, ptl_status_name(status), err.message);
        ck_assert_int_eq(status == PTL_OK, cat != NULL);
        refused += status != PTL_OK;
        if (cat)
            check_catalogue(cat);
        catalogue_free(cat);
        damage_sql("ROLLBACK");
    }
    ck_assert_uint_gt(refused, ROUNDS / 4);
    ck_assert_uint_lt(refused, ROUNDS);
}
END_TEST

Suite *catalogue_damage_suite(void)
{
    Suite *suite = suite_create("catalogue of damaged tables");
    TCase *c = tcase_create("damage");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, known_damage);
    tcase_add_test(c, repeated_locations);
    tcase_add_loop_test(c, any_damage, 0, 2);
    suite_add_tcase(suite, c);
    suite_add_tcase(suite, catalogue_damaged_specials());
    return suite;
}
