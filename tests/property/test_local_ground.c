/*
 * Ground against the game's maps (../shared/reference/dda-0F-maps): shares of terrains of
 * natural ground, and layouts of roads, tracks, sewers and banks tile by tile. The reference
 * has half of all columns: a neighbour that is not there is taken as the map shows it
 * (sidewalks), or as another neighbour that is there.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "support/truth/game_maps.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct comparison {
    truth_content content;
    game_maps maps;
} comparison;

static bool begin_with(comparison *c, const truth_game *game)
{
    *c = (comparison){0};
    return truth_load(&c->content, &c->maps, game);
}

static bool begin(comparison *c)
{
    return begin_with(c, &truth_0F);
}

static void end(comparison *c)
{
    game_maps_free(&c->maps);
    truth_content_free(&c->content);
}

/* ---- sites ---- */

static bool has_flag(const cat_terrain *t, const char *flag)
{
    for (uint16_t i = 0; i < t->flag_count; i++)
        if (strcmp(t->flag_names[i], flag) == 0)
            return true;
    return false;
}

static ground_omt omt_of(const comparison *c, uint32_t oter)
{
    const cat_oter *o = truth_content_oter(&c->content, oter);
    if (!o)
        return (ground_omt){.id = "", .type = ""};
    const cat_terrain *t = &c->content.cat->terrains[o->terrain];
    return (ground_omt){.id = o->id,
                        .type = t->id,
                        .line = o->line,
                        .turns = o->rotation,
                        .sidewalk = has_flag(t, "SIDEWALK"),
                        .road = (t->flags & CAT_FLAG_ROAD) != 0,
                        .water = (t->flags & CAT_FLAGS_WATER) != 0};
}

static uint32_t id_of(const comparison *c, const char *text)
{
    return id_pool_put(c->content.pool, text, strlen(text));
}

static size_t count_of(const game_map *m, uint32_t terrain)
{
    size_t count = 0;
    for (size_t i = 0; i < LOCAL_CELLS; i++)
        count += m->terrain[i] == terrain;
    return count;
}

static bool is_wet(const comparison *c, const game_map *m, int x, int y)
{
    const uint32_t here = m->terrain[y * LOCAL_SIDE + x];
    return here == id_of(c, "t_water_dp") || here == id_of(c, "t_water_sh");
}

/* What is beside a shore where no map is saved, as those of open water never are: the corner or
 * the middle of the border of the shore's own map says whether it is. */
static ground_omt beside_shore(const comparison *c, const game_map *m, int place)
{
    enum { SOME = 8, LAST = LOCAL_SIDE - 1 };
    const int x = place % 3 * LAST / 2, y = place / 3 * LAST / 2;
    if (is_wet(c, m, x, y))
        return (ground_omt){.id = "lake_surface", .type = "lake_surface", .water = true};
    const char *land = count_of(m, id_of(c, "t_moss")) > SOME ? "forest" : "field";
    return (ground_omt){.id = land, .type = land};
}

static ground_site site_of(const comparison *c, const game_map *m, uint64_t seed)
{
    const bool shore = m->oter == id_of(c, "lake_shore");
    enum { SOME = 40 };
    const bool town = count_of(m, id_of(c, "t_sidewalk")) > SOME;
    ground_site s = {.settings = &c->content.settings, .pool = c->content.pool};
    s.x = m->x;
    s.y = m->y;
    s.z = m->z;
    s.seed_key = seed;
    s.key = hash_add(hash_add(seed, (uint64_t)m->x), (uint64_t)m->y);
    rng random = rng_from_key(s.key);
    ground_omt known[GROUND_AROUND];
    uint32_t count = 0;
    for (int i = 0; i < GROUND_AROUND; i++) {
        s.around[i] =
            omt_of(c, game_maps_oter(&c->maps, m->x + i % 3 - 1, m->y + i / 3 - 1, m->z));
        if (s.around[i].id[0] && i % 2)
            known[count++] = s.around[i];
    }
    for (int i = 0; i < GROUND_AROUND; i++)
        if (!s.around[i].id[0]) {
            if (shore)
                s.around[i] = beside_shore(c, m, i);
            else if (i % 2 && count > 0)
                s.around[i] = known[rng_below(&random, count)];
            s.around[i].sidewalk = town;
        }
    s.above = s.below = omt_of(c, ID_NONE);
    return s;
}

