/*
 * What the catalogue makes of the fields that specials of both kinds have, and of mutable ones:
 * the defaults of the content, and everything that the tables do not say in so many words.
 */
#include "unit/store/catalogue/test_catalogue.h"

#include "core/hash.h"
#include "store/sqlite/connection/stmt.h"

#include <stdio.h>
#include <string.h>

static const char base[] =
    "{'type':'overmap_terrain','id':['field','forest','rock'],'sym':'.','flags':['NO_ROTATE']},"
    "\n{'type':'overmap_terrain','id':['house','tunnel','ramp'],'sym':'^'},\n"
    "{'type':'overmap_terrain','id':['road','rail'],'flags':['LINEAR']},\n"
    "{'type':'overmap_location','id':'land','terrains':['field']},\n"
    "{'type':'overmap_location','id':'wood','terrains':['forest']},\n"
    "{'type':'overmap_location','id':'under','terrains':['rock']},\n"
    "{'type':'overmap_connection','id':'way','subtypes':[{'terrain':'road','locations':["
    "'land']},{'terrain':'ramp','locations':['wood']}]},\n"
    "{'type':'overmap_connection','id':'line','subtypes':[{'terrain':'rail','locations':["
    "'land']}]},\n"
    "{'type':'city_building','id':'shed','locations':['land'],'overmaps':[{'point':[0,0,0],"
    "'overmap':'house_north'}]}";

static catalogue *make(const char *objects, bool lenient)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "[%s%s%s]", base, objects[0] ? ",\n" : "", objects);
    fixture_import_text(bytes_text(&text), lenient);
    bytes_dispose(&text);
    ck_assert_msg(fixture.run.status == PTL_OK, "%s", (const char *)fixture.remarks.data);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    compare_with_tables(cat);
    compare_sets(cat);
    return cat;
}

static const cat_special *special(const catalogue *cat, const char *id)
{
    uint16_t at = catalogue_special(cat, id);
    ck_assert_msg(at != CAT_NONE, "%s", id);
    return &cat->specials[at];
}

static void expect_set(const catalogue *cat, ptl_terrain_set set, const char *expected)
{
    char found[200] = "";
    for (size_t i = 0; i < cat->terrain_count; i++) {
        if (!cat_terrain_in(set, (uint16_t)i))
            continue;
        strcat(found, cat->terrains[i].id);
        strcat(found, " ");
    }
    ck_assert_str_eq(found, expected);
}

/* ---- both kinds ---- */

START_TEST(numbers_and_flags)
{
    catalogue *cat = make(
        "{'type':'overmap_special','id':'a','occurrences':[3,100],'locations':['land'],"
        "'city_distance':[10,-1],'city_sizes':[4,12],'priority':-3,'rotate':false,"
        "'eoc':{'condition':{'mod_is_loaded':'another'}},"
        "'flags':['OVERMAP_UNIQUE','LAKE','RIVER','OCEAN','BLOB','ENDGAME','SAFE_AT_WORLDGEN',"
        "'CLASSIC'],'spawns':{'group':'G','population':[3,9],'radius':[5,6]},"
        "'overmaps':[{'point':[0,0,0],'overmap':'field'}]},\n"
        "{'type':'overmap_special','id':'b','occurrences':[0,0],'overmaps':[]}",
        false);
    const cat_special *a = special(cat, "a"), *b = special(cat, "b"), *s = special(cat, "shed");
    ck_assert_uint_eq(a->key, hash_string("a"));
    ck_assert_uint_eq(a->flags, PTL_SPECIAL_UNIQUE | PTL_SPECIAL_LAKE | PTL_SPECIAL_RIVER |
                                    PTL_SPECIAL_OCEAN | PTL_SPECIAL_BLOB | PTL_SPECIAL_ENDGAME |
                                    PTL_SPECIAL_SAFE);
    ck_assert(a->occurrences_min == 3 && a->occurrences_max == 100 && a->priority == -3);
    ck_assert(a->city_distance.min == 10 && a->city_distance.max == PTL_UNBOUNDED);
    ck_assert(a->city_sizes.min == 4 && a->city_sizes.max == 12);
    ck_assert(a->conditional && !a->rotate && !a->building && !a->layout);
    ck_assert_str_eq(a->spawns.group, "G");
    ck_assert(a->spawns.population_min == 3 && a->spawns.population_max == 9);
    ck_assert(a->spawns.radius_min == 5 && a->spawns.radius_max == 6);
    ck_assert(b->omt_count == 0 && !b->layout && !b->spawns.group && !b->conditional);
    ck_assert(b->rotate && b->flags == 0 && b->link_count == 0 && b->nested_count == 0);
    ck_assert(s->city_distance.min == 0 && s->city_distance.max == PTL_UNBOUNDED);
    ck_assert(s->occurrences_max == 0 && s->building);
    catalogue_free(cat);
}
END_TEST

