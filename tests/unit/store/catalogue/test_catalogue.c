/* The catalogue against the tables that it is read from. */
#include "unit/store/catalogue/test_catalogue.h"

#include "model/shoals_fields.h"
#include "model/symbol.h"
#include "store/sqlite/connection/stmt.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

static void import_small(void)
{
    fixture_import_text(
        "[{'type':'rotatable_symbol','tuple':['<','^','>','v']},\n"
        "{'type':'overmap_terrain','id':'field','name':'a field','sym':'.','color':'brown',"
        "'flags':['NO_ROTATE']},\n"
        "{'type':'overmap_terrain','id':'house','sym':'^','color':'brown'},\n"
        "{'type':'overmap_terrain','id':'road','flags':['LINEAR','ROAD']},\n"
        "{'type':'overmap_terrain','id':'lake','sym':'L','flags':['NO_ROTATE','LAKE','RIVER',"
        "'LAKE_SHORE','OCEAN','RAVINE','RAVINE_EDGE','BRIDGE','OTHER']},\n"
        "{'type':'region_settings','id':'r','default_oter':'house','river_scale':2.5,"
        "'overmap_lake_settings':{'lake_size_min':7,'noise_threshold_lake':0.125}},\n"
        "{'type':'region_settings','id':'q','default_oter':'house_west'}]",
        false);
    fixture_expect(PTL_OK, "");
}

/* Of a terrain the first entry counts that names them; what is missing has its default. */
START_TEST(shoals)
{
    fixture_import_text(
        "[{'type':'overmap_terrain','id':'a','sym':'a','mapgen':[{'method':'builtin',"
        "'name':'river'},{'method':'builtin','name':'shoals','islands':[1,7],'profile':'full',"
        "'cliffs':30},{'method':'builtin','name':'shoals','islands':[5,5]}]},\n"
        "{'type':'overmap_terrain','id':'b','sym':'b','flags':['LINEAR'],"
        "'mapgen_end':[{'method':'builtin','name':'shoals'}]},\n"
        "{'type':'overmap_terrain','id':'c','sym':'c','mapgen':[{'method':'builtin',"
        "'name':'shoals'}]}]",
        false);
    fixture_expect(PTL_OK, "");
    catalogue *cat = load_catalogue();
    const cat_shoals *a = cat->terrains[0].shoals, *c = cat->terrains[2].shoals;
    ck_assert_ptr_nonnull(a);
    ck_assert_int_eq(a->islands_min, 1);
    ck_assert_int_eq(a->islands_max, 7);
    ck_assert_int_eq(a->cliffs, 30);
    ck_assert_int_eq(a->plants, shoals_initial.plants);
    ck_assert(a->full);
    ck_assert_ptr_null(cat->terrains[1].shoals);
    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(c->islands_max, shoals_initial.islands_max);
    ck_assert(!c->full);
    catalogue_free(cat);
}
END_TEST

START_TEST(small)
{
    import_small();
    catalogue *cat = load_catalogue();
    ck_assert_str_eq(cat->digest, fixture.run.report.digest);
    ck_assert_int_eq(cat->content_id,
                     fixture_number("SELECT id FROM content WHERE is_current"));
    ck_assert_uint_eq(cat->terrain_count, 4);
    ck_assert_uint_eq(cat->oter_count, 1 + 4 + 1 + 16);
    const cat_terrain *lake = &cat->terrains[catalogue_terrain(cat, "lake")];
    ck_assert_uint_eq(lake->flags, CAT_FLAG_NO_ROTATE | CAT_FLAG_LAKE | CAT_FLAG_RIVER |
                                       CAT_FLAG_LAKE_SHORE | CAT_FLAG_OCEAN | CAT_FLAG_RAVINE |
                                       CAT_FLAG_RAVINE_EDGE | CAT_FLAG_BRIDGE);
    const cat_terrain *field = &cat->terrains[0];
    ck_assert_str_eq(field->id, "field");
    ck_assert_str_eq(field->name, "a field");
    ck_assert_str_eq(field->color, "brown");
    ck_assert_uint_eq(field->symbol, '.');
    static const char *const ids[] = {"house_north", "house_east", "house_south", "house_west"};
    for (unsigned i = 0; i < 4; i++) {
        const cat_oter *o = &cat->oters[cat->terrains[1].first + i];
        ck_assert_str_eq(o->id, ids[i]);
        ck_assert_uint_eq(o->rotation, i);
        ck_assert_uint_eq(o->line, 0);
        ck_assert_uint_eq(o->symbol, (unsigned char)"^>v<"[i]);
    }
    const cat_terrain *road = &cat->terrains[catalogue_terrain(cat, "road")];
    for (unsigned i = 0; i < 16; i++) {
        const cat_oter *o = &cat->oters[road->first + i];
        ck_assert_uint_eq(o->line, i);
        ck_assert_uint_eq(o->rotation, 0);
        ck_assert_uint_eq(o->symbol, symbol_line(i));
        ck_assert_uint_eq(o->flags, CAT_FLAG_LINEAR | CAT_FLAG_ROAD);
    }
    catalogue_free(cat);
    catalogue_free(NULL);
}
END_TEST

