/* Level blobs and chunk digests: round trips, canonical form, damage. */
#include "codec/level_parse.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/tiles_digest.h"
#include "unit/store/store_fixture.h"

#include "core/hash.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static codec *cdc;
static catalogue *cat;
static ptl_oter *cells, *back, *map;
static ptl_chunk *chunk;

enum { Z0 = 10, NUMBER_STEP = 3, NUMBERS = FIXTURE_OTERS * NUMBER_STEP + 1 };

static void setup(void)
{
    cdc = codec_new();
    cat = fixture_catalogue(FIXTURE_OTERS, 'a');
    cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    back = malloc(PTL_LEVEL_CELLS * sizeof *back);
    map = malloc(NUMBERS * sizeof *map);
    chunk = chunk_new((ptl_chunk_pos){-3, 4});
    ck_assert(cdc && cells && back && map && chunk);
    for (size_t i = 0; i < NUMBERS; i++)
        map[i] = i % NUMBER_STEP ? CAT_NONE : (ptl_oter)(i / NUMBER_STEP - 1);
    map[0] = CAT_NONE;
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&chunk->levels[i], fixture_defaults[i]);
}

static void teardown(void)
{
    codec_free(cdc);
    fixture_catalogue_free(cat);
    free(cells);
    free(back);
    free(map);
    ptl_chunk_free(chunk);
}

/* The file's number of an oter in these tests. */
static uint32_t number_of(ptl_oter oter)
{
    return (oter + 1u) * NUMBER_STEP;
}

/* The blob of `cells` as level z = 0. */
static void make_blob(bytes *out)
{
    encoded_chunk e;
    ptl_error err = {0};
    memcpy(level_cells(&chunk->levels[Z0]), cells, PTL_LEVEL_CELLS * sizeof *cells);
    ck_assert_msg(chunk_encode(&e, cdc, chunk, fixture_defaults, cat, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_uint_eq(e.level_mask, 1u << Z0);
    const encoded_level *l = &e.levels[Z0];
    uint32_t *numbers = malloc(l->palette_count * sizeof *numbers);
    for (size_t i = 0; i < l->palette_count; i++)
        numbers[i] = number_of(l->palette[i]);
    bytes_clear(out);
    level_blob_build(out, l, numbers);
    ck_assert(!out->failed);
    free(numbers);
    encoded_chunk_dispose(&e);
}

static ptl_status decode_below(const void *blob, size_t size, size_t limit, ptl_error *err)
{
    const level_runs *r;
    ptl_status status = level_parse_palette(&r, cdc, blob, size, limit, err);
    return status == PTL_OK ? level_expand(back, cdc, map, err) : status;
}

static ptl_status decode(const void *blob, size_t size)
{
    ptl_error err = {0};
    ptl_status status = decode_below(blob, size, NUMBERS, &err);
    if (status != PTL_OK)
        ck_assert(err.message[0] != '\0');
    return status;
}

START_TEST(test_round_trip)
{
    bytes blob = {0};
    fixture_level(cells, hash_mix((uint64_t)_i), (unsigned)_i % 7);
    make_blob(&blob);
    ck_assert_int_eq(decode(blob.data, blob.size), PTL_OK);
    ck_assert_mem_eq(back, cells, PTL_LEVEL_CELLS * sizeof *cells);
    bytes_dispose(&blob);
}
END_TEST

START_TEST(test_sizes)
{
    static const size_t at_most[7] = {6000, 12000, 75000, 200, 75000, 40, 200};
    bytes blob = {0};
    for (unsigned style = 0; style < 7; style++) {
        fixture_level(cells, 77, style);
        make_blob(&blob);
        ck_assert_msg(blob.size <= at_most[style], "style %u: %zu bytes", style, blob.size);
    }
    bytes_dispose(&blob);
}
END_TEST

START_TEST(test_uniform)
{
    encoded_chunk e;
    bytes blob = {0};
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        cells[i] = 300; /* as cells, not as fill: it is found to be uniform all the same */
    make_blob(&blob);
    ck_assert_uint_le(blob.size, 5);
    ck_assert_int_eq(decode(blob.data, blob.size), PTL_OK);
    ck_assert_mem_eq(back, cells, PTL_LEVEL_CELLS * sizeof *cells);
    bytes_dispose(&blob);
    level_fill(&chunk->levels[Z0], fixture_defaults[Z0]);
    ck_assert_int_eq(chunk_encode(&e, cdc, chunk, fixture_defaults, cat, NULL), PTL_OK);
    ck_assert_uint_eq(e.level_mask, 0);
    ck_assert_mem_eq(e.defaults, fixture_defaults, sizeof e.defaults);
    encoded_chunk_dispose(&e);
}
END_TEST

/* A flipped bit may give another level (the row's checksum tells), or inside a zstd frame,
 * which has a bit or two without a meaning, the same; never a read or write outside the blob:
 * the copy is exactly as long as the blob. */
START_TEST(test_every_flip)
{
    bytes blob = {0};
    size_t refused = 0, tried = 0, same = 0;
    fixture_level(cells, 5, (unsigned)_i);
    make_blob(&blob);
    size_t step = blob.size > 2000 ? blob.size / 500 : 1;
    for (size_t at = 0; at < blob.size; at += at < 64 ? 1 : step)
        for (int bit = 0; bit < 8; bit++) {
            uint8_t *copy = malloc(blob.size);
            memcpy(copy, blob.data, blob.size);
            copy[at] ^= (uint8_t)(1 << bit);
            tried++;
            if (decode(copy, blob.size) != PTL_OK)
                refused++;
            else if (memcmp(back, cells, PTL_LEVEL_CELLS * sizeof *cells) == 0)
                same++;
            free(copy);
        }
    ck_assert_uint_gt(tried, 100);
    ck_assert_uint_gt(refused, tried / 20);
    ck_assert_uint_le(same, blob.data[1] == 2 ? tried / 100 + 2 : 0);
    bytes_dispose(&blob);
}
END_TEST

START_TEST(test_every_truncation)
{
    bytes blob = {0};
    fixture_level(cells, 6, (unsigned)_i);
    make_blob(&blob);
    for (size_t size = 0; size < blob.size; size += size < 400 ? 1 : 97) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, blob.data, size);
        ck_assert_msg(decode(copy, size) == PTL_ERR_CORRUPT, "size %zu", size);
        free(copy);
    }
    bytes_put_u8(&blob, 0);
    ck_assert_int_eq(decode(blob.data, blob.size), PTL_ERR_CORRUPT);
    bytes_dispose(&blob);
}
END_TEST

