/*
 * What stands on the sea of a world: structures of the content and what a game builds and digs
 * have heights of their own, and all OMTs around agree on what they hold back, over borders of
 * chunks, too.
 */
#include "core/hash.h"
#include "gen/coast/coast_plan.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

enum {
    SIDE = COAST_SIDE,
    CELLS = SIDE * SIDE,
    SEEN = 7, /* OMTs a side that are looked at */
    SEEN_OMTS = SEEN * SEEN,
    WIDE = SEEN * SIDE,
    STEP = 60 /* turns in one of the tide */
};

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;

static void begin(uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = seed;
    o.region = "coast";
    world_file_path(path);
    store = world_file_open(path, "land", seed);
    OK(ptl_world_create(store, "sea", &o, &err));
    world = world_file_world(store, "sea");
}

static void end(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

/* An OMT with islands around, in the first row of a chunk, far out in the sea. */
static ptl_omt find_border(uint64_t seed)
{
    for (int32_t cy = 4;; cy++)
        for (int32_t i = 8; i < PTL_CHUNK_SIZE - 8; i++) {
            const ptl_omt at = {4 * PTL_CHUNK_SIZE + i, (int64_t)cy * PTL_CHUNK_SIZE, 0};
            uint8_t share;
            coast_shares(&share, seed, at.x, at.y, 1);
            if (share > COAST_SHARE_ALL / 2)
                return at;
        }
}

/* ---- grounds around an OMT ---- */

typedef struct seen {
    coast_ground omts[SEEN_OMTS];
} seen;

static void look(seen *s, ptl_omt middle)
{
    local_reader *r = local_reader_new(world);
    ck_assert_ptr_nonnull(r);
    for (int i = 0; i < SEEN_OMTS; i++) {
        local_maker maker;
        local_sea sea;
        const ptl_omt at = {middle.x + i % SEEN - SEEN / 2, middle.y + i / SEEN - SEEN / 2, 0};
        OK(world_local_maker(&maker, world, 0, &err));
        OK(world_local_sea(&sea, &maker, at, &err));
        ck_assert(sea.any);
        s->omts[i] = sea.ground;
    }
    local_reader_free(r);
}

static int16_t at(const seen *s, int32_t x, int32_t y, bool spill)
{
    const coast_ground *g = &s->omts[y / SIDE * SEEN + x / SIDE];
    const int32_t cell = y % SIDE * SIDE + x % SIDE;
    return spill ? g->spills[cell] : g->heights[cell];
}

/* Spills by what each OMT says of its own heights and sea: whoever is asked, they agree. */
static void check_agreement(const seen *s)
{
    static int16_t from[WIDE * WIDE], to[WIDE * WIDE];
    for (int32_t i = 0; i < WIDE * WIDE; i++)
        to[i] = at(s, i % WIDE, i / WIDE, true) == COAST_SPILL_SEA ? COAST_SPILL_SEA
                                                                   : COAST_SPILL_NEVER;
    for (int step = 0; step < COAST_STEPS; step++) {
        memcpy(from, to, sizeof from);
        for (int32_t i = 0; i < WIDE * WIDE; i++) {
            const int32_t x = i % WIDE, y = i / WIDE;
            const int16_t height = at(s, x, y, false);
            if (x == 0 || y == 0 || x == WIDE - 1 || y == WIDE - 1 ||
                to[i] == COAST_SPILL_SEA || height >= COAST_ROCK_FROM)
                continue;
            for (int k = 0; k < 9; k++) {
                const int16_t beside = from[(y + k / 3 - 1) * WIDE + x + k % 3 - 1];
                const int16_t over = beside > height ? beside : height;
                to[i] = over < to[i] ? over : to[i];
            }
        }
    }
    for (int32_t y = SIDE; y < WIDE - SIDE; y++)
        for (int32_t x = SIDE; x < WIDE - SIDE; x++)
            if (at(s, x, y, true) != to[y * WIDE + x])
                ck_abort_msg("at %d,%d spill %d, not %d", (int)x, (int)y, at(s, x, y, true),
                             to[y * WIDE + x]);
}

/* ---- what a game does ---- */

static ptl_local_map *get(ptl_omt place)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, place, NULL, &err));
    return map;
}

