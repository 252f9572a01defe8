/* Placements of specials as rows; attempts, pieces and joins as packs: round trips, digests,
 * refusals, and their size. */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/feature_rows.h"
#include "support/suite.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fixture f;
static ptl_error err;
static gen_features in, out;

static void setup(void)
{
    fixture_open(&f);
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    features_dispose(&in);
    features_dispose(&out);
    fixture_close(&f);
}

static void write_in(ptl_chunk_pos pos, const char *last_step)
{
    bool written;
    ptl_chunk *chunk = fixture_chunk(pos, 5);
    ck_assert_msg(fixture_write_features(&f, f.store, chunk, last_step, &in, &written, &err) ==
                      PTL_OK,
                  "%s", err.message);
    ck_assert(written);
    ptl_chunk_free(chunk);
}

static ptl_status read_with(const catalogue *cat, ptl_chunk_pos pos)
{
    bool found = false;
    ptl_status status =
        ops(f.store)->chunk->features_read(&out, &found, f.store, f.world_id, pos, cat, &err);
    if (status == PTL_OK)
        ck_assert(found);
    return status;
}

static void fill(uint64_t seed, feature_counts counts, special_counts specials)
{
    features_reset(&in);
    fixture_features(&in, f.cat, seed, counts);
    fixture_specials(&in, seed, specials);
}

/* ---- round trips ---- */

static const special_counts sizes[] = {
    {0, 0, 0, 0},       {1, 1, 1, 1},  {154, 120, 300, 280}, {0, 30, 0, 0},
    {40, 0, 5000, 700}, {7, 50, 0, 2}, {900, 50, 900, 0}};

