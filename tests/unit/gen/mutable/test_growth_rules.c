/* Rules and phases: how often, where, in which company (generation.md 9.2 to 9.4). */
#include "unit/gen/mutable/test_growth.h"

/* A root with four open ends and a phase that closes ends; the rule under test goes before. */
static plot *star(void)
{
    plot *p = plot_new(21);
    plot_joins(p, "ts", ON_ANYTHING);
    plot_piece(p, ON_ANYTHING, "t t t t t t");
    plot_piece(p, ON_ANYTHING, "t+ t+ t+ t+ t+ t+"); /* closes any */
    plot_piece(p, ON_ANYTHING, "t+ t+ t+ t+ t+ t+"); /* the one under test */
    return p;
}

static int count(const grown *what, int piece)
{
    int sum = 0;
    for (size_t i = 0; i < what->piece_count; i++)
        sum += what->pieces[i].piece == piece;
    return sum;
}

/* How many of the piece under test came, summed over draws. */
static int total(plot *p, int draws, int *least, int *most)
{
    int sum = 0;
    *least = INT32_MAX;
    *most = 0;
    for (int draw = 0; draw < draws; draw++) {
        grown what;
        ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
        const int n = count(&what, 2);
        *least = n < *least ? n : *least;
        *most = n > *most ? n : *most;
        sum += n;
        growth_undo(p->g);
    }
    return sum;
}

START_TEST(amounts)
{
    int least, most;
    plot *p = star();
    cat_rule *rule = plot_rule(p, 0, 2, 3, -1);
    plot_rule(p, 1, 1, -1, 1);
    plot_open(p);
    ck_assert_int_eq(total(p, 50, &least, &most), 150);
    rule->max = (ptl_amount){PTL_AMOUNT_RANGE, 1, 4, 0, 0, false};
    ck_assert_int_eq(total(p, 400, &least, &most) / 100, 10);
    ck_assert_int_eq(least, 1);
    ck_assert_int_eq(most, 4);
    rule->max = (ptl_amount){PTL_AMOUNT_POISSON, 0, 0, 1.0, 0, false};
    const int poisson = total(p, 400, &least, &most);
    ck_assert_int_ge(poisson, 330);
    ck_assert_int_le(poisson, 470);
    ck_assert_int_eq(least, 0);
    rule->max = (ptl_amount){PTL_AMOUNT_CHANCE, 0, 0, 0.25, 0, false};
    const int chance = total(p, 400, &least, &most);
    ck_assert_int_ge(chance, 70);
    ck_assert_int_le(chance, 130);
    ck_assert_int_eq(most, 1);
    rule->max = (ptl_amount){PTL_AMOUNT_BINOMIAL, 0, 0, 0.66, 1, false};
    const int once = total(p, 400, &least, &most);
    ck_assert_int_ge(once, 235);
    ck_assert_int_le(once, 293);
    ck_assert_int_eq(most, 1);
    rule->max = (ptl_amount){PTL_AMOUNT_BINOMIAL, 0, 0, 0.5, 4, false};
    const int binomial = total(p, 400, &least, &most);
    ck_assert_int_ge(binomial, 740);
    ck_assert_int_le(binomial, 860);
    ck_assert_int_eq(least, 0);
    ck_assert_int_eq(most, 4);
    /* Bounds: what is below 1 becomes 1, so that 1 has the share of 0 and 1 together, 0.558. */
    rule->max = (ptl_amount){PTL_AMOUNT_POISSON, 1, 2, 1.5, 0, true};
    const int bounded = total(p, 400, &least, &most);
    ck_assert_int_ge(bounded, 540);
    ck_assert_int_le(bounded, 615);
    ck_assert_int_eq(least, 1);
    ck_assert_int_eq(most, 2);
    rule->max = (ptl_amount){PTL_AMOUNT_UNLIMITED, 0, 0, 0, 0, false};
    ck_assert_int_eq(total(p, 20, &least, &most), 120);
    rule->weight = 0; /* never */
    plot_reopen(p);
    ck_assert_int_eq(total(p, 20, &least, &most), 0);
    plot_free(p);
}
END_TEST

