/* Saves with ids of before, by migrations that a catalogue is given. With the embedded content.
 */
#include "unit/exchange/test_exchange.h"

#include "core/bytes.h"
#include "exchange/exchange.h"
#include "support/world_file.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static const catalogue *cat;
static ptl_oter defaults[PTL_LEVELS];
static ptl_error err;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    cat = ptl_world_catalogue(world);
    memset(&err, 0, sizeof err);
    for (int i = 0; i < PTL_LEVELS; i++)
        defaults[i] = catalogue_oter_or_first(cat, "field");
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

/* An overmap of fields, with another level 0. */
static char *text_with(const char *layer, const char *members)
{
    bytes b;
    bytes_init(&b);
    bytes_printf(&b, "# version 36\n{\"layers\":[");
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_printf(&b, "%s%s\n", i ? "," : "",
                     i == -PTL_Z_MIN ? layer : "[[\"field\",32400]]");
    bytes_printf(&b, "]%s\n}\n", members);
    return (char *)(uintptr_t)bytes_text(&b);
}

/* Returns the first special with tiles, or, if not fixed, without. */
static const cat_special *some_special(bool fixed)
{
    size_t i = 0;
    while (i + 1 < cat->special_count && (cat->specials[i].omt_count > 0) != fixed)
        i++;
    return &cat->specials[i];
}

/* Ids of before are followed: of terrains before anything else, of specials where the content
 * has none of that id. */
START_TEST(ids_of_before)
{
    const char *fixed = some_special(true)->id;
    const ptl_oter road = catalogue_oter(cat, "road_ns");
    const cat_migration oters[] = {{"ditch", "no_such"},
                                   {"field", "forest"},
                                   {"forest", "forest"},
                                   {"hovel", cat->terrains[cat->oters[road].terrain].id},
                                   {"meadow", "field"}};
    const cat_migration specials[] = {{"0barn", fixed}, {"0gone", NULL}, {fixed, "x"}};
    catalogue with = *cat;
    with.oter_migrations = oters;
    with.oter_migration_count = 5;
    with.special_migrations = specials;
    with.special_migration_count = 3;
    char members[600];
    snprintf(members, sizeof members,
             ",\"overmap_special_placements\":["
             "{\"special\":\"0barn\",\"placements\":[{\"points\":[{\"p\":[1,2,0]}]}]},"
             "{\"special\":\"0gone\",\"placements\":[{\"points\":[{\"p\":[9,2,0]},"
             "{\"p\":[9,3,0]}]}]},"
             "{\"special\":\"%s\",\"placements\":[{\"points\":[{\"p\":[3,2,0]}]}]}]",
             fixed);
    char *text = text_with("[[\"meadow\",2],[\"field\",3],[\"hovel\",4],[\"ditch\",5],"
                           "[\"forest\",32386]]",
                           members);
    const save_reader reader = {
        .cat = &with, .defaults = defaults, .lenient = true, .path = "dir/o.0.0"};
    save_overmap o;
    ck_assert_int_eq(save_read(&o, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err),
                     PTL_OK);
    /* The other twenty levels are fields in the text. */
    ck_assert_uint_eq(o.counts.migrated_terrains, 2 + 3 + 4 + 20 * PTL_LEVEL_CELLS);
    ck_assert_uint_eq(o.counts.unknown_terrains, 5);
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 0, 0, 0), catalogue_oter(cat, "field"));
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 2, 0, 0), catalogue_oter(cat, "forest"));
    ck_assert_int_eq(cat->oters[ptl_chunk_oter(o.chunk, 5, 0, 0)].terrain,
                     cat->oters[road].terrain);
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 14, 0, 0), catalogue_oter(cat, "forest"));
    ck_assert_uint_eq(o.counts.migrated_points, 1);
    ck_assert_uint_eq(o.counts.specials_gone, 2);
    ck_assert_uint_eq(o.special_count, 3);
    ck_assert_str_eq(cat->specials[o.specials[0].special].id, fixed);
    ck_assert(o.specials[0].count == 1 && o.specials[1].count == 0 && o.specials[2].count == 1);
    save_overmap_dispose(&o);
    free(text);
}
END_TEST

