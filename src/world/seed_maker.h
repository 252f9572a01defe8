/*
 * Makes overmaps of many seeds without a world in the file. Content and settings are compiled
 * once, so that a new seed costs only microseconds. All edges are planned ones: a chunk is
 * the same as a world of that seed and those settings would hold, unless an imported chunk
 * lies beside it there.
 */
#pragma once

#include "world/world.h"

/* What all seeds share. It never changes, so threads may share it, too. */
typedef struct seed_base {
    catalogue *cat;     /* owned: of the file's present content */
    gen_config *config; /* owned */
} seed_base;

/* Verifies the file's content, checks the options and compiles both; the seed in the options
 * is not used. Dispose of *out also after an error. */
ptl_status seed_base_init(seed_base *out, ptl_store *store, const ptl_world_options *options,
                          ptl_error *err);
/* Frees catalogue and config. All makers of the base must be freed before. */
void seed_base_dispose(seed_base *base);

/* What one thread makes overmaps with. */
typedef struct seed_maker {
    const gen_config *base; /* borrowed */
    /* Of the last chunk's seed; its compiled parts are borrowed from the base. */
    gen_config config;
    generator *gen; /* owned; generator_features gives the features of the last chunk */
} seed_maker;

/* Returns a new maker, or NULL when memory is out. It must not be moved, as the generator
 * borrows its config. */
seed_maker *seed_maker_new(const seed_base *base);
void seed_maker_free(seed_maker *m); /* NULL is fine */

/* Runs all steps for one chunk of a seed. *out is new. The edges (north, east, south, west)
 * are new as well: dispose of them also after an error. */
ptl_status seed_maker_run(ptl_chunk **out, edge edges[4], seed_maker *m, uint64_t seed,
                          ptl_chunk_pos pos, ptl_error *err);
