/* Local maps to blobs and back: round trips of random maps, what is cut off or changed, limits.
 */
#include "codec/local/local_codec.h"
#include "codec/number_list.h"
#include "core/hash.h"
#include "model/local_map.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_error err;
static codec *used;
static id_pool *pool;
static local_map in;
static encoded_local encoded;
static pack_table table;
static bytes tiles, things;
static const char *names[4096]; /* of what was encoded last, by their numbers */
static size_t name_count;

static void setup(void)
{
    used = codec_new();
    pool = id_pool_new();
    ck_assert(used != NULL && pool != NULL);
    memset(&err, 0, sizeof err);
    memset(&encoded, 0, sizeof encoded);
    local_map_init(&in);
}

static void teardown(void)
{
    codec_free(used);
    id_pool_free(pool);
    local_map_dispose(&in);
    encoded_local_dispose(&encoded);
    pack_table_dispose(&table);
    bytes_dispose(&tiles);
    bytes_dispose(&things);
}

static uint32_t id_like(rng *r, const char *prefix, uint32_t kinds)
{
    char text[64];
    const uint32_t which = rng_below(r, kinds + 1);
    if (which == 0)
        return ID_NONE;
    snprintf(text, sizeof text, "%s_%u", prefix, which);
    return id_pool_put(pool, text, strlen(text));
}

static void fill_tiles(rng *r, uint32_t kinds)
{
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool same = i > 0 && rng_below(r, 3);
        in.terrain[i] = same ? in.terrain[i - 1] : id_like(r, "t", kinds);
        in.furniture[i] = same ? in.furniture[i - 1] : id_like(r, "f", kinds);
        in.trap[i] = same ? in.trap[i - 1] : id_like(r, "tr", 1);
        in.radiation[i] = same ? in.radiation[i - 1] : (uint8_t)rng_below(r, 256);
    }
}

static void add_things(rng *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t x = (uint8_t)rng_below(r, LOCAL_SIDE),
                      y = (uint8_t)rng_below(r, LOCAL_SIDE);
        const local_entity e = {.kind = (local_kind)rng_below(r, LOCAL_KINDS),
                                .x = x,
                                .y = y,
                                .x2 = (uint8_t)(x + rng_below(r, (uint32_t)(LOCAL_SIDE - x))),
                                .y2 = (uint8_t)(y + rng_below(r, (uint32_t)(LOCAL_SIDE - y))),
                                .id = id_like(r, "i", 20),
                                .with = id_like(r, "i", 3),
                                .text = id_like(r, "says", 5),
                                .own = id_like(r, "{\"own\": 1, \"n\":", 5),
                                .count = (int32_t)rng_below(r, 1000) - 1,
                                .charges = rng_below(r, 9) ? -1 : INT32_MAX,
                                .status = (int32_t)rng_below(r, 3) - 1};
        local_map_add(&in, &e);
    }
}

static void build(bytes *out, const encoded_pack *p)
{
    uint32_t *numbers = malloc((p->name_count + 1) * sizeof *numbers);
    ck_assert(numbers != NULL);
    for (size_t i = 0; i < p->name_count; i++) {
        ck_assert_uint_lt(name_count, sizeof names / sizeof *names);
        names[name_count] = p->names[i];
        numbers[i] = (uint32_t)++name_count;
    }
    bytes_clear(out);
    if (p->count > 0)
        pack_blob_build(out, p, numbers);
    free(numbers);
}

static void encode(void)
{
    encoded_local_dispose(&encoded);
    ck_assert_msg(local_encode(&encoded, used, &in, pool, &err) == PTL_OK, "%s", err.message);
    name_count = 0;
    build(&tiles, &encoded.tiles);
    build(&things, &encoded.things);
}

static const char *name_of(const void *none, uint32_t number)
{
    (void)none;
    return number > 0 && number <= name_count ? names[number - 1] : NULL;
}

/* With a pool of its own. */
static ptl_status decode(local_map *out, id_pool *own, const local_blobs *blobs)
{
    const pack_reader r = {used, &table, name_count + 1, name_of, NULL};
    local_map_init(out);
    return local_decode(out, own, &r, blobs, &err);
}

static local_blobs blobs_of(void)
{
    return (local_blobs){tiles.data, things.data, encoded.texts.data,
                         tiles.size, things.size, encoded.texts.size};
}

