/*
 * Specials in whole chunks of real content, by both rules, over many seeds: each step keeps to
 * its reach, what is recorded stands on the map and may stand there, unique ones are unique,
 * numbers keep within what was asked for, and the golden chunks stay as they are.
 */
#include "gen/pipeline.h"
#include "support/chunk_digest.h"
#include "support/content_catalogue.h"
#include "support/golden.h"
#include "support/growth_check.h"
#include "support/seeds.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 12, GOLDEN = 8 };

static catalogue *pack;

/* Four kinds of worlds: both rules, as documented and as in the games. */
static maker maker_of(const catalogue *cat, int n)
{
    ptl_world_options options = PTL_WORLD_OPTIONS_INIT;
    options.seed = 77 + (uint64_t)n;
    options.placement = n % 2 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
    options.compat = n / 2 % 2;
    options.unique_radius = 1;
    return maker_new(cat, &options);
}

static uint64_t made_digest(maker *m, int32_t x, int32_t y, size_t steps)
{
    ptl_chunk *chunk = make(m, x, y, steps);
    const uint64_t h = digest_of_chunk(m, chunk);
    ptl_chunk_free(chunk);
    return h;
}

/* Everything farther away than a step declares is another world's: nothing must change. */
START_TEST(steps_keep_to_their_reach)
{
    maker m = maker_of(pack, _i);
    for (size_t steps = 9; steps <= pipeline_step_count(&overmap_pipeline); steps++) {
        generator_scramble(m.gen, false);
        const uint64_t plain = made_digest(&m, -4, 3, steps);
        generator_scramble(m.gen, true);
        ck_assert_msg(plain == made_digest(&m, -4, 3, steps),
                      "world %d: step %s reads beyond its reach", _i,
                      pipeline_step(&overmap_pipeline, steps - 1)->name);
    }
    maker_free(&m);
}
END_TEST

/* A generator that made other chunks before gives the same chunk as a fresh one. */
START_TEST(no_memory_of_other_chunks)
{
    maker used = maker_of(pack, _i), fresh = maker_of(pack, _i);
    for (int32_t n = 0; n < 3; n++)
        ptl_chunk_free(make(&used, n * 5, -n, n == 1 ? 9 : GEN_STEPS_MAX));
    ck_assert(made_digest(&used, 2, 2, GEN_STEPS_MAX) ==
              made_digest(&fresh, 2, 2, GEN_STEPS_MAX));
    maker_free(&used);
    maker_free(&fresh);
}
END_TEST

/* ---- what is recorded ---- */

typedef struct findings {
    int outside, different, shared, too_many, missed, open, misplaced, specials, grown;
} findings;

typedef struct inspection {
    const maker *m;
    const ptl_chunk *after; /* the trailheads */
    uint8_t *taken;         /* level * cells: 1 + placement modulo 255 */
    findings *out;
} inspection;

/* The tile itself, or a line of its type that a road came to later. */
static bool is_tile(const catalogue *cat, ptl_oter oter, ptl_oter there)
{
    const uint16_t terrain = cat->oters[oter].terrain;
    return oter == there ||
           (cat->terrains[terrain].count == 16 && cat->oters[there].terrain == terrain);
}

static void inspect_cell(const inspection *in, int32_t x, int32_t y, int32_t z, ptl_oter oter,
                         uint8_t mark)
{
    if (x < 1 || x >= SIZE - 1 || y < 1 || y >= SIZE - 1 || z < PTL_Z_MIN || z > PTL_Z_MAX) {
        in->out->outside++;
        return;
    }
    uint8_t *cell = &in->taken[(z - PTL_Z_MIN) * PTL_LEVEL_CELLS + y * SIZE + x];
    if (*cell == mark)
        return; /* a later piece of the same special lies over it */
    in->out->shared += *cell != 0;
    *cell = mark;
    in->out->different +=
        !is_tile(in->m->config->cat, oter, ptl_chunk_oter(in->after, x, y, z));
}

static void inspect_fixed(const inspection *in, const gen_placement *p, uint8_t mark)
{
    const cat_special *s = &in->m->config->cat->specials[p->special];
    for (size_t t = 0; t < s->omt_count; t++) {
        int32_t dx, dy;
        feature_rotate(s->omts[t].x, s->omts[t].y, p->rotation, &dx, &dy);
        inspect_cell(in, p->x + dx, p->y + dy, p->z + s->omts[t].z,
                     s->omts[t].oters[p->rotation], mark);
    }
}

/* The joins of a grown special, by a check that has nothing of the growth's code. */
static void inspect_grown(const inspection *in, const gen_placement *p, int32_t number,
                          uint8_t mark)
{
    const gen_features *f = generator_features(in->m->gen);
    const cat_special *s = &in->m->config->cat->specials[p->special];
    grown what = {0};
    growth_report report = {0};
    for (size_t i = 0; i < f->piece_count; i++)
        if (f->pieces[i].placement == number && what.piece_count++ == 0)
            what.pieces = &f->pieces[i];
    for (size_t i = 0; i < f->join_count; i++)
        if (f->joins[i].placement == number && what.join_count++ == 0)
            what.joins = &f->joins[i];
    growth_check(&report, s->layout, &what, in->after);
    in->out->open += report.open + report.wrong;
    in->out->misplaced += report.misplaced;
    in->out->grown++;
    for (size_t i = what.piece_count; i > 0; i--) {
        const gen_piece *q = &what.pieces[i - 1];
        inspect_cell(in, q->x, q->y, q->z, s->layout->pieces[q->piece].oters[q->rotation],
                     mark);
    }
}

