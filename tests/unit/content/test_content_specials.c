/*
 * overmap_special and city_building: every shape that content may give, read back from the
 * tables, and the games' own content. The terrains, locations and connections are those of
 * tests/content/documents.
 */
#include "unit/gen/specials/special_fixture.h"

static special_fixture fixture;

static void setup(void)
{
    fixture_open(&fixture);
}

static void teardown(void)
{
    fixture_close(&fixture);
}

/* Imports content of which only `remarks` (warnings) are said, if any. */
static void accept(const char *content, const char *remarks)
{
    fixture_close_store(&fixture);
    fixture_import(&fixture, content, false);
    fixture_expect_ok(&fixture, remarks);
}

static void rows(const char *sql, int columns, const char *expected)
{
    fixture_expect_rows(&fixture, sql, columns, expected);
}

/* ---- fixed specials ---- */

START_TEST(test_minimal)
{
    accept("[{'type':'overmap_special','id':'hut','locations':['land'],'occurrences':[0,3],"
           "'overmaps':[{'point':[0,0,0],'overmap':'campground_1a_north'}]}]",
           "");
    rows("SELECT id, kind, subtype, occurrences_min, occurrences_max, city_distance_min,"
         " city_distance_max, city_sizes_min, city_sizes_max, rotate, priority, eoc, "
         "spawn_group,"
         " root, pack, line FROM overmap_special",
         16, "hut|special|fixed|0|3|0|-|0|-|1|0|-|-|-|1|1");
    rows("SELECT * FROM special_omt", 8, "hut|0|0|0|0|campground_1a_north|-|-");
    rows("SELECT * FROM special_location", 3, "hut|0|land");
    ck_assert_uint_eq(fixture.report.specials, 1);
    ck_assert_uint_eq(fixture.report.mutable_specials, 0);
    ck_assert_uint_eq(fixture.report.city_buildings, 0);
}
END_TEST

START_TEST(test_all_fields)
{
    accept(
        "[{'type':'overmap_special','id':'a','subtype':'fixed','locations':['land','swamp'],\n"
        "'occurrences':[50,100],'city_distance':[3,40],'city_sizes':[2,-1],'rotate':false,\n"
        "'flags':['UNIQUE','FARM','UNIQUE'],'priority':-2,'eoc':'wake',\n"
        "'spawns':{'group':'GROUP_X','population':[1,2],'radius':[3,4]},\n"
        "'overmaps':[{'point':[0,0,0],'overmap':'campground_1a_east','locations':['road',\n"
        "'field'],'flags':['F2','F1'],'camp':'owners','camp_name':'Rest'},\n"
        "{'point':[-1,0,-2],'overmap':'road_ns','camp_name':{'str':'Deep'}}],\n"
        "'connections':[{'point':[0,-1,0],'connection':'burrow','from':[0,0,0],"
        "'existing':true}],\n"
        "'place_nested':[{'point':[4,5,-1],'special':'b'}]},\n"
        "{'type':'city_building','id':'b','locations':'land','rotate':false,\n"
        "'overmaps':[{'point':[0,0,0],'overmap':'field'}],\n"
        "'connections':[{'point':[1,0,0],'connection':'local_road'}],"
        "'eoc':{'id':'inline','effect':[]}}]",
        "warning: 3:56: a: only play can tell whether this effect_on_condition's condition is "
        "met: here it is\n"
        "note: 7:1: a: 1 special relies on the level's own terrain off the ground ('open_air' "
        "above, 'empty_rock' below), which its locations do not name; this is the first\n");
    rows("SELECT id, kind, occurrences_min, occurrences_max, city_distance_min,"
         " city_distance_max, city_sizes_min, city_sizes_max, rotate, priority, eoc, "
         "spawn_group,"
         " spawn_population_min, spawn_population_max, spawn_radius_min, spawn_radius_max, line"
         " FROM overmap_special ORDER BY id",
         17,
         "a|special|50|100|3|40|2|-|0|-2|wake|GROUP_X|1|2|3|4|1;"
         "b|city_building|0|0|0|-|0|-|0|0|{\"id\":\"inline\",\"effect\":[]}|-|-|-|-|-|10");
    rows("SELECT special, flag FROM special_flag", 2, "a|FARM;a|UNIQUE");
    rows("SELECT special, position, location FROM special_location", 3,
         "a|0|land;a|1|swamp;b|0|land");
    rows("SELECT * FROM special_omt ORDER BY special, position", 8,
         "a|0|0|0|0|campground_1a_east|owners|Rest;a|1|-1|0|-2|road_ns|-|Deep;"
         "b|0|0|0|0|field|-|-");
    rows("SELECT * FROM special_omt_location", 4, "a|0|0|road;a|0|1|field");
    rows("SELECT * FROM special_omt_flag", 3, "a|0|F1;a|0|F2");
    rows("SELECT * FROM special_connection ORDER BY special", 13,
         "a|0|0|-1|0|burrow|0|-|1|0|0|0|0;b|0|1|0|0|local_road|0|-|0|-|-|-|-");
    rows("SELECT * FROM special_nested", 6, "a|0|4|5|-1|b");
    rows("SELECT position, location FROM special_omt_allowed WHERE special = 'a'"
         " ORDER BY position, location",
         2, "0|field;0|road;1|land;1|swamp");
    ck_assert_uint_eq(fixture.report.city_buildings, 1);
}
END_TEST

