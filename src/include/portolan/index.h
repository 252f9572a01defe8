/*
 * Copies what chunks hold in packed form into plain tables unpacked_*, which any program can
 * query with SQL. The tables have indexes for such queries, and views v_* that show names in
 * place of numbers (schema/tables.md). These tables and views are not part of the schema. Only
 * the calls of this header write them: chunks that are made or changed later are missing in
 * them until ptl_index_update is called again. The table unpacked_chunk records which chunks
 * are indexed, so that an update does only what has changed.
 */
#ifndef PORTOLAN_INDEX_H
#define PORTOLAN_INDEX_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables and SQL indexes that the index consists of (its parts), as bits.
 * PTL_INDEX_BUILDING stands for the table unpacked_building, and so on; only
 * PTL_INDEX_SPECIAL_PLACEMENT stands for an SQL index over the existing table
 * special_placement. */
enum {
    PTL_INDEX_BUILDING = 1 << 0,
    PTL_INDEX_MONSTER_GROUP = 1 << 1,
    PTL_INDEX_ATTEMPT = 1 << 2,
    PTL_INDEX_PIECE = 1 << 3,
    PTL_INDEX_PIECE_JOIN = 1 << 4,
    PTL_INDEX_TERRAIN_COUNT = 1 << 5,
    PTL_INDEX_SPECIAL_PLACEMENT = 1 << 6,
    PTL_INDEX_ALL = (1 << 7) - 1
};

enum { PTL_INDEX_PARTS = 7 };

/* Returns the name of the part of the index with the bit 1 << number: "building" to
 * "special_placement". The text is a constant. Returns NULL unless number is 0..PTL_INDEX_PARTS
 * - 1. */
PTL_API const char *ptl_index_part_name(int number);

typedef struct ptl_index_options {
    size_t size;
    /* Called after each commit, at least once a second, and also while an SQL index is made.
     * The member `total` is the number of chunks that must be indexed. Returning false stops:
     * what was committed stays, and the call returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    uint32_t parts;    /* which parts of the index to make or update, as PTL_INDEX_ bits; 0:
                        * those that the file already has, or all if it has none */
    uint32_t reserved; /* must be 0 */
} ptl_index_options;

#define PTL_INDEX_OPTIONS_INIT PTL_SIZED(ptl_index_options)

typedef struct ptl_index_report {
    size_t size;
    uint64_t chunks;  /* saved chunks of the file */
    uint64_t added;   /* chunks that were not indexed before */
    uint64_t renewed; /* chunks that had been indexed before and were indexed again, because
                       * they had changed or were not in all of the tables */
    uint64_t removed; /* chunks that were indexed before, but are no longer in the file */
    uint64_t rows;    /* rows that were written */
    double seconds;
} ptl_index_report;

#define PTL_INDEX_REPORT_INIT PTL_SIZED(ptl_index_report)

/*
 * Makes the tables or brings them up to date, in transactions of at most about a second each.
 * Only when an SQL index is made for rows that exist already, a transaction may take longer,
 * because this is a single statement. options and report may be NULL; the report is filled
 * after an error, too.
 *
 * PTL_ERR_FORMAT: a table that Portolan did not make has the name of a table of the index.
 * PTL_ERR_EXISTS: a view that Portolan did not make has the name of a view v_*; it stays as it
 * is. PTL_ERR_CORRUPT: the message names the chunk that can't be read. PTL_ERR_ARGUMENT:
 * options->parts has a bit that stands for no part. PTL_ERR_UNSUPPORTED: the store is not an
 * SQLite file.
 */
PTL_API ptl_status ptl_index_update(ptl_index_report *report, ptl_store *store,
                                    const ptl_index_options *options, ptl_error *err);

/*
 * Removes parts of the index (0: all) with their views, in one transaction, even if another
 * program made the tables. *found, if found is not NULL, is the number of parts that existed.
 * Errors as for ptl_index_update.
 */
PTL_API ptl_status ptl_index_remove(int *found, ptl_store *store, uint32_t parts,
                                    ptl_error *err);

/* How many of a world's saved chunks are in the index. */
typedef struct ptl_index_state {
    size_t size;
    uint64_t made;    /* 1: the file has an index; 0: it has none, and all other members are
                       * 0 */
    uint64_t chunks;  /* saved chunks; each of them is counted in indexed, changed or
                       * missing */
    uint64_t indexed; /* chunks that are indexed and have not changed since then */
    uint64_t changed; /* chunks that were indexed, but have changed since then */
    uint64_t missing; /* chunks that are not indexed */
} ptl_index_state;

#define PTL_INDEX_STATE_INIT PTL_SIZED(ptl_index_state)

/* Tells how many of a world's chunks are in the index as they are now. PTL_ERR_NOT_FOUND if
 * there is no such world: the message lists the worlds of the file. PTL_ERR_UNSUPPORTED: the
 * store is not an SQLite file. */
PTL_API ptl_status ptl_index_state_load(ptl_index_state *out, ptl_store *store,
                                        const char *world, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
