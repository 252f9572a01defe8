/*
 * What can never be placed is named with its reason, and what can be is not: small specials,
 * each wrong in one way or just right, and real content.
 */
#include "unit/gen/specials/special_fixture.h"

#include "content/special/special.h"
#include "support/suite.h"

static special_fixture fixture;

static void setup(void)
{
    fixture_open(&fixture);
}

static void teardown(void)
{
    fixture_close(&fixture);
}

typedef struct check_case {
    const char *content;
    const char *remarks; /* "": none */
} check_case;

static void expect(const check_case *c)
{
    fixture_import(&fixture, c->content, false);
    ck_assert_msg(fixture.status == PTL_OK, "%s\n%s", c->content, fixture.error.message);
    ck_assert_msg(strcmp(fixture_remarks(&fixture), c->remarks) == 0,
                  "%s\nexpected:\n%s\nfound:\n%s", c->content, c->remarks,
                  fixture_remarks(&fixture));
}

/* ---- fixed ---- */

#define FIXED(numbers, overmaps, extra)                                                        \
    "[{'type':'overmap_special','id':'s','locations':['land']," numbers ",\n"                  \
    "'overmaps':[" overmaps "],\n" extra "'rotate':true}]"
#define TILE          "{'point':[0,0,0],'overmap':'field'}"
#define NEVER_ASKED   "it is never asked for\n"
#define NEVER_PLACED  "it can never be placed\n"
#define SPECIAL_NEVER "the special can never be placed\n"
/* A second special, to be nested in the first. */
#define OTHER(location, overmaps)                                                              \
    "{'type':'overmap_special','id':'t','locations':['" location "'],'occurrences':[0,0],\n"   \
    "'overmaps':[" overmaps "]}"
#define NESTING(point, other)                                                                  \
    "[{'type':'overmap_special','id':'s','locations':['land'],'occurrences':[0,1],\n"          \
    "'overmaps':[" TILE "],\n'place_nested':[{'point':" point ",'special':'t'}]},\n" other "]"

