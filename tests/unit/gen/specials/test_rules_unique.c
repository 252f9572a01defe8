/* Who is asked for at all: UNIQUE and GLOBALLY_UNIQUE specials, and every verdict. */
#include "gen/pipeline.h"
#include "gen/plan/plan.h"
#include "unit/gen/specials/rules_scene.h"

#include <math.h>
#include <string.h>

static rules_scene scene;

/* 30 in 100: at most one in a chunk, in 30 % of them. */
static void check_share(ptl_placement rule, double density, bool scaled, bool compat,
                        double expected)
{
    const int chunks = 800;
    int found = 0, asked = 0;
    scene_setup(&scene, 1, rule);
    scene.options.specials_density = density;
    scene.options.scale_unique = scaled;
    scene.options.compat = compat;
    cat_special *s = scene_special(&scene, "one", 2, 2, 30, 100);
    s->flags = PTL_SPECIAL_UNIQUE;
    scene_open(&scene);
    for (int i = 0; i < chunks; i++) {
        scene_chunk(&scene, i % 50, i / 50);
        scene_run(&scene);
        ck_assert_int_le(scene_placed(&scene, s), 1);
        found += scene_placed(&scene, s);
        asked += scene_attempt(&scene, s) != NULL;
        ck_assert_uint_eq(scene_events(&scene, "unmet_minimum"), 0);
    }
    ck_assert_int_eq(found, asked);
    ck_assert_double_eq_tol(found, expected * chunks,
                            4.5 * sqrt(expected * (1 - expected) * chunks));
    scene_close(&scene);
}

START_TEST(unique)
{
    check_share(PTL_PLACEMENT_QUOTA, 1, false, false, 0.3);
    check_share(PTL_PLACEMENT_QUOTA, 0.5, false, false, 0.3);
    check_share(PTL_PLACEMENT_QUOTA, 0.5, true, false, 0.15);
    check_share(PTL_PLACEMENT_SECTORS, 1, false, false, 0.3);
    check_share(PTL_PLACEMENT_QUOTA, 1, false, true, 0.3);
    check_share(PTL_PLACEMENT_SECTORS, 1, false, true, 0.3 * 0.48 / (1 - 0.52 * 0.3));
}
END_TEST

/* What is certain to come is placed before all others, also with compat; what only came up
 * takes its turn among them. */
static int placed_in_a_crowd(int32_t x)
{
    const int chunks = 20;
    int found = 0;
    scene_setup(&scene, 1, PTL_PLACEMENT_SECTORS);
    scene.options.compat = true;
    cat_special *s = scene_special(&scene, "one", 2, 2, x, 100);
    s->flags = PTL_SPECIAL_UNIQUE;
    static const char *const others[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (int i = 0; i < 8; i++)
        scene_special(&scene, others[i], 2, 2, 0, 100);
    scene_open(&scene);
    for (int i = 0; i < chunks; i++) {
        scene_chunk(&scene, i, 0);
        scene_run(&scene);
        found += scene.gen->features.placements[0].special == s - scene.specials;
    }
    scene_close(&scene);
    return found;
}

START_TEST(the_certain_comes_first)
{
    ck_assert_int_eq(placed_in_a_crowd(100), 20);
    ck_assert_int_lt(placed_in_a_crowd(99), 15);
}
END_TEST

/* The number of a special "1 to 3" whose chunk is sea up to the row `sea`. */
static int32_t placed_at_sea(ptl_placement rule, bool compat, bool levelled, int32_t sea)
{
    scene_setup(&scene, 1, rule);
    scene.options.compat = compat;
    scene.region.levelled = levelled;
    cat_special *s = scene_special(&scene, "one", 2, 2, 1, 3);
    cat_special *fixed = scene_special(&scene, "two", 2, 2, 2, 2);
    /* The catalogue has no sea; so its lake is one. */
    static cat_oter oters[1024];
    ck_assert_uint_le(scene.cat.oter_count, 1024);
    memcpy(oters, scene.cat.oters, scene.cat.oter_count * sizeof *oters);
    oters[catalogue_oter_or_first(&scene.cat, "lake_surface")].flags = CAT_FLAG_OCEAN;
    scene.cat.oters = oters;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "field", 0, 0, SIZE - 1, SIZE - 1);
    scene_fill(&scene, "lake_surface", 0, 0, SIZE - 1, sea);
    scene_run(&scene);
    const int32_t placed = scene_placed(&scene, s);
    if (rule == PTL_PLACEMENT_SECTORS)
        ck_assert_int_eq(scene_placed(&scene, fixed), 2);
    scene_close(&scene);
    return placed;
}

