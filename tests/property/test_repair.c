/*
 * Repair, over many seeds: rows of random chunks are damaged in every way that a row can be,
 * and come back byte for byte. What is compared is every value of every table but set_aside.
 */
#include "core/digest.h"
#include "core/hash.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/row_values.h"
#include "support/content_catalogue.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/summary_maker.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGED = 24, AT_ONCE = 8, SIDE = 5, SWEPT = 3 };

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_error err;

/* ---- the world ---- */

static void generate(ptl_world *world, int32_t from, int32_t to)
{
    ptl_chunk_pos list[SIDE * SIDE];
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    for (int32_t i = from; i < to; i++)
        list[i - from] = (ptl_chunk_pos){i % SIDE - 2, i / SIDE - 2};
    o.positions = list;
    o.position_count = (size_t)(to - from);
    ck_assert_msg(ptl_generate(NULL, world, &o, &err) == PTL_OK, "%s", err.message);
}

static void make_world(const char *content)
{
    const char *const directories[] = {content};
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    ptl_import_options import = {.size = sizeof import,
                                 .builtin = content == NULL,
                                 .directories = directories,
                                 .directory_count = content != NULL};
    ptl_world_options world_options = PTL_WORLD_OPTIONS_INIT;
    world_file_path(path);
    options.mode = PTL_OPEN_CREATE;
    ck_assert_msg(ptl_store_open(&store, path, &options, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(ptl_import(NULL, store, &import, &err) == PTL_OK, "%s", err.message);
    world_options.seed = 77;
    ck_assert_int_eq(ptl_world_create(store, "w", &world_options, &err), PTL_OK);
    ptl_world *world = world_file_world(store, "w");
    generate(world, 0, 12); /* in two runs, so that a run's number can be wrong */
    generate(world, 12, SIDE * SIDE);
    ptl_world_close(world);
    (void)sweep_make(store, "s", 1, SWEPT, 8);
    ck_assert_int_eq(sqlite_exec(store, "PRAGMA synchronous = OFF", &err), PTL_OK);
}

static void drop_world(void)
{
    ptl_store_close(store);
    world_file_remove(path);
}

/* ---- what a file holds ---- */

static const char *const dumps[] = {"SELECT * FROM oter ORDER BY 1",
                                    "SELECT * FROM name ORDER BY 1",
                                    "SELECT * FROM world ORDER BY 1",
                                    "SELECT * FROM run ORDER BY 1",
                                    "SELECT * FROM chunk ORDER BY 1",
                                    "SELECT * FROM level ORDER BY 1",
                                    "SELECT * FROM city ORDER BY 1, 2",
                                    "SELECT * FROM radio ORDER BY 1, 2",
                                    "SELECT * FROM special_placement ORDER BY 1",
                                    "SELECT * FROM pack ORDER BY 1",
                                    "SELECT * FROM event ORDER BY 1, 2",
                                    "SELECT * FROM edge ORDER BY 1",
                                    "SELECT * FROM crossing ORDER BY 1, 2, 3, 4",
                                    "SELECT * FROM sweep ORDER BY 1",
                                    "SELECT * FROM sweep_chunk ORDER BY 1"};
enum { DUMPS = sizeof dumps / sizeof *dumps };
static const int dump_columns[DUMPS] = {3, 3, 18, 12, 16, 3, 8, 9, 9, 3, 9, 11, 6, 17, 14};

static void dump(int64_t sums[DUMPS])
{
    bytes row;
    bytes_init(&row);
    for (int i = 0; i < DUMPS; i++) {
        stmt *s = NULL;
        digest d;
        digest_state state;
        digest_init(&state);
        ck_assert_int_eq(stmt_prepare(&s, store, dumps[i], &err), PTL_OK);
        for (bool more = true; more;) {
            ck_assert_msg(stmt_step(s, &more, &err) == PTL_OK, "%s", err.message);
            bytes_clear(&row);
            if (more)
                rowsum_columns(&row, s, 0, dump_columns[i]);
            digest_update(&state, row.data, row.size);
        }
        stmt_free(s);
        digest_final(&state, &d);
        memcpy(&sums[i], d.bytes, sizeof sums[i]);
    }
    bytes_dispose(&row);
}

/* ---- damage ---- */

static void flip(repair_value *v, rng *r)
{
    if (v->type == ROW_INTEGER || v->type == ROW_REAL)
        v->word ^= UINT64_C(1) << rng_below(r, 64);
    else if (v->size > 0)
        v->data[rng_below(r, v->size)] ^= (uint8_t)(1u << rng_below(r, 8));
}

static void scribble(repair_value *v, rng *r)
{
    if (v->type == ROW_INTEGER || v->type == ROW_REAL)
        v->word = rng_one_in(r, 2) ? rng_next(r) : rng_below(r, 300);
    for (uint32_t n = 1 + rng_below(r, 8); n > 0 && v->size > 0; n--)
        v->data[rng_below(r, v->size)] = (uint8_t)rng_next(r);
}

static void other_type(repair_value *v, rng *r)
{
    static const row_type types[] = {ROW_NULL, ROW_INTEGER, ROW_REAL, ROW_TEXT, ROW_BLOB};
    row_type type = types[rng_below(r, 5)];
    if ((type == ROW_TEXT || type == ROW_BLOB) && !v->data) {
        v->size = 9;
        v->data = malloc(v->size);
        ck_assert_ptr_nonnull(v->data);
        memcpy(v->data, "something", v->size);
    }
    v->type = type;
    if (type == ROW_REAL)
        v->word = UINT64_C(0x3ff8000000000000) + rng_below(r, 1000);
}

/* A level or pack whose blob was changed and whose checksum was made to agree. */
static void forge(repair_row *row, rng *r)
{
    bytes scratch;
    int64_t sum = 0;
    repair_rows one = {.list = row, .count = 1};
    bytes_init(&scratch);
    scribble(&row->values[2], r);
    const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &one);
    ck_assert_int_eq(repair_unit_sum(&unit, &scratch, &sum, &err), PTL_OK);
    row->values[1] = repair_integer(sum);
    bytes_dispose(&scratch);
}

static void swap_blobs(repair_row *a, repair_row *b)
{
    repair_value kept = a->values[2];
    a->values[2] = b->values[2];
    b->values[2] = kept;
}

/* False where the schema forbids it. */
static bool replace(const repair_row *old, const repair_row *row)
{
    ck_assert_int_eq(sqlite_exec(store, "SAVEPOINT damage", &err), PTL_OK);
    bool done = repair_row_replace(store, old, row, &err) == PTL_OK;
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(sqlite_exec(store,
                                 done ? "RELEASE damage" : "ROLLBACK TO damage; RELEASE damage",
                                 &err),
                     PTL_OK);
    return done;
}

/* Nothing says how many events a chunk has: its last one, gone without a trace, is not missed.
 * So of an event's key only bits are turned over. */
static void damage_event(repair_row *row, rng *r)
{
    uint32_t column = rng_below(r, 9);
    if (column < 2 || rng_one_in(r, 2))
        flip(&row->values[column], r);
    else
        scribble(&row->values[column], r);
}

static void damage_values(repair_row *row, rng *r)
{
    const row_table *t = row_table_of(row->table);
    repair_value *v = &row->values[rng_below(r, (uint64_t)t->count)];
    if (row->table == TABLE_EVENT) {
        damage_event(row, r);
        return;
    }
    switch (rng_below(r, 4)) {
    case 0:
        flip(v, r);
        break;
    case 1:
        scribble(v, r);
        break;
    case 2:
        other_type(v, r);
        break;
    default:
        scribble(v, r);
        flip(&row->values[rng_below(r, (uint64_t)t->count)], r);
    }
}

static bool damage_row(repair_rows *rows, rng *r)
{
    if (rows->count == 0)
        return false;
    repair_row *row = &rows->list[rng_below(r, rows->count)];
    repair_row *other = &rows->list[rng_below(r, rows->count)];
    bool has_blob = row->table == TABLE_LEVEL || row->table == TABLE_PACK;
    repair_rows before = {0};
    ck_assert_int_eq(repair_row_reread(&before, store, row, &err), PTL_OK);
    if (before.count != 1) /* another damage took it away */
        return false;
    bool done;
    uint32_t kind = rng_below(r, 8);
    if (kind == 0 && row->table != TABLE_EVENT) {
        done = replace(&before.list[0], NULL);
    } else if (kind == 1 && has_blob && other != row && other->table == row->table) {
        repair_rows second = {0};
        ck_assert_int_eq(repair_row_reread(&second, store, other, &err), PTL_OK);
        swap_blobs(row, other);
        done = second.count == 1 && replace(&before.list[0], row) &&
               replace(&second.list[0], other);
        repair_rows_dispose(&second);
    } else {
        if (kind == 2 && has_blob)
            forge(row, r);
        else
            damage_values(row, r);
        done = replace(&before.list[0], row);
    }
    repair_rows_dispose(&before);
    return done;
}

static void damage_chunk(int64_t id, rng *r)
{
    bool done = false;
    for (int tries = 0; !done && tries < 50; tries++) {
        repair_chunk c;
        ck_assert_int_eq(repair_chunk_read(&c, store, id, &err), PTL_OK);
        repair_rows *const lists[] = {&c.row,      &c.levels,   &c.levels,
                                      &c.features, &c.features, &c.events};
        done = damage_row(lists[rng_below(r, 6)], r);
        repair_chunk_dispose(&c);
        if (done && rng_one_in(r, 2)) /* once more, and again */
            done = false;
    }
}

/* One bit of one of the first rows of a table; edges may be damaged more. */
static void damage_row_of(rng *r, row_table_id table, uint64_t first)
{
    repair_row key = {.table = table, .values = {repair_integer(1 + rng_below(r, first))}};
    repair_rows rows = {0};
    ck_assert_int_eq(repair_row_reread(&rows, store, &key, &err), PTL_OK);
    if (rows.count == 1) {
        const int columns = row_table_of(table)->count;
        repair_value *v = &rows.list[0].values[1 + rng_below(r, (uint64_t)columns - 1)];
        const bool named = table == TABLE_OTER || table == TABLE_NAME;
        if (table == TABLE_EDGE && rng_one_in(r, 2))
            scribble(v, r);
        else
            flip(v, r);
        (void)replace(&key, named && rng_one_in(r, 3) ? NULL : &rows.list[0]);
    }
    repair_rows_dispose(&rows);
}

/* What chunks rest on, and sweeps. */
static void damage_ground(rng *r)
{
    static const row_table_id tables[] = {TABLE_OTER, TABLE_NAME, TABLE_WORLD,
                                          TABLE_RUN,  TABLE_EDGE, TABLE_EDGE};
    damage_row_of(r, tables[rng_below(r, 6)], 60);
    damage_row_of(r, rng_one_in(r, 5) ? TABLE_SWEEP : TABLE_SWEEP_CHUNK, SWEPT);
}

static void damage_file(uint64_t seed)
{
    rng r = rng_from_key(hash_add(0x7265706169720001, seed));
    ck_assert_int_eq(
        sqlite_exec(store,
                    "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
                    "BEGIN IMMEDIATE",
                    &err),
        PTL_OK);
    uint32_t first = rng_below(&r, SIDE * SIDE);
    for (uint32_t i = 0; i < AT_ONCE; i++) /* 3 and 25 have no divisor in common */
        damage_chunk(1 + (int64_t)((first + 3 * i) % (SIDE * SIDE)), &r);
    damage_ground(&r);
    ck_assert_int_eq(sqlite_exec(store,
                                 "COMMIT; PRAGMA ignore_check_constraints = OFF;"
                                 "PRAGMA foreign_keys = ON",
                                 &err),
                     PTL_OK);
}

/* ---- repair ---- */

typedef struct remarks {
    char text[4000];
} remarks;

static void on_item(void *payload, const ptl_repair_item *item)
{
    remarks *m = payload;
    size_t used = strlen(m->text);
    snprintf(m->text + used, sizeof m->text - used, "  %d %s: %s\n", (int)item->action,
             item->where, item->message);
}

static void on_problem(void *payload, const ptl_problem *problem)
{
    remarks *m = payload;
    size_t used = strlen(m->text);
    snprintf(m->text + used, sizeof m->text - used, "  verify: %s: %s\n", problem->where,
             problem->message);
}

static bool stop(void *payload, const ptl_progress *progress)
{
    (void)payload;
    (void)progress;
    return false;
}

static bool repairs(uint64_t seed, const int64_t before[DUMPS])
{
    int64_t after[DUMPS];
    remarks m = {""};
    ptl_repair_options o = {.size = sizeof o, .on_item = on_item, .payload = &m};
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT, again = PTL_REPAIR_REPORT_INIT;
    bool good = true;
    damage_file(seed);
    if (seed % 4 == 1) { /* stopped early, it goes on */
        const ptl_repair_options stopped = {.size = sizeof stopped, .on_progress = stop};
        ck_assert_int_eq(ptl_repair(NULL, store, &stopped, &err), PTL_ERR_CANCELLED);
    }
    ck_assert_msg(ptl_repair(&report, store, &o, &err) == PTL_OK, "seed %llu: %s\n%s",
                  (unsigned long long)seed, err.message, m.text);
    dump(after);
    for (int i = 0; i < DUMPS; i++)
        if (before[i] != after[i]) {
            good = false;
            printf("seed %llu: other rows after repair: %s\n", (unsigned long long)seed,
                   dumps[i]);
        }
    ck_assert_int_eq(ptl_repair(&again, store, &o, &err), PTL_OK);
    good = good && again.corrected + again.made_again + again.recomputed + again.set_aside +
                           again.unrepaired ==
                       0;
    if (seed % 10 == 0) {
        ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
        ck_assert_int_eq(ptl_verify(&counts, store, on_problem, &m, &err), PTL_OK);
        good = good && counts.problems == 0;
    }
    if (!good)
        printf("%s", m.text);
    fflush(stdout); /* a failed check ends the process without it */
    return good;
}

/* PORTOLAN_SOAK_SEEDS counts damaged chunks here. */
static void repair_many(const char *content)
{
    int64_t before[DUMPS];
    const char *text = getenv("PORTOLAN_REPAIR_FIRST"); /* to see one round again */
    const int first = text ? atoi(text) : 0;
    int rounds = (test_seeds(DAMAGED) + AT_ONCE - 1) / AT_ONCE, wrong = 0;
    make_world(content);
    dump(before);
    for (int i = 0; i < rounds && wrong < 1; i++)
        wrong += !repairs((uint64_t)(first + i), before);
    printf("repair: %d chunks of %s damaged, %d rounds wrong\n", rounds * AT_ONCE,
           content ? content : "our pack", wrong);
    drop_world();
    ck_assert_int_eq(wrong, 0);
}

/* Rows that were set aside as one chunk are found again by their time: the clock must not be
 * read once for each table. */
START_TEST(what_is_set_aside_has_the_time_of_the_repair)
{
    const ptl_repair_options options = PTL_REPAIR_OPTIONS_INIT;
    repairer r = {.store = NULL, .options = &options, .found = "1999-12-31T23:59:59Z"};
    int64_t id = 0, rows = 0, others = 0;
    repair_chunk chunk;
    make_world(NULL);
    r.store = store;
    ck_assert_int_eq(repair_guards(&r, false, &err), PTL_OK);
    ck_assert_int_eq(sqlite_pragma_int(store, "SELECT max(id) FROM chunk", &id, &err), PTL_OK);
    ck_assert_int_eq(ops(store)->transaction->begin(store, &err), PTL_OK);
    ck_assert_int_eq(repair_chunk_read(&chunk, store, id, &err), PTL_OK);
    ck_assert_int_eq(repair_chunk_set_aside(&r, &chunk, "a reason", &err), PTL_OK);
    repair_chunk_dispose(&chunk);
    bytes_dispose(&r.scratch);
    ck_assert_int_eq(ops(store)->transaction->commit(store, &err), PTL_OK);
    ck_assert_int_eq(sqlite_pragma_int(store, "SELECT count(*) FROM set_aside", &rows, &err),
                     PTL_OK);
    ck_assert_int_eq(sqlite_pragma_int(store,
                                       "SELECT count(*) FROM set_aside "
                                       "WHERE found IS NOT '1999-12-31T23:59:59Z'",
                                       &others, &err),
                     PTL_OK);
    ck_assert_int_gt(rows, 21); /* its own, its levels', what stands on it */
    ck_assert_int_eq(others, 0);
    drop_world();
}
END_TEST

/* ---- what proves that a chunk that was made again is the one that was there ---- */

static int64_t some_chunk(int which)
{
    char sql[80];
    int64_t id = 0;
    snprintf(sql, sizeof sql, "SELECT id FROM chunk ORDER BY id LIMIT 1 OFFSET %d", which);
    ck_assert_int_eq(sqlite_pragma_int(store, sql, &id, &err), PTL_OK);
    return id;
}

/* Both digests of its row, or its checksum; one of the digests is not enough. */
START_TEST(a_row_is_proved_by_both_digests)
{
    make_world(NULL);
    for (unsigned changed = 0; changed < 8; changed++) {
        repair_chunk before, made;
        const int64_t id = some_chunk(0);
        ck_assert_int_eq(repair_chunk_read(&before, store, id, &err), PTL_OK);
        ck_assert_int_eq(repair_chunk_read(&made, store, id, &err), PTL_OK);
        repair_value *values = before.row.list[0].values;
        if (changed & 1)
            values[CHUNK_COLUMN_OMT_DIGEST].data[5] ^= 1;
        if (changed & 2)
            values[CHUNK_COLUMN_FEATURE_DIGEST].data[5] ^= 1;
        if (changed & 4)
            values[CHUNK_COLUMN_CHECKSUM].word ^= 1;
        ck_assert_int_eq(repair_same_row(&before, &made), changed <= 4);
        repair_chunk_dispose(&before);
        repair_chunk_dispose(&made);
    }
    drop_world();
}
END_TEST

/* The rows of two lists that are of levels and packs, and for which `keep` says so; the others
 * become rows of another table, which prove nothing. */
static size_t keep_rows(repair_chunk *c, bool (*keep)(const repair_row *))
{
    repair_rows *const lists[] = {&c->levels, &c->features};
    size_t kept = 0;
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->count; k++) {
            repair_row *row = &lists[i]->list[k];
            const bool blob = row->table == TABLE_LEVEL || row->table == TABLE_PACK;
            if (blob && keep(row))
                kept++;
            else
                row->table = TABLE_EVENT;
        }
    return kept;
}