static void same_text(const id_pool *a, uint32_t x, const id_pool *b, uint32_t y)
{
    ck_assert_str_eq(id_pool_text(a, x), id_pool_text(b, y));
}

static void same_thing(const local_entity *a, const id_pool *own, const local_entity *b)
{
    ck_assert(a->kind == b->kind && a->x == b->x && a->y == b->y && a->x2 == b->x2 &&
              a->y2 == b->y2);
    ck_assert(a->count == b->count && a->charges == b->charges && a->status == b->status);
    same_text(pool, a->id, own, b->id);
    same_text(pool, a->with, own, b->with);
    same_text(pool, a->text, own, b->text);
    same_text(pool, a->own, own, b->own);
}

static void round_trip(void)
{
    local_map *out = malloc(sizeof *out);
    id_pool *own = id_pool_new();
    const local_blobs blobs = blobs_of();
    ck_assert(out != NULL && own != NULL);
    ck_assert_msg(decode(out, own, &blobs) == PTL_OK, "%s", err.message);
    ck_assert(memcmp(out->radiation, in.radiation, sizeof in.radiation) == 0);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        same_text(pool, in.terrain[i], own, out->terrain[i]);
        same_text(pool, in.furniture[i], own, out->furniture[i]);
        same_text(pool, in.trap[i], own, out->trap[i]);
    }
    ck_assert_uint_eq(out->count, in.count);
    for (size_t i = 0; i < in.count; i++)
        same_thing(&in.entities[i], own, &out->entities[i]);
    local_map_dispose(out);
    id_pool_free(own);
    free(out);
}

START_TEST(what_is_encoded_is_decoded)
{
    rng r = rng_from_key((uint64_t)_i);
    fill_tiles(&r, _i % 4 ? (uint32_t)_i % 40 : 0);
    add_things(&r, _i % 3 ? rng_below(&r, 200) : 0);
    encode();
    round_trip();
}
END_TEST

/* One terrain: what a map of open air takes. */
START_TEST(a_plain_map_is_small)
{
    for (int i = 0; i < LOCAL_CELLS; i++)
        in.terrain[i] = id_pool_put(pool, "t_grass", 7);
    encode();
    round_trip();
    ck_assert_uint_le(tiles.size, 8);
    ck_assert_uint_eq(things.size + encoded.texts.size, 0);
}
END_TEST

/* As many terrains as tiles, on as many furnitures and traps, and all amounts of radiation. */
START_TEST(a_map_of_all_that_there_may_be)
{
    for (int i = 0; i < LOCAL_CELLS; i++) {
        char text[32];
        const int length = snprintf(text, sizeof text, "n_%d", i);
        in.terrain[i] = in.trap[LOCAL_CELLS - 1 - i] = id_pool_put(pool, text, (size_t)length);
        in.furniture[i] = in.terrain[i / 2];
        in.radiation[i] = (uint8_t)i;
    }
    if (_i)
        in.terrain[_i] = ID_NONE;
    encode();
    round_trip();
}
END_TEST

/* What tiles are like decides how many bytes they take: near to what their shares tell. */
START_TEST(likely_tiles_are_small)
{
    static const struct {
        int one_in; /* tiles of the second terrain */
        size_t most;
    } cases[] = {{2, 82}, {4, 70}, {10, 46}, {50, 22}};
    rng r = rng_from_key(77);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool other = rng_below(&r, (uint32_t)cases[_i].one_in) == 0;
        in.terrain[i] = id_pool_put(pool, other ? "t_dirt" : "t_grass", other ? 6 : 7);
    }
    encode();
    round_trip();
    ck_assert_uint_le(tiles.size, cases[_i].most);
    /* The same tiles in rows: next to nothing. */
    for (int i = 0; i < LOCAL_CELLS; i++)
        in.terrain[i] = in.terrain[i - i % LOCAL_SIDE];
    encode();
    round_trip();
    ck_assert_uint_le(tiles.size, 30);
}
END_TEST

static bool is_id(const id_pool *own, uint32_t id)
{
    return id == ID_NONE || id < id_pool_count(own);
}

