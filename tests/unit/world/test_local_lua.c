/* Local maps that content's scripts make, of any backend: stored and made again alike, by one
 * call, many or threads; what a failed one leaves; and what a build without Lua says. */
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <stdlib.h>
#include <string.h>

static place p;
static ptl_world *world;

/* A third of the fields' scripts fail. */
static const char FIELD[] =
    "[{\"type\": \"terrain\", \"id\": \"t_grass\"}, {\"type\": \"terrain\", \"id\": "
    "\"t_dirt\"}, "
    "{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"method\": \"lua\", \"script\": ["
    "\"local t = {} for i = 1, 30 do t['k' .. game.rng(1, 60)] = i end\", "
    "\"for k, v in pairs(t) do map:ter_set(v % 24, game.rng(0, 23), 't_dirt') end\", "
    "\"print(tertype, turn) map:place_items('stash', 70, 0, 0, 23, 23, true, turn)\", "
    "\"if game.one_in(3) then error('broken') end\"]}]";

static void begin(int backend)
{
    open_place(&p, backend);
    import_text(p.store, FIELD, false);
    world = create(p.store, "w", 12);
}

static void end(void)
{
    ptl_world_close(world);
    close_place(&p);
}

enum { FIELDS = 60 };

/* The first fields of a chunk. */
static void find_fields(ptl_omt out[FIELDS])
{
    enum { SIDE = 180 };
    const ptl_area_options o = {.size = sizeof o, .generate = true};
    const ptl_area area = {0, 0, 0, SIDE, SIDE};
    ptl_oter *cells = malloc((size_t)SIDE * SIDE * sizeof *cells);
    int found = 0;
    ck_assert_ptr_nonnull(cells);
    OK(ptl_area_get(cells, NULL, world, &area, &o, &err));
    for (int i = 0; i < SIDE * SIDE && found < FIELDS; i++)
        if (strcmp(ptl_world_oter_name(world, cells[i]), "field") == 0)
            out[found++] = (ptl_omt){i % SIDE, i / SIDE, 0};
    ck_assert_int_eq(found, FIELDS);
    free(cells);
}

#ifdef WITHOUT_LUA

START_TEST(a_script_is_refused)
{
    ptl_omt fields[FIELDS];
    ptl_local_map *map = NULL;
    begin(_i);
    find_fields(fields);
    ck_assert_int_eq(ptl_local_get(&map, world, fields[0], NULL, &err), PTL_ERR_CONTENT);
    ck_assert_msg(strstr(err.message, "field is in Lua") != NULL, "%s", err.message);
    ck_assert_ptr_null(map);
    end();
}
END_TEST

#else

/* The remarks of a map, "status text\n" each. */
static void read_remarks(const ptl_local_map *map, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        if (strcmp(e.kind, "remark") == 0)
            used += (size_t)snprintf(out + used, size - used, "%d %s\n", (int)e.status, e.text);
        ck_assert_uint_lt(used, size);
    }
}

static bool all_is(const ptl_local_map *map, const char *terrain)
{
    bool same = true;
    for (int i = 0; i < PTL_LOCAL_SIDE * PTL_LOCAL_SIDE && same; i++)
        same = strcmp(ptl_local_terrain(map, i % PTL_LOCAL_SIDE, i / PTL_LOCAL_SIDE),
                      terrain) == 0;
    return same;
}

