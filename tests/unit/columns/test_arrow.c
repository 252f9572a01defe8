/*
 * Streams of columns (portolan/arrow.h): OMTs against the plain calls, tables against SQL, with
 * random options; and what a consumer may do with schemas, batches and streams.
 */
#include "core/hash.h"
#include "support/arrow_check.h"
#include "support/seeds.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;

static void ok(ptl_status status)
{
    ck_assert_msg(status == PTL_OK, "%s", err.message);
}

/* A file with four chunks, a stored local map and a sweep. */
static void make_file(void)
{
    static const ptl_chunk_pos chunks[] = {{0, 0}, {1, 0}, {0, 1}, {-2, -1}};
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = chunks;
    o.position_count = sizeof chunks / sizeof chunks[0];
    ok(ptl_generate(NULL, world, &o, &err));
    for (int32_t x = 20; x < 24; x++) {
        ptl_local_map *map = NULL;
        ok(ptl_local_get(&map, world, (ptl_omt){x, 20, 0}, NULL, &err));
        ptl_local_free(map);
    }
    ptl_sweep_options sweep = PTL_SWEEP_OPTIONS_INIT;
    sweep.seed_first = UINT64_MAX - 1;
    sweep.seed_last = UINT64_MAX;
    sweep.positions = chunks;
    sweep.position_count = 1;
    ok(ptl_sweep_run(NULL, store, "s", &sweep, &err));
    ptl_world_close(world);
    ptl_store_close(store);
    store = NULL;
}

static bool stops;

static bool should_stop(void *payload)
{
    (void)payload;
    return stops;
}

static void set_up(void)
{
    const ptl_open_options o = {
        .size = sizeof o, .mode = PTL_OPEN_READ, .should_stop = should_stop};
    stops = false;
    ok(ptl_store_open(&store, path, &o, &err));
    world = world_file_world(store, "w");
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
}

static void remove_file(void)
{
    world_file_remove(path);
}

static int32_t below(rng *r, uint32_t n)
{
    return (int32_t)rng_below(r, n);
}

static ptl_arrow_options random_options(rng *r)
{
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    static const uint32_t rows[] = {0, 1000, 4321, 32400, 70000, PTL_ARROW_BATCH_MAX};
    if (below(r, 2)) {
        o.first = (ptl_chunk_pos){below(r, 3) - 2, below(r, 2) - 1};
        o.last = (ptl_chunk_pos){o.first.x + below(r, 3), o.first.y + below(r, 2)};
    }
    if (below(r, 2)) {
        o.z_min = below(r, 21) - 10;
        o.z_max = o.z_min + below(r, (uint32_t)(11 - o.z_min));
    }
    o.batch_rows = rows[below(r, 6)];
    return o;
}

/* ---- OMTs ---- */

static bool put_chunk(void *payload, ptl_chunk_pos pos)
{
    ptl_chunk_pos *list = payload;
    list[list[0].x++ + 1] = pos;
    return true;
}

/* The rows of the stream by the plain calls. */
static void plain_tiles(arrow_rows *out, const ptl_arrow_options *o)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_chunk_pos list[8] = {{0, 0}};
    const ptl_chunk_list_options within = {
        .size = sizeof within, o->first.x, o->first.y, o->last.x, o->last.y, 0, 0};
    ok(ptl_chunk_list(store, "w", &within, put_chunk, list, &err));
    memset(out, 0, sizeof *out);
    for (int32_t i = 1; i <= list[0].x; i++) {
        for (int32_t z = o->z_min; z <= o->z_max; z++) {
            ok(ptl_level_load(cells, world, list[i], z, &err));
            for (int32_t c = 0; c < PTL_LEVEL_CELLS; c++) {
                const char *id = ptl_world_oter_name(world, cells[c]);
                uint64_t hash = arrow_hash_number(0, list[i].x * 180 + c % 180);
                hash = arrow_hash_number(hash, list[i].y * 180 + c / 180);
                hash = arrow_hash_number(hash, z);
                arrow_rows_add(out, arrow_hash(hash, id, strlen(id)));
            }
        }
    }
}

