/* What grows below: sizes as generation.md 10 has them, over many seeds; and that each
 * level can be reached from the one above it. */
#include "gen/steps/steps.h"
#include "unit/gen/below/sub_fixture.h"
#include "unit/gen/below/test_sublevels.h"

#include <stdio.h>
#include <string.h>

enum { ALONG = 4, SITES = ALONG * ALONG }; /* far apart on one board */

static int32_t site(int i)
{
    return 22 + 45 * i;
}

/* A board with one of them at each site. */
static board many(uint64_t seed, const catalogue *cat, int32_t z, const char *id)
{
    board b = board_new(seed, cat);
    for (int i = 0; i < SITES; i++)
        sub_set(&b, z, site(i % ALONG), site(i / ALONG), id);
    step_sublevels.run(b.g);
    ck_assert(!b.g->failed);
    return b;
}

/* Slime: 1 + 8/2 cells at size 1, 16/4 more at size 2; one in eight leads down. */
START_TEST(slime_pits)
{
    enum { ROUNDS = 16 };
    const catalogue *cat = sub_catalogue(NULL);
    int32_t slime = 0, down = 0, second = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        board b = many(seed, cat, 0, "slimepit_down");
        slime += sub_count(&b, -1, "slimepit") + sub_count(&b, -1, "slimepit_down");
        down += sub_count(&b, -1, "slimepit_down");
        second += sub_count(&b, -2, "slimepit") + sub_count(&b, -2, "slimepit_down");
        ck_assert_int_gt(sub_count(&b, -1, "rock"), SITES);
        board_dispose(&b);
    }
    const double pits = ROUNDS * SITES;
    /* 7 and 7/8; deviations of one pit below 3 and 1.2. */
    ck_assert_msg(slime / pits > 6.4 && slime / pits < 7.6, "%g", slime / pits);
    ck_assert_msg(down / pits > 0.6 && down / pits < 1.15, "%g", down / pits);
    ck_assert_int_ge(second, down);
}
END_TEST

/* Mines: 4..8 steps on the second level, and so on; ends rarely at once, surely at last. */
START_TEST(mines)
{
    enum { ROUNDS = 12 };
    const catalogue *cat = sub_catalogue(NULL);
    int32_t cells[PTL_LEVELS] = {0}, starts[PTL_LEVELS] = {0}, ends[PTL_LEVELS] = {0};
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        board b = many(seed, cat, 0, "mine_entrance");
        int32_t finales = 0;
        for (int i = 2; i <= 10; i++) {
            cells[i] += sub_count(&b, -i, "mine") + sub_count(&b, -i, "mine_down") +
                        sub_count(&b, -i, "mine_finale");
            starts[i] += sub_count(&b, 1 - i, i == 2 ? "mine_shaft" : "mine_down");
            ends[i] += sub_count(&b, -i, "mine_finale");
            finales += sub_count(&b, -i, "mine_finale");
            ck_assert_int_eq(sub_count(&b, -i, "spiral_hub"),
                             i == 2 ? 0 : sub_count(&b, 1 - i, "mine_finale"));
        }
        /* Each walk comes to its end, but for those that meet another mine's. */
        ck_assert_int_ge(finales, SITES - 2);
        ck_assert_int_le(finales, SITES);
        board_dispose(&b);
    }
    ck_assert_int_eq(starts[2], ROUNDS * SITES);
    const double second = (double)cells[2] / starts[2], third = (double)cells[3] / starts[3];
    ck_assert_msg(second > 6.7 && second < 7.1, "%g",
                  second); /* 7, less walks that are stuck */
    ck_assert_msg(third > 5.7 && third < 6.2, "%g", third);
    ck_assert_int_eq(ends[2], 0);
    const double fifth = (double)ends[5] / starts[5]; /* 0.4 */
    ck_assert_msg(fifth > 0.25 && fifth < 0.55, "%g", fifth);
}
END_TEST

/* Ant hills: as large as the game's are on average (24 cells of chambers of either kind and one
 * queen), and every tunnel answered. */