static const check_case fixed_cases[] = {
    {FIXED("'occurrences':[0,1]", TILE, ""), ""},
    {FIXED("'occurrences':[0,0]", TILE, "'eoc':'x','flags':['LAKE'],"), ""},
    {FIXED("'occurrences':[5,2]", TILE, ""),
     "warning: 1:72: s: the minimum is above the maximum: the special is never asked for\n"},
    {FIXED("'occurrences':[145,200]", TILE, ""),
     "warning: 1:72: s: rule 'sectors' places at most 144 specials in an overmap: 145 are "
     "never "
     "reached\n"},
    {FIXED("'occurrences':[144,200]", TILE, ""), ""},
    {FIXED("'occurrences':[50,100]", TILE, "'flags':['UNIQUE'],"), ""},
    {FIXED("'occurrences':[150,200]", TILE, "'flags':['GLOBALLY_UNIQUE'],"), ""},
    {FIXED("'occurrences':[0,100]", TILE, "'flags':['OVERMAP_UNIQUE'],"),
     "warning: 1:72: s: for a unique special this is a chance of 0 in 100: " NEVER_ASKED},
    {FIXED("'occurrences':[1,2]", TILE, "'flags':['UNIQUE','GLOBALLY_UNIQUE'],"), ""},
    {FIXED("'occurrences':[1,2]", TILE, "'flags':['OVERMAP_UNIQUE','GLOBALLY_UNIQUE'],"),
     "warning: 3:9: s: GLOBALLY_UNIQUE and OVERMAP_UNIQUE exclude each other: the first "
     "counts\n"},
    {FIXED("'occurrences':[1,2]", "{'point':[0,0,0],'locations':['land']}", ""),
     "warning: 2:12: s: its points are checks alone, none has an 'overmap': it is never asked "
     "for\n"},
    {"[{'type':'city_building','id':'s','locations':['land'],\n"
     "'overmaps':[{'point':[0,0,0],'locations':['land']}]}]",
     "warning: 2:12: s: its points are checks alone, none has an 'overmap': it is never "
     "built\n"},
    {FIXED("'occurrences':[1,2]", TILE, "'flags':['LAKE','RIVER'],"),
     "warning: 3:9: s: LAKE: no terrain has that flag, so " NEVER_ASKED},
    {FIXED("'occurrences':[1,2]", TILE, "'eoc':'x',"),
     "warning: 3:7: s: only play can tell whether this effect_on_condition's condition is met: "
     "here it is\n"},
    {FIXED("'occurrences':[1,2]", TILE, "'eoc':{'id':'x','effect':[]},"), ""},
    {FIXED("'occurrences':[1,2]", TILE, "'city_distance':[-5,-2],"),
     "warning: 3:17: s: the distance from a city's edge is never below 0: " SPECIAL_NEVER},
    {FIXED("'occurrences':[1,2]", TILE, "'city_distance':[-1,-1],"),
     "warning: 3:17: s: the distance from a city's edge is never below 0: " SPECIAL_NEVER},
    {FIXED("'occurrences':[1,2]", TILE, "'city_distance':[10,-1],"), ""},
    {FIXED("'occurrences':[1,2]", TILE, "'city_distance':[181,300],"),
     "warning: 3:17: s: cities farther away than 180 are not known, so that the maximum is "
     "never met: " SPECIAL_NEVER},
    {FIXED("'occurrences':[1,2]", TILE, "'city_distance':[181,-1],"), ""},
    {FIXED("'occurrences':[1,2]", TILE, "'city_sizes':[0,0],'city_distance':[0,40],"),
     "warning: 3:14: s: no city is smaller than 1, and the special must be near one: "
     "it can never be placed\n"},
    {FIXED("'occurrences':[1,2]", TILE, "'city_sizes':[0,0],"), ""},
    /* A connection's point on a tile: its ground must be both. */
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[0,0,0],'connection':'local_road'}],"),
     "warning: 3:25: s: the connection's point is an OMT of the special\n"},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[0,0,0],'connection':'local_road','existing':true}],"),
     "warning: 3:25: s: the connection's point is an OMT of the special\n"
     "warning: 3:25: s: at [0, 0, 0] no terrain is all that the special asks for "
     "there: " NEVER_PLACED},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[1,0,0],'connection':'burrow'},"
           "{'point':[1,0,0],'connection':'local_road'}],"),
     "warning: 3:65: s: at [1, 0, 0] no terrain is all that the special asks for "
     "there: " NEVER_PLACED},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[1,0,0],'connection':'sewer_tunnel'},"
           "{'point':[1,0,0],'connection':'burrow'}],"),
     ""},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[0,0,-12],'connection':'burrow'}],"),
     "warning: 3:25: s: -12 is no level of an overmap, which are -10 to 10: " SPECIAL_NEVER},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[178,0,0],'connection':'local_road'}],"),
     "warning: 3:15: s: with what is nested in it and its connections' points the special is "
     "179 x 1, and an overmap has room for 178 x 178: " NEVER_PLACED},
    {FIXED("'occurrences':[1,2]", TILE,
           "'connections':[{'point':[177,0,0],'connection':'local_road'}],"),
     ""},
    /* Off the ground. */
    {FIXED("'occurrences':[1,2]", TILE ",{'point':[0,0,-1],'overmap':'field'}", ""),
     "note: 2:49: s: 1 special relies on the level's own terrain off the ground ('open_air' "
     "above, 'empty_rock' below), which its locations do not name; this is the first\n"},
    {FIXED("'occurrences':[1,2]",
           TILE ",{'point':[0,0,-1],'overmap':'field','locations':['subterranean_empty']}", ""),
     ""},
    /* Nested ones. */
    {NESTING("[1,0,0]", OTHER("water", TILE)), ""},
    {NESTING("[0,0,0]", OTHER("field", TILE)), ""},
    {NESTING("[0,0,0]", OTHER("water", TILE)),
     "warning: 3:26: s: at [0, 0, 0] no terrain is all that the special asks for "
     "there: " NEVER_PLACED "warning: 3:26: s: 't' would stand on the special's own OMT at "
     "[0, 0, 0], which is not on "
     "its locations: it is never nested\n"},
    {NESTING("[0,0,0]", OTHER("forest", TILE)),
     "warning: 3:26: s: 't' would stand on the special's own OMT at [0, 0, 0], which is not "
     "on "
     "its locations: it is never nested\n"},
    {NESTING("[0,0,-8]", OTHER("subterranean_empty", "{'point':[0,0,-3],'overmap':'field'}")),
     "warning: 3:26: s: -11 is no level of an overmap, which are -10 to 10: " SPECIAL_NEVER},
    {NESTING("[100,0,0]", OTHER("land", "{'point':[90,0,0],'overmap':'field'}")),
     "warning: 3:16: s: with what is nested in it and its connections' points the special is "
     "191 x 1, and an overmap has room for 178 x 178: " NEVER_PLACED},
};
enum { FIXED_CASES = sizeof fixed_cases / sizeof fixed_cases[0] };

