/*
 * ptl_seams_verify on stored worlds: whole ones, and ones in which a chunk was tampered with
 * before it was written, so that rows are fine and roads are not.
 */
#include "core/hash.h"
#include "gen/seams/dead_ends.h"
#include "store/sqlite/connection/stmt.h"
#include "support/suite.h"
#include "support/world_file.h"
#include "world/world.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

static ptl_error err;

typedef struct made_world {
    char path[WORLD_PATH_SIZE];
    ptl_store *store;
    ptl_world *world;
    int problems;
    char last[400];
    uint64_t arms, border, dead, missing;
} made_world;

static void made_world_open(made_world *m, uint64_t seed)
{
    memset(m, 0, sizeof *m);
    world_file_path(m->path);
    m->store = world_file_open(m->path, "w", seed);
    m->world = world_file_world(m->store, "w");
    ck_assert_msg(world_prepare(m->world, &err) == PTL_OK, "%s", err.message);
}

static void made_world_close(made_world *m)
{
    ptl_world_close(m->world);
    ptl_store_close(m->store);
    world_file_remove(m->path);
}

/* Makes a chunk and writes it, with the tile that `change` picks replaced by `by`. */
typedef bool (*picker)(const catalogue *cat, ptl_oter oter, int32_t x, int32_t y);

static void make(made_world *m, int32_t x, int32_t y, picker change, const char *by)
{
    made_chunk made = {0};
    ptl_chunk *chunk = NULL;
    bool written = false;
    int64_t run;
    ptl_world *w = m->world;
    ptl_chunk_pos pos = {x, y};
    chunk_maker maker = {.config = w->config,
                         .gen = w->gen,
                         .codec = w->codec,
                         .step_count = pipeline_step_count(&overmap_pipeline)};
    ck_assert_int_eq(world_edges(w, pos, made.edges, &err), PTL_OK);
    ck_assert_int_eq(world_make_chunk(&made, &chunk, &maker, pos, &err), PTL_OK);
    if (change) {
        ptl_oter *cells = level_cells(chunk_level(chunk, 0));
        int32_t i = 0;
        while (i < PTL_LEVEL_CELLS && !change(w->cat, cells[i], i % 180, i / 180))
            i++;
        ck_assert_int_lt(i, PTL_LEVEL_CELLS);
        cells[i] = catalogue_oter(w->cat, by);
        ck_assert_uint_ne(cells[i], CAT_NONE);
        encoded_chunk_dispose(&made.encoded);
        ck_assert_int_eq(
            chunk_encode(&made.encoded, w->codec, chunk, w->config->defaults, w->cat, &err),
            PTL_OK);
    }
    ck_assert_int_eq(store_begin(m->store, &err), PTL_OK);
    ck_assert_int_eq(store_run_begin(&run, m->store, w->row.id, "test", &err), PTL_OK);
    ck_assert_msg(world_write_chunk(w, &made, run, maker.step_count, NULL, &written, &err) ==
                      PTL_OK,
                  "%s", err.message);
    ck_assert_int_eq(store_commit(m->store, &err), PTL_OK);
    ck_assert(written);
    ptl_chunk_free(chunk);
    made_chunk_dispose(&made);
}

static void on_problem(void *payload, const ptl_problem *problem)
{
    made_world *m = payload;
    m->problems++;
    ck_assert_int_eq(problem->invariant, 0);
    snprintf(m->last, sizeof m->last, "%s: %s", problem->where, problem->message);
}

static void on_counts(void *payload, const ptl_seam_counts *c)
{
    made_world *m = payload;
    ck_assert_uint_eq(c->arms, c->line + c->parallel + c->crossed + c->building + c->border +
                                   c->own + c->foreign + c->unbound + c->dead);
    m->arms += c->arms;
    m->border += c->border;
    m->dead += c->dead + c->loose;
    m->missing += c->missing;
}

