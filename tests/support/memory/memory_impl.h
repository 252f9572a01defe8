/* What the files of the memory backend share. */
#ifndef SUPPORT_MEMORY_MEMORY_IMPL_H
#define SUPPORT_MEMORY_MEMORY_IMPL_H

#include "codec/feature_codec.h"
#include "codec/summary_codec.h"
#include "store/store.h"
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

enum {
    WORLDS,
    RUNS,
    CHUNKS,
    EDGES,
    CONTENTS,
    LINES,
    SWEEPS,
    OVERMAPS,
    MAPS,
    SURGES,
    SPILLS,
    EDITS,
    PLACED,
    SAVED,
    TABLES
};

typedef struct memory_world {
    row head;
    world_row values; /* owned */
} memory_world;

typedef struct memory_run {
    row head;
    uint64_t chunks;
    double seconds;
    char command[32], started[32], outcome[32]; /* "": it has not ended */
} memory_run;

typedef struct memory_chunk {
    row head;
    int64_t run_id;
    chunk_info info;
    uint32_t fill[PTL_LEVELS];             /* numbers of names; of levels that are not stored */
    uint32_t overview[PTL_OVERVIEW_CELLS]; /* numbers of names */
    bytes levels[PTL_LEVELS];              /* blobs, with numbers of names */
    gen_features features;                 /* cities and radios */
    special_rows specials;                 /* ids are the memory's */
    bytes packs[PACK_KINDS];               /* blobs, with numbers of names */
    event_row *events;                     /* owned; texts are those of features */
    size_t event_count;
} memory_chunk;

typedef struct memory_edge {
    row head;
    edge values;                           /* without oters; kinds are the memory's */
    const char *border[2][PTL_CHUNK_SIZE]; /* ids, the memory's */
    bool has_border[2];
} memory_edge;

typedef struct memory_content {
    row head; /* its id is the content's */
    char digest[65], imported_at[32];
    bool current, lenient;
} memory_content;

/* A row of a content's part. */
typedef struct memory_line {
    row head; /* its id is the row's number, its world_id 0, or the content of before */
    content_part part;
    int count;
    content_value values[]; /* data is owned */
} memory_line;

typedef struct memory_sweep {
    row head;
    sweep_row values; /* owned */
} memory_sweep;

typedef struct memory_overmap {
    row head; /* its world_id is the sweep's */
    uint64_t seed;
    ptl_chunk_pos pos;
    bytes packs[SUMMARY_PACKS]; /* blobs, with numbers of names */
} memory_overmap;

typedef struct memory_map {
    row head;
    map_info info;              /* oter is the memory's */
    bytes tiles, things, texts; /* blobs, with numbers of names */
} memory_map;

typedef struct memory_spill {
    row head;
    ptl_omt at;
    bytes blob;
} memory_spill;

typedef struct memory_surge {
    row head;
    surge_row values;
} memory_surge;

typedef struct memory_edit {
    row head;
    edit_row values;     /* without cells */
    char *author, *text; /* owned */
    bytes cells;         /* a blob, with numbers of names */
} memory_edit;

typedef struct memory_placed {
    row head;
    placed_row values; /* without parts */
    char *special;     /* owned */
    bytes parts;       /* a blob */
} memory_placed;

typedef struct memory_saved {
    row head;
    saved_row *values; /* owned */
} memory_saved;

struct memory {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    const ptl_store *whose; /* whoever has a transaction, or NULL */
    const catalogue *cat;   /* borrowed: its only content; NULL: what was imported */
    int64_t next_id;
    char **names; /* owned; number n is names[n - 1]; append-only, also when rolled back */
    size_t name_count, name_room;
    table tables[TABLES], before[TABLES]; /* before: when the transaction began */
};

struct ptl_store {
    store_head head;
    memory *memory;
    bool writes;  /* its transaction does */
    bool scratch; /* the memory is this store's alone */
    codec *codec;
};

extern const chunk_operations memory_chunk_operations;
extern const content_operations memory_content_operations;
extern const import_operations memory_import_operations;
extern const sweep_operations memory_sweep_operations;
extern const map_operations memory_map_operations;
extern const edit_operations memory_edit_operations;
extern const saved_operations memory_saved_operations;

/* An operation outside of a transaction is one of its own. *own: it has to be ended. */
ptl_status memory_enter(ptl_store *store, bool *own, ptl_error *err);
void memory_leave(ptl_store *store, bool own);
/* PTL_ERR_INTERNAL where a write has no transaction. */
ptl_status memory_check_writes(const ptl_store *store, ptl_error *err);

bool table_add(table *t, row *r); /* the table's then; false when memory is out */
void table_remove(table *t, const row *r);
/* The last row takes its place. */
void table_remove_at(table *t, size_t at);
void table_clear(table *t);

/* 0 when memory is out. */
uint32_t memory_number(memory *m, const char *name);
/* Lives as long as the memory; NULL when memory is out. */
const char *memory_name(memory *m, const char *name);

/* The text of a number of the memory's; NULL: there is none. names is a memory. */
const char *memory_text(const void *names, uint32_t number);
/* A blob with numbers of names; nothing for a pack without entries. */
ptl_status memory_put_pack(bytes *out, memory *m, const encoded_pack *p, ptl_error *err);

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
void memory_content_free(row *r);
void memory_line_free(row *r);
void memory_sweep_free(row *r);
void memory_overmap_free(row *r);
void memory_map_free(row *r);
void memory_surge_free(row *r);
void memory_spill_free(row *r);
void memory_edit_free(row *r);
void memory_placed_free(row *r);
void memory_saved_free(row *r);

row *table_find(const table *t, int64_t id); /* NULL: there is none */
ptl_status memory_copy_world(world_row *out, const world_row *from, ptl_error *err);

/* ---- contents; the turn is the caller's ---- */

/* *out is new: of the rows of a content (0: the present one's), with all oters of the memory's
 * names beside it if that is asked. */
ptl_status memory_catalogue(catalogue **out, ptl_store *store, int64_t content, bool beside,
                            ptl_error *err);
ptl_status memory_row_visit(ptl_store *store, int64_t content_id, const content_query *query,
                            content_row_visit *visit, void *payload, ptl_error *err);
/* NULL: nothing was imported. */
const memory_content *memory_present(const memory *m);
/* Where a column of a part is, -1 for none: its name is the first `length` bytes. */
int memory_column(content_part part, const char *name, size_t length);
/* A copy of it for a content; NULL when memory is out. */
memory_line *memory_line_copy(const memory_line *from, int64_t content);
/* Contents and their rows of one memory for another that has none. */
ptl_status memory_copy_contents(memory *to, const memory *from, ptl_error *err);
ptl_status memory_digest(ptl_world_digest_result *out, ptl_store *store, int64_t world_id,
                         ptl_error *err);

#endif
