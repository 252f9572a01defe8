/* ptl_verify finds each kind of planted damage, under the right number. */
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "support/test_folder.h"
#include "unit/store/store_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fixture base, f;

typedef struct found {
    unsigned seen; /* bit per invariant */
    char text[4096];
} found;

static void note(void *payload, const ptl_problem *p)
{
    found *out = payload;
    size_t used = strlen(out->text);
    ck_assert(p->where && p->message && p->where[0] && p->message[0]);
    out->seen |= 1u << p->invariant;
    snprintf(out->text + used, sizeof out->text - used, "%d %s: %s\n", p->invariant, p->where,
             p->message);
}

/* A connection that can write: on others SQLite drops CHECK constraints unseen. */
static found verify(void)
{
    found out = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_error err = {0};
    ptl_store *store = fixture_reopen(&f, PTL_OPEN_WRITE);
    ck_assert_msg(ptl_verify(&counts, store, note, &out, &err) == PTL_OK, "%s", err.message);
    ck_assert_int_eq(counts.problems > 0, out.seen != 0);
    ptl_store_close(store);
    return out;
}

/* Made once: each test damages a copy. */
static void make_base(void)
{
    fixture_open(&base);
    for (int i = 0; i < 3; i++) {
        bool written;
        ptl_error err = {0};
        ptl_chunk *chunk = fixture_chunk((ptl_chunk_pos){i, 0}, (uint64_t)i + 1);
        ck_assert_int_eq(fixture_write(&base, base.store, chunk, NULL, &written, &err), PTL_OK);
        ptl_chunk_free(chunk);
    }
    ck_assert_int_eq(ops(base.store)->run->end(base.store, base.run_id, 3, 0.5, "done", NULL),
                     PTL_OK);
    fixture_hide_content(base.store);
    ptl_store_close(base.store);
    base.store = NULL;
}

static void remove_base(void)
{
    fixture_close(&base);
}

static void setup(void)
{
    static char block[1 << 16];
    f = base;
    test_folder(f.dir, sizeof f.dir);
    snprintf(f.path, sizeof f.path, "%s/w.ptl", f.dir);
    FILE *in = fopen(base.path, "rb"), *out = fopen(f.path, "wb");
    ck_assert(in && out);
    for (size_t n = fread(block, 1, sizeof block, in); n > 0;
         n = fread(block, 1, sizeof block, in))
        ck_assert_uint_eq(fwrite(block, 1, n, out), n);
    fclose(in);
    ck_assert_int_eq(fclose(out), 0);
}

static void teardown(void)
{
    f.cat = NULL; /* the base's */
    fixture_close(&f);
}

START_TEST(test_undamaged)
{
    const found none = verify();
    ck_assert_msg(none.seen == 0, "%s", none.text);
}
END_TEST

