/*
 * Streams of runs, read as runs and as cells: what was built comes back, and any bytes give
 * what a plain reader finds in them, be that a level or damage. All from memory of exactly the
 * stream's size, into memory of exactly a level's, for the address sanitizer.
 */
#include "codec/level_runs.h"
#include "core/hash.h"
#include "support/seeds.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MUTATIONS = 24 };

typedef struct stream {
    uint8_t *bytes;
    size_t token_size, length_size, palette_count;
} stream;

static level_runs *runs, *back;
static uint8_t *room, *scratch;
static uint16_t *cells, *wanted, *values;

static void setup(void)
{
    runs = level_runs_new();
    back = level_runs_new();
    room = malloc(LEVEL_STREAM_MAX + LEVEL_STREAM_PAD);
    scratch = malloc(LEVEL_STREAM_MAX + LEVEL_STREAM_PAD);
    cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    wanted = malloc(PTL_LEVEL_CELLS * sizeof *wanted);
    values = malloc(PTL_LEVEL_CELLS * sizeof *values);
    ck_assert(runs && back && room && scratch && cells && wanted && values);
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        values[i] = (uint16_t)(i * 7 + 3);
}

static void teardown(void)
{
    level_runs_free(runs);
    level_runs_free(back);
    free(room);
    free(scratch);
    free(cells);
    free(wanted);
    free(values);
}

/* ---- streams ---- */

/* Mostly `usual` cells at most, now and then up to a thousand times as many; if it is 0 one,
 * now and then two. */
static uint32_t run_length(rng *r, uint32_t usual, uint32_t left)
{
    uint32_t most = usual ? usual : 1 + (rng_below(r, 8) == 0);
    if (usual > 0 && rng_below(r, 40) == 0)
        most = 1 + usual * rng_below(r, 1000);
    const uint32_t length = 1 + rng_below(r, most);
    return length < left ? length : left;
}

/* A level over at most so many entries, a new one in every fresh_in runs. */
static void make_runs(rng *r, uint32_t entries, uint32_t usual, uint32_t fresh_in)
{
    uint32_t seen = 0, before = UINT32_MAX, left = PTL_LEVEL_CELLS;
    size_t count = 0;
    while (left > 0) {
        uint32_t symbol = seen;
        if (seen == entries || (seen > 1 && rng_below(r, fresh_in) > 0))
            symbol = rng_below(r, seen);
        if (symbol == before)
            symbol = symbol > 0 ? symbol - 1 : seen > 1 ? 1 : seen;
        const uint32_t length = run_length(r, usual, left);
        runs->runs[count++] = (level_run){(uint16_t)symbol, (uint16_t)length};
        seen += symbol == seen;
        before = symbol;
        left -= length;
    }
    runs->run_count = count;
    runs->palette_count = seen;
}

/* One in four has more entries than tokens of two bytes can say. */
static void make_level(rng *r)
{
    static const uint32_t entries[] = {2, 3, 60, 70, 1500, 8190, 8193};
    static const uint32_t usual[] = {1, 2, 4, 15, 18, 130, 5000};
    if (rng_below(r, 4) == 0)
        make_runs(r, 8190 + rng_below(r, 12000), 0, 1);
    else
        make_runs(r, entries[rng_below(r, 7)], usual[rng_below(r, 7)], 1 + rng_below(r, 12));
}

static stream build(void)
{
    stream s = {.palette_count = runs->palette_count};
    level_stream_build(room, scratch, runs, &s.token_size, &s.length_size);
    s.bytes = room;
    return s;
}

/* ---- the plain reader ---- */

