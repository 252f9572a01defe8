/* Whole specials: a worked example, all or nothing, and trials. */
#include "gen/pipeline.h"
#include "unit/gen/mutable/test_growth.h"

#include <stdio.h>
#include <stdlib.h>

enum { SURFACE, ENTRANCE, CROSSROADS, TEE, STRAIGHT, CORNER, DEAD_END, QUEEN, FOOD, LARVAE };

/* The documents' anthill, of a fixed size. */
static plot *anthill(int32_t size)
{
    plot *p = plot_new(1000);
    plot_joins(p, "st", ON_ROCK);
    plot_piece(p, ON_LAND, "- - - - - s");
    plot_piece(p, ON_ROCK, "t t t t s -");
    plot_piece(p, ON_ROCK, "t t t t - -");
    plot_piece(p, ON_ROCK, "t t t - - -");
    plot_piece(p, ON_ROCK, "t - t - - -");
    plot_piece(p, ON_ROCK, "t t - - - -");
    for (int i = DEAD_END; i <= LARVAE; i++)
        plot_piece(p, ON_ROCK, "t - - - - -");
    p->shared[0] = (ptl_amount){PTL_AMOUNT_FIXED, size, size, 0, 0, false};
    p->layout.shared_count = 1;
    plot_rule(p, 0, ENTRANCE, 1, -1);
    plot_rule(p, 1, STRAIGHT, 10, -1)->scale = 0;
    cat_rule *corners = plot_rule(p, 1, CORNER, 0, -1);
    corners->scale = 0;
    corners->max = (ptl_amount){PTL_AMOUNT_POISSON, 0, 0, 2.5, 0, false};
    plot_rule(p, 1, TEE, 5, -1)->scale = 0;
    plot_rule(p, 2, QUEEN, 1, -1);
    plot_rule(p, 3, FOOD, 5, -1);
    plot_rule(p, 3, LARVAE, 5, -1);
    plot_rule(p, 4, DEAD_END, -1, 2000);
    plot_rule(p, 4, STRAIGHT, -1, 100);
    plot_rule(p, 4, CORNER, -1, 100);
    plot_rule(p, 4, TEE, -1, 10);
    plot_rule(p, 4, CROSSROADS, -1, 1);
    plot_open(p);
    return p;
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The sizes are those that a program of its own gave; the queen is always there. */
START_TEST(the_anthill)
{
    enum { DRAWS = 500 };
    static const int LOW[] = {24, 47, 62}, HIGH[] = {29, 53, 71};
    for (int size = 1; size <= 3; size++) {
        plot *p = anthill(size);
        int sizes[DRAWS], bad = 0, queens = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            grown what;
            growth_report report;
            ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
            sizes[draw] = (int)what.piece_count;
            for (size_t i = 0; i < what.piece_count; i++)
                queens += what.pieces[i].piece == QUEEN;
            growth_check(&report, &p->layout, &what, p->chunk);
            bad += report.open + report.wrong + report.misplaced + report.stacked;
            growth_undo(p->g);
        }
        ck_assert_int_eq(bad, 0);
        ck_assert_int_eq(queens, DRAWS);
        qsort(sizes, DRAWS, sizeof sizes[0], by_size);
        printf("anthill %d: %d %d %d %d %d tiles\n", size, sizes[0], sizes[DRAWS / 10],
               sizes[DRAWS / 2], sizes[DRAWS * 9 / 10], sizes[DRAWS - 1]);
        ck_assert_int_ge(sizes[DRAWS / 2], LOW[size - 1]);
        ck_assert_int_le(sizes[DRAWS / 2], HIGH[size - 1]);
        ck_assert_int_ge(sizes[DRAWS / 10], LOW[size - 1] - 4);
        ck_assert_int_le(sizes[DRAWS * 9 / 10], HIGH[size - 1] + 4);
        plot_free(p);
    }
}
END_TEST

static void copy_chunk(const ptl_chunk *chunk, ptl_oter *out)
{
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        ptl_chunk_level(out + (size_t)(z - PTL_Z_MIN) * PTL_LEVEL_CELLS, chunk, z);
}