START_TEST(test_random_bytes)
{
    rng r = rng_from_key((uint64_t)_i);
    for (int n = 0; n < 500; n++) {
        size_t size = rng_below(&r, 60);
        uint8_t *noise = malloc(size + 1);
        for (size_t i = 0; i < size; i++)
            noise[i] = (uint8_t)rng_next(&r);
        if (size > 1) {
            noise[0] = 2;
            noise[1] = (uint8_t)rng_below(&r, 4);
        }
        decode(noise, size);
        free(noise);
    }
}
END_TEST

/* Hand-made blobs, each wrong in one way. Palette 3, 6: widths 3 and 2 (0x22), then the bits 00
 * 11 and 01 011, from the lowest; 2 runs. */
START_TEST(test_hand_made)
{
    /* tokens: new+long, new; lengths: 32399 - 2 = 0x7e8d -> 8d fd 01 */
    const uint8_t good[] = {2, 1, 2, 0x22, 0xac, 1, 2, 3, 1, 0, 0x8d, 0xfd, 0x01};
    static const struct {
        size_t at;
        uint8_t value;
        const char *message;
    } cases[] = {{0, 1, "an unknown version"},
                 {0, 3, "newer Portolan"},
                 {1, 3, "an unknown kind"},
                 {2, 1, "a bad palette size"},
                 {2, 0, "a bad palette size"},
                 {3, 0x1f, "a list of numbers has bad widths"},
                 {3, 0x62, "a list of numbers has bad widths"},
                 {4, 0xa0, "a number that the file does not have"},
                 {5, 3, "bits after a list of numbers"},
                 {4, 0xcc, "an oter twice in the palette"},
                 {6, 0, "a bad stream size"},
                 {7, 4, "its size is not what its header says"},
                 {8, 5, "a palette index out of range"},
                 {9, 2, "two runs of the same oter side by side"},
                 {10, 0x8e, "more cells than a level has"},
                 {10, 0x8c, "fewer cells than a level has"},
                 {8, 0, "fewer cells than a level has"}};
    ck_assert_int_eq(decode(good, sizeof good), PTL_OK);
    ck_assert_uint_eq(back[0], 0);
    ck_assert_uint_eq(back[PTL_LEVEL_CELLS - 1], 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bad[sizeof good];
        ptl_error err = {0};
        memcpy(bad, good, sizeof good);
        bad[cases[i].at] = cases[i].value;
        ck_assert_int_eq(decode_below(bad, sizeof bad, NUMBERS, &err), PTL_ERR_CORRUPT);
        ck_assert_msg(strstr(err.message, cases[i].message) != NULL, "case %zu: %s", i,
                      err.message);
    }
}
END_TEST

