/* The plain views of schema/views.sql, against counts that are made here from the same rows.
 */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/store.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORLDS = 2, CHUNKS = 24, SPECIALS = 14, UNKNOWN = SPECIALS - 1 };

/* The content has all of them but the last. */
static const struct {
    const char *id, *flag;
    int min, max;
} specials[SPECIALS] = {{"s00", NULL, 0, 5},
                        {"s01", NULL, 2, 4},
                        {"s02", NULL, 1, 1},
                        {"s03", "UNIQUE", 30, 100},
                        {"s04", "OVERMAP_UNIQUE", 1, 2},
                        {"s05", "GLOBALLY_UNIQUE", 1, 2},
                        {"s06", NULL, 0, 0}, /* nested in others */
                        {"s07", NULL, 3, 2}, /* never asked for */
                        {"s08", "LAKE", 1, 9},
                        {"s09", "UNIQUE", 5, 2}, /* always */
                        {"s10", NULL, 0, 1},     /* none is there */
                        {"s11", NULL, 4, 9},     /* none is there */
                        {"s12", "CLASSIC", 0, 7},
                        {"s13", NULL, 0, 0}};

typedef struct made_chunk {
    int x, y, counts[SPECIALS];
    bool complete, imported, unmet; /* an event says that s01 is too few */
} made_chunk;

static ptl_store *store;
static ptl_error err;
static made_chunk chunks[WORLDS][CHUNKS];

