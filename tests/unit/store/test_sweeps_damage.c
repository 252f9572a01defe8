/* Sweeps that are damaged: reading, verify and repair. */
#include "core/hash.h"
#include "portolan/portolan.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/row_values.h"
#include "store/sqlite/verify/verify.h"
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

static void exec(const char *sql)
{
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static int64_t number(const char *sql)
{
    int64_t n = -1;
    ck_assert_msg(sqlite_pragma_int(store, sql, &n, &err) == PTL_OK, "%s", err.message);
    return n;
}

/* ---- damaged rows ---- */

static bool ignore(void *payload, uint64_t seed, const summary *s)
{
    (void)seed;
    *(size_t *)payload += s->terrain_count;
    return true;
}

static ptl_status read_status(void)
{
    size_t terrains = 0;
    memset(&err, 0, sizeof err);
    return ops(store)->sweep->chunk_visit(store, 1, PTL_COUNT_ALL, ignore, &terrains, &err);
}

static void flip(int column, size_t bit)
{
    static const char *const names[] = {"sweep_id", "seed",   "x",        "y",      "checksum",
                                        "specials", "places", "terrains", "cities", "buildings",
                                        "lines",    "waters", "baseline"};
    char sql[200];
    stmt *s = NULL;
    bool row = false;
    snprintf(sql, sizeof sql, "SELECT %s FROM sweep_chunk WHERE id = 1", names[column]);
    ck_assert_int_eq(stmt_prepare(&s, store, sql, &err), PTL_OK);
    ck_assert(stmt_step(s, &row, &err) == PTL_OK && row);
    const bool blob = column >= 5;
    int64_t value = blob ? 0 : stmt_int(s, 0);
    size_t size = 0;
    const void *stored = stmt_blob(s, 0, &size);
    uint8_t *data = malloc(size + 1);
    ck_assert(data != NULL);
    if (size > 0)
        memcpy(data, stored, size);
    stmt_free(s);
    if (blob)
        data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    else
        value = (int64_t)((uint64_t)value ^ UINT64_C(1) << bit);
    snprintf(sql, sizeof sql, "UPDATE sweep_chunk SET %s = ? WHERE id = 1", names[column]);
    ck_assert_int_eq(stmt_prepare(&s, store, sql, &err), PTL_OK);
    if (blob)
        stmt_bind_blob(s, 1, data, size);
    else
        stmt_bind_int(s, 1, value);
    ck_assert_msg(stmt_run(s, &err) == PTL_OK, "%s", err.message);
    stmt_free(s);
    free(data);
}

static size_t bits_of(int column)
{
    static const char *const lengths[] = {"specials",  "places", "terrains", "cities",
                                          "buildings", "lines",  "waters",   "baseline"};
    char sql[100];
    if (column < 5)
        return 64;
    snprintf(sql, sizeof sql, "SELECT length(%s) * 8 FROM sweep_chunk WHERE id = 1",
             lengths[column - 5]);
    return (size_t)number(sql);
}

/* Every bit of every value: verify sees it, and so does reading, if it is in the sweep still.
 */
START_TEST(test_every_bit)
{
    size_t unseen = 0, unread = 0, flips = 0;
    const size_t step = quick() ? 7 : 1;
    sweep_make(store, "s", 1, 1, 4);
    exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; BEGIN");
    ck_assert_int_eq(read_status(), PTL_OK);
    for (int column = 0; column < 13; column++) {
        const size_t bits = bits_of(column);
        for (size_t bit = 0; bit < bits; bit += step) {
            ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
            exec("SAVEPOINT bit");
            flip(column, bit);
            if (column > 0 || bit % 64 == 0)
                unread += column > 0 && read_status() != PTL_ERR_CORRUPT;
            if (bit % 8 == 0)
                unseen +=
                    verify_parts(store, VERIFY_TABLES, NULL, NULL, &counts, &err) != PTL_OK ||
                    counts.problems == 0;
            exec("ROLLBACK TO bit; RELEASE bit");
            flips++;
        }
    }
    ck_assert_uint_eq(unread, 0);
    ck_assert_uint_eq(unseen, 0);
    ck_assert_uint_gt(flips * step, 3000);
}
END_TEST

/* Sets the checksum of row 1 right. */
static void reseal(void)
{
    stmt *s = NULL;
    bool row = false;
    int64_t sum = 0;
    bytes b = {0};
    ck_assert_int_eq(
        stmt_prepare(&s, store, "SELECT " SWEEP_CHUNK_COLUMNS " FROM sweep_chunk WHERE id = 1",
                     &err),
        PTL_OK);
    ck_assert(stmt_step(s, &row, &err) == PTL_OK && row);
    rowsum_begin(&b, "sweep_chunk");
    rowsum_row(&b, row_table_of(TABLE_SWEEP_CHUNK), s, 0);
    ck_assert_int_eq(rowsum_end(&b, &sum, &err), PTL_OK);
    stmt_free(s);
    ck_assert_int_eq(
        stmt_prepare(&s, store, "UPDATE sweep_chunk SET checksum = ? WHERE id = 1", &err),
        PTL_OK);
    stmt_bind_int(s, 1, sum);
    ck_assert_int_eq(stmt_run(s, &err), PTL_OK);
    stmt_free(s);
    bytes_dispose(&b);
}

/* With a right checksum: what is read is a summary, or it is damage. */
START_TEST(test_resealed)
{
    rng r = rng_from_key(9);
    size_t read = 0, refused = 0;
    const int tries = quick() ? 100 : 600;
    sweep_make(store, "s", 1, 1, 12);
    exec("BEGIN");
    for (int i = 0; i < tries; i++) {
        const int column = 5 + (int)rng_below(&r, 8);
        const size_t bits = bits_of(column);
        if (bits == 0)
            continue;
        exec("SAVEPOINT bit");
        flip(column, rng_below(&r, bits));
        reseal();
        const ptl_status status = read_status();
        read += status == PTL_OK;
        refused += status == PTL_ERR_CORRUPT;
        if (status != PTL_OK && status != PTL_ERR_CORRUPT)
            ck_abort_msg("column %d: status %d %s", column, (int)status, err.message);
        exec("ROLLBACK TO bit; RELEASE bit");
    }
    ck_assert_uint_gt(read, 0);
    ck_assert_uint_gt(refused, read / 4);
}
END_TEST

typedef struct found {
    unsigned seen; /* bit per invariant */
    char text[1000];
} found;

static void note(void *payload, const ptl_problem *p)
{
    found *out = payload;
    const size_t used = strlen(out->text);
    out->seen |= 1u << p->invariant;
    snprintf(out->text + used, sizeof out->text - used, "%d %s: %s\n", p->invariant, p->where,
             p->message);
}

static found verify_all(void)
{
    found out = {0};
    memset(&err, 0, sizeof err);
    ck_assert_msg(ptl_verify(NULL, store, note, &out, &err) == PTL_OK, "%s", err.message);
    return out;
}

static const struct {
    const char *sql;
    bool reseal;
    unsigned invariants;
} damages[] = {
    {"SELECT 1", true, 0},
    {"UPDATE sweep SET city_size = 9", false, 1u << INVARIANT_SWEEP},
    {"UPDATE sweep SET created_at = 'x'", false, 1u << INVARIANT_SWEEP},
    {"UPDATE sweep_chunk SET x = 7 WHERE id = 1", false, 1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET lines = x'' WHERE id = 1", false, 1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET lines = x'' WHERE id = 1", true, 0},
    {"UPDATE sweep_chunk SET baseline = x'' WHERE id = 1", true, 1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET lines = waters WHERE id = 1", true, 1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET specials = specials || x'00' WHERE id = 1", true,
     1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET specials = x'09' || substr(specials, 2) WHERE id = 1", true,
     1u << INVARIANT_SWEEP_CHUNK},
    {"UPDATE sweep_chunk SET x = 5000000 WHERE id = 1", true,
     1u << INVARIANT_SWEEP_CHUNK | 1u << INVARIANT_SQLITE},
    {"DELETE FROM sweep", true, 1u << INVARIANT_FOREIGN_KEYS}};

START_TEST(test_verify)
{
    sweep_make(store, "s", 1, 2, 20);
    exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    exec(damages[_i].sql);
    if (damages[_i].reseal)
        reseal();
    exec("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF");
    const found out = verify_all();
    ck_assert_msg(out.seen == damages[_i].invariants, "%s: %s", damages[_i].sql, out.text);
}
END_TEST

/* Another content does not touch sweeps of an older one. */
START_TEST(test_import)
{
    const ptl_import_options options = {.size = sizeof options, .builtin = true};
    sweep_make(store, "s", 1, 2, 20);
    ck_assert_msg(ptl_import(NULL, store, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(number("SELECT count(*) FROM content"), 2);
    ck_assert_int_eq(read_status(), PTL_OK);
    ck_assert_str_eq(verify_all().text, "");
}
END_TEST

/* ---- repair ---- */

static ptl_repair_report repair(void)
{
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    const ptl_repair_options options = PTL_REPAIR_OPTIONS_INIT;
    memset(&err, 0, sizeof err);
    ck_assert_msg(ptl_repair(&report, store, &options, &err) == PTL_OK, "%s", err.message);
    return report;
}

static int64_t values_digest(void)
{
    stmt *s = NULL;
    int64_t sum = 0;
    bytes b = {0};
    rowsum_begin(&b, "all");
    for (int i = 0; i < 2; i++) {
        bool row = true;
        ck_assert_int_eq(stmt_prepare(&s, store,
                                      i ? "SELECT * FROM sweep_chunk ORDER BY id"
                                        : "SELECT * FROM sweep ORDER BY id",
                                      &err),
                         PTL_OK);
        while (stmt_step(s, &row, &err) == PTL_OK && row)
            rowsum_columns(&b, s, 0, i ? 14 : 17);
        stmt_free(s);
    }
    ck_assert_int_eq(rowsum_end(&b, &sum, &err), PTL_OK);
    bytes_dispose(&b);
    return sum;
}

/* One bit anywhere is set right. */
START_TEST(test_repair_bit)
{
    rng r = rng_from_key((uint64_t)_i);
    sweep_make(store, "s", 1, 3, 4);
    const int64_t before = values_digest();
    exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    size_t bits = bits_of(_i);
    if (bits > 0)
        flip(_i, rng_below(&r, bits));
    else
        exec("UPDATE sweep SET city_spacing = city_spacing + 1");
    exec("PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF");
    ck_assert_int_ne(values_digest(), before);
    const ptl_repair_report report = repair();
    ck_assert_uint_eq(report.corrected, 1);
    ck_assert_uint_eq(report.set_aside + report.unrepaired, 0);
    ck_assert_int_eq(values_digest(), before);
    ck_assert_str_eq(verify_all().text, "");
}
END_TEST

/* Settings of a sweep that can be told, and a sweep that can't. */
START_TEST(test_repair_sweep)
{
    sweep_make(store, "s", 1, 2, 4);
    const int64_t before = values_digest();
    exec("UPDATE sweep SET city_size = 16, railroads = 1, created_at = created_at");
    ptl_repair_report report = repair();
    ck_assert_uint_eq(report.corrected, 1);
    ck_assert_int_eq(values_digest(), before);
    exec("UPDATE sweep SET name = 'another', created_at = 'x'");
    report = repair();
    ck_assert_uint_eq(report.unrepaired, 1);
    ck_assert_int_eq(number("SELECT count(*) FROM sweep_chunk"), 2);
}
END_TEST

/* What nothing explains is set aside, and the others stay. */
START_TEST(test_repair_aside)
{
    static const char *const sql[] = {
        "UPDATE sweep_chunk SET baseline = x'0102' WHERE id = 2",
        "UPDATE sweep_chunk SET x = x + 100, seed = 12345 WHERE id = 2",
        "DELETE FROM sweep; UPDATE sweep_chunk SET x = x WHERE id = 2",
        "DELETE FROM name WHERE id = (SELECT max(id) FROM name)"};
    sweep_make(store, "s", 1, 3, 4);
    exec("PRAGMA foreign_keys = OFF");
    exec(sql[_i]);
    dictionary_forget(store);
    const ptl_repair_report report = repair();
    ck_assert_uint_eq(report.set_aside, _i == 2 ? 3 : 1);
    ck_assert_int_eq(number("SELECT count(*) FROM sweep_chunk"), _i == 2 ? 0 : 2);
    ck_assert_int_eq(
        number("SELECT count(*) FROM set_aside WHERE source_table = 'sweep_chunk'"),
        _i == 2 ? 3 : 1);
    ck_assert_str_eq(verify_all().text, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweeps damaged");
    TCase *tc = tcase_create("sweeps damaged");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_every_bit);
    tcase_add_test(tc, test_resealed);
    tcase_add_loop_test(tc, test_verify, 0, sizeof damages / sizeof damages[0]);
    tcase_add_test(tc, test_import);
    tcase_add_loop_test(tc, test_repair_bit, 0, 13);
    tcase_add_test(tc, test_repair_sweep);
    tcase_add_loop_test(tc, test_repair_aside, 0, 4);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
