/*
 * What ids of before mean in a save (oter_id_migration, overmap_special_migration), how
 * terrains look from afar (oter_vision), and of how many the chances of monster groups are.
 */
#include "support/suite.h"
#include "unit/content/definition_fixture.h"

#include <stdio.h>

static const char oter_sql[] = "SELECT old_id, new_id, final_id, line FROM oter_migration";
static const char special_sql[] =
    "SELECT old_id, new_id, final_id, line FROM special_migration";

START_TEST(pairs)
{
    fixture_import_text("[{'type':'oter_id_migration','oter_ids':{'b':'c','//':'x','a':'b'}},\n"
                        "{'type':'oter_id_migration','oter_ids':{'c':'d','e':'f'}},\n"
                        "{'type':'oter_id_migration','oter_ids':{'e':'e','b':'g'},'new':1}]",
                        false);
    fixture_expect(PTL_OK, "");
    /* The last pair of an id counts, wherever its chain is looked at from. */
    fixture_expect_rows(oter_sql, 4, "a|b|g|1\nb|g|g|3\nc|d|d|2\ne|e|e|3");
    ck_assert_uint_eq(fixture.run.report.oter_migrations, 6);
    fixture_expect_rows("SELECT type, key FROM content_unknown", 2, "oter_id_migration|new");
    fixture_expect_rows("SELECT type, treatment FROM content_type_count", 2,
                        "oter_id_migration|table");
}
END_TEST

START_TEST(pairs_of_rotations)
{
    fixture_import_text("[{'type':'oter_id_migration','old_directions':true,"
                        "'oter_ids':{'a':'b'}},\n"
                        "{'type':'oter_id_migration','old_directions':true,"
                        "'new_directions':true,'oter_ids':{'c':'d'}},\n"
                        "{'type':'oter_id_migration','old_directions':false,"
                        "'new_directions':true,'oter_ids':{'e':'f'}}]",
                        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(oter_sql, 4,
                        "a_east|b|b|1\na_north|b|b|1\na_south|b|b|1\na_west|b|b|1\n"
                        "c_east|d_east|d_east|2\nc_north|d_north|d_north|2\n"
                        "c_south|d_south|d_south|2\nc_west|d_west|d_west|2\ne|f|f|3");
    ck_assert_uint_eq(fixture.run.report.oter_migrations, 3);
}
END_TEST

/* A terrain that the content has, and that a save gives up for another one it has, is told; not
 * one that is gone, or becomes what nobody knows, or stays. */
START_TEST(terrains_that_are_there)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'gate','name':'g','sym':'g','color':'red'},\n"
        "{'type':'overmap_terrain','id':['plain','stays'],'name':'p','sym':'p','color':'red',"
        "'flags':['NO_ROTATE']},\n"
        "{'type':'oter_id_migration','oter_ids':{'gone':'plain','gate_east':'gate_west',\n"
        "'gate_west':'plain','gate_north':'nobody','stays':'stays'}}]",
        false);
    fixture_expect(PTL_OK,
                   "warning: 0/a.json:3:68: gate_east: this content has the terrain that is "
                   "migrated: an OMT of it is 'plain' once a save has been read\n"
                   "warning: 0/a.json:4:13: gate_west: this content has the terrain that is "
                   "migrated: an OMT of it is 'plain' once a save has been read\n");
}
END_TEST

START_TEST(circles)
{
    fixture_import_text("{'type':'oter_id_migration','oter_ids':{'a':'b','b':'a','c':'a'}}",
                        false);
    fixture_expect(
        PTL_OK, "warning: 0/a.json:1:1: a: its migration goes in a circle, or over more than "
                "16 ids: it stays\n"
                "warning: 0/a.json:1:1: b: its migration goes in a circle, or over more than "
                "16 ids: it stays\n"
                "warning: 0/a.json:1:1: c: its migration goes in a circle, or over more than "
                "16 ids: it stays\n");
    fixture_expect_rows(oter_sql, 4, "a|b|a|1\nb|a|b|1\nc|a|c|1");
}
END_TEST

