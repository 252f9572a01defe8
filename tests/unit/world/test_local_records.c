/*
 * What local maps ask of their chunk's features, in any backend and however they are made:
 * joins of mutable specials, what was there before, which placement a tile is of. And that
 * linear terrain is turned as its line lies.
 */
#include "model/feature.h"
#include "store/store.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static place p;
static ptl_world *world;

/* Brooks tell in row J + 1 by which joins they met something: column D for direction D of
 * these. The tile (12, 12) is the same in all of one brook. Roads tell what was there before.
 * The mark at (23, 0) says how the map is turned. */
static const char *const directions[] = {"north", "east", "south", "west", "above", "below"};
static const char *const joins[] = {"flow_in", "flow_out", "mill_side"};
static const char *const befores[] = {"field", "forest", "forest_thick", "forest_water"};
static const char *const colours[] = {"t_c0", "t_c1", "t_c2", "t_c3",
                                      "t_c4", "t_c5", "t_c6", "t_c7"};

enum { DIRECTIONS = 6, JOINS = 3, BEFORES = 4, COLOURS = 8 };

static void write_brooks(bytes *text)
{
    bytes_put_text(
        text, "{\"type\":\"mapgen\",\"om_terrain\":[\"spring\",\"tarn\",\"brook_straight\","
              "\"brook_curved\",\"fulling_mill\"],\"weight\":1000000000,\"object\":{"
              "\"fill_ter\":\"t_plain\",\"parameters\":{\"colour\":{\"type\":\"ter_str_id\","
              "\"default\":{\"distribution\":[");
    for (int i = 0; i < COLOURS; i++)
        bytes_printf(text, "%s[\"%s\",1]", i ? "," : "", colours[i]);
    bytes_put_text(text,
                   "]}}},\"place_terrain\":[{\"ter\":\"t_mark\",\"x\":23,\"y\":0},{\"ter\":"
                   "{\"param\":\"colour\"},\"x\":12,\"y\":12}],\"place_nested\":["
                   "{\"chunks\":[\"yes\"],\"x\":20,\"y\":19,\"z\":1},"
                   "{\"chunks\":[\"no\"],\"x\":[2,9],\"y\":19,\"z\":[-2,-1]},");
    for (int i = 0; i < DIRECTIONS * JOINS; i++)
        bytes_printf(text,
                     "%s{\"chunks\":[\"yes\"],\"x\":%d,\"y\":%d,\"joins\":{\"%s\":\"%s\"}}",
                     i ? "," : "", i % DIRECTIONS, i / DIRECTIONS + 1,
                     directions[i % DIRECTIONS], joins[i / DIRECTIONS]);
    bytes_put_text(text, "]}},");
}

static void write_roads(bytes *text)
{
    bytes_put_text(text, "{\"type\":\"mapgen\",\"om_terrain\":[\"road_end\",\"road_straight\","
                         "\"road_curved\",\"road_tee\",\"road_four_way\"],\"object\":{"
                         "\"fallback_predecessor_mapgen\":\"field\","
                         "\"place_terrain\":[{\"ter\":\"t_mark\",\"x\":23,\"y\":0}],"
                         "\"place_nested\":[");
    for (int i = 0; i < BEFORES; i++)
        bytes_printf(text,
                     "%s{\"chunks\":[\"yes\"],\"else_chunks\":[\"no\"],\"x\":%d,\"y\":1,"
                     "\"predecessors\":[{\"om_terrain\":\"%s\",\"om_terrain_match_type\":"
                     "\"EXACT\"}]}",
                     i ? "," : "", i, befores[i]);
    bytes_put_text(text, "]}}");
}