typedef struct told {
    uint64_t count[3];
    size_t calls;
    bytes text;
} told;

static void on_lack(void *payload, const ptl_game_save_lack *lack)
{
    told *t = payload;
    t->calls++;
    t->count[lack->kind] += lack->count;
    bytes_printf(&t->text, "%s %llu %s\n", lack->id, (unsigned long long)lack->count,
                 lack->place);
}

/* Ids that the content lacks, of every kind, are told once each with their number and first
 * place; terrains that are unknown are an error without `lenient`. */
START_TEST(ids_that_are_lacking)
{
    char *text =
        text_with("[[\"moor\",2],[\"field\",3],[\"bog\",4],\n[\"moor\",5],[\"road_ns\",32386]]",
                  ",\"region_id\":\"beyond\",\n\"overmap_special_placements\":["
                  "{\"special\":\"0keep\",\"placements\":[{\"points\":[{\"p\":[1,2,0]},"
                  "{\"p\":[1,3,0]}]}]},{\"special\":\"moor\",\"placements\":[]}]");
    told t = {.calls = 0};
    save_reader reader = {.cat = cat,
                          .defaults = defaults,
                          .lenient = true,
                          .path = "dir/o.0.0",
                          .on_lack = on_lack,
                          .payload = &t};
    save_overmap o;
    bytes_init(&t.text);
    ck_assert_int_eq(save_read(&o, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err),
                     PTL_OK);
    ck_assert_str_eq(bytes_text(&t.text), "moor 7 dir/o.0.0:12:4\nbog 4 dir/o.0.0:12:27\n"
                                          "0keep 2 dir/o.0.0:25:42\nmoor 0 dir/o.0.0:25:118\n"
                                          "beyond 1 dir/o.0.0:24:15\n");
    ck_assert_uint_eq(o.counts.unknown_terrains, 11);
    save_overmap_dispose(&o);
    reader.lenient = false;
    t.calls = 0;
    ck_assert_int_eq(save_read(&o, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err),
                     PTL_ERR_CONTENT);
    ck_assert_str_eq(err.message,
                     "dir/o.0.0:12:4: the content has no terrain moor (7), bog (4)");
    ck_assert_uint_eq(t.calls, 0);
    save_overmap_dispose(&o);
    bytes_dispose(&t.text);
    free(text);
}
END_TEST

/* More ids than an error names are counted. */
START_TEST(many_ids_that_are_lacking)
{
    bytes layer;
    bytes_init(&layer);
    for (int i = 0; i < 300; i++)
        bytes_printf(&layer, "%s[\"moor_%d\",%d]", i ? "," : "[", i, i < 299 ? 1 : 32101);
    bytes_printf(&layer, "]");
    char *text = text_with(bytes_text(&layer), "");
    told t = {.calls = 0};
    save_reader reader = {
        .cat = cat, .defaults = defaults, .path = "o.0.0", .on_lack = on_lack, .payload = &t};
    save_overmap o;
    bytes_init(&t.text);
    ck_assert_int_eq(save_read(&o, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err),
                     PTL_ERR_CONTENT);
    ck_assert_ptr_nonnull(strstr(err.message, "moor_7 (1) and 292 more"));
    save_overmap_dispose(&o);
    reader.lenient = true;
    ck_assert_int_eq(save_read(&o, &reader, (ptl_chunk_pos){0, 0}, text, strlen(text), &err),
                     PTL_OK);
    ck_assert_uint_eq(t.calls, 300);
    ck_assert_uint_eq(t.count[PTL_UNKNOWN_TERRAIN], PTL_LEVEL_CELLS);
    save_overmap_dispose(&o);
    bytes_dispose(&t.text);
    bytes_dispose(&layer);
    free(text);
}
END_TEST

TCase *exchange_ids_case(void)
{
    TCase *c = tcase_create("ids of before");
    tcase_add_checked_fixture(c, set_up, tear_down);
    tcase_add_test(c, ids_of_before);
    tcase_add_test(c, ids_that_are_lacking);
    tcase_add_test(c, many_ids_that_are_lacking);
    return c;
}
