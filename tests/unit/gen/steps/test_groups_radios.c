/*
 * Monster groups and radios: the two steps alone, on chunks made by hand. Means are compared
 * with what the game's own 0.F worlds hold (49 overmaps), spread as the game spreads groups.
 */
#include "gen/pipeline.h"
#include "gen/steps/steps.h"
#include "gen/work/generator.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench {
    gen_config *config;
    generator *gen;
    catalogue cat; /* of today's rules */
    cat_region region;
} bench;

static void bench_open_of(bench *b, uint64_t seed, const catalogue *cat)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = seed;
    ck_assert_int_eq(gen_config_new(&b->config, cat, &options, NULL), PTL_OK);
    b->gen = generator_new(b->config);
    ck_assert_ptr_nonnull(b->gen);
    memset(b->gen->scratch, 0, step_monster_groups.scratch);
}

static void bench_open(bench *b, uint64_t seed)
{
    bench_open_of(b, seed, town_catalogue());
}

/* A region that states its levels, and the options as DDA 0.I ships them. */
static void bench_open_today(bench *b, uint64_t seed, const cat_hordes *hordes)
{
    static const cat_monstergroup sums[] = {{"GROUP_OCEAN_DEEP", 72}, {"GROUP_RIVER", -250}};
    const catalogue *towns = town_catalogue();
    b->cat = *towns;
    b->region = *catalogue_region(towns, "default");
    b->region.levelled = true;
    for (int i = 0; i < PTL_LEVELS; i++)
        b->region.levels[i] = b->region.default_ter;
    b->region.hordes = *hordes;
    b->cat.regions = &b->region;
    b->cat.region_count = 1;
    b->cat.monstergroups = sums;
    b->cat.monstergroup_count = sizeof sums / sizeof *sums;
    bench_open_of(b, seed, &b->cat);
}

/* A chunk of fields, ready for a step. */
static void bench_chunk(bench *b, int32_t x, int32_t y)
{
    static const step_info info = {"test", 0, false};
    generator *g = b->gen;
    ptl_chunk_free(g->chunk);
    g->chunk = chunk_new((ptl_chunk_pos){x, y});
    ck_assert_ptr_nonnull(g->chunk);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&g->chunk->levels[i], b->config->defaults[i]);
    features_reset(&g->features);
    g->running = &info;
    g->ground = cells_at(g, 0);
    ck_assert_ptr_nonnull(g->ground);
}

static void bench_close(bench *b)
{
    ptl_chunk_free(b->gen->chunk);
    b->gen->chunk = NULL;
    generator_free(b->gen);
    gen_config_free(b->config);
}

static void put(bench *b, int32_t x, int32_t y, const char *id)
{
    ptl_oter oter = catalogue_oter(town_catalogue(), id);
    ck_assert_msg(oter != CAT_NONE, "%s", id);
    b->gen->ground[y * SIZE + x] = oter;
}

static void add_city(bench *b, int32_t x, int32_t y, int32_t size)
{
    gen_city *city = features_add_city(&b->gen->features);
    ck_assert_ptr_nonnull(city);
    *city = (gen_city){.name = "", .size = (int16_t)size};
    city->x = city->planned_x = (int16_t)x;
    city->y = city->planned_y = (int16_t)y;
}

/* ---- groups ---- */

/* Submaps with a part of the group, on average: the games' spreading. */
static double spread(const gen_group *group)
{
    double sum = 0, r = group->radius;
    for (int32_t dy = -group->radius; dy <= group->radius; dy++)
        for (int32_t dx = -group->radius; dx <= group->radius; dx++) {
            double distance = floor(sqrt((double)(dx * dx + dy * dy)));
            if (distance > r)
                continue;
            double share = group->population * (r - distance) / r / (3.14159265 * r * r + 1);
            sum += share < 1 ? share : 1;
        }
    return sum;
}

/* Sizes of the cities in the game's 49 overmaps: {size, how many}. */
static const int32_t GAME_CITIES[][2] = {{2, 98},  {3, 48},  {4, 42},  {5, 55},
                                         {6, 51},  {10, 26}, {12, 25}, {13, 30},
                                         {14, 28}, {16, 29}, {18, 24}};