START_TEST(tiles_are_those_of_levels)
{
    rng r = rng_from_key(7);
    for (int seed = 0; seed < test_seeds(10); seed++) {
        const ptl_arrow_options o = random_options(&r);
        struct ArrowArrayStream stream;
        arrow_rows got, plain;
        ok(ptl_arrow_omt_stream(&stream, world, &o, &err));
        arrow_read(&got, &stream);
        plain_tiles(&plain, &o);
        arrow_compare(&got, &plain, "tiles");
        const size_t levels = (size_t)(o.z_max - o.z_min + 1) * PTL_LEVEL_CELLS;
        const size_t most = o.batch_rows > 0 && o.batch_rows < levels ? o.batch_rows : levels;
        ck_assert_uint_eq(got.batches, plain.count / levels * ((levels + most - 1) / most));
        ck_assert_uint_eq(got.largest, plain.count > 0 ? most : 0);
        arrow_rows_dispose(&got);
        arrow_rows_dispose(&plain);
    }
}
END_TEST

START_TEST(schemas_tell_what_there_is)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    char text[200], content[200];
    arrow_rows rows = {0};
    ok(ptl_arrow_omt_stream(&stream, world, NULL, &err));
    ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
    arrow_check_schema(&rows, &schema);
    ck_assert_str_eq(rows.names[3], "oter");
    ck_assert_int_eq(memcmp(rows.formats, "iicS", 4), 0);
    ck_assert(arrow_metadata(text, sizeof text, schema.metadata, "portolan"));
    ck_assert_str_eq(text, ptl_version());
    ck_assert(arrow_metadata(text, sizeof text, schema.metadata, "world"));
    ck_assert_str_eq(text, "w");
    ck_assert(arrow_metadata(content, sizeof content, schema.metadata, "content"));
    ck_assert_uint_eq(strlen(content), 64);
    ck_assert(!arrow_metadata(text, sizeof text, schema.metadata, "sweep"));
    ck_assert(arrow_metadata(text, sizeof text, schema.children[0]->metadata, "unit"));
    ck_assert_str_eq(text, "OMT");
    ck_assert(!arrow_metadata(text, sizeof text, schema.children[3]->metadata, "unit"));
    schema.release(&schema);
    stream.release(&stream);
    ok(ptl_arrow_table_stream(&stream, store, "sweep_city", "s", NULL, &err));
    ck_assert_int_eq(stream.get_schema(&stream, &schema), 0);
    ck_assert(arrow_metadata(text, sizeof text, schema.metadata, "sweep"));
    ck_assert_str_eq(text, "s");
    ck_assert(arrow_metadata(text, sizeof text, schema.metadata, "content"));
    ck_assert_str_eq(text, content);
    schema.release(&schema);
    stream.release(&stream);
}
END_TEST

/* ---- tables ---- */

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    uint64_t hash = 0;
    (void)names;
    for (size_t i = 0; i < columns; i++)
        hash = arrow_hash_value(hash, &values[i]);
    arrow_rows_add(payload, hash);
    return true;
}

/* The rows of a table by SQL, with conditions of the test's own. */
static void plain_table(arrow_rows *out, const char *table, const arrow_rows *columns,
                        const ptl_arrow_options *o)
{
    char sql[4000];
    size_t used = 0;
    const bool tile = strcmp(table, "local_tile") == 0;
    bool has_z = false;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < columns->columns; i++) {
        used += (size_t)snprintf(sql + used, sizeof sql - used, "%s%s", i > 0 ? "," : "SELECT ",
                                 columns->names[i]);
        has_z = has_z || strcmp(columns->names[i], "z") == 0;
    }
    used += (size_t)snprintf(
        sql + used, sizeof sql - used,
        " FROM %s WHERE %s = '%s' AND %s >= %d AND %s <= %d AND %s >= %d AND %s <= %d", table,
        columns->names[0], columns->names[0][0] == 's' ? "s" : "w",
        tile ? "x / 180" : "chunk_x", o->first.x, tile ? "x / 180" : "chunk_x", o->last.x,
        tile ? "y / 180" : "chunk_y", o->first.y, tile ? "y / 180" : "chunk_y", o->last.y);
    if (has_z && (o->z_min > PTL_Z_MIN || o->z_max < PTL_Z_MAX))
        snprintf(sql + used, sizeof sql - used, " AND z >= %d AND z <= %d", o->z_min, o->z_max);
    const ptl_query_options q = {.size = sizeof q, .on_row = on_row, .payload = out};
    ck_assert_msg(ptl_query(store, sql, &q, &err) == PTL_OK, "%s: %s", sql, err.message);
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort(arrow_rows *rows)
{
    if (rows->count > 0)
        qsort(rows->hashes, rows->count, sizeof *rows->hashes, by_hash);
}

