/*
 * The coast where it meets what is no sea: rivers, lakes, dry land, a chunk that a save
 * brought, ways. Heights go on across, and all OMTs agree on where the water comes from.
 */
#include "core/hash.h"
#include "mapgen/ground/ground.h"
#include "portolan/game_save.h"
#include "support/suite.h"
#include "support/test_folder.h"
#include "support/world_file.h"
#include "world/local/local.h"

#include <check.h>
#include <stdio.h>
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
    PLACES = 3 /* of each kind and seed */
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

/* ---- what all OMTs say ---- */

typedef struct seen {
    bool any[SEEN_OMTS];
    int16_t heights[WIDE * WIDE], spills[WIDE * WIDE];
    int16_t natural[WIDE * WIDE]; /* heights without works */
    uint8_t sea[WIDE * WIDE];     /* low enough for it, and wet, as planned */
} seen;

/* Heights by plan and overmap alone, without works. True: none stand there. */
static bool look_plainly(coast_window *out, bool *sea, ptl_omt place)
{
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {place.x - 1, place.y - 1, 0, 3, 3};
    const coast *c = &world->mapgen->shoals.coast;
    coast_square square = {.side = 3};
    ptl_oter oters[9];
    OK(ptl_area_get(oters, NULL, world, &area, &o, &err));
    c->plan(c->payload, (coast_rect){area.x, area.y, 3, 3}, square.planned);
    for (int i = 0; i < 9; i++) {
        const uint32_t flags = world->cat->oters[oters[i]].flags;
        square.wet[i] = flags & CAT_FLAGS_WATER ||
                        (flags & CAT_FLAG_ROAD && square.planned[i].kind != COAST_LAND);
    }
    coast_window_of(out, c, place.x, place.y, &square);
    *sea = square.planned[4].kind != COAST_LAND && square.wet[4];
    return world->cat->terrains[world->cat->oters[oters[4]].terrain].shoals != NULL;
}

static void look(seen *s, ptl_omt middle)
{
    static coast_window window;
    local_maker maker;
    OK(world_local_maker(&maker, world, 0, &err));
    for (int i = 0; i < SEEN_OMTS; i++) {
        static local_sea sea;
        const ptl_omt at = {middle.x + i % SEEN - SEEN / 2, middle.y + i / SEEN - SEEN / 2, 0};
        OK(world_local_sea(&sea, &maker, at, &err));
        bool wet;
        const bool bare = look_plainly(&window, &wet, at);
        s->any[i] = sea.any;
        for (int k = 0; k < CELLS; k++) {
            const int32_t cell =
                (i / SEEN * SIDE + k / SIDE) * WIDE + i % SEEN * SIDE + k % SIDE;
            s->heights[cell] = sea.any ? sea.ground.heights[k] : window.heights[k];
            s->natural[cell] = window.heights[k];
            ck_assert(!bare || (sea.any && s->heights[cell] == s->natural[cell]));
            s->spills[cell] = sea.any ? sea.ground.spills[k] : COAST_SPILL_NEVER;
            s->sea[cell] = wet && s->heights[cell] < COAST_EBB;
        }
    }
}

static bool has_ground(const seen *s, int32_t cell)
{
    return s->any[cell / WIDE / SIDE * SEEN + cell % WIDE / SIDE];
}

/* Leaves of the sea what is no small body. Of one that goes on beyond what is seen its OMTs say
 * whether it is small, all the same; those of land that a save brought don't say. */
static void leave_open_sea(seen *s)
{
    static int32_t list[WIDE * WIDE];
    static uint8_t seen_cell[WIDE * WIDE];
    uint8_t *sea = s->sea;
    memset(seen_cell, 0, sizeof seen_cell);
    for (int32_t first = 0; first < WIDE * WIDE; first++) {
        int32_t count = 0, left = WIDE, right = -1, top = WIDE, bottom = -1;
        if (!sea[first] || seen_cell[first])
            continue;
        list[count++] = first;
        seen_cell[first] = 1;
        for (int32_t i = 0; i < count; i++) {
            const int32_t x = list[i] % WIDE, y = list[i] / WIDE;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
            for (int k = 0; k < 9; k++) {
                const int32_t u = x + k % 3 - 1, v = y + k / 3 - 1;
                if (u < 0 || v < 0 || u >= WIDE || v >= WIDE || !sea[v * WIDE + u] ||
                    seen_cell[v * WIDE + u])
                    continue;
                seen_cell[v * WIDE + u] = 1;
                list[count++] = v * WIDE + u;
            }
        }
        const bool cut = left == 0 || top == 0 || right == WIDE - 1 || bottom == WIDE - 1;
        const bool small = right - left < SIDE && bottom - top < SIDE;
        int32_t teller = 0;
        while (cut && small && teller < count - 1 && !has_ground(s, list[teller]))
            teller++;
        const bool open = !small || (cut && s->spills[list[teller]] == COAST_SPILL_SEA);
        for (int32_t i = 0; i < count; i++) {
            ck_assert(!has_ground(s, list[i]) ||
                      (s->spills[list[i]] == COAST_SPILL_SEA) == open);
            sea[list[i]] = open;
        }
    }
}