/* All that was decoded lies in its map, and names what the pool has. */
static void expect_map(const local_map *map, const id_pool *own)
{
    ck_assert_uint_le(map->count, LOCAL_ENTITIES_MAX);
    for (int i = 0; i < LOCAL_CELLS; i++)
        ck_assert(is_id(own, map->terrain[i]) && is_id(own, map->furniture[i]) &&
                  is_id(own, map->trap[i]));
    for (size_t i = 0; i < map->count; i++) {
        const local_entity *e = &map->entities[i];
        ck_assert(e->kind < LOCAL_KINDS && e->x <= e->x2 && e->y <= e->y2 &&
                  e->x2 < LOCAL_SIDE && e->y2 < LOCAL_SIDE);
        ck_assert(is_id(own, e->id) && is_id(own, e->with) && is_id(own, e->text) &&
                  is_id(own, e->own));
        ck_assert(e->count >= -1 && e->charges >= -1 && e->status >= -1);
    }
}

/* Whatever becomes of a blob: it is refused, or, but for texts that were cut off, it may be a
 * map. (What a range coder wrote may be another one: that is for the row's checksum.) */
static void try_blobs(const local_blobs *blobs, bool cut)
{
    local_map *out = malloc(sizeof *out);
    id_pool *own = id_pool_new();
    ck_assert(out != NULL && own != NULL);
    const ptl_status status = decode(out, own, blobs);
    ck_assert(status == PTL_ERR_CORRUPT || (status == PTL_OK && !cut));
    if (status == PTL_OK)
        expect_map(out, own);
    local_map_dispose(out);
    id_pool_free(own);
    free(out);
}

static local_blobs with(bytes *of, const void *data, size_t size)
{
    local_blobs b = blobs_of();
    if (of == &tiles) {
        b.tiles = data;
        b.tiles_size = size;
    } else if (of == &things) {
        b.things = data;
        b.things_size = size;
    } else {
        b.texts = data;
        b.texts_size = size;
    }
    return b;
}

START_TEST(no_damage_is_read_beyond_its_end)
{
    bytes *const all[] = {&tiles, &things, &encoded.texts};
    rng r = rng_from_key(5);
    fill_tiles(&r, 6);
    add_things(&r, 30);
    encode();
    for (size_t k = 0; k < 3; k++) {
        ck_assert_uint_gt(all[k]->size, 20);
        for (size_t at = 0; at < all[k]->size; at++) {
            uint8_t *changed = malloc(all[k]->size);
            ck_assert(changed != NULL);
            memcpy(changed, all[k]->data, all[k]->size);
            local_blobs b = with(all[k], changed, at);
            try_blobs(&b, all[k] == &encoded.texts);
            changed[at] ^= (uint8_t)(1 << rng_below(&r, 8));
            b = with(all[k], changed, all[k]->size);
            try_blobs(&b, false);
            free(changed);
        }
    }
}
END_TEST

