/* The inside of samples (portolan/sample.h). */
#ifndef ANALYSIS_SAMPLE_SAMPLE_H
#define ANALYSIS_SAMPLE_SAMPLE_H

#include "analysis/measure/tally.h"
#include "model/catalogue.h"
#include "store/store.h"

struct ptl_sample {
    ptl_store *store; /* borrowed */
    catalogue
        /* Owned: the sample's content, or the file's present content
         * (store_catalogue_load_for). */
        *cat;
    char *name; /* owned: name of the world or sweep */
    bool is_sweep;
    /* Owned. Of a sweep it holds the sweep's id, and no name or seed. */
    world_row settings;
    uint64_t overmaps, left_out;
    /* False: no two overmaps lie side by side. */
    bool has_blocks;
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

#endif