static bool make(const comparison *c, const game_map *m, local_map *out, uint64_t seed)
{
    const ground_site site = site_of(c, m, seed);
    local_map_init(out);
    const char *type = site.around[GROUND_MIDDLE].type;
    const char *under = strcmp(type, "special_forest_thick") == 0 ? "forest_thick" : type;
    return ground_make(out, &site, under);
}

/* ---- natural ground ---- */

/* Is the id the type's? Of one that ends with a line, any of these. */
static bool is_of(const char *id, const char *type)
{
    const size_t size = strlen(type);
    return type[size - 1] == '_' ? strncmp(id, type, size) == 0 : strcmp(id, type) == 0;
}

static uint32_t key_of(const comparison *c, const cat_oter *o)
{
    return truth_content_key(&c->content, c->content.cat->terrains[o->terrain].id, o->line);
}

/* Makes a map with the reeds that the content puts on one in so many; 0: none. */
static bool make_with_reeds(const comparison *c, const game_map *m, local_map *out,
                            uint64_t seed, int32_t one_in)
{
    const mapgen_extra reed = {.id = id_of(c, "mx_reed"), .upto = 1};
    const mapgen_extra_set set = {id_of(c, "wet"), one_in, &reed, 1};
    const mapgen_extras extras = {&set, 1};
    if (one_in == 0)
        return make(c, m, out, seed);
    const ground_site site = site_of(c, m, seed);
    const mapgen_request request = {.library = c->content.library,
                                    .pool = c->content.pool,
                                    .terrain =
                                        key_of(c, truth_content_oter(&c->content, m->oter)),
                                    .key = site.key,
                                    .tiles = c->content.tiles,
                                    .extras = &extras,
                                    .extra_set = set.name,
                                    .site = &site};
    local_map_init(out);
    return mapgen_run(out, &request) == MAPGEN_GROUND;
}

/* Shares that are off (schema/mapgen.md, "Ground", says why). */
static bool is_exception(const char *type, const char *id)
{
    static const char *const all[][2] = {{"special_forest_thick", "t_forestfloor"},
                                         {"special_forest_thick", "t_moss"},
                                         {"subway_", "t_railroad_track_d"}};
    bool found = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        found = found || (strcmp(all[i][0], type) == 0 && strcmp(all[i][1], id) == 0);
    return found;
}