/* Rock is scarce: most growths fail, and leave nothing behind. */
START_TEST(all_or_nothing)
{
    enum { DRAWS = 200 };
    const size_t bytes = sizeof(ptl_oter) * PTL_LEVELS * PTL_LEVEL_CELLS;
    ptl_oter *before = malloc(bytes), *after = malloc(bytes);
    ck_assert(before && after);
    plot *p = anthill(2);
    ptl_oter *rock = cells_at(p->g, -1);
    const ptl_oter field = p->config->defaults[-PTL_Z_MIN];
    rng r = rng_from_key(12);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        if (rng_one_in(&r, 9))
            rock[i] = field;
    copy_chunk(p->chunk, before);
    int open = 0, changed = 0, bad = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        grown what;
        growth_report report;
        const growth_result result = plot_grow_at(p, 20 + draw % 140, 90, 0, 0, draw, &what);
        open += result == GROWTH_OPEN;
        growth_check(&report, &p->layout, &what, p->chunk);
        bad += report.open + report.wrong + report.misplaced + report.stacked;
        bad += result != GROWTH_DONE && what.piece_count != 0;
        growth_undo(p->g);
        if (draw % 10 == 0) {
            copy_chunk(p->chunk, after);
            changed += memcmp(before, after, bytes) != 0;
        }
    }
    ck_assert_int_eq(changed, 0);
    ck_assert_int_eq(bad, 0);
    ck_assert_int_gt(open, DRAWS / 10);
    ck_assert_int_lt(open, DRAWS);
    free(before);
    free(after);
    plot_free(p);
}
END_TEST

/* What grows is a function of the site; the draw, the place and the rotation all count. */
START_TEST(the_same_again)
{
    plot *one = anthill(2), *two = anthill(2);
    const int sites[][4] = {{90, 90, 0, 0},
                            {90, 90, 0, 1},
                            {91, 90, 0, 0},
                            {90, 91, 0, 0},
                            {90, 90, 1, 0}}; /* x, y, draw, rotation */
    size_t sizes[5];
    int differ = 0;
    grown a, b;
    plot_grow(two, 55, &b); /* what was grown before must not matter */
    growth_undo(two->g);
    for (size_t i = 0; i < 5; i++) {
        const int *s = sites[i];
        ck_assert_int_eq(plot_grow_at(one, s[0], s[1], 0, s[3], s[2], &a), GROWTH_DONE);
        ck_assert_int_eq(plot_grow_at(two, s[0], s[1], 0, s[3], s[2], &b), GROWTH_DONE);
        ck_assert_uint_eq(a.piece_count, b.piece_count);
        ck_assert_uint_eq(a.join_count, b.join_count);
        ck_assert(!memcmp(a.pieces, b.pieces, a.piece_count * sizeof *a.pieces));
        ck_assert(!memcmp(a.joins, b.joins, a.join_count * sizeof *a.joins));
        sizes[i] = a.piece_count * 1000 + a.join_count;
        differ += i > 0 && sizes[i] != sizes[i - 1];
        growth_undo(one->g);
        growth_undo(two->g);
    }
    ck_assert_int_gt(differ, 1);
    plot_free(one);
    plot_free(two);
}
END_TEST

START_TEST(growth_has_a_limit)
{
    plot *p = plot_new(8);
    plot_joins(p, "t", ON_ANYTHING);
    plot_piece(p, ON_ANYTHING, "t? t? t? t? t? t?");
    plot_rule(p, 0, 0, -1, 1);
    plot_open(p);
    grown what;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_LIMIT);
    ck_assert_uint_eq(what.piece_count, 0);
    int left = 0;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
            left += ptl_chunk_oter(p->chunk, i % SIZE, i / SIZE, z) !=
                    p->config->defaults[z - PTL_Z_MIN];
    ck_assert_int_eq(left, 0);
    plot_free(p);
}
END_TEST

/* As many pieces as there may be, and one more. */
START_TEST(growth_reaches_its_limit)
{
    for (int more = 0; more < 2; more++) {
        plot *p = plot_new(8);
        plot_joins(p, "t", ON_ANYTHING);
        plot_piece(p, ON_ANYTHING, "t? t? t? t? t? t?");
        plot_rule(p, 0, 0, GROWTH_PIECES_MAX - 1 + more, 1);
        plot_open(p);
        grown what;
        ck_assert_int_eq(plot_grow(p, 0, &what), more ? GROWTH_LIMIT : GROWTH_DONE);
        ck_assert_uint_eq(what.piece_count, more ? 0 : GROWTH_PIECES_MAX);
        plot_free(p);
    }
}
END_TEST

typedef struct steps {
    int kinds[PTL_GROWTH_UNDONE + 1];
    int pieces, last, rule;
} steps;

