/*
 * Natural ground that is drawn many numbers at a time is what schema/mapgen.md says when each
 * number is drawn by itself: over seeds and over contents of odd shapes the maps here, which
 * are made so, are those of ground_make.
 */
#include "mapgen/ground/draws.h"
#include "mapgen/ground/ground.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "json/reader.h"

#include <check.h>
#include <string.h>

/* ---- streams ---- */

START_TEST(all_kernels_find_the_same)
{
    const uint64_t seeds = (uint64_t)test_seeds(50);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        uint64_t base[DRAWS], best[DRAWS];
        rng r = rng_from_key(seed);
        draws_find_base(base, r.state);
        draws_best()(best, r.state);
        ck_assert_mem_eq(base, best, sizeof base);
        for (size_t i = 0; i < DRAWS; i++)
            ck_assert_uint_eq(base[i], rng_next(&r));
    }
}
END_TEST

/* Whatever is drawn and passed over, the numbers are the stream's, and so is what comes behind
 * them. */
START_TEST(draws_are_the_stream)
{
    const uint64_t seeds = (uint64_t)test_seeds(50);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        enum { STEPS = 200, PASSED_MAX = 3 * DRAWS };
        rng choices = rng_from_key(seed), plain = rng_from_key(seed + 1000);
        draws d;
        draws_begin(&d, &plain);
        ck_assert_uint_eq(draws_end(&d).state, plain.state);
        for (int i = 0; i < STEPS; i++) {
            const uint32_t passed = rng_below(&choices, PASSED_MAX);
            if (rng_one_in(&choices, 3)) {
                draws_pass(&d, passed);
                for (uint32_t k = 0; k < passed; k++)
                    (void)rng_next(&plain);
            } else if (rng_one_in(&choices, 2)) {
                ck_assert_uint_eq(draws_below(&d, passed), rng_below(&plain, passed));
            } else {
                ck_assert_uint_eq(draws_next(&d), rng_next(&plain));
            }
            ck_assert_uint_eq(draws_end(&d).state, plain.state);
        }
    }
}
END_TEST

/* ---- contents ---- */

static id_pool *pool;
static arena *memory;
static ground_settings settings;

#define PSEUDO                                                                                 \
    "{\"terrain\":{\"t_region_cover\":{\"t_grass\":12,\"t_dead\":2,\"t_dirt\":1},"             \
    "\"t_region_tree\":{\"t_oak\":2,\"t_region_more\":1,\"t_ash\":5,\"t_fir\":0.5},"           \
    "\"t_region_more\":{\"t_pine\":1},\"t_region_none\":{},"                                   \
    "\"t_region_loop\":{\"t_region_loop\":1},\"t_region_8\":{\"t_region_7\":1},"               \
    "\"t_region_7\":{\"t_region_6\":1},\"t_region_6\":{\"t_region_5\":1},"                     \
    "\"t_region_5\":{\"t_region_4\":1},\"t_region_4\":{\"t_region_3\":1},"                     \
    "\"t_region_3\":{\"t_region_2\":1},\"t_region_2\":{\"t_region_1\":1},"                     \
    "\"t_region_1\":{\"t_deep\":1,\"t_deeper\":1}},"                                           \
    "\"furniture\":{\"f_region_plant\":{\"f_cattail\":1,\"f_lotus\":2}}}"

#define FIELD                                                                                  \
    "{\"percent_coverage\":2.5,\"default_ter\":\"t_region_tree\",\"other\":{\"f_weed\":40,"    \
    "\"t_region_tree\":20.25},\"boost_chance\":30,\"boosted_percent_coverage\":33.3333,"       \
    "\"boosted_other\":{\"t_berry\":1,\"f_region_plant\":3},\"boosted_other_percent\":50}"

