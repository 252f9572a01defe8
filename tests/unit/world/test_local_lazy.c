/*
 * Mapgen that is compiled when maps ask for it: whatever was asked for before, and whether all
 * was compiled up front, maps are the same. Kept objects are found by their names, of any
 * backend.
 */
#include "store/store.h"
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <string.h>

/* Entries of several keys, in an order that weights and keys share; palettes that come again;
 * chunks; groups that copy others as they are at that place, and go on after; items that are
 * copied from others, in a circle, and from what is not there; migrations before and after. */
static const char CONTENT[] =
    "[{\"type\": \"palette\", \"id\": \"p_one\", \"terrain\": {\"a\": \"t_dirt\"}},"
    "{\"type\": \"mapgen\", \"om_terrain\": [\"field\", \"forest\"], \"weight\": 300, "
    "\"object\": "
    "{\"fill_ter\": \"t_grass\", \"place_items\": [{\"item\": \"copied\", \"x\": [0, 23], "
    "\"y\": "
    "[0, 23], \"chance\": 100, \"repeat\": [3, 9]}], \"place_nested\": [{\"chunks\": "
    "[\"heap\", [\"pit\", 2]], \"x\": 4, \"y\": 4}], \"place_vehicles\": [{\"vehicle\": "
    "\"cars\", \"x\": 9, \"y\": 9, \"chance\": 50}]}},"
    "{\"type\": \"mapgen\", \"om_terrain\": [\"forest\", \"forest_thick\", \"field\"], "
    "\"object\": "
    "{\"fill_ter\": \"t_dirt\", \"place_signs\": [{\"x\": 1, \"y\": 1, \"snippet\": "
    "\"said\"}], "
    "\"place_item\": [{\"item\": \"gone\", \"x\": 2, \"y\": [0, 23], \"repeat\": 4}], "
    "\"place_monsters\": [{\"monster\": \"PACK\", \"x\": [3, 9], \"y\": 4, \"density\": 3}], "
    "\"place_items\": [{\"item\": \"base\", \"x\": [0, 23], \"y\": [0, 23], \"chance\": 100, "
    "\"repeat\": 5}]}},"
    "{\"type\": \"mapgen\", \"nested_mapgen_id\": \"heap\", \"object\": {\"mapgensize\": [2, "
    "2], "
    "\"rows\": [\"ab\", \"ba\"], \"palettes\": [\"p_one\", \"p_two\"]}},"
    "{\"type\": \"mapgen\", \"nested_mapgen_id\": [\"pit\", \"heap\"], \"object\": "
    "{\"mapgensize\": [1, 1], \"rows\": [\"b\"], \"palettes\": [\"p_two\"], \"items\": {\"b\": "
    "{\"item\": \"late\", \"chance\": 90}}}},"
    "{\"type\": \"palette\", \"id\": \"p_two\", \"terrain\": {\"b\": \"t_pit\"}},"
    "{\"type\": \"palette\", \"id\": \"p_one\", \"terrain\": {\"a\": [\"t_mud\", \"t_sand\"]}},"
    "{\"type\": \"item_group\", \"id\": \"base\", \"items\": [[\"rock_a\", 10], [\"rock_b\", "
    "5]]},"
    "{\"type\": \"item_group\", \"id\": \"copied\", \"copy-from\": \"base\", \"extend\": "
    "{\"items\": [[\"rock_c\", 9], [\"ring_a\", 9]]}},"
    "{\"type\": \"item_group\", \"id\": \"base\", \"items\": [[\"rock_d\", 30]]},"
    "{\"type\": \"item_group\", \"id\": \"late\", \"subtype\": \"collection\", \"entries\": "
    "[{\"group\": \"copied\"}, {\"item\": \"rock_b\", \"count\": [1, 3]}, {\"group\": "
    "\"base\", "
    "\"prob\": 50}]},"
    "{\"type\": \"MIGRATION\", \"id\": [\"gone\", \"rock_c\"], \"replace\": \"rock_d\"},"
    "{\"type\": \"GENERIC\", \"abstract\": \"rock\", \"container\": \"rock_box\", \"volume\": "
    "2},"
    "{\"type\": \"GENERIC\", \"id\": \"rock_a\", \"copy-from\": \"rock\"},"
    "{\"type\": \"AMMO\", \"id\": \"rock_b\", \"copy-from\": \"rock_a\", \"count\": 7},"
    "{\"type\": \"GENERIC\", \"id\": \"rock_c\", \"copy-from\": \"nothing\"},"
    "{\"type\": \"GENERIC\", \"id\": \"rock_d\", \"copy-from\": \"rock_b\", \"charges\": 3},"
    "{\"type\": \"CONTAINER\", \"id\": \"rock_box\"},"
    "{\"type\": \"GENERIC\", \"id\": \"ring_a\", \"copy-from\": \"ring_b\", \"stackable\": "
    "true},"
    "{\"type\": \"GENERIC\", \"id\": \"ring_b\", \"copy-from\": \"ring_c\", \"charges\": 5},"
    "{\"type\": \"GENERIC\", \"id\": \"ring_c\", \"copy-from\": \"ring_a\", \"container\": "
    "\"rock_box\"},"
    "{\"type\": \"snippet\", \"category\": \"said\", \"text\": [\"one\", \"two\", "
    "\"<given_name>\"]},"
    "{\"type\": \"name\", \"usage\": \"given\", \"name\": [\"Ann\", \"Bo\", \"Cy\"]},"
    "{\"type\": \"monstergroup\", \"name\": \"PACK\", \"default\": \"mon_fox\", \"monsters\": "
    "[{\"monster\": \"mon_hare\", \"freq\": 300}]},"
    "{\"type\": \"vehicle_group\", \"id\": \"cars\", \"vehicles\": [[\"cart\", 3], [\"van\", "
    "2]]}]";

