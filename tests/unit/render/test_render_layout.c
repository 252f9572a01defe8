/*
 * The layout of pictures: the legend counts what is drawn, names stand apart, steps of
 * coordinates are round, and everything lies on the page. Properties over many sizes; the seed
 * is the loop's index. (Inner loops compare by `if`: each of Check's assertions is a system
 * call.)
 */
#include "unit/render/test_render.h"

#include "core/hash.h"
#include "render/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

START_TEST(test_steps)
{
    ck_assert_int_eq(frame_round_up(-3), 1);
    ck_assert_int_eq(frame_round_up(1), 1);
    ck_assert_int_eq(frame_round_up(3), 5);
    ck_assert_int_eq(frame_round_up(51), 100);
    ck_assert_int_eq(frame_omt_step(6), 10);
    ck_assert_int_eq(frame_omt_step(31), 60);
    ck_assert_int_eq(frame_omt_step(181), 360);
    ck_assert_int_eq(frame_omt_step(1000), 1800);
    for (int64_t least = 1; least < 3000; least++) {
        const int64_t step = frame_omt_step(least);
        ck_assert_int_ge(step, least);
        ck_assert(step % PTL_CHUNK_SIZE == 0 || PTL_CHUNK_SIZE % step == 0 || step == 20);
    }
    ck_assert_int_ge(frame_round_up(INT64_MAX), INT64_MAX);
}
END_TEST

START_TEST(test_numbers)
{
    char text[32];
    captions_number(text, 0);
    ck_assert_str_eq(text, "0");
    captions_number(text, 999);
    ck_assert_str_eq(text, "999");
    captions_number(text, 1000);
    ck_assert_str_eq(text, "1,000");
    captions_number(text, UINT64_MAX);
    ck_assert_str_eq(text, "18,446,744,073,709,551,615");
}
END_TEST

/* ---- legend ---- */

START_TEST(test_groups)
{
    uint8_t *groups = terrain_groups_new(&fake_catalogue);
    ck_assert_ptr_nonnull(groups);
    ck_assert_int_eq(groups[0], GROUP_LAND); /* a building's, but the region's own ground */
    ck_assert_int_eq(groups[1], GROUP_LAND);
    ck_assert_int_eq(groups[2], GROUP_WAYS);
    ck_assert_int_eq(groups[3], GROUP_CITY);
    free(groups);
}
END_TEST

START_TEST(test_legend_entries)
{
    const uint64_t tiles[FAKE_COUNT + 1] = {10, 30, 2, 3, 1, 7};
    look *looks = looks_new(&fake_catalogue);
    legend l;
    ck_assert_int_eq(legend_init(&l, &fake_catalogue, looks, tiles, false, NULL), PTL_OK);
    ck_assert_uint_eq(l.entry_count, 4);
    ck_assert_uint_eq(l.unsaved, 7);
    static const struct {
        const char *name;
        terrain_group group;
        ptl_oter oter;
        uint64_t tiles;
    } want[] = {{"forest", GROUP_LAND, FAKE_FOREST, 30},
                {"field", GROUP_LAND, FAKE_FIELD, 10},
                {"road", GROUP_WAYS, FAKE_ROAD_END, 5}, /* both roads; more of them are ends */
                {"inverse", GROUP_CITY, FAKE_INVERSE, 1}}; /* no name: its id */
    for (size_t i = 0; i < 4; i++) {
        ck_assert_str_eq(l.entries[i].name, want[i].name);
        ck_assert_int_eq(l.entries[i].group, want[i].group);
        ck_assert_uint_eq(l.entries[i].most, want[i].oter);
        ck_assert_uint_eq(l.entries[i].tiles, want[i].tiles);
    }
    static const size_t first[] = {0, 2, 2, 3, 4, 4};
    ck_assert_mem_eq(l.first, first, sizeof first);
    legend_dispose(&l);
    free(looks);
}
END_TEST

/* Terrains of one name are one entry if they look alike, and with symbols if those are alike.
 */
