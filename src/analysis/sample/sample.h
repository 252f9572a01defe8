/* The inside of samples (portolan/sample.h). */
#pragma once

#include "analysis/measure/tally.h"
#include "core/arena.h"
#include "model/catalogue.h"
#include "model/summary.h"
#include "store/store.h"

struct ptl_sample {
    ptl_store *store; /* borrowed */
    /* Owned: the sample's content, or the file's present content
     * (content_operations.load_for). */
    catalogue *cat;
    char *name; /* owned: name of the world or sweep */
    bool is_sweep;
    world_row settings; /* owned; of a sweep it has the sweep's id, and no name or seed */
    uint64_t overmaps, left_out;
    bool has_blocks; /* false: no two overmaps lie side by side */
    /* Filled in by sample_describe. */
    ptl_sample_info about;
    ptl_world_options options;
    char content[65];
    ptl_sample_special *definitions; /* owned */
    const ptl_sample_special **list; /* owned; pointers into definitions */
};

/* Fills in what the public calls tell about the sample, from the catalogue and the
 * settings. */
ptl_status sample_describe(ptl_sample *s, ptl_error *err);
