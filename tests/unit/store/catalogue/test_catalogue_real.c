/* The catalogue of real content: the counts that its authors' data gives, and known tiles. */
#include "unit/store/catalogue/test_catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void import_real(size_t count, const char *const *directories, bool lenient)
{
    import_run run;
    memset(&run, 0, sizeof run);
    run.options = (ptl_import_options){.size = sizeof(ptl_import_options),
                                       .directories = directories,
                                       .directory_count = count,
                                       .builtin = count == 0,
                                       .lenient = lenient};
    run_import(&run, fixture.store);
    ck_assert_msg(run.status == PTL_OK, "%s", run.err.message);
    import_run_dispose(&run);
}

static uint32_t total(const cat_bin *bin)
{
    return bin->count > 0 ? bin->upto[bin->count - 1] : 0;
}

static const cat_special *special(const catalogue *cat, const char *id)
{
    uint16_t at = catalogue_special(cat, id);
    ck_assert_msg(at != CAT_NONE, "%s", id);
    return &cat->specials[at];
}

static size_t count_fakes(const catalogue *cat)
{
    size_t fakes = 0;
    for (size_t i = 0; i < cat->special_count; i++)
        fakes += strncmp(cat->specials[i].id, "FakeSpecial_", 12) == 0;
    return fakes;
}

/* The tile at a point has these four oters. */
static void expect_tile(const catalogue *cat, const char *id, int x, int y, int z,
                        const char *const oters[4])
{
    const cat_special *s = special(cat, id);
    for (size_t i = 0; i < s->omt_count; i++) {
        const cat_omt *t = &s->omts[i];
        if (t->x != x || t->y != y || t->z != z)
            continue;
        for (int turn = 0; turn < 4; turn++)
            ck_assert_str_eq(cat->oters[t->oters[turn]].id, oters[turn]);
        return;
    }
    ck_abort_msg("%s has no OMT at %d, %d, %d", id, x, y, z);
}

static void check_game_tables(const catalogue *cat)
{
    ck_assert_uint_eq(cat->location_count, 48);
    ck_assert_uint_eq(cat->connection_count, 6);
    /* 26 for the bins of region "default", one more for those of "desert_test" */
    ck_assert_uint_eq(count_fakes(cat), 27);
    ck_assert_uint_eq(cat->special_count, 185 + 338 + 27);
    size_t tiles = 0, buildings = 0, unique = 0;
    for (size_t i = 0; i < cat->special_count; i++) {
        tiles += cat->specials[i].omt_count;
        buildings += cat->specials[i].building;
        unique += (cat->specials[i].flags & PTL_SPECIAL_UNIQUE) != 0;
    }
    ck_assert_uint_eq(tiles, 7262 + 27);
    ck_assert_uint_eq(buildings, 338 + 27);
    ck_assert_uint_eq(unique, 66);
    const cat_region *r = catalogue_region(cat, "default");
    ck_assert_uint_eq(r->city.houses.count, 129);
    ck_assert_uint_eq(r->city.shops.count, 203);
    ck_assert_uint_eq(r->city.parks.count, 31);
    ck_assert_uint_eq(r->city.finales.count, 0);
    ck_assert_uint_eq(r->trails.trailheads.count, 3);
    ck_assert_uint_eq(total(&r->city.houses), 5655);
    ck_assert_uint_eq(total(&r->city.shops), 44450);
    ck_assert_uint_eq(total(&r->city.parks), 2890);
    ck_assert_uint_eq(total(&r->trails.trailheads), 3);
    ck_assert_int_eq(r->city.shop_radius, 30);
    ck_assert_int_eq(r->city.shop_sigma, 50);
    ck_assert_int_eq(r->city.park_radius, 20);
    ck_assert_int_eq(r->city.park_sigma, 80);
    ck_assert_int_eq(r->city.size, -1);
    ck_assert_int_eq(r->trails.chance, 2);
    ck_assert_int_eq(r->trails.minimum_forest_size, 100);
    ck_assert_int_eq(r->trails.random_point_max, 50);
    ck_assert_int_eq(r->trails.trailhead_road_distance, 6);
    ck_assert_uint_eq(cat->radio_texts.count, 21);
}

