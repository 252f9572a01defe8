/* Small contents, and what the catalogue makes of them: all that is not terrain. */
#include "unit/store/catalogue/test_catalogue.h"

#include "core/bytes.h"
#include "core/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Without the brackets of the array, so that objects can be added. */
static const char base[] =
    "{'type':'overmap_terrain','id':'field','sym':'.','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':'forest','sym':'F','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':'water','sym':'R','flags':['NO_ROTATE','RIVER']},\n"
    "{'type':'overmap_terrain','id':'house','sym':'^'},\n"
    "{'type':'overmap_terrain','id':'bridge','sym':'^'},\n"
    "{'type':'overmap_terrain','id':'hole','sym':'o','flags':['NO_ROTATE']},\n"
    "{'type':'overmap_terrain','id':'road','flags':['LINEAR']},\n"
    "{'type':'overmap_location','id':'land','terrains':['field']},\n"
    "{'type':'overmap_location','id':'swamp','terrains':['forest']},\n"
    "{'type':'overmap_location','id':'wet','flags':['RIVER']},\n"
    "{'type':'overmap_location','id':'house','terrains':['house']},\n"
    "{'type':'region_settings','id':'empty','default_oter':'field'}";

/* Imports base and the objects, and loads. */
static catalogue *make(const char *objects)
{
    bytes text;
    bytes_init(&text);
    bytes_printf(&text, "[%s%s%s]", base, objects[0] ? ",\n" : "", objects);
    const char *all = bytes_text(&text);
    ck_assert_ptr_nonnull(all);
    fixture_import_text(all, false);
    ck_assert_msg(fixture.run.status == PTL_OK, "%s", (const char *)fixture.remarks.data);
    bytes_dispose(&text);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    return cat;
}

/* The ids in a set, each with a space behind, in order. */
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
    ck_assert(!cat_terrain_in(set, CAT_NONE));
}

static const cat_special *special(const catalogue *cat, const char *id)
{
    uint16_t at = catalogue_special(cat, id);
    ck_assert_msg(at != CAT_NONE, "%s", id);
    return &cat->specials[at];
}

START_TEST(locations)
{
    catalogue *cat = make("{'type':'overmap_location','id':'any','terrains':['road','house'],"
                          "'flags':['NO_ROTATE']}");
    ck_assert_uint_eq(cat->location_count, 5);
    ck_assert_str_eq(cat->locations[0].id, "any");
    expect_set(cat, cat->locations[0].terrains, "field forest hole house road water ");
    expect_set(cat, cat->locations[2].terrains, "field ");
    ck_assert_uint_eq(cat->special_count, 0);
    ck_assert_uint_eq(cat->connection_count, 0);
    ck_assert_uint_eq(catalogue_special(cat, "a"), CAT_NONE);
    ck_assert_uint_eq(catalogue_connection(cat, "a"), CAT_NONE);
    catalogue_free(cat);
}
END_TEST

START_TEST(connections)
{
    catalogue *cat =
        make("{'type':'overmap_connection','id':'way','default_terrain':'road','subtypes':["
             "{'terrain':'road','locations':['swamp','land']},"
             "{'terrain':'hole','locations':[],'basic_cost':10000},"
             "{'terrain':'bridge','locations':['wet'],'basic_cost':120,'weight':3,"
             "'flags':['PERPENDICULAR_CROSSING','ORTHOGONAL']},"
             "{'terrain':'road','locations':['land','swamp'],'flags':['ORTHOGONAL']}]},"
             "{'type':'overmap_connection','id':'rail','layout':'p2p','subtypes':["
             "{'terrain':'road','locations':['land'],'flags':['NOT_PERPENDICULAR_CROSSING']}"
             "]}");
    ck_assert_uint_eq(cat->connection_count, 2);
    const cat_connection *rail = &cat->connections[0], *way = &cat->connections[1];
    ck_assert(rail->p2p && !way->p2p);
    ck_assert_uint_eq(rail->default_terrain, CAT_NONE);
    ck_assert_uint_eq(way->default_terrain, catalogue_terrain(cat, "road"));
    expect_set(cat, way->terrains, "bridge hole road ");
    const cat_subtype *t = way->subtypes;
    ck_assert_int_eq(t[0].shape, PTL_TERRAIN_LINE);
    ck_assert_int_eq(t[1].shape, PTL_TERRAIN_FIXED);
    ck_assert_int_eq(t[2].shape, PTL_TERRAIN_ROTATABLE);
    ck_assert_int_eq(t[1].basic_cost, 10000);
    ck_assert_int_eq(t[2].basic_cost, 120);
    ck_assert_int_eq(t[2].weight, 3);
    ck_assert(t[2].perpendicular && t[2].orthogonal && !t[2].in_place);
    ck_assert(!t[0].perpendicular && !t[0].orthogonal);
    ck_assert(t[3].orthogonal && t[1].in_place && !t[0].in_place);
    ck_assert(!rail->subtypes[0].perpendicular);
    expect_set(cat, t[0].allows, "field forest road ");
    expect_set(cat, t[1].allows, "hole ");
    expect_set(cat, t[2].allows, "bridge water ");
    /* The same locations and terrain, in another order. */
    ck_assert_ptr_eq(t[0].allows, t[3].allows);
    catalogue_free(cat);
}
END_TEST