static void note(void *payload, const gen_growth_step *step)
{
    steps *s = payload;
    s->kinds[step->event]++;
    s->last = (int)step->event;
    s->rule = step->rule;
    if (step->event == PTL_GROWTH_DONE || step->event == PTL_GROWTH_UNDONE)
        s->pieces = step->count;
}

START_TEST(traces)
{
    plot *p = anthill(1);
    steps s = {0};
    gen_trace listener = {.payload = &s, .special = 0, .on_growth = note};
    generator_trace(p->g, &listener);
    grown what;
    plot_grow(p, 3, &what);
    ck_assert_int_eq(s.kinds[PTL_GROWTH_BEGINS], 1);
    ck_assert_int_eq(s.kinds[PTL_GROWTH_PIECE], (int)what.piece_count);
    ck_assert_int_eq(s.pieces, (int)what.piece_count);
    ck_assert_int_ge(s.kinds[PTL_GROWTH_PHASE], 4);
    ck_assert_int_eq(s.last, PTL_GROWTH_DONE);
    growth_undo(p->g);
    p->layout.phase_count = 2;
    plot_grow(p, 3, &what);
    ck_assert_int_eq(s.last, PTL_GROWTH_UNDONE);
    ck_assert_int_gt(s.pieces, 10);
    listener.special = 1; /* of another special nothing is heard */
    plot_grow(p, 4, &what);
    ck_assert_int_eq(s.kinds[PTL_GROWTH_BEGINS], 2);
    generator_trace(p->g, NULL);
    plot_free(p);
}
END_TEST

/* One piece that leads everywhere, and a phase of `count` rules, all of which could place it.
 */
static plot *thicket(cat_rule **rules, size_t count)
{
    plot *p = plot_new(11);
    plot_joins(p, "t", ON_ANYTHING);
    plot_piece(p, ON_ANYTHING, "t? t? t? t? - -");
    const cat_rule *one = plot_rule(p, 0, 0, 1, INT32_MAX);
    plot_open(p);
    *rules = calloc(count, sizeof **rules);
    ck_assert_ptr_nonnull(*rules);
    for (size_t i = 0; i < count; i++)
        (*rules)[i] = *one;
    p->phases[0] = (cat_phase){*rules, count};
    return p;
}

/* What would keep a chunk busy for minutes is given up, by counts; nothing of it is left. */
START_TEST(growth_costs_too_much)
{
    static const size_t COUNTS[] = {500, 8000};
    for (int hostile = 0; hostile < 2; hostile++) {
        cat_rule *rules;
        plot *p = thicket(&rules, COUNTS[hostile]);
        steps s = {0};
        gen_trace listener = {.payload = &s, .special = 0, .on_growth = note};
        generator_trace(p->g, &listener);
        grown what;
        if (hostile) /* it takes 12 s to get there */
            p->g->growth->special_work[0] = GROWTH_WORK_SPECIAL - (1 << 22);
        ck_assert_int_eq(plot_grow(p, 0, &what), hostile ? GROWTH_COSTLY : GROWTH_DONE);
        ck_assert_uint_eq(what.piece_count, hostile ? 0 : COUNTS[0] + 1);
        ck_assert(!p->g->failed);
        ck_assert_int_eq(growth_is_hopeless(p->g->growth, 0), hostile);
        if (hostile) {
            int cells = 0;
            ck_assert(s.last == PTL_GROWTH_UNDONE && s.rule == GEN_UNDONE_COSTLY);
            for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
                cells += ptl_chunk_oter(p->chunk, i % SIZE, i / SIZE, 0) !=
                         catalogue_oter(&p->cat, "field");
            ck_assert_int_eq(cells, 0);
        }
        generator_trace(p->g, NULL);
        generator_adopt(p->g, p->chunk); /* another chunk, another try */
        ck_assert(!growth_is_hopeless(p->g->growth, 0));
        ck_assert_uint_eq(p->g->growth->chunk_work, 0);
        plot_free(p);
        free(rules);
    }
}
END_TEST

