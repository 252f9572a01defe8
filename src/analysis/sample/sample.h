/* The inside of samples (portolan/sample.h). */
#ifndef ANALYSIS_SAMPLE_SAMPLE_H
#define ANALYSIS_SAMPLE_SAMPLE_H

#include "analysis/measure/tally.h"
#include "core/arena.h"
#include "model/catalogue.h"
#include "model/summary.h"
#include "store/store.h"

/*
 * Reads the overmaps of a stored world as summaries, one after the other in the order of
 * places. It decodes only what the wanted parts need, and checks the checksums of that.
 */

typedef struct sample_reader sample_reader;

/* Makes a reader. parts: PTL_COUNT_*. special: the only one whose places are wanted, or
 * NULL. store and cat, its present content, are borrowed. */
ptl_status sample_reader_new(sample_reader **out, ptl_store *store, const catalogue *cat,
                             int64_t world_id, uint32_t parts, const char *special,
                             ptl_error *err);
void sample_reader_free(sample_reader *r); /* NULL is fine */
/* Restricts the reader to overmaps inside these corners, which are copied; others are
 * skipped. */
void sample_reader_within(sample_reader *r, const ptl_chunk_pos corners[2]);

typedef enum sample_step {
    SAMPLE_END,     /* there are no more */
    SAMPLE_SKIPPED, /* an overmap that was imported, is incomplete, or outside */
    /* *out is the summary of an overmap. Its ids live as long as the reader and cat. */
    SAMPLE_OVERMAP
} sample_step;

/* Reads the next overmap, inside a read transaction of the caller's, which may be a
 * different one for each call. *out is disposed first. */
ptl_status sample_reader_next(sample_step *step, summary *out, sample_reader *r,
                              ptl_error *err);

/*
 * The content of a sample, extended by specials and buildings that stored chunks name and the
 * content lacks: chunks that were made with other content may. These get entries with an id
 * and nothing else, so that they can be counted like others. (Terrains of other contents are
 * in the catalogue already: content_operations.load_for.)
 */

typedef struct sample_content {
    const catalogue *base; /* borrowed: the sample's content */
    /* The base with what was added behind it. Only its table of specials is extended:
     * look-ups by id work for base alone. */
    catalogue cat;
    cat_special *specials; /* owned copy; NULL until something was added */
    size_t special_room;
    strmap more_specials; /* from added ids to indices */
    arena *ids;
    /* Increases when something is added: whoever has arrays by index must make them anew. */
    uint32_t version;
} sample_content;

struct ptl_sample {
    ptl_store *store; /* borrowed */
    catalogue
        /* Owned: the sample's content, or the file's present content
         * (content_operations.load_for). */
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
