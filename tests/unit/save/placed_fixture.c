#include "unit/save/placed_fixture.h"

const ptl_chunk_pos here = {0, 0};

const char *const some[SOME] = {"woodland_cabin",  "porch_cabin", "smallholding", "brickworks",
                                "flooded_cistern", "old_orchard", "burnt_wood",   "hermitage"};

ptl_status put(ptl_save_report *report, ptl_why_place *why, ptl_world *world,
               const char *special, ptl_omt at, int32_t rotation)
{
    ptl_save *save = saved_save(world, 0);
    ptl_status status = ptl_save_special_add(why, save, special, at, rotation, &err);
    if (status == PTL_OK)
        status = ptl_save_commit(report, save, &err);
    if (status != PTL_OK)
        ptl_save_abort(save);
    return status;
}

ptl_status undo(ptl_world *world, int64_t number)
{
    ptl_save *save = saved_save(world, 0);
    ptl_status status = ptl_save_undo(save, number, &err);
    if (status == PTL_OK)
        status = ptl_save_commit(NULL, save, &err);
    if (status != PTL_OK)
        ptl_save_abort(save);
    return status;
}

bool find_origin(ptl_omt *out, ptl_world *world, const char *special, ptl_omt near,
                 int32_t rotation)
{
    ptl_why_place why = PTL_WHY_PLACE_INIT;
    ptl_save *save = saved_save(world, 0);
    const ptl_status status = ptl_save_special_add(&why, save, special, near, rotation, &err);
    ptl_save_abort(save);
    *out = why.has_nearest ? (ptl_omt){why.nearest_x, why.nearest_y, 0} : near;
    ck_assert_msg(status == PTL_OK || status == PTL_ERR_EXISTS, "%s", err.message);
    return status == PTL_OK || why.has_nearest;
}

void read_cells(ptl_oter out[CELLS], ptl_world *world)
{
    ptl_chunk *chunk = NULL;
    OK(ptl_chunk_load(&chunk, world, here, &err));
    for (int32_t i = 0; i < PTL_LEVELS; i++)
        ptl_chunk_level(out + (size_t)i * PTL_LEVEL_CELLS, chunk, i + PTL_Z_MIN);
    ptl_chunk_free(chunk);
}

void read_features(gen_features *out, ptl_world *world)
{
    bool found = false;
    *out = (gen_features){.cities = NULL};
    OK(world_features_read(out, &found, world, here, world->cat, &err));
    ck_assert(found);
}
