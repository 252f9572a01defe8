/*
 * Overmaps of many seeds, without a world in the file: content and settings are compiled once,
 * a seed costs microseconds. Edges are the planned ones, so a chunk is what a world of that
 * seed and those settings holds there unless a foreign chunk lies beside it.
 */
#ifndef WORLD_SEED_MAKER_H
#define WORLD_SEED_MAKER_H

#include "world/world.h"

/* Shared by threads; immutable. */
typedef struct seed_base {
    catalogue *cat;     /* owned: the file's present content */
    gen_config *config; /* owned */
} seed_base;

/* The options' seed counts for nothing. Verifies the content, checks the options. Dispose it
 * also after an error. */
ptl_status seed_base_init(seed_base *out, ptl_store *store, const ptl_world_options *options,
                          ptl_error *err);
void seed_base_dispose(seed_base *base);

/* One thread's. */
typedef struct seed_maker {
    const gen_config *base; /* borrowed */
    gen_config config;      /* of the seed of the last chunk; compiled parts are the base's */
    generator *gen;         /* owned; generator_features has the last chunk's features */
} seed_maker;

/* Returns a new maker, or NULL when memory is out. Its address stays: the generator borrows its
 * config. */
seed_maker *seed_maker_new(const seed_base *base);
void seed_maker_free(seed_maker *m); /* NULL is fine */

/* Runs all steps. *out is new; edges N, E, S, W are new, too, and to be disposed also after an
 * error. */
ptl_status seed_maker_run(ptl_chunk **out, edge edges[4], seed_maker *m, uint64_t seed,
                          ptl_chunk_pos pos, ptl_error *err);

#endif