START_TEST(test_fixed)
{
    expect(&fixed_cases[_i]);
}
END_TEST

/* ---- mutable ---- */

/* Joins on line 2, overmaps on line 3 from column 14, phases on line 4 from column 10. */
#define GROWS(joins, overmaps, phases)                                                         \
    "[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"             \
    "'locations':['land'],'root':'r',\n'joins':[" joins "],\n'overmaps':{" overmaps "},\n"     \
    "'phases':[" phases "]}]"
#define ROOT      "'r':{'overmap':'field','east':'a'}"
#define UNUSED    "no join that can be open in this phase is met by the rule: it is never used\n"
#define ROOT_OPEN "no rule can close join 'a' on the root's east side: " SPECIAL_NEVER

#define IN_ROCK   "'e':{'overmap':'field','above':'a','locations':['subterranean_empty']}"
#define NO_GROUND ", where no region has ground for a piece that meets it ('"
#define NOT_LED                                                                                \
    ", where no region has ground that it may lead into and a piece that meets it takes ('"
#define COMPAT "' is there): only worlds with --compat have the special\n"

static const check_case mutable_cases[] = {
    /* Ground that no region has on the level: for the piece, for a later one, for any that the
     * root's own join may lead into. One without ground of its own leads into rock. */
    {GROWS("'a'", "'r':{'overmap':'field','below':'a'},'e':{'overmap':'field','above':'a'}",
           "[{'overmap':'e','max':1}]"),
     "warning: 3:44: m: join 'a' leads to level -1" NO_GROUND
     "empty_rock' is there): " SPECIAL_NEVER},
    {GROWS(
         "'a','b'",
         "'r':{'overmap':'field','below':'a'},'e':{'overmap':'road_ns','above':'a',"
         "'below':'b','locations':['subterranean_empty']},'f':{'overmap':'field','above':'b'}",
         "[{'overmap':'e','max':1},{'overmap':'f','max':1}]"),
     "warning: 3:94: m: join 'b' leads to level -2" NO_GROUND
     "empty_rock' is there): " SPECIAL_NEVER},
    {GROWS("{'id':'a','into_locations':['land']}",
           "'r':{'overmap':'field','below':'a'}," IN_ROCK, "[{'overmap':'e','max':1}]"),
     "warning: 3:44: m: the root's join 'a' leads to level -1" NOT_LED "empty_rock" COMPAT},
    {GROWS("{'id':'a','into_locations':['subterranean_empty']}",
           ROOT ",'e':{'overmap':'field','west':'a'}", "[{'overmap':'e','max':1}]"),
     "warning: 3:43: m: the root's join 'a' leads to level 0" NOT_LED "the surface" COMPAT},
    {GROWS("'a'",
           ROOT ",'e':{'overmap':'field','west':'a','locations':"
                "['subterranean_empty']}",
           "[{'overmap':'e','max':1}]"),
     "warning: 3:43: m: join 'a' leads to level 0" NO_GROUND
     "the surface' is there): " SPECIAL_NEVER},
    {GROWS("'a'", ROOT ",'e':{'overmap':'field','north':'a'}", "[{'overmap':'e','max':1}]"),
     ""},
    {GROWS("'a'", "'r':{'overmap':'field'}", ""), ""},
    {GROWS("'a'", ROOT, ""), "warning: 3:43: m: " ROOT_OPEN},
    {GROWS("'a'", ROOT ",'e':{'overmap':'field','north':'a'}", ""),
     "warning: 3:43: m: " ROOT_OPEN
     "warning: 3:52: m: no rule places 'e', nor is it the root\n"},
    /* By an alternative, or an available side; not by a join of another name. */
    {GROWS("'a','b'", ROOT ",'e':{'overmap':'field','north':{'id':'b','alternatives':['a']}}",
           "[{'overmap':'e','max':1}]"),
     ""},
    {GROWS("'a','b'", ROOT ",'e':{'overmap':'field','north':{'id':'a','type':'available'}}",
           "[{'overmap':'e','max':1}]"),
     ""},
    {GROWS("'a','b'", ROOT ",'e':{'overmap':'field','north':'b'}", "[{'overmap':'e','max':1}]"),
     "warning: 3:43: m: " ROOT_OPEN "warning: 4:12: m: " UNUSED},
    {GROWS("{'id':'a','opposite':'b'},{'id':'b','opposite':'a'}",
           ROOT ",'e':{'overmap':'field','north':'a'}", "[{'overmap':'e','max':1}]"),
     "warning: 3:43: m: " ROOT_OPEN "warning: 4:12: m: " UNUSED},
    {GROWS("{'id':'a','opposite':'b'},{'id':'b','opposite':'a'}",
           ROOT ",'e':{'overmap':'field','north':'b'}", "[{'overmap':'e','max':1}]"),
     ""},
    /* Optional sides need nobody. */
    {GROWS("'a'", "'r':{'overmap':'field','east':{'id':'a','type':'optional'}}", ""), ""},
    /* Rotation: a rule that keeps its own faces one way only. */
    {GROWS("'a'", ROOT ",'e':{'overmap':'field','north':'a'}",
           "[{'overmap':'e','max':1,'rotate':false}]"),
     ""},
    {"[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
     "'rotate':false,'locations':['land'],'root':'r',\n'joins':['a'],\n'overmaps':{" ROOT
     ",'e':{'overmap':'field','north':'a'}},\n'phases':[[{'overmap':'e','max':1}]]}]",
     "warning: 3:43: m: " ROOT_OPEN "warning: 4:12: m: " UNUSED},
    {"[{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
     "'rotate':false,'locations':['land'],'root':'r',\n'joins':['a'],\n'overmaps':{" ROOT
     ",'e':{'overmap':'field','west':'a'}},\n'phases':[[{'overmap':'e','max':1}]]}]",
     ""},
    /* Above and below don't turn. */
    {GROWS("'a'", "'r':{'overmap':'field','below':'a'}," IN_ROCK,
           "[{'overmap':'e','max':1,'z':-1}]"),
     ""},
    {GROWS("'a'", "'r':{'overmap':'field','below':'a'}," IN_ROCK,
           "[{'overmap':'e','max':1,'z':0}]"),
     "warning: 3:44: m: no rule can close join 'a' on the root's below side: " SPECIAL_NEVER
     "warning: 4:12: m: " UNUSED},
    {GROWS("'a'", "'r':{'overmap':'field','below':'a'},'e':{'overmap':'field','below':'a'}",
           "[{'overmap':'e','max':1}]"),
     "warning: 3:44: m: no rule can close join 'a' on the root's below side: " SPECIAL_NEVER
     "warning: 4:12: m: " UNUSED},
    /* Numbers. */
    {GROWS("'a'", ROOT ",'e':{'overmap':'field','north':'a'}",
           "[{'overmap':'e','max':1},{'overmap':'e','max':0},{'overmap':'e','weight':0}]"),
     "warning: 4:36: m: the rule's number or weight is always 0: it is never used\n"
     "warning: 4:60: m: the rule's number or weight is always 0: it is never used\n"},
    /* A later phase can't meet what only a still later one opens. */
    {GROWS("'a','b'",
           ROOT ",'e':{'overmap':'field','north':'a','south':{'id':'b','type':'optional'}},"
                "'f':{'overmap':'field','north':'b'}",
           "[{'overmap':'f','max':1}],[{'overmap':'e','max':1}],[{'overmap':'f','max':1}]"),
     "warning: 4:12: m: " UNUSED},
    /* Ground: what the join lets in and what the piece stands on. */
    {GROWS("{'id':'a','into_locations':['water']},'b'",
           "'r':{'overmap':'field','east':'b'},"
           "'c':{'overmap':'field','north':'b','south':'a'},'e':{'overmap':'field',"
           "'north':'a'}",
           "[{'overmap':'c','max':3}],[{'overmap':'e','weight':1}]"),
     "warning: 3:91: m: where phase 0 (from 0) leaves this side of 'c' free, no rule of it or "
     "later can close join 'a': the growth fails\n"
     "warning: 4:38: m: " UNUSED},
    {GROWS("{'id':'a','into_locations':['water']},'b'",
           "'r':{'overmap':'field','east':'b'},"
           "'c':{'overmap':'field','north':'b','south':'a'},'e':{'overmap':'field',"
           "'locations':['water'],'north':'a'}",
           "[{'overmap':'c','max':3}],[{'overmap':'e','weight':1}]"),
     ""},
    /* A side that always meets what is there is never left free. */
    {GROWS("'a','b'",
           ROOT ",'c':{'overmap':'field','north':'a','south':{'id':'b','type':'available'}}",
           "[{'overmap':'c','max':1}]"),
     ""},
    {GROWS("{'id':'a','opposite':'b'},{'id':'b','opposite':'a'}",
           ROOT ",'t':{'overmap':'field','north':'b','east':{'id':'b','type':'available'}}",
           "[{'overmap':'t','weight':1}]"),
     ""},
    /* The last phase goes on and on. */
    {GROWS("'a'",
           ROOT ",'c':{'overmap':'field','north':'a','south':'a'},'e':{'overmap':'field',"
                "'north':'a'}",
           "[{'overmap':'e','max':1}],[{'overmap':'c','weight':1}]"),
     "warning: 4:37: m: every rule of the last phase that closes a mandatory join opens "
     "another "
     "one: the growth can end only where its branches meet\n"},
    {GROWS("'a'",
           ROOT ",'c':{'overmap':'field','north':'a','south':'a'},'e':{'overmap':'field',"
                "'north':'a'}",
           "[{'overmap':'c','weight':1},{'overmap':'e','weight':1}]"),
     ""},
    /* A rule's `join` must find its counterpart. */
    {GROWS("'a','b'",
           ROOT ",'e':{'overmap':'field','north':'a','south':{'id':'b','type':'available'}}",
           "[{'overmap':'e','max':1},{'overmap':'e','max':1,'join':'b'}]"),
     ""},
    {GROWS("'a',{'id':'b','opposite':'c'},{'id':'c','opposite':'b'}",
           ROOT ",'d':{'overmap':'field','north':'a'},"
                "'e':{'overmap':'field','north':'a','south':{'id':'b','type':'available'}}",
           "[{'overmap':'d','max':1},{'overmap':'e','max':1,'join':'b'}]"),
     "warning: 4:36: m: " UNUSED},
};
enum { MUTABLE_CASES = sizeof mutable_cases / sizeof mutable_cases[0] };