START_TEST(test_number_limit)
{
    const uint8_t uniform[] = {2, 0, 9};
    ptl_error err = {0};
    ck_assert_int_eq(decode_below(uniform, 3, 10, &err), PTL_OK);
    ck_assert_int_eq(decode_below(uniform, 3, 9, &err), PTL_ERR_CORRUPT);
}
END_TEST

/* ---- frames ---- */

/* What codec_take_stream says to a stream of `size` bytes in this frame; NULL if it takes it.
 */
static const char *take_frame(uint64_t size, const bytes *frame)
{
    static ptl_error err;
    bytes stream, out;
    bytes_init(&stream);
    bytes_init(&out);
    bytes_put_varint(&stream, size);
    bytes_put_varint(&stream, frame->size);
    bytes_put(&stream, frame->data, frame->size);
    byte_reader r = byte_reader_over(stream.data, stream.size);
    memset(&err, 0, sizeof err);
    ptl_status status = codec_take_stream(&out, cdc, &r, 1 << 20, &err);
    ck_assert(status == PTL_OK ? out.size == size : status == PTL_ERR_CORRUPT);
    bytes_dispose(&stream);
    bytes_dispose(&out);
    return status == PTL_OK ? NULL : err.message;
}

static void expect_frame(uint64_t size, const bytes *frame, const char *wanted)
{
    const char *said = take_frame(size, frame);
    ck_assert_msg(said && strstr(said, wanted), "%s: %s", wanted, said ? said : "taken");
}

/* The frame is as zstd makes it, but for one thing, which zstd itself would bear with (what it
 * skips behind a frame) or name in its own way. */
