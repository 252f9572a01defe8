/* What stands otherwise in two worlds, against the lists of what stands in each. */
#include "clients/watch/differ.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 4000 };

/* A special, as the store's list has it. */
typedef struct place {
    char id[64];
    ptl_chunk_pos chunk;
    int64_t x, y;
    int32_t z;
} place;

typedef struct places {
    place list[PLACES_MAX];
    size_t count;
} places;

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *worlds[3]; /* a; b, as a with another rule of placement; c, as a */
static places lists[2];
static ptl_error err;
static const ptl_chunk_pos from = {0, -1}, to = {1, 0};

static void generate(size_t number, const char *name, ptl_placement placement, uint64_t seed)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    const ptl_chunk_pos list[] = {{0, -1}, {1, -1}, {0, 0}, {1, 0}};
    ptl_generate_options g = PTL_GENERATE_OPTIONS_INIT;
    o.seed = seed;
    o.placement = placement;
    g.positions = list;
    g.position_count = 4;
    const ptl_status status = ptl_world_create(store, name, &o, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    worlds[number] = world_file_world(store, name);
    ck_assert_msg(ptl_generate(NULL, worlds[number], &g, &err) == PTL_OK, "%s", err.message);
}

static bool on_special(void *payload, const ptl_special_place *s)
{
    places *p = payload;
    ck_assert_uint_lt(p->count, PLACES_MAX);
    place *out = &p->list[p->count++];
    snprintf(out->id, sizeof out->id, "%s", s->id);
    out->chunk = s->chunk;
    out->x = s->x;
    out->y = s->y;
    out->z = s->z;
    return true;
}

/* Each test begins with it. */
static void make(int number)
{
    world_file_path(path);
    store = world_file_open(path, "w", 1);
    generate(0, "a", PTL_PLACEMENT_QUOTA, 40 + (uint64_t)number);
    generate(1, "b", PTL_PLACEMENT_SECTORS, 40 + (uint64_t)number);
    generate(2, "c", PTL_PLACEMENT_QUOTA, 40 + (uint64_t)number);
    for (size_t i = 0; i < 2; i++) {
        lists[i].count = 0;
        ck_assert_int_eq(
            ptl_special_list(store, i ? "b" : "a", NULL, on_special, &lists[i], &err), PTL_OK);
    }
}

static void teardown(void)
{
    for (size_t i = 0; i < 3; i++)
        ptl_world_close(worlds[i]);
    ptl_store_close(store);
    world_file_remove(path);
}

/* ---- what is told ---- */

typedef struct seen {
    uint64_t count[DIFFER_THINGS][DIFFER_CHANGES];
    char last[64]; /* id of the last special, inside a chunk */
    uint64_t stop; /* after so many; 0: never */
    uint64_t rows;
} seen;

/* How many of the list stand there. */
static size_t standing(const places *p, const differ_place *at)
{
    size_t count = 0;
    for (size_t i = 0; i < p->count; i++)
        count += strcmp(p->list[i].id, at->id) == 0 && p->list[i].x == at->x &&
                 p->list[i].y == at->y && p->list[i].z == at->z;
    return count;
}

static int32_t chunk_of(int64_t x)
{
    return (int32_t)((x + 1000 * PTL_CHUNK_SIZE) / PTL_CHUNK_SIZE - 1000);
}

static bool on_row(void *payload, const differ_row *row)
{
    seen *s = payload;
    s->rows++;
    s->count[row->thing][row->change]++;
    ck_assert_int_eq(row->before == NULL, row->change == DIFFER_ADDED);
    ck_assert_int_eq(row->now == NULL, row->change == DIFFER_LOST);
    if (row->thing == DIFFER_SPECIAL) {
        if (row->before)
            ck_assert_uint_ge(standing(&lists[0], row->before), 1);
        if (row->now)
            ck_assert_uint_ge(standing(&lists[1], row->now), 1);
    }
    if (row->change == DIFFER_MOVED) {
        ck_assert_str_eq(row->before->id, row->now->id);
        ck_assert(row->before->x != row->now->x || row->before->y != row->now->y ||
                  row->before->z != row->now->z || row->before->turn != row->now->turn);
        /* Origins may lie beside their chunk, but not far: it is the same one. */
        ck_assert_int_le(abs(chunk_of(row->before->x) - chunk_of(row->now->x)), 1);
        ck_assert_int_le(abs(chunk_of(row->before->y) - chunk_of(row->now->y)), 1);
    }
    return s->rows != s->stop;
}

/* Those of one list that have none of their id, in their overmap, in the other one. */
static size_t alone(const places *a, const places *b)
{
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        bool any = false;
        for (size_t k = 0; k < b->count && !any; k++)
            any = strcmp(a->list[i].id, b->list[k].id) == 0 &&
                  a->list[i].chunk.x == b->list[k].chunk.x &&
                  a->list[i].chunk.y == b->list[k].chunk.y;
        count += !any;
    }
    return count;
}