/* A lenient import leaves subtypes out; what has none left is no connection. */
START_TEST(connection_without_subtypes)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'road','flags':['LINEAR']},"
        "{'type':'overmap_location','id':'land','terrains':['road']},"
        "{'type':'overmap_connection','id':'a','subtypes':[{'terrain':'x','locations':[]}]},"
        "{'type':'overmap_connection','id':'b','subtypes':["
        "{'terrain':'x','locations':[]},{'terrain':'road','locations':['land']},"
        "{'terrain':'road','locations':['y']}]}]",
        true);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    ck_assert_uint_eq(cat->connection_count, 1);
    ck_assert_str_eq(cat->connections[0].id, "b");
    ck_assert_uint_eq(cat->connections[0].subtype_count, 1);
    catalogue_free(cat);
}
END_TEST

/* As many subtypes as there may be, and one more. */
START_TEST(subtype_limit)
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "{'type':'overmap_connection','id':'c','subtypes':[");
    for (int i = 0; i < CAT_SUBTYPES_MAX; i++)
        bytes_put_text(&text, "{'terrain':'road','locations':['land']},");
    bytes_put_text(&text, "{'terrain':'hole','locations':['land']}]}");
    char *all = strdup(bytes_text(&text));
    ck_assert_ptr_nonnull(all);
    bytes_clear(&text);
    bytes_printf(&text, "[%s,\n%s]", base, all);
    fixture_import_text(bytes_text(&text), false);
    ck_assert_int_eq(fixture.run.status, PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(strstr(fixture.run.err.message, ": more than 32 subtypes"));
    strcpy(strstr(all, ",{'terrain':'hole'"), "]}");
    catalogue *cat = make(all);
    ck_assert_uint_eq(cat->connections[0].subtype_count, 32);
    catalogue_free(cat);
    free(all);
    bytes_dispose(&text);
}
END_TEST

static const char tower[] =
    "{'type':'overmap_special','id':'tower','occurrences':[0,1],'locations':['wet','land'],"
    "'rotate':false,'flags':['UNIQUE','OTHER','GLOBALLY_UNIQUE'],'overmaps':["
    "{'point':[2,-1,-3],'overmap':'house_east'},"
    "{'point':[-170,0,10],'overmap':'road_end_south'},"
    "{'point':[-2,5,-10],'overmap':'road_nes','locations':['swamp']},"
    "{'point':[-2,6,0],'overmap':'field','locations':['land','wet','land']}]},\n"
    "{'type':'city_building','id':'shed','overmaps':[{'point':[0,0,0],'overmap':"
    "'house_north'}]}";

static void expect_oters(const catalogue *cat, const cat_omt *tile, const char *expected)
{
    char found[200] = "";
    for (int turn = 0; turn < 4; turn++) {
        strcat(found, cat->oters[tile->oters[turn]].id);
        strcat(found, " ");
    }
    ck_assert_str_eq(found, expected);
}