/* Fills a rectangle of tiles that may lie in several OMTs, all of it or its edge. */
static void build(int64_t x0, int64_t y0, int64_t x1, int64_t y1, bool hollow, const char *id)
{
    int32_t cell;
    const ptl_omt first = world_local_tile(&cell, x0, y0),
                  last = world_local_tile(&cell, x1, y1);
    for (int64_t v = first.y; v <= last.y; v++)
        for (int64_t u = first.x; u <= last.x; u++) {
            ptl_local_map *map = get((ptl_omt){u, v, 0});
            for (int32_t i = 0; i < CELLS; i++) {
                const int64_t x = u * SIDE + i % SIDE, y = v * SIDE + i / SIDE;
                const bool in = x >= x0 && x <= x1 && y >= y0 && y <= y1;
                if (in && (!hollow || x == x0 || x == x1 || y == y0 || y == y1))
                    OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE, id));
            }
            OK(ptl_local_put(world, &map, 1, &err));
            ptl_local_free(map);
        }
}

static int count_changed(const seen *a, const seen *b, int omt)
{
    int changed = 0;
    for (int i = 0; i < CELLS; i++)
        changed += a->omts[omt].spills[i] != b->omts[omt].spills[i];
    return changed;
}

/* A dam over the border of two chunks: the tide comes in no more, in neither chunk, and two
 * OMTs farther nothing is otherwise. Taken away again, all is as before. */
START_TEST(a_dam_holds_water_back)
{
    static seen before, with, after;
    begin((uint64_t)_i);
    const ptl_omt middle = find_border((uint64_t)_i);
    const int64_t x = middle.x * SIDE + 2, y = middle.y * SIDE - 9;
    look(&before, middle);
    check_agreement(&before);
    /* What is inside becomes shallow: the game fills in what was deep. */
    build(x, y, x + 18, y + 18, false, "t_swater_sh");
    look(&after, middle);
    check_agreement(&after);
    build(x, y, x + 18, y + 18, true, "t_wall_timber");
    look(&with, middle);
    check_agreement(&with);
    for (int half = 0; half < 2; half++) { /* north of the border, and south of it */
        const int omt = (SEEN / 2 - 1 + half) * SEEN + SEEN / 2;
        int dry = 0, wet = 0;
        for (int i = 0; i < CELLS; i++) {
            const int32_t u = 2, top = half ? -9 : SIDE - 9;
            const int32_t dx = i % SIDE - u, dy = i / SIDE - top;
            const coast_ground *g = &with.omts[omt];
            if (dx < 0 || dx > 18 || dy < 0 || dy > 18)
                continue;
            ck_assert_int_eq(g->spills[i], COAST_SPILL_NEVER);
            const bool wall = dx == 0 || dx == 18 || dy == 0 || dy == 18;
            ck_assert_int_eq(g->heights[i] == COAST_ROCK_FROM, wall);
            dry += wall;
            wet += !wall && after.omts[omt].spills[i] < COAST_FLOOD;
        }
        ck_assert_int_gt(dry, 30);
        ck_assert_int_gt(wet, 30); /* without the walls water came there */
    }
    for (int i = 0; i < SEEN_OMTS; i++) {
        const int dx = abs(i % SEEN - SEEN / 2), dy = i / SEEN - SEEN / 2;
        if (dx > 2 || dy < -3 || dy > 2)
            ck_assert_int_eq(count_changed(&before, &with, i), 0);
    }
    /* A gap where there is water outside, and the tide comes in. */
    const int32_t left = SEEN / 2 * SIDE + 2, top = SEEN / 2 * SIDE - 9;
    int32_t gap = 1;
    while (gap < 18 && at(&with, left + gap, top - 1, true) >= COAST_FLOOD)
        gap++;
    ck_assert_int_lt(gap, 18);
    build(x + gap, y, x + gap, y, false, "t_swater_sh");
    look(&after, middle);
    check_agreement(&after);
    ck_assert_int_lt(at(&after, left + gap, top + 1, true), COAST_FLOOD);
    end();
}
END_TEST