static const ptl_local_area AREA = {86, 86, 97, 97, 0, 0};
enum { SIDE = 12, MAPS = SIDE * SIDE };

static char *digest_of(ptl_world *world, const ptl_local_area *area)
{
    static char hex[80];
    ptl_local_digest_result d = PTL_LOCAL_DIGEST_RESULT_INIT;
    OK(ptl_local_digest_get(&d, world, area, &err));
    ck_assert_uint_eq(d.maps, MAPS);
    snprintf(hex, sizeof hex, "%s", d.hex);
    return hex;
}

static ptl_world *open_world(ptl_store *store, const char *name)
{
    ptl_world *world = NULL;
    OK(ptl_world_open(&world, store, name, NULL, &err));
    return world;
}

static void visit(ptl_world *world, int number)
{
    ptl_local_map *map = NULL;
    const ptl_omt at = {AREA.x0 + number % SIDE, AREA.y0 + number / SIDE, 0};
    OK(ptl_local_get(&map, world, at, NULL, &err));
    ptl_local_free(map);
}

/* Do things of these names lie on the maps? */
static void check_things(ptl_world *world)
{
    static const char *const wanted[] = {"rock_a", "rock_b",   "rock_d", "ring_a", "rock_box",
                                         "van",    "mon_hare", "two",    "Bo"};
    bool found[sizeof wanted / sizeof *wanted] = {false};
    for (int n = 0; n < MAPS; n++) {
        ptl_local_map *map = NULL;
        const ptl_omt at = {AREA.x0 + n % SIDE, AREA.y0 + n / SIDE, 0};
        OK(ptl_local_load(&map, world, at, &err));
        for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
            ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
            OK(ptl_local_entity_at(&e, map, i));
            ck_assert_str_ne(e.id, "gone");
            ck_assert_str_ne(e.id, "copied");
            for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
                found[k] |= strcmp(e.id, wanted[k]) == 0 || strcmp(e.text, wanted[k]) == 0;
        }
        ptl_local_free(map);
    }
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ck_assert_msg(found[k], "there is no %s", wanted[k]);
}

