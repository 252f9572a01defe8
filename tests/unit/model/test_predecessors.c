/*
 * Chains of predecessors (model/predecessors.h) next to lists that are kept plainly, over many
 * seeds: what the rule remembers, what a chunk's runs are, and that their cells give the same.
 */
#include "core/hash.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/predecessors.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Two plain terrains, a line of which nothing is asked, a line and a rotated one that ask. */
enum { FIELD, WOOD, TRAIL, ROAD, RUIN, TERRAINS };
enum { OTERS = 2 + 16 + 16 + 4, CHAIN_MAX = 64, SOME_CELLS = 60 };

static cat_terrain terrains[TERRAINS];
static cat_oter oters[OTERS];
static catalogue cat;

static void add_terrain(int number, ptl_oter first, uint16_t count, uint32_t flags)
{
    terrains[number] = (cat_terrain){.flags = flags, .first = first, .count = count};
    for (ptl_oter i = 0; i < count; i++)
        oters[first + i] = (cat_oter){.terrain = (uint16_t)number, .flags = flags};
}

static void set_up(void)
{
    add_terrain(FIELD, 0, 1, CAT_FLAG_NO_ROTATE);
    add_terrain(WOOD, 1, 1, CAT_FLAG_NO_ROTATE);
    add_terrain(TRAIL, 2, 16, CAT_FLAG_LINEAR);
    add_terrain(ROAD, 18, 16, CAT_FLAG_LINEAR | CAT_FLAG_PREDECESSOR);
    add_terrain(RUIN, 34, 4, CAT_FLAG_PREDECESSOR);
    cat = (catalogue){
        .terrains = terrains, .terrain_count = TERRAINS, .oters = oters, .oter_count = OTERS};
}

/* What a cell was, as plainly as can be. */
typedef struct plain_chain {
    ptl_oter oters[CHAIN_MAX];
    size_t count;
} plain_chain;

static void cover(plain_chain *c, ptl_oter before, ptl_oter after)
{
    if (!(oters[after].flags & CAT_FLAG_PREDECESSOR) ||
        oters[before].terrain == oters[after].terrain)
        return;
    ptl_oter *young = c->count ? &c->oters[c->count - 1] : NULL;
    const bool same_line = young && oters[before].flags & CAT_FLAG_LINEAR &&
                           oters[*young].terrain == oters[before].terrain;
    if (same_line)
        *young = before;
    else if (!young || *young != before)
        c->oters[c->count++] = before;
    ck_assert_uint_lt(c->count, CHAIN_MAX);
}

/* Draws terrain over the chunk in strokes, so that there are runs; and over some cells often.
 */
static void draw(predecessor_log *log, ptl_chunk *chunk, plain_chain *plain, rng *r)
{
    for (int stroke = 0; stroke < 400; stroke++) {
        const int32_t z = rng_range(r, -1, 1);
        const bool down = rng_below(r, 2) != 0;
        int32_t x = rng_range(r, 0, PTL_CHUNK_SIZE - 1), y = rng_range(r, 0, SOME_CELLS);
        const int32_t length = rng_range(r, 1, SOME_CELLS);
        const ptl_oter oter = (ptl_oter)rng_below(r, OTERS);
        ptl_oter *cells = level_cells(chunk_level(chunk, z));
        ck_assert_ptr_nonnull(cells);
        for (int32_t k = 0; k < length && x < PTL_CHUNK_SIZE && y < PTL_CHUNK_SIZE; k++) {
            const int32_t cell = y * PTL_CHUNK_SIZE + x;
            const ptl_oter before = cells[cell];
            cells[cell] = oter;
            if (oters[oter].flags & CAT_FLAG_PREDECESSOR)
                ck_assert(predecessors_add(log, &cat, z, cell, before, oter));
            cover(&plain[(z + 1) * PTL_LEVEL_CELLS + cell], before, oter);
            x += !down;
            y += down;
        }
    }
}

/* The features' cells are what the lists of the cells are that still ask. */
static void compare(const gen_features *f, const ptl_chunk *chunk, const plain_chain *plain)
{
    predecessor_cell *cells;
    size_t count, at = 0, wrong = 0;
    ck_assert(predecessors_spread(&cells, &count, f));
    for (int32_t z = -1; z <= 1; z++)
        for (int32_t cell = 0; cell < PTL_LEVEL_CELLS; cell++) {
            const plain_chain *c = &plain[(z + 1) * PTL_LEVEL_CELLS + cell];
            const level *l = &chunk->levels[z - PTL_Z_MIN];
            const ptl_oter now = l->cells ? l->cells[cell] : l->fill;
            const size_t wanted = oters[now].flags & CAT_FLAG_PREDECESSOR ? c->count : 0;
            for (size_t i = 0; i < wanted && at < count; i++, at++)
                wrong += cells[at].cell != (z - PTL_Z_MIN) * PTL_LEVEL_CELLS + cell ||
                         f->predecessors[cells[at].run].oter != c->oters[i];
        }
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(at, count);
    free(cells);
}