/* How many the rule placed of each: within what the content asks for. */
static void inspect_amounts(const inspection *in)
{
    const gen_features *f = generator_features(in->m->gen);
    for (size_t i = 0; i < f->attempt_count; i++) {
        const gen_attempt *a = &f->attempts[i];
        const cat_special *s = &in->m->config->cat->specials[a->special];
        const uint32_t unique = PTL_SPECIAL_UNIQUE | PTL_SPECIAL_GLOBALLY_UNIQUE;
        const int32_t most = s->flags & unique ? 1 : s->occurrences_max;
        in->out->too_many += a->placed > most || a->placed > a->asked || a->asked < 1;
        in->out->too_many += a->linked > a->ground || a->city > a->linked;
        /* What fits somewhere is placed, in quota. */
        in->out->missed += in->m->config->options.placement == PTL_PLACEMENT_QUOTA &&
                           a->room > 0 && a->placed == 0 && a->failed == 0;
        in->out->too_many += i > 0 && a[-1].special >= a->special;
    }
}

static void inspect(maker *m, int32_t x, int32_t y, findings *out)
{
    const size_t last = 13; /* trailheads */
    ck_assert_str_eq(pipeline_step(&overmap_pipeline, last - 1)->name, "trailheads");
    ptl_chunk *after = make(m, x, y, last);
    inspection in = {m, after, calloc(PTL_LEVELS, PTL_LEVEL_CELLS), out};
    ck_assert_ptr_nonnull(in.taken);
    const gen_features *f = generator_features(m->gen);
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *s = &m->config->cat->specials[p->special];
        out->specials += !s->building;
        if (s->layout)
            inspect_grown(&in, p, (int32_t)i, (uint8_t)(1 + i % 255));
        else if (!s->building)
            inspect_fixed(&in, p, (uint8_t)(1 + i % 255));
    }
    inspect_amounts(&in);
    free(in.taken);
    ptl_chunk_free(after);
}

static void inspect_content(const catalogue *cat, int worlds, findings *out)
{
    for (int n = 0; n < worlds; n++) {
        maker m = maker_of(cat, n);
        inspect(&m, n % 3 - 1, n % 5 - 2, out);
        maker_free(&m);
    }
    printf("specials: %d placed, %d of them grown, in %d chunks\n", out->specials, out->grown,
           worlds);
    ck_assert_int_eq(out->outside, 0);
    ck_assert_int_eq(out->different, 0);
    ck_assert_int_eq(out->shared, 0);
    ck_assert_int_eq(out->too_many, 0);
    ck_assert_int_eq(out->missed, 0);
    ck_assert_int_eq(out->open, 0);
    ck_assert_int_eq(out->misplaced, 0);
}

START_TEST(records_stand_on_the_map)
{
    findings found = {0};
    const int worlds = test_seeds(SEEDS);
    inspect_content(pack, worlds, &found);
    ck_assert_int_gt(found.specials, 20 * worlds);
    ck_assert_int_gt(found.grown, worlds / 2);
}
END_TEST

START_TEST(records_stand_on_the_map_of_the_game)
{
    if (!content_present(CONTENT_GAME))
        return;
    catalogue *cat = content_catalogue(CONTENT_GAME, false);
    findings found = {0};
    const int worlds = test_seeds(SEEDS);
    inspect_content(cat, worlds, &found);
    ck_assert_int_gt(found.specials, 90 * worlds);
    catalogue_free(cat);
}
END_TEST

/* ---- golden chunks ---- */

/* One line of tests/golden/specials.txt. */
static void describe(char *line, size_t size, int n)
{
    maker m = maker_of(pack, n);
    ptl_chunk *chunk = make(&m, n % 3 - 1, 2 - n, GEN_STEPS_MAX);
    const gen_features *f = generator_features(m.gen);
    const ptl_world_options *o = &m.config->options;
    size_t events, specials = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        specials += !m.config->cat->specials[f->placements[i].special].building;
    (void)generator_events(m.gen, &events);
    snprintf(line, size,
             "%s%s seed %llu: specials %zu pieces %zu joins %zu attempts %zu buildings %zu "
             "groups %zu events %zu digest %016llx\n",
             o->placement == PTL_PLACEMENT_QUOTA ? "quota" : "sectors",
             o->compat ? " compat" : "", (unsigned long long)o->seed, specials, f->piece_count,
             f->join_count, f->attempt_count, f->placement_count - specials, f->group_count,
             events, (unsigned long long)digest_of_chunk(&m, chunk));
    ptl_chunk_free(chunk);
    maker_free(&m);
}

/* Same inputs, same world, on every machine. */
START_TEST(golden_chunks)
{
    golden_lines("specials.txt", GOLDEN, describe);
}
END_TEST

static void load_pack(void)
{
    pack = content_catalogue(NULL, false);
}

static void free_pack(void)
{
    catalogue_free(pack);
}

int main(void)
{
    Suite *suite = suite_create("specials");
    TCase *tcase = tcase_create("specials"), *golden = tcase_create("golden");
    tcase_set_tags(tcase, "seeds"); /* slow without optimisation: tools/test */
    tcase_add_unchecked_fixture(tcase, load_pack, free_pack);
    tcase_add_unchecked_fixture(golden, load_pack, free_pack);
    tcase_set_timeout(tcase, 300);
    tcase_set_timeout(golden, 300);
    tcase_add_loop_test(tcase, steps_keep_to_their_reach, 0, 4);
    tcase_add_loop_test(tcase, no_memory_of_other_chunks, 0, 4);
    tcase_add_test(tcase, records_stand_on_the_map);
    tcase_add_test(tcase, records_stand_on_the_map_of_the_game);
    tcase_add_test(golden, golden_chunks);
    suite_add_tcase(suite, tcase);
    suite_add_tcase(suite, golden);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