START_TEST(specials)
{
    catalogue *cat = make(tower);
    ck_assert_uint_eq(cat->special_count, 2);
    const cat_special *t = special(cat, "tower"), *shed = special(cat, "shed");
    ck_assert(!t->building && !t->rotate && shed->building && shed->rotate);
    ck_assert_uint_eq(t->flags, PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE);
    ck_assert_uint_eq(shed->flags, 0);
    ck_assert_uint_eq(t->omt_count, 4);
    ck_assert_int_eq(t->x0, -170);
    ck_assert_int_eq(t->x1, 2);
    ck_assert_int_eq(t->y0, -1);
    ck_assert_int_eq(t->y1, 6);
    ck_assert_int_eq(t->z0, -10);
    ck_assert_int_eq(t->z1, 10);
    ck_assert_int_eq(t->omts[2].x, -2);
    ck_assert_int_eq(t->omts[2].y, 5);
    ck_assert_int_eq(t->omts[2].z, -10);
    expect_oters(cat, &t->omts[0], "house_east house_south house_west house_north ");
    expect_oters(cat, &t->omts[1],
                 "road_end_south road_end_west road_end_north road_end_east ");
    expect_oters(cat, &t->omts[2], "road_nes road_esw road_nsw road_new ");
    expect_oters(cat, &t->omts[3], "field field field field ");
    expect_set(cat, t->omts[0].allows, "field water ");
    expect_set(cat, t->omts[2].allows, "forest ");
    ck_assert_ptr_eq(t->omts[0].allows, t->omts[1].allows);
    ck_assert_ptr_eq(t->omts[0].allows, t->omts[3].allows);
    /* Without any locations it fits nowhere. */
    expect_set(cat, shed->omts[0].allows, "");
    catalogue_free(cat);
}
END_TEST

/* Every line and every rotation, in one special: check_catalogue checks the turns. */
START_TEST(all_turns)
{
    bytes text;
    bytes_init(&text);
    catalogue *cat = make("");
    bytes_put_text(&text, "{'type':'overmap_special','id':'all','occurrences':[0,1],"
                          "'locations':['land'],'overmaps':[");
    for (size_t i = 0; i < cat->oter_count; i++)
        bytes_printf(&text, "%s{'point':[%zu,0,0],'overmap':'%s'}", i > 0 ? "," : "", i,
                     cat->oters[i].id);
    bytes_put_text(&text, "]}");
    size_t count = cat->oter_count;
    catalogue_free(cat);
    cat = make(bytes_text(&text));
    const cat_special *all = special(cat, "all");
    ck_assert_uint_eq(all->omt_count, count);
    for (size_t i = 0; i < count; i++) {
        const cat_omt *tile = &all->omts[i];
        ck_assert_uint_eq(tile->oters[0], i);
        /* Four single turns lead back: what the tile of the turned oter turns to. */
        for (int turn = 0; turn < 4; turn++)
            ck_assert_uint_eq(all->omts[tile->oters[turn]].oters[1],
                              tile->oters[(turn + 1) % 4]);
    }
    catalogue_free(cat);
    bytes_dispose(&text);
}
END_TEST

static const char town[] =
    "{'type':'city_building','id':'shed','locations':['land'],'overmaps':["
    "{'point':[0,0,0],'overmap':'house_north'}]},\n"
    "{'type':'city_building','id':'Barn','locations':['land'],'overmaps':["
    "{'point':[0,0,0],'overmap':'house_west'}]},\n"
    "{'type':'city_building','id':'FakeSpecial_hole','locations':['land'],'overmaps':["
    "{'point':[0,0,0],'overmap':'house_south'}]},\n"
    "{'type':'overmap_special','id':'off','occurrences':[0,0],'overmaps':[]},\n"
    "{'type':'region_settings','id':'r','default_oter':'field','city':{"
    "'houses':{'shed':7,'road':2,'Barn':1,'house':5,'field':0},"
    "'shops':{'FakeSpecial_hole':4,'hole':6,'off':50},'parks':{'forest':0,'off':1},"
    "'finales':{'shed':1000000000},'urban_finales':{'water':1},"
    "'shop_radius':2000000000,'park_sigma':7,'city_size':16,'city_spacing':8},"
    "'forest_trail_settings':{'chance':3,'trailheads':{'Barn':1000000000,'hole':1}}}";

static void expect_bin(const catalogue *cat, const cat_bin *bin, const char *expected)
{
    char found[200] = "";
    for (size_t i = 0; i < bin->count; i++)
        sprintf(found + strlen(found), "%s:%u ", cat->specials[bin->specials[i]].id,
                bin->upto[i]);
    ck_assert_str_eq(found, expected);
}