/* An effect_on_condition keeps a special away only if its condition is known not to be met. */
START_TEST(effects)
{
#define WITH(id, eoc)                                                                          \
    "{'type':'overmap_special','id':'" id "','occurrences':[0,1],"                             \
    "'eoc':" eoc ",'overmaps':[]}"
    catalogue *cat = make(
        WITH("a", "{'condition':{'mod_is_loaded':'another'}}") ",\n" WITH(
            "b",
            "{'condition':{'"
            "not':{'mod_is_"
            "loaded':'"
            "another'}}}") ",\n" WITH("c",
                                      "{'condition':'u_male'}") ",\n" WITH("d",
                                                                           "{}") ",\n" WITH("e",
                                                                                            "'a"
                                                                                            "n "
                                                                                            "id"
                                                                                            "'"),
        false);
    ck_assert(special(cat, "a")->conditional);
    ck_assert(!special(cat, "b")->conditional && !special(cat, "c")->conditional);
    ck_assert(!special(cat, "d")->conditional && !special(cat, "e")->conditional);
    catalogue_free(cat);
#undef WITH
}
END_TEST

START_TEST(own_locations)
{
    catalogue *cat =
        make("{'type':'overmap_special','id':'a','occurrences':[0,1],'locations':['land'],"
             "'overmaps':[{'point':[0,0,0],'overmap':'field'},"
             "{'point':[1,0,0],'overmap':'field','locations':['land']},"
             "{'point':[2,0,-1],'overmap':'field','locations':[]},"
             "{'point':[3,0,-1],'overmap':'field','locations':['wood','under']}]}",
             false);
    const cat_omt *t = special(cat, "a")->omts;
    ck_assert(!t[0].own && t[1].own && !t[2].own && t[3].own);
    ck_assert_ptr_eq(t[0].allows, t[1].allows);
    ck_assert_ptr_eq(t[0].allows, t[2].allows);
    expect_set(cat, t[0].allows, "field ");
    expect_set(cat, t[3].allows, "forest rock ");
    catalogue_free(cat);
}
END_TEST

START_TEST(links)
{
    catalogue *cat =
        make("{'type':'overmap_special','id':'a','occurrences':[0,1],'locations':['land'],"
             "'overmaps':[{'point':[0,0,0],'overmap':'field'}],'connections':["
             "{'point':[0,-1,0],'connection':'way','from':[0,0,0]},"
             "{'point':[5,0,-20],'connection':'way','terrain':'house','existing':true},"
             "{'point':[0,3,0],'connection':'line','terrain':'house'},"
             "{'point':[-179,0,0],'connection':'way','terrain':'road'},"
             "{'point':[0,4,0],'connection':'way','terrain':'house'}]}",
             false);
    const cat_special *a = special(cat, "a");
    const cat_link *k = a->links;
    uint16_t way = catalogue_connection(cat, "way");
    ck_assert_uint_eq(a->link_count, 5);
    ck_assert(k[0].direction == 0 && k[1].direction == -1);
    ck_assert(!k[0].existing && k[1].existing && k[0].connection == way);
    expect_set(cat, k[0].carries, "ramp road ");
    expect_set(cat, k[1].carries, "house ramp road ");
    expect_set(cat, k[2].carries, "house rail ");
    /* Sets are shared. */
    ck_assert_ptr_eq(k[0].carries, cat->connections[way].terrains);
    ck_assert_ptr_eq(k[3].carries, k[0].carries);
    ck_assert_ptr_eq(k[4].carries, k[1].carries);
    ck_assert_uint_eq(special(cat, "shed")->link_count, 0);
    catalogue_free(cat);
}
END_TEST