/* Runs stay inside the chunk. */
static void check_runs(const gen_features *f)
{
    size_t outside = 0;
    for (size_t i = 0; i < f->predecessor_count; i++) {
        const gen_predecessor *p = &f->predecessors[i];
        const int32_t last = (p->south ? p->y : p->x) + p->length - 1;
        outside += p->length < 1 || p->x < 0 || p->y < 0 || last >= PTL_CHUNK_SIZE;
    }
    ck_assert_uint_eq(outside, 0);
}

START_TEST(chains_are_what_was_there)
{
    predecessor_log log = {.kept = true};
    gen_features f = {0};
    plain_chain *plain = calloc((size_t)3 * PTL_LEVEL_CELLS, sizeof *plain);
    ck_assert_ptr_nonnull(plain);
    for (int round = 0; round < 3; round++) { /* the log is used again */
        rng r = rng_from_key((uint64_t)_i * 3 + (uint64_t)round);
        ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
        ck_assert_ptr_nonnull(chunk);
        memset(plain, 0, (size_t)3 * PTL_LEVEL_CELLS * sizeof *plain);
        features_reset(&f);
        predecessors_reset(&log);
        draw(&log, chunk, plain, &r);
        ck_assert(predecessors_finish(&f, &log, &cat, chunk));
        ck_assert_uint_gt(f.predecessor_count, 0);
        check_runs(&f);
        compare(&f, chunk, plain);
        ptl_chunk_free(chunk);
    }
    predecessors_dispose(&log);
    features_dispose(&f);
    free(plain);
}
END_TEST

/* One cell by hand: [what covers it], and what is remembered then. */
START_TEST(rules)
{
    enum { ROAD_1 = 19, ROAD_3 = 21, TRAIL_1 = 3, TRAIL_5 = 7, RUIN_0 = 34, RUIN_2 = 36 };
    static const struct {
        ptl_oter covers[6];
        size_t covers_count;
        ptl_oter chain[4];
        size_t chain_count;
    } cases[] = {
        {{0, ROAD_1}, 2, {0}, 1},
        {{0, ROAD_1, ROAD_3}, 3, {0}, 1},         /* a road that grows an arm */
        {{1, TRAIL_1, ROAD_1}, 3, {TRAIL_1}, 1},  /* trails don't ask for the wood */
        {{0, ROAD_1, RUIN_0}, 3, {0, ROAD_1}, 2}, /* each its own */
        {{0, RUIN_0, RUIN_2}, 3, {0}, 1},         /* the same, turned */
        {{0, RUIN_0, ROAD_1, RUIN_2}, 4, {0, RUIN_0, ROAD_1}, 3},
        {{0, TRAIL_1, ROAD_1, TRAIL_5, ROAD_3},
         5,
         {TRAIL_5},
         1},                                 /* a line takes its like's place */
        {{0, RUIN_0, 0, ROAD_1}, 4, {0}, 1}, /* what was undone */
        {{0, RUIN_0, 1, ROAD_1}, 4, {0, 1}, 2},
        {{0, ROAD_1, 1}, 3, {0}, 0}, /* the last one asks for nothing */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        predecessor_log log = {.kept = true};
        gen_features f = {0};
        predecessor_cell *cells;
        size_t count;
        ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
        ck_assert_ptr_nonnull(chunk);
        ptl_oter *cell = level_cells(chunk_level(chunk, 0)) + 777;
        for (size_t k = 0; k < cases[i].covers_count; k++) {
            const ptl_oter before = *cell;
            *cell = cases[i].covers[k];
            if (k > 0 && oters[*cell].flags & CAT_FLAG_PREDECESSOR)
                ck_assert(predecessors_add(&log, &cat, 0, 777, before, *cell));
        }
        ck_assert(predecessors_finish(&f, &log, &cat, chunk));
        ck_assert(predecessors_spread(&cells, &count, &f));
        ck_assert_msg(count == cases[i].chain_count, "case %zu: %zu", i, count);
        for (size_t k = 0; k < count; k++)
            ck_assert_msg(f.predecessors[cells[k].run].oter == cases[i].chain[k],
                          "case %zu: number %zu", i, k);
        free(cells);
        predecessors_dispose(&log);
        features_dispose(&f);
        ptl_chunk_free(chunk);
    }
}
END_TEST

START_TEST(only_content_that_asks)
{
    ck_assert(predecessors_wanted(&cat));
    terrains[ROAD].flags = terrains[RUIN].flags = 0;
    ck_assert(!predecessors_wanted(&cat));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("predecessors");
    TCase *c = tcase_create("predecessors");
    tcase_add_checked_fixture(c, set_up, NULL);
    tcase_set_timeout(c, 120);
    tcase_add_loop_test(c, chains_are_what_was_there, 0, 40);
    tcase_add_test(c, rules);
    tcase_add_test(c, only_content_that_asks);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
