/*
 * Washing over borders of OMTs and chunks, over many seeds and turns in shuffled order: no item
 * and no creature is lost, none is doubled; what lies in an item stays in it; walkers are in
 * deep water only where they had no way out; what swims or flies stays. Maps that are not there
 * are made, edited ones keep what was edited, and a conflict changes nothing.
 */
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/local/local.h"
#include "world/local/local_reader.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = PTL_LOCAL_SIDE, CELLS = SIDE * SIDE, STEP = 60, THINGS = 400, SPAN = 6 };

static place p;
static ptl_world *world;

/* The sea of the content is gentle: here its profile is changed in memory. */
static void set_profile(bool full)
{
    static cat_shoals changed;
    const uint16_t sea = catalogue_terrain(world->cat, "ocean_surface");
    changed = *catalogue_shoals(world->cat);
    changed.full = full;
    ((cat_terrain *)(uintptr_t)world->cat->terrains)[sea].shoals = &changed;
}

static void begin(uint64_t seed)
{
    static const char swimmer[] =
        "[{\"type\": \"MONSTER\", \"id\": \"mon_wings\", \"flags\": "
        "[\"FLIES\"]}, {\"type\": \"MONSTER\", \"id\": \"mon_fish\", "
        "\"copy-from\": \"mon_wings\", \"name\": \"fish\"},"
        "{\"type\": \"vehicle_part\", \"id\": \"hull\", \"flags\": "
        "[\"FLOATS\"]}, {\"type\": \"vehicle_part\", \"id\": \"new_hull\", "
        "\"copy-from\": \"hull\"}, {\"type\": \"vehicle\", \"id\": "
        "\"boat\", \"name\": \"b\", \"parts\": [{\"x\": 0, \"y\": 0, \"parts\": [\"frame\", "
        "\"new_hull#left\"]}]}, {\"type\": \"vehicle\", \"id\": \"cart\", \"name\": \"c\", "
        "\"parts\": [{\"x\": 0, \"y\": 0, \"part\": \"frame\"}]}, {\"type\": "
        "\"monstergroup\", \"name\": \"GROUP_REEF\", \"default\": \"mon_null\", "
        "\"monsters\": [{\"group\": \"GROUP_FISH\", \"freq\": 1}]}, {\"type\": "
        "\"monstergroup\", \"name\": \"GROUP_FISH\", \"default\": \"mon_null\", "
        "\"monsters\": [{\"monster\": \"mon_fish\", \"freq\": 1}]}, {\"type\": "
        "\"monstergroup\", \"name\": \"GROUP_BOAR\", \"default\": \"mon_null\", "
        "\"monsters\": [{\"monster\": \"mon_boar\", \"freq\": 1}]}]";
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    open_place(&p, FILE_BACKEND);
    import_text(p.store, swimmer, false);
    o.seed = seed;
    o.region = "coast";
    OK(ptl_world_create(p.store, "sea", &o, &err));
    OK(ptl_world_open(&world, p.store, "sea", NULL, &err));
    set_profile(true);
}

static void end(void)
{
    ptl_world_close(world);
    close_place(&p);
}

/* The north-western of four OMTs with islands over a border of chunks, if it can be over a
 * corner. */
static ptl_omt islands_at_border(uint64_t seed)
{
    uint8_t shares[2];
    for (int64_t n = 0; n < 4000; n++) {
        const int64_t x = 5 * PTL_CHUNK_SIZE;
        const int64_t y = n < 200 ? n * PTL_CHUNK_SIZE : n - 200;
        coast_shares(shares, seed, x - 1, y, 2);
        if (shares[0] > COAST_SHARE_ALL / 2 && shares[1] > COAST_SHARE_ALL / 2)
            return (ptl_omt){x - 1, y - 1, 0};
    }
    ck_abort_msg("no islands");
}

/* ---- what is strewn ---- */

/* Of each thing, by its number: how often it is there, and whether it was in the right order.
 */
typedef struct census {
    int count[THINGS];
    ptl_omt at[THINGS];
    int32_t cell[THINGS];
} census;

static int strewn;

static void add(ptl_local_map *map, const char *kind, const char *id, int32_t cell, int depth)
{
    char own[32];
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    ck_assert_int_lt(strewn, THINGS);
    snprintf(own, sizeof own, "{\"n\": %d}", strewn++);
    e.kind = kind;
    e.id = id;
    e.own = own;
    e.x = e.x2 = cell % SIDE;
    e.y = e.y2 = cell / SIDE;
    e.count = 1;
    e.status = depth;
    OK(ptl_local_entity_add(map, &e));
}