START_TEST(test_mutable)
{
    expect(&mutable_cases[_i]);
}
END_TEST

/* What is looked at before growth starts, and the special's own connections. */
static const check_case other_cases[] = {
    {MUTABLE("'check_for_locations':[[[0,0,0],['land']],[[0,0,0],['field']]],\n",
             "[{'overmap':'p','max':1}]"),
     ""},
    {MUTABLE("'check_for_locations':[[[0,0,0],['land']],[[0,0,0],['swamp']]],\n",
             "[{'overmap':'p','max':1}]"),
     "warning: 3:23: m: two of the checks ask for different ground at the same "
     "place: " SPECIAL_NEVER},
    /* Off the ground the level's default may be both, with the world's compat. */
    {MUTABLE("'check_for_locations':[[[0,0,-1],['land']],[[0,0,-1],['swamp']]],\n",
             "[{'overmap':'p','max':1}]"),
     "warning: 3:23: m: a check asks for ground that no region has on level -1 ('empty_rock' "
     "is there): only worlds with --compat have the special\n"},
    {MUTABLE("'check_for_locations':[[[0,0,-12],['land']]],\n", "[{'overmap':'p','max':1}]"),
     "warning: 3:23: m: the checks reach from level -12 to -12, and an overmap has -10 to "
     "10: " SPECIAL_NEVER},
    {MUTABLE("'check_for_locations_area':[{'type':['land'],'from':[-90,0,0],'to':[90,0,0]}],\n",
             "[{'overmap':'p','max':1}]"),
     "warning: 3:28: m: the checks cover 181 x 1, and an overmap has room for 178 x "
     "178: " SPECIAL_NEVER},
    {MUTABLE("'connections':[{'point':[0,-1,0],'connection':'burrow','existing':true}],\n",
             "[{'overmap':'p','max':1}]"),
     "warning: 3:67: m: 'existing' has no meaning in a mutable special: the connection is "
     "ignored\n"},
};
enum { OTHER_CASES = sizeof other_cases / sizeof other_cases[0] };