static void exec(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void exec(const char *format, ...)
{
    char sql[1000];
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(sql, sizeof sql, format, args);
    va_end(args);
    ck_assert_int_lt(size, (int)sizeof sql);
    ck_assert_msg(sqlite_exec(store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static double ask(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The first number of the first row; NAN for NULL, -1 if there is no row. */
static double ask(const char *format, ...)
{
    char sql[1000];
    stmt *s = NULL;
    bool row = false;
    va_list args;
    va_start(args, format);
    vsnprintf(sql, sizeof sql, format, args);
    va_end(args);
    ck_assert_msg(stmt_prepare(&s, store, sql, &err) == PTL_OK, "%s: %s", sql, err.message);
    ck_assert_msg(stmt_step(s, &row, &err) == PTL_OK, "%s: %s", sql, err.message);
    const double value = !row ? -1 : stmt_is_null(s, 0) ? (double)NAN : stmt_double(s, 0);
    stmt_free(s);
    return value;
}

static void add_content(void)
{
    exec("INSERT INTO content VALUES (1, '%064d', 0, '', '', 0, 0, 0, 0)", 7);
    for (int i = 0; i < SPECIALS; i++) {
        if (i != 11) /* never placed anywhere: no number */
            exec("INSERT INTO name VALUES (%d, '%s', 0)", i + 1, specials[i].id);
        if (i == UNKNOWN)
            continue;
        exec(
            "INSERT INTO overmap_special (id, kind, subtype, occurrences_min, occurrences_max, "
            "city_distance_min, city_sizes_min, rotate, priority, pack, file, line) VALUES "
            "('%s', 'special', 'fixed', %d, %d, -1, 0, 1, 0, 0, 'f', 1)",
            specials[i].id, specials[i].min, specials[i].max);
        if (specials[i].flag)
            exec("INSERT INTO special_flag VALUES ('%s', '%s')", specials[i].id,
                 specials[i].flag);
    }
}

static world_row some_settings(void)
{
    const ptl_world_options init = PTL_WORLD_OPTIONS_INIT, *from = &init;
    world_row row = {.seed = (uint64_t)-5, .generator_version = 4, .content_id = 1};
    PTL_WORLD_SETTINGS(WORLD_ROW_TAKE, &row)
    row.placement = PTL_PLACEMENT_QUOTA;
    row.riot_damage = PTL_RIOT_DAMAGE_OFF;
    row.region = "default";
    return row;
}

/* The first world's region keeps out what has the flag LAKE. */
static void add_world(int number)
{
    char name[] = "w0";
    world_row row = some_settings();
    name[1] = (char)('0' + number);
    row.name = name;
    row.region = number ? "other" : "default";
    ck_assert_msg(ops(store)->world->insert(NULL, store, &row, &err) == PTL_OK, "%s",
                  err.message);
}

static void add_chunk(int world, int number, rng *r)
{
    made_chunk *c = &chunks[world][number];
    const int id = world * CHUNKS + number + 1;
    int placed = 0;
    c->x = number % 6 - 3;
    c->y = number / 6 - 2;
    c->complete = rng_below(r, 6) != 0;
    c->imported = rng_below(r, 6) == 0;
    exec("INSERT INTO chunk VALUES (%d, %d, %d, %d, 0, x'', 4, 1, '%s', 1, zeroblob(32), 0, "
         "'%s', zeroblob(32), 0, 0)",
         id, world + 1, c->x, c->y, c->complete ? "" : "rivers",
         c->imported ? "imported" : "generated");
    for (int i = 0; i < SPECIALS; i++) {
        c->counts[i] = i == 10 || i == 11 ? 0 : (int)rng_below(r, i == 3 ? 2 : 4);
        for (int k = 0; k < c->counts[i]; k++)
            exec("INSERT INTO special_placement VALUES (%d * 65536 + %d, %d, 3, 4, 0, 0, NULL, "
                 "0, "
                 "1)",
                 id, placed++, i + 1);
    }
    c->unmet = c->complete && !c->imported && c->counts[1] < 2 && rng_below(r, 3) > 0;
    exec("INSERT INTO event VALUES (%d, 0, 'roads', 'unreached', 7, 9, -2, 's01', 0), "
         "(%d, 1, 'lakes', 'x', -1, -1, 0, '', 0)",
         id, id);
    if (c->unmet)
        exec("INSERT INTO event VALUES (%d, 2, 'specials', 'unmet_minimum', -1, -1, 0, 's01', "
             "0)",
             id);
}

/* Once, in memory: each test is a process with a copy of its own. */
static void setup(void)
{
    const ptl_open_options options = {.size = sizeof options, .mode = PTL_OPEN_CREATE};
    rng r = rng_from_key(11);
    memset(&err, 0, sizeof err);
    memset(chunks, 0, sizeof chunks);
    ck_assert_int_eq(ptl_store_open(&store, ":memory:", &options, &err), PTL_OK);
    exec("PRAGMA foreign_keys = OFF; BEGIN");
    add_content();
    exec("INSERT INTO region_feature_flag VALUES ('default', 'blacklist', 'LAKE')");
    for (int w = 0; w < WORLDS; w++) {
        add_world(w);
        for (int i = 0; i < CHUNKS; i++)
            add_chunk(w, i, &r);
    }
    exec(
        "INSERT INTO run VALUES (1, 1, 'generate', 'a', 'b', 24, 1.5, 'done', 4, 'd', 'v', 0)");
    exec("INSERT INTO city VALUES (1, 0, 'A', 5, 6, 3, 5, 6), (2, 0, 'B', 5, 6, 3, 5, 6)");
}

static void teardown(void)
{
    ptl_store_close(store);
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

START_TEST(test_counts)
{
    int wrong = 0;
    for (int w = 0; w < WORLDS; w++)
        for (int c = 0; c < CHUNKS; c++)
            for (int i = 0; i < SPECIALS; i++) {
                const made_chunk *m = &chunks[w][c];
                const int count = m->counts[i];
                wrong += !near(ask("SELECT placed FROM v_special_count WHERE world = 'w%d' AND "
                                   "chunk_x = %d AND chunk_y = %d AND special = '%s'",
                                   w, m->x, m->y, specials[i].id),
                               count > 0 ? count : -1);
            }
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* What v_special_rate has to say of a special in a world. */
typedef struct rate {
    int overmaps, placed, without;
} rate;

static rate rate_of(int world, int special)
{
    rate found = {0, 0, 0};
    for (int c = 0; c < CHUNKS; c++) {
        const made_chunk *m = &chunks[world][c];
        if (!m->complete || m->imported)
            continue;
        found.overmaps++;
        found.placed += m->counts[special];
        found.without += m->counts[special] == 0;
    }
    return found;
}

#define RATE(column, w, i)                                                                     \
    ask("SELECT " column " FROM v_special_rate WHERE world = 'w%d' AND special = '%s'", w,     \
        specials[i].id)

static bool rate_is_right(int w, int i)
{
    const rate want = rate_of(w, i);
    const bool asked = specials[i].max > 0 && specials[i].min <= specials[i].max;
    if (!asked && want.placed == 0)
        return near(RATE("1", w, i), -1);
    return near(RATE("overmaps", w, i), want.overmaps) &&
           near(RATE("placed", w, i), want.placed) &&
           near(RATE("per_overmap", w, i), (double)want.placed / want.overmaps) &&
           near(RATE("overmaps_without", w, i), want.without) &&
           near(RATE("share_without", w, i), (double)want.without / want.overmaps) &&
           (i == UNKNOWN
                ? isnan(RATE("occurrences_max", w, i)) && isnan(RATE("is_unique", w, i))
                : near(RATE("occurrences_max", w, i), specials[i].max));
}

START_TEST(test_rates)
{
    for (int w = 0; w < WORLDS; w++)
        for (int i = 0; i < SPECIALS; i++)
            ck_assert_msg(rate_is_right(w, i), "world %d, %s", w, specials[i].id);
    ck_assert(near(RATE("stated", 0, 3), 0.3) && near(RATE("stated", 0, 4), 0.5));
    ck_assert(near(RATE("stated", 0, 9), 1));
    ck_assert(isnan(RATE("stated", 0, 0)) && isnan(RATE("stated", 0, 5)));
    ck_assert(near(RATE("is_unique", 0, 4), 1) && near(RATE("is_unique", 0, 5), 0));
    ck_assert(near(RATE("is_globally_unique", 0, 5), 1));
    ck_assert(near(RATE("placed", 1, 10), 0) && near(RATE("placed", 1, 11), 0));
    /* Without a filter the same rows, once each. */
    ck_assert(
        near(ask("SELECT count(*) - count(DISTINCT world || special) FROM v_special_rate"), 0));
}
END_TEST

static bool is_of_lakes(int special)
{
    return specials[special].flag && strcmp(specials[special].flag, "LAKE") == 0;
}

START_TEST(test_missing)
{
    int wrong = 0, rows = 0;
    for (int w = 0; w < WORLDS; w++)
        for (int c = 0; c < CHUNKS; c++)
            for (int i = 0; i < UNKNOWN; i++) {
                const made_chunk *m = &chunks[w][c];
                const bool unique = specials[i].flag && strstr(specials[i].flag, "UNIQUE");
                const bool is_missing = m->complete && !m->imported && !unique &&
                                        specials[i].min <= specials[i].max &&
                                        m->counts[i] < specials[i].min &&
                                        !(w == 0 && is_of_lakes(i));
                rows += is_missing;
                wrong +=
                    !near(ask("SELECT placed FROM v_special_missing WHERE world = 'w%d' AND "
                              "chunk_x = %d AND chunk_y = %d AND special = '%s'",
                              w, m->x, m->y, specials[i].id),
                          is_missing ? m->counts[i] : -1);
            }
    ck_assert_int_eq(wrong, 0);
    ck_assert(near(ask("SELECT count(*) FROM v_special_missing"), rows));
    ck_assert(near(ask("SELECT max(occurrences_min) FROM v_special_missing"), 4));
    ck_assert(ask("SELECT count(*) FROM v_special_missing WHERE special = 's08'") > 0);
    /* Each chunk has an event that names s01; some have the one that says why. */
    for (int w = 0; w < WORLDS; w++)
        for (int c = 0; c < CHUNKS; c++)
            if (chunks[w][c].complete && !chunks[w][c].imported && chunks[w][c].counts[1] < 2)
                wrong +=
                    !near(ask("SELECT why = 'unreached%s' FROM v_special_missing WHERE world "
                              "= 'w%d' AND chunk_x = %d AND chunk_y = %d AND special = "
                              "'s01'",
                              chunks[w][c].unmet ? ",unmet_minimum" : "", w, chunks[w][c].x,
                              chunks[w][c].y),
                          1);
    ck_assert_int_eq(wrong, 0);
    ck_assert(
        near(ask("SELECT count(*) FROM v_special_missing WHERE special <> 's01' AND why IS "
                 "NOT NULL"),
             0));
    /* Where there is a whitelist, only what it names is asked for. */
    exec("INSERT INTO region_feature_flag VALUES ('other', 'whitelist', 'LAKE')");
    ck_assert(near(ask("SELECT count(*) FROM v_special_missing WHERE world = 'w1' AND special "
                       "<> 's08'"),
                   0));
    ck_assert(ask("SELECT count(*) FROM v_special_missing WHERE world = 'w1'") > 0);
}
END_TEST

START_TEST(test_places)
{
    ck_assert(
        near(ask("SELECT count(*) FROM v_event WHERE number = 0 AND x = chunk_x * 180 + 7 "
                 "AND y = chunk_y * 180 + 9 AND z = -2 AND kind = 'unreached'"),
             WORLDS * CHUNKS));
    ck_assert(
        near(ask("SELECT count(*) FROM v_event WHERE number = 1 AND x IS NULL AND y IS NULL "
                 "AND z IS NULL"),
             WORLDS * CHUNKS));
    ck_assert(near(ask("SELECT count(*) FROM v_chunk WHERE x = chunk_x * 180 AND y = 180 * "
                       "chunk_y AND length(content) = 64 AND run = 1"),
                   WORLDS * CHUNKS));
    exec("INSERT INTO edge VALUES (1, 1, -2, 3, 'E', 'planned', 4, 1, 1, NULL, 0), "
         "(2, 1, -2, 3, 'S', 'planned', 4, 1, 1, NULL, 0), "
         "(3, 1, 0, 0, 'S', 'planned', 4, 1, 1, NULL, 0)");
    exec("INSERT INTO crossing VALUES (1, 0, 'river', 17, 2, 1), (2, -2, 'sewer', 30, 0, 0), "
         "(2, 0, 'river', 99, 3, 0)");
    ck_assert(near(ask("SELECT x * 1000 + y FROM v_border WHERE side = 'E' AND kind = 'river'"),
                   -181000.0 + 557));
    ck_assert(
        near(ask("SELECT x * 1000 + y FROM v_border WHERE kind = 'sewer'"), -330000.0 + 719));
    ck_assert(
        near(ask("SELECT count(*) FROM v_border WHERE x IS NULL AND y IS NULL AND kind IS "
                 "NULL AND chunk_x = 0"),
             1));
    ck_assert(near(ask("SELECT crossings FROM v_edge WHERE chunk_x = -2 AND side = 'S'"), 2));
    ck_assert(near(ask("SELECT x * 1000 + y FROM v_edge WHERE chunk_x = -2 AND side = 'S'"),
                   -360000.0 + 719));
    ck_assert(near(ask("SELECT x * 1000 + y FROM v_edge WHERE chunk_x = -2 AND side = 'E'"),
                   -181000.0 + 540));
    exec("INSERT INTO level VALUES (2 * 32 + 13, 0, x'0001')");
    ck_assert(near(ask("SELECT x = chunk_x * 180 AND y = chunk_y * 180 AND z = 3 AND bytes = 2 "
                       "FROM v_level"),
                   1));
}
END_TEST

START_TEST(test_worlds)
{
    int placed = 0;
    for (int c = 0; c < CHUNKS; c++)
        for (int i = 0; i < SPECIALS; i++)
            placed += chunks[1][c].counts[i];
    ck_assert(near(ask("SELECT specials FROM v_world WHERE world = 'w1'"), placed));
    ck_assert(near(ask("SELECT chunks FROM v_world WHERE world = 'w1'"), CHUNKS));
    ck_assert(near(ask("SELECT cities FROM v_world WHERE world = 'w1'"), 0));
    ck_assert(near(ask("SELECT cities FROM v_world WHERE world = 'w0'"), 2));
    ck_assert(
        near(ask("SELECT chunks FROM v_run WHERE world = 'w0' AND outcome = 'done'"), 24));
    sweep_row sweep = {.name = "s", .settings = some_settings()};
    ck_assert_int_eq(ops(store)->sweep->insert(store, &sweep, &err), PTL_OK);
    ck_assert(near(ask("SELECT overmaps FROM v_sweep"), 0));
    exec(
        "INSERT INTO sweep_chunk VALUES (1, 1, -9, 0, 0, 0, x'', x'', x'', x'', x'', x'', x'', "
        "x''), (2, 1, 4, 0, 0, 0, x'', x'', x'', x'', x'', x'', x'', x'')");
    /* -9 stands for 2^64 - 9. */
    ck_assert(near(ask("SELECT overmaps = 2 AND seed_min = 4 AND seed_max = "
                       "'18446744073709551607' FROM v_sweep"),
                   1));
}
END_TEST

/* A filter on the world or the chunk reaches the table: it is not all read. */
START_TEST(test_plans)
{
    static const char *const queries[] = {
        "SELECT * FROM v_special_count WHERE world = 'w' AND chunk_x = 1",
        "SELECT * FROM v_special_missing WHERE world = 'w' AND chunk_x = 1",
        "SELECT * FROM v_chunk WHERE world = 'w' AND chunk_x = 1",
        "SELECT * FROM v_edge WHERE world = 'w' AND chunk_x = 1",
        "SELECT * FROM v_border WHERE world = 'w' AND chunk_x = 1",
        "SELECT * FROM v_event WHERE world = 'w' AND chunk_x = 1"};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char plan[200], text[2000] = "";
        stmt *s = NULL;
        bool row = true;
        snprintf(plan, sizeof plan, "EXPLAIN QUERY PLAN %s", queries[i]);
        ck_assert_int_eq(stmt_prepare(&s, store, plan, &err), PTL_OK);
        while (stmt_step(s, &row, &err) == PTL_OK && row)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", stmt_text(s, 3));
        stmt_free(s);
        ck_assert_msg(strstr(text, "(world_id=? AND x=?)") != NULL, "%s:\n%s", queries[i],
                      text);
        ck_assert_msg(strstr(text, "SCAN s\n") == NULL, "%s:\n%s", queries[i], text);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("views");
    TCase *tc = tcase_create("views");
    tcase_add_unchecked_fixture(tc, setup, teardown);
    tcase_add_test(tc, test_counts);
    tcase_add_test(tc, test_rates);
    tcase_add_test(tc, test_missing);
    tcase_add_test(tc, test_places);
    tcase_add_test(tc, test_worlds);
    tcase_add_test(tc, test_plans);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