#define FOREST(cover)                                                                          \
    "{\"forest\":{\"item_group\":\"forest\",\"item_group_chance\":60,"                         \
    "\"item_spawn_iterations\":2,\"groundcover\":" cover ",\"components\":{"                   \
    "\"later\":{\"sequence\":1,\"chance\":2,\"types\":{\"f_region_plant\":1,\"t_oak\":3}},"    \
    "\"never\":{\"sequence\":-1,\"chance\":0,\"types\":{\"t_never\":1}},"                      \
    "\"loop\":{\"sequence\":2,\"chance\":3,\"types\":{\"t_region_loop\":1}},"                  \
    "\"last\":{\"sequence\":4,\"chance\":1,\"types\":{}},"                                     \
    "\"trees\":{\"sequence\":0,\"chance\":7,\"types\":{\"t_region_tree\":1}}},"                \
    "\"terrain_furniture\":{\"t_grass\":{\"chance\":9,\"furniture\":{\"f_stone\":1}},"         \
    "\"t_oak\":{\"chance\":1,\"furniture\":{\"f_region_plant\":1}},"                           \
    "\"t_ash\":{\"chance\":0,\"furniture\":{\"f_never\":1}}}},"                                \
    "\"forest_thick\":{\"groundcover\":{\"t_moss\":1},\"components\":{"                        \
    "\"trees\":{\"sequence\":0,\"chance\":3,\"types\":{\"t_region_tree\":1}}}}}"

/* Covers of one and of several, that stand for others, for nothing, and of furniture; of eight
 * and of nine pseudo ids behind one another the last is nothing. */
static const char *const covers[] = {"{\"t_region_cover\":1}",
                                     "{\"t_moss\":1}",
                                     "{\"t_moss\":1,\"t_grass\":2}",
                                     "{\"t_moss\":1,\"t_region_cover\":2}",
                                     "{\"t_moss\":1,\"f_region_plant\":2}",
                                     "{\"f_region_plant\":1}",
                                     "{\"t_region_loop\":1}",
                                     "{\"t_region_none\":1}",
                                     "{}",
                                     "{\"t_region_7\":1}",
                                     "{\"t_region_8\":1}",
                                     "{\"t_region_6\":1}",
                                     "{\"t_region_more\":1}",
                                     "{\"t_moss\":1,\"t_oak\":1,\"t_elm\":0.001,\"t_x\":9}"};
enum { COVERS = sizeof covers / sizeof covers[0] };

static const char *const forests[COVERS] = {
    FOREST("{\"t_region_cover\":1}"),
    FOREST("{\"t_moss\":1}"),
    FOREST("{\"t_moss\":1,\"t_grass\":2}"),
    FOREST("{\"t_moss\":1,\"t_region_cover\":2}"),
    FOREST("{\"t_moss\":1,\"f_region_plant\":2}"),
    FOREST("{\"f_region_plant\":1}"),
    FOREST("{\"t_region_loop\":1}"),
    FOREST("{\"t_region_none\":1}"),
    FOREST("{}"),
    FOREST("{\"t_region_7\":1}"),
    FOREST("{\"t_region_8\":1}"),
    FOREST("{\"t_region_6\":1}"),
    FOREST("{\"t_region_more\":1}"),
    FOREST("{\"t_moss\":1,\"t_oak\":1,\"t_elm\":0.001,\"t_x\":9}")};

static void read_block(const char *name, const char *text)
{
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(reader && json_reader_whole(reader, text, strlen(text), NULL));
    const json_document document = json_reader_document(reader);
    ck_assert(ground_settings_read(&settings, pool, memory, name, json_view_of(&document)));
    json_reader_free(reader);
}

static void set_up(int cover)
{
    pool = id_pool_new();
    memory = arena_new();
    settings = (ground_settings){0};
    ck_assert(pool && memory);
    read_block("default_groundcover", covers[cover]);
    read_block("field_coverage", FIELD);
    read_block("forest_mapgen_settings", forests[cover]);
    read_block("region_terrain_and_furniture", PSEUDO);
}

static void tear_down(void)
{
    arena_free(memory);
    id_pool_free(pool);
}

