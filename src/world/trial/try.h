/* Inside of trying specials: what its files share. */
#ifndef WORLD_TRY_H
#define WORLD_TRY_H

#include "gen/mutable/growth.h"
#include "portolan/trial.h"

/* A run of placements, with a listener on the growths of one special. */
typedef struct trial {
    const gen_config *config;
    generator *gen;
    uint16_t special;
    const ptl_trial_options *options;
    ptl_trial_report *out;
    double started, next_report;
    int32_t root_x, root_y, root_z; /* of the growth that was begun last */
    struct ptl_trial_reason *last;  /* why the last growth was undone; NULL: another reason */
    gen_trace trace;
} trial;

/* Starts the clock and listens; trial_end stops listening. config, gen and special are set. */
void trial_begin(trial *t, const ptl_trial_options *options, ptl_trial_report *out);
void trial_end(trial *t);
/* False if it is to be stopped. */
bool trial_progress(trial *t, uint64_t done, uint64_t total);

/* Tries a fixed special in each of its rotations. */
ptl_status try_fixed(trial *t, ptl_error *err);

#endif
