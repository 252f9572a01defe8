/*
 * A file that somebody else made (fuzz_damage.h), used as one's own: opened for reading,
 * verified, all of it read and queried; then, with switches, opened for writing (which migrates
 * an older one), repaired, and a chunk generated beside those that are there. Every call may
 * refuse the file; none may crash, hang, or say that something inside went wrong.
 */
#include "fuzz/fuzz_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USE_WRITE = 8, USE_QUERY = 16, USE_REST = 32, USE_REPAIR = 64 };

static void check(ptl_status status, const ptl_error *err, const char *what)
{
    fuzz_check(status != PTL_ERR_INTERNAL, what, err->message);
    fuzz_check((status == PTL_OK) == (err->message[0] == '\0'), "an error has a message",
               err->message);
}

static void on_problem(void *payload, const ptl_problem *problem)
{
    uint64_t *count = payload;
    fuzz_check(problem->where && problem->message && problem->message[0], "a problem is named",
               problem->where);
    ++*count;
}

static void verify(ptl_store *store)
{
    ptl_error err = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    uint64_t told = 0;
    ptl_status status = ptl_verify(&counts, store, on_problem, &told, &err);
    check(status, &err, "verify");
    fuzz_check(status != PTL_OK || told == counts.problems, "all problems are told", NULL);
}

static void read_world(ptl_world *world)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_error err = {0};
    ptl_world_digest_result digest = PTL_WORLD_DIGEST_RESULT_INIT;
    const size_t oters = ptl_catalogue_count(ptl_world_catalogue(world), PTL_CONTENT_OTER);
    for (int32_t x = 0; x <= 3; x += 3) {
        ptl_chunk *chunk = NULL;
        ptl_status status = ptl_chunk_load(&chunk, world, (ptl_chunk_pos){x, 0}, &err);
        check(status, &err, "loading a chunk");
        if (status == PTL_OK)
            for (int32_t i = 0; i < PTL_LEVEL_CELLS; i += 7)
                fuzz_check(ptl_chunk_oter(chunk, i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, 0) <
                               oters,
                           "a tile is of the catalogue", NULL);
        ptl_chunk_free(chunk);
        for (int32_t z = -2; z <= 2; z++)
            check(ptl_level_load(cells, world, (ptl_chunk_pos){x, 0}, z, &err), &err,
                  "loading a level");
    }
    check(ptl_world_digest_get(&digest, world, &err), &err, "the digest");
}

static bool sink(void *payload, const void *data, size_t size)
{
    uint64_t *sum = payload;
    *sum += size > 0 ? ((const uint8_t *)data)[size - 1] : 0u;
    return true;
}

static bool on_step(void *payload, const ptl_growth_step *step)
{
    uint64_t *sum = payload;
    *sum += (uint64_t)step->x;
    return true;
}

/* What else reads chunks. */
static void use_rest(ptl_world *world)
{
    ptl_error err = {0};
    ptl_why why = PTL_WHY_INIT;
    uint64_t sum = 0;
    ptl_render_options render = PTL_RENDER_OPTIONS_INIT;
    render.x1 = render.y1 = 20;
    check(ptl_seams_verify(NULL, world, NULL, &err), &err, "seams");
    check(ptl_render_text_write(world, &render, false, sink, &sum, &err), &err, "drawing");
    render.parts = PTL_RENDER_NAMES | PTL_RENDER_LEGEND;
    check(ptl_render_png_write(world, &render, sink, &sum, &err), &err, "a picture");
    check(ptl_why_get(&why, NULL, world, "tower", (ptl_chunk_pos){0, 0}, &err), &err, "why");
    check(ptl_growth_each(world, (ptl_chunk_pos){0, 0}, 0, on_step, &sum, &err), &err,
          "growing again");
}

static bool on_row(void *payload, size_t count, const char *const *names,
                   const ptl_value *values)
{
    uint64_t *sum = payload;
    (void)names;
    for (size_t i = 0; i < count; i++)
        *sum += values[i].size > 0 ? (uint8_t)values[i].text[values[i].size - 1] : 1u;
    return true;
}

