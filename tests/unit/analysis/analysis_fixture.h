/* For tests of measuring: a made-up catalogue, chunks and features of it, and a tally as text.
 */
#ifndef TESTS_ANALYSIS_FIXTURE_H
#define TESTS_ANALYSIS_FIXTURE_H

#include "analysis/measure/tally.h"
#include "model/catalogue.h"
#include "model/chunk.h"
#include "model/feature.h"

/* A stream of numbers. */
typedef struct dice {
    uint64_t state;
} dice;
uint64_t dice_roll(dice *d);
int32_t dice_below(dice *d, int32_t n); /* 0..n - 1 */

/* Its terrains and specials are out of order on purpose. Nothing is to be freed. */
const catalogue *fixture_content(void);

/* Blobs of terrains on some levels, the others uniform. Free it with ptl_chunk_free. */
ptl_chunk *fixture_tiles(uint64_t seed);
/* Cities with buildings, specials of both kinds anywhere, some of them outside, attempts. */
void fixture_things(gen_features *out, uint64_t seed);

/* All of a finished tally, number for number. Free it. */
char *tally_text(const ptl_tally *t);

#endif