/* Spills by a plain flood from the open sea: water comes from nowhere else. */
static void flood(int16_t to[WIDE * WIDE], const seen *s)
{
    static int16_t from[WIDE * WIDE];
    for (int32_t i = 0; i < WIDE * WIDE; i++)
        to[i] = s->sea[i] ? COAST_SPILL_SEA : COAST_SPILL_NEVER;
    for (int step = 0; step < COAST_STEPS; step++) {
        memcpy(from, to, sizeof from);
        for (int32_t y = 1; y < WIDE - 1; y++)
            for (int32_t x = 1; x < WIDE - 1; x++) {
                const int32_t i = y * WIDE + x;
                const int16_t height = s->heights[i];
                for (int k = 0; k < 9 && !s->sea[i] && height < COAST_ROCK_FROM; k++) {
                    const int16_t beside = from[(y + k / 3 - 1) * WIDE + x + k % 3 - 1];
                    const int16_t over = beside > height ? beside : height;
                    to[i] = over < to[i] ? over : to[i];
                }
            }
    }
}

static void check_water(seen *s)
{
    static int16_t to[WIDE * WIDE];
    leave_open_sea(s);
    flood(to, s);
    for (int32_t y = SIDE; y < WIDE - SIDE; y++)
        for (int32_t x = SIDE; x < WIDE - SIDE; x++)
            if (has_ground(s, y * WIDE + x) && s->spills[y * WIDE + x] != to[y * WIDE + x])
                ck_abort_msg("at %d,%d spill %d, not %d", (int)x, (int)y,
                             s->spills[y * WIDE + x], to[y * WIDE + x]);
}

/* What the overmap has moved goes on across borders: from one cell to the next no more by than
 * corners of OMTs can lie apart. All heights in one piece are as planned. */
static void check_borders(const seen *s, ptl_omt middle)
{
    enum { DEEPEST = 81, HIGHEST = 40, STEEPEST = (DEEPEST + HIGHEST) / SIDE + 1 };
    static int16_t planned[WIDE * WIDE];
    static int32_t scratch[COAST_SCRATCH(WIDE, WIDE)];
    coast_heights(
        planned, scratch, &world->mapgen->shoals.coast,
        (coast_rect){(middle.x - SEEN / 2) * SIDE, (middle.y - SEEN / 2) * SIDE, WIDE, WIDE});
    for (int32_t y = 0; y < WIDE - 1; y++)
        for (int32_t x = 0; x < WIDE - 1; x++) {
            const int32_t i = y * WIDE + x, by = s->natural[i] - planned[i];
            ck_assert_int_le(abs(by - s->natural[i + 1] + planned[i + 1]), STEEPEST);
            ck_assert_int_le(abs(by - s->natural[i + WIDE] + planned[i + WIDE]), STEEPEST);
        }
}

/* Overmaps have no seams either. */
static void check_overmaps(void)
{
    ptl_seam_report report = PTL_SEAM_REPORT_INIT;
    OK(ptl_seams_verify(&report, world, NULL, &err));
    ck_assert_uint_gt(report.chunks, 1);
    ck_assert_uint_eq(report.problems, 0);
}

/* ---- where ---- */

typedef enum meeting { RIVER, LAKE, ROAD, DRY, MEETINGS } meeting;

static meeting meeting_of(ptl_oter oter)
{
    const uint32_t flags = world->cat->oters[oter].flags;
    return flags & CAT_FLAG_ROAD                           ? ROAD
           : flags & CAT_FLAG_RIVER                        ? RIVER
           : flags & (CAT_FLAG_LAKE | CAT_FLAG_LAKE_SHORE) ? LAKE
           : flags & CAT_FLAGS_OCEAN                       ? MEETINGS
                                                           : DRY;
}