START_TEST(test_legend_merges)
{
    static const cat_terrain terrains[] = {
        {.id = "a", .name = "house", .color = "red", .symbol = '^', .count = 1},
        {.id = "b", .name = "house", .color = "red", .symbol = 'H', .first = 1, .count = 1},
        {.id = "c", .name = "house", .color = "green", .symbol = '^', .first = 2, .count = 1}};
    static const cat_oter oters[] = {{.id = "a", .terrain = 0, .symbol = '^'},
                                     {.id = "b", .terrain = 1, .symbol = 'H'},
                                     {.id = "c", .terrain = 2, .symbol = '^'}};
    static const catalogue cat = {
        .terrains = terrains, .terrain_count = 3, .oters = oters, .oter_count = 3};
    const uint64_t tiles[] = {1, 5, 2, 0};
    look *looks = looks_new(&cat);
    legend l;
    ck_assert_int_eq(legend_init(&l, &cat, looks, tiles, false, NULL), PTL_OK);
    ck_assert_uint_eq(l.entry_count, 2);
    ck_assert_uint_eq(l.entries[0].tiles, 6);
    ck_assert_uint_eq(l.entries[0].most, 1);
    ck_assert_uint_eq(l.entries[1].tiles, 2);
    legend_dispose(&l);
    ck_assert_int_eq(legend_init(&l, &cat, looks, tiles, true, NULL), PTL_OK);
    ck_assert_uint_eq(l.entry_count, 3);
    legend_dispose(&l);
    free(looks);
}
END_TEST

/* A random legend: the lines that are shown are no more than there are, no group with entries
 * is left out, no line is wasted, and entries shown and rest make up all tiles. */
START_TEST(test_legend_lines)
{
    rng r = rng_from_key(hash_add(1, (uint64_t)_i));
    legend l = {.unsaved = rng_below(&r, 2)};
    for (int g = 0; g < GROUP_COUNT; g++)
        l.first[g + 1] = l.first[g] + rng_below(&r, rng_below(&r, 2) ? 4 : 60);
    l.entry_count = l.first[GROUP_COUNT];
    l.entries = calloc(l.entry_count + 1, sizeof *l.entries);
    ck_assert_ptr_nonnull(l.entries);
    uint64_t all = 0, seen = 0;
    for (size_t i = 0; i < l.entry_count; i++)
        all += l.entries[i].tiles = 1 + rng_below(&r, 1000);
    const size_t lines = 3 * GROUP_COUNT + 1 + rng_below(&r, 80);
    size_t shown[GROUP_COUNT], used = l.unsaved, hidden = 0;
    ck_assert_uint_le(legend_choose(&l, lines, shown), lines);
    for (int g = 0; g < GROUP_COUNT; g++) {
        const size_t size = l.first[g + 1] - l.first[g];
        ck_assert_uint_le(shown[g], size);
        ck_assert(shown[g] > 0 || size == 0);
        used += shown[g] + (shown[g] > 0) + (shown[g] < size);
        hidden += size - shown[g];
        for (size_t i = 0; i < shown[g]; i++)
            seen += l.entries[l.first[g] + i].tiles;
        seen += legend_rest(&l, g, shown[g]);
    }
    ck_assert_uint_eq(used, legend_choose(&l, lines, shown));
    ck_assert(hidden == 0 || used == lines);
    ck_assert_uint_eq(seen, all);
    legend_dispose(&l);
}
END_TEST

/* ---- names ---- */

static void offer_random(name_list *list, rng *r, int64_t side, int cities)
{
    for (int i = 0; i < cities; i++) {
        char name[24];
        snprintf(name, sizeof name, "City %u", (unsigned)rng_below(r, 5000));
        names_offer(list, (int64_t)rng_below(r, (uint32_t)side),
                    (int64_t)rng_below(r, (uint32_t)side), 1 + (int32_t)rng_below(r, 18), name);
    }
}

/* Where a text's pixels lie, its edge included. */
static void box_of(const drawn_text *t, int64_t box[4])
{
    box[0] = t->x - t->zoom;
    box[1] = t->y - t->zoom;
    box[2] = t->x + lettering_width(t->text, t->zoom) + t->zoom;
    box[3] = t->y + (int64_t)(FONT_TEXT_HEIGHT + 1) * t->zoom;
}

