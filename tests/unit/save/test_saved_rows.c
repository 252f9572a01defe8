/* How notes, marks and facts are listed and shown, what damage does to them, and their bytes.
 */
#include "codec/saved_codec.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/saved_fixture.h"

#include <stdlib.h>
#include <string.h>

static const ptl_chunk_pos here = {0, 0};

/* ---- lists, digests, views ---- */

static bool note_it(void *payload, const ptl_note *note)
{
    NOTE((notes *)payload, "%s %lld,%lld,%d %s;", note->viewer, (long long)note->at.x,
         (long long)note->at.y, (int)note->at.z, note->text);
    return go_on(payload);
}

static bool note_marks(void *payload, const ptl_marks_key *key,
                       const uint8_t bits[PTL_MARKS_BYTES])
{
    NOTE((notes *)payload, "%s %d %d,%d,%d %d;", key->viewer, (int)key->kind, (int)key->chunk.x,
         (int)key->chunk.y, (int)key->z, (int)marks_count(bits));
    return go_on(payload);
}

static bool note_fact(void *payload, const ptl_fact_key *key, const void *value, size_t size)
{
    NOTE((notes *)payload, "%s %d %s %s %lld %d %.*s;", key->space, (int)key->scope, key->name,
         key->viewer, (long long)key->omt.x, (int)key->chunk.x, (int)size, (const char *)value);
    return go_on(payload);
}