/* Returns how many shares are off that are no exceptions. */
static int check_shares(const comparison *c, const char *type)
{
    /* In 0.F the set of extras `river` has reeds alone, on one map in 3, `lake_shore` in 2. */
    const int32_t reeds = strcmp(type, "river_") == 0       ? 3
                          : strcmp(type, "lake_shore") == 0 ? 2
                                                            : 0;
    enum { SOME = 3, MANY = 24, GROWN = 30, MORE = 100000 /* ids that are put in later */ };
    const uint64_t rounds = reeds ? MANY : SOME;
    const uint32_t long_grass = id_of(c, "t_grass_long");
    const size_t ids = id_pool_count(c->content.pool) + MORE;
    uint64_t *game = calloc(ids, sizeof *game), *ours = calloc(ids, sizeof *ours);
    uint64_t all = 0, maps = 0, grown = 0;
    ck_assert(game && ours);
    for (size_t i = 0; i < c->maps.count; i++) {
        const game_map *m = &c->maps.items[i];
        if (!is_of(id_pool_text(c->content.pool, m->oter), type))
            continue;
        if (strcmp(type, "field") == 0 && count_of(m, long_grass) > GROWN) {
            grown++; /* the extras mx_grass and mx_grass2 have been there, which ground is not
                      */
            continue;
        }
        maps++;
        for (size_t k = 0; k < LOCAL_CELLS; k++)
            game[m->terrain[k]] += rounds;
        all += LOCAL_CELLS * rounds;
        for (uint64_t round = 0; round < rounds; round++) {
            local_map map;
            if (!make_with_reeds(c, m, &map, round, reeds))
                ck_abort_msg("no ground for %s", id_pool_text(c->content.pool, m->oter));
            for (size_t k = 0; k < LOCAL_CELLS; k++)
                ours[map.terrain[k]]++;
            local_map_dispose(&map);
        }
    }
    printf("  %s: %llu maps, %llu with an extra left out\n", type, (unsigned long long)maps,
           (unsigned long long)grown);
    int wrong = 0;
    ck_assert(maps > 0);
    for (uint32_t id = 0; id < ids; id++) {
        const double share = (double)game[id] / (double)all,
                     own = (double)ours[id] / (double)all;
        if (share < 0.01 && own < 0.01)
            continue;
        const double ratio = share > 0 ? own / share : 99;
        const bool off = share >= 0.01 && (ratio < 0.8 || ratio > 1.25);
        wrong += off && !is_exception(type, id_pool_text(c->content.pool, id));
        printf("    %-28s %6.2f %% %6.2f %% %5.2f%s\n", id_pool_text(c->content.pool, id),
               100 * share, 100 * own, ratio, off ? " *" : "");
    }
    fflush(stdout);
    free(game);
    free(ours);
    return wrong;
}

/* The ground that is compared, of each game. */
static const struct {
    const truth_game *game;
    const char *types[12]; /* up to NULL */
} games[] = {{&truth_0F,
              {"field", "forest", "forest_thick", "forest_water", "forest_trail_", "river_",
               "road_", "subway_", "crater", "lake_shore"}},
             {&truth_0I, {"forest", "forest_thick", "special_forest_thick"}}};
enum { GAMES = sizeof games / sizeof games[0] };

START_TEST(natural_ground_has_the_games_shares)
{
    comparison c;
    int wrong = 0;
    if (!begin_with(&c, games[_i].game))
        return;
    printf("%s\n", games[_i].game->name);
    for (size_t i = 0; games[_i].types[i]; i++)
        wrong += check_shares(&c, games[_i].types[i]);
    end(&c);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* What lies north of a shore, and south: whether a tile of it is a forest's, and how much is
 * wet, in all and on the borders. */
typedef struct shore_count {
    int moss, wet, border;
} shore_count;

static shore_count count_shore(const comparison *c, const char *land, bool open, uint64_t seed)
{
    enum { LAST = LOCAL_SIDE - 1 };
    const ground_omt north = {.id = land, .type = land},
                     lake = {.id = "lake_surface", .type = "lake_surface", .water = true},
                     shore = {.id = "lake_shore", .type = "lake_shore", .water = true};
    ground_site s = {.settings = &c->content.settings, .pool = c->content.pool, .key = seed};
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] = i < 3 ? north : i > 5 && open ? lake : shore;
    s.above = s.below = omt_of(c, ID_NONE);
    local_map map;
    local_map_init(&map);
    ck_assert(ground_make(&map, &s, "lake_shore"));
    shore_count count = {0};
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        const bool wet = map.terrain[i] == id_of(c, "t_water_sh") ||
                         map.terrain[i] == id_of(c, "t_water_dp");
        count.moss += map.terrain[i] == id_of(c, "t_moss");
        count.wet += wet;
        count.border += wet && (x == 0 || y == 0 || x == LAST || y == LAST);
    }
    local_map_dispose(&map);
    return count;
}

/* A forest beside grows on to the water; without open water there is a pool, which ends on the
 * map. */
