/* Packs to bytes: against a plain writer of varints, round trips of every form, ranges, and
 * codecs that are used again and again. */
#include "core/hash.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_MAX = 70, LONG = 700 /* more than are coded at once */ };

static fixture f;
static ptl_error err;
static codec *used;
static pack_table in, out;
static bytes blob;

static void setup(void)
{
    fixture_open(&f);
    used = codec_new();
    ck_assert(used != NULL);
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    codec_free(used);
    pack_table_dispose(&in);
    pack_table_dispose(&out);
    bytes_dispose(&blob);
    fixture_close(&f);
}

/* Mostly small, sometimes as wide as the range. */
static int32_t draw(rng *r, int32_t low, int32_t high)
{
    const uint64_t range = (uint64_t)((int64_t)high - low) + 1;
    const uint64_t wanted = UINT64_C(1) << (rng_below(r, 4) ? rng_below(r, 8) : 31);
    const uint64_t room = wanted < range ? wanted : range;
    return (int32_t)(low + (int64_t)rng_below(r, (uint32_t)room));
}

START_TEST(test_signed)
{
    int32_t values[LONG];
    bytes want = {0};
    rng r = rng_from_key(7);
    for (size_t n = 0; n < 2000; n++) {
        const size_t count = n % 40 == 0 ? rng_below(&r, LONG) : n % COUNT_MAX;
        bytes_clear(&blob);
        bytes_clear(&want);
        for (size_t i = 0; i < count; i++) {
            values[i] = n % 3 ? draw(&r, -20, 100) : draw(&r, INT32_MIN + 1, INT32_MAX);
            const int64_t v = values[i];
            bytes_put_varint(&want, (uint64_t)(v < 0 ? -2 * v - 1 : 2 * v));
        }
        pack_put_signed(&blob, values, count);
        ck_assert_uint_eq(blob.size, want.size);
        ck_assert(count == 0 || memcmp(blob.data, want.data, want.size) == 0);
    }
    bytes_dispose(&want);
}
END_TEST

/* Values that the form allows; names in the order of their first use. Returns how many. */
static size_t fill(pack_kind kind, size_t count, rng *r)
{
    const pack_layout *layout = pack_layout_of(kind);
    int32_t names = 0;
    ck_assert_int_eq(pack_table_resize(&in, kind, count, &err), PTL_OK);
    for (size_t c = 0; c < layout->column_count; c++) {
        const pack_column *column = &layout->columns[c];
        const bool named = column->coding == PACK_TOKEN || column->coding == PACK_NAME;
        for (size_t i = 0; i < count; i++) {
            in.columns[c][i] = draw(r, column->low, named ? names : column->high);
            names += named && in.columns[c][i] == names;
        }
    }
    return (size_t)names;
}

START_TEST(test_forms)
{
    const pack_kind kind = (pack_kind)_i;
    const pack_layout *layout = pack_layout_of(kind);
    uint32_t numbers[2 * LONG];
    rng r = rng_from_key(100 + (uint64_t)_i);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        numbers[i] = 3 * i + 1;
    for (size_t n = 0; layout->name && n < 300; n++) {
        const size_t count = n % 20 == 0 ? 1 + rng_below(&r, LONG) : 1 + n % (COUNT_MAX - 1);
        encoded_pack p = {.count = count, .name_count = fill(kind, count, &r)};
        ck_assert_msg(pack_body_encode(&p, used, kind, &in, &err) == PTL_OK, "%s", err.message);
        bytes_clear(&blob);
        pack_blob_build(&blob, &p, numbers);
        ck_assert_msg(pack_parse(&out, used, kind, blob.data, blob.size, 6 * LONG, &err) ==
                          PTL_OK,
                      "%s", err.message);
        ck_assert_uint_eq(out.count, count);
        for (size_t c = 0; c < layout->column_count; c++)
            ck_assert(memcmp(in.columns[c], out.columns[c], count * sizeof(int32_t)) == 0);
        encoded_pack_dispose(&p);
    }
}
END_TEST

