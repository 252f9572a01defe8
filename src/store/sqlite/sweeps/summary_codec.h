/*
 * Summaries to packs and back: each list of a summary is a pack (pack.h), and a column of table
 * sweep_chunk. schema/format.md, "Packs".
 */
#ifndef STORE_SQLITE_SWEEPS_SUMMARY_CODEC_H
#define STORE_SQLITE_SWEEPS_SUMMARY_CODEC_H

#include "codec/pack.h"
#include "model/summary.h"
#include "store/sqlite/connection/stmt.h"

enum { SUMMARY_PACKS = PACK_FORMS - PACK_SUMMARY_FIRST };

struct encoded_summary {
    encoded_pack packs[SUMMARY_PACKS]; /* by kind - PACK_SUMMARY_FIRST; count 0: none */
};

/* The part (PTL_COUNT_*) that a pack belongs to. */
uint32_t summary_part_of(pack_kind kind);

/*
 * Reads one list into out, whose memory is there. The store's names must be up to date; ids are
 * borrowed from them. PTL_ERR_CORRUPT for anything that is not such a pack.
 */
ptl_status summary_list_read(summary *out, pack_kind kind, ptl_store *store, const void *blob,
                             size_t size, ptl_error *err);

/* The parts of a row that gives SWEEP_CHUNK_COLUMNS; its checksum is the caller's business.
 * Dispose *out in any case. */
ptl_status sweep_chunk_parse(summary *out, ptl_store *store, const stmt *s, uint32_t parts,
                             ptl_error *err);

#endif
