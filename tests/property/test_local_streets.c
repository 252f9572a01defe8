/*
 * What stands on roads, beside the game's own 649 maps of roads (../shared/reference/
 * dda-0F-maps): vehicles, street lights, traffic lights and monsters, in town and in the
 * country, as many as there; lamps on the game's tiles; vehicles along the road. Few of the
 * maps are crossings with traffic lights, so each is made ROUNDS times, in a quick run, too.
 */
#include "mapgen/run/run.h"
#include "support/suite.h"
#include "support/truth/game_maps.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 8, SORTS = 4 };

typedef enum street_sort { VEHICLES, LAMPS, LIGHTS, MONSTERS } street_sort;

static const char *const sort_names[SORTS] = {"vehicles", "street lights", "traffic lights",
                                              "monsters"};

typedef struct streets {
    truth_content content;
    game_maps maps;
    uint32_t lamp, light, sidewalk, zebra;
    double game[2][SORTS], ours[2][SORTS]; /* in the country, in town */
    size_t count[2];
    double striped, lit;  /* straight roads with zebra stripes, and those with lights there */
    double along, across; /* vehicles on straight roads, by how they face */
    double shared, lamps; /* lamps of ours on straight roads on tiles where the game has one */
} streets;

static uint32_t id_of(const streets *t, const char *text)
{
    return id_pool_put(t->content.pool, text, strlen(text));
}

static ground_omt omt_of(const streets *t, const game_map *m)
{
    const cat_oter *o = m ? truth_content_oter(&t->content, m->oter) : NULL;
    if (!o)
        return (ground_omt){.id = "", .type = ""};
    const cat_terrain *terrain = &t->content.cat->terrains[o->terrain];
    bool sidewalk = false;
    for (uint16_t i = 0; i < terrain->flag_count; i++)
        sidewalk = sidewalk || strcmp(terrain->flag_names[i], "SIDEWALK") == 0;
    return (ground_omt){
        .id = o->id, .type = terrain->id, .line = o->line, .sidewalk = sidewalk};
}

/* Has the game's map sidewalks? It is in town then. */
static bool in_town(const streets *t, const game_map *m)
{
    enum { SOME = 40 };
    int count = 0;
    for (int i = 0; i < LOCAL_CELLS; i++)
        count += m->terrain[i] == t->sidewalk;
    return count > SOME;
}

/* Neighbours that the reference lacks have sidewalks in town, and none elsewhere. */
static ground_site site_of(const streets *t, const game_map *m, uint64_t seed, bool town)
{
    ground_site s = {.settings = &t->content.settings, .pool = t->content.pool};
    s.x = m->x;
    s.y = m->y;
    s.seed_key = s.key = hash_add(hash_add(seed, (uint64_t)m->x), (uint64_t)m->y);
    for (int i = 0; i < GROUND_AROUND; i++) {
        s.around[i] =
            omt_of(t, game_maps_at(&t->maps, m->x + i % 3 - 1, m->y + i / 3 - 1, m->z));
        if (!s.around[i].id[0])
            s.around[i].sidewalk = town;
    }
    s.above = s.below = omt_of(t, NULL);
    return s;
}

static void make(local_map *map, const streets *t, const ground_site *s, uint32_t density)
{
    const ground_omt *own = &s->around[GROUND_MIDDLE];
    const mapgen_request request = {.library = t->content.library,
                                    .pool = t->content.pool,
                                    .terrain =
                                        truth_content_key(&t->content, own->type, own->line),
                                    .key = s->key,
                                    .stack_key = s->key,
                                    .special_key = s->key,
                                    .groups = t->content.groups,
                                    .density = density,
                                    .time = {8, 8, 0},
                                    .tiles = t->content.tiles,
                                    .site = s};
    local_map_init(map);
    ck_assert(mapgen_run(map, &request) == MAPGEN_GROUND && !map->cut && !map->failed);
}

/* Vehicles stand on the map, and are the content's. */
static void check_vehicle(streets *t, const ground_site *s, const local_entity *e)
{
    const uint8_t line = s->around[GROUND_MIDDLE].line;
    const bool upright = e->count % 180 != 0;
    ck_assert(e->count >= 0 && e->count < 360 && e->count % 90 == 0);
    ck_assert(e->x < LOCAL_SIDE && e->y < LOCAL_SIDE);
    if (line == 5 || line == 10) {
        t->along += upright == (line == 5);
        t->across += upright != (line == 5);
    }
    ck_assert_str_ne(id_pool_text(t->content.pool, e->id), "city_vehicles");
    ck_assert_str_ne(id_pool_text(t->content.pool, e->id), "highway");
}

/* A straight road has stripes, where it has any, as in the game on two rows or columns of tiles
 * of its middle. Two lights are there or none. */
static void check_stripes(streets *t, const local_map *map, uint8_t line)
{
    int stripes = 0, lights = 0;
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const int x = i % LOCAL_SIDE, y = i / LOCAL_SIDE;
        stripes += map->terrain[i] == t->zebra;
        lights += map->furniture[i] == t->light;
        if (map->terrain[i] == t->zebra)
            ck_assert(line == 5 ? y == 13 || y == 14 : x == 9 || x == 10);
        if (map->furniture[i] == t->light)
            ck_assert(line == 5 ? (x == 3 && y == 12) || (x == 20 && y == 15)
                                : (x == 11 && y == 3) || (x == 8 && y == 20));
    }
    ck_assert(lights == 0 || (lights == 2 && stripes > 0));
    t->striped += stripes > 0;
    t->lit += lights > 0;
}