/* Of many growths none of which costs too much, either. */
START_TEST(growths_of_a_chunk_cost_too_much)
{
    plot *p = anthill(1);
    grown what;
    ck_assert_int_eq(plot_grow(p, 3, &what), GROWTH_DONE);
    const uint64_t one = p->g->growth->chunk_work;
    ck_assert(one > what.piece_count && one < GROWTH_WORK_SPECIAL / 10000);
    growth_undo(p->g);
    p->g->growth->chunk_work = GROWTH_WORK_CHUNK - one;
    ck_assert_int_eq(plot_grow(p, 3, &what), GROWTH_DONE);
    growth_undo(p->g);
    p->g->growth->chunk_work = GROWTH_WORK_CHUNK - one + 1;
    ck_assert_int_eq(plot_grow(p, 3, &what), GROWTH_COSTLY);
    plot_free(p);
}
END_TEST

static bool stops(void *payload)
{
    return ++*(int *)payload == 3;
}

/* The question whether to stop is asked inside a growth, and ends it. */
START_TEST(growth_stops)
{
    cat_rule *rules;
    plot *p = thicket(&rules, 8000);
    int questions = 0;
    p->config->stop = (stop_hook){stops, &questions};
    grown what;
    plot_grow(p, 0, &what);
    ck_assert_int_eq(questions, 3);
    ck_assert(p->g->failed && p->g->stopped);
    ck_assert_int_eq(generator_why(p->g, NULL), PTL_ERR_CANCELLED);
    ck_assert(p->g->growth->chunk_work <= 3 * WORK_BETWEEN_QUESTIONS + 16000);
    plot_free(p);
    free(rules);
}
END_TEST

static void look(void *payload, const ptl_chunk *chunk)
{
    int *cells = payload;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        *cells += ptl_chunk_oter(chunk, i % SIZE, i / SIZE, -1) >= 27; /* tunnels */
}

START_TEST(trials)
{
    plot *p = anthill(1);
    ptl_chunk *ground = trial_ground(p->config, 0);
    ck_assert_ptr_nonnull(ground);
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, 0), catalogue_oter(&p->cat, "field"));
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, -1), catalogue_oter(&p->cat, "empty_rock"));
    int failed = 0, cells = 0, pieces = 0, draws = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        trial_result result;
        ck_assert(trial_run(&result, p->g, ground, 0, seed, look, &cells));
        failed += result.result != GROWTH_DONE;
        pieces += result.pieces;
        draws += result.draws;
    }
    ck_assert_int_eq(failed, 0);
    ck_assert_int_eq(draws, 200);
    ck_assert_int_eq(cells, pieces - 200); /* all but the roots, which are above */
    int left = 0;
    look(&left, ground);
    ck_assert_int_eq(left, 0);
    /* A special that can't be closed uses up its draws. */
    trial_result result;
    p->layout.phase_count = 2;
    ck_assert(trial_run(&result, p->g, ground, 0, 5, look, &cells));
    ck_assert_int_eq(result.result, GROWTH_OPEN);
    ck_assert_int_eq(result.draws, GROWTH_DRAWS);
    ck_assert_int_eq(result.open_z, -1);
    ptl_chunk_free(ground);
    generator_adopt(p->g, p->chunk);
    plot_free(p);
}
END_TEST

static void ask_for(plot *p, int set, const char *terrain)
{
    p->sets[set] = UINT64_C(1) << catalogue_terrain(&p->cat, terrain);
}

/* A root on one set, with a piece below it on the other; the join leads there. */
static plot *open_two(const char *root, const char *below)
{
    plot *p = plot_new(1);
    ask_for(p, ON_LAND, root);
    ask_for(p, ON_ROCK, below);
    plot_joins(p, "t", ON_ROCK);
    plot_piece(p, ON_LAND, "- - - - - t");
    plot_piece(p, ON_ROCK, "- - - - t -");
    plot_rule(p, 0, 1, 1, -1);
    plot_open(p);
    return p;
}

/* Levels get what the special asks for there, whatever usually fills them. */
START_TEST(grounds_for_trials)
{
    plot *p = open_two("forest", "lake_bed");
    ptl_chunk *ground = trial_ground(p->config, 0);
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, 0), catalogue_oter(&p->cat, "forest"));
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, -1), catalogue_oter(&p->cat, "lake_bed"));
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, -2), catalogue_oter(&p->cat, "empty_rock"));
    ck_assert_uint_eq(ptl_chunk_oter(ground, 0, 0, 1), catalogue_oter(&p->cat, "open_air"));
    trial_result result;
    ck_assert(trial_run(&result, p->g, ground, 0, 5, NULL, NULL));
    ck_assert_int_eq(result.result, GROWTH_DONE);
    ptl_chunk_free(ground);
    plot_free(p);
}
END_TEST

