/*
 * The 77 terrains of DDA 0.F whose maps the game makes by code (../shared/reference/mapgen.md,
 * 8.1): over many seeds one can walk from the ways in to the ways on, and to most of what there
 * is; ways down stand where those up do, also where content draws one of both levels; what
 * lives and lies there is the content's. Laboratories are compared with the game's maps.
 */
#include "mapgen/run/run.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/truth/game_maps.h"
#include "support/truth/truth_content.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = LOCAL_SIDE - 1, SEEDS = 40, ALL_IDS = 77, MIDDLE = 11 };

static truth_content content;
static bool loaded; /* once, for all tests */

static void load(void)
{
    loaded = truth_content_load(&content, &truth_0F);
}

static void unload(void)
{
    if (loaded)
        truth_content_free(&content);
}

/* With what a terrain is tried: on which level, over and under what, and beside what. */
typedef struct trial {
    const char *type;
    int z;
    const char *above, *below, *beside;
} trial;

/* Those that have ways, or insides that one walks in. */
static const trial trials[] = {
    {"acid_anthill", 0, "open_air", "ants_queen_acid", "field"},
    {"anthill", 0, "open_air", "ants_queen", "field"},
    {"ants", -1, "field", "empty_rock", "ants"},
    {"ants_food", -1, "field", "empty_rock", "ants"},
    {"ants_lab", -2, "field", "lab", "ants"},
    {"ants_lab_stairs", -2, "field", "lab", "lab"},
    {"ants_larvae", -1, "field", "empty_rock", "ants"},
    {"ants_larvae_acid", -1, "field", "empty_rock", "ants"},
    {"ants_queen", -1, "anthill", "empty_rock", "ants"},
    {"ants_queen_acid", -1, "acid_anthill", "empty_rock", "ants"},
    {"cavern", -2, "empty_rock", "empty_rock", "cavern"},
    {"central_lab", -3, "central_lab", "empty_rock", "central_lab"},
    {"central_lab_core", -3, "central_lab_stairs", "central_lab_core", "central_lab"},
    {"central_lab_finale", -3, "central_lab_stairs", "empty_rock", "central_lab"},
    {"central_lab_stairs", -3, "central_lab_stairs", "central_lab", "central_lab"},
    {"hellmouth", 0, "open_air", "rift", "field"},
    {"ice_lab", 0, "open_air", "ice_lab", "field"},
    {"ice_lab", -3, "ice_lab_stairs", "empty_rock", "ice_lab"},
    {"ice_lab_core", -3, "ice_lab_stairs", "ice_lab", "ice_lab"},
    {"ice_lab_finale", -3, "ice_lab_stairs", "empty_rock", "ice_lab"},
    {"ice_lab_stairs", 0, "open_air", "ice_lab", "field"},
    {"ice_lab_stairs", -3, "ice_lab_stairs", "ice_lab", "ice_lab"},
    {"lab", -3, "lab_stairs", "empty_rock", "lab"},
    {"lab_core", -3, "lab_stairs", "lab", "lab"},
    {"lab_finale", -3, "lab_stairs", "empty_rock", "lab"},
    {"lab_stairs", -2, "lab_stairs", "lab", "lab"},
    {"looted_building", 0, "open_air", "empty_rock", "field"},
    {"mine", -2, "mine_shaft", "empty_rock", "mine"},
    {"mine_down", -2, "mine", "mine", "mine"},
    {"mine_entrance", 0, "open_air", "mine_shaft", "field"},
    {"mine_finale", -5, "mine", "spiral_hub", "mine"},
    {"mine_shaft", -1, "mine_entrance", "mine", "empty_rock"},
    {"rift", -1, "hellmouth", "rift", "rift"},
    {"slimepit", -2, "slimepit_down", "empty_rock", "slimepit"},
    {"slimepit_down", -2, "slimepit_down", "slimepit", "slimepit"},
    {"spider_pit", 0, "open_air", "spider_pit_under", "forest"},
    {"spider_pit_under", -1, "spider_pit", "empty_rock", "spider_pit_under"},
    {"spiral", -6, "empty_rock", "empty_rock", "spiral"},
    {"spiral_hub", -6, "mine_finale", "empty_rock", "spiral"},
    {"temple", -2, "temple_stairs", "empty_rock", "temple"},
    {"temple_finale", -5, "temple_stairs", "empty_rock", "empty_rock"},
    {"temple_stairs", 0, "open_air", "temple_stairs", "forest"},
    {"temple_stairs", -2, "temple_stairs", "temple_stairs", "empty_rock"},
    {"tower_lab", 2, "tower_lab_stairs", "tower_lab", "tower_lab"},
    {"tower_lab_finale", 6, "open_air", "tower_lab", "tower_lab"},
    {"tower_lab_stairs", 3, "tower_lab_stairs", "tower_lab", "tower_lab"},
    {"triffid_finale", -2, "triffid_roots", "empty_rock", "empty_rock"},
    {"triffid_roots", -1, "field", "triffid_finale", "empty_rock"},
    {"tutorial", 0, "open_air", "empty_rock", "field"}};