static void begin(int backend, uint64_t seed)
{
    bytes text;
    bytes_init(&text);
    open_place(&p, backend);
    bytes_put_text(
        &text, "[{\"type\":\"overmap_terrain\",\"id\":\"road\",\"copy-from\":\"road\","
               "\"extend\":{\"flags\":[\"REQUIRES_PREDECESSOR\"]}},"
               "{\"type\":\"mapgen\",\"nested_mapgen_id\":\"yes\",\"object\":{\"mapgensize\":"
               "[1,1],\"place_terrain\":[{\"ter\":\"t_yes\",\"x\":0,\"y\":0}]}},"
               "{\"type\":\"mapgen\",\"nested_mapgen_id\":\"no\",\"object\":{\"mapgensize\":"
               "[1,1],\"place_terrain\":[{\"ter\":\"t_no\",\"x\":0,\"y\":0}]}},");
    write_brooks(&text);
    write_roads(&text);
    bytes_put_text(&text, "]");
    import_text(p.store, bytes_text(&text), true);
    bytes_dispose(&text);
    world = create(p.store, "w", seed);
}

static void end(void)
{
    ptl_world_close(world);
    close_place(&p);
}

/* ---- maps ---- */

/* How often the map was turned: where its mark lies. */
static int turns_of(const ptl_local_map *map)
{
    static const int places[4][2] = {{23, 0}, {23, 23}, {0, 23}, {0, 0}};
    int turns = 0;
    while (turns < 4 &&
           strcmp(ptl_local_terrain(map, places[turns][0], places[turns][1]), "t_mark") != 0)
        turns++;
    ck_assert_int_lt(turns, 4);
    return turns;
}

/* A tile of the drawing. */
static const char *drawn_at(const ptl_local_map *map, int turns, int x, int y)
{
    for (; turns > 0; turns--) {
        const int before = x;
        x = 23 - y;
        y = before;
    }
    return ptl_local_terrain(map, x, y);
}

static ptl_local_map *map_at(ptl_omt at)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    return map;
}

/* The join of a piece on a side; "" where it met nothing. */
static const char *join_of(const gen_features *f, const cat_mutable *layout, size_t piece,
                           int side)
{
    const gen_piece *g = &f->pieces[piece];
    for (size_t i = 0; i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        if (j->x == g->x && j->y == g->y && j->z == g->z && j->side == side)
            return layout->joins[j->join].id;
    }
    return "";
}

/* Sides are the drawing's, turned with it. */
static void check_joins(const ptl_local_map *map, int turns, const gen_features *f,
                        const cat_mutable *layout, size_t piece)
{
    for (int i = 0; i < DIRECTIONS * JOINS; i++) {
        const int d = i % DIRECTIONS, side = d < 4 ? (d + turns) % 4 : d;
        const bool met = strcmp(join_of(f, layout, piece, side), joins[i / DIRECTIONS]) == 0;
        const char *there = drawn_at(map, turns, d, i / DIRECTIONS + 1);
        ck_assert_str_eq(there, met ? "t_yes" : "t_plain");
    }
}

/* How many tiles of a row of the drawing are the terrain. */
static int count_in_row(ptl_omt at, int turns, int y, const char *terrain)
{
    ptl_local_map *map = map_at(at);
    int count = 0;
    for (int x = 0; x < 24; x++)
        count += strcmp(drawn_at(map, turns, x, y), terrain) == 0;
    ptl_local_free(map);
    return count;
}

/* A brook puts one tile on the map above it, and one on one of the two below; which are made
 * before it or after. */
static void check_column(ptl_omt at, bool first)
{
    const ptl_omt above = {at.x, at.y, at.z + 1}, below = {at.x, at.y, at.z - 1};
    const ptl_omt deep = {at.x, at.y, at.z - 2};
    int turns = 0;
    if (first)
        for (int i = 0; i < 3; i++)
            ptl_local_free(map_at(i == 0 ? deep : i == 1 ? above : below));
    ptl_local_map *map = map_at(at);
    turns = turns_of(map);
    ptl_local_free(map);
    ck_assert_int_eq(count_in_row(above, turns, 19, "t_yes"), 1);
    map = map_at(above);
    ck_assert_str_eq(drawn_at(map, turns, 20, 19), "t_yes");
    ptl_local_free(map);
    ck_assert_int_eq(
        count_in_row(below, turns, 19, "t_no") + count_in_row(deep, turns, 19, "t_no"), 1);
}

