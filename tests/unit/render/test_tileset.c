/* Tile sets: small ones that the test writes, and those of the game's package. */
#include "render/tileset/tileset.h"

#include "support/suite.h"
#include "support/test_folder.h"

#include <check.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GFX "/usr/share/games/cataclysm-dda/gfx/"

static char folder[1000];

static const char *file_in(const char *name)
{
    static char path[1100];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(file_in(name), "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

/* ---- pictures ---- */

/* Gives the colour of a letter; small letters are half transparent, a dot is no colour. */
static void colour_of(uint8_t out[4], char letter)
{
    static const struct {
        char letter;
        uint8_t colour[4];
    } colours[] = {{'R', {200, 0, 0, 255}},     {'G', {0, 200, 0, 255}},
                   {'B', {0, 0, 200, 255}},     {'Y', {200, 200, 0, 255}},
                   {'W', {250, 250, 250, 255}}, {'r', {200, 0, 0, 51}},
                   {'.', {0, 0, 0, 0}},         {'K', {0, 0, 0, 255}}};
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (colours[i].letter == letter) {
            memcpy(out, colours[i].colour, 4);
            return;
        }
    ck_abort_msg("no colour %c", letter);
}

static void write_picture(const char *name, int width, int height, const char *letters)
{
    uint8_t colours[4 * 64];
    const size_t count = (size_t)(width * height);
    ck_assert_uint_eq(strlen(letters), count);
    for (size_t i = 0; i < count; i++)
        colour_of(colours + 4 * i, letters[i]);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGBA};
    ck_assert(png_image_write_to_file(&image, file_in(name), 0, colours, 0, NULL));
}

/* ---- a set ---- */

/* Tiles of 2 x 2 pixels. Sprites 0 to 3 are red, green, blue, yellow; 4 is white above black
 * and 5 a half transparent red; 6, of the second file, is two cells high. */
static const char config[] =
    "{\"tile_info\": [{\"width\": 2, \"height\": 2}], \"tiles-new\": [\n"
    "{\"file\": \"a.png\", \"tiles\": [\n"
    "  {\"id\": \"red\", \"fg\": 0}, {\"id\": [\"green\", \"verdant\"], \"fg\": [1]},\n"
    "  {\"id\": \"red_on_blue\", \"fg\": 5, \"bg\": 2},\n"
    "  {\"id\": \"house\", \"fg\": [0, 1, 2, 3], \"rotates\": true},\n"
    "  {\"id\": \"still\", \"fg\": [0, 1, 2, 3]},\n"
    "  {\"id\": \"turns\", \"fg\": 4, \"rotates\": true},\n"
    "  {\"id\": \"below\", \"bg\": 4, \"rotates\": true},\n"
    "  {\"id\": \"either\", \"fg\": [{\"weight\": 3, \"sprite\": 0}, {\"weight\": 0, "
    "\"sprite\": 2}, {\"sprite\": [1]}]},\n"
    "  {\"id\": \"moves\", \"animated\": true, \"fg\": [{\"weight\": 1, \"sprite\": 0}, "
    "{\"weight\": 9, \"sprite\": 1}]},\n"
    "  {\"id\": \"tree_season_spring\", \"fg\": 1}, {\"id\": \"tree\", \"fg\": 3}, {\"id\": "
    "\"tree_season_winter\", \"fg\": 0},\n"
    "  {\"id\": \"late\", \"fg\": 0}, {\"id\": \"late\", \"fg\": 2},\n"
    "  {\"id\": \"lost\", \"fg\": 99, \"bg\": 2}, {\"id\": \"none\", \"fg\": [-1]}, {\"id\": "
    "\"empty\", \"fg\": []},\n"
    "  {\"id\": \"wall\", \"fg\": 0, \"multitile\": true, \"additional_tiles\": [\n"
    "    {\"id\": \"corner\", \"fg\": [0, 1, 2, 3]}, {\"id\": \"edge\", \"fg\": [1, 2]}, "
    "{\"id\": \"center\", \"fg\": 3},\n"
    "    {\"id\": \"end_piece\", \"fg\": 4}, {\"id\": \"open\", \"fg\": 2}]}]},\n"
    "{\"file\": \"tall.png\", \"sprite_width\": 2, \"sprite_height\": 4, \"sprite_offset_y\": "
    "-2, \"tiles\": [\n"
    "  {\"id\": \"tower\", \"fg\": 6}]}]}\n";

static void write_set(void)
{
    write_picture("a.png", 4, 6, "RRGGRRGGBBYYBBYYWWrrKKrr");
    write_picture("tall.png", 2, 4, "WW..RRRR");
    write_file("tile_config.json", config, strlen(config));
}

static void set_up(void)
{
    test_folder(folder, sizeof folder);
    write_set();
}

static void tear_down(void)
{
    test_folder_remove(folder);
}

static ptl_tileset *open_set(void)
{
    ptl_tileset *t;
    ptl_error err = {0};
    ck_assert_msg(ptl_tileset_open(&t, folder, &err) == PTL_OK, "%s", err.message);
    return t;
}

/* ---- painting ---- */

enum { WIDTH = 8, HEIGHT = 8 };
static uint8_t pixels[TILE_BYTES * WIDTH * HEIGHT];

/* Paints the tile over black, with a cell of side x side pixels at (2, 4). */
static void paint(const ptl_tileset *t, const placed_tile *tile, int32_t side)
{
    const tile_canvas canvas = {pixels, WIDTH, HEIGHT, WIDTH};
    memset(pixels, 0, sizeof pixels);
    tileset_paint(&canvas, t, tile, 2, 4, side);
}

static void expect_pixel(int x, int y, char letter, const char *what)
{
    uint8_t c[4];
    colour_of(c, letter);
    const uint8_t *p = pixels + TILE_BYTES * (y * WIDTH + x);
    ck_assert_msg(memcmp(p, c, TILE_BYTES) == 0, "%s: %d,%d is %d %d %d", what, x, y, p[0],
                  p[1], p[2]);
}

/* Paints a tile, of which the four pixels must be these letters. */
static void expect(const ptl_tileset *t, const char *id, placed_tile tile, const char *letters)
{
    tile.number = tileset_find(t, id);
    ck_assert_msg(tile.number != 0, "%s", id);
    paint(t, &tile, 2);
    for (int i = 0; i < 4; i++)
        expect_pixel(2 + i % 2, 4 + i / 2, letters[i], id);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        if (i % WIDTH < 2 || i % WIDTH > 3 || i / WIDTH < 4 || i / WIDTH > 5)
            expect_pixel(i % WIDTH, i / WIDTH, 'K', "outside of the cell");
}

static const placed_tile plain = {.shape = SHAPE_NONE};

START_TEST(test_sprites)
{
    ptl_tileset *t = open_set();
    ptl_tileset_info info = PTL_TILESET_INFO_INIT;
    ck_assert_int_eq(ptl_tileset_describe(&info, t), PTL_OK);
    ck_assert_int_eq(info.width, 2);
    ck_assert_int_eq(info.height, 2);
    ck_assert_uint_eq(info.sprites, 7);
    ck_assert_uint_eq(info.tiles, 23);
    ck_assert_uint_eq(info.missing, 1);
    ck_assert_str_eq(info.name, strrchr(folder, '/') + 1);
    expect(t, "red", plain, "RRRR");
    expect(t, "green", plain, "GGGG");
    expect(t, "verdant", plain, "GGGG");
    expect(t, "late", plain, "BBBB");
    expect(t, "moves", (placed_tile){.shape = SHAPE_NONE, .chance = 7}, "RRRR");
    expect(t, "tree", plain, "GGGG");
    expect(t, "tree_season_winter", plain, "RRRR");
    expect(t, "lost", plain, "BBBB");
    expect(t, "none", plain, "KKKK");
    expect(t, "empty", plain, "KKKK");
    ck_assert_uint_eq(tileset_find(t, "tree_season_spring"), 0);
    ck_assert_uint_eq(tileset_find(t, "nothing"), 0);
    ck_assert_uint_eq(tileset_find(t, ""), 0);
    paint(t, &(placed_tile){.number = 0}, 2);
    expect_pixel(2, 4, 'K', "no tile");
    ptl_tileset_close(t);
}
END_TEST

/* A fifth of the red lies over blue. */
START_TEST(test_opacity)
{
    ptl_tileset *t = open_set();
    const placed_tile tile = {.number = tileset_find(t, "red_on_blue"), .shape = SHAPE_NONE};
    static const uint8_t mixed[] = {40, 0, 160};
    paint(t, &tile, 2);
    ck_assert_mem_eq(pixels + TILE_BYTES * (4 * WIDTH + 2), mixed, TILE_BYTES);
    ptl_tileset_close(t);
}
END_TEST

START_TEST(test_rotations)
{
    static const char *const house[4] = {"RRRR", "GGGG", "BBBB", "YYYY"}, *const turns[4] = {
                                                                              "WWKK", "WKWK",
                                                                              "KKWW", "KWKW"};
    ptl_tileset *t = open_set();
    for (int turn = 0; turn < 4; turn++) {
        const placed_tile tile = {.shape = SHAPE_NONE, .turn = turn};
        expect(t, "house", tile, house[turn]);
        expect(t, "still", tile, "RRRR");
        expect(t, "turns", tile, turns[turn]);
        expect(t, "below", tile, "WWKK");
    }
    ptl_tileset_close(t);
}
END_TEST

START_TEST(test_weights)
{
    ptl_tileset *t = open_set();
    for (uint32_t chance = 0; chance < 8; chance++)
        expect(t, "either", (placed_tile){.shape = SHAPE_NONE, .chance = chance},
               chance % 4 < 3 ? "RRRR" : "GGGG");
    ptl_tileset_close(t);
}
END_TEST

/* The sprites of a corner are listed as those in the north-west, south-west, south-east and
 * north-east of a house, and so on (the games' documents). */
START_TEST(test_shapes)
{
    enum { N = 1, E = 2, S = 4, W = 8 };
    static const struct {
        unsigned arms;
        const char *letters;
    } shapes[] = {{S | E, "RRRR"},
                  {N | E, "GGGG"},
                  {N | W, "BBBB"},
                  {S | W, "YYYY"},
                  {N | S, "GGGG"},
                  {E | W, "BBBB"},
                  {N | E | S | W, "YYYY"},
                  {S, "WWKK"},
                  {E, "WKWK"},
                  {N, "KKWW"},
                  {W, "KWKW"},
                  /* The set has no sprites for these shapes: the kind's own is shown. */
                  {0, "RRRR"},
                  {N | E | S, "RRRR"}};
    ptl_tileset *t = open_set();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        placed_tile tile = {.chance = 0};
        tile_set_arms(&tile, shapes[i].arms);
        expect(t, "wall", tile, shapes[i].letters);
    }
    ptl_tileset_close(t);
}
END_TEST

