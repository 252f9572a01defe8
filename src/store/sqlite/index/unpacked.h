/*
 * `portolan index`: what chunks hold packed, as plain tables unpacked_* that any program can
 * read, with indexes that queries want. They are no part of the schema, but a user's own as far
 * as the rest is concerned: nothing but this writes or reads them. unpacked_chunk says which
 * chunks are in, by their rows' checksums, so that a later run only does what has changed.
 */
#ifndef STORE_SQLITE_INDEX_UNPACKED_H
#define STORE_SQLITE_INDEX_UNPACKED_H

#include "portolan/generate.h"
#include "store/sqlite/connection/stmt.h"

/* What can be asked for, as bits. */
enum {
    UNPACKED_BUILDING = 1 << 0, /* and the other packs, by pack_kind */
    UNPACKED_TERRAIN_COUNT = 1 << 5,
    UNPACKED_TABLES = (1 << 6) - 1,
    UNPACKED_SPECIAL_INDEX = 1 << 6, /* only an index over special_placement */
    UNPACKED_ALL = (1 << 7) - 1,
    UNPACKED_PARTS = 7
};

/* The name of part `index`, 0..UNPACKED_PARTS - 1: "building", .., "special_placement". */
const char *unpacked_part_name(int index);

typedef struct unpacked_report {
    uint64_t chunks;  /* that the file has */
    uint64_t added;   /* chunks that were not in */
    uint64_t renewed; /* that had changed, or lacked a table */
    uint64_t removed; /* that are gone from the file */
    uint64_t rows;    /* written */
    double seconds;
} unpacked_report;

/*
 * Brings the tables up to date. parts: bits, 0 for those that the file has, or all if it has
 * none. Commits at least every second but for making an index of what is there already; when
 * on_progress returns false, what was committed stays: PTL_ERR_CANCELLED. report may be NULL.
 */
ptl_status unpacked_update(ptl_store *store, uint32_t parts,
                           bool (*on_progress)(void *payload, const ptl_progress *progress),
                           void *payload, unpacked_report *report, ptl_error *err);

/* Removes these parts (0: all). *found: how many of them there were. */
ptl_status unpacked_drop(ptl_store *store, uint32_t parts, int *found, ptl_error *err);

#endif