static size_t check_brooks(const gen_features *f, ptl_chunk_pos pos)
{
    size_t brooks = 0, different = 0;
    char first[40] = "";
    for (size_t s = 0; s < f->placement_count; s++) {
        const cat_special *special = &world->cat->specials[f->placements[s].special];
        char colour[40] = "";
        if (strcmp(special->id, "brook") != 0)
            continue;
        brooks++;
        for (size_t i = 0; i < f->piece_count; i++) {
            const gen_piece *g = &f->pieces[i];
            if ((size_t)g->placement != s)
                continue;
            const ptl_omt at = {pos.x * 180 + g->x, pos.y * 180 + g->y, g->z};
            check_column(at, i % 2);
            ptl_local_map *map = map_at(at);
            const int turns = turns_of(map);
            const char *mine = drawn_at(map, turns, 12, 12);
            check_joins(map, turns, f, special->layout, i);
            ck_assert(!colour[0] || strcmp(mine, colour) == 0);
            snprintf(colour, sizeof colour, "%s", mine);
            ptl_local_free(map);
        }
        different += first[0] && strcmp(colour, first) != 0;
        snprintf(first, sizeof first, "%s", colour);
    }
    ck_assert_uint_gt(brooks, 0);
    return different;
}

/* ---- what was there before ---- */

/* Is the terrain in the chain of the cell, by the chunk's runs? */
static bool was_there(const gen_features *f, int x, int y, const char *id)
{
    bool found = false;
    for (size_t i = 0; i < f->predecessor_count; i++) {
        const gen_predecessor *r = &f->predecessors[i];
        const int along = r->south ? y - r->y : x - r->x, off = r->south ? x - r->x : y - r->y;
        if (r->z == 0 && off == 0 && along >= 0 && along < r->length)
            found = found || strcmp(world->cat->oters[r->oter].id, id) == 0;
    }
    return found;
}

/* How a line lies that is drawn with its only arm to the south (its end is its other side),
 * from north to south, from east to south, and to all sides but north. A line from west to east
 * is turned thrice, as the maps of 0.I show (test_local_truth). */
static int expected_turns(const char *oter)
{
    static const struct {
        const char *suffix;
        int turns;
    } lines[] = {{"_end_south", 2}, {"_end_west", 3}, {"_end_north", 0}, {"_end_east", 1},
                 {"_ns", 0},        {"_ew", 3},       {"_es", 0},        {"_sw", 1},
                 {"_wn", 2},        {"_ne", 3},       {"_esw", 0},       {"_nsw", 1},
                 {"_new", 2},       {"_nes", 3},      {"_nesw", 0}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(oter + strlen("road"), lines[i].suffix) == 0)
            return lines[i].turns;
    return -1;
}

static void check_road(const gen_features *f, ptl_chunk_pos pos, int x, int y, unsigned *seen)
{
    ptl_local_map *map = map_at((ptl_omt){pos.x * 180 + x, pos.y * 180 + y, 0});
    const int turns = turns_of(map);
    ck_assert_int_eq(turns, expected_turns(ptl_local_oter(map)));
    for (int i = 0; i < BEFORES; i++) {
        const bool was = was_there(f, x, y, befores[i]);
        ck_assert_str_eq(drawn_at(map, turns, i, 1), was ? "t_yes" : "t_no");
        *seen |= (unsigned)was << i;
    }
    /* Over the ground of what was there nothing is left empty. */
    for (int i = 0; i < 24 * 24; i++)
        ck_assert_str_ne(ptl_local_terrain(map, i % 24, i / 24), "");
    ptl_local_free(map);
}

