/* An encoder that encodes map after map gives what one of a map alone does; and the range coder
 * below it carries through whatever it has put out. */
#include "codec/local/local_codec.h"
#include "core/hash.h"
#include "core/range_coder.h"
#include "model/local_map.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_error err;
static codec *used;
static id_pool *pool;
static local_map map;

static void setup(void)
{
    used = codec_new();
    pool = id_pool_new();
    ck_assert(used != NULL && pool != NULL);
    memset(&err, 0, sizeof err);
    local_map_init(&map);
}

static void teardown(void)
{
    codec_free(used);
    id_pool_free(pool);
    local_map_dispose(&map);
}

static uint32_t put(const char *text)
{
    return id_pool_put(pool, text, strlen(text));
}

static uint32_t id_of(const char *prefix, uint32_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%s_%u", prefix, number);
    return number > 0 ? put(text) : ID_NONE;
}

/* Terrain in heaps or runs, a little of all else. */
static void fill(rng *r)
{
    const uint32_t kinds = 1 + rng_below(r, 60), runs = rng_below(r, 2) * 4;
    local_map_dispose(&map);
    local_map_init(&map);
    for (int i = 0; i < LOCAL_CELLS; i++) {
        const bool same = i > 0 && rng_below(r, 1 + runs) > 0;
        map.terrain[i] = same ? map.terrain[i - 1] : id_of("t", rng_below(r, kinds));
        map.furniture[i] = rng_below(r, 5) ? ID_NONE : id_of("f", rng_below(r, 9));
        map.trap[i] = rng_below(r, 50) ? ID_NONE : id_of("tr", 1);
        map.radiation[i] = (uint8_t)(rng_below(r, 99) ? 0 : rng_below(r, 101));
    }
    for (uint32_t i = rng_below(r, 30); i > 0; i--) {
        const uint8_t x = (uint8_t)rng_below(r, LOCAL_SIDE);
        const local_entity e = {.kind = LOCAL_ITEM,
                                .x = x,
                                .x2 = x,
                                .id = id_of("i", 1 + rng_below(r, 20)),
                                .text = id_of("says", rng_below(r, 3)),
                                .count = 1};
        local_map_add(&map, &e);
    }
}

static void same_pack(const encoded_pack *a, const encoded_pack *b)
{
    ck_assert(a->version == b->version && a->count == b->count && a->local == b->local);
    ck_assert_uint_eq(a->name_count, b->name_count);
    for (size_t i = 0; i < a->name_count; i++)
        ck_assert_str_eq(a->names[i], b->names[i]);
    ck_assert_uint_eq(a->body.size, b->body.size);
    ck_assert(a->body.size == 0 || memcmp(a->body.data, b->body.data, a->body.size) == 0);
}

static void put_both(local_encoder *encoder)
{
    encoded_local one = {.texts = {0}}, alone = {.texts = {0}};
    ck_assert_int_eq(local_encoder_put(&one, encoder, &map, &err), PTL_OK);
    ck_assert_int_eq(local_encode(&alone, used, &map, pool, &err), PTL_OK);
    same_pack(&one.tiles, &alone.tiles);
    same_pack(&one.things, &alone.things);
    ck_assert_uint_eq(one.texts.size, alone.texts.size);
    ck_assert(one.texts.size == 0 ||
              memcmp(one.texts.data, alone.texts.data, one.texts.size) == 0);
    encoded_local_dispose(&one);
    encoded_local_dispose(&alone);
}

/* Palettes by turns, more of them than it remembers, and none. */
START_TEST(what_came_before_changes_nothing)
{
    enum { PALETTES = NUMBERING_PALETTES + 3, MAPS = 60 };
    rng r = rng_from_key((uint64_t)_i);
    local_encoder *encoder = local_encoder_new(used, pool);
    ck_assert(encoder != NULL);
    for (int i = 0; i < MAPS; i++) {
        char text[64];
        const uint32_t which = rng_below(&r, PALETTES + 1);
        fill(&r);
        snprintf(text, sizeof text, "%u t_%u\n9 t_%u\n\n5 f_%u\n\n", 10 + which, 1 + which,
                 20 + which, 1 + which % 8);
        map.palette = which < PALETTES ? put(text) : ID_NONE;
        put_both(encoder);
    }
    local_encoder_free(encoder);
}
END_TEST