static bool is_large(const repair_row *row)
{
    return row->values[2].size >= 64;
}

static bool is_small(const repair_row *row)
{
    return row->values[2].size < 64;
}

/* Where the chunk's row is gone: a large level or pack that is what its checksum says. One that
 * is not, whatever its checksum, proves nothing, nor does one that many chunks might have. */
START_TEST(leftovers_prove_if_they_are_large_and_sound)
{
    size_t small = 0;
    make_world(NULL);
    for (int which = 0; which < SIDE * SIDE; which++) {
        repair_chunk before, made;
        const int64_t id = some_chunk(which);
        ck_assert_int_eq(repair_chunk_read(&made, store, id, &err), PTL_OK);
        ck_assert_int_eq(repair_chunk_read(&before, store, id, &err), PTL_OK);
        ck_assert(repair_same_leftovers(&before, &made));
        ck_assert_uint_gt(keep_rows(&before, is_large), 0);
        ck_assert(repair_same_leftovers(&before, &made));
        repair_rows *const lists[] = {&before.levels, &before.features};
        for (int i = 0; i < 2; i++)
            for (size_t k = 0; k < lists[i]->count; k++)
                if (lists[i]->list[k].table != TABLE_EVENT)
                    lists[i]->list[k].values[2].data[7] ^= 4;
        ck_assert(!repair_same_leftovers(&before, &made));
        repair_chunk_dispose(&before);
        ck_assert_int_eq(repair_chunk_read(&before, store, id, &err), PTL_OK);
        small += keep_rows(&before, is_small);
        ck_assert(!repair_same_leftovers(&before, &made));
        repair_chunk_dispose(&before);
        repair_chunk_dispose(&made);
    }
    ck_assert_uint_gt(small, 0);
    drop_world();
}
END_TEST

START_TEST(damaged_chunks_of_our_pack_come_back)
{
    repair_many(NULL);
}
END_TEST

START_TEST(damaged_chunks_of_the_game_come_back)
{
    if (content_present(CONTENT_GAME))
        repair_many(CONTENT_GAME);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("repair");
    TCase *tcase = tcase_create("repair");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, what_is_set_aside_has_the_time_of_the_repair);
    tcase_add_test(tcase, a_row_is_proved_by_both_digests);
    tcase_add_test(tcase, leftovers_prove_if_they_are_large_and_sound);
    tcase_add_test(tcase, damaged_chunks_of_our_pack_come_back);
    tcase_add_test(tcase, damaged_chunks_of_the_game_come_back);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