static const struct {
    const char *sql;
    int invariant;
    const char *text; /* part of what is said */
} damages[] = {
    {"UPDATE chunk SET level_mask = -1 WHERE id = 1", INVARIANT_SQLITE, "CHECK"},
    {"DELETE FROM run", INVARIANT_FOREIGN_KEYS, "refers to a row of run"},
    {"DELETE FROM chunk WHERE id = 2", INVARIANT_FOREIGN_KEYS, "table event"},
    {"DELETE FROM chunk WHERE id = 2", INVARIANT_LEVEL_MASK, "belongs to no chunk"},
    {"DELETE FROM oter WHERE id = 2", INVARIANT_DICTIONARY, "number 2 is missing"},
    {"UPDATE oter SET name = 'other' WHERE id = 2", INVARIANT_DICTIONARY, "row 2"},
    {"UPDATE oter SET name = (SELECT name FROM oter WHERE id = 1) WHERE id = 2",
     INVARIANT_DICTIONARY, "number 2 has the name of number 1"},
    {"UPDATE world SET seed = seed + 1", INVARIANT_WORLD, "table world, row 1"},
    {"UPDATE run SET chunks = 4", INVARIANT_RUN, "table run, row 1"},
    {"UPDATE chunk SET x = 7 WHERE id = 3", INVARIANT_CHUNK, "world 'w', chunk 7,0"},
    {"UPDATE chunk SET x = 7 WHERE id = 3", INVARIANT_EDGES_EXIST, "its north edge has no row"},
    {"UPDATE chunk SET x = 7 WHERE id = 3", INVARIANT_OMT_DIGEST, "omt_digest"},
    {"UPDATE chunk SET fill = x'15ffff7f' WHERE id = 3", INVARIANT_BLOB, "fill"},
    {"UPDATE chunk SET level_mask = level_mask + 1 - 2 * (level_mask & 1) WHERE id = 1",
     INVARIANT_LEVEL_MASK, "level_mask is"},
    {"DELETE FROM level WHERE id = (SELECT min(id) FROM level)", INVARIANT_LEVEL_MASK, NULL},
    {"UPDATE level SET checksum = checksum + 1 WHERE id = (SELECT min(id) FROM level)",
     INVARIANT_LEVEL, ", z "},
    {"UPDATE level SET checksum = checksum + 1 WHERE id = (SELECT min(id) FROM level)",
     INVARIANT_LEVELS_CHECKSUM, "levels_checksum"},
    {"UPDATE level SET omts = substr(omts, 1, length(omts) - 1)", INVARIANT_BLOB, NULL},
    {"UPDATE level SET omts = x'020001' WHERE id = (SELECT min(id) FROM level)",
     INVARIANT_OMT_DIGEST, "omt_digest"},
    {"INSERT INTO level VALUES (32 + 31, 0, x'020001')", INVARIANT_LEVEL_MASK, "no such level"},
    {"UPDATE chunk SET omt_digest = zeroblob(32) WHERE id = 1", INVARIANT_OMT_DIGEST, NULL},
    {"DELETE FROM overview WHERE id = 2", INVARIANT_OVERVIEW, "it has no row"},
    {"INSERT INTO overview SELECT 77, checksum, cells FROM overview WHERE id = 1",
     INVARIANT_OVERVIEW, "row 77: belongs to no chunk"},
    {"UPDATE overview SET checksum = checksum + 1 WHERE id = 1", INVARIANT_OVERVIEW,
     "world 'w', chunk 0,0"},
    {"UPDATE overview SET cells = x'0103' WHERE id = 1", INVARIANT_OVERVIEW,
     "not what its level 0 gives"},
    {"DELETE FROM crossing; DELETE FROM edge WHERE x = 1 AND side = 'E'", INVARIANT_EDGES_EXIST,
     "chunk 1,0: its east edge has no row"},
    {"DELETE FROM crossing; DELETE FROM edge WHERE x = -1 AND side = 'E'",
     INVARIANT_EDGES_EXIST, "chunk 0,0: its west edge has no row"},
    {"DELETE FROM crossing; DELETE FROM edge WHERE x = 2 AND y = 0 AND side = 'S'",
     INVARIANT_EDGES_EXIST, "chunk 2,0: its south edge has no row"},
    {"DELETE FROM crossing; DELETE FROM edge WHERE x = 2 AND y = -1 AND side = 'S'",
     INVARIANT_EDGES_EXIST, "chunk 2,0: its north edge has no row"},
    {"UPDATE edge SET origin = 'foreign' WHERE x = 1 AND side = 'E'", INVARIANT_EDGE,
     "edge 1,0 E"},
    {"UPDATE crossing SET width = width + 1", INVARIANT_EDGE, "checksum differs"},
    {"UPDATE crossing SET position = 180 WHERE kind = 'river'", INVARIANT_CROSSING,
     "position 180"},
    {"UPDATE event SET detail = 'x' WHERE chunk_id = 1", INVARIANT_EVENT, "table event"},
    {"UPDATE run SET chunks = 2", INVARIANT_RUN_COUNT, "says 2 chunks, but 3 name it"},
    {"UPDATE name SET name = (SELECT name FROM name WHERE id = 1) WHERE id = 2", INVARIANT_NAME,
     "number 2 has the name of number 1"},
    {"DELETE FROM name WHERE id = 2", INVARIANT_NAME, "number 2 is missing"},
    {"UPDATE name SET name = 'other' WHERE id = 2", INVARIANT_NAME, "row 2"},
    {"DELETE FROM city WHERE chunk_id = 1 AND number = 0", INVARIANT_FEATURES,
     "city 0: its number is missing"},
    {"DELETE FROM city WHERE chunk_id = 1 AND number = 1", INVARIANT_FEATURES,
     "it names a city that is not there"},
    {"DELETE FROM radio WHERE chunk_id = 2", INVARIANT_FEATURES,
     "chunk 1,0: features_checksum"},
    {"DELETE FROM pack WHERE id = 8", INVARIANT_FEATURES, "features_checksum"},
    {"UPDATE pack SET id = 800 WHERE id = 8", INVARIANT_FEATURES, "belongs to no chunk"},
    {"UPDATE pack SET id = 14 WHERE id = 8", INVARIANT_FEATURES, "row 14"},
    {"UPDATE pack SET data = x'01' WHERE id = 9", INVARIANT_FEATURES, "row 9: checksum"},
    {"UPDATE radio SET message = 9999 WHERE chunk_id = 2", INVARIANT_FEATURES,
     "chunk 1,0: radio 0: its message is not there"},
    {"UPDATE radio SET placed = 1 WHERE chunk_id = 2", INVARIANT_FEATURES,
     "chunk 1,0: radio 0: its message is not there"},
    {"UPDATE radio SET weather = 2 WHERE chunk_id = 2 AND number = 1", INVARIANT_FEATURES,
     "chunk 1,0: radio 1: a value out of range"},
    {"DELETE FROM special_placement WHERE id = 65536", INVARIANT_FEATURES,
     "special_placement 0: its number is missing"},
    {"DELETE FROM special_placement WHERE id = 65536 + 8", INVARIANT_FEATURES,
     "chunk 0,0: features_checksum differs"},
    {"UPDATE special_placement SET omts = 0 WHERE id = 2 * 65536 + 3", INVARIANT_FEATURES,
     "chunk 1,0: special_placement 3: its number of OMTs"},
    {"UPDATE special_placement SET omts = 0 WHERE id / 65536 = 2", INVARIANT_SQLITE, "CHECK"},
    {"UPDATE special_placement SET special = 9999 WHERE id % 65536 = 5", INVARIANT_FEATURES,
     "chunk 2,0: special_placement 5: its special has no name"},
    {"UPDATE special_placement SET id = id + 10 * 65536 WHERE id = 65536 + 8",
     INVARIANT_FEATURES, "table special_placement, row 720904: belongs to no chunk"},
    {"UPDATE special_placement SET id = id + 10 * 65536 WHERE id = 65536 + 8",
     INVARIANT_FEATURES, "chunk 0,0: features_checksum differs"},
    {"DELETE FROM chunk WHERE id = 2", INVARIANT_FEATURES,
     "table special_placement, row 131072: belongs to no chunk"},
    {"DELETE FROM pack WHERE id = 12", INVARIANT_FEATURES, "features_checksum"},
    {"UPDATE chunk SET feature_digest = zeroblob(32) WHERE id = 1", INVARIANT_FEATURE_DIGEST,
     "feature_digest"},
    {"DELETE FROM chunk WHERE id = 2", INVARIANT_FOREIGN_KEYS, "table city"},
    {"UPDATE content SET digest = replace(digest, 'a', 'b')", INVARIANT_CONTENT,
     "table content: checksum differs"},
    {"INSERT INTO overmap_location VALUES ('x', 0, 'f', 1)", INVARIANT_CONTENT,
     "table overmap_location: 1 rows, not 0"},
    {"DELETE FROM content_checksum WHERE name = 'map_extra'", INVARIANT_CONTENT,
     "table map_extra: it has no row in content_checksum"},
    {"INSERT INTO content_checksum VALUES ('map_extrb', 0, 0)", INVARIANT_CONTENT,
     "table map_extrb: a checksum of no table"},
    {"INSERT INTO set_aside VALUES (7, 'now', 'pack', '1', '', NULL, NULL, 'r', x'01', 5)",
     INVARIANT_SET_ASIDE, "table set_aside, row 7: checksum differs"},
    {"UPDATE edge SET cells = x'0100' WHERE id = 1", INVARIANT_BORDER_CELLS, "border cells"},
    {"UPDATE edge SET cells = x'0101b401' WHERE id = 1", INVARIANT_BORDER_CELLS,
     "cells where there should be none"}};