static void check_roads(const gen_features *f, ptl_chunk_pos pos)
{
    const int every = getenv("PORTOLAN_QUICK") ? 9 : 3;
    ptl_oter *cells = malloc(180 * 180 * sizeof *cells);
    unsigned seen = 0;
    int roads = 0;
    const ptl_area area = {pos.x * 180, pos.y * 180, 0, 180, 180};
    ck_assert_ptr_nonnull(cells);
    OK(ptl_area_get(cells, NULL, world, &area, NULL, &err));
    for (int i = 0; i < 180 * 180; i++) {
        const cat_oter *o = &world->cat->oters[cells[i]];
        if (o->line && strcmp(world->cat->terrains[o->terrain].id, "road") == 0 &&
            roads++ % every == 0)
            check_road(f, pos, i % 180, i / 180, &seen);
    }
    ck_assert_int_gt(roads, 50);
    ck_assert_uint_ne(seen & 1, 0);   /* over fields, */
    ck_assert_uint_ne(seen & ~1u, 0); /* and over others */
    free(cells);
}

/* ---- tests ---- */

static void check_chunk(ptl_chunk_pos pos, bool roads)
{
    gen_features f = {0};
    bool found = false;
    OK(ops(p.store)->chunk->features_read_all(&f, &found, p.store, world->row.id, pos,
                                              world->cat, &err));
    ck_assert(found);
    check_brooks(&f, pos);
    if (roads)
        check_roads(&f, pos);
    features_dispose(&f);
}

START_TEST(maps_know_what_is_recorded)
{
    const ptl_chunk_pos here = {0, 0};
    begin(_i % BACKENDS, 12 + (uint64_t)(_i / BACKENDS));
    generate(world, &here, 1, NULL);
    check_chunk(here, true);
    end();
}
END_TEST

/* A record's key is that of what its chunk holds. */
START_TEST(records_have_keys)
{
    static const ptl_chunk_pos two[] = {{0, 0}, {1, 0}};
    local_record *record = NULL;
    uint64_t keys[3];
    begin(_i, 12);
    generate(world, two, 2, NULL);
    for (int i = 0; i < 3; i++) {
        OK(local_record_read(&record, world, (ptl_omt){180 * i, 0, 0}, &err));
        keys[i] = local_record_key(record);
    }
    ck_assert(keys[0] != 0 && keys[1] != 0 && keys[0] != keys[1]);
    ck_assert_uint_eq(keys[2], 0); /* it is not saved */
    OK(local_record_read(&record, world, (ptl_omt){179, 179, 0}, &err));
    ck_assert_uint_eq(local_record_key(record), keys[0]);
    local_record_drop(record);
    end();
}
END_TEST

/* Of two brooks, the one's colour is not always the other's. */
START_TEST(placements_are_drawn_apart)
{
    enum { SEEDS = 4 };
    size_t different = 0;
    for (uint64_t seed = 0; seed < SEEDS && different == 0; seed++) {
        const ptl_chunk_pos here = {0, 0};
        gen_features f = {0};
        bool found = false;
        begin(FILE_BACKEND, 12 + seed);
        generate(world, &here, 1, NULL);
        OK(ops(p.store)->chunk->features_read_all(&f, &found, p.store, world->row.id, here,
                                                  world->cat, &err));
        different = check_brooks(&f, here);
        features_dispose(&f);
        end();
    }
    ck_assert_uint_gt(different, 0);
}
END_TEST