/* Joins as growth notes them: each second one is what the one before it met, inside the chunk.
 */
static void pair_joins(rng *r)
{
    for (size_t i = 0; i + 1 < in.count; i += 2) {
        const int32_t side = draw(r, 0, 5);
        static const int32_t beyond[6][3] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0},
                                             {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
        static const int32_t back[6] = {2, 3, 0, 1, 5, 4};
        const int32_t at[3] = {draw(r, 1, 178), draw(r, 1, 178), draw(r, -9, 9)};
        for (size_t k = 0; k < 2; k++) {
            in.columns[JOIN_PLACEMENT][i + k] = in.columns[JOIN_PLACEMENT][i];
            in.columns[JOIN_SIDE][i + k] = k ? back[side] : side;
            in.columns[JOIN_X][i + k] = at[0] + (k ? beyond[side][0] : 0);
            in.columns[JOIN_Y][i + k] = at[1] + (k ? beyond[side][1] : 0);
            in.columns[JOIN_Z][i + k] = at[2] + (k ? beyond[side][2] : 0);
        }
    }
}

/* Returns what became of it: it is read back as it was. */
static const encoded_pack *joins_as_blob(size_t names, const uint32_t *numbers)
{
    static encoded_pack p;
    encoded_pack_dispose(&p);
    p.count = in.count;
    p.name_count = names;
    ck_assert_int_eq(pack_body_encode(&p, used, PACK_JOINS, &in, &err), PTL_OK);
    bytes_clear(&blob);
    pack_blob_build(&blob, &p, numbers);
    ck_assert_msg(pack_parse(&out, used, PACK_JOINS, blob.data, blob.size, 6 * LONG, &err) ==
                      PTL_OK,
                  "%s", err.message);
    ck_assert_uint_eq(out.count, in.count);
    for (size_t c = 0; c < pack_layout_of(PACK_JOINS)->column_count; c++)
        ck_assert(memcmp(in.columns[c], out.columns[c], in.count * sizeof(int32_t)) == 0);
    return &p;
}

static ptl_status parse_blob(pack_kind kind)
{
    return pack_parse(&out, used, kind, blob.data, blob.size, 6 * LONG, NULL);
}

/* Pairs are stored by their first ones; with any value other than that they are not. */
START_TEST(test_pairs)
{
    uint32_t numbers[2 * LONG];
    rng r = rng_from_key(200 + (uint64_t)_i);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        numbers[i] = 3 * i + 1;
    for (size_t n = 0; n < 60; n++) {
        const size_t count = 2 * (n % 10 == 0 ? 1 + rng_below(&r, LONG / 2) : 1 + n);
        const size_t names = fill(PACK_JOINS, count, &r);
        pair_joins(&r);
        const size_t whole = joins_as_blob(names, numbers)->body.size;
        ck_assert_uint_eq(blob.data[0], PACK_VERSION_PAIRS);
        blob.data[0] = PACK_VERSION;
        ck_assert_int_eq(parse_blob(PACK_JOINS), PTL_ERR_CORRUPT);
        blob.data[0] = PACK_VERSION_PAIRS;
        ck_assert_int_eq(parse_blob(PACK_PIECES), PTL_ERR_CORRUPT);
        const size_t column = JOIN_PLACEMENT + rng_below(&r, 5);
        int32_t *value = &in.columns[column][rng_below(&r, count)];
        *value += *value == pack_layout_of(PACK_JOINS)->columns[column].high ? -1 : 1;
        ck_assert_uint_ge(joins_as_blob(names, numbers)->body.size, whole);
        ck_assert_uint_eq(blob.data[0], PACK_VERSION);
    }
}
END_TEST

/* ---- pairs by pieces ---- */

static pack_table pieces;

