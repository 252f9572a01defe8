/* Which sides may meet: types, alternatives, opposites, ground, bounds (generation.md 9.1
 * to 9.3).
 */
#include "unit/gen/mutable/test_growth.h"

enum { DRAWS = 60 };

/* A root with these sides; then one rule with a piece with those. */
static plot *make_pair(const char *root, const char *piece, int32_t max)
{
    plot *p = plot_new(7);
    plot_joins(p, "thgms", ON_LAND);
    plot_opposites(p, 'h', 'g');
    plot_piece(p, ON_LAND, root);
    plot_piece(p, ON_LAND, piece);
    plot_rule(p, 0, 1, max, -1);
    return p;
}

/* How the pair ends, and how many pieces it has. */
static void outcome(const char *root, const char *piece, int32_t max, growth_result result,
                    size_t pieces)
{
    plot *p = make_pair(root, piece, max);
    plot_open(p);
    for (int draw = 0; draw < DRAWS; draw++) {
        grown what;
        growth_report report;
        const growth_result got = plot_grow(p, draw, &what);
        ck_assert_msg(got == result && what.piece_count == pieces,
                      "root %s, piece %s: result %d with %zu pieces", root, piece, (int)got,
                      what.piece_count);
        growth_check(&report, &p->layout, &what, p->chunk);
        ck_assert_int_eq(report.open + report.wrong + report.misplaced, 0);
        growth_undo(p->g);
    }
    plot_free(p);
}

START_TEST(a_piece_turns_to_its_root)
{
    static const int X[] = {0, 1, 0, -1}, Y[] = {-1, 0, 1, 0};
    static const char *const OTERS[] = {"tunnel_north", "tunnel_east", "tunnel_south",
                                        "tunnel_west"};
    plot *p = make_pair("t - - - - -", "t - - - - -", 1);
    plot_open(p);
    for (int rotation = 0; rotation < 4; rotation++) {
        grown what;
        ck_assert_int_eq(plot_grow_at(p, SIZE / 2, SIZE / 2, 0, rotation, 0, &what),
                         GROWTH_DONE);
        ck_assert_int_eq(plot_at(&what, X[rotation], Y[rotation], 0), 1);
        ck_assert_int_eq(plot_rotation_at(&what, X[rotation], Y[rotation], 0),
                         (rotation + 2) % 4);
        ck_assert_str_eq(p->oters[ptl_chunk_oter(p->chunk, SIZE / 2, SIZE / 2, 0)].id,
                         OTERS[rotation]);
        ck_assert_uint_eq(what.join_count, 2);
        ck_assert_int_eq(what.joins[0].side, rotation);
        ck_assert_int_eq(what.joins[1].side, (rotation + 2) % 4);
        growth_undo(p->g);
    }
    plot_free(p);
}
END_TEST

START_TEST(types_of_joins)
{
    outcome("t - - - - -", "t - - - - -", 0, GROWTH_OPEN, 0); /* mandatory */
    outcome("t - - - - -", "s - - - - -", 5, GROWTH_OPEN, 0); /* by that join alone */
    outcome("t - - - - -", "- - - - - -", 5, GROWTH_OPEN, 0);
    outcome("t? - - - - -", "t - - - - -", 0, GROWTH_DONE, 1);    /* optional: may stay open, */
    outcome("t? - - - - -", "t - - - - -", 9, GROWTH_DONE, 2);    /* but is a place to grow */
    outcome("t+ - - - - -", "t - - - - -", 9, GROWTH_DONE, 1);    /* available: none, */
    outcome("t - - - - -", "t+ t+ t+ t+ - -", 9, GROWTH_DONE, 2); /* but meets others */
    outcome("t - - - - -", "t? - - - - -", 9, GROWTH_DONE, 2);    /* as optional does */
    outcome("t - - - - -", "t! t! t! t! - -", 9, GROWTH_OPEN, 0); /* reject does not, */
    outcome("t? - - - - -", "t! t! t! t! - -", 9, GROWTH_DONE, 1); /* and forbids */
    outcome("t? - - - - -", "s! s! s! s! - -", 9, GROWTH_DONE, 2); /* its own join alone */
    outcome("t! - - - - -", "t - - - - -", 9, GROWTH_DONE, 1);
}
END_TEST

/* Whoever comes first: no side ever meets one that rejects its join, in crowds of pieces that
 * do on one side. */
START_TEST(rejects_forbid)
{
    int bad = 0;
    plot *p = plot_new(31);
    plot_joins(p, "t", ON_ANYTHING);
    plot_piece(p, ON_ANYTHING, "t? t? t? t? - -");
    plot_piece(p, ON_ANYTHING, "t? t! t? t? - -");
    plot_rule(p, 0, 0, 25, -1);
    plot_rule(p, 0, 1, 25, -1);
    plot_open(p);
    ck_assert_int_eq(plot_many(p, 60, &bad), 60);
    ck_assert_int_eq(bad, 0);
    plot_free(p);
}
END_TEST