enum { TRIALS = sizeof trials / sizeof trials[0] };

/* The others: ground under the sky, roads, water, rock. test_local_ground and
 * test_mapgen_ground have their rules. */
static const char *const others[] = {
    "crater",         "empty_rock",      "field",          "forest",
    "forest_thick",   "forest_trail",    "forest_water",   "hive",
    "hiway_ew",       "hiway_ns",        "lake_shore",     "open_air",
    "railroad",       "railroad_bridge", "ravine_edge",    "ravine_floor_edge",
    "river",          "river_c_not_ne",  "river_c_not_nw", "river_c_not_se",
    "river_c_not_sw", "river_center",    "river_ne",       "river_nw",
    "river_se",       "river_sw",        "road",           "road_nesw_manhole",
    "rock",           "sewer",           "subway"};

static uint32_t id_of(const char *text)
{
    return id_pool_put(content.pool, text, strlen(text));
}

static ground_omt omt(const char *type)
{
    return (ground_omt){.id = type, .type = type};
}

/* Sides that are like the trial says: by bits; the others are rock. */
static ground_site site_of(const trial *t, uint64_t seed, unsigned sides)
{
    ground_site s = {.settings = &content.settings, .pool = content.pool, .x = 4, .y = 9};
    s.z = t->z;
    s.seed_key = seed;
    s.key = hash_add(hash_add(seed, hash_string(t->type)), (uint64_t)(int64_t)t->z);
    for (int i = 0; i < GROUND_AROUND; i++)
        s.around[i] = omt(t->z == 0 ? "field" : t->z < 0 ? "empty_rock" : "open_air");
    for (int side = 0; side < GROUND_SIDES; side++)
        if (sides >> side & 1)
            s.around[ground_beside(side)] = omt(t->beside);
    s.around[GROUND_MIDDLE] = omt(t->type);
    s.above = omt(t->above);
    s.below = omt(t->below);
    return s;
}

static void neighbour(mapgen_omt *out, void *payload, int direction)
{
    static const int places[MAPGEN_DIRECTIONS] = {1, 2, 5, 8, 7, 6, 3, 0};
    const ground_site *s = payload;
    *out = (mapgen_omt){.seen = direction == MAPGEN_ABOVE   ? s->above
                                : direction == MAPGEN_BELOW ? s->below
                                                            : s->around[places[direction]]};
}

static void make(local_map *map, const ground_site *s)
{
    ground_site lent = *s;
    const mapgen_request request = {.library = content.library,
                                    .neighbour = neighbour,
                                    .payload = &lent,
                                    .pool = content.pool,
                                    .terrain = id_of(s->around[GROUND_MIDDLE].type),
                                    .z = s->z,
                                    .key = s->key,
                                    .stack_key = s->key,
                                    .special_key = s->key,
                                    .groups = content.groups,
                                    .density = 10000,
                                    .time = {8, 8, 0},
                                    .tiles = content.tiles,
                                    .site = s};
    local_map_init(map);
    const mapgen_outcome outcome = mapgen_run(map, &request);
    ck_assert_msg(outcome == MAPGEN_GROUND, "%s: outcome %d", s->around[GROUND_MIDDLE].type,
                  (int)outcome);
    ck_assert(!map->cut && !map->failed);
}