START_TEST(ant_hills)
{
    enum { ROUNDS = 12 };
    const catalogue *cat = sub_catalogue(NULL);
    double ants = 0, food = 0, larvae = 0, population = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        board b = many(seed, cat, 0, seed % 2 ? "acid_anthill" : "anthill");
        ants += sub_count(&b, -1, "ants");
        food += sub_count(&b, -1, "ants_food");
        larvae += sub_count(&b, -1, seed % 2 ? "ants_larvae_acid" : "ants_larvae");
        ck_assert_int_eq(sub_count(&b, -1, seed % 2 ? "ants_larvae" : "ants_larvae_acid"), 0);
        ck_assert_int_eq(sub_count(&b, -1, seed % 2 ? "ants_queen_acid" : "ants_queen"), SITES);
        ck_assert_int_eq(sub_used(&b, -2), 0);
        ck_assert_uint_eq(b.g->features.group_count, SITES);
        for (int i = 0; i < SITES; i++) {
            const gen_group *g = &b.g->features.groups[i];
            ck_assert_str_eq(g->type, seed % 2 ? "GROUP_ANT_ACID" : "GROUP_ANT");
            ck_assert(g->radius >= 12 && g->radius <= 30 && g->z == -1 && g->x % 90 == 44);
            ck_assert(g->population >= 6000 && g->population <= 8000);
            population += g->population;
        }
        ck_assert_uint_eq(sub_dead_ends(&b), 0);
        board_dispose(&b);
    }
    const double hills = ROUNDS * SITES;
    printf("ant hill: %.1f tunnels, %.1f food, %.1f larvae\n", ants / hills, food / hills,
           larvae / hills);
    ck_assert_msg(ants / hills > 85 && ants / hills < 125, "%g", ants / hills);
    ck_assert_msg(food / hills > 16 && food / hills < 26, "%g", food / hills);
    ck_assert_msg(larvae / food > 0.9 && larvae / food < 1.1, "%g", larvae / food);
    ck_assert_msg(population / hills > 6850 && population / hills < 7150, "%g",
                  population / hills);
}
END_TEST

/* Tunnels and chambers know of one another, whichever hill they are of. */
START_TEST(hills_that_meet)
{
    board b = sub_board(5);
    for (int32_t i = 0; i < 12; i++)
        sub_set(&b, 0, 60 + 7 * (i % 4), 60 + 9 * (i / 4), i % 2 ? "acid_anthill" : "anthill");
    step_sublevels.run(b.g);
    const ptl_oter first = oter_of(&b, "ants_isolated");
    int32_t wrong = 0, tunnels = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        const ptl_oter *cells = chunk_level(b.chunk, -1)->cells;
        if (cells[i] < first || cells[i] >= first + 16)
            continue;
        tunnels++;
        for (int d = 0; d < 4; d++) {
            const int32_t x = i % SIZE + step_x(d), y = i / SIZE + step_y(d);
            const bool ant = strncmp(get(&b, -1, x, y), "ants", 4) == 0;
            wrong += ant != ((cells[i] - first) >> d & 1);
        }
    }
    ck_assert_int_gt(tunnels, 300);
    ck_assert_int_eq(wrong, 0);
    board_dispose(&b);
}
END_TEST

/* ---- laboratories ---- */
static const char *const PREFIXES[] = {"", "ice_", "central_"};

static const char *name(const char *prefix, const char *rest)
{
    static char text[4][40];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(text[turn], sizeof text[turn], "%s%s", prefix, rest);
    return text[turn];
}

static bool is_lab(board *b, int32_t z, int32_t x, int32_t y)
{
    const ptl_oter o = ptl_chunk_oter(b->chunk, x, y, z);
    return o != b->config->defaults[z - PTL_Z_MIN] && strstr(b->cat->oters[o].id, "lab");
}

/* Each part of a level of labs has stairs above one of its cells, or the core that asked. */
static int32_t unreachable(board *b, int32_t z, const char *prefix)
{
    static bool seen[CELLS];
    static int32_t queue[CELLS];
    int32_t lost = 0;
    memset(seen, 0, sizeof seen);
    for (int32_t start = 0; start < CELLS; start++) {
        int32_t head = 0, tail = 0;
        bool reached = false;
        if (seen[start] || !is_lab(b, z, start % SIZE, start / SIZE))
            continue;
        seen[start] = true;
        for (queue[tail++] = start; head < tail; head++) {
            const int32_t x = queue[head] % SIZE, y = queue[head] / SIZE;
            const char *above = get(b, z + 1, x, y);
            reached = reached || strcmp(above, name(prefix, "lab_stairs")) == 0 || z == -1;
            for (int d = 0; d < 4; d++) {
                const int32_t nx = x + step_x(d), ny = y + step_y(d);
                if (!inside(nx, ny) || seen[ny * SIZE + nx] || !is_lab(b, z, nx, ny))
                    continue;
                seen[ny * SIZE + nx] = true;
                queue[tail++] = ny * SIZE + nx;
            }
        }
        lost += !reached;
    }
    return lost;
}