static const double GAME_CHUD = 14176, GAME_SEWER = 71244, GAME_WORM = 968;

START_TEST(city_groups_are_as_many_as_the_games)
{
    enum { ROUNDS = 20 };
    bench b;
    double chud = 0, sewer = 0;
    int32_t cities = 0;
    bench_open(&b, 11);
    for (int round = 0; round < ROUNDS; round++) {
        bench_chunk(&b, round, -round);
        for (size_t i = 0; i < sizeof GAME_CITIES / sizeof GAME_CITIES[0]; i++)
            for (int32_t n = 0; n < GAME_CITIES[i][1]; n++, cities++)
                add_city(&b, (int32_t)i * 7 + 5, n + 5, GAME_CITIES[i][0]);
        step_monster_groups.run(b.gen);
        ck_assert(!b.gen->failed);
        for (size_t i = 0; i < b.gen->features.group_count; i++) {
            const gen_group *group = &b.gen->features.groups[i];
            if (strcmp(group->type, "GROUP_CHUD") == 0)
                chud += spread(group) / ROUNDS;
            if (strcmp(group->type, "GROUP_SEWER") == 0)
                sewer += spread(group) / ROUNDS;
        }
    }
    /* The game's CHUD are one draw of 912, most of it from few large cities: 6 % of error. */
    ck_assert_msg(fabs(chud / GAME_CHUD - 1) < 0.15, "CHUD: %g against %g", chud, GAME_CHUD);
    ck_assert_msg(fabs(sewer / GAME_SEWER - 1) < 0.04, "sewer: %g, %g", sewer, GAME_SEWER);
    bench_close(&b);
}
END_TEST

START_TEST(city_groups_lie_under_their_city)
{
    bench b;
    int32_t chud[2] = {0, 0}, sewers = 0;
    enum { CITIES_MADE = 3000 };
    bench_open(&b, (uint64_t)_i);
    bench_chunk(&b, 3, 4);
    for (int32_t i = 0; i < CITIES_MADE; i++)
        add_city(&b, i % 170 + 5, i / 170 + 5, i % 18 + 1);
    step_monster_groups.run(b.gen);
    for (size_t i = 0; i < b.gen->features.group_count; i++) {
        const gen_group *group = &b.gen->features.groups[i];
        bool is_chud = strcmp(group->type, "GROUP_CHUD") == 0;
        if (!is_chud && strcmp(group->type, "GROUP_SEWER") != 0)
            continue;
        int32_t n = (group->y / 2 - 5) * 170 + group->x / 2 - 5;
        int32_t size = n % 18 + 1;
        ck_assert_int_eq(group->radius, is_chud ? size : 7 * size / 2);
        ck_assert_int_eq(group->population, is_chud ? 20 * size : 70 * size);
        ck_assert(group->z == -1 || (is_chud && group->z == -2));
        ck_assert(!group->horde && !group->diffuse);
        if (is_chud)
            chud[-group->z - 1]++;
        else
            sewers++;
    }
    for (int i = 0; i < 2; i++)
        ck_assert_int_lt(abs(chud[i] - CITIES_MADE / 3), 130); /* 5 sigma */
    ck_assert_int_lt(abs(sewers - CITIES_MADE * 7 / 8), 92);
    bench_close(&b);
}
END_TEST

static size_t rivers_of(const bench *b, const gen_group **first)
{
    size_t count = 0;
    for (size_t i = 0; i < b->gen->features.group_count; i++)
        if (strcmp(b->gen->features.groups[i].type, "GROUP_RIVER") == 0 && count++ == 0)
            *first = &b->gen->features.groups[i];
    return count;
}