static void check_game_roads(const catalogue *cat)
{
    static const struct {
        const char *terrain;
        ptl_terrain_shape shape;
        int32_t cost;
        bool in_place;
    } expected[] = {{"road", PTL_TERRAIN_LINE, 0, false},
                    {"road", PTL_TERRAIN_LINE, 20, false},
                    {"road", PTL_TERRAIN_LINE, 25, false},
                    {"road", PTL_TERRAIN_LINE, 40, false},
                    {"road_nesw_manhole", PTL_TERRAIN_FIXED, 0, true},
                    {"bridge", PTL_TERRAIN_ROTATABLE, 120, false}};
    const cat_connection *c = &cat->connections[catalogue_connection(cat, "local_road")];
    ck_assert_uint_eq(c->subtype_count, 6);
    ck_assert_uint_eq(c->default_terrain, CAT_NONE);
    for (size_t i = 0; i < 6; i++) {
        const cat_subtype *t = &c->subtypes[i];
        ck_assert_str_eq(cat->terrains[t->terrain].id, expected[i].terrain);
        ck_assert_int_eq(t->shape, expected[i].shape);
        ck_assert_int_eq(t->basic_cost, expected[i].cost);
        ck_assert_int_eq(t->in_place, expected[i].in_place);
        ck_assert(!t->orthogonal && !t->perpendicular && t->weight == 0);
    }
    ck_assert(cat_terrain_in(c->subtypes[5].allows, catalogue_terrain(cat, "river_center")));
    ck_assert(!cat_terrain_in(c->subtypes[0].allows, catalogue_terrain(cat, "forest")));
    ck_assert(cat_terrain_in(c->terrains, catalogue_terrain(cat, "bridge")));
    ck_assert(!cat_terrain_in(c->terrains, catalogue_terrain(cat, "railroad")));
    c = &cat->connections[catalogue_connection(cat, "sewer_tunnel")];
    ck_assert(c->subtypes[0].orthogonal);
}

static void check_game_tiles(const catalogue *cat)
{
    expect_tile(cat, "FakeSpecial_park", 0, 0, 0,
                (const char *const[]){"park_north", "park_east", "park_south", "park_west"});
    expect_tile(cat, "mall", 8, 9, 0,
                (const char *const[]){"mall_a_1_south", "mall_a_1_west", "mall_a_1_north",
                                      "mall_a_1_east"});
    /* The opening of an end piece is opposite to its name. */
    expect_tile(cat, "mall", 4, 0, 0,
                (const char *const[]){"road_end_north", "road_end_east", "road_end_south",
                                      "road_end_west"});
    expect_tile(cat, "lab_subway_vent_shaft", 1, 0, -4,
                (const char *const[]){"subway_ns", "subway_ew", "subway_ns", "subway_ew"});
    ck_assert_uint_eq(special(cat, "mall")->omt_count, 212);
    ck_assert(special(cat, "mall")->building && special(cat, "mall")->rotate);
}

/* Figures that were counted in the game's data by other means (all of DDA 0.F's). */
static void check_game_specials(const catalogue *cat)
{
    static const struct {
        uint32_t flag;
        size_t count;
    } flags[] = {{PTL_SPECIAL_UNIQUE, 66}, {PTL_SPECIAL_GLOBALLY_UNIQUE, 0},
                 {PTL_SPECIAL_LAKE, 18},   {PTL_SPECIAL_BLOB, 1},
                 {PTL_SPECIAL_SAFE, 6},    {PTL_SPECIAL_ENDGAME, 0}};
    size_t city = 0, links = 0, existing = 0, asked = 0, up_to_five = 0, mutables = 0;
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        size_t found = 0;
        for (size_t i = 0; i < cat->special_count; i++)
            found += (cat->specials[i].flags & flags[f].flag) != 0;
        ck_assert_uint_eq(found, flags[f].count);
    }
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        city += !s->building && (s->city_sizes.min > 0 || s->city_distance.max < 180);
        asked += s->occurrences_max > 0 && s->occurrences_min <= s->occurrences_max;
        up_to_five += !(s->flags & PTL_SPECIAL_UNIQUE) && s->occurrences_max == 5;
        mutables += s->layout != NULL;
        links += s->link_count;
        for (size_t k = 0; k < s->link_count; k++)
            existing += s->links[k].existing;
    }
    ck_assert_uint_eq(city, 123);
    ck_assert_uint_eq(existing, 12);
    ck_assert_uint_eq(links, 122);
    ck_assert_uint_eq(asked, 185 - 10);
    ck_assert_uint_eq(up_to_five, 18);
    ck_assert_uint_eq(mutables, 0);
    ck_assert(special(cat, "Crater")->flags & PTL_SPECIAL_BLOB);
}

/* All of the game's content, with its names: complete. */
START_TEST(game)
{
    char *json = game_data("json"), *names = game_data("names");
    if (json && names) {
        char file[512];
        snprintf(file, sizeof file, "%s/en.json", names);
        import_real(2, (const char *const[]){json, file}, false);
        catalogue *cat = load_catalogue();
        check_catalogue(cat);
        check_game_tables(cat);
        check_game_roads(cat);
        check_game_tiles(cat);
        check_game_specials(cat);
        compare_with_tables(cat);
        ck_assert_uint_gt(cat->town_names.count, 1000);
        catalogue_free(cat);
    }
    free(json);
    free(names);
}
END_TEST