START_TEST(sides_that_differ)
{
    /* Neither is mandatory: they may stand side by side, and nothing is recorded. */
    plot *p = make_pair("t? - - - - -", "s+ s+ s+ s+ - -", 3);
    plot_open(p);
    grown what;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_DONE);
    ck_assert_uint_eq(what.piece_count, 2);
    ck_assert_uint_eq(what.join_count, 0);
    plot_free(p);
    outcome("t? - - - - -", "s s s s - -", 3, GROWTH_DONE, 1);
    outcome("t - - - - -", "s+ s+ s+ s+ - -", 3, GROWTH_OPEN, 0);
    outcome("t? - - - - -", "- - - - - -", 3, GROWTH_DONE, 2);
}
END_TEST

START_TEST(opposites_and_alternatives)
{
    outcome("h - - - - -", "g - - - - -", 1, GROWTH_DONE, 2);
    outcome("h - - - - -", "h - - - - -", 1, GROWTH_OPEN, 0);
    outcome("h - - - - -", "t/g - - - - -", 1, GROWTH_DONE, 2);
    outcome("h - - - - -", "t/mg - - - - -", 1, GROWTH_DONE, 2);
    outcome("h - - - - -", "t/ms - - - - -", 1, GROWTH_OPEN, 0);
    /* What is there already demands its first join alone. */
    outcome("t/g - - - - -", "h - - - - -", 1, GROWTH_OPEN, 0);
    plot *p = make_pair("h - - - - -", "t/g - - - - -", 1);
    plot_open(p);
    grown what;
    plot_grow(p, 0, &what);
    ck_assert_uint_eq(what.join_count, 2);
    ck_assert_str_eq(p->joins[what.joins[0].join].id, "h"); /* the root's */
    ck_assert_str_eq(p->joins[what.joins[1].join].id, "g"); /* what it matched as */
    ck_assert_int_eq(what.joins[0].side, 0);
    ck_assert_int_eq(what.joins[1].side, 2);
    plot_free(p);
}
END_TEST

START_TEST(ground_and_bounds)
{
    grown what;
    /* The root's neighbour is field: a piece that needs rock cannot come there. */
    plot *p = make_pair("t - - - - -", "t - - - - -", 1);
    p->pieces[1].allows = &p->sets[ON_ROCK];
    plot_open(p);
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_OPEN);
    ck_assert_int_eq(what.open_x, SIZE / 2);
    ck_assert_int_eq(what.open_y, SIZE / 2 - 1);
    ck_assert_int_eq(what.open_join, 0);
    plot_free(p);
    /* A further mandatory side must point into its join's ground, an optional one need not. */
    for (int optional = 0; optional < 2; optional++) {
        p = make_pair("t - - - - -", optional ? "t - s? - - -" : "t - s - - -", 1);
        p->joins[4].into = &p->sets[ON_ROCK];
        plot_open(p);
        ck_assert_int_eq(plot_grow(p, 0, &what), optional ? GROWTH_DONE : GROWTH_OPEN);
        plot_free(p);
    }
    p = make_pair("t - - - - -", "t - - - - -", 1);
    plot_open(p);
    ck_assert_int_eq(plot_grow_at(p, 1, 90, 0, 3, 0, &what), GROWTH_OPEN);
    ck_assert_int_eq(plot_grow_at(p, 2, 90, 0, 3, 0, &what), GROWTH_DONE);
    growth_undo(p->g);
    ck_assert_int_eq(plot_grow_at(p, SIZE - 2, 90, 0, 1, 0, &what), GROWTH_OPEN);
    ck_assert_int_eq(plot_grow_at(p, SIZE - 3, 90, 0, 1, 0, &what), GROWTH_DONE);
    growth_undo(p->g);
    ck_assert_int_eq(plot_grow_at(p, 0, 90, 0, 1, 0, &what), GROWTH_BLOCKED);
    ck_assert_int_eq(plot_grow_at(p, 90, SIZE - 1, 0, 1, 0, &what), GROWTH_BLOCKED);
    plot_free(p);
}
END_TEST

START_TEST(above_and_below)
{
    plot *p = plot_new(3);
    plot_joins(p, "a", ON_ANYTHING);
    plot_piece(p, ON_LAND, "- - - - - a");
    plot_piece(p, ON_ANYTHING, "- - - - a a");
    plot_rule(p, 0, 1, 9, -1);
    plot_piece(p, ON_ANYTHING, "- - - - a -");
    plot_rule(p, 1, 2, 1, -1);
    plot_open(p);
    grown what;
    ck_assert_int_eq(plot_grow(p, 0, &what), GROWTH_DONE);
    ck_assert_uint_eq(what.piece_count, 11);
    ck_assert_int_eq(plot_at(&what, 0, 0, -9), 1);
    ck_assert_int_eq(plot_at(&what, 0, 0, -10), 2);
    growth_undo(p->g);
    /* One level higher there is one more piece to place than there are; it must stay open. */
    ck_assert_int_eq(plot_grow_at(p, 90, 90, -1, 0, 0, &what), GROWTH_DONE);
    growth_undo(p->g);
    p->rules[0][0].max.low = 10;
    ck_assert_int_eq(plot_grow_at(p, 90, 90, -10, 0, 0, &what), GROWTH_OPEN);
    ck_assert_int_eq(what.open_z, -11);
    plot_free(p);
}
END_TEST

