/* Rows of worlds, chunks, levels, edges, events and runs, over real files. */
#include "store/sqlite/rows/dictionary.h"
#include "support/suite.h"
#include "support/tiles_digest.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static fixture f;
static ptl_error err;

static void setup(void)
{
    fixture_open(&f);
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    fixture_close(&f);
}

static void write_chunk(ptl_store *store, int32_t x, int32_t y, uint64_t seed)
{
    bool written = false;
    ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){x, y}, seed);
    ck_assert_msg(fixture_write(&f, store, chunk, NULL, &written, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert(written);
    ptl_chunk_free(chunk);
}

static ptl_chunk *read_chunk(ptl_store *store, int32_t x, int32_t y)
{
    ptl_chunk *chunk = NULL;
    ptl_status status = ops(store)->chunk->read(&chunk, store, f.world_id,
                                                (ptl_chunk_pos){x, y}, f.cat, NULL, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    return chunk;
}

static int64_t count(const char *sql)
{
    stmt *s;
    bool row;
    ck_assert_msg(stmt_prepare(&s, f.store, sql, &err) == PTL_OK, "%s", err.message);
    ck_assert_msg(stmt_step(s, &row, &err) == PTL_OK && row, "%s", err.message);
    int64_t n = stmt_int(s, 0);
    stmt_free(s);
    return n;
}

START_TEST(test_world_rows)
{
    world_row row, twin;
    ck_assert_msg(ops(f.store)->world->find(&row, f.store, NULL, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_str_eq(row.name, "w");
    ck_assert(row.seed == UINT64_C(0x8000000000000005));
    ck_assert_str_eq(row.region, "default");
    ck_assert_int_eq(row.placement, PTL_PLACEMENT_QUOTA);
    ck_assert(row.specials_density == 1.0);
    ck_assert_int_eq(row.content_id, 1);
    ck_assert_int_eq(ops(f.store)->world->insert(NULL, f.store, &row, &err), PTL_ERR_EXISTS);
    char other[] = "o'ther";
    char *name = row.name;
    row.name = other;
    row.placement = PTL_PLACEMENT_SECTORS;
    memset(&err, 0, sizeof err);
    ck_assert_msg(ops(f.store)->world->insert(NULL, f.store, &row, &err) == PTL_OK, "%s",
                  err.message);
    row.name = name;
    world_row_dispose(&row);
    ck_assert_int_eq(ops(f.store)->world->find(&twin, f.store, NULL, &err), PTL_ERR_NOT_FOUND);
    ck_assert(strstr(err.message, "'w', 'o'ther'") != NULL);
    memset(&err, 0, sizeof err);
    ck_assert_int_eq(ops(f.store)->world->find(&twin, f.store, "x", &err), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ops(f.store)->world->find(&twin, f.store, "o'ther", NULL), PTL_OK);
    ck_assert_int_eq(twin.placement, PTL_PLACEMENT_SECTORS);
    world_row_dispose(&twin);
}
END_TEST

START_TEST(test_chunk_round_trip)
{
    ptl_chunk_pos pos = {_i * 7 - 20, 3 - _i};
    ptl_chunk *in = fixture_chunk(pos, (uint64_t)_i + 100);
    bool written = false, found = false;
    chunk_info info;
    ck_assert_msg(fixture_write(&f, f.store, in, NULL, &written, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert(written);
    ptl_chunk *out = NULL;
    ck_assert_msg(
        ops(f.store)->chunk->read(&out, f.store, f.world_id, pos, f.cat, &info, &err) == PTL_OK,
        "%s", err.message);
    ck_assert(out && fixture_same_chunk(in, out));
    ck_assert_str_eq(info.last_step, "");
    ck_assert_int_eq(info.generator_version, 1);
    digest d;
    digest_of_tiles(&d, in, f.cat, NULL);
    ck_assert_mem_eq(&d, &info.omts, sizeof d);
    ptl_oter *cells = malloc(2 * PTL_LEVEL_CELLS * sizeof *cells),
             *want = cells + PTL_LEVEL_CELLS;
    for (int z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ck_assert_msg(ops(f.store)->chunk->level_read(cells, &found, f.store, f.world_id, pos,
                                                      z, f.cat, &err) == PTL_OK,
                      "%s", err.message);
        ptl_chunk_level(want, in, z);
        ck_assert(found && memcmp(cells, want, PTL_LEVEL_CELLS * sizeof *cells) == 0);
    }
    ck_assert_int_eq(ops(f.store)->chunk->level_read(cells, &found, f.store, f.world_id, pos,
                                                     11, f.cat, NULL),
                     PTL_ERR_ARGUMENT);
    free(cells);
    ptl_chunk_free(in);
    ptl_chunk_free(out);
}
END_TEST

START_TEST(test_missing_chunk)
{
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    bool found = true;
    edge e;
    ck_assert(read_chunk(f.store, 0, 0) == NULL);
    ck_assert_int_eq(ops(f.store)->chunk->level_read(cells, &found, f.store, f.world_id,
                                                     (ptl_chunk_pos){0, 0}, 0, f.cat, &err),
                     PTL_OK);
    ck_assert(!found);
    ck_assert_int_eq(ops(f.store)->chunk->edge_find(&e, &found, f.store, f.world_id, 0, 0,
                                                    EDGE_EAST, NULL, &err),
                     PTL_OK);
    ck_assert(!found);
    free(cells);
}
END_TEST

START_TEST(test_first_writer_wins)
{
    bool written = true;
    ptl_chunk *a = fixture_chunk((ptl_chunk_pos){1, 1}, 1);
    ptl_chunk *b = fixture_chunk((ptl_chunk_pos){1, 1}, 2);
    write_chunk(f.store, 1, 1, 1);
    ck_assert_int_eq(fixture_write(&f, f.store, b, NULL, &written, &err), PTL_OK);
    ck_assert(!written);
    ptl_chunk *out = read_chunk(f.store, 1, 1);
    ck_assert(fixture_same_chunk(out, a));
    ptl_chunk_free(a);
    ptl_chunk_free(b);
    ptl_chunk_free(out);
}
END_TEST

START_TEST(test_shorter_is_replaced)
{
    bool written = false;
    chunk_info info;
    ptl_chunk *part = fixture_chunk((ptl_chunk_pos){1, 1}, 1), *out;
    ck_assert_int_eq(fixture_write(&f, f.store, part, "lakes", &written, &err), PTL_OK);
    ck_assert(written);
    ck_assert_int_eq(fixture_write(&f, f.store, part, "lakes", &written, &err), PTL_OK);
    ck_assert(!written);
    ck_assert_int_eq(ops(f.store)->chunk->read(&out, f.store, f.world_id, (ptl_chunk_pos){1, 1},
                                               f.cat, &info, &err),
                     PTL_OK);
    ck_assert_str_eq(info.last_step, "lakes");
    ptl_chunk_free(out);
    int64_t edges = count("SELECT count(*) FROM edge");
    write_chunk(f.store, 1, 1, 2);
    ck_assert_int_eq(count("SELECT count(*) FROM edge"), edges);
    ck_assert_int_eq(count("SELECT count(*) FROM chunk"), 1);
    ck_assert_int_eq(count("SELECT count(*) FROM event"), 2);
    out = read_chunk(f.store, 1, 1);
    ptl_chunk *whole = fixture_chunk((ptl_chunk_pos){1, 1}, 2);
    ck_assert(fixture_same_chunk(out, whole));
    ptl_chunk_free(part);
    ptl_chunk_free(whole);
    ptl_chunk_free(out);
}
END_TEST

START_TEST(test_edges)
{
    bool found = false;
    write_chunk(f.store, 0, 0, 1);
    write_chunk(f.store, 1, 0, 2); /* shares an edge */
    ck_assert_int_eq(count("SELECT count(*) FROM edge"), 7);
    for (int x = -1; x <= 1; x++) {
        edge want = fixture_edge(x, 0, EDGE_EAST), got;
        ck_assert_int_eq(ops(f.store)->chunk->edge_find(&got, &found, f.store, f.world_id, x, 0,
                                                        EDGE_EAST, NULL, &err),
                         PTL_OK);
        ck_assert(found);
        ck_assert_uint_eq(got.count, want.count);
        for (size_t i = 0; i < want.count; i++) {
            ck_assert_str_eq(got.crossings[i].kind, want.crossings[i].kind);
            ck_assert_int_eq(got.crossings[i].position, want.crossings[i].position);
            ck_assert_int_eq(got.crossings[i].z, want.crossings[i].z);
            ck_assert_int_eq(got.crossings[i].width, want.crossings[i].width);
            ck_assert_int_eq(got.crossings[i].direction, want.crossings[i].direction);
        }
        edge_dispose(&want);
        edge_dispose(&got);
    }
}
END_TEST

/* An edge that was saved otherwise, with a checksum that is right. */
START_TEST(test_other_edge_is_refused)
{
    bool written = false, found = false;
    write_chunk(f.store, 0, 0, 1);
    edge e;
    ck_assert_int_eq(
        sqlite_exec(f.store, "UPDATE edge SET x = 5 WHERE x = -1 AND side = 'E'", &err),
        PTL_OK);
    ck_assert_int_eq(ops(f.store)->chunk->edge_find(&e, &found, f.store, f.world_id, 5, 0,
                                                    EDGE_EAST, NULL, &err),
                     PTL_ERR_CORRUPT);
    ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){5, 0}, 3);
    ck_assert_int_eq(fixture_write(&f, f.store, chunk, NULL, &written, NULL), PTL_ERR_CORRUPT);
    ck_assert(!written);
    ck_assert_int_eq(count("SELECT count(*) FROM chunk"), 1);
    ptl_chunk_free(chunk);
}
END_TEST

START_TEST(test_two_connections)
{
    ptl_store *other = fixture_reopen(&f, PTL_OPEN_WRITE);
    ptl_store *reader = fixture_reopen(&f, PTL_OPEN_READ);
    for (int i = 0; i < 6; i++)
        write_chunk(i % 2 ? other : f.store, i, -i, (uint64_t)i);
    for (int i = 0; i < 6; i++) {
        ptl_chunk *want = fixture_chunk((ptl_chunk_pos){i, -i}, (uint64_t)i);
        ptl_store *stores[] = {f.store, other, reader};
        for (int k = 0; k < 3; k++) {
            ptl_chunk *got = read_chunk(stores[k], i, -i);
            ck_assert(got && fixture_same_chunk(got, want));
            ptl_chunk_free(got);
        }
        ptl_chunk_free(want);
    }
    bool written;
    ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){9, 9}, 9);
    ck_assert_int_eq(fixture_write(&f, reader, chunk, NULL, &written, NULL), PTL_ERR_READONLY);
    ptl_chunk_free(chunk);
    ptl_store_close(other);
    ptl_store_close(reader);
}
END_TEST

/* A rolled-back transaction takes its dictionary rows with it: the cache must forget them. */
START_TEST(test_rollback)
{
    static const ptl_oter oters[3] = {100, 200, 300};
    uint32_t numbers[3];
    for (int pass = 0; pass < 2; pass++) {
        ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
        ck_assert_int_eq(dictionary_numbers(f.store, f.cat, oters, 3, numbers, &err), PTL_OK);
        ck_assert_uint_eq(numbers[0], 1);
        ck_assert_uint_eq(numbers[2], 3);
        ops(f.store)->transaction->rollback(f.store);
        ck_assert_int_eq(count("SELECT count(*) FROM oter"), 0);
    }
    write_chunk(f.store, 0, 0, 1);
    ptl_chunk_free(read_chunk(f.store, 0, 0));
}
END_TEST

/* Numbers run on without a gap, however many are new at once, and are what the rows say. */
START_TEST(test_numbers)
{
    enum { COUNT = 60 };
    static const char *const words[] = {"a", "b", "a", "c", "d", "e", "f", "g", "h",
                                        "i", "j", "b", "k", "l", "m", "n", "o", "a"};
    ptl_oter oters[COUNT];
    uint32_t numbers[COUNT], next = 1, again[COUNT];
    for (uint32_t n = 1; next + n < f.cat->oter_count && n < COUNT; n++) {
        const uint32_t known = next / 3;
        for (uint32_t i = 0; i < n; i++) /* backwards, and some that are known between them */
            oters[i] = (ptl_oter)(i % 5 == 4 && known ? known : f.cat->oter_count - next++);
        ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
        ck_assert_int_eq(dictionary_numbers(f.store, f.cat, oters, n, numbers, &err), PTL_OK);
        ck_assert_int_eq(dictionary_numbers(f.store, f.cat, oters, n, again, &err), PTL_OK);
        ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
        ck_assert(memcmp(numbers, again, n * sizeof *numbers) == 0);
        ck_assert_int_eq(count("SELECT count(*) FROM oter"), count("SELECT max(id) FROM oter"));
        for (uint32_t i = 0; i < n; i++)
            ck_assert_str_eq(dictionary_name(f.store, numbers[i]), f.cat->oters[oters[i]].id);
    }
    ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
    ck_assert_int_eq(names_numbers(f.store, words, 18, numbers, &err), PTL_OK);
    ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
    ck_assert(numbers[2] == 1 && numbers[11] == 2 && numbers[17] == 1 && numbers[16] == 15);
    ck_assert_int_eq(count("SELECT count(*) FROM name"), 15);
    dictionary_forget(f.store); /* reading them again verifies every row */
    ck_assert_int_eq(names_numbers(f.store, words, 18, again, &err), PTL_OK);
    ck_assert(memcmp(numbers, again, 18 * sizeof *numbers) == 0);
    ck_assert_int_eq(dictionary_refresh(f.store, &err), PTL_OK);
}
END_TEST

/* Where a text lies says nothing of it: another may lie there since. */
START_TEST(test_names_of_one_place)
{
    enum { WORDS = 9 };
    char word[] = "word 0";
    const char *const words[] = {word};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < WORDS; i++) {
            uint32_t number = 0;
            word[sizeof word - 2] = (char)('0' + i);
            ck_assert_int_eq(ops(f.store)->transaction->begin(f.store, &err), PTL_OK);
            ck_assert_int_eq(names_numbers(f.store, words, 1, &number, &err), PTL_OK);
            ck_assert_int_eq(ops(f.store)->transaction->commit(f.store, &err), PTL_OK);
            ck_assert_uint_eq(number, i + 1);
            ck_assert_str_eq(names_text(f.store, number), word);
        }
    ck_assert_int_eq(count("SELECT count(*) FROM name"), WORDS);
}
END_TEST

/* Other content: oters move, ids stay; an id that is gone is told by name. */
START_TEST(test_changed_catalogue)
{
    write_chunk(f.store, 0, 0, 1);
    ptl_chunk *before = read_chunk(f.store, 0, 0), *after = NULL;
    catalogue *moved = fixture_catalogue(FIXTURE_OTERS, 'b');
    cat_oter *list = (cat_oter *)(uintptr_t)moved->oters;
    for (size_t i = 1; i < FIXTURE_OTERS; i++)
        list[i].id = f.cat->oters[i - 1].id;
    catalogue *small = fixture_catalogue(2, 'c');
    ck_assert_int_eq(ops(f.store)->chunk->read(&after, f.store, f.world_id,
                                               (ptl_chunk_pos){0, 0}, moved, NULL, &err),
                     PTL_OK);
    for (int z = -10; z <= 10; z++)
        ck_assert_int_eq(ptl_chunk_oter(after, 90, 90, z),
                         ptl_chunk_oter(before, 90, 90, z) + 1);
    ptl_chunk_free(after);
    ck_assert_int_eq(ops(f.store)->chunk->read(&after, f.store, f.world_id,
                                               (ptl_chunk_pos){0, 0}, small, NULL, &err),
                     PTL_ERR_MISMATCH);
    ck_assert(strstr(err.message, "no overmap terrain 't") != NULL);
    ck_assert(after == NULL);
    ptl_chunk_free(before);
    fixture_catalogue_free(moved);
    fixture_catalogue_free(small);
}
END_TEST

START_TEST(test_runs)
{
    int64_t id = 0;
    ck_assert_int_eq(ops(f.store)->run->begin(&id, f.store, f.world_id, "generate x", &err),
                     PTL_OK);
    ck_assert_int_eq(id, f.run_id + 1);
    ck_assert_msg(ops(f.store)->run->end(f.store, id, 5, 1.5, "cancelled", &err) == PTL_OK,
                  "%s", err.message);
    ck_assert_int_eq(
        count("SELECT count(*) FROM run WHERE outcome = 'cancelled' AND chunks = 5 "
              "AND seconds = 1.5 AND content_digest GLOB 'aaaa*'"),
        1);
    ck_assert_int_eq(ops(f.store)->run->end(f.store, 99, 5, 1.5, "done", NULL),
                     PTL_ERR_NOT_FOUND);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_int_eq(ptl_verify(&counts, f.store, NULL, NULL, &err), PTL_OK);
    ck_assert_uint_eq(counts.problems, 0);
}
END_TEST

START_TEST(test_world_digest)
{
    ptl_world_digest_result a = PTL_WORLD_DIGEST_RESULT_INIT, b = PTL_WORLD_DIGEST_RESULT_INIT;
    ck_assert_int_eq(ops(f.store)->world->digest(&a, f.store, f.world_id, &err), PTL_OK);
    for (int i = 0; i < 5; i++)
        write_chunk(f.store, i % 3 - 1, i / 3, (uint64_t)i);
    ck_assert_int_eq(ops(f.store)->world->digest(&b, f.store, f.world_id, &err), PTL_OK);
    ck_assert_uint_eq(b.chunks, 5);
    ck_assert_str_ne(a.hex, b.hex);
    fixture g;
    fixture_open(&g); /* another file, another order, other numbers in its dictionary */
    for (int i = 4; i >= 0; i--) {
        bool written;
        ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){i % 3 - 1, i / 3}, (uint64_t)i);
        ck_assert_int_eq(fixture_write(&g, g.store, chunk, NULL, &written, &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
    ck_assert_int_eq(ops(g.store)->world->digest(&a, g.store, g.world_id, &err), PTL_OK);
    ck_assert_str_eq(a.hex, b.hex);
    ck_assert_uint_eq(a.edges, b.edges);
    fixture_close(&g);
}
END_TEST

/* Four processes write the same 4 x 4 block of one file, each in another order. */
START_TEST(test_processes)
{
    enum { PROCESSES = 4, CHUNKS = 16 };
    pid_t pids[PROCESSES];
    ptl_store_close(f.store); /* not across a fork */
    f.store = NULL;
    for (int p = 0; p < PROCESSES; p++) {
        pids[p] = fork();
        ck_assert_int_ge(pids[p], 0);
        if (pids[p] > 0)
            continue;
        ptl_store *store = fixture_reopen(&f, PTL_OPEN_WRITE);
        bool good = true, written;
        for (int i = 0; i < CHUNKS; i++) {
            int n = (i * 5 + p * 7) % CHUNKS;
            ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){n % 4, n / 4}, (uint64_t)n);
            ptl_error e = {0};
            good = good && fixture_write(&f, store, chunk, NULL, &written, &e) == PTL_OK;
            ptl_chunk_free(chunk);
        }
        ptl_store_close(store);
        _exit(good ? 0 : 1);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int state = 0;
        waitpid(pids[p], &state, 0);
        ck_assert_int_eq(state, 0);
    }
    f.store = fixture_reopen(&f, PTL_OPEN_WRITE);
    fixture_hide_content(f.store);
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ck_assert_msg(ptl_verify(&counts, f.store, NULL, NULL, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_eq(counts.problems, 0);
    ck_assert_uint_eq(counts.chunks, CHUNKS);
    for (int n = 0; n < CHUNKS; n++) {
        ptl_chunk *want = fixture_chunk((ptl_chunk_pos){n % 4, n / 4}, (uint64_t)n);
        ptl_chunk *got = read_chunk(f.store, n % 4, n / 4);
        ck_assert(got && fixture_same_chunk(got, want));
        ptl_chunk_free(want);
        ptl_chunk_free(got);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *tc = tcase_create("rows");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_world_rows);
    tcase_add_loop_test(tc, test_chunk_round_trip, 0, 10);
    tcase_add_test(tc, test_missing_chunk);
    tcase_add_test(tc, test_first_writer_wins);
    tcase_add_test(tc, test_shorter_is_replaced);
    tcase_add_test(tc, test_edges);
    tcase_add_test(tc, test_other_edge_is_refused);
    tcase_add_test(tc, test_two_connections);
    tcase_add_test(tc, test_rollback);
    tcase_add_test(tc, test_names_of_one_place);
    tcase_add_test(tc, test_numbers);
    tcase_add_test(tc, test_changed_catalogue);
    tcase_add_test(tc, test_runs);
    tcase_add_test(tc, test_world_digest);
    tcase_add_test(tc, test_processes);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