START_TEST(two_rules_of_placement)
{
    make(_i);
    differ_report r;
    seen s = {.rows = 0};
    const differ_options o = {from, to, on_row, &s};
    ck_assert_int_eq(differ_worlds(&r, worlds[0], worlds[1], &o, &err), PTL_OK);
    ck_assert_uint_eq(r.chunks, 4);
    ck_assert_mem_eq(r.count, s.count, sizeof s.count);
    const uint64_t *n = r.count[DIFFER_SPECIAL], same = r.same[DIFFER_SPECIAL];
    ck_assert_uint_eq(same + n[DIFFER_MOVED] + n[DIFFER_LOST], lists[0].count);
    ck_assert_uint_eq(same + n[DIFFER_MOVED] + n[DIFFER_ADDED], lists[1].count);
    ck_assert_uint_ge(n[DIFFER_LOST], alone(&lists[0], &lists[1]));
    ck_assert_uint_ge(n[DIFFER_ADDED], alone(&lists[1], &lists[0]));
    ck_assert_uint_gt(n[DIFFER_MOVED], 0);
    /* Cities come before specials, and do not depend on how these are placed. */
    ck_assert_uint_gt(r.same[DIFFER_CITY], 0);
    ck_assert_uint_eq(r.count[DIFFER_CITY][DIFFER_MOVED] + r.count[DIFFER_CITY][DIFFER_LOST],
                      0);
}
END_TEST

/* How many buildings the world has in the four chunks. */
static uint64_t buildings_of(ptl_world *world)
{
    uint64_t count = 0;
    for (int32_t y = from.y; y <= to.y; y++)
        for (int32_t x = from.x; x <= to.x; x++) {
            ptl_features *f;
            ptl_features_info info = PTL_FEATURES_INFO_INIT;
            ck_assert_int_eq(ptl_features_load(&f, world, (ptl_chunk_pos){x, y}, &err), PTL_OK);
            (void)ptl_features_describe(&info, f);
            count += info.buildings;
            ptl_features_free(f);
        }
    return count;
}

/* Of another seed cities are others, and all that stands in them. */
START_TEST(buildings)
{
    make(_i);
    differ_report r;
    ptl_world *other = worlds[2];
    const differ_options o = {from, to, NULL, NULL};
    ck_assert_int_eq(differ_worlds(&r, worlds[0], other, &o, &err), PTL_OK);
    ck_assert_uint_gt(r.same[DIFFER_BUILDING], 100);
    ck_assert_uint_eq(r.same[DIFFER_BUILDING], buildings_of(other));
    ptl_world_close(other);
    generate(2, "d", PTL_PLACEMENT_QUOTA, 1040 + (uint64_t)_i);
    ck_assert_int_eq(differ_worlds(&r, worlds[0], worlds[2], &o, &err), PTL_OK);
    const uint64_t *n = r.count[DIFFER_BUILDING], same = r.same[DIFFER_BUILDING];
    ck_assert_uint_eq(same + n[DIFFER_MOVED] + n[DIFFER_LOST], buildings_of(worlds[0]));
    ck_assert_uint_eq(same + n[DIFFER_MOVED] + n[DIFFER_ADDED], buildings_of(worlds[2]));
    ck_assert_uint_gt(n[DIFFER_MOVED], 0);
    ck_assert_uint_lt(same, buildings_of(worlds[2]) / 10);
}
END_TEST

/* The other way round the same are lost that were added, and as many have moved. */
START_TEST(the_other_way_round)
{
    make(_i);
    differ_report r, back;
    const differ_options o = {from, to, NULL, NULL};
    ck_assert_int_eq(differ_worlds(&r, worlds[0], worlds[1], &o, &err), PTL_OK);
    ck_assert_int_eq(differ_worlds(&back, worlds[1], worlds[0], &o, &err), PTL_OK);
    for (size_t i = 0; i < DIFFER_THINGS; i++) {
        ck_assert_uint_eq(r.same[i], back.same[i]);
        ck_assert_uint_eq(r.count[i][DIFFER_MOVED], back.count[i][DIFFER_MOVED]);
        ck_assert_uint_eq(r.count[i][DIFFER_ADDED], back.count[i][DIFFER_LOST]);
        ck_assert_uint_eq(r.count[i][DIFFER_LOST], back.count[i][DIFFER_ADDED]);
    }
}
END_TEST

START_TEST(the_same_world_twice)
{
    make(_i);
    differ_report r;
    seen s = {.rows = 0};
    const differ_options o = {{-3, -3}, {3, 3}, on_row, &s}; /* more than there is */
    ck_assert_int_eq(differ_worlds(&r, worlds[0], worlds[2], &o, &err), PTL_OK);
    ck_assert_uint_eq(s.rows, 0);
    ck_assert_uint_eq(r.chunks, 4);
    ck_assert_uint_eq(r.same[DIFFER_SPECIAL], lists[0].count);
}
END_TEST

START_TEST(it_can_be_ended)
{
    make(_i);
    differ_report r;
    seen s = {.stop = 3};
    const differ_options o = {from, to, on_row, &s};
    ck_assert_int_eq(differ_worlds(&r, worlds[0], worlds[1], &o, &err), PTL_ERR_CANCELLED);
    ck_assert_uint_eq(s.rows, 3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("differ");
    TCase *tc = tcase_create("differ");
    const int seeds = getenv("PORTOLAN_QUICK") ? 1 : 4;
    tcase_add_checked_fixture(tc, NULL, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, two_rules_of_placement, 0, seeds);
    tcase_add_loop_test(tc, buildings, 0, seeds);
    tcase_add_loop_test(tc, the_other_way_round, 0, seeds);
    tcase_add_loop_test(tc, the_same_world_twice, 0, seeds);
    tcase_add_loop_test(tc, it_can_be_ended, 0, 1);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