static void query_all(ptl_store *store)
{
    static const char *const queries[] = {
        "SELECT * FROM v_special",    "SELECT * FROM v_city",
        "SELECT * FROM v_radio",      "SELECT * FROM v_border",
        "SELECT * FROM v_event",      "SELECT * FROM v_level",
        "SELECT * FROM building",     "SELECT * FROM monster_group",
        "SELECT * FROM attempt",      "SELECT * FROM piece",
        "SELECT * FROM piece_join",   "SELECT * FROM building WHERE chunk_id = 1",
        "SELECT * FROM sqlite_schema"};
    uint64_t sum = 0;
    ptl_query_options options = {.size = sizeof options,
                                 .row_limit = 300,
                                 .time_limit = 0.5,
                                 .on_row = on_row,
                                 .payload = &sum};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        ptl_error err = {0};
        check(ptl_query(store, queries[i], &options, &err), &err, queries[i]);
    }
}

static ptl_world *open_world(ptl_store *store)
{
    ptl_error err = {0};
    ptl_world *world = NULL;
    const ptl_world_open_options options = {.size = sizeof options, .accept_content = true};
    ptl_status status = ptl_world_open(&world, store, NULL, &options, &err);
    check(status, &err, "opening the world");
    return world;
}

static void use_for_reading(const char *path, unsigned switches)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_READ, .busy_timeout_ms = 20};
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_status status = ptl_store_open(&store, path, &options, &err);
    check(status, &err, "opening for reading");
    if (status != PTL_OK)
        return;
    verify(store);
    ptl_world *world = open_world(store);
    if (world)
        read_world(world);
    if (world && switches & USE_REST)
        use_rest(world);
    ptl_world_close(world);
    if (switches & USE_QUERY)
        query_all(store);
    ptl_store_close(store);
}

static void on_item(void *payload, const ptl_repair_item *item)
{
    uint64_t *told = payload;
    fuzz_check(item->where && item->message && item->message[0], "what is repaired is named",
               item->where);
    ++*told;
}

/* What repair brought back is whole: it finds nothing more to do. */
static void repair(ptl_store *store)
{
    ptl_error err = {0};
    ptl_repair_report report = PTL_REPAIR_REPORT_INIT;
    uint64_t told = 0;
    ptl_repair_options options = PTL_REPAIR_OPTIONS_INIT;
    options.on_item = on_item;
    options.payload = &told;
    ptl_status status = ptl_repair(&report, store, &options, &err);
    check(status, &err, "repair");
    if (status == PTL_OK && report.unrepaired == 0) {
        status = ptl_repair(&report, store, &options, &err);
        check(status, &err, "repairing again");
        fuzz_check(status != PTL_OK ||
                       report.corrected + report.made_again + report.set_aside == 0,
                   "repairing twice finds nothing", NULL);
    }
}

static void use_for_writing(const char *path, unsigned switches)
{
    const ptl_open_options options = {
        .size = sizeof options, .mode = PTL_OPEN_WRITE, .busy_timeout_ms = 20};
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_status status = ptl_store_open(&store, path, &options, &err);
    check(status, &err, "opening for writing");
    if (status != PTL_OK)
        return;
    if (switches & USE_REPAIR)
        repair(store);
    ptl_world *world = switches & USE_WRITE ? open_world(store) : NULL;
    if (world) {
        ptl_chunk *chunk = NULL;
        status = ptl_chunk_get(&chunk, world, (ptl_chunk_pos){1, 0}, &err);
        check(status, &err, "a chunk beside");
        ptl_chunk_free(chunk);
    }
    ptl_world_close(world);
    ptl_store_close(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ends[] = {"", "-journal", "-wal", "-shm", "-lock"};
    fuzz_input in = {data, data + size};
    char path[FUZZ_PATH_SIZE], name[FUZZ_PATH_SIZE + 16];
    fuzz_base_get();
    fuzz_path(path, "hostile.db");
    unsigned switches = fuzz_u8(&in);
    fuzz_damage_file(path, &in, switches);
    /* An older file can't be read before it is migrated. */
    if (switches & DAMAGE_OLD)
        use_for_writing(path, switches);
    use_for_reading(path, switches);
    if (switches & (USE_WRITE | USE_REPAIR) && !(switches & DAMAGE_OLD))
        use_for_writing(path, switches);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        unlink(name);
    }
    return 0;
}
