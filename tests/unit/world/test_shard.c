/*
 * Shares of work (world/shard.h): the parts of all shards are what was asked, none has anything
 * in common with another, blocks stay whole, parts are of equal size as far as blocks allow,
 * and the order of the list changes nothing.
 */
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "world/shard.h"

#include "portolan/generate.h"
#include "portolan/sweep.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, MOST = SIDE * SIDE, BLOCK_CHUNKS = SHARD_BLOCK * SHARD_BLOCK };

static ptl_error err;

static int32_t block_of(int32_t at)
{
    return at >= 0 ? at / SHARD_BLOCK : -((SHARD_BLOCK - 1 - at) / SHARD_BLOCK);
}

/* Makes a list of different chunks in random order: some of those of a square, which lies at
 * the world's middle or at one of its corners. Returns how many there are. */
static size_t draw_list(ptl_chunk_pos *list, ptl_chunk_pos *corner, rng *r)
{
    static const int32_t corners[] = {-SIDE / 2, -SIDE - 3, 5, -PTL_CHUNK_COORD_MAX,
                                      PTL_CHUNK_COORD_MAX - SIDE + 1};
    const uint32_t share = rng_below(r, 4);
    size_t n = 0;
    *corner = (ptl_chunk_pos){corners[rng_below(r, 5)], corners[rng_below(r, 5)]};
    for (int32_t i = 0; i < MOST; i++)
        if (share == 0 || rng_below(r, 4) < share)
            list[n++] = (ptl_chunk_pos){corner->x + i % SIDE, corner->y + i / SIDE};
    for (size_t i = n; i > 1; i--) {
        const uint32_t k = rng_below(r, (uint32_t)i);
        const ptl_chunk_pos swap = list[i - 1];
        list[i - 1] = list[k];
        list[k] = swap;
    }
    return n;
}

/* Checks that the list has only chunks that no earlier shard has, and whole blocks of them, and
 * notes in `owner` whose they are. */
static void claim(int32_t owner[SIDE][SIDE], const ptl_chunk_pos *part, size_t count,
                  ptl_chunk_pos corner, int32_t shard_number)
{
    for (size_t i = 0; i < count; i++) {
        const int32_t x = part[i].x - corner.x, y = part[i].y - corner.y;
        ck_assert(x >= 0 && x < SIDE && y >= 0 && y < SIDE);
        ck_assert_int_eq(owner[y][x], -1);
        owner[y][x] = shard_number;
    }
}

static void check_blocks(int32_t owner[SIDE][SIDE], ptl_chunk_pos corner)
{
    for (int32_t i = 0; i < MOST * 2; i++) {
        const int32_t x = i % SIDE, y = i / 2 / SIDE, down = i & 1;
        const int32_t x2 = x + !down, y2 = y + down;
        if (x2 < SIDE && y2 < SIDE && block_of(corner.x + x) == block_of(corner.x + x2) &&
            block_of(corner.y + y) == block_of(corner.y + y2) && owner[y][x] != 0 &&
            owner[y2][x2] != 0)
            ck_assert_int_eq(owner[y][x], owner[y2][x2]);
    }
}

START_TEST(shards_share_a_list)
{
    static ptl_chunk_pos list[MOST], part[MOST], again[MOST];
    static int32_t owner[SIDE][SIDE];
    rng r = rng_from_key((uint64_t)_i);
    ptl_chunk_pos corner;
    const size_t n = draw_list(list, &corner, &r);
    for (int32_t shards = 1; shards <= 7; shards++) {
        size_t sum = 0;
        memset(owner, 0, sizeof owner);
        for (size_t i = 0; i < n; i++)
            owner[list[i].y - corner.y][list[i].x - corner.x] = -1;
        for (int32_t k = 1; k <= shards; k++) {
            size_t count = n, twice = n;
            memcpy(part, list, n * sizeof *part);
            ck_assert_int_eq(shard_take(part, &count, (shard){k, shards}, &err), PTL_OK);
            claim(owner, part, count, corner, k);
            sum += count;
            ck_assert_uint_le(count, n / (size_t)shards + BLOCK_CHUNKS);
            ck_assert_uint_ge(count + BLOCK_CHUNKS, n / (size_t)shards);
            for (size_t i = 0; i < n; i++)
                again[i] = list[n - 1 - i];
            ck_assert_int_eq(shard_take(again, &twice, (shard){k, shards}, &err), PTL_OK);
            ck_assert_uint_eq(twice, count);
            ck_assert_int_eq(memcmp(again, part, count * sizeof *part), 0);
        }
        ck_assert_uint_eq(sum, n);
        check_blocks(owner, corner);
    }
}
END_TEST

