/*
 * What chunks hold packed, as plain tables unpacked_* that any program can read, with indexes
 * that queries want, and views v_* over them with names for numbers (schema/tables.md). They
 * are no part of the schema: nothing but these calls writes them, and chunks that are made or
 * changed afterwards are not in until they are brought up to date. unpacked_chunk says which
 * chunks are in, so that a later call does only what has changed.
 */
#ifndef PORTOLAN_INDEX_H
#define PORTOLAN_INDEX_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Parts of an index, as bits: tables of the same names with unpacked_ before them, and last an
 * index alone, over the table special_placement. */
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

/* The name of the part of bit 1 << number: "building", .., "special_placement"; a constant.
 * NULL unless number lies in 0..PTL_INDEX_PARTS - 1. */
PTL_API const char *ptl_index_part_name(int number);

typedef struct ptl_index_options {
    size_t size;
    /* Called after each commit (at least every second), with the chunks that are to be done,
     * and while an index is made. Returning false stops: what was committed stays, the call
     * returns PTL_ERR_CANCELLED. May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
    uint32_t parts;    /* 0: those that the file has, or all if it has none */
    uint32_t reserved; /* 0 */
} ptl_index_options;

#define PTL_INDEX_OPTIONS_INIT PTL_SIZED(ptl_index_options)

typedef struct ptl_index_report {
    size_t size;
    uint64_t chunks;  /* that the file has */
    uint64_t added;   /* chunks that were not in */
    uint64_t renewed; /* that had changed, or lacked a table */
    uint64_t removed; /* that are gone from the file */
    uint64_t rows;    /* written */
    double seconds;
} ptl_index_report;

#define PTL_INDEX_REPORT_INIT PTL_SIZED(ptl_index_report)

/*
 * Brings the tables up to date, by transactions of at most about a second; an index over what
 * is there already is one statement. options and report may be NULL; the report is filled after
 * an error, too. PTL_ERR_FORMAT: a table of somebody else's has one of the names,
 * PTL_ERR_EXISTS: a view has; it stays as it is. PTL_ERR_CORRUPT names the chunk that can't be
 * read. PTL_ERR_ARGUMENT: bits that are no part. PTL_ERR_UNSUPPORTED: the store is no SQLite
 * file.
 */
PTL_API ptl_status ptl_index_update(ptl_index_report *report, ptl_store *store,
                                    const ptl_index_options *options, ptl_error *err);

/*
 * Removes parts (0: all) with their views, whoever made the tables; in one transaction. *found:
 * how many there were; may be NULL. Errors as above.
 */
PTL_API ptl_status ptl_index_remove(int *found, ptl_store *store, uint32_t parts,
                                    ptl_error *err);

/* How far what is saved of a world is in the index. */
typedef struct ptl_index_state {
    size_t size;
    uint64_t made;    /* 1: the file has an index; 0: it has none, and the rest is 0 */
    uint64_t chunks;  /* that are saved; each is one of the next three */
    uint64_t indexed; /* in, as they are */
    uint64_t changed; /* in, as they were */
    uint64_t missing; /* not in */
} ptl_index_state;

#define PTL_INDEX_STATE_INIT PTL_SIZED(ptl_index_state)

/* PTL_ERR_NOT_FOUND says which worlds there are; PTL_ERR_UNSUPPORTED as above. */
PTL_API ptl_status ptl_index_state_load(ptl_index_state *out, ptl_store *store,
                                        const char *world, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