START_TEST(river_groups_need_water)
{
    static const char *const water[] = {"river_center", "river_ne", "lake_surface",
                                        "lake_shore"};
    bench b;
    const gen_group *first = NULL;
    int64_t sum = 0;
    bench_open(&b, 5);
    for (int32_t cells = 23; cells <= 49; cells++) {
        bench_chunk(&b, cells, 0);
        for (int32_t i = 0; i < cells; i++) /* block 2,3 */
            put(&b, 14 + i % 7, 21 + i / 7, water[i % 4]);
        step_monster_groups.run(b.gen);
        ck_assert_uint_eq(rivers_of(&b, &first), cells >= 25);
        if (cells < 25)
            continue;
        ck_assert_int_eq(first->x, 2 * 17);
        ck_assert_int_eq(first->y, 2 * 24);
        ck_assert_int_eq(first->z, 0);
        ck_assert_int_eq(first->radius, 3);
        ck_assert_int_ge(first->population, 8 * cells);
        ck_assert_int_le(first->population, 25 * cells);
    }
    bench_chunk(&b, 0, 0);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        put(&b, i % SIZE, i / SIZE, "lake_surface");
    step_monster_groups.run(b.gen);
    ck_assert_uint_eq(rivers_of(&b, &first), 25 * 25);
    for (size_t i = 0; i < 25 * 25; i++)
        sum += first[i].population;
    ck_assert_int_lt(llabs(sum - (int64_t)(16.5 * 49 * 25 * 25)), 30000); /* 5 sigma */
    /* Each is spread over 25 submaps, as in the game's worlds. */
    ck_assert(fabs(spread(first) - 25) < 1e-9);
    bench_close(&b);
}
END_TEST

START_TEST(worms_are_as_many_as_the_games)
{
    enum { CHUNKS = 2000 };
    bench b;
    double submaps = 0;
    int32_t counts[4] = {0};
    bench_open(&b, 99);
    bench_chunk(&b, 0, 0);
    for (int32_t n = 0; n < CHUNKS; n++) {
        b.gen->chunk->pos = (ptl_chunk_pos){n % 50, n / 50};
        features_reset(&b.gen->features);
        step_monster_groups.run(b.gen);
        const gen_features *f = &b.gen->features;
        ck_assert_uint_le(f->group_count, 3);
        counts[f->group_count]++;
        for (size_t i = 0; i < f->group_count; i++) {
            const gen_group *group = &f->groups[i];
            ck_assert_str_eq(group->type, "GROUP_WORM");
            ck_assert(group->x >= 0 && group->x < 2 * SIZE && group->y >= 0 &&
                      group->y < 2 * SIZE && group->z == 0);
            ck_assert(group->radius >= 20 && group->radius <= 40);
            ck_assert(group->population >= 30 && group->population <= 50);
            submaps += spread(group);
        }
    }
    for (int i = 0; i < 4; i++)
        ck_assert_int_lt(abs(counts[i] - CHUNKS / 4), 100);
    /* The game's 49 overmaps are one draw of some 73 groups. */
    ck_assert(fabs(submaps / CHUNKS / (GAME_WORM / 49) - 1) < 0.2);
    bench_close(&b);
}
END_TEST

/* ---- today's ---- */

static const cat_hordes HORDES = {.threshold = 4, .chance = 16, .spread = 1.5, .scalar = 80};

/* Streets on each third row and column. */
static void put_streets(bench *b)
{
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        if (i % SIZE % 3 == 0 || i / SIZE % 3 == 0)
            put(b, i % SIZE, i / SIZE, "road_nesw");
}

/* Of a horde's groups, how many lie on each cell; all lie on streets, on submaps of their own.
 */
static size_t take_horde(const bench *b, uint8_t cells[SIZE * SIZE], int64_t *population)
{
    static uint8_t submaps[4 * SIZE * SIZE];
    size_t count = 0;
    memset(submaps, 0, sizeof submaps);
    memset(cells, 0, SIZE * SIZE);
    *population = 0;
    for (size_t i = 0; i < b->gen->features.group_count; i++) {
        const gen_group *group = &b->gen->features.groups[i];
        if (strcmp(group->type, "GROUP_ZOMBIE") != 0)
            continue;
        const int32_t cell = group->y / 2 * SIZE + group->x / 2;
        ck_assert(group->horde && group->radius == 1 && group->z == 0);
        ck_assert_int_le(++submaps[group->y * 2 * SIZE + group->x], 1);
        ck_assert_str_eq(b->cat.oters[b->gen->ground[cell]].id, "road_nesw");
        *population += group->population;
        cells[cell]++;
        count++;
    }
    return count;
}

