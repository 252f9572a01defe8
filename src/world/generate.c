/* ptl_generate: makes those of many chunks that are not saved yet (bulk.h). */
#include "core/error.h"
#include "core/sized.h"
#include "world/bulk.h"

#include <string.h>

size_t ptl_step_count(void)
{
    return pipeline_step_count(&overmap_pipeline);
}

const char *ptl_step_name(size_t index)
{
    const step_info *info = pipeline_step(&overmap_pipeline, index);
    return info ? info->name : NULL;
}

static ptl_status find_step(size_t *step_count, const char *name, ptl_error *err)
{
    *step_count = pipeline_step_count(&overmap_pipeline);
    if (!name)
        return PTL_OK;
    for (size_t i = 0; i < pipeline_step_count(&overmap_pipeline); i++)
        if (strcmp(pipeline_step(&overmap_pipeline, i)->name, name) == 0) {
            *step_count = i + 1;
            return PTL_OK;
        }
    return error_set(err, PTL_ERR_ARGUMENT, "there is no generation step '%s'", name);
}

static ptl_status wants_missing(void *context, ptl_chunk_pos pos, bool *wanted,
                                const char **reason, ptl_error *err)
{
    const bulk *work = context;
    bool has = false;
    (void)reason;
    ptl_status status = world_has_chunk(work->world, pos, work->step_count, &has, err);
    *wanted = !has;
    return status;
}

ptl_status ptl_generate(ptl_generate_report *report, ptl_world *world,
                        const ptl_generate_options *options, ptl_error *err)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_generate_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_generate_report, report, err));
    if (status != PTL_OK)
        return status;
    bulk work = {.world = world,
                 .command = "generate",
                 .list = o.positions,
                 .count = o.position_count,
                 .jobs = o.jobs,
                 .wants = wants_missing,
                 .context = &work,
                 .on_progress = o.on_progress,
                 .payload = o.payload};
    status = find_step(&work.step_count, o.stop_after, err);
    THEN(status, world_prepare(world, err));
    THEN(status, bulk_run(&work, err));
    SIZED_FILL(ptl_generate_report, report, &work.report);
    return status;
}
