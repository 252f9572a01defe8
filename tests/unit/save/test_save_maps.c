/*
 * Local maps in saves, in files with both journals and in memory: random saves against a plain
 * model; one save after another without waiting; all or nothing; what is refused.
 */
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/save/saved_fixture.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 4, TILES = 6 };

static const ptl_omt places[PLACES] = {{90, 90, 0}, {91, 90, 0}, {91, 90, -1}, {20, 150, 0}};
static const char *const terrains[4] = {"t_dirt", "t_pit", "t_floor", "t_rock"};

static ptl_local_map *get(ptl_world *world, ptl_omt at)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    return map;
}

static void dig(ptl_local_map *map, int tile, int terrain)
{
    OK(ptl_local_terrain_set(map, tile, 3, terrains[terrain]));
}

static void set_map(ptl_save *save, ptl_local_map *map)
{
    OK(ptl_save_local_set(save, map, &err));
}

/* Commits and returns how many maps were stored. */
static uint64_t commit(ptl_save *save)
{
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_commit(&report, save, &err));
    return report.maps;
}

/* ---- random saves against a model ---- */

/* What games have dug; terrain -1: nothing yet. */
typedef struct model {
    int tiles[PLACES][TILES];
    int signs[PLACES];
    int64_t revisions[PLACES]; /* 0: the map is not stored */
} model;

typedef struct game {
    place p;
    int mode;
    ptl_world *world;
    ptl_local_map *maps[PLACES]; /* owned; NULL: to be got again */
    model model;
} game;

static void forget_maps(game *g)
{
    for (int i = 0; i < PLACES; i++) {
        ptl_local_free(g->maps[i]);
        g->maps[i] = NULL;
    }
}

static void open_again(game *g)
{
    ptl_world_close(g->world);
    if (g->mode != MEMORY) {
        ptl_store_close(g->p.store);
        saved_open_file(&g->p, g->mode);
    }
    g->world = saved_world(g->p.store, false);
}

/* Changes a map and gives it to the save. `held`: the save has it already. */
static void change(game *g, ptl_save *save, bool held[PLACES], rng *r)
{
    const int i = (int)rng_below(r, PLACES), tile = (int)rng_below(r, TILES);
    const int terrain = (int)rng_below(r, 4);
    if (!g->maps[i])
        g->maps[i] = get(g->world, places[i]);
    if (g->model.revisions[i] == 0)
        g->model.revisions[i] = 1;
    dig(g->maps[i], tile, terrain);
    g->model.tiles[i][tile] = terrain;
    if (rng_one_in(r, 4)) {
        ptl_local_entity sign = PTL_LOCAL_ENTITY_INIT;
        sign.kind = "sign";
        sign.text = "a sign of the game";
        OK(ptl_local_entity_add(g->maps[i], &sign));
        g->model.signs[i]++;
    }
    set_map(save, g->maps[i]);
    g->model.revisions[i] += !held[i];
    held[i] = true;
}

static void compare(game *g)
{
    for (int i = 0; i < PLACES; i++) {
        ptl_local_map *map = NULL;
        const ptl_status status = ptl_local_load(&map, g->world, places[i], &err);
        int signs = 0;
        ck_assert_int_eq(status, g->model.revisions[i] ? PTL_OK : PTL_ERR_NOT_FOUND);
        if (!map)
            continue;
        ck_assert_int_eq(ptl_local_revision(map), g->model.revisions[i]);
        ck_assert_int_eq(ptl_local_is_edited(map), g->model.revisions[i] > 1);
        for (int t = 0; t < TILES; t++)
            if (g->model.tiles[i][t] >= 0)
                ck_assert_str_eq(ptl_local_terrain(map, t, 3), terrains[g->model.tiles[i][t]]);
        for (size_t k = 0; k < ptl_local_entity_count(map); k++) {
            ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
            OK(ptl_local_entity_at(&e, map, k));
            signs += strcmp(e.text, "a sign of the game") == 0;
        }
        ck_assert_int_eq(signs, g->model.signs[i]);
        ptl_local_free(map);
    }
}