/* Is an OMT of the sea beside one of a kind? */
static bool meets(const ptl_oter *cells, int32_t i, meeting kind)
{
    bool found = false;
    const int32_t x = i % PTL_CHUNK_SIZE, y = i / PTL_CHUNK_SIZE;
    if (x < 1 || y < 1 || x > PTL_CHUNK_SIZE - 2 || y > PTL_CHUNK_SIZE - 2 ||
        meeting_of(cells[i]) != MEETINGS)
        return false;
    for (int k = 0; k < 9; k++)
        found =
            found || meeting_of(cells[i + (k / 3 - 1) * PTL_CHUNK_SIZE + k % 3 - 1]) == kind;
    return found;
}

static void read_chunk(ptl_oter cells[PTL_LEVEL_CELLS], int32_t cx, int32_t cy)
{
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {(int64_t)cx * PTL_CHUNK_SIZE, (int64_t)cy * PTL_CHUNK_SIZE, 0,
                           PTL_CHUNK_SIZE, PTL_CHUNK_SIZE};
    OK(ptl_area_get(cells, NULL, world, &area, &o, &err));
}

/* Where the shore in the east has dry land alone, the test goes on along it. */
START_TEST(the_sea_meets_what_is_no_sea)
{
    enum { CHUNKS = 9, MOST = 48 };
    static ptl_oter cells[PTL_LEVEL_CELLS];
    static seen s;
    int found[MEETINGS] = {0};
    begin((uint64_t)_i);
    for (int32_t n = 0;
         n < CHUNKS || (n < MOST && found[RIVER] + found[LAKE] + found[ROAD] == 0); n++) {
        const int32_t cx = 1 + n % 3, cy = -(n / 3);
        read_chunk(cells, cx, cy);
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
            for (int kind = 0; kind < MEETINGS; kind++) {
                if (found[kind] >= PLACES || !meets(cells, i, (meeting)kind))
                    continue;
                found[kind]++;
                const ptl_omt at = {cx * PTL_CHUNK_SIZE + i % PTL_CHUNK_SIZE,
                                    cy * PTL_CHUNK_SIZE + i / PTL_CHUNK_SIZE, 0};
                look(&s, at);
                check_borders(&s, at);
                check_water(&s);
                i += 40; /* elsewhere */
                break;
            }
    }
    check_overmaps();
    ck_assert_int_gt(found[DRY], 0);
    ck_assert_int_gt(found[RIVER] + found[LAKE] + found[ROAD], 0);
    end();
}
END_TEST

/* ---- a chunk that a save brought ---- */

/* Brings the land's chunk into the sea. */
static void bring(ptl_chunk_pos pos)
{
    char folder[WORLD_PATH_SIZE], file[WORLD_PATH_SIZE + 20];
    ptl_game_save_write_options out = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_import_options in = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    ptl_world *land = world_file_world(store, "land");
    ptl_chunk *chunk = NULL;
    test_folder(folder, sizeof folder);
    OK(ptl_chunk_get(&chunk, land, pos, &err));
    ptl_chunk_free(chunk);
    out.directory = in.directory = folder;
    OK(ptl_game_save_write(NULL, land, &out, &err));
    OK(ptl_game_save_import(NULL, world, &in, &err));
    ptl_world_close(land);
    snprintf(file, sizeof file, "%s/o.%d.%d", folder, (int)pos.x, (int)pos.y);
    ck_assert_int_eq(remove(file), 0);
    ck_assert_int_eq(remove(folder), 0);
}

START_TEST(foreign_land_in_the_sea)
{
    static const ptl_chunk_pos pos = {6, 6};
    static seen s;
    int land = 0, sea = 0;
    begin((uint64_t)_i);
    bring(pos);
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 2 * PLACES; n++) {
        const int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
        const int32_t along = n == 0 ? 0 : rng_range(&r, 0, PTL_CHUNK_SIZE - 1);
        const ptl_omt at =
            n % 2 ? (ptl_omt){x + along, y - n % 3, 0} : (ptl_omt){x - n % 3, y + along, 0};
        look(&s, at);
        check_borders(&s, at);
        check_water(&s);
        for (int i = 0; i < SEEN_OMTS; i++) {
            land += !s.any[i];
            sea += s.any[i];
        }
    }
    check_overmaps();
    ck_assert_int_gt(land, 20);
    ck_assert_int_gt(sea, 20);
    end();
}
END_TEST

