/*
 * Mistakes in overmap_special and city_building: each with its place and its text, and a
 * database that stays as it was; and what the lenient option makes of unresolved references.
 */
#include "support/suite.h"
#include "unit/content/lenient_fixture.h"
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

static void rows(const char *sql, int columns, const char *expected)
{
    fixture_expect_rows(&fixture, sql, columns, expected);
}

typedef struct mistake {
    const char *content, *remarks;
} mistake;

/* One fixed special with a tile at the origin; the test's part on lines 2 and 3. */
#define FIXED(overmaps, extra)                                                                 \
    "[{'type':'overmap_special','id':'s','locations':['land'],'occurrences':[0,1],\n"          \
    "'overmaps':[" overmaps "],\n" extra "'rotate':true}]"
#define TILE "{'point':[0,0,0],'overmap':'field'}"

static const mistake fixed_mistakes[] = {
    {FIXED("{'point':[0,0],'overmap':'field'}", ""),
     "error: 2:22: s: expected a point [x, y, z], found 2 numbers\n"},
    {FIXED("{'point':[0,0,'x'],'overmap':'field'}", ""),
     "error: 2:27: s: expected an integer, found a string\n"},
    {FIXED("{'point':[0,0,99],'overmap':'field'}", ""),
     "error: 2:27: s: 99 is not between -20 and 20\n"},
    {FIXED("{'point':{},'overmap':7}", ""),
     "error: 2:22: s: 'point': expected a point [x, y, z], found an object\n"
     "error: 2:35: s: 'overmap': expected a string, found an integer\n"},
    {FIXED("{}", ""), "error: 2:13: s: missing key 'point'\n"},
    {FIXED("{'point':[0,0,0],'overmp':'field'}", ""),
     "error: 2:13: s: missing key 'overmap', and 'overmp' is not known\n"},
    {FIXED("'field'", ""), "error: 2:13: s: expected an object, found a string\n"},
    {FIXED(TILE ",{'point':[0,0,0],'overmap':'forest'}", ""),
     "error: 2:58: s: [0, 0, 0] is there twice\n"},
    {FIXED("{'point':[0,0,0],'overmap':'feild'}", ""),
     "error: 2:40: s: no such overmap terrain 'feild', did you mean 'field'?\n"},
    {FIXED("{'point':[0,0,0],'overmap':'zoo_0_0'}", ""),
     "error: 2:40: s: 'zoo_0_0' can be rotated: name a rotation, usually 'zoo_0_0_north'\n"},
    {FIXED("{'point':[0,0,0],'overmap':'road'}", ""),
     "error: 2:40: s: 'road' is linear: name one of its shapes, such as 'road_ns' or "
     "'road_nesw'\n"},
    {FIXED("{'point':[0,0,0],'overmap':'field','locations':['lend']}", ""),
     "error: 2:61: s: no such overmap_location 'lend', did you mean 'land'?\n"},
    {FIXED("{'point':[0,0,0],'overmap':'field','locations':[3]}", ""),
     "error: 2:61: s: expected a string, found an integer\n"},
    {FIXED("{'point':[0,0,0],'overmap':'field','locations':{}}", ""),
     "error: 2:60: s: 'locations': expected an array of strings, found an object\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'connection':'local_raod'}],"),
     "error: 3:47: s: no such overmap_connection 'local_raod', did you mean 'local_road'?\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'terrain':'raod','connection':'burrow'}],"),
     "error: 3:44: s: no such overmap terrain type 'raod', did you mean 'road'?\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'terrain':'subway'}],"),
     "error: 3:16: s: names no connection, which means 'subway_tunnel', and that is not "
     "defined\n"},
    {FIXED(TILE, "'connections':[{'point':[1,-1,0],'connection':'burrow','from':[0,0,0]}],"),
     "error: 3:63: s: 'from' is not on one level and in one line with 'point'\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'connection':'burrow','from':[0,0,1]}],"),
     "error: 3:63: s: 'from' is not on one level and in one line with 'point'\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'connection':'burrow','from':[0,-1,0]}],"),
     "error: 3:63: s: 'from' is not on one level and in one line with 'point'\n"},
    {FIXED(TILE, "'connections':[{'connection':'burrow'}],"),
     "error: 3:16: s: missing key 'point'\n"},
    {FIXED(TILE, "'connections':{},"),
     "error: 3:15: s: 'connections': expected an array, found an object\n"},
    {FIXED(TILE, "'connections':[{'point':[0,-1,0],'connection':'burrow','existing':1}],"),
     "error: 3:67: s: 'existing': expected true or false, found an integer\n"},
    {FIXED(TILE, "'place_nested':[{'point':[0,0,0],'special':'t'}],"),
     "error: 3:44: s: no such special 't'\n"},
    {FIXED(TILE, "'place_nested':[{'point':[0,0,0]}],"),
     "error: 3:17: s: missing key 'special'\n"},
    {FIXED(TILE, "'place_nested':[{'point':[0,0,0],'special':'s'}],"),
     "error: 3:44: s: place_nested goes in a circle: 's' > 's'\n"},
    {FIXED(TILE, "'city_distance':[1],"),
     "error: 3:17: s: expected two integers [a, b], found 1\n"},
    {FIXED(TILE, "'city_sizes':5,"),
     "error: 3:14: s: 'city_sizes': expected two integers [a, b], found an integer\n"},
    {FIXED(TILE, "'flags':[true],"), "error: 3:10: s: expected a string, found a boolean\n"},
    {FIXED(TILE, "'priority':1.5,"),
     "error: 3:12: s: 'priority': expected an integer, found a number\n"},
    {FIXED(TILE, "'subtype':'mutabel',"),
     "error: 3:11: s: no such subtype 'mutabel', did you mean 'mutable'?\n"},
    {FIXED(TILE, "'spawns':{'group':'G','population':[1,2]},"),
     "error: 3:10: s: missing key 'radius'\n"},
    {FIXED(TILE, "'spawns':{'group':'G','population':[1,2],'radius':[-1,2]},"),
     "error: 3:52: s: -1 is not between 0 and 2147483647\n"},
    {FIXED(TILE, "'copy-from':'t',"),
     "error: 3:13: s: copy-from names 't', which nothing defines\n"},
    {"[{'type':'overmap_special','id':'s','locations':['land'],\n'overmaps':[" TILE "]}]",
     "error: 1:2: s: missing key 'occurrences'\n"},
    {"[{'type':'overmap_special','id':'s','locations':['land'],'occurences':[0,1],\n"
     "'overmaps':[{'Point':[0,0,0],'overmap':'t'}]}]",
     "error: 1:2: s: missing key 'occurrences'; is it meant by 'occurences'?\n"
     "error: 2:13: s: missing key 'point'; is it meant by 'Point'?\n"
     "error: 2:40: s: no such overmap terrain 't'\n"},
    {"[{'type':'overmap_special','id':'s','locations':['land'],'occurrences':[0,1]}]",
     "error: 1:2: s: missing key 'overmaps'\n"},
    {"[{'type':'overmap_special','id':'s','locations':['land'],'occurrences':[0,1],\n"
     "'overmaps':{}}]",
     "error: 2:12: s: 'overmaps': expected an array, since the special is not mutable, found "
     "an "
     "object\n"},
    {"[{'type':'overmap_location','id':'nowhere','flags':['NO_TERRAIN_HAS_THIS']},\n"
     "{'type':'city_building','id':'s','locations':['nowhere'],'overmaps':[\n"
     "{'point':[0,0,0],'overmap':'field','locations':['nowhere']},\n"
     "{'point':[1,0,0],'overmap':'field','locations':['nowhere','land']}]}]",
     "warning: 1:2: nowhere: no terrain satisfies this location\n"
     "error: 2:46: s: no terrain satisfies location 'nowhere': this can never be placed\n"},
};
enum { FIXED_MISTAKES = sizeof fixed_mistakes / sizeof fixed_mistakes[0] };