START_TEST(shared_numbers_scale)
{
    int least, most;
    plot *p = star();
    cat_rule *rule = plot_rule(p, 0, 2, 2, -1);
    plot_rule(p, 1, 1, -1, 1);
    p->shared[0] = (ptl_amount){PTL_AMOUNT_RANGE, 1, 3, 0, 0, false};
    p->layout.shared_count = 1;
    rule->scale = 0;
    plot_open(p);
    const int sum = total(p, 400, &least, &most);
    ck_assert_int_ge(sum, 1450); /* 2, 4 or 6 */
    ck_assert_int_le(sum, 1750);
    ck_assert_int_eq(least, 2);
    ck_assert_int_eq(most, 6);
    /* Every kind of amount is multiplied: chances and means, too. */
    p->shared[0] = (ptl_amount){PTL_AMOUNT_FIXED, 3, 3, 0, 0, false};
    rule->max = (ptl_amount){PTL_AMOUNT_RANGE, 1, 2, 0, 0, false};
    const int ranged = total(p, 400, &least, &most); /* 3 to 6 */
    ck_assert_int_ge(ranged, 1700);
    ck_assert_int_le(ranged, 1900);
    ck_assert_int_eq(least, 3);
    ck_assert_int_eq(most, 6);
    rule->max = (ptl_amount){PTL_AMOUNT_CHANCE, 0, 0, 0.2, 0, false};
    const int chance = total(p, 400, &least, &most); /* 3 in 5 */
    ck_assert_int_ge(chance, 200);
    ck_assert_int_le(chance, 280);
    rule->max = (ptl_amount){PTL_AMOUNT_POISSON, 0, 0, 0.5, 0, false};
    const int poisson = total(p, 400, &least, &most); /* 1.5 */
    ck_assert_int_ge(poisson, 510);
    ck_assert_int_le(poisson, 690);
    plot_free(p);
}
END_TEST

/* A rule's weight is the lesser of what is left of max, and weight. */
START_TEST(weights)
{
    int least, most;
    plot *p = star();
    plot_rule(p, 0, 2, -1, 1);
    plot_rule(p, 0, 1, -1, 3);
    plot_open(p);
    const int quarter = total(p, 400, &least, &most); /* of 2,400 */
    ck_assert_int_ge(quarter, 520);
    ck_assert_int_le(quarter, 680);
    p->rules[0][1] = p->rules[0][0];
    p->rules[0][1].pieces = p->rule_pieces[0][1];
    p->rules[0][0].weight = p->rules[0][1].weight = INT32_MAX; /* the sum is above 2^31 */
    plot_reopen(p);
    const int half = total(p, 200, &least, &most);
    ck_assert_int_ge(half, 520);
    ck_assert_int_le(half, 680);
    plot_free(p);
    p = star(); /* above 2^32, too: each has a third, the last one as the others */
    plot_rule(p, 0, 1, -1, INT32_MAX);
    plot_rule(p, 0, 1, -1, INT32_MAX);
    plot_rule(p, 0, 2, -1, INT32_MAX);
    plot_open(p);
    const int third = total(p, 200, &least, &most); /* of 1,200 */
    ck_assert_int_ge(third, 330);
    ck_assert_int_le(third, 470);
    plot_free(p);
}
END_TEST

