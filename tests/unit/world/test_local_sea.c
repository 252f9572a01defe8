/*
 * Local maps of the sea: nine maps made alone, in shuffled orders, over borders and corners of
 * chunks, are the block that the heights give in one piece.
 */
#include "core/hash.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/local/local.h"

#include <check.h>
#include <string.h>

static ptl_error err;

#define OK(call) ck_assert_msg((call) == PTL_OK, "%s", err.message)

enum { SIDE = COAST_SIDE, BLOCK = 3 * SIDE, SEEDS = 4 };

typedef struct made_world {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    ptl_world *world;
} made_world;

static void begin(made_world *m, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.seed = seed;
    o.region = "coast";
    world_file_path(m->path);
    m->store = world_file_open(m->path, "land", seed);
    OK(ptl_world_create(m->store, "sea", &o, &err));
    m->world = world_file_world(m->store, "sea");
}

static void end(made_world *m)
{
    ptl_world_close(m->world);
    ptl_store_close(m->store);
    world_file_remove(m->path);
}

/* The middle of a block with islands, on the border of two chunks, or the corner of four, far
 * out in the sea. */
static ptl_omt find_block(uint64_t seed, bool corner)
{
    for (int32_t cy = 4;; cy++)
        for (int32_t i = 0; i < (corner ? 5 : 5 * PTL_CHUNK_SIZE); i++) {
            const int64_t y = (int64_t)cy * PTL_CHUNK_SIZE;
            const int64_t x =
                corner ? (4 + i) * (int64_t)PTL_CHUNK_SIZE : 4 * PTL_CHUNK_SIZE + i;
            uint8_t share;
            coast_shares(&share, seed, x, y, 1);
            if (share > COAST_SHARE_ALL / 4)
                return (ptl_omt){x, y, 0};
        }
}

/* An OMT where a structure stands on the sea, the nearest to a border of its chunk. */
static ptl_omt find_structure(made_world *m)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {4 * PTL_CHUNK_SIZE, 4 * PTL_CHUNK_SIZE, 0, PTL_CHUNK_SIZE,
                           PTL_CHUNK_SIZE};
    const catalogue *cat = m->world->cat;
    int32_t best = -1, least = PTL_CHUNK_SIZE;
    OK(ptl_area_get(cells, NULL, m->world, &area, &o, &err));
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++) {
        const cat_oter *oter = &cat->oters[cells[i]];
        const int32_t x = i % PTL_CHUNK_SIZE, y = i / PTL_CHUNK_SIZE;
        if (cat->terrains[oter->terrain].shoals || strcmp(oter->id, "mangroves") == 0 ||
            (x < y ? x : y) >= least)
            continue;
        least = x < y ? x : y;
        best = i;
    }
    ck_assert_int_ge(best, 0);
    return (ptl_omt){area.x + best % PTL_CHUNK_SIZE, area.y + best / PTL_CHUNK_SIZE, 0};
}

/* The same ground in both worlds: where maps are stored, and in what order, does not matter. */
static void check_grounds(made_world *a, made_world *b, ptl_omt middle)
{
    static local_sea one, other;
    for (int i = 0; i < 9; i++) {
        const ptl_omt at = {middle.x + i % 3 - 1, middle.y + i / 3 - 1, 0};
        local_maker maker;
        OK(world_local_maker(&maker, a->world, 0, &err));
        OK(world_local_sea(&one, &maker, at, &err));
        OK(world_local_maker(&maker, b->world, 0, &err));
        OK(world_local_sea(&other, &maker, at, &err));
        ck_assert(one.any && other.any);
        ck_assert(memcmp(&one.ground, &other.ground, sizeof one.ground) == 0);
    }
}

static const char *const ground[] = {[COAST_DEEP] = "t_swater_dp",
                                     [COAST_SHALLOW] = "t_swater_sh",
                                     [COAST_DRY] = "t_sand",
                                     [COAST_ROCK] = "t_rock"};

/* Soil, or a plant. */
static bool grows(const char *terrain)
{
    static const char *const all[] = {"t_grass", "t_dirt", "t_mangrove", "t_shrub"};
    bool found = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        found = found || strcmp(all[i], terrain) == 0;
    return found;
}

static void get_nine(ptl_local_map *maps[9], made_world *m, ptl_omt middle, uint64_t order)
{
    int nine[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    rng r = rng_from_key(order);
    for (int i = 8; i > 0; i--) {
        const int k = (int)rng_below(&r, (uint64_t)i + 1), was = nine[i];
        nine[i] = nine[k];
        nine[k] = was;
    }
    for (int i = 0; i < 9; i++) {
        const ptl_omt at = {middle.x + nine[i] % 3 - 1, middle.y + nine[i] / 3 - 1, 0};
        OK(ptl_local_get(&maps[nine[i]], m->world, at, NULL, &err));
    }
}

static bool is_shoals(const char *oter)
{
    return strncmp(oter, "shoals_", 7) == 0 || strncmp(oter, "ocean_s", 7) == 0;
}

static void check_tile(const ptl_local_map *map, int x, int y, int32_t height, int counts[4])
{
    const char *terrain = ptl_local_terrain(map, x, y);
    const coast_feature what = coast_feature_of(height, height, 0, false);
    const bool green = grows(terrain);
    if (green)
        ck_assert(what == COAST_SHALLOW || what == COAST_DRY);
    else
        ck_assert_str_eq(terrain, ground[what]);
    ck_assert(what != COAST_DRY || height <= COAST_FLOOD || green);
    counts[what]++;
}

START_TEST(blocks_are_one_piece)
{
    static int16_t heights[BLOCK * BLOCK];
    static int32_t scratch[COAST_SCRATCH(BLOCK, BLOCK)];
    int counts[4] = {0};
    made_world one, other;
    begin(&one, (uint64_t)_i);
    begin(&other, (uint64_t)_i);
    for (int kind = 0; kind < 3; kind++) {
        ptl_local_map *maps[9], *again[9];
        const ptl_omt middle =
            kind < 2 ? find_block((uint64_t)_i, kind == 1) : find_structure(&one);
        get_nine(maps, &one, middle, 2 * (uint64_t)_i);
        check_grounds(&one, &other, middle);
        get_nine(again, &other, middle, 2 * (uint64_t)_i + 1);
        const coast *c = &one.world->mapgen->shoals.coast;
        coast_heights(heights, scratch, c,
                      (coast_rect){(middle.x - 1) * SIDE, (middle.y - 1) * SIDE, BLOCK, BLOCK});
        for (int n = 0; n < 9; n++) {
            for (int i = 0; i < SIDE * SIDE; i++) {
                const int x = i % SIDE, y = i / SIDE;
                ck_assert_str_eq(ptl_local_terrain(maps[n], x, y),
                                 ptl_local_terrain(again[n], x, y));
                if (is_shoals(ptl_local_oter(maps[n])))
                    check_tile(maps[n], x, y,
                               heights[(n / 3 * SIDE + y) * BLOCK + n % 3 * SIDE + x], counts);
            }
            ptl_local_free(maps[n]);
            ptl_local_free(again[n]);
        }
    }
    ck_assert_int_gt(counts[COAST_DEEP], 500);
    ck_assert_int_gt(counts[COAST_SHALLOW], 100);
    ck_assert_int_gt(counts[COAST_DRY], 100);
    end(&one);
    end(&other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local sea");
    TCase *t = tcase_create("sea");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, blocks_are_one_piece, 0, SEEDS);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
