/* Sets of bits, and specials at the limits: of the chunk, of the levels, of what is sane. */
#include "gen/sites/sites_impl.h"
#include "unit/gen/sites/test_sites.h"

#include <stdlib.h>
#include <string.h>

/* ---- bits ---- */

static site_bits random_bits(rng *r, int32_t one_in)
{
    site_bits bits;
    memset(&bits, 0, sizeof bits);
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        if (rng_one_in(r, one_in))
            bits.words[i / SIZE * SITE_WORDS + i % SIZE / 64] |= UINT64_C(1) << (i % SIZE % 64);
    return bits;
}

START_TEST(bits_are_counted_and_found)
{
    static const int32_t densities[] = {1, 2, 7, 300, 20000, 1 << 30};
    rng r = rng_from_key((uint64_t)_i);
    const site_bits bits = random_bits(&r, densities[_i]);
    int32_t count = 0;
    for (int32_t i = 0; i < SIZE * SIZE; i++)
        count += site_has(&bits, i % SIZE, i / SIZE);
    ck_assert_int_eq(site_count(&bits), count);
}
END_TEST

START_TEST(bits_are_joined)
{
    rng r = rng_from_key((uint64_t)_i);
    const site_bits a = random_bits(&r, 3), b = random_bits(&r, 2);
    site_bits both = a;
    site_and(&both, &b);
    int wrong = 0;
    for (int32_t y = 0; y < SIZE; y++)
        for (int32_t x = 0; x < SIZE; x++)
            wrong += site_has(&both, x, y) != (site_has(&a, x, y) && site_has(&b, x, y));
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* Rows at once, and one by one, as cell by cell: also partly or wholly outside. */
START_TEST(bits_of_rows_are_those_of_cells)
{
    rng r = rng_from_key((uint64_t)_i);
    const site_bits bits = random_bits(&r, 2);
    for (int n = 0; n < 300; n++) {
        uint64_t rows[2 * SIZE];
        const int32_t x = rng_range(&r, -70, SIZE + 5), y = rng_range(&r, -30, SIZE + 5);
        const int32_t count = rng_range(&r, 0, n % 10 ? 20 : 2 * SIZE);
        bits_of_rows(rows, bits.words, x, y, count);
        for (int32_t k = 0; k < count; k++) {
            uint64_t want = 0;
            for (int32_t i = 0; i < 64; i++)
                if (inside(x + i, y + k) && site_has(&bits, x + i, y + k))
                    want |= UINT64_C(1) << i;
            ck_assert_uint_eq(rows[k], want);
            ck_assert_uint_eq(bits_of_row(bits.words, x, y + k), want);
        }
    }
}
END_TEST

TCase *sites_bits_case(void)
{
    TCase *tc = tcase_create("bits");
    tcase_add_loop_test(tc, bits_of_rows_are_those_of_cells, 0, 6);
    tcase_add_loop_test(tc, bits_are_counted_and_found, 0, 6);
    tcase_add_loop_test(tc, bits_are_joined, 0, 3);
    return tc;
}

/* ---- limits ---- */

static const char *const LAND[] = {"field", NULL};
static const char *const NOTHING[] = {NULL};

/* The first special gets an OMT; one more makes it larger. */
static void add_omt(site_content *c, size_t special, int32_t x, int32_t y, int32_t z,
                    const char *const *types)
{
    cat_special *s = &c->specials[special];
    const ptl_terrain_set set = site_set(c, types == NOTHING, types);
    cat_omt *t = &c->omts[special][s->omt_count++];
    *t = (cat_omt){.z = (int8_t)z, .own = true, .allows = set};
    t->x = (int16_t)x;
    t->y = (int16_t)y;
    if (c->cat.special_count <= special)
        c->cat.special_count = special + 1;
}

static void add_nested(site_content *c, size_t special, size_t inner, int32_t x)
{
    cat_special *s = &c->specials[special];
    c->nested[special][s->nested_count++] =
        (cat_nested){.x = (int16_t)x, .special = (uint16_t)inner};
    if (c->cat.special_count <= special)
        c->cat.special_count = special + 1;
}

static void add_check(site_content *c, size_t special, cat_check check)
{
    cat_special *s = &c->specials[special];
    s->layout = site_layout(c, special);
    s->checks = c->checks[special];
    check.allows = site_set(c, 0, LAND);
    check.own = true;
    c->checks[special][s->check_count++] = check;
    if (c->cat.special_count <= special)
        c->cat.special_count = special + 1;
}

static int32_t origins(site_scene *s, uint16_t special, int rotation)
{
    site_bits bits;
    site_ground(s->g, special, rotation, &bits);
    site_links(s->g, special, rotation, &bits);
    return site_count(&bits);
}

/* Disposes of the content. */
static void expect(site_content *c, uint16_t special, bool possible, int32_t count)
{
    site_scene s = scene_new(c, false);
    site_map_begin(s.g);
    ck_assert_int_eq(site_possible(s.g, special), possible);
    for (int rotation = 0; rotation < 4; rotation++)
        ck_assert_int_eq(origins(&s, special, rotation), count);
    uint64_t rows[SIZE];
    int32_t seen = 0;
    for (int32_t x = 0; x < SIZE; x += 60) {
        site_window(s.g, special, 1, x, 0, 60, SIZE, rows);
        for (int32_t y = 0; y < SIZE; y++)
            for (uint64_t row = rows[y]; row; row &= row - 1)
                seen++;
    }
    ck_assert_int_eq(seen, count);
    site_map_end(s.g);
    scene_dispose(&s);
}

START_TEST(a_omt_keeps_off_the_border)
{
    site_content *c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    expect(c, 0, true, 178 * 178);
    c = site_content_new();
    add_omt(c, 0, 178, 0, 0, LAND); /* the origin may lie on the border itself */
    expect(c, 0, true, 178);
    c = site_content_new();
    add_omt(c, 0, -178, -178, 0, LAND);
    expect(c, 0, true, 1);
    c = site_content_new();
    add_omt(c, 0, 179, 0, 0, LAND);
    expect(c, 0, false, 0);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    add_omt(c, 0, 177, 2, 0, LAND);
    expect(c, 0, true, 176);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    add_omt(c, 0, 0, 178, 0, LAND);
    expect(c, 0, false, 0);
}
END_TEST

START_TEST(what_stands_nowhere_is_impossible)
{
    site_content *c = site_content_new();
    c->cat.special_count = 1;
    c->specials[0].omts = NULL;
    expect(c, 0, false, 0);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 0, NOTHING);
    expect(c, 0, false, 0);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 11, LAND);
    expect(c, 0, false, 0);
    c = site_content_new();
    add_check(c, 0, (cat_check){.x1 = 178});
    expect(c, 0, false, 0);
    c = site_content_new();
    add_check(c, 0, (cat_check){.z0 = -128, .z1 = 127});
    expect(c, 0, false, 0);
    c = site_content_new();
    add_check(c, 0, (cat_check){.x0 = INT16_MIN, .y0 = INT16_MIN, .x1 = INT16_MAX});
    expect(c, 0, false, 0);
    c = site_content_new();
    add_check(c, 0, (cat_check){.x1 = 177, .y1 = 177});
    expect(c, 0, true, 1);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    add_omt(c, 1, 0, 0, 0, LAND);
    c->omts[0][0].z = 8;
    c->omts[0][0].own = false;
    add_nested(c, 1, 0, 0);
    c->nested[1][0].z = 3; /* 8 + 3 is above the sky */
    expect(c, 1, false, 0);
}
END_TEST