START_TEST(shores_are_of_the_land_around)
{
    comparison c;
    if (!begin(&c))
        return;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const shore_count forest = count_shore(&c, "forest", true, seed),
                          field = count_shore(&c, "field", true, seed),
                          closed = count_shore(&c, "field", false, seed);
        ck_assert(forest.moss > 0 && field.moss == 0);
        ck_assert(forest.border > LOCAL_SIDE && field.border > LOCAL_SIDE);
        ck_assert(field.wet > LOCAL_SIDE * 8 && field.wet < LOCAL_SIDE * 12);
        ck_assert(closed.wet > 0 && closed.border == 0);
    }
    end(&c);
}
END_TEST

/* ---- layouts ---- */

/* Terrain that stands for any of its sort: ground cover is one. */
static uint32_t sort_of(const comparison *c, uint32_t id)
{
    static const char *const cover[] = {"t_grass", "t_grass_dead", "t_dirt"};
    for (size_t i = 0; i < sizeof cover / sizeof cover[0]; i++)
        if (id == id_of(c, cover[i]))
            return id_of(c, "t_grass");
    return id;
}

/* Is the layout that of the game, as far as it is said to be? */
static bool check_layout(const comparison *c, const char *prefix, double least)
{
    uint64_t same = 0, all = 0, maps = 0, twisted = 0;
    for (size_t i = 0; i < c->maps.count; i++) {
        const game_map *m = &c->maps.items[i];
        local_map map;
        if (strncmp(id_pool_text(c->content.pool, m->oter), prefix, strlen(prefix)) != 0)
            continue;
        if (!make(c, m, &map, 1))
            continue;
        maps++;
        for (size_t k = 0; k < LOCAL_CELLS; k++) {
            const size_t other = k % LOCAL_SIDE * LOCAL_SIDE + k / LOCAL_SIDE;
            same += sort_of(c, m->terrain[k]) == sort_of(c, map.terrain[k]);
            twisted += sort_of(c, m->terrain[other]) == sort_of(c, map.terrain[k]);
        }
        all += LOCAL_CELLS;
        local_map_dispose(&map);
    }
    printf("  %-16s %4llu maps: %.2f %% of tiles as in the game; mirrored %.2f %%\n", prefix,
           (unsigned long long)maps, 100.0 * (double)same / (double)all,
           100.0 * (double)twisted / (double)all);
    return maps > 0 && 100.0 * (double)same >= least * (double)all;
}

START_TEST(layouts_are_the_games)
{
    static const struct {
        const char *prefix;
        double least;
    } sorts[] = {{"road_ns", 97},     {"road_ew", 97},   {"road_end_", 85},  {"road_es", 95},
                 {"road_ne", 90},     {"road_sw", 95},   {"road_wn", 94},    {"road_nesw", 87},
                 {"road_", 95},       {"subway_ns", 97}, {"subway_ew", 98},  {"subway_es", 85},
                 {"subway_ne", 85},   {"subway_", 97},   {"sewer_", 60},     {"river_", 88},
                 {"river_north", 80}, {"river_ne", 80},  {"river_c_not", 80}};
    comparison c;
    int wrong = 0;
    if (!begin(&c))
        return;
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++)
        wrong += !check_layout(&c, sorts[i].prefix, sorts[i].least);
    end(&c);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* ---- all terrains ---- */

static bool has_entry(const comparison *c, uint32_t key)
{
    const mapgen_candidate *k =
        mapgen_library_first(c->content.library, MAPGEN_OM_TERRAIN, key);
    for (; k; k = k->next)
        if (k->entry->json)
            return true;
    return false;
}

/* Makes an oter's ground somewhere; false: there is none. Ids that nothing in content has fail.
 */