START_TEST(test_other)
{
    expect(&other_cases[_i]);
}
END_TEST

/* An error is said alone: what depends on it is not looked at. */
START_TEST(test_errors_come_first)
{
    fixture_import(&fixture,
                   GROWS("'a','b'", ROOT ",'e':{'overmap':'feild','north':'b'}",
                         "[{'overmap':'e','max':1}]"),
                   false);
    ck_assert_int_eq(fixture.status, PTL_ERR_CONTENT);
    ck_assert_ptr_null(strstr(fixture_remarks(&fixture), "warning"));
    ck_assert_uint_eq(fixture.report.errors, 1);
}
END_TEST

/* Notes are neither counted nor kept. */
START_TEST(test_notes)
{
    fixture_import(
        &fixture, FIXED("'occurrences':[1,2]", TILE ",{'point':[0,0,1],'overmap':'field'}", ""),
        false);
    ck_assert_ptr_nonnull(strstr(fixture_remarks(&fixture), "note: "));
    ck_assert_uint_eq(fixture.report.warnings, 0);
    fixture_expect_rows(&fixture, "SELECT count(*) FROM content_issue", 1, "0");
}
END_TEST

/* Many joins, alternatives and large chunks: the check stays within its bounds. */
START_TEST(test_hostile)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "[{'type':'overmap_special','id':'m','subtype':'mutable',"
                          "'occurrences':[0,1],'locations':['land'],'root':'p0','joins':['j0'");
    for (int i = 1; i < 500; i++)
        bytes_printf(&text, ",'j%d'", i);
    bytes_put_text(&text, "],'overmaps':{");
    for (int i = 0; i < 500; i++) {
        bytes_printf(&text, "%s'p%d':{'overmap':'field','below':'j%d','above':'j%d'",
                     i ? "," : "", i, i, (i * 7) % 500);
        bytes_printf(&text, ",'north':{'id':'j%d','alternatives':['j0'", i);
        for (int k = 1; k < 100; k++)
            bytes_printf(&text, ",'j%d'", (i + k * 5) % 500);
        bytes_put_text(&text, "]}}");
    }
    bytes_put_text(&text, "},'phases':[[");
    for (int i = 0; i < 60; i++) {
        bytes_printf(&text, "%s{'weight':1,'chunk':[", i ? "," : "");
        for (int k = 0; k < 60; k++)
            bytes_printf(&text, "%s{'overmap':'p%d','pos':[%d,%d,0]}", k ? "," : "",
                         (i * 60 + k) % 500, 2 * (k % 8), 2 * (k / 8));
        bytes_put_text(&text, "]}");
    }
    bytes_put_text(&text, "]]}]");
    ck_assert_ptr_nonnull(bytes_text(&text));
    fixture_import(&fixture, bytes_text(&text), false);
    bytes_dispose(&text);
    ck_assert_msg(fixture.status == PTL_OK, "%s", fixture.error.message);
    ck_assert_double_lt(fixture.report.seconds, 20);
}
END_TEST