START_TEST(links_that_can_never_be_leave_the_ground)
{
    for (int kind = 0; kind < 3; kind++) {
        site_content *c = site_content_new();
        add_omt(c, 0, 0, 0, 0, LAND);
        c->specials[0].link_count = 1;
        c->links[0][0] = (cat_link){.existing = true, .carries = site_set(c, 1, NOTHING)};
        if (kind > 0)
            c->links[0][0].carries = site_set(c, 0, LAND);
        if (kind == 1)
            c->links[0][0].z = -11;
        if (kind == 2)
            c->links[0][0].x = 1000;
        site_scene s = scene_new(c, false);
        site_map_begin(s.g);
        site_bits bits;
        site_ground(s.g, 0, 0, &bits);
        ck_assert_int_eq(site_count(&bits), 178 * 178);
        site_links(s.g, 0, 0, &bits);
        ck_assert_int_eq(site_count(&bits), 0);
        ck_assert(!site_fits(s.g, 0, 0, 90, 90));
        site_map_end(s.g);
        scene_dispose(&s);
    }
}
END_TEST

/* A link that any cell of an untouched level satisfies still keeps off the border. */
START_TEST(links_on_a_level_that_is_all_the_same)
{
    static const char *const air[] = {"open_air", NULL};
    site_content *c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    c->specials[0].link_count = 1;
    c->links[0][0] = (cat_link){.x = 3, .z = 2, .existing = true};
    c->links[0][0].carries = site_set(c, 2, air);
    expect(c, 0, true, 178 * 175);
}
END_TEST

/* Roads start on a field, trails do not. */
START_TEST(links_ask_for_their_own_connection)
{
    static const char *const ways[] = {"local_road", "forest_trail"};
    site_content *c = site_content_new();
    for (size_t i = 0; i < 2; i++) {
        add_omt(c, i, 0, 0, 0, LAND);
        c->specials[i].link_count = 1;
        c->links[i][0].connection = catalogue_connection(&c->cat, ways[i]);
        c->links[i][0].carries = site_set(c, 1, NOTHING);
    }
    site_scene s = scene_new(c, false);
    site_map_begin(s.g);
    ck_assert_int_eq(origins(&s, 0, 0), 178 * 178);
    ck_assert_int_eq(origins(&s, 1, 0), 0);
    ck_assert_int_eq(site_score(s.g, 0, 0, 50, 50), 0);
    site_map_end(s.g);
    scene_dispose(&s);
}
END_TEST