/* At sea, overmaps of the games get only what goes beyond the least number. */
START_TEST(least_numbers_at_sea)
{
    ck_assert_int_eq(placed_at_sea(PTL_PLACEMENT_SECTORS, true, true, SIZE / 2 - 1), 3);
    ck_assert_int_eq(placed_at_sea(PTL_PLACEMENT_SECTORS, true, true, SIZE / 2), 2);
    ck_assert_int_eq(placed_at_sea(PTL_PLACEMENT_SECTORS, false, true, SIZE / 2), 3);
    ck_assert_int_eq(placed_at_sea(PTL_PLACEMENT_SECTORS, true, false, SIZE / 2), 3);
    ck_assert_int_ge(placed_at_sea(PTL_PLACEMENT_QUOTA, true, true, SIZE / 2), 1);
}
END_TEST

/* Chunks of the radius in some order: how many, and where the last one was. */
static int32_t count_everywhere(const cat_special *s, bool backwards, ptl_chunk_pos *where)
{
    int32_t count = 0;
    for (int i = 0; i < 25; i++) {
        const int at = backwards ? 24 - i : i;
        const ptl_chunk_pos pos = {at % 5 - 2, at / 5 - 2};
        scene_chunk(&scene, pos.x, pos.y);
        scene_run(&scene);
        if (scene_placed(&scene, s) > 0) {
            *where = pos;
            count += scene_placed(&scene, s);
        }
    }
    return count;
}

/* At most one in all chunks, the same in any order, x in y of all worlds. */
static void check_global(ptl_placement rule)
{
    const int worlds = 40;
    int found = 0;
    for (int w = 0; w < worlds; w++) {
        ptl_chunk_pos first = {9, 9}, second = {9, 9};
        scene_setup(&scene, (uint64_t)w, rule);
        scene.options.unique_radius = 1;
        cat_special *s = scene_special(&scene, "one", 2, 2, 1, 2);
        s->flags = PTL_SPECIAL_GLOBALLY_UNIQUE;
        scene_open(&scene);
        const int32_t count = count_everywhere(s, false, &first);
        generator_free(scene.gen);
        scene.gen = generator_new(scene.config);
        ck_assert_int_eq(count_everywhere(s, true, &second), count);
        ck_assert_int_le(count, 1);
        ck_assert(first.x == second.x && first.y == second.y);
        const ptl_chunk_pos home = special_home(scene.config, scene.first);
        ck_assert(home.x >= -1 && home.x <= 1 && home.y >= -1 && home.y <= 1);
        ck_assert(count == 0 || (first.x == home.x && first.y == home.y));
        found += count;
        scene_close(&scene);
    }
    ck_assert_double_eq_tol(found, 0.5 * worlds, 4.5 * sqrt(0.25 * worlds));
}

START_TEST(globally_unique)
{
    check_global(PTL_PLACEMENT_QUOTA);
    check_global(PTL_PLACEMENT_SECTORS);
}
END_TEST

