/*
 * Texts of Bright Nights' saves (version 29), and of versions that have members of their own:
 * made by hand after the games' layout, and written and read again. With the embedded content.
 */
#include "unit/exchange/test_exchange.h"

#include "core/array.h"
#include "core/bytes.h"
#include "core/hash.h"
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
        defaults[i] = catalogue_oter_or_first(cat, i < 10 ? "empty_rock" : "field");
}

static void tear_down(void)
{
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

/* Levels of fields with two roads at the beginning of z = 0, and the members that follow. */
static char *text_of(int version, const char *members)
{
    bytes b;
    bytes_init(&b);
    bytes_printf(&b, "# version %d\n{\"layers\":[", version);
    for (int i = 0; i < PTL_LEVELS; i++)
        bytes_printf(&b, "%s[%s[\"field\",%d]]\n", i ? "," : "",
                     i == -PTL_Z_MIN ? "[\"road_ns\",2]," : "",
                     i == -PTL_Z_MIN ? PTL_LEVEL_CELLS - 2 : PTL_LEVEL_CELLS);
    bytes_printf(&b, "]%s\n}\n", members);
    return (char *)(uintptr_t)bytes_text(&b);
}

typedef struct told {
    size_t calls;
    bytes text;
} told;

static void on_lack(void *payload, const ptl_game_save_lack *lack)
{
    told *t = payload;
    t->calls++;
    bytes_printf(&t->text, "%d %s %llu %s\n", (int)lack->kind, lack->id,
                 (unsigned long long)lack->count, lack->place);
}

static void read_at(save_overmap *out, ptl_chunk_pos pos, const char *text, told *t)
{
    const save_reader reader = {
        .cat = cat, .defaults = defaults, .path = "o", .on_lack = on_lack, .payload = t};
    const ptl_status status = save_read(out, &reader, pos, text, strlen(text), &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    ck_assert_int_eq(save_place(out, cat, &err), PTL_OK);
    ck_assert_int_eq(save_split(out, cat, &err), PTL_OK);
}

/* Returns the first fixed special of one OMT. */
static const cat_special *small_special(void)
{
    size_t i = 0;
    while (cat->specials[i].omt_count != 1)
        i++;
    return &cat->specials[i];
}

/* All members, in the game's order, of the overmap (2, -1). */
START_TEST(a_text_as_the_game_writes_it)
{
    const char *id = small_special()->id;
    char members[3000];
    snprintf(
        members, sizeof members,
        ",\"region_id\":\"default\"\n,\"monster_groups\":[[{\"type\":\"GROUP_A\",\"radius\":1,"
        "\"population\":7,\"diffuse\":true,\"horde_behaviour\":\"roam\"},"
        "[[720,-360,0],[1079,-1,-2]]],[{\"type\":\"GROUP_B\"},[[719,-1,0]]]]\n,"
        "\"cities\":[{\"name\":\"Ashford\",\"x\":12,\"y\":34,\"size\":5}]\n,"
        "\"connections_out\":{\"local_road\":[[0,0,0]]}\n,"
        "\"radios\":[{\"x\":3,\"y\":359,\"strength\":200,\"type\":\"broadcast\","
        "\"message\":\"hear\",\"frequency\":98100},{\"x\":4,\"y\":5,\"strength\":80,"
        "\"type\":\"weather\",\"message\":\"\",\"frequency\":162400}]\n,"
        "\"monster_map\":[[1,2,0],{\"typeid\":\"mon_a\"}]\n,"
        "\"tracked_vehicles\":[{\"id\":0,\"name\":\"car\",\"x\":1,\"y\":1}]\n,"
        "\"scent_traces\":[{\"pos\":[1,2,0],\"time\":3,\"strength\":4}]\n,\"npcs\":[{}]\n,"
        "\"overmap_special_placements\":[{\"special\":\"%s\",\"placements\":[{\"points\":["
        "{\"p\":[60,60,0]},{\"p\":[70,60,0]}]}]}]\n,"
        "\"electric_grid_connections\":[[[1,1,0],[0,-1,0]],[[1,0,0],[0,1,0]]],"
        "\"fluid_grid_connections\":[[[1,1,0],[0,-1,0]]],"
        "\"fluid_grid_storage\":[{\"pos\":[1,1,0],\"capacity_ml\":9,\"liquids\":[]}],"
        "\"joins_used\":[[[[1,1,0],0],\"nowhere\"]],\"join_points\":[[[[1,1,0],0],[3,4]]],"
        "\"mapgen_arg_storage\":[null,{\"map\":{}}]\n,"
        "\"mapgen_arg_index\":[[[60,60,0],1],[[70,60,0],0]]",
        id);
    char *text = text_of(SAVE_VERSION_BN, members);
    told t = {.calls = 0};
    save_overmap o;
    read_at(&o, (ptl_chunk_pos){2, -1}, text, &t);
    const gen_features *f = &o.features;
    ck_assert_uint_eq(t.calls, 0);
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 1, 0, 0), catalogue_oter(cat, "road_ns"));
    ck_assert_int_eq(ptl_chunk_oter(o.chunk, 2, 0, 0), catalogue_oter(cat, "field"));
    ck_assert_uint_eq(f->city_count, 1);
    ck_assert(f->cities[0].x == 12 && f->cities[0].y == 34 && f->cities[0].size == 5);
    ck_assert_str_eq(f->cities[0].name, "Ashford");
    ck_assert_uint_eq(f->radio_count, 2);
    ck_assert(f->radios[0].frequency == 98100 && f->radios[1].frequency == 162400);
    ck_assert(f->radios[0].y == 359 && !f->radios[0].weather && f->radios[1].weather);
    ck_assert_str_eq(f->radios[0].message, "hear");
    ck_assert_uint_eq(f->group_count, 2);
    ck_assert(f->groups[0].x == 0 && f->groups[0].y == 0 && f->groups[0].z == 0);
    ck_assert(f->groups[1].x == 359 && f->groups[1].y == 359 && f->groups[1].z == -2);
    ck_assert(f->groups[0].population == 7 && f->groups[0].diffuse && !f->groups[0].horde);
    ck_assert_uint_eq(o.counts.groups_left_out, 1);
    ck_assert_uint_eq(f->placement_count, 2);
    ck_assert(f->placements[0].x == 70 && f->placements[1].x == 60);
    ck_assert_uint_eq(o.counts.points_left_out, 0);
    ck_assert_uint_eq(o.counts.members_left_out, 1 + 1 + 1 + 1);
    /* grids 2, 1 and 1; one join that no placement has; one point of it; one argument */
    ck_assert_uint_eq(o.counts.details_left_out, 2 + 1 + 1 + 1 + 1 + 1);
    save_overmap_dispose(&o);
    free(text);
}
END_TEST