START_TEST(heights)
{
    static const struct {
        ptl_height z;
        int above, level, below; /* pieces under test at z = 1, 0, -1 */
    } CASES[] = {
        {{.kind = PTL_HEIGHT_RANGE, .low = -1, .high = 0}, 0, 4, 1},
        {{.kind = PTL_HEIGHT_RANGE, .low = 1, .high = 1}, 1, 0, 0},
        {{.kind = PTL_HEIGHT_OFFSET, .top = 1, .has_top = true}, 1, 0, 0},
        {{.kind = PTL_HEIGHT_OFFSET, .bottom = -1, .has_bottom = true}, 0, 0, 1},
        {{.kind = PTL_HEIGHT_ANY}, 1, 4, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        plot *p = star();
        plot_rule(p, 0, 2, 6, -1)->z = CASES[i].z;
        plot_rule(p, 1, 1, -1, 1);
        plot_open(p);
        grown what;
        int at[3] = {0};
        ck_assert_int_eq(plot_grow(p, (int)i, &what), GROWTH_DONE);
        for (size_t k = 0; k < what.piece_count; k++)
            if (what.pieces[k].piece == 2)
                at[what.pieces[k].z + 1]++;
        ck_assert_int_eq(at[2], CASES[i].above);
        ck_assert_int_eq(at[1], CASES[i].level);
        ck_assert_int_eq(at[0], CASES[i].below);
        plot_free(p);
    }
}
END_TEST

/* Top and bottom move with what is placed; the level that is the top now is one of them. */
START_TEST(top_and_bottom)
{
    for (int top = 0; top < 2; top++) {
        int at_end = 0, beyond = 0;
        plot *p = star();
        plot_rule(p, 0, 2, 6, -1)->z =
            (ptl_height){.kind = top ? PTL_HEIGHT_TOP : PTL_HEIGHT_BOTTOM};
        plot_rule(p, 1, 1, -1, 1);
        plot_open(p);
        for (int draw = 0; draw < 60; draw++) {
            grown what;
            int8_t end = 0;
            int wrong = 0;
            ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
            for (size_t k = 1; k < what.piece_count; k++) {
                const int8_t z = top ? what.pieces[k].z : (int8_t)-what.pieces[k].z;
                wrong += what.pieces[k].piece == 2 && z < end;
                at_end += what.pieces[k].piece == 2 && z == end;
                beyond += what.pieces[k].piece == 2 && z > end;
                end = z > end ? z : end;
            }
            ck_assert_int_eq(wrong, 0);
            ck_assert_int_ge(count(&what, 2), 1);
            growth_undo(p->g);
        }
        ck_assert_int_gt(at_end, 10);
        ck_assert_int_gt(beyond, 10);
        plot_free(p);
    }
}
END_TEST

START_TEST(rules_for_one_overmap)
{
    int least, most;
    plot *p = star();
    cat_rule *rule = plot_rule(p, 0, 2, -1, 1);
    plot_rule(p, 1, 1, -1, 1);
    rule->has_overmap = true;
    rule->overmap_x = 3;
    rule->overmap_y = -2;
    plot_open(p);
    ck_assert_int_eq(total(p, 10, &least, &most), 0);
    p->chunk->pos = (ptl_chunk_pos){3, -2};
    ck_assert_int_eq(total(p, 10, &least, &most), 60);
    plot_free(p);
}
END_TEST

START_TEST(a_rule_that_does_not_turn)
{
    plot *p = plot_new(2);
    plot_joins(p, "t", ON_LAND);
    plot_piece(p, ON_LAND, "t - - - - -");
    plot_piece(p, ON_LAND, "t - - - - -");
    plot_rule(p, 0, 1, 1, -1)->rotate = false;
    plot_open(p);
    for (int rotation = 0; rotation < 4; rotation++) {
        grown what;
        ck_assert_int_eq(plot_grow_at(p, 90, 90, 0, rotation, 0, &what),
                         rotation == 2 ? GROWTH_DONE : GROWTH_OPEN);
        growth_undo(p->g);
    }
    plot_free(p);
}
END_TEST

/* The rule has to resolve its join. */
START_TEST(rules_that_resolve_a_join)
{
    grown what;
    plot *p = plot_new(4);
    plot_joins(p, "ts", ON_LAND);
    plot_piece(p, ON_LAND, "t s - - - -");
    plot_piece(p, ON_LAND, "t+ s+ t+ s+ - -");
    plot_rule(p, 0, 1, 1, -1)->join = 1;
    plot_piece(p, ON_LAND, "t+ t+ t+ t+ - -");
    plot_rule(p, 1, 2, 1, -1);
    plot_open(p);
    /* Both of its sides of s must be resolved, which one OMT beside the root cannot. */
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    p->pieces[1].sides[3].join = -1;
    plot_reopen(p);
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_DONE);
    ck_assert_int_eq(plot_at(&what, 1, 0, 0), 1);
    ck_assert_int_eq(plot_at(&what, 0, -1, 0), 2);
    growth_undo(p->g);
    p->rules[0][0].join = 0; /* now it has to meet the north side, with both of its t */
    p->pieces[1].sides[2].join = -1;
    plot_reopen(p);
    for (int draw = 0; draw < 20; draw++)
        ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_OPEN);
    plot_free(p);
}
END_TEST

