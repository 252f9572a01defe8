/*
 * Sweeps: many overmaps, made for their summaries alone (summary.h). A row of table `sweep`
 * says what was made: settings of a world but for the seed, the content, the generator. A row
 * of `sweep_chunk` is one overmap of one seed, its summary packed. schema/format.md, "Sweeps".
 */
#ifndef STORE_SQLITE_SWEEPS_SWEEP_ROWS_H
#define STORE_SQLITE_SWEEPS_SWEEP_ROWS_H

#include "model/summary.h"
#include "store/sqlite/rows/rows.h"

/* settings: a world's; id, name and seed mean nothing there. */
typedef struct sweep_row {
    int64_t id;
    char *name;         /* owned; unique in the file; the rules of a world's name hold */
    world_row settings; /* owned */
} sweep_row;

void sweep_row_dispose(sweep_row *row);
/* name NULL: the only sweep of the file. PTL_ERR_NOT_FOUND with a message that lists names. */
ptl_status sweep_row_find(sweep_row *out, ptl_store *store, const char *name, ptl_error *err);
/* In a transaction of the caller's; sets row->id. PTL_ERR_EXISTS if the name is taken. */
ptl_status sweep_row_insert(ptl_store *store, sweep_row *row, ptl_error *err);
/* The sweep with all its overmaps; in a transaction of the caller's. */
ptl_status sweep_row_delete(ptl_store *store, int64_t sweep_id, ptl_error *err);

/* Is the overmap of this seed there? */
ptl_status sweep_chunk_has(bool *has, ptl_store *store, int64_t sweep_id, uint64_t seed,
                           ptl_chunk_pos pos, ptl_error *err);

/* A summary as blobs, before the file's numbers of its names are known: what generating threads
 * make. Ids are borrowed from the summary's own source; summary.parts must be SUMMARY_ALL. */
typedef struct encoded_summary encoded_summary;
ptl_status summary_encode(encoded_summary **out, codec *c, const summary *s, ptl_error *err);
void encoded_summary_free(encoded_summary *e); /* NULL is fine */

/* In a transaction of the caller's; replaces what is there. */
ptl_status sweep_chunk_insert(ptl_store *store, int64_t sweep_id, uint64_t seed,
                              ptl_chunk_pos pos, const encoded_summary *e, ptl_error *err);

/*
 * All overmaps of a sweep in order of (seed as unsigned, x, y), with the wanted parts decoded
 * and their checksums verified. Ids in s are borrowed from the store's dictionary; s lasts
 * until the callback returns. Returning false stops with PTL_ERR_CANCELLED. Unless the caller
 * has a transaction open, each few overmaps are read in a snapshot of their own, so that
 * writers need not wait; the callback must not write to this store, nor read sweeps of it.
 */
typedef bool sweep_visit(void *payload, uint64_t seed, const summary *s);
ptl_status sweep_chunks_read(ptl_store *store, int64_t sweep_id, uint32_t parts,
                             sweep_visit *visit, void *payload, ptl_error *err);
/* How many overmaps it has. */
ptl_status sweep_chunks_count(uint64_t *out, ptl_store *store, int64_t sweep_id,
                              ptl_error *err);

#endif