/* ---- ways ---- */

static void set_flags(ptl_oter oter, uint32_t flags)
{
    ((cat_oter *)(uintptr_t)world->cat->oters)[oter].flags = flags;
    ((cat_terrain *)(uintptr_t)world->cat->terrains)[world->cat->oters[oter].terrain].flags =
        flags;
}

/* A road, a highway or a bridge over the sea leaves the heights beside it as they are, and is
 * sea itself; what is dry there rises, and those beside it. */
START_TEST(ways_over_the_sea)
{
    static const uint32_t ways[] = {CAT_FLAG_ROAD, CAT_FLAG_HIGHWAY, CAT_FLAG_BRIDGE, 0};
    static ptl_oter cells[PTL_LEVEL_CELLS];
    static local_sea before[9], after;
    local_maker maker;
    ptl_omt at = {.x = -1};
    begin(7);
    for (int32_t cx = 4; at.x < 0; cx++) {
        read_chunk(cells, cx, 1);
        for (int32_t i = 0; i < PTL_LEVEL_CELLS && at.x < 0; i++)
            if (strncmp(world->cat->oters[cells[i]].id, "stranded_wreck", 14) == 0 &&
                i % PTL_CHUNK_SIZE > 5 && i % PTL_CHUNK_SIZE < 170 && i / PTL_CHUNK_SIZE > 5)
                at = (ptl_omt){cx * PTL_CHUNK_SIZE + i % PTL_CHUNK_SIZE,
                               PTL_CHUNK_SIZE + i / PTL_CHUNK_SIZE, 0};
    }
    OK(world_local_maker(&maker, world, 0, &err));
    ptl_oter oter;
    const ptl_area_options o = {.size = sizeof o};
    const ptl_area one = {at.x, at.y, 0, 1, 1};
    OK(ptl_area_get(&oter, NULL, world, &one, &o, &err));
    for (int i = 0; i < 9; i++)
        OK(world_local_sea(&before[i], &maker, (ptl_omt){at.x + i % 3 - 1, at.y + i / 3 - 1, 0},
                           &err));
    for (size_t n = 0; n < sizeof ways / sizeof ways[0]; n++) {
        int32_t higher = 0, lower = 0;
        set_flags(oter, ways[n]);
        free(world->mapgen->works); /* it was found of other terrain */
        world->mapgen->works = NULL;
        for (int i = 0; i < 9; i++) {
            OK(world_local_sea(&after, &maker, (ptl_omt){at.x + i % 3 - 1, at.y + i / 3 - 1, 0},
                               &err));
            ck_assert_int_eq(after.any, before[i].any && (i != 4 || ways[n] != 0));
            for (int k = 0; k < CELLS && after.any && i != 4; k++) {
                higher += after.ground.heights[k] > before[i].ground.heights[k];
                lower += after.ground.heights[k] < before[i].ground.heights[k];
            }
            ck_assert(ways[n] == 0 ||
                      memcmp(&after.ground, &before[i].ground, sizeof after.ground) == 0);
        }
        ck_assert_int_eq(lower, 0);
        ck_assert_int_eq(higher > 100, ways[n] == 0);
    }
    /* The plan has sea here. Where none is drawn beside it, a way is on land. */
    ptl_oter around[9];
    const ptl_area nine = {at.x - 1, at.y - 1, 0, 3, 3};
    OK(ptl_area_get(around, NULL, world, &nine, &o, &err));
    set_flags(oter, CAT_FLAG_ROAD);
    for (int dry = 0; dry < 2; dry++) {
        for (int i = 0; i < 9 && dry; i++)
            set_flags(around[i],
                      world->cat->oters[around[i]].flags & ~(uint32_t)CAT_FLAGS_OCEAN);
        OK(world_local_sea(&after, &maker, at, &err));
        ck_assert_int_eq(after.any, !dry);
    }
    end();
}
END_TEST

int main(void)
{
    const int seeds = getenv("PORTOLAN_QUICK") ? 2 : 4;
    Suite *suite = suite_create("local coast");
    TCase *t = tcase_create("coast");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, the_sea_meets_what_is_no_sea, 0, seeds);
    tcase_add_loop_test(t, foreign_land_in_the_sea, 0, seeds);
    tcase_add_test(t, ways_over_the_sea);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
