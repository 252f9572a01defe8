/*
 * Spills that stay: they are found again where the heights of a map have changed, and there
 * alone; also those that another process has changed meanwhile. In the file and in memory. That
 * they are right then test_spills looks at.
 */
#include "codec/spills/spill_codec.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/row_scratch.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/local/local_maps.h"

#include <stdio.h>

enum { SIDE = PTL_LOCAL_SIDE, CELLS = SIDE * SIDE, SEED = 1 };

static ptl_world *sea_in(ptl_store *store)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world = NULL;
    o.seed = SEED;
    o.region = "coast";
    import_builtin(store);
    OK(ptl_world_create(store, "sea", &o, &err));
    OK(ptl_world_open(&world, store, "sea", NULL, &err));
    return world;
}

/* An OMT with islands, far out in the sea. */
static ptl_omt find_islands(void)
{
    for (ptl_omt at = {4 * PTL_CHUNK_SIZE + 8, 4 * PTL_CHUNK_SIZE + 8, 0};; at.x++) {
        uint8_t share;
        coast_shares(&share, SEED, at.x, at.y, 1);
        if (share > COAST_SHARE_ALL / 2)
            return at;
    }
}

/* Stores spills that lie: the heights of a map, and no water in reach. */
static void lie(ptl_world *world, ptl_omt at)
{
    static local_spills spills;
    bytes blob = {0};
    bool found;
    OK(ops(world->store)
           ->map->spill_read(&blob, &found, world->store, world->row.id, at, &err));
    ck_assert(found);
    OK(spills_decode(&spills, blob.data, blob.size, &err));
    for (int i = 0; i < (SPILL_STEPS + 1) * CELLS; i++)
        spills.within[i / CELLS][i % CELLS] = SPILL_NEVER;
    OK(spills_encode(&blob, &spills, &err));
    OK(ops(world->store)->transaction->begin(world->store, &err));
    OK(ops(world->store)->map->spill_put(world->store, world->row.id, at, &blob, &err));
    OK(ops(world->store)->transaction->commit(world->store, &err));
    bytes_dispose(&blob);
}

static bool lies(ptl_world *world, ptl_omt at)
{
    static coast_ground g;
    bool found, none = true;
    OK(local_spills_read(&g, &found, world, at, &err));
    for (int i = 0; found && i < CELLS; i++)
        none = none && g.spills[i] == COAST_SPILL_NEVER;
    return found && none;
}

static ptl_local_map *get(ptl_world *world, ptl_omt at)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    return map;
}

static void put(ptl_world *world, ptl_local_map *map)
{
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

static void put_thing(ptl_world *world, ptl_omt at, int32_t cell)
{
    ptl_local_map *map = get(world, at);
    ptl_local_entity thing = PTL_LOCAL_ENTITY_INIT;
    thing.kind = "item";
    thing.id = "rock";
    thing.x = thing.x2 = cell % SIDE;
    thing.y = thing.y2 = cell / SIDE;
    OK(ptl_local_entity_add(map, &thing));
    OK(ptl_local_furniture_set(map, cell % SIDE, cell / SIDE, "f_boulder_large"));
    put(world, map);
}

/* All of a map, but the first tiles. */
static void fill(ptl_world *world, ptl_omt at, int32_t from, const char *terrain)
{
    ptl_local_map *map = get(world, at);
    for (int32_t i = from; i < CELLS; i++)
        OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE, terrain));
    put(world, map);
}

