/*
 * Blobs of version 1, written here from the description that format.md gave of them then,
 * become those of version 2: the same levels byte for byte, the same packs value for value; and
 * damaged ones end in an error.
 */
#include "codec/number_list.h"
#include "core/hash.h"
#include "store/sqlite/rows/edge_cells.h"
#include "store/sqlite/schema/draft.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 60, STYLES = 7, LIMIT = FIXTURE_OTERS + 2, NAMES = 700 };

static const uint8_t MAGIC[] = {0x28, 0xb5, 0x2f, 0xfd};

static codec *cdc;
static catalogue *cat;

static void setup(void)
{
    cdc = codec_new();
    cat = fixture_catalogue(FIXTURE_OTERS, 'a');
    ck_assert(cdc && cat);
}

static void teardown(void)
{
    codec_free(cdc);
    fixture_catalogue_free(cat);
}

static void put_zigzag(bytes *out, int64_t v)
{
    bytes_put_varint(out, v < 0 ? (uint64_t)(-(v + 1)) * 2 + 1 : (uint64_t)v * 2);
}

static void put_differences(bytes *out, const uint32_t *numbers, size_t count)
{
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        put_zigzag(out, (int64_t)numbers[i] - before);
        before = numbers[i];
    }
}

/* ---- levels ---- */

/* Today's blob of a level; false where it has none. */
static bool make_level(bytes *out, uint64_t seed, unsigned style)
{
    ptl_chunk *chunk = chunk_new((ptl_chunk_pos){0, 0});
    encoded_chunk e;
    ck_assert_ptr_nonnull(chunk);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&chunk->levels[i], fixture_defaults[i]);
    fixture_level(level_cells(&chunk->levels[10]), seed, style);
    ck_assert_int_eq(chunk_encode(&e, cdc, chunk, fixture_defaults, cat, NULL), PTL_OK);
    const encoded_level *l = &e.levels[10];
    const bool made = e.level_mask != 0;
    if (made) {
        uint32_t *numbers = malloc(l->palette_count * sizeof *numbers);
        ck_assert_ptr_nonnull(numbers);
        for (size_t i = 0; i < l->palette_count; i++)
            numbers[i] = l->palette[i] + 1u;
        level_blob_build(out, l, numbers);
        free(numbers);
    }
    encoded_chunk_dispose(&e);
    ptl_chunk_free(chunk);
    return made;
}

/* What the drafts wrote for it. */
static void age_level(bytes *out, const bytes *blob)
{
    static uint32_t numbers[PTL_LEVEL_CELLS];
    byte_reader r = byte_reader_over(blob->data + 2, blob->size - 2);
    const uint8_t kind = blob->data[1];
    bytes_put_u8(out, 1);
    bytes_put_u8(out, kind);
    if (kind > 0) {
        size_t count = (size_t)byte_reader_varint(&r);
        ck_assert_ptr_null(number_list_take(numbers, count, LIMIT, &r.at, r.end));
        bytes_put_varint(out, count);
        put_differences(out, numbers, count);
        bytes_put_varint(out, byte_reader_varint(&r));
        bytes_put_varint(out, byte_reader_varint(&r));
    }
    if (kind == 2)
        bytes_put(out, MAGIC, sizeof MAGIC);
    bytes_put(out, r.at, byte_reader_left(&r));
    ck_assert(!out->failed && !r.failed);
}

START_TEST(test_levels)
{
    size_t different = 0, made = 0;
    bytes now = {0}, old = {0}, back = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bytes_clear(&now);
        bytes_clear(&old);
        bytes_clear(&back);
        if (!make_level(&now, hash_mix(seed), (unsigned)seed % STYLES))
            continue;
        age_level(&old, &now);
        ptl_status status = draft_level_blob(&back, old.data, old.size, LIMIT, NULL);
        made++;
        different += status != PTL_OK || back.size != now.size ||
                     memcmp(back.data, now.data, now.size) != 0;
    }
    ck_assert_uint_gt(made, SEEDS / 2);
    ck_assert_uint_eq(different, 0);
    bytes_dispose(&now);
    bytes_dispose(&old);
    bytes_dispose(&back);
}
END_TEST