/* A lenient import can leave a connection without subtypes: nothing can be drawn with it. */
START_TEST(unusable_connections)
{
    catalogue *cat = make(
        "{'type':'overmap_connection','id':'gone','subtypes':[{'terrain':'x','locations':[]}]},"
        "\n{'type':'overmap_special','id':'a','occurrences':[0,1],'locations':['land'],"
        "'overmaps':[{'point':[0,0,0],'overmap':'field'}],'connections':["
        "{'point':[0,-1,0],'connection':'gone'},{'point':[0,1,0],'connection':'line'},"
        "{'point':[0,-2,0],'connection':'nowhere'}]},\n"
        "{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
        "'locations':['land'],'joins':[],'root':'r','overmaps':{'r':{'overmap':'field',"
        "'connections':{'west':{'connection':'gone'},'east':{'connection':'way'}}}},"
        "'phases':[]}",
        true);
    const cat_special *a = special(cat, "a");
    ck_assert_uint_eq(catalogue_connection(cat, "gone"), CAT_NONE);
    ck_assert_uint_eq(a->link_count, 1);
    ck_assert_uint_eq(a->links[0].connection, catalogue_connection(cat, "line"));
    const cat_piece *r = special(cat, "m")->layout->pieces;
    ck_assert_uint_eq(r->connections[3], CAT_NONE);
    ck_assert_uint_eq(r->connections[1], catalogue_connection(cat, "way"));
    catalogue_free(cat);
}
END_TEST

/* Nested ones may come before or after, and in one another, and twice. */
START_TEST(nesting)
{
    catalogue *cat =
        make("{'type':'overmap_special','id':'a','occurrences':[0,1],'locations':['land'],"
             "'overmaps':[{'point':[0,0,0],'overmap':'field'}],'place_nested':["
             "{'point':[1,2,-3],'special':'z'},{'point':[-179,179,20],'special':'shed'},"
             "{'point':[4,0,0],'special':'z'}]},\n"
             "{'type':'overmap_special','id':'z','occurrences':[0,0],'locations':['land'],"
             "'overmaps':[{'point':[0,0,0],'overmap':'field'}],'place_nested':["
             "{'point':[0,1,0],'special':'shed'}]}",
             false);
    const cat_special *a = special(cat, "a");
    ck_assert_uint_eq(a->nested_count, 3);
    ck_assert_ptr_eq(&cat->specials[a->nested[0].special], special(cat, "z"));
    ck_assert(a->nested[0].x == 1 && a->nested[0].y == 2 && a->nested[0].z == -3);
    ck_assert(a->nested[1].x == -179 && a->nested[1].y == 179 && a->nested[1].z == 20);
    ck_assert_uint_eq(special(cat, "z")->nested_count, 1);
    catalogue_free(cat);
}
END_TEST

