/* Specials that differ by their ids alone, where there is not room for all: by both rules each
 * gets the same over many chunks, and one more leaves the others in their order. */
#include "unit/gen/specials/rules_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 12, ROOM = 8 };

static rules_scene scene;

/* In the order of the catalogue, which sorts by id. */
static const char *const ids[KINDS + 1] = {"q_a", "q_b", "q_c", "q_d", "q_e", "q_f", "q_g",
                                           "q_h", "q_i", "q_j", "q_k", "q_l", "q_m"};

static void open_equals(ptl_placement rule, int kinds, int32_t min, int32_t max)
{
    scene_setup(&scene, 31, rule);
    for (int i = 0; i < kinds; i++)
        scene_special(&scene, ids[i], 1, 1, min, max);
    scene_open(&scene);
}

/* A chunk with ROOM cells of field, each in a sector of its own. */
static void make_narrow(int32_t x)
{
    scene_chunk(&scene, x, -x);
    scene_fill(&scene, "forest", 0, 0, SIZE - 1, SIZE - 1);
    for (int i = 0; i < ROOM; i++)
        scene_fill(&scene, "field", 20 + 15 * i, 37, 20 + 15 * i, 37);
    scene_run(&scene);
    ck_assert_uint_eq(scene.gen->features.placement_count, ROOM);
}

/* Two of each are asked for, 24 where 8 have room: a chi-square of 11 degrees, or less, as what
 * has come twice comes no more. */
static void check_equal(ptl_placement rule)
{
    enum { CHUNKS = 300 };
    int counts[KINDS] = {0};
    double chi = 0;
    open_equals(rule, KINDS, 2, 2);
    for (int i = 0; i < CHUNKS; i++) {
        make_narrow(i);
        for (int k = 0; k < KINDS; k++)
            counts[k] += scene_placed(&scene, &scene.specials[scene.first + k]);
    }
    const double expected = (double)CHUNKS * ROOM / KINDS;
    /* By quota those that come come twice: a pair is one draw. */
    const double each = rule == PTL_PLACEMENT_QUOTA ? 2 : 1;
    for (int k = 0; k < KINDS; k++)
        chi += (counts[k] - expected) * (counts[k] - expected) / (each * expected);
    ck_assert_msg(chi < KINDS - 1 + 4.5 * sqrt(2 * (KINDS - 1)), "chi-square %g, the first %d",
                  chi, counts[0]);
    scene_close(&scene);
}

START_TEST(equal_ones_come_equally)
{
    check_equal(PTL_PLACEMENT_QUOTA);
    check_equal(PTL_PLACEMENT_SECTORS);
}
END_TEST

typedef struct who_stands {
    bool on[SIZE][KINDS + 1]; /* by column of the cell and number of the special */
    bool any[KINDS + 1];
} who_stands;

static who_stands look_who(void)
{
    who_stands who = {0};
    for (size_t i = 0; i < scene.gen->features.placement_count; i++) {
        const gen_placement *p = &scene.gen->features.placements[i];
        who.on[p->x][p->special - scene.first] = true;
        who.any[p->special - scene.first] = true;
    }
    return who;
}

/* By quota the thirteenth takes the place of the last one that came, or comes not. */
static int check_more_quota(const who_stands *before, const who_stands *after)
{
    int gone = 0;
    for (int k = 0; k < KINDS; k++) {
        ck_assert(before->any[k] || !after->any[k]);
        gone += before->any[k] && !after->any[k];
    }
    ck_assert_int_eq(gone, after->any[KINDS]);
    return gone;
}

/* By sectors a cell has what it had, or the thirteenth. */
static int check_more_sectors(const who_stands *before, const who_stands *after)
{
    int taken = 0;
    for (int i = 0; i < ROOM; i++) {
        const int x = 20 + 15 * i;
        taken += after->on[x][KINDS];
        ck_assert(after->on[x][KINDS] ||
                  memcmp(before->on[x], after->on[x], sizeof before->on[x]) == 0);
    }
    return taken;
}

static void check_one_more(ptl_placement rule, int32_t min, int32_t max)
{
    enum { CHUNKS = 120 };
    static who_stands before[CHUNKS];
    int changes = 0;
    open_equals(rule, KINDS, min, max);
    for (int i = 0; i < CHUNKS; i++) {
        make_narrow(i);
        before[i] = look_who();
    }
    scene_close(&scene);
    open_equals(rule, KINDS + 1, min, max);
    for (int i = 0; i < CHUNKS; i++) {
        make_narrow(i);
        const who_stands after = look_who();
        changes += rule == PTL_PLACEMENT_QUOTA ? check_more_quota(&before[i], &after)
                                               : check_more_sectors(&before[i], &after);
    }
    /* four of thirteen come in a chunk by quota; by sectors it has one cell in thirteen */
    const double draws = rule == PTL_PLACEMENT_QUOTA ? CHUNKS : CHUNKS * ROOM;
    const double share = rule == PTL_PLACEMENT_QUOTA ? 4.0 / 13 : 1.0 / 13;
    ck_assert_double_eq_tol(changes / draws, share, 4.5 * sqrt(share * (1 - share) / draws));
    scene_close(&scene);
}

START_TEST(one_more_leaves_the_order)
{
    check_one_more(PTL_PLACEMENT_QUOTA, 2, 2);
    check_one_more(PTL_PLACEMENT_SECTORS, 0, 144);
}
END_TEST

/* Ties alone are drawn: a larger one, and one of priority, still come before. */
START_TEST(ties_alone)
{
    scene_setup(&scene, 32, PTL_PLACEMENT_QUOTA);
    for (int i = 0; i < KINDS; i++)
        scene_special(&scene, ids[i], 1, 1, 2, 2);
    cat_special *ahead = scene_special(&scene, ids[KINDS], 1, 1, 3, 3);
    ahead->priority = 1;
    scene_open(&scene);
    for (int i = 0; i < 30; i++) {
        make_narrow(i);
        ck_assert_int_eq(scene_placed(&scene, ahead), 3);
    }
    scene_close(&scene);
}
END_TEST

TCase *rules_equal_case(void)
{
    TCase *c = tcase_create("equal");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, equal_ones_come_equally);
    tcase_add_test(c, one_more_leaves_the_order);
    tcase_add_test(c, ties_alone);
    return c;
}