/* Every third thing is an item with another in it, which has the next number. */
static void strew(ptl_omt at, rng *r)
{
    static const char *const creatures[] = {"mon_boar", "mon_wings", "mon_fish"};
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    for (int i = 0; i < 30; i++) {
        const int32_t along = (int32_t)rng_below(r, SIDE), all = (int32_t)rng_below(r, CELLS);
        const int32_t cell = i % 3 == 0 ? along : i % 3 == 1 ? along * SIDE + SIDE - 1 : all;
        add(map, "item", "crab", cell, 0);
        if (i % 3 == 0)
            add(map, "item", "rock", cell, 1);
        if (i % 4 == 0)
            add(map, i % 8 == 0 ? "monster" : "npc", creatures[i / 8 % 3], cell, 0);
    }
    OK(ptl_local_terrain_set(map, 5, 5, "t_floor_wood"));
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

static void count_map(census *c, ptl_omt at, ptl_local_map *map)
{
    int before = -1;
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        int n = -1;
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        if (sscanf(e.own, "{\"n\": %d}", &n) == 1) {
            c->count[n]++;
            c->at[n] = at;
            c->cell[n] = e.y * SIDE + e.x;
            if (e.status == 1) /* it follows what it lies in, on the same tile */
                ck_assert(before == n - 1 && c->cell[n - 1] == c->cell[n]);
        }
        before = n;
    }
}

/* Of all stored maps around. */
static census *count_all(ptl_omt first)
{
    census *c = calloc(1, sizeof *c);
    ck_assert_ptr_nonnull(c);
    for (int i = 0; i < SPAN * SPAN; i++) {
        ptl_local_map *map = NULL;
        const ptl_omt at = {first.x - 2 + i % SPAN, first.y - 2 + i / SPAN, 0};
        const ptl_status status = ptl_local_load(&map, world, at, &err);
        if (status == PTL_ERR_NOT_FOUND)
            continue;
        OK(status);
        count_map(c, at, map);
        ptl_local_free(map);
    }
    for (int n = 0; n < strewn; n++)
        if (c->count[n] != 1)
            ck_abort_msg("thing %d is there %d times", n, c->count[n]);
    return c;
}

/* ---- what is washed ---- */

static bool creature_at(ptl_local_map *map, int32_t cell)
{
    bool found = false;
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        found = found || ((strcmp(e.kind, "monster") == 0 || strcmp(e.kind, "npc") == 0) &&
                          e.y * SIDE + e.x == cell);
    }
    return found;
}

static bool is_deep(const local_sea *sea, int32_t cell)
{
    return local_sea_feature(sea, cell) == COAST_DEEP;
}

/* Is a tile of the inside deep, with no place beside it to go to? */
static bool has_way_out(ptl_local_map *map, const local_sea *sea, int32_t cell, bool alone)
{
    bool found = false;
    for (int k = 0; k < 9; k++) {
        const int32_t at = cell + (k / 3 - 1) * SIDE + k % 3 - 1;
        const coast_feature what = local_sea_feature(sea, at);
        found = found || (k != 4 && (what == COAST_SHALLOW || what == COAST_DRY) &&
                          !(alone && creature_at(map, at)));
    }
    return found;
}

/* After the map was washed: inside, so that neighbours are on the map. */
static void check_washed(ptl_omt at, int64_t turn)
{
    local_sea sea;
    ptl_local_map *map = NULL;
    local_reader *r = local_reader_new(world);
    OK(local_reader_sea_at(&sea, r, at, turn, &err));
    OK(ptl_local_load(&map, world, at, &err));
    for (size_t i = 0; sea.any && i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        const int32_t cell = e.y * SIDE + e.x;
        const bool inside = e.x > 0 && e.y > 0 && e.x < SIDE - 1 && e.y < SIDE - 1;
        if (!inside || !is_deep(&sea, cell) || e.x != e.x2 || e.y != e.y2)
            continue;
        if (strcmp(e.kind, "item") == 0)
            ck_assert(creature_at(map, cell) || !has_way_out(map, &sea, cell, false));
        if (strcmp(e.kind, "npc") == 0 || strcmp(e.id, "mon_boar") == 0)
            ck_assert(!has_way_out(map, &sea, cell, true));
    }
    ptl_local_free(map);
    local_reader_free(r);
}