/* Ten specials, each with two of the next: 1,023 in the first; nine would be 511. */
START_TEST(nesting_limit)
{
    bytes text;
    bytes_init(&text);
    for (int i = 0; i < 10; i++) {
        bytes_printf(&text,
                     "%s{'type':'overmap_special','id':'n%d','occurrences':[0,0],'overmaps':[],"
                     "'locations':['land'],'place_nested':[",
                     i ? ",\n" : "", i);
        if (i < 9)
            bytes_printf(&text,
                         "{'point':[0,0,0],'special':'n%d'},"
                         "{'point':[1,0,0],'special':'n%d'}",
                         i + 1, i + 1);
        bytes_put_text(&text, "]}");
    }
    char objects[6000];
    snprintf(objects, sizeof objects, "[%s,\n%s]", base, bytes_text(&text));
    fixture_import_text(objects, false);
    ck_assert_int_eq(fixture.run.status, PTL_ERR_CONTENT);
    ck_assert(strstr(fixture.run.err.message, "more than 1000 specials are nested") != NULL);
    catalogue *cat = make(strstr(bytes_text(&text), ",\n") + 2, false);
    ck_assert_uint_eq(cat->special_count, 10);
    catalogue_free(cat);
    /* No import lets it pass; loading does not rely on that. */
    ck_assert_int_eq(
        sqlite_exec(fixture.store,
                    "INSERT INTO special_nested SELECT special, position + 2, x, y, "
                    "z, nested FROM special_nested",
                    NULL),
        PTL_OK);
    expect_load_failure(PTL_ERR_LIMIT, "more than 1000 specials are nested in special 'n4'");
    bytes_dispose(&text);
}
END_TEST

/* ---- mutable ones ---- */

static const char hive[] =
    "{'type':'overmap_special','id':'hive','subtype':'mutable','occurrences':[1,2],"
    "'rotate':false,'locations':['land'],"
    "'joins':['z',{'id':'m','opposite':'a','into_locations':['wood','under']},"
    "{'id':'a','opposite':'m'}],"
    "'overmaps':{'top':{'overmap':'house_east','below':'m','connections':{'north':{"
    "'connection':'way'}}},"
    "'bend':{'overmap':'tunnel_north','above':{'id':'a','alternatives':['z','m']},'west':{"
    "'id':'z','type':'reject'},'locations':['under']},"
    "'cross':{'overmap':'rock','north':{'id':'z','type':'optional'},'east':{'id':'z',"
    "'type':'available'},'south':'z'}},'root':'top',"
    "'shared':{'wide':{'poisson':1.5},'deep':[9,4]},"
    "'check_for_locations':[[[0,0,0],['land']]],"
    "'check_for_locations_area':[{'type':['under','wood'],'from':[2,-1,-1],'to':[-2,1,-3]}],"
    "'phases':[[],[{'overmap':'bend','max':4,'scale':'wide','name':'first','join':'a'}],[],"
    "[{'overmap':'cross','max':[8,2],'weight':0,'scale':'deep','rotate':true,'z':-2},"
    "{'chunk':[{'overmap':'cross','pos':[0,1,0],'rot':'south'},{'overmap':'bend','pos':"
    "[-3,0,-20]}],'weight':7,'z':'top','om_pos':[-1,4]},"
    "{'overmap':'bend','max':{'chance':0.25},'z':'bottom'},"
    "{'overmap':'bend','weight':1,'z':{'bottom':-3}}],[]],"
    "'connections':[{'point':[0,2,0],'connection':'way'},{'point':[0,3,0],'connection':'way',"
    "'existing':true},{'point':[0,4,0],'connection':'line'}]}";