/* [a, b] with b < 0 is "at least a"; occurrences are kept as given, a minimum of -1 too. */
START_TEST(test_intervals)
{
    accept("[{'type':'overmap_special','id':'a','locations':['land'],'occurrences':[50,0],"
           "'city_distance':[10,-1],'city_sizes':[-1,5],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}]},"
           "{'type':'overmap_special','id':'b','locations':['land'],'occurrences':[2,2],"
           "'city_distance':[7,-3],'city_sizes':[4,4],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}]}]",
           "");
    rows("SELECT occurrences_min, occurrences_max, city_distance_min, city_distance_max,"
         " city_sizes_min, city_sizes_max FROM overmap_special ORDER BY id",
         6, "50|0|10|-|-1|5;2|2|7|-|4|4");
}
END_TEST

/* Connections without an id, by their terrain or by the tile at the point. */
START_TEST(test_guessed_connections)
{
    accept("[{'type':'overmap_special','id':'a','locations':['land'],'occurrences':[0,1],\n"
           "'overmaps':[{'point':[0,0,0],'overmap':'road_end_north'},\n"
           "{'point':[0,1,0],'overmap':'ants_ns'},{'point':[1,1,0],'overmap':'field'}],\n"
           "'connections':[{'point':[5,0,0],'terrain':'sewer'},\n"
           "{'point':[5,1,0],'terrain':'road'},{'point':[5,2,0],'terrain':'ants'},\n"
           "{'point':[5,3,0],'terrain':'anthill','existing':true},{'point':[5,4,0]},\n"
           "{'point':[0,0,0]},\n"
           "{'point':[0,1,0]},\n"
           "{'point':[5,5,0],'terrain':'zoo_0_0','connection':'burrow','from':[5,9,0]}]}]",
           "warning: 7:10: a: the connection's point is an OMT of the special\n"
           "warning: 8:10: a: the connection's point is an OMT of the special\n"
           "warning: 8:10: a: at [0, 1, 0] no terrain is all that the special asks for there: "
           "it can never be placed\n"
           "warning: 9:67: a: 'from' is not an OMT of the special\n");
    rows("SELECT position, connection, guessed, terrain, existing, direction"
         " FROM special_connection ORDER BY position",
         6,
         "0|sewer_tunnel|1|sewer|0|-;1|local_road|1|road|0|-;2|burrow|1|ants|0|-;"
         "3|local_road|1|anthill|1|-;4|local_road|1|-|0|-;5|local_road|1|road|0|-;"
         "6|burrow|1|ants|0|-;7|burrow|0|zoo_0_0|0|0");
}
END_TEST

