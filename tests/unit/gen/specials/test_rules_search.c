/* Where growths need ground that is rare it is found: what a root needs beside it among all
 * origins, what lies farther away by trying them. */
#include "unit/gen/specials/rules_scene.h"

#include "gen/mutable/growth.h"

#include <string.h>

enum { CHUNKS = 36 };

static rules_scene scene;
static int32_t wood; /* cells of forest a side */

/* Some forest in each chunk, somewhere else each time. */
static void make_chunk(int32_t i)
{
    const int32_t x = 10 + i * 37 % 150, y = 10 + i * 53 % 150;
    scene_chunk(&scene, i, 1);
    if (wood > 0)
        scene_fill(&scene, "forest", x, y, x + wood - 1, y + wood - 1);
    scene_run(&scene);
}

/* In how many of the chunks one is placed, and how many of these have their piece in the wood.
 */
static int placed_in(const cat_special *s, uint16_t piece, int *in_wood)
{
    int placed = 0;
    *in_wood = 0;
    for (int32_t i = 0; i < CHUNKS; i++) {
        make_chunk(i);
        placed += scene_placed(&scene, s);
        const gen_features *f = &scene.gen->features;
        const int32_t x = 10 + i * 37 % 150, y = 10 + i * 53 % 150;
        for (size_t k = 0; k < f->piece_count; k++)
            *in_wood += f->pieces[k].piece == piece && f->pieces[k].x >= x &&
                        f->pieces[k].x < x + wood && f->pieces[k].y >= y &&
                        f->pieces[k].y < y + wood;
    }
    return placed;
}

static void open_vine(ptl_placement rule, cat_special **out)
{
    scene_setup(&scene, 41, rule);
    *out = scene_vine(&scene, "vine", 1, 1);
}

/* The first piece beside the root takes forest alone: of 31,000 origins four fit, and by both
 * rules one of them is found. Nothing is tried elsewhere. */
START_TEST(beside_the_root)
{
    wood = 1;
    for (int rule = 0; rule < 2; rule++) {
        cat_special *s;
        int in_wood;
        open_vine(rule ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA, &s);
        scene.pieces[1].allows = scene.joins[0].into = scene_location(&scene, "wood");
        scene_open(&scene);
        ck_assert_int_eq(placed_in(s, 1, &in_wood), CHUNKS);
        ck_assert_int_eq(in_wood, CHUNKS);
        ck_assert_int_eq(scene_attempt(&scene, s)->ground, 4);
        ck_assert_int_eq(scene_attempt(&scene, s)->failed, 0);
        scene_close(&scene);
    }
}
END_TEST

/* The leaf does, two cells away: nobody knows that beforehand, and all origins are tried. Of
 * 124,000 with their rotations twenty fit. */
START_TEST(farther_away)
{
    cat_special *s;
    int in_wood;
    wood = 5;
    open_vine(PTL_PLACEMENT_QUOTA, &s);
    scene.pieces[2].allows = scene.joins[2].into = scene_location(&scene, "wood");
    scene_open(&scene);
    ck_assert_int_eq(placed_in(s, 2, &in_wood), CHUNKS);
    ck_assert_int_eq(in_wood, CHUNKS);
    scene_close(&scene);
}
END_TEST

/* The root's own join leads into forest alone, though the stalk takes field, too: as the
 * documents say it leads there. The games don't ask it of the root: with compat nearly all
 * stalks stand in the field. */
START_TEST(where_a_root_leads)
{
    wood = 3;
    for (int compat = 0; compat < 2; compat++) {
        uint64_t both[8] = {0};
        cat_special *s;
        int in_wood;
        open_vine(PTL_PLACEMENT_QUOTA, &s);
        const size_t words = (scene.cat.terrain_count + 63) / 64;
        const ptl_terrain_set forest = scene_location(&scene, "wood");
        ck_assert_uint_le(words, sizeof both / sizeof both[0]);
        for (size_t w = 0; w < words; w++)
            both[w] = forest[w] | scene_location(&scene, "field")[w];
        scene.pieces[1].allows = scene.pieces[2].allows = scene.joins[2].into = both;
        scene.joins[0].into = forest;
        scene.options.compat = compat;
        scene_open(&scene);
        ck_assert_int_eq(placed_in(s, 1, &in_wood), CHUNKS);
        ck_assert_int_eq(in_wood, compat ? 0 : CHUNKS);
        scene_close(&scene);
    }
}
END_TEST

static void turn_down(cat_piece *piece, int from, int to)
{
    piece->sides[to] = piece->sides[from];
    piece->sides[from].join = -1;
}

/* A root's join that states no ground of its own has that of its special, which means the
 * surface: down from it the level's rock does, as for OMTs without locations. */
START_TEST(without_ground_of_its_own)
{
    wood = 0;
    for (int own = 0; own < 2; own++) {
        cat_special *s;
        int in_wood;
        open_vine(PTL_PLACEMENT_QUOTA, &s);
        turn_down(&scene.pieces[0], 0, CAT_BELOW);
        turn_down(&scene.pieces[1], 2, CAT_ABOVE);
        scene.pieces[1].sides[0].join = -1;
        scene.pieces[1].allows = scene_location(&scene, "subterranean");
        scene.joins[0].own = own;
        scene_open(&scene);
        ck_assert_int_eq(placed_in(s, 1, &in_wood), own ? 0 : CHUNKS);
        scene_close(&scene);
    }
}
END_TEST

/* What no ground of the chunk can be is not tried anywhere: where the root itself leads down
 * into field no origin fits; where the stalk does one growth tells that none ever comes out. */
START_TEST(nowhere)
{
    wood = 0;
    for (int i = 0; i < 4; i++) {
        const bool deep = i / 2;
        cat_special *s;
        open_vine(i % 2 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA, &s);
        turn_down(&scene.pieces[deep], 0, CAT_BELOW);
        turn_down(&scene.pieces[deep + 1], 2, CAT_ABOVE);
        scene_open(&scene);
        for (int k = 0; k < 2; k++) {
            make_chunk(k);
            const gen_attempt *a = scene_attempt(&scene, s);
            ck_assert_ptr_nonnull(a);
            ck_assert_int_eq(a->ground > 0, deep);
            ck_assert_int_eq(a->failed, deep);
            ck_assert_int_eq(a->placed, 0);
        }
        scene_close(&scene);
    }
}
END_TEST

TCase *rules_search_case(void)
{
    TCase *c = tcase_create("search");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, beside_the_root);
    tcase_add_test(c, farther_away);
    tcase_add_test(c, where_a_root_leads);
    tcase_add_test(c, without_ground_of_its_own);
    tcase_add_test(c, nowhere);
    return c;
}