START_TEST(laboratories)
{
    enum { ROUNDS = 8 };
    const char *prefix = PREFIXES[_i];
    const catalogue *cat = sub_catalogue(NULL);
    int32_t finales = 0, stairs = 0, lost = 0, cores = 0, first = 0, deep = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        board b = many(seed, cat, 0, name(prefix, _i == 2 ? "lab_core" : "lab_stairs"));
        for (int32_t z = -1; z >= PTL_Z_MIN; z--) {
            finales += sub_count(&b, z, name(prefix, "lab_finale"));
            stairs += sub_count(&b, z, name(prefix, "lab_stairs"));
            cores += sub_count(&b, z, name(prefix, "lab_core"));
            lost += z < -1 ? unreachable(&b, z, prefix) : 0;
        }
        first += sub_used(&b, -1);
        deep += sub_used(&b, PTL_Z_MIN);
        ck_assert_int_eq(sub_count(&b, -1, _i == 0 ? "ice_lab" : "lab"), 0);
        ck_assert_uint_eq(sub_dead_ends(&b), 0);
        board_dispose(&b);
    }
    printf("%slab: %.1f cells on the first level, %d stairs, %d cores, %d finales\n", prefix,
           (double)first / ROUNDS / SITES, stairs, cores, finales);
    ck_assert_int_eq(lost, 0);
    /* One to a lab; central ones may have more. */
    ck_assert_int_ge(finales, ROUNDS * SITES - 1);
    ck_assert(_i == 2 || finales <= ROUNDS * SITES);
    ck_assert_int_gt(stairs, finales);
    ck_assert(_i == 2 || deep == 0);
}
END_TEST

/* One that has no stairs above it gets some from the level above, where that is a room of its
 * own kind that grew here; a special's is left alone. */
START_TEST(labs_below_other_things)
{
    board b = sub_board(3);
    sub_set(&b, -1, 60, 60, "cellar_hidden_lab_stairs_west");
    sub_set(&b, -2, 120, 60, "lab_core");
    sub_set(&b, -2, 120, 61, "lab");
    step_sublevels.run(b.g);
    ck_assert(is_lab(&b, -2, 60, 60));
    ck_assert_str_eq(get(&b, -1, 60, 60), "cellar_hidden_lab_stairs_west");
    ck_assert_str_eq(get(&b, -2, 120, 60), "lab_core");
    ck_assert_str_eq(get(&b, -2, 120, 61), "lab");
    ck_assert(is_lab(&b, -3, 120, 60));
    board_dispose(&b);
}
END_TEST

/* On the fourth level: cells and their entrance, one above the other; no depots without central
 * labs. */
START_TEST(escapes)
{
    const catalogue *cat = sub_catalogue(NULL);
    int32_t cells = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        board b = many(seed, cat, -3, "lab_core");
        cells += sub_count(&b, -4, "lab_escape_cells");
        for (int32_t i = 0; i < CELLS; i++)
            if (sub_is(&b, -4, i % SIZE, i / SIZE, "lab_escape_cells"))
                wrong += !sub_is(&b, -4, i % SIZE, i / SIZE + 1, "lab_escape_entrance");
        ck_assert_int_eq(sub_count(&b, -4, "lab_escape_entrance"),
                         sub_count(&b, -4, "lab_escape_cells"));
        ck_assert_int_eq(sub_count(&b, -4, "lab_train_depot"), 0);
        ck_assert_int_eq(sub_count(&b, -5, "lab_escape_cells"), 0);
        board_dispose(&b);
    }
    ck_assert_int_gt(cells, 20);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

TCase *sub_growth_tests(void)
{
    TCase *t = tcase_create("growth");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, slime_pits);
    tcase_add_test(t, mines);
    tcase_add_test(t, ant_hills);
    tcase_add_test(t, hills_that_meet);
    tcase_add_loop_test(t, laboratories, 0, 3);
    tcase_add_test(t, labs_below_other_things);
    tcase_add_test(t, escapes);
    return t;
}