/* A nested special that a mod switched off asks for nothing; one without OMTs of its own is
 * not placed whatever it holds. */
START_TEST(nested_ones_without_omts)
{
    site_content *c = site_content_new();
    c->cat.special_count = 1;
    add_omt(c, 1, 0, 0, 0, LAND);
    add_nested(c, 1, 0, 5);
    expect(c, 1, true, 178 * 178);
    c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    add_nested(c, 1, 0, 5);
    expect(c, 1, false, 0);
}
END_TEST

/* Off the ground an OMT takes the level's default unless it states locations of its own. */
START_TEST(the_levels_default)
{
    for (int compat = 0; compat < 2; compat++)
        for (int own = 0; own < 2; own++)
            for (int32_t z = -1; z <= 1; z++) {
                site_content *c = site_content_new();
                add_omt(c, 0, 0, 0, z, LAND);
                c->omts[0][0].own = own;
                add_check(c, 1, (cat_check){.z0 = (int8_t)z, .z1 = (int8_t)z});
                site_scene s = scene_new(c, compat);
                site_map_begin(s.g);
                const int32_t all = 178 * 178;
                ck_assert_int_eq(origins(&s, 0, 0), z == 0 || !own || compat ? all : 0);
                ck_assert_int_eq(origins(&s, 1, 0), z == 0 || compat ? all : 0);
                site_map_end(s.g);
                scene_dispose(&s);
            }
}
END_TEST

/* Nesting that doubles at each step, and a long chain: neither hangs nor overflows. */
START_TEST(hostile_nesting_ends)
{
    site_content *c = site_content_new();
    add_omt(c, 0, 0, 0, 0, LAND);
    for (size_t i = 1; i < 14; i++) {
        add_omt(c, i, 0, 0, 0, LAND);
        for (int32_t k = 0; k < SITE_NESTED; k++)
            add_nested(c, i, i - 1, k);
    }
    site_scene s = scene_new(c, false);
    site_map_begin(s.g);
    ck_assert_int_eq(origins(&s, 3, 0), 178 * (178 - 6));
    ck_assert(!site_possible(s.g, 13));
    ck_assert_int_eq(origins(&s, 13, 0), 0);
    site_map_end(s.g);
    scene_dispose(&s);
}
END_TEST

/* A cell that changes and changes back; a level that was uniform until then. */
START_TEST(one_cell_decides)
{
    site_content *c = site_content_new();
    for (int32_t i = 0; i < 25; i++)
        add_omt(c, 0, i % 5, i / 5, 0, LAND);
    add_omt(c, 1, 0, 0, 2, LAND);
    c->omts[1][0].own = false;
    site_scene s = scene_new(c, false);
    const ptl_oter forest = catalogue_oter(s.config->cat, "forest");
    const ptl_oter field = catalogue_oter(s.config->cat, "field");
    const ptl_oter air = catalogue_oter(s.config->cat, "open_air");
    const int32_t cell = 90 * SIZE + 64;
    site_map_begin(s.g);
    ck_assert_int_eq(origins(&s, 0, 2), 174 * 174);
    cell_set(s.g, s.g->ground, 0, cell, forest);
    ck_assert_int_eq(origins(&s, 0, 2), 174 * 174 - 25);
    ck_assert_uint_eq(site_gains(s.g, 0), 0);
    cell_set(s.g, s.g->ground, 0, cell, field);
    ck_assert_uint_eq(site_gains(s.g, 0), 1);
    ck_assert_int_eq(origins(&s, 0, 2), 174 * 174);
    cell_set(s.g, s.g->ground, 0, 5, forest); /* the border ring does not matter */
    ck_assert_int_eq(origins(&s, 0, 2), 174 * 174);
    ptl_oter *above = cells_at(s.g, 2);
    ck_assert_int_eq(origins(&s, 1, 0), 178 * 178);
    cell_set(s.g, above, 2, cell, forest);
    ck_assert_int_eq(origins(&s, 1, 0), 178 * 178 - 1);
    cell_set(s.g, above, 2, cell, air);
    ck_assert_int_eq(origins(&s, 1, 0), 178 * 178);
    site_map_end(s.g);
    scene_dispose(&s);
}
END_TEST

TCase *sites_edges_case(void)
{
    TCase *tc = tcase_create("edges");
    tcase_add_test(tc, a_omt_keeps_off_the_border);
    tcase_add_test(tc, what_stands_nowhere_is_impossible);
    tcase_add_test(tc, links_that_can_never_be_leave_the_ground);
    tcase_add_test(tc, links_on_a_level_that_is_all_the_same);
    tcase_add_test(tc, links_ask_for_their_own_connection);
    tcase_add_test(tc, nested_ones_without_omts);
    tcase_add_test(tc, the_levels_default);
    tcase_add_test(tc, hostile_nesting_ends);
    tcase_add_test(tc, one_cell_decides);
    return tc;
}