/* ---- real content ---- */

static const char *const phrases[] = {"never", "growth", "nor is it the root", "ignored"};

typedef struct real_remarks {
    bytes text; /* "id: message\n" of what the static check says */
    uint64_t notes;
} real_remarks;

static void keep_remark(void *payload, const ptl_diagnostic *d)
{
    real_remarks *r = payload;
    bool ours = false;
    r->notes += d->severity == PTL_NOTE;
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
        ours = ours || strstr(d->message, phrases[i]) != NULL;
    /* Not what is said of mapgen. */
    if (ours && d->severity == PTL_WARNING && strncmp(d->code, "MG", 2) != 0)
        bytes_printf(&r->text, "%s: %s\n", d->id, d->message);
}

static void expect_real(const char *directory, bool lenient, uint64_t notes, const char *wanted)
{
    real_remarks r = {.notes = 0};
    bytes_init(&r.text);
    ptl_import_options options = {.size = sizeof options,
                                  .directories = &directory,
                                  .directory_count = directory ? 1 : 0,
                                  .builtin = !directory,
                                  .lenient = lenient,
                                  .check = true,
                                  .on_diagnostic = keep_remark,
                                  .payload = &r};
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    ck_assert_int_eq(ptl_import(&report, NULL, &options, &fixture.error), PTL_OK);
    const char *found = bytes_text(&r.text);
    ck_assert_str_eq(found ? found : "", wanted);
    ck_assert_uint_eq(r.notes, notes);
    bytes_dispose(&r.text);
}