START_TEST(test_directions)
{
    accept("[{'type':'city_building','id':'a','locations':['land'],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}],'connections':["
           "{'point':[0,-1,0],'from':[0,0,0],'connection':'burrow'},"
           "{'point':[2,0,0],'from':[0,0,0],'connection':'burrow'},"
           "{'point':[0,3,0],'from':[0,0,0],'connection':'burrow'},"
           "{'point':[-1,0,0],'from':[0,0,0],'connection':'burrow'}]}]",
           "");
    rows("SELECT direction FROM special_connection ORDER BY position", 1, "0;1;2;3");
}
END_TEST

START_TEST(test_inheritance)
{
    accept("[{'type':'overmap_special','id':'c','copy-from':'b','delete':{'flags':['X']},"
           "'occurrences':[1,1]},\n"
           "{'type':'overmap_special','abstract':'base','locations':['land'],'rotate':false,"
           "'flags':['X','Y'],'overmaps':[{'point':[0,0,0],'overmap':'field'}],"
           "'city_sizes':[1,2]},\n"
           "{'type':'overmap_special','id':['b','d'],'copy-from':'base','occurrences':[0,5],"
           "'extend':{'flags':['Z','X']}},\n"
           "{'type':'city_building','id':'e','copy-from':'c','flags':['only']}]",
           "");
    rows("SELECT id, kind, rotate, occurrences_min, occurrences_max, city_sizes_max, line"
         " FROM overmap_special ORDER BY id",
         7,
         "b|special|0|0|5|2|3;c|special|0|1|1|2|1;d|special|0|0|5|2|3;"
         "e|city_building|0|0|0|2|4");
    rows("SELECT special, group_concat(flag, '+') FROM special_flag GROUP BY special", 2,
         "b|X+Y+Z;c|Y+Z;d|X+Y+Z;e|only");
    rows("SELECT count(*) FROM special_omt", 1, "4");
    ck_assert_uint_eq(fixture.report.specials, 3);
}
END_TEST

START_TEST(test_redefinition)
{
    accept("[{'type':'overmap_special','id':'a','locations':['land'],'occurrences':[0,3],\n"
           "'overmaps':[{'point':[0,0,0],'overmap':'nonsense'}]},\n"
           "{'type':'city_building','id':'a','locations':['road'],\n"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}]}]",
           "warning: 3:1: a: defined twice in this pack; the later definition counts\n");
    rows("SELECT id, kind FROM overmap_special", 2, "a|city_building");
    ck_assert_uint_eq(fixture.report.specials, 0);
    ck_assert_uint_eq(fixture.report.city_buildings, 1);
}
END_TEST

