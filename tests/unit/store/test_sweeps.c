/* Sweeps: what is stored comes back, and nothing else does. */
#include "codec/summary_codec.h"
#include "core/hash.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ptl_store *store;
static ptl_error err;

/* In memory, anew for each test: none meets what another made, in one process either. */
static void setup(void)
{
    store = sweep_store();
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    ptl_store_close(store);
}

static bool quick(void)
{
    return test_part() > 1;
}

static int64_t number(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

/* ---- storing and reading ---- */

/* What sweep_make stored for these seeds, read with these parts. */
typedef struct reading {
    uint64_t first, seen, stop_after;
    uint32_t scale, parts;
    char wrong[100];
} reading;

static bool compare(void *payload, uint64_t seed, const summary *found)
{
    reading *r = payload;
    summary want;
    summary_make(&want, (ptl_chunk_pos){(int32_t)(seed % 3), -1}, seed, r->scale);
    const char *difference = summary_difference(&want, found, r->parts);
    const bool left_out = found->parts == r->parts &&
                          (r->parts & PTL_COUNT_PLACES || found->place_count == 0) &&
                          (r->parts & PTL_COUNT_TERRAINS || found->terrain_count == 0);
    if (seed != r->first + r->seen || difference || !left_out)
        snprintf(r->wrong, sizeof r->wrong, "overmap %d: %s", (int)r->seen,
                 difference ? difference : "seed or parts");
    summary_dispose(&want);
    r->seen++;
    return r->seen != r->stop_after;
}

static ptl_status read_all(reading *r, int64_t id)
{
    r->seen = 0;
    ptl_status status = ops(store)->sweep->chunk_visit(store, id, r->parts, compare, r, &err);
    ck_assert_str_eq(r->wrong, "");
    return status;
}

START_TEST(test_round_trip)
{
    static const uint32_t scales[] = {0, 1, 2, 7, 40, 200};
    const uint32_t overmaps = quick() ? 4 : 20;
    reading r = {.first = UINT64_C(0x8000000000000000) - overmaps / 2, .scale = scales[_i]};
    sweep_totals totals;
    const int64_t id = sweep_make(store, "s", r.first, overmaps, r.scale);
    ck_assert_int_eq(ops(store)->sweep->chunk_total(&totals, store, id, &err), PTL_OK);
    ck_assert_uint_eq(totals.overmaps, overmaps);
    ck_assert_uint_eq(totals.seeds, overmaps);
    ck_assert_uint_eq(totals.first, r.first);
    ck_assert_uint_eq(totals.last, r.first + overmaps - 1);
    /* Everything, nothing, and each part alone. */
    for (uint32_t part = 0; part <= 8; part++) {
        r.parts = part == 8 ? PTL_COUNT_ALL : part == 7 ? 0 : 1u << part;
        ck_assert_msg(read_all(&r, id) == PTL_OK, "%s", err.message);
        ck_assert_uint_eq(r.seen, overmaps);
    }
    /* Again, with a new dictionary and in a transaction of ours. */
    dictionary_forget(store);
    ck_assert_int_eq(ops(store)->transaction->begin_read(store, &err), PTL_OK);
    r.parts = PTL_COUNT_ALL;
    ck_assert_msg(read_all(&r, id) == PTL_OK, "%s", err.message);
    ck_assert(!sqlite3_get_autocommit(store->db));
    ops(store)->transaction->rollback(store);
}
END_TEST

/* More of them than one snapshot gives; stopped anywhere. */
START_TEST(test_many)
{
    reading r = {.parts = PTL_COUNT_SPECIALS | PTL_COUNT_BASELINE, .scale = 3};
    const uint32_t counts[] = {SWEEP_CHUNKS_AT_ONCE - 1, SWEEP_CHUNKS_AT_ONCE,
                               SWEEP_CHUNKS_AT_ONCE + 1, 3 * SWEEP_CHUNKS_AT_ONCE};
    for (size_t i = 0; i < 4; i++) {
        char name[8];
        snprintf(name, sizeof name, "s%d", (int)i);
        r.first = 1000 * i;
        const int64_t id = sweep_make(store, name, r.first, counts[i], r.scale);
        ck_assert_msg(read_all(&r, id) == PTL_OK, "%s", err.message);
        ck_assert_uint_eq(r.seen, counts[i]);
        ck_assert(sqlite3_get_autocommit(store->db));
        r.stop_after = counts[i] / 2;
        ck_assert_int_eq(read_all(&r, id), PTL_ERR_CANCELLED);
        ck_assert_uint_eq(r.seen, counts[i] / 2);
        ck_assert(sqlite3_get_autocommit(store->db));
        r.stop_after = 0;
    }
}
END_TEST

START_TEST(test_rows)
{
    const ptl_chunk_pos pos = {1, -1}; /* of seed 7, as sweep_make has it */
    sweep_totals totals;
    bool has;
    const int64_t a = sweep_make(store, "a", 5, 4, 2), b = sweep_make(store, "b", 5, 1, 2);
    ck_assert_int_ne(a, b);
    ck_assert_int_eq(ops(store)->sweep->chunk_has(&has, store, a, 7, pos, &err), PTL_OK);
    ck_assert(has);
    ck_assert_int_eq(ops(store)->sweep->chunk_has(&has, store, b, 7, pos, &err), PTL_OK);
    ck_assert(!has);
    ck_assert_int_eq(
        ops(store)->sweep->chunk_has(&has, store, a, 7, (ptl_chunk_pos){1, 0}, &err), PTL_OK);
    ck_assert(!has);
    /* One more of the same place takes the place of the first. */
    summary s;
    encoded_summary *e;
    codec *c = codec_new();
    summary_make(&s, pos, 99, 5);
    ck_assert_int_eq(summary_encode(&e, c, &s, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->sweep->chunk_insert(store, a, 7, pos, e, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->sweep->chunk_total(&totals, store, a, &err), PTL_OK);
    ck_assert_uint_eq(totals.overmaps, 4);
    encoded_summary_free(e);
    encoded_summary_free(NULL);
    summary_dispose(&s);
    codec_free(c);
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->sweep->delete (store, a, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
    ck_assert_int_eq(number("SELECT count(*) FROM sweep_chunk"), 1);
    ck_assert_int_eq(number("SELECT count(*) FROM sweep"), 1);
}
END_TEST

START_TEST(test_find)
{
    sweep_row row;
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert(strstr(err.message, "no sweep yet") != NULL);
    sweep_make(store, "one", 1, 1, 0);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, NULL, &err), PTL_OK);
    ck_assert_str_eq(row.name, "one");
    ck_assert_str_eq(row.settings.region, "default");
    ck_assert(row.settings.specials_density > 1.4 && row.settings.specials_density < 1.6);
    ck_assert_int_eq(row.settings.city_size, 8);
    ck_assert_int_eq(row.settings.specials_spacing, 6);
    ck_assert_int_eq(row.settings.unique_radius, 5);
    ck_assert_int_eq(row.settings.generator_version, 4);
    ck_assert_int_eq(row.settings.content_id, 1);
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->sweep->insert(store, &row, &err), PTL_ERR_EXISTS);
    ops(store)->transaction->rollback(store);
    sweep_row_dispose(&row);
    sweep_make(store, "two", 1, 1, 0);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert(strstr(err.message, "several sweeps, name one of 'one', 'two'") != NULL);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, "no", &err), PTL_ERR_NOT_FOUND);
    ck_assert(strstr(err.message, "no sweep 'no'; the file holds 'one', 'two'") != NULL);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(store)->sweep->find(&row, store, "two", &err), PTL_OK);
    ck_assert_int_eq(row.id, 2);
    sweep_row_dispose(&row);
}
END_TEST