START_TEST(lookups)
{
    import_small();
    catalogue *cat = load_catalogue();
    ck_assert_uint_eq(catalogue_oter(cat, "house"), CAT_NONE);
    ck_assert_uint_eq(catalogue_oter_or_first(cat, "house"),
                      catalogue_oter(cat, "house_north"));
    ck_assert_uint_eq(catalogue_oter_or_first(cat, "house_east"),
                      catalogue_oter(cat, "house_east"));
    const char *const absent[] = {"", "a", "fiel", "fields", "house_up", "zzz"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        ck_assert_uint_eq(catalogue_terrain(cat, absent[i]), CAT_NONE);
        ck_assert_uint_eq(catalogue_oter(cat, absent[i]), CAT_NONE);
        ck_assert_uint_eq(catalogue_oter_or_first(cat, absent[i]), CAT_NONE);
        ck_assert_ptr_null(catalogue_region(cat, absent[i]));
    }
    const cat_region *r = catalogue_region(cat, "r");
    ck_assert_str_eq(cat->regions[0].id, "q");
    ck_assert_uint_eq(cat->regions[0].default_ter, catalogue_oter(cat, "house_west"));
    ck_assert_uint_eq(r->default_ter, catalogue_oter(cat, "house_north"));
    ck_assert_str_eq(r->default_oter, "house");
    ck_assert_double_eq(r->river_scale, 2.5);
    ck_assert_double_eq(r->lake_threshold, 0.125);
    ck_assert_int_eq(r->lake_size_min, 7);
    ck_assert_int_eq(r->lake_depth, -5);
    ck_assert_double_eq(r->forest_threshold, 0.25);
    ck_assert_double_eq(r->forest_thick_threshold, 0.3);
    ck_assert_double_eq(r->swamp_adjacent_threshold, 0.3);
    ck_assert_double_eq(r->swamp_isolated_threshold, 0.6);
    ck_assert_int_eq(r->floodplain_min, 3);
    ck_assert_int_eq(r->floodplain_max, 15);
    ck_assert_int_eq(r->ravine_count, 0);
    ck_assert_int_eq(r->ravine_range, 45);
    ck_assert_int_eq(r->ravine_width, 1);
    ck_assert_int_eq(r->ravine_depth, -3);
    catalogue_free(cat);
}
END_TEST

/* Numbers do not depend on files, nor on the order of objects in them. */
START_TEST(numbers_are_stable)
{
    fixture_import_text("[{'type':'overmap_terrain','id':['b','c'],'sym':'x'},"
                        "{'type':'overmap_terrain','id':'a','sym':'x','flags':['NO_ROTATE']}]",
                        false);
    catalogue *first = load_catalogue();
    fixture_import_text("{'type':'overmap_terrain','id':['c','b'],'sym':'x'}", false);
    fixture_put("0/0.json",
                "{'type':'overmap_terrain','id':'a','sym':'x','flags':['NO_ROTATE']}");
    fixture_import(1, false);
    catalogue *second = load_catalogue();
    ck_assert_uint_eq(first->oter_count, second->oter_count);
    for (size_t i = 0; i < first->oter_count; i++)
        ck_assert_str_eq(first->oters[i].id, second->oters[i].id);
    catalogue_free(first);
    catalogue_free(second);
}
END_TEST

START_TEST(no_content)
{
    expect_load_failure(PTL_ERR_CONTENT, "no content yet");
}
END_TEST

/* Inside a transaction of the caller's it works as well. */
START_TEST(in_transaction)
{
    ptl_error err = {0};
    import_small();
    ck_assert_int_eq(ops(fixture.store)->transaction->begin(fixture.store, &err), PTL_OK);
    catalogue_free(load_catalogue());
    ck_assert_int_eq(ops(fixture.store)->transaction->commit(fixture.store, &err), PTL_OK);
    catalogue_free(load_catalogue());
}
END_TEST