/* Cut off or flipped: an error, or a blob that today's decoder judges. */
START_TEST(test_damaged_levels)
{
    static ptl_oter cells[PTL_LEVEL_CELLS], map[LIMIT];
    size_t accepted = 0, cut = 0;
    bytes now = {0}, old = {0}, back = {0};
    ck_assert(make_level(&now, 5, 1));
    age_level(&old, &now);
    for (size_t size = 0; size < old.size; size += size < 200 ? 1 : 37) {
        bytes_clear(&back);
        cut += draft_level_blob(&back, old.data, size, LIMIT, NULL) == PTL_OK &&
               level_decode(cells, cdc, back.data, back.size, map, LIMIT, NULL) == PTL_OK;
    }
    ck_assert_uint_eq(cut, 0);
    for (size_t bit = 0; bit < 8 * old.size; bit += bit < 800 ? 1 : 101) {
        old.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        bytes_clear(&back);
        ptl_status status = draft_level_blob(&back, old.data, old.size, LIMIT, NULL);
        accepted += status == PTL_OK &&
                    level_decode(cells, cdc, back.data, back.size, map, LIMIT, NULL) == PTL_OK;
        old.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    ck_assert_uint_lt(accepted, old.size);
    bytes_clear(&back);
    ck_assert_int_eq(draft_level_blob(&back, old.data, old.size, 3, NULL), PTL_ERR_CORRUPT);
    ck_assert_int_eq(draft_level_blob(&back, now.data, now.size, LIMIT, NULL), PTL_ERR_CORRUPT);
    bytes_dispose(&now);
    bytes_dispose(&old);
    bytes_dispose(&back);
}
END_TEST

/* ---- packs ---- */

typedef struct sample {
    size_t count, name_count;
    uint32_t numbers[NAMES];
    int32_t *columns[PACK_COLUMNS_MAX]; /* owned */
} sample;

/* Names are used in their order first, as a pack wants it. */
static void make_sample(sample *s, pack_kind kind, uint64_t seed, size_t count)
{
    const pack_layout *layout = pack_layout_of(kind);
    rng r = rng_from_key(seed);
    memset(s, 0, sizeof *s);
    s->count = count;
    for (size_t c = 0; c < PACK_COLUMNS_MAX; c++) {
        s->columns[c] = malloc(count * sizeof *s->columns[c]);
        ck_assert_ptr_nonnull(s->columns[c]);
    }
    for (size_t c = 1; c < layout->column_count; c++) {
        const pack_column *column = &layout->columns[c];
        const int64_t span = (int64_t)column->high - column->low + 1;
        for (size_t i = 0; i < count; i++) {
            const uint64_t most = span > 1 << 20 && i % 5 ? 300 : (uint64_t)span;
            s->columns[c][i] = column->low + (int32_t)rng_below(&r, most);
        }
    }
    for (size_t i = 0; i < count; i++) {
        bool fresh = s->name_count == 0 || (s->name_count < NAMES && rng_below(&r, 9) == 0);
        s->columns[0][i] =
            fresh ? (int32_t)s->name_count : (int32_t)rng_below(&r, s->name_count);
        if (fresh) {
            s->numbers[s->name_count] = (uint32_t)(s->name_count * 37 % 997 + 1);
            s->name_count++;
        }
    }
}

static void dispose_sample(sample *s)
{
    for (size_t c = 0; c < PACK_COLUMNS_MAX; c++)
        free(s->columns[c]);
}

static void put_column(bytes *out, const pack_column *column, const int32_t *v, size_t count)
{
    int64_t before = 0, fresh = 0;
    for (size_t i = 0; i < count; i++) {
        if (column->coding == PACK_QUADS) {
            if (i % 4 == 0)
                bytes_put_u8(out, 0);
            out->data[out->size - 1] |= (uint8_t)(v[i] << (2 * (i % 4)));
        } else if (column->coding == PACK_PLAIN) {
            bytes_put_varint(out, (uint64_t)((int64_t)v[i] - column->low));
        } else if (column->coding == PACK_DELTA) {
            put_zigzag(out, v[i] - before);
            before = v[i];
        } else {
            bytes_put_varint(out, v[i] == fresh ? 0 : (uint64_t)v[i] + 1);
            fresh += v[i] == fresh;
        }
    }
}

/* A stream with its frame whole, if it has one. */
static void put_old_stream(bytes *out, const bytes *column)
{
    bytes now = {0};
    ck_assert_int_eq(codec_put_stream(&now, cdc, column->data, column->size, NULL), PTL_OK);
    byte_reader r = byte_reader_over(now.data, now.size);
    const uint64_t size = byte_reader_varint(&r), stored = byte_reader_varint(&r);
    const bool frame = stored + sizeof MAGIC < size;
    bytes_put_varint(out, size);
    bytes_put_varint(out, frame ? stored + sizeof MAGIC : size);
    if (frame)
        bytes_put(out, MAGIC, sizeof MAGIC);
    if (frame)
        bytes_put(out, r.at, (size_t)stored);
    else
        bytes_put(out, column->data, column->size);
    bytes_dispose(&now);
}

static void put_old_pack(bytes *out, pack_kind kind, const sample *s)
{
    const pack_layout *layout = pack_layout_of(kind);
    bytes column = {0};
    bytes_put_u8(out, 1);
    bytes_put_varint(out, s->count);
    bytes_put_varint(out, s->name_count);
    put_differences(out, s->numbers, s->name_count);
    for (size_t c = 0; c < layout->column_count; c++) {
        bytes_clear(&column);
        put_column(&column, &layout->columns[c], s->columns[c], s->count);
        put_old_stream(out, &column);
    }
    ck_assert(!column.failed && !out->failed);
    bytes_dispose(&column);
}

static bool same_pack(const pack_table *t, pack_kind kind, const sample *s)
{
    if (t->count != s->count || t->name_count != s->name_count ||
        memcmp(t->numbers, s->numbers, s->name_count * sizeof *s->numbers) != 0)
        return false;
    for (size_t c = 0; c < pack_layout_of(kind)->column_count; c++)
        if (memcmp(t->columns[c], s->columns[c], s->count * sizeof *s->columns[c]) != 0)
            return false;
    return true;
}

START_TEST(test_packs)
{
    static const size_t counts[] = {1, 2, 3, 4, 5, 30, 400, 5000};
    const pack_kind kind = _i ? PACK_GROUPS : PACK_PLACEMENTS;
    size_t different = 0;
    pack_table t = {0};
    bytes old = {0}, scratch = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        sample s;
        make_sample(&s, kind, hash_mix(seed), counts[seed % 8]);
        bytes_clear(&old);
        put_old_pack(&old, kind, &s);
        ptl_status status =
            draft_pack_parse(&t, cdc, &scratch, kind, old.data, old.size, 1000, NULL);
        different += status != PTL_OK || !same_pack(&t, kind, &s);
        dispose_sample(&s);
    }
    ck_assert_uint_eq(different, 0);
    pack_table_dispose(&t);
    bytes_dispose(&old);
    bytes_dispose(&scratch);
}
END_TEST