START_TEST(test_round_trip)
{
    const ptl_chunk_pos pos = {_i - 3, 7 - _i};
    fill((uint64_t)_i, (feature_counts){(size_t)_i, _i % 2 ? 60 : 0, 3, 1}, sizes[_i]);
    write_in(pos, NULL);
    ck_assert_msg(read_with(f.cat, pos) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
    ck_assert_uint_eq(out.piece_count, sizes[_i].pieces);
    ptl_store_close(f.store);
    f.store = fixture_reopen(&f, PTL_OPEN_WRITE);
    ck_assert_msg(read_with(f.cat, pos) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
}
END_TEST

/* Buildings among the specials come first when they are read; pieces still name their special.
 */
START_TEST(test_mixed_order)
{
    const ptl_chunk_pos pos = {1, 1};
    fill(9, (feature_counts){2, 30, 0, 0}, (special_counts){30, 0, 40, 40});
    for (size_t i = 0; i < 30; i += 2) { /* exchange them: no piece may name a building */
        gen_placement building = in.placements[i];
        in.placements[i] = in.placements[30 + i];
        in.placements[30 + i] = building;
    }
    for (size_t i = 0; i < in.piece_count; i++)
        in.pieces[i].placement -= in.pieces[i].placement % 2 == 0 ? 30 : 0;
    for (size_t i = 0; i < in.join_count; i++)
        in.joins[i].placement -= in.joins[i].placement % 2 == 0 ? 30 : 0;
    write_in(pos, NULL);
    ck_assert_msg(read_with(f.cat, pos) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(out.placement_count, 60);
    size_t wrong = 0;
    for (size_t i = 0; i < 60; i++)
        wrong += (out.placements[i].special < FIXTURE_BUILDINGS) != (i < 30);
    for (size_t i = 0; i < in.piece_count; i++) {
        const gen_placement *a = &in.placements[in.pieces[i].placement];
        const gen_placement *b = &out.placements[out.pieces[i].placement];
        wrong += a->special != b->special || a->x != b->x || a->y != b->y;
        wrong += in.pieces[i].piece != out.pieces[i].piece;
    }
    for (size_t i = 0; i < in.join_count; i++) {
        const gen_placement *a = &in.placements[in.joins[i].placement];
        const gen_placement *b = &out.placements[out.joins[i].placement];
        wrong += a->special != b->special || a->x != b->x || a->y != b->y;
    }
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

static int64_t count_of(const char *table)
{
    char sql[100];
    int64_t count = -1;
    stmt *s = NULL;
    bool row = false;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    ck_assert_int_eq(stmt_prepare(&s, f.store, sql, &err), PTL_OK);
    ck_assert_int_eq(stmt_step(s, &row, &err), PTL_OK);
    count = stmt_int(s, 0);
    stmt_free(s);
    return count;
}

/* A chunk that was stopped early is replaced with all that it had; one that is deleted leaves
 * nothing. */
START_TEST(test_replaced)
{
    bool found;
    const ptl_chunk_pos pos = {0, 0};
    fill(3, (feature_counts){1, 4, 2, 1}, (special_counts){30, 20, 60, 60});
    write_in(pos, "specials");
    ck_assert_int_eq(count_of("special_placement"), 30);
    ck_assert_int_eq(count_of("pack"), PACK_KINDS);
    fill(4, (feature_counts){1, 0, 0, 0}, (special_counts){5, 0, 6, 0});
    write_in(pos, NULL);
    ck_assert_int_eq(count_of("special_placement"), 5);
    ck_assert_int_eq(count_of("pack"), 1);
    ck_assert_int_eq(read_with(f.cat, pos), PTL_OK);
    ck_assert(fixture_same_features(&in, &out));
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_int_eq(ops(f.store)->chunk->delete (&found, f.store, f.world_id, pos, &err),
                     PTL_OK);
    ck_assert_msg(ops(f.store)->transaction->commit(f.store, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_int_eq(count_of("special_placement") + count_of("pack") + count_of("city"), 0);
}
END_TEST

/* ---- another content ---- */

/* The catalogue without its last special, piece or join. */
START_TEST(test_unknown_ids)
{
    static const char *const wanted[] = {"has no special 's039'", "has no special 's039'",
                                         "has no piece 'p9'", "has no join 'j4'",
                                         "has no piece"};
    catalogue less = *f.cat;
    cat_special *list = malloc(FIXTURE_SPECIALS * sizeof *list);
    cat_mutable layout = *f.cat->specials[FIXTURE_BUILDINGS].layout;
    ck_assert(list != NULL);
    fill(5, (feature_counts){1, 4, 2, 1}, (special_counts){40, 50, 600, 200});
    for (size_t i = 0; i < in.placement_count; i++)
        if (in.placements[i].special == FIXTURE_SPECIALS - 1)
            in.placements[i].special--;
    if (_i == 0)
        in.placements[5].special = FIXTURE_SPECIALS - 1;
    if (_i != 1)
        in.attempts[49].special = 0;
    write_in((ptl_chunk_pos){0, 0}, NULL);
    memcpy(list, f.cat->specials, FIXTURE_SPECIALS * sizeof *list);
    layout.piece_count -= _i == 2;
    layout.join_count -= _i == 3;
    for (int i = 0; i < FIXTURE_MUTABLES; i++)
        list[FIXTURE_BUILDINGS + i].layout = _i == 4 ? NULL : &layout;
    less.specials = list;
    less.special_count -= _i < 2;
    ck_assert_int_eq(read_with(&less, (ptl_chunk_pos){0, 0}), PTL_ERR_MISMATCH);
    ck_assert_msg(strstr(err.message, wanted[_i]) != NULL, "%s", err.message);
    free(list);
}
END_TEST

/* ---- damage ---- */

/* Rows have no checksums of their own: the chunk's finds each bit of each of their values. */
static const struct {
    const char *table, *column;
    int bits;
} bit_columns[] = {{"special_placement", "id", 40},
                   {"special_placement", "special", 20},
                   {"special_placement", "x", 12},
                   {"special_placement", "y", 12},
                   {"special_placement", "z", 6},
                   {"special_placement", "rotation", 4},
                   {"special_placement", "city", 18},
                   {"special_placement", "draw", 18},
                   {"special_placement", "omts", 34},
                   {"city", "chunk_id", 34},
                   {"city", "number", 34},
                   {"city", "x", 18},
                   {"city", "y", 18},
                   {"city", "size", 18},
                   {"city", "planned_x", 18},
                   {"city", "planned_y", 18},
                   {"radio", "chunk_id", 34},
                   {"radio", "number", 34},
                   {"radio", "x", 18},
                   {"radio", "y", 18},
                   {"radio", "strength", 18},
                   {"radio", "weather", 34},
                   {"radio", "frequency", 34},
                   {"radio", "message", 34},
                   {"radio", "placed", 34}};

/* The status of reading the chunk after `sql`, which is then undone. */
static ptl_status read_after(const char *sql)
{
    bool found = false;
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_msg(sqlite_exec(f.store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
    ptl_status status = ops(f.store)->chunk->features_read(&out, &found, f.store, f.world_id,
                                                           (ptl_chunk_pos){0, 0}, f.cat, &err);
    ops(f.store)->transaction->rollback(f.store);
    return status;
}

START_TEST(test_every_bit)
{
    const char *table = bit_columns[_i].table, *column = bit_columns[_i].column;
    const char *key = strcmp(table, "special_placement") == 0 ? "id % 65536" : "number";
    char sql[300];
    int missed = 0;
    fill(11, (feature_counts){4, 4, 2, 4}, (special_counts){9, 5, 6, 6});
    write_in((ptl_chunk_pos){0, 0}, NULL);
    ck_assert_int_eq(sqlite_exec(f.store,
                                 "PRAGMA ignore_check_constraints = 1; "
                                 "PRAGMA foreign_keys = 0",
                                 &err),
                     PTL_OK);
    const bool quick = getenv("PORTOLAN_QUICK") != NULL; /* each bit in one of the rows */
    for (int row = 0; row < 4; row++)
        for (int bit = 0; bit < bit_columns[_i].bits; bit++) {
            if (quick && bit % 4 != row)
                continue;
            snprintf(sql, sizeof sql,
                     "UPDATE OR REPLACE %s SET %s = (coalesce(%s, 0) | (1 << %d)) "
                     "- (coalesce(%s, 0) & (1 << %d)) WHERE %s = %d",
                     table, column, column, bit, column, bit, key, row);
            missed += read_after(sql) != PTL_ERR_CORRUPT;
        }
    ck_assert_int_eq(missed, 0);
    ck_assert_int_eq(read_after("SELECT 1"), PTL_OK);
    ck_assert_int_eq(read_after("UPDATE city SET name = name || 'x' WHERE number = 0"),
                     PTL_ERR_CORRUPT);
}
END_TEST

/* ---- radios ---- */

static const struct {
    int16_t x, y;
    const char *message, *kept;
    bool placed;
} radios[] = {{88, 52, "Shelter 44-26 calling.", "Shelter {x}-{y} calling.", true},
              {201, 9, "100-4", "{x}-{y}", true},
              {0, 359, "at 0-179, yes, at 0-179", "at {x}-{y}, yes, at 0-179", true},
              {88, 52, "144-26", "144-26", false},
              {88, 52, "44-261", "44-261", false},
              {88, 52, "44-27", "44-27", false},
              {88, 52, "44-26 or {x}-{y}?", "44-26 or {x}-{y}?", false},
              {6, 8, "{x}-{y}", "{x}-{y}", false},
              {6, 8, "", "", false}};

enum { RADIOS = sizeof radios / sizeof radios[0] };

START_TEST(test_radio_places)
{
    bool row = true;
    stmt *s = NULL;
    features_reset(&in);
    for (size_t i = 0; i < RADIOS; i++)
        *features_add_radio(&in) = (gen_radio){.x = radios[i].x,
                                               .y = radios[i].y,
                                               .message = radios[i].message,
                                               .weather = i % 2 == 1};
    write_in((ptl_chunk_pos){2, 1}, NULL);
    ck_assert_msg(read_with(f.cat, (ptl_chunk_pos){2, 1}) == PTL_OK, "%s", err.message);
    ck_assert(fixture_same_features(&in, &out));
    ck_assert_int_eq(stmt_prepare(&s, f.store,
                                  "SELECT coalesce(n.name, ''), r.placed, v.message, v.kind "
                                  "FROM radio r JOIN v_radio v ON v.number = r.number "
                                  "LEFT JOIN name n ON n.id = r.message ORDER BY r.number",
                                  &err),
                     PTL_OK);
    for (size_t i = 0; i < RADIOS; i++) {
        ck_assert_int_eq(stmt_step(s, &row, &err), PTL_OK);
        ck_assert(row);
        ck_assert_str_eq(stmt_text(s, 0), radios[i].kept);
        ck_assert_int_eq(stmt_int(s, 1), radios[i].placed);
        ck_assert_str_eq(stmt_text(s, 2), radios[i].message);
        ck_assert_str_eq(stmt_text(s, 3), i % 2 == 1 ? "weather" : "broadcast");
    }
    stmt_free(s);
    ck_assert_int_eq(count_of("name WHERE name LIKE '%{x}%'"), 4);
}
END_TEST

/* ---- digests and refusals ---- */

static digest digest_of_in(void)
{
    encoded_features e;
    codec *c = codec_new();
    ck_assert(c != NULL);
    ck_assert_msg(features_encode(&e, c, (ptl_chunk_pos){2, -2}, &in, f.cat, &err) == PTL_OK,
                  "%s", err.message);
    codec_free(c);
    digest d = e.digest;
    encoded_features_dispose(&e);
    return d;
}

enum { FIELDS = 27, BUILDINGS = 5 };

static void change_special(gen_placement *p, int field)
{
    switch (field) {
    case 0:
        p->special =
            p->special == FIXTURE_SPECIALS - 1 ? FIXTURE_SPECIALS - 2 : FIXTURE_SPECIALS - 1;
        break;
    case 1:
        p->x ^= 1;
        break;
    case 2:
        p->y ^= 1;
        break;
    case 3:
        p->z = (int8_t)(p->z ? 0 : 1);
        break;
    case 4:
        p->rotation ^= 1;
        break;
    case 5:
        p->city = (int16_t)(p->city < 0 ? 0 : FEATURE_NO_CITY);
        break;
    case 6:
        p->draw++;
        break;
    default:
        p->omts++;
    }
}

static void change_part(int field)
{
    gen_piece *p = &in.pieces[6];
    gen_join *j = &in.joins[6];
    int32_t *const numbers[] = {
        &in.attempts[3].asked,  &in.attempts[3].ground, &in.attempts[3].linked,
        &in.attempts[3].city,   &in.attempts[3].room,   &in.attempts[3].failed,
        &in.attempts[3].placed, &p->placement,          &j->placement};
    int16_t *const places[] = {&p->x, &p->y, &j->x, &j->y};
    if (field < 9)
        *numbers[field] += field < 7 ? 1 : *numbers[field] > BUILDINGS ? -3 : 3;
    else if (field < 13)
        *places[field - 9] ^= 1;
    else if (field == 13)
        p->piece ^= 1;
    else if (field == 14)
        p->rotation ^= 1;
    else if (field == 15)
        p->z = (int8_t)(p->z ? 0 : 1);
    else if (field == 16)
        j->join = (uint16_t)(j->join ? 0 : 1);
    else if (field == 17)
        j->z = (int8_t)(j->z ? 0 : 1);
    else
        j->side = (uint8_t)(j->side ? 0 : 1);
}

START_TEST(test_digest_sees_all)
{
    fill(6, (feature_counts){3, BUILDINGS, 2, 1}, (special_counts){20, 10, 30, 30});
    digest plain = digest_of_in();
    digest again = digest_of_in();
    ck_assert_mem_eq(plain.bytes, again.bytes, DIGEST_SIZE);
    if (_i < 8)
        change_special(&in.placements[BUILDINGS + 4], _i);
    else
        change_part(_i - 8);
    digest changed = digest_of_in();
    ck_assert_mem_ne(plain.bytes, changed.bytes, DIGEST_SIZE);
}
END_TEST

START_TEST(test_out_of_range)
{
    encoded_features e;
    codec *c = codec_new();
    fill(1, (feature_counts){2, 3, 0, 0}, (special_counts){9, 5, 12, 12});
    gen_placement *p = &in.placements[5];
    switch (_i) {
    case 0:
        p->special = FIXTURE_SPECIALS;
        break;
    case 1:
        p->omts = 0;
        break;
    case 2:
        p->draw = -1;
        break;
    case 3:
        p->city = 2;
        break;
    case 4:
        p->x = 360;
        break;
    case 5:
        p->rotation = 4;
        break;
    case 6:
        in.attempts[2].asked = 0;
        break;
    case 7:
        in.attempts[2].special = FIXTURE_SPECIALS;
        break;
    case 8:
        in.pieces[3].placement = 2; /* a building */
        break;
    case 9:
        in.pieces[3].placement = 4; /* a fixed special */
        break;
    case 10:
        in.pieces[3].placement = 12;
        break;
    case 11:
        in.pieces[3].piece = FIXTURE_PIECES;
        break;
    case 12:
        in.pieces[3].x = 180;
        break;
    case 13:
        in.joins[3].join = FIXTURE_JOINS;
        break;
    case 14:
        in.joins[3].side = PTL_SIDES;
        break;
    default:
        in.joins[3].placement = -1;
    }
    ck_assert_int_eq(features_encode(&e, c, (ptl_chunk_pos){0, 0}, &in, f.cat, &err),
                     PTL_ERR_INTERNAL);
    encoded_features_dispose(&e);
    codec_free(c);
}
END_TEST

/* ---- size ---- */

/* The packs of an overmap with 154 specials. */
START_TEST(test_size)
{
    encoded_features e;
    codec *c = codec_new();
    size_t packs = 0;
    fill(8, (feature_counts){10, 0, 0, 0}, (special_counts){154, 120, 300, 300});
    for (size_t i = 0; i < in.placement_count; i++)
        in.placements[i].x = (int16_t)(in.placements[i].x % 180);
    ck_assert_int_eq(features_encode(&e, c, (ptl_chunk_pos){0, 0}, &in, f.cat, &err), PTL_OK);
    for (int kind = 0; kind < PACK_KINDS; kind++)
        packs += e.packs[kind].body.size;
    ck_assert_uint_lt(packs, 6000);
    encoded_features_dispose(&e);
    codec_free(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("special_rows");
    TCase *tc = tcase_create("special_rows");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, test_round_trip, 0, sizeof sizes / sizeof sizes[0]);
    tcase_add_test(tc, test_mixed_order);
    tcase_add_test(tc, test_replaced);
    tcase_add_loop_test(tc, test_unknown_ids, 0, 5);
    tcase_add_loop_test(tc, test_every_bit, 0, sizeof bit_columns / sizeof bit_columns[0]);
    tcase_add_test(tc, test_radio_places);
    tcase_add_loop_test(tc, test_digest_sees_all, 0, FIELDS);
    tcase_add_loop_test(tc, test_out_of_range, 0, 16);
    tcase_add_test(tc, test_size);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