START_TEST(test_arms)
{
    static const struct {
        unsigned arms;
        tile_shape shape;
        int turn;
    } all[16] = {{0, SHAPE_ALONE, 0},   {1, SHAPE_END, 2},   {2, SHAPE_END, 1},
                 {3, SHAPE_CORNER, 1},  {4, SHAPE_END, 0},   {5, SHAPE_EDGE, 0},
                 {6, SHAPE_CORNER, 0},  {7, SHAPE_T, 1},     {8, SHAPE_END, 3},
                 {9, SHAPE_CORNER, 2},  {10, SHAPE_EDGE, 1}, {11, SHAPE_T, 2},
                 {12, SHAPE_CORNER, 3}, {13, SHAPE_T, 3},    {14, SHAPE_T, 0},
                 {15, SHAPE_CENTER, 0}};
    for (size_t i = 0; i < 16; i++) {
        placed_tile tile = {.number = 9};
        tile_set_arms(&tile, all[i].arms);
        ck_assert_int_eq(tile.shape, all[i].shape);
        ck_assert_int_eq(tile.turn, all[i].turn);
        ck_assert_uint_eq(tile.number, 9);
    }
}
END_TEST

/* A sprite that is two cells high covers the cell above. */
START_TEST(test_tall)
{
    ptl_tileset *t = open_set();
    const tile_reach reach = tileset_reach(t);
    ck_assert_int_eq(reach.up, 1);
    ck_assert_int_eq(reach.down + reach.left + reach.right, 0);
    paint(t, &(placed_tile){.number = tileset_find(t, "tower"), .shape = SHAPE_NONE}, 2);
    expect_pixel(2, 2, 'W', "top");
    expect_pixel(3, 3, 'K', "gap");
    expect_pixel(2, 4, 'R', "foot");
    expect_pixel(3, 5, 'R', "foot");
    expect_pixel(2, 6, 'K', "below");
    ptl_tileset_close(t);
}
END_TEST