static void step(game *g, rng *r)
{
    bool held[PLACES] = {false};
    ptl_save *save = saved_save(g->world, 0);
    const model before = g->model;
    int64_t first[PLACES];
    for (int n = (int)rng_below(r, 4); n > 0; n--)
        change(g, save, held, r);
    uint64_t count = 0;
    for (int i = 0; i < PLACES; i++) {
        count += held[i];
        /* Getting a map has stored it, even if the save is dropped. */
        first[i] = before.revisions[i] || !held[i] ? before.revisions[i] : 1;
    }
    if (!rng_one_in(r, 6)) {
        ck_assert_uint_eq(commit(save), count);
        return;
    }
    ptl_save_abort(save);
    g->model = before;
    memcpy(g->model.revisions, first, sizeof first);
    forget_maps(g);
}

START_TEST(random_saves_are_as_a_model_says)
{
    enum { STEPS = 600 };
    game *g = calloc(1, sizeof *g);
    ck_assert_ptr_nonnull(g);
    g->mode = _i;
    g->world = saved_begin(&g->p, _i);
    memset(g->model.tiles, -1, sizeof g->model.tiles);
    rng r = rng_from_key(362);
    for (int i = 0; i < STEPS; i++) {
        step(g, &r);
        if (rng_one_in(&r, 40)) { /* as after a crash */
            forget_maps(g);
            open_again(g);
        }
        if (i % 20 == 19)
            compare(g);
    }
    if (g->mode != MEMORY)
        OK(verify_parts(g->p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    forget_maps(g);
    ptl_world_close(g->world);
    close_place(&g->p);
    free(g);
}
END_TEST

/* ---- one after the other ---- */

START_TEST(the_next_save_need_not_wait)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *map = get(world, places[0]), *stored = NULL;
    ptl_save *saves[3];
    for (int i = 0; i < 3; i++) {
        saves[i] = saved_save(world, 0);
        dig(map, i, 1);
        set_map(saves[i], map);
        ck_assert_int_eq(ptl_local_revision(map), i + 2);
        ck_assert(ptl_local_is_edited(map) && ptl_local_is_stored(map));
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_eq(commit(saves[i]), 1);
        OK(ptl_local_load(&stored, world, places[0], &err));
        ck_assert_int_eq(ptl_local_revision(stored), i + 2);
        for (int k = 0; k < 3; k++)
            ck_assert_int_eq(strcmp(ptl_local_terrain(stored, k, 3), "t_pit") == 0, k <= i);
        ptl_local_free(stored);
    }
    ptl_local_free(map);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* The tile that is changed after the save has its copy is not in it. */
START_TEST(the_save_has_a_copy)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *map = get(world, places[0]), *other = get(world, places[0]), *stored = NULL;
    ptl_save *save = saved_save(world, 0);
    dig(map, 0, 1);
    set_map(save, map);
    dig(map, 1, 1);
    dig(other, 2, 1);
    set_map(save, other); /* of several states the last one counts */
    ptl_local_free(map);
    ptl_local_free(other);
    ck_assert_uint_eq(commit(save), 1);
    OK(ptl_local_load(&stored, world, places[0], &err));
    ck_assert_int_eq(ptl_local_revision(stored), 2);
    ck_assert_str_ne(ptl_local_terrain(stored, 0, 3), "t_pit");
    ck_assert_str_ne(ptl_local_terrain(stored, 1, 3), "t_pit");
    ck_assert_str_eq(ptl_local_terrain(stored, 2, 3), "t_pit");
    ptl_local_free(stored);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- all or nothing ---- */

static bool count_note(void *payload, const ptl_note *note)
{
    (void)note;
    ++*(int *)payload;
    return true;
}

static int notes_of(ptl_world *world, const char *viewer)
{
    int count = 0;
    OK(ptl_note_list(world, viewer, NULL, count_note, &count, &err));
    return count;
}

static const char *oter_at(ptl_world *world, ptl_omt at)
{
    static ptl_oter oters[PTL_LEVEL_CELLS];
    OK(ptl_level_load(oters, world, (ptl_chunk_pos){0, 0}, at.z, &err));
    return ptl_world_oter_name(world, oters[at.y * 180 + at.x]);
}

START_TEST(a_map_that_another_has_put_stops_all_of_the_save)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *mine = get(world, places[0]), *theirs = get(world, places[0]);
    ptl_save *save = saved_save(world, 0);
    const ptl_save_cell cell = {{7, 9, 0}, "field"};
    const bool was_field = strcmp(oter_at(world, cell.at), "field") == 0;
    dig(mine, 0, 1);
    set_map(save, mine);
    OK(saved_note(save, "ann", places[0], "a pit"));
    OK(ptl_save_cells_set(save, &cell, 1, &err));
    dig(theirs, 0, 2);
    OK(ptl_local_put(world, &theirs, 1, &err));
    for (int i = 0; i < 2; i++) { /* it can be tried again */
        ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_EXISTS);
        ck_assert_ptr_nonnull(strstr(err.message, "90,90,0"));
    }
    ptl_save_abort(save);
    ck_assert_int_eq(notes_of(world, "ann"), 0);
    ck_assert_int_eq(strcmp(oter_at(world, cell.at), "field") == 0, was_field);
    ptl_local_free(mine);
    mine = get(world, places[0]);
    ck_assert_str_eq(ptl_local_terrain(mine, 0, 3), "t_floor");
    save = saved_save(world, 0);
    dig(mine, 0, 1);
    set_map(save, mine);
    ck_assert_uint_eq(commit(save), 1);
    ptl_local_free(mine);
    ptl_local_free(theirs);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* A conflict of a note keeps the map out, too. */
START_TEST(a_note_that_another_has_changed_stops_the_map)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *map = get(world, places[0]), *stored = NULL;
    ptl_save *save = saved_save(world, 0), *other = saved_save(world, 0);
    dig(map, 0, 1);
    set_map(save, map);
    OK(saved_note(save, "ann", places[0], "mine"));
    OK(saved_note(other, "ann", places[0], "theirs"));
    OK(ptl_save_commit(NULL, other, &err));
    ck_assert_int_eq(ptl_save_commit(NULL, save, &err), PTL_ERR_EXISTS);
    ptl_save_abort(save);
    OK(ptl_local_load(&stored, world, places[0], &err));
    ck_assert_int_eq(ptl_local_revision(stored), 1);
    ck_assert(!ptl_local_is_edited(stored));
    ptl_local_free(stored);
    ptl_local_free(map);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* The OMT of a map is edited by the same save: the map stays as the game has it. The one beside
 * it is stored as it was made, and goes. */
START_TEST(a_map_under_an_edit_stays)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *map = get(world, places[0]), *stored = NULL;
    ptl_save *save = saved_save(world, 0);
    ptl_save_report report = PTL_SAVE_REPORT_INIT;
    const char *other = strcmp(oter_at(world, places[0]), "field") == 0 ? "forest" : "field";
    const ptl_save_cell cell = {places[0], other};
    ptl_local_free(get(world, places[1]));
    OK(ptl_save_cells_set(save, &cell, 1, &err));
    dig(map, 0, 1);
    set_map(save, map);
    ptl_local_free(map);
    OK(ptl_save_commit(&report, save, &err));
    ck_assert_uint_eq(report.maps, 1);
    ck_assert_uint_eq(report.maps_kept, 1);
    ck_assert_uint_ge(report.maps_dropped, 1);
    ck_assert_uint_eq(report.cells, 1);
    OK(ptl_local_load(&stored, world, places[0], &err));
    ck_assert_str_eq(ptl_local_terrain(stored, 0, 3), "t_pit");
    ck_assert_int_eq(ptl_local_load(&map, world, places[1], &err), PTL_ERR_NOT_FOUND);
    ptl_local_free(stored);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- what is refused ---- */

static void add_text(ptl_local_map *map, size_t size, char letter)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    char *text = malloc(size + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, letter, size);
    text[size] = '\0';
    e.kind = "graffiti";
    e.text = text;
    OK(ptl_local_entity_add(map, &e));
    free(text);
}