/* Several pieces as a rigid body; what lies between them is theirs. */
START_TEST(bodies)
{
    static const int X[] = {0, 1, 0, -1}, Y[] = {-1, 0, 1, 0};
    plot *p = plot_new(9);
    plot_joins(p, "ti", ON_ANYTHING);
    plot_piece(p, ON_ANYTHING, "t - - - - -");
    plot_piece(p, ON_ANYTHING, "i - t - - i"); /* entrance: from the south, on to the north */
    plot_piece(p, ON_ANYTHING, "i - - - - -"); /* lies north of it, turned round */
    plot_piece(p, ON_ANYTHING, "- - - - i -"); /* below the entrance */
    cat_rule *rule = plot_rule(p, 0, 1, 1, -1);
    plot_chunk_piece(p, rule, 2, 0, -1, 0, 2);
    plot_chunk_piece(p, rule, 3, 0, 0, -1, 0);
    plot_open(p);
    for (int r = 0; r < 4; r++) {
        grown what;
        growth_report report;
        ck_assert_int_eq(plot_grow_at(p, 90, 90, 0, r, 0, &what), GROWTH_DONE);
        growth_check(&report, &p->layout, &what, p->chunk);
        ck_assert_int_eq(report.open + report.wrong + report.misplaced, 0);
        ck_assert_int_eq(plot_at(&what, X[r], Y[r], 0), 1);
        ck_assert_int_eq(plot_rotation_at(&what, X[r], Y[r], 0), r);
        ck_assert_int_eq(plot_at(&what, 2 * X[r], 2 * Y[r], 0), 2);
        ck_assert_int_eq(plot_rotation_at(&what, 2 * X[r], 2 * Y[r], 0), (r + 2) % 4);
        ck_assert_int_eq(plot_at(&what, X[r], Y[r], -1), 3);
        ck_assert_uint_eq(what.join_count, 6);
        growth_undo(p->g);
    }
    /* Every piece needs its ground. */
    grown what;
    p->pieces[3].allows = &p->sets[ON_LAND];
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    p->pieces[3].allows = &p->sets[ON_ANYTHING];
    ck_assert_int_eq(plot_grow_at(p, 90, 2, 0, 0, 0, &what), GROWTH_OPEN); /* and its room */
    ck_assert_int_eq(plot_grow_at(p, 90, 3, 0, 0, 0, &what), GROWTH_DONE);
    plot_free(p);
}
END_TEST

/* A body may lie on pieces that are ground for it; what had been met there stays met. */
START_TEST(bodies_on_each_other)
{
    plot *p = plot_new(13);
    plot_joins(p, "ts", ON_ANYTHING);
    plot_piece(p, ON_LAND, "- - t - - -");
    plot_piece(p, ON_ANYTHING, "t - - - - -"); /* meets the root from the south */
    plot_piece(p, ON_ANYTHING, "- - - - - -");
    plot_piece(p, ON_ANYTHING, "- s - - - -"); /* beside it, and on to the east */
    plot_piece(p, ON_ANYTHING, "s - - - - -");
    cat_rule *first = plot_rule(p, 0, 1, 1, -1);
    plot_chunk_piece(p, first, 3, 1, 0, 0, 0);
    cat_rule *second = plot_rule(p, 1, 4, 1, -1); /* turned, it reaches (0, 1) again */
    plot_chunk_piece(p, second, 2, 0, -2, 0, 0);
    plot_open(p);
    grown what;
    growth_report report;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_DONE);
    growth_check(&report, &p->layout, &what, p->chunk);
    ck_assert_int_eq(report.open + report.wrong + report.misplaced, 0);
    ck_assert_int_eq(report.stacked, 1);
    ck_assert_uint_eq(what.piece_count, 5);
    ck_assert_int_eq(what.pieces[4].x, SIZE / 2);
    ck_assert_int_eq(what.pieces[4].y, SIZE / 2 + 1);
    growth_undo(p->g);
    int left = 0;
    for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
        left +=
            ptl_chunk_oter(p->chunk, i % SIZE, i / SIZE, 0) != p->config->defaults[-PTL_Z_MIN];
    ck_assert_int_eq(left, 0);
    p->pieces[2].allows = &p->sets[ON_LAND];
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    plot_free(p);
}
END_TEST