/* So many successes in each square of a deck, or one more by chance; in all the deck's rate. */
START_TEST(decks)
{
    static const int32_t cases[][3] = {/* successes, cards, side of the squares */
                                       {1, 100, 10}, {1, 10, 4}, {3, 7, 3}, {75, 100, 10},
                                       {5, 5, 3},    {0, 9, 3},  {1, 1, 1}, {2, 1000, 32},
                                       {1, 9, 3},    {20, 10, 4}};
    const int32_t s = cases[_i][0], n = cases[_i][1], side = cases[_i][2];
    const int32_t along = side > 10 ? 4 : 24; /* squares */
    scene_setup(&scene, (uint64_t)_i, PTL_PLACEMENT_SECTORS);
    scene_special(&scene, "one", 1, 1, s, n);
    const gen_config config = {
        .cat = &scene.cat, .seed = (uint64_t)_i, .options = scene.options};
    scene.cat.specials = scene.specials;
    const double share = fmin((double)s * side * side / n, side * side);
    double sum = 0;
    for (int32_t square = 0; square < along * along; square++) {
        int32_t count = 0;
        for (int32_t i = 0; i < side * side; i++) {
            const ptl_chunk_pos pos = {(square % along - along / 2) * side + i % side,
                                       (square / along - along / 2) * side + i / side};
            count += plan_deck_has(&config, scene.first, s, n, pos);
        }
        ck_assert_msg(count == (int)floor(share) || count == (int)ceil(share),
                      "%d of %d cards in a square", count, side * side);
        sum += count;
    }
    const double all = along * along, part = share - floor(share);
    ck_assert_double_eq_tol(sum, share * all, 4.5 * sqrt(part * (1 - part) * all) + 0.01);
}
END_TEST

/* In levelled regions the step asks the deck, and what a world has once comes for certain. */
START_TEST(decks_in_levelled_regions)
{
    int once = 0;
    for (int w = 0; w < 12; w++) {
        scene_setup(&scene, (uint64_t)w, PTL_PLACEMENT_SECTORS);
        scene.region.levelled = true;
        for (int i = 0; i < PTL_LEVELS; i++)
            scene.region.levels[i] =
                catalogue_oter(&scene.cat, i < 10 ? "empty_rock" : "open_air");
        scene.region.levels[-PTL_Z_MIN] = scene.region.default_ter;
        scene.options.unique_radius = 0;
        cat_special *s = scene_special(&scene, "deck", 2, 2, 1, 4);
        cat_special *o = scene_special(&scene, "once", 2, 2, 1, 50);
        s->flags = PTL_SPECIAL_UNIQUE;
        o->flags = PTL_SPECIAL_GLOBALLY_UNIQUE;
        scene_open(&scene);
        int placed = 0;
        for (int i = 0; i < 4; i++) { /* a deck of four: one square of two by two */
            scene_chunk(&scene, i % 2, i / 2);
            scene_run(&scene);
            placed += scene_placed(&scene, s);
            once += scene_placed(&scene, o);
        }
        ck_assert_int_eq(placed, 1);
        scene_close(&scene);
    }
    ck_assert_int_eq(once, 12);
}
END_TEST

/* With `compat`, in regions that name no parts, the rate is where the older games' chance
 * settles: one in four comes in two of four. One of which every card is a success must be
 * there. */
START_TEST(older_games_settle_at_the_root)
{
    for (int w = 0; w < 24; w++) {
        scene_setup(&scene, (uint64_t)w, PTL_PLACEMENT_SECTORS);
        scene.region.levelled = true;
        scene.region.parts = w % 2;
        scene.options.compat = w % 4 < 2;
        for (int i = 0; i < PTL_LEVELS; i++)
            scene.region.levels[i] =
                catalogue_oter(&scene.cat, i < 10 ? "empty_rock" : "open_air");
        scene.region.levels[-PTL_Z_MIN] = scene.region.default_ter;
        cat_special *s = scene_special(&scene, "deck", 1, 1, 1, 4);
        cat_special *always = scene_special(&scene, "always", 1, 1, 2, 2);
        s->flags = always->flags = PTL_SPECIAL_UNIQUE;
        scene_open(&scene);
        int placed = 0;
        for (int i = 0; i < 4; i++) {
            scene_chunk(&scene, i % 2, i / 2);
            scene_run(&scene);
            placed += scene_placed(&scene, s);
            ck_assert_int_eq(scene_placed(&scene, always), 1);
        }
        ck_assert_int_eq(placed, scene.options.compat && !scene.region.parts ? 2 : 1);
        scene_close(&scene);
    }
}
END_TEST