/* Tables that another program has changed are noticed, not trusted. */
static const struct {
    const char *sql, *message;
    ptl_status status;
} damage[] = {
    {"DELETE FROM concrete_terrain WHERE id = 'road_ns'", "21 concrete terrains where 22",
     PTL_ERR_CORRUPT},
    {"UPDATE concrete_terrain SET variant = 4, rotation = 3, line = 1 WHERE id = 'house_west'",
     "no terrain 'house_west'", PTL_ERR_CORRUPT},
    {"UPDATE concrete_terrain SET variant = 0, rotation = 0 WHERE id = 'house_west'",
     "twice 'house_west'", PTL_ERR_CORRUPT},
    {"UPDATE concrete_terrain SET terrain = 'x' WHERE id = 'house_west'",
     "no terrain 'house_west'", PTL_ERR_CORRUPT},
    {"INSERT INTO concrete_terrain VALUES ('a', 'field', 0, 0, 0, 0)", "twice 'field'",
     PTL_ERR_CORRUPT},
    {"INSERT INTO overmap_terrain_flag VALUES ('x', 'LAKE')", "unknown terrain 'x'",
     PTL_ERR_CORRUPT},
    {"UPDATE region_settings SET default_oter = 'x'", "default terrain of a region 'x'",
     PTL_ERR_CORRUPT},
    {"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4096)"
     " INSERT INTO overmap_terrain SELECT 'x' || i, 2, '', 0, '', 0, 0, 0, '', NULL, '', '[]',"
     " NULL, NULL, NULL, NULL, 0, '', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL"
     " FROM n",
     "more than 65534", PTL_ERR_LIMIT},
};

START_TEST(damaged)
{
    ptl_error err = {0};
    import_small();
    ck_assert_int_eq(sqlite_exec(fixture.store, "PRAGMA foreign_keys = OFF", &err), PTL_OK);
    ck_assert_msg(sqlite_exec(fixture.store, damage[_i].sql, &err) == PTL_OK, "%s",
                  err.message);
    expect_load_failure(damage[_i].status, damage[_i].message);
}
END_TEST

/* All of the game's terrains: sorted, complete, every id found again. */
START_TEST(game_content)
{
    char *json = game_data("json");
    if (!json)
        return;
    import_run run;
    import_one(&run, fixture.store, json);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    catalogue *cat = load_catalogue();
    ck_assert_uint_eq(cat->terrain_count, 5244);
    ck_assert_uint_eq(cat->oter_count, 20496);
    for (size_t i = 0; i < cat->terrain_count; i++) {
        const cat_terrain *t = &cat->terrains[i];
        ck_assert(i == 0 || strcmp(t[-1].id, t->id) < 0);
        ck_assert(i == 0 || t->first == t[-1].first + t[-1].count);
        ck_assert_uint_eq(catalogue_terrain(cat, t->id), i);
        ck_assert_uint_eq(t->count, t->flags & CAT_FLAG_LINEAR      ? 16
                                    : t->flags & CAT_FLAG_NO_ROTATE ? 1
                                                                    : 4);
        ck_assert(t->symbol != 0 || t->flags & CAT_FLAG_LINEAR);
    }
    for (size_t i = 0; i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        const cat_terrain *t = &cat->terrains[o->terrain];
        ck_assert_uint_eq(catalogue_oter(cat, o->id), i);
        ck_assert(i >= t->first && i < (size_t)t->first + t->count);
        ck_assert_uint_eq(o->line + o->rotation, i - t->first);
        ck_assert(o->symbol >= 0x20);
        ck_assert_uint_eq(o->flags, t->flags);
    }
    const cat_region *r = catalogue_region(cat, "default");
    ck_assert_str_eq(cat->oters[r->default_ter].id, "field");
    ck_assert_double_eq(r->forest_threshold, 0.2);
    ck_assert_int_eq(r->ravine_width, 3);
    catalogue_free(cat);
    import_run_dispose(&run);
    free(json);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalogue");
    TCase *c = tcase_create("catalogue");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, small);
    tcase_add_test(c, shoals);
    tcase_add_test(c, lookups);
    tcase_add_test(c, numbers_are_stable);
    tcase_add_test(c, no_content);
    tcase_add_test(c, in_transaction);
    tcase_add_loop_test(c, damaged, 0, (int)(sizeof damage / sizeof *damage));
    tcase_add_test(c, game_content);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_add_suite(runner, catalogue_features_suite());
    srunner_add_suite(runner, catalogue_damage_suite());
    srunner_add_suite(runner, catalogue_mutable_suite());
    srunner_add_suite(runner, catalogue_real_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