/* ---- walking ---- */

/* Doors can be opened, whatever locks them. */
static bool walkable(const local_map *map, int cell)
{
    const uint32_t terrain = map->terrain[cell];
    const char *id = id_pool_text(content.pool, terrain);
    const int flags = mapgen_terrain_tile(content.tiles, terrain).flags;
    const int furniture = mapgen_furniture_tile(content.tiles, map->furniture[cell]).flags;
    const bool opens = strstr(id, "door") || (strstr(id, "gate") && !strstr(id, "control"));
    return !(furniture & MAPGEN_TILE_IMPASSABLE) &&
           (opens || !(flags & MAPGEN_TILE_IMPASSABLE));
}

typedef struct walk {
    bool reached[LOCAL_CELLS];
    int free, count;
} walk;

static void walk_from(walk *w, const local_map *map, int start)
{
    static const int step[4] = {-LOCAL_SIDE, 1, LOCAL_SIDE, -1};
    int queue[LOCAL_CELLS], first = 0, end = 0;
    memset(w, 0, sizeof *w);
    for (int i = 0; i < LOCAL_CELLS; i++)
        w->free += walkable(map, i);
    ck_assert(walkable(map, start));
    w->reached[start] = true;
    queue[end++] = start;
    while (first < end) {
        const int cell = queue[first++];
        w->count++;
        for (int k = 0; k < 4; k++) {
            const int next = cell + step[k];
            const bool off = next < 0 || next >= LOCAL_CELLS ||
                             (k % 2 && next / LOCAL_SIDE != cell / LOCAL_SIDE);
            if (off || w->reached[next] || !walkable(map, next))
                continue;
            w->reached[next] = true;
            queue[end++] = next;
        }
    }
}

/* The tile on a side's border, so far along it. */
static int border_cell(int side, int along)
{
    return side == GROUND_NORTH   ? along
           : side == GROUND_SOUTH ? LAST * LOCAL_SIDE + along
           : side == GROUND_WEST  ? along * LOCAL_SIDE
                                  : along * LOCAL_SIDE + LAST;
}

static bool reaches_side(const walk *w, int side)
{
    bool found = false;
    for (int i = 0; i < LOCAL_SIDE && !found; i++)
        found = w->reached[border_cell(side, i)];
    return found;
}

/* Where one comes in: a way, or a tile at a side that is open. */
static int entrance_of(const local_map *map, const ground_site *s)
{
    ground_way ways[GROUND_WAYS];
    if (ground_ways_of(ways, s) > 0)
        return ways[0].y * LOCAL_SIDE + ways[0].x;
    for (int side = 0; side < GROUND_SIDES; side++)
        for (int i = 0; i < LOCAL_SIDE; i++) {
            const int cell = border_cell(side, i);
            if ((ground_leads(s, side) || s->z == 0) && walkable(map, cell))
                return cell;
        }
    return -1;
}

static void check_things(const trial *t, const local_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        if (e->kind == LOCAL_ITEM_GROUP || e->kind == LOCAL_MONSTER_GROUP)
            ck_abort_msg("%s: no group %s", t->type, id_pool_text(content.pool, e->id));
    }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const uint32_t terrain = map->terrain[i], furniture = map->furniture[i];
        if (!(mapgen_terrain_tile(content.tiles, terrain).flags & MAPGEN_TILE_KNOWN))
            ck_abort_msg("%s: no terrain %s", t->type, id_pool_text(content.pool, terrain));
        if (furniture != ID_NONE &&
            !(mapgen_furniture_tile(content.tiles, furniture).flags & MAPGEN_TILE_KNOWN))
            ck_abort_msg("%s: no furniture %s", t->type, id_pool_text(content.pool, furniture));
    }
}