static void check_hive_pieces(const catalogue *cat, const cat_mutable *m)
{
    ck_assert_uint_eq(m->join_count, 3);
    ck_assert_str_eq(m->joins[0].id, "z");
    ck_assert(m->joins[0].opposite == 0 && m->joins[1].opposite == 2);
    ck_assert_uint_eq(m->joins[2].opposite, 1);
    expect_set(cat, m->joins[0].into, "field ");
    expect_set(cat, m->joins[1].into, "forest rock ");
    ck_assert_uint_eq(m->piece_count, 3);
    const cat_piece *bend = &m->pieces[0], *cross = &m->pieces[1], *top = &m->pieces[2];
    ck_assert_str_eq(bend->id, "bend");
    ck_assert_uint_eq(m->root, 2);
    ck_assert_str_eq(cat->oters[top->oters[0]].id, "house_east");
    ck_assert_str_eq(cat->oters[top->oters[3]].id, "house_north");
    ck_assert_str_eq(cat->oters[cross->oters[2]].id, "rock");
    expect_set(cat, bend->allows, "rock ");
    expect_set(cat, top->allows, "field ");
    const cat_side *above = &bend->sides[CAT_ABOVE];
    ck_assert(above->join == 2 && above->type == PTL_JOIN_MANDATORY);
    ck_assert_uint_eq(above->alternative_count, 2);
    ck_assert(above->alternatives[0] == 0 && above->alternatives[1] == 1);
    ck_assert(bend->sides[3].type == PTL_JOIN_REJECT && bend->sides[3].join == 0);
    ck_assert(bend->sides[CAT_BELOW].join == -1 && bend->sides[0].alternative_count == 0);
    ck_assert_int_eq(cross->sides[0].type, PTL_JOIN_OPTIONAL);
    ck_assert_int_eq(cross->sides[1].type, PTL_JOIN_AVAILABLE);
    ck_assert_int_eq(top->sides[CAT_BELOW].join, 1);
    ck_assert_uint_eq(top->connections[0], catalogue_connection(cat, "way"));
    ck_assert_uint_eq(top->connections[1], CAT_NONE);
}

static void check_hive_growth(const cat_mutable *m)
{
    /* By their names. */
    ck_assert_uint_eq(m->shared_count, 2);
    ck_assert_int_eq(m->shared[0].kind, PTL_AMOUNT_RANGE);
    ck_assert(m->shared[0].low == 4 && m->shared[0].high == 9);
    ck_assert(m->shared[1].kind == PTL_AMOUNT_POISSON && m->shared[1].mean == 1.5);
    /* Those without rules change nothing. */
    ck_assert_uint_eq(m->phase_count, 2);
    ck_assert_uint_eq(m->phases[0].rule_count, 1);
    ck_assert_uint_eq(m->phases[1].rule_count, 4);
    const cat_rule *first = m->phases[0].rules, *r = m->phases[1].rules;
    ck_assert_str_eq(first->name, "first");
    ck_assert(first->join == 2 && first->scale == 1 && first->weight == -1 && !first->rotate);
    ck_assert(first->max.kind == PTL_AMOUNT_FIXED && first->max.low == 4);
    ck_assert(first->z.kind == PTL_HEIGHT_ANY && !first->has_overmap);
    ck_assert(r[0].scale == 0 && r[0].weight == 0 && r[0].rotate && r[0].join == -1);
    ck_assert(r[0].max.kind == PTL_AMOUNT_RANGE && r[0].max.low == 2 && r[0].max.high == 8);
    ck_assert(r[0].z.kind == PTL_HEIGHT_RANGE && r[0].z.low == -2 && r[0].z.high == -2);
    ck_assert(r[1].max.kind == PTL_AMOUNT_UNLIMITED && r[1].weight == 7 && !r[1].rotate);
    ck_assert(r[1].has_overmap && r[1].overmap_x == -1 && r[1].overmap_y == 4);
    ck_assert(r[1].z.kind == PTL_HEIGHT_TOP && r[2].z.kind == PTL_HEIGHT_BOTTOM);
    ck_assert(r[2].max.kind == PTL_AMOUNT_CHANCE && r[2].max.mean == 0.25);
    ck_assert(r[3].z.kind == PTL_HEIGHT_OFFSET && r[3].z.has_bottom && !r[3].z.has_top);
    ck_assert_int_eq(r[3].z.bottom, -3);
    ck_assert_uint_eq(r[1].piece_count, 2);
    const cat_rule_piece *p = r[1].pieces;
    ck_assert(p[0].piece == 1 && p[0].y == 1 && p[0].rotation == 2);
    ck_assert(p[1].piece == 0 && p[1].x == -3 && p[1].z == -20 && p[1].rotation == 0);
}

