/* Shores of the sea that follow a border in a straight line (gen/seams/dead_ends.h). */
#include "gen/seams/dead_ends.h"
#include "support/land_catalogue.h"
#include "support/suite.h"

#include <check.h>
#include <string.h>

enum { SIDE = PTL_CHUNK_SIZE, LONG = SIDE / 5, FROM = 60, HERE = 4 };

static ptl_chunk *land(void)
{
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    ck_assert_ptr_nonnull(chunk);
    level_fill(chunk_level(chunk, 0), catalogue_oter(land_catalogue(), "field"));
    return chunk;
}

/* Puts sea from a depth on over so many cells along a border; 0 is the chunk's own line there.
 */
static void put_sea(ptl_chunk *chunk, int direction, int32_t depth, int32_t count)
{
    ptl_oter *cells = level_cells(chunk_level(chunk, 0));
    ck_assert_ptr_nonnull(cells);
    for (int32_t i = FROM; i < FROM + count; i++)
        for (int32_t k = depth; k < 8; k++) {
            const int32_t across = direction == 1 || direction == 2 ? SIDE - 1 - k : k;
            cells[direction & 1 ? i * SIDE + across : across * SIDE + i] =
                catalogue_oter(land_catalogue(), "ocean_surface");
        }
}

static void on_problem(void *payload, const dead_end_problem *p)
{
    int *problems = payload;
    ck_assert_str_eq(p->kind, "shore");
    ++*problems;
}

/* Returns the problems; *straight is how many such shores there are. */
static int problems_of(const dead_end_view views[5], uint64_t *straight)
{
    static const edge *const no_edges[4];
    int problems = 0;
    dead_ends *d = dead_ends_new(land_catalogue());
    ck_assert_ptr_nonnull(d);
    ck_assert(dead_ends_check(d, &views[HERE], views, no_edges, on_problem, &problems));
    ck_assert_uint_eq(dead_ends_problems(d), (unsigned)problems);
    *straight = dead_ends_rivers(d)->straight;
    dead_ends_free(d);
    return problems;
}

/* At a border and up to two cells from it; what lies between two chunks is said once, of the
 * northern or western one. */
START_TEST(shores_are_not_straight)
{
    const gen_features none = {0};
    for (int32_t depth = 0; depth < 4; depth++) {
        dead_end_view views[5] = {{.chunk = NULL}};
        ptl_chunk *here = land(), *other = land();
        const unsigned expected = depth > 0 ? depth <= 2 : _i == 1 || _i == 2;
        uint64_t straight;
        views[HERE] = (dead_end_view){.chunk = here, .features = &none};
        views[_i] = (dead_end_view){.chunk = other, .features = &none};
        put_sea(here, _i, depth, LONG - 1);
        ck_assert_int_eq(problems_of(views, &straight), 0);
        ck_assert_uint_eq(straight, 0);
        put_sea(here, _i, depth, LONG);
        ck_assert_int_eq(problems_of(views, &straight), (int)expected);
        ck_assert_uint_eq(straight, expected);
        views[HERE].older = true;
        ck_assert_int_eq(problems_of(views, &straight), 0);
        ck_assert_uint_eq(straight, expected);
        views[HERE].foreign = true;
        ck_assert_int_eq(problems_of(views, &straight), 0);
        ck_assert_uint_eq(straight, 0);
        ptl_chunk_free(here);
        ptl_chunk_free(other);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shores");
    TCase *tcase = tcase_create("shores");
    tcase_add_loop_test(tcase, shores_are_not_straight, 0, 4);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