static size_t compare_table(const char *table, const ptl_arrow_options *o)
{
    struct ArrowArrayStream stream;
    arrow_rows got, plain;
    const char *of = strncmp(table, "sweep_", 6) == 0 ? "s" : "w";
    ck_assert_msg(ptl_arrow_table_stream(&stream, store, table, of, o, &err) == PTL_OK,
                  "%s: %s", table, err.message);
    arrow_read(&got, &stream);
    plain_table(&plain, table, &got, o);
    sort(&got);
    sort(&plain);
    arrow_compare(&got, &plain, table);
    if (o->batch_rows > 0)
        ck_assert_uint_le(got.largest, o->batch_rows);
    const size_t count = got.count;
    arrow_rows_dispose(&got);
    arrow_rows_dispose(&plain);
    return count;
}

START_TEST(tables_are_those_of_sql)
{
    rng r = rng_from_key(9);
    const char *table;
    for (size_t i = 0; (table = ptl_arrow_table_name(i)) != NULL; i++) {
        ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
        ck_assert_msg(compare_table(table, &o) > 0, "%s has no rows", table);
        for (int seed = 0; seed < test_seeds(5); seed++) {
            o = random_options(&r);
            o.batch_rows = below(&r, 2) ? 0 : 1 + rng_below(&r, 300);
            compare_table(table, &o);
        }
    }
}
END_TEST

START_TEST(tables_without_a_name_have_all)
{
    struct ArrowArrayStream stream;
    arrow_rows one, all;
    ok(ptl_arrow_table_stream(&stream, store, "v_city", "w", NULL, &err));
    arrow_read(&one, &stream);
    ok(ptl_arrow_table_stream(&stream, store, "v_city", NULL, NULL, &err));
    arrow_read(&all, &stream);
    sort(&one);
    sort(&all);
    arrow_compare(&one, &all, "the only world");
    arrow_rows_dispose(&one);
    arrow_rows_dispose(&all);
}
END_TEST

/* ---- what consumers do ---- */

enum { KEPT_MAX = 30 };

/* Batches, columns and a schema that outlive the stream that they come from. */
typedef struct kept {
    struct ArrowArray arrays[KEPT_MAX];
    size_t count;
    struct ArrowSchema schema;
} kept;

/* Keeps a batch, moves one of its columns or its dictionary out, or lets it go. */
static void use_batch(rng *r, kept *k, struct ArrowArray *batch)
{
    const int how = below(r, 3);
    if (how == 0 && k->count < KEPT_MAX) {
        k->arrays[k->count++] = *batch;
        batch->release = NULL;
    }
    if (how == 1 && k->count < KEPT_MAX) {
        struct ArrowArray *from = batch->children[below(r, (uint32_t)batch->n_children)];
        from = from->dictionary && below(r, 2) ? from->dictionary : from;
        k->arrays[k->count++] = *from;
        from->release = NULL;
    }
    if (batch->release)
        batch->release(batch);
}

static void open_any(rng *r, struct ArrowArrayStream *stream)
{
    ptl_arrow_options o = random_options(r);
    const int32_t which = below(r, 3);
    if (which == 0)
        ok(ptl_arrow_omt_stream(stream, world, &o, &err));
    o.batch_rows = 7;
    if (which == 1)
        ok(ptl_arrow_table_stream(stream, store, "attempt", "w", &o, &err));
    if (which == 2)
        ok(ptl_arrow_query_stream(stream, store, "SELECT * FROM v_special", NULL, &o, &err));
}