START_TEST(test_frames)
{
    enum { SIZE_IN = 4000, DESCRIPTOR_SINGLE = 0x20, DICTIONARY = 1 };
    static const uint8_t skipped[] = {0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    uint8_t data[SIZE_IN];
    bytes stream, frame;
    ptl_error err = {0};
    bytes_init(&stream);
    bytes_init(&frame);
    for (size_t i = 0; i < SIZE_IN; i++)
        data[i] = (uint8_t)(i / 50 * 7);
    ck_assert_int_eq(codec_put_stream(&stream, cdc, data, SIZE_IN, &err), PTL_OK);
    byte_reader r = byte_reader_over(stream.data, stream.size);
    ck_assert_uint_eq(byte_reader_varint(&r), SIZE_IN);
    const size_t stored = byte_reader_varint(&r);
    ck_assert_uint_lt(stored, SIZE_IN - sizeof skipped);
    const uint8_t *at = byte_reader_take(&r, stored);
    ck_assert_ptr_nonnull(at);
    bytes_put(&frame, at, stored);
    ck_assert_ptr_null(take_frame(SIZE_IN, &frame));
    expect_frame(SIZE_IN + 1, &frame, "another content size");
    bytes_put(&frame, skipped, sizeof skipped);
    expect_frame(SIZE_IN, &frame, "does not end with the blob");
    /* A dictionary's number stands behind the descriptor and the window's, if there is one. */
    const size_t head = at[0] & DESCRIPTOR_SINGLE ? 1 : 2;
    bytes_clear(&frame);
    bytes_put_u8(&frame, at[0] | DICTIONARY);
    bytes_put(&frame, at + 1, head - 1);
    bytes_put_u8(&frame, 7);
    bytes_put(&frame, at + head, stored - head);
    expect_frame(SIZE_IN, &frame, "wants a dictionary");
    bytes_dispose(&stream);
    bytes_dispose(&frame);
}
END_TEST

/* The ids that a codec keeps give what the catalogue's own give: of any length, the first time
 * and later, and after another catalogue. */
START_TEST(test_kept_ids)
{
    enum { ROOM = 48 };
    cat_oter *list = malloc(cat->oter_count * sizeof *list);
    char *ids = malloc(cat->oter_count * ROOM);
    ck_assert(list && ids);
    memcpy(list, cat->oters, cat->oter_count * sizeof *list);
    for (size_t i = 0; i < cat->oter_count; i++) {
        int length = (int)(i % (ROOM - 6));
        snprintf(ids + i * ROOM, ROOM, "%u%.*s", (unsigned)(i % 100000), length,
                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz");
        list[i].id = ids + i * ROOM;
    }
    catalogue other = *cat;
    other.oters = list;
    memset(other.digest, 'b', 64);
    for (unsigned round = 0; round < 12; round++) {
        const catalogue *used = round % 4 < 2 ? &other : cat;
        encoded_chunk e;
        digest expected;
        fixture_level(level_cells(&chunk->levels[Z0]), round, 2 * (round % 2));
        ck_assert_int_eq(digest_of_tiles(&expected, chunk, used, NULL), PTL_OK);
        ck_assert_int_eq(chunk_encode(&e, cdc, chunk, fixture_defaults, used, NULL), PTL_OK);
        ck_assert_mem_eq(e.omts.bytes, expected.bytes, DIGEST_SIZE);
        encoded_chunk_dispose(&e);
    }
    free(list);
    free(ids);
}
END_TEST

START_TEST(test_chunk_digest)
{
    digest a, b;
    encoded_chunk e;
    ptl_chunk *other = fixture_chunk((ptl_chunk_pos){5, -6}, (uint64_t)_i);
    ck_assert_int_eq(digest_of_tiles(&a, other, cat, NULL), PTL_OK);
    ck_assert_int_eq(chunk_encode(&e, cdc, other, fixture_defaults, cat, NULL), PTL_OK);
    ck_assert_mem_eq(&e.omts, &a, sizeof a);
    encoded_chunk_dispose(&e);
    /* The form in memory does not matter; the cells, the place and the ids do. */
    for (int i = 0; i < PTL_LEVELS; i++)
        level_cells(&other->levels[i]);
    digest_of_tiles(&b, other, cat, NULL);
    ck_assert_mem_eq(&b, &a, sizeof a);
    other->levels[3].cells[17] ^= 1;
    digest_of_tiles(&b, other, cat, NULL);
    ck_assert_mem_ne(&b, &a, sizeof a);
    other->levels[3].cells[17] ^= 1;
    other->pos.x++;
    digest_of_tiles(&b, other, cat, NULL);
    ck_assert_mem_ne(&b, &a, sizeof a);
    ptl_chunk_free(other);
}
END_TEST

START_TEST(test_unknown_oter)
{
    encoded_chunk e;
    ptl_error err = {0};
    level_cells(&chunk->levels[2])[8] = FIXTURE_OTERS;
    ck_assert_int_ne(chunk_encode(&e, cdc, chunk, fixture_defaults, cat, &err), PTL_OK);
    ck_assert(strstr(err.message, "chunk -3,4") != NULL);
    encoded_chunk_dispose(&e);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("codec");
    TCase *tc = tcase_create("codec");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, test_seeds(70));
    tcase_add_test(tc, test_sizes);
    tcase_add_test(tc, test_uniform);
    tcase_add_loop_test(tc, test_every_flip, 0, 7);
    tcase_add_loop_test(tc, test_every_truncation, 0, 7);
    tcase_add_loop_test(tc, test_random_bytes, 0, 20);
    tcase_add_test(tc, test_hand_made);
    tcase_add_test(tc, test_number_limit);
    tcase_add_loop_test(tc, test_chunk_digest, 0, 10);
    tcase_add_test(tc, test_unknown_oter);
    tcase_add_test(tc, test_frames);
    tcase_add_test(tc, test_kept_ids);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