START_TEST(bins)
{
    catalogue *cat = make(town);
    const cat_region *r = catalogue_region(cat, "r"), *empty = catalogue_region(cat, "empty");
    expect_bin(cat, &r->city.houses, "Barn:1 FakeSpecial_house:6 FakeSpecial_road:8 shed:15 ");
    /* The content's own special of that id is meant by both names. */
    expect_bin(cat, &r->city.shops, "FakeSpecial_hole:10 ");
    expect_bin(cat, &r->city.parks, "");
    expect_bin(cat, &r->city.finales, "shed:1000000000 ");
    expect_bin(cat, &r->trails.trailheads, "Barn:1000000000 FakeSpecial_hole:1000000001 ");
    ck_assert_uint_eq(empty->city.houses.count, 0);
    ck_assert_int_eq(empty->city.shop_radius, 30);
    ck_assert_int_eq(empty->city.size, -1);
    ck_assert_int_eq(r->city.size, 16);
    ck_assert_int_eq(r->city.spacing, 8);
    ck_assert_int_eq(r->city.shop_radius, 1000000);
    ck_assert_int_eq(r->city.shop_sigma, 20);
    ck_assert_int_eq(r->city.park_radius, 30);
    ck_assert_int_eq(r->city.park_sigma, 7);
    ck_assert_int_eq(r->trails.chance, 3);
    ck_assert_int_eq(r->trails.border_point_chance, 2);
    ck_assert_int_eq(r->trails.minimum_forest_size, 50);
    ck_assert_int_eq(r->trails.random_point_min, 4);
    ck_assert_int_eq(r->trails.random_point_max, 50);
    ck_assert_int_eq(r->trails.random_point_size_scalar, 100);
    ck_assert_int_eq(r->trails.trailhead_chance, 1);
    ck_assert_int_eq(r->trails.trailhead_road_distance, 6);
    /* A bare terrain: one tile, the type's first oter, on land and swamp. */
    const cat_special *house = special(cat, "FakeSpecial_house");
    ck_assert(house->building && house->rotate && house->flags == 0);
    ck_assert_uint_eq(house->omt_count, 1);
    expect_oters(cat, house->omts, "house_north house_east house_south house_west ");
    expect_set(cat, house->omts[0].allows, "field forest ");
    expect_oters(cat, special(cat, "FakeSpecial_hole")->omts,
                 "house_south house_west house_north house_east ");
    /* Never drawn, so never made. */
    ck_assert_uint_eq(catalogue_special(cat, "FakeSpecial_forest"), CAT_NONE);
    ck_assert_uint_eq(catalogue_special(cat, "FakeSpecial_water"), CAT_NONE);
    ck_assert_uint_eq(special(cat, "off")->omt_count, 0);
    catalogue_free(cat);
}
END_TEST

/* Content without the location "swamp". */
START_TEST(bare_terrain_on_land_only)
{
    fixture_import_text("[{'type':'overmap_terrain','id':'t','sym':'.','flags':['NO_ROTATE']},"
                        "{'type':'overmap_location','id':'land','terrains':['t']},"
                        "{'type':'region_settings','id':'r','default_oter':'t',"
                        "'city':{'parks':{'t':1}}}]",
                        false);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    expect_set(cat, special(cat, "FakeSpecial_t")->omts[0].allows, "t ");
    catalogue_free(cat);
}
END_TEST

static void expect_texts(const cat_texts *texts, const char *expected)
{
    char found[400] = "";
    for (size_t i = 0; i < texts->count; i++)
        sprintf(found + strlen(found), "%s:%u ", texts->texts[i], texts->upto[i]);
    ck_assert_str_eq(found, expected);
}

START_TEST(texts)
{
    fixture_put("1/names/en.json",
                "[{'usage':'city','name':['Elm','Ash','Ash']},{'usage':'city','name':'Yew'},"
                "{'usage':'given','gender':'male','name':['Hal']},"
                "{'usage':'city','name':[3,'',null,{'str':'Oak'},['Fir']]}]");
    fixture_put(
        "0/b.json",
        "[{'type':'snippet','category':'portolan_town','text':['Box','Elm']},\n"
        "{'type':'snippet','category':'radio_archive','text':'hello'},\n"
        "{'type':'snippet','category':'radio_archive','text':["
        "{'text':'b','weight':5},'a',{'id':'x','text':{'str':'c'}},"
        "{'text':'d','weight':0},{'text':'e','weight':-1},{'text':'\xc3\xa9'}]},\n"
        "{'type':'snippet','category':'other','text':['x']},\n"
        "{'type':'furniture','id':'radio_archive','category':'radio_archive','text':['y']},\n"
        "{'type':'furniture','id':'city','usage':'city','name':['z']},\n"
        "{'type':'snippet','id':'portolan_town','text':['z']},\n"
        "{'type':'snippet','category':'radio_archive'}]");
    fixture_put("0/a.json", "{'type':'overmap_terrain','id':'field','sym':'.'}");
    fixture_import(2, false);
    ck_assert_msg(fixture.run.status == PTL_OK, "%s", fixture.run.err.message);
    ck_assert_uint_eq(fixture.run.report.kept, 12);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    expect_texts(&cat->town_names, "Ash:2 Box:3 Elm:5 Oak:6 Yew:7 ");
    expect_texts(&cat->radio_texts, "a:1 b:6 c:7 hello:8 \xc3\xa9:9 ");
    catalogue_free(cat);
}
END_TEST