static ptl_seam_report verify(made_world *m)
{
    ptl_seam_report report = PTL_SEAM_REPORT_INIT;
    const ptl_seam_options options = {sizeof options, on_problem, on_counts, m};
    m->problems = 0;
    m->arms = m->border = m->dead = m->missing = 0;
    ck_assert_msg(ptl_seams_verify(&report, m->world, &options, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_uint_eq(report.problems, (uint64_t)m->problems);
    ck_assert_uint_le(m->dead + m->missing, report.problems);
    return report;
}

START_TEST(an_empty_world)
{
    made_world m;
    made_world_open(&m, 1);
    ptl_seam_report report = verify(&m);
    ck_assert_uint_eq(report.chunks + report.skipped + report.problems + m.arms, 0);
    ck_assert_int_eq(ptl_seams_verify(NULL, m.world, NULL, NULL), PTL_OK);
    made_world_close(&m);
}
END_TEST

/* More chunks than are held at a time; what neighbours answer is not left to edges. */
START_TEST(whole_worlds)
{
    made_world m;
    made_world_open(&m, (uint64_t)_i + 20);
    for (int32_t i = 0; i < 12; i++)
        make(&m, i % 4 - 1, 1 - i / 4, NULL, NULL);
    ptl_seam_report report = verify(&m);
    ck_assert_msg(report.problems == 0, "%s", m.last);
    ck_assert_uint_eq(report.chunks, 12);
    ck_assert_uint_gt(m.arms, 1000);
    ck_assert_uint_gt(m.border, 0);
    uint64_t outer = 0;
    for (int32_t i = 0; i < 12; i++) {
        edge edges[4];
        int32_t x = i % 4 - 1, y = 1 - i / 4;
        const bool open[4] = {y == -1, x == 2, y == 1, x == -1};
        ck_assert_int_eq(world_edges(m.world, (ptl_chunk_pos){x, y}, edges, &err), PTL_OK);
        for (int d = 0; d < 4; d++) {
            for (size_t c = 0; c < edges[d].count; c++)
                outer += open[d] && strcmp(edges[d].crossings[c].kind, CROSSING_RIVER) != 0;
            edge_dispose(&edges[d]);
        }
    }
    ck_assert_uint_le(m.border, outer); /* stubs that are no lines have no arm */
    made_world_close(&m);
}
END_TEST

static bool inner_road(const catalogue *cat, ptl_oter oter, int32_t x, int32_t y)
{
    return x > 20 && x < 160 && y > 20 && y < 160 &&
           strcmp(cat->oters[oter].id, "road_ns") == 0;
}

START_TEST(a_hole_in_a_road)
{
    made_world m;
    made_world_open(&m, 4);
    make(&m, 0, 0, inner_road, "field");
    make(&m, 1, 0, NULL, NULL);
    ptl_seam_report report = verify(&m);
    ck_assert_uint_eq(report.problems, 2);
    ck_assert_uint_eq(m.dead, 2);
    ck_assert_ptr_nonnull(strstr(m.last, "world 'w', chunk 0,0: local_road at "));
    ck_assert_ptr_nonnull(strstr(m.last, ": a dead end"));
    made_world_close(&m);
}
END_TEST

static bool eastern_road(const catalogue *cat, ptl_oter oter, int32_t x, int32_t y)
{
    (void)y;
    return x == 179 && strcmp(cat->oters[oter].id, "road_ew") == 0;
}

/* Seen from both sides: the crossing misses its arm, two roads miss their other half. */
START_TEST(a_hole_at_a_border)
{
    for (int32_t seed = 0, found = 0; !found; seed++) {
        made_world m;
        ck_assert_int_lt(seed, 40);
        made_world_open(&m, (uint64_t)seed);
        edge edges[4];
        ck_assert_int_eq(world_edges(m.world, (ptl_chunk_pos){0, 0}, edges, &err), PTL_OK);
        for (size_t i = 0; i < edges[1].count; i++)
            found |= strcmp(edges[1].crossings[i].kind, "local_road") == 0;
        for (int d = 0; d < 4; d++)
            edge_dispose(&edges[d]);
        if (found) {
            make(&m, 1, 0, NULL, NULL);
            make(&m, 0, 0, eastern_road, "field");
            ck_assert_uint_eq(verify(&m).problems, 3);
            ck_assert_uint_eq(m.dead, 2);
            ck_assert_uint_eq(m.missing, 1);
        }
        made_world_close(&m);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("world_seams");
    TCase *tcase = tcase_create("world_seams");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, an_empty_world);
    tcase_add_loop_test(tcase, whole_worlds, 0, 2);
    tcase_add_test(tcase, a_hole_in_a_road);
    tcase_add_test(tcase, a_hole_at_a_border);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
