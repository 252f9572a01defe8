/*
 * Worlds as columns (portolan/arrow.h), through the public API, without a consumer: each batch
 * is released as soon as it is there. Prints a table or JSON; `tools/bench --columns` builds
 * and runs it.
 *
 * The content is the embedded one, the world one of seed 7. Rates are million rows a second of
 * processor time, the most of the runs, which take all in turn.
 */
#include "bench_common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum figure_id { LEVELS, TILES, TILES_SMALL, SPECIALS, QUERY, FIGURES } figure_id;

typedef struct figure {
    const char *key, *text;
    double limit; /* at least; 0: none */
    double value; /* the most */
} figure;

static figure figures[FIGURES] = {
    [LEVELS] = {"levels", "ptl_level_load alone", 0, 0},
    [TILES] = {"tiles", "OMTs, a chunk a batch", 50, 0},
    [TILES_SMALL] = {"tiles_small", "OMTs, 65,536 rows a batch", 0, 0},
    [SPECIALS] = {"specials", "v_special, 10 columns", 0, 0},
    [QUERY] = {"query", "a query's numbers, 3 columns", 0, 0},
};

typedef struct bench {
    const char *folder;
    int32_t runs, chunks;
    bool json;
    char path[BENCH_PATH_SIZE];
} bench;

static void take(figure_id id, uint64_t rows, double seconds)
{
    const double rate = 1e-6 * (double)rows / (seconds > 0 ? seconds : 1e-9);
    figures[id].value = rate > figures[id].value ? rate : figures[id].value;
}

static void read_all(figure_id id, struct ArrowArrayStream *stream, double began)
{
    struct ArrowArray batch;
    uint64_t rows = 0;
    int code;
    while ((code = stream->get_next(stream, &batch)) == 0 && batch.release) {
        rows += (uint64_t)batch.length;
        batch.release(&batch);
    }
    if (code != 0) {
        fprintf(stderr, "%s: %s\n", figures[id].text, stream->get_last_error(stream));
        exit(1);
    }
    stream->release(stream);
    take(id, rows, bench_cpu_seconds() - began);
}

static void measure_levels(const bench *b, ptl_world *world)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    const double began = bench_cpu_seconds();
    for (int32_t i = 0; i < b->chunks; i++)
        for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
            bench_check(ptl_level_load(cells, world, bench_position(i), z, &err), "a level",
                        &err);
    take(LEVELS, (uint64_t)b->chunks * PTL_LEVELS * PTL_LEVEL_CELLS,
         bench_cpu_seconds() - began);
}

static void measure(const bench *b)
{
    static const char sql[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                              "SELECT i, i * 2, i / 3.0 FROM n LIMIT 1000000";
    bench_opened file = bench_open(b->path, PTL_WRITERS_ONE, PTL_JOURNAL_KEEP);
    struct ArrowArrayStream stream;
    ptl_error err = {0};
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    measure_levels(b, file.world);
    double began = bench_cpu_seconds();
    bench_check(ptl_arrow_omt_stream(&stream, file.world, NULL, &err), "OMTs", &err);
    read_all(TILES, &stream, began);
    o.batch_rows = 65536;
    began = bench_cpu_seconds();
    bench_check(ptl_arrow_omt_stream(&stream, file.world, &o, &err), "OMTs", &err);
    read_all(TILES_SMALL, &stream, began);
    began = bench_cpu_seconds();
    bench_check(ptl_arrow_table_stream(&stream, file.store, "v_special", NULL, NULL, &err),
                "specials", &err);
    read_all(SPECIALS, &stream, began);
    began = bench_cpu_seconds();
    bench_check(ptl_arrow_query_stream(&stream, file.store, sql, NULL, NULL, &err), "a query",
                &err);
    read_all(QUERY, &stream, began);
    bench_close(&file);
}

/* ---- printing ---- */

static bool is_within(const figure *f)
{
    return bench_within(f->text, "million rows/s", f->value, f->limit, true);
}

static void print_table(const bench *b)
{
    printf("Columns of a world of %d chunks, embedded content: million rows a second of "
           "processor time, the most of %d runs\n\n",
           (int)b->chunks, (int)b->runs);
    for (size_t i = 0; i < FIGURES; i++) {
        const figure *f = &figures[i];
        printf("%-32s %8.2f", f->text, f->value);
        if (f->limit > 0)
            printf("  %s %.0f", is_within(f) ? "at least" : "LESS THAN", f->limit);
        printf("\n");
    }
}

static void print_json(const bench *b)
{
    printf("{\"runs\": %d, \"chunks\": %d", (int)b->runs, (int)b->chunks);
    for (size_t i = 0; i < FIGURES; i++)
        printf(", \"%s\": {\"value\": %.3f, \"limit\": %g, \"within_limit\": %s}",
               figures[i].key, figures[i].value, figures[i].limit,
               is_within(&figures[i]) ? "true" : "false");
    printf("}\n");
}

/* ---- the command line ---- */

static void read_options(bench *b, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            b->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            b->runs = 1;
            b->chunks = 4;
        } else if (strcmp(argv[i], "--runs") == 0) {
            b->runs = bench_number(argv[i], bench_value(argc, argv, &i), 1, 1000);
        } else if (strcmp(argv[i], "--folder") == 0 && i + 1 < argc) {
            b->folder = argv[++i];
        } else {
            const bool help = strcmp(argv[i], "--help") == 0;
            fputs("portolan-bench-columns [--json] [--quick] [--runs N] [--folder DIR]\n",
                  help ? stdout : stderr);
            exit(help ? 0 : 2);
        }
    }
}

int main(int argc, char **argv)
{
    static bench b = {.folder = ".", .runs = 5, .chunks = 64};
    bool unchanged;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    ptl_generate_report report;
    read_options(&b, argc, argv);
    bench_path(b.path, b.folder, "columns.db");
    bench_remove_file(b.path);
    (void)bench_import(b.path, NULL, &unchanged);
    o.seed = 7;
    bench_create_world(b.path, &o);
    (void)bench_generate_file(b.path, 0, b.chunks, 1, &report);
    for (int32_t run = 0; run < b.runs; run++) {
        bench_tell(b.json ? "" : "columns");
        measure(&b);
    }
    bench_tell("");
    bench_remove_file(b.path);
    if (b.json)
        print_json(&b);
    else
        print_table(&b);
    return 0;
}