/* Pieces of some specials, each on a cell of its own: a snake through rows, so that a side of
 * each meets the one before. */
static void make_pieces(size_t count)
{
    ck_assert_int_eq(pack_table_resize(&pieces, PACK_PIECES, count, &err), PTL_OK);
    for (size_t i = 0; i < count; i++) {
        const int32_t row = (int32_t)(i / 30), column = (int32_t)(i % 30);
        pieces.columns[PIECE_ID][i] = 0;
        pieces.columns[PIECE_ROTATION][i] = 0;
        pieces.columns[PIECE_PLACEMENT][i] = (int32_t)i / 40;
        pieces.columns[PIECE_Z][i] = 1;
        pieces.columns[PIECE_X][i] = 1 + (row % 2 ? 29 - column : column);
        pieces.columns[PIECE_Y][i] = 1 + row;
    }
}

/* Each pair has a piece's join second: pieces in their order, some without, some with more. */
static void join_pieces(rng *r)
{
    size_t piece = 0;
    for (size_t i = 0; i + 1 < in.count; i += 2) {
        const size_t next = piece + rng_below(r, 3);
        piece = next < pieces.count ? next : piece;
        const pack_join second = {draw(r, 0, 5), pieces.columns[PIECE_Z][piece],
                                  pieces.columns[PIECE_X][piece],
                                  pieces.columns[PIECE_Y][piece]};
        const pack_join both[2] = {pack_join_met(second), second};
        for (size_t k = 0; k < 2; k++) {
            in.columns[JOIN_PLACEMENT][i + k] = pieces.columns[PIECE_PLACEMENT][piece];
            in.columns[JOIN_SIDE][i + k] = both[k].side;
            in.columns[JOIN_Z][i + k] = both[k].z;
            in.columns[JOIN_X][i + k] = both[k].x;
            in.columns[JOIN_Y][i + k] = both[k].y;
        }
    }
}

/* Told by pieces, and read back with the same ones alone. Where a join is of no piece pairs are
 * stored by their first ones. */
START_TEST(test_by_pieces)
{
    uint32_t numbers[2 * LONG];
    rng r = rng_from_key(300 + (uint64_t)_i);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        numbers[i] = 3 * i + 1;
    for (size_t n = 0; n < 60; n++) {
        const size_t count = 2 * (n % 10 == 0 ? 1 + rng_below(&r, LONG / 2) : 1 + n);
        make_pieces(1 + rng_below(&r, 300));
        in.pieces = out.pieces = &pieces;
        const size_t names = fill(PACK_JOINS, count, &r);
        join_pieces(&r);
        joins_as_blob(names, numbers);
        ck_assert_uint_eq(blob.data[0], PACK_VERSION_PIECES);
        out.pieces = NULL;
        ck_assert_int_eq(parse_blob(PACK_JOINS), PTL_ERR_CORRUPT);
        out.pieces = &pieces;
        pieces.count = 0;
        ck_assert_int_eq(parse_blob(PACK_JOINS), PTL_ERR_CORRUPT);
        make_pieces(300);
        const size_t pair = rng_below(&r, (uint32_t)count / 2);
        for (size_t k = 0; k < 2; k++)
            in.columns[JOIN_PLACEMENT][2 * pair + k] += 50;
        joins_as_blob(names, numbers);
        ck_assert_uint_eq(blob.data[0], PACK_VERSION_PAIRS);
        in.pieces = out.pieces = NULL;
    }
    pack_table_dispose(&pieces);
}
END_TEST