static bool try_ground(const comparison *c, const cat_oter *o)
{
    const cat_terrain *t = &c->content.cat->terrains[o->terrain];
    ground_site s = {.settings = &c->content.settings, .pool = c->content.pool, .key = 5};
    const ground_omt own = {.id = o->id, .type = t->id, .line = o->line, .turns = o->rotation};
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] = own;
    s.above = s.below = own;
    local_map map;
    local_map_init(&map);
    const bool made = ground_make(&map, &s, t->id);
    for (size_t i = 0; i < LOCAL_CELLS && made; i++) {
        const uint32_t id = map.terrain[i], f = map.furniture[i];
        if (!(mapgen_terrain_tile(c->content.tiles, id).flags & MAPGEN_TILE_KNOWN))
            ck_abort_msg("%s: no terrain %s", o->id, id_pool_text(c->content.pool, id));
        if (f != ID_NONE &&
            !(mapgen_furniture_tile(c->content.tiles, f).flags & MAPGEN_TILE_KNOWN))
            ck_abort_msg("%s: no furniture %s", o->id, id_pool_text(c->content.pool, f));
    }
    local_map_dispose(&map);
    return made;
}

/* No terrain of the game that has a map there ends in the fallback. */
START_TEST(every_terrain_has_a_map)
{
    comparison c;
    if (!begin(&c))
        return;
    const catalogue *cat = c.content.cat;
    /* Of the game's own test regions: its entry stands in the terrain (cli_local_terrains). */
    static const char test_terrain[] = "s_restaurant_deserted_test";
    size_t entries = 0, grounds = 0, tests = 0, none = 0;
    for (size_t i = 0; i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        if (has_entry(&c, key_of(&c, o))) {
            entries++;
        } else if (try_ground(&c, o)) {
            grounds++;
        } else if (strncmp(o->id, test_terrain, strlen(test_terrain)) == 0) {
            tests++;
        } else {
            none++;
            printf("    no map for %s\n", o->id);
        }
    }
    printf("  %zu terrains: %zu have entries, %zu ground, %zu neither, and %zu have "
           "entries in themselves\n",
           cat->oter_count, entries, grounds, none, tests);
    ck_assert_uint_eq(none, 0);
    ck_assert_uint_eq(tests, 4);
    end(&c);
}
END_TEST

/* Those of the sea, whose maps depend on a coast: test_local_sea makes them. */
static bool is_sea(const cat_oter *o)
{
    return strncmp(o->id, "ocean_", 6) == 0 || strncmp(o->id, "shoals_", 7) == 0;
}

/* Nor does one of our own pack. */
START_TEST(every_terrain_of_our_own_has_a_map)
{
    comparison c = {0};
    size_t entries = 0, grounds = 0, sea = 0, none = 0;
    truth_content_load(&c.content, NULL);
    const catalogue *cat = c.content.cat;
    for (size_t i = 0; i < cat->oter_count; i++) {
        const cat_oter *o = &cat->oters[i];
        if (has_entry(&c, key_of(&c, o))) {
            entries++;
        } else if (is_sea(o)) {
            sea++;
        } else if (try_ground(&c, o)) {
            grounds++;
        } else {
            none++;
            printf("    no map for %s\n", o->id);
        }
    }
    printf("  our own pack, %zu terrains: %zu have entries, %zu ground, %zu the sea's, %zu "
           "none\n",
           cat->oter_count, entries, grounds, sea, none);
    ck_assert_uint_eq(none, 0);
    ck_assert_uint_lt(sea, 10);
    truth_content_free(&c.content);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local ground");
    TCase *tcase = tcase_create("ground of the game");
    tcase_add_loop_test(tcase, natural_ground_has_the_games_shares, 0, GAMES);
    tcase_add_test(tcase, shores_are_of_the_land_around);
    tcase_add_test(tcase, layouts_are_the_games);
    tcase_add_test(tcase, every_terrain_has_a_map);
    tcase_add_test(tcase, every_terrain_of_our_own_has_a_map);
    tcase_set_timeout(tcase, 60);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
