/*
 * Repair in this backend: what ptl_repair (repair/repair.c) does without generating anything,
 * and what it asks of the file where it does. Rows are read as they are stored, whatever their
 * types, and belong to units that one checksum covers: a row alone, an edge with its crossings,
 * a chunk's features. A change is accepted only if it gives a checksum that was stored before.
 * What rows look like stays in this room (repair_impl.h).
 */
#ifndef STORE_SQLITE_REPAIR_REPAIR_H
#define STORE_SQLITE_REPAIR_REPAIR_H

#include "core/bytes.h"
#include "portolan/repair.h"
#include "store/store.h"

enum { REPAIR_WHERE_SIZE = 192 };

/* Why a chunk made with other content is set aside. */
#define REPAIR_OTHER_CONTENT                                                                   \
    "it was made with other content: import that again, then repair makes it again"

typedef struct repair_row repair_row;

typedef struct repair_rows {
    repair_row *list; /* owned */
    size_t count, room;
} repair_rows;

void repair_rows_dispose(repair_rows *rows);

/* ---- the work ---- */

typedef struct repairer {
    ptl_store *store;
    const ptl_repair_options *options;
    ptl_repair_report report;
    bytes items;   /* what is told after the next commit */
    bytes scratch; /* of checksums */
    double (*clock)(void);
    double started, batch_started;
    uint64_t done, total;     /* chunks */
    uint64_t hashed, unasked; /* bytes: in searches; since somebody was asked whether to stop */
    bool reindex;             /* indexes may disagree with their tables */
    char found[32]; /* when; of all that is set aside: so rows are known to go together */
} repairer;

/* Notes what was done; it counts, and is told once it is committed. */
ptl_status repair_note(repairer *r, ptl_repair_action action, const char *where,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Commits if a batch has lasted long enough, tells what was done, begins the next. */
ptl_status repair_breathe(repairer *r, bool now, ptl_error *err);

/* A part that is undone if it does not succeed. */
ptl_status repair_try_begin(repairer *r, ptl_error *err);
ptl_status repair_try_end(repairer *r, bool keep, ptl_error *err);

/* "world 'w', chunk 3,-2" from what the chunk's row says. */
void repair_chunk_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *chunk);

/* Gives the world's name; "" if there is none. Without memory for it nothing can be told any
 * more: then repair_note and repair_set_aside fail. */
void repair_world_name(char *out, size_t size, repairer *r, int64_t world_id);
void repair_edge_where(char out[REPAIR_WHERE_SIZE], repairer *r, const repair_row *row);

/* Moves rows to table set_aside; chunk: the row of the chunk that they belong to, or NULL. */
ptl_status repair_set_aside(repairer *r, const repair_rows *rows, const repair_row *chunk,
                            const char *reason, ptl_error *err);

/* Chunks set aside for this reason whose content is the file's again return to their tables. */
ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err);

/* Reads the dictionaries afresh. PTL_ERR_CORRUPT: they can't be relied on. */
ptl_status repair_dictionaries_read(repairer *r, ptl_error *err);

/* Repairs SQLite's own structure. PTL_ERR_CORRUPT: it can't be repaired here; the message says
 * what to do. */
ptl_status repair_file(repairer *r, ptl_error *err);
ptl_status repair_indexes(repairer *r, ptl_error *err);
/* Foreign keys, and what else would keep damaged rows from being touched. */
ptl_status repair_guards(repairer *r, bool on, ptl_error *err);
/* Rows for runs that are named and gone. */
ptl_status repair_runs(repairer *r, ptl_error *err);
/* Rows whose keys are no numbers. */
ptl_status repair_odd_rows(repairer *r, ptl_error *err);
/* Names what else verify would: damaged definitions, references to rows that are gone. */
ptl_status repair_name_rest(repairer *r, ptl_error *err);
/* Crossings of no edge. */
ptl_status repair_stray_crossings(repairer *r, ptl_error *err);
/* What `portolan index` made is made anew where it is not what chunks give. */
ptl_status repair_index(repairer *r, ptl_error *err);
/* Names what verify finds still, if nothing else was named that it would find. */
ptl_status repair_name_found(repairer *r, ptl_error *err);
/* Overviews become what their chunks' levels give. */
ptl_status repair_overviews(repairer *r, ptl_error *err);
/* Repairs rows with checksums of their own: single bits, and values that can be told. */
ptl_status repair_tables(repairer *r, ptl_error *err);
/* Repairs tables of the content: single bits. */
ptl_status repair_content(repairer *r, ptl_error *err);
/* Overmaps of sweeps and local maps that are damaged still, or belong to no sweep or world. */
ptl_status repair_lone_rows(repairer *r, ptl_error *err);
/* Edges and crossings that stand for themselves: single bits. */
ptl_status repair_edge_bits(repairer *r, ptl_error *err);

