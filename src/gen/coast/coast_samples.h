/*
 * Islands as the overmap sees them: how much hills raise 25 places of an OMT on average,
 * without their points being drawn.
 */
#ifndef GEN_COAST_COAST_SAMPLES_H
#define GEN_COAST_COAST_SAMPLES_H

#include "gen/coast/coast.h"

enum {
    COAST_SAMPLES = 5,                    /* a side of an OMT */
    COAST_SAMPLE_ROWS = 3 * COAST_SAMPLES /* of three rows of OMTs */
};

/* The cells of an OMT, along either side, at which samples lie. */
extern const int32_t coast_sample_cells[COAST_SAMPLES];

/* Adds what a hill raises on average to the samples of three rows of OMTs, of so many columns;
 * the island's OMT is in the middle row, in this column, which may lie one beyond either end.
 */
void coast_samples_raise(int32_t *const rows[COAST_SAMPLE_ROWS], int32_t columns,
                         const coast_hill *hill, int32_t column);

#endif