START_TEST(test_scales)
{
    ptl_tileset *t = open_set();
    const placed_tile tile = {.number = tileset_find(t, "turns"), .shape = SHAPE_NONE};
    paint(t, &tile, 4);
    for (int i = 0; i < 16; i++)
        expect_pixel(2 + i % 4, 4 + i / 4, i < 8 ? 'W' : 'K', "twice as large");
    paint(t, &tile, 1);
    static const uint8_t mean[] = {125, 125, 125};
    ck_assert_mem_eq(pixels + TILE_BYTES * (4 * WIDTH + 2), mean, TILE_BYTES);
    /* What lies outside of the canvas is left out. */
    const tile_canvas canvas = {pixels, WIDTH, HEIGHT, WIDTH};
    for (int64_t at = -5; at < 12; at++)
        tileset_paint(&canvas, t, &tile, at, 2 - at, 4);
    ptl_tileset_close(t);
}
END_TEST

/* ---- what is wrong ---- */

static void expect_error(const char *text, ptl_status status, const char *message)
{
    ptl_tileset *t;
    ptl_error err = {0};
    write_file("tile_config.json", text, strlen(text));
    const ptl_status got = ptl_tileset_open(&t, folder, &err);
    ck_assert_ptr_null(t);
    ck_assert_msg(got == status && strstr(err.message, message), "%s: %d, %s", text, got,
                  err.message);
}