/* What is built and taken away leaves nothing; water_at and the map that is shown see it. */
START_TEST(what_is_undone_leaves_nothing)
{
    static seen before, after;
    begin((uint64_t)_i);
    const ptl_omt middle = find_border((uint64_t)_i);
    look(&before, middle);
    ptl_local_map *was = get(middle), *map = get(middle);
    for (int i = 0; i < CELLS; i++)
        OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE,
                                 i % 2 ? "t_floor_wood" : "t_wall_timber"));
    OK(ptl_local_put(world, &map, 1, &err));
    look(&after, middle);
    check_agreement(&after);
    ck_assert(memcmp(&before, &after, sizeof before) != 0);
    for (int i = 0; i < CELLS; i++) {
        ptl_local_water w = PTL_LOCAL_WATER_INIT;
        OK(ptl_local_water_get(&w, world, middle.x * SIDE + i % SIDE,
                               middle.y * SIDE + i / SIDE, 28 * STEP, &err));
        ck_assert_int_eq(w.height, i % 2 ? 134 : 135); /* no water on this map */
        ck_assert_int_eq(w.depth, 0);
        ck_assert_int_eq(w.ground, i % 2 ? PTL_SHOALS_FLOOR : PTL_SHOALS_HIGH);
        OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE,
                                 ptl_local_terrain(was, i % SIDE, i / SIDE)));
    }
    OK(ptl_local_put(world, &map, 1, &err));
    look(&after, middle);
    ck_assert(memcmp(&before, &after, sizeof before) == 0);
    ptl_local_free(was);
    ptl_local_free(map);
    end();
}
END_TEST

/* Anything anywhere: grounds agree, and have the heights of what stands there. */
START_TEST(works_at_random)
{
    static const char *const ids[] = {"t_wall_timber", "t_floor_wood", "t_swater_sh", "t_sand",
                                      "t_swater_dp",   "t_dirt",       "t_rock"};
    static seen s;
    begin((uint64_t)_i);
    const ptl_omt middle = find_border((uint64_t)_i);
    rng r = rng_from_key((uint64_t)_i + 50);
    for (int n = 0; n < 10; n++) {
        const int64_t x = (middle.x - 1) * SIDE + rng_range(&r, 0, 2 * SIDE);
        const int64_t y = (middle.y - 1) * SIDE + rng_range(&r, 0, 2 * SIDE);
        const int32_t wide = rng_range(&r, 0, 26), high = rng_range(&r, 0, 26);
        const bool hollow = rng_one_in(&r, 2);
        build(x, y, x + wide, y + high, hollow, ids[rng_below(&r, 7)]);
    }
    look(&s, middle);
    check_agreement(&s);
    int walls = 0, floors = 0;
    for (int i = 0; i < 9; i++) {
        const ptl_omt place = {middle.x + i % 3 - 1, middle.y + i / 3 - 1, 0};
        const coast_ground *g = &s.omts[(i / 3 + 2) * SEEN + i % 3 + 2];
        ptl_local_map *map = get(place);
        for (int k = 0; k < CELLS; k++) {
            const char *id = ptl_local_terrain(map, k % SIDE, k / SIDE);
            const coast_feature what =
                coast_feature_of(g->heights[k], COAST_SPILL_NEVER, 0, false);
            const bool wall = strcmp(id, "t_wall_timber") == 0 || strcmp(id, "t_rock") == 0;
            const bool floor = strcmp(id, "t_floor_wood") == 0 || strcmp(id, "t_sand") == 0 ||
                               strcmp(id, "t_dirt") == 0;
            ck_assert_int_eq(what == COAST_ROCK, wall);
            ck_assert(!floor || what == COAST_DRY);
            ck_assert(strcmp(id, "t_swater_sh") != 0 || what == COAST_SHALLOW);
            ck_assert_int_eq(what == COAST_DEEP, strcmp(id, "t_swater_dp") == 0);
            walls += wall;
            floors += floor;
        }
        ptl_local_free(map);
    }
    ck_assert_int_gt(walls + floors, 20);
    end();
}
END_TEST