static void note_ours(streets *t, const ground_site *s, const local_map *map, const game_map *m,
                      bool town)
{
    double *ours = t->ours[town];
    const uint8_t line = s->around[GROUND_MIDDLE].line;
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        ck_assert_int_ne(e->kind, LOCAL_MONSTER_GROUP);
        ours[VEHICLES] += e->kind == LOCAL_VEHICLE;
        ours[MONSTERS] += e->kind == LOCAL_MONSTER ? e->count : 0;
        if (e->kind == LOCAL_VEHICLE)
            check_vehicle(t, s, e);
    }
    if (line == 5 || line == 10)
        check_stripes(t, map, line);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool lamp = map->furniture[i] == t->lamp;
        ours[LAMPS] += lamp;
        ours[LIGHTS] += map->furniture[i] == t->light;
        t->lamps += lamp && (line == 5 || line == 10);
        t->shared += lamp && (line == 5 || line == 10) && m->furniture[i] == t->lamp;
    }
}

static void note_game(streets *t, const game_map *m, bool town, double times)
{
    double *game = t->game[town];
    for (size_t i = 0; i < m->thing_count; i++) {
        const game_thing *g = &t->maps.things[m->first + i];
        game[VEHICLES] += g->kind == GAME_VEHICLE ? times * g->count : 0;
        game[MONSTERS] += g->kind == GAME_MONSTER ? times * g->count : 0;
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        game[LAMPS] += m->furniture[i] == t->lamp ? times : 0;
        game[LIGHTS] += m->furniture[i] == t->light ? times : 0;
    }
}

static void compare(streets *t, const game_map *m, uint64_t number)
{
    const bool town = in_town(t, m);
    const uint32_t density = truth_content_density(&t->content, &t->maps, m);
    for (int round = 0; round < ROUNDS; round++) {
        const ground_site s = site_of(t, m, hash_add(number, (uint64_t)round), town);
        local_map map;
        make(&map, t, &s, density);
        note_ours(t, &s, &map, m, town);
        local_map_dispose(&map);
    }
    note_game(t, m, town, ROUNDS);
    t->count[town]++;
}

START_TEST(roads_have_what_the_games_have)
{
    const double low = 0.8, high = 1.25;
    static streets t;
    if (!truth_load(&t.content, &t.maps, &truth_0F))
        return;
    t.lamp = id_of(&t, "f_street_light");
    t.light = id_of(&t, "f_traffic_light");
    t.sidewalk = id_of(&t, "t_sidewalk");
    t.zebra = id_of(&t, "t_zebra");
    for (size_t i = 0; i < t.maps.count; i++) {
        const game_map *m = &t.maps.items[i];
        const cat_oter *o = truth_content_oter(&t.content, m->oter);
        if (o && strcmp(t.content.cat->terrains[o->terrain].id, "road") == 0)
            compare(&t, m, i);
    }
    for (int town = 0; town < 2; town++)
        for (int sort = 0; sort < SORTS; sort++)
            printf("  %s, %zu maps, %s: %.0f in the game, %.0f here: %.2f\n",
                   town ? "town" : "country", t.count[town], sort_names[sort],
                   t.game[town][sort], t.ours[town][sort],
                   t.ours[town][sort] / t.game[town][sort]);
    printf("  street lights of straight roads on the game's tiles: %.3f\n", t.shared / t.lamps);
    fflush(stdout);
    ck_assert(t.count[0] > 0 && t.count[1] > 0);
    for (int sort = 0; sort < SORTS; sort++) {
        const double ratio = t.ours[1][sort] / t.game[1][sort];
        ck_assert_msg(ratio >= low && ratio <= high, "%s: %.2f", sort_names[sort], ratio);
    }
    /* Four vehicles on 106 maps: less than three times that. */
    ck_assert(t.ours[0][VEHICLES] > 0 && t.ours[0][VEHICLES] < 3 * t.game[0][VEHICLES]);
    /* Some of these maps have a neighbour with sidewalks, and few of them. */
    ck_assert(t.ours[0][LAMPS] < 0.01 * t.ours[1][LAMPS]);
    ck_assert(t.shared > 0.8 * t.lamps);
    /* In the game 18 of 38 straight roads with stripes have lights. */
    ck_assert(t.lit > 0.4 * t.striped && t.lit < 0.6 * t.striped);
    ck_assert(t.across < 0.1 * t.along); /* wrecks that lie across are of pileups */
    game_maps_free(&t.maps);
    truth_content_free(&t.content);
}
END_TEST

/* A content that states no vehicles of roads has none there. */
START_TEST(without_spawns_there_are_none)
{
    id_pool *pool = id_pool_new();
    mapgen_groups *traffic = mapgen_groups_new(pool);
    mapgen_parked parked[MAPGEN_PARKED_MAX];
    rng random = rng_from_key(1);
    ck_assert(traffic != NULL);
    ck_assert_uint_eq(
        mapgen_traffic_draw(parked, traffic, &random, "default_city", "road_straight"), 0);
    mapgen_groups_free(traffic);
    id_pool_free(pool);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local streets");
    TCase *c = tcase_create("roads of the game");
    tcase_add_test(c, roads_have_what_the_games_have);
    tcase_add_test(c, without_spawns_there_are_none);
    tcase_set_timeout(c, 60);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
