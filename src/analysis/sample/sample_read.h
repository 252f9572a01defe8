/*
 * Reading the overmaps of a stored world as summaries, one after another by place. Only what
 * the wanted parts need is decoded; checksums of what is read are verified.
 */
#ifndef ANALYSIS_SAMPLE_SAMPLE_READ_H
#define ANALYSIS_SAMPLE_SAMPLE_READ_H

#include "core/arena.h"
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

/*
 * The content of a sample, with the specials and buildings that stored chunks name beside it:
 * those that were made with other content may name what it lacks. These get entries of their
 * own, with an id and nothing else, so that they can be counted like the others. (Terrains of
 * other contents are in the catalogue: store_catalogue_load_for.)
 */

typedef struct sample_content {
    const catalogue *base; /* borrowed: the sample's content */
    catalogue cat;         /* what base has, and after that what was added. Only its table of
                            * specials counts: base finds what is in base */
    cat_special *specials; /* owned copy; NULL until something is added */
    size_t special_room;
    strmap more_specials; /* what was added: id -> index */
    arena *ids;
    uint32_t version; /* goes up when something is added: who has numbers of cat counts anew */
} sample_content;

#endif