static bool present(const char *path)
{
    struct stat info;
    const char *ci = getenv("CI");
    if (stat(path, &info) == 0)
        return true;
    ck_assert_msg(!ci || strcmp(ci, "true") != 0, "%s is missing", path);
    printf("SKIPPED: %s is not there\n", path);
    return false;
}

START_TEST(test_real)
{
    static const char game[] = "/usr/share/games/cataclysm-dda/json";
    const char *source = getenv("PORTOLAN_SOURCE_DIR"), *shared = getenv("PORTOLAN_SHARED");
    char bn[1024];
    snprintf(bn, sizeof bn, "%s%s/content/bn",
             shared   ? shared
             : source ? source
                      : ".",
             shared ? "" : "/../shared");
    expect_real(NULL, false, 0, "");
    if (present(game))
        expect_real(
            game, false, 1, /* which game it is */
            "Spider Pit: for a unique special this is a chance of 0 in 100: it is never "
            "asked for\n");
    if (present(bn))
        expect_real(bn, true, 1, "");
}
END_TEST

int main(void)
{
    const struct {
        const char *name;
        const TTest *test;
        int count;
    } tests[] = {{"fixed", test_fixed, FIXED_CASES},
                 {"mutable", test_mutable, MUTABLE_CASES},
                 {"other", test_other, OTHER_CASES},
                 {"errors", test_errors_come_first, 1},
                 {"notes", test_notes, 1},
                 {"hostile", test_hostile, 1},
                 {"real", test_real, 1}};
    Suite *suite = suite_create("special check");
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        TCase *tcase = tcase_create(tests[i].name);
        tcase_add_checked_fixture(tcase, setup, teardown);
        tcase_set_timeout(tcase, 60);
        tcase_add_loop_test(tcase, tests[i].test, 0, tests[i].count);
        suite_add_tcase(suite, tcase);
    }
    return suite_run(suite);
}