static void expect_refused(const char *data, size_t size, const char *message)
{
    local_map *out = malloc(sizeof *out);
    const local_blobs b = with(&tiles, data, size);
    ck_assert(out != NULL);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(decode(out, pool, &b), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    local_map_dispose(out);
    free(out);
}

START_TEST(what_no_map_has_is_refused)
{
    bytes longer = {0};
    encode(); /* nothing at all: one plane of nothing, and no names */
    bytes_put(&longer, tiles.data, tiles.size);
    bytes_put_u8(&longer, 9);
    bytes_put_u32(&longer, 9);
    expect_refused((const char *)longer.data, longer.size, "bytes after the tiles");
    bytes_dispose(&longer);
    expect_refused("", 0, "version that is not known");
    expect_refused("\1\1\0", 3, "version that is not known");
    expect_refused("\5\1\0", 3, "version that is not known");
    expect_refused("\2\1\0", 3, "version that is not known"); /* of packs */
    expect_refused("\3\0\0", 3, "can't be");
    expect_refused("\3\41\0", 3, "can't be");
    expect_refused("\3\1\301\15", 4, "can't be"); /* 1,729 names */
    /* A name that no tile has. */
    const uint32_t number = 1;
    bytes named = {0};
    bytes_put_u8(&named, PACK_VERSION_LOCAL);
    bytes_put_u8(&named, tiles.data[1]);
    bytes_put_u8(&named, 1);
    number_list_put(&named, &number, 1);
    bytes_put(&named, tiles.data + 3, tiles.size - 3);
    names[name_count++] = "t";
    expect_refused((const char *)named.data, named.size, "names that no tile has");
    bytes_dispose(&named);
}
END_TEST

/* ---- palettes ---- */

static uint32_t put_text(const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

/* A palette of terrains t_1.. and furniture f_1.., of some of which it knows nothing. */
static uint32_t some_palette(rng *r, uint32_t kinds)
{
    local_palette palette = {.planes = {{.count = 0}}};
    static const char *const prefixes[] = {"t", "f"};
    bytes text = {0};
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++)
        for (uint32_t i = 1; i <= kinds; i++) {
            local_palette_plane *p = &palette.planes[k];
            char id[16];
            const int length = snprintf(id, sizeof id, "%s_%u", prefixes[k], i);
            if (p->count == LOCAL_PALETTE_MAX || rng_below(r, 4) == 0)
                continue;
            p->ids[p->count] = id_pool_put(pool, id, (size_t)length);
            p->weights[p->count++] = (uint16_t)(LOCAL_PALETTE_WEIGHT_LEAST + rng_below(r, 99));
        }
    local_palette_put(&text, &palette, pool);
    const uint32_t id = id_pool_put(pool, (const char *)text.data, text.size);
    bytes_dispose(&text);
    return id;
}

/* Whether all, some or none of what is on the map is in it; furniture there may be none. */
START_TEST(maps_by_a_palette_are_decoded)
{
    rng r = rng_from_key(hash_add(1, (uint64_t)_i));
    fill_tiles(&r, _i % 5 ? (uint32_t)_i % 90 : 0);
    if (_i % 7 == 0)
        memset(in.furniture, 0, sizeof in.furniture);
    add_things(&r, _i % 3 ? 20 : 0);
    in.palette = some_palette(&r, (uint32_t)_i * 7 % 100);
    encode();
    ck_assert_uint_eq(tiles.data[0], PACK_VERSION_PALETTE);
    ck_assert_str_eq(encoded.tiles.names[0], id_pool_text(pool, in.palette));
    round_trip();
    local_map *out = malloc(sizeof *out);
    const local_blobs blobs = blobs_of();
    ck_assert(out != NULL);
    ck_assert_int_eq(decode(out, pool, &blobs), PTL_OK);
    ck_assert_uint_eq(out->palette, in.palette); /* and is written by it again */
    local_map_dispose(out);
    free(out);
}
END_TEST

/* A full palette of which the map has nothing, and another id on each tile: as many symbols as
 * a plane can have. */
START_TEST(as_many_symbols_as_there_may_be)
{
    local_palette palette = {.planes = {{.count = 0}}};
    bytes text = {0};
    char id[16];
    for (size_t k = 0; k < LOCAL_PALETTE_PLANES; k++)
        for (uint32_t i = 0; i < LOCAL_PALETTE_MAX; i++) {
            local_palette_plane *p = &palette.planes[k];
            snprintf(id, sizeof id, "p_%u", i);
            p->ids[p->count] = put_text(id);
            p->weights[p->count++] = LOCAL_PALETTE_WEIGHT_LEAST;
        }
    for (int i = 0; i < LOCAL_CELLS; i++) {
        snprintf(id, sizeof id, "n_%d", i);
        in.terrain[i] = put_text(id);
        in.furniture[LOCAL_CELLS - 1 - i] = in.terrain[i];
    }
    local_palette_put(&text, &palette, pool);
    in.palette = id_pool_put(pool, (const char *)text.data, text.size);
    bytes_dispose(&text);
    encode();
    ck_assert_uint_eq(encoded.tiles.name_count, 1 + 2 * LOCAL_CELLS);
    round_trip();
}
END_TEST

/* A map of many terrains, drawn as the palette has them, takes what their shares tell, 1,362
 * bits in the mean: by the palette there is neither a name nor anything to be learned. */
START_TEST(a_palette_saves_names_and_learning)
{
    enum { SORTS = 40 };
    bytes text = {0};
    local_palette palette = {.planes = {{.count = SORTS}}};
    local_palette_plane *p = &palette.planes[LOCAL_PALETTE_TERRAIN];
    rng r = rng_from_key(31);
    for (uint32_t i = 0; i < SORTS; i++) {
        char id[16];
        snprintf(id, sizeof id, "t_%u", i);
        p->ids[i] = put_text(id);
        p->weights[i] = i < 2 ? 800 : 10;
    }
    for (int i = 0; i < LOCAL_CELLS; i++)
        in.terrain[i] = p->ids[rng_below(&r, rng_below(&r, 6) ? 2 : SORTS)];
    encode();
    ck_assert_uint_gt(encoded.tiles.name_count, SORTS / 2);
    local_palette_put(&text, &palette, pool);
    in.palette = id_pool_put(pool, (const char *)text.data, text.size);
    bytes_dispose(&text);
    encode();
    round_trip();
    ck_assert_uint_eq(encoded.tiles.name_count, 1);
    ck_assert_uint_le(tiles.size, 170);
}
END_TEST

START_TEST(no_damage_by_a_palette_is_read_beyond_its_end)
{
    rng r = rng_from_key(6);
    fill_tiles(&r, 30);
    in.palette = some_palette(&r, 20);
    encode();
    for (size_t at = 0; at < tiles.size; at++) {
        uint8_t *changed = malloc(tiles.size);
        ck_assert(changed != NULL);
        memcpy(changed, tiles.data, tiles.size);
        local_blobs b = with(&tiles, changed, at);
        try_blobs(&b, false);
        changed[at] ^= (uint8_t)(1 << rng_below(&r, 8));
        b = with(&tiles, changed, tiles.size);
        try_blobs(&b, false);
        free(changed);
    }
}
END_TEST

static const char *const no_palettes[] = {"",
                                          "\n",
                                          "\n\n ",
                                          "t",
                                          "9 t_a",
                                          "9 t_a\n",
                                          "9 t_a\n\n",
                                          "3 t_a\n\n\n",
                                          "8193 t_a\n\n\n",
                                          "8000 t_a\n190 t_b\n4 t_c\n\n\n",
                                          "99999999999999999999 t_a\n\n\n",
                                          " t_a\n\n\n",
                                          "9t_a\n\n\n",
                                          "9 \n\n\n",
                                          "9\n\n\n",
                                          "9 t_a\n\n9 f_a\n\n\n",
                                          "-9 t_a\n\n\n"};

/* A text that is none, or has more ids than it may, makes a map unreadable: it is damage. */
START_TEST(what_is_no_palette_is_refused)
{
    local_palette palette;
    bytes text = {0}, blob = {0};
    encode();
    const uint8_t mask = tiles.data[1];
    bytes_put_u8(&blob, PACK_VERSION_PALETTE);
    bytes_put_u8(&blob, mask);
    bytes_put_u8(&blob, 1);
    bytes_put_u8(&blob, 0);
    name_count = 1;
    for (size_t i = 0; i < sizeof no_palettes / sizeof *no_palettes; i++) {
        ck_assert_msg(!local_palette_take(&palette, pool, no_palettes[i]), "%s",
                      no_palettes[i]);
        names[0] = no_palettes[i];
        expect_refused((const char *)blob.data, blob.size, "a palette that is none");
    }
    for (int count = LOCAL_PALETTE_MAX; count <= LOCAL_PALETTE_MAX + 1; count++) {
        bytes_clear(&text);
        for (int i = 0; i < count; i++)
            bytes_put_text(&text, "5 t_a\n");
        bytes_put_text(&text, "\n\n");
        bytes_put_u8(&text, 0);
        ck_assert(local_palette_take(&palette, pool, (const char *)text.data) ==
                  (count == LOCAL_PALETTE_MAX));
    }
    blob.data[2] = 0;
    expect_refused((const char *)blob.data, blob.size, "palette that the file does not have");
    blob.data[2] = 2;
    expect_refused((const char *)blob.data, blob.size, "palette that the file does not have");
    bytes_dispose(&text);
    bytes_dispose(&blob);
}
END_TEST

/* Few bytes say that there are many things: as many are read, or it is refused, in no time. */
START_TEST(many_things_of_few_bytes)
{
    static const uint8_t counts[][5] = {{PACK_VERSION_LOCAL, 0xa0, 0x8d, 0x06, 0},
                                        {PACK_VERSION_LOCAL, 0xa1, 0x8d, 0x06, 0}};
    uint8_t blob[40];
    rng r = rng_from_key(9);
    encode();
    for (int i = 0; i < 200; i++) {
        memcpy(blob, counts[i % 2], sizeof counts[0]);
        for (size_t k = sizeof counts[0]; k < sizeof blob; k++)
            blob[k] = (uint8_t)rng_below(&r, 256);
        blob[4] = (uint8_t)rng_below(&r, 4);
        const local_blobs b = with(&things, blob, i < 2 ? sizeof counts[0] : sizeof blob);
        local_map *out = malloc(sizeof *out);
        ck_assert(out != NULL);
        const ptl_status status = decode(out, pool, &b);
        ck_assert(status == PTL_ERR_CORRUPT || (status == PTL_OK && i % 2 == 0));
        local_map_dispose(out);
        free(out);
    }
}
END_TEST

/* What a cupboard has: things on one tile, some of them alike, take little more than a byte
 * beside their names. */
START_TEST(things_that_lie_together_are_small)
{
    enum { COUNT = 200, SORTS = 10 };
    rng r = rng_from_key(3);
    for (int i = 0; i < COUNT; i++) {
        char text[16];
        const int length = snprintf(text, sizeof text, "i_%d", (int)rng_below(&r, SORTS));
        const local_entity e = {.kind = LOCAL_ITEM,
                                .x = (uint8_t)(i / 20),
                                .y = 7,
                                .x2 = (uint8_t)(i / 20),
                                .y2 = 7,
                                .id = id_pool_put(pool, text, (size_t)length),
                                .count = 1};
        local_map_add(&in, &e);
    }
    encode();
    round_trip();
    ck_assert_uint_le(things.size, 130);
}
END_TEST

static void expect_things_refused(const uint8_t *data, size_t size, const char *message)
{
    local_map *out = malloc(sizeof *out);
    const local_blobs b = with(&things, data, size);
    ck_assert(out != NULL);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(decode(out, pool, &b), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    local_map_dispose(out);
    free(out);
}

START_TEST(things_that_no_map_has_are_refused)
{
    bytes changed = {0};
    rng r = rng_from_key(5);
    add_things(&r, 30);
    encode();
    bytes_put(&changed, things.data, things.size);
    bytes_put_u32(&changed, 9);
    expect_things_refused(changed.data, changed.size, "bytes after the things");
    changed.data[0] = PACK_VERSION_PALETTE + 1;
    expect_things_refused(changed.data, changed.size, "version that is not known");
    changed.data[0] = PACK_VERSION_LOCAL;
    changed.data[1] = 0;
    expect_things_refused(changed.data, changed.size, "counts that can't be");
    changed.data[1] = 5; /* of 30: names are left over, or too many for them */
    expect_things_refused(changed.data, things.size, "");
    bytes_dispose(&changed);
}
END_TEST

START_TEST(texts_of_nothing_are_refused)
{
    rng r = rng_from_key(5);
    fill_tiles(&r, 6);
    add_things(&r, 30);
    encode();
    expect_things_refused(NULL, 0, "");
}
END_TEST

START_TEST(too_many_texts_are_refused)
{
    enum { LONG = 1 << 20, COUNT = 17 };
    char *text = malloc(LONG + 1);
    ck_assert(text != NULL);
    for (int i = 0; i < COUNT; i++) {
        memset(text, 'a' + i, LONG);
        text[LONG] = '\0';
        const local_entity e = {.kind = LOCAL_SIGN, .text = id_pool_put(pool, text, LONG)};
        local_map_add(&in, &e);
    }
    free(text);
    in.terrain[0] = id_pool_put(pool, "t", 1);
    ck_assert_int_eq(local_encode(&encoded, used, &in, pool, &err), PTL_ERR_LIMIT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_codec");
    TCase *tc = tcase_create("local_codec");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, what_is_encoded_is_decoded, 0, 100);
    tcase_add_test(tc, a_plain_map_is_small);
    tcase_add_loop_test(tc, a_map_of_all_that_there_may_be, 0, 3);
    tcase_add_loop_test(tc, likely_tiles_are_small, 0, 4);
    tcase_add_test(tc, what_no_map_has_is_refused);
    tcase_add_test(tc, no_damage_is_read_beyond_its_end);
    tcase_add_loop_test(tc, maps_by_a_palette_are_decoded, 0, 100);
    tcase_add_test(tc, as_many_symbols_as_there_may_be);
    tcase_add_test(tc, a_palette_saves_names_and_learning);
    tcase_add_test(tc, no_damage_by_a_palette_is_read_beyond_its_end);
    tcase_add_test(tc, what_is_no_palette_is_refused);
    tcase_add_test(tc, many_things_of_few_bytes);
    tcase_add_test(tc, things_that_lie_together_are_small);
    tcase_add_test(tc, things_that_no_map_has_are_refused);
    tcase_add_test(tc, texts_of_nothing_are_refused);
    tcase_add_test(tc, too_many_texts_are_refused);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