/* A field has at (1, 1) what comes at the season and hour of the turn it is made for. */
START_TEST(seasons_come_with_turns)
{
    enum { HOUR = 3600, DAY = 24 * HOUR };
    static const struct {
        int64_t turn;
        const char *monster;
    } cases[] = {{0, "mon_spring"},
                 {91 * DAY - 9 * HOUR, "mon_spring_night"}, /* 23 o'clock of its last day */
                 {91 * DAY, "mon_summer"},
                 {2 * 91 * DAY, "mon_autumn"},
                 {3 * 91 * DAY, "mon_winter"},
                 {4 * 91 * DAY, "mon_spring"}};
    static const char TEXT[] =
        "[{\"type\":\"monstergroup\",\"name\":\"seasons\",\"freq_total\":1,\"monsters\":["
        "{\"monster\":\"mon_spring_night\",\"freq\":1,\"conditions\":[\"SPRING\",\"NIGHT\"]},"
        "{\"monster\":\"mon_spring\",\"freq\":1,\"conditions\":[\"SPRING\",\"DAY\"]},"
        "{\"monster\":\"mon_summer\",\"freq\":1,\"conditions\":[\"SUMMER\"]},"
        "{\"monster\":\"mon_autumn\",\"freq\":1,\"conditions\":[\"AUTUMN\"]},"
        "{\"monster\":\"mon_winter\",\"freq\":1,\"conditions\":[\"WINTER\"]}]},"
        "{\"type\":\"mapgen\",\"om_terrain\":\"field\",\"weight\":1000000000,\"object\":{"
        "\"fill_ter\":\"t_plain\",\"place_monster\":[{\"group\":\"seasons\",\"x\":1,\"y\":1}]}}"
        "]";
    size_t made = 0;
    open_place(&p, _i);
    import_text(p.store, TEXT, true);
    world = create(p.store, "w", 12);
    for (int64_t i = 0; made < sizeof cases / sizeof cases[0]; i++) {
        ptl_local_map *map = NULL;
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
        ck_assert_int_lt(i, 400);
        o.turn = cases[made].turn;
        OK(ptl_local_get(&map, world, (ptl_omt){i % 20 * 5 + 20, i / 20 * 5 + 20, 0}, &o,
                         &err));
        if (strcmp(ptl_local_oter(map), "field") == 0) {
            OK(ptl_local_entity_at(&e, map, 0));
            ck_assert_str_eq(e.id, cases[made].monster);
            made++;
        }
        ptl_local_free(map);
    }
    end();
}
END_TEST

/* Made in bulk, by threads, and asked without being stored: the same maps, across chunks. */
START_TEST(all_ways_are_alike)
{
    ptl_local_digest_result asked = PTL_LOCAL_DIGEST_RESULT_INIT, stored = asked;
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    const ptl_chunk_pos around[] = {{0, 0}, {1, 0}};
    gen_features f = {0};
    bool found = false;
    begin(_i, 12);
    generate(world, around, 2, NULL);
    OK(ops(p.store)->chunk->features_read_all(&f, &found, p.store, world->row.id, around[0],
                                              world->cat, &err));
    size_t brook = 0;
    while (brook < f.piece_count &&
           strcmp(world->cat->specials[f.placements[f.pieces[brook].placement].special].id,
                  "brook") != 0)
        brook++;
    ck_assert_uint_lt(brook, f.piece_count);
    const int64_t y = f.pieces[brook].y < 20 ? 20 : f.pieces[brook].y;
    features_dispose(&f);
    const ptl_local_area area = {10, y - 12, 199, y + 12, 0, 0};
    OK(ptl_local_digest_get(&asked, world, &area, &err));
    o.areas = &area;
    o.area_count = 1;
    o.jobs = 3;
    OK(ptl_local_generate(&report, world, &o, &err));
    OK(ptl_local_digest_get(&stored, world, &area, &err));
    ck_assert_uint_eq(stored.made, 0);
    ck_assert_str_eq(stored.hex, asked.hex);
    check_chunk(around[0], false);
    end();
}
END_TEST

int main(void)
{
    const int seeds = getenv("PORTOLAN_QUICK") ? 1 : 3;
    Suite *suite = suite_create("local_records");
    TCase *tc = tcase_create("records");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, maps_know_what_is_recorded, 0, seeds * BACKENDS);
    tcase_add_loop_test(tc, records_have_keys, 0, BACKENDS);
    tcase_add_test(tc, placements_are_drawn_apart);
    tcase_add_loop_test(tc, seasons_come_with_turns, 0, BACKENDS);
    tcase_add_loop_test(tc, all_ways_are_alike, 0, BACKENDS);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
