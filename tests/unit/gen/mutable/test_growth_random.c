/* Layouts of random pieces and rules, which lie over each other, too. */
#include "support/seeds.h"
#include "unit/gen/mutable/test_growth.h"

enum { MANY_PIECES = 300, DRAWS = 12, JOINS = 4, PIECES = 9 };

static const char JOIN_NAMES[] = "abcd";

static void random_side(rng *r, char *out)
{
    static const char *const TYPES[] = {"", "?", "?", "+", "!"};
    char *at = out;
    if (rng_one_in(r, 2)) {
        strcpy(out, "-");
        return;
    }
    *at++ = JOIN_NAMES[rng_below(r, JOINS)];
    const char *type = TYPES[rng_below(r, 5)];
    if (*type)
        *at++ = *type;
    if (rng_one_in(r, 4)) {
        *at++ = '/';
        *at++ = JOIN_NAMES[rng_below(r, JOINS)];
    }
    *at = 0;
}

/* Every third layout's rules are of one piece and not choosy, in one phase. Its joins want
 * ground that no piece has taken. */
static bool is_plain(uint64_t seed)
{
    return seed % 3 == 2;
}

/* Adds a rule that is not plain, as rules go: of one to four pieces side by side. */
static void random_rule(plot *p, rng *r, cat_rule *rule)
{
    static const int DX[] = {0, 1, 0, 1};
    static const int DY[] = {0, 0, 1, 1};
    for (int k = 1; k < 4 && rng_one_in(r, 2); k++)
        plot_chunk_piece(p, rule, rng_range(r, 0, PIECES), DX[k], DY[k], 0, rng_range(r, 0, 3));
    rule->rotate = !rng_one_in(r, 4);
    rule->join = rng_one_in(r, 6) ? (int16_t)rng_below(r, JOINS) : (int16_t)-1;
}

/* Joins of which two are each other's opposites, pieces with random sides, and rules; the same
 * for the same seed. */
static plot *random_plot(uint64_t seed)
{
    const bool plain = is_plain(seed);
    rng r = rng_from_key(hash_add(31, seed));
    plot *p = plot_new(seed);
    plot_joins(p, JOIN_NAMES, plain ? ON_LAND : ON_ANYTHING);
    plot_opposites(p, 'a', 'b');
    for (int i = 0; i < PIECES; i++) {
        char text[100] = "", side[8];
        for (int k = 0; k < PTL_SIDES; k++) {
            random_side(&r, side);
            if (plain && i == 0 && k >= CAT_ABOVE)
                strcpy(side, "-"); /* land is on the ground alone, and the root asks for it */
            strcat(strcat(text, side), k < PTL_SIDES - 1 ? " " : "");
        }
        plot_piece(p, rng_one_in(&r, 6) ? ON_LAND : ON_ANYTHING, text);
    }
    plot_piece(p, ON_ANYTHING, "- - - - - -"); /* so that demands can be given up */
    for (int i = 0; i < (plain ? PLOT_RULES : 9); i++) {
        const int piece = rng_range(&r, 0, PIECES), max = rng_range(&r, 1, 30);
        cat_rule *rule = plot_rule(p, plain ? 0 : i / 5, piece, max, rng_range(&r, 1, 5));
        if (!plain)
            random_rule(p, &r, rule);
    }
    return p;
}

/* Whatever came over what: each open demand is in the list of its join, and nothing else is. */
START_TEST(demands_are_listed_once)
{
    plot *p = random_plot((uint64_t)_i);
    plot_open(p);
    for (int draw = 0; draw < DRAWS; draw++) {
        grown what;
        plot_grow(p, draw, &what);
        const growth *w = p->g->growth;
        size_t listed = 0, open = 0;
        for (size_t join = 0; join < p->layout.join_count; join++)
            for (size_t i = 0; i < w->open[join].count; i++, listed++) {
                const int32_t demand = w->open[join].demands[i];
                const growth_omt *t = &w->stock->omts[demand / 8];
                ck_assert_int_eq(t->demand[demand % 8], (int)join);
                ck_assert_int_eq(t->slot[demand % 8], (int)i);
            }
        for (size_t i = 0; i < w->omt_count; i++)
            for (int side = 0; side < PTL_SIDES; side++)
                open += !w->stock->omts[i].postponed && w->stock->omts[i].asked >> side & 1;
        ck_assert_uint_eq(listed, open);
        ck_assert_uint_eq(listed, w->open_count);
        growth_undo(p->g);
    }
    plot_free(p);
}
END_TEST

/* Returns what the pieces on a cell have on a side, looked for: the last one that has a join
 * there says it; NULL: none has. */
static const cat_side *look_at(const growth *w, int32_t x, int32_t y, int32_t z, int side)
{
    const cat_side *found = NULL;
    for (size_t i = 0; i < w->piece_count; i++) {
        const gen_piece *p = &w->stock->pieces[i];
        const cat_side *use =
            growth_piece_side(&w->layout->pieces[p->piece], p->rotation, side);
        if (p->x == x && p->y == y && p->z == z && use->join >= 0)
            found = use;
    }
    return found;
}

/* Does the OMT know what stands beside it, and the OMT there what it brought? */
static void check_facing(const growth *w, const growth_omt *t, int side)
{
    const growth_facing *has = &t->faces[side];
    int32_t x = t->x, y = t->y, z = t->z;
    growth_beyond(side, &x, &y, &z);
    if (!growth_inside(x, y, z)) {
        ck_assert(has->join == GROWTH_FACES_BORDER && has->type == 0 && !has->choice);
        return;
    }
    const int back = growth_opposite(side);
    const cat_side *use = look_at(w, x, y, z, back);
    const int32_t beyond = growth_omt_at(w, x, y, z);
    ck_assert_int_eq(has->join, use ? use->join : GROWTH_FACES_NOTHING);
    ck_assert_int_eq(has->type, use ? use->type : 0);
    ck_assert_int_eq(has->choice, use && use->alternative_count > 0);
    if (has->choice)
        ck_assert_ptr_eq(w->stock->brought[beyond].sides[back], use);
    if (look_at(w, t->x, t->y, t->z, side))
        ck_assert_int_ne(beyond, GROWTH_NO_OMT);
}

/* An OMT has what it faces, and beside each join inside the chunk there is an OMT: also at the
 * border, to which the second half of the draws lies close. */
START_TEST(omts_know_what_they_face)
{
    plot *p = random_plot((uint64_t)_i);
    plot_open(p);
    for (int draw = 0; draw < DRAWS; draw++) {
        grown what;
        plot_grow_at(p, draw < DRAWS / 2 ? 90 : 2, 90, 0, draw % 4, draw, &what);
        const growth *w = p->g->growth;
        if (what.piece_count == 0 || what.piece_count > MANY_PIECES)
            continue; /* all were taken back; or to look among them takes too long */
        for (size_t i = 0; i < w->omt_count; i++)
            for (int side = 0; side < PTL_SIDES; side++)
                check_facing(w, &w->stock->omts[i], side);
        growth_undo(p->g);
    }
    plot_free(p);
}
END_TEST

TCase *growth_random_case(void)
{
    TCase *tcase = tcase_create("random");
    tcase_add_loop_test(tcase, demands_are_listed_once, 0, test_seeds(60));
    tcase_add_loop_test(tcase, omts_know_what_they_face, 0, test_seeds(60));
    return tcase;
}
