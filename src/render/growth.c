/*
 * A world as it grows: its chunks are made again in memory, up to a step of generation.
 */
#include "render/sheet.h"

#include "core/error.h"
#include "portolan/generate.h"
#include "portolan/lists.h"
#include "world/world.h"

/* Makes a saved chunk again. Does nothing for a chunk that this generator did not make. */
static ptl_status grow(viewport *v, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_chunk_info info = PTL_CHUNK_INFO_INIT;
    TRY(ptl_chunk_info_load(&info, v->world->store, ptl_world_name(v->world), pos, err));
    if (info.imported || info.generator_version != PTL_GENERATOR_VERSION)
        return PTL_OK;
    const sheet *s = v->sheet;
    if (s->options->on_progress &&
        !s->options->on_progress(s->options->payload, s->rows_done, s->rows_total))
        return error_set(err, PTL_ERR_CANCELLED, "stopped");
    const size_t saved = info.last_step[0] ? world_steps_to(info.last_step) : ptl_step_count();
    TRY(world_prepare_again(v->world, &pos, err));
    v->grown_pos = pos;
    return world_make_again(&v->grown, v->world, pos, v->steps < saved ? v->steps : saved, NULL,
                            err);
}

ptl_status growth_level(viewport *v, ptl_chunk_pos pos, int32_t z, ptl_error *err)
{
    if (!v->is_grown)
        return ptl_level_load(v->cells, v->world, pos, z, err);
    if (!v->grown || v->grown_pos.x != pos.x || v->grown_pos.y != pos.y) {
        ptl_chunk_free(v->grown);
        v->grown = NULL;
        TRY(grow(v, pos, err));
    }
    if (!v->grown)
        return ptl_level_load(v->cells, v->world, pos, z, err);
    ptl_chunk_level(v->cells, v->grown, z);
    return PTL_OK;
}
