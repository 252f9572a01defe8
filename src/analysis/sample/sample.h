/* The inside of samples (portolan/sample.h), for the source files that work with them. */
#pragma once

#include "analysis/measure/tally.h"
#include "core/arena.h"
#include "model/catalogue.h"
#include "model/summary.h"
#include "store/store.h"

struct ptl_sample {
    ptl_store *store; /* borrowed */
    /* Owned: the content that the sample was made with. If the file does not keep that
     * content, the file's present content (content_operations.load_for). */
    catalogue *cat;
    char *name; /* owned: name of the world or sweep */
    bool is_sweep;
    /* Owned; the settings of the world or sweep, as a row of the table of worlds. For a sweep
     * the row has the sweep's id, and no name or seed. */
    world_row settings;
    uint64_t overmaps, left_out;
    bool has_blocks; /* false: no two overmaps of the sample lie side by side */
    /* The members from here on are filled in by sample_describe. */
    ptl_sample_info about;
    ptl_world_options options;
    char content[65];
    ptl_sample_special *definitions; /* owned */
    const ptl_sample_special **list; /* owned; points to each element of `definitions` */
};

/* Fills in `about` and the definitions, which the public calls give out, from the catalogue and
 * the settings. */
ptl_status sample_describe(ptl_sample *s, ptl_error *err);