/* In a later pack a definition may change an earlier one, also by copying from it. */
START_TEST(test_later_pack)
{
    char later[128];
    static const char text[] =
        "[{\"type\":\"overmap_special\",\"id\":\"a\",\"copy-from\":\"a\","
        "\"occurrences\":[7,8]},{\"type\":\"overmap_special\",\"id\":\"b\","
        "\"overmaps\":[],\"occurrences\":[0,0]}]";
    snprintf(later, sizeof later, "%s/later.json", fixture.folder);
    FILE *file = fopen(later, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
    fixture.later = later;
    accept("[{'type':'overmap_special','id':'a','locations':['land'],'occurrences':[0,3],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}]},"
           "{'type':'overmap_special','id':'b','locations':['land'],'occurrences':[0,3],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field'}]}]",
           "");
    unlink(later);
    rows("SELECT id, occurrences_min, occurrences_max, pack, count(t.oter) FROM "
         "overmap_special s"
         " LEFT JOIN special_omt t ON t.special = s.id GROUP BY id",
         5, "a|7|8|2|1;b|0|0|2|0");
}
END_TEST

/* A second import replaces every row of the first. */
START_TEST(test_replaced)
{
    accept("[{'type':'overmap_special','id':'a','locations':['land'],'occurrences':[0,3],"
           "'overmaps':[{'point':[0,0,0],'overmap':'field','locations':['road']}]}]",
           "");
    fixture_import(&fixture,
                   "[{'type':'overmap_special','id':'b','locations':['land'],"
                   "'occurrences':[0,3],'overmaps':[{'point':[0,0,0],'overmap':'forest'}]}]",
                   false);
    fixture_expect_ok(&fixture, "");
    rows("SELECT special, oter FROM special_omt", 2, "b|forest");
    rows("SELECT count(*) FROM special_omt_location", 1, "0");
    rows("SELECT id FROM overmap_special", 1, "b");
}
END_TEST

/* Warnings that must not stop an import. */
START_TEST(test_warnings)
{
    accept("[{'type':'city_building','id':'a','locations':['land'],'overmaps':[\n"
           "{'point':[-1,0,0],'overmap':'field'},\n"
           "{'point':[0,-1,0],'overmap':'field'},{'point':[0,0,-1],'overmap':'field'}]}]",
           "");
    accept("[{'type':'overmap_special','id':'a','occurrences':[0,1],'overmaps':[\n"
           "{'point':[0,0,0],'overmap':'field','locations':['land']},\n"
           "{'point':[1,0,0],'overmap':'field'},{'point':[2,0,0],'overmap':'field'}]}]",
           "warning: 3:1: a: the OMT has no locations, nor has the special: it can never be "
           "placed\n");
    accept("[{'type':'overmap_special','id':'a','occurrences':[0,1],\n'overmaps':[]},\n"
           "{'type':'overmap_special','id':'b','occurrences':[0,0],'overmaps':[]}]",
           "warning: 2:12: a: without overmaps it can never be placed\n");
    rows("SELECT id FROM overmap_special ORDER BY id", 1, "a;b");
}
END_TEST

/* ---- mutable specials ---- */

START_TEST(test_joins)
{
    accept(
        "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
        "'locations':['land'],'root':'r','phases':[],'joins':['z',{'id':'a','opposite':'b',"
        "'into_locations':['road','field']},{'id':'b','opposite':'a'},{'id':'c'}],"
        "'overmaps':{'//':'a remark','r':{'overmap':'road_ns','locations':['road'],"
        "'north':'z','east':{'id':'a','type':'optional'},'south':{'id':'b',"
        "'type':'available','alternatives':['c','z']},'west':{'id':'c','type':'reject'},"
        "'above':{'id':'z','type':'mandatory'},'below':'b',"
        "'connections':{'west':{'connection':'burrow'},'above':{'connection':'local_road'}}},"
        "'a':{'overmap':'field'}}}]",
        "warning: 1:314: m: no rule can close join 'z' on the root's north side: the special "
        "can never be placed\n"
        "warning: 1:459: m: no rule can close join 'z' on the root's above side: the special "
        "can never be placed\n"
        "warning: 1:497: m: no rule can close join 'b' on the root's below side: the special "
        "can never be placed\n"
        "warning: 1:589: m: no rule places 'a', nor is it the root\n");
    rows("SELECT * FROM special_join ORDER BY position", 4, "m|0|z|z;m|1|a|b;m|2|b|a;m|3|c|c");
    rows("SELECT * FROM special_join_location", 4, "m|a|0|road;m|a|1|field");
    rows("SELECT * FROM special_piece ORDER BY position", 4, "m|r|0|road_ns;m|a|1|field");
    rows("SELECT * FROM special_piece_location", 4, "m|r|0|road");
    rows("SELECT side, \"join\", type FROM special_piece_side WHERE piece = 'r' ORDER BY side",
         3,
         "above|z|mandatory;below|b|mandatory;east|a|optional;north|z|mandatory;"
         "south|b|available;west|c|reject");
    rows("SELECT side, position, \"join\" FROM special_piece_alternative", 3,
         "south|0|c;south|1|z");
    rows("SELECT side, connection FROM special_piece_connection", 2,
         "above|local_road;west|burrow");
    rows("SELECT root FROM overmap_special", 1, "r");
    ck_assert_uint_eq(fixture.report.mutable_specials, 1);
}
END_TEST

START_TEST(test_amounts)
{
    accept(MUTABLE("'shared':{'n':3,'r':[5,1],'p':{'poisson':2.5},'c':{'chance':0.25}},\n",
                   "[{'overmap':'p','max':7,'scale':'n'},{'overmap':'p','max':[2,9]},"
                   "{'overmap':'p','max':{'poisson':4},'weight':0},"
                   "{'overmap':'p','max':{'chance':1}},{'overmap':'p','weight':12}]"),
           "warning: 3:21: m: [5, 1] is reversed: a number from 1 to 5 is drawn\n"
           "warning: 4:76: m: the rule's number or weight is always 0: it is never used\n");
    rows("SELECT name, kind, low, high, mean FROM special_shared ORDER BY position", 5,
         "n|fixed|3|3|-;r|range|5|1|-;p|poisson|-|-|2.5;c|chance|-|-|0.25");
    rows("SELECT max_kind, max_low, max_high, max_mean, weight, scale FROM special_phase_rule"
         " ORDER BY position",
         6,
         "fixed|7|7|-|-|n;range|2|9|-|-|-;poisson|-|-|4.0|0|-;chance|-|-|1.0|-|-;"
         "unlimited|-|-|-|12|-");
}
END_TEST

START_TEST(test_heights)
{
    accept(
        MUTABLE("", "[],[{'overmap':'p','max':1},{'overmap':'p','max':1,'z':-3},"
                    "{'overmap':'p','max':1,'z':[-10,-4]},{'overmap':'p','max':1,'z':'top'},"
                    "{'overmap':'p','max':1,'z':'bottom'},"
                    "{'overmap':'p','max':1,'z':{'top':1}},"
                    "{'overmap':'p','max':1,'z':{'bottom':-1,'top':0}}]"),
        "warning: 3:39: m: no join that can be open in this phase is met by the rule: it is "
        "never used\n"
        "warning: 3:70: m: no join that can be open in this phase is met by the rule: it is "
        "never used\n"
        "warning: 3:178: m: no join that can be open in this phase is met by the rule: it is "
        "never used\n");
    rows("SELECT phase, z_kind, z_low, z_high, z_top, z_bottom FROM special_phase_rule"
         " ORDER BY position",
         6,
         "1|any|-|-|-|-;1|range|-3|-3|-|-;1|range|-10|-4|-|-;1|top|-|-|-|-;1|bottom|-|-|-|-;"
         "1|offset|-|-|1|-;1|offset|-|-|0|-1");
}
END_TEST

START_TEST(test_rules)
{
    accept(MUTABLE("", "[{'name':'pair','chunk':[{'overmap':'r','pos':[0,0,0]},"
                       "{'overmap':'p','pos':[0,-1,0],'rot':'north'},"
                       "{'overmap':'p','pos':[3,4,-1],'rot':'west'}],'max':1,'join':'k',"
                       "'om_pos':[-2,5],'rotate':false},"
                       "{'overmap':'p','max':1,'rotate':true},{'chunk':[{'overmap':'p'}],"
                       "'max':2}]"),
           "");
    rows("SELECT position, name, \"join\", om_x, om_y, rotate FROM special_phase_rule"
         " ORDER BY position",
         6, "0|pair|k|-2|5|0;1|-|-|-|-|1;2|-|-|-|-|-");
    rows("SELECT rule, position, piece, x, y, z, rotation FROM special_phase_rule_piece", 7,
         "0|0|r|0|0|0|0;0|1|p|0|-1|0|0;0|2|p|3|4|-1|3;1|0|p|0|0|0|0;2|0|p|0|0|0|0");
}
END_TEST

START_TEST(test_checks)
{
    accept(MUTABLE("'check_for_locations':[[[0,0,0],['land','road']],[[1,2,-3],['swamp']]],"
                   "'check_for_locations_area':[{'type':['water'],'from':[1,1,-2],"
                   "'to':[-1,-1,-2]},[{'type':['road'],'from':[0,5,0],'to':[4,0,1]}]],",
                   ""),
           "warning: 2:44: m: no rule can close join 'j' on the root's north side: the special "
           "can never be placed\n"
           "warning: 2:53: m: no rule places 'p', nor is it the root\n");
    rows("SELECT position, x0, y0, z0, x1, y1, z1 FROM special_check ORDER BY position", 7,
         "0|0|0|0|0|0|0;1|1|2|-3|1|2|-3;2|-1|-1|-2|1|1|-2;3|0|0|0|4|5|1");
    rows("SELECT \"check\", location FROM special_check_location ORDER BY \"check\", position",
         2, "0|land;0|road;1|swamp;2|water;3|road");
}
END_TEST

START_TEST(test_mutable_warnings)
{
    accept(MUTABLE("'connections':[{'point':[0,0,0],'connection':'burrow'}],\n",
                   "[{'overmap':'p'},\n{'overmap':'r','max':1,'join':'k'},\n"
                   "{'overmap':'r','max':1,'z':[3,1]}]"),
           "warning: 3:25: m: the connection's point is an OMT of the special\n"
           "warning: 4:12: m: a rule with neither 'max' nor 'weight' is unlimited\n"
           "warning: 5:31: m: none of the rule's pieces has join 'k': the rule is never used\n"
           "warning: 6:28: m: no level lies in [3, 1]: the rule is never used\n");
    rows("SELECT max_kind, weight FROM special_phase_rule WHERE position = 0", 2,
         "unlimited|-");
    accept(
        "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],\n"
        "'joins':[],'root':'r','phases':[],'overmaps':{\n'r':{'overmap':'field',"
        "'connections':{'north':{'connection':'burrow',\n'existing':true}}},\n"
        "'s':{'overmap':'field'}}}]",
        "warning: 3:5: m: the overmap has no locations, nor has the special: it can never be "
        "placed\n"
        "warning: 4:12: m: 'existing' has no meaning in a mutable special\n"
        "warning: 5:5: m: no rule places 's', nor is it the root\n");
}
END_TEST

/* ---- the games' own content ---- */

static bool present(const char *path)
{
    struct stat info;
    const char *ci = getenv("CI"), *source = getenv("PORTOLAN_SOURCE_DIR");
    char shared[1024];
    if (stat(path, &info) == 0)
        return true;
    snprintf(shared, sizeof shared, "%s/../shared", source ? source : ".");
    bool needed = ci && strcmp(ci, "true") == 0 && stat(shared, &info) == 0;
    ck_assert_msg(!needed, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    fflush(stdout);
    return false;
}

static void import_folder(const char *path, bool lenient)
{
    snprintf(fixture.base, sizeof fixture.base, "%s", path);
    fixture_import(&fixture, "[]", lenient);
    ck_assert_msg(fixture.status == PTL_OK, "%s", fixture.error.message);
}

START_TEST(test_dda)
{
    static const char path[] = "/usr/share/games/cataclysm-dda/json";
    if (!present(path))
        return;
    import_folder(path, false);
    ck_assert_uint_eq(fixture.report.specials, 185);
    ck_assert_uint_eq(fixture.report.city_buildings, 338);
    rows("SELECT count(*), (SELECT count(*) FROM overmap_special WHERE kind = 'special')"
         " FROM overmap_special",
         2, "523|185");
    /* Counted by a script of its own over the same files (all of DDA 0.F's). */
    rows("SELECT count(*) FROM special_omt", 1, "7262");
    rows("SELECT count(*) FROM special_omt t JOIN overmap_special s ON s.id = t.special"
         " WHERE s.kind = 'city_building'",
         1, "1681");
    rows("SELECT count(DISTINCT special) FROM special_flag f WHERE flag = 'UNIQUE'", 1, "66");
    rows("SELECT count(*), sum(existing) FROM special_connection", 2, "122|12");
    rows("SELECT connection, count(*) FROM special_connection GROUP BY connection", 2,
         "hidden_lab_basement|1;local_road|114;sewer_tunnel|7");
    rows("SELECT count(*) FROM special_omt t WHERE NOT EXISTS (SELECT 1 FROM concrete_terrain"
         " c WHERE c.id = t.oter)",
         1, "0");
    rows("SELECT count(*) FROM special_omt_allowed a WHERE NOT EXISTS (SELECT 1 FROM"
         " overmap_location l WHERE l.id = a.location)",
         1, "0");
}
END_TEST

static void shared_folder(char *path, size_t size, const char *name)
{
    const char *shared = getenv("PORTOLAN_SHARED"), *source = getenv("PORTOLAN_SOURCE_DIR");
    if (shared)
        snprintf(path, size, "%s/content/%s", shared, name);
    else
        snprintf(path, size, "%s/../shared/content/%s", source ? source : ".", name);
}

START_TEST(test_bn)
{
    char path[900];
    shared_folder(path, sizeof path, "bn");
    if (!present(path))
        return;
    import_folder(path, true);
    ck_assert_uint_eq(fixture.report.specials, 15);
    ck_assert_uint_eq(fixture.report.mutable_specials, 9);
    rows("SELECT id FROM overmap_special s WHERE subtype = 'mutable' AND NOT EXISTS (SELECT 1"
         " FROM special_piece p WHERE p.special = s.id AND p.piece = s.root)",
         1, "");
    rows("SELECT count(*) FROM special_phase_rule r WHERE NOT EXISTS (SELECT 1 FROM"
         " special_phase_rule_piece p WHERE p.special = r.special AND p.phase = r.phase"
         " AND p.rule = r.position)",
         1, "0");
    rows("SELECT count(*) FROM special_phase_rule WHERE max_kind = 'unlimited'"
         " AND weight IS NULL",
         1, "3");
}
END_TEST

/* An excerpt: most of its terrain is missing, the rest must come through. */
START_TEST(test_dda_mutable)
{
    char path[900];
    shared_folder(path, sizeof path, "dda-mutable");
    if (!present(path))
        return;
    import_folder(path, true);
    rows("SELECT id, subtype FROM overmap_special ORDER BY id", 2,
         "Acid Anthill|fixed;Anthill|fixed;acid_anthill|mutable;anthill|mutable");
    rows("SELECT count(*) FROM content_issue WHERE kind = 'unresolved'"
         " AND object_id = 'Crater' AND message LIKE '%the special is left out%'",
         1, "8");
}
END_TEST

static Suite *specials_suite(void)
{
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } tests[] = {{"minimal", test_minimal, 1},
                 {"all fields", test_all_fields, 1},
                 {"intervals", test_intervals, 1},
                 {"guessed connections", test_guessed_connections, 1},
                 {"directions", test_directions, 1},
                 {"inheritance", test_inheritance, 1},
                 {"redefinition", test_redefinition, 1},
                 {"later pack", test_later_pack, 1},
                 {"replaced", test_replaced, 1},
                 {"warnings", test_warnings, 1},
                 {"joins", test_joins, 1},
                 {"amounts", test_amounts, 1},
                 {"heights", test_heights, 1},
                 {"rules", test_rules, 1},
                 {"checks", test_checks, 1},
                 {"mutable warnings", test_mutable_warnings, 1},
                 {"dda", test_dda, 1},
                 {"bn", test_bn, 1},
                 {"dda-mutable", test_dda_mutable, 1}};
    Suite *suite = suite_create("specials");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        TCase *tcase = tcase_create(tests[i].name);
        tcase_add_checked_fixture(tcase, setup, teardown);
        tcase_add_loop_test(tcase, tests[i].test, 0, tests[i].count);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}

int main(void)
{
    SRunner *runner = srunner_create(specials_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
