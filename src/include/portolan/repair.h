/*
 * Repairs a damaged world file.
 */
#ifndef PORTOLAN_REPAIR_H
#define PORTOLAN_REPAIR_H

#include "portolan/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What repair did about something damaged. */
typedef enum ptl_repair_action {
    PTL_REPAIR_CORRECTED,  /* the original value was restored; the stored checksum proves it */
    PTL_REPAIR_MADE_AGAIN, /* what was damaged was generated again; the stored checksum or
                            * digests prove that the result is the same as before */
    PTL_REPAIR_RECOMPUTED, /* the damaged value was computed from other rows of the file */
    PTL_REPAIR_SET_ASIDE,  /* the damaged row was moved to the table set_aside, as it was
                            * found */
    PTL_REPAIR_UNREPAIRED  /* the damage was left as it is; the message says what would help */
} ptl_repair_action;

/* One thing that repair found. Its texts are valid until the callback returns. */
typedef struct ptl_repair_item {
    size_t size;
    ptl_repair_action action;
    const char *where;   /* where the damage is, e.g. "world 'w', chunk 3,-2" */
    const char *message; /* what was wrong and what was done */
} ptl_repair_item;

typedef struct ptl_repair_options {
    size_t size;
    /* True: do and report everything, but in one transaction that is rolled back in the end,
     * so that the file does not change. */
    bool dry_run;
    /* Called for each damaged or missing thing that was found, after its repair was committed.
     * May be NULL. */
    void (*on_item)(void *payload, const ptl_repair_item *item);
    /* Called now and then, and at least every second while chunks are checked; done and total
     * count chunks. Returning false stops with PTL_ERR_CANCELLED: what was committed stays.
     * May be NULL. */
    bool (*on_progress)(void *payload, const ptl_progress *progress);
    void *payload;
} ptl_repair_options;

#define PTL_REPAIR_OPTIONS_INIT PTL_SIZED(ptl_repair_options)

typedef struct ptl_repair_report {
    size_t size;
    uint64_t chunks;     /* chunks that were checked */
    uint64_t corrected;  /* how many things were corrected: rows, edges with their crossings,
                          * or features of a chunk */
    uint64_t made_again; /* how many chunks and edges were generated again */
    uint64_t recomputed; /* how many damaged rows were computed from other rows of the file */
    uint64_t set_aside;  /* how many chunks were moved to the table set_aside, plus how many
                            single rows that belong to no chunk were moved there */
    uint64_t unrepaired;
    double seconds;
} ptl_repair_report;

#define PTL_REPAIR_REPORT_INIT PTL_SIZED(ptl_repair_report)

/*
 * Finds damaged and missing rows by their checksums and restores what can be proved to be
 * right. If a single bit of a row was flipped, repair finds it by trying. Damaged things that
 * Portolan generated are generated again, within the saved edges, by this version and with the
 * file's present content; the result must have the stored checksum or digests. What can't be
 * restored is moved to the table set_aside, so that its place is free. Saved edges never
 * change.
 *
 * The store must be open for writing, with no world open. Repair works in short transactions:
 * a process that is killed leaves a file that is no more damaged than before. options and
 * report may be NULL. PTL_ERR_CORRUPT: SQLite's own structure is damaged; the message says
 * what to do.
 */
PTL_API ptl_status ptl_repair(ptl_repair_report *report, ptl_store *store,
                              const ptl_repair_options *options, ptl_error *err);

/* A row that repair could not restore and moved to the table set_aside as it was. */
typedef struct ptl_set_aside {
    size_t size;
    int64_t number;
    const char *found;       /* when repair found the row: UTC, ISO 8601 */
    const char *table, *key; /* the table in which the row was, and its key there */
    const char *world;       /* name of the world to which the row belongs; "" if it belongs to
                              * none */
    bool has_place;          /* true: the row is a chunk or an edge */
    int32_t x, y;            /* place of the chunk or edge; 0 if has_place is false */
    const char *reason;
} ptl_set_aside;

/* Lists all rows of the table set_aside, in the order of their numbers. The call works like the
 * lists of portolan/lists.h. PTL_ERR_UNSUPPORTED: the store has no file. */
PTL_API ptl_status ptl_set_aside_list(ptl_store *store,
                                      bool (*on_row)(void *payload, const ptl_set_aside *row),
                                      void *payload, ptl_error *err);

#ifdef __cplusplus
}
#endif
#endif