/* 80 zombies for each step of size, ten in a group, on the streets within one and a half of it:
 * so are all 89 of such cities in 0.I's worlds that no other one's reach. In each quarter of
 * the way out a street has a submap less. */
START_TEST(hordes_are_on_the_streets_of_their_city)
{
    bench b;
    uint8_t cells[SIZE * SIZE];
    bench_open_today(&b, (uint64_t)_i, &HORDES);
    for (int32_t size = 5; size <= 16; size++) {
        int64_t population;
        const int32_t radius = 3 * size / 2, quarter = (radius + 3) / 4;
        bench_chunk(&b, size, 0);
        put_streets(&b);
        add_city(&b, 90, 90, size);
        step_monster_groups.run(b.gen);
        ck_assert_uint_eq(take_horde(&b, cells, &population), (size_t)(8 * size));
        ck_assert_int_eq(population, 80 * size);
        for (int32_t i = 0; i < SIZE * SIZE; i++) {
            const int32_t dx = i % SIZE - 90, dy = i / SIZE - 90;
            const int32_t quarters = (int32_t)(sqrt((double)(dx * dx + dy * dy)) / quarter);
            const bool near = abs(dx) <= radius && abs(dy) <= radius;
            ck_assert_int_le(cells[i], near && quarters < 4 ? 4 - quarters : 0);
        }
    }
    bench_close(&b);
}
END_TEST

/* One street's cell has four submaps: more groups than that begin anew. A horde without streets
 * is not there, nor is any where the threshold is below 0. */
START_TEST(hordes_of_odd_cities)
{
    cat_hordes hordes = HORDES;
    for (int round = 0; round < 3; round++) {
        bench b;
        size_t groups = 0, least = 100;
        uint8_t submaps[4] = {0};
        hordes.threshold = round == 2 ? -1 : 4;
        hordes.scalar = 80.5;
        bench_open_today(&b, 3, &hordes);
        bench_chunk(&b, 0, 0);
        add_city(&b, 3, 3, 5);
        if (round != 1)
            put(&b, 3, 3, "road_nesw");
        step_monster_groups.run(b.gen);
        for (size_t i = 0; i < b.gen->features.group_count; i++) {
            const gen_group *group = &b.gen->features.groups[i];
            if (!group->horde)
                continue;
            groups++;
            least = (size_t)group->population < least ? (size_t)group->population : least;
            ck_assert(group->x / 2 == 3 && group->y / 2 == 3);
            submaps[group->y % 2 * 2 + group->x % 2]++;
        }
        ck_assert_uint_eq(groups, round == 0 ? 41 : 0); /* 402 of them */
        if (round == 0)
            ck_assert_uint_eq(least, 2);
        for (int i = 0; i < 4 && round == 0; i++)
            ck_assert(submaps[i] == 10 || submaps[i] == 11);
        bench_close(&b);
    }
}
END_TEST

/* Small cities have a horde one time in 16; each has its subway, and there is nothing that only
 * older games have. */
START_TEST(small_cities_and_subways)
{
    bench b;
    enum { CITIES_MADE = 8000 };
    int32_t hordes = 0, subways = 0;
    bench_open_today(&b, 21, &HORDES);
    bench_chunk(&b, 0, 0);
    put_streets(&b);
    for (int32_t i = 0; i < CITIES_MADE; i++)
        add_city(&b, i % 170 + 5, i / 170 + 5, i % 3 + 2);
    step_monster_groups.run(b.gen);
    for (size_t i = 0; i < b.gen->features.group_count; i++) {
        const gen_group *group = &b.gen->features.groups[i];
        if (group->horde) {
            hordes += group->population;
            continue;
        }
        const int32_t n = (group->y / 2 - 5) * 170 + group->x / 2 - 5, size = n % 3 + 2;
        ck_assert_str_eq(group->type, "GROUP_SUBWAY_CITY");
        ck_assert(group->z == -2 && group->radius == 2 * size &&
                  group->population == 2 * size * size);
        subways++;
    }
    ck_assert_int_eq(subways, CITIES_MADE);
    /* 240 zombies each on average: 5 sigma. */
    ck_assert_int_lt(abs(hordes - CITIES_MADE / 16 * 240), 27500);
    bench_close(&b);
}
END_TEST

