/*
 * Spills that are stored with local maps: whatever is made, edited, washed, refused or dropped,
 * in whatever order, by whom the file is opened again, each stored map of the coast has those
 * that are found from scratch, and no other map has any. In the file and in memory.
 */
#include "codec/spills/spill_codec.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/local/local_maps.h"
#include "world/local/local_reader.h"

#include <stdlib.h>
#include <string.h>

enum {
    SIDE = PTL_LOCAL_SIDE,
    CELLS = SIDE * SIDE,
    AROUND = 5, /* OMTs a side that are worked on */
    OMTS = AROUND * AROUND,
    STEP = 60, /* turns in one of the tide */
    EDITS = 14
};

static ptl_world *sea_in(ptl_store *store, uint64_t seed, bool derive)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world = NULL;
    o.seed = seed;
    o.region = "coast";
    o.derive = derive;
    import_builtin(store);
    OK(ptl_world_create(store, "sea", &o, &err));
    OK(ptl_world_open(&world, store, "sea", NULL, &err));
    return world;
}

/* An OMT with islands around at the border of two chunks, far out in the sea. */
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

/* An OMT of the open sea without an island for some OMTs around. */
static ptl_omt find_open(uint64_t seed)
{
    for (ptl_omt at = {6 * PTL_CHUNK_SIZE + 90, 6 * PTL_CHUNK_SIZE + 90, 0};; at.x++) {
        uint8_t shares[13];
        int some = 0;
        for (int64_t y = at.y - 6; y <= at.y + 6; y++) {
            coast_shares(shares, seed, at.x - 6, y, 13);
            for (int i = 0; i < 13; i++)
                some += shares[i];
        }
        if (some == 0)
            return at;
    }
}

static ptl_omt omt_of(ptl_omt middle, int n)
{
    return (ptl_omt){middle.x + n % AROUND - AROUND / 2, middle.y + n / AROUND - AROUND / 2, 0};
}

/* ---- what must be ---- */

typedef struct count {
    int stored, coast;
} count;

static bool check_map(const local_maker *maker, ptl_omt at)
{
    static coast_ground ground, read;
    static local_spills spills;
    bytes is = {0}, was = {0};
    bool any = false, found = false;
    if (at.z == 0)
        OK(world_local_ground(&ground, &any, maker, at, NULL, NULL, &err));
    const ptl_world *world = maker->world;
    OK(ops(world->store)->map->spill_read(&was, &found, world->store, world->row.id, at, &err));
    ck_assert_int_eq(found, any);
    if (any) {
        memcpy(spills.heights, ground.heights, sizeof spills.heights);
        memcpy(spills.within, ground.within, sizeof spills.within);
        OK(spills_encode(&is, &spills, &err));
        ck_assert_uint_eq(is.size, was.size);
        ck_assert(memcmp(is.data, was.data, is.size) == 0);
        OK(local_spills_read(&read, &found, world, at, &err));
        ck_assert(found && memcmp(&read, &ground, sizeof read) == 0);
    }
    bytes_dispose(&is);
    bytes_dispose(&was);
    return any;
}

/* All stored maps; the list has room for those that tests make. */
typedef struct places {
    ptl_omt list[1000];
    int count;
} places;

static ptl_status add_place(void *payload, const map_info *map, ptl_error *e)
{
    places *p = payload;
    (void)e;
    ck_assert_int_lt(p->count, 1000);
    p->list[p->count++] = map->at;
    return PTL_OK;
}

/* Each stored map of the world. */
static count check_all(ptl_world *world)
{
    static const map_area all = {INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX, .after = 0};
    static places p;
    local_maker maker;
    count n = {0};
    p.count = 0;
    OK(world_local_maker(&maker, world, 0, &err));
    OK(world_local_anew(&maker, &err));
    OK(ops(world->store)->map->visit(world->store, world->row.id, &all, add_place, &p, &err));
    for (int i = 0; i < p.count; i++)
        n.coast += check_map(&maker, p.list[i]);
    n.stored = p.count;
    return n;
}

/* ---- what a game does ---- */

static ptl_local_map *get(ptl_world *world, ptl_omt at, int64_t turn)
{
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    ptl_local_map *map = NULL;
    o.turn = turn;
    OK(ptl_local_get(&map, world, at, &o, &err));
    return map;
}

/* A change of one map: a rectangle of one terrain, or a thing that is put there. */
typedef struct edit {
    int omt, x, y, wide, high;
    const char *id;
    bool hollow, thing;
} edit;