START_TEST(what_is_too_much_or_another_world_is_refused)
{
    place p;
    ptl_world *world = saved_begin(&p, _i), *second = create(p.store, "second", 12);
    ptl_local_map *map = get(world, places[0]), *far = get(second, places[0]);
    ptl_save *save = saved_save(world, 0);
    ck_assert_int_eq(ptl_save_local_set(save, far, &err), PTL_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(err.message, "another world than 'w'"));
    ck_assert_int_eq(ptl_local_revision(far), 1);
    add_text(map, 16 << 20, 'x');
    ck_assert_int_eq(ptl_save_local_set(save, map, &err), PTL_ERR_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "texts"));
    ptl_local_free(map);
    /* Five maps with 15 MiB each are more than a save holds. */
    for (int i = 0; i < 5; i++) {
        const ptl_omt at = {60 + i, 60, 0};
        map = get(world, at);
        add_text(map, 15 << 20, (char)('a' + i));
        const ptl_status status = ptl_save_local_set(save, map, &err);
        ck_assert_int_eq(status, i < 4 ? PTL_OK : PTL_ERR_LIMIT);
        ck_assert_int_eq(ptl_local_revision(map), i < 4 ? 2 : 1);
        if (i == 1) { /* the place of its earlier state is free again */
            dig(map, 0, 1);
            set_map(save, map);
        }
        ptl_local_free(map);
    }
    ck_assert_uint_eq(commit(save), 4);
    ptl_local_free(far);
    ptl_world_close(second);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* The save has the map from revision 1; then one comes that was got when the file had 3. */
