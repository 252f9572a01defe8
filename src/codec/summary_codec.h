/*
 * Encodes summaries of overmaps (the counts that a sweep keeps, summary.h), and decodes them.
 * Each list of a summary becomes a pack (pack.h). The format is in schema/format.md, "Packs".
 */
#pragma once

#include "codec/pack.h"
#include "model/summary.h"

enum { SUMMARY_PACKS = PACK_FORMS - PACK_SUMMARY_FIRST };

/* An encoded summary, before the store's numbers of its names are known. The threads that
 * generate overmaps make it. Its ids are borrowed from whatever owns the ids of the summary. */
typedef struct encoded_summary {
    /* The pack of the list with the pack_kind `kind` has the index kind - PACK_SUMMARY_FIRST. A
     * pack whose count is 0 stands for an empty list. */
    encoded_pack packs[SUMMARY_PACKS];
} encoded_summary;

/* Encodes a summary; *out is new. s->parts must be PTL_COUNT_ALL, so that the summary has all
 * of its lists. */
ptl_status summary_encode(encoded_summary **out, codec *c, const summary *s, ptl_error *err);
void encoded_summary_free(encoded_summary *e); /* e may be NULL */

/* Returns the lists of a summary, as PTL_COUNT_... bits, to which a pack of this kind belongs.
 */
uint32_t summary_part_of(pack_kind kind);

/* Reads one list of a summary into *out, in the memory of out->memory. Ids are borrowed from
 * the reader's names. PTL_ERR_CORRUPT if the blob is no valid pack of this kind. */
ptl_status summary_list_read(summary *out, const pack_reader *r, pack_kind kind,
                             const void *blob, size_t size, ptl_error *err);