START_TEST(consumers_drop_streams_and_keep_batches)
{
    rng r = rng_from_key(3);
    for (int seed = 0; seed < test_seeds(30); seed++) {
        struct ArrowArrayStream stream, moved;
        struct ArrowArray batch;
        kept k = {.count = 0};
        set_up();
        open_any(&r, &stream);
        if (below(&r, 2)) {
            ck_assert_int_eq(stream.get_schema(&stream, &k.schema), 0);
            if (below(&r, 2)) /* a child that is taken out of its parent */
                k.schema.children[1]->release(k.schema.children[1]);
        }
        moved = stream;
        stream.release = NULL;
        for (int n = below(&r, 12); n > 0; n--) {
            ck_assert_int_eq(moved.get_next(&moved, &batch), 0);
            if (!batch.release)
                break;
            use_batch(&r, &k, &batch);
        }
        moved.release(&moved);
        ck_assert(!moved.release);
        tear_down();
        for (size_t i = 0; i < k.count; i++) {
            ck_assert_int_gt(k.arrays[i].length, 0);
            k.arrays[i].release(&k.arrays[i]);
        }
        if (k.schema.release)
            k.schema.release(&k.schema);
    }
}
END_TEST

static bool on_batch(void *payload, uint64_t rows)
{
    return rows < *(const uint64_t *)payload;
}

static void expect_failure(struct ArrowArrayStream *stream, int code)
{
    struct ArrowArray batch;
    struct ArrowSchema schema;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(stream->get_next(stream, &batch), code);
        ck_assert(!batch.release);
        ck_assert_ptr_nonnull(stream->get_last_error(stream));
        ck_assert_uint_gt(strlen(stream->get_last_error(stream)), 5);
        ck_assert_int_eq(stream->get_schema(stream, &schema), 0);
        schema.release(&schema);
    }
    stream->release(stream);
}

START_TEST(streams_hear_stops)
{
    static const char *const tables[] = {NULL, "attempt", "v_special"};
    for (int i = 0; i < 6; i++) {
        struct ArrowArrayStream stream;
        struct ArrowArray batch;
        uint64_t most = 100;
        ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
        o.batch_rows = 50;
        o.on_batch = i < 3 ? on_batch : NULL;
        o.payload = &most;
        ok(tables[i % 3] ? ptl_arrow_table_stream(&stream, store, tables[i % 3], "w", &o, &err)
                         : ptl_arrow_omt_stream(&stream, world, &o, &err));
        ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
        batch.release(&batch);
        if (i < 3) {
            ck_assert_int_eq(stream.get_next(&stream, &batch), 0);
            batch.release(&batch);
        } else {
            stops = true;
            for (int n = 0; n < 1000 && stream.get_next(&stream, &batch) == 0; n++)
                batch.release(&batch);
        }
        expect_failure(&stream, ECANCELED);
        stops = false;
    }
}
END_TEST