START_TEST(another_reading_of_a_map_is_refused)
{
    place p;
    ptl_world *world = saved_begin(&p, _i);
    ptl_local_map *old = get(world, places[0]), *newer = get(world, places[0]);
    ptl_save *save = saved_save(world, 0);
    set_map(save, old);
    OK(ptl_local_put(world, &newer, 1, &err));
    OK(ptl_local_put(world, &newer, 1, &err));
    ck_assert_int_eq(ptl_save_local_set(save, newer, &err), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "revision 3"));
    ptl_save_abort(save);
    ptl_local_free(old);
    ptl_local_free(newer);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- a world that derives its maps ---- */

START_TEST(derived_maps_are_stored_when_a_save_has_them)
{
    place p;
    ptl_world *first = saved_begin(&p, _i), *world = NULL;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    o.derive = true;
    OK(ptl_world_create(p.store, "derived", &o, &err));
    OK(ptl_world_open(&world, p.store, "derived", NULL, &err));
    ptl_local_map *map = get(world, places[0]), *stored = NULL;
    ck_assert(!ptl_local_is_stored(map));
    for (int i = 0; i < 2; i++) {
        ptl_save *save = saved_save(world, 0);
        dig(map, i, 1);
        set_map(save, map);
        ck_assert(ptl_local_is_stored(map));
        ck_assert_uint_eq(commit(save), 1);
    }
    OK(ptl_local_load(&stored, world, places[0], &err));
    ck_assert_int_eq(ptl_local_revision(stored), 3);
    ck_assert_str_eq(ptl_local_terrain(stored, 1, 3), "t_pit");
    ptl_local_free(stored);
    ptl_local_free(map);
    ptl_world_close(world);
    ptl_world_close(first);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("save_maps");
    TCase *t = tcase_create("maps");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, random_saves_are_as_a_model_says, 0, MODES);
    tcase_add_loop_test(t, the_next_save_need_not_wait, 0, MODES);
    tcase_add_loop_test(t, the_save_has_a_copy, 0, MODES);
    tcase_add_loop_test(t, a_map_that_another_has_put_stops_all_of_the_save, 0, MODES);
    tcase_add_loop_test(t, a_note_that_another_has_changed_stops_the_map, 0, MODES);
    tcase_add_loop_test(t, a_map_under_an_edit_stays, 0, MODES);
    tcase_add_loop_test(t, what_is_too_much_or_another_world_is_refused, 0, MODES);
    tcase_add_loop_test(t, another_reading_of_a_map_is_refused, 0, MODES);
    tcase_add_loop_test(t, derived_maps_are_stored_when_a_save_has_them, 0, MODES);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