START_TEST(nothing_is_lost_or_doubled)
{
    const uint64_t seed = 7 + (uint64_t)_i;
    begin(seed);
    rng r = rng_from_key(seed);
    const ptl_omt first = islands_at_border(seed);
    size_t all = 0;
    int crossed = 0;
    strewn = 0;
    strew(first, &r); /* its southern neighbour is made when something comes there */
    strew((ptl_omt){first.x + 1, first.y, 0}, &r);
    strew((ptl_omt){first.x + 1, first.y + 1, 0}, &r);
    census *before = count_all(first);
    for (int n = 0; n < 14; n++) {
        const int k = (int)rng_below(&r, 4);
        const ptl_omt at = {first.x + k % 2, first.y + k / 2, 0};
        const int64_t turn = (int64_t)rng_below(&r, PTL_TIDE_PERIOD) * STEP;
        size_t moved = 0, again = 0;
        const ptl_status status = ptl_local_wash(&moved, world, at, turn, &err);
        ck_assert_msg(status == PTL_OK || status == PTL_ERR_NOT_FOUND, "%s", err.message);
        all += moved;
        census *now = count_all(first);
        for (int i = 0; i < strewn; i++)
            crossed += now->at[i].x != before->at[i].x || now->at[i].y != before->at[i].y;
        free(before);
        before = now;
        if (status != PTL_OK)
            continue;
        check_washed(at, turn);
        OK(ptl_local_wash(&again, world, at, turn, &err));
        ck_assert_uint_eq(again, 0);
    }
    free(before);
    ck_assert_uint_gt(all, 10);
    ck_assert_int_gt(crossed, 0);
    ptl_local_map *map = NULL;
    OK(ptl_local_load(&map, world, first, &err));
    ck_assert_str_eq(ptl_local_terrain(map, 5, 5), "t_floor_wood");
    ptl_local_free(map);
    end();
}
END_TEST

/* Monsters that swim or fly, one in the copy of the other; their numbers are the last ones. */
static void strew_swimmers(ptl_omt at, rng *r, int count)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_load(&map, world, at, &err));
    for (int i = 0; i < count; i++)
        add(map, "monster", i % 2 ? "mon_wings" : "mon_fish", (int32_t)rng_below(r, CELLS), 0);
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

/* ---- vehicles and rectangles ---- */

/* Things with a corner each, cart and boat in turn, and groups of both sorts of monsters and of
 * items in rectangles. Their numbers begin at *first. */