#define SET(sheet)                                                                             \
    "{\"tile_info\": [{\"width\": 2, \"height\": 2}],\n\"tiles-new\": [" sheet "]}"
#define TILE(tile) SET("{\"file\": \"a.png\", \"tiles\": [\n" tile "]}")

START_TEST(test_errors)
{
    expect_error("{", PTL_ERR_FORMAT, "tile_config.json:1:");
    expect_error("[]", PTL_ERR_FORMAT, "1:1: there is no `tile_info`");
    expect_error("{\"tile_info\": [{\"width\": 0}]}", PTL_ERR_FORMAT, "1:26: a number is out");
    expect_error("{\"tile_info\": [{}]}", PTL_ERR_FORMAT, "there is no `tiles-new`");
    expect_error("{\"tile_info\": [{\"iso\": true}]}", PTL_ERR_UNSUPPORTED, "isometric");
    expect_error(SET("{\"tiles\": []}"), PTL_ERR_FORMAT, "2:15: the name of a picture file");
    expect_error(SET("{\"file\": \"b.png\"}"), PTL_ERR_NOT_FOUND, "b.png: ");
    expect_error(SET("{\"file\": \"tile_config.json\"}"), PTL_ERR_FORMAT, "tile_config.json: ");
    expect_error(SET("{\"file\": \"../a.png\"}"), PTL_ERR_FORMAT,
                 "outside of the set's folder");
    expect_error(SET("{\"file\": \"x/../../a.png\"}"), PTL_ERR_FORMAT, "outside");
    expect_error(SET("{\"file\": \"/etc/passwd\"}"), PTL_ERR_FORMAT, "2:24: the name");
    expect_error(SET("{\"file\": \"a.png\", \"sprite_width\": 0}"), PTL_ERR_FORMAT,
                 "2:49: a num");
    expect_error(SET("{\"file\": \"a.png\", \"pixelscale\": -1}"), PTL_ERR_FORMAT, "a number");
    expect_error(TILE("{\"fg\": 0}"), PTL_ERR_FORMAT, "3:1: a tile needs an `id`");
    expect_error(TILE("{\"id\": 5}"), PTL_ERR_FORMAT, "3:8: an id was expected");
    expect_error(TILE("{\"id\": \"x\", \"fg\": \"y\"}"), PTL_ERR_FORMAT,
                 "3:19: the number of a");
    expect_error(TILE("{\"id\": \"x\", \"fg\": [{}]}"), PTL_ERR_FORMAT, "needs a `sprite`");
    expect_error(TILE("{\"id\": \"x\", \"fg\": [{\"sprite\": 0, \"weight\": -1}]}"),
                 PTL_ERR_FORMAT, "a number is out");
    ck_assert_int_eq(remove(file_in("tile_config.json")), 0);
    ptl_tileset *t;
    ck_assert_int_eq(ptl_tileset_open(&t, folder, NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_tileset_open(&t, "/nowhere", NULL), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_tileset_open(&t, NULL, NULL), PTL_ERR_ARGUMENT);
    ptl_tileset_close(NULL);
}
END_TEST

/* A configuration that is cut anywhere, or in which a byte is another, is refused or read. */
START_TEST(test_damage)
{
    char text[sizeof config];
    ptl_tileset *t;
    for (size_t size = 0; size < sizeof config - 2; size++) {
        write_file("tile_config.json", config, size);
        ck_assert_int_eq(ptl_tileset_open(&t, folder, NULL), PTL_ERR_FORMAT);
    }
    int opened = 0;
    for (size_t i = 0; i + 1 < sizeof config; i++) {
        memcpy(text, config, sizeof config);
        text[i] = "9]x\""[i % 4];
        write_file("tile_config.json", text, sizeof config - 1);
        if (ptl_tileset_open(&t, folder, NULL) != PTL_OK)
            continue;
        static const char *const ids[] = {"house", "red", "wall", "either", "tower", "lost"};
        opened++;
        for (size_t j = 0; j < sizeof ids / sizeof ids[0]; j++) {
            placed_tile tile = {.number = tileset_find(t, ids[j])};
            tile_set_arms(&tile, (unsigned)i);
            paint(t, &tile, 2);
        }
        ptl_tileset_close(t);
    }
    ck_assert_int_gt(opened, 100);
}
END_TEST

START_TEST(test_damaged_picture)
{
    FILE *f = fopen(file_in("a.png"), "rb");
    char data[4096];
    ck_assert_ptr_nonnull(f);
    const size_t size = fread(data, 1, sizeof data, f);
    ck_assert_int_eq(fclose(f), 0);
    for (size_t cut = 0; cut + 12 < size; cut++) {
        ptl_tileset *t;
        write_file("a.png", data, cut);
        ck_assert_int_eq(ptl_tileset_open(&t, folder, NULL), PTL_ERR_FORMAT);
    }
}
END_TEST

/* `tileset.txt` says the set's name and which file is its configuration. */
START_TEST(test_names)
{
    static const char names[] = "# A set\nNAME: mine\r\nVIEW: My own\nJSON: other.json\n";
    write_file("tileset.txt", names, strlen(names));
    write_file("other.json", config, strlen(config));
    ck_assert_int_eq(remove(file_in("tile_config.json")), 0);
    ptl_tileset *t = open_set();
    ptl_tileset_info info = PTL_TILESET_INFO_INIT;
    ck_assert_int_eq(ptl_tileset_describe(&info, t), PTL_OK);
    ck_assert_str_eq(info.name, "mine");
    ptl_tileset_close(t);
    info.size = 0;
    t = open_set();
    ck_assert_int_eq(ptl_tileset_describe(&info, t), PTL_ERR_ARGUMENT);
    ptl_tileset_close(t);
}
END_TEST

/* ---- the game's own sets ---- */

START_TEST(test_game_sets)
{
    static const struct {
        const char *name, *id;
        bool overmaps;
    } sets[] = {{"ASCIITileset", "explosion", false},    {"BrownLikeBears", "t_wall", false},
                {"ChestHole16Tileset", "t_wall", false}, {"ChibiUltica", "t_wall", true},
                {"Cuteclysm", "t_wall", false},          {"HoderTileset", "t_wall", false},
                {"MshockXotto+", "t_wall", true},        {"NeoDaysTileset", "t_wall", false},
                {"RetroDaysTileset", "t_wall", true},    {"UltimateCataclysm", "t_wall", true}};
    ptl_tileset *t;
    ptl_error err = {0};
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char path[200];
        (void)snprintf(path, sizeof path, "%s%s", GFX, sets[i].name);
        const ptl_status status = ptl_tileset_open(&t, path, &err);
        if (status == PTL_ERR_NOT_FOUND && i == 0) {
            printf("SKIPPED: %s is not there (package cataclysm-dda-data)\n", GFX);
            return;
        }
        ck_assert_msg(status == PTL_OK, "%s", err.message);
        ck_assert_msg(tileset_find(t, sets[i].id) != 0, "%s", path);
        ck_assert_msg((tileset_find(t, "forest") != 0) == sets[i].overmaps, "%s", path);
        ptl_tileset_close(t);
    }
    ck_assert_int_eq(ptl_tileset_open(&t, GFX "HitButton_iso", &err), PTL_ERR_UNSUPPORTED);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tileset");
    TCase *t = tcase_create("tileset");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_set_timeout(t, 120);
    tcase_add_test(t, test_sprites);
    tcase_add_test(t, test_opacity);
    tcase_add_test(t, test_rotations);
    tcase_add_test(t, test_weights);
    tcase_add_test(t, test_shapes);
    tcase_add_test(t, test_arms);
    tcase_add_test(t, test_tall);
    tcase_add_test(t, test_scales);
    tcase_add_test(t, test_errors);
    tcase_add_test(t, test_damage);
    tcase_add_test(t, test_damaged_picture);
    tcase_add_test(t, test_names);
    tcase_add_test(t, test_game_sets);
    suite_add_tcase(s, t);
    return suite_run(s);
}