/* Of the ways of placing a piece, those that meet the most. */
START_TEST(best_rotations)
{
    grown what;
    plot *p = make_pair("t? - - - - -", "t - - - - -", 1);
    plot_open(p);
    int turned = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
        plot_grow(p, draw, &what);
        turned += plot_rotation_at(&what, 0, -1, 0) != 2;
        growth_undo(p->g);
    }
    ck_assert_int_eq(turned, 0);
    plot_free(p);
    /* Two that meet as much are equally likely. */
    p = make_pair("t - - - - -", "t t+ t+ - - -", 1);
    plot_open(p);
    int seen[4] = {0};
    for (int draw = 0; draw < 400; draw++) {
        plot_grow(p, draw, &what);
        seen[plot_rotation_at(&what, 0, -1, 0)]++;
        growth_undo(p->g);
    }
    /* Its own mandatory join has to be met: the ends that are available are not as good. */
    ck_assert_int_eq(seen[2], 400);
    plot_free(p);
    p = make_pair("t - - - - -", "t+ - t+ - - -", 1);
    plot_open(p);
    memset(seen, 0, sizeof seen);
    for (int draw = 0; draw < 400; draw++) {
        plot_grow(p, draw, &what);
        seen[plot_rotation_at(&what, 0, -1, 0)]++;
        growth_undo(p->g);
    }
    ck_assert_int_eq(seen[1] + seen[3], 0);
    ck_assert_int_gt(seen[0], 140);
    ck_assert_int_gt(seen[2], 140);
    plot_free(p);
}
END_TEST

/* An OMT with two demands takes a piece that meets both, or none. */
START_TEST(two_demands_on_a_omt)
{
    plot *p = plot_new(11);
    plot_joins(p, "t", ON_LAND);
    plot_piece(p, ON_LAND, "t t - - - -"); /* root: north and east */
    plot_piece(p, ON_LAND, "t t - - - -"); /* corner */
    plot_piece(p, ON_LAND, "t - - - - -"); /* end */
    cat_rule *corner = plot_rule(p, 0, 1, 2, -1);
    plot_rule(p, 1, 2, -1, 1000);
    plot_rule(p, 1, 1, -1, 1);
    corner->rotate = true;
    plot_open(p);
    int bad = 0, met = 0;
    for (int draw = 0; draw < 300; draw++) {
        grown what;
        growth_report report;
        ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
        growth_check(&report, &p->layout, &what, p->chunk);
        bad += report.open + report.wrong + report.misplaced;
        met += plot_at(&what, 1, -1, 0) == 1 && plot_at(&what, 0, -1, 0) == 1 &&
               plot_at(&what, 1, 0, 0) == 1;
        growth_undo(p->g);
    }
    ck_assert_int_eq(bad, 0);
    ck_assert_int_gt(met, 10);
    plot_free(p);
}
END_TEST

/* Which of the root's two sides is served first. */
static int north_first(const char *joins)
{
    plot *p = plot_new(5);
    plot_joins(p, joins, ON_LAND);
    plot_piece(p, ON_LAND, joins[1] ? "b a - - - -" : "a a - - - -");
    plot_piece(p, ON_LAND, joins[1] ? "b+ a+ - - - -" : "a - - - - -");
    plot_rule(p, 0, 1, -1, 1);
    plot_open(p);
    int north = 0;
    for (int draw = 0; draw < 200; draw++) {
        grown what;
        ck_assert_int_eq(plot_grow(p, draw, &what), GROWTH_DONE);
        north += what.pieces[1].y < SIZE / 2;
        growth_undo(p->g);
    }
    plot_free(p);
    return north;
}

START_TEST(priority_is_the_order_of_joins)
{
    ck_assert_int_eq(north_first("ab"), 0);
    ck_assert_int_eq(north_first("ba"), 200);
    const int equal = north_first("a");
    ck_assert_int_gt(equal, 60);
    ck_assert_int_lt(equal, 140);
}
END_TEST

TCase *growth_joins_case(void)
{
    TCase *tcase = tcase_create("joins");
    tcase_add_test(tcase, a_piece_turns_to_its_root);
    tcase_add_test(tcase, types_of_joins);
    tcase_add_test(tcase, rejects_forbid);
    tcase_add_test(tcase, sides_that_differ);
    tcase_add_test(tcase, opposites_and_alternatives);
    tcase_add_test(tcase, ground_and_bounds);
    tcase_add_test(tcase, above_and_below);
    tcase_add_test(tcase, best_rotations);
    tcase_add_test(tcase, two_demands_on_a_omt);
    tcase_add_test(tcase, priority_is_the_order_of_joins);
    return tcase;
}
