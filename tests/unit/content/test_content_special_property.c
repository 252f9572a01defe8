/*
 * One value at a time of a good special is replaced by something else, everywhere in turn.
 * Whatever it is, the import says what is wrong and where, or writes tables that keep their
 * constraints.
 */
#include "support/seeds.h"
#include "support/suite.h"
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

static const char good[] =
    "[{'type':'overmap_special','id':'a','subtype':'fixed','locations':['land','swamp'],"
    "'occurrences':[50,100],'city_distance':[3,40],'city_sizes':[2,-1],'rotate':false,"
    "'flags':['UNIQUE','FARM'],'priority':-2,'eoc':'wake',"
    "'spawns':{'group':'GROUP_X','population':[1,2],'radius':[3,4]},"
    "'overmaps':[{'point':[0,0,0],'overmap':'campground_1a_east','locations':['road',"
    "'field'],'flags':['F2'],'camp':'owners','camp_name':'Rest'},"
    "{'point':[-1,0,-2],'overmap':'road_ns'}],"
    "'connections':[{'point':[0,-1,0],'connection':'burrow','from':[0,0,0],'existing':true,"
    "'terrain':'ants'}],'place_nested':[{'point':[4,5,-1],'special':'b'}]},\n"
    "{'type':'city_building','id':'b','copy-from':'a','place_nested':[],"
    "'delete':{'flags':['FARM']}},\n"
    "{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
    "'locations':['land'],'joins':[{'id':'j','opposite':'i','into_locations':['road']},"
    "{'id':'i','opposite':'j'},'k'],'overmaps':{'r':{'overmap':'field','north':'j','south':"
    "{'id':'i','type':'available','alternatives':['k']},'connections':{'east':"
    "{'connection':'burrow'}}},'p':{'overmap':'ants_ns','locations':['land'],'south':'i'}},"
    "'root':'r','shared':{'n':[1,2],'q':{'poisson':2.5}},"
    "'check_for_locations':[[[0,0,0],['land']]],"
    "'check_for_locations_area':[{'type':['road'],'from':[1,2,0],'to':[0,0,1]}],'phases':["
    "[{'name':'pair','chunk':[{'overmap':'r','pos':[0,0,0],'rot':'north'},"
    "{'overmap':'p','pos':[0,-1,0]}],'max':{'chance':0.5},'scale':'n','join':'j',"
    "'z':{'top':1,'bottom':0},'om_pos':[1,2],'rotate':false}],"
    "[{'overmap':'p','weight':5,'max':[1,2],'z':[-3,0]},{'overmap':'r','max':1,'z':'top'}]]}]";

static const char *const replacements[] = {
    "null",   "true",    "-1",      "7",         "0.5",      "4000000000",
    "''",     "'x'",     "'north'", "[]",        "{}",       "[[]]",
    "[null]", "[0,0,0]", "[3,-3]",  "{'id':{}}", "['land']", "{'point':[0,0,0]}"};
enum { REPLACEMENTS = sizeof replacements / sizeof replacements[0] };

/* Past the end of the value at `at`. */
static const char *value_end(const char *at)
{
    int depth = 0;
    bool quoted = false;
    do {
        if (*at == '\'')
            quoted = !quoted;
        else if (!quoted && (*at == '[' || *at == '{'))
            depth++;
        else if (!quoted && (*at == ']' || *at == '}'))
            depth--;
        else if (!quoted && depth == 0 && (at[1] == ',' || at[1] == ']' || at[1] == '}'))
            return at + 1;
        at++;
    } while (depth > 0 || quoted || (at[0] != ',' && at[0] != ']' && at[0] != '}' && *at));
    return at;
}

/* Does a value start at `at`? A member's name is none. */
static bool value_starts(const char *at)
{
    char before = at[-1];
    if (before == ':')
        return true;
    if ((before != '[' && before != ',') || *at == '\n' || *at == ']')
        return false;
    return !(*at == '\'' && strchr(at + 1, '\'')[1] == ':');
}

static void check_outcome(const char *text)
{
    const char *remarks = fixture_remarks(&fixture);
    ck_assert_msg(fixture.status == PTL_OK || fixture.status == PTL_ERR_CONTENT, "%d: %s\n%s",
                  (int)fixture.status, fixture.error.message, text);
    ck_assert_msg((fixture.status == PTL_OK) == (fixture.report.errors == 0), "%s", text);
    for (const char *line = remarks; *line; line = strchr(line, '\n') + 1) {
        int row = 0, column = 0;
        const char *at = strchr(line, ' ') + 1;
        ck_assert_msg(sscanf(at, "%d:%d:", &row, &column) == 2 && row >= 1 && row <= 3 &&
                          column >= 1,
                      "%s\n%s", text, remarks);
    }
}

START_TEST(test_replaced_value)
{
    const int part = test_part();
    const int places = part > 5 ? part / 5 : 1; /* one value in so many has its turn */
    int values = 0, tried = 0, accepted = 0;
    for (const char *at = good + 1; *at; at++) {
        if (!value_starts(at) || (values++ + _i) % places != 0)
            continue;
        bytes text;
        bytes_init(&text);
        bytes_put(&text, good, (size_t)(at - good));
        bytes_put_text(&text, replacements[_i]);
        bytes_put_text(&text, value_end(at));
        fixture_import(&fixture, bytes_text(&text), tried % 2 == 1);
        check_outcome((const char *)text.data);
        bytes_dispose(&text);
        tried++;
        accepted += fixture.status == PTL_OK;
    }
    ck_assert_int_gt(values, 150);
    ck_assert_int_ge(tried, values / places);
    ck_assert_int_lt(accepted, tried);
}
END_TEST

/* What is replaced can be imported, with some remarks. */
START_TEST(test_good)
{
    fixture_import(&fixture, good, false);
    fixture_expect_ok(
        &fixture, "warning: 1:211: a: only play can tell whether this "
                  "effect_on_condition's condition is met: here it is\n"
                  "note: 1:421: a: 1 special relies on the level's own terrain off the "
                  "ground ('open_air' above, 'empty_rock' below), which its locations do "
                  "not name; this is the first\n"
                  "warning: 3:232: m: where phase 1 (from 0) leaves this side of 'r' free, "
                  "no rule of it or later can close join 'j': the growth fails\n"
                  "warning: 3:232: m: the root's join 'j' leads to level 0, where no region "
                  "has ground that it may lead into and a piece that meets it takes ('the "
                  "surface' is there): only worlds with --compat have the special\n"
                  "warning: 3:525: m: two of the checks ask for different ground at the "
                  "same place: the special can never be placed\n"
                  "warning: 3:525: m: a check asks for ground that no region has on level 1 "
                  "('open_air' is there): only worlds with --compat have the special\n");
    ck_assert_uint_eq(fixture.report.specials, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("special properties");
    TCase *tcase = tcase_create("replaced");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, test_good);
    tcase_add_loop_test(tcase, test_replaced_value, 0, REPLACEMENTS);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