/* From the way in one comes to all other ways, and to all sides that are open. */
static void check_walk(const trial *t, const local_map *map, const ground_site *s,
                       uint64_t seed, double *share)
{
    ground_way ways[GROUND_WAYS];
    const size_t count = ground_ways_of(ways, s);
    const int entrance = entrance_of(map, s);
    walk w;
    if (entrance < 0)
        return; /* rock all around */
    walk_from(&w, map, entrance);
    for (size_t i = 0; i < count; i++) {
        const int cell = ways[i].y * LOCAL_SIDE + ways[i].x;
        ck_assert_msg(map->terrain[cell] == id_of(ways[i].terrain), "%s, seed %llu: %s, not %s",
                      t->type, (unsigned long long)seed,
                      id_pool_text(content.pool, map->terrain[cell]), ways[i].terrain);
        ck_assert_msg(w.reached[cell], "%s, seed %llu: no way to %s", t->type,
                      (unsigned long long)seed, ways[i].terrain);
    }
    for (int side = 0; side < GROUND_SIDES; side++)
        if (ground_leads(s, side))
            ck_assert_msg(reaches_side(&w, side), "%s, seed %llu: no way to side %d", t->type,
                          (unsigned long long)seed, side);
    bool outside = s->z != 0;
    for (int side = 0; side < GROUND_SIDES && !outside; side++)
        outside = reaches_side(&w, side);
    ck_assert_msg(outside, "%s, seed %llu: no way out", t->type, (unsigned long long)seed);
    *share += (double)w.count / w.free;
}

START_TEST(one_can_walk)
{
    /* What drawings of content close for good, vaults say, is little. */
    const double least = 0.85;
    const int seeds = test_seeds(SEEDS);
    if (!loaded)
        return;
    for (int i = 0; i < TRIALS; i++) {
        const trial *t = &trials[i];
        double share = 0;
        for (int seed = 0; seed < seeds; seed++) {
            const ground_site s =
                site_of(t, (uint64_t)seed, seed < 16 ? (unsigned)(15 - seed) : 15);
            local_map map;
            make(&map, &s);
            check_things(t, &map);
            double own = 0;
            check_walk(t, &map, &s, (uint64_t)seed, &own);
            share += own > 0 ? own : 1;
            local_map_dispose(&map);
        }
        ck_assert_msg(share >= least * seeds, "%s, z %d: %.3f of it can be reached", t->type,
                      t->z, share / seeds);
    }
}
END_TEST

