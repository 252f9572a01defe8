/*
 * Core: errors, coordinates, digests, arena and string map. Bytes and random numbers have
 * files of their own.
 */
#include "unit/core/test_core.h"

#include "core/arena.h"
#include "core/digest.h"
#include "core/error.h"
#include "core/hash.h"
#include "portolan/types.h"
#include "support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

START_TEST(first_error_wins)
{
    ptl_error err = {0};
    ck_assert_int_eq(error_set(&err, PTL_ERR_CORRUPT, "level %d", 3), PTL_ERR_CORRUPT);
    ck_assert_int_eq(error_set(&err, PTL_ERR_IO, "later"), PTL_ERR_IO);
    ck_assert_int_eq(err.status, PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "level 3");
    error_clear(&err);
    ck_assert_int_eq(err.status, PTL_OK);
    ck_assert_str_eq(err.message, "");
    ck_assert_int_eq(error_nomem(&err), PTL_ERR_NOMEM);
    ck_assert_int_eq(err.status, PTL_ERR_NOMEM);
}
END_TEST

START_TEST(prefixes_add_context_in_front)
{
    ptl_error err = {0};
    error_set(&err, PTL_ERR_CORRUPT, "checksum");
    error_prefix(&err, PTL_ERR_CORRUPT, "level %d", -1);
    ck_assert_int_eq(error_prefix(&err, PTL_ERR_CORRUPT, "chunk %d,%d", 2, -3),
                     PTL_ERR_CORRUPT);
    ck_assert_str_eq(err.message, "chunk 2,-3: level -1: checksum");
}
END_TEST

/* Whatever the two lengths, the message stays terminated, starts with the context (as much as
 * fits) and goes on with the old message (as much as fits). */
START_TEST(long_messages_are_cut_not_overrun)
{
    char context[2 * PTL_ERROR_MESSAGE_SIZE], old[PTL_ERROR_MESSAGE_SIZE];
    static const size_t lengths[] = {0, 1, 200, 300, 507, 508, 509, 510, 511, 512, 1000};
    size_t count = sizeof lengths / sizeof *lengths;
    for (size_t i = 0; i < count * count; i++) {
        size_t before = lengths[i % count], after = lengths[i / count];
        ptl_error err = {0};
        memset(context, 'c', before);
        context[before] = '\0';
        after = after < sizeof old ? after : sizeof old - 1;
        memset(old, 'o', after);
        old[after] = '\0';
        error_set(&err, PTL_ERR_IO, "%s", old);
        error_prefix(&err, PTL_ERR_IO, "%s", context);
        size_t cs = strspn(err.message, "c");
        size_t kept = before < PTL_ERROR_MESSAGE_SIZE - 3 ? before : PTL_ERROR_MESSAGE_SIZE - 3;
        ck_assert_uint_eq(cs, kept);
        ck_assert_int_eq(strncmp(err.message + cs, ": ", 2), 0);
        size_t room = PTL_ERROR_MESSAGE_SIZE - 1 - cs - 2;
        ck_assert_uint_eq(strspn(err.message + cs + 2, "o"), after < room ? after : room);
        ck_assert_uint_eq(strlen(err.message), cs + 2 + (after < room ? after : room));
    }
}
END_TEST

START_TEST(no_error_record_is_fine)
{
    error_clear(NULL);
    ck_assert_int_eq(error_set(NULL, PTL_ERR_BUSY, "x"), PTL_ERR_BUSY);
    ck_assert_int_eq(error_prefix(NULL, PTL_ERR_BUSY, "x"), PTL_ERR_BUSY);
    ck_assert_int_eq(error_nomem(NULL), PTL_ERR_NOMEM);
}
END_TEST

START_TEST(every_status_has_its_own_name)
{
    for (int a = PTL_ERR_UNSUPPORTED; a <= PTL_OK; a++) {
        ck_assert_str_ne(ptl_status_name((ptl_status)a), "unknown status");
        for (int b = PTL_ERR_UNSUPPORTED; b < a; b++)
            ck_assert_str_ne(ptl_status_name((ptl_status)a), ptl_status_name((ptl_status)b));
    }
    ck_assert_str_eq(ptl_status_name((ptl_status)(PTL_ERR_UNSUPPORTED - 1)), "unknown status");
    ck_assert_str_eq(ptl_status_name((ptl_status)1), "unknown status");
}
END_TEST