/* Planes are counted by 16 bits: what one of long ago had is not taken for its namesake's. */
START_TEST(planes_may_be_many)
{
    static uint16_t out[LOCAL_CELLS];
    uint32_t seldom[LOCAL_CELLS] = {put("a"), put("b")}, always[LOCAL_CELLS] = {put("c")};
    bool lacking;
    numbering *n = calloc(1, sizeof *n);
    ck_assert(n != NULL);
    n->pool = pool;
    for (int i = 0; i <= UINT16_MAX + _i; i++) {
        const bool now = i % UINT16_MAX == _i;
        n->count = 0;
        ck_assert(numbering_plane(out, now ? seldom : always, n, NULL, &lacking));
        ck_assert(lacking && out[0] == 1 && out[LOCAL_CELLS - 1] == 0);
        ck_assert_uint_eq(n->count, now ? 2 : 1);
        ck_assert_uint_eq(out[1], now ? 2 : 0);
    }
    free(n->slots);
    free(n);
}
END_TEST

enum { SHARES = 300 };

/* Shares are chosen so that what is put out stays below the half of all by less than a share of
 * the last: it is ones behind its first bit, which the last share carries through. */
START_TEST(a_carry_goes_through_all_bytes)
{
    struct share {
        uint32_t from, total;
    } shares[SHARES];
    size_t count = 0;
    bytes out = {0};
    bytes_put_u8(&out, 0xff); /* what lies before is none of it */
    range_encoder e = range_encoder_over(&out);
    uint64_t left = UINT64_C(1) << 31; /* to the half, in the encoder's scale */
    for (bool last = false; !last; count++) {
        ck_assert_uint_lt(count, SHARES);
        uint32_t total = RANGE_TOTAL_MAX; /* or the most whose shares do not end at the half */
        while (left % (e.range / total) == 0)
            total--;
        const uint32_t unit = e.range / total;
        uint32_t from = (uint32_t)(left / unit);
        last = count >= (size_t)_i && from + 1 < total;
        from += last;
        shares[count] = (struct share){from, total};
        range_put(&e, from, 1, total);
        left -= last ? 0 : (uint64_t)unit * from;
        for (uint32_t range = unit; range < RANGE_LOW_LIMIT; range <<= 8)
            left <<= 8;
    }
    range_finish(&e);
    ck_assert(!out.failed && out.data[0] == 0xff && out.data[1] == 0x80);
    range_decoder d = range_decoder_over(out.data + 1, out.data + out.size);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(range_target(&d, shares[i].total), shares[i].from);
        range_take(&d, shares[i].from, 1);
    }
    ck_assert(d.at == d.end);
    bytes_dispose(&out);
}
END_TEST

/* What could not be read again is refused, each number beside its ends. */
START_TEST(numbers_outside_of_their_ranges_are_not_written)
{
    map.terrain[0] = put("t");
    for (int i = LOCAL_NUMBER_COUNT; i <= LOCAL_NUMBER_STATUS; i++) {
        const local_range *range = local_range_of((local_number)i);
        const int64_t told[] = {range->least, range->most, range->least - (int64_t)1,
                                INT32_MIN};
        for (int k = 0; k < 4; k++) {
            local_entity e = {.kind = LOCAL_FIELD};
            int32_t *const of[] = {&e.count, &e.charges, &e.status};
            encoded_local encoded = {0};
            *of[i - LOCAL_NUMBER_COUNT] = (int32_t)told[k];
            map.count = 0;
            local_map_add(&map, &e);
            memset(&err, 0, sizeof err);
            ck_assert_int_eq(local_encode(&encoded, used, &map, pool, &err),
                             k < 2 ? PTL_OK : PTL_ERR_LIMIT);
            ck_assert(k < 2 || strstr(err.message, range->name) != NULL);
            encoded_local_dispose(&encoded);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_encoder");
    TCase *tc = tcase_create("local_encoder");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, what_came_before_changes_nothing, 0, 10);
    tcase_add_test(tc, numbers_outside_of_their_ranges_are_not_written);
    tcase_add_loop_test(tc, planes_may_be_many, 0, 3);
    tcase_add_loop_test(tc, a_carry_goes_through_all_bytes, 0, SHARES - 10);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
