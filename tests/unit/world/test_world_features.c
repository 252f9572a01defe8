/* Features of real chunks in a store: kept, read back, and checked against their tiles. */
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;
static gen_features features, back;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
}

static void tear_down(void)
{
    features_dispose(&features);
    features_dispose(&back);
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

typedef struct problems {
    unsigned seen; /* bit per invariant */
    char last[600];
} problems;

static void note(void *payload, const ptl_problem *problem)
{
    problems *p = payload;
    p->seen |= 1u << problem->invariant;
    strncpy(p->last, problem->message, sizeof p->last - 1);
}

static problems verify(void)
{
    problems p = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_msg(ptl_verify(&counts, store, note, &p, &err) == PTL_OK, "%s", err.message);
    return p;
}

static void read_features(gen_features *out, ptl_chunk_pos pos)
{
    bool found;
    ck_assert_msg(store_features_read(out, &found, store, world->row.id, pos,
                                      ptl_world_catalogue(world), &err) == PTL_OK,
                  "%s", err.message);
    ck_assert(found);
}

/* Makes chunks until one has buildings; its place. */
static ptl_chunk_pos chunk_with_buildings(void)
{
    for (int32_t x = 0; x < 6; x++) {
        const ptl_chunk_pos pos = {x, 0};
        ptl_chunk *chunk = NULL;
        ck_assert_msg(ptl_chunk_get(&chunk, world, pos, &err) == PTL_OK, "%s", err.message);
        ptl_chunk_free(chunk);
        read_features(&features, pos);
        if (features.placement_count > 0)
            return pos;
    }
    ck_abort_msg("six chunks without a building");
    return (ptl_chunk_pos){0, 0};
}

/* Replaces the saved chunk's features by those in `features`. */
static void rewrite(ptl_chunk_pos pos)
{
    ptl_chunk *chunk = NULL;
    bool found, written;
    made_chunk made = {0};
    const catalogue *cat = ptl_world_catalogue(world);
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, pos, &err), PTL_OK);
    ck_assert_int_eq(world_edges(world, pos, made.edges, &err), PTL_OK);
    ck_assert_int_eq(
        chunk_encode(&made.encoded, world->codec, chunk, world->config->defaults, cat, &err),
        PTL_OK);
    ck_assert_msg(features_encode(&made.features, world->codec, pos, &features, cat, &err) ==
                      PTL_OK,
                  "%s", err.message);
    ck_assert_int_eq(store_begin(store, &err), PTL_OK);
    ck_assert_int_eq(store_chunk_delete(&found, store, world->row.id, pos, &err), PTL_OK);
    ck_assert_msg(world_write_chunk(world, &made, world->run_id,
                                    pipeline_step_count(&overmap_pipeline), NULL, &written,
                                    &err) == PTL_OK,
                  "%s", err.message);
    ck_assert(found && written);
    ck_assert_int_eq(store_commit(store, &err), PTL_OK);
    made_chunk_dispose(&made);
    ptl_chunk_free(chunk);
}

START_TEST(buildings_are_what_stands_there)
{
    ptl_chunk_pos pos = chunk_with_buildings();
    problems p = verify();
    ck_assert_msg(p.seen == 0, "%s", p.last);
    rewrite(pos);
    p = verify();
    ck_assert_msg(p.seen == 0, "%s", p.last);
    /* One building elsewhere: its tiles are not there. */
    gen_placement *moved = &features.placements[features.placement_count / 2];
    int16_t x = moved->x;
    moved->x = (int16_t)(x < 90 ? x + 60 : x - 60);
    rewrite(pos);
    p = verify();
    ck_assert_msg(p.seen == 1u << INVARIANT_PLACEMENT, "%#x %s", p.seen, p.last);
    ck_assert_msg(strstr(p.last, "of buildings and specials are not there") != NULL, "%s",
                  p.last);
    /* And one outside. */
    moved->x = -5;
    rewrite(pos);
    p = verify();
    ck_assert_msg(p.seen == 1u << INVARIANT_PLACEMENT, "%#x %s", p.seen, p.last);
    ck_assert_msg(strstr(p.last, "outside") != NULL, "%s", p.last);
    moved->x = x;
    rewrite(pos);
    ck_assert_uint_eq(verify().seen, 0);
}
END_TEST

/* What was read back from rows and packs is what the generator made. */
START_TEST(features_come_back)
{
    ptl_chunk_pos pos = chunk_with_buildings();
    edge edges[4], *lent[4];
    ptl_chunk *chunk = NULL;
    ck_assert_int_eq(world_prepare(world, &err), PTL_OK);
    ck_assert_int_eq(world_edges(world, pos, edges, &err), PTL_OK);
    for (int i = 0; i < 4; i++)
        lent[i] = &edges[i];
    ck_assert_int_eq(generator_run(&chunk, world->gen, pos, lent,
                                   pipeline_step_count(&overmap_pipeline), NULL, NULL, &err),
                     PTL_OK);
    const gen_features *made = generator_features(world->gen);
    ck_assert_uint_eq(made->placement_count, features.placement_count);
    ck_assert_uint_eq(made->city_count, features.city_count);
    ck_assert_uint_eq(made->group_count, features.group_count);
    ck_assert_uint_eq(made->radio_count, features.radio_count);
    for (size_t i = 0; i < made->placement_count; i++) {
        const gen_placement *a = &made->placements[i], *b = &features.placements[i];
        ck_assert(a->special == b->special && a->x == b->x && a->y == b->y && a->z == b->z &&
                  a->rotation == b->rotation && a->city == b->city);
    }
    for (size_t i = 0; i < made->city_count; i++)
        ck_assert_str_eq(made->cities[i].name, features.cities[i].name);
    ptl_chunk_free(chunk);
    for (int i = 0; i < 4; i++)
        edge_dispose(&edges[i]);
}
END_TEST

START_TEST(railroads_and_subways_are_kept)
{
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    for (int i = 0; i < 4; i++) {
        char name[2] = {(char)('a' + i), '\0'};
        o.railroads = i & 1;
        o.subways = i & 2;
        ck_assert_int_eq(ptl_world_create(store, name, &o, &err), PTL_OK);
        ptl_world *other = world_file_world(store, name);
        ptl_world_options kept = PTL_WORLD_OPTIONS_INIT;
        ck_assert_int_eq(ptl_world_settings(&kept, other, &err), PTL_OK);
        ck_assert_int_eq(kept.railroads, o.railroads);
        ck_assert_int_eq(kept.subways, o.subways);
        ptl_world_close(other);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("world_features");
    TCase *tcase = tcase_create("world_features");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, buildings_are_what_stands_there);
    tcase_add_test(tcase, features_come_back);
    tcase_add_test(tcase, railroads_and_subways_are_kept);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