/* Two maps side by side meet where one can walk. */
START_TEST(they_meet)
{
    const int seeds = test_seeds(SEEDS);
    if (!loaded)
        return;
    for (int i = 0; i < TRIALS; i++) {
        const trial *t = &trials[i],
                    twin = {t->beside, t->z, "empty_rock", "empty_rock", t->type};
        for (int seed = 0; seed < seeds; seed++) {
            const int side = seed % GROUND_SIDES, back = (side + 2) % GROUND_SIDES;
            static const int step[GROUND_SIDES][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
            const ground_site a = site_of(t, (uint64_t)seed, 1u << side);
            ground_site b = site_of(&twin, (uint64_t)seed, 1u << back);
            b.x += step[side][0];
            b.y += step[side][1];
            local_map one, other;
            int both = 0;
            if (t->z == 0 || !ground_leads(&a, side))
                continue;
            ck_assert(ground_leads(&b, back));
            make(&one, &a);
            make(&other, &b);
            for (int k = 0; k < LOCAL_SIDE; k++)
                both += walkable(&one, border_cell(side, k)) &&
                        walkable(&other, border_cell(back, k));
            ck_assert_msg(both > 0, "%s and %s, seed %d", t->type, t->beside, seed);
            local_map_dispose(&one);
            local_map_dispose(&other);
        }
    }
}
END_TEST

/* What leads down from a level leads up from the one below, at the same place. */
START_TEST(stairs_meet)
{
    const int seeds = test_seeds(SEEDS);
    size_t met = 0;
    if (!loaded)
        return;
    for (int i = 0; i < TRIALS; i++) {
        const trial *t = &trials[i];
        const trial under = {t->below, t->z - 1, t->type, "empty_rock", "empty_rock"};
        for (int seed = 0; seed < seeds; seed++) {
            const ground_site a = site_of(t, (uint64_t)seed, 15);
            const ground_site b = site_of(&under, (uint64_t)seed, 0);
            ground_way ways[GROUND_WAYS];
            const size_t count = ground_ways_of(ways, &a);
            for (size_t k = 0; k < count; k++) {
                const char *answer = ground_answer(ways[k].terrain, true);
                local_map map;
                if (!answer)
                    continue; /* it leads up */
                make(&map, &b);
                ck_assert_msg(map.terrain[ways[k].y * LOCAL_SIDE + ways[k].x] == id_of(answer),
                              "%s over %s, seed %d", t->type, t->below, seed);
                met++;
                local_map_dispose(&map);
            }
        }
    }
    ck_assert_uint_ge(met, (size_t)(18 * seeds)); /* all sorts of ways */
}
END_TEST

/* Nothing leads down into rock, whatever the terrain has a way to elsewhere. */
START_TEST(no_way_ends_in_rock)
{
    for (int i = 0; i < TRIALS; i++) {
        ground_site s = site_of(&trials[i], 1, 15);
        ground_way ways[GROUND_WAYS];
        s.below = omt("empty_rock");
        const size_t count = ground_ways_of(ways, &s);
        for (size_t k = 0; k < count; k++)
            ck_assert_msg(!ground_answer(ways[k].terrain, true), "%s", trials[i].type);
    }
}
END_TEST

/* A laboratory under stairs that content draws has stairs there, too. */
START_TEST(drawn_stairs_are_answered)
{
    const trial t = {"lab", -2, "basement_hidden_lab_stairs", "lab_escape_entrance", "lab"};
    if (!loaded)
        return;
    for (uint64_t seed = 0; seed < 8; seed++) {
        ground_site s = site_of(&t, seed, 15);
        s.up = (ground_given){.cells = {100, 333}, .count = 2};
        s.up.terrains[0] = s.up.terrains[1] = "t_stairs_up";
        s.down = (ground_given){.cells = {(uint16_t)(200 + seed)}, .count = 1};
        s.down.terrains[0] = "t_stairs_down";
        local_map map;
        double share = 0;
        make(&map, &s);
        ck_assert_uint_eq(map.terrain[100], id_of("t_stairs_up"));
        ck_assert_uint_eq(map.terrain[333], id_of("t_stairs_up"));
        ck_assert_uint_eq(map.terrain[200 + seed], id_of("t_stairs_down"));
        check_walk(&t, &map, &s, seed, &share);
        local_map_dispose(&map);
    }
}
END_TEST

/* All 77 are looked at, each once at least. */
START_TEST(none_is_forgotten)
{
    enum { OTHERS = sizeof others / sizeof others[0] };
    size_t count = OTHERS;
    for (int i = 0; i < TRIALS; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again = again || strcmp(trials[k].type, trials[i].type) == 0;
        for (int k = 0; k < OTHERS; k++)
            ck_assert_str_ne(trials[i].type, others[k]);
        count += !again;
    }
    ck_assert_uint_eq(count, ALL_IDS);
}
END_TEST

/* ---- beside the game's ---- */

/* Does a laboratory go on beyond a side, as the game's map shows it? Walls and doors of the
 * north and west are the neighbours', if there are some. */
static bool goes_on(const game_map *m, int side)
{
    const char *id = id_pool_text(content.pool, m->terrain[border_cell(side, MIDDLE)]);
    return side == GROUND_EAST || side == GROUND_SOUTH
               ? strncmp(id, "t_door_metal", strlen("t_door_metal")) == 0
               : !strstr(id, "wall") && strcmp(id, "t_rock") != 0 &&
                     strcmp(id, "t_reinforced_glass") != 0;
}

static void make_like(local_map *map, const game_map *m, const char *type, uint64_t seed)
{
    const trial t = {type, m->z, "empty_rock", "empty_rock", type};
    unsigned sides = 0;
    for (int side = 0; side < GROUND_SIDES; side++)
        sides |= (unsigned)goes_on(m, side) << side;
    const ground_site s = site_of(&t, seed, sides);
    make(map, &s);
}

/* A laboratory's type; NULL: the map is none's, or of what content draws. */
static const char *lab_of(const game_map *m)
{
    static const char *const types[] = {"central_lab", "central_lab_core", "central_lab_stairs",
                                        "lab",         "lab_core",         "lab_stairs",
                                        "tower_lab",   "tower_lab_stairs"};
    const char *oter = id_pool_text(content.pool, m->oter);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(oter, types[i]) == 0)
            return types[i];
    return NULL;
}

