#include "bench_query.h"

#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCANNED = 200 /* chunks */, ID_SIZE = 256, SQL_SIZE = 300 };

static const char WORLD_SQL[] = "(SELECT min(name) FROM world)";

/* ---- through the library ---- */

/* What a program that counts does: every tile is looked at. */
static uint64_t count_equal(const ptl_oter cells[PTL_LEVEL_CELLS], ptl_oter wanted)
{
    uint64_t equal = 0;
    for (size_t i = 0; i < PTL_LEVEL_CELLS; i++)
        equal += cells[i] == wanted;
    return equal;
}

static void scan_chunks(const query_job *job, ptl_world *world, samples *out)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    uint64_t equal = 0;
    const double start = bench_seconds();
    for (int32_t i = 0; i < SCANNED; i++) {
        ptl_chunk *chunk = NULL;
        const ptl_chunk_pos pos = bench_position((int32_t)((int64_t)i * 37 % job->chunks));
        if (ptl_chunk_load(&chunk, world, pos, &err) != PTL_OK)
            bench_die("chunk", &err);
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
            ptl_chunk_level(cells, chunk, z);
            equal += count_equal(cells, 0);
        }
        ptl_chunk_free(chunk);
    }
    const double taken = bench_seconds() - start;
    if (equal > (uint64_t)SCANNED * PTL_LEVELS * PTL_LEVEL_CELLS)
        bench_die("more tiles than there are", NULL);
    samples_add(out, (double)SCANNED * PTL_LEVELS * PTL_LEVEL_CELLS / taken / 1e6);
}

static void scan_ground(const query_job *job, ptl_world *world, samples *out)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    uint64_t equal = 0;
    const double start = bench_seconds();
    for (int32_t i = 0; i < SCANNED; i++) {
        const ptl_chunk_pos pos = bench_position((int32_t)((int64_t)i * 37 % job->chunks));
        if (ptl_level_load(cells, world, pos, 0, &err) != PTL_OK)
            bench_die("level", &err);
        equal += count_equal(cells, 0);
    }
    const double taken = bench_seconds() - start;
    if (equal > (uint64_t)SCANNED * PTL_LEVEL_CELLS)
        bench_die("more tiles than there are", NULL);
    samples_add(out, (double)SCANNED * PTL_LEVEL_CELLS / taken / 1e6);
}

/* ---- through SQL ---- */

typedef struct first_value {
    int64_t integer;
    char text[ID_SIZE];
} first_value;

static bool keep_first(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    first_value *out = payload;
    (void)names;
    if (columns < 1)
        return false;
    out->integer = values[0].integer;
    if (values[0].type == PTL_VALUE_TEXT)
        snprintf(out->text, sizeof out->text, "%.*s", (int)values[0].size, values[0].text);
    return true;
}

/* The seconds that the query took, opening its connection included. */
static double ask(ptl_store *store, const char *sql, first_value *out)
{
    ptl_error err = {0};
    const ptl_query_options options = {
        .size = sizeof options, .on_row = keep_first, .payload = out};
    const double start = bench_seconds();
    if (ptl_query(store, sql, &options, &err) != PTL_OK)
        bench_die(sql, &err);
    return bench_seconds() - start;
}

/* Rows of the ground of the first chunks that SQLite sees one by one: the test on x can't be
 * passed down. */
static void ask_tiles(ptl_store *store, samples *out)
{
    char sql[SQL_SIZE];
    first_value first = {0};
    snprintf(
        sql, sizeof sql,
        "SELECT count(*) FROM omt WHERE z = 0 AND chunk_y BETWEEN -10 AND 5 AND (x & 7) = 3");
    const double taken = ask(store, sql, &first);
    if (first.integer <= 0)
        bench_die("table tile is empty", NULL);
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM chunk WHERE y BETWEEN -10 AND 5 AND world_id = (SELECT "
             "min(id) FROM world)");
    first_value chunks = {0};
    ask(store, sql, &chunks);
    samples_add(out, (double)chunks.integer * PTL_LEVEL_CELLS / taken / 1e6);
}

static void ask_region(ptl_store *store, const char *levels, samples *out)
{
    char sql[SQL_SIZE];
    first_value tiles = {0};
    snprintf(sql, sizeof sql,
             "SELECT sum(omts) FROM (SELECT terrain, sum(omts) AS omts FROM "
             "region_count(%s, -100000, -100000, 100000, 100000, %s) GROUP BY terrain)",
             WORLD_SQL, levels);
    const double taken = ask(store, sql, &tiles);
    if (tiles.integer <= 0)
        bench_die("region_count counts nothing", NULL);
    samples_add(out, (double)tiles.integer / taken / 1e6);
}

/* ---- statistics ---- */

static void run_stats(const query_job *job, char *special, bench_report *r)
{
    char path[BENCH_PATH_SIZE];
    char *one[] = {
        NULL, (char[]){"stats"}, path, special, (char[]){"--format"}, (char[]){"json"}, NULL};
    char *all[] = {NULL,
                   (char[]){"stats"},
                   path,
                   (char[]){"--all"},
                   (char[]){"--format"},
                   (char[]){"json"},
                   NULL};
    snprintf(path, sizeof path, "%s", job->path);
    double start = bench_seconds();
    bench_run(job->command, one, NULL, NULL);
    samples_add(&r->figures[FIGURE_STATS_SPECIAL], bench_seconds() - start);
    start = bench_seconds();
    const long peak = bench_run(job->command, all, NULL, NULL);
    samples_add(&r->figures[FIGURE_STATS_ALL], bench_seconds() - start);
    samples_add(&r->figures[FIGURE_STATS_MEMORY], (double)peak * 1024 / 1e6);
}

void query_measure(const query_job *job, bench_report *report)
{
    first_value special = {0};
    ptl_store *store = bench_open_store(job->path);
    ptl_world *world = bench_open_world(store);
    ask(store,
        "SELECT special FROM v_special_rate WHERE NOT is_unique ORDER BY placed DESC LIMIT 1",
        &special);
    for (int32_t run = 0; run < job->runs; run++) {
        scan_chunks(job, world, &report->figures[FIGURE_SCAN]);
        scan_ground(job, world, &report->figures[FIGURE_SCAN_GROUND]);
        ask_tiles(store, &report->figures[FIGURE_TILE_ROWS]);
        ask_region(store, "-10, 10", &report->figures[FIGURE_REGION]);
        ask_region(store, "0, 0", &report->figures[FIGURE_REGION_GROUND]);
    }
    ptl_world_close(world);
    ptl_store_close(store);
    for (int32_t run = 0; run < job->runs; run++)
        run_stats(job, special.text, report);
}