enum { DAMAGES = sizeof damages / sizeof damages[0] };

START_TEST(test_damage)
{
    fixture_damage(&f, damages[_i].sql);
    found out = verify();
    ck_assert_msg(out.seen >> damages[_i].invariant & 1, "%s: wanted %d, got:\n%s",
                  damages[_i].sql, damages[_i].invariant, out.text);
    if (damages[_i].text)
        ck_assert_msg(strstr(out.text, damages[_i].text) != NULL, "%s: wanted '%s', got:\n%s",
                      damages[_i].sql, damages[_i].text, out.text);
}
END_TEST

/* Every column of every row with a checksum: change it, and it is noticed. */
static const char *const columns[] = {"oter name",
                                      "world name",
                                      "world seed",
                                      "world region",
                                      "world city_size",
                                      "world city_spacing",
                                      "world specials_density",
                                      "world specials_spacing",
                                      "world placement",
                                      "world railroads",
                                      "world subways",
                                      "world compat",
                                      "world scale_unique",
                                      "world unique_radius",
                                      "name name",
                                      "world generator_version",
                                      "world content_id",
                                      "world created_at",
                                      "run world_id",
                                      "run command",
                                      "run started",
                                      "run ended",
                                      "run chunks",
                                      "run seconds",
                                      "run outcome",
                                      "run generator_version",
                                      "run content_digest",
                                      "run portolan_version",
                                      "run checksum",
                                      "chunk world_id",
                                      "chunk x",
                                      "chunk y",
                                      "chunk level_mask",
                                      "chunk fill",
                                      "chunk generator_version",
                                      "chunk content_id",
                                      "chunk last_step",
                                      "chunk run_id",
                                      "chunk omt_digest",
                                      "chunk levels_checksum",
                                      "chunk origin",
                                      "chunk feature_digest",
                                      "chunk features_checksum",
                                      "chunk checksum",
                                      "city name",
                                      "city x",
                                      "city y",
                                      "city size",
                                      "city planned_x",
                                      "city planned_y",
                                      "radio x",
                                      "radio y",
                                      "radio strength",
                                      "radio weather",
                                      "radio frequency",
                                      "radio message",
                                      "radio placed",
                                      "special_placement special",
                                      "special_placement x",
                                      "special_placement y",
                                      "special_placement z",
                                      "special_placement rotation",
                                      "special_placement city",
                                      "special_placement draw",
                                      "special_placement omts",
                                      "special_placement id",
                                      "pack checksum",
                                      "pack data",
                                      "level checksum",
                                      "level omts",
                                      "edge world_id",
                                      "edge x",
                                      "edge y",
                                      "edge side",
                                      "edge origin",
                                      "edge generator_version",
                                      "edge content_id",
                                      "edge run_id",
                                      "edge cells",
                                      "edge checksum",
                                      "crossing z",
                                      "crossing kind",
                                      "crossing position",
                                      "crossing width",
                                      "crossing direction",
                                      "event step",
                                      "event kind",
                                      "event x",
                                      "event y",
                                      "event z",
                                      "event detail",
                                      "event checksum"};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *key_of(const char *table)
{
    if (strcmp(table, "crossing") == 0)
        return "edge_id";
    bool of_chunk = strcmp(table, "event") == 0 || strcmp(table, "city") == 0 ||
                    strcmp(table, "radio") == 0;
    return of_chunk ? "chunk_id" : "id";
}

