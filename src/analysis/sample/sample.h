/* Inside of samples (portolan/sample.h). */
#ifndef ANALYSIS_SAMPLE_SAMPLE_H
#define ANALYSIS_SAMPLE_SAMPLE_H

#include "analysis/measure/tally.h"
#include "model/catalogue.h"
#include "store/store.h"

struct ptl_sample {
    ptl_store *store; /* borrowed */
    catalogue
        *cat;   /* owned: the sample's content, or the present one (store_catalogue_load_for) */
    char *name; /* owned: of the world or sweep */
    bool is_sweep;
    world_row settings; /* owned; of a sweep: its id, and without a name and a seed */
    uint64_t overmaps, left_out;
    bool has_blocks; /* else no two overmaps lie side by side */
    /* What sample_describe makes of these. */
    ptl_sample_info about;
    ptl_world_options options;
    char content[65];
    ptl_sample_special *definitions; /* owned */
    const ptl_sample_special **list; /* owned: pointers to them */
};

/* Fills in what others see of the sample, from the catalogue and the settings. */
ptl_status sample_describe(ptl_sample *s, ptl_error *err);

#endif