START_TEST(maps_are_made_or_say_why_not)
{
    ptl_omt fields[FIELDS];
    int failed = 0;
    begin(_i);
    find_fields(fields);
    for (int i = 0; i < FIELDS; i++) {
        const ptl_local_options o = {.size = sizeof o, .turn = 1000 + i};
        char remarks[300], expected[300];
        ptl_local_map *map = NULL, *again = NULL;
        OK(ptl_local_get(&map, world, fields[i], &o, &err));
        read_remarks(map, remarks, sizeof remarks);
        const bool fallback = ptl_local_is_fallback(map);
        snprintf(expected, sizeof expected, "0 field\\t%d\n%s", 1000 + i,
                 fallback ? "1 script:4: broken\n" : "");
        ck_assert_str_eq(remarks, expected);
        ck_assert_int_eq(all_is(map, "t_grass"), fallback);
        ck_assert(!fallback || ptl_local_entity_count(map) == 2);
        failed += fallback;
        /* It stays so. */
        OK(ptl_local_get(&again, world, fields[i], NULL, &err));
        ck_assert_int_eq(ptl_local_turn(again), 1000 + i);
        read_remarks(again, remarks, sizeof remarks);
        ck_assert_str_eq(remarks, expected);
        ptl_local_free(map);
        ptl_local_free(again);
    }
    ck_assert(failed > FIELDS / 8 && failed < FIELDS / 2);
    end();
}
END_TEST

/* Asked, made by threads, and made one by one from the last on: one digest. */
START_TEST(order_and_threads_do_not_matter)
{
    static const ptl_local_area area = {20, 20, 49, 49, 0, 0};
    ptl_local_digest_result asked = PTL_LOCAL_DIGEST_RESULT_INIT, stored = asked,
                            single = asked;
    begin(_i);
    ptl_omt fields[FIELDS];
    find_fields(fields); /* and the chunk is saved */
    const ptl_chunk_pos around[] = {{-1, -1}, {0, -1}, {-1, 0}};
    generate(world, around, 3, NULL);
    OK(ptl_local_digest_get(&asked, world, &area, &err));
    ck_assert_uint_eq(asked.made, 900);
    for (int64_t i = 30 * 30; i-- > 0;) {
        ptl_local_map *map = NULL;
        if (i % 7 == 0) {
            OK(ptl_local_get(&map, world, (ptl_omt){20 + i % 30, 20 + i / 30, 0}, NULL, &err));
            ptl_local_free(map);
        }
    }
    OK(ptl_local_digest_get(&single, world, &area, &err));
    ck_assert_str_eq(single.hex, asked.hex);
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    o.areas = &area;
    o.area_count = 1;
    o.jobs = 3;
    OK(ptl_local_generate(&report, world, &o, &err));
    OK(ptl_local_digest_get(&stored, world, &area, &err));
    ck_assert_uint_eq(stored.made, 0);
    ck_assert_str_eq(stored.hex, asked.hex);
    ck_assert_uint_gt(report.fallback, 0);
    end();
}
END_TEST

/* An import looks at scripts and names the line; a lenient one does without. */
START_TEST(a_wrong_script_is_refused)
{
    static const char WRONG[] = "[{\"type\": \"mapgen\", \"om_terrain\": \"field\", "
                                "\"method\": \"lua\", \"script\": [\n"
                                "  \"x = 1\",\n"
                                "  \"y = = 2\"\n"
                                "]}]";
    ptl_omt fields[FIELDS];
    ptl_local_map *map = NULL;
    open_place(&p, _i);
    ck_assert_int_eq(try_import(p.store, WRONG, false), PTL_ERR_CONTENT);
    ck_assert_msg(strstr(err.message, "lone.json:3:4: field: MG013: line 2 of the script: "
                                      "unexpected symbol near '='") != NULL,
                  "%s", err.message);
    err = (ptl_error){0};
    import_text(p.store, WRONG, true);
    world = create(p.store, "w", 12);
    find_fields(fields);
    OK(ptl_local_get(&map, world, fields[0], NULL, &err));
    ck_assert_str_eq(ptl_local_oter(map), "field");
    ptl_local_free(map);
    end();
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("local_lua");
    TCase *tc = tcase_create("local_lua");
    tcase_set_timeout(tc, 120);
#ifdef WITHOUT_LUA
    tcase_add_loop_test(tc, a_script_is_refused, 0, BACKENDS);
#else
    tcase_add_loop_test(tc, maps_are_made_or_say_why_not, 0, BACKENDS);
    tcase_add_loop_test(tc, a_wrong_script_is_refused, 0, BACKENDS);
    tcase_add_loop_test(tc, order_and_threads_do_not_matter, 0, BACKENDS);
#endif
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