START_TEST(own_pack)
{
    import_real(0, NULL, false);
    catalogue *cat = load_catalogue();
    check_catalogue(cat);
    ck_assert_uint_eq(cat->connection_count, 5);
    ck_assert_uint_ge(cat->town_names.count, 100);
    ck_assert_uint_ge(cat->radio_texts.count, 10);
    size_t perpendicular = 0, weighted = 0, p2p = 0;
    for (size_t i = 0; i < cat->connection_count; i++) {
        p2p += cat->connections[i].p2p;
        ck_assert_uint_ne(cat->connections[i].default_terrain, CAT_NONE);
        for (size_t k = 0; k < cat->connections[i].subtype_count; k++) {
            perpendicular += cat->connections[i].subtypes[k].perpendicular;
            weighted += cat->connections[i].subtypes[k].weight > 0;
        }
    }
    ck_assert_uint_eq(perpendicular, 3);
    ck_assert_uint_eq(weighted, 2);
    ck_assert_uint_eq(p2p, 3);
    ck_assert_int_eq((int64_t)(cat->special_count - count_fakes(cat)),
                     fixture_number("SELECT count(*) FROM overmap_special"));
    compare_with_tables(cat);
    ck_assert_uint_gt(compare_sets(cat), 0);
    ck_assert_uint_gt(catalogue_region(cat, "default")->city.finales.count, 0);
    catalogue_free(cat);
}
END_TEST

/* Bright Nights' lab below a house: what its text says, told apart from how it is read. */
static void check_lab(const catalogue *cat)
{
    const cat_special *s = special(cat, "lab_basement");
    const cat_mutable *m = s->layout;
    ck_assert(m && m->join_count == 1 && m->joins[0].opposite == 0);
    ck_assert(m->piece_count == 7 && m->phase_count == 6 && s->check_count == 1);
    ck_assert_str_eq(m->pieces[m->root].id, "lab_core");
    ck_assert(s->checks[0].allows == m->pieces[m->root].allows);
    ck_assert(m->shared_count == 1 && m->shared[0].low == 1 && m->shared[0].high == 7);
    const cat_rule *stairs = &m->phases[0].rules[1], *escape = m->phases[1].rules;
    ck_assert_str_eq(stairs->name, "stairs_and_core");
    ck_assert(stairs->z.kind == PTL_HEIGHT_BOTTOM && stairs->scale == 0 && stairs->rotate);
    ck_assert(stairs->max.kind == PTL_AMOUNT_POISSON && stairs->max.mean == 3);
    ck_assert(stairs->piece_count == 2 && stairs->pieces[1].z == -1);
    ck_assert_str_eq(m->pieces[stairs->pieces[0].piece].id, "lab_stairs");
    ck_assert(!escape->rotate && escape->z.low == -10 && escape->z.high == -4);
    ck_assert(escape->max.kind == PTL_AMOUNT_CHANCE && escape->max.mean == 0.2);
    ck_assert(escape->piece_count == 2 && escape->pieces[1].y == -1);
    const cat_rule *depot = m->phases[2].rules, *finale = m->phases[5].rules;
    ck_assert(depot->z.kind == PTL_HEIGHT_RANGE && depot->z.low == -2 && depot->z.high == -2);
    ck_assert(finale->scale == -1 && finale->max.low == 1 && finale->weight == -1);
    const cat_piece *p = &m->pieces[depot->pieces[0].piece];
    ck_assert_uint_eq(p->connections[0], catalogue_connection(cat, "subway_tunnel"));
    ck_assert_uint_eq(p->connections[1], CAT_NONE);
    ck_assert(p->sides[0].type == PTL_JOIN_REJECT && p->sides[1].type == PTL_JOIN_OPTIONAL);
    ck_assert(p->sides[CAT_ABOVE].join == -1);
}

static const char *const excerpts[] = {"content/bn", "content/dda-mutable"};

START_TEST(excerpt)
{
    char *folder = shared_data(excerpts[_i]);
    if (folder) {
        import_real(1, (const char *const[]){folder}, true);
        catalogue *cat = load_catalogue();
        check_catalogue(cat);
        compare_with_tables(cat);
        ck_assert_uint_gt(compare_sets(cat), 30);
        if (_i == 0)
            check_lab(cat);
        ck_assert_uint_eq(cat->connection_count, _i == 0 ? 5 : 0);
        catalogue_free(cat);
    }
    free(folder);
}
END_TEST

Suite *catalogue_real_suite(void)
{
    Suite *suite = suite_create("catalogue of real content");
    TCase *c = tcase_create("real");
    tcase_add_checked_fixture(c, fixture_setup, fixture_teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, game);
    tcase_add_test(c, own_pack);
    tcase_add_loop_test(c, excerpt, 0, (int)(sizeof excerpts / sizeof *excerpts));
    suite_add_tcase(suite, c);
    return suite;
}