typedef struct tally {
    double game, ours;
} tally;

/* Of so many tiles: what there is at least to be compared, and the share that must be alike. */
static void compare(const tally *tallies, size_t count, double least, double share,
                    const char *sort)
{
    size_t all = 0, good = 0;
    for (uint32_t id = 1; id < count; id++) {
        const double ratio = tallies[id].ours / (tallies[id].game + 1e-9);
        if (tallies[id].game < least)
            continue;
        const bool alike = ratio >= 0.67 && ratio <= 1.5;
        all++;
        good += alike;
        if (!alike || getenv("PORTOLAN_TRUTH_SHOW"))
            printf("    %s: %.0f in the game, %.0f here: %.2f\n",
                   id_pool_text(content.pool, id), tallies[id].game, tallies[id].ours, ratio);
    }
    printf("  laboratories, %s: %zu of %zu within 0.67 to 1.5\n", sort, good, all);
    ck_assert_msg((double)good >= share * (double)all, "%s: %zu of %zu", sort, good, all);
}

START_TEST(laboratories_are_like_the_games)
{
    enum { ROUNDS = 8, TILES = 300, PIECES = 50 };
    game_maps maps;
    size_t count = 0;
    if (!loaded)
        return;
    if (!game_maps_read(&maps, content.pool, &truth_0F))
        return;
    const size_t ids = id_pool_count(content.pool);
    tally *terrain = calloc(ids, sizeof *terrain), *furniture = calloc(ids, sizeof *furniture);
    ck_assert(terrain && furniture);
    for (size_t i = 0; i < maps.count; i++) {
        const game_map *m = &maps.items[i];
        const char *type = lab_of(m);
        count += type != NULL;
        for (int k = 0; k < LOCAL_CELLS && type; k++) {
            terrain[m->terrain[k]].game++;
            furniture[m->furniture[k]].game++;
        }
        for (uint64_t round = 0; round < ROUNDS && type; round++) {
            local_map map;
            make_like(&map, m, type, hash_add(round, i));
            for (int k = 0; k < LOCAL_CELLS; k++) {
                if (map.terrain[k] < ids)
                    terrain[map.terrain[k]].ours += 1.0 / ROUNDS;
                if (map.furniture[k] < ids)
                    furniture[map.furniture[k]].ours += 1.0 / ROUNDS;
            }
            local_map_dispose(&map);
        }
    }
    printf("  %zu maps of laboratories, each made %d times\n", count, ROUNDS);
    compare(terrain, ids, TILES, 0.7, "terrain");
    compare(furniture, ids, PIECES, 0.7, "furniture");
    free(terrain);
    free(furniture);
    game_maps_free(&maps);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local depths");
    TCase *c = tcase_create("what the game has as code");
    tcase_add_unchecked_fixture(c, load, unload);
    tcase_add_test(c, none_is_forgotten);
    tcase_add_test(c, one_can_walk);
    tcase_add_test(c, they_meet);
    tcase_add_test(c, stairs_meet);
    tcase_add_test(c, no_way_ends_in_rock);
    tcase_add_test(c, drawn_stairs_are_answered);
    tcase_add_test(c, laboratories_are_like_the_games);
    tcase_set_timeout(c, 60);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