static uint32_t id_of(const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

/* ---- the same, number by number ---- */

/* The first item whose running sum is beyond the part of the sum that was drawn. */
static const ground_choice *choose(const ground_weights *w, rng *r)
{
    if (w->count == 0)
        return NULL;
    const double at = (double)(rng_next(r) >> 11) * 0x1p-53 * w->items[w->count - 1].upto;
    uint32_t i = 0;
    while (i + 1 < w->count && w->items[i].upto <= at)
        i++;
    return &w->items[i];
}

static uint32_t stands_for(uint32_t id, rng *r)
{
    for (int depth = 0; depth < 8; depth++) {
        const ground_weights *w = ground_pseudo_of(&settings, id);
        const ground_choice *c = w ? choose(w, r) : NULL;
        if (!w)
            return id;
        id = c ? c->id : ID_NONE;
    }
    return ID_NONE;
}

static bool drawn(const ground_weights *w, rng *r, uint32_t *id, bool *furniture)
{
    const ground_choice *c = choose(w, r);
    if (!c)
        return false;
    *furniture = c->furniture;
    *id = stands_for(c->id, r);
    return *id != ID_NONE;
}

static bool percent(rng *r, double wanted)
{
    return wanted * 10000 > (double)rng_below(r, 1000000);
}

static uint32_t cover(rng *r)
{
    uint32_t id = ID_NONE;
    bool furniture = false;
    return drawn(&settings.cover, r, &id, &furniture) && !furniture ? id : id_of("t_grass");
}

static void put(local_map *map, int cell, uint32_t id, bool furniture)
{
    if (furniture)
        map->furniture[cell] = id;
    else
        map->terrain[cell] = id;
}

static void items(local_map *map, rng *r, const char *group)
{
    if ((int)rng_below(r, 100) >= 60)
        return;
    local_entity e = {.kind = LOCAL_ITEM_GROUP, .id = id_of(group), .count = 1};
    e.x = e.x2 = (uint8_t)rng_below(r, LOCAL_SIDE);
    e.y = e.y2 = (uint8_t)rng_below(r, LOCAL_SIDE);
    local_map_add(map, &e);
}

static void plant_field(local_map *map, rng *r)
{
    const ground_field *f = &settings.field;
    const bool boosted = percent(r, f->boost_chance);
    uint32_t most = ID_NONE;
    bool most_furniture = false;
    if (boosted)
        drawn(&f->boosted_other, r, &most, &most_furniture);
    for (int i = 0; i < LOCAL_CELLS; i++)
        map->terrain[i] = cover(r);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        uint32_t id = most;
        bool furniture = most_furniture, there = true;
        if (!percent(r, boosted ? f->boosted_percent : f->percent))
            continue;
        if (most != ID_NONE && percent(r, f->boosted_other_percent)) {
            put(map, i, id, furniture);
        } else if (!percent(r, f->other_percent)) {
            id = stands_for(f->plain, r);
            furniture = false;
            there = id != ID_NONE;
        } else {
            there = drawn(&f->other, r, &id, &furniture);
        }
        if (there)
            put(map, i, id, furniture);
    }
    items(map, r, "field");
}

static const ground_biome *biome(const char *type)
{
    for (uint32_t i = 0; i < settings.biome_count; i++)
        if (settings.biomes[i].terrain == id_of(type))
            return &settings.biomes[i];
    return NULL;
}

static void cover_tile(local_map *map, rng *r, const ground_biome *own, int i)
{
    uint32_t id = ID_NONE;
    bool furniture = false;
    if (!drawn(&own->cover, r, &id, &furniture) || furniture)
        id = cover(r);
    map->terrain[i] = id;
}

static void plant_tile(local_map *map, rng *r, const ground_biome *own, const ground_biome *b,
                       int i)
{
    uint32_t id = ID_NONE;
    bool furniture = false, done = false;
    for (uint32_t k = 0; b && k < b->component_count && !done; k++) {
        done = rng_one_in(r, b->components[k].chance);
        if (done && drawn(&b->components[k].types, r, &id, &furniture))
            put(map, i, id, furniture);
    }
    const uint32_t here = map->terrain[i];
    for (uint32_t k = 0; k < own->dressing_count; k++)
        if (own->dressings[k].terrain == here && rng_one_in(r, own->dressings[k].chance) &&
            drawn(&own->dressings[k].furniture, r, &id, &furniture))
            map->furniture[i] = id;
}

/* A neighbour is felt for ten tiles, by a tenth of 62 percent more with each towards it. */
static const ground_biome *felt(const ground_site *site, rng *r, const ground_biome *own, int i)
{
    static const int beside[] = {1, 5, 7, 3};
    const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
    const int away[] = {y, LOCAL_SIDE - 1 - x, LOCAL_SIDE - 1 - y, x};
    for (int side = 0; side < 4; side++) {
        const ground_biome *there = biome(site->around[beside[side]].type);
        if (there != own && away[side] < 10 && (int)rng_below(r, 1000) < 62 * (10 - away[side]))
            return there;
    }
    return own;
}

