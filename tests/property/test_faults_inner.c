/*
 * Memory that runs out inside of two calls, at every allocation of each: compiling an entry of
 * mapgen, and finding the ground of the sea. They have few allocations among the thousands of a
 * scene, so that a scene's samples (test_faults.c) hardly ever meet them.
 */
#include "mapgen/compile/compile.h"
#include "support/fault/fault_alloc.h"
#include "support/fault/fault_place.h"
#include "support/suite.h"
#include "world/local/local.h"
#include "json/reader.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10000 };

/* ---- an entry of mapgen ---- */

static const char ENTRY[] =
    "{\"type\": \"mapgen\", \"nested_mapgen_id\": \"mast\", \"object\": {\"mapgensize\": [3, "
    "3],"
    "\"rows\": [\"#|a\", \"#aa\", \"|||\"], \"terrain\": {\"#\": \"t_wall\", \"|\": "
    "[\"t_door\", \"t_dirt\"]},"
    "\"furniture\": {\"a\": \"f_chair\"}, \"palettes\": [\"farm\"],"
    "\"parameters\": {\"kind\": {\"type\": \"ter_str_id\", \"default\": \"t_dirt\"}},"
    "\"place_items\": [{\"item\": \"stash\", \"x\": 2, \"y\": 1, \"chance\": 40}],"
    "\"place_nested\": [{\"chunks\": [\"shed\"], \"x\": 1, \"y\": 1, "
    "\"neighbors\": {\"north\": \"field\"}}],"
    "\"place_monsters\": [{\"monster\": \"GROUP_FOX\", \"x\": [0, 2], \"y\": 2}],"
    "\"set\": [{\"point\": \"terrain\", \"id\": \"t_pit\", \"x\": 0, \"y\": 2}]}}";

/* Compiles it into blocks so small that each item has its own. Returns whether an entry was
 * made; *without: the compiler says that memory was out. */
static bool compile(json_view object, uint64_t nth, uint64_t *failed, bool *without)
{
    id_pool *pool = id_pool_new();
    arena *memory = arena_new_of(&(arena_blocks){.size = 64});
    const mapgen_context context = {.pool = pool, .memory = memory};
    mapgen_compiler *c = mapgen_compiler_new(&context);
    ck_assert(pool && memory && c);
    fault_alloc_arm(nth, false);
    const mapgen_entry *entry = mapgen_compile_entry(c, object);
    fault_alloc_disarm(failed);
    *without = mapgen_compiler_failed(c);
    const bool made = entry != NULL;
    mapgen_compiler_free(c);
    arena_free(memory);
    id_pool_free(pool);
    return made;
}

START_TEST(an_entry_is_compiled)
{
    json_reader *reader = json_reader_new((stop_hook){NULL, NULL});
    ck_assert_ptr_nonnull(reader);
    ck_assert(json_reader_whole(reader, ENTRY, sizeof ENTRY - 1, NULL));
    const json_document document = json_reader_document(reader);
    const json_view object = json_view_of(&document);
    uint64_t failed, nth = 0;
    bool without;
    ck_assert(compile(object, 0, &failed, &without) && !without);
    do {
        const bool made = compile(object, ++nth, &failed, &without);
        ck_assert_msg(made == (failed == 0) && without == (failed > 0), "allocation %d",
                      (int)nth);
    } while (failed > 0 && nth < MOST);
    ck_assert_uint_gt(nth, 20);
    ck_assert_uint_lt(nth, MOST);
    json_reader_free(reader);
}
END_TEST

/* ---- the ground of the sea ---- */

START_TEST(the_ground_of_the_sea_is_found)
{
    static fault_place place;
    static coast_ground whole, ground;
    const ptl_omt at = {FAULT_SEA_X, FAULT_SEA_Y, 0};
    ptl_error err = {0};
    local_maker maker;
    bool any;
    uint64_t failed, nth = 0;
    fault_place_make(&place);
    fault_place_restore(&place, FAULT_FILE_SEA);
    ck_assert_msg(fault_place_open(&place, FAULT_OPEN_WORLD, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_msg(world_local_maker(&maker, place.world, 0, &err) == PTL_OK, "%s", err.message);
    maker.anew = true;
    /* Once without a fault, so that what stays in memory is there. */
    ck_assert_msg(world_local_ground(&whole, &any, &maker, at, NULL, NULL, &err) == PTL_OK,
                  "%s", err.message);
    ck_assert(any);
    do {
        memset(&ground, 0, sizeof ground);
        fault_alloc_arm(++nth, false);
        const ptl_status status =
            world_local_ground(&ground, &any, &maker, at, NULL, NULL, &err);
        fault_alloc_disarm(&failed);
        if (status == PTL_OK)
            ck_assert(any && memcmp(&ground, &whole, sizeof ground) == 0);
        else
            ck_assert_msg(failed > 0 && status == PTL_ERR_NOMEM && err.status == status,
                          "allocation %d: %d", (int)nth, (int)status);
        if (nth == 1) /* that of the finding's own state */
            ck_assert_int_eq(status, PTL_ERR_NOMEM);
    } while (failed > 0 && nth < MOST);
    ck_assert_uint_lt(nth, MOST);
    fault_place_close(&place);
    fault_place_remove(&place);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults inside");
    TCase *t = tcase_create("memory");
    tcase_add_test(t, an_entry_is_compiled);
    tcase_add_test(t, the_ground_of_the_sea_is_found);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
