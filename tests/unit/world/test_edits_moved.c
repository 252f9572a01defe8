/* What regeneration tells of edits: those that lie over another oter than they did. */
#include "portolan/portolan.h"
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <string.h>

static const ptl_chunk_pos chunks[] = {{0, 0}};

static ptl_world *open_again(ptl_store *store, bool is_base)
{
    ptl_world *world = NULL;
    const ptl_world_open_options o = {.size = sizeof o, .base = is_base};
    OK(ptl_world_open(&world, store, "w", &o, &err));
    return world;
}

/* Commits an edit of some cells; returns how many it changes. */
static uint64_t set(ptl_world *world, const ptl_save_cell *cells, size_t count)
{
    ptl_save *save = NULL;
    ptl_save_report saved = PTL_SAVE_REPORT_INIT;
    OK(ptl_save_begin(&save, world, NULL, &err));
    OK(ptl_save_cells_set(save, cells, count, &err));
    OK(ptl_save_commit(&saved, save, &err));
    return saved.cells;
}

/* The ids of the oters of a chunk's ground, of the world as it was generated. */
static void ground_of(char out[PTL_LEVEL_CELLS][60], ptl_store *store)
{
    static ptl_oter cells[PTL_LEVEL_CELLS];
    ptl_world *world = open_again(store, true);
    const ptl_area all = {0, 0, 0, PTL_CHUNK_SIZE, PTL_CHUNK_SIZE};
    OK(ptl_area_get(cells, NULL, world, &all, NULL, &err));
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        snprintf(out[i], sizeof out[i], "%s", ptl_world_oter_name(world, cells[i]));
    ptl_world_close(world);
}

/* Content that puts many lone OMTs on the ground. */
static const char solos[] =
    "[{\"type\": \"overmap_terrain\", \"id\": \"solo\", \"name\": \"lone\", \"sym\": \".\", "
    "\"color\": \"green\"}, {\"type\": \"overmap_special\", \"id\": \"solos\", \"overmaps\": "
    "[{\"point\": [0, 0, 0], \"overmap\": \"solo_north\"}], \"locations\": [\"land\"], "
    "\"occurrences\": [40, 60]}]";

/* What regeneration tells of edits, and what it should: by cell of the ground. */
static char was[PTL_LEVEL_CELLS][60], is[PTL_LEVEL_CELLS][60];
static bool edited[PTL_LEVEL_CELLS];
static size_t told;

static void hear_edit(void *payload, int64_t number, ptl_omt at, const char *before,
                      const char *now)
{
    const size_t cell = (size_t)(at.y * PTL_CHUNK_SIZE + at.x);
    (void)payload;
    ck_assert_int_eq(number, 1);
    ck_assert_int_eq(at.z, 0);
    ck_assert(edited[cell]);
    ck_assert_str_eq(before, was[cell]);
    ck_assert_str_eq(now, is[cell]);
    told++;
}

/* Edits 1 changes most of the ground, 2 lies over some of it, 3 is undone by 4. Only edit 1 may
 * have lost what was below it: 2 lies over 1. */
START_TEST(regeneration_names_edits)
{
    static ptl_save_cell cells[PTL_LEVEL_CELLS];
    place p;
    ptl_save *save = NULL;
    ptl_save_report saved = PTL_SAVE_REPORT_INIT;
    const char *oter = "field", *later = "forest";
    size_t count = 0, expected = 0;
    open_place(&p, _i);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 11);
    generate(world, chunks, 1, NULL);
    ground_of(was, p.store);
    told = 0;
    for (int i = 0; i < PTL_LEVEL_CELLS; i++) {
        edited[i] = i % 7 != 3 && strcmp(was[i], oter) != 0;
        if (edited[i])
            cells[count++] = (ptl_save_cell){{i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, 0}, oter};
    }
    ck_assert_uint_gt(count, 1000);
    ck_assert_uint_eq(set(world, cells, count), count);
    ck_assert_uint_eq(set(world, &(ptl_save_cell){cells[0].at, later}, 1), 1);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        if (i % 7 == 3 && strcmp(was[i], later) != 0) {
            const ptl_omt at = {i % PTL_CHUNK_SIZE, i / PTL_CHUNK_SIZE, 0};
            ck_assert_uint_eq(set(world, &(ptl_save_cell){at, later}, 1), 1);
            break;
        }
    OK(ptl_save_begin(&save, world, NULL, &err));
    OK(ptl_save_undo(save, 3, &err));
    OK(ptl_save_commit(&saved, save, &err));
    ptl_world_close(world);
    import_text(p.store, solos, false);
    world = open_again(p.store, false);
    ptl_regenerate_report report = PTL_REGENERATE_REPORT_INIT;
    OK(ptl_regenerate(&report, world, NULL, &err));
    ck_assert_uint_eq(report.done, 1);
    ptl_world_close(world);
    ground_of(is, p.store);
    for (int i = 0; i < PTL_LEVEL_CELLS; i++)
        expected += edited[i] && strcmp(was[i], is[i]) != 0;
    ck_assert_uint_gt(expected, 0);
    ck_assert_uint_eq(report.changed_edits, expected);
    /* All of them are named, whether a chunk is stale or not. */
    world = open_again(p.store, false);
    const ptl_regenerate_options o = {
        .size = sizeof o, .positions = chunks, .position_count = 1, .on_edit = hear_edit};
    OK(ptl_regenerate(&report, world, &o, &err));
    ck_assert_uint_eq(told, expected);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("regenerated edits");
    TCase *tc = tcase_create("edits");
    tcase_add_loop_test(tc, regeneration_names_edits, 0, BACKENDS);
    suite_add_tcase(s, tc);
    return suite_run(s);
}