static void plant_forest(local_map *map, rng *r, const ground_site *site)
{
    const ground_biome *own = biome("forest");
    for (int i = 0; i < LOCAL_CELLS; i++) {
        cover_tile(map, r, own, i);
        plant_tile(map, r, own, felt(site, r, own, i), i);
    }
    for (int i = 0; i < 2; i++)
        items(map, r, "forest");
}

/* ---- both ---- */

static void make_reference(local_map *map, const ground_site *site)
{
    const char *type = site->around[GROUND_MIDDLE].type;
    rng r = rng_from_key(hash_add(site->key, hash_string("ground")));
    local_map_init(map);
    if (strcmp(type, "forest") == 0)
        plant_forest(map, &r, site);
    else
        plant_field(map, &r);
}

static ground_site site_of(const char *type, uint64_t seed)
{
    static const char *const around[] = {"forest", "field", "forest_thick"};
    ground_site s = {.settings = &settings, .pool = pool, .key = hash_add(7, seed)};
    rng r = rng_from_key(seed);
    const bool alike = rng_one_in(&r, 3);
    for (int i = 0; i < GROUND_AROUND; i++) {
        const char *there = alike || i == GROUND_MIDDLE ? type : around[rng_below(&r, 3)];
        s.around[i] = (ground_omt){.id = there, .type = there};
    }
    s.above = s.below = (ground_omt){.id = "", .type = ""};
    return s;
}

static void check_same(const local_map *a, const local_map *b, int content, uint64_t seed)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        if (a->terrain[i] != b->terrain[i] || a->furniture[i] != b->furniture[i])
            ck_abort_msg("content %d, seed %d, cell %d: %s and %s, for %s and %s", content,
                         (int)seed, i, id_pool_text(pool, a->terrain[i]),
                         id_pool_text(pool, a->furniture[i]), id_pool_text(pool, b->terrain[i]),
                         id_pool_text(pool, b->furniture[i]));
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        ck_assert_uint_eq(a->entities[i].id, b->entities[i].id);
        ck_assert_int_eq(a->entities[i].x, b->entities[i].x);
        ck_assert_int_eq(a->entities[i].y, b->entities[i].y);
    }
}

static void compare(const char *type, int content, uint64_t seed)
{
    local_map made, reference;
    const ground_site site = site_of(type, seed);
    local_map_init(&made);
    ck_assert(ground_make(&made, &site, type));
    make_reference(&reference, &site);
    check_same(&made, &reference, content, seed);
    local_map_dispose(&made);
    local_map_dispose(&reference);
}

START_TEST(natural_ground_is_drawn_number_by_number)
{
    const uint64_t seeds = (uint64_t)test_seeds(20);
    set_up(_i);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        compare("forest", _i, seed);
        compare("field", _i, seed);
    }
    ck_assert_int_eq(id_pool_failed(pool), 0);
    tear_down();
}
END_TEST

/* A component or a piece of furniture without a chance is none. */
START_TEST(what_has_no_chance_is_left_out)
{
    set_up(0);
    const ground_biome *b = biome("forest");
    ck_assert_uint_eq(b->component_count, 4);
    ck_assert_uint_eq(b->dressing_count, 2);
    for (uint32_t i = 0; i < b->component_count; i++)
        ck_assert_int_gt(b->components[i].chance, 0);
    tear_down();
}
END_TEST

/* Whole numbers are cut to a million either way; what is none counts as absent. */
START_TEST(numbers_have_ends)
{
    static const struct {
        const char *block;
        int32_t variance, width_max;
    } cases[] = {
        {"{\"trail_center_variance\":1000000,\"trail_width_offset_max\":-1000000}", 1000000,
         -1000000},
        {"{\"trail_center_variance\":1000001,\"trail_width_offset_max\":-1000001}", 1000000,
         -1000000},
        {"{\"trail_center_variance\":4294967297,\"trail_width_offset_max\":-4294967297}",
         1000000, -1000000},
        {"{\"trail_center_variance\":2.5,\"trail_width_offset_max\":\"9\"}", 0, 3},
        {"{}", 0, 3}};
    set_up(0);
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert(reader != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ground_settings read = {0};
        ck_assert(json_reader_whole(reader, cases[i].block, strlen(cases[i].block), NULL));
        const json_document document = json_reader_document(reader);
        ck_assert(ground_settings_read(&read, pool, memory, "forest_trail_settings",
                                       json_view_of(&document)));
        ck_assert_int_eq(read.trail.variance, cases[i].variance);
        ck_assert_int_eq(read.trail.width_max, cases[i].width_max);
    }
    json_reader_free(reader);
    tear_down();
}
END_TEST