static void fill(ptl_world *world)
{
    static const uint8_t some[PTL_MARKS_BYTES] = {7};
    ptl_save *save = saved_save(world, 0);
    OK(saved_note(save, "bob", (ptl_omt){2, 1, 0}, "b"));
    OK(saved_note(save, "ann", (ptl_omt){300, -2, 5}, "far"));
    OK(saved_note(save, "ann", (ptl_omt){-3, 1, 0}, "a"));
    OK(saved_note(save, "ann", (ptl_omt){-3, 1, 2}, "gone"));
    OK(saved_note(save, "ann", (ptl_omt){-3, 1, 2}, NULL));
    OK(ptl_save_marks_set(save, &(ptl_marks_key){"bob", 2, {-9, 9}, -1}, some, PTL_MARKS_ADD,
                          &err));
    OK(ptl_save_marks_set(save, &(ptl_marks_key){"ann", 1, here, 0}, some, PTL_MARKS_ADD,
                          &err));
    const ptl_fact_key keys[] = {
        {.space = "walk", .name = "n", .scope = PTL_FACT_VIEWER, .viewer = "ann"},
        {.space = "walk", .name = "n", .scope = PTL_FACT_OMT, .omt = {-77, 2, 1}},
        {.space = "walk", .name = "n", .scope = PTL_FACT_CHUNK, .chunk = {4, 5}},
        {.space = "walk", .name = "n"},
        {.space = "mod", .name = "n"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        OK(ptl_save_fact_set(save, &keys[i], "v", 1, &err));
    OK(ptl_save_commit(NULL, save, &err));
}

START_TEST(what_is_saved_is_listed)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    notes n = {.most = 99};
    fill(world);
    OK(ptl_note_list(world, NULL, NULL, note_it, &n, &err));
    ck_assert_str_eq(n.text, "ann -3,1,0 a;ann 300,-2,5 far;bob 2,1,0 b;");
    n = (notes){.most = 99};
    OK(ptl_note_list(world, "ann", (const int64_t[]){-3, 1, 299, 1}, note_it, &n, &err));
    ck_assert_str_eq(n.text, "ann -3,1,0 a;");
    ck_assert_int_eq(
        ptl_note_list(world, NULL, (const int64_t[]){1, 0, 0, 0}, note_it, &n, &err),
        PTL_ERR_ARGUMENT);
    n = (notes){.most = 99};
    OK(ptl_marks_each(world, NULL, note_marks, &n, &err));
    OK(ptl_marks_each(world, "bob", note_marks, &n, &err));
    ck_assert_str_eq(n.text, "ann 1 0,0,0 3;bob 2 -9,9,-1 3;bob 2 -9,9,-1 3;");
    n = (notes){.most = 99};
    OK(ptl_fact_each(world, NULL, note_fact, &n, &err));
    ck_assert_str_eq(n.text, "mod 0 n  0 0 v;walk 0 n  0 0 v;walk 1 n  0 4 v;"
                             "walk 2 n  -77 0 v;walk 3 n ann 0 0 v;");
    n = (notes){.most = 99};
    OK(ptl_fact_each(world, "mod", note_fact, &n, &err));
    ck_assert_str_eq(n.text, "mod 0 n  0 0 v;");
    for (int list = 0; list < 3; list++) {
        n = (notes){.most = 1};
        ck_assert_int_eq(list == 0   ? ptl_note_list(world, NULL, NULL, note_it, &n, &err)
                         : list == 1 ? ptl_marks_each(world, NULL, note_marks, &n, &err)
                                     : ptl_fact_each(world, NULL, note_fact, &n, &err),
                         PTL_ERR_CANCELLED);
        ck_assert_int_eq(n.count, 1);
    }
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

static bool keep_number(void *payload, size_t columns, const char *const *names,
                        const ptl_value *values)
{
    (void)names;
    *(int64_t *)payload = columns == 1 ? values[0].integer : -1;
    return true;
}

static int64_t ask(ptl_store *store, const char *sql)
{
    int64_t n = -1;
    ptl_query_options o = PTL_QUERY_OPTIONS_INIT;
    o.on_row = keep_number;
    o.payload = &n;
    OK(ptl_query(store, sql, &o, &err));
    return n;
}

START_TEST(views_and_digest_show_it)
{
    place p;
    char base[65], filled[65], hex[65];
    ptl_world *world = saved_begin(&p, _i);
    saved_digest(base, world);
    ptl_save *save = saved_save(world, 0);
    OK(saved_note(save, "ann", (ptl_omt){7, 9, 0}, "x"));
    OK(ptl_save_commit(NULL, save, &err));
    saved_digest(hex, world);
    ck_assert_str_ne(hex, base);
    save = saved_save(world, 0);
    OK(saved_note(save, "ann", (ptl_omt){7, 9, 0}, ""));
    OK(ptl_save_commit(NULL, save, &err));
    saved_digest(hex, world);
    ck_assert_str_eq(hex, base); /* what is removed leaves nothing */
    fill(world);
    saved_digest(filled, world);
    save = saved_save(world, 0);
    OK(ptl_save_fact_set(save, &(ptl_fact_key){.space = "walk", .name = "more"}, "", 0, &err));
    OK(ptl_save_commit(NULL, save, &err));
    saved_digest(hex, world);
    ck_assert_str_ne(hex, filled);
    if (_i != MEMORY) {
        ck_assert_int_eq(ask(p.store, "SELECT count(*) FROM v_note WHERE world = 'w'"), 3);
        ck_assert_int_eq(ask(p.store, "SELECT sum(cells) FROM v_mark WHERE chunk_x = -9"), 3);
        ck_assert_int_eq(ask(p.store, "SELECT x FROM v_fact WHERE scope = 'omt'"), -77);
        ck_assert_int_eq(ask(p.store, "SELECT size FROM v_fact WHERE viewer = 'ann'"), 1);
        ck_assert_int_eq(ask(p.store, "SELECT count(*) FROM v_fact WHERE size = 0"), 1);
    }
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- damage ---- */

static void keep_problem(void *payload, const ptl_problem *problem)
{
    *(int *)payload = problem->invariant;
}

static int verified(ptl_store *store)
{
    int invariant = 0;
    OK(verify_parts(store, VERIFY_ALL, keep_problem, &invariant, NULL, &err));
    return invariant;
}

static void exec(ptl_store *store, const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

START_TEST(damage_is_seen_and_mended)
{
    static const struct {
        const char *table, *bit, *more;
    } damages[] = {{"note", "UPDATE note SET radius = radius + 32 WHERE text = 'far'",
                    "UPDATE note SET text = 'other', viewer = 'zz' WHERE text = 'far'"},
                   {"mark", "UPDATE mark SET kind = 3 WHERE kind = 1",
                    "UPDATE mark SET bits = X'01000501', revision = 77 WHERE kind = 1"},
                   {"fact", "UPDATE fact SET size = size + 64 WHERE scope = 1",
                    "UPDATE fact SET value = X'70', name = 'q' WHERE scope = 1"}};
    place p;
    char before[65], after[65];
    notes n = {.most = 99};
    ptl_world *world = saved_begin(&p, ROLLBACK);
    fill(world);
    saved_digest(before, world);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
        ck_assert_int_eq(verified(p.store), 0);
        exec(p.store, damages[i].bit);
        ck_assert_int_eq(verified(p.store), INVARIANT_SAVED);
        ck_assert_int_eq(i == 0   ? ptl_note_list(world, NULL, NULL, note_it, &n, &err)
                         : i == 1 ? ptl_marks_each(world, NULL, note_marks, &n, &err)
                                  : ptl_fact_each(world, NULL, note_fact, &n, &err),
                         PTL_ERR_CORRUPT);
        ck_assert_ptr_nonnull(strstr(err.message, damages[i].table));
        OK(ptl_repair(&report, p.store, NULL, &err));
        ck_assert_uint_eq(report.corrected, 1);
        ck_assert_int_eq(verified(p.store), 0);
        saved_digest(after, world);
        ck_assert_str_eq(after, before);
    }
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
        exec(p.store, damages[i].more);
        OK(ptl_repair(&report, p.store, NULL, &err));
        ck_assert_uint_eq(report.set_aside, 1);
        ck_assert_int_eq(verified(p.store), 0);
    }
    ck_assert_int_eq(ask(p.store, "SELECT count(*) FROM v_note"), 2);
    ck_assert_int_eq(ask(p.store, "SELECT count(*) FROM v_mark"), 1);
    ck_assert_int_eq(ask(p.store, "SELECT count(*) FROM v_fact"), 4);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- bytes ---- */

static ptl_status decoded(const void *blob, size_t size, compressor *c)
{
    bytes out = {.size = 0};
    const ptl_status status = marks_decode(&out, c, blob, size, &err);
    bytes_dispose(&out);
    return status;
}

START_TEST(hostile_blobs_are_refused)
{
    static const struct {
        uint8_t bytes[8];
        size_t size;
    } bad[] = {{{0}, 0},
               {{0}, 1},
               {{3, 1, 1}, 3},                /* another form */
               {{1, 0x80}, 2},                /* cut */
               {{1, 1, 0, 1}, 4},             /* a run of nothing */
               {{1, 0xff, 0xff, 0xff, 3}, 5}, /* beyond the level */
               {{1, 0, 0x90, 0xfd, 1, 1}, 6}, /* one more than the level has */
               {{2}, 1},
               {{2, 1, 2, 3}, 4}}; /* no frame */
    compressor *c = compressor_new();
    bytes frame = {.size = 0}, out = {.size = 0};
    ck_assert_ptr_nonnull(c);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(decoded(bad[i].bytes, bad[i].size, c) == PTL_ERR_CORRUPT, "blob %zu", i);
    /* A frame of another size: too much for marks, and not what a fact states. */
    static uint8_t zeros[1 << 20];
    bytes_put_u8(&frame, 2);
    OK(compressor_run(c, &frame, zeros, sizeof zeros, 3, &err));
    ck_assert_uint_lt(frame.size, 200);
    ck_assert_int_eq(decoded(frame.data, frame.size, c), PTL_ERR_CORRUPT);
    const int64_t sizes[] = {-1,       0, 5, (1 << 20) - 1, 1 << 21, PTL_FACT_VALUE_SIZE + 1,
                             INT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        ck_assert_int_eq(fact_decode(&out, c, frame.data + 1, frame.size - 1, sizes[i], &err),
                         PTL_ERR_CORRUPT);
    ck_assert_uint_eq(out.size, 0);
    OK(fact_decode(&out, c, frame.data + 1, frame.size - 1, 1 << 20, &err));
    ck_assert_uint_eq(out.size, sizeof zeros);
    /* A true frame of more than a fact may have. */
    const size_t much = PTL_FACT_VALUE_SIZE + 1;
    void *value = calloc(1, much);
    ck_assert_ptr_nonnull(value);
    bytes_clear(&frame);
    OK(compressor_run(c, &frame, value, much, 3, &err));
    ck_assert_int_eq(fact_decode(&out, c, frame.data, frame.size, (int64_t)much, &err),
                     PTL_ERR_CORRUPT);
    free(value);
    bytes_dispose(&out);
    bytes_dispose(&frame);
    compressor_free(c);
}
END_TEST

/* A walk over a level, with a view of 31 x 31: its marks take few bytes. */
START_TEST(marks_of_a_walk_are_small)
{
    static uint8_t bits[PTL_MARKS_BYTES];
    compressor *c = compressor_new();
    bytes blob = {.size = 0}, back = {.size = 0};
    rng r = rng_from_key(5);
    int x = 90, y = 90;
    size_t most = 0;
    ck_assert_ptr_nonnull(c);
    for (int step = 0; step < 4000; step++) {
        const int way = (int)rng_below(&r, 4), far = (int)rng_below(&r, 9);
        for (int i = 0; i < far; i++) {
            x += way == 0 ? 1 : way == 1 ? -1 : 0;
            y += way == 2 ? 1 : way == 3 ? -1 : 0;
            x = x < 0 ? 0 : x > 179 ? 179 : x;
            y = y < 0 ? 0 : y > 179 ? 179 : y;
        }
        for (int v = y - 15; v <= y + 15; v++)
            for (int u = x - 15; u <= x + 15; u++)
                if (u >= 0 && u < 180 && v >= 0 && v < 180)
                    bits[(v * 180 + u) / 8] |= (uint8_t)(1u << (v * 180 + u) % 8);
        bytes_clear(&blob);
        bytes_clear(&back);
        OK(marks_encode(&blob, c, bits, &err));
        OK(marks_decode(&back, c, blob.data, blob.size, &err));
        ck_assert_mem_eq(back.data, bits, sizeof bits);
        most = blob.size > most ? blob.size : most;
    }
    ck_assert_uint_le(most, 600);
    ck_assert_uint_gt(most, 20);
    bytes_dispose(&blob);
    bytes_dispose(&back);
    compressor_free(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("saved_rows");
    TCase *t = tcase_create("saved_rows");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, what_is_saved_is_listed, 0, MODES);
    tcase_add_loop_test(t, views_and_digest_show_it, 0, MODES);
    tcase_add_test(t, damage_is_seen_and_mended);
    tcase_add_test(t, hostile_blobs_are_refused);
    tcase_add_test(t, marks_of_a_walk_are_small);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