/* Pieces that are gone through again and again are given up, not sought for ever. */
START_TEST(test_scattered_pieces)
{
    uint32_t numbers[2 * LONG];
    rng r = rng_from_key(1);
    for (uint32_t i = 0; i < 2 * LONG; i++)
        numbers[i] = i + 1;
    make_pieces(LONG);
    for (size_t k = 0; k < 6; k++) /* backwards */
        for (size_t i = 0; i < LONG / 2; i++) {
            const int32_t last = pieces.columns[k][LONG - 1 - i];
            pieces.columns[k][LONG - 1 - i] = pieces.columns[k][i];
            pieces.columns[k][i] = last;
        }
    in.pieces = out.pieces = &pieces;
    for (size_t n = 0; n < 2; n++) {
        const size_t names = fill(PACK_JOINS, n ? LONG : 8, &r);
        size_t piece = LONG - 1;
        for (size_t i = 0; i + 1 < in.count; i += 2, piece--) {
            const pack_join second = {1, pieces.columns[PIECE_Z][piece],
                                      pieces.columns[PIECE_X][piece],
                                      pieces.columns[PIECE_Y][piece]};
            const pack_join both[2] = {pack_join_met(second), second};
            for (size_t k = 0; k < 2; k++) {
                in.columns[JOIN_PLACEMENT][i + k] = pieces.columns[PIECE_PLACEMENT][piece];
                in.columns[JOIN_SIDE][i + k] = both[k].side;
                in.columns[JOIN_Z][i + k] = both[k].z;
                in.columns[JOIN_X][i + k] = both[k].x;
                in.columns[JOIN_Y][i + k] = both[k].y;
            }
        }
        joins_as_blob(names, numbers);
        ck_assert_uint_eq(blob.data[0], n ? PACK_VERSION_PAIRS : PACK_VERSION_PIECES);
    }
    in.pieces = out.pieces = NULL;
    pack_table_dispose(&pieces);
}
END_TEST

/* Numbers of pieces that are not there, and joins beyond the chunk. */
START_TEST(test_bad_pieces)
{
    static const struct {
        const char *what;
        uint8_t bytes[24];
        size_t size;
        bool good;
    } cases[] = {
        /* version, joins, names, the number list, bytes twice, ids, pieces, sides */
        {"a pair", {4, 2, 1, 0, 1, 4, 4, 0, 1, 2, 1}, 11, true},
        {"of the third of two pieces", {4, 2, 1, 0, 1, 4, 4, 0, 1, 4, 1}, 11, false},
        {"of one before the first", {4, 2, 1, 0, 1, 4, 4, 0, 1, 1, 1}, 11, false},
        {"a seventh side", {4, 2, 1, 0, 1, 4, 4, 0, 1, 2, 6}, 11, false},
        {"half of one", {4, 1, 1, 0, 1, 3, 3, 0, 2, 1}, 10, false},
        {"a column too many", {4, 2, 1, 0, 1, 5, 5, 0, 1, 2, 1, 0}, 12, false},
        {"a column too few", {4, 2, 1, 0, 1, 3, 3, 0, 1, 2}, 10, false},
        {"north of the chunk", {4, 2, 1, 0, 1, 4, 4, 0, 1, 0, 0}, 11, false},
        {"east of the same piece", {4, 2, 1, 0, 1, 4, 4, 0, 1, 0, 1}, 11, true},
    };
    make_pieces(2);
    pieces.columns[PIECE_Y][0] = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        out.pieces = &pieces;
        const ptl_status status =
            pack_parse(&out, used, PACK_JOINS, cases[i].bytes, cases[i].size, 6 * LONG, &err);
        ck_assert_msg((status == PTL_OK) == cases[i].good, "%s: %s", cases[i].what,
                      err.message);
        out.pieces = NULL;
    }
    pack_table_dispose(&pieces);
}
END_TEST