/* A catalogue as text, with all that generation sees. */
static char *describe(const catalogue *cat)
{
    bytes out;
    bytes_init(&out);
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        bytes_printf(&out, "%s %d %d %u:", s->id, s->building, s->rotate, s->flags);
        for (size_t k = 0; k < s->omt_count; k++)
            bytes_printf(&out, " %d,%d,%d=%d", s->omts[k].x, s->omts[k].y, s->omts[k].z,
                         s->omts[k].oters[1]);
        bytes_put_text(&out, "\n");
    }
    for (size_t i = 0; i < cat->connection_count; i++)
        bytes_printf(&out, "%s %zu\n", cat->connections[i].id,
                     cat->connections[i].subtype_count);
    for (size_t i = 0; i < cat->region_count; i++) {
        const cat_bin *bin = &cat->regions[i].city.houses;
        for (size_t k = 0; k < bin->count; k++)
            bytes_printf(&out, " %u:%u", bin->specials[k], bin->upto[k]);
    }
    for (size_t i = 0; i < cat->town_names.count; i++)
        bytes_printf(&out, "%s ", cat->town_names.texts[i]);
    char *text = strdup(bytes_text(&out));
    ck_assert_ptr_nonnull(text);
    bytes_dispose(&out);
    return text;
}

/* The order of objects in the files does not matter. */
START_TEST(order_of_objects)
{
    enum { OBJECTS = 8, ROUNDS = 12 };
    const char *objects[OBJECTS] = {
        tower,
        "{'type':'overmap_connection','id':'a','subtypes':[{'terrain':'road','locations':["
        "'land']}]}",
        "{'type':'overmap_connection','id':'b','subtypes':[{'terrain':'road','locations':["
        "'wet']}]}",
        "{'type':'snippet','category':'portolan_town','text':['Elm','Ash']}",
        "{'type':'snippet','category':'portolan_town','text':'Oak'}",
        "{'type':'city_building','id':'barn','locations':['wet'],'overmaps':[{'point':[0,0,0],"
        "'overmap':'house_west'}]}",
        "{'type':'overmap_location','id':'away','terrains':['road']}",
        "{'type':'region_settings','id':'r','default_oter':'field','city':{'houses':{'barn':3,"
        "'road':2,'shed':1}}}"};
    char *first = NULL;
    rng r = rng_from_key(3);
    for (int round = 0; round < ROUNDS; round++) {
        bytes text;
        bytes_init(&text);
        for (size_t i = OBJECTS; i > 0; i--) {
            size_t k = rng_below(&r, i);
            bytes_printf(&text, "%s%s", i < OBJECTS ? ",\n" : "", objects[k]);
            const char *moved = objects[k];
            objects[k] = objects[i - 1];
            objects[i - 1] = moved;
        }
        catalogue *cat = make(bytes_text(&text));
        char *found = describe(cat);
        if (first)
            ck_assert_str_eq(found, first);
        else
            first = strdup(found);
        free(found);
        catalogue_free(cat);
        bytes_dispose(&text);
    }
    free(first);
}
END_TEST

Suite *catalogue_features_suite(void)
{
    Suite *suite = suite_create("catalogue of features");
    TCase *c = tcase_create("features");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, locations);
    tcase_add_test(c, connections);
    tcase_add_test(c, connection_without_subtypes);
    tcase_add_test(c, subtype_limit);
    tcase_add_test(c, specials);
    tcase_add_test(c, all_turns);
    tcase_add_test(c, bins);
    tcase_add_test(c, bare_terrain_on_land_only);
    tcase_add_test(c, texts);
    tcase_add_test(c, order_of_objects);
    suite_add_tcase(suite, c);
    return suite;
}