static edit random_edit(rng *r)
{
    static const char *const ids[] = {"t_wall_timber", "t_floor_wood", "t_swater_sh", "t_sand",
                                      "t_swater_dp",   "t_dirt",       "t_rock"};
    return (edit){.omt = rng_range(r, 0, OMTS - 1),
                  .x = rng_range(r, 0, SIDE - 2),
                  .y = rng_range(r, 0, SIDE - 2),
                  .wide = rng_range(r, 1, SIDE),
                  .high = rng_range(r, 1, SIDE),
                  .id = ids[rng_below(r, 7)],
                  .hollow = rng_one_in(r, 2),
                  .thing = rng_one_in(r, 5)};
}

static void change(ptl_local_map *map, const edit *e)
{
    ptl_local_entity thing = PTL_LOCAL_ENTITY_INIT;
    thing.kind = "item";
    thing.id = "rock";
    thing.x = thing.x2 = e->x;
    thing.y = thing.y2 = e->y;
    if (e->thing)
        OK(ptl_local_entity_add(map, &thing));
    for (int i = 0; i < CELLS && !e->thing; i++) {
        const int x = i % SIDE - e->x, y = i / SIDE - e->y;
        const bool in = x >= 0 && y >= 0 && x < e->wide && y < e->high;
        if (in && (!e->hollow || x == 0 || y == 0 || x == e->wide - 1 || y == e->high - 1))
            OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE, e->id));
    }
}