/* Waters have as many thousandths as their group's chances add up to, and only blocks whose
 * middle is water have any. */
START_TEST(waters_of_today)
{
    bench b;
    const gen_group *first = NULL;
    int64_t sum = 0;
    bench_open_today(&b, 5, &HORDES);
    bench_chunk(&b, 0, 0);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        put(&b, i % SIZE, i / SIZE, "lake_surface");
    put(&b, 3, 3, "field");
    step_monster_groups.run(b.gen);
    ck_assert_uint_eq(rivers_of(&b, &first), 25 * 25 - 1);
    for (size_t i = 0; i < 25 * 25 - 1; i++) {
        ck_assert_int_ge(first[i].population, 8 * 49 / 4);
        ck_assert_int_le(first[i].population, (25 * 49 + 2) / 4);
        sum += first[i].population;
    }
    ck_assert_uint_eq(b.gen->features.group_count, 25 * 25 - 1);
    ck_assert_int_lt(llabs(sum - (int64_t)(16.5 * 49 * 624 / 4)), 7500); /* 5 sigma */
    bench_close(&b);
}
END_TEST

/* ---- radios ---- */

START_TEST(each_tower_gets_a_radio)
{
    enum { TOWERS = 3000 };
    bench b;
    int32_t weather = 0, low = 0, high = 0, texts[3] = {0};
    double strength = 0;
    const cat_texts *archive = &town_catalogue()->radio_texts;
    bench_open(&b, (uint64_t)_i);
    bench_chunk(&b, 1, 2);
    for (int32_t i = 0; i < TOWERS; i++)
        put(&b, i % 180, i / 180 * 3, i % 2 ? "radio_tower_north" : "radio_tower_west");
    step_radios.run(b.gen);
    const gen_features *f = &b.gen->features;
    ck_assert_uint_eq(f->radio_count, TOWERS);
    for (size_t i = 0; i < f->radio_count; i++) {
        const gen_radio *radio = &f->radios[i];
        int32_t n = radio->y / 2 / 3 * 180 + radio->x / 2;
        ck_assert(n >= 0 && n < TOWERS && radio->y % 6 == 0 && radio->x % 2 == 0);
        ck_assert(radio->strength >= 80 && radio->strength <= 200);
        ck_assert_int_ge(radio->frequency, 0);
        strength += radio->strength;
        low += radio->strength == 80;
        high += radio->strength == 200;
        weather += radio->weather;
        ck_assert_int_eq(radio->weather, radio->message[0] == '\0');
        for (int t = 0; t < 3; t++)
            texts[t] += radio->message == archive->texts[t];
    }
    ck_assert_int_lt(abs(weather - TOWERS / 3), 130);
    ck_assert_int_eq(weather + texts[0] + texts[1] + texts[2], TOWERS);
    ck_assert(fabs(strength / TOWERS - 140) < 3.3); /* 5 sigma */
    ck_assert(low > 0 && high > 0);
    /* weights 1, 2, 1 */
    ck_assert_int_lt(abs(texts[0] - TOWERS / 6), 110);
    ck_assert_int_lt(abs(texts[1] - TOWERS / 3), 135);
    bench_close(&b);
}
END_TEST