/* Sixteen pairs are followed, seventeen are not. */
START_TEST(long_chains)
{
    char text[600];
    size_t size =
        (size_t)snprintf(text, sizeof text, "{'type':'oter_id_migration','oter_ids':{");
    for (int i = 0; i < 17; i++)
        size += (size_t)snprintf(text + size, sizeof text - size, "%s'n%02d':'n%02d'",
                                 i > 0 ? "," : "", i, i + 1);
    snprintf(text + size, sizeof text - size, "}}");
    fixture_import_text(text, false);
    fixture_expect(PTL_OK, "warning: 0/a.json:1:1: n00: its migration goes in a circle, or "
                           "over more than 16 ids: it stays\n");
    fixture_expect_rows("SELECT old_id, final_id FROM oter_migration LIMIT 2", 2,
                        "n00|n00\nn01|n17");
}
END_TEST

START_TEST(specials)
{
    fixture_import_text("[{'type':'overmap_special_migration','id':'a','new_id':'b'},\n"
                        "{'type':'overmap_special_migration','id':'b'},\n"
                        "{'type':'overmap_special_migration','id':'c','new_id':''},\n"
                        "{'type':'overmap_special_migration','id':'d','new_id':'e'}]",
                        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(special_sql, 4, "a|b|-|1\nb|-|-|2\nc|-|-|3\nd|e|e|4");
    ck_assert_uint_eq(fixture.run.report.special_migrations, 4);
}
END_TEST

START_TEST(later_packs)
{
    fixture_put("0/a.json", "[{'type':'oter_id_migration','oter_ids':{'a':'b','c':'d'}},"
                            "{'type':'overmap_special_migration','id':'s'}]");
    fixture_put("1/a.json", "[{'type':'oter_id_migration','oter_ids':{'a':'a'}},"
                            "{'type':'overmap_special_migration','id':'s','new_id':'t'}]");
    fixture_import(2, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows("SELECT old_id, final_id, pack FROM oter_migration", 3, "a|a|1\nc|d|0");
    fixture_expect_rows("SELECT old_id, final_id, pack FROM special_migration", 3, "s|t|1");
}
END_TEST

START_TEST(visions)
{
    fixture_import_text("[{'type':'oter_vision','id':'a','levels':[{'name':'n','sym':'s',"
                        "'color':'red'},{'blends_adjacent':true}]},\n"
                        "{'type':'oter_vision','id':'b','copy-from':'a'},\n"
                        "{'type':'oter_vision','abstract':'c','levels':[]},\n"
                        "{'type':'oter_vision','id':'d'}]",
                        false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(
        "SELECT id, levels, line FROM oter_vision", 3,
        "a|[{\"name\":\"n\",\"sym\":\"s\",\"color\":\"red\"},{\"blends_adjacent\":true}]|1\n"
        "b|[{\"name\":\"n\",\"sym\":\"s\",\"color\":\"red\"},{\"blends_adjacent\":true}]|2\n"
        "d|[]|4");
    ck_assert_uint_eq(fixture.run.report.oter_visions, 3);
}
END_TEST

START_TEST(mistakes)
{
    static const struct {
        const char *text, *remark;
    } cases[] = {
        {"{'type':'oter_id_migration'}",
         "error: 0/a.json:1:1: : 'oter_ids' must be an object of old and new ids\n"},
        {"{'type':'oter_id_migration','oter_ids':['a']}",
         "error: 0/a.json:1:40: : 'oter_ids' must be an object of old and new ids\n"},
        {"{'type':'oter_id_migration','oter_ids':{'a':7}}",
         "error: 0/a.json:1:45: : must be a string\n"},
        {"{'type':'overmap_special_migration','new_id':'a'}",
         "error: 0/a.json:1:1: : missing key 'id'\n"},
        {"{'type':'oter_vision','id':'a','levels':[{},{},{},{}]}",
         "error: 0/a.json:1:41: a: 'levels' must be a list of at most 3 objects\n"},
        {"{'type':'oter_vision','id':'a','levels':{}}",
         "error: 0/a.json:1:41: a: 'levels' must be a list of at most 3 objects\n"},
    };
    fixture_import_text(cases[_i].text, false);
    fixture_expect(PTL_ERR_CONTENT, cases[_i].remark);
}
END_TEST

static const char group_sql[] =
    "SELECT id, entries, freq_sum, freq_total, line FROM monstergroup";

/* Definitions of one id extend each other, but for those that override. They stay kept. */
START_TEST(monster_groups)
{
    fixture_put("0/a.json",
                "[{'type':'monstergroup','name':'B','default':'m','freq_total':500,"
                "'monsters':[{'monster':'a','freq':20},{'monster':'b','freq':7}]},\n"
                "{'type':'monstergroup','id':'A','monsters':[{'monster':'a','weight':20},"
                "{'group':'B','weight':5},{'monster':'c'}]},\n"
                "{'type':'monstergroup','id':'C','monsters':[{'monster':'a','weight':9}]},\n"
                "{'type':'monstergroup','id':'D','monsters':'none'},\n"
                "{'type':'monstergroup','id':'E','monsters':[{'weight':1e3},"
                "{'weight':9223372036854775807}]}]");
    fixture_put("1/a.json",
                "[{'type':'monstergroup','id':'A','monsters':[{'monster':'d','weight':4}]},\n"
                "{'type':'monstergroup','id':'C','override':true,'monsters':[]}]");
    fixture_import(2, false);
    fixture_expect(PTL_OK, "");
    fixture_expect_rows(group_sql, 5,
                        "A|4|30|-|1\nB|2|27|500|1\nC|0|0|-|2\nD|0|0|-|4\n"
                        "E|2|2147483648|-|5");
    fixture_expect_rows("SELECT type, objects, treatment FROM content_type_count", 3,
                        "monstergroup|7|kept");
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM kept_object"), 7);
    fixture_import_text("[]", false);
    ck_assert_int_eq(fixture_number("SELECT count(*) FROM monstergroup"), 0);
}
END_TEST

/* Names that are none are white, as in the games. */
START_TEST(colors)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'a','sym':'a','color':'h_dark_gray'},\n"
        "{'type':'overmap_terrain','id':'b','sym':'b','color':'greenish'},\n"
        "{'type':'overmap_terrain','id':'c','sym':'c','color':'c_red_light_blue'},\n"
        "{'type':'overmap_terrain','id':'d','copy-from':'b'},\n"
        "{'type':'map_extra','id':'m','color':'red_'}]",
        false);
    fixture_expect(PTL_OK, "warning: 0/a.json:2:54: b: no such colour 'greenish', did you mean "
                           "'green'?: white is taken\n"
                           "warning: 0/a.json:5:38: m: no such colour 'red_', did you mean "
                           "'red'?: white is taken\n");
    fixture_expect_rows("SELECT id, color FROM overmap_terrain", 2,
                        "a|h_dark_gray\nb|white\nc|c_red_light_blue\nd|white");
    fixture_expect_rows("SELECT color FROM map_extra", 1, "white");
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
    Suite *suite = suite_create("migrations");
    add_case(suite, "pairs", pairs, 1);
    add_case(suite, "rotations", pairs_of_rotations, 1);
    add_case(suite, "terrains that are there", terrains_that_are_there, 1);
    add_case(suite, "circles", circles, 1);
    add_case(suite, "long chains", long_chains, 1);
    add_case(suite, "specials", specials, 1);
    add_case(suite, "later packs", later_packs, 1);
    add_case(suite, "visions", visions, 1);
    add_case(suite, "mistakes", mistakes, 6);
    add_case(suite, "monster groups", monster_groups, 1);
    add_case(suite, "colours", colors, 1);
    return suite_run(suite);
}
