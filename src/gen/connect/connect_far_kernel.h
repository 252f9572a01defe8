/*
 * How far each cell is from the tiles of a view's connection: new tiles lower the
 * distances around them, as far as that changes anything. Where a tile is gone, all are
 * measured anew. Loops over rows of bytes, compiled once for any processor and once for those
 * with AVX2 (connect_far_base.c, connect_far_avx2.c, which name CONNECT_MEASURE); whole numbers
 * only, so that both give the same.
 */
#include "gen/connect/connect_impl.h"

#include <string.h>

/* Distances side by side: FAR_AT_ONCE of them, as many as a vector has. One step farther than
 * FAR_MAX is no farther. */
#if defined(__AVX2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <immintrin.h>

enum { FAR_AT_ONCE = 32 };
typedef __m256i distances;
#define FAR_LOAD(from)   _mm256_loadu_si256((const __m256i *)(const void *)(from))
#define FAR_STORE(to, a) _mm256_storeu_si256((__m256i *)(void *)(to), a)
#define FAR_STEP(a)      _mm256_adds_epu8(a, _mm256_set1_epi8(1))
#define FAR_LEAST(a, b)  _mm256_min_epu8(a, b)
#define FAR_BOTH(a, b)   _mm256_and_si256(a, b)
#define FAR_EQUAL(a, b)  _mm256_cmpeq_epi8(a, b)
#define FAR_ALL(equal)   (_mm256_movemask_epi8(equal) == -1)
#elif defined(__SSE2__) && !defined(PORTOLAN_PLAIN_LANES)
#include <emmintrin.h>

enum { FAR_AT_ONCE = 16 };
typedef __m128i distances;
#define FAR_LOAD(from)   _mm_loadu_si128((const __m128i *)(const void *)(from))
#define FAR_STORE(to, a) _mm_storeu_si128((__m128i *)(void *)(to), a)
#define FAR_STEP(a)      _mm_adds_epu8(a, _mm_set1_epi8(1))
#define FAR_LEAST(a, b)  _mm_min_epu8(a, b)
#define FAR_BOTH(a, b)   _mm_and_si128(a, b)
#define FAR_EQUAL(a, b)  _mm_cmpeq_epi8(a, b)
#define FAR_ALL(equal)   (_mm_movemask_epi8(equal) == 0xffff)
#else
enum { FAR_AT_ONCE = 1 };
typedef uint8_t distances;
#define FAR_LOAD(from)   (*(from))
#define FAR_STORE(to, a) (*(to) = (a))
#define FAR_STEP(a)      (uint8_t)((a) < FAR_MAX ? (a) + 1 : FAR_MAX)
#define FAR_LEAST(a, b)  (uint8_t)((a) < (b) ? (a) : (b))
#define FAR_BOTH(a, b)   (uint8_t)((a) & (b))
#define FAR_EQUAL(a, b)  (uint8_t)((a) == (b))
#define FAR_ALL(equal)   (equal)
#endif

enum { PAD = (FAR_MAX + 1) / 2, PADDED = PAD + FAR_WIDTH + PAD };

/* Takes the nearer of two cells at this distance on either side. Whole vectors at a time: the
 * row is padded to a multiple of them. */
static void leap(uint8_t *restrict to, const uint8_t *restrict from, int distance)
{
    const uint8_t most = (uint8_t)(FAR_MAX - distance);
    for (int x = 0; x < FAR_WIDTH; x++) {
        const uint8_t left = from[PAD + x - distance], right = from[PAD + x + distance];
        uint8_t least = left < right ? left : right;
        least = least < most ? least : most;
        const uint8_t moved = (uint8_t)(least + distance);
        to[PAD + x] = moved < from[PAD + x] ? moved : from[PAD + x];
    }
}

/* Distances within a row of 0 and FAR_MAX: by leaps of 1, 2, 4, ..., since every distance is a
 * sum of such. */
static void measure_row(uint8_t *row)
{
    uint8_t a[PADDED], b[PADDED];
    memset(a, FAR_MAX, sizeof a);
    memset(b, FAR_MAX, sizeof b);
    memcpy(a + PAD, row, FAR_WIDTH);
    for (int distance = 1; distance <= PAD; distance *= 4) {
        leap(b, a, distance);
        leap(a, b, 2 * distance);
    }
    memcpy(row, a + PAD, FAR_WIDTH);
}