START_TEST(things_change_no_spills)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = find_islands(), beside = {at.x + 1, at.y, 0};
    ptl_local_free(get(world, at));
    ptl_local_free(get(world, beside));
    ck_assert(!lies(world, at) && !lies(world, beside));
    lie(world, at);
    lie(world, beside);
    for (int32_t n = 0; n < 3; n++) { /* the first makes it a map of the game's */
        put_thing(world, at, 77 * n + 5);
        ck_assert(lies(world, at) && lies(world, beside));
    }
    fill(world, at, 0, "t_swater_dp");
    ck_assert(!lies(world, at) && !lies(world, beside));
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* Terrain of another sort that stands as high changes none, and a single tile does. */
START_TEST(as_high_as_before)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = find_islands(), beside = {at.x, at.y + 1, 0};
    ptl_local_free(get(world, beside));
    fill(world, at, 0, "t_wall_brick");
    ck_assert(!lies(world, beside));
    lie(world, beside);
    fill(world, at, 0, "t_wall_timber");
    ck_assert(lies(world, beside));
    fill(world, at, CELLS - 1, "t_swater_dp");
    ck_assert(!lies(world, beside));
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static void exec(const ptl_world *world, const char *sql)
{
    ck_assert_msg(sqlite_exec(world->store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

/* Seals the row of the map that is stored first, as it is now. */
static void reseal(const ptl_world *world)
{
    row_scratch *scratch = world->store->scratch;
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    char sql[120];
    OK(stmt_prepare(&s, world->store, "SELECT " MAP_COLUMNS " FROM omt_map WHERE id = 1",
                    &err));
    OK(stmt_step(s, &row, &err));
    rowsum_begin(&scratch->sum, "omt_map");
    rowsum_row(&scratch->sum, row_table_of(TABLE_MAP), s, 0);
    OK(rowsum_end(&scratch->sum, &sum, &err));
    stmt_free(s);
    snprintf(sql, sizeof sql, "UPDATE omt_map SET checksum = %lld WHERE id = 1",
             (long long)sum);
    exec(world, sql);
}

static uint64_t wrong(ptl_world *world)
{
    uint64_t checked = 0, problems = 0;
    OK(ptl_local_spills_verify(&checked, &problems, world, NULL, NULL, &err));
    return problems;
}

/* Another content's maps, and another generator's, have spills of their own making: what is
 * found now says nothing of them. */
START_TEST(spills_of_others_are_not_judged)
{
    static const char *const others[] = {
        "UPDATE omt_map SET content_id = content_id + 9 WHERE id = 1",
        "UPDATE omt_map SET content_id = content_id - 9, generator_version = generator_version "
        "- 1 WHERE id = 1"};
    place p;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = find_islands();
    ptl_local_free(get(world, at));
    lie(world, at);
    ck_assert_uint_eq(wrong(world), 1);
    exec(world, "PRAGMA foreign_keys = OFF");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        exec(world, others[i]);
        reseal(world);
        ck_assert_uint_eq(wrong(world), 0);
    }
    exec(world, "UPDATE omt_map SET generator_version = generator_version + 1 WHERE id = 1");
    reseal(world);
    ck_assert_uint_eq(wrong(world), 1);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* On another level there are none: verify tells those that are there. */
START_TEST(spills_are_of_level_0)
{
    place p;
    bytes blob = {0};
    bool found;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    const ptl_omt at = find_islands(), above = {at.x, at.y, 1};
    ptl_local_free(get(world, at));
    ptl_local_free(get(world, above));
    OK(ops(p.store)->map->spill_read(&blob, &found, p.store, world->row.id, at, &err));
    OK(verify_parts(p.store, VERIFY_TABLES, NULL, NULL, &counts, &err));
    ck_assert_uint_eq(counts.problems, 0);
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->map->spill_put(p.store, world->row.id, above, &blob, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    OK(verify_parts(p.store, VERIFY_TABLES, NULL, NULL, &counts, &err));
    ck_assert_uint_eq(counts.problems, 1);
    bytes_dispose(&blob);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static bool is_made(ptl_world *world, ptl_chunk_pos pos)
{
    ptl_chunk *chunk = NULL;
    const ptl_status status = ptl_chunk_load(&chunk, world, pos, &err);
    ck_assert_msg(status == PTL_OK || status == PTL_ERR_NOT_FOUND, "%s", err.message);
    ptl_chunk_free(chunk);
    return status == PTL_OK;
}

/* Spills depend on chunks farther away than maps do: these are made for an edited map of level
 * 0, and for none above or below. */
START_TEST(other_levels_make_no_chunks)
{
    enum { AWAY = 5 }; /* OMTs from the chunk in the west */
    static const int32_t levels[] = {1, -1, 0};
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store);
    ptl_omt at = {4 * PTL_CHUNK_SIZE + AWAY, 4 * PTL_CHUNK_SIZE + PTL_CHUNK_SIZE / 2, 0};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        at.z = levels[i];
        ptl_local_map *map = get(world, at);
        OK(ptl_local_terrain_set(map, 3, 3, "t_dirt"));
        put(world, map);
        ck_assert(is_made(world, (ptl_chunk_pos){4, 4}));
        ck_assert_int_eq(is_made(world, (ptl_chunk_pos){3, 4}), at.z == 0);
    }
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static bool keep_numbers(void *payload, size_t columns, const char *const *names,
                         const ptl_value *values)
{
    int64_t *out = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++)
        out[i] = values[i].integer;
    return true;
}

/* A query over several maps has heights and spills of each. */
START_TEST(queries_have_them_of_every_map)
{
    enum { MAPS = 5 };
    place p;
    int64_t n[3] = {0};
    const ptl_query_options o = {.size = sizeof o, .on_row = keep_numbers, .payload = n};
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    ptl_omt at = find_islands();
    for (int i = 0; i < MAPS; i++, at.x++)
        ptl_local_free(get(world, at));
    OK(ptl_query(p.store, "SELECT count(*), count(height), count(spill) FROM local_tile", &o,
                 &err));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(n[i], MAPS * CELLS);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- another process ---- */

/* An OMT of the open sea without an island in those around. */
static ptl_omt find_open(void)
{
    for (ptl_omt at = {6 * PTL_CHUNK_SIZE + 90, 6 * PTL_CHUNK_SIZE + 90, 0};; at.x++) {
        uint8_t shares[9];
        int some = 0;
        for (int64_t y = at.y - 4; y <= at.y + 4; y++) {
            coast_shares(shares, SEED, at.x - 4, y, 9);
            for (int i = 0; i < 9; i++)
                some += shares[i];
        }
        if (some == 0)
            return at;
    }
}

/* One that edits a map, once the first maps of another's bulk are written. */
typedef struct neighbour {
    const char *path;
    ptl_omt closes;
    uint64_t done; /* maps that were written when it did; 0: it was not its turn */
} neighbour;

static ptl_store *open_shared(const char *path)
{
    const ptl_open_options o = {
        .size = sizeof o, .mode = PTL_OPEN_WRITE, .writers = PTL_WRITERS_SHARED};
    ptl_store *store = NULL;
    OK(ptl_store_open(&store, path, &o, &err));
    return store;
}

static bool let_edit(void *payload, const ptl_progress *progress)
{
    neighbour *n = payload;
    ptl_world *world;
    if (n->done > 0 || progress->done == 0)
        return true;
    n->done = progress->done;
    ptl_store *store = open_shared(n->path);
    OK(ptl_world_open(&world, store, "sea", NULL, &err));
    fill(world, n->closes, 0, "t_dirt");
    ptl_world_close(world);
    ptl_store_close(store);
    return true;
}

/* Eight maps are put around one of the open sea, and that in the west leaves the sea a way in.
 * Then maps are made in bulk: first one beside that gap, which sees it, at last the one in the
 * middle. Between two of their transactions another process closes the gap: what was seen
 * before does not count any more. */
START_TEST(another_closes_the_sea)
{
    enum {
        MADE = 66,
        FAR = 40
    }; /* more than go into one transaction; and where most of them are */
    static coast_ground g;
    place p;
    ptl_local_area areas[MADE];
    uint64_t checked = 0, problems = 0;
    bool found;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store);
    const ptl_omt middle = find_open(), west = {middle.x - 1, middle.y, 0};
    for (int i = 0; i < 9; i++)
        if (i != 4)
            fill(world, (ptl_omt){middle.x + i % 3 - 1, middle.y + i / 3 - 1, 0},
                 i == 3 ? CELLS / 2 : 0, "t_dirt");
    for (int i = 0; i < MADE; i++) {
        const ptl_omt at = i == 0          ? (ptl_omt){middle.x - 2, middle.y, 0}
                           : i == MADE - 1 ? middle
                                           : (ptl_omt){middle.x + FAR, middle.y + i, 0};
        areas[i] = (ptl_local_area){.x0 = at.x, .y0 = at.y, .x1 = at.x, .y1 = at.y};
    }
    ptl_world_close(world);
    ptl_store_close(p.store);
    p.store = open_shared(p.path);
    OK(ptl_world_open(&world, p.store, "sea", NULL, &err));
    neighbour other = {.path = p.path, .closes = west};
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    o.areas = areas;
    o.area_count = MADE;
    o.jobs = 1;
    o.on_progress = let_edit;
    o.payload = &other;
    OK(ptl_local_generate(NULL, world, &o, &err));
    ck_assert(other.done > 0 && other.done < MADE);
    OK(local_spills_read(&g, &found, world, middle, &err));
    ck_assert(found && g.spills[6 * SIDE + SIDE / 2] == COAST_SPILL_NEVER);
    OK(ptl_local_spills_verify(&checked, &problems, world, NULL, NULL, &err));
    ck_assert_uint_ge(checked, 10);
    ck_assert_uint_eq(problems, 0);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spills_stay");
    TCase *t = tcase_create("spills_stay");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, things_change_no_spills, 0, BACKENDS);
    tcase_add_loop_test(t, as_high_as_before, 0, BACKENDS);
    tcase_add_test(t, spills_of_others_are_not_judged);
    tcase_add_test(t, spills_are_of_level_0);
    tcase_add_loop_test(t, other_levels_make_no_chunks, 0, BACKENDS);
    tcase_add_test(t, queries_have_them_of_every_map);
    tcase_add_test(t, another_closes_the_sea);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