/* An odd number of joins, and one whose other side would lie beyond the chunk. */
START_TEST(test_bad_pairs)
{
    static const struct {
        const char *what;
        uint8_t bytes[24];
        size_t size;
        bool good;
    } cases[] = {
        /* version, joins, names, the number list, bytes twice, ids, specials, side, z, x, y */
        {"a pair", {3, 2, 1, 0, 1, 7, 7, 0, 1, 0, 1, 0, 0, 0}, 14, true},
        {"half of one", {3, 1, 1, 0, 1, 1, 1, 0}, 8, false},
        {"north of the chunk", {3, 2, 1, 0, 1, 7, 7, 0, 1, 0, 0, 0, 0, 0}, 14, false},
        {"above all levels", {3, 2, 1, 0, 1, 7, 7, 0, 1, 0, 4, 20, 0, 0}, 14, false},
        {"below them", {3, 2, 1, 0, 1, 7, 7, 0, 1, 0, 5, 19, 0, 0}, 14, false},
        {"west of it", {3, 2, 1, 0, 1, 7, 7, 0, 1, 0, 3, 0, 0, 0}, 14, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const ptl_status status =
            pack_parse(&out, used, PACK_JOINS, cases[i].bytes, cases[i].size, 6 * LONG, &err);
        ck_assert_msg((status == PTL_OK) == cases[i].good, "%s: %s", cases[i].what,
                      err.message);
    }
}
END_TEST

START_TEST(test_range)
{
    rng r = rng_from_key(5);
    for (size_t count = 1; count < 20; count++)
        for (size_t i = 0; i < count; i++) {
            encoded_pack p = {0};
            ptl_error told = {0};
            fill(PACK_JOINS, count, &r);
            in.columns[JOIN_SIDE][i] = i % 2 ? -1 : 6;
            ck_assert_int_eq(pack_body_encode(&p, used, PACK_JOINS, &in, &told),
                             PTL_ERR_INTERNAL);
            char want[64];
            snprintf(want, sizeof want, "joins: entry %zu has side %d, not 0..5", i,
                     i % 2 ? -1 : 6);
            ck_assert_str_eq(told.message, want);
            encoded_pack_dispose(&p);
        }
}
END_TEST

/* What a codec did before changes nothing. */
START_TEST(test_used_codec)
{
    static const feature_counts sizes[] = {
        {10, 1030, 60, 7}, {0, 0, 0, 0}, {3, 17, 2, 30}, {40, 3000, 9, 0}, {1, 1, 1, 1}};
    const ptl_chunk_pos pos = {2, -1};
    for (uint64_t n = 0; n < 10; n++) {
        gen_features features = {0};
        encoded_features one, two;
        codec *fresh = codec_new();
        ck_assert(fresh != NULL);
        fixture_features(&features, f.cat, n, sizes[n % 5]);
        ck_assert_int_eq(features_encode(&one, used, pos, &features, f.cat, &err), PTL_OK);
        ck_assert_int_eq(features_encode(&two, fresh, pos, &features, f.cat, &err), PTL_OK);
        ck_assert(memcmp(one.digest.bytes, two.digest.bytes, DIGEST_SIZE) == 0);
        for (size_t kind = 0; kind < PACK_KINDS; kind++) {
            const encoded_pack *p = &one.packs[kind], *q = &two.packs[kind];
            ck_assert(p->count == q->count && p->name_count == q->name_count);
            ck_assert_uint_eq(p->body.size, q->body.size);
            ck_assert(p->count == 0 || memcmp(p->body.data, q->body.data, p->body.size) == 0);
        }
        encoded_features_dispose(&one);
        encoded_features_dispose(&two);
        codec_free(fresh);
        features_dispose(&features);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pack_encode");
    TCase *tc = tcase_create("pack_encode");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_signed);
    tcase_add_loop_test(tc, test_forms, 0, PACK_FORMS);
    tcase_add_loop_test(tc, test_pairs, 0, 3);
    tcase_add_test(tc, test_bad_pairs);
    tcase_add_loop_test(tc, test_by_pieces, 0, 3);
    tcase_add_test(tc, test_scattered_pieces);
    tcase_add_test(tc, test_bad_pieces);
    tcase_add_test(tc, test_range);
    tcase_add_test(tc, test_used_codec);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