/* Slow builds try every fourth; test_flips turns bits in all of them. */
static bool left_out(int i)
{
    return getenv("PORTOLAN_QUICK") != NULL && i % 4 != 0;
}

START_TEST(test_every_column)
{
    if (left_out(_i))
        return;
    char table[32], column[32], sql[800];
    ck_assert_int_eq(sscanf(columns[_i], "%31s %31s", table, column), 2);
    const char *key = key_of(table);
    snprintf(
        sql, sizeof sql,
        "UPDATE %s SET %s = CASE typeof(%s) WHEN 'integer' THEN %s + 1000 WHEN 'real' THEN "
        "%s + 0.5 WHEN 'blob' THEN x'00' || %s ELSE coalesce(%s, '') || 'x' END "
        "WHERE (%s) IN (SELECT %s FROM %s LIMIT 1)",
        table, column, column, column, column, column, column, key, key, table);
    fixture_damage(&f, sql);
    static const struct {
        const char *table;
        int invariant;
    } wanted[] = {{"oter", INVARIANT_DICTIONARY},
                  {"world", INVARIANT_WORLD},
                  {"run", INVARIANT_RUN},
                  {"chunk", INVARIANT_CHUNK},
                  {"level", INVARIANT_LEVEL},
                  {"edge", INVARIANT_EDGE},
                  {"crossing", INVARIANT_EDGE},
                  {"event", INVARIANT_EVENT},
                  {"name", INVARIANT_NAME},
                  {"city", INVARIANT_FEATURES},
                  {"radio", INVARIANT_FEATURES},
                  {"pack", INVARIANT_FEATURES},
                  {"special_placement", INVARIANT_FEATURES}};
    found out = verify();
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (strcmp(wanted[i].table, table) == 0)
            ck_assert_msg(out.seen >> wanted[i].invariant & 1, "%s: got\n%s", sql, out.text);
}
END_TEST