/* ---- forests that blend into their neighbours ---- */

/* Each tile of `light` and of `dense` gets a tree of its own, on moss of its own. */
#define BIOME(name, list, dense, cover, tree)                                                  \
    "\"" name "\":{\"terrains\":" list ",\"sparseness_adjacency_factor\":" dense               \
    ",\"groundcover\":{\"" cover "\":1},\"components\":{\"trees\":{\"sequence\":0,"            \
    "\"chance\":1,\"types\":{\"" tree "\":1}}}}"
#define BLENDED                                                                                \
    "{" BIOME("light", "[\"forest\"]", "3", "t_moss", "f_oak") "," BIOME(                      \
        "dense", "[\"forest_thick\",\"bank\",\"lake_shore\"]", "4", "t_fern", "f_fir") "}"

static void set_up_blended(void)
{
    pool = id_pool_new();
    memory = arena_new();
    settings = (ground_settings){0};
    ck_assert(pool && memory);
    read_block("default_groundcover", "{\"t_grass\":1}");
    read_block("forest_mapgen_settings", BLENDED);
}

/* Makes a forest with the given neighbours in the north and elsewhere, at a place of a row. */
static void make_blended(local_map *map, const char *type, const char *north,
                         const char *others, int64_t x, uint64_t seed, uint64_t number)
{
    ground_site s = {.settings = &settings, .pool = pool, .x = x, .y = 5};
    s.seed_key = seed;
    s.key = hash_add(hash_add(seed, number), (uint64_t)x);
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] =
            (ground_omt){.id = i < 3 ? north : others, .type = i < 3 ? north : others};
    s.around[GROUND_MIDDLE] = (ground_omt){.id = type, .type = type};
    s.above = s.below = (ground_omt){.id = "", .type = ""};
    local_map_init(map);
    ck_assert(ground_make(map, &s, type));
}

/* The share of tiles in some rows that have the terrain or furniture, over many maps. */
static double share_of(const char *id, const char *type, const char *north, const char *others,
                       int first, int last)
{
    enum { MAPS = 200 };
    const uint32_t wanted = id_of(id);
    int count = 0;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        local_map map;
        make_blended(&map, type, north, others, 3, seed, 0);
        for (int i = first * LOCAL_SIDE; i < (last + 1) * LOCAL_SIDE; i++)
            count += map.terrain[i] == wanted || map.furniture[i] == wanted;
        local_map_dispose(&map);
    }
    return count / (double)(MAPS * LOCAL_SIDE * (last + 1 - first));
}

static void ck_share(double found, double low, double high)
{
    ck_assert_msg(found >= low && found <= high, "%.3f is not %.2f to %.2f", found, low, high);
}

/* Where all is the region's densest biome, nothing is left out; with a sparseness of 3 of 4
 * every second tile is as bare ground. */
START_TEST(sparse_forests_are_half_bare)
{
    enum { LAST = LOCAL_SIDE - 1 };
    set_up_blended();
    static const char thick[] = "forest_thick", light[] = "forest";
    ck_share(share_of("f_fir", thick, thick, thick, 0, LAST), 1, 1);
    ck_share(share_of("t_fern", thick, thick, "bank", 0, LAST), 1, 1);
    ck_share(share_of("f_oak", light, light, light, 0, LAST), 0.49, 0.51);
    ck_share(share_of("t_moss", light, light, light, 0, LAST), 0.49, 0.51);
    ck_share(share_of("t_grass", light, light, light, 0, LAST), 0.49, 0.51);
    tear_down();
}
END_TEST

/* Beside ground without a biome a forest begins little by little, its cover before its trees:
 * at the border 1 tile in 20 has a tree, at the other end 2 in 3. Of another biome beside it
 * some grows on this map. */
