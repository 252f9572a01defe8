/*
 * Resets of areas (ptl_edit_reset), in the file and in memory: what becomes of local maps, of
 * edits that reach out of the area, and what refuses. test_edits has random resets against a
 * plain model. Also overviews of chunks with edits.
 */
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/verify/verify.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const ptl_chunk_pos chunks[1] = {{0, 0}};

/* In the area, at its border, just outside of it, and out of the reach of all edits. */
static const ptl_omt inside = {60, 60, 0}, border = {62, 61, -1}, outside = {63, 61, 0},
                     far = {90, 90, 0};
static const int64_t area[4] = {59, 59, 62, 61};

static void set_all(ptl_world *world, const ptl_save_cell *cells, size_t count)
{
    ptl_save *save = NULL;
    OK(ptl_save_begin(&save, world, NULL, &err));
    OK(ptl_save_cells_set(save, cells, count, &err));
    OK(ptl_save_commit(NULL, save, &err));
}

static void make_map(ptl_world *world, ptl_omt at, bool edited)
{
    ptl_local_map *map = NULL;
    OK(ptl_local_get(&map, world, at, NULL, &err));
    if (edited) {
        OK(ptl_local_terrain_set(map, 3, 3, "t_dirt"));
        OK(ptl_local_put(world, &map, 1, &err));
    }
    ptl_local_free(map);
}

static bool has_map(ptl_world *world, ptl_omt at)
{
    int64_t revision = 0;
    OK(ops(world->store)->map->revision(&revision, world->store, world->row.id, at, &err));
    return revision > 0;
}

static const char *shown(ptl_world *world, ptl_omt at)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    OK(ptl_level_load(cells, world, ptl_omt_chunk(at), at.z, &err));
    return ptl_world_oter_name(world, cells[at.y * PTL_CHUNK_SIZE + at.x]);
}

static ptl_edit_reset_report reset(ptl_world *world, bool dry)
{
    ptl_edit_reset_options o = {.size = sizeof o, .author = "ann", .dry_run = dry};
    ptl_edit_reset_report report = PTL_EDIT_RESET_REPORT_INIT;
    memcpy(o.rect, area, sizeof area);
    OK(ptl_edit_reset(&report, world, &o, &err));
    return report;
}

static ptl_status undo(ptl_world *world, int64_t number)
{
    ptl_save *save = NULL;
    OK(ptl_save_begin(&save, world, NULL, &err));
    ptl_status status = ptl_save_undo(save, number, &err);
    if (status == PTL_OK)
        status = ptl_save_commit(NULL, save, &err);
    if (status != PTL_OK)
        ptl_save_abort(save);
    return status;
}

START_TEST(an_edit_reaches_out_of_the_area)
{
    place p;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 11);
    generate(world, chunks, 1, NULL);
    char was[2][80];
    snprintf(was[0], sizeof was[0], "%s", shown(world, border));
    snprintf(was[1], sizeof was[1], "%s", shown(world, outside));
    const ptl_save_cell cells[] = {{border, "open_air"}, {outside, "open_air"}};
    set_all(world, cells, 2);
    make_map(world, inside, false);
    make_map(world, border, true);
    make_map(world, outside, true);
    make_map(world, far, true);
    const ptl_edit_reset_report dry = reset(world, true);
    ck_assert(has_map(world, inside) && has_map(world, border));
    ck_assert_str_eq(shown(world, border), "open_air");
    const ptl_edit_reset_report done = reset(world, false);
    ck_assert(dry.number == 0 && done.number == 2);
    ck_assert(dry.edits == 1 && dry.chunks == 1 && dry.cells == 1);
    ck_assert(dry.maps == 1 && dry.maps_edited == 1);
    ck_assert(done.edits == 1 && done.chunks == 1 && done.cells == 1);
    ck_assert(done.maps == 1 && done.maps_edited == 1);
    ck_assert_str_eq(shown(world, border), was[0]);
    ck_assert_str_eq(shown(world, outside), "open_air");
    ck_assert(!has_map(world, inside) && !has_map(world, border));
    ck_assert(has_map(world, outside) && has_map(world, far));
    /* The edit can be taken back only after the reset was. */
    ck_assert_int_eq(undo(world, 1), PTL_ERR_EXISTS);
    ck_assert_ptr_nonnull(strstr(err.message, "over it: 2"));
    OK(undo(world, 2));
    ck_assert_str_eq(shown(world, border), "open_air");
    ck_assert(!has_map(world, border)); /* local maps do not come back */
    OK(undo(world, 1));
    ck_assert_str_eq(shown(world, outside), was[1]);
    ck_assert_str_eq(shown(world, border), was[0]);
    const ptl_edit_reset_report none = reset(world, false);
    ck_assert(none.number == 0 && none.edits + none.cells + none.maps + none.maps_edited == 0);
    if (_i == FILE_BACKEND)
        OK(verify_parts(p.store, VERIFY_ALL, NULL, NULL, NULL, &err));
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(what_can_not_be_is_refused)
{
    place p;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 11), *below = NULL;
    generate(world, chunks, 1, NULL);
    ptl_edit_reset_options o = {.size = sizeof o, .rect = {5, 0, 4, 9}};
    ck_assert_int_eq(ptl_edit_reset(NULL, world, &o, &err), PTL_ERR_ARGUMENT);
    o.rect[2] = 5;
    o.turn = -1;
    set_all(world, (const ptl_save_cell[]){{{5, 3, 9}, "field"}}, 1);
    ck_assert_int_eq(ptl_edit_reset(NULL, world, &o, &err), PTL_ERR_ARGUMENT);
    ck_assert_str_eq(shown(world, (ptl_omt){5, 3, 9}), "field");
    o.turn = 0;
    const ptl_world_open_options base = {.size = sizeof base, .base = true};
    OK(ptl_world_open(&below, p.store, "w", &base, &err));
    ck_assert_int_eq(ptl_edit_reset(NULL, below, &o, &err), PTL_ERR_ARGUMENT);
    ptl_world_close(below);
    /* As large as numbers are. */
    memcpy(o.rect, ((const int64_t[]){INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX}),
           sizeof o.rect);
    ptl_edit_reset_report report = PTL_EDIT_RESET_REPORT_INIT;
    OK(ptl_edit_reset(&report, world, &o, &err));
    ck_assert(report.cells == 1 && report.number == 2);
    ck_assert_str_eq(shown(world, (ptl_omt){5, 3, 9}), "open_air");
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