START_TEST(test_damaged_packs)
{
    const pack_kind kind = _i ? PACK_GROUPS : PACK_PLACEMENTS;
    size_t cut = 0, other = 0;
    sample s;
    pack_table t = {0};
    bytes old = {0}, scratch = {0};
    make_sample(&s, kind, 3, 400);
    put_old_pack(&old, kind, &s);
    for (size_t size = 0; size < old.size; size += size < 200 ? 1 : 7)
        cut += draft_pack_parse(&t, cdc, &scratch, kind, old.data, size, 1000, NULL) !=
               PTL_ERR_CORRUPT;
    ck_assert_uint_eq(cut, 0);
    for (size_t bit = 0; bit < 8 * old.size; bit += bit < 1600 ? 1 : 13) {
        old.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        ptl_status status =
            draft_pack_parse(&t, cdc, &scratch, kind, old.data, old.size, 1000, NULL);
        other += status != PTL_OK && status != PTL_ERR_CORRUPT;
        old.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    ck_assert_uint_eq(other, 0);
    bytes_put_u8(&old, 0);
    ck_assert_int_eq(draft_pack_parse(&t, cdc, &scratch, kind, old.data, old.size, 1000, NULL),
                     PTL_ERR_CORRUPT);
    dispose_sample(&s);
    pack_table_dispose(&t);
    bytes_dispose(&old);
    bytes_dispose(&scratch);
}
END_TEST

/* What comes after today's forms is told from damage. */
START_TEST(test_newer_forms)
{
    static ptl_oter cells[PTL_LEVEL_CELLS], map[LIMIT];
    edge_cells border;
    pack_table t = {0};
    ptl_error err = {0};
    bytes blob = {0};
    ck_assert(make_level(&blob, 5, 1));
    blob.data[0] = 9;
    ck_assert_int_eq(level_decode(cells, cdc, blob.data, blob.size, map, LIMIT, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, "newer Portolan") != NULL, "%s", err.message);
    err = (ptl_error){0};
    ck_assert_int_eq(pack_parse(&t, cdc, PACK_GROUPS, blob.data, blob.size, LIMIT, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, "newer Portolan") != NULL, "%s", err.message);
    err = (ptl_error){0};
    ck_assert_int_eq(edge_cells_parse(&border, blob.data, blob.size, LIMIT, &err),
                     PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, "newer Portolan") != NULL, "%s", err.message);
    bytes_dispose(&blob);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("draft_blobs");
    TCase *tc = tcase_create("draft_blobs");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_levels);
    tcase_add_test(tc, test_damaged_levels);
    tcase_add_test(tc, test_newer_forms);
    tcase_add_loop_test(tc, test_packs, 0, 2);
    tcase_add_loop_test(tc, test_damaged_packs, 0, 2);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