/* Bytes that are allocated now; 0 under a sanitizer, which owns malloc. */
static size_t memory_in_use(void)
{
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

/* A stream holds one batch: hundreds of them need no more memory than the first twenty, but for
 * the pages that SQLite keeps. */
START_TEST(memory_does_not_grow)
{
    static const char sql[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                              "SELECT i, hex(i), i / 3.0 FROM n LIMIT 1300000";
    enum { FIRST = 20, ROWS = 1 << 12, PAGES = 4 << 20 };
    for (int which = 0; which < 3; which++) {
        struct ArrowArrayStream stream;
        struct ArrowArray batch;
        size_t first = 0, all = 0, batches = 0, rows = 0;
        ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
        o.batch_rows = ROWS;
        const ptl_query_options q = {
            .size = sizeof q, .reading = which == 1 ? PTL_QUERY_AUTO : PTL_QUERY_SNAPSHOT};
        ok(which == 0 ? ptl_arrow_omt_stream(&stream, world, &o, &err)
                      : ptl_arrow_query_stream(&stream, store, sql, &q, &o, &err));
        while (stream.get_next(&stream, &batch) == 0 && batch.release) {
            const size_t now = memory_in_use();
            rows += (size_t)batch.length;
            batches++;
            all = now > all ? now : all;
            first = batches <= FIRST ? all : first;
            batch.release(&batch);
        }
        ck_assert_ptr_null(stream.get_last_error(&stream));
        ck_assert_uint_ge(rows, 1300000);
        ck_assert_uint_ge(batches, 300);
        ck_assert_uint_le(all, first + PAGES);
        stream.release(&stream);
    }
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    struct ArrowArrayStream stream;
    const ptl_arrow_options wrong[] = {
        {.size = sizeof wrong[0], .z_min = -11},
        {.size = sizeof wrong[0], .z_max = 11},
        {.size = sizeof wrong[0], .z_min = 1},
        {.size = sizeof wrong[0], .first = {1, 0}},
        {.size = sizeof wrong[0], .first = {0, 1}},
        {.size = sizeof wrong[0], .batch_rows = PTL_ARROW_BATCH_MAX + 1},
        {.size = 0},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        stream.release = (void (*)(struct ArrowArrayStream *))abort;
        ck_assert_int_eq(ptl_arrow_omt_stream(&stream, world, &wrong[i], &err),
                         PTL_ERR_ARGUMENT);
        ck_assert(!stream.release);
        ck_assert_int_eq(ptl_arrow_table_stream(&stream, store, "v_city", "w", &wrong[i], NULL),
                         PTL_ERR_ARGUMENT);
        ck_assert_int_eq(
            ptl_arrow_query_stream(&stream, store, "SELECT 1", NULL, &wrong[i], NULL),
            PTL_ERR_ARGUMENT);
        ck_assert(!stream.release);
    }
    ck_assert_int_eq(ptl_arrow_table_stream(&stream, store, "v_run", "w", NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "v_run"));
    ck_assert_int_eq(ptl_arrow_table_stream(&stream, store, "v_city", "nowhere", NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_ptr_nonnull(strstr(err.message, "nowhere"));
    ck_assert_int_eq(ptl_arrow_table_stream(&stream, store, "sweep_city", "w", NULL, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert(!stream.release);
}
END_TEST

START_TEST(stores_in_memory_have_tiles)
{
    const ptl_open_options o = {.size = sizeof o, .mode = PTL_OPEN_TRANSIENT};
    const ptl_import_options import = {.size = sizeof import, .builtin = true};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ptl_store *memory;
    ptl_world *there;
    ptl_chunk *chunk;
    arrow_rows rows;
    struct ArrowArrayStream stream;
    ok(ptl_store_open(&memory, "", &o, &err));
    ok(ptl_import(NULL, memory, &import, &err));
    ok(ptl_world_create(memory, "w", &settings, &err));
    there = world_file_world(memory, "w");
    ok(ptl_arrow_omt_stream(&stream, there, NULL, &err));
    arrow_read(&rows, &stream);
    ck_assert_uint_eq(rows.count, 0);
    arrow_rows_dispose(&rows);
    ok(ptl_chunk_get(&chunk, there, (ptl_chunk_pos){0, 0}, &err));
    ptl_chunk_free(chunk);
    ok(ptl_arrow_omt_stream(&stream, there, NULL, &err));
    arrow_read(&rows, &stream);
    ck_assert_uint_eq(rows.count, PTL_LEVELS * PTL_LEVEL_CELLS);
    arrow_rows_dispose(&rows);
    ck_assert_int_eq(ptl_arrow_table_stream(&stream, memory, "v_city", "w", NULL, &err),
                     PTL_ERR_UNSUPPORTED);
    ck_assert_int_eq(ptl_arrow_query_stream(&stream, memory, "SELECT 1", NULL, NULL, &err),
                     PTL_ERR_UNSUPPORTED);
    ptl_world_close(there);
    ptl_store_close(memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arrow");
    TCase *streams = tcase_create("streams"), *alone = tcase_create("alone");
    tcase_set_timeout(streams, 600);
    tcase_set_timeout(alone, 600);
    tcase_add_unchecked_fixture(streams, make_file, remove_file);
    tcase_add_checked_fixture(streams, set_up, tear_down);
    tcase_add_test(streams, tiles_are_those_of_levels);
    tcase_add_test(streams, schemas_tell_what_there_is);
    tcase_add_test(streams, tables_are_those_of_sql);
    tcase_add_test(streams, tables_without_a_name_have_all);
    tcase_add_test(streams, streams_hear_stops);
    tcase_add_test(streams, memory_does_not_grow);
    tcase_add_test(streams, wrong_arguments_are_refused);
    tcase_add_test(streams, stores_in_memory_have_tiles);
    tcase_add_unchecked_fixture(alone, make_file, remove_file);
    tcase_add_test(alone, consumers_drop_streams_and_keep_batches);
    suite_add_tcase(suite, streams);
    suite_add_tcase(suite, alone);
    return suite_run(suite);
}