START_TEST(test_names_apart)
{
    rng r = rng_from_key(hash_add(4, (uint64_t)_i));
    const int64_t side = 20 + (int64_t)rng_below(&r, 500);
    const int32_t scale = 1 << rng_below(&r, 5);
    const viewport v = {.x1 = side - 1,
                        .y1 = side - 1,
                        .z_step = 1,
                        .width = (size_t)side,
                        .height = (size_t)side,
                        .level_count = 1};
    page p;
    drawing d = {.failed = false};
    name_list list;
    page_measure(&p, &v, scale, PTL_RENDER_NAMES | PTL_RENDER_GRID);
    page_place(&p, 0);
    ck_assert_int_eq(names_init(&list, NULL), PTL_OK);
    offer_random(&list, &r, side, 300);
    const size_t placed = names_place(&list, &p, &v, &d);
    ck_assert_uint_eq(placed, d.text_count);
    for (size_t i = 0; i < d.text_count; i++) {
        int64_t a[4], b[4];
        box_of(&d.texts[i], a);
        ck_assert(a[0] >= p.map_x && a[2] <= p.map_x + p.map_width);
        ck_assert(a[1] >= p.map_y && a[3] <= p.map_y + p.map_height);
        for (size_t k = 0; k < i; k++) {
            box_of(&d.texts[k], b);
            if (a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])
                ck_abort_msg("'%s' lies on '%s'", d.texts[i].text, d.texts[k].text);
        }
    }
    ck_assert(placed > 0 || side * scale < 300);
    names_dispose(&list);
    drawing_dispose(&d);
}
END_TEST

/* Of more cities than are kept the largest stay, whatever the order in which they come. */
START_TEST(test_names_largest)
{
    enum { CITIES = NAMES_MAX + 700 };
    name_list forth, back;
    ck_assert_int_eq(names_init(&forth, NULL), PTL_OK);
    ck_assert_int_eq(names_init(&back, NULL), PTL_OK);
    for (int i = 0; i < CITIES; i++) {
        char name[24];
        const int k = (int)((long)i * 1009 % CITIES);
        snprintf(name, sizeof name, "City %d", k);
        names_offer(&forth, k, 0, 1 + k / 10, name);
        const int m = CITIES - 1 - i;
        snprintf(name, sizeof name, "City %d", m);
        names_offer(&back, m, 0, 1 + m / 10, name);
    }
    names_offer(&forth, 0, 0, 9999, "");
    const viewport v = {
        .x1 = 99999, .y1 = 0, .z_step = 1, .width = 100000, .height = 1, .level_count = 1};
    page p;
    drawing d = {.failed = false};
    page_measure(&p, &v, 1, PTL_RENDER_NAMES);
    names_place(&forth, &p, &v, &d); /* sorts; the map is too low for any */
    names_place(&back, &p, &v, &d);
    ck_assert_uint_eq(d.text_count, 0);
    ck_assert_uint_eq(forth.count, NAMES_MAX);
    for (int i = 0; i < NAMES_MAX; i++) {
        ck_assert_int_eq(forth.names[i].x, back.names[i].x);
        ck_assert_int_ge(forth.names[i].x, CITIES - NAMES_MAX - 10);
        ck_assert(i == 0 || forth.names[i - 1].size >= forth.names[i].size);
    }
    names_dispose(&forth);
    names_dispose(&back);
    drawing_dispose(&d);
}
END_TEST

/* ---- whole sheets ---- */

typedef struct pixels {
    int64_t width, height, map_x, map_y, map_width, map_height, panel_step;
    uint8_t *data; /* owned */
} pixels;