START_TEST(version_has_three_numbers)
{
    int major, minor, patch;
    char rest;
    ck_assert_int_eq(sscanf(ptl_version(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3);
}
END_TEST

/* ---- coordinates ---- */

START_TEST(omts_floor_to_their_chunk)
{
    rng r = rng_from_key(hash_string("omts"));
    int wrong = 0;
    for (int i = 0; i < 100000; i++) {
        int32_t cx = rng_range(&r, -PTL_CHUNK_COORD_MAX, PTL_CHUNK_COORD_MAX);
        int32_t cy = i % 2 ? rng_range(&r, -2, 2) : cx;
        int64_t lx = rng_range(&r, 0, PTL_CHUNK_SIZE - 1), ly = rng_range(&r, 0, 1) * 179;
        ptl_omt omt = {(int64_t)cx * PTL_CHUNK_SIZE + lx, (int64_t)cy * PTL_CHUNK_SIZE + ly, 0};
        ptl_chunk_pos pos = ptl_omt_chunk(omt);
        wrong += pos.x != cx || pos.y != cy;
    }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* ---- digests ---- */

static void assert_hex(digest_state *state, const char *expected)
{
    digest d;
    char hex[DIGEST_HEX_SIZE];
    digest_final(state, &d);
    digest_to_hex(&d, hex);
    ck_assert_str_eq(hex, expected);
}

/* 1,280 bytes: 0, 1 .. 255, five times over; ten blocks of BLAKE2b. */
static void long_input(uint8_t out[1280])
{
    for (size_t i = 0; i < 1280; i++)
        out[i] = (uint8_t)i;
}

/* Twice: with the code that is always there, and with the fastest for this processor.
 * Expected values: Python's hashlib.blake2b(data, digest_size=32); the second is well known. */
START_TEST(digests_are_blake2b_256)
{
    if (_i > 0)
        digest_prepare();
    uint8_t big[1280];
    long_input(big);
    digest_state state;
    digest_init(&state);
    assert_hex(&state, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    digest_init(&state);
    digest_update(&state, "abc", 3);
    assert_hex(&state, "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    for (size_t cut = 0; cut <= sizeof big; cut += 37) {
        digest_init(&state);
        digest_update(&state, big, cut);
        digest_update(&state, NULL, 0);
        digest_update(&state, big + cut, sizeof big - cut);
        assert_hex(&state, "82628cbfc9689e234b0923a531f4578fe2e7138a03e2f81ed6cde97517336650");
    }
}
END_TEST

START_TEST(counted_strings_do_not_join)
{
    digest_state state;
    digest_init(&state);
    digest_update_counted(&state, "ab", 2);
    digest_update_counted(&state, "", 0);
    digest_update_counted(&state, "c", 1);
    assert_hex(&state, "f697973ca9331152aaad733e7fee6b6770d8f8500546ed32a0a191f4ea291626");
}
END_TEST

/* The first 8 bytes, little-endian, signed, of hashlib.blake2b(data, digest_size=16). */
START_TEST(checksums_are_half_of_blake2b_128)
{
    if (_i > 0)
        digest_prepare();
    uint8_t big[1280];
    long_input(big);
    ck_assert_int_eq(checksum64("", 0), INT64_C(4665148505410102986));
    ck_assert_int_eq(checksum64("abc", 3), INT64_C(3138212647195331279));
    ck_assert_int_eq(checksum64(big, sizeof big), INT64_C(1741979980012477570));
}
END_TEST

/* ---- arena ---- */

/* Check's assertions each write to a pipe: too slow to have one per byte. */
static bool all_are(const unsigned char *at, size_t size, int value)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != value)
            return false;
    return true;
}

enum { OWN_BLOCK = 1 << 14 };
static size_t blocks_begun;

static void begin_block(void *start, size_t size)
{
    ck_assert_uint_eq(size, OWN_BLOCK);
    ck_assert_uint_eq((uintptr_t)start % OWN_BLOCK, 0);
    memset(start, 77, size); /* what it has to be is the arena's matter */
    blocks_begun++;
}

/* In blocks as usual, and in others. */
START_TEST(arena_gives_zeroed_aligned_separate_memory)
{
    enum { COUNT = 3000 };
    static const arena_blocks own = {OWN_BLOCK, begin_block};
    static unsigned char *items[COUNT];
    static size_t sizes[COUNT];
    rng r = rng_from_key((uint64_t)_i);
    arena *a = _i % 2 ? arena_new_of(&own) : arena_new();
    ck_assert_ptr_nonnull(a);
    blocks_begun = 0;
    size_t small = 0;
    for (int i = 0; i < COUNT; i++) {
        const bool bytes_alone = rng_one_in(&r, 2); /* from a block's other end */
        sizes[i] = rng_one_in(&r, 100) ? rng_below(&r, 200000) : rng_below(&r, 300);
        items[i] = (bytes_alone ? arena_bytes : arena_alloc)(a, sizes[i]);
        small += sizes[i] < 300 ? sizes[i] : 0;
        ck_assert_ptr_nonnull(items[i]);
        ck_assert(bytes_alone || (uintptr_t)items[i] % _Alignof(max_align_t) == 0);
        ck_assert_msg(bytes_alone || all_are(items[i], sizes[i], 0), "item %d is not zeroed",
                      i);
        memset(items[i], i % 255 + 1, sizes[i]);
    }
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(all_are(items[i], sizes[i], i % 255 + 1), "item %d is overwritten", i);
    /* About as many as what is in them needs. */
    ck_assert(_i % 2 ? blocks_begun >= small / OWN_BLOCK && blocks_begun <= small / 4096
                     : blocks_begun == 0);
    arena_free(a);
}
END_TEST

/* Copies have their bytes, in whichever block they lie.
 */
START_TEST(arena_copies_bytes)
{
    enum { COUNT = 60000, SIZE_MOST = 200 };
    static const unsigned char *items[COUNT];
    unsigned char from[SIZE_MOST];
    arena *a = arena_new();
    ck_assert_ptr_nonnull(a);
    for (int i = 0; i < COUNT; i++) {
        memset(from, i % 255, sizeof from);
        items[i] = arena_copy(a, from, (size_t)i % SIZE_MOST);
        ck_assert_ptr_nonnull(items[i]);
    }
    for (int i = 0; i < COUNT; i++)
        ck_assert_msg(all_are(items[i], (size_t)i % SIZE_MOST, i % 255), "item %d", i);
    ck_assert_ptr_nonnull(arena_copy(a, NULL, 0));
    ck_assert_ptr_null(arena_copy(a, from, SIZE_MAX));
    arena_free(a);
}
END_TEST

START_TEST(arena_refuses_what_overflows)
{
    arena *a = arena_new();
    ck_assert_ptr_null(arena_alloc(a, SIZE_MAX));
    ck_assert_ptr_null(arena_alloc(a, SIZE_MAX - 64));
    ck_assert_ptr_null(arena_bytes(a, SIZE_MAX));
    ck_assert_ptr_null(arena_calloc(a, SIZE_MAX / 2, 3));
    ck_assert_ptr_null(arena_calloc(a, (size_t)1 << 33, (size_t)1 << 33));
    ck_assert_ptr_nonnull(arena_calloc(a, 0, 8));
    ck_assert_ptr_nonnull(arena_calloc(a, 8, 0));
    arena_free(a);
    arena_free(NULL);
}
END_TEST

START_TEST(arena_copies_strings)
{
    arena *a = arena_new();
    char text[] = "river_center";
    char *whole = arena_strdup(a, text), *part = arena_strndup(a, text, 5);
    char *empty = arena_strndup(a, text, 0);
    text[0] = 'x';
    ck_assert_str_eq(whole, "river_center");
    ck_assert_str_eq(part, "river");
    ck_assert_str_eq(empty, "");
    arena_free(a);
}
END_TEST

/* ---- string map ---- */

/* Keys of all lengths that differ in one character each. */
START_TEST(strmap_tells_keys_apart)
{
    enum { LENGTH = 40 };
    arena *a = arena_new();
    strmap m;
    strmap_init(&m);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t length = 0; length <= LENGTH; length++)
            for (uint32_t at = 0; at <= length; at++) {
                char key[LENGTH + 1] = "";
                memset(key, 'x', length);
                if (at < length)
                    key[at] = (char)('a' + at % 20);
                const uint32_t value = length * (LENGTH + 1) + at;
                ck_assert_uint_eq(strmap_get(&m, key), pass ? value : STRMAP_NONE);
                if (pass == 0)
                    ck_assert_int_eq(strmap_put(&m, arena_strdup(a, key), value), 0);
            }
    strmap_dispose(&m);
    arena_free(a);
}
END_TEST

START_TEST(strmap_finds_what_was_put)
{
    enum { COUNT = 20000 };
    arena *a = arena_new();
    strmap m;
    strmap_init(&m);
    ck_assert_uint_eq(strmap_get(&m, "missing"), STRMAP_NONE);
    static const char *keys[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        char key[32];
        snprintf(key, sizeof key, "terrain_%u", (unsigned)(i * 7919u));
        keys[i] = arena_strdup(a, key);
        ck_assert_uint_eq(strmap_get(&m, key), STRMAP_NONE);
        ck_assert_int_eq(strmap_put(&m, keys[i], i), 0);
        ck_assert_uint_eq(m.count, i + 1);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        char copy[32]; /* equal text at another address */
        snprintf(copy, sizeof copy, "%s", keys[i]);
        ck_assert_uint_eq(strmap_get(&m, copy), i);
        ck_assert_int_eq(strmap_put(&m, copy, COUNT - i), 0); /* replaces the value alone */
        ck_assert_uint_eq(strmap_get(&m, keys[i]), COUNT - i);
    }
    ck_assert_uint_eq(m.count, COUNT);
    ck_assert_uint_eq(strmap_get(&m, ""), STRMAP_NONE);
    ck_assert_uint_eq(strmap_get(&m, "terrain_"), STRMAP_NONE);
    strmap_dispose(&m);
    ck_assert_uint_eq(strmap_get(&m, keys[0]), STRMAP_NONE);
    strmap_dispose(&m);
    arena_free(a);
}
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *const *tests, size_t count,
                     int loops)
{
    TCase *tc = tcase_create(name);
    for (size_t i = 0; i < count; i++)
        tcase_add_loop_test(tc, tests[i], 0, loops);
    suite_add_tcase(suite, tc);
}