/* Is it the status of something that concerns one chunk or edge only, not the whole work? */
bool repair_is_soft(ptl_status status, const ptl_error *err);

/* Gives the name of a world: new. PTL_ERR_NOT_FOUND if it has no row. */
ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err);

/* The numbers that an edge or chunk is written with. */
typedef struct repair_ids {
    int64_t id, world_id, run_id;
} repair_ids;

/* ---- edges ---- */

/* What an edge's row says. */
typedef struct repair_edge_said {
    int64_t world_id;
    edge place; /* no crossings */
    bool placed, foreign;
} repair_edge_said;

/* Says what was read; rows are as repair_edge_read gives them, not empty. */
void repair_edge_read_said(repair_edge_said *out, const repair_rows *rows);

/* Lists the ids of edges whose checksums fail; *ids is new. */
ptl_status repair_edges_damaged(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Gives the edge's row and its crossings. */
ptl_status repair_edge_read(repair_rows *out, repairer *r, int64_t id, ptl_error *err);
/* These rows take the place of edge old_id; *kept false: another row is in the way. */
ptl_status repair_edge_write(repairer *r, int64_t old_id, const repair_rows *rows, bool *kept,
                             ptl_error *err);
/* Values that its columns may have: *found if they, or those that it has, give its checksum. */
ptl_status repair_edge_choose(repairer *r, repair_rows *rows, bool *found, ptl_error *err);
/* The same of the edge's row with planned crossings in the place of those that were read; out
 * is new. */
ptl_status repair_edge_plan(repair_rows *out, bool *found, repairer *r, const repair_rows *read,
                            const edge *planned, ptl_error *err);

/* The number that a lost edge had: that of crossings without an edge if they are its own, else
 * the first that is free. */
ptl_status repair_edge_free_id(int64_t *out, repairer *r, ptl_error *err);
/* What the damaged row says of its run, if there is such a run: 0 else. */
ptl_status repair_edge_run(int64_t *out, repairer *r, int64_t id, ptl_error *err);

/* Writes an edge of the present content and generator, in the place of the rows of its id. */
ptl_status repair_edge_put(repairer *r, const edge *e, const repair_ids *ids,
                           const catalogue *cat, ptl_error *err);

typedef struct repair_lost_edge {
    int64_t world_id;
    edge place; /* no crossings */
} repair_lost_edge;

/* Edges that chunks lack: *out is new. */
ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err);

/* ---- chunks ---- */
enum {
    REPAIR_BAD_ROW = 1,
    REPAIR_BAD_TILES = 2,
    REPAIR_BAD_FEATURES = 4,
    REPAIR_BAD_EVENTS = 8
};

/* All rows of one chunk, as stored. */
typedef struct repair_chunk {
    int64_t id;
    repair_rows row; /* none or one */
    repair_rows levels, features, events;
} repair_chunk;

void repair_chunk_dispose(repair_chunk *c);
ptl_status repair_chunk_read(repair_chunk *out, ptl_store *store, int64_t id, ptl_error *err);
/* REPAIR_BAD_* for what is damaged. */
ptl_status repair_chunk_check(repairer *r, const repair_chunk *c, unsigned *bad,
                              ptl_error *err);

/* What a chunk's row says. */
typedef struct repair_said {
    int64_t world_id, run_id, content_id, generator_version;
    ptl_chunk_pos pos;
    char last_step[32]; /* "" if that is no text of this size */
    bool generated;
} repair_said;