static pixels draw(const ptl_render_options *o)
{
    ptl_error err;
    sheet s;
    ptl_status status = sheet_init(&s, fake_world(false), o, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    const page *p = &s.page;
    pixels out = {p->width,     p->height,     p->map_x,      p->map_y,
                  p->map_width, p->map_height, p->panel_step, NULL};
    out.data = malloc((size_t)(out.width * out.height));
    ck_assert_ptr_nonnull(out.data);
    for (int64_t y = 0; y < out.height; y++) {
        const uint8_t *row;
        ck_assert_int_eq(sheet_row(&s, y, &row, &err), PTL_OK);
        memcpy(out.data + y * out.width, row, (size_t)out.width);
    }
    sheet_dispose(&s);
    return out;
}

static ptl_render_options random_options(rng *r)
{
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.style = PTL_STYLE_TERMINAL;
    const bool symbols = rng_below(r, 3) == 0;
    o.scale = symbols ? 8 + (int32_t)rng_below(r, 9) : 1 + (int32_t)rng_below(r, 6);
    o.symbols = symbols;
    const uint32_t side = rng_below(r, 4) == 0 ? 8 : 500 / (uint32_t)o.scale;
    o.x0 = (int64_t)rng_below(r, 800) - 400;
    o.y0 = (int64_t)rng_below(r, 800) - 400;
    o.x1 = o.x0 + rng_below(r, side);
    o.y1 = o.y0 + rng_below(r, side);
    o.z_last = rng_below(r, 3) == 0 ? -(int32_t)rng_below(r, 4) : 0;
    return o;
}

/*
 * Whatever stands around it, the map is the bare one, pixel for pixel; only the grid's and the
 * names' own colours cover it, and a tenth of it at most, where it is large.
 */
START_TEST(test_map_is_bare)
{
    rng r = rng_from_key(hash_add(7, (uint64_t)_i));
    ptl_render_options o = random_options(&r);
    pixels bare = draw(&o);
    ck_assert_int_eq(bare.map_x, 0);
    ck_assert_int_eq(bare.map_y, 0);
    ck_assert_int_eq(bare.width, bare.map_width);
    o.parts = rng_below(&r, PTL_RENDER_ALL) + 1;
    pixels full = draw(&o);
    const int64_t panel = (o.x1 - o.x0 + 1) * o.scale;
    int64_t covered = 0;
    ck_assert_int_eq(full.map_height, bare.map_height);
    for (int64_t y = 0; y < bare.map_height; y++) {
        const uint8_t *a = bare.data + y * bare.width;
        const uint8_t *b = full.data + (full.map_y + y) * full.width + full.map_x;
        for (int64_t x = 0; x < bare.width; x++) {
            const int64_t nth = x / bare.panel_step, inside = x % bare.panel_step;
            if (inside >= panel) {
                if (a[x] != PALETTE_GAP)
                    ck_abort_msg("%d,%d is no gap", (int)x, (int)y);
                continue;
            }
            const uint8_t seen = b[nth * full.panel_step + inside];
            const bool grid = (o.parts & PTL_RENDER_GRID) && seen == PALETTE_GRID;
            const bool name = (o.parts & PTL_RENDER_NAMES) &&
                              (seen == PALETTE_NAME || seen == PALETTE_NAME_EDGE);
            if (seen != a[x] && !grid && !name)
                ck_abort_msg("%d,%d: %d, bare %d", (int)x, (int)y, seen, a[x]);
            covered += seen != a[x];
        }
    }
    ck_assert(panel < 250 || bare.map_height < 250 ||
              covered < bare.map_width * bare.map_height / 10);
    free(bare.data);
    free(full.data);
}
END_TEST

/* The outermost pixels are paper: nothing is cut at the picture's sides; and everything that
 * was asked for is there. */
START_TEST(test_page_holds_all)
{
    rng r = rng_from_key(hash_add(10, (uint64_t)_i));
    ptl_render_options o = random_options(&r);
    size_t count[PALETTE_SIZE] = {0};
    o.parts = PTL_RENDER_ALL;
    pixels p = draw(&o);
    for (int64_t y = 0; y < p.height; y++) {
        for (int64_t x = 0; x < p.width; x++) {
            const uint8_t seen = p.data[y * p.width + x];
            const bool outer = x < 2 || y < 2 || x >= p.width - 2 || y >= p.height - 2;
            if (outer && seen != PALETTE_PAPER)
                ck_abort_msg("%d,%d of %d,%d", (int)x, (int)y, (int)p.width, (int)p.height);
            count[seen]++;
        }
    }
    ck_assert_uint_gt(count[PALETTE_TEXT], 100);
    ck_assert_uint_gt(count[PALETTE_FAINT], 100);
    ck_assert_uint_gt(count[PALETTE_FRAME], 30);
    free(p.data);
}
END_TEST

/* A strip wants more room between its levels where each has a frame: none covers another. */
START_TEST(test_strip_frames)
{
    ptl_render_options o = {.size = sizeof o,
                            .style = PTL_STYLE_TERMINAL,
                            .x0 = 10,
                            .x1 = 709,
                            .y0 = 10,
                            .y1 = 709,
                            .z_last = -2,
                            .scale = 1};
    o.parts = PTL_RENDER_GRID;
    pixels p = draw(&o);
    const uint8_t *row = p.data + (p.map_y + 1) * p.width + p.map_x;
    for (int64_t nth = 0; nth < 3; nth++) {
        if (nth > 0)
            ck_assert_int_eq(row[nth * p.panel_step - (p.panel_step - 700) / 2], PALETTE_PAPER);
        ck_assert_int_eq(row[nth * p.panel_step - 1], PALETTE_FRAME);
        ck_assert_int_eq(row[nth * p.panel_step + 700], PALETTE_FRAME);
        ck_assert_int_ne(row[nth * p.panel_step], PALETTE_FRAME);
        ck_assert_int_ne(row[nth * p.panel_step + 699], PALETTE_FRAME);
    }
    free(p.data);
}
END_TEST

/* The legend's numbers, read from where the sheet takes them: the tiles of the picture. */
START_TEST(test_legend_counts_the_picture)
{
    rng r = rng_from_key(hash_add(13, (uint64_t)_i));
    const ptl_render_options o = random_options(&r);
    uint64_t tiles[FAKE_COUNT + 1] = {0}, seen = 0;
    for (int32_t z = 0; z >= o.z_last; z--) {
        for (int64_t y = o.y0; y <= o.y1; y++) {
            for (int64_t x = o.x0; x <= o.x1; x++) {
                const ptl_oter oter = fake_oter(x, y, z);
                tiles[oter == CAT_NONE ? FAKE_COUNT : oter]++;
            }
        }
    }
    sheet s;
    legend l;
    ck_assert_int_eq(sheet_init(&s, fake_world(false), &o, NULL), PTL_OK);
    ck_assert_int_eq(sheet_read_legend(&s, &l, NULL), PTL_OK);
    ck_assert_uint_eq(l.unsaved, tiles[FAKE_COUNT]);
    for (size_t i = 0; i < l.entry_count; i++) {
        const uint16_t terrain = fake_catalogue.oters[l.entries[i].most].terrain;
        uint64_t want = 0;
        for (size_t k = 0; k < FAKE_COUNT; k++)
            want += fake_catalogue.oters[k].terrain == terrain ? tiles[k] : 0;
        ck_assert_uint_eq(l.entries[i].tiles, want);
        seen += want;
    }
    for (size_t k = 0; k < FAKE_COUNT; k++)
        seen -= tiles[k];
    ck_assert_uint_eq(seen, 0);
    legend_dispose(&l);
    sheet_dispose(&s);
}
END_TEST

Suite *layout_suite(void)
{
    Suite *s = suite_create("layout");
    TCase *t = tcase_create("layout");
    tcase_add_test(t, test_steps);
    tcase_add_test(t, test_numbers);
    tcase_add_test(t, test_groups);
    tcase_add_test(t, test_legend_entries);
    tcase_add_test(t, test_legend_merges);
    tcase_add_loop_test(t, test_legend_lines, 0, 60);
    tcase_add_loop_test(t, test_names_apart, 0, 40);
    tcase_add_test(t, test_names_largest);
    suite_add_tcase(s, t);
    t = tcase_create("sheets");
    tcase_add_loop_test(t, test_map_is_bare, 0, 20);
    tcase_add_loop_test(t, test_page_holds_all, 0, 20);
    tcase_add_test(t, test_strip_frames);
    tcase_add_loop_test(t, test_legend_counts_the_picture, 0, 8);
    suite_add_tcase(s, t);
    return s;
}