int main(void)
{
    const TTest *errors[] = {first_error_wins,
                             prefixes_add_context_in_front,
                             long_messages_are_cut_not_overrun,
                             no_error_record_is_fine,
                             every_status_has_its_own_name,
                             version_has_three_numbers};
    const TTest *places[] = {omts_floor_to_their_chunk};
    const TTest *digests[] = {digests_are_blake2b_256, counted_strings_do_not_join,
                              checksums_are_half_of_blake2b_128};
    const TTest *arenas[] = {arena_gives_zeroed_aligned_separate_memory};
    const TTest *texts[] = {arena_refuses_what_overflows, arena_copies_bytes,
                            arena_copies_strings, strmap_tells_keys_apart,
                            strmap_finds_what_was_put};
    Suite *suite = suite_create("core");
    add_case(suite, "errors", errors, sizeof errors / sizeof *errors, 1);
    add_case(suite, "coordinates", places, 1, 1);
    add_case(suite, "digests", digests, sizeof digests / sizeof *digests, 2);
    add_case(suite, "arena", arenas, 1, 4);
    add_case(suite, "strings", texts, sizeof texts / sizeof *texts, 1);
    add_array_cases(suite);
    add_bytes_cases(suite);
    add_random_cases(suite);
    add_sized_cases(suite);
    add_utf8_cases(suite);
    add_visible_cases(suite);
    return suite_run(suite);
}