/* ---- what can't be stored ---- */

START_TEST(test_refused)
{
    summary s;
    encoded_summary *e = NULL;
    codec *c = codec_new();
    summary_make(&s, (ptl_chunk_pos){0, 0}, 3, 20);
    switch (_i) {
    case 0:
        s.parts &= ~(uint32_t)PTL_COUNT_LINES;
        break;
    case 1:
        s.specials[4].id = s.specials[3].id;
        break;
    case 2:
        s.terrains[5].cells++;
        break;
    case 3:
        s.buildings[2].distance_sum = (int64_t)s.buildings[2].count * 1000;
        break;
    case 4: /* more than a column holds: not cut, but refused */
        s.buildings[2].count = 1 << 18;
        s.buildings[2].distance_max = INT16_MAX;
        s.buildings[2].distance_sum = INT64_C(1) << 32;
        break;
    case 5:
        s.waters[0].cells = 1;
        s.waters[1].cells = 2;
        break;
    case 6:
        s.baseline.city[3]++;
        break;
    case 7:
        s.places[1].id = "";
        break;
    case 8:
        s.places[1].city = SUMMARY_FAR + 1;
        break;
    case 9:
        s.cities[0].size = 0;
        break;
    default:
        s.specials[1].placed = -1;
    }
    ck_assert_int_eq(summary_encode(&e, c, &s, &err), PTL_ERR_INTERNAL);
    ck_assert(e == NULL && err.message[0]);
    summary_dispose(&s);
    codec_free(c);
}
END_TEST