START_TEST(layout)
{
    catalogue *cat = make(hive, false);
    const cat_special *s = special(cat, "hive");
    const cat_mutable *m = s->layout;
    ck_assert(m && s->omt_count == 0 && !s->building);
    check_hive_pieces(cat, m);
    check_hive_growth(m);
    ck_assert_uint_eq(s->check_count, 2);
    ck_assert(s->checks[1].x0 == -2 && s->checks[1].x1 == 2 && s->checks[1].z0 == -3);
    ck_assert(s->checks[1].y0 == -1 && s->checks[1].y1 == 1 && s->checks[1].z1 == -1);
    expect_set(cat, s->checks[0].allows, "field ");
    expect_set(cat, s->checks[1].allows, "forest rock ");
    /* A condition in a mutable special is ignored. */
    ck_assert_uint_eq(s->link_count, 2);
    ck_assert(s->links[0].y == 2 && s->links[1].y == 4 && !s->links[1].existing);
    catalogue_free(cat);
}
END_TEST

START_TEST(default_check)
{
    catalogue *cat =
        make("{'type':'overmap_special','id':'m','subtype':'mutable','occurrences':[0,1],"
             "'locations':['land'],'joins':[],'root':'r','overmaps':{'q':{'overmap':'rock'},"
             "'r':{'overmap':'field','locations':['wood']}},'phases':[]},\n"
             "{'type':'overmap_special','id':'n','subtype':'mutable','occurrences':[0,1],"
             "'joins':[],'root':'r','overmaps':{'r':{'overmap':'field'}},'phases':[[]],"
             "'check_for_locations':[[[0,0,0],[]]]}",
             false);
    const cat_special *s = special(cat, "m");
    const cat_mutable *m = s->layout;
    ck_assert_uint_eq(s->check_count, 1);
    const cat_check *c = s->checks;
    ck_assert(c->x0 == 0 && c->x1 == 0 && c->y0 == 0 && c->y1 == 0 && c->z0 == 0 && c->z1 == 0);
    expect_set(cat, c->allows, "forest ");
    ck_assert(m->join_count == 0 && m->phase_count == 0 && m->shared_count == 0);
    /* Without any locations nothing fits. */
    s = special(cat, "n");
    m = s->layout;
    expect_set(cat, m->pieces[0].allows, "");
    expect_set(cat, s->checks[0].allows, "");
    catalogue_free(cat);
}
END_TEST

/* Equal names in several specials, mutable and fixed ones between one another. */
START_TEST(several)
{
    bytes text;
    bytes_init(&text);
    for (int i = 0; i < 20; i++) {
        if (i % 3 == 2)
            bytes_printf(&text,
                         "%s{'type':'overmap_special','id':'s%d','occurrences':[0,1],"
                         "'locations':['wood'],'overmaps':[{'point':[0,%d,0],'overmap':"
                         "'field','locations':['under']}]}",
                         i ? ",\n" : "", i, i);
        else
            bytes_printf(&text,
                         "%s{'type':'overmap_special','id':'s%d','subtype':'mutable',"
                         "'occurrences':[0,1],'locations':['%s'],'joins':['b','a'],"
                         "'root':'p','overmaps':{'q':{'overmap':'rock','north':'%s'},"
                         "'p':{'overmap':'field','south':{'id':'a','alternatives':['b']}}},"
                         "'shared':{'x':%d},'phases':[[{'overmap':'q','max':%d,'scale':'x'}]]}",
                         i ? ",\n" : "", i, i % 2 ? "land" : "wood", i % 2 ? "a" : "b", i, i);
    }
    catalogue *cat = make(bytes_text(&text), false);
    for (int i = 0; i < 20; i++) {
        char id[8];
        snprintf(id, sizeof id, "s%d", i);
        const cat_mutable *m = special(cat, id)->layout;
        ck_assert_int_eq(m != NULL, i % 3 != 2);
        if (!m)
            continue;
        ck_assert_int_eq(m->phases[0].rules[0].max.low, i);
        ck_assert_int_eq(m->shared[0].low, i);
        ck_assert_int_eq(m->pieces[1].sides[0].join, i % 2);
        expect_set(cat, m->pieces[0].allows, i % 2 ? "field " : "forest ");
    }
    catalogue_free(cat);
    bytes_dispose(&text);
}
END_TEST