/* Blocks that follow each other on the curve touch each other, so a shard of a square has no
 * scattered blocks. */
START_TEST(blocks_follow_a_curve)
{
    enum { BLOCKS = 16, WIDTH = BLOCKS * SHARD_BLOCK };
    static ptl_chunk_pos list[WIDTH * WIDTH];
    size_t n = WIDTH * WIDTH;
    static const int32_t corners[] = {0, -WIDTH / 2, -PTL_CHUNK_COORD_MAX,
                                      PTL_CHUNK_COORD_MAX - WIDTH};
    const ptl_chunk_pos corner = {corners[_i % 4], corners[_i / 4]};
    for (int32_t i = 0; i < WIDTH * WIDTH; i++)
        list[i] = (ptl_chunk_pos){corner.x + i % WIDTH, corner.y + i / WIDTH};
    ck_assert_int_eq(shard_take(list, &n, (shard){1, 1}, &err), PTL_OK);
    ck_assert_uint_eq(n, WIDTH * WIDTH);
    for (size_t i = BLOCK_CHUNKS; i < n; i += BLOCK_CHUNKS) {
        const ptl_chunk_pos a = list[i - 1], b = list[i];
        ck_assert_int_eq(
            abs(block_of(a.x) - block_of(b.x)) + abs(block_of(a.y) - block_of(b.y)), 1);
    }
}
END_TEST

START_TEST(shards_share_a_range)
{
    rng r = rng_from_key((uint64_t)_i);
    const uint64_t lower = _i % 3 == 0 ? UINT64_MAX - 99999999 : rng_below(&r, 1000);
    const uint64_t size = _i % 2 == 0 ? PTL_SWEEP_SEEDS_MAX : 1 + rng_below(&r, 20);
    for (int32_t shards = 1; shards <= 7; shards++) {
        uint64_t next = lower;
        for (int32_t k = 1; k <= shards; k++) {
            uint64_t first = lower, last = lower + size - 1;
            const uint64_t share = size / (uint64_t)shards;
            if (!shard_span(&first, &last, (shard){k, shards})) {
                ck_assert_uint_eq(share, 0);
                continue;
            }
            ck_assert_uint_eq(first, next);
            ck_assert(last - first + 1 == share || last - first + 1 == share + 1);
            next = last + 1;
        }
        ck_assert_uint_eq(next, lower + size);
    }
}
END_TEST

START_TEST(what_is_no_shard)
{
    static const shard good[] = {
        {0, 0}, {1, 1}, {3, 7}, {7, 7}, {PTL_SHARDS_MAX, PTL_SHARDS_MAX}};
    static const shard bad[] = {{1, 0},   {-1, 0}, {0, 1},         {2, 1},
                                {-1, -1}, {-1, 5}, {1, INT32_MIN}, {1, PTL_SHARDS_MAX + 1}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ck_assert_int_eq(shard_check(good[i], &err), PTL_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_int_eq(shard_check(bad[i], &err), PTL_ERR_ARGUMENT);
    ptl_chunk_pos list[2] = {{9, 9}, {-9, 0}};
    size_t n = 2;
    uint64_t first = 5, last = 9;
    ck_assert_int_eq(shard_take(list, &n, (shard){0, 0}, &err), PTL_OK);
    ck_assert(n == 2 && list[0].x == 9 && list[1].x == -9);
    ck_assert(shard_span(&first, &last, (shard){0, 0}) && first == 5 && last == 9);
    n = 0;
    ck_assert_int_eq(shard_take(list, &n, (shard){2, 3}, &err), PTL_OK);
    ck_assert_uint_eq(n, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shard");
    TCase *tcase = tcase_create("shard");
    tcase_add_loop_test(tcase, shards_share_a_list, 0, test_seeds(40));
    tcase_add_loop_test(tcase, blocks_follow_a_curve, 0, 16);
    tcase_add_loop_test(tcase, shards_share_a_range, 0, test_seeds(60));
    tcase_add_test(tcase, what_is_no_shard);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