/* ---- structures of the content ---- */

/* Looks at no more than `most` OMTs of a kind in a chunk, and at what stands on them. */
static int check_structures(ptl_chunk_pos chunk, const char *kind, int most, int counts[2])
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {(int64_t)chunk.x * PTL_CHUNK_SIZE, (int64_t)chunk.y * PTL_CHUNK_SIZE,
                           0, PTL_CHUNK_SIZE, PTL_CHUNK_SIZE};
    int found = 0;
    OK(ptl_area_get(cells, NULL, world, &area, &o, &err));
    for (int i = 0; i < PTL_LEVEL_CELLS && found < most; i++) {
        const char *id = world->cat->oters[cells[i]].id;
        if (strncmp(id, kind, strlen(kind)) != 0)
            continue;
        local_maker maker;
        local_sea sea, again;
        const ptl_omt place = {area.x + i % PTL_CHUNK_SIZE, area.y + i / PTL_CHUNK_SIZE, 0};
        OK(world_local_maker(&maker, world, 0, &err));
        OK(world_local_sea(&sea, &maker, place, &err)); /* its map is not stored yet */
        ptl_local_map *map = get(place);
        OK(world_local_sea(&again, &maker, place, &err));
        ck_assert(sea.any);
        ck_assert(memcmp(&sea.ground, &again.ground, sizeof sea.ground) == 0);
        for (int k = 0; k < CELLS; k++) {
            const char *tile = ptl_local_terrain(map, k % SIDE, k / SIDE);
            const int16_t height = sea.ground.heights[k];
            const bool wall = strcmp(tile, "t_wall_timber") == 0 ||
                              strcmp(tile, "t_door_closed") == 0 ||
                              strcmp(tile, "t_window") == 0;
            const bool floor =
                strcmp(tile, "t_floor_wood") == 0 || strcmp(tile, "t_pavement") == 0;
            ck_assert(!wall || (height == 135 && sea.ground.spills[k] == COAST_SPILL_NEVER));
            ck_assert(!floor || (height >= 0 && height <= 134 && height % 7 <= 1));
            counts[0] += wall;
            counts[1] += floor;
        }
        ptl_local_free(map);
        found++;
    }
    return found;
}

/* Looks along the shore in the east, which lies in columns 1 to 4, until there are enough. */
START_TEST(structures_fix_heights)
{
    enum { ENOUGH = 3, ALONG = 16, COLUMNS = 4 };
    static const struct {
        const char *kind;
        bool walls, floors;
    } kinds[] = {{"harbour_quay", false, true},
                 {"harbour_pier", false, true},
                 {"stranded_wreck", true, true},
                 {"tidal_hut", true, true},
                 {"mangroves", false, false}};
    begin(7);
    for (size_t n = 0; n < sizeof kinds / sizeof kinds[0]; n++) {
        int counts[2] = {0}, found = 0;
        for (int32_t i = 0; i < ALONG * COLUMNS && found < ENOUGH; i++) {
            const ptl_chunk_pos chunk = {1 + i % COLUMNS, 2 - i / COLUMNS};
            found += check_structures(chunk, kinds[n].kind, ENOUGH - found, counts);
        }
        ck_assert_msg(found == ENOUGH, "%d of %s", found, kinds[n].kind);
        ck_assert_int_eq(counts[0] > 0, kinds[n].walls);
        ck_assert_int_eq(counts[1] > 0, kinds[n].floors);
    }
    end();
}
END_TEST

int main(void)
{
    const int seeds = getenv("PORTOLAN_QUICK") ? 2 : 5;
    Suite *suite = suite_create("local works");
    TCase *t = tcase_create("works");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, a_dam_holds_water_back, 0, seeds);
    tcase_add_loop_test(t, what_is_undone_leaves_nothing, 0, 2);
    tcase_add_loop_test(t, works_at_random, 0, seeds);
    tcase_add_test(t, structures_fix_heights);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
