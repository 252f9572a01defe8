/* What the files share that try specials. */
#ifndef WORLD_TRY_H
#define WORLD_TRY_H

#include "gen/mutable/growth.h"
#include "portolan/trial.h"
#include "portolan/world.h"

/* A series of placements, with a listener on the growths of one special. */
typedef struct trial {
    const gen_config *config;
    generator *gen;
    uint16_t special;
    const ptl_trial_options *options;
    ptl_trial_report *out;
    double started, next_report;
    int32_t root_x, root_y, root_z; /* the root of the growth that was begun last */
    /* The reason why the last growth failed; NULL: it was no open join. */
    struct ptl_trial_reason *last;
    gen_trace trace;
} trial;

/* Runs the first step_count steps for a chunk again. *chunk is new. */
ptl_status trial_make_chunk(ptl_chunk **chunk, ptl_world *world, ptl_chunk_pos pos,
                            size_t step_count, const gen_trace *trace, ptl_error *err);

#endif