START_TEST(whatever_was_asked_for_before)
{
    place p;
    open_place(&p, _i);
    import_text(p.store, CONTENT, false);
    ptl_world *whole = create(p.store, "whole", 5), *read = create(p.store, "read", 5),
              *back = create(p.store, "back", 5), *alone = create(p.store, "alone", 5);
    const ptl_local_generate_options o = {
        .size = sizeof o, .areas = &AREA, .area_count = 1, .jobs = 2};
    OK(ptl_local_generate(NULL, whole, &o, &err));
    check_things(whole);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "%s", digest_of(whole, &AREA));
    const ptl_chunk_pos here = {0, 0};
    generate(read, &here, 1, NULL);
    ck_assert_str_eq(digest_of(read, &AREA), wanted);
    for (int n = MAPS; n-- > 0;)
        visit(back, n);
    ck_assert_str_eq(digest_of(back, NULL), wanted);
    for (int n = 0; n < MAPS; n++) { /* each is the first that is asked for */
        ptl_world_close(alone);
        alone = open_world(p.store, "alone");
        visit(alone, n * 5 % MAPS);
    }
    ck_assert_str_eq(digest_of(alone, NULL), wanted);
    ptl_world_close(whole);
    ptl_world_close(read);
    ptl_world_close(back);
    ptl_world_close(alone);
    close_place(&p);
}
END_TEST

/* Once it is open, the world asks for nothing of a content that came in between. */
START_TEST(another_content_is_not_asked)
{
    place p;
    open_place(&p, _i);
    import_text(p.store, CONTENT, false);
    ptl_world *world = create(p.store, "w", 5);
    ptl_local_map *map = NULL;
    visit(world, 0);
    import_more(p.store);
    ck_assert_int_eq(ptl_local_get(&map, world, (ptl_omt){AREA.x1, AREA.y1, 0}, NULL, &err),
                     PTL_ERR_MISMATCH);
    ck_assert_ptr_null(map);
    import_text(p.store, CONTENT, false);
    visit(world, MAPS - 1);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- kept objects by name ---- */

static ptl_status note_object(void *payload, const kept_row *row, ptl_error *e)
{
    notes *n = payload;
    (void)e;
    NOTE(n, "%s %.20s\n", row->type, row->text);
    return PTL_OK;
}

START_TEST(objects_have_names)
{
    static const char *const groups[] = {"item_group", "palette", NULL}, *const entries[] = {
                                                                             "mapgen", NULL};
    const struct {
        kept_text_query query;
        int count;
        const char *first;
    } all[] = {{{groups, "base"}, 2, "item_group"},
               {{groups, "p_one"}, 2, "palette"},
               {{groups, "heap"}, 0, ""},
               {{entries, "heap"}, 2, "mapgen"},
               {{entries, "he"}, 0, ""},
               {{entries, "forest_thick"}, 1, "mapgen"}};
    place p;
    open_place(&p, _i);
    import_text(p.store, CONTENT, false);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        notes n = {.most = 100};
        OK(ops(p.store)->content->kept_visit(p.store, &all[i].query, note_object, &n, &err));
        ck_assert_msg(n.count >= all[i].count &&
                          strncmp(n.text, all[i].first, strlen(all[i].first)) == 0,
                      "%s: %s", all[i].query.name, n.text);
        ck_assert(all[i].count > 0 || n.count == 0);
    }
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_lazy");
    TCase *tc = tcase_create("local_lazy");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, whatever_was_asked_for_before, 0, ALL_BACKENDS);
    tcase_add_loop_test(tc, another_content_is_not_asked, 0, BACKENDS);
    tcase_add_loop_test(tc, objects_have_names, 0, ALL_BACKENDS);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