/* Distances go from row to row within columns, so a block of columns is measured by itself:
 * most new tiles are nearer to a few of them only. */
enum { BLOCK = FAR_WIDTH / 3 };

/* Is a new tile in this column nearer to any cell of the block's row than what was there? Then
 * it is to the cell next to it, as distances of neighbours differ by at most 1. */
static bool is_nearer(const uint8_t *row, int32_t column)
{
    const int32_t next = column < 0 ? 0 : column < BLOCK ? column : BLOCK - 1;
    const int32_t aside = column < next ? next - column : column - next;
    return aside < row[next];
}

/* Lowers a row of distances to those to a new tile in it, which lie in `steps`. */
static void lower_row(uint8_t *restrict row, const uint8_t *restrict steps)
{
    for (int x = 0; x < BLOCK; x++)
        row[x] = steps[x] < row[x] ? steps[x] : row[x];
}

/* Lowers rows of a block, from y on downwards (way 1) or upwards (-1), each to what the one
 * before it allows. Distances of neighbouring rows differ by at most 1 before, so that it ends
 * behind `sure` at the first row that there is nothing to lower of, which is returned. */
static int32_t sweep(uint8_t *far, int32_t y, int32_t way, int32_t sure)
{
    enum { PIECES = BLOCK / FAR_AT_ONCE };
    distances row[PIECES]; /* it stays in registers */
    for (int i = 0; i < PIECES; i++)
        row[i] = FAR_LOAD(&far[(y - way) * FAR_WIDTH + i * FAR_AT_ONCE]);
    for (; y >= 0 && y < SIZE; y += way) {
        uint8_t *const to = &far[y * FAR_WIDTH];
        distances same = FAR_EQUAL(row[0], row[0]);
        for (int i = 0; i < PIECES; i++) {
            const distances before = FAR_LOAD(to + i * FAR_AT_ONCE);
            row[i] = FAR_LEAST(before, FAR_STEP(row[i]));
            same = FAR_BOTH(same, FAR_EQUAL(before, row[i]));
            FAR_STORE(to + i * FAR_AT_ONCE, row[i]);
        }
        if (FAR_ALL(same) && (way > 0 ? y > sure : y < sure))
            break;
    }
    return y;
}

/* From rows of a block that were lowered, the first and the last of which are given, to the
 * others. */
static void measure_across(uint8_t *far, int32_t first, int32_t last)
{
    const int32_t end = sweep(far, first + 1, 1, last);
    sweep(far, end - 2, -1, first);
}

static void measure_anew(connect_view *v)
{
    memcpy(v->far, v->tiles, SIZE * FAR_WIDTH);
    for (int32_t y = 0; y < SIZE; y++)
        if (v->row_has[y])
            measure_row(&v->far[y * FAR_WIDTH]);
    for (int32_t x = 0; x < FAR_WIDTH; x += BLOCK)
        measure_across(&v->far[x], 0, SIZE - 1);
}

static void measure_fresh(connect_view *v)
{
    enum { BLOCKS = FAR_WIDTH / BLOCK };
    int32_t first[BLOCKS], last[BLOCKS];
    uint8_t steps[2 * FAR_WIDTH]; /* down to 0 in the middle, and up again */
    for (int i = 0; i < FAR_WIDTH; i++) {
        steps[i] = (uint8_t)(FAR_WIDTH - i);
        steps[FAR_WIDTH + i] = (uint8_t)i;
    }
    for (int i = 0; i < BLOCKS; i++) {
        first[i] = SIZE;
        last[i] = -1;
    }
    for (size_t f = 0; f < v->fresh_count; f++) {
        const int32_t column = v->fresh[f] % SIZE, y = v->fresh[f] / SIZE;
        for (int i = 0; i < BLOCKS; i++) {
            uint8_t *row = &v->far[y * FAR_WIDTH + i * BLOCK];
            if (!is_nearer(row, column - i * BLOCK))
                continue;
            lower_row(row, &steps[FAR_WIDTH + i * BLOCK - column]);
            first[i] = y < first[i] ? y : first[i];
            last[i] = y > last[i] ? y : last[i];
        }
    }
    for (int i = 0; i < BLOCKS; i++)
        if (last[i] >= 0)
            measure_across(&v->far[i * BLOCK], first[i], last[i]);
}

void CONNECT_MEASURE(connect_view *v)
{
    if (v->far_anew)
        measure_anew(v);
    else
        measure_fresh(v);
}
