/*
 * Reading the overmaps of a stored world as summaries, one after another by place. Only what
 * the wanted parts need is decoded; checksums of what is read are verified.
 */
#ifndef ANALYSIS_SAMPLE_SAMPLE_READ_H
#define ANALYSIS_SAMPLE_SAMPLE_READ_H

#include "model/catalogue.h"
#include "model/summary.h"
#include "store/store.h"

typedef struct sample_reader sample_reader;

/* parts are of PTL_COUNT_*; special is NULL, or the only one whose places are wanted. store and
 * cat (its present content) are borrowed. */
ptl_status sample_reader_new(sample_reader **out, ptl_store *store, const catalogue *cat,
                             int64_t world_id, uint32_t parts, const char *special,
                             ptl_error *err);
void sample_reader_free(sample_reader *r); /* NULL is fine */
/* Overmaps outside of these corners, which are copied, are skipped. */
void sample_reader_within(sample_reader *r, const ptl_chunk_pos corners[2]);

typedef enum sample_step {
    SAMPLE_END,     /* there are no more */
    SAMPLE_SKIPPED, /* an overmap that is imported, incomplete, or outside */
    SAMPLE_OVERMAP  /* out is its summary; ids in it live as long as the reader and cat */
} sample_step;

/* Inside a read transaction of the caller's, which may be another one each time. *out is
 * disposed first. */
ptl_status sample_reader_next(sample_step *step, summary *out, sample_reader *r,
                              ptl_error *err);

#endif