/* What no region has on a level is not given there: field lies on the ground, rock below it. */
START_TEST(grounds_that_nobody_has)
{
    static const struct {
        const char *root, *below;
        growth_result result;
    } cases[] = {{"field", "empty_rock", GROWTH_DONE},
                 {"field", "field", GROWTH_OPEN},
                 {"field", "forest", GROWTH_OPEN},
                 {"field", "open_air", GROWTH_OPEN},
                 {"empty_rock", "empty_rock", GROWTH_BLOCKED},
                 {"open_air", "empty_rock", GROWTH_BLOCKED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        plot *p = open_two(cases[i].root, cases[i].below);
        ptl_chunk *ground = trial_ground(p->config, 0);
        trial_result result;
        ck_assert(trial_run(&result, p->g, ground, 0, 5, NULL, NULL));
        ck_assert_msg(result.result == cases[i].result, "%s over %s: %d", cases[i].root,
                      cases[i].below, result.result);
        ptl_chunk_free(ground);
        plot_free(p);
    }
}
END_TEST

/* What the root leads to, and a piece takes, is beside it, whatever fills the level. */
START_TEST(grounds_beside_the_root)
{
    plot *p = plot_new(1);
    ask_for(p, ON_ROCK, "forest");
    plot_joins(p, "t", ON_ROCK);
    plot_piece(p, ON_LAND, "t - - - - -");
    plot_piece(p, ON_ROCK, "t - - - - -");
    plot_rule(p, 0, 1, 1, -1);
    plot_open(p);
    ptl_chunk *ground = trial_ground(p->config, 0);
    for (uint64_t seed = 0; seed < 40; seed++) { /* in all rotations */
        trial_result result;
        ck_assert(trial_run(&result, p->g, ground, 0, seed, NULL, NULL));
        ck_assert_int_eq(result.result, GROWTH_DONE);
    }
    ptl_chunk_free(ground);
    plot_free(p);
}
END_TEST

/* Where a level must have several terrains, the checks' cells have what they ask for. */
START_TEST(grounds_of_several_terrains)
{
    plot *p = plot_new(1);
    ask_for(p, ON_ROCK, "forest");
    plot_joins(p, "t", ON_ANYTHING);
    plot_piece(p, ON_LAND, "t - - - - -");
    plot_piece(p, ON_ROCK, "t - - - - -");
    const cat_check checks[] = {
        {.own = true, .allows = &p->sets[ON_LAND]},
        {.x0 = -1, .x1 = 1, .y0 = -1, .y1 = -1, .own = true, .allows = &p->sets[ON_ROCK]}};
    p->special.checks = checks;
    p->special.check_count = 2;
    plot_rule(p, 0, 1, 1, -1);
    plot_open(p);
    ptl_chunk *ground = trial_ground(p->config, 0);
    const ptl_oter fill = ptl_chunk_oter(ground, 0, 0, 0);
    int failed = 0, changed = 0;
    for (uint64_t seed = 0; seed < 40; seed++) { /* in all rotations */
        trial_result result;
        ck_assert(trial_run(&result, p->g, ground, 0, seed, NULL, NULL));
        failed += result.result != GROWTH_DONE;
    }
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        changed += ptl_chunk_oter(ground, i % SIZE, i / SIZE, 0) != fill;
    ck_assert_int_eq(failed, 0);
    ck_assert_int_eq(changed, 0);
    ptl_chunk_free(ground);
    generator_adopt(p->g, p->chunk);
    plot_free(p);
}
END_TEST

TCase *growth_whole_case(void)
{
    TCase *tcase = tcase_create("whole");
    tcase_add_test(tcase, the_anthill);
    tcase_add_test(tcase, all_or_nothing);
    tcase_add_test(tcase, the_same_again);
    tcase_add_test(tcase, growth_has_a_limit);
    tcase_add_test(tcase, growth_reaches_its_limit);
    tcase_add_test(tcase, traces);
    tcase_add_test(tcase, growth_costs_too_much);
    tcase_add_test(tcase, growths_of_a_chunk_cost_too_much);
    tcase_add_test(tcase, growth_stops);
    tcase_add_test(tcase, trials);
    tcase_add_test(tcase, grounds_for_trials);
    tcase_add_test(tcase, grounds_that_nobody_has);
    tcase_add_test(tcase, grounds_beside_the_root);
    tcase_add_test(tcase, grounds_of_several_terrains);
    return tcase;
}