#define RULES(phase) MUTABLE("", "[\n" phase "]")

static const mistake mutable_mistakes[] = {
    {RULES("{'max':1}"), "error: 4:1: m: a rule needs 'overmap' or 'chunk'\n"},
    {RULES("{'overmap':'p','chunk':[],'max':1}"),
     "error: 4:1: m: a rule can't have both 'overmap' and 'chunk'\n"},
    {RULES("{'overmap':'q','max':1}"), "error: 4:12: m: the special has no overmap 'q'\n"},
    {RULES("{'chunk':[],'max':1}"), "error: 4:10: m: the chunk is empty\n"},
    {RULES("{'chunk':[{'overmap':'p'},{'overmap':'p','pos':[0,0,0]}],'max':1}"),
     "error: 4:48: m: position [0, 0, 0] is there twice\n"},
    {RULES("{'chunk':[{'overmap':'p','pos':[0,0,0],'rot':'nroth'}],'max':1}"),
     "error: 4:46: m: no such direction 'nroth', did you mean 'north'?\n"},
    {RULES("{'chunk':[{'overmap':'p','pos':[0,0,0],'rot':'above'}],'max':1}"),
     "error: 4:46: m: expected north, east, south or west\n"},
    {RULES("{'chunk':[{'overmap':'r'},{'overmap':'p','pos':[0,-1,0],'rot':'east'}],'max':1}"),
     "error: 4:10: m: the north side of 'r' needs join 'j' from its neighbour 'p', whose east "
     "side does not offer it\n"},
    {RULES("{'overmap':'p','max':-1}"),
     "error: 4:22: m: 'max': -1 is not between 0 and 2147483647\n"},
    {RULES("{'overmap':'p','max':{}}"),
     "error: 4:22: m: 'max': expected an integer, [min, max], {\"poisson\": mean}, "
     "{\"binomial\": [trials, probability]} or "
     "{\"chance\": probability}, found an object\n"},
    {RULES("{'overmap':'p','max':{'poisson':'x'}}"),
     "error: 4:33: m: 'poisson': expected a number, found a string\n"},
    {RULES("{'overmap':'p','max':{'poisson':-1}}"),
     "error: 4:33: m: -1 is not between 0 and 1,000,000\n"},
    {RULES("{'overmap':'p','weight':[1,2]}"),
     "error: 4:25: m: 'weight': expected an integer, found an array\n"},
    {RULES("{'overmap':'p','max':1,'scale':'size'}"),
     "error: 4:32: m: 'shared' has no 'size'\n"},
    {RULES("{'overmap':'p','max':1,'join':'jj'}"),
     "error: 4:31: m: the special has no join 'jj', did you mean 'j'?\n"},
    {RULES("{'overmap':'p','max':1,'z':'middle'}"),
     "error: 4:28: m: 'z': expected an integer, [min, max], \"top\", \"bottom\" or an object "
     "with \"top\" or \"bottom\", found a string\n"},
    {RULES("{'overmap':'p','max':1,'z':11}"),
     "error: 4:28: m: 'z': 11 is not between -10 and 10\n"},
    {RULES("{'overmap':'p','max':1,'z':{'top':'x'}}"),
     "error: 4:35: m: 'top': expected an integer, found a string\n"},
    {RULES("{'overmap':'p','max':1,'om_pos':[1,2,3]}"),
     "error: 4:33: m: expected two integers [a, b], found 3\n"},
    {RULES("7"), "error: 4:1: m: expected an object, found an integer\n"},
    {MUTABLE("", "\n{}"), "error: 4:1: m: expected an array, found an object\n"},
    {MUTABLE("'shared':{'n':'x'},\n", ""),
     "error: 3:15: m: 'n': expected an integer, [min, "
     "max], {\"poisson\": mean}, {\"binomial\": [trials, probability]} or {\"chance\": "
     "probability}, found a string\n"},
    {MUTABLE("'check_for_locations':[[[0,0,0]],[[0,0,0],['lnad']],7],\n", ""),
     "error: 3:24: m: expected [[x, y, z], [locations]]\n"
     "error: 3:44: m: no such overmap_location 'lnad', did you mean 'land'?\n"
     "error: 3:53: m: expected [[x, y, z], [locations]]\n"},
    {MUTABLE("'check_for_locations_area':[{'type':['land'],'from':[0,0,0]},3],\n", ""),
     "error: 3:29: m: missing key 'to'\n"
     "error: 3:62: m: expected an object, found an integer\n"},
};
enum { MUTABLE_MISTAKES = sizeof mutable_mistakes / sizeof mutable_mistakes[0] };

