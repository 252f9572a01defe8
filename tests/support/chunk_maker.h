/* A generator with its configuration, and chunks made by it with planned edges alone. */
#ifndef SUPPORT_CHUNK_MAKER_H
#define SUPPORT_CHUNK_MAKER_H

#include "gen/work/generator.h"

typedef struct maker {
    gen_config *config;
    generator *gen;
} maker;

/* Fails the test where it can't be made. Free it with maker_free. */
maker maker_new(const catalogue *cat, const ptl_world_options *options);
void maker_free(maker *m);

/* The chunk after so many steps; free it with ptl_chunk_free. */
ptl_chunk *make(maker *m, int32_t x, int32_t y, size_t steps);

#endif
