/* What the files of the memory backend share. */
#ifndef SUPPORT_MEMORY_MEMORY_IMPL_H
#define SUPPORT_MEMORY_MEMORY_IMPL_H

#include "codec/feature_set.h"
#include "store/operations.h"
#include "support/memory/memory_store.h"

#include <pthread.h>

/* Rows never change: a table is copied when a transaction begins, and the copy comes back when
 * it is rolled back. Both hold the row. */
typedef struct row {
    int holders;
    int64_t id, world_id;
} row;

typedef struct table {
    row **rows; /* owned, in no order */
    size_t count, room;
    void (*free_row)(row *r);
} table;

enum { WORLDS, RUNS, CHUNKS, EDGES, TABLES };

typedef struct memory_world {
    row head;
    world_row values; /* owned */
} memory_world;

typedef struct memory_run {
    row head;
    uint64_t chunks;
    bool ended;
} memory_run;

typedef struct memory_chunk {
    row head;
    int64_t run_id;
    chunk_info info;
    uint32_t fill[PTL_LEVELS]; /* numbers of names; of levels that are not stored */
    bytes levels[PTL_LEVELS];  /* blobs, with numbers of names */
    gen_features features;     /* cities and radios */
    special_rows specials;     /* ids are the memory's */
    bytes packs[PACK_KINDS];   /* blobs, with numbers of names */
    event_row *events;         /* owned; texts are those of features */
    size_t event_count;
} memory_chunk;

typedef struct memory_edge {
    row head;
    edge values;                           /* without oters; kinds are the memory's */
    const char *border[2][PTL_CHUNK_SIZE]; /* ids, the memory's */
    bool has_border[2];
} memory_edge;

struct memory {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    const ptl_store *whose; /* whoever has a transaction, or NULL */
    const catalogue *cat;   /* borrowed */
    int64_t next_id;
    char **names; /* owned; number n is names[n - 1]; append-only, also when rolled back */
    size_t name_count, name_room;
    table tables[TABLES], before[TABLES]; /* before: when the transaction began */
};

struct ptl_store {
    store_head head;
    memory *memory;
    bool writes; /* its transaction does */
    codec *codec;
};

extern const chunk_operations memory_chunk_operations;

/* An operation outside of a transaction is one of its own. *own: it has to be ended. */
ptl_status memory_enter(ptl_store *store, bool *own, ptl_error *err);
void memory_leave(ptl_store *store, bool own);
/* PTL_ERR_INTERNAL where a write has no transaction. */
ptl_status memory_check_writes(const ptl_store *store, ptl_error *err);

bool table_add(table *t, row *r); /* the table's then; false when memory is out */
void table_remove(table *t, const row *r);

/* 0 when memory is out. */
uint32_t memory_number(memory *m, const char *name);
/* Lives as long as the memory; NULL when memory is out. */
const char *memory_name(memory *m, const char *name);

/* NULL: not there. The turn is the caller's. */
const memory_chunk *memory_find_chunk(const memory *m, int64_t world_id, ptl_chunk_pos pos);
const memory_edge *memory_find_edge(const memory *m, int64_t world_id, const edge *place);

ptl_status memory_write_chunk(ptl_store *store, int64_t world_id, int64_t run_id,
                              const chunk_write *w, const catalogue *cat, bool *written,
                              ptl_error *err);
ptl_status memory_delete_chunk(bool *found, ptl_store *store, int64_t world_id,
                               ptl_chunk_pos pos, ptl_error *err);

void memory_chunk_free(row *r);
void memory_edge_free(row *r);
ptl_status memory_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                         ptl_error *err);

#endif