/* A tower's radio is its own: others beside it change nothing. */
START_TEST(radios_do_not_depend_on_each_other)
{
    bench b;
    bench_open(&b, 8);
    bench_chunk(&b, -3, 7);
    put(&b, 100, 90, "radio_tower_south");
    step_radios.run(b.gen);
    ck_assert_uint_eq(b.gen->features.radio_count, 1);
    gen_radio alone = b.gen->features.radios[0];
    bench_chunk(&b, -3, 7);
    put(&b, 100, 90, "radio_tower_south");
    put(&b, 20, 10, "radio_tower_south");
    step_radios.run(b.gen);
    ck_assert_uint_eq(b.gen->features.radio_count, 2);
    const gen_radio *second = &b.gen->features.radios[1];
    ck_assert_int_eq(second->x, alone.x);
    ck_assert_int_eq(second->strength, alone.strength);
    ck_assert_int_eq(second->frequency, alone.frequency);
    ck_assert_str_eq(second->message, alone.message);
    ck_assert_int_ne(b.gen->features.radios[0].frequency, alone.frequency);
    bench_close(&b);
}
END_TEST

/* Shelters and camps are not in the town catalogue: two of its types take their names. */
START_TEST(shelters_and_camps_tell_where_they_are)
{
    bench b;
    bench_open(&b, 8);
    const catalogue *cat = town_catalogue();
    uint8_t *kinds = b.config->cell_kinds;
    kinds[catalogue_oter(cat, "shop_north")] = CELL_RADIO_SHELTER;
    kinds[catalogue_oter(cat, "park")] = CELL_RADIO_CAMP;
    int32_t weakest = 1000, strongest = 0;
    bench_chunk(&b, 0, 0);
    for (int32_t i = 0; i < 2000; i++)
        put(&b, i % 180, i / 180, "shop_north");
    put(&b, 17, 123, "park");
    step_radios.run(b.gen);
    const gen_features *f = &b.gen->features;
    ck_assert_uint_eq(f->radio_count, 2001);
    for (size_t i = 0; i < 2000; i++) {
        char place[32];
        const gen_radio *radio = &f->radios[i];
        snprintf(place, sizeof place, " %d-%d ", radio->x / 2, radio->y / 2);
        ck_assert(!radio->weather && strstr(radio->message, place));
        weakest = radio->strength < weakest ? radio->strength : weakest;
        strongest = radio->strength > strongest ? radio->strength : strongest;
    }
    ck_assert_int_eq(weakest, 40);
    ck_assert_int_eq(strongest, 100);
    ck_assert_ptr_nonnull(strstr(f->radios[2000].message, " 17-123 "));
    ck_assert_int_ge(f->radios[2000].strength, 80);
    bench_close(&b);
}
END_TEST

START_TEST(kinds_follow_flags_and_prefixes)
{
    const catalogue *cat = town_catalogue();
    uint8_t *kinds = cell_kinds_compile(cat);
    ck_assert_ptr_nonnull(kinds);
    ck_assert_uint_eq(kinds[catalogue_oter(cat, "field")], 0);
    ck_assert_uint_eq(kinds[catalogue_oter(cat, "lake_shore")], CELL_WATER);
    ck_assert_uint_eq(kinds[catalogue_oter(cat, "river_ne")], CELL_WATER);
    for (size_t i = 0; i < cat->oter_count; i++)
        ck_assert_int_eq((kinds[i] & CELL_RADIO) != 0,
                         strncmp(cat->oters[i].id, "radio_tower", 11) == 0);
    free(kinds);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("groups_radios");
    TCase *tcase = tcase_create("groups_radios");
    tcase_add_test(tcase, city_groups_are_as_many_as_the_games);
    tcase_add_loop_test(tcase, city_groups_lie_under_their_city, 0, 3);
    tcase_add_test(tcase, river_groups_need_water);
    tcase_add_test(tcase, worms_are_as_many_as_the_games);
    tcase_add_loop_test(tcase, hordes_are_on_the_streets_of_their_city, 0, 3);
    tcase_add_test(tcase, hordes_of_odd_cities);
    tcase_add_test(tcase, small_cities_and_subways);
    tcase_add_test(tcase, waters_of_today);
    tcase_add_loop_test(tcase, each_tower_gets_a_radio, 0, 3);
    tcase_add_test(tcase, radios_do_not_depend_on_each_other);
    tcase_add_test(tcase, shelters_and_camps_tell_where_they_are);
    tcase_add_test(tcase, kinds_follow_flags_and_prefixes);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
