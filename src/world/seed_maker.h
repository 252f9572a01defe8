/*
 * Makes overmaps of many seeds without a world in the file. Content and settings are compiled
 * once, so that a new seed takes only microseconds. All edges are planned from the seed: an
 * overmap is the same as in a world of that seed with those settings, except beside an imported
 * chunk.
 */
#pragma once

#include "world/world.h"

/* What the seed_maker objects of all seeds share: the content and the settings. It never
 * changes, so threads may use it at the same time. */
typedef struct seed_base {
    catalogue *cat;     /* owned: the catalogue of the file's present content */
    gen_config *config; /* owned */
} seed_base;

/* Verifies the file's content and checks the options, and compiles a catalogue and a config
 * from them. The seed in the options is not used. The caller must call seed_base_dispose, also
 * after an error. */
ptl_status seed_base_init(seed_base *out, ptl_store *store, const ptl_world_options *options,
                          ptl_error *err);
/* Frees the catalogue and the config of a seed_base. All seed_maker objects that use it must
 * be freed before. */
void seed_base_dispose(seed_base *base);

/* What a thread makes overmaps with. Each thread needs its own. */
typedef struct seed_maker {
    const gen_config *base; /* borrowed */
    /* The config for the seed of the last chunk. What was compiled from the content is borrowed
     * from `base`. */
    gen_config config;
    generator *gen; /* owned; after seed_maker_run, generator_features returns the features of
                       the chunk */
} seed_maker;

/* Returns a new seed_maker, or NULL when memory is out. It must not be moved, because its
 * generator borrows its config. */
seed_maker *seed_maker_new(const seed_base *base);
void seed_maker_free(seed_maker *m); /* NULL is fine */

/* Runs all steps of generation for one chunk of a seed. *out is new. The edges (north, east,
 * south, west) are new as well: the caller must dispose of them, also after an error. */
ptl_status seed_maker_run(ptl_chunk **out, edge edges[4], seed_maker *m, uint64_t seed,
                          ptl_chunk_pos pos, ptl_error *err);