/* Where a group of the overmap (at) is that the file has at (x, y). */
START_TEST(places_of_groups)
{
    static const struct {
        int version;
        ptl_chunk_pos at;
        int32_t x, y;
        bool inside;
        int32_t found_x, found_y;
    } cases[] = {
        {SAVE_VERSION_BN, {0, 0}, 5, 359, true, 5, 359},
        {SAVE_VERSION_BN, {3, 1}, 1085, 719, true, 5, 359},
        {SAVE_VERSION_BN, {-1, -2}, -360, -361, true, 0, 359},
        {SAVE_VERSION_BN, {-1, -2}, -361, -361, false, 0, 0},
        {SAVE_VERSION_BN, {-1, -2}, 5, 359, true, 5, 359}, /* of before */
        {SAVE_VERSION_BN, {3, 1}, 0, 360, false, 0, 0},
        {SAVE_VERSION_BN, {0, 0}, 360, 0, false, 0, 0},
        {SAVE_VERSION_BN, {PTL_CHUNK_COORD_MAX, 0}, -2000000000, 0, false, 0, 0},
        {SAVE_VERSION, {3, 1}, 5, 359, true, 5, 359},
        {SAVE_VERSION, {3, 1}, 1085, 719, false, 0, 0},
        {SAVE_VERSION_0I, {-1, -2}, -360, -361, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char members[200];
        snprintf(members, sizeof members,
                 ",\"monster_groups\":[[{\"type\":\"G\"},[[%d,%d,1]]]]", (int)cases[i].x,
                 (int)cases[i].y);
        char *text = text_of(cases[i].version, members);
        save_overmap o;
        read_at(&o, cases[i].at, text, NULL);
        ck_assert_msg(o.features.group_count == cases[i].inside, "case %zu", i);
        ck_assert_uint_eq(o.counts.groups_left_out, !cases[i].inside);
        if (cases[i].inside)
            ck_assert_msg(o.features.groups[0].x == cases[i].found_x &&
                              o.features.groups[0].y == cases[i].found_y,
                          "case %zu: %d, %d", i, o.features.groups[0].x,
                          o.features.groups[0].y);
        save_overmap_dispose(&o);
        free(text);
    }
}
END_TEST

/* Members that Portolan knows and does not keep are counted; others are named, with their
 * entries and place. */
START_TEST(members_that_are_not_known)
{
    char *text = text_of(
        39,
        ",\n\"map_data\":[[[1,2,0],\"AAAA\"],[[1,3,0],\"AAAA\"]],\"highway_connections\":["
        "[[1,2,0]]],\"horde_map\":[{},{},{}],\"pp_decision_storage\":[{}],"
        "\"pp_decisions_index\":[[[1,2,0],0]],\n\"moods\":[1,2,3],\"a\\u0062c\":{\"d\":1},\n"
        "\"weight\":7");
    told t = {.calls = 0};
    save_overmap o;
    read_at(&o, (ptl_chunk_pos){0, 0}, text, &t);
    ck_assert_uint_eq(o.counts.details_left_out, 2 + 1 + 1 + 1);
    ck_assert_uint_eq(o.counts.members_left_out, 3);
    char wanted[200];
    snprintf(wanted, sizeof wanted, "%d moods 3 o:25:1\n%d abc 1 o:25:17\n%d weight 0 o:26:1\n",
             PTL_UNKNOWN_MEMBER, PTL_UNKNOWN_MEMBER, PTL_UNKNOWN_MEMBER);
    ck_assert_str_eq(bytes_text(&t.text), wanted);
    bytes_dispose(&t.text);
    save_overmap_dispose(&o);
    free(text);
}
END_TEST

/* ---- groups that are written and read ---- */

static int64_t monsters(const submap_groups *g)
{
    int64_t sum = 0;
    for (size_t i = 0; i < g->count; i++)
        sum += g->list[i].population;
    return sum;
}

/* Of groups across the borders of an overmap near the world's corner all are read where they
 * were written; only those that would lie in the overmap (0, 0) were moved, not far. */
START_TEST(groups_keep_their_places)
{
    const ptl_chunk_pos pos = {_i % 3 - 1, _i / 3 - 1};
    rng r = rng_from_key(hash_add(hash_string("groups keep"), (uint64_t)_i));
    gen_features f = {.group_count = 0};
    submap_groups before = {NULL, 0, 0}, after = {NULL, 0, 0};
    for (int i = 0; i < 60; i++)
        *features_add_group(&f) = (gen_group){.type = i % 2 ? "GROUP_A" : "GROUP_B",
                                              .x = (int16_t)rng_range(&r, 0, 359),
                                              .y = (int16_t)rng_range(&r, 0, 359),
                                              .z = (int8_t)rng_range(&r, -10, 10),
                                              .radius = (int16_t)rng_range(&r, 1, 30),
                                              .population = (int32_t)rng_range(&r, 1, 300)};
    ck_assert_int_eq(groups_spread(&before, &f, 7, pos, &err), PTL_OK);
    ck_assert_int_eq(groups_spread(&after, &f, 7, pos, &err), PTL_OK);
    groups_keep_home(&after, pos);
    ck_assert_int_eq(monsters(&after), monsters(&before));
    for (size_t i = 1; i < after.count; i++)
        ck_assert_int_le(save_group_order(&after.list[i - 1], &after.list[i]), 0);
    ptl_chunk *chunk = chunk_new(pos);
    for (int z = 0; z < PTL_LEVELS; z++)
        level_fill(&chunk->levels[z], defaults[z]);
    const edge edges[4] = {{.count = 0}};
    const gen_features none = {.group_count = 0};
    const save_source source = {cat, chunk, &none, edges, "default", &after, SAVE_VERSION_BN};
    bytes text;
    bytes_init(&text);
    save_write(&text, &source);
    save_overmap o, beyond;
    save_strays strays = {.count = 0};
    const save_reader collect = {.path = "o", .strays = &strays};
    read_at(&o, pos, bytes_text(&text), NULL);
    ck_assert_int_eq(save_read(&beyond, &collect, pos, bytes_text(&text), text.size, &err),
                     PTL_OK);
    size_t inside = 0, outside = 0;
    for (size_t i = 0; i < after.count; i++) {
        const gen_group *g = &after.list[i], *is;
        const bool here = g->x >= 0 && g->x < SUBMAPS && g->y >= 0 && g->y < SUBMAPS;
        ck_assert(here ? inside < o.features.group_count : outside < strays.count);
        is = here ? &o.features.groups[inside++] : &strays.list[outside].group;
        const ptl_chunk_pos to = here ? pos : strays.list[outside++].to;
        ck_assert_str_eq(g->type, is->type);
        ck_assert(g->population == is->population && g->z == is->z);
        ck_assert_int_eq(g->x + pos.x * SUBMAPS, is->x + to.x * SUBMAPS);
        ck_assert_int_eq(g->y + pos.y * SUBMAPS, is->y + to.y * SUBMAPS);
        ck_assert(here || to.x != 0 || to.y != 0);
    }
    ck_assert(inside == o.features.group_count && outside == strays.count && inside > 100);
    ck_assert_uint_gt(outside, 0);
    save_overmap_dispose(&o);
    save_overmap_dispose(&beyond);
    features_dispose(&strays.texts);
    free(strays.list);
    bytes_dispose(&text);
    ptl_chunk_free(chunk);
    features_dispose(&f);
    free(before.list);
    free(after.list);
}
END_TEST

TCase *exchange_bn_case(void)
{
    TCase *tc = tcase_create("bright nights");
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, a_text_as_the_game_writes_it);
    tcase_add_test(tc, places_of_groups);
    tcase_add_test(tc, members_that_are_not_known);
    tcase_add_loop_test(tc, groups_keep_their_places, 0, 9);
    return tc;
}