/* ---- packs that are none ---- */

enum { LIMIT = 700 };

static void blob_of(bytes *out, pack_kind kind, uint64_t seed)
{
    summary s;
    encoded_summary *e;
    codec *c = codec_new();
    summary_make(&s, (ptl_chunk_pos){0, 0}, seed, 60);
    ck_assert_int_eq(summary_encode(&e, c, &s, &err), PTL_OK);
    const encoded_pack *p = &e->packs[kind - PACK_SUMMARY_FIRST];
    ck_assert_uint_gt(p->count, 0);
    uint32_t *numbers = calloc(p->name_count + 1, sizeof *numbers);
    ck_assert(numbers != NULL);
    for (size_t i = 0; i < p->name_count; i++)
        numbers[i] = (uint32_t)(i * 7 % 601 + 1);
    bytes_clear(out);
    pack_blob_build(out, p, numbers);
    free(numbers);
    encoded_summary_free(e);
    summary_dispose(&s);
    codec_free(c);
}

/* Values that are not in their ranges, or name nothing. */
static size_t outside(const pack_table *t, pack_kind kind)
{
    const pack_layout *layout = pack_layout_of(kind);
    size_t count = 0;
    for (size_t c = 0; c < layout->column_count; c++) {
        const pack_column *column = &layout->columns[c];
        const bool names = column->coding == PACK_TOKEN || column->coding == PACK_NAME;
        for (size_t i = 0; i < t->count; i++) {
            const int32_t v = t->columns[c][i];
            count += v < column->low || v > column->high || (names && v >= (int)t->name_count);
        }
    }
    for (size_t i = 0; i < t->name_count; i++)
        count += t->numbers[i] == 0 || t->numbers[i] >= LIMIT;
    return count + (!pack_has_names(kind) && t->name_count > 0);
}