static void strew_large(ptl_omt at, rng *r, int *first)
{
    static const char *const kinds[][2] = {{"vehicle", "cart"},
                                           {"vehicle", "boat"},
                                           {"corpse", "GROUP_BOAR"},
                                           {"monster group", "GROUP_BOAR"},
                                           {"monster group", "GROUP_REEF"},
                                           {"item group", "driftwood"}};
    ptl_local_map *map = NULL;
    *first = strewn;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    for (int i = 0; i < 60; i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        add(map, kinds[i % 6][0], kinds[i % 6][1], (int32_t)rng_below(r, CELLS), 0);
        const size_t number = ptl_local_entity_count(map) - 1;
        OK(ptl_local_entity_at(&e, map, number));
        e.x2 = i % 6 < 3 ? e.x : rng_range(r, e.x, e.x + 6 < SIDE ? e.x + 6 : SIDE - 1);
        e.y2 = i % 6 < 3 ? e.y : rng_range(r, e.y, e.y + 6 < SIDE ? e.y + 6 : SIDE - 1);
        OK(ptl_local_entity_replace(map, number, &e));
    }
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

static bool is_there(const ptl_local_entity *e, const local_sea *sea, bool deep, int32_t cell)
{
    const int x = cell % SIDE, y = cell / SIDE;
    const coast_feature what = local_sea_feature(sea, cell);
    return x >= e->x && x <= e->x2 && y >= e->y && y <= e->y2 &&
           (deep ? what == COAST_DEEP : what == COAST_SHALLOW || what == COAST_DRY);
}

static int count_in(const ptl_local_entity *e, const local_sea *sea, bool deep)
{
    int n = 0;
    for (int32_t cell = 0; cell < CELLS; cell++)
        n += is_there(e, sea, deep, cell);
    return n;
}

/* What became of one: was is as it was strewn, is as it lies now on the same map, or NULL. */
static void check_large(const ptl_local_entity *was, const ptl_local_entity *is,
                        const local_sea *sea, int counts[4])
{
    const bool floats = strcmp(was->id, "boat") == 0 || strcmp(was->id, "GROUP_REEF") == 0;
    const bool same =
        is && is->x == was->x && is->y == was->y && is->x2 == was->x2 && is->y2 == was->y2;
    const int dry = count_in(was, sea, false), deep = count_in(was, sea, true);
    if (floats || deep == 0) {
        ck_assert(same);
        counts[0] += deep > 0;
    } else if (dry > 0) { /* no tile is lost where something can stand, and each edge has one */
        ck_assert(is && count_in(is, sea, false) == dry);
        ck_assert(is->x >= was->x && is->y >= was->y && is->x2 <= was->x2 && is->y2 <= was->y2);
        for (int side = 0; side < 4; side++) {
            ptl_local_entity e = *is;
            e.x2 = side == 0 ? e.x : e.x2;
            e.x = side == 1 ? e.x2 : e.x;
            e.y2 = side == 2 ? e.y : e.y2;
            e.y = side == 3 ? e.y2 : e.y;
            ck_assert_int_gt(count_in(&e, sea, false), 0);
        }
        counts[1] += !same;
    } else if (!same) { /* all was deep: it lies on one tile that is not */
        ck_assert(!is || (is->x == is->x2 && is->y == is->y2 && count_in(is, sea, false) == 1));
        counts[2]++;
    } else {
        counts[3]++;
    }
}

START_TEST(vehicles_and_rectangles)
{
    const uint64_t seed = (uint64_t)_i;
    int first, counts[4] = {0};
    begin(seed);
    rng r = rng_from_key(seed + 40);
    const ptl_omt at = islands_at_border(seed);
    strewn = 0;
    strew_large(at, &r, &first);
    for (int n = 0; n < 8; n++) {
        const int64_t turn = (28 + 13 * n) * STEP;
        ptl_local_map *before = NULL, *after = NULL;
        local_sea sea;
        size_t moved;
        OK(ptl_local_load(&before, world, at, &err));
        OK(ptl_local_wash(&moved, world, at, turn, &err));
        OK(ptl_local_load(&after, world, at, &err));
        local_reader *reader = local_reader_new(world);
        OK(local_reader_sea_at(&sea, reader, at, turn, &err));
        local_reader_free(reader);
        for (size_t i = 0, k = 0; i < ptl_local_entity_count(before); i++) {
            ptl_local_entity was = PTL_LOCAL_ENTITY_INIT, is = PTL_LOCAL_ENTITY_INIT;
            OK(ptl_local_entity_at(&was, before, i));
            const bool more = ptl_local_entity_at(&is, after, k) == PTL_OK;
            const bool here = more && strcmp(was.own, is.own) == 0;
            check_large(&was, here ? &is : NULL, &sea, counts);
            k += here;
        }
        ptl_local_free(before);
        ptl_local_free(after);
        census *c = count_all(at); /* on this map or on one beside it, each once */
        for (int k = 0; k < strewn; k++)
            ck_assert_int_eq(c->count[k], 1);
        free(c);
        OK(ptl_local_wash(&moved, world, at, turn, &err));
        ck_assert_uint_eq(moved, 0);
    }
    ck_assert_int_gt(counts[0], 0);
    ck_assert_int_gt(counts[1] + counts[2], 3);
    end();
}
END_TEST

/* What swims or flies stays where it is, and so does all of a gentle sea. */
START_TEST(what_stays)
{
    enum { SWIMMERS = 40 };
    begin(7);
    rng r = rng_from_key(1);
    const ptl_omt first = islands_at_border(7);
    const int64_t turn = 28 * STEP;
    local_sea sea;
    size_t moved;
    int deep = 0;
    strewn = 0;
    strew(first, &r);
    strew_swimmers(first, &r, SWIMMERS);
    census *before = count_all(first);
    set_profile(false);
    OK(ptl_local_wash(&moved, world, first, turn, &err));
    ck_assert_uint_eq(moved, 0);
    set_profile(true);
    OK(ptl_local_wash(&moved, world, first, turn, &err));
    ck_assert_uint_gt(moved, 0);
    local_reader *reader = local_reader_new(world);
    OK(local_reader_sea_at(&sea, reader, first, turn, &err));
    local_reader_free(reader);
    census *after = count_all(first);
    for (int n = strewn - SWIMMERS; n < strewn; n++) {
        ck_assert_int_eq(before->cell[n], after->cell[n]);
        deep += is_deep(&sea, after->cell[n]);
    }
    ck_assert_int_gt(deep, 5);
    free(before);
    free(after);
    end();
}
END_TEST

/* A walker that has no way out keeps its tile from being deep: it is shown so, and what lies
 * there stays. */
START_TEST(who_stays_keeps_the_tile)
{
    begin(7);
    rng r = rng_from_key(1);
    const ptl_omt first = islands_at_border(7);
    const int64_t turn = 28 * STEP;
    int kept = 0;
    strewn = 0;
    strew(first, &r);
    ptl_local_map *map = NULL;
    OK(ptl_local_load(&map, world, first, &err));
    for (int32_t cell = 0; cell < CELLS && strewn < THINGS - 1; cell += 3) {
        add(map, "npc", "someone", cell, 0);
        add(map, "item", "rock", cell, 0);
    }
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
    size_t moved;
    OK(ptl_local_wash(&moved, world, first, turn, &err));
    ptl_local_options o = PTL_LOCAL_OPTIONS_INIT;
    local_sea sea;
    local_reader *reader = local_reader_new(world);
    OK(local_reader_sea_at(&sea, reader, first, turn, &err));
    local_reader_free(reader);
    o.tide = true;
    o.view = turn;
    OK(ptl_local_get(&map, world, first, &o, &err));
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        const char *seen = ptl_local_terrain(map, e.x, e.y);
        if (strcmp(e.kind, "npc") != 0 || !is_deep(&sea, e.y * SIDE + e.x))
            continue;
        ck_assert_str_eq(seen, "t_swater_sh");
        kept++;
    }
    ptl_local_free(map);
    free(count_all(first));
    ck_assert_int_gt(kept, 0);
    end();
}
END_TEST