/* A body may not lie on an OMT that was set aside, even if it would close it. */
START_TEST(bodies_on_what_was_set_aside)
{
    for (int aside = 0; aside < 2; aside++) {
        plot *p = plot_new(14);
        plot_joins(p, aside ? "ts" : "st", ON_ANYTHING);
        plot_piece(p, ON_LAND, "- s - - t -");
        plot_piece(p, ON_ANYTHING, "s - - - - -");
        plot_piece(p, ON_ANYTHING, "- - - - - t");
        cat_rule *rule = plot_rule(p, 0, 1, 1, -1);
        plot_chunk_piece(p, rule, 2, 0, -1, 1, 0);
        rule->z = (ptl_height){.kind = PTL_HEIGHT_RANGE}; /* for the OMT east of the root */
        plot_open(p);
        grown what;
        ck_assert_int_eq(plot_grow(p, 0, &what), aside ? GROWTH_OPEN : GROWTH_DONE);
        plot_free(p);
    }
}
END_TEST

/* Nor on a mandatory demand, with a piece that has no joins at all; on an optional one it may.
 */
START_TEST(bodies_on_a_demand)
{
    for (int optional = 0; optional < 2; optional++) {
        plot *p = plot_new(15);
        int on_it = 0;
        plot_joins(p, "ts", ON_ANYTHING);
        plot_piece(p, ON_LAND, optional ? "t s? - - - -" : "t s - - - -");
        plot_piece(p, ON_ANYTHING, "- - t - - -");
        plot_piece(p, ON_ANYTHING, "- - - - - -");
        plot_piece(p, ON_LAND, "- - - s - -");
        plot_chunk_piece(p, plot_rule(p, 0, 1, 1, -1), 2, 1, 1, 0, 0); /* east of the root */
        plot_rule(p, 0, 1, 1, -1);
        plot_rule(p, 0, 3, 1, -1);
        plot_open(p);
        for (int draw = 0; draw < 40; draw++) {
            grown what;
            ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
            on_it += plot_at(&what, 1, 0, 0) == 2;
            growth_undo(p->g);
        }
        ck_assert_int_eq(on_it > 0, optional);
        ck_assert_int_lt(on_it, 40);
        plot_free(p);
    }
}
END_TEST

/* What no rule of a phase closes waits for the next; a phase may run out of rules. */
START_TEST(phases)
{
    grown what;
    plot *p = plot_new(6);
    plot_joins(p, "ts", ON_LAND);
    plot_piece(p, ON_LAND, "t s - - - -");
    plot_piece(p, ON_LAND, "t - - - - -");
    plot_piece(p, ON_LAND, "s - - - - -");
    plot_rule(p, 0, 1, 5, -1);
    plot_rule(p, 1, 2, 5, -1);
    plot_open(p);
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_DONE);
    ck_assert_uint_eq(what.piece_count, 3);
    growth_undo(p->g);
    p->layout.phase_count = 1;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    ck_assert_int_eq(what.open_x, SIZE / 2 + 1);
    /* The games say nothing when the last phase runs out of rules; here it is a failure. */
    p->rules[0][0].max.low = 0;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    p->layout.phase_count = 0;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    plot_free(p);
}
END_TEST

TCase *growth_rules_case(void)
{
    TCase *tcase = tcase_create("rules");
    tcase_add_test(tcase, amounts);
    tcase_add_test(tcase, shared_numbers_scale);
    tcase_add_test(tcase, weights);
    tcase_add_test(tcase, heights);
    tcase_add_test(tcase, top_and_bottom);
    tcase_add_test(tcase, rules_for_one_overmap);
    tcase_add_test(tcase, a_rule_that_does_not_turn);
    tcase_add_test(tcase, rules_that_resolve_a_join);
    tcase_add_test(tcase, bodies);
    tcase_add_test(tcase, bodies_on_each_other);
    tcase_add_test(tcase, bodies_on_what_was_set_aside);
    tcase_add_test(tcase, bodies_on_a_demand);
    tcase_add_test(tcase, phases);
    return tcase;
}
