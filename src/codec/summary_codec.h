/*
 * Summaries of overmaps to packs and back: each list of a summary is a pack (pack.h).
 * schema/format.md, "Packs".
 */
#ifndef CODEC_SUMMARY_CODEC_H
#define CODEC_SUMMARY_CODEC_H

#include "codec/pack.h"
#include "model/summary.h"

enum { SUMMARY_PACKS = PACK_FORMS - PACK_SUMMARY_FIRST };

/* A summary as blobs, before the store's numbers of its names are known: what generating
 * threads make. Ids are borrowed from the summary's own source. */
typedef struct encoded_summary {
    encoded_pack packs[SUMMARY_PACKS]; /* by kind - PACK_SUMMARY_FIRST; count 0: none */
} encoded_summary;

/* *out is new; summary.parts must be PTL_COUNT_ALL. */
ptl_status summary_encode(encoded_summary **out, codec *c, const summary *s, ptl_error *err);
void encoded_summary_free(encoded_summary *e); /* NULL is fine */

/* The part (PTL_COUNT_*) that a pack belongs to. */
uint32_t summary_part_of(pack_kind kind);

/* Reads one list into out, whose memory is there; ids are borrowed from the names.
 * PTL_ERR_CORRUPT for anything that is not such a pack. */
ptl_status summary_list_read(summary *out, const pack_reader *r, pack_kind kind,
                             const void *blob, size_t size, ptl_error *err);

#endif