/* Fills a map up with what no water moves, so that it has room for so many more things. */
static void fill_up(ptl_omt at, size_t room)
{
    ptl_local_map *map = NULL;
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = "sign";
    OK(ptl_local_get(&map, world, at, NULL, &err));
    while (ptl_local_entity_count(map) + room < LOCAL_ENTITIES_MAX)
        OK(ptl_local_entity_add(map, &e));
    OK(ptl_local_put(world, &map, 1, &err));
    ptl_local_free(map);
}

/* A map that is full itself is washed. The map in the east takes no more than it has room for;
 * what finds no place there goes elsewhere or stays. */
START_TEST(a_full_map_takes_no_more)
{
    static const size_t rooms[] = {LOCAL_ENTITIES_MAX, 1, 0};
    for (size_t k = 0; k < sizeof rooms / sizeof rooms[0]; k++) {
        size_t crossed = 0, inside = 0, moved;
        begin(7);
        rng r = rng_from_key(1);
        const ptl_omt first = islands_at_border(7), east = {first.x + 1, first.y, 0};
        strewn = 0;
        for (int i = 0; i < 5; i++)
            strew(first, &r);
        fill_up(first, 0);
        fill_up(east, rooms[k]);
        census *before = count_all(first);
        OK(ptl_local_wash(&moved, world, first, 28 * STEP, &err));
        check_washed(first, 28 * STEP);
        census *after = count_all(first);
        for (int n = 0; n < strewn; n++) {
            crossed += after->at[n].x == east.x && after->at[n].y == east.y;
            inside += after->at[n].x == first.x && after->at[n].y == first.y &&
                      after->cell[n] != before->cell[n];
        }
        ck_assert_uint_gt(inside, 9);
        if (k == 0)
            ck_assert_uint_gt(crossed, 1);
        else
            ck_assert_uint_eq(crossed, rooms[k]);
        free(before);
        free(after);
        end();
    }
}
END_TEST

/* Somebody puts the map between reading and writing: there is no such moment here, so a map
 * that was read before is put after, and is refused; the washed one stays as it is. */
START_TEST(a_conflict_is_told)
{
    begin(7);
    rng r = rng_from_key(1);
    const ptl_omt first = islands_at_border(7);
    ptl_local_map *old = NULL;
    size_t moved = 0;
    strewn = 0;
    strew(first, &r);
    OK(ptl_local_load(&old, world, first, &err));
    OK(ptl_local_wash(&moved, world, first, 28 * STEP, &err));
    ck_assert_uint_gt(moved, 0);
    ck_assert_int_eq(ptl_local_put(world, &old, 1, &err), PTL_ERR_EXISTS);
    ck_assert_int_eq(ptl_local_wash(&moved, world, (ptl_omt){first.x, first.y + 2, 0}, 0, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_uint_eq(moved, 0);
    ck_assert_int_eq(ptl_local_wash(&moved, world, first, -1, &err), PTL_ERR_ARGUMENT);
    ptl_local_free(old);
    free(count_all(first));
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("washing");
    TCase *t = tcase_create("washing");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, nothing_is_lost_or_doubled, 0, test_seeds(6));
    tcase_add_test(t, what_stays);
    tcase_add_loop_test(t, vehicles_and_rectangles, 1, 4);
    tcase_add_test(t, who_stays_keeps_the_tile);
    tcase_add_test(t, a_full_map_takes_no_more);
    tcase_add_test(t, a_conflict_is_told);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