/* Reading refuses what verify would name. */
START_TEST(test_reads_refuse)
{
    static const char *const sql[] = {"UPDATE chunk SET fill = x'15ffff7f'",
                                      "UPDATE chunk SET generator_version = 9",
                                      "UPDATE level SET omts = x'010001'",
                                      "UPDATE level SET checksum = checksum + 1",
                                      "DELETE FROM level",
                                      "UPDATE oter SET name = 'q' WHERE id = 1"};
    for (int i = 0; i < 6; i++) {
        fixture g = f;
        ptl_chunk *chunk = NULL;
        ptl_error err = {0};
        char copy[300];
        snprintf(g.path, sizeof g.path, "%.80s/c.ptl", f.dir);
        snprintf(copy, sizeof copy, "cp %s %s", f.path, g.path);
        ck_assert_int_eq(system(copy), 0);
        fixture_damage(&g, sql[i]);
        ptl_store *store = fixture_reopen(&g, PTL_OPEN_READ);
        ck_assert_msg(ops(store)->chunk->read(&chunk, store, f.world_id, (ptl_chunk_pos){1, 0},
                                              f.cat, NULL, &err) == PTL_ERR_CORRUPT,
                      "%s", sql[i]);
        ck_assert(chunk == NULL);
        ptl_store_close(store);
        remove(g.path);
        snprintf(copy, sizeof copy, "%s-journal", g.path);
        remove(copy);
    }
}
END_TEST

/* Bytes of the file itself: verify, or already opening, tells; nothing crashes. */
START_TEST(test_broken_page)
{
    if (left_out(_i))
        return;
    found out = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_error err = {0};
    ptl_store *store = NULL;
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_READ};
    FILE *file = fopen(f.path, "r+b");
    ck_assert(file != NULL);
    fseek(file, 0, SEEK_END);
    long pages = ftell(file) / 8192;
    long page = 1 + _i * (pages - 1) / 24;
    fseek(file, page * 8192, SEEK_SET);
    for (int i = 0; i < 400; i++)
        fputc(0xa5 ^ i, file);
    fclose(file);
    ptl_status status = ptl_store_open(&store, f.path, &options, &err);
    if (status == PTL_OK)
        status = ptl_verify(&counts, store, note, &out, &err);
    ck_assert_msg(status == PTL_ERR_CORRUPT || (status == PTL_OK && out.seen != 0),
                  "page %ld of %ld: %d %s", page, pages, status, err.message);
    ptl_store_close(store);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("verify");
    TCase *tc = tcase_create("verify");
    tcase_set_timeout(tc, 60);
    tcase_add_unchecked_fixture(tc, make_base, remove_base);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_undamaged);
    tcase_add_loop_test(tc, test_damage, 0, DAMAGES);
    tcase_add_loop_test(tc, test_every_column, 0, COLUMNS);
    tcase_add_test(tc, test_reads_refuse);
    tcase_add_loop_test(tc, test_broken_page, 0, 24);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