/* ---- feature flags of regions ---- */

static const char farms[] =
    "{'type':'overmap_special','id':'a','occurrences':[0,1],'overmaps':[],"
    "'flags':['FARM']},\n"
    "{'type':'overmap_special','id':'b','occurrences':[0,1],'overmaps':[],"
    "'flags':['FARM','WILD']},\n"
    "{'type':'overmap_special','id':'c','occurrences':[0,1],'overmaps':[],"
    "'flags':['WILD']},\n"
    "{'type':'overmap_special','id':'d','occurrences':[0,1],'overmaps':[]},\n"
    "{'type':'region_settings','id':'r','default_oter':'field',"
    "'overmap_feature_flag_settings':{%s}}";

static const struct {
    const char *settings, *excluded;
} exclusions[] = {
    {"", "none"},
    {"'blacklist':['FARM']", "a b "},
    {"'blacklist':['FARM','WILD']", "a b c "},
    {"'blacklist':['OTHER']", ""},
    {"'whitelist':['WILD']", "a d shed "},
    {"'whitelist':['FARM','WILD']", "d shed "},
    {"'whitelist':['OTHER']", "a b c d shed "},
    {"'whitelist':['WILD'],'blacklist':['FARM']", "a b d shed "},
    {"'whitelist':['WILD'],'blacklist':['WILD']", "a b c d shed "},
};

START_TEST(feature_flags)
{
    char objects[2000], found[200] = "none";
    snprintf(objects, sizeof objects, farms, exclusions[_i].settings);
    catalogue *cat = make(objects, false);
    const cat_region *r = catalogue_region(cat, "r");
    if (r->excluded)
        found[0] = '\0';
    for (size_t i = 0; r->excluded && i < cat->special_count; i++)
        if (r->excluded[i / 64] >> (i % 64) & 1)
            strcat(strcat(found, cat->specials[i].id), " ");
    ck_assert_str_eq(found, exclusions[_i].excluded);
    catalogue_free(cat);
}
END_TEST

/* Each region has its own. */
START_TEST(feature_flags_of_regions)
{
    char objects[2000];
    snprintf(objects, sizeof objects, farms, "'blacklist':['FARM']");
    strcat(objects, ",\n{'type':'region_settings','id':'q','default_oter':'field',"
                    "'overmap_feature_flag_settings':{'whitelist':['FARM']}},\n"
                    "{'type':'region_settings','id':'s','default_oter':'field'}");
    catalogue *cat = make(objects, false);
    ck_assert_uint_eq(catalogue_region(cat, "r")->excluded[0], 3);
    ck_assert_uint_eq(catalogue_region(cat, "q")->excluded[0], 4 + 8 + 16);
    ck_assert_ptr_null(catalogue_region(cat, "s")->excluded);
    catalogue_free(cat);
}
END_TEST

Suite *catalogue_mutable_suite(void)
{
    Suite *suite = suite_create("catalogue of mutable specials");
    TCase *c = tcase_create("mutable");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, numbers_and_flags);
    tcase_add_test(c, effects);
    tcase_add_test(c, own_locations);
    tcase_add_test(c, links);
    tcase_add_test(c, unusable_connections);
    tcase_add_test(c, nesting);
    tcase_add_test(c, nesting_limit);
    tcase_add_test(c, layout);
    tcase_add_test(c, default_check);
    tcase_add_test(c, several);
    tcase_add_loop_test(c, feature_flags, 0, (int)(sizeof exclusions / sizeof *exclusions));
    tcase_add_test(c, feature_flags_of_regions);
    suite_add_tcase(suite, c);
    return suite;
}