/* Homes are spread evenly over the square. */
START_TEST(homes)
{
    int hits[3][3] = {{0}};
    for (int w = 0; w < 900; w++) {
        scene_setup(&scene, (uint64_t)w, PTL_PLACEMENT_QUOTA);
        scene.options.unique_radius = 1;
        scene_special(&scene, "one", 1, 1, 1, 1);
        const gen_config config = {
            .cat = &scene.cat, .seed = (uint64_t)w, .options = scene.options};
        scene.cat.specials = scene.specials;
        const ptl_chunk_pos home = special_home(&config, scene.first);
        hits[home.y + 1][home.x + 1]++;
    }
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            ck_assert_double_eq_tol(hits[y][x], 100, 45);
}
END_TEST

/* Where its home has no room the world has none, and an event says so. */
START_TEST(home_without_room)
{
    scene_setup(&scene, 1, PTL_PLACEMENT_QUOTA);
    scene.options.unique_radius = 0;
    cat_special *s = scene_special(&scene, "one", 2, 2, 1, 1);
    s->flags = PTL_SPECIAL_GLOBALLY_UNIQUE;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
    scene_run(&scene);
    ck_assert_uint_eq(scene_events(&scene, "unique_dropped"), 1);
    ck_assert_uint_eq(scene_events(&scene, "unmet_minimum"), 0);
    ck_assert_int_eq(scene_attempt(&scene, s)->ground, 0);
    scene_close(&scene);
}
END_TEST

static void keep_verdict(void *payload, ptl_verdict verdict)
{
    int *kept = payload;
    kept[0] = (int)verdict;
    kept[1]++;
}

/* The verdict on a special, told once. */
static int verdict_on(const cat_special *s)
{
    int kept[2] = {-1, 0};
    const gen_trace trace = {
        .payload = kept, .special = (uint16_t)(s - scene.specials), .on_verdict = keep_verdict};
    generator_trace(scene.gen, &trace);
    scene_chunk(&scene, 5, 5);
    scene_run(&scene);
    generator_trace(scene.gen, NULL);
    ck_assert_int_eq(kept[1], 1);
    ck_assert_int_eq(kept[0] == PTL_VERDICT_ASKED, scene_attempt(&scene, s) != NULL);
    return kept[0];
}