START_TEST(test_hostile)
{
    bytes blob = {0};
    pack_table t = {0};
    codec *c = codec_new();
    const pack_kind kind = (pack_kind)(PACK_SUMMARY_FIRST + _i);
    rng r = rng_from_key((uint64_t)_i);
    blob_of(&blob, kind, (uint64_t)_i);
    ck_assert_int_eq(pack_parse(&t, c, kind, blob.data, blob.size, LIMIT, &err), PTL_OK);
    size_t wrong = outside(&t, kind);
    for (size_t size = 0; size < blob.size; size++) {
        uint8_t *cut = malloc(size + 1); /* exact, for the address sanitizer */
        ck_assert(cut != NULL);
        memcpy(cut, blob.data, size);
        wrong += pack_parse(&t, c, kind, cut, size, LIMIT, NULL) != PTL_ERR_CORRUPT;
        free(cut);
    }
    const int tries = quick() ? 300 : 1500;
    for (int i = 0; i < tries; i++) {
        const size_t at = rng_below(&r, (uint32_t)blob.size);
        const uint8_t before = blob.data[at];
        blob.data[at] = (uint8_t)rng_below(&r, 256);
        const ptl_status status = pack_parse(&t, c, kind, blob.data, blob.size, LIMIT, NULL);
        wrong += status == PTL_OK ? outside(&t, kind) : status != PTL_ERR_CORRUPT;
        blob.data[at] = before;
    }
    ck_assert_uint_eq(wrong, 0);
    pack_table_dispose(&t);
    bytes_dispose(&blob);
    codec_free(c);
}
END_TEST

/* Names of two columns by hand, and of none. */
START_TEST(test_hand_made)
{
    /* Two places "1" and "2" beside "3" and nothing: the columns one after the other. */
#define COLUMNS(id0, id1, around0, around1)                                                    \
    19, 19, id0, id1, around0, around1, 0xe8, 2, 0, 0xe8, 2, 0, 20, 0, 1, 0, 0, 0, 0, 0, 0
    static const struct {
        pack_kind kind;
        uint8_t data[40];
        size_t size;
        bool good;
    } cases[] = {
        {PACK_SUMMARY_WATERS, {2, 1, 0, 2, 2, 1, 8}, 7, true},
        {PACK_SUMMARY_WATERS, {2, 1, 0, 2, 2, 2, 8}, 7, false},          /* kind 2 */
        {PACK_SUMMARY_WATERS, {2, 1, 1, 2, 0x14, 2, 2, 1, 8}, 9, false}, /* a name */
        {PACK_SUMMARY_LINES, {2, 1, 1, 2, 0x14, 2, 2, 0, 8}, 9, true},
        {PACK_SUMMARY_LINES, {2, 1, 0, 2, 2, 0, 8}, 7, false},          /* no name */
        {PACK_SUMMARY_LINES, {2, 1, 1, 2, 0x14, 2, 2, 1, 8}, 9, false}, /* not used */
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 0, 1, 0)}, 26, true},
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 1, 1, 1)}, 26, true},
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 0, 1, 1)}, 26, false}, /* 4 names */
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 0, 0, 2)}, 26, false}, /* 2 names */
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 0, 5, 1)}, 26, false}, /* not yet */
        {PACK_SUMMARY_PLACES, {2, 2, 3, 0, 7, COLUMNS(0, 0, 3, 1)}, 26, true}};
    codec *c = codec_new();
    pack_table t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&err, 0, sizeof err);
        ck_assert_msg((pack_parse(&t, c, cases[i].kind, cases[i].data, cases[i].size, LIMIT,
                                  &err) == PTL_OK) == cases[i].good,
                      "case %zu: %s", i, err.message);
    }
    ck_assert_int_eq(t.columns[SUMMARY_PLACE_ID][1], 1);
    ck_assert_int_eq(t.columns[SUMMARY_PLACE_AROUND][0], 1);
    ck_assert_int_eq(t.columns[SUMMARY_PLACE_AROUND][1], 2);
    ck_assert_int_eq(t.columns[SUMMARY_PLACE_X][1], 180);
    ck_assert_int_eq(t.columns[SUMMARY_PLACE_CITY][0], SUMMARY_NONE);
    pack_table_dispose(&t);
    codec_free(c);
#undef COLUMNS
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweeps");
    TCase *tc = tcase_create("sweeps");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, 6);
    tcase_add_test(tc, test_many);
    tcase_add_test(tc, test_rows);
    tcase_add_test(tc, test_find);
    tcase_add_loop_test(tc, test_refused, 0, 11);
    tcase_add_loop_test(tc, test_hostile, 0, SUMMARY_PACKS);
    tcase_add_test(tc, test_hand_made);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