/* ---- overviews ---- */

typedef struct pictures {
    ptl_oter cells[2][PTL_OVERVIEW_CELLS];
    int count;
} pictures;

static bool keep_picture(void *payload, ptl_chunk_pos pos,
                         const ptl_oter cells[PTL_OVERVIEW_CELLS])
{
    pictures *p = payload;
    ck_assert(pos.x == p->count && pos.y == 0 && cells);
    memcpy(p->cells[p->count++], cells, sizeof p->cells[0]);
    return true;
}

static pictures look(ptl_world *world)
{
    pictures p = {.count = 0};
    OK(ptl_overview_list(world, keep_picture, &p, &err));
    ck_assert_int_eq(p.count, 2);
    return p;
}

/* Edits of other levels change none, those of the ground the cells in which they prevail; below
 * the edits and after they are taken back all is as before. */
START_TEST(overviews_show_edits)
{
    enum { CELL = 20, EDGE = PTL_OVERVIEW_CELLS - 1 };
    static ptl_save_cell cells[CELL * CELL];
    static const ptl_chunk_pos two[2] = {{0, 0}, {1, 0}};
    const ptl_world_open_options base = {.size = sizeof base, .base = true};
    place p;
    ptl_world *below = NULL;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 11);
    generate(world, two, 2, NULL);
    const pictures before = look(world);
    const char *other = strcmp(ptl_world_oter_name(world, before.cells[1][EDGE]), "field") == 0
                            ? "forest"
                            : "field";
    set_all(world, &(ptl_save_cell){{7, 9, 5}, "field"}, 1);
    ck_assert_mem_eq(look(world).cells, before.cells, sizeof before.cells);
    for (int i = 0; i < CELL * CELL; i++) /* in the last cell of the second chunk */
        cells[i] = (ptl_save_cell){{359 - i % CELL, 179 - i / CELL, 0}, other};
    set_all(world, cells, CELL * CELL);
    const pictures after = look(world);
    ck_assert_str_eq(ptl_world_oter_name(world, after.cells[1][EDGE]), other);
    ck_assert_mem_eq(after.cells[0], before.cells[0], sizeof before.cells[0]);
    OK(ptl_world_open(&below, p.store, "w", &base, &err));
    ck_assert_mem_eq(look(below).cells, before.cells, sizeof before.cells);
    ptl_world_close(below);
    OK(undo(world, 2));
    ck_assert_mem_eq(look(world).cells, before.cells, sizeof before.cells);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edit_reset");
    TCase *t = tcase_create("edit_reset");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, an_edit_reaches_out_of_the_area, 0, BACKENDS);
    tcase_add_loop_test(t, what_can_not_be_is_refused, 0, BACKENDS);
    tcase_add_loop_test(t, overviews_show_edits, 0, BACKENDS);
    suite_add_tcase(suite, t);
    return suite_run(suite);
}