static void carry_out(ptl_world *world, ptl_omt middle, const edit *e)
{
    ptl_local_map *map = get(world, omt_of(middle, e->omt), e->x * 1000);
    change(map, e);
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

/* Two maps at once, of which one was changed by another meanwhile: nothing happens. */
static void fail_to_put(ptl_world *world, ptl_omt middle, rng *r)
{
    edit a = random_edit(r), b = random_edit(r);
    b.omt = (a.omt + 1) % OMTS;
    ptl_local_map *maps[] = {get(world, omt_of(middle, a.omt), 0),
                             get(world, omt_of(middle, b.omt), 0)};
    ptl_local_map *other = get(world, omt_of(middle, b.omt), 0);
    a.thing = false;
    change(maps[0], &a);
    change(maps[1], &b);
    OK(ptl_local_put(world, &other, 1, &err));
    ck_assert_int_eq(ptl_local_put(world, maps, 2, &err), PTL_ERR_EXISTS);
    OK(ptl_local_put(world, maps, 1, &err)); /* alone it goes */
    for (int i = 0; i < 2; i++)
        ptl_local_free(maps[i]);
    ptl_local_free(other);
}

static void reopen(place *p, ptl_world **world, int backend)
{
    ptl_world_close(*world);
    if (backend == FILE_BACKEND) {
        ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
        ptl_store_close(p->store);
        OK(ptl_store_open(&p->store, p->path, &o, &err));
    }
    OK(ptl_world_open(world, p->store, "sea", NULL, &err));
}

START_TEST(stored_is_what_is_found)
{
    place p;
    const int backend = _i % BACKENDS;
    const uint64_t seed = (uint64_t)(_i / BACKENDS);
    rng r = rng_from_key((uint64_t)_i + 70);
    open_place(&p, backend);
    ptl_world *world = sea_in(p.store, seed, false);
    const ptl_omt middle = find_border(seed);
    for (int n = 0; n < EDITS; n++) {
        const edit e = random_edit(&r);
        const ptl_omt at = omt_of(middle, e.omt);
        if (n % 7 == 6)
            reopen(&p, &world, backend);
        if (n % 3 == 0)
            ptl_local_free(get(world, at, e.y * 5000));
        else
            carry_out(world, middle, &e);
        if (n % 5 == 4)
            fail_to_put(world, middle, &r);
        if (n % 4 == 3)
            OK(ptl_local_wash(NULL, world, at, 28 * STEP, n % 3 ? &err : NULL));
        (void)check_all(world);
    }
    ptl_local_free(get(world, (ptl_omt){middle.x, middle.y, -1}, 0));
    const count n = check_all(world);
    ck_assert_int_gt(n.coast, 4);
    ck_assert_int_eq(n.stored, n.coast + 1);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- orders ---- */

/* The spills of all OMTs worked on, as one text. */
static void all_spills(bytes *out, const ptl_world *world, ptl_omt middle)
{
    bytes one = {0};
    bool found;
    bytes_clear(out);
    for (int n = 0; n < OMTS; n++) {
        OK(ops(world->store)
               ->map->spill_read(&one, &found, world->store, world->row.id, omt_of(middle, n),
                                 &err));
        bytes_put_varint(out, one.size);
        bytes_put(out, one.data, one.size);
    }
    bytes_dispose(&one);
}

/* The next edit that is not done: one whose OMT has none before it in the list. */
static int pick(rng *r, const edit *edits, const bool *done)
{
    for (;;) {
        const int n = rng_range(r, 0, EDITS - 1);
        bool first = !done[n];
        for (int k = 0; k < n; k++)
            first = first && (done[k] || edits[k].omt != edits[n].omt);
        if (first)
            return n;
    }
}

START_TEST(any_order_gives_the_same)
{
    edit edits[EDITS];
    bytes first = {0}, now = {0};
    rng r = rng_from_key((uint64_t)_i + 700);
    const ptl_omt middle = find_border((uint64_t)_i);
    for (int n = 0; n < EDITS; n++)
        edits[n] = random_edit(&r);
    for (int order = 0; order < 3; order++) {
        place p;
        bool done[EDITS] = {false};
        open_place(&p, MEMORY_BACKEND);
        ptl_world *world = sea_in(p.store, (uint64_t)_i, false);
        for (int n = 0; n < OMTS && order == 1; n++) /* all are there before */
            ptl_local_free(get(world, omt_of(middle, OMTS - 1 - n), 0));
        for (int n = 0; n < EDITS; n++) {
            const int which = order ? pick(&r, edits, done) : n;
            done[which] = true;
            carry_out(world, middle, &edits[which]);
        }
        for (int n = 0; n < OMTS && order != 1; n++)
            ptl_local_free(get(world, omt_of(middle, n), n * 100));
        ck_assert_int_eq(check_all(world).coast, OMTS);
        all_spills(order ? &now : &first, world, middle);
        ck_assert(order == 0 ||
                  (now.size == first.size && memcmp(now.data, first.data, now.size) == 0));
        ptl_world_close(world);
        close_place(&p);
    }
    bytes_dispose(&first);
    bytes_dispose(&now);
}
END_TEST

/* In bulk, by threads, beside maps that are edited; as one by one. */
START_TEST(in_bulk_they_are_the_same)
{
    bytes alone = {0}, bulk = {0};
    const ptl_omt middle = find_border((uint64_t)_i);
    const ptl_local_area area = {
        .x0 = middle.x - 8, .y0 = middle.y - 8, .x1 = middle.x + 8, .y1 = middle.y + 8};
    rng r = rng_from_key((uint64_t)_i);
    edit e = random_edit(&r);
    e.thing = false;
    for (int all = 0; all < 2; all++) {
        place p;
        open_place(&p, all ? FILE_BACKEND : MEMORY_BACKEND);
        ptl_world *world = sea_in(p.store, (uint64_t)_i, false);
        ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
        o.areas = &area;
        o.area_count = 1;
        o.jobs = 3;
        o.turn = 90000;
        carry_out(world, middle, &e);
        if (all)
            OK(ptl_local_generate(NULL, world, &o, &err));
        for (int n = 0; n < OMTS && !all; n++)
            ptl_local_free(get(world, omt_of(middle, n), 90000));
        const count n = check_all(world);
        ck_assert_int_eq(n.coast, all ? 17 * 17 : OMTS);
        all_spills(all ? &bulk : &alone, world, middle);
        ptl_world_close(world);
        close_place(&p);
    }
    ck_assert_uint_eq(alone.size, bulk.size);
    ck_assert(memcmp(alone.data, bulk.data, bulk.size) == 0);
    bytes_dispose(&alone);
    bytes_dispose(&bulk);
}
END_TEST

/* ---- what content states ---- */

/* A quay that no tide reaches, a copy of it, a sluice that holds back what is lower, and a
 * terrain that nobody can pass; a height that is none is not there. */
START_TEST(content_states_heights)
{
    static const char text[] =
        "[{\"type\": \"terrain\", \"id\": \"t_quay\", \"move_cost\": 2, \"coast_height\": 60},"
        " {\"type\": \"terrain\", \"id\": \"t_old_quay\", \"copy-from\": \"t_quay\"},"
        " {\"type\": \"terrain\", \"id\": \"t_sluice\", \"copy-from\": \"t_quay\","
        " \"move_cost\": 0, \"coast_height\": 9},"
        " {\"type\": \"terrain\", \"id\": \"t_fill\", \"move_cost\": 2, \"coast_height\": -40},"
        " {\"type\": \"terrain\", \"id\": \"t_tower\", \"move_cost\": 0,"
        " \"coast_height\": 10000}]";
    static const struct {
        const char *id;
        int height;
    } kinds[] = {
        {"t_quay", 60}, {"t_old_quay", 60}, {"t_sluice", 9}, {"t_fill", -40}, {"t_tower", 135}};
    static coast_ground g;
    bool found;
    place p;
    open_place(&p, FILE_BACKEND);
    import_text(p.store, text, false);
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_world *world = NULL;
    o.seed = 2;
    o.region = "coast";
    OK(ptl_world_create(p.store, "sea", &o, &err));
    OK(ptl_world_open(&world, p.store, "sea", NULL, &err));
    const ptl_omt at = find_open(2);
    ptl_local_map *map = get(world, at, 0);
    for (int i = 0; i < CELLS; i++) /* a basin behind each sort, a row of floor in the middle */
        OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE,
                                 i % SIDE == 23 ? "t_floor_wood" : kinds[i / SIDE % 5].id));
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
    OK(local_spills_read(&g, &found, world, at, &err));
    ck_assert(found);
    for (int i = 0; i < CELLS; i++) {
        const int height = kinds[i / SIDE % 5].height;
        if (i % SIDE == 23) { /* beside t_fill, which is water, or a step or two farther */
            ck_assert(g.heights[i] >= 0 && g.heights[i] <= 14 && g.heights[i] % 7 == 0);
            continue;
        }
        ck_assert_int_eq(g.heights[i], height);
        ck_assert(height < 135 || g.spills[i] == COAST_SPILL_NEVER);
        ck_assert(height == -40 || g.spills[i] >= height); /* what lies deep stays sea there */
    }
    ck_assert_int_eq(check_all(world).coast, 1);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- where there are none ---- */

static ptl_local_water water(ptl_world *world, ptl_omt at, int cell, int64_t turn)
{
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    OK(ptl_local_water_get(&w, world, at.x * SIDE + cell % SIDE, at.y * SIDE + cell / SIDE,
                           turn, &err));
    return w;
}

static ptl_status count_told(void *payload, ptl_omt at, bool stored, ptl_error *e)
{
    (void)at, (void)stored, (void)e;
    ++*(int *)payload;
    return PTL_OK;
}

/* Maps of a file of before have none: they are found, and the same is said. */
START_TEST(without_them_all_is_the_same)
{
    place p;
    uint64_t checked;
    int told = 0;
    static ptl_local_water with[CELLS];
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store, 3, false);
    const ptl_omt middle = find_border(3);
    const map_area all = {middle.x - 9, middle.x + 9, middle.y - 9, middle.y + 9, .after = 0};
    rng r = rng_from_key(5);
    for (int n = 0; n < 6; n++) {
        const edit e = random_edit(&r);
        carry_out(world, middle, &e);
    }
    ptl_local_free(get(world, middle, 0));
    for (int i = 0; i < CELLS; i++)
        with[i] = water(world, middle, i, 40 * STEP);
    OK(world_spills_check(&checked, world, &all, false, count_told, &told, &err));
    ck_assert_uint_gt(checked, 3);
    ck_assert_int_eq(told, 0);
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->map->spill_drop(p.store, world->row.id, &all, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    for (int i = 0; i < CELLS; i++) {
        const ptl_local_water w = water(world, middle, i, 40 * STEP);
        ck_assert(memcmp(&w, &with[i], sizeof w) == 0);
    }
    OK(world_spills_check(&checked, world, &all, false, count_told, &told, &err));
    ck_assert_uint_eq((uint64_t)told, checked);
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(world_spills_check(&checked, world, &all, true, NULL, NULL, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    (void)check_all(world);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- damage ---- */

static void keep_problem(void *payload, const ptl_problem *problem)
{
    *(int *)payload = problem->invariant;
}

static int verified(ptl_store *store)
{
    int invariant = 0;
    OK(verify_parts(store, VERIFY_TABLES, keep_problem, &invariant, NULL, &err));
    return invariant;
}

static uint64_t wrong(ptl_world *world, uint64_t *checked)
{
    int invariant = 0;
    uint64_t problems = 0;
    OK(ptl_local_spills_verify(checked, &problems, world, keep_problem, &invariant, &err));
    ck_assert_int_eq(invariant, problems ? INVARIANT_SPILL : 0);
    return problems;
}

static void exec(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static ptl_repair_report repaired(ptl_store *store)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    OK(ptl_repair(&report, store, NULL, &err));
    ck_assert_uint_eq(report.unrepaired, 0);
    ck_assert_int_eq(verified(store), 0);
    return report;
}

/* A bit, a row, all rows, a sound blob of another map, one without a map: each is seen, and
 * repair brings back what is found. */
START_TEST(damage_is_seen_and_mended)
{
    place p;
    uint64_t checked = 0;
    ptl_local_water w = PTL_LOCAL_WATER_INIT;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store, 1, false);
    const ptl_omt middle = find_border(1);
    for (int n = 10; n < 15; n++)
        ptl_local_free(get(world, omt_of(middle, n), 0));
    ck_assert_uint_eq(wrong(world, &checked), 0);
    ck_assert_uint_eq(checked, 5);
    ck_assert_int_eq(verified(p.store), 0);
    exec(p.store,
         "UPDATE omt_spill SET checksum = checksum + 1 WHERE id = 2"); /* even: a bit */
    ck_assert_int_eq(verified(p.store), INVARIANT_SPILL);
    ck_assert_int_eq(
        ptl_local_water_get(&w, world, omt_of(middle, 11).x * SIDE, middle.y * SIDE, 60, &err),
        PTL_ERR_CORRUPT);
    (void)repaired(p.store);
    (void)check_all(world);
    exec(p.store, "UPDATE omt_spill SET spills = X'0177777777777777' WHERE id = 3");
    ck_assert_int_eq(verified(p.store), INVARIANT_SPILL);
    ptl_repair_report report = repaired(p.store);
    ck_assert_uint_eq(report.set_aside, 1);
    ck_assert_uint_eq(report.recomputed, 1);
    (void)check_all(world);
    exec(p.store, "DELETE FROM omt_spill WHERE id > 1");
    ck_assert_int_eq(verified(p.store), 0); /* as in a file of before */
    ck_assert_uint_eq(repaired(p.store).recomputed, 4);
    (void)check_all(world);
    bytes other = {0};
    bool found;
    OK(ops(p.store)->map->spill_read(&other, &found, p.store, world->row.id, omt_of(middle, 10),
                                     &err));
    OK(ops(p.store)->transaction->begin(p.store, &err));
    OK(ops(p.store)->map->spill_put(p.store, world->row.id, omt_of(middle, 13), &other, &err));
    OK(ops(p.store)->transaction->commit(p.store, &err));
    bytes_dispose(&other);
    ck_assert_int_eq(verified(p.store), 0); /* it is well-formed */
    ck_assert_uint_eq(wrong(world, NULL), 1);
    ck_assert_uint_eq(repaired(p.store).recomputed, 1);
    (void)check_all(world);
    ck_assert_uint_eq(wrong(world, NULL), 0);
    exec(p.store, "UPDATE omt_map SET id = 77 WHERE id = 1"); /* its spills are of none */
    ck_assert_int_ne(verified(p.store), 0);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* Damaged ones are told like wrong ones. Editing a map whose spills are damaged gives it sound
 * ones, and so it does to the stored maps around. */
START_TEST(damage_goes_when_a_map_is_edited)
{
    place p;
    uint64_t checked = 0;
    open_place(&p, FILE_BACKEND);
    ptl_world *world = sea_in(p.store, 1, false);
    const ptl_omt middle = find_border(1);
    for (int n = 11; n < 14; n++)
        ptl_local_free(get(world, omt_of(middle, n), 0));
    exec(p.store, "UPDATE omt_spill SET checksum = checksum + 1");
    ck_assert_uint_eq(wrong(world, &checked), 3);
    ck_assert_uint_eq(checked, 3);
    const edit e = {.omt = 12, .wide = SIDE, .high = SIDE, .id = "t_wall_timber"};
    carry_out(world, middle, &e);
    ck_assert_int_eq(verified(p.store), 0);
    ck_assert_uint_eq(wrong(world, &checked), 0);
    ck_assert_int_eq(check_all(world).coast, 3);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A world that derives its maps stores edited ones alone, with their spills. */
START_TEST(derived_maps_store_nothing)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store, 4, true);
    const ptl_omt middle = find_border(4);
    rng r = rng_from_key(6);
    for (int n = 0; n < OMTS; n++)
        ptl_local_free(get(world, omt_of(middle, n), 0));
    ck_assert_int_eq(check_all(world).stored, 0);
    for (int n = 0; n < 5; n++) {
        const edit e = {.omt = 10 + n,
                        .wide = SIDE,
                        .high = rng_range(&r, 4, SIDE),
                        .id = n % 2 ? "t_swater_dp" : "t_wall_timber"};
        carry_out(world, middle, &e);
        ck_assert_int_eq(check_all(world).coast, n + 1);
    }
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* Earth on all of a map but some columns of it. */
static void fill_in(ptl_world *world, ptl_omt at, int from, int to)
{
    ptl_local_map *map = get(world, at, 0);
    for (int i = 0; i < CELLS; i++)
        if (i % SIDE < from || i % SIDE > to || i / SIDE < 2 || i / SIDE > 20)
            OK(ptl_local_terrain_set(map, i % SIDE, i / SIDE, "t_dirt"));
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

/* What is an arm of the sea for one map is closed two OMTs away, and is a lagoon: nothing comes
 * from there. The map that closes it was stored before, or is derived. */
START_TEST(an_arm_is_closed_two_omts_away)
{
    static coast_ground g;
    place p;
    bool found;
    open_place(&p, _i % BACKENDS);
    const bool derive = _i >= BACKENDS;
    ptl_world *world = sea_in(p.store, 2, derive);
    const ptl_omt middle = find_open(2);
    const ptl_omt east = {middle.x + 1, middle.y, 0}, beyond = {middle.x + 2, middle.y, 0};
    for (int i = 0; i < 9; i++)
        fill_in(world, (ptl_omt){middle.x + i % 3 - 1, middle.y + i / 3 - 1, 0},
                i == 5 ? SIDE / 2 : SIDE, SIDE);
    OK(local_spills_read(&g, &found, world, middle, &err));
    ck_assert(found && g.spills[12 * SIDE + SIDE - 1] == 134);
    if (!derive)
        ptl_local_free(get(world, beyond, 0));
    fill_in(world, beyond, 0, SIDE / 2 - 1);
    (void)check_all(world);
    OK(local_spills_read(&g, &found, world, middle, &err));
    ck_assert(found && g.spills[12 * SIDE + SIDE - 1] == COAST_SPILL_NEVER);
    OK(local_spills_read(&g, &found, world, east, &err));
    ck_assert(found && g.spills[12 * SIDE + SIDE - 1] != COAST_SPILL_SEA);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A chunk that is made anew: its edited map stays, and so do maps beside its border. */
START_TEST(a_chunk_that_is_made_anew)
{
    place p;
    open_place(&p, _i);
    ptl_world *world = sea_in(p.store, 1, false);
    const ptl_omt middle = find_border(1);
    const ptl_chunk_pos chunk = ptl_omt_chunk(middle);
    ptl_regenerate_options o = PTL_REGENERATE_OPTIONS_INIT;
    rng r = rng_from_key(8);
    for (int n = 0; n < OMTS; n++)
        ptl_local_free(get(world, omt_of(middle, n), 0));
    for (int n = 0; n < 4; n++) {
        const edit e = random_edit(&r);
        carry_out(world, middle, &e);
    }
    o.positions = &chunk;
    o.position_count = 1;
    o.stale = false;
    OK(ptl_regenerate(NULL, world, &o, &err));
    const count n = check_all(world);
    ck_assert_int_gt(n.coast, 2 * AROUND);
    ck_assert_int_lt(n.coast, OMTS);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    const int seeds = getenv("PORTOLAN_QUICK") ? 1 : 4;
    Suite *suite = suite_create("spills");
    TCase *t = tcase_create("spills");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, stored_is_what_is_found, 0, BACKENDS * seeds);
    tcase_add_loop_test(t, any_order_gives_the_same, 0, seeds);
    tcase_add_loop_test(t, in_bulk_they_are_the_same, 0, 2);
    tcase_add_test(t, content_states_heights);
    tcase_add_test(t, without_them_all_is_the_same);
    tcase_add_test(t, damage_is_seen_and_mended);
    tcase_add_test(t, damage_goes_when_a_map_is_edited);
    tcase_add_loop_test(t, derived_maps_store_nothing, 0, BACKENDS);
    tcase_add_loop_test(t, an_arm_is_closed_two_omts_away, 0, 2 * BACKENDS);
    tcase_add_loop_test(t, a_chunk_that_is_made_anew, 0, BACKENDS);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