static bool take(const uint8_t **at, const uint8_t *end, uint32_t *v)
{
    *v = 0;
    for (unsigned i = 0; i < 4 && *at < end; i++) {
        const uint8_t byte = *(*at)++;
        *v += (uint32_t)(byte % 128) << 7 * i;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool plainly(const stream *s)
{
    const uint8_t *token = s->bytes, *token_end = token + s->token_size, *length = token_end;
    const uint8_t *length_end = length + s->length_size;
    uint32_t fresh = 0, before = UINT32_MAX, done = 0;
    while (token < token_end) {
        uint32_t t, more = 0;
        if (!take(&token, token_end, &t) || (t % 2 && !take(&length, length_end, &more)))
            return false;
        const uint32_t symbol = t / 2 ? t / 2 - 1 : fresh, count = t % 2 ? more + 2 : 1;
        fresh += t / 2 == 0;
        if (symbol >= fresh || symbol == before || count > PTL_LEVEL_CELLS - done)
            return false;
        for (uint32_t i = 0; i < count; i++)
            wanted[done++] = values[symbol];
        before = symbol;
    }
    return done == PTL_LEVEL_CELLS && length == length_end && fresh == s->palette_count;
}

/* The stream gives what the plain reader says it does; whether that is a level. */
static bool compare(const stream *s)
{
    const size_t size = s->token_size + s->length_size;
    uint8_t *copy = malloc(size + 1);
    ck_assert(copy != NULL);
    memcpy(copy + 1, s->bytes, size);
    const bool good = plainly(s);
    back->palette_count = s->palette_count;
    const char *as_runs = level_stream_parse(back, copy + 1, s->token_size, s->length_size);
    const char *as_cells = level_stream_cells(cells, values, s->palette_count, copy + 1,
                                              s->token_size, s->length_size);
    free(copy);
    ck_assert_msg((as_runs == NULL) == good, "as runs: %s", as_runs ? as_runs : "fine");
    ck_assert_msg((as_cells == NULL) == good, "as cells: %s", as_cells ? as_cells : "fine");
    if (!good) {
        ck_assert_str_eq(as_runs, as_cells);
        return false;
    }
    ck_assert_mem_eq(cells, wanted, PTL_LEVEL_CELLS * sizeof *cells);
    size_t done = 0;
    for (size_t i = 0; i < back->run_count; i++)
        for (uint32_t j = 0; j < back->runs[i].length && done < PTL_LEVEL_CELLS; j++)
            cells[done++] = values[back->runs[i].symbol];
    ck_assert_uint_eq(done, PTL_LEVEL_CELLS);
    ck_assert_mem_eq(cells, wanted, PTL_LEVEL_CELLS * sizeof *cells);
    return true;
}

START_TEST(test_round_trip)
{
    rng r = rng_from_key((uint64_t)_i);
    make_level(&r);
    const stream s = build();
    ck_assert(compare(&s));
    ck_assert_uint_eq(back->run_count, runs->run_count);
    ck_assert_mem_eq(back->runs, runs->runs, runs->run_count * sizeof *runs->runs);
}
END_TEST

/* ---- damage ---- */

static void damage(stream *s, rng *r)
{
    const uint32_t size = (uint32_t)(s->token_size + s->length_size);
    const uint32_t at = rng_below(r, size), tokens = (uint32_t)s->token_size;
    switch (rng_below(r, 5)) {
    case 0:
        s->bytes[at] = (uint8_t)rng_next(r);
        break;
    case 1:
        s->bytes[at] ^= (uint8_t)(1u << rng_below(r, 8));
        break;
    case 2: /* other bounds */
        s->token_size = at < 16 ? at : tokens + at % 5 - 2u;
        s->length_size = size > s->token_size ? size - s->token_size : 0;
        s->token_size = size - s->length_size;
        break;
    case 3: /* an end that is missing */
        if (s->length_size > 0)
            s->length_size -= 1 + rng_below(r, (uint32_t)s->length_size);
        break;
    default:
        s->palette_count += rng_below(r, 2) ? 1 : SIZE_MAX;
    }
}

START_TEST(test_damage)
{
    rng r = rng_from_key(1000 + (uint64_t)_i);
    unsigned levels = 0;
    for (int n = 0; n < MUTATIONS; n++) {
        make_level(&r);
        stream s = build();
        for (uint32_t k = 1 + rng_below(&r, 2); k > 0; k--)
            damage(&s, &r);
        levels += compare(&s);
    }
    ck_assert_uint_lt(levels, MUTATIONS);
}
END_TEST

/* Bytes without any sense, few of which get far. */
START_TEST(test_noise)
{
    rng r = rng_from_key(2000 + (uint64_t)_i);
    for (int n = 0; n < 100; n++) {
        stream s = {.bytes = room, .palette_count = 2 + rng_below(&r, 9000)};
        s.token_size = 2 + rng_below(&r, 4000);
        s.length_size = rng_below(&r, 4000);
        const uint32_t calm = rng_below(&r, 4); /* new entries and short runs, mostly */
        for (size_t i = 0; i < s.token_size + s.length_size; i++)
            s.bytes[i] =
                (uint8_t)(rng_below(&r, 50) > calm ? rng_below(&r, 2) : (uint32_t)rng_next(&r));
        compare(&s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("level_stream");
    TCase *tc = tcase_create("level_stream");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, test_seeds(100));
    tcase_add_loop_test(tc, test_damage, 0, test_seeds(40));
    tcase_add_loop_test(tc, test_noise, 0, test_seeds(20));
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