static void check_verdicts(ptl_placement rule)
{
    static uint64_t out[8];
    scene_setup(&scene, 1, rule);
    cat_special *asked = scene_special(&scene, "asked", 1, 1, 1, 1);
    cat_special *never = scene_special(&scene, "never", 1, 1, 3, 2);
    cat_special *off = scene_special(&scene, "off", 1, 1, 1, 1);
    cat_special *town = scene_special(&scene, "town", 1, 1, 1, 1);
    cat_special *kept_out = scene_special(&scene, "out", 1, 1, 1, 1);
    cat_special *lake = scene_special(&scene, "lake", 1, 1, 1, 1);
    cat_special *river = scene_special(&scene, "river", 1, 1, 1, 1);
    cat_special *ocean = scene_special(&scene, "ocean", 1, 1, 1, 1);
    cat_special *chance = scene_special(&scene, "chance", 1, 1, 0, 100);
    cat_special *away = scene_special(&scene, "away", 1, 1, 1, 1);
    cat_special *script = scene_special(&scene, "script", 1, 1, 1, 1);
    memset(out, 0, sizeof out);
    off->omt_count = 0;
    town->city_sizes.min = 1;
    out[(kept_out - scene.specials) / 64] |= UINT64_C(1) << (kept_out - scene.specials) % 64;
    scene.options.city_size = 0;
    scene.region.excluded = out;
    lake->flags = PTL_SPECIAL_LAKE;
    river->flags = PTL_SPECIAL_RIVER;
    ocean->flags = PTL_SPECIAL_OCEAN;
    chance->flags = PTL_SPECIAL_UNIQUE;
    away->flags = PTL_SPECIAL_GLOBALLY_UNIQUE;
    script->conditional = true;
    scene.options.unique_radius = 0;
    scene_open(&scene);
    ck_assert_int_eq(verdict_on(asked), PTL_VERDICT_ASKED);
    ck_assert_int_eq(verdict_on(never), PTL_VERDICT_NO_OCCURRENCES);
    ck_assert_int_eq(verdict_on(&scene.specials[0]), PTL_VERDICT_NO_OCCURRENCES);
    ck_assert_int_eq(verdict_on(off), PTL_VERDICT_NO_OMTS);
    ck_assert_int_eq(verdict_on(town), PTL_VERDICT_NO_CITIES);
    ck_assert_int_eq(verdict_on(kept_out), PTL_VERDICT_EXCLUDED);
    ck_assert_int_eq(verdict_on(lake), PTL_VERDICT_NO_WATER);
    ck_assert_int_eq(verdict_on(river), PTL_VERDICT_NO_WATER);
    ck_assert_int_eq(verdict_on(ocean), PTL_VERDICT_NO_WATER);
    ck_assert_int_eq(verdict_on(chance), PTL_VERDICT_CHANCE);
    ck_assert_int_eq(verdict_on(away), PTL_VERDICT_NOT_HOME);
    ck_assert_int_eq(verdict_on(script), PTL_VERDICT_CONDITION);
    scene_close(&scene);
}

START_TEST(verdicts)
{
    check_verdicts(PTL_PLACEMENT_QUOTA);
    check_verdicts(PTL_PLACEMENT_SECTORS);
    scene_setup(&scene, 1, PTL_PLACEMENT_QUOTA);
    scene.options.specials_density = 0.0001;
    cat_special *s = scene_special(&scene, "few", 1, 1, 0, 1);
    scene_open(&scene);
    ck_assert_int_eq(verdict_on(s), PTL_VERDICT_AMOUNT);
    scene_close(&scene);
}
END_TEST

/* A lake, a river: asked for. */
START_TEST(water_is_seen)
{
    scene_setup(&scene, 1, PTL_PLACEMENT_QUOTA);
    cat_special *lake = scene_special(&scene, "lake", 1, 1, 1, 1);
    cat_special *river = scene_special(&scene, "river", 1, 1, 1, 1);
    lake->flags = PTL_SPECIAL_LAKE;
    river->flags = PTL_SPECIAL_RIVER;
    scene_open(&scene);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "lake_surface", 179, 179, 179, 179);
    scene_run(&scene);
    ck_assert_int_eq(scene_placed(&scene, lake), 1);
    ck_assert_int_eq(scene_placed(&scene, river), 0);
    scene_chunk(&scene, 0, 0);
    scene_fill(&scene, "river_center", 0, 0, 0, 0);
    scene_run(&scene);
    ck_assert_int_eq(scene_placed(&scene, lake), 0);
    ck_assert_int_eq(scene_placed(&scene, river), 1);
    scene_close(&scene);
}
END_TEST

TCase *rules_unique_case(void)
{
    TCase *tests = tcase_create("unique");
    tcase_add_loop_test(tests, decks, 0, 10);
    tcase_add_test(tests, decks_in_levelled_regions);
    tcase_add_test(tests, older_games_settle_at_the_root);
    tcase_add_test(tests, unique);
    tcase_add_test(tests, the_certain_comes_first);
    tcase_add_test(tests, least_numbers_at_sea);
    tcase_add_test(tests, globally_unique);
    tcase_add_test(tests, homes);
    tcase_add_test(tests, home_without_room);
    tcase_add_test(tests, verdicts);
    tcase_add_test(tests, water_is_seen);
    return tests;
}