/* c has a row. */
void repair_chunk_read_said(repair_said *out, const repair_chunk *c);
/* Are these the digests that the row says? */
bool repair_chunk_has_digests(const repair_chunk *c, const digest *tiles,
                              const digest *features);
/* Can a chunk have this number? */
bool repair_chunk_id_fits(int64_t id);
/* Rows that could prove what the chunk was: levels or packs. */
bool repair_chunk_has_blobs(const repair_chunk *c);

/* Each chunk, as they are when it is their turn. */
typedef ptl_status repair_visit(void *payload, int64_t id, ptl_error *err);
ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err);
ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err);
/* The ids of all, and those that rows name as their chunk's which is not there: *ids is new. */
ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err);
/* Reads the chunk of a place; dispose out whatever comes. */
ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err);

/* The chunk's row from what its other rows say, told and written; *bad: what is damaged still.
 */
ptl_status repair_chunk_by_others(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* Single bits in levels, features and events, told and written, if that helps. */
ptl_status repair_chunk_by_bits(repairer *r, repair_chunk *c, unsigned *bad, ptl_error *err);
/* What of it is damaged leaves its tables, told: all of it, or only its events. */
ptl_status repair_chunk_give_up(repairer *r, const repair_chunk *c, unsigned bad,
                                const char *why, ptl_error *err);
/* All rows of the chunk leave their tables. */
ptl_status repair_chunk_set_aside(repairer *r, const repair_chunk *c, const char *reason,
                                  ptl_error *err);
/* The rows of another id, read afresh, leave their tables. */
ptl_status repair_id_set_aside(repairer *r, int64_t id, const char *reason, ptl_error *err);
/* Rows of the list whose keys were damaged, and which were put back meanwhile, are there twice:
 * they go. *left counts the others. */
ptl_status repair_drop_copies(repairer *r, const repair_rows *rows, size_t *left,
                              ptl_error *err);

/* Tells that a damaged chunk was made again, or can't be now. */
ptl_status repair_made_note(repairer *r, const repair_chunk *c, unsigned bad);
ptl_status repair_left_note(repairer *r, const repair_chunk *c, unsigned bad, const char *why);

/* Writes a chunk in the place of all rows of its id. */
ptl_status repair_chunk_put(repairer *r, const repair_ids *ids, const chunk_write *write,
                            const catalogue *cat, ptl_error *err);
/* The stored checksum of the chunk's row, or both its digests, come out again. */
bool repair_same_row(const repair_chunk *before, const repair_chunk *made);
/* A level or pack that was there, and that its own checksum proves, comes out again. */
bool repair_same_leftovers(const repair_chunk *before, const repair_chunk *made);

typedef struct repair_free_place {
    int64_t world_id;
    ptl_chunk_pos pos;
} repair_free_place;

/* Gives all places with four edges and no chunk; the rows of `id` don't count. *out is new. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err);
/*
 * The run that wrote the chunk: what its row says if there is such a run. Else: ids and runs
 * count up together, and the chunk's edges are from its run or from those before.
 */
ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err);
/* The run's number is nobody's function: the checksum of the row that was stored tells it, if
 * that is sound. The chunk was made again. */
ptl_status repair_chunk_run(repairer *r, const repair_chunk *before, ptl_error *err);

/* ---- dictionaries ---- */

/*
 * Learns what numbers of the dictionaries mean whose rows are gone. A chunk that is made again
 * has the same palettes as its blobs, entry for entry: so each entry says what its number
 * means.
 */
typedef struct repair_learner repair_learner;

/* Makes a new learner: finish with repair_learner_free. */
ptl_status repair_learner_new(repair_learner **out, repairer *r, ptl_error *err);
void repair_learner_free(repair_learner *l);
/* Does the chunk name a number that is not known? */
ptl_status repair_learner_wants(bool *wanted, repair_learner *l, const repair_chunk *c,
                                ptl_error *err);
/* The chunk came out as its digests say. */
ptl_status repair_learner_take(repair_learner *l, const repair_chunk *c,
                               const encoded_chunk *tiles, const encoded_features *features,
                               const catalogue *cat, ptl_error *err);
ptl_status repair_learner_tell(repair_learner *l);

#endif