START_TEST(forests_blend_into_their_neighbours)
{
    set_up_blended();
    static const char thick[] = "forest_thick", light[] = "forest", bare[] = "field";
    ck_share(share_of("f_fir", thick, bare, thick, 0, 0), 0.03, 0.07);
    ck_share(share_of("t_fern", thick, bare, thick, 0, 0), 0.06, 0.13);
    ck_share(share_of("f_fir", thick, bare, thick, 11, 12), 0.3, 0.5);
    ck_share(share_of("t_fern", thick, bare, thick, 11, 12), 0.45, 0.65);
    ck_share(share_of("f_fir", thick, bare, thick, 23, 23), 0.55, 0.75);
    ck_share(share_of("t_grass", thick, bare, bare, 0, 23), 0.75, 0.95);
    ck_share(share_of("f_fir", light, thick, light, 0, 0), 0.2, 0.28);
    ck_share(share_of("t_fern", light, thick, light, 0, 0), 0.2, 0.28);
    ck_share(share_of("f_fir", light, thick, light, 23, 23), 0.003, 0.02);
    tear_down();
}
END_TEST

/* How far bare ground reaches into a forest is drawn at corners, so two maps beside each other
 * have as much of it where they meet. */
START_TEST(edges_of_forests_go_on)
{
    enum { SEEDS = 60, TIMES = 40, ROWS = 10 };
    double west = 0, east = 0, both = 0, wests = 0, easts = 0;
    set_up_blended();
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        double sums[2] = {0};
        for (uint64_t k = 0; k < TIMES; k++)
            for (int side = 0; side < 2; side++) {
                local_map map;
                make_blended(&map, "forest_thick", "field", "forest_thick", 3 + side, seed, k);
                for (int y = 0; y < ROWS; y++)
                    for (int x = 0; x < 3; x++)
                        sums[side] +=
                            map.terrain[y * LOCAL_SIDE + (side ? x : LOCAL_SIDE - 1 - x)] ==
                            id_of("t_fern");
                local_map_dispose(&map);
            }
        west += sums[0];
        east += sums[1];
        both += sums[0] * sums[1];
        wests += sums[0] * sums[0];
        easts += sums[1] * sums[1];
    }
    const double covariance = both - west * east / SEEDS;
    const double spread = (wests - west * west / SEEDS) * (easts - east * east / SEEDS);
    ck_assert_msg(covariance > 0 && covariance * covariance > 0.7 * spread,
                  "the correlation's square is %.2f", covariance * covariance / spread);
    tear_down();
}
END_TEST

/* Water has the biome of its banks, which says nothing of the land at a shore: that is what
 * lies there. */
START_TEST(water_is_no_land_of_a_shore)
{
    static const char *const lands[] = {"field", "forest_thick"};
    set_up_blended();
    for (int land = 0; land < 2; land++) {
        ground_site s = {.settings = &settings, .pool = pool, .key = 5};
        for (int i = 0; i < GROUND_AROUND; i++)
            s.around[i] = i < 3 ? (ground_omt){.id = lands[land], .type = lands[land]}
                                : (ground_omt){.id = "lake_shore",
                                               .type = i > 5 ? "lake_surface" : "lake_shore",
                                               .water = true};
        s.above = s.below = (ground_omt){.id = "", .type = ""};
        local_map map;
        int ferns = 0;
        local_map_init(&map);
        ck_assert(ground_make(&map, &s, "lake_shore"));
        for (int i = 0; i < LOCAL_CELLS; i++)
            ferns += map.terrain[i] == id_of("t_fern");
        ck_assert((land == 1) == (ferns > 0));
        local_map_dispose(&map);
    }
    tear_down();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapgen draws");
    TCase *c = tcase_create("draws");
    tcase_add_test(c, all_kernels_find_the_same);
    tcase_add_test(c, draws_are_the_stream);
    tcase_add_loop_test(c, natural_ground_is_drawn_number_by_number, 0, COVERS);
    tcase_add_test(c, what_has_no_chance_is_left_out);
    tcase_add_test(c, numbers_have_ends);
    tcase_add_test(c, sparse_forests_are_half_bare);
    tcase_add_test(c, forests_blend_into_their_neighbours);
    tcase_add_test(c, edges_of_forests_go_on);
    tcase_add_test(c, water_is_no_land_of_a_shore);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
