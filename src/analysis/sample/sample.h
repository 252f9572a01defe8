/*
 * Samples: where tallies come from. A sample is overmaps of one kind: of a world that is
 * stored, of several worlds, or of a sweep.
 */
#ifndef ANALYSIS_SAMPLE_SAMPLE_H
#define ANALYSIS_SAMPLE_SAMPLE_H

#include "analysis/measure/tally.h"
#include "model/catalogue.h"
#include "store/store.h"

/* The definition of a special as the file's present content has it. */
typedef struct sample_special {
    const char *id;
    bool is_unique, is_globally_unique; /* is_unique: OVERMAP_UNIQUE too */
    int32_t occurrences_min, occurrences_max;
} sample_special;

typedef struct sample {
    ptl_store *store; /* borrowed */
    catalogue *cat;   /* owned: the file's present content */
    char *name;       /* owned: of the world or sweep */
    bool is_sweep;
    world_row settings; /* owned; of a sweep: its id, and without a name and a seed */
    uint64_t overmaps;  /* that it has, of complete ones (all steps ran) */
    uint64_t left_out;  /* of a world: incomplete, or imported */
} sample;

/*
 * name: a world's or a sweep's ("sweep:NAME" where a world has the same name, "world:NAME" the
 * other way); NULL: the only world, or if there is no world the only sweep. Dispose it also
 * after an error. PTL_ERR_NOT_FOUND says what there is.
 */
ptl_status sample_open(sample *out, ptl_store *store, const char *name, ptl_error *err);
void sample_dispose(sample *s);

typedef struct sample_options {
    uint32_t parts;      /* SUMMARY_* */
    const char *special; /* only this one's places; NULL: all */
    /* Called now and then; false stops with PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, uint64_t done, uint64_t total);
    void *payload;
} sample_options;

/*
 * Adds all overmaps of the sample to *t, which may have others already (zero it before; it is
 * initialised and finished here). Reads in short transactions of a few overmaps each, by place,
 * so that no writer waits for it long; chunks that come in meanwhile may be missed. After an
 * error *t holds some of them.
 *
 * Chunks that were made with other content than the file has now count like the others: their
 * ids are the file's. What terrain is water or a road is as the present content says, and what
 * it lacks is neither; the tiles of fixed specials are not known, so that `around` has none of
 * them.
 */
ptl_status sample_tally(tally *t, sample *s, const sample_options *options, ptl_error *err);

/* The definition of a special; false if the content has none of this id. */
bool sample_definition(const sample *s, const char *id, sample_special *out);

#endif