/* A mutable special of its own parts, on lines 2, 3 and 4. */
#define PARTS(joins, overmaps, root)                                                           \
    "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"             \
    "'locations':['land'],'phases':[],\n'joins':[" joins "],\n'overmaps':{" overmaps "},\n"    \
    "'root':" root "}]"

static const mistake part_mistakes[] = {
    {PARTS("'a','a'", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:14: m: join 'a' is defined twice\n"},
    {PARTS("{'id':'a','opposite':'bb'},'b'", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:31: m: the opposite 'bb' of join 'a' is not defined, did you mean 'b'?\n"},
    {PARTS("{'id':'a','opposite':'b'},'b'", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:31: m: join 'a' names 'b' as its opposite, but the opposite of 'b' is 'b'\n"},
    {PARTS("{'opposite':'b'}", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:10: m: missing key 'id'\n"},
    {PARTS("3", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:10: m: expected an object, found an integer\n"},
    {PARTS("{'id':'a','into_locations':['raod']}", "'r':{'overmap':'field'}", "'r'"),
     "error: 2:38: m: no such overmap_location 'raod', did you mean 'road'?\n"},
    {PARTS("'a'", "'r':{'overmap':'field','north':'b'}", "'r'"),
     "error: 3:44: m: the special has no join 'b'\n"},
    {PARTS("'a'", "'r':{'overmap':'field','north':{'id':'a','type':'availabel'}}", "'r'"),
     "error: 3:61: m: no such type of join 'availabel', did you mean 'available'?\n"},
    {PARTS("'a'", "'r':{'overmap':'field','north':{'id':'a','alternatives':['c']}}", "'r'"),
     "error: 3:70: m: the special has no join 'c'\n"},
    {PARTS("'a'", "'r':{'overmap':'field','north':{'type':'reject'}}", "'r'"),
     "error: 3:44: m: missing key 'id'\n"},
    {PARTS("", "'r':{'overmap':'zoo_0_0'}", "'r'"),
     "error: 3:28: m: 'zoo_0_0' can be rotated: name a rotation, usually 'zoo_0_0_north'\n"},
    {PARTS("", "'r':{}", "'r'"), "error: 3:17: m: missing key 'overmap'\n"},
    {PARTS("", "'r':5", "'r'"), "error: 3:17: m: 'r': expected an object, found an integer\n"},
    {PARTS("", "'root':{'overmap':'field'}", "'rot'"),
     "error: 4:8: m: the special has no overmap 'rot', did you mean 'root'?\n"},
    {PARTS("", "'r':{'overmap':'field','connections':{'up':{'connection':'burrow'}}}", "'r'"),
     "error: 3:56: m: no such side 'up'\n"},
    {PARTS("", "'r':{'overmap':'field','connections':{'nroth':{'connection':'burrow'}}}",
           "'r'"),
     "error: 3:59: m: no such side 'nroth', did you mean 'north'?\n"},
    {PARTS("", "'r':{'overmap':'field','connections':{'west':{}}}", "'r'"),
     "error: 3:58: m: missing key 'connection'\n"},
    {"[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1]}]",
     "error: 1:2: m: missing key 'joins'\nerror: 1:2: m: missing key 'overmaps'\n"
     "error: 1:2: m: missing key 'root'\nerror: 1:2: m: missing key 'phases'\n"},
    {"[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],'joins':[],"
     "'root':'r','phases':[],\n'overmaps':[]}]",
     "error: 1:95: m: the special has no overmap 'r'\n"
     "error: 2:12: m: 'overmaps': expected an object, since the special is mutable, found an "
     "array\n"},
};
enum { PART_MISTAKES = sizeof part_mistakes / sizeof part_mistakes[0] };

static void refuse(const mistake *m)
{
    fixture_import(&fixture, m->content, false);
    ck_assert_msg(fixture.status == PTL_ERR_CONTENT, "accepted: %s", m->content);
    ck_assert_msg(strcmp(fixture_remarks(&fixture), m->remarks) == 0,
                  "%s\nexpected:\n%s\nfound:\n%s", m->content, m->remarks,
                  fixture_remarks(&fixture));
    rows("SELECT count(*) FROM overmap_special", 1, "0");
    rows("SELECT count(*) FROM content", 1, "0");
}

START_TEST(test_fixed_mistake)
{
    refuse(&fixed_mistakes[_i]);
}
END_TEST

START_TEST(test_mutable_mistake)
{
    refuse(&mutable_mistakes[_i]);
}
END_TEST

START_TEST(test_part_mistake)
{
    refuse(&part_mistakes[_i]);
}
END_TEST

/* ---- inheritance, circles, leniency ---- */

#define BARE(id, extra)                                                                        \
    "{'type':'city_building','id':'" id "','locations':['land'],'overmaps':[" TILE "]," extra  \
    "'rotate':true}"
#define NEST(id) "'place_nested':[{'point':[0,0,0],'special':'" id "'}],"

START_TEST(test_nested_circle)
{
    static const mistake circle = {
        "[" BARE("a", NEST("b")) ",\n" BARE("b", NEST("c")) ",\n" BARE(
            "c", NEST("b")) ",\n" BARE("d", NEST("a")) "]",
        "error: 3:147: c: place_nested goes in a circle: 'b' > 'c' > 'b'\n"};
    refuse(&circle);
    /* Twice the same, and nested in nested, is fine. */
    fixture_close_store(&fixture);
    fixture_import(
        &fixture,
        "[" BARE("a",
                 "'place_nested':[{'point':[0,0,0],'special':'b'},"
                 "{'point':[3,0,0],'special':'b'}],") "," BARE("b", NEST("c")) "," BARE("c",
                                                                                        "") "]",
        false);
    fixture_expect_ok(&fixture, "");
    rows("SELECT special, x, nested FROM special_nested", 3, "a|0|b;a|3|b;b|0|c");
}
END_TEST

/* Eight deep all are placed; of one more it is told where that begins, and not again above. */
START_TEST(test_nested_depth)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "[{'type':'overmap_special','id':'n0','locations':['land'],"
                          "'occurrences':[0,1],'overmaps':[" TILE "]}");
    for (int i = 1; i <= 8 + 2 * _i; i++)
        bytes_printf(&text,
                     ",\n{'type':'overmap_special','id':'n%d','locations':['land'],"
                     "'occurrences':[0,1],'overmaps':[" TILE "],"
                     "'place_nested':[{'point':[0,0,0],'special':'n%d'}]}",
                     i, i - 1);
    bytes_put_text(&text, "]");
    fixture_import(&fixture, bytes_text(&text), false);
    bytes_dispose(&text);
    const char *remarks = fixture_remarks(&fixture);
    const char *told =
        strstr(remarks, "n9: nested more than 8 deep: the deepest are never placed");
    ck_assert_int_eq(fixture.status, PTL_OK);
    ck_assert_msg((told != NULL) == (_i > 0), "%s", remarks);
    ck_assert_ptr_null(strstr(remarks, "n10: nested"));
}
END_TEST

/* A special counts what it nests, at all depths: as many as may be, and one more. What nests
 * that one in turn says nothing of its own. */
START_TEST(test_nested_limit)
{
    bytes text;
    const int nested = 1000 + _i;
    bytes_init(&text);
    bytes_put_text(&text, "[{'type':'overmap_special','id':'leaf','locations':['land'],"
                          "'occurrences':[0,1],'overmaps':[" TILE "]},\n"
                          "{'type':'overmap_special','id':'tree','locations':['land'],"
                          "'occurrences':[0,1],'overmaps':[" TILE "],\n'place_nested':[");
    for (int i = 0; i < nested; i++)
        bytes_printf(&text, "%s{'point':[0,%d,0],'special':'leaf'}", i ? ",\n" : "", i % 100);
    bytes_put_text(&text, "]},\n{'type':'overmap_special','id':'wood','locations':['land'],"
                          "'occurrences':[0,1],'overmaps':[" TILE "]");
    if (_i > 0)
        bytes_put_text(&text, ",'place_nested':[{'point':[0,0,0],'special':'tree'}]");
    bytes_put_text(&text, "}]");
    fixture_import(&fixture, bytes_text(&text), false);
    bytes_dispose(&text);
    if (_i == 0) {
        fixture_expect_ok(&fixture, "");
        rows("SELECT count(*) FROM special_nested", 1, "1000");
        return;
    }
    ck_assert_int_eq(fixture.status, PTL_ERR_CONTENT);
    ck_assert_uint_eq(fixture.report.errors, 1);
    ck_assert_str_eq(fixture_remarks(&fixture),
                     "error: 1003:28: tree: more than 1000 specials are nested in this one\n");
}
END_TEST

/* What is wrong in an ancestor is reported where it stands, under the name of the heir. */
START_TEST(test_inherited_mistake)
{
    static const mistake inherited = {
        "[{'type':'overmap_special','id':'a','copy-from':'base','occurrences':[0,1]},\n"
        "{'type':'overmap_special','abstract':'base','locations':['land'],\n"
        "'overmaps':[{'point':[0,0,0],'overmap':'feild'}]}]",
        "error: 3:40: a: no such overmap terrain 'feild', did you mean 'field'?\n"};
    static const mistake circle = {
        "[" BARE("a", "'copy-from':'b',") ",\n" BARE("b", "'copy-from':'a',") "]",
        "error: 1:117: a: copy-from goes in a circle: 'a' -> 'b' -> 'a'\n"};
    refuse(&inherited);
    refuse(&circle);
}
END_TEST

/* The chain of copies is bounded: fields are looked up along it. */
START_TEST(test_long_chain)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "[" BARE("c0", ""));
    for (int i = 1; i <= 70; i++)
        bytes_printf(&text, ",\n{'type':'city_building','id':'c%d','copy-from':'c%d'}", i,
                     i - 1);
    bytes_put_text(&text, "]");
    fixture_import(&fixture, bytes_text(&text), false);
    ck_assert_int_eq(fixture.status, PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(strstr(fixture_remarks(&fixture),
                                 "error: 66:48: c65: a chain of more than 64 copies\n"));
    bytes_dispose(&text);
}
END_TEST

static const char lenient_content[] =
    "[{'type':'overmap_special','id':'gone','locations':['land'],'occurrences':[0,1],\n"
    "'overmaps':[{'point':[0,0,0],'overmap':'vanished'}]},\n"
    "{'type':'overmap_special','id':'lost','locations':['limbo'],'occurrences':[0,1],\n"
    "'overmaps':[" TILE "]},\n"
    "{'type':'overmap_special','id':'heir','copy-from':'nobody','occurrences':[0,1]},\n"
    "{'type':'overmap_special','id':'stays','locations':['limbo','land'],'occurrences':[0,1],\n"
    "'overmaps':[" TILE "],'connections':[{'point':[0,-1,0],'connection':'canal'},\n"
    "{'point':[0,-1,0],'connection':'burrow'}],'place_nested':[\n"
    "{'point':[0,0,0],'special':'gone'},{'point':[0,0,0],'special':'never'}]}]";

START_TEST(test_lenient)
{
    fixture_import(&fixture, lenient_content, true);
    ck_assert_msg(fixture.status == PTL_OK, "%s", fixture.error.message);
    ck_assert_uint_eq(fixture.report.errors, 0);
    ck_assert_uint_eq(fixture.report.specials, 1);
    const char *remarks = fixture_remarks(&fixture);
    static const char *const expected[] = {
        "warning: 2:40: gone: no such overmap terrain 'vanished' (the special is left out)\n",
        "warning: 3:52: lost: no such overmap_location 'limbo'\n",
        "warning: 3:51: lost: none of these locations is known (the special is left out)\n",
        "warning: 5:51: heir: copy-from names 'nobody', which nothing defines\n",
        "warning: 6:53: stays: no such overmap_location 'limbo'\n",
        ("warning: 7:96: stays: no such overmap_connection 'canal' (the connection is left "
         "out)\n"),
        "warning: 9:28: stays: special 'gone' was left out (it is not nested)\n",
        "warning: 9:63: stays: no such special 'never' (it is not nested)\n"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        ck_assert_msg(strstr(remarks, expected[i]) != NULL, "not said: %s in\n%s", expected[i],
                      remarks);
    rows("SELECT id FROM overmap_special", 1, "stays");
    rows("SELECT location FROM special_location", 1, "land");
    rows("SELECT connection FROM special_connection", 1, "burrow");
    rows("SELECT count(*) FROM special_nested", 1, "0");
    rows("SELECT count(*) > 5 FROM content_issue WHERE kind = 'unresolved'", 1, "1");
}
END_TEST

/* The same content is refused without the option, each of these being an error. */
START_TEST(test_not_lenient)
{
    fixture_import(&fixture, lenient_content, false);
    ck_assert_int_eq(fixture.status, PTL_ERR_CONTENT);
    ck_assert_uint_ge(fixture.report.errors, 6);
    ck_assert_ptr_null(strstr(fixture_remarks(&fixture), "left out"));
}
END_TEST

/* Each mistake over our own pack. */
START_TEST(test_left_out)
{
    static const struct {
        const mistake *items;
        size_t count;
    } lists[] = {{fixed_mistakes, FIXED_MISTAKES},
                 {mutable_mistakes, MUTABLE_MISTAKES},
                 {part_mistakes, PART_MISTAKES}};
    lenient_fixture f;
    lenient_begin(&f, fixture.base);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            lenient_expect_text(&f, lists[i].items[k].content);
    lenient_end(&f);
}
END_TEST

static Suite *special_mistakes_suite(void)
{
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } tests[] = {{"fixed mistakes", test_fixed_mistake, FIXED_MISTAKES},
                 {"mutable mistakes", test_mutable_mistake, MUTABLE_MISTAKES},
                 {"mistakes in parts", test_part_mistake, PART_MISTAKES},
                 {"nested circle", test_nested_circle, 1},
                 {"nested limit", test_nested_limit, 2},
                 {"nested depth", test_nested_depth, 2},
                 {"inherited mistake", test_inherited_mistake, 1},
                 {"long chain", test_long_chain, 1},
                 {"left out", test_left_out, 1},
                 {"lenient", test_lenient, 1},
                 {"not lenient", test_not_lenient, 1}};
    Suite *suite = suite_create("special mistakes");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        TCase *tcase = tcase_create(tests[i].name);
        tcase_set_timeout(tcase, 60);
        tcase_add_checked_fixture(tcase, setup, teardown);
        tcase_add_loop_test(tcase, tests[i].test, 0, tests[i].count);
        suite_add_tcase(suite, tcase);
    }
    return suite;
}

int main(void)
{
    return suite_run(special_mistakes_suite());
}
